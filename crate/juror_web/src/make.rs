//! The edge of making benchmarks: a project with its calls and decisions, and the originals that one begins with.

use std::io::Cursor;

use juror_judging::batch::Engine;
use juror_make::calls;
use juror_make::micon::case::{Count, published_counts};
use juror_make::refblend::import::import;
use juror_make::refblend::original::{Found, Original, found_in, found_in_list};
use juror_make::refblend::{self, Rater, Rewriting, Wording, voices_of};
use juror_make::{
    AnyProject, Copied, Decision, Error, KindAbout, Making as _, NAME, PromptPart, Reply, Request,
    Verdict, micon, realworld,
};
use juror_model::judge::Params;
use juror_model::prompt::sha256;
use juror_model::tree::leftover;
use juror_sources::archive::file::ZipFile;
use serde::{Deserialize, Serialize};
use wasm_bindgen::prelude::*;

use crate::error;

pub mod annotation;
pub mod billiards;

/// What is asked for of originals.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct OriginalsAsked {
    /// Decides every random choice.
    #[cfg_attr(feature = "typescript", ts(type = "number"))]
    seed: u64,
    /// Which combinations of types there are.
    #[cfg_attr(
        feature = "typescript",
        ts(type = "'kinds' | 'matrix' | 'matrix_four' | 'released'")
    )]
    rule: refblend::Rule,
    /// Which references are good enough.
    #[cfg_attr(feature = "typescript", ts(type = "'paper' | 'released'"))]
    filter: refblend::Filter,
    /// Whether ratings that lack are asked for.
    rate: bool,
    /// Whether instructions are rewritten in somebody's voice.
    rewrite: bool,
    /// Samples of each combination; 0 for one of each original.
    quota: u32,
    /// The authors' file of sentences; our own without it.
    templates: Option<String>,
    /// Voices, as a list or one on each line; our own forty without them.
    voices: Option<String>,
    /// Whether references that are not drawn as their type must be are left out.
    is_checked: bool,
}

impl OriginalsAsked {
    fn settings(self) -> Result<refblend::Settings, JsValue> {
        let voices = self.voices.as_deref().map(voices_of).transpose();
        Ok(refblend::Settings {
            rule: self.rule,
            filter: self.filter,
            rater: if self.rate {
                Rater::Asked
            } else {
                Rater::Given
            },
            wording: if self.templates.is_some() {
                Wording::Released
            } else {
                Wording::Ours
            },
            rewriting: if self.rewrite {
                Rewriting::Persona
            } else {
                Rewriting::Plain
            },
            quota: self.quota,
            templates: self.templates,
            voices: voices.map_err(refused)?.unwrap_or_default(),
        })
    }
}

/// What is asked for of cases that are drawn.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a box of the form, as it is a flag of the command"
)]
pub struct CountsAsked {
    /// Decides every random choice.
    #[cfg_attr(feature = "typescript", ts(type = "number"))]
    seed: u64,
    /// `object:2=10`, one for each task and number of references; as many as the paper has where there is none.
    counts: Vec<String>,
    /// Whether prompts call references Ref A, Ref B.
    labels: bool,
    /// Whether a model checks references first.
    filter: bool,
    /// Whether nothing is in before somebody accepts it.
    review: bool,
    /// Whether a judge writes the checkpoints of a case.
    judge_checkpoints: bool,
    /// Lists of one's own in the place of ours: names such as `subject`, each with its words, one on each line.
    lists: Vec<(String, String)>,
}

impl CountsAsked {
    fn settings(self) -> Result<micon::Settings, JsValue> {
        let counts: Result<Vec<Count>, Error> =
            self.counts.iter().map(|count| count.parse()).collect();
        let counts = counts.map_err(refused)?;
        let mut pools = micon::pools::Pools::default();
        for (name, words) in &self.lists {
            pools.replace(name, words).map_err(refused)?;
        }
        Ok(micon::Settings {
            counts: if counts.is_empty() {
                published_counts()
            } else {
                counts
            },
            labels: if self.labels {
                micon::Labels::Letters
            } else {
                micon::Labels::None
            },
            filter: if self.filter {
                micon::Filter::Asked
            } else {
                micon::Filter::Skipped
            },
            review: if self.review {
                micon::Review::Required
            } else {
                micon::Review::Optional
            },
            checkpoints: if self.judge_checkpoints {
                micon::Checkpoints::Judge
            } else {
                micon::Checkpoints::Slots
            },
            pools,
        })
    }
}

