//! Files → the benchmark that a `juror.json` declares, and the models whose outputs and replies its patterns find.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::Arc;

use super::Declared;
use super::declaration::{Declaration, Listed, ReplyFiles};
use super::json::{Findings, Json, JsonFault};
use super::pattern::{Field, Found, Known, ending};
use super::samples::{self, Source};
use super::schema;
use super::verdict::Reader;
use crate::contract::{Layout, Loaded};
use juror_model::problem::{Problem, Severity};
use juror_model::prompt;
use juror_model::reply::{LineProblem, ReplyFile, ReplyLine, StoredReply, Verdict};
use juror_model::sample::{Benchmark, Candidate, Sample, Texts};
use juror_model::submission::Submission;
use juror_model::tree::{FileId, FileTree, join, parent, unique_names};
use juror_reading::names::id_key;
use juror_reading::py::Scanner;
use juror_statistics::small::SortSmall;

/// Findings beyond the first that are told along with it.
const MAX_MORE: usize = 20;

impl Layout for Declared {
    fn further_files(&self, tree: &FileTree, candidate: &Candidate, texts: &Texts) -> Vec<FileId> {
        named_files(tree, candidate, texts)
    }

    /// Reads the benchmark.
    fn load(
        &self,
        tree: &FileTree,
        candidate: &Candidate,
        texts: &Texts,
    ) -> Result<Loaded, Box<Problem>> {
        let path = tree.path(candidate.list);
        let folder = parent(path).to_owned();
        let text = texts.get(&candidate.list).map_or("", String::as_str);
        let (mut declared, listed, json) = Declared::read_file(path, text)?;
        let named = named_files(tree, candidate, texts);
        let list = match &listed {
            Listed::Inline => Some(candidate.list),
            Listed::File { .. } => named.first().copied(),
        };
        let fatal = |place: &str, message: String, hint: &str| {
            Box::new(Problem {
                severity: Severity::Error,
                code: "no_samples".to_owned(),
                path: path.to_owned(),
                place: place.to_owned(),
                message,
                hint: hint.to_owned(),
            })
        };
        let Some(list) = list else {
            let file = match &listed {
                Listed::File { file, .. } => join(&folder, file),
                Listed::Inline => String::new(),
            };
            return Err(fatal(
                "/samples/file",
                format!("There is no file {file}."),
                "The path is from the folder of juror.json. Open the folder that holds both.",
            ));
        };
        let source = Source {
            tree,
            folder: &folder,
            path: tree.path(list),
            declaration: &declared.says,
        };
        let of_list = texts.get(&list).map(String::as_str);
        let read = samples::read(source, &listed, json.get("samples"), of_list);
        if read.samples.is_empty() {
            let first = read.problems.into_iter().next().map(Box::new);
            return Err(first.unwrap_or_else(|| {
                fatal(
                    "/samples",
                    "There is no sample.".to_owned(),
                    "List at least one: {\"id\": \"001\"}.",
                )
            }));
        }
        declared.know(tree, text, &read.samples);
        let mut benchmark = Benchmark::new(Some(candidate.list), folder, read.samples);
        benchmark.files = [vec![candidate.list], named].concat();
        benchmark.num_unreadable = read.num_unreadable;
        benchmark.problems = read.problems;
        benchmark
            .problems
            .extend(unused_tags(path, &declared.says, &benchmark));
        Ok(Loaded {
            benchmark,
            declared: Some(Arc::new(declared)),
        })
    }

    fn submissions(&self, tree: &FileTree, benchmark: Option<&Benchmark>) -> Vec<Submission> {
        benchmark.map_or_else(Vec::new, |benchmark| submissions(self, tree, benchmark))
    }

    fn read_replies(&self, path: &str, text: String) -> ReplyFile {
        self.read_reply_file(path, text)
    }
}

/// The list of samples that a protocol file names, if it is there.
pub(super) fn named_files(tree: &FileTree, candidate: &Candidate, texts: &Texts) -> Vec<FileId> {
    let path = tree.path(candidate.list);
    let text = texts.get(&candidate.list);
    let list = text.and_then(|text| match Declared::read_file(path, text).ok()?.1 {
        Listed::Inline => None,
        Listed::File { file, .. } => tree.find(&join(parent(path), &file)),
    });
    list.into_iter().collect()
}

