//! Protocol files: their errors with JSON paths, every rule by hand arithmetic, and MultiBanana's paper scoring told in one.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use juror_model::options::{Policy, Profile, ScoreOptions};
use juror_model::problem::{Problem, Severity};
use juror_model::request::{PartView, RequestKey};
use juror_model::row::ScoreRow;
use juror_protocols::declared::schema::{FORMAT, OBJECTS, RESERVED, SCHEMA};
use juror_protocols::declared::{Declared, NAME};
use juror_protocols::registry::ALL;
use juror_session::Session;
use juror_session::view::SampleQuery;
use juror_session::view::agreement::AgreementQuery;
use juror_tests::generate::{File, Random, open};
use serde_json::{Value, json};

const PAPER: ScoreOptions = ScoreOptions {
    profile: Profile::Paper,
    policy: None,
    judge: None,
    run: None,
    reading: juror_model::options::ReplyReading::Strict,
};

fn with_policy(policy: Policy) -> ScoreOptions {
    ScoreOptions {
        policy: Some(policy),
        ..PAPER
    }
}

/// The smallest protocol file: two criteria from 1 to 10 in labelled lines, samples `1` to `4` in the tasks `a`, `a`, `a`, `b`.
fn smallest() -> Value {
    let sample =
        |(id, task): (&str, &str)| json!({"id": id, "instruction": "Do.", "tags": {"task": task}});
    let samples = [("1", "a"), ("2", "a"), ("3", "a"), ("4", "b")].map(sample);
    json!({
        "format": FORMAT,
        "id": "small",
        "title": "Small",
        "samples": samples,
        "criteria": [
            {"id": "fit", "label": "Fit", "range": [1, 10]},
            {"id": "look", "label": "Look", "range": [1, 10]},
        ],
        "requests": [{"id": "judge", "reply": {"form": "lines"}}],
        "groupings": [{"scope": "domain", "tag": "task", "label": "Task"}],
    })
}

/// The same with one place changed; a pointer's last part may be a new key.
fn changed(mut file: Value, pointer: &str, value: Value) -> Value {
    let (folder, name) = pointer.rsplit_once('/').unwrap();
    let place = file.pointer_mut(folder).unwrap();
    match place {
        Value::Array(items) => items[name.parse::<usize>().unwrap()] = value,
        Value::Object(entries) => drop(entries.insert(name.to_owned(), value)),
        other => panic!("{pointer} is in {other}"),
    }
    file
}

fn file(path: &str, content: &str) -> File {
    (path.to_owned(), content.as_bytes().to_vec())
}

/// Pictures of one model.
fn outputs(model: &str, ids: &[&str]) -> Vec<File> {
    let path = |id: &&str| file(&format!("{model}/{id}.png"), "output");
    ids.iter().map(path).collect()
}

/// A journal record.
fn record(protocol: &str, model: &str, sample: &str, request: &str, reply: &str) -> String {
    json!({"format": "juror-journal/1", "protocol": protocol, "model": model, "sample": sample, "turn": 0,
        "criterion": request, "judge": "j", "run": 1, "reply": reply})
    .to_string()
        + "\n"
}

/// A session over a protocol file, a model `m` with outputs for all four samples, and replies with these two numbers each.
fn judged(protocol: &Value, replies: &[(&str, [f64; 2])]) -> Session {
    let mut files = vec![file("bench/juror.json", &protocol.to_string())];
    files.extend(outputs("m", &["1", "2", "3", "4"]));
    let lines: String = replies
        .iter()
        .map(|(sample, [fit, look])| {
            let reply = format!("Fine.\nFit: {fit}\nLook: {look}");
            record("small", "m", sample, "judge", &reply)
        })
        .collect();
    files.push(file("journal.jsonl", &lines));
    open(&files)
}

fn row(
    session: &mut Session,
    options: &ScoreOptions,
    scope: &str,
    key: &str,
    criterion: &str,
) -> ScoreRow {
    let rows = juror_session::score_rows(&session.study(options));
    let mut found = rows
        .iter()
        .filter(|row| (&*row.scope, &*row.key, &*row.criterion) == (scope, key, criterion));
    let one = found
        .next()
        .unwrap_or_else(|| panic!("no row {scope} {key} {criterion}"));
    assert!(found.next().is_none(), "two rows {scope} {key} {criterion}");
    one.clone()
}

fn total(session: &mut Session, key: &str) -> Option<f64> {
    let scope = if key == "all" { "overall" } else { "domain" };
    row(session, &PAPER, scope, key, "total").mean
}

#[track_caller]
fn assert_near(found: Option<f64>, wanted: f64) {
    let found = found.expect("a number");
    assert!((found - wanted).abs() < 1e-12, "{found} is not {wanted}");
}

fn problem_of(file: &Value) -> Option<Problem> {
    Declared::from_text("bench/juror.json", &file.to_string())
        .err()
        .map(|problem| *problem)
}

/// Where the smallest file is changed, to what, the JSON path that is told, and words of the message.
const WRONG: &str = r#"
/format | "juror-protocol/9" | /format | Expected "juror-protocol/1"
/criteria/1/range | [5, 1] | /criteria/1/range | Expected [low, high] with low < high, found [5, 1].
/criteria/1/range | "1-5" | /criteria/1/range | found text "1-5"
/criteria/0/wieght | 3 | /criteria/0/wieght | The key is not known.
/criteria/0/weight | 3 | /criteria/0 | The weight 3 does not count under this rule
/criteria/0/weight | -1 | /criteria/0/weight | a weight of 0 or more
/criteria/0/direction | "down" | /criteria/1 | not better in the same direction
/criteria/1/id | "fit" | /criteria/1 | There is another criterion "fit".
/criteria/1/id | "total" | /criteria/1 | There is another criterion "total".
/criteria/1/label | "Fit" | /requests/0 | Two criteria of this request are read from "Fit".
/criteria | [] | /criteria | at least one criterion
/id | "weave" | /id | a protocol that is built in
/id | "a b" | /id | Expected a name
/title | 7 | /title | Expected a title, found 7.
/samples | "x" | /samples | a list of samples
/samples | {"file": "x.txt"} | /samples/file | .json, .jsonl or .csv
/outputs | ["{model}/{id}", "{id}"] | /outputs/1 | {model} must be
/replies | "{model}.txt" | /replies | has no {id} and is no .jsonl
/replies | {"files": "{model}/{id}.txt", "reply": "x"} | /replies/reply | has no keys
/requests/0/prompt | "{instuction}" | /requests/0/prompt | There is no placeholder {instuction}.
/requests/0/criteria | ["fit"] | /requests | No request asks for the criterion "look".
/requests/0/criteria | ["fit", "lok"] | /requests/0/criteria/1 | There is no criterion "lok".
/requests/0/reply/form | "yaml" | /requests/0/reply/form | "json" or "lines"
/requests/0/reply/reason | "why" | /requests/0/reply/reason | no key for the reasoning
/total | {"rule": "median"} | /total/rule | found text "median"
/total | {"rule": "mean", "gates": [{"if": {"criterion": "fit"}, "total": 1}]} | /total/gates/0/if | found 0
/total | {"rule": "mean", "gates": [{"if": {"criterion": "fit", "below": 2}}]} | /total/gates/0 | changes nothing
/total | {"rule": "mean", "gates": [{"if": {"criterion": "fit", "below": 2}, "criteria": {"x": 1}}]} | /total/gates/0/criteria/x | There is no criterion "x".
/total | {"rule": "mean", "caps": [{"if": {"criterion": "fit", "below": 2}}]} | /total/caps/0 | "total_at_most"
/missing | "drop" | /missing | "zero" or "exclude"
/groupings/0/scope | "overall" | /groupings/0 | another scope "overall"
/groupings/0/over | "domain" | /groupings/0/over | not over samples itself
/overall | {"over": "tasks"} | /overall/over | There is no grouping "tasks".
/judges | {"mean_of": ["gpt"]} | /judges/mean_of | at least two judges
/display | {"decimals": 2.5} | /display/decimals | a whole number from 0 to 6
/display | {"scale": 0} | /display/scale | a factor above 0
/a~b | 1 | /a~0b | The key is not known.
"#;

