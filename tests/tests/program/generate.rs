//! `juror generate` and a service on this machine: what that is sent, which files its pictures become, and what is asked again.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::{BTreeMap, BTreeSet};
use std::process::Stdio;

use juror_judging::base64;
use juror_judging::generating::{self, Record, State};
use juror_judging::provider::FailureKind;
use juror_model::prompt::sha256;
use juror_tests::generate::{Dialogue, tiny_png};
use juror_tests::program::{Folder, demos};
use serde_json::{Value, json};

use super::service::{self, Seen, Service};

/// Four dialogues of three pictures that a model makes.
const NUM_PICTURES: usize = 12;
const KEY: &str = "sk-abc/DEF+123._x-9876543210";

/// A benchmark in `bench`.
pub(crate) fn suite() -> Folder {
    let dialogues = (0..4).map(|idx| Dialogue {
        idx,
        num_pictures: 3,
        num_texts: 1,
    });
    Folder::weave(dialogues)
}

/// A dialogue whose first picture is made of words, whose second of the first, and whose third of the second.
pub(crate) fn chain() -> Folder {
    let folder = Folder::default();
    let mut chats = Vec::new();
    for (number, words) in (1..).zip(["Draw a hat.", "Turn Image #1.", "Dye Image #2."]) {
        folder.write(
            &format!("bench/imgs/d_{number}.png"),
            &tiny_png(200 + number),
        );
        chats.push(json!({"role": "user", "type": "text", "content": words}));
        let key_point = json!({format!("GT #{number}"): "It is as in <image>."});
        let content = format!("Image #{number}");
        chats.push(json!({"role": "assistant", "type": "image", "content": content, "key_point": key_point}));
    }
    let images = ["imgs/d_1.png", "imgs/d_2.png", "imgs/d_3.png"];
    let list = json!([{"idx": 1, "domain": "edit", "images": images, "chats": chats}]);
    folder.write("bench/test.json", list.to_string().as_bytes());
    folder
}

fn openai(picture: &[u8]) -> String {
    let body = json!({"data": [{"b64_json": base64(picture)}], "usage": {"input_tokens": 9, "output_tokens": 99}});
    service::answer(200, "", &body.to_string())
}

pub(crate) fn gemini(picture: &[u8]) -> String {
    let part = json!({"inlineData": {"mimeType": "image/png", "data": base64(picture)}});
    let body = json!({"candidates": [{"content": {"parts": [part]}, "finishReason": "STOP"}]});
    service::answer(200, "", &body.to_string())
}

fn refusal() -> String {
    let body = json!({"error": {"code": "moderation_blocked", "message": "Not this."}});
    service::answer(400, "", &body.to_string())
}

/// The picture that the service makes for the request of this number.
pub(crate) fn made(number: usize) -> Vec<u8> {
    tiny_png(u8::try_from(number + 100).unwrap())
}

/// A service that makes another picture for each request.
fn painter() -> Service {
    Service::start(|number, _| Some(openai(&made(number))))
}

impl Service {
    /// The words of a command that asks it for the pictures of `bench`.
    fn paints(&self, wire: &str, more: &str) -> String {
        let address = self.address;
        let words = format!(
            "generate bench --wire {wire} --base http://{address} --model gen --out out --yes {more}"
        );
        words.trim_end().to_owned()
    }
}

#[track_caller]
fn run(suite: &Folder, words: &str, code: i32) -> (String, String) {
    let (found, out, said) = suite.run(words);
    assert_eq!(found, code, "{out}\n{said}");
    (out, said)
}

fn journal(suite: &Folder, model: &str) -> String {
    std::fs::read_to_string(suite.path(&format!("out/{model}.generate.jsonl"))).unwrap()
}

/// The records of a model's journal, each of which can be read.
#[track_caller]
fn kept(suite: &Folder, model: &str) -> Vec<Record> {
    let (records, bad) = generating::read(&journal(suite, model));
    assert_eq!(bad, None);
    records
}

fn of_state(records: &[Record], state: State) -> Vec<&Record> {
    let records = records.iter();
    records.filter(|record| record.state == state).collect()
}

fn is_in(part: &[u8], whole: &[u8]) -> bool {
    whole.windows(part.len()).any(|window| window == part)
}

/// Pictures and expected pictures of a model.
fn pictures(suite: &Folder, dirs: &str, model: &str) -> (Value, Value) {
    let (_, out, said) = suite.run(&format!("inspect {dirs}"));
    let report: Value = serde_json::from_str(&out).unwrap_or_else(|_| panic!("{said}"));
    let models = report["models"].as_array().unwrap();
    let found = models.iter().find(|one| one["name"] == model).unwrap();
    (
        found["pictures"].clone(),
        found["pictures_expected"].clone(),
    )
}

