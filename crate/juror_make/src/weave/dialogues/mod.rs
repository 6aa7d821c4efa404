//! WEAVE's dialogues made from nothing: each step is a call for a text or a picture, and a person accepts it.
//!
//! Source: the WEAVE paper, section 3. Requests, scenes and limits are choices of Juror.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::{LIST, renumbered};
use crate::draws::{Draws, Numbers as _};
use crate::ordered::{Json, pretty};
use crate::picture::Picture;
use crate::progress::due_of;
use crate::{
    Decision, Error, Kind, Making, OutFile, Progress, ProgressRow, PromptPart, Reply, Request,
    Verdict, Wanted,
};

mod fusion;
pub mod plan;
pub mod scenes;

use plan::Step;
use scenes::{CATEGORIES, category_of};

/// Drafts of a text, and pictures of a step; the dialogue is out after them.
pub const MAX_TRIES: u32 = 4;
/// What became of each dialogue.
const REPORT: &str = "dialogues.json";

/// A way to a dialogue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Route {
    /// Several pictures become one; before that each is brought back from an edit.
    Fusion,
    /// Something goes, and comes back from a picture that still has it.
    Remove,
    /// Alternatives of one picture, then a question that compares them.
    Derivative,
    /// Steps that each need a picture.
    Sequential,
}

impl Route {
    /// All of them.
    pub const ALL: [Self; 4] = [
        Self::Fusion,
        Self::Remove,
        Self::Derivative,
        Self::Sequential,
    ];

    /// As the command has it.
    pub fn id(self) -> &'static str {
        match self {
            Self::Fusion => "fusion",
            Self::Remove => "remove",
            Self::Derivative => "derivative",
            Self::Sequential => "sequential",
        }
    }

    /// WEAVE's domain of such dialogues.
    fn domain(self) -> &'static str {
        match self {
            Self::Fusion => "fusion",
            Self::Remove => "recall",
            Self::Derivative => "edit",
            Self::Sequential => "story",
        }
    }
}

/// So many dialogues of a route.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Count {
    /// The route.
    pub route: Route,
    /// How many.
    pub dialogues: u32,
}

impl std::str::FromStr for Count {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let found = text.split_once('=').and_then(|(id, count)| {
            let route = Route::ALL.into_iter().find(|route| route.id() == id)?;
            let dialogues = count.parse().ok().filter(|count| *count > 0)?;
            Some(Self { route, dialogues })
        });
        found.ok_or_else(|| {
            Error::Setting(format!(
                "Expected fusion=N, remove=N, derivative=N or sequential=N with N from 1, found {text}."
            ))
        })
    }
}

/// What is fixed when such a project begins.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Settings {
    /// How many of which route.
    pub counts: Vec<Count>,
    /// Which categories are drawn from; all where it is empty.
    pub categories: BTreeSet<String>,
}

/// A dialogue that is to be made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Item {
    /// From 1.
    pub number: u32,
    /// How it is made.
    pub route: Route,
    /// What it is about.
    pub category: String,
    /// The scene that was drawn.
    pub scene: String,
    /// What is edited.
    pub dimension: String,
    /// How many alternatives a derivative one has.
    pub alternatives: usize,
    /// The pictures of a fusion.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub originals: Vec<Original>,
}

/// A picture of a fusion.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Original {
    /// What it shows.
    pub scene: String,
    /// How it is edited before the dialogue brings it back.
    pub edit: String,
}

/// A project that makes dialogues.
pub type Project = crate::Project<Settings, Item>;

