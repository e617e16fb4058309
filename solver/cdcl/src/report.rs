//! Progress: one line for each event worth seeing, with a letter that says which. The solver hands lines to an observer
//! and prints nothing itself.

use std::fmt;

macro_rules! events {
    ($($name:ident: $letter:expr, $help:expr;)*) => {
        /// What happened.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Event {
            $(#[doc = $help] $name,)*
        }

        impl Event {
            /// Every event, for a legend.
            pub const ALL: &'static [Event] = &[$(Event::$name,)*];

            /// The letter that marks its lines.
            pub fn letter(self) -> char {
                match self { $(Event::$name => $letter,)* }
            }

            /// What the letter means.
            pub fn help(self) -> &'static str {
                match self { $(Event::$name => $help,)* }
            }
        }
    };
}

events! {
    Start: '*', "the search starts";
    Lucky: 'l', "a lucky assignment was a model";
    Focused: '{', "focused mode begins";
    Stable: '[', "stable mode begins";
    Reduce: '-', "learned clauses were forgotten";
    Rephase: '~', "the saved phases were reset";
    Walk: 'w', "the saved phases come from a local search";
    Probing: 'p', "a round of probing ended";
    Subsume: 's', "subsumed clauses and literals were removed";
    Eliminate: 'x', "variables were eliminated";
    Factor: 'a', "variables were added to factor clauses";
    Elimination: 'e', "a round of elimination ended";
    Substitute: 'd', "equivalent literals were replaced";
    Congruence: 'c', "gates were found equal";
    Parity: 'g', "exclusive ors gave units or equivalences";
    Pigeonhole: 'o', "there were more pigeons than holes";
    Probe: 'f', "failed literals were found";
    Backbone: 'b', "the binary clauses gave units";
    Blocked: 'k', "blocked or covered clauses were removed";
    Sweep: 'q', "sweeping found equivalences or units";
    Ternary: 'h', "clauses of three literals were resolved";
    Vivify: 'v', "clauses were vivified";
    Unit: 'i', "a variable was fixed for good";
    Satisfiable: '1', "a model was found";
    Unsatisfiable: '0', "there is no model";
    Unknown: '?', "the search gave up";
}

/// One line of progress.
#[derive(Clone, Debug)]
pub struct ReportLine {
    /// What happened.
    pub event: Event,
    /// Seconds since the solver was made. All other fields are the same in every run.
    pub seconds: f64,
    /// Mebibytes that the solver holds.
    pub mebibytes: f64,
    /// The average decision level after conflicts.
    pub level: f64,
    /// Reductions so far.
    pub reductions: u64,
    /// Restarts so far.
    pub restarts: u64,
    /// Conflicts so far.
    pub conflicts: u64,
    /// Learned clauses that are kept.
    pub redundant: u64,
    /// The average share of variables that are assigned at conflicts, in per cent.
    pub trail: f64,
    /// The slow average of glue.
    pub glue: f64,
    /// Clauses of the formula that are kept.
    pub irredundant: u64,
    /// Variables that are not fixed.
    pub variables: u64,
}

impl ReportLine {
    /// The head of the table that the lines make.
    pub const HEADER: &'static str =
        "   seconds    MB  level  reductions   restarts  conflicts  redundant trail   glue irredundant  variables";
}

impl fmt::Display for ReportLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} {:8.2} {:5.0} {:6.1} {:11} {:10} {:10} {:10} {:4.0}% {:6.2} {:11} {:10}",
            self.event.letter(),
            self.seconds,
            self.mebibytes,
            self.level,
            self.reductions,
            self.restarts,
            self.conflicts,
            self.redundant,
            self.trail,
            self.glue,
            self.irredundant,
            self.variables
        )
    }
}

/// What is called with each line.
pub type Observer = Box<dyn FnMut(&ReportLine) + Send>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_are_unique_and_columns_meet_the_header() {
        let letters: std::collections::HashSet<char> = Event::ALL.iter().map(|e| e.letter()).collect();
        assert_eq!(letters.len(), Event::ALL.len());
        let line = ReportLine {
            event: Event::Start,
            seconds: 1.0,
            mebibytes: 2.0,
            level: 3.0,
            reductions: 4,
            restarts: 5,
            conflicts: 6,
            redundant: 7,
            trail: 8.0,
            glue: 9.0,
            irredundant: 10,
            variables: 11,
        };
        assert_eq!(line.to_string().len(), ReportLine::HEADER.len());
    }
}
