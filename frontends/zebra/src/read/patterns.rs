//! The forms of sentences: which sequences of symbols mean what.

use super::counting::Among;
use super::english::{Placed, Symbol};
use super::relation::Rel;
use super::{Context, Refusal};
use crate::formula::{Compare, Counting, Formula, Measure, Relation, parity};
use crate::number::Decimal;
use crate::puzzle::{Kind, Term};

/// The readings that were found, each once; and the first reason for which a form was refused.
#[derive(Default)]
pub(super) struct Readings {
    pub(super) formulas: Vec<Formula>,
    pub(super) refusal: Option<Refusal>,
}

impl Readings {
    fn add(&mut self, result: Result<Formula, Refusal>) {
        match result {
            Ok(formula) if self.formulas.contains(&formula) => {}
            Ok(formula) => self.formulas.push(formula),
            Err(refusal) => {
                self.refusal.get_or_insert(refusal);
            }
        }
    }
}

/// All readings of a part of a sentence.
fn readings(context: &Context, symbols: &[Placed], all: &mut Readings) -> Vec<Formula> {
    let mut part = Readings::default();
    clause(context, symbols, &mut part);
    if part.formulas.is_empty()
        && let Some(refusal) = part.refusal
    {
        all.refusal.get_or_insert(refusal);
    }
    part.formulas
}

/// Adds all readings of a sequence of symbols.
pub(super) fn clause(context: &Context, symbols: &[Placed], found: &mut Readings) {
    let symbols = trim(symbols);
    if symbols.is_empty() {
        return;
    }
    simple(context, symbols, found);
    let first = &symbols[0].0;
    match first {
        Symbol::If => conditional(context, symbols, found),
        Symbol::NotThat => {
            for inner in readings(context, &symbols[1..], found) {
                found.add(Ok(inner.negated()));
            }
        }
        Symbol::Count(relation, count) => counted(context, &symbols[1..], *relation, *count, found),
        Symbol::Either => either(context, symbols, found),
        Symbol::Of | Symbol::Group(_) => {}
        _ => joined(context, symbols, found),
    }
}

/// Without commas and stops at either end.
fn trim(symbols: &[Placed]) -> &[Placed] {
    let outer = |s: &Placed| matches!(s.0, Symbol::Comma | Symbol::Stop);
    let start = symbols.iter().position(|s| !outer(s)).unwrap_or(symbols.len());
    let end = symbols.iter().rposition(|s| !outer(s)).map_or(start, |i| i + 1);
    &symbols[start..end]
}

fn pairs_of(left: &[Formula], right: &[Formula], join: impl Fn(Formula, Formula) -> Formula, found: &mut Readings) {
    for a in left {
        for b in right {
            found.add(Ok(join(a.clone(), b.clone())));
        }
    }
}

fn implies(a: Formula, b: Formula) -> Formula {
    Formula::Implies(Box::new(a), Box::new(b))
}

fn xor(a: Formula, b: Formula) -> Formula {
    Formula::Xor(Box::new(a), Box::new(b))
}

/// 'If …, then …', 'if …, …'.
fn conditional(context: &Context, symbols: &[Placed], found: &mut Readings) {
    let then = symbols.iter().position(|s| s.0 == Symbol::Then);
    let commas = (1..symbols.len()).filter(|&i| symbols[i].0 == Symbol::Comma && then.is_none());
    for at in then.into_iter().chain(commas) {
        let left = readings(context, &symbols[1..at], found);
        if !left.is_empty() {
            let right = readings(context, &symbols[at + 1..], found);
            pairs_of(&left, &right, implies, found);
        }
    }
}

