//! Each cell of the table *kind of file × place* of [`juror_model::trust`], both ways: what is added there changes what is
//! shown of those for whom it counts, and nothing of anybody else; what counts for nobody is named.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeMap;

use crate::owned::{SUITES, with};
use juror_model::options::{Profile, ScoreOptions};
use juror_model::request::RequestKey;
use juror_model::tree::{is_below, join};
use juror_model::trust::{Audience, FileKind, FilePlace, audience};
use juror_session::Session;
use juror_session::view::experiments::ExperimentQuery;
use juror_tests::added::{
    About, Asked, CINDER, OWN, RIVAL, STEP, added, is_of_a_model, is_of_place, is_picture,
};
use juror_tests::generate::{File, open};
use juror_tests::program::demo_suite;
use serde_json::{Value, json};

/// Rows of each model of which the requests are compared.
const MAX_REQUESTS: usize = 4;

/// What means nothing in suites, or in them at some places: there it changes nothing of anybody.
struct Mute {
    kind: FileKind,
    suites: &'static [&'static str],
    /// All of them, where there is none.
    places: &'static [FilePlace],
}

const MUTE: [Mute; 5] = [
    // The authors published no judge prompt, so that there is no text to take its place.
    Mute {
        kind: FileKind::JudgeTexts,
        suites: &["multiref"],
        places: &[],
    },
    // Conditions are those of MultiRef-Bench.
    Mute {
        kind: FileKind::Conditions,
        suites: &["weave", "multibanana", "vibe", "micon"],
        places: &[],
    },
    // Without the benchmark nobody knows which conditions a sample has.
    Mute {
        kind: FileKind::Conditions,
        suites: &["multiref"],
        places: &[FilePlace::Alone],
    },
    // Replies alone do not tell which outputs were asked for.
    Mute {
        kind: FileKind::Outputs,
        suites: &["weave", "multibanana", "vibe"],
        places: &[FilePlace::Alone],
    },
    // Agents work through MultiBanana alone.
    Mute {
        kind: FileKind::Trajectories,
        suites: &["weave", "multiref", "vibe", "micon"],
        places: &[],
    },
];

fn is_mute(kind: FileKind, place: FilePlace, id: &str) -> bool {
    MUTE.iter().any(|one| {
        let is_there = one.places.is_empty() || one.places.contains(&place);
        one.kind == kind && one.suites.contains(&id) && is_there
    })
}

/// The place by the table, which tells a folder of judgements alone from that of the outputs.
fn place_of(kind: FileKind, place: FilePlace, folder: &str) -> FilePlace {
    let is_own = matches!(place, FilePlace::Own | FilePlace::Alone | FilePlace::Zip);
    let is_second = is_own && folder.contains("eval_res");
    let is_told_apart = match kind {
        FileKind::Variant => true,
        FileKind::List | FileKind::Declaration => place == FilePlace::Alone,
        _ => false,
    };
    if is_second && is_told_apart {
        FilePlace::Second
    } else {
        place
    }
}

/// What a session shows, apart by whom it is about.
#[derive(PartialEq)]
struct Seen {
    rivals: Vec<Value>,
    own: Vec<Value>,
    /// Findings and choices, with their paths.
    named: Vec<(String, String)>,
    /// Why no pack can be made.
    unpackable: Option<String>,
}

fn is_rivals(name: &str) -> bool {
    !name.contains(OWN) && [RIVAL, CINDER].iter().any(|rival| name.contains(rival))
}

fn is_own(name: &str) -> bool {
    name.contains(OWN)
}

/// Rows of the reports about these models, and what they were judged by.
fn reported(session: &mut Session, is_of: fn(&str) -> bool) -> Vec<Value> {
    let mut shown = Vec::new();
    for profile in [Profile::Paper, Profile::Released] {
        let options = ScoreOptions {
            profile,
            ..ScoreOptions::default()
        };
        let report = serde_json::to_value(juror_session::report(&session.study(&options))).unwrap();
        for part in ["scores", "samples", "incidents"] {
            let rows = report[part].as_array().unwrap().iter();
            shown.extend(
                rows.filter(|row| is_of(row["model"].as_str().unwrap()))
                    .cloned(),
            );
        }
        let models = report["provenance"]["models"].as_array().unwrap().iter();
        shown.extend(
            models
                .filter(|model| is_of(model["name"].as_str().unwrap()))
                .cloned(),
        );
        if !shown.is_empty() {
            shown.push(report["provenance"]["prompts"].clone());
        }
    }
    shown
}

