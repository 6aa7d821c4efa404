//! A generator's job whose pictures the host keeps: what it would ask for, and what came of it so far.

use std::collections::{BTreeMap, HashMap, HashSet};

use crate::error::Error;
use crate::input_folder::{InputGap, InputGaps, InputQuery};
use crate::state::Session;
use crate::study::LinkedSession;
use crate::view::SampleQuery;
use juror_judging::generating::{self, FORMAT, Record, State};
use juror_judging::provider::PictureWire;
use juror_model::experiment::{Factor, FactorLevel, Variant};
use juror_model::judge::Params;
use juror_model::tree::FileId;
use serde::{Deserialize, Serialize};

use super::plan::{
    AskedTurns, KnownOutput, KnowsOutputs, OutputPlan, OutputRules, OutputTask, Reasons,
};
use super::{output_lists, shows_own_outputs};

/// What has a dialogue go on, and a request sent again, in words.
const GO_ON: &str = "with “Go on with the data set’s picture” the rest of it is asked for";
const ASK_AGAIN: &str = "“Ask again”";

/// Which outputs are asked for, and of whom.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(deny_unknown_fields)]
pub struct GenerateScope {
    /// What the model is called; a level is added to it.
    pub name: String,
    /// How the service is spoken to.
    pub wire: PictureWire,
    /// The service's name of the model, and its parameters.
    pub params: Params,
    /// Whether turns that ask for a text are asked for, as chat calls, instead of those that ask for a picture.
    pub texts: bool,
    /// The level of a factor that the requests are written on.
    pub level: Option<FactorLevel>,
    /// Which samples: a filter of the sample list; empty for all.
    pub filter: String,
    /// Whether the data set's picture takes the place of one that failed.
    pub goes_on: bool,
    /// Whether what the service declined, or what was made otherwise, is asked for again.
    pub again: bool,
    /// No more than so many requests; 0 for all.
    pub limit: u32,
}

impl GenerateScope {
    /// The model under whose name outputs are filed.
    pub fn model(&self) -> String {
        let levels = self.level.iter();
        let variant = Variant {
            base: self.name.trim().to_owned(),
            levels: levels
                .map(|one| (one.factor.clone(), one.level.clone()))
                .collect(),
        };
        variant.name()
    }
}

/// What a job would ask for.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct GeneratePlan {
    /// The model under whose name outputs are filed.
    pub model: String,
    /// Outputs that are asked for.
    pub requests: u32,
    /// Samples, or dialogues, that they are of.
    pub dialogues: u32,
    /// Pictures that go along, as far as they are known now.
    pub given: u32,
    /// Outputs that are there.
    pub made: u32,
    /// Turns of the other kind: that ask for a text, or for a picture.
    pub other: u32,
    /// Requests beyond the limit.
    pub beyond: u32,
    /// Whether later turns are shown the model's own pictures, so that those of a dialogue follow each other.
    pub is_own: bool,
    /// Outputs that are missing and are not asked for.
    pub lacking: Vec<InputGap>,
    /// Outputs that are there and were made otherwise.
    pub changed: Vec<InputGap>,
    /// What requests can be varied by.
    pub factors: Vec<Factor>,
    /// Why nothing can be asked.
    pub problem: Option<String>,
}

/// A model whose outputs the host keeps.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct GeneratedModel {
    /// Its name.
    pub model: String,
    /// The service's name of it.
    pub service: String,
    /// Pictures and texts that are there.
    pub made: u32,
    /// Texts among them that ended at the limit of their tokens.
    pub cut: u32,
    /// Of those, made where the data set's pictures went along instead of the model's own.
    pub leaked: u32,
    /// Requests that were given up and brought nothing since.
    pub given_up: u32,
    /// When the last answer came.
    pub time: String,
}

/// A picture that the host keeps.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct GeneratedFile {
    /// Its path: the model, then its place in the model's folder.
    pub path: String,
    /// SHA-256 of its content.
    pub sha256: String,
    /// Whether a file of this path is open.
    pub is_there: bool,
}

