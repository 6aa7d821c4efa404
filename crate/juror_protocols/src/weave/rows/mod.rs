//! Replies → means: one engine for both profiles, steered by `WeaveRules`.
//!
//! Source: WEAVE, equations (1) and (2), and the authors' summary script.
//! The summary pools turns (a micro average), divides by ten, rounds to three digits, weights, and rounds again;
//! the paper's tables follow the same pooling, so the profiles differ in what is let in and in the rounding.
//! Each difference is one field of `WeaveRules`, so its effect is the score with that one field exchanged.

use super::CRITERIA;
use super::score::{
    Failures, MAX_SCORE, PartialTotal, Rounding, Scale, WeaveRules, total, turn_total,
};
use crate::contract::{Scoring, is_in, turns_of};
use crate::published::Published;
use crate::resolve::judges;
use crate::weave::{Weave, published};
use groups::Groups;
use juror_model::incident::IncidentKind;
use juror_model::linked::World;
use juror_model::options::{Policy, Profile, ScoreOptions};
use juror_model::sample::{Benchmark, Sample};
use juror_model::score::{ModelScores, Scores, Unit};
use juror_model::terms::{CriterionInfo, Difference, Direction, Formula, ScopeInfo};
use units::{Mode, count};

mod cells;
mod differences;
pub(super) mod groups;
pub(super) mod results;
mod units;

impl Scoring for Weave {
    fn criteria(&self) -> Vec<CriterionInfo> {
        let texts = [
            ("KP", "Key point", "Every requirement of the turn is met."),
            (
                "VC",
                "Visual consistency",
                "What the turn did not ask to change stayed as it was.",
            ),
            (
                "IQ",
                "Image quality",
                "The picture is technically clean: no artefacts, sound structure.",
            ),
            (
                "ACC",
                "Accuracy",
                "The text answer says what the standard answer says.",
            ),
        ];
        let mut criteria: Vec<CriterionInfo> = CRITERIA
            .iter()
            .zip(texts)
            .map(|(id, (short, label, meaning))| CriterionInfo {
                id: (*id).to_owned(),
                short: short.to_owned(),
                label: label.to_owned(),
                meaning: meaning.to_owned(),
                min: 0.0,
                max: 10.0,
                allowed: (*id == "accuracy").then(|| vec![0.0, 5.0, 10.0]),
                scale: 0.1,
                decimals: 3,
                direction: Direction::Up,
            })
            .collect();
        criteria.push(CriterionInfo {
            id: "total".to_owned(),
            short: "Avg".to_owned(),
            label: "Weighted average".to_owned(),
            meaning: "The weighted sum that the paper's tables call Avg.".to_owned(),
            min: 0.0,
            max: 1.0,
            allowed: None,
            scale: 1.0,
            decimals: 3,
            direction: Direction::Up,
        });
        criteria
    }

    /// Scores for all models and judges.
    fn score(&self, world: &World<'_>, options: &ScoreOptions) -> Scores {
        let groups = Groups::new(world);
        let policy = options.policy();
        let rules = WeaveRules::new(options.profile, policy);
        let labels = groups.labels();
        let mut scores = Scores::default();
        let mut is_used = vec![false; labels.len()];
        for model in world.models {
            let mode = Mode::of(world, model);
            let mut of_model = ModelScores {
                mode: mode.id(),
                judges: Vec::new(),
            };
            for judge in judges(model) {
                let mut counted = count(world, &groups, model, mode, judge, rules);
                let cells = counted.grid.cells();
                counted.scores.totals = sample_totals(world, &counted.scores.units, rules);
                let name = &counted.scores.judge;
                for (at, (scope, key)) in labels.iter().enumerate() {
                    let head = (
                        model.submission.name.as_str(),
                        name.as_str(),
                        options.profile,
                        policy,
                        *scope,
                        key.as_str(),
                    );
                    let before = scores.rows.len();
                    cells[at].rows(
                        head,
                        model,
                        rules,
                        counted.scores.stopped.is_some(),
                        &mut scores.rows,
                    );
                    is_used[at] |= scores.rows.len() > before;
                }
                of_model.judges.push(counted.scores);
            }
            scores.models.push(of_model);
        }
        for (scope, label) in [
            ("overall", "Overall"),
            ("category", "Category"),
            ("domain", "Domain"),
            ("turn", "Turn"),
            ("class", "Class"),
            ("history", "Earlier pictures"),
        ] {
            let keys = labels
                .iter()
                .zip(&is_used)
                .filter(|((s, _), used)| *s == scope && **used)
                .map(|((_, key), _)| key.clone());
            scores.scopes.push(ScopeInfo {
                scope: scope.to_owned(),
                label: label.to_owned(),
                keys: keys.collect(),
            });
        }
        scores
    }

