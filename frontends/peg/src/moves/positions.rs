//! Fewest moves by a search over positions, breadth first by moves.
//!
//! It is Bell's way (Solving Triangular Peg Solitaire, 2008): for a number of moves M, all positions after 0, 1, 2, ... moves, but those
//! whose full regions need more moves than are left of M. When the goal is not among them, no plan has M moves, and M grows.
//! Positions that a symmetry of the board and the goal maps to each other are kept once.

use super::regions::{self, Packed};
use super::{Fewest, count};
use crate::{Goal, Hole, Jump, Position, Problem, Symmetries};
use putnam_formula::{Limits, StopReason};
use rustc_hash::FxHashSet;
use std::sync::atomic::Ordering;
use std::time::Instant;

/// The most holes: a position is a word of 64 bits.
const MAX_HOLES: usize = 64;

/// The most positions that are kept at the same time; with a limit on memory, so many as fit at [`BYTES`] each.
const MAX_POSITIONS: usize = 25_000_000;

/// What a position takes, in its level and in a table that is at least half full and may be growing.
const BYTES: u64 = 40;

/// When there are more positions than this, a plan is looked for before all of them are.
const FEW_POSITIONS: usize = 1_500_000;

/// How many positions of a level are kept when a plan is looked for among the best, at first and then.
const BEAM_WIDTHS: [usize; 3] = [2_000, 20_000, 60_000];

/// How many more moves than the fewest that are possible such a plan may have.
const BEAM_MORE: usize = 4;

/// A jump as masks, by the hole from which it goes.
#[derive(Clone, Copy)]
struct Masks {
    over: u64,
    to: u64,
    hole: Hole,
}

/// How a symmetry maps a byte of a position at each place.
type Table = Vec<[u64; 256]>;

pub(super) struct PositionSearch<'a> {
    problem: &'a Problem,
    jumps: Vec<Vec<Masks>>,
    packings: Vec<Packed>,
    symmetries: Vec<Table>,
    limits: Limits,
    /// The positions of the last search, by the number of moves that lead to them.
    levels: Vec<Vec<u64>>,
    seen: FxHashSet<u64>,
    /// For one move: the positions within it, with the hole of the peg that moves.
    within: FxHashSet<(u64, Hole)>,
}

/// Which positions are looked at.
#[derive(Clone, Copy)]
enum Width {
    /// All, but not more than this in all.
    Total(usize),
    /// So many of each level: those with the fewest full regions, and of these the ones with the fewest pegs.
    Level(usize),
}

/// How the search for a number of moves ended.
enum Ended {
    Found,
    /// No plan has so many moves.
    Refuted,
    /// No plan has any number of moves.
    NoPlan,
    /// There are too many positions.
    TooMany,
    Stopped(StopReason),
}

impl<'a> PositionSearch<'a> {
    /// A search; none when the board has too many holes.
    pub(super) fn new(problem: &'a Problem, limits: &Limits) -> Option<Self> {
        let board = &problem.board;
        if board.holes() > MAX_HOLES {
            return None;
        }
        let mut jumps = vec![Vec::new(); board.holes()];
        for jump in board.jumps() {
            jumps[jump.from - 1].push(Masks { over: bit(jump.over), to: bit(jump.to), hole: jump.to });
        }
        Some(Self {
            problem,
            jumps,
            packings: regions::packings(board, &problem.goal),
            symmetries: symmetries(problem),
            limits: limits.clone(),
            levels: Vec::new(),
            seen: FxHashSet::default(),
            within: FxHashSet::default(),
        })
    }

    /// Searches from `least` moves on, which is a bound. When there are many positions, a plan is looked for first among those that
    /// look best, and then whether fewer moves do. Gives the number of positions of the last complete search besides.
    pub(super) fn run(mut self, least: usize) -> (Fewest, usize) {
        let most = self.problem.steps().unwrap_or(0);
        let mut result = Fewest { plan: None, at_least: least, stopped: None };
        let mut positions = 0;
        let mut bound = FEW_POSITIONS;
        while result.at_least <= most && result.plan.as_ref().is_none_or(|plan| count(plan) > result.at_least) {
            match self.search(result.at_least, Width::Total(bound)) {
                Ended::Found => result.plan = Some(self.plan()),
                Ended::Refuted => {
                    positions = self.seen.len();
                    result.at_least += 1;
                }
                Ended::NoPlan => return (Fewest { plan: None, at_least: usize::MAX, stopped: None }, self.seen.len()),
                Ended::TooMany if bound == FEW_POSITIONS => {
                    let fit = self.limits.memory.and_then(|bytes| usize::try_from(bytes / BYTES).ok());
                    bound = fit.map_or(MAX_POSITIONS, |fit| fit.clamp(FEW_POSITIONS + 1, MAX_POSITIONS));
                    (result.plan, result.stopped) = self.beam(result.at_least, most);
                }
                Ended::TooMany => result.stopped = Some(StopReason::Memory),
                Ended::Stopped(reason) => result.stopped = Some(reason),
            }
            if result.stopped.is_some() {
                break;
            }
        }
        (result, positions)
    }

