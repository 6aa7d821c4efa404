//! A run over pairs of pictures as a state machine: what a free lane measures next, what came of it, how far all is.
//!
//! It measures nothing, does no I/O and knows no clock: a host asks [`MeasureRun::step`] for each of its lanes, tells
//! [`MeasureRun::came`] what the lane brought, and passes the time in. So the browser and the tests drive the very same
//! rules.
//!
//! A pair is handed out once and counts once, as measured where it has a value at all, else as failed. A run that is paused
//! or stopped hands out nothing more; what is under way then still comes and counts. Nothing that was measured is lost.

use std::collections::{BTreeMap, VecDeque};
use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::{FORMAT, Measure, Sizes};
use juror_judging::job::JobProgress;

pub use places::{GpuTrial, MeasurePlaces, MetricTime};
pub use stages::{MeasureLimit, MeasureStages, StageTimes};

mod places;
mod stages;

/// Pairs that are measured together: enough for one submission to a GPU, few enough for a weak one's memory.
pub const PIECE: usize = 4;
/// Pieces that one worker has at once: while it computes one, the pictures of the next are decoded.
const LANES: u32 = 2;
/// Submissions that a GPU has at once: while it computes one, the next is uploaded.
const SUBMISSIONS: u32 = 2;
/// So many of the pairs without a value are told, the newest ones.
const MAX_INCIDENTS: usize = 200;
/// The rate is that of so long a time.
const RATE_MS: f64 = 10_000.0;
const MINUTE_MS: f64 = 60_000.0;
/// Why a run ended that somebody stopped.
const STOPPED: &str = "It was stopped. What is measured is kept; starting again measures the rest.";

/// Two pictures to be measured.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct MeasurePair {
    /// Model.
    pub model: String,
    /// Sample id.
    pub sample: String,
    /// Turn, from 0.
    pub turn: u32,
    /// What the output is held against.
    pub against: String,
    /// Number of the counterpart among the sample's pictures, from 1; 0 for another model's output.
    pub number: u32,
    /// File of the output.
    pub output: u32,
    /// File of the counterpart.
    pub counterpart: u32,
    /// Metrics that have no value yet.
    pub metrics: Vec<String>,
    /// The text that the output is held against, where that is a prompt; the counterpart is then the output itself.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[cfg_attr(feature = "typescript", ts(optional, as = "Option<String>"))]
    pub prompt: String,
    /// Where objects are compared: the output's box file, then each reference's picture and box file.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "typescript", ts(optional, as = "Option<Vec<u32>>"))]
    pub objects: Vec<u32>,
    /// Paths of the box files among them, in their order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "typescript", ts(optional, as = "Option<Vec<String>>"))]
    pub box_files: Vec<String>,
}

/// What computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "snake_case")]
pub enum Backend {
    /// The processor.
    Cpu,
    /// The graphics card.
    Gpu,
}

impl Backend {
    /// As a record has it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Cpu => "cpu",
            Self::Gpu => "gpu",
        }
    }
}

/// The measuring program, once it is ready.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct MeasureStanding {
    /// What it computes on.
    pub backend: Backend,
    /// The GPU's name; empty on the CPU.
    pub adapter: String,
    /// Why it is the CPU though the GPU was asked for.
    pub fallback: Option<String>,
    /// How the GPU compares with the CPU, where each metric is computed where it is faster; `null` where all are computed
    /// on the backend.
    pub trial: Option<GpuTrial>,
    /// What runs networks, with its version and device, where these are measured: each of its workers computes by itself.
    pub runner: Option<String>,
}

/// How the work is spread.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct MeasureLanes {
    /// Workers to start in addition to the first one.
    pub more: u32,
    /// Pieces that each worker has at once, the first one excepted where that has a GPU.
    pub each: u32,
    /// How the workers feed the GPU of the first one; `null` where all compute on the CPU.
    pub feed: Option<GpuFeed>,
}

