//! The peg game: the assignment's checked answers and the pipeline of three programs.
