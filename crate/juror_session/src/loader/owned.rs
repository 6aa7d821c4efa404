//! What a model's folder holds of others: no other model, no benchmark and no judge's texts, as [`juror_model::trust`] says it.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::Loader;
use juror_model::problem::{Problem, Severity};
use juror_model::sample::Benchmark;
use juror_model::submission::Submission;
use juror_model::tree::{FileId, FileTree, base_name, folders_around, is_below, join, parent};
use juror_model::trust::{NamesOfFolders, Owners, folder_named_after};
use juror_protocols::contract::Protocol;
use juror_protocols::recognition::Suggested;

/// Models in models in models: each round takes out some.
const MAX_ROUNDS: usize = 16;

/// Another model's files in a model's folder.
#[derive(Debug)]
pub(super) struct Nested {
    /// The folder of the model that owns them.
    folder: String,
    owner: String,
    /// As whose they were taken.
    model: String,
    files: BTreeSet<FileId>,
}

/// The files that count for a model.
fn counting(model: &Submission) -> impl Iterator<Item = FileId> {
    let outputs = model.outputs.iter().flatten();
    outputs.chain(&model.reply_files).copied()
}

/// Every file that is taken for a model's.
fn claimed(model: &Submission) -> impl Iterator<Item = FileId> {
    let others = model.known_files.iter().chain(&model.extra_files);
    counting(model).chain(others.copied())
}

/// The folders that are a model's own: those of its outputs, and of its replies those that are named after it.
fn folders(tree: &FileTree, model: &Submission) -> BTreeSet<String> {
    let both = [&model.folder, &model.output_folder];
    let replies = model.reply_files.iter();
    // A folder around the model's own is that of another one of its name.
    let is_around = |named: &&str| both.iter().any(|own| own == named || is_below(own, named));
    let named = replies
        .filter_map(|file| folder_named_after(tree.path(*file), &model.name))
        .filter(|named| !is_around(named));
    both.into_iter()
        .map(String::as_str)
        .chain(named)
        .filter(|folder| !folder.is_empty())
        .map(str::to_owned)
        .collect()
}

/// The folders of these files that are named after models, by the models' places; those around a model's own folder, those in a
/// model's folder and those in a folder that is named after another model are not.
fn named_folders(tree: &FileTree, models: &[Submission]) -> Vec<BTreeSet<String>> {
    let names = models.iter().map(|model| model.name.as_str());
    let names = NamesOfFolders::of(names);
    let places = models
        .iter()
        .flat_map(|model| [&model.folder, &model.output_folder]);
    let places: BTreeSet<&str> = places.map(String::as_str).collect();
    let is_in_a_model = |folder: &str| {
        let mut above = folders_around(folder);
        places.contains(folder) || above.any(|folder| places.contains(folder))
    };
    let is_in_anothers = |folder: &str, at: usize| {
        folders_around(folder).any(|folder| names.named(folder).any(|other| other != at))
    };
    let mut found = vec![BTreeSet::new(); models.len()];
    let mut seen: BTreeSet<&str> = BTreeSet::new();
    for file in models.iter().flat_map(claimed) {
        let mut folder = parent(tree.path(file));
        while !folder.is_empty() && seen.insert(folder) {
            for at in names.named(folder) {
                let own = [&models[at].folder, &models[at].output_folder];
                let is_around = own.iter().any(|own| is_below(own, folder));
                if !is_around && !is_in_a_model(folder) && !is_in_anothers(folder, at) {
                    found[at].insert(folder.to_owned());
                }
            }
            folder = parent(folder);
        }
    }
    found
}

/// The models that have files in each folder, by their places.
fn models_inside<'a>(
    tree: &'a FileTree,
    models: &[Submission],
) -> BTreeMap<&'a str, BTreeSet<usize>> {
    let mut inside: BTreeMap<&str, BTreeSet<usize>> = BTreeMap::new();
    for (at, model) in models.iter().enumerate() {
        for file in claimed(model) {
            let mut folder = parent(tree.path(file));
            // Where a folder is known, those around it are.
            while !folder.is_empty() && inside.entry(folder).or_default().insert(at) {
                folder = parent(folder);
            }
        }
    }
    inside
}

