//! RefBlend: from originals with typed references to samples of MultiRef-Bench's synthetic half.
//!
//! Source: the MultiRef paper, section 2.2 and appendix C, and the authors' `MultiRef-code`; where the two differ, the
//! difference is a setting. Each original goes through ratings, a filter, a combination, an instruction and, if wanted, a
//! rewriting; what stands where is worked out from the project each time.

use std::collections::BTreeMap;

use juror_protocols::multiref::instructions::{self, Instruction};
use juror_reading::py::{self, Value};
use serde::{Deserialize, Serialize};

use crate::draws::{Draws, Numbers};
use crate::progress::due_of;
use crate::{
    Answer, Decision, Error, Kind, Making, OutFile, Progress, ProgressRow, PromptPart, Reply,
    Request, Verdict,
};

mod export;
pub mod import;
pub mod matrix;
pub mod original;
pub mod persona;
pub mod rating;
pub mod sampler;
pub mod select;
pub mod wording;

use matrix::{Combination, RefType, Size, SourceKind};
use original::{Original, Picture};
use rating::Ratings;

/// What stands before the caption in the authors' instructions.
const RELEASED_LEAD: &str = "caption:";

/// Which combinations there are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Rule {
    /// The 33 that one of the three kinds of source gives.
    #[default]
    Kinds,
    /// The 44 legal sets of two and three.
    Matrix,
    /// The 51 legal sets of two to four.
    MatrixFour,
    /// One for each original, as the authors' sampler draws it.
    Released,
}

impl Rule {
    /// The combinations; none for the sampler's, which draws its own.
    pub fn sets(self) -> Vec<Combination> {
        match self {
            Self::Kinds => matrix::sets_of_kinds(),
            Self::Matrix => matrix::legal_sets(Size::UpToThree),
            Self::MatrixFour => matrix::legal_sets(Size::UpToFour),
            Self::Released => Vec::new(),
        }
    }
}

/// Which references are good enough.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Filter {
    /// None with a rating below 3; what is not rated stays.
    #[default]
    Paper,
    /// The keys that the authors' program looks at; one that lacks loses the entry, pose and style come by hand alone.
    Released,
}

/// Whose ratings count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Rater {
    /// Those that came with the originals.
    #[default]
    Given,
    /// A judge is asked for those that lack.
    Asked,
}

/// Whose sentences.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Wording {
    /// Our own, the subject first, one full stop each.
    #[default]
    Ours,
    /// The authors' program on their `condition_mapping.json`.
    Released,
}

/// Whether instructions are rewritten.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Rewriting {
    /// They stay plain.
    #[default]
    Plain,
    /// Each in somebody's voice.
    Persona,
}

/// What was chosen when the project began.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Settings {
    /// Which combinations.
    pub rule: Rule,
    /// Which references.
    pub filter: Filter,
    /// Whose ratings.
    pub rater: Rater,
    /// Whose sentences.
    pub wording: Wording,
    /// Whether they are rewritten.
    pub rewriting: Rewriting,
    /// Samples of each combination; 0 for one of each original.
    pub quota: u32,
    /// The text of `condition_mapping.json`, for [`Wording::Released`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub templates: Option<String>,
    /// Voices; our own forty if there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub voices: Vec<String>,
}

impl Settings {
    /// What keeps the settings from being carried out.
    ///
    /// # Errors
    /// The authors' wording is wanted without their file, or that cannot be read.
    pub fn check(&self) -> Result<(), Error> {
        match (self.wording, &self.templates) {
            (Wording::Released, None) => Err(Error::Setting(
                "The authors' wording needs their data/condition_mapping.json; name it, or take our own wording.".to_owned(),
            )),
            (_, Some(text)) => match py::loads(text) {
                Ok(Value::Dict(_)) => Ok(()),
                _ => Err(Error::Setting(
                    "The file of templates is not an object by type, as the authors' data/condition_mapping.json is.".to_owned(),
                )),
            },
            (Wording::Ours, None) => Ok(()),
        }
    }

    fn lead(&self) -> &'static str {
        match self.wording {
            Wording::Ours => wording::LEAD,
            Wording::Released => RELEASED_LEAD,
        }
    }
}

