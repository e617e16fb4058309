//! Solves a plain DIMACS file, for measuring: `solve FILE [--proof FILE] [--time-limit S] [-v] [NAME=VALUE]…`.

use putnam_cdcl::{Options, ReportLine, Solver};
use putnam_formula::{Cnf, Engine, Limits, Lit, Outcome, ProofSink};
use std::io::{self, BufWriter, Write};
use std::time::{Duration, Instant};

struct Text(BufWriter<std::fs::File>);

impl ProofSink for Text {
    fn add(&mut self, clause: &[Lit]) {
        clause.iter().for_each(|lit| write!(self.0, "{lit} ").unwrap());
        writeln!(self.0, "0").unwrap();
    }

    fn delete(&mut self, clause: &[Lit]) {
        write!(self.0, "d ").unwrap();
        self.add(clause);
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

fn read(path: &str) -> Cnf {
    let text = std::fs::read(path).expect("a readable file");
    let mut cnf = Cnf::new();
    for line in text.split(|&b| b == b'\n') {
        if matches!(line.first(), Some(b'%')) {
            break;
        }
        let mut tokens = line.split(u8::is_ascii_whitespace).filter(|token| !token.is_empty());
        let first = tokens.next();
        if first == Some(b"p") {
            let number = tokens.nth(1).and_then(|t| std::str::from_utf8(t).ok()).and_then(|t| t.parse().ok());
            cnf.declare(number.expect("a number of variables"));
            continue;
        }
        // Comments, wherever they stand.
        if first.is_some_and(|token| !matches!(token[0], b'-' | b'0'..=b'9')) {
            continue;
        }
        for token in first.into_iter().chain(tokens) {
            let number: i32 = std::str::from_utf8(token).ok().and_then(|t| t.parse().ok()).expect("a literal");
            match Lit::from_dimacs(number) {
                Some(lit) => cnf.push_literal(lit),
                None => cnf.close_clause(),
            }
        }
    }
    cnf
}

/// Seconds on the processor, where Linux tells.
fn cpu_seconds() -> f64 {
    let text = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    text.split(' ').next().and_then(|ns| ns.parse::<f64>().ok()).unwrap_or(f64::NAN) / 1e9
}

fn main() {
    let mut options = Options::default();
    let mut limits = Limits::default();
    let (mut path, mut proof, mut verbose) = (None, None, false);
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--proof" => proof = args.next(),
            "--time-limit" => {
                let seconds = args.next().and_then(|s| s.parse().ok()).expect("seconds");
                limits.deadline = Some(Instant::now() + Duration::from_secs(seconds));
            }
            "--conflicts" => limits.conflicts = args.next().and_then(|s| s.parse().ok()),
            "-v" => verbose = true,
            _ => match arg.split_once('=') {
                Some((name, value)) => options.set(name, value.parse().expect("a number")).expect("an option"),
                None => path = Some(arg),
            },
        }
    }
    let cnf = read(&path.expect("a file"));
    let mut solver = Solver::with_options(options);
    if verbose {
        eprintln!("c {}", ReportLine::HEADER);
        solver.set_observer(Box::new(|line| eprintln!("c {line}")));
    }
    let sink = proof.map(|path| {
        putnam_formula::SharedProof::new(Text(BufWriter::with_capacity(
            1 << 20,
            std::fs::File::create(path).expect("a proof file"),
        )))
    });
    if let Some(sink) = &sink {
        solver.set_proof(Box::new(sink.clone()));
    }
    solver.set_limits(limits);
    solver.declare(cnf.num_vars());
    cnf.clauses().for_each(|clause| solver.add_clause(clause));
    let start = cpu_seconds();
    let outcome = solver.solve(&[]);
    let seconds = cpu_seconds() - start;
    if let Some(mut sink) = sink {
        sink.flush().expect("a proof file");
    }
    if verbose {
        for row in solver.statistics() {
            let ratio = row.ratio.map_or(String::new(), |(x, per)| format!("{x:12.2} {per}"));
            eprintln!("c {:32} {:14} {ratio}", row.name, row.count);
        }
        let rate = |name| solver.statistics().iter().find(|r| r.name == name).map_or(0.0, |r| r.count as f64 / seconds);
        eprintln!(
            "c {:.2} s, {:.0} propagations/s, {:.0} conflicts/s",
            seconds,
            rate("propagations"),
            rate("conflicts")
        );
    }
    let mut out = BufWriter::new(io::stdout().lock());
    let code = match outcome {
        Outcome::Satisfiable(model) => {
            assert_eq!(model.falsified(&cnf), None, "WRONG MODEL");
            writeln!(out, "s SATISFIABLE").unwrap();
            model.literals().for_each(|lit| writeln!(out, "v {lit}").unwrap());
            writeln!(out, "v 0").unwrap();
            10
        }
        Outcome::Unsatisfiable { .. } => {
            writeln!(out, "s UNSATISFIABLE").unwrap();
            20
        }
        Outcome::Unknown(reason) => {
            writeln!(out, "c {reason}\ns UNKNOWN").unwrap();
            0
        }
    };
    drop(out);
    std::process::exit(code);
}
