//! A linear system over GF(2) that follows an assignment.
//!
//! Rows are bit sets over the columns, in 64-bit words. Every row has a basic column, which no other row has, and
//! watches one of its others (Han and Jiang, When Boolean satisfiability meets Gaussian elimination in a simplex way,
//! CAV 2012). When the watched column is assigned the row watches another free one. When the basic one is assigned,
//! a free column of the row becomes basic in its stead, and is eliminated from all other rows.
//!
//! # Invariants
//! Once all assigned columns have been processed:
//! 1. A row has no free column, or both its basic and its watched column are free. So what the rows imply is exactly
//!    what rows with a single free column imply, and these exist only until that column is assigned.
//! 2. A row with no free column is not changed, since the columns that are eliminated are free: it is the reason of
//!    what it implied for as long as that is assigned.
//! 3. Backtracking changes no row. A row that has a free column now and had none on a higher level was changed,
//!    or finished, by a column of a level that is gone, and both its columns were free before.
//!
//! All this holds if columns are processed on the level on which they are assigned.

/// No column, or no row.
pub(super) const NONE: u32 = u32::MAX;

/// Watched columns that are compared at once.
const BLOCK: usize = 32;

/// Steps that take as long as one tick of unit propagation, roughly: matrices lie close together in memory.
const STEPS_PER_TICK: u64 = 4;

/// A column that must have a value, because of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Implied {
    pub(super) row: u32,
    pub(super) column: u32,
    pub(super) value: bool,
}

/// An equation that goes into a matrix: sorted columns, and whether an odd number of them is true.
pub(super) type Equation = (Vec<u32>, bool);

/// The system.
pub(crate) struct Matrix {
    /// Words of a row.
    words: usize,
    bits: Vec<u64>,
    odd: Vec<bool>,
    /// Words of the set of equations whose sum a row is; 0 when nobody wants to know.
    sum_words: usize,
    sums: Vec<u64>,
    /// By row.
    basic: Vec<u32>,
    /// By row; [`NONE`] when it has a single column.
    watched: Vec<u32>,
    /// By column: the row in which it is basic.
    row_of: Vec<u32>,
    /// Columns that are not assigned.
    free: Vec<u64>,
    /// Columns that are true.
    trues: Vec<u64>,
    /// Assigned columns in the order of the trail, with their positions there.
    assigned: Vec<(u32, u32)>,
    /// How many of them were processed.
    processed: usize,
    /// Rows with a single column that were not yet looked at.
    single: Vec<u32>,
    /// A row without columns whose sum is odd.
    contradiction: Option<u32>,
    /// Scratch: the rows that watch a column.
    watching: Vec<u32>,
    /// Steps so far.
    touched: u64,
    /// Changes of the basis.
    pub(super) pivots: u64,
}

fn get(words: &[u64], index: u32) -> bool {
    words[index as usize / 64] >> (index % 64) & 1 == 1
}

fn set(words: &mut [u64], index: u32) {
    words[index as usize / 64] |= 1 << (index % 64);
}

fn clear(words: &mut [u64], index: u32) {
    words[index as usize / 64] &= !(1 << (index % 64));
}

fn ones(words: &[u64]) -> impl Iterator<Item = u32> + '_ {
    words.iter().enumerate().flat_map(|(at, &word)| {
        let rest = |word: &u64| Some(word & (word - 1)).filter(|&word| word != 0);
        std::iter::successors(Some(word).filter(|&word| word != 0), rest)
            .map(move |word| at as u32 * 64 + word.trailing_zeros())
    })
}

/// Row `index` and another one of an array of rows, the first to be changed.
fn two_rows(array: &mut [u64], width: usize, index: usize, other: usize) -> (&mut [u64], &[u64]) {
    if index < other {
        let (low, high) = array.split_at_mut(other * width);
        (&mut low[index * width..][..width], &high[..width])
    } else {
        let (low, high) = array.split_at_mut(index * width);
        (&mut high[..width], &low[other * width..][..width])
    }
}

impl Matrix {
    /// The reduced system of equations over columns below `columns`, none of which is assigned. With `explained` every
    /// row knows the equations whose sum it is.
    pub(super) fn new(columns: usize, equations: &[Equation], explained: bool) -> Self {
        let words = columns.div_ceil(64).max(1);
        let sum_words = if explained { equations.len().div_ceil(64) } else { 0 };
        let mut free = vec![0; words];
        (0..columns as u32).for_each(|column| set(&mut free, column));
        let mut matrix = Self {
            words,
            bits: vec![0; words * equations.len()],
            odd: equations.iter().map(|equation| equation.1).collect(),
            sum_words,
            sums: vec![0; sum_words * equations.len()],
            basic: vec![NONE; equations.len()],
            watched: vec![NONE; equations.len()],
            row_of: vec![NONE; columns],
            free,
            trues: vec![0; words],
            assigned: Vec::new(),
            processed: 0,
            single: Vec::new(),
            contradiction: None,
            watching: Vec::new(),
            touched: 0,
            pivots: 0,
        };
        for (row, (set_columns, _)) in equations.iter().enumerate() {
            let bits = &mut matrix.bits[row * words..][..words];
            set_columns.iter().for_each(|&column| set(bits, column));
            if explained {
                set(&mut matrix.sums[row * sum_words..][..sum_words], row as u32);
            }
        }
        matrix.reduce();
        matrix
    }

