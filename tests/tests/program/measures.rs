//! Measured values as score rows, and `juror score --metrics` over real pictures.
#![expect(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "a test fails by panicking and says loudly what it skipped"
)]

use std::process::Command;

use juror_evidence::report::Report;
use juror_image::{Rgb, encode_png};
use juror_metrics::Metric;
use juror_model::options::ScoreOptions;
use juror_model::row::{SampleRow, ScoreRow};
use juror_session::Session;
use juror_session::measure::{FORMAT, MEASURED, METRICS, Measure};
use juror_session::measures::MeasureQuery;
use juror_session::view::{SampleQuery, SampleSort};
use juror_tests::generate::{Dialogue, File, Random, open};
use juror_tests::program::program;
use serde_json::{Value, json};
use tempfile::TempDir;

const DIALOGUES: [Dialogue; 2] = [
    Dialogue {
        idx: 6,
        num_pictures: 2,
        num_texts: 1,
    },
    Dialogue {
        idx: 15,
        num_pictures: 1,
        num_texts: 0,
    },
];

/// A benchmark with judged outputs of two models; `draw` paints the picture of a folder and a name.
fn suite(draw: impl Fn(&str, &str) -> Option<Vec<u8>>) -> Vec<File> {
    let items: Vec<Value> = DIALOGUES.iter().map(Dialogue::item).collect();
    let mut files = vec![(
        "bench/test.json".to_owned(),
        json!(items).to_string().into_bytes(),
    )];
    let mut put = |folder: &str, name: String| {
        if let Some(bytes) = draw(folder, &name) {
            files.push((format!("{folder}/imgs/{name}"), bytes));
        }
    };
    for dialogue in DIALOGUES {
        for number in 1..=dialogue.num_pictures + 1 {
            put("bench", dialogue.picture(number));
            if number > 1 {
                put("alpha", dialogue.picture(number));
                put("beta", dialogue.picture(number));
            }
        }
    }
    for (seed, model) in (1..).zip(["alpha", "beta"]) {
        let mut random = Random::new(seed);
        let lines: String = DIALOGUES
            .iter()
            .map(|one| one.line(&mut random, 20))
            .collect();
        files.push((format!("{model}/metrics.jsonl"), lines.into_bytes()));
    }
    files
}

/// Every picture is there; their content is for the tests with real ones.
fn opened() -> Session {
    open(&suite(|_, _| Some(b"picture".to_vec())))
}

fn measure(sample: &str, turn: u32, value: f64) -> Measure {
    Measure {
        format: FORMAT.to_owned(),
        protocol: "weave".to_owned(),
        model: "alpha".to_owned(),
        sample: sample.to_owned(),
        turn,
        metric: "ssim".to_owned(),
        against: "golden".to_owned(),
        number: turn + 2,
        value: Some(value),
        backend: "cpu".to_owned(),
        output: "aa".to_owned(),
        ..Measure::default()
    }
}

fn of(metric: &str, record: Measure) -> Measure {
    Measure {
        metric: metric.to_owned(),
        ..record
    }
}

fn report(session: &mut Session) -> Report {
    juror_session::report(&session.study(&ScoreOptions::default()))
}

fn row<'a>(
    report: &'a Report,
    model: &str,
    (scope, key): (&str, &str),
    criterion: &str,
) -> Option<&'a ScoreRow> {
    report.scores.iter().find(|row| {
        (
            row.model.as_str(),
            row.scope.as_str(),
            row.key.as_str(),
            row.criterion.as_str(),
        ) == (model, scope, key, criterion)
    })
}

#[track_caller]
fn close(found: Option<f64>, expected: f64) {
    assert!(
        found.is_some_and(|found| (found - expected).abs() < 1e-9),
        "{found:?} and not {expected}"
    );
}

#[test]
fn every_metric_of_the_catalogue_is_one_that_can_be_computed() {
    for info in METRICS {
        assert_eq!(Metric::from_id(info.id).unwrap().id(), info.id);
        assert!(info.max.is_none_or(|max| max > info.min), "{}", info.id);
    }
}