/// How workers that decode pairs feed the one with the GPU.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct GpuFeed {
    /// Pairs that are in a decoder or decoded and not yet in a submission, at most: they are what needs memory.
    pub ahead: u32,
    /// Pairs of one submission, at most.
    pub together: u32,
    /// Submissions that the GPU has at once.
    pub submissions: u32,
    /// Metrics that decoders compute although the GPU could.
    pub kept: Vec<String>,
}

/// Pairs that want the same metrics and are measured together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct MeasurePiece {
    /// What it is told by when it comes back.
    pub id: u32,
    /// Metrics that each pair wants.
    pub metrics: Vec<String>,
    /// The pairs.
    pub pairs: Vec<MeasurePair>,
}

/// One metric of one pair, as what measures it says.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct Measured {
    /// Id of the metric.
    pub metric: String,
    /// `null` where there is none; the PSNR of equal pictures is infinite.
    pub value: Option<f64>,
    /// What computed it.
    pub backend: Backend,
    /// Why there is no value.
    pub problem: Option<String>,
    /// Why the CPU stood in for the GPU.
    pub fallback: Option<String>,
    /// The reference's width; 0 where it cannot be read.
    pub width: u32,
    /// The reference's height.
    pub height: u32,
    /// SHA-256 of the reference's file, hex.
    pub reference: String,
    /// SHA-256 of the candidate's file, hex.
    pub candidate: String,
    /// Which network computed it: pack, hash, runner, backend, profile.
    #[serde(default)]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub network: Option<String>,
}

/// What came of one pair.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "snake_case")]
pub enum MeasuredPair {
    /// An entry for each metric.
    Values(Vec<Measured>),
    /// A file could not be read, and why.
    Unreadable(String),
}

/// What came of a piece.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct MeasuredPiece {
    /// Which one.
    pub id: u32,
    /// Its pairs, in their order.
    pub pairs: Vec<MeasuredPair>,
    /// The time that it took, in parts that are summed; none where nobody timed it.
    pub spent: Vec<StageTimes>,
}

/// Why a pair has no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "snake_case")]
pub enum UnmeasuredKind {
    /// One of its files could not be read; starting again tries it again.
    Unreadable,
    /// There is none, which is recorded.
    NoValue,
}

/// A pair that came to no value of a metric.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct Unmeasured {
    /// Of which kind.
    pub kind: UnmeasuredKind,
    /// Why.
    pub message: String,
    /// The pair.
    pub pair: MeasurePair,
    /// Id of the metric.
    pub metric: String,
}

/// The progress of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct MeasureState {
    /// How far it is, in pairs.
    pub progress: JobProgress,
    /// Pairs without a value, the newest last, at most 200.
    pub incidents: Vec<Unmeasured>,
    /// The measuring program; `null` before it is ready.
    pub standing: Option<MeasureStanding>,
    /// Workers that measure; with a GPU those that decode for it.
    pub workers: u32,
    /// Values that came.
    pub values: u32,
    /// Why the CPU stood in for the GPU, with how often.
    pub fallbacks: BTreeMap<String, u32>,
    /// What takes the time; `null` where nothing was timed.
    pub stages: Option<MeasureStages>,
    /// What is computed where; `null` where all is computed on the backend.
    pub places: Option<MeasurePlaces>,
}

/// What a free lane does now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// It measures these and tells what came.
    Measure(MeasurePiece),
    /// It waits until the run goes on or is stopped.
    Wait,
    /// Nothing is left for it.
    Nothing,
}

/// One run over a plan.
#[derive(Clone, Debug)]
pub struct MeasureRun {
    protocol: String,
    pairs: Vec<MeasurePair>,
    sizes: Sizes,
    /// The first pair that was not handed out.
    next: usize,
    /// Pieces that were handed out and have not come back, by their first pair.
    under_way: BTreeMap<usize, Range<usize>>,
    /// When pieces of late came, and how many pairs they had.
    came: VecDeque<(f64, u32)>,
    incidents: VecDeque<Unmeasured>,
    /// The time of all pieces that came.
    spent: StageTimes,
    /// All but what is worked out when it is asked for.
    state: MeasureState,
}

