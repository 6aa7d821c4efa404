//! WEAVEBench's scoring rules by hand arithmetic, on benchmarks small enough to check with a pencil.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use juror_judging::journal;
use juror_model::judge::Params;
use juror_model::options::{Policy, Profile, ScoreOptions};
use juror_model::request::{Context, InputKey, Packing, PartView, RequestKey};
use juror_model::row::ScoreRow;
use juror_session::Session;
use juror_session::compare::CompareQuery;
use juror_session::view::InputView;
use juror_tests::generate::{Dialogue, File, open};
use serde_json::{Value, json};

const PAPER: ScoreOptions = ScoreOptions {
    profile: Profile::Paper,
    policy: None,
    judge: None,
    run: None,
    reading: juror_model::options::ReplyReading::Strict,
};
const RELEASED: ScoreOptions = ScoreOptions {
    profile: Profile::Released,
    policy: None,
    judge: None,
    run: None,
    reading: juror_model::options::ReplyReading::Strict,
};

fn paper_with(policy: Policy) -> ScoreOptions {
    ScoreOptions {
        policy: Some(policy),
        ..PAPER
    }
}

/// `idx` 6 and 22 are of the domain `edit` in Creation, 0 of `optics` in Science, 15 of `maze` in Game.
fn dialogue(idx: usize, num_pictures: usize, num_texts: usize) -> Dialogue {
    Dialogue {
        idx,
        num_pictures,
        num_texts,
    }
}

/// A picture turn's verdicts.
fn picture(kp: &Value, vc: u32, iq: u32) -> Value {
    json!({
        "key_point": {"score": kp, "reasoning": "k"},
        "visual_consistency": {"score": vc, "reasoning": "v"},
        "image_quality": {"score": iq, "reasoning": "q"},
    })
}

fn scores(kp: u32, vc: u32, iq: u32) -> Value {
    picture(&json!(kp), vc, iq)
}

/// A text turn's verdict.
fn answer(accuracy: u32) -> Value {
    json!({"accuracy": {"score": accuracy, "reasoning": "a"}})
}

/// A line of `metrics.jsonl`.
fn line(idx: usize, domain: &str, turns: &[Value]) -> String {
    let mut line = json!({"idx": idx, "domain": domain});
    for (at, turn) in turns.iter().enumerate() {
        line[format!("turn {at}")] = turn.clone();
    }
    line.to_string() + "\n"
}

/// A record of a journal.
fn record(
    sample: usize,
    turn: u32,
    criterion: &str,
    judge: &str,
    run: u32,
    reply: &str,
) -> journal::Record {
    journal::Record {
        format: journal::FORMAT.to_owned(),
        protocol: "weave".to_owned(),
        model: "m".to_owned(),
        sample: sample.to_string(),
        turn,
        criterion: criterion.to_owned(),
        judge: judge.to_owned(),
        run,
        time: String::new(),
        request: None,
        prompts: String::new(),
        reply: reply.to_owned(),
        error: None,
        ..journal::Record::default()
    }
}

/// The three records of a picture turn.
fn records(
    sample: usize,
    turn: u32,
    judge: &str,
    run: u32,
    values: [u32; 3],
) -> Vec<journal::Record> {
    let criteria = ["key_point", "visual_consistency", "image_quality"];
    let reply = |value: u32| format!("{{\"score\": {value}, \"reasoning\": \"r\"}}");
    criteria
        .iter()
        .zip(values)
        .map(|(name, value)| record(sample, turn, name, judge, run, &reply(value)))
        .collect()
}

/// Files of a benchmark and of one model, `m`.
#[derive(Clone, Default)]
struct Suite {
    files: Vec<File>,
}

impl Suite {
    fn new(dialogues: &[Dialogue]) -> Self {
        Self::of_items(dialogues.iter().map(Dialogue::item).collect(), dialogues)
    }

    fn of_items(items: Vec<Value>, dialogues: &[Dialogue]) -> Self {
        let mut suite = Self::default().file("D/test/test.json", &Value::Array(items).to_string());
        for dialogue in dialogues {
            for number in 1..=dialogue.num_pictures + 1 {
                let name = dialogue.picture(number);
                suite = suite.file(&format!("D/test/imgs/{name}"), &name);
            }
        }
        suite
    }

    fn file(mut self, path: &str, content: &str) -> Self {
        self.files
            .push((path.to_owned(), content.as_bytes().to_vec()));
        self
    }

    /// An output of the model; the content tells it from the benchmark's picture.
    fn output(self, name: &str) -> Self {
        self.file(&format!("result/m/imgs/{name}"), &format!("own {name}"))
    }

    fn metrics(self, lines: &[String]) -> Self {
        self.file("result/m/metrics.jsonl", &lines.concat())
    }

    fn journal(self, records: &[journal::Record]) -> Self {
        self.file("J/journal.jsonl", &journal::write(records))
    }

    fn open(&self) -> Session {
        open(&self.files)
    }

    fn row(&self, options: &ScoreOptions, scope: &str, key: &str, criterion: &str) -> ScoreRow {
        find(&mut self.open(), options, scope, key, criterion)
            .unwrap_or_else(|| panic!("no row {scope} {key} {criterion}"))
    }

    fn overall(&self, options: &ScoreOptions, criterion: &str) -> ScoreRow {
        self.row(options, "overall", "all", criterion)
    }

    fn statuses(&self, options: &ScoreOptions) -> Vec<String> {
        juror_session::report(&self.open().study(options))
            .samples
            .into_iter()
            .map(|row| row.status)
            .collect()
    }
}

fn find(
    session: &mut Session,
    options: &ScoreOptions,
    scope: &str,
    key: &str,
    criterion: &str,
) -> Option<ScoreRow> {
    let rows = juror_session::overview(&session.study(options)).scores;
    rows.into_iter()
        .find(|row| row.scope == scope && row.key == key && row.criterion == criterion)
}

#[track_caller]
fn assert_mean(row: &ScoreRow, expected: f64) {
    let mean = row
        .mean
        .unwrap_or_else(|| panic!("{} {} {} has no mean", row.scope, row.key, row.criterion));
    assert!(
        (mean - expected).abs() < 1e-12,
        "{} {} {}: expected {expected}, found {mean}",
        row.scope,
        row.key,
        row.criterion
    );
}

#[track_caller]
fn assert_bounds(row: &ScoreRow, worst: f64, best: f64) {
    let (low, high) = (row.worst.unwrap(), row.best.unwrap());
    assert!(
        (low - worst).abs() < 1e-12 && (high - best).abs() < 1e-12,
        "expected {worst} to {best}, found {low} to {high}"
    );
}

#[track_caller]
fn assert_counts(row: &ScoreRow, n: u32, expected: u32) {
    assert_eq!(
        (row.n, row.expected),
        (n, expected),
        "{} {} {}",
        row.scope,
        row.key,
        row.criterion
    );
}

/// One dialogue each of optics (picture and text), edit (two pictures) and maze (text).
fn worked_example() -> Suite {
    Suite::new(&[dialogue(0, 1, 1), dialogue(6, 2, 0), dialogue(15, 0, 1)]).metrics(&[
        line(0, "optics", &[scores(8, 6, 9), answer(5)]),
        line(6, "edit", &[scores(7, 9, 8), scores(4, 7, 6)]),
        line(15, "maze", &[answer(10)]),
    ])
}

