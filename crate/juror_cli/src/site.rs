//! `juror site`: a folder that any static host serves.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, bail};
use juror_evidence::report::html::{self, GENERATOR, Listed, Robots};
use juror_model::options::{Policy, ScoreOptions};

use crate::PolicyArg;
use crate::ProfileArg;
use crate::host;
use crate::html::built;
use crate::pack::{self, PicturesArg, Zip};
use crate::say;

/// What a site's folder holds; nothing else in it is touched.
const PARTS: [&str; 5] = ["app", "packs", "index.html", "site.css", "robots.txt"];
/// The pack of folders that were no packs.
const MADE: &str = "evidence.zip";

/// What a site is made of.
#[derive(Debug, clap::Args)]
pub(crate) struct SiteArgs {
    /// Evidence packs, folders of such, or benchmark and model folders, which are packed together.
    #[arg(required = true)]
    dirs: Vec<PathBuf>,
    /// Folder to write; one that an earlier call wrote is replaced.
    #[arg(long)]
    out: PathBuf,
    /// Let search engines list it.
    #[arg(long)]
    index: bool,
    /// The viewer that `cargo xtask build` writes; looked for beside the program and in the checkout if not given.
    #[arg(long, value_name = "FOLDER")]
    app: Option<PathBuf>,
    /// Of folders that are packed: how pictures go in.
    #[arg(
        long,
        visible_alias = "images",
        value_enum,
        default_value = "thumbnails"
    )]
    pictures: PicturesArg,
    /// Of folders that are packed: which formulas.
    #[arg(long, value_enum, default_value = "paper")]
    profile: ProfileArg,
    /// Of folders that are packed: what incidents count as; the profile's own policy if not given.
    #[arg(long, value_enum)]
    policy: Option<PolicyArg>,
}

/// Writes the site and checks every pack on it.
pub(crate) fn write(args: &SiteArgs) -> anyhow::Result<ExitCode> {
    let app = built(args.app.as_deref(), "app", "www/dist", "cargo xtask build")?;
    if !app.join("index.html").is_file() {
        bail!(
            "there is no page in {}; cargo xtask build writes it",
            app.display()
        );
    }
    let is_foreign = fs::read_dir(&args.out).is_ok_and(|mut entries| entries.next().is_some())
        && !fs::read_to_string(args.out.join("index.html"))
            .is_ok_and(|page| page.contains(GENERATOR));
    if is_foreign {
        bail!(
            "{} is not empty and no site of an earlier call; name another folder",
            args.out.display()
        );
    }
    // Beside the place where it goes: packs may come from the site that is replaced.
    let part = args.out.with_file_name(match args.out.file_name() {
        Some(name) => format!("{}.part", name.to_string_lossy()),
        None => bail!("{} has no name to write a folder under", args.out.display()),
    });
    fs::create_dir(&part).with_context(|| format!("cannot make {}", part.display()))?;
    let done = fill(args, &app, &part).and_then(|listed| {
        replace(&part, &args.out)
            .with_context(|| format!("cannot write {}", args.out.display()))?;
        Ok(listed)
    });
    // What is left of it is of no use to anybody; the error that is told is the first one.
    let _ = fs::remove_dir_all(&part);
    let listed = done?;
    say(&format!(
        "juror: {}: packs on the site: {}",
        args.out.display(),
        listed.len()
    ));
    Ok(pack::code(
        listed.iter().all(|pack| pack.checked.reproduced),
    ))
}

fn fill(args: &SiteArgs, app: &Path, to: &Path) -> anyhow::Result<Vec<Listed>> {
    let robots = if args.index {
        Robots::Index
    } else {
        Robots::KeepOut
    };
    let packs = to.join("packs");
    fs::create_dir(&packs)?;
    let mut listed = Vec::new();
    for path in place(args, &packs)? {
        let mut zip = Zip::open(&path)?;
        let (checked, mut session) = pack::recompute(&mut zip)?;
        let name = path.file_name().unwrap_or_default();
        pack::tell(Path::new(name), &checked);
        listed.push(Listed {
            file: name.to_string_lossy().into_owned(),
            bytes: fs::metadata(&path)?.len(),
            tables: juror_session::tables(&session.study(&zip.manifest.options())),
            manifest: zip.manifest,
            checked,
        });
    }
    copy(app, &to.join("app"))?;
    if robots == Robots::KeepOut {
        keep_out(&to.join("app"))?;
        fs::write(to.join("robots.txt"), html::ROBOTS)?;
    }
    fs::write(to.join("index.html"), html::index(&listed, robots))?;
    fs::write(to.join("site.css"), html::STYLE)?;
    Ok(listed)
}

