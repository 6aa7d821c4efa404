//! `juror-make.json`, the shape `juror-make/1`: seed, settings, what was found or drawn, replies, decisions.
//!
//! Replies and decisions are only ever added; what a project comes to is always worked out from them.

use std::collections::BTreeSet;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::{Error, Progress, PromptPart, Request, Wanted, ordered};

/// The format's name and version.
pub const FORMAT: &str = "juror-make/1";
/// What the project file is called in its folder.
pub const NAME: &str = juror_model::tree::MAKE_PROJECT;

/// What a project makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// Samples with typed references, as MultiRef-Bench has them.
    Refblend,
    /// Cases of MICON-Bench.
    Micon,
    /// Requests that people posted, as MultiRef-Bench has them.
    Realworld,
    /// WEAVE's dialogues without edits that changed nothing.
    WeaveEdits,
    /// WEAVE's dialogues, some with one text turn more.
    WeaveTurns,
    /// WEAVE's dialogues from nothing.
    WeaveDialogues,
}

/// A reply to a request, or why there is none.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reply {
    /// SHA-256 of the request.
    pub request: String,
    /// Who answered: a model's name, or a person's.
    #[serde(default)]
    pub by: String,
    /// When, ISO 8601 in UTC.
    #[serde(default)]
    pub time: String,
    /// The raw text; empty where a picture was wanted.
    #[serde(default)]
    pub text: String,
    /// SHA-256 of the picture that was put where the request says; empty where a text was wanted.
    #[serde(default)]
    pub picture: String,
    /// Why the call failed; such a call stays due.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// What a person says of something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS),
    ts(export, rename = "MakeVerdict")
)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// It is in, whatever a model says of it.
    Accept,
    /// It is out.
    Reject,
}

/// A person's decision; of several about one thing the last counts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS),
    ts(export, rename = "MakeDecision")
)]
pub struct Decision {
    /// What it is about: `ORIGINAL/TYPE` of a reference, `TASK/CASE` or `TASK/CASE/RA` of a case.
    pub thing: String,
    /// In or out.
    pub verdict: Verdict,
    /// Why.
    #[serde(default)]
    pub reason: String,
    /// Who decided.
    pub by: String,
    /// When, ISO 8601 in UTC.
    pub time: String,
}

/// A file that a project comes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutFile {
    /// From the project file on.
    pub path: String,
    /// All of it.
    pub text: String,
}

/// A project of one kind: `S` are its settings, `T` is what was found or drawn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Project<S, T> {
    /// [`FORMAT`].
    pub format: String,
    /// What is made.
    pub kind: Kind,
    /// Decides every random choice.
    pub seed: u64,
    /// What was chosen when it began.
    pub settings: S,
    /// What was found or drawn, in order.
    pub things: Vec<T>,
    /// What came back, in the order in which it came.
    #[serde(default)]
    pub replies: Vec<Reply>,
    /// What people decided, in that order.
    #[serde(default)]
    pub decisions: Vec<Decision>,
}

impl<S, T> Project<S, T> {
    /// A project that begins.
    pub fn new(kind: Kind, seed: u64, settings: S, things: Vec<T>) -> Self {
        Self {
            format: FORMAT.to_owned(),
            kind,
            seed,
            settings,
            things,
            replies: Vec::new(),
            decisions: Vec::new(),
        }
    }

    /// The last answer to a request; failed calls are none.
    pub(crate) fn reply(&self, request: &Request) -> Option<&Reply> {
        let sha256 = request.sha256();
        let mut replies = self.replies.iter().rev();
        replies.find(|reply| reply.request == sha256 && reply.error.is_none())
    }

    /// The picture that came back for a request.
    pub(crate) fn picture_of(&self, request: &Request) -> Option<PromptPart> {
        let Wanted::Picture { path } = &request.wanted else {
            return None;
        };
        let reply = self.reply(request)?;
        Some(PromptPart::Picture {
            path: path.clone(),
            sha256: reply.picture.clone(),
        })
    }

    /// The decision about a thing that counts.
    pub(crate) fn decision(&self, thing: &str) -> Option<&Decision> {
        let mut decisions = self.decisions.iter().rev();
        decisions.find(|decision| decision.thing == thing)
    }

    /// The text of the first try whose reply can be read, by number of the try; what is due otherwise.
    ///
    /// `request` makes the request of a try, from 1; `read` gives what a text comes to, or why it comes to nothing.
    pub(crate) fn tried<R>(
        &self,
        max_tries: u32,
        request: impl Fn(u32) -> Request,
        read: impl Fn(&str) -> Result<R, Error>,
    ) -> Answer<R> {
        let mut why = String::new();
        for attempt in 1..=max_tries {
            let request = request(attempt);
            let Some(reply) = self.reply(&request) else {
                return Answer::Due(Box::new(Request {
                    lacked: why,
                    ..request
                }));
            };
            match read(&reply.text) {
                Ok(found) => return Answer::Read(found),
                Err(told) => why = told.to_string(),
            }
        }
        Answer::Unreadable(why)
    }
}

impl<S: Serialize + DeserializeOwned, T: Serialize + DeserializeOwned> Project<S, T> {
    /// Reads a project file.
    ///
    /// # Errors
    /// It is not JSON, of another version or kind, or lacks something; with the place.
    pub fn read(text: &str, kind: Kind) -> Result<Self, Error> {
        let project: Self = serde_json::from_str(text).map_err(|error| {
            Error::Project(format!(
                "{NAME} cannot be read: {error}. Restore it from a copy, or begin in another folder."
            ))
        })?;
        if project.format != FORMAT || project.kind != kind {
            return Err(Error::Project(format!(
                "Expected a project of the format {FORMAT} that makes {kind:?}, found {} that makes {:?}; use the command that began it.",
                project.format, project.kind
            )));
        }
        Ok(project)
    }

