//! What there is to measure, and what measuring it would take.

use crate::study::LinkedSession;
use std::collections::HashSet;

use serde::{Deserialize, Serialize};

use super::counterpart::{
    Counterpart, counterparts, has_boxes, inputs, object_files, picture_turns,
};
use super::records_of;
use crate::count;
use crate::error::Error;
use crate::measure::run::MeasurePair;
use crate::measure::{
    Against, FORMAT, METRICS, Measure, MeasureKind, MetricInfo, NETWORK_METRICS, Sizes, info,
    is_of_network,
};
use crate::picture::Probed;
use crate::state::Session;
use juror_model::incident::IncidentKind;
use juror_model::linked::{ModelData, World};
use juror_model::sample::{Turn, TurnKind};
use juror_model::submission::OutputState;
use juror_model::tree::FileId;

/// What to measure.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(default, deny_unknown_fields)]
pub struct MeasureQuery {
    /// Ids of metrics.
    pub metrics: Vec<String>,
    /// What outputs are compared with: `golden`, `reference:K`, `references`, `model:NAME`, `prompt`, `objects`.
    pub against: Vec<String>,
    /// Rule of sizes.
    pub sizes: Sizes,
    /// Models; all of them if empty.
    pub models: Vec<String>,
    /// Whether what has a value is measured again.
    pub again: bool,
}

/// What measuring would take.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct MeasurePlan {
    /// Protocol id, which every record names.
    pub protocol: String,
    /// Pairs to be measured, in the order of the benchmark.
    pub pairs: Vec<MeasurePair>,
    /// Values to be computed: a pair has one for each of its metrics.
    pub values: u32,
    /// Values that are there already.
    pub done: u32,
    /// Different picture files among the pairs.
    pub pictures: u32,
    /// Pairs that cannot be measured, as records that say why.
    pub refused: Vec<Measure>,
    /// Of them, those whose sizes differ.
    pub odd_sizes: u32,
}

/// One way to choose counterparts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct AgainstInfo {
    /// `golden`, `reference:1`, `references`, `model:NAME`.
    pub id: String,
    /// In words: `the golden answer`.
    pub label: String,
    /// Turns of the benchmark that have it.
    pub turns: u32,
}

/// What can be measured.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct MeasureOffer {
    /// Metrics of a pair of pictures.
    pub metrics: Vec<MetricInfo>,
    /// Those that a network computes, for hosts that have one.
    pub networks: Vec<MetricInfo>,
    /// Counterparts that the benchmark or the models at hand have.
    pub against: Vec<AgainstInfo>,
}

/// What can be measured.
pub fn measure_offer(session: &LinkedSession<'_>) -> MeasureOffer {
    let world = session.world();
    let mut kinds = vec![Against::Golden, Against::Prompt];
    let samples = world.benchmark.samples.iter();
    let most = samples
        .map(|sample| inputs(sample).count())
        .max()
        .unwrap_or(0);
    if has_boxes(world.tree) {
        kinds.push(Against::Objects);
    }
    kinds.extend((1..=count(most)).map(Against::Reference));
    if most > 1 {
        kinds.push(Against::References);
    }
    if world.models.len() > 1 {
        let names = world
            .models
            .iter()
            .map(|model| model.submission.name.clone());
        kinds.extend(names.map(Against::Model));
    }
    let of = |against: &Against| {
        let has = |(slot, at, _, turn): &(u32, u32, u32, &Turn)| {
            let sample = &world.benchmark.samples[*at as usize];
            turn.kind == TurnKind::Image
                && counterparts(session, &world, against, "", (sample, turn, *slot))
                    .iter()
                    .any(|one| one.file.is_some() || !one.is_picture)
        };
        count(world.benchmark.turns().filter(has).count())
    };
    let against = kinds.iter().map(|against| AgainstInfo {
        id: against.to_string(),
        label: against.label(),
        turns: of(against),
    });
    MeasureOffer {
        metrics: METRICS.to_vec(),
        networks: NETWORK_METRICS.to_vec(),
        against: against.filter(|info| info.turns > 0).collect(),
    }
}

