//! `trajectories.jsonl`: pictures and plans as append-only records, one per call that ended.
//!
//! A record is never changed or removed; what a trajectory looks like is always derived from the records.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{AgentError, Call, Loops, Set};
use juror_judging::provider::DECLINES;
use juror_model::prompt::sha256;
use juror_reading::limits::{self, BadLines};

/// The format's name and version, in every record.
pub const FORMAT: &str = "juror-trajectory/1";

/// What a call makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS),
    ts(export, rename = "AgentKind")
)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// The generator's picture.
    Picture,
    /// The planner's reply to it.
    Plan,
}

impl Kind {
    /// Stable name.
    pub fn id(self) -> &'static str {
        match self {
            Self::Picture => "picture",
            Self::Plan => "plan",
        }
    }
}

/// A generated picture.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS),
    ts(export, rename = "MadePicture")
)]
pub struct Made {
    /// Where it lies, from the folder of `trajectories.jsonl` on: `NAME +IPR step 1/add/002_generated.png`.
    pub path: String,
    /// SHA-256 of its bytes.
    pub sha256: String,
}

/// One call, as it ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS),
    ts(export, rename = "TrajectoryRecord")
)]
pub struct Record {
    /// [`FORMAT`].
    pub format: String,
    /// Protocol id.
    pub protocol: String,
    /// Whose trajectory.
    #[serde(flatten)]
    pub set: Set,
    /// Sample id.
    pub sample: String,
    /// From 1.
    pub step: u32,
    /// Picture or plan.
    pub kind: Kind,
    /// When it came, ISO 8601 in UTC.
    #[serde(default)]
    pub time: String,
    /// SHA-256 of the request, if it was known.
    #[serde(default)]
    pub request: Option<String>,
    /// SHA-256 of the pack that the planner's texts come from.
    #[serde(default)]
    pub prompts: String,
    /// P^t.
    pub prompt: String,
    /// Indices of the references that went along.
    pub references: Vec<u32>,
    /// SHA-256 of the generated picture that went along.
    #[serde(default)]
    pub given: Option<String>,
    /// Parameters of the call by the service's names.
    #[serde(default)]
    #[cfg_attr(feature = "typescript", ts(type = "Record<string, unknown>"))]
    pub parameters: Map<String, Value>,
    /// `call`, or `hand` where a person carried it out.
    #[serde(default)]
    pub by: String,
    /// The picture that was made.
    #[serde(default)]
    pub picture: Option<Made>,
    /// The planner's raw reply, or what the generator wrote beside its picture.
    #[serde(default)]
    pub reply: String,
    /// Why the call failed.
    #[serde(default)]
    pub error: Option<String>,
    /// What the service answered with a success, whole, where nothing could be made of it: it is paid for, and is read again
    /// before the call is made another time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub body: Option<String>,
}

impl Record {
    /// The record of a call, before it is known how that ends.
    pub fn draft(
        loops: &Loops,
        set: &Set,
        sample: &str,
        call: &Call,
        request: Option<String>,
    ) -> Self {
        Self {
            format: FORMAT.to_owned(),
            protocol: loops.protocol.clone(),
            set: set.clone(),
            sample: sample.to_owned(),
            step: call.step,
            kind: call.kind,
            time: String::new(),
            request,
            prompts: loops.sha256.clone(),
            prompt: call.prompt.clone(),
            references: call.references.clone(),
            given: call.given.clone(),
            parameters: Map::new(),
            by: String::new(),
            picture: None,
            reply: String::new(),
            error: None,
            body: None,
        }
    }

    /// Whether the record is of this call, as far as it says itself.
    pub fn answers(&self, call: &Call) -> bool {
        self.kind == call.kind
            && self.step == call.step
            && self.prompt == call.prompt
            && self.references == call.references
            && self.given == call.given
    }

