//! Lists folders and brings the bytes that the session wants.

use juror_reading::count::counted;
use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;
use std::fs::File;
use std::io::{BufReader, Read as _};
use std::path::{Component, Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

use anyhow::Context as _;
use juror_image::{ImageError, Limits};
use juror_model::host::{FileMeta, Phase, Want};
use juror_model::judge::JudgeName;
use juror_model::options::ReplyReading;
use juror_model::submission::Kind;
use juror_model::tree::{self, FileId};
use juror_session::{Probed, Session, Undecodable};

use juror_sources::archive::file::{ZipFile, ZipFileError};

use crate::links::{self, Unfollowed, Why};

mod outputs;

/// Reads that the session is asked for at once.
const READS: usize = 1024;

/// What a compressed file of replies may unpack to.
const MOST_UNPACKED: u64 = 4 << 30;

/// The benchmark that the user named, where several may be meant.
static CHOSEN: OnceLock<PathBuf> = OnceLock::new();

/// How the user wants replies to be read.
static READING: OnceLock<ReplyReading> = OnceLock::new();

/// Takes note of how replies are read in whatever is opened.
pub(crate) fn read_as(reading: ReplyReading) {
    // It is said once, on the command line.
    let _ = READING.set(reading);
}

/// How replies are read.
pub(crate) fn reading() -> ReplyReading {
    READING.get().copied().unwrap_or_default()
}

/// Judges that the user named for files of replies that state none.
static NAMED: OnceLock<Vec<JudgeOf>> = OnceLock::new();

/// `PATH=NAME`: who judged in a file of replies, or in a folder of such files, that states no judge.
#[derive(Clone, Debug)]
pub(crate) struct JudgeOf {
    path: String,
    judge: String,
}

impl std::str::FromStr for JudgeOf {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        // Folders are called lr=3 more often than judges are.
        match text.rsplit_once('=') {
            Some((path, judge)) if !path.is_empty() && !judge.is_empty() => Ok(Self {
                path: path.to_owned(),
                judge: judge.to_owned(),
            }),
            _ => Err(
                "expected PATH=NAME, such as result/m/metrics.jsonl=gpt-4o-2024-08-06".to_owned(),
            ),
        }
    }
}

/// What the user said that models are judged on.
static KINDS: OnceLock<Vec<KindOf>> = OnceLock::new();

/// `MODEL=KIND`: what a model is judged on.
#[derive(Clone, Debug)]
pub(crate) struct KindOf {
    model: String,
    kind: Kind,
}

impl std::str::FromStr for KindOf {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts = text.rsplit_once('=').filter(|(model, _)| !model.is_empty());
        let kind = parts.and_then(|(model, kind)| Some((model, Kind::named(kind)?)));
        let (model, kind) = kind.ok_or_else(|| {
            "expected MODEL=KIND with img, txt or umm, such as model-a=img".to_owned()
        })?;
        Ok(Self {
            model: model.to_owned(),
            kind,
        })
    }
}

/// Takes note of what models are judged on in whatever is opened.
pub(crate) fn set_kinds(kinds: Vec<KindOf>) {
    // It is said once, on the command line.
    let _ = KINDS.set(kinds);
}

/// Takes note of the judges of whatever is opened.
pub(crate) fn name_judges(named: Vec<JudgeOf>) {
    // It is said once, on the command line.
    let _ = NAMED.set(named);
}

/// Takes note of the benchmark that counts in whatever is opened: its list, or its `juror.json`.
pub(crate) fn choose(path: PathBuf) {
    // It is said once, on the command line.
    let _ = CHOSEN.set(path);
}

