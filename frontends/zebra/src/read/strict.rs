//! The strict form of clues, which says exactly what it says:
//!
//! ```text
//! A = B    A != B    A < B in C    A = B + k in C    A >= B - k places in C    |A - B| = k in C
//! |A - B| = |D - E| in C           A = 2 * B in C    A = 1/2 * B in C          parity(A) = parity(B) in C
//! A in {B, D}    A one of {B, D}   A between B, D in C    A directly between B, D in C
//! distinct(A, B, D)                {A, B} = {D, E}
//! F and F    F or F    F xor F    not F    F -> F    F <-> F    exactly k of (F, F, F)    at least k of (..)    at most k of (..)
//! every x in C: F    some x in C: F    exactly k of (x in C: F)
//! ```
//!
//! A, B, D, E are names, `category:name` or `"name"`; C is an ordered category, which may be left out when there is only one.
//! `in` means at least one of, `one of` exactly one of. `not` binds most, then `and`, `xor`, `or`, `->`, `<->`.

use super::names::Style;
use super::{Context, Refusal};
use crate::formula::{Compare, Counting, Formula, Measure, Relation};
use crate::number::Decimal;
use crate::puzzle::Term;
use nom::branch::alt;
use nom::bytes::complete::{tag, tag_no_case, take_till, take_while1};
use nom::character::complete::{char, digit1, multispace0};
use nom::combinator::{not, opt, recognize, value};
use nom::error::{ErrorKind, ParseError};
use nom::multi::{fold_many0, separated_list1};
use nom::sequence::{delimited, preceded, terminated};
use nom::{IResult, Parser};
use std::cell::{Cell, RefCell};

/// How deep formulas may be nested, and how many parts they may have once quantifiers are written out: far beyond any
/// clue, and far below what exhausts the stack or the memory.
const MAX_DEPTH: usize = 64;
const MAX_PARTS: usize = 5_000;

/// Why a name is refused that nothing has.
pub(super) const NO_VALUE: &str = "there is no value with this name";

/// Whether the text can only have been meant as strict.
pub(super) fn looks_strict(text: &str) -> bool {
    text.contains(['=', '<', '>', '{', '|']) || ["distinct(", "parity("].iter().any(|head| text.contains(head))
}

/// The meaning of a clue in strict form.
pub(super) fn formula(context: &Context, text: &str) -> Result<Formula, Refusal> {
    let parser = Strict { context, bound: RefCell::new(Vec::new()), depth: Cell::new(0), parts: Cell::new(0) };
    let at = |rest: &str| text.len() - rest.trim_start().len();
    match terminated(|i| parser.iff(i), (multispace0, opt(char('.')), multispace0)).parse(text) {
        Ok(("", formula)) => Ok(formula),
        Ok((rest, _)) => Err(Refusal::new(at(rest), "this does not belong to the clue's strict form")),
        Err(nom::Err::Error(fail) | nom::Err::Failure(fail)) => Err(Refusal::new(at(fail.rest), fail.message)),
        Err(nom::Err::Incomplete(_)) => Err(Refusal::new(text.len(), "the clue is incomplete")),
    }
}

#[derive(Debug)]
struct Fail<'a> {
    rest: &'a str,
    message: String,
}

impl<'a> ParseError<&'a str> for Fail<'a> {
    fn from_error_kind(rest: &'a str, _: ErrorKind) -> Self {
        Fail { rest, message: "the strict form expects a name or a formula here".into() }
    }

    fn append(_: &'a str, _: ErrorKind, other: Self) -> Self {
        other
    }

    /// Of two failures the one that came further.
    fn or(self, other: Self) -> Self {
        if other.rest.len() < self.rest.len() { other } else { self }
    }
}

type Parsed<'a, T> = IResult<&'a str, T, Fail<'a>>;

fn fail<'a, T>(rest: &'a str, message: impl Into<String>) -> Parsed<'a, T> {
    Err(nom::Err::Failure(Fail { rest, message: message.into() }))
}

fn word<'a>(word: &'static str) -> impl Parser<&'a str, Output = &'a str, Error = Fail<'a>> {
    delimited(multispace0, tag_no_case(word), not(take_while1(|c: char| c.is_alphanumeric() || c == '_')))
}

