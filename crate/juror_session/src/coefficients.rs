//! How far judges and people agree, and how steady a judge is: the figures by which the five papers vouch for their judges.
//!
//! Pearson with Fisher's interval and Spearman with Bonett and Wright's, Cohen's κ (unweighted) with its large-sample
//! interval, quadratically weighted κ and Krippendorff's α with bootstrap intervals, mean absolute and mean squared error
//! with t intervals. Golden values from SciPy, scikit-learn, the `krippendorff` package and Krippendorff's own example.

use std::collections::BTreeMap;

use crate::view::agreement::CommonScore;
use juror_model::terms::Estimate;
use juror_statistics::clusters::percentile;
use juror_statistics::correlation::{pearson, spearman};
use juror_statistics::level::Level;
use juror_statistics::random::SplitMix64;
use juror_statistics::runs::RunAverages;
use juror_statistics::small::arrange_numbers;
use juror_statistics::{Moments, half_width};

/// A correlation that is this near to ±1 is ±1 but for rounding: no pairs of scores differ by so little.
const ONE_WITHIN: f64 = 1e-12;

/// A correlation of n pairs with its interval on Fisher's scale, `tanh(atanh r ± z √(variance/(n − 3)))`;
/// no interval below four pairs or at ±1, within [`ONE_WITHIN`].
///
/// `variance` is 1 for Pearson's r (Fisher 1915) and `1 + ρ²/2` for Spearman's ρ (Bonett and Wright 2000).
fn with_interval(r: f64, n: usize, variance: f64, level: Level) -> Estimate {
    let has_interval = n > 3 && r.abs() < 1.0 - ONE_WITHIN;
    let half = level.z() * (variance / (n as f64 - 3.0)).sqrt();
    let end = |sign: f64| has_interval.then(|| libm::tanh(libm::atanh(r) + sign * half));
    Estimate {
        value: r,
        low: end(-1.0),
        high: end(1.0),
    }
}

/// Cohen's κ over equal values as categories, with its large-sample interval.
///
/// `None` without pairs and where chance by itself would always agree.
pub fn kappa(x: &[f64], y: &[f64], level: Level) -> Option<Estimate> {
    let n = x.len().min(y.len()) as f64;
    let mut counts: BTreeMap<u64, (f64, f64)> = BTreeMap::new();
    let mut equal = 0.0;
    // Adding 0 makes one category of 0 and −0.
    for (a, b) in x.iter().zip(y).map(|(a, b)| (a + 0.0, b + 0.0)) {
        counts.entry(a.to_bits()).or_default().0 += 1.0;
        counts.entry(b.to_bits()).or_default().1 += 1.0;
        equal += f64::from(u8::from(a.to_bits() == b.to_bits()));
    }
    let observed = equal / n;
    let chance = counts.values().map(|(a, b)| a * b).sum::<f64>() / (n * n);
    if n < 1.0 || chance >= 1.0 {
        return None;
    }
    let value = (observed - chance) / (1.0 - chance);
    let half = level.z() * (observed * (1.0 - observed) / n).sqrt() / (1.0 - chance);
    Some(Estimate {
        value,
        low: Some(value - half),
        high: Some(value + half),
    })
}

/// The fewest pairs of which κ has an interval: the large-sample error says nothing of fewer.
const MIN_KAPPA_PAIRS: usize = 5;

/// [`kappa`] with an interval that can be: cut at −1 and 1, beyond which no κ lies. No interval below five pairs, nor where
/// all or none of the pairs are equal, as the large-sample error is 0 there.
pub fn kappa_on_scale(x: &[f64], y: &[f64], level: Level) -> Option<Estimate> {
    let found = kappa(x, y, level)?;
    let (low, high) = found.low.zip(found.high)?;
    let has_interval = x.len().min(y.len()) >= MIN_KAPPA_PAIRS && low < high;
    let interval = has_interval.then(|| (low.max(-1.0), high.min(1.0)));
    Some(estimate(found.value, interval))
}

