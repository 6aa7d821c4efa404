//! WEAVE's extension: at most one text turn more for each dialogue, written and checked by models, accepted by a person.
//!
//! Source: the WEAVE paper, section 3, which names the three kinds of question; requests and limits are choices of Juror.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use juror_reading::py::Value;
use serde::{Deserialize, Serialize};

use super::{Dialogue, LIST, dialogue, mentions, sound_items};
use crate::draws::{Draws, Numbers as _, place};
use crate::ordered::{Json, pretty};
pub use crate::picture::Picture;
use crate::progress::due_of;
use crate::reply::object;
use crate::{
    Answer, Decision, Error, Kind, Making, OutFile, Progress, ProgressRow, PromptPart, Reply,
    Request, Verdict, Wanted,
};

/// Drafts of one turn; a dialogue stays as it is after them.
pub const MAX_DRAFTS: u32 = 3;
/// Tries of one check.
const MAX_TRIES: u32 = 3;
/// Words of an answer, at most.
pub const MAX_WORDS: usize = 120;
/// Words of a caption, at least.
pub const MIN_CAPTION: usize = 8;
/// What became of each turn.
const REPORT: &str = "extend.json";

/// What a question asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Question {
    /// A description of a picture.
    Caption,
    /// How many things there are, or how they relate to each other.
    Count,
    /// A fact about things in a picture that the picture does not show.
    Knowledge,
}

impl Question {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Caption, Self::Count, Self::Knowledge];

    /// As settings and reports have it.
    pub fn id(self) -> &'static str {
        match self {
            Self::Caption => "caption",
            Self::Count => "count",
            Self::Knowledge => "knowledge",
        }
    }

    /// The rule that the request states.
    fn rule(self) -> &'static str {
        match self {
            Self::Caption => {
                "The question asks for a description of one picture. The answer describes what is visible in it, in one to three sentences."
            }
            Self::Count => {
                "The question asks how many of some thing are visible, or how two things relate: by place, by size, or between two pictures. The answer is one sentence."
            }
            Self::Knowledge => {
                "The question asks for a fact about something in a picture that is known in general but cannot be seen there, such as its use, origin or cause. The answer is one to three sentences."
            }
        }
    }
}

impl std::str::FromStr for Question {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let mut all = Self::ALL.into_iter();
        all.find(|kind| kind.id() == text).ok_or_else(|| {
            Error::Setting(format!(
                "Expected caption, count or knowledge, found {text}."
            ))
        })
    }
}

/// What is fixed when such a project begins.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// The lists of dialogues as they were given, in order.
    pub lists: Vec<String>,
    /// Which kinds of question are drawn from; all of them where it is empty.
    pub kinds: BTreeSet<Question>,
    /// Which share of the dialogues without a text turn gets one: above 0, at most 1.
    pub share: f64,
}

/// A dialogue that is to get a text turn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Turn {
    /// Its dialogue, from 1 over all lists.
    pub item: usize,
    /// What is asked for.
    pub question: Question,
    /// The dialogue's pictures, in order.
    pub pictures: Vec<Picture>,
}

/// A project that extends dialogues.
pub type Project = crate::Project<Settings, Turn>;

/// A question with its answer, as a model wrote them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Draft {
    /// What the user asks.
    pub question: String,
    /// What the assistant answers.
    pub answer: String,
    /// What every right answer says.
    pub requirement: String,
}

/// How far a turn is.
enum Stage {
    /// A draft is to be written.
    Ask(Box<Request>),
    /// A draft is to be checked.
    Check(Box<Request>),
    /// A draft waits for a person; the check passed it, or cannot be read.
    Review(Checked),
    /// A person accepted a draft.
    In(u32, Draft),
    /// No draft is in, and why the last one is not.
    Out(String),
}

/// What a check of a draft came to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Checked {
    Passed,
    Unreadable,
}

