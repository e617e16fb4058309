//! Measures how fast a large CNF file is read, beside Kissat's parser if `kissat` is on PATH. Times are CPU seconds.
//!
//! Kissat has no switch to parse only. Its time is what it reports when it has parsed the file; then it is ended. That is
//! reading and storing the clauses, as Putnam's is, but Kissat also connects them to their watches and simplifies as it reads.

use clap::Parser;
use putnam_bench::{Failure, cpu_seconds, end};
use putnam_formats::{ReadOptions, read_path};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::fmt::Write as _;
use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

/// Measure how fast CNF files are read.
#[derive(Parser)]
struct Arguments {
    /// A CNF file; without one, three are made: short clauses, long clauses, clauses over many lines with comments
    file: Option<PathBuf>,
    /// Megabytes of each file that is made
    #[arg(long, default_value_t = 100)]
    megabytes: usize,
    /// How often each is read; the fastest counts
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    times: u32,
    /// Leave Kissat out
    #[arg(long)]
    alone: bool,
}

fn main() -> ExitCode {
    end("reading", run(&Arguments::parse()))
}

fn run(arguments: &Arguments) -> Result<(), Failure> {
    println!("{:<28}{:>8}{:>12}{:>12}{:>10}{:>14}", "file", "MB", "clauses", "seconds", "MB/s", "kissat's");
    if let Some(path) = &arguments.file {
        return measure(path, &path.display().to_string(), arguments);
    }
    let folder = tempfile::tempdir().map_err(|e| Failure::io(&std::env::temp_dir(), e))?;
    for (name, least, most, tidy) in
        [("clauses of 3", 3, 3, true), ("clauses of 1 to 60", 1, 60, true), ("lines and comments", 1, 9, false)]
    {
        let path = folder.path().join("formula.cnf");
        make(&path, arguments.megabytes * 1_000_000, least..=most, tidy).map_err(|e| Failure::io(&path, e))?;
        measure(&path, name, arguments)?;
    }
    Ok(())
}

/// Writes clauses of random literals. An untidy file has comments, tabs, and clauses over many lines, and no right number of
/// clauses.
fn make(path: &Path, size: usize, lengths: std::ops::RangeInclusive<usize>, tidy: bool) -> std::io::Result<()> {
    const VARIABLES: i32 = 1_000_000;
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let mut text = String::new();
    let mut clauses = 0;
    while text.len() < size {
        for _ in 0..random.random_range(lengths.clone()) {
            let sign = if random.random() { "-" } else { "" };
            let gap = if tidy { " " } else { ["\n", " ", " \t ", "  "][random.random_range(0..4)] };
            // Strings take everything.
            let _ = write!(text, "{sign}{}{gap}", random.random_range(1..=VARIABLES));
        }
        text += "0\n";
        clauses += 1;
        if !tidy && clauses % 16 == 0 {
            text += "c a comment with 12 numbers -7 0 in it\n";
        }
    }
    let mut out = BufWriter::new(File::create(path)?);
    writeln!(out, "p cnf {VARIABLES} {clauses}")?;
    out.write_all(text.as_bytes())?;
    out.flush()
}

fn measure(path: &Path, name: &str, arguments: &Arguments) -> Result<(), Failure> {
    let size = path.metadata().map_err(|e| Failure::io(path, e))?.len() as f64 / 1e6;
    let mut best = f64::INFINITY;
    let mut clauses = 0;
    for _ in 0..arguments.times {
        let start = cpu_seconds();
        let document = read_path(path, &ReadOptions::default())?;
        best = best.min(cpu_seconds() - start);
        clauses = document.cnf.num_clauses();
    }
    let mut kissat = None;
    if !arguments.alone {
        for _ in 0..arguments.times.min(3) {
            kissat = kissat_seconds(path).map(|seconds| seconds.min(kissat.unwrap_or(f64::INFINITY)));
        }
    }
    let kissat = kissat.map_or("-".into(), |seconds| format!("{seconds:.2}"));
    println!("{name:<28}{size:>8.1}{clauses:>12}{best:>12.3}{:>10.0}{kissat:>14}", size / best);
    Ok(())
}

/// The seconds that Kissat reports when it has parsed the file, after which it is ended; none when it is not there.
fn kissat_seconds(path: &Path) -> Option<f64> {
    let mut child = Command::new("kissat").arg(path).stdout(Stdio::piped()).spawn().ok()?;
    let lines = BufReader::new(child.stdout.take()?).lines();
    let seconds = lines.map_while(Result::ok).find_map(|line| {
        let rest = line.split_once("finished parsing after ")?.1;
        rest.split_whitespace().next()?.parse().ok()
    });
    // It may have ended by itself.
    let _ = child.kill();
    let _ = child.wait();
    seconds
}
