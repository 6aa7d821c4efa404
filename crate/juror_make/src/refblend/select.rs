//! Which original stands for which combination: so many of each, each original once, by the seed.

use std::collections::VecDeque;

use crate::draws::place;

/// What is hashed before seed, combination and original.
const KIND: &str = "refblend/1";

/// What each original could be.
#[derive(Clone, Copy, Debug)]
pub struct Choices<'a> {
    /// Names of the combinations.
    pub names: &'a [String],
    /// Ids of the originals.
    pub ids: &'a [&'a str],
    /// For each original the positions of the combinations that it could be.
    pub options: &'a [Vec<usize>],
}

impl Choices<'_> {
    /// The combination of an original that its seed puts first.
    pub fn first(&self, seed: u64, original: usize) -> Option<usize> {
        let options = self.options.get(original)?.iter().copied();
        options.min_by_key(|at| place(KIND, seed, &[&self.names[*at], self.ids[original]]))
    }

    /// For each original the combination that it was chosen for, at most `quota` of each.
    ///
    /// Combinations take turns; each takes the free original with the smallest hash, and where none is free one that
    /// another combination can do without. So a quota that is not met cannot be met.
    pub fn select(&self, seed: u64, quota: u32) -> Vec<Option<usize>> {
        let ranked: Vec<Vec<usize>> = (0..self.names.len())
            .map(|at| self.ranked(seed, at))
            .collect();
        let mut chosen = vec![None; self.ids.len()];
        let mut is_open = vec![true; self.names.len()];
        for _ in 0..quota {
            for (at, is_open) in is_open.iter_mut().enumerate() {
                *is_open = *is_open && give(at, &ranked, &mut chosen);
            }
        }
        chosen
    }

    /// The originals that a combination could take, the one drawn first in front.
    fn ranked(&self, seed: u64, combination: usize) -> Vec<usize> {
        let could = self.options.iter().enumerate();
        let could = could.filter(|(_, options)| options.contains(&combination));
        let mut ranked: Vec<([u8; 32], usize)> = could
            .map(|(at, _)| {
                (
                    place(KIND, seed, &[&self.names[combination], self.ids[at]]),
                    at,
                )
            })
            .collect();
        ranked.sort_unstable();
        ranked.into_iter().map(|(_, at)| at).collect()
    }
}

/// Gives a combination one original more, moving others where that helps; whether it could.
fn give(combination: usize, ranked: &[Vec<usize>], chosen: &mut [Option<usize>]) -> bool {
    // How each combination was reached: the original that would leave it, and for which one.
    let mut reached: Vec<Option<(usize, usize)>> = vec![None; ranked.len()];
    let mut queue = VecDeque::from([combination]);
    while let Some(at) = queue.pop_front() {
        let free = ranked[at]
            .iter()
            .copied()
            .find(|original| chosen[*original].is_none());
        if let Some(original) = free {
            let (mut original, mut at) = (original, at);
            loop {
                chosen[original] = Some(at);
                match reached[at] {
                    Some((leaves, to)) if at != combination => (original, at) = (leaves, to),
                    _ => return true,
                }
            }
        }
        for original in ranked[at].iter().copied() {
            if let Some(other) = chosen[original]
                && other != combination
                && other != at
                && reached[other].is_none()
            {
                reached[other] = Some((original, at));
                queue.push_back(other);
            }
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    fn select(quota: u32, options: &[Vec<usize>]) -> Vec<Option<usize>> {
        let names: Vec<String> = ["a", "b", "c"].map(str::to_owned).to_vec();
        let ids: Vec<String> = (0..options.len()).map(|at| at.to_string()).collect();
        let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
        Choices {
            names: &names,
            ids: &ids,
            options,
        }
        .select(7, quota)
    }

    #[test]
    fn a_quota_that_can_be_met_is_met_whatever_is_drawn_first() {
        // Only the first two can be `a`; whoever takes one of them for `b` must give it back.
        let options = [
            vec![0, 1, 2],
            vec![0, 1, 2],
            vec![1, 2],
            vec![1, 2],
            vec![2],
            vec![2],
        ];
        let chosen = select(2, &options);
        for at in 0..3 {
            assert_eq!(
                chosen.iter().filter(|one| **one == Some(at)).count(),
                2,
                "{chosen:?}"
            );
        }
        for (chosen, options) in chosen.iter().zip(&options) {
            assert!(chosen.is_some_and(|at| options.contains(&at)));
        }
    }

    #[test]
    fn no_combination_gets_more_than_its_quota_and_the_rest_is_left() {
        let chosen = select(1, &[vec![0], vec![0], vec![0, 1]]);
        assert_eq!(chosen.iter().flatten().count(), 2);
        assert_eq!(chosen.iter().filter(|one| **one == Some(0)).count(), 1);
        assert_eq!(
            select(1, &[vec![0], vec![0], vec![0, 1]]),
            chosen,
            "by the seed alone"
        );
    }
}
