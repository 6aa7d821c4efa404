//! `juror-pack/1`: everything that a report rests on in one ZIP, and what it takes to check it.
//!
//! This module knows entries by path, size and hash, never a container: hosts read and write ZIP files.
//! A session states what a pack holds, and recomputes one that was opened.

use std::collections::{BTreeMap, HashMap, HashSet};

use serde::{Deserialize, Serialize};

use juror_model::judge::JudgeName;
use juror_model::options::{Policy, Profile, ReplyReading, ScoreOptions};
use juror_model::prompt;
use juror_model::request::PackInfo;
use juror_model::submission::Kind;
use juror_model::tree::PACK_MANIFEST;

pub mod compare;
mod error;
mod outline;
mod signed;
mod verify;

pub use error::PackError;
pub use outline::Outline;
pub use signed::{Signed, Signer};
pub use verify::{
    Coverage, Finding, Findings, Verification, of_lines, of_manifest, of_report, of_requests,
    of_text, of_verdicts, reason,
};

/// The format's name and version.
pub const FORMAT: &str = "juror-pack/1";
/// Where the manifest lies.
pub const MANIFEST: &str = PACK_MANIFEST;
/// Where the report lies.
pub const REPORT: &str = "report.json";
/// Where the requests lie.
pub const REQUESTS: &str = "requests.jsonl";
/// Where the verdicts lie.
pub const VERDICTS: &str = "verdicts.jsonl";
/// Where replies lie that were pasted or called for and stand in no file.
pub const JOURNAL: &str = "journal.jsonl";
/// Where the signature of the manifest lies, if there is one: in minisign's format, and no part of what is signed.
pub const SIGNATURE: &str = "manifest.json.minisig";
/// What a pack writes itself.
const OWN: [&str; 6] = [MANIFEST, REPORT, REQUESTS, VERDICTS, JOURNAL, SIGNATURE];
/// What those are called in the manifest.
const OWN_ROLES: [&str; 4] = ["report", "requests", "verdicts", PASTED];
/// The role of replies that stand in no file of the user's.
pub const PASTED: &str = "pasted";
/// The longer side of a thumbnail in pixels, at most.
pub const THUMBNAIL_PX: u32 = 256;

/// Width and height of the thumbnail of a picture of this size: the longer side is brought to [`THUMBNAIL_PX`], and the
/// shorter one with it, rounded half up and never to nothing. A picture that fits stays as large as it is.
///
/// ```
/// use juror_evidence::pack::thumbnail_size;
///
/// assert_eq!(thumbnail_size([640, 320]), [256, 128]);
/// assert_eq!(thumbnail_size([9, 7]), [9, 7]);
/// assert_eq!(thumbnail_size([5000, 1]), [256, 1]);
/// ```
pub fn thumbnail_size(size: [u32; 2]) -> [u32; 2] {
    let [longer, most] = [size[0].max(size[1]), THUMBNAIL_PX].map(u64::from);
    if longer <= most {
        return size;
    }
    size.map(|side| {
        let side = (2 * u64::from(side) * most + longer) / (2 * longer);
        u32::try_from(side).unwrap_or(THUMBNAIL_PX).max(1)
    })
}

/// Whether a text is the manifest of a pack of any version, as against a file of that name with another meaning.
pub fn is_manifest(text: &str) -> bool {
    // What comes of a byte order mark is for `Manifest::read` to say.
    let begin = text.trim_start_matches('\u{feff}').trim_start();
    let rest = ["{", "\"format\"", ":"]
        .iter()
        .try_fold(begin, |rest, part| {
            rest.strip_prefix(part).map(str::trim_start)
        });
    rest.is_some_and(|rest| rest.starts_with("\"juror-pack/"))
}

/// How pictures go into a pack.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS),
    ts(export, rename = "PackPictures")
)]
#[serde(rename_all = "snake_case")]
pub enum Pictures {
    /// As they are.
    #[default]
    Full,
    /// Made small, with the hashes of the originals.
    Thumbnails,
    /// Not at all: their hashes and sizes alone.
    None,
}

