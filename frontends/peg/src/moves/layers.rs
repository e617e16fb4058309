//! Plans as a row of moves: one move, that is any number of jumps in a row by one peg, is one step of the formula.
//!
//! A jump changes the three holes of its triple. So what a move changes is the sum, over GF(2), of the triples along which
//! the peg jumps; in which order and direction it takes them follows: the triples join the holes that the peg visits to a graph, the peg
//! walks along every edge once, and such a walk exists exactly when the graph hangs together and all holes but the first and the last have
//! an even number of edges (Euler). That needs no variables for the order of the jumps, and no two models are the same
//! set of edges.
//!
//! It is right where no peg can visit a hole that it could jump over in the same move. [`Walks::of`] checks this: holes that are
//! joined by triples are of one kind, and no middle of a triple is of the kind of its ends. Square and triangular boards are so.
//!
//! The layers are counted from the end: layer k is the position with k moves to go. The goal is fixed in layer 0 and the start is
//! assumed in any layer, so that what was learned about k moves to go holds for all numbers of moves.
//!
//! That the graph hangs together is said where it matters: cuts for small cycles from the beginning, others when a model breaks
//! them.

use super::regions;
use crate::ends::Ends;
use crate::parallel::finals;
use crate::sequential::stabiliser;
use crate::{Board, Hole, Jump, Problem};
use putnam_encode::{AtMostOne, at_most, at_most_one_by, define_or};
use putnam_formula::{ClauseSink, Lit, Model, Var};

/// The graph on which pegs walk: an edge for each triple, between its ends.
pub(crate) struct Walks {
    triples: Vec<[Hole; 3]>,
    /// By hole: the triples that have it as an end, and as the middle.
    ends: Vec<Vec<usize>>,
    middles: Vec<Vec<usize>>,
}

impl Walks {
    /// The graph of a board; none when a peg could visit a hole that it jumps over in the same move.
    pub(crate) fn of(board: &Board) -> Option<Self> {
        let mut kind: Vec<Hole> = (0..=board.holes()).collect();
        fn root(kind: &mut [Hole], mut hole: Hole) -> Hole {
            while kind[hole] != hole {
                kind[hole] = kind[kind[hole]];
                hole = kind[hole];
            }
            hole
        }
        for &[a, _, c] in board.triples() {
            let (a, c) = (root(&mut kind, a), root(&mut kind, c));
            kind[a] = c;
        }
        if board.triples().iter().any(|&[a, b, _]| root(&mut kind, a) == root(&mut kind, b)) {
            return None;
        }
        let mut walks = Self {
            triples: board.triples().to_vec(),
            ends: vec![Vec::new(); board.holes() + 1],
            middles: vec![Vec::new(); board.holes() + 1],
        };
        for (index, &[a, b, c]) in board.triples().iter().enumerate() {
            walks.ends[a].push(index);
            walks.ends[c].push(index);
            walks.middles[b].push(index);
        }
        Some(walks)
    }

    fn other_end(&self, edge: usize, hole: Hole) -> Hole {
        let [a, _, c] = self.triples[edge];
        if a == hole { c } else { a }
    }

    /// The sets of holes of cycles of three and four edges: the smallest graphs that hang together by themselves.
    fn small_cycles(&self) -> Vec<Vec<Hole>> {
        let mut found = std::collections::BTreeSet::new();
        let next = |hole: Hole| self.ends[hole].iter().map(move |&edge| self.other_end(edge, hole));
        for a in 1..self.ends.len() {
            for b in next(a).filter(|&b| b > a) {
                for c in next(b).filter(|&c| c > a && c != b) {
                    for d in next(c).filter(|&d| d != b) {
                        if d == a {
                            found.insert(sorted(vec![a, b, c]));
                        } else if d > a && next(d).any(|last| last == a) {
                            found.insert(sorted(vec![a, b, c, d]));
                        }
                    }
                }
            }
        }
        found.into_iter().collect()
    }

