#![doc = include_str!("trust.md")]

use std::collections::BTreeMap;

use crate::submission::Submission;
use crate::tree::{is_below, parent};

/// The rules as text, for a manual.
pub const MODEL: &str = include_str!("trust.md");

/// Whose each folder is.
#[derive(Debug, Default)]
pub struct Owners {
    /// Folders of models, with the models that have them.
    folders: BTreeMap<String, Vec<String>>,
}

impl Owners {
    /// The owners of these models' folders; a folder that several models share is theirs together.
    pub fn of<'a>(models: impl Iterator<Item = &'a Submission>) -> Self {
        let mut folders: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for model in models {
            for folder in [&model.folder, &model.output_folder] {
                if !folder.is_empty() {
                    let names = folders.entry(folder.clone()).or_default();
                    names.push(model.name.clone());
                }
            }
        }
        Self { folders }
    }

    /// The nearest model's folder that a file lies in.
    pub fn folder_of(&self, path: &str) -> Option<&str> {
        let mut folder = parent(path);
        while !folder.is_empty() {
            if let Some((known, _)) = self.folders.get_key_value(folder) {
                return Some(known);
            }
            folder = parent(folder);
        }
        None
    }

    /// The models that a file may speak for: `None` for every one, as it lies in no model's folder.
    ///
    /// A folder's owner also has what lies below it, so those whose folders are there are among them.
    pub fn heard(&self, path: &str) -> Option<Vec<&str>> {
        let own = self.folder_of(path)?;
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
    fn a_folder_of_several_models_speaks_for_each_of_them() {
        let models = [model("a", "out"), model("b", "out"), model("c", "")];
        let owners = Owners::of(models.iter());
        assert_eq!(owners.heard("out/journal.jsonl"), Some(vec!["a", "b"]));
        assert_eq!(owners.heard("ratings.csv"), None);
    }
}
