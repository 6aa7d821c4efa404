//! MICON-Bench's cases: drawn from pools, references made by a service or by hand, filtered twice, written as cards.
//!
//! Source: the MICON-Bench paper, sections 3 and 9 and Tables 9 and 13. The authors' generator is not released; what the
//! paper leaves open is ours and stands in the settings.

use serde::{Deserialize, Serialize};

use crate::progress::due_of;
use crate::{
    Answer, Decision, Error, Kind, Making, OutFile, Progress, ProgressRow, PromptPart, Reply,
    Request, Verdict,
};

pub mod case;
mod export;
pub mod pools;
pub mod requests;
pub mod texts;

use case::{Case, Count};
use pools::Pools;
use requests::{AnswerSet, MAX_PICTURES, MAX_TRIES, reference_path, reference_thing};
pub use texts::Labels;

/// Whether a model looks at references first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Filter {
    /// Stage 1 is left out.
    #[default]
    Skipped,
    /// A model checks each picture against its prompt.
    Asked,
}

/// Whether people look at references.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Review {
    /// Nothing is in before somebody accepts it.
    #[default]
    Required,
    /// What passes is in unless somebody rejects it.
    Optional,
}

/// Where the questions of a case come from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Checkpoints {
    /// From its draw.
    #[default]
    Slots,
    /// From a judge that is shown the generic ones.
    Judge,
}

/// What was chosen when the project began.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Settings {
    /// How many cases of which task.
    pub counts: Vec<Count>,
    /// Whether prompts name references.
    pub labels: Labels,
    /// Stage 1.
    pub filter: Filter,
    /// Stage 2.
    pub review: Review,
    /// Whose specific checkpoints.
    pub checkpoints: Checkpoints,
    /// What was drawn from.
    pub pools: Pools,
}

/// A MICON project.
pub type Project = crate::Project<Settings, Case>;

/// A project that begins: all its cases are drawn.
///
/// # Errors
/// No case is asked for.
pub fn begin(seed: u64, settings: Settings) -> Result<Project, Error> {
    let cases = case::draw(seed, &settings.counts, &settings.pools);
    if cases.is_empty() {
        return Err(Error::Setting(
            "No case is asked for; say how many of which task, such as object:2=10.".to_owned(),
        ));
    }
    Ok(Project::new(Kind::Micon, seed, settings, cases))
}

/// References of a case: name, path and SHA-256.
pub type References = Vec<(String, String, String)>;

/// How far a case is.
struct Worked {
    references: References,
    made: u32,
    passed: u32,
    /// `None` while something is open.
    outcome: Option<Result<Ready, String>>,
}

/// What a finished case has besides its draw.
struct Ready {
    checkpoints: Vec<(String, String)>,
    answers: Option<AnswerSet>,
}

/// Whether a picture, a script or a set of answers is accepted.
enum Acceptance {
    Accepted,
    Open,
    Rejected(String),
}

/// Why a case is out.
type Out = String;

impl Project {
    fn work(&self) -> (Vec<Worked>, Vec<Request>) {
        let mut due = Vec::new();
        let worked = self
            .things
            .iter()
            .map(|case| self.worked(case, &mut due))
            .collect();
        (worked, due)
    }

    fn worked(&self, case: &Case, due: &mut Vec<Request>) -> Worked {
        let mut worked = Worked {
            references: Vec::new(),
            made: 0,
            passed: 0,
            outcome: None,
        };
        worked.outcome = match self.decision(&case.thing()) {
            Some(Decision {
                verdict: Verdict::Reject,
                reason,
                ..
            }) => Some(Err(by_hand(reason))),
            _ => match self.carried(case, &mut worked, due) {
                Ok(ready) => ready.map(Ok),
                Err(out) => Some(Err(out)),
            },
        };
        worked
    }