/// How judges are asked about these models.
fn requests(session: &mut Session, is_of: fn(&str) -> bool) -> Vec<Value> {
    let options = ScoreOptions::default();
    let kinds = juror_session::overview(&session.study(&options)).requests;
    let report = serde_json::to_value(juror_session::report(&session.study(&options))).unwrap();
    let mut num_of: BTreeMap<&str, usize> = BTreeMap::new();
    let mut shown = Vec::new();
    for row in report["samples"].as_array().unwrap() {
        let model = row["model"].as_str().unwrap();
        let num = num_of.entry(model).or_default();
        *num += 1;
        if !is_of(model) || *num > MAX_REQUESTS {
            continue;
        }
        for kind in &kinds {
            let key = RequestKey {
                model: model.to_owned(),
                sample: row["sample"].as_str().unwrap().to_owned(),
                turn: u32::try_from(row["turn"].as_u64().unwrap_or(0)).unwrap(),
                criterion: kind.id.clone(),
            };
            let view = juror_session::request(&session.linked(), &key);
            let view = view.map(|view| json!([view.pack, view.system, view.parts, view.grammar]));
            shown.push(view.unwrap_or_else(|error| json!(error.to_string())));
        }
    }
    shown
}

/// What people, metrics and agents said of these models, and which files complete their replies.
fn recorded(session: &mut Session, is_of: fn(&str) -> bool) -> Vec<Value> {
    let texts = [
        juror_session::ratings_csv(&session.linked(), None),
        juror_session::labels_csv(&session.linked(), None),
        juror_session::measures(&session.linked()),
        juror_session::trajectories(session),
    ];
    let lines = texts.iter().flat_map(|text| text.lines());
    let mut shown: Vec<Value> = lines
        .filter(|line| is_of(line))
        .map(|line| json!(line))
        .collect();
    let pairs = juror_session::condition_plan(&session.linked())
        .pairs
        .into_iter();
    shown.extend(pairs.filter(|pair| is_of(&pair.model)).map(|pair| {
        let [one, other] = [pair.candidate, pair.reference].map(|file| session.path(file));
        json!([pair.model, pair.sample, pair.criterion, one, other])
    }));
    shown
}

fn seen(files: &[File]) -> Seen {
    let mut session = open(files);
    let [mut own, rivals] = [is_own, is_rivals].map(|is_of| {
        let mut shown = reported(&mut session, is_of);
        shown.extend(requests(&mut session, is_of));
        shown.extend(recorded(&mut session, is_of));
        shown
    });
    let experiments = juror_session::experiments(&mut session, &ExperimentQuery::default());
    let factors = experiments.map(|found| json!([found.factors, found.blocks]));
    own.push(factors.unwrap_or_else(|error| json!(error.to_string())));
    let problems = juror_session::problems(&session.linked()).into_iter();
    let mut named: Vec<(String, String)> = problems.map(|one| (one.path, one.message)).collect();
    let choices = juror_session::benchmark_choices(&mut session).into_iter();
    let open = choices.filter(|choice| !choice.is_shown);
    named.extend(open.map(|choice| (choice.path, "a choice".to_owned())));
    let unpackable = juror_session::pack_items(&session.linked()).err();
    Seen {
        rivals,
        own,
        named,
        unpackable: unpackable.map(|error| error.to_string()),
    }
}

