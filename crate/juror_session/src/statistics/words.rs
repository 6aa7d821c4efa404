//! Words of instructions: how many there are, and which are the most frequent.
//!
//! A word is what Unicode's rules for boundaries call one (UAX 29), if it holds a letter or digit: letters and digits that
//! belong together, with an apostrophe or underscore within. Chinese and Japanese are written without spaces, and no
//! dictionary is asked: each Han character and each Hiragana is a word, Katakana that stand together are one.

use std::collections::{BTreeMap, HashSet};

use unicode_segmentation::UnicodeSegmentation as _;

use super::super::count;
use crate::view::statistics::{Frequent, FrequentWord};
use juror_statistics::small::SortSmall;

/// Words that are listed.
const MAX_WORDS: usize = 60;

/// What says nothing of a benchmark: English function words, and the particles of Chinese and Japanese.
const STOP_WORDS: &str = include_str!("stop_words.txt");

/// How many words a text has.
pub(super) fn num_words(text: &str) -> usize {
    text.unicode_words().count()
}

/// How many characters a text has, as Unicode counts code points: what `len` says of it in Python.
pub(super) fn num_characters(text: &str) -> usize {
    text.chars().count()
}

/// Counts each word in the texts of samples.
#[derive(Debug)]
pub(super) struct WordCounter {
    stop: HashSet<&'static str>,
    /// How often, in how many samples, and in which one at last.
    found: BTreeMap<String, (u32, u32, usize)>,
    left_out: u32,
}

impl WordCounter {
    pub(super) fn new() -> Self {
        Self {
            stop: STOP_WORDS.split_whitespace().collect(),
            found: BTreeMap::new(),
            left_out: 0,
        }
    }

    /// Counts the words of a text of the sample at this position; those of one sample come one after the other.
    pub(super) fn add(&mut self, sample: usize, text: &str) {
        for word in text.unicode_words() {
            let word = word.to_lowercase().replace('’', "'");
            let has_letter = word.chars().any(char::is_alphabetic);
            let is_letter = word.len() == 1;
            if !has_letter || is_letter || self.stop.contains(word.as_str()) {
                self.left_out += 1;
                continue;
            }
            let (times, samples, last) = self.found.entry(word).or_insert((0, 0, usize::MAX));
            *times += 1;
            *samples += u32::from(*last != sample);
            *last = sample;
        }
    }

    /// The most frequent ones.
    pub(super) fn frequent(self) -> Frequent {
        let distinct = count(self.found.len());
        let counted = self.found.values().map(|(times, ..)| times).sum();
        let words = self.found.into_iter();
        let mut words: Vec<FrequentWord> = words
            .map(|(word, (n, samples, _))| FrequentWord { word, n, samples })
            .collect();
        // Stable: equal ones stay in the order of their letters.
        words.sort_small_by(|a, b| b.n.cmp(&a.n));
        words.truncate(MAX_WORDS);
        Frequent {
            words,
            distinct,
            counted,
            left_out: self.left_out,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_counted_by_unicode_boundaries_in_any_script() {
        for (text, words, characters) in [
            ("", 0, 0),
            ("Put the red cup on Image #2, please!", 8, 36),
            ("Don’t move <bbox_image>.", 3, 24),
            ("3.5 cm", 2, 6),
            // Each Han character is a word, and punctuation none.
            ("把猫放在椅子上。", 7, 8),
            // A run of Katakana is one word, each Hiragana is one.
            ("カメラを", 2, 4),
            ("— … !", 0, 5),
        ] {
            assert_eq!(num_words(text), words, "{text}");
            assert_eq!(num_characters(text), characters, "{text}");
        }
    }

    #[test]
    fn frequent_words_are_in_order_and_stop_words_are_left_out() {
        let mut counter = WordCounter::new();
        counter.add(0, "The cat and the dog. A CAT!");
        counter.add(0, "A dog, the cat's dog");
        counter.add(1, "Dog 7");
        let frequent = counter.frequent();
        let words: Vec<(&str, u32, u32)> = frequent
            .words
            .iter()
            .map(|word| (word.word.as_str(), word.n, word.samples))
            .collect();
        assert_eq!(words, [("dog", 4, 2), ("cat", 2, 1), ("cat's", 1, 1)]);
        assert_eq!(
            (frequent.distinct, frequent.counted, frequent.left_out),
            (3, 7, 7)
        );
    }

    #[test]
    fn stop_words_are_written_as_words_are_counted() {
        for word in STOP_WORDS.split_whitespace() {
            assert_eq!(num_words(word), 1, "{word}");
            assert_eq!(word.to_lowercase(), word);
        }
    }
}
