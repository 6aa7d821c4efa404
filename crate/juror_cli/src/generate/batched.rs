//! A generator's requests as batch files, and the results of such files as the outputs of a model.
//!
//! What becomes of an answer is what becomes of it in a direct run; a request that is answered is not in a later file.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail, ensure};
use juror_judging::batch::{Engine, outcome, request_line};
use juror_judging::generating::{LineId, Record, State};
use juror_judging::provider::{Failure, PictureWire};
use juror_reading::count::counted;
use juror_session::recording::words;

use super::Order;
use super::work::{Called, Outputs, asked};
use crate::batch::Files;
use crate::host::Host;
use crate::say;
use juror_session::generating::{OutputKind, OutputPlan, OutputTask, Reasons};

fn engine_of(wire: PictureWire) -> Engine {
    match wire {
        PictureWire::OpenAi => Engine::OpenAi,
        PictureWire::Gemini => Engine::Gemini,
    }
}

/// Writes what can be asked now; what cannot be written, each with the reason.
///
/// # Errors
/// Requests of one file would go to several places, or a file cannot be written.
pub(super) fn write(
    host: &mut Host,
    order: &Order,
    plan: &OutputPlan,
    (head, out): (&Record, &Path),
) -> anyhow::Result<Reasons> {
    let (mut now, mut num_waiting) = (Vec::new(), 0);
    for chain in &plan.chains {
        // What is made of one turn is shown in the next.
        let ready = if order.is_own { 1 } else { chain.len() };
        now.extend(chain.iter().take(ready));
        num_waiting += chain.len().saturating_sub(ready);
    }
    let is_open = |text: &OutputTask| {
        let mut pictures = plan.chains.iter().flatten();
        order.is_own && pictures.any(|task| task.key.sample == text.key.sample)
    };
    let (waiting, texts): (Vec<&OutputTask>, Vec<&OutputTask>) =
        plan.texts.iter().partition(|it| is_open(it));
    num_waiting += waiting.len();
    check_one_address(order, !now.is_empty() && !texts.is_empty())?;
    now.extend(texts);
    let engine = engine_of(order.wire);
    let mut files = Files::new(out, engine);
    let mut lacking = Reasons::new();
    for task in now {
        match line(host, order, task, head) {
            Ok(line) => files.write(&line)?,
            Err(error) => lacking.push((task.name(), format!("{error:#}"))),
        }
    }
    let written = files.finish()?;
    if written.is_empty() {
        say("juror: there was nothing that a batch file can ask, so no file was written.");
    }
    for (path, lines, bytes) in &written {
        let lines = counted(*lines, "request", "requests");
        say(&format!("{}: {lines}, {bytes} bytes", path.display()));
    }
    if num_waiting > 0 {
        let count = u32::try_from(num_waiting).unwrap_or(u32::MAX);
        say(&format!(
            "juror: {} shown what these make: take the results in by --replies, and write the next batch file",
            counted(count, "request is", "requests are")
        ));
    }
    Ok(lacking)
}

/// A batch file is run at one address, by one model.
fn check_one_address(order: &Order, has_both: bool) -> anyhow::Result<()> {
    let is_one = match order.wire {
        PictureWire::OpenAi => false,
        PictureWire::Gemini => order.params.model == order.text_params.model,
    };
    ensure!(
        is_one || !has_both,
        "pictures and texts cannot be in one batch file, which is run at one address by one model: write --turns pictures and --turns texts into files of their own"
    );
    Ok(())
}

