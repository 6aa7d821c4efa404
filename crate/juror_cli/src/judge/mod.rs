//! `juror judge`: the requests of a benchmark are sent to a service, and each reply is written to a journal before it counts.
//!
//! What is sent when is the job's (`juror_judging::job`), what a record says `juror_session::recording`'s, as on the page.

use std::collections::HashSet;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context as _, bail, ensure};
use clap::{Args, ValueEnum};
use juror_judging::job::JobLimits;
use juror_judging::journal::Record;
use juror_judging::provider;
use juror_model::judge::{JudgePreset, Params, Wire};
use juror_model::options::ScoreOptions;
use juror_reading::count::counted;
use juror_session::view::{JobPlan, JobScope, Overview, SampleQuery, Which};

use crate::host::Host;
use crate::sending::{PaceArgs, TokenArgs, address, check_many, kept, key, warn_of_http};
use crate::{PerArgs, batch, say, tell_in_short};

mod body;
mod ended;
mod work;

pub(crate) use self::body::with as with_pictures;

/// A rough rule for English text.
pub(crate) const CHARS_PER_TOKEN: f64 = 4.0;

/// Whom to ask what, and within which bounds.
#[derive(Debug, Args)]
pub(crate) struct JudgeArgs {
    /// Benchmark and model folders, in any order; journals in them count as answered.
    #[arg(required = true)]
    dirs: Vec<PathBuf>,
    /// Journal that every reply is appended to. A journal that is there is gone on with: what it has answered is not sent again.
    #[arg(long, value_name = "JOURNAL")]
    out: PathBuf,
    /// The authors' repository or prompt files, or the micon-specific.json that `juror make micon` writes; the built-in
    /// wording otherwise.
    #[arg(long)]
    prompts: Option<PathBuf>,
    /// Whom to ask.
    #[command(flatten)]
    service: ServiceArgs,
    /// What to ask.
    #[command(flatten)]
    scope: ScopeArgs,
    /// Within which bounds.
    #[command(flatten)]
    limits: LimitArgs,
    /// Send nothing: print how many requests, pictures and tokens it would be, what they cost at the prices given, and the size
    /// of the first request.
    #[arg(long, conflicts_with_all = ["test", "yes"])]
    dry_run: bool,
    /// Send one request, print its reply and what was read of it, and keep it.
    #[arg(long)]
    test: bool,
    /// Send also more than 200 requests.
    #[arg(long)]
    yes: bool,
}

#[derive(Debug, Args)]
struct ServiceArgs {
    /// How the service is spoken to.
    #[arg(long, value_enum)]
    wire: WireArg,
    /// Address of the service, such as `http://localhost:8000/v1`; the provider's own if not given.
    #[arg(long, value_name = "URL", default_value = "")]
    base: String,
    /// The service's name of the model; that of --judge, if the benchmark names such a judge.
    #[arg(long, visible_alias = "judge-model", value_name = "NAME")]
    model: Option<String>,
    /// Judge id, under which replies are filed; one that the benchmark names brings its model and parameters along. The model's
    /// name if not given.
    #[arg(long, value_name = "NAME")]
    judge: Option<String>,
    /// Environment variable that holds the key; none for no key. The provider's usual one if not given (`OPENAI_API_KEY`,
    /// `ANTHROPIC_API_KEY`, `GEMINI_API_KEY` or `GOOGLE_API_KEY`); a service on this machine needs none.
    #[arg(long, value_name = "VARIABLE")]
    key_env: Option<String>,
    #[command(flatten)]
    params: batch::ParamArgs,
    /// Tell the service to give JSON and nothing else. Changes the protocol, as the authors' judges were free to think aloud.
    #[arg(long)]
    json_only: bool,
}

