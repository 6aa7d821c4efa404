//! Verdicts → scores, by the rules of the paper and by those of the released code.

use crate::published::Published;
use juror_model::incident::IncidentKind;
use juror_model::linked::World;
use juror_model::options::{Policy, Profile, ScoreOptions};
use juror_model::published::PrintedCost;
use juror_model::sample::{Benchmark, Sample};
use juror_model::score::Scores;
use juror_model::terms::{CriterionInfo, Difference, Formula};
use juror_statistics::level::Level;

/// How verdicts become scores.
pub trait Scoring {
    /// What the tables show, `total` last.
    fn criteria(&self) -> Vec<CriterionInfo>;

    /// Whether no score of a criterion is beyond its scale; of what is measured the scale is only the usual range.
    fn is_bounded(&self, _criterion: &str) -> bool {
        true
    }

    /// Scores, incidents and differences for all models.
    fn score(&self, world: &World<'_>, options: &ScoreOptions) -> Scores;

    /// What incidents of this kind count as under these options: `counts 0`, `left out`, …
    fn counts_as(&self, kind: IncidentKind, options: &ScoreOptions) -> &str;

    /// The policy in force: the user's, or the profile's own.
    fn policy(&self, options: &ScoreOptions) -> Policy {
        options.policy()
    }

    /// The judges whose mean the protocol's own tables have, by their places among these names of one model's judges; none
    /// where it averages no judges, or where a name fits several.
    fn joined_judges(&self, _judges: &[&str]) -> Vec<usize> {
        Vec::new()
    }

    /// The total of one turn from what its requests' replies came to ([`Unit::counted`](juror_model::score::Unit::counted)), on the printed scale.
    fn turn_total(&self, counted: &[(&str, Option<f64>)]) -> Option<f64>;

    /// The effect of each place where paper and code differ; none where both are one.
    fn differences(&self, _world: &World<'_>) -> Vec<Difference> {
        Vec::new()
    }

    /// Which samples a group of the score rows is of; `None` where it is of something else, such as runs.
    ///
    /// A turn is of every sample here: whether a sample has it is for the caller to see.
    fn members(&self, benchmark: &Benchmark, scope: &str, key: &str) -> Option<Vec<bool>> {
        if scope == "run" {
            return None;
        }
        let samples = benchmark.samples.iter();
        Some(samples.map(|sample| is_in(sample, scope, key)).collect())
    }

    /// Groups of a sample that follow from what it is and stand in none of its tags, as scope and key; one that is of some of
    /// its turns counts.
    fn derived_groups(&self, _sample: &Sample) -> Vec<(&'static str, String)> {
        Vec::new()
    }

    /// Which turns a group is of, by slot; `None` where it is of every turn of its [members](Self::members).
    fn turns(&self, benchmark: &Benchmark, scope: &str, key: &str) -> Option<Vec<bool>> {
        turns_of(benchmark, scope, key)
    }

    /// The level that a paper gives the intervals of a scope's groups at.
    fn level(&self, _scope: &str) -> Level {
        Level::default()
    }

    /// The formulas of a profile.
    fn formulas(&self, profile: Profile) -> Vec<Formula>;

    /// What the paper prints of the time that a method of its own adds.
    fn printed_costs(&self) -> Vec<PrintedCost> {
        Vec::new()
    }

    /// What the paper prints.
    fn published(&self) -> Published {
        Published::default()
    }
}

/// Whether a sample is in a group that its own fields or tags name; in each of them, where it has several tags of a scope.
pub fn is_in(sample: &Sample, scope: &str, key: &str) -> bool {
    match scope {
        "overall" | "turn" => true,
        "domain" => sample.domain == key,
        "category" => sample.category == key,
        _ => sample.has_tag(scope, key),
    }
}

/// The turns of this place in their samples, of the scope `turn`; `None` of others.
pub fn turns_of(benchmark: &Benchmark, scope: &str, key: &str) -> Option<Vec<bool>> {
    let is_it = |turn: u32| key.parse() == Ok(turn);
    let turns = || benchmark.turns().map(|(_, _, turn, _)| is_it(turn));
    (scope == "turn").then(|| turns().collect())
}

/// The ends of a criterion's printed scale; `None` of measured values, and where a score may be beyond them.
pub fn scale_ends(scoring: &dyn Scoring, criterion: &str) -> Option<[f64; 2]> {
    let criteria = scoring.criteria();
    let info = criteria.iter().find(|info| info.id == criterion)?;
    let ends = [info.min * info.scale, info.max * info.scale];
    scoring.is_bounded(criterion).then_some(ends)
}