/// A session over real folders.
pub(crate) struct Host {
    /// The session, loaded to the end.
    pub(crate) session: Session,
    paths: Vec<Place>,
    zips: Vec<Mutex<ZipFile<BufReader<File>>>>,
    /// The roots in the order of opening, each with the number behind its last file.
    opened: Vec<(PathBuf, usize)>,
    /// File numbers by their paths as listed.
    by_path: HashMap<String, usize>,
    /// Folders that are links to others below the roots, as listed, with what they lead to on disk.
    linked: Vec<(String, PathBuf)>,
    /// Files that were wanted and could not be read.
    failed: HashSet<usize>,
    /// What has a name and no bytes: it is said, unless it was wanted.
    unfollowed: Unfollowed,
}

/// Where a file lies.
enum Place {
    /// On disk.
    Disk(PathBuf),
    /// On disk, compressed as a whole by gzip.
    Gzip(PathBuf),
    /// An entry of a ZIP, by both numbers.
    Zip(usize, usize),
    /// Nowhere that could be read, and why.
    Nowhere(String),
}

impl Host {
    /// Lists the folders and reads what the session wants; `more` are folders or single files beside them.
    pub(crate) fn open(dirs: &[PathBuf], more: &[PathBuf]) -> anyhow::Result<Self> {
        let host = Self::listing(dirs, more)?;
        host.say_unopened();
        Ok(host)
    }

    /// The same with the judge texts that requests are made with.
    ///
    /// # Errors
    /// Nothing would be asked with them: requests in other words than the user named cost as much.
    pub(crate) fn with_prompts(
        dirs: &[PathBuf],
        prompts: Option<&PathBuf>,
    ) -> anyhow::Result<Self> {
        let mut host = Self::open(dirs, prompts.map_or(&[], std::slice::from_ref))?;
        if let Some(prompts) = prompts
            && let Some(why) = juror_session::unused_prompts(&host.session.linked())
        {
            anyhow::bail!("--prompts {} is not used. {why}", prompts.display());
        }
        Ok(host)
    }

    /// The same for a command that lists every file that could not be opened: each is named once.
    pub(crate) fn listing(dirs: &[PathBuf], more: &[PathBuf]) -> anyhow::Result<Self> {
        Self::opened(dirs, more, &[])
    }

    fn say_unopened(&self) {
        let unread = juror_session::unopened(&self.session);
        if !unread.is_empty() {
            crate::say(&format!("juror: error: {}", unread.words()));
        }
    }

    /// The same with files of replies, which are read by what is in them, whatever they are called; folders go in as they are.
    ///
    /// # Errors
    /// A file has no replies, or none of them counts: the scores would silently go without what the user named.
    pub(crate) fn with_replies(dirs: &[PathBuf], replies: &[PathBuf]) -> anyhow::Result<Self> {
        let mut host = Self::opened(dirs, replies, replies)?;
        host.say_unopened();
        let unknown = juror_session::unknown_files(&host.session.linked());
        let holds_any =
            |path: &PathBuf| path.is_dir() || path.metadata().is_ok_and(|found| found.len() > 0);
        let is_any = replies.iter().any(holds_any);
        for file in replies
            .iter()
            .filter(|path| !path.is_dir() && !is_zip(path))
        {
            let real = file.canonicalize()?;
            // A batch without a failed line has an empty file of errors beside that of the replies.
            if is_any && !holds_any(file) {
                continue;
            }
            let is_it = |place: &Place| match place {
                Place::Disk(path) | Place::Gzip(path) => *path == real,
                Place::Zip(..) | Place::Nowhere(_) => false,
            };
            // One that is among the benchmark's files too is listed again, after those.
            let listed = (0..).zip(&host.paths).filter(|(_, place)| is_it(place));
            let number = listed.last().map(|(number, _)| number);
            let Some(number) = number.filter(|number| !unknown.contains(number)) else {
                anyhow::bail!(
                    "{} was not read: there are no replies in it. Expected a journal, results of a batch by OpenAI, Gemini or Anthropic, a sheet of replies, or a CSV of ratings",
                    file.display()
                );
            };
            if let Some(why) = juror_session::idle_replies(&host.session.linked(), number) {
                anyhow::bail!(
                    "{} was read, and nothing in it counts. {why}",
                    file.display()
                );
            }
        }
        Ok(host)
    }

