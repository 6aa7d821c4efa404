//! Packs with people's ratings, failure labels, an agent's loop and pasted replies, and ways to forge these.

use juror_evidence::pack::{JOURNAL, Manifest, Packed, Pictures};
use juror_judging::journal::{self, Record};
use juror_model::prompt::sha256;
use juror_session::Session;
use serde_json::json;

use super::rows::report;
use super::{Entries, Kind, add_line, lines, manifest, reseal, text, unzip};
use crate::generate::PROBE;
use crate::program::{Folder, demo_suite};

/// Where people's ratings lie.
const RATINGS: &str = "suité/ratings.csv";
/// What they are of.
const CRITERIA: [&str; 5] = [
    "instruction_alignment",
    "reference_consistency",
    "background_subject_match",
    "physical_realism",
    "visual_quality",
];
const LABELS: &str = "suité/labels.csv";
const TRAJECTORIES: &str = "suité/trajectories.jsonl";

/// A pack of `MultiBanana` with ratings, labels, a trajectory and pasted replies, by all judges that are none of the people,
/// and one without pasted replies by one of the people.
///
/// # Panics
/// The program cannot be run.
pub fn with_people() -> [Entries; 2] {
    let folder = Folder::default();
    for (path, bytes) in demo_suite("multibanana") {
        folder.write(&format!("suité/{path}"), &bytes);
    }
    let ratings = ["single/001", "add/003", "add/010"].map(|sample| {
        CRITERIA
            .map(|criterion| format!("{sample},0,aurora-synth,{criterion},ann,6\n"))
            .concat()
    });
    let head = "sample,turn,model,criterion,rater,score\n";
    folder.write(RATINGS, [head, &ratings.concat()].concat().as_bytes());
    let labels = "sample,turn,model,label,rater\nsingle/001,0,aurora-synth,artefact,ann\nadd/003,0,basalt-synth,artefact,ann\n";
    folder.write(LABELS, labels.as_bytes());
    let step = json!({"format": "juror-trajectory/1", "protocol": "multibanana", "name": "aurora-synth", "framework": "ipr",
        "planner": "p", "generator": "g", "sample": "single/001", "step": 1, "kind": "picture", "prompt": "Go.", "references": [0],
        "picture": {"path": "aurora-synth +IPR step 1/single/001_generated.png", "sha256": "0".repeat(64)}});
    folder.write(TRAJECTORIES, format!("{step}\n").as_bytes());
    let [judges, people] = ["", " --judge people:ann"].map(|judge| {
        let words = format!("pack suité --profile released --out suite.zip{judge}");
        let (code, _, said) = folder.run(&words);
        assert_eq!(code, 0, "{said}");
        unzip(&std::fs::read(folder.path("suite.zip")).unwrap())
    });
    let pasted = ["single/001", "add/003"].map(|sample| {
        record(json!({"format": "juror-journal/1", "protocol": "multibanana", "model": "aurora-synth", "sample": sample, "turn": 0,
            "criterion": "judge", "judge": "pasted by hand", "run": 1, "time": "2026-01-02T03:04:05Z", "reply": reply(7)}))
    });
    [with_pasted(&judges, pasted.into()), people]
}

/// A reply that gives each criterion of `MultiBanana` this score.
fn reply(score: u32) -> String {
    let labels = [
        "Instruction Alignment",
        "Reference Consistency",
        "Background-Subject Match",
        "Physical Realism",
        "Visual Quality",
    ];
    labels.map(|label| format!("{label}: {score}")).join("\n")
}

/// A record of a reply.
///
/// # Panics
/// It is none.
pub fn record(value: serde_json::Value) -> Record {
    serde_json::from_value(value).unwrap()
}

/// The pack that comes of a pack's files and pasted replies.
///
/// # Panics
/// The files are not those of a pack.
pub fn with_pasted(sound: &Entries, pasted: Vec<Record>) -> Entries {
    let manifest = Manifest::read(&text(sound, "manifest.json")).unwrap();
    let mut session = Session::new(PROBE);
    let first = juror_session::add_pack_as_stated(&mut session, &manifest);
    let paths: Vec<&String> = manifest.sources().map(|entry| &entry.path).collect();
    loop {
        let wants = session.wants(64);
        if wants.is_empty() {
            break;
        }
        for want in wants {
            let path = paths[(want.file - first) as usize];
            session.provide(want.file, sound[path].clone());
        }
    }
    juror_session::add_records(&mut session, pasted);
    let items = juror_session::pack_items(&session.linked()).unwrap();
    let packed = items.iter().map(|item| Packed {
        file: item.file,
        size: sound[&item.path].len() as u64,
        sha256: sha256(&sound[&item.path]),
        thumbnail_size: None,
        thumbnail_sha256: None,
    });
    let packed: Vec<Packed> = packed.collect();
    let options = manifest.options();
    let texts = juror_session::pack_texts(&mut session, &options, Pictures::Full, &packed).unwrap();
    let files = items.iter();
    let files = files.map(|item| (item.path.clone(), sound[&item.path].clone()));
    let texts = texts.into_iter();
    files
        .chain(texts.map(|one| (one.path, one.text.into_bytes())))
        .collect()
}

