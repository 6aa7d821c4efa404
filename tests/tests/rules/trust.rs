//! Whom Juror believes: who may declare a benchmark, and whose records count for whom.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use juror_evidence::report::tables::Intervals;
use juror_model::judge::JudgeName;
use juror_model::options::ScoreOptions;
use juror_model::problem::Problem;
use juror_session::Session;
use juror_session::compare::CompareQuery;
use juror_tests::generate::{Dialogue, File, Random, open};
use serde_json::{Value, json};

const DIALOGUES: [Dialogue; 2] = [
    Dialogue {
        idx: 6,
        num_pictures: 2,
        num_texts: 0,
    },
    Dialogue {
        idx: 15,
        num_pictures: 1,
        num_texts: 0,
    },
];

fn file(path: &str, content: &str) -> File {
    (path.to_owned(), content.as_bytes().to_vec())
}

/// WEAVEBench in `bench`, and the models `alpha` and `beta` with outputs and replies.
pub(super) fn weave() -> Vec<File> {
    let items: Vec<Value> = DIALOGUES.iter().map(Dialogue::item).collect();
    let mut files = vec![file("bench/test.json", &json!(items).to_string())];
    for dialogue in DIALOGUES {
        for number in 1..=dialogue.num_pictures + 1 {
            let path = format!("bench/imgs/{}", dialogue.picture(number));
            files.push(file(&path, "picture"));
        }
    }
    for (seed, model) in (1..).zip(["alpha", "beta"]) {
        let mut random = Random::new(seed);
        let lines = DIALOGUES.iter().map(|one| one.line(&mut random, 20));
        let lines: String = lines.collect();
        files.push(file(&format!("result/{model}/metrics.jsonl"), &lines));
        for dialogue in DIALOGUES {
            for number in 2..=dialogue.num_pictures + 1 {
                let path = format!("result/{model}/imgs/{}", dialogue.picture(number));
                files.push(file(&path, "output"));
            }
        }
    }
    files
}

#[test]
fn a_list_in_the_only_models_folder_decides_and_is_named() {
    let named = |files: &[File]| -> Vec<(String, String)> {
        let problems = juror_session::problems(&open(files).linked()).into_iter();
        let found = problems.filter(|found| found.code == "benchmark_of_model");
        found.map(|found| (found.path, found.message)).collect()
    };
    let with_list = |list: &str| -> Vec<File> {
        let of_alpha = weave().into_iter().filter_map(|(path, bytes)| {
            let own = path.strip_prefix("result/").map(str::to_owned);
            let own = own.filter(|own| own.starts_with("alpha/"));
            let of_list = path
                .strip_prefix("bench/")
                .map(|name| format!("{list}/{name}"));
            Some((own.or(of_list)?, bytes))
        });
        of_alpha.collect()
    };
    let found = named(&with_list("alpha/test"));
    let [(path, message)] = found.as_slice() else {
        panic!("{found:?}");
    };
    assert_eq!(path, "alpha/test/test.json");
    assert!(
        message.contains("decides which samples are asked for"),
        "{message}"
    );
    let overview =
        juror_session::overview(&open(&with_list("alpha/test")).study(&ScoreOptions::default()));
    assert_eq!(overview.benchmark.unwrap().path, *path);
    // The benchmark's own list beside the model is nobody's.
    assert_eq!(named(&with_list("bench")), []);
}

/// A benchmark of its own with the samples `1` and `2`, whose outputs lie in `out/MODEL/ID.png`.
fn declaration(title: &str, outputs: &str) -> String {
    json!({
        "format": "juror-protocol/1",
        "id": "small",
        "title": title,
        "samples": [{"id": "1", "instruction": "Do."}, {"id": "2", "instruction": "Do."}],
        "outputs": outputs,
        "criteria": [{"id": "fit", "label": "Fit", "range": [0, 10]}],
        "requests": [{"id": "judge", "reply": {"form": "lines"}}],
    })
    .to_string()
}

/// A benchmark that a file declares, in `all/bench`, with outputs of two models.
pub(super) fn small() -> Vec<File> {
    let mut files = vec![file(
        "all/bench/juror.json",
        &declaration("Small", "out/{model}/{id}"),
    )];
    for model in ["alpha", "beta"] {
        for id in ["1", "2"] {
            files.push(file(&format!("all/out/{model}/{id}.png"), "output"));
        }
    }
    files
}

fn record(model: &str, sample: &str, score: f64) -> String {
    json!({"format": "juror-journal/1", "protocol": "small", "model": model, "sample": sample, "turn": 0,
        "criterion": "judge", "judge": "j", "run": 1, "reply": format!("Fit: {score}")})
    .to_string()
        + "\n"
}

