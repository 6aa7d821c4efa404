//! Juror.
fn main() {}
