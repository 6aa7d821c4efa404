//! The listed files of all sources, before anything is read: one namespace, safe against odd separators and names.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::host::FileMeta;
use juror_reading::limits::PATH_BYTES;
use juror_reading::names::composed;

/// What the manifest of an evidence pack is called, by which a container is told from a folder of results.
pub const PACK_MANIFEST: &str = "manifest.json";

/// Number of a file in the order of adding.
pub type FileId = u32;

/// One listed file.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Path with `/` between folders and composed letters, as it was given otherwise.
    pub path: String,
    /// Size in bytes, once it is known.
    pub size: Option<u64>,
    /// Refused names, leftovers of systems and files that a later one of the same path replaced stay out of every lookup.
    pub is_listed: bool,
    /// The path as it was given, where that has another form.
    given: Option<String>,
}

/// All listed files with lookups by path and by folder.
///
/// Lookups prefer the exact name and fall back to one that differs in case only, if there is just one such name.
#[derive(Clone, Debug, Default)]
pub struct FileTree {
    entries: Vec<Entry>,
    by_path: HashMap<String, FileId>,
    by_folded_path: HashMap<String, Folded>,
    leftovers: BTreeMap<&'static str, u32>,
    /// How each folder was written by the files in it: `None` as it is listed.
    forms: HashMap<String, Option<String>>,
    /// Folders that only the form of their letters tells from others.
    twins: BTreeSet<String>,
}

#[derive(Clone, Copy, Debug)]
enum Folded {
    One(FileId),
    Several,
}

/// Why a path is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BadPath {
    /// A part is `..`: it would leave the folder.
    Parent,
    /// It starts at a root or a drive.
    Absolute,
    /// No name, or one with a NUL character.
    NoName,
    /// Longer than [`PATH_BYTES`].
    TooLong,
}

impl Entry {
    /// Whether the file has at most so many bytes, as far as is known.
    pub fn is_at_most(&self, max_bytes: u64) -> bool {
        self.size.is_none_or(|size| size <= max_bytes)
    }
}

impl FileTree {
    /// Adds one file and returns its number, also if its path is refused or it is a leftover: numbers follow the source's order.
    pub fn add(&mut self, meta: &FileMeta) -> (FileId, Result<(), BadPath>) {
        let id = FileId::try_from(self.entries.len()).unwrap_or(FileId::MAX);
        let normal = normalize(&meta.path);
        let leftover = normal.as_deref().ok().and_then(leftover);
        if let Some(kind) = leftover {
            *self.leftovers.entry(kind).or_default() += 1;
        }
        let is_listed = normal.is_ok() && leftover.is_none();
        let path = match &normal {
            Ok(path) if is_listed => self.listed_as(path),
            Ok(path) => path.clone(),
            Err(_) => meta.path.clone(),
        };
        if is_listed {
            if let Some(older) = self.by_path.insert(path.clone(), id) {
                self.entries[older as usize].is_listed = false;
            }
            let entries = &self.entries;
            self.by_folded_path
                .entry(path.to_lowercase())
                .and_modify(|folded| {
                    let is_same_name = matches!(folded, Folded::One(older) if entries[*older as usize].path == path);
                    *folded = if is_same_name { Folded::One(id) } else { Folded::Several };
                })
                .or_insert(Folded::One(id));
        }
        let given = normal.as_ref().ok().filter(|given| **given != path);
        self.entries.push(Entry {
            given: given.cloned(),
            path,
            size: meta.size,
            is_listed,
        });
        (id, normal.map(|_| ()))
    }

    /// The path under which a file is listed: composed, unless another form of the same name is listed so already.
    fn listed_as(&mut self, given: &str) -> String {
        let path = composed(given).into_owned();
        if !self.is_of_one_form(parent(&path), parent(given)) {
            return given.to_owned();
        }
        let Some(older) = self.by_path.get(&path).copied() else {
            return path;
        };
        let entry = &mut self.entries[older as usize];
        match entry.given.take() {
            // Two names that only their letters' forms tell apart stay two.
            None if path != given => given.to_owned(),
            Some(form) if form != given && path == given => {
                entry.path.clone_from(&form);
                self.by_path.insert(form, older);
                self.by_path.remove(&path);
                path
            }
            Some(form) if form != given => {
                entry.given = Some(form);
                given.to_owned()
            }
            _ => path,
        }
    }

    /// Takes note of a size that was not known at listing.
    pub fn learn_size(&mut self, file: FileId, size: u64) {
        if let Some(entry) = self.entries.get_mut(file as usize) {
            entry.size = Some(size);
        }
    }

    /// The size of a file, once it is known.
    pub fn size(&self, file: FileId) -> Option<u64> {
        self.entry(file)?.size
    }

    /// The file of this number.
    pub fn entry(&self, file: FileId) -> Option<&Entry> {
        self.entries.get(file as usize)
    }

