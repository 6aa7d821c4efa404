//! The first judge's replies of a suite as questions with answers, and such answers as a reply again.

use anyhow::{Context as _, bail};
use serde_json::Value;

use crate::json::{Json, object, text};
use crate::kit::MODELS;
use crate::multibanana;
use crate::suite::Files;

const TO_TEN: &[f64] = &[0., 1., 2., 3., 4., 5., 6., 7., 8., 9., 10.];
pub(super) const FROM_ONE_TO_TEN: &[f64] = &[1., 2., 3., 4., 5., 6., 7., 8., 9., 10.];
const TO_FIVE: &[f64] = &[1., 2., 3., 4., 5.];
const RIGHT_OR_NOT: &[f64] = &[0., 5., 10.];
const THREE: &[f64] = &[0., 0.5, 1.];
const YES_OR_NO: &[f64] = &[0., 1.];

/// The end of the question whether an axis has to be turned.
const NEEDS: &str = " needs";

/// The answer to one question.
#[derive(Clone, Debug)]
pub(crate) struct Answer {
    /// The question as ratings name it.
    pub(crate) question: String,
    pub(crate) value: f64,
    /// The answers that it may have.
    pub(crate) steps: &'static [f64],
}

impl Answer {
    fn new(question: impl Into<String>, value: f64, steps: &'static [f64]) -> Self {
        let question = question.into();
        Self {
            question,
            value,
            steps,
        }
    }

    /// Its place among the steps; what is off the scale is the nearest one.
    pub(crate) fn step(&self) -> usize {
        let at = self.steps.iter().position(|step| *step >= self.value);
        at.unwrap_or(self.steps.len().saturating_sub(1))
    }
}

/// The answers to one request.
#[derive(Clone, Debug)]
pub(crate) struct Said {
    pub(crate) model: String,
    pub(crate) sample: String,
    pub(crate) turn: usize,
    pub(crate) request: String,
    pub(crate) answers: Vec<Answer>,
}

impl Said {
    /// What tells it from all others of its judge.
    pub(crate) fn place(&self) -> String {
        let Self { model, sample, .. } = self;
        format!("{model} {sample} {} {}", self.turn, self.request)
    }

    /// The same questions with other answers.
    pub(crate) fn answered(&self, mut how: impl FnMut(&Answer) -> f64) -> Self {
        let mut other = self.clone();
        for answer in &mut other.answers {
            answer.value = how(answer);
        }
        other
    }

    /// The reply that a judge would have written.
    pub(crate) fn reply(&self, suite: &str) -> anyhow::Result<String> {
        let reason = reason(&self.answers);
        let reply = match suite {
            "weave" => scored(self.first(), "reasoning", reason),
            "multibanana" => {
                let scores = self.answers.iter().map(|answer| answer.step() + 1);
                let scores = scores.collect::<Vec<_>>();
                let scores = scores.try_into().ok().context("five scores")?;
                return Ok(multibanana::reply(reason, scores));
            }
            "micon" if self.request == "candidate" => scored(self.first(), "reasoning", reason),
            "micon" => object([
                ("checkpoint_results", self.checkpoints()),
                ("rationale_short", text(reason)),
                ("flags", Json::List(Vec::new())),
            ]),
            "vibe" => self.sub_scores(reason),
            "multiref" => {
                let scores = self.answers.iter();
                let scores = scores.map(|answer| (answer.question.clone(), number(answer.value)));
                let reason = ("reason".to_owned(), text(reason));
                Json::Object(scores.chain([reason]).collect())
            }
            other => bail!("there is no suite {other}"),
        };
        Ok(serde_json::to_string(&reply)?)
    }

    fn first(&self) -> f64 {
        self.answers.first().map_or(0.0, |answer| answer.value)
    }

    fn checkpoints(&self) -> Json {
        let passes = self.answers.iter().map(|answer| {
            let pass = object([("pass", number(answer.value))]);
            (answer.question.clone(), pass)
        });
        Json::Object(passes.collect())
    }

