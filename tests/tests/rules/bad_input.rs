//! Input that is wrong in every way seen so far: each fault is named with file and place, and the rest still loads.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::panic::{AssertUnwindSafe, catch_unwind};

use juror_model::options::{Profile, ScoreOptions};
use juror_model::problem::{Problem, Severity};
use juror_session::Session;
use juror_session::view::SampleQuery;
use juror_tests::generate::{Dialogue, File, Random, open};
use serde_json::{Value, json};

const LIST: &str = "D/test/test.json";
const REPLIES: &str = "result/m/metrics.jsonl";

const RELEASED: ScoreOptions = ScoreOptions {
    profile: Profile::Released,
    policy: None,
    judge: None,
    run: None,
    reading: juror_model::options::ReplyReading::Strict,
};

fn dialogue(idx: usize) -> Dialogue {
    Dialogue {
        idx,
        num_pictures: 1,
        num_texts: 1,
    }
}

fn items(count: usize) -> Vec<Value> {
    (0..count).map(|idx| dialogue(idx).item()).collect()
}

fn lines(count: usize) -> String {
    let mut random = Random::new(5);
    (0..count)
        .map(|idx| dialogue(idx).line(&mut random, 20))
        .collect()
}

fn file(path: &str, content: impl Into<Vec<u8>>) -> File {
    (path.to_owned(), content.into())
}

/// A list with its pictures' names, so that missing pictures are no finding.
fn with_pictures(list: impl Into<Vec<u8>>, count: usize) -> Vec<File> {
    let mut files = vec![file(LIST, list)];
    for dialogue in (0..count).map(dialogue) {
        for number in 1..=2 {
            files.push(file(
                &format!("D/test/imgs/{}", dialogue.picture(number)),
                "x",
            ));
        }
    }
    files
}

fn problems(session: &mut Session) -> Vec<Problem> {
    let mut problems = juror_session::problems(&session.linked());
    problems.retain(|problem| problem.severity != Severity::Note);
    problems
}

fn ids(session: &mut Session) -> Vec<String> {
    juror_session::samples(
        &session.study(&ScoreOptions::default()),
        &SampleQuery::default(),
    )
    .rows
    .into_iter()
    .map(|row| row.id)
    .collect()
}

/// The one finding about a list.
#[track_caller]
fn only(session: &mut Session) -> Problem {
    let found = problems(session);
    assert_eq!(found.len(), 1, "{found:#?}");
    found.into_iter().next().unwrap()
}

#[test]
fn a_sound_benchmark_has_no_findings() {
    let mut session = open(&with_pictures(json!(items(3)).to_string(), 3));
    assert_eq!(problems(&mut session), []);
    assert_eq!(ids(&mut session), ["0", "1", "2"]);
}

#[test]
fn a_list_that_is_not_json_is_named_with_line_and_column() {
    let text = "[\n  {\"idx\": 1,\n   \"domain\" \"edit\"}\n]";
    let problem = only(&mut open(&[file(LIST, text)]));
    assert_eq!(
        (problem.code.as_str(), problem.path.as_str()),
        ("bad_json", LIST)
    );
    assert_eq!(problem.place, "line 3, column 13");
    assert!(
        problem.message.contains("Expecting ':' delimiter"),
        "{}",
        problem.message
    );
    assert!(!problem.hint.is_empty());
}

#[test]
fn a_truncated_or_empty_list_or_one_of_another_type_is_named() {
    let whole = json!(items(2)).to_string();
    for (text, code) in [
        (&whole[..whole.len() / 2], "bad_json"),
        ("", "bad_json"),
        ("   \n", "bad_json"),
        ("{\"idx\": 1}", "not_a_list"),
        ("7", "not_a_list"),
        ("[]", "not_a_list"),
        ("[1, 2]", "not_a_list"),
        ("[{\"idx\": 1}]", "not_a_list"),
    ] {
        let mut session = open(&[file(LIST, text), file(REPLIES, lines(2))]);
        let problem = only(&mut session);
        assert_eq!(
            (problem.code.as_str(), problem.path.as_str()),
            (code, LIST),
            "{text:?}"
        );
        assert_eq!(
            ids(&mut session),
            ["0", "1"],
            "the replies imply their dialogues all the same"
        );
    }
}

