//! Random traces.

use super::trace::{Call, Trace};
use putnam_cdcl::Options;
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

/// Intervals beside those whose names end in `int`. They are set low, so that a few hundred conflicts see everything.
const INTERVALS: &[&str] = &["modeinit", "reluctant", "emaslow", "chronolevels"];

/// Options that can be 0 and have no higher values than this switch a technique, or a part of it, on.
const SWITCHES: i64 = 1000;

/// Ends of options that limit what a technique may do at all; forced traces leave them as they are.
const SHARES: &[&str] = &["min"];

/// The highest value of options that limit a proof, in thousands of clauses: every step is checked by the plain oracle.
const LONGEST_PROOF: i64 = 10;

/// Options that forced traces keep low.
const SMALL: &[&str] = &["factorsave", "sweepvars", "sweepclauses", "sweepconflicts"];

/// Switches that are no techniques: their values are left to chance in forced traces too.
const NO_TECHNIQUES: &[&str] = &["phase", "proofkeep"];

/// Counters that every technique has moved after a few forced traces.
pub(crate) const COUNTERS: &[&str] = &[
    "chronological backtrackings",
    "conflicts of one literal",
    "random bursts",
    "restarts",
    "mode switches",
    "rephasings",
    "local searches",
    "local searches before the search",
    "warm-ups",
    "forgotten clauses",
    "eagerly subsumed clauses",
    "literals removed by binary clauses",
    "shrunken literals",
    "reason side bumped variables",
    "eliminated variables",
    "AND gates",
    "XOR gates",
    "variables added by factoring",
    "subsumed clauses",
    "strengthened clauses",
    "substituted variables",
    "congruent outputs",
    "exclusive ors",
    "pigeonhole rounds",
    "definitions",
    "units from the backbone",
    "hyper-binary resolvents",
    "covered clauses",
    "blocked clauses",
    "failed literals",
    "swept equivalences",
    "ternary resolvents",
    "transitive binary clauses",
    "clauses strengthened by vivification",
    "literals removed by instantiation",
    "restored clauses",
    "lucky assignments",
];

/// The trace of a seed; a forced one has every technique on, at tiny intervals and with much effort.
pub(crate) fn trace(seed: u64, forced: bool) -> Trace {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut calls = options(&mut random, forced);
    // Half of the cases have few variables and an oracle, the others enough for a real search.
    // With everything on it takes more of them.
    let many = if forced { 60..=200 } else { 30..=110 };
    let few = if forced { 0.2 } else { 0.5 };
    let range = if random.random_bool(few) { 1..=12 } else { many };
    let num_vars: i32 = random.random_range(range);
    let spread = if random.random_bool(0.1) { 100_003 } else { 1 };
    let rounds = random.random_range(1..=6);
    let per_var = random.random_range(if forced { 3.6..4.5 } else { 3.2..4.8 }) / f64::from(rounds);
    // All clauses of the first search have three literals.
    let uniform = num_vars >= 3 && random.random_bool(0.1);
    for round in 0..rounds {
        if random.random_bool(0.2) {
            calls.push(Call::Declare(random.random_range(0..150)));
        }
        if random.random_bool(0.15) {
            calls.push(Call::Limit(random.random_range(-1..40)));
        }
        let times = if uniform && round == 0 { rounds } else { 1 };
        let count = (f64::from(num_vars * times) * per_var).ceil() as usize;
        for _ in 0..count {
            // Hardly an empty clause or a unit: in hundreds of clauses one of them would come, and nothing would be left to do.
            let size = match random.random_range(0..4000) {
                _ if uniform && round == 0 => 3,
                0 => 0,
                1..=20 => 1,
                21..=400 => 2,
                401..=700 => random.random_range(4..=9),
                _ => 3,
            };
            let mut clause: Vec<i32> = Vec::new();
            while clause.len() < size {
                let literal = literal(&mut random, num_vars, spread);
                if !(uniform && round == 0 && clause.iter().any(|other| other.abs() == literal.abs())) {
                    clause.push(literal);
                }
            }
            calls.push(Call::Clause(clause));
        }
        if uniform && round == 0 {
            calls.push(Call::Solve(Vec::new()));
            continue;
        }
        if random.random_bool(0.15) {
            let count = if random.random_bool(0.5) { 1 } else { random.random_range(1..=num_vars) };
            (0..count).for_each(|_| parity(&mut random, &mut calls, num_vars, spread));
        }
        if random.random_bool(0.05) {
            pigeons(&mut random, &mut calls, num_vars, spread);
        }
        if random.random_bool(0.3) {
            (0..num_vars / 4).for_each(|_| definition(&mut random, &mut calls, num_vars, spread));
        }
        if random.random_bool(0.3) {
            product(&mut random, &mut calls, num_vars, spread);
        }
        for _ in 0..random.random_range(1..=3) {
            solve(&mut random, &mut calls, num_vars, spread);
        }
    }
    Trace(calls)
}