/// Voices of a file: a JSON list of texts or of `{"persona": text}`, or one on each line.
///
/// # Errors
/// It has none, or the JSON is no such list.
///
/// # Example
/// ```
/// use juror_make::refblend::voices_of;
/// assert_eq!(voices_of("[{\"persona\": \"a cook\"}]")?, ["a cook"]);
/// assert_eq!(voices_of("a cook\n\na diver\n")?, ["a cook", "a diver"]);
/// # Ok::<(), juror_make::Error>(())
/// ```
pub fn voices_of(text: &str) -> Result<Vec<String>, Error> {
    let bad = || {
        Error::List(
            "The file of personas holds none: expected a JSON list of {\"persona\": TEXT}, or one on each line.".to_owned(),
        )
    };
    let found: Vec<String> = if text.trim_start().starts_with('[') {
        let Ok(Value::List(items)) = py::loads(text) else {
            return Err(bad());
        };
        let named = items.iter().filter_map(|item| match item {
            Value::Str(text) => Some(text.as_str()),
            other => other.get("persona").and_then(Value::as_str),
        });
        named.map(str::to_owned).collect()
    } else {
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
        lines.map(str::to_owned).collect()
    };
    if found.is_empty() {
        Err(bad())
    } else {
        Ok(found)
    }
}

/// A RefBlend project.
pub type Project = crate::Project<Settings, Original>;

/// A project that begins.
///
/// # Errors
/// As [`Settings::check`].
pub fn begin(seed: u64, settings: Settings, originals: Vec<Original>) -> Result<Project, Error> {
    settings.check()?;
    Ok(Project::new(Kind::Refblend, seed, settings, originals))
}

/// The state of an original's reference.
#[derive(Clone, Debug, PartialEq)]
enum ReferenceState {
    Passed,
    Waiting,
    Out(String),
}

/// An original as far as it was worked out.
struct Worked {
    ratings: Ratings,
    states: Vec<(RefType, ReferenceState)>,
    /// The authors' program loses it; why.
    lost: Option<String>,
}

impl Worked {
    fn passed(&self) -> Vec<RefType> {
        let passed = self
            .states
            .iter()
            .filter(|(_, state)| *state == ReferenceState::Passed);
        passed.map(|(one, _)| *one).collect()
    }
}

/// A sample that came of an original.
struct Made {
    original: usize,
    drawn: Vec<RefType>,
    instruction: Instruction,
    /// The rewriting; `None` where it stays plain.
    rewritten: Option<String>,
    /// Why it stayed plain though a rewriting was wanted.
    mark: Option<String>,
    is_waiting: bool,
}

/// Everything that a project comes to.
struct Work {
    originals: Vec<Worked>,
    due: Vec<Request>,
    /// In the benchmark.
    chosen: Vec<Made>,
    /// Not in it.
    held_out: Vec<Made>,
    remarks: Vec<String>,
}

impl Project {
    fn work(&self) -> Result<Work, Error> {
        self.settings.check()?;
        let mut due = Vec::new();
        let things = self.things.iter();
        let originals: Vec<Worked> = things.map(|one| self.worked(one, &mut due)).collect();
        let mut work = Work {
            originals,
            due,
            chosen: Vec::new(),
            held_out: Vec::new(),
            remarks: Vec::new(),
        };
        if !work.due.is_empty() {
            let told = "Combinations are drawn once every rating is there.";
            work.remarks.push(told.to_owned());
            return Ok(work);
        }
        self.combine(&mut work)?;
        if self.settings.rewriting == Rewriting::Persona {
            for made in &mut work.chosen {
                self.rewrite(made, &mut work.due);
            }
        }
        Ok(work)
    }

    /// Ratings and filter of an original.
    fn worked(&self, original: &Original, due: &mut Vec<Request>) -> Worked {
        let mut ratings = original.ratings.clone();
        let mut states = Vec::new();
        for one in original.types() {
            let state = match self.settings.rater {
                Rater::Given => ReferenceState::Passed,
                Rater::Asked => self.rated(original, one, &mut ratings, due),
            };
            states.push((one, state));
        }
        let lost = self.filter(original, &ratings, &mut states);
        Worked {
            ratings,
            states,
            lost,
        }
    }

