//! Measures a suite: image metrics of outputs and their counterparts, on all cores or on the GPU.

use juror_reading::count::counted;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

use anyhow::{Context as _, bail};
use juror_measure::{Backend, MeasureError, measure_pair, sides};
use juror_metrics::{Input, Metric};
use juror_model::prompt::sha256;
use juror_session::measure::run::{MeasurePair, PIECE};
use juror_session::measure::{FORMAT, Measure, Sizes, is_of_network};
use juror_session::measures::{MeasurePlan, MeasureQuery};

use crate::host::Host;
use crate::metric::{Measurer, MetricResult, Started, has_twin};
use crate::networks;
use crate::say;

/// What to measure before scoring.
#[derive(Debug, clap::Args)]
pub(crate) struct MeasureArgs {
    /// Measure outputs first by these metrics, with commas between: `ssim,psnr,mse`, and with a pack `clip,dino,lpips`; a
    /// wrong name lists all.
    #[arg(long, value_delimiter = ',')]
    metrics: Vec<String>,
    /// What outputs are compared with: `golden`, `reference:K`, `references` (their mean), `model:NAME`, by `clip` also
    /// `prompt`, and by networks `objects` (crops by box files); several times for several. The golden answers if the benchmark
    /// has any, else the first reference.
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
pub(crate) fn run(
    host: &mut Host,
    args: &MeasureArgs,
    networks: &mut networks::Opened,
) -> anyhow::Result<()> {
    if !args.metrics.is_empty() {
        let mut of_networks = args.metrics.iter().filter(|name| is_of_network(name));
        if let Some(absent) = of_networks.find(|name| !networks.has(name)) {
            bail!("{absent} is computed by a network: name its pack, --pack FOLDER");
        }
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
        let plan = juror_session::measure_plan(&host.session.linked(), &query);
        let mut plan = plan.map_err(|problem| anyhow::anyhow!("{problem}"))?;
        let by_networks = apart(&mut plan);
        let backend = if args.gpu { Backend::Gpu } else { Backend::Cpu };
        let mut measured = on_all_cores(host, &plan, query.sizes, backend)?;
        for pair in &by_networks {
            measured.extend(on_networks(host, &plan.protocol, pair, networks));
        }
        let on_gpu = measured.iter().filter(|one| one.backend == "gpu").count();
        say(&format!(
            "juror: measured {} of {} ({on_gpu} on the GPU); {} there already, {} cannot be measured",
            counted(measured.len(), "value", "values"),
            counted(plan.pairs.len() + by_networks.len(), "pair", "pairs"),
            counted(plan.done, "value was", "values were"),
            plan.refused.len()
        ));
        juror_session::add_measures(&mut host.session, plan.refused);
        juror_session::add_measures(&mut host.session, measured);
    }
    if let Some(path) = &args.measures {
        std::fs::write(path, juror_session::measures(&host.session.linked()))
            .with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(())
}

/// Takes what networks measure out of a plan.
fn apart(plan: &mut MeasurePlan) -> Vec<MeasurePair> {
    let mut by_networks = Vec::new();
    for pair in &mut plan.pairs {
        let (networks, pixels) = std::mem::take(&mut pair.metrics)
            .into_iter()
            .partition(|name| is_of_network(name));
        pair.metrics = pixels;
        by_networks.push(MeasurePair {
            metrics: networks,
            ..pair.clone()
        });
    }
    plan.pairs.retain(|pair| !pair.metrics.is_empty());
    by_networks.retain(|pair| !pair.metrics.is_empty());
    by_networks
}

fn on_networks(
    host: &Host,
    protocol: &str,
    pair: &MeasurePair,
    networks: &mut networks::Opened,
) -> Vec<Measure> {
    let hash = |file| {
        host.bytes(file)
            .map_or_else(|_| String::new(), |bytes| sha256(&bytes))
    };
    let is_picture = pair.prompt.is_empty() && pair.objects.is_empty();
    let common = Measure {
        format: FORMAT.to_owned(),
        protocol: protocol.to_owned(),
        model: pair.model.clone(),
        sample: pair.sample.clone(),
        turn: pair.turn,
        against: pair.against.clone(),
        number: pair.number,
        backend: "cpu".to_owned(),
        output: hash(pair.output),
        counterpart: if is_picture {
            hash(pair.counterpart)
        } else {
            String::new()
        },
        ..Measure::default()
    };
    let of = |metric: &String| Measure {
        metric: metric.clone(),
        ..common.clone()
    };
    let mut records: Vec<Measure> = pair.metrics.iter().map(of).collect();
    networks.measure(host, pair, &mut records);
    records
}

/// What was asked for, or what the benchmark has.
fn against(host: &mut Host, asked: &[String]) -> anyhow::Result<Vec<String>> {
    if !asked.is_empty() {
        return Ok(asked.to_vec());
    }
    let offered = juror_session::measure_offer(&host.session.linked()).against;
    let has = |wanted: &str| offered.iter().any(|info| info.id == wanted);
    let usual = ["golden", "reference:1"].into_iter().find(|id| has(id));
    let Some(usual) = usual else {
        bail!("the benchmark has neither golden answers nor references; see --against");
    };
    Ok(vec![usual.to_owned()])
}

/// The rows of a plan, in the order of its pairs.
fn on_all_cores(
    host: &Host,
    plan: &MeasurePlan,
    sizes: Sizes,
    backend: Backend,
) -> anyhow::Result<Vec<Measure>> {
    let mut rows = if backend == Backend::Gpu {
        on_gpu(host, plan, sizes)?
    } else {
        on_cpu(host, plan, sizes)?
    };
    rows.sort_by_key(|(at, _)| *at);
    Ok(rows.into_iter().flat_map(|(_, row)| row).collect())
}

/// A pair's place in the plan, and its values.
type Row = (usize, Vec<Measure>);

/// Measures a pair of pictures on the CPU.
pub(crate) fn measured(
    [output, counterpart]: [Vec<u8>; 2],
    protocol: &str,
    pair: &MeasurePair,
    sizes: Sizes,
) -> Vec<Measure> {
    let opened = Opened::of([Ok(output), Ok(counterpart)], protocol, pair, sizes);
    opened.row(&Measurer::new(Backend::Cpu), Vec::new())
}

/// Pairs are dealt out one by one to all cores; each sends on what it makes of its own until nobody takes it.
///
/// # Errors
/// One of them stopped before its end.
fn dealt<T: Send, R>(
    plan: &MeasurePlan,
    make: impl Fn(usize, &MeasurePair) -> T + Sync,
    take: impl FnOnce(Receiver<T>) -> R,
) -> anyhow::Result<R> {
    let next = AtomicUsize::new(0);
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    // As many wait as are under way, so that decoded pictures do not pile up.
    let (send, made) = sync_channel(2 * PIECE);
    let work = |send: SyncSender<T>| {
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            match plan.pairs.get(at) {
                Some(pair) if send.send(make(at, pair)).is_ok() => {}
                _ => return,
            }
        }
    };
    std::thread::scope(|scope| {
        let work = &work;
        // All are started before the first is waited for.
        let workers: Vec<_> = (0..cores.min(plan.pairs.len()))
            .map(|_| {
                let send = send.clone();
                scope.spawn(move || work(send))
            })
            .collect();
        drop(send);
        let taken = take(made);
        let ended: Vec<bool> = (workers.into_iter())
            .map(|worker| worker.join().is_ok())
            .collect();
        if ended.contains(&false) {
            bail!("measuring stopped before its end");
        }
        Ok(taken)
    })
}

fn on_cpu(host: &Host, plan: &MeasurePlan, sizes: Sizes) -> anyhow::Result<Vec<Row>> {
    let make = |at: usize, pair: &MeasurePair| {
        let measurer = Measurer::new(Backend::Cpu);
        let opened = Opened::read(host, &plan.protocol, pair, sizes);
        (at, opened.row(&measurer, Vec::new()))
    };
    dealt(plan, make, |rows| rows.into_iter().collect())
}

/// All cores decode, and compute what no device does; one device computes lot after lot, and the next lot is handed over before the last is waited for.
fn on_gpu(host: &Host, plan: &MeasurePlan, sizes: Sizes) -> anyhow::Result<Vec<Row>> {
    let measurer = Measurer::new(Backend::Gpu);
    if measurer.adapter().is_empty() {
        return on_cpu(host, plan, sizes);
    }
    say(&format!(
        "juror: measuring on the GPU: {}",
        measurer.adapter()
    ));
    let make = |at: usize, pair: &MeasurePair| {
        let opened = Opened::read(host, &plan.protocol, pair, sizes);
        (at, opened.with_own_values())
    };
    let rows = dealt(plan, make, |opened| {
        let mut rows = Vec::new();
        let mut waiting: Vec<(usize, Opened)> = Vec::new();
        let mut under_way: Option<Lot<'_>> = None;
        let mut hand_over = |lot: Vec<(usize, Opened)>| {
            let lot = (!lot.is_empty()).then(|| Lot::start(&measurer, lot));
            if let Some(last) = std::mem::replace(&mut under_way, lot) {
                rows.extend(last.finish(&measurer));
            }
        };
        for next in opened {
            // A lot is of the same metrics.
            if waiting.len() == PIECE
                || (waiting.first()).is_some_and(|(_, one)| one.metrics != next.1.metrics)
            {
                hand_over(std::mem::take(&mut waiting));
            }
            waiting.push(next);
        }
        hand_over(waiting);
        hand_over(Vec::new());
        rows
    })?;
    for (reason, count) in measurer.fallbacks() {
        say(&format!(
            "juror: {count} values computed on the CPU instead: {reason}"
        ));
    }
    Ok(rows)
}

/// Pairs that are on the GPU together.
struct Lot<'m> {
    pairs: Vec<(usize, Opened)>,
    started: Started<'m>,
}