#[test]
fn the_pictures_of_every_benchmark_are_a_models_outputs_where_its_authors_have_them() {
    for (id, folder, first, num_made) in [
        ("weave", "WEAVEBench", "imgs/astronomy_1_2.png", 25),
        ("multibanana", "data", "3_local/002_generated.jpg", 13),
        (
            "micon",
            "Evaluation",
            "local_element_transfer/case_0001.png",
            12,
        ),
        (
            "vibe",
            "VIBE-Benchmark-Dataset",
            "Level-1-Deictic/Addition/imgs/real-world_1.png",
            16,
        ),
        ("multiref", "MultiRef", "synthetic/corner.png", 13),
    ] {
        let (suite, service) = (Folder::default(), painter());
        let bench = demos().join(id).join(folder).display().to_string();
        let words = service
            .paints("openai", "")
            .replace(" bench ", &format!(" {bench} "));
        let (_, said) = run(&suite, &words, 0);
        let summary = format!("{num_made} of {num_made} pictures made in ");
        assert!(said.contains(&summary), "{id}: {said}");
        assert_eq!(
            said.contains("as they came under that name"),
            id == "multibanana"
        );
        assert_eq!(said.contains("7 turns that ask for a text"), id == "weave");
        assert_eq!(service.seen().len(), num_made);
        let dirs = format!("{bench} out/gen");
        let all = json!(num_made);
        assert_eq!(pictures(&suite, &dirs, "gen"), (all.clone(), all.clone()));
        let (_, scored, said) = suite.run(&format!("score {dirs} --format csv"));
        assert!(scored.contains("gen"), "{id}: {said}");
        // Without one of them it is not whole.
        std::fs::remove_file(suite.path(&format!("out/gen/{first}"))).unwrap();
        assert_eq!(pictures(&suite, &dirs, "gen"), (json!(num_made - 1), all));
    }
}

/// The lists of a model's folder by their paths, and the pictures in it.
fn lists_and_pictures(suite: &Folder, model: &str) -> (BTreeMap<String, Value>, BTreeSet<String>) {
    let root = suite.path(&format!("out/{model}"));
    let (mut lists, mut pictures) = (BTreeMap::new(), BTreeSet::new());
    for entry in walkdir::WalkDir::new(&root) {
        let entry = entry.unwrap();
        let path = entry.path().strip_prefix(&root).unwrap();
        let path = path.to_string_lossy().replace('\\', "/");
        if path.ends_with("_results.json") {
            let text = std::fs::read_to_string(entry.path()).unwrap();
            lists.insert(path, serde_json::from_str(&text).unwrap());
        } else if entry.file_type().is_file() {
            pictures.insert(path);
        }
    }
    (lists, pictures)
}

/// The pictures that lists name, as the authors' evaluation finds them: only of items with the status `success`.
fn named(lists: &BTreeMap<String, Value>) -> BTreeSet<String> {
    let items = lists.iter().flat_map(|(path, list)| {
        let folder = path.rsplit_once('/').unwrap().0;
        let items = list.as_array().unwrap().iter();
        let items = items.filter(|item| item["status"] == "success");
        items.map(move |item| format!("{folder}/{}", item["saved_image_path"].as_str().unwrap()))
    });
    items.collect()
}

#[test]
fn the_list_that_the_authors_evaluation_reads_names_exactly_the_pictures_on_disk() {
    let (suite, service) = (Folder::default(), painter());
    let bench = demos().join("vibe").display().to_string();
    let dataset = format!("{bench}/VIBE-Benchmark-Dataset");
    let words = |more: &str| {
        let words = service.paints("openai", more);
        words.replace(" bench ", &format!(" {dataset} "))
    };
    run(&suite, &words("--limit 3"), 0);
    let (lists, pictures) = lists_and_pictures(&suite, "gen");
    assert_eq!((named(&lists), pictures.len()), (pictures, 3));
    // What a run leaves that was killed before it wrote its list, and what others wrote into another one.
    let (first, _) = lists.first_key_value().unwrap();
    std::fs::remove_file(suite.path(&format!("out/gen/{first}"))).unwrap();
    let flow = "Level-3-Causal/Flow/Flow_results.json";
    let other = json!([{"id": "mine", "saved_image_path": "x.png", "status": "failed", "seed": 7}]);
    suite.write(&format!("out/gen/{flow}"), other.to_string().as_bytes());
    run(&suite, &words("--limit 4"), 0);
    let (lists, pictures) = lists_and_pictures(&suite, "gen");
    assert!(lists.contains_key(first) && pictures.len() == 7);
    assert_eq!(named(&lists), pictures);
    run(&suite, &words(""), 0);
    let (lists, pictures) = lists_and_pictures(&suite, "gen");
    assert_eq!((named(&lists), pictures.len()), (pictures, 16));
    assert_eq!(
        (&lists[flow][0], lists[flow].as_array().unwrap().len()),
        (&other[0], 2)
    );
    // Item for item as the demo's own models have theirs, whose lists the authors' programs take.
    for (path, list) in &lists {
        let demo = format!("{bench}/results/cinder-synth/{path}");
        let demo: Value = serde_json::from_str(&std::fs::read_to_string(demo).unwrap()).unwrap();
        for item in demo
            .as_array()
            .unwrap()
            .iter()
            .filter(|item| item["status"] == "success")
        {
            assert!(list.as_array().unwrap().contains(item), "{path}: {item}");
        }
    }
    // A picture that is gone is named no more, though the run has nothing to send.
    let gone = "Level-1-Deictic/Addition/imgs/real-world_1.png";
    std::fs::remove_file(suite.path(&format!("out/gen/{gone}"))).unwrap();
    run(&suite, &words("--filter task:billiards"), 0);
    let (lists, _) = lists_and_pictures(&suite, "gen");
    assert!(!named(&lists).contains(gone) && named(&lists).len() == 15);
    // What is no list is not written over, and nothing is sent.
    suite.write(&format!("out/gen/{flow}"), b"{}");
    let num_seen = service.seen().len();
    let (_, said) = run(&suite, &words(""), 2);
    assert!(
        said.contains("Flow_results.json has to name the pictures")
            && said.contains("move it away"),
        "{said}"
    );
    assert_eq!(service.seen().len(), num_seen);
}

