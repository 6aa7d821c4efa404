//! Where a panel's median or majority was a tie: in the rows of a report, and in what one sample shows.

use std::collections::{BTreeMap, BTreeSet};

use juror_model::options::{Profile, ScoreOptions};
use juror_model::row::SampleRow;

use crate::state::Session;
use crate::view::SampleView;

/// Whose answers were tied: model, sample, turn and criterion.
type TiedPlace<'a> = (&'a str, &'a str, u32, String);

impl Session {
    /// The runs in which answers of the panel that the options name were tied, by place; `None` where they name none.
    ///
    /// A criterion is tied where one of its questions was, a total and a request where any was.
    fn tied_places(
        &self,
        options: &ScoreOptions,
    ) -> Option<BTreeMap<TiedPlace<'_>, BTreeSet<u32>>> {
        let name = options.judge.as_deref().unwrap_or_default();
        let linked = self.data.cache.linked.as_ref()?;
        let tallies = linked.panels.get(name)?;
        let tallies = &tallies[usize::from(options.profile == Profile::Released)];
        let world = self.world();
        let requests = self.loader.protocol.requests();
        let in_run = |run: u32| options.run.is_none_or(|chosen| chosen == run);
        let mut tied: BTreeMap<TiedPlace<'_>, BTreeSet<u32>> = BTreeMap::new();
        for tally in tallies {
            let (model, sample, turn, criterion, run) = tally.place;
            let ties = tally.answers.iter().filter(|(_, (_, ties))| *ties > 0);
            let ties: Vec<&Option<String>> = ties.map(|(of, _)| of).collect();
            if ties.is_empty() || !in_run(run) {
                continue;
            }
            let model = &world.models[model];
            let request = &model.criteria[usize::from(criterion)];
            let known = requests.iter().find(|known| known.id == *request);
            let criteria = known.map_or(std::slice::from_ref(request), |known| &known.criteria);
            let is_tied = |criterion: &&String| {
                let is_of = |of: &&Option<String>| of.as_ref().is_none_or(|of| of == *criterion);
                **criterion == "total" || ties.iter().any(is_of)
            };
            let own = criteria.iter().filter(is_tied).map(String::as_str);
            let sample = world.benchmark.samples[sample as usize].id.as_str();
            for criterion in own.chain(["total", request]) {
                let model = model.submission.name.as_str();
                let place = (model, sample, turn, criterion.to_owned());
                tied.entry(place).or_default().insert(run);
            }
        }
        Some(tied)
    }

    /// Marks the scores that a panel's median or majority was tied in. Where runs are pooled, a tie in one of them is one of
    /// the score.
    pub(crate) fn mark_ties(&self, options: &ScoreOptions, rows: &mut [SampleRow]) {
        let name = options.judge.as_deref().unwrap_or_default();
        let Some(tied) = self.tied_places(options) else {
            return;
        };
        let place = |row: &SampleRow| -> (String, String, u32, String) {
            let (model, sample) = (row.model.clone(), row.sample.clone());
            (model, sample, row.turn, row.criterion.clone())
        };
        let mut runs: BTreeMap<_, BTreeSet<u32>> = BTreeMap::new();
        for row in rows.iter().filter(|row| row.judge == name) {
            runs.entry(place(row)).or_default().insert(row.run);
        }
        for row in rows.iter_mut().filter(|row| row.judge == name) {
            let shown = runs.get(&place(row));
            let found = tied.get(&(&*row.model, &*row.sample, row.turn, row.criterion.clone()));
            let is_of_row =
                |run: &u32| *run == row.run || shown.is_some_and(|shown| !shown.contains(run));
            row.tied = found.is_some_and(|found| found.iter().any(is_of_row));
        }
    }

    /// Names in a sample's replies the criteria in which the panel that is chosen was tied, and the request itself.
    pub(super) fn name_ties(&self, options: &ScoreOptions, view: &mut SampleView) {
        let Some(tied) = self.tied_places(options) else {
            return;
        };
        let requests = self.loader.protocol.requests();
        for turn in &mut view.turns {
            for output in &mut turn.outputs {
                for verdict in &mut output.verdicts {
                    if Some(&verdict.judge) != options.judge.as_ref() {
                        continue;
                    }
                    let known = requests.iter().find(|known| known.id == verdict.criterion);
                    let own = known.map_or(&[][..], |known| &known.criteria).iter();
                    let own = own.filter(|id| **id != verdict.criterion && *id != "total");
                    let all = own.chain([&verdict.criterion]);
                    let is_tied = |id: &&String| {
                        let place = (&*output.model, &*view.id, turn.index, (*id).clone());
                        let runs = tied.get(&place);
                        runs.is_some_and(|runs| runs.contains(&verdict.run))
                    };
                    verdict.tied = all.filter(is_tied).cloned().collect();
                }
            }
        }
    }
}