impl Declared {
    /// Reads a protocol file, without its samples.
    ///
    /// # Errors
    /// All that is wrong with it, as one problem.
    pub(super) fn read_file(path: &str, text: &str) -> Result<(Self, Listed, Json), Box<Problem>> {
        let json = Json::read(text).map_err(|error| {
            Box::new(Problem {
                severity: Severity::Error,
                code: "bad_json".to_owned(),
                path: path.to_owned(),
                place: format!("line {}, column {}", error.line(), error.column()),
                message: format!("The protocol file is not JSON: {error}."),
                hint: String::new(),
            })
        })?;
        let mut found = Findings::new();
        match schema::read(&json, &mut found) {
            Some((says, listed)) if found.is_empty() => Ok((Self::new(path, says), listed, json)),
            _ => Err(Box::new(problem(path, found))),
        }
    }
}

/// All findings about a protocol file as one problem, with the first one's place.
fn problem(path: &str, found: Findings) -> Problem {
    let count = found.len();
    let mut found = found.into_iter();
    let first = found.next().unwrap_or(JsonFault {
        place: String::new(),
        message: "The protocol file is incomplete.".to_owned(),
        hint: String::new(),
    });
    let more: Vec<String> = found
        .take(MAX_MORE)
        .map(|finding| {
            let text = format!("{}: {} {}", finding.place, finding.message, finding.hint);
            text.trim_end().to_owned()
        })
        .collect();
    let mut hint = first.hint;
    if !more.is_empty() {
        let left = count - 1 - more.len();
        let rest = match left {
            0 => String::new(),
            left => format!(" And {left} more."),
        };
        hint = format!("{hint} Also wrong: {}{rest}", more.join(" "));
    }
    Problem {
        severity: Severity::Error,
        code: "bad_protocol".to_owned(),
        path: path.to_owned(),
        place: first.place,
        message: first.message,
        hint: hint.trim_start().to_owned(),
    }
}

/// Groupings by a tag that no sample has: probably a slip of the pen.
fn unused_tags(path: &str, says: &Declaration, benchmark: &Benchmark) -> Vec<Problem> {
    let has = |tag: &str| {
        let mut samples = benchmark.samples.iter();
        samples.any(|sample| sample.tags.iter().any(|(own, _)| own == tag))
    };
    let groupings = says.groupings.iter().enumerate();
    groupings
        .filter(|(_, grouping)| !has(&grouping.tag))
        .map(|(at, grouping)| Problem {
            severity: Severity::Warning,
            code: "unused_tag".to_owned(),
            path: path.to_owned(),
            place: format!("/groupings/{at}"),
            message: format!("No {} has the tag \"{}\".", says.sample_word, grouping.tag),
            hint: "The grouping has no rows. Check the tag's name.".to_owned(),
        })
        .collect()
}

impl Declared {
    /// Takes note of the names that paths are read by.
    fn know(&mut self, tree: &FileTree, text: &str, samples: &[Sample]) {
        // A table writes 1.0 of the sample whose output is 1.png.
        self.ids = (samples.iter())
            .flat_map(|sample| [sample.id.clone(), id_key(&sample.id).into_owned()])
            .collect();
        self.by_stem = by_stem(samples.iter().map(|sample| sample.id.as_str()), &self.ids);
        let find = |path| {
            let mut patterns = self.says.outputs.iter();
            patterns.find_map(|pattern| Some(pattern.find(path, self)?.model.to_owned()))
        };
        let models = tree.files().filter_map(|(_, entry)| find(&entry.path));
        self.models = models.collect();
        let names = self.ids.iter().chain(&self.models).map(String::as_str);
        let all: Vec<&str> = [text].into_iter().chain(names).collect();
        self.sha256 = prompt::sha256(all.join("\0").as_bytes());
    }

    fn is_known(&self, id: &str) -> bool {
        self.ids.contains(id) || self.ids.contains(&*id_key(id))
    }