    fn opened(dirs: &[PathBuf], more: &[PathBuf], replies: &[PathBuf]) -> anyhow::Result<Self> {
        juror_session::compose_by(|name| {
            let form = icu_normalizer::ComposingNormalizerBorrowed::new_nfc();
            form.normalize(name).into_owned()
        });
        let mut host = Self {
            session: Session::new(probe),
            paths: Vec::new(),
            zips: Vec::new(),
            opened: Vec::new(),
            by_path: HashMap::new(),
            linked: Vec::new(),
            failed: HashSet::new(),
            unfollowed: Unfollowed::default(),
        };
        let mut roots: Vec<PathBuf> = Vec::new();
        for root in dirs.iter().chain(more) {
            let canonical = root
                .canonicalize()
                .with_context(|| format!("cannot open {}", root.display()))?;
            if !roots.contains(&canonical) {
                roots.push(canonical);
            }
        }
        // A folder below another is that part of it: listed again, its models would be others.
        let is_part = |root: &PathBuf| {
            let is_above = |other: &PathBuf| other != root && root.starts_with(other);
            root.is_dir() && roots.iter().any(is_above)
        };
        let roots: Vec<PathBuf> = roots
            .iter()
            .filter(|root| !is_part(root))
            .cloned()
            .collect();
        let replies: Vec<PathBuf> = replies
            .iter()
            .filter_map(|path| path.canonicalize().ok())
            .collect();
        for root in &roots {
            let name = name_apart(root, &roots);
            if replies.contains(root) && root.is_file() && !is_zip(root) {
                host.add_replies(root, &name)?;
            } else if is_zip(root) {
                host.add_zip(root, &name)?;
            } else {
                host.add(root, &name, &roots)?;
            }
        }
        for (path, target) in std::mem::take(&mut host.linked) {
            if let Some(target) = host.listed(&target) {
                host.session.add_linked_folder(&path, &target);
            }
        }
        if let Some(chosen) = CHOSEN.get() {
            host.choose(chosen)?;
        }
        juror_session::set_reading(&mut host.session, reading());
        host.load();
        if let Some(named) = NAMED.get() {
            host.name(named)?;
        }
        host.unfollowed.say_but(&host.failed);
        host.set_kinds()?;
        Ok(host)
    }

    /// The exit code of a command that went well: 1 where files could not be opened, as its numbers are not complete.
    pub(crate) fn exit_code(&self) -> ExitCode {
        if juror_session::unopened(&self.session).is_empty() {
            ExitCode::SUCCESS
        } else {
            ExitCode::from(1)
        }
    }

    /// Says what models are judged on.
    fn set_kinds(&mut self) -> anyhow::Result<()> {
        for KindOf { model, kind } in KINDS.get().into_iter().flatten() {
            juror_session::set_kind(&mut self.session, model, Some(*kind))?;
            anyhow::ensure!(
                juror_session::kinds(&self.session.linked()).contains_key(model),
                "--kind names {model}, and there is no such model; see juror inspect"
            );
        }
        Ok(())
    }

    /// Chooses the benchmark that a file stands for, by its path on disk or by the one that findings name.
    fn choose(&mut self, chosen: &Path) -> anyhow::Result<()> {
        let on_disk = chosen.canonicalize().ok();
        let is_it =
            |place: &Place| matches!(place, Place::Disk(path) if Some(path) == on_disk.as_ref());
        let known = self.paths.iter().position(is_it);
        let path = known.and_then(|at| FileId::try_from(at).ok());
        let path = path.map(|file| self.session.path(file).to_owned());
        let path = match path {
            Some(path) => path,
            None => self.list_below(chosen)?,
        };
        Ok(juror_session::choose_benchmark(
            &mut self.session,
            Some(&path),
        )?)
    }