impl Settings {
    /// All dialogues, in order.
    ///
    /// # Errors
    /// A list has a fault, or two dialogues have the same `idx`.
    fn items(&self) -> Result<Vec<Value>, Error> {
        let mut all: Vec<Value> = Vec::new();
        for (list, text) in (1..).zip(&self.lists) {
            let items = sound_items(text).map_err(|error| match self.lists.len() {
                1 => error,
                _ => Error::List(format!("List {list}: {error}")),
            })?;
            all.extend(items);
        }
        let mut known: BTreeMap<String, usize> = BTreeMap::new();
        for (number, item) in (1..).zip(&all) {
            let Some(idx) = item.get("idx") else { continue };
            if let Some(first) = known.insert(pretty(&Json::from(idx)), number) {
                return Err(Error::List(format!(
                    "item {number}: its idx is that of item {first}; give each dialogue an idx of its own."
                )));
            }
        }
        Ok(all)
    }
}

/// The dialogues that get a turn, with what it asks for, drawn from the seed; `picture` gives a picture by its path.
///
/// A dialogue that has a text turn gets no other one.
///
/// # Errors
/// A list has a fault, the share is none, or every dialogue has a text turn.
///
/// # Example
/// ```
/// use juror_make::weave::turns::{Picture, Question, Settings, begin};
/// let list = r##"[{"idx": 1, "images": ["a.jpg", "b.jpg"], "chats": [
///     {"role": "user", "type": "text", "content": "Image #1 Add a hat."},
///     {"role": "assistant", "type": "image", "content": "Image #2", "key_point": {"Text": "A hat."}}]}]"##;
/// let settings = Settings { lists: vec![list.to_owned()], kinds: [Question::Count].into(), share: 1.0 };
/// let project = begin(7, settings, |path| Picture { path: path.to_owned(), sha256: String::new() })?;
/// assert_eq!((project.things.len(), project.things[0].question), (1, Question::Count));
/// # Ok::<(), juror_make::Error>(())
/// ```
pub fn begin(
    seed: u64,
    settings: Settings,
    picture: impl Fn(&str) -> Picture,
) -> Result<Project, Error> {
    let share = settings.share;
    if !(share > 0.0 && share <= 1.0) {
        return Err(Error::Setting(format!(
            "Expected a share above 0 and at most 1, found {share}."
        )));
    }
    let kinds: Vec<Question> = match settings.kinds.iter().copied().collect::<Vec<_>>() {
        none if none.is_empty() => Question::ALL.to_vec(),
        kinds => kinds,
    };
    let items = settings.items()?;
    let mut free: Vec<usize> = (1..=items.len())
        .filter(|item| {
            dialogue(&items[item - 1]).is_some_and(|one| {
                let mut answers = one.messages.iter().skip(1).step_by(2);
                !one.images.is_empty() && answers.all(|answer| answer.is_image)
            })
        })
        .collect();
    if free.is_empty() {
        return Err(Error::List(
            "Every dialogue has a text turn or no picture, so none can be extended.".to_owned(),
        ));
    }
    free.sort_by_key(|item| place("juror-weave-turns/1", seed, &[&item.to_string()]));
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "not negative and at most a length"
    )]
    let wanted = (share * free.len() as f64).round() as usize;
    free.truncate(wanted.max(1));
    free.sort_unstable();
    let turns = free.into_iter().filter_map(|item| {
        let mut draws = Draws::new(seed, &["weave_turns", &item.to_string()]);
        Some(Turn {
            item,
            question: *draws.choose(&kinds)?,
            pictures: dialogue(&items[item - 1])?
                .images
                .into_iter()
                .map(&picture)
                .collect(),
        })
    });
    let turns = turns.collect();
    Ok(Project::new(Kind::WeaveTurns, seed, settings, turns))
}

