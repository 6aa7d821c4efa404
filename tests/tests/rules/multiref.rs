//! MultiRef-Bench's layouts, requests and scoring rules by hand arithmetic, on benchmarks small enough to check with a pencil.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use juror_judging::journal;
use juror_model::options::{Policy, Profile, ScoreOptions};
use juror_model::request::{PartView, RequestKey};
use juror_model::row::ScoreRow;
use juror_session::Session;
use juror_session::view::SampleQuery;
use juror_tests::generate::{File, open};
use juror_tests::program::demo_suite;
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

/// A synthetic entry of the golden answer `original/<name>.jpg`.
fn synthetic(name: &str, conditions: &[&str]) -> Value {
    let mut mapping = json!({});
    let mut known = json!({"caption": "A cat."});
    for id in conditions {
        let path = format!("images/{name}_{id}.png");
        match *id {
            "caption" => {}
            "subject" => {
                mapping["subject_1"] = json!(path);
                known["subject_paths"] = json!([path]);
            }
            id => {
                mapping[format!("{id}_image")] = json!(path);
                known[format!("{id}_path")] = json!(path);
            }
        }
    }
    json!({
        "original_image_path": format!("original_images/{name}.jpg"),
        "conditions": known,
        "instructions": {
            "conditions": conditions,
            "image_path_mapping": mapping,
            "original_prompts": "plain",
            "enhance_prompts": [format!("A picture after <depth_image> for {name}")],
        },
    })
}

fn entries() -> Vec<Value> {
    vec![
        synthetic("a", &["depth", "caption"]),
        synthetic("b", &["mask", "caption"]),
        synthetic("c", &["depth", "subject"]),
    ]
}

fn real(row: u32, category: &str) -> Value {
    json!({
        "row_id": row,
        "prompt": "Put <image2> on <image1>.",
        "image_path_mapping": {"image1": format!("compressed_images/{row}_1.jpg"), "image2": format!("compressed_images/{row}_2.jpg")},
        "taxonomy": category,
    })
}

/// An entry with a model's picture and what the evaluator wrote about it.
fn result(entry: &Value, model: &str, evaluations: Value) -> Value {
    let mut entry = entry.clone();
    let original = entry["original_image_path"].as_str().unwrap();
    let name = original.rsplit('/').next().unwrap().replace(".jpg", ".png");
    entry["results"] =
        json!({"image_path": format!("/home/them/out/{model}/{name}"), "model_name": model});
    entry["evaluations"] = evaluations;
    entry
}

/// depth 0.2 and 0.4, caption 20 and 30, mask 0.5, subject 0.8.
fn ace() -> Vec<Value> {
    let of = [
        json!({"fid": 0.1, "aesthetics": 5.0, "depth": 0.2, "caption": 20.0}),
        json!({"fid": 0.2, "aesthetics": 6.0, "mask": 0.5, "caption": 30.0}),
        json!({"fid": 0.3, "aesthetics": 7.0, "depth": 0.4, "subject": 0.8}),
    ];
    entries()
        .iter()
        .zip(of)
        .map(|(entry, evaluations)| result(entry, "ACE", evaluations))
        .collect()
}

/// The synthetic half, with a model's outputs and the evaluator's results.
pub(super) fn files() -> Vec<File> {
    let suite = Suite::new().outputs("ACE", &["a", "b", "c"]);
    suite.json("out/ACE.json", ace()).files
}

#[derive(Clone, Default)]
struct Suite {
    files: Vec<File>,
}

impl Suite {
    fn new() -> Self {
        Self::default()
            .json("B/benchmark990v3.json", entries())
            .pictures()
    }

    fn with_real_world(self) -> Self {
        let requests = vec![
            real(1, "Element Addition"),
            real(2, "Element Addition"),
            real(3, "Element Replacement"),
        ];
        let mut suite = self.json("B/final_1000_prompts_taxonomy.json", requests);
        for row in 1..=3 {
            for number in 1..=2 {
                suite = suite.file(&format!("B/compressed_images/{row}_{number}.jpg"), "input");
            }
        }
        suite
    }