#[test]
fn paper_means_and_totals_follow_equations_1_and_2() {
    let suite = worked_example();
    let row = |scope: &str, key: &str, criterion: &str| suite.row(&PAPER, scope, key, criterion);
    // Pictures only, equation (1): KP 5.5, VC 8, IQ 7.
    assert_mean(&row("domain", "edit", "key_point"), (7.0 + 4.0) / 20.0);
    assert_mean(
        &row("domain", "edit", "total"),
        0.5 * 0.55 + 0.2 * 0.8 + 0.3 * 0.7,
    );
    // Pictures and texts, equation (2).
    assert_mean(
        &row("category", "Science", "total"),
        0.4 * 0.8 + 0.1 * 0.6 + 0.2 * 0.9 + 0.3 * 0.5,
    );
    // Texts only: accuracy alone.
    assert_mean(&row("category", "Game", "total"), 1.0);
    // Overall: all turns pooled, then weighted.
    let (kp, vc, iq, acc) = (
        (8.0 + 7.0 + 4.0) / 30.0,
        (6.0 + 9.0 + 7.0) / 30.0,
        (9.0 + 8.0 + 6.0) / 30.0,
        (5.0 + 10.0) / 20.0,
    );
    assert_mean(&suite.overall(&PAPER, "visual_consistency"), vc);
    assert_mean(&suite.overall(&PAPER, "image_quality"), iq);
    assert_mean(&suite.overall(&PAPER, "accuracy"), acc);
    let total = suite.overall(&PAPER, "total");
    assert_mean(&total, 0.4 * kp + 0.1 * vc + 0.2 * iq + 0.3 * acc);
    assert_counts(&total, 5, 5);
}

#[test]
fn the_overall_total_is_not_the_mean_of_the_categories() {
    let total = worked_example().overall(&PAPER, "total").mean.unwrap();
    let mean_of_categories = (0.71 + 0.645 + 1.0) / 3.0;
    assert!(
        (total - mean_of_categories).abs() > 0.05,
        "{total} against {mean_of_categories}"
    );
}

#[test]
fn released_rounds_the_means_weights_them_and_rounds_again() {
    let suite = worked_example();
    // 19/30 = 0.6333 and 22/30 = 0.7333 and 23/30 = 0.7666; 0.2532 + 0.0733 + 0.1534 + 0.225 = 0.7049.
    assert_mean(&suite.overall(&RELEASED, "key_point"), 0.633);
    assert_mean(&suite.overall(&RELEASED, "image_quality"), 0.767);
    assert_mean(&suite.overall(&RELEASED, "total"), 0.705);
    assert_mean(&suite.row(&RELEASED, "domain", "optics", "total"), 0.71);
}

#[test]
fn coverage_counts_scored_and_expected_units_and_a_total_counts_complete_turns() {
    let mut half = scores(8, 6, 9);
    half.as_object_mut().unwrap().remove("image_quality");
    let suite = Suite::new(&[dialogue(6, 2, 1)]).metrics(&[line(
        6,
        "edit",
        &[scores(7, 9, 8), half, answer(10)],
    )]);
    assert_counts(&suite.overall(&PAPER, "key_point"), 2, 2);
    assert_counts(&suite.overall(&PAPER, "image_quality"), 1, 2);
    assert_counts(&suite.overall(&PAPER, "accuracy"), 1, 1);
    assert_counts(&suite.overall(&PAPER, "total"), 2, 3);
    let quality = suite.overall(&PAPER, "image_quality");
    assert_mean(&quality, 0.8);
    assert_bounds(&quality, 8.0 / 20.0, 18.0 / 20.0);
    assert_eq!(
        suite
            .statuses(&PAPER)
            .iter()
            .filter(|status| *status == "missing_reply")
            .count(),
        1
    );
}

/// Two judged picture turns, the second output missing or unreadable.
fn second_output(content: Option<&str>) -> Suite {
    let item = dialogue(6, 2, 0);
    let suite = Suite::new(&[item]).output(&item.picture(2)).metrics(&[line(
        6,
        "edit",
        &[scores(7, 9, 8), scores(4, 7, 6)],
    )]);
    match content {
        None => suite,
        Some(content) => suite.file(&format!("result/m/imgs/{}", item.picture(3)), content),
    }
}

#[test]
fn a_missing_or_unreadable_output_counts_0_nothing_or_as_judged() {
    for (suite, kind) in [
        (second_output(None), "missing_output"),
        (second_output(Some("bad")), "unreadable_output"),
    ] {
        let zero = suite.overall(&PAPER, "key_point");
        assert_mean(&zero, (7.0 + 0.0) / 20.0);
        assert_counts(&zero, 2, 2);
        let exclude = suite.overall(&paper_with(Policy::Exclude), "key_point");
        assert_mean(&exclude, 7.0 / 10.0);
        assert_counts(&exclude, 1, 2);
        assert_bounds(&exclude, (7.0 + 0.0) / 20.0, (7.0 + 10.0) / 20.0);
        assert_mean(
            &suite.overall(&paper_with(Policy::Upstream), "key_point"),
            (7.0 + 4.0) / 20.0,
        );
        assert_mean(&suite.overall(&RELEASED, "key_point"), 0.55);
        // The released formulas with another policy: the mean is rounded, and the output still decides.
        let released_zero = ScoreOptions {
            policy: Some(Policy::Zero),
            ..RELEASED
        };
        assert_mean(&suite.overall(&released_zero, "key_point"), 0.35);
        let released_exclude = ScoreOptions {
            policy: Some(Policy::Exclude),
            ..RELEASED
        };
        assert_mean(&suite.overall(&released_exclude, "key_point"), 0.7);
        assert_eq!(suite.statuses(&PAPER), ["ok", "ok", "ok", kind, kind, kind]);
    }
    let sound = second_output(Some("a picture"));
    assert_mean(&sound.overall(&PAPER, "key_point"), (7.0 + 4.0) / 20.0);
}

/// The incidents, with their details, of a text turn whose answer is this, judged 5 of 10.
fn incidents_of_answer(text: &str) -> Vec<(String, String)> {
    let own = dialogue(6, 0, 1);
    let path = format!("result/m/imgs/{}", own.answer(0));
    let suite = Suite::new(&[own])
        .file(&path, text)
        .metrics(&[line(6, "edit", &[answer(5)])]);
    let incidents = juror_session::report(&suite.open().study(&PAPER)).incidents;
    let incidents = incidents.into_iter();
    incidents
        .map(|incident| (incident.kind, incident.detail))
        .collect()
}

#[test]
fn an_answer_that_is_too_large_is_an_incident_that_says_so() {
    assert_eq!(incidents_of_answer(&"a".repeat(4 << 20)), []);
    let found = incidents_of_answer(&"a".repeat((4 << 20) + 1));
    assert_eq!((found.len(), found[0].0.as_str()), (1, "unreadable_output"));
    assert!(
        found[0].1.ends_with(": The answer is larger than 4 MiB."),
        "{found:?}"
    );
}

#[test]
fn an_answer_that_is_no_text_is_an_incident_that_says_what_it_is() {
    let json = "{\"error\": \"is what the sign says\"}";
    assert_eq!(incidents_of_answer(json), []);
    let found = incidents_of_answer("version https://git-lfs.github.com/spec/v1\noid sha256:00");
    assert_eq!(
        (found.len(), found[0].0.as_str()),
        (1, "inaccessible_output")
    );
    assert!(found[0].1.contains("found a Git LFS pointer"), "{found:?}");
}

