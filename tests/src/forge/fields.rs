//! Ways to forge what a manifest says of itself and of its files, each sealed again.

use juror_evidence::pack::{Content, Entry, Kept, Manifest, Pictures};
use juror_model::judge::JudgeName;
use juror_model::options::{Policy, Profile, ReplyReading};
use juror_model::prompt::sha256;

use super::{Entries, Kind, edit, manifest, text};

/// Ways that each verifier tells.
pub const KINDS_OF_FIELDS: [Kind; 16] = [
    ("another benchmark", |e| {
        manifest(e, |manifest, _| "mine".clone_into(&mut manifest.protocol));
    }),
    ("another profile", |e| {
        manifest(e, |manifest, _| manifest.profile = Profile::Paper);
    }),
    ("another policy", |e| {
        manifest(e, |manifest, _| manifest.policy = Policy::Zero);
    }),
    ("another reading", |e| {
        manifest(e, |manifest, _| manifest.reading = ReplyReading::Tolerant);
    }),
    ("one judge alone", |e| {
        manifest(e, |manifest, _| {
            manifest.only_judge = Some(manifest.judges[0].clone() + "-pro");
        });
    }),
    ("one run alone", |e| {
        manifest(e, |manifest, _| manifest.only_run = Some(1));
    }),
    ("other judge texts by their hash", |e| {
        manifest(e, |manifest, _| manifest.prompts.sha256 = sha256(b"Judge."));
    }),
    ("a judge whom the packer named", |e| {
        manifest(e, |manifest, _| {
            let file = manifest.entries.iter().find(|one| one.role == "replies");
            let path = file.unwrap_or(&manifest.entries[0]).path.clone();
            let judge = "better judge".to_owned();
            manifest.judge_names.push(JudgeName { path, judge });
        });
    }),
    ("pictures by their hashes alone", |e| {
        manifest(e, |manifest, _| manifest.pictures = Pictures::None);
    }),
    ("other counts", |e| {
        manifest(e, |manifest, _| {
            let counts = &mut manifest.counts;
            counts.requests += 1;
            counts.verdicts += 1;
            counts.stale += 1;
            counts.scores += 1;
            counts.incidents += 1;
        });
    }),
    ("a picture that is called left out", |e| {
        of_picture(e, |entry| entry.kept = Kept::LeftOut);
    }),
    ("a picture that is called a small one", |e| {
        of_picture(e, |entry| {
            entry.kept = Kept::Thumbnail;
            entry.thumbnail = Some(Content {
                size: entry.size,
                sha256: entry.sha256.clone(),
            });
        });
    }),
    ("another size of a file", |e| {
        sealed(e, |manifest| manifest.entries[0].size += 1);
    }),
    ("another hash of a file", |e| {
        sealed(e, |manifest| manifest.entries[0].sha256 = sha256(b"It."));
    }),
    ("another path of a file", |e| {
        sealed(e, |manifest| {
            manifest.entries[0].path.insert_str(0, "!/");
        });
    }),
    ("the hash of another manifest", |e| {
        let own = Manifest::read(&text(e, "manifest.json")).unwrap().sha256;
        edit(e, "manifest.json", &own, &sha256(b"Another manifest."));
    }),
];

/// Ways that a verifier tells which makes everything again, and not one that knows no lists of samples.
pub const KINDS_OF_FIELDS_OF_LISTS: [Kind; 1] =
    [("a model that is judged on another kind of output", |e| {
        manifest(e, |manifest, _| {
            let model = manifest.models[0].clone();
            manifest
                .kinds
                .insert(model, juror_model::submission::Kind::Texts);
        });
    })];

/// Changes what a manifest says and seals it, whatever lies in the pack.
fn sealed(entries: &mut Entries, change: impl FnOnce(&mut Manifest)) {
    let mut manifest = Manifest::read(&text(entries, "manifest.json")).unwrap();
    change(&mut manifest);
    manifest.sha256 = manifest.seal();
    entries.insert("manifest.json".to_owned(), manifest.to_json().into_bytes());
}

/// Changes what a manifest says of the first picture.
fn of_picture(entries: &mut Entries, change: impl FnOnce(&mut Entry)) {
    sealed(entries, |manifest| {
        let mut entries = manifest.entries.iter_mut();
        change(entries.find(|entry| entry.role == "picture").unwrap());
    });
}