#[test]
fn openai_is_asked_for_a_picture_of_words_and_for_an_edit_of_pictures() {
    let (suite, service) = (chain(), painter());
    let words = "--vary context=complete-gt --name me --extra {\"size\":\"1024x1024\"}";
    run(&suite, &service.paints("openai", words), 0);
    let seen = service.seen();
    let is_first = |seen: &&Seen| seen.body.contains("Draw a hat.");
    let first = seen.iter().find(is_first).unwrap();
    assert!(
        first.head.starts_with("POST /v1/images/generations "),
        "{}",
        first.head
    );
    let body: Value = serde_json::from_str(&first.body).unwrap();
    assert_eq!(
        body,
        json!({"model": "gen", "prompt": "Draw a hat.", "size": "1024x1024"})
    );
    let third = seen
        .iter()
        .find(|seen| seen.body.contains("Dye Image #2."))
        .unwrap();
    assert!(
        third.head.starts_with("POST /v1/images/edits "),
        "{}",
        third.head
    );
    assert!(
        third
            .head
            .contains("content-type: multipart/form-data; boundary=")
    );
    assert_eq!(third.body.matches("name=\"image[]\"; filename=").count(), 2);
    for number in [1, 2] {
        assert!(is_in(&tiny_png(200 + number), &third.bytes), "{number}");
    }
    // The answer itself goes nowhere.
    assert!(!is_in(&tiny_png(203), &third.bytes));
    assert!(third.body.contains("name=\"size\"\r\n\r\n1024x1024"));
    let records = kept(&suite, "me@context=complete-gt");
    assert_eq!(of_state(&records, State::Made).len(), 3);
    for record in of_state(&records, State::Made) {
        let path = suite.path(&format!("out/me@context=complete-gt/{}", record.file));
        let bytes = std::fs::read(path).unwrap();
        assert_eq!(sha256(&bytes), record.sha256);
        assert_eq!(
            (record.params.model.as_str(), record.host.as_str()),
            ("gen", "127.0.0.1")
        );
        assert_eq!(record.model, "me@context=complete-gt");
        assert!(record.request.len() == 64 && record.time.ends_with('Z'));
    }
}

#[test]
fn gemini_is_sent_pictures_inside_the_request_and_its_own_come_in_the_answer() {
    let suite = chain();
    let service = Service::start(|number, _| Some(gemini(&made(number))));
    let words = "--vary context=partial --concurrency 1";
    run(&suite, &service.paints("gemini", words), 0);
    let [first, second, third]: [Seen; 3] = service.seen().try_into().unwrap();
    assert!(
        first
            .head
            .starts_with("POST /v1beta/models/gen:generateContent "),
        "{}",
        first.head
    );
    let body = |seen: &Seen| -> Value { serde_json::from_str(&seen.body).unwrap() };
    let config = json!({"responseModalities": ["TEXT", "IMAGE"]});
    assert_eq!(body(&first)["generationConfig"], config);
    // Each turn is shown what the model itself made a turn before, and not the data set's picture.
    for (seen, before) in [(&second, 0), (&third, 1)] {
        let part = &body(seen)["contents"][0]["parts"][0];
        assert_eq!(part["inlineData"]["data"], base64(&made(before)));
        let golden = base64(&tiny_png(201 + u8::try_from(before).unwrap()));
        assert!(!seen.body.contains(&golden));
    }
    let path = suite.path("out/gen@context=partial/imgs/d_3.png");
    assert_eq!(std::fs::read(path).unwrap(), made(2));
    // Without the history it is the data set's.
    run(
        &suite,
        &service.paints("gemini", "--filter id:1 --name plain"),
        0,
    );
    let plain = service.seen().pop().unwrap();
    assert!(
        plain.body.contains(&base64(&tiny_png(202))),
        "{}",
        plain.body
    );
}

