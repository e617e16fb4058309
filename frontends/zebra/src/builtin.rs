//! The puzzles that are compiled in.

/// Name and text of each.
const PUZZLES: [(&str, &str); 4] = [
    ("zebra", include_str!("../puzzles/zebra.txt")),
    ("allotments", include_str!("../puzzles/allotments.txt")),
    ("ferries", include_str!("../puzzles/ferries.txt")),
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