#[test]
fn values_become_rows_with_counts_intervals_and_bounds_and_leave_the_protocols_rows_as_they_were() {
    let mut session = opened();
    let before = report(&mut session);
    juror_session::add_measures(
        &mut session,
        vec![measure("6", 0, 0.5), measure("6", 1, 0.7)],
    );
    let after = report(&mut session);
    let found = row(&after, "alpha", ("overall", "all"), "ssim@golden").unwrap();
    assert_eq!(
        (found.judge.as_str(), found.n, found.expected),
        (MEASURED, 2, 3)
    );
    close(found.mean, 0.6);
    // sd = |0.7 − 0.5| / √2; two values are too few for an interval.
    close(found.sd, 0.2 / 2.0_f64.sqrt());
    assert_eq!((found.ci_low, found.ci_high), (None, None));
    close(found.worst, (1.2 - 1.0) / 3.0);
    close(found.best, (1.2 + 1.0) / 3.0);
    let turn = row(&after, "alpha", ("turn", "1"), "ssim@golden").unwrap();
    assert_eq!((turn.mean, turn.n, turn.expected), (Some(0.7), 1, 1));
    assert!(row(&after, "beta", ("overall", "all"), "ssim@golden").is_none());
    let judged: Vec<&ScoreRow> = after
        .scores
        .iter()
        .filter(|row| row.judge != MEASURED)
        .collect();
    assert_eq!(judged, before.scores.iter().collect::<Vec<_>>());
    let missing = after.incidents.iter().filter(|one| one.judge == MEASURED);
    let missing: Vec<_> = missing
        .map(|one| (one.sample.as_str(), one.turn, one.kind.as_str()))
        .collect();
    assert_eq!(missing, [("15", 0, "not_measured")]);
    assert_eq!(after.provenance.measures[0].values, 2);
}

#[test]
fn without_measured_values_no_report_has_a_word_of_them() {
    let mut session = opened();
    let plain = report(&mut session).to_json();
    assert!(!plain.contains("measure"), "{plain}");
    juror_session::add_measures(&mut session, vec![measure("6", 0, 0.5)]);
    assert!(report(&mut session).to_json().contains("ssim@golden"));
    juror_session::drop_measures(&mut session);
    assert_eq!(report(&mut session).to_json(), plain);
}

#[test]
fn the_worst_of_an_error_is_its_largest_value() {
    let mut session = opened();
    juror_session::add_measures(
        &mut session,
        vec![
            of("mse", measure("6", 0, 30.0)),
            of("psnr", measure("6", 0, 30.0)),
        ],
    );
    let report = report(&mut session);
    let found = row(&report, "alpha", ("overall", "all"), "mse@golden").unwrap();
    close(found.best, 10.0);
    close(found.worst, (30.0 + 2.0 * 65025.0) / 3.0);
    let open_ended = row(&report, "alpha", ("overall", "all"), "psnr@golden").unwrap();
    close(open_ended.worst, 10.0);
    assert_eq!(open_ended.best, None);
}

#[test]
fn backends_are_counted_and_a_mix_of_them_is_said() {
    let mixed = |session: &mut Session| {
        juror_session::problems(&session.linked())
            .iter()
            .any(|one| one.code == "mixed_backends")
    };
    let mut session = opened();
    juror_session::add_measures(
        &mut session,
        vec![measure("6", 0, 0.5), measure("6", 1, 0.5)],
    );
    assert!(!mixed(&mut session));
    juror_session::add_measures(
        &mut session,
        vec![Measure {
            backend: "gpu".to_owned(),
            ..measure("6", 1, 0.5)
        }],
    );
    assert!(mixed(&mut session));
    let counts = report(&mut session).provenance.measures;
    assert_eq!((counts[0].cpu, counts[0].gpu), (1, 1));
    let tables = juror_session::tables(&session.study(&ScoreOptions::default())).to_markdown();
    assert!(tables.contains("1 on cpu, 1 on gpu"), "{tables}");
}

#[test]
fn an_infinite_value_is_left_out_and_said() {
    let mut session = opened();
    juror_session::add_measures(
        &mut session,
        vec![
            of("psnr", measure("6", 0, f64::INFINITY)),
            of("psnr", measure("6", 1, 40.0)),
        ],
    );
    let report = report(&mut session);
    let found = row(&report, "alpha", ("overall", "all"), "psnr@golden").unwrap();
    assert_eq!((found.mean, found.n), (Some(40.0), 1));
    let told = report
        .incidents
        .iter()
        .find(|one| one.kind == "unmeasurable")
        .unwrap();
    assert!(told.detail.contains("infinite"), "{}", told.detail);
}

