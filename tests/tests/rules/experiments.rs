//! Levels of a factor beside each other, through the session, against SciPy and by hand.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use juror_judging::journal;
use juror_model::experiment::Side;
use juror_model::options::ScoreOptions;
use juror_session::Session;
use juror_session::view::experiments::{
    BY_CRITERION, ExperimentQuery, ExperimentRow, Experiments, LevelCell,
};
use juror_session::view::{JobScope, Which};
use juror_tests::generate::{Dialogue, File, open};
use serde_json::{Value, json};

pub(super) const QUALITY: &str = "image_quality";
/// SciPy's numbers rest on the same formulas; sums are taken in another order.
pub(super) const CLOSE: f64 = 1e-9;

fn close(found: f64, expected: &Value, what: &str) {
    let expected = expected.as_f64().unwrap();
    assert!(
        (found - expected).abs() < CLOSE * expected.abs().max(1.0),
        "{what}: found {found}, expected {expected}"
    );
}

pub(super) fn record(sample: usize, model: &str, judge: &str, score: u64) -> journal::Record {
    journal::Record {
        format: journal::FORMAT.to_owned(),
        protocol: "weave".to_owned(),
        model: model.to_owned(),
        sample: sample.to_string(),
        criterion: QUALITY.to_owned(),
        judge: judge.to_owned(),
        run: 1,
        reply: json!({"score": score, "reasoning": "r"}).to_string(),
        ..journal::Record::default()
    }
}

fn under(pack: char, record: journal::Record) -> journal::Record {
    journal::Record {
        prompts: pack.to_string().repeat(64),
        ..record
    }
}

fn files(samples: &[usize], records: &[journal::Record]) -> Vec<File> {
    let dialogues: Vec<Value> = samples
        .iter()
        .map(|idx| {
            Dialogue {
                idx: *idx,
                num_pictures: 1,
                num_texts: 0,
            }
            .item()
        })
        .collect();
    vec![
        (
            "b/test.json".to_owned(),
            serde_json::to_vec(&dialogues).unwrap(),
        ),
        (
            "r/journal.jsonl".to_owned(),
            journal::write(records).into_bytes(),
        ),
    ]
}

fn query(factor: &str) -> ExperimentQuery {
    ExperimentQuery {
        factor: factor.to_owned(),
        criterion: QUALITY.to_owned(),
        ..ExperimentQuery::default()
    }
}

fn found(session: &mut Session, query: &ExperimentQuery) -> Experiments {
    juror_session::experiments(session, query).unwrap()
}

#[track_caller]
fn row<'a>(found: &'a Experiments, block: usize, key: &str) -> &'a ExperimentRow {
    let mut rows = found.blocks[block].rows.iter();
    rows.find(|row| row.key == key).unwrap()
}

/// The levels' names, first one first.
fn levels(found: &Experiments) -> Vec<&str> {
    let levels = found.levels.iter();
    levels.map(|info| info.level.as_str()).collect()
}

fn golden() -> Value {
    serde_json::from_str(include_str!("../../golden/experiments.json")).unwrap()
}

/// The levels of the vectors, each a submission; the base as it is has no level in its name.
fn golden_records(golden: &Value) -> (Vec<usize>, Vec<journal::Record>) {
    let samples = golden["samples"].as_array().unwrap();
    let samples: Vec<usize> = samples
        .iter()
        .map(|idx| usize::try_from(idx.as_u64().unwrap()).unwrap())
        .collect();
    let mut records = Vec::new();
    for (level, model) in [("base", "m"), ("b", "m@mode=b"), ("c", "m@mode=c")] {
        let scores = golden["scores"][level].as_array().unwrap();
        for (sample, score) in samples.iter().zip(scores) {
            records.extend(
                score
                    .as_u64()
                    .map(|score| record(*sample, model, "j", score)),
            );
        }
    }
    (samples, records)
}

