//! Drives every front end: `encode`, `solve` and `decode`, with the front end's options, from `putnam_api` alone.

mod all;
mod answer;
mod files;

use crate::engines::{EngineArgs, LimitArgs};
use crate::failure::Failure;
use crate::output::{Target, refuse_to_overwrite, warn};
use crate::registry::{Entry, FRONTENDS};
use crate::search;
use crate::signals::Watch;
use crate::values;
use answer::{Answer, no_solution};
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches, ValueEnum, value_parser};
use files::{Files, with_certificate, with_pictures};
use putnam_api::{Encoding, Error, Frontend, OptionKind, Problem, Settings};
use putnam_formats::{
    AnswerFile, ReadOptions, Verdict, back_matter, open_text, read_answer_file, read_path, write_assignment,
    write_dimacs,
};
use putnam_formula::{ClauseSink, Cnf, Engine, Limits, Model, Outcome, StopReason, Symbols, Var};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

/// Formats of `encode`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// A clause a line, a line 0, then the names of the atoms
    Assignment,
    /// DIMACS CNF with the names of the atoms as comments
    Dimacs,
}

/// What `solve` takes besides the front end's own options.
#[derive(Args, Clone, Debug)]
struct SearchArgs {
    #[command(flatten)]
    engine: EngineArgs,
    #[command(flatten)]
    limits: LimitArgs,
    /// Print nothing but the answer
    #[arg(long, short, conflicts_with = "verbose")]
    quiet: bool,
    /// Print on standard error how the input was understood, and statistics
    #[arg(long, short)]
    verbose: bool,
}

/// The command of a front end; its subcommands are made when they are wanted.
pub(crate) fn command(entry: &Entry) -> Command {
    Command::new(entry.frontend.name()).about(entry.frontend.about()).defer(|command| {
        match FRONTENDS.iter().find(|entry| entry.frontend.name() == command.get_name()) {
            Some(entry) => with_subcommands(command, entry),
            None => command,
        }
    })
}

fn with_subcommands(command: Command, entry: &Entry) -> Command {
    let frontend = entry.frontend;
    let mut command = command
        .after_help(entry.examples)
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommand(encode_command(frontend))
        .subcommand(solve_command(frontend))
        .subcommand(decode_command(frontend));
    for extra in entry.extras {
        command = command.subcommand((extra.command)());
    }
    command
}

/// Runs a subcommand of a front end.
pub(crate) fn run(entry: &Entry, matches: &ArgMatches) -> Result<ExitCode, Failure> {
    match matches.subcommand() {
        Some(("encode", matches)) => encode(entry.frontend, matches),
        Some(("solve", matches)) => solve(entry.frontend, matches),
        Some(("decode", matches)) => decode(entry.frontend, matches),
        Some((name, matches)) => match entry.extras.iter().find(|extra| (extra.command)().get_name() == name) {
            Some(extra) => (extra.run)(matches),
            None => Err(Failure::Usage(format!("{}: no command {name}", entry.frontend.name()))),
        },
        None => Err(Failure::Usage(format!("{}: a command is missing", entry.frontend.name()))),
    }
}

fn encode_command(frontend: &dyn Frontend) -> Command {
    with_problem(
        Command::new("encode").about("Writes the problem as clauses with the names of their atoms"),
        frontend,
        &[],
    )
    .arg(
        Arg::new("format")
            .long("format")
            .value_name("FORMAT")
            .value_parser(value_parser!(Format))
            .default_value("assignment")
            .help("How to write the clauses"),
    )
    .arg(output_arg())
}

fn solve_command(frontend: &dyn Frontend) -> Command {
    let command = with_problem(Command::new("solve"), frontend, &[]).arg(show_arg(frontend)).arg(output_arg());
    let command = with_certificate(with_pictures(command, frontend), frontend);
    let command = all::with_all(command, frontend);
    // The help texts come last: the derived arguments bring their own.
    SearchArgs::augment_args(command)
        .about("Solves the problem; the solution is checked without a look at clauses")
        .after_help(
            "Exit codes: 10 a solution was found, 20 it was proved that there is none, 0 unknown; 1 bad input, 2 bad usage, \
             3 an internal check failed.",
        )
}

