#![doc = include_str!("trust.md")]

use std::collections::{BTreeMap, BTreeSet};

use crate::sample::Benchmark;
use crate::submission::Submission;
use crate::tree::{FileTree, base_name, folders_around, folders_of, is_below};

/// The rules as text, for a manual.
pub const MODEL: &str = include_str!("trust.md");

/// The kinds of files, each with the words of its row: one without them does not compile.
macro_rules! kinds {
    ($($(#[$says:meta])* $kind:ident: $words:literal,)+) => {
        /// A kind of file that can say something about models.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum FileKind {
            $($(#[$says])* $kind,)+
        }

        impl FileKind {
            /// Every kind, in the order of the table.
            pub const ALL: [Self; [$($words),+].len()] = [$(Self::$kind),+];

            /// As the table names it.
            pub fn words(self) -> &'static str {
                match self {
                    $(Self::$kind => $words,)+
                }
            }
        }
    };
}

kinds! {
    /// The benchmark's list of samples, with its pictures.
    List: "benchmark list",
    /// `juror.json`.
    Declaration: "declaration `juror.json`",
    /// What judges are asked with.
    JudgeTexts: "judge texts",
    /// Pictures and text answers.
    Outputs: "outputs: pictures, answers",
    /// Judges' replies as the authors' programs store them.
    Replies: "replies",
    /// `journal.jsonl` and results of batches.
    Journal: "journal",
    /// People's ratings.
    Ratings: "ratings",
    /// People's failure labels.
    Labels: "failure labels",
    /// Values that metrics gave.
    Measures: "measures",
    /// Pictures and arrays that were made of outputs.
    Conditions: "conditions",
    /// Records of agent loops.
    Trajectories: "trajectories",
    /// What a model states to be a variant of.
    Variant: "`variant.json`",
    /// The manifest of an evidence pack that was unpacked.
    Manifest: "manifest of a pack",
}

/// Where a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FilePlace {
    /// Beside the models' folders, where the benchmark is.
    Root,
    /// In a model's own folder.
    Own,
    /// In a folder with a rival's name inside a model's folder.
    RivalsName,
    /// In another folder that is named after a model: `eval_res/NAME`, `NAME_run_v1`.
    Second,
    /// In a model's folder, where results are open without their benchmark.
    Alone,
    /// In a folder that an argument names, such as `--replies`, and that is no model's.
    Named,
    /// In a ZIP of a model's folder.
    Zip,
}

impl FilePlace {
    /// Every place, in the order of the table.
    pub const ALL: [Self; 7] = [
        Self::Root,
        Self::Own,
        Self::RivalsName,
        Self::Second,
        Self::Alone,
        Self::Named,
        Self::Zip,
    ];

    /// As the table names it.
    pub fn words(self) -> &'static str {
        match self {
            Self::Root => "beside the models",
            Self::Own => "a model's folder",
            Self::RivalsName => "a rival's name in it",
            Self::Second => "its second folder",
            Self::Alone => "results alone",
            Self::Named => "a folder as argument",
            Self::Zip => "its folder as ZIP",
        }
    }
}

/// For whom a file counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Audience {
    /// Every model that it names.
    All,
    /// The model whose folder or name it is in.
    Owner,
    /// Nobody: it is named and not used.
    Nobody,
    /// Nobody, until somebody says so; it is named as an error or as a choice.
    Refused,
}

impl Audience {
    /// As the table says it.
    pub fn words(self) -> &'static str {
        match self {
            Self::All => "all",
            Self::Owner => "its owner",
            Self::Nobody => "not used",
            Self::Refused => "refused",
        }
    }
}

/// For whom a file of this kind counts in this place: one cell of the table.
pub fn audience(kind: FileKind, place: FilePlace) -> Audience {
    use FilePlace as At;
    let is_beside = matches!(place, At::Root | At::Named);
    match kind {
        FileKind::List => match place {
            At::Root | At::Named => Audience::All,
            At::Alone => Audience::Owner,
            At::Own | At::RivalsName | At::Second | At::Zip => Audience::Nobody,
        },
        // A known benchmark is not replaced, wherever the file is.
        FileKind::Declaration => match place {
            At::Alone => Audience::Owner,
            At::Root | At::Named => Audience::Refused,
            At::Own | At::RivalsName | At::Second | At::Zip => Audience::Nobody,
        },
        FileKind::JudgeTexts if is_beside => Audience::All,
        // Files that a manifest states are looked up only in the pack's own ZIP.
        FileKind::JudgeTexts | FileKind::Manifest => Audience::Nobody,
        // Their place says whose they are.
        FileKind::Outputs | FileKind::Replies | FileKind::Conditions => match place {
            At::RivalsName => Audience::Nobody,
            _ => Audience::Owner,
        },
        FileKind::Journal
        | FileKind::Ratings
        | FileKind::Labels
        | FileKind::Measures
        | FileKind::Trajectories => {
            if is_beside {
                Audience::All
            } else {
                Audience::Owner
            }
        }
        // It names no model: it is about the one whose folder it is in.
        FileKind::Variant => match place {
            At::Own | At::Alone | At::Zip => Audience::Owner,
            At::Root | At::RivalsName | At::Second | At::Named => Audience::Nobody,
        },
    }
}

