//! A journal that what comes is appended to: each line is on disk before it counts.
//!
//! What a run that was killed leaves is whole lines and at most one that was begun.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail, ensure};
use juror_reading::count::counted;

/// A record of a journal.
pub(crate) trait Line: Sized {
    /// What its first field says.
    const FORMAT: &'static str;
    /// The command that writes such journals.
    const COMMAND: &'static str;
    /// What to do about a file that is no such journal.
    const ELSEWHERE: &'static str;
    /// What a record holds: one, and several.
    const WORDS: [&'static str; 2];

    /// Reads a text; the second is the first line that is no record, by its number, and why.
    fn read(text: &str) -> (Vec<Self>, Option<(u32, String)>);

    /// The line of a record, with its end.
    fn line(&self) -> String;
}

/// What is in a journal that is gone on with.
#[derive(Debug)]
pub(crate) struct Found<L> {
    /// Its records.
    pub(crate) records: Vec<L>,
    /// Bytes of its whole lines.
    whole: u64,
    /// Bytes of a line that was begun and not ended.
    begun: u64,
    /// Whether that line is a record all the same.
    is_open: bool,
}

impl<L> Default for Found<L> {
    fn default() -> Self {
        Self {
            records: Vec::new(),
            whole: 0,
            begun: 0,
            is_open: false,
        }
    }
}

impl<L> Found<L> {
    fn len(&self) -> u64 {
        self.whole + self.begun
    }
}

/// Reads a journal and changes nothing; an absent one is empty.
///
/// # Errors
/// The file cannot be read, or holds something else.
pub(crate) fn look<L: Line>(path: &Path) -> anyhow::Result<Found<L>> {
    match std::fs::read(path) {
        Ok(bytes) => found(path, &bytes),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Found::default()),
        Err(error) => Err(error).with_context(|| format!("cannot read {}", path.display())),
    }
}

fn found<L: Line>(path: &Path, bytes: &[u8]) -> anyhow::Result<Found<L>> {
    let named = path.display();
    let end = bytes.iter().rposition(|byte| *byte == b'\n');
    let (whole, last) = bytes.split_at(end.map_or(0, |end| end + 1));
    let text = std::str::from_utf8(whole).with_context(|| {
        format!(
            "{named} is no journal, as it is not in UTF-8: {}",
            L::ELSEWHERE
        )
    })?;
    let (records, bad) = L::read(text);
    if let Some((line, why)) = bad {
        bail!(
            "{named}, line {line}: {why} Nothing is appended to such a file: {}, or take the line out",
            L::ELSEWHERE
        );
    }
    let mut found = Found {
        records,
        whole: whole.len() as u64,
        begun: last.len() as u64,
        is_open: false,
    };
    match std::str::from_utf8(last).ok().map(L::read) {
        Some((records, None)) => {
            found.is_open = !records.is_empty();
            found.records.extend(records);
        }
        _ => ensure!(
            is_begun(L::FORMAT, last),
            "{named} ends in a line that is no record of a journal: {}",
            L::ELSEWHERE
        ),
    }
    Ok(found)
}

