//! Inprocessing: one technique a file, and here the schedule that ties them together.
//!
//! Two kinds of rounds come at intervals of conflicts that grow with the number of rounds: probing rounds look for
//! implications, elimination rounds remove clauses and variables. The first ones wait until the search has done some
//! work for each clause, as formulas with many clauses are often decided with less than a round takes; only before a
//! local search there is a probing round at once. A round is a list of techniques, each a name, a guard and an action;
//! a guard has no effect.
//!
//! # Contract of a technique
//! It is called and it returns at the root level, with all clauses watched and every unit propagated and in the proof
//! ([`Solver::settle`] does the latter; when it is called, no clause has a literal with a value), or with
//! `inconsistent` set and the empty clause in the proof. It may leave garbage clauses; the round collects them at its
//! end. Its effort is counted in ticks of its own and bounded by its [`Turn`]. It takes no action on variables that are
//! not active.

mod backbone;
mod backward;
mod block;
pub(crate) mod congruence;
mod cover;
mod define;
mod dense;
pub(crate) mod derive;
mod eliminate;
mod factor;
mod gates;
mod hyper;
mod occurrences;
pub(crate) mod parity;
pub(crate) mod pigeonhole;
pub(crate) mod probe;
mod small;
pub(crate) mod substitute;
mod subsume;
pub(crate) mod sweep;
pub(crate) mod ternary;
pub(crate) mod transitive;
pub(crate) mod turn;
pub(crate) mod vivify;

use crate::Solver;
use crate::data::arena::ClauseRef;
use crate::report::Event;
use crate::search::propagate::Search;
use putnam_formula::{Scratch, Var};
use turn::Turn;

