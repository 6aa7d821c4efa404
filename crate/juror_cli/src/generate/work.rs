//! A generator's job: what is sent, and how each picture gets its name once its bytes are on disk.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use juror_judging::generating::{self, FORMAT, Record, State};
use juror_judging::keys::without_keys;
use juror_judging::provider::{
    Answer, Failure, FailureKind, PictureAnswer, Usage, picture_url, read_picture,
    read_whole_or_cut, url, usage,
};
use juror_judging::spending::Call;
use juror_make::bytes_of_base64;
use juror_model::judge::Params;
use juror_session::recording::words;

use super::given::Given;
use super::lists::Lists;
use super::{Order, stopped_at};
use crate::host::Host;
use crate::say;
use crate::sending::call::{Caller, Posted};
use crate::sending::files;
use crate::sending::kept::{Journal, Line};
use crate::sending::pace::{Outcome, Prepared, Step, Work, time};
use juror_image::{Fitted, fitted};
use juror_session::generating::{OutputKind, OutputTask};

impl Line for Record {
    const FORMAT: &'static str = FORMAT;
    const COMMAND: &'static str = "juror generate";
    const ELSEWHERE: &'static str = "name another model by --name";
    const WORDS: [&'static str; 2] = ["record", "records"];

    fn read(text: &str) -> (Vec<Self>, Option<(u32, String)>) {
        generating::read(text)
    }

    fn line(&self) -> String {
        generating::line(self)
    }
}

/// What a generator is asked.
pub(super) struct Generating<'a> {
    pub(super) outputs: Outputs<'a>,
    pub(super) caller: Caller,
}

/// What came of a generator's calls, and how each output gets its name.
pub(super) struct Outputs<'a> {
    pub(super) host: &'a mut Host,
    pub(super) order: &'a Order,
    /// Dialogue after dialogue, with the position of the last task of its dialogue.
    pub(super) tasks: Vec<(OutputTask, u32)>,
    /// What every record says.
    pub(super) head: Record,
    /// The parameters of calls for pictures and for texts, as records state them.
    pub(super) params: Params,
    pub(super) text_params: Params,
    pub(super) key: String,
    pub(super) journal: Journal,
    pub(super) lists: Lists,
    /// Pictures or texts that were made.
    pub(super) made: BTreeSet<u32>,
    /// Why one is missing.
    pub(super) reasons: BTreeMap<u32, String>,
    /// Pictures by the format that they came in, where that is not the one of their file's name.
    pub(super) came_as: BTreeMap<(&'static str, String), u32>,
    pub(super) leaked: u32,
    /// Texts that ended at the limit of their tokens.
    pub(super) cut: Vec<String>,
    /// What is known of calls that brought no picture.
    pub(super) tried: BTreeMap<u32, Record>,
    /// The last record that was written down.
    pub(super) last: Option<Record>,
    /// Why nothing more can be kept.
    pub(super) broken: Option<anyhow::Error>,
}

/// A call that is on its way.
pub(super) struct SentCall {
    /// Of a call for a text: its body without pictures, and how many those are.
    words: Option<(String, u32)>,
    call: Called,
    began: Instant,
}

/// A call as its record has it.
#[derive(Clone, Debug, Default)]
pub(super) struct Called {
    /// The hash of its request.
    pub(super) request: String,
    pub(super) is_leaked: bool,
    pub(super) seconds: f64,
    /// When the answer came; now where nothing is said of it.
    pub(super) time: Option<String>,
}

/// What an answer brought.
pub(super) struct Made {
    fitted: Fitted,
    /// What was written next to it.
    text: String,
    /// Whether it is a text that ended at the limit of its tokens.
    is_cut: bool,
}

