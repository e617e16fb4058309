//! Fewest moves, a move being one or more jumps in a row by one peg, against a breadth-first search over moves that tries
//! everything.

use crate::support::putnam;
use proptest::prelude::*;
use putnam_cdcl::Solver;
use putnam_formula::{Limits, StopReason};
use putnam_peg::{Board, Clauses, Goal, Hole, Jump, Measure, Position, Problem, Verdict, named, solve};
use std::collections::HashSet;
use std::sync::Arc;

/// All positions to which one move of the peg in `hole` leads, by every order of its jumps.
fn moves_of(jumps: &[Jump], position: &Position, hole: Hole, found: &mut HashSet<Position>) {
    for &jump in jumps.iter().filter(|jump| jump.from == hole && position.allows(**jump)) {
        let mut next = position.clone();
        next.make(jump).unwrap();
        moves_of(jumps, &next, jump.to, found);
        found.insert(next);
    }
}

/// The fewest moves, by breadth-first search without any pruning.
fn by_force(problem: &Problem) -> Option<usize> {
    let jumps = problem.board.jumps();
    let mut level = HashSet::from([problem.start.clone()]);
    let mut seen = level.clone();
    for moves in 0.. {
        if level.iter().any(|position| problem.goal.reached(&problem.board, position)) {
            return Some(moves);
        }
        let mut next = HashSet::new();
        for position in &level {
            position.pegs().for_each(|hole| moves_of(&jumps, position, hole, &mut next));
        }
        level = next.into_iter().filter(|position| seen.insert(position.clone())).collect();
        if level.is_empty() {
            return None;
        }
    }
    None
}

/// The fewest moves, and how many are proved to be needed: by positions, and with [`Clauses::Parallel`] by formulas.
fn fewest(problem: &Problem, clauses: Clauses) -> Option<(usize, usize)> {
    let problem = Problem { fewest: Some(Measure::Moves), clauses, ..problem.clone() };
    match solve(&problem, &mut Solver::new(), &Limits::default()).unwrap() {
        Verdict::Plan(plan) => {
            putnam_api::Solution::verify(&plan).unwrap();
            let optimum = plan.optimum.as_ref().unwrap();
            assert_eq!(optimum.count, plan.moves().len());
            Some((optimum.count, optimum.at_least))
        }
        Verdict::NoPlan(_) => None,
        Verdict::Unknown(reason) => panic!("{reason}"),
    }
}

fn agree(problem: &Problem) -> Option<usize> {
    let moves = by_force(problem);
    for clauses in [Clauses::Auto, Clauses::Parallel] {
        assert_eq!(fewest(problem, clauses), moves.map(|moves| (moves, moves)), "{clauses:?} {problem:?}");
    }
    moves
}

#[test]
fn every_start_and_finish_of_small_boards() {
    // The Fano plane is a board on which a peg can visit a hole that it could jump over in the same move.
    for name in ["triangle:4", "rectangle:3x4", "fano", "rectangle:3x3+diagonal", "rectangle:1x6"] {
        let board = Arc::new(named(name).unwrap().unwrap().board);
        let holes = board.holes();
        for start in 1..=holes {
            for finish in 0..=holes {
                let goal = if finish == 0 { Goal::OnePeg } else { Goal::PegIn(finish) };
                agree(&Problem { goal, ..Problem::new(Arc::clone(&board), Position::vacancy(holes, start)) });
            }
        }
    }
}

#[test]
fn long_moves_go_in_circles() {
    // One peg walks around, visits a hole twice and comes back.
    let board = Arc::new(named("rectangle:5x5").unwrap().unwrap().board);
    for pegs in
        [vec![1, 2, 4, 6, 8, 12, 14, 10, 16, 18, 20, 22], vec![13, 8, 12, 14, 18, 2, 6], vec![1, 2, 8, 12, 6, 24]]
    {
        for goal in [Goal::OnePeg, Goal::PegIn(1), Goal::PegIn(13), Goal::Pegs(2), Goal::DeadEnd(2)] {
            agree(&Problem { goal, ..Problem::new(Arc::clone(&board), Position::of(25, &pegs)) });
        }
    }
    let circle = Problem { goal: Goal::PegIn(1), ..Problem::new(board, Position::of(25, &[1, 2, 8, 12, 6])) };
    assert_eq!(agree(&circle), Some(1));
}

/// Three lines through one hole: their ends can be exchanged one by one, so two holes do not tell a symmetry.
#[test]
fn lines_that_can_be_turned_alone() {
    let board = Arc::new(named("hexagon:2").unwrap().unwrap().board);
    for pegs in 1u32..1 << 7 {
        let start: Vec<Hole> = (1..=7).filter(|hole| pegs >> (hole - 1) & 1 == 1).collect();
        agree(&Problem { goal: Goal::OnePeg, ..Problem::new(Arc::clone(&board), Position::of(7, &start)) });
    }
}