    /// Gives every row a basic column, and watches another one. Rows that are sums of others go.
    fn reduce(&mut self) {
        for row in 0..self.num_rows() {
            // Rows before this one have been eliminated from it.
            let found = ones(self.row(row)).next();
            if let Some(column) = found {
                self.basic[row as usize] = column;
                self.row_of[column as usize] = row;
                self.eliminate(row, column, |_, _| {});
            }
        }
        let mut row = 0;
        while row < self.num_rows() {
            match self.basic[row as usize] {
                NONE if self.odd[row as usize] => self.contradiction = Some(row),
                NONE => {
                    self.remove(row);
                    continue;
                }
                basic => match self.free_except(row, basic) {
                    Some(column) => self.watched[row as usize] = column,
                    None => self.single.push(row),
                },
            }
            row += 1;
        }
        self.pivots = 0;
    }

    /// Puts the last row in the place of this one.
    fn remove(&mut self, row: u32) {
        let last = self.num_rows() - 1;
        if row != last {
            for (array, width) in [(&mut self.bits, self.words), (&mut self.sums, self.sum_words)] {
                let from = last as usize * width;
                array.copy_within(from..from + width, row as usize * width);
            }
            let basic = self.basic[last as usize];
            if basic != NONE {
                self.row_of[basic as usize] = row;
            }
        }
        self.basic.swap_remove(row as usize);
        self.watched.swap_remove(row as usize);
        self.odd.swap_remove(row as usize);
        self.bits.truncate(last as usize * self.words);
        self.sums.truncate(last as usize * self.sum_words);
    }

    pub(super) fn num_rows(&self) -> u32 {
        self.basic.len() as u32
    }

    /// A row without columns whose sum is odd: the equations have no solution.
    pub(super) fn contradiction(&self) -> Option<u32> {
        self.contradiction
    }

    /// Effort so far.
    pub(super) fn ticks(&self) -> u64 {
        self.touched / STEPS_PER_TICK
    }

    fn row(&self, row: u32) -> &[u64] {
        &self.bits[row as usize * self.words..][..self.words]
    }