/// Whether a model is a name inside a folder that is another one's: it has no outputs there, or is elsewhere too.
fn is_mere_name(tree: &FileTree, model: &Submission, folder: &str, models: &[Submission]) -> bool {
    let mut outputs = model.outputs.iter().flatten();
    let has_outputs = outputs.any(|file| is_below(tree.path(*file), folder));
    let is_same = |other: &&Submission| {
        other.name != model.name && base_name(&other.name) == base_name(&model.name)
    };
    !has_outputs || models.iter().any(|other| is_same(&other))
}

/// Everything in a folder.
fn all_in<'a>(tree: &'a FileTree, folder: &'a str) -> impl Iterator<Item = FileId> + 'a {
    let files = tree.files();
    files
        .filter(|(_, entry)| is_below(&entry.path, folder))
        .map(|(file, _)| file)
}

/// What a model has in a folder.
#[derive(Clone, Copy)]
struct Count {
    outputs: usize,
    all: usize,
}

impl Count {
    fn of(model: &Submission, is_in: impl Fn(&FileId) -> bool) -> Self {
        let outputs = model.outputs.iter().flatten();
        Self {
            outputs: outputs.filter(|file| is_in(file)).count(),
            all: claimed(model).filter(is_in).count(),
        }
    }

    /// Whether a model with so much in its folder owns what another one has there: a stray picture beside the folders of
    /// models makes nobody their owner. Outputs decide, as nobody has more of them than the benchmark asks for.
    fn makes_owner(self, other: Self) -> bool {
        self.outputs * 2 >= other.outputs && (self.outputs > 0 || self.all * 4 >= other.all)
    }
}

/// Whether a model is all in the folder of another one, which is its owner.
fn is_enclosed(tree: &FileTree, models: &[Submission], at: usize) -> bool {
    let places = |model: &Submission| [model.folder.clone(), model.output_folder.clone()];
    let own = places(&models[at])
        .into_iter()
        .filter(|own| !own.is_empty());
    let own: Vec<String> = own.collect();
    let is_around = |folder: &String| {
        !folder.is_empty() && own.iter().all(|own| is_below(own, folder)) && !own.is_empty()
    };
    models.iter().enumerate().any(|(other, owner)| {
        let mut around = places(owner).into_iter().filter(is_around);
        other != at
            && around.any(|folder| {
                let is_in = |file: &FileId| is_below(tree.path(*file), &folder);
                Count::of(owner, is_in).makes_owner(Count::of(&models[at], is_in))
            })
    })
}

/// Files in models' folders that were taken for other models'.
fn nested(tree: &FileTree, models: &[Submission]) -> Vec<Nested> {
    let mut own: Vec<BTreeSet<String>> = models.iter().map(|model| folders(tree, model)).collect();
    let mut named = named_folders(tree, models);
    for (at, named) in named.iter_mut().enumerate() {
        // What a folder inside another model's is called says nothing of folders elsewhere.
        if is_enclosed(tree, models, at) {
            named.clear();
        }
    }
    for (own, named) in own.iter_mut().zip(&mut named) {
        named.retain(|folder| own.insert(folder.clone()));
    }
    let inside = models_inside(tree, models);
    let mut found = Vec::new();
    for (at, owner) in models.iter().enumerate() {
        for folder in &own[at] {
            let others = inside.get(folder.as_str()).into_iter().flatten();
            let mut others = others.filter(|other| **other != at).peekable();
            if others.peek().is_none() {
                continue;
            }
            let is_in = |file: &FileId| is_below(tree.path(*file), folder);
            let is_owners: BTreeSet<FileId> = counting(owner).collect();
            let mut num_own = Count::of(owner, is_in);
            if num_own.outputs == 0 && *folder != owner.folder {
                // A folder with only replies is as much its own as that of the outputs.
                num_own.outputs = owner.outputs.iter().flatten().count();
            }
            for &other in others {
                let model = &models[other];
                if own[other].contains(folder) {
                    continue;
                }
                if named[at].contains(folder) && !is_mere_name(tree, model, folder, models) {
                    continue;
                }
                // A folder above this one knows all that is in it; what counts for another model is what matters.
                let is_above = own[other].iter().any(|above| is_below(folder, above));
                let mut files: BTreeSet<FileId> = if is_above {
                    counting(model).filter(is_in).collect()
                } else {
                    claimed(model).filter(is_in).collect()
                };
                // What counts for the owner is its own, whoever else names it.
                files.retain(|file| !is_owners.contains(file));
                if !files.is_empty() && num_own.makes_owner(Count::of(model, is_in)) {
                    let below = own[other].iter().filter(|inner| is_below(inner, folder));
                    let beside = below.flat_map(|inner| all_in(tree, inner));
                    files.extend(beside.filter(|file| !is_owners.contains(file)));
                    found.push(Nested {
                        folder: folder.clone(),
                        owner: owner.name.clone(),
                        model: model.name.clone(),
                        files,
                    });
                }
            }
        }
    }
    found
}

