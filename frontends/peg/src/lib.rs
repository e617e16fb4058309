//! The peg game.
