//! The folder of trajectories: the records that count, and the steps' pictures in the authors' layout, as the page exports
//! them.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail, ensure};
use juror_agents::{FOLDER, FORMAT, MAX_STEPS, Record, Set, read_lines};
use juror_model::tree;
use juror_reading::count::counted;

use super::Order;
use crate::host::Host;
use crate::say;
use crate::sending::files;
use crate::sending::kept::{Journal, Line};

impl Line for Record {
    const FORMAT: &'static str = FORMAT;
    const COMMAND: &'static str = "juror agents";
    const ELSEWHERE: &'static str = "name another folder by --out";
    const WORDS: [&'static str; 2] = ["record", "records"];

    fn read(text: &str) -> (Vec<Self>, Option<(u32, String)>) {
        let file = read_lines(text);
        let bad = file.bad_lines.first().cloned();
        (file.records, bad)
    }

    fn line(&self) -> String {
        juror_agents::write([self])
    }
}

/// Refuses records that cannot be gone on with, or that are in another folder as well.
pub(super) fn check(host: &mut Host, order: &Order, records: &[Record]) -> anyhow::Result<()> {
    let named = order.journal();
    for record in records {
        ensure!(
            record.protocol == order.protocol,
            "{} holds records of {}, and this benchmark is {}: name another folder by --out",
            named.display(),
            record.protocol,
            order.protocol
        );
        let made = record.picture.as_ref();
        let outside = made.filter(|made| !is_below(&made.path));
        if let Some(made) = outside {
            bail!(
                "{} names a picture outside of its folder, {}: name another folder by --out",
                named.display(),
                made.path
            );
        }
    }
    let opened = read_lines(&juror_session::trajectories(&host.session)).records;
    let set = &order.scope.set;
    let is_same =
        |record: &&Record| record.set.name == set.name && record.set.framework == set.framework;
    let known: BTreeSet<String> = records.iter().map(Line::line).collect();
    let mut elsewhere = opened.iter().filter(is_same);
    ensure!(
        elsewhere.all(|record| known.contains(&record.line())),
        "trajectories of {} are in the opened folders, and they are not those of {}: name the folder of their trajectories.jsonl by --out to go on with them, or other ones by --name",
        set.name,
        named.display()
    );
    Ok(())
}

/// Whether a path leads to a place below the folder that it is in.
fn is_below(path: &str) -> bool {
    tree::normalize(path).is_ok_and(|normal| normal == path)
}

/// The folder, with its records in the session.
pub(super) struct Folder {
    path: PathBuf,
    /// What records are appended to; `None` where nothing is written.
    journal: Option<Journal>,
    /// Places of pictures that records name.
    own: BTreeSet<String>,
    /// Where pictures are, by their content.
    made: HashMap<String, PathBuf>,
    /// Whose trajectories are in it.
    sets: BTreeSet<Set>,
    /// Records that counted when it was opened.
    pub(super) records: Vec<Record>,
}

impl Folder {
    /// Gives the session the records that count.
    ///
    /// # Errors
    /// A picture is missing or has other bytes, and it was not said that it is to be made again.
    pub(super) fn open(
        host: &mut Host,
        order: &Order,
        found: Vec<Record>,
        journal: Option<Journal>,
    ) -> anyhow::Result<Self> {
        let mut folder = Self {
            path: order.folder.clone(),
            journal,
            own: BTreeSet::new(),
            made: HashMap::new(),
            sets: found.iter().map(|record| record.set.clone()).collect(),
            records: Vec::new(),
        };
        // Of several records of a place the file is one's, mostly the newest one's.
        let mut absent: BTreeMap<String, bool> = BTreeMap::new();
        for record in found.into_iter().rev() {
            let Some(made) = &record.picture else {
                folder.records.push(record);
                continue;
            };
            let there = folder.find(&made.path, &made.sha256)?;
            let is_there = there.is_some();
            *absent.entry(made.path.clone()).or_insert(true) &= !is_there;
            if let Some(path) = there {
                folder.made.insert(made.sha256.clone(), path);
                folder.own.insert(made.path.clone());
                folder.records.push(record);
            }
        }
        folder.records.reverse();
        absent.retain(|_, is_absent| *is_absent);
        check_absent(order, &absent)?;
        juror_session::add_trajectories(&mut host.session, folder.records.clone());
        Ok(folder)
    }

