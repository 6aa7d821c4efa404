//! Scores of only one judge or one run, as if the replies of the others had not been asked for.
//!
//! What is expected stays: each judge and each run is asked about every output, so one that was not has 0 of all.
//! Where nobody is chosen, people who rated are left out; judges that replied to a part only are marked: see
//! [`super::standing`].

use super::data::Data;
use super::groups::domain_and_run;
use super::standing::blank_unjudged;
use super::state::Session;
use crate::study::LinkedSession;
use crate::view::{Available, JoinedJudge};
use juror_model::judge::{AND, Panel, PanelRule, is_derived, is_panel, is_person};
use juror_model::linked::{ModelData, World};
use juror_model::options::ScoreOptions;
use juror_model::score::Scores;
use juror_model::terms::Difference;
use juror_statistics::small::SortSmall;

/// The judges and runs that there are replies of.
pub fn judges_and_runs(session: &LinkedSession<'_>) -> Available {
    session.at_hand()
}

impl Data {
    /// The models as the choice of judge and run has them: what is not chosen stays in place and is not scored.
    fn chosen_models(&self, options: &ScoreOptions) -> Vec<ModelData> {
        let Some(linked) = &self.cache.linked else {
            return Vec::new();
        };
        let models = linked.models.iter();
        models
            .map(|model| {
                let derived = (0u16..).zip(model.derived());
                let derived = derived.filter(|(_, is_derived)| *is_derived);
                let left_out: Vec<u16> = derived.map(|(judge, _)| judge).collect();
                model.chosen(options.judge.as_deref(), options.run, &left_out)
            })
            .collect()
    }

    /// The judges and runs that there are replies of.
    pub(super) fn at_hand(&self) -> Available {
        let mut found = Available::default();
        for model in self.models() {
            let judges = model.judges.iter().zip(&model.num_by_judge);
            for (name, _) in judges.filter(|(_, count)| **count > 0) {
                if is_panel(name) {
                    continue;
                }
                let of = if is_person(name) {
                    &mut found.people
                } else {
                    &mut found.judges
                };
                of.push(name.clone());
            }
            let mut last = 0;
            let derived = model.derived();
            for given in model.given.iter() {
                if given.run != last && !derived[usize::from(given.judge)] {
                    last = given.run;
                    found.runs.push(last);
                }
            }
            found.runs.sort_small();
            found.runs.dedup();
        }
        for names in [&mut found.judges, &mut found.people] {
            names.sort_small();
            names.dedup();
        }
        found
    }
}

impl Session {
    /// The judges and runs that there are replies of, with those that the protocol averages.
    pub(super) fn at_hand(&self) -> Available {
        let mut found = self.data.at_hand();
        for model in self.data.models() {
            let counted = model.judges.iter().zip(&model.num_by_judge);
            let counted = counted.filter(|(name, count)| **count > 0 && !is_derived(name));
            let names: Vec<&str> = counted.map(|(name, _)| name.as_str()).collect();
            let joined = self.loader.protocol.joined_judges(&names).into_iter();
            let joined: Vec<String> = joined.map(|at| names[at].to_owned()).collect();
            if joined.len() > 1 {
                found.joined.push(JoinedJudge {
                    name: joined.join(AND),
                    judge: Panel::new(PanelRule::Mean, joined).name(),
                });
            }
        }
        found.joined.sort_small();
        found.joined.dedup();
        found
    }

    /// Scores under the options, the choice of judge and run included.
    ///
    /// Measured values are those that were brought together last; a panel has been [seated](Self::seat).
    pub(super) fn scores_of(&self, options: &ScoreOptions) -> Scores {
        match &options.judge {
            Some(judge) if is_panel(judge) => (self.panelling.score)(self, options),
            _ => self.scores_alone(options),
        }
    }

    /// Scores of all judges, or of one by its own replies.
    pub(super) fn scores_alone(&self, options: &ScoreOptions) -> Scores {
        let models = self.data.chosen_models(options);
        let world = World {
            models: &models,
            ..self.world()
        };
        let mut scores = self.loader.protocol.score(&world, options);
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
        match &options.judge {
            Some(judge) if is_panel(judge) => (self.panelling.differences)(self, options),
            _ => self.differences_alone(options),
        }
    }

    /// The same by the replies of all judges or of one.
    pub(super) fn differences_alone(&self, options: &ScoreOptions) -> Vec<Difference> {
        let models = self.data.chosen_models(options);
        let world = World {
            models: &models,
            ..self.world()
        };
        let mut differences = self.loader.protocol.differences(&world);
        let effects = differences
            .iter_mut()
            .flat_map(|difference| &mut difference.effects);
        for effect in effects {
            let model = world.model(&effect.model);
            if model.is_some_and(super::standing::is_unjudged) {
                (effect.paper, effect.with_rule) = (None, None);
            }
        }
        differences
    }
}