/// Sixty items with one fault in the 50th, whose idx is 49.
#[track_caller]
fn assert_fault_in_50th(change: impl FnOnce(&mut Value), place: &str, words: &str) {
    let mut list = items(60);
    change(&mut list[49]);
    let mut session = open(&with_pictures(json!(list).to_string(), 60));
    let problem = only(&mut session);
    assert_eq!(
        (problem.code.as_str(), problem.path.as_str()),
        ("bad_item", LIST)
    );
    assert_eq!(problem.place, place);
    assert!(problem.message.contains(words), "{}", problem.message);
    let ids = ids(&mut session);
    assert_eq!(ids.len(), 59);
    assert!(!ids.contains(&"49".to_owned()));
    assert_eq!(
        juror_session::overview(&session.study(&ScoreOptions::default()))
            .benchmark
            .unwrap()
            .unreadable_samples,
        1
    );
}

#[test]
fn a_fault_in_the_50th_item_is_named_with_item_idx_and_path_and_the_others_load() {
    assert_fault_in_50th(
        |item| item["domain"] = json!(3),
        "item 50 (idx 49), domain",
        "Expected text, found 3",
    );
    assert_fault_in_50th(
        |item| item["images"] = json!("a.png"),
        "item 50 (idx 49), images",
        "Expected a list",
    );
    assert_fault_in_50th(
        |item| item["images"][1] = json!(null),
        "item 50 (idx 49), images[1]",
        "found null",
    );
    assert_fault_in_50th(
        |item| item["chats"] = json!({}),
        "item 50 (idx 49), chats",
        "Expected a list",
    );
    assert_fault_in_50th(
        |item| item["chats"][2]["content"] = json!([1]),
        "item 50 (idx 49), chats[2].content",
        "found a list",
    );
    assert_fault_in_50th(
        |item| item["chats"][0]["role"] = json!("system"),
        "item 50 (idx 49), chats[0].role",
        "found \"system\"",
    );
    assert_fault_in_50th(
        |item| item["chats"][1]["type"] = json!("video"),
        "item 50 (idx 49), chats[1].type",
        "found \"video\"",
    );
    assert_fault_in_50th(
        |item| item["chats"][1] = json!(5),
        "item 50 (idx 49), chats[1].role",
        "no such key",
    );
    assert_fault_in_50th(
        |item| item["idx"] = json!(null),
        "item 50 (idx null), idx",
        "found null",
    );
    assert_fault_in_50th(
        |item| *item = json!("text"),
        "item 50",
        "Expected an object",
    );
}

#[test]
fn dialogues_that_cannot_be_judged_are_named() {
    assert_fault_in_50th(
        |item| item["chats"].as_array_mut().unwrap().truncate(3),
        "item 50 (idx 49), chats",
        "found 3 messages",
    );
    assert_fault_in_50th(
        |item| item["chats"][1]["content"] = json!("Image #99"),
        "item 50 (idx 49), chats[1].content",
        "Image #99 is asked for, but there are 2 pictures",
    );
    assert_fault_in_50th(
        |item| item["chats"][1]["content"] = json!("a picture"),
        "item 50 (idx 49), chats[1].content",
        "Expected Image #k",
    );
    assert_fault_in_50th(
        |item| item["chats"][1]["key_point"] = json!(["GT #1"]),
        "item 50 (idx 49), chats[1].key_point",
        "Expected an object or null, found a list",
    );
    assert_fault_in_50th(
        |item| item["chats"][1]["key_point"] = json!({"GT #2": 4}),
        "item 50 (idx 49), chats[1].key_point.GT #2",
        "Expected text, found 4",
    );
    assert_fault_in_50th(
        |item| item["chats"][1]["key_point"] = json!({"GT #99": "x"}),
        "item 50 (idx 49), chats[1].key_point.GT #99",
        "number 99",
    );
}

