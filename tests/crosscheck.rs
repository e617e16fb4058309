//! `putnam crosscheck` and other solvers.
