//! Completes MultiRef's conditions from files made elsewhere (depth maps, sketches, masks, boxes, poses, features), and by
//! networks that the user opens.

use juror_reading::count::counted;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::Context as _;
use juror_judging::journal::{self, Record};
use juror_metrics::Metric;
use juror_session::conditions::{ConditionPair, ConditionValue};

use crate::host::Host;
use crate::metric;
use crate::networks::{NetworkArgs, Opened};
use crate::print;
use crate::say;

/// What to complete.
#[derive(Debug, clap::Args)]
pub(crate) struct ConditionsArgs {
    /// Benchmark and model folders, in any order, with `MODEL/depth/SAMPLE.png` and the like among their files.
    #[arg(required = true)]
    dirs: Vec<PathBuf>,
    /// Journals, ratings and measured values to be read too.
    #[arg(long)]
    replies: Vec<PathBuf>,
    /// File to write; stdout if not given.
    #[arg(long)]
    out: Option<PathBuf>,
    /// Networks that stand in for missing files.
    #[command(flatten)]
    networks: NetworkArgs,
}

/// Writes the values as a journal, which counts as replies of the authors' evaluator wherever it is opened.
pub(crate) fn run(args: &ConditionsArgs) -> anyhow::Result<ExitCode> {
    let mut host = Host::with_replies(&args.dirs, &args.replies)?;
    let mut networks = Opened::open(&args.networks)?;
    let (records, num_failed) = complete(&mut host, &mut networks);
    let text = journal::write(&records);
    match &args.out {
        Some(path) => {
            std::fs::write(path, text)
                .with_context(|| format!("cannot write {}", path.display()))?;
        }
        None => print(&text)?,
    }
    Ok(ExitCode::from(u8::from(num_failed > 0)))
}

/// Computes what can be computed and gives it to the session; says what could not.
pub(crate) fn add(host: &mut Host, networks: &mut Opened) {
    let (records, _) = complete(host, networks);
    juror_session::add_records(&mut host.session, records);
}

fn complete(host: &mut Host, networks: &mut Opened) -> (Vec<Record>, usize) {
    let plan = juror_session::condition_plan(&host.session.linked());
    let by_networks = networks.complete(host, &plan.networks);
    let found = on_all_cores(host, &plan.pairs);
    let mut values = Vec::new();
    let mut num_failed = by_networks.num_failed;
    for (pair, value) in plan.pairs.iter().zip(found) {
        match value {
            Ok(value) => values.push(ConditionValue {
                pair: pair.clone(),
                value,
            }),
            Err(problem) => {
                num_failed += 1;
                let ConditionPair {
                    model,
                    sample,
                    criterion,
                    ..
                } = pair;
                say(&format!(
                    "juror: {criterion} of {model}, {sample}: {problem}"
                ));
            }
        }
    }
    say(&format!(
        "juror: computed {} of conditions from files; {} there already, {num_failed} failed",
        counted(values.len(), "value", "values"),
        counted(plan.done, "value was", "values were")
    ));
    if !by_networks.values.is_empty() {
        say(&format!(
            "juror: computed {} values of conditions by networks",
            by_networks.values.len()
        ));
    }
    let missing = plan.missing_words(&by_networks.values);
    if !missing.is_empty() {
        say(&format!("juror: {missing}"));
    }
    let mut records = juror_session::condition_records(&host.session, &values, "");
    records.extend(juror_session::network_records(
        &host.session,
        &by_networks.values,
        "",
    ));
    (records, num_failed)
}

/// Pairs are dealt out one by one; the values come in the order of the pairs.
fn on_all_cores(host: &Host, pairs: &[ConditionPair]) -> Vec<Result<f64, String>> {
    let next = AtomicUsize::new(0);
    let empty = || Err("It was not computed.".to_owned());
    let found = Mutex::new(pairs.iter().map(|_| empty()).collect::<Vec<_>>());
    let work = || {
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(pair) = pairs.get(at) else { return };
            let value = value(host, pair).map_err(|error| format!("{error:#}"));
            if let Ok(mut found) = found.lock() {
                found[at] = value;
            }
        }
    };
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..cores.min(pairs.len()) {
            scope.spawn(work);
        }
    });
    found.into_inner().unwrap_or_default()
}

fn value(host: &Host, pair: &ConditionPair) -> anyhow::Result<f64> {
    let metric = Metric::from_id(&pair.metric)?;
    let path = |file| host.path(file).context("the file is no longer listed");
    let value = metric::value(metric, path(pair.reference)?, path(pair.candidate)?)?;
    anyhow::ensure!(value.is_finite(), "the value is not a finite number");
    Ok(value)
}
