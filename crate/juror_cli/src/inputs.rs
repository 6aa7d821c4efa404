//! `juror inputs`: what a generator is given, as it is or varied, as a folder to generate from.
//!
//! The folder stands by itself: its pictures are copies, changed ones in `changed/FACTOR=LEVEL`, all others in `pictures`.

use juror_reading::count::counted;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::str::FromStr;

use anyhow::{Context as _, bail};
use clap::Args;
use juror_core::session;
use juror_core::view::{InputView, SampleQuery};
use juror_model::experiment::{FactorLevel, Variant};
use juror_model::options::{Profile, ScoreOptions};
use juror_model::request::{Context, Given, InputKey, Packing, PartView, Treatment};
use serde_json::{Value, json};

use crate::host::Host;
use crate::{PerArgs, say};

/// The file of requests in the folder.
const LIST: &str = "inputs.jsonl";
/// The name in place of a model's, which is not known yet.
const MODEL: &str = "MODEL";

/// Which inputs are written, and where.
#[derive(Debug, Args)]
pub(crate) struct InputsArgs {
    /// Benchmark and model folders, in any order.
    #[arg(required = true)]
    dirs: Vec<PathBuf>,
    /// A factor with levels of it, which the requests are written on; may be given several times. Without it they are written
    /// as they are. A wrong name lists what there is.
    #[arg(long, value_name = "FACTOR=LEVEL[,LEVEL…]")]
    vary: Vec<Levels>,
    /// Only samples that pass this filter expression.
    #[arg(long, default_value = "", value_name = "EXPR")]
    filter: String,
    #[command(flatten)]
    per: PerArgs,
    /// For whom: the name that folders of outputs begin with, and whose own pictures a dialogue's context takes.
    #[arg(long, default_value = "", value_name = "NAME")]
    model: String,
    /// Folder to write; it must not exist, or be empty.
    #[arg(long, default_value = "inputs", value_name = "DIR")]
    out: PathBuf,
}

/// A factor with the levels that were asked for.
#[derive(Clone, Debug)]
struct Levels(Vec<FactorLevel>);

impl FromStr for Levels {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wanted = || format!("expected FACTOR=LEVEL[,LEVEL…], found {text}");
        let (factor, levels) = text.split_once('=').ok_or_else(wanted)?;
        let factor = factor.trim();
        let levels: Vec<&str> = levels.split(',').map(str::trim).collect();
        if factor.is_empty() || levels.contains(&"") {
            return Err(wanted());
        }
        let level = |level: &str| FactorLevel {
            factor: factor.to_owned(),
            level: level.to_owned(),
        };
        Ok(Self(levels.into_iter().map(level).collect()))
    }
}

/// Writes the folder.
pub(crate) fn run(args: &InputsArgs) -> anyhow::Result<ExitCode> {
    let mut host = Host::open(&args.dirs, &[])?;
    let levels = levels(&mut host, &args.vary)?;
    let query = SampleQuery {
        q: args.per.within(&args.filter)?,
        ..SampleQuery::default()
    };
    let list = session::samples(&mut host.session, &query);
    if let Some(fault) = list.fault {
        bail!("--filter or --per: {} {}", fault.message, fault.hint);
    }
    if list.rows.is_empty() {
        bail!("no sample to write: open a benchmark's folder, or take another --filter or --per");
    }
    let mut writer = Writer::new(&args.out)?;
    let mut left_out: BTreeMap<String, (u32, String)> = BTreeMap::new();
    for row in &list.rows {
        let sample = session::sample(&mut host.session, &row.id, &ScoreOptions::default())?;
        for turn in &sample.turns {
            for level in &levels {
                let key = InputKey {
                    model: args.model.clone(),
                    sample: sample.id.clone(),
                    turn: turn.index,
                    context: Context::default(),
                    packing: Packing::default(),
                    profile: Profile::default(),
                    variant: level.clone(),
                };
                let input = session::generator_input(&mut host.session, &key);
                if let Err(told) = writer.add(&host, &input)? {
                    let place = format!("{}{told}", named(level.as_ref()));
                    let first = || (0, format!("{}, turn {}", sample.id, turn.index + 1));
                    left_out.entry(place).or_insert_with(first).0 += 1;
                }
            }
        }
    }
    let num_lines = writer.num_lines;
    writer.finish()?;
    for (told, (count, first)) in &left_out {
        say(&format!(
            "juror: left out: {count} × {told} The first is {first}."
        ));
    }
    say(&format!(
        "juror: wrote {} to {}",
        counted(num_lines, "request", "requests"),
        args.out.join(LIST).display()
    ));
    let is_whole = num_lines > 0 && host.exit_code() == ExitCode::SUCCESS;
    Ok(ExitCode::from(u8::from(!is_whole)))
}

