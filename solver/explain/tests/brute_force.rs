//! Subsets of random groups against enumeration.

use putnam_explain::{Cheapest, Groups, all_muses, mus, verify_mus};
use putnam_formula::{Lit, Var};
use rand::{Rng as _, SeedableRng as _, rngs::StdRng};

struct Case {
    groups: Groups,
    /// Bit s: whether subset s of the groups has a model.
    satisfiable: Vec<bool>,
    count: usize,
}

fn random_case(random: &mut StdRng) -> Case {
    let vars = random.random_range(2..5u32);
    let mut groups = Groups::new(vars);
    let clause = |random: &mut StdRng| -> Vec<Lit> {
        let length = random.random_range(1..3);
        (0..length).map(|_| Var::new(random.random_range(0..vars)).lit(random.random())).collect()
    };
    let hard: Vec<Vec<Lit>> = (0..random.random_range(0..2)).map(|_| clause(random)).collect();
    hard.iter().for_each(|c| groups.add_hard(c));
    let count = random.random_range(3..8usize);
    let all: Vec<Vec<Vec<Lit>>> =
        (0..count).map(|_| (0..random.random_range(1..3)).map(|_| clause(random)).collect()).collect();
    for group in &all {
        groups.add_group(group);
    }
    let holds = |m: u32, c: &Vec<Lit>| c.iter().any(|l| (m >> l.var().index() & 1 == 1) == l.is_positive());
    let satisfiable = |s: usize| {
        (0..1u32 << vars).any(|m| {
            hard.iter().all(|c| holds(m, c))
                && (0..count).filter(|g| s >> g & 1 == 1).all(|g| all[g].iter().all(|c| holds(m, c)))
        })
    };
    Case { satisfiable: (0..1 << count).map(satisfiable).collect(), groups, count }
}

fn mask(set: &[usize]) -> usize {
    set.iter().fold(0, |m, g| m | 1 << g)
}

impl Case {
    fn is_mus(&self, s: usize) -> bool {
        !self.satisfiable[s] && (0..self.count).filter(|g| s >> g & 1 == 1).all(|g| self.satisfiable[s & !(1 << g)])
    }
}

#[test]
fn minimal_subsets_are_minimal_and_complete() {
    let mut random = StdRng::seed_from_u64(11);
    let mut with_several = 0;
    for _ in 0..300 {
        let mut case = random_case(&mut random);
        let all: Vec<usize> = (0..case.count).collect();
        match mus(&mut case.groups, &all) {
            None => assert!(case.satisfiable[mask(&all)]),
            Some(found) => {
                assert!(case.is_mus(mask(&found)));
                assert!(verify_mus(&mut case.groups, &found));
            }
        }
        let (found, complete) = all_muses(&mut case.groups, usize::MAX);
        assert!(complete);
        let mut found: Vec<usize> = found.iter().map(|set| mask(set)).collect();
        found.sort_unstable();
        let expected: Vec<usize> = (0..1 << case.count).filter(|&s| case.is_mus(s)).collect();
        assert_eq!(found, expected);
        with_several += usize::from(expected.len() > 1);
        if expected.len() > 1 {
            assert_eq!(all_muses(&mut case.groups, 1).0.len(), 1);
            assert!(!all_muses(&mut case.groups, 1).1);
        }
    }
    assert!(with_several > 50);
}