fn decode_command(frontend: &dyn Frontend) -> Command {
    let mut command = Command::new("decode").about("Reads an answer for the clauses as a solution of the problem").after_help(
        "The answer is in the assignment's format (ATOM T or ATOM F lines, 0, the names of the atoms) or in that of solver \
         competitions (s and v lines).\n\
         Exit codes: 10 a solution, 20 there is none, 0 the answer is `unknown`; 1 bad input or no solution of the problem.",
    );
    if has_key(frontend) {
        command = command.arg(
            Arg::new("key")
                .long("key")
                .value_name("FILE")
                .help("Take the names of the atoms from these clauses, when the answer has none"),
        );
    } else {
        command = with_problem(command, frontend, &[]);
    }
    with_pictures(command, frontend)
        .arg(Arg::new("answer").value_name("FILE").default_value("-").help("The answer; - is standard input"))
        .arg(show_arg(frontend))
        .arg(output_arg())
}

/// Whether the names of the atoms say all that `decode` needs to know.
fn has_key(frontend: &dyn Frontend) -> bool {
    frontend.open_key(&Symbols::new()).is_some()
}

/// Adds the input and the options of the front end, but those in `without`.
pub(crate) fn with_problem(mut command: Command, frontend: &dyn Frontend, without: &[&str]) -> Command {
    let (name, help) = frontend.input();
    command = command.arg(Arg::new("input").value_name(name).required(true).value_parser(values::input()).help(help));
    for option in frontend.options().iter().filter(|option| !without.contains(&option.name)) {
        let arg = Arg::new(option.name).long(option.name).help(option.help);
        command = command.arg(match option.kind {
            OptionKind::Flag => arg.action(ArgAction::SetTrue),
            OptionKind::Value(placeholder) => arg.value_name(placeholder).allow_negative_numbers(true),
            OptionKind::Choice(words) => arg.value_parser(words.to_vec()),
        });
    }
    command
}

fn show_arg(frontend: &dyn Frontend) -> Arg {
    let styles: Vec<&'static str> = frontend.styles().iter().copied().chain(["json"]).collect();
    Arg::new("show")
        .long("show")
        .value_name("STYLE")
        .default_value(styles[0])
        .value_parser(styles)
        .help("How to print the solution")
}

fn output_arg() -> Arg {
    Arg::new("output")
        .long("output")
        .short('o')
        .value_name("FILE")
        .value_parser(value_parser!(PathBuf))
        .help("Write to this file instead of standard output")
}

fn target(matches: &ArgMatches) -> Result<Target, Failure> {
    let output = matches.get_one::<PathBuf>("output").map(PathBuf::as_path);
    if let Some(output) = output {
        let read =
            ["input", "answer", "key"].into_iter().filter_map(|name| matches.try_get_one::<String>(name).ok()?);
        refuse_to_overwrite(&read.map(Path::new).collect::<Vec<_>>(), ("output", output))?;
    }
    let target = Target::new(output);
    target.probe()?;
    Ok(target)
}

fn text<'a>(matches: &'a ArgMatches, name: &str) -> &'a str {
    matches.get_one::<String>(name).map_or("", String::as_str)
}

/// The options of the front end that were given, but those in `without`.
pub(crate) fn settings(frontend: &dyn Frontend, matches: &ArgMatches, without: &[&str]) -> Settings {
    let mut settings = Settings::default();
    for option in frontend.options().iter().filter(|option| !without.contains(&option.name)) {
        match option.kind {
            OptionKind::Flag if matches.get_flag(option.name) => settings.set(option.name, ""),
            OptionKind::Flag => {}
            OptionKind::Value(_) | OptionKind::Choice(_) => {
                if let Some(value) = matches.get_one::<String>(option.name) {
                    settings.set(option.name, value);
                }
            }
        }
    }
    settings
}