    fn pictures(mut self) -> Self {
        for (name, conditions) in [
            ("a", ["depth", ""]),
            ("b", ["mask", ""]),
            ("c", ["depth", "subject"]),
        ] {
            self = self.file(&format!("B/original_images/{name}.jpg"), "golden");
            for id in conditions.iter().filter(|id| !id.is_empty()) {
                self = self.file(&format!("B/images/{name}_{id}.png"), "reference");
            }
        }
        self
    }

    fn outputs(mut self, model: &str, names: &[&str]) -> Self {
        for name in names {
            self = self.file(&format!("out/{model}/{name}.png"), "output");
        }
        self
    }

    fn json(self, path: &str, entries: Vec<Value>) -> Self {
        let text = serde_json::to_string_pretty(&Value::Array(entries)).unwrap();
        self.file(path, &text)
    }

    fn file(mut self, path: &str, content: &str) -> Self {
        self.files
            .push((path.to_owned(), content.as_bytes().to_vec()));
        self
    }

    fn judged(self, ratings: &[(&str, [u32; 3])]) -> Self {
        let records: Vec<journal::Record> = ratings
            .iter()
            .map(|(sample, [iq, follows, sf])| journal::Record {
                format: journal::FORMAT.to_owned(),
                protocol: "multiref".to_owned(),
                model: "ACE".to_owned(),
                sample: (*sample).to_owned(),
                turn: 0,
                criterion: "judge".to_owned(),
                judge: "gpt-4o-mini".to_owned(),
                run: 1,
                time: String::new(),
                request: None,
                prompts: String::new(),
                reply: format!(
                    "{{\"IQ\": {iq}, \"IF\": {follows}, \"SF\": {sf}, \"reason\": \"r\"}}"
                ),
                error: None,
                ..journal::Record::default()
            })
            .collect();
        self.file("J/journal.jsonl", &journal::write(&records))
    }

    fn open(&self) -> Session {
        open(&self.files)
    }
}

fn row(session: &mut Session, options: &ScoreOptions, name: (&str, &str, &str, &str)) -> ScoreRow {
    let (judge, scope, key, criterion) = name;
    let rows = juror_session::score_rows(&session.study(options));
    let found = rows.iter().find(|row| {
        (
            &*row.model,
            &*row.judge,
            &*row.scope,
            &*row.key,
            &*row.criterion,
        ) == ("ACE", judge, scope, key, criterion)
    });
    found.unwrap_or_else(|| panic!("no row {name:?}")).clone()
}

fn metric(session: &mut Session, options: &ScoreOptions, criterion: &str) -> ScoreRow {
    row(session, options, ("evaluator", "overall", "all", criterion))
}

fn assert_near(found: Option<f64>, wanted: f64) {
    let found = found.expect("a number");
    assert!((found - wanted).abs() < 1e-9, "{found} is not {wanted}");
}

#[test]
fn both_halves_load_with_their_groups() {
    let mut session = Suite::new().with_real_world().open();
    let list = juror_session::samples(
        &session.study(&ScoreOptions::default()),
        &SampleQuery::default(),
    );
    let found: Vec<_> = list
        .rows
        .iter()
        .map(|row| (&*row.id, &*row.category, &*row.domain))
        .collect();
    assert_eq!(
        found,
        [
            ("synthetic/a", "synthetic", "depth+caption"),
            ("synthetic/b", "synthetic", "mask+caption"),
            ("synthetic/c", "synthetic", "depth+subject"),
            ("real-world/1", "real-world", "Element Addition"),
            ("real-world/2", "real-world", "Element Addition"),
            ("real-world/3", "real-world", "Element Replacement"),
        ]
    );
    let view = juror_session::sample(&session.study(&PAPER), "synthetic/c").unwrap();
    let pictures: Vec<_> = view
        .pictures
        .iter()
        .map(|picture| (&*picture.label, &*picture.path, picture.produced_by))
        .collect();
    assert_eq!(
        pictures,
        [
            ("<depth_image>", "B/images/c_depth.png", None),
            ("<subject_1>", "B/images/c_subject.png", None),
            ("Golden answer", "B/original_images/c.jpg", Some(0)),
        ]
    );
    assert_eq!(
        view.details[0],
        ("Plain wording".to_owned(), "plain".to_owned())
    );
    let overview = juror_session::overview(&session.study(&PAPER));
    assert_eq!(overview.problems, []);
    assert_eq!(
        overview.num_unknown_files, 0,
        "{:?}",
        overview.unknown_files
    );
    assert_eq!(overview.benchmark.unwrap().title, "MultiRef-Bench");
}

