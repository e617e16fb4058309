//! All counters, in one table: counter, how it is printed, per what.

use putnam_formula::Statistic;

/// What a counter is printed in relation to.
#[derive(Clone, Copy)]
enum Per {
    Nothing,
    Conflict,
    Learned,
    LearnedLiteral,
    Decision,
    Propagation,
    Tick,
    Check,
}

macro_rules! statistics {
    ($($name:ident: $print:expr, $per:ident;)*) => {
        /// What the solver counts.
        #[derive(Clone, Debug, Default)]
        pub(crate) struct Statistics {
            $(pub(crate) $name: u64,)*
        }

        impl Statistics {
            /// All counters that are not zero, in the order of the table.
            pub(crate) fn rows(&self) -> Vec<Statistic> {
                let rows = [$(($print, self.$name, Per::$per),)*];
                rows.into_iter()
                    .filter(|row| row.1 != 0)
                    .map(|(name, count, per)| Statistic { name, count, ratio: self.ratio(count, per) })
                    .collect()
            }
        }
    };
}

statistics! {
    conflicts: "conflicts", Nothing;
    decisions: "decisions", Conflict;
    propagations: "propagations", Conflict;
    ticks: "ticks", Propagation;
    learned: "learned clauses", Conflict;
    learned_literals: "learned literals", Learned;
    deduced_literals: "literals before minimisation", Learned;
    minimized_literals: "minimised literals", LearnedLiteral;
    shrunken_literals: "shrunken literals", LearnedLiteral;
    strengthened_literals: "literals removed by binary clauses", LearnedLiteral;
    learned_units: "learned units", Learned;
    learned_binaries: "learned binary clauses", Learned;
    eagerly_subsumed: "eagerly subsumed clauses", Learned;
    promoted: "promoted clauses", Learned;
    reason_side_bumped: "reason side bumped variables", Conflict;
    chronological: "chronological backtrackings", Conflict;
    flipped: "conflicts of one literal", Conflict;
    bursts: "random bursts", Conflict;
    random_decisions: "random decisions", Decision;
    restarts: "restarts", Conflict;
    reused_levels: "reused levels", Nothing;
    mode_switches: "mode switches", Conflict;
    rephased: "rephasings", Conflict;
    walks: "local searches", Nothing;
    first_walks: "local searches before the search", Nothing;
    walk_flips: "local search flips", Nothing;
    warmups: "warm-ups", Nothing;
    warmup_propagations: "warm-up propagations", Nothing;
    walk_ticks: "local search ticks", Nothing;
    reductions: "reductions", Conflict;
    reduced: "forgotten clauses", Learned;
    root_satisfied: "clauses satisfied at the root", Nothing;
    root_strengthened: "literals removed at the root", Nothing;
    probing_rounds: "probing rounds", Conflict;
    elimination_rounds: "elimination rounds", Conflict;
    inprocessing_units: "units found by inprocessing", Nothing;
    eliminated: "eliminated variables", Nothing;
    resolvents: "resolvents of eliminated variables", Nothing;
    equivalence_gates: "equivalence gates", Nothing;
    and_gates: "AND gates", Nothing;
    if_then_else_gates: "if-then-else gates", Nothing;
    xor_gates: "XOR gates", Nothing;
    definition_checks: "variables tried for definitions", Nothing;
    definition_calls: "definition calls", Nothing;
    definitions: "definitions", Nothing;
    definition_units: "units from definitions", Nothing;
    elimination_ticks: "elimination ticks", Nothing;
    blocked: "blocked clauses", Nothing;
    block_ticks: "blocked clause ticks", Tick;
    covered: "covered clauses", Nothing;
    asymmetric: "asymmetric tautologies", Nothing;
    covered_literals: "covered literals", Nothing;
    cover_ticks: "covered clause ticks", Tick;
    factored: "variables added by factoring", Nothing;
    factored_clauses: "clauses saved by factoring", Nothing;
    factor_ties: "ties between factors", Nothing;
    factor_ticks: "factoring ticks", Tick;
    subsumed: "subsumed clauses", Nothing;
    strengthened: "strengthened clauses", Nothing;
    subsumption_ticks: "subsumption ticks", Nothing;
    weakened: "clauses removed with a witness", Nothing;
    restored: "restored clauses", Nothing;
    substituted: "substituted variables", Nothing;
    substituted_clauses: "clauses rewritten by substitution", Nothing;
    substitute_units: "units from substitution", Nothing;
    duplicate_binaries: "duplicate binary clauses", Nothing;
    duplicate_units: "units from duplicate binary clauses", Nothing;
    congruence_rounds: "congruence closures", Nothing;
    congruence_gates: "gates", Nothing;
    congruent: "congruent outputs", Nothing;
    congruence_units: "units from congruence", Nothing;
    parity_rounds: "parity rounds", Nothing;
    parity_ticks: "parity ticks", Tick;
    parity_xors: "exclusive ors", Nothing;
    parity_units: "units from parity", Nothing;
    parity_equivalences: "equivalences from parity", Nothing;
    parity_contradictions: "contradictions from parity", Nothing;
    parity_solutions: "solutions of exclusive ors", Nothing;
    parity_proof: "clauses of parity proofs", Nothing;
    parity_unproved: "parity facts whose proof was too long", Nothing;
    pigeonhole_rounds: "pigeonhole rounds", Nothing;
    pigeonhole_ticks: "pigeonhole ticks", Tick;
    pigeonholes: "pigeonhole contradictions", Nothing;
    pigeonhole_proof: "clauses of pigeonhole proofs", Nothing;
    pigeonhole_unproved: "pigeonhole contradictions whose proof was too long", Nothing;
    gauss_matrices: "matrices", Nothing;
    gauss_rows: "rows of matrices", Nothing;
    gauss_columns: "columns of matrices", Nothing;
    gauss_off: "matrices switched off", Nothing;
    gauss_ticks: "matrix ticks", Tick;
    gauss_pivots: "changes of basis", Conflict;
    gauss_implied: "literals implied by rows", Conflict;
    gauss_conflicts: "conflicts of rows", Conflict;
    gauss_explained: "rows written as clauses", Conflict;
    gauss_proof: "clauses of proofs of rows", Nothing;
    probes: "probed literals", Nothing;
    probe_propagations: "probing propagations", Nothing;
    probe_ticks: "probing ticks", Tick;
    failed_literals: "failed literals", Nothing;
    hyper_resolvents: "hyper-binary resolvents", Nothing;
    hyper_subsumed: "clauses subsumed by hyper-binary resolvents", Nothing;
    hyper_removed: "forgotten hyper-binary resolvents", Nothing;
    backbone_ticks: "backbone ticks", Tick;
    backbone_passes: "backbone passes", Nothing;
    backbone_units: "units from the backbone", Nothing;
    sweep_ticks: "sweeping ticks", Tick;
    sweep_variables: "swept variables", Nothing;
    sweep_solves: "sweeping calls", Nothing;
    sweep_units: "units from sweeping", Nothing;
    sweep_equivalences: "swept equivalences", Nothing;
    sweep_refutations: "refutations by sweeping", Nothing;
    ternary_ticks: "ternary resolution ticks", Tick;
    ternary_resolvents: "ternary resolvents", Nothing;
    ternary_binaries: "binary resolvents of ternary clauses", Nothing;
    transitive_ticks: "transitive reduction ticks", Tick;
    transitive_removed: "transitive binary clauses", Nothing;
    transitive_units: "units from transitive reduction", Nothing;
    vivifications: "vivifications", Conflict;
    vivify_ticks: "vivification ticks", Tick;
    vivify_propagations: "vivification propagations", Nothing;
    vivify_candidates: "vivification candidates", Nothing;
    vivify_checks: "clauses tried to vivify", Nothing;
    vivify_decisions: "vivification decisions", Check;
    vivify_reused: "vivification decisions reused", Check;
    vivify_strengthened: "clauses strengthened by vivification", Check;
    vivify_removed: "literals removed by vivification", Check;
    vivify_subsumed: "clauses subsumed in vivification", Check;
    vivify_implied: "implied clauses removed by vivification", Check;
    vivify_instantiations: "clauses tried to instantiate", Check;
    vivify_instantiated: "literals removed by instantiation", Check;
    vivify_units: "units from vivification", Check;
    collections: "arena collections", Nothing;
    assumed: "assumption decisions", Decision;
    lucky: "lucky assignments", Nothing;
    solves: "calls", Nothing;
}

impl Statistics {
    fn ratio(&self, count: u64, per: Per) -> Option<(f64, &'static str)> {
        let (base, unit) = match per {
            Per::Nothing => return None,
            Per::Conflict => (self.conflicts, "per conflict"),
            Per::Learned => (self.learned, "per learned clause"),
            Per::LearnedLiteral => (self.deduced_literals, "per literal before minimisation"),
            Per::Decision => (self.decisions, "per decision"),
            Per::Tick => (self.ticks, "per search tick"),
            Per::Check => (self.vivify_checks, "per clause tried"),
            Per::Propagation => (self.propagations, "per propagation"),
        };
        (base != 0).then(|| (count as f64 / base as f64, unit))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zeros_are_left_out_and_ratios_follow_the_table() {
        let statistics = Statistics { conflicts: 4, decisions: 10, ..Statistics::default() };
        let rows = statistics.rows();
        assert_eq!(rows.iter().map(|row| row.name).collect::<Vec<_>>(), ["conflicts", "decisions"]);
        assert_eq!((rows[0].ratio, rows[1].ratio), (None, Some((2.5, "per conflict"))));
    }
}
