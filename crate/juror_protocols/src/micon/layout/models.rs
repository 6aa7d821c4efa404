//! Files → models: which pictures stand for which cases, and which judgements count where there are several.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::findings::nested_task;
use crate::micon::layout::{self, ReplyKind};
use crate::micon::{CANDIDATE, CHECKPOINTS, Task, verdict};
use juror_model::problem::{Problem, Severity};
use juror_model::reply::{ReplyFile, ReplyLine, StoredReply};
use juror_model::sample::Benchmark;
use juror_model::submission::Submission;
use juror_model::tree::{
    FileId, FileTree, has_ending, is_below, is_picture, join, loose_name, unread_format,
};
use juror_statistics::small::{CollectSmall, SortSmall};

/// Reads one file of judge output: it holds one reply, whatever it says.
pub fn read_replies(path: &str, text: String) -> ReplyFile {
    let Some(place) = layout::reply_path(path) else {
        return ReplyFile {
            text,
            ..ReplyFile::default()
        };
    };
    let request = match place.kind {
        ReplyKind::Details => CANDIDATE,
        ReplyKind::Verdict | ReplyKind::Error => CHECKPOINTS,
    };
    let verdict = verdict::verdict_of(Task::find(place.task), request, &text);
    ReplyFile {
        lines: vec![ReplyLine {
            number: 1,
            sample: Some(format!("{}/{}", place.task, place.case)),
            domain: 0,
        }],
        replies: vec![StoredReply {
            line: 0,
            turn: Some(0).into(),
            criterion: 0,
            raw: 0..u32::try_from(text.len()).unwrap_or(u32::MAX),
            readings: verdict.readings(),
        }],
        verdicts: vec![verdict],
        criteria: vec![request.to_owned()],
        domains: vec![place.task.to_owned()],
        text,
        ..ReplyFile::default()
    }
}

/// What one model has below one root.
#[derive(Debug, Default)]
struct Found {
    /// The folder that holds the tasks' folders with pictures.
    folder: Option<String>,
    outputs: Vec<(u32, u8, FileId)>,
    extra: Vec<FileId>,
    judgements: Vec<Judgement>,
    known: Vec<FileId>,
    /// Files of either kind in the folder of a task inside that of a task.
    nested: Vec<FileId>,
}

