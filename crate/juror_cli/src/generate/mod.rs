//! `juror generate`: what a generator is given is sent to a service, and its pictures become a model's outputs in the authors'
//! layout.
//!
//! What is sent is what `juror inputs` writes. What is sent when is the job's (`juror_judging::job`), what a record says
//! `juror_judging::generating`'s.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context as _, bail, ensure};
use clap::{Args, ValueEnum};
use juror_judging::generating::{FORMAT, Record, State};
use juror_judging::job::{Job, JobLimits};
use juror_judging::keys::without_keys;
use juror_judging::provider::{PictureWire, auth, most_reply_tokens, picture_auth, picture_url};
use juror_judging::spending::Priced;
use juror_model::experiment::{FactorLevel, Variant};
use juror_model::judge::Params;
use juror_reading::count::counted;
use juror_session::input_folder::{InputGap, InputGaps, InputQuery};
use juror_session::view::SampleQuery;

use self::batched::{BatchArgs, Results};
use self::given::Given;
pub(crate) use self::given::wire_of;
use self::lists::Lists;
use self::plan::{Kind, Plan, Task};
use self::work::{Generating, Outputs, address_of};
use crate::host::Host;
use crate::inputs::Levels;
use crate::sending::call::{Caller, Service};
use crate::sending::files;
use crate::sending::kept::{self, Journal};
use crate::sending::pace::{self, Run};
use crate::sending::{PaceArgs, TokenArgs, address, check_many, key, warn_of_http};
use crate::{PerArgs, batch, inputs, print, say, tell_in_short};

mod batched;
mod fitted;
mod given;
mod lists;
mod plan;
mod work;

/// Which pictures to ask for, of whom, and within which bounds.
#[derive(Debug, Args)]
pub(crate) struct GenerateArgs {
    /// The benchmark's folder, and others that its pictures are in.
    #[arg(required = true)]
    dirs: Vec<PathBuf>,
    /// Folder in which the model's folder is made. What the journal next to it says was made is not asked for again.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Model name under which the pictures are filed; the service's name of the model if not given.
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    #[command(flatten)]
    service: ServiceArgs,
    #[command(flatten)]
    scope: ScopeArgs,
    #[command(flatten)]
    texts: TextArgs,
    #[command(flatten)]
    batch: BatchArgs,
    #[command(flatten)]
    limits: LimitArgs,
    /// Send nothing: print how many requests and pictures it would be, what they cost at the price given, and the size of the
    /// first request.
    #[arg(long, conflicts_with_all = ["test", "yes"])]
    dry_run: bool,
    /// Send one request, print its record, and keep the picture.
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
    /// The service's name of the model.
    #[arg(long, value_name = "NAME")]
    model: String,
    /// Environment variable that holds the key; none for no key. The provider's usual one if not given (`OPENAI_API_KEY`,
    /// `GEMINI_API_KEY` or `GOOGLE_API_KEY`); a service on this machine needs none.
    #[arg(long, value_name = "VARIABLE")]
    key_env: Option<String>,
    #[command(flatten)]
    params: batch::ParamArgs,
}

#[derive(Debug, Args)]
struct ScopeArgs {
    /// A level of a factor, which the requests are written on and the folder is named after; a wrong name lists what there is.
    #[arg(long, value_name = "FACTOR=LEVEL")]
    vary: Option<Levels>,
    /// What follows where a picture fails that later turns of its dialogue would be shown.
    #[arg(long, value_enum, default_value = "stop")]
    on_failure: OnFailure,
    /// Only samples that pass this filter, as in the page's sample list: "task:add".
    #[arg(long, value_name = "EXPRESSION", default_value = "")]
    filter: String,
    #[command(flatten)]
    per: PerArgs,
    /// Send again what the service declined, and what answers another request than the one of now: its picture is replaced.
    #[arg(long)]
    again: bool,
    /// No more than so many requests, the first ones.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    limit: Option<u32>,
}