/// What measuring this would take.
///
/// # Errors
/// What is wrong with the query, in words.
pub fn measure_plan(
    session: &LinkedSession<'_>,
    query: &MeasureQuery,
) -> Result<MeasurePlan, Error> {
    let kinds = kinds_of(query).map_err(Error::Measures)?;
    let world = session.world();
    for name in query.models.iter().chain(&models_of(&kinds)) {
        if world.model(name).is_none() {
            return Err(Error::Measures(format!("There is no model {name}.")));
        }
    }
    let mut plan = MeasurePlan {
        protocol: session.loader.protocol.id().to_owned(),
        ..MeasurePlan::default()
    };
    let mut pictures = HashSet::new();
    let is_meant = |name: &String| query.models.is_empty() || query.models.contains(name);
    for model in world
        .models
        .iter()
        .filter(|model| is_meant(&model.submission.name))
    {
        let name = &model.submission.name;
        for (slot, at, turn_idx, turn) in picture_turns(&world) {
            let sample = &world.benchmark.samples[at as usize];
            for (against, of_metrics) in &kinds {
                let sides = counterparts(session, &world, against, name, (sample, turn, slot));
                for side in sides {
                    let place = (&sample.id, turn_idx, side.number);
                    let mut pair = bare_pair(name, place, against);
                    let lack = (*against == Against::Objects)
                        .then(|| take_objects(&mut pair, object_files(&world, model, sample)))
                        .flatten();
                    let refusals = [query.sizes, Sizes::Resized]
                        .map(|sizes| refusal_of(session, &world, model, slot, &side, sizes));
                    for kind in of_metrics {
                        let metric = kind.metric().id;
                        let refusal = refusals[usize::from(is_of_network(metric))];
                        let known = records_of(session, kind, name, (&sample.id, turn_idx));
                        let mut known = known.filter(|one| one.number == side.number);
                        let is_known =
                            |one: &Measure| one.value.is_some() || !one.output.is_empty();
                        let label = refusal.map(|incident| incident.label().to_owned());
                        // What was refused before may be there now.
                        if known.any(|one| is_known(one) && !query.again) {
                            plan.done += 1;
                        } else if let Some(problem) = label.or_else(|| lack.clone()) {
                            let is_odd = refusal == Some(IncidentKind::SizeDiffers);
                            plan.odd_sizes += u32::from(is_odd);
                            plan.refused.push(refused(
                                &plan.protocol,
                                &pair,
                                metric,
                                kind.sizes,
                                problem,
                            ));
                        } else {
                            pair.metrics.push(metric.to_owned());
                        }
                    }
                    let output = model.submission.outputs[slot as usize];
                    if let Against::Prompt = against {
                        pair.prompt.clone_from(&turn.instruction);
                    }
                    // A prompt is in no file.
                    let file = side.file.or(output.filter(|_| !side.is_picture));
                    if let (Some(output), Some(file), false) =
                        (output, file, pair.metrics.is_empty())
                    {
                        pictures.extend([output, file]);
                        (pair.output, pair.counterpart) = (output, file);
                        plan.values += count(pair.metrics.len());
                        plan.pairs.push(pair);
                    }
                }
            }
        }
    }
    plan.pictures = count(pictures.len());
    Ok(plan)
}

/// A pair without its files and metrics.
fn bare_pair(
    model: &str,
    (sample, turn, number): (&String, u32, u32),
    against: &Against,
) -> MeasurePair {
    MeasurePair {
        model: model.to_owned(),
        sample: sample.clone(),
        turn,
        against: against.to_string(),
        number,
        output: 0,
        counterpart: 0,
        metrics: Vec::new(),
        prompt: String::new(),
        objects: Vec::new(),
        box_files: Vec::new(),
    }
}

/// Gives a pair the files of its objects; the problem where they are not there.
fn take_objects(
    pair: &mut MeasurePair,
    found: Result<(Vec<FileId>, Vec<String>), String>,
) -> Option<String> {
    let (files, names) = match found {
        Ok(found) => found,
        Err(problem) => return Some(problem),
    };
    (pair.objects, pair.box_files) = (files, names);
    None
}