    /// Whether lookups find a file.
    pub fn is_listed(&self, file: FileId) -> bool {
        self.entry(file).is_some_and(|entry| entry.is_listed)
    }

    /// The path of a file; empty for an unknown number.
    pub fn path(&self, file: FileId) -> &str {
        self.entry(file).map_or("", |entry| &entry.path)
    }

    /// All listed files, in the order of adding.
    pub fn files(&self) -> impl Iterator<Item = (FileId, &Entry)> {
        (0..)
            .zip(&self.entries)
            .filter(|(_, entry)| entry.is_listed)
    }

    /// The same files by the same numbers, with only those listed that are kept.
    #[must_use]
    pub fn of_these(&self, is_kept: impl Fn(FileId) -> bool) -> Self {
        let mut tree = Self {
            entries: self.entries.clone(),
            ..Self::default()
        };
        for (id, entry) in (0..).zip(&mut tree.entries) {
            entry.is_listed &= is_kept(id);
            if entry.is_listed {
                tree.by_path.insert(entry.path.clone(), id);
                tree.by_folded_path
                    .entry(entry.path.to_lowercase())
                    .and_modify(|folded| *folded = Folded::Several)
                    .or_insert(Folded::One(id));
            }
        }
        tree
    }

    /// Whether a file is one that a project of a benchmark keeps next to it, on the way to others.
    pub fn is_in_the_making(&self, path: &str) -> bool {
        let is_project = |folder: &str| {
            let beside = match parent(folder) {
                "" => MAKE_PROJECT.to_owned(),
                around => format!("{around}/{MAKE_PROJECT}"),
            };
            base_name(folder) == MAKE_WORK && self.by_path.contains_key(&beside)
        };
        folders_around(path).any(is_project)
    }

    /// Whether a folder is written as files before wrote it. Of two folders that only the form of their letters tells apart the
    /// composed one has the name, whichever comes first: what is in the other one is not in it.
    fn is_of_one_form(&mut self, folder: &str, given: &str) -> bool {
        if folder.is_empty() {
            return true;
        }
        let known = self.forms.get(folder);
        if known.is_some_and(|form| form.as_deref().unwrap_or(folder) == given) {
            return true;
        }
        if !self.is_of_one_form(parent(folder), parent(given)) {
            return false;
        }
        // What is above may have taken it from another form.
        let form = |known: &Option<String>| known.as_deref().unwrap_or(folder).to_owned();
        match self.forms.get(folder).map(form) {
            Some(other) if folder == given => {
                self.keep_apart(folder, &other);
                self.twins.insert(other);
            }
            Some(_) => {
                self.twins.insert(given.to_owned());
                return false;
            }
            None => {}
        }
        let other = (folder != given).then(|| given.to_owned());
        self.forms.insert(folder.to_owned(), other);
        true
    }

    /// Lists what was given in another form of a folder's name under that form.
    fn keep_apart(&mut self, folder: &str, form: &str) {
        for (id, entry) in (0..).zip(&mut self.entries) {
            let is_there = |given: &mut String| is_below(given, form);
            let Some(given) = entry.given.take_if(is_there) else {
                continue;
            };
            let path = std::mem::replace(&mut entry.path, given);
            if !entry.is_listed {
                continue;
            }
            self.by_path.remove(&path);
            self.by_path.insert(entry.path.clone(), id);
            self.by_folded_path.remove(&path.to_lowercase());
            self.by_folded_path
                .entry(entry.path.to_lowercase())
                .and_modify(|folded| *folded = Folded::Several)
                .or_insert(Folded::One(id));
        }
        self.forms.retain(|known, _| !is_below(known, folder));
    }

    /// Folders that only the form of their letters tells from others, and that are kept apart from them.
    pub fn twins(&self) -> &BTreeSet<String> {
        &self.twins
    }

    /// How many files were left by systems and tools rather than by people, per kind: `._*` 4.
    pub fn leftovers(&self) -> &BTreeMap<&'static str, u32> {
        &self.leftovers
    }

    /// How many numbers were given out.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether nothing was added.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The file at this path, in any case if the exact name is absent.
    pub fn find(&self, path: &str) -> Option<FileId> {
        let path = normalize(path).ok()?;
        let path = match self.by_path.get(&path) {
            Some(&file) => return Some(file),
            None => composed(&path),
        };
        if let Some(&file) = self.by_path.get(&*path) {
            return Some(file);
        }
        match self.by_folded_path.get(&path.to_lowercase()) {
            Some(Folded::One(file)) => Some(*file),
            _ => None,
        }
    }
}

