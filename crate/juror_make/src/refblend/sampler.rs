//! The authors' sampler of combinations, choice by choice.
//!
//! Source: `select_random_compatible_conditions` in `select_new_condition.py` and `process_single_entry` in
//! `generate_instructions_new.py`. Its `_` cells are asked in a form that is always true, and a dash pulls the other type in
//! without a look at what excludes it; both are kept.

use super::matrix::{Cell, RefType, cell};
use crate::draws::Numbers;

/// Shares of two and three references.
const WEIGHTS: [f64; 2] = [0.3, 0.7];
/// Draws before one reference less is asked for, and draws in all.
const TRIES: u32 = 5;
const ALL_TRIES: u32 = TRIES * 5;

/// The combination of an entry, in the order drawn; `None` where the authors' program loses the entry.
///
/// `valid` are the types that passed, in the matrix's order (the authors' set has none of its own).
pub fn entry(valid: &[RefType], numbers: &mut impl Numbers) -> Option<Vec<RefType>> {
    let mut size = size(numbers);
    let mut tries = 0;
    for _ in 0..ALL_TRIES {
        let drawn = sample(valid, size, numbers);
        if drawn.len() >= size {
            return Some(drawn);
        }
        tries += 1;
        if tries == TRIES {
            size = 2.max(size - 1);
            tries = 0;
        }
    }
    None
}

/// Two or three, as Python's own `choices` looks weights up.
fn size(numbers: &mut impl Numbers) -> usize {
    let total: f64 = WEIGHTS.iter().sum();
    if numbers.unit() * total < WEIGHTS[0] {
        2
    } else {
        3
    }
}

/// One draw of at most `size` types; fewer, or none, where no such set is found.
pub fn sample(valid: &[RefType], size: usize, numbers: &mut impl Numbers) -> Vec<RefType> {
    let size = size.min(valid.len());
    let mut keyed: Vec<(f64, RefType)> = Vec::new();
    for one in valid {
        keyed.push((numbers.unit(), *one));
    }
    keyed.sort_by(|a, b| a.0.total_cmp(&b.0));
    let order: Vec<RefType> = keyed.into_iter().map(|(_, one)| one).collect();
    for start in &order {
        let left: Vec<RefType> = order.iter().copied().filter(|one| one != start).collect();
        if let Some(found) = grow(&[*start], left, size, &order, numbers) {
            return found;
        }
    }
    Vec::new()
}

fn grow(
    set: &[RefType],
    mut left: Vec<RefType>,
    size: usize,
    valid: &[RefType],
    numbers: &mut impl Numbers,
) -> Option<Vec<RefType>> {
    if set.len() == size {
        return Some(set.to_vec());
    }
    if left.is_empty() {
        return None;
    }
    numbers.shuffle(&mut left);
    for one in &left {
        let is_pulled = |other: &RefType| cell(*one, *other) == Cell::Dash && valid.contains(other);
        let mut pulled = RefType::ALL
            .into_iter()
            .filter(is_pulled)
            .collect::<Vec<_>>();
        if !pulled
            .iter()
            .all(|other| set.contains(other) || left.contains(other))
        {
            continue;
        }
        pulled.push(*one);
        let mut larger = set.to_vec();
        for other in pulled {
            if !larger.contains(&other) {
                larger.push(other);
            }
        }
        let excludes = larger
            .iter()
            .any(|other| cell(*one, *other) == Cell::Impossible);
        if larger.len() > size || excludes {
            continue;
        }
        let rest = left
            .iter()
            .copied()
            .filter(|other| !larger.contains(other))
            .collect();
        if let Some(found) = grow(&larger, rest, size, valid, numbers) {
            return Some(found);
        }
    }
    None
}
