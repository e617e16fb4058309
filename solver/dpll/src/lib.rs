//! Putnam's dpll.