/// Turns whose answer is a text: chat calls of the same service, with the pictures in them.
#[derive(Debug, Args)]
struct TextArgs {
    /// Which turns are asked for, by what their answer is.
    #[arg(long, value_enum, default_value = "pictures")]
    turns: Turns,
    /// The service's name of the model that answers in text; that of --model if not given.
    #[arg(long, value_name = "NAME")]
    text_model: Option<String>,
    /// Most tokens of a text; 1024 if not given, as the authors of WEAVEBench have it.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    text_max_tokens: Option<u32>,
    /// More parameters of calls for texts by the service's names, as a JSON object.
    #[arg(long, value_name = "JSON")]
    text_extra: Option<String>,
    #[command(flatten)]
    tokens: TokenArgs,
}

/// Turns by what their answer is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Turns {
    /// Those that ask for a picture.
    Pictures,
    /// Those that ask for a text.
    Texts,
    /// Both.
    All,
}

impl Turns {
    /// Whether those of a kind are asked for.
    fn have(self, kind: Kind) -> bool {
        match self {
            Self::Pictures => kind == Kind::Picture,
            Self::Texts => kind == Kind::Text,
            Self::All => true,
        }
    }
}

#[derive(Debug, Args)]
struct LimitArgs {
    #[command(flatten)]
    pace: PaceArgs,
    /// Spend at most so much in this run, in the currency of the prices, of which there must be one for whatever is asked for.
    #[arg(long, value_name = "AMOUNT")]
    budget: Option<f64>,
    /// Price of a picture; an answer without one counts as well, as services may charge for it.
    #[arg(long, value_name = "PRICE")]
    picture_price: Option<f64>,
}

/// A generator's wire.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum WireArg {
    /// Images as OpenAI has them: generations, and edits where pictures go along.
    Openai,
    /// Gemini's generateContent with pictures in the answer.
    Gemini,
}

impl From<WireArg> for PictureWire {
    fn from(arg: WireArg) -> Self {
        match arg {
            WireArg::Openai => Self::OpenAi,
            WireArg::Gemini => Self::Gemini,
        }
    }
}

/// What follows on a picture that failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum OnFailure {
    /// Its dialogue stops.
    Stop,
    /// The data set's picture takes its place, and what is made with it is marked as leaked.
    Golden,
}

/// The most tokens of a text, as the authors of WEAVEBench let their models write.
const TEXT_TOKENS: u32 = 1024;

/// Pictures and texts by name, each with a reason.
type Reasons = Vec<(String, String)>;

/// What is asked of whom.
struct Order {
    wire: PictureWire,
    base: String,
    params: Params,
    turns: Turns,
    /// The parameters of calls for texts.
    text_params: Params,
    limits: JobLimits,
    /// The model's folder.
    folder: PathBuf,
    level: Option<FactorLevel>,
    /// Whether later turns are shown the model's own pictures.
    is_own: bool,
    on_failure: OnFailure,
    is_again: bool,
    limit: Option<usize>,
}

impl Order {
    /// The address that requests without pictures go to.
    fn url(&self) -> String {
        picture_url(self.wire, &self.base, &self.params.model, 0)
    }

    /// The parameters of calls for pictures or for texts.
    fn params_of(&self, kind: Kind) -> &Params {
        match kind {
            Kind::Picture => &self.params,
            Kind::Text => &self.text_params,
        }
    }

    /// Whether a picture that failed ends its dialogue.
    fn stops(&self) -> bool {
        self.is_own && self.on_failure == OnFailure::Stop
    }

    /// The journal next to the model's folder.
    fn journal(&self) -> PathBuf {
        let mut name = self.folder.as_os_str().to_owned();
        name.push(".generate.jsonl");
        name.into()
    }
}

/// Why a turn is not asked for.
fn stopped_at(task: &Task) -> String {
    format!(
        "its dialogue stopped at turn {}: --on-failure golden goes on with the data set's picture",
        task.key.turn + 1
    )
}