fn open(frontend: &dyn Frontend, matches: &ArgMatches, quiet: bool) -> Result<Box<dyn Problem>, Failure> {
    let problem = frontend.open(text(matches, "input"), &settings(frontend, matches, &[]))?;
    if !quiet {
        warn(problem.warnings());
    }
    Ok(problem)
}

fn encode(frontend: &dyn Frontend, matches: &ArgMatches) -> Result<ExitCode, Failure> {
    let target = target(matches)?;
    let problem = open(frontend, matches, false)?;
    problem.check_encode()?;
    let Encoding { cnf, symbols } = problem.encode();
    target.write(|out| match matches.get_one("format") {
        Some(Format::Dimacs) => write_dimacs(out, &cnf, &symbols),
        _ => write_assignment(out, &cnf, &back_matter(&symbols)),
    })?;
    Ok(ExitCode::SUCCESS)
}

fn solve(frontend: &dyn Frontend, matches: &ArgMatches) -> Result<ExitCode, Failure> {
    let args = SearchArgs::from_arg_matches(matches).map_err(|error| Failure::Usage(error.to_string()))?;
    // Wrong options are found before anything is read or written.
    args.engine.make()?;
    let target = target(matches)?;
    let files = Files::new(frontend, matches, &target)?;
    let proof = files.proof();
    let deadline = args.limits.time_limit.and_then(|limit| Instant::now().checked_add(limit));
    let watch = Watch::start(deadline, |reason| eprintln!("no answer: {reason}"))
        .map_err(|error| Failure::io("signal handler", error))?;
    let problem = open(frontend, matches, args.quiet)?;
    let mut engine = if proof.is_some() {
        args.engine.make_for_growing_proof()?
    } else {
        args.engine.make_with(problem.tuning())?
    };
    if args.verbose
        && let Some(description) = problem.describe()
    {
        eprintln!("{}", description.trim_end());
    }
    let limits = Limits { deadline, terminate: Some(watch.search()), ..args.limits.counted() };
    let chosen = matches.value_source("show") != Some(ValueSource::DefaultValue);
    let style = problem.default_style().filter(|_| !chosen).unwrap_or(text(matches, "show"));
    let answer = Answer { frontend, problem: &*problem, style, target: &target, files };
    if let Some(proof) = proof {
        engine.set_proof(proof);
    }
    if let Some(most) = all::wanted(matches) {
        engine.set_limits(limits);
        return all::run(&answer, &mut *engine, &args, &watch, most);
    }
    if let Some(own) = problem.solve(&mut *engine, &limits) {
        watch.answer();
        if args.verbose {
            print_statistics(&*engine);
        }
        return answer.own(own, engine.name());
    }
    let encoding = problem.encode();
    search::load(&mut *engine, &encoding.cnf);
    engine.set_limits(limits);
    let outcome = search::solve(&mut *engine, &encoding.cnf, &[])?;
    let second = match &outcome {
        Outcome::Satisfiable(first) => second(&mut *engine, &*problem, encoding, first)?,
        _ => Second::NotWanted,
    };
    watch.answer();
    if args.verbose {
        print_statistics(&*engine);
    }
    match outcome {
        Outcome::Satisfiable(model) => answer.solution(&model, &second),
        Outcome::Unsatisfiable { .. } => answer.none(),
        Outcome::Unknown(reason) => answer.unknown(reason),
    }
}

fn print_statistics(engine: &dyn Engine) {
    for statistic in engine.statistics() {
        eprintln!("{:<28} {:>12}", statistic.name, statistic.count);
    }
}

/// What is known of a second solution.
enum Second {
    /// Nobody asked.
    NotWanted,
    /// The first solution is the only one.
    None,
    /// There is another one.
    Model(Model),
    /// The search ended too early.
    Unknown(StopReason),
}

