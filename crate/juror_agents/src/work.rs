//! The loops over linked data: what a job would call, one call at a time, and the strips of steps.

use std::collections::{BTreeMap, HashMap, HashSet};

use serde::{Deserialize, Serialize};

use super::{
    AgentError, Call, ContentPart, Due, Framework, Kind, Loops, MAX_STEPS, Made, Mark, Record, Set,
    Start, Step, Trajectory, call_of, follow, picture_path, write,
};
use juror_judging::error::Error;
use juror_judging::picture_marks;
use juror_judging::provider::{self, Auth, Content, Payload, PictureWire};
use juror_model::judge::{Params, Wire};
use juror_model::linked::World;
use juror_model::options::ScoreOptions;
use juror_model::request::{PartView, Treatment};
use juror_model::row::MEASURED;
use juror_model::sample::{PictureView, Sample};
use juror_model::score::Scores;
use juror_model::tree::{FileId, join};

/// The folder that kept pictures appear in, and that an export has.
pub const FOLDER: &str = "agents";
/// The file of records in it.
pub const RECORDS: &str = "trajectories.jsonl";

/// Which trajectories a job makes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(deny_unknown_fields)]
pub struct AgentScope {
    /// Whose.
    pub set: Set,
    /// Pictures of each, from 1 to 9.
    pub steps: u32,
    /// Tasks; all if empty.
    pub domains: Vec<String>,
    /// The first so many sets of each task; 0 for all.
    pub per_domain: u32,
}

/// One trajectory of a job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct AgentTask {
    /// Sample id.
    pub sample: String,
    /// The calls that it still needs, in order, if the planner does not stop early.
    pub calls: Vec<Kind>,
}

/// What a job of agents would do.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct AgentPlan {
    /// Trajectories that are not at their end, in the order of the samples.
    pub tasks: Vec<AgentTask>,
    /// Pictures to be made, at most.
    pub pictures: u32,
    /// Planner's calls, at most.
    pub plans: u32,
    /// Pictures shown to the generator, at most.
    pub pictures_to_generator: u32,
    /// Pictures shown to the planner, at most.
    pub pictures_to_planner: u32,
    /// Characters of the planner's texts, as long as the first prompts are now.
    pub planner_chars: f64,
    /// Trajectories at their end.
    pub finished: u32,
    /// Samples whose prompt is not known.
    pub impossible: u32,
    /// Every task of the benchmark with its number of sets.
    pub domains: Vec<(String, u32)>,
    /// Why nothing can be sent: a name that is taken, or none.
    pub problem: Option<String>,
}

/// One trajectory.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(deny_unknown_fields)]
pub struct AgentKey {
    /// Whose.
    pub set: Set,
    /// Sample id.
    pub sample: String,
    /// Pictures to make.
    pub steps: u32,
}

/// The call that a trajectory waits for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct AgentCall {
    /// What is due; where nothing is, the rest is empty.
    pub due: Due,
    /// The parts of the one message, in order.
    pub parts: Vec<PartView>,
    /// The reply grammar in one line.
    pub grammar: String,
    /// Files whose bytes the hash still needs.
    pub needs: Vec<u32>,
    /// The record of the call, to be completed by what comes back.
    pub record: Option<Record>,
}

/// The two services that a job calls.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(deny_unknown_fields)]
pub struct AgentServices {
    /// How the planner is spoken to.
    pub planner_wire: Wire,
    /// Its address; empty for the provider's own.
    pub planner_base: String,
    /// Its model and parameters.
    pub planner: Params,
    /// How the generator is spoken to.
    pub generator_wire: PictureWire,
    /// Its address; empty for the provider's own.
    pub generator_base: String,
    /// Its model and parameters.
    pub generator: Params,
}

