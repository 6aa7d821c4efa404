//! A part of a benchmark that anyone draws again: so many samples of each group, by a seed.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::prompt;
use juror_statistics::small::SortSmall;

/// What is hashed before seed and id; another way to draw would get another name.
const KIND: &str = "juror-subset/1";

/// So many samples of each group of a scope, those with the smallest hash of seed and id.
///
/// A larger subset of the same scope and seed contains the smaller one, and what is drawn depends on seed, ids and groups
/// alone: page, command line and every judge or rater get the same samples.
///
/// # Example
/// ```
/// use juror_model::subset::Subset;
///
/// let subset: Subset = "task/30/7".parse()?;
/// assert_eq!((subset.scope.as_str(), subset.n, subset.seed), ("task", 30, 7));
/// assert_eq!("task/30".parse::<Subset>()?.to_string(), "task/30/1");
/// # Ok::<(), juror_model::error::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(deny_unknown_fields)]
pub struct Subset {
    /// The groups' name, as in the filter: `task`; `all` for one group of all samples.
    pub scope: String,
    /// Samples of each group, from 1; a group that has fewer gives all it has.
    pub n: u32,
    /// Decides which.
    pub seed: u32,
}

impl Subset {
    /// The scope that is one group of all samples.
    pub const ALL: &'static str = "all";

    /// Which samples are drawn, given each one's id and the keys of the groups that it is in.
    ///
    /// A sample of two groups is drawn if either draws it; one of no group never is.
    pub fn draw<'a>(&self, samples: impl Iterator<Item = (&'a str, Vec<&'a str>)>) -> Vec<bool> {
        let mut groups: BTreeMap<&str, Vec<([u8; 32], usize)>> = BTreeMap::new();
        let mut drawn = Vec::new();
        for (at, (id, keys)) in samples.enumerate() {
            let place = self.place(id);
            for key in keys {
                groups.entry(key).or_default().push((place, at));
            }
            drawn.push(false);
        }
        for mut group in groups.into_values() {
            group.sort_small();
            group.dedup();
            for (_, at) in group.into_iter().take(self.n as usize) {
                drawn[at] = true;
            }
        }
        drawn
    }

    /// Where the seed puts a sample: the SHA-256 of kind, seed and id, each of the latter with its length in bytes in front.
    fn place(&self, id: &str) -> [u8; 32] {
        prompt::digest(KIND, [self.seed.to_string().as_str(), id])
    }
}

impl std::fmt::Display for Subset {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}/{}/{}", self.scope, self.n, self.seed)
    }
}

impl std::str::FromStr for Subset {
    type Err = crate::error::Error;

    /// `30`, `task/30` or `task/30/SEED`; the seed is 1 where none is given.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let bad = || crate::error::Error::Subset(text.to_owned());
        let mut parts: Vec<&str> = text.split('/').collect();
        if parts.len() == 1 {
            parts.insert(0, Self::ALL);
        }
        let (scope, n, seed) = match parts[..] {
            [scope, n] => (scope, n, "1"),
            [scope, n, seed] => (scope, n, seed),
            _ => return Err(bad()),
        };
        let n = n.parse().ok().filter(|n| *n > 0).ok_or_else(bad)?;
        let seed = seed.parse().map_err(|_| bad())?;
        if scope.is_empty() {
            return Err(bad());
        }
        let scope = scope.to_owned();
        Ok(Self { scope, n, seed })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(n: u32, seed: u32) -> Vec<usize> {
        let ids: Vec<String> = (0..40).map(|at| format!("sample {at}")).collect();
        let keys = ["add", "replace"];
        let samples = ids.iter().enumerate();
        let samples = samples.map(|(at, id)| (id.as_str(), vec![keys[at % 2]]));
        let scope = "task".to_owned();
        let drawn = Subset { scope, n, seed }.draw(samples);
        (0..40).filter(|at| drawn[*at]).collect()
    }

    #[test]
    fn each_group_gives_so_many_and_a_larger_subset_contains_the_smaller() {
        let small = drawn(3, 1);
        assert_eq!(small.len(), 6);
        assert_eq!(small.iter().filter(|at| *at % 2 == 0).count(), 3);
        let large = drawn(7, 1);
        assert_eq!(large.len(), 14);
        assert!(small.iter().all(|at| large.contains(at)));
        assert_ne!(small, drawn(3, 2), "another seed draws others");
        assert_eq!(drawn(100, 1).len(), 40, "a group gives what it has");
    }

    #[test]
    fn it_is_the_hash_that_anyone_can_compute() {
        // printf 'juror-subset/1\n1 1\n1 a' | sha256sum
        let one: Subset = "all/1".parse().expect("a subset");
        assert_eq!(prompt::hex(&one.place("a")[..4]), "38eb9bef");
    }

    #[test]
    fn what_is_no_subset_is_refused_with_its_form() {
        for text in ["", "task", "task/0", "task/x", "/3", "task/3/x", "a/b/3/4"] {
            let error = text.parse::<Subset>().expect_err(text).to_string();
            assert!(error.contains("task/30"), "{error}");
        }
    }
}
