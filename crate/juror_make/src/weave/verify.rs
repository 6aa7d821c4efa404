//! WEAVE's post-verification: edits that changed hardly anything are made again, then judged, then dropped with their turn.
//!
//! Source: the WEAVE paper, section 3, which says "abnormally high" of the similarity; the numbers are choices of Juror.

use std::collections::{BTreeMap, BTreeSet};

use juror_reading::py::Value;
use juror_statistics::alike::{Bar, NO_FLOOR};
use serde::{Deserialize, Serialize};

use super::{LIST, dialogue, items, mentions, renumbered, sound_items};
use crate::ordered::{Json, pretty};
pub use crate::picture::Picture;
use crate::picture::ending;
use crate::progress::due_of;
use crate::reply::object;
use crate::{
    Answer, Decision, Error, Kind, Making, OutFile, Progress, ProgressRow, PromptPart, Reply,
    Request, Verdict, Wanted,
};

/// Without a network, pictures with at least this MS-SSIM may be the same.
pub const MS_SSIM: f64 = 0.98;
/// And if their perceptual hashes differ in at most this many of 64 bits.
pub const HASH_BITS: u32 = 6;
/// A dialogue that loses a turn keeps at least so many that make a picture.
pub const MIN_TURNS: usize = 2;
/// Tries of one verdict.
const MAX_TRIES: u32 = 3;
/// What became of each edit.
const REPORT: &str = "verify.json";

/// What is fixed when such a project begins.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Settings {
    /// The list of dialogues as it was given.
    pub list: String,
    /// Which network gives cosines; empty where pixels are compared.
    pub network: String,
}

/// How alike two pictures are.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Likeness {
    /// The cosine of a network's features.
    Cosine(f64),
    /// What pixels say.
    Pixels {
        /// MS-SSIM.
        ms_ssim: f64,
        /// In how many of 64 bits the perceptual hashes differ.
        bits: u32,
    },
}

/// A turn that edits one picture.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Edit {
    /// Its dialogue, from 1.
    pub item: usize,
    /// Its turn, from 1.
    pub turn: usize,
    /// The dialogue's domain: percentiles are of one.
    pub domain: String,
    /// What is asked for.
    pub instruction: String,
    /// The picture that is edited.
    pub source: Picture,
    /// The picture that the edit made.
    pub target: Picture,
    /// How alike they are; absent until it was measured.
    #[serde(default)]
    pub likeness: Option<Likeness>,
    /// SHA-256 of the picture that was made again, and how alike the source it is.
    #[serde(default)]
    pub again: Option<(String, Likeness)>,
}

/// A turn that edits one picture, before its pictures are read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// See [`Edit::item`].
    pub item: usize,
    /// See [`Edit::turn`].
    pub turn: usize,
    /// See [`Edit::domain`].
    pub domain: String,
    /// See [`Edit::instruction`].
    pub instruction: String,
    /// Path of the picture that is edited.
    pub source: String,
    /// Path of the picture that the edit made.
    pub target: String,
}

/// A project that verifies edits.
pub type Project = crate::Project<Settings, Edit>;

/// The edits of a list: picture turns whose instruction names exactly one picture.
///
/// # Errors
/// A dialogue has a fault that [`super::lint`] names, or a picture's path leaves its folder.
///
/// # Example
/// ```
/// use juror_make::weave::verify::found;
/// let list = r##"[{"domain": "edit", "images": ["a.jpg", "b.jpg", "c.jpg"], "chats": [
///     {"role": "user", "type": "text", "content": "Image #1 Add a hat."},
///     {"role": "assistant", "type": "image", "content": "Image #2", "key_point": {"Text": "A hat."}},
///     {"role": "user", "type": "text", "content": "Put Image #1 beside Image #2."},
///     {"role": "assistant", "type": "image", "content": "Image #3", "key_point": {"Text": "Two."}}]}]"##;
/// let edits = found(list)?;
/// assert_eq!(edits.len(), 1);
/// assert_eq!((edits[0].source.as_str(), edits[0].target.as_str()), ("a.jpg", "b.jpg"));
/// # Ok::<(), juror_make::Error>(())
/// ```
pub fn found(list: &str) -> Result<Vec<Found>, Error> {
    let mut edits = Vec::new();
    for (item, value) in (1..).zip(&sound_items(list)?) {
        let Some(dialogue) = dialogue(value) else {
            continue;
        };
        let domain = value.get("domain").and_then(Value::as_str);
        for (turn, pair) in (1..).zip(dialogue.messages.chunks_exact(2)) {
            let [user, answer] = pair else { continue };
            let named: BTreeSet<usize> = mentions(user.content).into_iter().collect();
            let made = mentions(answer.content).first().copied();
            let (true, Some(made), [source]) = (answer.is_image, made, &*Vec::from_iter(named))
            else {
                continue;
            };
            edits.push(Found {
                item,
                turn,
                domain: domain.unwrap_or_default().to_owned(),
                instruction: user.content.to_owned(),
                source: dialogue.images[source - 1].to_owned(),
                target: dialogue.images[made - 1].to_owned(),
            });
        }
    }
    Ok(edits)
}

