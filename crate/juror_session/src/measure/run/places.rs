//! Where each metric of a run is computed, where the user leaves that to Juror.
//!
//! The GPU and the workers compute at the same time, so a metric that is faster there spares them time until the GPU itself is what the
//! run waits for. Metrics are taken in the order of what they spare for each millisecond of the GPU.

use serde::{Deserialize, Serialize};

/// A metric goes to the GPU only where a pair then takes less than this share of the time: the CPU is exact.
const WORTH_IT: f64 = 0.95;

/// The time that a metric of the trial's pair takes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct MetricTime {
    /// Id of the metric.
    pub metric: String,
    /// Milliseconds on the GPU, with several submissions at once; `null` where only the CPU has the metric.
    pub gpu_ms: Option<f64>,
    /// Milliseconds of one worker on the CPU.
    pub cpu_ms: f64,
}

/// A GPU in comparison with the CPU, by one pair that both measure.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct GpuTrial {
    /// The GPU in the words of the browser, by which the trial is kept.
    pub adapter: String,
    /// Whether the GPU is a program on the CPU; there is no trial then.
    pub is_software: bool,
    /// Milliseconds in which a worker decodes the pair.
    pub decoding_ms: f64,
    /// Metrics by their times.
    pub times: Vec<MetricTime>,
}

/// Where the metrics of a run are computed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct MeasurePlaces {
    /// On the GPU.
    pub gpu: Vec<String>,
    /// On the CPU.
    pub cpu: Vec<String>,
    /// The GPU is a program on the CPU, which is slower than the CPU itself.
    pub is_software: bool,
}

impl GpuTrial {
    /// Where each of these metrics is computed, where so many workers decode and compute while the GPU does.
    pub(super) fn places(&self, metrics: &[String], workers: u32) -> MeasurePlaces {
        let gpu = self.chosen(metrics, f64::from(workers.max(1)));
        let (gpu, cpu) = metrics
            .iter()
            .cloned()
            .partition(|metric| gpu.contains(&metric.as_str()));
        MeasurePlaces {
            gpu,
            cpu,
            is_software: self.is_software,
        }
    }

    /// The metrics for the GPU.
    fn chosen(&self, metrics: &[String], workers: f64) -> Vec<&str> {
        if self.is_software {
            return Vec::new();
        }
        let wanted = self
            .times
            .iter()
            .filter(|one| metrics.contains(&one.metric));
        let mut on_cpu = self.decoding_ms + wanted.clone().map(|one| one.cpu_ms).sum::<f64>();
        let mut faster: Vec<(&str, f64, f64)> = wanted
            .filter_map(|one| Some((one.metric.as_str(), one.gpu_ms?, one.cpu_ms)))
            .filter(|(_, gpu_ms, cpu_ms)| gpu_ms < cpu_ms)
            .collect();
        faster.sort_by(|(_, a_gpu, a_cpu), (_, b_gpu, b_cpu)| {
            (b_cpu * a_gpu).total_cmp(&(a_cpu * b_gpu))
        });
        let (mut chosen, mut on_gpu) = (Vec::new(), 0.0_f64);
        for (metric, gpu_ms, cpu_ms) in faster {
            let now = on_gpu.max(on_cpu / workers);
            let then = (on_gpu + gpu_ms).max((on_cpu - cpu_ms) / workers);
            if then < now * WORTH_IT {
                (on_gpu, on_cpu) = (on_gpu + gpu_ms, on_cpu - cpu_ms);
                chosen.push(metric);
            }
        }
        chosen
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trial(times: &[(&str, Option<f64>, f64)]) -> GpuTrial {
        let time = |(metric, gpu_ms, cpu_ms): &(&str, Option<f64>, f64)| MetricTime {
            metric: (*metric).to_owned(),
            gpu_ms: *gpu_ms,
            cpu_ms: *cpu_ms,
        };
        GpuTrial {
            decoding_ms: 40.0,
            times: times.iter().map(time).collect(),
            ..GpuTrial::default()
        }
    }

    fn names(metrics: &[&str]) -> Vec<String> {
        metrics.iter().map(|metric| (*metric).to_owned()).collect()
    }

    /// The metrics that these workers leave to the GPU.
    fn on_gpu(trial: &GpuTrial, metrics: &[&str], workers: u32) -> Vec<String> {
        let places = trial.places(&names(metrics), workers);
        assert_eq!(places.gpu.len() + places.cpu.len(), metrics.len());
        places.gpu
    }

    #[test]
    fn a_metric_goes_to_the_gpu_where_a_pair_then_takes_clearly_less_time() {
        let trial = trial(&[
            ("ssim", Some(2.0), 20.0),
            ("mse", Some(0.5), 1.0),
            ("changed", Some(3.0), 2.0),
            ("phash", None, 9.0),
        ]);
        // 72 ms on one worker: 52 without SSIM; MSE would spare another 2 % only, and Changed is slower there.
        let all = ["mse", "ssim", "changed", "phash"];
        let places = trial.places(&names(&all), 1);
        assert_eq!(places.gpu, ["ssim"]);
        assert_eq!(places.cpu, ["mse", "changed", "phash"]);
        assert!(!places.is_software);
        // Only what is wanted counts.
        assert!(on_gpu(&trial, &["mse"], 4).is_empty());
        // A metric that nobody has timed stays on the CPU.
        assert!(on_gpu(&trial, &["ssim_gaussian"], 4).is_empty());
    }

    #[test]
    fn the_gpu_takes_no_more_than_it_computes_while_workers_decode() {
        let trial = trial(&[
            ("ssim", Some(3.0), 20.0),
            ("ms_ssim", Some(6.0), 30.0),
            ("edge_mse", Some(9.0), 12.0),
        ]);
        let all = ["ssim", "ms_ssim", "edge_mse"];
        // One worker needs 40 ms to decode, and the GPU 18 for all.
        assert_eq!(on_gpu(&trial, &all, 1), all);
        // Ten need 10.2 ms for all; with SSIM on the GPU 8.2 while that needs 3. With MS-SSIM too it would need 9.
        assert_eq!(on_gpu(&trial, &all, 10), ["ssim"]);
        // A hundred are faster than the GPU with anything.
        assert!(on_gpu(&trial, &all, 100).is_empty());
    }

    #[test]
    fn a_software_gpu_computes_nothing() {
        let trial = GpuTrial {
            is_software: true,
            ..trial(&[("ssim", Some(2.0), 20.0)])
        };
        let places = trial.places(&names(&["ssim", "mse"]), 1);
        assert!(places.is_software && places.gpu.is_empty());
        assert_eq!(places.cpu, ["ssim", "mse"]);
    }
}