#[test]
fn one_list_of_both_halves_is_the_same_benchmark() {
    let mut all = entries();
    all.push(real(7, "3"));
    let mut session = Suite::default().json("combined1990.json", all).open();
    let list = juror_session::samples(
        &session.study(&ScoreOptions::default()),
        &SampleQuery::default(),
    );
    assert_eq!(list.rows.len(), 4);
    assert_eq!(list.rows[3].domain, "Style and Appearance Modifications");
}

#[test]
fn what_is_wrong_with_an_entry_is_told_and_the_rest_loads() {
    let mut all = entries();
    all[1]["instructions"] = json!([]);
    all[2]["instructions"]["conditions"] = json!(["depth", "hed"]);
    all.push(real(7, "something else"));
    let mut session = Suite::default()
        .json("combined1990.json", all)
        .pictures()
        .open();
    let overview = juror_session::overview(&session.study(&PAPER));
    let mut found: Vec<(&str, &str)> = overview
        .problems
        .iter()
        .map(|problem| (&*problem.code, &*problem.place))
        .collect();
    found.dedup();
    assert_eq!(
        found,
        [
            ("bad_item", "entry 2, instructions"),
            ("missing_picture", "real-world/7, <image1>"),
            ("missing_picture", "real-world/7, <image2>"),
            ("unknown_condition", "synthetic/c"),
            ("no_category", "real-world/7"),
        ]
    );
    assert_eq!(overview.benchmark.unwrap().unreadable_samples, 1);
}

#[test]
fn a_known_list_that_is_no_json_is_told_where_it_breaks() {
    let mut session = Suite::default()
        .file("B/combined1990.json", "[\n  {oops")
        .open();
    let problems = juror_session::overview(&session.study(&PAPER)).problems;
    let found: Vec<_> = problems
        .iter()
        .map(|problem| (&*problem.code, &*problem.path, &*problem.place))
        .collect();
    assert_eq!(
        found,
        [("bad_json", "B/combined1990.json", "line 2, column 4")]
    );
    // Beside a list that can be read, the broken one is told as well.
    let mut session = Suite::new().file("B/final_1000_prompts.json", "[1]").open();
    let problems = juror_session::overview(&session.study(&PAPER)).problems;
    assert_eq!(problems[0].code, "not_a_list");
    assert_eq!(
        juror_session::overview(&session.study(&PAPER))
            .benchmark
            .unwrap()
            .samples,
        3
    );
}

#[test]
fn result_lists_make_models_with_their_pictures() {
    let mut session = Suite::new()
        .json("R/ace_eval.json", ace())
        .json(
            "R/omni.json",
            vec![result(
                &entries()[0],
                "OmniGen",
                json!({"depth": 0.9, "caption": 10.0}),
            )],
        )
        .outputs("ACE", &["a", "b", "c"])
        .outputs("OmniGen", &["a", "b"])
        .file("code/config.json", "{}")
        .open();
    let overview = juror_session::overview(&session.study(&PAPER));
    let models: Vec<_> = overview
        .models
        .iter()
        .map(|model| (&*model.name, model.pictures, model.scored, model.expected))
        .collect();
    // Each sample has two conditions, the two metrics without reference, and a judge's rating still to come.
    assert_eq!(models, [("ACE", 3, 12, 15), ("OmniGen", 2, 2, 15)]);
    assert_eq!(overview.models[0].reply_files, ["R/ace_eval.json"]);
    assert_eq!(overview.unknown_files, ["code/config.json"]);
    let told: Vec<_> = (overview.problems.iter())
        .map(|problem| (&*problem.code, &*problem.path))
        .collect();
    assert_eq!(told, [("partial_judge", "OmniGen")]);
}

