//! VIBE's rules by hand arithmetic, on a benchmark in the authors' layout that is small enough to check with a pencil.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use juror_judging::journal;
use juror_model::options::{Policy, Profile, ScoreOptions};
use juror_model::request::{PartView, RequestKey, Treatment};
use juror_model::row::ScoreRow;
use juror_session::Session;
use juror_session::view::{Overview, SampleQuery};
use juror_tests::generate::{File, open};
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

/// Items of every task: two of Removal (one real, one sketch), two of Draft Instantiation (animation and sketch), one of each other.
const ITEMS: [(&str, &str, u32); 12] = [
    ("Addition", "Level-1-Deictic/Addition/Addition.json", 1),
    ("Removal", "Level-1-Deictic/Removal/Removal.json", 2),
    (
        "Replacement",
        "Level-1-Deictic/Replacement/Replacement.json",
        1,
    ),
    (
        "Translation",
        "Level-1-Deictic/Translation/Translation.json",
        1,
    ),
    ("2-Tasks", "Level-1-Deictic/Multi-Tasks/2-Tasks.json", 1),
    ("3-Tasks", "Level-1-Deictic/Multi-Tasks/3-Tasks.json", 1),
    (
        "Pose_Control",
        "Level-2-Morphological/Pose_Control/dataset.json",
        1,
    ),
    (
        "Reorientation",
        "Level-2-Morphological/Reorientation/Reorientation.json",
        1,
    ),
    (
        "Draft_Instantiation",
        "Level-2-Morphological/Draft_Instantiation/draft_instantiation.json",
        2,
    ),
    ("Flow_Simulation", "Level-3-Causal/Flow/flow.json", 1),
    (
        "Light_Control",
        "Level-3-Causal/Light_Control/light_control.json",
        1,
    ),
    ("Billiards", "Level-3-Causal/Billiards/Billiards.json", 1),
];

fn is_shared(task: &str) -> bool {
    [
        "Addition",
        "Removal",
        "Replacement",
        "Translation",
        "2-Tasks",
        "3-Tasks",
    ]
    .contains(&task)
}

/// Source path as a list names it.
fn source(task: &str, id: u32) -> String {
    let style = match (task, id) {
        ("Draft_Instantiation", 1) => "animation",
        ("Draft_Instantiation", _) | (_, 2) => "sketch",
        _ => "real-world",
    };
    if is_shared(task) {
        format!("Common_Corpus/{style}/{id}.png")
    } else if task == "Draft_Instantiation" {
        format!("sources/{style}/{id}.png")
    } else {
        format!("sources/{id}.png")
    }
}

/// The benchmark's files below `D`.
fn benchmark(tasks: &[&str]) -> Vec<File> {
    let mut files: Vec<File> = Vec::new();
    let mut add = |path: String, content: String| {
        if !files.iter().any(|(known, _)| *known == path) {
            files.push((path, content.into_bytes()));
        }
    };
    for (task, list, count) in ITEMS.iter().filter(|(task, _, _)| tasks.contains(task)) {
        let folder = list.rsplit_once('/').unwrap().0;
        let mut items = Vec::new();
        for id in 1..=*count {
            let source = source(task, id);
            let base = if is_shared(task) {
                "D".to_owned()
            } else {
                format!("D/Tasks/{folder}")
            };
            add(format!("{base}/{source}"), "x".to_owned());
            let mut paths = json!({"source": source, "visual_instruction": ""});
            if *task == "Billiards" {
                paths["target"] = json!(format!("targets/{id}.png"));
                add(format!("D/Tasks/{folder}/targets/{id}.png"), "x".to_owned());
            } else {
                paths["visual_instruction"] = json!(format!("{task}_layers/{id}.png"));
                add(
                    format!("D/Tasks/{folder}/{task}_layers/{id}.png"),
                    "x".to_owned(),
                );
            }
            items.push(json!({
                "id": format!("{id}"),
                "file_paths": paths,
                "text_prompt": {"input_prompt": format!("Do {task} {id}.")},
            }));
        }
        add(format!("D/Tasks/{list}"), Value::Array(items).to_string());
    }
    files
}

const ALL: [&str; 12] = [
    "Addition",
    "Removal",
    "Replacement",
    "Translation",
    "2-Tasks",
    "3-Tasks",
    "Pose_Control",
    "Reorientation",
    "Draft_Instantiation",
    "Flow_Simulation",
    "Light_Control",
    "Billiards",
];

/// A model's result file of a run: items of id and stored objects.
fn results(model: &str, task: &str, run: u32, items: &[Value]) -> File {
    let list = ITEMS.iter().find(|(name, _, _)| *name == task).unwrap().1;
    let level = list.split_once('/').unwrap().0;
    let path = format!("out/{model}/{level}/{task}/{task}_results_{run}.json");
    (path, Value::Array(items.to_vec()).to_string().into_bytes())
}

fn output(model: &str, task: &str, id: u32) -> File {
    let (path, _) = results(model, task, 1, &[]);
    let folder = path.rsplit_once('/').unwrap().0.to_owned();
    (format!("{folder}/imgs/{id}.png"), b"x".to_vec())
}

/// An item with its metrics.
fn item(id: u32, metrics: &[(&str, Value)]) -> Value {
    let mut item = json!({
        "id": id.to_string(),
        "input_prompt": "p",
        "saved_image_path": format!("imgs/{id}.png"),
        "status": "success",
    });
    for (name, value) in metrics {
        item[*name] = value.clone();
    }
    item
}

fn subs(pairs: &[(&str, f64)], score: f64) -> Value {
    let mut object = json!({});
    for (key, value) in pairs {
        object[*key] = json!({"reason": "r", "score": value});
    }
    object["score"] = json!(score);
    object
}

fn ia(values: [f64; 3], score: f64) -> (&'static str, Value) {
    let keys = [
        "Visual_Instruction_Localization_Correctness",
        "Visual_Operator_Type_Compliance",
        "Textual_Action_Semantic_Compliance",
    ];
    let pairs: Vec<(&str, f64)> = keys.into_iter().zip(values).collect();
    ("Instruction_Adherence", subs(&pairs, score))
}

fn cp(value: f64) -> (&'static str, Value) {
    (
        "Contextual_Preservation",
        json!({"reason": "r", "score": value}),
    )
}

fn vc(values: [f64; 3], score: f64) -> (&'static str, Value) {
    let keys = [
        "Style_Consistency",
        "Visual_Seamlessness",
        "Artifact-Free_Generation",
    ];
    let pairs: Vec<(&str, f64)> = keys.into_iter().zip(values).collect();
    ("Visual_Coherence", subs(&pairs, score))
}

fn skipped() -> (&'static str, Value) {
    let reason = "Skipped because Instruction_Adherence.score == 0";
    ("Visual_Coherence", json!({"reason": reason, "score": 0}))
}

fn perfect() -> Vec<(&'static str, Value)> {
    vec![ia([1.0; 3], 1.0), cp(1.0), vc([1.0; 3], 1.0)]
}

