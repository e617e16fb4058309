//! The literals of `--assume`.

use crate::failure::Failure;
use putnam_formats::Document;
use putnam_formula::Lit;

/// The literals that these texts mean: numbers as in DIMACS, or names of the input's atoms, negated by `-`, `~` or `!`.
///
/// # Errors
/// [`Failure::Usage`] for what is neither, [`Failure::Input`] for a variable that the formula does not have.
pub(super) fn resolve(texts: &[String], document: &Document) -> Result<Vec<Lit>, Failure> {
    texts.iter().map(|text| literal(text.trim(), document)).collect()
}

fn literal(text: &str, document: &Document) -> Result<Lit, Failure> {
    if let Ok(number) = text.parse::<i64>() {
        let lit = i32::try_from(number).ok().and_then(Lit::from_dimacs);
        let lit = lit.ok_or_else(|| Failure::Usage(format!("--assume {text}: this is no literal")))?;
        let variables = document.cnf.num_vars();
        if lit.var().to_dimacs() > variables {
            return Err(Failure::Input(format!("--assume {text}: the formula has {variables} variables")));
        }
        return Ok(lit);
    }
    let name = text.trim_start_matches(['-', '~', '!']);
    let negations = text.len() - name.len();
    if negations > 1 || name.is_empty() {
        return Err(Failure::Usage(format!("--assume {text}: this is no literal; write a number such as 3 or -3")));
    }
    match document.symbols.var(name) {
        Some(var) => Ok(var.lit(negations == 0)),
        None if document.symbols.is_empty() => Err(Failure::Usage(format!(
            "--assume {text}: this is no number, and the input names no atoms; write a number such as 3 or -3"
        ))),
        None => Err(Failure::Input(format!("--assume {text}: the input has no atom of this name"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use putnam_formats::{ReadOptions, read_from};

    #[test]
    fn numbers_and_names_are_literals() {
        let text = "c 1 Peg(1,1)\np cnf 3 1\n1 -3 0\n";
        let document = read_from(text.as_bytes(), "f", &ReadOptions::default()).unwrap();
        let value = |text: &str| literal(text, &document).map(Lit::to_dimacs);
        assert_eq!(value("-3").unwrap(), -3);
        assert_eq!(value("+2").unwrap(), 2);
        assert_eq!(value("Peg(1,1)").unwrap(), 1);
        assert_eq!(value("~Peg(1,1)").unwrap(), -1);
        for bad in ["0", "-0", "99999999999", "4", "--3", "", "-", "x", "1.5"] {
            assert!(value(bad).is_err(), "{bad}");
        }
    }
}