#[test]
fn what_is_wrong_is_told_with_its_json_path() {
    assert_eq!(problem_of(&smallest()), None);
    let rows = WRONG.lines().filter(|line| !line.is_empty());
    for row in rows {
        let [pointer, value, place, message] = row.split(" | ").collect::<Vec<_>>()[..] else {
            panic!("{row}");
        };
        let file = changed(smallest(), pointer, serde_json::from_str(value).unwrap());
        let problem = problem_of(&file).unwrap_or_else(|| panic!("{row} passes"));
        assert_eq!(problem.place, place, "{row}: {}", problem.message);
        assert!(
            problem.message.contains(message),
            "{row}: {}",
            problem.message
        );
        let fixed = (problem.severity, &*problem.path, &*problem.code);
        assert_eq!(fixed, (Severity::Error, "bench/juror.json", "bad_protocol"));
    }
    assert_eq!(WRONG.trim().lines().count(), 37);
}

#[test]
fn a_near_word_is_proposed_and_every_error_is_told_at_once() {
    let file = changed(smallest(), "/criteria/0/wieght", json!(3));
    let file = changed(file, "/criteria/1/range", json!([1]));
    let problem = problem_of(&file).unwrap();
    assert_eq!(problem.place, "/criteria/0/wieght");
    assert!(
        problem.hint.starts_with(
            "Did you mean \"weight\"? Also wrong: /criteria/1/range: Expected [low, high]"
        ),
        "{}",
        problem.hint
    );
    // Nothing follows from a criterion that has an error of its own.
    let cap = json!({"if": {"criterion": "look", "below": 2}, "total_at_most": 3});
    let file = changed(file, "/total", json!({"rule": "mean", "caps": [cap]}));
    assert_eq!(problem_of(&file), Some(problem));
    let twice = r#"{"format": "juror-protocol/1", "id": "a", "id": "b"}"#;
    let problem = Declared::from_text("juror.json", twice).unwrap_err();
    assert_eq!(
        (&*problem.place, &*problem.message),
        ("/id", "The key is given twice.")
    );
    let problem = Declared::from_text("juror.json", "{\n  oops").unwrap_err();
    assert_eq!(
        (&*problem.code, &*problem.place),
        ("bad_json", "line 2, column 3")
    );
}

#[test]
fn no_file_takes_the_id_of_a_protocol_in_rust() {
    let ids: Vec<&str> = ALL.iter().map(|protocol| protocol.id()).collect();
    assert_eq!(ids.len(), RESERVED.len());
    assert!(ids.iter().all(|id| RESERVED.contains(id)), "{ids:?}");
}

#[test]
fn a_plain_mean_by_hand() {
    let mut session = judged(
        &smallest(),
        &[
            ("1", [2.0, 8.0]),
            ("2", [4.0, 8.0]),
            ("3", [10.0, 10.0]),
            ("4", [1.0, 2.0]),
        ],
    );
    // 5, 6, 10 and 1.5.
    assert_near(total(&mut session, "a"), 7.0);
    assert_near(total(&mut session, "b"), 1.5);
    assert_near(total(&mut session, "all"), 22.5 / 4.0);
    let fit = row(&mut session, &PAPER, "domain", "a", "fit");
    assert_eq!((fit.n, fit.expected), (3, 3));
    assert_near(fit.mean, 16.0 / 3.0);
    // Deviations of 5, 6, 10 from 7: 4 + 1 + 9 = 14, over 2.
    assert_near(
        row(&mut session, &PAPER, "domain", "a", "total").sd,
        7.0_f64.sqrt(),
    );
}

#[test]
fn each_rule_gives_its_own_total() {
    let weighted = |rule: &str, weight: f64| {
        let file = changed(smallest(), "/total", json!({"rule": rule}));
        changed(file, "/criteria/0/weight", json!(weight))
    };
    let replies = [("1", [2.0, 8.0])];
    for (rule, weight, wanted) in [
        ("mean", 1.0, 5.0),
        ("weighted_mean", 3.0, 14.0 / 4.0),
        ("geometric_mean", 1.0, 4.0),
        ("geometric_mean", 3.0, 8.0_f64.sqrt()),
        ("minimum", 1.0, 2.0),
        ("mean", 0.0, 8.0),
    ] {
        let mut session = judged(&weighted(rule, weight), &replies);
        assert_near(total(&mut session, "a"), wanted);
    }
    // The sibling: under a weight of 3 the plain mean would say 5.
    let mut session = judged(&weighted("weighted_mean", 3.0), &replies);
    assert!((total(&mut session, "a").unwrap() - 5.0).abs() > 1.0);
}

#[test]
fn gates_and_caps_count_in_rows_and_bounds() {
    let rules = json!({
        "rule": "mean",
        "gates": [
            {"if": {"criterion": "fit", "below": 3}, "criteria": {"look": 0}},
            {"if": {"criterion": "fit", "at_most": 1}, "total": 0},
        ],
        "caps": [{"if": {"criterion": "look", "above": 9}, "total_at_most": 4}],
    });
    let file = changed(smallest(), "/total", rules);
    let replies = [
        ("1", [2.0, 8.0]),
        ("2", [1.0, 8.0]),
        ("3", [9.0, 9.5]),
        ("4", [3.0, 9.0]),
    ];
    let mut session = judged(&file, &replies);
    // 1: look counts 0, so (2 + 0) / 2 = 1. 2: the total is 0. 3: capped at 4. b: (3 + 9) / 2, as 3 is not below 3 and 9 not above 9.
    assert_near(total(&mut session, "a"), 5.0 / 3.0);
    assert_near(total(&mut session, "b"), 6.0);
    assert_near(
        row(&mut session, &PAPER, "domain", "a", "look").mean,
        9.5 / 3.0,
    );
    assert_near(row(&mut session, &PAPER, "domain", "a", "fit").mean, 4.0);
    let without = changed(file.clone(), "/total/gates", json!([]));
    assert_near(
        total(&mut judged(&without, &replies), "a"),
        (5.0 + 4.5 + 4.0) / 3.0,
    );
    // One of three is missing: it could be 0 by the gate, and 10 at most.
    let mut session = judged(&file, &replies[..2]);
    let bounds = row(&mut session, &PAPER, "domain", "a", "total");
    assert_eq!((bounds.n, bounds.expected), (2, 3));
    assert_near(bounds.worst, 1.0 / 3.0);
    assert_near(bounds.best, 11.0 / 3.0);
    let text = &juror_session::overview(&session.study(&PAPER))
        .formulas
        .last()
        .unwrap()
        .text
        .clone();
    assert_eq!(
        text,
        "(Fit + Look) / 2; at most 4 if Look > 9; Look = 0 if Fit < 3; total = 0 if Fit ≤ 1 per sample"
    );
}

#[test]
fn lower_is_better_turns_the_bounds_and_the_worst_score() {
    let file = changed(smallest(), "/criteria/0/direction", json!("down"));
    let file = changed(file, "/criteria/1/direction", json!("down"));
    let files = |with_output: &[&str]| {
        let mut files = vec![file_of(&file)];
        files.extend(outputs("m", with_output));
        let reply = record("small", "m", "1", "judge", "Fit: 2\nLook: 4");
        files.push(self::file("journal.jsonl", &reply));
        files
    };
    let mut session = open(&files(&["1", "2", "3"]));
    let row_a = row(&mut session, &PAPER, "domain", "a", "total");
    assert_near(row_a.worst, (3.0 + 10.0 + 10.0) / 3.0);
    assert_near(row_a.best, (3.0 + 1.0 + 1.0) / 3.0);
    // Sample 4 has no output: it counts the worst score, which is 10.
    assert_near(total(&mut session, "b"), 10.0);
}

fn file_of(protocol: &Value) -> File {
    file("bench/juror.json", &protocol.to_string())
}

