//! Judge requests as batch files: written, run by a fake engine, and read back into scores.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::HashSet;
use std::fmt::Write as _;
use std::path::Path;

use juror_judging::batch::LineId;
use juror_judging::provider::redact;
use juror_tests::generate::{Dialogue, Random, tiny_png};
use juror_tests::program::Folder;
use serde_json::{Value, json};

/// Twelve dialogues of two pictures and a text: 12 × (2 × 3 + 1) requests.
const NUM_DIALOGUES: usize = 12;
const NUM_REQUESTS: usize = NUM_DIALOGUES * 7;

/// A folder with a benchmark in `bench` and a model in `alpha` that nobody has judged.
fn suite() -> Folder {
    let dialogues = (0..NUM_DIALOGUES).map(|idx| Dialogue {
        idx,
        num_pictures: 2,
        num_texts: 1,
    });
    Folder::weave(dialogues)
}

/// Writes requests for an engine and reads the lines of the file.
#[track_caller]
fn requested(suite: &Folder, words: &str) -> Vec<Value> {
    let command = format!("requests bench alpha --out batch.jsonl {words}");
    let (code, _, said) = suite.run(&command);
    assert_eq!(code, 0, "{said}");
    let text = std::fs::read_to_string(suite.path("batch.jsonl")).unwrap();
    assert!(text.ends_with('\n'));
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[track_caller]
fn scored(suite: &Folder, replies: &str) -> Value {
    let (code, out, said) = suite.run(&format!("score bench alpha {replies}"));
    assert_eq!(code, 0, "{said}");
    serde_json::from_str(&out).unwrap()
}

fn problems_in(suite: &Folder, folder: &str) -> Vec<Value> {
    let (_, out, _) = suite.run(&format!("inspect bench alpha {folder}"));
    let found: Value = serde_json::from_str(&out).unwrap();
    found["problems"].as_array().unwrap().clone()
}

fn keys(value: &Value) -> Vec<&str> {
    let mut keys: Vec<&str> = value
        .as_object()
        .map(|map| map.keys().map(String::as_str).collect())
        .unwrap_or_default();
    keys.sort_unstable();
    keys
}

fn is_base64(text: &str) -> bool {
    let letters = text.trim_end_matches('=');
    let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'+' || byte == b'/';
    text.len().is_multiple_of(4)
        && text.len() - letters.len() <= 2
        && letters.bytes().all(is_letter)
}

/// What is wrong with a line by OpenAI's reference of batch input and of chat completions.
fn check_openai(line: &Value) -> Result<(), String> {
    let expect = |is_so: bool, what: &str| if is_so { Ok(()) } else { Err(what.to_owned()) };
    expect(keys(line) == ["body", "custom_id", "method", "url"], "keys")?;
    expect(line["method"] == "POST", "method")?;
    expect(line["url"] == "/v1/chat/completions", "url")?;
    let id = line["custom_id"].as_str().and_then(LineId::decode);
    expect(id.is_some(), "custom_id")?;
    let body = &line["body"];
    expect(
        body["model"]
            .as_str()
            .is_some_and(|model| !model.is_empty()),
        "model",
    )?;
    let messages = body["messages"].as_array().ok_or("messages")?;
    expect(!messages.is_empty(), "no message")?;
    for message in messages {
        let role = message["role"].as_str().unwrap_or_default();
        expect(["system", "user"].contains(&role), "role")?;
        for part in message["content"].as_array().ok_or("content")? {
            match part["type"].as_str() {
                Some("text") => expect(part["text"].is_string(), "text")?,
                Some("image_url") => check_picture(part["image_url"]["url"].as_str())?,
                _ => return Err("type of a part".to_owned()),
            }
        }
    }
    Ok(())
}

fn check_picture(url: Option<&str>) -> Result<(), String> {
    let url = url.ok_or("url of a picture")?;
    if let Some(path) = url.strip_prefix("file://") {
        let is_there = path.starts_with('/') && Path::new(path).is_file();
        return if is_there {
            Ok(())
        } else {
            Err(format!("no file {path}"))
        };
    }
    if url.starts_with("https://") {
        return Ok(());
    }
    let data = url.strip_prefix("data:image/").ok_or("no data URL")?;
    let (kind, base64) = data.split_once(";base64,").ok_or("not base64")?;
    let is_kind = ["png", "jpeg", "webp", "gif"].contains(&kind);
    if is_kind && is_base64(base64) {
        Ok(())
    } else {
        Err("picture".to_owned())
    }
}

/// The same by Gemini's reference of batch input and of `GenerateContentRequest`.
fn check_gemini(line: &Value) -> Result<(), String> {
    let expect = |is_so: bool, what: &str| if is_so { Ok(()) } else { Err(what.to_owned()) };
    expect(keys(line) == ["key", "request"], "keys")?;
    let id = line["key"].as_str().and_then(LineId::decode);
    expect(id.is_some(), "key")?;
    let known = [
        "contents",
        "generationConfig",
        "safetySettings",
        "systemInstruction",
    ];
    let request = &line["request"];
    expect(
        keys(request).iter().all(|key| known.contains(key)),
        "keys of the request",
    )?;
    for content in request["contents"].as_array().ok_or("contents")? {
        expect(content["role"] == "user", "role")?;
        for part in content["parts"].as_array().ok_or("parts")? {
            let inline = &part["inlineData"];
            let is_text = keys(part) == ["text"] && part["text"].is_string();
            let is_picture = keys(part) == ["inlineData"]
                && keys(inline) == ["data", "mimeType"]
                && inline["data"].as_str().is_some_and(is_base64);
            expect(is_text || is_picture, "part")?;
        }
    }
    Ok(())
}

#[track_caller]
fn all_are_valid(lines: &[Value], check: fn(&Value) -> Result<(), String>, id: &str) {
    let mut ids = HashSet::new();
    for line in lines {
        assert_eq!(check(line), Ok(()), "{line}");
        assert!(
            ids.insert(line[id].as_str().unwrap()),
            "twice: {}",
            line[id]
        );
    }
}

#[test]
fn every_line_of_every_engine_is_in_its_documented_form() {
    let suite = suite();
    for words in [
        "--engine openai",
        "--engine vllm --judge q --images inline",
        "--engine vllm --judge q --images file",
        "--engine openai --images https://host/pictures/",
    ] {
        let lines = requested(&suite, words);
        assert_eq!(lines.len(), NUM_REQUESTS, "{words}");
        all_are_valid(&lines, check_openai, "custom_id");
    }
    let lines = requested(
        &suite,
        "--engine gemini --judge gemini --judge-model gemini-2.5-flash",
    );
    assert_eq!(lines.len(), NUM_REQUESTS);
    all_are_valid(&lines, check_gemini, "key");
}

#[test]
fn the_checks_of_the_forms_find_what_is_wrong() {
    let suite = suite();
    let good = requested(&suite, "--engine openai").remove(0);
    assert_eq!(check_openai(&good), Ok(()));
    assert!(check_gemini(&good).is_err());
    let worse: [fn(&mut Value); 6] = [
        |line| line["method"] = json!("GET"),
        |line| line["custom_id"] = json!("request-1"),
        |line| line["body"]["model"] = json!(""),
        |line| line["body"]["messages"] = json!([]),
        |line| {
            line["body"]["messages"][0]["content"][1] =
                json!({"type": "image_url", "image_url": {"url": "data:image/png;base64,abc"}});
        },
        |line| line["extra"] = json!(1),
    ];
    for spoil in worse {
        let mut bad = good.clone();
        spoil(&mut bad);
        assert!(check_openai(&bad).is_err(), "{bad}");
    }
}

#[test]
fn the_benchmarks_own_judge_and_what_the_user_adds_are_in_the_body() {
    let suite = suite();
    let body = requested(&suite, "--engine openai").remove(0)["body"].clone();
    assert_eq!(body["model"], "gpt-4o-2024-08-06");
    assert_eq!(body["max_tokens"], 1400);
    assert!(body.get("temperature").is_none());
    // The authors send JPEG, so the first bytes are a JPEG's.
    let url = body["messages"][0]["content"][1]["image_url"]["url"]
        .as_str()
        .unwrap();
    assert!(
        url.starts_with("data:image/jpeg;base64,/9j/"),
        "{}",
        &url[..40]
    );
    let words = "--engine vllm --judge mine --judge-model Qwen/Q --temperature 0.2 --max-tokens 9 --extra {\"seed\":4} --runs 3";
    let lines = requested(&suite, words);
    assert_eq!(lines.len(), 3 * NUM_REQUESTS);
    all_are_valid(&lines, check_openai, "custom_id");
    let body = &lines[0]["body"];
    assert_eq!(
        (&body["model"], &body["seed"]),
        (&json!("Qwen/Q"), &json!(4))
    );
    assert_eq!(
        (&body["temperature"], &body["max_tokens"]),
        (&json!(0.2), &json!(9))
    );
    let runs: Vec<u32> = lines[..3]
        .iter()
        .map(|line| {
            LineId::decode(line["custom_id"].as_str().unwrap())
                .unwrap()
                .run
        })
        .collect();
    assert_eq!(runs, [1, 2, 3]);
    for (words, said) in [
        ("--engine gemini", "name the judge by --judge"),
        (
            "--engine gemini --judge gpt-4o",
            "is asked in the form of openai",
        ),
        ("--engine vllm", "name the judge by --judge"),
        (
            "--engine openai --temperature nan",
            "expected a number from 0",
        ),
        (
            "--engine openai --temperature=-1",
            "expected a number from 0",
        ),
        ("--engine openai --max-tokens 0", "0 is not in 1"),
        ("--engine openai --extra 3", "--extra is not a JSON object"),
        (
            "--engine openai --extra {\"messages\":[]}",
            "messages is filled by Juror",
        ),
    ] {
        let (code, _, words) = suite.run(&format!("requests bench alpha --out x.jsonl {words}"));
        assert_eq!(code, 2, "{words}");
        assert!(words.contains(said), "{words}");
    }
}

/// What the fake engine does with a line.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Fate {
    Answered(u32),
    Dropped,
    Failed,
}

