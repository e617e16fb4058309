//! `putnam extend`: from a model of a simplified formula to one of the original.

use crate::failure::Failure;
use crate::output::{Target, refuse_to_overwrite, warn};
use crate::reconstruction::{Reconstruction, fingerprint};
use crate::values::ReadingArgs;
use clap::Args;
use putnam_formats::{
    Answer, AnswerFile, ReadOptions, Verdict, open_text, read_answer_file, read_path, write_assignment_answer,
    write_competition,
};
use putnam_formula::Model;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// What the command is for.
pub(crate) const ABOUT: &str = "Turns a model of a simplified formula into one of the original";

/// Arguments of `putnam extend`.
#[derive(Args, Clone, Debug)]
#[command(about = ABOUT, after_help = "\
The answer may be that of any solver: `s` and `v` lines or another of the usual forms. That there is no model, or that it is \
unknown, holds for the original too and is printed again.

The model is checked against every clause of the original before it is printed. The original is the file that was simplified, \
under the name that it had then, or --formula.

Exit codes: 10 satisfiable, 20 unsatisfiable, 0 unknown; 1 bad input or file, 2 bad usage.

Examples:
  putnam solve --simplify-only formula.cnf --output small.cnf
  kissat small.cnf | putnam extend small.cnf.reconstruction
  putnam extend small.cnf.reconstruction answer.txt --formula moved/formula.cnf.xz")]
pub(crate) struct ExtendArgs {
    /// The file that `putnam solve --simplify-only` wrote beside the simplified formula
    #[arg(value_name = "RECONSTRUCTION")]
    reconstruction: PathBuf,
    /// A solver's answer for the simplified formula; - is standard input
    #[arg(value_name = "ANSWER", default_value = "-")]
    answer: PathBuf,
    /// The original formula, if it is not where it was
    #[arg(long, value_name = "FILE", conflicts_with = "no_check")]
    formula: Option<PathBuf>,
    /// Do not check the model against the original formula, which need not be there then
    #[arg(long)]
    no_check: bool,
    #[command(flatten)]
    reading: ReadingArgs,
    /// Write the answer to this file instead of standard output
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Print no warnings
    #[arg(long, short)]
    quiet: bool,
}

/// Runs the command.
pub(crate) fn run(args: &ExtendArgs) -> Result<ExitCode, Failure> {
    let stdin = Path::new("-");
    if args.reconstruction == stdin && args.answer == stdin {
        return Err(Failure::Usage("only one of the files can come from standard input".into()));
    }
    if let Some(output) = &args.output {
        let mut inputs = vec![args.reconstruction.as_path(), args.answer.as_path()];
        inputs.extend(args.formula.as_deref());
        refuse_to_overwrite(&inputs, ("output", output))?;
    }
    let reconstruction = Reconstruction::read(&args.reconstruction)?;
    let name = &if args.answer == stdin { "standard input".into() } else { args.answer.display().to_string() };
    let answer = read_answer_file(open_text(&args.answer)?, name)?;
    let target = Target::new(args.output.as_deref());
    let verdict = match answer {
        AnswerFile::Competition(answer) => {
            let model = competition_model(&answer, &reconstruction, name)?;
            let model = model.map(|model| extend(args, &reconstruction, &model, name)).transpose()?;
            target.write(|out| write_competition(out, answer.verdict, model.as_ref()))?;
            answer.verdict
        }
        AnswerFile::Assignment(answer) => {
            let model = answer.model.map(|model| extend(args, &reconstruction, &model, name)).transpose()?;
            target.write(|out| write_assignment_answer(out, model.as_ref(), &answer.back_matter))?;
            if model.is_some() { Verdict::Satisfiable } else { Verdict::Unsatisfiable }
        }
    };
    Ok(ExitCode::from(match verdict {
        Verdict::Satisfiable => 10,
        Verdict::Unsatisfiable => 20,
        Verdict::Unknown => 0,
    }))
}

/// The model of an answer, if it is one. Variables that it leaves out are false.
fn competition_model(answer: &Answer, reconstruction: &Reconstruction, name: &str) -> Result<Option<Model>, Failure> {
    if let Some(flaw) = &answer.flaw {
        return Err(Failure::Input(format!("{name}: this answer cannot be used: {flaw}")));
    }
    if answer.verdict != Verdict::Satisfiable {
        return Ok(None);
    }
    let lits = answer.model.as_ref().ok_or_else(|| {
        Failure::Input(format!("{name}: the answer is satisfiable but has no values; let the solver print its model"))
    })?;
    let most = lits.iter().map(|lit| lit.var().to_dimacs()).max().unwrap_or(0);
    refuse_foreign(most, reconstruction, name)?;
    let mut model = Model::new(reconstruction.extension.all_vars());
    lits.iter().for_each(|&lit| model.assign(lit));
    if let Some(lit) = lits.iter().find(|&&lit| !model.satisfies(lit)) {
        return Err(Failure::Input(format!("{name}: the answer has both {} and {lit}", !*lit)));
    }
    Ok(Some(model))
}

fn refuse_foreign(most: u32, reconstruction: &Reconstruction, name: &str) -> Result<(), Failure> {
    let variables = reconstruction.extension.all_vars();
    if most > variables {
        return Err(Failure::Input(format!(
            "{name}: the answer has variable {most}, the simplified formula has {variables} variables: it is an answer for \
             another formula"
        )));
    }
    Ok(())
}

/// The model of the original, checked.
fn extend(args: &ExtendArgs, reconstruction: &Reconstruction, model: &Model, name: &str) -> Result<Model, Failure> {
    refuse_foreign(model.num_vars(), reconstruction, name)?;
    let extended = reconstruction.extension.extend(model);
    if args.no_check {
        return Ok(extended);
    }
    let path = args.formula.as_deref().unwrap_or(Path::new(&reconstruction.path));
    if path == Path::new("-") {
        return Err(Failure::Input(
            "the original formula came from standard input: name it with --formula FILE, or give --no-check".into(),
        ));
    }
    let options = ReadOptions { format: args.reading.input.into(), strict: args.reading.strict };
    let document = read_path(path, &options).map_err(|error| {
        Failure::Input(format!(
            "{error}\nThe model is checked against the original formula: name it with --formula FILE"
        ))
    })?;
    if !args.quiet {
        warn(&document.warnings);
    }
    if fingerprint(&document.cnf) != reconstruction.fingerprint {
        return Err(Failure::Input(format!("{}: this is not the formula that was simplified", path.display())));
    }
    match extended.falsified(&document.cnf) {
        None => Ok(extended),
        Some(index) => Err(Failure::Input(format!(
            "{name}: this is no model of the simplified formula; what it leads to makes clause {} of {} false",
            index + 1,
            path.display()
        ))),
    }
}