/// A text of an export.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct GeneratedText {
    /// Its path.
    pub path: String,
    /// All of it.
    pub text: String,
}

/// A model's folder as `juror generate` writes it, with its journal next to it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct GeneratedFolder {
    /// The journal, and lists that the authors' programs read.
    pub texts: Vec<GeneratedText>,
    /// Its pictures.
    pub pictures: Vec<GeneratedFile>,
}

/// Whether a model's folder can have this name on every system.
pub fn is_folder_name(name: &str) -> bool {
    !name.is_empty()
        && !name.starts_with('.')
        && !name.contains(|sign: char| sign.is_control() || "/\\:*?\"<>|".contains(sign))
}

/// Takes records in that were kept.
pub fn add_generated(session: &mut Session, records: Vec<Record>) {
    session.data.generated.extend(records);
}

/// Takes in those of some kept records that are not there yet; how many they are.
pub fn add_unknown_generated(session: &mut Session, mut kept: Vec<Record>) -> usize {
    let known: HashSet<Stamp<'_>> = session.data.generated.iter().map(stamp).collect();
    kept.retain(|record| !known.contains(&stamp(record)));
    let count = kept.len();
    session.data.generated.extend(kept);
    count
}

/// What tells a record from every other: what it is of, when, and what came.
type Stamp<'a> = ((&'a str, &'a str, u32), (&'a str, &'a str, &'a str));

fn stamp(record: &Record) -> Stamp<'_> {
    (
        (&record.model, &record.sample, record.turn),
        (&record.time, &record.request, &record.sha256),
    )
}

/// What a job of this scope would ask for.
pub fn plan_generate(session: &mut Session, scope: &GenerateScope) -> GeneratePlan {
    let factors = crate::factors(session);
    let model = scope.model();
    let planned = generate_tasks(session, scope);
    let is_own = shows_own_outputs(session, scope.level.as_ref());
    let plan = match planned {
        Ok(plan) => plan,
        Err(problem) => {
            return GeneratePlan {
                model,
                factors,
                is_own,
                problem: Some(problem.to_string()),
                ..GeneratePlan::default()
            };
        }
    };
    let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
    let tasks = plan.chains.iter().flatten().chain(&plan.texts);
    let given = tasks.map(|task| task.pictures).sum();
    let (requests, dialogues) = (plan.requests(), plan.chains.len());
    let mut lacking = grouped(plan.lacking);
    lacking.extend(plan.gaps.into_list());
    GeneratePlan {
        model,
        requests: count(requests),
        dialogues: count(dialogues),
        given: count(given),
        made: plan.made,
        other: plan.of_other_kind,
        beyond: count(plan.beyond),
        is_own,
        lacking,
        changed: grouped(plan.changed),
        factors,
        problem: None,
    }
}

fn grouped(reasons: Reasons) -> Vec<InputGap> {
    let mut gaps = InputGaps::default();
    for (name, why) in reasons {
        gaps.add(None, &why, || name);
    }
    gaps.into_list()
}

/// Why nothing can be asked.
fn problem_of(session: &mut Session, scope: &GenerateScope) -> Option<String> {
    if scope.params.model.is_empty() {
        return Some("Name the model as the service calls it.".to_owned());
    }
    if !is_folder_name(scope.name.trim()) {
        return Some(format!(
            "“{}” cannot be the name of a folder, which the model's pictures are saved in; write another.",
            scope.name
        ));
    }
    let checked = if scope.texts {
        let params = scope.params.check(scope.wire.wire());
        params.map_err(juror_judging::error::Error::from)
    } else {
        scope.wire.check(&scope.params)
    };
    if let Err(cause) = checked {
        return Some(cause.to_string());
    }
    let level = scope.level.as_ref();
    if let Some(Err(cause)) = level.map(|level| level.position(&crate::factors(session))) {
        return Some(cause.to_string());
    }
    let model = scope.model();
    let is_kept = session.data.generated.iter().any(|one| one.model == model);
    let is_open = session.linked().world().model(&model).is_some();
    (is_open && !is_kept).then(|| {
        format!(
            "The files that are open have a model {model} already, which this browser did not make; write another name."
        )
    })
}

