//! `juror generate`: what a generator is given is sent to a service, and its pictures become a model's outputs in the authors'
//! layout.
//!
//! What is sent is what `juror inputs` writes. What is sent when is the job's (`juror_judging::job`), what a record says
//! `juror_judging::generating`'s.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context as _, bail, ensure};
use juror_judging::generating::{FORMAT, Record, State};
use juror_judging::job::JobLimits;
use juror_judging::provider::{PictureWire, most_reply_tokens, picture_url};
use juror_model::experiment::Variant;
use juror_model::judge::Params;
use juror_reading::count::counted;
use juror_session::input_folder::{InputGap, InputGaps, InputQuery};
use juror_session::view::SampleQuery;

use self::carried::{carry_out, take_in};
use self::given::Given;
use self::lists::Lists;
pub(crate) use self::options::{GenerateArgs, WireArg};
use self::options::{OnFailure, TextArgs};
use self::work::address_of;
use crate::host::Host;
use crate::inputs::Levels;
use crate::sending::files;
use crate::sending::kept::{self, Journal};
use crate::sending::{address, check_many, key, warn_of_http};
use crate::{inputs, print, say, tell_in_short};
use juror_session::generating::{AskedTurns, OutputKind, OutputPlan, OutputTask, is_folder_name};

mod batched;
mod carried;
mod given;
mod lists;
mod options;
mod plan;
mod work;

/// The most tokens of a text, as the authors of WEAVEBench let their models write.
const TEXT_TOKENS: u32 = 1024;

/// What is asked of whom.
struct Order {
    wire: PictureWire,
    base: String,
    params: Params,
    turns: AskedTurns,
    /// The parameters of calls for texts.
    text_params: Params,
    limits: JobLimits,
    /// The model's folder.
    folder: PathBuf,
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
    fn params_of(&self, kind: OutputKind) -> &Params {
        match kind {
            OutputKind::Picture => &self.params,
            OutputKind::Text => &self.text_params,
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
fn stopped_at(task: &OutputTask) -> String {
    task.stopped(plan::GO_ON)
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
    let mut plan = plan::plan(&mut host, &order, &query, &records)?;
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
        order.wire.wire(),
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
        turns: args.texts.turns.into(),
        text_params,
        folder: args.out.join(variant.name()),
        is_own: juror_session::shows_own_outputs(&host.session, level.as_ref()),
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
        AskedTurns::from(*turns).have(OutputKind::Text) || !is_given,
        "--text-model, --text-max-tokens and --text-extra are for turns that ask for a text: add --turns all, or --turns texts for those only"
    );
    let params = Params {
        model: text_model.as_ref().unwrap_or(&args.service.model).clone(),
        temperature: None,
        max_tokens: Some(text_max_tokens.unwrap_or(TEXT_TOKENS)),
        extra: serde_json::from_str(text_extra.as_deref().unwrap_or("{}"))
            .context("--text-extra is not a JSON object")?,
    };
    let wire = PictureWire::from(args.service.wire).wire();
    params.check(wire).map_err(anyhow::Error::msg)?;
    Ok(params)
}

/// A budget needs a price of all that is asked for.
fn check_prices(args: &GenerateArgs) -> anyhow::Result<()> {
    let TextArgs { turns, tokens, .. } = &args.texts;
    let turns = AskedTurns::from(*turns);
    if args.limits.budget.is_none() {
        return Ok(());
    }
    ensure!(
        !turns.have(OutputKind::Picture) || args.limits.picture_price.is_some(),
        "--budget needs the price of a picture: add --picture-price"
    );
    ensure!(
        !turns.have(OutputKind::Text)
            || tokens.input_price.is_some()
            || tokens.output_price.is_some(),
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
        max_reply_tokens: most_reply_tokens(
            PictureWire::from(args.service.wire).wire(),
            text_params,
        ),
        budget: args.limits.budget,
    }
}

/// The name that the model's folder begins with.
fn base_name(args: &GenerateArgs) -> anyhow::Result<String> {
    let name = args.name.as_ref().unwrap_or(&args.service.model).trim();
    ensure!(
        is_folder_name(name),
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
fn check_changed(order: &Order, plan: &OutputPlan) -> anyhow::Result<()> {
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
fn tell_plan(order: &Order, plan: &OutputPlan, model: &str) {
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
        AskedTurns::Texts => "turns that ask for a picture, which --turns all asks for",
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
fn tell_first(host: &mut Host, order: &Order, plan: &OutputPlan) -> anyhow::Result<()> {
    let Some(task) = plan.chains.iter().flatten().chain(&plan.texts).next() else {
        return Ok(());
    };
    let input = juror_session::generator_call(&host.session.linked(), &task.key).input;
    let given = Given::of(host, (order.wire, task.kind), &input)?;
    let params = order.params_of(task.kind);
    let num_pictures = given.pictures().count();
    let url = address_of(order, task.kind, num_pictures);
    let bytes = match task.kind {
        OutputKind::Picture => given.body(order.wire, params).len(),
        OutputKind::Text => given.chat(order.wire, params).len(),
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

/// Names the pictures that are missing; exit code 1 where there is one.
fn tell_missing(missing: &[(String, String)]) -> ExitCode {
    for (name, why) in missing {
        say(&format!("juror: missing: {name}: {why}"));
    }
    ExitCode::from(u8::from(!missing.is_empty()))
}