/// Deals out one fate per line: 5 % dropped, 5 % failed.
fn fates(lines: &[Value], random: &mut Random) -> Vec<Fate> {
    let fate = |_: &Value| match random.below(20) {
        0 => Fate::Dropped,
        1 => Fate::Failed,
        // The scores that every criterion takes.
        _ => Fate::Answered([0, 5, 10][random.below(3)]),
    };
    lines.iter().map(fate).collect()
}

fn reply(score: u32) -> String {
    format!("```json\n{{\"score\": {score}, \"reasoning\": \"so\"}}\n```")
}

/// The lines that come back, out of order; every second failure is a refused request, the others never ran.
fn run_batch(lines: &[Value], fates: &[Fate], random: &mut Random) -> Vec<String> {
    let mut results = Vec::new();
    for (at, (line, fate)) in lines.iter().zip(fates).enumerate() {
        let is_gemini = line.get("key").is_some();
        let result = match (fate, is_gemini) {
            (Fate::Dropped, _) => continue,
            (Fate::Answered(score), false) => json!({
                "id": format!("batch_req_{at}"), "custom_id": line["custom_id"], "error": null,
                "response": {"status_code": 200, "request_id": "r", "body": {
                    "id": "c", "object": "chat.completion", "model": "m",
                    "choices": [{"index": 0, "message": {"role": "assistant", "content": reply(*score)}, "finish_reason": "stop"}],
                }},
            }),
            (Fate::Answered(score), true) => json!({
                "key": line["key"], "response": {
                    "candidates": [{"content": {"parts": [{"text": reply(*score)}], "role": "model"}, "finishReason": "STOP", "index": 0}],
                },
            }),
            (Fate::Failed, false) if at % 2 == 0 => json!({
                "id": "b", "custom_id": line["custom_id"], "response": {"status_code": 400, "body": {"error": {"message": "Bad image"}}}, "error": null,
            }),
            (Fate::Failed, false) => json!({
                "id": "b", "custom_id": line["custom_id"], "response": null, "error": {"code": "batch_expired", "message": "Too late"},
            }),
            (Fate::Failed, true) => {
                json!({"key": line["key"], "error": {"code": 13, "message": "Internal"}})
            }
        };
        results.push(result.to_string());
    }
    for at in (1..results.len()).rev() {
        results.swap(at, random.below(at + 1));
    }
    results
}