/// 'Either …, or … [but not both]'.
fn either(context: &Context, symbols: &[Placed], found: &mut Readings) {
    let end = if symbols.last().is_some_and(|s| s.0 == Symbol::NotBoth) { symbols.len() - 1 } else { symbols.len() };
    for at in (1..end).filter(|&i| symbols[i].0 == Symbol::Or) {
        let left = readings(context, &symbols[1..at], found);
        if !left.is_empty() {
            let right = readings(context, &symbols[at + 1..end], found);
            pairs_of(&left, &right, xor, found);
        }
    }
}

/// 'Exactly two of these are true: …; …; …'.
fn counted(context: &Context, symbols: &[Placed], relation: Relation, count: usize, found: &mut Readings) {
    let parts: Vec<&[Placed]> =
        symbols.split(|s| s.0 == Symbol::Stop).map(trim).filter(|part| !part.is_empty()).collect();
    if parts.len() < 2 {
        return;
    }
    let mut of = Vec::new();
    for part in parts {
        let part = match part {
            [(Symbol::And | Symbol::Or, _), rest @ ..] => rest,
            whole => whole,
        };
        let mut inner = readings(context, part, found);
        if inner.len() != 1 {
            return;
        }
        of.append(&mut inner);
    }
    found.add(Ok(Formula::Count { relation, count, of }));
}

/// Two whole statements with a word between them.
fn joined(context: &Context, symbols: &[Placed], found: &mut Readings) {
    for (at, (symbol, _)) in symbols.iter().enumerate().skip(1) {
        if !matches!(
            symbol,
            Symbol::And | Symbol::Or | Symbol::Iff | Symbol::OnlyIf | Symbol::If | Symbol::Stop | Symbol::Comma
        ) {
            continue;
        }
        let left = readings(context, &symbols[..at], found);
        if left.is_empty() {
            continue;
        }
        let mut rest = &symbols[at + 1..];
        if *symbol == Symbol::Comma && !rest.iter().any(|s| s.0 == Symbol::And) {
            continue;
        }
        let not_both = *symbol == Symbol::Or && rest.last().is_some_and(|s| s.0 == Symbol::NotBoth);
        if not_both {
            rest = &rest[..rest.len() - 1];
        }
        let mut right = readings(context, rest, found);
        if right.is_empty() && *symbol == Symbol::And {
            right = about_subject(context, symbols, trim(rest), found);
        }
        match symbol {
            Symbol::And | Symbol::Stop | Symbol::Comma => {
                pairs_of(&left, &right, |a, b| Formula::all(vec![a, b]), found);
            }
            Symbol::Or if not_both => pairs_of(&left, &right, xor, found),
            Symbol::Or => pairs_of(&left, &right, |a, b| Formula::any(vec![a, b]), found),
            Symbol::Iff => pairs_of(&left, &right, |a, b| Formula::Iff(Box::new(a), Box::new(b)), found),
            Symbol::OnlyIf => pairs_of(&left, &right, implies, found),
            _ => pairs_of(&right, &left, implies, found),
        }
    }
}

/// The readings of a part without a subject of its own, 'and is next to the fox', with the sentence's first name before it.
fn about_subject(context: &Context, symbols: &[Placed], rest: &[Placed], found: &mut Readings) -> Vec<Formula> {
    let headless = matches!(
        rest.first(),
        Some((Symbol::Rel(_) | Symbol::Not | Symbol::Between(_) | Symbol::Ends | Symbol::Odd(_) | Symbol::Either, _))
    );
    let Some(subject @ (Symbol::Name(_), _)) = symbols.first().filter(|_| headless) else { return Vec::new() };
    let whole: Vec<Placed> = std::iter::once(subject.clone()).chain(rest.iter().cloned()).collect();
    readings(context, &whole, found)
}

