//! Factoring, or bounded variable addition: where each of some literals f1 ... fn stands in a clause with each of the
//! same rests C1 ... Cm, these n m clauses are replaced by the n + m clauses (x fi) and (-x Cj) with a new variable x
//! (Manthey, Heule and Biere, Automated Reencoding of Boolean Formulas, HVC 2012). Constraints that were written out
//! pair by pair, such as at-most-one, get short so, and refutations too.
//!
//! A product begins with a literal that occurs often and grows by the literal that shares most rests, as long as that
//! saves more. Of equally good ones the literal with the most paths of three steps to the first one is taken, which
//! keeps what belongs together in one product (Haberlandt, Green and Heule, Effective Auxiliary Variables via
//! Structured Reencoding, SAT 2023). Which literals come first follows Kissat (Biere and others, 2024): those that came
//! into clauses since they were tried. A product must save more clauses than elimination may add, or it would be
//! undone, and a dozen at least: each new variable is one more step of propagation, and small savings cost the search
//! more than they give (`bench/README.md`).
//!
//! In a proof the clauses (x fi) hold because nothing has -x yet, then (-x Cj) because its resolvents with them are the
//! clauses that are there. What is replaced follows from both, so nothing goes to the extension stack.

mod replace;
mod rests;
mod structure;

use super::occurrences::Occurrences;
use crate::Solver;
use crate::data::arena::ClauseRef;
use crate::data::arena::signature;
use crate::data::lists::lines;
use crate::data::watch::Watch;
use crate::report::Event;
use putnam_formula::{Lit, Scratch};
use rests::Rests;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use structure::Paths;

/// The part of a round's effort that paths may take: they are dear where clauses are many, and products found are worth
/// more.
const PATHS_PART: u64 = 8;

/// The clause of a factor and a rest.
#[derive(Clone, Copy)]
enum Member {
    /// The other literal of a binary clause.
    Binary(Lit),
    Large(ClauseRef),
}

/// A factor, and its clauses with the rests that all factors so far share.
struct Column {
    factor: Lit,
    /// The number of a rest and the clause.
    members: Vec<(u32, Member)>,
}

impl Column {
    /// How many clauses the product of this and the columns before it saves, if it saves any.
    fn saved(&self, factors: usize) -> usize {
        let rests = self.members.len();
        (factors * rests).saturating_sub(factors + rests)
    }
}

/// The working memory of a round.
struct Factoring {
    /// Large clauses that take part.
    occurrences: Occurrences,
    rests: Rests,
    /// Literals to begin with, by their number of occurrences.
    schedule: BinaryHeap<(u32, Reverse<Lit>)>,
    /// By literal: the number with which it waits in the schedule, or 0.
    waiting: Scratch<u32>,
    columns: Vec<Column>,
    /// By literal: with how many of the shared rests it stands in a clause.
    counts: Scratch<u32>,
    counted: Vec<Lit>,
    /// By literal; all false between uses.
    marks: Scratch<bool>,
    /// By variable: it is a factor.
    is_factor: Scratch<bool>,
    paths: Paths,
    ticks: u64,
    limit: u64,
    /// What may still be spent on paths.
    path_ticks: u64,
}

impl Factoring {
    fn grow(&mut self) {
        self.occurrences.grow();
        self.counts.extend_from_slice(&[0; 2]);
        self.waiting.extend_from_slice(&[0; 2]);
        self.marks.extend_from_slice(&[false; 2]);
        self.is_factor.push(false);
        self.paths.grow();
    }

    fn forget_product(&mut self) {
        self.columns.drain(..).for_each(|column| self.is_factor[column.factor.var().index()] = false);
        self.counted.drain(..).for_each(|lit| self.counts[lit.code()] = 0);
        self.paths.forget();
    }

    fn is_spent(&self) -> bool {
        self.ticks >= self.limit
    }
}

impl Solver {
    /// Whether it is allowed.
    pub(crate) fn factoring(&self) -> bool {
        self.options.factor != 0
    }