/// A call as it is sent, its pictures still to be put in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct AgentBody {
    /// The record of the call, to be completed by what comes back.
    pub record: Record,
    /// Where it is posted to.
    pub url: String,
    /// How the key goes into it.
    pub auth: Auth,
    /// A JSON body with each picture's token where its base64 belongs; `None` for a form.
    pub json: Option<String>,
    /// Plain fields of a form.
    pub fields: Vec<(String, String)>,
    /// The pictures, in order.
    pub pictures: Vec<AgentPicture>,
    /// What was answered to this very call before, where nothing could be made of it then: it is paid for.
    pub paid: Option<String>,
}

/// A picture of a call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct AgentPicture {
    /// The mark that replaces its base64.
    pub token: String,
    /// What stands for its media type: bytes may be of another kind than their name says.
    pub media_token: String,
    /// The form's field.
    pub field: String,
    /// Its path.
    pub path: String,
    /// The file, where it is listed.
    pub file: Option<u32>,
    /// SHA-256 of a generated picture.
    pub sha256: Option<String>,
}

/// A picture that was kept and is to be listed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct AgentFile {
    /// Its path, in MultiBanana's own layout.
    pub path: String,
    /// SHA-256 of its content.
    pub sha256: String,
}

/// A file of an export.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct AgentExport {
    /// Its path in the folder.
    pub name: String,
    /// The file that it is.
    pub file: u32,
}

/// Trajectories of one maker.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct AgentSetView {
    /// Whose.
    pub set: Set,
    /// The last step that has a picture.
    pub steps: u32,
    /// Samples begun.
    pub trajectories: u32,
    /// Of them, those that have a picture for every step, or were ended by the planner.
    pub finished: u32,
    /// Of these, those that the planner ended early.
    pub stopped: u32,
    /// Those whose last call failed.
    pub failed: u32,
    /// The models of the steps as the tables name them; empty where there is none.
    pub models: Vec<String>,
}

/// Which strips are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "snake_case")]
pub enum AgentWhich {
    /// Those that were begun.
    #[default]
    Begun,
    /// Those whose last call failed.
    Failed,
    /// Those that the planner ended early.
    Stopped,
    /// Every sample.
    All,
}

/// Which strips are asked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(deny_unknown_fields)]
pub struct AgentQuery {
    /// Whose.
    pub set: Set,
    /// Steps of each; 0 for as many as there are.
    pub steps: u32,
    /// Profile and policy.
    pub options: ScoreOptions,
    /// Which.
    pub which: AgentWhich,
    /// Part of the sample's id.
    pub text: String,
    /// The first that is wanted.
    pub offset: u32,
    /// How many are wanted.
    pub limit: u32,
}

/// Some strips.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct AgentStrips {
    /// How many there are in all.
    pub total: u32,
    /// Those wanted.
    pub strips: Vec<AgentStrip>,
}

/// One trajectory, step by step.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct AgentStrip {
    /// Sample id.
    pub sample: String,
    /// Its references, `R_0` first.
    pub references: Vec<PictureView>,
    /// Its steps.
    pub steps: Vec<AgentStep>,
    /// What it waits for.
    pub due: Due,
}

/// One step.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct AgentStep {
    /// From 1.
    pub step: u32,
    /// What the generator was told, without the note about the previous picture.
    pub prompt: String,
    /// The references that it was shown.
    pub references: Vec<u32>,
    /// The planner's raw reply that led here; empty at the first step.
    pub reply: String,
    /// What is to be known of that reply.
    pub mark: Option<Mark>,
    /// What the generator wrote beside its picture.
    pub remark: String,
    /// The picture's file.
    pub file: Option<u32>,
    /// Where the picture lies.
    pub path: String,
    /// The picture is an earlier step's: the planner had ended the loop.
    pub is_carried: bool,
    /// Why the picture, or the plan that follows it, is missing.
    pub failed: Option<String>,
    /// The model that the picture is an output of.
    pub model: String,
    /// Each judge's total on the printed scale; `None` where it has none.
    pub scores: Vec<(String, Option<f64>)>,
}

/// Records of each sample of a set, in order.
type Records<'a> = HashMap<&'a str, Vec<&'a Record>>;

