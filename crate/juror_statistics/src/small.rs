//! Sorting and search trees by one copy of the standard library's sort.
//!
//! The library's sort is compiled anew for every type of item, at 8 kB of Wasm each: here positions are sorted, of which
//! there is one type, and the items are moved to where their positions went.

use std::cmp::Ordering;

/// Sorts in place; items that compare equal keep their order.
pub trait SortSmall<T> {
    /// In ascending order.
    fn sort_small(&mut self)
    where
        T: Ord;

    /// By what `compare` says of two items.
    fn sort_small_by(&mut self, compare: impl FnMut(&T, &T) -> Ordering);

    /// By a key that is made anew for each comparison.
    fn sort_small_by_key<K: Ord>(&mut self, key: impl FnMut(&T) -> K);

    /// By a key that is made once for each item.
    fn sort_small_by_cached_key<K: Ord>(&mut self, key: impl FnMut(&T) -> K);
}

impl<T> SortSmall<T> for [T] {
    fn sort_small(&mut self)
    where
        T: Ord,
    {
        self.sort_small_by(T::cmp);
    }

    fn sort_small_by(&mut self, mut compare: impl FnMut(&T, &T) -> Ordering) {
        let mut order = order(self.len(), &mut |a, b| compare(&self[a], &self[b]));
        permute(&mut order, &mut |a, b| self.swap(a, b));
    }

    fn sort_small_by_key<K: Ord>(&mut self, mut key: impl FnMut(&T) -> K) {
        self.sort_small_by(|a, b| key(a).cmp(&key(b)));
    }

    fn sort_small_by_cached_key<K: Ord>(&mut self, key: impl FnMut(&T) -> K) {
        let keys: Vec<K> = self.iter().map(key).collect();
        let mut order = order(keys.len(), &mut |a, b| keys[a].cmp(&keys[b]));
        permute(&mut order, &mut |a, b| self.swap(a, b));
    }
}

/// The positions of `len` items in sorted order.
#[inline(never)]
fn order(len: usize, compare: &mut dyn FnMut(usize, usize) -> Ordering) -> Vec<usize> {
    let mut order: Vec<usize> = (0..len).collect();
    order.sort_by(|a, b| compare(*a, *b));
    order
}

/// Brings to each place the item that stood at the position that `order` has there, one cycle after the other.
#[inline(never)]
fn permute(order: &mut [usize], swap: &mut dyn FnMut(usize, usize)) {
    for start in 0..order.len() {
        let mut place = start;
        loop {
            let from = std::mem::replace(&mut order[place], place);
            if from == start {
                break;
            }
            swap(place, from);
            place = from;
        }
    }
}

/// Sorts numbers by their total order, in which a NaN stands at one of the ends.
pub fn arrange_numbers(numbers: &mut [f64]) {
    numbers.sort_unstable_by(f64::total_cmp);
}

/// Puts items into a search tree one by one, where `collect` sorts them first.
pub trait CollectSmall: Iterator + Sized {
    /// As `collect` does; of two items with an equal key the later one stays.
    fn collect_small<C: Default + Extend<Self::Item>>(self) -> C {
        let mut collection = C::default();
        collection.extend(self);
        collection
    }
}

impl<I: Iterator> CollectSmall for I {}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::*;
    use crate::random::SplitMix64;

    /// Pairs of a key that repeats and the position, which shows whether equal keys kept their order.
    fn pairs(len: usize) -> Vec<(u32, usize)> {
        let mut random = SplitMix64::new(len as u64);
        (0..len).map(|at| (random.below(7), at)).collect()
    }

    #[test]
    fn every_way_to_arrange_is_the_stable_sort_of_the_standard_library() {
        for len in (0..80).chain([1000]) {
            let mut expected = pairs(len);
            expected.sort_by_key(|(key, _)| *key);
            let arranged = |how: fn(&mut [(u32, usize)])| {
                let mut items = pairs(len);
                how(&mut items);
                items
            };
            assert_eq!(arranged(|x| x.sort_small_by_key(|(key, _)| *key)), expected);
            assert_eq!(
                arranged(|x| x.sort_small_by_cached_key(|(key, _)| *key)),
                expected
            );
            assert_eq!(
                arranged(|x| x.sort_small_by(|a, b| a.0.cmp(&b.0))),
                expected
            );
            assert_eq!(arranged(<[_]>::sort_small), expected);
            let mut reversed = expected.clone();
            reversed.sort_by_key(|(key, _)| std::cmp::Reverse(*key));
            assert_eq!(
                arranged(|x| x.sort_small_by_key(|(key, _)| std::cmp::Reverse(*key))),
                reversed
            );
            assert!(len < 20 || reversed != expected);
        }
    }

    #[test]
    fn numbers_stand_in_their_total_order() {
        let mut numbers = [2.0, f64::NAN, -0.0, 0.0, -1.0, f64::INFINITY];
        arrange_numbers(&mut numbers);
        assert_eq!(
            numbers.map(f64::to_bits),
            [-1.0, -0.0, 0.0, 2.0, f64::INFINITY, f64::NAN].map(f64::to_bits)
        );
    }

    #[test]
    fn a_gathered_tree_is_the_collected_one() {
        let map: BTreeMap<u32, usize> = pairs(50).into_iter().collect_small();
        assert_eq!(map, pairs(50).into_iter().collect());
        let set: BTreeSet<u32> = pairs(50).into_iter().map(|(key, _)| key).collect_small();
        assert_eq!(set.len(), 7);
    }
}
