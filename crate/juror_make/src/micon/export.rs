//! Finished cases as the authors' scripts load them: cards, answer sets; and the draws with what became of each.

use juror_protocols::micon::STORY;
use juror_protocols::micon::card::ANSWER_SETS;
use juror_protocols::micon::specific::SPECIFIC;

use super::case::Case;
use super::texts::{constraints_hard, dimensions, goal, prompt};
use super::{Project, Ready, Worked};
use crate::OutFile;
use crate::ordered::{Json, pretty};

/// `data/TASK/cases/CASE.yaml`, the stories' answer sets, `micon-specific.json` and `builder.json`.
pub(super) fn files(project: &Project, worked: &[Worked]) -> Vec<OutFile> {
    let mut files = Vec::new();
    let mut stories = Vec::new();
    let mut specific = Vec::new();
    for (case, worked) in project.things.iter().zip(worked) {
        let Some(Ok(ready)) = &worked.outcome else {
            continue;
        };
        files.push(OutFile {
            path: card_path(case),
            text: card(project, case, worked, ready),
        });
        let questions = ready.checkpoints.iter();
        let questions = questions.map(|(id, question)| (id.clone(), Json::from(question.as_str())));
        specific.push((case.thing(), Json::Object(questions.collect())));
        stories.extend(ready.answers.as_ref().map(|answers| {
            let texts = |texts: &[String]| Json::texts(texts.iter().map(String::as_str));
            Json::Object(vec![
                ("case_id".to_owned(), Json::from(case.id.as_str())),
                (
                    "background_summary".to_owned(),
                    Json::from(answers.background.as_str()),
                ),
                ("positive_candidates".to_owned(), texts(&answers.positive)),
                ("negative_candidates".to_owned(), texts(&answers.negative)),
            ])
        }));
    }
    if !stories.is_empty() {
        files.push(OutFile {
            path: answers_path(),
            text: pretty(&Json::Object(vec![(
                "cases".to_owned(),
                Json::List(stories),
            )])),
        });
    }
    if !specific.is_empty() {
        files.push(OutFile {
            path: SPECIFIC.to_owned(),
            text: pretty(&Json::Object(specific)),
        });
    }
    files.push(OutFile {
        path: "builder.json".to_owned(),
        text: builder(project, worked),
    });
    files
}

/// Where cards and the lists beside them may lie.
pub(super) fn places(cases: &[Case]) -> Vec<String> {
    let mut places: Vec<String> = cases.iter().map(card_path).collect();
    places.extend([answers_path(), SPECIFIC.to_owned()]);
    places
}

fn card_path(case: &Case) -> String {
    format!("data/{}/cases/{}.yaml", case.task, case.id)
}

fn answers_path() -> String {
    format!("data/{STORY}/{ANSWER_SETS}")
}

/// A card; texts are in double quotes as JSON has them, which YAML reads alike.
fn card(project: &Project, case: &Case, worked: &Worked, ready: &Ready) -> String {
    let quoted = |text: &str| serde_json::to_string(text).unwrap_or_default();
    let list = |name: &str, texts: &mut dyn Iterator<Item = String>| {
        let lines: Vec<String> = texts
            .map(|text| format!("\n  - {}", quoted(&text)))
            .collect();
        match lines.concat() {
            none if none.is_empty() => format!("{name}: []"),
            lines => format!("{name}:{lines}"),
        }
    };
    let mut lines = vec![
        format!("task_type: {}", quoted(&case.task)),
        format!("case_id: {}", quoted(&case.id)),
        "refs:".to_owned(),
    ];
    let references = worked.references.iter();
    lines.extend(references.map(|(name, path, _)| format!("  {name}: {}", quoted(path))));
    let questions = ready.checkpoints.iter();
    let mut questions = questions.map(|(id, question)| format!("{id}: {question}"));
    let letters: Vec<String> = dimensions(case)
        .iter()
        .map(|letter| quoted(letter))
        .collect();
    let asked = prompt(case, project.settings.labels);
    lines.extend([
        format!("generation_prompt: {}", quoted(&asked)),
        format!("goal: {}", quoted(&goal(case))),
        list("constraints_hard", &mut constraints_hard(case).into_iter()),
        list("constraints_soft", &mut std::iter::empty()),
        list("expectation_list", &mut questions),
        format!("participating_dimensions: [{}]\n", letters.join(", ")),
    ]);
    lines.join("\n")
}

/// Seed, and each case with its draw, what its references were made by, and what became of it.
fn builder(project: &Project, worked: &[Worked]) -> String {
    let cases = project.things.iter().zip(worked).map(|(case, worked)| {
        let draw = case.draw.iter();
        let draw = draw.map(|(slot, word)| (slot.clone(), Json::from(word.as_str())));
        let prompts = super::texts::reference_prompts(case);
        let references = worked.references.iter().map(|(name, path, sha256)| {
            let made = project
                .replies
                .iter()
                .find(|reply| reply.picture == *sha256);
            let at = name
                .bytes()
                .last()
                .map_or(0, |letter| usize::from(letter.saturating_sub(b'A')));
            let prompt = prompts.get(at).map_or("", String::as_str);
            Json::Object(vec![
                ("name".to_owned(), Json::from(name.as_str())),
                ("path".to_owned(), Json::from(path.as_str())),
                ("sha256".to_owned(), Json::from(sha256.as_str())),
                ("prompt".to_owned(), Json::from(prompt)),
                (
                    "by".to_owned(),
                    Json::from(made.map_or("", |made| made.by.as_str())),
                ),
                (
                    "time".to_owned(),
                    Json::from(made.map_or("", |made| made.time.as_str())),
                ),
            ])
        });
        let state = match &worked.outcome {
            Some(Ok(_)) => "accepted".to_owned(),
            Some(Err(reason)) => format!("rejected: {reason}"),
            None if worked.passed >= case.refs => "machine-passed".to_owned(),
            None if worked.made >= case.refs => "made".to_owned(),
            None => "drawn".to_owned(),
        };
        Json::Object(vec![
            ("case".to_owned(), Json::Text(case.thing())),
            ("state".to_owned(), Json::Text(state)),
            ("draw".to_owned(), Json::Object(draw.collect())),
            ("references".to_owned(), Json::List(references.collect())),
        ])
    });
    pretty(&Json::Object(vec![
        ("format".to_owned(), Json::from("juror-micon-cases/1")),
        ("seed".to_owned(), Json::Text(project.seed.to_string())),
        ("cases".to_owned(), Json::List(cases.collect())),
    ]))
}