#[test]
fn a_missing_reply_is_left_out_under_every_policy() {
    let suite = Suite::new(&[dialogue(6, 2, 0)]).metrics(&[line(6, "edit", &[scores(7, 9, 8)])]);
    for policy in [Policy::Exclude, Policy::Zero, Policy::Upstream] {
        let row = suite.overall(&paper_with(policy), "visual_consistency");
        assert_mean(&row, 0.9);
        assert_counts(&row, 1, 2);
        assert_bounds(&row, 9.0 / 20.0, 19.0 / 20.0);
    }
    // The total's bounds by equation (1): 0.5·7 + 0.2·9 + 0.3·8 = 7.7 of one turn, 0 or 10 of the other.
    assert_bounds(
        &suite.overall(&PAPER, "total"),
        (7.7 + 0.0) / 20.0,
        (7.7 + 10.0) / 20.0,
    );
    assert_eq!(suite.statuses(&PAPER)[3..], ["missing_reply"; 3]);
}

/// Two dialogues in a journal; the first turn's key point reply is `reply`.
fn judged_with(reply: &str, error: Option<&str>) -> Suite {
    let mut all = records(6, 0, "", 1, [7, 9, 8]);
    reply.clone_into(&mut all[0].reply);
    all[0].error = error.map(str::to_owned);
    all.extend(records(6, 1, "", 1, [4, 7, 6]));
    all.extend(records(22, 0, "", 1, [10, 10, 10]));
    Suite::new(&[dialogue(6, 2, 0), dialogue(22, 1, 0)]).journal(&all)
}

#[test]
fn an_unparsable_reply_or_failed_call_costs_its_own_unit_and_upstream_the_whole_dialogue() {
    for (suite, kind) in [
        (judged_with("Score: 7", None), "unparsable"),
        (judged_with("", Some("HTTP 500")), "failed_call"),
    ] {
        for policy in [Policy::Exclude, Policy::Zero] {
            let row = suite.overall(&paper_with(policy), "key_point");
            assert_mean(&row, (4.0 + 10.0) / 20.0);
            assert_counts(&row, 2, 3);
            assert_mean(
                &suite.overall(&paper_with(policy), "visual_consistency"),
                (9.0 + 7.0 + 10.0) / 30.0,
            );
        }
        for options in [paper_with(Policy::Upstream), RELEASED] {
            let row = suite.overall(&options, "visual_consistency");
            assert_mean(&row, 1.0);
            assert_counts(&row, 1, 3);
        }
        assert_eq!(suite.statuses(&PAPER)[0], kind);
    }
    let sound = judged_with("{\"score\": 7}", None);
    assert_mean(&sound.overall(&RELEASED, "key_point"), 0.7);
}

#[test]
fn a_score_of_11_is_an_incident_in_paper_and_a_number_in_released() {
    let suite = Suite::new(&[dialogue(6, 2, 0)]).metrics(&[line(
        6,
        "edit",
        &[scores(11, 9, 8), scores(4, 7, 6)],
    )]);
    for policy in [Policy::Exclude, Policy::Zero, Policy::Upstream] {
        let row = suite.overall(&paper_with(policy), "key_point");
        assert_mean(&row, 0.4);
        assert_counts(&row, 1, 2);
    }
    assert_eq!(suite.statuses(&PAPER)[0], "out_of_range");
    assert_mean(&suite.overall(&RELEASED, "key_point"), (11.0 + 4.0) / 20.0);
}

#[test]
fn a_text_for_a_score_leaves_released_without_any_number_and_says_why() {
    let suite = Suite::new(&[dialogue(6, 2, 0)]).metrics(&[line(
        6,
        "edit",
        &[picture(&json!("7"), 9, 8), scores(4, 7, 6)],
    )]);
    assert_mean(&suite.overall(&PAPER, "key_point"), 0.4);
    assert_mean(&suite.overall(&PAPER, "visual_consistency"), 0.8);
    let overview = juror_session::overview(&suite.open().study(&RELEASED));
    assert!(!overview.scores.is_empty());
    assert!(
        overview
            .scores
            .iter()
            .all(|row| row.mean.is_none() && row.worst.is_none()),
        "no number at all"
    );
    let difference = overview
        .differences
        .iter()
        .find(|difference| difference.id == "text_score")
        .unwrap();
    assert_eq!(difference.effects[0].with_rule, None);
    assert!(
        difference.effects[0].note.contains("line 1"),
        "{}",
        difference.effects[0].note
    );
    let problem = &overview.problems[0];
    assert_eq!(problem.code, "no_result");
    assert!(problem.message.contains("line 1"), "{problem:?}");
    let report = juror_session::report(&suite.open().study(&RELEASED));
    assert_eq!(report.provenance.problems[0].code, "no_result");
    // Without `upstream`, the other scores stand in the released profile too.
    let released = ScoreOptions {
        policy: Some(Policy::Zero),
        ..RELEASED
    };
    assert_mean(&suite.overall(&released, "key_point"), 0.4);
}

#[test]
fn a_file_that_ends_inside_a_character_has_no_released_means_and_says_why() {
    let mut suite = Suite::new(&[dialogue(6, 1, 0), dialogue(22, 1, 0)]);
    let lines = [
        line(6, "edit", &[scores(7, 9, 8)]),
        line(22, "edit", &[scores(5, 5, 5)]),
    ];
    let mut bytes = lines.concat().into_bytes();
    let whole = bytes.clone();
    bytes.extend(b"{\"idx\": 7, \"domain\": \"caf\xc3");
    suite
        .files
        .push(("result/m/metrics.jsonl".to_owned(), bytes));
    assert_eq!(suite.overall(&RELEASED, "key_point").mean, None);
    let problems = juror_session::overview(&suite.open().study(&RELEASED)).problems;
    let told = problems.iter().find(|problem| problem.code == "no_result");
    assert!(told.unwrap().message.contains("UTF-8"), "{told:?}");
    assert_eq!(suite.overall(&PAPER, "key_point").mean, Some(0.6));
    suite.files.last_mut().unwrap().1 = whole;
    assert_eq!(suite.overall(&RELEASED, "key_point").mean, Some(0.6));
}

#[test]
fn the_first_line_behind_a_byte_order_mark_counts_in_paper_and_is_skipped_in_released() {
    let suite = Suite::new(&[dialogue(6, 1, 0), dialogue(22, 1, 0)]).metrics(&[
        "\u{feff}".to_owned(),
        line(6, "edit", &[scores(7, 9, 8)]),
        line(22, "edit", &[scores(5, 5, 5)]),
    ]);
    assert_eq!(suite.overall(&PAPER, "key_point").mean, Some(0.6));
    assert_eq!(suite.overall(&RELEASED, "key_point").mean, Some(0.5));
}

