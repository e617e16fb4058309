//! Measures how fast zebra puzzles are solved and proved to have one solution, in one process. Times are CPU seconds.

use clap::Parser;
use putnam_bench::{Failure, cpu_seconds, end};
use putnam_zebra::{Answer, Clauses, Zebra, engine, solve, verify};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Measure how fast zebra puzzles are solved and proved to have one solution.
#[derive(Parser)]
struct Arguments {
    /// Puzzle files (text or JSON), folders of them, and names of built-in puzzles
    #[arg(required = true)]
    puzzles: Vec<PathBuf>,
    /// How often each is solved; the fastest counts
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    times: u32,
}

fn main() -> ExitCode {
    end("zebra", run(&Arguments::parse()))
}

fn run(arguments: &Arguments) -> Result<(), Failure> {
    let mut files = Vec::new();
    arguments.puzzles.iter().try_for_each(|path| collect(path, &mut files))?;
    println!("{:<40}{:>10}{:>10}{:>10}{:>10}  solutions", "puzzle", "variables", "clauses", "ms read", "ms solve");
    let (mut reading, mut solving) = (0.0, 0.0);
    for file in &files {
        let (read, solved) = measure(file, arguments.times)?;
        reading += read;
        solving += solved;
    }
    println!("{:<40}{:>10}{:>10}{:>10.2}{:>10.2}", format!("{} puzzles", files.len()), "", "", reading, solving);
    Ok(())
}

/// The files that a path means: itself, or all puzzles under a folder in the order of their names.
fn collect(path: &Path, files: &mut Vec<PathBuf>) -> Result<(), Failure> {
    if !path.is_dir() {
        files.push(path.to_owned());
        return Ok(());
    }
    let entries = std::fs::read_dir(path).map_err(|e| Failure::io(path, e))?;
    let mut found: Vec<PathBuf> =
        entries.map(|entry| entry.map(|e| e.path())).collect::<Result<_, _>>().map_err(|e| Failure::io(path, e))?;
    found.retain(|p| p.is_dir() || p.extension().is_some_and(|end| end != "md"));
    found.sort();
    found.iter().try_for_each(|path| collect(path, files))
}

/// Prints one row; the milliseconds of reading and of solving.
fn measure(path: &Path, times: u32) -> Result<(f64, f64), Failure> {
    let name = path.display().to_string();
    let start = cpu_seconds();
    let puzzle = Zebra::puzzle(&name).map_err(|e| Failure::io(path, std::io::Error::other(e)))?;
    let read = (cpu_seconds() - start) * 1e3;
    let (mut solved, mut answer) = (f64::INFINITY, Answer::None);
    for _ in 0..times {
        let start = cpu_seconds();
        answer = solve(&puzzle, &mut engine());
        solved = solved.min((cpu_seconds() - start) * 1e3);
    }
    let grids: &[_] = match &answer {
        Answer::One(grid) => std::slice::from_ref(grid),
        Answer::Many(grids) => &grids[..],
        _ => &[],
    };
    let wrong = |broken| Failure::io(path, std::io::Error::other(broken));
    grids.iter().try_for_each(|grid| verify(&puzzle, grid).map_err(wrong))?;
    let solutions = match answer {
        Answer::None => "none",
        Answer::One(_) => "one",
        Answer::Many(_) => "several",
        Answer::Unknown(_) => "unknown",
    };
    let cnf = Clauses::new(&puzzle, false).cnf;
    let short = path.file_name().map_or(name.clone(), |name| name.to_string_lossy().into_owned());
    println!("{short:<40}{:>10}{:>10}{read:>10.2}{solved:>10.2}  {solutions}", cnf.num_vars(), cnf.num_clauses());
    Ok((read, solved))
}
