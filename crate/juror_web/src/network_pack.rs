//! What a pack of a network says of itself, as the page takes it: apart from what runs it, which few builds link.

use serde::Serialize;

/// What a pack says of itself.
#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub(crate) struct NetworkPack {
    /// Name of the networks, with their size.
    pub(crate) id: String,
    /// What they compute.
    pub(crate) task: &'static str,
    /// Where the weights come from.
    pub(crate) source: String,
    /// The weights' licence.
    pub(crate) licence: String,
    /// Whose numbers it gives.
    #[cfg_attr(feature = "typescript", ts(type = "'released' | 'standard' | 'both'"))]
    pub(crate) profile: &'static str,
    /// SHA-256 of `pack.json`, and through it of everything in the pack.
    pub(crate) sha256: String,
    /// Length of all its files.
    #[cfg_attr(feature = "typescript", ts(type = "number"))]
    pub(crate) bytes: u64,
}

/// How a pack stood its golden cases.
#[derive(Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub(crate) struct NetworkCheck {
    /// Which runner, on what.
    pub(crate) runner: String,
    /// Largest difference over the largest number of the reference, of all cases.
    pub(crate) deviation: f64,
    /// What of a graph may be wrong for some pictures, whatever its golden cases say.
    pub(crate) caution: Option<&'static str>,
}
