//! The journal of a generator's calls, `juror-generate/1`: what was sent, what came, and which file it became.
//!
//! A picture has two records: `received` once its bytes are on disk under another name, `made` once they have their own.
//! A run that is killed between the two finishes the picture from the bytes that are there.

use serde::{Deserialize, Serialize};

use juror_model::judge::Params;
use juror_model::prompt;

use crate::provider::{DECLINES, FailureKind, PictureWire, sorted};
use crate::{percent_decode, percent_encode};

/// The format's name and version, in every record.
pub const FORMAT: &str = "juror-generate/1";

/// What a record says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// A picture came, and its bytes are on disk.
    Received,
    /// The picture has its name.
    Made,
    /// An answer was no picture; another attempt may follow.
    #[default]
    Failed,
    /// The request was given up.
    GivenUp,
}

/// One call.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// [`FORMAT`].
    pub format: String,
    /// Protocol id.
    pub protocol: String,
    /// The model under whose name outputs are filed.
    pub model: String,
    /// Sample id.
    pub sample: String,
    /// Turn, from 0.
    pub turn: u32,
    /// What came of it.
    pub state: State,
    /// [`request_hash`]; empty where nothing could be sent.
    #[serde(default)]
    pub request: String,
    /// How the service was spoken to.
    pub wire: Option<PictureWire>,
    /// The host that was asked.
    #[serde(default)]
    pub host: String,
    /// The service's name of the model, and the parameters.
    #[serde(default)]
    pub params: Params,
    /// When the answer came, ISO 8601 in UTC.
    #[serde(default)]
    pub time: String,
    /// How long it took, in seconds.
    #[serde(default)]
    pub seconds: f64,
    /// The file in the model's folder.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub file: String,
    /// SHA-256 of its bytes.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub sha256: String,
    /// The format that the picture came in, where that is not the one of the file's name.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub came_as: String,
    /// What the generator wrote with it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub text: String,
    /// Whether the data set's pictures went along where the model's own were meant.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub leaked: bool,
    /// Whether it is a text that ended at the limit of its tokens.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub cut: bool,
    /// The kind of failure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<FailureKind>,
    /// Why there is no picture.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

impl Record {
    /// Whether the service declined this very request, so that it is not sent again of itself.
    ///
    /// # Example
    /// ```
    /// use juror_judging::generating::{Record, State};
    /// use juror_judging::provider::FailureKind;
    /// let declined = |kind| Record { state: State::GivenUp, kind: Some(kind), ..Record::default() };
    /// assert!(declined(FailureKind::ContentFilter).is_declined());
    /// assert!(!declined(FailureKind::Network).is_declined());
    /// ```
    pub fn is_declined(&self) -> bool {
        self.state == State::GivenUp && self.kind.is_some_and(|kind| DECLINES.contains(&kind))
    }
}

/// Reads records; the second is the first line that is none, by its number from 1, and why. Empty lines are passed over.
pub fn read(text: &str) -> (Vec<Record>, Option<(u32, String)>) {
    let mut records = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        if line.trim().is_empty() {
            continue;
        }
        match serde_json::from_str::<Record>(line) {
            Ok(record) if record.format == FORMAT => records.push(record),
            Ok(record) => {
                let why = format!("Expected the format {FORMAT}, found {}.", record.format);
                return (records, Some((number, why)));
            }
            Err(error) => {
                let why = format!("This is not a record of a generator's call: {error}.");
                return (records, Some((number, why)));
            }
        }
    }
    (records, None)
}

/// A record as a line, with its end.
pub fn line(record: &Record) -> String {
    serde_json::to_string(record).unwrap_or_default() + "\n"
}

/// The first part of the id of a generator's line in a batch file.
const VERSION: &str = "juror-generate1";

/// What a line of a batch file asks a generator for: with it, its result finds its place again.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct LineId {
    /// Protocol id.
    pub protocol: String,
    /// The model under whose name outputs are filed.
    pub model: String,
    /// Sample id.
    pub sample: String,
    /// Turn, from 0.
    pub turn: u32,
    /// [`request_hash`].
    pub request: String,
    /// Whether the data set's pictures go along where the model's own are meant.
    pub is_leaked: bool,
}

impl LineId {
    /// As `custom_id` or `key`: version, protocol, model, sample, turn, request, and `leaked` where that is so,
    /// percent-encoded, with `/` between them.
    pub fn encode(&self) -> String {
        let turn = self.turn.to_string();
        let leaked = if self.is_leaked { "leaked" } else { "" };
        let fields = [
            VERSION,
            &self.protocol,
            &self.model,
            &self.sample,
            &turn,
            &self.request,
            leaked,
        ];
        fields.map(percent_encode).join("/")
    }

