//! What generators are given for many turns, as a folder to generate from: the list of requests, and where each picture goes.
//!
//! The folder needs nothing outside of it: its pictures are copies, changed ones in `changed/FACTOR=LEVEL`, all others in
//! `pictures`. The host makes the pictures; which ones, and under which names, is decided here.

use crate::study::Study;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt::Write as _;

use serde::{Deserialize, Serialize};

use super::list::samples;
use super::request::generator_input;
use super::sample::sample;
use super::state::Session;
use crate::error::Error;
use crate::view::{InputView, SampleQuery};
use juror_model::experiment::{FactorLevel, Variant};
use juror_model::options::Profile;
use juror_model::request::{Context, Given, InputKey, Packing, PartView, Treatment};

/// The name in place of a model's, which is not known yet.
const MODEL: &str = "MODEL";

/// One picture of the folder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct InputPicture {
    /// Its path in the folder.
    pub place: String,
    /// The file that it is made of; where a treatment needs two, both; of one row all of it in their order.
    pub files: Vec<u32>,
    /// What is done to it.
    pub treatment: Treatment,
    /// Whether it is one numbered row of all of its files.
    pub is_row: bool,
    /// The path that it was opened from; of a row which turn it is of.
    pub path: String,
}

/// A request with the pictures that are new with it.
#[derive(Clone, Debug, PartialEq)]
pub struct PlannedInput {
    /// The request as a line of the list, without its end.
    pub line: String,
    /// Pictures that no request before it has.
    pub pictures: Vec<InputPicture>,
}

/// Requests that cannot be written, for one reason.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct InputGap {
    /// Why, with the level where one was asked for.
    pub reason: String,
    /// How many.
    pub count: u32,
    /// The first of them: sample and turn.
    pub first: String,
}

/// The whole folder.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct InputFolder {
    /// The list: `inputs.jsonl`.
    pub list: String,
    /// Requests in it.
    pub requests: u32,
    /// The pictures.
    pub pictures: Vec<InputPicture>,
    /// Requests that are not in it.
    pub gaps: Vec<InputGap>,
}

/// Why a request is not in the folder.
#[derive(Debug, thiserror::Error)]
pub enum NoLine {
    /// There is no such input.
    #[error("{0}")]
    Input(String),
    /// It has a picture that was not opened.
    #[error(
        "a picture of the request is not among the files; open the folder that holds it as well."
    )]
    Picture,
    /// It cannot be written as JSON.
    #[error("the request cannot be written: {0}")]
    Json(#[from] serde_json::Error),
}

/// The names that are taken in a folder.
#[derive(Debug, Default)]
pub struct InputPlaces {
    /// By file, second file, treatment and folder.
    known: HashMap<(u32, Option<u32>, String, String), String>,
    used: HashSet<String>,
}

/// Which inputs are written.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(default, deny_unknown_fields)]
pub struct InputQuery {
    /// Which samples, as the list has them.
    pub samples: SampleQuery,
    /// For whom: the name that folders of outputs begin with, and whose own pictures a dialogue's context takes.
    pub model: String,
    /// The levels, each for itself; the requests as they are where none is named.
    pub levels: Vec<FactorLevel>,
}

impl InputQuery {
    /// The keys of a sample's inputs, turn by turn, each on every level.
    pub fn keys(&self, id: &str, turns: impl Iterator<Item = u32>) -> Vec<InputKey> {
        let mut levels: Vec<Option<FactorLevel>> = self.levels.iter().cloned().map(Some).collect();
        if levels.is_empty() {
            levels.push(None);
        }
        let key = |turn, variant| InputKey {
            model: self.model.clone(),
            sample: id.to_owned(),
            turn,
            context: Context::default(),
            packing: Packing::default(),
            profile: Profile::default(),
            variant,
        };
        turns
            .flat_map(|turn| levels.iter().cloned().map(move |level| key(turn, level)))
            .collect()
    }
}

