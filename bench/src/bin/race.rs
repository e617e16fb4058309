//! Races solvers over formulas: every solver gets the same formula before the next one is taken. Every model is checked clause
//! by clause, verdicts are compared, refutations are given to a proof checker if there is one. A wrong answer makes the exit
//! status 1.

use clap::Parser;
use putnam_bench::instances::{COMPRESSED, Instance, instances, pick};
use putnam_bench::judge::{Judged, Verdict, compare, judge};
use putnam_bench::process::{LIMITED, Limits, Run, Runner, Template, become_limited};
use putnam_bench::rows::{HEAD, Row, read};
use putnam_bench::{Failure, score};
use putnam_formats::{InputFormat, ReadOptions, open_text, read_path};
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{SystemTime, UNIX_EPOCH};

/// Race SAT solvers over CNF files and score them.
#[derive(Parser)]
#[command(after_help = "\
In a command: {cnf} is the formula, {proof} a file for a proof, {out} a file in which solvers such as minisat leave their
answer; without {out} the answer is read from what is printed. A checker accepts a proof by printing VERIFIED.

  race lists/small.tsv --solver 'minisat=minisat -verb=0 {cnf} {out}' --solver 'putnam=target/release/putnam solve {cnf}'")]
struct Arguments {
    /// CNF files (gz, xz, bz2, zst too), folders of them, and lists: .tsv files with the columns file, verdict, family
    #[arg(required_unless_present = "score")]
    formulas: Vec<PathBuf>,
    /// A solver: NAME=COMMAND; may be given many times
    #[arg(long, value_name = "NAME=COMMAND", required_unless_present = "score")]
    solver: Vec<String>,
    /// CPU seconds a run
    #[arg(long, default_value_t = 30, value_parser = clap::value_parser!(u64).range(1..))]
    limit: u64,
    /// Address space a run, in MiB
    #[arg(long, default_value_t = 8192, value_parser = clap::value_parser!(u64).range(1..))]
    memory: u64,
    /// Only families that begin like this; may be given many times
    #[arg(long)]
    family: Vec<String>,
    /// Only so many formulas, chosen at random
    #[arg(long)]
    pick: Option<usize>,
    /// For --pick
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Check every refutation: a command with {cnf} and {proof}
    #[arg(long, value_name = "COMMAND")]
    check: Option<String>,
    /// Where the rows go [default: a new file in bench/runs]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Score rows of earlier races instead
    #[arg(long, value_name = "FILE", num_args = 1..)]
    score: Vec<PathBuf>,
}

struct Solver {
    name: String,
    command: Template,
}

/// All that stays the same from formula to formula.
struct Race {
    solvers: Vec<Solver>,
    check: Option<Template>,
    limits: Limits,
    runner: Runner,
    work: tempfile::TempDir,
}

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().collect();
    if let [_, limited, rest @ ..] = &words[..]
        && limited == LIMITED
    {
        eprintln!("{}: {}", rest.get(2).map_or("", String::as_str), become_limited(rest));
        return ExitCode::from(127);
    }
    match run(&Arguments::parse()) {
        Ok(false) => ExitCode::SUCCESS,
        Ok(true) => ExitCode::from(1),
        Err(e) => {
            eprintln!("race: {e}");
            ExitCode::from(2)
        }
    }
}

/// Answers whether anything was wrong.
fn run(arguments: &Arguments) -> Result<bool, Failure> {
    let (mut rows, mut unread) = (Vec::new(), 0);
    if arguments.score.is_empty() {
        (rows, unread) = race(arguments)?;
    }
    for path in &arguments.score {
        rows.extend(read(path)?);
    }
    print!("\n{}", score::table(&rows));
    if unread > 0 {
        println!("\n{unread} formulas could not be read");
    }
    Ok(unread > 0 || rows.iter().any(|row| row.wrong.is_some()))
}

/// The rows, and how many formulas could not be read.
fn race(arguments: &Arguments) -> Result<(Vec<Row>, usize), Failure> {
    let mut formulas = Vec::new();
    for path in &arguments.formulas {
        formulas.extend(instances(path)?);
    }
    if !arguments.family.is_empty() {
        formulas.retain(|i| arguments.family.iter().any(|family| i.family.starts_with(family)));
    }
    if let Some(count) = arguments.pick {
        formulas = pick(formulas, count, arguments.seed);
    }
    let race = Race {
        solvers: arguments.solver.iter().map(|text| solver(text)).collect::<Result<_, _>>()?,
        check: arguments.check.as_deref().map(Template::new).transpose()?,
        limits: Limits { cpu: arguments.limit, memory: arguments.memory },
        runner: Runner { helper: std::env::current_exe().map_err(|e| Failure::io(Path::new("race"), e))? },
        work: tempfile::tempdir().map_err(|e| Failure::io(&std::env::temp_dir(), e))?,
    };
    let (path, mut out) = open_rows(arguments.out.as_deref())?;
    let mut rows = Vec::new();
    let mut write = |line: &str| writeln!(out, "{line}").map_err(|e| Failure::io(&path, e));
    write(HEAD)?;
    let mut unread = 0;
    for (index, formula) in formulas.iter().enumerate() {
        let results = match race.formula(formula) {
            Err(Failure::Read(e)) => {
                eprintln!("race: {e}");
                unread += 1;
                continue;
            }
            results => results?,
        };
        for row in results {
            write(&row.to_line())?;
            println!("[{}/{}] {}", index + 1, formulas.len(), row.to_line());
            rows.push(row);
        }
    }
    println!("\nrows: {}", path.display());
    Ok((rows, unread))
}