#[test]
fn means_differences_and_corrections_are_those_of_scipy() {
    let golden = golden();
    let (samples, records) = golden_records(&golden);
    let query = ExperimentQuery {
        by: "domain".to_owned(),
        bound: Some(0.2),
        ..query("mode")
    };
    let found = found(&mut open(&files(&samples, &records)), &query);
    assert_eq!(levels(&found), ["base", "b", "c"]);
    assert_eq!(Value::from(found.comparisons), golden["comparisons"]);
    for key in ["optics", "edit", "total"] {
        for (level, cell) in ["base", "b", "c"].iter().zip(&row(&found, 0, key).cells) {
            let (expected, what) = (&golden["rows"][key][level], format!("{key}, {level}"));
            let mean = cell.mean.unwrap();
            close(mean.value, &expected["mean"], &what);
            close(mean.low.unwrap(), &expected["interval"][0], &what);
            close(mean.high.unwrap(), &expected["interval"][1], &what);
            assert_eq!(Value::from(cell.n), expected["n"], "{what}");
            let Some(difference) = &cell.difference else {
                assert_eq!(*level, "base");
                continue;
            };
            let expected = &expected["difference"];
            close(difference.value.value, &expected["value"], &what);
            close(
                difference.value.low.unwrap(),
                &expected["interval"][0],
                &what,
            );
            let corrected = difference.corrected.unwrap();
            close(corrected[0], &expected["corrected"][0], &what);
            close(corrected[1], &expected["corrected"][1], &what);
            close(difference.p.unwrap(), &expected["p"], &what);
            close(
                difference.p_corrected.unwrap(),
                &expected["p_corrected"],
                &what,
            );
            close(difference.relative.unwrap(), &expected["relative"], &what);
            assert_eq!(Value::from(difference.n), expected["n"], "{what}");
            // A wider net than one test's.
            assert!(corrected[0] < difference.value.low.unwrap(), "{what}");
        }
    }
    for (row, id) in found.blocks[0].averages.iter().zip(["plain", "weighted"]) {
        assert_eq!(row.id, id);
        for (cell, level) in row.cells[1..].iter().zip(["b", "c"]) {
            let expected = &golden["averages"][id][level];
            let difference = cell.difference.unwrap();
            close(cell.mean.unwrap(), &expected["mean"], id);
            close(difference.value, &expected["value"], id);
            close(difference.low.unwrap(), &expected["interval"][0], id);
            close(difference.high.unwrap(), &expected["interval"][1], id);
            let within = cell.within.unwrap();
            let high = expected["interval"][1].as_f64().unwrap();
            let low = expected["interval"][0].as_f64().unwrap();
            assert_eq!(within.interval, Some(low > -0.2 && high < 0.2));
        }
    }
}

/// A difference to the first level: its estimate, pairs and p.
type Change = (f64, u32, Option<f64>);

/// What a level's cell says without what is corrected over the table.
fn own(cell: &LevelCell) -> (Option<f64>, u32, Option<Change>) {
    let difference = cell.difference.as_ref();
    let difference = difference.map(|own| (own.value.value, own.n, own.p));
    (cell.mean.map(|mean| mean.value), cell.n, difference)
}

#[test]
fn a_reply_that_is_taken_away_changes_its_own_level_and_no_other() {
    let (samples, records) = golden_records(&golden());
    let whole = found(&mut open(&files(&samples, &records)), &query("mode"));
    let mut fewer = records;
    let at = fewer
        .iter()
        .position(|one| one.model == "m@mode=b")
        .unwrap();
    fewer.remove(at);
    let part = found(&mut open(&files(&samples, &fewer)), &query("mode"));
    let cells =
        |found: &Experiments| -> Vec<_> { row(found, 0, QUALITY).cells.iter().map(own).collect() };
    let (before, after) = (cells(&whole), cells(&part));
    assert_eq!((&before[0], &before[2]), (&after[0], &after[2]));
    assert_ne!(before[1], after[1]);
    assert_eq!(before[1].1 - 1, after[1].1);
}

