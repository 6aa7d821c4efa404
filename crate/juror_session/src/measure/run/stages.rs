//! The time that each stage of a run takes, so that a reader sees what limits it.

use serde::{Deserialize, Serialize};

/// The time that stages took, in milliseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct StageTimes {
    /// Reading files.
    pub reading_ms: f64,
    /// Decoding pictures and hashing files.
    pub decoding_ms: f64,
    /// Computing metrics on the CPU.
    pub computing_ms: f64,
    /// The GPU at work; submissions that overlap count once.
    pub gpu_ms: f64,
}

/// What a run waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "snake_case")]
pub enum MeasureLimit {
    /// Reading files.
    Reading,
    /// Decoding pictures.
    Decoding,
    /// Computing on the CPU.
    Cpu,
    /// The GPU.
    Gpu,
}

/// What takes the time of a run: shares of it from 0 to 1, which add up to 1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct MeasureStages {
    /// Reading files.
    pub reading: f64,
    /// Decoding pictures.
    pub decoding: f64,
    /// Computing metrics, on the CPU and the GPU.
    pub measuring: f64,
    /// What the rest waits for.
    pub limit: MeasureLimit,
}

impl StageTimes {
    /// Adds the time of a part.
    pub(super) fn add(&mut self, part: &Self) {
        self.reading_ms += part.reading_ms;
        self.decoding_ms += part.decoding_ms;
        self.computing_ms += part.computing_ms;
        self.gpu_ms += part.gpu_ms;
    }

    /// The share of each stage, where so many workers read, decode and compute at the same time, and one GPU
    /// computes at that time too; `None` where nothing was timed.
    ///
    /// A worker does one thing after another, so the GPU limits a run where it is busy for longer than each worker is.
    pub(super) fn stages(&self, workers: u32) -> Option<MeasureStages> {
        let workers = f64::from(workers.max(1));
        let [reading, decoding, computing] =
            [self.reading_ms, self.decoding_ms, self.computing_ms].map(|ms| ms / workers);
        let of_worker = reading + decoding + computing;
        let all = of_worker + self.gpu_ms;
        if !(all > 0.0 && all.is_finite()) {
            return None;
        }
        let limit = if self.gpu_ms >= of_worker {
            MeasureLimit::Gpu
        } else if computing >= reading.max(decoding) {
            MeasureLimit::Cpu
        } else if decoding >= reading {
            MeasureLimit::Decoding
        } else {
            MeasureLimit::Reading
        };
        Some(MeasureStages {
            reading: reading / all,
            decoding: decoding / all,
            measuring: (computing + self.gpu_ms) / all,
            limit,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times(reading_ms: f64, decoding_ms: f64, computing_ms: f64, gpu_ms: f64) -> StageTimes {
        StageTimes {
            reading_ms,
            decoding_ms,
            computing_ms,
            gpu_ms,
        }
    }

    #[test]
    fn shares_of_stages_are_those_of_the_time_that_passes() {
        // Four workers: 1 ms of reading, 5 of decoding and 2 of computing each, while the GPU needs 2.
        let found = times(4.0, 20.0, 8.0, 2.0).stages(4);
        let expected = MeasureStages {
            reading: 0.1,
            decoding: 0.5,
            measuring: 0.4,
            limit: MeasureLimit::Decoding,
        };
        assert_eq!(found, Some(expected));
        assert_eq!(
            times(0.0, 0.0, 0.0, 0.0).stages(4),
            None,
            "nothing is timed"
        );
        assert_eq!(times(f64::NAN, 0.0, 0.0, 0.0).stages(4), None);
    }

    #[test]
    fn the_gpu_limits_where_it_is_busy_for_longer_than_a_worker() {
        let limit = |times: StageTimes, workers| times.stages(workers).map(|found| found.limit);
        // One worker is busy for 9 ms, and of three each for 3.
        let busy = times(1.0, 6.0, 2.0, 4.0);
        assert_eq!(limit(busy, 1), Some(MeasureLimit::Decoding));
        assert_eq!(limit(busy, 3), Some(MeasureLimit::Gpu));
        assert_eq!(
            limit(times(3.0, 2.0, 1.0, 0.0), 1),
            Some(MeasureLimit::Reading)
        );
        assert_eq!(limit(times(1.0, 2.0, 3.0, 0.0), 8), Some(MeasureLimit::Cpu));
    }
}