/// A project that begins: each dialogue's scene is drawn from the seed.
///
/// # Errors
/// No dialogue is asked for, or a category is not known.
///
/// # Example
/// ```
/// use juror_make::weave::dialogues::{Settings, begin};
/// let counts = vec!["sequential=2".parse()?];
/// let project = begin(7, Settings { counts, categories: ["food".to_owned()].into() })?;
/// assert_eq!((project.things.len(), project.things[1].category.as_str()), (2, "food"));
/// # Ok::<(), juror_make::Error>(())
/// ```
pub fn begin(seed: u64, settings: Settings) -> Result<Project, Error> {
    if let Some(id) = settings
        .categories
        .iter()
        .find(|id| category_of(id).is_none())
    {
        let known = CATEGORIES.map(|category| category.id).join(", ");
        return Err(Error::Setting(format!(
            "There is no category {id}; expected one of {known}."
        )));
    }
    let is_open = |id: &str| settings.categories.is_empty() || settings.categories.contains(id);
    let open: Vec<_> = CATEGORIES
        .iter()
        .filter(|category| is_open(category.id))
        .collect();
    let mut items = Vec::new();
    for count in &settings.counts {
        for _ in 0..count.dialogues {
            let number = u32::try_from(items.len() + 1).unwrap_or(u32::MAX);
            let mut draws = Draws::new(seed, &["weave_dialogues", &number.to_string()]);
            let Some(category) = draws.choose(&open) else {
                continue;
            };
            let mut drawn = |words: &[&'static str]| draws.choose(words).copied().unwrap_or("");
            items.push(Item {
                number,
                route: count.route,
                category: category.id.to_owned(),
                scene: drawn(&category.scenes).to_owned(),
                dimension: drawn(&category.dimensions).to_owned(),
                alternatives: 2 + draws.below(2),
                originals: match count.route {
                    Route::Fusion => fusion::originals(&mut draws, &open),
                    _ => Vec::new(),
                },
            });
        }
    }
    if items.is_empty() {
        return Err(Error::Setting(
            "No dialogue is asked for; say how many of which route, such as sequential=2."
                .to_owned(),
        ));
    }
    Ok(Project::new(Kind::WeaveDialogues, seed, settings, items))
}

/// Why a dialogue is not whole.
enum Halt {
    /// These calls are due.
    Due(Vec<Request>),
    /// A person is to decide.
    Waits,
    /// It is out.
    Out(String),
}

/// A dialogue that is whole.
struct Whole {
    /// The number of the picture that each step makes.
    made: Vec<usize>,
    images: Vec<Picture>,
    steps: Vec<Step>,
    question: Option<(String, String)>,
}

/// A dialogue while its replies and decisions are followed.
struct Work<'a> {
    project: &'a Project,
    item: &'a Item,
    /// What people may decide about, with what they see of it.
    seen: Vec<(String, Vec<PromptPart>)>,
    /// Plans that were read, and those that pass the rules.
    plans: (u32, u32),
    has_plan: bool,
}

impl Item {
    fn request(&self, kind: &str, step: &str, number: u32, parts: Vec<PromptPart>) -> Request {
        Request {
            kind: kind.to_owned(),
            thing: format!("{}/{step}/{number}", self.number),
            attempt: number,
            system: None,
            parts,
            wanted: Wanted::Text,
            lacked: String::new(),
        }
    }
}