    /// Carries a case as far as replies and decisions reach; `None` while something is open.
    fn carried(
        &self,
        case: &Case,
        worked: &mut Worked,
        due: &mut Vec<Request>,
    ) -> Result<Option<Ready>, Out> {
        if case.is_story() && !self.story(case, due)? {
            return Ok(None);
        }
        let mut is_whole = true;
        for (at, letter) in case.letters().enumerate() {
            is_whole &= self.reference(case, (at, letter), worked, due)?;
        }
        if !is_whole {
            return Ok(None);
        }
        let answers = if case.is_story() {
            match self.answers(case, &worked.references, due)? {
                Some(answers) => Some(answers),
                None => return Ok(None),
            }
        } else {
            None
        };
        let checkpoints = self.checkpoints(case, due)?;
        Ok(checkpoints.map(|checkpoints| Ready {
            checkpoints,
            answers,
        }))
    }

    /// What somebody sees who decides about a case or a part of it.
    fn seen(&self, case: &Case, thing: &str) -> Vec<PromptPart> {
        let worked = self.worked(case, &mut Vec::new());
        let pictures = worked
            .references
            .iter()
            .map(|(_, path, sha256)| PromptPart::Picture {
                path: path.clone(),
                sha256: sha256.clone(),
            });
        let replied = |request: &dyn Fn(u32) -> Request| {
            let mut tries = (1..=MAX_TRIES).rev();
            let last = tries.find_map(|attempt| self.reply(&request(attempt)));
            last.map_or_else(Vec::new, |reply| vec![PromptPart::text(&reply.text)])
        };
        match thing.strip_prefix(&case.thing()).unwrap_or_default() {
            "" if worked.references.is_empty() => Vec::new(),
            "" => {
                let prompt = texts::prompt(case, self.settings.labels);
                std::iter::once(PromptPart::text(prompt))
                    .chain(pictures)
                    .collect()
            }
            "/script" => replied(&|attempt| requests::script(case, attempt)),
            "/answers" => {
                let answers =
                    replied(&|attempt| requests::answers(case, &worked.references, attempt));
                if answers.is_empty() {
                    return answers;
                }
                answers.into_iter().chain(pictures).collect()
            }
            _ => self.seen_reference(case, thing),
        }
    }

    /// A reference's prompt, if it has one, and its picture; nothing before there is a picture.
    fn seen_reference(&self, case: &Case, thing: &str) -> Vec<PromptPart> {
        for (at, letter) in case.letters().enumerate() {
            let mut numbers = 1..=MAX_PICTURES;
            let Some(number) =
                numbers.find(|number| reference_thing(case, letter, *number) == thing)
            else {
                continue;
            };
            if !case.is_story() {
                let request = requests::reference(case, at, letter, number);
                let picture = self.picture_of(&request);
                return picture.map_or_else(Vec::new, |picture| {
                    vec![PromptPart::text(request.prompt()), picture]
                });
            }
            let tries = (1..=MAX_TRIES).rev();
            let scripts = tries.filter_map(|attempt| {
                let text = &self.reply(&requests::script(case, attempt))?.text;
                requests::read_script(text).ok()
            });
            let mut panels = scripts.filter_map(|script| {
                let reply = self.reply(&requests::panels(case, &script))?;
                self.picture_of(&requests::crop(case, at, letter, &reply.picture))
            });
            return panels.next().into_iter().collect();
        }
        Vec::new()
    }

    /// Whether a story's script and panels are there and accepted; its references are cut out of the panels.
    fn story(&self, case: &Case, due: &mut Vec<Request>) -> Result<bool, Out> {
        let request = |attempt| requests::script(case, attempt);
        let script = match self.tried(MAX_TRIES, request, requests::read_script) {
            Answer::Read(script) => script,
            Answer::Due(request) => {
                due.push(*request);
                return Ok(false);
            }
            Answer::Unreadable(told) => return Err(format!("script cannot be read: {told}")),
        };
        match self.reviewed(&format!("{}/script", case.thing())) {
            Acceptance::Accepted => {}
            Acceptance::Open => return Ok(false),
            Acceptance::Rejected(reason) => return Err(format!("script rejected {reason}")),
        }
        let panels = requests::panels(case, &script);
        if self.reply(&panels).is_none() {
            due.push(panels);
            return Ok(false);
        }
        Ok(true)
    }

