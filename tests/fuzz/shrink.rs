//! Makes a failing trace small (Zeller and Hildebrandt, Simplifying and Isolating Failure-Inducing Input, 2002; Brummayer,
//! Lonsing and Biere, Automated Testing and Debugging of SAT and QBF Solvers, SAT 2010).

use super::trace::{Call, Trace};

/// The smallest trace that was found by removing calls and literals and still `fails`.
pub(crate) fn shrink(mut trace: Trace, fails: impl Fn(&Trace) -> bool) -> Trace {
    loop {
        let before = trace.clone();
        remove_calls(&mut trace, &fails);
        remove_literals(&mut trace, &fails);
        if trace == before {
            return trace;
        }
    }
}

fn remove_calls(trace: &mut Trace, fails: &impl Fn(&Trace) -> bool) {
    let mut chunk = trace.0.len().max(1);
    while chunk > 0 {
        let mut start = 0;
        while start < trace.0.len() {
            let mut candidate = trace.clone();
            candidate.0.drain(start..(start + chunk).min(candidate.0.len()));
            if fails(&candidate) {
                *trace = candidate;
            } else {
                start += chunk;
            }
        }
        chunk /= 2;
    }
}

fn remove_literals(trace: &mut Trace, fails: &impl Fn(&Trace) -> bool) {
    for call in 0..trace.0.len() {
        let mut literal = 0;
        loop {
            let mut candidate = trace.clone();
            match &mut candidate.0[call] {
                Call::Clause(lits) | Call::Solve(lits) if literal < lits.len() => _ = lits.remove(literal),
                Call::Enumerate(vars, _) if literal < vars.len() => _ = vars.remove(literal),
                Call::Enumerate(vars, lits) if literal < vars.len() + lits.len() => {
                    _ = lits.remove(literal - vars.len());
                }
                _ => break,
            }
            if fails(&candidate) {
                *trace = candidate;
            } else {
                literal += 1;
            }
        }
    }
}
