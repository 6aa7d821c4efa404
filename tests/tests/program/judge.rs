//! `juror judge` and a service on this machine: what that is sent, what is kept of its answers, and what is asked again.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::{BTreeMap, BTreeSet};
use std::process::Stdio;

use juror_judging::journal::{Record, read_records};
use juror_tests::generate::Dialogue;
use juror_tests::program::{Folder, demos};
use serde_json::{Value, json};

use super::service::{self, Seen, Service};

/// Twelve dialogues of two pictures, of which no request is like another: 12 × 2 × 3.
const NUM_REQUESTS: usize = 72;
const KEY: &str = "sk-abc/DEF+123._x-9876543210";

/// A folder with a benchmark in `bench` and a model in `alpha` that nobody has judged.
fn suite() -> Folder {
    let dialogues = (0..12).map(|idx| Dialogue {
        idx,
        num_pictures: 2,
        num_texts: 0,
    });
    Folder::weave(dialogues)
}

/// What the service does with a request.
enum Answer {
    /// A reply of the judge.
    Reply(String),
    /// Something else: status, further headers and body.
    Other(u16, String, String),
    /// Nothing, for as long as it runs.
    Silence,
}

impl Service {
    /// A service as OpenAI's that answers the requests, which are numbered from 0, in this way.
    fn new(answer: impl Fn(usize, &str) -> Answer + Send + 'static) -> Self {
        Self::start(move |number, seen| written(answer(number, &seen.body)))
    }

    /// One whose judge gives the same score to everything.
    fn fair() -> Self {
        Self::new(|_, _| Answer::Reply(reply(5)))
    }

    /// The words of a command that asks it about the suite.
    fn words(&self, more: &str) -> String {
        self.words_on("bench alpha", more)
    }

    fn words_on(&self, dirs: &str, more: &str) -> String {
        let address = self.address;
        let words = format!(
            "judge {dirs} --wire openai --base http://{address}/v1 --model m --out j.jsonl {more}"
        );
        words.trim_end().to_owned()
    }
}

/// An answer as it is sent; `None` of none.
fn written(answer: Answer) -> Option<String> {
    let (status, headers, body) = match answer {
        Answer::Reply(text) => (200, String::new(), completion(&text)),
        Answer::Other(status, headers, body) => (status, headers, body),
        Answer::Silence => return None,
    };
    Some(service::answer(status, &headers, &body))
}