/// The same replies as a journal.
fn journal(lines: &[Value], fates: &[Fate]) -> String {
    let mut text = String::new();
    for (line, fate) in lines.iter().zip(fates) {
        let id = line["custom_id"].as_str().or(line["key"].as_str()).unwrap();
        let id = LineId::decode(id).unwrap();
        let (reply, error) = match fate {
            Fate::Dropped => continue,
            Fate::Answered(score) => (reply(*score), None),
            Fate::Failed => (String::new(), Some("failed")),
        };
        let record = json!({
            "format": "juror-journal/1", "protocol": id.protocol, "model": id.model, "sample": id.sample, "turn": id.turn,
            "criterion": id.criterion, "judge": id.judge, "run": id.run, "request": id.request, "prompts": id.prompts, "reply": reply, "error": error,
        });
        text += &record.to_string();
        text.push('\n');
    }
    text
}

/// Scores, samples and kinds of incidents of a report; words about incidents name the files they are from.
fn numbers(report: &Value) -> Value {
    let mut incidents = report["incidents"].clone();
    for incident in incidents.as_array_mut().unwrap() {
        incident.as_object_mut().unwrap().remove("detail");
    }
    json!([report["scores"], report["samples"], incidents])
}

fn num_incidents(report: &Value, kind: &str) -> usize {
    let incidents = report["incidents"].as_array().unwrap();
    let is_kind = |incident: &&Value| incident["kind"] == kind;
    incidents.iter().filter(is_kind).count()
}

