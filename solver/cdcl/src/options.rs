//! All options, in one table: name, default, lowest and highest value, what it does.

use thiserror::Error;

/// One row of the table of options.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OptionInfo {
    /// The name by which [`Options::set`] knows it.
    pub name: &'static str,
    /// The value unless it is set.
    pub default: i64,
    /// The lowest value.
    pub low: i64,
    /// The highest value. Switches have 0 for off and 1 for on.
    pub high: i64,
    /// What it does.
    pub help: &'static str,
}

/// Why an option was not set.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum OptionError {
    /// There is no option of this name.
    #[error("there is no option `{0}`")]
    Unknown(String),
    /// The value is outside the option's range.
    #[error("option `{name}` takes {low} to {high}, not {value}")]
    Range {
        /// The option.
        name: &'static str,
        /// The value that was refused.
        value: i64,
        /// The lowest value.
        low: i64,
        /// The highest value.
        high: i64,
    },
}

macro_rules! options {
    ($($name:ident: $default:expr, $low:expr, $high:expr, $help:expr;)*) => {
        /// The values of all options. The same input with the same values gives the same run.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct Options {
            $(pub(crate) $name: i64,)*
        }

        impl Default for Options {
            fn default() -> Self {
                Self { $($name: $default,)* }
            }
        }

        impl Options {
            /// The table of all options, in alphabetical order.
            pub const TABLE: &'static [OptionInfo] = &[
                $(OptionInfo { name: stringify!($name), default: $default, low: $low, high: $high, help: $help },)*
            ];

            fn slot(&mut self, name: &str) -> Option<&mut i64> {
                match name {
                    $(stringify!($name) => Some(&mut self.$name),)*
                    _ => None,
                }
            }

            fn values(&self) -> impl Iterator<Item = i64> {
                [$(self.$name,)*].into_iter()
            }
        }
    };
}

