//! The lines that declare categories.

use super::Refusal;
use crate::number::Decimal;
use crate::puzzle::{Category, Kind, MAX_VALUES, Unit, Value};
use nom::branch::alt;
use nom::bytes::complete::{tag, tag_no_case, take_till, take_while1};
use nom::character::complete::{char, digit1, multispace0, multispace1};
use nom::combinator::{all_consuming, map, opt, recognize};
use nom::multi::{many0, separated_list1};
use nom::sequence::{delimited, preceded, terminated};
use nom::{IResult, Parser};

const KINDS: [(&str, Kind); 3] = [("spare", Kind::Spare), ("repeated", Kind::Repeated), ("shared", Kind::Shared)];

/// Blanks around a parser.
fn spaced<'a, O, P>(parser: P) -> impl Parser<&'a str, Output = O, Error = nom::error::Error<&'a str>>
where
    P: Parser<&'a str, Output = O, Error = nom::error::Error<&'a str>>,
{
    delimited(multispace0, parser, multispace0)
}

/// The rest of the line behind `clues`: `:` or `(exactly 1 false):`, and how many are false.
pub(super) fn clues_head(text: &str) -> Result<usize, Refusal> {
    let number = map(digit1, |digits: &str| digits.parse::<usize>().ok());
    let false_ones = delimited(
        spaced(char('(')),
        delimited((tag_no_case("exactly"), multispace1), number, (multispace1, tag_no_case("false"))),
        spaced(char(')')),
    );
    let parsed: IResult<&str, Option<Option<usize>>> =
        all_consuming(terminated(opt(false_ones), spaced(char(':')))).parse(text);
    match parsed {
        Ok((_, None)) => Ok(0),
        Ok((_, Some(Some(count)))) => Ok(count),
        _ => Err(Refusal::new(0, "expected 'clues:' or 'clues (exactly 1 false):'; clues begin on the next line")),
    }
}

/// One category: `name (unit, unit=factor) [kind]: values`.
pub(super) fn category(text: &str) -> Result<Category, Refusal> {
    let Some(colon) = text.find(':') else {
        return Err(Refusal::new(0, "expected 'category: value, value, …', 'order by' or 'clues:'"));
    };
    let (head, body) = (&text[..colon], &text[colon + 1..]);
    let (name, units, kind) = head_of_category(head)?;
    let at = colon + 1 + (body.len() - body.trim_start().len());
    let shift = |r: Refusal| Refusal::new(at + r.at, r.message);
    let (names, less, numbers) = values(body.trim()).map_err(shift)?;
    let mut category = Category { name, units, values: names, ordered: less, numbers: None, kind };
    number_values(&mut category, less, &numbers).map_err(shift)?;
    for value in category.values.iter_mut().filter(|v| v.name == "*") {
        value.name = format!("other {}", category.name);
    }
    super::check_names(&category).map_err(|message| Refusal::new(at, message))?;
    Ok(category)
}

type Units<'a> = Vec<(&'a str, Option<&'a str>)>;