/// The suite as it is opened for a place, and the folder that files are added to.
fn opened(id: &str, folder: &str, files: &[File], place: FilePlace) -> (Vec<File>, String) {
    match place {
        FilePlace::Root => (files.to_vec(), String::new()),
        FilePlace::Own => (files.to_vec(), folder.to_owned()),
        FilePlace::RivalsName => (files.to_vec(), format!("{folder}/{RIVAL}")),
        FilePlace::Second => {
            let second = match id {
                "vibe" => format!("{OWN}_run_v1"),
                _ => format!("eval_res/{OWN}"),
            };
            (files.to_vec(), second)
        }
        FilePlace::Alone => {
            let results = files.iter().filter(|(path, _)| is_of_a_model(path));
            (results.cloned().collect(), folder.to_owned())
        }
        FilePlace::Named => (files.to_vec(), "extra".to_owned()),
        // A ZIP of a model's folder is listed as that folder.
        FilePlace::Zip => {
            let inside = format!("{folder}/");
            let moved = files.iter().map(|(path, bytes)| {
                let inner = path.strip_prefix(&inside);
                let path = inner.map_or_else(|| path.clone(), |rest| format!("{OWN}/{rest}"));
                (path, bytes.clone())
            });
            (moved.collect(), OWN.to_owned())
        }
    }
}