impl Work<'_> {
    fn verdict(&self, thing: &str) -> Option<Verdict> {
        self.project
            .decision(thing)
            .map(|decision| decision.verdict)
    }

    /// The first draft of a text that follows the rules and that a person accepts.
    fn text<R>(
        &mut self,
        step: &str,
        parts: &[PromptPart],
        read: impl Fn(&str) -> Result<R, Error>,
    ) -> Result<R, Halt> {
        let mut why = String::new();
        for number in 1..=MAX_TRIES {
            let kind = step.trim_end_matches(|c: char| c.is_ascii_digit());
            let request = self.item.request(kind, step, number, parts.to_vec());
            let verdict = self.verdict(&request.thing);
            let reply = self.project.reply(&request);
            let found = reply.map(|reply| read(&reply.text));
            if step == "plan"
                && let Some(found) = &found
            {
                self.plans.0 += 1;
                self.plans.1 += u32::from(found.is_ok());
            }
            if let (Some(reply), Some(Ok(_))) = (reply, &found) {
                let shown = parts
                    .iter()
                    .filter(|part| matches!(part, PromptPart::Picture { .. }));
                let mut look = vec![PromptPart::text(&reply.text)];
                look.extend(shown.cloned());
                self.seen.push((request.thing.clone(), look));
            }
            match (found, verdict) {
                (_, Some(Verdict::Reject)) => "rejected by hand".clone_into(&mut why),
                (Some(Ok(found)), Some(Verdict::Accept)) => return Ok(found),
                (Some(Ok(_)), None) => return Err(Halt::Waits),
                (Some(Err(told)), _) => why = told.to_string(),
                (None, _) => {
                    return Err(Halt::Due(vec![Request {
                        lacked: why,
                        ..request
                    }]));
                }
            }
        }
        Err(Halt::Out(format!("no {step} is in: {why}")))
    }

    /// The picture of a step that a person accepts, of so many candidates.
    fn picture(
        &mut self,
        step: &str,
        candidates: usize,
        parts: &[PromptPart],
    ) -> Result<Picture, Halt> {
        let mut due = Vec::new();
        let mut num_open = 0;
        for number in 1..=MAX_TRIES {
            // Two candidates are of two generators, so their calls can be written to two files.
            let kind = match candidates {
                2 if number % 2 == 0 => "picture_b",
                _ => "picture",
            };
            let path = format!("imgs/d{:03}_{step}_{number}.png", self.item.number);
            let request = Request {
                wanted: Wanted::Picture { path: path.clone() },
                ..self.item.request(kind, step, number, parts.to_vec())
            };
            let made = self.project.picture_of(&request);
            if let Some(made) = &made {
                let mut look = parts.to_vec();
                look.push(made.clone());
                self.seen.push((request.thing.clone(), look));
            }
            match (made, self.verdict(&request.thing)) {
                (Some(PromptPart::Picture { path, sha256 }), Some(Verdict::Accept)) => {
                    return Ok(Picture { path, sha256 });
                }
                (_, Some(Verdict::Reject)) => continue,
                (None, _) if num_open < candidates => due.push(request),
                _ => {}
            }
            num_open += 1;
        }
        match due {
            none if none.is_empty() && num_open > 0 => Err(Halt::Waits),
            none if none.is_empty() => Err(Halt::Out(format!("no picture of {step} is in"))),
            due => Err(Halt::Due(due)),
        }
    }

    /// Follows the dialogue as far as replies and decisions reach.
    fn followed(&mut self) -> Result<Whole, Halt> {
        let item = self.item;
        if self.verdict(&item.number.to_string()) == Some(Verdict::Reject) {
            return Err(Halt::Out("rejected by hand".to_owned()));
        }
        if item.route == Route::Fusion {
            return self.fused();
        }
        let mut images = Vec::new();
        if item.route != Route::Sequential {
            images.push(self.picture("original", 1, &original(&item.scene))?);
        }
        let given = images.len();
        let ask = match item.route {
            Route::Remove => plan::ask_removal(item),
            Route::Derivative => plan::ask_alternatives(item),
            Route::Sequential | Route::Fusion => plan::ask_sequence(item),
        };
        let mut parts = vec![PromptPart::text(ask)];
        parts.extend(images.iter().map(Picture::part));
        let steps = self.text("plan", &parts, |reply| match item.route {
            Route::Remove => plan::read_removal(reply),
            Route::Derivative => plan::read_alternatives(reply, item.alternatives),
            Route::Sequential | Route::Fusion => plan::read_sequence(reply),
        })?;
        self.has_plan = true;
        let candidates = match item.route {
            Route::Remove => 2,
            _ => 1,
        };
        for (number, step) in (1..).zip(&steps) {
            let parts = step_parts(step, &images);
            images.push(self.picture(&format!("step{number}"), candidates, &parts)?);
        }
        let question = if item.route == Route::Derivative {
            let mut parts = labelled(&images);
            parts.push(PromptPart::text(plan::ask_comparison()));
            let count = images.len();
            Some(self.text("question", &parts, |reply| {
                plan::read_comparison(reply, count)
            })?)
        } else {
            None
        };
        Ok(Whole {
            made: (given + 1..=images.len()).collect(),
            images,
            steps,
            question,
        })
    }
}

/// The request for a scene's picture.
fn original(scene: &str) -> [PromptPart; 1] {
    let text =
        format!("Make a detailed picture of {scene}, as a photo or as the scene is usually drawn.");
    [PromptPart::text(text)]
}

/// Each picture behind its number.
fn labelled(images: &[Picture]) -> Vec<PromptPart> {
    let images = (1..).zip(images);
    let parts = images.flat_map(|(k, picture): (u32, _)| {
        [PromptPart::text(format!("Image #{k}:")), picture.part()]
    });
    parts.collect()
}

/// A step as a generator gets it: its pictures numbered from 1, as they are shown.
fn step_parts(step: &Step, images: &[Picture]) -> Vec<PromptPart> {
    let place = |k| step.uses.iter().position(|one| *one == k).map(|at| at + 1);
    let mut parts = vec![PromptPart::text(renumbered(
        &step.instruction,
        "Image #",
        place,
    ))];
    let shown = step.uses.iter();
    parts.extend(shown.filter_map(|k| Some(images.get(k.checked_sub(1)?)?.part())));
    parts
}

