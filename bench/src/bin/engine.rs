//! Measures the inner loops of engine cdcl: unit propagation during a search without inprocessing, and the collection of the
//! clause arena. Times are CPU seconds.

use clap::Parser;
use putnam_bench::families::random_k_sat;
use putnam_bench::{Failure, cpu_seconds, end};
use putnam_cdcl::{Options, Solver};
use putnam_formats::{ReadOptions, read_path};
use putnam_formula::{Cnf, Engine, Limits};
use std::path::PathBuf;
use std::process::ExitCode;

/// Measure unit propagation and arena collection.
#[derive(Parser)]
struct Arguments {
    /// CNF files; without any, random formulas are made
    files: Vec<PathBuf>,
    /// Conflicts of each search
    #[arg(long, default_value_t = 20_000)]
    conflicts: u64,
    /// How often each arena is collected; the mean counts
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..))]
    collections: u32,
}

fn main() -> ExitCode {
    end("engine", run(&Arguments::parse()))
}

fn run(arguments: &Arguments) -> Result<(), Failure> {
    println!(
        "{:<32}{:>10}{:>12}{:>14}{:>12}{:>16}",
        "formula", "seconds", "conflicts", "propagations", "million/s", "ms a collection"
    );
    if arguments.files.is_empty() {
        for (name, variables, size, ratio) in [
            ("random 3-SAT, 600", 600, 3, 4.26),
            ("random 3-SAT, 20,000", 20_000, 3, 3.9),
            ("random 7-SAT, 120", 120, 7, 85.0),
        ] {
            measure(name, &random_k_sat(variables, size, ratio, 7), arguments)?;
        }
    }
    for path in &arguments.files {
        let cnf = read_path(path, &ReadOptions::default())?.cnf;
        let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
        measure(&name.chars().take(31).collect::<String>(), &cnf, arguments)?;
    }
    Ok(())
}

fn measure(name: &str, cnf: &Cnf, arguments: &Arguments) -> Result<(), Failure> {
    let mut options = Options::default();
    options.set("inprocess", 0).map_err(|e| Failure::Usage(e.to_string()))?;
    let mut solver = Solver::with_options(options);
    solver.declare(cnf.num_vars());
    cnf.clauses().for_each(|clause| solver.add_clause(clause));
    solver.set_limits(Limits { conflicts: Some(arguments.conflicts), ..Limits::default() });
    let start = cpu_seconds();
    solver.solve(&[]);
    let seconds = cpu_seconds() - start;
    let count = |name: &str| solver.statistics().iter().find(|row| row.name == name).map_or(0, |row| row.count);
    let (conflicts, propagations) = (count("conflicts"), count("propagations"));
    let start = cpu_seconds();
    (0..arguments.collections).for_each(|_| solver.collect_garbage());
    let collection = (cpu_seconds() - start) / f64::from(arguments.collections);
    println!(
        "{name:<32}{seconds:>10.2}{conflicts:>12}{propagations:>14}{:>12.2}{:>16.3}",
        propagations as f64 / seconds / 1e6,
        collection * 1e3
    );
    Ok(())
}