#[test]
fn each_turn_is_shown_what_its_own_dialogue_made_a_turn_before() {
    let (suite, service) = (suite(), painter());
    run(
        &suite,
        &service.paints("openai", "--vary context=partial"),
        0,
    );
    let seen = service.seen();
    assert_eq!(seen.len(), NUM_PICTURES);
    let records = kept(&suite, "gen@context=partial");
    let file = |sample: &str, turn: u32| {
        let made = of_state(&records, State::Made).into_iter();
        let mut own = made.filter(|one| one.sample == sample && one.turn == turn);
        let path = format!("out/gen@context=partial/{}", own.next().unwrap().file);
        std::fs::read(suite.path(&path)).unwrap()
    };
    let turns: BTreeSet<u32> = records.iter().map(|record| record.turn).collect();
    let [first, second, third] = turns.into_iter().collect::<Vec<_>>().try_into().unwrap();
    for sample in ["0", "1", "2", "3"] {
        for turn in [first, second] {
            let shown = file(sample, turn);
            let sent = seen
                .iter()
                .filter(|seen| is_in(&shown, &seen.bytes))
                .count();
            assert_eq!(sent, 1, "sample {sample}, turn {turn}");
        }
        let last = file(sample, third);
        assert!(seen.iter().all(|seen| !is_in(&last, &seen.bytes)));
    }
}

#[test]
fn a_killed_run_pays_for_nothing_twice_and_leaves_no_half_picture() {
    let suite = suite();
    let service = Service::start(|number, _| match number {
        5 => None,
        _ => Some(gemini(&made(number))),
    });
    let words = service.paints("gemini", "--concurrency 1");
    let mut child = suite.command(&words).stderr(Stdio::null()).spawn().unwrap();
    service.silent.recv().unwrap();
    let (_, said) = run(&suite, &words, 2);
    assert!(
        said.contains("gen.generate.jsonl is written by another juror generate"),
        "{said}"
    );
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(of_state(&kept(&suite, "gen"), State::Made).len(), 5);
    // What a run leaves that is killed in the middle of a line, and one in the middle of a picture.
    let text = journal(&suite, "gen");
    let half = &text[..text.find("\"state\"").unwrap()];
    suite.write("out/gen.generate.jsonl", format!("{text}{half}").as_bytes());
    suite.write("out/gen/imgs/d1_4.png.part", &made(9)[..20]);
    let (_, said) = run(&suite, &words, 0);
    assert!(
        said.contains("gen.generate.jsonl ended in the middle of a line"),
        "{said}"
    );
    assert!(
        said.contains("5 made already") && said.contains("7 of 7 pictures made"),
        "{said}"
    );
    let twice: Vec<usize> = service
        .bodies()
        .into_values()
        .filter(|count| *count > 1)
        .collect();
    assert_eq!(
        twice,
        [2],
        "only the one that was not answered is sent again"
    );
    let files: BTreeSet<Vec<u8>> = std::fs::read_dir(suite.path("out/gen/imgs"))
        .unwrap()
        .map(|entry| std::fs::read(entry.unwrap().path()).unwrap())
        .collect();
    let expected = (0..=NUM_PICTURES).filter(|number| *number != 5).map(made);
    assert_eq!(files, expected.collect());
    // A run that has nothing to do sends nothing.
    let (_, said) = run(&suite, &words, 0);
    assert!(said.contains("there is nothing to ask"), "{said}");
    assert_eq!(service.seen().len(), NUM_PICTURES + 1);
}

#[test]
fn a_picture_that_came_whole_gets_its_name_later_and_a_broken_one_is_asked_for_again() {
    let (suite, service) = (chain(), painter());
    let words = service.paints("openai", "--limit 1");
    run(&suite, &words, 0);
    let text = journal(&suite, "gen");
    let (received, _) = text.split_once('\n').unwrap();
    let [path, part] =
        ["imgs/d_1.png", "imgs/d_1.png.part"].map(|end| suite.path(&format!("out/gen/{end}")));
    // A run that is killed after the bytes are on disk and before they have their name.
    suite.write("out/gen.generate.jsonl", format!("{received}\n").as_bytes());
    std::fs::rename(&path, &part).unwrap();
    let (_, said) = run(&suite, &words.replace("--limit 1", "--limit 2"), 0);
    assert!(
        said.contains("imgs/d_1.png came whole before the last run ended"),
        "{said}"
    );
    assert_eq!(std::fs::read(&path).unwrap(), made(0));
    assert_eq!(service.seen().len(), 3);
    // The same with bytes that are not whole.
    suite.write("out/gen.generate.jsonl", format!("{received}\n").as_bytes());
    std::fs::remove_dir_all(suite.path("out/gen")).unwrap();
    suite.write("out/gen/imgs/d_1.png.part", &made(0)[..30]);
    let (_, said) = run(&suite, &words, 0);
    assert!(!said.contains("came whole"), "{said}");
    assert_eq!(
        (service.seen().len(), std::fs::read(&path).unwrap()),
        (4, made(3))
    );
    assert!(!part.exists());
}

