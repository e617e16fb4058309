//! Families of formulas that can be made at any size, to see how the time grows with it.

use crate::Failure;
use putnam_encode::{AtMostOne, at_most_one_by, define_and, define_or};
use putnam_formula::{ClauseSink, Cnf, Lit};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// A family: what it is called, what its size is, the sizes that the plot shows, and how a formula is made.
pub struct Family {
    /// Its name, without a digit.
    pub name: &'static str,
    /// What the size counts.
    pub unit: &'static str,
    /// Sizes, ascending.
    pub sizes: &'static [usize],
    /// How many formulas of each size differ by the seed.
    pub seeds: u64,
    /// The formula of this size and seed.
    pub make: fn(usize, u64) -> Result<Cnf, Failure>,
}

/// All families.
pub const FAMILIES: &[Family] = &[
    Family {
        name: "random",
        unit: "variables of random 3-SAT, 4.26 clauses each",
        sizes: &[150, 200, 250, 300, 350, 400],
        seeds: 3,
        make: |size, seed| Ok(random_k_sat(size, 3, 4.26, seed)),
    },
    Family {
        name: "miter",
        unit: "bits of a multiplier, a·b = b·a",
        sizes: &[3, 4, 5, 6, 7, 8, 9],
        seeds: 1,
        make: |size, _| Ok(multiplier_miter(size)),
    },
    Family {
        name: "pigeonhole",
        unit: "holes, for one more pigeon",
        sizes: &[6, 8, 10, 12, 16, 20, 30, 40],
        seeds: 1,
        make: |size, _| Ok(pigeonhole(size)),
    },
    Family {
        name: "tseitin",
        unit: "rows and columns of a torus, odd charge",
        sizes: &[3, 4, 5, 6, 8, 10, 20, 40],
        seeds: 1,
        make: |size, _| Ok(tseitin_torus(size)),
    },
    Family {
        name: "counter",
        unit: "steps of a counter with enable, one too few",
        sizes: &[16, 32, 64, 128, 192, 256, 384],
        seeds: 1,
        make: |size, _| Ok(counter(size)),
    },
    Family { name: "peg", unit: "holes of a peg board", sizes: PEG_SIZES, seeds: 1, make: |size, _| peg(size) },
];

/// Random clauses of `width` different variables, `ratio` of them a variable.
pub fn random_k_sat(variables: usize, width: usize, ratio: f64, seed: u64) -> Cnf {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut cnf = Cnf::new();
    let vars: Vec<_> = (0..variables).map(|_| cnf.new_var()).collect();
    for _ in 0..(variables as f64 * ratio) as usize {
        let chosen = rand::seq::index::sample(&mut random, variables, width);
        let clause: Vec<Lit> = chosen.iter().map(|index| vars[index].lit(random.random())).collect();
        cnf.add_clause(&clause);
    }
    cnf
}

/// `holes` + 1 pigeons that each want one of `holes` holes for itself.
pub fn pigeonhole(holes: usize) -> Cnf {
    let mut cnf = Cnf::new();
    let sits: Vec<Vec<Lit>> = (0..=holes).map(|_| (0..holes).map(|_| cnf.new_var().lit(true)).collect()).collect();
    sits.iter().for_each(|pigeon| cnf.add_clause(pigeon));
    for hole in 0..holes {
        let sharing: Vec<Lit> = sits.iter().map(|pigeon| pigeon[hole]).collect();
        at_most_one_by(&mut cnf, &sharing, AtMostOne::Pairwise);
    }
    cnf
}

/// The edges of a torus of `size` times `size` vertices: an odd number of edges at one vertex, an even number at all others
/// (Tseitin, On the complexity of derivation in propositional calculus, 1968).
pub fn tseitin_torus(size: usize) -> Cnf {
    let mut cnf = Cnf::new();
    let mut edges = || -> Vec<Lit> { (0..size * size).map(|_| cnf.new_var().lit(true)).collect() };
    let (right, down) = (edges(), edges());
    for row in 0..size {
        for column in 0..size {
            let at = |row: usize, column: usize| (row % size) * size + column % size;
            let here = at(row, column);
            let around = [right[here], down[here], right[at(row, column + size - 1)], down[at(row + size - 1, column)]];
            exclusive_or(&mut cnf, &around, here == 0);
        }
    }
    cnf
}

