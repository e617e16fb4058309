//! Pictures of problems and plans: a sheet of boards as SVG, and a page that plays.

mod layout;
mod page;
mod sheet;

pub(crate) use layout::Layout;

use crate::{Plan, Problem};
use putnam_api::PictureSpec;

/// The pictures that the command offers.
pub(crate) const PICTURES: &[PictureSpec] = &[
    PictureSpec { name: "svg", help: "Draw the plan to this file, as a sheet of boards with the moves as arrows" },
    PictureSpec {
        name: "html",
        help: "Write a page to this file that plays the plan, and on which one can play oneself; it needs no other file",
    },
];

impl Plan {
    /// The picture of this name, or none.
    pub(crate) fn draw_picture(&self, name: &str) -> Option<String> {
        match name {
            "svg" => Some(sheet::of_plan(self)),
            "html" => Some(page::of_plan(self)),
            _ => None,
        }
    }
}

impl Problem {
    /// The picture of this name when there is no plan, or none.
    pub(crate) fn draw_picture(&self, name: &str) -> Option<String> {
        match name {
            "svg" => Some(sheet::of_problem(self)),
            "html" => Some(page::of_problem(self)),
            _ => None,
        }
    }
}
