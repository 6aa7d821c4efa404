//! MultiBanana's layouts, requests and scoring rules by hand arithmetic, on benchmarks small enough to check with a pencil.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use juror_model::options::{Policy, Profile, ScoreOptions};
use juror_model::request::{PartView, RequestKey};
use juror_model::row::ScoreRow;
use juror_session::Session;
use juror_session::view::experiments::ExperimentQuery;
use juror_session::view::groups::GroupMeansQuery;
use juror_statistics::level::Level;
use juror_tests::generate::{File, open};

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

/// The sets of the benchmark: task, number, references.
const SETS: [(&str, &str, u32); 6] = [
    ("single", "001", 1),
    ("add", "002", 2),
    ("tone", "003", 2),
    ("3_local", "006", 3),
    ("3_local", "007", 3),
    ("4_local", "001", 4),
];

/// A reply with the five scores.
fn reply([ia, rc, bsm, pr, vq]: [u32; 5]) -> String {
    format!(
        "Reasoning: fine.\n\nInstruction Alignment: {ia}.\nReference Consistency: {rc}.\n\
        Background-Subject Match: {bsm}.\nPhysical Realism: {pr}.\nVisual Quality: {vq}."
    )
}

#[derive(Clone, Default)]
struct Suite {
    files: Vec<File>,
}

impl Suite {
    /// The benchmark in `data/`.
    fn new() -> Self {
        Self::default().benchmark("data").file(
            "data/3_local/types.json",
            r#"{"006": "domain", "7": ["scale", "font"]}"#,
        )
    }

    fn benchmark(mut self, base: &str) -> Self {
        for (task, number, count) in SETS {
            self = self.file(
                &format!("{base}/{task}/{number}_prompt.txt"),
                &format!(" Put image 1 into set {task}/{number}. \n"),
            );
            for index in 0..count {
                self = self.file(&format!("{base}/{task}/{number}_{index}.jpg"), "reference");
            }
        }
        self
    }

    fn file(mut self, path: &str, content: &str) -> Self {
        self.files
            .push((path.to_owned(), content.as_bytes().to_vec()));
        self
    }

    /// Outputs of a model for all sets.
    fn outputs(mut self, folder: &str) -> Self {
        for (task, number, _) in SETS {
            self = self.file(&format!("{folder}/{task}/{number}_generated.png"), "output");
        }
        self
    }

    /// One judge's replies for all sets, in the order of [`SETS`].
    fn replies(mut self, folder: &str, judge: &str, scores: [[u32; 5]; 6]) -> Self {
        for ((task, number, _), scores) in SETS.iter().zip(scores) {
            self = self.file(
                &format!("{folder}/{task}/{number}_{judge}_judge.txt"),
                &reply(scores),
            );
        }
        self
    }

    fn without(mut self, path: &str) -> Self {
        let before = self.files.len();
        self.files.retain(|(name, _)| name != path);
        assert_eq!(self.files.len() + 1, before, "{path} was there");
        self
    }

    fn open(&self) -> Session {
        open(&self.files)
    }
}

/// All criteria alike, so every total equals the score.
fn flat(scores: [u32; 6]) -> [[u32; 5]; 6] {
    scores.map(|score| [score; 5])
}

fn row(
    session: &mut Session,
    options: &ScoreOptions,
    name: (&str, &str, &str, &str, &str),
) -> ScoreRow {
    let (model, judge, scope, key, criterion) = name;
    let rows = juror_session::score_rows(&session.study(options));
    let found = rows.iter().find(|row| {
        (
            &*row.model,
            &*row.judge,
            &*row.scope,
            &*row.key,
            &*row.criterion,
        ) == (model, judge, scope, key, criterion)
    });
    found.unwrap_or_else(|| panic!("no row {name:?}")).clone()
}

fn total(session: &mut Session, options: &ScoreOptions, scope: &str, key: &str) -> Option<f64> {
    row(session, options, ("m", "gpt", scope, key, "total")).mean
}

fn assert_near(found: Option<f64>, wanted: f64) {
    let found = found.expect("a number");
    assert!((found - wanted).abs() < 1e-9, "{found} is not {wanted}");
}

