//! How much of a picture changed, inside and outside of the part that an instruction asks to change.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context as _;
use juror_image::{Limits, decode_rgb};
use juror_metrics::{Change, Extent, Image, Metric, change_in_box, change_map, mask};
use serde::Serialize;

use crate::print;
use juror_measure::image;

/// What to compare.
#[derive(Debug, clap::Args)]
pub(crate) struct ChangeArgs {
    /// The picture before.
    reference: PathBuf,
    /// The picture after, of the same size.
    candidate: PathBuf,
    /// The part that may change: a picture of the same size, lighter than 127 there.
    #[arg(long, value_name = "FILE", conflicts_with = "extent")]
    mask: Option<PathBuf>,
    /// The part that may change: its left, top, right and bottom pixel, from 0.
    #[arg(long = "box", value_name = "L,T,R,B", value_parser = extent)]
    extent: Option<Extent>,
    /// A pixel has changed where a channel differs by more than this.
    #[arg(long, default_value_t = Metric::CHANGE_THRESHOLD)]
    threshold: u8,
}

fn extent(text: &str) -> Result<Extent, String> {
    let numbers: Result<Vec<usize>, _> = text.split(',').map(|one| one.trim().parse()).collect();
    let numbers = numbers.ok().and_then(|all| Extent::try_from(all).ok());
    numbers.ok_or_else(|| "expected four whole numbers: left,top,right,bottom".to_owned())
}

/// What is printed.
#[derive(Debug, Serialize)]
struct Answer {
    threshold: u8,
    whole: Region,
    /// Without a part there is neither.
    #[serde(skip_serializing_if = "Option::is_none")]
    inside: Option<Region>,
    #[serde(skip_serializing_if = "Option::is_none")]
    outside: Option<Region>,
    /// Left, top, right and bottom of all that changed; `null` where nothing did.
    extent: Option<Extent>,
}

#[derive(Debug, Serialize)]
struct Region {
    pixels: u64,
    changed: u64,
    /// Of an empty part there is no share and no mean.
    share: Option<f64>,
    mae: Option<f64>,
    mse: Option<f64>,
    largest: u8,
}

impl From<&Change> for Region {
    fn from(change: &Change) -> Self {
        Self {
            pixels: change.pixels,
            changed: change.changed,
            share: change.changed_share(),
            mae: change.mae(),
            mse: change.mse(),
            largest: change.largest,
        }
    }
}

/// Prints the counts as JSON.
pub(crate) fn run(args: &ChangeArgs) -> anyhow::Result<ExitCode> {
    let (reference, candidate) = (picture(&args.reference)?, picture(&args.candidate)?);
    let (r, c) = (&reference.view(), &candidate.view());
    let found = match (&args.mask, args.extent) {
        (Some(path), _) => {
            let named = || path.display().to_string();
            let region = mask(&picture(path)?.view()).with_context(named)?;
            change_map(r, c, args.threshold, Some(&region.view())).with_context(named)
        }
        (None, Some(extent)) => change_in_box(r, c, args.threshold, extent).map_err(Into::into),
        (None, None) => change_map(r, c, args.threshold, None).map_err(Into::into),
    };
    let found = found.with_context(|| {
        let [reference, candidate] = [&args.reference, &args.candidate].map(|path| path.display());
        format!("{reference} and {candidate}")
    })?;
    let has_part = args.mask.is_some() || args.extent.is_some();
    let answer = Answer {
        threshold: args.threshold,
        whole: Region::from(&found.whole),
        inside: has_part.then(|| Region::from(&found.inside)),
        outside: has_part.then(|| Region::from(&found.outside)),
        extent: found.extent,
    };
    print(&(serde_json::to_string(&answer)? + "\n"))?;
    Ok(ExitCode::SUCCESS)
}

fn picture(path: &Path) -> anyhow::Result<Image<u8>> {
    let bytes = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    let found = decode_rgb(&bytes, &Limits::default());
    Ok(image(found.with_context(|| path.display().to_string())?)?)
}