#[test]
fn the_level_that_is_chosen_stands_first_and_the_others_are_held_against_it() {
    let (samples, records) = golden_records(&golden());
    let mut session = open(&files(&samples, &records));
    let usual = found(&mut session, &query("mode"));
    let turned = ExperimentQuery {
        first: "b".to_owned(),
        ..query("mode")
    };
    let turned = found(&mut session, &turned);
    assert_eq!(levels(&turned), ["b", "base", "c"]);
    let there = row(&usual, 0, QUALITY).cells[1]
        .difference
        .as_ref()
        .unwrap();
    let back = row(&turned, 0, QUALITY).cells[1]
        .difference
        .as_ref()
        .unwrap();
    assert!((there.value.value + back.value.value).abs() < 1e-12);
    assert_eq!(there.n, back.n);
    let unknown = ExperimentQuery {
        first: "z".to_owned(),
        ..query("mode")
    };
    let error = juror_session::experiments(&mut session, &unknown).unwrap_err();
    assert_eq!(error.code(), "unknown_factor");
    assert!(error.to_string().contains("base, b, c"), "{error}");
}

#[test]
fn two_packs_of_one_judge_are_two_levels_and_never_one_score() {
    let samples = [0, 16, 32];
    let mut records = Vec::new();
    for (sample, [a, b]) in samples.into_iter().zip([[2, 4], [4, 8], [6, 6]]) {
        records.push(under('a', record(sample, "m", "j", a)));
        records.push(under('b', record(sample, "m", "j", b)));
    }
    let mut session = open(&files(&samples, &records));
    let names = juror_session::judges_and_runs(&session.linked()).judges;
    assert_eq!(names, ["j@pack=aaaaaaaa", "j@pack=bbbbbbbb"]);
    let rows = juror_session::score_rows(&session.study(&ScoreOptions::default()));
    let means: Vec<(&str, Option<f64>)> = rows
        .iter()
        .filter(|row| row.criterion == QUALITY && row.scope == "overall")
        .map(|row| {
            (
                row.judge.as_str(),
                row.mean.map(|mean| (mean * 100.0).round()),
            )
        })
        .collect();
    assert_eq!(
        means,
        [
            ("j@pack=aaaaaaaa", Some(40.0)),
            ("j@pack=bbbbbbbb", Some(60.0))
        ]
    );
    let problems = juror_session::problems(&session.linked());
    let told = problems.iter().find(|one| one.code == "several_packs");
    assert!(told.unwrap().message.contains("bbbbbbbb (3 replies)"));
    let found = found(&mut session, &query("pack"));
    assert_eq!(
        (found.side, levels(&found)),
        (Side::Judging, vec!["aaaaaaaa", "bbbbbbbb"])
    );
    assert_eq!(found.blocks[0].judge, "j");
    let difference = row(&found, 0, QUALITY).cells[1].difference.clone().unwrap();
    assert!((difference.value.value - 0.2).abs() < 1e-12);
    assert_eq!((difference.n, difference.value.low), (3, None));

    // Under one pack the judge keeps its name, replies without a hash included.
    let one: Vec<_> = records
        .into_iter()
        .filter(|one| one.prompts.starts_with('a'))
        .chain([record(0, "n", "j", 5)])
        .collect();
    let mut session = open(&files(&samples, &one));
    assert_eq!(
        juror_session::judges_and_runs(&session.linked()).judges,
        ["j"]
    );
    // Where no reply records a pack there is no such factor.
    let mut session = open(&files(&samples, &[record(0, "m", "j", 5)]));
    let error = juror_session::experiments(&mut session, &query("pack")).unwrap_err();
    assert_eq!(error.code(), "unknown_factor");
}

/// One judge's replies under packs, each pack in a file of its own.
fn in_files(packs: &[(char, [u64; 3])]) -> Vec<File> {
    let samples = [0, 16, 32];
    let mut all = files(&samples, &[]);
    all.retain(|(path, _)| path != "r/journal.jsonl");
    for (pack, scores) in packs {
        let records = samples.into_iter().zip(scores);
        let records = records.map(|(sample, score)| under(*pack, record(sample, "m", "j", *score)));
        let records: Vec<journal::Record> = records.collect();
        let text = journal::write(&records).into_bytes();
        all.push((format!("r/{pack}.jsonl"), text));
    }
    all
}