    /// Replaces products of clauses, until no literal is left to begin with or the effort is spent.
    pub(crate) fn factor(&mut self) {
        // Units that duplicates give shorten clauses, which may become binary ones that are there already.
        loop {
            if self.cleaned_units < self.recorded_units {
                self.tidy();
            }
            if !self.remove_duplicate_binaries() || !self.settle() {
                return;
            }
            if self.cleaned_units == self.recorded_units {
                break;
            }
        }
        let minimum = self.options.factormin as u64 * 1000;
        let budget = self.budget(|schedule| &mut schedule.factor, self.options.factoreffort, minimum);
        let before = self.statistics.factored;
        self.unwatch_large();
        let mut run = self.start_factoring(budget);
        while let Some((count, Reverse(first))) = run.schedule.pop() {
            if run.is_spent() || self.stopping_now().is_some() {
                break;
            }
            if run.waiting[first.code()] != count {
                // It was scheduled again since, with more.
                continue;
            }
            run.waiting[first.code()] = 0;
            if !self.schedule.unfactored[first.code()] {
                continue;
            }
            let now = self.factor_occurrences(&run, first);
            if now < count as usize {
                // Others were replaced meanwhile.
                self.schedule_factor(&mut run, first);
                continue;
            }
            self.schedule.unfactored[first.code()] = false;
            self.grow_product(&mut run, first);
            let replaced = self.replace_product(&mut run);
            run.forget_product();
            if !replaced {
                break;
            }
        }
        self.statistics.factor_ticks += run.ticks;
        putnam_formula::release(run.schedule.into_vec());
        self.rewatch_large();
        if self.statistics.factored > before {
            self.report(Event::Factor);
        }
    }

    fn start_factoring(&mut self, budget: u64) -> Factoring {
        let num_lits = self.watches.num_lists();
        let (arena, longest) = (&self.arena, self.options.factorclause as usize);
        let wanted = |&clause: &ClauseRef| {
            arena.size(clause) <= longest && !arena.is_redundant(clause) && !arena.is_garbage(clause)
        };
        let mut candidates: Scratch<ClauseRef> = arena.clauses().filter(wanted).collect();
        let mut rests = Rests::new(candidates.iter().map(|&clause| arena.size(clause)).sum());
        candidates.iter().for_each(|&clause| rests.add(arena.lits(clause)));
        candidates.retain(|&clause| rests.any_shared(arena.lits(clause)));
        let occurrences = Occurrences::of(arena, num_lits, || candidates.iter().copied());
        self.arena.sign_all();
        let mut run = Factoring {
            occurrences,
            rests,
            schedule: BinaryHeap::new(),
            waiting: vec![0; num_lits].into(),
            columns: Vec::new(),
            counts: vec![0; num_lits].into(),
            counted: Vec::new(),
            marks: vec![false; num_lits].into(),
            is_factor: vec![false; self.num_vars()].into(),
            paths: Paths::new(self.num_vars()),
            ticks: self.num_irredundant + num_lits as u64,
            limit: budget,
            path_ticks: budget / PATHS_PART,
        };
        for lit in (0..num_lits).map(Lit::from_code) {
            self.schedule_factor(&mut run, lit);
        }
        run
    }

    /// Puts a literal among those to begin with, if it is worth trying.
    fn schedule_factor(&self, run: &mut Factoring, lit: Lit) {
        if self.schedule.unfactored[lit.code()] && self.is_active(lit.var()) {
            let count = self.factor_occurrences(run, lit) as u32;
            if count > run.waiting[lit.code()].max(1) {
                run.waiting[lit.code()] = count;
                run.schedule.push((count, Reverse(lit)));
            }
        }
    }

    /// An upper bound of the clauses of a literal that take part.
    fn factor_occurrences(&self, run: &Factoring, lit: Lit) -> usize {
        self.watches.get(lit).words() + run.occurrences.len(lit)
    }

    /// Makes columns from a first factor on, as long as one more saves more.
    fn grow_product(&mut self, run: &mut Factoring, first: Lit) {
        let arena = &self.arena;
        run.occurrences.retain(first, |&mut clause| !arena.is_garbage(clause));
        let binaries = self.watches.get(first).iter().filter(|watch| !watch.is_redundant_binary());
        let members = binaries.map(|watch| Member::Binary(watch.blocking));
        let large = run.occurrences.get(first).iter().copied();
        let large = large.filter(|&clause| run.rests.is_shared(arena.lits(clause), first)).map(Member::Large);
        let members: Vec<(u32, Member)> = (0..).zip(members.chain(large)).collect();
        run.ticks += 1 + self.watches.lines(first) + run.occurrences.lines(first);
        for &(_, member) in &members {
            self.count_partners(run, first, member, true);
        }
        run.is_factor[first.var().index()] = true;
        run.columns.push(Column { factor: first, members });
        while !run.is_spent() {
            let Some(next) = self.next_factor(run) else { return };
            let column = self.next_column(run, next);
            let saved = column.saved(run.columns.len() + 1);
            let last = &run.columns[run.columns.len() - 1];
            if column.members.len() < 2 || saved < last.saved(run.columns.len()) {
                return;
            }
            self.drop_rests(run, &column);
            run.is_factor[next.var().index()] = true;
            run.columns.push(column);
        }
    }

