//! Which pictures are to be made: what the journal and the folder have is not sent again.

use std::collections::BTreeSet;
use std::path::PathBuf;

use juror_judging::generating::{Record, State};
use juror_model::options::ScoreOptions;
use juror_model::request::{InputKey, PartView};
use juror_model::tree;
use juror_session::input_folder::{InputGaps, InputQuery};
use juror_session::view::SampleView;

use super::given::Given;
use super::{Order, Reasons};
use crate::host::Host;
use crate::sending::files;

/// What a turn asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Picture,
    Text,
}

/// A picture or a text that is asked for.
#[derive(Clone, Debug)]
pub(super) struct Task {
    pub(super) kind: Kind,
    pub(super) key: InputKey,
    /// Its place in the model's folder.
    pub(super) place: String,
    /// Pictures that go along, as far as they are known before the turns before it are done.
    pub(super) pictures: usize,
}

impl Task {
    /// In words.
    pub(super) fn name(&self) -> String {
        format!("sample {}, turn {}", self.key.sample, self.key.turn + 1)
    }

    pub(super) fn path(&self, order: &Order) -> PathBuf {
        order.folder.join(&self.place)
    }

    pub(super) fn is_of(&self, record: &Record) -> bool {
        record.sample == self.key.sample && record.turn == self.key.turn
    }
}

/// What is to be done.
#[derive(Debug, Default)]
pub(super) struct Plan {
    /// Pictures that are asked for, dialogue by dialogue, those of one in the order of its turns.
    pub(super) chains: Vec<Vec<Task>>,
    /// Pictures that are there.
    pub(super) made: u32,
    /// Pictures that are missing and are not asked for, each with the reason.
    pub(super) lacking: Reasons,
    /// Pictures that are there and answer another request, each with the reason.
    pub(super) changed: Reasons,
    /// Texts that are asked for, once the pictures are there.
    pub(super) texts: Vec<Task>,
    /// Turns of the kind that is not asked for.
    pub(super) of_other_kind: u32,
    /// Inputs that the level does not apply to.
    pub(super) gaps: InputGaps,
    /// Requests beyond the limit.
    pub(super) beyond: usize,
    /// Files that are spoken for.
    places: BTreeSet<String>,
}

/// What is known of a picture.
enum Known {
    Made,
    Due,
    /// The service declined the very request.
    Declined(String),
    Changed(&'static str),
}

impl Plan {
    /// Goes through the samples of the query.
    ///
    /// # Errors
    /// A sample vanishes, or a picture cannot be read.
    pub(super) fn new(
        host: &mut Host,
        order: &Order,
        query: &InputQuery,
        records: &[Record],
    ) -> anyhow::Result<Self> {
        let mut plan = Self::default();
        let list =
            juror_session::samples(&host.session.study(&query.samples.options), &query.samples);
        if let Some(fault) = list.fault {
            anyhow::bail!("--filter or --per: {} {}", fault.message, fault.hint);
        }
        for row in &list.rows {
            let sample =
                juror_session::sample(&host.session.study(&ScoreOptions::default()), &row.id)?;
            plan.add(host, order, (&sample, query), records)?;
        }
        plan.cut(order.limit);
        Ok(plan)
    }

    /// Adds a dialogue.
    fn add(
        &mut self,
        host: &mut Host,
        order: &Order,
        (sample, query): (&SampleView, &InputQuery),
        records: &[Record],
    ) -> anyhow::Result<()> {
        let mut chain = Vec::new();
        // Why later turns of the dialogue are not asked for.
        let mut stopped: Option<String> = None;
        for turn in &sample.turns {
            let kind = match turn.kind.as_str() {
                "text" => Kind::Text,
                _ => Kind::Picture,
            };
            if !order.turns.have(kind) {
                self.of_other_kind += 1;
                continue;
            }
            for key in query.keys(&sample.id, std::iter::once(turn.index)) {
                let Some(task) = self.task(host, order, (kind, key)) else {
                    continue;
                };
                let rests_on_new = order.is_own && !chain.is_empty();
                match known(host, order, &task, rests_on_new, records)? {
                    Known::Made => self.made += 1,
                    Known::Changed(why) if !order.is_again => {
                        self.changed.push((task.name(), why.to_owned()));
                    }
                    Known::Declined(why) if !order.is_again => {
                        if kind == Kind::Picture && order.stops() {
                            stopped = Some(super::stopped_at(&task));
                        }
                        let why = format!("{why} (--again asks once more)");
                        self.lacking.push((task.name(), why));
                    }
                    Known::Due | Known::Changed(_) | Known::Declined(_) => match &stopped {
                        Some(why) => self.lacking.push((task.name(), why.clone())),
                        None if kind == Kind::Text => self.texts.push(task),
                        None => chain.push(task),
                    },
                }
            }
        }
        if !chain.is_empty() {
            self.chains.push(chain);
        }
        Ok(())
    }