#[test]
fn a_missing_output_counts_what_the_file_and_the_policy_say() {
    let files = |missing: &str| {
        let protocol = changed(smallest(), "/missing", json!(missing));
        let mut files = vec![file_of(&protocol)];
        files.extend(outputs("m", &["1", "3"]));
        files.push(file("m/2.png", "bad"));
        let lines = [
            ("1", "Fit: 7\nLook: 7"),
            ("2", "Fit: 9\nLook: 9"),
            ("3", "no"),
        ]
        .map(|(sample, reply)| record("small", "m", sample, "judge", reply));
        files.push(file("journal.jsonl", &lines.concat()));
        files
    };
    // 2 cannot be read and 4 is missing, so both count 1 where the policy says so; 3's reply never becomes a score.
    let mut zero = open(&files("zero"));
    let found = row(&mut zero, &PAPER, "domain", "a", "total");
    assert_eq!(
        (found.policy, found.n, found.expected),
        (Policy::Zero, 2, 3)
    );
    assert_near(found.mean, 4.0);
    assert_near(total(&mut zero, "b"), 1.0);
    let excluded = row(
        &mut zero,
        &with_policy(Policy::Exclude),
        "domain",
        "a",
        "total",
    );
    assert_eq!((excluded.mean, excluded.n), (Some(7.0), 1));
    let upstream = row(
        &mut zero,
        &with_policy(Policy::Upstream),
        "domain",
        "a",
        "total",
    );
    assert_eq!((upstream.mean, upstream.n), (found.mean, found.n));
    let mut exclude = open(&files("exclude"));
    let found = row(&mut exclude, &PAPER, "domain", "a", "total");
    assert_eq!((found.policy, found.mean), (Policy::Exclude, Some(7.0)));
    let upstream = row(
        &mut exclude,
        &with_policy(Policy::Upstream),
        "domain",
        "a",
        "total",
    );
    assert_eq!(upstream.mean, Some(7.0));
    let kinds: Vec<(String, String)> = juror_session::overview(&zero.study(&PAPER))
        .incidents
        .into_iter()
        .map(|group| (group.kind, group.counts_as))
        .collect();
    let worst = "counts the worst score of every criterion";
    let wanted = [
        ("missing_output", worst),
        ("unreadable_output", worst),
        ("unparsable", "left out"),
    ];
    assert_eq!(
        kinds,
        wanted.map(|(kind, says)| (kind.to_owned(), says.to_owned()))
    );
}

#[test]
fn released_is_the_same_as_paper_and_says_so() {
    let released = ScoreOptions {
        profile: Profile::Released,
        policy: None,
        judge: None,
        run: None,
        reading: juror_model::options::ReplyReading::Strict,
    };
    let mut session = judged(&smallest(), &[("1", [2.0, 8.0]), ("2", [11.0, 8.0])]);
    let paper = juror_session::score_rows(&session.study(&PAPER)).to_vec();
    let mut rows = juror_session::score_rows(&session.study(&released)).to_vec();
    assert!(rows.iter().all(|row| row.profile == Profile::Released));
    for row in &mut rows {
        row.profile = Profile::Paper;
    }
    assert_eq!(rows, paper);
    let overview = juror_session::overview(&session.study(&released));
    assert_eq!(overview.differences, []);
    assert!(
        overview.formulas[0]
            .source
            .ends_with("so released is the same as paper"),
        "{}",
        overview.formulas[0].source
    );
}

#[test]
fn groups_keep_the_given_order_and_means_go_over_groups() {
    let file = changed(smallest(), "/overall", json!({"over": "domain"}));
    let groupings = json!([
        {"scope": "domain", "tag": "task", "label": "Task", "order": ["b"]},
        {"scope": "category", "tag": "family", "over": "domain"},
        {"scope": "level", "tag": "level"},
    ]);
    let mut file = changed(file, "/groupings", groupings);
    // Families cut across tasks: x has 1, 2 of a and 4 of b; y has 3 of a. Level is a number, and 1 has two of them.
    for (at, family, level) in [
        (0, "x", json!([1, 2])),
        (1, "x", json!(2)),
        (2, "y", json!("2")),
        (3, "x", json!(1)),
    ] {
        file["samples"][at]["tags"]["family"] = json!(family);
        file["samples"][at]["tags"]["level"] = level;
    }
    let mut session = judged(
        &file,
        &[
            ("1", [2.0, 2.0]),
            ("2", [4.0, 4.0]),
            ("3", [9.0, 9.0]),
            ("4", [6.0, 6.0]),
        ],
    );
    // Tasks: a (2 + 4 + 9) / 3 = 5, b 6.
    assert_near(total(&mut session, "all"), 5.5);
    let scopes = juror_session::overview(&session.study(&PAPER)).scopes;
    let scopes: Vec<(&str, Vec<&str>)> = scopes
        .iter()
        .map(|info| (&*info.scope, info.keys.iter().map(|key| &**key).collect()))
        .collect();
    assert_eq!(
        scopes,
        [
            ("overall", vec!["all"]),
            ("domain", vec!["b", "a"]),
            ("category", vec!["x", "y"]),
            ("level", vec!["1", "2"]),
        ]
    );
    let mut mean = |scope: &str, key: &str| row(&mut session, &PAPER, scope, key, "total").mean;
    // x over tasks: the mean of a's 2 and 4, and of b's 6; y has a's 9 alone.
    assert_near(mean("category", "x"), f64::midpoint(3.0, 6.0));
    assert_near(mean("category", "y"), 9.0);
    assert_near(mean("level", "1"), 4.0);
    assert_near(mean("level", "2"), 5.0);
    assert!(crate::origin::check(&mut session) > 0);
    let view = juror_session::sample(&session.study(&PAPER), "1").unwrap();
    assert_eq!((&*view.domain, &*view.category), ("a", "x"));
    let query = SampleQuery {
        q: "domain:b".to_owned(),
        ..SampleQuery::default()
    };
    assert_eq!(
        juror_session::samples(&session.study(&query.options), &query)
            .rows
            .len(),
        1
    );
}

#[test]
fn a_mean_over_overlapping_groups_has_no_interval() {
    let file = changed(smallest(), "/overall", json!({"over": "domain"}));
    let ids = [
        "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12",
    ];
    let sample = |(at, id): (usize, &&str)| json!({"id": id, "instruction": "Do.", "tags": {"task": if at < 6 { "a" } else { "b" }}});
    let samples: Vec<Value> = ids.iter().enumerate().map(sample).collect();
    let file = changed(file, "/samples", json!(samples));
    let replies = ids.map(|id| (id, [f64::from(u8::try_from(id.len()).unwrap()) * 2.0; 2]));
    let both = json!(["a", "b"]);
    let file = changed(file, "/samples/0/tags/task", both.clone());
    let overlapping = changed(file.clone(), "/samples/1/tags/task", both);
    let row_of = |file: &Value| {
        row(
            &mut judged(file, &replies),
            &PAPER,
            "overall",
            "all",
            "total",
        )
    };
    assert_eq!(row_of(&overlapping).ci_low, None);
    let apart = changed(file, "/samples/0/tags/task", json!("b"));
    assert!(row_of(&apart).ci_low.is_some());
    for file in [&overlapping, &apart] {
        assert!(crate::origin::check(&mut judged(file, &replies)) > 0);
    }
}

/// Two requests, as benchmarks have them that rate fit and look apart.
fn two_requests() -> Value {
    let requests = json!([
        {"id": "f", "criteria": ["fit"], "prompt": "{references} {instruction} {output}", "reply": {"form": "json", "reason": "why"}},
        {"id": "l", "criteria": ["look"], "prompt": "{output} {id}", "reply": {"form": "lines"}},
    ]);
    let file = changed(smallest(), "/requests", requests);
    changed(file, "/total", json!({"rule": "geometric_mean"}))
}

#[test]
fn a_total_needs_the_replies_to_all_requests() {
    let mut files = vec![file_of(&two_requests())];
    files.extend(outputs("m", &["1", "2", "3", "4"]));
    let lines = [
        ("1", "f", "{\"fit\": 2, \"why\": \"it is\"}"),
        ("1", "l", "Look: 8"),
        ("2", "f", "{\"fit\": 9}"),
        ("3", "l", "Look: 5"),
    ];
    let lines = lines.map(|(sample, request, reply)| record("small", "m", sample, request, reply));
    files.push(file("journal.jsonl", &lines.concat()));
    let mut session = open(&files);
    let mut found = |criterion: &str| {
        let row = row(&mut session, &PAPER, "domain", "a", criterion);
        (row.mean, row.n, row.expected)
    };
    assert_eq!(found("fit"), (Some(5.5), 2, 3));
    assert_eq!(found("look"), (Some(6.5), 2, 3));
    let (mean, n, expected) = found("total");
    assert_near(mean, 4.0);
    assert_eq!((n, expected), (1, 3));
    let report = juror_session::report(&session.study(&PAPER));
    let totals: Vec<_> = report
        .samples
        .iter()
        .filter(|row| row.criterion == "total")
        .map(|row| (&*row.sample, row.status.as_str()))
        .collect();
    assert_eq!(totals, [("1", "ok")]);
    assert_eq!(report.incidents.len(), 4);
    let view = juror_session::sample(&session.study(&PAPER), "1").unwrap();
    let output = &view.turns[0].outputs[0];
    assert_near(output.score, 4.0);
    assert_eq!(output.verdicts[0].reason, "it is");
}

