//! What MultiRef-Bench is made of: types of reference and how many go together, and the paper's counts.

use super::names::Half;
use super::{CONDITIONS, MultiRef, variants};
use crate::contract::{Counting, Variants};
use crate::error::Error;
use crate::printed::{counts, levels, reliability, totals};
use juror_model::counts::{CountTable, KnownTotal, PrintedCount, Shares, Tally};
use juror_model::experiment::{Factor, FactorLevel, PrintedLevel};
use juror_model::linked::World;
use juror_model::reliability::PrintedFigure;
use juror_model::request::{GeneratorInput, InputKey};
use juror_model::sample::Benchmark;

/// The paper's three classes of reference types.
const CLASSES: [(&str, &[&str]); 3] = [
    ("local", &["bbox", "mask", "pose"]),
    ("global", &["semantic_map", "depth", "canny", "sketch"]),
    ("semantic", &["caption", "subject", "style"]),
];

impl Variants for MultiRef {
    fn factors(&self) -> Vec<Factor> {
        variants::factors()
    }

    fn varied_input(
        &self,
        world: &World<'_>,
        key: &InputKey,
        level: &FactorLevel,
    ) -> Result<GeneratorInput, Error> {
        variants::varied_input(world, key, level)
    }
}

impl Counting for MultiRef {
    fn variants(&self) -> Option<&dyn Variants> {
        Some(self)
    }

    fn counts(&self, benchmark: &Benchmark) -> Vec<CountTable> {
        let (mut types, mut classes, mut sizes) =
            (Tally::default(), Tally::default(), Tally::default());
        let (mut num_types, mut num_synthetic) = (0, 0);
        for sample in &benchmark.samples {
            if sample.category != Half::Synthetic.id() {
                continue;
            }
            num_synthetic += 1;
            let has = |id: &str| sample.has_tag("condition", id);
            let own: Vec<&str> = CONDITIONS.iter().map(|condition| condition.id).collect();
            let own: Vec<&str> = own.into_iter().filter(|id| has(id)).collect();
            sizes.add(&own.len().to_string(), "samples", 1);
            for id in own {
                num_types += 1;
                types.add(id, "samples", 1);
                let class = CLASSES.iter().find(|(_, ids)| ids.contains(&id));
                classes.add(class.map_or("other", |(class, _)| class), "samples", 1);
            }
        }
        let of_types = Shares::Of(num_types, "of all types asked for");
        let tables = [
            types.table(
                (
                    "type",
                    "Synthetic samples by type of reference",
                    "type of reference",
                ),
                of_types,
            ),
            classes.table(
                (
                    "type_class",
                    "Types of reference by class",
                    "class of reference",
                ),
                of_types,
            ),
            sizes.table(
                (
                    "combination_size",
                    "Synthetic samples by how many types they combine",
                    "types",
                ),
                Shares::Of(num_synthetic, "of the synthetic samples"),
            ),
        ];
        let tables = tables.into_iter().filter(|table| !table.rows.is_empty());
        tables.collect()
    }

    fn totals(&self) -> Vec<KnownTotal> {
        totals(include_str!("published/totals.csv"))
    }

    fn printed_counts(&self) -> Vec<PrintedCount> {
        counts(include_str!("published/shares.csv"))
    }

    fn printed_levels(&self) -> Vec<PrintedLevel> {
        levels(include_str!("published/levels.csv"))
    }

    fn reliability(&self) -> Vec<PrintedFigure> {
        reliability(include_str!("published/reliability.csv"))
    }
}
