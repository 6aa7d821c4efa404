//! `juror make micon`: cases of MICON-Bench, drawn from pools; `juror make crop`: panels of a story's picture.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, bail};
use clap::ValueEnum;
use juror_image::{CropBox, Grid, Limits, crop, decode_rgb, encode_png, panels};
use juror_make::Kind;
use juror_make::micon::case::{Count, published_counts};
use juror_make::micon::pools::Pools;
use juror_make::micon::{Checkpoints, Filter, Labels, Project, Review, Settings, begin};
use serde_json::json;

use super::StepArgs;

/// What is made.
#[derive(Debug, clap::Args)]
pub(crate) struct MiconArgs {
    /// How the project begins.
    #[command(flatten)]
    begin: BeginArgs,
    /// What this step brings and wants.
    #[command(flatten)]
    step: StepArgs,
}

/// Chosen once, when a project begins.
#[derive(Debug, clap::Args)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a flag of the command"
)]
struct BeginArgs {
    /// So many cases of a task with so many references: object:2=100, spatial, attribute, component, `fg_bg`, story; may be
    /// given several times.
    #[arg(long, value_name = "TASK:REFERENCES=CASES")]
    count: Vec<Count>,
    /// As many cases of each task as the paper has: 1043.
    #[arg(long, conflicts_with = "count")]
    like_the_paper: bool,
    /// Decides every random choice; 1 if not given.
    #[arg(long)]
    seed: Option<u64>,
    /// Prompts do not name references by Ref A, Ref B, ….
    #[arg(long)]
    without_labels: bool,
    /// A model checks each reference against its prompt first.
    #[arg(long)]
    filter: bool,
    /// What passes is in unless somebody rejects it; otherwise nothing is in before somebody accepts it.
    #[arg(long)]
    without_review: bool,
    /// A judge writes the specific checkpoints, instead of the draw.
    #[arg(long)]
    judge_checkpoints: bool,
    /// Folder of lists that take the place of ours: subject.txt, attribute.txt, scene.txt, style.txt, `style_object.txt`,
    /// clothing.txt, accessory.txt, wearer.txt.
    #[arg(long, value_name = "DIR")]
    pools: Option<PathBuf>,
}

impl BeginArgs {
    fn is_given(&self) -> bool {
        !self.count.is_empty()
            || self.like_the_paper
            || self.seed.is_some()
            || self.without_labels
            || self.filter
            || self.without_review
            || self.judge_checkpoints
            || self.pools.is_some()
    }

    fn settings(&self) -> anyhow::Result<Settings> {
        Ok(Settings {
            counts: if self.like_the_paper {
                published_counts()
            } else {
                self.count.clone()
            },
            labels: if self.without_labels {
                Labels::None
            } else {
                Labels::Letters
            },
            filter: if self.filter {
                Filter::Asked
            } else {
                Filter::Skipped
            },
            review: if self.without_review {
                Review::Optional
            } else {
                Review::Required
            },
            checkpoints: if self.judge_checkpoints {
                Checkpoints::Judge
            } else {
                Checkpoints::Slots
            },
            pools: pools_of(self.pools.as_deref())?,
        })
    }
}

fn pools_of(folder: Option<&Path>) -> anyhow::Result<Pools> {
    let mut pools = Pools::default();
    let Some(folder) = folder else {
        return Ok(pools);
    };
    let mut count = 0;
    for name in Pools::NAMES {
        let path = folder.join(format!("{name}.txt"));
        if path.is_file() {
            pools.replace(name, &super::read(&path)?)?;
            count += 1;
        }
    }
    if count == 0 {
        bail!(
            "{} holds no list; expected files such as subject.txt or scene.txt",
            folder.display()
        );
    }
    Ok(pools)
}

/// Begins a project or carries it on.
pub(crate) fn run(args: &MiconArgs) -> anyhow::Result<ExitCode> {
    let mut project = match args.step.project()? {
        Some(text) => {
            super::expect_kind(&text, Kind::Micon)?;
            if args.begin.is_given() {
                bail!(
                    "{} holds a project already, whose cases and settings are fixed; leave them out, or name another --out",
                    args.step.out.display()
                );
            }
            Project::read(&text, Kind::Micon)?
        }
        None => begin(args.begin.seed.unwrap_or(1), args.begin.settings()?)?,
    };
    super::go_on(&mut project, &args.step)
}

/// A picture of several panels.
#[derive(Debug, clap::Args)]
pub(crate) struct CropArgs {
    /// The picture.
    picture: PathBuf,
    /// How its panels are laid out.
    #[arg(long, value_enum, default_value = "2x2")]
    grid: GridArg,
    /// Which panel to cut out, from 1 at the top left.
    #[arg(long, value_name = "N", requires = "out", value_parser = clap::value_parser!(u32).range(1..=4))]
    panel: Option<u32>,
    /// Cut here instead of where it is proposed.
    #[arg(
        long = "box",
        value_name = "LEFT,TOP,RIGHT,BOTTOM",
        value_delimiter = ',',
        requires = "out"
    )]
    edges: Vec<u32>,
    /// PNG to write.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum GridArg {
    /// Two above and two below.
    #[value(name = "2x2")]
    TwoByTwo,
    /// Four side by side.
    #[value(name = "1x4")]
    OneByFour,
}

/// Proposes where the panels are, or cuts one out.
pub(crate) fn cut(args: &CropArgs) -> anyhow::Result<ExitCode> {
    let named = || format!("{}", args.picture.display());
    let bytes = std::fs::read(&args.picture).with_context(|| format!("cannot read {}", named()))?;
    let picture = decode_rgb(&bytes, &Limits::default())
        .map_err(|error| anyhow::anyhow!("{}: {}", named(), error.message()))?;
    let grid = match args.grid {
        GridArg::TwoByTwo => Grid::TwoByTwo,
        GridArg::OneByFour => Grid::OneByFour,
    };
    let proposed = panels(&picture, grid);
    let Some(out) = &args.out else {
        let edges: Vec<[u32; 4]> = proposed
            .iter()
            .map(|part| [part.left, part.top, part.right, part.bottom])
            .collect();
        return crate::printed(&format!("{}\n", json!({"panels": edges})));
    };
    let part = match (args.edges.as_slice(), args.panel) {
        (&[left, top, right, bottom], _) => CropBox {
            left,
            top,
            right,
            bottom,
        },
        ([], Some(panel)) => proposed[panel as usize - 1],
        ([], None) => bail!("name the panel by --panel, or its edges by --box"),
        (other, _) => bail!(
            "--box takes LEFT,TOP,RIGHT,BOTTOM, found {} numbers",
            other.len()
        ),
    };
    let made =
        crop(&picture, part).map_err(|error| anyhow::anyhow!("--box: {}", error.message()))?;
    super::write(out, &encode_png(&made)?)?;
    crate::say(&format!(
        "juror: wrote {} × {} pixels to {}",
        made.width,
        made.height,
        out.display()
    ));
    Ok(ExitCode::SUCCESS)
}