#[test]
fn runs_are_averaged_before_samples() {
    let mut files = vec![file_of(&smallest())];
    files.extend(outputs("m", &["1", "2", "3", "4"]));
    let one = record("small", "m", "1", "judge", "Fit: 2\nLook: 2");
    let two =
        record("small", "m", "1", "judge", "Fit: 4\nLook: 8").replace("\"run\":1", "\"run\":2");
    let other = record("small", "m", "2", "judge", "Fit: 9\nLook: 9");
    files.push(file("journal.jsonl", &[one, two, other].concat()));
    let mut session = open(&files);
    // Sample 1: the mean of 2 and 6.
    assert_near(total(&mut session, "a"), f64::midpoint(4.0, 9.0));
    let query = AgreementQuery::default();
    let steady = juror_session::agreement(&session.study(&query.options), &query)
        .unwrap()
        .steadiness;
    assert!(
        steady
            .iter()
            .any(|row| row.criterion == "total" && (row.max_spread - 4.0).abs() < 1e-12)
    );
}

#[test]
fn samples_read_alike_from_every_kind_of_list() {
    let inline = json!([
        {"id": "1", "instruction": "A, b", "references": ["r/a.png", "r/b.png"], "tags": {"task": ["x", "y"]}},
        {"id": "2", "instruction": "C"},
    ]);
    let lines = inline
        .as_array()
        .unwrap()
        .iter()
        .map(|item| format!("{item}\n"));
    let lists = [
        ("list.json", inline.to_string(), json!(null)),
        ("list.jsonl", format!("\u{feff}{}\n", lines.collect::<String>()), json!(null)),
        ("list.CSV", "id,instruction,references,tags.task\n1,\"A, b\",r/a.png; r/b.png,x;y\n2,C,,\n".to_owned(), json!(null)),
        (
            "theirs.csv",
            "uid,prompt,first,second,kind,more\n1,\"A, b\",r/a.png,r/b.png,x;y,1\n2,C,,,,\n".to_owned(),
            json!({"id": "uid", "instruction": "prompt", "references": ["first", "second"], "tags": {"task": "kind"}}),
        ),
        (
            "theirs.jsonl",
            "{\"uid\": 1, \"prompt\": \"A, b\", \"images\": [\"r/a.png\", \"r/b.png\"], \"kind\": [\"x\", \"y\"], \"more\": {}}\n{\"uid\": 2, \"prompt\": \"C\", \"images\": null}".to_owned(),
            json!({"id": "uid", "instruction": "prompt", "references": "images", "tags": {"task": "kind"}}),
        ),
    ];
    let read = |samples: Value, more: Option<File>| {
        let mut files = vec![file_of(&changed(smallest(), "/samples", samples))];
        files.extend([file("bench/r/a.png", "a"), file("bench/r/b.png", "b")]);
        files.extend(more);
        files.extend(outputs("m", &["1", "2"]));
        let mut session = open(&files);
        let overview = juror_session::overview(&session.study(&PAPER));
        assert_eq!(
            (overview.problems, overview.unknown_files),
            (vec![], vec![])
        );
        assert_eq!(overview.benchmark.unwrap().samples, 2);
        let mut view = juror_session::sample(&session.study(&PAPER), "1").unwrap();
        for picture in &mut view.pictures {
            picture.file = None;
        }
        view.turns[0].outputs.clear();
        view
    };
    let wanted = read(inline, None);
    assert_eq!(wanted.pictures[1].label, "Reference 2");
    assert_eq!(wanted.tags.len(), 2);
    for (name, text, fields) in lists {
        let mut samples = json!({"file": name});
        if !fields.is_null() {
            samples["fields"] = fields;
        }
        let found = read(samples, Some(file(&format!("bench/{name}"), &text)));
        assert_eq!(found, wanted, "{name}");
    }
}

#[test]
fn a_sample_that_cannot_be_read_is_told_and_the_others_count() {
    let problems = |samples: Value, list: &str| {
        let mut files = vec![file_of(&changed(smallest(), "/samples", samples))];
        files.push(file("bench/list.csv", list));
        files.push(file("bench/list.jsonl", list));
        let mut session = open(&files);
        let overview = juror_session::overview(&session.study(&PAPER));
        let benchmark = overview.benchmark.unwrap();
        let problems = overview.problems.into_iter();
        let problems: Vec<(String, String)> = problems
            .filter(|problem| problem.code != "unused_tag")
            .map(|problem| (problem.code, problem.place))
            .collect();
        (benchmark.samples, benchmark.unreadable_samples, problems)
    };
    let own = |pairs: &[(&str, &str)]| -> Vec<(String, String)> {
        let own = pairs
            .iter()
            .map(|(a, b)| ((*a).to_owned(), (*b).to_owned()));
        own.collect()
    };
    let inline = json!([
        {"id": "1"}, {"instruction": "x"}, {"id": "1"}, {"id": "2", "refs": []},
        {"id": "3", "references": ["no.png"]}, {"id": "4", "tags": {"task": null}}, {"id": 5.5}, 7,
    ]);
    let wanted = own(&[
        ("bad_item", "/samples/1"),
        ("bad_item", "/samples/3/refs"),
        ("bad_item", "/samples/5/tags/task"),
        ("bad_item", "/samples/6/id"),
        ("bad_item", "/samples/7"),
        ("duplicate_id", "/samples/2"),
        ("missing_picture", "/samples/4"),
    ]);
    assert_eq!(problems(inline, ""), (2, 6, wanted));
    let csv = "id,instruction,colour\n1,x,\n2,x,red\n3,x\n";
    let wanted = own(&[("bad_item", "line 3, /colour"), ("bad_item", "line 4")]);
    assert_eq!(problems(json!({"file": "list.csv"}), csv), (1, 2, wanted));
    let lines = "{\"id\": 1}\n\n{oops\n{\"id\": 2, \"tags\": 3}\n";
    let wanted = own(&[
        ("bad_item", "line 3, column 2"),
        ("bad_item", "line 4, /tags"),
    ]);
    assert_eq!(
        problems(json!({"file": "list.jsonl"}), lines),
        (1, 2, wanted)
    );
}

#[test]
fn ids_that_a_table_wrote_as_floats_find_outputs_and_are_found_twice() {
    let opened = |list: &str, own: &[&str]| {
        let declared = changed(smallest(), "/samples", json!({"file": "list.csv"}));
        let mut files = vec![file_of(&declared), file("bench/list.csv", list)];
        files.extend(outputs("m", own));
        let overview = juror_session::overview(&open(&files).study(&PAPER));
        let twice = overview
            .problems
            .iter()
            .filter(|found| found.code == "duplicate_id");
        (overview.models[0].pictures, twice.count())
    };
    assert_eq!(
        opened("id,instruction\n1.0,x\n2.0,x\n", &["1", "2"]),
        (2, 0)
    );
    assert_eq!(opened("id,instruction\n1,x\n2,x\n", &["1.0", "2"]), (2, 0));
    assert_eq!(opened("id,instruction\n1,x\n1.0,x\n", &["1"]), (1, 1));
    // Excel states its separator in a line of its own.
    assert_eq!(
        opened("sep=;\r\nid;instruction\r\n1;x\r\n2;x\r\n", &["1", "2"]),
        (2, 0)
    );
    assert_eq!(
        opened("id,instruction\n1.10,x\n1.1,x\n", &["1.10", "1.1"]),
        (2, 0)
    );
}

#[test]
fn ids_that_are_names_of_pictures_find_outputs_and_replies_with_and_without_the_ending() {
    let mean = |ids: [&str; 2], outputs: [&str; 2], said: [&str; 2]| {
        let list = ids.map(|id| json!({"id": id, "instruction": "Do."}));
        let declared = changed(smallest(), "/samples", json!(list));
        let declared = changed(
            declared,
            "/replies",
            json!({"files": "judged/{model}.{judge}.jsonl", "sample": "uid", "reply": "answer"}),
        );
        let mut files = vec![file_of(&declared)];
        files.extend(outputs.map(|name| file(&format!("out/m/{name}"), "output")));
        let line = |(id, mark): (&str, u32)| {
            json!({"uid": id, "answer": format!("Fit: {mark}\nLook: {mark}")}).to_string() + "\n"
        };
        let lines: String = said.into_iter().zip([4, 8]).map(line).collect();
        files.push(file("judged/m.gpt.jsonl", &lines));
        let mut session = open(&files);
        let pictures = juror_session::overview(&session.study(&PAPER)).models[0].pictures;
        let row = row(&mut session, &PAPER, "overall", "all", "total");
        (pictures, row.n, row.mean)
    };
    let whole = (2, 2, Some(6.0));
    for (ids, outputs, said) in [
        (["1.png", "2.png"], ["1.png", "2.png"], ["1.png", "2.png"]),
        (["1.png", "2.png"], ["1.png", "2.png"], ["1", "2"]),
        (["1.jpg", "2.jpg"], ["1.png", "2.png"], ["1.jpg", "2"]),
        (
            ["1.png", "2.png"],
            ["1.png.png", "2.png.png"],
            ["1", "2.png"],
        ),
        (["1", "2"], ["1.png", "2.png"], ["1.png", "2"]),
    ] {
        assert_eq!(
            mean(ids, outputs, said),
            whole,
            "{ids:?} {outputs:?} {said:?}"
        );
    }
    // A name that may be either id is neither.
    let either = mean(["1.png", "1.jpg"], ["1.png", "1.png.png"], ["1", "1.jpg"]);
    assert_eq!(either.0, 1);
    // An id is meant before another one's name without its ending.
    let own = mean(["1", "1.png"], ["1.png", "1.png.png"], ["1", "1.png"]);
    assert_eq!(own, whole);
}

