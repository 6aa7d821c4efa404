//! Lays the demo out as WEAVEBench does: a data set with dialogues, and per model a folder with pictures, texts and replies.
//!
//! A few things are broken on purpose, because a reader should see how missing and unusable results are shown:
//! `basalt-synth` lacks one picture, has one dialogue without replies, one judged twice and a last line cut in half;
//! `cinder-synth` lacks one text, has a web page under a picture's name, a score of 11 and a score that is a string.
//! `aurora-synth` is complete.

use anyhow::Context as _;

use super::dialogue::{self, Answer, Dialogue, MODELS, Said, Take};
use super::json::{Json, object, text};
use super::judge::{self, JUDGE};
use super::paint::Finish;
use super::random::Random;
use super::suite::{Files, WEB_PAGE, indexed, pretty};

const DATA: &str = "WEAVEBench/test";

/// What is broken, named by model, domain and turn (from 0).
const MISSING_PICTURE: (&str, &str, usize) = ("basalt-synth", "story", 1);
const MISSING_TEXT: (&str, &str, usize) = ("cinder-synth", "optics", 1);
const PAGE_AS_PICTURE: (&str, &str, usize) = ("cinder-synth", "fusion", 0);
const SCORE_OF_ELEVEN: (&str, &str, usize) = ("cinder-synth", "astronomy", 0);
const SCORE_AS_STRING: (&str, &str, usize) = ("cinder-synth", "mathematics", 0);
const UNJUDGED: (&str, &str) = ("basalt-synth", "geography");
const JUDGED_TWICE: (&str, &str) = ("basalt-synth", "edit");
const CUT_IN_HALF: (&str, &str) = ("basalt-synth", "minecraft");

/// All files of the suite with its index.
pub(crate) fn files(seed: u64) -> anyhow::Result<Files> {
    let dialogues = dialogue::all(seed);
    let mut files = Files::new();
    dataset(seed, &dialogues, &mut files)?;
    for (number, model) in MODELS.into_iter().enumerate() {
        outputs(seed, number, model, &dialogues, &mut files)?;
        files.insert(
            format!("result/{model}/metrics_{JUDGE}.jsonl"),
            replies(seed, number, model, &dialogues)?.into_bytes(),
        );
    }
    indexed("Demo · WEAVEBench", files)
}

/// A dataset picture's file name, from 1.
fn name(idx: usize, domain: &str, number: usize) -> String {
    format!("{domain}_{}_{number}.png", idx + 1)
}

fn dataset(seed: u64, dialogues: &[Dialogue], files: &mut Files) -> anyhow::Result<()> {
    let mut items = Vec::new();
    for (idx, dialogue) in dialogues.iter().enumerate() {
        let mut images = Vec::new();
        for (place, scene) in dialogue.pictures.iter().enumerate() {
            let file = name(idx, dialogue.domain, place + 1);
            files.insert(
                format!("{DATA}/imgs/{file}"),
                scene.draw(seed, Finish::Clean).png()?,
            );
            images.push(text(format!("imgs/{file}")));
        }
        items.push(object([
            ("idx", Json::Number(idx)),
            ("domain", text(dialogue.domain)),
            ("images", Json::List(images)),
            (
                "chats",
                Json::List(dialogue.turns.iter().flat_map(chat).collect()),
            ),
        ]));
    }
    files.insert(format!("{DATA}/test.json"), pretty(&Json::List(items))?);
    Ok(())
}

fn chat(turn: &dialogue::Turn) -> [Json; 2] {
    let ask = object([
        ("role", text("user")),
        ("type", text("text")),
        ("content", text(&turn.ask)),
    ]);
    let (kind, content, points) = match &turn.answer {
        Answer::Picture { makes, points, .. } => {
            let points = points
                .iter()
                .map(|&(key, value)| (key.to_owned(), text(value)));
            (
                "image",
                format!("Image #{makes}"),
                Json::Object(points.collect()),
            )
        }
        Answer::Text { standard, .. } => ("text", standard.clone(), Json::Null),
    };
    let answer = object([
        ("role", text("assistant")),
        ("type", text(kind)),
        ("content", text(content)),
        ("key_point", points),
    ]);
    [ask, answer]
}