#[test]
fn sets_load_in_the_papers_order_with_their_groups() {
    let mut session = Suite::new().open();
    let list = juror_session::samples(
        &session.study(&juror_session::view::SampleQuery::default().options),
        &juror_session::view::SampleQuery::default(),
    );
    let ids: Vec<&str> = list.rows.iter().map(|row| row.id.as_str()).collect();
    assert_eq!(
        ids,
        [
            "single/001",
            "add/002",
            "tone/003",
            "3_local/006",
            "3_local/007",
            "4_local/001"
        ]
    );
    let view = juror_session::sample(&session.study(&PAPER), "3_local/007").unwrap();
    assert_eq!(
        (&*view.domain, &*view.category),
        ("3_local", "multi-reference")
    );
    let tags: Vec<(&str, &str)> = view.tags.iter().map(|(a, b)| (&**a, &**b)).collect();
    assert_eq!(
        tags,
        [
            ("references", "3"),
            ("structure", "local"),
            ("difficulty", "scale"),
            ("difficulty", "font")
        ]
    );
    let pictures: Vec<&str> = view.pictures.iter().map(|picture| &*picture.path).collect();
    assert_eq!(
        pictures,
        [
            "data/3_local/007_0.jpg",
            "data/3_local/007_1.jpg",
            "data/3_local/007_2.jpg"
        ]
    );
    let spans: Vec<_> = view.turns[0]
        .instruction
        .iter()
        .map(|span| (&*span.text, span.picture))
        .collect();
    assert_eq!(
        spans,
        [
            ("Put ", None),
            ("image 1", Some(1)),
            (" into set 3_local/007.", None)
        ]
    );
    let overview = juror_session::overview(&session.study(&PAPER));
    assert_eq!(overview.problems, []);
    assert_eq!(
        overview.num_unknown_files, 0,
        "{:?}",
        overview.unknown_files
    );
    assert_eq!(overview.benchmark.unwrap().title, "MultiBanana");
}

#[test]
fn what_is_wrong_with_a_set_is_told_and_the_rest_loads() {
    let mut session = Suite::new()
        .without("data/add/002_prompt.txt")
        .file("data/add/009_prompt.txt", "x")
        .without("data/3_local/006_1.jpg")
        .without("data/4_local/001_3.jpg")
        .file("data/tone/types.json", "{\"003\": 5}")
        .open();
    let overview = juror_session::overview(&session.study(&PAPER));
    let found: Vec<(&str, &str)> = overview
        .problems
        .iter()
        .map(|problem| (&*problem.code, &*problem.path))
        .collect();
    assert_eq!(
        found,
        [
            ("no_prompt", "data/add/002_prompt.txt"),
            ("missing_picture", "data/add/009_prompt.txt"),
            ("bad_types", "data/tone/types.json"),
            ("reference_gap", "data/3_local/006_prompt.txt"),
            ("reference_count", "data/3_local/006_prompt.txt"),
            ("reference_count", "data/4_local/001_prompt.txt"),
        ]
    );
    let benchmark = overview.benchmark.unwrap();
    assert_eq!((benchmark.samples, benchmark.unreadable_samples), (6, 1));
}

#[test]
fn models_are_found_by_themselves_and_as_copies_of_the_tree() {
    let mut session = Suite::new()
        .outputs("runs/nano")
        .replies("runs/nano", "gpt", flat([5; 6]))
        .benchmark("copies/omni")
        .outputs("copies/omni")
        .replies("copies/omni", "gemini", flat([4; 6]))
        .file("copies/omni/3_local/types.json", "{}")
        .file("copies/omni/results/results_gemini.json", "{}")
        .file("runs/nano/add/notes.md", "x")
        .file("runs/nano/add/777_generated.png", "x")
        .open();
    let overview = juror_session::overview(&session.study(&PAPER));
    assert_eq!(overview.benchmark.unwrap().path, "data/");
    let models: Vec<_> = overview
        .models
        .iter()
        .map(|model| (&*model.name, model.pictures, model.scored, model.expected))
        .collect();
    assert_eq!(models, [("nano", 6, 6, 6), ("omni", 6, 6, 6)]);
    assert_eq!(overview.incidents, []);
    assert_eq!(
        overview.unknown_files,
        ["runs/nano/add/notes.md", "runs/nano/add/777_generated.png"]
    );
    let mut findings = juror_session::lint(&session.linked()).unwrap();
    findings.retain(|problem| problem.code == "extra_file");
    assert_eq!(findings.len(), 2);
}