#[test]
fn a_list_that_is_not_there_is_an_error_of_the_file() {
    let file = changed(smallest(), "/samples", json!({"file": "list.csv"}));
    let mut session = open(&[file_of(&file)]);
    let overview = juror_session::overview(&session.study(&PAPER));
    assert_eq!(overview.benchmark, None);
    let problem = &overview.problems[0];
    assert_eq!(
        (&*problem.path, &*problem.place),
        ("bench/juror.json", "/samples/file")
    );
    assert!(
        problem.message.contains("bench/list.csv"),
        "{}",
        problem.message
    );
}

#[test]
fn replies_are_found_by_pattern_one_per_file_or_line_by_line() {
    let one = |pattern: Value, more: &[File]| {
        let mut files = vec![file_of(&changed(smallest(), "/replies", pattern))];
        files.extend(outputs("out/m", &["1", "2", "3", "4"]));
        files.extend_from_slice(more);
        let mut session = open(&files);
        let overview = juror_session::overview(&session.study(&PAPER));
        assert_eq!(overview.unknown_files, Vec::<String>::new());
        let problems: Vec<String> = overview
            .problems
            .into_iter()
            // That two of four outputs are judged.
            .filter(|found| found.code != "partial_judge")
            .map(|found| found.place)
            .collect();
        let rows = juror_session::score_rows(&session.study(&PAPER));
        let mut judges: Vec<(String, Option<f64>, u32)> = rows
            .iter()
            .filter(|row| (&*row.scope, &*row.criterion) == ("overall", "total"))
            .map(|row| (row.judge.clone(), row.mean, row.n))
            .collect();
        judges.sort_by(|a, b| a.0.cmp(&b.0));
        (judges, problems)
    };
    let text = "Fit: 4\nLook: 6";
    let files = [
        file("out/m/1_gpt.txt", text),
        file("out/m/2_gpt.txt", "Fit: 8\nLook: 8"),
        file("out/m/1_gem_ini.txt", "Fit: 1\nLook: 1"),
        file("out/m/2_gem_ini.txt", "Fit: 3\nLook: 3"),
    ];
    let wanted = vec![
        ("gem_ini".to_owned(), Some(2.0), 2),
        ("gpt".to_owned(), Some(6.5), 2),
    ];
    let found = one(json!("{model}/{id}_{judge}.txt"), &files);
    assert_eq!(found, (wanted, vec![]));
    let lines = format!(
        "{}\n\n{}\n{}\n[]\n{{\"uid\": \"1\"}}\n",
        json!({"uid": "1", "answer": text, "more": 3}),
        json!({"uid": 2, "answer": "```\nFit: 8\nLook: 8\n```"}),
        json!({"uid": "77", "answer": text}),
    );
    let pattern =
        json!({"files": "judged/{model}.{judge}.jsonl", "sample": "uid", "reply": "answer"});
    let (judges, problems) = one(pattern, &[file("judged/m.gpt.jsonl", &lines)]);
    assert_eq!(judges, [("gpt".to_owned(), Some(6.5), 2)]);
    assert_eq!(problems, ["line 5", "line 6", "line 4"]);
}

#[test]
fn a_name_that_can_be_divided_in_two_ways_goes_by_the_folders_of_outputs() {
    let protocol = changed(
        smallest(),
        "/replies",
        json!("judged/{model}_{judge}.jsonl"),
    );
    let line = json!({"sample": "1", "reply": "Fit: 4\nLook: 6"}).to_string();
    let judges = |models: &[&str]| {
        let mut files = vec![
            file_of(&protocol),
            file("judged/my_model_gpt_5.jsonl", &line),
        ];
        files.extend(models.iter().flat_map(|model| outputs(model, &["1"])));
        let models = juror_session::overview(&open(&files).study(&PAPER)).models;
        let models = models.into_iter().filter(|model| model.scored > 0);
        models
            .map(|model| (model.name, model.judges.join(" ")))
            .collect::<Vec<_>>()
    };
    let pair = |model: &str, judge: &str| vec![(model.to_owned(), judge.to_owned())];
    assert_eq!(judges(&["my_model", "other"]), pair("my_model", "gpt_5"));
    assert_eq!(judges(&["my_model_gpt"]), pair("my_model_gpt", "5"));
    assert_eq!(judges(&[]), pair("my_model_gpt", "5"));
}

#[test]
fn models_are_folders_and_their_other_pictures_are_told() {
    let mut files = vec![file_of(&smallest())];
    files.extend(outputs("x/a", &["1", "2"]));
    files.extend(outputs("y/a", &["1"]));
    files.push(file("x/a/1.jpg", "again"));
    files.push(file("x/a/extra.webp", "other"));
    files.push(file("x/a/notes.txt", "words"));
    files.push(file("z/none.png", "nobody's"));
    let mut session = open(&files);
    let overview = juror_session::overview(&session.study(&PAPER));
    let models: Vec<_> = overview
        .models
        .iter()
        .map(|model| (&*model.name, model.pictures))
        .collect();
    assert_eq!(models, [("x/a", 2), ("y/a", 1)]);
    let problems: Vec<_> = overview
        .problems
        .iter()
        .map(|found| (&*found.code, &*found.path))
        .collect();
    // As it has no third output, the other picture may be meant as one.
    let expected = [
        ("misnamed_files", "x/a/extra.webp"),
        ("duplicate_output", "x/a/1.png"),
    ];
    assert_eq!(problems, expected);
    assert_eq!(
        overview.unknown_files,
        ["x/a/extra.webp", "x/a/notes.txt", "z/none.png"]
    );
    let lint = juror_session::lint(&session.linked()).unwrap();
    assert!(
        lint.iter()
            .any(|found| found.code == "extra_file" && found.path == "x/a/extra.webp")
    );
    assert!(
        lint.iter()
            .any(|found| found.code == "missing_output" && found.path == "y/a/2.png")
    );
}

#[test]
fn a_prompt_becomes_text_and_pictures_in_its_order() {
    let sample = json!([{"id": "1", "instruction": "Join {them}.", "references": ["a.png", {"file": "b.png", "label": "style"}], "tags": {"task": "x"}}]);
    let prompt = json!([
        "Task {tags.task}:",
        "{reference.2}{references} do {instruction}",
        "{output}{\"fit\": 1}"
    ]);
    let protocol = changed(
        changed(smallest(), "/samples", sample),
        "/requests/0/prompt",
        prompt,
    );
    let mut files = vec![file_of(&protocol), file("bench/a.png", "a")];
    files.extend(outputs("m", &["1"]));
    let mut session = open(&files);
    let key = RequestKey {
        model: "m".to_owned(),
        sample: "1".to_owned(),
        turn: 0,
        criterion: "judge".to_owned(),
    };
    let view = juror_session::request(&session.linked(), &key).unwrap();
    let parts: Vec<String> = view
        .parts
        .iter()
        .map(|part| match part {
            PartView::Text { text } => text.clone(),
            PartView::Image {
                path, role, file, ..
            } => format!("<{role} {path} {}>", file.is_some()),
        })
        .collect();
    assert_eq!(
        parts,
        [
            "Task x:\n",
            "<style bench/b.png false>",
            "<Reference 1 bench/a.png true>",
            "<style bench/b.png false>",
            " do Join {them}.\n",
            "<output m/1.png true>",
            "{\"fit\": 1}",
        ]
    );
    assert_eq!(view.notes.len(), 1, "{:?}", view.notes);
    assert_eq!(
        view.grammar,
        "lines with Fit: number from 1 to 10; Look: number from 1 to 10"
    );
    assert!(view.pack.name.ends_with(NAME));
    let without = changed(
        smallest(),
        "/requests/0/prompt",
        json!("{tags.level} {output}"),
    );
    let mut session = open(&[file_of(&without), file("m/1.png", "x")]);
    let error = juror_session::request(&session.linked(), &key)
        .unwrap()
        .error
        .unwrap();
    assert_eq!(
        error,
        "The prompt asks for the tag level, which this sample does not have."
    );
}