/// Ways to forge pasted replies, ratings and the files beside them that each verifier tells.
pub const KINDS_OF_PEOPLE: [Kind; 9] = [
    ("a pasted reply that is changed", |e| {
        pasted(e, |records| records[0].reply = reply(9));
    }),
    ("a pasted reply taken away", |e| {
        pasted(e, |records| drop(records.remove(0)));
    }),
    ("a pasted reply added", |e| {
        pasted(e, |records| {
            let mut record = records[0].clone();
            "add/010".clone_into(&mut record.sample);
            records.push(record);
        });
    }),
    ("a pasted reply by another judge", |e| {
        pasted(e, |records| {
            "better judge".clone_into(&mut records[0].judge);
        });
    }),
    ("a pasted journal with more blanks", |e| {
        super::edit(e, JOURNAL, "\",\"sample\"", "\", \"sample\"");
        reseal(e);
    }),
    ("names in another Unicode form", |e| {
        let names = std::mem::take(e).into_iter();
        e.extend(names.map(|(path, bytes)| (path.replace('é', "e\u{301}"), bytes)));
    }),
    ("a rating that is changed", |e| {
        lines(e, RATINGS, |rows| change_rating(rows));
        reseal(e);
    }),
    ("a rating taken away", |e| {
        lines(e, RATINGS, |rows| drop(rows.pop()));
        reseal(e);
    }),
    ("a rating added", |e| {
        add_line(e, RATINGS, "add/003,0,basalt-synth,visual_quality,ann,10");
        reseal(e);
    }),
];

/// Ways to forge the ratings that a pack is scored by, with their hash in the report as well.
pub const KINDS_OF_RATINGS: [Kind; 3] = [
    ("a rating that is changed, by its hash as well", |e| {
        lines(e, RATINGS, |rows| change_rating(rows));
        reseal_report(e, RATINGS);
    }),
    ("a rating taken away, by its hash as well", |e| {
        lines(e, RATINGS, |rows| drop(rows.pop()));
        reseal_report(e, RATINGS);
    }),
    ("ratings added, by their hash as well", |e| {
        for criterion in CRITERIA {
            let row = format!("3_object/007,0,aurora-synth,{criterion},ann,10");
            add_line(e, RATINGS, &row);
        }
        reseal_report(e, RATINGS);
    }),
];

/// Other packs that somebody may have made honestly: no number of a pack that judges are scored in rests on these files.
pub const OTHER_CONTENT: [Kind; 5] = [
    KINDS_OF_RATINGS[0],
    ("a label that is changed", |e| {
        super::edit(e, LABELS, "artefact", "style break");
        reseal(e);
    }),
    ("a label taken away", |e| {
        lines(e, LABELS, |rows| drop(rows.pop()));
        reseal(e);
    }),
    ("a label added", |e| {
        add_line(e, LABELS, "add/010,0,aurora-synth,artefact,ann");
        reseal(e);
    }),
    ("a step of a loop that is changed", |e| {
        super::edit(e, TRAJECTORIES, "Go.", "Stop.");
        reseal(e);
    }),
];

fn change_rating(rows: &mut [String]) {
    let last = rows.last_mut().unwrap();
    *last = last.replace(",6", ",9");
}

/// Changes the records of a pack's journal, and makes the manifest fit.
fn pasted(entries: &mut Entries, change: impl FnOnce(&mut Vec<Record>)) {
    let journal = journal::read_records(&text(entries, JOURNAL));
    let records = journal.records.iter();
    let mut records: Vec<Record> = records.map(|(_, record)| record.to_record()).collect();
    change(&mut records);
    entries.insert(JOURNAL.to_owned(), journal::write(&records).into_bytes());
    reseal(entries);
}

/// Makes what the report says of a file fit, and then the manifest.
fn reseal_report(entries: &mut Entries, path: &str) {
    let bytes = entries[path].clone();
    report(entries, |report| {
        let mut files = report.provenance.files.iter_mut();
        let file = files.find(|file| file.path == path).unwrap();
        file.size = bytes.len() as u64;
        file.sha256 = sha256(&bytes);
    });
    manifest(entries, |_, _| {});
}