/// Cohen's κ with quadratic weights, by the scores' own distances: 1 − mean (a − b)² / expected (a − b)².
///
/// The expectation is over all pairs of one side's scores with the other's, `σₐ² + σ_b² + (ā − b̄)²`, so no list of categories
/// is needed; on a scale of equal steps it is scikit-learn's `cohen_kappa_score(weights="quadratic")` with all steps as labels.
/// Source: Cohen 1968. `None` without pairs, and where both sides are one and the same constant.
///
/// # Example
/// ```
/// // Off by one in one of two: 1 − (1/2) / (1/4 + 0 + 1/4) = 0.
/// assert_eq!(juror_session::coefficients::weighted_kappa(&[1.0, 2.0], &[2.0, 2.0]), Some(0.0));
/// ```
pub fn weighted_kappa(x: &[f64], y: &[f64]) -> Option<f64> {
    let shift = x.first().copied()?;
    let mut sums = Sums::default();
    for (a, b) in x.iter().zip(y) {
        sums.add(&Sums::of(a - shift, b - shift), 1.0);
    }
    sums.weighted_kappa()
}

/// What the weighted κ needs of pairs; it adds up over them.
#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    n: f64,
    a: f64,
    b: f64,
    squares: f64,
    errors: f64,
}

impl Sums {
    fn of(a: f64, b: f64) -> Self {
        Self {
            n: 1.0,
            a,
            b,
            squares: a * a + b * b,
            errors: (a - b) * (a - b),
        }
    }

    fn add(&mut self, other: &Self, times: f64) {
        self.n += times * other.n;
        self.a += times * other.a;
        self.b += times * other.b;
        self.squares += times * other.squares;
        self.errors += times * other.errors;
    }

    fn weighted_kappa(&self) -> Option<f64> {
        let (a, b) = (self.a / self.n, self.b / self.n);
        let expected = self.squares / self.n - 2.0 * a * b;
        (self.n > 0.0 && expected > 1e-12 * self.squares / self.n)
            .then(|| 1.0 - self.errors / self.n / expected)
    }
}

/// Which distance between two scores [`alpha`] takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Distance {
    /// The difference of the scores.
    Interval,
    /// The difference of their mean ranks among all scores: only the order of the scores counts.
    Ordinal,
}

/// Resamples of a bootstrap.
pub const NUM_RESAMPLES: usize = 1000;
/// Where its random numbers start.
pub const SEED: u64 = 20_260_715;

/// Krippendorff's α: 1 − observed disagreement / disagreement expected by chance, over units that two or more rated.
///
/// `Dₒ = 1/n Σᵤ Σ_{i≠j} δ²(xᵢ, xⱼ)/(mᵤ − 1)`, `Dₑ = 1/(n(n − 1)) Σ_{i≠j} δ²(xᵢ, xⱼ)` over all n scores of such units.
/// Source: Krippendorff, "Computing Krippendorff's Alpha-Reliability", 2011.
/// 1 is full agreement, 0 what chance gives; `None` where fewer than two scores can be paired or all are equal.
///
/// # Example
/// ```
/// use juror_session::coefficients::{Distance, alpha};
/// // Scores 1, 2 and 2, 2: Dₒ = 2/4, Dₑ = 2 · 3/(4 · 3).
/// assert_eq!(alpha(&[vec![1.0, 2.0], vec![2.0, 2.0]], Distance::Interval), Some(0.0));
/// ```
pub fn alpha(units: &[Vec<f64>], distance: Distance) -> Option<f64> {
    let clusters = vec![0; units.len()];
    Coded::new(units, &clusters).alpha(&[1.0], distance)
}

/// [`alpha`] with an interval: for 95 %, the 2.5 % and 97.5 % points of α over [`NUM_RESAMPLES`] resamples of whole clusters.
///
/// `clusters` has one number per unit; units of one sample belong together, as they share its difficulty.
/// No interval where there is one cluster, or where every other resample has no α.
pub fn alpha_by_cluster(
    units: &[Vec<f64>],
    clusters: &[u32],
    distance: Distance,
    level: Level,
) -> Option<Estimate> {
    let coded = Coded::new(units, clusters);
    let value = coded.alpha(&vec![1.0; coded.num_clusters], distance)?;
    let interval = bootstrap(coded.num_clusters, level, |times| {
        coded.alpha(times, distance)
    });
    Some(estimate(value, interval))
}

