//! The benchmark's files in the authors' layout, and what became of each original.

use juror_reading::py::Value;

use super::matrix::{self, RefType};
use super::original::Original;
use super::{Filter, Made, Project, ReferenceState, Work, Worked, source_kinds};
use crate::OutFile;
use crate::ordered::{Json, pretty};

/// A type's paths as the authors' files write them: subjects and styles as a list, others as one path.
pub(super) fn value(one: RefType, paths: &[&str]) -> Value {
    let is_list = matches!(one, RefType::Subject | RefType::Style);
    match paths {
        [path] if !is_list => Value::Str((*path).to_owned()),
        paths => Value::List(
            paths
                .iter()
                .map(|path| Value::Str((*path).to_owned()))
                .collect(),
        ),
    }
}

/// `benchmark.json`, `train.json` where samples are held out, and `refblend.json`.
pub(super) fn files(project: &Project, work: &Work) -> Vec<OutFile> {
    let list = |samples: &[Made]| {
        let ready = samples.iter().filter(|made| !made.is_waiting);
        let entries: Vec<Json> = ready.map(|made| entry(project, work, made)).collect();
        pretty(&entries)
    };
    let mut files = vec![OutFile {
        path: "refblend.json".to_owned(),
        text: report(project, work),
    }];
    let held_out = (!work.held_out.is_empty()).then_some(("train.json", &work.held_out));
    let lists = std::iter::once(("benchmark.json", &work.chosen)).chain(held_out);
    for (path, samples) in lists {
        if samples.iter().any(|made| !made.is_waiting) {
            files.push(OutFile {
                path: path.to_owned(),
                text: list(samples),
            });
        }
    }
    files
}

fn entry(project: &Project, work: &Work, made: &Made) -> Json {
    let original = &project.things[made.original];
    let worked = &work.originals[made.original];
    let ids = Json::texts(made.drawn.iter().map(|one| one.id()));
    let mapping = made.instruction.pictures.iter();
    let mapping = mapping.map(|(token, path)| (token.clone(), plain(path)));
    let instructions = vec![
        ("conditions".to_owned(), ids),
        (
            "image_path_mapping".to_owned(),
            Json::Object(mapping.collect()),
        ),
        (
            "original_prompts".to_owned(),
            Json::from(made.instruction.text.as_str()),
        ),
        (
            "enhance_prompts".to_owned(),
            Json::texts(made.rewritten.as_deref()),
        ),
    ];
    Json::Object(vec![
        (
            "original_image_path".to_owned(),
            Json::from(original.picture.path.as_str()),
        ),
        (
            "conditions".to_owned(),
            conditions(project, original, worked),
        ),
        ("instructions".to_owned(), Json::Object(instructions)),
        ("judge".to_owned(), ratings(worked)),
    ])
}

fn ratings(worked: &Worked) -> Json {
    let ratings = worked.ratings.iter();
    Json::Object(
        ratings
            .map(|(key, x)| (key.clone(), Json::Number(*x)))
            .collect(),
    )
}

/// What passed; everything where the authors' filter was taken, which only chooses.
fn conditions(project: &Project, original: &Original, worked: &Worked) -> Json {
    let passed = worked.passed();
    let is_kept =
        |one: &RefType| project.settings.filter == Filter::Released || passed.contains(one);
    let mut members = Vec::new();
    for one in original.types().into_iter().filter(is_kept) {
        let told = match (one, original.entry(one)) {
            (RefType::Caption, _) => ("caption".to_owned(), Json::from(original.caption.as_str())),
            (_, Some((key, paths))) => (key.to_owned(), plain(&value(one, &paths))),
            (_, None) => continue,
        };
        members.push(told);
    }
    Json::Object(members)
}

fn plain(value: &Value) -> Json {
    match value {
        Value::Str(text) => Json::from(text.as_str()),
        Value::List(items) => Json::List(items.iter().map(plain).collect()),
        other => Json::from(other.describe().as_str()),
    }
}

/// Seed, settings, and per original its kind of source, ratings, and the types that are out with their reasons.
fn report(project: &Project, work: &Work) -> String {
    let settings = &project.settings;
    let text = |setting: serde_json::Value| Json::from(setting.as_str().unwrap_or_default());
    let setting = |name: &str, value: serde_json::Result<serde_json::Value>| {
        (name.to_owned(), text(value.unwrap_or_default()))
    };
    let used: Vec<(usize, &Made, &str)> = [(&work.chosen, "benchmark"), (&work.held_out, "train")]
        .into_iter()
        .flat_map(|(samples, file)| samples.iter().map(move |made| (made.original, made, file)))
        .collect();
    let originals = project.things.iter().zip(&work.originals).enumerate();
    let originals = originals.map(|(at, (original, worked))| {
        let made = used
            .iter()
            .find(|(of, ..)| *of == at)
            .map(|(_, made, file)| (*made, *file));
        told(original, worked, made)
    });
    let report = Json::Object(vec![
        ("format".to_owned(), Json::from("juror-refblend/1")),
        ("seed".to_owned(), Json::Text(project.seed.to_string())),
        setting("rule", serde_json::to_value(settings.rule)),
        setting("filter", serde_json::to_value(settings.filter)),
        setting("rater", serde_json::to_value(settings.rater)),
        setting("wording", serde_json::to_value(settings.wording)),
        setting("rewriting", serde_json::to_value(settings.rewriting)),
        ("quota".to_owned(), Json::Number(f64::from(settings.quota))),
        (
            "remarks".to_owned(),
            Json::texts(work.remarks.iter().map(String::as_str)),
        ),
        ("originals".to_owned(), Json::List(originals.collect())),
    ]);
    pretty(&report)
}

fn told(original: &Original, worked: &Worked, made: Option<(&Made, &str)>) -> Json {
    let kinds = source_kinds(original);
    let kinds = kinds.iter().map(|kind| match kind {
        matrix::SourceKind::S => "S",
        matrix::SourceKind::T => "T",
        matrix::SourceKind::P => "P",
    });
    let out = worked.states.iter().filter_map(|(one, state)| match state {
        ReferenceState::Out(reason) => Some((one.id().to_owned(), Json::from(reason.as_str()))),
        _ => None,
    });
    let refused = original.refused.iter();
    let refused = refused.map(|(one, reason)| (one.id().to_owned(), Json::from(reason.as_str())));
    let mut members = vec![
        ("original".to_owned(), Json::from(original.id.as_str())),
        ("kinds".to_owned(), Json::texts(kinds)),
        ("ratings".to_owned(), ratings(worked)),
        (
            "rejected".to_owned(),
            Json::Object(refused.chain(out).collect()),
        ),
    ];
    if let Some(lost) = &worked.lost {
        members.push(("lost".to_owned(), Json::from(lost.as_str())));
    }
    if let Some((made, file)) = made {
        members.push((
            "combination".to_owned(),
            Json::Text(matrix::name(&made.drawn)),
        ));
        members.push(("file".to_owned(), Json::from(file)));
        if let Some(mark) = &made.mark {
            members.push(("rewriting".to_owned(), Json::from(mark.as_str())));
        }
    }
    Json::Object(members)
}
