//! What MultiBanana is made of: structures by number of references, difficulty labels by set, and the paper's counts.

use super::{MultiBanana, variants};
use crate::contract::{AgentLoops, Counting, Variants};
use crate::error::Error;
use crate::printed::{counts, levels, reliability, totals};
use juror_model::counts::{CountTable, KnownTotal, PrintedCount, Shares, Tally};
use juror_model::experiment::{Factor, FactorLevel, PrintedLevel};
use juror_model::linked::World;
use juror_model::prompt::PromptPack;
use juror_model::reliability::PrintedFigure;
use juror_model::request::{GeneratorInput, InputKey};
use juror_model::sample::{Benchmark, Sample};

impl Variants for MultiBanana {
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

/// Juror's own wording, with the reply grammar of each framework.
impl AgentLoops for MultiBanana {
    fn texts(&self) -> PromptPack {
        let texts = [
            ("planner", include_str!("prompts/agent_planner.txt")),
            ("planner_sra", include_str!("prompts/agent_planner_sra.txt")),
            (
                "previous_picture",
                include_str!("prompts/agent_previous.txt"),
            ),
        ];
        let texts = texts.map(|(kind, text)| (kind.to_owned(), text.to_owned()));
        PromptPack::new("juror-multibanana-agents/1", texts.to_vec())
    }
}

impl Counting for MultiBanana {
    fn agents(&self) -> Option<&dyn AgentLoops> {
        Some(self)
    }

    fn variants(&self) -> Option<&dyn Variants> {
        Some(self)
    }

    fn counts(&self, benchmark: &Benchmark) -> Vec<CountTable> {
        let (mut structures, mut labels) = (Tally::default(), Tally::default());
        for sample in &benchmark.samples {
            for structure in tags(sample, "structure") {
                for references in tags(sample, "references") {
                    structures.add(structure, references, 1);
                }
            }
            let num_labels = tags(sample, "difficulty").count();
            labels.add(&num_labels.to_string(), "sets", 1);
        }
        let structures = structures.table(
            (
                "structure_references",
                "Multi-reference sets by structure and number of references",
                "structure",
            ),
            Shares::OfRow("of the structure's"),
        );
        let num_sets = u32::try_from(benchmark.samples.len()).unwrap_or(u32::MAX);
        let labels = labels.table(
            (
                "difficulty_labels",
                "Sets by how many difficulty labels they carry",
                "labels",
            ),
            Shares::Of(num_sets, "of all sets"),
        );
        let tables = [structures, labels].into_iter();
        tables.filter(|table| !table.rows.is_empty()).collect()
    }

    fn totals(&self) -> Vec<KnownTotal> {
        totals(include_str!("published/totals.csv"))
    }

    fn printed_counts(&self) -> Vec<PrintedCount> {
        counts(include_str!("published/categories.csv"))
    }

    fn printed_levels(&self) -> Vec<PrintedLevel> {
        levels(include_str!("published/levels.csv"))
    }

    fn reliability(&self) -> Vec<PrintedFigure> {
        reliability(include_str!("published/reliability.csv"))
    }
}

fn tags<'a>(sample: &'a Sample, scope: &'a str) -> impl Iterator<Item = &'a str> {
    let own = sample.tags.iter().filter(move |(own, _)| own == scope);
    own.map(|(_, key)| key.as_str())
}