/// Statements about names, without parts that are statements themselves.
fn simple(context: &Context, symbols: &[Placed], found: &mut Readings) {
    let (within, body) = match symbols {
        [body @ .., (Symbol::In(category), _)] => (Some(*category), body),
        body => (None, body),
    };
    let form = Form { context, within, at: symbols[0].1 };
    let plain: Vec<Symbol> = body.iter().map(|s| s.0.clone()).collect();
    if let Some(result) = form.read(&plain) {
        let result = match (result, within) {
            (Ok(formula), Some(category)) if formula.category() != Some(category) && !uses(&formula, category) => {
                let name = &context.categories[category].name;
                Err(Refusal::new(form.at, format!("nothing is compared in {name} here")))
            }
            (result, _) => result,
        };
        found.add(result);
    }
}

fn uses(formula: &Formula, category: usize) -> bool {
    let mut used = false;
    formula.visit(&mut |part| used |= part.category() == Some(category));
    used
}

struct Form<'c, 'p> {
    context: &'c Context<'p>,
    within: Option<usize>,
    at: usize,
}

type Reading = Option<Result<Formula, Refusal>>;

impl Form<'_, '_> {
    fn read(&self, symbols: &[Symbol]) -> Reading {
        use Symbol as S;
        match symbols {
            [S::Name(a), S::Name(b)] | [S::Name(a), S::SameAs, S::Name(b)] => Some(self.same(*a, *b)),
            [S::Name(a), S::Not, S::Name(b)] | [S::Name(a), S::Not, S::SameAs, S::Name(b)] => {
                Some(self.same(*a, *b).map(Formula::negated))
            }
            [S::Nobody, S::Name(a)] => Some(self.nowhere(*a)),
            [S::Name(a), S::Alike, S::Name(b)] => Some(self.same(*a, *b)),
            [S::Name(_), S::Not, S::Alike, S::Name(_)] => Some(Err(Refusal::new(
                self.at,
                "'not as … as' may mean less or only different: write 'less … than' or 'is not …'",
            ))),
            [S::Name(a), S::Rel(rel), S::Name(b)] => Some(self.related(rel, *a, *b)),
            [S::Name(a), S::Not, S::Rel(rel), S::Name(b)] => Some(self.related(rel, *a, *b).map(Formula::negated)),
            [S::Name(a), S::And, S::Name(b), S::Rel(rel)] if rel.mutual => Some(self.related(rel, *a, *b)),
            [S::Name(a), S::And, S::Name(b), S::Not, S::Rel(rel)] if rel.mutual => {
                Some(self.related(rel, *a, *b).map(Formula::negated))
            }
            [S::Name(a), S::Between(how), S::Name(b), S::And, S::Name(c)] => Some(self.between(*a, *how, [*b, *c])),
            [S::Name(a), S::Not, S::Between(how), S::Name(b), S::And, S::Name(c)] => {
                Some(self.between(*a, *how, [*b, *c]).map(Formula::negated))
            }
            [S::Gap(relation, places), S::Name(a), S::And, S::Name(b)] => Some(self.gap(*relation, *places, *a, *b)),
            [S::Name(a), S::Ends] => Some(self.ends(*a)),
            [S::Name(a), S::Not, S::Ends] => Some(self.ends(*a).map(Formula::negated)),
            [S::Name(a), S::Odd(odd)] => Some(self.odd(*a, *odd)),
            [S::Name(a), S::Not, S::Odd(odd)] => Some(self.odd(*a, *odd).map(Formula::negated)),
            [S::Name(a), S::And, S::Name(b), S::Parity(same)] | [S::Name(a), S::Parity(same), S::Name(b)] => {
                Some(self.parity(*a, *b, *same))
            }
            [S::Name(a), S::And, S::Name(b), S::SameValue(category, same)]
            | [S::Name(a), S::SameValue(category, same), S::Name(b)] => Some(Ok(self.shared(*a, *b, *category, *same))),
            [S::Name(a), S::And, S::Name(b), S::Not, S::SameValue(category, true)]
            | [S::Name(a), S::Not, S::SameValue(category, true), S::Name(b)] => {
                Some(Ok(self.shared(*a, *b, *category, false)))
            }
            [S::Of, S::Name(a), S::And, S::Name(b), rest @ ..] => self.pairs([*a, *b], rest),
            [S::HowMany(relation, count, among), rest @ ..] => self.how_many(*relation, *count, *among, rest),
            _ => self.lists(symbols),
        }
    }