#[test]
fn files_that_come_later_are_taken_in() {
    let protocol = changed(smallest(), "/samples", json!({"file": "list.csv"}));
    let protocol = changed(protocol, "/replies", json!("{model}_{judge}.jsonl"));
    let line = json!({"sample": "2", "reply": "Fit: 2\nLook: 2"}).to_string();
    let files = [
        file("m_n_j_k.jsonl", &line),
        file_of(&protocol),
        file(
            "bench/list.csv",
            "id,references,tags.task\n1,a.png,a\n2,,a\n",
        ),
        file("bench/a.png", "a"),
        file(
            "journal.jsonl",
            &record("small", "m", "1", "judge", "Fit: 3\nLook: 5"),
        ),
        file("m/1.png", "x"),
        file("m_n/2.png", "x"),
    ];
    let mut whole = open(&files);
    let mut session = Session::new(|_, _| juror_session::Probed::Picture {
        width: 8,
        height: 8,
    });
    for (path, bytes) in &files {
        let size = u64::try_from(bytes.len()).ok();
        let path = path.clone();
        session.add_files(&[juror_model::host::FileMeta { path, size }]);
        loop {
            let wants = session.wants(usize::MAX);
            if wants.is_empty() {
                break;
            }
            for want in wants {
                session.provide(want.file, files[want.file as usize].1.clone());
            }
        }
    }
    assert_eq!(
        juror_session::report(&session.study(&PAPER)).to_json(),
        juror_session::report(&whole.study(&PAPER)).to_json()
    );
    let rows = juror_session::score_rows(&session.study(&PAPER)).iter();
    let totals = rows.filter(|row| (&*row.scope, &*row.criterion) == ("overall", "total"));
    let totals: Vec<_> = totals
        .map(|row| (&*row.model, &*row.judge, row.mean))
        .collect();
    assert_eq!(totals, [("m", "j", Some(2.5)), ("m_n", "j_k", Some(1.5))]);
}

/// Task, number, references, family, structure, difficulties.
type Set = (
    &'static str,
    &'static str,
    u32,
    &'static str,
    &'static str,
    &'static [&'static str],
);

/// MultiBanana's sets.
const SETS: [Set; 7] = [
    ("single", "001", 1, "single", "", &[]),
    ("add", "002", 2, "two-reference", "", &[]),
    ("tone", "003", 2, "two-reference", "", &[]),
    ("3_local", "006", 3, "multi-reference", "local", &["domain"]),
    (
        "3_local",
        "007",
        3,
        "multi-reference",
        "local",
        &["scale", "font"],
    ),
    ("3_local", "008", 3, "multi-reference", "local", &[]),
    ("4_local", "001", 4, "multi-reference", "local", &[]),
];

const LABELS: [(&str, &str, u32); 5] = [
    ("instruction_alignment", "Instruction Alignment", 3),
    ("reference_consistency", "Reference Consistency", 3),
    ("background_subject_match", "Background-Subject Match", 1),
    ("physical_realism", "Physical Realism", 1),
    ("visual_quality", "Visual Quality", 1),
];

/// MultiBanana in the authors' layout with two models, two judges and everything that can go wrong.
pub(super) fn banana() -> Vec<File> {
    let mut files = vec![file(
        "data/3_local/types.json",
        r#"{"006": "domain", "7": ["scale", "font"]}"#,
    )];
    for (task, number, count, ..) in SETS {
        files.push(file(
            &format!("data/{task}/{number}_prompt.txt"),
            "Join image 1 and 2.",
        ));
        files.extend(
            (0..count).map(|at| file(&format!("data/{task}/{number}_{at}.jpg"), "reference")),
        );
    }
    let mut random = Random::new(5);
    for model in ["runs/m", "runs/n"] {
        for (task, number, ..) in SETS {
            files.push(file(
                &format!("{model}/{task}/{number}_generated.png"),
                "output",
            ));
            for judge in ["gpt", "gemini"] {
                files.push(file(
                    &format!("{model}/{task}/{number}_{judge}_judge.txt"),
                    &reply(&mut random),
                ));
            }
        }
    }
    let mut replace = |path: &str, content: Option<&str>| {
        let at = files.iter().position(|(known, _)| known == path).unwrap();
        match content {
            Some(content) => files[at] = file(path, content),
            None => drop(files.remove(at)),
        }
    };
    replace("runs/m/add/002_generated.png", None);
    replace("runs/m/3_local/007_generated.png", Some("bad"));
    replace(
        "runs/m/tone/003_gpt_judge.txt",
        Some("Error during evaluation: 429"),
    );
    replace("runs/m/3_local/006_gpt_judge.txt", Some("no scores"));
    replace("runs/m/4_local/001_gemini_judge.txt", None);
    replace(
        "runs/n/single/001_gpt_judge.txt",
        Some(&reply(&mut random).replacen(": ", ": 1", 1)),
    );
    // A second run of some sets, told by a journal for either protocol.
    let lines: Vec<String> = ["single/001", "3_local/008"]
        .iter()
        .map(|sample| record("multibanana", "n", sample, "judge", &reply(&mut random)))
        .map(|line| {
            line.replace("\"run\":1", "\"run\":2")
                .replace("\"judge\":\"j\"", "\"judge\":\"gpt\"")
        })
        .collect();
    let lines = lines.concat();
    files.push(file(
        "journal.jsonl",
        &(lines.clone() + &lines.replace("multibanana", "banana")),
    ));
    files
}

fn reply(random: &mut Random) -> String {
    let lines = LABELS.map(|(_, label, _)| format!("{label}: {}.\n", 1 + random.below(10)));
    format!(
        "Reasoning: Visual Quality: 3 at first.\n\n{}",
        lines.concat()
    )
}

/// The same benchmark, judging and paper scoring as a protocol file.
fn banana_protocol() -> Value {
    let samples = SETS.map(|(task, number, count, family, structure, difficulties)| {
        let mut tags = json!({"task": task, "family": family, "references": count});
        if !structure.is_empty() {
            tags["structure"] = json!(structure);
        }
        if task == "3_local" {
            let has = ["domain", "scale", "font"].map(|label| if difficulties.contains(&label) {
                label.to_owned()
            } else {
                format!("without {label}")
            });
            tags["difficulty"] = json!(has);
        }
        let references: Vec<String> = (0..count).map(|at| format!("{task}/{number}_{at}.jpg")).collect();
        json!({"id": format!("{task}/{number}"), "instruction": "Join image 1 and 2.", "references": references, "tags": tags})
    });
    let criteria = LABELS.map(|(id, label, weight)| {
        json!({"id": id, "label": label, "range": [1, 10], "integer": true, "weight": weight})
    });
    json!({
        "format": FORMAT,
        "id": "banana",
        "title": "MultiBanana, declared",
        "source": "MultiBanana, Tables 3 and 12 to 14",
        "words": {"sample": "set", "samples": "sets"},
        "samples": samples,
        "outputs": "{model}/{id}_generated",
        "replies": "{model}/{id}_{judge}_judge.txt",
        "criteria": criteria,
        "requests": [{
            "id": "judge",
            "prompt": ["Look:", "{references}", "{instruction}", "{output}", "Rate it."],
            "reply": {"form": "lines", "failed": "Error during evaluation:"},
        }],
        "total": {"rule": "weighted_mean"},
        "groupings": [
            {"scope": "category", "tag": "family", "label": "Family", "over": "domain"},
            {"scope": "structure", "over": "domain"},
            {"scope": "references", "over": "domain"},
            {"scope": "domain", "tag": "task", "label": "Task"},
            {"scope": "difficulty"},
        ],
        "overall": {"over": "domain"},
        "judges": {"mean_of": ["gemini", "gpt"]},
    })
}

/// Says that a protocol file counts where a benchmark that is known is recognised, and reads what it needs.
fn choose(session: &mut Session, files: &[File], path: &str) {
    juror_session::choose_benchmark(session, Some(path)).unwrap();
    loop {
        let wants = session.wants(usize::MAX);
        if wants.is_empty() {
            return;
        }
        for want in wants {
            session.provide(want.file, files[want.file as usize].1.clone());
        }
    }
}