#[test]
fn a_byte_order_mark_and_windows_line_ends_are_no_fault() {
    let pretty = serde_json::to_string_pretty(&items(2))
        .unwrap()
        .replace('\n', "\r\n");
    let mut files = with_pictures(format!("\u{feff}{pretty}"), 2);
    files.push(file(REPLIES, lines(2).replace('\n', "\r\n")));
    let mut session = open(&files);
    assert_eq!(problems(&mut session), []);
    let overview = juror_session::overview(&session.study(&ScoreOptions::default()));
    assert_eq!(
        (overview.models[0].scored, overview.models[0].expected),
        (8, 8)
    );
}

#[test]
fn of_two_items_with_one_idx_the_first_stands() {
    let mut list = items(3);
    list[2]["idx"] = json!(0);
    let mut session = open(&with_pictures(json!(list).to_string(), 3));
    let problem = only(&mut session);
    assert_eq!(
        (problem.code.as_str(), problem.place.as_str()),
        ("duplicate_idx", "item 3")
    );
    assert!(problem.message.contains("item 1"), "{}", problem.message);
    assert_eq!(ids(&mut session), ["0", "1"]);
}

#[test]
fn a_picture_that_is_absent_or_none_is_named_and_its_dialogue_stays() {
    let mut files = with_pictures(json!(items(2)).to_string(), 2);
    files.remove(1);
    files[2].1 = b"bad".to_vec();
    let mut session = open(&files);
    let found: Vec<(String, String)> = problems(&mut session)
        .into_iter()
        .map(|problem| (problem.code, problem.place))
        .collect();
    let expected = [
        ("missing_picture", "idx 0, Image #1"),
        ("not_a_picture", ""),
    ];
    assert_eq!(
        found,
        expected.map(|(code, place)| (code.to_owned(), place.to_owned()))
    );
    assert_eq!(ids(&mut session), ["0", "1"]);
}

/// Three judged dialogues with something in place of the second line; the third stays.
fn with_second_line(bad: &[u8]) -> Session {
    let all = lines(3);
    let lines: Vec<&str> = all.split_inclusive('\n').collect();
    let mut text = lines[0].as_bytes().to_vec();
    text.extend(bad);
    text.push(b'\n');
    text.extend(lines[2].as_bytes());
    let mut files = with_pictures(json!(items(3)).to_string(), 3);
    files.push(file(REPLIES, text));
    open(&files)
}

fn scored(session: &mut Session) -> u32 {
    juror_session::overview(&session.study(&ScoreOptions::default())).models[0].scored
}

#[test]
fn a_line_that_is_not_json_is_named_and_costs_itself_only() {
    let deep = format!(
        "{{\"idx\": 1, \"turn 0\": {}{}}}",
        "[".repeat(10_000),
        "]".repeat(10_000)
    );
    for (bad, words) in [
        (
            "{\"idx\": 1, \"domain\": \"edit\", \"turn 0\": {\"key_po",
            "Unterminated string",
        ),
        ("{\"idx\": 1,}", "column 11"),
        ("[1, 2]", "Expected an object"),
        ("not json", "column 1"),
        ("{\"idx\": 1} {}", "Extra data"),
        (deep.as_str(), "Nested too deeply"),
    ] {
        let mut session = with_second_line(bad.as_bytes());
        let problem = only(&mut session);
        assert_eq!(
            (
                problem.code.as_str(),
                problem.path.as_str(),
                problem.place.as_str()
            ),
            ("bad_line", REPLIES, "line 2")
        );
        assert!(problem.message.contains(words), "{}", problem.message);
        assert_eq!(
            scored(&mut session),
            8,
            "the first and third line's scores are there"
        );
    }
}

