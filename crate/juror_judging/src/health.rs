//! Whether a judge still judges as it did: the anchor set that is asked again, and how far its scores have drifted.
//!
//! Vendors change models behind one name; a drift of the anchors shows it before a run is paid for.

use juror_model::request::RequestKey;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use juror_model::judge::Params;
use juror_statistics::small::SortSmall;
use juror_statistics::{Moments, half_width_95};

/// One judge: with what it was asked, and what its anchors say.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct JudgeHealth {
    /// Judge id.
    pub judge: String,
    /// Replies and failed calls in journals, batch results and what was pasted; the authors' own files name no parameters.
    pub replies: u32,
    /// The different parameters that those record, in order of appearance.
    pub params: Vec<Params>,
    /// Of those replies, how many record none.
    pub without_params: u32,
    /// Each time its anchor set was asked again, by criterion; empty if that was never done.
    pub anchors: Vec<Drift>,
}

/// An anchor set that was asked again, beside the replies that were stored.
///
/// Scores are on the judge's scale, by the strict reader; a difference is new minus stored.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct Drift {
    /// When it was asked again, ISO 8601 in UTC.
    pub asked: String,
    /// Sub-score.
    pub criterion: String,
    /// Pairs of which both replies could be read.
    pub n: u32,
    /// Anchors without such a pair: the call failed, or one of the replies cannot be read.
    pub unpaired: u32,
    /// Mean of the stored scores; `None` without a pair.
    pub stored: Option<f64>,
    /// Mean difference.
    pub difference: Option<f64>,
    /// Lower end of its 95 % interval by Student's t; `None` below two pairs.
    pub ci_low: Option<f64>,
    /// Upper end.
    pub ci_high: Option<f64>,
    /// Pairs of equal scores.
    pub equal: u32,
    /// Largest absolute difference.
    pub largest: Option<f64>,
}

impl Drift {
    /// The drift over pairs of a stored and a new score; `None` on a side that could not be read.
    ///
    /// ```
    /// use juror_judging::health::Drift;
    /// let drift = Drift::of("2026-01-05", "quality", &[(Some(4.0), Some(5.0)), (Some(6.0), Some(6.0)), (Some(3.0), None)]);
    /// assert_eq!((drift.n, drift.unpaired, drift.equal), (2, 1, 1));
    /// assert_eq!((drift.stored, drift.difference), (Some(5.0), Some(0.5)));
    /// ```
    pub fn of(asked: &str, criterion: &str, pairs: &[(Option<f64>, Option<f64>)]) -> Self {
        let (mut stored, mut differences) = (Moments::default(), Moments::default());
        let mut drift = Self {
            asked: asked.to_owned(),
            criterion: criterion.to_owned(),
            ..Self::default()
        };
        for pair in pairs {
            let (Some(before), Some(now)) = *pair else {
                drift.unpaired += 1;
                continue;
            };
            let difference = now - before;
            stored.push(before);
            differences.push(difference);
            drift.equal += u32::from(difference == 0.0);
            drift.largest = Some(drift.largest.unwrap_or(0.0).max(difference.abs()));
        }
        drift.n = differences.n();
        drift.stored = stored.mean();
        drift.difference = differences.mean();
        let ends = drift.difference.zip(half_width_95(&differences));
        drift.ci_low = ends.map(|(mean, half)| mean - half);
        drift.ci_high = ends.map(|(mean, half)| mean + half);
        drift
    }
}

/// The anchors among requests that have a reply: so many of the smallest hashes, which stay the same while requests come and go.
pub fn pick_anchors(mut keys: Vec<(RequestKey, u32)>, count: usize) -> Vec<(RequestKey, u32)> {
    keys.sort_small_by_cached_key(|(key, run)| {
        let mut hasher = Sha256::new();
        let turn = key.turn.to_string();
        for field in [
            &key.model,
            &key.sample,
            &turn,
            &key.criterion,
            &run.to_string(),
        ] {
            hasher.update(format!("{} {field}\n", field.len()));
        }
        <[u8; 32]>::from(hasher.finalize())
    });
    keys.truncate(count);
    keys
}

/// What became of the replies when they were held against the requests as they are now.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct ReplyCheck {
    /// Replies that answer today's request.
    pub current: u32,
    /// Replies to an earlier one: a picture, a text or a prompt has changed since. They are kept and shown, and do not count.
    pub stale: u32,
    /// Replies that cannot be held against a request: they record no hash, their prompt pack is not open, or a picture cannot be read.
    pub unknown: u32,
}

/// A reply to an earlier request.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct StaleReply {
    /// Kind of request.
    pub criterion: String,
    /// Judge id.
    pub judge: String,
    /// Run, from 1.
    pub run: u32,
    /// When it came, ISO 8601; empty if unknown.
    pub time: String,
    /// The raw reply, or the error in its place.
    pub raw: String,
    /// Where it stands.
    pub source: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(sample: u32) -> (RequestKey, u32) {
        let key = RequestKey {
            model: "m".to_owned(),
            sample: sample.to_string(),
            turn: 0,
            criterion: "total".to_owned(),
        };
        (key, 1)
    }

    #[test]
    fn anchors_stay_the_same_while_other_requests_come() {
        let few = pick_anchors((0..40).map(key).collect(), 8);
        let mut shuffled: Vec<_> = (0..40).rev().map(key).collect();
        shuffled.rotate_left(7);
        assert_eq!(few, pick_anchors(shuffled, 8));
        let more = pick_anchors((0..44).map(key).collect(), 8);
        let kept = more.iter().filter(|anchor| few.contains(anchor)).count();
        assert!(kept >= 4, "{kept} of 8 stay when 4 requests join 40");
        assert_ne!(few, (0..8).map(key).collect::<Vec<_>>());
    }

    #[test]
    fn a_drift_has_the_interval_of_its_differences() {
        // Differences 1, 0, 2, 1, 1: mean 1, s² = 1/2, t(0.975, 4) = 2.776445, so 1 ± 0.877989.
        let pairs = [(1.0, 2.0), (5.0, 5.0), (3.0, 5.0), (2.0, 3.0), (4.0, 5.0)];
        let drift = Drift::of("", "c", &pairs.map(|(a, b)| (Some(a), Some(b))));
        assert_eq!((drift.n, drift.equal, drift.largest), (5, 1, Some(2.0)));
        let low = drift.ci_low.unwrap_or(f64::NAN);
        assert!((low - (1.0 - 0.877_989)).abs() < 1e-6, "{low}");
        assert!(
            (low - (1.0 - 0.9)).abs() > 1e-3,
            "another width is told apart"
        );
    }

    #[test]
    fn without_pairs_there_is_no_drift_to_speak_of() {
        let drift = Drift::of("", "c", &[(Some(1.0), None)]);
        assert_eq!((drift.n, drift.unpaired), (0, 1));
        assert_eq!(
            (drift.difference, drift.ci_low, drift.largest),
            (None, None, None)
        );
        let one = Drift::of("", "c", &[(Some(1.0), Some(2.0))]);
        assert_eq!((one.difference, one.ci_low), (Some(1.0), None));
    }
}