#[test]
fn an_answer_with_crlf_is_asked_about_as_one_with_lf() {
    let asked = |text: &str| {
        let own = dialogue(6, 0, 1);
        let path = format!("result/m/imgs/{}", own.answer(0));
        let suite = Suite::new(&[own]).file(&path, text);
        let key = RequestKey {
            model: "m".to_owned(),
            sample: "6".to_owned(),
            turn: 0,
            criterion: "accuracy".to_owned(),
        };
        juror_session::request(&suite.open().linked(), &key)
            .unwrap()
            .parts
    };
    assert_eq!(asked("One.\r\nTwo."), asked("One.\nTwo."));
    assert_ne!(asked("One. Two."), asked("One.\nTwo."));
}

/// The judges of a model with their key points.
fn judges(session: &mut Session) -> Vec<(String, String, Option<f64>)> {
    let rows = juror_session::overview(&session.study(&PAPER))
        .scores
        .into_iter();
    rows.filter(|row| row.scope == "overall" && row.criterion == "key_point")
        .map(|row| (row.model, row.judge, row.mean))
        .collect()
}

#[test]
fn a_second_judge_s_verdicts_count_as_theirs_by_file_and_by_folder() {
    let own = || {
        Suite::new(&[dialogue(6, 1, 0)])
            .output(&dialogue(6, 1, 0).picture(2))
            .metrics(&[line(6, "edit", &[scores(7, 9, 8)])])
    };
    let second = line(6, "edit", &[scores(3, 3, 3)]);
    let expected = |judge: &str| {
        let row = |judge: &str, mean| ("m".to_owned(), judge.to_owned(), Some(mean));
        vec![row("", 0.7), row(judge, 0.3)]
    };
    let mut by_file = own().file("result/m/metrics_gpt41.jsonl", &second).open();
    assert_eq!(judges(&mut by_file), expected("gpt41"));
    assert_eq!(
        juror_session::overview(&by_file.study(&PAPER)).unknown_files,
        Vec::<String>::new()
    );
    let mut by_folder = own().file("result_gpt41/m/metrics.jsonl", &second).open();
    assert_eq!(judges(&mut by_folder), expected("result_gpt41"));
    let problems = juror_session::overview(&by_folder.study(&PAPER)).problems;
    assert!(problems.iter().any(|problem| problem.code == "other_judge"));
    // A file's own name wins over its folder's.
    let path = "result_gpt41/m/metrics_claude.jsonl";
    let mut by_both = own().file(path, &second).open();
    assert_eq!(judges(&mut by_both), expected("claude"));
    // Another name is another model.
    let mut other = own().file("result/n/metrics.jsonl", &second).open();
    assert_eq!(judges(&mut other)[1].0, "n");
}

#[test]
fn replies_of_a_named_judge_make_a_model_as_those_of_an_unnamed_one_do() {
    let suite = Suite::new(&[dialogue(6, 1, 0)]);
    let verdicts = line(6, "edit", &[scores(3, 3, 3)]);
    let named = vec![("m".to_owned(), "gpt41".to_owned(), Some(0.3))];
    let path = "result/m/metrics_gpt41.jsonl";
    assert_eq!(
        judges(&mut suite.clone().file(path, &verdicts).open()),
        named
    );
    // Without the benchmark, too.
    assert_eq!(
        judges(&mut open(&[(path.to_owned(), verdicts.into_bytes())])),
        named
    );
    assert_eq!(judges(&mut suite.open()), []);
}

#[test]
fn results_without_their_benchmark_say_that_totals_may_be_incomplete() {
    let lines = [line(6, "edit", &[scores(7, 9, 8)])];
    let told = |suite: Suite| {
        let problems =
            juror_session::overview(&suite.metrics(&lines).open().study(&PAPER)).problems;
        let found = problems.into_iter();
        let mut found = found.filter(|problem| problem.code == "benchmark_not_open");
        found.next().map(|problem| problem.message)
    };
    let alone = told(Suite::default()).unwrap();
    assert!(
        alone.starts_with("Benchmark not open: totals may be incomplete"),
        "{alone}"
    );
    assert_eq!(told(Suite::new(&[dialogue(6, 1, 0)])), None);
}

#[test]
fn short_and_empty_answers_are_no_copies_and_an_empty_one_is_called_empty() {
    let long = "The white knight takes the bishop on the seventh rank, which gives check.";
    let found = |answers: [&str; 2]| {
        let own = dialogue(6, 0, 2);
        let mut suite = Suite::new(&[own]);
        for (at, text) in answers.iter().enumerate() {
            let path = format!("result/m/imgs/{}", dialogue(6, 0, 2).answer(at));
            suite = suite.file(&path, text);
        }
        let mut session = suite.open();
        for file in juror_session::lint_needs(&session.linked()) {
            let content = suite.files[file as usize].1.clone();
            juror_session::provide_picture(&mut session, file, &content);
        }
        let findings = juror_session::lint(&session.linked()).unwrap().into_iter();
        let codes = findings.map(|finding| finding.code);
        codes
            .filter(|code| code.ends_with("_output"))
            .collect::<Vec<_>>()
    };
    assert_eq!(found(["B", "B"]), Vec::<String>::new());
    assert_eq!(found(["", " \n"]), ["empty_output", "empty_output"]);
    assert_eq!(found(["", ""]), ["empty_output", "empty_output"]);
    assert_eq!(found([long, long]), ["repeated_output"]);
}

#[test]
fn a_dialogue_judged_twice_counts_once_in_paper_and_twice_in_released() {
    let suite = Suite::new(&[dialogue(6, 1, 0), dialogue(22, 1, 0)]).metrics(&[
        line(6, "edit", &[scores(7, 9, 8)]),
        line(6, "edit", &[scores(3, 3, 3)]),
        line(22, "edit", &[scores(10, 10, 10)]),
    ]);
    let once = suite.overall(&PAPER, "key_point");
    assert_mean(&once, (7.0 + 10.0) / 20.0);
    assert_counts(&once, 2, 2);
    let twice = suite.overall(&RELEASED, "key_point");
    assert_mean(&twice, 0.667);
    assert_counts(&twice, 3, 2);
    assert!(
        juror_session::problems(&suite.open().linked())
            .iter()
            .any(|problem| problem.code == "repeated_dialogue" && problem.place == "line 2")
    );
}

#[test]
fn a_model_of_replies_only_is_not_punished_for_pictures_that_nobody_opened() {
    let lines = [line(6, "edit", &[scores(7, 9, 8), scores(4, 7, 6)])];
    let suite = Suite::new(&[dialogue(6, 2, 0)]).metrics(&lines);
    let row = suite.overall(&PAPER, "key_point");
    assert_mean(&row, (7.0 + 4.0) / 20.0);
    assert_counts(&row, 2, 2);
    assert!(
        juror_session::problems(&suite.open().linked())
            .iter()
            .any(|problem| problem.code == "no_outputs"),
        "it is said, though"
    );
    // One picture in the folder says that outputs were meant to be there.
    assert_mean(
        &suite
            .output(&dialogue(6, 2, 0).picture(2))
            .overall(&PAPER, "key_point"),
        0.35,
    );
}

#[test]
fn runs_are_averaged_per_unit_before_units_are_averaged() {
    let mut all = records(6, 0, "j", 1, [8, 8, 8]);
    all.extend(records(6, 0, "j", 2, [6, 8, 8]));
    all.extend(records(6, 1, "j", 1, [4, 8, 8]));
    let row = Suite::new(&[dialogue(6, 2, 0)])
        .journal(&all)
        .overall(&PAPER, "key_point");
    // ((8 + 6)/2 + 4)/2, not (8 + 6 + 4)/3.
    assert_mean(&row, 0.55);
    assert_counts(&row, 2, 2);
}

