//! The race and the micro-benchmarks.