/// The download that a ZIP or an unpacked folder is a part of, by the name that Google Drive gives it; a browser adds a number to
/// one that it saves again.
///
/// # Example
/// ```
/// use juror_model::tree::download_of;
/// let download = Some("WEAVE-20260101T101010Z-1");
/// assert_eq!(download_of("WEAVE-20260101T101010Z-1-002"), download);
/// assert_eq!(download_of("WEAVE-20260101T101010Z-1-002 (1)"), download);
/// assert_eq!(download_of("a-b-20260101T101010Z-001"), Some("a-b-20260101T101010Z"));
/// for other in ["run-001", "run-20260101-001", "WEAVE-20260101T101010Z-1", "20260101T101010Z"] {
///     assert_eq!(download_of(other), None);
/// }
/// ```
pub fn download_of(name: &str) -> Option<&str> {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let again = name.strip_suffix(')').and_then(|name| {
        let (name, number) = name.rsplit_once(" (")?;
        is_number(number).then_some(name)
    });
    let (download, part) = again.unwrap_or(name).rsplit_once('-')?;
    let (named, last) = download.rsplit_once('-')?;
    // Older downloads have no number between the time and the part.
    let time = if is_number(last) {
        named.rsplit_once('-')?.1
    } else {
        last
    };
    let (day, of_day) = time.strip_suffix('Z')?.split_once('T')?;
    let is_part = part.len() == 3
        && is_number(part)
        && day.len() == 8
        && is_number(day)
        && of_day.len() == 6
        && is_number(of_day);
    is_part.then_some(download)
}

/// `\` becomes `/`; `.` parts and doubled separators go. Parts of one download, unpacked next to each other, are one folder.
pub fn normalize(path: &str) -> Result<String, BadPath> {
    if path.len() > PATH_BYTES {
        return Err(BadPath::TooLong);
    }
    let slashed = path.replace('\\', "/");
    let has_drive =
        slashed.as_bytes().get(1) == Some(&b':') && slashed.as_bytes()[0].is_ascii_alphabetic();
    if slashed.starts_with('/') || has_drive {
        return Err(BadPath::Absolute);
    }
    if slashed.ends_with('/') || slashed.contains('\0') {
        return Err(BadPath::NoName);
    }
    let mut out = String::with_capacity(slashed.len());
    let parts = slashed.split('/');
    let mut parts = parts
        .filter(|part| !part.is_empty() && *part != ".")
        .peekable();
    while let Some(part) = parts.next() {
        if part == ".." {
            return Err(BadPath::Parent);
        }
        if !out.is_empty() {
            out.push('/');
        }
        let download = parts.peek().and_then(|_| download_of(part));
        out.push_str(download.unwrap_or(part));
    }
    if out.is_empty() {
        Err(BadPath::NoName)
    } else {
        Ok(out)
    }
}

/// What names of files and folders say that no person put them there, in any case.
const LEFTOVERS: [&str; 45] = [
    "__MACOSX",
    ".DS_Store",
    ".AppleDouble",
    ".Spotlight-V100",
    ".TemporaryItems",
    "#recycle",
    "@Recycle",
    "lost+found",
    ".fseventsd",
    ".DocumentRevisions-V100",
    ".AppleDB",
    ".apdisk",
    "Network Trash Folder",
    "Temporary Items",
    "#snapshot",
    "@Recently-Snapshot",
    ".stversions",
    ".dropbox.cache",
    "__pycache__",
    "Thumbs.db",
    "ehthumbs.db",
    "desktop.ini",
    "$RECYCLE.BIN",
    "System Volume Information",
    "@eaDir",
    ".git",
    ".svn",
    ".hg",
    ".ipynb_checkpoints",
    ".cache",
    ".venv",
    ".idea",
    ".vscode",
    ".snapshot",
    "~snapshot",
    ".zfs",
    ".sync",
    ".stfolder",
    ".tmp.drivedownload",
    ".thumbnails",
    "_gsdata_",
    "node_modules",
    "RECYCLER",
    "LOST.DIR",
    "FOUND.000",
];