    /// The project file.
    pub fn write(&self) -> String {
        ordered::pretty(self)
    }
}

/// What tries of a request come to.
pub enum Answer<R> {
    /// The first that can be read.
    Read(R),
    /// The call that is due next.
    Due(Box<Request>),
    /// No try is left; why the last one cannot be read.
    Unreadable(String),
}

/// What every kind of project answers.
pub trait Making {
    /// Calls that are due, in order.
    fn due(&self) -> Vec<Request>;
    /// How far it is.
    fn progress(&self) -> Progress;
    /// Everything that people may decide about.
    fn things(&self) -> Vec<String>;
    /// What somebody looks at who decides about a thing: texts, and pictures that are there; nothing where there is nothing yet.
    fn look(&self, thing: &str) -> Vec<PromptPart>;
    /// The decision about a thing that counts.
    fn decided(&self, thing: &str) -> Option<&Decision>;
    /// The benchmark's files as they are now, without pictures.
    ///
    /// # Errors
    /// A setting asks for something that was not given.
    fn files(&self) -> Result<Vec<OutFile>, Error>;
    /// Paths that files of the benchmark may have: what lies there and is not among [`Self::files`] is out.
    fn places(&self) -> Vec<String>;
    /// Adds a reply.
    fn add_reply(&mut self, reply: Reply);
    /// Adds a decision.
    fn add_decision(&mut self, decision: Decision);
    /// The project file.
    fn text(&self) -> String;

    /// Adds people's decisions.
    ///
    /// # Errors
    /// One is about something that the project does not have; none is added then.
    fn decide(&mut self, decisions: Vec<Decision>) -> Result<(), Error> {
        let things = self.things();
        let known: BTreeSet<&str> = things.iter().map(String::as_str).collect();
        let is_unknown = |one: &&Decision| !known.contains(one.thing.as_str());
        if let Some(unknown) = decisions.iter().find(is_unknown) {
            let first: Vec<&str> = things.iter().take(3).map(String::as_str).collect();
            return Err(Error::Decision(format!(
                "The project has no {}; expected names such as {}.",
                unknown.thing,
                first.join(", ")
            )));
        }
        for decision in decisions {
            self.add_decision(decision);
        }
        Ok(())
    }
}

/// Which kind of project a file holds.
///
/// # Errors
/// It is none.
pub fn kind_of(text: &str) -> Result<Kind, Error> {
    #[derive(Deserialize)]
    struct Head {
        format: String,
        kind: Kind,
    }
    match serde_json::from_str::<Head>(text) {
        Ok(head) if head.format == FORMAT => Ok(head.kind),
        Ok(head) => Err(Error::Project(format!(
            "Expected a project of the format {FORMAT}, found {}; use the version of Juror that wrote it.",
            head.format
        ))),
        Err(error) => Err(Error::Project(format!(
            "This is no project file ({error}); expected a {NAME} that juror make wrote."
        ))),
    }
}

/// Reads people's decisions: CSV with the columns `thing`, `verdict` (`accept` or `reject`) and, if wanted, `reason` and `by`.
///
/// `by` names who decided where a line does not; `time` is when.
///
/// # Errors
/// A column lacks, a verdict is neither, or nobody is named; with the line.
///
/// # Example
/// ```
/// use juror_make::{Verdict, decisions};
/// let found = decisions("thing,verdict,reason\ncat/canny,reject,noise\n", "Ada", "2026-01-01T00:00:00Z")?;
/// assert_eq!((found[0].verdict, found[0].by.as_str()), (Verdict::Reject, "Ada"));
/// assert!(decisions("thing,verdict\ncat,maybe\n", "Ada", "").is_err());
/// # Ok::<(), juror_make::Error>(())
/// ```
pub fn decisions(text: &str, by: &str, time: &str) -> Result<Vec<Decision>, Error> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let bad =
        |line: usize, told: &str| Error::Decision(format!("Line {line} of the decisions: {told}"));
    let mut reader = csv::ReaderBuilder::new()
        .flexible(true)
        .from_reader(text.as_bytes());
    let headers = reader
        .headers()
        .map_err(|error| bad(1, &error.to_string()))?
        .clone();
    let at = |name: &str| headers.iter().position(|header| header.trim() == name);
    let (Some(thing), Some(verdict)) = (at("thing"), at("verdict")) else {
        return Err(bad(1, "expected the columns thing and verdict."));
    };
    let mut found = Vec::new();
    for (line, row) in (2..).zip(reader.records()) {
        let row = row.map_err(|error| bad(line, &error.to_string()))?;
        let cell = |at: Option<usize>| at.and_then(|at| row.get(at)).unwrap_or_default().trim();
        let verdict = match cell(Some(verdict)) {
            "accept" => Verdict::Accept,
            "reject" => Verdict::Reject,
            // A line that nobody filled in yet.
            "" => continue,
            other => {
                return Err(bad(
                    line,
                    &format!("expected accept or reject, found {other}."),
                ));
            }
        };
        let by = match cell(at("by")) {
            "" => by,
            named => named,
        };
        if by.is_empty() {
            return Err(bad(
                line,
                "nobody is named; fill the column by, or name who decided.",
            ));
        }
        found.push(Decision {
            thing: cell(Some(thing)).to_owned(),
            verdict,
            reason: cell(at("reason")).to_owned(),
            by: by.to_owned(),
            time: time.to_owned(),
        });
    }
    Ok(found)
}