    /// A metric of VIBE: limbs are words, and axes say whether they have to be turned.
    fn sub_scores(&self, reason: &str) -> Json {
        let is_pose = self.request == POSE;
        let needs = |key: &str| {
            let question = format!("{key}{NEEDS}");
            let mut all = self.answers.iter();
            all.find(|answer| answer.question == question)
        };
        let own = self
            .answers
            .iter()
            .filter(|answer| !answer.question.ends_with(NEEDS));
        let entries = own.map(|answer| {
            let (_, key) = answer.question.split_once('/').unwrap_or_default();
            let entry = match (is_pose, needs(&answer.question)) {
                (true, _) if answer.value > 0.0 => text("MATCH"),
                (true, _) => text("MISMATCH"),
                (false, Some(needed)) => object([
                    ("needs_modification", Json::Flag(needed.value > 0.0)),
                    ("reason", text(reason)),
                    ("score", number(answer.value)),
                ]),
                (false, None) => {
                    object([("reason", text(reason)), ("score", number(answer.value))])
                }
            };
            (key.to_owned(), entry)
        });
        let entries = Json::Object(entries.collect());
        if is_pose {
            return object([(POSE, entries)]);
        }
        entries
    }
}

/// The metric whose sub-scores are words.
const POSE: &str = "Pose_Consistency";

fn scored(score: f64, why: &str, reason: &str) -> Json {
    object([("score", number(score)), (why, text(reason))])
}

/// Whole numbers without a point, as judges write them.
fn number(value: f64) -> Json {
    if value > 0.0 && value < 1.0 {
        return Json::Real(value);
    }
    Json::Number(TO_TEN.iter().position(|step| *step >= value).unwrap_or(10))
}

/// Words that fit the answers.
fn reason(answers: &[Answer]) -> &'static str {
    let part = |answer: &Answer| {
        let last = answer.steps.len().saturating_sub(1).max(1);
        answer.step() as f64 / last as f64
    };
    let own = answers
        .iter()
        .filter(|answer| !answer.question.ends_with(NEEDS));
    let worst = own.map(part).fold(1.0, f64::min);
    match worst {
        0.85.. => "Nothing that was asked for is missing, and the picture is clean.",
        0.6.. => "Nearly everything is as asked; one detail is off.",
        0.3.. => "A part of what was asked for is wrong.",
        _ => "Something that the request depends on is wrong or missing.",
    }
}

/// What the first judge said of every output, in the order of the files, and what it would have said where its reply is lost.
pub(crate) fn of(suite: &str, files: &Files) -> anyhow::Result<Vec<Said>> {
    let mut all = read(suite, files)?;
    let mut lost = Vec::new();
    for one in &all {
        for model in MODELS {
            let other = Said {
                model: model.to_owned(),
                ..one.clone()
            };
            let place = other.place();
            let is_known = all.iter().any(|said| said.place() == place);
            if !is_known && is_there(suite, files, &all, &other) {
                // The last model's answers come last: those of the neighbour in strength.
                lost.retain(|said: &Said| said.place() != place);
                lost.push(other);
            }
        }
    }
    all.append(&mut lost);
    Ok(all)
}

/// Whether an output of a model is there that its judge could not be heard of.
fn is_there(suite: &str, files: &Files, all: &[Said], of: &Said) -> bool {
    let Said { model, sample, .. } = of;
    let path = match suite {
        // Its dialogues are judged as a whole.
        "weave" => {
            return !all
                .iter()
                .any(|said| (&said.model, &said.sample) == (model, sample));
        }
        "multibanana" => format!("{model}/{sample}_generated.png"),
        "micon" => format!("Evaluation/outputs/generations/{model}/{sample}.png"),
        "multiref" => {
            let name = sample
                .replace("synthetic/", "")
                .replace("real-world/", "real_");
            format!("{model}/images/{name}.png")
        }
        _ => return false,
    };
    files
        .get(&path)
        .is_some_and(|bytes| bytes.starts_with(b"\x89PNG"))
}