#[derive(Debug, Args)]
struct ScopeArgs {
    /// Only about this model's outputs; may be given several times.
    #[arg(long, value_name = "MODEL")]
    only: Vec<String>,
    /// Only this kind of request; may be given several times.
    #[arg(long, value_name = "KIND")]
    criterion: Vec<String>,
    /// Only samples that pass this filter, as in the page's sample list: "task:add incident:missing".
    #[arg(long, value_name = "EXPRESSION", default_value = "")]
    filter: String,
    #[command(flatten)]
    per: PerArgs,
    /// Which requests.
    #[arg(long, value_enum, default_value = "open")]
    which: WhichArg,
    /// Repeats of each request.
    #[arg(long, default_value = "1", value_parser = clap::value_parser!(u32).range(1..=100))]
    runs: u32,
    /// No more than so many requests, the first ones.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    limit: Option<u32>,
    /// So many requests that were judged are asked again first, only to be compared: always the same ones.
    #[arg(long, value_name = "N", default_value = "0")]
    anchors: u32,
}

#[derive(Debug, Args)]
struct LimitArgs {
    #[command(flatten)]
    pace: PaceArgs,
    /// Spend at most so much in this run, in the currency of the prices. Exact where replies have a largest length (--max-tokens).
    #[arg(
        long,
        value_name = "AMOUNT",
        requires = "input_price",
        requires = "output_price"
    )]
    budget: Option<f64>,
    #[command(flatten)]
    tokens: TokenArgs,
}

/// A judge's wire.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum WireArg {
    /// Chat completions: OpenAI, OpenRouter, vLLM, LM Studio, Ollama and others by their address.
    Openai,
    /// Anthropic's messages.
    Anthropic,
    /// Gemini's generateContent.
    Gemini,
}