/// What the loops see of what is open.
#[derive(Clone, Debug)]
pub struct AgentData<'a> {
    /// Whose loops they are; `None` where the benchmark has none.
    pub loops: Option<Loops>,
    /// The benchmark and the models, whose outputs the steps' pictures become.
    pub world: World<'a>,
    /// Records that were kept.
    pub kept: &'a [Record],
    /// Every record that counts: those kept, then those of opened files by path.
    pub records: Vec<&'a Record>,
    /// Folders that steps' pictures may lie in, the likeliest first.
    pub folders: Vec<&'a str>,
    /// SHA-256 of files that were hashed.
    pub hashes: &'a HashMap<FileId, String>,
    /// The scores in force.
    pub scores: &'a Scores,
}

impl<'a> AgentData<'a> {
    /// What a job of this scope would call.
    pub fn plan(&self, scope: &AgentScope) -> AgentPlan {
        self.plan_part(scope, &|_| true)
    }

    /// The same for those of the scope's samples that are meant, by their ids.
    pub fn plan_part(&self, scope: &AgentScope, is_meant: &dyn Fn(&str) -> bool) -> AgentPlan {
        let mut plan = AgentPlan {
            problem: self.refusal(&scope.set),
            ..AgentPlan::default()
        };
        let mut sets = self.by_set();
        let records = sets.remove(&scope.set).unwrap_or_default();
        let mut seen: HashMap<&str, u32> = HashMap::new();
        let world = &self.world;
        for sample in &world.benchmark.samples {
            let is_asked = scope.domains.is_empty() || scope.domains.contains(&sample.domain);
            let number = seen.entry(&sample.domain).or_default();
            *number += 1;
            match plan.domains.last_mut() {
                Some((domain, sets)) if *domain == sample.domain => *sets += 1,
                _ => plan.domains.push((sample.domain.clone(), 1)),
            }
            let is_beyond = scope.per_domain > 0 && *number > scope.per_domain;
            if !is_asked || is_beyond || !is_meant(&sample.id) {
                continue;
            }
            let Some(start) = self.start(sample, &scope.set, scope.steps) else {
                plan.impossible += 1;
                continue;
            };
            let own = records
                .get(sample.id.as_str())
                .map_or(&[][..], Vec::as_slice);
            let due = self.trajectory(sample, &start, own).due;
            let calls = due.calls(start.steps);
            if calls.is_empty() {
                plan.finished += 1;
                continue;
            }
            plan.count(&start, &calls);
            plan.tasks.push(AgentTask {
                sample: sample.id.clone(),
                calls,
            });
        }
        plan
    }

    /// The call that a trajectory waits for.
    ///
    /// # Errors
    /// There is no such sample, its prompt is not known, or the set's name cannot be used.
    pub fn call(&self, key: &AgentKey) -> Result<AgentCall, AgentError> {
        if let Some(problem) = self.refusal(&key.set) {
            return Err(AgentError::BadSet(problem));
        }
        let world = &self.world;
        let unknown = || AgentError::UnknownSample(key.sample.clone());
        let sample = world.sample(&key.sample).ok_or_else(unknown)?;
        let start = self
            .start(sample, &key.set, key.steps)
            .ok_or_else(unknown)?;
        let all = self.records.iter().copied();
        let own: Vec<&Record> = all
            .filter(|record| record.sample == key.sample && record.set == key.set)
            .collect();
        let trajectory = self.trajectory(sample, &start, &own);
        let needs: Vec<FileId> = sample
            .pictures
            .iter()
            .filter_map(|picture| picture.file)
            .filter(|file| !self.hashes.contains_key(file))
            .collect();
        let Some(call) = call_of(&start, &trajectory) else {
            return Ok(AgentCall {
                due: trajectory.due,
                parts: Vec::new(),
                grammar: String::new(),
                needs,
                record: None,
            });
        };
        let parts = call.parts().into_iter().map(|part| match part {
            ContentPart::Text(text) => Ok(PartView::Text {
                text: text.to_owned(),
            }),
            ContentPart::Reference(index) => self.reference(sample, index),
            ContentPart::Generated(_) => Ok(self.generated(trajectory.last_picture())),
        });
        let parts: Result<Vec<PartView>, AgentError> = parts.collect();
        let hash = self.call_hash(&start, sample, &call);
        Ok(AgentCall {
            due: trajectory.due,
            parts: parts?,
            grammar: call.grammar(),
            needs,
            record: Some(Record::draft(
                start.loops,
                &key.set,
                &key.sample,
                &call,
                hash,
            )),
        })
    }

