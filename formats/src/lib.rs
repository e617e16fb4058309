//! Bytes to formulas and back.
