//! What is shown of the measured values of one output, and why one is not there.

use std::collections::BTreeSet;

use super::counterpart::counterparts;
use super::records_of;
use crate::measure::MEASURED;
use crate::picture::Probed;
use crate::state::Session;
use crate::view::MeasureView;
use juror_model::incident::IncidentKind;
use juror_model::linked::ModelData;
use juror_model::score::Unit;
use juror_model::tree::FileId;

pub(super) fn measure_detail(
    session: &Session,
    model: &ModelData,
    unit: &Unit,
    kind: IncidentKind,
) -> String {
    let world = session.world();
    let at = usize::from(unit.criterion).checked_sub(model.num_given.len());
    let inputs = session.data.cache.measures.as_ref();
    let Some(of) = inputs.zip(at).and_then(|(inputs, at)| inputs.kinds.get(at)) else {
        return String::new();
    };
    let sample = &world.benchmark.samples[unit.sample as usize];
    let Some((_, _, slot, turn)) = world.turn(&sample.id, unit.turn) else {
        return String::new();
    };
    let name = &model.submission.name;
    let sides = counterparts(session, &world, &of.against, name, (sample, turn, slot));
    let against = of.against.label();
    match kind {
        IncidentKind::NoCounterpart => format!("There is no readable picture of {against}."),
        IncidentKind::SizeDiffers => {
            let size = |file: Option<FileId>| match file
                .and_then(|file| session.loader.read.pictures.get(&file))
            {
                Some(Probed::Picture { width, height }) => format!("{width} × {height}"),
                _ => "unknown".to_owned(),
            };
            let output = size(
                model
                    .submission
                    .outputs
                    .get(slot as usize)
                    .copied()
                    .flatten(),
            );
            let others: Vec<String> = sides.iter().map(|side| size(side.file)).collect();
            format!(
                "The output is {output} pixels, {against} {}.",
                others.join(", ")
            )
        }
        _ => {
            let records = records_of(session, of, name, (&sample.id, unit.turn));
            let mut problems = records.filter_map(|one| one.problem.clone());
            problems.next().unwrap_or_else(|| {
                "No value for this output was computed or opened yet.".to_owned()
            })
        }
    }
}

pub(super) fn views_of_measures(
    session: &Session,
    model: &ModelData,
    sample: u32,
    turn: u32,
) -> Vec<MeasureView> {
    let Some(inputs) = &session.data.cache.measures else {
        return Vec::new();
    };
    let world = session.world();
    let models = world.models.iter().zip(&session.data.scores().models);
    let own = models.filter(|(data, _)| data.submission.name == model.submission.name);
    let judges = own.flat_map(|(_, scores)| &scores.judges);
    let here = judges
        .filter(|judge| judge.judge == MEASURED)
        .flat_map(|judge| {
            let start = judge.units.partition_point(|unit| unit.sample < sample);
            let of_sample = judge.units[start..]
                .iter()
                .take_while(move |unit| unit.sample == sample);
            of_sample.filter(move |unit| unit.turn == turn)
        });
    here.filter_map(|unit| {
        let kind = inputs
            .kinds
            .get(usize::from(unit.criterion).checked_sub(model.num_given.len())?)?;
        let id = &world.benchmark.samples[sample as usize].id;
        let records = records_of(session, kind, &model.submission.name, (id, turn));
        let backends: BTreeSet<&str> = records
            .filter(|one| one.value.is_some())
            .map(|one| one.backend.as_str())
            .collect();
        Some(MeasureView {
            criterion: kind.to_string(),
            short: kind.short(),
            value: unit.counted.get(),
            decimals: kind.metric().decimals,
            unit: kind.metric().unit.to_owned(),
            status: unit.incident.map_or("ok", IncidentKind::id).to_owned(),
            detail: unit.incident.map_or_else(String::new, |incident| {
                session.incident_detail(model, unit, incident)
            }),
            backend: backends.into_iter().collect::<Vec<_>>().join(", "),
        })
    })
    .collect()
}
