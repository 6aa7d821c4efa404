//! `juror agents`: MultiBanana's agent loops over two services, kept in the folder that the page exports and opens.
//!
//! Which call is due and what it holds is `juror_agents`'s, what is sent when is the job's (`juror_judging::job`).

use std::collections::{BTreeMap, HashSet};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context as _, bail, ensure};
use clap::{Args, ValueEnum};
use juror_agents::{AgentScope, AgentServices, Framework, MAX_STEPS, RECORDS, Record, Set};
use juror_judging::job::JobLimits;
use juror_judging::provider::{self, PictureWire};
use juror_model::ability::Ability;
use juror_model::judge::{Params, Wire};
use juror_model::options::ScoreOptions;
use juror_session::view::SampleQuery;
use serde_json::{Map, Value};

use self::folder::Folder;
use self::plan::Plan;
use crate::host::Host;
use crate::sending::kept;
use crate::sending::{PaceArgs, TokenArgs, check_many, key, warn_of_http};
use crate::{PerArgs, batch, generate, judge, print, say, tell_in_short};

mod body;
mod ended;
mod folder;
mod plan;
mod work;

/// Which loops to carry out, over which services, and within which bounds.
#[derive(Debug, Args)]
pub(crate) struct AgentsArgs {
    /// MultiBanana's folder, and others that its pictures are in.
    #[arg(required = true)]
    dirs: Vec<PathBuf>,
    /// Folder of trajectories.jsonl and of the steps' models. What is in it, from here or from the page, is not asked for again.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// How the planner steers the generator.
    #[arg(long, value_enum)]
    framework: FrameworkArg,
    /// Pictures of each sample.
    #[arg(long, value_name = "N", default_value = "3", value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_STEPS)))]
    steps: u32,
    /// Name that the steps' models are called after, as in "NAME +IPR step 1"; the generator's model if not given.
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    #[command(flatten)]
    planner: PlannerArgs,
    #[command(flatten)]
    generator: GeneratorArgs,
    #[command(flatten)]
    scope: ScopeArgs,
    #[command(flatten)]
    limits: LimitArgs,
    /// Send nothing: print how many calls of each kind it would be, what they cost at the prices given, and the size of the
    /// first request.
    #[arg(long, conflicts_with_all = ["test", "yes"])]
    dry_run: bool,
    /// Carry out the loop of one sample, print its records, and keep them.
    #[arg(long)]
    test: bool,
    /// Send also more than 200 requests.
    #[arg(long)]
    yes: bool,
}

#[derive(Debug, Args)]
struct PlannerArgs {
    /// How the planner's service is spoken to.
    #[arg(
        id = "planner-wire",
        long = "planner-wire",
        value_name = "WIRE",
        value_enum
    )]
    wire: judge::WireArg,
    /// Address of the planner's service, such as `http://localhost:8000/v1`; the provider's own if not given.
    #[arg(
        id = "planner-base",
        long = "planner-base",
        value_name = "URL",
        default_value = ""
    )]
    base: String,
    /// The service's name of the planner.
    #[arg(id = "planner-model", long = "planner-model", value_name = "NAME")]
    model: String,
    /// Environment variable that holds the planner's key; none for no key. The provider's usual one if not given
    /// (`OPENAI_API_KEY`, `ANTHROPIC_API_KEY`, `GEMINI_API_KEY` or `GOOGLE_API_KEY`); a service on this machine needs none.
    #[arg(
        id = "planner-key-env",
        long = "planner-key-env",
        value_name = "VARIABLE"
    )]
    key_env: Option<String>,
    /// The planner's temperature; the service's own if not given.
    #[arg(id = "planner-temperature", long = "planner-temperature", value_name = "NUMBER", value_parser = batch::temperature)]
    temperature: Option<f64>,
    /// Most tokens of the planner's reply; the service's own if not given.
    #[arg(id = "planner-max-tokens", long = "planner-max-tokens", value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    max_tokens: Option<u32>,
    /// More parameters of the planner by the service's names, as a JSON object.
    #[arg(id = "planner-extra", long = "planner-extra", value_name = "JSON")]
    extra: Option<String>,
}

#[derive(Debug, Args)]
struct GeneratorArgs {
    /// How the generator's service is spoken to.
    #[arg(
        id = "generator-wire",
        long = "generator-wire",
        value_name = "WIRE",
        value_enum
    )]
    wire: generate::WireArg,
    /// Address of the generator's service; the provider's own if not given.
    #[arg(
        id = "generator-base",
        long = "generator-base",
        value_name = "URL",
        default_value = ""
    )]
    base: String,
    /// The service's name of the generator.
    #[arg(id = "generator-model", long = "generator-model", value_name = "NAME")]
    model: String,
    /// Environment variable that holds the generator's key, as for the planner.
    #[arg(
        id = "generator-key-env",
        long = "generator-key-env",
        value_name = "VARIABLE"
    )]
    key_env: Option<String>,
    /// More parameters of the generator by the service's names, as a JSON object.
    #[arg(id = "generator-extra", long = "generator-extra", value_name = "JSON")]
    extra: Option<String>,
    /// Host that pictures may be fetched from, without a key, where the service answers with addresses; its own host always
    /// may. May be given several times.
    #[arg(long, value_name = "HOST")]
    host: Vec<String>,
}