fn literal(random: &mut ChaCha8Rng, num_vars: i32, spread: i32) -> i32 {
    let number = random.random_range(1..=num_vars) * spread;
    if random.random_bool(0.5) { number } else { -number }
}

fn options(random: &mut ChaCha8Rng, forced: bool) -> Vec<Call> {
    let mut calls = Vec::new();
    // Some traces have everything at every opportunity: what is rare otherwise gets in the way of everything else.
    let always = forced || random.random_bool(0.25);
    for info in Options::TABLE {
        // Without it a proof serves one search only.
        if info.name == "proofkeep" {
            continue;
        }
        // Or hardly a round would come in so few conflicts.
        if ["roundscale", "roundpatience"].contains(&info.name) {
            let patience = i64::from(info.name == "roundpatience" && !forced && random.random_bool(0.3));
            calls.push(Call::Option(info.name.to_owned(), patience));
            continue;
        }
        if info.name.ends_with("proof") {
            calls.push(Call::Option(info.name.to_owned(), random.random_range(i64::from(forced)..=LONGEST_PROOF)));
            continue;
        }
        let interval = info.name.ends_with("int") || INTERVALS.contains(&info.name);
        let effort = info.name.ends_with("effort");
        if always && (interval || effort) && (forced || random.random_bool(0.9)) {
            let value = if interval { random.random_range(info.low..=info.low + 2) } else { info.high.min(10_000) };
            calls.push(Call::Option(info.name.to_owned(), value));
            continue;
        }
        let switch = info.low == 0 && info.high <= SWITCHES && !NO_TECHNIQUES.contains(&info.name);
        if forced && switch {
            let value = if info.default > 0 { info.default } else { random.random_range(1..=info.high) };
            calls.push(Call::Option(info.name.to_owned(), value));
            continue;
        }
        if forced && SHARES.iter().any(|end| info.name.ends_with(end)) {
            continue;
        }
        // With large neighbourhoods sweeping would leave nothing to the others, and small formulas have small products.
        if forced && SMALL.contains(&info.name) {
            calls.push(Call::Option(info.name.to_owned(), random.random_range(info.low..=info.low + 10)));
            continue;
        }
        if !random.random_bool(if interval { 0.7 } else { 0.15 }) {
            continue;
        }
        let high = if interval { info.low + 50 } else { info.high.min(info.low.saturating_add(2000)) };
        calls.push(Call::Option(info.name.to_owned(), random.random_range(info.low..=high)));
    }
    calls
}

/// The clauses of an exclusive or of a few literals.
fn parity(random: &mut ChaCha8Rng, calls: &mut Vec<Call>, num_vars: i32, spread: i32) {
    let size = if random.random_bool(0.2) { random.random_range(2..=6) } else { 3 };
    let lits: Vec<i32> = (0..size).map(|_| literal(random, num_vars, spread)).collect();
    for signs in (0..1u32 << size).filter(|signs| signs.count_ones() % 2 == 0) {
        let signed = |(i, &lit): (usize, &i32)| if signs >> i & 1 == 1 { -lit } else { lit };
        calls.push(Call::Clause(lits.iter().enumerate().map(signed).collect()));
    }
}

