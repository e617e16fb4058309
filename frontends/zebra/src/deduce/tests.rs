//! What each set of rules derives, row by row.

use super::*;
use crate::frontend::Zebra;
use crate::grid::Grid;
use putnam_formula::Var;

const BOTH: Edges = Edges { left: true, right: true };
const UNIT: Prover = Prover::Unit;
const FULL: Prover = Prover::Complete;

fn run(rules: &[u8], prover: Prover, extra: Extra, edges: Edges) -> Deduction {
    let uses = rules.iter().map(|&r| USES[r as usize - 1].1).collect();
    deduce(&Zebra::puzzle("zebra").unwrap(), &Method { uses, prover, extra, edges, cases: Cases::None }).unwrap()
}

/// Positive facts, units, whether it is known who drinks water, and who owns the zebra.
fn row(deduction: &Deduction) -> (usize, usize, bool, bool) {
    let puzzle = Zebra::puzzle("zebra").unwrap();
    let known =
        |name: &str, position: usize| deduction.positive.iter().any(|&(t, p)| puzzle.name(t) == name && p == position);
    let water = known("water", 0) && known("Norwegian", 0);
    let zebra = known("zebra", 4) && known("Japanese", 4);
    (deduction.positive.len(), deduction.units, water, zebra)
}

#[test]
fn what_each_rule_derives() {
    let none = Extra::default();
    let amo = Extra { exclude_in_house: true, exclude_of_property: true, ..none };
    let house = Extra { exclude_in_house: true, ..none };
    let alo = Extra { at_least_one: true, ..none };
    let all = Extra { at_least_one: true, ..amo };
    let exist = |extra: Extra| Extra { neighbours_exist: true, ..extra };
    type Row = (usize, usize, bool, bool);
    type Entry<'a> = (&'a [u8], &'a [Prover], Extra, Row, Row);
    type MakeRow = fn(usize, usize) -> Row;
    let (no, water): (MakeRow, MakeRow) = (|p, u| (p, u, false, false), |p, u| (p, u, true, false));
    let everything: Row = (25, 125, true, true);
    let rows: Vec<Entry> = vec![
        (&[1, 2], &[UNIT, FULL], none, no(2, 33), no(3, 42)),
        (&[1, 2, 3], &[UNIT, FULL], none, no(3, 41), no(3, 42)),
        (&[1, 2, 4], &[UNIT, FULL], none, no(2, 33), water(7, 69)),
        (&[1, 2, 3, 4], &[UNIT, FULL], none, water(7, 69), water(7, 69)),
        (&[1, 2, 3, 4, 5], &[UNIT, FULL], none, water(7, 69), water(7, 69)),
        (&[1, 2, 3, 4, 6], &[UNIT, FULL], none, water(7, 69), water(7, 69)),
        (&[1, 2, 3, 4, 5, 6], &[UNIT, FULL], none, water(7, 69), water(7, 69)),
        (&[1, 2, 3, 4], &[UNIT, FULL], amo, water(7, 69), water(7, 69)),
        (&[1, 2, 3, 4], &[UNIT, FULL], alo, water(7, 69), water(7, 69)),
        (&[1, 2, 3, 4, 6], &[FULL], amo, water(7, 73), water(7, 73)),
        (&[1, 2, 3, 4, 5], &[FULL], house, water(10, 87), water(10, 87)),
        (&[1, 2, 3, 4, 5], &[FULL], amo, everything, everything),
        (&[], &[UNIT], all, water(7, 69), water(7, 69)),
        (&[], &[FULL], all, everything, everything),
    ];
    for (rules, provers, extra, implied, existing) in rows {
        for &prover in provers {
            assert_eq!(row(&run(rules, prover, extra, BOTH)), implied, "{rules:?} {prover:?} {extra:?}");
            assert_eq!(row(&run(rules, prover, exist(extra), BOTH)), existing, "exist {rules:?} {prover:?} {extra:?}");
        }
    }
}

#[test]
fn rounds_and_calls() {
    let amo = Extra { exclude_in_house: true, exclude_of_property: true, ..Extra::default() };
    let found = run(&[1, 2, 3, 4, 5], FULL, amo, BOTH);
    assert_eq!((found.rounds, found.calls), (7, 390));
    let found = run(&[1, 2, 3, 4, 5], FULL, Extra { neighbours_exist: true, ..amo }, BOTH);
    assert_eq!((found.rounds, found.calls), (6, 340));
    let found = run(&[], FULL, Extra { at_least_one: true, ..amo }, BOTH);
    assert_eq!(found.calls, 125);
    assert!(found.trace.starts_with("ROUND 1\n  proved    }red(1)\n"), "{}", found.trace);
}