fn sign<'a>(sign: &'static str) -> impl Parser<&'a str, Output = &'a str, Error = Fail<'a>> {
    preceded(multispace0, tag(sign))
}

fn decimal(input: &str) -> Parsed<'_, Decimal> {
    let (rest, digits) = preceded(multispace0, recognize((digit1, opt((char('.'), digit1))))).parse(input)?;
    match Decimal::parse(digits) {
        Some(number) => Ok((rest, number)),
        None => fail(input, "the number is too large or too fine"),
    }
}

fn count(input: &str) -> Parsed<'_, usize> {
    let (rest, digits) = preceded(multispace0, digit1).parse(input)?;
    match digits.parse() {
        Ok(number) => Ok((rest, number)),
        Err(_) => fail(input, "the number is too large"),
    }
}

fn relation(input: &str) -> Parsed<'_, Relation> {
    alt((
        value(Relation::AtMost, sign("<=")),
        value(Relation::AtLeast, sign(">=")),
        value(Relation::Less, sign("<")),
        value(Relation::Greater, sign(">")),
        value(Relation::Equal, sign("=")),
    ))
    .parse(input)
}

/// A number and what it counts, in the words of the clue.
#[derive(Clone, Copy)]
struct Amount<'a> {
    by: Decimal,
    unit: Option<&'a str>,
}

struct Strict<'c, 'p> {
    context: &'c Context<'p>,
    /// The variables of quantifiers around the place, with their current values.
    bound: RefCell<Vec<(String, Term)>>,
    /// Negations, implications and brackets around the place.
    depth: Cell<usize>,
    /// Parts that were read so far.
    parts: Cell<usize>,
}

impl Strict<'_, '_> {
    /// Reads one level deeper, within the bounds.
    fn deeper<'a>(&self, input: &'a str, read: impl FnOnce() -> Parsed<'a, Formula>) -> Parsed<'a, Formula> {
        self.parts.set(self.parts.get() + 1);
        if self.depth.get() == MAX_DEPTH {
            return fail(input, format!("the clue is nested more than {MAX_DEPTH} levels deep"));
        }
        if self.parts.get() > MAX_PARTS {
            return fail(
                input,
                format!("the clue has more than {MAX_PARTS} parts once its quantifiers are written out"),
            );
        }
        self.depth.set(self.depth.get() + 1);
        let result = read();
        self.depth.set(self.depth.get() - 1);
        result
    }