#[test]
fn a_second_reply_of_the_same_run_does_not_count() {
    let mut all = records(6, 0, "j", 1, [8, 8, 8]);
    all.extend(records(6, 0, "j", 1, [2, 8, 8]));
    assert_mean(
        &Suite::new(&[dialogue(6, 1, 0)])
            .journal(&all)
            .overall(&PAPER, "key_point"),
        0.8,
    );
}

#[test]
fn each_judge_has_rows_of_its_own() {
    let mut all = records(6, 0, "a", 1, [8, 8, 8]);
    all.extend(records(6, 0, "b", 1, [2, 4, 6]));
    let overview = juror_session::overview(
        &Suite::new(&[dialogue(6, 1, 0)])
            .journal(&all)
            .open()
            .study(&PAPER),
    );
    let totals: Vec<(&str, f64)> = overview
        .scores
        .iter()
        .filter(|row| row.scope == "overall" && row.criterion == "total")
        .map(|row| (row.judge.as_str(), row.mean.unwrap()))
        .collect();
    assert_eq!(totals.len(), 2);
    assert_eq!(totals[0].0, "a");
    assert!((totals[0].1 - 0.8).abs() < 1e-12);
    assert_eq!(totals[1].0, "b");
    assert!((totals[1].1 - (0.5 * 0.2 + 0.2 * 0.4 + 0.3 * 0.6)).abs() < 1e-12);
}

#[test]
fn a_model_is_judged_on_what_it_answers() {
    let item = dialogue(6, 1, 1);
    let pictures = Suite::new(&[item]).output(&item.picture(2));
    let texts = Suite::new(&[item]).output(&item.answer(1));
    let both = pictures.clone().output(&item.answer(1));
    for (suite, mode, criteria) in [
        (
            pictures
                .clone()
                .metrics(&[line(6, "edit", &[scores(7, 9, 8), json!({})])]),
            "img",
            3,
        ),
        (
            texts.metrics(&[line(6, "edit", &[json!({}), answer(5)])]),
            "txt",
            1,
        ),
        (
            both.metrics(&[line(6, "edit", &[scores(7, 9, 8), answer(5)])]),
            "umm",
            4,
        ),
    ] {
        let overview = juror_session::overview(&suite.open().study(&PAPER));
        assert_eq!(overview.models[0].mode, mode);
        assert_eq!(overview.models[0].expected, criteria, "{mode}");
        assert_eq!(overview.models[0].incidents, 0, "{mode}");
        let rows = overview
            .scores
            .iter()
            .filter(|row| row.scope == "overall" && row.criterion != "total");
        assert_eq!(
            rows.count(),
            criteria as usize,
            "{mode} has rows for its own criteria only"
        );
    }
    // In img mode the total is that of equation (1) although the benchmark asks for texts as well.
    let suite = pictures.metrics(&[line(6, "edit", &[scores(7, 9, 8), json!({})])]);
    assert_mean(
        &suite.overall(&PAPER, "total"),
        0.5 * 0.7 + 0.2 * 0.9 + 0.3 * 0.8,
    );
}

#[test]
fn a_domain_outside_the_table_counts_overall_and_in_its_own_row_only() {
    let dialogues = [dialogue(6, 1, 0), dialogue(7, 1, 0)];
    let mut items: Vec<Value> = dialogues.iter().map(Dialogue::item).collect();
    items[1]["domain"] = json!("cooking");
    let suite = Suite::of_items(items, &dialogues).metrics(&[
        line(6, "edit", &[scores(8, 8, 8)]),
        line(7, "cooking", &[scores(2, 2, 2)]),
    ]);
    for options in [PAPER, RELEASED] {
        assert_mean(&suite.overall(&options, "key_point"), 0.5);
        assert_mean(&suite.row(&options, "domain", "cooking", "key_point"), 0.2);
        assert_mean(
            &suite.row(&options, "category", "Creation", "key_point"),
            0.8,
        );
        let rows = juror_session::overview(&suite.open().study(&options)).scores;
        assert_eq!(
            rows.iter()
                .filter(|row| row.scope == "category" && row.criterion == "key_point")
                .count(),
            1
        );
    }
    assert!(
        juror_session::problems(&suite.open().linked())
            .iter()
            .any(|problem| problem.code == "unknown_domain" && problem.place == "idx 7")
    );
}

#[test]
fn a_line_about_an_unknown_dialogue_or_turn_counts_in_released_only() {
    let known = line(6, "edit", &[scores(8, 8, 8)]);
    let stranger = line(99, "edit", &[scores(2, 2, 2)]);
    let suite = Suite::new(&[dialogue(6, 1, 0)]).metrics(&[known, stranger]);
    assert_mean(&suite.overall(&PAPER, "key_point"), 0.8);
    assert_mean(&suite.overall(&RELEASED, "key_point"), 0.5);
    assert!(
        juror_session::problems(&suite.open().linked())
            .iter()
            .any(|problem| problem.code == "unknown_dialogue")
    );
    let beyond = Suite::new(&[dialogue(6, 1, 0)]).metrics(&[line(
        6,
        "edit",
        &[scores(8, 8, 8), scores(2, 2, 2)],
    )]);
    assert_mean(&beyond.overall(&PAPER, "key_point"), 0.8);
    assert_mean(&beyond.overall(&RELEASED, "key_point"), 0.5);
}

#[test]
fn the_lines_own_domain_decides_in_released_and_the_benchmarks_in_paper() {
    let suite = Suite::new(&[dialogue(6, 1, 0)]).metrics(&[line(6, "maze", &[scores(8, 8, 8)])]);
    assert_mean(&suite.row(&PAPER, "domain", "edit", "key_point"), 0.8);
    assert_eq!(suite.row(&PAPER, "domain", "edit", "key_point").n, 1);
    assert_mean(&suite.row(&RELEASED, "domain", "maze", "key_point"), 0.8);
    assert_eq!(suite.row(&RELEASED, "domain", "edit", "key_point").n, 0);
}

#[test]
fn scores_by_turn_pool_all_dialogues() {
    let suite = Suite::new(&[dialogue(6, 2, 0), dialogue(22, 1, 0)]).metrics(&[
        line(6, "edit", &[scores(7, 9, 8), scores(4, 7, 6)]),
        line(22, "edit", &[scores(9, 9, 9)]),
    ]);
    for options in [PAPER, RELEASED] {
        assert_mean(
            &suite.row(&options, "turn", "0", "key_point"),
            (7.0 + 9.0) / 20.0,
        );
        assert_mean(&suite.row(&options, "turn", "1", "key_point"), 0.4);
        assert_counts(&suite.row(&options, "turn", "0", "key_point"), 2, 2);
        assert_counts(&suite.row(&options, "turn", "1", "key_point"), 1, 1);
    }
}