/// Says that the number of true literals is odd, or even.
fn exclusive_or(cnf: &mut Cnf, lits: &[Lit], odd: bool) {
    for mask in 0..1_u32 << lits.len() {
        if (mask.count_ones() % 2 == 1) == odd {
            continue;
        }
        let clause: Vec<Lit> =
            lits.iter().enumerate().map(|(i, &lit)| if mask >> i & 1 == 1 { !lit } else { lit }).collect();
        cnf.add_clause(&clause);
    }
}

/// Two array multipliers of `bits` bits with their factors exchanged, and the claim that their products differ.
pub fn multiplier_miter(bits: usize) -> Cnf {
    let mut cnf = Cnf::new();
    let mut inputs = || -> Vec<Lit> { (0..bits).map(|_| cnf.new_var().lit(true)).collect() };
    let (a, b) = (inputs(), inputs());
    let (left, right) = (product(&mut cnf, &a, &b), product(&mut cnf, &b, &a));
    let differing: Vec<Lit> = left.iter().zip(&right).map(|(&x, &y)| define_xor(&mut cnf, x, y)).collect();
    cnf.add_clause(&differing);
    cnf
}

/// The product of two numbers, lowest bit first, added up row by row.
fn product(cnf: &mut Cnf, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
    let mut sum: Vec<Lit> = a.iter().map(|&x| define_and(cnf, &[x, b[0]])).collect();
    let mut low = Vec::new();
    for &y in &b[1..] {
        low.push(sum.remove(0));
        let row: Vec<Lit> = a.iter().map(|&x| define_and(cnf, &[x, y])).collect();
        sum = add(cnf, &sum, &row);
    }
    low.extend(sum);
    low
}

/// The sum of two numbers, lowest bit first, with the last carry; `b` has at least as many bits as `a`.
fn add(cnf: &mut Cnf, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
    let (mut sum, mut carry) = (Vec::new(), None);
    for (i, &y) in b.iter().enumerate() {
        let inputs: Vec<Lit> = a.get(i).copied().into_iter().chain([y]).chain(carry).collect();
        let (bit, next) = match inputs[..] {
            [x, y, z] => {
                let half = define_xor(cnf, x, y);
                let carries = [define_and(cnf, &[x, y]), define_and(cnf, &[half, z])];
                (define_xor(cnf, half, z), Some(define_or(cnf, &carries)))
            }
            [x, y] => (define_xor(cnf, x, y), Some(define_and(cnf, &[x, y]))),
            _ => (y, None),
        };
        sum.push(bit);
        carry = next;
    }
    sum.extend(carry);
    sum
}

fn define_xor(cnf: &mut Cnf, a: Lit, b: Lit) -> Lit {
    let out = cnf.new_var().lit(true);
    exclusive_or(cnf, &[out, a, b], false);
    out
}

/// Bounded model checking of a counter that starts at 0 and goes up by one where its input says so: does it reach `steps` + 1 in
/// `steps` steps?
pub fn counter(steps: usize) -> Cnf {
    let mut cnf = Cnf::new();
    let bits = (usize::BITS - (steps + 1).leading_zeros()) as usize;
    let mut state: Vec<Lit> = (0..bits).map(|_| cnf.new_var().lit(true)).collect();
    state.iter().for_each(|&bit| cnf.add_clause(&[!bit]));
    let mut bad = Vec::new();
    for _ in 0..steps {
        let mut carry = cnf.new_var().lit(true);
        let mut next = Vec::new();
        for &bit in &state {
            next.push(define_xor(&mut cnf, bit, carry));
            carry = define_and(&mut cnf, &[bit, carry]);
        }
        state = next;
        let reached: Vec<Lit> =
            state.iter().enumerate().map(|(i, &bit)| if (steps + 1) >> i & 1 == 1 { bit } else { !bit }).collect();
        bad.push(define_and(&mut cnf, &reached));
    }
    cnf.add_clause(&bad);
    cnf
}

