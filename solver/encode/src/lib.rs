//! Putnam's encode.
