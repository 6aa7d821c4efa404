//! Two crossed factors of an experiment, through the session, against SciPy and by hand.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use crate::experiments::{CLOSE, QUALITY, record};
use juror_judging::journal;
use juror_session::Session;
use juror_session::view::experiments::{
    ExperimentQuery, ExperimentRow, Experiments, LevelCell, LevelDifference,
};
use juror_tests::generate::{Dialogue, File, open};
use serde_json::Value;

#[track_caller]
fn close(found: f64, expected: &Value) {
    let expected = expected.as_f64().unwrap();
    assert!(
        (found - expected).abs() < CLOSE * expected.abs().max(1.0),
        "found {found}, expected {expected}"
    );
}

fn files(samples: &[usize], records: &[journal::Record]) -> Vec<File> {
    let item = |idx: &usize| {
        Dialogue {
            idx: *idx,
            num_pictures: 1,
            num_texts: 0,
        }
        .item()
    };
    let dialogues: Vec<Value> = samples.iter().map(item).collect();
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

fn query(factor: &str, second: &str) -> ExperimentQuery {
    ExperimentQuery {
        factor: factor.to_owned(),
        by_factor: second.to_owned(),
        by: "domain".to_owned(),
        criterion: QUALITY.to_owned(),
        ..ExperimentQuery::default()
    }
}

fn found(session: &mut Session, query: &ExperimentQuery) -> Experiments {
    juror_session::experiments(session, query).unwrap()
}

#[track_caller]
fn row<'a>(found: &'a Experiments, key: &str, by_level: &str) -> &'a ExperimentRow {
    let mut rows = found.blocks[0].rows.iter();
    rows.find(|row| row.key == key && row.by_level == by_level)
        .unwrap()
}

fn golden() -> Value {
    serde_json::from_str(include_str!("../../golden/crossed.json")).unwrap()
}

/// The name of a submission of these levels; the base as it is has none in its name.
fn name(order: &str, format: &str) -> String {
    let levels = [("order", order), ("format", format)].into_iter();
    let levels = levels.filter(|(_, level)| *level != "base");
    levels.fold("m".to_owned(), |name, (factor, level)| {
        format!("{name}@{factor}={level}")
    })
}

/// The replies of the vectors about all cells but the one that is named, if any.
fn golden_records(
    golden: &Value,
    without: Option<[&str; 2]>,
) -> (Vec<usize>, Vec<journal::Record>) {
    let samples = golden["samples"].as_array().unwrap().iter();
    let samples: Vec<usize> = samples
        .map(|idx| usize::try_from(idx.as_u64().unwrap()).unwrap())
        .collect();
    let mut records = Vec::new();
    for format in ["base", "jpg", "png"] {
        for order in ["base", "switched"] {
            if without == Some([order, format]) {
                continue;
            }
            let scores = golden["scores"][format][order].as_array().unwrap();
            for (sample, score) in samples.iter().zip(scores) {
                let record = |score| record(*sample, &name(order, format), "j", score);
                records.extend(score.as_u64().map(record));
            }
        }
    }
    (samples, records)
}

#[track_caller]
fn same(found: &LevelDifference, expected: &Value) {
    close(found.value.value, &expected["value"]);
    close(found.value.low.unwrap(), &expected["interval"][0]);
    close(found.value.high.unwrap(), &expected["interval"][1]);
    close(found.p.unwrap(), &expected["p"]);
    close(found.p_corrected.unwrap(), &expected["p_corrected"]);
    let corrected = found.corrected.unwrap();
    close(corrected[0], &expected["corrected"][0]);
    close(corrected[1], &expected["corrected"][1]);
    assert_eq!(Value::from(found.n), expected["n"]);
}

#[test]
fn differences_at_each_level_and_differences_of_differences_are_those_of_scipy() {
    let golden = golden();
    let (samples, records) = golden_records(&golden, None);
    let mut session = open(&files(&samples, &records));
    let found = found(&mut session, &query("order", "format"));
    assert_eq!(found.by_levels, ["base", "jpg", "png"]);
    assert_eq!(
        (found.blocks.len(), found.blocks[0].base.as_str()),
        (1, "m")
    );
    assert_eq!(Value::from(found.comparisons), golden["comparisons"]);
    let order: Vec<(&str, &str)> = found.blocks[0].rows[..4]
        .iter()
        .map(|row| (row.key.as_str(), row.by_level.as_str()))
        .collect();
    assert_eq!(order[0].0, order[2].0, "all levels of a group in turn");
    assert_eq!(order[3].1, "base");
    for key in ["optics", "edit", "total"] {
        for format in ["base", "jpg", "png"] {
            let expected = &golden["rows"][key][format];
            let [first, switched] = row(&found, key, format).cells.as_slice() else {
                panic!("two levels");
            };
            assert!(first.difference.is_none() && first.interaction.is_none());
            same(
                switched.difference.as_ref().unwrap(),
                &expected["difference"],
            );
            assert_eq!(switched.interaction.is_some(), format != "base");
            if let Some(interaction) = &switched.interaction {
                same(interaction, &expected["interaction"]);
                assert_eq!(interaction.relative, None);
            }
        }
    }
    let total = row(&found, "total", "jpg").cells[1].interaction.clone();
    let total = total.unwrap();
    assert_eq!(
        (total.n, total.expected),
        (11, 13),
        "of those that should be"
    );
}