/// The line of a task.
fn line(
    host: &mut Host,
    order: &Order,
    task: &OutputTask,
    head: &Record,
) -> anyhow::Result<String> {
    let (given, is_leaked) = asked(host, order, task)?;
    let params = order.params_of(task.kind);
    let Some(body) = given.json(order.wire, params, task.kind) else {
        bail!(
            "{} with the request, which this service takes as a form (images/edits), and a batch file holds no form: ask for it without --batch",
            match given.pictures().count() {
                1 => "a picture goes".to_owned(),
                count => format!("{count} pictures go"),
            }
        );
    };
    let id = LineId {
        protocol: head.protocol.clone(),
        model: head.model.clone(),
        sample: task.key.sample.clone(),
        turn: task.key.turn,
        request: given.hash(order.wire, params),
        is_leaked,
    };
    let url = match task.kind {
        OutputKind::Picture => "/v1/images/generations",
        OutputKind::Text => "/v1/chat/completions",
    };
    let engine = engine_of(order.wire);
    let line = request_line(engine, &id.encode(), url, &body);
    let most = engine.max_bytes();
    ensure!(
        line.len() as u64 <= most,
        "expected a line of at most {most} bytes, found {}",
        line.len()
    );
    Ok(line)
}

/// Files of results that are taken in.
pub(super) struct Results<'a, 'h> {
    outputs: Outputs<'h>,
    /// Records of earlier runs.
    records: &'a [Record],
    /// Positions of what is asked for.
    positions: BTreeMap<(String, u32), u32>,
    /// Why something is missing without being asked for.
    lacking: &'a Reasons,
    /// What was made, and what failed, of samples and turns.
    seen: BTreeSet<(String, u32)>,
    failed: BTreeSet<(String, u32)>,
    /// Results that were taken in before.
    again: u32,
    /// Lines that are no result of these requests.
    faults: Reasons,
}

impl<'a, 'h> Results<'a, 'h> {
    pub(super) fn new(outputs: Outputs<'h>, records: &'a [Record], lacking: &'a Reasons) -> Self {
        let tasks = (0..).zip(&outputs.tasks);
        let position = |(at, (task, _)): (u32, &(OutputTask, u32))| {
            let key = &task.key;
            ((key.sample.clone(), key.turn), at)
        };
        Self {
            positions: tasks.map(position).collect(),
            outputs,
            records,
            lacking,
            seen: BTreeSet::new(),
            failed: BTreeSet::new(),
            again: 0,
            faults: Reasons::new(),
        }
    }

    /// Takes the lines of a file in.
    ///
    /// # Errors
    /// It cannot be read.
    pub(super) fn take(&mut self, path: &Path) -> anyhow::Result<()> {
        let refusal = || format!("cannot read {}", path.display());
        let mut lines = opened(path).with_context(refusal)?;
        let (mut line, mut number, mut is_empty) = (Vec::new(), 0_u64, true);
        // A file of pictures is large: one line at a time.
        while lines.read_until(b'\n', &mut line).with_context(refusal)? > 0 {
            number += 1;
            if !line.trim_ascii().is_empty() {
                is_empty = false;
                if let Err(why) = self.line(&line) {
                    let name = format!("{}, line {number}", path.display());
                    self.faults.push((name, format!("{why:#}")));
                }
            }
            if self.outputs.broken.is_some() {
                return Ok(());
            }
            line.clear();
        }
        ensure!(
            !is_empty,
            "{} is empty: give the file of results that the service wrote",
            path.display()
        );
        Ok(())
    }