#[test]
fn a_files_values_are_read_and_those_of_the_session_replace_them() {
    let written = juror_session::measure::write(&[measure("6", 0, 0.25), measure("6", 1, 0.5)]);
    let mut files = suite(|_, _| Some(b"picture".to_vec()));
    files.push((
        "old/values.jsonl".to_owned(),
        (written + "{\"format\":\"juror-measures/1\"}\n").into_bytes(),
    ));
    let mut session = open(&files);
    let value = |session: &mut Session| {
        row(&report(session), "alpha", ("turn", "0"), "ssim@golden")
            .unwrap()
            .mean
    };
    assert_eq!(value(&mut session), Some(0.25));
    let bad: Vec<String> = juror_session::problems(&session.linked())
        .into_iter()
        .filter(|one| one.code == "bad_line")
        .map(|one| one.place)
        .collect();
    assert_eq!(bad, ["line 3"]);
    juror_session::add_measures(&mut session, vec![measure("6", 0, 0.75)]);
    assert_eq!(value(&mut session), Some(0.75));
    assert!(
        juror_session::measures(&session.linked()).contains("0.75")
            && !juror_session::measures(&session.linked()).contains("0.25")
    );
    let roles: Vec<_> = report(&mut session)
        .provenance
        .files
        .into_iter()
        .filter(|file| file.role == "measures")
        .map(|file| file.path)
        .collect();
    assert_eq!(roles, ["measures.jsonl", "old/values.jsonl"]);
}

#[test]
fn samples_are_filtered_and_ordered_by_a_measured_criterion() {
    let mut session = opened();
    juror_session::add_measures(
        &mut session,
        vec![
            measure("6", 0, 0.9),
            measure("6", 1, 0.7),
            measure("15", 0, 0.2),
        ],
    );
    let ids = |session: &mut Session, q: &str, sort, criterion: &str| {
        let query = SampleQuery {
            q: q.to_owned(),
            sort,
            criterion: criterion.to_owned(),
            ..SampleQuery::default()
        };
        let list = juror_session::samples(&session.study(&query.options), &query);
        assert!(list.fault.is_none(), "{:?}", list.fault);
        list.rows
            .into_iter()
            .map(|row| (row.id, row.value))
            .collect::<Vec<_>>()
    };
    let plain =
        |found: Vec<(String, Option<f64>)>| found.into_iter().map(|(id, _)| id).collect::<Vec<_>>();
    assert_eq!(
        plain(ids(
            &mut session,
            "criterion:ssim@golden<0.5",
            SampleSort::Index,
            ""
        )),
        ["15"]
    );
    assert_eq!(
        plain(ids(
            &mut session,
            "criterion:ssim@golden>0.5",
            SampleSort::Index,
            ""
        )),
        ["6"]
    );
    let sorted = ids(&mut session, "", SampleSort::ScoreAsc, "ssim@golden");
    assert_eq!(
        sorted,
        [("15".to_owned(), Some(0.2)), ("6".to_owned(), Some(0.8))]
    );
    let other = ids(&mut session, "", SampleSort::ScoreDesc, "ssim@golden");
    assert_eq!(plain(other), ["6", "15"]);
    assert_eq!(
        plain(ids(
            &mut session,
            "incident:not_measured",
            SampleSort::Index,
            ""
        )),
        [""; 0]
    );
}