/// Overall totals by model.
fn totals(session: &mut Session) -> Vec<(String, Option<f64>)> {
    let rows = juror_session::score_rows(&session.study(&ScoreOptions::default())).to_vec();
    let overall = rows
        .into_iter()
        .filter(|row| row.scope == "overall" && row.criterion == "total");
    overall.map(|row| (row.model, row.mean)).collect()
}

fn problems(session: &mut Session, code: &str) -> Vec<Problem> {
    let all = juror_session::problems(&session.linked()).into_iter();
    all.filter(|problem| problem.code == code).collect()
}

/// Reads what is wanted to the end.
pub(super) fn read(session: &mut Session, files: &[File]) {
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

fn title(session: &mut Session) -> Option<String> {
    let overview = juror_session::overview(&session.study(&ScoreOptions::default()));
    overview.benchmark.map(|benchmark| benchmark.title)
}

#[test]
fn a_submission_that_declares_a_benchmark_does_not_replace_the_one_that_is_known() {
    let honest = totals(&mut open(&weave()));
    assert!(honest.iter().any(|(_, mean)| mean.is_some()));
    let mut files = weave();
    let own = declaration("Mine", "{model}/imgs/{id}");
    files.push(file("result/beta/juror.json", &own));
    files.push(file(
        "result/beta/journal.jsonl",
        &record("beta", "1", 10.0),
    ));
    let mut session = open(&files);
    assert_eq!(title(&mut session).unwrap(), "WEAVEBench");
    assert_eq!(totals(&mut session), honest);
    let found = problems(&mut session, "protocol_not_used");
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].path, "result/beta/juror.json");
    assert!(
        found[0]
            .message
            .contains("in the folder of a model, result/beta")
    );
    // The user may say otherwise.
    assert!(found[0].hint.contains("--benchmark result/beta/juror.json"));
    juror_session::choose_benchmark(&mut session, Some("result/beta/juror.json")).unwrap();
    read(&mut session, &files);
    assert_eq!(title(&mut session).unwrap(), "Mine");
    juror_session::choose_benchmark(&mut session, None).unwrap();
    read(&mut session, &files);
    assert_eq!(totals(&mut session), honest);
    assert!(juror_session::choose_benchmark(&mut session, Some("elsewhere.json")).is_err());
}

#[test]
fn a_declaration_beside_a_known_benchmark_is_named_and_not_used_in_whatever_order_they_come() {
    let mut files = vec![file("aaa/juror.json", &declaration("Mine", "{model}/{id}"))];
    files.extend(weave());
    let mut session = open(&files);
    assert_eq!(title(&mut session).unwrap(), "WEAVEBench");
    let found = problems(&mut session, "protocol_not_used");
    assert!(
        found[0].message.contains("recognised as WEAVEBench"),
        "{found:?}"
    );
    // Opened first, it gives way to what is opened later.
    let mut session = open(&files[..1]);
    assert_eq!(title(&mut session).unwrap(), "Mine");
    let metas: Vec<_> = files[1..]
        .iter()
        .map(|(path, bytes)| juror_model::host::FileMeta {
            path: path.clone(),
            size: Some(bytes.len() as u64),
        })
        .collect();
    session.add_files(&metas);
    read(&mut session, &files);
    assert_eq!(title(&mut session).unwrap(), "WEAVEBench");
}

#[test]
fn a_declaration_in_a_models_folder_gives_way_to_the_one_above_it() {
    let mut files = small();
    files.push(file("all/journal.jsonl", &record("alpha", "1", 4.0)));
    let honest = totals(&mut open(&files));
    let mine = declaration("Mine", "alpha/{id}");
    files.push(file("all/out/beta/juror.json", &mine));
    let mut session = open(&files);
    assert_eq!(title(&mut session).unwrap(), "Small");
    assert_eq!(totals(&mut session), honest);
    let found = problems(&mut session, "protocol_not_used");
    assert!(found[0].message.contains("all/out/beta"), "{found:?}");
}

#[test]
fn of_several_declarations_none_counts_until_the_user_says_which() {
    let mut files = small();
    files.push(file("aaa/juror.json", &declaration("Mine", "{model}/{id}")));
    let mut session = open(&files);
    assert_eq!(title(&mut session), None);
    let found = problems(&mut session, "protocol_not_used");
    assert_eq!(found.len(), 2, "{found:?}");
    let choices = juror_session::benchmark_choices(&mut session);
    assert_eq!(choices.len(), 2);
    assert!(choices.iter().all(|choice| !choice.is_shown));
    juror_session::choose_benchmark(&mut session, Some("all/bench/juror.json")).unwrap();
    read(&mut session, &files);
    assert_eq!(title(&mut session).unwrap(), "Small");
    assert!(
        juror_session::benchmark_choices(&mut session)
            .iter()
            .any(|choice| choice.is_shown)
    );
}