#[test]
fn the_edges_matter() {
    let puzzle = Zebra::puzzle("zebra").unwrap();
    let edges = |left, right| Edges { left, right };
    assert_eq!(count_grids(&puzzle, edges(false, false), 100), 7);
    assert_eq!(count_grids(&puzzle, edges(true, false), 100), 1);
    assert_eq!(count_grids(&puzzle, edges(false, true), 100), 1);
    // For the procedure it must be the left one: without it nothing comes beyond three positive facts.
    let positive = |e| run(&[1, 2, 3, 4], UNIT, Extra::default(), e).positive.len();
    assert_eq!((positive(edges(true, false)), positive(edges(false, true))), (7, 3));
}

/// The axioms of the document, with one level of cases over rules R1 to R4 and unit propagation.
fn with_cases(cases: Cases) -> (Deduction, Vec<String>) {
    let puzzle = Zebra::puzzle("axioms-corrected").unwrap();
    let uses = vec![Use::R1, Use::R2, Use::R3, Use::R4];
    let method = Method { uses, prover: UNIT, extra: Extra::default(), edges: BOTH, cases };
    let found = deduce(&puzzle, &method).unwrap();
    let name =
        |case: &Vec<Supposition>| case.iter().map(|&atom| atom_name(&puzzle, atom)).collect::<Vec<_>>().join(" | ");
    let cases = found.cases.iter().map(name).collect();
    (found, cases)
}

#[test]
fn one_level_of_cases_answers_everything() {
    let expected: [(Cases, &[&str]); 3] = [
        (Cases::Literals, &["eng(4)", "span(3)", "}ukr(2)", "jap(3)"]),
        (Cases::TwoWay, &["ukr(2) | jap(2)", "oldg(3) | parl(3)"]),
        (Cases::Splits, &["jap(2) | jap(3) | jap(4) | jap(5)"]),
    ];
    for (cases, names) in expected {
        let (found, found_cases) = with_cases(cases);
        assert_eq!((found.positive.len(), found.units), (25, 125), "{cases:?}");
        assert_eq!(found_cases, names, "{cases:?}");
    }
    let (found, _) = with_cases(Cases::None);
    assert_eq!((found.positive.len(), found.units), (7, 69));
}

/// Two splits of two and three cases do it too.
#[test]
fn two_splits_answer_everything() {
    let puzzle = Zebra::puzzle("axioms-corrected").unwrap();
    let uses = vec![Use::R1, Use::R2, Use::R3, Use::R4];
    let method = Method { uses, prover: UNIT, extra: Extra::default(), edges: BOTH, cases: Cases::None };
    let mut caller = Caller::new(&puzzle, &method);
    caller.run().unwrap();
    let decided = |caller: &Caller| caller.atoms.iter().filter(|atom| caller.known[atom.2.index()].is_some()).count();
    for (names, after) in [(&["ukr(2)", "jap(2)"][..], None), (&["eng(3)", "span(3)", "jap(3)"], Some(125))] {
        let var = |name: &&str| (0..125).find(|&i| caller.atom(i, true) == **name).map(|i| caller.atoms[i].2).unwrap();
        let open: Vec<Var> = names.iter().map(var).collect();
        let before = decided(&caller);
        let split = caller.outcome(&open).unwrap();
        assert_eq!(split.alternatives.len(), names.len());
        split.follows.iter().for_each(|&(var, value)| {
            caller.learn(var, value, "cases");
        });
        caller.run().unwrap();
        assert!(decided(&caller) > before && after.is_none_or(|all| decided(&caller) == all), "{names:?}");
    }
}

#[test]
fn the_axioms_as_printed_lack_the_ends() {
    let puzzle = Zebra::puzzle("axioms-as-printed").unwrap();
    assert_eq!(count_grids(&puzzle, BOTH, 100), 7);
    let names = |puzzle: &Puzzle, edges| -> Vec<String> {
        let missing = missing_edges(puzzle, edges).into_iter();
        missing.map(|m| atom_name(puzzle, (m.term, m.position, false))).collect()
    };
    assert_eq!(names(&puzzle, BOTH), ["}green(1)", "}ivory(5)"]);
    let corrected = Zebra::puzzle("axioms-corrected").unwrap();
    assert_eq!(count_grids(&corrected, BOTH, 100), 1);
    assert!(names(&corrected, BOTH).is_empty());
    // A clue in words has the ends unless they are left out.
    let classic = Zebra::puzzle("zebra").unwrap();
    assert!(names(&classic, BOTH).is_empty());
    assert_eq!(names(&classic, Edges { left: true, right: false }), ["}ivory(5)"]);
}

