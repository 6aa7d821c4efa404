//! What a score row says of how it came about: that it gives the row's numbers, and that its parts are rows.

use juror_model::options::{Profile, ScoreOptions};
use juror_model::origin::{OriginInterval, OriginMean};
use juror_model::row::ScoreRow;
use juror_session::Session;
use juror_session::compare::Interval;
use juror_session::plots::RowIntervalQuery;
use juror_statistics::level::Level;
use juror_tests::generate::open;
use juror_tests::program::demo_suite;

/// Goes through every row in both profiles; gives how many are means of parts.
#[track_caller]
pub(crate) fn check(session: &mut Session) -> usize {
    let mut with_parts = 0;
    for profile in [Profile::Paper, Profile::Released] {
        let options = ScoreOptions {
            profile,
            ..ScoreOptions::default()
        };
        let overview = juror_session::overview(&session.study(&options));
        let (rows, criteria) = (overview.scores, overview.criteria);
        check_levels(session, &options, &rows);
        for (at, row) in (0..).zip(&rows) {
            let origin = juror_session::row_units(&session.study(&options), at).origin;
            let mean = origin.mean.as_ref().and_then(OriginMean::value);
            assert_eq!(mean, row.mean, "{row:?}");
            let ends = origin.interval.as_ref().map(OriginInterval::ends);
            let info = criteria.iter().find(|info| info.id == row.criterion);
            // Where the scale cuts an end, that is the scale's.
            let is_end = |end: Option<f64>, raw: Option<f64>, of_scale: Option<f64>| {
                end == raw || raw.is_some() && end == of_scale
            };
            let (low, high) = ends.unzip();
            let is_same = is_end(row.ci_low, low, info.map(|info| info.min * info.scale))
                && is_end(row.ci_high, high, info.map(|info| info.max * info.scale));
            assert!(is_same, "{ends:?} of {row:?}");
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

/// Intervals at 95 % are the rows' own; those at 90 % are within and those at 99 % around them.
fn check_levels(session: &mut Session, options: &ScoreOptions, rows: &[ScoreRow]) {
    let mut at = |level| {
        let options = options.clone();
        juror_session::row_intervals(
            &session.study(&options),
            &RowIntervalQuery { options, level },
        )
    };
    let (narrow, usual, wide) = (at(Level::P90), at(Level::P95), at(Level::P99));
    assert_eq!((narrow.len(), wide.len()), (rows.len(), rows.len()));
    for (at, row) in rows.iter().enumerate() {
        let near = |(a, b): (f64, f64)| (a - b).abs() < 1e-9;
        let own = row.ci_low.zip(row.ci_high);
        let found = usual[at].map(|ends| (ends.low, ends.high));
        assert_eq!(own.is_some(), found.is_some(), "{row:?}");
        assert_eq!(own.is_some(), narrow[at].and(wide[at]).is_some(), "{row:?}");
        let all = own.zip(found).zip(narrow[at].zip(wide[at]));
        let Some(((own, found), (narrow, wide))) = all else {
            continue;
        };
        assert!(near((own.0, found.0)) && near((own.1, found.1)), "{row:?}");
        assert!(wide.low <= found.0 && found.0 <= narrow.low, "{row:?}");
        assert!(narrow.high <= found.1 && found.1 <= wide.high, "{row:?}");
        let is_spread = found.1 - found.0 > 1e-6;
        let width = |ends: Interval| ends.high - ends.low;
        assert!(!is_spread || width(narrow) < width(wide), "{row:?}");
    }
}

#[test]
fn no_interval_ends_beyond_a_scale_and_measured_values_keep_theirs() {
    let (mut num_cut, mut num_measured) = (0, 0);
    for suite in ["weave", "multibanana", "multiref", "vibe", "micon"] {
        let mut session = open(&demo_suite(suite));
        for profile in [Profile::Paper, Profile::Released] {
            let options = ScoreOptions {
                profile,
                ..ScoreOptions::default()
            };
            let overview = juror_session::overview(&session.study(&options));
            for (at, row) in (0..).zip(&overview.scores) {
                let info = overview
                    .criteria
                    .iter()
                    .find(|info| info.id == row.criterion);
                let Some((info, (low, high))) = info.zip(row.ci_low.zip(row.ci_high)) else {
                    continue;
                };
                let origin = juror_session::row_units(&session.study(&options), at).origin;
                let raw = origin.interval.as_ref().map(OriginInterval::ends);
                let is_cut = raw != Some((low, high));
                let judged = ["IQ", "IF", "SF"].contains(&info.id.as_str());
                if suite == "multiref" && !judged {
                    assert!(!is_cut, "{row:?}");
                    num_measured += 1;
                    continue;
                }
                let scale = info.min * info.scale..=info.max * info.scale;
                let is_within = scale.contains(&low) && scale.contains(&high);
                assert!(is_within, "{suite}: {row:?}");
                num_cut += u32::from(is_cut);
            }
        }
    }
    assert!(
        num_cut > 0 && num_measured > 0,
        "{num_cut} cut, {num_measured} measured"
    );
}