    /// A walk along all the edges from `start`, as jumps, and the holes that it does not reach although they have edges.
    fn walk(&self, edges: &[usize], start: Hole) -> (Vec<Jump>, Vec<Hole>) {
        let mut open: Vec<Vec<usize>> = vec![Vec::new(); self.ends.len()];
        let mut used = vec![false; self.triples.len()];
        for &edge in edges {
            let [a, _, c] = self.triples[edge];
            open[a].push(edge);
            open[c].push(edge);
        }
        // Hierholzer's way: go on until stuck, and put detours in on the way back.
        let mut stack: Vec<(Hole, Option<usize>)> = vec![(start, None)];
        let mut backwards: Vec<(Hole, Option<usize>)> = Vec::new();
        while let Some(&(hole, _)) = stack.last() {
            while open[hole].last().is_some_and(|&edge| used[edge]) {
                open[hole].pop();
            }
            match open[hole].pop() {
                Some(edge) => {
                    used[edge] = true;
                    stack.push((self.other_end(edge, hole), Some(edge)));
                }
                None => backwards.extend(stack.pop()),
            }
        }
        let mut jumps = Vec::new();
        for pair in backwards.windows(2) {
            if let [(to, Some(edge)), (from, _)] = *pair {
                jumps.push(Jump { from, over: self.triples[edge][1], to });
            }
        }
        jumps.reverse();
        let left = edges.iter().filter(|&&edge| !used[edge]);
        (jumps, sorted(left.flat_map(|&edge| [self.triples[edge][0], self.triples[edge][2]]).collect()))
    }
}

fn sorted(mut holes: Vec<Hole>) -> Vec<Hole> {
    holes.sort_unstable();
    holes.dedup();
    holes
}

/// The variables of one move.
struct Move {
    /// Whether there is none here, nor before.
    idle: Var,
    /// By triple: whether the peg jumps along it.
    used: Vec<Var>,
    /// By hole: whether the peg starts there, and whether it ends there.
    start: Vec<Var>,
    end: Vec<Var>,
    /// By hole: true when the move uses it.
    touched: Vec<Var>,
}

/// The formula of plans by moves.
pub(crate) struct Layers<'a> {
    problem: &'a Problem,
    walks: Walks,
    /// `pegs[k][h]`: the peg in hole h + 1 with k moves to go.
    pegs: Vec<Vec<Var>>,
    /// `moves[k]` leads from layer k + 1 to layer k.
    moves: Vec<Move>,
    /// Sets of holes whose edges are used only when the peg starts in them or comes to them.
    cuts: Vec<Vec<Hole>>,
    /// Disjoint regions, each with a literal that is true when it is full at the end.
    regions: Vec<(Vec<Hole>, Option<Lit>)>,
    /// Holes from which the first move need not start, for a symmetry maps them to lower ones.
    symmetric: Vec<Hole>,
}

impl<'a> Layers<'a> {
    /// The formula of no move: the goal.
    pub(crate) fn new(problem: &'a Problem, walks: Walks, sink: &mut dyn ClauseSink) -> Self {
        let board = &problem.board;
        let pegs: Vec<Var> = (0..board.holes()).map(|_| sink.new_var()).collect();
        let finals = finals(problem);
        let asked = sink.new_var().positive();
        sink.add_clause(&[asked]);
        Ends { goal: &problem.goal, finals: &finals, jumps: &board.jumps() }.ask(sink, asked, &pegs);
        let (packing, _) = regions::packing(board, &problem.start, &problem.goal, &finals);
        let regions = packing.into_iter().map(|region| {
            // A larger one is not full when one peg is left; of a pattern none is.
            let full = match region.as_slice() {
                &[hole] => Some(pegs[hole - 1].positive()),
                _ => None,
            };
            (region, full)
        });
        let regions = regions.collect();
        let cuts = walks.small_cycles();
        let starts: Vec<Hole> = (1..=board.holes()).collect();
        let found = stabiliser(problem).representatives(&starts, |&hole| vec![hole]);
        let symmetric = starts.into_iter().filter(|&hole| found[hole - 1].0 != hole - 1).collect();
        Self { problem, walks, pegs: vec![pegs], moves: Vec::new(), cuts, regions, symmetric }
    }

    /// The number of moves so far.
    pub(crate) fn moves(&self) -> usize {
        self.moves.len()
    }

    /// Adds a move before the others.
    pub(crate) fn extend(&mut self, sink: &mut dyn ClauseSink) {
        let holes = self.problem.board.holes();
        let idle = sink.new_var();
        let mut row = |count: usize| (0..count).map(|_| sink.new_var()).collect::<Vec<Var>>();
        let this =
            Move { idle, used: row(self.walks.triples.len()), start: row(holes), end: row(holes), touched: row(holes) };
        let now = row(holes);
        let next = &self.pegs[self.pegs.len() - 1];
        for holes in [&this.start, &this.end] {
            let lits: Vec<Lit> = holes.iter().chain([&this.idle]).map(|var| var.positive()).collect();
            at_most_one_by(sink, &lits, AtMostOne::Pairwise);
            sink.add_clause(&lits);
        }
        this.used.iter().for_each(|used| sink.add_clause(&[used.negative(), this.idle.negative()]));
        self.jumps(&this, &now, next, sink);
        for hole in 1..=holes {
            self.walked(&this, hole, sink);
            self.changed(&this, hole, now[hole - 1], next[hole - 1], sink);
        }
        self.cuts.iter().for_each(|cut| self.cut(&this, cut, sink));
        if let Some(after) = self.moves.last() {
            self.in_order(&this, after, sink);
        }
        self.moves.push(this);
        self.pegs.push(now);
        self.bound(sink);
    }