/// A project that begins.
pub fn begin(list: &str, network: &str, edits: Vec<Edit>) -> Project {
    let settings = Settings {
        list: list.to_owned(),
        network: network.to_owned(),
    };
    // Nothing is drawn.
    Project::new(Kind::WeaveEdits, 0, settings, edits)
}

/// Two pictures that are to be compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pair {
    at: usize,
    /// SHA-256 of the picture that was made again; empty of the first one.
    again: String,
    /// Path of the picture that is edited.
    pub source: String,
    /// Path of the picture that the edit made.
    pub made: String,
}

/// How far an edit is.
enum Stage {
    /// Its pictures are to be compared.
    Unmeasured,
    /// It changed something.
    Changed,
    /// It is to be made again.
    Redo(Box<Request>),
    /// Made again, it changed something.
    ChangedAgain,
    /// A judge is to say whether it changed something.
    Judge(Box<Request>),
    /// The judge, or a person, says so.
    Kept,
    /// It did not, and its turn is out.
    Unchanged,
    /// The judge says nothing that can be read: a person decides.
    Undecided,
}

/// What a dialogue comes to.
enum Outcome {
    Waiting,
    Left(Json),
    Dropped(&'static str),
}

impl Edit {
    fn thing(&self) -> String {
        format!("{}/{}", self.item, self.turn)
    }

    /// Where the picture is put that is made again.
    fn path_again(&self) -> String {
        let path = &self.target.path;
        let stem = path
            .rsplit_once('.')
            .map_or(path.as_str(), |(stem, _)| stem);
        format!("{stem}_again.{}", ending(path))
    }

    fn request(&self, kind: &str, attempt: u32, text: &str, more: &[PromptPart]) -> Request {
        let mut parts = vec![PromptPart::text(text), self.source.part()];
        parts.extend_from_slice(more);
        Request {
            kind: kind.to_owned(),
            thing: self.thing(),
            attempt,
            system: None,
            parts,
            wanted: Wanted::Text,
            lacked: String::new(),
        }
    }

    fn redo(&self) -> Request {
        let text = format!(
            "Edit this picture so that the change can be seen clearly; a first try changed hardly anything. Leave everything else as it is.\n\n{}",
            self.instruction
        );
        Request {
            wanted: Wanted::Picture {
                path: self.path_again(),
            },
            ..self.request("redo", 1, &text, &[])
        }
    }

    fn judge(&self, attempt: u32, made: PromptPart) -> Request {
        let text = format!(
            "The second picture is an edit of the first one. Is what was asked for visible in it?\n\nAsked for: {}\n\nAnswer with one JSON object only: {{\"verdict\": \"changed\" or \"unchanged\"}}",
            self.instruction
        );
        self.request("verdict", attempt, &text, &[made])
    }
}

/// Whether a judge's reply says that nothing changed.
///
/// # Errors
/// It has no JSON object with the verdict `changed` or `unchanged`.
pub fn read_verdict(reply: &str) -> Result<bool, Error> {
    match object(reply)?.get("verdict").and_then(Value::as_str) {
        Some("unchanged") => Ok(true),
        Some("changed") => Ok(false),
        _ => Err(Error::reply(
            "Expected “verdict” as “changed” or “unchanged”.",
        )),
    }
}

impl Project {
    /// The pictures that are to be compared next.
    pub fn pairs(&self) -> Vec<Pair> {
        let edits = self.things.iter().enumerate();
        let pairs = edits.filter_map(|(at, edit)| {
            let pair = |made: &str, again: &str| {
                Some(Pair {
                    at,
                    again: again.to_owned(),
                    source: edit.source.path.clone(),
                    made: made.to_owned(),
                })
            };
            if edit.likeness.is_none() {
                return pair(&edit.target.path, "");
            }
            let made = &self.reply(&edit.redo())?.picture;
            let known = edit.again.as_ref().map(|(sha256, _)| sha256);
            (known != Some(made)).then(|| pair(&edit.path_again(), made))?
        });
        pairs.collect()
    }

