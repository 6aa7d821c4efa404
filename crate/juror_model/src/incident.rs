//! What keeps a unit from being scored.

/// What kept a unit from being scored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum IncidentKind {
    /// No output file.
    MissingOutput,
    /// The output cannot be read.
    UnreadableOutput,
    /// The host could not bring the output's bytes.
    InaccessibleOutput,
    /// Not judged.
    MissingReply,
    /// There may be a reply in a file whose bytes the host could not bring.
    InaccessibleReply,
    /// The call failed.
    FailedCall,
    /// The reply is not in the grammar.
    Unparsable,
    /// The score is outside the scale.
    OutOfRange,
    /// There is no picture to measure the output against.
    NoCounterpart,
    /// Output and counterpart differ in size, and nothing was to be resized.
    SizeDiffers,
    /// The metric has no value for the pair.
    Unmeasurable,
    /// Not measured.
    NotMeasured,
}

impl IncidentKind {
    /// All kinds, in display order.
    pub const ALL: [Self; 12] = [
        Self::MissingOutput,
        Self::UnreadableOutput,
        Self::InaccessibleOutput,
        Self::MissingReply,
        Self::InaccessibleReply,
        Self::FailedCall,
        Self::Unparsable,
        Self::OutOfRange,
        Self::NoCounterpart,
        Self::SizeDiffers,
        Self::Unmeasurable,
        Self::NotMeasured,
    ];

    /// Stable name.
    pub fn id(self) -> &'static str {
        match self {
            Self::MissingOutput => "missing_output",
            Self::UnreadableOutput => "unreadable_output",
            Self::InaccessibleOutput => "inaccessible_output",
            Self::MissingReply => "missing_reply",
            Self::InaccessibleReply => "inaccessible_reply",
            Self::FailedCall => "failed_call",
            Self::Unparsable => "unparsable",
            Self::OutOfRange => "out_of_range",
            Self::NoCounterpart => "no_counterpart",
            Self::SizeDiffers => "size_differs",
            Self::Unmeasurable => "unmeasurable",
            Self::NotMeasured => "not_measured",
        }
    }

    /// In words.
    pub fn label(self) -> &'static str {
        match self {
            Self::MissingOutput => "Output is missing",
            Self::UnreadableOutput => "Output cannot be read",
            Self::InaccessibleOutput => "Output could not be opened",
            Self::MissingReply => "Not judged",
            Self::InaccessibleReply => "Reply file could not be opened",
            Self::FailedCall => "Judging failed",
            Self::Unparsable => "Reply cannot be read",
            Self::OutOfRange => "Score is outside the scale",
            Self::NoCounterpart => "Nothing to measure against",
            Self::SizeDiffers => "Sizes differ",
            Self::Unmeasurable => "The metric has no value",
            Self::NotMeasured => "Not measured",
        }
    }

    /// Whether only measured values have it: those are always left out.
    pub fn is_of_measure(self) -> bool {
        matches!(
            self,
            Self::NoCounterpart | Self::SizeDiffers | Self::Unmeasurable | Self::NotMeasured
        )
    }

    /// Whether it befell the output itself, so that it is the same for every judge.
    pub fn is_of_output(self) -> bool {
        matches!(
            self,
            Self::MissingOutput | Self::UnreadableOutput | Self::InaccessibleOutput
        )
    }

    /// Whether the model is at fault rather than the judging.
    pub fn is_models(self) -> bool {
        matches!(self, Self::MissingOutput | Self::UnreadableOutput)
    }
}
