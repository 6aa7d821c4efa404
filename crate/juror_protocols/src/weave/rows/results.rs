//! Totals under several rules, for the effect of each.

use super::cells::Cell;
use super::groups::Groups;
use super::units::{Mode, count};
use crate::resolve::judges;
use crate::weave::CATEGORIES;
use crate::weave::score::WeaveRules;
use juror_model::linked::{ModelData, World};

/// What one model comes to by its first judge, for totals under several rules.
pub(in crate::weave) struct ModelResults {
    cells: Result<Vec<Cell>, String>,
}

impl ModelResults {
    pub(in crate::weave) fn new(
        world: &World<'_>,
        groups: &Groups,
        model: &ModelData,
        rules: WeaveRules,
    ) -> Self {
        let mode = Mode::of(world, model);
        let counted = count(world, groups, model, mode, judges(model)[0], rules);
        let cells = match counted.scores.stopped {
            Some(stopped) => Err(stopped),
            None => Ok(counted.grid.cells()),
        };
        Self { cells }
    }

    /// The overall total; the error says why the authors' summary stops.
    pub(in crate::weave) fn overall(&self, rules: WeaveRules) -> Result<Option<f64>, String> {
        self.cells
            .as_ref()
            .map(|cells| cells[0].total(rules))
            .map_err(String::clone)
    }

    /// The totals of the categories that have one.
    pub(in crate::weave) fn categories(&self, rules: WeaveRules) -> Vec<f64> {
        let cells = self.cells.as_deref().unwrap_or_default();
        cells
            .iter()
            .skip(1)
            .take(CATEGORIES.len())
            .filter_map(|cell| cell.total(rules))
            .collect()
    }
}
