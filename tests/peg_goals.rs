//! Goals of the peg game besides one peg: patterns, fewest pegs, dead ends, fewest steps; and how they are written.

use crate::support::{Folder, putnam, putnam_with};
use proptest::prelude::*;
use putnam_cdcl::Solver;
use putnam_formula::Limits;
use putnam_peg::{Board, Goal, Hole, Measure, Plan, Position, Problem, Search, Verdict, named, solve};
use std::sync::Arc;

fn plan(problem: &Problem) -> Option<Plan> {
    match solve(problem, &mut Solver::new(), &Limits::default()).unwrap() {
        Verdict::Plan(plan) => {
            putnam_api::Solution::verify(&plan).unwrap();
            Some(plan)
        }
        Verdict::NoPlan(_) => None,
        Verdict::Unknown(reason) => panic!("{reason}"),
    }
}

/// The first number of pegs for which the search finds a plan.
fn first(problem: &Problem, pegs: impl Iterator<Item = usize>, goal: fn(usize) -> Goal) -> usize {
    let mut pegs = pegs;
    let reached = |pegs: &usize| Search::new(&problem.board, goal(*pegs)).unwrap().plan(&problem.start).is_some();
    pegs.find(reached).unwrap()
}

fn best_ends_are_those_of_the_search(problem: &Problem) -> (usize, usize) {
    let all = problem.start.count();
    let fewest = plan(&Problem { goal: Goal::FewestPegs, ..problem.clone() }).unwrap();
    let left = first(problem, 0..=all, Goal::Pegs);
    assert_eq!(fewest.goal, Goal::Pegs(left), "{problem:?}");
    assert!(fewest.optimum.unwrap().is_proved());
    let dead_end = plan(&Problem { goal: Goal::ShortestDeadEnd, ..problem.clone() }).unwrap();
    let stuck = first(problem, (0..=all).rev(), Goal::DeadEnd);
    assert_eq!(dead_end.goal, Goal::DeadEnd(stuck), "{problem:?}");
    assert_eq!(dead_end.optimum.unwrap().count, all - stuck);
    (left, all - stuck)
}

#[test]
fn fewest_pegs_and_shortest_dead_ends_of_small_boards() {
    for name in ["triangle:4", "triangle:5", "rectangle:3x3", "rectangle:3x4", "rectangle:1x7", "fano"] {
        let board = Arc::new(named(name).unwrap().unwrap().board);
        let holes = board.holes();
        let best = |start| {
            best_ends_are_those_of_the_search(&Problem::new(Arc::clone(&board), Position::vacancy(holes, start)))
        };
        let all: Vec<(usize, usize)> = (1..=holes).map(best).collect();
        if name == "triangle:4" {
            assert_eq!(all[0], (3, 6));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn fewest_pegs_and_shortest_dead_ends_of_random_boards(
        holes in 3usize..=8,
        seed in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>(), any::<prop::sample::Index>()), 1..12),
        pegs in prop::collection::vec(any::<bool>(), 8),
    ) {
        let triple = |(a, b, c): &(prop::sample::Index, prop::sample::Index, prop::sample::Index)| {
            let triple = [a.index(holes) + 1, b.index(holes) + 1, c.index(holes) + 1];
            (triple[0] != triple[1] && triple[1] != triple[2] && triple[0] != triple[2]).then_some(triple)
        };
        let triples: Vec<[Hole; 3]> = seed.iter().filter_map(triple).collect();
        let start: Vec<Hole> = (1..=holes).filter(|&hole| pegs[hole - 1]).collect();
        let board = Arc::new(Board::new("random", holes, &triples));
        best_ends_are_those_of_the_search(&Problem::new(board, Position::of(holes, &start)));
    }
}

/// The fewest steps, found by trying all sets of jumps that share no hole, breadth first.
fn steps_by_force(problem: &Problem) -> Option<usize> {
    let jumps = problem.board.jumps();
    let mut level = std::collections::HashSet::from([problem.start.clone()]);
    for steps in 0.. {
        if level.iter().any(|position| problem.goal.reached(&problem.board, position)) {
            return Some(steps);
        }
        let mut next = std::collections::HashSet::new();
        for position in &level {
            let possible: Vec<_> = jumps.iter().copied().filter(|&jump| position.allows(jump)).collect();
            let mut sets = vec![(0, Vec::new())];
            while let Some((from, set)) = sets.pop() {
                for (index, &jump) in possible.iter().enumerate().skip(from) {
                    if !set.iter().any(|other: &putnam_peg::Jump| other.touches(jump)) {
                        let mut more = set.clone();
                        more.push(jump);
                        let mut after = position.clone();
                        more.iter().for_each(|&jump| after.make(jump).unwrap());
                        next.insert(after);
                        sets.push((index + 1, more));
                    }
                }
            }
        }
        if next.is_empty() {
            return None;
        }
        level = next;
    }
    None
}

