//! What WEAVEBench is made of: the paper's and its authors' counts.

use super::{Weave, variants};
#[cfg(feature = "generating")]
use crate::contract::Dialogues;
use crate::contract::{Counting, Variants};
use crate::error::Error;
use crate::printed::{levels, reliability, totals};
use juror_model::counts::KnownTotal;
use juror_model::experiment::{Factor, FactorLevel, PrintedLevel};
use juror_model::linked::World;
use juror_model::reliability::PrintedFigure;
use juror_model::request::{GeneratorInput, InputKey};

impl Variants for Weave {
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

#[cfg(feature = "generating")]
impl Dialogues for Weave {
    fn output_place(&self, output_name: &str) -> String {
        format!("imgs/{output_name}")
    }

    fn shows_own_outputs(&self, level: Option<&FactorLevel>) -> bool {
        level.is_some_and(variants::shows_own_outputs)
    }
}

impl Counting for Weave {
    fn variants(&self) -> Option<&dyn Variants> {
        Some(self)
    }

    #[cfg(feature = "generating")]
    fn dialogues(&self) -> Option<&dyn Dialogues> {
        Some(self)
    }

    fn totals(&self) -> Vec<KnownTotal> {
        totals(include_str!("published/totals.csv"))
    }

    fn printed_levels(&self) -> Vec<PrintedLevel> {
        levels(include_str!("published/levels.csv"))
    }

    fn reliability(&self) -> Vec<PrintedFigure> {
        reliability(include_str!("published/reliability.csv"))
    }
}
