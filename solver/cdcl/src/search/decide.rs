//! Decisions: which variable (VMTF queue in focused mode, EVSIDS heap in stable mode) and which value (phases).

use crate::Solver;
use crate::data::trail::Reason;
use putnam_formula::Var;

impl Solver {
    /// Opens a level with the next decision. There must be an unassigned variable.
    pub(crate) fn decide(&mut self) {
        let Some(var) = self.random_decision().or_else(|| self.next_decision()) else { return };
        let lit = self.phases.literal(var, self.using_target());
        self.statistics.decisions += 1;
        self.trail.open_level(Some(lit));
        self.assign(lit, Reason::NOTHING);
    }

    /// The variable that would be decided now.
    pub(crate) fn next_decision(&mut self) -> Option<Var> {
        let values = &self.values;
        let is_assigned = |var: Var| !values.is_unassigned(var.positive());
        if !self.stable {
            return self.queue.last_unassigned(is_assigned);
        }
        while let Some(var) = self.scores.top() {
            if !is_assigned(var) {
                return Some(var);
            }
            self.scores.pop();
        }
        None
    }

    /// Whether decisions follow the target phases.
    pub(crate) fn using_target(&self) -> bool {
        self.options.target == 2 || (self.stable && self.options.target == 1)
    }
}