/// The kind of leftover that a file is, or lies in: `._*` for a resource fork of macOS, `.DS_Store`, `.git`, …
///
/// Systems and tools write such files anywhere, so they are never content: for no host and no protocol.
///
/// # Example
/// ```
/// use juror_model::tree::leftover;
/// assert_eq!(leftover("data/add/._001_prompt.txt"), Some("._*"));
/// assert_eq!(leftover("__MACOSX/data/a.png"), Some("__MACOSX"));
/// assert_eq!(leftover("data/thumbs.DB"), Some("Thumbs.db"));
/// assert_eq!(leftover("outputs/.Trash-1000/files/model-a/1.png"), Some(".Trash*"));
/// assert_eq!(leftover("outputs/Copy of model-a/1.png"), Some("Copy of *"));
/// assert_eq!(leftover("outputs/Kopie von model-a/1.png"), Some("Copy of *"));
/// assert_eq!(leftover("Copy of outputs/model-a/1.png"), None);
/// assert_eq!(leftover("outputs/.old/model-a/1.png"), Some(".*/"));
/// assert_eq!(leftover(".outputs/model-a/1.png"), None);
/// assert_eq!(leftover("data/.gitignore"), None);
/// ```
pub fn leftover(path: &str) -> Option<&'static str> {
    let depth_of_file = path.split(['/', '\\']).count() - 1;
    let of_name = |(depth, name): (usize, &str)| {
        let starts = |begin: &str| {
            let start = name.get(..begin.len());
            start.is_some_and(|start| start.eq_ignore_ascii_case(begin))
        };
        if let Some((_, kind)) = BEGINNINGS.iter().find(|(begin, _)| starts(begin)) {
            return Some(*kind);
        }
        // What a person opened is meant, also where it is a copy.
        if depth > 0 && COPY_BEGINS.iter().any(|begin| starts(begin)) {
            return Some(COPIES);
        }
        let is_one = |known: &&str| known.eq_ignore_ascii_case(name);
        let known = LEFTOVERS.iter().copied().find(is_one);
        let is_hidden = name.starts_with('.') && !name.trim_start_matches('.').is_empty();
        known.or((is_hidden && depth > 0 && depth < depth_of_file).then_some(HIDDEN))
    };
    path.split(['/', '\\']).enumerate().find_map(of_name)
}

/// The kind of leftover that copies by Google Drive are: a person may have meant one.
pub const COPIES: &str = "Copy of *";

/// The kind of leftover that hidden folders are, but for those of known programs: a person may have meant one.
pub const HIDDEN: &str = ".*/";

/// What a name is a copy of, as systems and browsers number and mark copies; `None` where it does not say so.
///
/// # Example
/// ```
/// use juror_model::tree::copy_of;
/// assert_eq!(copy_of("model-a (1)"), Some("model-a"));
/// assert_eq!(copy_of("model-a - Copy (2)"), Some("model-a"));
/// assert_eq!(copy_of("model-a copy 3"), Some("model-a"));
/// assert_eq!(copy_of("model-a (another copy)"), Some("model-a"));
/// assert_eq!(copy_of("model-a - 副本"), Some("model-a"));
/// assert_eq!(copy_of("Копия model-a"), Some("model-a"));
/// assert_eq!(copy_of("model-a"), None);
/// assert_eq!(copy_of("xcopy"), None);
/// ```
pub fn copy_of(name: &str) -> Option<&str> {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let bracketed = name
        .strip_suffix(')')
        .and_then(|name| name.rsplit_once(" ("))
        .filter(|(_, inner)| is_number(inner) || without_copy(inner).is_some())
        .map(|(rest, _)| rest);
    let counted = name.rsplit_once(' ').filter(|(_, end)| is_number(end));
    let marked = |name| {
        let rest = without_copy(name)?;
        JOINTS.iter().find_map(|joint| rest.strip_suffix(joint))
    };
    let begun = || {
        let begins = COPY_BEGINS.iter().chain(&["Kopia ", "Kopie ", "Копия "]);
        begins.clone().find_map(|begin| name.strip_prefix(begin))
    };
    marked(bracketed.unwrap_or(name))
        .or_else(|| marked(counted?.0))
        .or(bracketed)
        .or_else(begun)
        .filter(|original| !original.is_empty())
}

/// The mark before a word for a copy at the end of a name.
fn without_copy(name: &str) -> Option<&str> {
    const WORDS: [&str; 12] = [
        "copy",
        "kopie",
        "copie",
        "copia",
        "cópia",
        "kopia",
        "kopi",
        "копия",
        "副本",
        "コピー",
        "복사본",
        "사본",
    ];
    WORDS.iter().find_map(|word| without_end(name, word))
}

/// The mark between a name and a word for a copy.
const JOINTS: [&str; 8] = [" - ", " – ", " — ", " の", "の", "的", "의 ", " "];

/// How Google Drive and old Windows call copies.
const COPY_BEGINS: [&str; 8] = [
    "Copy of ",
    "Kopie von ",
    "Kopie van ",
    "Copie de ",
    "Copia de ",
    "Copia di ",
    "Cópia de ",
    "Kopia av ",
];

/// How names of leftovers begin, and what their kind is called: resource forks of macOS, bins, locks of Emacs and Office.
const BEGINNINGS: [(&str, &str); 6] = [
    ("._", "._*"),
    (".Trash", ".Trash*"),
    (".~lock.", ".~lock.*"),
    (".nfs", ".nfs*"),
    (".#", ".#*"),
    ("~$", "~$*"),
];

/// The folder of a path; empty at the top.
pub fn parent(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// Whether a path lies in a folder, at any depth; everything lies in the folder without a name.
pub fn is_below(path: &str, folder: &str) -> bool {
    folder.is_empty()
        || path
            .strip_prefix(folder)
            .is_some_and(|rest| rest.starts_with('/'))
}

/// The last part of a path.
pub fn base_name(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |(_, name)| name)
}

