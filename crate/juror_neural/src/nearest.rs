//! Which of many pictures are nearest to each other by a network's features.

/// Another picture and how near it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Neighbour {
    /// Its place in the list.
    pub at: usize,
    /// Cosine of the features, −1 … 1.
    pub cosine: f64,
}

/// For each feature the nearest among others, or among its own kind without itself; of equally near ones the first.
///
/// Features are of length 1 and `width` numbers each, one after the other. Takes time in the product of both numbers.
///
/// # Example
/// ```
/// use juror_neural::nearest;
/// let [x, y, near_x] = [[1.0_f32, 0.0], [0.0, 1.0], [0.8, 0.6]];
/// let found = nearest(&[x, y, near_x].concat(), None, 2);
/// assert_eq!(found[0].map(|one| one.at), Some(2));
/// assert_eq!(nearest(&x, Some(&[y, x].concat()), 2)[0].map(|one| one.at), Some(1));
/// assert_eq!(nearest(&x, None, 2), [None]);
/// ```
pub fn nearest(of: &[f32], among: Option<&[f32]>, width: usize) -> Vec<Option<Neighbour>> {
    let width = width.max(1);
    let others = among.unwrap_or(of);
    let rows = of.chunks_exact(width).enumerate();
    let found = rows.map(|(own, row)| {
        let mut best: Option<Neighbour> = None;
        for (at, other) in others.chunks_exact(width).enumerate() {
            if among.is_none() && at == own {
                continue;
            }
            let products = row.iter().zip(other);
            let cosine: f64 = products.map(|(a, b)| f64::from(*a) * f64::from(*b)).sum();
            if best.is_none_or(|best| cosine > best.cosine) {
                best = Some(Neighbour { at, cosine });
            }
        }
        best
    });
    found.collect()
}