#[test]
fn cheapest_subsets_are_cheapest() {
    let mut random = StdRng::seed_from_u64(12);
    let mut found_some = 0;
    for round in 0..1200 {
        let case = random_case(&mut random);
        let count = case.count;
        // Now and then some cost nothing, or all costs are either small or large.
        let cost = |random: &mut StdRng| match round % 3 {
            0 => random.random_range(1..20),
            1 => random.random_range(0..4),
            _ => [1, 2, 9, 16][random.random_range(0..4)],
        };
        let costs: Vec<u64> = (0..count).map(|_| cost(&mut random)).collect();
        let cheapest = Cheapest::new(case.groups, costs.clone());
        // Several questions about other choices, so that what is kept from the earlier ones is used.
        for _ in 0..4 {
            let one_of: Vec<usize> = if round % 2 == 0 { Vec::new() } else { vec![0, 2] };
            let choice: usize = random.random_range(0..1 << count) | random.random_range(0..1 << count);
            let among: Vec<usize> = (0..count).filter(|g| choice >> g & 1 == 1 && !one_of.contains(g)).collect();
            let cost = |s: usize| (0..count).filter(|g| s >> g & 1 == 1).map(|g| costs[g]).sum::<u64>();
            let legal = |s: usize| {
                s & !(mask(&among) | mask(&one_of)) == 0 && (one_of.is_empty() || (s & 0b101).count_ones() == 1)
            };
            let best = (0..1usize << count).filter(|&s| !case.satisfiable[s] && legal(s)).map(cost).min();
            let found = cheapest.find(&among, &one_of, u64::MAX);
            assert_eq!(found.as_ref().map(|f| f.1), best);
            if let Some((set, value)) = found {
                assert!(!case.satisfiable[mask(&set)] && legal(mask(&set)) && cost(mask(&set)) == value);
                assert_eq!(cheapest.find(&among, &one_of, value), None);
                found_some += 1;
            }
        }
    }
    assert!(found_some > 600, "{found_some}");
}

/// Many facts at small costs and some rules about them at large ones, as in puzzles: what is cheapest in rules need not be
/// cheapest on the whole.
#[test]
fn cheapest_subsets_of_facts_and_rules_are_cheapest() {
    let mut random = StdRng::seed_from_u64(13);
    let (mut found_some, mut traded) = (0, 0);
    for _ in 0..400 {
        let vars = 6u32;
        let mut groups = Groups::new(vars);
        let solution: Vec<bool> = (0..vars).map(|_| random.random()).collect();
        let fact = |v: usize| Var::new(v as u32).lit(solution[v]);
        let mut all: Vec<Vec<Vec<Lit>>> = (0..5).map(|v| vec![vec![fact(v)]]).collect();
        all.push(vec![vec![!fact(5)]]);
        for _ in 0..5 {
            // A clause that the solution satisfies.
            let mut clause = |_: u32| -> Vec<Lit> {
                let sure = random.random_range(0..vars as usize);
                let others = (0..random.random_range(0..5)).map(|_| random.random_range(0..vars as usize));
                let others: Vec<usize> = others.collect();
                [vec![fact(sure)], others.into_iter().map(|v| !fact(v)).collect()].concat()
            };
            all.push((0..2).map(&mut clause).collect());
        }
        all.iter().for_each(|clauses| {
            groups.add_group(clauses);
        });
        let costs: Vec<u64> = (0..all.len())
            .map(|g| if g < 5 { random.random_range(1..3) } else { random.random_range(8..12) })
            .collect();
        let costs: Vec<u64> = (0..all.len()).map(|g| if g == 5 { 0 } else { costs[g] }).collect();
        let holds = |m: u32, c: &Vec<Lit>| c.iter().any(|l| (m >> l.var().index() & 1 == 1) == l.is_positive());
        let clash = |s: usize| {
            (0..1u32 << vars).all(|m| !(0..all.len()).all(|g| s >> g & 1 == 0 || all[g].iter().all(|c| holds(m, c))))
        };
        let cost = |s: usize| (0..all.len()).filter(|g| s >> g & 1 == 1).map(|g| costs[g]).sum::<u64>();
        let rules = |s: usize| cost(s & !0b11_1111);
        let sets: Vec<usize> = (0..1usize << all.len()).filter(|&s| s >> 5 & 1 == 1 && clash(s)).collect();
        let best = sets.iter().map(|&s| cost(s)).min();
        let among: Vec<usize> = (0..all.len()).filter(|&g| g != 5).collect();
        let cheapest = Cheapest::new(groups, costs.clone());
        let found = cheapest.find(&among, &[5], u64::MAX);
        assert_eq!(found.as_ref().map(|f| f.1), best);
        if let Some((set, value)) = found {
            assert!(sets.contains(&mask(&set)) && cost(mask(&set)) == value);
            assert_eq!(cheapest.find(&among, &[5], value), None);
            found_some += 1;
            traded += usize::from(sets.iter().map(|&s| rules(s)).min() < Some(rules(mask(&set))));
        }
    }
    assert!(found_some > 200 && traded > 0, "{found_some} {traded}");
}
