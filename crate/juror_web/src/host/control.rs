//! What a page does with a job under way, and where what a person brings is kept.
#![allow(
    missing_docs,
    reason = "for words that are no variant, wasm_bindgen writes a variant and functions without any"
)]

use wasm_bindgen::prelude::*;

/// What a job does.
#[wasm_bindgen]
#[derive(Clone, Copy, Debug)]
pub enum JobKind {
    /// It asks a judge.
    Judge = "judge",
    /// It makes trajectories of agents.
    Agents = "agents",
    /// It asks a generator for a benchmark's outputs.
    Generate = "generate",
}

/// What is done with a job under way.
#[wasm_bindgen]
#[derive(Clone, Copy, Debug)]
pub enum JobControl {
    /// Nothing more is sent until it goes on.
    Pause = "pause",
    /// It goes on.
    Resume = "resume",
    /// Nothing more is sent at all.
    Cancel = "cancel",
}

/// Where what a person brings is kept.
#[wasm_bindgen]
#[derive(Clone, Copy, Debug)]
pub enum KeptIn {
    /// In this browser's storage, if it takes it.
    Storage = "storage",
    /// In this tab alone.
    Tab = "tab",
}
