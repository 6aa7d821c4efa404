//! `juror score --format html`: the page in one file with an evidence pack inside.

use std::io::Cursor;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, bail};
use juror_evidence::report::html;
use juror_model::options::ScoreOptions;

use crate::host;
use crate::pack::{self, PicturesArg, Zip};
use crate::say;

/// Beyond that browsers take minutes to open a file, or refuse it.
const MAX_PACK_BYTES: usize = 128 << 20;

/// What the page in one file is made of.
#[derive(Debug, clap::Args)]
pub(crate) struct HtmlArgs {
    /// For html: which pictures go in; their hashes always do.
    #[arg(long, visible_alias = "images", value_enum, default_value = "none")]
    pictures: PicturesArg,
    /// For html: the page in one file that `cargo xtask build single` writes; looked for beside the program and in the
    /// checkout if not given.
    #[arg(long, value_name = "FILE")]
    app: Option<PathBuf>,
}

/// Writes the page with a pack of what is open, and checks that pack as a reader's browser will.
pub(crate) fn write(
    host: &mut host::Host,
    options: &ScoreOptions,
    args: &HtmlArgs,
    out: Option<PathBuf>,
) -> anyhow::Result<ExitCode> {
    let app = built(
        args.app.as_deref(),
        "juror.html",
        "www/dist-single/juror.html",
        "cargo xtask build single",
    )?;
    let page =
        std::fs::read_to_string(&app).with_context(|| format!("cannot read {}", app.display()))?;
    let out = out.unwrap_or_else(|| "juror.html".into());
    if out
        .canonicalize()
        .is_ok_and(|out| app.canonicalize().is_ok_and(|app| app == out))
    {
        bail!(
            "{} is the page that the report is to go into; name another file by --out",
            out.display()
        );
    }
    let bytes =
        pack::write_to(host, Cursor::new(Vec::new()), options, args.pictures.into())?.into_inner();
    if bytes.len() > MAX_PACK_BYTES {
        bail!(
            "the report is {} bytes, too many for one file (at most {MAX_PACK_BYTES}); take --pictures thumbnails or none, or juror pack",
            bytes.len()
        );
    }
    let (checked, _) = pack::recompute(&mut Zip::read(Cursor::new(&bytes), "pack.zip")?)?;
    let Some(filled) = html::with_pack(&page, &bytes) else {
        bail!(
            "{} has no place for a report; cargo xtask build single writes a page that has one",
            app.display()
        );
    };
    std::fs::write(&out, &filled).with_context(|| format!("cannot write {}", out.display()))?;
    say(&format!("juror: {}: {} bytes", out.display(), filled.len()));
    pack::tell(&out, &checked);
    Ok(pack::code(checked.reproduced))
}

/// What was built of the page: as given, or `name` beside the program, or `path` in the checkout that it or the user is in.
pub(crate) fn built(
    given: Option<&Path>,
    name: &str,
    path: &str,
    how: &str,
) -> anyhow::Result<PathBuf> {
    if let Some(given) = given {
        if given.exists() {
            return Ok(given.to_owned());
        }
        bail!("there is no {}; {how} writes it", given.display());
    }
    let program = std::env::current_exe().unwrap_or_default();
    let here = std::env::current_dir().unwrap_or_default();
    let beside = program.parent().map(|folder| folder.join(name));
    let checkouts = program.ancestors().chain(here.ancestors());
    beside
        .into_iter()
        .chain(checkouts.map(|folder| folder.join(path)))
        .find(|found| found.exists())
        .with_context(|| format!("the built page is neither {name} beside the program nor {path} in the checkout: {how} writes it, and --app says where it lies"))
}