impl Work for Generating<'_> {
    type Sent = SentCall;

    fn prepare(&mut self, at: u32) -> anyhow::Result<Step<SentCall>> {
        let Outputs {
            host, order, tasks, ..
        } = &mut self.outputs;
        let wire = order.wire;
        let task = &tasks[at as usize].0;
        let params = order.params_of(task.kind);
        let (given, is_leaked) = asked(host, order, task)?;
        let num_pictures = given.pictures().count();
        let (body, words) = match task.kind {
            OutputKind::Picture => (given.body(wire, params), None),
            OutputKind::Text => (
                Posted::Json(given.chat(wire, params)),
                Some((given.words(wire, params), u32::try_from(num_pictures)?)),
            ),
        };
        Ok(Step::Send(Prepared {
            asked: SentCall {
                words,
                call: Called {
                    request: given.hash(wire, params),
                    is_leaked,
                    ..Called::default()
                },
                began: Instant::now(),
            },
            caller: self.caller.clone(),
            url: address_of(order, task.kind, num_pictures),
            body,
        }))
    }

    fn cost(asked: &SentCall) -> Call<'_> {
        match &asked.words {
            None => Call::Picture,
            Some((body, pictures)) => Call::Text {
                body,
                pictures: *pictures,
            },
        }
    }

    fn take(&mut self, at: u32, asked: SentCall, status: u16, text: &str) -> Outcome<SentCall> {
        let call = Called {
            seconds: (asked.began.elapsed().as_secs_f64() * 1000.0).round() / 1000.0,
            ..asked.call
        };
        let (usage, made) = self.outputs.read(at, status, text);
        match self.outputs.take(at, call, status, made) {
            Ok(()) => Outcome::Answered(usage),
            Err(failure) => Outcome::Failed(failure, usage),
        }
    }

    fn clean(&self, message: &str) -> String {
        self.outputs.clean(message)
    }

    fn note(&mut self, at: u32, failure: &Failure) {
        self.outputs.reasons.insert(at, words(failure));
    }

    fn give_up(&mut self, at: u32, failure: &Failure) {
        self.outputs.give_up(at, failure);
    }

    fn is_broken(&self) -> bool {
        self.outputs.broken.is_some()
    }
}

/// What a generator is given for a task, and whether the data set's pictures are in it where the model's own are meant.
///
/// # Errors
/// It is not to be asked, or cannot be sent.
pub(super) fn asked(
    host: &mut Host,
    order: &Order,
    task: &OutputTask,
) -> anyhow::Result<(Given, bool)> {
    let call = juror_session::generator_call(&host.session.linked(), &task.key);
    anyhow::ensure!(
        task.kind == OutputKind::Picture || !order.stops() || call.stand_ins.is_empty(),
        "it is asked about pictures that the model has not made: --turns all asks for them first, and --on-failure golden shows those of the data set"
    );
    let given = Given::of(host, (order.wire, task.kind), &call.input)?;
    Ok((given, !call.stand_ins.is_empty()))
}

/// The address that a request of so many pictures goes to.
pub(super) fn address_of(order: &Order, kind: OutputKind, num_pictures: usize) -> String {
    let model = &order.params_of(kind).model;
    match kind {
        OutputKind::Picture => picture_url(order.wire, &order.base, model, num_pictures),
        OutputKind::Text => url(order.wire.wire(), &order.base, model),
    }
}