/// The best over all vacancies and finishes, as in the literature.
#[test]
fn triangles_of_side_4_to_6() {
    for (side, best) in [(4, 5), (5, 9), (6, 9)] {
        let board = Arc::new(named(&format!("triangle:{side}")).unwrap().unwrap().board);
        let holes = board.holes();
        let all: Vec<Hole> = (1..=holes).collect();
        let problem = Problem::new(Arc::clone(&board), Position::vacancy(holes, 1));
        let same = putnam_peg::same_starts(&problem, &all);
        let starts = all.iter().filter(|&&hole| same[hole - 1].0 == hole - 1);
        let solved = |&start: &Hole| {
            let problem = problem.with_vacancy(start);
            let moves = fewest(&problem, Clauses::Auto);
            assert_eq!(moves, fewest(&problem, Clauses::Parallel));
            moves
        };
        let moves: Vec<(usize, usize)> = starts.filter_map(solved).collect();
        assert!(moves.iter().all(|(count, at_least)| count == at_least), "{moves:?}");
        assert_eq!(moves.iter().min(), Some(&(best, best)), "side {side}: {moves:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..ProptestConfig::default() })]

    /// Any start and goal on pieces of square and triangular boards, and on boards of random triples.
    #[test]
    fn random_starts_and_goals(
        name in prop::sample::select(vec!["triangle:4", "triangle:5", "rectangle:4x4", "rectangle:3x5", "hexagon:2", "random"]),
        triples in prop::collection::vec(prop::sample::subsequence((1..=9).collect::<Vec<Hole>>(), 3).prop_shuffle(), 1..20),
        pegs in prop::collection::vec(any::<bool>(), 19),
        goal in prop::sample::select(vec![
            Goal::OnePeg, Goal::PegIn(1), Goal::PegIn(5), Goal::PegIn(6), Goal::Pegs(2), Goal::Pegs(3), Goal::DeadEnd(2), Goal::DeadEnd(3),
        ]),
    ) {
        let board = match name {
            "random" => Board::new("random", 9, &triples.iter().map(|t| [t[0], t[1], t[2]]).collect::<Vec<_>>()),
            name => named(name).unwrap().unwrap().board,
        };
        let start: Vec<Hole> = (1..=board.holes()).filter(|hole| pegs[hole - 1]).collect();
        let start = Position::of(board.holes(), &start);
        agree(&Problem { goal, ..Problem::new(Arc::new(board), start) });
    }
}

#[test]
fn moves_from_the_command_line() {
    let run =
        |more: &[&str]| putnam(&[&["peg", "solve", "triangle:4", "--start", "2", "--fewest", "moves"], more].concat());
    let text = run(&[]).expect(10).stdout;
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 6, "{text}");
    let holes = |line: &&str| line.split('-').count();
    assert_eq!(lines[..5].iter().map(holes).sum::<usize>(), 8 + 5, "{text}");
    assert!(lines[5].starts_with("5 moves; fewer do not do: "), "{text}");
    let json: serde_json::Value = serde_json::from_str(&run(&["--show", "json"]).expect(10).stdout).unwrap();
    let solution = &json["solution"];
    assert_eq!(solution["moves"].as_array().unwrap().len(), 5);
    assert_eq!((&solution["fewest"]["of"], &solution["fewest"]["at_least"]), (&"moves".into(), &5.into()));
    assert_eq!(run(&["--show", "jumps"]).expect(10).stdout.lines().count(), 8);
    putnam(&["peg", "solve", "triangle:4", "--start", "1", "--fewest", "moves"]).expect(20);
    putnam(&["peg", "encode", "triangle:4", "--fewest", "moves"]).expect(1);
}

#[test]
fn a_limit_leaves_what_is_known() {
    let board = named("english").unwrap().unwrap().board;
    let problem = Problem::new(Arc::new(board), Position::vacancy(33, 17));
    let (goal, clauses) = (Goal::PegIn(17), Clauses::Parallel);
    let problem = Problem { goal, fewest: Some(Measure::Moves), clauses, ..problem };
    let limits = Limits { conflicts: Some(50), ..Limits::default() };
    match solve(&problem, &mut Solver::new(), &limits).unwrap() {
        Verdict::Unknown(reason) => assert_eq!(reason, StopReason::Conflicts),
        Verdict::Plan(plan) => assert!(plan.optimum.unwrap().at_least >= 12),
        Verdict::NoPlan(_) => panic!("there is a plan"),
    }
}