    /// The id that a file's name or a reply means by a text: ids may be names of pictures, and either may leave the ending out.
    fn meant<'a>(&'a self, id: &'a str) -> &'a str {
        if self.is_known(id) {
            return id;
        }
        let named = self.by_stem.get(id).map(String::as_str);
        let bare = || before_ending(id).filter(|stem| self.is_known(stem));
        named.or_else(bare).unwrap_or(id)
    }
}

/// Ids that are names of pictures, by what stands before the ending, where that is no id and the same for one of them alone.
fn by_stem<'a>(
    ids: impl Iterator<Item = &'a str>,
    known: &BTreeSet<String>,
) -> BTreeMap<String, String> {
    let mut found: BTreeMap<&str, Option<&str>> = BTreeMap::new();
    for id in ids {
        if let Some(stem) = before_ending(id).filter(|stem| !known.contains(*stem)) {
            let one = found.entry(stem).or_insert(Some(id));
            *one = one.filter(|one| *one == id);
        }
    }
    let found = found.into_iter();
    found
        .filter_map(|(stem, id)| Some((stem.to_owned(), id?.to_owned())))
        .collect()
}

/// The name of a picture without its ending.
fn before_ending(name: &str) -> Option<&str> {
    let stem = name.strip_suffix(ending(name)?)?.strip_suffix('.')?;
    (!stem.is_empty()).then_some(stem)
}

/// A protocol that takes for a model only what has a folder of outputs.
struct WithOutputs<'a>(&'a Declared);

impl Known for WithOutputs<'_> {
    fn is_sample(&self, id: &str) -> bool {
        self.0.is_sample(id)
    }

    fn is_request(&self, id: &str) -> bool {
        self.0.is_request(id)
    }

    fn is_model(&self, name: &str) -> bool {
        self.0.models.contains(name)
    }
}

impl Known for Declared {
    fn is_sample(&self, id: &str) -> bool {
        self.is_known(self.meant(id))
    }

    fn is_request(&self, id: &str) -> bool {
        self.says.requests.iter().any(|request| request.id == id)
    }

    fn is_model(&self, _name: &str) -> bool {
        true
    }
}

/// What was found of one model.
#[derive(Debug, Default)]
struct Model {
    /// Its folder; empty if only replies tell of it.
    folder: String,
    /// The path before everything that the pattern says.
    root: String,
    name: String,
    /// File, turn number, and which pattern found it.
    outputs: Vec<(FileId, u32, usize)>,
    replies: Vec<FileId>,
    extra: Vec<FileId>,
}

