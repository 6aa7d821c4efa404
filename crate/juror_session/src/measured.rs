//! Measured values brought together, one for each output, counterpart and metric.

use crate::measure::{MeasureKind, Merged};
use juror_model::problem::Problem;
use juror_model::summary::MeasureCount;
use juror_model::terms::CriterionInfo;

/// What measured values come to before they are scored.
#[derive(Debug, Default)]
pub(super) struct MergedMeasures {
    pub(super) merged: Merged,
    pub(super) kinds: Vec<MeasureKind>,
    pub(super) criteria: Vec<CriterionInfo>,
    pub(super) counts: Vec<MeasureCount>,
    pub(super) problems: Vec<Problem>,
}