impl MeasureRun {
    /// A run over these pairs; the protocol's id goes into every record.
    pub fn new(protocol: String, pairs: Vec<MeasurePair>, sizes: Sizes) -> Self {
        let progress = JobProgress {
            total: count(pairs.len()),
            ..JobProgress::default()
        };
        Self {
            protocol,
            pairs,
            sizes,
            next: 0,
            under_way: BTreeMap::new(),
            came: VecDeque::new(),
            incidents: VecDeque::new(),
            spent: StageTimes::default(),
            state: MeasureState {
                progress,
                ..MeasureState::default()
            },
        }
    }

    /// The first worker is ready; how many more are started, where the user wants so many in all.
    ///
    /// A GPU has one worker, and so many others decode for it; none is started that would find nothing to do. Where the GPU is not
    /// had, or is none, its worker is one of those that compute.
    pub fn stands(&mut self, standing: MeasureStanding, wanted: u32) -> MeasureLanes {
        let is_gpu_asked = standing.fallback.is_some() || standing.trial.is_some();
        let is_spared = is_gpu_asked && standing.backend == Backend::Cpu;
        let wanted = wanted.max(1).saturating_add(u32::from(is_spared));
        let workers = wanted.min(count(self.pairs.len().div_ceil(PIECE))).max(1);
        let trial = standing.trial.as_ref();
        let places = trial.map(|trial| trial.places(&self.metrics(), workers));
        let kept = places.as_ref().map(|places| places.cpu.clone());
        let (more, feed) = match (standing.backend, &standing.runner) {
            (Backend::Cpu, _) | (_, Some(_)) => (workers - 1, None),
            (Backend::Gpu, None) => {
                let feed = GpuFeed {
                    // One in each decoder, and as many as the next submission takes.
                    ahead: workers + count(PIECE),
                    together: count(PIECE),
                    submissions: SUBMISSIONS,
                    kept: kept.unwrap_or_default(),
                };
                (workers, Some(feed))
            }
        };
        self.state.standing = Some(standing);
        self.state.places = places;
        self.state.workers = workers;
        MeasureLanes {
            more,
            each: LANES,
            feed,
        }
    }

    /// The metrics of all pairs, in the order in which they first occur.
    fn metrics(&self) -> Vec<String> {
        let mut metrics: Vec<String> = Vec::new();
        for metric in self.pairs.iter().flat_map(|pair| &pair.metrics) {
            if !metrics.contains(metric) {
                metrics.push(metric.clone());
            }
        }
        metrics
    }

    /// What a free lane does now.
    pub fn step(&mut self) -> Step {
        if self.is_over() {
            return Step::Nothing;
        }
        if self.state.progress.paused {
            return Step::Wait;
        }
        let from = self.next;
        let Some(first) = self.pairs.get(from) else {
            return Step::Nothing;
        };
        let metrics = first.metrics.clone();
        let same = self.pairs[from..].iter().take(PIECE);
        let pairs: Vec<MeasurePair> = same
            .take_while(|pair| pair.metrics == metrics)
            .cloned()
            .collect();
        self.next += pairs.len();
        self.under_way.insert(from, from..self.next);
        self.count_sent();
        Step::Measure(MeasurePiece {
            id: count(from),
            metrics,
            pairs,
        })
    }

    /// Nothing more is handed out: it was stopped, or has ended.
    fn is_over(&self) -> bool {
        self.state.progress.stopped.is_some() || self.state.progress.finished
    }

    fn count_sent(&mut self) {
        let sent = self.under_way.values().map(Range::len).sum();
        self.state.progress.sent = count(sent);
    }