#[derive(Debug, Args)]
struct ScopeArgs {
    /// Only this task; may be given several times.
    #[arg(long, value_name = "TASK")]
    task: Vec<String>,
    /// Only the first so many samples of each task.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    per_task: Option<u32>,
    /// Only samples that pass this filter, as in the page's sample list: "task:add".
    #[arg(long, value_name = "EXPRESSION", default_value = "")]
    filter: String,
    #[command(flatten)]
    per: PerArgs,
    /// Ask again what a service declined, and make pictures again whose file is missing or has other bytes.
    #[arg(long)]
    again: bool,
    /// No more than so many samples, the first ones whose loops are not at their end.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    limit: Option<u32>,
}

#[derive(Debug, Args)]
struct LimitArgs {
    #[command(flatten)]
    pace: PaceArgs,
    /// Spend at most so much in this run, in the currency of the prices. Exact where the planner's replies have a largest length
    /// (--planner-max-tokens).
    #[arg(
        long,
        value_name = "AMOUNT",
        requires = "picture_price",
        requires = "input_price",
        requires = "output_price"
    )]
    budget: Option<f64>,
    /// Price of a picture; an answer without one counts as well, as services may charge for it.
    #[arg(long, value_name = "PRICE")]
    picture_price: Option<f64>,
    #[command(flatten)]
    tokens: TokenArgs,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum FrameworkArg {
    /// Iterative prompt refinement: every picture is made again from all references.
    Ipr,
    /// Context-aware feedback: the generator is shown its previous picture as well.
    Cafg,
    /// Selective reference adaptation: the planner also chooses the references.
    Sra,
}

impl From<FrameworkArg> for Framework {
    fn from(arg: FrameworkArg) -> Self {
        match arg {
            FrameworkArg::Ipr => Self::Ipr,
            FrameworkArg::Cafg => Self::Cafg,
            FrameworkArg::Sra => Self::Sra,
        }
    }
}

/// Samples by name, each with a reason.
type Reasons = BTreeMap<String, String>;

/// What is made, over which services.
struct Order {
    /// The benchmark's id.
    protocol: String,
    scope: AgentScope,
    services: AgentServices,
    /// Hosts that pictures may be fetched from besides the generator's own.
    hosts: Vec<String>,
    limits: JobLimits,
    /// The folder of the records.
    folder: PathBuf,
    /// Samples that are meant; all if `None`.
    samples: Option<HashSet<String>>,
    is_again: bool,
    limit: Option<usize>,
}

impl Order {
    fn journal(&self) -> PathBuf {
        self.folder.join(RECORDS)
    }

    fn planner_url(&self) -> String {
        let services = &self.services;
        provider::url(
            services.planner_wire,
            &services.planner_base,
            &services.planner.model,
        )
    }

    fn generator_url(&self) -> String {
        let services = &self.services;
        let model = &services.generator.model;
        provider::picture_url(services.generator_wire, &services.generator_base, model, 1)
    }
}

/// Carries loops out.
pub(crate) fn run(args: &AgentsArgs) -> anyhow::Result<ExitCode> {
    let mut host = Host::open(&args.dirs, &[])?;
    tell_in_short(&mut host);
    let order = order(&mut host, args)?;
    let found = kept::look::<Record>(&order.journal())?;
    folder::check(&mut host, &order, &found.records)?;
    let journal = if args.dry_run {
        None
    } else {
        std::fs::create_dir_all(&order.folder)
            .with_context(|| format!("cannot make {}", order.folder.display()))?;
        Some(kept::Journal::open(&order.journal(), &found)?)
    };
    let folder = Folder::open(&mut host, &order, found.records, journal)?;
    let plan = Plan::new(&mut host, &order, &folder)?;
    plan.tell(&order);
    if args.dry_run {
        plan.tell_first(&mut host, &order, &folder)?;
        return Ok(ExitCode::SUCCESS);
    }
    check_many(plan.requests(), args.yes)?;
    if plan.requests() == 0 {
        say("juror: there is nothing to ask.");
        folder.write_steps(&mut host)?;
        return Ok(ended::tell_missing(&plan.declined));
    }
    let keys = keys(args, &order)?;
    let (records, missing) = work::run(&mut host, &order, &plan, keys, folder)?;
    if args.test {
        print(&(serde_json::to_string_pretty(&records)? + "\n"))?;
    }
    let mut lacking = plan.declined;
    lacking.extend(missing);
    Ok(ended::tell_missing(&lacking))
}