/// [`weighted_kappa`] with an interval made as that of [`alpha_by_cluster`].
pub fn weighted_kappa_by_cluster(
    pairs: &[(f64, f64)],
    clusters: &[u32],
    level: Level,
) -> Option<Estimate> {
    let shift = pairs.first()?.0;
    let (numbers, num_clusters) = consecutive(clusters);
    let mut sums = vec![Sums::default(); num_clusters];
    for (&(a, b), cluster) in pairs.iter().zip(numbers) {
        sums[cluster].add(&Sums::of(a - shift, b - shift), 1.0);
    }
    let kappa = |times: &[f64]| {
        let mut all = Sums::default();
        for (own, times) in sums.iter().zip(times) {
            all.add(own, *times);
        }
        all.weighted_kappa()
    };
    let value = kappa(&vec![1.0; num_clusters])?;
    Some(estimate(value, bootstrap(num_clusters, level, kappa)))
}

fn estimate(value: f64, interval: Option<(f64, f64)>) -> Estimate {
    Estimate {
        value,
        low: interval.map(|(low, _)| low),
        high: interval.map(|(_, high)| high),
    }
}

/// Different scores of one unit that are held against each other one by one; of more, their spread around their mean is taken.
const MAX_PAIRED: usize = 16;

/// Units that two or more rated, their scores as positions in the sorted list of all different ones.
struct Coded {
    scores: Vec<f64>,
    units: Vec<Unit>,
    num_clusters: usize,
}

/// One unit's scores.
struct Unit {
    cluster: usize,
    /// Different scores, in the order of first occurrence, and how many gave each.
    codes: Vec<(usize, f64)>,
    num_raters: f64,
}

impl Unit {
    fn new(cluster: usize, codes: impl Iterator<Item = usize>) -> Self {
        let mut counted: Vec<(usize, f64)> = Vec::new();
        let mut places: BTreeMap<usize, usize> = BTreeMap::new();
        let mut num_raters = 0.0;
        for code in codes {
            num_raters += 1.0;
            let at = *places.entry(code).or_insert(counted.len());
            match counted.get_mut(at) {
                Some((_, times)) => *times += 1.0,
                None => counted.push((code, 1.0)),
            }
        }
        Self {
            cluster,
            codes: counted,
            num_raters,
        }
    }

    /// The sum of squared differences over ordered pairs of its raters, scores standing at these places.
    fn disagreement(&self, places: &[f64]) -> f64 {
        if self.codes.len() > MAX_PAIRED {
            let sum = |of: &dyn Fn(f64) -> f64| -> f64 {
                let codes = self.codes.iter();
                codes.map(|(code, times)| times * of(places[*code])).sum()
            };
            let mean = sum(&|place| place) / self.num_raters;
            return 2.0 * self.num_raters * sum(&|place| (place - mean) * (place - mean));
        }
        let mut sum = 0.0;
        for (at, (a, times_a)) in self.codes.iter().enumerate() {
            for (b, times_b) in &self.codes[at + 1..] {
                let difference = places[*a] - places[*b];
                sum += 2.0 * times_a * times_b * difference * difference;
            }
        }
        sum
    }
}

impl Coded {
    fn new(units: &[Vec<f64>], clusters: &[u32]) -> Self {
        let paired: Vec<(&Vec<f64>, u32)> = units
            .iter()
            .zip(clusters.iter().copied())
            .filter(|(unit, _)| unit.len() > 1)
            .collect();
        let mut scores: Vec<f64> = paired.iter().flat_map(|(unit, _)| *unit).copied().collect();
        arrange_numbers(&mut scores);
        scores.dedup_by(|a, b| *a - *b == 0.0);
        let own: Vec<u32> = paired.iter().map(|(_, cluster)| *cluster).collect();
        let (numbers, num_clusters) = consecutive(&own);
        let code = |score: &f64| scores.partition_point(|known| known < score);
        let units = paired
            .iter()
            .zip(numbers)
            .map(|((unit, _), cluster)| Unit::new(cluster, unit.iter().map(code)));
        Self {
            units: units.collect(),
            num_clusters,
            scores,
        }
    }

