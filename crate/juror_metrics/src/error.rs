//! Says why a metric has no value and what would mend it, because these texts reach the person who chose the pictures.

/// Why a metric has no value.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum MetricError {
    /// A side is zero.
    #[error("expected at least 1 × 1 samples, found {width} × {height}; write the picture again")]
    NoArea {
        /// Samples in a row.
        width: usize,
        /// Rows.
        height: usize,
    },
    /// A view was built over the wrong number of samples.
    #[error("expected {expected} samples for {width} × {height} × {channels}, found {found}")]
    BufferLength {
        /// Samples in a row.
        width: usize,
        /// Rows.
        height: usize,
        /// Samples of one place.
        channels: usize,
        /// Their product; `usize::MAX` where it overflows.
        expected: usize,
        /// Samples that are there.
        found: usize,
    },
    /// The metric is defined for another number of channels.
    #[error("expected {expected}, found {found} channels; convert the picture first")]
    Channels {
        /// What the metric takes, in words.
        expected: &'static str,
        /// What came.
        found: usize,
    },
    /// The two sides differ in width or height.
    #[error(
        "expected a candidate of {}, as the reference, found {}; resize one of them and say so beside the score",
        size(.reference), size(.candidate)
    )]
    SizeMismatch {
        /// Width and height of the reference.
        reference: (usize, usize),
        /// Width and height of the candidate.
        candidate: (usize, usize),
    },
    /// The two sides differ in channels.
    #[error(
        "expected a candidate of {reference} channels, as the reference, found {candidate}; convert one of them"
    )]
    ChannelMismatch {
        /// Channels of the reference.
        reference: usize,
        /// Channels of the candidate.
        candidate: usize,
    },
    /// The picture is smaller than what the metric looks through.
    #[error(
        "expected at least {needed} × {needed} pixels for {metric}, found {}; it has no value for so small a picture",
        size(&(*.width, *.height))
    )]
    TooSmall {
        /// The metric, in words.
        metric: &'static str,
        /// The least side.
        needed: usize,
        /// Pixels in a row.
        width: usize,
        /// Rows.
        height: usize,
    },
    /// A window that has no middle, or no variance.
    #[error("expected an odd window of at least 3, found {found}")]
    Window {
        /// Its side.
        found: usize,
    },
    /// A number that must be finite is not.
    #[error(
        "expected finite numbers, found {value} at position {position}; mend the array that it came from"
    )]
    NotFinite {
        /// NaN or an infinity.
        value: f64,
        /// Counted from 0 in row-major order.
        position: usize,
    },
    /// A number of an array that is no sample of a picture.
    #[error(
        "expected an array of whole numbers from 0 to 255, found {value} at position {position}; bring the array to them first"
    )]
    NotByte {
        /// A fraction, NaN, or beyond the ends.
        value: f64,
        /// Counted from 0 in row-major order.
        position: usize,
    },
    /// A data range that divides by nothing.
    #[error("expected a data range above 0, found {found}; it is 255 for 8-bit pictures")]
    DataRange {
        /// The range that was asked for.
        found: f64,
    },
    /// A set of features without a covariance.
    #[error("expected at least 2 feature vectors of at least 1 number, found {rows} × {columns}")]
    FeatureSet {
        /// Vectors.
        rows: usize,
        /// Numbers of a vector.
        columns: usize,
    },
    /// Feature vectors of different models.
    #[error(
        "expected feature vectors of {reference} numbers, as the reference, found {candidate}; take both from one model"
    )]
    FeatureLength {
        /// Numbers of a vector of the reference.
        reference: usize,
        /// Numbers of a vector of the candidate.
        candidate: usize,
    },
    /// A feature vector without a direction.
    #[error(
        "expected two feature vectors with a direction, found nothing but zeros in the {side}; their cosine would be NaN, so look at what made it"
    )]
    ZeroVector {
        /// Reference or candidate.
        side: &'static str,
    },
    /// The singular values were not found, which no finite matrix has been seen to do.
    #[error(
        "expected the singular values to settle within {steps} steps; check the features for absurd magnitudes"
    )]
    NoConvergence {
        /// Steps that were taken for one value.
        steps: usize,
    },
    /// More regions than an assignment can be found for in reasonable time.
    #[error(
        "expected at most {limit} regions, found {found}; a region map has few flat colours, is this a photograph?"
    )]
    TooManyRegions {
        /// Regions that are large enough to count.
        found: usize,
        /// The most that are matched.
        limit: usize,
    },
    /// Bytes that are no NPY array that Juror reads.
    #[error("expected {expected} in the NPY file, found {found}; save it again with numpy.save")]
    Npy {
        /// What the format prescribes, or what Juror reads of it.
        expected: String,
        /// What is there.
        found: String,
    },
    /// Bytes that are no safetensors file, or one without the tensor that is wanted.
    #[error("expected {expected}, found {found}; save it again with safetensors, or as NPY")]
    Safetensors {
        /// What the format prescribes, or what Juror reads of it.
        expected: String,
        /// What is there.
        found: String,
    },
    /// An attention tensor of another shape than is needed.
    #[error("expected {tensor} of {expected}, found the shape {found:?}")]
    Tensor {
        /// Which one.
        tensor: String,
        /// The shape in words.
        expected: String,
        /// The shape that came.
        found: Vec<usize>,
    },
    /// A number of an attention tensor that is not finite.
    #[error(
        "expected finite numbers in {tensor}, found {value} at {index:?}; attention of it has no value"
    )]
    TensorNumber {
        /// Which one.
        tensor: String,
        /// NaN or an infinity.
        value: f64,
        /// Its place along the axes of the file, each counted from 0.
        index: Vec<usize>,
    },
    /// A setting outside of what it can be.
    #[error("expected {setting} to be {expected}, found {found}")]
    Setting {
        /// Which one.
        setting: &'static str,
        /// What it can be.
        expected: String,
        /// What came.
        found: String,
    },
    /// An array of another shape than the metric takes.
    #[error("expected an array of {expected}, found the shape {found:?}")]
    Shape {
        /// The shape in words.
        expected: &'static str,
        /// The shape that came.
        found: Vec<usize>,
    },
    /// A picture where an array is needed, or the other way round.
    #[error("expected {expected} for {metric}, found {found}")]
    Kind {
        /// The metric's id.
        metric: &'static str,
        /// What it takes.
        expected: &'static str,
        /// What came.
        found: &'static str,
    },
    /// A picture without anything drawn on it has no box.
    #[error("expected a drawn box on a dark ground, found no sample brighter than {threshold}")]
    NoBox {
        /// What a sample must exceed.
        threshold: u8,
    },
    /// No metric of this name.
    #[error("there is no metric {name}; known: {known}")]
    UnknownMetric {
        /// The name that was asked for.
        name: String,
        /// All names, with commas.
        known: String,
    },
}

fn size((width, height): &(usize, usize)) -> String {
    format!("{width} × {height} pixels")
}