#[test]
fn half_a_last_line_is_named_as_such() {
    let mut files = with_pictures(json!(items(3)).to_string(), 3);
    let all = lines(3);
    files.push(file(REPLIES, &all[..all.len() - 30]));
    let mut session = open(&files);
    let problem = only(&mut session);
    assert_eq!(problem.place, "line 3");
    assert!(
        problem.hint.contains("ends in the middle of a line"),
        "{}",
        problem.hint
    );
    assert_eq!(scored(&mut session), 8);
}

#[test]
fn a_nan_score_is_an_incident_in_paper_and_poisons_released_as_in_python() {
    let turn = "{\"key_point\": {\"score\": NaN}, \"visual_consistency\": {\"score\": 5}, \"image_quality\": {\"score\": 5}}";
    let domain = dialogue(1).domain();
    let mut session = with_second_line(
        format!("{{\"idx\": 1, \"domain\": \"{domain}\", \"turn 0\": {turn}}}").as_bytes(),
    );
    assert_eq!(problems(&mut session), []);
    let report = juror_session::report(&session.study(&ScoreOptions::default()));
    let statuses: Vec<&str> = report
        .samples
        .iter()
        .filter(|row| row.sample == "1" && row.turn == 0)
        .map(|row| row.status.as_str())
        .collect();
    assert_eq!(statuses, ["unparsable", "ok", "ok"]);
    let mean = |session: &mut Session, options: &ScoreOptions| {
        let rows = juror_session::overview(&session.study(options)).scores;
        rows.iter()
            .find(|row| row.scope == "overall" && row.criterion == "key_point")
            .unwrap()
            .mean
            .unwrap()
    };
    assert!(mean(&mut session, &ScoreOptions::default()).is_finite());
    assert!(mean(&mut session, &RELEASED).is_nan());
}

#[test]
fn invalid_utf_8_in_a_reason_costs_the_letter_and_not_the_score() {
    let mut line = lines(2).lines().nth(1).unwrap().as_bytes().to_vec();
    let at = line
        .windows(11)
        .position(|window| window == b"\"reasoning\"")
        .unwrap()
        + 14;
    line[at] = 0xff;
    let mut session = with_second_line(&line);
    // The authors' Python stops at it.
    let told: Vec<(String, String)> = problems(&mut session)
        .into_iter()
        .map(|problem| (problem.code, problem.path))
        .collect();
    let expected = ["released_cannot_read", "not_utf8"];
    assert_eq!(
        told,
        expected.map(|code| (code.to_owned(), REPLIES.to_owned()))
    );
    assert_eq!(scored(&mut session), 12);
    // Outside a string it costs the line.
    let mut found = problems(&mut with_second_line(b"{\"idx\": \xff}"));
    found.retain(|problem| problem.code == "bad_line");
    assert_eq!(found.len(), 1);
}

#[test]
fn a_byte_order_mark_before_the_replies_costs_no_dialogue_in_paper() {
    let mut files = with_pictures(json!(items(2)).to_string(), 2);
    files.push(file(REPLIES, format!("\u{feff}{}", lines(2))));
    let mut session = open(&files);
    // Python's json.loads refuses the line: it counts in the paper's profile alone.
    let problem = only(&mut session);
    assert_eq!(
        (problem.code.as_str(), problem.place.as_str()),
        ("released_cannot_read", "")
    );
    assert_eq!(scored(&mut session), 8);
}

#[test]
fn names_that_leave_the_folder_are_refused_and_the_rest_loads() {
    let mut files = with_pictures(json!(items(2)).to_string(), 2);
    for path in [
        "result/../../etc/passwd",
        "..\\evil.txt",
        "/etc/passwd",
        "C:\\windows\\x.txt",
        "D/test/",
    ] {
        files.push(file(path, "x"));
    }
    let mut session = open(&files);
    let found = problems(&mut session);
    assert_eq!(found.len(), 5);
    assert!(
        found
            .iter()
            .all(|problem| problem.code == "bad_path" && !problem.message.is_empty()),
        "{found:#?}"
    );
    assert_eq!(ids(&mut session), ["0", "1"]);
    assert!(
        juror_session::unknown_files(&session.linked()).is_empty(),
        "what is refused is not there"
    );
}