    /// α with each cluster counted so many times.
    fn alpha(&self, times: &[f64], distance: Distance) -> Option<f64> {
        let mut counts = vec![0.0; self.scores.len()];
        for unit in &self.units {
            for (code, own) in &unit.codes {
                counts[*code] += own * times[unit.cluster];
            }
        }
        let n: f64 = counts.iter().sum();
        // Equal scores are told by their counts: their mean may differ from them by rounding.
        if counts.iter().filter(|count| **count > 0.0).count() < 2 {
            return None;
        }
        let mut below = 0.0;
        let places: Vec<f64> = match distance {
            Distance::Interval => self.scores.iter().map(|x| x - self.scores[0]).collect(),
            Distance::Ordinal => counts
                .iter()
                .map(|count| {
                    let place = below + 0.5 * count;
                    below += count;
                    place
                })
                .collect(),
        };
        let mean = counts.iter().zip(&places).map(|(c, x)| c * x).sum::<f64>() / n;
        let spread = |(count, x): (&f64, &f64)| count * (x - mean) * (x - mean);
        // Σ over ordered pairs of (x − y)² is 2 n Σ (x − mean)².
        let expected = counts.iter().zip(&places).map(spread).sum::<f64>() * 2.0 / (n - 1.0);
        let mut observed = 0.0;
        for unit in &self.units {
            observed += times[unit.cluster] * unit.disagreement(places.as_slice())
                / (unit.num_raters - 1.0);
        }
        (expected > 0.0).then(|| 1.0 - observed / n / expected)
    }
}

/// Numbers without gaps in the order of first occurrence, and how many there are.
fn consecutive(clusters: &[u32]) -> (Vec<usize>, usize) {
    let mut known: BTreeMap<u32, usize> = BTreeMap::new();
    let numbers = clusters
        .iter()
        .map(|cluster| {
            let next = known.len();
            *known.entry(*cluster).or_insert(next)
        })
        .collect();
    (numbers, known.len())
}

/// The points of a figure that leave out half of the rest at either end, over resamples of clusters with replacement.
fn bootstrap(
    num_clusters: usize,
    level: Level,
    figure: impl Fn(&[f64]) -> Option<f64>,
) -> Option<(f64, f64)> {
    if num_clusters < 2 {
        return None;
    }
    let mut random = SplitMix64::new(SEED);
    let end = u32::try_from(num_clusters).unwrap_or(u32::MAX);
    let mut found = Vec::with_capacity(NUM_RESAMPLES);
    let mut times = vec![0.0; num_clusters];
    for _ in 0..NUM_RESAMPLES {
        times.fill(0.0);
        for _ in 0..num_clusters {
            times[random.below(end) as usize] += 1.0;
        }
        found.extend(figure(&times));
    }
    if found.len() * 2 < NUM_RESAMPLES {
        return None;
    }
    arrange_numbers(&mut found);
    Some((
        percentile(&found, level.lower()),
        percentile(&found, level.upper()),
    ))
}

/// The most frequent score of one side, and its share: what agreement has to beat. The lowest of several.
pub fn most_common(scores: &[f64]) -> Option<CommonScore> {
    let mut sorted = scores.to_vec();
    arrange_numbers(&mut sorted);
    let mut best: &[f64] = &[];
    for equal in sorted.chunk_by(|a, b| a - b == 0.0) {
        if equal.len() > best.len() {
            best = equal;
        }
    }
    best.first().map(|score| CommonScore {
        score: *score,
        share: best.len() as f64 / sorted.len() as f64,
    })
}

/// How often one side gave each step of a scale where the other gave each; scores count as the step nearest to them.
///
/// `counts[i][j]`: the first side gave `steps[i]`, the second `steps[j]`. Halfway between two steps the upper one counts.
pub fn confusion(pairs: &[(f64, f64)], steps: &[f64]) -> Vec<Vec<u32>> {
    let mut counts = vec![vec![0; steps.len()]; steps.len()];
    let nearest = |score: f64| {
        let upper = steps.partition_point(|step| *step < score);
        match (upper.checked_sub(1), steps.get(upper)) {
            (Some(lower), Some(step)) if score - steps[lower] < step - score => lower,
            (Some(lower), None) => lower,
            _ => upper,
        }
    };
    for (a, b) in pairs {
        if let Some(count) = counts
            .get_mut(nearest(*a))
            .and_then(|row| row.get_mut(nearest(*b)))
        {
            *count += 1;
        }
    }
    counts
}

/// All figures of one pairing.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Figures {
    /// Pairs.
    pub n: u32,
    /// Pearson's r.
    pub pearson: Option<Estimate>,
    /// Spearman's ρ.
    pub spearman: Option<Estimate>,
    /// Cohen's κ.
    pub kappa: Option<Estimate>,
    /// κ with quadratic weights.
    pub weighted_kappa: Option<Estimate>,
    /// Krippendorff's α on the scores.
    pub alpha_interval: Option<Estimate>,
    /// Krippendorff's α on their order.
    pub alpha_ordinal: Option<Estimate>,
    /// Mean absolute error.
    pub mae: Option<Estimate>,
    /// Mean squared error.
    pub mse: Option<Estimate>,
    /// Share of pairs with equal scores.
    pub equal: Option<f64>,
    /// The first side's most common score.
    pub common_a: Option<CommonScore>,
    /// The second side's.
    pub common_b: Option<CommonScore>,
}

