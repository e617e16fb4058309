//! Zebra and logic-grid puzzles.