#[test]
fn a_picture_path_that_leaves_the_folder_finds_nothing() {
    let mut list = items(2);
    list[0]["images"][0] = json!("../../secret.png");
    list[1]["images"][0] = json!("/etc/secret.png");
    let mut files = with_pictures(json!(list).to_string(), 2);
    files.push(file("secret.png", "x"));
    let mut session = open(&files);
    let codes: Vec<String> = problems(&mut session)
        .into_iter()
        .map(|problem| problem.code)
        .collect();
    assert_eq!(codes, ["missing_picture", "missing_picture"]);
}

#[test]
fn backslashes_and_other_capitals_hide_nothing() {
    let mut list = items(2);
    list[0]["images"][0] = json!("imgs\\D0_1.PNG");
    let mut files = with_pictures(json!(list).to_string(), 2);
    for (path, _) in &mut files {
        *path = path
            .replace('/', "\\")
            .replace("imgs", "Imgs")
            .replace("test.json", "Test.JSON");
    }
    files.push(file("result\\m\\IMGS\\D0_2.png", "x"));
    files.push(file("result\\m\\Metrics.jsonl", lines(2)));
    let mut session = open(&files);
    assert_eq!(problems(&mut session), []);
    let overview = juror_session::overview(&session.study(&ScoreOptions::default()));
    assert_eq!(
        (
            overview.models[0].name.as_str(),
            overview.models[0].pictures
        ),
        ("m", 1)
    );
    assert_eq!(overview.benchmark.unwrap().missing_pictures, 0);
    assert!(
        juror_session::lint(&session.linked())
            .unwrap()
            .iter()
            .any(|problem| problem.code == "other_case"),
        "lint says so"
    );
}

#[test]
fn unknown_files_are_listed_and_never_fatal() {
    let mut files = with_pictures(json!(items(2)).to_string(), 2);
    let unknown = [
        "D/test/notes.json",
        "D/readme.md",
        "x.jsonl",
        "D/test/imgs/spare.png",
    ];
    for path in unknown {
        files.push(file(path, b"\x00{"));
    }
    files.push(file(REPLIES, lines(2)));
    let mut session = open(&files);
    assert_eq!(problems(&mut session), []);
    let mut listed =
        juror_session::overview(&session.study(&ScoreOptions::default())).unknown_files;
    listed.sort();
    let mut expected = unknown.to_vec();
    expected.sort_unstable();
    assert_eq!(listed, expected);
}

#[test]
fn a_broken_journal_record_is_named_and_the_others_count() {
    let record = |turn: u32, criterion: &str| {
        json!({
            "format": "juror-journal/1", "protocol": "weave", "model": "m", "sample": "0", "turn": turn,
            "criterion": criterion, "reply": "{\"score\": 5}",
        })
        .to_string()
    };
    let text = format!(
        "{}\n{{half\n{}\n",
        record(0, "key_point"),
        record(1, "accuracy")
    );
    let mut files = with_pictures(json!(items(1)).to_string(), 1);
    files.push(file("journal.jsonl", text));
    let mut session = open(&files);
    let problem = only(&mut session);
    assert_eq!(
        (problem.code.as_str(), problem.place.as_str()),
        ("bad_line", "line 2")
    );
    assert_eq!(scored(&mut session), 2);
}

