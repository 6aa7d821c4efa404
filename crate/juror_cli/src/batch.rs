//! `juror requests --engine openai|vllm|gemini`: judge requests as batch files, written one by one.
//!
//! What is asked is the session's, what a line looks like `juror_judging::batch`'s, what a judge is shown of a
//! picture `juror_image::prepare`'s; here files are read and written.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::fs::{self, File};
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};

use juror_model::options::ScoreOptions;
use juror_model::request::{PartView, RequestView, Treatment};
use juror_protocols::contract::{Protocol, Requests};

use anyhow::{Context as _, bail};
pub(crate) use juror_judging::batch::Engine;
use juror_judging::batch::{self, LineId, Split};
use juror_judging::provider::{Content, as_sent, check_size, is_limit, media_type_of, takes};
use juror_judging::{base64, percent_encode};
use juror_model::judge::{JudgePreset, Params, Wire};
use serde_json::{Map, Value};

use crate::host::Host;
use crate::requests::{self, ListedRequest, Which};

/// Where the pictures go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Images {
    /// Into the lines, in base64.
    Inline,
    /// Into a folder beside the file, named by `file://`.
    Folder,
    /// Into that folder, named by this prefix: where its content is going to be reachable.
    Prefix(String),
}

impl std::str::FromStr for Images {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "inline" => Ok(Self::Inline),
            "file" => Ok(Self::Folder),
            prefix if prefix.contains("://") => {
                Ok(Self::Prefix(prefix.trim_end_matches('/').to_owned()))
            }
            other => Err(format!(
                "expected inline, file, or a prefix such as https://… or file:///…, found {other}"
            )),
        }
    }
}

/// Who judges.
#[derive(Clone, Debug, Default)]
pub(crate) struct JudgeArgs {
    /// Judge id; the protocol's usual one of the engine's kind if not given.
    pub(crate) judge: Option<String>,
    /// The engine's name of the model.
    pub(crate) judge_model: Option<String>,
    pub(crate) params: ParamArgs,
}

/// How the model answers.
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct ParamArgs {
    /// Temperature; the judge's own if not given.
    #[arg(long, value_parser = temperature)]
    temperature: Option<f64>,
    /// Most tokens of a reply, from 1; the judge's own if not given.
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    max_tokens: Option<u32>,
    /// More parameters by the service's names, as a JSON object.
    #[arg(long, value_name = "JSON")]
    extra: Option<String>,
}

impl ParamArgs {
    /// The parameters of a model that has none of its own.
    pub(crate) fn of(&self, model: &str) -> anyhow::Result<Params> {
        Ok(Params {
            model: model.to_owned(),
            temperature: self.temperature,
            max_tokens: self.max_tokens,
            extra: self.extra()?,
        })
    }

    fn extra(&self) -> anyhow::Result<Map<String, Value>> {
        let text = self.extra.as_deref().unwrap_or("{}");
        serde_json::from_str(text).context("--extra is not a JSON object")
    }
}

/// A temperature as services take it.
pub(crate) fn temperature(text: &str) -> anyhow::Result<f64> {
    let number = text.parse().ok();
    let number = number.filter(|number: &f64| number.is_finite() && *number >= 0.0);
    number.context("expected a number from 0")
}

/// What is written.
#[derive(Clone, Debug)]
pub(crate) struct Order<'a> {
    pub(crate) engine: Engine,
    pub(crate) judge: &'a JudgeArgs,
    pub(crate) scope: &'a requests::Scope,
    pub(crate) which: Which,
    pub(crate) runs: u32,
    pub(crate) images: Images,
    pub(crate) out: &'a Path,
}

/// What came of it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Written {
    /// Files with their lines and bytes.
    pub(crate) files: Vec<(PathBuf, u64, u64)>,
    /// Requests that could not be written.
    pub(crate) left_out: u32,
}