    /// The one list of a benchmark in a folder, of several the one that is nearest to it; the folder itself where there is none.
    fn list_below(&mut self, folder: &Path) -> anyhow::Result<String> {
        let listed = self.listed(folder);
        let listed = listed.unwrap_or_else(|| folder.to_string_lossy().into_owned());
        let choices = juror_session::benchmark_choices(&mut self.session).into_iter();
        let mut below: Vec<(usize, String)> = choices
            .filter_map(|choice| {
                let rest = choice.path.strip_prefix(&listed)?.strip_prefix('/')?;
                let depth = rest.matches('/').count();
                Some((depth, choice.path))
            })
            .collect();
        below.sort_unstable();
        let nearest = below.first().map_or(0, |(depth, _)| *depth);
        below.retain(|(depth, _)| *depth == nearest);
        let mut paths: Vec<String> = below.into_iter().map(|(_, path)| path).collect();
        match paths.len() {
            0 => Ok(listed),
            1 => Ok(paths.remove(0)),
            _ => anyhow::bail!(
                "--benchmark names a folder with several benchmarks in it: name one of {}",
                paths.join(", ")
            ),
        }
    }

    /// Names judges, by paths on disk or by those that findings have.
    fn name(&mut self, named: &[JudgeOf]) -> anyhow::Result<()> {
        for JudgeOf { path, judge } in named {
            let listed = self.listed(Path::new(path));
            let name = JudgeName {
                path: listed.unwrap_or_else(|| path.clone()),
                judge: judge.clone(),
            };
            let place = name.path.trim_end_matches('/').to_owned();
            juror_session::name_judges(&mut self.session, vec![name])?;
            if juror_session::judge_names(&self.session.linked())
                .iter()
                .all(|one| one.path != place)
            {
                let unstated = juror_session::unstated_judges(&self.session.linked());
                let places: Vec<String> = unstated
                    .into_iter()
                    .flat_map(|one| one.places)
                    .take(5)
                    .collect();
                let known = if places.is_empty() {
                    "none".to_owned()
                } else {
                    places.join(", ")
                };
                anyhow::bail!(
                    "--judge-of names {path}, where no file of replies lies that states no judge; there are {known}"
                );
            }
        }
        Ok(())
    }

    /// The path by which a file or folder on disk is listed.
    fn listed(&self, path: &Path) -> Option<String> {
        let path = path.canonicalize().ok()?;
        self.paths.iter().enumerate().find_map(|(at, place)| {
            let Place::Disk(disk) = place else {
                return None;
            };
            let below = disk.strip_prefix(&path).ok()?;
            let listed = self.session.path(FileId::try_from(at).ok()?);
            let depth = below.components().count();
            let parts: Vec<&str> = listed.split('/').collect();
            Some(parts[..parts.len().checked_sub(depth)?].join("/"))
        })
    }

    /// Holds the replies against their requests; what came of it, in words.
    pub(crate) fn check_requests(&mut self) -> String {
        for file in juror_session::check_needs(&self.session.linked()) {
            self.hash(file);
        }
        let check = juror_session::check_replies(&mut self.session);
        format!(
            "juror: {} the request as it is now; {} an earlier one and {} not count; {} which request was asked",
            counted(check.current, "reply answers", "replies answer"),
            counted(check.stale, "reply answers", "replies answer"),
            if check.stale == 1 { "does" } else { "do" },
            counted(check.unknown, "reply does not say", "replies do not say")
        )
    }