/// How many rows of the built-in protocol the declared one has equal, and those that it has not.
fn compare(protocol: &Value, options: &ScoreOptions) -> (usize, Vec<ScoreRow>) {
    let files = banana();
    let mut built_in = open(&files);
    let of_built_in = juror_session::score_rows(&built_in.study(options)).to_vec();
    assert_eq!(
        juror_session::overview(&built_in.study(options))
            .benchmark
            .unwrap()
            .protocol,
        "multibanana"
    );
    let mut files = files;
    files.push(file("data/juror.json", &protocol.to_string()));
    let mut declared = open(&files);
    choose(&mut declared, &files, "data/juror.json");
    let of_declared = juror_session::score_rows(&declared.study(options)).to_vec();
    assert_eq!(
        juror_session::overview(&declared.study(options))
            .benchmark
            .unwrap()
            .protocol,
        "banana"
    );
    assert_eq!(of_declared.len(), of_built_in.len());
    let (same, others): (Vec<_>, Vec<_>) = of_built_in
        .into_iter()
        .partition(|row| of_declared.contains(row));
    (same.len(), others)
}

#[test]
fn multibananas_paper_scoring_told_in_a_file_gives_equal_rows() {
    for options in [
        PAPER,
        with_policy(Policy::Zero),
        with_policy(Policy::Exclude),
    ] {
        let (same, others) = compare(&banana_protocol(), &options);
        assert_eq!(others, [], "{options:?}");
        // 2 models × (2 judges and their mean) × 20 groups × 6 columns.
        assert_eq!(same, 2 * 3 * 20 * 6, "{options:?}");
    }
}

#[test]
fn one_weight_changed_is_seen_in_the_totals_alone() {
    let file = changed(banana_protocol(), "/criteria/1/weight", json!(2));
    let (same, others) = compare(&file, &PAPER);
    assert!(
        others.iter().all(|row| row.criterion == "total"),
        "{others:?}"
    );
    // A group in which every set counts the lowest score has the total 1 under any weights.
    assert!(others.iter().all(|row| row.mean != Some(1.0)));
    assert_eq!((same, others.len()), (616, 104));
    let file = changed(banana_protocol(), "/overall/over", json!("samples"));
    let (_, others) = compare(&file, &PAPER);
    assert!(!others.is_empty() && others.iter().all(|row| row.scope == "overall"));
    let file = changed(banana_protocol(), "/missing", json!("exclude"));
    let (_, others) = compare(&file, &PAPER);
    assert!(
        others
            .iter()
            .any(|row| row.model == "m" && row.criterion == "total")
    );
}

#[test]
fn a_broken_protocol_file_is_told_and_the_layout_counts_again() {
    let mut files = banana();
    files.push(file(
        "data/juror.json",
        &changed(banana_protocol(), "/criteria/1/weight", json!("2")).to_string(),
    ));
    let mut session = open(&files);
    choose(&mut session, &files, "data/juror.json");
    let overview = juror_session::overview(&session.study(&PAPER));
    assert_eq!(overview.benchmark.unwrap().protocol, "multibanana");
    let problem = overview
        .problems
        .iter()
        .find(|found| found.code == "bad_protocol")
        .unwrap();
    assert_eq!(
        (&*problem.path, &*problem.place),
        ("data/juror.json", "/criteria/1/weight")
    );
    let mut files = banana();
    files.push(file("data/juror.json", &banana_protocol().to_string()));
    files.push(file("more/juror.json", &smallest().to_string()));
    let notes: Vec<String> = juror_session::overview(&open(&files).study(&PAPER))
        .problems
        .into_iter()
        .filter(|found| found.code == "protocol_not_used")
        .map(|found| found.path)
        .collect();
    assert_eq!(notes, ["data/juror.json", "more/juror.json"]);
}

#[test]
fn the_json_schema_has_the_keys_that_are_read() {
    let schema: Value = serde_json::from_str(SCHEMA).unwrap();
    let defs = schema["$defs"].as_object().unwrap();
    assert_eq!(defs.len(), OBJECTS.len());
    for keys in OBJECTS {
        let def = &defs[keys.name];
        let sorted = |mut names: Vec<&str>| {
            names.sort_unstable();
            names.into_iter().map(str::to_owned).collect::<Vec<_>>()
        };
        let required = def["required"]
            .as_array()
            .unwrap()
            .iter()
            .map(|name| name.as_str().unwrap());
        assert_eq!(
            sorted(required.collect()),
            sorted(keys.required.to_vec()),
            "{}",
            keys.name
        );
        let properties = def["properties"]
            .as_object()
            .unwrap()
            .keys()
            .map(String::as_str);
        let known = [keys.required, keys.optional].concat();
        assert_eq!(sorted(properties.collect()), sorted(known), "{}", keys.name);
        assert_eq!(def["additionalProperties"], false, "{}", keys.name);
    }
}

/// As much of JSON Schema as the schema uses; anything else in it fails the test.
#[expect(
    clippy::too_many_lines,
    reason = "one arm for each keyword of the schema"
)]
fn fits(schema: &Value, root: &Value, value: &Value) -> bool {
    let all = |key: &str| schema[key].as_array().into_iter().flatten();
    let items = || value.as_array().into_iter().flatten();
    let number = |key: &str| schema[key].as_f64().unwrap();
    let count = |key: &str| usize::try_from(schema[key].as_u64().unwrap()).unwrap();
    schema
        .as_object()
        .unwrap()
        .keys()
        .all(|key| match key.as_str() {
            "description" | "title" | "$schema" | "$defs" => true,
            "$ref" => {
                let pointer = schema["$ref"].as_str().unwrap().trim_start_matches('#');
                fits(root.pointer(pointer).unwrap(), root, value)
            }
            "type" => {
                let is = |name: &Value| match name.as_str().unwrap() {
                    "object" => value.is_object(),
                    "array" => value.is_array(),
                    "string" => value.is_string(),
                    "number" => value.is_number(),
                    "integer" => value.as_f64().is_some_and(|number| number.fract() == 0.0),
                    "boolean" => value.is_boolean(),
                    other => panic!("type {other}"),
                };
                match &schema["type"] {
                    Value::Array(names) => names.iter().any(is),
                    name => is(name),
                }
            }
            "const" => *value == schema["const"],
            "enum" => all("enum").any(|known| known == value),
            "not" => !fits(&schema["not"], root, value),
            "oneOf" => all("oneOf").filter(|one| fits(one, root, value)).count() == 1,
            "anyOf" => all("anyOf").any(|one| fits(one, root, value)),
            "pattern" => {
                value
                    .as_str()
                    .is_none_or(|text| match schema["pattern"].as_str().unwrap() {
                        "\\S" => !text.trim().is_empty(),
                        "^[\\p{Alphabetic}\\p{N}_.-]+$" => {
                            !text.is_empty()
                                && text
                                    .chars()
                                    .all(|c| c.is_alphanumeric() || "_.-".contains(c))
                        }
                        "\\.([jJ][sS][oO][nN][lL]?|[cC][sS][vV])$" => {
                            let text = text.to_lowercase();
                            [".json", ".jsonl", ".csv"]
                                .iter()
                                .any(|ending| text.ends_with(ending))
                        }
                        other => panic!("pattern {other}"),
                    })
            }
            "minimum" => value.as_f64().is_none_or(|x| x >= number("minimum")),
            "maximum" => value.as_f64().is_none_or(|x| x <= number("maximum")),
            "exclusiveMinimum" => value
                .as_f64()
                .is_none_or(|x| x > number("exclusiveMinimum")),
            "minItems" => value
                .as_array()
                .is_none_or(|list| list.len() >= count("minItems")),
            "maxItems" => value
                .as_array()
                .is_none_or(|list| list.len() <= count("maxItems")),
            "uniqueItems" => items()
                .enumerate()
                .all(|(at, item)| items().take(at).all(|other| other != item)),
            "items" => items().all(|item| fits(&schema["items"], root, item)),
            "required" => value.as_object().is_none_or(|object| {
                all("required").all(|key| object.contains_key(key.as_str().unwrap()))
            }),
            "properties" | "additionalProperties" => value.as_object().is_none_or(|object| {
                object.iter().all(|(key, item)| {
                    match (&schema["properties"][key], &schema["additionalProperties"]) {
                        (Value::Null, Value::Bool(allowed)) => *allowed,
                        (Value::Null, Value::Null) => true,
                        (Value::Null, other) => fits(other, root, item),
                        (own, _) => fits(own, root, item),
                    }
                })
            }),
            other => panic!("the schema uses {other}"),
        })
}