    fn rated(
        &self,
        original: &Original,
        one: RefType,
        ratings: &mut Ratings,
        due: &mut Vec<Request>,
    ) -> ReferenceState {
        let (alignment, quality) = rating::keys(one);
        let mut keys = std::iter::once(alignment).chain(quality);
        if keys.all(|key| ratings.contains_key(key)) {
            return ReferenceState::Passed;
        }
        let request = |attempt| rating::request(original, one, attempt);
        match self.tried(rating::MAX_TRIES, request, |text| rating::read(one, text)) {
            Answer::Read(found) => {
                for (key, rating) in found {
                    ratings.entry(key).or_insert(rating);
                }
                ReferenceState::Passed
            }
            Answer::Due(request) => {
                due.push(*request);
                ReferenceState::Waiting
            }
            Answer::Unreadable(_) => ReferenceState::Out("rating cannot be read".to_owned()),
        }
    }

    /// Sets the states by rule and by people; why the entry is lost, if it is.
    fn filter(
        &self,
        original: &Original,
        ratings: &Ratings,
        states: &mut [(RefType, ReferenceState)],
    ) -> Option<String> {
        let types: Vec<RefType> = states.iter().map(|(one, _)| *one).collect();
        let is_waiting = states
            .iter()
            .any(|(_, state)| *state == ReferenceState::Waiting);
        let released = match self.settings.filter {
            Filter::Released if !is_waiting => Some(rating::released(&types, ratings)),
            _ => None,
        };
        for (one, state) in states.iter_mut() {
            if *state != ReferenceState::Passed {
                continue;
            }
            let out = match &released {
                None => rating::below(*one, ratings).map(str::to_owned),
                Some(Err(_)) => Some("entry lost".to_owned()),
                Some(Ok(valid)) => match valid.iter().find(|(known, _)| known == one) {
                    Some((_, true)) => None,
                    Some((_, false)) => Some("rated below 3".to_owned()),
                    None => Some("taken by hand alone".to_owned()),
                },
            };
            if let Some(reason) = out {
                *state = ReferenceState::Out(reason);
            }
        }
        for (one, state) in states.iter_mut() {
            if let Some(decision) = self.decision(&original.thing(*one)) {
                *state = match decision.verdict {
                    Verdict::Accept => ReferenceState::Passed,
                    Verdict::Reject => ReferenceState::Out(by_hand(&decision.reason)),
                };
            }
        }
        match released {
            Some(Err(told)) => Some(told.to_string()),
            _ => None,
        }
    }

    /// Combinations, quotas and instructions.
    fn combine(&self, work: &mut Work) -> Result<(), Error> {
        let templates = self.templates()?;
        let mut sets = self.settings.rule.sets();
        // What the released sampler drew, and its stream behind it.
        let mut drawn: BTreeMap<usize, (Vec<RefType>, Draws)> = BTreeMap::new();
        let mut options: Vec<Vec<usize>> = Vec::new();
        for (at, worked) in work.originals.iter().enumerate() {
            let passed = if worked.lost.is_none() {
                worked.passed()
            } else {
                Vec::new()
            };
            if self.settings.rule == Rule::Released {
                let mut draws = Draws::new(self.seed, &["released", &self.things[at].id]);
                let found = sampler::entry(&passed, &mut draws);
                options.push(found.iter().map(|set| place_of(&mut sets, set)).collect());
                if let Some(found) = found {
                    drawn.insert(at, (found, draws));
                }
                continue;
            }
            let could = sets.iter().enumerate();
            let could = could.filter(|(_, set)| set.iter().all(|one| passed.contains(one)));
            options.push(could.map(|(at, _)| at).collect());
        }
        let names: Vec<String> = sets.iter().map(|set| matrix::name(set)).collect();
        let ids: Vec<&str> = self.things.iter().map(|one| one.id.as_str()).collect();
        let choices = select::Choices {
            names: &names,
            ids: &ids,
            options: &options,
        };
        let quota = self.settings.quota;
        let chosen = match quota {
            0 => (0..ids.len())
                .map(|at| choices.first(self.seed, at))
                .collect(),
            quota => choices.select(self.seed, quota),
        };
        for (at, chosen) in chosen.iter().enumerate() {
            let Some(set) = chosen.or_else(|| choices.first(self.seed, at)) else {
                continue;
            };
            let (order, mut draws) = drawn
                .remove(&at)
                .unwrap_or_else(|| self.ordered(at, &sets[set]));
            let made = self.made(at, order, &mut draws, templates.as_ref());
            if chosen.is_some() {
                work.chosen.push(made);
            } else {
                work.held_out.push(made);
            }
        }
        for (at, name) in names.iter().enumerate() {
            let count = chosen.iter().filter(|one| **one == Some(at)).count();
            if count < quota as usize {
                work.remarks.push(format!(
                    "{name}: {count} of {quota}; no further original has these references."
                ));
            }
        }
        Ok(())
    }