    /// Lists a folder or file; its paths begin with `name`. Links lead to files below one of the roots, or nowhere.
    fn add(&mut self, root: &Path, name: &Path, roots: &[PathBuf]) -> anyhow::Result<()> {
        let mut metas = Vec::new();
        let mut names = Names::new(root, name);
        // Sorted, so that numbers and reports do not depend on the file system's order.
        let mut walk = walkdir::WalkDir::new(root)
            .sort_by_file_name()
            .follow_links(true)
            .into_iter();
        while let Some(entry) = walk.next() {
            let listed = entry.and_then(|entry| Ok((entry.metadata()?.len(), entry)));
            let (size, entry) = match listed {
                Ok(listed) => listed,
                Err(error) => {
                    self.add_unlisted(&mut metas, &error, &mut names);
                    continue;
                }
            };
            if entry.path_is_symlink() && !is_inside(entry.path(), roots) {
                let is_folder = entry.file_type().is_dir();
                let listed = (names.listed(entry.path()), is_folder);
                self.add_unread(&mut metas, listed, (entry.path(), Why::Outside));
                if is_folder {
                    walk.skip_current_dir();
                }
                continue;
            }
            if entry.file_type().is_dir() {
                if links::is_store(entry.path()) {
                    walk.skip_current_dir();
                } else if entry.depth() > 0 && entry.path_is_symlink() {
                    let target = entry.path().canonicalize()?;
                    self.linked.push((names.listed(entry.path()), target));
                }
                continue;
            }
            let listed = names.listed(entry.path());
            // The one device that is as good as a file: an empty one.
            let is_null = entry.path() == Path::new("/dev/null");
            if !entry.file_type().is_file() && !is_null {
                self.add_unread(&mut metas, (listed, false), (entry.path(), Why::NoFile));
                continue;
            }
            metas.push(FileMeta {
                path: listed,
                size: Some(size),
            });
            self.paths.push(Place::Disk(entry.into_path()));
        }
        names.say_escaped();
        self.keep_apart(root, &metas)?;
        self.session.add_files(&metas);
        Ok(())
    }

    /// Lists what a walk could not look at.
    fn add_unlisted(
        &mut self,
        metas: &mut Vec<FileMeta>,
        error: &walkdir::Error,
        names: &mut Names<'_>,
    ) {
        let path = error.path().filter(|_| error.loop_ancestor().is_none());
        let Some(path) = path else {
            crate::say(&format!("juror: left out: {error}"));
            return;
        };
        let listed = names.listed(path);
        match path.symlink_metadata() {
            // What should be in it is not missing: nobody could look.
            Ok(found) if found.is_dir() => {
                let message = format!("The folder cannot be listed: {error}.");
                self.session.add_closed_folder(&listed, &message);
            }
            Ok(found) if found.is_symlink() => {
                let is_folder = tree::may_be_folder(&listed);
                self.add_unread(metas, (listed, is_folder), (path, Why::Dangling));
            }
            // It has a name, so it is not missing either: reading it will tell.
            Ok(_) => {
                metas.push(FileMeta {
                    path: listed,
                    size: None,
                });
                self.paths.push(Place::Disk(path.to_owned()));
            }
            Err(_) => {}
        }
    }

    /// Lists a file, or what may be a folder, that cannot be read.
    fn add_unread(
        &mut self,
        metas: &mut Vec<FileMeta>,
        (mut path, is_folder): (String, bool),
        (place, why): (&Path, Why),
    ) {
        if is_folder {
            path.push('/');
        }
        metas.push(FileMeta { path, size: None });
        let message = self
            .unfollowed
            .add_path((self.paths.len(), is_folder), place, why);
        self.paths.push(Place::Nowhere(message));
    }

    /// Notes the paths of a root, whose files come last in `paths`.
    ///
    /// # Errors
    /// Another root has another file of the same path: the one that is named last would silently count.
    fn keep_apart(&mut self, root: &Path, metas: &[FileMeta]) -> anyhow::Result<()> {
        let first = self.paths.len() - metas.len();
        let mut different: Vec<(&str, usize)> = Vec::new();
        for (number, meta) in (first..).zip(metas) {
            let Ok(path) = tree::normalize(&meta.path) else {
                continue;
            };
            let Some(older) = self.by_path.insert(path, number) else {
                continue;
            };
            if older < first && tree::leftover(&meta.path).is_none() && !self.is_same(older, number)
            {
                different.push((&meta.path, older));
            }
        }
        self.opened.push((root.to_owned(), self.paths.len()));
        let Some((path, older)) = different.first() else {
            return Ok(());
        };
        let other = self.opened.iter().find(|(_, end)| older < end);
        let other = other.map_or(root, |(other, _)| other);
        let more = match different.len() - 1 {
            0 => "differs".to_owned(),
            1 => "and 1 more file differ".to_owned(),
            count => format!("and {count} more files differ"),
        };
        anyhow::bail!(
            "{path} {more} between {} and {}, so the numbers would depend on their order. Rename a folder inside one of them, or unpack each into a folder of its own and name these folders",
            other.display(),
            root.display()
        )
    }