#[test]
fn results_are_read_by_their_content_whatever_the_file_is_called() {
    let suite = suite();
    let lines = requested(&suite, "--engine openai --judge gpt-4o");
    let fates = vec![Fate::Answered(7); lines.len()];
    let results = run_batch(&lines, &fates, &mut Random::new(5));
    let text = results.join("\n");
    let list = format!("[{}]", results.join(", "));
    let pretty = |value: &str| {
        let value: Value = serde_json::from_str(value).unwrap();
        serde_json::to_string_pretty(&value).unwrap()
    };
    let each_pretty: Vec<String> = results.iter().map(|line| pretty(line)).collect();
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    std::io::Write::write_all(&mut gzip, text.as_bytes()).unwrap();
    let marked = format!("\u{feff}{text}");
    let utf16: Vec<u8> = marked.encode_utf16().flat_map(u16::to_le_bytes).collect();
    suite.write("plain.jsonl", text.as_bytes());
    let wanted = numbers(&scored(&suite, "--replies plain.jsonl"));
    for (name, bytes) in [
        ("results.ndjson", text.clone().into_bytes()),
        ("results.txt", text.clone().into_bytes()),
        ("result.jsonl", text.clone().into_bytes()),
        ("batch_output", text.clone().into_bytes()),
        ("list.json", list.clone().into_bytes()),
        ("list.jsonl", pretty(&list).into_bytes()),
        ("pretty.jsonl", each_pretty.join("\n").into_bytes()),
        ("results.jsonl.gz", gzip.finish().unwrap()),
        ("utf16.jsonl", utf16),
    ] {
        suite.write(name, &bytes);
        let found = numbers(&scored(&suite, &format!("--replies {name}")));
        assert_eq!(found, wanted, "{name}");
    }
}

#[test]
fn a_file_of_replies_that_holds_none_is_an_error_that_names_it() {
    let suite = suite();
    suite.write("notes.txt", b"The judge was asked on Monday.\n");
    suite.write("other.jsonl", b"{\"step\": 1, \"loss\": 0.5}\n");
    for name in ["notes.txt", "other.jsonl"] {
        let (code, out, said) = suite.run(&format!("score bench alpha --replies {name}"));
        assert_eq!((code, out.as_str()), (2, ""), "{name}: {said}");
        assert!(
            said.contains(name) && said.contains("was not read"),
            "{said}"
        );
    }
}