/// Carries a generator's job out.
pub(crate) fn run(args: &GenerateArgs) -> anyhow::Result<ExitCode> {
    let mut host = Host::open(&args.dirs, &[])?;
    tell_in_short(&mut host);
    let (order, query) = order(&mut host, args)?;
    let found = kept::look::<Record>(&order.journal())?;
    let head = check_journal(&host, &order, &query.model, &found.records)?;
    let mut records = found.records.clone();
    let journal = if args.dry_run {
        None
    } else {
        std::fs::create_dir_all(&args.out)
            .with_context(|| format!("cannot make {}", args.out.display()))?;
        let mut journal = Journal::open(&order.journal(), &found)?;
        finish_received(&order, &mut records, &mut journal)?;
        Some(journal)
    };
    open_outputs(&mut host, &order, &query.model)?;
    let mut plan = Plan::new(&mut host, &order, &query, &records)?;
    if args.batch.replies.is_empty() {
        tell_plan(&order, &plan, &query.model);
    }
    tell_gaps(std::mem::take(&mut plan.gaps));
    check_changed(&order, &plan)?;
    let Some(journal) = journal else {
        tell_first(&mut host, &order, &plan)?;
        return Ok(ExitCode::SUCCESS);
    };
    let lists = Lists::of(&mut host, &order.folder);
    lists.write_all(&mut host)?;
    if let Some(out) = &args.batch.batch {
        let mut lacking = batched::write(&mut host, &order, &plan, (&head, out))?;
        lacking.splice(..0, plan.lacking);
        return Ok(tell_missing(&lacking));
    }
    if !args.batch.replies.is_empty() {
        let known = (&args.batch.replies[..], &records[..]);
        return take_in(&mut host, &order, plan, head, (journal, lists), known);
    }
    check_many(plan.requests(), args.yes)?;
    if plan.requests() == 0 {
        say("juror: there is nothing to ask.");
        return Ok(tell_missing(&plan.lacking));
    }
    let url = order.url();
    let key = key::find(
        wire_of(order.wire),
        &url,
        (args.service.key_env.as_deref(), "--key-env"),
    )?;
    warn_of_http(&key, &url);
    let mut lacking = std::mem::take(&mut plan.lacking);
    let ended = carry_out(&mut host, &order, plan, (head, key), (journal, lists))?;
    if let Some(last) = ended.last.filter(|_| args.test) {
        print(&(serde_json::to_string_pretty(&last)? + "\n"))?;
    }
    let missing = ended.missing.into_iter();
    lacking.extend(missing.map(|(task, why)| (task.name(), why)));
    Ok(tell_missing(&lacking))
}

/// Whom to ask what, checked against what is open.
fn order(host: &mut Host, args: &GenerateArgs) -> anyhow::Result<(Order, InputQuery)> {
    let wire = PictureWire::from(args.service.wire);
    let params = args.service.params.of(&args.service.model)?;
    wire.check(&params).map_err(anyhow::Error::msg)?;
    let text_params = text_params(args)?;
    check_prices(args)?;
    ensure!(
        wire == PictureWire::Gemini || (params.temperature, params.max_tokens) == (None, None),
        "--temperature and --max-tokens do not fit: images of the openai wire have neither"
    );
    let vary: Vec<Levels> = args.scope.vary.iter().cloned().collect();
    let levels = inputs::levels(host, &vary)?;
    ensure!(
        levels.len() < 2,
        "--vary takes one level here, as each is a model of its own: run the command once for each"
    );
    let level = levels.first().cloned();
    let variant = Variant {
        base: base_name(args)?,
        levels: (level.iter())
            .map(|one| (one.factor.clone(), one.level.clone()))
            .collect(),
    };
    let limit = if args.test { Some(1) } else { args.scope.limit };
    let order = Order {
        wire,
        base: args.service.base.clone(),
        params,
        limits: limits(args, &text_params),
        turns: args.texts.turns,
        text_params,
        folder: args.out.join(variant.name()),
        is_own: juror_session::shows_own_outputs(&host.session, level.as_ref()),
        level,
        on_failure: args.scope.on_failure,
        is_again: args.scope.again,
        limit: limit.and_then(|limit| usize::try_from(limit).ok()),
    };
    let query = InputQuery {
        samples: SampleQuery {
            q: args.scope.per.within(&args.scope.filter)?,
            ..SampleQuery::default()
        },
        model: variant.name(),
        levels,
    };
    Ok((order, query))
}

/// The parameters of calls for texts.
fn text_params(args: &GenerateArgs) -> anyhow::Result<Params> {
    let TextArgs {
        turns,
        text_model,
        text_max_tokens,
        text_extra,
        ..
    } = &args.texts;
    let is_given = text_model.is_some() || text_max_tokens.is_some() || text_extra.is_some();
    ensure!(
        turns.have(Kind::Text) || !is_given,
        "--text-model, --text-max-tokens and --text-extra are for turns that ask for a text: add --turns all, or --turns texts for those only"
    );
    let params = Params {
        model: text_model.as_ref().unwrap_or(&args.service.model).clone(),
        temperature: None,
        max_tokens: Some(text_max_tokens.unwrap_or(TEXT_TOKENS)),
        extra: serde_json::from_str(text_extra.as_deref().unwrap_or("{}"))
            .context("--text-extra is not a JSON object")?,
    };
    let wire = wire_of(args.service.wire.into());
    params.check(wire).map_err(anyhow::Error::msg)?;
    Ok(params)
}

