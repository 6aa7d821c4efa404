//! What is wrong with a pack or a network, with the file and the mend, because these texts reach the person who opened it.

/// Why a pack cannot be used, or a network gave no value.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum NeuralError {
    /// A file of the pack is missing or cannot be read.
    #[error("{file} of the pack cannot be read: {why}; copy the whole pack again")]
    Unreadable {
        /// Its name in the pack.
        file: String,
        /// What the host says.
        why: String,
    },
    /// `pack.json` is not what it should be.
    #[error(
        "pack.json: expected {expected}, found {found}; write the pack again with its exporter"
    )]
    Manifest {
        /// What should stand there.
        expected: String,
        /// What stands there.
        found: String,
    },
    /// A file has another length than `pack.json` states.
    #[error(
        "{file} has {found} bytes and pack.json states {expected}; it is cut off or another version: copy the pack again"
    )]
    Length {
        /// Its name in the pack.
        file: String,
        /// Bytes that `pack.json` states.
        expected: u64,
        /// Bytes that are there.
        found: u64,
    },
    /// A file has other content than `pack.json` states.
    #[error(
        "{file} is not the file that pack.json was written for: its SHA-256 begins with {found}, expected {expected}; copy the pack again, or write it again with its exporter"
    )]
    Changed {
        /// Its name in the pack.
        file: String,
        /// First digits of the hash that `pack.json` states.
        expected: String,
        /// First digits of the hash of what is there.
        found: String,
    },
    /// The pack is larger than is read.
    #[error("{what} is {found}, more than the {limit} that are read; {mend}")]
    TooLarge {
        /// What is too large.
        what: String,
        /// Its size.
        found: u64,
        /// The limit.
        limit: u64,
        /// What to do about it.
        mend: &'static str,
    },
    /// There is no memory for a file, which a network needs whole.
    #[error(
        "{file} takes {bytes} bytes of memory, and there is not as much here; run fewer workers, close what else takes memory, or export a smaller network"
    )]
    Memory {
        /// Its name in the pack.
        file: String,
        /// Its length.
        bytes: u64,
    },
    /// The pack is for something else.
    #[error(
        "the pack {pack} computes {found}, and {wanted} is needed; open a pack that was exported for it"
    )]
    Task {
        /// Id of the pack.
        pack: String,
        /// What it computes.
        found: String,
        /// What was wanted.
        wanted: String,
    },
    /// A graph has an operator that the runner computes wrongly.
    #[error("{file} cannot run on {runner}: {why}; {mend}")]
    Refused {
        /// The graph's file.
        file: String,
        /// Which runner.
        runner: String,
        /// What the runner does wrong.
        why: &'static str,
        /// What to do about it.
        mend: &'static str,
    },
    /// The file is no ONNX graph.
    #[error("{file} is no ONNX graph: {why}; write the pack again with its exporter")]
    Graph {
        /// The graph's file.
        file: String,
        /// What is wrong with it.
        why: String,
    },
    /// The runner does not give what the reference gave.
    #[error(
        "{pack} on {runner}: golden case {case} of {node} is off by {found:.1e} of its largest number, and {tolerance:.0e} is allowed; nothing was computed with it. Use another runner or version, or write the pack again"
    )]
    Golden {
        /// Id of the pack.
        pack: String,
        /// Which runner.
        runner: String,
        /// Number of the case, from 1.
        case: usize,
        /// Which graph of the pack.
        node: String,
        /// Largest difference over the largest number of the reference; infinite for other shapes and for NaN.
        found: f64,
        /// What is allowed.
        tolerance: f64,
    },
    /// The runner failed.
    #[error("{runner} could not run {file}: {why}")]
    Run {
        /// Which runner.
        runner: String,
        /// Which graph of which pack.
        file: String,
        /// What it says.
        why: String,
    },
    /// The runner gave other outputs than the graph has: too few, of another shape, or of another type.
    #[error(
        "{runner} gave {found} of {file}, expected {expected}; nothing was computed with it. Use another runner or version, or write the pack again"
    )]
    Output {
        /// Which runner.
        runner: String,
        /// Which graph of which pack.
        file: String,
        /// What `pack.json` or the reference says.
        expected: String,
        /// What came.
        found: String,
    },
    /// A tensor of another shape than was expected.
    #[error("expected {expected}, found the shape {found:?}")]
    Shape {
        /// The shape in words.
        expected: String,
        /// The shape that came.
        found: Vec<usize>,
    },
    /// A picture cannot be read or brought to size.
    #[error("{0}")]
    Picture(String),
    /// A box file, or a box in it, cannot be used.
    #[error("{file}: {why}")]
    Boxes {
        /// The box file.
        file: String,
        /// What is wrong, and the fix.
        why: String,
    },
    /// An output lacks objects of its references, so that it has no value.
    #[error("{file} has no box of {objects}: the output has no value")]
    Missing {
        /// The output's box file.
        file: String,
        /// The objects' names.
        objects: String,
    },
    /// A number cannot be computed.
    #[error(transparent)]
    Metric(#[from] juror_metrics::MetricError),
    /// A text cannot be turned into tokens.
    #[error("the tokeniser of the pack: {0}")]
    Text(String),
}

impl NeuralError {
    /// [`Self::Unreadable`] with what the host says.
    pub fn unreadable(file: &str, why: &dyn std::fmt::Display) -> Self {
        Self::Unreadable {
            file: file.to_owned(),
            why: why.to_string(),
        }
    }
}

impl From<juror_image::ImageError> for NeuralError {
    fn from(error: juror_image::ImageError) -> Self {
        Self::Picture(error.message())
    }
}
