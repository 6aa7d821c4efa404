//! `juror make annotate` and `juror make compose`: VIBE's items from marks, and combinations of them.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, bail};
use juror_make::annotation::Maker;
use juror_make::annotation::compose::{Choice, Composed, Single, Sizes, compose, lists, singles};
use juror_make::{Copied, OutFile};
use juror_reading::escape::csv_field;

/// Which marks become items.
#[derive(Debug, clap::Args)]
pub(crate) struct AnnotateArgs {
    /// Files of marks, or folders of them; each names its picture from its own folder.
    #[arg(required = true)]
    marks: Vec<PathBuf>,
    /// Folder to write the benchmark to.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

/// Which single items are combined.
#[derive(Debug, clap::Args)]
pub(crate) struct ComposeArgs {
    /// The folder that `juror make annotate` wrote.
    folder: PathBuf,
    /// Pairs of tasks; pairs and triples without either option.
    #[arg(long)]
    pairs: bool,
    /// Triples of tasks; pairs and triples without either option.
    #[arg(long)]
    triples: bool,
    /// How many of each combination of tasks and each style.
    #[arg(long, default_value = "5", value_name = "N", value_parser = clap::value_parser!(u32).range(1..=9999))]
    per: u32,
    /// Which are taken: the same seed and items give the same files, byte for byte.
    #[arg(long)]
    seed: u64,
    /// Folder to write the benchmark to.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// People's decisions: CSV with thing, verdict (accept or reject), reason, by. To accept a combination confirms that its
    /// texts name different things.
    #[arg(long, value_name = "FILE")]
    decisions: Option<PathBuf>,
    /// Who decided, where the file does not say.
    #[arg(long, default_value = "", value_name = "NAME")]
    by: String,
    /// File to write the combinations to whose texts share a word, as CSV to fill in.
    #[arg(long, value_name = "FILE")]
    things: Option<PathBuf>,
    /// Print the report as JSON.
    #[arg(long)]
    json: bool,
}

impl ComposeArgs {
    fn choice(&self) -> Choice {
        let sizes = match (self.pairs, self.triples) {
            (true, false) => Sizes::Pairs,
            (false, true) => Sizes::Triples,
            _ => Sizes::Both,
        };
        Choice {
            per: self.per as usize,
            seed: self.seed,
            sizes,
        }
    }
}

/// Writes sources, layers and lists; exit code 1 if an item has a fault, which stays out.
pub(crate) fn annotate(args: &AnnotateArgs) -> anyhow::Result<ExitCode> {
    let mut texts = Vec::new();
    for path in files(&args.marks)? {
        texts.push((path.display().to_string(), super::read(&path)?));
    }
    let maker = Maker::new(texts.iter().map(|(name, text)| (&name[..], &text[..])))?;
    for at in 0..maker.count() {
        let Some((name, source)) = maker.wanted(at) else {
            break;
        };
        let folder = Path::new(name).parent().unwrap_or(Path::new(""));
        let bytes = picture(&folder.join(source))?;
        copy(maker.pictures(at, &bytes)?, &args.out)?;
    }
    finish(&maker.lists(), &args.out)?;
    for fault in maker.faults() {
        crate::say(&format!("juror: {fault}"));
    }
    crate::say(&format!(
        "juror: {} of {} items are in the lists, {} of them without a second person's review",
        maker.count(),
        texts.len(),
        maker.num_unreviewed()
    ));
    Ok(ExitCode::from(u8::from(!maker.faults().is_empty())))
}

/// The files, and those of folders by name.
fn files(given: &[PathBuf]) -> anyhow::Result<Vec<PathBuf>> {
    let mut all = Vec::new();
    for path in given {
        if !path.is_dir() {
            all.push(path.clone());
            continue;
        }
        let entries =
            std::fs::read_dir(path).with_context(|| format!("cannot read {}", path.display()))?;
        let mut own = Vec::new();
        for entry in entries {
            let path = entry?.path();
            let is_own = super::ending(&path.to_string_lossy()) == "json" && path.is_file();
            own.extend(is_own.then_some(path));
        }
        if own.is_empty() {
            bail!(
                "{} holds no file of marks; name files such as AD_animation_01.json, or their folder",
                path.display()
            );
        }
        own.sort();
        all.extend(own);
    }
    Ok(all)
}

fn picture(path: &Path) -> anyhow::Result<Vec<u8>> {
    std::fs::read(path).with_context(|| {
        format!(
            "cannot read the picture {}; put it where its marks say",
            path.display()
        )
    })
}

fn copy(pictures: [Copied; 2], out: &Path) -> anyhow::Result<()> {
    for Copied { path, bytes } in pictures {
        super::write(&out.join(path), &bytes)?;
    }
    Ok(())
}

/// Lists come last, so that a folder that holds one is whole.
fn finish(lists: &[OutFile], out: &Path) -> anyhow::Result<()> {
    for list in lists {
        super::write(&out.join(&list.path), list.text.as_bytes())?;
    }
    Ok(())
}

/// Combines single items and reports what was rejected for which reason.
pub(crate) fn combine(args: &ComposeArgs) -> anyhow::Result<ExitCode> {
    let all = singles_of(&args.folder)?;
    let decisions = match &args.decisions {
        Some(path) => juror_make::decisions(&super::read(path)?, &args.by, &super::now())
            .with_context(|| format!("{}", path.display()))?,
        None => Vec::new(),
    };
    let composed = compose(&all, &args.choice(), &decisions)?;
    for at in 0..composed.count() {
        let Some(source) = composed.source(at) else {
            break;
        };
        let bytes = picture(&args.folder.join(source))?;
        copy(composed.pictures(at, &bytes)?, &args.out)?;
    }
    finish(&composed.lists(), &args.out)?;
    if let Some(path) = &args.things {
        super::write(path, doubts(&composed).as_bytes())?;
    }
    if args.json {
        return crate::printed(&(serde_json::to_string_pretty(&composed.progress)? + "\n"));
    }
    crate::printed(&composed.progress.markdown())
}

fn singles_of(folder: &Path) -> anyhow::Result<Vec<Single>> {
    let mut all = Vec::new();
    for list in lists() {
        let path = folder.join(list);
        if path.is_file() {
            all.extend(singles(&path.display().to_string(), &super::read(&path)?)?);
        }
    }
    if all.is_empty() {
        bail!(
            "{} holds no items to combine; name a folder that juror make annotate wrote, with items of AD, RM, RP or TR",
            folder.display()
        );
    }
    Ok(all)
}

/// Combinations that wait for a person, as a file of decisions to fill in.
fn doubts(composed: &Composed) -> String {
    let lines = composed.doubts.iter().map(|doubt| {
        let words = format!("both say {}", doubt.words);
        format!("{},,{},\n", csv_field(&doubt.thing), csv_field(&words))
    });
    format!("thing,verdict,reason,by\n{}", lines.collect::<String>())
}