/// The folder of every input that is asked for; a picture that does not decode shows when it is made.
///
/// # Errors
/// `unknown_sample` if the list changes on the way.
pub fn input_folder(study: &Study<'_>, query: &InputQuery) -> Result<InputFolder, Error> {
    let list = samples(study, &query.samples);
    let mut found = InputFolder::default();
    let mut places = InputPlaces::default();
    let mut gaps = InputGaps::default();
    if let Some(fault) = list.fault {
        gaps.add(
            None,
            &format!("{} {}", fault.message, fault.hint),
            String::new,
        );
    }
    for row in &list.rows {
        let view = sample(study, &row.id)?;
        for key in query.keys(&view.id, view.turns.iter().map(|turn| turn.index)) {
            let input = generator_input(study, &key);
            match places.plan(study, &input) {
                Ok(planned) => {
                    // Writing to a string cannot fail.
                    let _ = writeln!(found.list, "{}", planned.line);
                    found.requests += 1;
                    found.pictures.extend(planned.pictures);
                }
                Err(reason) => gaps.add_input(&input, &reason.to_string()),
            }
        }
    }
    found.gaps = gaps.into_list();
    Ok(found)
}

/// Sample and turn, in words.
fn place_of(key: &InputKey) -> String {
    format!("{}, turn {}", key.sample, key.turn + 1)
}

/// Requests that are not written, by reason.
#[derive(Debug, Default)]
pub struct InputGaps(BTreeMap<String, (u32, String)>);

impl InputGaps {
    /// Counts one more.
    pub fn add(
        &mut self,
        level: Option<&FactorLevel>,
        reason: &str,
        first: impl FnOnce() -> String,
    ) {
        let level = level.map_or_else(String::new, |FactorLevel { factor, level }| {
            format!("{factor}={level}: ")
        });
        let known = self.0.entry(level + reason);
        known.or_insert_with(|| (0, first())).0 += 1;
    }

    /// The same for a request that was planned.
    pub fn add_input(&mut self, input: &InputView, reason: &str) {
        let key = &input.key;
        self.add(key.variant.as_ref(), reason, || place_of(key));
    }

    /// All of them, in the order of their reasons.
    pub fn into_list(self) -> Vec<InputGap> {
        let all = self.0.into_iter();
        all.map(|(reason, (count, first))| InputGap {
            reason,
            count,
            first,
        })
        .collect()
    }
}

impl InputPlaces {
    /// A request as a line, and the pictures that it brings; or why there is none.
    ///
    /// # Errors
    /// In words: the input's own error, or a picture that is not among the files.
    pub fn plan(&mut self, session: &Session, input: &InputView) -> Result<PlannedInput, NoLine> {
        let (messages, pictures) = self.messages(session, input)?;
        Ok(PlannedInput {
            line: line(input, &messages)?,
            pictures,
        })
    }