#[test]
fn a_generator_that_asks_for_a_pause_is_asked_again() {
    let suite = suite();
    let service = Service::start(|number, _| match number {
        0 => Some(service::answer(429, "retry-after: 0\r\n", "Slow down.")),
        1 => Some(service::answer(503, "", "Busy.")),
        _ => Some(openai(&made(number))),
    });
    let words = service.paints("openai", "--limit 2 --concurrency 1");
    let (_, said) = run(&suite, &words, 0);
    assert!(
        said.contains("2 of 2 pictures made") && said.contains("2 retries"),
        "{said}"
    );
    assert_eq!(service.seen().len(), 4);
    // A service that knows the key no better for any other picture is asked once.
    let closed = Service::start(|_, _| {
        let body = r#"{"error": {"message": "No such key."}}"#;
        Some(service::answer(401, "", body))
    });
    let words = closed.paints("openai", "--concurrency 1 --name third");
    let (_, said) = run(&suite, &words, 1);
    assert!(
        said.contains("missing: sample 0, turn 1: bad_key: No such key."),
        "{said}"
    );
    assert!(said.contains("not asked for, as the job stopped before"));
    assert_eq!(closed.seen().len(), 1);
    // With one attempt each it is missing.
    let busy = Service::start(|_, _| Some(service::answer(503, "", "Busy.")));
    let words = busy.paints("openai", "--limit 1 --max-attempts 1 --name other");
    let (_, said) = run(&suite, &words, 1);
    assert!(
        said.contains("missing: sample 0, turn 1: server: "),
        "{said}"
    );
}

#[test]
fn what_a_service_declines_is_recorded_named_and_not_asked_again_of_itself() {
    let suite = chain();
    let service = Service::start(|number, _| match number {
        0 => Some(refusal()),
        _ => Some(openai(&made(number))),
    });
    let words = service.paints("openai", "--concurrency 1");
    let (_, said) = run(&suite, &words, 1);
    let missing = "missing: sample 1, turn 1: content_filter: ";
    assert!(
        said.contains(missing) && said.contains("Not this."),
        "{said}"
    );
    // The other turns are not shown it, so they are made.
    assert!(said.contains("2 of 3 pictures made"), "{said}");
    let records = kept(&suite, "gen");
    let [declined] = of_state(&records, State::GivenUp).try_into().unwrap();
    assert_eq!(declined.kind, Some(FailureKind::ContentFilter));
    let (_, said) = run(&suite, &words, 1);
    assert!(
        said.contains(missing) && said.contains("--again asks once more"),
        "{said}"
    );
    assert_eq!(service.seen().len(), 3);
    run(&suite, &format!("{words} --again"), 0);
    assert_eq!(service.seen().len(), 4);
    run(&suite, &words, 0);
    assert_eq!(service.seen().len(), 4);
}

#[test]
fn an_address_in_the_place_of_a_picture_is_not_asked_and_stops_the_job() {
    let (suite, other) = (suite(), painter());
    let place = other.address;
    let service = Service::start(move |_, _| {
        let body = json!({"data": [{"url": format!("http://{place}/a.png")}]});
        Some(service::answer(200, "", &body.to_string()))
    });
    let (_, said) = run(&suite, &service.paints("openai", "--concurrency 1"), 1);
    assert!(
        said.contains("--extra {\"response_format\":\"b64_json\"}"),
        "{said}"
    );
    assert!(said.contains("stopped: "), "{said}");
    assert_eq!(
        said.matches("juror: missing: ").count(),
        NUM_PICTURES,
        "{said}"
    );
    assert_eq!((service.seen().len(), other.seen().len()), (1, 0));
    let records = kept(&suite, "gen");
    assert_eq!(records.len(), 1);
    assert_eq!(records[0].kind, Some(FailureKind::UnnamedHost));
    // The same service with bytes in its answer.
    run(&suite, &other.paints("openai", ""), 0);
}