#[test]
fn a_file_of_one_pack_that_is_taken_away_changes_its_own_level_and_no_other() {
    let all = [('a', [2, 4, 6]), ('b', [4, 8, 6]), ('c', [1, 1, 7])];
    let level = |pack: char| pack.to_string().repeat(8);
    let means = |packs: &[(char, [u64; 3])]| -> Vec<(String, Option<f64>, u32)> {
        let found = found(&mut open(&in_files(packs)), &query("pack"));
        assert_eq!((found.blocks.len(), &*found.blocks[0].judge), (1, "j"));
        let cells = &row(&found, 0, QUALITY).cells;
        let of = levels(&found).into_iter().zip(cells);
        of.map(|(level, cell)| (level.to_owned(), cell.mean.map(|mean| mean.value), cell.n))
            .collect()
    };
    let three = means(&all);
    let names: Vec<&str> = three.iter().map(|(level, ..)| level.as_str()).collect();
    assert_eq!(names, [level('a'), level('b'), level('c')]);
    let close = |x: Option<f64>, y: f64| (x.unwrap() - y).abs() < 1e-12;
    assert!(close(three[0].1, 0.4) && close(three[1].1, 0.6) && close(three[2].1, 0.3));
    // Two of three, and each alone: what is left is as it was, by the name that it had.
    for kept in [
        vec![0, 1],
        vec![0, 2],
        vec![1, 2],
        vec![0],
        vec![1],
        vec![2],
    ] {
        let packs: Vec<(char, [u64; 3])> = kept.iter().map(|at| all[*at]).collect();
        let wanted: Vec<_> = kept.iter().map(|at| three[*at].clone()).collect();
        assert_eq!(means(&packs), wanted, "{kept:?}");
    }
    // The sibling: another reply in a file changes the level of that file.
    let changed = means(&[all[0], ('b', [4, 8, 9])]);
    assert_eq!(changed[0], three[0]);
    assert_ne!(changed[1], three[1]);
}

#[test]
fn the_name_of_a_judge_under_one_pack_of_several_still_names_its_replies_when_the_others_are_gone()
{
    let name = "j@pack=aaaaaaaa";
    let both = [('a', [2, 4, 6]), ('b', [4, 8, 6])];
    let mean = |packs: &[(char, [u64; 3])]| {
        let session = &mut open(&in_files(packs));
        let judge = juror_session::standing_judge(&session.linked(), name);
        juror_session::check_judge(&session.linked(), &judge).ok()?;
        let options = ScoreOptions {
            judge: Some(judge),
            ..ScoreOptions::default()
        };
        let rows = juror_session::score_rows(&session.study(&options));
        let row = rows
            .iter()
            .find(|row| row.criterion == QUALITY && row.scope == "overall");
        row.and_then(|row| row.mean)
    };
    assert!((mean(&both).unwrap() - 0.4).abs() < 1e-12);
    assert_eq!(mean(&both), mean(&both[..1]));
    // What is left under the other pack is not taken for it.
    assert_eq!(mean(&both[1..]), None);
}

