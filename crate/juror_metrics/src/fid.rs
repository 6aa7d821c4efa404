//! Distances of imported features: Fréchet between two sets, MultiRef's number of one vector, cosine of two.
//!
//! Source: Heusel et al., "GANs trained by a two time-scale update rule", NeurIPS 2017, equation 6; metric 8 of
//! `multiref/README.md` in `juror_protocols`.
//! The trace of (Σ₁Σ₂)^½ is the sum of singular values of `X₁X₂ᵀ` with centred rows, so no matrix root is taken: the
//! usual root loses half of the digits where a set has fewer vectors than numbers.

use std::borrow::Cow;

use crate::MetricError;
use crate::View;
use crate::mse::require_finite;

/// The parts of a Fréchet distance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frechet {
    /// ‖μ₁ − μ₂‖²
    pub means: f64,
    /// tr Σ₁
    pub reference: f64,
    /// tr Σ₂
    pub candidate: f64,
    /// tr (Σ₁Σ₂)^½
    pub root: f64,
}

impl Frechet {
    /// ‖μ₁ − μ₂‖² + tr(Σ₁ + Σ₂ − 2 (Σ₁Σ₂)^½); what rounding leaves below 0 is 0.
    pub fn value(&self) -> f64 {
        (self.means + self.reference + self.candidate - 2.0 * self.root).max(0.0)
    }
}

/// The Fréchet distance of two sets of feature vectors, one vector in a row, covariances over N − 1.
///
/// Symmetric; 0 for equal sets; on the features' own scale squared, without an upper end.
/// Depends on the number of vectors: compare only sets of one size.
/// Takes time in n d² + d³ for n vectors of d numbers.
///
/// # Errors
/// [`MetricError::Channels`] unless there is one channel; [`MetricError::FeatureSet`] below two vectors;
/// [`MetricError::FeatureLength`]; [`MetricError::NotFinite`]; [`MetricError::NoConvergence`].
///
/// ```
/// use juror_metrics::{View, frechet};
/// // Variances 2 and 8, means 1 and 2: 1 + 2 + 8 − 2 · √16.
/// let (r, c) = (View::new(1, 2, 1, &[0.0, 2.0])?, View::new(1, 2, 1, &[0.0, 4.0])?);
/// assert!((frechet(&r, &c)?.value() - 3.0).abs() < 1e-14);
/// # Ok::<(), juror_metrics::MetricError>(())
/// ```
pub fn frechet(
    reference: &View<'_, f64>,
    candidate: &View<'_, f64>,
) -> Result<Frechet, MetricError> {
    for set in [reference, candidate] {
        set.require_grey()?;
        if set.height() < 2 {
            return Err(MetricError::FeatureSet {
                rows: set.height(),
                columns: set.width(),
            });
        }
        require_finite(set.data())?;
    }
    if reference.width() != candidate.width() {
        return Err(MetricError::FeatureLength {
            reference: reference.width(),
            candidate: candidate.width(),
        });
    }
    let (mean_r, columns_r) = centred(reference);
    let (mean_c, columns_c) = centred(candidate);
    let means = mean_r
        .iter()
        .zip(&mean_c)
        .map(|(r, c)| (r - c) * (r - c))
        .sum();
    let trace =
        |columns: &[Vec<f64>]| -> f64 { columns.iter().map(|column| dot(column, column)).sum() };
    let (trace_r, trace_c) = (trace(&columns_r), trace(&columns_c));
    let product = product(&triangle(columns_r), &triangle(columns_c));
    Ok(Frechet {
        means,
        reference: trace_r,
        candidate: trace_c,
        root: sum_of_singular_values(product)?,
    })
}

/// MultiRef's "FID" of one picture: the square of the mean of its features; its trace term cancels.
///
/// It is no distance, and there is no reference in it.
///
/// # Errors
/// [`MetricError::FeatureSet`] without features, [`MetricError::NotFinite`].
///
/// ```
/// assert!((juror_metrics::fid_multiref(&[0.33; 2048])? - 0.1089).abs() < 1e-12);
/// # Ok::<(), juror_metrics::MetricError>(())
/// ```
pub fn fid_multiref(features: &[f64]) -> Result<f64, MetricError> {
    if features.is_empty() {
        return Err(MetricError::FeatureSet {
            rows: 1,
            columns: 0,
        });
    }
    require_finite(features)?;
    let mean = features.iter().sum::<f64>() / features.len() as f64;
    Ok(mean * mean)
}