    /// The messages of a request, and the pictures that it brings.
    fn messages<'a>(
        &mut self,
        session: &Session,
        input: &'a InputView,
    ) -> Result<(Vec<GivenMessage<'a>>, Vec<InputPicture>), NoLine> {
        if let Some(told) = &input.error {
            return Err(NoLine::Input(told.clone()));
        }
        let parts = input.messages.iter().flat_map(|message| &message.parts);
        let is_missing = |part: &PartView| matches!(part, PartView::Image { file: None, .. });
        if parts.clone().any(is_missing) {
            return Err(NoLine::Picture);
        }
        let mut pictures = Vec::new();
        let row = self.row(input, &mut pictures);
        let mut is_given = false;
        let mut messages = Vec::new();
        for message in &input.messages {
            let mut parts = Vec::new();
            for part in &message.parts {
                parts.push(match (part, &row) {
                    (PartView::Text { text }, _) => GivenPart::Text { text },
                    // The row stands in the place of its first picture.
                    (PartView::Image { .. }, Some(_)) if std::mem::replace(&mut is_given, true) => {
                        continue;
                    }
                    (PartView::Image { .. }, Some(row)) => GivenPart::Picture { path: row.clone() },
                    (PartView::Image { .. }, None) => {
                        let level = input.key.variant.as_ref();
                        let path = self.picture(session, part, level, &mut pictures);
                        GivenPart::Picture { path }
                    }
                });
            }
            messages.push(GivenMessage {
                role: &message.role,
                parts,
            });
        }
        Ok((messages, pictures))
    }

    /// Takes back a request whose pictures cannot be made: others that need them have to make them again.
    pub fn take_back(&mut self, planned: &PlannedInput) {
        let gone = |place: &String| planned.pictures.iter().any(|own| own.place == *place);
        self.known.retain(|_, place| !gone(place));
    }

    /// The path of the one row that a request's pictures are joined to, where they are given so.
    fn row(&mut self, input: &InputView, pictures: &mut Vec<InputPicture>) -> Option<String> {
        let InputKey {
            sample,
            turn,
            variant: Some(FactorLevel { factor, level }),
            ..
        } = &input.key
        else {
            return None;
        };
        if input.given != Given::OneRow || input.pictures.is_empty() {
            return None;
        }
        let name = format!("{}_turn{}.png", inside(sample).replace('/', "_"), turn + 1);
        let place = self.free(&format!("changed/{factor}={level}/{name}"));
        pictures.push(InputPicture {
            place: place.clone(),
            files: input.pictures.clone(),
            treatment: Treatment::AsIs,
            is_row: true,
            path: place_of(&input.key),
        });
        Some(place)
    }

    /// This place in the folder, or one with a number where it is taken.
    fn free(&mut self, wanted: &str) -> String {
        let mut place = wanted.to_owned();
        let mut number = 2;
        while !self.used.insert(place.clone()) {
            place = numbered(wanted, number);
            number += 1;
        }
        place
    }

    /// The path of a part's picture in the folder; new with its first use.
    fn picture(
        &mut self,
        session: &Session,
        part: &PartView,
        level: Option<&FactorLevel>,
        pictures: &mut Vec<InputPicture>,
    ) -> String {
        let PartView::Image {
            file: Some(file),
            path,
            treatment,
            other,
            ..
        } = part
        else {
            return String::new();
        };
        let folder = match level {
            Some(FactorLevel { factor, level }) if treatment.is_of_variant() => {
                format!("changed/{factor}={level}")
            }
            _ => "pictures".to_owned(),
        };
        let key = (*file, *other, treatment.id().into_owned(), folder.clone());
        if let Some(known) = self.known.get(&key) {
            return known.clone();
        }
        let is_made = *treatment != Treatment::AsIs;
        let name = if is_made {
            as_prepared(path, treatment)
        } else {
            path.clone()
        };
        let place = self.free(&format!("{folder}/{}", inside(&name)));
        self.known.insert(key, place.clone());
        pictures.push(InputPicture {
            place: place.clone(),
            files: [Some(*file), other.filter(|_| is_made)]
                .into_iter()
                .flatten()
                .collect(),
            treatment: treatment.clone(),
            is_row: false,
            path: session.path(*file).to_owned(),
        });
        place
    }
}

/// What a generator is sent for a turn.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GeneratorRequest {
    /// Roles with the parts of their messages, in order.
    pub messages: Vec<(String, Vec<RequestedPart>)>,
    /// The pictures, each once.
    pub pictures: Vec<InputPicture>,
}

/// A part of a message that a generator is sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RequestedPart {
    /// A text.
    Text(String),
    /// A picture, by its position in [`GeneratorRequest::pictures`].
    Picture(usize),
}