    /// A combination in a drawn order, with the stream behind it.
    fn ordered(&self, at: usize, set: &[RefType]) -> (Vec<RefType>, Draws) {
        let mut draws = Draws::new(self.seed, &["instruction", &self.things[at].id]);
        let mut order = set.to_vec();
        draws.shuffle(&mut order);
        (order, draws)
    }

    fn made(
        &self,
        at: usize,
        drawn: Vec<RefType>,
        draws: &mut Draws,
        templates: Option<&Value>,
    ) -> Made {
        let original = &self.things[at];
        let instruction = if let Some(templates) = templates {
            released_instruction(original, &drawn, templates, draws)
        } else {
            let paths = |one| {
                let pictures = original.pictures(one).iter();
                pictures.map(|picture| picture.path.as_str()).collect()
            };
            wording::instruction(&drawn, &original.caption, paths, draws)
        };
        Made {
            original: at,
            drawn,
            instruction,
            rewritten: None,
            mark: None,
            is_waiting: false,
        }
    }

    /// The authors' templates, where their wording is wanted.
    fn templates(&self) -> Result<Option<Value>, Error> {
        let text = self.settings.templates.as_deref();
        match (self.settings.wording, text.map(py::loads)) {
            (Wording::Ours, _) => Ok(None),
            (Wording::Released, Some(Ok(templates))) => Ok(Some(templates)),
            (Wording::Released, _) => Err(Error::Setting(
                "The authors' wording needs their data/condition_mapping.json.".to_owned(),
            )),
        }
    }

    fn rewrite(&self, made: &mut Made, due: &mut Vec<Request>) {
        let id = &self.things[made.original].id;
        let plain = &made.instruction.text;
        let own;
        let voices = if self.settings.voices.is_empty() {
            own = persona::voices();
            &own
        } else {
            &self.settings.voices
        };
        let mut draws = Draws::new(self.seed, &["persona", id]);
        let voice = draws.choose(voices).cloned().unwrap_or_default();
        let lead = self.settings.lead();
        let request = |attempt| persona::request(id, plain, &voice, lead, attempt);
        let read = |text: &str| persona::check(plain, &voice, lead, text);
        match self.tried(persona::MAX_TRIES, request, read) {
            Answer::Read(text) => made.rewritten = Some(text),
            Answer::Due(request) => {
                made.is_waiting = true;
                due.push(*request);
            }
            Answer::Unreadable(told) => made.mark = Some(told),
        }
    }
}

fn by_hand(reason: &str) -> String {
    match reason {
        "" => "by hand".to_owned(),
        reason => format!("by hand: {reason}"),
    }
}

/// The position of a set among the known ones, where it is put if it is new.
fn place_of(sets: &mut Vec<Combination>, drawn: &[RefType]) -> usize {
    let mut set = drawn.to_vec();
    set.sort_unstable();
    let known = sets.iter().position(|one| *one == set);
    known.unwrap_or_else(|| {
        sets.push(set);
        sets.len() - 1
    })
}

/// The authors' instruction of types in the order drawn, on a stream of choices.
pub fn released_instruction(
    original: &Original,
    drawn: &[RefType],
    templates: &Value,
    numbers: &mut impl Numbers,
) -> Instruction {
    let ids: Vec<&str> = drawn.iter().map(|one| one.id()).collect();
    let mut conditions: Vec<(String, Value)> = Vec::new();
    for one in original.types() {
        if let Some((key, paths)) = original.entry(one) {
            conditions.push((key.to_owned(), export::value(one, &paths)));
        }
    }
    if !original.caption.is_empty() {
        conditions.retain(|(key, _)| key != "caption");
        conditions.push(("caption".to_owned(), Value::Str(original.caption.clone())));
    }
    instructions::instruction(&ids, &Value::Dict(conditions), templates, |end| {
        numbers.below(end)
    })
}

