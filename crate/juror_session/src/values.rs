//! Scores by place, each with one entry per run or rater, and their means.

use std::collections::BTreeMap;

use super::slices::Place;

/// One side's values with one entry per run or rater.
pub(super) type Values = BTreeMap<Place, Vec<f64>>;

/// Each judge's values by its name.
pub(super) type Judges = BTreeMap<String, Values>;

/// The mean of all raters at each place.
pub(super) fn mean_of_all(raters: &BTreeMap<String, Values>) -> Values {
    let mut people = Values::new();
    for (place, values) in raters.values().flatten() {
        people.entry(place.clone()).or_default().push(mean(values));
    }
    people
}

/// The mean of what is not empty.
pub(super) fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}