#[test]
fn replies_alone_imply_their_benchmark() {
    let suite = Suite::default().metrics(&[
        line(0, "optics", &[scores(8, 6, 9), answer(5)]),
        line(6, "edit", &[scores(7, 9, 8), scores(4, 7, 6)]),
    ]);
    let overview = juror_session::overview(&suite.open().study(&PAPER));
    let info = overview.benchmark.unwrap();
    assert_eq!(
        (
            info.samples,
            info.picture_turns,
            info.text_turns,
            info.path.as_str()
        ),
        (2, 3, 1, "")
    );
    assert_eq!(overview.models[0].incidents, 0);
    assert_mean(
        &suite.overall(&PAPER, "key_point"),
        (8.0 + 7.0 + 4.0) / 30.0,
    );
    assert_counts(&suite.overall(&PAPER, "key_point"), 3, 3);
    assert_mean(&suite.overall(&PAPER, "accuracy"), 0.5);
}

#[test]
fn implied_turns_keep_their_numbers_where_a_turn_was_not_judged() {
    // In img mode the authors' code writes {} for a text turn, here the first one.
    let suite = Suite::default().metrics(&[line(
        6,
        "edit",
        &[json!({}), scores(7, 9, 8), scores(5, 5, 5)],
    )]);
    let row = suite.overall(&PAPER, "key_point");
    assert_mean(&row, (7.0 + 5.0) / 20.0);
    assert_counts(&row, 2, 2);
    assert_mean(&suite.row(&PAPER, "turn", "1", "key_point"), 0.7);
    assert_mean(&suite.row(&RELEASED, "turn", "2", "key_point"), 0.5);
    assert!(find(&mut suite.open(), &PAPER, "turn", "0", "key_point").is_none());
    assert_eq!(
        juror_session::overview(&suite.open().study(&PAPER)).models[0].incidents,
        0
    );
}

#[test]
fn of_two_equal_turn_keys_the_last_counts_in_released_none_in_paper_and_other_turns_stay() {
    let turn = |score: u32| format!("{{\"key_point\": {{\"score\": {score}}}}}");
    for (first, expected) in [
        ("{}".to_owned(), (2.0 + 4.0) / 20.0),
        (turn(9), (2.0 + 4.0) / 20.0),
    ] {
        let text = format!(
            "{{\"idx\": 6, \"domain\": \"edit\", \"turn 0\": {first}, \"turn 1\": {}, \"turn 0\": {}}}\n",
            turn(2),
            turn(4)
        );
        let suite = Suite::new(&[dialogue(6, 2, 0)]).metrics(&[text]);
        assert_mean(&suite.overall(&RELEASED, "key_point"), expected);
        assert_mean(&suite.overall(&PAPER, "key_point"), 0.2);
    }
    let text = format!(
        "{{\"idx\": 6, \"domain\": \"edit\", \"turn 0\": {}, \"turn 1\": {}, \"turn 0\": 5}}\n",
        turn(9),
        turn(2)
    );
    let suite = Suite::new(&[dialogue(6, 2, 0)]).metrics(&[text]);
    assert_mean(&suite.overall(&RELEASED, "key_point"), 0.2);
}

/// A suite in which five rules have an effect.
fn differing() -> Suite {
    let items = [dialogue(6, 2, 0), dialogue(22, 1, 0)];
    Suite::new(&items)
        .output(&items[0].picture(2))
        .output(&items[1].picture(2))
        .metrics(&[
            line(6, "edit", &[scores(11, 9, 8), scores(4, 7, 6)]),
            line(22, "edit", &[scores(6, 5, 5)]),
            line(22, "edit", &[scores(2, 3, 3)]),
            line(99, "edit", &[scores(1, 1, 1)]),
        ])
}

#[test]
fn every_difference_shows_the_total_with_its_one_rule_exchanged() {
    let overview = juror_session::overview(&differing().open().study(&PAPER));
    let eq1 = |kp: f64, vc: f64, iq: f64| 0.5 * kp + 0.2 * vc + 0.3 * iq;
    // The second picture of dialogue 6 is missing and counts 0; 11 is left out; the repeat and the stranger do not count.
    let paper = eq1(
        (0.0 + 6.0) / 20.0,
        (9.0 + 0.0 + 5.0) / 30.0,
        (8.0 + 0.0 + 5.0) / 30.0,
    );
    for (id, expected) in [
        (
            "missing_output",
            eq1(
                (4.0 + 6.0) / 20.0,
                (9.0 + 7.0 + 5.0) / 30.0,
                (8.0 + 6.0 + 5.0) / 30.0,
            ),
        ),
        (
            "range_check",
            eq1((11.0 + 0.0 + 6.0) / 30.0, 14.0 / 30.0, 13.0 / 30.0),
        ),
        (
            "repeated_lines",
            eq1(
                (0.0 + 6.0 + 2.0) / 30.0,
                (9.0 + 0.0 + 5.0 + 3.0) / 40.0,
                (8.0 + 0.0 + 5.0 + 3.0) / 40.0,
            ),
        ),
        (
            "strangers",
            eq1(
                (0.0 + 6.0 + 1.0) / 30.0,
                (9.0 + 0.0 + 5.0 + 1.0) / 40.0,
                (8.0 + 0.0 + 5.0 + 1.0) / 40.0,
            ),
        ),
        // 0.3, 0.467 and 0.433: 0.15 + 0.0934 + 0.1299 = 0.3733.
        ("rounding", 0.373),
        ("unreadable_reply", paper),
    ] {
        let difference = overview
            .differences
            .iter()
            .find(|difference| difference.id == id)
            .unwrap();
        let effect = &difference.effects[0];
        assert!(difference.has_effect);
        assert!(
            (effect.paper.unwrap() - paper).abs() < 1e-12,
            "{id}: paper is {:?}, expected {paper}",
            effect.paper
        );
        let with_rule = effect.with_rule.unwrap();
        assert!(
            (with_rule - expected).abs() < 1e-12,
            "{id}: expected {expected}, found {with_rule}"
        );
    }
}

#[test]
fn a_total_without_one_of_the_three_is_undefined_in_paper_and_a_plain_mean_in_released() {
    let turn = json!({"key_point": {"score": 7}, "visual_consistency": {"score": 9}});
    let suite = Suite::new(&[dialogue(6, 1, 0)]).metrics(&[line(6, "edit", &[turn])]);
    assert_eq!(suite.overall(&PAPER, "total").mean, None);
    assert_mean(&suite.overall(&RELEASED, "total"), 0.8);
    let overview = juror_session::overview(&suite.open().study(&PAPER));
    let difference = overview
        .differences
        .iter()
        .find(|difference| difference.id == "partial_total")
        .unwrap();
    assert_eq!(difference.effects[0].paper, None);
    assert!((difference.effects[0].with_rule.unwrap() - 0.8).abs() < 1e-12);
}

/// Four given pictures and one to make, mentioned out of order in the second turn.
fn history() -> Suite {
    let images: Vec<String> = (1..=5)
        .map(|number| format!("imgs/p{number}.png"))
        .collect();
    let item = json!({"idx": 1, "domain": "edit", "images": images, "chats": [
        {"role": "user", "type": "text", "content": "Take Image #1 to make a house."},
        {"role": "assistant", "type": "image", "content": "Image #2", "key_point": {"GT #2": "As in <image>."}},
        {"role": "user", "type": "text", "content": "Put Image #4 into Image #2, as Image #4 stands."},
        {"role": "assistant", "type": "image", "content": "Image #5", "key_point": {"GT #4": "As in <image>.", "Image #2": "Near <image>."}},
    ]});
    let mut suite = Suite::default().file("D/test/test.json", &json!([item]).to_string());
    for image in &images {
        suite = suite.file(&format!("D/test/{image}"), image);
    }
    suite
}