/// What a project begins with, by what it is made of.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum MakeAsked {
    /// See [`OriginalsAsked`].
    Originals(OriginalsAsked),
    /// See [`CountsAsked`].
    Counts(CountsAsked),
    /// A list of requests, each with its pictures.
    Posts,
}

/// A call that is due.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct DueCall {
    /// What replies go by.
    hash: String,
    /// What it is, in words.
    title: String,
    /// What is sent, and what is to come back.
    request: Request,
}

/// Something that somebody decides about.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct MadeThing {
    /// Its name in decisions.
    name: String,
    /// What is looked at.
    look: Vec<PromptPart>,
    /// What was decided last.
    decided: Option<Decision>,
}

/// How calls become a batch file.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct MakeBatch {
    /// Where it is run.
    engine: BatchEngine,
    /// The engine's name of the model.
    model: String,
    /// The engine's own setting if `null`.
    temperature: Option<f64>,
}

/// Where a batch file is run.
#[derive(Clone, Copy, Debug, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "snake_case")]
pub enum BatchEngine {
    /// OpenAI's Batch API.
    Openai,
    /// `vllm run-batch`.
    Vllm,
    /// Gemini's batch mode.
    Gemini,
}

/// What a file of replies came to.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct MakeTaken {
    /// Replies that were taken in.
    taken: usize,
    /// All of it in words.
    told: String,
}

/// A file that the project comes to.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct MadeFile {
    /// From the project file on.
    path: String,
    /// All of it.
    text: String,
}

fn refused(cause: impl std::fmt::Display) -> JsValue {
    error("make", &cause.to_string())
}

fn json(value: &impl Serialize) -> Result<String, JsValue> {
    serde_json::to_string(value).map_err(refused)
}

fn asked<'a, T: Deserialize<'a>>(text: &'a str) -> Result<T, JsValue> {
    serde_json::from_str(text).map_err(|cause| error("bad_question", &cause.to_string()))
}

/// Which types of references go together, as JSON of [`MatrixCell`](refblend::matrix::MatrixCell)s, row by row.
#[wasm_bindgen]
pub fn matrix() -> Result<String, JsValue> {
    json(&refblend::matrix::cells())
}

/// Every kind of project, as JSON of [`KindAbout`]s.
#[wasm_bindgen]
pub fn kinds() -> Result<String, JsValue> {
    json(&KindAbout::ALL)
}

/// A project that is carried on.
#[wasm_bindgen]
pub struct Maker {
    project: AnyProject,
}

#[wasm_bindgen]
impl Maker {
    /// Reads a project file.
    pub fn read(text: &str) -> Result<Maker, JsValue> {
        let project = AnyProject::read(text).map_err(refused)?;
        Ok(Self { project })
    }

    /// What it makes: the id of one of [`kinds`].
    pub fn kind(&self) -> Result<String, JsValue> {
        json(&self.project.kind()).map(|kind| kind.trim_matches('"').to_owned())
    }

    /// The project file.
    pub fn text(&self) -> String {
        self.project.text()
    }

    /// What the project file is called.
    pub fn name() -> String {
        NAME.to_owned()
    }

    /// Calls that are due, as JSON of [`DueCall`]s.
    pub fn due(&self) -> Result<String, JsValue> {
        let due = self.project.due().into_iter().map(|request| DueCall {
            hash: request.sha256(),
            title: request.title(),
            request,
        });
        json(&due.collect::<Vec<_>>())
    }

    /// How far it is, as JSON.
    pub fn progress(&self) -> Result<String, JsValue> {
        json(&self.project.progress())
    }

    /// Everything that there is to decide about now, as JSON of [`MadeThing`]s.
    pub fn things(&self) -> Result<String, JsValue> {
        let things = self.project.things().into_iter().map(|name| MadeThing {
            look: self.project.look(&name),
            decided: self.project.decided(&name).cloned(),
            name,
        });
        let there = things.filter(|thing| !thing.look.is_empty());
        json(&there.collect::<Vec<_>>())
    }

    /// The benchmark's files as they are now, as JSON of [`MadeFile`]s.
    pub fn files(&self) -> Result<String, JsValue> {
        let files = self.project.files().map_err(refused)?.into_iter();
        let files = files.map(|file| MadeFile {
            path: file.path,
            text: file.text,
        });
        json(&files.collect::<Vec<_>>())
    }