    /// The call that a trajectory waits for, as it is sent; `None` where it waits for none.
    ///
    /// # Errors
    /// As [`AgentData::call`], and a parameter that the request itself fills.
    pub fn body(
        &self,
        key: &AgentKey,
        services: &AgentServices,
    ) -> Result<Option<AgentBody>, AgentError> {
        let planner = services.planner.check(services.planner_wire);
        let generator = services.generator_wire.check(&services.generator);
        planner
            .map_err(Error::from)
            .and(generator)
            .map_err(|error| AgentError::BadParameters(error.to_string()))?;
        let call = self.call(key)?;
        let Some(mut record) = call.record else {
            return Ok(None);
        };
        let pictures = pictures_of(&call.parts, record.given.as_deref());
        let params = match record.kind {
            Kind::Plan => &services.planner,
            Kind::Picture => &services.generator,
        };
        record.parameters.clone_from(&params.extra);
        for (name, value) in [
            (
                "temperature",
                params.temperature.map(|x| serde_json::json!(x)),
            ),
            (
                "max_tokens",
                params.max_tokens.map(|x| serde_json::json!(x)),
            ),
        ] {
            if let Some(value) = value {
                record.parameters.insert(name.to_owned(), value);
            }
        }
        let paid = self.paid(&record);
        let body = match record.kind {
            Kind::Plan => plan_body(record, &call.parts, pictures, services),
            Kind::Picture => picture_body(record, &call.parts, pictures, services),
        };
        Ok(Some(AgentBody { paid, ..body }))
    }

    /// The last answer to a call that was paid for and that nothing could be made of.
    fn paid(&self, draft: &Record) -> Option<String> {
        let mut kept = self.records.iter().rev();
        kept.find_map(|record| record.body.clone().filter(|_| record.is_of(draft)))
    }

    /// The pictures that the steps' models are made of and that are not listed yet, those that stand for later steps
    /// after an early stop included.
    pub fn files(&self) -> Vec<AgentFile> {
        let kept: HashSet<&str> = self
            .kept
            .iter()
            .filter_map(|record| Some(record.picture.as_ref()?.sha256.as_str()))
            .collect();
        // A picture that only an opened file of records tells of is missing where its file is.
        let pictures = self.step_pictures();
        let new = pictures.filter(|(path, sha256)| {
            kept.contains(sha256.as_str()) && self.find_made(path).is_none()
        });
        new.map(|(path, sha256)| AgentFile {
            path: join(FOLDER, &path),
            sha256,
        })
        .collect()
    }

    /// The pictures of all steps, for an export beside [`AgentData::text`].
    pub fn export(&self) -> Vec<AgentExport> {
        let pictures = self.step_pictures();
        let listed = pictures.filter_map(|(path, _)| Some((self.find_made(&path)?, path)));
        listed
            .map(|(file, path)| AgentExport {
                name: join(FOLDER, &path),
                file,
            })
            .collect()
    }

    /// Path and content of the picture of each step of each trajectory.
    fn step_pictures(&self) -> impl Iterator<Item = (String, String)> {
        self.walk().into_iter().flat_map(|begun| {
            let pictures = (1..=begun.steps).filter_map(move |step| {
                let made = begun.trajectory.picture_of(step)?;
                let path = path_of(begun.set, step, &begun.sample.id, made);
                Some((path, made.sha256.clone()))
            });
            pictures.collect::<Vec<_>>()
        })
    }

