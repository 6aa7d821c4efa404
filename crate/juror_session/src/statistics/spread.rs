//! How the values of one number are spread.

use super::super::count;
use crate::view::statistics::{Bin, Spread};
use juror_statistics::Moments;
use juror_statistics::small::arrange_numbers;

/// Ranges at most.
const MAX_BINS: f64 = 16.0;

/// The spread of these values under an id and title, of what there are so many; `None` without any.
pub(super) fn spread(
    (id, title, of): (&str, &str, &str),
    values: impl IntoIterator<Item = f64>,
) -> Option<Spread> {
    let mut values: Vec<f64> = values.into_iter().collect();
    arrange_numbers(&mut values);
    let (min, max) = (*values.first()?, *values.last()?);
    let mut moments = Moments::default();
    for value in &values {
        moments.push(*value);
    }
    let middle = values.len() / 2;
    let median = match values.len() % 2 {
        1 => values[middle],
        _ => f64::midpoint(values[middle - 1], values[middle]),
    };
    Some(Spread {
        id: id.to_owned(),
        title: title.to_owned(),
        of: of.to_owned(),
        n: count(values.len()),
        sum: moments.sum(),
        mean: moments.mean()?,
        sd: moments.sd(),
        min,
        median,
        max,
        bins: bins(&values, min, max),
    })
}

/// Ranges of a width of 1, 2 or 5 times a power of ten, as few as show it; none where a value is not whole. Where most ranges
/// would be empty and the different values are few, or there are two of them, each of these instead.
fn bins(values: &[f64], min: f64, max: f64) -> Vec<Bin> {
    if values.iter().any(|value| value.fract() != 0.0) {
        return Vec::new();
    }
    let mut width = 1.0;
    let mut steps = [2.0, 2.5, 2.0].into_iter().cycle();
    let first = |width: f64| (min / width).floor() * width;
    while (max - first(width) + 1.0) / width > MAX_BINS {
        width *= steps.next().unwrap_or(10.0);
    }
    let mut bins: Vec<Bin> = Vec::new();
    let mut from = first(width);
    while from <= max {
        let is_in = |value: &&f64| (from..from + width).contains(*value);
        bins.push(Bin {
            from,
            to: from + width - 1.0,
            n: count(values.iter().filter(is_in).count()),
        });
        from += width;
    }
    let num_empty = bins.iter().filter(|bin| bin.n == 0).count();
    let different = values.chunk_by(|a, b| a.total_cmp(b).is_eq());
    let num_different = different.clone().count();
    let is_sparse = 2 * num_empty > bins.len() && num_different <= bins.len();
    if is_sparse || num_empty > 0 && num_different <= 2 {
        let bin = |equal: &[f64]| Bin {
            from: equal[0],
            to: equal[0],
            n: count(equal.len()),
        };
        return different.map(bin).collect();
    }
    bins
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_whole_numbers_have_a_range_each_and_many_share_round_ones() {
        let of = |values: &[f64]| {
            spread(("id", "Title", "things"), values.to_vec()).expect("there are values")
        };
        let few = of(&[3.0, 1.0, 1.0, 4.0]);
        let counts = |spread: &Spread| -> Vec<(f64, f64, u32)> {
            let bins = spread.bins.iter();
            bins.map(|bin| (bin.from, bin.to, bin.n)).collect()
        };
        assert_eq!(
            counts(&few),
            [(1.0, 1.0, 2), (2.0, 2.0, 0), (3.0, 3.0, 1), (4.0, 4.0, 1)]
        );
        assert_eq!(
            (few.min, few.median, few.max, few.sum),
            (1.0, 2.0, 4.0, 9.0)
        );
        let many = of(&[7.0, 20.0, 45.0, 66.0, 99.0, 130.0, 161.0]);
        assert_eq!(counts(&many)[0], (0.0, 19.0, 1), "{many:?}");
        assert_eq!(many.bins.iter().map(|bin| bin.n).sum::<u32>(), 7);
        assert_eq!(many.bins.len(), 9);
        assert!(of(&[0.5, 1.0]).bins.is_empty());
        // Two sizes of pictures are two values, not two of sixteen ranges.
        let sizes = of(&[1024.0, 512.0, 1024.0, 1024.0]);
        assert_eq!(
            counts(&sizes),
            [(512.0, 512.0, 1), (1024.0, 1024.0, 3)],
            "{sizes:?}"
        );
        assert_eq!(
            counts(&of(&[2.0, 9.0, 9.0])),
            [(2.0, 2.0, 1), (9.0, 9.0, 2)]
        );
        // Two values with one between them have no empty range either, and three do.
        assert_eq!(
            counts(&of(&[2.0, 4.0, 4.0])),
            [(2.0, 2.0, 1), (4.0, 4.0, 2)]
        );
        assert_eq!(counts(&of(&[2.0, 3.0, 5.0])).len(), 4);
        assert_eq!(spread(("id", "Title", "things"), []), None);
    }
}