fn row<'a>(
    rows: &'a [ScoreRow],
    model: &str,
    scope: &str,
    key: &str,
    criterion: &str,
) -> &'a ScoreRow {
    rows.iter()
        .find(|row| {
            (row.model.as_str(), row.scope.as_str()) == (model, scope)
                && (row.key.as_str(), row.criterion.as_str()) == (key, criterion)
        })
        .unwrap_or_else(|| panic!("no row {model} {scope} {key} {criterion}"))
}

fn total(rows: &[ScoreRow], model: &str, scope: &str, key: &str) -> Option<f64> {
    row(rows, model, scope, key, "total").mean
}

fn near(found: Option<f64>, wanted: f64) {
    let found = found.unwrap_or(f64::NAN);
    assert!((found - wanted).abs() < 1e-9, "{found} is not {wanted}");
}

fn overview(files: &[File], options: &ScoreOptions) -> Overview {
    juror_session::overview(&session(files).study(options))
}

fn session(files: &[File]) -> Session {
    open(files)
}

/// Reorientation and the causal tasks, one item each.
fn turned_and_caused(model: &str) -> Vec<File> {
    let mut files = Vec::new();
    let axis = |needs: bool, score: u32| json!({"needs_modification": needs, "reason": "r", "score": score});
    let oa =
        json!({"Yaw": axis(true, 1), "Pitch": axis(false, 1), "Roll": axis(true, 0), "score": 0.5});
    let kept = subs(
        &[("Identity_Consistency", 1.0), ("Visual_Integrity", 0.5)],
        0.75,
    );
    files.push(results(
        model,
        "Reorientation",
        1,
        &[item(
            1,
            &[
                ("Orientation_Alignment", oa),
                ("Reorientation_Contextual_Preservation", kept),
            ],
        )],
    ));
    let light = subs(
        &[
            ("Direction_Matching_Consistency", 0.0),
            ("Physical_Lighting_Consistency", 1.0),
        ],
        0.5,
    );
    files.push(results(
        model,
        "Light_Control",
        1,
        &[item(1, &[("Light_Direction_Consistency", light), cp(1.0)])],
    ));
    let wind = json!({"reason": "r", "score": 0.5});
    let kept = subs(
        &[
            ("Wind-Identity_Preservation", 1.0),
            ("Wind-Other_Preservation", 0.0),
        ],
        0.5,
    );
    files.push(results(
        model,
        "Flow_Simulation",
        1,
        &[item(
            1,
            &[
                ("Wind_Direction_Consistency", wind),
                ("Wind_Contextual_Preservation", kept),
            ],
        )],
    ));
    let shot = subs(
        &[
            ("Context_Preservation", 1.0),
            ("Path_Correctness", 0.0),
            ("Collision_Correctness", 1.0),
        ],
        0.5,
    );
    files.push(results(
        model,
        "Billiards",
        1,
        &[item(1, &[("Billiards", shot)])],
    ));
    files
}

/// One posed item.
fn posed(model: &str) -> File {
    let limbs = json!({"Left_Arm": "MATCH", "Right_Arm": "MISMATCH", "Left_Leg": "N/A", "Right_Leg": "MATCH", "score": 0.6667});
    let kept = subs(
        &[
            ("Body Instance Integrity", 1.0),
            ("Character Identity Consistency", 1.0),
            ("Context Preservation", 0.0),
        ],
        0.6667,
    );
    results(
        model,
        "Pose_Control",
        1,
        &[item(
            1,
            &[("Pose_Consistency", limbs), ("BII_CIC_CP", kept)],
        )],
    )
}

/// One item of every task judged, three runs of Removal; two models, the second without poses and with one missing output.
pub(super) fn suite() -> Vec<File> {
    let mut files = benchmark(&ALL);
    for model in ["a", "b"] {
        for (task, _, count) in ITEMS {
            for id in 1..=count {
                let is_missing =
                    model == "b" && (task == "Pose_Control" || (task, id) == ("Removal", 2));
                if !is_missing {
                    files.push(output(model, task, id));
                }
            }
        }
        for task in ["Addition", "Replacement", "Translation", "3-Tasks"] {
            files.push(results(model, task, 1, &[item(1, &perfect())]));
        }
        // IA 5/6 does not exist among thirds of met criteria: (1, 1, 0) is 2/3; VC (1, 0, 0) is 1/3; item (2/9)^(1/3).
        let part = [
            ia([1.0, 1.0, 0.0], 0.6667),
            cp(1.0),
            vc([1.0, 0.0, 0.0], 0.3333),
        ];
        files.push(results(model, "2-Tasks", 1, &[item(1, &part)]));
        files.push(results(
            model,
            "Draft_Instantiation",
            1,
            &[
                item(1, &perfect()),
                item(
                    2,
                    &[
                        ia([1.0, 0.5, 1.0], 0.8333),
                        cp(1.0),
                        vc([1.0, 1.0, 0.0], 0.6667),
                    ],
                ),
            ],
        ));
        files.extend(turned_and_caused(model));
    }
    files.push(posed("a"));
    // Removal of a: item 1 is perfect in every run, item 2 fails, is perfect, and is half done.
    let half = [ia([1.0, 0.0, 0.0], 0.3333), cp(1.0), vc([1.0; 3], 1.0)];
    let failed = [ia([0.0; 3], 0.0), cp(1.0), skipped()];
    for (run, second) in (1..).zip([failed.to_vec(), perfect(), half.to_vec()]) {
        files.push(results(
            "a",
            "Removal",
            run,
            &[item(1, &perfect()), item(2, &second)],
        ));
    }
    files.push(results("b", "Removal", 1, &[item(1, &perfect())]));
    files
}

#[test]
fn a_folder_in_the_authors_layout_loads_whole() {
    let files = suite();
    let overview = overview(&files, &PAPER);
    let info = overview.benchmark.unwrap();
    assert_eq!(
        (info.protocol.as_str(), info.samples, info.missing_pictures),
        ("vibe", 14, 0)
    );
    let names: Vec<&str> = overview
        .models
        .iter()
        .map(|model| model.name.as_str())
        .collect();
    assert_eq!(names, ["a", "b"]);
    assert_eq!(overview.problems, [], "nothing is amiss");
    assert_eq!(overview.unknown_files, Vec::<String>::new());
    let keys = |scope: &str| -> Vec<String> {
        let found = overview.scopes.iter().find(|info| info.scope == scope);
        found.map(|info| info.keys.clone()).unwrap_or_default()
    };
    assert_eq!(keys("level"), ["Deictic", "Morphological", "Causal"]);
    assert_eq!(keys("combined"), ["single", "double", "triple"]);
    assert_eq!(keys("task").len(), 12);
    assert!(keys("style").contains(&"Draft_Instantiation/animation".to_owned()));
    assert!(keys("run").contains(&"Removal/3".to_owned()));
}