    /// Every trajectory that was begun, set by set in the order of the samples.
    fn walk(&self) -> Vec<StartedLoop<'a>> {
        let benchmark = self.world.benchmark;
        let mut all = Vec::new();
        for (set, records) in self.by_set() {
            let steps = reached(&records);
            for sample in &benchmark.samples {
                let own = records.get(sample.id.as_str());
                if let (Some(own), Some(start)) = (own, self.start(sample, set, steps)) {
                    let trajectory = self.trajectory(sample, &start, own);
                    all.push(StartedLoop {
                        set,
                        steps,
                        sample,
                        trajectory,
                    });
                }
            }
        }
        all
    }

    /// Every record, as `trajectories.jsonl`; one that is at hand twice is written once.
    pub fn text(&self) -> String {
        let mut seen = HashSet::new();
        let text = write(self.records.iter().copied());
        let lines = text.lines().filter(|line| seen.insert(*line));
        lines.flat_map(|line| [line, "\n"]).collect()
    }

    /// Who made trajectories, and how far they came.
    pub fn sets(&self) -> Vec<AgentSetView> {
        let mut views: Vec<AgentSetView> = Vec::new();
        for begun in self.walk() {
            if views.last().is_none_or(|view| view.set != *begun.set) {
                views.push(AgentSetView::new(begun.set, begun.steps));
            }
            let Some(view) = views.last_mut() else {
                continue;
            };
            view.count(&begun.trajectory);
            for (step, model) in (1..).zip(&mut view.models) {
                if !model.is_empty() {
                    continue;
                }
                let made = begun.trajectory.picture_of(step);
                let path = made.map(|made| path_of(begun.set, step, &begun.sample.id, made));
                let file = path.and_then(|path| self.find_made(&path));
                let name = file.and_then(|file| self.model_of(begun.sample, file));
                name.unwrap_or_default().clone_into(model);
            }
        }
        views
    }

    /// Trajectories of one maker, step by step, with the totals in force; `problem_of` says what is wrong with a picture.
    pub fn strips(&self, query: &AgentQuery, problem_of: &dyn Fn(FileId) -> String) -> AgentStrips {
        let world = &self.world;
        let mut sets = self.by_set();
        let records = sets.remove(&query.set).unwrap_or_default();
        let steps = match query.steps {
            0 => reached(&records).max(1),
            steps => steps,
        };
        let mut strips = AgentStrips::default();
        for sample in &world.benchmark.samples {
            if !query.text.is_empty() && !sample.id.contains(&query.text) {
                continue;
            }
            let Some(start) = self.start(sample, &query.set, steps) else {
                continue;
            };
            let own = records
                .get(sample.id.as_str())
                .map_or(&[][..], Vec::as_slice);
            let trajectory = self.trajectory(sample, &start, own);
            let is_wanted = match query.which {
                AgentWhich::All => true,
                AgentWhich::Begun => !own.is_empty(),
                AgentWhich::Failed => has_failed(&trajectory),
                AgentWhich::Stopped => matches!(trajectory.due, Due::Stopped { .. }),
            };
            if !is_wanted {
                continue;
            }
            let at = strips.total;
            strips.total += 1;
            if at >= query.offset && count(strips.strips.len()) < query.limit {
                strips.strips.push(self.strip(
                    sample,
                    &query.set,
                    &trajectory,
                    (steps, problem_of),
                ));
            }
        }
        strips
    }

    fn strip(
        &self,
        sample: &Sample,
        set: &Set,
        trajectory: &Trajectory<'_>,
        (steps, problem_of): (u32, &dyn Fn(FileId) -> String),
    ) -> AgentStrip {
        let benchmark = self.world.benchmark;
        let references = (0u32..)
            .zip(&sample.pictures)
            .map(|(index, picture)| PictureView {
                number: index + 1,
                label: format!("R{index}"),
                path: join(&benchmark.folder, &picture.path),
                file: picture.file,
                problem: picture.file.map_or_else(
                    || "The file is not among those opened.".to_owned(),
                    problem_of,
                ),
                produced_by: None,
            });
        let last = trajectory.steps.last();
        let mut views: Vec<AgentStep> = trajectory
            .steps
            .iter()
            .map(|step| self.step(sample, set, trajectory, step, None))
            .collect();
        if let (Due::Stopped { step }, Some(last)) = (trajectory.due, last) {
            let later = step + 1..=steps;
            views
                .extend(later.map(|number| self.step(sample, set, trajectory, last, Some(number))));
        }
        AgentStrip {
            sample: sample.id.clone(),
            references: references.collect(),
            steps: views,
            due: trajectory.due,
        }
    }

    /// One step; `carried` is the number of a later one that it stands for.
    fn step(
        &self,
        sample: &Sample,
        set: &Set,
        trajectory: &Trajectory<'_>,
        step: &Step<'_>,
        carried: Option<u32>,
    ) -> AgentStep {
        let number = carried.unwrap_or(step.number);
        let made = step.picture.and_then(|record| record.picture.as_ref());
        let path = made.map(|made| path_of(set, number, &sample.id, made));
        let file = path.as_ref().and_then(|path| self.find_made(path));
        let before = (step.number as usize)
            .checked_sub(2)
            .and_then(|at| trajectory.steps.get(at));
        let reply = match carried {
            // What ended the loop stands beside the first picture that it lent.
            Some(number) => step.plan.filter(|_| number == step.number + 1),
            None => before.and_then(|before| before.plan),
        };
        let model = file
            .and_then(|file| self.model_of(sample, file))
            .unwrap_or_default();
        AgentStep {
            step: number,
            prompt: step.prompt.clone(),
            references: if carried.is_some() {
                Vec::new()
            } else {
                step.references.clone()
            },
            reply: reply.map(|record| record.reply.clone()).unwrap_or_default(),
            mark: step.mark.clone().filter(|_| carried.is_none()),
            remark: step
                .picture
                .map(|record| record.reply.clone())
                .unwrap_or_default(),
            file,
            path: path.unwrap_or_default(),
            is_carried: carried.is_some(),
            failed: step.failed.and_then(|record| record.error.clone()),
            model: model.to_owned(),
            scores: if model.is_empty() {
                Vec::new()
            } else {
                self.totals_of(model, &sample.id)
            },
        }
    }

    /// Each judge's total of one sample of a model.
    fn totals_of(&self, model: &str, sample: &str) -> Vec<(String, Option<f64>)> {
        let world = &self.world;
        let Some(at) = world.benchmark.index_of(sample) else {
            return Vec::new();
        };
        let models = world.models.iter().zip(&self.scores.models);
        let own = models.filter(|(data, _)| data.submission.name == model);
        own.flat_map(|(_, scores)| &scores.judges)
            .filter(|judge| judge.judge != MEASURED)
            .map(|judge| {
                let total = judge.totals.get(at as usize).copied().flatten();
                (judge.judge.clone(), total)
            })
            .collect()
    }

    /// The model whose output of a sample is this file.
    fn model_of(&self, sample: &Sample, file: FileId) -> Option<&'a str> {
        let world = &self.world;
        let at = world.benchmark.index_of(&sample.id)?;
        let slot = world.benchmark.turn_slot(at, 0)? as usize;
        let is_its = |outputs: &[Option<FileId>]| outputs.get(slot) == Some(&Some(file));
        let mut models = world.models.iter();
        let model = models.find(|model| is_its(&model.submission.outputs))?;
        Some(&model.submission.name)
    }

    fn by_set(&self) -> BTreeMap<&'a Set, Records<'a>> {
        let mut sets: BTreeMap<&Set, Records<'_>> = BTreeMap::new();
        for record in self.records.iter().copied() {
            let records = sets.entry(&record.set).or_default();
            records.entry(&record.sample).or_default().push(record);
        }
        sets
    }

    /// Why trajectories cannot be filed under a set's name.
    fn refusal(&self, set: &Set) -> Option<String> {
        if self.loops.is_none() {
            return Some("This benchmark has no agent loops.".to_owned());
        }
        if let Err(problem) = set.check() {
            return Some(problem.to_string());
        }
        let mut all = self.records.iter();
        let other = all.find(|record| {
            record.set.name == set.name
                && record.set.framework == set.framework
                && record.set != *set
        })?;
        Some(format!(
            "Trajectories of {} and {} are filed under {} already; choose another name for those of {} and {}.",
            other.set.planner, other.set.generator, set.name, set.planner, set.generator
        ))
    }

    /// What a sample's trajectory starts from; `None` where its prompt is not known.
    fn start<'s>(&'s self, sample: &'s Sample, set: &Set, steps: u32) -> Option<Start<'s>> {
        self.world.benchmark.list?;
        let instruction = sample.turns.first()?.instruction.as_str();
        (!instruction.is_empty()).then_some(Start {
            loops: self.loops.as_ref()?,
            framework: set.framework,
            instruction,
            num_references: count(sample.pictures.len()),
            steps: steps.clamp(1, MAX_STEPS),
        })
    }

    fn trajectory(
        &self,
        sample: &Sample,
        start: &Start<'_>,
        records: &[&'a Record],
    ) -> Trajectory<'a> {
        follow(start, records, &|call| self.call_hash(start, sample, call))
    }

    fn call_hash(&self, start: &Start<'_>, sample: &Sample, call: &Call) -> Option<String> {
        call.hash(start.loops, |index| {
            let file = sample.pictures.get(index as usize)?.file?;
            self.hashes.get(&file).map(String::as_str)
        })
    }

    fn reference(&self, sample: &Sample, index: u32) -> Result<PartView, AgentError> {
        let picture = sample.pictures.get(index as usize);
        let file = picture.and_then(|picture| picture.file).ok_or_else(|| {
            let sample = sample.id.clone();
            AgentError::MissingPicture { index, sample }
        })?;
        Ok(PartView::Image {
            file: Some(file),
            path: self.world.tree.path(file).to_owned(),
            role: format!("Reference {index}"),
            number: None,
            treatment: Treatment::AsIs,
            other: None,
        })
    }

    fn generated(&self, made: Option<&Made>) -> PartView {
        let path = made.map_or("", |made| made.path.as_str());
        PartView::Image {
            file: self.find_made(path),
            path: path.to_owned(),
            role: "output".to_owned(),
            number: None,
            treatment: Treatment::AsIs,
            other: None,
        }
    }

    /// The file of a generated picture: among those that were kept, or beside an opened file of records.
    fn find_made(&self, path: &str) -> Option<FileId> {
        let mut folders = self.folders.iter();
        folders.find_map(|folder| self.world.tree.find(&join(folder, path)))
    }
}

