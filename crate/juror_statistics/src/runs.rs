//! What repeating the same judging comes to: averages of runs.

use super::Moments;

/// How far the averages of runs lie apart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RunAverages {
    /// Runs.
    pub runs: u32,
    /// The mean of their averages.
    pub mean: f64,
    /// The largest difference between two of them.
    pub largest_difference: f64,
    /// Their sample standard deviation (n − 1).
    pub sd: f64,
    /// Standard error of their mean: SD / √runs.
    pub standard_error: f64,
}

impl RunAverages {
    /// Of each run's average; `None` below two runs.
    ///
    /// # Example
    /// ```
    /// use juror_statistics::runs::RunAverages;
    /// let found = RunAverages::new(&[3.0, 4.0]).unwrap();
    /// assert_eq!((found.mean, found.largest_difference), (3.5, 1.0));
    /// assert!((found.standard_error - 0.5).abs() < 1e-15);
    /// ```
    pub fn new(averages: &[f64]) -> Option<Self> {
        let mut moments = Moments::default();
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for &average in averages {
            moments.push(average);
            (low, high) = (low.min(average), high.max(average));
        }
        let sd = moments.sd()?;
        Some(Self {
            runs: moments.n(),
            mean: moments.mean()?,
            largest_difference: high - low,
            sd,
            standard_error: sd / f64::from(moments.n()).sqrt(),
        })
    }
}