    /// Reads an id back; `None` if it is not one of these.
    ///
    /// ```
    /// use juror_judging::generating::LineId;
    /// let id = LineId {
    ///     protocol: "p".to_owned(),
    ///     model: "m@a=b".to_owned(),
    ///     sample: "task/7".to_owned(),
    ///     turn: 2,
    ///     request: "ab".to_owned(),
    ///     is_leaked: true,
    /// };
    /// assert_eq!(LineId::decode(&id.encode()), Some(id));
    /// assert_eq!(LineId::decode("juror1/a/b/c/1/d/"), None);
    /// ```
    pub fn decode(text: &str) -> Option<Self> {
        let fields: Option<Vec<String>> = text.split('/').map(percent_decode).collect();
        let fields: [String; 7] = fields?.try_into().ok()?;
        let [version, protocol, model, sample, turn, request, leaked] = fields;
        let is_one = version == VERSION && ["", "leaked"].contains(&leaked.as_str());
        let turn = turn.parse().ok().filter(|_| is_one)?;
        Some(Self {
            protocol,
            model,
            sample,
            turn,
            request,
            is_leaked: !leaked.is_empty(),
        })
    }
}

/// A part of a request as its hash has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HashedPart {
    /// A text.
    Text(String),
    /// SHA-256 of a picture's bytes as they are sent.
    Picture(String),
}

/// SHA-256 over all that a generator is sent: wire, parameters, texts, and pictures by content. Where the service is does not
/// count.
///
/// # Example
/// ```
/// use juror_judging::generating::{HashedPart, request_hash};
/// use juror_judging::provider::PictureWire;
/// use juror_model::judge::Params;
/// let hash = |text: &str| {
///     let parts = vec![HashedPart::Text(text.to_owned())];
///     request_hash(PictureWire::OpenAi, &Params::default(), &[("user".to_owned(), parts)])
/// };
/// assert_eq!(hash("A cat."), hash("A cat."));
/// assert_ne!(hash("A cat."), hash("A dog."));
/// ```
pub fn request_hash(
    wire: PictureWire,
    params: &Params,
    messages: &[(String, Vec<HashedPart>)],
) -> String {
    let params = serde_json::to_value(params).map(sorted).unwrap_or_default();
    let params = params.to_string();
    let wire = match wire {
        PictureWire::OpenAi => "openai",
        PictureWire::Gemini => "gemini",
    };
    let mut texts = vec![wire, &params];
    for (role, parts) in messages {
        texts.extend(["role", role]);
        for part in parts {
            texts.extend(match part {
                HashedPart::Text(text) => ["text", text],
                HashedPart::Picture(sha256) => ["picture", sha256],
            });
        }
    }
    prompt::hex(&prompt::digest("juror-generate-request/1", texts))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_again_and_another_line_is_named() {
        let record = Record {
            format: FORMAT.to_owned(),
            protocol: "weave".to_owned(),
            model: "m".to_owned(),
            sample: "3".to_owned(),
            turn: 1,
            state: State::Made,
            wire: Some(PictureWire::Gemini),
            file: "imgs/a.png".to_owned(),
            leaked: true,
            ..Record::default()
        };
        let text = line(&record);
        assert_eq!(read(&text), (vec![record.clone()], None));
        assert!(
            text.starts_with(r#"{"format":"juror-generate/1","#),
            "{text}"
        );
        let other = text.replace("generate/1", "generate/9");
        for bad in [other.as_str(), "{\"id\": 1}\n", "Notes."] {
            let (records, why) = read(&(text.clone() + bad));
            assert_eq!(records, std::slice::from_ref(&record));
            assert_eq!(why.map(|(number, _)| number), Some(2), "{bad}");
        }
    }

    #[test]
    fn a_request_is_known_by_all_that_is_sent() {
        let params = Params {
            model: "m".to_owned(),
            ..Params::default()
        };
        let parts = vec![
            HashedPart::Text("A".to_owned()),
            HashedPart::Picture("ab".to_owned()),
        ];
        let messages = [("user".to_owned(), parts.clone())];
        let hash = request_hash(PictureWire::OpenAi, &params, &messages);
        let sized = Params {
            extra: [("size".to_owned(), "auto".into())].into_iter().collect(),
            ..params.clone()
        };
        let swapped: Vec<HashedPart> = parts.iter().rev().cloned().collect();
        let others = [
            request_hash(PictureWire::Gemini, &params, &messages),
            request_hash(PictureWire::OpenAi, &sized, &messages),
            request_hash(
                PictureWire::OpenAi,
                &params,
                &[("user".to_owned(), swapped)],
            ),
            request_hash(
                PictureWire::OpenAi,
                &params,
                &[("assistant".to_owned(), parts)],
            ),
        ];
        for other in others {
            assert_ne!(other, hash);
        }
        assert_eq!(hash.len(), 64);
    }
}