impl<'m> Lot<'m> {
    fn start(measurer: &'m Measurer, pairs: Vec<(usize, Opened)>) -> Self {
        let metrics: Vec<Metric> = pairs.first().map_or(Vec::new(), |(_, pair)| pair.known());
        let sides = pairs
            .iter()
            .filter_map(|(_, pair)| pair.sides.as_ref().ok());
        let sides: Vec<&[Input; 2]> = sides.collect();
        Self {
            started: measurer.start(&metrics, &sides),
            pairs,
        }
    }

    fn finish(self, measurer: &Measurer) -> impl Iterator<Item = Row> {
        let mut brought = measurer.finish(self.started).into_iter();
        self.pairs.into_iter().map(move |(at, pair)| {
            // The others were not handed over.
            let brought = match pair.sides {
                Ok(_) => brought.next().unwrap_or_default(),
                Err(_) => Vec::new(),
            };
            (at, pair.row(measurer, brought))
        })
    }
}

/// A pair whose files were read; what cannot be is a problem of each of its values.
struct Opened {
    metrics: Vec<String>,
    /// What all of its values have in common.
    common: Measure,
    sides: Result<[Input; 2], String>,
    /// Values of metrics that only the CPU computes, where they are there already.
    own: BTreeMap<&'static str, Result<f64, MeasureError>>,
}

