//! The encodings of the peg game against each other and against a search that knows nothing of clauses.

use proptest::prelude::*;
use putnam_api::Problem as _;
use putnam_cdcl::Solver;
use putnam_dpll::Dpll;
use putnam_formula::{Engine, Limits, Outcome};
use putnam_peg::{Board, Clauses, Goal, Hole, Position, Problem, Search, Verdict, named, solve};
use std::sync::Arc;

const CLAUSES: [Clauses; 4] = [Clauses::Auto, Clauses::Assignment, Clauses::Sequential, Clauses::Parallel];

/// The classical procedure is asked on boards up to this size.
const DPLL_HOLES: usize = 6;

/// The clauses as one formula, and the plan decoded from its model and replayed.
fn in_one_formula(problem: &Problem, engine: &mut dyn Engine) -> bool {
    let encoding = problem.encode();
    engine.declare(encoding.cnf.num_vars());
    encoding.cnf.clauses().for_each(|clause| engine.add_clause(clause));
    match engine.solve(&[]) {
        Outcome::Satisfiable(model) => {
            assert_eq!(model.falsified(&encoding.cnf), None);
            problem.decode(&model).unwrap().verify().unwrap();
            true
        }
        Outcome::Unsatisfiable { .. } => false,
        Outcome::Unknown(reason) => panic!("{reason}"),
    }
}

/// Whether there is a plan, which every way to solve the problem must say.
fn agreed(problem: &Problem) -> bool {
    let mut search = Search::new(&problem.board, problem.goal.clone()).unwrap();
    let solvable = search.plan(&problem.start).is_some();
    assert_eq!(search.count(&problem.start).unwrap() > 0, solvable, "count and plan of {problem:?}");
    for clauses in CLAUSES {
        let problem = Problem { clauses, ..problem.clone() };
        let mut engines: Vec<Box<dyn Engine>> = vec![Box::new(Solver::new())];
        if problem.board.holes() <= DPLL_HOLES {
            engines.push(Box::new(Dpll::new()));
        }
        for mut engine in engines {
            let plan = match solve(&problem, &mut *engine, &Limits::default()).unwrap() {
                Verdict::Plan(plan) => {
                    putnam_api::Solution::verify(&plan).unwrap();
                    true
                }
                Verdict::NoPlan(_) => false,
                Verdict::Unknown(reason) => panic!("{reason}"),
            };
            assert_eq!(plan, solvable, "{clauses:?} by {} on {problem:?}", engine.name());
        }
        // As `peg encode` writes them; parallel steps at once, as many as can be needed.
        if matches!(clauses, Clauses::Sequential | Clauses::Parallel) {
            assert_eq!(in_one_formula(&problem, &mut Solver::new()), solvable, "{clauses:?} on {problem:?}");
        }
    }
    solvable
}

/// Boards of random triples with any start, and any goal.
fn problems() -> impl Strategy<Value = Problem> {
    let triple = |holes: Hole| {
        Just((1..=holes).collect::<Vec<_>>()).prop_shuffle().prop_map(|order| [order[0], order[1], order[2]])
    };
    let sized = move |holes: Hole| {
        let triples = prop::collection::vec(triple(holes), 1..=2 * holes);
        let pegs = || prop::collection::vec(any::<bool>(), holes);
        // Mostly one vacancy, as the game has it; otherwise anything.
        let start = prop_oneof![
            3 => (1..=holes).prop_map(move |hole| Position::vacancy(holes, hole)),
            1 => pegs().prop_map(|pegs| position(&pegs)),
        ];
        let goal = prop_oneof![
            3 => Just(Goal::OnePeg),
            3 => (1..=holes).prop_map(Goal::PegIn),
            1 => pegs().prop_map(|pegs| Goal::Pattern(position(&pegs))),
            1 => (0..=holes).prop_map(Goal::Pegs),
            1 => (0..=holes).prop_map(Goal::DeadEnd),
        ];
        // Patterns that a few random jumps reach: of random ones hardly any is.
        let walk = prop::option::weighted(0.2, prop::collection::vec(any::<prop::sample::Index>(), 0..holes));
        (triples, start, goal, walk, any::<bool>()).prop_map(move |(triples, start, goal, walk, optional)| {
            let board = Arc::new(Board::new("random", holes, &triples));
            let goal = walk.map_or(goal, |walk| Goal::Pattern(after(&board, &start, &walk)));
            Problem { goal, optional, ..Problem::new(board, start) }
        })
    };
    (3usize..=9).prop_flat_map(sized)
}

fn position(pegs: &[bool]) -> Position {
    let holes: Vec<Hole> = (1..=pegs.len()).filter(|&hole| pegs[hole - 1]).collect();
    Position::of(pegs.len(), &holes)
}

/// The position after jumps that are chosen by the indices, as long as there are any.
fn after(board: &Board, start: &Position, walk: &[prop::sample::Index]) -> Position {
    let mut position = start.clone();
    for choice in walk {
        let jumps: Vec<_> = board.jumps().into_iter().filter(|&jump| position.allows(jump)).collect();
        if jumps.is_empty() {
            break;
        }
        position.make(*choice.get(&jumps)).unwrap();
    }
    position
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn encodings_agree_on_random_boards(problem in problems()) {
        agreed(&problem);
    }
}

#[test]
fn encodings_agree_from_every_start_of_small_boards() {
    for (name, expected) in [
        ("fano", 5),
        ("triangle:3", 0),
        ("triangle:4", 6),
        ("triangle:5", 15),
        ("hexagon:2", 0),
        ("diamond:2", 0),
        ("diamond:3", 0),
        ("rectangle:1x4", 2),
        ("rectangle:1x6", 2),
        ("rectangle:2x4", 0),
        ("rectangle:3x3", 0),
        ("rectangle:3x3+diagonal", 0),
        ("rectangle:2x7", 0),
        ("rectangle:3x4", 8),
        ("rectangle:3x5", 2),
    ] {
        let board = Arc::new(named(name).unwrap().unwrap().board);
        let holes = board.holes();
        assert!(holes <= 15);
        let starts = (1..=holes).map(|start| Problem::new(Arc::clone(&board), Position::vacancy(holes, start)));
        assert_eq!(starts.filter(agreed).count(), expected, "{name}");
    }
}
