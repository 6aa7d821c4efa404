//! What the tests share: vectors from the authors' functions and the runner that holds Juror against them.
//!
//! The runner is plain Rust without files or clock, so the same code runs natively and in Wasm.

pub mod added;
pub mod bad_pictures;
pub mod bench;
#[cfg(not(target_arch = "wasm32"))]
pub mod bench_graph;
pub mod exact_ssim;
#[cfg(not(target_arch = "wasm32"))]
pub mod forge;
pub mod generate;
pub mod golden;
#[cfg(not(target_arch = "wasm32"))]
pub mod lanes;
#[cfg(feature = "gpu")]
pub mod on_gpu;
#[cfg(not(target_arch = "wasm32"))]
pub mod program;
pub mod questions;
pub mod said;
pub mod tables;

/// The authors' four WEAVE judge texts by constant name; `None` where they are not at hand.
pub const OFFICIAL_WEAVE_PROMPTS: Option<[(&str, &str); 4]> =
    include!(concat!(env!("OUT_DIR"), "/official.in"));

/// Where those texts are looked for, from the repository's root.
pub const OFFICIAL_WEAVE_PROMPTS_PATH: &str = "../shared/data/official-prompts/weave";

/// The authors' fifteen VIBE judge texts by path below `prompt/`, without extension; `None` where they are not at hand.
pub const OFFICIAL_VIBE_PROMPTS: Option<[(&str, &str); 15]> =
    include!(concat!(env!("OUT_DIR"), "/official_vibe.in"));

/// Where those texts are looked for, from the repository's root.
pub const OFFICIAL_VIBE_PROMPTS_PATH: &str = "../shared/data/official-prompts/vibe";