/// A reply as a draft of a turn over so many pictures.
///
/// # Errors
/// It has no JSON object of three texts, names no picture in its question or one that is not there, has a marker
/// `<image>`, or is too long or, as a caption, too short.
pub fn read_draft(reply: &str, kind: Question, num_images: usize) -> Result<Draft, Error> {
    let object = object(reply)?;
    let text = |key: &str| {
        let text = object.get(key).and_then(Value::as_str).unwrap_or_default();
        match text.trim() {
            "" => Err(Error::reply(format!("Expected “{key}” as a text."))),
            text if text.contains("<image>") => Err(Error::reply(format!(
                "“{key}” has the marker <image>; name pictures as Image #k."
            ))),
            text => Ok(text.to_owned()),
        }
    };
    let draft = Draft {
        question: text("question")?,
        answer: text("answer")?,
        requirement: text("requirement")?,
    };
    if mentions(&draft.question).is_empty() {
        return Err(Error::reply("The question names no picture as Image #k."));
    }
    for text in [&draft.question, &draft.answer, &draft.requirement] {
        if let Some(k) = mentions(text)
            .into_iter()
            .find(|k| !(1..=num_images).contains(k))
        {
            return Err(Error::reply(format!(
                "There is no Image #{k}; the dialogue has {num_images} pictures."
            )));
        }
    }
    let words = draft.answer.split_whitespace().count();
    let least = match kind {
        Question::Caption => MIN_CAPTION,
        Question::Count | Question::Knowledge => 1,
    };
    if !(least..=MAX_WORDS).contains(&words) {
        return Err(Error::reply(format!(
            "Expected an answer of {least} to {MAX_WORDS} words, found {words}."
        )));
    }
    Ok(draft)
}

/// Whether a check's reply says that the answer is right.
///
/// # Errors
/// It has no JSON object with `correct` as `yes` or `no`.
pub fn read_check(reply: &str) -> Result<bool, Error> {
    match object(reply)?.get("correct").and_then(Value::as_str) {
        Some("yes") => Ok(true),
        Some("no") => Ok(false),
        _ => Err(Error::reply("Expected “correct” as “yes” or “no”.")),
    }
}

impl Turn {
    /// A draft by the name that decisions use.
    fn thing(&self, number: u32) -> String {
        format!("{}/{number}", self.item)
    }

    /// Each of these pictures behind its number.
    fn shown(&self, numbers: impl IntoIterator<Item = usize>) -> Vec<PromptPart> {
        let pictures = numbers.into_iter().filter_map(|k| {
            let picture = self.pictures.get(k.checked_sub(1)?)?;
            Some([PromptPart::text(format!("Image #{k}:")), picture.part()])
        });
        pictures.flatten().collect()
    }

    /// The pictures that a draft names.
    fn named(&self, draft: &Draft) -> Vec<PromptPart> {
        let texts = [&draft.question, &draft.answer, &draft.requirement];
        let named: BTreeSet<usize> = texts.iter().flat_map(|text| mentions(text)).collect();
        self.shown(named)
    }

    fn request(
        &self,
        kind: &str,
        (number, attempt): (u32, u32),
        parts: Vec<PromptPart>,
    ) -> Request {
        Request {
            kind: kind.to_owned(),
            thing: self.thing(number),
            attempt,
            system: None,
            parts,
            wanted: Wanted::Text,
            lacked: String::new(),
        }
    }

    /// The request of a draft; `earlier` are the questions that were refused.
    fn ask(&self, dialogue: &Dialogue<'_>, number: u32, earlier: &[String]) -> Request {
        let mut parts = vec![PromptPart::text(
            "These are the pictures of a dialogue between a user and an assistant; its text follows.",
        )];
        parts.extend(self.shown(1..=self.pictures.len()));
        let lines = dialogue.messages.iter();
        let lines: Vec<String> = lines
            .map(|message| format!("{}: {}", message.role, message.content))
            .collect();
        let mut text = format!(
            "The dialogue:\n{}\n\nWrite one more question of the user about these pictures, and the right answer of the assistant.\n\n- {}\n- The question names each picture that it is about as Image #k, with the number above.\n- There is one right answer, and a reader who sees the pictures can check it.\n- The requirement is one sentence that says what every right answer contains.",
            lines.join("\n"),
            self.question.rule()
        );
        if !earlier.is_empty() {
            text += "\n- These questions were refused, so ask something else:";
            for question in earlier {
                let _ = write!(text, "\n  {question}");
            }
        }
        text += "\n\nAnswer with one JSON object only: {\"question\": TEXT, \"answer\": TEXT, \"requirement\": TEXT}";
        parts.push(PromptPart::text(text));
        self.request("question", (number, number), parts)
    }