#[test]
fn pictures_beside_the_lists_of_several_models_own_none_of_them() {
    let list = |model: &str| {
        let values = json!({"depth": 0.9, "caption": 10.0});
        vec![result(&entries()[0], model, values)]
    };
    let lists = || {
        Suite::new()
            .json("out/ACE/list.json", list("ACE"))
            .json("out/OmniGen/list.json", list("OmniGen"))
    };
    let scored = |suite: Suite| -> Vec<(String, u32)> {
        let overview = juror_session::overview(&suite.open().study(&PAPER));
        let models = overview.models.into_iter();
        let listed = models.filter(|model| ["ACE", "OmniGen"].contains(&&*model.name));
        listed.map(|model| (model.name, model.scored)).collect()
    };
    let alone = scored(lists());
    assert_eq!(alone.len(), 2);
    assert_eq!(scored(lists().outputs("images", &["b", "c"])), alone);
}

#[test]
fn a_picture_of_another_model_is_not_taken_for_a_missing_one() {
    let mut session = Suite::new()
        .json("R/ace_eval.json", ace())
        .json(
            "R/omni.json",
            entries()
                .iter()
                .map(|entry| result(entry, "OmniGen", json!({})))
                .collect(),
        )
        .outputs("ACE", &["a", "b", "c"])
        .outputs("OmniGen", &["a"])
        .open();
    let overview = juror_session::overview(&session.study(&PAPER));
    let models: Vec<_> = overview
        .models
        .iter()
        .map(|model| (&*model.name, model.pictures))
        .collect();
    assert_eq!(models, [("ACE", 3), ("OmniGen", 1)]);
}

#[test]
fn a_half_that_a_model_took_no_part_in_is_not_held_against_it() {
    let mut session = Suite::new()
        .with_real_world()
        .json("R/ace.json", ace())
        .outputs("ACE", &["a", "b", "c"])
        .open();
    let overview = juror_session::overview(&session.study(&PAPER));
    assert_eq!(
        (&*overview.models[0].mode, overview.models[0].expected),
        ("synthetic", 15)
    );
    assert!(overview.scores.iter().all(|row| row.key != "real-world"));
    let mut session = Suite::new()
        .with_real_world()
        .json("R/ace.json", ace())
        .outputs("ACE", &["a", "b", "c", "1"])
        .open();
    let overview = juror_session::overview(&session.study(&PAPER));
    assert_eq!(
        (&*overview.models[0].mode, overview.models[0].expected),
        ("both", 18)
    );
    let replacement = row(
        &mut session,
        &PAPER,
        ("", "domain", "Element Replacement", "IQ"),
    );
    // Nobody has rated it yet, so its missing outputs are no scores either.
    assert_eq!((replacement.mean, replacement.n), (None, 0));
}

#[test]
fn a_result_list_alone_is_benchmark_and_model() {
    let mut session = Suite::default().json("ace_eval.json", ace()).open();
    let overview = juror_session::overview(&session.study(&PAPER));
    assert_eq!(overview.benchmark.unwrap().samples, 3);
    assert_eq!(
        (&*overview.models[0].name, overview.models[0].scored),
        ("ACE", 12)
    );
}

#[test]
fn folders_of_pictures_named_after_samples_are_models() {
    let mut session = Suite::new()
        .with_real_world()
        .outputs("plain", &["a", "b", "1"])
        .outputs("split/synthetic", &["a", "c"])
        .outputs("split/real-world", &["3"])
        .open();
    let overview = juror_session::overview(&session.study(&PAPER));
    let models: Vec<_> = overview
        .models
        .iter()
        .map(|model| (&*model.name, model.pictures, model.expected))
        .collect();
    assert_eq!(models, [("plain", 3, 6), ("split", 3, 6)]);
}

