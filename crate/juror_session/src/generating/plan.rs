//! Which outputs of a generator are to be made: what is known to be there is not asked for again.

use std::collections::BTreeSet;

use crate::input_folder::{InputGaps, InputQuery};
use crate::state::Session;
use crate::view::SampleView;
use juror_judging::generating::Record;
use juror_model::options::ScoreOptions;
use juror_model::request::{InputKey, PartView};
use juror_model::tree;

use super::generator_call;

/// What a turn asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutputKind {
    /// A picture.
    Picture,
    /// A text.
    Text,
}

/// Turns by what their answer is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AskedTurns {
    /// Those that ask for a picture.
    Pictures,
    /// Those that ask for a text.
    Texts,
    /// Both.
    All,
}

impl AskedTurns {
    /// Whether those of a kind are asked for.
    pub fn have(self, kind: OutputKind) -> bool {
        match self {
            Self::Pictures => kind == OutputKind::Picture,
            Self::Texts => kind == OutputKind::Text,
            Self::All => true,
        }
    }
}

/// A picture or a text that is asked for.
#[derive(Clone, Debug)]
pub struct OutputTask {
    /// Which of the two.
    pub kind: OutputKind,
    /// What for.
    pub key: InputKey,
    /// Its place in the model's folder.
    pub place: String,
    /// Pictures that go along, as far as they are known before the turns before it are done.
    pub pictures: usize,
}

impl OutputTask {
    /// In words.
    pub fn name(&self) -> String {
        format!("sample {}, turn {}", self.key.sample, self.key.turn + 1)
    }

    /// Whether a record is of it.
    pub fn is_of(&self, record: &Record) -> bool {
        record.sample == self.key.sample && record.turn == self.key.turn
    }

    /// Why what follows it in its dialogue is not asked for; `else_way` names what has it go on.
    pub fn stopped(&self, else_way: &str) -> String {
        format!(
            "its dialogue stopped at turn {}: {else_way}",
            self.key.turn + 1
        )
    }
}

/// How outputs are asked for.
#[derive(Clone, Copy, Debug)]
pub struct OutputRules<'a> {
    /// Which turns.
    pub turns: AskedTurns,
    /// Whether later turns are shown the model's own pictures.
    pub is_own: bool,
    /// Whether a picture that failed ends its dialogue.
    pub stops: bool,
    /// Whether what the service declined, or what answers another request, is asked for again.
    pub is_again: bool,
    /// No more than so many.
    pub limit: Option<usize>,
    /// What has a dialogue go on that stopped, in words.
    pub go_on: &'a str,
    /// What has a request sent again, in words.
    pub ask_again: &'a str,
}

/// Pictures and texts by name, each with a reason.
pub type Reasons = Vec<(String, String)>;

/// What is to be done.
#[derive(Debug, Default)]
pub struct OutputPlan {
    /// Pictures that are asked for, dialogue by dialogue, those of one in the order of its turns.
    pub chains: Vec<Vec<OutputTask>>,
    /// Outputs that are there.
    pub made: u32,
    /// Outputs that are missing and are not asked for, each with the reason.
    pub lacking: Reasons,
    /// Outputs that are there and answer another request, each with the reason.
    pub changed: Reasons,
    /// Texts that are asked for, once the pictures are there.
    pub texts: Vec<OutputTask>,
    /// Turns of the kind that is not asked for.
    pub of_other_kind: u32,
    /// Inputs that the level does not apply to.
    pub gaps: InputGaps,
    /// Requests beyond the limit.
    pub beyond: usize,
    /// Files that are spoken for.
    places: BTreeSet<String>,
}

/// What is known of an output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KnownOutput {
    /// It is there.
    Made,
    /// It is to be made.
    Due,
    /// The service declined the very request.
    Declined(String),
    /// It is there and answers another request.
    Changed(&'static str),
}

/// One who knows which outputs are there.
pub trait KnowsOutputs {
    /// Why something is not known.
    type Error: From<crate::error::Error>;

    /// What is open.
    fn session(&mut self) -> &mut Session;

    /// What is known of an output; `rests_on_new`: a turn before it is asked for, whose picture it is shown.
    ///
    /// # Errors
    /// It cannot be known.
    fn known(&mut self, task: &OutputTask, rests_on_new: bool) -> Result<KnownOutput, Self::Error>;
}

impl OutputPlan {
    /// Goes through these samples.
    ///
    /// # Errors
    /// A sample vanishes, or what is known of an output cannot be read.
    pub fn new<K: KnowsOutputs>(
        knows: &mut K,
        rules: &OutputRules<'_>,
        (query, samples): (&InputQuery, &[String]),
    ) -> Result<Self, K::Error> {
        let mut plan = Self::default();
        for id in samples {
            let study = knows.session().study(&ScoreOptions::default());
            let sample = crate::sample(&study, id)?;
            plan.add(knows, rules, (&sample, query))?;
        }
        plan.cut(rules.limit);
        Ok(plan)
    }

    /// Adds a dialogue.
    fn add<K: KnowsOutputs>(
        &mut self,
        knows: &mut K,
        rules: &OutputRules<'_>,
        (sample, query): (&SampleView, &InputQuery),
    ) -> Result<(), K::Error> {
        let mut chain = Vec::new();
        // Why later turns of the dialogue are not asked for.
        let mut stopped: Option<String> = None;
        for turn in &sample.turns {
            let kind = match turn.kind.as_str() {
                "text" => OutputKind::Text,
                _ => OutputKind::Picture,
            };
            if !rules.turns.have(kind) {
                self.of_other_kind += 1;
                continue;
            }
            for key in query.keys(&sample.id, std::iter::once(turn.index)) {
                let Some(task) = self.task(knows.session(), (kind, key)) else {
                    continue;
                };
                let rests_on_new = rules.is_own && !chain.is_empty();
                match knows.known(&task, rests_on_new)? {
                    KnownOutput::Made => self.made += 1,
                    KnownOutput::Changed(why) if !rules.is_again => {
                        self.changed.push((task.name(), why.to_owned()));
                    }
                    KnownOutput::Declined(why) if !rules.is_again => {
                        if kind == OutputKind::Picture && rules.stops {
                            stopped = Some(task.stopped(rules.go_on));
                        }
                        let why = format!("{why} ({} asks once more)", rules.ask_again);
                        self.lacking.push((task.name(), why));
                    }
                    _ => match &stopped {
                        Some(why) => self.lacking.push((task.name(), why.clone())),
                        None if kind == OutputKind::Text => self.texts.push(task),
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
        session: &mut Session,
        (kind, key): (OutputKind, InputKey),
    ) -> Option<OutputTask> {
        let call = generator_call(&session.linked(), &key);
        let task = OutputTask {
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
            if task.key.variant.is_some() {
                self.gaps.add_input(&call.input, why);
            } else {
                self.lacking.push((task.name(), why.clone()));
            }
            return None;
        }
        let lacks = if files.contains(&false) {
            "a picture of the request is not among the files: open the folder that holds it as well"
        } else if task.place.is_empty() {
            "the benchmark names no file for it"
        } else if tree::normalize(&task.place).ok().as_ref() != Some(&task.place) {
            "the benchmark names a file outside of the model's folder for it"
        } else if !self.places.insert(task.place.to_lowercase()) {
            "the benchmark names the same file for another turn as well"
        } else {
            let pictures = files.len();
            return Some(OutputTask { pictures, ..task });
        };
        self.lacking.push((task.name(), lacks.to_owned()));
        None
    }

    /// How many requests there are.
    pub fn requests(&self) -> usize {
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