    fn iff<'a>(&self, input: &'a str) -> Parsed<'a, Formula> {
        let (rest, first) = self.implies(input)?;
        let join = |a, b| Formula::Iff(Box::new(a), Box::new(b));
        let more = preceded(sign("<->"), |i| self.implies(i));
        // `fold_many0` wants an initial value that can be made again.
        fold_many0(more, || first.clone(), join).parse(rest)
    }

    fn implies<'a>(&self, input: &'a str) -> Parsed<'a, Formula> {
        let (rest, first) = self.or(input)?;
        let (rest, then) = opt(preceded(sign("->"), |i| self.deeper(i, || self.implies(i)))).parse(rest)?;
        Ok((
            rest,
            match then {
                Some(then) => Formula::Implies(Box::new(first), Box::new(then)),
                None => first,
            },
        ))
    }

    fn or<'a>(&self, input: &'a str) -> Parsed<'a, Formula> {
        let (rest, parts) = separated_list1(word("or"), |i| self.xor(i)).parse(input)?;
        Ok((rest, Formula::any(parts)))
    }

    fn xor<'a>(&self, input: &'a str) -> Parsed<'a, Formula> {
        let (rest, first) = self.and(input)?;
        let join = |a, b| Formula::Xor(Box::new(a), Box::new(b));
        fold_many0(preceded(word("xor"), |i| self.and(i)), || first.clone(), join).parse(rest)
    }

    fn and<'a>(&self, input: &'a str) -> Parsed<'a, Formula> {
        let (rest, parts) = separated_list1(word("and"), |i| self.unary(i)).parse(input)?;
        Ok((rest, Formula::all(parts)))
    }

    fn unary<'a>(&self, input: &'a str) -> Parsed<'a, Formula> {
        self.deeper(input, || self.operand(input))
    }

    fn operand<'a>(&self, input: &'a str) -> Parsed<'a, Formula> {
        if let Ok((rest, _)) = word("not").parse(input) {
            let (rest, inner) = self.unary(rest)?;
            return Ok((rest, inner.negated()));
        }
        alt((
            delimited(sign("("), |i| self.iff(i), sign(")")),
            |i| self.quantified(i),
            |i| self.counted(i),
            |i| self.distinct(i),
            |i| self.parity(i),
            |i| self.pairs(i),
            |i| self.distance(i),
            |i| self.comparison(i),
        ))
        .parse(input)
    }

    fn quantified<'a>(&self, input: &'a str) -> Parsed<'a, Formula> {
        let (rest, every) = alt((value(true, word("every")), value(false, word("some")))).parse(input)?;
        let (rest, parts) = self.of_each(rest)?;
        Ok((rest, if every { Formula::all(parts) } else { Formula::any(parts) }))
    }

    /// `x in C: F`, written out for each value of C.
    fn of_each<'a>(&self, input: &'a str) -> Parsed<'a, Vec<Formula>> {
        let name = preceded(multispace0, take_while1(|c: char| c.is_alphanumeric() || c == '_'));
        let (rest, name) = terminated(name, (word("in"), not(sign("{")))).parse(input)?;
        let (rest, category) = self.category(rest)?;
        let (body, _) = sign(":").parse(rest)?;
        let (mut after, mut parts) = (body, Vec::new());
        for value in 0..self.context.categories[category].len() {
            self.bound.borrow_mut().push((name.to_lowercase(), Term { category, value }));
            let part = self.iff(body);
            self.bound.borrow_mut().pop();
            let (rest, part) = part?;
            after = rest;
            parts.push(part);
        }
        Ok((after, parts))
    }

    fn counted<'a>(&self, input: &'a str) -> Parsed<'a, Formula> {
        let relation = alt((
            value(Relation::Equal, word("exactly")),
            value(Relation::AtLeast, (word("at"), word("least"))),
            value(Relation::AtMost, (word("at"), word("most"))),
        ));
        let (rest, (relation, count)) = terminated((relation, count), word("of")).parse(input)?;
        let list = separated_list1(sign(","), |i| self.iff(i));
        let (rest, of) = delimited(sign("("), alt((|i| self.of_each(i), list)), sign(")")).parse(rest)?;
        Ok((rest, Formula::Count { relation, count, of }))
    }

    fn distinct<'a>(&self, input: &'a str) -> Parsed<'a, Formula> {
        let (rest, _) = (word("distinct"), sign("(")).parse(input)?;
        let (rest, terms) = terminated(separated_list1(sign(","), |i| self.term(i)), sign(")")).parse(rest)?;
        Ok((rest, Formula::AllDifferent(terms)))
    }

    fn parity<'a>(&self, input: &'a str) -> Parsed<'a, Formula> {
        let of = || preceded(word("parity"), delimited(sign("("), |i| self.term(i), sign(")")));
        let same = alt((value(false, sign("!=")), value(true, sign("="))));
        let (rest, (a, same, b)) = (of(), same, of()).parse(input)?;
        let (rest, category) = self.in_category(input, rest)?;
        Ok((rest, Formula::Parity { terms: [a, b], category, same }))
    }

    fn pairs<'a>(&self, input: &'a str) -> Parsed<'a, Formula> {
        let two = || (preceded(sign("{"), |i| self.term(i)), delimited(sign(","), |i| self.term(i), sign("}")));
        let (rest, ((a, b), _, (c, d))) = (two(), sign("="), two()).parse(input)?;
        Ok((rest, Formula::Pairs { left: [a, b], right: [c, d] }))
    }

    fn distance<'a>(&self, input: &'a str) -> Parsed<'a, Formula> {
        let two = || {
            let (a, b) = (|i| self.term(i), |i| self.term(i));
            delimited(sign("|"), (terminated(a, sign("-")), b), sign("|"))
        };
        let (rest, ((left, right), relation)) = (two(), relation).parse(input)?;
        if let (rest, Some((c, d))) = opt(two()).parse(rest)? {
            if relation != Relation::Equal {
                return fail(rest, "two distances can only be equal");
            }
            let (rest, category) = self.in_category(input, rest)?;
            return Ok((rest, Formula::EqualDistance { pairs: [[left, right], [c, d]], category }));
        }
        let start = rest;
        let (rest, amount) = self.amount(rest)?;
        let (rest, category) = self.in_category(input, rest)?;
        let (by, unit) = self.counted_in(start, amount, category)?;
        self.compare(start, rest, Compare { left, right, category, relation, measure: Measure::Distance { by, unit } })
    }

    /// A comparison must be possible: an amount that no two values have is a mistake.
    fn compare<'a>(&self, at: &'a str, rest: &'a str, compare: Compare) -> Parsed<'a, Formula> {
        match self.context.possible(&compare) {
            Ok(()) => Ok((rest, Formula::Compare(compare))),
            Err(message) => fail(at, message),
        }
    }

    fn comparison<'a>(&self, input: &'a str) -> Parsed<'a, Formula> {
        let (rest, left) = self.term(input)?;
        if let Ok((rest, exclusive)) =
            alt((value(false, (word("in"), sign("{"))), value(true, (word("one"), word("of"), sign("{"))))).parse(rest)
        {
            let list = separated_list1(sign(","), |i| self.term(i));
            let (rest, options) = terminated(list, sign("}")).parse(rest)?;
            return Ok((rest, Formula::OneOf { term: left, options, exclusive }));
        }
        if let Ok((rest, directly)) = terminated(opt(word("directly")), word("between")).parse(rest) {
            let (b, c) = (|i| self.term(i), |i| self.term(i));
            let (rest, (b, _, c)) = (b, sign(","), c).parse(rest)?;
            let (rest, category) = self.in_category(input, rest)?;
            let adjacent = directly.is_some();
            return Ok((rest, Formula::Between { middle: left, ends: [b, c], category, adjacent }));
        }
        if let Ok((rest, _)) = sign("!=").parse(rest) {
            let (rest, right) = self.term(rest)?;
            return Ok((rest, Formula::Not(Box::new(Formula::Same(left, right)))));
        }
        let (rest, relation) = relation(rest)?;
        if let Ok((rest, (times, over))) = terminated((count, opt(preceded(sign("/"), count))), sign("*")).parse(rest) {
            return self.ratio(input, rest, (left, relation), (times, over.unwrap_or(1)));
        }
        let (rest, right) = self.term(rest)?;
        let (after, plus) =
            opt(alt((value(true, sign("+")), value(false, (not(sign("->")), sign("-")))))).parse(rest)?;
        let Some(plus) = plus else {
            if relation == Relation::Equal && word("in").parse(rest).is_err() {
                return Ok((rest, Formula::Same(left, right)));
            }
            let (rest, category) = self.in_category(input, rest)?;
            return self.compare(input, rest, Compare::order(left, relation, right, category));
        };
        let (rest, amount) = self.amount(after)?;
        let (rest, category) = self.in_category(input, rest)?;
        let (by, unit) = self.counted_in(after, amount, category)?;
        let measure = Measure::Difference { by: if plus { by } else { -by }, unit };
        self.compare(after, rest, Compare { left, right, category, relation, measure })
    }

    fn ratio<'a>(
        &self,
        input: &'a str,
        rest: &'a str,
        (left, relation): (Term, Relation),
        (times, over): (usize, usize),
    ) -> Parsed<'a, Formula> {
        let (rest, right) = self.term(rest)?;
        let (rest, category) = self.in_category(input, rest)?;
        let (Some(times), Some(over)) = (small(times), small(over)) else {
            return fail(input, "a factor is a positive number below a million");
        };
        let measure = Measure::Ratio { times, over };
        self.compare(input, rest, Compare { left, right, category, relation, measure })
    }

    fn amount<'a>(&self, input: &'a str) -> Parsed<'a, Amount<'a>> {
        let (rest, by) = decimal(input)?;
        let unit = preceded(multispace0, take_while1(|c: char| c.is_alphabetic()));
        let (after, unit) = opt(unit).parse(rest)?;
        match unit {
            Some(unit) if !["in", "and", "or", "xor"].contains(&unit.to_lowercase().as_str()) => {
                Ok((after, Amount { by, unit: Some(unit) }))
            }
            _ => Ok((rest, Amount { by, unit: None })),
        }
    }

    fn counted_in<'a>(
        &self,
        at: &'a str,
        amount: Amount<'_>,
        category: usize,
    ) -> Result<(Decimal, Counting), nom::Err<Fail<'a>>> {
        self.context
            .amount(category, amount.by, amount.unit)
            .map_err(|message| nom::Err::Failure(Fail { rest: at, message }))
    }

    /// `in C`, or nothing when only one category can be meant.
    fn in_category<'a>(&self, clue: &'a str, input: &'a str) -> Parsed<'a, usize> {
        let Ok((rest, _)) = word("in").parse(input) else {
            return match self.context.default_order() {
                Ok(category) => Ok((input, category)),
                Err(message) => fail(clue, message),
            };
        };
        let (after, category) = self.category(rest)?;
        if !self.context.categories[category].ordered {
            return fail(rest, format!("'{}' has no order", self.context.categories[category].name));
        }
        Ok((after, category))
    }

    fn category<'a>(&self, input: &'a str) -> Parsed<'a, usize> {
        let (rest, _) = multispace0.parse(input)?;
        match self.context.names.category(rest, 0, Style::Strict) {
            Some((category, end)) => Ok((&rest[end..], category)),
            None => {
                let known = self.context.listed(0..self.context.categories.len());
                fail(rest, format!("expected a category: {known}"))
            }
        }
    }

    fn term<'a>(&self, input: &'a str) -> Parsed<'a, Term> {
        let (rest, _) = multispace0.parse(input)?;
        if let Some(found) = self.bound_term(rest) {
            return Ok(found);
        }
        let quoted: Parsed<'_, &str> = delimited(char('"'), take_till(|c| c == '"'), char('"')).parse(rest);
        let (after, found) = match quoted {
            Ok((after, name)) => {
                (after, self.context.names.find(name, 0, Style::Strict).filter(|f| f.end == name.len()))
            }
            Err(_) => match self.context.names.find(rest, 0, Style::Strict) {
                Some(found) => (&rest[found.end..], Some(found)),
                None => return self.quoted_in_category(rest),
            },
        };
        match found.as_ref().map(|f| &f.terms[..]) {
            Some(&[term]) => Ok((after, term)),
            Some(terms) => fail(rest, self.context.ambiguous(terms)),
            None => Err(nom::Err::Error(Fail { rest, message: NO_VALUE.into() })),
        }
    }

    /// `category:"name"`.
    fn quoted_in_category<'a>(&self, input: &'a str) -> Parsed<'a, Term> {
        let unknown = || nom::Err::Error(Fail { rest: input, message: NO_VALUE.into() });
        let (category, end) = self.context.names.category(input, 0, Style::Strict).ok_or_else(unknown)?;
        let quoted = delimited(char('"'), take_till(|c| c == '"'), char('"'));
        let (rest, name): (&str, &str) = preceded(sign(":"), preceded(multispace0, quoted)).parse(&input[end..])?;
        let lower = name.to_lowercase();
        let known = &self.context.categories[category].values;
        let value = known.iter().position(|v| v.name.to_lowercase() == lower).ok_or_else(unknown)?;
        Ok((rest, Term { category, value }))
    }

    fn bound_term<'a>(&self, input: &'a str) -> Option<(&'a str, Term)> {
        let name = input.split(|c: char| !c.is_alphanumeric() && c != '_').next()?;
        let bound = self.bound.borrow();
        let (_, term) = bound.iter().rev().find(|(known, _)| *known == name.to_lowercase())?;
        Some((&input[name.len()..], *term))
    }
}

fn small(number: usize) -> Option<u32> {
    u32::try_from(number).ok().filter(|n| (1..1_000_000).contains(n))
}