options! {
    backbone: 0, 0, 1, "find literals whose negation fails by binary clauses alone";
    backboneeffort: 20, 1, 10_000, "backbone of the binary clauses: per mille of the search ticks";
    block: 0, 0, 1, "remove clauses all of whose resolvents on a literal are tautologies";
    blockeffort: 20, 1, 10_000, "blocked clauses: per mille of the search ticks";
    blockmin: 500, 0, 10_000_000, "blocked clauses: least effort of a round, in thousands of ticks";
    blockocc: 100, 1, 1_000_000, "blocked clauses: most clauses of the negated literal";
    bump: 1, 0, 1, "bump the variables of conflicts";
    bumpreason: 1, 0, 1, "bump also the variables of the learned literals' reasons";
    bumpreasonlimit: 10, 1, 1_000_000, "reason side bumping: most literals per literal of the analysis";
    bumpreasonrate: 100, 1, 1_000_000, "reason side bumping: only below this many decisions per conflict";
    burst: 0, 0, 2, "take random decisions for a few conflicts: 0 never, 1 in focused mode, 2 in both";
    burstint: 500, 1, 1_000_000, "random bursts: conflicts, growing with the number of bursts";
    burstlength: 10, 1, 10_000, "random bursts: conflicts of the first one, growing slowly";
    chrono: 1, 0, 1, "take back only one level where a jump would be long";
    chronolevels: 100, 0, 1_000_000, "chronological backtracking: longest jump that is made";
    congruence: 1, 0, 1, "find gates with equal inputs, whose outputs are equal";
    cover: 0, 0, 1, "remove clauses that are blocked with the literals that their resolvents share";
    covereffort: 20, 1, 10_000, "covered clauses: per mille of the search ticks";
    covermin: 500, 0, 10_000_000, "covered clauses: least effort of a round, in thousands of ticks";
    decay: 50, 1, 500, "stable mode: what scores lose at each conflict, per mille";
    define: 1, 0, 1, "elimination: find definitions that are no gates with a small solver";
    defineconflicts: 100, 1, 1_000_000, "definitions: most conflicts of a call of the small solver";
    eager: 4, 0, 100, "eager subsumption: how many of the last learned clauses are tried";
    eliminate: 1, 0, 1, "replace the clauses of variables by their resolvents";
    eliminatebound: 16, 0, 1_000, "elimination: at last, so many resolvents more than clauses";
    eliminateclause: 100, 3, 10_000, "elimination: literals of the longest clause or resolvent";
    eliminateeffort: 100, 1, 100_000, "elimination: per mille of the search ticks";
    eliminateinit: 500, 0, 1_000_000, "conflicts before the first elimination round, at most eliminateint";
    eliminateint: 500, 1, 1_000_000, "elimination rounds: conflicts, growing with the number of rounds";
    eliminatemin: 2_000, 0, 10_000_000, "elimination: least effort of a round, in thousands of ticks";
    eliminateocc: 100, 1, 1_000_000, "elimination: most clauses of one literal";
    elimination: 1, 0, 1, "remove clauses and variables from time to time";
    emafast: 33, 1, 1_000_000, "window of the fast average of glue, in conflicts";
    emaslow: 100_000, 1, 1_000_000_000, "window of the slow average of glue, in conflicts";
    factor: 1, 0, 1, "replace products of clauses by a new variable's clauses";
    factorclause: 5, 2, 100, "factoring: literals of the longest clause";
    factoreffort: 50, 1, 10_000, "factoring: per mille of the search ticks";
    factormin: 1_000, 0, 10_000_000, "factoring: least effort of a round, in thousands of ticks";
    factorsave: 12, 1, 1_000_000, "factoring: fewest clauses that a new variable saves";
    factorstructure: 1, 0, 1, "factoring: of equally good literals take the one with most connections to the first";
    gates: 1, 0, 1, "elimination: find the definitions of variables";
    gatexor: 4, 2, 8, "elimination: most inputs of XOR gates";
    gauss: 1, 0, 1, "eliminate with the exclusive ors of the formula during the search";
    gausscolumns: 1_000, 1, 100_000, "elimination during the search: most variables of a matrix";
    gausseffort: 20, 0, 10_000, "elimination during the search: per mille of the search ticks for looking for exclusive ors";
    gaussmatrices: 20, 1, 100_000, "elimination during the search: most matrices";
    gaussmin: 1_000, 0, 10_000_000, "elimination during the search: least effort of such a look, in thousands of ticks";
    gausspatience: 100, 0, 10_000_000, "elimination during the search: ticks of all matrices, in thousands, before they are judged";
    gaussprice: 100, 1, 1_000_000_000, "elimination during the search: ticks that an implied literal may cost; a conflict may cost ten times as much";
    gaussproof: 2_000, 0, 10_000_000, "elimination during the search: clauses in a proof, in thousands, after which it ends";
    gaussrows: 1_000, 1, 100_000, "elimination during the search: most exclusive ors of a matrix";
    gaussrowsmin: 4, 1, 100_000, "elimination during the search: fewest exclusive ors of a matrix";
    hyper: 0, 0, 1, "probing: learn binary clauses for what large clauses imply";
    hypermax: 10, 0, 1000, "hyper-binary resolution: most new clauses of a round, in per cent of all clauses";
    inprocess: 1, 0, 1, "simplify the clauses from time to time";
    lucky: 1, 0, 1, "try assignments that are often models before the search";
    minimize: 1, 0, 1, "remove implied literals from learned clauses";
    minimizedepth: 1000, 1, 5000, "minimisation: deepest recursion";
    mode: 1, 0, 2, "0 focused, 1 both in turns, 2 stable";
    modeinit: 1000, 10, 100_000_000, "conflicts of the first focused phase";
    parity: 1, 0, 1, "solve the exclusive ors of the formula as linear equations";
    parityclause: 7, 3, 7, "parity: literals of the longest clauses in which exclusive ors are looked for";
    parityeffort: 5, 0, 10_000, "parity: per mille of the search ticks";
    parityexactly: 1, 0, 1, "parity: exactly one of some literals is an odd number too";
    paritymin: 500, 0, 10_000_000, "parity: effort beside its share, in thousands of ticks; more where most clauses are exclusive ors";
    parityproof: 10_000, 0, 10_000_000, "parity: most clauses that it adds to a proof, in thousands; what takes more is not used";
    phase: 1, 0, 1, "the first value of a decided variable";
    pigeonhole: 1, 0, 1, "refute more clauses than there are sets of which at most one literal can be true";
    pigeonholeeffort: 5, 0, 10_000, "pigeonholes: per mille of the search ticks";
    pigeonholemin: 200, 0, 10_000_000, "pigeonholes: effort beside its share, in thousands of ticks";
    pigeonholeproof: 10_000, 0, 10_000_000, "pigeonholes: clauses of the longest proof, in thousands";
    probe: 1, 0, 1, "probing rounds: find literals whose propagation fails";
    probeeffort: 10, 1, 10_000, "failed literals: per mille of the search ticks";
    probeinit: 100, 0, 1_000_000, "conflicts before the first probing round, at most probeint";
    probeint: 100, 1, 1_000_000, "probing rounds: conflicts, growing with the number of rounds";
    probing: 1, 0, 1, "look for implications from time to time";
    promote: 1, 0, 1, "lower the glue of clauses that are used";
    proofkeep: 1, 0, 1, "keep in the proof what may have to be restored; 0 is for one search";
    reduce: 1, 0, 1, "forget learned clauses that are of little use";
    reducehigh: 90, 1, 100, "reduction: per cent of the candidates that are forgotten at first";
    reduceint: 1000, 1, 1_000_000, "reduction: conflicts, multiplied by the root of the number of reductions";
    reducelow: 75, 1, 100, "reduction: per cent of the candidates that are forgotten at last";
    reluctant: 1024, 1, 1_000_000, "stable mode: conflicts per unit of the reluctant doubling sequence";
    reluctantmax: 1_048_576, 2, 1_000_000_000, "stable mode: the longest wait, in units";
    rephase: 1, 0, 1, "reset the saved phases from time to time";
    rephaseint: 1000, 1, 1_000_000, "rephasing: conflicts, growing with the number of rephasings";
    restart: 1, 0, 1, "restart the search";
    restartint: 2, 1, 1_000_000, "focused mode: fewest conflicts between restarts";
    restartmargin: 10, 0, 1000, "focused mode: per cent by which the fast average must exceed the slow one";
    reusetrail: 1, 0, 1, "keep the levels that a restart would decide again";
    roundpatience: 2, 0, 1_000_000, "probing and elimination rounds: search ticks a clause before the first one";
    roundscale: 1, 0, 1, "probing and elimination rounds: rarer, by the number of clauses";
    seed: 0, 0, i64::MAX, "seed of the random generator";
    shrink: 1, 0, 1, "replace the literals of a level by one that implies them";
    strengthen: 0, 0, 1_000, "highest glue of learned clauses that are resolved with binary clauses";
    substitute: 1, 0, 1, "let one literal stand for all that are equivalent to it";
    substituterounds: 2, 1, 100, "substitution: how often in a row";
    subsume: 1, 0, 1, "remove clauses that contain others, and literals by self-subsuming resolution";
    subsumeclause: 100, 3, 1_000_000, "subsumption: literals of the longest clause";
    subsumeeffort: 100, 1, 100_000, "subsumption: per mille of the search ticks";
    subsumemin: 1_000, 0, 10_000_000, "subsumption: least effort of a round, in thousands of ticks";
    subsumeocc: 100, 1, 1_000_000, "subsumption: longest list of clauses that are compared";
    sweep: 1, 0, 1, "find equivalent literals and units with a small solver for the clauses around a variable";
    sweepbonus: 20_000, 0, 1_000_000_000, "sweeping: ticks by which each find prolongs a round";
    sweepclauses: 1024, 10, 1_000_000, "sweeping: most clauses around a variable at first";
    sweepconflicts: 100, 1, 1_000_000, "sweeping: most conflicts of a call of the small solver";
    sweepdepth: 2, 1, 100, "sweeping: how far clauses are away at first";
    sweepeffort: 50, 1, 10_000, "sweeping: per mille of the search ticks";
    sweepmax: 10_000, 0, 10_000_000, "sweeping: most by which finds prolong a round, in thousands of ticks";
    sweepmin: 300, 0, 10_000_000, "sweeping: least effort of a round, in thousands of ticks";
    sweepvars: 256, 10, 1_000_000, "sweeping: most variables around one at first";
    target: 1, 0, 2, "decide by target phases: 0 never, 1 in stable mode, 2 always";
    ternary: 0, 0, 1, "resolve clauses of three literals where the resolvent is no longer";
    ternaryeffort: 10, 1, 10_000, "ternary resolution: per mille of the search ticks";
    ternarymax: 20, 1, 1000, "ternary resolution: most new clauses of a round, in per cent of all clauses";
    tier1: 2, 1, 100, "glue up to which a use saves clauses from fifteen reductions, before it is computed from usage";
    tier1max: 2, 1, 127, "highest first limit that is computed, if tier1 is not higher";
    tier2: 6, 1, 1000, "glue up to which a use saves clauses from two reductions, before it is computed from usage";
    tier2max: 6, 1, 127, "highest second limit that is computed, if tier2 is not higher";
    tiers: 1, 0, 1, "compute the limits of tiers from how often glues are used";
    transitive: 1, 0, 1, "remove binary clauses that other binary clauses imply";
    transitiveeffort: 10, 1, 10_000, "transitive reduction: per mille of the search ticks";
    vivify: 1, 0, 1, "find literals of clauses, and whole clauses, that propagation shows to be superfluous";
    vivifyeffort: 100, 1, 10_000, "vivification: per mille of the search ticks";
    vivifyinst: 1, 0, 1, "vivification: flip the last decision where nothing else was found";
    vivifyirredundant: 3, 0, 100, "vivification: share of the effort for clauses of the formula";
    vivifytier1: 4, 0, 100, "vivification: share of the effort for learned clauses of the lowest glue";
    vivifytier2: 2, 0, 100, "vivification: share of the effort for learned clauses of middling glue";
    vivifytier3: 1, 0, 100, "vivification: share of the effort for learned clauses of high glue";
    walk: 1, 0, 1, "rephase by local search too";
    walkeffort: 50, 1, 10_000, "local search: per mille of the search ticks";
    walkinit: 4, 0, 1_000_000, "uniform formulas: first local search, ticks times the square of the clauses; 0 for none";
    walkmax: 200_000, 0, 100_000_000, "uniform formulas: first local search, most ticks, in thousands";
    walkuniform: 200, 0, 10_000, "uniform formulas: local search, per mille of the search ticks for each thousand clauses, at most 1000";
    warmup: 0, 0, 1, "local search: begin with an assignment to which propagation leads";
}