#[test]
fn an_empty_file_of_replies_is_an_error_unless_another_one_has_some() {
    let suite = suite();
    let lines = requested(&suite, "--engine openai");
    let fates = vec![Fate::Answered(7); lines.len()];
    let results = run_batch(&lines, &fates, &mut Random::new(1));
    suite.write("results.jsonl", results.join("\n").as_bytes());
    suite.write("errors.jsonl", b"");
    for named in ["errors.jsonl", "/dev/null"] {
        let (code, out, said) = suite.run(&format!("score bench alpha --replies {named}"));
        assert_eq!((code, out.as_str()), (2, ""), "{named}: {said}");
        assert!(said.contains("was not read"), "{said}");
        let both = format!("--replies results.jsonl --replies {named}");
        let alone = numbers(&scored(&suite, "--replies results.jsonl"));
        assert_eq!(numbers(&scored(&suite, &both)), alone, "{named}");
    }
}

#[test]
fn a_reply_that_was_cut_off_has_no_score_in_either_profile() {
    let suite = suite();
    let lines = requested(&suite, "--engine openai --judge gpt-4o");
    let fates = vec![Fate::Answered(7); lines.len()];
    let results = run_batch(&lines, &fates, &mut Random::new(6));
    let cut: Vec<String> = results
        .iter()
        .enumerate()
        .map(|(at, line)| match at {
            0 => line.replace("\"finish_reason\":\"stop\"", "\"finish_reason\":\"length\""),
            _ => line.clone(),
        })
        .collect();
    assert_ne!(cut, results);
    suite.write("cut.jsonl", cut.join("\n").as_bytes());
    for profile in ["paper", "released"] {
        let report = scored(&suite, &format!("--profile {profile} --replies cut.jsonl"));
        assert_eq!(num_incidents(&report, "failed_call"), 1, "{profile}");
        let incidents = report["incidents"].to_string();
        assert!(incidents.contains("cut off (length"), "{incidents}");
    }
}

#[test]
fn a_batch_that_comes_back_shuffled_with_gaps_and_errors_scores_as_the_same_journal() {
    let suite = suite();
    for (seed, words, split) in [
        (1, "--engine openai --judge gpt-4o", true),
        (
            2,
            "--engine vllm --judge Qwen/Qwen3-VL --images file",
            false,
        ),
        (3, "--engine gemini --judge gemini-2.5-flash", false),
    ] {
        let lines = requested(&suite, words);
        let mut random = Random::new(seed);
        let fates = fates(&lines, &mut random);
        let count = |wanted: Fate| fates.iter().filter(|fate| **fate == wanted).count();
        let (dropped, failed) = (count(Fate::Dropped), count(Fate::Failed));
        assert!(
            dropped > 0 && failed > 0,
            "the seed gives no fault of each kind"
        );
        let results = run_batch(&lines, &fates, &mut random);
        // OpenAI gives errors in a file of their own.
        let (errors, outputs): (Vec<&String>, Vec<&String>) = results
            .iter()
            .partition(|line| split && line.contains("\"response\":null"));
        let text = |lines: Vec<&String>| {
            let lines: Vec<&str> = lines.into_iter().map(String::as_str).collect();
            lines.join("\n")
        };
        suite.write("results.jsonl", text(outputs).as_bytes());
        suite.write("errors.jsonl", text(errors).as_bytes());
        suite.write("same_journal.jsonl", journal(&lines, &fates).as_bytes());

        let by_batch = scored(&suite, "--replies results.jsonl --replies errors.jsonl");
        let by_journal = scored(&suite, "--replies same_journal.jsonl");
        assert_eq!(numbers(&by_batch), numbers(&by_journal));
        assert_eq!(num_incidents(&by_batch, "missing_reply"), dropped);
        assert_eq!(num_incidents(&by_batch, "failed_call"), failed);
        assert_eq!(
            by_batch["incidents"].as_array().unwrap().len(),
            dropped + failed
        );

        // What is still missing is asked again, and nothing else.
        let (code, _, said) = suite.run(&format!(
            "requests bench alpha results.jsonl errors.jsonl --missing --out again.jsonl {words}"
        ));
        assert_eq!(code, 0, "{said}");
        let again = std::fs::read_to_string(suite.path("again.jsonl")).unwrap();
        let ids = |line: &Value| {
            line["custom_id"]
                .as_str()
                .or(line["key"].as_str())
                .unwrap()
                .to_owned()
        };
        let is_open = |fate: &Fate| !matches!(fate, Fate::Answered(_));
        let open = lines.iter().zip(&fates).filter(|(_, fate)| is_open(fate));
        let open: Vec<String> = open.map(|(line, _)| ids(line)).collect();
        let again: Vec<String> = again
            .lines()
            .map(|line| ids(&serde_json::from_str(line).unwrap()))
            .collect();
        assert_eq!(again, open);

        // One other score is another report.
        let at = fates
            .iter()
            .position(|fate| matches!(fate, Fate::Answered(_)))
            .unwrap();
        let mut other = fates.clone();
        let Fate::Answered(score) = fates[at] else {
            continue;
        };
        other[at] = Fate::Answered(if score == 10 { 5 } else { 10 });
        suite.write("other_journal.jsonl", journal(&lines, &other).as_bytes());
        let by_other = scored(&suite, "--replies other_journal.jsonl");
        assert_ne!(numbers(&by_batch), numbers(&by_other));
    }
}