#[derive(Clone, Debug)]
struct Judgement {
    /// Task, case, and whether it is the candidate's.
    of: (&'static str, String, bool),
    /// Name of the time-stamped folder; empty without one.
    stamp: String,
    is_verdict: bool,
    file: FileId,
}

/// Finds the models: by their folder of pictures, by the names of their judgements.
///
/// Of several time-stamped evaluations only the newest counts, as in the authors' scripts, which read one folder: cases that it
/// has not judged are not judged, whatever an older one says of them. The others are named and not used.
pub fn submissions(tree: &FileTree, benchmark: Option<&Benchmark>) -> Vec<Submission> {
    let empty = Benchmark::default();
    let benchmark = benchmark.unwrap_or(&empty);
    let slots: HashMap<&str, u32> = benchmark
        .turns()
        .map(|(slot, sample, _, _)| (benchmark.samples[sample as usize].id.as_str(), slot))
        .collect();
    let own: std::collections::HashSet<FileId> = benchmark
        .samples
        .iter()
        .flat_map(|sample| &sample.pictures)
        .filter_map(|picture| picture.file)
        .chain(benchmark.files.iter().copied())
        .collect();
    let names = benchmark.turns().map(|(.., turn)| &turn.output_name);
    let names: BTreeSet<String> = names.map(|name| loose_name(name)).collect_small();
    let mut found: BTreeMap<(&str, &str), Found> = BTreeMap::new();
    let mut strays = Vec::new();
    for (file, entry) in tree.files().filter(|(file, _)| !own.contains(file)) {
        if let Some(place) = layout::reply_path(&entry.path) {
            let model = found.entry((place.model, place.root)).or_default();
            if place.is_nested {
                model.known.push(file);
                model.nested.push(file);
                continue;
            }
            model.judgements.push(Judgement {
                of: (
                    place.task,
                    place.case.to_owned(),
                    place.kind == ReplyKind::Details,
                ),
                stamp: place.stamp.to_owned(),
                is_verdict: place.kind != ReplyKind::Error,
                file,
            });
        } else if let Some(place) = layout::output_path(&entry.path) {
            if benchmark.list.is_some() && place.folder == benchmark.folder {
                continue;
            }
            let model = found.entry((place.model, place.root)).or_default();
            model.folder = Some(place.folder.to_owned());
            if place.is_nested {
                model.nested.push(file);
                model.extra.push(file);
                continue;
            }
            let slot = slots.get(format!("{}/{}", place.task, place.case).as_str());
            match (slot, place.rank) {
                (Some(slot), Some(rank)) => model.outputs.push((*slot, rank, file)),
                _ => model.extra.push(file),
            }
        } else if may_be_output(&entry.path, &names)
            && let Some(place) = layout::place_in_task(&entry.path)
        {
            strays.push((file, place));
        }
    }
    for (file, (root, model, folder)) in strays {
        let model = found.get_mut(&(model, root));
        if let Some(model) = model.filter(|model| model.folder.as_deref() == Some(folder)) {
            model.extra.push(file);
        }
    }
    for (file, entry) in tree.files() {
        if let Some(name) = layout::report_path(&entry.path) {
            let mut models = found.iter_mut().filter(|((model, _), _)| *model == name);
            if let Some((_, model)) = models.next() {
                model.known.push(file);
            }
        }
    }
    joined(found)
        .into_iter()
        .map(|(name, root, found)| found.submission(tree, benchmark, name, &root))
        .collect()
}

/// Whether a file that has no output's place may be one all the same: a picture of any format, or an output's name without
/// its ending.
fn may_be_output(path: &str, names: &BTreeSet<String>) -> bool {
    is_picture(path)
        || unread_format(path).is_some()
        || !has_ending(path) && names.contains(&loose_name(path))
}

/// Pictures and judgements that were dropped as two folders are one model; otherwise each root has its own.
fn joined(found: BTreeMap<(&str, &str), Found>) -> Vec<(String, String, Found)> {
    let mut by_name: BTreeMap<&str, Vec<(&str, Found)>> = BTreeMap::new();
    for ((name, root), found) in found {
        by_name.entry(name).or_default().push((root, found));
    }
    let mut models = Vec::new();
    for (name, mut roots) in by_name {
        let is_pair = match roots.as_slice() {
            [(_, a), (_, b)] => {
                let has_pictures = [a, b].map(|found| found.folder.is_some());
                let has_judgements = [a, b].map(|found| !found.judgements.is_empty());
                has_pictures[0] != has_pictures[1] && has_judgements[0] != has_judgements[1]
            }
            _ => false,
        };
        if is_pair {
            let (root, mut whole) = roots.remove(0);
            let (_, other) = roots.remove(0);
            whole.folder = whole.folder.or(other.folder);
            whole.outputs.extend(other.outputs);
            whole.extra.extend(other.extra);
            whole.judgements.extend(other.judgements);
            whole.known.extend(other.known);
            whole.nested.extend(other.nested);
            models.push((name.to_owned(), root.to_owned(), whole));
            continue;
        }
        // What is put into another folder, such as a neighbour's, renames nobody.
        let others: Vec<&str> = roots.iter().map(|(root, _)| *root).collect();
        for (root, found) in roots {
            let is_outermost = (others.iter()).all(|other| *other == root || is_below(other, root));
            let shown = if is_outermost {
                name.to_owned()
            } else {
                join(root, name)
            };
            models.push((shown, root.to_owned(), found));
        }
    }
    models
}

impl Found {
    fn submission(
        mut self,
        tree: &FileTree,
        benchmark: &Benchmark,
        name: String,
        root: &str,
    ) -> Submission {
        let mut problems: Vec<Problem> = nested_task(tree, &self.nested).into_iter().collect();
        let mut outputs: Vec<Option<FileId>> = vec![None; benchmark.num_turns()];
        // The first file of an output in the authors' order of extensions is the one that they judge.
        self.outputs.sort_small();
        for (slot, _, file) in self.outputs {
            match outputs[slot as usize] {
                None => outputs[slot as usize] = Some(file),
                Some(used) => problems.push(duplicate(tree.path(file), tree.path(used))),
            }
        }
        let judgements = std::mem::take(&mut self.judgements);
        self.judgements = newest(tree, judgements, &mut self.known, &mut problems);
        let reply_files = chosen(&mut self.judgements, &mut self.known);
        let base = join(root, "outputs");
        let expected = || join(&join(&base, "generations"), &name);
        let output_folder = self.folder.clone().unwrap_or_else(expected);
        let folder = self.folder.unwrap_or_else(|| {
            let first = self.judgements.first();
            first
                .and_then(|judgement| layout::reply_path(tree.path(judgement.file)))
                .map_or_else(String::new, |place| place.folder.to_owned())
        });
        Submission {
            name,
            folder,
            output_folder,
            outputs,
            reply_files,
            extra_files: self.extra,
            unrecognised: Vec::new(),
            known_files: self.known,
            judges: BTreeMap::new(),
            expected: BTreeMap::new(),
            problems,
        }
    }
}

fn duplicate(unused: &str, used: &str) -> Problem {
    Problem {
        severity: Severity::Warning,
        code: "duplicate_output".to_owned(),
        path: unused.to_owned(),
        place: String::new(),
        message: format!("Two files are meant for the same output; {used} is used."),
        hint: "Remove one of the two.".to_owned(),
    }
}

/// The judgements of the newest evaluation; those of each older one become known files, and are named once.
///
/// The time in the folder's name decides, as a host tells none of when files were written; a name without a time is older than
/// any with one, and files in no such folder are older than both.
fn newest(
    tree: &FileTree,
    judgements: Vec<Judgement>,
    known: &mut Vec<FileId>,
    problems: &mut Vec<Problem>,
) -> Vec<Judgement> {
    let age = |judgement: &Judgement| {
        let time = layout::judged_at(tree.path(judgement.file));
        (time, judgement.stamp.clone())
    };
    let Some(latest) = judgements.iter().map(age).max() else {
        return judgements;
    };
    let (counted, superseded): (Vec<_>, Vec<_>) = judgements
        .into_iter()
        .partition(|judgement| judgement.stamp == latest.1);
    let judged: BTreeSet<_> = counted
        .iter()
        .map(|judgement| &judgement.of)
        .collect_small();
    let mut folders: BTreeMap<&str, (u32, u32)> = BTreeMap::new();
    for judgement in &superseded {
        known.push(judgement.file);
        let place = layout::reply_path(tree.path(judgement.file));
        let (number, alone) = folders
            .entry(place.map_or("", |place| place.folder))
            .or_default();
        *number += 1;
        *alone += u32::from(!judged.contains(&judgement.of));
    }
    problems.extend(folders.into_iter().map(|(folder, (number, alone))| {
        let (files, are) = if number == 1 {
            ("file", "is")
        } else {
            ("files", "are")
        };
        Problem {
            severity: Severity::Warning,
            code: "older_judgements".to_owned(),
            path: folder.to_owned(),
            place: String::new(),
            message: format!(
                "{number} {files} of judgements here {are} not used: {} is the newest evaluation, and it alone counts, as in the \
                 authors' scripts. Of {alone} it has no judgement of its own.",
                latest.1
            ),
            hint: "Judge the rest into the newest folder, or open an older one alone to see its own scores."
                .to_owned(),
        }
    }));
    counted
}

/// The judgement that counts for each case and request: a verdict before the note of an earlier failure.
/// The others become known files.
fn chosen(judgements: &mut [Judgement], known: &mut Vec<FileId>) -> Vec<FileId> {
    judgements.sort_small_by(|a, b| {
        let verdict = b.is_verdict.cmp(&a.is_verdict);
        a.of.cmp(&b.of).then(verdict).then(a.file.cmp(&b.file))
    });
    let mut files = Vec::new();
    for of_one in judgements.chunk_by(|a, b| a.of == b.of) {
        files.push(of_one[0].file);
        known.extend(of_one[1..].iter().map(|other| other.file));
    }
    files.sort_small();
    files
}