#[test]
fn replies_in_a_models_folder_count_for_that_model_alone() {
    let mut files = small();
    let fair = [record("alpha", "1", 3.0), record("alpha", "2", 3.0)].concat();
    files.push(file("all/journal.jsonl", &fair));
    let honest = totals(&mut open(&files));
    let path = "all/out/beta/journal.jsonl";
    let lies = [
        record("alpha", "1", 1.0),
        record("alpha", "2", 1.0),
        record("ghost", "1", 0.0),
    ];
    files.insert(0, file(path, &lies.concat()));
    let mut session = open(&files);
    assert_eq!(totals(&mut session), honest);
    let found = problems(&mut session, "foreign_records");
    assert_eq!((found.len(), found[0].path.as_str()), (1, path));
    assert!(
        found[0]
            .message
            .starts_with("3 records are about other models (alpha, ghost)")
    );
    assert_eq!(problems(&mut session, "conflicting_reply"), []);
    // Its own count.
    files[0] = file(path, &record("beta", "1", 9.0));
    let own = totals(&mut open(&files));
    assert_ne!(own, honest);
    assert_eq!(problems(&mut open(&files), "foreign_records"), []);
}

#[test]
fn a_models_own_records_stand_behind_those_of_no_model() {
    let honest = [record("alpha", "1", 3.0), record("beta", "1", 3.0)].concat();
    let mut files = small();
    files.push(file("zz/journal.jsonl", &honest));
    let before = totals(&mut open(&files));
    // By its path it would come first.
    let path = "all/out/beta/journal.jsonl";
    files.insert(0, file(path, &record("beta", "1", 9.0)));
    let mut session = open(&files);
    assert_eq!(totals(&mut session), before);
    let found = problems(&mut session, "conflicting_reply");
    assert_eq!((found.len(), found[0].path.as_str()), (1, path));
    // What nobody else answered counts by its own records.
    files[0] = file(path, &record("beta", "2", 9.0));
    assert_ne!(totals(&mut open(&files)), before);
}

#[test]
fn ratings_and_measured_values_in_a_models_folder_count_for_that_model_alone() {
    let rating =
        |model: &str| format!("sample,model,criterion,rater,score\n1,{model},total,ann,5\n");
    let measure = |model: &str| {
        json!({"format": "juror-measures/1", "protocol": "small", "model": model, "sample": "1", "turn": 0,
            "metric": "mse", "against": "golden", "number": 1, "value": 1.0, "backend": "cpu"})
        .to_string()
            + "\n"
    };
    for (at, counts) in [("all/out/beta", false), ("all", true)] {
        let mut files = small();
        files.push(file(&format!("{at}/ratings.csv"), &rating("alpha")));
        files.push(file(&format!("{at}/values.jsonl"), &measure("alpha")));
        let mut session = open(&files);
        let rows = juror_session::ratings_csv(&session.linked(), None)
            .lines()
            .count()
            - 1;
        assert_eq!(rows, usize::from(counts), "{at}");
        assert_eq!(
            juror_session::measures(&session.linked()).lines().count(),
            usize::from(counts),
            "{at}"
        );
        let found = problems(&mut session, "foreign_records");
        assert_eq!(found.len(), if counts { 0 } else { 2 }, "{found:?}");
    }
}

#[test]
fn a_second_reply_that_reads_differently_is_named_and_an_equal_one_is_not() {
    let mut files = small();
    let lines = [
        record("alpha", "1", 3.0),
        record("alpha", "1", 3.0),
        record("alpha", "2", 3.0),
    ];
    files.push(file("all/a.jsonl", &lines.concat()));
    assert_eq!(problems(&mut open(&files), "conflicting_reply"), []);
    let honest = totals(&mut open(&files));
    files.push(file("all/b.jsonl", &record("alpha", "2", 8.0)));
    let mut session = open(&files);
    assert_eq!(totals(&mut session), honest);
    let found = problems(&mut session, "conflicting_reply");
    assert_eq!(found.len(), 1);
    assert_eq!(
        (found[0].path.as_str(), found[0].place.as_str()),
        ("all/b.jsonl", "line 1")
    );
}