/// The files of models that are copies of the benchmark: its list is where the benchmark has it, and each output is a picture of
/// the benchmark by name and size.
fn copied(tree: &FileTree, benchmark: &Benchmark, models: &[Submission]) -> BTreeSet<FileId> {
    let pictures = benchmark.samples.iter().flat_map(|sample| &sample.pictures);
    let mut originals: HashMap<&str, Vec<FileId>> = HashMap::new();
    for file in pictures.filter_map(|picture| picture.file) {
        let alike = originals.entry(base_name(tree.path(file))).or_default();
        alike.push(file);
    }
    let list = benchmark.list.map(|list| tree.path(list));
    let has_list = |own: &str, original: &str| {
        let rest = list.filter(|list| is_below(list, original));
        let rest = rest.and_then(|list| list.strip_prefix(original));
        rest.is_some_and(|rest| {
            tree.find(&join(own, rest.trim_start_matches('/')))
                .is_some()
        })
    };
    let size = |file: FileId| tree.entry(file).and_then(|entry| entry.size);
    let is_copy = |file: FileId| {
        let path = tree.path(file);
        let mut alike = originals.get(base_name(path)).into_iter().flatten();
        alike.any(|original| {
            let (own, other) = around_same_end(path, tree.path(*original));
            let is_same_size = size(file).is_some() && size(file) == size(*original);
            is_same_size && own != other && has_list(own, other)
        })
    };
    let copies = models.iter().filter(|model| {
        let mut outputs = model.outputs.iter().flatten().peekable();
        let is_any = outputs.peek().is_some() && model.reply_files.is_empty();
        is_any && outputs.all(|file| is_copy(*file))
    });
    copies.flat_map(claimed).collect()
}

/// The part before the folders in which two paths end alike.
fn around_same_end<'a>(one: &'a str, other: &'a str) -> (&'a str, &'a str) {
    let parts = one.rsplit('/').zip(other.rsplit('/'));
    let same = parts.take_while(|(one, other)| one == other);
    let len: usize = same.map(|(part, _)| part.len() + 1).sum();
    let before = |path: &'a str| &path[..path.len().saturating_sub(len)];
    (before(one), before(other))
}

impl Nested {
    /// What is said of them where the folder's model is shown.
    fn problem(&self) -> Problem {
        let Self {
            folder,
            model,
            files,
            ..
        } = self;
        let num = files.len();
        Problem::new(
            folder,
            ("nested_model", Severity::Warning),
            String::new(),
            format!(
                "{num} files in the folder of a model, {folder}, look like those of another one (such as {model}) and do not count: a model's folder holds no other model."
            ),
            "If they are meant, move their folder beside the folders of the other models.",
        )
    }
}

/// The models in a tree, where a folder that is a model's holds no other one.
pub(crate) fn owned_submissions(
    protocol: &dyn Protocol,
    tree: &FileTree,
    benchmark: Option<&Benchmark>,
) -> Vec<Submission> {
    owned_among(protocol, tree, benchmark, None)
}