/// More or fewer pigeons than holes, each of which has most of the places; signs and variables at random.
fn pigeons(random: &mut ChaCha8Rng, calls: &mut Vec<Call>, num_vars: i32, spread: i32) {
    let holes = random.random_range(1..=4);
    let mut columns: Vec<Vec<i32>> = vec![Vec::new(); holes];
    for _ in 0..random.random_range(1..=holes + 2) {
        let mut places = Vec::new();
        for column in &mut columns {
            if random.random_bool(0.1) {
                continue;
            }
            let place = literal(random, num_vars, spread);
            places.push(place);
            column.push(place);
        }
        calls.push(Call::Clause(places));
    }
    for column in columns {
        for (index, &first) in column.iter().enumerate() {
            calls.extend(column[..index].iter().map(|&second| Call::Clause(vec![-first, -second])));
        }
    }
}

/// The clauses of an equivalence, an AND of a few inputs, or an if-then-else.
fn definition(random: &mut ChaCha8Rng, calls: &mut Vec<Call>, num_vars: i32, spread: i32) {
    let lits: Vec<i32> = (0..random.random_range(2..=5)).map(|_| literal(random, num_vars, spread)).collect();
    let (x, inputs) = (lits[0], &lits[1..]);
    let mut clauses: Vec<Vec<i32>> = Vec::new();
    if let [condition, yes, no] = *inputs {
        clauses.extend([vec![-x, -condition, yes], vec![-x, condition, no]]);
        clauses.extend([vec![x, -condition, -yes], vec![x, condition, -no]]);
    } else {
        clauses.extend(inputs.iter().map(|&input| vec![-x, input]));
        clauses.push(std::iter::once(x).chain(inputs.iter().map(|input| -input)).collect());
    }
    calls.extend(clauses.into_iter().map(Call::Clause));
}

/// Clauses of each of some literals with each of some rests, or at most one of some literals in pairs.
fn product(random: &mut ChaCha8Rng, calls: &mut Vec<Call>, num_vars: i32, spread: i32) {
    let count = random.random_range(3..=8);
    let mut lits = |count: usize| (0..count).map(|_| literal(random, num_vars, spread)).collect::<Vec<i32>>();
    let factors = lits(count);
    let rests: Vec<Vec<i32>> = if count % 2 == 0 {
        (3..8).map(|i| lits(1 + i % 2)).collect()
    } else {
        factors.iter().map(|&factor| vec![factor]).collect()
    };
    for (i, &factor) in factors.iter().enumerate() {
        let rests = if count % 2 == 0 { &rests[..] } else { &rests[i + 1..] };
        calls.extend(rests.iter().map(|rest| Call::Clause([&[factor], &rest[..]].concat())));
    }
}

fn solve(random: &mut ChaCha8Rng, calls: &mut Vec<Call>, num_vars: i32, spread: i32) {
    if random.random_bool(0.05) {
        calls.push(Call::Collect);
    }
    if random.random_bool(0.1) {
        enumerate(random, calls, num_vars, spread);
    }
    if random.random_bool(0.2) {
        calls.push(Call::Assume(literal(random, num_vars, spread)));
    }
    let count = match random.random_range(0..4) {
        0 => random.random_range(1..=3),
        1 => random.random_range(0..=num_vars.min(20)),
        _ => 0,
    };
    calls.push(Call::Solve((0..count).map(|_| literal(random, num_vars, spread)).collect()));
    if random.random_bool(0.2) {
        calls.push(calls.last().expect("just pushed").clone());
    }
}

/// An enumeration, sometimes of variables that no clause has.
fn enumerate(random: &mut ChaCha8Rng, calls: &mut Vec<Call>, num_vars: i32, spread: i32) {
    let most = num_vars.min(12);
    let projection = (0..random.random_range(0..=most))
        .map(|_| (random.random_range(1..=num_vars + 2) * spread).unsigned_abs())
        .collect();
    let count = if random.random_bool(0.5) { 0 } else { random.random_range(1..=4) };
    calls.push(Call::Enumerate(projection, (0..count).map(|_| literal(random, num_vars, spread)).collect()));
}