/// A budget needs a price of all that is asked for.
fn check_prices(args: &GenerateArgs) -> anyhow::Result<()> {
    let TextArgs { turns, tokens, .. } = &args.texts;
    if args.limits.budget.is_none() {
        return Ok(());
    }
    ensure!(
        !turns.have(Kind::Picture) || args.limits.picture_price.is_some(),
        "--budget needs the price of a picture: add --picture-price"
    );
    ensure!(
        !turns.have(Kind::Text) || tokens.input_price.is_some() || tokens.output_price.is_some(),
        "--budget needs the price of texts: add --input-price and --output-price"
    );
    Ok(())
}

fn limits(args: &GenerateArgs, text_params: &Params) -> JobLimits {
    let (pace, tokens) = (&args.limits.pace, &args.texts.tokens);
    JobLimits {
        concurrency: pace.concurrency,
        per_minute: pace.per_minute,
        max_attempts: pace.max_attempts,
        timeout_secs: pace.timeout,
        stop_after: pace.stop_after,
        input_price: tokens.input_price,
        output_price: tokens.output_price,
        picture_price: args.limits.picture_price,
        picture_tokens: tokens.picture_tokens,
        reply_tokens: tokens.reply_tokens,
        max_reply_tokens: most_reply_tokens(wire_of(args.service.wire.into()), text_params),
        budget: args.limits.budget,
    }
}

/// The name that the model's folder begins with.
fn base_name(args: &GenerateArgs) -> anyhow::Result<String> {
    let name = args.name.as_ref().unwrap_or(&args.service.model).trim();
    let is_folder = !name.is_empty()
        && !name.starts_with('.')
        && !name.contains(|sign: char| sign.is_control() || "/\\:*?\"<>|".contains(sign));
    ensure!(
        is_folder,
        "{name} cannot be the name of a folder, and the model's pictures go into one of its name: give another by --name"
    );
    Ok(name.to_owned())
}

/// What every record says; a journal of another benchmark is not mixed with this one.
fn check_journal(
    host: &Host,
    order: &Order,
    model: &str,
    records: &[Record],
) -> anyhow::Result<Record> {
    let protocol = juror_session::record_head(&host.session).protocol;
    let other = records.iter().find(|record| record.protocol != protocol);
    if let Some(record) = other {
        bail!(
            "{} is of {}, and this benchmark is {protocol}: name another model by --name, or another folder by --out",
            order.journal().display(),
            record.protocol
        );
    }
    Ok(Record {
        format: FORMAT.to_owned(),
        protocol,
        model: model.to_owned(),
        wire: Some(order.wire),
        host: address::host(&order.url()).to_owned(),
        params: order.params.clone(),
        ..Record::default()
    })
}

/// Gives pictures their names that a killed run had on disk already.
fn finish_received(
    order: &Order,
    records: &mut Vec<Record>,
    journal: &mut Journal,
) -> anyhow::Result<()> {
    let is_made = |one: &Record| {
        let made = records.iter().filter(|it| it.state == State::Made);
        made.clone()
            .any(|it| it.file == one.file && it.sha256 == one.sha256)
    };
    let received = records.iter().filter(|it| it.state == State::Received);
    let open: Vec<Record> = received.filter(|it| !is_made(it)).cloned().collect();
    for record in open {
        if !files::finish(&order.folder.join(&record.file), &record.sha256)? {
            continue;
        }
        say(&format!(
            "juror: {} came whole before the last run ended: it is not asked for again",
            record.file
        ));
        let made = Record {
            state: State::Made,
            ..record
        };
        journal.append(&made)?;
        records.push(made);
    }
    Ok(())
}