    /// Takes in how alike two pictures are.
    pub fn measured(&mut self, pair: &Pair, likeness: Likeness) {
        let Some(edit) = self.things.get_mut(pair.at) else {
            return;
        };
        if pair.again.is_empty() {
            edit.likeness = Some(likeness);
        } else {
            edit.again = Some((pair.again.clone(), likeness));
        }
    }

    /// The bar of each domain: of its first edits, as those that were made again are few.
    fn bars(&self) -> BTreeMap<&str, Bar> {
        let mut cosines: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
        for edit in &self.things {
            let own = cosines.entry(&edit.domain).or_default();
            if let Some(Likeness::Cosine(cosine)) = edit.likeness {
                own.push(cosine);
            }
        }
        let bars = cosines.into_iter();
        bars.map(|(domain, cosines)| (domain, Bar::of(&cosines, NO_FLOOR)))
            .collect()
    }

    /// How far each edit is, in order.
    fn stages(&self) -> Vec<Stage> {
        let bars = self.bars();
        let is_suspect = |edit: &Edit, likeness: Likeness| match likeness {
            Likeness::Cosine(cosine) => bars
                .get(edit.domain.as_str())
                .is_some_and(|bar| bar.is_passed(cosine)),
            Likeness::Pixels { ms_ssim, bits } => ms_ssim >= MS_SSIM && bits <= HASH_BITS,
        };
        let edits = self.things.iter();
        edits.map(|edit| self.stage(edit, is_suspect)).collect()
    }

    fn stage(&self, edit: &Edit, is_suspect: impl Fn(&Edit, Likeness) -> bool) -> Stage {
        match self.decision(&edit.thing()).map(|one| one.verdict) {
            Some(Verdict::Accept) => return Stage::Kept,
            Some(Verdict::Reject) => return Stage::Unchanged,
            None => {}
        }
        let Some(first) = edit.likeness else {
            return Stage::Unmeasured;
        };
        if !is_suspect(edit, first) {
            return Stage::Changed;
        }
        let redo = edit.redo();
        let Some(made) = self.picture_of(&redo) else {
            return Stage::Redo(Box::new(redo));
        };
        let sha256 = self.reply(&redo).map(|reply| &reply.picture);
        let again = edit.again.as_ref();
        let Some((_, again)) = again.filter(|(known, _)| Some(known) == sha256) else {
            return Stage::Unmeasured;
        };
        if !is_suspect(edit, *again) {
            return Stage::ChangedAgain;
        }
        let request = |attempt| edit.judge(attempt, made.clone());
        match self.tried(MAX_TRIES, request, read_verdict) {
            Answer::Read(true) => Stage::Unchanged,
            Answer::Read(false) => Stage::Kept,
            Answer::Due(request) => Stage::Judge(request),
            Answer::Unreadable(_) => Stage::Undecided,
        }
    }

    /// What each dialogue comes to.
    fn outcomes(&self) -> Vec<Outcome> {
        let stages = self.stages();
        let items = items(&self.settings.list).unwrap_or_default();
        let outcomes = (1..).zip(&items).map(|(number, item)| {
            let edits = self.things.iter().zip(&stages);
            let own: Vec<_> = edits.filter(|(edit, _)| edit.item == number).collect();
            let is_settled = |stage: &Stage| {
                matches!(
                    stage,
                    Stage::Changed | Stage::ChangedAgain | Stage::Kept | Stage::Unchanged
                )
            };
            if !own.iter().all(|(_, stage)| is_settled(stage)) {
                return Outcome::Waiting;
            }
            let dropped = own.iter();
            let dropped = dropped.filter(|(_, stage)| matches!(stage, Stage::Unchanged));
            let dropped: BTreeSet<usize> = dropped.map(|(edit, _)| edit.turn).collect();
            let again = own
                .iter()
                .filter(|(edit, _)| self.reply(&edit.redo()).is_some());
            let again: BTreeMap<&str, String> = again
                .map(|(edit, _)| (edit.target.path.as_str(), edit.path_again()))
                .collect();
            without(item, &dropped, &again)
        });
        outcomes.collect()
    }