impl Pictures {
    /// How they lie in a pack, in words; `None` where they are as they were.
    pub fn lack(self) -> Option<&'static str> {
        match self {
            Self::Full => None,
            Self::Thumbnails => Some("as thumbnails"),
            Self::None => Some("by their hashes alone"),
        }
    }
}

/// What of a file lies in the pack.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kept {
    /// The file.
    #[default]
    Full,
    /// A small picture under its path.
    Thumbnail,
    /// Nothing.
    LeftOut,
}

impl Kept {
    #[expect(
        clippy::trivially_copy_pass_by_ref,
        reason = "the shape that serde calls for"
    )]
    fn is_full(&self) -> bool {
        *self == Self::Full
    }
}

/// Size and hash of bytes that lie in a pack.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Content {
    /// Size in bytes.
    pub size: u64,
    /// SHA-256, hex.
    pub sha256: String,
}

impl Content {
    /// Of these bytes.
    pub fn of(bytes: &[u8]) -> Self {
        Self {
            size: bytes.len() as u64,
            sha256: prompt::sha256(bytes),
        }
    }
}

/// What a picture's header says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum PictureSize {
    /// A picture.
    Pixels {
        /// Width in pixels.
        width: u32,
        /// Height in pixels.
        height: u32,
    },
    /// Not one.
    Bad {
        /// What was found.
        problem: String,
        /// What to do.
        hint: String,
    },
    /// One by its header that does not decode.
    Corrupt {
        /// What was found.
        corrupt: String,
        /// What to do.
        hint: String,
    },
}

/// One file of a pack, or one that was left out of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// Path in the pack, which is the path that the file was opened under.
    pub path: String,
    /// `samples`, `replies`, `journal`, `ratings`, `trajectories`, `prompts`, `answer`, `picture`, `other`; of what the
    /// pack adds itself `report`, `requests`, `verdicts`, `pasted`.
    pub role: String,
    /// Size of the file in bytes.
    pub size: u64,
    /// SHA-256 of the file, hex.
    pub sha256: String,
    /// What of it lies in the pack.
    #[serde(default, skip_serializing_if = "Kept::is_full")]
    pub kept: Kept,
    /// The small picture that lies there instead.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thumbnail: Option<Content>,
    /// Of a picture: its size in pixels, or what is wrong with it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub picture: Option<PictureSize>,
}

impl Entry {
    /// What lies in the pack under its path.
    pub fn content(&self) -> Option<Content> {
        match self.kept {
            Kept::Full => Some(Content {
                size: self.size,
                sha256: self.sha256.clone(),
            }),
            Kept::Thumbnail => self.thumbnail.clone(),
            Kept::LeftOut => None,
        }
    }

    /// Whether the pack wrote it, as against a file that was opened.
    pub fn is_own(&self) -> bool {
        OWN_ROLES.contains(&self.role.as_str())
    }
}

/// Whether a pack writes a file of this path itself.
pub fn is_own(path: &str) -> bool {
    OWN.contains(&path)
}

/// How much there is of everything.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Samples of the benchmark.
    pub samples: u32,
    /// Models.
    pub models: u32,
    /// Requests.
    pub requests: u32,
    /// Replies that were read, failed calls included.
    pub verdicts: u32,
    /// Of those, replies to earlier requests: a picture, a text or the prompt has changed since. They do not count.
    pub stale: u32,
    /// Score rows.
    pub scores: u32,
    /// Incidents.
    pub incidents: u32,
}