    /// What incidents of a kind count as.
    fn counts_as(&self, kind: IncidentKind, options: &ScoreOptions) -> &'static str {
        let rules = WeaveRules::new(options.profile, options.policy());
        match kind {
            IncidentKind::MissingOutput | IncidentKind::UnreadableOutput => match rules.outputs {
                Policy::Exclude => "left out",
                Policy::Zero => "counts 0",
                Policy::Upstream => "counts as judged without it",
            },
            IncidentKind::OutOfRange if rules.scale == Scale::AsStored => "counts as it is",
            IncidentKind::InaccessibleOutput
            | IncidentKind::MissingReply
            | IncidentKind::InaccessibleReply
            | IncidentKind::OutOfRange
            | IncidentKind::NoCounterpart
            | IncidentKind::SizeDiffers
            | IncidentKind::Unmeasurable
            | IncidentKind::NotMeasured => "left out",
            IncidentKind::Unparsable | IncidentKind::FailedCall => match rules.failures {
                Failures::Unit => "left out",
                Failures::Dialogue => {
                    "as in the authors' code: skipped, drops its dialogue, or stops the summary"
                }
            },
        }
    }

    fn turn_total(&self, counted: &[(&str, Option<f64>)]) -> Option<f64> {
        turn_total(&CRITERIA.map(|id| {
            counted
                .iter()
                .find(|(name, _)| *name == id)
                .and_then(|(_, value)| *value)
        }))
    }

    fn differences(&self, world: &World<'_>) -> Vec<Difference> {
        differences::differences(world)
    }

    fn published(&self) -> Published {
        published::published()
    }

    fn members(&self, benchmark: &Benchmark, scope: &str, key: &str) -> Option<Vec<bool>> {
        if scope == "run" {
            return None;
        }
        let Some(turns) = groups::turns(benchmark, scope, key) else {
            let samples = benchmark.samples.iter();
            return Some(samples.map(|sample| is_in(sample, scope, key)).collect());
        };
        // A dialogue is of a class or a history that any of its turns is of.
        let mut members = vec![false; benchmark.samples.len()];
        for (slot, sample, _, _) in benchmark.turns() {
            members[sample as usize] |= turns[slot as usize];
        }
        Some(members)
    }

    fn derived_groups(&self, sample: &Sample) -> Vec<(&'static str, String)> {
        groups::of_turns(sample)
    }

    fn turns(&self, benchmark: &Benchmark, scope: &str, key: &str) -> Option<Vec<bool>> {
        groups::turns(benchmark, scope, key).or_else(|| turns_of(benchmark, scope, key))
    }

    fn formulas(&self, profile: Profile) -> Vec<Formula> {
        differences::formulas(profile)
    }
}

/// Each sample's total over its own turns.
fn sample_totals(world: &World<'_>, units: &[Unit], rules: WeaveRules) -> Vec<Option<f64>> {
    let full = WeaveRules {
        rounding: Rounding::None,
        ..rules
    };
    let mut totals = vec![None; world.benchmark.samples.len()];
    // Units come sample by sample.
    for units in units.chunk_by(|a, b| a.sample == b.sample) {
        let mut sums = [(0.0, 0u32, 0u32); CRITERIA.len()];
        for unit in units {
            let (sum, count, expected) = &mut sums[usize::from(unit.criterion)];
            *expected += 1;
            if let Some(value) = unit.counted.get() {
                *sum += value;
                *count += 1;
            }
        }
        let is_asked_in_vain = sums
            .iter()
            .any(|(_, count, expected)| *count == 0 && *expected > 0);
        if is_asked_in_vain && rules.partial_total == PartialTotal::Undefined {
            continue;
        }
        let means =
            sums.map(|(sum, count, _)| (count > 0).then(|| sum / f64::from(count) / MAX_SCORE));
        totals[units[0].sample as usize] = total(&means, full);
    }
    totals
}