/// Why a pair cannot be measured, as far as is known without its pixels.
pub(super) fn refusal_of(
    session: &Session,
    world: &World<'_>,
    model: &ModelData,
    slot: u32,
    side: &Counterpart,
    sizes: Sizes,
) -> Option<IncidentKind> {
    let output = match model.outputs.get(slot as usize) {
        Some(OutputState::Present) => model.submission.outputs.get(slot as usize)?,
        Some(state @ (OutputState::Unreadable | OutputState::Inaccessible)) => {
            return state.incident();
        }
        _ => return Some(IncidentKind::MissingOutput),
    };
    if !side.is_picture {
        return None;
    }
    let size = |file: Option<FileId>| match session.loader.read.pictures.get(&file?) {
        Some(Probed::Picture { width, height }) => Some((*width, *height)),
        _ => None,
    };
    let is_bad = |file: FileId| {
        let probed = session.loader.read.pictures.get(&file);
        probed.is_some_and(|probed| probed.fault().is_some())
            || session.loader.read.failures.contains_key(&file)
            || world.tree.entry(file).is_none()
    };
    if side.file.is_none_or(is_bad) {
        return Some(IncidentKind::NoCounterpart);
    }
    let differ = size(*output)
        .zip(size(side.file))
        .is_some_and(|(a, b)| a != b);
    (differ && sizes == Sizes::Equal).then_some(IncidentKind::SizeDiffers)
}

/// The metric of a picture and a text.
const OF_PROMPTS: &str = "clip";

/// Whether a metric compares an output with such a thing.
fn is_taken(metric: &str, against: &Against) -> bool {
    match against {
        Against::Prompt => metric == OF_PROMPTS,
        Against::Objects => is_of_network(metric),
        _ => true,
    }
}

/// Counterparts with what is to be measured against each.
fn kinds_of(query: &MeasureQuery) -> Result<Vec<(Against, Vec<MeasureKind>)>, String> {
    let mut kinds = Vec::new();
    for text in &query.against {
        let against = Against::read(text).ok_or_else(|| {
            format!(
                "Expected golden, reference:K, references, model:NAME, prompt or objects, found {text:?}."
            )
        })?;
        let mut of_metrics = Vec::new();
        if let Some(metric) = query.metrics.first()
            && !(query.metrics.iter()).any(|metric| is_taken(metric, &against))
        {
            return Err(if against == Against::Prompt {
                format!(
                    "{metric} compares two pictures; only {OF_PROMPTS} compares a picture with a prompt."
                )
            } else {
                format!("{metric} compares whole pictures; clip, dino and lpips compare objects.")
            });
        }
        for metric in &query.metrics {
            let is_network = is_of_network(metric);
            if !is_taken(metric, &against) && info(metric).is_some() {
                continue;
            }
            let sizes = if is_network {
                Sizes::Equal
            } else {
                query.sizes
            };
            let kind = MeasureKind::new(metric, against.clone(), sizes);
            of_metrics.push(kind.ok_or_else(|| {
                let known = METRICS.iter().chain(&NETWORK_METRICS);
                let known: Vec<&str> = known.map(|known| known.id).collect();
                format!(
                    "There is no metric {metric} of two pictures; known: {}.",
                    known.join(", ")
                )
            })?);
        }
        kinds.push((against, of_metrics));
    }
    Ok(kinds)
}

/// The models that outputs are held against.
fn models_of(kinds: &[(Against, Vec<MeasureKind>)]) -> Vec<String> {
    let names = kinds.iter().filter_map(|(against, _)| match against {
        Against::Model(name) => Some(name.clone()),
        _ => None,
    });
    names.collect()
}

/// A pair that cannot be measured, as a record.
fn refused(
    protocol: &str,
    pair: &MeasurePair,
    metric: &str,
    sizes: Sizes,
    problem: String,
) -> Measure {
    Measure {
        format: FORMAT.to_owned(),
        protocol: protocol.to_owned(),
        model: pair.model.clone(),
        sample: pair.sample.clone(),
        turn: pair.turn,
        metric: metric.to_owned(),
        against: pair.against.clone(),
        number: pair.number,
        sizes,
        problem: Some(problem),
        backend: "cpu".to_owned(),
        ..Measure::default()
    }
}