/// `manifest.json`: what a pack holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// [`FORMAT`].
    pub format: String,
    /// Version of Juror that wrote it.
    pub juror: String,
    /// Protocol id.
    pub protocol: String,
    /// Display name of the benchmark.
    pub title: String,
    /// Formulas.
    pub profile: Profile,
    /// What incidents count as.
    pub policy: Policy,
    /// The only judge whose replies count, if one was chosen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub only_judge: Option<String>,
    /// The only run whose replies count, if one was chosen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub only_run: Option<u32>,
    /// How replies are read; absent where strictly.
    #[serde(default, skip_serializing_if = "ReplyReading::is_strict")]
    pub reading: ReplyReading,
    /// Prompt pack that requests are made with.
    pub prompts: PackInfo,
    /// Models under test.
    pub models: Vec<String>,
    /// Judges whose replies are in it.
    pub judges: Vec<String>,
    /// Those of them whom whoever packed it named, for files of replies that state no judge.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub judge_names: Vec<JudgeName>,
    /// What models are judged on, where their replies and outputs do not tell it.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub kinds: BTreeMap<String, Kind>,
    /// How pictures went in.
    pub pictures: Pictures,
    /// How much there is of everything.
    pub counts: Counts,
    /// Every file, by path.
    pub entries: Vec<Entry>,
    /// SHA-256 over this manifest with an empty string in this place: what names the pack.
    pub sha256: String,
}

/// What is read first: enough to refuse a manifest politely.
#[derive(Deserialize)]
struct Head {
    format: String,
    #[serde(default)]
    juror: String,
}

impl Manifest {
    /// Reads a manifest.
    ///
    /// # Errors
    /// It is of another format, of a later version, or no manifest.
    pub fn read(text: &str) -> Result<Self, PackError> {
        let unreadable = |error: serde_json::Error| PackError::Unreadable {
            reason: error.to_string(),
        };
        if text.starts_with('\u{feff}') {
            return Err(PackError::Unreadable {
                reason: "it begins with a byte order mark, which Juror does not write".to_owned(),
            });
        }
        let head: Head = serde_json::from_str(text).map_err(unreadable)?;
        if head.format == FORMAT {
            return serde_json::from_str(text).map_err(unreadable);
        }
        Err(match head.format.strip_prefix("juror-pack/") {
            Some(version) if version.parse::<u32>().is_ok_and(|number| number > 1) => {
                PackError::Newer {
                    found: head.format,
                    juror: head.juror,
                }
            }
            _ => PackError::Foreign { found: head.format },
        })
    }

    /// The manifest as text: one line for each field and entry, the same bytes everywhere.
    pub fn to_json(&self) -> String {
        let head = Self {
            entries: Vec::new(),
            ..self.clone()
        };
        let pretty = serde_json::to_string_pretty(&head).unwrap_or_default();
        let rows: Vec<String> = self
            .entries
            .iter()
            .map(|entry| format!("\n    {}", serde_json::to_string(entry).unwrap_or_default()))
            .collect();
        // Only the field itself stands at this indentation.
        let rows = format!("\n  \"entries\": [{}\n  ]", rows.join(","));
        pretty.replacen("\n  \"entries\": []", &rows, 1) + "\n"
    }

    /// The hash that names this manifest, whatever its own field says.
    pub fn seal(&self) -> String {
        let unsealed = Self {
            sha256: String::new(),
            ..self.clone()
        };
        prompt::sha256(unsealed.to_json().as_bytes())
    }

    /// The choices that its scores rest on.
    pub fn options(&self) -> ScoreOptions {
        ScoreOptions {
            profile: self.profile,
            policy: Some(self.policy),
            judge: self.only_judge.clone(),
            run: self.only_run,
            reading: self.reading,
        }
    }

    /// A judge with where its name comes from, in words.
    pub fn judge_words(&self, judge: &str) -> String {
        if judge.is_empty() {
            return "not stated".to_owned();
        }
        let is_named = self.judge_names.iter().any(|name| name.judge == judge);
        if is_named {
            format!("{judge} (named by the packer)")
        } else {
            judge.to_owned()
        }
    }

    /// Whether it has a journal of its own, as against one that was opened.
    pub fn has_journal(&self) -> bool {
        self.entries.iter().any(|entry| entry.role == PASTED)
    }

    /// Paths of files that another pack has as well, with other contents: beside each other they can only be compared.
    pub fn conflicts(&self, other: &Self) -> Vec<String> {
        let here: HashMap<&str, &str> = self
            .sources()
            .map(|entry| (entry.path.as_str(), entry.sha256.as_str()))
            .collect();
        let is_other = |entry: &&Entry| {
            here.get(entry.path.as_str())
                .is_some_and(|sha256| *sha256 != entry.sha256)
        };
        let others = other.sources().filter(is_other);
        others.map(|entry| entry.path.clone()).collect()
    }