/// The tasks of a job of this scope.
///
/// # Errors
/// Something is missing, is called what nothing can be, or cannot be read; in words.
pub fn generate_tasks(session: &mut Session, scope: &GenerateScope) -> Result<OutputPlan, Error> {
    if let Some(problem) = problem_of(session, scope) {
        return Err(Error::Generating(problem));
    }
    let query = InputQuery {
        samples: SampleQuery {
            q: scope.filter.clone(),
            ..SampleQuery::default()
        },
        model: scope.model(),
        levels: scope.level.iter().cloned().collect(),
    };
    let list = crate::samples(&session.study_under_any(), &query.samples);
    if let Some(fault) = list.fault {
        let words = format!("The filter: {} {}", fault.message, fault.hint);
        return Err(Error::Generating(words));
    }
    let ids: Vec<String> = list.rows.into_iter().map(|row| row.id).collect();
    let is_own = shows_own_outputs(session, scope.level.as_ref());
    let rules = OutputRules {
        turns: if scope.texts {
            AskedTurns::Texts
        } else {
            AskedTurns::Pictures
        },
        is_own,
        stops: is_own && !scope.goes_on,
        is_again: scope.again,
        limit: usize::try_from(scope.limit).ok().filter(|limit| *limit > 0),
        go_on: GO_ON,
        ask_again: ASK_AGAIN,
    };
    let mut records: HashMap<(String, u32), Vec<Record>> = HashMap::new();
    for record in &session.data.generated {
        if record.model == query.model {
            let of_turn = records.entry((record.sample.clone(), record.turn));
            of_turn.or_default().push(record.clone());
        }
    }
    let mut knows = Keeping {
        session,
        scope,
        records,
    };
    OutputPlan::new(&mut knows, &rules, (&query, &ids))
}

/// What kept records tell.
struct Keeping<'a> {
    session: &'a mut Session,
    scope: &'a GenerateScope,
    /// Those of the model, by sample and turn.
    records: HashMap<(String, u32), Vec<Record>>,
}

impl KnowsOutputs for Keeping<'_> {
    type Error = Error;

    fn session(&mut self) -> &mut Session {
        self.session
    }

    fn known(&mut self, task: &OutputTask, rests_on_new: bool) -> Result<KnownOutput, Error> {
        let key = (task.key.sample.clone(), task.key.turn);
        let Some(own) = self.records.get(&key) else {
            return Ok(KnownOutput::Due);
        };
        let is_same = |record: &&Record| {
            record.wire == Some(self.scope.wire) && record.params == self.scope.params
        };
        let made = own.iter().rfind(|record| record.state == State::Made);
        if let Some(made) = made {
            return Ok(if rests_on_new {
                KnownOutput::Changed("it rests on a picture that is asked for again")
            } else if is_same(&made) {
                KnownOutput::Made
            } else {
                KnownOutput::Changed("it was made by another service, or with other parameters")
            });
        }
        let last = own.last().filter(|last| last.is_declined()).filter(is_same);
        Ok(last.map_or(KnownOutput::Due, |last| {
            KnownOutput::Declined(last.error.clone().unwrap_or_default())
        }))
    }
}

/// The last record of each file of a model that was made.
fn made(session: &Session) -> BTreeMap<(&str, &str), &Record> {
    let records = session.data.generated.iter();
    let made = records.filter(|record| record.state == State::Made);
    made.map(|record| ((record.model.as_str(), record.file.as_str()), record))
        .collect()
}