/// Whether figures get the intervals that only a bootstrap gives.
#[derive(Clone, Copy, Debug)]
pub enum Resampling<'a> {
    /// They do without.
    None,
    /// Whole clusters are drawn; one number per pair tells which it belongs to.
    Clusters(&'a [u32]),
}

impl Figures {
    /// Of paired values.
    pub fn new(pairs: &[(f64, f64)], resampling: Resampling<'_>, level: Level) -> Self {
        let (x, y): (Vec<f64>, Vec<f64>) = pairs.iter().copied().unzip();
        let mean_of = |error: fn(f64) -> f64| {
            let mut moments = Moments::default();
            for (a, b) in pairs {
                moments.push(error(a - b));
            }
            let half = half_width(&moments, level);
            moments.mean().map(|value| Estimate {
                value,
                low: half.map(|half| (value - half).max(0.0)),
                high: half.map(|half| value + half),
            })
        };
        let units: Vec<Vec<f64>> = pairs.iter().map(|(a, b)| vec![*a, *b]).collect();
        let alone = |value| estimate(value, None);
        let alpha_of = |distance| match resampling {
            Resampling::None => alpha(&units, distance).map(alone),
            Resampling::Clusters(clusters) => alpha_by_cluster(&units, clusters, distance, level),
        };
        let equal = pairs.iter().filter(|(a, b)| a - b == 0.0).count();
        Self {
            n: u32::try_from(pairs.len()).unwrap_or(u32::MAX),
            pearson: pearson(&x, &y).map(|r| with_interval(r, pairs.len(), 1.0, level)),
            spearman: spearman(&x, &y)
                .map(|r| with_interval(r, pairs.len(), 1.0 + r * r / 2.0, level)),
            kappa: kappa_on_scale(&x, &y, level),
            weighted_kappa: match resampling {
                Resampling::None => weighted_kappa(&x, &y).map(alone),
                Resampling::Clusters(clusters) => weighted_kappa_by_cluster(pairs, clusters, level),
            },
            alpha_interval: alpha_of(Distance::Interval),
            alpha_ordinal: alpha_of(Distance::Ordinal),
            mae: mean_of(f64::abs),
            mse: mean_of(|d| d * d),
            equal: (!pairs.is_empty()).then(|| equal as f64 / pairs.len() as f64),
            common_a: most_common(&x),
            common_b: most_common(&y),
        }
    }
}

/// How steady a judge is over its runs.
#[derive(Clone, Debug, PartialEq)]
pub struct Steadiness {
    /// Runs.
    pub runs: u32,
    /// Units with a score in every run.
    pub n: u32,
    /// Each run's mean over these units.
    pub averages: Vec<f64>,
    /// How far these means lie apart.
    pub of_averages: RunAverages,
    /// Mean over units of the sample SD over runs.
    pub sd: f64,
    /// The largest difference between two runs of one unit.
    pub max_spread: f64,
}

impl Steadiness {
    /// Of units with one value per run each; `None` below two runs or without units.
    pub fn new(units: &[Vec<f64>]) -> Option<Self> {
        let runs = units.first()?.len();
        if runs < 2 {
            return None;
        }
        let average = |run: usize| {
            let sum: f64 = units.iter().filter_map(|unit| unit.get(run)).sum();
            sum / units.len() as f64
        };
        let averages: Vec<f64> = (0..runs).map(average).collect();
        let (mut sds, mut max_spread) = (Moments::default(), 0.0f64);
        for unit in units {
            let mut moments = Moments::default();
            let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
            for &value in unit {
                moments.push(value);
                (low, high) = (low.min(value), high.max(value));
            }
            sds.push(moments.sd()?);
            max_spread = max_spread.max(high - low);
        }
        Some(Self {
            runs: u32::try_from(runs).unwrap_or(u32::MAX),
            n: u32::try_from(units.len()).unwrap_or(u32::MAX),
            of_averages: RunAverages::new(&averages)?,
            averages,
            sd: sds.mean()?,
            max_spread,
        })
    }
}

