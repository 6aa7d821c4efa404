//! Every random choice of a project, from its seed.
//!
//! Block number b of a stream is SHA-256 over `juror-make/1`, seed, name and b, each text with its length in front: four
//! numbers of 64 bits, the most significant byte first. So a choice depends on what it is for and on nothing that was drawn
//! before, and anyone can compute it.

use juror_model::prompt;
use juror_statistics::random::SplitMix64;

/// What is hashed before seed and name.
const KIND: &str = "juror-make/1";

/// A stream of numbers with the choices that Python's `random` makes of one.
pub trait Numbers {
    /// From 0 up to and without 1, in steps of 2⁻⁵³.
    fn unit(&mut self) -> f64;

    /// From 0 to `end` − 1; 0 where `end` is 0.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "not negative and below a length"
    )]
    fn below(&mut self, end: usize) -> usize {
        let scaled = self.unit() * end as f64;
        (scaled as usize).min(end.saturating_sub(1))
    }

    /// Puts items in a random order, from the last down, as Python's own `shuffle`.
    fn shuffle<T>(&mut self, items: &mut [T])
    where
        Self: Sized,
    {
        for last in (1..items.len()).rev() {
            let other = self.below(last + 1);
            items.swap(last, other);
        }
    }

    /// One of the items; `None` of none, and then nothing is drawn.
    fn choose<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T>
    where
        Self: Sized,
    {
        if items.is_empty() {
            return None;
        }
        let at = self.below(items.len());
        items.get(at)
    }
}

impl Numbers for SplitMix64 {
    fn unit(&mut self) -> f64 {
        SplitMix64::unit(self)
    }
}

/// The stream of a seed and a name.
///
/// # Example
/// ```
/// use juror_make::draws::{Draws, Numbers};
/// let first = |seed, name: &str| Draws::new(seed, &[name]).unit();
/// assert_eq!(first(1, "a"), first(1, "a"));
/// assert!(first(1, "a") != first(2, "a") && first(1, "a") != first(1, "b"));
/// ```
#[derive(Clone, Debug)]
pub struct Draws {
    seed: String,
    name: Vec<String>,
    block: u64,
    left: Vec<u64>,
}

impl Draws {
    /// The stream of this seed that is for what the texts name.
    pub fn new(seed: u64, name: &[&str]) -> Self {
        Self {
            seed: seed.to_string(),
            name: name.iter().map(|text| (*text).to_owned()).collect(),
            block: 0,
            left: Vec::new(),
        }
    }

    fn bits(&mut self) -> u64 {
        if self.left.is_empty() {
            let block = self.block.to_string();
            let texts = std::iter::once(&self.seed)
                .chain(&self.name)
                .chain([&block])
                .map(String::as_str);
            let digest = prompt::digest(KIND, texts);
            self.left = digest.chunks_exact(8).rev().map(number).collect();
            self.block += 1;
        }
        self.left.pop().unwrap_or_default()
    }
}

impl Numbers for Draws {
    fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }
}

fn number(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0, |number, byte| (number << 8) | u64::from(*byte))
}

/// Where a seed puts something among others of its kind: what comes first is drawn first.
pub fn place(kind: &str, seed: u64, texts: &[&str]) -> [u8; 32] {
    let seed = seed.to_string();
    prompt::digest(
        kind,
        std::iter::once(seed.as_str()).chain(texts.iter().copied()),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stream_is_the_hash_that_anyone_can_compute() {
        // printf 'juror-make/1\n1 7\n1 a\n1 0' | sha256sum
        let mut draws = Draws::new(7, &["a"]);
        let digest = prompt::digest(KIND, ["7", "a", "0"]);
        assert_eq!(draws.bits(), number(&digest[..8]));
        assert_eq!(draws.bits(), number(&digest[8..16]));
        let next = prompt::digest(KIND, ["7", "a", "1"]);
        draws.bits();
        draws.bits();
        assert_eq!(draws.bits(), number(&next[..8]), "the second block follows");
    }

    #[test]
    fn a_shuffle_keeps_every_item_and_reaches_every_order() {
        let mut seen = std::collections::BTreeSet::new();
        for seed in 0..200 {
            let mut items = [1, 2, 3];
            Draws::new(seed, &["order"]).shuffle(&mut items);
            seen.insert(items);
        }
        assert_eq!(seen.len(), 6);
    }
}
