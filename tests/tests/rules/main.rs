//! The rules of each protocol and of what all share, through a session over drawn benchmarks.

mod agreement;
mod bad_input;
mod choice;
mod declared;
mod filter;
mod growth;
mod highlights;
mod micon;
mod multibanana;
mod multiref;
mod names;
mod origin;
mod pieces;
mod sixth;
mod statistics;
mod trust;
mod vibe;
mod weave;