    /// The task of a key; `None` where there is nothing to ask, which is noted.
    fn task(
        &mut self,
        host: &mut Host,
        order: &Order,
        (kind, key): (Kind, InputKey),
    ) -> Option<Task> {
        let call = juror_session::generator_call(&host.session.linked(), &key);
        let name = Task {
            kind,
            key,
            place: call.place,
            pictures: 0,
        };
        let parts = call.input.messages.iter().flat_map(|it| &it.parts);
        let files: Vec<bool> = parts
            .filter_map(|part| match part {
                PartView::Image { file, .. } => Some(file.is_some()),
                PartView::Text { .. } => None,
            })
            .collect();
        if let Some(why) = &call.input.error {
            if order.level.is_some() {
                self.gaps.add_input(&call.input, why);
            } else {
                self.lacking.push((name.name(), why.clone()));
            }
            return None;
        }
        let lacks = if files.contains(&false) {
            "a picture of the request is not among the files: open the folder that holds it as well"
        } else if name.place.is_empty() {
            "the benchmark names no file for it"
        } else if tree::normalize(&name.place).ok().as_ref() != Some(&name.place) {
            "the benchmark names a file outside of the model's folder for it"
        } else if !self.places.insert(name.place.to_lowercase()) {
            "the benchmark names the same file for another turn as well"
        } else {
            let pictures = files.len();
            return Some(Task { pictures, ..name });
        };
        self.lacking.push((name.name(), lacks.to_owned()));
        None
    }

    /// How many requests there are.
    pub(super) fn requests(&self) -> usize {
        self.chains.iter().map(Vec::len).sum::<usize>() + self.texts.len()
    }

    /// Leaves no more than so many requests, pictures first.
    fn cut(&mut self, limit: Option<usize>) {
        let mut left = limit.unwrap_or(usize::MAX);
        for chain in &mut self.chains {
            let kept = chain.len().min(left);
            self.beyond += chain.len() - kept;
            chain.truncate(kept);
            left -= kept;
        }
        self.chains.retain(|chain| !chain.is_empty());
        self.beyond += self.texts.len().saturating_sub(left);
        self.texts.truncate(left);
    }
}

/// What the journal and the folder know of a picture.
fn known(
    host: &mut Host,
    order: &Order,
    task: &Task,
    rests_on_new: bool,
    records: &[Record],
) -> anyhow::Result<Known> {
    let own: Vec<&Record> = records.iter().filter(|it| task.is_of(it)).collect();
    let file = files::hash(&task.path(order))?;
    let made = own.iter().filter(|record| record.state == State::Made);
    let mut of_file = made.filter(|record| Some(&record.sha256) == file.as_ref());
    if file.is_some() && of_file.clone().next().is_none() {
        return Ok(Known::Changed(match task.kind {
            Kind::Picture => "there is a picture that its journal does not know",
            Kind::Text => "there is a text that its journal does not know",
        }));
    }
    if rests_on_new {
        return Ok(match file {
            Some(_) => Known::Changed("it rests on a picture that is asked for again"),
            None => Known::Due,
        });
    }
    if own.is_empty() {
        return Ok(Known::Due);
    }
    let input = juror_session::generator_call(&host.session.linked(), &task.key).input;
    // What cannot be sent fails when it is, with the reason.
    let Ok(given) = Given::of(host, (order.wire, task.kind), &input) else {
        return Ok(Known::Due);
    };
    let hash = given.hash(order.wire, order.params_of(task.kind));
    if file.is_some() {
        return Ok(if of_file.any(|record| record.request == hash) {
            Known::Made
        } else {
            Known::Changed("it was made for another request")
        });
    }
    let last = own
        .last()
        .filter(|last| last.is_declined() && last.request == hash);
    Ok(last.map_or(Known::Due, |last| {
        Known::Declined(last.error.clone().unwrap_or_default())
    }))
}