/// Writes the files.
pub(crate) fn write(host: &mut Host, order: &Order<'_>) -> anyhow::Result<Written> {
    let overview = juror_session::overview(&host.session.study(&ScoreOptions::default()));
    let info = overview
        .benchmark
        .context("no benchmark was found; see juror inspect")?;
    let protocol = info.protocol;
    let known = juror_protocols::registry::ALL
        .iter()
        .find(|known| known.id() == protocol);
    let is_usual = |preset: &JudgePreset| is_usual(order.engine, preset);
    let (judge, params) = judge(known.copied(), order.engine.wire(), &is_usual, order.judge)?;
    params
        .check(order.engine.wire())
        .map_err(anyhow::Error::msg)?;
    tell_temperature(order.engine.wire(), &params);
    let mut files = Files::new(order.out, order.engine);
    let mut pictures = Pictures::new(order)?;
    let mut without_output = 0;
    let mut left_out = 0;
    // Replies under other prompts answer other questions.
    let known_as = juror_session::judge_in_use(&host.session.linked(), &judge);
    requests::for_each(host, order.scope, |host, asked| {
        if juror_session::is_computed(&host.session, &asked.key.criterion) {
            return Ok(());
        }
        // As on the page: what is missing or broken is an incident of the model's and costs no call.
        if asked.output.file.is_none() || !asked.output.problem.is_empty() {
            without_output += 1;
            return Ok(());
        }
        let is_open = |run: &u32| order.which == Which::All || !is_answered(asked, &known_as, *run);
        let runs: Vec<u32> = (1..=order.runs).filter(is_open).collect();
        if runs.is_empty() {
            return Ok(());
        }
        let request = requests::request(host, &asked.key)?;
        if request.error.is_some() && request.parts.is_empty() {
            // A computed metric has nothing to ask a judge.
            return Ok(());
        }
        let lines = lines(
            host,
            order,
            &request,
            &mut pictures,
            |run| LineId::new(&protocol, &request, &judge, run),
            &runs,
            &params,
        );
        match lines {
            Ok(lines) => {
                for line in lines {
                    files.write(&line)?;
                }
            }
            Err(error) => {
                let key = &asked.key;
                crate::say(&format!(
                    "juror: left out: model {}, sample {}, turn {}, {}: {error:#}",
                    key.model,
                    key.sample,
                    key.turn + 1,
                    key.criterion
                ));
                left_out += 1;
            }
        }
        Ok(())
    })?;
    tell_left_out(without_output);
    pictures.tell_converted();
    Ok(Written {
        files: files.finish()?,
        left_out,
    })
}

/// Says where a temperature is not sent.
pub(crate) fn tell_temperature(wire: Wire, params: &Params) {
    if params.temperature.is_some() && as_sent(wire, params).temperature.is_none() {
        crate::say(&format!(
            "juror: no temperature is sent, as {} takes none",
            params.model
        ));
    }
}

/// Says how many requests have nothing to judge.
fn tell_left_out(without_output: u32) {
    if without_output > 0 {
        crate::say(&format!(
            "juror: {without_output} {} no output that can be judged and {} not written.",
            if without_output == 1 {
                "request has"
            } else {
                "requests have"
            },
            if without_output == 1 { "is" } else { "are" },
        ));
    }
}

/// The judge's id with its parameters: the protocol's own, changed by what the user gave.
pub(crate) fn judge(
    protocol: Option<&dyn Protocol>,
    wire: Wire,
    is_usual: &dyn Fn(&JudgePreset) -> bool,
    args: &JudgeArgs,
) -> anyhow::Result<(String, Params)> {
    let presets: Vec<JudgePreset> = protocol.map(Requests::judges).unwrap_or_default();
    let known = || -> String {
        let names: Vec<String> = presets
            .iter()
            .map(|preset| {
                format!(
                    "{} ({}, {})",
                    preset.id,
                    preset.wire.id(),
                    preset.params.model
                )
            })
            .collect();
        names.join(", ")
    };
    let preset = match &args.judge {
        Some(id) => presets.iter().find(|preset| preset.is_called(id)),
        None => match presets.iter().find(|preset| is_usual(preset)) {
            Some(preset) => Some(preset),
            None => bail!(
                "name the judge by --judge; the benchmark's own: {}",
                known()
            ),
        },
    };
    if let Some(preset) = preset
        && preset.wire != wire
        && args.judge_model.is_none()
    {
        bail!(
            "the judge {} is asked in the form of {}, and these requests are in that of {}; the benchmark's own judges: {}. Name another model by --judge-model if you mean it.",
            preset.id,
            preset.wire.id(),
            wire.id(),
            known()
        );
    }
    let id = args
        .judge
        .clone()
        .or(preset.map(|preset| preset.id.clone()))
        .unwrap_or_default();
    let mut params = preset
        .filter(|preset| preset.wire == wire)
        .map_or_else(Params::default, |preset| preset.params.clone());
    if let Some(model) = &args.judge_model {
        params.model.clone_from(model);
    } else if params.model.is_empty() {
        params.model.clone_from(&id);
    }
    params.temperature = args.params.temperature.or(params.temperature);
    if args.params.max_tokens.is_some() {
        // The judge's own limit may stand under another name.
        params.max_tokens = args.params.max_tokens;
        params.extra.retain(|name, _| !is_limit(name));
    }
    params.extra.extend(args.params.extra()?);
    Ok((id, params))
}