    fn panels(&self, case: &Case) -> String {
        let request = |attempt| requests::script(case, attempt);
        let script = match self.tried(MAX_TRIES, request, requests::read_script) {
            Answer::Read(script) => script,
            Answer::Due(_) | Answer::Unreadable(_) => return String::new(),
        };
        let reply = self.reply(&requests::panels(case, &script));
        reply.map_or_else(String::new, |reply| reply.picture.clone())
    }

    /// Whether a reference is in; its picture is made anew where one is rejected.
    fn reference(
        &self,
        case: &Case,
        (at, letter): (usize, &'static str),
        worked: &mut Worked,
        due: &mut Vec<Request>,
    ) -> Result<bool, Out> {
        let mut why = String::new();
        let most = if case.is_story() { 1 } else { MAX_PICTURES };
        for number in 1..=most {
            let request = if case.is_story() {
                requests::crop(case, at, letter, &self.panels(case))
            } else {
                requests::reference(case, at, letter, number)
            };
            let Some(reply) = self.reply(&request) else {
                due.push(request);
                return Ok(false);
            };
            worked.made += 1;
            let thing = reference_thing(case, letter, number);
            let path = reference_path(case, letter, number);
            match self.checked(case, at, (&thing, &path, &reply.picture), due) {
                Acceptance::Rejected(reason) => {
                    why = reason;
                    continue;
                }
                Acceptance::Open => return Ok(false),
                Acceptance::Accepted => worked.passed += 1,
            }
            match self.reviewed(&thing) {
                Acceptance::Accepted => {}
                Acceptance::Open => return Ok(false),
                Acceptance::Rejected(reason) => {
                    worked.passed -= 1;
                    why = reason;
                    continue;
                }
            }
            let name = format!("R{letter}");
            worked.references.push((name, path, reply.picture.clone()));
            return Ok(true);
        }
        Err(why)
    }

    /// Stage 1. Stories' panels have no prompt of their own to be checked against; a person's word stands above the model's.
    fn checked(
        &self,
        case: &Case,
        at: usize,
        (thing, path, sha256): (&str, &str, &str),
        due: &mut Vec<Request>,
    ) -> Acceptance {
        let is_accepted = self
            .decision(thing)
            .is_some_and(|one| one.verdict == Verdict::Accept);
        if self.settings.filter == Filter::Skipped || case.is_story() || is_accepted {
            return Acceptance::Accepted;
        }
        let prompts = texts::reference_prompts(case);
        let prompt = prompts.get(at).map_or("", String::as_str);
        let request = |attempt| requests::filter(thing.to_owned(), path, sha256, prompt, attempt);
        match self.tried(MAX_TRIES, request, requests::read_filter) {
            Answer::Read(failed) if failed.is_empty() => Acceptance::Accepted,
            Answer::Read(failed) => Acceptance::Rejected(format!("model: {}", failed.join(", "))),
            Answer::Due(request) => {
                due.push(*request);
                Acceptance::Open
            }
            Answer::Unreadable(_) => {
                Acceptance::Rejected("model's reply cannot be read".to_owned())
            }
        }
    }

    /// Stage 2.
    fn reviewed(&self, thing: &str) -> Acceptance {
        match (self.decision(thing), self.settings.review) {
            (
                Some(Decision {
                    verdict: Verdict::Reject,
                    reason,
                    ..
                }),
                _,
            ) => Acceptance::Rejected(by_hand(reason)),
            (Some(_), _) | (None, Review::Optional) => Acceptance::Accepted,
            (None, Review::Required) => Acceptance::Open,
        }
    }

    fn answers(
        &self,
        case: &Case,
        references: &References,
        due: &mut Vec<Request>,
    ) -> Result<Option<AnswerSet>, Out> {
        let request = |attempt| requests::answers(case, references, attempt);
        let set = match self.tried(MAX_TRIES, request, requests::read_answers) {
            Answer::Read(set) => set,
            Answer::Due(request) => {
                due.push(*request);
                return Ok(None);
            }
            Answer::Unreadable(told) => return Err(format!("answer set cannot be used: {told}")),
        };
        match self.reviewed(&format!("{}/answers", case.thing())) {
            Acceptance::Accepted => Ok(Some(set)),
            Acceptance::Open => Ok(None),
            Acceptance::Rejected(reason) => Err(format!("answer set rejected {reason}")),
        }
    }

    fn checkpoints(
        &self,
        case: &Case,
        due: &mut Vec<Request>,
    ) -> Result<Option<Vec<(String, String)>>, Out> {
        if self.settings.checkpoints == Checkpoints::Slots {
            return Ok(Some(texts::specific_checkpoints(case)));
        }
        let labels = self.settings.labels;
        let request = |attempt| requests::checkpoints(case, labels, attempt);
        let read = |text: &str| requests::read_checkpoints(case, labels, text);
        match self.tried(MAX_TRIES, request, read) {
            Answer::Read(found) => Ok(Some(found)),
            Answer::Due(request) => {
                due.push(*request);
                Ok(None)
            }
            Answer::Unreadable(told) => Err(format!("checkpoints cannot be used: {told}")),
        }
    }
}

fn by_hand(reason: &str) -> String {
    match reason {
        "" => "by hand".to_owned(),
        reason => format!("by hand: {reason}"),
    }
}

impl Making for Project {
    fn due(&self) -> Vec<Request> {
        self.work().1
    }