/// What a generator is sent for a turn: what its line of the list says.
///
/// # Errors
/// As of [`InputPlaces::plan`].
pub fn generator_request(session: &Session, input: &InputView) -> Result<GeneratorRequest, NoLine> {
    // The names in a folder of one request are those of all its pictures.
    let (messages, pictures) = InputPlaces::default().messages(session, input)?;
    let part = |part: GivenPart<'_>| match part {
        GivenPart::Text { text } => Ok(RequestedPart::Text(text.to_owned())),
        GivenPart::Picture { path } => {
            let at = pictures.iter().position(|one| one.place == path);
            at.map(RequestedPart::Picture).ok_or(NoLine::Picture)
        }
    };
    let messages = messages.into_iter().map(|GivenMessage { role, parts }| {
        let parts: Result<Vec<_>, NoLine> = parts.into_iter().map(part).collect();
        Ok((role.to_owned(), parts?))
    });
    let messages = messages.collect::<Result<Vec<_>, NoLine>>()?;
    Ok(GeneratorRequest { messages, pictures })
}

/// A message of a line.
#[derive(Debug, Serialize)]
struct GivenMessage<'a> {
    role: &'a str,
    parts: Vec<GivenPart<'a>>,
}

/// A part of a message of a line.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
enum GivenPart<'a> {
    Text { text: &'a str },
    Picture { path: String },
}

/// A line: its fields are in this order in every build.
#[derive(Debug, Serialize)]
struct Line<'a> {
    sample: &'a str,
    turn: u32,
    factor: Option<&'a str>,
    level: Option<&'a str>,
    prompt: String,
    pictures: Vec<&'a str>,
    messages: &'a [GivenMessage<'a>],
    folder: String,
    output: &'a str,
    notes: &'a [String],
}

/// A request as a line: prompt and pictures for those who give both at once, messages for those who keep their order.
fn line(input: &InputView, messages: &[GivenMessage<'_>]) -> Result<String, serde_json::Error> {
    let InputKey {
        model,
        sample,
        turn,
        variant,
        ..
    } = &input.key;
    let mut texts: Vec<&str> = Vec::new();
    let mut pictures: Vec<&str> = Vec::new();
    for part in messages.iter().flat_map(|message| &message.parts) {
        match part {
            GivenPart::Text { text } => texts.push(text),
            GivenPart::Picture { path } => pictures.push(path),
        }
    }
    let base = if model.is_empty() { MODEL } else { model };
    let levels = variant.iter();
    let folder = Variant {
        base: base.to_owned(),
        levels: levels
            .map(|one| (one.factor.clone(), one.level.clone()))
            .collect(),
    };
    let line = Line {
        sample,
        turn: *turn,
        factor: variant.as_ref().map(|one| one.factor.as_str()),
        level: variant.as_ref().map(|one| one.level.as_str()),
        prompt: texts.join("\n"),
        pictures,
        messages,
        folder: folder.name(),
        output: &input.output,
        notes: &input.notes,
    };
    serde_json::to_string(&line)
}

/// The name of a picture that something was done to.
fn as_prepared(path: &str, treatment: &Treatment) -> String {
    let stem = path.rsplit_once('.').map_or(path, |(stem, _)| stem);
    match treatment {
        Treatment::Jpeg => format!("{stem}.jpg"),
        Treatment::RgbPng | Treatment::RgbaPng => format!("{stem}.png"),
        variant if variant.is_of_variant() => format!("{stem}.png"),
        other => format!("{stem}_{}.png", other.id()),
    }
}

/// A path without what would lead out of the folder.
fn inside(path: &str) -> String {
    let path = path.replace('\\', "/");
    let parts = path.split('/');
    let parts: Vec<&str> = parts
        .filter(|part| !["", ".", ".."].contains(part))
        .collect();
    parts.join("/")
}

/// `a/b.png` as `a/b_2.png`.
fn numbered(path: &str, number: u32) -> String {
    match path.rsplit_once('.') {
        Some((stem, extension)) if !extension.contains('/') => {
            format!("{stem}_{number}.{extension}")
        }
        _ => format!("{path}_{number}"),
    }
}
