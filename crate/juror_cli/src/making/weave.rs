//! `juror make verify-edits`: WEAVE's dialogues without edits that changed nothing.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, bail};
use juror_make::Kind;
use juror_make::weave::pictures;
use juror_make::weave::verify::{Edit, Likeness, Pair, Picture, Project, begin, found};
use juror_measure::{input, measure_pair};
use juror_metrics::Metric;
use juror_model::prompt::sha256;

use super::StepArgs;
use crate::networks::{NetworkArgs, Opened};

/// What is verified, and by what.
#[derive(Debug, clap::Args)]
pub(crate) struct VerifyArgs {
    /// The list of dialogues, such as test.json. Only when a project begins.
    list: Option<PathBuf>,
    /// Folder that the paths of the list's pictures start from; the list's own if not given.
    #[arg(long, value_name = "DIR", requires = "list")]
    images: Option<PathBuf>,
    /// A pack for clip or dino compares pictures; without one MS-SSIM and a perceptual hash do. The same each time.
    #[command(flatten)]
    networks: NetworkArgs,
    /// What this step brings and wants.
    #[command(flatten)]
    step: StepArgs,
}

/// Begins a project or carries it on.
pub(crate) fn run(args: &VerifyArgs) -> anyhow::Result<ExitCode> {
    let mut opened = Opened::open(&args.networks)?;
    opened.expect_features()?;
    let mut project = match (args.step.project()?, &args.list) {
        (Some(text), None) => {
            super::expect_kind(&text, Kind::WeaveEdits)?;
            Project::read(&text, Kind::WeaveEdits)?
        }
        (Some(_), Some(_)) => bail!(
            "{} holds a project already, whose list is fixed; leave the list out, or name another --out",
            args.step.out.display()
        ),
        (None, Some(list)) => start(list, args, &opened.comparer())?,
        (None, None) => bail!("name the list of dialogues that the project begins with"),
    };
    expect_comparer(&project.settings.network, &opened.comparer())?;
    // Which calls are due depends on the measured pairs, and bringing pictures adds pairs.
    measure(&mut project, &args.step.out, &mut opened)?;
    super::bring(&mut project, &args.step)?;
    measure(&mut project, &args.step.out, &mut opened)?;
    super::finish(&project, &args.step)
}

/// Two ways to compare pictures in one project would give two bars.
fn expect_comparer(wanted: &str, found: &str) -> anyhow::Result<()> {
    if wanted == found {
        return Ok(());
    }
    let named = |network: &str| match network {
        "" => "pixels, without --pack".to_owned(),
        network => network.to_owned(),
    };
    bail!(
        "this project compares pictures by {}, not by {}: name the same --pack, or another --out",
        named(wanted),
        named(found)
    )
}

/// A project of this list, with copies of its pictures.
fn start(list: &Path, args: &VerifyArgs, network: &str) -> anyhow::Result<Project> {
    let text = super::read(list)?;
    let named = || format!("{}", list.display());
    let beside = list.parent().unwrap_or(Path::new(""));
    let base = args.images.as_deref().unwrap_or(beside);
    let edits = found(&text).with_context(named)?;
    let hashes = copied(&text, base, &args.step.out, "name its folder by --images")?;
    let picture = |path: String| Picture {
        sha256: hashes.get(&path).cloned().unwrap_or_default(),
        path,
    };
    let edits = edits.into_iter().map(|one| Edit {
        item: one.item,
        turn: one.turn,
        domain: one.domain,
        instruction: one.instruction,
        source: picture(one.source),
        target: picture(one.target),
        likeness: None,
        again: None,
    });
    Ok(begin(&text, network, edits.collect()))
}

/// Copies every picture of a list below `base` into the project's folder; their SHA-256 by path. `fix` is what to do where
/// one lacks.
pub(super) fn copied(
    list: &str,
    base: &Path,
    out: &Path,
    fix: &str,
) -> anyhow::Result<BTreeMap<String, String>> {
    let mut hashes = BTreeMap::new();
    for path in pictures(list)? {
        let from = base.join(&path);
        let bytes = std::fs::read(&from)
            .with_context(|| format!("cannot read {}; {fix}", from.display()))?;
        if let Err(error) = juror_image::check(&bytes, &juror_image::Limits::default()) {
            bail!("{} cannot be read: {}", from.display(), error.message());
        }
        hashes.insert(path.clone(), sha256(&bytes));
        super::write(&out.join(&path), &bytes)?;
    }
    Ok(hashes)
}

/// Compares every pair that is not compared yet.
fn measure(project: &mut Project, folder: &Path, opened: &mut Opened) -> anyhow::Result<()> {
    for pair in project.pairs() {
        let likeness = likeness(&pair, folder, opened)
            .with_context(|| format!("{} and {}", pair.source, pair.made))?;
        project.measured(&pair, likeness);
    }
    Ok(())
}

fn likeness(pair: &Pair, folder: &Path, opened: &mut Opened) -> anyhow::Result<Likeness> {
    let [source, made] = [&pair.source, &pair.made].map(|path| std::fs::read(folder.join(path)));
    let (source, made) = (source?, made?);
    if !opened.comparer().is_empty() {
        return Ok(Likeness::Cosine(opened.cosine(&source, &made)?));
    }
    let ms_ssim = measure_pair(Metric::MsSsim, &[input(&source)?, input(&made)?])
        .context("open a pack for clip by --pack, which compares pictures of any size")?;
    let hash = |bytes: &[u8]| juror_measure::print(bytes).map(|print| print.hash);
    let bits = (hash(&source)? ^ hash(&made)?).count_ones();
    Ok(Likeness::Pixels { ms_ssim, bits })
}