    /// What the jumps along each triple want and do.
    fn jumps(&self, this: &Move, now: &[Var], next: &[Var], sink: &mut dyn ClauseSink) {
        for (&[a, b, c], used) in self.walks.triples.iter().zip(&this.used) {
            sink.add_clause(&[used.negative(), now[b - 1].positive()]);
            sink.add_clause(&[used.negative(), next[b - 1].negative()]);
            for end in [a, c] {
                // Of the holes that the peg visits, it stands in one; the others are empty.
                sink.add_clause(&[used.negative(), now[end - 1].negative(), this.start[end - 1].positive()]);
            }
            [a, b, c].iter().for_each(|hole| sink.add_clause(&[used.negative(), this.touched[hole - 1].positive()]));
        }
    }

    /// Each hole has an even number of edges, and the first and the last one more.
    fn walked(&self, this: &Move, hole: Hole, sink: &mut dyn ClauseSink) {
        let over: Vec<Lit> = self.walks.middles[hole].iter().map(|&edge| this.used[edge].positive()).collect();
        at_most_one_by(sink, &over, AtMostOne::Pairwise);
        let edges: Vec<Lit> = self.walks.ends[hole].iter().map(|&edge| this.used[edge].positive()).collect();
        for place in [this.start[hole - 1], this.end[hole - 1]] {
            sink.add_clause(&[&[place.negative()][..], &edges].concat());
        }
        let sum = [&edges[..], &[this.start[hole - 1].positive(), this.end[hole - 1].positive()]].concat();
        even(sink, &sum);
    }

    /// What becomes of a hole.
    fn changed(&self, this: &Move, hole: Hole, now: Var, next: Var, sink: &mut dyn ClauseSink) {
        let (start, end) = (this.start[hole - 1], this.end[hole - 1]);
        sink.add_clause(&[start.negative(), now.positive()]);
        sink.add_clause(&[end.negative(), next.positive()]);
        sink.add_clause(&[start.negative(), end.positive(), next.negative()]);
        // A peg that vanishes has gone or was taken out; one that appears has come.
        let mut vanish = vec![now.negative(), next.positive(), start.positive()];
        vanish.extend(self.walks.middles[hole].iter().map(|&edge| this.used[edge].positive()));
        sink.add_clause(&vanish);
        sink.add_clause(&[now.positive(), next.negative(), end.positive()]);
        let mut touched = vec![this.touched[hole - 1].negative()];
        for edge in self.walks.ends[hole].iter().chain(&self.walks.middles[hole]) {
            touched.push(this.used[*edge].positive());
        }
        sink.add_clause(&touched);
    }

    /// The edges between the holes of the cut are used only when the peg starts in them or goes over the border.
    fn cut(&self, this: &Move, cut: &[Hole], sink: &mut dyn ClauseSink) {
        let mut inside = Vec::new();
        let mut reached: Vec<Lit> = cut.iter().map(|hole| this.start[hole - 1].positive()).collect();
        for (&[a, _, c], used) in self.walks.triples.iter().zip(&this.used) {
            match (cut.contains(&a), cut.contains(&c)) {
                (true, true) => inside.push(used.negative()),
                (false, false) => {}
                _ => reached.push(used.positive()),
            }
        }
        for edge in inside {
            sink.add_clause(&[&[edge][..], &reached].concat());
        }
    }

    /// Of moves that use no common hole, the one that starts in the lower hole comes first; and a peg that has just moved
    /// does not move again, which would be the same move.
    fn in_order(&self, this: &Move, after: &Move, sink: &mut dyn ClauseSink) {
        let holes = self.problem.board.holes();
        sink.add_clause(&[after.idle.negative(), this.idle.positive()]);
        for hole in 0..holes {
            sink.add_clause(&[this.end[hole].negative(), after.start[hole].negative()]);
        }
        let meet = sink.new_var();
        let mut common = vec![meet.negative()];
        for hole in 0..holes {
            let both = sink.new_var();
            sink.add_clause(&[both.negative(), this.touched[hole].positive()]);
            sink.add_clause(&[both.negative(), after.touched[hole].positive()]);
            common.push(both.positive());
        }
        sink.add_clause(&common);
        let mut above = meet.positive();
        for hole in (0..holes).rev() {
            // `above`: they meet, or the move after starts in a higher hole.
            sink.add_clause(&[this.start[hole].negative(), above]);
            if hole > 0 {
                above = define_or(sink, &[above, after.start[hole].positive()]);
            }
        }
    }

