//! The boards that come with the program: the files of `boards/`.

use crate::{Setup, read};

/// A board that is compiled in.
#[derive(Clone, Copy, Debug)]
pub struct Builtin {
    /// Its name, that of its file without the ending.
    pub name: &'static str,
    /// Other names for it.
    pub aliases: &'static [&'static str],
    /// What it is, in a few words.
    pub about: &'static str,
    text: &'static str,
}

macro_rules! builtin {
    ($name:literal, $aliases:expr, $about:literal) => {
        Builtin {
            name: $name,
            aliases: $aliases,
            about: $about,
            text: include_str!(concat!("../../../boards/", $name, ".txt")),
        }
    };
}

/// All built-in boards, in the order in which they are listed.
pub const BUILTINS: &[Builtin] = &[
    builtin!("triangle-10", &[], "triangle of side 4"),
    builtin!("triangle-15", &["cracker-barrel"], "triangle of side 5, known as Cracker Barrel"),
    builtin!("english-33", &["english"], "the English cross, vacancy in the centre"),
    builtin!("european-37", &["european", "french"], "the European or French board"),
    builtin!("wiegleb-45", &["wiegleb", "german"], "Wiegleb's cross"),
    builtin!("diamond-41", &["diamond"], "the diamond of side 5"),
    builtin!("square-6x6", &["square"], "a square of six by six"),
    builtin!("fano-7", &["fano"], "the seven lines of the Fano plane, a board without geometry"),
];

impl Builtin {
    /// The board and its start.
    ///
    /// # Panics
    /// Never: a test reads every built-in board.
    pub fn setup(&self) -> Setup {
        read(self.text, self.name).expect("a built-in board can be read")
    }
}

/// The built-in board with this name or alias.
pub fn builtin(name: &str) -> Option<&'static Builtin> {
    BUILTINS.iter().find(|board| board.name == name || board.aliases.contains(&name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn built_in_boards_have_the_holes_of_their_names() {
        let mut names = HashSet::new();
        for builtin in BUILTINS {
            let setup = builtin.setup();
            let (_, size) = builtin.name.rsplit_once('-').unwrap();
            let holes: usize = size.split('x').map(|n| n.parse::<usize>().unwrap()).product();
            assert_eq!(setup.board.holes(), holes, "{}", builtin.name);
            assert!(setup.start.single_vacancy().is_some());
            assert!(setup.warnings.is_empty());
            for name in std::iter::once(&builtin.name).chain(builtin.aliases) {
                assert!(names.insert(*name), "{name} names two boards");
            }
        }
        let jumps = |name| builtin(name).unwrap().setup().board.jumps().len();
        assert_eq!(
            ["triangle-10", "triangle-15", "english", "european", "wiegleb", "diamond", "square"].map(jumps),
            [18, 36, 76, 92, 108, 100, 96]
        );
    }
}
