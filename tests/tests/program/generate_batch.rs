//! `juror generate` by batch files: what is written is what a direct run sends, and results come back as its outputs.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeMap;
use std::io::Write as _;

use juror_judging::base64;
use juror_judging::generating::{self, LineId, Record, State};
use juror_tests::generate::tiny_png;
use juror_tests::program::Folder;
use serde_json::{Value, json};

use super::generate::{chain, gemini, made, questions, suite};
use super::service::Service;

fn words(wire: &str, more: &str) -> String {
    let words = format!("generate bench --wire {wire} --model gen --out out {more}");
    words.trim_end().to_owned()
}

#[track_caller]
fn run(suite: &Folder, words: &str, code: i32) -> String {
    let (found, out, said) = suite.run(words);
    assert_eq!(found, code, "{out}\n{said}");
    said
}

/// Writes a batch file and reads its lines; none where no file was written.
#[track_caller]
fn batch(suite: &Folder, wire: &str, more: &str, code: i32) -> (Vec<Value>, String) {
    let _ = std::fs::remove_file(suite.path("batch.jsonl"));
    let said = run(
        suite,
        &words(wire, &format!("--batch batch.jsonl {more}")),
        code,
    );
    let text = std::fs::read_to_string(suite.path("batch.jsonl")).unwrap_or_default();
    let lines = text.lines().map(|line| serde_json::from_str(line).unwrap());
    (lines.collect(), said)
}

/// Writes results, and takes them in.
#[track_caller]
fn taken(suite: &Folder, wire: &str, results: &[Value], (more, code): (&str, i32)) -> String {
    let lines: Vec<String> = results.iter().map(|line| format!("{line}\n")).collect();
    suite.write("results.jsonl", lines.concat().as_bytes());
    run(
        suite,
        &words(wire, &format!("--replies results.jsonl {more}")),
        code,
    )
}

fn picture(bytes: &[u8]) -> Value {
    let part = json!({"inlineData": {"mimeType": "image/png", "data": base64(bytes)}});
    json!({"candidates": [{"content": {"parts": [part]}, "finishReason": "STOP"}]})
}

fn id(line: &Value) -> LineId {
    let key = line.get("key").or(line.get("custom_id")).unwrap();
    LineId::decode(key.as_str().unwrap()).unwrap()
}

fn records(suite: &Folder, model: &str) -> Vec<Record> {
    let path = suite.path(&format!("out/{model}.generate.jsonl"));
    let text = std::fs::read_to_string(path).unwrap_or_default();
    let (records, bad) = generating::read(&text);
    assert_eq!(bad, None);
    records
}

/// Records by what they are about, without what is the run's own.
fn plain_of(records: &[Record]) -> BTreeMap<(String, u32, String), Record> {
    let plain = |record: &Record| Record {
        model: String::new(),
        host: String::new(),
        time: String::new(),
        seconds: 0.0,
        ..record.clone()
    };
    let key = |record: &Record| {
        let state = format!("{:?}", record.state);
        (record.sample.clone(), record.turn, state)
    };
    records.iter().map(|one| (key(one), plain(one))).collect()
}