    /// The request of a check.
    fn check(&self, draft: &Draft, number: u32, attempt: u32) -> Request {
        let mut parts = self.named(draft);
        let source = match self.question {
            Question::Caption | Question::Count => "by the pictures only",
            Question::Knowledge => "by the pictures and by general knowledge",
        };
        parts.push(PromptPart::text(format!(
            "Check a question about these pictures and its answer, {source}. Say yes if the question has one right answer, and this answer and this requirement are right in every part; say no otherwise.\n\nQuestion: {}\nAnswer: {}\nRequirement: {}\n\nAnswer with one JSON object only: {{\"correct\": \"yes\" or \"no\"}}",
            draft.question, draft.answer, draft.requirement
        )));
        self.request("check", (number, attempt), parts)
    }
}

impl Project {
    /// Each turn with how far it is.
    fn stages(&self) -> Vec<(&Turn, Stage)> {
        let items = self.settings.items().unwrap_or_default();
        let turns = self.things.iter().filter_map(|turn| {
            let dialogue = dialogue(items.get(turn.item.checked_sub(1)?)?)?;
            Some((turn, self.stage(turn, &dialogue)))
        });
        turns.collect()
    }

    /// The drafts of a turn that can be read, with their numbers, and the first request that has no reply.
    fn stage(&self, turn: &Turn, dialogue: &Dialogue<'_>) -> Stage {
        let mut why = String::new();
        let mut earlier = Vec::new();
        for number in 1..=MAX_DRAFTS {
            let decision = self.decision(&turn.thing(number));
            let request = turn.ask(dialogue, number, &earlier);
            let draft = self
                .reply(&request)
                .map(|reply| read_draft(&reply.text, turn.question, turn.pictures.len()));
            if let Some(Ok(draft)) = &draft {
                earlier.push(draft.question.clone());
            }
            if let Some(Decision {
                verdict: Verdict::Reject,
                ..
            }) = decision
            {
                "rejected by hand".clone_into(&mut why);
                continue;
            }
            let draft = match draft {
                None => {
                    return Stage::Ask(Box::new(Request {
                        lacked: why,
                        ..request
                    }));
                }
                Some(Err(told)) => {
                    why = told.to_string();
                    continue;
                }
                Some(Ok(draft)) => draft,
            };
            if decision.is_some() {
                return Stage::In(number, draft);
            }
            let check = |attempt| turn.check(&draft, number, attempt);
            match self.tried(MAX_TRIES, check, read_check) {
                Answer::Due(request) => return Stage::Check(request),
                Answer::Read(true) => return Stage::Review(Checked::Passed),
                Answer::Unreadable(_) => return Stage::Review(Checked::Unreadable),
                Answer::Read(false) => "the check says no".clone_into(&mut why),
            }
        }
        Stage::Out(why)
    }

    /// A draft of a turn, where it can be read.
    fn draft(&self, turn: &Turn, wanted: u32) -> Option<Draft> {
        let items = self.settings.items().ok()?;
        let dialogue = dialogue(items.get(turn.item.checked_sub(1)?)?)?;
        let mut earlier = Vec::new();
        for number in 1..=wanted {
            let reply = self.reply(&turn.ask(&dialogue, number, &earlier));
            let draft = reply
                .and_then(|reply| read_draft(&reply.text, turn.question, turn.pictures.len()).ok());
            if number == wanted {
                return draft;
            }
            earlier.extend(draft.map(|draft| draft.question));
        }
        None
    }