/// Parts that paired values are cut into.
pub const PARTS: usize = 10;

/// Pearson's r over parts of paired values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Partitions {
    /// Parts that have an r: in the others one side is constant.
    pub defined: u32,
    /// Mean of the parts' r with Student's interval, mean ± t · SD / √parts, over the parts that have one.
    pub r: Option<Estimate>,
    /// Sample SD of the parts' r.
    pub sd: Option<f64>,
    /// The smallest of them.
    pub least: Option<f64>,
    /// The largest.
    pub most: Option<f64>,
}

impl Partitions {
    /// Of paired values in the order in which they are cut into [`PARTS`] parts, whose sizes differ by one at most; `None` of
    /// so few that a part would have fewer than two.
    pub fn new(pairs: &[(f64, f64)], level: Level) -> Option<Self> {
        let n = pairs.len();
        if n < 2 * PARTS {
            return None;
        }
        let (mut moments, mut found) = (Moments::default(), Vec::new());
        for part in 0..PARTS {
            let own = &pairs[part * n / PARTS..(part + 1) * n / PARTS];
            let (x, y): (Vec<f64>, Vec<f64>) = own.iter().copied().unzip();
            if let Some(r) = pearson(&x, &y) {
                moments.push(r);
                found.push(r);
            }
        }
        arrange_numbers(&mut found);
        let half = half_width(&moments, level);
        Some(Self {
            defined: moments.n(),
            r: moments.mean().map(|value| Estimate {
                value,
                low: half.map(|half| value - half),
                high: half.map(|half| value + half),
            }),
            sd: moments.sd(),
            least: found.first().copied(),
            most: found.last().copied(),
        })
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    const X: [f64; 12] = [9., 4., 6., 7., 8., 5., 5., 6., 6., 2., 10., 1.];
    const Y: [f64; 12] = [7., 5., 5., 6., 6., 5., 4., 6., 8., 3., 9., 2.];

    fn near(found: f64, wanted: f64) {
        assert!((found - wanted).abs() < 1e-12, "{found} and not {wanted}");
    }

    /// `scipy.stats.pearsonr` with its confidence interval, `spearmanr`, `t.interval`; κ by hand: (1/6 − 5/36)/(31/36) = 1/31.
    #[test]
    fn figures_agree_with_scipy() {
        let pairs: Vec<(f64, f64)> = X.into_iter().zip(Y).collect();
        let figures = Figures::new(&pairs, Resampling::None, Level::P95);
        let pearson = figures.pearson.unwrap();
        near(pearson.value, 0.881_936_316_312_726_5);
        near(pearson.low.unwrap(), 0.623_734_696_377_198_1);
        near(pearson.high.unwrap(), 0.966_598_995_805_274_3);
        let spearman = figures.spearman.unwrap();
        near(spearman.value, 0.880_155_787_806_504_5);
        // Bonett and Wright's variance is larger than Fisher's, and so is the interval.
        assert!(spearman.low.unwrap() < pearson.low.unwrap());
        near(figures.kappa.unwrap().value, 1.0 / 31.0);
        let mae = figures.mae.unwrap();
        near(mae.value, 13.0 / 12.0);
        assert!((mae.low.unwrap() - 0.658_551_894_566_579_4).abs() < 1e-9);
        near(figures.mse.unwrap().value, 19.0 / 12.0);
    }

    #[test]
    fn kappa_has_no_interval_that_cannot_be() {
        let of = |x: &[f64], y: &[f64]| kappa_on_scale(x, y, Level::P95).unwrap();
        // One output, and four, are too few.
        assert_eq!(
            (of(&[1.0], &[2.0]).low, of(&[1.0], &[2.0]).value),
            (None, 0.0)
        );
        let few = of(&[1.0, 2.0, 1.0, 2.0], &[1.0, 2.0, 2.0, 2.0]);
        assert_eq!((few.value, few.low, few.high), (0.5, None, None));
        // Five that are all equal have no error.
        let same = [1.0, 2.0, 1.0, 2.0, 1.0];
        assert_eq!(of(&same, &same).low, None);
        // By the formula it would end at 1.386.
        let (x, y) = ([1.0, 1.0, 2.0, 2.0, 2.0], [1.0, 2.0, 2.0, 2.0, 2.0]);
        assert!(kappa(&x, &y, Level::P95).unwrap().high.unwrap() > 1.0);
        let cut = of(&x, &y);
        assert_eq!(cut.high, Some(1.0));
        assert!(cut.low.unwrap() < cut.value && cut.low.unwrap() > -1.0);
        // What lies on the scale is left as it is.
        let plain = kappa(&X, &Y, Level::P95).unwrap();
        assert_eq!(of(&X, &Y), plain);
    }

    #[test]
    fn ties_without_shared_ranks_would_not_agree() {
        let broken: Vec<f64> = X
            .iter()
            .zip(0..)
            .map(|(x, at)| x + 1e-9 * f64::from(at))
            .collect();
        assert!((spearman(&broken, &Y).unwrap() - spearman(&X, &Y).unwrap()).abs() > 1e-4);
    }

    #[test]
    fn what_is_not_defined_is_no_number() {
        assert_eq!(pearson(&[1.0], &[1.0]), None);
        assert_eq!(pearson(&[1.0, 1.0], &[1.0, 2.0]), None);
        assert_eq!(kappa(&[], &[], Level::P95), None);
        assert_eq!(kappa(&[1.0, 1.0], &[1.0, 1.0], Level::P95), None);
        assert_eq!(Steadiness::new(&[vec![1.0]]), None);
        assert_eq!(Steadiness::new(&[]), None);
        assert_eq!(weighted_kappa(&[], &[]), None);
        assert_eq!(weighted_kappa(&[3.0, 3.0], &[3.0, 3.0]), None);
        for distance in [Distance::Interval, Distance::Ordinal] {
            let one_rater = [vec![1.0], vec![4.0]];
            assert_eq!(alpha(&one_rater, distance), None);
            let constant = [vec![2.0, 2.0], vec![2.0, 2.0, 2.0]];
            assert_eq!(alpha(&constant, distance), None);
            assert_eq!(alpha(&[], distance), None);
        }
        assert_eq!(most_common(&[]), None);
        let none = Figures::new(&[], Resampling::Clusters(&[]), Level::P95);
        assert_eq!((none.n, none.equal, none.alpha_interval), (0, None, None));
    }

    #[test]
    fn a_bootstrap_draws_samples_and_not_single_ratings() {
        let pairs: Vec<(f64, f64)> = X.into_iter().zip(Y).collect();
        let one_each: Vec<u32> = (0..12).collect();
        let by_unit = Figures::new(&pairs, Resampling::Clusters(&one_each), Level::P95);
        // The same ratings, each twice in its sample: nothing is known better than before.
        let twice: Vec<(f64, f64)> = pairs.iter().flat_map(|pair| [*pair; 2]).collect();
        let of_sample: Vec<u32> = (0..24).map(|at| at / 2).collect();
        let by_sample = Figures::new(&twice, Resampling::Clusters(&of_sample), Level::P95);
        let (a, b) = (
            by_unit.weighted_kappa.unwrap(),
            by_sample.weighted_kappa.unwrap(),
        );
        near(a.value, b.value);
        near(a.low.unwrap(), b.low.unwrap());
        near(a.high.unwrap(), b.high.unwrap());
        // Drawn one by one they would seem to be known better.
        let alone: Vec<u32> = (0..24).collect();
        let wrong = Figures::new(&twice, Resampling::Clusters(&alone), Level::P95);
        assert!(wrong.weighted_kappa.unwrap().low > b.low);
        let again = Figures::new(&pairs, Resampling::Clusters(&one_each), Level::P95);
        assert_eq!(again, by_unit, "the same numbers each time");
        let one_sample = Figures::new(&pairs, Resampling::Clusters(&[7; 12]), Level::P95);
        assert_eq!(one_sample.alpha_ordinal.unwrap().low, None);
    }

    #[test]
    fn many_raters_of_a_unit_disagree_as_pair_by_pair() {
        let mut random = SplitMix64::new(7);
        for num_scores in [3, 10, 16, 17, 90] {
            let mut scores = |raters: usize| -> Vec<f64> {
                (0..raters)
                    .map(|_| f64::from(random.below(num_scores)) / 7.0)
                    .collect()
            };
            let units = [scores(2), scores(40), scores(120)];
            let all = units.concat();
            let n = all.len() as f64;
            let squares = |unit: &[f64]| -> f64 {
                unit.iter()
                    .flat_map(|a| unit.iter().map(move |b| (a - b) * (a - b)))
                    .sum()
            };
            let observed = |weight: fn(f64) -> f64| -> f64 {
                let parts = units
                    .iter()
                    .map(|unit| squares(unit) / weight(unit.len() as f64));
                parts.sum::<f64>() / n
            };
            let expected = squares(&all) / n / (n - 1.0);
            let found = alpha(&units, Distance::Interval).unwrap();
            near(found, 1.0 - observed(|raters| raters - 1.0) / expected);
            // Divided by all raters it would be another number.
            assert!((found - 1.0 + observed(|raters| raters) / expected).abs() > 1e-4);
        }
    }

    #[test]
    fn a_confusion_matrix_counts_the_nearest_step_and_loses_no_pair() {
        let pairs = [(1.0, 2.0), (1.4, 2.0), (1.5, 3.0), (3.0, 3.0), (9.0, -9.0)];
        let counts = confusion(&pairs, &[1.0, 2.0, 3.0]);
        assert_eq!(counts, [[0, 2, 0], [0, 0, 1], [1, 0, 1]]);
        assert!(confusion(&pairs, &[]).is_empty());
    }

    #[test]
    fn the_most_common_score_is_the_lowest_of_several() {
        let common = most_common(&[3.0, 1.0, 3.0, 1.0, 2.0]).unwrap();
        assert_eq!((common.score, common.share), (1.0, 0.4));
    }

    #[test]
    fn ten_parts_have_a_mean_and_students_interval_of_their_correlations() {
        assert_eq!(Partitions::new(&[(1.0, 2.0); 19], Level::P95), None);
        // Nine parts of (0, 0), (1, 1), the last of (0, 1), (1, 0): r is 1 nine times and −1 once.
        let mut pairs = [[(0.0, 0.0), (1.0, 1.0)]; 10];
        pairs[9] = [(0.0, 1.0), (1.0, 0.0)];
        let found = Partitions::new(pairs.as_flattened(), Level::P95).unwrap();
        let r = found.r.unwrap();
        near(r.value, 0.8);
        // SD √(3.6 / 9), and t(0.975, 9) = 2.262157… of SciPy.
        near(found.sd.unwrap(), 0.4f64.sqrt());
        let half = 2.262_157_162_798_205 * 0.04f64.sqrt();
        assert!((r.high.unwrap() - 0.8 - half).abs() < 1e-9);
        assert_eq!(found.defined, 10);
        near(found.least.unwrap(), -1.0);
        near(found.most.unwrap(), 1.0);
        // A part of which one side is constant has no r; the others stand.
        pairs[0] = [(2.0, 0.0), (2.0, 1.0)];
        let found = Partitions::new(pairs.as_flattened(), Level::P99).unwrap();
        assert_eq!(found.defined, 9);
        near(found.r.unwrap().value, 7.0 / 9.0);
    }

    #[test]
    fn a_surer_interval_is_wider_whatever_it_is_of() {
        let pairs: Vec<(f64, f64)> = X.into_iter().zip(Y).collect();
        let clusters: Vec<u32> = (0..12).collect();
        let widths = [Level::P90, Level::P95, Level::P99].map(|level| {
            let found = Figures::new(&pairs, Resampling::Clusters(&clusters), level);
            let all = [
                found.pearson,
                found.spearman,
                found.kappa,
                found.weighted_kappa,
                found.alpha_interval,
                found.alpha_ordinal,
                found.mae,
                found.mse,
            ];
            all.map(|one| one.unwrap().high.unwrap() - one.unwrap().low.unwrap())
        });
        for pair in widths.windows(2) {
            let wider = pair[0].iter().zip(&pair[1]).all(|(a, b)| a < b);
            assert!(wider, "{pair:?}");
        }
    }

    #[test]
    fn steadiness_of_a_hand_counted_set() {
        let steady = Steadiness::new(&[vec![1.0, 3.0], vec![5.0, 5.0]]).unwrap();
        assert_eq!((steady.runs, steady.n, steady.max_spread), (2, 2, 2.0));
        // Means of the runs 3 and 4: SD √½, over √2 is ½. SDs of the units √2 and 0.
        near(steady.of_averages.standard_error, 0.5);
        assert_eq!(steady.averages, [3.0, 4.0]);
        near(steady.sd, 2f64.sqrt() / 2.0);
    }
}
