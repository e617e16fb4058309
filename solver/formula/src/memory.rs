//! Memory that goes back to the system.

/// Frees a vector that may be long.
///
/// The C library of GNU systems takes the size of a large block that is freed as a hint: from then on blocks up to that size
/// come from its heap, of which only the end goes back to the system. So the first formula that is dropped would make
/// everything later stay larger than it is. A block that was made small before is no hint, and what it gives up goes back at
/// once.
pub fn release<T>(mut vec: Vec<T>) {
    vec.clear();
    vec.shrink_to(1);
}