    /// Calls `visit` with every literal that could be in a clause instead of `factor` because there is such a clause,
    /// and with that clause.
    fn visit_partners(
        &self,
        run: &mut Factoring,
        factor: Lit,
        member: Member,
        mut visit: impl FnMut(&mut Factoring, Lit, Member),
    ) {
        let clause = match member {
            Member::Binary(rest) => {
                run.ticks += 1 + self.watches.lines(rest);
                for watch in self.watches.get(rest) {
                    if !watch.is_redundant_binary() && watch.blocking != factor {
                        visit(run, watch.blocking, Member::Binary(rest));
                    }
                }
                return;
            }
            Member::Large(clause) => clause,
        };
        let lits = self.arena.lits(clause);
        let rest = || lits.iter().filter(|&&lit| lit != factor);
        let Some(&rarest) = rest().min_by_key(|&&lit| run.occurrences.len(lit)) else { return };
        let bits = signature(rest());
        rest().for_each(|lit| run.marks[lit.code()] = true);
        run.ticks += 2 + run.occurrences.lines(rarest);
        for i in 0..run.occurrences.len(rarest) {
            let other = run.occurrences.get(rarest)[i];
            if bits & !self.arena.signature(other) != 0 {
                continue;
            }
            run.ticks += 1;
            let others = self.arena.lits(other);
            if others.len() != lits.len() || self.arena.is_garbage(other) {
                continue;
            }
            let mut unmarked = others.iter().copied().filter(|lit| !run.marks[lit.code()]);
            if let (Some(next), None) = (unmarked.next(), unmarked.next())
                && next != factor
            {
                visit(run, next, Member::Large(other));
            }
        }
        rest().for_each(|lit| run.marks[lit.code()] = false);
    }

    /// Counts the literals that stand with the rest of a clause, or takes that back.
    fn count_partners(&self, run: &mut Factoring, factor: Lit, member: Member, add: bool) {
        self.visit_partners(run, factor, member, |run, next, _| {
            let count = &mut run.counts[next.code()];
            if add && *count == 0 {
                run.counted.push(next);
            }
            *count = if add { *count + 1 } else { count.saturating_sub(1) };
        });
    }

    /// The literal with the most rests, at least two.
    fn next_factor(&mut self, run: &mut Factoring) -> Option<Lit> {
        let count = |lit: Lit| if run.is_factor[lit.var().index()] { 0 } else { run.counts[lit.code()] };
        run.ticks += 1 + 2 * lines::<Lit>(run.counted.len());
        let most = run.counted.iter().map(|&lit| count(lit)).max().filter(|&most| most > 1)?;
        let tied: Vec<Lit> = run.counted.iter().copied().filter(|&lit| count(lit) == most).collect();
        if tied.len() == 1 || self.options.factorstructure == 0 || run.path_ticks == 0 {
            return tied.into_iter().min();
        }
        self.statistics.factor_ties += 1;
        let (first, before) = (run.columns[0].factor.var(), run.ticks);
        let best = tied.into_iter().max_by_key(|&lit| (self.paths_to_first(run, first, lit.var()), Reverse(lit)));
        run.path_ticks = run.path_ticks.saturating_sub(run.ticks - before);
        best
    }

    /// The clauses of another factor with the shared rests.
    fn next_column(&self, run: &mut Factoring, factor: Lit) -> Column {
        let last = run.columns.len() - 1;
        let before = std::mem::take(&mut run.columns[last].members);
        let previous = run.columns[last].factor;
        let mut members = Vec::new();
        let mut taken: Vec<ClauseRef> = Vec::new();
        let binary = |watch: &Watch| !watch.is_redundant_binary();
        run.ticks += 1 + self.watches.lines(factor);
        // Rests are marked by the other factor's clauses; the marks of a large clause's literals come in between.
        let mut rests: Vec<Lit> = self.watches.get(factor).iter().filter(binary).map(|w| w.blocking).collect();
        rests.sort_unstable();
        for &(rest, member) in &before {
            let mut found = None;
            match member {
                Member::Binary(other) => found = rests.binary_search(&other).ok().map(|_| member),
                Member::Large(_) => self.visit_partners(run, previous, member, |_, next, partner| {
                    if next == factor
                        && found.is_none()
                        && let Member::Large(clause) = partner
                        && !taken.contains(&clause)
                    {
                        found = Some(partner);
                    }
                }),
            }
            if let Some(Member::Large(clause)) = found {
                taken.push(clause);
            }
            members.extend(found.map(|partner| (rest, partner)));
        }
        run.columns[last].members = before;
        Column { factor, members }
    }

    /// Takes the rests that the next column lost out of the counts.
    fn drop_rests(&self, run: &mut Factoring, next: &Column) {
        let Some(last) = run.columns.last() else { return };
        let factor = last.factor;
        let mut kept = next.members.iter().map(|member| member.0).peekable();
        let lost: Vec<Member> =
            last.members.iter().filter(|(rest, _)| kept.next_if_eq(rest).is_none()).map(|member| member.1).collect();
        if lost.len() <= next.members.len() {
            lost.into_iter().for_each(|member| self.count_partners(run, factor, member, false));
            return;
        }
        run.counted.drain(..).for_each(|lit| run.counts[lit.code()] = 0);
        next.members.iter().for_each(|&(_, member)| self.count_partners(run, next.factor, member, true));
    }
}