#[test]
fn the_key_of_a_generator_is_in_its_header_and_nowhere_else() {
    let (suite, other) = (suite(), painter());
    let place = other.address;
    let service = Service::start(move |number, _| match number {
        0 => Some(service::answer(
            400,
            "",
            &format!(r#"{{"error": {{"message": "Not {KEY}."}}}}"#),
        )),
        1 => {
            let body = json!({"data": [{"b64_json": base64(&made(1)), "revised_prompt": format!("{KEY} hat")}]});
            Some(service::answer(200, "", &body.to_string()))
        }
        _ => Some(service::answer(
            307,
            &format!("location: http://{place}/v1/images/edits\r\n"),
            "",
        )),
    });
    let words = "--limit 3 --concurrency 1 --key-env JUROR_TEST_KEY --max-attempts 1";
    let mut command = suite.command(&service.paints("openai", words));
    command.env("JUROR_TEST_KEY", KEY);
    let (code, out, said) = Folder::ran(command);
    assert_eq!(code, 1, "{said}");
    assert!(said.contains("not_found: The server answers 307"), "{said}");
    let seen = service.seen();
    assert_eq!((seen.len(), other.seen().len()), (3, 0));
    for Seen { head, body, .. } in &seen {
        assert_eq!(head.matches(KEY).count(), 1, "{head}");
        assert!(head.to_lowercase().contains("authorization: bearer ") && !body.contains(KEY));
    }
    let journal = journal(&suite, "gen");
    for text in [&out, &said, &journal] {
        assert!(!text.contains("9876543210"), "{text}");
    }
    assert!(journal.contains("[key] hat"), "{journal}");
    // A provider's key goes to no host that was not named for it.
    let elsewhere = service
        .paints("openai", "--name x")
        .replace(&service.address.to_string(), "host.invalid");
    let mut command = suite.command(&elsewhere);
    command.env("OPENAI_API_KEY", KEY);
    let (code, _, said) = Folder::ran(command);
    assert_eq!(code, 2, "{said}");
    assert!(
        said.contains("holds the key of host.invalid by --key-env"),
        "{said}"
    );
}

#[test]
fn a_failed_turn_stops_its_dialogue_or_the_data_sets_picture_goes_on_and_is_marked() {
    let suite = chain();
    let service = Service::start(|number, _| match number {
        0 => Some(refusal()),
        _ => Some(openai(&made(number))),
    });
    let words = service.paints("openai", "--vary history=own");
    let (_, said) = run(&suite, &words, 1);
    for turn in [2, 3] {
        let line = format!("missing: sample 1, turn {turn}: its dialogue stopped at turn 1");
        assert!(said.contains(&line), "{said}");
    }
    assert_eq!(service.seen().len(), 1);
    let (_, said) = run(&suite, &words, 1);
    assert!(
        said.contains("turn 3: its dialogue stopped at turn 1"),
        "{said}"
    );
    assert_eq!(service.seen().len(), 1);
    let golden = format!("{words} --on-failure golden");
    let (_, said) = run(&suite, &golden, 1);
    assert!(
        said.contains("2 of 2 pictures made") && said.contains("2 marked as leaked"),
        "{said}"
    );
    let seen = service.seen();
    assert!(is_in(&tiny_png(201), &seen[1].bytes) && !is_in(&made(1), &seen[1].bytes));
    // The third turn is shown both: the data set's first picture and the model's own second one.
    assert!(is_in(&tiny_png(201), &seen[2].bytes) && is_in(&made(1), &seen[2].bytes));
    let records = kept(&suite, "gen@history=own");
    assert!(
        of_state(&records, State::Made)
            .iter()
            .all(|record| record.leaked)
    );
    // What nothing leaked into is not marked.
    let whole = painter();
    run(
        &suite,
        &whole.paints("openai", "--vary history=own --name whole"),
        0,
    );
    let records = kept(&suite, "whole@history=own");
    assert_eq!(of_state(&records, State::Made).len(), 3);
    assert!(records.iter().all(|record| !record.leaked));
}

#[test]
fn a_budget_stops_a_generator_before_it_is_exceeded_and_a_dry_run_sends_nothing() {
    let (suite, service) = (suite(), painter());
    let price = "--picture-price 0.04";
    let dry = service
        .paints("openai", price)
        .replace("--yes", "--dry-run");
    let (_, said) = run(&suite, &dry, 0);
    assert!(
        said.contains("12 requests with 12 pictures to gen at 127.0.0.1"),
        "{said}"
    );
    assert!(
        said.contains("0.4800 at the price given") && said.contains("nothing was sent"),
        "{said}"
    );
    assert!(service.seen().is_empty() && !suite.path("out").exists());
    let words = service.paints("openai", &format!("{price} --budget 0.1"));
    let (_, said) = run(&suite, &words, 1);
    assert!(
        said.contains("The budget leaves no room for another call"),
        "{said}"
    );
    assert!(
        said.contains("2 of 12 pictures made") && said.contains("0.0800 spent"),
        "{said}"
    );
    assert_eq!(
        said.matches("not asked for, as the job stopped before")
            .count(),
        10,
        "{said}"
    );
    assert_eq!(service.seen().len(), 2);
    run(&suite, &service.paints("openai", "--budget 1"), 2);
    // With room for all it is whole.
    run(
        &suite,
        &service.paints("openai", &format!("{price} --budget 0.4")),
        0,
    );
    assert_eq!(service.seen().len(), NUM_PICTURES);
}

#[test]
fn what_would_replace_a_picture_is_refused_until_that_is_meant() {
    let (suite, service) = (chain(), painter());
    let words = |more: &str| service.paints("openai", more);
    let (out, _) = run(&suite, &words("--test"), 0);
    let shown: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(
        (&shown["state"], &shown["file"]),
        (&json!("made"), &json!("imgs/d_1.png"))
    );
    let sized = words("--extra {\"size\":\"auto\"}");
    let (_, said) = run(&suite, &sized, 2);
    assert!(
        said.contains("sample 1, turn 1: it was made for another request"),
        "{said}"
    );
    assert!(said.contains("add --again"), "{said}");
    // A picture that nobody knows of.
    suite.write("out/gen/imgs/d_2.png", &tiny_png(77));
    let (_, said) = run(&suite, &words(""), 2);
    assert!(
        said.contains("turn 2: there is a picture that its journal does not know"),
        "{said}"
    );
    assert_eq!(service.seen().len(), 1);
    run(&suite, &format!("{sized} --again"), 0);
    assert_eq!(service.seen().len(), 4);
    let second = std::fs::read(suite.path("out/gen/imgs/d_2.png")).unwrap();
    assert_ne!(second, tiny_png(77));
    run(&suite, &sized, 0);
    assert_eq!(service.seen().len(), 4);
}

#[test]
fn what_does_not_fit_together_is_refused_before_anything_is_sent() {
    let (suite, service) = (suite(), painter());
    for (more, why) in [
        ("--name a/b", "a/b cannot be the name of a folder"),
        (
            "--name alpha",
            "there is a model alpha in the folders already",
        ),
        ("--vary context=all", "--vary: "),
        ("--vary context=no,partial", "--vary takes one level here"),
        (
            "--temperature 1",
            "--temperature and --max-tokens do not fit",
        ),
        ("--extra {\"n\":2}", "n is filled by Juror"),
        ("--filter score>", "--filter or --per: "),
        (
            "--key-env JUROR_TEST_NO_KEY",
            "JUROR_TEST_NO_KEY, which --key-env names, is empty or not set",
        ),
    ] {
        let words = service
            .paints("openai", more)
            .replace(" bench ", " bench alpha ");
        let (_, said) = run(&suite, &words, 2);
        assert!(said.contains(why), "{more}: {said}");
    }
    suite.write("out/gen.generate.jsonl", b"Notes of Monday.");
    let (_, said) = run(&suite, &service.paints("openai", ""), 2);
    assert!(
        said.contains("ends in a line that is no record") && said.contains("--name"),
        "{said}"
    );
    assert!(service.seen().is_empty());
}

fn said(text: &str, finish: &str) -> String {
    let choice =
        json!({"message": {"role": "assistant", "content": text}, "finish_reason": finish});
    let body =
        json!({"choices": [choice], "usage": {"prompt_tokens": 1000, "completion_tokens": 100}});
    service::answer(200, "", &body.to_string())
}

/// A service that makes pictures and answers in text, other questions than those of [`suite`] only half.
fn talker() -> Service {
    Service::start(|number, seen| {
        let is_chat = seen.head.contains("/chat/completions ");
        Some(match is_chat.then(|| seen.body.contains("Question 0")) {
            None => openai(&made(number)),
            Some(true) => said(&format!("Answer {number}."), "stop"),
            Some(false) => said("Half an", "length"),
        })
    })
}

/// The dialogue of three pictures with a question about the first one's successor after it, and another one at its end.
pub(crate) fn questions() -> Folder {
    let folder = chain();
    let list = std::fs::read_to_string(folder.path("bench/test.json")).unwrap();
    let mut list: Value = serde_json::from_str(&list).unwrap();
    let chats = list[0]["chats"].as_array_mut().unwrap();
    let pair = |question: &str| {
        let user = json!({"role": "user", "type": "text", "content": question});
        let answer =
            json!({"role": "assistant", "type": "text", "content": "Blue.", "key_point": null});
        [user, answer]
    };
    chats.splice(4..4, pair("Which colour has Image #2?"));
    chats.extend(pair("Which colour has Image #3?"));
    folder.write("bench/test.json", list.to_string().as_bytes());
    folder
}

#[test]
fn texts_are_asked_as_chat_calls_of_the_service_and_are_the_models_answers() {
    let (suite, service) = (suite(), talker());
    let words = |more: &str| service.paints("openai", more);
    let (_, log) = run(&suite, &words(""), 0);
    assert!(
        log.contains("4 turns that ask for a text, which --turns all asks for"),
        "{log}"
    );
    assert_eq!(service.seen().len(), NUM_PICTURES);
    let more = "--turns all --text-model talk --text-extra {\"seed\":1}";
    let (_, log) = run(&suite, &words(more), 0);
    assert!(
        log.contains("12 made already") && log.contains("4 of 4 texts made"),
        "{log}"
    );
    let texts = service.seen().split_off(NUM_PICTURES);
    assert_eq!(texts.len(), 4);
    for seen in &texts {
        assert!(
            seen.head.starts_with("POST /v1/chat/completions "),
            "{}",
            seen.head
        );
        let body: Value = serde_json::from_str(&seen.body).unwrap();
        assert_eq!(
            [&body["model"], &body["max_tokens"], &body["seed"]],
            [&json!("talk"), &json!(1024), &json!(1)]
        );
        let content = body["messages"][0]["content"].as_array().unwrap();
        let kinds: Vec<&Value> = content.iter().map(|part| &part["type"]).collect();
        assert_eq!(kinds, ["image_url", "text"]);
    }
    for idx in 0..4 {
        let text = std::fs::read_to_string(suite.path(&format!("out/gen/imgs/d{idx}_1_3.txt")));
        assert!(text.unwrap().starts_with("Answer "));
    }
    // The answers are asked of a judge, which they are not without their files.
    let judged = |suite: &Folder| {
        let (_, out, said) =
            suite.run("requests bench out/gen --engine openai --judge gpt-4o --out batch.jsonl");
        let text = std::fs::read_to_string(suite.path("batch.jsonl")).unwrap_or(out + &said);
        text.matches("Answer 1").count()
    };
    assert_eq!(judged(&suite), 4);
    // Nothing is asked twice, and what was changed meanwhile is not written over.
    let (_, log) = run(&suite, &words(more), 0);
    assert!(log.contains("there is nothing to ask"), "{log}");
    suite.write("out/gen/imgs/d0_1_3.txt", b"Mine.");
    let (_, log) = run(&suite, &words(more), 2);
    assert!(
        log.contains("there is a text that its journal does not know"),
        "{log}"
    );
    assert_eq!(service.seen().len(), NUM_PICTURES + 4);
    // Only texts, of another model.
    run(&suite, &words("--turns texts --name words"), 0);
    assert_eq!(service.seen().len(), NUM_PICTURES + 8);
    assert_eq!(
        kept(&suite, "words")
            .iter()
            .filter(|one| one.state == State::Made)
            .count(),
        4
    );
}

#[test]
fn a_text_is_asked_once_the_models_own_pictures_are_there_and_is_kept_where_it_was_cut_off() {
    let (suite, service) = (questions(), talker());
    let words = |more: &str| service.paints("openai", &format!("--vary history=own {more}"));
    // About pictures that are not there nothing is asked.
    let (_, log) = run(&suite, &words("--turns texts"), 1);
    assert!(log.contains("0 of 2 texts made"), "{log}");
    assert!(
        log.contains("pictures that the model has not made"),
        "{log}"
    );
    assert!(service.seen().is_empty());
    let (_, log) = run(&suite, &words("--turns all"), 0);
    assert!(
        log.contains("3 of 3 pictures made") && log.contains("2 of 2 texts made"),
        "{log}"
    );
    assert!(
        log.contains("2 texts ended at the limit of tokens"),
        "{log}"
    );
    let texts = service.seen().split_off(3);
    let about = |question: &str| {
        texts
            .iter()
            .find(|seen| seen.body.contains(question))
            .unwrap()
    };
    let second = about("Which colour has Image #2?");
    assert!(
        second.body.contains(&base64(&made(1))) && !second.body.contains(&base64(&tiny_png(202)))
    );
    assert!(
        about("Which colour has Image #3?")
            .body
            .contains(&base64(&made(2)))
    );
    let folder = "out/gen@history=own/imgs";
    let text = std::fs::read_to_string(suite.path(&format!("{folder}/d_1_2.txt"))).unwrap();
    assert_eq!(text, "Half an");
    // A picture that fails stops what is asked about its dialogue, and a text that fails stops nothing.
    let refusing = Service::start(|number, seen| match number {
        1 => Some(refusal()),
        _ if seen.head.contains("/chat/") => Some(refusal()),
        _ => Some(openai(&made(number))),
    });
    let words = refusing.paints("openai", "--vary history=own --turns all --name other");
    let (_, log) = run(&suite, &words, 1);
    assert!(
        log.contains("turn 3: its dialogue stopped at turn 2"),
        "{log}"
    );
    assert_eq!(refusing.seen().len(), 2);
    let plain = refusing.paints("openai", "--turns all --name plain");
    let (_, log) = run(&suite, &plain, 1);
    assert!(
        log.contains("3 of 3 pictures made") && log.contains("0 of 2 texts made"),
        "{log}"
    );
}

#[test]
fn texts_are_paid_for_by_tokens_within_the_same_budget_and_asked_of_gemini_without_pictures_in_the_answer()
 {
    let (suite, service) = (suite(), talker());
    let prices = "--picture-price 0.01 --input-price 10 --output-price 10";
    let words = |more: &str| service.paints("openai", &format!("--turns all {more}"));
    run(&suite, &words("--budget 1 --picture-price 0.01"), 2);
    run(&suite, &words("--budget 1 --input-price 1"), 2);
    run(&suite, &service.paints("openai", "--text-model talk"), 2);
    assert!(service.seen().is_empty());
    // Twelve pictures, and a text at 0.011.
    let budget = format!("{prices} --budget 0.142 --concurrency 1");
    let (_, log) = run(&suite, &words(&budget), 1);
    assert!(
        log.contains("12 of 12 pictures made") && log.contains("1 of 4 texts made"),
        "{log}"
    );
    assert!(
        log.contains("The budget leaves no room for another call"),
        "{log}"
    );
    assert_eq!(service.seen().len(), NUM_PICTURES + 1);
    let gemini = Service::start(|_, _| {
        let body = json!({"candidates": [{"content": {"parts": [{"text": "Red."}]}, "finishReason": "STOP"}]});
        Some(service::answer(200, "", &body.to_string()))
    });
    run(
        &suite,
        &gemini.paints("gemini", "--turns texts --name g"),
        0,
    );
    let [seen, ..] = &gemini.seen()[..] else {
        panic!("nothing was asked")
    };
    assert!(
        seen.head
            .starts_with("POST /v1beta/models/gen:generateContent ")
    );
    let body: Value = serde_json::from_str(&seen.body).unwrap();
    assert_eq!(body["generationConfig"], json!({"maxOutputTokens": 1024}));
}