#[test]
fn outputs_beside_the_data_make_a_model_named_after_the_folder() {
    let mut session = Suite::new()
        .outputs("data")
        .replies("data", "gpt", flat([7; 6]))
        .open();
    let overview = juror_session::overview(&session.study(&PAPER));
    assert_eq!(overview.models.len(), 1);
    assert_eq!(overview.models[0].name, "data");
    assert_eq!(overview.models[0].scored, 6);
    assert_eq!(
        overview.num_unknown_files, 0,
        "{:?}",
        overview.unknown_files
    );
}

#[test]
fn judge_files_alone_give_scores() {
    let mut session = Suite::default()
        .replies("m", "gpt", flat([2, 4, 6, 8, 8, 4]))
        .open();
    // single 2; two-reference (4 + 6) / 2; local (8 + 4) / 2; all types (2 + 4 + 6 + 8 + 4) / 5.
    assert_near(
        total(&mut session, &PAPER, "category", "two-reference"),
        5.0,
    );
    assert_near(total(&mut session, &PAPER, "structure", "local"), 6.0);
    assert_near(total(&mut session, &PAPER, "overall", "all"), 24.0 / 5.0);
    assert_eq!(
        juror_session::overview(&session.study(&PAPER))
            .benchmark
            .unwrap()
            .samples,
        6
    );
}

#[test]
fn a_request_shows_all_references_between_text_a_and_the_instruction() {
    let mut session = Suite::new().outputs("m").open();
    let key = RequestKey {
        model: "m".to_owned(),
        sample: "3_local/006".to_owned(),
        turn: 0,
        criterion: "judge".to_owned(),
    };
    let view = juror_session::request(&session.linked(), &key).unwrap();
    assert_eq!(view.error, None);
    let parts: Vec<&str> = view
        .parts
        .iter()
        .map(|part| match part {
            PartView::Text { text } => text.lines().next().unwrap(),
            PartView::Image { path, .. } => path.as_str(),
        })
        .collect();
    assert_eq!(
        parts[1..4],
        [
            "data/3_local/006_0.jpg",
            "data/3_local/006_1.jpg",
            "data/3_local/006_2.jpg"
        ]
    );
    assert!(
        parts[4].ends_with("Put image 1 into set 3_local/006."),
        "{}",
        parts[4]
    );
    assert_eq!(parts[5], "m/3_local/006_generated.png");
    assert_eq!(parts.len(), 7);
    assert!(view.notes[0].contains("judge.py"), "{:?}", view.notes);
}

#[test]
fn the_paper_weights_and_the_code_does_not() {
    // GPT 7 5 5 6 6, Gemini 9 4 6 7 8: a set with both judges' replies, by hand.
    let mut session = Suite::new()
        .outputs("m")
        .replies("m", "gpt", [[7, 5, 5, 6, 6]; 6])
        .replies("m", "gemini", [[9, 4, 6, 7, 8]; 6])
        .open();
    let mut of = |options, judge, criterion| {
        row(
            &mut session,
            options,
            ("m", judge, "overall", "all", criterion),
        )
        .mean
    };
    assert_near(of(&PAPER, "gpt", "total"), 53.0 / 9.0);
    assert_near(of(&PAPER, "gemini", "total"), 60.0 / 9.0);
    assert_near(of(&PAPER, "gemini + gpt", "total"), 113.0 / 18.0);
    assert_near(of(&PAPER, "gemini + gpt", "instruction_alignment"), 8.0);
    assert_near(of(&RELEASED, "gpt", "total"), 5.8);
    assert_near(of(&RELEASED, "gemini", "total"), 6.8);
}

