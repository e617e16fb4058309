//! Proofs to accept and to reject (`proofs/`), and the proofs of small refutations.