    /// A plan among the positions that look best, of `least` moves or a few more. It need not be one of the fewest.
    fn beam(&mut self, least: usize, most: usize) -> (Option<Vec<Jump>>, Option<StopReason>) {
        let mut best: Option<Vec<Jump>> = None;
        for width in BEAM_WIDTHS {
            let above = best.as_ref().map_or(most.min(least + BEAM_MORE) + 1, |plan| count(plan));
            for moves in least..above {
                match self.search(moves, Width::Level(width)) {
                    Ended::Found => {
                        best = Some(self.plan());
                        break;
                    }
                    Ended::Stopped(reason) => return (best, Some(reason)),
                    _ => {}
                }
            }
        }
        (best, None)
    }

    /// Looks for a plan of at most `moves` moves.
    fn search(&mut self, moves: usize, width: Width) -> Ended {
        let start = self.canonical(pack(&self.problem.start));
        self.levels = vec![vec![start]];
        self.seen.clear();
        self.seen.insert(start);
        if self.reached(start) {
            return Ended::Found;
        }
        let mut cut = self.exceeds(start, moves);
        for made in 1..=moves {
            let mut next = Vec::new();
            for index in 0..self.levels[made - 1].len() {
                if index % 256 == 0
                    && let Some(reason) = self.stop()
                {
                    return Ended::Stopped(reason);
                }
                for position in self.moves(self.levels[made - 1][index]) {
                    if self.reached(position) {
                        self.levels.push(vec![self.canonical(position)]);
                        return Ended::Found;
                    }
                    if self.exceeds(position, moves - made) {
                        cut = true;
                        continue;
                    }
                    let position = self.canonical(position);
                    if self.seen.insert(position) {
                        next.push(position);
                    }
                }
                if matches!(width, Width::Total(most) if self.seen.len() > most) {
                    return Ended::TooMany;
                }
            }
            if next.is_empty() {
                return if cut { Ended::Refuted } else { Ended::NoPlan };
            }
            if let Width::Level(width) = width {
                self.seen.clear();
                if next.len() > width {
                    cut = true;
                    next.sort_by_cached_key(|&position| (self.needed(position), position.count_ones(), position));
                    next.truncate(width);
                }
            }
            self.levels.push(next);
        }
        Ended::Refuted
    }

    fn stop(&self) -> Option<StopReason> {
        if self.limits.terminate.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            return Some(StopReason::Terminated);
        }
        self.limits.deadline.is_some_and(|deadline| Instant::now() >= deadline).then_some(StopReason::Time)
    }

    /// The positions after one move, each once.
    fn moves(&mut self, position: u64) -> Vec<u64> {
        let mut found = Vec::new();
        for from in 1..=self.jumps.len() {
            if position & bit(from) == 0 {
                continue;
            }
            self.within.clear();
            // The peg that moves is in its hole, and taken out of the position.
            let mut open = vec![(position & !bit(from), from)];
            while let Some((rest, hole)) = open.pop() {
                for jump in &self.jumps[hole - 1] {
                    if rest & jump.over == 0 || rest & jump.to != 0 {
                        continue;
                    }
                    let next = (rest & !jump.over, jump.hole);
                    if self.within.insert(next) {
                        open.push(next);
                        found.push(next.0 | jump.to);
                    }
                }
            }
        }
        found
    }

    /// Whether every plan from here, which is not the end, has more than `moves` moves.
    fn exceeds(&self, position: u64, moves: usize) -> bool {
        moves == 0 || self.packings.iter().any(|packed| self.bound(packed, position) > moves)
    }

    /// No plan from here has fewer moves.
    fn needed(&self, position: u64) -> usize {
        self.packings.iter().map(|packed| self.bound(packed, position)).max().unwrap_or(0)
    }

    /// How many of the regions are full and cannot stay so.
    fn bound(&self, packed: &Packed, position: u64) -> usize {
        let full = packed.regions.iter().filter(|&&region| position & region == region).count();
        let one_peg = matches!(self.problem.goal, Goal::OnePeg | Goal::Pegs(1));
        full - usize::from(one_peg && position & packed.singles != 0)
    }

    fn reached(&self, position: u64) -> bool {
        let count = position.count_ones() as usize;
        match &self.problem.goal {
            Goal::OnePeg => count == 1,
            Goal::PegIn(hole) => position == bit(*hole),
            Goal::Pattern(pattern) => position == pack(pattern),
            Goal::Pegs(pegs) => count == *pegs,
            Goal::DeadEnd(pegs) => count == *pegs && self.stuck(position),
            Goal::FewestPegs => false,
            Goal::ShortestDeadEnd => self.stuck(position),
        }
    }

    fn stuck(&self, position: u64) -> bool {
        let can = |(index, jumps): (usize, &Vec<Masks>)| {
            position & bit(index + 1) != 0
                && jumps.iter().any(|jump| position & jump.over != 0 && position & jump.to == 0)
        };
        !self.jumps.iter().enumerate().any(can)
    }

    /// The least of the positions to which symmetries map this one.
    fn canonical(&self, position: u64) -> u64 {
        let bytes = position.to_le_bytes();
        let image =
            |table: &Table| table.iter().zip(bytes).fold(0, |image, (places, byte)| image | places[usize::from(byte)]);
        self.symmetries.iter().map(image).fold(position, u64::min)
    }

    /// The jumps of a plan, when the last search found one.
    fn plan(&mut self) -> Vec<Jump> {
        // Backwards through the levels: from where the position can be reached.
        let mut chain: Vec<u64> = self.levels.last().map_or_else(Vec::new, |last| vec![last[last.len() - 1]]);
        for level in (0..self.levels.len() - 1).rev() {
            let wanted = chain[chain.len() - 1];
            for index in 0..self.levels[level].len() {
                let before = self.levels[level][index];
                // A move takes at least one peg.
                if before.count_ones() > wanted.count_ones()
                    && self.moves(before).into_iter().any(|position| self.canonical(position) == wanted)
                {
                    chain.push(before);
                    break;
                }
            }
        }
        chain.reverse();
        let mut position = pack(&self.problem.start);
        let mut plan = Vec::new();
        for wanted in &chain[1..] {
            let Some((jumps, next)) = self.move_to(position, *wanted) else { break };
            plan.extend(jumps);
            position = next;
        }
        plan
    }

    /// The jumps of a move to a position that is the wanted one up to symmetry.
    fn move_to(&self, position: u64, wanted: u64) -> Option<(Vec<Jump>, u64)> {
        for from in (1..=self.jumps.len()).filter(|&from| position & bit(from) != 0) {
            let mut seen = FxHashSet::default();
            let mut open = vec![(position & !bit(from), from, Vec::new())];
            while let Some((rest, hole, jumps)) = open.pop() {
                for jump in &self.jumps[hole - 1] {
                    if rest & jump.over == 0 || rest & jump.to != 0 || !seen.insert((rest & !jump.over, jump.hole)) {
                        continue;
                    }
                    let rest = rest & !jump.over;
                    let over = jump.over.trailing_zeros() as Hole + 1;
                    let mut jumps: Vec<Jump> = jumps.clone();
                    jumps.push(Jump { from: hole, over, to: jump.hole });
                    if self.canonical(rest | jump.to) == wanted {
                        return Some((jumps, rest | jump.to));
                    }
                    open.push((rest, jump.hole, jumps));
                }
            }
        }
        None
    }
}