#[test]
fn repeated_unknown_and_half_lines_are_problems_that_name_file_and_line() {
    let suite = suite();
    let lines = requested(&suite, "--engine openai");
    let fates = vec![Fate::Answered(7); lines.len()];
    let results = run_batch(&lines, &fates, &mut Random::new(1));
    let half = &results[4][..results[4].len() / 2];
    let foreign = results[5].replace("juror1/", "other/");
    let stray = results[6].replace("/alpha/", "/alpha/99"); // another sample
    let text = [
        &results[0],
        &results[1],
        &results[0],
        half,
        &foreign,
        &stray,
    ]
    .map(|line| format!("{line}\n"));
    suite.write("replies/results.jsonl", text.concat().as_bytes());
    let problems = problems_in(&suite, "replies");
    let found: Vec<(&str, &str)> = problems
        .iter()
        .filter(|problem| problem["path"] == "replies/results.jsonl")
        .map(|problem| {
            (
                problem["code"].as_str().unwrap(),
                problem["place"].as_str().unwrap(),
            )
        })
        .collect();
    for expected in [
        ("repeated_reply", "line 3"),
        ("bad_line", "line 4"),
        ("bad_line", "line 5"),
        ("unknown_id", "line 6"),
    ] {
        assert!(
            found.contains(&expected),
            "{expected:?} is not among {found:?}"
        );
    }
    assert_eq!(found.len(), 4, "{found:?}");
    // Without those lines there is nothing to say.
    suite.write(
        "replies/results.jsonl",
        [&*results[0], "\n", &*results[1]].concat().as_bytes(),
    );
    let problems = problems_in(&suite, "replies");
    assert!(
        problems
            .iter()
            .all(|problem| problem["path"] != "replies/results.jsonl"),
        "{problems:?}"
    );
}

#[test]
fn the_file_that_was_sent_is_no_file_of_replies() {
    let suite = suite();
    requested(&suite, "--engine openai");
    let sent = std::fs::read(suite.path("batch.jsonl")).unwrap();
    suite.write("replies/batch.jsonl", &sent);
    let problems = problems_in(&suite, "replies");
    assert!(
        problems
            .iter()
            .all(|problem| problem["path"] != "replies/batch.jsonl"),
        "{problems:?}"
    );
}

#[test]
fn requests_about_pictures_that_are_missing_no_pictures_or_damaged_are_left_out_alike() {
    let suite = suite();
    // The header is whole, what follows is not.
    let mut broken = tiny_png(9);
    broken[44..50].fill(0xff);
    suite.write("alpha/imgs/d0_2.png", &broken);
    suite.write("alpha/imgs/d1_2.png", b"no picture");
    std::fs::remove_file(suite.path("alpha/imgs/d2_2.png")).unwrap();
    let (code, _, said) = suite.run("requests bench alpha --engine openai --out batch.jsonl");
    assert_eq!(code, 0, "{said}");
    assert!(said.contains("9 requests have no output"), "{said}");
    let text = std::fs::read_to_string(suite.path("batch.jsonl")).unwrap();
    assert_eq!(text.lines().count(), NUM_REQUESTS - 9);
}