#[test]
fn the_sentence_says_where_differences_differ_and_where_they_do_not() {
    let (samples, records) = golden_records(&golden(), None);
    let found = found(
        &mut open(&files(&samples, &records)),
        &query("order", "format"),
    );
    let sentence = &found.blocks[0].sentence;
    for said in [
        "m made (judge: j) with order = switched instead of base at format = jpg scores higher",
        "instead of base at format = png shows no difference",
        "at format = jpg is larger than that at format = base: mean paired difference 0.236 over 11",
        "at format = png does not differ from that at format = base",
    ] {
        assert!(sentence.contains(said), "{said}: {sentence}");
    }
    assert!(!sentence.contains("png is "), "{sentence}");
}

/// A cell without what is corrected over the table.
fn own(cell: &LevelCell) -> (Option<f64>, u32, Option<u32>) {
    (cell.mean.map(|mean| mean.value), cell.n, cell.expected)
}

#[test]
fn an_empty_cell_is_said_and_gives_no_difference_of_differences() {
    let golden = golden();
    let (samples, records) = golden_records(&golden, Some(["switched", "png"]));
    let found = found(
        &mut open(&files(&samples, &records)),
        &query("order", "format"),
    );
    assert_eq!(found.by_levels, ["base", "jpg", "png"]);
    let png = row(&found, "total", "png");
    assert_eq!(own(&png.cells[1]), (None, 0, None));
    assert!(png.cells[1].difference.is_none() && png.cells[1].interaction.is_none());
    assert!(png.cells[0].mean.is_some(), "the other cell stays");
    let note = "Nothing of m is order = switched with format = png";
    assert!(
        found.notes.iter().any(|one| one.starts_with(note)),
        "{:?}",
        found.notes
    );
    assert!(row(&found, "total", "jpg").cells[1].interaction.is_some());
    // With all cells nothing is said to be empty.
    let (samples, records) = golden_records(&golden, None);
    let whole = juror_session::experiments(
        &mut open(&files(&samples, &records)),
        &query("order", "format"),
    );
    let notes = whole.unwrap().notes;
    assert!(
        !notes.iter().any(|one| one.starts_with("Nothing of")),
        "{notes:?}"
    );
}

#[test]
fn what_differs_in_another_factor_has_a_table_of_its_own_and_a_note_says_so() {
    let (samples, records) = golden_records(&golden(), None);
    let mut session = open(&files(&samples, &records));
    let apart = found(&mut session, &query("order", ""));
    let bases: Vec<&str> = apart
        .blocks
        .iter()
        .map(|block| block.base.as_str())
        .collect();
    assert_eq!(bases, ["m", "m@format=jpg", "m@format=png"]);
    let note = "Levels of format differ as well";
    assert!(apart.notes.iter().any(|one| one.starts_with(note)));
    let crossed = found(&mut session, &query("order", "format"));
    assert!(!crossed.notes.iter().any(|one| one.starts_with(note)));
    // The numbers are those of the tables by themselves.
    for (block, format) in apart.blocks.iter().zip(["base", "jpg", "png"]) {
        let total = block.rows.last().unwrap();
        let same = row(&crossed, "total", format);
        assert_eq!(
            total.cells.iter().map(own).collect::<Vec<_>>(),
            same.cells.iter().map(own).collect::<Vec<_>>()
        );
    }
    // A third factor is never mixed into a cell.
    let mut records = records;
    records.extend(
        samples
            .iter()
            .map(|sample| record(*sample, "m@order=switched,format=jpg,seed=2", "j", 1)),
    );
    let mut session = open(&files(&samples, &records));
    let three = found(&mut session, &query("order", "format"));
    let bases: Vec<&str> = three
        .blocks
        .iter()
        .map(|block| block.base.as_str())
        .collect();
    assert_eq!(bases, ["m", "m@seed=2"]);
    let jpg = &row(&three, "total", "jpg").cells[1];
    assert_eq!(own(jpg), own(&row(&crossed, "total", "jpg").cells[1]));
    assert!(
        three
            .notes
            .iter()
            .any(|one| one.contains("Levels of seed differ"))
    );
}

