//! The standard normal distribution.

/// P(Z ≤ z).
pub fn cdf(z: f64) -> f64 {
    0.5 * libm::erfc(-z * std::f64::consts::FRAC_1_SQRT_2)
}

/// The chance that a standard normal number is at least this far from 0 on either side.
///
/// # Example
/// ```
/// let p = juror_statistics::normal::two_sided(1.959_963_984_540_054);
/// assert!((p - 0.05).abs() < 1e-15);
/// ```
pub fn two_sided(z: f64) -> f64 {
    libm::erfc(z.abs() * std::f64::consts::FRAC_1_SQRT_2)
}

/// The value below which a standard normal number falls with probability `p`; ±∞ at 0 and 1, NaN outside.
///
/// By Newton's steps on the smaller tail, kept inside a bracket.
///
/// # Example
/// ```
/// let z = juror_statistics::normal::quantile(0.975);
/// assert!((z - 1.959_963_984_540_054).abs() < 1e-14);
/// ```
pub fn quantile(p: f64) -> f64 {
    if !(0.0..=1.0).contains(&p) {
        return f64::NAN;
    }
    let tail = p.min(1.0 - p);
    let sign = if p < 0.5 { -1.0 } else { 1.0 };
    if tail <= 0.0 {
        return sign * f64::INFINITY;
    }
    // The tail beyond 39 is below the smallest number.
    let (mut low, mut high) = (0.0, 39.0);
    let mut z = 1.0;
    for _ in 0..200 {
        let excess = cdf(-z) - tail;
        if excess > 0.0 {
            low = z;
        } else {
            high = z;
        }
        let density = libm::exp(-0.5 * z * z) / std::f64::consts::TAU.sqrt();
        let newton = z + excess / density;
        let next = if newton > low && newton < high {
            newton
        } else {
            0.5 * (low + high)
        };
        if (next - z).abs() <= 1e-16 * z {
            z = next;
            break;
        }
        z = next;
    }
    sign * z
}