#[test]
fn an_error_that_echoes_a_key_does_not_carry_it_into_the_report() {
    let suite = suite();
    let line = requested(&suite, "--engine openai").remove(0);
    let key = "sk-proj-planted0123456789";
    let result = json!({
        "custom_id": line["custom_id"],
        "response": {"status_code": 401, "body": {"error": {"message": format!("Incorrect API key provided: {key}."), "code": "invalid_api_key"}}},
        "error": null,
    });
    suite.write("results.jsonl", result.to_string().as_bytes());
    let report = scored(&suite, "--replies results.jsonl").to_string();
    assert!(!report.contains("planted"), "{report}");
    assert!(report.contains("bad_key"), "{report}");
    assert!(!redact(key).contains("planted"));
}

/// The same replies under the headings of a sheet.
fn sheet(lines: &[Value], fates: &[Fate]) -> String {
    let mut text = "Put each reply under its heading.\n\n".to_owned();
    for (line, fate) in lines.iter().zip(fates) {
        let id = line["custom_id"].as_str().unwrap();
        writeln!(text, "===== {id} =====\n").unwrap();
        if let Fate::Answered(score) = fate {
            writeln!(text, "{}\n", reply(*score)).unwrap();
        }
    }
    text
}

#[test]
fn a_filled_in_sheet_scores_as_the_batch_file_with_the_same_replies() {
    let suite = suite();
    let lines = requested(&suite, "--engine openai --judge gpt-4o");
    let mut fates = vec![Fate::Answered(5); lines.len()];
    fates[3] = Fate::Answered(10);
    fates[8] = Fate::Dropped;
    let results = run_batch(&lines, &fates, &mut Random::new(4));
    suite.write("results.jsonl", results.join("\n").as_bytes());
    suite.write("replies.txt", sheet(&lines, &fates).as_bytes());
    let by_batch = numbers(&scored(&suite, "--replies results.jsonl"));
    assert_eq!(by_batch, numbers(&scored(&suite, "--replies replies.txt")));
    fates[3] = Fate::Answered(0);
    suite.write("replies.txt", sheet(&lines, &fates).as_bytes());
    assert_ne!(by_batch, numbers(&scored(&suite, "--replies replies.txt")));
}

#[test]
fn replies_to_a_picture_that_was_changed_are_kept_and_do_not_count() {
    let suite = suite();
    let lines = requested(&suite, "--engine openai --judge gpt-4o");
    let fates = vec![Fate::Answered(5); lines.len()];
    suite.write("kept.jsonl", journal(&lines, &fates).as_bytes());
    let unchanged = scored(&suite, "--replies kept.jsonl --check-requests");
    assert_eq!(num_incidents(&unchanged, "missing_reply"), 0);
    assert_eq!(
        numbers(&unchanged),
        numbers(&scored(&suite, "--replies kept.jsonl"))
    );

    // The last output of the last dialogue: no other request shows it.
    let last = lines.last().unwrap()["custom_id"].as_str().unwrap();
    let last = LineId::decode(last).unwrap();
    let dialogue = Dialogue {
        idx: NUM_DIALOGUES - 1,
        num_pictures: 2,
        num_texts: 1,
    };
    assert_eq!(last.sample, dialogue.idx.to_string());
    suite.write(&format!("alpha/imgs/{}", dialogue.picture(3)), &tiny_png(3));
    let changed = scored(&suite, "--replies kept.jsonl --check-requests");
    let stale = num_incidents(&changed, "missing_reply");
    assert!(stale > 0 && stale < 7, "{stale} replies are stale");
    let said = changed["provenance"]["problems"].to_string();
    assert!(
        said.contains("stale_replies") && said.contains("gpt-4o"),
        "{said}"
    );
    assert!(said.contains(&format!("{stale} repl")), "{said}");
    // Without the check nobody can know.
    let unchecked = scored(&suite, "--replies kept.jsonl");
    assert_eq!(numbers(&unchecked), numbers(&unchanged));

    // A reply to the request as it is now stands, though it comes later.
    let again = requested(&suite, "--engine openai --judge gpt-4o");
    suite.write(
        "later.jsonl",
        journal(&again, &vec![Fate::Answered(10); again.len()]).as_bytes(),
    );
    let both = scored(
        &suite,
        "--replies kept.jsonl --replies later.jsonl --check-requests",
    );
    assert_eq!(num_incidents(&both, "missing_reply"), 0);
    assert_ne!(numbers(&both), numbers(&unchanged));
}