/// The same, by what the protocol finds in the whole tree where that is known.
fn owned_among(
    protocol: &dyn Protocol,
    tree: &FileTree,
    benchmark: Option<&Benchmark>,
    found: Option<Vec<Submission>>,
) -> Vec<Submission> {
    let mut hidden: BTreeSet<FileId> = tree
        .files()
        .filter(|(_, entry)| tree.is_in_the_making(&entry.path))
        .map(|(file, _)| file)
        .collect();
    let without = |hidden: &BTreeSet<FileId>| {
        if hidden.is_empty() {
            return protocol.submissions(tree, benchmark);
        }
        let rest = tree.of_these(|file| !hidden.contains(&file));
        protocol.submissions(&rest, benchmark)
    };
    let found = found.filter(|_| hidden.is_empty());
    let mut models = found.unwrap_or_else(|| without(&hidden));
    let copies = benchmark.map(|benchmark| copied(tree, benchmark, &models));
    if let Some(copies) = copies.filter(|copies| !copies.is_empty()) {
        hidden.extend(copies);
        models = without(&hidden);
    }
    let mut found: Vec<Nested> = Vec::new();
    for _ in 0..MAX_ROUNDS {
        let more = nested(tree, &models);
        let num_before = hidden.len();
        hidden.extend(more.iter().flat_map(|one| &one.files));
        if hidden.len() == num_before {
            break;
        }
        for one in more {
            let is_same = |known: &&mut Nested| known.folder == one.folder;
            match found.iter_mut().find(is_same) {
                Some(known) => known.files.extend(one.files),
                None => found.push(one),
            }
        }
        models = without(&hidden);
    }
    for one in &found {
        // While the others counted it may have been called by its path.
        let is_owner = |model: &Submission| {
            let is_place = [&model.folder, &model.output_folder].contains(&&one.folder);
            model.name == one.owner || is_place && base_name(&one.owner) == base_name(&model.name)
        };
        let owner = models.iter_mut().find(|model| is_owner(model));
        if let Some(owner) = owner {
            owner.problems.push(one.problem());
        }
    }
    models
}

/// Whether there are other models than those in a folder.
pub(super) fn has_others_beside(models: &[Submission], folder: &str) -> bool {
    models.iter().any(|model| {
        let own = if model.folder.is_empty() {
            &model.output_folder
        } else {
            &model.folder
        };
        own != folder && !is_below(own, folder) && !own.is_empty()
    })
}

impl Loader {
    /// The owners of folders, apart from the benchmark that is loaded.
    pub(crate) fn owners(&self, models: &[Submission]) -> Owners {
        Owners::of(models.iter()).beside(&self.tree, self.benchmark.as_deref())
    }

    /// The models of the files that are open; `found` is what the protocol finds in them, where that is known.
    pub(super) fn models(&self, found: Option<Vec<Submission>>) -> Vec<Submission> {
        let benchmark = self.benchmark.as_deref();
        let mut models = owned_among(&*self.protocol, &self.tree, benchmark, found);
        self.tell_texts(&mut models);
        self.tell_list(&mut models);
        models
    }

    /// Names a list or a declaration in the only model's folder: it decides what is asked of that model.
    fn tell_list(&self, models: &mut [Submission]) {
        let Some(path) = self.path_of_list() else {
            return;
        };
        let owners = self.owners(models);
        let Some(folder) = owners.folder_of(path).map(str::to_owned) else {
            return;
        };
        let decides = if self.protocol.is_named_by_file() {
            "samples, scales and formulas"
        } else {
            "which samples are asked for"
        };
        let own = owners.heard(path).unwrap_or_default();
        let own = own.first().map(|name| (*name).to_owned());
        if let Some(model) = models
            .iter_mut()
            .find(|model| Some(&model.name) == own.as_ref())
        {
            model.problems.push(Problem::new(
                path,
                ("benchmark_of_model", Severity::Warning),
                String::new(),
                format!("This file decides {decides}, and it is in the folder of a model, {folder}: the benchmark itself is not open."),
                "Open the benchmark's own folder as well, or be sure that this file is the benchmark's.",
            ));
        }
    }

    /// The file that says what is asked for; `None` where results imply it.
    fn path_of_list(&self) -> Option<&str> {
        let suggested = self.candidate.as_ref()?;
        let is_list = self.benchmark.is_some() && suggested.candidate.rank == 0;
        is_list.then(|| self.tree.path(suggested.candidate.list))
    }