    /// No more regions are full than there are moves to go.
    fn bound(&self, sink: &mut dyn ClauseSink) {
        let to_go = self.moves.len();
        if to_go >= self.regions.len() {
            return;
        }
        let pegs = &self.pegs[to_go];
        let waiting = self.regions.iter().map(|(region, full)| {
            let waiting = sink.new_var().positive();
            let mut clause = vec![waiting];
            clause.extend(full);
            clause.extend(region.iter().map(|hole| pegs[hole - 1].negative()));
            sink.add_clause(&clause);
            waiting
        });
        let waiting: Vec<Lit> = waiting.collect();
        at_most(sink, &waiting, to_go);
    }

    /// A fresh literal that implies that the start is the position with so many moves to go.
    pub(crate) fn start(&self, sink: &mut dyn ClauseSink, moves: usize) -> Lit {
        let asked = sink.new_var().positive();
        for (index, peg) in self.pegs[moves].iter().enumerate() {
            sink.add_clause(&[!asked, peg.lit(self.problem.start.has(index + 1))]);
        }
        if let Some(first) = moves.checked_sub(1) {
            sink.add_clause(&[!asked, self.moves[first].idle.negative()]);
            for &hole in &self.symmetric {
                sink.add_clause(&[!asked, self.moves[first].start[hole - 1].negative()]);
            }
        }
        asked
    }

    /// What is to be assumed besides when there are more layers: nothing happens before the start.
    pub(crate) fn idle(&self, moves: usize) -> Option<Lit> {
        self.moves.get(moves).map(|before| before.idle.positive())
    }

    /// The most moves that a plan can have: one for each jump.
    pub(crate) fn most(&self) -> usize {
        self.problem.steps().unwrap_or(0)
    }

    /// The jumps of a model in which there are `moves` moves to go from the start; or, when a move does not hang together, the cuts
    /// that are missing, which are added.
    pub(crate) fn decode(&mut self, sink: &mut dyn ClauseSink, model: &Model, moves: usize) -> Option<Vec<Jump>> {
        let mut jumps = Vec::new();
        let mut missing: Vec<Vec<Hole>> = Vec::new();
        for this in self.moves[..moves].iter().rev() {
            let edges: Vec<usize> = (0..this.used.len()).filter(|&edge| model.value(this.used[edge])).collect();
            let start = (0..this.start.len()).find(|&hole| model.value(this.start[hole])).map_or(0, |hole| hole + 1);
            let (walk, mut left) = self.walks.walk(&edges, start);
            jumps.extend(walk);
            while let Some(&hole) = left.first() {
                let part = self.part(&edges, hole);
                left.retain(|other| !part.contains(other));
                missing.push(part);
            }
        }
        if missing.is_empty() {
            return Some(jumps);
        }
        missing.sort();
        missing.dedup();
        for cut in missing {
            self.moves.iter().for_each(|this| self.cut(this, &cut, sink));
            self.cuts.push(cut);
        }
        None
    }

    /// The holes that hang together with this one by the edges.
    fn part(&self, edges: &[usize], hole: Hole) -> Vec<Hole> {
        let mut part = vec![hole];
        let mut next = 0;
        while next < part.len() {
            for &edge in edges {
                let [a, _, c] = self.walks.triples[edge];
                for (one, other) in [(a, c), (c, a)] {
                    if one == part[next] && !part.contains(&other) {
                        part.push(other);
                    }
                }
            }
            next += 1;
        }
        sorted(part)
    }
}

/// An even number of the literals is true. Long sums are cut into parts by fresh variables.
fn even(sink: &mut dyn ClauseSink, lits: &[Lit]) {
    if lits.len() > 5 {
        let part = sink.new_var().positive();
        even(sink, &[&lits[..3], &[part]].concat());
        return even(sink, &[&[part][..], &lits[3..]].concat());
    }
    for signs in 0..1u32 << lits.len() {
        if signs.count_ones() % 2 == 1 {
            let clause: Vec<Lit> =
                lits.iter().enumerate().map(|(index, &lit)| if signs >> index & 1 == 1 { !lit } else { lit }).collect();
            sink.add_clause(&clause);
        }
    }
}