/// a · b / (‖a‖ ‖b‖), −1 … 1: MultiRef's subject and style scores of CLIP features; `CLIPScore` is 100 max(0, cosine).
///
/// A vector of zeros has no direction: the authors' code and NumPy divide it by its length and get NaN, here it is an
/// error.
/// Squares that leave the range of f64 are no matter: such a vector is scaled by its largest number first.
///
/// # Errors
/// [`MetricError::FeatureLength`], [`MetricError::NotFinite`], [`MetricError::ZeroVector`].
///
/// ```
/// use juror_metrics::{MetricError, cosine};
/// assert_eq!(cosine(&[3.0, 4.0], &[4.0, 3.0])?, 24.0 / 25.0);
/// assert_eq!(cosine(&[3.0, 4.0], &[0.0, 0.0]), Err(MetricError::ZeroVector { side: "candidate" }));
/// # Ok::<(), MetricError>(())
/// ```
pub fn cosine(reference: &[f64], candidate: &[f64]) -> Result<f64, MetricError> {
    if reference.len() != candidate.len() {
        return Err(MetricError::FeatureLength {
            reference: reference.len(),
            candidate: candidate.len(),
        });
    }
    require_finite(reference)?;
    require_finite(candidate)?;
    let (reference, candidate) = (
        Direction::of(reference, "reference")?,
        Direction::of(candidate, "candidate")?,
    );
    let lengths = reference.square.sqrt() * candidate.square.sqrt();
    Ok(dot(&reference.numbers, &candidate.numbers) / lengths)
}

/// A vector whose square is neither lost nor infinite.
struct Direction<'a> {
    numbers: Cow<'a, [f64]>,
    square: f64,
}

impl<'a> Direction<'a> {
    fn of(vector: &'a [f64], side: &'static str) -> Result<Self, MetricError> {
        let square = dot(vector, vector);
        if square.is_normal() {
            return Ok(Self {
                numbers: Cow::Borrowed(vector),
                square,
            });
        }
        let largest = vector.iter().fold(0.0_f64, |most, one| most.max(one.abs()));
        if largest == 0.0 {
            return Err(MetricError::ZeroVector { side });
        }
        let numbers: Vec<f64> = vector.iter().map(|one| one / largest).collect();
        Ok(Self {
            square: dot(&numbers, &numbers),
            numbers: Cow::Owned(numbers),
        })
    }
}

/// The mean vector, and the columns of (x − μ) / √(n − 1).
fn centred(set: &View<'_, f64>) -> (Vec<f64>, Vec<Vec<f64>>) {
    let rows = set.height();
    let scale = 1.0 / ((rows - 1) as f64).sqrt();
    let mut columns = vec![Vec::with_capacity(rows); set.width()];
    for row in set.rows() {
        for (column, value) in columns.iter_mut().zip(row) {
            column.push(*value);
        }
    }
    let means = columns
        .iter_mut()
        .map(|column| {
            let mean = column.iter().sum::<f64>() / rows as f64;
            for value in column {
                *value = (*value - mean) * scale;
            }
            mean
        })
        .collect();
    (means, columns)
}

/// A matrix with the same `XᵀX` and no more rows than columns: R of X = QR, or X itself. Columns come in, rows go out.
fn triangle(mut columns: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let rows = columns.first().map_or(0, Vec::len);
    let num_rows = rows.min(columns.len());
    if rows > columns.len() {
        for k in 0..columns.len() {
            let (done, rest) = columns.split_at_mut(k + 1);
            let Some(mirror) = Mirror::of(&mut done[k][k..]) else {
                continue;
            };
            for column in rest {
                mirror.apply(&done[k][k..], &mut column[k..]);
            }
            // The vector below the diagonal has served.
            done[k][k..].fill(0.0);
            done[k][k] = mirror.image;
        }
    }
    (0..num_rows)
        .map(|row| columns.iter().map(|column| column[row]).collect())
        .collect()
}

/// A Householder reflection H = 1 − β v vᵀ; v takes the place of the vector that it was made for.
struct Mirror {
    beta: f64,
    /// What stays in the first place.
    image: f64,
}

impl Mirror {
    /// Makes the reflection that clears all but the first number; `None` for a vector of zeros.
    fn of(vector: &mut [f64]) -> Option<Self> {
        let norm = dot(vector, vector).sqrt();
        let first = vector.first_mut()?;
        if norm == 0.0 {
            return None;
        }
        let image = if *first > 0.0 { -norm } else { norm };
        *first -= image;
        let beta = 2.0 / dot(vector, vector);
        Some(Self { beta, image })
    }

    fn apply(&self, v: &[f64], column: &mut [f64]) {
        let factor = self.beta * dot(v, column);
        add(column, -factor, v);
    }
}

/// In eight lanes of fixed order, so that it is one number on every machine.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let (a_lanes, a_rest) = a.as_chunks::<8>();
    let (b_lanes, b_rest) = b.as_chunks::<8>();
    let mut lanes = [0.0; 8];
    for (a, b) in a_lanes.iter().zip(b_lanes) {
        for ((lane, a), b) in lanes.iter_mut().zip(a).zip(b) {
            *lane += a * b;
        }
    }
    let rest: f64 = a_rest.iter().zip(b_rest).map(|(a, b)| a * b).sum();
    lanes.iter().sum::<f64>() + rest
}

