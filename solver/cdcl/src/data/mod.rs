//! The solver's structures, each alone and tested alone. Here and in the propagation is the crate's only unsafe code.

pub(crate) mod arena;
pub(crate) mod ema;
pub(crate) mod groups;
pub(crate) mod heap;
pub(crate) mod lists;
pub(crate) mod phases;
pub(crate) mod queue;
pub(crate) mod random;
pub(crate) mod reluctant;
pub(crate) mod trail;
pub(crate) mod values;
pub(crate) mod watch;