#[test]
fn a_request_names_each_input_and_hides_the_golden_answer() {
    let mut session = Suite::new()
        .json("R/ace_eval.json", ace())
        .outputs("ACE", &["a", "b", "c"])
        .open();
    let key = |criterion: &str| RequestKey {
        model: "ACE".to_owned(),
        sample: "synthetic/c".to_owned(),
        turn: 0,
        criterion: criterion.to_owned(),
    };
    let view = juror_session::request(&session.linked(), &key("judge")).unwrap();
    assert_eq!(view.error, None);
    let parts: Vec<&str> = view
        .parts
        .iter()
        .map(|part| match part {
            PartView::Text { text } => text.lines().last().unwrap(),
            PartView::Image { path, .. } => path.as_str(),
        })
        .collect();
    assert_eq!(
        parts,
        [
            "Input pictures:",
            "<depth_image>:",
            "B/images/c_depth.png",
            "<subject_1>:",
            "B/images/c_subject.png",
            "Generated picture:",
            "out/ACE/c.png",
        ]
    );
    let error = juror_session::request(&session.linked(), &key("depth"))
        .unwrap()
        .error
        .unwrap();
    assert!(error.contains("nothing to ask a judge"), "{error}");
}

#[test]
fn the_average_is_over_columns_with_errors_turned_over() {
    let mut session = Suite::new()
        .json("R/ace.json", ace())
        .outputs("ACE", &["a", "b", "c"])
        .open();
    let mut mean = |options, criterion: &str| metric(&mut session, options, criterion).mean;
    assert_near(mean(&PAPER, "depth"), 0.3);
    assert_near(mean(&PAPER, "mask"), 0.5);
    assert_near(mean(&PAPER, "subject"), 0.8);
    // 2.5 · 0.2 and 2.5 · 0.3; the code's own numbers are the hundredfold cosine.
    assert_near(mean(&PAPER, "caption"), 0.625);
    assert_near(mean(&RELEASED, "caption"), 0.25);
    assert_near(mean(&PAPER, "fid"), 0.2);
    assert_near(mean(&PAPER, "aesthetics"), 0.6);
    assert_near(mean(&PAPER, "total"), (0.7 + 0.5 + 0.8 + 0.625) / 4.0);
    assert_near(mean(&RELEASED, "total"), (0.7 + 0.5 + 0.8 + 0.25) / 4.0);
    let total = metric(&mut session, &PAPER, "total");
    assert_eq!((total.n, total.expected), (3, 3));
    let kind = row(
        &mut session,
        &PAPER,
        ("evaluator", "domain", "depth+caption", "depth"),
    );
    assert_near(kind.mean, 0.2);
}

#[test]
fn a_model_that_was_not_told_captions_has_no_caption_in_its_rows_or_its_average() {
    let means = |name: &str| {
        let renamed = json!(ace()).to_string().replace("ACE", name);
        let entries: Vec<Value> = serde_json::from_str(&renamed).unwrap();
        let suite = Suite::new().json("R/results.json", entries);
        let mut session = suite.outputs(name, &["a", "b", "c"]).open();
        let rows = juror_session::score_rows(&session.study(&PAPER));
        let of = |criterion: &str| {
            let own = rows
                .iter()
                .filter(|row| row.scope == "overall" && row.model == name);
            let mut own = own.filter(|row| row.criterion == criterion);
            own.find(|row| row.judge == "evaluator").cloned()
        };
        (of("caption"), of("total").unwrap())
    };
    let (caption, total) = means("ACE@caption=without");
    assert_eq!(caption, None);
    assert_near(total.mean, (0.7 + 0.5 + 0.8) / 3.0);
    // Every sample has another condition.
    assert_eq!((total.n, total.expected), (3, 3));
    // The sibling: on the other level, and of another factor, it counts.
    for told in ["ACE@caption=with", "ACE@order=switched"] {
        let (caption, total) = means(told);
        assert_near(caption.unwrap().mean, 0.625);
        assert_near(total.mean, (0.7 + 0.5 + 0.8 + 0.625) / 4.0);
    }
}