#[test]
fn results_of_a_batch_file_become_the_files_and_records_of_a_direct_run_and_count_once() {
    let suite = suite();
    let service = Service::start(|_, seen| Some(gemini(&made(seen.body.len() % 90))));
    let address = service.address;
    let direct = format!("--base http://{address} --name direct --concurrency 1");
    run(&suite, &words("gemini", &direct), 0);
    let (lines, said) = batch(&suite, "gemini", "", 0);
    assert!(said.contains("batch.jsonl: 12 requests"), "{said}");
    // What is asked is what a direct run sends.
    let sent: Vec<Value> = (service.seen().iter())
        .map(|seen| serde_json::from_str(&seen.body).unwrap())
        .collect();
    assert_eq!(lines.len(), sent.len());
    for line in &lines {
        assert!(sent.contains(&line["request"]), "{line}");
        assert_eq!(line.as_object().unwrap().len(), 2);
    }
    let mut results: Vec<Value> = (lines.iter())
        .map(|line| {
            let bytes = made(line["request"].to_string().len() % 90);
            json!({"key": line["key"], "response": picture(&bytes)})
        })
        .collect();
    results.reverse();
    results.push(results[3].clone());
    let said = taken(&suite, "gemini", &results, ("", 0));
    assert!(
        said.contains("12 of 12 outputs made of these results"),
        "{said}"
    );
    assert!(
        said.contains("1 result was taken in before and is not counted again"),
        "{said}"
    );
    assert_eq!(
        plain_of(&records(&suite, "gen")),
        plain_of(&records(&suite, "direct"))
    );
    for record in records(&suite, "direct") {
        let [own, other] = ["gen", "direct"]
            .map(|model| std::fs::read(suite.path(&format!("out/{model}/{}", record.file))));
        assert_eq!(own.unwrap(), other.unwrap());
    }
    // A second time nothing comes of them, and nothing is left to ask, directly or by a file.
    let before = records(&suite, "gen");
    let said = taken(&suite, "gemini", &results, ("", 0));
    assert!(said.contains("13 results were taken in before"), "{said}");
    assert_eq!(records(&suite, "gen"), before);
    let (lines, said) = batch(&suite, "gemini", "", 0);
    assert!(
        lines.is_empty() && said.contains("12 made already"),
        "{said}"
    );
    assert_eq!(service.seen().len(), 12);
    // Of another request than the one of now nothing is taken.
    let other = "--name other --extra {\"seed\":4}";
    let renamed: Vec<Value> = (results.iter().take(1))
        .map(|line| json!({"key": LineId { model: "other".to_owned(), ..id(line) }.encode(), "response": line["response"]}))
        .collect();
    let said = taken(&suite, "gemini", &renamed, (other, 1));
    assert!(
        said.contains("line 1: it answers another request than the one of now"),
        "{said}"
    );
    assert!(records(&suite, "other").is_empty());
}

#[test]
fn what_fails_in_a_batch_is_named_by_its_line_and_a_later_file_asks_only_for_the_rest() {
    let suite = suite();
    let (lines, _) = batch(&suite, "gemini", "", 0);
    let key = |at: usize| lines[at]["key"].clone();
    let mut results: Vec<Value> = (lines.iter().skip(3))
        .map(|line| json!({"key": line["key"], "response": picture(&made(1))}))
        .collect();
    let blocked = json!({"promptFeedback": {"blockReason": "SAFETY"}});
    results.push(json!({"key": key(0), "response": blocked}));
    results.push(json!({"key": key(1), "error": {"code": 13, "message": "Internal"}}));
    results.push(json!({"key": "mine", "response": {}}));
    results.push(lines[2].clone());
    results.push(json!(7));
    let said = taken(&suite, "gemini", &results, ("", 1));
    assert!(said.contains("9 of 12 outputs made"), "{said}");
    for line in [
        "results.jsonl, line 12: mine is no request of juror generate",
        "results.jsonl, line 13: it is a request that was not run",
        "results.jsonl, line 14: expected a result with custom_id or key",
        "missing: sample 0, turn 1: content_filter: ",
        "missing: sample 0, turn 2: server: 13: Internal",
        "missing: sample 0, turn 3: no line of the results answers it",
    ] {
        assert!(said.contains(line), "{line}: {said}");
    }
    let kept = records(&suite, "gen");
    let of = |state: State| kept.iter().filter(|record| record.state == state).count();
    assert_eq!((of(State::Made), of(State::GivenUp)), (9, 2));
    // Errors are not written down a second time either.
    taken(&suite, "gemini", &results, ("", 1));
    assert_eq!(records(&suite, "gen"), kept);
    // The declined one is asked again only where that is meant.
    let (later, _) = batch(&suite, "gemini", "", 1);
    assert_eq!(later, lines[1..3]);
    let (again, _) = batch(&suite, "gemini", "--again", 0);
    assert_eq!(again, lines[..3]);
    // What a service packed is read as well, and what is no file of results is named.
    let results = later
        .iter()
        .map(|line| json!({"key": line["key"], "response": picture(&made(2))}));
    let text: Vec<String> = results.map(|line| format!("{line}\n")).collect();
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(text.concat().as_bytes()).unwrap();
    suite.write("results.jsonl.gz", &packed.finish().unwrap());
    let said = run(&suite, &words("gemini", "--replies results.jsonl.gz"), 1);
    assert!(said.contains("2 of 2 outputs made"), "{said}");
    for (content, why) in [
        ("", "results.jsonl is empty"),
        ("Notes.\n", "line 1: it is not JSON"),
    ] {
        suite.write("results.jsonl", content.as_bytes());
        let (code, _, said) = suite.run(&words("gemini", "--replies results.jsonl"));
        assert!(code > 0 && said.contains(why), "{said}");
    }
}