/// The judges of the score rows.
fn judges(session: &mut Session) -> Vec<String> {
    let rows = juror_session::score_rows(&session.study(&ScoreOptions::default()));
    let judges: std::collections::BTreeSet<String> =
        rows.iter().map(|row| row.judge.clone()).collect();
    judges.into_iter().collect()
}

fn named(path: &str, judge: &str) -> JudgeName {
    JudgeName {
        path: path.to_owned(),
        judge: judge.to_owned(),
    }
}

#[test]
fn the_judge_of_a_metrics_jsonl_can_be_named_and_the_report_says_that_it_was() {
    let mut session = open(&weave());
    let before = totals(&mut session);
    assert_eq!(judges(&mut session), [""]);
    let unstated = juror_session::unstated_judges(&session.linked());
    let places: Vec<&str> = unstated.iter().map(|one| one.places[0].as_str()).collect();
    assert_eq!(
        places,
        ["result/alpha/metrics.jsonl", "result/beta/metrics.jsonl"]
    );
    juror_session::name_judges(&mut session, vec![named("result/", "gpt-4o")]).unwrap();
    assert_eq!(judges(&mut session), ["gpt-4o"]);
    assert_eq!(totals(&mut session), before, "a name moves no number");
    let report = juror_session::report(&session.study(&ScoreOptions::default()));
    assert_eq!(report.provenance.judge_names, [named("result", "gpt-4o")]);
    let judge = juror_session::unstated_judges(&session.linked())[0]
        .judge
        .clone();
    assert_eq!(judge.as_deref(), Some("gpt-4o"));
    // The longer path counts, and what is taken back is not stated again.
    let one = named("result/beta/metrics.jsonl", "other");
    juror_session::name_judges(&mut session, vec![one]).unwrap();
    assert_eq!(judges(&mut session), ["gpt-4o", "other"]);
    juror_session::unname_judges(&mut session, &["result".to_owned()]);
    assert_eq!(judges(&mut session), ["", "other"]);
}

#[test]
fn tables_and_comparisons_that_go_out_mark_a_judge_named_by_hand_and_no_other() {
    const NOTE: &str = "Judge named manually: the files of replies";
    let options = ScoreOptions::default();
    let exports = |session: &mut Session| {
        let tables = juror_session::tables(&session.study(&options));
        let compared =
            juror_session::compare(&session.study(&options), &CompareQuery::default()).unwrap();
        [
            tables.to_markdown(),
            tables.to_latex(Intervals::Hidden),
            compared.to_markdown(),
        ]
    };
    let mut session = open(&weave());
    for text in exports(&mut session) {
        assert!(!text.contains(NOTE), "{text}");
    }
    let all = named("result", "gpt-4o");
    juror_session::name_judges(&mut session, vec![all]).unwrap();
    let [markdown, latex, compared] = exports(&mut session);
    let whole = format!("{NOTE} do not state it.");
    assert!(markdown.contains("judge gpt-4o†\n"), "{markdown}");
    assert!(markdown.contains(&format!("† {whole}")), "{markdown}");
    assert!(latex.contains("judge gpt-4o\\dag{}"), "{latex}");
    assert!(latex.contains(&format!("\\dag{{}} {whole}")), "{latex}");
    assert!(compared.contains(&whole), "{compared}");
    // Where the file about one model says who judged and that about the other does not, the note names the other.
    let mut files = weave();
    let metrics = files
        .iter_mut()
        .find(|(path, _)| path == "result/alpha/metrics.jsonl");
    metrics.unwrap().0 = "result/alpha/metrics_gpt-4o.jsonl".to_owned();
    let mut session = open(&files);
    juror_session::name_judges(&mut session, vec![named("result", "gpt-4o")]).unwrap();
    let about = format!("{NOTE} about beta do not state it.");
    for text in exports(&mut session) {
        assert!(text.contains(&about), "{text}");
    }
}

#[test]
fn a_judge_that_a_file_states_itself_is_never_named_otherwise() {
    let mut files = weave();
    let metrics = files
        .iter_mut()
        .find(|(path, _)| path == "result/alpha/metrics.jsonl");
    metrics.unwrap().0 = "result/alpha/metrics_stated.jsonl".to_owned();
    let mut session = open(&files);
    juror_session::name_judges(&mut session, vec![named("result/alpha", "forged")]).unwrap();
    assert_eq!(judges(&mut session), ["", "stated"]);
    assert_eq!(juror_session::judge_names(&session.linked()), []);
    let report = juror_session::report(&session.study(&ScoreOptions::default()));
    assert_eq!(report.provenance.judge_names, []);
}

