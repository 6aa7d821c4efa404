//! `juror pack` and `juror verify`: evidence packs as ZIP files.
//!
//! Entries stand by path, the pack's own behind those that were opened; times are fixed, pictures are stored and texts
//! deflated: the same input gives the same bytes.

use juror_reading::count::counted;
use std::collections::HashMap;
use std::fs::File;
use std::io::{BufReader, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, bail};
use clap::{Args, ValueEnum};
use juror_evidence::pack::compare::{ModelChange, ScoreChange};
use juror_evidence::pack::{
    self, Finding, FoundEntry, Kept, MANIFEST, Manifest, OpenedPack, PackText, Packed, Pictures,
    Verification, compare,
};
use juror_model::host::Phase;
use juror_model::options::{Policy, ScoreOptions};
use juror_model::prompt::sha256;
use juror_session::Session;
use juror_session::measure::Measure;
use juror_sources::archive::file::ZipFile;
use minisign::SecretKey;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

use crate::PolicyArg;
use crate::ProfileArg;
use crate::check_choice;
use crate::host;
use crate::measure;
use crate::print;
use crate::say;
use crate::sign;

/// Findings that are told in words; JSON has more.
const MAX_SAID: usize = 20;

/// What to pack, and how.
#[derive(Debug, Args)]
pub(crate) struct PackArgs {
    /// Benchmark and model folders, in any order.
    #[arg(required = true)]
    dirs: Vec<PathBuf>,
    /// Journals with more replies.
    #[arg(long)]
    replies: Vec<PathBuf>,
    /// File to write.
    #[arg(long)]
    out: PathBuf,
    /// How pictures go in; their hashes always do.
    #[arg(long, visible_alias = "pictures", value_enum, default_value = "full")]
    images: PicturesArg,
    /// Which formulas.
    #[arg(long, value_enum, default_value = "paper")]
    profile: ProfileArg,
    /// What incidents count as; the profile's own policy if not given.
    #[arg(long, value_enum)]
    policy: Option<PolicyArg>,
    /// Only this judge's replies count, as in `juror score`; all are packed.
    #[arg(long)]
    judge: Option<String>,
    /// Only this run's replies count, from 1.
    #[arg(long)]
    run: Option<u32>,
    /// Sign it by this secret key of minisign's; `juror key` and `minisign -G` make one. One that is locked asks for its
    /// password.
    #[arg(long, value_name = "KEY")]
    sign: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum PicturesArg {
    /// As they are.
    Full,
    /// As JPEGs of at most 256 pixels a side.
    Thumbnails,
    /// Not at all.
    None,
}

impl From<PicturesArg> for Pictures {
    fn from(arg: PicturesArg) -> Self {
        match arg {
            PicturesArg::Full => Self::Full,
            PicturesArg::Thumbnails => Self::Thumbnails,
            PicturesArg::None => Self::None,
        }
    }
}

/// Writes a pack, then checks it.
pub(crate) fn write(args: PackArgs) -> anyhow::Result<ExitCode> {
    let mut host = host::Host::with_replies(&args.dirs, &args.replies)?;
    let options = ScoreOptions {
        profile: args.profile.into(),
        policy: args.policy.map(Policy::from),
        judge: args.judge,
        run: args.run,
        reading: crate::host::reading(),
    };
    check_choice(&mut host, &options)?;
    // Beside the place where it goes: a pack that was not finished never has the name of one.
    let mut part = args.out.clone().into_os_string();
    part.push(".part");
    let part = PathBuf::from(part);
    let written = File::create(&part)
        .with_context(|| format!("cannot write {}", part.display()))
        .and_then(|file| {
            let key = args.sign.as_deref().map(sign::secret).transpose()?;
            write_signed(
                &mut host,
                file,
                (&options, args.images.into()),
                key.as_ref(),
            )
        })
        .and_then(|_| Ok(recompute(&mut Zip::open(&part)?)?.0));
    let checked = match written {
        Ok(checked) => checked,
        Err(error) => {
            // What is left of it is of no use to anybody; the error that is told is the first one.
            let _ = std::fs::remove_file(&part);
            return Err(error);
        }
    };
    std::fs::rename(&part, &args.out)
        .with_context(|| format!("cannot write {}", args.out.display()))?;
    let bytes = std::fs::metadata(&args.out)?.len();
    say(&format!("juror: {}: {bytes} bytes", args.out.display()));
    tell(&args.out, &checked);
    print(&(serde_json::to_string_pretty(&checked)? + "\n"))?;
    Ok(code(checked.reproduced))
}

/// Writes a pack of what the host has open.
pub(crate) fn write_to<To: Write + Seek>(
    host: &mut host::Host,
    to: To,
    options: &ScoreOptions,
    pictures: Pictures,
) -> anyhow::Result<To> {
    write_signed(host, to, (options, pictures), None)
}

/// The same, signed by a key.
fn write_signed<To: Write + Seek>(
    host: &mut host::Host,
    to: To,
    (options, pictures): (&ScoreOptions, Pictures),
    key: Option<&SecretKey>,
) -> anyhow::Result<To> {
    let items = juror_session::pack_items(&host.session.linked())?;
    let mut zip = ZipWriter::new(to);
    let mut packed = Vec::with_capacity(items.len());
    for item in &items {
        let bytes = host
            .bytes(item.file)
            .with_context(|| format!("cannot read {}", item.path))?;
        let mut one = Packed {
            file: item.file,
            size: bytes.len() as u64,
            sha256: sha256(&bytes),
            thumbnail_size: None,
            thumbnail_sha256: None,
        };
        match pictures {
            Pictures::Thumbnails if item.is_picture() => {
                // One that cannot be decoded has no small form either: it is left out, and the manifest says what is wrong.
                if let Ok(small) = juror_image::thumbnail(&bytes, pack::THUMBNAIL_PX) {
                    one.thumbnail_size = Some(small.len() as u64);
                    one.thumbnail_sha256 = Some(sha256(&small));
                    add(&mut zip, &item.path, CompressionMethod::Stored, &small)?;
                }
            }
            Pictures::None if item.is_picture() => {}
            _ => {
                let method = if item.is_picture() {
                    CompressionMethod::Stored
                } else {
                    CompressionMethod::Deflated
                };
                add(&mut zip, &item.path, method, &bytes)?;
            }
        }
        packed.push(one);
    }
    let mut texts = juror_session::pack_texts(&mut host.session, options, pictures, &packed)?;
    let manifest = texts.iter().find(|text| text.path == MANIFEST);
    if let Some((key, manifest)) = key.zip(manifest) {
        texts.push(PackText {
            path: pack::SIGNATURE.to_owned(),
            text: sign::signature(key, &manifest.text)?,
        });
    }
    for text in texts {
        add(
            &mut zip,
            &text.path,
            CompressionMethod::Deflated,
            text.text.as_bytes(),
        )?;
    }
    zip.finish().context("cannot finish the pack")
}

fn add<To: Write + Seek>(
    zip: &mut ZipWriter<To>,
    path: &str,
    method: CompressionMethod,
    bytes: &[u8],
) -> anyhow::Result<()> {
    let options = SimpleFileOptions::default()
        .compression_method(method)
        .last_modified_time(DateTime::DEFAULT)
        .unix_permissions(0o644)
        .large_file(bytes.len() as u64 >= u64::from(u32::MAX));
    zip.start_file(path, options)?;
    zip.write_all(bytes)?;
    Ok(())
}

/// A pack that was opened, with everything in it hashed.
pub(crate) struct Zip<From> {
    file: ZipFile<From>,
    /// Entries of the ZIP by the paths that the manifest has.
    by_path: HashMap<String, usize>,
    opened: OpenedPack,
    pub(crate) manifest: Manifest,
    journal: String,
}

impl Zip<BufReader<File>> {
    pub(crate) fn open(path: &Path) -> anyhow::Result<Self> {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        File::open(path)
            .map_err(anyhow::Error::from)
            .and_then(|file| Self::read(BufReader::new(file), &name))
            .with_context(|| format!("cannot read {} as an evidence pack", path.display()))
    }
}

impl<From: Read + Seek> Zip<From> {
    pub(crate) fn read(from: From, name: &str) -> anyhow::Result<Self> {
        let mut zip = ZipFile::list(from, name)?;
        if let Some(refused) = zip.archive.refused.first() {
            bail!("the entry {:?}: {}", refused.name, refused.message);
        }
        let Some(folder) = zip.archive.pack.clone() else {
            bail!(
                "there is no {MANIFEST} at its root, so it is no evidence pack; juror score opens other ZIP files, and folders"
            );
        };
        let found: Vec<(usize, String)> = zip
            .archive
            .entries
            .iter()
            .enumerate()
            .filter(|(_, entry)| !entry.is_leftover)
            .map(|(at, entry)| (at, entry.path[folder.len()..].to_owned()))
            .collect();
        let mut opened = OpenedPack::default();
        // First, so that a later format is refused for what it is.
        let at = found.iter().find(|(_, path)| path == MANIFEST);
        let at = at.map(|(at, _)| *at).context("there is no manifest")?;
        opened.manifest = text(MANIFEST, zip.bytes(at, None)?)?;
        let manifest = Manifest::read(&opened.manifest)?;
        let (places, paths): (Vec<usize>, Vec<String>) = found.into_iter().unzip();
        let names = manifest.settle(&paths);
        opened.renamed = names.renamed;
        let outside = zip.outside()?.into_iter();
        opened.outside = outside
            .map(|stray| Finding::outside(stray.about, stray.found))
            .collect();
        let small = manifest.thumbnails();
        let mut by_path = HashMap::new();
        let mut journal = String::new();
        for (at, path) in places.into_iter().zip(names.paths) {
            let bytes = zip.bytes(at, None)?;
            by_path.insert(path.clone(), at);
            let entry = FoundEntry {
                size: bytes.len() as u64,
                sha256: sha256(&bytes),
                pixels: small
                    .contains(path.as_str())
                    .then(|| juror_image::stated_size(&bytes))
                    .flatten(),
                path,
            };
            match entry.path.as_str() {
                MANIFEST => continue,
                pack::SIGNATURE => {
                    opened.signature = Some(text(pack::SIGNATURE, bytes)?);
                    continue;
                }
                pack::REPORT => opened.report = text(pack::REPORT, bytes)?,
                pack::REQUESTS => opened.requests = text(pack::REQUESTS, bytes)?,
                pack::VERDICTS => opened.verdicts = text(pack::VERDICTS, bytes)?,
                pack::JOURNAL if manifest.has_journal() => journal = text(pack::JOURNAL, bytes)?,
                _ => {}
            }
            opened.entries.push(entry);
        }
        Ok(Self {
            file: zip,
            by_path,
            opened,
            manifest,
            journal,
        })
    }
}

fn text(path: &str, bytes: Vec<u8>) -> anyhow::Result<String> {
    String::from_utf8(bytes).with_context(|| format!("{path} is not UTF-8"))
}

/// Recomputes a pack in a session of its own, which comes along.
pub(crate) fn recompute<From: Read + Seek>(
    zip: &mut Zip<From>,
) -> anyhow::Result<(Verification, Session)> {
    let mut session = Session::new(host::probe);
    let first = juror_session::add_pack(&mut session, &zip.manifest);
    let paths: Vec<&str> = zip
        .manifest
        .sources()
        .map(|entry| entry.path.as_str())
        .collect();
    if !zip.journal.is_empty() {
        juror_session::add_pack_journal(&mut session, &zip.journal);
    }
    loop {
        let wants = session.wants(64);
        if wants.is_empty() {
            break;
        }
        for want in wants {
            let path = paths.get((want.file - first) as usize);
            let Some(&at) = path.and_then(|path| zip.by_path.get(*path)) else {
                session.failed(want.file, "The file is not in the pack.");
                continue;
            };
            let bytes = zip.file.bytes(at, want.head)?;
            if want.phase == Phase::Decoding {
                session.provide_decoded(want.file, host::decoded(&bytes));
            } else {
                session.provide(want.file, bytes);
            }
        }
    }
    let measured = measured_again(&mut session, zip, first)?;
    let checked = juror_session::verify_pack(&mut session, &zip.opened, &measured)?;
    Ok((checked, session))
}

/// Measures again what was measured on pictures that lie in the pack.
fn measured_again<From: Read + Seek>(
    session: &mut Session,
    zip: &mut Zip<From>,
    first: u32,
) -> anyhow::Result<Vec<Measure>> {
    let places: Vec<Option<usize>> = (zip.manifest.sources())
        .map(|entry| {
            let place = zip.by_path.get(entry.path.as_str()).copied();
            place.filter(|_| entry.kept == Kept::Full)
        })
        .collect();
    let place = |file: u32| *places.get((file - first) as usize)?;
    let mut measured = Vec::new();
    for check in juror_session::measures_to_check(&session.linked()) {
        let pair = &check.pair;
        let Some((output, counterpart)) = place(pair.output).zip(place(pair.counterpart)) else {
            continue;
        };
        let sides = [
            zip.file.bytes(output, None)?,
            zip.file.bytes(counterpart, None)?,
        ];
        let protocol = &zip.manifest.protocol;
        measured.extend(measure::measured(sides, protocol, pair, check.sizes));
    }
    Ok(measured)
}

/// Checks a pack; compares it with another one if there is one.
pub(crate) fn verify(
    path: &Path,
    other: Option<&Path>,
    signer: Option<&str>,
) -> anyhow::Result<ExitCode> {
    let signer = signer.map(sign::signer).transpose()?;
    let mut first = Zip::open(path)?;
    let is_signed = signer.as_ref().is_none_or(|signer| {
        let signature = first.opened.signature.as_deref().unwrap_or_default();
        let is_signed = signer.has_signed(&first.opened.manifest, signature);
        let not = if is_signed { "" } else { "not " };
        say(&format!(
            "juror: {}: {not}signed by this key.",
            path.display()
        ));
        is_signed
    });
    let Some(other) = other else {
        let (checked, _) = recompute(&mut first)?;
        tell(path, &checked);
        print(&(serde_json::to_string_pretty(&checked)? + "\n"))?;
        return Ok(code(checked.reproduced && is_signed));
    };
    let mut second = Zip::open(other)?;
    let both = [recompute(&mut first)?.0, recompute(&mut second)?.0];
    tell(path, &both[0]);
    tell(other, &both[1]);
    let found = compare::compare(&first.opened, &second.opened)?;
    say(&format!(
        "juror: {} in both, {} in the first alone, {} in the second alone; {} the same, {} not; {} the same, {} not; {}",
        counted(found.samples, "sample", "samples"),
        found.only_first.len(),
        found.only_second.len(),
        counted(found.same_requests, "request is", "requests are"),
        found.other_requests,
        counted(found.same_verdicts, "verdict is", "verdicts are"),
        found.other_verdicts,
        counted(found.scores.len(), "score row differs", "score rows differ")
    ));
    for model in found.models.iter().take(MAX_SAID) {
        say(&format!("  {}", model_words(model, &found.scores)));
    }
    let rest = found.scores.iter().filter(|score| !score.is_total());
    for score in rest.take(MAX_SAID) {
        say(&format!(
            "  {} of {}, {} {}: {} → {}",
            score.criterion, score.model, score.scope, score.key, score.old, score.new
        ));
    }
    let whole = serde_json::json!({"packs": both, "comparison": found});
    print(&(serde_json::to_string_pretty(&whole)? + "\n"))?;
    let is_same = both.iter().all(|one| one.reproduced) && found.same;
    Ok(code(is_same && is_signed))
}

/// Effect and cause of one model, in words.
fn model_words(change: &ModelChange, scores: &[ScoreChange]) -> String {
    let mean = |mean: Option<f64>| mean.map_or_else(|| "–".to_owned(), |mean| format!("{mean:.3}"));
    let totals = scores.iter().filter(|score| score.is_total());
    let own = totals.filter(|score| score.model == change.model);
    let totals: Vec<String> = own
        .map(|total| {
            let judge = if total.judge.is_empty() { "" } else { " by " };
            let (old, new) = (mean(total.old_mean), mean(total.new_mean));
            format!("{old} → {new}{judge}{}", total.judge)
        })
        .collect();
    let effect = match (change.in_first, change.in_second) {
        (true, false) => "in the first only".to_owned(),
        (false, true) => "in the second only".to_owned(),
        _ if totals.is_empty() => "same total".to_owned(),
        _ => totals.join(", "),
    };
    format!(
        "{}: {effect}; {}, {} and {} changed",
        change.model,
        counted(change.files, "file", "files"),
        counted(change.requests, "request", "requests"),
        counted(change.verdicts, "verdict", "verdicts"),
    )
}

/// What became of a check, in words.
pub(crate) fn tell(path: &Path, checked: &Verification) {
    let path = path.display();
    if checked.reproduced {
        say(&format!(
            "juror: {path}: reproduced. {}, {}, {}, {}; manifest {}",
            counted(checked.files, "file", "files"),
            counted(checked.requests, "request", "requests"),
            counted(checked.verdicts, "reply", "replies"),
            counted(checked.scores, "score row", "score rows"),
            checked.sha256
        ));
    } else if checked.counts.is_empty() {
        say(&format!(
            "juror: {path}: not reproduced. {}",
            checked.reason
        ));
    } else {
        let num: u32 = checked.counts.values().sum();
        say(&format!(
            "juror: {path}: does not reproduce: it differs in {}.",
            counted(num, "place", "places")
        ));
    }
    say(&format!("  {}", checked.covered));
    if let Some(signed) = &checked.signed {
        say(&format!("  {}", signed.words()));
    }
    for finding in checked.findings.iter().take(MAX_SAID) {
        let sample = match finding.turn {
            Some(turn) => format!("sample {}, turn {}: ", finding.sample, turn + 1),
            None => String::new(),
        };
        say(&format!(
            "  {}: {sample}{}: {} → {}",
            finding.kind.replace('_', " "),
            finding.about,
            finding.old,
            finding.new
        ));
    }
    if checked.findings.len() > MAX_SAID {
        say("  … and more; stdout has them as JSON");
    }
    for note in &checked.notes {
        say(&format!("  note: {note}"));
    }
}

pub(crate) fn code(is_fine: bool) -> ExitCode {
    if is_fine {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(1)
    }
}