impl Outputs<'_> {
    /// What an answer of any status brings for a task, of which nothing is kept yet; with what it says of its tokens.
    pub(super) fn read(&self, at: u32, status: u16, text: &str) -> (Usage, Result<Made, Failure>) {
        let task = &self.tasks[at as usize].0;
        match task.kind {
            OutputKind::Picture => picture_of(self.order, status, text, task),
            OutputKind::Text => text_of(self.order, status, text),
        }
    }

    /// Keeps what an answer brought, or that it brought nothing.
    pub(super) fn take(
        &mut self,
        at: u32,
        call: Called,
        status: u16,
        made: Result<Made, Failure>,
    ) -> Result<(), Failure> {
        let mut record = Record {
            request: call.request,
            leaked: call.is_leaked,
            seconds: call.seconds,
            ..self.record(at)
        };
        record.time = call.time.unwrap_or(record.time);
        match made {
            Ok(made) => {
                record.text = self.clean(&made.text);
                self.keep_output(at, record, self.cleaned(at, made));
                Ok(())
            }
            Err(failure) => {
                // A success is paid for, whatever is in it.
                if (200..300).contains(&status) {
                    self.keep(Record {
                        kind: Some(failure.kind),
                        error: Some(self.clean(&words(&failure))),
                        ..record.clone()
                    });
                }
                self.tried.insert(at, record);
                Err(failure)
            }
        }
    }

    /// A text without the key; a picture as it is.
    fn cleaned(&self, at: u32, mut made: Made) -> Made {
        if self.tasks[at as usize].0.kind == OutputKind::Text {
            let text = String::from_utf8_lossy(&made.fitted.bytes);
            made.fitted.bytes = self.clean(&text).into_bytes();
        }
        made
    }

    /// A message without the key.
    pub(super) fn clean(&self, message: &str) -> String {
        without_keys(message, &[&self.key])
    }

    /// Writes down that a task is given up, and names what is not asked for with it.
    pub(super) fn give_up(&mut self, at: u32, failure: &Failure) {
        let (task, end) = self.tasks[at as usize].clone();
        let why = words(failure);
        say(&format!("juror: failed: {}: {why}", task.name()));
        let tried = self.tried.remove(&at);
        let record = tried.unwrap_or_else(|| self.record(at));
        self.keep(Record {
            state: State::GivenUp,
            time: time(),
            kind: Some(failure.kind),
            error: Some(why),
            ..record
        });
        if task.kind == OutputKind::Picture && self.order.stops() {
            for later in at + 1..=end {
                self.reasons.insert(later, stopped_at(&task));
            }
        }
    }

    /// What a record says of a task whatever came of it.
    fn record(&self, at: u32) -> Record {
        let OutputTask { kind, key, .. } = &self.tasks[at as usize].0;
        let params = match kind {
            OutputKind::Picture => &self.params,
            OutputKind::Text => &self.text_params,
        };
        Record {
            params: params.clone(),
            sample: key.sample.clone(),
            turn: key.turn,
            time: time(),
            ..self.head.clone()
        }
    }

    /// Writes a record down.
    fn keep(&mut self, record: Record) {
        match self.journal.append(&record) {
            Ok(()) => self.last = Some(record),
            Err(error) => drop(self.broken.get_or_insert(error)),
        }
    }

    /// Writes a picture or a text down, and opens it where later turns may show it.
    fn keep_output(&mut self, at: u32, record: Record, made: Made) {
        let Made { fitted, is_cut, .. } = made;
        let place = self.tasks[at as usize].0.place.clone();
        let record = Record {
            file: place.clone(),
            sha256: juror_model::prompt::sha256(&fitted.bytes),
            came_as: fitted.came_as.to_owned(),
            cut: is_cut,
            ..record
        };
        let is_leaked = record.leaked;
        if let Err(error) = self.write(record, &place, &fitted.bytes) {
            let why = format!("{error:#}");
            self.reasons.insert(at, why);
            self.broken.get_or_insert(error);
            return;
        }
        self.made.insert(at);
        self.reasons.remove(&at);
        if is_cut {
            self.cut.push(self.tasks[at as usize].0.name());
        }
        self.leaked += u32::from(is_leaked);
        if !fitted.came_as.is_empty() {
            let end = place.rsplit_once('.').map_or("", |(_, end)| end);
            let kind = (fitted.came_as, end.to_lowercase());
            *self.came_as.entry(kind).or_default() += 1;
        }
    }

    /// The bytes, then a record of them, then the name, then the record that counts.
    fn write(&mut self, record: Record, place: &str, bytes: &[u8]) -> anyhow::Result<()> {
        let path = self.order.folder.join(place);
        files::put(&path, bytes)?;
        self.journal.append(&Record {
            state: State::Received,
            ..record.clone()
        })?;
        files::name(&path)?;
        let record = Record {
            state: State::Made,
            ..record
        };
        self.journal.append(&record)?;
        self.last = Some(record);
        self.lists.add(self.host, place)?;
        if self.order.is_own {
            self.host.add_output(&self.order.folder, place)?;
        }
        Ok(())
    }
}

/// The picture of an answer with what was written next to it, or why there is none; and what the answer says of its tokens.
fn picture_of(
    order: &Order,
    status: u16,
    text: &str,
    task: &OutputTask,
) -> (Usage, Result<Made, Failure>) {
    let (base64, url, text, usage) = match read_picture(order.wire, status, text) {
        PictureAnswer::Failed(failure) => return (Usage::default(), Err(failure)),
        PictureAnswer::Picture {
            base64,
            url,
            text,
            input_tokens,
            output_tokens,
        } => {
            let tokens = |count: Option<u64>| count.map(|count| count as f64);
            let usage = Usage {
                input_tokens: tokens(input_tokens),
                output_tokens: tokens(output_tokens),
            };
            (base64, url, text, usage)
        }
    };
    if !url.is_empty() {
        let message = "The service answers with the address of the picture instead of its bytes, and no other address is asked: have the bytes in the answer, with most services by --extra {\"response_format\":\"b64_json\"}.";
        return (usage, Err(Failure::new(FailureKind::UnnamedHost, message)));
    }
    let bad = |message: &str| Failure::new(FailureKind::BadPicture, message);
    let Some(bytes) = bytes_of_base64(&base64) else {
        return (usage, Err(bad("The picture is not in base64.")));
    };
    let fitted = fitted(bytes, &task.place).map_err(|error| bad(&error.to_string()));
    let made = fitted.map(|fitted| Made {
        fitted,
        text,
        is_cut: false,
    });
    (usage, made)
}

/// The text of an answer, or why there is none; and what the answer says of its tokens.
fn text_of(order: &Order, status: u16, text: &str) -> (Usage, Result<Made, Failure>) {
    let wire = order.wire.wire();
    let (answer, is_cut) = read_whole_or_cut(wire, status, text);
    let made = match answer {
        Answer::Failed(failure) => Err(failure),
        Answer::Reply { text, .. } => Ok(Made {
            fitted: Fitted {
                bytes: text.into_bytes(),
                came_as: "",
            },
            text: String::new(),
            is_cut,
        }),
    };
    (usage(wire, text), made)
}