    /// Why a reply could not be used, so that the call would be due again; empty where it can be.
    pub fn lacks(&self, hash: &str, text: &str) -> Result<String, JsValue> {
        let due = self.project.due();
        let Some(request) = due.iter().find(|request| request.sha256() == hash) else {
            return Ok(String::new());
        };
        let mut copy = AnyProject::read(&self.project.text()).map_err(refused)?;
        copy.add_reply(Reply {
            request: hash.to_owned(),
            text: text.to_owned(),
            ..Reply::default()
        });
        let next = copy.due().into_iter().find(|next| {
            (&next.kind, &next.thing, next.attempt)
                == (&request.kind, &request.thing, request.attempt + 1)
        });
        Ok(next.map(|next| next.lacked).unwrap_or_default())
    }

    /// Takes a reply in; a call that is not due is refused.
    pub fn reply(
        &mut self,
        hash: String,
        text: String,
        by: String,
        time: String,
    ) -> Result<(), JsValue> {
        self.must_be_due(&hash)?;
        self.project.add_reply(Reply {
            request: hash,
            by,
            time,
            text,
            ..Reply::default()
        });
        Ok(())
    }

    /// Due calls as a sheet to copy from; all kinds of calls if `kind` is empty.
    pub fn sheet(&self, kind: &str) -> String {
        let due = self.project.due().into_iter();
        let due: Vec<Request> = due
            .filter(|request| kind.is_empty() || request.kind == kind)
            .collect();
        juror_make::sheet(&due)
    }

    /// Takes in a file of replies: results of a batch file, or lines `{"request": HASH, "reply": TEXT, "by": NAME}`. Gives
    /// what came of it (`MakeTaken` as JSON), then the pictures for the project's folder as pairs of path and bytes.
    pub fn take(&mut self, text: &str, time: &str) -> Result<js_sys::Array, JsValue> {
        let answer = js_sys::Array::new();
        answer.push(&JsValue::NULL);
        let taken = calls::take(&mut self.project, text, time, |Copied { path, bytes }| {
            let bytes = js_sys::Uint8Array::from(&bytes[..]);
            answer.push(&js_sys::Array::of2(&path.into(), &bytes));
            Ok::<(), Error>(())
        });
        let taken = taken.map_err(refused)?;
        let told = json(&MakeTaken {
            taken: taken.taken,
            told: taken.to_string(),
        })?;
        answer.set(0, told.into());
        Ok(answer)
    }

    /// Takes a picture in that a call wanted; one that cannot be read is refused.
    pub fn picture(
        &mut self,
        hash: String,
        bytes: &[u8],
        by: String,
        time: String,
    ) -> Result<(), JsValue> {
        self.must_be_due(&hash)?;
        juror_image::check(bytes, &juror_image::Limits::default())
            .map_err(|cause| refused(format!("The picture cannot be read: {}", cause.message())))?;
        self.project.add_reply(Reply {
            request: hash,
            by,
            time,
            picture: sha256(bytes),
            ..Reply::default()
        });
        Ok(())
    }

    /// Takes somebody's decision in.
    pub fn decide(
        &mut self,
        thing: String,
        is_in: bool,
        reason: String,
        by: String,
        time: String,
    ) -> Result<(), JsValue> {
        let decision = Decision {
            thing,
            verdict: if is_in {
                Verdict::Accept
            } else {
                Verdict::Reject
            },
            reason,
            by,
            time,
        };
        self.project.decide(vec![decision]).map_err(refused)
    }

    fn must_be_due(&self, hash: &str) -> Result<(), JsValue> {
        let due = self.project.due();
        if due.iter().any(|request| request.sha256() == hash) {
            return Ok(());
        }
        Err(refused("This call is no longer due."))
    }
}

/// The files of a ZIP as pairs of path and bytes, without what systems leave in it; `name` is the ZIP's own.
#[wasm_bindgen]
#[expect(
    clippy::needless_pass_by_value,
    reason = "what JavaScript hands over is owned here"
)]
pub fn unzip(bytes: Vec<u8>, name: &str) -> Result<js_sys::Array, JsValue> {
    let mut zip = ZipFile::list(Cursor::new(&bytes), name).map_err(refused)?;
    if let Some(one) = zip.archive.refused.first() {
        return Err(refused(format!("{}: {}", one.name, one.message)));
    }
    let files = js_sys::Array::new();
    for at in 0..zip.archive.entries.len() {
        let entry = &zip.archive.entries[at];
        if entry.is_leftover {
            continue;
        }
        let path = entry.path.clone();
        let bytes = js_sys::Uint8Array::from(&zip.bytes(at, None).map_err(refused)?[..]);
        files.push(&js_sys::Array::of2(&path.into(), &bytes));
    }
    Ok(files)
}

