//! Fréchet distance of two folders of pictures, by the features of a network that the user opens.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use juror_metrics::{Metric, View, frechet};
use juror_model::tree;
use serde::Serialize;
use walkdir::WalkDir;

use crate::networks::{NetworkArgs, Opened};

/// What is printed.
#[derive(Debug, Serialize)]
pub(crate) struct SetDistance {
    metric: &'static str,
    value: f64,
    /// Pictures on each side.
    reference: usize,
    candidate: usize,
    network: String,
}

/// The distance of the pictures of two folders, whatever their names.
///
/// # Errors
/// A picture cannot be read: without it the number would be that of another set.
pub(crate) fn distance(
    name: &str,
    reference: &Path,
    candidate: &Path,
    args: &NetworkArgs,
) -> anyhow::Result<SetDistance> {
    if Metric::from_id(name)? != Metric::Fid {
        bail!("{name} compares two files; `fid` compares two folders");
    }
    let mut networks = Opened::open(args)?;
    let mut features = |folder: &Path| -> anyhow::Result<(usize, Vec<f64>)> {
        let pictures = pictures(folder)?;
        let mut rows = Vec::new();
        for path in &pictures {
            let named = || path.display().to_string();
            let bytes = std::fs::read(path).with_context(named)?;
            rows.extend(networks.inception(&bytes).with_context(named)?);
        }
        Ok((pictures.len(), rows))
    };
    let (num_references, of_references) = features(reference)?;
    let (num_candidates, of_candidates) = features(candidate)?;
    let columns = of_references.len() / num_references.max(1);
    let distance = frechet(
        &View::new(columns, num_references, 1, &of_references)?,
        &View::new(columns, num_candidates, 1, &of_candidates)?,
    )?;
    Ok(SetDistance {
        metric: Metric::Fid.id(),
        value: distance.value(),
        reference: num_references,
        candidate: num_candidates,
        network: networks.describe_inception(),
    })
}

/// The pictures below a folder in the order of their paths; what a system leaves there is none.
fn pictures(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in WalkDir::new(folder).sort_by_file_name() {
        let entry = entry.with_context(|| folder.display().to_string())?;
        let path = entry.path();
        let within = path.strip_prefix(folder)?.to_string_lossy();
        let is_content = tree::leftover(&within).is_none() && tree::is_picture(&within);
        if entry.file_type().is_file() && is_content {
            found.push(path.to_path_buf());
        }
    }
    if found.is_empty() {
        bail!("{} has no picture", folder.display());
    }
    Ok(found)
}
