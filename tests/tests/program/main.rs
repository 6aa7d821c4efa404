//! The command line program, run as its users run it, and the files that it writes.

mod batch;
mod change;
mod conditions;
mod dar;
mod hostile;
mod measures;
mod metric;
mod pack;
mod score;
