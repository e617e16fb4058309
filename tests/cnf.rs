//! Formulas with known verdicts (`cnf/`), by every engine.