    fn lists(&self, symbols: &[Symbol]) -> Reading {
        use Symbol as S;
        match symbols {
            [S::Neither, S::Name(a), S::Nor, S::Name(b), rest @ ..] => {
                let one = self.read(&[&[S::Name(*a)], rest].concat())?;
                let other = self.read(&[&[S::Name(*b)], rest].concat())?;
                Some(one.and_then(|one| Ok(Formula::all(vec![one.negated(), other?.negated()]))))
            }
            [S::Name(a), S::Neither, S::Name(b), S::Nor, S::Name(c)] => {
                let differ = |x| self.same(*a, x).map(Formula::negated);
                Some(differ(*b).and_then(|one| Ok(Formula::all(vec![one, differ(*c)?]))))
            }
            [S::Name(a), S::Either, rest @ ..] => Some(Ok(self.one_of(*a, list(rest, &S::Or)?, true))),
            [S::Either, rest @ .., S::Name(a)] => Some(Ok(self.one_of(*a, list(rest, &S::Or)?, true))),
            [S::Name(a), S::OneOf, rest @ ..] => {
                let options = list(rest, &S::And).or_else(|| list(rest, &S::Or))?;
                Some(Ok(self.one_of(*a, options, false)))
            }
            [S::Name(_), S::Not, rest @ ..] if list(rest, &S::Or).is_some() => Some(Err(Refusal::new(
                self.at,
                "'is not … or …' may mean that it is neither or that it is not both: write 'neither … nor …'",
            ))),
            [S::Group(count), rest @ ..] => {
                let terms = list(rest, &S::And)?;
                Some(self.all_different(terms, Some(*count)))
            }
            [rest @ .., S::Different(count)] => Some(self.all_different(list(rest, &S::And)?, *count)),
            [S::Name(a), S::Not, S::Different(_), S::Name(b)] => Some(self.same(*a, *b)),
            [S::Name(a), rest @ ..] if list(rest, &S::Or).is_some_and(|options| options.len() > 1) => {
                Some(Ok(self.one_of(*a, list(rest, &S::Or)?, false)))
            }
            [rest @ .., S::Name(a)] if list(rest, &S::Or).is_some_and(|options| options.len() > 1) => {
                Some(Ok(self.one_of(*a, list(rest, &S::Or)?, false)))
            }
            _ => self.apposition(symbols),
        }
    }

    /// 'Ann, who has the cat, is older than Bob.' Both parts are said of the first name. What may be a list of names is none.
    fn apposition(&self, symbols: &[Symbol]) -> Reading {
        let [name @ Symbol::Name(_), Symbol::Comma, more @ ..] = symbols else { return None };
        let comma = more.iter().position(|symbol| *symbol == Symbol::Comma)?;
        let listing = |s: &Symbol| matches!(s, Symbol::Comma | Symbol::And | Symbol::Or | Symbol::Different(_));
        let (inner, rest) = (&more[..comma], &more[comma + 1..]);
        if matches!(rest, [Symbol::Name(_)]) || inner.iter().chain(rest).any(listing) {
            return None;
        }
        let about = |part: &[Symbol]| self.read(&[std::slice::from_ref(name), part].concat());
        let (first, second) = (about(inner)?, about(rest)?);
        Some(first.and_then(|first| Ok(Formula::all(vec![first, second?]))))
    }

    fn same(&self, a: Term, b: Term) -> Result<Formula, Refusal> {
        if a.category == b.category && self.context.categories[a.category].kind != Kind::Shared {
            let category = &self.context.categories[a.category];
            let (a, b) = (&category.values[a.value].name, &category.values[b.value].name);
            let message = format!("'{a}' and '{b}' are both values of {}: what is said of them?", category.name);
            return Err(Refusal::new(self.at, message));
        }
        Ok(Formula::Same(a, b))
    }