/// A dialogue as WEAVE's list has it.
fn exported(item: &Item, whole: &Whole) -> Json {
    let message = |role: &str, kind: &str, content: &str| {
        vec![
            ("role".to_owned(), Json::from(role)),
            ("type".to_owned(), Json::from(kind)),
            ("content".to_owned(), Json::from(content)),
        ]
    };
    let mut chats = Vec::new();
    for (made, step) in whole.made.iter().zip(&whole.steps) {
        let mut points = vec![(
            format!("GT #{made}"),
            Json::Text(format!("{} Compare with <image>.", step.requirement)),
        )];
        points.extend(step.kept.iter().map(|(k, text)| {
            // No model makes a picture that is given.
            let is_made = whole.made.contains(k);
            let word = if is_made { "Image" } else { "GT" };
            (format!("{word} #{k}"), Json::from(text.as_str()))
        }));
        let mut answer = message("assistant", "image", &format!("Image #{made}"));
        answer.push(("key_point".to_owned(), Json::Object(points)));
        chats.push(Json::Object(message("user", "text", &step.instruction)));
        chats.push(Json::Object(answer));
    }
    if let Some((question, answer)) = &whole.question {
        let mut answer = message("assistant", "text", answer);
        answer.push(("key_point".to_owned(), Json::Null));
        chats.push(Json::Object(message("user", "text", question)));
        chats.push(Json::Object(answer));
    }
    let images = whole.images.iter().map(|picture| picture.path.as_str());
    Json::Object(vec![
        ("idx".to_owned(), Json::Number(f64::from(item.number))),
        ("domain".to_owned(), Json::from(item.route.domain())),
        ("images".to_owned(), Json::texts(images)),
        ("chats".to_owned(), Json::List(chats)),
    ])
}

impl Project {
    fn works(&self) -> Vec<(Work<'_>, Result<Whole, Halt>)> {
        let items = self.things.iter().map(|item| {
            let mut work = Work {
                project: self,
                item,
                seen: Vec::new(),
                plans: (0, 0),
                has_plan: false,
            };
            let outcome = work.followed();
            (work, outcome)
        });
        items.collect()
    }
}

impl Making for Project {
    fn due(&self) -> Vec<Request> {
        let works = self.works().into_iter();
        let due = works.filter_map(|(_, outcome)| match outcome {
            Err(Halt::Due(requests)) => Some(requests),
            _ => None,
        });
        due.flatten().collect()
    }

    fn progress(&self) -> Progress {
        let mut rows = Route::ALL.map(|route| ProgressRow::of(route.id()));
        let (mut read, mut passed, mut waiting) = (0, 0, 0);
        for (work, outcome) in self.works() {
            read += work.plans.0;
            passed += work.plans.1;
            let id = work.item.route.id();
            let Some(row) = rows.iter_mut().find(|row| row.group == id) else {
                continue;
            };
            row.drawn += 1;
            row.made += u32::from(!work.seen.is_empty());
            row.passed += u32::from(work.has_plan);
            match outcome {
                Ok(_) => row.accepted += 1,
                Err(Halt::Out(why)) => row.reject(&why),
                Err(Halt::Waits) => waiting += 1,
                Err(Halt::Due(_)) => {}
            }
        }
        Progress {
            samples: rows.iter().map(|row| row.accepted).sum(),
            rows: rows.into_iter().filter(|row| row.drawn > 0).collect(),
            due: due_of(&self.due()),
            remarks: vec![
                format!("Plans that follow the rules: {passed} of {read}."),
                format!("Dialogues that wait for a person: {waiting}."),
            ],
        }
    }

    fn things(&self) -> Vec<String> {
        let works = self.works().into_iter();
        let things = works.flat_map(|(work, _)| {
            let seen = work.seen.into_iter().map(|(thing, _)| thing);
            std::iter::once(work.item.number.to_string()).chain(seen)
        });
        things.collect()
    }

    fn look(&self, thing: &str) -> Vec<PromptPart> {
        let mut seen = self.works().into_iter().flat_map(|(work, _)| work.seen);
        seen.find(|(name, _)| name == thing)
            .map_or_else(Vec::new, |(_, parts)| parts)
    }

    fn decided(&self, thing: &str) -> Option<&Decision> {
        self.decision(thing)
    }

    fn files(&self) -> Result<Vec<OutFile>, Error> {
        let (mut list, mut report) = (Vec::new(), Vec::new());
        for (work, outcome) in self.works() {
            let mut counts: BTreeMap<&str, Json> = BTreeMap::new();
            counts.insert("item", Json::Number(f64::from(work.item.number)));
            counts.insert("route", Json::from(work.item.route.id()));
            counts.insert("category", Json::from(work.item.category.as_str()));
            counts.insert("scene", Json::from(work.item.scene.as_str()));
            let state = match &outcome {
                Ok(whole) => {
                    list.push(exported(work.item, whole));
                    "accepted"
                }
                Err(Halt::Due(_)) => "a call is due",
                Err(Halt::Waits) => "waits for a person",
                Err(Halt::Out(why)) => why,
            };
            counts.insert("state", Json::from(state));
            let members = counts.into_iter();
            let members = members.map(|(key, value)| (key.to_owned(), value));
            report.push(Json::Object(members.collect()));
        }
        let mut files = vec![OutFile {
            path: REPORT.to_owned(),
            text: pretty(&report),
        }];
        if !list.is_empty() {
            files.push(OutFile {
                path: LIST.to_owned(),
                text: pretty(&list),
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
