//! Who else stands on a side: people with the scores that their answers make, a panel that was chosen, and judges' scores run by
//! run.

use std::collections::BTreeMap;

use super::state::Session;
use super::values::{Judges, Values};
use juror_model::judge::{PEOPLE, Panel, PanelRule, is_panel, person, rater_of};
use juror_model::linked::{ModelData, World};
use juror_model::options::ScoreOptions;
use juror_model::score::Scores;

impl Session {
    /// Every rater's scores by place, and how many ratings have none: what they gave themselves, and where they gave nothing what
    /// the protocol makes of their answers to the judge's questions. Of one criterion alone made scores, if it is named.
    pub(super) fn people_values(
        &self,
        options: &ScoreOptions,
        only: Option<&str>,
    ) -> (BTreeMap<String, Values>, u32) {
        let (mut raters, unknown_samples) = self.raters_values();
        for judge in self.data.at_hand().people {
            let Some(rater) = rater_of(&judge) else {
                continue;
            };
            let made = self.values_of_one(options, &judge, only);
            let values = raters.entry(rater.to_owned()).or_default();
            for (place, scores) in made {
                values.entry(place).or_insert(scores);
            }
        }
        (raters, unknown_samples)
    }

    /// The scores of the only judge that is chosen, or of a person or a panel that has been [seated](Self::seat).
    pub(super) fn values_of_one(
        &self,
        options: &ScoreOptions,
        judge: &str,
        only: Option<&str>,
    ) -> Values {
        let options = ScoreOptions {
            judge: Some(judge.to_owned()),
            ..options.clone()
        };
        let scores = self.scores_of(&options);
        let mut found = self.values_of(&scores, &options, only);
        found.remove(judge).unwrap_or_default()
    }

    /// Each judge's scores by place, one for each run, of judges with several: totals too, which [`Self::values_of`] has once for
    /// all runs where a reply has none of its own.
    pub(super) fn values_by_run(&self, options: &ScoreOptions, judges: &Judges) -> Judges {
        let mut found = judges.clone();
        let runs = self.data.at_hand().runs;
        if runs.len() > 1 {
            let panels = judges.keys().filter(|judge| is_panel(judge));
            let of_panels = panels.map(|panel| Some(panel.as_str()));
            for chosen in [None].into_iter().chain(of_panels) {
                for (judge, totals) in self.totals_by_run(options, chosen, &runs) {
                    if let Some(values) = found.get_mut(&judge) {
                        values.extend(totals);
                    }
                }
            }
        }
        found.retain(|_, values| values.values().any(|of_runs| of_runs.len() > 1));
        found
    }

    /// The total of each sample as each run alone gives it: of all judges that are asked, or of one that is chosen.
    fn totals_by_run(&self, options: &ScoreOptions, chosen: Option<&str>, runs: &[u32]) -> Judges {
        let mut judges = Judges::new();
        for run in runs {
            let options = ScoreOptions {
                run: Some(*run),
                judge: chosen.map(str::to_owned),
                ..options.clone()
            };
            let scores = match chosen {
                Some(_) => self.scores_of(&options),
                None => self.scores_of_run(&options, *run),
            };
            for (at, of_model) in scores.models.iter().enumerate() {
                for judge in &of_model.judges {
                    let values = judges.entry(judge.judge.clone()).or_default();
                    for (sample, total) in (0u32..).zip(&judge.totals) {
                        if let Some(total) = total {
                            let place = (at, "total".to_owned(), sample, 0);
                            values.entry(place).or_default().push(*total);
                        }
                    }
                }
            }
        }
        judges
    }

    /// The scores of one run by everybody who was asked, those who replied to a part only among them.
    fn scores_of_run(&self, options: &ScoreOptions, run: u32) -> Scores {
        let world = self.world();
        let models = world.models.iter().map(|model| {
            let derived = (0u16..).zip(model.derived());
            let derived = derived.filter_map(|(judge, is)| is.then_some(judge));
            model.chosen(None, Some(run), &derived.collect::<Vec<u16>>())
        });
        let models: Vec<ModelData> = models.collect();
        let world = World {
            models: &models,
            ..world
        };
        self.loader.protocol.score(&world, options)
    }
}

/// The panel that the options name as their judge, if they name one.
pub(super) fn chosen_panel(options: &ScoreOptions) -> Option<&str> {
    options.judge.as_deref().filter(|judge| is_panel(judge))
}

/// Whether one of two judges is a panel with the other one in it: then they agree for this reason only.
pub(super) fn is_of_panel(a: &str, b: &str) -> bool {
    let has = |panel: &str, judge: &str| {
        let panel = Panel::named(panel);
        panel.is_some_and(|panel| {
            let mut judges = panel.judges.iter();
            judges.any(|own| {
                own == judge || *own == person(judge) || (own == PEOPLE && judge == PEOPLE)
            })
        })
    };
    has(a, b) || has(b, a)
}

/// The mean of several judges run by run, as the panel of that name: of places that all of them have in equally many runs. Places
/// that only some have are there without a score.
pub(super) fn mean_over_judges(judges: &BTreeMap<&str, &Values>) -> Option<(String, Values)> {
    if judges.len() < 2 {
        return None;
    }
    let names = judges.keys().map(|name| (*name).to_owned()).collect();
    let mut found = Values::new();
    for place in judges.values().flat_map(|values| values.keys()) {
        if found.contains_key(place) {
            continue;
        }
        let of_all: Option<Vec<&Vec<f64>>> =
            judges.values().map(|values| values.get(place)).collect();
        found.insert(
            place.clone(),
            of_all.map_or_else(Vec::new, |of| mean_by_run(&of)),
        );
    }
    Some((Panel::new(PanelRule::Mean, names).name(), found))
}

/// The mean of each run; nothing where the judges have not equally many.
fn mean_by_run(judges: &[&Vec<f64>]) -> Vec<f64> {
    let runs = judges.first().map_or(0, |first| first.len());
    if judges.iter().any(|one| one.len() != runs) {
        return Vec::new();
    }
    let mean = |run: usize| judges.iter().map(|one| one[run]).sum::<f64>() / judges.len() as f64;
    (0..runs).map(mean).collect()
}