#[test]
fn a_plan_names_what_is_missing_and_refuses_what_cannot_be_measured() {
    let mut session = open(&suite(|folder, name| match (folder, name) {
        ("alpha", "d6_2.png") => None,
        ("beta", "d6_2.png") => Some(b"bad".to_vec()),
        _ => Some(b"picture".to_vec()),
    }));
    let query = MeasureQuery {
        metrics: vec!["ssim".to_owned(), "mse".to_owned()],
        against: vec!["golden".to_owned()],
        ..MeasureQuery::default()
    };
    let plan = juror_session::measure_plan(&session.linked(), &query).unwrap();
    assert_eq!(
        (plan.pairs.len(), plan.values, plan.refused.len()),
        (4, 8, 4)
    );
    juror_session::add_measures(&mut session, plan.refused);
    juror_session::add_measures(&mut session, vec![measure("6", 1, 0.5)]);
    let kinds: Vec<_> = report(&mut session)
        .incidents
        .into_iter()
        .filter(|one| one.judge == MEASURED && one.criterion == "ssim@golden")
        .map(|one| (one.model, one.kind))
        .collect();
    let expected = [
        ("alpha", "missing_output"),
        ("alpha", "not_measured"),
        ("beta", "unreadable_output"),
        ("beta", "not_measured"),
        ("beta", "not_measured"),
    ];
    assert_eq!(kinds, expected.map(|(a, b)| (a.to_owned(), b.to_owned())));
    let again = juror_session::measure_plan(&session.linked(), &query).unwrap();
    assert_eq!((again.values, again.done), (7, 1));
    let unknown = MeasureQuery {
        metrics: vec!["taste".to_owned()],
        ..query
    };
    assert!(
        juror_session::measure_plan(&session.linked(), &unknown)
            .unwrap_err()
            .to_string()
            .contains("taste")
    );
}

/// A picture of 16 × 12 pixels with some pattern, or of another width.
fn picture(seed: u64, width: u32) -> Vec<u8> {
    let mut random = Random::new(seed);
    let data = (0..width * 12 * 3).map(|at| {
        let noise = u8::try_from(random.below(40)).unwrap();
        u8::try_from(at % 200).unwrap() + noise
    });
    let picture = Rgb {
        width,
        height: 12,
        data: data.collect(),
    };
    encode_png(&picture).unwrap()
}

struct Folder(TempDir);

impl Folder {
    /// One of alpha's outputs is wider than what it is held against.
    fn new() -> Self {
        let folder = Self(TempDir::new().unwrap());
        for (path, bytes) in suite(|folder, name| {
            let seed = folder.len() * 100 + name.bytes().map(usize::from).sum::<usize>();
            let width = if (folder, name) == ("alpha", "d15_2.png") {
                20
            } else {
                16
            };
            Some(picture(u64::try_from(seed).unwrap(), width))
        }) {
            let path = folder.0.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, bytes).unwrap();
        }
        folder
    }

    #[track_caller]
    fn run(&self, words: &[&str]) -> String {
        let output = Command::new(program())
            .args(words)
            .current_dir(self.0.path())
            .output()
            .unwrap();
        let told = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success(), "{told}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// The report of values measured on the GPU, and what was told beside it.
    #[track_caller]
    fn report_on_gpu(&self, metrics: &str, has_drivers: bool) -> (Report, String) {
        let mut command = Command::new(program());
        command.args(["score", "bench", "alpha", "beta", "--gpu", "--metrics"]);
        command.arg(metrics).current_dir(self.0.path());
        if !has_drivers {
            // Vulkan's loader then knows no driver at all.
            command.env("VK_DRIVER_FILES", "none.json");
            command.env("VK_ICD_FILENAMES", "none.json");
        }
        let output = command.output().unwrap();
        let told = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success(), "{told}");
        (serde_json::from_slice(&output.stdout).unwrap(), told)
    }

    #[track_caller]
    fn report(&self, words: &[&str]) -> Report {
        let words = [&["score", "bench", "alpha", "beta"], words].concat();
        serde_json::from_str(&self.run(&words)).unwrap()
    }
}

