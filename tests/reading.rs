//! Input to accept (`accept/`) and to reject with its exact message (`reject/`).
