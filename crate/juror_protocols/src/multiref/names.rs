//! What halves, samples, references and their files are called.

use super::{CONDITIONS, condition};
use juror_model::sample::Sample;

/// What a sample's caption is called among its details.
pub(super) const CAPTION: &str = "Caption";
/// The factor of the caption, called as the condition that it leaves out.
pub(super) const CAPTION_FACTOR: &str = "caption";
/// Its level on which the caption is neither given nor scored.
pub(super) const WITHOUT_CAPTION: &str = "without";

/// Which half of the benchmark a sample belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Half {
    /// Typed references.
    Synthetic,
    /// Requests that people posted.
    RealWorld,
}

impl Half {
    /// `synthetic` or `real-world`.
    pub fn id(self) -> &'static str {
        match self {
            Self::Synthetic => "synthetic",
            Self::RealWorld => "real-world",
        }
    }
}

/// The kinds of reference that a sample of the synthetic half has.
pub(super) fn conditions_of(sample: &Sample) -> impl Iterator<Item = &'static str> {
    let tags = sample
        .tags
        .iter()
        .filter(|(scope, _)| *scope == "condition");
    tags.filter_map(|(_, id)| condition(id))
        .map(|condition| condition.id)
}

/// The kind of reference that a name in an instruction means; the paper writes `pose_1` for `pose_image`.
pub fn token_condition(token: &str) -> Option<&'static str> {
    CONDITIONS
        .iter()
        .filter(|condition| !condition.token.is_empty())
        .find(|condition| {
            let bare = condition
                .token
                .trim_end_matches("_image")
                .trim_end_matches("_1");
            token == condition.token
                || token
                    .strip_prefix(bare)
                    .and_then(|rest| rest.strip_prefix('_'))
                    .is_some_and(|number| number.parse::<u32>().is_ok())
        })
        .map(|condition| condition.id)
}

/// 3 for `image3`.
pub(super) fn input_number(name: &str) -> Option<u32> {
    let digits = name.strip_prefix("image")?;
    digits.strip_prefix('_').unwrap_or(digits).parse().ok()
}

/// A file name without folders and extension.
pub fn stem(path: &str) -> &str {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    name.rsplit_once('.')
        .map_or(name, |(stem, _)| if stem.is_empty() { name } else { stem })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_known_in_both_spellings() {
        for condition in CONDITIONS
            .iter()
            .filter(|condition| !condition.token.is_empty())
        {
            assert_eq!(token_condition(condition.token), Some(condition.id));
        }
        assert_eq!(token_condition("pose_1"), Some("pose"));
        assert_eq!(token_condition("subject_2"), Some("subject"));
        assert_eq!(token_condition("semantic_1"), Some("semantic_map"));
        assert_eq!(token_condition("image1"), None);
    }
}