fn read(suite: &str, files: &Files) -> anyhow::Result<Vec<Said>> {
    let mut all = Vec::new();
    for (path, bytes) in files {
        let parts: Vec<&str> = path.split('/').collect();
        match (suite, parts.as_slice()) {
            ("weave", ["result", model, "metrics_demo-judge.jsonl"]) => {
                weave(model, bytes, &mut all)?;
            }
            ("multibanana", [model, task, file]) => {
                if let Some(number) = file.strip_suffix("_gemini_judge.txt") {
                    let sample = format!("{task}/{number}");
                    all.extend(multibanana(model, sample, &String::from_utf8_lossy(bytes)));
                }
            }
            (
                "micon",
                [
                    "Evaluation",
                    "outputs",
                    "eval_res",
                    model,
                    _,
                    _,
                    task,
                    case,
                    file,
                ],
            ) => {
                let sample = format!("{task}/{case}");
                all.extend(micon(model, sample, file, bytes));
            }
            ("vibe", ["results", model, _, task, file]) if file.ends_with("_results_1.json") => {
                vibe(model, task, bytes, &mut all)?;
            }
            ("multiref", [model, "journal.jsonl"]) => multiref(model, bytes, &mut all)?,
            _ => {}
        }
    }
    Ok(all)
}

/// One line for each dialogue; of two the first counts, and one that is cut off says nothing.
fn weave(model: &str, bytes: &[u8], all: &mut Vec<Said>) -> anyhow::Result<()> {
    for line in std::str::from_utf8(bytes)?.lines() {
        let Ok(Value::Object(line)) = serde_json::from_str(line) else {
            continue;
        };
        let sample = line.get("idx").context("idx")?.to_string();
        let turns = line
            .iter()
            .filter_map(|(key, turn)| Some((key.strip_prefix("turn ")?, turn.as_object()?)));
        for (turn, verdicts) in turns {
            let turn: usize = turn.parse()?;
            for (request, verdict) in verdicts {
                let steps = if request == "accuracy" {
                    RIGHT_OR_NOT
                } else {
                    TO_TEN
                };
                let score = &verdict["score"];
                // One is a text.
                let text = || score.as_str()?.parse().ok();
                let Some(score) = score.as_f64().or_else(text) else {
                    continue;
                };
                let one = Said {
                    model: model.to_owned(),
                    sample: sample.clone(),
                    turn,
                    request: request.clone(),
                    answers: vec![Answer::new(request, score, steps)],
                };
                if !all.iter().any(|other| other.place() == one.place()) {
                    all.push(one);
                }
            }
        }
    }
    Ok(())
}

/// The criteria of MultiBanana as ratings name them, in the order of the reply.
const FIVE: [&str; 5] = [
    "instruction_alignment",
    "reference_consistency",
    "background_subject_match",
    "physical_realism",
    "visual_quality",
];

/// Five lines with a number at the end each; none where the call failed.
fn multibanana(model: &str, sample: String, reply: &str) -> Option<Said> {
    let numbers = reply.lines().filter_map(|line| {
        let (_, number) = line.rsplit_once(": ")?;
        number.parse().ok()
    });
    let scores: Vec<f64> = numbers.collect();
    let scores: [f64; 5] = scores.try_into().ok()?;
    Some(five(model, sample, scores))
}

/// Five scores of an output.
pub(super) fn five(model: &str, sample: String, scores: [f64; 5]) -> Said {
    let answers = FIVE.iter().zip(scores);
    let answers = answers.map(|(question, score)| Answer::new(*question, score, FROM_ONE_TO_TEN));
    Said {
        model: model.to_owned(),
        sample,
        turn: 0,
        request: "judge".to_owned(),
        answers: answers.collect(),
    }
}

/// Checkpoints, or a story's candidate score; none where the reply is no JSON.
fn micon(model: &str, sample: String, file: &str, bytes: &[u8]) -> Option<Said> {
    let reply: Value = serde_json::from_slice(bytes).ok()?;
    let (request, answers) = if file.ends_with("_candidate_eval_details.json") {
        let score = reply["evaluation_result"]["score"].as_f64()?;
        let answers = vec![Answer::new("candidate", score, TO_TEN)];
        ("candidate", answers)
    } else {
        let checks = reply["checkpoint_results"].as_object()?.iter();
        let answers = checks.map(|(id, check)| {
            // One that was not marked by a number passes.
            let pass = check["pass"].as_f64().unwrap_or(1.0);
            Answer::new(id, pass, YES_OR_NO)
        });
        ("checkpoints", answers.collect())
    };
    Some(Said {
        model: model.to_owned(),
        sample,
        turn: 0,
        request: request.to_owned(),
        answers,
    })
}

