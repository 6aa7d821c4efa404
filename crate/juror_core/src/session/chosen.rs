//! One judge or one run alone: scores as if the replies of the others had not been asked for.
//!
//! What is expected stays: each judge and each run is asked about every output, so one that was not has 0 of all.
//! Where nobody is chosen, judges that replied to a part only are left out: see [`super::standing`].

use super::Session;
use super::groups::domain_and_run;
use super::link::Linked;
use super::standing::blank_unjudged;
use crate::model::linked::{LinkedReply, World};
use crate::model::options::ScoreOptions;
use crate::model::score::Scores;
use crate::model::terms::Difference;
use crate::small::SortSmall;
use crate::view::AtHand;

/// A choice of judge and run.
pub(super) type Choice = (Option<String>, Option<u32>);

/// What was changed to leave replies out, per model, to be put back.
struct Before {
    num_judges: usize,
    num_by_judge: Vec<u32>,
    /// Names of measured criteria, which no protocol is to see.
    measured: Vec<String>,
}

impl Session {
    /// Scores under the options, the choice of judge and run included.
    pub(super) fn scores_of(&mut self, options: &ScoreOptions) -> Scores {
        let mut scores = self.chosen(options, |session, world| {
            let mut scores = session.protocol.score(world, options);
            blank_unjudged(world, &mut scores);
            scores
        });
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
    pub(super) fn differences_of(&mut self, options: &ScoreOptions) -> Vec<Difference> {
        self.chosen(options, |session, world| {
            let mut differences = session.protocol.differences(world);
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
        })
    }

    /// The judges and runs that there are replies of.
    pub fn judges_and_runs(&mut self) -> AtHand {
        self.link();
        self.at_hand()
    }

    pub(super) fn at_hand(&self) -> AtHand {
        let mut found = AtHand::default();
        for model in self.models() {
            let judges = model.judges.iter().zip(&model.num_by_judge);
            let present = judges.filter(|(_, count)| **count > 0);
            found.judges.extend(present.map(|(name, _)| name.clone()));
            let mut last = 0;
            for given in &model.given {
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

    /// Computes with the replies of the chosen judge and run alone.
    fn chosen<T>(
        &mut self,
        options: &ScoreOptions,
        compute: impl FnOnce(&Self, &World<'_>) -> T,
    ) -> T {
        let before = self
            .cache
            .linked
            .as_mut()
            .map(|linked| leave_out(linked, options));
        let found = compute(self, &self.world());
        if let Some((linked, before)) = self.cache.linked.as_mut().zip(before) {
            put_back(linked, options, before);
        }
        found
    }
}

fn leave_out(linked: &mut Linked, options: &ScoreOptions) -> Vec<Before> {
    let mut all = Vec::new();
    for (model, partial) in linked.models.iter_mut().zip(&linked.partial) {
        all.push(Before {
            num_judges: model.judges.len(),
            num_by_judge: model.num_by_judge.clone(),
            measured: model.criteria.split_off(model.num_given.len()),
        });
        if let Some(judge) = &options.judge {
            let known = model.judges.iter().position(|name| name == judge);
            let at = known.unwrap_or_else(|| {
                model.judges.push(judge.clone());
                model.judges.len() - 1
            });
            // Whoever is chosen is asked, though there be no reply.
            model.num_by_judge = vec![0; model.judges.len()];
            model.num_by_judge[at] = 1;
        } else {
            for partial in partial {
                model.num_by_judge[usize::from(partial.judge)] = 0;
            }
        }
    }
    mark_other_runs(linked, options);
    all
}

fn put_back(linked: &mut Linked, options: &ScoreOptions, before: Vec<Before>) {
    mark_other_runs(linked, options);
    for (model, before) in linked.models.iter_mut().zip(before) {
        model.judges.truncate(before.num_judges);
        model.num_by_judge = before.num_by_judge;
        model.criteria.extend(before.measured);
    }
}

/// Marks the replies of runs that were not chosen, or takes the marks away again.
///
/// They stay in place, as much is told by where a reply is and by which samples have any.
fn mark_other_runs(linked: &mut Linked, options: &ScoreOptions) {
    let Some(run) = options.run else { return };
    let all = linked.models.iter_mut().flat_map(|model| &mut model.given);
    for given in all.filter(|given| given.run != run) {
        given.judge ^= LinkedReply::LEFT_OUT;
    }
}