/// What stands before a reason.
fn named(level: Option<&FactorLevel>) -> String {
    level.map_or_else(String::new, |level| {
        format!("{}={}: ", level.factor, level.level)
    })
}

/// The levels that were asked for, each once; the requests as they are if none were.
fn levels(host: &mut Host, vary: &[Levels]) -> anyhow::Result<Vec<Option<FactorLevel>>> {
    let factors = session::factors(&host.session);
    let mut levels: Vec<Option<FactorLevel>> = Vec::new();
    for level in vary.iter().flat_map(|Levels(levels)| levels) {
        if let Err(told) = level.position(&factors) {
            bail!("--vary: {told}");
        }
        let level = Some(level.clone());
        if !levels.contains(&level) {
            levels.push(level);
        }
    }
    if levels.is_empty() {
        levels.push(None);
    }
    Ok(levels)
}

/// The folder that is written.
struct Writer<'a> {
    out: &'a Path,
    lines: String,
    num_lines: usize,
    /// Paths in the folder by file, second file and treatment, with the changed ones' level.
    pictures: HashMap<(u32, Option<u32>, String, String), String>,
    used: HashSet<String>,
}

impl<'a> Writer<'a> {
    fn new(out: &'a Path) -> anyhow::Result<Self> {
        std::fs::create_dir_all(out).with_context(|| format!("cannot make {}", out.display()))?;
        let mut entries =
            std::fs::read_dir(out).with_context(|| format!("cannot read {}", out.display()))?;
        if entries.next().is_some() {
            bail!(
                "{} is not empty, and nothing is overwritten: name another folder with --out",
                out.display()
            );
        }
        Ok(Self {
            out,
            lines: String::new(),
            num_lines: 0,
            pictures: HashMap::new(),
            used: HashSet::new(),
        })
    }

    /// Writes a request with its pictures, or tells why there is none.
    fn add(&mut self, host: &Host, input: &InputView) -> anyhow::Result<Result<(), String>> {
        if let Some(told) = &input.error {
            return Ok(Err(told.clone()));
        }
        let parts = input.messages.iter().flat_map(|message| &message.parts);
        let is_missing = |part: &&PartView| matches!(part, PartView::Image { file: None, .. });
        if parts.clone().any(|part| is_missing(&part)) {
            let told = "a picture of the request is not among the files; open the folder that holds it as well.";
            return Ok(Err(told.to_owned()));
        }
        let level = input.key.variant.as_ref();
        let row = match self.row(host, input) {
            Ok(row) => row,
            Err(error) => return Ok(Err(format!("{error:#}."))),
        };
        let mut is_given = false;
        let mut messages = Vec::new();
        for message in &input.messages {
            let mut parts = Vec::new();
            for part in &message.parts {
                parts.push(match (part, &row) {
                    (PartView::Text { text }, _) => json!({"type": "text", "text": text}),
                    // The row stands in the place of its first picture.
                    (PartView::Image { .. }, Some(_)) if std::mem::replace(&mut is_given, true) => {
                        continue;
                    }
                    (PartView::Image { .. }, Some(row)) => json!({"type": "picture", "path": row}),
                    (PartView::Image { .. }, None) => {
                        let path = match self.picture(host, part, level) {
                            Ok(path) => path,
                            Err(error) => return Ok(Err(format!("{error:#}."))),
                        };
                        json!({"type": "picture", "path": path})
                    }
                });
            }
            messages.push(json!({"role": message.role, "parts": parts}));
        }
        let line = line(input, &messages);
        writeln!(self.lines, "{line}")?;
        self.num_lines += 1;
        Ok(Ok(()))
    }