/// Opens what the model made so far.
fn open_outputs(host: &mut Host, order: &Order, model: &str) -> anyhow::Result<()> {
    let query = SampleQuery::default();
    let is_there = order.folder.is_dir() && host.is_listed(&order.folder);
    let models = juror_session::samples(&host.session.study(&query.options), &query).models;
    ensure!(
        is_there || !models.iter().any(|known| known == model),
        "there is a model {model} in the folders already, and it is not the one in {}: name another by --name",
        order.folder.display()
    );
    host.add_outputs(&order.folder)
}

/// Refuses to replace pictures unless that is meant.
fn check_changed(order: &Order, plan: &Plan) -> anyhow::Result<()> {
    let Some((first, why)) = plan.changed.first() else {
        return Ok(());
    };
    let count = u32::try_from(plan.changed.len()).unwrap_or(u32::MAX);
    bail!(
        "{} in {} cannot be kept with the requests of now (the first is {first}: {why}). Nothing was sent: add --again to ask for them again, which replaces them, or name another model by --name",
        counted(count, "picture", "pictures"),
        order.folder.display()
    )
}

/// Says what is going to be sent to whom.
fn tell_plan(order: &Order, plan: &Plan, model: &str) {
    let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
    let tasks = || plan.chains.iter().flatten();
    let requests = tasks().count();
    let cost = match order.limits.picture_price {
        None => "no price was given".to_owned(),
        Some(price) => format!("{:.4} at the price given", price * requests as f64),
    };
    say(&format!(
        "juror: {} with {} to {} at {}, filed under {model} in {}: {cost}",
        counted(count(requests), "request", "requests"),
        counted(
            count(tasks().map(|task| task.pictures).sum()),
            "picture",
            "pictures"
        ),
        order.params.model,
        address::host(&order.url()),
        order.folder.display(),
    ));
    if let texts @ 1.. = plan.texts.len() {
        say(&format!(
            "juror: {} of {} as chat calls to {}",
            counted(count(texts), "text", "texts"),
            counted(
                count(plan.texts.iter().map(|task| task.pictures).sum()),
                "picture",
                "pictures"
            ),
            order.text_params.model,
        ));
    }
    let of_other_kind = match order.turns {
        Turns::Texts => "turns that ask for a picture, which --turns all asks for",
        _ => "turns that ask for a text, which --turns all asks for as chat calls",
    };
    let rest = [
        (plan.made, "made already"),
        (count(plan.beyond), "beyond the limit"),
        (plan.of_other_kind, of_other_kind),
    ];
    let rest: Vec<String> = (rest.iter().filter(|(count, _)| *count > 0))
        .map(|(count, what)| format!("{count} {what}"))
        .collect();
    if !rest.is_empty() {
        say(&format!("juror: not among them: {}", rest.join(", ")));
    }
}

/// Says what the level does not apply to.
fn tell_gaps(gaps: InputGaps) {
    for InputGap {
        reason,
        count,
        first,
    } in gaps.into_list()
    {
        say(&format!(
            "juror: not asked for: {count} × {reason} The first is {first}."
        ));
    }
}

/// Says how large the first request is.
fn tell_first(host: &mut Host, order: &Order, plan: &Plan) -> anyhow::Result<()> {
    let Some(task) = plan.chains.iter().flatten().chain(&plan.texts).next() else {
        return Ok(());
    };
    let input = juror_session::generator_call(&host.session.linked(), &task.key).input;
    let given = Given::of(host, (order.wire, task.kind), &input)?;
    let params = order.params_of(task.kind);
    let num_pictures = given.pictures().count();
    let url = address_of(order, task.kind, num_pictures);
    let bytes = match task.kind {
        Kind::Picture => given.body(order.wire, params).len(),
        Kind::Text => given.chat(order.wire, params).len(),
    };
    say(&format!(
        "juror: the first request, {}, has {bytes} bytes with {} and goes to {url}; nothing was sent",
        task.name(),
        counted(
            u32::try_from(num_pictures).unwrap_or(u32::MAX),
            "picture",
            "pictures"
        ),
    ));
    Ok(())
}

/// What came of a run.
struct Ended {
    /// The last record.
    last: Option<Record>,
    /// What is missing, each with the reason.
    missing: Vec<(Task, String)>,
    spent: f64,
    /// Whether it stopped before its end.
    is_stopped: bool,
    kept: (Journal, Lists),
}

