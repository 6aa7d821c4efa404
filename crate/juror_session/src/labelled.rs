//! What people said of outputs, tied to them, and the labels that were offered.

use std::collections::BTreeMap;

use super::count;
use crate::label_file::{LabelRecord, NONE};
use juror_model::sample::{Benchmark, Sample};
use juror_model::terms::FailureLabel;

/// The labels that a benchmark's outputs can have.
#[derive(Debug, Default)]
pub(super) struct Offered {
    /// All of them, each once.
    pub(super) labels: Vec<FailureLabel>,
    /// Different lists, as places in `labels`.
    pub(super) lists: Vec<Vec<u32>>,
    /// By sample, which list.
    pub(super) of: Vec<u32>,
}

/// People's labels, tied to outputs.
#[derive(Debug, Default)]
pub(super) struct Labelled {
    /// One record per rater, output and label, those taken back among them.
    pub(super) merged: Vec<LabelRecord>,
    pub(super) offered: Offered,
    /// The protocol's labels, then those in people's own words.
    pub(super) labels: Vec<FailureLabel>,
    /// By model, sample and turn.
    pub(super) outputs: Vec<Output>,
    /// By rater: standing labels of what is not open.
    pub(super) unknown_samples: BTreeMap<String, u32>,
}

/// An output that somebody looked at.
#[derive(Debug)]
pub(super) struct Output {
    pub(super) model: u32,
    pub(super) sample: u32,
    pub(super) turn: u32,
    /// By rater, places in [`Labelled::labels`] in order; none of an output without a failure.
    pub(super) by: Vec<(String, Vec<u32>)>,
}

impl Output {
    /// Whether this person looked at it; everybody where none is named.
    pub(super) fn is_seen(&self, rater: &str) -> bool {
        rater.is_empty() || self.by.iter().any(|(by, _)| by == rater)
    }

    /// Whether a person set a label; anybody where none is named.
    pub(super) fn has(&self, rater: &str, label: u32) -> bool {
        let mut by = self.by.iter();
        by.any(|(by, own)| (rater.is_empty() || by == rater) && own.contains(&label))
    }

    /// Whether a person set any label.
    pub(super) fn has_any(&self, rater: &str) -> bool {
        let mut by = self.by.iter();
        by.any(|(by, own)| (rater.is_empty() || by == rater) && !own.is_empty())
    }

    /// The labels that somebody set, some more than once.
    pub(super) fn labels(&self) -> impl Iterator<Item = u32> {
        self.by.iter().flat_map(|(_, own)| own.iter().copied())
    }
}

impl Labelled {
    /// Whether a label is offered for a sample; those in people's own words are for all.
    pub(super) fn is_offered(&self, label: u32, sample: u32) -> bool {
        label as usize >= self.offered.labels.len()
            || self.offered.of_sample(sample).contains(&label)
    }
}

impl Offered {
    pub(super) fn new(
        benchmark: &Benchmark,
        labels: impl Fn(&Sample) -> Vec<FailureLabel>,
    ) -> Self {
        let mut found = Self::default();
        let mut seen: Vec<Vec<FailureLabel>> = Vec::new();
        for sample in &benchmark.samples {
            let own = labels(sample);
            // Neighbours mostly have the same list.
            let known = seen.iter().rposition(|list| *list == own);
            let at = known.unwrap_or_else(|| {
                let places = own.iter().map(|label| found.place(label)).collect();
                found.lists.push(places);
                seen.push(own);
                seen.len() - 1
            });
            found.of.push(count(at));
        }
        found
    }

    /// The position of a label, which is added if it is missing.
    pub(super) fn place(&mut self, label: &FailureLabel) -> u32 {
        let known = self.labels.iter().position(|known| known.id == label.id);
        count(known.unwrap_or_else(|| {
            self.labels.push(label.clone());
            self.labels.len() - 1
        }))
    }

    pub(super) fn of_sample(&self, sample: u32) -> &[u32] {
        let list = self.of.get(sample as usize);
        list.map_or(&[], |list| &self.lists[*list as usize])
    }

    /// The id of what is meant: a label's id or name in either case, or own words as they are.
    pub(super) fn canonical(&self, label: &str) -> String {
        if label.eq_ignore_ascii_case(NONE) {
            return NONE.to_owned();
        }
        let mut labels = self.labels.iter();
        let known = labels.find(|known| {
            known.id.eq_ignore_ascii_case(label) || known.name.eq_ignore_ascii_case(label)
        });
        known.map_or(label, |known| &known.id).to_owned()
    }
}