#[test]
fn fewest_steps_are_those_of_a_search_by_force() {
    for (name, goals) in [("triangle:4", 10), ("rectangle:3x4", 12), ("fano", 7)] {
        let board = Arc::new(named(name).unwrap().unwrap().board);
        let holes = board.holes();
        for start in 1..=holes {
            for goal in (0..=goals).map(|hole| if hole == 0 { Goal::OnePeg } else { Goal::PegIn(hole) }) {
                let start = Position::vacancy(holes, start);
                let problem = Problem { goal, fewest: Some(Measure::Steps), ..Problem::new(Arc::clone(&board), start) };
                let found = plan(&problem).map(|plan| (plan.steps().len(), plan.optimum.unwrap().at_least));
                assert_eq!(found, steps_by_force(&problem).map(|steps| (steps, steps)), "{name} {problem:?}");
            }
        }
    }
}

#[test]
fn starts_and_goals_from_the_command_line() {
    let folder = Folder::new();
    // A pattern and back: the reverse of a plan from pegs to holes.
    folder.write("end", "   .\n  o .\n . o .\n. . . .\n");
    let by_file = putnam(&["peg", "solve", "triangle:4", "--start", "2", "--finish", &folder.arg("end")]);
    let by_list = putnam(&["peg", "solve", "triangle:4", "--start", "2", "--finish", "2,5"]);
    assert_eq!((by_file.code, &by_file.stdout), (by_list.code, &by_list.stdout));
    folder.write("start", "   o\n  . o\n o o o\no o o o\n");
    let by_map = putnam(&["peg", "solve", "triangle:4", "--start", &folder.arg("start"), "--finish", "pegs:2,5"]);
    assert_eq!((by_map.code, &by_map.stdout), (by_list.code, &by_list.stdout));
    let count = |start: &str, finish: &str| {
        putnam(&["peg", "count", "triangle-10", "--start", start, "--finish", finish]).expect(0).stdout
    };
    assert_eq!(count("2", "any"), "14\n");
    assert_eq!(count("empty:2", "count:1"), "14\n");
    assert_ne!(count("2,3", "count:1"), count("2", "count:1"));
    putnam(&["peg", "count", "triangle-10", "--finish", "fewest"]).expect(1);
    let fewest = putnam(&["peg", "solve", "triangle-10", "--start", "1", "--finish", "fewest"]).expect(10).stdout;
    let last = fewest.lines().last().unwrap();
    assert!(last.starts_with("3 pegs; fewer do not do: 1 peg cannot be left, for every jump keeps "), "{fewest}");
    assert_eq!(fewest.lines().count(), 6 + 1);
    let dead_end = putnam(&["peg", "solve", "english", "--finish", "dead-end", "--show", "json"]).expect(10).stdout;
    let value: serde_json::Value = serde_json::from_str(&dead_end).unwrap();
    assert_eq!(
        (&value["solution"]["fewest"]["count"], &value["solution"]["fewest"]["proved"]),
        (&6.into(), &true.into())
    );
    let steps = putnam(&["peg", "solve", "triangle-15", "--fewest", "steps"]).expect(10).stdout;
    let (last, lines) = (steps.lines().last().unwrap(), steps.lines().count() - 1);
    let formula =
        format!("{lines} steps; fewer do not do: the formula of all plans of up to {} steps has no model", lines - 1);
    assert_eq!(last, formula);
    for (option, word) in [("--start", "NOSUCH"), ("--start", "16"), ("--finish", "NOSUCH"), ("--finish", "count:99")] {
        let refused = putnam(&["peg", "solve", "triangle-15", option, word]).expect(1).stderr;
        assert!(refused.contains(&format!("{option} {word}: ")), "{refused}");
    }
    for word in ["NOSUCH", "16", "3-1", ""] {
        let refused = putnam(&["peg", "batch", "triangle-15", "--starts", word]).expect(1).stderr;
        assert!(refused.contains(&format!("--starts {word}: ")), "{refused}");
    }
    putnam(&["peg", "encode", "triangle-10", "--finish", "fewest"]).expect(1);
    putnam(&["peg", "solve", "triangle-10", "--finish", "fewest", "--fewest", "steps"]).expect(1);
    let clauses = putnam(&["peg", "encode", "triangle-10", "--finish", "dead-end:3"]).expect(0).stdout;
    let answer = putnam_with(&["solve", "-"], &clauses).expect(10).stdout;
    assert_eq!(putnam_with(&["peg", "decode"], &answer).expect(10).stdout.lines().count(), 6);
}

#[test]
fn certificates_of_other_goals() {
    let folder = Folder::new();
    let path = folder.arg("certificate");
    for (finish, code, words) in [
        ("count:1", 20, "no plan: every jump keeps "),
        ("fewest", 10, "3 pegs in any holes: a plan of 6 jumps"),
        ("dead-end", 10, "3 pegs of which none can jump: a plan of 6 jumps"),
        ("dead-end:3", 10, "3 pegs of which none can jump: a plan of 6 jumps"),
    ] {
        putnam(&["peg", "solve", "triangle-10", "--finish", finish, "--certificate", &path]).expect(code);
        let verified = putnam(&["peg", "verify", "triangle-10", &path]).expect(0).stdout;
        assert!(verified.contains(words), "{verified}");
    }
}