/// A name for the profile, the guard and the action.
type Technique = (&'static str, fn(&Solver) -> bool, fn(&mut Solver));

/// Techniques of a probing round, in their order.
const PROBING: &[Technique] = &[
    ("pigeonholes", Solver::counting_pigeons, Solver::count_pigeons),
    ("substitution", Solver::substituting, Solver::substitute),
    ("congruence closure", Solver::closing_congruence, Solver::close_congruence),
    ("parity", Solver::reasoning_by_parity, Solver::reason_by_parity),
    ("backbone", Solver::finding_backbone, Solver::find_backbone),
    ("probing", Solver::probing_literals, Solver::probe_literals),
    ("ternary resolution", Solver::resolving_ternary, Solver::resolve_ternary),
    ("vivification", Solver::vivifying, Solver::vivify),
    ("sweeping", Solver::sweeping, Solver::sweep),
    ("transitive reduction", Solver::reducing_transitively, Solver::reduce_transitively),
];
/// Techniques of an elimination round, in their order.
const ELIMINATION: &[Technique] = &[
    ("subsumption", Solver::subsuming, Solver::subsume),
    ("factoring", Solver::factoring, Solver::factor),
    ("elimination", Solver::eliminating_variables, Solver::eliminate),
    ("covered clauses", Solver::covering, Solver::eliminate_covered),
    ("blocked clauses", Solver::blocking, Solver::eliminate_blocked),
];

/// The ticks that a round without a search may refer to.
const ROUND_CREDIT: u64 = 20_000_000;

/// When rounds are due, and what the techniques keep between rounds.
#[derive(Default)]
pub(crate) struct Schedule {
    /// Search ticks before the first round: what a search decides with less needs none.
    patience: u64,
    probing_limit: u64,
    elimination_limit: u64,
    /// Ticks of a search that did not happen, for rounds without one.
    credit: u64,
    /// It goes over the literals.
    pub(crate) backbone: Turn,
    pub(crate) block: Turn,
    /// By literal: its clauses may be blocked, since one that would have to be resolved with went.
    pub(crate) unblocked: Vec<bool>,
    pub(crate) congruence: Turn,
    /// It goes over the clauses.
    pub(crate) cover: Turn,
    pub(crate) elimination: Turn,
    /// How many resolvents more than clauses elimination may leave.
    pub(crate) elimination_bound: u64,
    pub(crate) factor: Turn,
    /// By literal: it came into a clause of the formula since factoring tried it.
    pub(crate) unfactored: Vec<bool>,
    pub(crate) gauss: Turn,
    /// The hyper-binary resolvents of the last round of probing.
    pub(crate) hyper_binaries: Vec<[putnam_formula::Lit; 2]>,
    pub(crate) parity: Turn,
    /// Most clauses are exclusive ors.
    pub(crate) parity_prevails: bool,
    /// Variables up to this number were used in proofs alone.
    pub(crate) parity_fresh: u32,
    pub(crate) pigeonhole: Turn,
    pub(crate) probe: Turn,
    /// By literal: the number of units at its last probe, plus one.
    pub(crate) probed: Vec<u32>,
    pub(crate) subsumption: Turn,
    pub(crate) sweep: Turn,
    /// By variable: it was swept since all were.
    pub(crate) swept: Vec<bool>,
    /// How often the environments of sweeping grew.
    pub(crate) sweep_enlarged: u32,
    /// It goes over the variables.
    pub(crate) ternary: Turn,
    /// It goes over the literals.
    pub(crate) transitive: Turn,
    pub(crate) vivify: Turn,
    /// By variable: an irredundant clause of it was removed or shortened since elimination tried it.
    pub(crate) touched: Vec<bool>,
    /// By variable: it came into a clause since subsumption looked at all.
    pub(crate) added: Scratch<bool>,
}

impl Schedule {
    /// Makes room for another variable.
    pub(crate) fn grow(&mut self) {
        self.touched.push(true);
        self.added.push(true);
        self.swept.push(false);
        self.unblocked.extend_from_slice(&[true; 2]);
        self.unfactored.extend_from_slice(&[true; 2]);
    }
}

/// Rounds come after `base` times `n log n` conflicts.
fn interval(base: i64, rounds: u64) -> f64 {
    let n = (rounds + 1) as f64;
    base as f64 * n * (n + 9.0).log10()
}

/// The factor by which rounds are rarer, lowest, 25, at a hundred thousand clauses: with few clauses a round has little
/// to find, with many it costs much. Such rare rounds keep the bound of elimination low until a search is a long one;
/// measured in `bench/README.md`. The shape is Kissat's.
fn rarity(clauses: u64) -> f64 {
    let magnitude = ((clauses + 1) as f64).log10() - 5.0;
    4.5 * magnitude * magnitude + 25.0
}

impl Solver {
    /// Sets the limits for the first rounds.
    pub(crate) fn schedule_inprocessing(&mut self) {
        if self.statistics.probing_rounds + self.statistics.elimination_rounds == 0 {
            let first = |init: i64, interval: i64| init.min(interval) as u64;
            self.schedule.probing_limit = first(self.options.probeinit, self.options.probeint);
            self.schedule.elimination_limit = first(self.options.eliminateinit, self.options.eliminateint);
            self.schedule.patience = self.num_irredundant * self.options.roundpatience as u64;
        }
    }

    /// Whether a round is due.
    pub(crate) fn inprocessing(&self) -> bool {
        self.options.inprocess != 0
            && (self.probing() || self.eliminating())
            && self.statistics.ticks >= self.schedule.patience
            && self.arena.is_roomy()
    }

    fn probing(&self) -> bool {
        self.options.probing != 0 && self.statistics.conflicts >= self.schedule.probing_limit
    }

    fn eliminating(&self) -> bool {
        self.options.elimination != 0 && self.statistics.conflicts >= self.schedule.elimination_limit
    }

    /// Runs the rounds that are due.
    pub(crate) fn inprocess(&mut self) {
        self.backtrack(0);
        if self.probing() {
            self.run_probing();
        }
        if !self.inconsistent && self.eliminating() {
            self.run_round(ELIMINATION);
            self.statistics.elimination_rounds += 1;
            let wait = self.wait(self.options.eliminateint, self.statistics.elimination_rounds);
            self.schedule.elimination_limit = self.statistics.conflicts + wait;
            self.report(Event::Elimination);
        }
        self.end_rounds();
    }

    /// Runs a probing round before the search, if such rounds are wanted; answers whether the clauses are not refuted.
    pub(crate) fn probe_first(&mut self) -> bool {
        if self.options.inprocess != 0 && self.options.probing != 0 && self.arena.is_roomy() {
            self.run_probing();
            self.end_rounds();
        }
        !self.inconsistent
    }

    fn end_rounds(&mut self) {
        if !self.inconsistent {
            self.timed("matrices", Self::make_matrices);
        }
        self.queue.reset_search();
    }

    fn run_probing(&mut self) {
        self.run_round(PROBING);
        self.statistics.probing_rounds += 1;
        let wait = self.wait(self.options.probeint, self.statistics.probing_rounds);
        self.schedule.probing_limit = self.statistics.conflicts + wait;
        self.report(Event::Probing);
    }

    fn wait(&self, base: i64, rounds: u64) -> u64 {
        let factor = if self.options.roundscale != 0 { rarity(self.num_irredundant) } else { 1.0 };
        (interval(base, rounds) * factor) as u64
    }

    /// The effort of the search, to which that of techniques is relative.
    pub(crate) fn search_effort(&self) -> u64 {
        self.statistics.ticks + self.schedule.credit
    }

    /// Runs a round of each kind, whether it is due or not, as if a search had gone before.
    pub(crate) fn run_all_rounds(&mut self) {
        self.schedule.credit += ROUND_CREDIT;
        for (wanted, techniques) in [(self.options.probing, PROBING), (self.options.elimination, ELIMINATION)] {
            if wanted != 0 && !self.inconsistent && self.arena.is_roomy() {
                self.run_round(techniques);
            }
        }
    }

    fn run_round(&mut self, techniques: &[Technique]) {
        self.drop_matrices();
        if techniques.is_empty() || !self.settle() {
            return;
        }
        for &(name, guard, action) in techniques {
            if !guard(self) {
                continue;
            }
            if self.cleaned_units < self.recorded_units {
                self.tidy();
            }
            self.timed(name, action);
            if !self.settle() {
                return;
            }
            if self.stopping_now().is_some() || !self.arena.is_roomy() {
                break;
            }
        }
        self.tidy();
    }

    /// Propagates at the root; on a conflict the clauses are refuted. Answers whether they are not.
    pub(crate) fn settle(&mut self) -> bool {
        debug_assert_eq!(self.trail.level(), 0);
        if !self.inconsistent && self.propagate(&Search).is_some() {
            self.inconsistent = true;
            self.proof.add(&self.map, &[]);
        }
        !self.inconsistent
    }

    /// Removes what units satisfy or shorten, and the garbage.
    pub(crate) fn tidy(&mut self) {
        self.mark_satisfied();
        self.collect();
    }

    /// Notes that a clause of the variable was removed or shortened.
    #[inline]
    pub(crate) fn touch(&mut self, var: Var) {
        self.schedule.touched[var.index()] = true;
        [var.positive(), var.negative()].iter().for_each(|lit| self.schedule.unblocked[lit.code()] = true);
    }

    /// Notes that an irredundant clause is removed.
    pub(crate) fn touch_removed(&mut self, clause: ClauseRef) {
        for lit in self.arena.lits(clause) {
            self.schedule.touched[lit.var().index()] = true;
            self.schedule.unblocked[(!*lit).code()] = true;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_grow() {
        let waits: Vec<f64> = (0..5).map(|rounds| interval(100, rounds)).collect();
        assert_eq!(waits[0], 100.0);
        assert!(waits.windows(2).all(|pair| pair[0] < pair[1]));
        assert_eq!(rarity(99_999), 25.0);
        assert!(rarity(300) > 25.0 && rarity(10_000_000) > 25.0);
    }

    /// Rounds wait for a search that is long enough, and then come.
    #[test]
    fn the_first_round_waits_for_a_search_of_some_length() {
        use crate::data::random::Random;
        use crate::testing::{Checked, random_clause};
        let rounds = |patience| {
            let mut random = Random::new(1);
            let mut checked =
                Checked::new(&[("roundpatience", patience), ("probeint", 1), ("eliminateint", 1), ("walk", 0)]);
            checked.add((0..430).map(|_| random_clause(&mut random, 100, 3)));
            checked.solve(&[]);
            let rounds = checked.count("probing rounds") + checked.count("elimination rounds");
            (rounds, checked.solver.statistics.ticks)
        };
        let (_, ticks) = rounds(1_000_000);
        let patience = ticks as i64 / 430;
        assert_eq!(rounds(patience + 1).0, 0);
        let [soon, late] = [0, patience / 2].map(|patience| rounds(patience).0);
        assert!(soon > late && late > 0, "{soon} {late}");
    }

    /// What finds nothing leaves the search as it was: the same conflicts and decisions as without it.
    #[test]
    fn what_finds_nothing_changes_nothing() {
        use crate::data::random::Random;
        use crate::testing::{Checked, random_clause, random_formula};
        const RARE: &[&str] = &["units found by inprocessing", "duplicate binary clauses"];
        let techniques: [(&str, &str, &[&str]); 5] = [
            (
                "parity",
                "parity rounds",
                &["units from parity", "equivalences from parity", "solutions of exclusive ors"],
            ),
            ("pigeonhole", "pigeonhole rounds", &["pigeonhole contradictions"]),
            ("congruence", "congruence closures", &["congruent outputs", "units from congruence"]),
            ("sweep", "swept variables", &["swept equivalences", "units from sweeping", "refutations by sweeping"]),
            ("backbone", "backbone passes", &["units from the backbone"]),
        ];
        let others =
            ["substitute", "vivify", "probe", "transitive", "elimination", "gauss", "lucky"].map(|name| (name, 0));
        let mut compared = [0; 5];
        for round in 0..40 {
            let mut random = Random::new(round);
            // Some with gates and binary clauses, some without.
            let formula = match round % 2 {
                0 => random_formula(&mut random, 60),
                _ => (0..250).map(|_| random_clause(&mut random, 60, 3)).collect(),
            };
            let run = |on: Option<&str>| {
                let switches = techniques.map(|technique| (technique.0, i64::from(on == Some(technique.0))));
                let mut checked =
                    Checked::new(&[&others[..], &switches, &[("probeint", 5), ("sweepmin", 50)]].concat());
                checked.add(formula.clone());
                checked.solve(&[]);
                checked
            };
            let plain = run(None);
            for (index, &(name, rounds, findings)) in techniques.iter().enumerate() {
                let checked = run(Some(name));
                if checked.count(rounds) == 0 || findings.iter().chain(RARE).any(|name| checked.count(name) > 0) {
                    continue;
                }
                compared[index] += 1;
                for counter in ["conflicts", "decisions"] {
                    assert_eq!(checked.count(counter), plain.count(counter), "{name}, {counter}, formula {round}");
                }
            }
        }
        assert!(compared.iter().all(|&count| count > 0), "{compared:?}");
    }

    /// All techniques in each other's way, as often and as hard as can be.
    #[test]
    fn every_step_of_all_techniques_is_checked_on_random_formulas() {
        let often = ["probeint", "eliminateint", "probe", "ternary", "transitive"].map(|name| (name, 1));
        let hard = ["vivifyeffort", "probeeffort", "ternaryeffort", "transitiveeffort"].map(|name| (name, 10_000));
        for keep in [0, 1] {
            let settings = [&often[..], &hard, &[("reduceint", 10), ("modeinit", 50), ("proofkeep", keep)]].concat();
            let names = ["eliminated variables", "substituted variables", "probed literals", "ternary resolvents"];
            let counts = crate::testing::fuzz(&settings, 300, 70, &names);
            assert!(counts.iter().all(|&count| count > 0), "{counts:?}");
        }
    }
}