    /// Whether the record is of the same call as a draft, to what it was asked with: the same request where both know it.
    pub fn is_of(&self, draft: &Self) -> bool {
        let asked = |record: &Self| {
            (
                record.set.clone(),
                record.sample.clone(),
                record.kind,
                record.step,
            )
        };
        let is_same = match (&self.request, &draft.request) {
            (Some(own), Some(other)) => own == other,
            _ => true,
        };
        is_same
            && asked(self) == asked(draft)
            && self.prompt == draft.prompt
            && self.references == draft.references
            && self.given == draft.given
            && self.parameters == draft.parameters
    }

    /// Whether the service declined the call, so that the same one is not worth asking again of itself.
    pub fn is_declined(&self) -> bool {
        let kind = self.error.as_deref().and_then(|why| why.split_once(": "));
        kind.is_some_and(|(kind, _)| DECLINES.iter().any(|declines| declines.id() == kind))
    }

    /// The record with the picture that came.
    ///
    /// # Errors
    /// The bytes are no picture of a kind that MultiBanana's scripts read.
    pub fn with_picture(mut self, bytes: &[u8]) -> Result<Self, AgentError> {
        let ending = extension(bytes).ok_or_else(|| {
            AgentError::BadPicture(format!(
                "Expected a PNG, JPEG, WebP, GIF or BMP picture, found {} bytes of something else.",
                bytes.len()
            ))
        })?;
        self.picture = Some(Made {
            path: picture_path(&self.set, self.step, &self.sample, ending),
            sha256: sha256(bytes),
        });
        Ok(self)
    }
}

/// Where the picture of a step lies, in MultiBanana's own layout below the folder of the step's model.
pub(crate) fn picture_path(set: &Set, step: u32, sample: &str, extension: &str) -> String {
    format!("{}/{sample}_generated{extension}", set.model(step))
}

/// The extension of a picture by its first bytes, one of those that MultiBanana's scripts try.
///
/// # Example
/// ```
/// use juror_agents::extension;
/// assert_eq!(extension(b"\x89PNG\r\n\x1a\n..."), Some(".png"));
/// assert_eq!(extension(b"<html>"), None);
/// ```
pub fn extension(bytes: &[u8]) -> Option<&'static str> {
    match bytes {
        [0x89, b'P', b'N', b'G', ..] => Some(".png"),
        [0xFF, 0xD8, 0xFF, ..] => Some(".jpg"),
        [b'G', b'I', b'F', b'8', ..] => Some(".gif"),
        [b'B', b'M', ..] => Some(".bmp"),
        [
            b'R',
            b'I',
            b'F',
            b'F',
            _,
            _,
            _,
            _,
            b'W',
            b'E',
            b'B',
            b'P',
            ..,
        ] => Some(".webp"),
        _ => None,
    }
}

/// A file of records with the lines that could not be read.
#[derive(Clone, Debug, Default)]
pub struct File {
    /// The records, in order.
    pub records: Vec<Record>,
    /// Line number, from 1, and reason.
    pub bad_lines: BadLines,
}

/// Reads records, one per line; `None` for a file without a single one.
pub fn read(text: &str) -> Option<File> {
    let file = read_lines(text);
    (!file.records.is_empty()).then_some(file)
}

/// Reads records, one per line, of a file that is to hold nothing else.
pub fn read_lines(text: &str) -> File {
    let mut file = File::default();
    let lines = (1..).zip(text.lines());
    for (number, line) in lines.filter(|(_, line)| !line.trim().is_empty()) {
        if let Some(reason) = limits::long_line(line) {
            file.bad_lines.push((number, reason));
            continue;
        }
        match serde_json::from_str::<Record>(line) {
            Ok(record) if record.format == FORMAT => file.records.push(record),
            Ok(record) => {
                let reason = format!("Expected the format {FORMAT}, found {}.", record.format);
                file.bad_lines.push((number, reason));
            }
            Err(error) => {
                let reason = format!("This is no record of a trajectory: {error}.");
                file.bad_lines.push((number, reason));
            }
        }
    }
    file
}

/// Writes records, one per line.
pub fn write<'a>(records: impl IntoIterator<Item = &'a Record>) -> String {
    let line = |record: &Record| serde_json::to_string(record).unwrap_or_default() + "\n";
    records.into_iter().map(line).collect()
}