impl FileKind {
    /// Whether such files name their models, so that they may be next to them.
    pub fn names_models(self) -> bool {
        let [beside, own] = [FilePlace::Root, FilePlace::Own].map(|place| audience(self, place));
        (beside, own) == (Audience::All, Audience::Owner)
    }
}

/// The table of all cells, in Markdown.
pub fn table() -> String {
    let row = |first: &str, cells: [&str; FilePlace::ALL.len()]| {
        format!("| {first} | {} |\n", cells.join(" | "))
    };
    let head = row("kind of file", FilePlace::ALL.map(FilePlace::words));
    let line = format!("|---|{}\n", "---|".repeat(FilePlace::ALL.len()));
    let rows = FileKind::ALL.map(|kind| {
        let cells = FilePlace::ALL.map(|place| audience(kind, place).words());
        row(kind.words(), cells)
    });
    format!("{head}{line}{}", rows.concat())
}

/// Whose each folder is.
#[derive(Debug, Default)]
pub struct Owners {
    /// Folders of models, with the models that have them.
    folders: BTreeMap<String, Vec<String>>,
    /// The models' names.
    names: Vec<String>,
    /// Folders with pictures of the benchmark, which are no model's for their name.
    of_benchmark: BTreeSet<String>,
}

/// Whether a folder is named after a model, or after a run of it: `aurora`, `aurora_run_v1`, `aurora_20260102_030405`.
/// Of a model that is named by its path the last part counts.
fn is_named_after(folder: &str, model: &str) -> bool {
    let name = base_name(model);
    let Some(rest) = (base_name(folder).strip_prefix(name)).filter(|_| !name.is_empty()) else {
        return false;
    };
    let run = rest.strip_prefix(['_', '-']).unwrap_or_default();
    rest.is_empty() || run.starts_with("run") || run.starts_with(|it: char| it.is_ascii_digit())
}

/// The outermost folder around a file that is named after a model.
///
/// # Example
/// ```
/// use juror_model::trust::folder_named_after;
/// let path = "eval_res/aurora/aurora_20260102_030405/judgments/case_1/aurora.json";
/// assert_eq!(folder_named_after(path, "aurora"), Some("eval_res/aurora"));
/// assert_eq!(folder_named_after(path, "judge"), None);
/// ```
pub fn folder_named_after<'p>(path: &'p str, model: &str) -> Option<&'p str> {
    let mut folders = folders_around(path).filter(|folder| is_named_after(folder, model));
    let first = folders.next()?;
    Some(folders.last().unwrap_or(first))
}

/// Which models folders are named after, looked up by the folder's name.
#[derive(Debug)]
pub struct NamesOfFolders<'a>(BTreeMap<&'a str, Vec<usize>>);

impl<'a> NamesOfFolders<'a> {
    /// Models of these names, by their places.
    pub fn of(names: impl Iterator<Item = &'a str>) -> Self {
        let mut found: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (at, name) in names.enumerate() {
            found.entry(base_name(name)).or_default().push(at);
        }
        Self(found)
    }

    /// The models that a folder is named after: by its own name, or as a run. The longest name counts: where there are
    /// `flux` and `flux-2`, the folder `flux-2` is no run of `flux`.
    pub fn named(&self, folder: &str) -> impl Iterator<Item = usize> {
        let name = base_name(folder);
        let runs = name.match_indices(['_', '-']).map(|(at, _)| &name[..at]);
        let mut known = runs
            .chain([name])
            .filter(|model| is_named_after(name, model))
            .filter_map(|model| self.0.get(model));
        known.next_back().into_iter().flatten().copied()
    }
}

