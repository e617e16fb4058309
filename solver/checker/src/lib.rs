//! Putnam's checker.