#[test]
fn the_other_naming_scheme_and_a_part_of_the_data_load_too() {
    let rename = |files: Vec<File>| -> Vec<File> {
        let renamed = files.into_iter().map(|(path, bytes)| {
            let path = path
                .replace("Level-1-Deictic", "Dimension-I")
                .replace("Level-2-Morphological", "Dimension-II")
                .replace("Level-3-Causal", "Dimension-III");
            (path, bytes)
        });
        renamed.collect()
    };
    let all = overview(&rename(suite()), &PAPER);
    assert_eq!(
        (all.benchmark.unwrap().samples, all.problems.len()),
        (14, 0)
    );
    assert_eq!(all.models.len(), 2);
    // The Flow folder alone, as somebody drops it.
    let flow: Vec<File> = benchmark(&["Flow_Simulation"])
        .into_iter()
        .map(|(path, bytes)| (path.replace("D/Tasks/Level-3-Causal/", ""), bytes))
        .collect();
    let alone = overview(&flow, &PAPER);
    let info = alone.benchmark.unwrap();
    assert_eq!((info.samples, info.missing_pictures), (1, 0));
}

/// Removal of a, paper: item 1 is 1 in all runs; item 2 is 0 (gated), 1, and (1/3)^(1/3) = 0.693361.
/// Runs: 50, 100, 84.668; mean 78.2227.
#[test]
fn a_task_is_the_mean_over_runs_with_the_deviation_over_runs() {
    let files = suite();
    let rows = overview(&files, &PAPER).scores;
    let third = (1.0_f64 / 3.0).cbrt();
    let runs = [50.0, 100.0, 50.0 + 50.0 * third];
    let mean = runs.iter().sum::<f64>() / 3.0;
    let variance = runs.iter().map(|run| (run - mean).powi(2)).sum::<f64>() / 2.0;
    let removal = row(&rows, "a", "task", "Removal", "total");
    near(removal.mean, mean);
    near(removal.sd, variance.sqrt());
    assert_eq!((removal.n, removal.expected), (6, 6));
    for (run, wanted) in ["1", "2", "3"].iter().zip(runs) {
        near(total(&rows, "a", "run", &format!("Removal/{run}")), wanted);
    }
    // Gated: VC counts 0 in the metric's mean, and no sub-score is recorded.
    near(
        row(&rows, "a", "run", "Removal/1", "Visual_Coherence").mean,
        50.0,
    );
    let style = row(
        &rows,
        "a",
        "run",
        "Removal/1",
        "Visual_Coherence/Style_Consistency",
    );
    assert_eq!((style.mean, style.n, style.expected), (Some(100.0), 1, 1));

    // The authors round: item 0.6934, runs 50, 100, 84.67; mean 78.22.
    let rows = overview(&files, &RELEASED).scores;
    let removal = row(&rows, "a", "task", "Removal", "total");
    assert_eq!(removal.mean, Some(78.22));
    near(total(&rows, "a", "run", "Removal/3"), 84.67);
    let mean = (50.0 + 100.0 + 84.67) / 3.0;
    let variance = [50.0, 100.0, 84.67_f64]
        .map(|run| (run - mean).powi(2))
        .iter()
        .sum::<f64>()
        / 2.0;
    near(removal.sd.map(|sd| sd * sd), (variance * 1e4).round() / 1e4);
}

#[test]
fn every_task_has_its_formula_in_both_profiles() {
    let files = suite();
    let paper = overview(&files, &PAPER).scores;
    let released = overview(&files, &RELEASED).scores;
    let task = |rows: &[ScoreRow], task: &str| total(rows, "a", "task", task);
    // (2/3 · 1 · 1/3)^(1/3)
    near(task(&paper, "2-Tasks"), 100.0 * (2.0_f64 / 9.0).cbrt());
    assert_eq!(task(&released, "2-Tasks"), Some(60.57));
    // Two of four limbs, two of three criteria: √(1/2 · 2/3); the code leaves the hidden limb out: √(0.6667²).
    near(task(&paper, "Pose_Control"), 100.0 * (1.0_f64 / 3.0).sqrt());
    assert_eq!(task(&released, "Pose_Control"), Some(66.67));
    // (2/3 · 1 · 1/2)^(1/3) against √(0.5 · 0.75).
    near(
        task(&paper, "Reorientation"),
        100.0 * (1.0_f64 / 3.0).cbrt(),
    );
    assert_eq!(task(&released, "Reorientation"), Some(61.24));
    // PLC does not count as DMC = 0; the code takes (0 + 1) / 2.
    near(task(&paper, "Light_Control"), 0.0);
    assert_eq!(task(&released, "Light_Control"), Some(70.71));
    // √(0.5 · 0.5)
    near(task(&paper, "Flow_Simulation"), 50.0);
    assert_eq!(task(&released, "Flow_Simulation"), Some(50.0));
    near(task(&paper, "Billiards"), 50.0);
    // Items 1 and (5/6 · 1 · 2/3)^(1/3) = 0.822071; the code's 0.8221.
    near(
        task(&paper, "Draft_Instantiation"),
        50.0 + 50.0 * (5.0_f64 / 9.0).cbrt(),
    );
    assert_eq!(task(&released, "Draft_Instantiation"), Some(91.11));
}

#[test]
fn levels_and_overall_are_unweighted_and_a_missing_task_takes_its_level_out() {
    let rows = overview(&suite(), &PAPER).scores;
    let task = |model: &str, task: &str| total(&rows, model, "task", task).unwrap();
    let mean = |model: &str, tasks: &[&str]| {
        tasks.iter().map(|name| task(model, name)).sum::<f64>() / tasks.len() as f64
    };
    let deictic = mean("a", &["Addition", "Removal", "Replacement", "Translation"]);
    let morphological = mean(
        "a",
        &["Pose_Control", "Reorientation", "Draft_Instantiation"],
    );
    let causal = mean("a", &["Light_Control", "Flow_Simulation", "Billiards"]);
    near(total(&rows, "a", "level", "Deictic"), deictic);
    near(total(&rows, "a", "level", "Morphological"), morphological);
    near(total(&rows, "a", "level", "Causal"), causal);
    near(
        total(&rows, "a", "overall", "all"),
        (deictic + morphological + causal) / 3.0,
    );
    near(total(&rows, "a", "combined", "single"), deictic);
    near(total(&rows, "a", "combined", "triple"), 100.0);
    // b was never tried on poses: no number for the level, and the overall score is that of the two others.
    assert_eq!(total(&rows, "b", "task", "Pose_Control"), None);
    assert_eq!(total(&rows, "b", "level", "Morphological"), None);
    let deictic = total(&rows, "b", "level", "Deictic").unwrap();
    near(
        total(&rows, "b", "overall", "all"),
        f64::midpoint(deictic, causal),
    );
    let overall = row(&rows, "b", "overall", "all", "total");
    assert!(overall.n < overall.expected, "the gap stays visible");
}