fn head_of_category(head: &str) -> Result<(String, Vec<Unit>, Kind), Refusal> {
    let word = |stop: &'static str| take_while1(move |c: char| !stop.contains(c));
    let factor = preceded(spaced(char('=')), recognize((digit1, opt((char('.'), digit1)))));
    let unit = (word("=,()[]"), opt(factor));
    let units = delimited(char('('), separated_list1(spaced(char(',')), unit), spaced(char(')')));
    let kind = delimited(char('['), word("]"), spaced(char(']')));
    let parsed: IResult<&str, (&str, Option<Units>, Option<&str>)> =
        all_consuming((word("()[],=<"), opt(units), opt(kind))).parse(head);
    let Ok((_, (name, units, kind))) = parsed else {
        let message = "expected 'name: values', 'name (unit, unit=factor): values' or 'name [spare]: values'";
        return Err(Refusal::new(0, message));
    };
    if name.trim().is_empty() {
        return Err(Refusal::new(0, "the category has no name"));
    }
    let mut read = Vec::new();
    for (word, factor) in units.unwrap_or_default() {
        let factor = factor.map_or(Decimal::whole(1), |text| Decimal::parse(text.trim()));
        let Some(factor) = factor.filter(|f| *f > Decimal::ZERO) else {
            return Err(Refusal::new(
                0,
                format!("the factor of the unit '{}' is too large or not positive", word.trim()),
            ));
        };
        read.push(Unit { word: word.trim().to_lowercase(), factor });
    }
    let kind = match kind.map(|k| k.trim().to_lowercase()) {
        None => Kind::Exact,
        Some(word) => match KINDS.iter().find(|(name, _)| *name == word) {
            Some((_, kind)) => *kind,
            None => {
                return Err(Refusal::new(0, format!("[{word}] means nothing here: [spare], [repeated] or [shared]")));
            }
        },
    };
    Ok((name.trim().to_owned(), read, kind))
}

/// A value's text: quoted, or up to one of the separators.
fn value_text(input: &str) -> IResult<&str, &str> {
    alt((
        delimited(char('"'), take_till(|c| c == '"'), char('"')),
        map(take_while1(|c: char| !",<=\"[]".contains(c)), str::trim),
    ))
    .parse(input)
}

/// `name [number] = other spelling = …`
fn value(input: &str) -> IResult<&str, (Value, Option<&str>)> {
    let number = delimited(spaced(char('[')), take_till(|c| c == ']'), spaced(char(']')));
    let (rest, (first, number)) = (value_text, opt(number)).parse(input)?;
    let (rest, aliases) = many0(preceded(spaced(char('=')), value_text)).parse(rest)?;
    let joined = |name: &str| name.split_whitespace().collect::<Vec<_>>().join(" ");
    Ok((rest, (Value { name: joined(first), aliases: aliases.into_iter().map(joined).collect() }, number)))
}

/// The values, whether '<' stands between them, and their numbers as far as they are given in brackets.
type Values = (Vec<Value>, bool, Vec<Option<Decimal>>);

fn values(text: &str) -> Result<Values, Refusal> {
    if let Some(range) = range(text)? {
        return Ok((range, true, Vec::new()));
    }
    let less = text.contains('<') && !text.contains('"');
    let separator = if less { '<' } else { ',' };
    let parsed: IResult<&str, Vec<(Value, Option<&str>)>> = separated_list1(spaced(char(separator)), value).parse(text);
    let (rest, values) = parsed.unwrap_or((text, Vec::new()));
    if !rest.trim().is_empty() {
        let message = if less { "values are separated by '<' here" } else { "expected a value, ',' or '='" };
        return Err(Refusal::new(text.len() - rest.len(), message));
    }
    if values.len() < 2 || values.iter().any(|(v, _)| v.name.is_empty()) {
        return Err(Refusal::new(text.len(), "a category has at least two values, separated by commas"));
    }
    let mut numbers = Vec::new();
    for (value, number) in &values {
        let read = number.and_then(|text| Decimal::parse(text.trim()));
        if number.is_some() && read.is_none() {
            return Err(Refusal::new(0, format!("what stands in brackets behind '{}' is no number", value.name)));
        }
        numbers.push(read);
    }
    Ok((values.into_iter().map(|(value, _)| value).collect(), less, numbers))
}

