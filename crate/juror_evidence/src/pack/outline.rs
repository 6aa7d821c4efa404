//! A manifest in outline: what has to be known of a pack before anything that reads it is fetched.

use serde::Deserialize;

use super::{FORMAT, Kept, OWN_ROLES, PASTED};
use juror_model::options::{Policy, Profile, ReplyReading, ScoreOptions};

/// Of a manifest only what chooses an engine for its pack; whoever opens the pack reads the [`Manifest`](super::Manifest) itself.
#[derive(Clone, Debug, Deserialize)]
pub struct Outline {
    /// Protocol id, as the pack states it.
    pub protocol: String,
    format: String,
    profile: Profile,
    policy: Policy,
    #[serde(default)]
    only_judge: Option<String>,
    #[serde(default)]
    only_run: Option<u32>,
    #[serde(default)]
    reading: ReplyReading,
    #[serde(default)]
    judge_names: Vec<Named>,
    entries: Vec<OutlinedEntry>,
}

/// A judge whom whoever packed it named.
#[derive(Clone, Debug, Deserialize)]
struct Named {}

#[derive(Clone, Debug, Deserialize)]
struct OutlinedEntry {
    path: String,
    role: String,
    #[serde(default)]
    kept: Kept,
    #[serde(default)]
    picture: Option<OutlinedPicture>,
}

#[derive(Clone, Debug, Deserialize)]
struct OutlinedPicture {
    /// What is wrong with one that does not decode.
    #[serde(default)]
    corrupt: Option<String>,
}

impl OutlinedEntry {
    fn is_own(&self) -> bool {
        OWN_ROLES.contains(&self.role.as_str())
    }

    /// The file says itself all that the manifest says of it.
    fn speaks_for_itself(&self) -> bool {
        let is_stated = |picture: &OutlinedPicture| picture.corrupt.is_some();
        self.kept == Kept::Full && !self.picture.as_ref().is_some_and(is_stated)
    }
}

impl Outline {
    /// Paths of the files that were opened, in the order of the manifest.
    pub fn sources(&self) -> impl Iterator<Item = &str> {
        let opened = self.entries.iter().filter(|entry| !entry.is_own());
        opened.map(|entry| entry.path.as_str())
    }

    /// The choices that its scores rest on.
    pub fn options(&self) -> ScoreOptions {
        ScoreOptions {
            profile: self.profile,
            policy: Some(self.policy),
            judge: self.only_judge.clone(),
            run: self.only_run,
            reading: self.reading,
        }
    }

    /// Whether its scores rest on its files alone, so that they can be read as those of a folder: nothing was left out or
    /// made small, nothing was pasted or named beside them, and no picture is stated to be broken. Of a pack of another
    /// version nobody knows.
    pub fn rests_on_files(&self) -> bool {
        let is_pasted = |entry: &OutlinedEntry| entry.role == PASTED;
        let mut sources = self.entries.iter().filter(|entry| !entry.is_own());
        self.format == FORMAT
            && self.judge_names.is_empty()
            && !self.entries.iter().any(is_pasted)
            && sources.all(OutlinedEntry::speaks_for_itself)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pack::{Content, Entry, Manifest, PictureSize};
    use juror_model::judge::JudgeName;

    fn entry(path: &str, role: &str) -> Entry {
        Entry {
            path: path.to_owned(),
            role: role.to_owned(),
            size: 1,
            sha256: "ab".to_owned(),
            kept: Kept::Full,
            thumbnail: None,
            picture: None,
        }
    }

    /// A manifest of a list, a picture and what a pack adds itself.
    fn manifest() -> Manifest {
        let mut picture = entry("a.png", "picture");
        picture.picture = Some(PictureSize::Pixels {
            width: 1,
            height: 2,
        });
        let text = r#"{"format": "juror-pack/1", "juror": "0.2.0", "protocol": "weave", "title": "W", "profile": "released",
            "policy": "exclude", "only_judge": "j", "prompts": {"name": "p", "sha256": "s", "official": false}, "models": [], "judges": [],
            "pictures": "full", "counts": {"samples": 1, "models": 0, "requests": 0, "verdicts": 0, "stale": 0, "scores": 0,
            "incidents": 0}, "entries": [], "sha256": ""}"#;
        let read = Manifest::read(text).expect("the test's own manifest");
        Manifest {
            entries: vec![
                picture,
                entry("report.json", "report"),
                entry("test.json", "samples"),
            ],
            ..read
        }
    }

    fn outlined(manifest: &Manifest) -> Outline {
        serde_json::from_str(&manifest.to_json()).expect("an outline")
    }

    #[test]
    fn an_outline_says_of_a_manifest_what_the_manifest_says() {
        let whole = manifest();
        let outline = outlined(&whole);
        assert_eq!(outline.protocol, whole.protocol);
        assert_eq!(outline.options(), whole.options());
        let sources: Vec<&str> = whole.sources().map(|one| one.path.as_str()).collect();
        assert_eq!(outline.sources().collect::<Vec<_>>(), sources);
        assert_eq!(sources, ["a.png", "test.json"]);
        assert!(outline.rests_on_files());
    }

    #[test]
    fn scores_that_rest_on_more_than_files_are_told() {
        let changed = |change: fn(&mut Manifest)| {
            let mut other = manifest();
            change(&mut other);
            outlined(&other).rests_on_files()
        };
        assert!(!changed(|one| one.format = "juror-pack/2".to_owned()));
        assert!(!changed(|one| one.entries[0].kept = Kept::LeftOut));
        assert!(!changed(|one| {
            one.entries[0].kept = Kept::Thumbnail;
            one.entries[0].thumbnail = Some(Content::default());
        }));
        assert!(!changed(|one| {
            one.entries[0].picture = Some(PictureSize::Corrupt {
                corrupt: "cut off".to_owned(),
                hint: String::new(),
            });
        }));
        assert!(!changed(|one| {
            one.entries.push(entry("journal.jsonl", PASTED));
        }));
        assert!(!changed(|one| {
            one.judge_names.push(JudgeName {
                path: "result.json".to_owned(),
                judge: "j".to_owned(),
            });
        }));
    }
}