    /// The names of a container's files as this manifest has them.
    ///
    /// Some programs pack letters with marks as two characters (macOS: NFD), where Juror wrote one. A name that is
    /// nowhere stated stands for the one that differs from it in such letters alone, if there is just one.
    pub fn settle(&self, found: &[String]) -> FoundNames {
        let is_stated: HashSet<&str> = self
            .entries
            .iter()
            .map(|entry| entry.path.as_str())
            .collect();
        let is_found: HashSet<&str> = found.iter().map(String::as_str).collect();
        let mut by_bones: HashMap<String, Vec<&str>> = HashMap::new();
        let missing = self.entries.iter().map(|entry| entry.path.as_str());
        for path in missing.filter(|path| !path.is_ascii() && !is_found.contains(path)) {
            by_bones.entry(bones(path)).or_default().push(path);
        }
        let mut names = FoundNames::default();
        let mut taken = HashSet::new();
        for path in found {
            let other = (!is_stated.contains(path.as_str()) && !path.is_ascii())
                .then(|| by_bones.get(&bones(path)))
                .flatten()
                .and_then(|others| match others[..] {
                    [one] if taken.insert(one) => Some(one),
                    _ => None,
                });
            names.renamed += u32::from(other.is_some());
            names
                .paths
                .push(other.map_or_else(|| path.clone(), str::to_owned));
        }
        names
    }

    /// The paths of what is listed as a thumbnail.
    pub fn thumbnails(&self) -> HashSet<&str> {
        let small = self.sources().filter(|entry| entry.thumbnail.is_some());
        small.map(|entry| entry.path.as_str()).collect()
    }

    /// The files that were opened, as against those that the pack adds.
    pub fn sources(&self) -> impl Iterator<Item = &Entry> {
        self.entries.iter().filter(|entry| !entry.is_own())
    }
}

/// The files of a container by the names that a manifest has.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct FoundNames {
    /// Paths, in the order in which they were found.
    pub paths: Vec<String>,
    /// How many of them are written in other Unicode characters there.
    pub renamed: u32,
}

/// A name without the letters that can be written in two ways: everything beyond ASCII, and what has a mark behind it.
fn bones(path: &str) -> String {
    let is_mark = |letter: char| matches!(letter, '\u{300}'..='\u{36f}' | '\u{3099}' | '\u{309a}');
    let mut letters = path.chars().peekable();
    let mut out = String::new();
    while let Some(letter) = letters.next() {
        let is_marked = letters.peek().is_some_and(|next| is_mark(*next));
        if letter.is_ascii() && !is_marked {
            out.push(letter);
        }
    }
    out
}

/// A file that a pack is to hold.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct PackItem {
    /// Its number.
    pub file: u32,
    /// Path in the pack.
    pub path: String,
    /// What it is; see [`Entry::role`].
    pub role: String,
    /// Size in bytes, if that is known before it is read.
    #[cfg_attr(feature = "typescript", ts(type = "number | null"))]
    pub size: Option<u64>,
}

impl PackItem {
    /// Whether the choice of [`Pictures`] is about it.
    pub fn is_picture(&self) -> bool {
        self.role == PICTURE
    }
}

/// The role of a picture.
pub const PICTURE: &str = "picture";

/// What a host read of a file for a pack.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct Packed {
    /// Its number.
    pub file: u32,
    /// Size in bytes.
    #[cfg_attr(feature = "typescript", ts(type = "number"))]
    pub size: u64,
    /// SHA-256, hex.
    pub sha256: String,
    /// Of a thumbnail that was made: its size in bytes.
    #[cfg_attr(feature = "typescript", ts(type = "number | null"))]
    pub thumbnail_size: Option<u64>,
    /// Its SHA-256, hex.
    pub thumbnail_sha256: Option<String>,
}

/// A text that a pack adds to the files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct PackText {
    /// Path in the pack.
    pub path: String,
    /// What it says.
    pub text: String,
}