#[test]
fn printed_rows_are_told_to_be_by_a_judge_at_hand_or_by_another() {
    let by = |judges: &[&str]| {
        let mut suite = Suite::new().outputs("runs/a");
        for judge in judges {
            suite = suite.replies("runs/a", judge, flat([5; 6]));
        }
        let rows = juror_session::overview(&suite.open().study(&PAPER))
            .published
            .rows;
        let same = rows.into_iter().filter(|row| row.is_same_judge);
        let same: std::collections::BTreeSet<String> = same.map(|row| row.judge).collect();
        same.into_iter().collect::<Vec<_>>()
    };
    assert_eq!(by(&["gpt"]), ["GPT-5"]);
    assert_eq!(
        by(&["gemini", "gpt"]),
        ["GPT-5", "Gemini 2.5", "mean of GPT-5 and Gemini 2.5"]
    );
}

#[test]
fn a_submission_that_states_no_level_stands_beside_what_the_paper_prints_of_the_usual_one() {
    let printed = |levels: &[&str]| {
        let mut suite = Suite::new();
        for level in levels {
            let folder = format!("runs/Nano Banana{level}");
            suite = suite.outputs(&folder).replies(&folder, "gpt", flat([5; 6]));
        }
        let query = ExperimentQuery {
            factor: "priority".to_owned(),
            ..ExperimentQuery::default()
        };
        let found = juror_session::experiments(&mut suite.open(), &query).unwrap();
        let row = found.blocks[0].rows.iter();
        let row = row.filter(|row| row.criterion == "reference_consistency");
        let cells = row.flat_map(|row| &row.cells);
        let levels = found.levels.iter().map(|info| info.level.clone());
        let numbers = cells.map(|cell| cell.printed.map(|printed| printed.value));
        levels.zip(numbers).collect::<Vec<_>>()
    };
    let at = |level: &str, value| (level.to_owned(), value);
    assert_eq!(
        printed(&["", "@priority=reference"]),
        [at("base", Some(3.58)), at("reference", Some(4.17))]
    );
    // Where one states the usual level, what states none is another.
    assert_eq!(
        printed(&["", "@priority=none", "@priority=mine"]),
        [at("base", None), at("none", Some(3.58)), at("mine", None)]
    );
}

#[test]
fn wider_groups_are_means_over_types_and_tags_over_sets() {
    let scores = flat([9, 2, 4, 6, 7, 3]);
    let mut session = Suite::new().outputs("m").replies("m", "gpt", scores).open();
    for (scope, key, wanted, n) in [
        ("domain", "3_local", 6.5, 2),
        ("domain", "4_local", 3.0, 1),
        ("category", "single", 9.0, 1),
        ("category", "two-reference", 3.0, 2),
        // (6.5 + 3) / 2, not (6 + 7 + 3) / 3.
        ("category", "multi-reference", 4.75, 3),
        ("structure", "local", 4.75, 3),
        ("references", "1", 9.0, 1),
        ("references", "2", 3.0, 2),
        ("references", "3", 6.5, 2),
        ("overall", "all", (9.0 + 2.0 + 4.0 + 6.5 + 3.0) / 5.0, 6),
        ("difficulty", "domain", 6.0, 1),
        ("difficulty", "without domain", 7.0, 1),
        ("difficulty", "scale", 7.0, 1),
        ("difficulty", "without scale", 6.0, 1),
    ] {
        let found = row(&mut session, &PAPER, ("m", "gpt", scope, key, "total"));
        assert_near(found.mean, wanted);
        assert_eq!((found.n, found.expected), (n, n), "{scope} {key}");
    }
    let scopes: Vec<String> = juror_session::overview(&session.study(&PAPER))
        .scopes
        .into_iter()
        .map(|info| info.scope)
        .collect();
    assert_eq!(
        scopes,
        [
            "overall",
            "category",
            "structure",
            "references",
            "domain",
            "difficulty"
        ]
    );
}