fn completion(text: &str) -> String {
    let value = json!({
        "id": "c", "object": "chat.completion", "model": "m-2026",
        "choices": [{"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 3000, "completion_tokens": 100},
    });
    value.to_string()
}

fn reply(score: usize) -> String {
    format!("```json\n{{\"score\": {score}, \"reasoning\": \"so\"}}\n```")
}

/// A score that hangs on what is asked.
fn score_of(body: &str) -> usize {
    let sum: usize = body.bytes().map(usize::from).sum();
    // What every criterion takes.
    [0, 5, 10][sum % 3]
}

fn text_of(suite: &Folder) -> String {
    std::fs::read_to_string(suite.path("j.jsonl")).unwrap()
}

/// The records of the journal, each of which can be read.
#[track_caller]
fn kept(suite: &Folder) -> Vec<Record> {
    let journal = read_records(&text_of(suite));
    assert!(journal.bad_lines.is_empty(), "{:?}", journal.bad_lines);
    journal
        .records
        .iter()
        .map(|(_, record)| record.to_record())
        .collect()
}

#[track_caller]
fn run(suite: &Folder, words: &str, code: i32) -> (String, String) {
    let (found, out, said) = suite.run(words);
    assert_eq!(found, code, "{out}\n{said}");
    (out, said)
}

/// Scores, samples and kinds of incidents of a report of one judge.
fn numbers(suite: &Folder, dirs: &str, replies: &str) -> Value {
    let (_, out, said) = suite.run(&format!("score {dirs} --judge m --replies {replies}"));
    let mut report: Value = serde_json::from_str(&out).unwrap_or_else(|_| panic!("{said}"));
    for incident in report["incidents"].as_array_mut().unwrap() {
        // It names the file.
        incident.as_object_mut().unwrap().remove("detail");
    }
    json!([report["scores"], report["samples"], report["incidents"]])
}

#[test]
fn a_suite_that_is_judged_scores_as_the_same_replies_that_are_put_in_by_file() {
    let suite = Folder::default();
    let dirs = demos().join("weave").display().to_string();
    let words = "--engine openai --judge m --judge-model m --out batch.jsonl";
    run(&suite, &format!("requests {dirs} {words}"), 0);
    let batch = std::fs::read_to_string(suite.path("batch.jsonl")).unwrap();
    let mut results = String::new();
    let mut asked = BTreeMap::new();
    for line in batch.lines() {
        let line: Value = serde_json::from_str(line).unwrap();
        let body = line["body"].to_string();
        let answer: Value = serde_json::from_str(&completion(&reply(score_of(&body)))).unwrap();
        let result = json!({"custom_id": line["custom_id"], "error": null, "response": {"status_code": 200, "body": answer}});
        results += &(result.to_string() + "\n");
        *asked.entry(body).or_default() += 1;
    }
    suite.write("results.jsonl", results.as_bytes());
    let service = Service::new(|_, body| {
        let body: Value = serde_json::from_str(body).unwrap();
        Answer::Reply(reply(score_of(&body.to_string())))
    });
    let (_, said) = run(&suite, &service.words_on(&dirs, "--yes"), 0);
    assert!(said.contains("239 of 239 answered"), "{said}");
    let bodies = service.bodies();
    let sent: BTreeMap<String, usize> = (bodies.into_iter())
        .map(|(body, count)| {
            (
                serde_json::from_str::<Value>(&body).unwrap().to_string(),
                count,
            )
        })
        .collect();
    assert_eq!(sent, asked);
    let judged = numbers(&suite, &dirs, "j.jsonl");
    assert_eq!(judged, numbers(&suite, &dirs, "results.jsonl"));
    assert!(judged[0].as_array().unwrap().len() > 3, "{judged}");
    // Another reply is another score.
    suite.write(
        "j.jsonl",
        text_of(&suite)
            .replacen("\"score\\\": ", "\"score\\\": 1", 1)
            .as_bytes(),
    );
    assert_ne!(judged, numbers(&suite, &dirs, "j.jsonl"));
}

#[test]
fn a_record_says_what_was_asked_with_what_and_who_answered() {
    let (suite, service) = (suite(), Service::fair());
    let words = "--limit 1 --judge mine --temperature 0 --max-tokens 90 --extra {\"seed\":4}";
    run(&suite, &service.words(words), 0);
    let [record] = kept(&suite).try_into().unwrap();
    assert_eq!((record.judge.as_str(), record.run), ("mine", 1));
    assert_eq!(record.answered_by.as_deref(), Some("m-2026"));
    assert_eq!((record.reply, record.error), (reply(5), None));
    assert!(record.request.is_some() && record.prompts.len() == 64);
    let params = record.params.unwrap();
    assert_eq!(
        (params.temperature, params.max_tokens),
        (Some(0.0), Some(90))
    );
    let body: Value = serde_json::from_str(&service.seen()[0].body).unwrap();
    assert_eq!(
        (&body["seed"], &body["max_tokens"]),
        (&json!(4), &json!(90))
    );
    // As browsers write it.
    let time = record.time;
    assert_eq!(
        (time.len(), time.ends_with('Z'), &time[19..20]),
        (24, true, ".")
    );
}

#[test]
fn a_service_that_asks_for_a_pause_is_asked_again_and_each_reply_counts_once() {
    let suite = suite();
    let service = Service::new(|number, _| match number {
        0 => Answer::Other(
            429,
            "retry-after: 0\r\n".to_owned(),
            "Slow down.".to_owned(),
        ),
        1 => Answer::Other(503, String::new(), "Busy.".to_owned()),
        _ => Answer::Reply(reply(5)),
    });
    let words = service.words("--limit 3 --concurrency 1");
    let (_, said) = run(&suite, &words, 0);
    assert!(said.contains("3 of 3 answered, 2 retries"), "{said}");
    assert_eq!(service.seen().len(), 5);
    assert_eq!(service.bodies().len(), 3);
    assert_eq!(kept(&suite).len(), 3);
}

#[test]
fn a_run_that_goes_on_with_a_journal_sends_nothing_twice() {
    let (suite, service) = (suite(), Service::fair());
    run(&suite, &service.words("--limit 5"), 0);
    assert_eq!(service.seen().len(), 5);
    run(&suite, &service.words(""), 0);
    let (_, said) = run(&suite, &service.words(""), 0);
    assert!(said.contains("there is nothing to ask"), "{said}");
    let bodies = service.bodies();
    assert_eq!(bodies.len(), NUM_REQUESTS);
    assert!(bodies.values().all(|count| *count == 1));
    assert_eq!(kept(&suite).len(), NUM_REQUESTS);
    // A reply that is taken out is asked for again, and nothing else.
    let text = text_of(&suite);
    let (first, rest) = text.split_once('\n').unwrap();
    suite.write("j.jsonl", rest.as_bytes());
    run(&suite, &service.words(""), 0);
    assert_eq!(service.seen().len(), NUM_REQUESTS + 1);
    let again = kept(&suite).pop().unwrap();
    let taken_out = read_records(first);
    let taken_out = taken_out.records.get(0).unwrap();
    assert_eq!(again.key(), taken_out.key());
}

#[test]
fn anchors_are_asked_again_first_and_marked() {
    let (suite, service) = (suite(), Service::fair());
    run(&suite, &service.words("--limit 9"), 0);
    run(&suite, &service.words("--anchors 2 --limit 1"), 0);
    assert_eq!(service.seen().len(), 12);
    let records = kept(&suite);
    let is_anchor: Vec<bool> = records.iter().map(|it| it.anchor.is_some()).collect();
    assert_eq!(is_anchor.iter().filter(|is_anchor| **is_anchor).count(), 2);
    assert!(is_anchor[..9].iter().all(|is_anchor| !is_anchor));
    // Anchors answer nothing that is open.
    let (_, said) = run(&suite, &service.words("--dry-run"), 0);
    assert!(said.contains("62 requests with"), "{said}");
}

#[test]
fn a_killed_run_loses_no_reply_and_meanwhile_no_other_writes_the_journal() {
    let suite = suite();
    let service = Service::new(|number, _| match number {
        6 => Answer::Silence,
        _ => Answer::Reply(reply(5)),
    });
    let mut command = suite.command(&service.words("--concurrency 1"));
    let mut child = command.stderr(Stdio::null()).spawn().unwrap();
    service.silent.recv().unwrap();
    let (_, said) = run(&suite, &service.words(""), 2);
    assert!(
        said.contains("j.jsonl is written by another juror judge"),
        "{said}"
    );
    child.kill().unwrap();
    child.wait().unwrap();
    let whole = text_of(&suite);
    assert_eq!(kept(&suite).len(), 6);
    // What a run leaves that is killed in the middle of a line.
    let half = &whole[..whole.find("\"reply\"").unwrap()];
    suite.write("j.jsonl", format!("{whole}{half}").as_bytes());
    let (_, said) = run(&suite, &service.words(""), 0);
    assert!(
        said.contains("j.jsonl ended in the middle of a line"),
        "{said}"
    );
    assert!(text_of(&suite).starts_with(&whole));
    let keys: BTreeSet<String> = kept(&suite)
        .iter()
        .map(|it| format!("{:?}", it.key()))
        .collect();
    assert_eq!(
        (kept(&suite).len(), keys.len()),
        (NUM_REQUESTS, NUM_REQUESTS)
    );
    // The one that was not answered was sent again, and no other.
    let twice = service.bodies().into_iter().filter(|(_, count)| *count > 1);
    let twice: Vec<(String, usize)> = twice.collect();
    assert_eq!(twice, [(service.seen()[6].body.clone(), 2)]);
}

#[test]
fn the_key_is_in_its_header_and_nowhere_else() {
    let suite = suite();
    let service = Service::new(|number, _| match number {
        0 => Answer::Other(
            400,
            String::new(),
            format!(r#"{{"error": {{"message": "Not {KEY}."}}}}"#),
        ),
        1 => Answer::Reply(format!("{} {KEY}", reply(5))),
        2 => Answer::Other(200, String::new(), format!("What about {KEY}?")),
        _ => Answer::Reply(reply(5)),
    });
    let words =
        service.words("--limit 5 --concurrency 1 --key-env JUROR_TEST_KEY --max-attempts 1");
    let mut command = suite.command(&words);
    command.env("JUROR_TEST_KEY", KEY);
    let (code, out, said) = Folder::ran(command);
    assert_eq!(code, 1, "{said}");
    let seen = service.seen();
    assert_eq!(seen.len(), 5);
    for Seen { head, body, .. } in &seen {
        assert!(
            head.to_lowercase()
                .contains(&format!("authorization: bearer {}\r\n", KEY.to_lowercase())),
            "{head}"
        );
        assert_eq!(head.matches(KEY).count(), 1);
        assert!(!body.contains(KEY));
    }
    let journal = text_of(&suite);
    for text in [out, said, journal.clone()] {
        assert!(!text.contains("9876543210"), "{text}");
    }
    assert_eq!(kept(&suite).len(), 5);
    assert_eq!(journal.matches("[key]").count(), 4, "{journal}");
}

#[test]
fn no_key_goes_to_a_service_that_was_not_named_for_it() {
    let (suite, service) = (suite(), Service::fair());
    let with_key = |words: &str| {
        let mut command = suite.command(words);
        command.env("OPENAI_API_KEY", KEY);
        Folder::ran(command)
    };
    let (code, _, said) = with_key(&service.words("--limit 1"));
    assert_eq!(code, 0, "{said}");
    let head = service.seen()[0].head.to_lowercase();
    assert!(!head.contains("authorization"), "{head}");
    let elsewhere =
        "judge bench alpha --wire openai --base https://host.invalid/v1 --model m --out k.jsonl";
    let (code, _, said) = with_key(elsewhere);
    assert_eq!(code, 2, "{said}");
    assert!(
        said.contains("holds the key of host.invalid by --key-env"),
        "{said}"
    );
    assert!(!suite.path("k.jsonl").exists());
}

#[test]
fn a_redirect_is_not_followed() {
    let (suite, other) = (suite(), Service::fair());
    let place = other.address;
    let service = Service::new(move |_, _| {
        let header = format!("location: http://{place}/v1/chat/completions\r\n");
        Answer::Other(307, header, String::new())
    });
    let words = service.words("--limit 1 --key-env JUROR_TEST_KEY");
    let mut command = suite.command(&words);
    command.env("JUROR_TEST_KEY", KEY);
    let (code, _, said) = Folder::ran(command);
    assert_eq!(code, 1, "{said}");
    assert!(
        said.contains("not_found: The server answers 307 and names another address"),
        "{said}"
    );
    assert_eq!((service.seen().len(), other.seen().len()), (1, 0));
}

#[test]
fn a_budget_stops_the_job_before_it_is_exceeded() {
    let (suite, service) = (suite(), Service::fair());
    // Each answer costs 3000 × 1 + 100 × 10 millionths.
    let words = "--input-price 1 --output-price 10 --max-tokens 100 --concurrency 3 --budget 0.02";
    let (_, said) = run(&suite, &service.words(words), 1);
    assert!(
        said.contains("The budget leaves no room for another call"),
        "{said}"
    );
    let num_seen = service.seen().len();
    assert!((1..=5).contains(&num_seen), "{num_seen}");
    assert_eq!(kept(&suite).len(), num_seen);
    let (_, said) = run(&suite, &service.words("--budget 1"), 2);
    assert!(said.contains("--input-price"), "{said}");
}

#[test]
fn a_reply_that_cannot_be_read_fails_the_run_and_is_named() {
    let suite = suite();
    let service = Service::new(|number, _| match number {
        1 => Answer::Reply("I like this picture very much.".to_owned()),
        _ => Answer::Reply(reply(5)),
    });
    let (_, said) = run(&suite, &service.words("--concurrency 1"), 1);
    let prose = kept(&suite).remove(1);
    let named = format!(
        "the reply cannot be read: model alpha, sample {}, turn {}, {}: ",
        prose.sample,
        prose.turn + 1,
        prose.criterion
    );
    assert_eq!(said.matches(&named).count(), 1, "{said}");
    assert!(said.contains("72 of 72 answered"), "{said}");
    // It was paid for, so it is not asked again of itself.
    let (_, said) = run(&suite, &service.words(""), 1);
    assert!(
        said.contains("1 reply that came earlier cannot be read"),
        "{said}"
    );
    assert_eq!(service.seen().len(), NUM_REQUESTS);
    run(&suite, &service.words("--which unparsable"), 0);
    assert_eq!(service.seen().len(), NUM_REQUESTS + 1);
    run(&suite, &service.words(""), 0);
}

#[test]
fn what_fails_is_named_and_what_was_paid_for_is_kept_whole() {
    let suite = suite();
    let broken = r#"{"model": "m", "choices": 3}"#;
    let service = Service::new(move |number, _| match number {
        0 => Answer::Other(200, String::new(), broken.to_owned()),
        1 => Answer::Other(
            400,
            String::new(),
            r#"{"error": {"message": "No such size."}}"#.to_owned(),
        ),
        _ => Answer::Reply(reply(5)),
    });
    let words = "--limit 3 --concurrency 1 --max-attempts 1";
    let (_, said) = run(&suite, &service.words(words), 1);
    assert!(said.contains("1 of 3 answered, 2 failed"), "{said}");
    let records = kept(&suite);
    let place = |record: &Record| {
        format!(
            "sample {}, turn {}, {}: ",
            record.sample,
            record.turn + 1,
            record.criterion
        )
    };
    for record in &records[..2] {
        let error = record.error.as_deref().unwrap();
        let line = format!("failed: model alpha, {}{error}", place(record));
        assert!(said.contains(&line), "{line}\n{said}");
    }
    assert_eq!(records[0].body.as_ref().unwrap().text, broken);
    assert_eq!(
        (&records[1].body, records[1].error.as_deref()),
        (&None, Some("bad_request: No such size."))
    );
    // Both are asked again.
    run(&suite, &service.words("--limit 2"), 0);
    let again = kept(&suite);
    let keys = |records: &[Record]| -> BTreeSet<String> { records.iter().map(place).collect() };
    assert_eq!(keys(&again[3..]), keys(&records[..2]));
}

#[test]
fn many_requests_need_a_yes_and_a_dry_run_sends_nothing() {
    let (suite, service) = (suite(), Service::fair());
    let dirs = demos().join("weave").display().to_string();
    let (_, said) = run(&suite, &service.words_on(&dirs, ""), 2);
    assert!(
        said.contains("239 requests are more than 200") && said.contains("--yes"),
        "{said}"
    );
    let prices = "--dry-run --input-price 2 --output-price 8";
    let (_, said) = run(&suite, &service.words(prices), 0);
    assert!(said.contains("72 requests with"), "{said}");
    assert!(
        said.contains("at the prices given") && said.contains("nothing was sent"),
        "{said}"
    );
    run(
        &suite,
        &service.words("--dry-run --key-env JUROR_TEST_NO_KEY"),
        0,
    );
    assert!(service.seen().is_empty() && !suite.path("j.jsonl").exists());
}

#[test]
fn one_request_is_a_test_that_shows_its_reply_and_keeps_it() {
    let (suite, service) = (suite(), Service::fair());
    let (out, said) = run(&suite, &service.words("--test"), 0);
    let shown: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(
        (&shown["status"], &shown["score"]),
        (&json!("ok"), &json!(5.0)),
        "{said}"
    );
    assert_eq!(shown["raw"], json!(reply(5)));
    assert_eq!((service.seen().len(), kept(&suite).len()), (1, 1));
    run(&suite, &service.words("--only alpha --filter id:3"), 0);
    assert_eq!(service.seen().len(), 7);
    assert!(kept(&suite)[1..].iter().all(|record| record.sample == "3"));
}

#[test]
fn what_is_no_journal_of_this_benchmark_is_not_written_to() {
    let (suite, service) = (suite(), Service::fair());
    let record = |protocol: &str| Record {
        format: "juror-journal/1".to_owned(),
        protocol: protocol.to_owned(),
        model: "alpha".to_owned(),
        ..Record::default()
    };
    let other = juror_judging::journal::write(&[record("vibe")]);
    for (content, why) in [
        (other.as_str(), "holds replies to vibe"),
        (
            "{\"id\": 1}\n",
            "j.jsonl, line 1: This is not a journal record",
        ),
        ("Notes of Monday.", "ends in a line that is no record"),
    ] {
        suite.write("j.jsonl", content.as_bytes());
        let (_, said) = run(&suite, &service.words(""), 2);
        assert!(said.contains(why) && said.contains("--out"), "{said}");
        assert_eq!(text_of(&suite), content);
    }
    for (words, why) in [
        ("--only beta", "there is no model beta; found: alpha"),
        (
            "--criterion taste",
            "there is no kind of request taste; found: ",
        ),
        ("--filter score>", "--filter or --per: "),
        (
            "--key-env JUROR_TEST_NO_KEY",
            "JUROR_TEST_NO_KEY, which --key-env names, is empty or not set",
        ),
        ("--per-minute -1", "unexpected argument"),
    ] {
        let (_, said) = run(
            &suite,
            &service.words(words).replace("j.jsonl", "k.jsonl"),
            2,
        );
        assert!(said.contains(why), "{words}: {said}");
    }
    assert!(service.seen().is_empty() && !suite.path("k.jsonl").exists());
}
