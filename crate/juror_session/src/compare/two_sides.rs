//! Two judges' comparisons of the same models, each on the samples that the other one rated as well.

use juror_model::options::ScoreOptions;
use juror_model::score::Scores;
use juror_statistics::clusters::Clusters;

use super::{CompareQuery, Comparison, inputs_of};
use crate::error::Error;
use crate::state::Session;

/// What two judges' comparisons come to.
pub(crate) struct TwoSides {
    /// Each judge's own, as Compare has it, but for the samples that the other one did not rate.
    pub(crate) comparisons: [Comparison; 2],
    /// By model in the order of loading: the second judge's number of each sample less the first one's.
    pub(crate) differences: Vec<Clusters>,
}

impl Session {
    /// Compares all models by two judges, given each one's scores and query.
    pub(crate) fn compare_by_two(
        &self,
        [a, b]: [(&Scores, &CompareQuery); 2],
        options: &ScoreOptions,
    ) -> Result<TwoSides, Error> {
        let criteria = self.criteria();
        let mut first = inputs_of(self, a.0, a.1, &criteria)?;
        let mut second = inputs_of(self, b.0, b.1, &criteria)?;
        for (one, other) in first.columns.iter_mut().zip(&mut second.columns) {
            if let (Some(one), Some(other)) = (one.as_mut(), other.as_mut()) {
                one.keep_common(other);
            } else {
                (*one, *other) = (None, None);
            }
        }
        let columns = first.columns.iter().zip(&second.columns);
        let differences = columns.map(|(one, other)| {
            let values = first.members().filter_map(|sample| {
                let turns = first.turns(sample);
                let (a, b) = one.as_ref()?.both(other.as_ref()?, turns)?;
                Some((sample, b - a))
            });
            Clusters::new(values)
        });
        Ok(TwoSides {
            differences: differences.collect(),
            comparisons: [first.comparison(options), second.comparison(options)],
        })
    }
}