    /// What became of each turn, as JSON.
    fn report(&self, stages: &[(&Turn, Stage)]) -> String {
        let turns = stages.iter().map(|(turn, stage)| {
            let mut members = vec![
                ("item".to_owned(), Json::Number(turn.item as f64)),
                ("kind".to_owned(), Json::from(turn.question.id())),
                ("stage".to_owned(), Json::from(words(stage))),
            ];
            match stage {
                Stage::In(number, draft) => {
                    let decided = self.decision(&turn.thing(*number));
                    let by = decided.map_or("", |decision| decision.by.as_str());
                    members.extend([
                        ("draft".to_owned(), Json::Number(f64::from(*number))),
                        ("question".to_owned(), Json::from(draft.question.as_str())),
                        ("accepted_by".to_owned(), Json::from(by)),
                    ]);
                }
                Stage::Out(why) => members.push(("reason".to_owned(), Json::from(why.as_str()))),
                _ => {}
            }
            Json::Object(members)
        });
        pretty(&Json::Object(vec![
            ("seed".to_owned(), Json::Text(self.seed.to_string())),
            ("turns".to_owned(), Json::List(turns.collect())),
        ]))
    }
}

/// A stage in words.
fn words(stage: &Stage) -> &'static str {
    match stage {
        Stage::Ask(_) => "to be written",
        Stage::Check(_) => "to be checked",
        Stage::Review(Checked::Passed) => "checked, waits for a person",
        Stage::Review(Checked::Unreadable) => "check cannot be read, waits for a person",
        Stage::In(..) => "accepted",
        Stage::Out(_) => "without an accepted draft",
    }
}

/// A dialogue with the turn at its end.
fn extended(item: &Value, draft: &Draft) -> Json {
    let message = |role: &str, content: &str| {
        vec![
            ("role".to_owned(), Json::from(role)),
            ("type".to_owned(), Json::from("text")),
            ("content".to_owned(), Json::from(content)),
        ]
    };
    let asked = message("user", &draft.question);
    let mut answered = message("assistant", &draft.answer);
    let requirement = ("Text".to_owned(), Json::from(draft.requirement.as_str()));
    answered.push(("key_point".to_owned(), Json::Object(vec![requirement])));
    let mut made = Json::from(item);
    if let Json::Object(members) = &mut made {
        for (key, value) in members {
            if let ("chats", Json::List(chats)) = (key.as_str(), value) {
                chats.extend([Json::Object(asked.clone()), Json::Object(answered.clone())]);
            }
        }
    }
    made
}

impl Making for Project {
    fn due(&self) -> Vec<Request> {
        let stages = self.stages().into_iter();
        let due = stages.filter_map(|(_, stage)| match stage {
            Stage::Ask(request) | Stage::Check(request) => Some(*request),
            _ => None,
        });
        due.collect()
    }

    fn progress(&self) -> Progress {
        let stages = self.stages();
        let mut rows = Question::ALL.map(|kind| ProgressRow::of(kind.id()));
        let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
        for (turn, stage) in &stages {
            *counts.entry(words(stage)).or_default() += 1;
            let Some(row) = rows.iter_mut().find(|row| row.group == turn.question.id()) else {
                continue;
            };
            row.drawn += 1;
            row.made += u32::from(!matches!(stage, Stage::Ask(_) | Stage::Out(_)));
            let is_passed = matches!(stage, Stage::Review(Checked::Passed) | Stage::In(..));
            row.passed += u32::from(is_passed);
            match stage {
                Stage::In(..) => row.accepted += 1,
                Stage::Out(why) => row.reject(why),
                _ => {}
            }
        }
        let total = self.settings.items().map_or(0, |items| items.len());
        let accepted: u32 = rows.iter().map(|row| row.accepted).sum();
        let samples = u32::try_from(total).unwrap_or(u32::MAX);
        let mut remarks: Vec<String> = counts
            .iter()
            .map(|(stage, count)| format!("Turns {stage}: {count}."))
            .collect();
        remarks.push(format!(
            "Dialogues that are as they were: {}.",
            samples.saturating_sub(accepted)
        ));
        Progress {
            rows: rows.into_iter().filter(|row| row.drawn > 0).collect(),
            due: due_of(&self.due()),
            remarks,
            samples,
        }
    }