fn input(suite: &Suite, context: Context, packing: Packing, profile: Profile) -> InputView {
    let key = InputKey {
        model: "m".to_owned(),
        sample: "1".to_owned(),
        turn: 1,
        context,
        packing,
        profile,
        variant: None,
    };
    juror_session::generator_input(&suite.open().linked(), &key)
}

/// Parts in one line: text as it is, a picture as `[number role]`.
fn shown(input: &InputView) -> Vec<String> {
    let part = |part: &PartView| match part {
        PartView::Text { text } => text.clone(),
        PartView::Image { role, number, .. } => format!("[{} {role}]", number.unwrap_or(0)),
    };
    input
        .messages
        .iter()
        .flat_map(|message| &message.parts)
        .map(part)
        .collect()
}

#[test]
fn the_kth_picture_is_image_k_of_the_renumbered_text() {
    let input = input(&history(), Context::No, Packing::Separate, Profile::Paper);
    assert_eq!(
        shown(&input),
        [
            "[2 dataset]",
            "[4 dataset]",
            "Put Image #2 into Image #1, as Image #2 stands."
        ]
    );
    assert_eq!(input.pictures.len(), 2);
    assert!(input.notes.is_empty());
}

#[test]
fn released_gives_pictures_in_the_order_of_mention_with_repeats() {
    let input = input(
        &history(),
        Context::No,
        Packing::Separate,
        Profile::Released,
    );
    assert_eq!(
        shown(&input)[..3],
        ["[4 dataset]", "[2 dataset]", "[4 dataset]"]
    );
}

#[test]
fn complete_context_gives_1_to_the_highest_mentioned_and_never_the_target() {
    let paper = input(
        &history(),
        Context::Complete,
        Packing::Separate,
        Profile::Paper,
    );
    let text = "Put Image #4 into Image #2, as Image #4 stands.";
    assert_eq!(
        shown(&paper),
        [
            "[1 dataset]",
            "[2 dataset]",
            "[3 dataset]",
            "[4 dataset]",
            text
        ]
    );
    let released = input(
        &history(),
        Context::Complete,
        Packing::Separate,
        Profile::Released,
    );
    assert_eq!(
        shown(&released)[0],
        "[5 dataset]",
        "the authors' loader leaks the last picture"
    );
    assert!(
        released.notes.iter().any(|note| note.contains("Image #5")),
        "and it is said"
    );
}

#[test]
fn the_models_own_picture_is_used_where_it_made_one_and_a_fallback_is_noted() {
    let without = input(
        &history().output("p5.png"),
        Context::Partial,
        Packing::Separate,
        Profile::Paper,
    );
    assert_eq!(shown(&without)[0], "[2 dataset]");
    assert_eq!(without.notes.len(), 1);
    assert!(
        without.notes[0].contains("Image #2 was not generated"),
        "{}",
        without.notes[0]
    );
    let with = history().output("p2.png");
    let own = input(&with, Context::Partial, Packing::Separate, Profile::Paper);
    assert_eq!(shown(&own)[..2], ["[2 generated]", "[4 dataset]"]);
    assert!(own.notes.is_empty());
    let complete = input(&with, Context::Complete, Packing::Separate, Profile::Paper);
    assert_eq!(
        shown(&complete)[..4],
        ["[1 dataset]", "[2 generated]", "[3 dataset]", "[4 dataset]"]
    );
    for context in [Context::No, Context::CompleteDataset] {
        let dataset = input(&with, context, Packing::Separate, Profile::Paper);
        assert!(shown(&dataset).contains(&"[2 dataset]".to_owned()));
        assert!(dataset.notes.is_empty());
    }
}

#[test]
fn yes_front_lists_every_mentioned_picture_once_before_the_first_message() {
    let input = input(
        &history().output("p2.png"),
        Context::Complete,
        Packing::YesFront,
        Profile::Paper,
    );
    assert_eq!(
        shown(&input),
        [
            "Image #1:",
            "[1 dataset]",
            "Image #2:",
            "[2 generated]",
            "Image #4:",
            "[4 dataset]",
            "Take Image #1 to make a house.",
            "Image #2",
            "Put Image #4 into Image #2, as Image #4 stands.",
        ]
    );
    assert_eq!(
        input
            .messages
            .iter()
            .map(|message| message.role.as_str())
            .collect::<Vec<_>>(),
        ["user", "assistant", "user"]
    );
}

#[test]
fn yes_first_shows_a_picture_at_its_first_mention_in_the_dialogue() {
    let parts = shown(&input(
        &history(),
        Context::CompleteDataset,
        Packing::YesFirst,
        Profile::Paper,
    ));
    let expected = [
        "Take ",
        "Image #1",
        "[1 dataset]",
        " to make a house.",
        "Image #2",
        "Put ",
        "Image #4",
        "[4 dataset]",
        " into ",
        "Image #2",
        "[2 dataset]",
        ", as ",
        "Image #4",
        " stands.",
    ];
    assert_eq!(parts, expected);
}

#[test]
fn a_request_says_which_encoder_writes_its_jpegs() {
    let mut session = with_outputs().open();
    let mut notes = |turn, criterion: &str| {
        let key = RequestKey {
            model: "m".to_owned(),
            sample: "1".to_owned(),
            turn,
            criterion: criterion.to_owned(),
        };
        let request = juror_session::request(&session.linked(), &key).unwrap();
        assert_eq!(request.error, None);
        let has_picture = request
            .parts
            .iter()
            .any(|part| matches!(part, PartView::Image { .. }) && part.is_sent());
        (has_picture, request.notes.concat())
    };
    let (has_picture, said) = notes(1, "key_point");
    assert!(has_picture);
    assert!(said.contains("as Pillow writes it by default"), "{said}");
    assert!(said.contains("quality 75, 4:2:0"), "{said}");
}

/// The hash of a key point request, pictures given.
fn request_hash(suite: &Suite) -> String {
    let mut session = suite.open();
    let key = RequestKey {
        model: "m".to_owned(),
        sample: "1".to_owned(),
        turn: 1,
        criterion: "key_point".to_owned(),
    };
    let request = juror_session::request(&session.linked(), &key).unwrap();
    assert_eq!(request.error, None);
    for file in request.needs {
        juror_session::provide_picture(&mut session, file, &suite.files[file as usize].1);
    }
    juror_session::request(&session.linked(), &key)
        .unwrap()
        .sha256
        .unwrap()
}

fn with_outputs() -> Suite {
    history().output("p2.png").output("p5.png")
}

/// The same suite with one text exchanged in one file.
fn changed(suite: &Suite, path: &str, from: &str, to: &str) -> Suite {
    let mut suite = suite.clone();
    let (_, bytes) = suite
        .files
        .iter_mut()
        .find(|(found, _)| found == path)
        .unwrap();
    let text = String::from_utf8(bytes.clone()).unwrap();
    assert!(text.contains(from));
    *bytes = text.replace(from, to).into_bytes();
    suite
}

