//! The command line program, run as its users run it, and the files that it writes.

mod agents;
mod agents_bodies;
mod annotation;
mod batch;
mod change;
mod conditions;
mod dar;
mod findings;
mod forged;
mod generate;
mod generate_batch;
mod hostile;
mod inputs;
mod judge;
mod making;
mod measures;
mod metric;
mod names;
mod networks;
mod pack;
mod score;
mod service;
mod specific;
mod trust;
mod unread;
mod zips;
