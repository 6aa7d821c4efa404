//! Measures a suite: image metrics of outputs and their counterparts, on all cores or on the GPU.

use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::{Context as _, bail};
use juror_core::measure::{FORMAT, Measure, Sizes};
use juror_core::prompt::sha256;
use juror_core::session::measures::{MeasurePair, MeasurePlan, MeasureQuery};
use juror_image::{Filter, Limits, Rgb, decode_rgb};
use juror_metrics::{Input, Metric};

use crate::host::Host;
use crate::metric::{Backend, Measurer, image, prepared};
use crate::say;

/// What to measure before scoring.
#[derive(Debug, clap::Args)]
pub(crate) struct MeasureArgs {
    /// Measure outputs first by these image metrics, with commas between: `ssim,psnr,mse`; a wrong name lists all.
    #[arg(long, value_delimiter = ',')]
    metrics: Vec<String>,
    /// What outputs are held against: `golden`, `reference:K`, `references` (their mean), `model:NAME`; several times for
    /// several. The golden answers if the benchmark has any, else the first reference.
    #[arg(long, value_name = "WHAT", requires = "metrics")]
    against: Vec<String>,
    /// Bring an output to its counterpart's size (Pillow bicubic); different sizes are an incident otherwise.
    #[arg(long, requires = "metrics")]
    resize: bool,
    /// Measure on the GPU where there is one and the metric has a twin there; says how many values it computed.
    #[arg(long, requires = "metrics")]
    gpu: bool,
    /// Write every measured value to this file (`juror-measures/1`), to be opened instead of measuring again.
    #[arg(long, value_name = "FILE")]
    measures: Option<PathBuf>,
}

/// Measures what is asked for and gives the session the values.
pub(crate) fn run(host: &mut Host, args: &MeasureArgs) -> anyhow::Result<()> {
    if !args.metrics.is_empty() {
        let query = MeasureQuery {
            metrics: args.metrics.clone(),
            against: against(host, &args.against)?,
            sizes: if args.resize {
                Sizes::Resized
            } else {
                Sizes::Equal
            },
            ..MeasureQuery::default()
        };
        let plan = host.session.measure_plan(&query);
        let plan = plan.map_err(|problem| anyhow::anyhow!("{problem}"))?;
        let backend = if args.gpu { Backend::Gpu } else { Backend::Cpu };
        let measured = on_all_cores(host, &plan, query.sizes, backend)?;
        let on_gpu = measured.iter().filter(|one| one.backend == "gpu").count();
        say(&format!(
            "juror: measured {} values of {} pairs ({on_gpu} on the GPU), {} were there already, {} cannot be measured",
            measured.len(),
            plan.pairs.len(),
            plan.done,
            plan.refused.len()
        ));
        host.session.add_measures(plan.refused);
        host.session.add_measures(measured);
    }
    if let Some(path) = &args.measures {
        std::fs::write(path, host.session.measures())
            .with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(())
}

/// What was asked for, or what the benchmark has.
fn against(host: &mut Host, asked: &[String]) -> anyhow::Result<Vec<String>> {
    if !asked.is_empty() {
        return Ok(asked.to_vec());
    }
    let offered = host.session.measure_offer().against;
    let has = |wanted: &str| offered.iter().any(|info| info.id == wanted);
    let usual = ["golden", "reference:1"].into_iter().find(|id| has(id));
    let Some(usual) = usual else {
        bail!("the benchmark has neither golden answers nor references; see --against");
    };
    Ok(vec![usual.to_owned()])
}

/// Pairs are dealt out one by one; the values come in the order of the pairs.
fn on_all_cores(
    host: &Host,
    plan: &MeasurePlan,
    sizes: Sizes,
    backend: Backend,
) -> anyhow::Result<Vec<Measure>> {
    let next = AtomicUsize::new(0);
    let rows: Mutex<Vec<(usize, Vec<Measure>)>> = Mutex::new(Vec::new());
    let work = |measurer: &Measurer| {
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(pair) = plan.pairs.get(at) else {
                return;
            };
            let row = measure(host, &plan.protocol, pair, sizes, measurer);
            if let Ok(mut rows) = rows.lock() {
                rows.push((at, row));
            }
        }
    };
    if backend == Backend::Gpu {
        // One device, which works in the order of its queue.
        let measurer = Measurer::new(backend);
        if !measurer.adapter().is_empty() {
            say(&format!(
                "juror: measuring on the GPU: {}",
                measurer.adapter()
            ));
        }
        work(&measurer);
        for (reason, count) in measurer.fallbacks() {
            say(&format!(
                "juror: {count} values computed on the CPU instead: {reason}"
            ));
        }
    } else {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let on_one = || work(&Measurer::new(Backend::Cpu));
        std::thread::scope(|scope| {
            let workers = (0..cores.min(plan.pairs.len())).map(|_| scope.spawn(on_one));
            // All are started before the first is waited for.
            let workers: Vec<_> = workers.collect();
            let ended: Vec<bool> = (workers.into_iter())
                .map(|worker| worker.join().is_ok())
                .collect();
            if ended.contains(&false) {
                bail!("measuring stopped before its end");
            }
            Ok(())
        })?;
    }
    let mut rows = rows.into_inner().unwrap_or_default();
    rows.sort_by_key(|(at, _)| *at);
    Ok(rows.into_iter().flat_map(|(_, row)| row).collect())
}