#[test]
fn the_code_rounds_a_tasks_means_to_three_digits() {
    let scores = [
        [5; 5],
        [5; 5],
        [5; 5],
        [1, 2, 3, 4, 5],
        [2, 2, 3, 4, 5],
        [5; 5],
    ];
    let session = &mut Suite::new()
        .file("data/3_local/008_prompt.txt", "x")
        .file("data/3_local/008_0.jpg", "x")
        .file("m/3_local/008_gpt_judge.txt", &reply([2, 2, 3, 4, 6]))
        .replies("m", "gpt", scores)
        .open();
    let name = |criterion| ("m", "gpt", "domain", "3_local", criterion);
    let near = |found: Option<f64>, wanted: f64| assert!((found.unwrap() - wanted).abs() < 1e-15);
    near(
        row(session, &RELEASED, name("instruction_alignment")).mean,
        1.667,
    );
    near(row(session, &RELEASED, name("visual_quality")).mean, 5.333);
    // (5/3 + 2 + 3 + 4 + 16/3) / 5 = 3.2
    near(row(session, &RELEASED, name("total")).mean, 3.2);
    near(
        row(session, &PAPER, name("instruction_alignment")).mean,
        5.0 / 3.0,
    );
}

#[test]
fn bad_replies_are_incidents_with_their_reason() {
    let mut session = Suite::new()
        .outputs("m")
        .replies("m", "gpt", flat([5; 6]))
        .without("m/single/001_gpt_judge.txt")
        .without("m/add/002_gpt_judge.txt")
        .without("m/tone/003_gpt_judge.txt")
        .without("m/3_local/006_gpt_judge.txt")
        .without("m/3_local/007_gpt_judge.txt")
        .file(
            "m/add/002_gpt_judge.txt",
            "Error during evaluation: 429 quota",
        )
        .file("m/tone/003_gpt_judge.txt", &reply([0, 5, 5, 5, 100]))
        .file(
            "m/3_local/006_gpt_judge.txt",
            &reply([5; 5]).replace("Visual Quality: 5", "Visual Quality: fine"),
        )
        .file(
            "m/3_local/007_gpt_judge.txt",
            &reply([5; 5]).replace("fine.", "Instruction Alignment: 2 at first sight."),
        )
        .open();
    let report = juror_session::report(&session.study(&PAPER));
    let found: Vec<(&str, &str)> = report
        .incidents
        .iter()
        .map(|incident| (&*incident.sample, &*incident.kind))
        .collect();
    assert_eq!(
        found,
        [
            ("single/001", "missing_reply"),
            ("add/002", "failed_call"),
            ("tone/003", "out_of_range"),
            ("3_local/006", "unparsable"),
        ]
    );
    assert!(
        report.incidents[3]
            .detail
            .contains("Visual Quality is \"fine.\", not a number.")
    );
    let incident = &report.incidents[2];
    assert!(
        incident.detail.contains("m/tone/003_gpt_judge.txt")
            && incident.detail.contains("Instruction Alignment is 0"),
        "{}",
        incident.detail
    );
    // Paper: 3_local 5 (the final block), 4_local 5. Released: tone (0 + 5 + 5 + 5 + 100) / 5 = 23, 3_local (2 + 20) / 5 = 4.4.
    let overall = row(
        &mut session,
        &PAPER,
        ("m", "gpt", "overall", "all", "total"),
    );
    assert_near(overall.mean, 5.0);
    assert_eq!((overall.n, overall.expected), (2, 6));
    assert_near(total(&mut session, &RELEASED, "domain", "tone"), 23.0);
    assert_near(total(&mut session, &RELEASED, "domain", "3_local"), 4.4);
    let report = juror_session::report(&session.study(&RELEASED));
    let kinds: Vec<&str> = report
        .incidents
        .iter()
        .map(|incident| &*incident.kind)
        .collect();
    assert_eq!(kinds, ["missing_reply", "failed_call", "unparsable"]);
}

#[test]
fn a_judge_file_with_a_byte_order_mark_and_crlf_gives_what_it_says() {
    let labels = reply([9, 8, 7, 6, 5]);
    let (_, block) = labels.split_once("\n\n").unwrap();
    let read = |text: &str, options: &ScoreOptions| {
        let suite = Suite::new()
            .outputs("m")
            .file("m/single/001_gpt_judge.txt", text);
        total(&mut suite.open(), options, "domain", "single")
    };
    let marked = format!("\u{feff}{}", block.replace('\n', "\r\n"));
    for options in [&PAPER, &RELEASED] {
        let plain = read(block, options);
        assert!(plain.is_some());
        assert_eq!(read(&marked, options), plain);
    }
}