#[test]
fn styles_are_rows_of_their_task() {
    let rows = overview(&suite(), &PAPER).scores;
    let style = |key: &str| total(&rows, "a", "style", key);
    near(style("Draft_Instantiation/animation"), 100.0);
    near(
        style("Draft_Instantiation/sketch"),
        100.0 * (5.0_f64 / 9.0).cbrt(),
    );
    near(style("Removal/real-world"), 100.0);
}

/// b's second Removal is missing: 0 by default in the paper's profile, left out in the authors'.
#[test]
fn a_missing_output_counts_by_policy() {
    let files = suite();
    let removal = |options: &ScoreOptions| {
        let rows = overview(&files, options).scores;
        let row = row(&rows, "b", "task", "Removal", "total").clone();
        (row.mean, row.n, row.expected)
    };
    assert_eq!(removal(&PAPER), (Some(50.0), 2, 2));
    assert_eq!(removal(&RELEASED), (Some(100.0), 1, 2));
    let exclude = ScoreOptions {
        policy: Some(Policy::Exclude),
        ..PAPER
    };
    assert_eq!(removal(&exclude), (Some(100.0), 1, 2));
    let overview = overview(&files, &PAPER);
    let missing = overview
        .incidents
        .iter()
        .find(|group| group.kind == "missing_output")
        .unwrap();
    // Three metrics of Removal 2 and two of Pose Control.
    assert_eq!(missing.per_model, [0, 5]);
}

fn key(model: &str, sample: &str, criterion: &str) -> RequestKey {
    RequestKey {
        model: model.to_owned(),
        sample: sample.to_owned(),
        turn: 0,
        criterion: criterion.to_owned(),
    }
}

/// The pictures of a request as path, treatment and the other file's path.
fn pictures(session: &mut Session, key: &RequestKey) -> Vec<(String, Treatment, String)> {
    let request = juror_session::request(&session.linked(), key).unwrap();
    assert_eq!(request.error, None);
    assert!(
        matches!(request.parts[0], PartView::Text { .. }),
        "the text comes first"
    );
    let parts = request.parts.into_iter().skip(1);
    parts
        .map(|part| match part {
            PartView::Image {
                path,
                treatment,
                other,
                ..
            } => {
                let other = other.map_or("", |file| session.path(file));
                let name =
                    |path: &str| path.replace("Level-1-Deictic/", "").replace("D/Tasks/", "");
                (name(&path), treatment, name(other))
            }
            PartView::Text { text } => panic!("{text}"),
        })
        .collect()
}

#[test]
fn requests_show_the_pictures_in_the_protocols_order_and_treatment() {
    let mut session = session(&suite());
    let shown = pictures(
        &mut session,
        &key("a", "Removal/1", "Instruction_Adherence"),
    );
    let expected = [
        ("D/Common_Corpus/real-world/1.png", Treatment::RgbaPng, ""),
        (
            "D/Common_Corpus/real-world/1.png",
            Treatment::Merged,
            "Removal/Removal_layers/1.png",
        ),
        ("out/a/Removal/imgs/1.png", Treatment::RgbaPng, ""),
    ];
    let expected =
        expected.map(|(path, treatment, other)| (path.to_owned(), treatment, other.to_owned()));
    assert_eq!(shown, expected);
    let shown = pictures(
        &mut session,
        &key("a", "Removal/1", "Contextual_Preservation"),
    );
    assert_eq!(shown, expected[1..]);

    let shown = pictures(
        &mut session,
        &key("a", "Pose_Control/1", "Pose_Consistency"),
    );
    assert_eq!((shown.len(), shown[0].1.clone()), (2, Treatment::Stretched));
    assert!(shown[0].0.ends_with("Pose_Control_layers/1.png"));
    assert!(shown[0].2.ends_with("Pose_Control/sources/1.png"));
    let shown = pictures(&mut session, &key("a", "Pose_Control/1", "BII_CIC_CP"));
    assert_eq!((shown.len(), shown[0].1.clone()), (2, Treatment::RgbaPng));
    assert!(shown[0].0.ends_with("Pose_Control/sources/1.png"));

    let shown = pictures(&mut session, &key("a", "Billiards/1", "Billiards"));
    assert!(shown[0].0.ends_with("targets/1.png"), "{shown:?}");
    assert_eq!(shown.len(), 2);

    // A missing output: an empty picture of the source's size.
    let shown = pictures(&mut session, &key("b", "Removal/2", "Visual_Coherence"));
    assert_eq!(
        (shown[2].1.clone(), shown[2].2.as_str()),
        (Treatment::Blank, "D/Common_Corpus/sketch/2.png")
    );

    let request = juror_session::request(
        &session.linked(),
        &key("a", "Removal/1", "Pose_Consistency"),
    )
    .unwrap();
    assert!(
        request
            .error
            .unwrap()
            .contains("is judged on Instruction_Adherence")
    );
}

#[test]
fn the_words_of_the_request_stand_in_the_judge_text() {
    let mut session = session(&suite());
    let mut text = |sample: &str, metric: &str| match juror_session::request(
        &session.linked(),
        &key("a", sample, metric),
    )
    .unwrap()
    .parts
    .into_iter()
    .next()
    {
        Some(PartView::Text { text }) => text,
        other => panic!("{other:?}"),
    };
    let removal = text("Removal/1", "Visual_Coherence");
    assert!(removal.contains("Request in words: Do Removal 1."));
    assert!(removal.contains("residual visual instruction"));
    assert!(!text("Addition/1", "Visual_Coherence").contains("residual visual instruction"));
    assert!(text("2-Tasks/1", "Visual_Coherence").contains("residual visual instruction"));
    assert!(text("Draft_Instantiation/1", "Instruction_Adherence").contains("0.5"));
}

fn record(sample: &str, metric: &str, run: u32, reply: &str) -> String {
    journal::write(&[journal::Record {
        format: journal::FORMAT.to_owned(),
        protocol: "vibe".to_owned(),
        model: "c".to_owned(),
        sample: sample.to_owned(),
        turn: 0,
        criterion: metric.to_owned(),
        judge: "j".to_owned(),
        run,
        time: String::new(),
        request: None,
        prompts: String::new(),
        reply: reply.to_owned(),
        error: None,
        ..journal::Record::default()
    }])
}

fn reply(keys: &[&str], scores: &[&str]) -> String {
    let members: Vec<String> = keys
        .iter()
        .zip(scores)
        .map(|(key, score)| format!("\"{key}\": {{\"reason\": \"r\", \"score\": {score}}}"))
        .collect();
    format!("I looked.\n{{{}}}", members.join(", "))
}

const IA: [&str; 3] = [
    "Visual_Instruction_Localization_Correctness",
    "Visual_Operator_Type_Compliance",
    "Textual_Action_Semantic_Compliance",
];
const VC: [&str; 3] = [
    "Style_Consistency",
    "Visual_Seamlessness",
    "Artifact-Free_Generation",
];

