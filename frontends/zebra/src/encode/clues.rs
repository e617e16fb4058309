//! Clues as clauses.

use super::{Encoder, Truth};
use crate::formula::{Compare, Counting, Formula, Measure, Relation, distance, lies_between, parity};
use crate::number::Decimal;
use crate::puzzle::{Kind, Term};
use std::collections::BTreeSet;

/// A relation of the values that some items have in a category.
struct Table<'t> {
    terms: &'t [Term],
    category: usize,
    allowed: Vec<Vec<usize>>,
}

impl Encoder<'_> {
    /// Makes a formula true.
    pub fn assert(&mut self, formula: &Formula) {
        match formula {
            Formula::Same(a, b) => self.assert_same(*a, *b),
            Formula::OneOf { term, options, exclusive } => self.assert_one_of(*term, options, *exclusive),
            Formula::AllDifferent(terms) => self.assert_all_different(terms),
            Formula::Pairs { left: [a, b], right: [c, d] } => {
                self.assert_all_different(&[*a, *b]);
                if [a, b, c, d].iter().all(|&&t| self.functional(t)) {
                    self.assert_all_different(&[*c, *d]);
                    for (one, others) in [(a, [c, d]), (b, [c, d]), (c, [a, b]), (d, [a, b])] {
                        self.is_among(*one, &[*others[0], *others[1]]);
                    }
                    if self.facts.is_none() {
                        self.straight_or_crossed([*a, *b], [*c, *d]);
                    }
                    return;
                }
                for (x, y) in [([a, c], [a, d]), ([b, c], [b, d]), ([a, c], [b, c]), ([a, d], [b, d])] {
                    let either = [self.same(*x[0], *x[1]), self.same(*y[0], *y[1])];
                    self.clause(&either);
                }
            }
            Formula::And(parts) => parts.iter().for_each(|part| self.assert(part)),
            Formula::Or(parts) => {
                let truths: Vec<Truth> = parts.iter().map(|part| self.truth(part)).collect();
                self.clause(&truths);
            }
            Formula::Not(inner) => self.assert_not(inner),
            Formula::Implies(a, b) => {
                let truths = [!self.truth(a), self.truth(b)];
                self.clause(&truths);
            }
            Formula::EqualDistance { .. } => {
                let parts = self.distance_cases(formula);
                self.assert(&parts);
            }
            Formula::Between { .. } if self.is_wide_between(formula) => {
                let truth = self.truth(formula);
                self.clause(&[truth]);
            }
            Formula::Compare(_) | Formula::Between { .. } | Formula::Parity { .. } => {
                self.with_table(formula, |this, table| this.assert_table(table));
                if let Formula::Compare(compare) = formula {
                    self.either_side(compare);
                }
            }
            Formula::Iff(a, b) => {
                let (a, b) = (self.truth(a), self.truth(b));
                self.are_equal(a, b);
            }
            Formula::Xor(a, b) => {
                let (a, b) = (self.truth(a), self.truth(b));
                self.are_equal(a, !b);
            }
            Formula::Count { .. } => {
                let truth = self.truth(formula);
                self.clause(&[truth]);
            }
        }
    }

    fn are_equal(&mut self, a: Truth, b: Truth) {
        self.clause(&[!a, b]);
        self.clause(&[a, !b]);
    }

    /// Two items are two others, straight or crossed, over the literals "the one has the other". They say nothing new, but
    /// conflicts are learned in terms of them, in far shorter clauses than position by position.
    fn straight_or_crossed(&mut self, [a, b]: [Term; 2], [c, d]: [Term; 2]) {
        let straight = self.same(a, c);
        for (x, y, holds) in [(b, d, straight), (a, d, !straight), (b, c, !straight)] {
            let same = self.same(x, y);
            self.are_equal(same, holds);
        }
    }

    /// For "A is k away from B", which of the two is the larger: a literal to decide on and to learn about.
    fn either_side(&mut self, compare: &Compare) {
        let Compare { left, right, category, relation: Relation::Equal, measure: Measure::Distance { by, .. } } =
            *compare
        else {
            return;
        };
        let single = self.has_one_value(left, category) && self.has_one_value(right, category);
        if self.facts.is_some() || by == Decimal::ZERO || !single {
            return;
        }
        let values = &self.puzzle.categories[category];
        let above = Truth::Lit(self.sink.new_var().positive());
        for x in 0..values.len() {
            let at_x = [left, right].map(|term| self.has_value(term, category, x));
            let (mut higher, mut lower) = ([vec![], vec![]], [vec![], vec![]]);
            for y in (0..values.len()).filter(|&y| compare.holds(values, x, y)) {
                for (i, other) in [right, left].into_iter().enumerate() {
                    let at_y = self.has_value(other, category, y);
                    if y > x { higher[i].push(at_y) } else { lower[i].push(at_y) }
                }
            }
            for (i, side) in [above, !above].into_iter().enumerate() {
                for &at_y in &higher[i] {
                    self.clause(&[!at_x[i], !at_y, side]);
                }
                self.clause(&[&[!side, !at_x[i]], &higher[i][..]].concat());
                self.clause(&[&[side, !at_x[i]], &lower[i][..]].concat());
            }
        }
    }

    fn assert_not(&mut self, formula: &Formula) {
        match formula {
            Formula::Same(a, b) => self.assert_all_different(&[*a, *b]),
            Formula::Not(inner) => self.assert(inner),
            Formula::Or(parts) => parts.iter().for_each(|part| self.assert_not(part)),
            Formula::Implies(a, b) => {
                self.assert(a);
                self.assert_not(b);
            }
            Formula::Compare(_) | Formula::Between { .. } | Formula::Parity { .. }
                if !self.is_wide_between(formula) =>
            {
                self.with_table(formula, |this, table| {
                    for tuple in &table.allowed {
                        let clause: Vec<Truth> = this.tuple(table, tuple).into_iter().map(|t| !t).collect();
                        this.clause(&clause);
                    }
                });
            }
            _ => {
                let truth = self.truth(formula);
                self.clause(&[!truth]);
            }
        }
    }

    /// A literal that is true exactly when the formula is.
    pub fn truth(&mut self, formula: &Formula) -> Truth {
        match formula {
            Formula::Same(a, b) => self.same(*a, *b),
            Formula::OneOf { term, options, exclusive } => {
                let truths: Vec<Truth> = options.iter().map(|&option| self.same(*term, option)).collect();
                if *exclusive { self.count(&truths, Relation::Equal, 1) } else { self.any_of(&truths) }
            }
            Formula::AllDifferent(terms) => {
                let mut different = Vec::new();
                for (i, &a) in terms.iter().enumerate() {
                    different.extend(terms[..i].iter().map(|&b| !self.same(a, b)));
                }
                self.all_of(&different)
            }
            Formula::Pairs { left: [a, b], right: [c, d] } => {
                let (straight, crossed) =
                    ([self.same(*a, *c), self.same(*b, *d)], [self.same(*a, *d), self.same(*b, *c)]);
                let ways = [self.all_of(&straight), self.all_of(&crossed)];
                let parts = [!self.same(*a, *b), self.any_of(&ways)];
                self.all_of(&parts)
            }
            Formula::Not(inner) => !self.truth(inner),
            Formula::And(parts) => {
                let truths: Vec<Truth> = parts.iter().map(|part| self.truth(part)).collect();
                self.all_of(&truths)
            }
            Formula::Or(parts) => {
                let truths: Vec<Truth> = parts.iter().map(|part| self.truth(part)).collect();
                self.any_of(&truths)
            }
            Formula::Xor(a, b) => !self.truth_of_iff(a, b),
            Formula::Iff(a, b) => self.truth_of_iff(a, b),
            Formula::Implies(a, b) => {
                let truths = [!self.truth(a), self.truth(b)];
                self.any_of(&truths)
            }
            Formula::Count { relation, count, of } => {
                let truths: Vec<Truth> = of.iter().map(|part| self.truth(part)).collect();
                self.count(&truths, *relation, *count)
            }
            Formula::EqualDistance { .. } => {
                let parts = self.distance_cases(formula);
                self.truth(&parts)
            }
            Formula::Between { middle, ends, category, adjacent } if self.is_wide_between(formula) => {
                self.truth_of_between(*middle, *ends, *category, *adjacent)
            }
            Formula::Compare(_) | Formula::Between { .. } | Formula::Parity { .. } => {
                self.with_table(formula, |this, table| this.truth_of_table(table))
            }
        }
    }

    fn truth_of_iff(&mut self, a: &Formula, b: &Formula) -> Truth {
        let (a, b) = (self.truth(a), self.truth(b));
        let ways = [self.all_of(&[a, b]), self.all_of(&[!a, !b])];
        self.any_of(&ways)
    }

    /// Whether the number of true ones compares so with `count`: counted by "at least j of the first i".
    fn count(&mut self, truths: &[Truth], relation: Relation, count: usize) -> Truth {
        // More than all is as impossible as one more than all.
        let count = count.min(truths.len() + 1);
        let mut at_least = vec![Truth::Known(false); count + 2];
        at_least[0] = Truth::Known(true);
        for &truth in truths {
            for j in (1..at_least.len()).rev() {
                let counted = self.all_of(&[at_least[j - 1], truth]);
                at_least[j] = self.any_of(&[at_least[j], counted]);
            }
        }
        let (least, more) = (at_least[count], at_least[count + 1]);
        match relation {
            Relation::Less => !least,
            Relation::AtMost => !more,
            Relation::Equal => self.all_of(&[least, !more]),
            Relation::AtLeast => least,
            Relation::Greater => more,
        }
    }

    fn assert_same(&mut self, a: Term, b: Term) {
        if self.facts.is_some() {
            let truth = self.same(a, b);
            return self.clause(&[truth]);
        }
        let single = |term: Term| self.puzzle.categories[term.category].kind != Kind::Repeated;
        if a.category == b.category || !single(a) && !single(b) {
            let truth = self.same(a, b);
            return self.clause(&[truth]);
        }
        let (with_a, with_b) = (self.all_positions(a), self.all_positions(b));
        let (one_way, other_way) = (single(a), single(b));
        if one_way && !self.functional(a) {
            self.clause(&with_a);
        } else if other_way && !self.functional(b) {
            self.clause(&with_b);
        }
        for (at_a, at_b) in with_a.into_iter().zip(with_b) {
            if one_way {
                self.clause(&[!at_a, at_b]);
            }
            if other_way {
                self.clause(&[!at_b, at_a]);
            }
        }
    }

    fn assert_all_different(&mut self, terms: &[Term]) {
        for (i, &a) in terms.iter().enumerate() {
            for &b in &terms[..i] {
                if self.facts.is_some() {
                    let truth = self.same(a, b);
                    self.clause(&[!truth]);
                    continue;
                }
                for (at_a, at_b) in self.all_positions(a).into_iter().zip(self.all_positions(b)) {
                    self.clause(&[!at_a, !at_b]);
                }
            }
        }
    }

    fn assert_one_of(&mut self, term: Term, options: &[Term], exclusive: bool) {
        if self.functional(term) && !options.contains(&term) {
            self.is_among(term, options);
            if exclusive {
                self.is_only_one(term, options);
            }
            if self.facts.is_none() && options.iter().all(|&option| self.functional(option)) {
                let truths: Vec<Truth> = options.iter().map(|&option| self.same(term, option)).collect();
                self.clause(&truths);
                if exclusive {
                    self.at_most_one(&truths);
                }
            }
            return;
        }
        let truths: Vec<Truth> = options.iter().map(|&option| self.same(term, option)).collect();
        self.clause(&truths);
        if exclusive {
            self.at_most_one(&truths);
        }
    }

    /// An item that is somewhere is one of these: at each position, where it is one of them is.
    fn is_among(&mut self, term: Term, options: &[Term]) {
        if self.facts.is_some() {
            let truths: Vec<Truth> = options.iter().map(|&option| self.same(term, option)).collect();
            self.clause(&truths);
            for category in (0..self.puzzle.categories.len()).filter(|&c| c != term.category) {
                for value in self.puzzle.terms(category) {
                    let with_options = options.iter().map(|&option| self.same(option, value)).collect::<Vec<_>>();
                    let clause = [&[!self.same(term, value)], &with_options[..]].concat();
                    self.clause(&clause);
                }
            }
            return;
        }
        for position in 0..self.atoms.positions {
            let mut clause = vec![!self.atoms.at(term, position)];
            clause.extend(options.iter().map(|&option| self.atoms.at(option, position)));
            self.clause(&clause);
        }
    }

    /// An item is not two of these.
    fn is_only_one(&mut self, term: Term, options: &[Term]) {
        for (i, &a) in options.iter().enumerate() {
            for &b in &options[..i] {
                if a == b {
                    self.assert_all_different(&[term, a]);
                }
                let single = self.puzzle.categories[a.category].kind != Kind::Shared;
                if a == b || a.category == b.category && single {
                    continue;
                }
                if self.facts.is_some() {
                    let both = [!self.same(term, a), !self.same(term, b)];
                    self.clause(&both);
                    continue;
                }
                for position in 0..self.atoms.positions {
                    let at = [term, a, b].map(|t| !self.atoms.at(t, position));
                    self.clause(&at);
                }
            }
        }
    }

    /// Equal distances, as: for each distance, one pair is so far apart exactly when the other is.
    fn distance_cases(&self, formula: &Formula) -> Formula {
        let Formula::EqualDistance { pairs, category } = formula else { return formula.clone() };
        let values = &self.puzzle.categories[*category];
        let unit = if values.numbers.is_some() { Counting::Numbers } else { Counting::Places };
        let mut distances: BTreeSet<Decimal> = BTreeSet::new();
        for a in 0..values.len() {
            distances.extend((0..=a).map(|b| distance(values, a, b)));
        }
        let apart = |pair: [Term; 2], by: Decimal| {
            let measure = Measure::Distance { by, unit };
            let compare =
                Compare { left: pair[0], right: pair[1], category: *category, relation: Relation::Equal, measure };
            Box::new(Formula::Compare(compare))
        };
        // With a distance for each pair that exists, one common distance is enough and also necessary.
        let both = |by| Formula::And(vec![*apart(pairs[0], by), *apart(pairs[1], by)]);
        if [pairs[0], pairs[1]].concat().iter().all(|&t| self.has_one_value(t, *category)) {
            Formula::And(
                distances.into_iter().map(|by| Formula::Iff(apart(pairs[0], by), apart(pairs[1], by))).collect(),
            )
        } else {
            Formula::Or(distances.into_iter().map(both).collect())
        }
    }

    /// Whether the item of a term always has exactly one value in a category.
    fn has_one_value(&self, term: Term, category: usize) -> bool {
        term.category == category || self.functional(term) && self.puzzle.categories[category].kind != Kind::Shared
    }

    /// The allowed values of a comparison, as a table.
    fn with_table<T>(&mut self, formula: &Formula, body: impl FnOnce(&mut Self, &Table) -> T) -> T {
        let terms = formula.own_terms();
        let category = formula.category().expect("comparisons have a category");
        let values = &self.puzzle.categories[category];
        let holds = |v: &[usize]| match formula {
            Formula::Compare(compare) => compare.holds(values, v[0], v[1]),
            Formula::Between { adjacent, .. } => lies_between(v[0], [v[1], v[2]], *adjacent),
            Formula::Parity { same, .. } => (parity(values, v[0]) == parity(values, v[1])) == *same,
            _ => unreachable!("only comparisons have tables"),
        };
        let mut allowed = Vec::new();
        let mut tuple = vec![0; terms.len()];
        loop {
            if holds(&tuple) {
                allowed.push(tuple.clone());
            }
            // The next tuple, the last place running fastest.
            let Some(place) = tuple.iter().rposition(|&value| value + 1 < values.len()) else { break };
            tuple[place] += 1;
            tuple[place + 1..].fill(0);
        }
        body(self, &Table { terms: &terms, category, allowed })
    }

    fn tuple(&mut self, table: &Table, values: &[usize]) -> Vec<Truth> {
        table.terms.iter().zip(values).map(|(&term, &value)| self.has_value(term, table.category, value)).collect()
    }

    /// Whether an item has a value in a category; a value of the category itself has itself.
    pub(super) fn has_value(&mut self, term: Term, category: usize, value: usize) -> Truth {
        if term.category == category {
            return Truth::Known(term.value == value);
        }
        self.same(term, Term { category, value })
    }

    fn assert_table(&mut self, table: &Table) {
        // What cannot be at the same place is different.
        let over_facts = self.facts.is_some();
        let one_value = table.terms.iter().all(|&term| self.has_one_value(term, table.category));
        for (i, &a) in table.terms.iter().enumerate().filter(|_| over_facts && one_value) {
            for (j, &b) in table.terms[..i].iter().enumerate().filter(|&(_, &b)| b != a) {
                if table.allowed.iter().all(|tuple| tuple[i] != tuple[j]) {
                    self.assert_all_different(&[a, b]);
                }
            }
        }
        if one_value {
            self.supports(table, None);
        } else {
            let truth = self.truth_of_table(table);
            self.clause(&[truth]);
        }
    }

    fn truth_of_table(&mut self, table: &Table) -> Truth {
        if table.terms.iter().all(|&term| self.has_one_value(term, table.category)) {
            return self.define(|this| {
                let truth = Truth::Lit(this.sink.new_var().positive());
                this.supports(table, Some(truth));
                for tuple in &table.allowed {
                    let mut clause: Vec<Truth> = this.tuple(table, tuple).into_iter().map(|t| !t).collect();
                    clause.push(truth);
                    this.clause(&clause);
                }
                truth
            });
        }
        let mut ways = Vec::with_capacity(table.allowed.len());
        for tuple in &table.allowed {
            let parts = self.tuple(table, tuple);
            ways.push(self.all_of(&parts));
        }
        self.any_of(&ways)
    }

    /// The table as support clauses, which hold where `condition` does: for one term, any values of the others leave it
    /// the values that the table allows. With three terms also the projections on two, so that unit propagation alone
    /// finds, say, that nothing between two others is at an end.
    fn supports(&mut self, table: &Table, condition: Option<Truth>) {
        let arity = table.terms.len();
        let size = self.puzzle.categories[table.category].len();
        for target in 0..arity {
            let others: Vec<usize> = (0..arity).filter(|&i| i != target).collect();
            let subsets = if arity == 2 { vec![others] } else { vec![vec![others[0]], vec![others[1]], others] };
            for given in subsets {
                let mut supported = vec![vec![false; size]; size.pow(given.len() as u32)];
                let index = |tuple: &[usize]| given.iter().fold(0, |sum, &i| sum * size + tuple[i]);
                table.allowed.iter().for_each(|tuple| supported[index(tuple)][tuple[target]] = true);
                for (code, allowed) in supported.iter().enumerate() {
                    self.support(table, (target, &given), code, allowed, condition);
                }
            }
        }
    }

    fn support(
        &mut self,
        table: &Table,
        (target, given): (usize, &[usize]),
        code: usize,
        allowed: &[bool],
        condition: Option<Truth>,
    ) {
        let category = table.category;
        let mut clause: Vec<Truth> = condition.map(|c| !c).into_iter().collect();
        let mut rest = code;
        for &i in given.iter().rev() {
            clause.push(!self.has_value(table.terms[i], category, rest % allowed.len()));
            rest /= allowed.len();
        }
        for value in (0..allowed.len()).filter(|&v| allowed[v]) {
            clause.push(self.has_value(table.terms[target], category, value));
        }
        self.clause(&clause);
    }
}
