//! Random calls of the engine's interface against a brute-force oracle.
