//! What a score row says of how it came about: that it gives the row's numbers, and that its parts are rows.

use juror_core::session::{self, Session};
use juror_model::options::{Profile, ScoreOptions};
use juror_model::origin::{OriginInterval, OriginMean};

/// Goes through every row in both profiles; gives how many are means of parts.
#[track_caller]
pub(crate) fn check(session: &mut Session) -> usize {
    let mut with_parts = 0;
    for profile in [Profile::Paper, Profile::Released] {
        let options = ScoreOptions {
            profile,
            ..ScoreOptions::default()
        };
        let rows = session::overview(session, &options).scores;
        for (at, row) in (0..).zip(&rows) {
            let origin = session::row_units(session, &options, at).origin;
            let mean = origin.mean.as_ref().and_then(OriginMean::value);
            assert_eq!(mean, row.mean, "{row:?}");
            let ends = origin.interval.as_ref().map(OriginInterval::ends);
            assert_eq!(ends.unzip(), (row.ci_low, row.ci_high), "{row:?}");
            let Some(mean) = origin.mean else { continue };
            with_parts += usize::from(!mean.parts.is_empty());
            for part in mean.parts.iter().filter(|part| part.is_row) {
                let name = (&part.judge, &part.scope, &part.key, &part.criterion);
                let own = rows.iter().find(|own| {
                    own.model == row.model
                        && (&own.judge, &own.scope, &own.key, &own.criterion) == name
                });
                let own = own.unwrap_or_else(|| panic!("no row {name:?} for {row:?}"));
                // The authors' code rounds a part for its own row and goes on with more digits.
                let near = |(a, b): (f64, f64)| {
                    (a - b).abs() <= if mean.rounding.is_some() { 0.0005 } else { 0.0 }
                };
                assert!(
                    own.mean.zip(part.value).is_none_or(near),
                    "{part:?} of {row:?}"
                );
                assert_eq!(
                    own.mean.is_some(),
                    part.value.is_some(),
                    "{part:?} of {row:?}"
                );
            }
        }
    }
    with_parts
}