/// A journal of replies: a failed edit is gated although coherence was asked, and each reader has its own faults.
#[test]
#[expect(
    clippy::too_many_lines,
    reason = "replies of every kind, one after another"
)]
fn raw_replies_are_read_by_both_readers_and_gated() {
    let mut files = benchmark(&["Removal", "Light_Control"]);
    let lines = [
        record(
            "Removal/1",
            "Instruction_Adherence",
            1,
            &reply(&IA, &["0", "0", "0"]),
        ),
        record(
            "Removal/1",
            "Contextual_Preservation",
            1,
            &reply(&["Contextual_Preservation"], &["1"]),
        ),
        record(
            "Removal/1",
            "Visual_Coherence",
            1,
            &reply(&VC, &["1", "1", "1"]),
        ),
        record(
            "Removal/2",
            "Instruction_Adherence",
            1,
            &reply(&IA, &["1", "1", "1"]),
        ),
        record(
            "Removal/2",
            "Contextual_Preservation",
            1,
            &reply(&["Contextual_Preservation"], &["0.5"]),
        ),
        record(
            "Removal/2",
            "Visual_Coherence",
            1,
            &reply(&VC, &["1", "\"1\"", "1"]),
        ),
        record(
            "Light_Control/1",
            "Light_Direction_Consistency",
            1,
            &reply(
                &[
                    "Direction_Matching_Consistency",
                    "Physical_Lighting_Consistency",
                ],
                &["0.5", "0"],
            ),
        ),
        record(
            "Light_Control/1",
            "Contextual_Preservation",
            1,
            &reply(&["Contextual_Preservation"], &["1"]),
        ),
    ];
    files.push(("journal.jsonl".to_owned(), lines.concat().into_bytes()));
    let paper = overview(&files, &PAPER);
    let released = overview(&files, &RELEASED);
    // Item 1 is 0, VC included; item 2 has a half CP (refused) and a text (refused) in the paper's reading.
    let rows = &paper.scores;
    assert_eq!(
        (
            row(rows, "c", "task", "Removal", "total").mean,
            row(rows, "c", "task", "Removal", "total").n
        ),
        (Some(0.0), 1)
    );
    near(
        row(rows, "c", "task", "Removal", "Visual_Coherence").mean,
        0.0,
    );
    // DMC ½ is a level of the paper: √(¼ · 1).
    near(total(rows, "c", "task", "Light_Control"), 50.0);
    let count = |overview: &Overview, kind: &str| {
        let group = overview.incidents.iter().find(|group| group.kind == kind);
        group.map_or(0, |group| group.per_model[0])
    };
    assert_eq!(
        (count(&paper, "out_of_range"), count(&paper, "unparsable")),
        (1, 1)
    );
    // The authors take both, (1 · ½ · 1)^(1/3) = 0.7937, and refuse the half direction: √ of CP alone.
    let rows = &released.scores;
    assert_eq!(total(rows, "c", "task", "Removal"), Some(39.69)); // (0 + 79.37) / 2 = 39.685
    assert_eq!(total(rows, "c", "task", "Light_Control"), Some(100.0));
    assert_eq!(
        (
            count(&released, "out_of_range"),
            count(&released, "unparsable")
        ),
        (1, 0)
    );
}

#[test]
fn a_gated_metric_without_a_reply_is_no_incident() {
    let mut files = benchmark(&["Removal"]);
    let lines = [
        record(
            "Removal/1",
            "Instruction_Adherence",
            1,
            &reply(&IA, &["0", "0", "0"]),
        ),
        record(
            "Removal/1",
            "Contextual_Preservation",
            1,
            &reply(&["Contextual_Preservation"], &["1"]),
        ),
    ];
    files.push(("journal.jsonl".to_owned(), lines.concat().into_bytes()));
    let overview = overview(&files, &PAPER);
    let missing = overview
        .incidents
        .iter()
        .find(|group| group.kind == "missing_reply")
        .unwrap();
    assert_eq!(missing.per_model, [3], "those of the second item alone");
    let removal = row(&overview.scores, "c", "task", "Removal", "Visual_Coherence");
    assert_eq!(
        (removal.mean, removal.n, removal.expected),
        (Some(0.0), 1, 2)
    );
}

#[test]
fn findings_in_result_files_name_line_and_mend() {
    let mut files = benchmark(&["Removal", "Billiards"]);
    let mut first = item(1, &perfect());
    first["status"] = json!("failed");
    let mut second = item(2, &[ia([1.0, 1.0, 0.0], 1.0), cp(1.0), vc([1.0; 3], 1.0)]);
    second.as_object_mut().unwrap().remove("status");
    second["_eval_errors"] = json!(["annotation item not found"]);
    let stranger = item(9, &perfect());
    let mut file = results("a", "Removal", 1, &[]);
    let lines = [first, second, stranger].map(|item| item.to_string());
    file.1 = format!("[{}]", lines.join(",\n")).into_bytes();
    files.push(file);
    let mut broken = results("a", "Billiards", 1, &[item(1, &[])]);
    broken.1.pop();
    files.push(broken);
    let overview = overview(&files, &PAPER);
    let mut found: Vec<(String, String)> = overview
        .problems
        .iter()
        .map(|problem| (problem.code.clone(), problem.place.clone()))
        .collect();
    found.sort();
    let expected = [
        ("bad_json", "line 1"),
        ("eval_error", "line 2"),
        ("no_outputs", ""),
        ("no_status", ""),
        ("not_success", "line 1"),
        ("partial_judge", ""),
        ("score_mismatch", "line 2"),
        ("unknown_sample", "line 3"),
    ];
    let expected = expected.map(|(code, place)| (code.to_owned(), place.to_owned()));
    assert_eq!(found, expected);
    // The authors count none of it; the paper's profile reads what is there: items 1 and (2/3)^(1/3).
    near(
        total(&overview.scores, "a", "task", "Removal"),
        50.0 + 50.0 * (2.0_f64 / 3.0).cbrt(),
    );
    let released = self::overview(&files, &RELEASED).scores;
    assert_eq!(total(&released, "a", "task", "Removal"), None);
}

#[test]
fn results_alone_imply_the_benchmark() {
    let files: Vec<File> = suite()
        .into_iter()
        .filter(|(path, _)| path.contains("_results_"))
        .collect();
    let alone = overview(&files, &RELEASED);
    assert_eq!(alone.models.len(), 2);
    let whole = overview(&suite(), &RELEASED).scores;
    for task in ["Removal", "Reorientation", "Billiards"] {
        assert_eq!(
            total(&alone.scores, "a", "task", task),
            total(&whole, "a", "task", task),
            "{task}"
        );
    }
}

