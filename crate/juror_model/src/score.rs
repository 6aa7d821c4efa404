//! What scoring gives: every unit and its fate.

use crate::compact::{Index, Number};
use crate::incident::IncidentKind;
use crate::linked::{ModelData, World};
use crate::row::{Incident, SampleRow, ScoreRow};
use crate::terms::{CriterionInfo, ScopeInfo};

/// What scoring gives.
#[derive(Clone, Debug, Default)]
pub struct Scores {
    /// Score rows of all models.
    pub rows: Vec<ScoreRow>,
    /// Groups in display order.
    pub scopes: Vec<ScopeInfo>,
    /// Per model: what it is judged on, and each unit's fate.
    pub models: Vec<ModelScores>,
}

/// One model's part of the scores.
#[derive(Clone, Debug, Default)]
pub struct ModelScores {
    /// `img`, `txt` or `umm`.
    pub mode: &'static str,
    /// Per judge, in the order of [`ModelData::judges`].
    pub judges: Vec<JudgeScores>,
}

/// One judge's units for one model.
#[derive(Clone, Debug, Default)]
pub struct JudgeScores {
    /// Judge id.
    pub judge: String,
    /// One entry per expected unit, in benchmark order.
    pub units: Vec<Unit>,
    /// Per sample: total on the printed scale.
    pub totals: Vec<Option<f64>>,
    /// Why there are no numbers at all.
    pub stopped: Option<String>,
    /// Which of [`ModelData::given`] entered the score.
    pub counted: Vec<bool>,
    /// What the units come to in each criterion, in the order of units; empty where a unit is a criterion.
    pub parts: Vec<CriterionScore>,
}

impl JudgeScores {
    /// Gives back what memory was reserved for more units.
    pub fn shrink(&mut self) {
        self.units.shrink_to_fit();
        self.parts.shrink_to_fit();
    }
}

/// One criterion score of a unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CriterionScore {
    /// Index into [`JudgeScores::units`].
    pub unit: u32,
    /// Index into the protocol's criteria.
    pub criterion: u16,
    /// The number that entered the mean, on the judge's scale.
    pub value: f64,
}

/// One expected reply and its fate.
#[derive(Clone, Copy, Debug)]
pub struct Unit {
    /// Position of the sample.
    pub sample: u32,
    /// Turn, from 0.
    pub turn: u32,
    /// Index into [`ModelData::criteria`].
    pub criterion: u16,
    /// Run, from 1 (where runs are pooled, the first one that has a reply).
    pub run: u32,
    /// What is wrong; `None` if the unit was scored.
    pub incident: Option<IncidentKind>,
    /// The number that entered the mean, on the judge's scale; of several numbers, what the protocol makes of them.
    pub counted: Number,
    /// The reply behind it: index into [`ModelData::given`].
    pub given: Index,
}

impl Scores {
    /// The incidents behind the scores, with their details.
    pub fn incidents(
        &self,
        world: &World<'_>,
        detail: impl Fn(&ModelData, &Unit, IncidentKind) -> String,
    ) -> Vec<Incident> {
        let mut incidents = Vec::new();
        self.for_units(world, |model, judge, unit, _| {
            let Some(kind) = unit.incident else { return };
            incidents.push(Incident {
                model: model.submission.name.clone(),
                judge: judge.judge.clone(),
                run: unit.run,
                sample: world.benchmark.samples[unit.sample as usize].id.clone(),
                turn: unit.turn,
                criterion: model.criteria[unit.criterion as usize].clone(),
                kind: kind.id().to_owned(),
                detail: detail(model, unit, kind),
            });
        });
        incidents
    }

    /// One row per expected unit, or per criterion of it where one reply gives several.
    pub fn sample_rows(&self, world: &World<'_>, criteria: &[CriterionInfo]) -> Vec<SampleRow> {
        let mut rows = Vec::new();
        self.for_units(world, |model, judge, unit, parts| {
            let row = |criterion: &str, score: Option<f64>| SampleRow {
                model: model.submission.name.clone(),
                judge: judge.judge.clone(),
                run: unit.run,
                sample: world.benchmark.samples[unit.sample as usize].id.clone(),
                turn: unit.turn,
                criterion: criterion.to_owned(),
                score,
                status: unit.incident.map_or("ok", IncidentKind::id).to_owned(),
                tied: false,
            };
            let name = |part: &CriterionScore| criteria.get(usize::from(part.criterion));
            if parts.is_empty() {
                rows.push(row(
                    &model.criteria[unit.criterion as usize],
                    unit.counted.get(),
                ));
            }
            rows.extend(
                parts
                    .iter()
                    .map(|part| row(name(part).map_or("", |info| &info.id), Some(part.value))),
            );
        });
        rows
    }

    fn for_units(
        &self,
        world: &World<'_>,
        mut each: impl FnMut(&ModelData, &JudgeScores, &Unit, &[CriterionScore]),
    ) {
        for (model, scores) in world.models.iter().zip(&self.models) {
            for judge in &scores.judges {
                let mut parts = judge.parts.as_slice();
                for (at, unit) in (0u32..).zip(&judge.units) {
                    let (own, rest) = parts.split_at(parts.partition_point(|part| part.unit <= at));
                    each(model, judge, unit, own);
                    parts = rest;
                }
            }
        }
    }
}
