//! Places of keys in a list that grows: among a few they are looked for, among many they are looked up.
//!
//! What is read from files may hold hundreds of thousands of keys, and to look through all of them for each is quadratic.

use std::collections::BTreeMap;

/// So many keys are quicker looked through than looked up.
const FEW: usize = 16;

/// An index of a list that only grows; the keys of its items stay as they are.
#[derive(Clone, Debug, Default)]
pub struct Keyed {
    places: BTreeMap<String, usize>,
    /// How many items of the list are indexed.
    seen: usize,
}

impl Keyed {
    /// The first place of a key in the list.
    pub fn find<T>(
        &mut self,
        key: &str,
        known: &[T],
        key_of: impl Fn(&T) -> &str,
    ) -> Option<usize> {
        if known.len() <= FEW {
            return known.iter().position(|one| key_of(one) == key);
        }
        for one in &known[self.seen..] {
            let place = self.seen;
            self.places.entry(key_of(one).to_owned()).or_insert(place);
            self.seen += 1;
        }
        self.places.get(key).copied()
    }

    /// Puts a value under a key: in place of an equal key's, else at the end, as Python's dictionaries do.
    pub fn put<V>(&mut self, entries: &mut Vec<(String, V)>, key: String, value: V) {
        match self.find(&key, entries, |(known, _)| known) {
            Some(place) => entries[place].1 = value,
            None => entries.push((key, value)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_found_at_its_first_place_among_few_and_among_many() {
        for count in [1, FEW, FEW + 1, 100] {
            let (mut index, mut entries) = (Keyed::default(), Vec::new());
            for number in (0..count).chain(0..count) {
                index.put(&mut entries, number.to_string(), number + 7);
            }
            let expected: Vec<(String, usize)> = (0..count)
                .map(|number| (number.to_string(), number + 7))
                .collect();
            assert_eq!(entries, expected);
            assert_eq!(index.find("no", &entries, |(key, _)| key), None);
        }
    }
}