    /// What became of each edit and dialogue, as JSON.
    fn report(&self, outcomes: &[Outcome]) -> String {
        let edits = self.things.iter().zip(self.stages());
        let edits: Vec<serde_json::Value> = edits
            .map(|(edit, stage)| {
                serde_json::json!({
                    "item": edit.item, "turn": edit.turn, "likeness": edit.likeness,
                    "again": edit.again.as_ref().map(|(_, likeness)| likeness), "stage": words(&stage),
                })
            })
            .collect();
        let dropped: Vec<serde_json::Value> = (1..)
            .zip(outcomes)
            .filter_map(|(item, outcome): (usize, _)| match outcome {
                Outcome::Dropped(reason) => {
                    Some(serde_json::json!({"item": item, "reason": reason}))
                }
                _ => None,
            })
            .collect();
        let network = &self.settings.network;
        pretty(&serde_json::json!({"network": network, "edits": edits, "dropped": dropped}))
    }
}

/// A stage in words.
fn words(stage: &Stage) -> &'static str {
    match stage {
        Stage::Unmeasured => "to be compared",
        Stage::Changed => "changed",
        Stage::Redo(_) => "to be made again",
        Stage::ChangedAgain => "changed when made again",
        Stage::Judge(_) => "to be judged",
        Stage::Kept => "kept by verdict",
        Stage::Unchanged => "unchanged",
        Stage::Undecided => "verdict cannot be read",
    }
}

/// A dialogue without some of its turns and their pictures, and with the pictures that were made again.
fn without(item: &Value, dropped: &BTreeSet<usize>, again: &BTreeMap<&str, String>) -> Outcome {
    let Some(dialogue) = dialogue(item) else {
        return Outcome::Dropped("not a dialogue");
    };
    let pairs = || (1..).zip(dialogue.messages.chunks_exact(2));
    let removed: BTreeSet<usize> = pairs()
        .filter(|(turn, _)| dropped.contains(turn))
        .filter_map(|(_, pair)| mentions(pair.last()?.content).first().copied())
        .collect();
    let rest = || pairs().filter(|(turn, _)| !dropped.contains(turn));
    let is_needed = rest().flat_map(|(_, pair)| pair).any(|message| {
        let points = message.key_points.into_iter().flatten();
        let keys = points.filter_map(|(key, _)| key.split_once('#')?.1.parse().ok());
        let mut named = mentions(message.content).into_iter().chain(keys);
        named.any(|k| removed.contains(&k))
    });
    let left = rest().filter(|(_, pair)| pair.last().is_some_and(|answer| answer.is_image));
    match left.count() {
        _ if is_needed => return Outcome::Dropped("the rest needs a dropped picture"),
        0..MIN_TURNS if !dropped.is_empty() => {
            return Outcome::Dropped("fewer than 2 picture turns are left");
        }
        _ => {}
    }
    let number = |k: usize| k - removed.range(..k).count();
    let Value::Dict(members) = item else {
        return Outcome::Dropped("not a dialogue");
    };
    let members = members.iter().map(|(key, value)| {
        let value = match (key.as_str(), value) {
            ("images", _) => {
                let images = (1..).zip(&dialogue.images);
                let images = images.filter(|(k, _)| !removed.contains(k));
                Json::texts(images.map(|(_, path)| again.get(path).map_or(*path, String::as_str)))
            }
            ("chats", Value::List(chats)) => {
                let chats = (1..).zip(chats.chunks_exact(2));
                let chats = chats.filter(|(turn, _)| !dropped.contains(turn));
                Json::List(
                    chats
                        .flat_map(|(_, pair)| pair)
                        .map(|chat| numbered(chat, &number))
                        .collect(),
                )
            }
            (_, value) => Json::from(value),
        };
        (key.clone(), value)
    });
    Outcome::Left(Json::Object(members.collect()))
}