    /// Whether two files hold the same bytes; `false` where one cannot be read.
    fn is_same(&self, one: usize, other: usize) -> bool {
        let bytes = |number: usize| {
            let file = FileId::try_from(number).map_err(std::io::Error::other)?;
            self.read(file, None)
        };
        bytes(one).is_ok_and(|one| bytes(other).is_ok_and(|other| one == other))
    }

    /// Lists a file of replies under a name by which its content decides what it is.
    fn add_replies(&mut self, path: &Path, name: &Path) -> anyhow::Result<()> {
        let (name, _) = escaped_path(name);
        let mut magic = [0; 2];
        let is_gzip = File::open(path)
            .and_then(|mut file| file.read_exact(&mut magic))
            .is_ok()
            && magic == [0x1f, 0x8b];
        let size = path.metadata().map(|found| found.len()).ok();
        let name = match tree::without_end(&name, ".gz") {
            Some(inner) if is_gzip => inner.to_owned(),
            _ => name,
        };
        let is_table = tree::without_end(&name, ".csv").is_some();
        let meta = FileMeta {
            path: if juror_session::may_be_journal(&name) || is_table {
                name
            } else {
                format!("{name}.jsonl")
            },
            size: size.filter(|_| !is_gzip),
        };
        self.paths.push(if is_gzip {
            Place::Gzip(path.to_owned())
        } else {
            Place::Disk(path.to_owned())
        });
        let metas = [meta];
        self.keep_apart(path, &metas)?;
        self.session.add_files(&metas);
        Ok(())
    }

    /// Lists a ZIP as the folder that it was made of; `name` is its own.
    fn add_zip(&mut self, path: &Path, name: &Path) -> anyhow::Result<()> {
        let name = name.to_string_lossy();
        let zip = File::open(path)
            .map_err(ZipFileError::from)
            .and_then(|file| ZipFile::list(BufReader::new(file), &name))
            .with_context(|| format!("cannot open {}", path.display()))?;
        self.unfollowed
            .add_refused(&name, &zip.archive, self.paths.len());
        let mut metas = Vec::new();
        for (at, (path, size)) in zip.archive.listed().enumerate() {
            metas.push(FileMeta { path, size });
            self.paths.push(Place::Zip(self.zips.len(), at));
        }
        self.zips.push(Mutex::new(zip));
        self.keep_apart(path, &metas)?;
        self.session.add_files(&metas);
        Ok(())
    }

    fn load(&mut self) {
        loop {
            let wants = self.session.wants(READS);
            let Some(first) = wants.first() else {
                return;
            };
            if first.phase == Phase::Decoding {
                self.decode(&wants);
                continue;
            }
            for want in wants {
                match self.read(want.file, want.head) {
                    Ok(bytes) => self.session.provide(want.file, bytes),
                    Err(error) => self.tell_failed(want.file, &error),
                }
            }
        }
    }

    /// Tells the session what kept a file from being read.
    fn tell_failed(&mut self, file: FileId, error: &std::io::Error) {
        self.failed.insert(file as usize);
        let of_zip = error.get_ref().and_then(|error| error.downcast_ref());
        if let Some(ZipFileError::Damaged { zip, entry, damage }) = of_zip {
            let why = damage.to_string();
            self.session.damaged_entry(file, zip, entry, &why);
            return;
        }
        let is_known = matches!(of_zip, Some(ZipFileError::Refused(_)))
            || matches!(self.paths.get(file as usize), Some(Place::Nowhere(_)));
        let message = if is_known {
            error.to_string()
        } else {
            format!("The file cannot be read: {error}.")
        };
        self.session.failed(file, &message);
    }