/// Words that programs add to the names of what they write.
const ADDED: [&str; 14] = [
    "output",
    "out",
    "result",
    "gen",
    "generated",
    "image",
    "img",
    "final",
    "pred",
    "prediction",
    "edited",
    "answer",
    "response",
    "reply",
];

/// The words and numbers of a file's name, without case, ending, leading zeros and what programs add: what two names have in
/// common that mean the same.
///
/// # Example
/// ```
/// use juror_model::tree::loose_name;
/// assert_eq!(loose_name("imgs/IMG_007_output.jpg"), loose_name("7.png"));
/// ```
pub fn loose_name(path: &str) -> String {
    let name = base_name(path);
    let name = name
        .rsplit_once('.')
        .map_or(name, |(stem, _)| stem)
        .to_lowercase();
    let mut tokens: Vec<String> = Vec::new();
    let mut last = None;
    for letter in name.chars() {
        let kind = letter.is_alphanumeric().then(|| letter.is_numeric());
        match kind {
            Some(_) if kind == last => {
                if let Some(token) = tokens.last_mut() {
                    token.push(letter);
                }
            }
            Some(_) => tokens.push(letter.to_string()),
            None => {}
        }
        last = kind;
    }
    let own: Vec<&str> = tokens
        .iter()
        .filter(|token| !ADDED.contains(&token.as_str()))
        .map(|token| match token.trim_start_matches('0') {
            "" if !token.is_empty() => "0",
            trimmed => trimmed,
        })
        .collect();
    own.join(" ")
}

/// What a project that makes a benchmark is called in its folder.
pub const MAKE_PROJECT: &str = "juror-make.json";
/// The folder next to it of intermediate pictures: they are cut into others and are no outputs.
pub const MAKE_WORK: &str = "work";

/// A file's path without what editors and people put behind its ending when they keep an earlier state.
///
/// # Example
/// ```
/// use juror_model::tree::without_backup_end;
/// assert_eq!(without_backup_end("m/1_2.png.bak"), "m/1_2.png");
/// assert_eq!(without_backup_end("m/1_2.png~"), "m/1_2.png");
/// assert_eq!(without_backup_end("m/bak"), "m/bak");
/// ```
pub fn without_backup_end(path: &str) -> &str {
    const ENDS: [&str; 7] = ["~", ".bak", ".old", ".orig", ".save", ".backup", ".tmp"];
    let stem = ENDS.iter().find_map(|end| without_end(path, end));
    stem.filter(|stem| has_ending(stem)).unwrap_or(path)
}

/// A path or name without this ending, in whatever case: cameras and old systems write `.JSON`.
pub fn without_end<'a>(path: &'a str, end: &str) -> Option<&'a str> {
    let cut = path.len().checked_sub(end.len())?;
    let found = path.get(cut..)?;
    found.eq_ignore_ascii_case(end).then(|| &path[..cut])
}

/// Whether a file's name says that it is a picture.
pub fn is_picture(path: &str) -> bool {
    let extension = base_name(path)
        .rsplit_once('.')
        // Windows cannot write a blank there; other systems can.
        .map(|(_, end)| end.trim_end());
    let known = ["png", "jpg", "jpeg", "webp", "gif", "bmp"];
    extension.is_some_and(|extension| known.iter().any(|one| one.eq_ignore_ascii_case(extension)))
}

/// A kind of format that is not read where a picture or a text is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnreadFormat {
    /// TIFF, HEIC, AVIF and other pictures.
    Picture,
    /// RTF, Word and other documents.
    Document,
}

/// The kind of a format that is not read, by a file's name.
///
/// # Example
/// ```
/// use juror_model::tree::{UnreadFormat, unread_format};
/// assert_eq!(unread_format("a/003_generated.HEIC"), Some(UnreadFormat::Picture));
/// assert_eq!(unread_format("3_1.rtf"), Some(UnreadFormat::Document));
/// assert_eq!(unread_format("003_generated.png"), None);
/// ```
pub fn unread_format(path: &str) -> Option<UnreadFormat> {
    let (_, ending) = base_name(path).rsplit_once('.')?;
    let is_one_of = |known: &[&str]| known.iter().any(|one| one.eq_ignore_ascii_case(ending));
    if is_one_of(&["tif", "tiff", "heic", "heif", "avif", "jxl", "jp2", "tga"]) {
        Some(UnreadFormat::Picture)
    } else if is_one_of(&["rtf", "doc", "docx", "odt", "html", "htm"]) {
        Some(UnreadFormat::Document)
    } else {
        None
    }
}

/// Whether a file's name has an ending: a full stop and letters, with digits or without, at the end.
///
/// # Example
/// ```
/// use juror_model::tree::has_ending;
/// assert!(has_ending("a/3_1.txt") && has_ending(".gitignore"));
/// assert!(!has_ending("a.b/003_generated") && !has_ending("model-1.5"));
/// ```
pub fn has_ending(path: &str) -> bool {
    let ending = base_name(path).rsplit_once('.').map(|(_, ending)| ending);
    ending.is_some_and(|ending| ending.contains(|letter: char| letter.is_alphabetic()))
}