/// Brings every pack into `folder`, making one of the folders that are none; where each lies then.
fn place(args: &SiteArgs, folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let mut placed: Vec<PathBuf> = Vec::new();
    let mut rest = Vec::new();
    for given in &args.dirs {
        let found = if given.is_file() {
            vec![given.clone()]
        } else {
            zips(given)?
        };
        if found.is_empty() {
            rest.push(given.clone());
        }
        for from in found {
            let to = free(
                folder,
                &from.file_name().unwrap_or_default().to_string_lossy(),
            );
            fs::copy(&from, &to).with_context(|| format!("cannot copy {}", from.display()))?;
            placed.push(to);
        }
    }
    if !rest.is_empty() {
        let mut host = host::Host::open(&rest, &[])?;
        let options = ScoreOptions {
            profile: args.profile.into(),
            policy: args.policy.map(Policy::from),
            reading: crate::host::reading(),
            ..ScoreOptions::default()
        };
        let to = free(folder, MADE);
        pack::write_to(
            &mut host,
            File::create(&to)?,
            &options,
            args.pictures.into(),
        )?;
        placed.push(to);
    }
    Ok(placed)
}

/// The ZIP files of a folder, by name.
fn zips(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let entries =
        fs::read_dir(folder).with_context(|| format!("cannot open {}", folder.display()))?;
    let mut found = Vec::new();
    for entry in entries {
        let path = entry?.path();
        let is_zip = path
            .extension()
            .is_some_and(|extension| extension.eq_ignore_ascii_case("zip"));
        if is_zip && path.is_file() {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

/// A path for a file of this name; a number is added where there is one already.
fn free(folder: &Path, name: &str) -> PathBuf {
    let (stem, extension) = name.rsplit_once('.').unwrap_or((name, "zip"));
    let numbered = (2..).map(|number| format!("{stem}-{number}.{extension}"));
    std::iter::once(name.to_owned())
        .chain(numbered)
        .map(|name| folder.join(name))
        .find(|path| !path.exists())
        .unwrap_or_else(|| folder.join(name))
}

fn copy(from: &Path, to: &Path) -> anyhow::Result<()> {
    for entry in walkdir::WalkDir::new(from).sort_by_file_name() {
        let entry = entry?;
        let to = to.join(entry.path().strip_prefix(from)?);
        if entry.file_type().is_dir() {
            fs::create_dir(&to)?;
        } else {
            fs::copy(entry.path(), &to)
                .with_context(|| format!("cannot copy {}", entry.path().display()))?;
        }
    }
    Ok(())
}

/// Asks search engines to leave the viewer out; its service worker knows the page by its hash, which then is another.
fn keep_out(app: &Path) -> anyhow::Result<()> {
    let (page, worker) = (app.join("index.html"), app.join("sw.js"));
    let before = fs::read_to_string(&page)?;
    let after = html::with_robots(&before, Robots::KeepOut);
    if let Ok(text) = fs::read_to_string(&worker) {
        fs::write(
            &worker,
            text.replace(&html::integrity(&before), &html::integrity(&after)),
        )?;
    }
    Ok(fs::write(&page, after)?)
}

/// Puts the parts of a finished site in the place of an earlier one's.
fn replace(from: &Path, to: &Path) -> std::io::Result<()> {
    fs::create_dir_all(to)?;
    for part in PARTS {
        let old = to.join(part);
        if old.is_dir() {
            fs::remove_dir_all(&old)?;
        } else if old.exists() {
            fs::remove_file(&old)?;
        }
        if from.join(part).exists() {
            fs::rename(from.join(part), old)?;
        }
    }
    Ok(())
}