/// The boards by their number of holes.
const PEG_BOARDS: [(usize, &str); 8] = [
    (10, "triangle:4"),
    (12, "rectangle:3x4"),
    (15, "triangle:5"),
    (16, "rectangle:4x4"),
    (20, "rectangle:4x5"),
    (21, "triangle:6"),
    (25, "rectangle:5x5"),
    (28, "triangle:7"),
];
const PEG_SIZES: &[usize] = &[10, 12, 15, 16, 20, 21, 25, 28];

/// The peg game on a board of so many holes as the course assignment writes it: the first hole empty, one peg left in the end.
fn peg(holes: usize) -> Result<Cnf, Failure> {
    let unknown = || Failure::Usage(format!("no peg board has {holes} holes"));
    let (_, name) = PEG_BOARDS.iter().find(|board| board.0 == holes).ok_or_else(unknown)?;
    let setup = putnam_peg::named(name).ok_or_else(unknown)?.map_err(|e| Failure::Usage(e.to_string()))?;
    let problem = putnam_peg::Problem::new(setup.board.into(), setup.start);
    Ok(putnam_api::Problem::encode(&problem).cnf)
}

#[cfg(test)]
mod tests {
    use super::*;
    use putnam_formula::{Engine, Outcome};

    fn satisfiable(cnf: &Cnf) -> bool {
        let mut solver = putnam_cdcl::Solver::new();
        solver.declare(cnf.num_vars());
        cnf.clauses().for_each(|clause| solver.add_clause(clause));
        matches!(solver.solve(&[]), Outcome::Satisfiable(_))
    }

    #[test]
    fn families_without_a_model_have_none() {
        for size in 2..6 {
            for make in [pigeonhole, tseitin_torus, counter] {
                assert!(!satisfiable(&make(size)), "size {size}");
            }
        }
        assert!(!satisfiable(&multiplier_miter(3)));
    }

    /// With one claim less each has a model: what refutes them is the claim, not an error in the circuits.
    #[test]
    fn families_are_tight() {
        let without = |cnf: &Cnf, left_out: usize| {
            let mut rest = Cnf::new();
            rest.declare(cnf.num_vars());
            let kept = cnf.clauses().enumerate().filter(|&(i, _)| i != left_out);
            kept.for_each(|(_, clause)| rest.add_clause(clause));
            satisfiable(&rest)
        };
        for cnf in [pigeonhole(4), tseitin_torus(3)] {
            assert!(without(&cnf, 0));
        }
        for cnf in [counter(5), multiplier_miter(4)] {
            assert!(without(&cnf, cnf.num_clauses() - 1));
        }
    }

    #[test]
    fn the_multiplier_multiplies() {
        let mut cnf = Cnf::new();
        let mut number = |value: usize, bits: usize| -> Vec<Lit> {
            let bits: Vec<(Lit, bool)> = (0..bits).map(|i| (cnf.new_var().lit(true), value >> i & 1 == 1)).collect();
            bits.iter().for_each(|&(lit, set)| cnf.add_clause(&[if set { lit } else { !lit }]));
            bits.into_iter().map(|(lit, _)| lit).collect()
        };
        let (a, b) = (number(13, 4), number(11, 4));
        let bits = product(&mut cnf, &a, &b);
        for (i, &bit) in bits.iter().enumerate() {
            cnf.add_clause(&[if 143 >> i & 1 == 1 { bit } else { !bit }]);
        }
        assert_eq!((bits.len(), satisfiable(&cnf)), (8, true));
    }

    #[test]
    fn every_size_of_every_family_is_made() {
        for family in FAMILIES {
            for &size in family.sizes {
                let cnf = (family.make)(size, 1).unwrap();
                assert!(cnf.num_clauses() > 0, "{} {size}", family.name);
            }
        }
    }
}