/// One cell in one suite: what is open before, and what is added in each form.
struct Case {
    before: Vec<File>,
    at: String,
    forms: Vec<(&'static str, Vec<File>)>,
}

/// What lies there before, so that what is added can change something.
fn ground(
    (kind, asked): (FileKind, &Asked),
    (place, about): (FilePlace, About),
    files: &mut Vec<File>,
    at: &mut String,
) {
    let counts = audience(kind, place);
    if kind == FileKind::List && counts == Audience::All {
        // The benchmark itself is what is added.
        files.retain(|(path, _)| is_of_a_model(path));
    }
    if kind == FileKind::Conditions {
        // Numbers that replies give need no files.
        files.retain(|(path, _)| !path.contains("results_"));
        files.extend(asked.features_of_rivals());
    }
    if about == About::Owner && counts == Audience::Owner {
        files.retain(|(path, _)| !is_own(path) || is_of_place(kind, path) != Some(true));
        if place == FilePlace::Alone && matches!(kind, FileKind::List | FileKind::Declaration) {
            // Where there is another model beside it, the file decides nothing.
            files.retain(|(path, _)| is_own(path));
        }
    }
    if about == About::Owner && kind == FileKind::Declaration {
        let pictures = files.iter().filter(|(path, _)| is_picture(path)).take(2);
        let named = (1..)
            .zip(pictures)
            .map(|(at, (_, bytes))| (format!("{OWN}/{at}.png"), bytes.clone()));
        *files = named.collect();
        OWN.clone_into(at);
    }
    if about == About::Owner && kind == FileKind::Trajectories {
        // The model is called as the step of a loop.
        let step = |path: &str| path.replace(OWN, &format!("{OWN}{STEP}"));
        for (path, _) in files.iter_mut() {
            *path = step(path);
        }
        *at = step(at);
    }
}

fn case(
    kind: FileKind,
    (asked, suite): (&Asked, &[File]),
    (mut before, mut at): (Vec<File>, String),
    (place, about): (FilePlace, About),
) -> Case {
    let forms = added(kind, asked, suite, (place, about));
    ground((kind, asked), (place, about), &mut before, &mut at);
    Case { before, at, forms }
}

/// The added files that nothing new names, by their paths or by a folder that they lie in.
fn unnamed(before: &Seen, after: &Seen, at: &str, added: &[File]) -> Vec<String> {
    let new = after.named.iter().filter(|one| !before.named.contains(one));
    let new: Vec<&(String, String)> = new.collect();
    let is_named = |own: &String| {
        new.iter().any(|(path, message)| {
            own == path || !path.is_empty() && is_below(own, path) || message.contains(own.as_str())
        })
    };
    let paths = added.iter().map(|(path, _)| join(at, path));
    paths.filter(|path| !is_named(path)).collect()
}

/// What is wrong with a cell in a suite.
fn faults(
    before: &Seen,
    case: &Case,
    (kind, place): (FileKind, FilePlace),
    (id, about): (&str, About),
) -> Vec<String> {
    let mut faults = Vec::new();
    for (form, added) in &case.forms {
        let after = seen(&with(&case.before, &case.at, added));
        let mut fault = |what: &str| {
            let at = &case.at;
            faults.push(format!(
                "{id}: {kind:?} {form} about {about:?} {place:?} in {at:?}: {what}"
            ));
        };
        let first = |one: &[Value], other: &[Value]| {
            let mut both = one.iter().zip(other);
            format!("{:?}", both.find(|(one, other)| one != other))
        };
        let (is_rivals_same, is_own_same) =
            (before.rivals == after.rivals, before.own == after.own);
        let counts = audience(kind, place);
        let is_of_one = !matches!(place, FilePlace::Root | FilePlace::Named);
        if is_of_one && before.unpackable.is_none() && after.unpackable.is_some() {
            fault(&format!("stops all packs: {:?}", after.unpackable));
        }
        let is_mute = is_mute(kind, place, id);
        if is_mute || counts != Audience::All {
            if !is_rivals_same {
                fault(&format!(
                    "changes rivals: {}",
                    first(&before.rivals, &after.rivals)
                ));
            }
        } else if about == About::Rivals && is_rivals_same {
            fault("changes nothing of rivals");
        }
        if is_mute {
            continue;
        }
        let is_for_nobody = matches!(counts, Audience::Nobody | Audience::Refused);
        if is_for_nobody && !is_own_same {
            fault(&format!(
                "changes its owner: {}",
                first(&before.own, &after.own)
            ));
        }
        if counts == Audience::Owner && about == About::Owner && is_own_same {
            fault("changes nothing of its owner");
        }
        let is_unheard = counts == Audience::Owner && kind.names_models() && about == About::Rivals;
        if is_for_nobody || is_unheard {
            let unnamed = unnamed(before, &after, &case.at, added);
            // A benchmark and a pack are named by the file that stands for them.
            let is_one = matches!(kind, FileKind::List | FileKind::Manifest);
            let num_more = if is_one { added.len() - 1 } else { 0 };
            if unnamed.len() > num_more {
                fault(&format!("is not named: {unnamed:?}"));
            }
        }
    }
    faults
}

/// What is wrong with the cells of a place in one folder of a suite.
fn faults_in(place: FilePlace, (id, folder): (&'static str, &str), suite: &[File]) -> Vec<String> {
    let asked = Asked::of(id, suite);
    let opened = || opened(id, folder, suite, place);
    let plain = opened().0;
    let seen_plain = seen(&plain);
    assert!(seen_plain.rivals.len() > 20, "{id} {place:?}");
    let mut found = Vec::new();
    for kind in FileKind::ALL {
        let place = place_of(kind, place, folder);
        let abouts = match audience(kind, place) {
            Audience::Owner => [About::Rivals, About::Owner].as_slice(),
            _ => &[About::Rivals],
        };
        for about in abouts {
            let case = case(kind, (&asked, suite), opened(), (place, *about));
            let other = (case.before != plain).then(|| seen(&case.before));
            let before = other.as_ref().unwrap_or(&seen_plain);
            found.extend(faults(before, &case, (kind, place), (id, *about)));
        }
    }
    found
}

fn holds_in(place: FilePlace) {
    let mut found = Vec::new();
    for (id, folders) in SUITES {
        let suite = demo_suite(id);
        for folder in folders {
            found.extend(faults_in(place, (id, folder), &suite));
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn beside_the_models_the_files_that_count_for_all_change_a_rival_and_no_other_does() {
    holds_in(FilePlace::Root);
}

#[test]
fn in_a_models_own_folder_files_change_that_model_alone_or_are_named() {
    holds_in(FilePlace::Own);
}

#[test]
fn below_a_rivals_name_in_a_models_folder_files_change_the_folders_model_alone_or_are_named() {
    holds_in(FilePlace::RivalsName);
}

#[test]
fn in_a_models_second_folder_files_change_that_model_alone_or_are_named() {
    holds_in(FilePlace::Second);
}

#[test]
fn in_results_that_are_open_alone_files_of_one_model_change_that_model_alone_or_are_named() {
    holds_in(FilePlace::Alone);
}

#[test]
fn in_a_folder_that_an_argument_names_the_files_that_count_for_all_change_a_rival_and_no_other_does()
 {
    holds_in(FilePlace::Named);
}

#[test]
fn in_a_zip_of_a_models_folder_files_change_that_model_alone_or_are_named() {
    holds_in(FilePlace::Zip);
}
