//! Trajectories of an agent loop over MultiBanana's sets: three pictures each, of which every one is better than the last.
//!
//! A step's picture has the flaws that the suite's models have, the weakest model's first; so its scores follow as theirs do.

use std::fmt::Write as _;

use anyhow::Context as _;
use sha2::{Digest as _, Sha256};

use super::said::{Said, five};
use crate::json::{Json, object, text};
use crate::kit::sentence;
use crate::multibanana::{Set, scores, sets};
use crate::random::Random;
use crate::suite::{Files, output};

const NAME: &str = "dune-synth";
const PLANNER: &str = "demo-planner";
const STEPS: usize = 3;

/// The model that a step's pictures are outputs of.
fn model(step: usize) -> String {
    format!("{NAME} +IPR step {step}")
}

/// Whether a model is one of these steps.
pub(super) fn is_step(model: &str) -> bool {
    model.starts_with(NAME)
}

/// The pictures with the records of their making, and what one judge said of them; both judges of the suite go into the journal.
pub(super) fn files(seed: u64, journal: &mut String) -> anyhow::Result<(Files, Vec<Said>)> {
    let (mut files, mut said, mut records) = (Files::new(), Vec::new(), String::new());
    for set in sets() {
        let mut prompt = set.ask.to_owned();
        for step in 1..=STEPS {
            let flaws = set.flaws.get(STEPS - step).context("flaws of a step")?;
            let made = format!("{}/{}/{}_generated.png", model(step), set.task, set.number);
            let path = format!("agents/{made}");
            let picture = output(seed, &path, &set.stage, flaws).png()?;
            let sha256 = hex(&Sha256::digest(&picture));
            let entry = object([("path", text(&made)), ("sha256", text(&sha256))]);
            records += &record(&set, step, &prompt, [("picture", entry)])?;
            files.insert(path, picture);
            for judge in ["gemini", "gpt"] {
                let mut random = Random::new(seed, &format!("{made} {judge}"));
                let scores = scores(flaws, judge, &mut random, false);
                let scores = scores.map(|score| f64::from(u8::try_from(score).unwrap_or(1)));
                let one = five(&model(step), format!("{}/{}", set.task, set.number), scores);
                *journal += &super::record("multibanana", judge, &one)?;
                if judge == "gemini" {
                    said.push(one);
                }
            }
            if step < STEPS {
                let wrong = sentence(&set.stage, flaws);
                let next = if flaws.is_empty() {
                    format!("{} Keep everything as it was.", set.ask)
                } else {
                    format!("{} Correct this: {wrong} Keep the rest.", set.ask)
                };
                let plan = [("given", text(&sha256)), ("reply", text(&next))];
                records += &record(&set, step, &prompt, plan)?;
                prompt = next;
            }
        }
    }
    files.insert("agents/trajectories.jsonl".to_owned(), records.into_bytes());
    Ok((files, said))
}

/// A call as it ended: of the generator where it has a picture, else of the planner.
fn record<const N: usize>(
    set: &Set,
    step: usize,
    prompt: &str,
    ended: [(&str, Json); N],
) -> anyhow::Result<String> {
    let is_picture = ended.iter().any(|(key, _)| *key == "picture");
    let references = (0..set.references.len()).map(Json::Number);
    let Json::Object(mut record) = object([
        ("format", text("juror-trajectory/1")),
        ("protocol", text("multibanana")),
        ("name", text(NAME)),
        ("framework", text("ipr")),
        ("planner", text(PLANNER)),
        ("generator", text(NAME)),
        ("sample", text(format!("{}/{}", set.task, set.number))),
        ("step", Json::Number(step)),
        ("kind", text(if is_picture { "picture" } else { "plan" })),
        ("prompt", text(prompt)),
        ("references", Json::List(references.collect())),
        ("by", text("call")),
    ]) else {
        unreachable!("an object is one");
    };
    record.extend(ended.map(|(key, value)| (key.to_owned(), value)));
    Ok(serde_json::to_string(&Json::Object(record))? + "\n")
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}