/// One pair's values; what cannot be read is a problem of each of them.
fn measure(
    host: &Host,
    protocol: &str,
    pair: &MeasurePair,
    sizes: Sizes,
    measurer: &Measurer,
) -> Vec<Measure> {
    let output = Side::read(host, pair.output);
    let counterpart = Side::read(host, pair.counterpart);
    let empty = Measure {
        format: FORMAT.to_owned(),
        protocol: protocol.to_owned(),
        model: pair.model.clone(),
        sample: pair.sample.clone(),
        turn: pair.turn,
        against: pair.against.clone(),
        number: pair.number,
        sizes,
        backend: "cpu".to_owned(),
        output: output.sha256.clone(),
        counterpart: counterpart.sha256.clone(),
        ..Measure::default()
    };
    let sides = counterpart.picture.and_then(|reference| {
        let candidate = output.picture?;
        let size = (reference.width, reference.height);
        let candidate = match sizes {
            Sizes::Resized if (candidate.width, candidate.height) != size => {
                juror_image::resize(&candidate, size.0, size.1, Filter::Bicubic)
                    .map_err(|error| error.message())?
            }
            _ => candidate,
        };
        Ok((size, [input(reference)?, input(candidate)?]))
    });
    let value = |name: &String| {
        let record = Measure {
            metric: name.clone(),
            ..empty.clone()
        };
        let ((width, height), [reference, candidate]) = match &sides {
            Ok(sides) => sides,
            Err(problem) => {
                return Measure {
                    problem: Some(problem.clone()),
                    ..record
                };
            }
        };
        let (found, backend) = computed(measurer, name, reference, candidate);
        Measure {
            value: found.as_ref().ok().copied(),
            problem: found.err(),
            backend: backend.to_owned(),
            width: *width,
            height: *height,
            ..record
        }
    };
    pair.metrics.iter().map(value).collect()
}

fn computed(
    measurer: &Measurer,
    name: &str,
    reference: &Input,
    candidate: &Input,
) -> (Result<f64, String>, &'static str) {
    let sides = || -> anyhow::Result<(Metric, Option<Input>, Option<Input>)> {
        let metric = Metric::from_id(name)?;
        let [r, c] = [reference, candidate].map(|side| prepared(side, metric));
        Ok((metric, r?, c?))
    };
    match sides() {
        Ok((metric, r, c)) => {
            let (reference, candidate) = (
                r.as_ref().unwrap_or(reference),
                c.as_ref().unwrap_or(candidate),
            );
            let found = measurer.value(metric, reference, candidate);
            (
                found.value.map_err(|error| error.to_string()),
                found.backend,
            )
        }
        Err(error) => (Err(error.to_string()), "cpu"),
    }
}

/// One picture of a pair.
struct Side {
    sha256: String,
    picture: Result<Rgb, String>,
}

impl Side {
    fn read(host: &Host, file: u32) -> Self {
        match host.bytes(file) {
            Ok(bytes) => Self {
                sha256: sha256(&bytes),
                picture: decode_rgb(&bytes, &Limits::default()).map_err(|error| error.message()),
            },
            Err(error) => Self {
                sha256: String::new(),
                picture: Err(format!("The file cannot be read: {error}.")),
            },
        }
    }
}

fn input(picture: Rgb) -> Result<Input, String> {
    let image = image(picture).map_err(|error| error.to_string())?;
    Ok(Input::Picture(image))
}