#[test]
fn score_measures_what_metric_measures_and_an_odd_size_is_an_incident() {
    let folder = Folder::new();
    let report = folder.report(&["--metrics", "ssim,mse,phash"]);
    let found = row(&report, "beta", ("overall", "all"), "ssim@golden").unwrap();
    assert_eq!((found.n, found.expected), (3, 3));
    let of_sample = report
        .samples
        .iter()
        .find(|row| row.model == "beta" && row.sample == "15" && row.criterion == "ssim@golden")
        .unwrap();
    let one: Value = serde_json::from_str(&folder.run(&[
        "metric",
        "ssim",
        "bench/imgs/d15_2.png",
        "beta/imgs/d15_2.png",
    ]))
    .unwrap();
    assert_eq!(of_sample.score, one["value"].as_f64());
    assert!(of_sample.score.unwrap() < 1.0);
    let hash: Value = serde_json::from_str(&folder.run(&[
        "metric",
        "phash",
        "bench/imgs/d15_2.png",
        "beta/imgs/d15_2.png",
    ]))
    .unwrap();
    let of_hash = report
        .samples
        .iter()
        .find(|row| row.model == "beta" && row.sample == "15" && row.criterion == "phash@golden")
        .unwrap();
    assert_eq!(of_hash.score, hash["value"].as_f64());
    let odd = row(&report, "alpha", ("overall", "all"), "ssim@golden").unwrap();
    assert_eq!((odd.n, odd.expected), (2, 3));
    let told = report
        .incidents
        .iter()
        .find(|one| one.kind == "size_differs")
        .unwrap();
    assert!(
        told.detail.contains("20 × 12") && told.detail.contains("16 × 12"),
        "{}",
        told.detail
    );
    let resized = folder.report(&["--metrics", "ssim", "--resize"]);
    let found = row(&resized, "alpha", ("overall", "all"), "ssim@golden+resized").unwrap();
    assert_eq!((found.n, found.expected), (3, 3));
}

#[test]
fn a_suite_measured_on_the_gpu_tells_each_reason_for_the_cpu_once_with_its_count() {
    let folder = Folder::new();
    let (report, told) = folder.report_on_gpu("ssim,mse,phash", true);
    if !told.contains("juror: measuring on the GPU: ") {
        let is_required = std::env::var_os("JUROR_REQUIRE_GPU").is_some_and(|on| on == "1");
        assert!(!is_required, "{told}");
        eprintln!("SKIPPED: {told}");
        return;
    }
    // Six outputs, one of them of an odd size.
    assert!(
        told.contains("measured 15 values of 5 pairs (10 on the GPU)"),
        "{told}"
    );
    let line = "juror: 5 values computed on the CPU instead: phash is computed on the CPU alone";
    assert_eq!(told.matches(line).count(), 1, "{told}");
    assert_eq!(told.matches("on the CPU instead").count(), 1, "{told}");
    let on_cpu = folder.report(&["--metrics", "ssim,mse,phash"]);
    for (criterion, tolerance) in [
        ("ssim@golden", 2e-5),
        ("mse@golden", 0.0),
        ("phash@golden", 0.0),
    ] {
        let [found, expected] = [&report, &on_cpu].map(|report| {
            let found = row(report, "beta", ("overall", "all"), criterion).unwrap();
            (found.mean.unwrap(), found.n)
        });
        assert!((found.0 - expected.0).abs() <= tolerance, "{criterion}");
        assert_eq!(found.1, expected.1);
    }
    // Pairs go to the GPU in lots; each keeps its own values.
    assert_eq!(report.samples.len(), on_cpu.samples.len());
    for (found, expected) in report.samples.iter().zip(&on_cpu.samples) {
        let of = |row: &SampleRow| (row.model.clone(), row.sample.clone(), row.criterion.clone());
        assert_eq!(of(found), of(expected));
        match (found.score, expected.score) {
            (Some(a), Some(b)) => assert!((a - b).abs() <= 2e-5, "{:?}", of(found)),
            (a, b) => assert_eq!(a, b, "{:?}", of(found)),
        }
    }
    // The sibling that must differ: metrics with a twin leave nothing to tell.
    let (_, told) = folder.report_on_gpu("ssim,mse", true);
    assert!(told.contains("(10 on the GPU)"), "{told}");
    assert!(!told.contains("on the CPU instead"), "{told}");
}

#[test]
#[cfg(target_os = "linux")]
fn a_suite_without_a_gpu_is_measured_on_the_cpu_which_is_told_once() {
    let folder = Folder::new();
    let (report, told) = folder.report_on_gpu("ssim,phash", false);
    assert_eq!(told.matches("computed on the CPU instead: ").count(), 1);
    assert!(
        told.contains("measured 10 values of 5 pairs (0 on the GPU)"),
        "{told}"
    );
    let on_cpu = folder.report(&["--metrics", "ssim,phash"]);
    assert!(report.samples == on_cpu.samples, "other values");
}