/// A trajectory with whose and what it is.
struct StartedLoop<'a> {
    set: &'a Set,
    /// The last step of the set that has a picture.
    steps: u32,
    sample: &'a Sample,
    trajectory: Trajectory<'a>,
}

impl AgentSetView {
    fn new(set: &Set, steps: u32) -> Self {
        Self {
            set: set.clone(),
            steps,
            trajectories: 0,
            finished: 0,
            stopped: 0,
            failed: 0,
            models: vec![String::new(); steps as usize],
        }
    }

    fn count(&mut self, trajectory: &Trajectory<'_>) {
        let is_stopped = matches!(trajectory.due, Due::Stopped { .. });
        self.trajectories += 1;
        self.finished += u32::from(is_stopped || trajectory.due == Due::Done);
        self.stopped += u32::from(is_stopped);
        self.failed += u32::from(has_failed(trajectory));
    }
}

impl AgentPlan {
    fn count(&mut self, start: &Start<'_>, calls: &[Kind]) {
        for kind in calls {
            match kind {
                Kind::Picture => {
                    self.pictures += 1;
                    let previous = u32::from(start.framework != Framework::Ipr);
                    self.pictures_to_generator += start.num_references + previous;
                }
                Kind::Plan => {
                    self.plans += 1;
                    self.pictures_to_planner += start.num_references + 1;
                    let text = super::request::plan(start, 1, start.instruction, "").text;
                    self.planner_chars += f64::from(count(text.chars().count()));
                }
            }
        }
    }
}