#[test]
fn the_real_world_half_is_a_macro_mean_of_categories() {
    let mut session = Suite::new()
        .with_real_world()
        .json("R/ace.json", ace())
        .judged(&[
            ("real-world/1", [4, 2, 1]),
            ("real-world/2", [2, 2, 1]),
            ("real-world/3", [5, 1, 3]),
            ("synthetic/a", [5, 5, 5]),
        ])
        .open();
    let of = |session: &mut Session, scope, key, criterion| {
        row(session, &PAPER, ("gpt-4o-mini", scope, key, criterion))
    };
    let addition = of(&mut session, "domain", "Element Addition", "IQ");
    assert_near(addition.mean, 0.6);
    assert_eq!(addition.n, 2);
    // (0.6 + 1) / 2, not (0.8 + 0.4 + 1) / 3.
    assert_near(of(&mut session, "category", "real-world", "IQ").mean, 0.8);
    assert_near(of(&mut session, "category", "real-world", "SF").mean, 0.4);
    let synthetic = of(&mut session, "category", "synthetic", "IF");
    assert_near(synthetic.mean, 1.0);
    assert_eq!((synthetic.n, synthetic.expected), (1, 3));
    // The paper gives no number over both halves.
    let rows = juror_session::score_rows(&session.study(&PAPER));
    let is_mixed = |row: &&ScoreRow| row.scope == "overall" && row.criterion == "IQ";
    assert_eq!(rows.iter().find(is_mixed), None);
    // The evaluator rates nothing and the judge measures nothing.
    let judges = &juror_session::overview(&session.study(&PAPER)).models[0].judges;
    assert_eq!(*judges, ["evaluator", "gpt-4o-mini"]);
    assert_near(metric(&mut session, &PAPER, "mask").mean, 0.5);
}

#[test]
fn failed_metrics_are_incidents_with_their_reason() {
    let mut results = ace();
    results[0]["evaluations"] =
        json!({"fid": 0.1, "aesthetics": 5.0, "depth_error": "boom", "caption": 250.0});
    results[1]["evaluations"] = json!({"error": "Generated image not found: b.png"});
    results[2]["evaluations"] = json!({"fid": 0.1, "aesthetics": 5.0, "depth": 0.4});
    let text = serde_json::to_string(&results)
        .unwrap()
        .replace("\"depth\":0.4", "\"depth\":NaN");
    let mut session = Suite::new().file("R/ace.json", &text).open();
    let report = juror_session::report(&session.study(&PAPER));
    let found: Vec<_> = report
        .incidents
        .iter()
        .map(|incident| (&*incident.sample, &*incident.criterion, &*incident.kind))
        .collect();
    assert_eq!(
        found,
        [
            ("synthetic/a", "depth", "failed_call"),
            ("synthetic/a", "caption", "out_of_range"),
            ("synthetic/b", "mask", "failed_call"),
            ("synthetic/b", "caption", "failed_call"),
            ("synthetic/b", "fid", "failed_call"),
            ("synthetic/b", "aesthetics", "failed_call"),
            ("synthetic/c", "depth", "failed_call"),
            ("synthetic/c", "subject", "missing_reply"),
            ("synthetic/a", "judge", "missing_reply"),
            ("synthetic/b", "judge", "missing_reply"),
            ("synthetic/c", "judge", "missing_reply"),
        ]
    );
    assert!(
        report.incidents[0].detail.contains("boom"),
        "{}",
        report.incidents[0].detail
    );
    let depth = metric(&mut session, &PAPER, "depth");
    assert_eq!((depth.mean, depth.n, depth.expected), (None, 0, 2));
    // A column without a number leaves the average without one.
    assert_eq!(metric(&mut session, &PAPER, "total").mean, None);
    assert_near(metric(&mut session, &RELEASED, "caption").mean, 2.5);
}

#[test]
fn a_result_list_behind_a_byte_order_mark_counts_in_paper_and_the_evaluator_cannot_read_it() {
    let text = serde_json::to_string(&Value::Array(ace())).unwrap();
    let opened = |mark: &str| {
        Suite::new()
            .file("R/ace.json", &format!("{mark}{text}"))
            .open()
    };
    let (mut plain, mut marked) = (opened(""), opened("\u{feff}"));
    for criterion in ["depth", "caption", "mask", "total"] {
        let read = metric(&mut plain, &PAPER, criterion);
        assert_eq!(metric(&mut marked, &PAPER, criterion), read);
        assert!(metric(&mut plain, &RELEASED, criterion).mean.is_some());
        assert_eq!(metric(&mut marked, &RELEASED, criterion).mean, None);
    }
    let told = |session: &mut Session| {
        let problems = juror_session::overview(&session.study(&RELEASED))
            .problems
            .into_iter();
        let cannot = problems.filter(|problem| problem.code == "released_cannot_read");
        cannot.map(|problem| problem.path).collect::<Vec<_>>()
    };
    assert_eq!(told(&mut marked), ["R/ace.json"]);
    assert_eq!(told(&mut plain), Vec::<String>::new());
}

