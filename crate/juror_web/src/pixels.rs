//! What crosses the edge of image metrics and of attention, besides pictures, tensors and reports.

use juror_metrics::{Change, Dar, Layout};
use serde::{Deserialize, Serialize};

/// What is asked of two files with an attention call's Q and K.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(deny_unknown_fields)]
pub(crate) struct DarAsked {
    /// Q's name for errors.
    pub(crate) q_file: String,
    /// K's.
    pub(crate) k_file: String,
    /// Name of Q's tensor; empty for the only one.
    pub(crate) q_tensor: String,
    /// Name of K's.
    pub(crate) k_tensor: String,
    /// Order of the axes.
    pub(crate) layout: Layout,
    /// As `juror dar --reference` reads them; empty for all keys as one.
    pub(crate) references: String,
    /// What the method leaves to be chosen.
    pub(crate) options: Dar,
}

/// How much of two pictures changed, in a part and outside of it.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub(crate) struct PictureChange {
    /// All of it.
    pub(crate) whole: ChangePart,
    /// In the box or mask; `null` without one.
    pub(crate) inside: Option<ChangePart>,
    /// Everywhere else.
    pub(crate) outside: Option<ChangePart>,
    /// Left, top, right, bottom of all that changed.
    pub(crate) extent: Option<[usize; 4]>,
}

/// How much of a part changed.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub(crate) struct ChangePart {
    /// Pixels of the part.
    #[cfg_attr(feature = "typescript", ts(type = "number"))]
    pixels: u64,
    /// Those that differ by more than the threshold.
    #[cfg_attr(feature = "typescript", ts(type = "number"))]
    changed: u64,
    /// The largest difference, 0 to 255.
    largest: u8,
    /// Mean absolute difference, 0 to 255; `null` of no pixel.
    mae: Option<f64>,
    /// Mean squared difference; `null` of no pixel.
    mse: Option<f64>,
}

impl From<&Change> for ChangePart {
    fn from(change: &Change) -> Self {
        Self {
            pixels: change.pixels,
            changed: change.changed,
            largest: change.largest,
            mae: change.mae(),
            mse: change.mse(),
        }
    }
}

/// A metric place by place.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub(crate) struct PictureMap {
    /// The metric of the whole pair; no number of what a network paints.
    pub(crate) value: f64,
    /// Places of a row.
    pub(crate) width: usize,
    /// Rows.
    pub(crate) height: usize,
    /// The first place belongs to the pixel (`inset`, `inset`).
    pub(crate) inset: usize,
    /// Row by row. Of edges: 0 none, 1 of the reference alone, 2 of the candidate alone, 3 of both. What a network paints: 0 to 255.
    #[cfg_attr(feature = "typescript", ts(type = "Float32Array<ArrayBuffer>"))]
    #[serde(with = "serde_wasm_bindgen::preserve")]
    pub(crate) places: js_sys::Float32Array,
    /// The lowest number at full precision with its pixel; `null` of an empty map.
    pub(crate) lowest: Option<(f64, usize, usize)>,
}