    /// Finds out on all cores whether pictures decode; each core holds one file at a time.
    fn decode(&mut self, wants: &[Want]) {
        let next = AtomicUsize::new(0);
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let found = Mutex::new(Vec::with_capacity(wants.len()));
        let work = || {
            while let Some(want) = wants.get(next.fetch_add(1, Ordering::Relaxed)) {
                let decoded = self.read(want.file, None).map(|bytes| decoded(&bytes));
                // Nobody panics while holding it.
                if let Ok(mut found) = found.lock() {
                    found.push((want.file, decoded));
                }
            }
        };
        std::thread::scope(|scope| {
            for _ in 0..cores.min(wants.len()) {
                scope.spawn(work);
            }
        });
        for (file, decoded) in found.into_inner().unwrap_or_default() {
            match decoded {
                Ok(decoded) => self.session.provide_decoded(file, decoded),
                Err(error) => self.tell_failed(file, &error),
            }
        }
    }

    /// Reads a picture whole, for its content hash.
    pub(crate) fn hash(&mut self, file: FileId) {
        if let Ok(bytes) = self.read(file, None) {
            juror_session::provide_picture(&mut self.session, file, &bytes);
        }
    }

    /// Where a file lies on disk; `None` for one in a ZIP.
    pub(crate) fn path(&self, file: FileId) -> Option<&Path> {
        match self.paths.get(file as usize)? {
            Place::Disk(path) | Place::Gzip(path) => Some(path),
            Place::Zip(..) | Place::Nowhere(_) => None,
        }
    }

    /// The bytes of a file.
    pub(crate) fn bytes(&self, file: FileId) -> std::io::Result<Vec<u8>> {
        self.read(file, None)
    }

    fn read(&self, file: FileId, head: Option<u64>) -> std::io::Result<Vec<u8>> {
        let place = self
            .paths
            .get(file as usize)
            .ok_or(std::io::ErrorKind::NotFound)?;
        let path = match place {
            Place::Disk(path) => path,
            Place::Gzip(path) => {
                let mut bytes = Vec::new();
                let most = head.unwrap_or(MOST_UNPACKED).min(MOST_UNPACKED);
                // Results that were written in parts are several members.
                flate2::read::MultiGzDecoder::new(File::open(path)?)
                    .take(most)
                    .read_to_end(&mut bytes)?;
                if bytes.len() as u64 == MOST_UNPACKED {
                    let message = "it unpacks to more than 4 GiB; split it";
                    return Err(std::io::Error::other(message));
                }
                return Ok(bytes);
            }
            Place::Nowhere(why) => return Err(std::io::Error::other(why.clone())),
            Place::Zip(zip, entry) => {
                // A reader that panicked leaves a place in a file behind, which the next one sets anew.
                let mut zip = self.zips[*zip]
                    .lock()
                    .unwrap_or_else(PoisonError::into_inner);
                return zip.bytes(*entry, head).map_err(std::io::Error::other);
            }
        };
        let mut bytes = Vec::new();
        match head {
            Some(head) => std::fs::File::open(path)?
                .take(head)
                .read_to_end(&mut bytes)?,
            None => std::fs::File::open(path)?.read_to_end(&mut bytes)?,
        };
        Ok(bytes)
    }
}

/// Whether a path leads to a place below one of the roots, through all links.
fn is_inside(path: &Path, roots: &[PathBuf]) -> bool {
    let real = path.canonicalize();
    real.is_ok_and(|real| roots.iter().any(|root| real.starts_with(root)))
}

