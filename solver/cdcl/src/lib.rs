//! Putnam's cdcl.