/// Whether a path that leads nowhere may have led to a folder: no name of a file that is read has another ending than these.
pub fn may_be_folder(path: &str) -> bool {
    const FILES: [&str; 12] = [
        "json", "jsonl", "ndjson", "txt", "csv", "tsv", "yaml", "yml", "py", "md", "zip", "gz",
    ];
    let extension = base_name(path).rsplit_once('.').map(|(_, end)| end);
    let is_of_file = |end: &str| FILES.iter().any(|one| one.eq_ignore_ascii_case(end));
    !is_picture(path) && !extension.is_some_and(is_of_file)
}

/// `folder/name`, or `name` at the top.
pub fn join(folder: &str, name: &str) -> String {
    if folder.is_empty() {
        name.to_owned()
    } else {
        format!("{folder}/{name}")
    }
}

/// The last part of each path, with as many folders before it as it takes to tell them apart.
///
/// A path keeps its last part alone where all others that end in it are deeper inside the same folder: what is put into a
/// neighbour's folder renames nobody.
pub fn unique_names<'a>(paths: impl Iterator<Item = &'a str>) -> Vec<String> {
    let paths: Vec<&str> = paths.collect();
    let mut by_end: HashMap<&str, BTreeSet<&str>> = HashMap::new();
    for path in &paths {
        by_end.entry(base_name(path)).or_default().insert(path);
    }
    let is_outermost = |path: &str| {
        let mut others = by_end.get(base_name(path)).into_iter().flatten();
        others.all(|other| *other == path || is_deeper(other, parent(path)))
    };
    let mut names = told_apart(paths.iter().copied());
    for (name, path) in names.iter_mut().zip(&paths) {
        if is_outermost(path) {
            base_name(path).clone_into(name);
        }
    }
    names
}

/// The folders that a path is in, the nearest first.
///
/// # Example
/// ```
/// use juror_model::tree::folders_around;
/// assert!(folders_around("out/a/1.png").eq(["out/a", "out"]));
/// assert_eq!(folders_around("1.png").next(), None);
/// ```
pub fn folders_around(path: &str) -> impl Iterator<Item = &str> {
    let folders = std::iter::successors(Some(parent(path)), |folder| Some(parent(folder)));
    folders.take_while(|folder| !folder.is_empty())
}

/// Every folder that any of these paths is in.
pub fn folders_of<'a>(paths: impl Iterator<Item = &'a str>) -> BTreeSet<&'a str> {
    let mut found = BTreeSet::new();
    for path in paths {
        // Where a folder is known, those around it are.
        let mut folders = folders_around(path);
        while folders.next().is_some_and(|folder| found.insert(folder)) {}
    }
    found
}

/// Whether a path is inside a folder and not directly in it.
///
/// # Example
/// ```
/// use juror_model::tree::is_deeper;
/// assert!(is_deeper("out/b/a", "out") && is_deeper("b/a", ""));
/// assert!(!is_deeper("out/a", "out") && !is_deeper("a", ""));
/// ```
pub fn is_deeper(path: &str, folder: &str) -> bool {
    let inner = parent(path);
    inner != folder && is_below(inner, folder)
}