    fn things(&self) -> Vec<String> {
        let turns = self.things.iter();
        let drafts = turns.flat_map(|turn| (1..=MAX_DRAFTS).map(|number| turn.thing(number)));
        drafts.collect()
    }

    fn look(&self, thing: &str) -> Vec<PromptPart> {
        let turns = self.things.iter();
        let mut drafts = turns.flat_map(|turn| (1..=MAX_DRAFTS).map(move |number| (turn, number)));
        let found = drafts.find(|(turn, number)| turn.thing(*number) == thing);
        let Some((turn, draft)) =
            found.and_then(|(turn, number)| Some((turn, self.draft(turn, number)?)))
        else {
            return Vec::new();
        };
        let texts = [&draft.question, &draft.answer, &draft.requirement];
        let texts = texts.map(PromptPart::text);
        texts.into_iter().chain(turn.named(&draft)).collect()
    }

    fn decided(&self, thing: &str) -> Option<&Decision> {
        self.decision(thing)
    }

    fn files(&self) -> Result<Vec<OutFile>, Error> {
        let stages = self.stages();
        let accepted: BTreeMap<usize, &Draft> = stages
            .iter()
            .filter_map(|(turn, stage)| match stage {
                Stage::In(_, draft) => Some((turn.item, draft)),
                _ => None,
            })
            .collect();
        let items = self.settings.items()?;
        let items = (1..).zip(&items);
        let items: Vec<Json> = items
            .map(|(number, item)| {
                let draft = accepted.get(&number);
                draft.map_or_else(|| Json::from(item), |draft| extended(item, draft))
            })
            .collect();
        let files = [(LIST, pretty(&items)), (REPORT, self.report(&stages))];
        Ok(files
            .map(|(path, text)| OutFile {
                path: path.to_owned(),
                text,
            })
            .into())
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_draft_names_pictures_that_are_there_and_says_enough() {
        let reply = |question: &str, answer: &str, requirement: &str| {
            serde_json::json!({"question": question, "answer": answer, "requirement": requirement})
                .to_string()
        };
        let good = reply("Count the cats on Image #2.", "Two.", "It says two.");
        assert!(read_draft(&good, Question::Count, 2).is_ok());
        for (text, kind, told) in [
            (good.clone(), Question::Caption, "Expected an answer of 8"),
            (good.replace("#2", "#3"), Question::Count, "no Image #3"),
            (good.replace("#2", "#0"), Question::Count, "no Image #0"),
            (
                good.replace(" on Image #2", ""),
                Question::Count,
                "names no picture",
            ),
            (good.replace("Two.", " "), Question::Count, "“answer”"),
            (
                good.replace("says two", "shows <image>"),
                Question::Count,
                "marker",
            ),
            (
                good.replace("Two.", &"two ".repeat(121)),
                Question::Count,
                "found 121",
            ),
            ("Two.".to_owned(), Question::Count, "no JSON object"),
        ] {
            let found = read_draft(&text, kind, 2).expect_err("it is refused");
            assert!(found.to_string().contains(told), "{text}: {found}");
        }
    }

    #[test]
    fn a_check_says_yes_or_no() {
        assert_eq!(read_check("Fine: {\"correct\": \"yes\"}"), Ok(true));
        assert_eq!(read_check("{\"correct\": \"no\"}"), Ok(false));
        assert!(read_check("{\"correct\": true}").is_err());
    }
}