    /// What came of a piece at this time, in milliseconds of any clock that only runs forward; the records that it makes.
    ///
    /// What is told twice, or after the end, makes none.
    pub fn came(&mut self, piece: MeasuredPiece, now_ms: f64) -> Vec<Measure> {
        let Some(places) = self.under_way.remove(&(piece.id as usize)) else {
            return Vec::new();
        };
        self.count_sent();
        for part in &piece.spent {
            self.spent.add(part);
        }
        let pairs = self.pairs[places].to_vec();
        let mut records = Vec::new();
        let mut unreadable = Vec::new();
        let mut measured = 0;
        for (pair, came) in pairs.iter().zip(piece.pairs) {
            match came {
                MeasuredPair::Unreadable(why) => unreadable.push((pair, why)),
                MeasuredPair::Values(values) => {
                    measured += u32::from(values.iter().any(|one| one.value.is_some()));
                    records.extend(values.into_iter().map(|one| self.record(pair, one)));
                }
            }
        }
        for (pair, why) in unreadable {
            for metric in &pair.metrics {
                let message = format!("The file cannot be read: {why}");
                self.miss(UnmeasuredKind::Unreadable, message, pair, metric);
            }
        }
        let all = count(pairs.len());
        self.state.progress.answered += measured;
        self.state.progress.failed += all - measured;
        self.came.push_back((now_ms, all));
        records
    }

    fn record(&mut self, pair: &MeasurePair, one: Measured) -> Measure {
        if let Some(problem) = &one.problem {
            self.miss(UnmeasuredKind::NoValue, problem.clone(), pair, &one.metric);
        }
        if let Some(reason) = one.fallback {
            *self.state.fallbacks.entry(reason).or_default() += 1;
        }
        self.state.values += u32::from(one.value.is_some());
        Measure {
            format: FORMAT.to_owned(),
            protocol: self.protocol.clone(),
            model: pair.model.clone(),
            sample: pair.sample.clone(),
            turn: pair.turn,
            metric: one.metric,
            against: pair.against.clone(),
            number: pair.number,
            sizes: self.sizes,
            value: one.value,
            problem: one.problem,
            backend: one.backend.name().to_owned(),
            width: one.width,
            height: one.height,
            output: one.candidate,
            counterpart: one.reference,
            network: one.network,
        }
    }

    fn miss(&mut self, kind: UnmeasuredKind, message: String, pair: &MeasurePair, metric: &str) {
        self.incidents.push_back(Unmeasured {
            kind,
            message,
            pair: pair.clone(),
            metric: metric.to_owned(),
        });
        if self.incidents.len() > MAX_INCIDENTS {
            self.incidents.pop_front();
        }
    }

    /// What is under way is finished; nothing more is begun.
    pub fn pause(&mut self) {
        if self.state.progress.finished {
            return;
        }
        self.state.progress.paused = true;
        // The pause is no time in which pairs were slow.
        self.came.clear();
    }

    /// It goes on.
    pub fn resume(&mut self) {
        self.state.progress.paused = false;
    }

    /// Stops it; what is measured stays measured.
    pub fn cancel(&mut self) {
        if !self.is_over() {
            self.state.progress.stopped = Some(STOPPED.to_owned());
        }
    }

    /// All lanes have ended, or what measures has stopped, and why; what was under way then never comes.
    pub fn end(&mut self, why: Option<String>) {
        let progress = &mut self.state.progress;
        progress.stopped = progress.stopped.take().or(why);
        progress.finished = true;
        progress.paused = false;
        progress.sent = 0;
        self.under_way.clear();
    }

    /// Its progress at this time.
    pub fn state(&mut self, now_ms: f64) -> MeasureState {
        while self.came.len() > 2
            && self
                .came
                .front()
                .is_some_and(|(at, _)| now_ms - at > RATE_MS)
        {
            self.came.pop_front();
        }
        let mut state = self.state.clone();
        let progress = &mut state.progress;
        progress.per_minute = self.per_minute(now_ms);
        let left = progress.total - progress.answered - progress.failed;
        progress.secs_left =
            (progress.per_minute > 0.0).then(|| f64::from(left) / progress.per_minute * 60.0);
        state.incidents = self.incidents.iter().cloned().collect();
        state.stages = self.spent.stages(state.workers);
        state
    }

    /// Pairs a minute since the first piece of late; that one began before it.
    fn per_minute(&self, now_ms: f64) -> f64 {
        let since = self.came.front().map_or(0.0, |(at, _)| now_ms - at);
        if since <= 0.0 {
            return 0.0;
        }
        let pairs: u32 = self.came.iter().skip(1).map(|(_, pairs)| pairs).sum();
        f64::from(pairs) / since * MINUTE_MS
    }
}

fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests;