/// `1..5` or `10..50 by 10`.
fn range(text: &str) -> Result<Option<Vec<Value>>, Refusal> {
    fn number(input: &str) -> IResult<&str, &str> {
        recognize((opt(char('-')), digit1)).parse(input)
    }
    let step = preceded((multispace1, tag_no_case("by"), multispace1), number);
    let parsed: IResult<&str, (&str, &str, Option<&str>)> =
        all_consuming((number, preceded(spaced(tag("..")), number), opt(step))).parse(text);
    let Ok((_, (low, high, step))) = parsed else { return Ok(None) };
    let ends = (low.parse::<i32>(), high.parse::<i32>(), step.unwrap_or("1").parse::<i32>());
    let (Ok(low), Ok(high), Ok(step)) = ends else { return Err(Refusal::new(0, "a number in the range is too large")) };
    if step <= 0 || low >= high {
        return Err(Refusal::new(0, "a range goes up, as in '1..5' or '10..50 by 10'"));
    }
    if (i64::from(high) - i64::from(low)) / i64::from(step) >= MAX_VALUES as i64 {
        let message = format!("the range has more than {MAX_VALUES} values");
        return Err(Refusal::new(0, message));
    }
    let numbers = (low..=high).step_by(step as usize);
    Ok(Some(numbers.map(|n| Value { name: n.to_string(), aliases: Vec::new() }).collect()))
}

/// The number that a value starts with, behind a currency sign: a decimal, or a time of day `7:30pm` in minutes; and what
/// follows it.
pub(crate) fn leading_number(text: &str) -> Option<(Decimal, &str)> {
    let text = text.trim_start_matches(['$', '£', '€']).trim_start();
    let parsed: IResult<&str, &str> = recognize((opt(char('-')), digit1, opt((char('.'), digit1)))).parse(text);
    let (rest, digits) = parsed.ok()?;
    if let Some(minutes) = rest.strip_prefix(':').and_then(|r| r.get(..2)).and_then(|m| m.parse::<i64>().ok()) {
        let hours = digits.parse::<i64>().ok().filter(|h| (0..=24).contains(h))?;
        let rest = &rest[3..];
        let half = rest.trim_start().to_lowercase();
        let hours = match (half.starts_with("pm"), half.starts_with("am"), hours) {
            (true, _, 1..=11) => hours + 12,
            (_, true, 12) => 0,
            _ => hours,
        };
        return Some((Decimal::whole(hours * 60 + minutes)?, rest));
    }
    Some((Decimal::parse(digits)?, rest))
}

/// Gives numbers to the values if all start with one and they increase; and units that are evident.
fn number_values(category: &mut Category, declared: bool, given: &[Option<Decimal>]) -> Result<(), Refusal> {
    if given.iter().any(Option::is_some) {
        let numbers: Option<Vec<Decimal>> = given.iter().copied().collect();
        let Some(numbers) = numbers.filter(|n| n.windows(2).all(|w| w[0] < w[1])) else {
            return Err(Refusal::new(0, "either every value has a number in brackets, in ascending order, or none"));
        };
        category.ordered = true;
        category.numbers = Some(numbers);
        return Ok(());
    }
    let found: Option<Vec<(Decimal, &str)>> = category.values.iter().map(|v| leading_number(&v.name)).collect();
    let Some(found) = found else { return Ok(()) };
    let numbers: Vec<Decimal> = found.iter().map(|f| f.0).collect();
    if !numbers.windows(2).all(|w| w[0] < w[1]) {
        if declared {
            return Err(Refusal::new(0, "the numbers of an ordered category increase from left to right"));
        }
        return Ok(());
    }
    let clock = category.values.iter().any(|v| v.name.contains(':'));
    let rest = found[0].1.trim().to_lowercase();
    let same_rest = !clock && !rest.is_empty() && found.iter().all(|f| f.1.trim().to_lowercase() == rest);
    if category.units.is_empty() && clock {
        let unit = |word: &str, factor| Decimal::whole(factor).map(|factor| Unit { word: word.into(), factor });
        category.units.extend(unit("minute", 1).into_iter().chain(unit("minutes", 1)));
        category.units.extend(unit("hour", 60).into_iter().chain(unit("hours", 60)));
    } else if category.units.is_empty() && same_rest {
        category.units.extend(Decimal::whole(1).map(|factor| Unit { word: rest, factor }));
    }
    category.ordered = true;
    category.numbers = Some(numbers);
    Ok(())
}