#[test]
fn axioms_may_contradict_each_other() {
    let method = Method { uses: vec![Use::R1], prover: UNIT, extra: Extra::default(), edges: BOTH, cases: Cases::None };
    let result = |text: &str| deduce(&crate::read_puzzle(text, "p").unwrap(), &method);
    assert_eq!(result("a: 1..3\nb: x, y, z\nclues:\nx = 1\nx = 2\n"), Err(NoDeduction::Contradiction));
    // Values that several have do not contradict each other, and of two clues one may lie.
    let repeated = result("a: 1..3\nb [repeated]: x, y, z\nclues:\nx = 1\nx = 2\n").unwrap();
    assert_eq!((repeated.positive.len(), repeated.units), (2, 2));
    assert!(result("a: 1..3\nb: x, y, z\nclues (exactly 1 false):\nx = 1\nx = 2\n").is_ok());
}

#[test]
fn the_uses_that_do_not_hold_for_a_category_are_not_made() {
    let uses: Vec<Use> = USES.iter().map(|(_, rule)| *rule).collect();
    let of = |kind: &str| {
        let text = format!("a: 1..3\nb [{kind}]: x, y, z, w\nclues:\n");
        exceptions(&crate::read_puzzle(&text, "p").unwrap(), &uses)
    };
    assert_eq!(of("spare"), [(1, vec![Use::R3, Use::R6])]);
    assert_eq!(of("repeated"), [(1, vec![Use::R1, Use::R3, Use::R6])]);
    assert_eq!(of("shared"), [(1, vec![Use::R2])]);
    assert!(exceptions(&Zebra::puzzle("zebra").unwrap(), &uses).is_empty());
}

/// For every kind of category, and with lies: what is deduced is so on all grids that the clues allow; and with everything that
/// the statement about houses says as clauses, whatever is so on all of them is deduced.
#[test]
fn what_is_deduced_is_so_on_all_grids() {
    use crate::testing::{all_grids, boards, clues_at_random};
    let mut random = rand::SeedableRng::seed_from_u64(5);
    let everything =
        Extra { exclude_in_house: true, exclude_of_property: true, at_least_one: true, neighbours_exist: true };
    let (mut decided, mut complete) = (0, 0);
    for board in boards() {
        let grids = all_grids(&board);
        for round in 0..16 {
            let mut puzzle = board.clone();
            (puzzle.clues, puzzle.lies) = (clues_at_random(&board, &mut random), usize::from(round % 4 == 3));
            // The grids are those of the board: its base must stay.
            puzzle.order_by = Some(board.base());
            let false_ones =
                |grid: &&Grid| puzzle.clues.iter().filter(|c| !c.formula.holds(&puzzle.categories, grid)).count();
            let allowed: Vec<&Grid> = grids.iter().filter(|grid| false_ones(grid) == puzzle.lies).collect();
            for (prover, extra, cases) in [
                (UNIT, Extra::default(), Cases::None),
                (UNIT, Extra { neighbours_exist: true, ..Extra::default() }, Cases::Splits),
                (FULL, Extra::default(), Cases::None),
                (FULL, everything, Cases::None),
            ] {
                let uses = USES.iter().map(|(_, rule)| *rule).collect();
                let method = Method { uses, prover, extra, edges: BOTH, cases };
                let mut caller = Caller::new(&puzzle, &method);
                let contradiction = caller.run().is_err() || caller.by_cases().is_err();
                let strongest = (prover, extra) == (FULL, everything);
                let text = || crate::write::write_puzzle(&puzzle, true);
                assert!(!contradiction || allowed.is_empty(), "{}", text());
                assert!(!strongest || contradiction == allowed.is_empty(), "{}", text());
                for &(term, position, var) in caller.atoms.iter().filter(|_| !allowed.is_empty()) {
                    let at = |grid: &&&Grid| grid.places(term) >> position & 1 == 1;
                    let count = allowed.iter().filter(at).count();
                    let so = if count == allowed.len() { Some(true) } else { Some(false).filter(|_| count == 0) };
                    let known = caller.known[var.index()];
                    assert!(known.is_none() || known == so, "{method:?} {term:?} {position}\n{}", text());
                    assert!(!strongest || known == so, "{term:?} {position}\n{}", text());
                    decided += usize::from(known.is_some());
                }
                complete += usize::from(strongest && !contradiction);
            }
        }
    }
    assert!(decided > 1000 && complete > 20, "{decided} {complete}");
}