#[test]
fn a_panel_may_judge_levels_of_submissions_and_people_are_levels_beside_judges() {
    let mut records = Vec::new();
    for (model, scores) in [("m", [[2, 6], [4, 8]]), ("m@mode=b", [[4, 4], [8, 10]])] {
        for (sample, by) in [0, 16].into_iter().zip(scores) {
            records.push(record(sample, model, "j", by[0]));
            records.push(record(sample, model, "k", by[1]));
        }
    }
    let mut files = files(&[0, 16], &records);
    let ratings = "sample,turn,model,criterion,rater,score\n0,0,m,image_quality,ann,5\n16,0,m,image_quality,ann,7\n";
    files.push(("r/ratings.csv".to_owned(), ratings.into()));
    let mut session = open(&files);
    let judged = |judge: &str| ExperimentQuery {
        judge: Some(judge.to_owned()),
        ..query("mode")
    };
    let means = |found: &Experiments| -> Vec<Option<f64>> {
        let cells = row(found, 0, QUALITY).cells.iter();
        cells
            .map(|cell| cell.mean.map(|mean| (mean.value * 100.0).round()))
            .collect()
    };
    let panel = found(&mut session, &judged("panel:mean(j,k)"));
    assert_eq!(means(&panel), [Some(50.0), Some(65.0)]);
    let alone = found(&mut session, &judged("j"));
    assert_eq!(means(&alone), [Some(30.0), Some(60.0)]);
    let error = juror_session::experiments(&mut session, &judged("panel:mean(j,nobody)"));
    assert_eq!(error.unwrap_err().code(), "unknown_judge");
    let judges = found(&mut session, &query("judge"));
    assert_eq!(levels(&judges), ["j", "k", "people", "people:ann"]);
    let ann = row(&judges, 0, QUALITY).cells[3].clone();
    assert!((ann.mean.unwrap().value - 0.6).abs() < 1e-12);
    assert_eq!((ann.n, ann.expected), (2, Some(2)));
    let difference = ann.difference.unwrap();
    assert_eq!((difference.n, difference.expected), (2, 2));
}

#[test]
fn what_other_judges_have_answered_is_counted_and_can_be_left_out_of_a_job() {
    let records = [
        record(0, "m", "a", 5),
        record(0, "m", "b", 6),
        record(16, "m", "b", 7),
    ];
    let samples = [0, 16, 1];
    let mut files = files(&samples, &records);
    for sample in samples {
        files.push((format!("b/result/m/imgs/d{sample}_2.png"), vec![1]));
    }
    let mut session = open(&files);
    let mut plan = |judge: &str, which| {
        let scope = JobScope {
            judge: judge.to_owned(),
            which,
            criteria: vec![QUALITY.to_owned()],
            runs: 1,
            ..JobScope::default()
        };
        let plan = juror_session::plan_job(&session.linked(), &scope);
        (plan.tasks.len(), plan.answered, plan.by_others)
    };
    let by = |others: &[(&str, u32)]| {
        let others = others.iter();
        others.map(|(judge, n)| ((*judge).to_owned(), *n)).collect()
    };
    assert_eq!(plan("c", Which::Open), (3, 0, by(&[("a", 1), ("b", 2)])));
    assert_eq!(plan("a", Which::Open), (2, 1, by(&[("b", 1)])));
    assert_eq!(plan("b", Which::Open), (1, 2, by(&[])));
    assert_eq!(plan("c", Which::Unjudged), (1, 2, by(&[])));
}

#[test]
fn a_reply_under_other_prompts_leaves_the_request_open() {
    let samples = [0, 16];
    let session = open(&files(&samples, &[]));
    let builtin = juror_session::record_head(&session).prompts;
    let scope = |session: &mut Session| {
        let scope = JobScope {
            judge: "j".to_owned(),
            which: Which::Open,
            criteria: vec![QUALITY.to_owned()],
            ..JobScope::default()
        };
        juror_session::plan_job(&session.linked(), &scope).answered
    };
    let mut files = files(&samples, &[under('a', record(0, "m", "j", 5))]);
    for sample in samples {
        files.push((format!("b/result/m/imgs/d{sample}_2.png"), vec![1]));
    }
    let mut session = open(&files);
    assert_eq!(scope(&mut session), 0, "it answers other questions");
    let own = journal::Record {
        prompts: builtin,
        ..record(0, "m", "j", 7)
    };
    juror_session::add_records(&mut session, vec![own]);
    assert_eq!(scope(&mut session), 1);
}