#[test]
fn each_difference_says_what_it_does_to_the_score() {
    let overview = overview(&suite(), &PAPER);
    let effect = |id: &str| {
        let difference = overview
            .differences
            .iter()
            .find(|difference| difference.id == id)
            .unwrap();
        let effect = &difference.effects[0];
        assert_eq!(effect.model, "a");
        effect.with_rule.unwrap() - effect.paper.unwrap()
    };
    // Light 0 → √½ enters as a ninth: three tasks in a level, three levels.
    near(Some(effect("conditions")), 100.0 * 0.5_f64.sqrt() / 9.0);
    // Orientation (½ · 1 · ½)^(1/3) for (2/3 · 1 · ½)^(1/3).
    near(
        Some(effect("axes")),
        100.0 * (0.25_f64.cbrt() - (1.0_f64 / 3.0).cbrt()) / 9.0,
    );
    near(
        Some(effect("cube_root")),
        100.0 * (0.5_f64.sqrt() - (1.0_f64 / 3.0).cbrt()) / 9.0,
    );
    near(
        Some(effect("limbs")),
        100.0 * (2.0 / 3.0 - (1.0_f64 / 3.0).sqrt()) / 9.0,
    );
    assert!(effect("rounding").abs() < 0.01);
    near(Some(effect("missing_output")), 0.0);
    assert!(
        overview
            .formulas
            .iter()
            .any(|formula| formula.criterion == "total")
    );
}

#[test]
fn a_stray_score_in_an_item_changes_the_authors_number_only() {
    let mut files = benchmark(&["Removal"]);
    let mut strange = perfect();
    strange.push(("meta", json!({"score": 0.25})));
    files.push(results(
        "a",
        "Removal",
        1,
        &[item(1, &strange), item(2, &perfect())],
    ));
    let paper = overview(&files, &PAPER).scores;
    near(total(&paper, "a", "task", "Removal"), 100.0);
    // 0.25^(1/4) = 0.7071, with the other item's 1.
    let released = overview(&files, &RELEASED).scores;
    assert_eq!(total(&released, "a", "task", "Removal"), Some(85.36)); // 85.355
}

#[test]
fn a_broken_list_is_named_and_the_others_load() {
    let mut files = benchmark(&["Removal", "Billiards"]);
    let list = files
        .iter_mut()
        .find(|(path, _)| path.ends_with("Billiards.json"))
        .unwrap();
    list.1 = b"[{\"id\": 1,]".to_vec();
    let overview = overview(&files, &PAPER);
    assert_eq!(overview.benchmark.unwrap().samples, 2);
    let problem = &overview.problems[0];
    assert_eq!(
        (problem.code.as_str(), problem.place.as_str()),
        ("bad_json", "line 1, column 11")
    );
    assert!(problem.path.ends_with("Billiards.json"));
}

/// The items that the authors' pipeline wrote, opened as files, give their summary to the digit: every name in it.
#[test]
fn the_authors_own_files_give_the_authors_own_summary() {
    let vectors: Value = serde_json::from_str(juror_tests::golden::vibe::VECTORS).unwrap();
    let groups = vectors["groups"].as_array().unwrap();
    let pipeline = groups
        .iter()
        .find(|group| group["group"] == "pipeline")
        .unwrap();
    let mut num_compared = 0;
    for case in pipeline["cases"].as_array().unwrap() {
        let task = case["input"]["task"].as_str().unwrap();
        let items = case["expected"]["items_after_run1"].as_array().unwrap();
        let rows = overview(&[results("m", task, 1, items)], &RELEASED).scores;
        let summary = case["expected"]["run_summaries"][0].as_object().unwrap();
        for (name, wanted) in summary {
            let criterion = if name == "score" { "total" } else { name };
            let found = rows
                .iter()
                .find(|row| (row.scope.as_str(), row.criterion.as_str()) == ("task", criterion));
            let found = found.and_then(|row| row.mean);
            match wanted.as_f64() {
                Some(wanted) => near(found, wanted),
                None => assert_eq!(found, None, "{} {name}", case["id"]),
            }
            num_compared += 1;
        }
    }
    assert_eq!(num_compared, 62);
}

/// Run 1: items 1 and 1. Run 2 has the second item alone, with 0: the mean over runs of their means is that of 100 and 0.
#[test]
fn a_task_is_the_mean_over_runs_of_the_means_over_items_also_where_a_run_lacks_items() {
    let mut files = benchmark(&["Removal"]);
    let failed = [ia([0.0; 3], 0.0), cp(1.0), skipped()];
    let both = [item(1, &perfect()), item(2, &perfect())];
    files.push(results("a", "Removal", 1, &both));
    files.push(results("a", "Removal", 2, &[item(2, &failed)]));
    let paper = overview(&files, &PAPER).scores;
    let removal = row(&paper, "a", "task", "Removal", "total");
    assert_eq!(
        (removal.mean, removal.n, removal.expected),
        (Some(50.0), 3, 4)
    );
    assert_eq!((removal.worst, removal.best), (Some(50.0), Some(75.0)));
    let released = overview(&files, &RELEASED).scores;
    assert_eq!(total(&released, "a", "task", "Removal"), Some(50.0));
}

/// Runs of 50, 100 and 100, the last two without the item that failed in the first: the formula that is told gives 83.33.
#[test]
fn the_paper_s_mean_is_what_its_printed_formula_says() {
    let mut files = benchmark(&["Removal"]);
    let failed = [ia([0.0; 3], 0.0), cp(1.0), skipped()];
    let first = [item(1, &failed), item(2, &perfect())];
    files.push(results("a", "Removal", 1, &first));
    for run in [2, 3] {
        files.push(results("a", "Removal", run, &[item(2, &perfect())]));
    }
    let found = overview(&files, &PAPER);
    let removal = row(&found.scores, "a", "task", "Removal", "total");
    near(removal.mean, 250.0 / 3.0);
    let formula = found
        .formulas
        .iter()
        .find(|formula| formula.criterion == "total")
        .unwrap();
    assert!(
        formula
            .text
            .contains("mean over runs of the means over items"),
        "{}",
        formula.text
    );
    assert!(crate::origin::check(&mut session(&files)) > 0);
}

/// What the authors' `gpt.py` leaves: in each task's folder one for each model, with its list, its verdicts and `imgs`.
fn generated(files: &mut Vec<File>, model: &str, task: &str, extension: &str, value: f64) {
    let list = ITEMS.iter().find(|(name, _, _)| *name == task).unwrap();
    let folder = list.1.rsplit_once('/').unwrap().0;
    let folder = format!("D/Tasks/{folder}/{model}_run_v1");
    let mut first = Vec::new();
    for id in 1..=list.2 {
        files.push((format!("{folder}/imgs/{id}.{extension}"), b"x".to_vec()));
        let mut own = item(
            id,
            &[ia([value; 3], value), cp(value), vc([value; 3], value)],
        );
        own["saved_image_path"] = json!(format!("{id}.png"));
        first.push(own);
    }
    let plain: Vec<Value> = (1..=list.2)
        .map(|id| {
            let mut own = item(id, &[]);
            own["saved_image_path"] = json!(format!("{id}.png"));
            own
        })
        .collect();
    for (suffix, items) in [("", plain), ("_1", first.clone()), ("_2", first)] {
        let path = format!("{folder}/{task}_results{suffix}.json");
        files.push((path, Value::Array(items).to_string().into_bytes()));
    }
}