#[cfg(test)]
mod tests {
    use crate::data::random::Random;
    use crate::testing::{Checked, random_clause, random_formula};
    use putnam_formula::{Lit, Var};

    /// All clauses of a factor and a rest.
    fn product(factors: &[Lit], rests: &[Vec<Lit>]) -> Vec<Vec<Lit>> {
        factors.iter().flat_map(|&f| rests.iter().map(move |rest| [&[f], &rest[..]].concat())).collect()
    }

    fn at_most_one(lits: &[Lit]) -> Vec<Vec<Lit>> {
        let pairs = lits.iter().enumerate().flat_map(|(i, &a)| lits[i + 1..].iter().map(move |&b| vec![!a, !b]));
        pairs.collect()
    }

    #[test]
    fn products_of_binary_and_large_clauses_are_found() {
        let lit = |number| Lit::from_dimacs(number).unwrap();
        let rests: Vec<Vec<Lit>> =
            [&[5][..], &[-6, 7], &[8], &[9, 10]].map(|c| c.iter().map(|&n| lit(n)).collect()).into();
        let mut checked = Checked::new(&[("eliminate", 0), ("probing", 0), ("factorsave", 8)]);
        checked.add(product(&[1, -2, 3, 4].map(lit), &rests));
        checked.solver.simplify(1).unwrap();
        // It saves exactly as many as it must.
        assert_eq!(
            (checked.count("variables added by factoring"), checked.count("clauses saved by factoring")),
            (1, 8)
        );
        assert_eq!(checked.solver.num_irredundant, 8);
        assert!(!checked.solve(&[lit(-1), lit(-5)]) && checked.solve(&[lit(-1)]));
        assert_eq!(checked.solver.value(Var::new(4)), Some(true));
        let hidden = Var::new(10);
        assert_eq!((checked.solver.declared(), checked.solver.value(Var::new(9)).is_some()), (10, true));
        checked.add([vec![hidden.positive()], vec![lit(-1)]]);
        assert!(checked.solve(&[]));
    }

    /// Pairwise at-most-one constraints get linear, and pigeons are refuted with them.
    #[test]
    fn pigeonholes() {
        let mut checked = Checked::new(&[("eliminateint", 1), ("probeinit", 100), ("factorsave", 1)]);
        let var = |pigeon: u32, hole: u32| Var::new(pigeon * 7 + hole).positive();
        checked.add((0..8).map(|pigeon| (0..7).map(|hole| var(pigeon, hole)).collect()));
        (0..7).for_each(|hole| checked.add(at_most_one(&(0..8).map(|pigeon| var(pigeon, hole)).collect::<Vec<_>>())));
        assert!(!checked.solve(&[]));
        assert!(checked.count("variables added by factoring") >= 14);
    }

    /// New variables of the user come in between and take the numbers that added ones have in the proof.
    #[test]
    fn every_step_is_checked_on_random_products() {
        let (mut added, mut restored, mut ties) = (0, 0, 0);
        for seed in 0..200 {
            let mut random = Random::new(seed);
            let often = [
                ("eliminateint", 1),
                ("probeint", 20),
                ("factorsave", 1),
                ("lucky", 0),
                ("modeinit", 50),
                ("reduceint", 10),
            ];
            let mut checked = Checked::new(&often);
            let mut satisfiable = true;
            for step in 1..4 {
                let num_vars = 30 * step;
                let mut formula = random_formula(&mut random, num_vars);
                formula.truncate(random.below(formula.len() as u32 + 1) as usize);
                let lits = random_clause(&mut random, num_vars, 14);
                let rests: Vec<Vec<Lit>> =
                    lits[6..].chunks(1 + random.below(2) as usize).map(<[Lit]>::to_vec).collect();
                formula.extend(product(&lits[..4 + random.below(3) as usize], &rests));
                let size = 6 + random.below(7) as usize;
                formula.extend(at_most_one(&random_clause(&mut random, num_vars, size)));
                checked.add(formula);
                let assumptions = random_clause(&mut random, num_vars, 2);
                if satisfiable {
                    checked.solver.simplify(2).unwrap();
                    checked.solve(&assumptions);
                    satisfiable = checked.solve(&[]);
                }
            }
            added += checked.count("variables added by factoring");
            restored += checked.count("restored clauses");
            ties += checked.count("ties between factors");
        }
        assert!(added > 100 && restored > 100 && ties > 100, "{added} {restored} {ties}");
    }
}
