//! The clauses that say what the goal wants of the last pegs.

use crate::{Goal, Hole, Jump};
use putnam_encode::Counter;
use putnam_formula::{ClauseSink, Lit, Var};

/// What is known of the end besides the goal.
pub(crate) struct Ends<'a> {
    /// What is wanted.
    pub(crate) goal: &'a Goal,
    /// The holes where a single last peg can be, ascending.
    pub(crate) finals: &'a [Hole],
    /// The jumps of the board.
    pub(crate) jumps: &'a [Jump],
}

impl Ends<'_> {
    /// Clauses by which `asked` implies that the pegs, one variable a hole, are as the goal wants them.
    pub(crate) fn ask(&self, sink: &mut dyn ClauseSink, asked: Lit, pegs: &[Var]) {
        match self.goal {
            Goal::OnePeg | Goal::PegIn(_) | Goal::Pegs(1) => self.one_peg(sink, asked, pegs),
            Goal::Pattern(pattern) => {
                for (index, peg) in pegs.iter().enumerate() {
                    sink.add_clause(&[!asked, peg.lit(pattern.has(index + 1))]);
                }
            }
            Goal::Pegs(count) => exactly(sink, asked, pegs, *count),
            Goal::DeadEnd(count) => {
                exactly(sink, asked, pegs, *count);
                self.stuck(sink, asked, pegs);
            }
            Goal::ShortestDeadEnd => self.stuck(sink, asked, pegs),
            Goal::FewestPegs => {}
        }
    }

    fn one_peg(&self, sink: &mut dyn ClauseSink, asked: Lit, pegs: &[Var]) {
        let last: Vec<Lit> = self.finals.iter().map(|&hole| pegs[hole - 1].positive()).collect();
        for (index, peg) in pegs.iter().enumerate() {
            if self.finals.binary_search(&(index + 1)).is_err() {
                sink.add_clause(&[!asked, peg.negative()]);
            }
        }
        for (index, &a) in last.iter().enumerate() {
            last[index + 1..].iter().for_each(|&b| sink.add_clause(&[!asked, !a, !b]));
        }
        sink.add_clause(&[vec![!asked], last].concat());
    }

    fn stuck(&self, sink: &mut dyn ClauseSink, asked: Lit, pegs: &[Var]) {
        for jump in self.jumps {
            let peg = |hole: Hole| pegs[hole - 1];
            let impossible = [peg(jump.from).negative(), peg(jump.over).negative(), peg(jump.to).positive()];
            sink.add_clause(&[&[!asked][..], &impossible].concat());
        }
    }
}

fn exactly(sink: &mut dyn ClauseSink, asked: Lit, pegs: &[Var], count: usize) {
    if count > pegs.len() {
        return sink.add_clause(&[!asked]);
    }
    let lits: Vec<Lit> = pegs.iter().map(|peg| peg.positive()).collect();
    let counter = Counter::new(sink, &lits, count + 1);
    if let Some(enough) = counter.at_least(count) {
        sink.add_clause(&[!asked, enough]);
    }
    if let Some(more) = counter.at_least(count + 1) {
        sink.add_clause(&[!asked, !more]);
    }
}
