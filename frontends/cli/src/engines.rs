//! The engines by name, and the options that choose and tune one.

use crate::failure::Failure;
use crate::values;
use clap::Args;
use putnam_cdcl::{Options, Solver};
use putnam_dpll::Dpll;
use putnam_formula::{Engine, Limits};
use std::time::Duration;

/// Which engine, and how it is tuned.
#[derive(Args, Clone, Debug)]
pub(crate) struct EngineArgs {
    /// The engine: cdcl learns from conflicts; dpll is the classical procedure, for teaching and small formulas
    #[arg(long, value_name = "ENGINE", value_parser = ["cdcl", "dpll"], default_value = "cdcl")]
    pub(crate) engine: String,
    /// The seed of what is random in the search; the same seed gives the same run
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u32,
    /// Sets an option of engine cdcl (repeatable); `putnam options` lists them
    #[arg(long, value_name = "NAME=VALUE")]
    pub(crate) set: Vec<String>,
}

impl EngineArgs {
    /// The engine, without clauses.
    ///
    /// # Errors
    /// [`Failure::Usage`] for an option that the engine does not have, or a value out of its range.
    pub(crate) fn make(&self) -> Result<Box<dyn Engine>, Failure> {
        self.make_with(&[])
    }

    /// As [`EngineArgs::make`], for one proof over several searches between which the formula grows: without the techniques
    /// whose proofs number new variables, as the formula may come to use the same numbers.
    pub(crate) fn make_for_growing_proof(&self) -> Result<Box<dyn Engine>, Failure> {
        self.make_with(&[("factor", 0), ("gauss", 0), ("parity", 0), ("pigeonhole", 0)])
    }

    /// As [`EngineArgs::make`], with these values instead of the defaults.
    pub(crate) fn make_with(&self, preset: &[(&str, i64)]) -> Result<Box<dyn Engine>, Failure> {
        if self.engine == "dpll" {
            if let Some(option) = self.set.first() {
                return Err(Failure::Usage(format!(
                    "--set {option}: engine dpll has no options; they are those of cdcl"
                )));
            }
            return Ok(Box::new(Dpll::new()));
        }
        Ok(Box::new(Solver::with_options(self.options(preset)?)))
    }

    /// As [`EngineArgs::cdcl`], for one search without assumptions: no clause that was removed will come back, so the proof
    /// may delete it, and its checker has fewer clauses to look at. The file has a line more for each.
    pub(crate) fn cdcl_once(&self) -> Result<Solver, Failure> {
        Ok(Solver::with_options(self.options(&[("proofkeep", 0)])?))
    }

    /// Engine cdcl, with its own interface.
    ///
    /// # Errors
    /// As [`EngineArgs::make`].
    pub(crate) fn cdcl(&self) -> Result<Solver, Failure> {
        Ok(Solver::with_options(self.options(&[])?))
    }

    /// The defaults, changed by `preset`, then by the user.
    fn options(&self, preset: &[(&str, i64)]) -> Result<Options, Failure> {
        let mut options = Options::default();
        for &(name, value) in preset {
            options.set(name, value).map_err(|error| Failure::Usage(error.to_string()))?;
        }
        let seed = i64::from(self.seed);
        options.set("seed", seed).map_err(|error| Failure::Usage(format!("--seed {seed}: {error}")))?;
        for assignment in &self.set {
            let usage = |what: String| Failure::Usage(format!("--set {assignment}: {what}; see `putnam options`"));
            let (name, value) = assignment.split_once('=').ok_or_else(|| usage("write NAME=VALUE".into()))?;
            let value = match value.trim() {
                "on" | "true" => 1,
                "off" | "false" => 0,
                number => number.parse().map_err(|_| usage(format!("`{number}` is no integer")))?,
            };
            options.set(name.trim(), value).map_err(|error| usage(error.to_string()))?;
        }
        Ok(options)
    }

    /// The options that differ from their defaults, as a user would write them again.
    pub(crate) fn repeat(&self) -> Vec<String> {
        let mut words = Vec::new();
        if self.engine != "cdcl" {
            words.extend(["--engine".into(), self.engine.clone()]);
        }
        if self.seed != 0 {
            words.extend(["--seed".into(), self.seed.to_string()]);
        }
        for assignment in &self.set {
            words.extend(["--set".into(), assignment.clone()]);
        }
        words
    }
}

/// When to give up.
#[derive(Args, Clone, Debug)]
pub(crate) struct LimitArgs {
    /// Seconds after which to give up, reading included
    #[arg(long, value_name = "S", value_parser = values::seconds)]
    pub(crate) time_limit: Option<Duration>,
    /// Conflicts after which to give up (the same in every run, unlike seconds)
    #[arg(long, value_name = "N")]
    pub(crate) conflict_limit: Option<u64>,
    /// Memory for clauses after which to give up: megabytes, or a number with K, M or G
    #[arg(long, value_name = "SIZE", value_parser = values::bytes)]
    pub(crate) memory_limit: Option<u64>,
}

impl LimitArgs {
    /// The limits that are counted; the deadline and the flag to stop are the caller's.
    pub(crate) fn counted(&self) -> Limits {
        Limits { conflicts: self.conflict_limit, memory: self.memory_limit, ..Limits::default() }
    }

    /// The counted limits that were given, as a user would write them again.
    pub(crate) fn repeat(&self) -> Vec<String> {
        let mut words = Vec::new();
        if let Some(conflicts) = self.conflict_limit {
            words.extend(["--conflict-limit".into(), conflicts.to_string()]);
        }
        if let Some(bytes) = self.memory_limit {
            words.extend(["--memory-limit".into(), format!("{}K", bytes >> 10)]);
        }
        words
    }
}