/// Sends what is to be sent: pictures first, as texts may be asked about them.
fn carry_out(
    host: &mut Host,
    order: &Order,
    plan: Plan,
    (head, key): (Record, String),
    kept: (Journal, Lists),
) -> anyhow::Result<Ended> {
    let Plan { chains, texts, .. } = plan;
    let nothing = Ended {
        last: None,
        missing: Vec::new(),
        spent: 0.0,
        is_stopped: false,
        kept,
    };
    let mut ended = if chains.is_empty() {
        nothing
    } else {
        let head = (head.clone(), key.clone());
        job(host, order, (Kind::Picture, chains), head, nothing)?
    };
    let mut chains = Vec::new();
    for text in texts {
        let is_before = |(task, _): &&(Task, String)| {
            task.key.sample == text.key.sample && task.key.turn < text.key.turn
        };
        let failed = ended.missing.iter().find(is_before);
        let why = match failed.filter(|_| order.stops()) {
            Some((task, _)) => Some(stopped_at(task)),
            None => ended.is_stopped.then(|| NOT_ASKED.to_owned()),
        };
        match why {
            Some(why) => ended.missing.push((text, why)),
            None => chains.push(vec![text]),
        }
    }
    if chains.is_empty() {
        return Ok(ended);
    }
    job(host, order, (Kind::Text, chains), (head, key), ended)
}

/// Why what comes after the end of a job is missing.
const NOT_ASKED: &str = "not asked for, as the job stopped before";

/// Carries out calls of one kind, after others.
fn job(
    host: &mut Host,
    order: &Order,
    (kind, chains): (Kind, Vec<Vec<Task>>),
    (head, key): (Record, String),
    before: Ended,
) -> anyhow::Result<Ended> {
    let length = |chain: &Vec<Task>| u32::try_from(chain.len()).context("a dialogue is too long");
    let lengths: Vec<u32> = chains.iter().map(length).collect::<anyhow::Result<_>>()?;
    let limits = JobLimits {
        budget: order.limits.budget.map(|budget| budget - before.spent),
        ..order.limits.clone()
    };
    let (priced, auth) = match kind {
        Kind::Picture => (Priced::Pictures, picture_auth(order.wire)),
        Kind::Text => (Priced::Tokens, auth(wire_of(order.wire))),
    };
    let job = Job::chained(&lengths, limits, priced, pace::seed())?;
    let job = if order.stops() { job } else { job.going_on() };
    let caller = Caller::new(Service {
        url: order.url(),
        auth,
        key: key.clone(),
        timeout_secs: order.limits.timeout_secs,
        option: "--base",
    })?;
    let outputs = outputs(host, order, chains, (head, key), before.kept)?;
    let generating = Generating { outputs, caller };
    let mut run = Run::new(generating, job);
    run.carry_out();
    let mut ended = finished(run, kind)?;
    ended.last = ended.last.or(before.last);
    ended.spent += before.spent;
    ended.missing.splice(..0, before.missing);
    Ok(ended)
}

/// What becomes of the answers to calls.
fn outputs<'a>(
    host: &'a mut Host,
    order: &'a Order,
    chains: Vec<Vec<Task>>,
    (head, key): (Record, String),
    (journal, lists): (Journal, Lists),
) -> anyhow::Result<Outputs<'a>> {
    let mut tasks: Vec<(Task, u32)> = Vec::new();
    for chain in chains {
        let end =
            u32::try_from(tasks.len() + chain.len()).context("there are too many requests")?;
        tasks.extend(chain.into_iter().map(|task| (task, end - 1)));
    }
    let stated = |kind: Kind| -> anyhow::Result<Params> {
        let params = serde_json::to_string(order.params_of(kind))?;
        Ok(serde_json::from_str(&without_keys(&params, &[&key]))?)
    };
    Ok(Outputs {
        params: stated(Kind::Picture)?,
        text_params: stated(Kind::Text)?,
        host,
        order,
        tasks,
        head,
        key,
        journal,
        lists,
        made: BTreeSet::new(),
        reasons: BTreeMap::new(),
        came_as: BTreeMap::new(),
        leaked: 0,
        cut: Vec::new(),
        tried: BTreeMap::new(),
        last: None,
        broken: None,
    })
}