#[test]
fn a_name_that_is_none_is_refused_and_names_nobody() {
    let mut session = open(&weave());
    for judge in ["", "  ", "two\nlines", &"x".repeat(201)] {
        let names = vec![named("result/alpha", "fine"), named("result/beta", judge)];
        let error = juror_session::name_judges(&mut session, names).unwrap_err();
        assert_eq!(error.code(), "bad_judge_name");
        assert!(error.to_string().contains("result/beta"), "{error}");
    }
    assert_eq!(judges(&mut session), [""]);
}

/// A record of the first step of an agent loop of this name.
fn first_step(name: &str) -> String {
    json!({"format": "juror-trajectory/1", "protocol": "multibanana", "name": name, "framework": "ipr",
        "planner": "p", "generator": "g", "sample": "add/001", "step": 1, "kind": "picture", "prompt": "Go.",
        "references": [0], "picture": {"path": format!("{name} +IPR step 1/add/001_generated.png"), "sha256": "0".repeat(64)}})
    .to_string()
        + "\n"
}

#[test]
fn trajectories_in_a_models_folder_count_for_that_model_alone() {
    let of = |folder: &str| {
        let mut session = open(&[
            file("data/add/001_prompt.txt", "Go."),
            file("data/add/001_0.jpg", "reference"),
            file("out/honest/add/001_generated.png", "output"),
            file(
                &format!("{folder}/trajectories.jsonl"),
                &first_step("Rival"),
            ),
        ]);
        let found = problems(&mut session, "foreign_records");
        (juror_session::agent_sets(&session.linked()).len(), found)
    };
    let (sets, found) = of("out/honest");
    assert_eq!(sets, 0);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].path, "out/honest/trajectories.jsonl");
    assert!(
        found[0]
            .message
            .starts_with("1 record is about other models (Rival +IPR step 1)"),
        "{found:?}"
    );
    // Beside the models' folders it is anybody's.
    let (sets, found) = of("out");
    assert_eq!((sets, found), (1, Vec::new()));
}

#[test]
fn beside_trajectories_in_a_models_folder_no_pictures_of_another_makers_steps_are_taken() {
    let picture = "Rival +IPR step 1/add/001_generated.png";
    let exported = |theirs: &str| -> Vec<String> {
        let mut session = open(&[
            file("a/add/001_generated.png", "output"),
            file("a/trajectories.jsonl", &first_step("a")),
            file(&format!("a/{picture}"), "forged"),
            file("data/add/001_prompt.txt", "Go."),
            file("data/add/001_0.jpg", "reference"),
            file("out/trajectories.jsonl", &first_step("Rival")),
            file(theirs, "output"),
        ]);
        let files = juror_session::agent_export(&session.linked()).into_iter();
        files.map(|one| session.path(one.file).to_owned()).collect()
    };
    let own = format!("out/{picture}");
    assert_eq!(exported(&own), [own.as_str()]);
    // Where theirs is missing, none takes its place.
    assert_eq!(exported("out/other.txt"), [] as [&str; 0]);
}

#[test]
fn files_that_are_named_one_by_one_count_for_every_model_that_they_name() {
    let records = [
        record("alpha", "1", 3.0),
        record("alpha", "2", 5.0),
        record("beta", "1", 7.0),
        record("beta", "2", 9.0),
    ];
    let rating = "sample,model,criterion,rater,score\n1,alpha,total,ann,5\n1,beta,total,ann,6\n";
    let mut files = small();
    let unjudged = totals(&mut open(&files));
    files.push(file("journal.jsonl", &records.concat()));
    files.push(file("people.csv", rating));
    let mut session = open(&files);
    assert_eq!(problems(&mut session, "foreign_records"), []);
    let named = totals(&mut session);
    assert_ne!(named, unjudged);
    assert!(named.iter().all(|(_, mean)| mean.is_some()), "{named:?}");
    let rows = juror_session::ratings_csv(&session.linked(), None)
        .lines()
        .count()
        - 1;
    assert_eq!(rows, 2);
    // The same records in one model's folder count for that model alone.
    let mut files = small();
    files.push(file("all/out/beta/journal.jsonl", &records.concat()));
    let own = totals(&mut open(&files));
    let of = |all: &[(String, Option<f64>)], name: &str| {
        let mut found = all.iter().filter(|(model, _)| model == name);
        found.next().and_then(|(_, mean)| *mean)
    };
    assert_eq!(of(&own, "beta"), of(&named, "beta"));
    assert_eq!(of(&own, "alpha"), None);
}