/// The kinds of source that an original belongs to, by what marks each.
fn source_kinds(original: &Original) -> Vec<SourceKind> {
    let types = original.types();
    let marks = [
        (SourceKind::S, RefType::Subject),
        (SourceKind::T, RefType::Style),
        (SourceKind::P, RefType::Pose),
    ];
    let known = marks.into_iter().filter(|(_, mark)| types.contains(mark));
    known.map(|(kind, _)| kind).collect()
}

impl Making for Project {
    fn due(&self) -> Vec<Request> {
        self.work().map(|work| work.due).unwrap_or_default()
    }

    fn progress(&self) -> Progress {
        let work = match self.work() {
            Ok(work) => work,
            Err(error) => {
                return Progress {
                    remarks: vec![error.to_string()],
                    ..Progress::default()
                };
            }
        };
        let mut rows: Vec<ProgressRow> = Vec::new();
        for one in RefType::ALL {
            rows.push(self.row_of_type(one, &work));
        }
        for set in names_of(&work.chosen) {
            let mut row = ProgressRow::of(&set);
            for made in work
                .chosen
                .iter()
                .filter(|made| matrix::name(&made.drawn) == set)
            {
                row.drawn += 1;
                row.made += 1;
                row.passed += u32::from(!made.is_waiting && made.mark.is_none());
                row.accepted += u32::from(!made.is_waiting);
                if made.mark.is_some() {
                    row.reject("rewriting failed, plain text kept");
                }
            }
            rows.push(row);
        }
        let lost = work
            .originals
            .iter()
            .filter_map(|worked| worked.lost.as_ref());
        let mut remarks = work.remarks.clone();
        if let Some(first) = lost.clone().next() {
            remarks.push(format!(
                "{} originals are lost, as the authors' program stops at a rating that lacks; the first is {first}.",
                lost.count()
            ));
        }
        let ready = work.chosen.iter().filter(|made| !made.is_waiting).count();
        Progress {
            rows,
            due: due_of(&work.due),
            remarks,
            samples: u32::try_from(ready).unwrap_or(u32::MAX),
        }
    }

    fn things(&self) -> Vec<String> {
        let originals = self.things.iter();
        originals
            .flat_map(|original| original.types().into_iter().map(|one| original.thing(one)))
            .collect()
    }

    fn look(&self, thing: &str) -> Vec<PromptPart> {
        let mut references = self.things.iter().flat_map(|original| {
            let types = original.types().into_iter();
            types.map(move |one| (original, one))
        });
        let found = references.find(|(original, one)| original.thing(*one) == thing);
        let Some((original, one)) = found else {
            return Vec::new();
        };
        let mut parts = vec![original.picture.part()];
        if one == RefType::Caption {
            parts.push(PromptPart::text(&original.caption));
        }
        parts.extend(original.pictures(one).iter().map(Picture::part));
        parts
    }

    fn decided(&self, thing: &str) -> Option<&Decision> {
        self.decision(thing)
    }

    fn files(&self) -> Result<Vec<OutFile>, Error> {
        self.work().map(|work| export::files(self, &work))
    }

    fn places(&self) -> Vec<String> {
        ["benchmark.json", "train.json"].map(str::to_owned).to_vec()
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

impl Project {
    fn row_of_type(&self, one: RefType, work: &Work) -> ProgressRow {
        let mut row = ProgressRow::of(one.id());
        for (original, worked) in self.things.iter().zip(&work.originals) {
            row.drawn += 1;
            for (_, reason) in original.refused.iter().filter(|(known, _)| *known == one) {
                row.reject(reason);
            }
            let Some((_, state)) = worked.states.iter().find(|(known, _)| *known == one) else {
                continue;
            };
            row.made += 1;
            match state {
                ReferenceState::Passed => row.passed += 1,
                ReferenceState::Out(reason) => row.reject(reason),
                ReferenceState::Waiting => {}
            }
        }
        let used = work
            .chosen
            .iter()
            .filter(|made| made.drawn.contains(&one))
            .count();
        row.accepted = u32::try_from(used).unwrap_or(u32::MAX);
        row
    }
}

/// Names of the combinations that were made, each once, as the matrix orders them.
fn names_of(made: &[Made]) -> Vec<String> {
    let mut sets: Vec<Combination> = made
        .iter()
        .map(|made| {
            let mut set = made.drawn.clone();
            set.sort_unstable();
            set
        })
        .collect();
    sets.sort_by_key(|set| (set.len(), set.clone()));
    sets.dedup();
    sets.iter().map(|set| matrix::name(set)).collect()
}