#[test]
fn a_prompt_of_two_lines_is_the_same_on_a_checkout_with_crlf() {
    let asked = |text: &str| {
        let mut suite = Suite::new().outputs("m");
        let path = "data/single/001_prompt.txt";
        suite = suite.without(path).file(path, text);
        let key = RequestKey {
            model: "m".to_owned(),
            sample: "single/001".to_owned(),
            turn: 0,
            criterion: "judge".to_owned(),
        };
        juror_session::request(&suite.open().linked(), &key)
            .unwrap()
            .parts
    };
    assert_eq!(asked("One.\r\nTwo.\r\n"), asked("One.\nTwo.\n"));
}

#[test]
fn a_prompt_that_is_no_text_is_named_and_asked_of_nobody() {
    let path = "data/single/001_prompt.txt";
    for (text, what) in [
        (
            "version https://git-lfs.github.com/spec/v1\noid sha256:00",
            "a Git LFS pointer",
        ),
        ("<!DOCTYPE html><html>404</html>", "an HTML page"),
        ("\0\0\0\0\0\0\0", "zero bytes"),
    ] {
        let suite = Suite::new().outputs("m").without(path).file(path, text);
        let mut session = suite.open();
        let found = juror_session::problems(&session.linked()).into_iter();
        let found: Vec<_> = found.collect();
        let all = format!("{found:#?}");
        let found: Vec<String> = (found.into_iter())
            .filter(|found| found.code == "unreadable_file" && found.path == path)
            .map(|found| found.message)
            .collect();
        assert_eq!(found.len(), 1, "{what}: {all}");
        assert!(
            found[0].starts_with(&format!("Expected text, found {what}. ")),
            "{found:?}"
        );
        let key = RequestKey {
            model: "m".to_owned(),
            sample: "single/001".to_owned(),
            turn: 0,
            criterion: "judge".to_owned(),
        };
        let asked = juror_session::request(&session.linked(), &key).unwrap();
        let error = asked.error.as_deref();
        assert_eq!(error, Some("There is no set single/001."), "{what}");
    }
    let sound = Suite::new()
        .outputs("m")
        .without(path)
        .file(path, "Draw <html> signs.");
    let problems = juror_session::problems(&sound.open().linked());
    assert!(problems.iter().all(|found| found.code != "unreadable_file"));
}

#[test]
fn no_number_is_bold_where_no_test_is_possible() {
    let suite = |sets: usize| {
        let mut suite = Suite::new();
        for (model, score) in [("a", 9), ("b", 2)] {
            suite = suite.outputs(model);
            for (at, (task, number, _)) in SETS.iter().enumerate().take(sets) {
                let wobble = u32::try_from(at % 2).unwrap();
                let path = format!("{model}/{task}/{number}_gpt_judge.txt");
                suite = suite.file(&path, &reply([score + wobble * (score / 9); 5]));
            }
        }
        juror_session::tables(&suite.open().study(&PAPER)).to_markdown()
    };
    assert!(!suite(1).contains("**"), "{}", suite(1));
    assert!(suite(6).contains("**"), "{}", suite(6));
}

#[test]
fn a_missing_output_counts_the_lowest_score_unless_it_is_left_out() {
    let suite = Suite::new()
        .outputs("m")
        .replies("m", "gpt", flat([9; 6]))
        .without("m/3_local/006_generated.png")
        .without("m/3_local/006_gpt_judge.txt");
    let mut session = suite.open();
    let with = |policy| ScoreOptions {
        policy: Some(policy),
        ..PAPER
    };
    assert_near(total(&mut session, &PAPER, "domain", "3_local"), 5.0);
    let excluded = row(
        &mut session,
        &with(Policy::Exclude),
        ("m", "gpt", "domain", "3_local", "total"),
    );
    assert_near(excluded.mean, 9.0);
    assert_eq!((excluded.n, excluded.expected), (1, 2));
    assert_near(excluded.worst, 5.0);
    assert_near(excluded.best, 9.5);
    assert_near(total(&mut session, &RELEASED, "domain", "3_local"), 9.0);
    let overview = juror_session::overview(&session.study(&PAPER));
    assert_eq!(overview.incidents[0].counts_as, "scores 1, the lowest");
    // The authors' summary counts a judge file whether its picture is there or not.
    let mut session = suite
        .file("m/3_local/006_gpt_judge.txt", &reply([7; 5]))
        .open();
    assert_near(total(&mut session, &RELEASED, "domain", "3_local"), 8.0);
    assert_near(total(&mut session, &PAPER, "domain", "3_local"), 5.0);
}