#[test]
fn a_missing_output_counts_the_worst_score_unless_it_is_left_out() {
    let mut results = ace();
    results[2]["evaluations"] = json!({"error": "Generated image not found: c.png"});
    let mut session = Suite::new()
        .json("R/ace.json", results)
        .outputs("ACE", &["a", "b"])
        .open();
    // depth: 0.2 and the worst, 1; subject: 0.
    assert_near(metric(&mut session, &PAPER, "depth").mean, 0.6);
    assert_near(metric(&mut session, &PAPER, "subject").mean, 0.0);
    let excluded = ScoreOptions {
        policy: Some(Policy::Exclude),
        ..PAPER
    };
    let depth = metric(&mut session, &excluded, "depth");
    assert_near(depth.mean, 0.2);
    assert_eq!((depth.n, depth.expected), (1, 2));
    assert_near(metric(&mut session, &RELEASED, "depth").mean, 0.2);
    let fid = metric(&mut session, &PAPER, "fid");
    assert_eq!((fid.n, fid.expected, fid.worst), (2, 3, None));
}

#[test]
fn each_difference_has_its_own_effect() {
    let mut session = Suite::new()
        .json("R/ace.json", ace())
        .outputs("ACE", &["a", "b", "c"])
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
    assert_near(effect("caption").0, 2.625 / 4.0);
    assert_near(effect("caption").1, 2.25 / 4.0);
    assert_near(effect("missing_output").1, 2.625 / 4.0);
    // ((0.8 + 0.5) / 2 + (0.5 + 0.75) / 2 + (0.6 + 0.8) / 2) / 3
    assert_eq!(effect("fidelity").2, "the mean over samples would be 0.658");
    assert_eq!(effect("fid").1, None);
}

#[test]
fn sample_rows_hold_every_metric_on_its_own_scale() {
    let mut session = Suite::new().json("R/ace.json", ace()).open();
    let report = juror_session::report(&session.study(&PAPER));
    let rows: Vec<_> = report.samples[..4]
        .iter()
        .map(|row| (&*row.judge, &*row.criterion, row.score))
        .collect();
    assert_eq!(
        rows,
        [
            ("evaluator", "depth", Some(0.2)),
            ("evaluator", "caption", Some(0.5)),
            ("evaluator", "fid", Some(0.1)),
            ("evaluator", "aesthetics", Some(5.0)),
        ]
    );
    assert_eq!(report.samples.len(), 15);
    let list = juror_session::samples(
        &session.study(&ScoreOptions::default()),
        &SampleQuery::default(),
    );
    assert_near(list.rows[0].cells[0].score, 0.65);
}

#[test]
fn every_row_says_of_which_columns_and_categories_it_is_the_mean() {
    let mut session = Suite::new()
        .with_real_world()
        .json("R/ace.json", ace())
        .outputs("ACE", &["a", "b", "c"])
        .judged(&[
            ("real-world/1", [4, 2, 1]),
            ("real-world/2", [2, 2, 1]),
            ("real-world/3", [5, 1, 3]),
        ])
        .open();
    assert!(crate::origin::check(&mut session) > 0);
}