impl Owners {
    /// The owners of these models' folders; a folder that several models share is theirs together.
    pub fn of<'a>(models: impl Iterator<Item = &'a Submission>) -> Self {
        let mut folders: BTreeMap<String, Vec<String>> = BTreeMap::new();
        let mut all = Vec::new();
        for model in models {
            all.push(model.name.clone());
            for folder in [&model.folder, &model.output_folder] {
                if !folder.is_empty() {
                    let names = folders.entry(folder.clone()).or_default();
                    names.push(model.name.clone());
                }
            }
        }
        Self {
            folders,
            names: all,
            of_benchmark: BTreeSet::new(),
        }
    }

    /// The same next to this benchmark: a folder with its pictures is not that of a model that happens to have its name.
    #[must_use]
    pub fn beside(mut self, tree: &FileTree, benchmark: Option<&Benchmark>) -> Self {
        let samples = benchmark
            .into_iter()
            .flat_map(|benchmark| &benchmark.samples);
        let pictures = samples.flat_map(|sample| &sample.pictures);
        let files = pictures.filter_map(|picture| picture.file);
        let folders = folders_of(files.map(|file| tree.path(file))).into_iter();
        self.of_benchmark.extend(folders.map(str::to_owned));
        self
    }

    /// The nearest model's folder that a file lies in.
    pub fn folder_around(&self, path: &str) -> Option<&str> {
        let mut known = folders_around(path).filter_map(|at| self.folders.get_key_value(at));
        known.next().map(|(folder, _)| folder.as_str())
    }

    /// The nearest model's folder that a file lies in; without one, the outermost folder that is named after a model.
    pub fn folder_of<'a>(&'a self, path: &'a str) -> Option<&'a str> {
        if let Some(folder) = self.folder_around(path) {
            return Some(folder);
        }
        let named = self.names.iter();
        named
            .filter_map(|name| folder_named_after(path, name))
            .filter(|folder| !self.of_benchmark.contains(*folder))
            .min_by_key(|folder| folder.len())
    }

    /// The models that a file may speak for: `None` for every one, as it lies in no model's folder.
    ///
    /// A folder's owner also has what lies below it, so those whose folders are there are among them.
    pub fn heard(&self, path: &str) -> Option<Vec<&str>> {
        let own = self.folder_of(path)?;
        if !self.folders.contains_key(own) {
            let names = NamesOfFolders::of(self.names.iter().map(String::as_str));
            let named = names.named(own).map(|at| self.names[at].as_str());
            return Some(named.collect());
        }
        let below = |folder: &str| folder == own || is_below(folder, own);
        let folders = self.folders.iter().filter(|(folder, _)| below(folder));
        Some(
            folders
                .flat_map(|(_, names)| names)
                .map(String::as_str)
                .collect(),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn model(name: &str, folder: &str) -> Submission {
        Submission {
            name: name.to_owned(),
            folder: folder.to_owned(),
            ..Submission::default()
        }
    }

    #[test]
    fn a_file_speaks_for_the_nearest_models_folder_and_beside_them_for_all() {
        let models = [
            model("a", "out/a"),
            model("ab", "out/ab"),
            model("in", "out/a/x/in"),
        ];
        let owners = Owners::of(models.iter());
        assert_eq!(owners.heard("out/a/journal.jsonl"), Some(vec!["a", "in"]));
        assert_eq!(
            owners.heard("out/a/deep/er/journal.jsonl"),
            Some(vec!["a", "in"])
        );
        assert_eq!(owners.heard("out/a/x/in/journal.jsonl"), Some(vec!["in"]));
        assert_eq!(owners.heard("out/ab/journal.jsonl"), Some(vec!["ab"]));
        assert_eq!(owners.heard("out/journal.jsonl"), None);
        assert_eq!(owners.heard("journal.jsonl"), None);
    }

    #[test]
    fn the_manual_has_the_table_of_the_rules_as_they_are() {
        assert!(
            MODEL.contains(&table()),
            "expected in trust.md:\n{}",
            table()
        );
    }

    #[test]
    fn a_folder_that_is_named_after_a_model_speaks_for_it_alone() {
        let models = [model("a", "out/a"), model("b", "out/b")];
        let owners = Owners::of(models.iter());
        for path in [
            "eval_res/a/journal.jsonl",
            "eval_res/a_run_v1/journal.jsonl",
            "eval_res/a/b/journal.jsonl",
        ] {
            assert_eq!(owners.heard(path), Some(vec!["a"]), "{path}");
        }
        assert_eq!(owners.heard("out/a/b/journal.jsonl"), Some(vec!["a"]));
        assert_eq!(owners.heard("eval_res/about/journal.jsonl"), None);
    }

    #[test]
    fn folders_are_named_after_models_and_their_runs() {
        let names = NamesOfFolders::of(["a", "x/a", "b_1", "ab"].into_iter());
        let found = |folder: &str| names.named(folder).collect::<Vec<_>>();
        assert_eq!(found("out/a"), [0, 1]);
        assert_eq!(found("a_run_v1"), [0, 1]);
        assert_eq!(found("b_1_20260102"), [2]);
        assert_eq!(found("abc"), [0; 0]);
        assert_eq!(found("a_b"), [0; 0]);
        // A name of its own is no run of a shorter one.
        let names = NamesOfFolders::of(["flux", "flux-2"].into_iter());
        let found = |folder: &str| names.named(folder).collect::<Vec<_>>();
        assert_eq!(found("eval_res/flux-2"), [1]);
        assert_eq!(found("eval_res/flux-2_run_v1"), [1]);
        assert_eq!(found("eval_res/flux-3"), [0]);
        let models = [model("flux", "out/flux"), model("flux-2", "out/flux-2")];
        let owners = Owners::of(models.iter());
        let heard = |path: &str| owners.heard(path);
        assert_eq!(heard("eval_res/flux-2/journal.jsonl"), Some(vec!["flux-2"]));
        assert_eq!(heard("eval_res/flux/journal.jsonl"), Some(vec!["flux"]));
    }

    #[test]
    fn a_folder_of_several_models_speaks_for_each_of_them() {
        let models = [model("a", "out"), model("b", "out"), model("c", "")];
        let owners = Owners::of(models.iter());
        assert_eq!(owners.heard("out/journal.jsonl"), Some(vec!["a", "b"]));
        assert_eq!(owners.heard("ratings.csv"), None);
    }
}