    /// The folder of a model that the list just loaded is in, where it would decide about other models too.
    pub(super) fn speaks_for_others(&mut self, loaded: &Suggested) -> Option<String> {
        let path = self.tree.path(loaded.candidate.list);
        if loaded.candidate.rank > 0 || self.chosen.as_deref() == Some(path) {
            return None;
        }
        let benchmark = self.benchmark.as_deref();
        let folder_among = |models: &[Submission]| {
            let owners = self.owners(models);
            let folder = owners.folder_of(path)?;
            has_others_beside(models, folder).then(|| folder.to_owned())
        };
        let models = self.protocol.submissions(&self.tree, benchmark);
        if folder_among(&models).is_none() {
            self.found = Some(models);
            return None;
        }
        // Models that are in others' folders are none.
        folder_among(&owned_submissions(&*self.protocol, &self.tree, benchmark))
    }

    /// Takes pictures in models' folders out of a benchmark that several models' results imply: one of them would say how
    /// judges are asked about the others.
    pub(super) fn leave_models_pictures(&self, protocol: &dyn Protocol, benchmark: &mut Benchmark) {
        let models = protocol.submissions(&self.tree, Some(benchmark));
        if models.len() < 2 {
            return;
        }
        let owners = Owners::of(models.iter());
        let pictures = benchmark.samples.iter_mut();
        for picture in pictures.flat_map(|sample| &mut sample.pictures) {
            picture.file =
                (picture.file).filter(|file| owners.folder_of(self.tree.path(*file)).is_none());
        }
    }

    /// Names judges' texts in models' folders: nobody is judged by them.
    fn tell_texts(&self, models: &mut [Submission]) {
        let owners = self.owners(models);
        let texts = (self.tree.files())
            .filter(|(_, entry)| self.protocol.may_hold_prompts(&entry.path))
            .filter_map(|(_, entry)| Some((owners.folder_of(&entry.path)?, &entry.path)));
        let texts: Vec<(String, String)> = texts
            .map(|(folder, path)| (folder.to_owned(), path.clone()))
            .collect();
        for (folder, path) in texts {
            let message = format!(
                "These judge texts are not used: they are in the folder of a model, {folder}, and a submission does not say how it is judged."
            );
            let hint = "If they are the benchmark's, put them beside the folders of the models.";
            let kind = ("texts_not_used", Severity::Warning);
            let owner = (owners.heard(&path).into_iter().flatten().next()).map(str::to_owned);
            let owner = models
                .iter_mut()
                .find(|model| Some(&model.name) == owner.as_ref());
            if let Some(owner) = owner {
                let problem = Problem::new(&path, kind, String::new(), message, hint);
                owner.problems.push(problem);
            }
        }
    }

    /// Files that may hold judges' texts, and are in no model's folder.
    pub(super) fn texts_of_judges(&self) -> Vec<FileId> {
        let owners = self.owners(self.submissions.as_deref().unwrap_or_default());
        let files = self.tree.files().filter(|(_, entry)| {
            self.protocol.may_hold_prompts(&entry.path) && owners.folder_of(&entry.path).is_none()
        });
        files.map(|(file, _)| file).collect()
    }

    /// Whether the list that was just loaded is in the folder of one of its own models, while another list that may be the
    /// benchmark is not: then that one is tried first.
    pub(super) fn gives_way(&self, loaded: &Suggested) -> bool {
        let path = self.tree.path(loaded.candidate.list);
        let is_last = self.read.given_way.contains(loaded);
        if is_last || self.chosen.as_deref() == Some(path) || self.signs(loaded).is_named_by_file()
        {
            return false;
        }
        let others = self.candidates.iter().flatten().filter(|other| {
            *other != loaded
                && other.candidate.rank <= loaded.candidate.rank
                && !self.signs(other).is_named_by_file()
                && !self.read.refused.contains(other)
                && !self.read.given_way.contains(other)
        });
        let mut others = others.peekable();
        // Models are only looked for where one of them could matter.
        if others.peek().is_none() {
            return false;
        }
        let models = self.models(None);
        let owners = Owners::of(models.iter());
        owners.folder_of(path).is_some_and(|folder| {
            others.any(|other| !is_below(self.tree.path(other.candidate.list), folder))
        })
    }
}