#[test]
fn values_that_were_written_give_the_same_rows_when_they_are_opened() {
    let folder = Folder::new();
    let measured = folder.report(&[
        "--metrics",
        "ssim,psnr",
        "--against",
        "model:alpha",
        "--against",
        "reference:1",
        "--measures",
        "values.jsonl",
    ]);
    assert!(row(&measured, "alpha", ("overall", "all"), "ssim@model:alpha").is_none());
    assert!(row(&measured, "beta", ("overall", "all"), "ssim@model:alpha").is_some());
    let opened = folder.report(&["values.jsonl"]);
    assert!(opened.scores == measured.scores, "other means");
    assert!(opened.samples == measured.samples, "other values");
    assert_eq!(opened.incidents, measured.incidents);
    assert!(folder.report(&[]).scores != measured.scores);
}

#[test]
fn the_mean_over_references_needs_all_of_them_and_a_pack_keeps_what_was_measured() {
    let folder = Folder::new();
    let report = folder.report(&["--metrics", "mae", "--against", "references", "--resize"]);
    // Each dialogue has one picture that is given.
    let one = row(
        &report,
        "beta",
        ("overall", "all"),
        "mae@references+resized",
    )
    .unwrap();
    let first = folder.report(&["--metrics", "mae", "--against", "reference:1", "--resize"]);
    let same = row(
        &first,
        "beta",
        ("overall", "all"),
        "mae@reference:1+resized",
    )
    .unwrap();
    assert_eq!((one.mean, one.n), (same.mean, same.n));
    folder.run(&[
        "score",
        "bench",
        "alpha",
        "beta",
        "--metrics",
        "mae",
        "--measures",
        "values.jsonl",
        "--out",
        "report.json",
    ]);
    folder.run(&[
        "pack",
        "bench",
        "alpha",
        "beta",
        "values.jsonl",
        "--out",
        "pack.zip",
    ]);
    folder.run(&["verify", "pack.zip"]);
}

#[test]
fn vibes_golden_answers_are_what_billiards_is_measured_against() {
    let folder = TempDir::new().unwrap();
    let run = |words: &[&str]| {
        let output = Command::new(program())
            .args(words)
            .current_dir(folder.path())
            .output()
            .unwrap();
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        String::from_utf8(output.stdout).unwrap()
    };
    run(&[
        "make",
        "billiards",
        "--count",
        "2",
        "--seed",
        "1",
        "--out",
        "vibe",
    ]);
    let task = "Level-3-Causal/Billiards";
    let imgs = folder.path().join("model").join(task).join("imgs");
    std::fs::create_dir_all(&imgs).unwrap();
    // One output is the golden answer itself, the other the picture that it was to be drawn into.
    for (case, from) in [("Billiards_0001", "target"), ("Billiards_0002", "source")] {
        let picture = folder
            .path()
            .join("vibe/Tasks")
            .join(task)
            .join(from)
            .join(format!("{case}.png"));
        std::fs::copy(picture, imgs.join(format!("{case}.png"))).unwrap();
    }
    let case = |id: &str| json!({"id": id, "input_prompt": "", "saved_image_path": format!("imgs/{id}.png"), "status": "success"});
    let results = json!([case("Billiards_0001"), case("Billiards_0002")]).to_string();
    std::fs::write(imgs.with_file_name("Billiards_results.json"), results).unwrap();
    let report: Report = serde_json::from_str(&run(&[
        "score",
        "vibe",
        "model",
        "--metrics",
        "ssim,changed,psnr",
    ]))
    .unwrap();
    let score = |criterion: &str, sample: &str| {
        let mut rows = report
            .samples
            .iter()
            .filter(|row| row.criterion == criterion);
        rows.find(|row| row.sample.contains(sample))
            .and_then(|row| row.score)
    };
    assert_eq!(score("ssim@golden", "0001"), Some(1.0));
    assert_eq!(score("changed@golden", "0001"), Some(0.0));
    assert_eq!(score("psnr@golden", "0001"), None);
    assert!(score("ssim@golden", "0002").unwrap() < 1.0);
    assert!(score("changed@golden", "0002").unwrap() > 0.0);
    let of_task = report
        .scores
        .iter()
        .find(|row| row.scope == "task" && row.criterion == "psnr@golden")
        .unwrap();
    assert_eq!(
        (of_task.key.as_str(), of_task.n, of_task.expected),
        ("Billiards", 1, 2)
    );
    let offer = Command::new(program())
        .args(["score", "vibe", "--metrics", "taste"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert_eq!(offer.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&offer.stderr).contains("taste"));
}
