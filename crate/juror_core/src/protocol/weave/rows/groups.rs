//! The groups that scores are given for.

use crate::model::linked::World;
use crate::protocol::weave::CATEGORIES;

/// All groups that scores are given for, numbered.
pub(in crate::protocol::weave) struct Groups {
    pub(super) domains: Vec<String>,
    /// Per domain: position of its category.
    pub(super) categories: Vec<Option<usize>>,
    pub(super) num_turns: u32,
    /// Per sample of the benchmark: its domain.
    pub(super) of_sample: Vec<u16>,
}

impl Groups {
    pub(in crate::protocol::weave) fn new(world: &World<'_>) -> Self {
        let samples = &world.benchmark.samples;
        let mut groups = Self {
            domains: Vec::new(),
            categories: Vec::new(),
            num_turns: 0,
            of_sample: Vec::new(),
        };
        for name in CATEGORIES.iter().flat_map(|(_, names)| *names) {
            if samples.iter().any(|sample| sample.domain == *name) {
                groups.domain(name);
            }
        }
        for sample in samples {
            let domain = groups.domain(&sample.domain);
            groups.of_sample.push(domain);
            let num_turns = u32::try_from(sample.turns.len()).unwrap_or(0);
            groups.num_turns = groups.num_turns.max(num_turns);
        }
        for name in world.models.iter().flat_map(|model| &model.domains) {
            groups.domain(name);
        }
        groups
    }

    /// The number of a domain, a new one if it was not met before.
    pub(super) fn domain(&mut self, name: &str) -> u16 {
        let at = self.find_domain(name).unwrap_or_else(|| {
            self.domains.push(name.to_owned());
            self.categories.push(
                CATEGORIES
                    .iter()
                    .position(|(_, domains)| domains.contains(&name)),
            );
            self.domains.len() - 1
        });
        u16::try_from(at).unwrap_or(u16::MAX)
    }

    pub(super) fn find_domain(&self, name: &str) -> Option<usize> {
        self.domains.iter().position(|known| known == name)
    }

    /// Scope and key of every cell, in display order: overall, categories, domains, turns.
    pub(super) fn labels(&self) -> Vec<(&'static str, String)> {
        let mut labels = vec![("overall", "all".to_owned())];
        labels.extend(
            CATEGORIES
                .iter()
                .map(|(category, _)| ("category", (*category).to_owned())),
        );
        labels.extend(self.domains.iter().map(|domain| ("domain", domain.clone())));
        labels.extend((0..self.num_turns).map(|turn| ("turn", turn.to_string())));
        labels
    }
}