/// The last step of a set that has a picture.
fn reached(records: &Records<'_>) -> u32 {
    let made = records
        .values()
        .flatten()
        .filter(|record| record.picture.is_some());
    made.map(|record| record.step)
        .max()
        .unwrap_or(0)
        .min(MAX_STEPS)
}

fn has_failed(trajectory: &Trajectory<'_>) -> bool {
    trajectory.steps.iter().any(|step| step.failed.is_some())
}

/// Where the picture of a step lies, below the folder of `trajectories.jsonl`.
fn path_of(set: &Set, step: u32, sample: &str, made: &Made) -> String {
    let extension = made.path.rfind('.').map_or("", |at| &made.path[at..]);
    picture_path(set, step, sample, extension)
}

/// The pictures of a message; the generated one is known by its content.
fn pictures_of(parts: &[PartView], given: Option<&str>) -> Vec<AgentPicture> {
    let images = parts.iter().filter_map(|part| match part {
        PartView::Image {
            file, path, role, ..
        } => Some((*file, path, role == "output")),
        PartView::Text { .. } => None,
    });
    let texts = parts.iter().filter_map(|part| match part {
        PartView::Text { text } => Some(text.as_str()),
        PartView::Image { .. } => None,
    });
    let marks = picture_marks(&texts);
    images
        .enumerate()
        .map(|(at, (file, path, is_generated))| {
            let (token, media_token) = marks.of(at);
            AgentPicture {
                token,
                media_token,
                field: String::new(),
                path: path.to_owned(),
                file,
                sha256: given.filter(|_| is_generated).map(str::to_owned),
            }
        })
        .collect()
}