/// Finds the models: the folders that a pattern of outputs names, and names that a pattern of replies does.
pub(super) fn submissions(
    declared: &Declared,
    tree: &FileTree,
    benchmark: &Benchmark,
) -> Vec<Submission> {
    let own: HashSet<FileId> = benchmark
        .samples
        .iter()
        .flat_map(|sample| sample.pictures.iter().filter_map(|picture| picture.file))
        .chain(benchmark.files.iter().copied())
        .collect();
    let mut models: BTreeMap<&str, Model> = BTreeMap::new();
    let mut replies: Vec<(FileId, Found<'_>)> = Vec::new();
    let mut others: Vec<FileId> = Vec::new();
    for (file, entry) in tree.files().filter(|(file, _)| !own.contains(file)) {
        let path = entry.path.as_str();
        let mut patterns = declared.says.outputs.iter().enumerate();
        let output = patterns.find_map(|(at, pattern)| Some((at, pattern.find(path, declared)?)));
        if let Some((rank, found)) = output {
            let id = found.id.map(|id| declared.meant(id));
            let sample = id.and_then(|id| benchmark.index_of(id));
            let slot = sample.and_then(|sample| benchmark.turn_slot(sample, 0));
            let folder = found.folder(path);
            let model = models.entry(folder).or_default();
            folder.clone_into(&mut model.folder);
            found.root(path).clone_into(&mut model.root);
            found.model.clone_into(&mut model.name);
            model.outputs.extend(slot.map(|slot| (file, slot, rank)));
        } else if let Some((_, found)) = declared.reply_files(path) {
            replies.push((file, found));
        } else if ending(path).is_some() {
            others.push(file);
        }
    }
    for file in others {
        let path = tree.path(file);
        let mut folder = parent(path);
        while !folder.is_empty() {
            if let Some(model) = models.get_mut(folder) {
                model.extra.push(file);
                break;
            }
            folder = parent(folder);
        }
    }
    let names = unique_names(models.keys().copied());
    let mut models: Vec<Model> = models.into_values().collect();
    for (file, found) in replies {
        claim_replies(tree.path(file), file, found, &mut models);
    }
    let names = names.into_iter().map(Some).chain(std::iter::repeat(None));
    models
        .into_iter()
        .zip(names)
        .map(|(model, name)| model.submission(tree, benchmark, name))
        .collect()
}

/// A file of replies belongs to the model of its name whose folder is nearest, or makes a model.
fn claim_replies(path: &str, file: FileId, found: Found<'_>, models: &mut Vec<Model>) {
    let root = found.root(path);
    let shared = |model: &Model| {
        let parts = root.split('/').zip(model.root.split('/'));
        parts.take_while(|(a, b)| a == b).count()
    };
    // Of equally near ones the first.
    let own = models
        .iter_mut()
        .rev()
        .filter(|model| model.name == found.model)
        .max_by_key(|model| shared(model));
    if let Some(model) = own {
        model.replies.push(file);
        return;
    }
    models.push(Model {
        root: root.to_owned(),
        name: found.model.to_owned(),
        replies: vec![file],
        ..Model::default()
    });
}

impl Model {
    fn submission(
        mut self,
        tree: &FileTree,
        benchmark: &Benchmark,
        name: Option<String>,
    ) -> Submission {
        // By pattern and path, so that the order of listing decides nothing.
        self.outputs
            .sort_small_by_key(|(file, _, rank)| (*rank, tree.path(*file).to_owned()));
        self.extra
            .sort_small_by_key(|file| tree.path(*file).to_owned());
        let mut outputs: Vec<Option<FileId>> = vec![None; benchmark.num_turns()];
        let mut problems = Vec::new();
        let mut known_files = Vec::new();
        for (file, slot, _) in self.outputs {
            let output = &mut outputs[slot as usize];
            let Some(used) = *output else {
                *output = Some(file);
                continue;
            };
            known_files.push(file);
            problems.push(Problem {
                severity: Severity::Warning,
                code: "duplicate_output".to_owned(),
                path: tree.path(file).to_owned(),
                place: String::new(),
                message: format!(
                    "Two files are meant for the same output; {} is used.",
                    tree.path(used)
                ),
                hint: "Remove one of the two.".to_owned(),
            });
        }
        Submission {
            name: name.unwrap_or(self.name),
            output_folder: self.folder.clone(),
            folder: self.folder,
            outputs,
            reply_files: self.replies,
            extra_files: self.extra,
            unrecognised: Vec::new(),
            known_files,
            judges: BTreeMap::new(),
            expected: BTreeMap::new(),
            problems,
        }
    }
}

impl Declared {
    /// Which of the patterns of replies holds for a path, and what the path says.
    fn reply_files<'p>(&self, path: &'p str) -> Option<(&ReplyFiles, Found<'p>)> {
        // Where a name can be divided in several ways, the model is one that has outputs.
        let find = |known: &dyn Known| {
            let mut patterns = self.says.replies.iter();
            patterns.find_map(|replies| Some((replies, replies.files.find(path, known)?)))
        };
        find(&WithOutputs(self)).or_else(|| find(self))
    }

    /// Reads a file of judge replies: one reply, or one JSON object per line.
    pub(super) fn read_reply_file(&self, path: &str, text: String) -> ReplyFile {
        let mut file = ReplyFile {
            criteria: self
                .says
                .requests
                .iter()
                .map(|request| request.id.clone())
                .collect(),
            domains: vec![String::new()],
            ..ReplyFile::default()
        };
        let Some((replies, found)) = self.reply_files(path) else {
            file.text = text;
            return file;
        };
        found.judge.clone_into(&mut file.judge);
        file.run = found.run;
        if replies.files.has(Field::Id) {
            let end = u32::try_from(text.len()).unwrap_or(u32::MAX);
            let request = found.request.map(str::to_owned);
            file.text = text;
            self.push(&mut file, 1, found.id, request.as_deref(), 0..end);
            return file;
        }
        let mut start = 0;
        let mut lines: Vec<(u32, usize, usize)> = Vec::new();
        for (number, line) in (1..).zip(text.split_inclusive('\n')) {
            if !line.trim().is_empty() {
                lines.push((number, start, start + line.len()));
            }
            start += line.len();
        }
        file.text = text;
        for (number, start, end) in lines {
            let line = match line(&file.text[start..end], replies) {
                Ok(line) => line,
                Err((code, message)) => {
                    file.problems.push(LineProblem {
                        line: number,
                        code,
                        message,
                        hint: "The line is left out; the others count.",
                    });
                    continue;
                }
            };
            let request = line.request.or_else(|| found.request.map(str::to_owned));
            if request.is_none() && self.says.requests.len() > 1 {
                file.problems.push(LineProblem {
                    line: number,
                    code: "no_request",
                    message: format!(
                        "Expected a key \"{}\" with one of {}.",
                        replies.request,
                        file.criteria.join(", ")
                    ),
                    hint: "The line is left out; the others count.",
                });
                continue;
            }
            let at = |offset: usize| u32::try_from(start + offset).unwrap_or(u32::MAX);
            let raw = at(line.reply.start)..at(line.reply.end);
            self.push(
                &mut file,
                number,
                Some(&line.sample),
                request.as_deref(),
                raw,
            );
        }
        file
    }

    fn push(
        &self,
        file: &mut ReplyFile,
        number: u32,
        sample: Option<&str>,
        request: Option<&str>,
        raw: std::ops::Range<u32>,
    ) {
        let request = request.or(self.says.requests.first().map(|first| first.id.as_str()));
        let Some(request) = request else { return };
        let reader = Reader::new(&self.says, request);
        let text = &file.text[raw.start as usize..raw.end as usize];
        let verdict = reader.map_or(
            Verdict::fault(juror_model::reply::Fault::Unparsable),
            |reader| reader.verdict(text),
        );
        let criterion = file.criteria.iter().position(|known| known == request);
        let criterion = criterion.unwrap_or_else(|| {
            file.criteria.push(request.to_owned());
            file.criteria.len() - 1
        });
        file.replies.push(StoredReply {
            line: u32::try_from(file.lines.len()).unwrap_or(u32::MAX),
            turn: Some(0).into(),
            criterion: u16::try_from(criterion).unwrap_or(u16::MAX),
            raw,
            readings: verdict.readings(),
        });
        file.verdicts.push(verdict);
        file.lines.push(ReplyLine {
            number,
            sample: sample.map(|sample| self.meant(sample).to_owned()),
            domain: 0,
        });
    }
}

