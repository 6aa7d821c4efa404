//! One judge or one run alone: scores as if the replies of the others had not been asked for.
//!
//! What is expected stays: each judge and each run is asked about every output, so one that was not has 0 of all.
//! Where nobody is chosen, judges that replied to a part only are left out: see [`super::standing`].

use super::Session;
use super::groups::domain_and_run;
use super::standing::blank_unjudged;
use crate::model::linked::{ModelData, World};
use crate::model::options::ScoreOptions;
use crate::model::score::Scores;
use crate::model::terms::Difference;
use crate::small::SortSmall;
use crate::view::AtHand;

/// A choice of judge and run.
pub(super) type Choice = (Option<String>, Option<u32>);

/// The judges and runs that there are replies of.
pub fn judges_and_runs(session: &mut Session) -> AtHand {
    session.link();
    session.at_hand()
}

/// The models as the choice of judge and run has them: what is not chosen stays in place and is not scored.
fn models_of(session: &Session, options: &ScoreOptions) -> Vec<ModelData> {
    let Some(linked) = &session.cache.linked else {
        return Vec::new();
    };
    let pairs = linked.models.iter().zip(&linked.partial);
    pairs
        .map(|(model, partial)| {
            let left_out: Vec<u16> = partial.iter().map(|partial| partial.judge).collect();
            model.chosen(options.judge.as_deref(), options.run, &left_out)
        })
        .collect()
}

impl Session {
    /// Scores under the options, the choice of judge and run included.
    ///
    /// Measured values are those that were brought together last.
    pub(super) fn scores_of(&self, options: &ScoreOptions) -> Scores {
        let models = models_of(self, options);
        let world = World {
            models: &models,
            ..self.world()
        };
        let mut scores = self.protocol.score(&world, options);
        blank_unjudged(&world, &mut scores);
        if let Some(judge) = &options.judge {
            scores.rows.retain(|row| row.judge == *judge);
            for model in &mut scores.models {
                model.judges.retain(|found| found.judge == *judge);
            }
        }
        if let Some(run) = options.run {
            let is_other =
                |scope: &str, key: &str| scope == "run" && domain_and_run(key).1 != Some(run);
            scores.rows.retain(|row| !is_other(&row.scope, &row.key));
            for info in &mut scores.scopes {
                info.keys.retain(|key| !is_other(&info.scope, key));
            }
            let judges = scores.models.iter_mut().flat_map(|model| &mut model.judges);
            for unit in judges.flat_map(|judge| &mut judge.units) {
                unit.run = run;
            }
        }
        self.add_measured(options, &mut scores);
        scores
    }

    /// The effects of each difference between paper and code, under the choice of judge and run.
    pub(super) fn differences_of(&self, options: &ScoreOptions) -> Vec<Difference> {
        let models = models_of(self, options);
        let world = World {
            models: &models,
            ..self.world()
        };
        let mut differences = self.protocol.differences(&world);
        let effects = differences
            .iter_mut()
            .flat_map(|difference| &mut difference.effects);
        for effect in effects {
            let model = world.model(&effect.model);
            if model.is_some_and(Self::is_unjudged) {
                (effect.paper, effect.with_rule) = (None, None);
            }
        }
        differences
    }

    pub(super) fn at_hand(&self) -> AtHand {
        let mut found = AtHand::default();
        for model in self.models() {
            let judges = model.judges.iter().zip(&model.num_by_judge);
            let present = judges.filter(|(_, count)| **count > 0);
            found.judges.extend(present.map(|(name, _)| name.clone()));
            let mut last = 0;
            for given in model.given.iter() {
                if given.run != last {
                    last = given.run;
                    found.runs.push(last);
                }
            }
            found.runs.sort_small();
            found.runs.dedup();
        }
        found.judges.sort_small();
        found.judges.dedup();
        found
    }
}
