//! The metrics that suites are measured by: names, ranges and directions. The values of two pictures' pixels are
//! `juror_metrics`'; those of networks come from a file or from a network that the user opens.

use juror_model::terms::Direction;
use serde::Serialize;

/// One metric of two pictures.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct MetricInfo {
    /// Stable name, as `juror_metrics` has it.
    pub id: &'static str,
    /// For the head of a column.
    pub short: &'static str,
    /// Full name.
    pub label: &'static str,
    /// The heading above it.
    pub group: &'static str,
    /// One sentence: what it says.
    pub meaning: &'static str,
    /// What its numbers are in; empty for plain numbers.
    pub unit: &'static str,
    /// Least value.
    pub min: f64,
    /// Greatest value; `None` where it has no end, or none that says anything.
    pub max: Option<f64>,
    /// Digits after the point that are shown.
    pub decimals: u8,
    /// Which end is the good one.
    pub direction: Direction,
}

const STRUCTURE: &str = "Structure";
const PIXELS: &str = "Pixel differences";
const WHERE: &str = "Edges and change";
const NETWORKS: &str = "Networks";

const fn up(id: &'static str, [short, label, meaning]: [&'static str; 3], min: f64) -> MetricInfo {
    MetricInfo {
        id,
        short,
        label,
        group: STRUCTURE,
        meaning,
        unit: "",
        min,
        max: Some(1.0),
        decimals: 4,
        direction: Direction::Up,
    }
}

const fn down(
    id: &'static str,
    group: &'static str,
    [short, label, meaning, unit]: [&'static str; 4],
    max: f64,
    decimals: u8,
) -> MetricInfo {
    MetricInfo {
        id,
        short,
        label,
        group,
        meaning,
        unit,
        min: 0.0,
        max: Some(max),
        decimals,
        direction: Direction::Down,
    }
}

/// All of them, in the order in which they are shown.
pub const METRICS: [MetricInfo; 13] = [
    up(
        "ssim",
        [
            "SSIM",
            "SSIM, uniform 7 × 7",
            "Structural similarity as scikit-image computes it by default, mean of the colour channels; 1 for equal pictures.",
        ],
        -1.0,
    ),
    up(
        "ssim_grey",
        [
            "SSIM grey",
            "SSIM, uniform 7 × 7, grey",
            "The same on OpenCV’s grey.",
        ],
        -1.0,
    ),
    up(
        "ssim_gaussian",
        [
            "SSIM Gauss",
            "SSIM, Gaussian σ 1.5",
            "Structural similarity with the window of the original paper, mean of the colour channels.",
        ],
        -1.0,
    ),
    up(
        "ssim_gaussian_grey",
        [
            "SSIM Gauss grey",
            "SSIM, Gaussian σ 1.5, grey",
            "The same on OpenCV’s grey.",
        ],
        -1.0,
    ),
    up(
        "ssim_torchmetrics",
        [
            "SSIM torch",
            "SSIM as torchmetrics",
            "The Gaussian one with torchmetrics’ mirrored borders.",
        ],
        -1.0,
    ),
    up(
        "ms_ssim",
        [
            "MS-SSIM",
            "MS-SSIM as torchmetrics",
            "SSIM over five scales; sides of 176 pixels or more.",
        ],
        0.0,
    ),
    up(
        "ms_ssim_pytorch",
        [
            "MS-SSIM pytorch",
            "MS-SSIM as pytorch_msssim",
            "SSIM over five scales; sides of 161 pixels or more.",
        ],
        0.0,
    ),
    down(
        "mse",
        PIXELS,
        [
            "MSE",
            "Mean squared error",
            "Mean of the squared differences of all samples; 0 for equal pictures.",
            "grey levels²",
        ],
        65025.0,
        2,
    ),
    MetricInfo {
        id: "psnr",
        short: "PSNR",
        label: "Peak signal-to-noise ratio",
        group: PIXELS,
        meaning: "10 log₁₀(255² / MSE); equal pictures have none, as it is infinite there.",
        unit: "dB",
        min: 0.0,
        max: None,
        decimals: 2,
        direction: Direction::Up,
    },
    down(
        "mae",
        PIXELS,
        [
            "MAE",
            "Mean absolute error",
            "Mean of the differences of all samples without their sign; 0 for equal pictures.",
            "grey levels",
        ],
        255.0,
        3,
    ),
    down(
        "edge_mse",
        WHERE,
        [
            "Edge MSE",
            "MSE of Canny edge maps",
            "Share of pixels that are an edge in one picture alone (OpenCV’s Canny, 100 and 200).",
            "",
        ],
        1.0,
        4,
    ),
    down(
        "changed",
        WHERE,
        [
            "Changed",
            "Share of changed pixels",
            "Share of pixels of which a colour differs by more than 16 of 255.",
            "",
        ],
        1.0,
        4,
    ),
    down(
        "phash",
        WHERE,
        [
            "pHash",
            "Distance of perceptual hashes",
            "Bits in which two 64-bit hashes differ; 6 or fewer mean a copy.",
            "bits",
        ],
        64.0,
        1,
    ),
];

/// Metrics that a network computes, in the order in which they are shown; they come behind [`METRICS`].
pub const NETWORK_METRICS: [MetricInfo; 3] = [
    MetricInfo {
        group: NETWORKS,
        ..up(
            "clip",
            [
                "CLIP",
                "Cosine of CLIP features",
                "Cosine of the CLIP feature of the output and that of another picture or of the prompt; of objects, the mean over them.",
            ],
            -1.0,
        )
    },
    MetricInfo {
        group: NETWORKS,
        ..up(
            "dino",
            [
                "DINO",
                "Similarity of DINOv2 features",
                "How alike the DINOv2 features of two pictures are; of objects, the mean over them.",
            ],
            -1.0,
        )
    },
    MetricInfo {
        id: "lpips",
        short: "LPIPS",
        label: "Learned perceptual distance (LPIPS)",
        group: NETWORKS,
        meaning: "Weighted distance of a network’s features of two pictures; 0 for equal pictures; of objects, the mean over them.",
        unit: "",
        min: 0.0,
        max: None,
        decimals: 4,
        direction: Direction::Down,
    },
];

/// All metrics, of pixels and of networks.
fn all() -> impl Iterator<Item = &'static MetricInfo> {
    METRICS.iter().chain(&NETWORK_METRICS)
}

/// The metric of this id.
pub fn info(id: &str) -> Option<&'static MetricInfo> {
    all().find(|known| known.id == id)
}

/// Whether a network computes it.
pub fn is_of_network(id: &str) -> bool {
    NETWORK_METRICS.iter().any(|known| known.id == id)
}

/// Its place among all of them.
pub(super) fn position(id: &str) -> Option<usize> {
    all().position(|known| known.id == id)
}

/// The metric at a place that [`position`] gave.
pub(super) fn at(position: usize) -> &'static MetricInfo {
    let networks = position.checked_sub(METRICS.len());
    networks.map_or_else(|| &METRICS[position], |at| &NETWORK_METRICS[at])
}