    /// Where the bytes of a picture are. One that a killed run left next to its place gets its name.
    fn find(&self, place: &str, sha256: &str) -> anyhow::Result<Option<PathBuf>> {
        let path = self.path.join(place);
        if self.journal.is_some() {
            return Ok(files::finish(&path, sha256)?.then_some(path));
        }
        for path in [files::part(&path), path] {
            if files::hash(&path)?.as_deref() == Some(sha256) {
                return Ok(Some(path));
            }
        }
        Ok(None)
    }

    /// Writes a call down and gives it to the session: the bytes, then the record, then the picture's name.
    ///
    /// # Errors
    /// It cannot be kept.
    pub(super) fn keep(
        &mut self,
        host: &mut Host,
        record: Record,
        bytes: Option<&[u8]>,
    ) -> anyhow::Result<()> {
        let journal = self.journal.as_mut().context("nothing is written here")?;
        let picture = record.picture.clone().zip(bytes);
        if let Some((made, bytes)) = &picture {
            files::put(&self.path.join(&made.path), bytes)?;
        }
        journal.append(&record)?;
        if let Some((made, _)) = picture {
            let path = self.path.join(&made.path);
            files::name(&path)?;
            self.own.insert(made.path);
            self.made.insert(made.sha256, path);
        }
        self.sets.insert(record.set.clone());
        juror_session::add_trajectories(&mut host.session, vec![record]);
        Ok(())
    }

    /// The bytes of a generated picture, if it is one of this folder's.
    pub(super) fn picture(&self, sha256: &str) -> Option<std::io::Result<Vec<u8>>> {
        self.made.get(sha256).map(std::fs::read)
    }

    /// Lists the pictures of all steps, and writes those that later steps share where the planner ended a loop, so that
    /// each step's folder is whole.
    ///
    /// # Errors
    /// One cannot be written.
    pub(super) fn write_steps(&self, host: &mut Host) -> anyhow::Result<()> {
        let new = juror_session::agent_files(&host.session.linked()).into_iter();
        let new = new.filter_map(|file| Some((file.path, self.made.get(&file.sha256)?.clone())));
        host.list(new.collect());
        let models: BTreeSet<String> = (self.sets.iter())
            .flat_map(|set| (1..=MAX_STEPS).map(|step| set.model(step)))
            .collect();
        for file in juror_session::agent_export(&host.session.linked()) {
            let place = below(&file.name, FOLDER).unwrap_or_default();
            let model = place.split_once('/').map_or("", |(model, _)| model);
            // What other folders hold stays there.
            if !models.contains(model) || !is_below(place) || self.own.contains(place) {
                continue;
            }
            let path = self.path.join(place);
            let bytes = (host.bytes(file.file))
                .with_context(|| format!("cannot read the picture for {}", path.display()))?;
            if !is_same(&path, &bytes) {
                files::put(&path, &bytes)?;
                files::name(&path)?;
            }
        }
        Ok(())
    }
}

/// Refuses to pay again for pictures that were removed or changed, unless that is meant.
fn check_absent(order: &Order, absent: &BTreeMap<String, bool>) -> anyhow::Result<()> {
    let Some((first, _)) = absent.first_key_value() else {
        return Ok(());
    };
    let count = u32::try_from(absent.len()).unwrap_or(u32::MAX);
    let count = counted(count, "picture", "pictures");
    ensure!(
        order.is_again,
        "{count} that {} names is missing or has other bytes (the first is {first}). Nothing was sent: put it back, or add --again to make it again",
        order.journal().display()
    );
    say(&format!("juror: {count} missing or changed: made again"));
    Ok(())
}

/// The rest of a path in a folder.
fn below<'a>(path: &'a str, folder: &str) -> Option<&'a str> {
    path.strip_prefix(folder)?.strip_prefix('/')
}

fn is_same(path: &Path, bytes: &[u8]) -> bool {
    std::fs::read(path).is_ok_and(|found| found == bytes)
}