/// A batch file under way.
#[wasm_bindgen]
pub struct CallBatch(calls::Batch);

#[wasm_bindgen]
#[expect(
    clippy::needless_pass_by_value,
    reason = "what JavaScript hands over is owned here"
)]
impl CallBatch {
    /// `how` is [`MakeBatch`] as JSON.
    #[wasm_bindgen(constructor)]
    pub fn new(how: &str) -> Result<CallBatch, JsValue> {
        let MakeBatch {
            engine,
            model,
            temperature,
        } = asked(how)?;
        let engine = match engine {
            BatchEngine::Openai => Engine::OpenAi,
            BatchEngine::Vllm => Engine::Vllm,
            BatchEngine::Gemini => Engine::Gemini,
        };
        let params = Params {
            model,
            temperature,
            ..Params::default()
        };
        calls::Batch::new(engine, params).map(Self).map_err(refused)
    }

    /// A due call (`MakeRequest` as JSON) as a line, as `[number of the file, line]`; `paths` and `files` are its pictures.
    pub fn line(
        &mut self,
        request: &str,
        paths: Vec<String>,
        files: Vec<js_sys::Uint8Array>,
    ) -> Result<js_sys::Array, JsValue> {
        let request: Request = asked(request)?;
        let bytes = |path: &str| file_of(&paths, &files, path);
        let (number, line) = self.0.line(&request, bytes).map_err(refused)?;
        Ok(js_sys::Array::of2(&number.into(), &line.into()))
    }
}

/// The bytes of one of these files.
fn file_of(paths: &[String], files: &[js_sys::Uint8Array], path: &str) -> Option<Vec<u8>> {
    let at = paths.iter().position(|known| known == path)?;
    files.get(at).map(js_sys::Uint8Array::to_vec)
}

/// How a project begins: what it is made of is taken in one after the other.
#[wasm_bindgen]
pub struct Beginning {
    asked: MakeAsked,
    found: Source,
}

/// What is taken in, and what was.
enum Source {
    Originals {
        found: Vec<Found>,
        taken: Vec<Original>,
    },
    Posts {
        found: Vec<realworld::Found>,
        taken: Vec<realworld::Item>,
    },
    /// Nothing: cases are drawn.
    None,
}

/// Files that are given: all paths, and the texts of some.
struct Given {
    paths: Vec<String>,
    text_paths: Vec<String>,
    texts: Vec<String>,
}

impl Given {
    fn text(&self, path: &str) -> Option<String> {
        let at = self.text_paths.iter().position(|known| known == path)?;
        self.texts.get(at).cloned()
    }

    /// Paths that end in `.json`.
    fn lists(&self) -> impl Iterator<Item = &String> {
        self.paths.iter().filter(|path| {
            let ending = path.rsplit_once('.').map(|(_, ending)| ending);
            ending.is_some_and(|ending| ending.eq_ignore_ascii_case("json"))
        })
    }

    /// Lists below `json/` go before folders by type.
    fn originals(&self) -> Result<Vec<Found>, JsValue> {
        let mut found = Vec::new();
        for path in self.lists().filter(|path| path.starts_with("json/")) {
            let list = self.text(path).unwrap_or_default();
            found.extend(found_in_list(path, &list).map_err(refused)?);
        }
        if found.is_empty() {
            found = found_in(self.paths.iter().map(String::as_str), |path| {
                self.text(path)
            });
        }
        if found.is_empty() {
            return Err(refused(
                "No original was found: expected pictures in a folder original/ with references by type beside it, or the JSON files of the authors’ extraction below json/.",
            ));
        }
        for (at, one) in found.iter().enumerate() {
            if found[..at].iter().any(|known| known.id() == one.id()) {
                return Err(refused(format!(
                    "Two originals are called {}; rename one, as samples go by their names.",
                    one.id()
                )));
            }
        }
        Ok(found)
    }

    /// The one list at the top of the folder.
    fn posts(&self) -> Result<Vec<realworld::Found>, JsValue> {
        let top: Vec<&String> = self
            .lists()
            .filter(|path| !path.contains('/') && *path != NAME)
            .collect();
        let [path] = top[..] else {
            return Err(refused(format!(
                "Expected one list of requests in the folder, a JSON file beside its pictures; found {}.",
                top.len()
            )));
        };
        realworld::found_in_list(path, &self.text(path).unwrap_or_default()).map_err(refused)
    }
}