    fn related(&self, rel: &Rel, a: Term, b: Term) -> Result<Formula, Refusal> {
        rel.apply(self.context, a, b, self.within)
    }

    /// The category of places: the one that is named, else the row.
    fn row(&self) -> Result<usize, Refusal> {
        match self.within.or_else(|| self.context.row()) {
            Some(category) => Ok(category),
            None => self.context.default_order().map_err(|message| Refusal::new(self.at, message)),
        }
    }

    fn between(&self, middle: Term, how: Option<bool>, ends: [Term; 2]) -> Result<Formula, Refusal> {
        let Some(adjacent) = how else {
            let message = "'between' may mean 'directly between' or 'somewhere between': write which";
            return Err(Refusal::new(self.at, message));
        };
        Ok(Formula::Between { middle, ends, category: self.row()?, adjacent })
    }

    fn gap(&self, relation: Relation, places: u32, left: Term, right: Term) -> Result<Formula, Refusal> {
        let by = Decimal::whole(i64::from(places) + 1).unwrap_or(Decimal::ZERO);
        let measure = Measure::Distance { by, unit: Counting::Places };
        let compare = Compare { left, right, category: self.row()?, relation, measure };
        self.context.possible(&compare).map_err(|message| Refusal::new(self.at, message))?;
        Ok(Formula::Compare(compare))
    }

    fn ends(&self, term: Term) -> Result<Formula, Refusal> {
        let category = self.row()?;
        let last = self.context.categories[category].len() - 1;
        let options = vec![Term { category, value: 0 }, Term { category, value: last }];
        Ok(self.one_of(term, options, true))
    }

    fn odd(&self, term: Term, odd: bool) -> Result<Formula, Refusal> {
        let category = self.row()?;
        let values = &self.context.categories[category];
        let fits = (0..values.len()).filter(|&v| parity(values, v) == odd);
        Ok(self.one_of(term, fits.map(|value| Term { category, value }).collect(), true))
    }

    fn parity(&self, a: Term, b: Term, same: bool) -> Result<Formula, Refusal> {
        Ok(Formula::Parity { terms: [a, b], category: self.row()?, same })
    }

    /// 'Nobody has the risotto', of a value that may be left out.
    fn nowhere(&self, term: Term) -> Result<Formula, Refusal> {
        let category = &self.context.categories[term.category];
        if category.is_functional() {
            let name = &category.values[term.value].name;
            let message =
                format!("'{name}' is somewhere: only values of [spare] and [repeated] categories may be left out");
            return Err(Refusal::new(self.at, message));
        }
        Ok(Formula::Same(term, term).negated())
    }

    /// Whether two items have one value of a category, whichever it is.
    fn shared(&self, a: Term, b: Term, category: usize, same: bool) -> Formula {
        let both = |value| {
            let value = Term { category, value };
            Formula::all(vec![Formula::Same(a, value), Formula::Same(b, value)])
        };
        let shared = Formula::any((0..self.context.categories[category].len()).map(both).collect());
        if same { shared } else { shared.negated() }
    }

    /// 'Exactly two of the singers are sopranos': what is said, of each of the items.
    fn how_many(&self, relation: Relation, count: usize, among: Among, rest: &[Symbol]) -> Reading {
        let (items, rest) = match among {
            Among::Listed => {
                let is_last = |pair: &[Symbol]| matches!(pair, [Symbol::And | Symbol::Or, Symbol::Name(_)]);
                let end = rest.windows(2).position(is_last)? + 2;
                let names = &rest[..end];
                (list(names, &Symbol::And).or_else(|| list(names, &Symbol::Or))?, &rest[end..])
            }
            Among::Category(category) => (self.items(category), rest),
            Among::Everything => {
                let exact = |c: &usize| self.context.categories[*c].kind == Kind::Exact;
                let ways = (0..self.context.categories.len()).filter(exact).map(|c| self.items(c));
                let mut readable = ways.filter(|items| matches!(self.said_of(items, rest), Some(Ok(_))));
                (readable.next().or_else(|| Some(self.items(0)))?, rest)
            }
        };
        Some(match self.said_of(&items, rest)? {
            Ok(of) => self.countable(relation, count, among, &of).map(|()| Formula::Count { relation, count, of }),
            Err(refusal) => Err(refusal),
        })
    }