/// Takes the results of batch files in, and says which outputs are missing then.
fn take_in(
    host: &mut Host,
    order: &Order,
    plan: Plan,
    head: Record,
    kept: (Journal, Lists),
    (paths, records): (&[PathBuf], &[Record]),
) -> anyhow::Result<ExitCode> {
    let Plan {
        chains,
        texts,
        mut lacking,
        ..
    } = plan;
    let mut chains = chains;
    chains.extend(texts.into_iter().map(|text| vec![text]));
    let outputs = outputs(host, order, chains, (head, String::new()), kept)?;
    let mut results = Results::new(outputs, records, &lacking);
    for path in paths {
        results.take(path)?;
    }
    let (outputs, faults) = results.finish();
    let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
    say(&format!(
        "juror: {} of {} made of these results",
        outputs.made.len(),
        counted(count(outputs.tasks.len()), "output", "outputs")
    ));
    tell_changed(&outputs);
    let ended = left(outputs, "no line of the results answers it")?;
    lacking.extend(faults);
    lacking.extend(
        ended
            .missing
            .into_iter()
            .map(|(task, why)| (task.name(), why)),
    );
    Ok(tell_missing(&lacking))
}

/// What came of a run, as far as its outputs tell.
fn left(outputs: Outputs<'_>, unasked: &str) -> anyhow::Result<Ended> {
    if let Some(error) = outputs.broken {
        return Err(error.context(
            "an output or its record could not be kept, so nothing more was sent. Make room and start again to go on with the rest",
        ));
    }
    let mut missing = Vec::new();
    for (at, (task, _)) in (0..).zip(outputs.tasks) {
        if outputs.made.contains(&at) {
            continue;
        }
        let known = outputs.reasons.get(&at).cloned();
        missing.push((task, known.unwrap_or_else(|| unasked.to_owned())));
    }
    Ok(Ended {
        last: outputs.last,
        missing,
        spent: 0.0,
        is_stopped: false,
        kept: (outputs.journal, outputs.lists),
    })
}

/// Says how a job ended.
fn finished(mut run: Run<Generating<'_>>, kind: Kind) -> anyhow::Result<Ended> {
    let now = run.now();
    let progress = run.job.progress(now);
    let work = run.work.outputs;
    let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
    let all = match kind {
        Kind::Picture => counted(count(work.tasks.len()), "picture", "pictures"),
        Kind::Text => counted(count(work.tasks.len()), "text", "texts"),
    };
    let secs = now / 1000.0;
    let mut parts = vec![format!("{} of {all} made in {secs:.1} s", work.made.len())];
    if progress.retries > 0 {
        parts.push(counted(progress.retries, "retry", "retries"));
    }
    if work.leaked > 0 {
        parts.push(format!("{} marked as leaked", work.leaked));
    }
    if progress.spent > 0.0 {
        parts.push(format!("{:.4} spent", progress.spent));
    }
    say(&format!("juror: {}", parts.join(", ")));
    tell_changed(&work);
    let ended = left(work, NOT_ASKED)?;
    let stopped = pace::why_stopped(&progress);
    if let Some(why) = &stopped {
        say(&format!("juror: stopped: {why}"));
    }
    Ok(Ended {
        spent: progress.spent,
        is_stopped: stopped.is_some(),
        ..ended
    })
}

/// Says which outputs are not written as services usually give them.
fn tell_changed(work: &Outputs<'_>) {
    for ((format, end), count) in &work.came_as {
        let what = match end.as_str() {
            "png" => "converted to PNG, which loses nothing",
            _ => "written as they came under that name, as another format would lose something",
        };
        let count = counted(*count, "picture", "pictures");
        say(&format!(
            "juror: {count} came as {format} for .{end}: {what}"
        ));
    }
    if let Some(first) = work.cut.first() {
        let count = u32::try_from(work.cut.len()).unwrap_or(u32::MAX);
        say(&format!(
            "juror: {} at the limit of tokens and kept as far as it came (the first is {first}): --text-max-tokens gives more room",
            counted(count, "text ended", "texts ended")
        ));
    }
}

/// Names the pictures that are missing; exit code 1 where there is one.
fn tell_missing(missing: &[(String, String)]) -> ExitCode {
    for (name, why) in missing {
        say(&format!("juror: missing: {name}: {why}"));
    }
    ExitCode::from(u8::from(!missing.is_empty()))
}