/// The metrics of the items of one task.
fn vibe(model: &str, folder: &str, bytes: &[u8], all: &mut Vec<Said>) -> anyhow::Result<()> {
    let task = if folder == "Flow" {
        "Flow_Simulation"
    } else {
        folder
    };
    let items: Vec<Value> = serde_json::from_slice(bytes)?;
    for item in &items {
        let id = item["id"].as_str().context("id")?;
        let metrics = item.as_object().into_iter().flatten();
        for (metric, verdict) in metrics.filter(|(_, verdict)| verdict.is_object()) {
            let answers = sub_scores(task, metric, verdict);
            if !answers.is_empty() {
                all.push(Said {
                    model: model.to_owned(),
                    sample: format!("{task}/{id}"),
                    turn: 0,
                    request: metric.clone(),
                    answers,
                });
            }
        }
    }
    Ok(())
}

/// The sub-scores of a metric; a metric without any is one itself.
fn sub_scores(task: &str, metric: &str, verdict: &Value) -> Vec<Answer> {
    let question = |key: &str| format!("{metric}/{key}");
    let keys = verdict.as_object().into_iter().flatten();
    let keys = keys.filter(|(key, _)| !["score", "reason", "error", "raw"].contains(&key.as_str()));
    let mut answers: Vec<Answer> = keys
        .clone()
        .filter_map(|(key, entry)| {
            let score = match entry.as_str() {
                Some(word) => f64::from(u8::from(word == "MATCH")),
                // One that is off the scale or lost counts as met.
                None => entry["score"].as_f64().unwrap_or(1.0),
            };
            entry
                .is_object()
                .then_some(())
                .or(entry.is_string().then_some(()))?;
            Some(Answer::new(question(key), score, scale(task, metric, key)))
        })
        .collect();
    for (key, entry) in keys {
        if let Some(needs) = entry["needs_modification"].as_bool() {
            let question = question(&format!("{key}{NEEDS}"));
            answers.push(Answer::new(question, f64::from(u8::from(needs)), YES_OR_NO));
        }
    }
    match verdict["score"].as_f64() {
        Some(score) if answers.is_empty() => {
            vec![Answer::new(
                question(metric),
                score,
                scale(task, metric, metric),
            )]
        }
        _ => answers,
    }
}

/// The answers that a sub-score of VIBE may have, by the paper.
fn scale(task: &str, metric: &str, key: &str) -> &'static [f64] {
    match (metric, key) {
        ("Instruction_Adherence", "Visual_Operator_Type_Compliance")
            if task == "Draft_Instantiation" =>
        {
            THREE
        }
        ("Light_Direction_Consistency", "Direction_Matching_Consistency")
        | ("Wind_Direction_Consistency" | "Reorientation_Contextual_Preservation", _) => THREE,
        _ => YES_OR_NO,
    }
}

/// The replies of a journal; one that is no JSON says nothing.
fn multiref(model: &str, bytes: &[u8], all: &mut Vec<Said>) -> anyhow::Result<()> {
    for line in std::str::from_utf8(bytes)?.lines() {
        let line: Value = serde_json::from_str(line)?;
        let reply = line["reply"].as_str().context("reply")?;
        let Ok(reply) = serde_json::from_str::<Value>(reply) else {
            continue;
        };
        let scores = ["IQ", "IF", "SF"].map(|id| (id, reply[id].as_f64().unwrap_or(1.0)));
        all.push(Said {
            model: model.to_owned(),
            sample: line["sample"].as_str().context("sample")?.to_owned(),
            turn: 0,
            request: "judge".to_owned(),
            answers: scores
                .map(|(id, score)| Answer::new(id, score, TO_FIVE))
                .to_vec(),
        });
    }
    Ok(())
}