    /// All values of a category.
    fn items(&self, category: usize) -> Vec<Term> {
        (0..self.context.categories[category].len()).map(|value| Term { category, value }).collect()
    }

    fn said_of(&self, items: &[Term], rest: &[Symbol]) -> Option<Result<Vec<Formula>, Refusal>> {
        items.iter().map(|&item| self.read(&[&[Symbol::Name(item)], rest].concat())).collect()
    }

    /// Whether so many can be meant.
    fn countable(&self, relation: Relation, count: usize, among: Among, of: &[Formula]) -> Result<(), Refusal> {
        let refuse = |message: String| Err(Refusal::new(self.at, message));
        if let Among::Category(c) = among
            && self.context.categories[c].kind == Kind::Repeated
        {
            let name = &self.context.categories[c].name;
            return refuse(format!("this counts values of {name}, which several may have: count the items instead"));
        }
        if count > of.len() {
            return refuse(format!("the clue speaks of {count}, and there are only {}", of.len()));
        }
        let alone = |part: &Formula| match part {
            Formula::Same(item, value) => {
                let single = [item, value]
                    .map(|t| matches!(self.context.categories[t.category].kind, Kind::Exact | Kind::Spare));
                (single == [true, true]).then_some(*value)
            }
            _ => None,
        };
        match of.first().and_then(alone) {
            Some(value) if relation != Relation::AtMost && count > 1 && among != Among::Listed => {
                let name = &self.context.categories[value.category].values[value.value].name;
                refuse(format!("'{name}' belongs to no more than one item"))
            }
            _ => Ok(()),
        }
    }

    /// 'Of A and B, one is C and the other is D.'
    fn pairs(&self, left: [Term; 2], rest: &[Symbol]) -> Reading {
        use Symbol as S;
        let rest = if let [S::Comma, rest @ ..] = rest { rest } else { rest };
        match rest {
            [S::Name(c), S::And, S::Other, S::Name(d)] | [S::Name(c), S::Comma, S::And, S::Other, S::Name(d)] => {
                Some(Ok(Formula::Pairs { left, right: [*c, *d] }))
            }
            _ => None,
        }
    }

    fn one_of(&self, term: Term, options: Vec<Term>, exclusive: bool) -> Formula {
        Formula::OneOf { term, options, exclusive }
    }

    fn all_different(&self, terms: Vec<Term>, count: Option<usize>) -> Result<Formula, Refusal> {
        match count {
            Some(count) if count != terms.len() => {
                let message = format!("the clue says {count} and names {}", terms.len());
                Err(Refusal::new(self.at, message))
            }
            _ => Ok(Formula::AllDifferent(terms)),
        }
    }
}

/// Names separated by commas, with the connective before the last: `A, B, or C`. One name alone is a list too.
fn list(symbols: &[Symbol], connective: &Symbol) -> Option<Vec<Term>> {
    let mut terms = Vec::new();
    let mut rest = symbols;
    loop {
        let [Symbol::Name(term), after @ ..] = rest else { return None };
        terms.push(*term);
        rest = match after {
            [] => break,
            [Symbol::Comma, next, more @ ..] if next == connective => more,
            [Symbol::Comma, more @ ..] => more,
            [next, more @ ..] if next == connective => more,
            _ => return None,
        };
    }
    (terms.len() > 1).then_some(terms)
}