impl Options {
    /// Sets an option by its name.
    ///
    /// # Errors
    /// If there is no such option, or the value is outside its range.
    pub fn set(&mut self, name: &str, value: i64) -> Result<(), OptionError> {
        let info = Self::info(name).ok_or_else(|| OptionError::Unknown(name.to_owned()))?;
        if !(info.low..=info.high).contains(&value) {
            return Err(OptionError::Range { name: info.name, value, low: info.low, high: info.high });
        }
        if let Some(slot) = self.slot(name) {
            *slot = value;
        }
        Ok(())
    }

    /// The row of an option.
    pub fn info(name: &str) -> Option<&'static OptionInfo> {
        Self::TABLE.iter().find(|info| info.name == name)
    }

    /// The value of an option.
    pub fn get(&self, name: &str) -> Option<i64> {
        Self::TABLE.iter().zip(self.values()).find(|(info, _)| info.name == name).map(|(_, value)| value)
    }

    /// The options that do not have their default, with their values.
    pub fn changed(&self) -> impl Iterator<Item = (&'static str, i64)> {
        Self::TABLE.iter().zip(self.values()).filter(|(info, value)| info.default != *value).map(|(i, v)| (i.name, v))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted_and_consistent() {
        assert!(Options::TABLE.windows(2).all(|pair| pair[0].name < pair[1].name));
        let mut options = Options::default();
        for info in Options::TABLE {
            assert!((info.low..=info.high).contains(&info.default), "{}", info.name);
            assert_eq!(options.get(info.name), Some(info.default));
            options.set(info.name, info.high).unwrap();
            assert_eq!(options.get(info.name), Some(info.high));
        }
        assert!(options.changed().all(|(name, value)| Options::info(name).unwrap().high == value));
    }

    #[test]
    fn refuses_what_is_unknown_or_out_of_range() {
        let mut options = Options::default();
        assert_eq!(options.set("nothing", 1).unwrap_err().to_string(), "there is no option `nothing`");
        let error = options.set("mode", 3).unwrap_err();
        assert_eq!(error.to_string(), "option `mode` takes 0 to 2, not 3");
        assert_eq!(options, Options::default());
        assert_eq!(options.changed().count(), 0);
    }
}