#[wasm_bindgen]
#[expect(
    clippy::needless_pass_by_value,
    reason = "what JavaScript hands over is owned here"
)]
impl Beginning {
    /// What a project begins with; `begin` is [`MakeAsked`] as JSON. `texts` are the texts of those files that end in `.txt` or
    /// `.json`, in the order of `text_paths`.
    #[wasm_bindgen(constructor)]
    pub fn new(
        begin: &str,
        paths: Vec<String>,
        text_paths: Vec<String>,
        texts: Vec<String>,
    ) -> Result<Beginning, JsValue> {
        let given = Given {
            paths: paths
                .into_iter()
                .filter(|path| leftover(path).is_none())
                .collect(),
            text_paths,
            texts,
        };
        let asked: MakeAsked = asked(begin)?;
        let found = match &asked {
            MakeAsked::Originals(_) => Source::Originals {
                found: given.originals()?,
                taken: Vec::new(),
            },
            MakeAsked::Posts => Source::Posts {
                found: given.posts()?,
                taken: Vec::new(),
            },
            MakeAsked::Counts(_) => Source::None,
        };
        Ok(Self { asked, found })
    }

    /// How many there are to take in.
    pub fn count(&self) -> usize {
        match &self.found {
            Source::Originals { found, .. } => found.len(),
            Source::Posts { found, .. } => found.len(),
            Source::None => 0,
        }
    }

    /// Paths of the files that the next one is made of; none after the last.
    pub fn wanted(&self) -> Vec<String> {
        match &self.found {
            Source::Originals { found, taken } => {
                let next = found.get(taken.len());
                let paths = next.into_iter().flat_map(|found| {
                    let references = found.references.values().flatten();
                    std::iter::once(&found.path).chain(references).cloned()
                });
                paths.collect()
            }
            Source::Posts { found, taken } => {
                let next = found.get(taken.len());
                let paths = next
                    .into_iter()
                    .flat_map(|found| found.inputs.iter().chain(&found.outputs).cloned());
                paths.collect()
            }
            Source::None => Vec::new(),
        }
    }

    /// Takes the next one in, by the bytes of its files; gives what goes into the project's folder as pairs of path and bytes.
    pub fn take(
        &mut self,
        paths: Vec<String>,
        files: Vec<js_sys::Uint8Array>,
    ) -> Result<js_sys::Array, JsValue> {
        let bytes = |path: &str| file_of(&paths, &files, path);
        let copies = match (&self.asked, &mut self.found) {
            (MakeAsked::Originals(asked), Source::Originals { found, taken })
                if taken.len() < found.len() =>
            {
                let (original, copies) =
                    import(&found[taken.len()], asked.is_checked, bytes).map_err(refused)?;
                taken.push(original);
                copies
            }
            (_, Source::Posts { found, taken }) if taken.len() < found.len() => {
                let next = found[taken.len()].clone();
                let (item, copies) = realworld::import(next, bytes).map_err(refused)?;
                taken.push(item);
                copies
            }
            _ => return Err(refused("Everything is taken in.")),
        };
        let pairs = copies.into_iter().map(|copied| {
            let bytes = js_sys::Uint8Array::from(&copied.bytes[..]);
            JsValue::from(js_sys::Array::of2(&copied.path.into(), &bytes))
        });
        Ok(pairs.collect())
    }

    /// Begins a project with all of them.
    pub fn begin(self) -> Result<Maker, JsValue> {
        let project = match (self.asked, self.found) {
            (MakeAsked::Originals(asked), Source::Originals { taken, .. }) => {
                let seed = asked.seed;
                let settings = asked.settings()?;
                let project = refblend::begin(seed, settings, taken).map_err(refused)?;
                AnyProject::Refblend(Box::new(project))
            }
            (_, Source::Posts { taken, .. }) => {
                AnyProject::Realworld(Box::new(realworld::begin(taken)))
            }
            (MakeAsked::Counts(asked), _) => {
                let seed = asked.seed;
                let project = micon::begin(seed, asked.settings()?).map_err(refused)?;
                AnyProject::Micon(Box::new(project))
            }
            _ => return Err(refused("Nothing is taken in.")),
        };
        Ok(Maker { project })
    }
}