/// What a line of a list of replies says.
struct Line {
    sample: String,
    request: Option<String>,
    /// Bytes of the reply in the line.
    reply: std::ops::Range<usize>,
}

fn line(text: &str, keys: &ReplyFiles) -> Result<Line, (&'static str, String)> {
    let mut scanner = Scanner::new(text);
    let (mut sample, mut request, mut reply) = (None, None, None);
    let mut read = || {
        scanner.space();
        if scanner.peek() != Some(b'{') {
            return Ok(false);
        }
        scanner.at += 1;
        let mut first = true;
        while let Some(key) = scanner.key(&mut first)? {
            let start = scanner.at;
            if key.is(&keys.sample) {
                let id = scanner.value(0)?.id_text();
                sample = id.map(|id| id.trim().to_owned());
            } else if key.is(&keys.request) {
                request = scanner.value(0)?.as_str().map(str::to_owned);
            } else {
                scanner.skip(0)?;
                if key.is(&keys.reply) {
                    reply = Some(start..scanner.at);
                }
            }
        }
        scanner.end()?;
        Ok(true)
    };
    let is_object = read().map_err(|fault: juror_reading::py::Fault| {
        let message = format!("The line is not JSON: {}.", fault.locate(text));
        ("bad_line", message)
    })?;
    if !is_object {
        let message = "Expected an object with the sample and the reply.".to_owned();
        return Err(("bad_line", message));
    }
    let missing = |key: &str| ("bad_line", format!("Expected a key \"{key}\"."));
    Ok(Line {
        sample: sample.ok_or_else(|| missing(&keys.sample))?,
        reply: reply.ok_or_else(|| missing(&keys.reply))?,
        request,
    })
}
