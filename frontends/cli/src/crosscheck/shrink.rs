//! Delta debugging: makes a formula smaller while whatever is wrong with it stays wrong (Zeller and Hildebrandt,
//! "Simplifying and isolating failure-inducing input", 2002; for SAT solvers: Brummayer and Biere, "Fuzzing and
//! delta-debugging SMT solvers", 2009).

use putnam_formula::{ClauseSink, Cnf, Lit};

/// A formula that is as small as removing clauses, and then literals, makes it while `wrong` holds. `wrong` answers none
/// when the effort is used up; the smallest formula so far is the result then. It is taken to hold of `cnf` itself.
pub(crate) fn shrink(cnf: &Cnf, mut wrong: impl FnMut(&Cnf) -> Option<bool>) -> Cnf {
    let mut clauses: Vec<Vec<Lit>> = cnf.clauses().map(<[Lit]>::to_vec).collect();
    // Shorter clauses may make others superfluous, hence the loop.
    while remove_clauses(&mut clauses, &mut wrong).is_some() {
        if remove_literals(&mut clauses, &mut wrong) != Some(true) {
            break;
        }
    }
    to_cnf(&clauses)
}

fn to_cnf(clauses: &[Vec<Lit>]) -> Cnf {
    let mut cnf = Cnf::new();
    for clause in clauses {
        cnf.add_clause(clause);
    }
    cnf
}

/// Removes ranges of clauses, first half of them at a time, at last single ones. Answers none when the effort is used up.
fn remove_clauses(clauses: &mut Vec<Vec<Lit>>, wrong: &mut impl FnMut(&Cnf) -> Option<bool>) -> Option<()> {
    let mut size = clauses.len().div_ceil(2);
    while size > 0 {
        let mut start = 0;
        while start < clauses.len() {
            let end = (start + size).min(clauses.len());
            let mut fewer = clauses.clone();
            fewer.drain(start..end);
            if wrong(&to_cnf(&fewer))? {
                *clauses = fewer;
            } else {
                start = end;
            }
        }
        size /= 2;
    }
    Some(())
}

/// Removes single literals. Answers whether any went.
fn remove_literals(clauses: &mut [Vec<Lit>], wrong: &mut impl FnMut(&Cnf) -> Option<bool>) -> Option<bool> {
    let mut any = false;
    for index in 0..clauses.len() {
        let mut position = 0;
        // An empty clause decides every formula by itself: that shows nothing.
        while clauses[index].len() > 1 && position < clauses[index].len() {
            let lit = clauses[index].remove(position);
            if wrong(&to_cnf(clauses))? {
                any = true;
            } else {
                clauses[index].insert(position, lit);
                position += 1;
            }
        }
    }
    Some(any)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn formula() -> Cnf {
        let clauses: Vec<Vec<i32>> = (1..=40).map(|i| vec![i, -i - 1, i + 2]).collect();
        clauses.iter().map(Vec::as_slice).collect()
    }

    fn has(cnf: &Cnf, number: i32) -> bool {
        cnf.clauses().flatten().any(|lit| lit.to_dimacs() == number)
    }

    #[test]
    fn what_matters_stays() {
        let small = shrink(&formula(), |cnf| Some(has(cnf, 7) && has(cnf, -30)));
        let numbers: Vec<Vec<i32>> = small.clauses().map(|c| c.iter().map(|l| l.to_dimacs()).collect()).collect();
        assert_eq!(numbers.len(), 2);
        assert!(numbers.contains(&vec![7]) && numbers.contains(&vec![-30]), "{numbers:?}");
    }

    #[test]
    fn the_effort_is_bounded() {
        let mut runs = 0;
        let small = shrink(&formula(), |cnf| {
            runs += 1;
            (runs <= 5).then(|| has(cnf, 7))
        });
        assert_eq!(runs, 6);
        assert!(has(&small, 7) && small.num_clauses() < 40);
    }
}
