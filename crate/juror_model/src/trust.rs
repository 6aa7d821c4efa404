#![doc = include_str!("trust.md")]

use std::collections::BTreeMap;

use crate::submission::Submission;
use crate::tree::{base_name, is_below, parent};

/// The rules as text, for a manual.
pub const MODEL: &str = include_str!("trust.md");

/// Whose each folder is.
#[derive(Debug, Default)]
pub struct Owners {
    /// Folders of models, with the models that have them.
    folders: BTreeMap<String, Vec<String>>,
    /// The models' names.
    names: Vec<String>,
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
    let mut folders = std::iter::successors(Some(parent(path)), |folder| Some(parent(folder)))
        .take_while(|folder| !folder.is_empty())
        .filter(|folder| is_named_after(folder, model));
    let first = folders.next()?;
    Some(folders.last().unwrap_or(first))
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
        }
    }

    /// The nearest model's folder that a file lies in; without one, the outermost folder that is named after a model.
    pub fn folder_of<'a>(&'a self, path: &'a str) -> Option<&'a str> {
        let mut folder = parent(path);
        while !folder.is_empty() {
            if let Some((known, _)) = self.folders.get_key_value(folder) {
                return Some(known);
            }
            folder = parent(folder);
        }
        let named = self.names.iter();
        named
            .filter_map(|name| folder_named_after(path, name))
            .min_by_key(|folder| folder.len())
    }

    /// The models that a file may speak for: `None` for every one, as it lies in no model's folder.
    ///
    /// A folder's owner also has what lies below it, so those whose folders are there are among them.
    pub fn heard(&self, path: &str) -> Option<Vec<&str>> {
        let own = self.folder_of(path)?;
        if !self.folders.contains_key(own) {
            let named = self.names.iter().map(String::as_str);
            return Some(named.filter(|name| is_named_after(own, name)).collect());
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
    fn a_folder_of_several_models_speaks_for_each_of_them() {
        let models = [model("a", "out"), model("b", "out"), model("c", "")];
        let owners = Owners::of(models.iter());
        assert_eq!(owners.heard("out/journal.jsonl"), Some(vec!["a", "b"]));
        assert_eq!(owners.heard("ratings.csv"), None);
    }
}
