//! The choices that every score depends on: formulas, what incidents count as, judge and run.

use serde::{Deserialize, Serialize};

/// Which formulas are in force.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "snake_case")]
pub enum Profile {
    /// The formulas as printed, with strict reading of replies.
    #[default]
    Paper,
    /// What the authors' code computes, defects included.
    Released,
}

impl Profile {
    /// The policy where no other one is chosen.
    const fn policy(self) -> Policy {
        match self {
            Self::Paper => Policy::Zero,
            Self::Released => Policy::Upstream,
        }
    }
}

/// How the replies of judges are read under the paper's formulas.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "snake_case")]
pub enum ReplyReading {
    /// By the grammar that was asked for.
    #[default]
    Strict,
    /// Thoughts, Markdown and the like are taken off first, each of them counted; two verdicts that differ are still none.
    Tolerant,
}

impl ReplyReading {
    /// Whether it is the usual one, which nothing needs to state.
    pub fn is_strict(&self) -> bool {
        *self == Self::Strict
    }
}

/// What an incident counts as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "snake_case")]
pub enum Policy {
    /// Nothing: the mean is over what was scored, and `n` falls short of `expected`.
    Exclude,
    /// A missing or unreadable output counts the lowest score of its scale; a failure of the judging never becomes one.
    Zero,
    /// Whatever the authors' code makes of it.
    Upstream,
}

impl Policy {
    /// What becomes of missing outputs, as the page and every export say it.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Exclude => "missing outputs are left out",
            Self::Zero => "missing outputs score as lowest",
            Self::Upstream => "missing outputs as in the authors' code",
        }
    }
}

/// The choices that every view and the report depend on.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(default, deny_unknown_fields)]
pub struct ScoreOptions {
    /// Formulas: `paper` by default.
    pub profile: Profile,
    /// Policy; `None` takes the profile's own: `zero` for `paper`, `upstream` for `released`.
    pub policy: Option<Policy>,
    /// Only this judge's replies, the empty name for replies that name none; `None` for all judges, each on its own
    /// and together where the protocol says so.
    pub judge: Option<String>,
    /// Only this run's replies, from 1; `None` for all runs, pooled as the protocol says.
    pub run: Option<u32>,
    /// How replies are read; the released profile reads as the authors' code does, whatever this is.
    #[serde(skip_serializing_if = "ReplyReading::is_strict")]
    #[cfg_attr(feature = "typescript", ts(optional, as = "Option<ReplyReading>"))]
    pub reading: ReplyReading,
}

impl ScoreOptions {
    /// The reading in force.
    pub fn reading(&self) -> ReplyReading {
        match self.profile {
            Profile::Paper => self.reading,
            Profile::Released => ReplyReading::Strict,
        }
    }

    /// The policy in force: the user's, or the profile's own.
    pub fn policy(&self) -> Policy {
        self.policy.unwrap_or(self.profile.policy())
    }

    /// The same choices, without a policy where it is the profile's own.
    #[must_use]
    pub fn without_usual_policy(self) -> Self {
        let policy = self
            .policy
            .filter(|policy| *policy != self.profile.policy());
        Self { policy, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_policy_is_left_unsaid_only_where_it_is_the_profiles_own() {
        for (profile, usual, other) in [
            (Profile::Paper, Policy::Zero, Policy::Upstream),
            (Profile::Released, Policy::Upstream, Policy::Exclude),
        ] {
            let with = |policy| ScoreOptions {
                profile,
                policy: Some(policy),
                ..ScoreOptions::default()
            };
            assert_eq!(with(usual).without_usual_policy().policy, None);
            assert_eq!(with(usual).without_usual_policy().policy(), usual);
            assert_eq!(with(other).without_usual_policy(), with(other));
        }
    }
}