#[test]
fn a_wrong_second_factor_is_an_error_that_lists_the_others() {
    let (samples, records) = golden_records(&golden(), None);
    let mut session = open(&files(&samples, &records));
    for wrong in ["order", "nothing"] {
        let error = juror_session::experiments(&mut session, &query("order", wrong)).unwrap_err();
        let said = error.to_string();
        assert!(
            said.contains("there are format") && said.contains("variant.json"),
            "{said}"
        );
    }
    let mut wrong = query("order", "format");
    wrong.base = "m@format=png".to_owned();
    assert!(
        juror_session::experiments(&mut session, &wrong).is_err(),
        "it is a row of m now"
    );
}

#[test]
fn a_factor_of_submissions_is_crossed_with_judges_and_their_levels() {
    let samples = [0, 16, 32, 48, 64, 80];
    let mut records = Vec::new();
    for (at, sample) in (0..).zip(samples) {
        // Judge a sees a rise of 2, judge b one of 5 or 6.
        for (model, judge, score) in [
            ("m", "a", 2),
            ("m@order=switched", "a", 4),
            ("m", "b", 1 + at % 2),
            ("m@order=switched", "b", 7),
        ] {
            records.push(record(sample, model, judge, score));
        }
    }
    let mut session = open(&files(&samples, &records));
    let by_judge = found(&mut session, &query("order", "judge"));
    assert_eq!(by_judge.by_levels, ["a", "b"]);
    let total = |found: &Experiments, level: &str| row(found, "total", level).cells[1].clone();
    let rise = |cell: &LevelCell| cell.difference.as_ref().unwrap().value.value;
    assert!((rise(&total(&by_judge, "a")) - 0.2).abs() < 1e-9);
    assert!((rise(&total(&by_judge, "b")) - 0.55).abs() < 1e-9);
    let interaction = total(&by_judge, "b").interaction.unwrap();
    assert!((interaction.value.value - 0.35).abs() < 1e-9 && interaction.separated);
    assert_eq!(
        by_judge.blocks[0].lanes[1].sources[0]
            .as_ref()
            .unwrap()
            .judge,
        "b"
    );
    // The other way round the cells are the same.
    let turned = found(&mut session, &query("judge", "order"));
    assert_eq!(turned.by_levels, ["base", "switched"]);
    let other = total(&turned, "switched").interaction.unwrap();
    assert!((other.value.value - 0.35).abs() < 1e-9);
}

#[test]
fn every_export_has_the_second_factor_as_a_column() {
    let (samples, records) = golden_records(&golden(), None);
    let mut session = open(&files(&samples, &records));
    let crossed = found(&mut session, &query("order", "format"));
    let csv = crossed.to_csv();
    let mut lines = csv.lines();
    let head = lines.next().unwrap();
    assert!(head.ends_with(",note,by_factor,by_level"), "{head}");
    let interactions: Vec<&str> = csv
        .lines()
        .filter(|line| line.starts_with("interaction,"))
        .collect();
    assert_eq!(interactions.len(), 6);
    assert!(
        interactions
            .iter()
            .all(|line| { line.ends_with(",format,jpg") || line.ends_with(",format,png") })
    );
    let fields = head.split(',').count();
    // Nothing but the labels of averages needs quotes.
    let plain = lines.filter(|line| !line.contains('"'));
    assert!(
        plain.clone().count() > 20
            && plain
                .into_iter()
                .all(|line| line.split(',').count() == fields)
    );
    let markdown = crossed.to_markdown();
    assert!(
        markdown.contains("| domain | format | base | switched |\n|---|---|---|---|\n"),
        "{markdown}"
    );
    assert!(
        markdown.contains("| jpg | ") && markdown.contains("; difference of differences 0.236 [")
    );
    let latex = crossed.to_latex();
    assert!(latex.contains("\\begin{tabular}{llrrrrrr}"), "{latex}");
    assert!(
        latex.contains(
            "domain & format & base & n & switched & n & difference & of differences \\\\"
        )
    );
    assert!(latex.contains("0.236 [") && latex.contains("n = 11/13"));

    let single = found(&mut session, &query("order", ""));
    assert!(
        single
            .to_csv()
            .lines()
            .skip(1)
            .all(|line| line.ends_with(",,"))
    );
    assert!(single.to_latex().contains("\\begin{tabular}{lrrrrr}"));
    assert!(!single.to_markdown().contains("difference of differences"));
}