fn text_of(parts: &[PartView]) -> &str {
    let text = parts.iter().find_map(|part| match part {
        PartView::Text { text } => Some(text.as_str()),
        PartView::Image { .. } => None,
    });
    text.unwrap_or("")
}

fn plan_body(
    record: Record,
    parts: &[PartView],
    pictures: Vec<AgentPicture>,
    services: &AgentServices,
) -> AgentBody {
    let (wire, params) = (services.planner_wire, &services.planner);
    let images = pictures.iter().map(|picture| Content::Image {
        media_type: &picture.media_token,
        base64: &picture.token,
    });
    let content: Vec<Content<'_>> = std::iter::once(Content::Text(text_of(parts)))
        .chain(images)
        .collect();
    AgentBody {
        json: Some(provider::body(wire, params, None, &content).to_string()),
        url: provider::url(wire, &services.planner_base, &params.model),
        auth: provider::auth(wire),
        fields: Vec::new(),
        pictures,
        record,
        paid: None,
    }
}

fn picture_body(
    record: Record,
    parts: &[PartView],
    mut pictures: Vec<AgentPicture>,
    services: &AgentServices,
) -> AgentBody {
    let (wire, params) = (services.generator_wire, &services.generator);
    let given: Vec<(&str, &str)> = pictures
        .iter()
        .map(|picture| (picture.media_token.as_str(), picture.token.as_str()))
        .collect();
    let (json, fields) = match provider::payload(wire, params, text_of(parts), &given) {
        Payload::Json(body) => (Some(body.to_string()), Vec::new()),
        Payload::Form { fields, field } => {
            for picture in &mut pictures {
                field.clone_into(&mut picture.field);
            }
            (None, fields)
        }
    };
    AgentBody {
        json,
        url: provider::picture_url(
            wire,
            &services.generator_base,
            &params.model,
            pictures.len(),
        ),
        auth: provider::picture_auth(wire),
        fields,
        pictures,
        record,
        paid: None,
    }
}

fn count(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}
