//! The puzzles that are compiled in.

/// Name and text of each.
const PUZZLES: [(&str, &str); 11] = [
    ("zebra", include_str!("../puzzles/zebra.txt")),
    ("allotments", include_str!("../puzzles/allotments.txt")),
    ("ferries", include_str!("../puzzles/ferries.txt")),
    ("parcels", include_str!("../puzzles/parcels.txt")),
    ("tarts", include_str!("../puzzles/tarts.txt")),
    ("choir", include_str!("../puzzles/choir.txt")),
    ("book-stall", include_str!("../puzzles/book-stall.txt")),
    ("ridge", include_str!("../puzzles/ridge.txt")),
    ("axioms-as-printed", include_str!("../puzzles/axioms-as-printed.txt")),
    ("axioms-corrected", include_str!("../puzzles/axioms-corrected.txt")),
    ("quiz-night", include_str!("../puzzles/quiz-night.txt")),
];

/// The names of the built-in puzzles.
pub fn names() -> impl Iterator<Item = &'static str> {
    PUZZLES.iter().map(|(name, _)| *name)
}

/// The text of a built-in puzzle.
pub fn text(name: &str) -> Option<&'static str> {
    PUZZLES.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
}