/// A message with other numbers of pictures, in its text and in the keys of its requirements.
fn numbered(chat: &Value, number: &impl Fn(usize) -> usize) -> Json {
    let renumber = |text: &str| renumbered(text, "Image #", |k| Some(number(k)));
    let Value::Dict(members) = chat else {
        return Json::from(chat);
    };
    let members = members.iter().map(|(key, value)| {
        let value = match (key.as_str(), value) {
            ("content", Value::Str(text)) => Json::Text(renumber(text)),
            ("key_point", Value::Dict(points)) => {
                let points = points.iter().map(|(key, value)| {
                    let key = renumbered(&renumber(key), "GT #", |k| Some(number(k)));
                    (key, Json::from(value))
                });
                Json::Object(points.collect())
            }
            (_, value) => Json::from(value),
        };
        (key.clone(), value)
    });
    Json::Object(members.collect())
}

impl Making for Project {
    fn due(&self) -> Vec<Request> {
        let stages = self.stages().into_iter();
        let due = stages.filter_map(|stage| match stage {
            Stage::Redo(request) | Stage::Judge(request) => Some(*request),
            _ => None,
        });
        due.collect()
    }

    fn progress(&self) -> Progress {
        let (stages, outcomes) = (self.stages(), self.outcomes());
        let mut rows: Vec<ProgressRow> = Vec::new();
        let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
        for (edit, stage) in self.things.iter().zip(&stages) {
            *counts.entry(words(stage)).or_default() += 1;
            let at = rows.iter().position(|row| row.group == edit.domain);
            let at = at.unwrap_or_else(|| {
                rows.push(ProgressRow::of(&edit.domain));
                rows.len() - 1
            });
            let row = &mut rows[at];
            row.drawn += 1;
            row.made += u32::from(edit.likeness.is_some());
            row.passed += u32::from(matches!(stage, Stage::Changed | Stage::ChangedAgain));
            match stage {
                Stage::Changed | Stage::ChangedAgain | Stage::Kept => row.accepted += 1,
                Stage::Unchanged => row.reject("unchanged"),
                _ => {}
            }
        }
        let mut remarks: Vec<String> = counts
            .iter()
            .map(|(stage, count)| format!("Edits {stage}: {count}."))
            .collect();
        let mut samples = 0;
        let mut reasons: BTreeMap<&str, u32> = BTreeMap::new();
        for outcome in &outcomes {
            match outcome {
                Outcome::Left(_) => samples += 1,
                Outcome::Dropped(reason) => *reasons.entry(reason).or_default() += 1,
                Outcome::Waiting => *reasons.entry("an edit is open").or_default() += 1,
            }
        }
        remarks.extend(
            reasons
                .iter()
                .map(|(reason, count)| format!("Dialogues out, as {reason}: {count}.")),
        );
        Progress {
            rows,
            due: due_of(&self.due()),
            remarks,
            samples,
        }
    }

    fn things(&self) -> Vec<String> {
        self.things.iter().map(Edit::thing).collect()
    }

    fn look(&self, thing: &str) -> Vec<PromptPart> {
        let Some(edit) = self.things.iter().find(|edit| edit.thing() == thing) else {
            return Vec::new();
        };
        let mut parts = vec![PromptPart::text(&edit.instruction)];
        parts.extend([edit.source.part(), edit.target.part()]);
        parts.extend(self.picture_of(&edit.redo()));
        parts
    }

    fn decided(&self, thing: &str) -> Option<&Decision> {
        self.decision(thing)
    }

    fn files(&self) -> Result<Vec<OutFile>, Error> {
        let outcomes = self.outcomes();
        let mut files = vec![OutFile {
            path: REPORT.to_owned(),
            text: self.report(&outcomes),
        }];
        let left = outcomes.iter().filter_map(|outcome| match outcome {
            Outcome::Left(item) => Some(item),
            _ => None,
        });
        let left: Vec<&Json> = left.collect();
        if !left.is_empty() {
            files.push(OutFile {
                path: LIST.to_owned(),
                text: pretty(&left),
            });
        }
        Ok(files)
    }

    fn places(&self) -> Vec<String> {
        [LIST, REPORT].map(str::to_owned).into()
    }

    fn add_reply(&mut self, reply: Reply) {
        self.replies.push(reply);
    }

    fn add_decision(&mut self, decision: Decision) {
        self.decisions.push(decision);
    }

    fn text(&self) -> String {
        self.write()
    }
}