impl Opened {
    fn read(host: &Host, protocol: &str, pair: &MeasurePair, sizes: Sizes) -> Self {
        let files = [pair.output, pair.counterpart].map(|file| host.bytes(file));
        Self::of(files, protocol, pair, sizes)
    }

    fn of(
        [output, counterpart]: [std::io::Result<Vec<u8>>; 2],
        protocol: &str,
        pair: &MeasurePair,
        sizes: Sizes,
    ) -> Self {
        let mut common = Measure {
            format: FORMAT.to_owned(),
            protocol: protocol.to_owned(),
            model: pair.model.clone(),
            sample: pair.sample.clone(),
            turn: pair.turn,
            against: pair.against.clone(),
            number: pair.number,
            sizes,
            backend: "cpu".to_owned(),
            output: hash(&output),
            counterpart: hash(&counterpart),
            ..Measure::default()
        };
        let unread = |cause: std::io::Error| format!("The file cannot be read: {cause}.");
        let sides = counterpart.map_err(unread).and_then(|reference| {
            let candidate = output.map_err(unread)?;
            let is_resized = sizes == Sizes::Resized;
            let found = sides([&reference, &candidate], is_resized);
            found.map_err(|error| error.cause.message())
        });
        if let Ok([reference, _]) = &sides {
            let (width, height) = reference.size();
            let side = |side| u32::try_from(side).unwrap_or(u32::MAX);
            (common.width, common.height) = (side(width), side(height));
        }
        Self {
            metrics: pair.metrics.clone(),
            common,
            sides,
            own: BTreeMap::new(),
        }
    }

    /// Computes what no GPU does; what cannot be prepared is left to [`Opened::row`], which says why.
    fn with_own_values(mut self) -> Self {
        if let Ok(sides) = &self.sides {
            for metric in self.known().into_iter().filter(|metric| !has_twin(*metric)) {
                self.own.insert(metric.id(), measure_pair(metric, sides));
            }
        }
        self
    }

    /// The metrics that there are: those that the GPU is asked for.
    fn known(&self) -> Vec<Metric> {
        let known = self.metrics.iter().map(|name| Metric::from_id(name));
        known.flatten().collect()
    }

    /// The values, with what the GPU brought of the known metrics, or the CPU's.
    fn row(&self, measurer: &Measurer, brought: Vec<MetricResult>) -> Vec<Measure> {
        let mut brought = brought.into_iter();
        let value = |name: &String| {
            let record = Measure {
                metric: name.clone(),
                ..self.common.clone()
            };
            let found = match (&self.sides, Metric::from_id(name)) {
                (Err(problem), _) => Err(problem.clone()),
                (_, Err(error)) => Err(error.to_string()),
                (Ok(sides), Ok(metric)) => {
                    let brought = brought.next();
                    Ok(match (self.own.get(metric.id()), brought) {
                        (Some(value), _) => measurer.without_twin(metric, value.clone()),
                        (None, Some(brought)) => measurer.settled(metric, sides, brought),
                        (None, None) => measurer.value(metric, sides),
                    })
                }
            };
            match found {
                Ok(found) => Measure {
                    value: found.value.as_ref().ok().copied(),
                    problem: found.value.err().map(|error| error.to_string()),
                    backend: found.backend.name().to_owned(),
                    ..record
                },
                Err(problem) => Measure {
                    problem: Some(problem),
                    ..record
                },
            }
        };
        self.metrics.iter().map(value).collect()
    }
}

/// The hash of a file; empty where it cannot be read.
fn hash(bytes: &std::io::Result<Vec<u8>>) -> String {
    bytes
        .as_ref()
        .map_or_else(|_| String::new(), |bytes| sha256(bytes))
}