/// The models whose outputs the host keeps, by name.
pub fn generated_models(session: &Session) -> Vec<GeneratedModel> {
    let mut found: BTreeMap<&str, GeneratedModel> = BTreeMap::new();
    let mut open: HashSet<(&str, &str, u32)> = HashSet::new();
    for record in &session.data.generated {
        let one = found
            .entry(&record.model)
            .or_insert_with(|| GeneratedModel {
                model: record.model.clone(),
                service: String::new(),
                made: 0,
                cut: 0,
                leaked: 0,
                given_up: 0,
                time: String::new(),
            });
        one.service.clone_from(&record.params.model);
        one.time.clone_from(&record.time);
        let place = (record.model.as_str(), record.sample.as_str(), record.turn);
        match record.state {
            State::Made => _ = open.remove(&place),
            State::GivenUp => _ = open.insert(place),
            State::Received | State::Failed => {}
        }
    }
    for ((model, _), record) in made(session) {
        if let Some(one) = found.get_mut(model) {
            one.made += 1;
            one.cut += u32::from(record.cut);
            one.leaked += u32::from(record.leaked);
        }
    }
    for (model, ..) in open {
        if let Some(one) = found.get_mut(model) {
            one.given_up += 1;
        }
    }
    found.into_values().collect()
}

/// The pictures that the host keeps.
pub fn generated_files(session: &Session) -> Vec<GeneratedFile> {
    let mut files: Vec<GeneratedFile> = made(session)
        .into_iter()
        .map(|((model, file), record)| GeneratedFile {
            path: format!("{model}/{file}"),
            sha256: record.sha256.clone(),
            is_there: false,
        })
        .collect();
    let tree = &session.loader.tree;
    let mut there: HashSet<String> = HashSet::new();
    if !files.is_empty() {
        let wanted: HashSet<&str> = files.iter().map(|one| one.path.as_str()).collect();
        let all = (0..tree.len()).filter_map(|file| FileId::try_from(file).ok());
        for path in all.map(|file| tree.path(file)) {
            // A folder that holds the model's folder may be open instead.
            let below = path.match_indices('/').map(|(at, _)| &path[at + 1..]);
            let tails = std::iter::once(path).chain(below);
            there.extend(tails.filter(|one| wanted.contains(one)).map(str::to_owned));
        }
    }
    for file in &mut files {
        file.is_there = there.contains(&file.path);
    }
    files
}

/// A model's folder, for an export.
///
/// # Errors
/// No picture of it is kept, or a list of its outputs cannot be written.
pub fn generated_folder(
    session: &LinkedSession<'_>,
    model: &str,
) -> Result<GeneratedFolder, Error> {
    let records = session.data.generated.iter();
    let own: Vec<&Record> = records.filter(|record| record.model == model).collect();
    if own.is_empty() {
        return Err(Error::no_model(model));
    }
    let mut folder = GeneratedFolder::default();
    folder.texts.push(GeneratedText {
        path: format!("{model}.generate.jsonl"),
        text: own.iter().map(|record| generating::line(record)).collect(),
    });
    let made = made(session);
    for list in output_lists(session) {
        let is_there = |place: &str| made.contains_key(&(model, place));
        if !list.places().any(is_there) {
            continue;
        }
        let text = list.listed(session, "", &is_there);
        folder.texts.push(GeneratedText {
            path: format!("{model}/{}", list.path),
            text: text.map_err(|cause| Error::Generating(cause.to_string()))?,
        });
    }
    let pictures = generated_files(session).into_iter();
    let own = format!("{model}/");
    folder.pictures = pictures.filter(|one| one.path.starts_with(&own)).collect();
    Ok(folder)
}

/// What every record of a job says.
pub fn generated_head(session: &Session, scope: &GenerateScope, host: &str) -> Record {
    Record {
        format: FORMAT.to_owned(),
        protocol: session.loader.protocol.id().to_owned(),
        model: scope.model(),
        wire: Some(scope.wire),
        host: host.to_owned(),
        params: scope.params.clone(),
        ..Record::default()
    }
}
