//! Memory that goes back to the system.

use std::ops::{Deref, DerefMut};

/// Smaller blocks come from the heap of the C library anyway.
const LARGE: usize = 1 << 16;

/// Frees a vector that may be long.
///
/// The C library of GNU systems takes the size of a large block that is freed as a hint: from then on blocks up to that
/// size come from its heap, of which only the end goes back to the system. So the first formula that is dropped would
/// make everything later stay larger than it is. A block that was made small before is no hint, and what it gives up
/// goes back at once.
pub fn release<T>(mut vec: Vec<T>) {
    vec.clear();
    if vec.capacity() * size_of::<T>() >= LARGE {
        vec.shrink_to(1);
    }
}

/// A vector that may be long and is freed as [`release`] does it, for what is made and dropped again and again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scratch<T>(Vec<T>);

impl<T> Scratch<T> {
    /// An empty one.
    pub const fn new() -> Self {
        Self(Vec::new())
    }
}

impl<T> Default for Scratch<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T> From<Vec<T>> for Scratch<T> {
    fn from(vec: Vec<T>) -> Self {
        Self(vec)
    }
}

impl<T> FromIterator<T> for Scratch<T> {
    fn from_iter<I: IntoIterator<Item = T>>(iter: I) -> Self {
        Self(iter.into_iter().collect())
    }
}

impl<'a, T> IntoIterator for &'a Scratch<T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

impl<T> Deref for Scratch<T> {
    type Target = Vec<T>;

    #[inline]
    fn deref(&self) -> &Vec<T> {
        &self.0
    }
}

impl<T> DerefMut for Scratch<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut Vec<T> {
        &mut self.0
    }
}

impl<T> Drop for Scratch<T> {
    fn drop(&mut self) {
        release(std::mem::take(&mut self.0));
    }
}