/// The last part of each path, with as many folders before it as it takes to tell all of them apart.
pub fn told_apart<'a>(paths: impl Iterator<Item = &'a str>) -> Vec<String> {
    let paths: Vec<&str> = paths.collect();
    let name = |path: &'a str, depth: usize| {
        let cut = path
            .rmatch_indices('/')
            .nth(depth)
            .map_or(0, |(at, _)| at + 1);
        &path[cut..]
    };
    let distinct: BTreeSet<&str> = paths.iter().copied().collect();
    let mut depths: HashMap<&str, usize> = HashMap::new();
    let mut open: Vec<&str> = distinct.iter().copied().collect();
    for depth in 0.. {
        open.retain(|own| depth < own.matches('/').count());
        if open.is_empty() {
            break;
        }
        let mut counts: HashMap<&str, usize> = HashMap::new();
        for path in &distinct {
            *counts.entry(name(path, depth)).or_default() += 1;
        }
        open.retain(|own| {
            let is_unique = counts.get(name(own, depth)) == Some(&1);
            if is_unique {
                depths.insert(own, depth);
            }
            !is_unique
        });
    }
    let depth_of = |own: &str| depths.get(own).copied().unwrap_or(usize::MAX);
    paths
        .iter()
        .map(|path| name(path, depth_of(path)).to_owned())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(paths: &[&str]) -> FileTree {
        let mut tree = FileTree::default();
        for path in paths {
            let (_, result) = tree.add(&FileMeta {
                path: (*path).to_owned(),
                size: Some(1),
            });
            assert_eq!(result, Ok(()), "{path}");
        }
        tree
    }

    #[test]
    fn separators_and_case_do_not_hide_a_file() {
        let tree = tree(&["data\\test\\Imgs\\A.JPG", "./data//test/test.json"]);
        assert_eq!(tree.find("data/test/imgs/a.jpg"), Some(0));
        assert_eq!(tree.find("data\\test\\test.json"), Some(1));
        assert_eq!(tree.find("data/test/b.jpg"), None);
    }

    /// Composes as far as these tests go: the sign of kelvins is a K.
    fn compose_some() {
        juror_reading::names::compose_by(|name| {
            name.replace("e\u{301}", "é").replace('\u{212a}', "K")
        });
    }

    #[test]
    fn a_name_in_letters_and_marks_is_the_same_name_and_two_forms_of_one_stay_two_files() {
        compose_some();
        let (letters, marks) = ("a/caf\u{e9}.png", "a/cafe\u{301}.png");
        for (listed, wanted) in [(letters, marks), (marks, letters)] {
            let tree = tree(&[listed]);
            assert_eq!(tree.find(wanted), Some(0));
            assert_eq!(tree.find(listed), Some(0));
            assert_eq!(tree.path(0), letters);
        }
        let both = tree(&[letters, marks]);
        assert_eq!(both.files().count(), 2);
        assert_eq!((both.find(letters), both.find(marks)), (Some(0), Some(1)));
        let both = tree(&[marks, letters]);
        assert_eq!(both.files().count(), 2);
        assert_eq!((both.find(letters), both.find(marks)), (Some(1), Some(0)));
        assert_eq!(tree(&[marks, marks]).files().count(), 1);
        // Nothing in a folder is in another one that is written alike.
        let (own, other) = ("out/caf\u{e9}", "out/cafe\u{301}");
        let at = |folder: &str, name: &str| format!("{folder}/{name}");
        let (a, b, deep) = (at(own, "a.png"), at(other, "b.png"), at(other, "in/c.png"));
        for order in [[&a, &b, &deep], [&b, &deep, &a], [&deep, &a, &b]] {
            let tree = tree(&order.map(String::as_str));
            let paths: BTreeSet<&str> = tree.files().map(|(_, entry)| &*entry.path).collect();
            assert_eq!(paths, BTreeSet::from([&*a, &*b, &*deep]));
            assert_eq!(tree.find(&at(own, "b.png")), None);
            assert_eq!(tree.twins().iter().collect::<Vec<_>>(), [other]);
        }
        let alone = tree(&[&*b, &*deep]);
        assert_eq!(alone.find(&at(own, "b.png")), Some(0));
        assert!(alone.twins().is_empty());
    }

    #[test]
    fn a_letter_that_is_composed_to_ascii_takes_nobodys_place() {
        compose_some();
        for order in [["K/x.png", "\u{212a}/x.png"], ["\u{212a}/x.png", "K/x.png"]] {
            let tree = tree(&order);
            assert_eq!(tree.files().count(), 2);
            let own = order
                .iter()
                .position(|path| path.is_ascii())
                .expect("one of them is ASCII");
            assert_eq!(tree.find("K/x.png"), FileId::try_from(own).ok());
        }
    }

    #[test]
    fn two_names_that_differ_in_case_are_two_files_and_neither_stands_for_a_third() {
        let tree = tree(&["a/X.png", "a/x.png"]);
        assert_eq!(
            (tree.find("a/X.png"), tree.find("a/x.png")),
            (Some(0), Some(1))
        );
        let tree = super::tests::tree(&["a/X.png", "a/x.png", "b.png"]);
        assert_eq!(tree.find("A/X.PNG"), None);
    }

    #[test]
    fn hidden_files_are_found_by_no_lookup_and_the_others_keep_their_numbers() {
        let all = tree(&["a/x.png", "a/X.png", "b/y.png"]);
        assert_eq!(all.find("A/x.PNG"), None);
        let rest = all.of_these(|file| file != 1);
        assert_eq!(rest.find("a/X.png"), Some(0));
        assert_eq!(rest.find("A/x.PNG"), Some(0));
        assert_eq!(rest.find("b/y.png"), Some(2));
        assert_eq!(rest.files().count(), 2);
        assert_eq!(rest.len(), 3);
    }

    #[test]
    fn names_that_leave_the_folder_are_refused_and_keep_their_number() {
        let mut tree = FileTree::default();
        for (path, expected) in [
            ("a/../../etc/passwd", Err(BadPath::Parent)),
            ("..\\evil.txt", Err(BadPath::Parent)),
            ("/etc/passwd", Err(BadPath::Absolute)),
            ("C:\\x.txt", Err(BadPath::Absolute)),
            ("", Err(BadPath::NoName)),
            ("folder/", Err(BadPath::NoName)),
            ("a..b/c", Ok(())),
        ] {
            assert_eq!(
                tree.add(&FileMeta {
                    path: path.to_owned(),
                    size: Some(0)
                })
                .1,
                expected,
                "{path}"
            );
        }
        assert_eq!(tree.files().map(|(id, _)| id).collect::<Vec<_>>(), [6]);
    }

    #[test]
    fn what_systems_leave_beside_a_file_is_counted_and_found_by_no_lookup() {
        let tree = tree(&[
            "data/add/001_prompt.txt",
            "data/add/._001_prompt.txt",
            "__MACOSX/data/add/._001_prompt.txt",
            "__macosx/data/add/001_prompt.txt",
            "data\\.ds_store",
            "data/.git/HEAD",
            "sub/.git",
            "data/.ipynb_checkpoints/test-checkpoint.json",
            "data/.gitignore",
            "data/..a_.txt",
        ]);
        let listed: Vec<&str> = tree.files().map(|(_, entry)| entry.path.as_str()).collect();
        assert_eq!(
            listed,
            [
                "data/add/001_prompt.txt",
                "data/.gitignore",
                "data/..a_.txt"
            ]
        );
        assert_eq!(tree.find("data/add/._001_prompt.txt"), None);
        assert_eq!(tree.len(), 10);
        let counts: Vec<(&str, u32)> = tree
            .leftovers()
            .iter()
            .map(|(kind, count)| (*kind, *count))
            .collect();
        assert_eq!(
            counts,
            [
                (".DS_Store", 1),
                ("._*", 1),
                (".git", 2),
                (".ipynb_checkpoints", 1),
                ("__MACOSX", 2)
            ]
        );
    }

    #[test]
    fn bins_locks_snapshots_and_copies_are_never_content_in_whatever_case() {
        for (path, kind) in [
            ("out/.trash-1000/a.png", ".Trash*"),
            ("out/.Trashes/501/a.png", ".Trash*"),
            ("out/$Recycle.Bin/a.png", "$RECYCLE.BIN"),
            ("out/#recycle/a.png", "#recycle"),
            ("out/@recycle/a.png", "@Recycle"),
            ("out/lost+found/a.png", "lost+found"),
            ("out/.TemporaryItems/a.png", ".TemporaryItems"),
            ("out/.#metrics.jsonl", ".#*"),
            ("out/~$ratings.csv", "~$*"),
            ("out/.~lock.ratings.csv#", ".~lock.*"),
            ("out/.nfs000123", ".nfs*"),
            ("out/#snapshot/daily/a.png", "#snapshot"),
            ("out/copy of m/a.png", COPIES),
            ("out/Cópia de m/a.png", COPIES),
            ("out/.sync/model-a/a.png", ".sync"),
            ("out/.cache/huggingface/a.png", ".cache"),
            ("out/node_modules/a.png", "node_modules"),
            ("out/.old/model-a/a.png", HIDDEN),
            ("out/model-a/..x/a.png", HIDDEN),
        ] {
            assert_eq!(leftover(path), Some(kind), "{path}");
        }
        for path in [
            "out/trash/a.png",
            "out/#1.png",
            "out/@m/a.png",
            "Copy of out/a.png",
            "out/recycle/a.png",
            "out/copyof/a.png",
            ".out/a.png",
            "out/.a.png",
            "out/model-.a/a.png",
        ] {
            assert_eq!(leftover(path), None, "{path}");
        }
    }

    #[test]
    fn names_are_as_short_as_they_can_be() {
        let names = |paths: &[&str]| unique_names(paths.iter().copied());
        assert_eq!(names(&["out/a", "out/b"]), ["a", "b"]);
        assert_eq!(
            names(&["x/out/a", "y/out/a", "b"]),
            ["x/out/a", "y/out/a", "b"]
        );
        assert_eq!(names(&["a", "x/a"]), ["a", "x/a"]);
    }

    #[test]
    fn what_is_in_a_neighbours_folder_renames_nobody() {
        let names = |paths: &[&str]| unique_names(paths.iter().copied());
        assert_eq!(
            names(&["out/a", "out/b/a", "out/b/c/a", "out/b"]),
            ["a", "b/a", "c/a", "b"]
        );
        assert_eq!(names(&["1/a", "2/v/a"]), ["1/a", "v/a"]);
        let apart = told_apart(["out/a", "out/b/a"].into_iter());
        assert_eq!(apart, ["out/a", "b/a"]);
    }

    #[test]
    fn a_file_dropped_again_replaces_the_older_one() {
        let tree = tree(&["a/x.png", "a/x.png"]);
        assert_eq!(tree.find("a/x.png"), Some(1));
        assert_eq!(tree.find("A/x.png"), Some(1));
        assert_eq!(tree.files().count(), 1);
    }
}