/// What a session makes of two files: ids of the dialogues, and dialogue → scores read per line of replies.
fn outcome(list: &[u8], replies: &[u8]) -> (Vec<String>, Vec<(String, u32, String)>) {
    let files = [file(LIST, list), file(REPLIES, replies)];
    let result = catch_unwind(AssertUnwindSafe(|| {
        let mut session = open(&files);
        let ids = ids(&mut session);
        assert!(
            juror_session::overview(&session.study(&RELEASED))
                .models
                .len()
                <= 1
        );
        for id in &ids {
            juror_session::sample(&session.study(&RELEASED), id).unwrap();
        }
        let report = juror_session::report(&session.study(&ScoreOptions::default()));
        assert!(report.to_json().ends_with("}\n"));
        let scored = report
            .samples
            .into_iter()
            .filter(|row| row.status == "ok")
            .map(|row| (row.sample, row.turn, row.criterion));
        (ids, scored.collect())
    }));
    result.unwrap_or_else(|_| {
        panic!(
            "it panicked on {:?} and {:?}",
            String::from_utf8_lossy(list),
            String::from_utf8_lossy(replies)
        )
    })
}

fn small_list() -> String {
    // One item per line, so that a flipped byte's item is the line's.
    let items: Vec<String> = items(3).iter().map(Value::to_string).collect();
    format!("[{}]", items.join(",\n"))
}

#[test]
fn a_truncated_list_or_reply_file_never_panics_and_keeps_whole_lines() {
    let (list, replies) = (small_list(), lines(3));
    for end in 0..list.len() {
        outcome(&list.as_bytes()[..end], replies.as_bytes());
    }
    let (_, all) = outcome(list.as_bytes(), replies.as_bytes());
    assert_eq!(all.len(), 12);
    for end in 0..replies.len() {
        let num_whole = replies[..end].matches('\n').count();
        // The last line is whole before its line end.
        let num_read = if replies.as_bytes()[end] == b'\n' {
            num_whole + 1
        } else {
            num_whole
        };
        let (ids, scored) = outcome(list.as_bytes(), &replies.as_bytes()[..end]);
        assert_eq!(ids.len(), 3);
        assert_eq!(scored.len(), 4 * num_read, "cut at {end}");
        assert_eq!(scored, all[..scored.len()]);
    }
}

#[test]
fn a_flipped_byte_of_the_replies_costs_at_most_its_own_line() {
    let (list, replies) = (small_list(), lines(3));
    let (_, all) = outcome(list.as_bytes(), replies.as_bytes());
    let mut random = Random::new(11);
    for _ in 0..1000 {
        let mut bytes = replies.clone().into_bytes();
        let at = random.below(bytes.len());
        bytes[at] ^= 1 << random.below(8);
        let touched = replies[..at].matches('\n').count();
        // A line end that is gone joins two lines.
        let is_joined = replies.as_bytes()[at] == b'\n';
        let (_, scored) = outcome(list.as_bytes(), &bytes);
        for unit in &all {
            let line: usize = unit.0.parse().unwrap();
            let is_touched = line == touched || (is_joined && line == touched + 1);
            assert!(
                is_touched || scored.contains(unit),
                "byte {at} of line {touched} took {unit:?} along"
            );
        }
    }
}

#[test]
fn a_flipped_byte_of_the_list_costs_at_most_its_own_item_or_is_named() {
    let (list, replies) = (small_list(), lines(3));
    let mut random = Random::new(12);
    for _ in 0..1000 {
        let mut bytes = list.clone().into_bytes();
        let at = random.below(bytes.len());
        bytes[at] ^= 1 << random.below(8);
        let touched = list[..at].matches('\n').count();
        outcome(&bytes, replies.as_bytes());
        let mut session = open(&[file(LIST, bytes)]);
        let ids = ids(&mut session);
        if ids.is_empty() {
            let found = problems(&mut session);
            assert!(found.iter().any(|problem| problem.code == "bad_json" && problem.place.starts_with("line ")), "{found:#?}");
            continue;
        }
        for item in (0..3).filter(|item| *item != touched) {
            // The flip may give the touched item this one's idx; the first of the two stands.
            assert!(
                ids.contains(&item.to_string()),
                "byte {at} of item {touched} took {item} along"
            );
        }
    }
}