fn add(to: &mut [f64], factor: f64, from: &[f64]) {
    for (to, from) in to.iter_mut().zip(from) {
        *to += factor * from;
    }
}

/// `ABᵀ` as columns, the longer side down.
fn product(a: &[Vec<f64>], b: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let (long, short) = if a.len() < b.len() { (b, a) } else { (a, b) };
    short
        .iter()
        .map(|column| long.iter().map(|row| dot(row, column)).collect())
        .collect()
}

/// The nuclear norm of a matrix with at least as many rows as columns.
///
/// Two-sided reflections leave two diagonals d and e (Golub and Kahan 1965); the symmetric tridiagonal matrix with zeros
/// on its diagonal and d₁ e₁ d₂ e₂ … beside it has the eigenvalues ±σ.
fn sum_of_singular_values(mut columns: Vec<Vec<f64>>) -> Result<f64, MetricError> {
    let count = columns.len();
    let rows = columns.first().map_or(0, Vec::len);
    let mut beside = Vec::with_capacity(2 * count);
    let mut sums = vec![0.0; rows];
    for k in 0..count {
        let (head, rest) = columns.split_at_mut(k + 1);
        let column = &mut head[k][k..];
        let mirror = Mirror::of(column);
        if let Some(mirror) = &mirror {
            for other in rest.iter_mut() {
                mirror.apply(column, &mut other[k..]);
            }
        }
        beside.push(mirror.map_or(0.0, |mirror| mirror.image));
        if rest.is_empty() {
            break;
        }
        // The same from the right: row k beyond the diagonal.
        let mut row: Vec<f64> = rest.iter().map(|column| column[k]).collect();
        let Some(mirror) = Mirror::of(&mut row) else {
            beside.push(0.0);
            continue;
        };
        beside.push(mirror.image);
        let sums = &mut sums[k + 1..];
        sums.fill(0.0);
        for (column, v) in rest.iter().zip(&row) {
            add(sums, *v, &column[k + 1..]);
        }
        for (column, v) in rest.iter_mut().zip(&row) {
            add(&mut column[k + 1..], -mirror.beta * v, sums);
        }
    }
    let eigenvalues = eigenvalues(beside)?;
    Ok(0.5 * eigenvalues.iter().map(|value| value.abs()).sum::<f64>())
}

/// Eigenvalues of a symmetric tridiagonal matrix with a diagonal of zeros: implicit QL steps with Wilkinson's shift.
fn eigenvalues(mut beside: Vec<f64>) -> Result<Vec<f64>, MetricError> {
    const MAX_STEPS: usize = 100;
    let count = beside.len() + 1;
    // What is smaller beside the largest changes no digit of the sum.
    let largest = beside
        .iter()
        .fold(0.0_f64, |most, value| most.max(value.abs()));
    let negligible = f64::EPSILON * largest;
    let mut diagonal = vec![0.0_f64; count];
    beside.push(0.0);
    for start in 0..count {
        let mut num_steps = 0;
        loop {
            let end = (start..count - 1)
                .find(|k| beside[*k].abs() <= negligible)
                .unwrap_or(count - 1);
            if end == start {
                break;
            }
            num_steps += 1;
            if num_steps > MAX_STEPS {
                return Err(MetricError::NoConvergence { steps: MAX_STEPS });
            }
            ql_step(&mut diagonal, &mut beside, start, end);
        }
    }
    Ok(diagonal)
}

/// One implicit step on the rows `start` to `end`, from below.
fn ql_step(diagonal: &mut [f64], beside: &mut [f64], start: usize, end: usize) {
    let half = (diagonal[start + 1] - diagonal[start]) / (2.0 * beside[start]);
    let radius = libm::hypot(half, 1.0);
    let mut g = diagonal[end] - diagonal[start] + beside[start] / (half + radius.copysign(half));
    let (mut sine, mut cosine, mut shift) = (1.0, 1.0, 0.0);
    for k in (start..end).rev() {
        let f = sine * beside[k];
        let b = cosine * beside[k];
        let r = libm::hypot(f, g);
        beside[k + 1] = r;
        if r == 0.0 {
            diagonal[k + 1] -= shift;
            beside[end] = 0.0;
            return;
        }
        sine = f / r;
        cosine = g / r;
        let g_new = diagonal[k + 1] - shift;
        let r = (diagonal[k] - g_new) * sine + 2.0 * cosine * b;
        shift = sine * r;
        diagonal[k + 1] = g_new + shift;
        g = cosine * r - b;
    }
    diagonal[start] -= shift;
    beside[start] = g;
    beside[end] = 0.0;
}