/// An entry as a container has it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct FoundEntry {
    /// Path.
    pub path: String,
    /// Size in bytes.
    #[cfg_attr(feature = "typescript", ts(type = "number"))]
    pub size: u64,
    /// SHA-256 of its bytes, hex.
    pub sha256: String,
    /// Width and height of what is listed as a thumbnail, as its header says; `None` for a file that is no picture, and for
    /// every other entry.
    #[serde(default)]
    pub pixels: Option<[u32; 2]>,
}

/// The texts of a pack and what else lies in it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct OpenedPack {
    /// `manifest.json`.
    pub manifest: String,
    /// `report.json`; empty if it is not there.
    pub report: String,
    /// `requests.jsonl`.
    pub requests: String,
    /// `verdicts.jsonl`.
    pub verdicts: String,
    /// `manifest.json.minisig`, if it is there.
    #[serde(default)]
    pub signature: Option<String>,
    /// Every entry but the manifest and its signature, hashed, by the names that the manifest has.
    pub entries: Vec<FoundEntry>,
    /// How many names are written in other Unicode characters; see [`Manifest::settle`].
    #[serde(default)]
    pub renamed: u32,
    /// What the ZIP holds besides its files.
    #[serde(default)]
    pub outside: Vec<Finding>,
}

/// One request, with pictures by content.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RequestRow {
    /// Model.
    pub model: String,
    /// Sample id.
    pub sample: String,
    /// Turn, from 0.
    pub turn: u32,
    /// Kind of request.
    pub criterion: String,
    /// Its hash; `None` where it cannot be made.
    pub sha256: Option<String>,
    /// SHA-256 of the prompt pack.
    pub prompts: String,
    /// System message.
    pub system: Option<String>,
    /// What the judge is shown, in order.
    pub parts: Vec<PartRow>,
    /// What the reply is to look like.
    pub grammar: String,
    /// Why it cannot be made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// One part of a request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum PartRow {
    /// Text.
    Text {
        /// Verbatim.
        text: String,
    },
    /// A picture.
    Image {
        /// Path of the file.
        path: String,
        /// What it is to the judge.
        role: String,
        /// What is done to it before it is sent.
        treatment: String,
        /// SHA-256 of the file; `None` if there is none.
        sha256: Option<String>,
        /// SHA-256 of the second file that the treatment needs.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        other: Option<String>,
    },
}

/// One reply and how it reads.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct VerdictRow {
    /// Model.
    pub model: String,
    /// Sample id.
    pub sample: String,
    /// Turn, from 0.
    pub turn: u32,
    /// Kind of request.
    pub criterion: String,
    /// Judge id.
    pub judge: String,
    /// Run, from 1.
    pub run: u32,
    /// `ok`, the kind of the incident, or [`STALE`].
    pub status: String,
    /// Score on the judge's scale.
    pub score: Option<f64>,
    /// The sub-scores by name, where a reply gives several.
    #[serde(default, skip_serializing_if = "std::collections::BTreeMap::is_empty")]
    pub parts: std::collections::BTreeMap<String, f64>,
    /// Whether it enters the scores.
    pub counted: bool,
    /// SHA-256 of the raw reply; `None` if the call failed.
    pub reply: Option<String>,
    /// Where it stands.
    pub source: String,
}

/// Status of a reply to an earlier request.
pub const STALE: &str = "stale";

/// Rows as JSON Lines.
pub fn lines<T: Serialize>(rows: &[T]) -> String {
    rows.iter()
        .map(|row| serde_json::to_string(row).unwrap_or_default() + "\n")
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_manifest_of_any_version_is_told_from_another_file_of_its_name() {
        for text in [
            "{\"format\":\"juror-pack/1\"}",
            " \n{ \"format\" : \"juror-pack/99\", ",
            "\u{feff}{\"format\": \"juror-pack/1\"",
        ] {
            assert!(is_manifest(text), "{text}");
        }
        for text in [
            "",
            "{}",
            "[{\"format\": \"juror-pack/1\"}]",
            "{\"name\": \"x\", \"format\": \"juror-pack/1\"}",
            "{\"format\": \"juror-report/1\"}",
        ] {
            assert!(!is_manifest(text), "{text}");
        }
    }
}