#[test]
fn files_about_unknown_sets_count_in_the_code_only() {
    let mut session = Suite::new()
        .outputs("m")
        .replies("m", "gpt", flat([4; 6]))
        .file("m/3_local/999_gpt_judge.txt", &reply([10; 5]))
        .open();
    assert_near(total(&mut session, &PAPER, "domain", "3_local"), 4.0);
    assert_near(total(&mut session, &RELEASED, "domain", "3_local"), 6.0);
    let overview = juror_session::overview(&session.study(&PAPER));
    let codes: Vec<&str> = overview
        .problems
        .iter()
        .map(|problem| &*problem.code)
        .collect();
    assert_eq!(codes, ["unknown_sample"]);
}

#[test]
fn each_difference_has_its_own_effect() {
    let mut session = Suite::new()
        .outputs("m")
        .replies("m", "gpt", [[3, 3, 9, 9, 9]; 6])
        .replies("m", "gemini", [[6, 6, 9, 9, 9]; 6])
        .without("m/4_local/001_generated.png")
        .open();
    let overview = juror_session::overview(&session.study(&PAPER));
    let effect = |id: &str| {
        let found = overview
            .differences
            .iter()
            .find(|difference| difference.id == id);
        let effect = &found.unwrap().effects[0];
        (effect.paper, effect.with_rule, effect.note.clone())
    };
    // GPT (9 + 9 + 27) / 9 = 5, Gemini (18 + 18 + 27) / 9 = 7; one of five types is missing and counts 1.
    let (paper, plain, _) = effect("weights");
    assert_near(paper, (4.0 * 6.0 + 1.0) / 5.0);
    // Plain: 33 / 5 = 6.6 and 39 / 5 = 7.8.
    assert_near(plain, (4.0 * 7.2 + 1.0) / 5.0);
    let (_, one, note) = effect("judges");
    assert_near(one, (4.0 * 7.0 + 1.0) / 5.0);
    assert_eq!(note, "gemini alone 5.800, gpt alone 4.200");
    // Left to the code, the judge files of the missing picture count.
    assert_near(effect("missing_output").1, 6.0);
    assert_near(effect("range_check").1, 5.0);
    assert_eq!(effect("macro").2, "the mean over sets would be 5.167");
    assert_eq!(effect("reference_0").1, None);
}

#[test]
fn sample_rows_hold_every_criterion_and_the_total() {
    let mut session = Suite::new()
        .outputs("m")
        .replies("m", "gpt", [[7, 5, 5, 6, 6]; 6])
        .open();
    let report = juror_session::report(&session.study(&PAPER));
    let rows: Vec<_> = report.samples[..6]
        .iter()
        .map(|row| (&*row.sample, &*row.criterion, row.score.unwrap()))
        .collect();
    assert_eq!(rows[0], ("single/001", "instruction_alignment", 7.0));
    assert_eq!((rows[5].0, rows[5].1), ("single/001", "total"));
    assert_near(Some(rows[5].2), 53.0 / 9.0);
    assert_eq!(report.samples.len(), 36);
    assert_eq!(report.provenance.protocol, "multibanana");
}

#[test]
fn equal_scores_in_every_set_hide_no_wrong_mean() {
    // A mean over sets where one over types belongs would give 16 / 3 here, so the test above can fail.
    let mut session = Suite::new()
        .outputs("m")
        .replies("m", "gpt", flat([9, 2, 4, 6, 7, 3]))
        .open();
    let found = total(&mut session, &PAPER, "structure", "local").unwrap();
    assert!((found - 16.0 / 3.0).abs() > 0.5);
}