/// A file that uses every key of the format.
fn everything() -> Value {
    let mut file = two_requests();
    file["$schema"] = json!("https://example.org/schema.json");
    file["source"] = json!("Table 2");
    file["words"] = json!({"sample": "case", "samples": "cases"});
    file["samples"][0]["references"] = json!(["a.png", {"file": "b.png", "label": "style"}]);
    file["outputs"] = json!(["out/{model}/{id}", "{model}/{id}.png"]);
    file["replies"] = json!([
        {"files": "{model}.jsonl", "sample": "s", "reply": "r", "request": "q"},
        "{model}/{id}_{request}_{run}.txt",
    ]);
    let more = json!({"id": "extra", "range": [0, 1], "weight": 0, "integer": true, "direction": "neither",
        "short": "E", "meaning": "More.", "reply": "/a/0"});
    file["criteria"].as_array_mut().unwrap().push(more);
    file["requests"][0]["criteria"] = json!(["fit", "extra"]);
    file["requests"][0]["label"] = json!("First");
    file["requests"][0]["short"] = json!("1st");
    file["requests"][0]["reply"]["failed"] = json!(["Error"]);
    file["total"] = json!({
        "rule": "geometric_mean",
        "gates": [{"if": {"criterion": "extra", "at_most": 0}, "total": 0, "criteria": {"look": 1}}],
        "caps": [{"if": {"criterion": "fit", "below": 3}, "total_at_most": 5}],
    });
    file["missing"] = json!("exclude");
    file["groupings"] = json!([{"scope": "task", "tag": "task", "label": "Task", "order": ["b", 3]}, {"scope": "family", "over": "task"}]);
    file["overall"] = json!({"over": "task"});
    file["judges"] = json!({"mean_of": ["gpt", "gemini"]});
    file["display"] = json!({"scale": 10, "decimals": 1});
    file
}

/// All places of a value, as JSON Pointers.
fn places(value: &Value, pointer: &str, found: &mut Vec<String>) {
    found.push(pointer.to_owned());
    match value {
        Value::Array(items) => items
            .iter()
            .enumerate()
            .for_each(|(at, item)| places(item, &format!("{pointer}/{at}"), found)),
        Value::Object(entries) => entries.iter().for_each(|(key, item)| {
            let key = key.replace('~', "~0").replace('/', "~1");
            places(item, &format!("{pointer}/{key}"), found);
        }),
        _ => {}
    }
}

/// A value at random: of every kind, and some that mean something in places.
fn any_value(random: &mut Random) -> Value {
    const VALUES: [&str; 20] = [
        "null",
        "true",
        "0",
        "-1",
        "2.5",
        "1e300",
        "\"\"",
        "\" \"",
        "\"x\"",
        "\"{model}/{id}\"",
        "\"{\"",
        "\"total\"",
        "\"fit\"",
        "[]",
        "{}",
        "[1, 2]",
        "[\"x\", \"x\"]",
        "[[]]",
        "{\"file\": \"x.csv\"}",
        "{\"x\": 1}",
    ];
    serde_json::from_str(VALUES[random.below(VALUES.len())]).unwrap()
}

/// Removes, adds, moves or replaces something somewhere.
fn mutate(file: &mut Value, random: &mut Random) {
    let mut all = Vec::new();
    places(file, "", &mut all);
    let other = file.pointer(&all[random.below(all.len())]).unwrap().clone();
    let target = file.pointer_mut(&all[random.below(all.len())]).unwrap();
    match (random.below(4), target) {
        (0, Value::Object(entries)) if !entries.is_empty() => {
            let at = random.below(entries.len());
            let key = entries.keys().nth(at).unwrap().clone();
            entries.remove(&key);
        }
        (0, Value::Array(items)) if !items.is_empty() => {
            items.remove(random.below(items.len()));
        }
        (1, Value::Object(entries)) => {
            let keys = ["x", "weight", "over", "total", "below", "tag", "reply"];
            entries.insert(keys[random.below(keys.len())].to_owned(), other);
        }
        (1, Value::Array(items)) => items.push(other),
        (2, target) => *target = other,
        (_, target) => *target = any_value(random),
    }
}

/// Opens and scores a benchmark of this file, whatever it says.
fn score_all(protocol: &Value) {
    let mut files = vec![file_of(protocol), file("bench/x.csv", "id\n1\n2\n")];
    files.extend(outputs("m", &["1", "2", "3"]));
    let lines = [
        ("f", "{\"fit\": 3, \"a\": [1]}"),
        ("l", "Look: 4"),
        ("judge", "Fit: 2\nLook: 4"),
    ];
    let lines = lines.map(|(request, reply)| record("small", "m", "1", request, reply));
    files.push(file("journal.jsonl", &lines.concat()));
    let listed = "{\"s\": \"1\", \"r\": \"Look: 4\", \"q\": \"l\"}";
    files.push(file("m.jsonl", listed));
    let mut session = open(&files);
    for row in juror_session::report(&session.study(&PAPER)).scores {
        let figures = [row.mean, row.worst, row.best, row.sd];
        let are_finite = figures.iter().flatten().all(|x| x.is_finite());
        assert!(are_finite, "{row:?} of {protocol}");
    }
    juror_session::overview(&session.study(&PAPER));
}

#[test]
fn what_is_read_fits_the_schema_and_no_change_makes_it_panic() {
    let schema: Value = serde_json::from_str(SCHEMA).unwrap();
    let of_samples = &schema["$defs"]["protocol"]["properties"]["samples"];
    let bases = [smallest(), banana_protocol(), everything()];
    for base in &bases {
        assert_eq!(problem_of(base), None);
        assert!(fits(&schema, &schema, base));
    }
    let mut random = Random::new(11);
    let (mut num_read, mut num_refused) = (0, 0);
    for round in 0..6000 {
        let mut file = bases[round % bases.len()].clone();
        for _ in 0..=random.below(2) {
            mutate(&mut file, &mut random);
        }
        if problem_of(&file).is_some() {
            num_refused += 1;
        } else {
            num_read += 1;
            // A sample that cannot be read is left out and told; the file stands.
            let is_sample_bad = !fits(of_samples, &schema, &file["samples"]);
            let is_fit = is_sample_bad || fits(&schema, &schema, &file);
            assert!(is_fit, "read, and does not fit the schema: {file}");
        }
        if round % 10 == 0 {
            score_all(&file);
        }
    }
    let counts = format!("{num_read} read, {num_refused} refused");
    assert!(num_read > 500 && num_refused > 1000, "{counts}");
}

#[test]
fn cut_off_and_scrambled_texts_never_panic() {
    let text = everything().to_string();
    let mut random = Random::new(3);
    let mut num_refused = 0;
    for _ in 0..2000 {
        let mut bytes = text.clone().into_bytes();
        for _ in 0..=random.below(3) {
            let at = random.below(bytes.len());
            match random.below(3) {
                0 => bytes.truncate(at.max(1)),
                1 => drop(bytes.remove(at)),
                _ => bytes[at] = u8::try_from(random.below(256)).unwrap_or(0),
            }
        }
        let text = String::from_utf8_lossy(&bytes);
        num_refused += usize::from(Declared::from_text("juror.json", &text).is_err());
    }
    assert!(num_refused > 1000, "{num_refused}");
}

#[test]
fn the_example_of_the_manual_is_read_and_scored_as_it_says() {
    let manual = include_str!("../../../www/manual/01-files.md");
    let (_, section) = manual.split_once("## A benchmark of your own").unwrap();
    let (_, example) = section.split_once("```json\n").unwrap();
    let (example, _) = example.split_once("```").unwrap();
    let replies = ["{\"fit\": 8, \"look\": 4}", "{\"fit\": 2, \"look\": 10}"];
    let lines = (1..).zip(replies);
    let lines: String = lines
        .map(|(id, reply)| json!({"sample": id, "reply": reply}).to_string() + "\n")
        .collect();
    let mut session = open(&[
        file("bench/juror.json", example),
        file(
            "bench/samples.csv",
            "id,instruction,references,tags.task\n1,A cat,,a\n2,Two cats,,b\n",
        ),
        file("outputs/m/1.png", "x"),
        file("outputs/m/2.png", "x"),
        file("judged/m_gpt.jsonl", &lines),
    ]);
    assert_eq!(juror_session::overview(&session.study(&PAPER)).problems, []);
    // (24 + 4) / 4 = 7; (6 + 10) / 4 = 4, which the cap of 4 leaves as it is.
    assert_near(total(&mut session, "a"), 7.0);
    assert_near(total(&mut session, "b"), 4.0);
    assert_near(total(&mut session, "all"), 5.5);
}