#[test]
fn anchors_are_compared_with_the_stored_replies_and_never_counted() {
    let suite = suite();
    let lines = requested(&suite, "--engine openai --judge gpt-4o");
    let kept = journal(&lines, &vec![Fate::Answered(5); lines.len()]);
    let mut anchors = String::new();
    for (at, line) in kept.lines().take(4).enumerate() {
        let mut record: Value = serde_json::from_str(line).unwrap();
        record["anchor"] = json!("2026-02-03T00:00:00Z");
        record["reply"] = json!(reply(if at == 0 { 9 } else { 5 }));
        writeln!(anchors, "{record}").unwrap();
    }
    suite.write("kept.jsonl", kept.as_bytes());
    suite.write("anchors.jsonl", anchors.as_bytes());
    let without = scored(&suite, "--replies kept.jsonl");
    let with = scored(&suite, "--replies kept.jsonl --replies anchors.jsonl");
    assert_eq!(numbers(&without), numbers(&with));
    assert_eq!(without["provenance"]["judges"][0]["anchors"], json!([]));
    let drifts = with["provenance"]["judges"][0]["anchors"]
        .as_array()
        .unwrap();
    let sum = |key: &str| {
        drifts
            .iter()
            .map(|drift| drift[key].as_u64().unwrap())
            .sum::<u64>()
    };
    assert_eq!((sum("n"), sum("equal"), sum("unpaired")), (4, 3, 0));
    let largest = drifts
        .iter()
        .filter_map(|drift| drift["largest"].as_f64())
        .fold(0.0, f64::max);
    assert!((largest - 4.0).abs() < 1e-12, "9 beside 5: {largest}");
}

/// The samples that the lines ask about.
fn samples_of(lines: &[Value]) -> HashSet<String> {
    let id = |line: &Value| line["custom_id"].as_str().unwrap().to_owned();
    let sample = |id: String| id.split('/').nth(6).unwrap().to_owned();
    lines.iter().map(id).map(sample).collect()
}

#[test]
fn requests_of_a_subset_are_those_of_so_many_samples_and_a_larger_one_contains_them() {
    let suite = suite();
    let few = requested(&suite, "--engine openai --per all=3 --seed 5");
    assert_eq!(few.len(), 3 * 7);
    let few = samples_of(&few);
    assert_eq!(few.len(), 3);
    let more = samples_of(&requested(&suite, "--engine openai --per all=6 --seed 5"));
    assert!(
        more.len() == 6 && more.is_superset(&few),
        "{more:?} {few:?}"
    );
    let other = samples_of(&requested(&suite, "--engine openai --per all=3 --seed 6"));
    assert_ne!(other, few);
    let named = requested(&suite, "--engine openai --filter id:3");
    assert_eq!(samples_of(&named), HashSet::from(["3".to_owned()]));
    for (words, said_is) in [
        ("--per tasks", "task=30"),
        ("--per nothing=2", "nothing"),
        ("--filter nothing:2", "nothing"),
    ] {
        let command = format!("requests bench alpha --out bad.jsonl --engine openai {words}");
        let (code, _, said) = suite.run(&command);
        assert!(code != 0 && said.contains(said_is), "{words}: {said}");
    }
}

#[test]
fn an_empty_sheet_of_ratings_has_the_samples_that_requests_have_of_the_same_subset() {
    let suite = suite();
    let asked = samples_of(&requested(&suite, "--engine openai --per all=3 --seed 5"));
    let words = "agreement bench alpha --template sheet.csv --per all=3 --seed 5";
    let (code, _, said) = suite.run(words);
    assert_eq!(code, 0, "{said}");
    let sheet = std::fs::read_to_string(suite.path("sheet.csv")).unwrap();
    let sample = |line: &str| line.split(',').next().unwrap().to_owned();
    let rated: HashSet<String> = sheet.lines().skip(1).map(sample).collect();
    assert_eq!(rated, asked);
    for (words, said_is) in [
        ("--per all=3", "--per goes with --template"),
        ("--template none.csv --per nothing=2", "nothing"),
    ] {
        let (code, _, said) = suite.run(&format!("agreement bench alpha {words}"));
        assert!(code != 0 && said.contains(said_is), "{words}: {said}");
    }
}
