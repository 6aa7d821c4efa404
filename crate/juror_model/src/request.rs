//! Judge requests and generator inputs: their keys, parts and pictures.

use std::borrow::Cow;

use crate::experiment::FactorLevel;
use crate::options::Profile;
use crate::tree::FileId;
use serde::{Deserialize, Serialize};

/// A set of judge texts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct PackInfo {
    /// `juror-weave/1` for Juror's own wording, the file's path for texts from one.
    pub name: String,
    /// SHA-256 over the texts, hex.
    pub sha256: String,
    /// The texts are those of the authors' release, by their hash.
    pub official: bool,
}

/// Names one judge request.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(deny_unknown_fields)]
pub struct RequestKey {
    /// Model.
    pub model: String,
    /// Sample id.
    pub sample: String,
    /// Turn, from 0.
    pub turn: u32,
    /// Kind of request: [`RequestInfo::id`](crate::terms::RequestInfo::id).
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
    /// Whose texts they are and where they come from, in words.
    pub pack_words: String,
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
        /// The second file that the treatment needs: the layer of `merged` and `embedded_…`, the size giver of `stretched` and `blank`.
        other: Option<u32>,
    },
}

impl PartView {
    /// Whether the judge is shown anything here: a text, a file, or the replacement of a missing one.
    pub fn is_sent(&self) -> bool {
        match self {
            Self::Text { .. } => true,
            Self::Image {
                file, treatment, ..
            } => file.is_some() || *treatment == Treatment::Blank,
        }
    }
}

/// What is done to a picture before it is sent; written as its [`id`](Treatment::id).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS),
    ts(
        export,
        type = "\"as_is\" | \"jpeg\" | \"rgba_png\" | \"rgb_png\" | \"merged\" | \"stretched\" | \"blank\" | \"whitened\" | \"turbo\" | `tinted_${string}` | `embedded_${string}`"
    )
)]
#[serde(into = "String", try_from = "String")]
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
    /// Whatever is nearly black becomes white, as a variant of a request has it; PNG.
    Whitened,
    /// Grey becomes the colours of Turbo, as a variant of a request has it; PNG.
    Turbo,
    /// White becomes this colour, red, green and blue, as a variant of a request has it; PNG.
    Tinted([u8; 3]),
    /// The layer is laid over it, and this text written beside what is drawn, as a variant of a request has it; PNG with an
    /// alpha channel.
    Embedded(String),
}

/// What the name of a tinted picture begins with, before its colour as six digits.
const TINTED: &str = "tinted_";
/// What the name of a picture with a text in it begins with, before the text.
const EMBEDDED: &str = "embedded_";

impl Treatment {
    /// Stable name: `as_is`, `tinted_c8f0a3`.
    ///
    /// # Example
    /// ```
    /// use juror_model::request::Treatment;
    /// let tinted = Treatment::Tinted([200, 240, 163]);
    /// assert_eq!(tinted.id(), "tinted_c8f0a3");
    /// assert_eq!(Treatment::try_from("tinted_c8f0a3".to_owned()), Ok(tinted));
    /// assert!(Treatment::try_from("tinted_c8f0".to_owned()).is_err());
    /// ```
    pub fn id(&self) -> Cow<'static, str> {
        Cow::Borrowed(match self {
            Self::AsIs => "as_is",
            Self::Jpeg => "jpeg",
            Self::RgbaPng => "rgba_png",
            Self::RgbPng => "rgb_png",
            Self::Merged => "merged",
            Self::Stretched => "stretched",
            Self::Blank => "blank",
            Self::Whitened => "whitened",
            Self::Turbo => "turbo",
            Self::Tinted([red, green, blue]) => {
                let [red, green, blue] = [red, green, blue].map(|channel| u32::from(*channel));
                let colour = (red << 16) | (green << 8) | blue;
                return Cow::Owned(format!("{TINTED}{colour:06x}"));
            }
            Self::Embedded(text) => return Cow::Owned(format!("{EMBEDDED}{text}")),
        })
    }

    /// Whether it is the change that a variant of a request is about.
    pub fn is_of_variant(&self) -> bool {
        matches!(
            self,
            Self::Whitened | Self::Turbo | Self::Tinted(_) | Self::Embedded(_)
        )
    }
}

impl From<Treatment> for String {
    fn from(treatment: Treatment) -> Self {
        treatment.id().into_owned()
    }
}

impl TryFrom<String> for Treatment {
    type Error = String;

    fn try_from(id: String) -> Result<Self, String> {
        use Treatment as T;
        let plain = [
            T::AsIs,
            T::Jpeg,
            T::RgbaPng,
            T::RgbPng,
            T::Merged,
            T::Stretched,
            T::Blank,
            T::Whitened,
            T::Turbo,
        ];
        if let Some(found) = plain.into_iter().find(|one| one.id() == id) {
            return Ok(found);
        }
        if let Some(text) = id.strip_prefix(EMBEDDED).filter(|text| !text.is_empty()) {
            return Ok(T::Embedded(text.to_owned()));
        }
        let colour = id.strip_prefix(TINTED).filter(|digits| digits.len() == 6);
        let colour = colour.and_then(|digits| u32::from_str_radix(digits, 16).ok());
        match colour.map(u32::to_be_bytes) {
            Some([_, red, green, blue]) => Ok(T::Tinted([red, green, blue])),
            None => Err(format!("There is no treatment of pictures called {id}.")),
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
    /// The level of a factor that the protocol can vary; the request as it is if `None`.
    #[serde(default)]
    pub variant: Option<FactorLevel>,
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
    /// Whether its pictures are given one by one.
    pub given: Given,
}

/// How a generator is given the pictures of an input.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "snake_case")]
pub enum Given {
    /// Each as a picture of its own, in its place.
    #[default]
    Apart,
    /// All of them as one numbered row, in the place of the first.
    OneRow,
}

impl GeneratorInput {
    /// Parts in one message of the user.
    pub fn one_message(parts: Vec<PartView>, notes: Vec<String>) -> Self {
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
            given: Given::Apart,
        }
    }
}
