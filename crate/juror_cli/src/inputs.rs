//! `juror inputs`: what a generator is given, as it is or varied, as a folder to generate from.
//!
//! The folder stands by itself: its pictures are copies, changed ones in `changed/FACTOR=LEVEL`, all others in `pictures`.

use juror_reading::count::counted;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::str::FromStr;

use anyhow::{Context as _, bail};
use clap::Args;
use juror_model::experiment::FactorLevel;
use juror_model::options::ScoreOptions;
use juror_session::input_folder::{InputGap, InputGaps, InputPicture, InputPlaces, InputQuery};
use juror_session::view::{InputView, SampleQuery};

use crate::host::Host;
use crate::{PerArgs, say};

/// The file of requests in the folder.
const LIST: &str = "inputs.jsonl";

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
pub(crate) struct Levels(Vec<FactorLevel>);

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
    let query = InputQuery {
        samples: SampleQuery {
            q: args.per.within(&args.filter)?,
            ..SampleQuery::default()
        },
        model: args.model.clone(),
        levels: levels(&mut host, &args.vary)?,
    };
    let list = juror_session::samples(&host.session.study(&query.samples.options), &query.samples);
    if let Some(fault) = list.fault {
        bail!("--filter or --per: {} {}", fault.message, fault.hint);
    }
    if list.rows.is_empty() {
        bail!("no sample to write: open a benchmark's folder, or take another --filter or --per");
    }
    let mut writer = Writer::new(&args.out)?;
    let mut gaps = InputGaps::default();
    for row in &list.rows {
        let sample = juror_session::sample(&host.session.study(&ScoreOptions::default()), &row.id)?;
        for key in query.keys(&sample.id, sample.turns.iter().map(|turn| turn.index)) {
            let input = juror_session::generator_input(&host.session.linked(), &key);
            if let Err(told) = writer.add(&host, &input)? {
                gaps.add_input(&input, &told);
            }
        }
    }
    let num_lines = writer.num_lines;
    writer.finish()?;
    for InputGap {
        reason,
        count,
        first,
    } in gaps.into_list()
    {
        say(&format!(
            "juror: left out: {count} × {reason} The first is {first}."
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

/// The levels that were asked for, each once.
pub(crate) fn levels(host: &mut Host, vary: &[Levels]) -> anyhow::Result<Vec<FactorLevel>> {
    let factors = juror_session::factors(&host.session);
    let mut levels: Vec<FactorLevel> = Vec::new();
    for level in vary.iter().flat_map(|Levels(levels)| levels) {
        if let Err(told) = level.position(&factors) {
            bail!("--vary: {told}");
        }
        if !levels.contains(level) {
            levels.push(level.clone());
        }
    }
    Ok(levels)
}

/// The folder that is written.
struct Writer<'a> {
    out: &'a Path,
    lines: String,
    num_lines: usize,
    places: InputPlaces,
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
            places: InputPlaces::default(),
        })
    }

    /// Writes a request with its pictures, or gives the reason why there is none.
    fn add(&mut self, host: &Host, input: &InputView) -> anyhow::Result<Result<(), String>> {
        let planned = match self.places.plan(&host.session, input) {
            Ok(planned) => planned,
            Err(told) => return Ok(Err(told.to_string())),
        };
        let made = planned.pictures.iter().map(|one| made(host, one));
        let made: anyhow::Result<Vec<Vec<u8>>> = made.collect();
        let made = match made {
            Ok(made) => made,
            Err(error) => {
                self.places.take_back(&planned);
                return Ok(Err(format!("{error:#}.")));
            }
        };
        for (picture, bytes) in planned.pictures.iter().zip(made) {
            self.write(&picture.place, &bytes)?;
        }
        writeln!(self.lines, "{}", planned.line)?;
        self.num_lines += 1;
        Ok(Ok(()))
    }

    fn write(&self, place: &str, bytes: &[u8]) -> anyhow::Result<()> {
        let target = self.out.join(place);
        if let Some(above) = target.parent() {
            std::fs::create_dir_all(above)
                .with_context(|| format!("cannot make {}", above.display()))?;
        }
        std::fs::write(&target, bytes).with_context(|| format!("cannot write {}", target.display()))
    }

    fn finish(self) -> anyhow::Result<()> {
        let path = self.out.join(LIST);
        std::fs::write(&path, self.lines)
            .with_context(|| format!("cannot write {}", path.display()))
    }
}

/// The bytes of a picture of the folder.
pub(crate) fn made(host: &Host, picture: &InputPicture) -> anyhow::Result<Vec<u8>> {
    let read = |file: &u32| {
        let path = host.session.path(*file);
        host.bytes(*file)
            .with_context(|| format!("cannot read {path}"))
    };
    let mut files = picture.files.iter();
    if picture.is_row {
        let decoded = files.map(|file| {
            let path = host.session.path(*file);
            juror_image::decode_rgb(&read(file)?, &juror_image::Limits::default())
                .with_context(|| format!("cannot join {path}"))
        });
        let decoded: anyhow::Result<Vec<_>> = decoded.collect();
        return juror_image::concatenate(&decoded?)
            .and_then(|joined| juror_image::encode_png(&joined.image))
            .with_context(|| format!("cannot join the pictures of {}", picture.path));
    }
    let bytes = files.next().map(read).transpose()?.unwrap_or_default();
    match juror_image::Treatment::named(&picture.treatment.id()) {
        Some(known) => {
            let other = files.next().map(read).transpose()?.unwrap_or_default();
            juror_image::prepare(&known, &bytes, &other)
                .with_context(|| format!("cannot prepare {}", picture.path))
        }
        None => Ok(bytes),
    }
}