#[test]
fn every_row_says_of_which_tasks_and_judges_it_is_the_mean() {
    let gpt = [[7, 5, 5, 6, 6], [1, 2, 3, 4, 5], [10, 9, 8, 7, 6]];
    let mut session = Suite::new()
        .outputs("m")
        .replies("m", "gpt", [gpt[0], gpt[1], gpt[2], gpt[0], gpt[1], gpt[2]])
        .replies("m", "gemini", [[9, 4, 6, 7, 8]; 6])
        .open();
    assert!(crate::origin::check(&mut session) > 0);
}

#[test]
fn sets_are_grouped_by_where_their_references_come_from() {
    let origins: Vec<String> = SETS
        .iter()
        .flat_map(|(task, number, count)| (0..*count).map(move |at| (task, number, at)))
        .map(|(task, number, at)| {
            let origin = match (*task, at) {
                ("single", _) => "gpt-image-1",
                ("add", 0) => "Nano Banana",
                ("add", _) => "GPT-Image-1",
                ("3_local", 1) => "real",
                _ => "nano-banana",
            };
            format!("{task}/{number}_{at}.png,{origin}\n")
        })
        .collect();
    let scores = [[9; 5], [7; 5], [5; 5], [3; 5], [1; 5], [10; 5]];
    let mut session = Suite::new()
        .file(
            "data/from_where.csv",
            &format!("image,source\n{}", origins.concat()),
        )
        .outputs("m")
        .replies("m", "gpt", scores)
        .open();
    let overview = juror_session::overview(&session.study(&PAPER));
    assert_eq!(overview.problems, []);
    let info = overview.scopes.iter().find(|info| info.scope == "origin");
    assert_eq!(
        info.unwrap().keys,
        ["GPT-Image-1 only", "Nano Banana only", "both", "with real"]
    );
    let mut of = |key: &str| {
        let row = row(&mut session, &PAPER, ("m", "gpt", "origin", key, "total"));
        (row.mean.unwrap(), row.n, row.expected)
    };
    assert_eq!(of("GPT-Image-1 only"), (9.0, 1, 1));
    assert_eq!(of("both"), (7.0, 1, 1));
    assert_eq!(of("with real"), (2.0, 2, 2));
    assert_eq!(of("Nano Banana only"), (7.5, 2, 2));
    let query = GroupMeansQuery {
        scope: "origin".to_owned(),
        ..GroupMeansQuery::default()
    };
    let means = juror_session::group_means(&session.study(&query.options), &query).unwrap();
    assert_eq!(means.level, Level::P99, "as the paper has it");
    let groups = &means.models[0].groups;
    let found: Vec<_> = groups.iter().map(|group| (group.mean, group.n)).collect();
    assert_eq!(
        found,
        [
            (Some(9.0), 1),
            (Some(7.5), 2),
            (Some(7.0), 1),
            (Some(2.0), 2)
        ]
    );
    assert_eq!(means.models[0].is_alike, None, "each has fewer than five");
    let by_task = GroupMeansQuery {
        scope: "domain".to_owned(),
        ..query.clone()
    };
    let by_task = juror_session::group_means(&session.study(&by_task.options), &by_task).unwrap();
    assert_eq!(by_task.level, Level::P95);
    let unknown = GroupMeansQuery {
        scope: "colour".to_owned(),
        ..query
    };
    let error = juror_session::group_means(&session.study(&unknown.options), &unknown).unwrap_err();
    assert_eq!(error.code(), "unknown_group");
}

#[test]
fn a_file_of_origins_that_says_nothing_is_named_with_the_mend() {
    let mut session = Suite::new().file("data/from_where.csv", "a,b\n").open();
    let problems = juror_session::overview(&session.study(&PAPER)).problems;
    assert_eq!(problems.len(), 1, "{problems:?}");
    let problem = &problems[0];
    assert_eq!(
        (&*problem.code, &*problem.path),
        ("bad_origins", "data/from_where.csv")
    );
    assert!(problem.message.contains("names the reference pictures"));
}