#[test]
fn the_generators_folders_in_every_task_are_one_model_with_its_runs() {
    let tasks = ["Addition", "Removal", "Replacement", "Translation"];
    let mut files = benchmark(&tasks);
    for task in tasks {
        generated(&mut files, "gpt-image-1", task, "png", 1.0);
        generated(&mut files, "other", task, "png", 0.0);
    }
    let found = overview(&files, &PAPER);
    let names: Vec<&str> = found.models.iter().map(|model| &*model.name).collect();
    assert_eq!(names, ["gpt-image-1_run_v1", "other_run_v1"]);
    for model in &found.models {
        assert_eq!(
            (model.pictures, model.pictures_expected),
            (5, 5),
            "{model:?}"
        );
    }
    assert_eq!(found.unknown_files, Vec::<String>::new());
    let rows = &found.scores;
    near(total(rows, "gpt-image-1_run_v1", "level", "Deictic"), 100.0);
    near(total(rows, "other_run_v1", "level", "Deictic"), 0.0);
    near(total(rows, "other_run_v1", "run", "Removal/2"), 0.0);
    assert_eq!(
        row(rows, "gpt-image-1_run_v1", "task", "Removal", "total").n,
        4,
        "two items in two runs"
    );
}

#[test]
fn a_picture_of_another_kind_than_listed_is_missing_in_single_and_in_combined_tasks() {
    let mut files = benchmark(&["Addition", "Removal", "3-Tasks"]);
    generated(&mut files, "m", "Addition", "png", 1.0);
    for task in ["Removal", "3-Tasks"] {
        generated(&mut files, "m", task, "jpg", 1.0);
    }
    let mut session = session(&files);
    let found = juror_session::overview(&session.study(&PAPER));
    assert_eq!(found.models[0].pictures, 1, "{:?}", found.models[0]);
    let told = found.problems.iter();
    let told = told.filter(|problem| problem.code == "other_name_listed");
    assert_eq!(told.count(), 3);
    let folders: Vec<&str> = files
        .iter()
        .filter_map(|(path, _)| path.rsplit_once('/').map(|(folder, _)| folder))
        .collect();
    let renames: Vec<(String, String)> = juror_session::lint(&session.linked())
        .unwrap()
        .into_iter()
        .filter_map(|finding| Some((finding.rename_from?, finding.rename_to?)))
        .collect();
    assert_eq!(renames.len(), 3, "{renames:?}");
    for (from, to) in renames {
        assert!(files.iter().any(|(path, _)| *path == from), "{from}");
        let (folder, _) = to.rsplit_once('/').unwrap();
        assert!(folders.contains(&folder), "{folder} is a folder");
        assert_eq!(from.replace(".jpg", ".png"), to);
    }
}

#[test]
fn without_a_list_any_picture_named_after_its_item_is_its_output() {
    let mut files = benchmark(&["Removal", "3-Tasks"]);
    for (path, content) in [output("m", "Removal", 1), output("m", "3-Tasks", 1)] {
        files.push((path.replace(".png", ".jpg"), content));
    }
    let found = overview(&files, &PAPER);
    assert_eq!(found.models[0].pictures, 2);
}

#[test]
fn requests_are_the_same_on_a_checkout_with_crlf_or_a_byte_order_mark() {
    let suite = |ends: &str, mark: &str| {
        let mut files = benchmark(&["Removal"]);
        for kind in juror_protocols::vibe::request::kinds() {
            let text = format!("{mark}Official {kind}:\n{{prompt}}\n").replace('\n', ends);
            files.push((format!("VIBE/prompt/{kind}.txt"), text.into_bytes()));
        }
        files.push(output("a", "Removal", 1));
        let mut session = session(&files);
        let key = key("a", "Removal/1", "Instruction_Adherence");
        juror_session::request(&session.linked(), &key)
            .unwrap()
            .parts
    };
    let plain = suite("\n", "");
    assert_eq!(suite("\r\n", ""), plain);
    assert_eq!(suite("\r", ""), plain);
    assert_eq!(suite("\r\n", "\u{feff}"), plain);
    assert_ne!(suite("\n\n", ""), plain);
}

#[test]
fn verdicts_behind_a_byte_order_mark_count_in_the_paper_s_profile_alone() {
    let mut files = benchmark(&["Removal"]);
    let both = [item(1, &perfect()), item(2, &perfect())];
    let (path, content) = results("a", "Removal", 1, &both);
    files.push((path.clone(), [b"\xef\xbb\xbf", content.as_slice()].concat()));
    near(
        total(&overview(&files, &PAPER).scores, "a", "task", "Removal"),
        100.0,
    );
    let released = overview(&files, &RELEASED);
    assert_eq!(total(&released.scores, "a", "task", "Removal"), None);
    let told = released.problems.iter();
    let told: Vec<_> = told
        .filter(|problem| problem.code == "released_cannot_read")
        .collect();
    assert_eq!((told.len(), &told[0].path), (1, &path));
    let report = juror_session::report(&session(&files).study(&RELEASED));
    assert!(
        report.incidents[0].detail.contains("byte order mark"),
        "{:?}",
        report.incidents[0]
    );
}

#[test]
fn the_facet_of_styles_finds_what_it_counts() {
    let mut session = session(&suite());
    let query = |q: &str| SampleQuery {
        q: q.to_owned(),
        ..SampleQuery::default()
    };
    let facets = juror_session::facets(&session.study(&query("").options), &query(""));
    let styles = facets.iter().find(|facet| facet.field == "style").unwrap();
    assert!(styles.values.len() > 1, "{styles:?}");
    for value in &styles.values {
        let found = juror_session::samples(
            &session.study(&query(&format!("style:{}", value.value)).options),
            &query(&format!("style:{}", value.value)),
        );
        assert!(value.count > 0 && found.matched == value.count, "{value:?}");
    }
}

/// Outputs of other names than their items', found by the list that generation wrote.
#[test]
fn outputs_are_found_by_the_names_that_the_list_gives_them() {
    let mut files = benchmark(&["Removal"]);
    let folder = "out/a/Level-1-Deictic/Removal";
    for name in [
        "imgs/edited_one.png",
        "two.png",
        "imgs/2.png",
        "imgs/stray.png",
    ] {
        files.push((format!("{folder}/{name}"), b"x".to_vec()));
    }
    let entry = |id: u32, path: &str| json!({"id": id, "input_prompt": "p", "saved_image_path": path, "status": "success"});
    let list = json!([entry(1, "edited_one.png"), entry(2, "./two.png")]);
    files.push((
        format!("{folder}/Removal_results.json"),
        list.to_string().into_bytes(),
    ));
    let mut session = session(&files);
    let found = juror_session::overview(&session.study(&PAPER));
    assert_eq!(
        (found.models[0].pictures, found.models[0].pictures_expected),
        (2, 2)
    );
    let unused = ["imgs/2.png", "imgs/stray.png"].map(|name| format!("{folder}/{name}"));
    assert_eq!(found.unknown_files, unused);
    let duplicates: Vec<&str> = found
        .problems
        .iter()
        .filter(|problem| problem.code == "duplicate_output")
        .map(|problem| problem.path.as_str())
        .collect();
    assert_eq!(
        duplicates,
        [format!("{folder}/imgs/2.png")],
        "the list's file is used"
    );
    let shown = pictures(
        &mut session,
        &key("a", "Removal/1", "Contextual_Preservation"),
    );
    assert_eq!(shown[1].0, "out/a/Removal/imgs/edited_one.png");
}