fn outputs(
    seed: u64,
    number: usize,
    model: &str,
    dialogues: &[Dialogue],
    files: &mut Files,
) -> anyhow::Result<()> {
    let folder = format!("result/{model}/imgs");
    for (idx, dialogue) in dialogues.iter().enumerate() {
        for (turn_idx, turn) in dialogue.turns.iter().enumerate() {
            let place = (model, dialogue.domain, turn_idx);
            match &turn.answer {
                Answer::Picture { makes, takes, .. } => {
                    let path = format!("{folder}/{}", name(idx, dialogue.domain, *makes));
                    if place == MISSING_PICTURE {
                        continue;
                    }
                    if place == PAGE_AS_PICTURE {
                        files.insert(path, WEB_PAGE.into());
                        continue;
                    }
                    let take: &Take = takes.get(number).context("a take for each model")?;
                    // Noise falls elsewhere in every picture; what the seed scatters in a scene stays.
                    let mut canvas = take.scene.draw(seed, Finish::Clean);
                    canvas.finish(take.finish, &mut Random::new(seed, &path));
                    files.insert(path, canvas.png()?);
                }
                Answer::Text { said, .. } => {
                    if place == MISSING_TEXT {
                        continue;
                    }
                    let said: &Said = said.get(number).context("an answer for each model")?;
                    let stem = name(idx, dialogue.domain, 1).replace(".png", "");
                    files.insert(
                        format!("{folder}/{stem}_{turn_idx}.txt"),
                        said.words.clone().into_bytes(),
                    );
                }
            }
        }
    }
    Ok(())
}

/// The model's `metrics.jsonl`.
fn replies(
    seed: u64,
    number: usize,
    model: &str,
    dialogues: &[Dialogue],
) -> anyhow::Result<String> {
    let mut lines = String::new();
    for (idx, dialogue) in dialogues.iter().enumerate() {
        let place = (model, dialogue.domain);
        if place == UNJUDGED {
            continue;
        }
        let line = serde_json::to_string(&line(seed, number, model, idx, dialogue, 0)?)?;
        if place == CUT_IN_HALF {
            let half = (0..=line.len() / 2)
                .rev()
                .find(|&at| line.is_char_boundary(at))
                .unwrap_or(0);
            lines.push_str(line.get(..half).unwrap_or_default());
            return Ok(lines);
        }
        lines.push_str(&line);
        lines.push('\n');
        if place == JUDGED_TWICE {
            // The second judging is a point milder.
            lines.push_str(&serde_json::to_string(&self::line(
                seed, number, model, idx, dialogue, 1,
            )?)?);
            lines.push('\n');
        }
    }
    Ok(lines)
}

fn line(
    seed: u64,
    number: usize,
    model: &str,
    idx: usize,
    dialogue: &Dialogue,
    milder: u8,
) -> anyhow::Result<Json> {
    let mut entries = vec![
        ("idx".to_owned(), Json::Number(idx)),
        ("domain".to_owned(), text(dialogue.domain)),
    ];
    for (turn_idx, turn) in dialogue.turns.iter().enumerate() {
        let place = (model, dialogue.domain, turn_idx);
        let mut random = Random::new(seed, &format!("{model} {} {turn_idx}", dialogue.domain));
        let verdict = match &turn.answer {
            // What cannot be opened cannot be shown to a judge.
            Answer::Picture { .. } if place == PAGE_AS_PICTURE => Json::Object(Vec::new()),
            Answer::Picture { takes, .. } => {
                let take = takes.get(number).context("a take for each model")?;
                picture_verdict(take, place, milder, &mut random)
            }
            Answer::Text { said, .. } => {
                let said = said.get(number).context("an answer for each model")?;
                object([(
                    "accuracy",
                    scored(Json::Number(said.score.into()), said.reason),
                )])
            }
        };
        entries.push((format!("turn {turn_idx}"), verdict));
    }
    Ok(Json::Object(entries))
}

fn scored(score: Json, reasoning: &str) -> Json {
    object([("score", score), ("reasoning", text(reasoning))])
}

fn picture_verdict(
    take: &Take,
    place: (&str, &str, usize),
    milder: u8,
    random: &mut Random,
) -> Json {
    let [key_point, consistency, quality] = take.scores.map(|score| (score + milder).min(10));
    let [consistency_reason, quality_reason] =
        judge::reasons(consistency, quality, take.finish, random);
    let number = |score: u8| Json::Number(score.into());
    let consistency = if place == SCORE_AS_STRING {
        text("7")
    } else {
        number(consistency)
    };
    let quality = if place == SCORE_OF_ELEVEN {
        number(11)
    } else {
        number(quality)
    };
    object([
        ("key_point", scored(number(key_point), take.reason)),
        (
            "visual_consistency",
            scored(consistency, consistency_reason),
        ),
        ("image_quality", scored(quality, quality_reason)),
    ])
}