/// A judge that the engine can run; vLLM has open models only, whose names have an owner in front.
fn is_usual(engine: Engine, preset: &JudgePreset) -> bool {
    let is_open = preset.params.model.contains('/');
    preset.wire == engine.wire() && (engine != Engine::Vllm || is_open)
}

/// Whether this judge's reply of this run is there and can be read.
fn is_answered(asked: &ListedRequest<'_>, judge: &str, run: u32) -> bool {
    asked.output.verdicts.iter().any(|verdict| {
        verdict.criterion == asked.key.criterion
            && verdict.status == "ok"
            && verdict.judge == judge
            && verdict.run == run
    })
}

/// One line per run of a request.
fn lines(
    host: &Host,
    order: &Order<'_>,
    request: &RequestView,
    pictures: &mut Pictures,
    id: impl Fn(u32) -> LineId,
    runs: &[u32],
    params: &Params,
) -> anyhow::Result<Vec<String>> {
    if let Some(error) = &request.error {
        bail!("{error}");
    }
    let mut shown = Vec::new();
    for part in request.parts.iter().filter(|part| part.is_sent()) {
        match part {
            PartView::Text { text } => shown.push(Shown::Text(text)),
            PartView::Image {
                file,
                path,
                treatment,
                other,
                ..
            } => {
                let made = pictures.make(host, (*file, *other), path, treatment)?;
                shown.push(Shown::Picture(made));
            }
        }
    }
    let sizes = shown.iter().filter_map(|part| match part {
        Shown::Picture(Sent::Inline { bytes, .. }) => Some(*bytes),
        _ => None,
    });
    if order.engine != Engine::Vllm {
        let sizes: Vec<u64> = sizes.collect();
        check_size(order.engine.wire(), &sizes).map_err(anyhow::Error::msg)?;
    }
    let content: Vec<Content<'_>> = shown
        .iter()
        .map(|part| match part {
            Shown::Text(text) => Content::Text(text),
            Shown::Picture(Sent::Url(url)) => Content::ImageUrl(url),
            Shown::Picture(Sent::Inline {
                media_type, base64, ..
            }) => Content::Image { media_type, base64 },
        })
        .collect();
    let system = request.system.as_deref();
    let line = |run: &u32| batch::line(order.engine, &id(*run), params, system, &content);
    let lines: Vec<String> = runs.iter().map(line).collect();
    // All runs or none.
    let limit = order.engine.max_bytes();
    if let Some(line) = lines.iter().find(|line| line.len() as u64 > limit) {
        bail!(
            "expected a line of at most {limit} bytes, found {}",
            line.len()
        );
    }
    Ok(lines)
}

enum Shown<'a> {
    Text(&'a str),
    Picture(Sent),
}

/// A picture as a line has it.
#[derive(Clone, Debug)]
pub(crate) enum Sent {
    Inline {
        media_type: &'static str,
        base64: std::rc::Rc<str>,
        bytes: u64,
    },
    Url(String),
}