/// The keys of the planner and of the generator.
fn keys(args: &AgentsArgs, order: &Order) -> anyhow::Result<[String; 2]> {
    let services = &order.services;
    let one = |wire: Wire, url: &str, named: (Option<&str>, &str)| {
        let key = key::find(wire, url, named)?;
        warn_of_http(&key, url);
        anyhow::Ok(key)
    };
    let planner = args.planner.key_env.as_deref();
    let generator = args.generator.key_env.as_deref();
    Ok([
        one(
            services.planner_wire,
            &order.planner_url(),
            (planner, "--planner-key-env"),
        )?,
        one(
            services.generator_wire.wire(),
            &order.generator_url(),
            (generator, "--generator-key-env"),
        )?,
    ])
}

/// What is made over which services, checked against what is open.
fn order(host: &mut Host, args: &AgentsArgs) -> anyhow::Result<Order> {
    let overview = juror_session::overview(&host.session.study(&ScoreOptions::default()));
    let info = overview.benchmark.as_ref();
    let protocol = &info
        .context("no benchmark was found; see juror inspect")?
        .protocol;
    ensure!(
        overview.abilities.contains(&Ability::Agents),
        "this benchmark, {protocol}, has no agent loops: juror generate asks for the pictures of any benchmark"
    );
    let services = services(args)?;
    let scope = AgentScope {
        set: Set {
            name: name(args),
            framework: args.framework.into(),
            planner: services.planner.model.clone(),
            generator: services.generator.model.clone(),
        },
        steps: args.steps,
        domains: args.scope.task.clone(),
        per_domain: args.scope.per_task.unwrap_or(0),
    };
    let plan = juror_session::plan_agents(&host.session.linked(), &scope);
    let tasks: Vec<&str> = plan.domains.iter().map(|(task, _)| task.as_str()).collect();
    if let Some(absent) = scope
        .domains
        .iter()
        .find(|it| !tasks.contains(&it.as_str()))
    {
        bail!("there is no task {absent}; found: {}", tasks.join(", "));
    }
    let limit = if args.test { Some(1) } else { args.scope.limit };
    Ok(Order {
        protocol: protocol.clone(),
        limits: limits(&args.limits, &services),
        scope,
        services,
        hosts: args.generator.host.clone(),
        folder: args.out.clone(),
        samples: samples(host, &args.scope)?,
        is_again: args.scope.again,
        limit: limit.and_then(|limit| usize::try_from(limit).ok()),
    })
}

/// The name that the steps' models are called after: the page's own where none is given.
fn name(args: &AgentsArgs) -> String {
    let model = &args.generator.model;
    let usual = || model.replace(['/', '\\', ':', '*', '?', '"', '<', '>', '|'], "-");
    args.name.clone().unwrap_or_else(usual)
}

/// Both services, with parameters that their requests take.
fn services(args: &AgentsArgs) -> anyhow::Result<AgentServices> {
    let AgentsArgs {
        planner, generator, ..
    } = args;
    let services = AgentServices {
        planner_wire: planner.wire.into(),
        planner_base: planner.base.clone(),
        planner: Params {
            model: planner.model.clone(),
            temperature: planner.temperature,
            max_tokens: planner.max_tokens,
            extra: extra(planner.extra.as_deref(), "--planner-extra")?,
        },
        generator_wire: PictureWire::from(generator.wire),
        generator_base: generator.base.clone(),
        generator: Params {
            model: generator.model.clone(),
            temperature: None,
            max_tokens: None,
            extra: extra(generator.extra.as_deref(), "--generator-extra")?,
        },
    };
    (services.planner.check(services.planner_wire))
        .map_err(anyhow::Error::msg)
        .context("--planner-extra")?;
    (services.generator_wire.check(&services.generator))
        .map_err(anyhow::Error::msg)
        .context("--generator-extra")?;
    batch::tell_temperature(services.planner_wire, &services.planner);
    Ok(services)
}

fn extra(text: Option<&str>, option: &str) -> anyhow::Result<Map<String, Value>> {
    serde_json::from_str(text.unwrap_or("{}"))
        .with_context(|| format!("{option} is not a JSON object"))
}

fn limits(args: &LimitArgs, services: &AgentServices) -> JobLimits {
    JobLimits {
        concurrency: args.pace.concurrency,
        per_minute: args.pace.per_minute,
        max_attempts: args.pace.max_attempts,
        timeout_secs: args.pace.timeout,
        stop_after: args.pace.stop_after,
        input_price: args.tokens.input_price,
        output_price: args.tokens.output_price,
        picture_price: args.picture_price,
        picture_tokens: args.tokens.picture_tokens,
        reply_tokens: args.tokens.reply_tokens,
        max_reply_tokens: provider::most_reply_tokens(services.planner_wire, &services.planner),
        budget: args.budget,
    }
}

/// The samples that a filter lets through; `None` without one.
fn samples(host: &mut Host, args: &ScopeArgs) -> anyhow::Result<Option<HashSet<String>>> {
    let filter = args.per.within(&args.filter)?;
    if filter.trim().is_empty() {
        return Ok(None);
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
