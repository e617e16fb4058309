//! Putnam's explain.