    /// Takes a line in.
    fn line(&mut self, line: &[u8]) -> anyhow::Result<()> {
        let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
        let value = serde_json::from_slice(line).context("it is not JSON")?;
        let found = outcome(&value)?;
        let id = LineId::decode(&found.id)
            .with_context(|| format!("{} is no request of juror generate", found.id))?;
        let head = &self.outputs.head;
        ensure!(
            id.protocol == head.protocol,
            "it is of {}, and this benchmark is {}",
            id.protocol,
            head.protocol
        );
        ensure!(
            id.model == head.model,
            "it is an output of {}, and these are of {}: give the --name and --vary of its batch",
            id.model,
            head.model
        );
        let key = (id.sample.clone(), id.turn);
        if self.seen.contains(&key) {
            self.again += 1;
            return Ok(());
        }
        let Some(at) = self.positions.get(&key).copied() else {
            return self.unasked(&id);
        };
        let task = self.outputs.tasks[at as usize].0.clone();
        let order = self.outputs.order;
        let (given, _) = asked(self.outputs.host, order, &task)?;
        ensure!(
            given.hash(order.wire, order.params_of(task.kind)) == id.request,
            "it answers another request than the one of now: give the --model, the parameters and the files of its batch"
        );
        let call = Called {
            request: id.request.clone(),
            is_leaked: id.is_leaked,
            time: found.time,
            ..Called::default()
        };
        let (status, made) = match found.answer {
            Ok((status, body)) => (status, self.outputs.read(at, status, &body).1),
            Err(failure) => (0, Err(failure)),
        };
        let made = made.map_err(|failure| Failure {
            message: self.outputs.clean(&failure.message),
            ..failure
        });
        match &made {
            Ok(_) => drop(self.seen.insert(key)),
            Err(failure) => {
                let why = words(failure);
                let is_same = |record: &Record| record.error.as_ref() == Some(&why);
                let is_new = self.failed.insert(key) && !self.is_known(&id, is_same);
                self.outputs.reasons.insert(at, why);
                if !is_new {
                    self.again += 1;
                    return Ok(());
                }
            }
        }
        if let Err(failure) = self.outputs.take(at, call, status, made) {
            self.outputs.give_up(at, &failure);
        }
        Ok(())
    }

    /// Whether an earlier run ended with such a record of the very request.
    fn is_known(&self, id: &LineId, is_so: impl Fn(&Record) -> bool) -> bool {
        let own = self.records.iter().filter(|record| {
            (&record.sample, record.turn, &record.request) == (&id.sample, id.turn, &id.request)
        });
        let mut ends = own.filter(|it| matches!(it.state, State::Made | State::GivenUp));
        ends.any(is_so)
    }

    /// A result of what is not asked for.
    fn unasked(&mut self, id: &LineId) -> anyhow::Result<()> {
        if self.is_known(id, |_| true) {
            self.again += 1;
            return Ok(());
        }
        let name = format!("sample {}, turn {}", id.sample, id.turn + 1);
        let known = self.lacking.iter().find(|(lacking, _)| *lacking == name);
        match known {
            Some((_, why)) => bail!("{name}: {why}"),
            None => bail!(
                "{name} is not among what is asked for: --filter, --turns and --limit exclude it, or there is another output"
            ),
        }
    }

    /// What was taken in, and the lines that were not, each with the reason.
    pub(super) fn finish(self) -> (Outputs<'h>, Reasons) {
        if self.again > 0 {
            say(&format!(
                "juror: {} taken in before and {} not counted again",
                counted(self.again, "result was", "results were"),
                if self.again == 1 { "is" } else { "are" }
            ));
        }
        (self.outputs, self.faults)
    }
}

/// A file of results, which may be packed by gzip.
fn opened(path: &Path) -> std::io::Result<Box<dyn BufRead>> {
    let mut file = BufReader::new(File::open(path)?);
    let is_packed = file.fill_buf()?.starts_with(&[0x1f, 0x8b]);
    Ok(if is_packed {
        Box::new(BufReader::new(flate2::bufread::MultiGzDecoder::new(file)))
    } else {
        Box::new(file)
    })
}

/// The options for batch files.
#[derive(Debug, clap::Args)]
pub(crate) struct BatchArgs {
    /// Send nothing: write the requests that are due as a batch file of OpenAI's or Gemini's form; beyond the service's limits
    /// FILE-001, FILE-002, … A request with pictures that OpenAI takes as a form is named and not in it.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["dry_run", "test", "replies"])]
    pub(super) batch: Option<PathBuf>,
    /// Send nothing: take the results of a batch file in, as the service wrote them; may be given several times.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["dry_run", "test"])]
    pub(super) replies: Vec<PathBuf>,
}