#[test]
fn a_sample_is_in_the_group_of_every_type_of_reference_that_it_has_and_counts_once_overall() {
    let mut session = Suite::new()
        .with_real_world()
        .json("R/ace.json", ace())
        .judged(&[
            ("real-world/1", [4, 2, 1]),
            ("real-world/3", [5, 1, 3]),
            ("synthetic/a", [2, 5, 5]),
        ])
        .open();
    let mut of = |judge, scope, key, criterion| {
        let row = row(&mut session, &PAPER, (judge, scope, key, criterion));
        (row.mean.unwrap(), row.n, row.expected)
    };
    // a has depth 0.2 and caption 0.5, c has depth 0.4 and subject 0.8.
    let (depth, n, expected) = of("evaluator", "condition", "depth", "depth");
    assert_near(Some(depth), 0.3);
    assert_eq!((n, expected), (2, 2));
    let (caption, n, _) = of("evaluator", "condition", "depth", "caption");
    assert_near(Some(caption), 0.5);
    assert_eq!(n, 1, "b has a caption and no depth");
    // The mean of this group's columns: 1 − 0.3, 0.5, 0.8; mask is none of them.
    let (average, n, expected) = of("evaluator", "condition", "depth", "total");
    assert_near(Some(average), (0.7 + 0.5 + 0.8) / 3.0);
    assert_eq!((n, expected), (2, 2));
    let (average, n, _) = of("evaluator", "condition", "caption", "total");
    assert_near(Some(average), (0.8 + 0.625 + 0.5) / 3.0);
    assert_eq!(n, 2);
    // Two conditions, the caption among them, or two input pictures; plain means over all of these samples.
    let (quality, n, expected) = of("gpt-4o-mini", "references", "2", "IQ");
    assert_near(Some(quality), (0.8 + 1.0 + 0.4) / 3.0);
    assert_eq!((n, expected), (3, 6));
    let (_, n, _) = of("evaluator", "references", "2", "total");
    assert_eq!(n, 3, "a sample of two types counts once");
    let (_, n, _) = of("evaluator", "overall", "all", "total");
    assert_eq!(n, 3);
    let scopes = juror_session::overview(&session.study(&PAPER)).scopes;
    let keys = |scope: &str| {
        let info = scopes.iter().find(|info| info.scope == scope).unwrap();
        info.keys.clone()
    };
    assert_eq!(keys("condition"), ["mask", "depth", "caption", "subject"]);
    assert_eq!(keys("references"), ["2"]);
    let filter = juror_session::group_filter(&session.study(&PAPER), "condition", "depth");
    assert_eq!(filter.as_deref(), Some("condition:depth"));
}

#[test]
fn an_entry_that_is_wrong_in_a_list_and_in_three_results_counts_and_is_listed_once() {
    let with_bad = |mut entries: Vec<Value>| {
        entries.push(json!({"original_image_path": "original_images/d.jpg", "instructions": 7}));
        Value::Array(entries).to_string().into_bytes()
    };
    let of = |files: &[&str]| {
        let mut all: Vec<File> = vec![("M/list.json".to_owned(), with_bad(entries()))];
        all.extend(
            files
                .iter()
                .map(|path| ((*path).to_owned(), with_bad(ace()))),
        );
        let mut session = open(&all);
        let problems = juror_session::problems(&session.linked());
        let listed = problems.iter().filter(|problem| problem.code == "bad_item");
        let overview = juror_session::overview(&session.study(&PAPER));
        (
            listed.count(),
            overview.benchmark.unwrap().unreadable_samples,
        )
    };
    assert_eq!(of(&[]), (1, 1));
    assert_eq!(of(&["out/a.json", "out/b.json", "out/c.json"]), (1, 1));
    // Other lists of other samples have wrong entries of their own.
    let others: Vec<Value> = (0..4).map(|row| real(row, "other")).collect();
    let mut session = open(&[
        ("M/a.json".to_owned(), with_bad(entries())),
        ("M/b.json".to_owned(), with_bad(others)),
    ]);
    let overview = juror_session::overview(&session.study(&PAPER));
    assert_eq!(overview.benchmark.unwrap().unreadable_samples, 2);
}

#[test]
fn a_table_of_the_only_half_that_was_scored_is_that_of_the_whole_and_says_so() {
    let files = demo_suite("multiref");
    let tables = juror_session::tables(&open(&files).study(&PAPER)).to_markdown();
    let has = |heading: &str| tables.lines().any(|line| line == heading);
    assert!(has("## Overall: synthetic, judge evaluator"), "{tables}");
    assert!(!tables.contains("by Subset, judge evaluator"), "{tables}");
    // A judge of both halves, over which there is no mean, has a column for each.
    assert!(has("## Scores, judge demo-judge"), "{tables}");
    let columns = "| model | IQ, synthetic | IQ, real-world |";
    assert!(tables.contains(columns), "{tables}");
}
