//! Writes formulas of growing size into a folder, with a list for the race.

use clap::Parser;
use putnam_bench::families::FAMILIES;
use putnam_bench::{Failure, end};
use putnam_formats::write_dimacs;
use putnam_formula::Symbols;
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::PathBuf;
use std::process::ExitCode;

/// Write formulas of growing size, and list.tsv for the race.
#[derive(Parser)]
struct Arguments {
    /// The folder
    folder: PathBuf,
    /// Only families that begin like this; may be given many times
    #[arg(long)]
    family: Vec<String>,
}

fn main() -> ExitCode {
    end("families", run(&Arguments::parse()))
}

fn run(arguments: &Arguments) -> Result<(), Failure> {
    let folder = &arguments.folder;
    fs::create_dir_all(folder).map_err(|e| Failure::io(folder, e))?;
    let list = folder.join("list.tsv");
    let mut rows = String::from("family\tfile\n");
    for family in FAMILIES {
        if !arguments.family.is_empty() && !arguments.family.iter().any(|start| family.name.starts_with(start)) {
            continue;
        }
        for &size in family.sizes {
            for seed in 1..=family.seeds {
                let name = format!("{}-{size}-{seed}.cnf", family.name);
                let (path, cnf) = (folder.join(&name), (family.make)(size, seed)?);
                let written = File::create(&path).and_then(|file| {
                    let mut out = BufWriter::new(file);
                    write_dimacs(&mut out, &cnf, &Symbols::new())?;
                    out.flush()
                });
                written.map_err(|e| Failure::io(&path, e))?;
                rows.push_str(&format!("{}\t{name}\n", family.name));
            }
        }
    }
    fs::write(&list, rows).map_err(|e| Failure::io(&list, e))?;
    println!("{}", list.display());
    Ok(())
}
