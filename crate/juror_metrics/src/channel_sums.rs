//! Sums of a map's values by channel, from which its means come.

/// Sums by channel.
pub(crate) struct ChannelSums {
    sums: Vec<f64>,
}

impl ChannelSums {
    pub(crate) fn new(channels: usize) -> Self {
        Self {
            sums: vec![0.0; channels],
        }
    }

    /// Adds a piece of a row that begins with channel 0: first by itself, so that small pieces keep their digits.
    pub(crate) fn add(&mut self, values: &[f64]) {
        if let [sum] = self.sums.as_mut_slice() {
            *sum += values.iter().sum::<f64>();
        } else if let [red, green, blue] = self.sums.as_mut_slice() {
            let mut piece = [0.0; 3];
            for value in values.as_chunks::<3>().0 {
                for (sum, value) in piece.iter_mut().zip(value) {
                    *sum += value;
                }
            }
            *red += piece[0];
            *green += piece[1];
            *blue += piece[2];
        } else {
            let channels = self.sums.len();
            for (idx, sum) in self.sums.iter_mut().enumerate() {
                *sum += values.iter().skip(idx).step_by(channels).sum::<f64>();
            }
        }
    }

    /// Adds what some values of a channel come to.
    pub(crate) fn add_sum(&mut self, channel: usize, sum: f64) {
        self.sums[channel] += sum;
    }

    #[cfg(test)]
    pub(crate) fn into_sums(self) -> Vec<f64> {
        self.sums
    }

    /// The mean of each channel over so many values.
    pub(crate) fn means(self, count: usize) -> Vec<f64> {
        self.sums.iter().map(|sum| sum / count as f64).collect()
    }
}