impl From<WireArg> for Wire {
    fn from(arg: WireArg) -> Self {
        match arg {
            WireArg::Openai => Self::OpenAi,
            WireArg::Anthropic => Self::Anthropic,
            WireArg::Gemini => Self::Gemini,
        }
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum WhichArg {
    /// Those that this judge has not answered, and those whose call failed.
    Open,
    /// Of these, those that no other judge has answered either.
    Unjudged,
    /// Those whose call failed.
    Failed,
    /// Those whose reply cannot be read.
    Unparsable,
}

impl From<WhichArg> for Which {
    fn from(arg: WhichArg) -> Self {
        match arg {
            WhichArg::Open => Self::Open,
            WhichArg::Unjudged => Self::Unjudged,
            WhichArg::Failed => Self::Failed,
            WhichArg::Unparsable => Self::Unparsable,
        }
    }
}

/// What is asked of whom.
#[derive(Clone)]
struct Order {
    wire: Wire,
    url: String,
    params: Params,
    limits: JobLimits,
    scope: JobScope,
    /// Samples that are meant; all if `None`.
    samples: Option<HashSet<String>>,
}

impl Order {
    /// What of the scope is to be sent.
    fn plan(&self, host: &mut Host, which: Which) -> JobPlan {
        let scope = JobScope {
            which,
            ..self.scope.clone()
        };
        let is_meant = |id: &str| self.samples.as_ref().is_none_or(|ids| ids.contains(id));
        juror_session::plan_part(&host.session.linked(), &scope, &is_meant)
    }
}

/// Carries a judging job out.
pub(crate) fn run(args: &JudgeArgs) -> anyhow::Result<ExitCode> {
    let mut host = Host::with_prompts(&args.dirs, args.prompts.as_ref())?;
    tell_in_short(&mut host);
    let overview = juror_session::overview(&host.session.study(&ScoreOptions::default()));
    let order = order(&mut host, &overview, args)?;
    let found = kept::look::<Record>(&args.out)?;
    check_benchmark(&host, args, &found)?;
    juror_session::add_records(&mut host.session, found.records.clone());
    let mut plan = order.plan(&mut host, order.scope.which);
    if args.scope.anchors > 0 && !args.test {
        let scope = &order.scope;
        let mut tasks =
            juror_session::plan_anchors(&host.session.linked(), scope, args.scope.anchors);
        tasks.append(&mut plan.tasks);
        plan.tasks = tasks;
    }
    tell_plan(&overview, &order, &plan);
    if args.dry_run {
        body::tell_first(&mut host, &order, &plan.tasks)?;
        return Ok(ExitCode::SUCCESS);
    }
    if plan.tasks.is_empty() {
        say("juror: there is nothing to ask.");
        return Ok(ended::told(&mut host, &order, &[]));
    }
    check_many(plan.tasks.len(), args.yes)?;
    let key = key::find(
        order.wire,
        &order.url,
        (args.service.key_env.as_deref(), "--key-env"),
    )?;
    warn_of_http(&key, &order.url);
    let journal = kept::Journal::open(&args.out, &found)?;
    let is_whole = work::run(&mut host, &order, plan.tasks.clone(), key, journal)?;
    if args.test {
        ended::print_replies(&mut host, &order, &plan.tasks)?;
    }
    let code = ended::told(&mut host, &order, &plan.tasks);
    Ok(crate::strictly(code, true, is_whole))
}

/// Whom to ask what, checked against what is open.
fn order(host: &mut Host, overview: &Overview, args: &JudgeArgs) -> anyhow::Result<Order> {
    let info = overview.benchmark.as_ref();
    let protocol = &info
        .context("no benchmark was found; see juror inspect")?
        .protocol;
    let wire = Wire::from(args.service.wire);
    let (judge, params) = judge(protocol, wire, &args.service)?;
    let known = |asked: &[String], known: Vec<&str>, what: &str| {
        let absent = asked.iter().find(|name| !known.contains(&name.as_str()));
        match absent {
            None => Ok(()),
            Some(name) => Err(anyhow::anyhow!(
                "there is no {what} {name}; found: {}",
                known.join(", ")
            )),
        }
    };
    let ScopeArgs {
        only, criterion, ..
    } = &args.scope;
    let models = overview.models.iter().map(|model| model.name.as_str());
    known(only, models.collect(), "model")?;
    let requests = overview.requests.iter().map(|request| request.id.as_str());
    known(criterion, requests.collect(), "kind of request")?;
    let scope = JobScope {
        judge,
        models: only.clone(),
        criteria: criterion.clone(),
        runs: args.scope.runs,
        which: args.scope.which.into(),
        subset: None,
        limit: args.test.then_some(1).or(args.scope.limit),
    };
    let order = Order {
        wire,
        url: provider::url(wire, &args.service.base, &params.model),
        limits: limits(&args.limits, wire, &params),
        params,
        scope,
        samples: samples(host, &args.scope)?,
    };
    if args.service.json_only {
        let is_json = order.plan(host, order.scope.which).is_json;
        return with_json_only(order, is_json);
    }
    Ok(order)
}

/// The judge's id with its parameters: as the page has them of the same entries.
fn judge(protocol: &str, wire: Wire, args: &ServiceArgs) -> anyhow::Result<(String, Params)> {
    let known = (juror_protocols::registry::ALL.iter()).find(|known| known.id() == protocol);
    let named = batch::JudgeArgs {
        judge: args.judge.clone().or_else(|| args.model.clone()),
        judge_model: args.model.clone(),
        params: args.params.clone(),
    };
    ensure!(
        named.judge.is_some(),
        "name the model by --model, or a judge of the benchmark's own by --judge"
    );
    let is_usual = |_: &JudgePreset| false;
    let (judge, params) = batch::judge(known.copied(), wire, &is_usual, &named)?;
    params.check(wire).map_err(anyhow::Error::msg)?;
    batch::tell_temperature(wire, &params);
    Ok((judge, params))
}

/// The same order with a service that gives JSON only.
fn with_json_only(mut order: Order, is_json: bool) -> anyhow::Result<Order> {
    ensure!(
        is_json,
        "--json-only does not fit: these replies are not to be JSON"
    );
    let (name, value) = match order.wire {
        Wire::OpenAi => (
            "response_format",
            serde_json::json!({"type": "json_object"}),
        ),
        Wire::Gemini => ("responseMimeType", "application/json".into()),
        Wire::Anthropic => bail!("--json-only does not fit: the anthropic wire has no such option"),
    };
    (order.params.extra.entry(name)).or_insert(value);
    Ok(order)
}

fn limits(args: &LimitArgs, wire: Wire, params: &Params) -> JobLimits {
    JobLimits {
        concurrency: args.pace.concurrency,
        per_minute: args.pace.per_minute,
        max_attempts: args.pace.max_attempts,
        timeout_secs: args.pace.timeout,
        stop_after: args.pace.stop_after,
        input_price: args.tokens.input_price,
        output_price: args.tokens.output_price,
        picture_price: None,
        picture_tokens: args.tokens.picture_tokens,
        reply_tokens: args.tokens.reply_tokens,
        max_reply_tokens: provider::most_reply_tokens(wire, params),
        budget: args.budget,
    }
}

/// The samples that a filter lets through; `None` without one.
fn samples(host: &mut Host, args: &ScopeArgs) -> anyhow::Result<Option<HashSet<String>>> {
    let filter = args.per.within(&args.filter)?;
    if filter.trim().is_empty() {
        return Ok(None);
    }
    if args.only.is_empty() && args.filter.contains("model:") {
        say(
            "juror: --filter chooses samples, and every model is asked about them; --only MODEL asks about one model.",
        );
    }
    let query = SampleQuery {
        q: filter,
        ..SampleQuery::default()
    };
    let list = juror_session::samples(&host.session.study(&query.options), &query);
    if let Some(fault) = list.fault {
        bail!("--filter or --per: {} {}", fault.message, fault.hint);
    }
    Ok(Some(list.rows.into_iter().map(|row| row.id).collect()))
}

/// A journal of another benchmark is not mixed with this one.
fn check_benchmark(
    host: &Host,
    args: &JudgeArgs,
    found: &kept::Found<Record>,
) -> anyhow::Result<()> {
    let protocol = juror_session::record_head(&host.session).protocol;
    let other = found
        .records
        .iter()
        .find(|record| record.protocol != protocol);
    match other {
        None => Ok(()),
        Some(record) => bail!(
            "{} holds replies to {}, and this benchmark is {protocol}: name another file by --out",
            args.out.display(),
            record.protocol
        ),
    }
}

/// Says what is going to be sent to whom.
fn tell_plan(overview: &Overview, order: &Order, plan: &JobPlan) {
    let requests = u32::try_from(plan.tasks.len()).unwrap_or(u32::MAX);
    let limits = &order.limits;
    let input =
        plan.text_chars / CHARS_PER_TOKEN + f64::from(plan.pictures) * limits.picture_tokens;
    let output = f64::from(requests) * limits.reply_tokens;
    let cost = match (limits.input_price, limits.output_price) {
        (None, None) => "no prices were given".to_owned(),
        (input_price, output_price) => {
            let cost = input * input_price.unwrap_or(0.0) + output * output_price.unwrap_or(0.0);
            format!("about {:.4} at the prices given", cost / 1e6)
        }
    };
    say(&format!(
        "juror: {} with {} to {} at {}, filed under {}: about {input:.0} input and {output:.0} output tokens, {cost}",
        counted(requests, "request", "requests"),
        counted(plan.pictures, "picture", "pictures"),
        order.params.model,
        address::host(&order.url),
        order.scope.judge,
    ));
    let packs = overview.packs.iter().zip(&overview.pack_words);
    let used = packs.filter(|(pack, _)| pack.sha256 == overview.pack.sha256);
    for (_, words) in used.take(1) {
        say(&format!("juror: judge texts: {words}"));
    }
    let rest = [
        (plan.answered, "answered already"),
        (plan.without_output, "without an output that can be judged"),
        (plan.not_asked, "not asked of a judge"),
    ];
    let rest: Vec<String> = (rest.iter().filter(|(count, _)| *count > 0))
        .map(|(count, what)| format!("{count} {what}"))
        .collect();
    if !rest.is_empty() {
        say(&format!("juror: not among them: {}", rest.join(", ")));
    }
    for (judge, count) in &plan.by_others {
        if !judge.is_empty() && order.scope.which == Which::Open {
            say(&format!(
                "juror: {judge} has answered {count} of these requests; --which unjudged asks only the others"
            ));
        }
    }
}