    /// The path of the one row that a request's pictures are joined to, where they are given so.
    fn row(&mut self, host: &Host, input: &InputView) -> anyhow::Result<Option<String>> {
        let InputKey {
            sample,
            turn,
            variant: Some(FactorLevel { factor, level }),
            ..
        } = &input.key
        else {
            return Ok(None);
        };
        if input.given != Given::OneRow || input.pictures.is_empty() {
            return Ok(None);
        }
        let mut pictures = Vec::new();
        for file in &input.pictures {
            let path = host.session.path(*file);
            let bytes = host.bytes(*file);
            let bytes = bytes.with_context(|| format!("cannot read {path}"))?;
            let picture = juror_image::decode_rgb(&bytes, &juror_image::Limits::default());
            pictures.push(picture.with_context(|| format!("cannot join {path}"))?);
        }
        let joined = juror_image::concatenate(&pictures)
            .and_then(|joined| juror_image::encode_png(&joined.image))
            .with_context(|| format!("cannot join the pictures of {sample}, turn {}", turn + 1))?;
        let name = format!("{}_turn{}.png", inside(sample).replace('/', "_"), turn + 1);
        let place = self.free(&format!("changed/{factor}={level}/{name}"));
        self.write(&place, &joined)?;
        Ok(Some(place))
    }

    /// This place in the folder, or one beside it where it is taken.
    fn free(&mut self, wanted: &str) -> String {
        let mut place = wanted.to_owned();
        let mut number = 2;
        while !self.used.insert(place.clone()) {
            place = numbered(wanted, number);
            number += 1;
        }
        place
    }

    fn write(&self, place: &str, bytes: &[u8]) -> anyhow::Result<()> {
        let target = self.out.join(place);
        if let Some(above) = target.parent() {
            std::fs::create_dir_all(above)
                .with_context(|| format!("cannot make {}", above.display()))?;
        }
        std::fs::write(&target, bytes).with_context(|| format!("cannot write {}", target.display()))
    }

    /// The path of a part's picture in the folder, where it is written at its first use.
    fn picture(
        &mut self,
        host: &Host,
        part: &PartView,
        level: Option<&FactorLevel>,
    ) -> anyhow::Result<String> {
        let PartView::Image {
            file: Some(file),
            path,
            treatment,
            other,
            ..
        } = part
        else {
            bail!("a picture of the request is not among the files");
        };
        let folder = match level {
            Some(FactorLevel { factor, level }) if treatment.is_of_variant() => {
                format!("changed/{factor}={level}")
            }
            _ => "pictures".to_owned(),
        };
        let key = (*file, *other, treatment.id().into_owned(), folder.clone());
        if let Some(known) = self.pictures.get(&key) {
            return Ok(known.clone());
        }
        let read = |file: u32| {
            let path = host.session.path(file);
            host.bytes(file)
                .with_context(|| format!("cannot read {path}"))
        };
        let bytes = read(*file)?;
        let (bytes, name) = match juror_image::Treatment::named(&treatment.id()) {
            Some(known) => {
                let other = other.map_or_else(|| Ok(Vec::new()), read)?;
                let made = juror_image::prepare(&known, &bytes, &other)
                    .with_context(|| format!("cannot prepare {path}"))?;
                (made, as_prepared(path, treatment))
            }
            None => (bytes, path.clone()),
        };
        let wanted = format!("{folder}/{}", inside(&name));
        let place = self.free(&wanted);
        self.write(&place, &bytes)?;
        self.pictures.insert(key, place.clone());
        Ok(place)
    }

    fn finish(self) -> anyhow::Result<()> {
        let path = self.out.join(LIST);
        std::fs::write(&path, self.lines)
            .with_context(|| format!("cannot write {}", path.display()))
    }
}

/// A request as a line: prompt and pictures for those who give both at once, messages for those who keep their order.
fn line(input: &InputView, messages: &[Value]) -> Value {
    let InputKey {
        model,
        sample,
        turn,
        variant,
        ..
    } = &input.key;
    let parts = || {
        let messages = messages.iter();
        messages.flat_map(|message| message["parts"].as_array().into_iter().flatten())
    };
    let texts: Vec<&str> = parts().filter_map(|part| part["text"].as_str()).collect();
    let pictures: Vec<&str> = parts().filter_map(|part| part["path"].as_str()).collect();
    let base = if model.is_empty() { MODEL } else { model };
    let levels = variant.iter();
    let folder = Variant {
        base: base.to_owned(),
        levels: levels
            .map(|one| (one.factor.clone(), one.level.clone()))
            .collect(),
    };
    json!({
        "sample": sample,
        "turn": turn,
        "factor": variant.as_ref().map(|one| &one.factor),
        "level": variant.as_ref().map(|one| &one.level),
        "prompt": texts.join("\n"),
        "pictures": pictures,
        "messages": messages,
        "folder": folder.name(),
        "output": input.output,
        "notes": input.notes,
    })
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