/// A file, the one that belongs to it, and what is done to it.
type Prepared = (Option<u32>, Option<u32>, Cow<'static, str>);

/// Prepares pictures, each once per output judged.
pub(crate) struct Pictures {
    images: Images,
    /// In which form the judge is asked.
    wire: Wire,
    /// Pictures that had to be converted, by path.
    converted: BTreeSet<String>,
    /// Where pictures are written to.
    folder: PathBuf,
    /// What that folder is called in the lines.
    prefix: String,
    written: HashSet<String>,
    cache: HashMap<Prepared, Sent>,
    /// Characters of base64 in the cache.
    cached: usize,
}

/// How much base64 is kept for the next requests: those of one output show the same pictures.
const MAX_CACHED: usize = 64 << 20;

impl Pictures {
    /// Pictures that go into requests themselves.
    pub(crate) fn inline(wire: Wire) -> Self {
        Self {
            images: Images::Inline,
            wire,
            converted: BTreeSet::new(),
            folder: PathBuf::new(),
            prefix: String::new(),
            written: HashSet::new(),
            cache: HashMap::new(),
            cached: 0,
        }
    }

    fn new(order: &Order<'_>) -> anyhow::Result<Self> {
        let Order { images, out, .. } = order;
        let mut folder = out.as_os_str().to_owned();
        folder.push("-images");
        let folder = PathBuf::from(folder);
        if *images != Images::Inline {
            fs::create_dir_all(&folder)
                .with_context(|| format!("cannot make {}", folder.display()))?;
        }
        let prefix = match images {
            Images::Inline => String::new(),
            Images::Folder => file_url(&folder.canonicalize()?),
            Images::Prefix(prefix) => prefix.clone(),
        };
        Ok(Self {
            images: images.clone(),
            folder,
            prefix,
            ..Self::inline(order.engine.wire())
        })
    }

    pub(crate) fn make(
        &mut self,
        host: &Host,
        (file, other): (Option<u32>, Option<u32>),
        path: &str,
        treatment: &Treatment,
    ) -> anyhow::Result<Sent> {
        let key = (file, other, treatment.id());
        if let Some(made) = self.cache.get(&key) {
            return Ok(made.clone());
        }
        let read = |file: Option<u32>| match file {
            Some(file) => host.bytes(file),
            None => Ok(Vec::new()),
        };
        let picture = read(file).with_context(|| format!("cannot read {path}"))?;
        let (bytes, media_type) = match juror_image::Treatment::named(&treatment.id()) {
            None => {
                let media_type =
                    juror_image::media_type(&picture).unwrap_or_else(|| media_type_of(path));
                self.fit(picture, media_type, path)?
            }
            Some(known) => {
                let other = read(other).context("cannot read the picture that belongs to it")?;
                let made = juror_image::prepare(&known, &picture, &other)
                    .with_context(|| format!("cannot prepare {path}"))?;
                (made, known.media_type())
            }
        };
        let made = if self.images == Images::Inline {
            Sent::Inline {
                media_type,
                bytes: bytes.len() as u64,
                base64: base64(&bytes).into(),
            }
        } else {
            Sent::Url(self.keep(&bytes, media_type)?)
        };
        if self.cached > MAX_CACHED {
            self.cache.clear();
            self.cached = 0;
        }
        if let Sent::Inline { base64, .. } = &made {
            self.cached += base64.len();
        }
        self.cache.insert(key, made.clone());
        Ok(made)
    }

    /// Says which pictures had to be converted.
    pub(crate) fn tell_converted(&self) {
        if !self.converted.is_empty() {
            crate::say(&format!(
                "juror: {} to PNG, as {} takes no BMP, no moving picture and, of Gemini, no GIF (first {})",
                if self.converted.len() == 1 {
                    "1 picture was converted".to_owned()
                } else {
                    format!("{} pictures were converted", self.converted.len())
                },
                self.wire.id(),
                self.converted.iter().next().map_or("", String::as_str)
            ));
        }
    }

    /// A picture as it is, or as PNG where the service does not take its form; of one that moves the first frame.
    fn fit(
        &mut self,
        picture: Vec<u8>,
        media_type: &'static str,
        path: &str,
    ) -> anyhow::Result<(Vec<u8>, &'static str)> {
        let (fitted, is_converted) = fitted(self.wire, (picture, media_type), path)?;
        if is_converted {
            self.converted.insert(path.to_owned());
        }
        Ok(fitted)
    }

    /// Writes a picture under the name of its content, once, and tells its address.
    fn keep(&mut self, bytes: &[u8], media_type: &str) -> anyhow::Result<String> {
        let ending = match media_type {
            "image/jpeg" => "jpg",
            other => other.trim_start_matches("image/"),
        };
        let name = format!("{}.{ending}", juror_model::prompt::sha256(bytes));
        if self.written.insert(name.clone()) {
            let path = self.folder.join(&name);
            fs::write(&path, bytes).with_context(|| format!("cannot write {}", path.display()))?;
        }
        Ok(format!("{}/{name}", self.prefix))
    }
}

/// A picture with its media type, as it is or as PNG where the service does not take its form, and whether that was so.
pub(crate) fn fitted(
    wire: Wire,
    (picture, media_type): (Vec<u8>, &'static str),
    path: &str,
) -> anyhow::Result<((Vec<u8>, &'static str), bool)> {
    let is_moving = juror_image::is_moving(&picture);
    if takes(wire, media_type, is_moving) {
        return Ok(((picture, media_type), false));
    }
    let as_png = juror_image::Treatment::RgbaPng;
    let made = juror_image::prepare(&as_png, &picture, &[]).with_context(|| {
        let what = if is_moving { "moving " } else { "" };
        format!(
            "{} takes no {what}{media_type}, and {path} cannot be converted to PNG",
            wire.id()
        )
    })?;
    Ok(((made, as_png.media_type()), true))
}

/// `file:///data/my%20pictures`.
fn file_url(path: &Path) -> String {
    let path = path.to_string_lossy();
    let parts: Vec<String> = path.split('/').map(percent_encode).collect();
    format!("file://{}", parts.join("/"))
}

/// The batch files, one open at a time.
pub(crate) struct Files {
    out: PathBuf,
    split: Split,
    open: Option<(u32, BufWriter<File>)>,
    written: Vec<(PathBuf, u64, u64)>,
}

impl Files {
    pub(crate) fn new(out: &Path, engine: Engine) -> Self {
        Self {
            out: out.to_owned(),
            split: Split::new(engine),
            open: None,
            written: Vec::new(),
        }
    }

    /// Writes a line with its end.
    pub(crate) fn write(&mut self, line: &str) -> anyhow::Result<()> {
        let bytes = line.len() as u64;
        let number = self.split.place(bytes).map_err(anyhow::Error::msg)?;
        if self.open.as_ref().is_none_or(|(open, _)| *open != number) {
            self.next(number)?;
        }
        if let Some((_, file)) = &mut self.open {
            file.write_all(line.as_bytes())
                .with_context(|| format!("cannot write {}", self.out.display()))?;
        }
        if let Some((_, lines, sum)) = self.written.last_mut() {
            *lines += 1;
            *sum += bytes;
        }
        Ok(())
    }

    /// Opens the next file. The first gets its number once there is a second.
    fn next(&mut self, number: u32) -> anyhow::Result<()> {
        if let Some((_, mut file)) = self.open.take() {
            file.flush()?;
        }
        if let (2, [(first, ..)]) = (number, self.written.as_mut_slice()) {
            let named = numbered(&self.out, 1);
            fs::rename(&*first, &named)
                .with_context(|| format!("cannot write {}", named.display()))?;
            *first = named;
        }
        let path = if number == 1 {
            self.out.clone()
        } else {
            numbered(&self.out, number)
        };
        let file =
            File::create(&path).with_context(|| format!("cannot write {}", path.display()))?;
        self.open = Some((number, BufWriter::new(file)));
        self.written.push((path, 0, 0));
        Ok(())
    }

    /// The files with their lines and bytes.
    pub(crate) fn finish(mut self) -> anyhow::Result<Vec<(PathBuf, u64, u64)>> {
        if let Some((_, mut file)) = self.open.take() {
            file.flush()
                .with_context(|| format!("cannot write {}", self.out.display()))?;
        }
        Ok(self.written)
    }
}

/// `requests.jsonl` → `requests-002.jsonl`.
pub(crate) fn numbered(out: &Path, number: u32) -> PathBuf {
    let stem = out.file_stem().unwrap_or_default().to_string_lossy();
    let name = match out.extension() {
        Some(ending) => format!("{stem}-{number:03}.{}", ending.to_string_lossy()),
        None => format!("{stem}-{number:03}"),
    };
    out.with_file_name(name)
}