#[test]
fn a_request_hash_changes_with_every_picture_text_and_pack() {
    let suite = with_outputs();
    let hash = request_hash(&suite);
    assert_eq!(hash, request_hash(&suite.clone()), "and with nothing else");
    for (what, other) in [
        (
            "output",
            changed(&suite, "result/m/imgs/p5.png", "own", "other"),
        ),
        (
            "generated reference",
            changed(&suite, "result/m/imgs/p2.png", "own", "other"),
        ),
        (
            "dataset reference",
            changed(&suite, "D/test/imgs/p4.png", "p4", "q4"),
        ),
        (
            "requirement",
            changed(&suite, "D/test/test.json", "Near", "Far from"),
        ),
    ] {
        assert_ne!(hash, request_hash(&other), "{what}");
    }
    let constants = [
        "prompt_keypoint_checklist",
        "prompt_visual_consistency",
        "prompt_image_quality",
        "prompt_txt_acc",
    ];
    let pack = |text: &str| {
        constants
            .map(|name| format!("{name} = \"\"\"{text} <image>\n\"\"\"\n"))
            .concat()
    };
    let official = request_hash(&suite.clone().file("eval/prompts.py", &pack("one")));
    assert_ne!(hash, official);
    assert_ne!(
        official,
        request_hash(&suite.clone().file("eval/prompts.py", &pack("two")))
    );
    // A picture that the request does not show leaves it as it is.
    assert_eq!(
        hash,
        request_hash(&changed(&suite, "D/test/imgs/p3.png", "p3", "q3"))
    );
}

#[test]
fn a_request_hash_does_not_change_with_file_or_model_folder_names() {
    let suite = with_outputs();
    let mut renamed = suite.clone();
    for (path, bytes) in &mut renamed.files {
        *path = path
            .replace("p5.png", "other.png")
            .replace("D/test", "elsewhere/data");
        if path.ends_with("test.json") {
            *bytes = String::from_utf8(bytes.clone())
                .unwrap()
                .replace("p5.png", "other.png")
                .into_bytes();
        }
    }
    assert_eq!(request_hash(&suite), request_hash(&renamed));
}

#[test]
fn a_sample_shows_a_reply_s_own_model_time_and_parameters_and_nothing_where_its_file_says_nothing()
{
    let suite = worked_example();
    let params = Params {
        model: "gpt-4o".to_owned(),
        temperature: Some(0.0),
        ..Params::default()
    };
    let told = journal::Record {
        time: "2026-01-01T12:00:00Z".to_owned(),
        params: Some(params.clone()),
        answered_by: Some("gpt-4o-2024-08-06".to_owned()),
        ..record(
            15,
            0,
            "accuracy",
            "gpt-4o",
            1,
            "{\"score\": 5, \"reasoning\": \"r\"}",
        )
    };
    let mut session = suite.journal(&[told]).open();
    let view = juror_session::sample(&session.study(&PAPER), "15").unwrap();
    let verdicts = &view.turns[0].outputs[0].verdicts;
    let by = |judge: &str| verdicts.iter().find(|one| one.judge == judge).unwrap();
    let own = by("gpt-4o");
    assert_eq!(own.time, "2026-01-01T12:00:00Z");
    assert_eq!(own.params.as_ref(), Some(&params));
    assert_eq!(own.answered_by.as_deref(), Some("gpt-4o-2024-08-06"));
    // metrics.jsonl names neither.
    let other = by("");
    assert!(other.raw.is_some());
    assert_eq!(
        (other.time.as_str(), &other.params, &other.answered_by),
        ("", &None, &None)
    );
}

#[test]
fn every_row_says_how_its_criteria_are_weighted() {
    assert!(crate::origin::check(&mut worked_example().open()) > 0);
}

#[test]
fn turns_are_pooled_by_class_and_by_the_pictures_before_them() {
    // Edits of one picture, then a question about it; the dialogues' own places in the list do not matter.
    let suite = Suite::new(&[dialogue(6, 2, 1), dialogue(22, 1, 0)]).metrics(&[
        line(6, "edit", &[scores(7, 9, 8), scores(4, 7, 6), answer(5)]),
        line(22, "edit", &[scores(9, 9, 9)]),
    ]);
    for options in [PAPER, RELEASED] {
        let of =
            |scope: &str, key: &str, criterion: &str| suite.row(&options, scope, key, criterion);
        let edits = of("class", "edit", "key_point");
        assert_mean(
            &edits,
            if options.profile == PAPER.profile {
                20.0 / 30.0
            } else {
                0.667
            },
        );
        assert_counts(&edits, 3, 3);
        assert_counts(&of("class", "vqa", "accuracy"), 1, 1);
        assert_mean(&of("history", "0", "key_point"), 0.8);
        assert_counts(&of("history", "0", "key_point"), 2, 2);
        assert_mean(&of("history", "1", "key_point"), 0.4);
        assert_mean(&of("history", "2", "accuracy"), 0.5);
        assert_counts(&of("overall", "all", "key_point"), 3, 3);
    }
    let mut session = suite.open();
    let overview = juror_session::overview(&session.study(&PAPER));
    let keys = |scope: &str| {
        let mut scopes = overview.scopes.iter();
        scopes
            .find(|info| info.scope == scope)
            .unwrap()
            .keys
            .clone()
    };
    assert_eq!(keys("class"), ["edit", "vqa"]);
    assert_eq!(keys("history"), ["0", "1", "2"]);
    assert_eq!(
        juror_session::group_filter(&session.study(&PAPER), "class", "edit").as_deref(),
        Some("class:edit")
    );
    // A turn's place is a group of turns that no field finds.
    assert_eq!(
        juror_session::group_filter(&session.study(&PAPER), "turn", "0"),
        None
    );
}

#[test]
fn compare_takes_of_each_dialogue_the_turns_of_the_group_alone() {
    let lines = |second: u32| {
        [
            line(
                6,
                "edit",
                &[scores(8, 9, 8), scores(second, 7, 6), answer(5)],
            ),
            line(22, "edit", &[scores(9, 9, 9)]),
        ]
        .concat()
    };
    let suite = Suite::new(&[dialogue(6, 2, 1), dialogue(22, 1, 0)])
        .file("result/m/metrics.jsonl", &lines(4))
        .file("result/n/metrics.jsonl", &lines(6));
    let mut session = suite.open();
    let mut means = |scope: &str, key: &str| {
        let query = CompareQuery {
            scope: scope.to_owned(),
            key: key.to_owned(),
            criterion: "key_point".to_owned(),
            ..CompareQuery::default()
        };
        let found = juror_session::compare(&session.study(&PAPER), &query).unwrap();
        let models = found.models.iter();
        let means: Vec<(String, f64, u32)> = models
            .map(|model| (model.model.clone(), model.mean.unwrap(), model.n))
            .collect();
        means
    };
    let near = |found: Vec<(String, f64, u32)>, wanted: [(&str, f64, u32); 2]| {
        for ((model, mean, n), wanted) in found.into_iter().zip(wanted) {
            assert_eq!((model.as_str(), n), (wanted.0, wanted.2));
            assert!(
                (mean - wanted.1).abs() < 1e-12,
                "{mean} is not {}",
                wanted.1
            );
        }
    };
    // A dialogue's edits are averaged first.
    near(
        means("class", "edit"),
        [
            ("n", f64::midpoint(0.7, 0.9), 2),
            ("m", f64::midpoint(0.6, 0.9), 2),
        ],
    );
    near(means("history", "1"), [("n", 0.6, 1), ("m", 0.4, 1)]);
}