#[test]
fn a_dialogue_with_its_own_history_is_one_turn_in_each_batch_file() {
    let suite = chain();
    for turn in 0..3 {
        let (lines, said) = batch(&suite, "gemini", "--vary history=own", 0);
        let [line] = &lines[..] else {
            panic!("{lines:?}")
        };
        assert_eq!((id(line).turn, id(line).is_leaked), (turn, false));
        assert_eq!(said.contains("shown what these make"), turn < 2, "{said}");
        if turn > 0 {
            let before = base64(&made(turn as usize - 1));
            assert!(
                line.to_string().contains(&before)
                    && !line.to_string().contains(&base64(&tiny_png(201)))
            );
        }
        let result = json!({"key": line["key"], "response": picture(&made(turn as usize))});
        let code = i32::from(turn < 2);
        taken(&suite, "gemini", &[result], ("--vary history=own", code));
    }
    assert!(suite.path("out/gen@history=own/imgs/d_3.png").is_file());
}

#[test]
fn openai_takes_words_in_a_batch_file_and_requests_with_pictures_are_named() {
    let suite = questions();
    let (lines, said) = batch(&suite, "openai", "", 1);
    let [line] = &lines[..] else {
        panic!("{lines:?}")
    };
    assert_eq!(
        [&line["url"], &line["method"]],
        ["/v1/images/generations", "POST"]
    );
    assert_eq!(
        line["body"],
        json!({"model": "gen", "prompt": "Draw a hat."})
    );
    for turn in [2, 4] {
        let named = format!(
            "missing: sample 1, turn {turn}: a picture goes with the request, which this service takes as a form"
        );
        assert!(said.contains(&named), "{said}");
    }
    let body = json!({"created": 1_767_268_800, "data": [{"b64_json": base64(&made(5))}]});
    let result = json!({"custom_id": line["custom_id"], "response": {"status_code": 200, "body": body}, "error": null});
    let said = taken(&suite, "openai", &[result], ("", 1));
    assert!(said.contains("1 of 3 outputs made"), "{said}");
    let bytes = std::fs::read(suite.path("out/gen/imgs/d_1.png")).unwrap();
    assert_eq!(bytes, made(5));
    assert!(
        records(&suite, "gen")
            .iter()
            .all(|record| record.time == "2026-01-01T12:00:00Z")
    );
    // Texts are another address, so that they are files of their own; Gemini has one for both.
    let (_, said) = batch(&suite, "openai", "--turns all --name both", 2);
    assert!(
        said.contains("write --turns pictures and --turns texts into files of their own"),
        "{said}"
    );
    let (lines, _) = batch(&suite, "openai", "--turns texts", 0);
    assert_eq!(lines.len(), 2);
    let results: Vec<Value> = (lines.iter())
        .map(|line| {
            assert_eq!(line["url"], "/v1/chat/completions");
            let body =
                json!({"choices": [{"message": {"content": "Red."}, "finish_reason": "stop"}]});
            json!({"custom_id": line["custom_id"], "response": {"status_code": 200, "body": body}})
        })
        .collect();
    taken(&suite, "openai", &results, ("--turns texts", 0));
    let text = std::fs::read_to_string(suite.path("out/gen/imgs/d_1_2.txt")).unwrap();
    assert_eq!(text, "Red.");
    let (lines, _) = batch(&suite, "gemini", "--turns all --name g", 0);
    assert_eq!(lines.len(), 5);
    // A file that is to be written and one that is taken in are two runs.
    run(
        &suite,
        &words("openai", "--batch a.jsonl --replies b.jsonl"),
        2,
    );
}