/// Whether a piece of a line is how a record begins.
fn is_begun(format: &str, line: &[u8]) -> bool {
    let beginning = format!(r#"{{"format":"{format}""#);
    let beginning = beginning.as_bytes();
    line.starts_with(beginning) || beginning.starts_with(line)
}

/// A journal that is written by this process only.
#[derive(Debug)]
pub(crate) struct Journal {
    path: PathBuf,
    file: File,
    len: u64,
    /// Whether this run made the file.
    is_new: bool,
}

impl Drop for Journal {
    /// A run that kept nothing leaves no file behind.
    fn drop(&mut self) {
        if self.is_new && self.len == 0 {
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

impl Journal {
    /// Opens a journal that was looked at, and takes out of it what was only begun.
    ///
    /// # Errors
    /// Another process writes it, or has done so since.
    pub(crate) fn open<L: Line>(path: &Path, found: &Found<L>) -> anyhow::Result<Self> {
        let named = path.display();
        let is_new = !path.exists();
        let mut file = (OpenOptions::new().read(true).write(true).create(true))
            .truncate(false)
            .open(path)
            .with_context(|| format!("cannot write {named}"))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => bail!(
                "{named} is written by another {}: wait until that one has ended, or {}",
                L::COMMAND,
                L::ELSEWHERE
            ),
            Err(TryLockError::Error(error)) => {
                return Err(error).with_context(|| {
                    format!("cannot lock {named}, so two runs could pay twice: it has to be on another disk")
                });
            }
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)
            .with_context(|| format!("cannot read {named}"))?;
        ensure!(
            bytes.len() as u64 == found.len(),
            "{named} was changed while it was read: start again"
        );
        let mut journal = Self {
            path: path.to_owned(),
            file,
            len: found.len(),
            is_new,
        };
        journal.make_whole(found)?;
        sync_folder(path);
        Ok(journal)
    }

    /// Ends the last line, or takes it out where it is half a record.
    fn make_whole<L: Line>(&mut self, found: &Found<L>) -> anyhow::Result<()> {
        if found.is_open {
            return self.write("\n");
        }
        if found.begun == 0 {
            return Ok(());
        }
        self.len = found.whole;
        self.cut().with_context(|| self.refusal())?;
        crate::say(&format!(
            "juror: {} ended in the middle of a line, as a run that was killed leaves it. The {} of that line were taken out, {} kept; its request is asked again.",
            self.path.display(),
            counted(
                u32::try_from(found.begun).unwrap_or(u32::MAX),
                "byte",
                "bytes"
            ),
            match found.records.len() {
                1 => format!("1 whole {} is", L::WORDS[0]),
                count => format!("{count} whole {} are", L::WORDS[1]),
            }
        ));
        Ok(())
    }

    /// Appends a record; it is on disk when this returns.
    ///
    /// # Errors
    /// It cannot be written; nothing of it is in the file then.
    pub(crate) fn append(&mut self, record: &impl Line) -> anyhow::Result<()> {
        self.write(&record.line())
    }

    fn write(&mut self, line: &str) -> anyhow::Result<()> {
        let written = (self.file.seek(SeekFrom::Start(self.len)))
            .and_then(|_| self.file.write_all(line.as_bytes()))
            .and_then(|()| self.file.sync_data());
        if let Err(error) = written {
            // Half a line would be taken for a killed run's; where even that fails, it is.
            let _ = self.cut();
            return Err(error).with_context(|| self.refusal());
        }
        self.len += line.len() as u64;
        Ok(())
    }

    fn cut(&mut self) -> std::io::Result<()> {
        self.file.set_len(self.len)?;
        self.file.sync_all()
    }

    fn refusal(&self) -> String {
        format!("cannot write {}", self.path.display())
    }
}

/// Has a new file's name on disk as well, where the system knows such a thing.
pub(crate) fn sync_folder(path: &Path) {
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    if let Ok(folder) = File::open(folder.unwrap_or(Path::new("."))) {
        // Where it cannot be done, the file itself is synchronised all the same.
        let _ = folder.sync_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use juror_judging::journal::{self, FORMAT, Record};

    fn line(sample: &str) -> String {
        let record = Record {
            format: FORMAT.to_owned(),
            protocol: "weave".to_owned(),
            sample: sample.to_owned(),
            ..Record::default()
        };
        journal::write(&[record])
    }

    #[test]
    fn a_run_that_keeps_nothing_leaves_no_new_file_and_an_empty_one_of_before() {
        let folder = std::env::temp_dir().join(format!("juror-kept-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder is made");
        let [new, before, kept] = ["new", "before", "kept"].map(|name| folder.join(name));
        std::fs::write(&before, "").expect("a file is written");
        for path in [&new, &before, &kept] {
            let found = look::<Record>(path).expect("it can be read");
            let mut journal = Journal::open(path, &found).expect("it can be opened");
            if *path == kept {
                journal
                    .append(&Record::default())
                    .expect("it can be written");
            }
        }
        let there = [&new, &before, &kept].map(|path| path.exists());
        std::fs::remove_dir_all(&folder).expect("the folder is removed");
        assert_eq!(there, [false, true, true]);
    }

    #[test]
    fn whole_lines_are_kept_and_a_begun_one_is_no_other_file() {
        let path = Path::new("journal.jsonl");
        let whole = line("1") + &line("2");
        for cut in 1..line("3").len() - 1 {
            let text = whole.clone() + &line("3")[..cut];
            let found = found::<Record>(path, text.as_bytes()).expect("it is a journal");
            assert_eq!((found.records.len(), found.is_open), (2, false), "{cut}");
            assert_eq!((found.whole, found.begun), (whole.len() as u64, cut as u64));
        }
        let open = found::<Record>(path, whole.trim_end().as_bytes()).expect("it is a journal");
        assert_eq!((open.records.len(), open.is_open), (2, true));
        for other in [
            "Notes.",
            "{\"id\": 1}\n",
            "{\"format\":\"other\"",
            "\u{feff}a\nb",
        ] {
            assert!(found::<Record>(path, other.as_bytes()).is_err(), "{other}");
        }
        // A letter that was cut apart is no text, and begun all the same.
        let mut half = line("é").into_bytes();
        let at = half
            .iter()
            .position(|byte| *byte == 0xc3)
            .expect("é has two bytes");
        half.truncate(at + 1);
        assert!(found::<Record>(path, &half).is_ok_and(|found| found.records.is_empty()));
    }
}
