//! What the engine and its host say to each other about files.

use serde::{Deserialize, Serialize};

/// One file as its source lists it, before anything is read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct FileMeta {
    /// Path inside the source, with `/` or `\` between folders; the first folder is the dropped one. One that ends in `/`
    /// and has no size is a link that leads nowhere and may have led to a folder.
    pub path: String,
    /// Size in bytes, unless it costs too much to know before the file is read.
    #[cfg_attr(feature = "typescript", ts(type = "number | null"))]
    pub size: Option<u64>,
}

/// One read that the engine asks its host to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct Want {
    /// Which file: its number in the order of adding.
    pub file: u32,
    /// Only so many bytes from the start are needed; `None` for the whole file.
    #[cfg_attr(feature = "typescript", ts(type = "number | null"))]
    pub head: Option<u64>,
    /// What the read is for, in the order in which the phases come.
    pub phase: Phase,
}

/// How much of a file that nobody claims is looked at.
const GLIMPSE_BYTES: u64 = 64 << 10;

impl Want {
    /// The beginning of a file that may be of a benchmark which is not shown.
    pub fn glimpse(file: u32) -> Self {
        Self {
            file,
            head: Some(GLIMPSE_BYTES),
            phase: Phase::Benchmark,
        }
    }

    /// Whether a text is read whole, of which there is a limit.
    pub fn is_text(&self) -> bool {
        matches!(self.phase, Phase::Benchmark | Phase::Replies) && !self.is_glimpse()
    }

    /// Whether no more is wanted than a look.
    pub fn is_glimpse(&self) -> bool {
        self.phase == Phase::Benchmark && self.head == Some(GLIMPSE_BYTES)
    }
}

/// Why a file is read; also the steps of the progress display.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// Sample lists, prompt packs: after this the samples can be shown.
    Benchmark,
    /// Judge replies: after this the scores can be shown.
    Replies,
    /// Text answers of the models.
    Answers,
    /// Picture headers: after this missing and misnamed pictures are known.
    Pictures,
    /// Whole pictures, which the host decodes: until then the scores are provisional, after it the list of incidents is complete.
    Decoding,
}

/// How far loading has come.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct Progress {
    /// The phase whose reads are asked for now; `None` when everything was read.
    pub phase: Option<Phase>,
    /// Reads of this phase that are done.
    pub done: u32,
    /// Reads of this phase in all.
    pub total: u32,
}