/// The authors' texts, dropped beside the benchmark in their own folders, become the pack in use.
#[test]
fn official_texts_in_several_folders_make_one_pack() {
    let mut files = benchmark(&["Removal", "Light_Control"]);
    for kind in juror_protocols::vibe::request::kinds() {
        files.push((
            format!("VIBE/prompt/{kind}.txt"),
            format!("Official {kind}: {{prompt}}").into_bytes(),
        ));
    }
    files.push(output("a", "Removal", 1));
    files.push(output("a", "Light_Control", 1));
    let mut session = session(&files);
    let pack = juror_session::overview(&session.study(&PAPER)).pack;
    assert_eq!((pack.name.as_str(), pack.official), ("VIBE/prompt", false));
    // Texts that no release has are named before anything is sent; the built-in ones are not.
    let named = |session: &mut Session| -> Vec<String> {
        let found = juror_session::problems(&session.linked()).into_iter();
        let found = found.filter(|found| found.code == "texts_in_use");
        found.map(|found| found.path).collect()
    };
    assert_eq!(named(&mut session), ["VIBE/prompt"]);
    let built_in = juror_session::overview(&self::session(&suite()).study(&PAPER)).pack;
    session.use_pack(&built_in.sha256).unwrap();
    assert_eq!(named(&mut session), Vec::<String>::new());
    session.use_pack(&pack.sha256).unwrap();
    let mut first = |sample: &str| {
        let request = juror_session::request(
            &session.linked(),
            &key("a", sample, "Contextual_Preservation"),
        )
        .unwrap();
        request.parts.into_iter().next()
    };
    let text = |text: &str| {
        Some(PartView::Text {
            text: text.to_owned(),
        })
    };
    assert_eq!(
        first("Removal/1"),
        text("Official Contextual_Preservation: Do Removal 1.")
    );
    assert_eq!(
        first("Light_Control/1"),
        text("Official Light_Control/Contextual_Preservation: Do Light_Control 1.")
    );
}

#[test]
fn every_row_says_of_which_runs_tasks_and_levels_it_is_the_mean() {
    assert!(crate::origin::check(&mut session(&suite())) > 0);
}

#[test]
fn styles_are_averaged_over_the_tasks_of_the_deictic_level() {
    let rows = overview(&suite(), &PAPER).scores;
    let task = |task: &str| total(&rows, "a", "style", &format!("{task}/real-world")).unwrap();
    let tasks = ["Addition", "Removal", "Replacement", "Translation"].map(task);
    let mean = tasks.iter().sum::<f64>() / 4.0;
    near(total(&rows, "a", "level_style", "Deictic/real-world"), mean);
    let adherence = |scope: &str, key: &str| row(&rows, "a", scope, key, "Instruction_Adherence");
    let of_tasks = ["Addition", "Removal", "Replacement", "Translation"].map(|task| {
        adherence("style", &format!("{task}/real-world"))
            .mean
            .unwrap()
    });
    let average = adherence("level_style", "Deictic/real-world");
    near(average.mean, of_tasks.iter().sum::<f64>() / 4.0);
    // One of each task, and three runs of Removal.
    assert_eq!((average.n, average.expected), (6, 6));
    // Removal alone has a sketch: no number, and the gap stays visible.
    let sketch = row(&rows, "a", "level_style", "Deictic/sketch", "total");
    assert_eq!((sketch.mean, sketch.worst, sketch.n), (None, None, 3));
    assert!(!rows.iter().any(|row| row.key.starts_with("Morphological/")));
}

/// The suite with the ids and columns that say which tasks are combined and how many cushions are touched.
fn labelled() -> Vec<File> {
    let mut files = suite();
    for (path, content) in &mut files {
        let text = String::from_utf8_lossy(content).into_owned();
        if path.starts_with("D/") && path.ends_with("2-Tasks.json") {
            let mut list: Value = serde_json::from_str(&text).unwrap();
            list[0]["tasks"] = json!(["Translation", "AD"]);
            *content = list.to_string().into_bytes();
        }
        if path.starts_with("D/") && path.ends_with("Billiards.json") {
            let mut list: Value = serde_json::from_str(&text).unwrap();
            list[0]["billiards"] = json!({"k": 4});
            *content = list.to_string().into_bytes();
        }
    }
    files
}

#[test]
fn combinations_and_cushions_are_groups_of_their_own() {
    let found = overview(&labelled(), &PAPER);
    let keys = |scope: &str| {
        let mut scopes = found.scopes.iter();
        scopes
            .find(|info| info.scope == scope)
            .map(|info| info.keys.clone())
    };
    assert_eq!(keys("combination"), Some(vec!["AD+TR".to_owned()]));
    assert_eq!(keys("cushions"), Some(vec!["4".to_owned()]));
    let of = |scope: &str, key: &str| total(&found.scores, "a", scope, key);
    assert_eq!(of("combination", "AD+TR"), of("task", "2-Tasks"));
    assert!(of("cushions", "4").is_some());
    assert_eq!(of("cushions", "4"), of("task", "Billiards"));
    let plain = overview(&suite(), &PAPER);
    assert!(!plain.scopes.iter().any(|info| info.scope == "cushions"));
}

#[test]
fn a_file_beside_the_billiards_says_how_many_cushions_are_touched() {
    let beside = |content: &str| {
        let mut files = suite();
        let path = "D/Tasks/Level-3-Causal/Billiards/cushions.csv".to_owned();
        files.push((path, content.as_bytes().to_vec()));
        overview(&files, &PAPER)
    };
    let found = beside("id,cushions\n1,7\n");
    assert_eq!(found.problems, []);
    assert_eq!(
        total(&found.scores, "a", "cushions", "7"),
        total(&found.scores, "a", "task", "Billiards")
    );
    for (content, said) in [
        ("id,cushions\n1,9\n", "Expected 2 to 7 cushions, found 9."),
        ("name,count\n1,7\n", "Expected the columns id and cushions"),
    ] {
        let problems = beside(content).problems;
        assert_eq!(problems.len(), 1, "{problems:?}");
        assert_eq!(problems[0].code, "bad_cushions");
        assert!(problems[0].message.contains(said), "{problems:?}");
    }
}
