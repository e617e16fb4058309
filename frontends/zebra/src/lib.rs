//! Zebra puzzles.