    /// The columns of a row.
    pub(super) fn columns(&self, row: u32) -> impl Iterator<Item = u32> + '_ {
        ones(self.row(row))
    }

    /// The equations whose sum a row is, if it is explained.
    pub(super) fn summands(&self, row: u32) -> impl Iterator<Item = u32> + '_ {
        ones(&self.sums[row as usize * self.sum_words..][..self.sum_words])
    }

    /// Bytes that are held.
    pub(super) fn bytes(&self) -> usize {
        (self.bits.capacity() + self.sums.capacity()) * size_of::<u64>()
    }

    /// Whether a column has a value.
    pub(super) fn is_assigned(&self, column: u32) -> bool {
        !get(&self.free, column)
    }

    /// Gives a free column a value, which has this position on the trail.
    pub(super) fn assign(&mut self, column: u32, value: bool, position: u32) {
        debug_assert!(!self.is_assigned(column));
        clear(&mut self.free, column);
        if value {
            set(&mut self.trues, column);
        }
        self.assigned.push((column, position));
    }

    /// Takes back what was assigned at or after a position on the trail.
    pub(super) fn undo(&mut self, position: u32) {
        while let Some(&(column, at)) = self.assigned.last()
            && at >= position
        {
            self.assigned.pop();
            set(&mut self.free, column);
            clear(&mut self.trues, column);
        }
        self.processed = self.processed.min(self.assigned.len());
    }

    /// Whether there is anything to process.
    #[inline]
    pub(super) fn is_pending(&self) -> bool {
        self.processed < self.assigned.len() || !self.single.is_empty()
    }

    /// Processes what was assigned. Collects what that implies, as if it stood on the trail from `position` on, and
    /// ends at the first row that no value can satisfy any more.
    pub(super) fn propagate(&mut self, position: u32, implied: &mut Vec<Implied>) -> Option<u32> {
        let mut conflict = None;
        for row in std::mem::take(&mut self.single) {
            conflict = conflict.or(self.review(row, position, implied));
        }
        while conflict.is_none() && self.processed < self.assigned.len() {
            let column = self.assigned[self.processed].0;
            self.processed += 1;
            conflict = self.leave_watched(column, position, implied);
            if conflict.is_none() && self.row_of[column as usize] != NONE {
                conflict = self.leave_basis(column, position, implied);
            }
        }
        conflict
    }

    /// The rows that watch the column, which is assigned, watch another one.
    fn leave_watched(&mut self, column: u32, position: u32, implied: &mut Vec<Implied>) -> Option<u32> {
        self.touched += 1 + self.watched.len() as u64 / 32;
        let mut rows = std::mem::take(&mut self.watching);
        // Lists of rows would have to be kept right by every change of the basis; this is a fast pass over few words.
        for (block, watched) in self.watched.chunks(BLOCK).enumerate() {
            if watched.iter().fold(false, |found, &other| found | (other == column)) {
                let first = (block * BLOCK) as u32;
                rows.extend((first..).zip(watched).filter(|(_, other)| **other == column).map(|(row, _)| row));
            }
        }
        let mut conflict = None;
        for row in rows.drain(..) {
            conflict = conflict.or(self.review(row, position, implied));
        }
        self.watching = rows;
        conflict
    }

    /// Finds a free column to watch. Without one the basic column is implied; or, if that is assigned too, the row
    /// holds or is a conflict.
    fn review(&mut self, row: u32, position: u32, implied: &mut Vec<Implied>) -> Option<u32> {
        self.touched += 1;
        let basic = self.basic[row as usize];
        if let Some(column) = self.free_except(row, basic) {
            self.watched[row as usize] = column;
            return None;
        }
        if self.is_assigned(basic) {
            return self.is_violated(row).then_some(row);
        }
        self.imply(row, basic, position, implied);
        None
    }

    /// The column, which is assigned, is basic: a free one of its row replaces it, or the last free one is implied.
    fn leave_basis(&mut self, column: u32, position: u32, implied: &mut Vec<Implied>) -> Option<u32> {
        let row = self.row_of[column as usize];
        self.touched += 1;
        let Some(first) = self.free_except(row, column) else {
            return self.is_violated(row).then_some(row);
        };
        let Some(second) = self.free_except(row, first) else {
            self.watched[row as usize] = first;
            self.imply(row, first, position, implied);
            return None;
        };
        // The watched column stays watched if it can.
        let (basic, other) = if first == self.watched[row as usize] { (second, first) } else { (first, second) };
        self.row_of[column as usize] = NONE;
        self.row_of[basic as usize] = row;
        self.basic[row as usize] = basic;
        let watched = self.watched[row as usize];
        if watched == basic || self.is_assigned(watched) {
            self.watched[row as usize] = other;
        }
        let mut conflict = None;
        self.eliminate(row, basic, |matrix, changed| {
            // Every changed row now has the column that left the basis, which belongs to the present level.
            matrix.watched[changed as usize] = column;
            conflict = conflict.or(matrix.review(changed, position, implied));
        });
        conflict
    }

    /// Adds the row to all others that have the column; calls `changed` for each of them.
    fn eliminate(&mut self, row: u32, column: u32, mut changed: impl FnMut(&mut Self, u32)) {
        self.pivots += 1;
        let (word, mask) = (column as usize / 64, 1u64 << (column % 64));
        let rows = self.num_rows();
        self.touched += 1 + u64::from(rows) / 8;
        let lines = (self.words + self.sum_words) as u64 / 8;
        for other in (0..rows).filter(|&other| other != row) {
            if self.bits[other as usize * self.words + word] & mask == 0 {
                continue;
            }
            self.touched += lines;
            for (array, width) in [(&mut self.bits, self.words), (&mut self.sums, self.sum_words)] {
                if width > 0 {
                    let (target, source) = two_rows(array, width, other as usize, row as usize);
                    target.iter_mut().zip(source).for_each(|(target, source)| *target ^= source);
                }
            }
            self.odd[other as usize] ^= self.odd[row as usize];
            changed(self, other);
        }
    }

    /// The first free column of a row other than one.
    fn free_except(&self, row: u32, except: u32) -> Option<u32> {
        self.row(row).iter().zip(&self.free).enumerate().find_map(|(at, (bits, free))| {
            let mut word = bits & free;
            if at == except as usize / 64 {
                word &= !(1 << (except % 64));
            }
            (word != 0).then(|| at as u32 * 64 + word.trailing_zeros())
        })
    }

    /// Whether the true columns of a row make the sum wrong.
    fn is_violated(&self, row: u32) -> bool {
        let ones: u32 = self.row(row).iter().zip(&self.trues).map(|(bits, trues)| (bits & trues).count_ones()).sum();
        (ones % 2 == 1) != self.odd[row as usize]
    }

    /// Gives the last free column of a row the value that the sum needs.
    fn imply(&mut self, row: u32, column: u32, position: u32, implied: &mut Vec<Implied>) {
        let value = self.is_violated(row);
        self.assign(column, value, position + implied.len() as u32);
        implied.push(Implied { row, column, value });
    }

    /// Panics when an invariant does not hold. Everything must have been processed.
    pub(super) fn check(&self) {
        for row in 0..self.num_rows() {
            let (basic, watched) = (self.basic[row as usize], self.watched[row as usize]);
            if basic == NONE {
                continue;
            }
            assert_eq!(self.row_of[basic as usize], row);
            assert!(get(self.row(row), basic) && basic != watched);
            assert!(watched == NONE || get(self.row(row), watched));
            assert!((0..self.num_rows()).all(|other| other == row || !get(self.row(other), basic)));
            match self.columns(row).filter(|&column| !self.is_assigned(column)).count() {
                0 => assert!(!self.is_violated(row)),
                free => assert!(free > 1 && !self.is_assigned(basic) && !self.is_assigned(watched)),
            }
        }
    }
}
