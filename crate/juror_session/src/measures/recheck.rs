//! Measured values of a pack that can be measured again, as both of their pictures lie in it.

use super::counterpart::counterparts;
use super::finite;
use crate::count;
use crate::measure::run::{Backend, MeasurePair};
use crate::measure::{FORMAT, Measure, Merged, Place, Sizes, is_of_network};
use crate::state::Session;
use crate::study::LinkedSession;
use juror_evidence::pack::{Finding, Findings};
use juror_model::linked::World;

/// What two processors may differ by, of a value's size: sums are rounded alike, and functions of the system are not.
const CPU_TOLERANCE: f64 = 1e-9;
/// What a GPU may differ by: it computes in 32 bits.
const GPU_TOLERANCE: f64 = 1e-3;

/// A value that a host measures again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MeasureCheck {
    /// The pictures, and the one metric.
    pub pair: MeasurePair,
    /// Rule of sizes.
    pub sizes: Sizes,
}

impl MeasureCheck {
    /// What a host measured of an output and a counterpart with these hashes: the value, or why there is none.
    pub fn measured(
        &self,
        [output, counterpart]: [&str; 2],
        value: Option<f64>,
        problem: Option<String>,
    ) -> Measure {
        let pair = &self.pair;
        Measure {
            format: FORMAT.to_owned(),
            model: pair.model.clone(),
            sample: pair.sample.clone(),
            turn: pair.turn,
            metric: pair.metrics.concat(),
            against: pair.against.clone(),
            number: pair.number,
            sizes: self.sizes,
            value,
            problem: problem.filter(|_| value.is_none()),
            backend: Backend::Cpu.name().to_owned(),
            output: output.to_owned(),
            counterpart: counterpart.to_owned(),
            ..Measure::default()
        }
    }
}

/// The values at hand of metrics that need two pictures alone, whatever they say to be computed by: a word in a record is no
/// way around. Networks need their pack.
pub fn measures_to_check(session: &LinkedSession<'_>) -> Vec<MeasureCheck> {
    let world = session.world();
    let inputs = session.data.cache.measures.iter();
    let records = inputs.flat_map(|inputs| &inputs.merged.records);
    records
        .filter(|(place, _)| !is_of_network(place.kind.metric().id))
        .filter_map(|(place, _)| check_of(session, &world, place))
        .collect()
}

fn check_of(session: &Session, world: &World<'_>, place: &Place) -> Option<MeasureCheck> {
    let model = world.model(&place.model)?;
    let (_, sample, slot, turn) = world.turn(&place.sample, place.turn)?;
    let against = &place.kind.against;
    let sides = counterparts(session, world, against, &place.model, (sample, turn, slot));
    let side = sides.into_iter().find(|side| side.number == place.number)?;
    let output = *model.submission.outputs.get(slot as usize)?;
    Some(MeasureCheck {
        pair: MeasurePair {
            model: place.model.clone(),
            sample: place.sample.clone(),
            turn: place.turn,
            against: against.to_string(),
            number: place.number,
            output: output?,
            counterpart: side.file?,
            metrics: vec![place.kind.metric().id.to_owned()],
            prompt: String::new(),
            objects: Vec::new(),
            box_files: Vec::new(),
        },
        sizes: place.kind.sizes,
    })
}

/// Compares the values at hand with what was measured again; how many were, and how many are on trust.
pub(crate) fn check_measures(
    session: &mut Session,
    again: &[Measure],
    findings: &mut Findings,
) -> (u32, u32) {
    session.link();
    session.settle_measures();
    let mut fresh = Merged::default();
    for record in again {
        fresh.push(&finite(record.clone()));
    }
    let inputs = session.data.cache.measures.iter();
    let (mut measured, mut on_trust) = (0, 0);
    for (place, stated) in inputs.flat_map(|inputs| &inputs.merged.records) {
        let Some(here) = fresh.records.get(place) else {
            on_trust += usize::from(stated.value.is_some());
            continue;
        };
        measured += usize::from(stated.value.is_some());
        if is_same(stated, here) {
            continue;
        }
        let words = |record: &Measure| match record.value {
            Some(value) => value.to_string(),
            None => record.problem.clone().unwrap_or_default(),
        };
        let (old, mut new) = (words(stated), words(here));
        if old == new {
            new += ", of other pictures";
        }
        findings.push(Finding {
            kind: "measure".to_owned(),
            about: format!("{} of {}", place.kind, place.model),
            sample: place.sample.clone(),
            turn: Some(place.turn),
            old,
            new,
        });
    }
    (count(measured), count(on_trust))
}

fn is_same(stated: &Measure, here: &Measure) -> bool {
    let tolerance = if stated.backend == Backend::Gpu.name() {
        GPU_TOLERANCE
    } else {
        CPU_TOLERANCE
    };
    let is_near = match (stated.value, here.value) {
        (Some(old), Some(new)) => (old - new).abs() <= tolerance * new.abs().max(1.0),
        (None, None) => true,
        _ => false,
    };
    let is_of = |stated: &str, here: &str| stated.is_empty() || stated == here;
    is_near && is_of(&stated.output, &here.output) && is_of(&stated.counterpart, &here.counterpart)
}