fn solver(text: &str) -> Result<Solver, Failure> {
    let (name, command) =
        text.split_once('=').ok_or_else(|| Failure::Usage(format!("`{text}` is not NAME=COMMAND")))?;
    Ok(Solver { name: name.trim().into(), command: Template::new(command)? })
}

/// The file for the rows. One that exists is not written over.
fn open_rows(path: Option<&Path>) -> Result<(PathBuf, File), Failure> {
    let path = path.map_or_else(
        || {
            let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_secs());
            Path::new(env!("CARGO_MANIFEST_DIR")).join("runs").join(format!("race-{seconds}.tsv"))
        },
        Path::to_owned,
    );
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(|e| Failure::io(folder, e))?;
    }
    let file = File::create_new(&path).map_err(|e| Failure::io(&path, e))?;
    Ok((path, file))
}

impl Race {
    /// Gives one formula to every solver.
    fn formula(&self, formula: &Instance) -> Result<Vec<Row>, Failure> {
        let options = ReadOptions { format: InputFormat::Dimacs, strict: false };
        let cnf = read_path(&formula.path, &options)?.cnf;
        let path = self.unpacked(&formula.path)?;
        let (mut runs, mut answers) = (Vec::new(), Vec::new());
        for solver in &self.solvers {
            let (run, text) = self.solve(solver, &path)?;
            let mut answer = judge(&cnf, &text, &run, self.limits.cpu as f64);
            if answer.verdict == Verdict::Unsat && solver.command.has("{proof}") {
                self.check_proof(&path, &mut answer)?;
            }
            runs.push(run);
            answers.push(answer);
        }
        compare(formula.verdict, &mut answers);
        let rows = self.solvers.iter().zip(runs).zip(answers);
        Ok(rows.map(|((solver, run), answer)| self.row(formula, solver, &run, answer)).collect())
    }

    fn row(&self, formula: &Instance, solver: &Solver, run: &Run, answer: Judged) -> Row {
        Row {
            family: formula.family.clone(),
            file: formula.name.clone(),
            solver: solver.name.clone(),
            verdict: answer.verdict,
            // As exact as the rows are written, so that they give the same score when they are read.
            cpu: (run.cpu * 100.0).round() / 100.0,
            wall: (run.wall * 100.0).round() / 100.0,
            peak: run.peak.round(),
            limit: self.limits.cpu as f64,
            wrong: answer.wrong,
            note: answer.note,
        }
    }

    fn file(&self, name: &str) -> PathBuf {
        self.work.path().join(name)
    }

    /// A plain file with the formula's text: the file itself, or a copy for the time of this formula.
    fn unpacked(&self, path: &Path) -> Result<PathBuf, Failure> {
        let name = path.to_string_lossy();
        if !COMPRESSED.iter().any(|suffix| name.ends_with(suffix)) {
            return Ok(path.to_owned());
        }
        let copy = self.file("formula.cnf");
        let mut text = open_text(path)?;
        let mut file = File::create(&copy).map_err(|e| Failure::io(&copy, e))?;
        io::copy(&mut text, &mut file).map_err(|e| Failure::io(path, e))?;
        Ok(copy)
    }

    /// One run, and what it answered.
    fn solve(&self, solver: &Solver, cnf: &Path) -> Result<(Run, Vec<u8>), Failure> {
        let [proof, answer, printed] = ["proof", "answer", "printed"].map(|name| self.file(name));
        for file in [&proof, &answer] {
            if file.exists() {
                fs::remove_file(file).map_err(|e| Failure::io(file, e))?;
            }
        }
        let words = solver.command.fill(&[("{cnf}", cnf), ("{proof}", &proof), ("{out}", &answer)]);
        let run = self.runner.run(&words, self.limits, &printed)?;
        let source = if solver.command.has("{out}") && answer.exists() { answer } else { printed };
        let text = fs::read(&source).map_err(|e| Failure::io(&source, e))?;
        Ok((run, text))
    }

    /// Lets the checker look at the proof of the last run. It has forty times the solver's time.
    fn check_proof(&self, cnf: &Path, answer: &mut Judged) -> Result<(), Failure> {
        let Some(check) = &self.check else { return Ok(()) };
        let (proof, printed) = (self.file("proof"), self.file("checked"));
        if !proof.exists() {
            answer.wrong = Some("wrong proof: there is none".into());
            return Ok(());
        }
        let limits = Limits { cpu: 40 * self.limits.cpu, ..self.limits };
        let run = self.runner.run(&check.fill(&[("{cnf}", cnf), ("{proof}", &proof)]), limits, &printed)?;
        let text = fs::read(&printed).map_err(|e| Failure::io(&printed, e))?;
        let text = String::from_utf8_lossy(&text);
        if text.contains("VERIFIED") && !text.contains("NOT VERIFIED") {
            answer.note = format!("proof verified in {:.1} s", run.cpu);
        } else if run.signal.is_some() {
            answer.note = "proof unchecked: the checker was ended".into();
        } else {
            answer.wrong = Some("wrong proof: the checker does not accept it".into());
        }
        Ok(())
    }
}
