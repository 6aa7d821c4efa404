//! Verdicts → scores, by the rules of the paper and by those of the released code.

use crate::model::incident::IncidentKind;
use crate::model::linked::World;
use crate::model::options::{Policy, Profile, ScoreOptions};
use crate::model::sample::{Benchmark, Sample};
use crate::model::score::Scores;
use crate::model::terms::{CriterionInfo, Difference, Formula};
use crate::protocol::published::Published;

/// How verdicts become scores.
pub trait Scoring {
    /// What the tables show, `total` last.
    fn criteria(&self) -> Vec<CriterionInfo>;

    /// Scores, incidents and differences for all models.
    fn score(&self, world: &World<'_>, options: &ScoreOptions) -> Scores;

    /// What incidents of this kind count as under these options: `counts 0`, `left out`, …
    fn counts_as(&self, kind: IncidentKind, options: &ScoreOptions) -> &str;

    /// The policy in force: the user's, or the profile's own.
    fn policy(&self, options: &ScoreOptions) -> Policy {
        options.policy()
    }

    /// The total of one turn from what its requests' replies came to ([`Unit::counted`](crate::model::score::Unit::counted)), on the printed scale.
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
        let is_in = |sample: &Sample| match scope {
            "overall" | "turn" => true,
            "domain" => sample.domain == key,
            "category" => sample.category == key,
            _ => sample.has_tag(scope, key),
        };
        Some(benchmark.samples.iter().map(is_in).collect())
    }

    /// The formulas of a profile.
    fn formulas(&self, profile: Profile) -> Vec<Formula>;

    /// What the paper prints.
    fn published(&self) -> Published {
        Published::default()
    }
}