#[test]
fn a_file_states_base_and_levels_and_a_bad_one_is_named_with_the_mend() {
    let samples = [0];
    let mut files = files(
        &samples,
        &[record(0, "plain", "j", 4), record(0, "odd", "j", 6)],
    );
    let mut with = |model: &str, text: &str| {
        files.push((format!("b/result/{model}/imgs/d0_2.png"), vec![1]));
        files.push((
            format!("b/result/{model}/variant.json"),
            text.as_bytes().to_vec(),
        ));
    };
    with("odd", r#"{"base": "plain", "levels": {"steps": 30}}"#);
    with("silent", r#"{"base": "plain", "levels": {"steps": 50}}"#);
    with("bad", r#"{"base": "plain", "levels": ["steps"]}"#);
    let mut session = open(&files);
    let found = found(&mut session, &query("steps"));
    assert_eq!(levels(&found), ["base", "30", "50"]);
    assert_eq!(found.blocks.len(), 1);
    assert_eq!(found.blocks[0].base, "plain");
    let cells = &row(&found, 0, QUALITY).cells;
    let means: Vec<Option<f64>> = cells
        .iter()
        .map(|cell| cell.mean.map(|mean| (mean.value * 10.0).round()))
        .collect();
    assert_eq!(
        means,
        [Some(4.0), Some(6.0), None],
        "without replies there is no number"
    );
    assert_eq!((cells[2].n, cells[2].expected), (0, Some(1)));
    assert!(found.to_markdown().contains("| – |"));
    let problems = juror_session::problems(&session.linked());
    let bad: Vec<_> = problems
        .iter()
        .filter(|one| one.code == "bad_variant")
        .collect();
    assert_eq!(bad.len(), 1);
    assert!(bad[0].path.ends_with("bad/variant.json") && bad[0].hint.contains("levels"));
    assert!(
        problems
            .iter()
            .all(|one| one.code == "bad_variant" || !one.path.ends_with("variant.json")),
        "the files themselves are no findings: {problems:?}"
    );
}

#[test]
fn several_factors_are_held_apart_and_judges_state_levels_as_submissions_do() {
    let samples = [0, 16];
    let mut records = Vec::new();
    for (model, score) in [("m", 2), ("m@a=1", 4), ("m@a=1,b=1", 6), ("m@b=1", 8)] {
        records.extend(samples.map(|sample| record(sample, model, "j", score)));
    }
    let mut session = open(&files(&samples, &records));
    let by_a = found(&mut session, &query("a"));
    let bases: Vec<&str> = by_a
        .blocks
        .iter()
        .map(|block| block.base.as_str())
        .collect();
    assert_eq!(bases, ["m", "m@b=1"]);
    let difference = |block| {
        let cell = row(&by_a, block, QUALITY).cells[1].clone();
        (cell.difference.unwrap().value.value * 10.0).round()
    };
    assert!((difference(0) - 2.0).abs() < 1e-9 && (difference(1) + 2.0).abs() < 1e-9);

    let mut records = Vec::new();
    for (judge, score) in [
        ("j@questions=generic", 2),
        ("j@questions=specific", 4),
        ("k", 6),
    ] {
        records.extend(samples.map(|sample| record(sample, "m", judge, score)));
    }
    let mut session = open(&files(&samples, &records));
    let by_questions = found(&mut session, &query("questions"));
    assert_eq!(levels(&by_questions), ["generic", "specific"]);
    let by_judge = found(&mut session, &query("judge"));
    assert_eq!(levels(&by_judge).len(), 3);
    assert_eq!(by_judge.by, BY_CRITERION);
}

#[test]
fn every_row_of_the_csv_has_as_many_fields_as_its_head() {
    let (samples, records) = golden_records(&golden());
    let found = found(&mut open(&files(&samples, &records)), &query("mode"));
    let csv = found.to_csv();
    let mut lines = csv.lines();
    let head = lines.next().unwrap().split(',').count();
    // Nothing here needs quotes.
    assert!(lines.all(|line| line.split(',').count() == head), "{csv}");
    assert!(csv.contains("\ndifference,m,j,mode,b,base,criterion,image_quality,"));
}

#[test]
fn what_papers_print_stands_under_levels_and_criteria_that_are_known() {
    for protocol in juror_protocols::registry::ALL {
        let printed = protocol.printed_levels();
        let criteria = protocol.criteria();
        for one in &printed {
            assert!(
                criteria.iter().any(|info| info.id == one.criterion),
                "{}: {one:?}",
                protocol.id()
            );
            assert!(!one.source.is_empty() && !one.level.is_empty());
        }
    }
    // Table 9's averages are weighted by the full benchmark's counts, and not the plain ones.
    let printed = juror_protocols::registry::ALL
        .iter()
        .flat_map(|protocol| protocol.printed_levels())
        .filter(|one| one.factor == "questions" && one.base == "BAGEL" && one.level == "generic");
    let printed: Vec<_> = printed.collect();
    let counts = [200.0, 200.0, 100.0, 240.0, 200.0, 103.0];
    let tasks: Vec<f64> = printed
        .iter()
        .filter(|one| one.scope == "domain")
        .map(|one| one.value)
        .collect();
    let weighted: f64 = tasks.iter().zip(counts).map(|(x, w)| x * w).sum::<f64>() / 1043.0;
    let average = printed
        .iter()
        .find(|one| one.scope == "overall")
        .unwrap()
        .value;
    assert!(
        (weighted - average).abs() < 0.006,
        "{weighted} and {average}"
    );
    assert!((tasks.iter().sum::<f64>() / 6.0 - average).abs() > 1.0);
}

#[test]
fn the_levels_of_gamma_are_those_that_the_paper_prints_for_a_sweep() {
    let printed = juror_protocols::registry::ALL
        .iter()
        .flat_map(|protocol| protocol.printed_levels())
        .filter(|one| one.factor == "gamma");
    let printed: Vec<(f64, f64)> = printed
        .map(|one| (one.level.parse().unwrap(), one.value))
        .collect();
    let sweep = juror_metrics::printed_scores().into_iter().flat_map(|row| {
        let scores = row.scores.into_iter();
        scores.map(move |(_, score)| (row.gamma, score.unwrap()))
    });
    assert_eq!(printed, sweep.collect::<Vec<_>>());
    assert_eq!(printed.len(), 30);
}

#[test]
fn printed_numbers_keep_the_decimals_of_their_table_and_stand_beside_the_means_here() {
    let samples = [0, 1];
    let mut records = Vec::new();
    for (model, score) in [
        ("Qwen3-VL@context=no", 4),
        ("Qwen3-VL@context=yes-first", 6),
    ] {
        for criterion in ["key_point", "visual_consistency", QUALITY] {
            records.extend(samples.map(|sample| journal::Record {
                criterion: criterion.to_owned(),
                ..record(sample, model, "j", score)
            }));
        }
    }
    let mut session = open(&files(&samples, &records));
    let found = found(&mut session, &query("context"));
    let printed = |base: &str, level: &str| {
        let mut all = found.printed.iter().zip(&found.own);
        let (one, own) = all
            .find(|(one, _)| (one.base.as_str(), one.level.as_str()) == (base, level))
            .unwrap();
        (one.value, one.decimals, *own)
    };
    let (value, decimals, own) = printed("Qwen3-VL", "no");
    assert!((value - 0.13).abs() < 1e-12 && decimals == 3);
    assert!((own.unwrap() - 0.4).abs() < 1e-12, "{own:?}");
    let (_, _, other) = printed("Qwen3-VL", "yes-first");
    assert!((other.unwrap() - 0.6).abs() < 1e-12, "{other:?}");
    assert_eq!(printed("GPT-4o", "no").2, None);
    let cells = &row(&found, 0, "total").cells;
    let shown: Vec<String> = cells
        .iter()
        .filter_map(|cell| cell.printed.map(|printed| printed.to_string()))
        .collect();
    assert_eq!(shown, ["0.130", "0.347"]);
    let markdown = found.to_markdown();
    assert!(markdown.contains(" total | 0.130 | 0.400 |"), "{markdown}");
    assert!(markdown.contains(" total | 0.700 | – |"), "{markdown}");
}