/// A path as text, and whether bytes that are no UTF-8 had to be written as `%XX`.
///
/// Two such names stay two: a replacement character would make one of them, and so would a `%` that is theirs.
fn escaped_path(path: &Path) -> (String, bool) {
    let bytes = path.as_os_str().as_encoded_bytes();
    if let Ok(text) = std::str::from_utf8(bytes) {
        return (text.to_owned(), false);
    }
    let mut text = String::new();
    for chunk in bytes.utf8_chunks() {
        text.push_str(&chunk.valid().replace('%', "%25"));
        for byte in chunk.invalid() {
            // Writing to a text cannot fail.
            let _ = write!(text, "%{byte:02X}");
        }
    }
    (text, true)
}

/// How the files of a root are listed.
struct Names<'a> {
    root: &'a Path,
    name: &'a Path,
    /// Those that are no UTF-8.
    escaped: Vec<String>,
}

impl<'a> Names<'a> {
    fn new(root: &'a Path, name: &'a Path) -> Self {
        Self {
            root,
            name,
            escaped: Vec::new(),
        }
    }

    fn listed(&mut self, path: &Path) -> String {
        let below = path.strip_prefix(self.root).unwrap_or(Path::new(""));
        let (mut text, mut is_any) = escaped_path(self.name);
        let mut folder = self.root.to_owned();
        for part in below {
            let (mut name, is_escaped) = escaped_path(Path::new(part));
            // Another file may really be called so.
            while is_escaped && folder.join(&name).symlink_metadata().is_ok() {
                name = name.replace('%', "%%");
            }
            // The root of a disk has no name.
            if !text.is_empty() {
                text.push('/');
            }
            text.push_str(&name);
            is_any |= is_escaped;
            folder.push(part);
        }
        if is_any {
            self.escaped.push(text.clone());
        }
        text
    }

    fn say_escaped(&self) {
        let Some(first) = self.escaped.first() else {
            return;
        };
        let count = u32::try_from(self.escaped.len()).unwrap_or(u32::MAX);
        crate::say(&format!(
            "juror: below {}, {} not UTF-8: {first}, where such bytes are shown as %XX. Rename the files, for example with convmv",
            self.root.display(),
            counted(count, "path is", "paths are")
        ));
    }
}

fn is_zip(path: &Path) -> bool {
    let extension = path.extension();
    path.is_file() && extension.is_some_and(|extension| extension.eq_ignore_ascii_case("zip"))
}

/// The last part of a path, with as many folders before it as it takes to tell it from the other roots.
///
/// Two folders of one name would otherwise be taken for one, and the later would replace the earlier.
fn name_apart(root: &Path, roots: &[PathBuf]) -> PathBuf {
    let tail = |path: &Path, depth: usize| -> PathBuf {
        let parts: Vec<_> = path
            .components()
            .filter(|part| matches!(part, Component::Normal(_)))
            .collect();
        parts[parts.len().saturating_sub(depth)..].iter().collect()
    };
    let deepest = root.components().count();
    let is_apart = |depth: &usize| {
        let name = tail(root, *depth);
        !roots
            .iter()
            .any(|other| other != root && tail(other, *depth) == name)
    };
    let depth = (1..=deepest).find(is_apart).unwrap_or(deepest);
    tail(root, depth)
}

/// Whether a whole picture decodes.
pub(crate) fn decoded(bytes: &[u8]) -> Result<(), Undecodable> {
    let checked = juror_image::check(bytes, &Limits::default());
    checked.map(|_| ()).map_err(|error| Undecodable {
        message: error.message(),
        hint: error.hint(),
    })
}

/// What a picture's header says.
pub(crate) fn probe(head: &[u8], size: u64) -> Probed {
    match juror_image::probe(head, size, &Limits::default()) {
        Ok(probe) => Probed::Picture {
            width: probe.width,
            height: probe.height,
        },
        Err(ImageError::NeedMore { bytes }) => Probed::NeedMore { bytes },
        Err(error) => Probed::Bad {
            message: error.message(),
            hint: error.hint(),
        },
    }
}