/// Looks for a solution that differs from the first one, where the problem wants to know.
fn second(
    engine: &mut dyn Engine,
    problem: &dyn Problem,
    encoding: Encoding,
    first: &Model,
) -> Result<Second, Failure> {
    let Some(vars) = problem.distinguishing() else { return Ok(Second::NotWanted) };
    let mut cnf = encoding.cnf;
    exclude(engine, &mut cnf, &vars, first);
    Ok(match search::solve(engine, &cnf, &[])? {
        Outcome::Satisfiable(model) => Second::Model(model),
        Outcome::Unsatisfiable { .. } => Second::None,
        Outcome::Unknown(reason) => Second::Unknown(reason),
    })
}

/// Excludes what agrees with a model on these variables, from the engine and from the formula that it is checked against.
fn exclude(engine: &mut dyn Engine, cnf: &mut Cnf, vars: &[Var], model: &Model) {
    let blocking: Vec<_> = vars.iter().map(|&var| var.lit(!model.value(var))).collect();
    engine.add_clause(&blocking);
    cnf.add_clause(&blocking);
}

fn decode(frontend: &dyn Frontend, matches: &ArgMatches) -> Result<ExitCode, Failure> {
    let target = target(matches)?;
    let files = Files::new(frontend, matches, &target)?;
    let path = text(matches, "answer");
    let with_input = !has_key(frontend);
    if with_input && path == "-" && text(matches, "input") == "-" {
        return Err(Failure::Usage("the problem and the answer cannot both come from standard input".into()));
    }
    let name = if path == "-" { "<stdin>" } else { path };
    let answer = read_answer_file(open_text(path)?, name)?;
    let mut symbols = match matches.try_get_one::<String>("key").ok().flatten() {
        Some(file) => read_path(file, &ReadOptions::default())?.symbols,
        None => Symbols::new(),
    };
    let (verdict, model) = match answer {
        AnswerFile::Competition(answer) => (answer.verdict, answer.model.map(|literals| total(&literals))),
        AnswerFile::Assignment(answer) => {
            if symbols.is_empty() {
                symbols = answer.symbols;
            }
            let verdict = if answer.model.is_some() { Verdict::Satisfiable } else { Verdict::Unsatisfiable };
            (verdict, answer.model)
        }
    };
    let style = text(matches, "show");
    if verdict == Verdict::Unknown {
        eprintln!("{name}: the answer is neither `satisfiable` nor `unsatisfiable`");
        return Ok(ExitCode::SUCCESS);
    }
    let problem = if with_input {
        open(frontend, matches, false)?
    } else {
        match (frontend.open_key(&symbols), &model) {
            (Some(Ok(problem)), _) => problem,
            // Without a solution the names are not needed: what stands behind the answer may be prose, or nothing.
            (_, None) if verdict == Verdict::Unsatisfiable => return no_solution(style, &target),
            (Some(Err(error)), _) if symbols.is_empty() => return Err(no_names(frontend, name, &error)),
            (Some(Err(error)), _) => return Err(error.into()),
            (None, _) => return Err(no_names(frontend, name, &Error::input(name, "no key"))),
        }
    };
    let answer = Answer { frontend, problem: &*problem, style, target: &target, files };
    match (verdict, model) {
        (Verdict::Satisfiable, Some(model)) => answer.foreign(&model),
        (Verdict::Satisfiable, None) => {
            Err(Failure::Input(format!("{name}: the answer says `satisfiable` and gives no values")))
        }
        _ => answer.none(),
    }
}

fn no_names(frontend: &dyn Frontend, name: &str, error: &Error) -> Failure {
    let (program, _) = (frontend.name(), error);
    Failure::Input(format!(
        "{name}: the answer does not name its atoms, so it cannot be read as a solution\n\
         Solve what `putnam {program} encode` writes in the assignment's format, which carries the names along, or give the \
         clauses with --key FILE."
    ))
}

/// A model from the literals that a solver calls true; what it does not mention is false.
fn total(literals: &[putnam_formula::Lit]) -> Model {
    let mut model = Model::new(0);
    literals.iter().for_each(|&lit| model.assign(lit));
    model
}
