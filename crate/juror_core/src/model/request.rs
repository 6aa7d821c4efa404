//! Judge requests and generator inputs: their keys, parts and pictures.

use crate::model::options::Profile;
use crate::tree::FileId;
use serde::{Deserialize, Serialize};

/// A set of judge texts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct PackInfo {
    /// `juror-weave/1` for the built-in wording, the file's path for a loaded one.
    pub name: String,
    /// SHA-256 over the texts, hex.
    pub sha256: String,
    /// Loaded from the authors' files.
    pub official: bool,
}

/// Names one judge request.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(deny_unknown_fields)]
pub struct RequestKey {
    /// Model.
    pub model: String,
    /// Sample id.
    pub sample: String,
    /// Turn, from 0.
    pub turn: u32,
    /// Kind of request: [`RequestInfo::id`](crate::model::terms::RequestInfo::id).
    pub criterion: String,
}

/// Exactly what the judge is asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct RequestView {
    /// Which request.
    pub key: RequestKey,
    /// Prompt pack in use.
    pub pack: PackInfo,
    /// The system message in front, where the protocol has one.
    pub system: Option<String>,
    /// Parts of the one user message, in order.
    pub parts: Vec<PartView>,
    /// The reply grammar in one line: `{"score": integer 0–10, "reasoning": text}`.
    pub grammar: String,
    /// SHA-256 over pack, parts and picture contents, hex; `None` until `needs` were provided.
    pub sha256: Option<String>,
    /// Files whose bytes the hash still needs.
    pub needs: Vec<u32>,
    /// What to know: `the generated picture is missing, so the judge would see references only`.
    pub notes: Vec<String>,
    /// The reason why no request can be made; the parts are then as far as they go.
    pub error: Option<String>,
}

/// One part of a request or of a generator input.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum PartView {
    /// Text.
    Text {
        /// The text, verbatim.
        text: String,
    },
    /// A picture.
    Image {
        /// File number; `None` if the file is missing and the judge would not see it.
        file: Option<u32>,
        /// Path of the file.
        path: String,
        /// `output` (the generated picture that is judged), `dataset` or `generated` (references).
        role: String,
        /// Picture number in the sample.
        number: Option<u32>,
        /// What is done to the picture before it is sent.
        treatment: Treatment,
        /// The second file that the treatment needs: the layer of `merged`, the size giver of `stretched` and `blank`.
        other: Option<u32>,
    },
}

impl PartView {
    /// Whether the judge is shown anything here: a text, a file, or what stands in for a missing one.
    pub fn is_sent(&self) -> bool {
        match self {
            Self::Text { .. } => true,
            Self::Image {
                file, treatment, ..
            } => file.is_some() || *treatment == Treatment::Blank,
        }
    }
}

/// What is done to a picture before it is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "snake_case")]
pub enum Treatment {
    /// Nothing: the file's bytes.
    AsIs,
    /// Turned upright, made RGB and encoded as JPEG of quality 75.
    Jpeg,
    /// Encoded as PNG with an alpha channel.
    RgbaPng,
    /// Encoded as PNG without one.
    RgbPng,
    /// The layer is laid over it, resized to its size where they differ; PNG with an alpha channel.
    Merged,
    /// Resized to the size of the other file, whatever its shape; PNG with an alpha channel.
    Stretched,
    /// Not the picture, which is missing: a transparent one of the other file's size.
    Blank,
}

impl Treatment {
    /// Stable name.
    pub fn id(self) -> &'static str {
        match self {
            Self::AsIs => "as_is",
            Self::Jpeg => "jpeg",
            Self::RgbaPng => "rgba_png",
            Self::RgbPng => "rgb_png",
            Self::Merged => "merged",
            Self::Stretched => "stretched",
            Self::Blank => "blank",
        }
    }
}

/// Which pictures of the dialogue's history a generator is given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "snake_case")]
pub enum Context {
    /// Pictures that this message mentions, from the data set.
    #[default]
    No,
    /// The same, but the model's own picture where it made one.
    Partial,
    /// All pictures up to the highest one mentioned, the model's own where it made one.
    Complete,
    /// As `complete`, always from the data set.
    CompleteDataset,
}

/// How pictures and text are put together for a generator.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "snake_case")]
pub enum Packing {
    /// The pictures, then the message.
    #[default]
    Separate,
    /// One labelled list of the history's pictures, then the dialogue (`yes-front`).
    YesFront,
    /// Each picture at its first mention (`yes-first`).
    YesFirst,
}

/// Names one generator input.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(deny_unknown_fields)]
pub struct InputKey {
    /// Model whose own pictures may be used; empty for none.
    pub model: String,
    /// Sample id.
    pub sample: String,
    /// Turn, from 0.
    pub turn: u32,
    /// Which pictures.
    pub context: Context,
    /// How packed.
    pub packing: Packing,
    /// `paper`: as intended; `released`: as the authors' loader does it.
    pub profile: Profile,
}

/// One message of a generator input.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct InputMessage {
    /// `user` or `assistant`.
    pub role: String,
    /// Parts in order.
    pub parts: Vec<PartView>,
}

/// A judge request before it is hashed.
#[derive(Clone, Debug, Default)]
pub struct Draft {
    /// The system message, where the authors send one in front.
    pub system: Option<String>,
    /// Parts in order.
    pub parts: Vec<PartView>,
    /// What to know about it.
    pub notes: Vec<String>,
}

/// What a generator is given.
#[derive(Clone, Debug, Default)]
pub struct GeneratorInput {
    /// Messages in order.
    pub messages: Vec<InputMessage>,
    /// Pictures in order.
    pub pictures: Vec<FileId>,
    /// What to know about it.
    pub notes: Vec<String>,
}

impl GeneratorInput {
    /// Parts in one message of the user.
    pub(crate) fn one_message(parts: Vec<PartView>, notes: Vec<String>) -> Self {
        let pictures = parts.iter().filter_map(|part| match part {
            PartView::Image { file, .. } => *file,
            PartView::Text { .. } => None,
        });
        Self {
            pictures: pictures.collect(),
            messages: vec![InputMessage {
                role: "user".to_owned(),
                parts,
            }],
            notes,
        }
    }
}
