//! The tests over the whole product, one module a subject. Most cases are files: drop one into the right folder and it
//! is a test (see `README.md` in this folder).

mod cli;
mod cnf;
mod crosscheck;
mod engines;
mod enumeration;
mod fuzz;
mod limits;
mod oracle;
mod peg;
mod peg_agreement;
mod peg_batch;
mod peg_goals;
mod peg_moves;
mod peg_pages;
mod proofs;
mod reading;
mod readme;
mod simplify;
mod support;
mod zebra;
mod zebra_cli;
mod zebra_explain;