    fn progress(&self) -> Progress {
        let (worked, due) = self.work();
        let mut rows: Vec<ProgressRow> = Vec::new();
        for task in juror_protocols::micon::TASKS {
            let mut cases = ProgressRow::of(task.id);
            let mut references = ProgressRow::of(&format!("{}, references", task.id));
            for (case, worked) in self
                .things
                .iter()
                .zip(&worked)
                .filter(|(case, _)| case.task == task.id)
            {
                cases.drawn += 1;
                references.drawn += case.refs;
                references.made += worked.made;
                references.passed += worked.passed;
                references.accepted += u32::try_from(worked.references.len()).unwrap_or(u32::MAX);
                let is_made = worked.made >= case.refs;
                cases.made += u32::from(is_made);
                cases.passed += u32::from(worked.passed >= case.refs);
                match &worked.outcome {
                    Some(Ok(_)) => cases.accepted += 1,
                    Some(Err(reason)) => cases.reject(reason),
                    None => {}
                }
            }
            if cases.drawn > 0 {
                rows.extend([cases, references]);
            }
        }
        let samples = rows
            .iter()
            .filter(|row| !row.group.ends_with(", references"));
        let samples = samples.map(|row| row.accepted).sum();
        let mut remarks = Vec::new();
        if self.settings.review == Review::Required
            && worked.iter().any(|one| one.outcome.is_none())
        {
            remarks.push("What passed waits for a person's decision before it is in.".to_owned());
        }
        Progress {
            rows,
            due: due_of(&due),
            remarks,
            samples,
        }
    }

    fn things(&self) -> Vec<String> {
        let mut things = Vec::new();
        for case in &self.things {
            things.push(case.thing());
            if case.is_story() {
                things.extend(["script", "answers"].map(|part| format!("{}/{part}", case.thing())));
            }
            let most = if case.is_story() { 1 } else { MAX_PICTURES };
            for letter in case.letters() {
                things.extend((1..=most).map(|number| reference_thing(case, letter, number)));
            }
        }
        things
    }

    fn look(&self, thing: &str) -> Vec<PromptPart> {
        let mut cases = self.things.iter();
        let case = cases.find(|case| {
            let rest = thing.strip_prefix(&case.thing());
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        });
        case.map_or_else(Vec::new, |case| self.seen(case, thing))
    }

    fn decided(&self, thing: &str) -> Option<&Decision> {
        self.decision(thing)
    }

    fn files(&self) -> Result<Vec<OutFile>, Error> {
        Ok(export::files(self, &self.work().0))
    }

    fn places(&self) -> Vec<String> {
        export::places(&self.things)
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