/// The most symmetries that are used.
const MAX_SYMMETRIES: usize = 1_000;

/// Symmetries that keep the goal, as tables: the group of those that are known by where they map two holes, without the identity.
/// None when they are too many: only in a whole group do all positions that are the same have the same least image.
fn symmetries(problem: &Problem) -> Vec<Table> {
    let board = &problem.board;
    let holes = board.holes();
    let kept = match &problem.goal {
        Goal::PegIn(hole) => Symmetries::new(board).keeping(&Position::of(holes, &[*hole])),
        Goal::Pattern(pattern) => Symmetries::new(board).keeping(pattern),
        _ => Symmetries::new(board),
    };
    let mut maps: Vec<Vec<Hole>> = Vec::new();
    let Some(&[a, b, _]) = board.triples().first() else { return Vec::new() };
    for to in 1..=holes {
        if kept.find(&[(a, to)]).is_none() {
            continue;
        }
        for next in (1..=holes).filter(|&next| next != to) {
            let found = kept.find(&[(a, to), (b, next)]);
            let map = found.map(|symmetry| (1..=holes).map(|hole| symmetry.hole(hole)).collect::<Vec<Hole>>());
            maps.extend(map.filter(|map| !map.is_sorted() && !maps.contains(map)));
        }
    }
    let Some(maps) = closure(maps) else { return Vec::new() };
    let table = |map: &Vec<Hole>| -> Table {
        let place = |byte: usize| {
            let mut images = [0u64; 256];
            for (value, image) in images.iter_mut().enumerate() {
                let moved = (0..8).filter(|place| value >> place & 1 == 1 && byte * 8 + place < holes);
                *image = moved.map(|place| bit(map[byte * 8 + place])).fold(0, |all, bit| all | bit);
            }
            images
        };
        (0..holes.div_ceil(8)).map(place).collect()
    };
    maps.iter().map(table).collect()
}

/// All maps that come from these one after the other, without the identity; none when they are too many.
fn closure(maps: Vec<Vec<Hole>>) -> Option<Vec<Vec<Hole>>> {
    let generators = maps.clone();
    let mut known: FxHashSet<Vec<Hole>> = maps.iter().cloned().collect();
    let mut group = maps;
    let mut next = 0;
    while next < group.len() {
        for map in &generators {
            let both: Vec<Hole> = group[next].iter().map(|&hole| map[hole - 1]).collect();
            if !both.is_sorted() && known.insert(both.clone()) {
                group.push(both);
            }
        }
        if group.len() >= MAX_SYMMETRIES {
            return None;
        }
        next += 1;
    }
    Some(group)
}

fn bit(hole: Hole) -> u64 {
    1 << (hole - 1)
}

fn pack(position: &Position) -> u64 {
    position.pegs().fold(0, |pegs, hole| pegs | bit(hole))
}
