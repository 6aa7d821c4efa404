//! The sheets of printed reliability against the papers' tables, cell by cell: no figure without a cell, and no cell without one.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeMap;

use juror_model::reliability::PrintedFigure;

/// What a figure is, and its number with that of its interval as printed.
type Cell = (String, f64, Option<f64>);

/// One row of a table by column, without rows of comments.
type Record = BTreeMap<&'static str, &'static str>;

fn records(text: &'static str) -> Vec<Record> {
    let mut lines = text.lines().filter(|line| !line.starts_with('#'));
    let head: Vec<&str> = lines.next().unwrap().split(',').collect();
    let record = |line: &'static str| head.iter().copied().zip(line.split(',')).collect();
    lines.map(record).collect()
}

/// What is printed in the fields of these columns; an empty one is no cell.
fn cells(
    text: &'static str,
    columns: &[(&'static str, &str)],
    name: impl Fn(&Record, &str) -> String,
) -> Vec<Cell> {
    let of_row = |record: Record| {
        let of_column = |(column, is): &(&'static str, &str)| {
            let value = record[column].parse().ok()?;
            Some((name(&record, is), value, None))
        };
        columns.iter().filter_map(of_column).collect::<Vec<Cell>>()
    };
    records(text).into_iter().flat_map(of_row).collect()
}

/// The figures of a benchmark whose source is one of these.
fn figures(protocol: &str, is_meant: impl Fn(&PrintedFigure) -> bool) -> Vec<PrintedFigure> {
    let mut all = juror_protocols::registry::ALL.iter();
    let protocol = all.find(|one| one.id() == protocol).unwrap();
    let figures = protocol.reliability().into_iter();
    figures.filter(|figure| is_meant(figure)).collect()
}

fn from(source: &'static str) -> impl Fn(&PrintedFigure) -> bool {
    move |figure| figure.source == source
}

/// Figures under the names that cells have.
fn named(figures: &[PrintedFigure], name: impl Fn(&PrintedFigure) -> Vec<&str>) -> Vec<Cell> {
    let figures = figures.iter();
    let cell = |figure: &PrintedFigure| {
        let kind = figure.kind.id();
        let name = [vec![kind], name(figure)].concat().join("|");
        (name, figure.value, figure.half)
    };
    figures.map(cell).collect()
}

/// What one side has and the other has not.
fn apart(mut found: Vec<Cell>, mut wanted: Vec<Cell>) -> Vec<Cell> {
    let key = |a: &Cell, b: &Cell| a.0.cmp(&b.0).then_with(|| a.1.total_cmp(&b.1));
    found.sort_by(key);
    wanted.sort_by(key);
    assert!(!wanted.is_empty());
    let both = |cell: &Cell, other: &[Cell]| other.contains(cell);
    let only = found.iter().filter(|cell| !both(cell, &wanted));
    let missing = wanted.iter().filter(|cell| !both(cell, &found));
    let mut apart: Vec<Cell> = only.chain(missing).cloned().collect();
    if found.len() != wanted.len() {
        apart.push((
            "counts".to_owned(),
            found.len() as f64,
            Some(wanted.len() as f64),
        ));
    }
    apart
}

fn none() -> Vec<Cell> {
    Vec::new()
}

/// MICON-Bench's tasks under the names of its tables' columns.
const TASKS: [(&str, &str); 6] = [
    ("object", "object_composition"),
    ("spatial", "spatial_geometric_constraints"),
    ("attribute", "attribute_style_decoupling"),
    ("component", "local_element_transfer"),
    ("fgbg", "foreground_background_composition"),
    ("story", "story_infer"),
];

#[test]
fn micons_other_metrics_costs_and_strengths_are_as_printed() {
    let columns = [
        (
            "clip_t2i_object",
            "object_composition|CLIP of text and picture",
        ),
        (
            "clip_t2i_spatial",
            "spatial_geometric_constraints|CLIP of text and picture",
        ),
        ("clip_i2i_object", "object_composition|CLIP of pictures"),
        (
            "clip_i2i_spatial",
            "spatial_geometric_constraints|CLIP of pictures",
        ),
        ("dino_object", "object_composition|DINO v2"),
        ("dino_spatial", "spatial_geometric_constraints|DINO v2"),
        ("lpips_object", "object_composition|LPIPS"),
        ("lpips_spatial", "spatial_geometric_constraints|LPIPS"),
    ];
    let wanted = cells(
        include_str!("../../golden/tables/micon_T4.csv"),
        &columns,
        |record, is| format!("mean|{}|{is}", record["model"]),
    );
    let found = figures("micon", from("Table 4"));
    let found = named(&found, |one| vec![&one.model, &one.key, &one.criterion]);
    assert_eq!(apart(found, wanted), none());

    let columns = [
        ("bagel", "BAGEL"),
        ("bagel_dar", "BAGEL + DAR"),
        ("omnigen2", "OmniGen2"),
        ("omnigen2_dar", "OmniGen2 + DAR"),
    ];
    let text = include_str!("../../../crate/juror_protocols/src/micon/published/T7.csv");
    let wanted = cells(text, &columns, |record, is| {
        format!("seconds|{is}|references|{}", record["refs"])
    });
    let found = figures("micon", from("Table 7"));
    let found = named(&found, |one| vec![&one.model, &one.scope, &one.key]);
    assert_eq!(apart(found, wanted), none());

    let text = include_str!("../../../crate/juror_metrics/src/dar/published/T8.csv");
    let wanted = cells(text, &TASKS, |record, is| {
        format!(
            "mean|{is}|total|strength γ of the attention = {}",
            record["gamma"]
        )
    });
    let found = figures("micon", from("Table 8"));
    let found = named(&found, |one| vec![&one.key, &one.criterion, &one.remark]);
    assert_eq!(apart(found, wanted), none());
}

#[test]
fn micons_checkpoints_people_and_runs_are_as_printed() {
    let columns = [TASKS.as_slice(), &[("avg", "")]].concat();
    let wanted = cells(
        include_str!("../../golden/tables/micon_T9.csv"),
        &columns,
        |record, is| {
            let (model, level) = record["model"]
                .trim_end_matches(')')
                .split_once('(')
                .unwrap();
            let level = level.to_lowercase();
            format!("mean|{model}|{is}|{level}")
        },
    );
    let found = figures("micon", from("Table 9"));
    let found = named(&found, |one| {
        let level = one.remark.split(' ').next().unwrap();
        vec![&one.model, &one.key, level]
    });
    assert_eq!(apart(found, wanted), none());

    let columns = [
        ("human", "people"),
        ("qwen3vl", "Qwen3-VL-32B"),
        ("internvl35", "InternVL3.5-38B"),
    ];
    let wanted = cells(
        include_str!("../../golden/tables/micon_T12.csv"),
        &columns,
        |record, is| format!("mean|rankings|{}|{is}|total", record["model"]),
    );
    assert_eq!(wanted.len(), 30);
    let found = figures("micon", from("Table 12"));
    let found = named(&found, |one| {
        vec![&one.pairing, &one.model, &one.a, &one.criterion]
    });
    assert_eq!(apart(found, wanted), none());

    let averages = include_str!("../../golden/tables/micon_STABILITY.csv");
    let mut wanted = cells(averages, &[("avg", "")], |record, _| {
        format!("mean|runs|BAGEL|{}", record["run"])
    });
    let values = || wanted.iter().map(|cell| cell.1);
    let most = values().fold(f64::MIN, f64::max);
    let least = values().fold(f64::MAX, f64::min);
    let rounded = ((most - least) * 100.0).round() / 100.0;
    wanted.push(("largest_difference|runs|BAGEL|".to_owned(), rounded, None));
    let found = figures("micon", |one| {
        one.source == "text of the paper" && one.pairing == "runs"
    });
    let found = named(&found, |one| vec![&one.pairing, &one.model, &one.key]);
    assert_eq!(apart(found, wanted), none());
}

#[test]
fn multibananas_judges_runs_and_instructions_are_as_printed() {
    let columns = [
        ("pearson", "pearson"),
        ("spearman", "spearman"),
        ("cohen_kappa", "kappa"),
    ];
    let text = include_str!("../../golden/tables/multibanana_T4.csv");
    let wanted = cells(text, &columns, |record, is| {
        format!("{is}|people|{}", record["judge"])
    });
    let found = figures("multibanana", from("Table 4"));
    assert_eq!(
        apart(named(&found, |one| vec![&one.a, &one.b]), wanted),
        none()
    );

    let wanted = records(include_str!("../../golden/tables/multibanana_T9.csv"));
    let wanted = wanted.into_iter().map(|record| {
        let criterion = record["criterion"].to_lowercase().replace(' ', "_");
        let criterion = criterion.replace("overall", "total");
        let [value, half] = ["r", "ci95"].map(|column| record[column].parse().unwrap());
        (format!("pearson_parts|{criterion}"), value, Some(half))
    });
    let found = figures("multibanana", from("Table 9"));
    let found = named(&found, |one| vec![&one.criterion]);
    assert_eq!(apart(found, wanted.collect()), none());

    let columns = [
        ("3-ref", "3"),
        ("4-ref", "4"),
        ("5-ref", "5"),
        ("6-ref", "6"),
        ("7-ref", "7"),
        ("8-ref", "8"),
    ];
    let text = include_str!("../../golden/tables/multibanana_T10.csv");
    let wanted = cells(text, &columns, |record, is| {
        format!("standard_error|{}|references|{is}", record["model"])
    });
    let found = figures("multibanana", from("Table 10"));
    let both = [vec!["gpt", "gpt5*"], vec!["gemini", "gemini25*"]];
    assert!(found.iter().all(|one| one.ids == both.clone().map(strings)));
    let found = named(&found, |one| vec![&one.model, &one.scope, &one.key]);
    assert_eq!(apart(found, wanted), none());

    let columns = [
        ("qwen_image_edit", "Qwen-Image-Edit"),
        ("qwen_image_edit_2509", "Qwen-Image-Edit-2509"),
    ];
    let text = include_str!("../../golden/tables/multibanana_T11.csv");
    let wanted = cells(text, &columns, |record, is| {
        format!("mean|{is}|{}", record["task"])
    });
    let found = figures("multibanana", from("Table 11"));
    assert_eq!(
        apart(named(&found, |one| vec![&one.model, &one.key]), wanted),
        none()
    );

    let columns = [
        ("reference_consistency", "reference_consistency"),
        ("background_subject_match", "background_subject_match"),
    ];
    let text = include_str!("../../golden/tables/multibanana_T15.csv");
    let wanted = cells(text, &columns, |record, is| {
        format!("mean|{is}|instruction: {}", record["prompt"].to_lowercase())
    });
    let found = figures("multibanana", from("Table 15"));
    let found = named(&found, |one| {
        vec![&one.criterion, one.remark.split(';').next().unwrap()]
    });
    assert_eq!(apart(found, wanted), none());
}

fn strings(ids: Vec<&str>) -> Vec<String> {
    ids.into_iter().map(str::to_owned).collect()
}

/// A rater of MultiRef's tables by the sides of a figure.
fn rater(figure: &PrintedFigure) -> &str {
    if figure.pairing == "human_human" {
        "Human-Human"
    } else {
        &figure.b
    }
}

#[test]
fn multirefs_judges_beside_people_are_as_printed_in_both_tables() {
    let criteria = ["IQ", "IF", "SF"];
    let kinds = ["pearson", "spearman", "mse", "mae"];
    let columns: Vec<(&'static str, String)> = criteria
        .iter()
        .flat_map(|criterion| kinds.map(|kind| (*criterion, kind)))
        .map(|(criterion, kind)| {
            let column: &'static str = format!("{criterion}_{kind}").leak();
            (column, format!("{kind}|{criterion}"))
        })
        .collect();
    let columns: Vec<(&'static str, &str)> = columns
        .iter()
        .map(|(column, is)| (*column, is.as_str()))
        .collect();
    let text = include_str!("../../golden/tables/multiref_T10.csv");
    let wanted = cells(text, &columns, |record, is| {
        let half = match record["part"] {
            "Realistic" => "real-world",
            _ => "synthetic",
        };
        format!("{is}|{}|{half}", record["model"])
    });
    assert_eq!(wanted.len(), 8 * 12);
    let found = figures("multiref", |one| one.source.contains("10"));
    let cells_of =
        |found: &[PrintedFigure]| named(found, |one| vec![&one.criterion, rater(one), &one.key]);
    assert_eq!(apart(cells_of(&found), wanted), none());

    let columns = [
        ("real_IQ", "IQ|real-world"),
        ("real_IF", "IF|real-world"),
        ("real_SF", "SF|real-world"),
        ("syn_IQ", "IQ|synthetic"),
        ("syn_IF", "IF|synthetic"),
        ("syn_SF", "SF|synthetic"),
    ];
    let text = include_str!("../../golden/tables/multiref_T3.csv");
    let wanted = cells(text, &columns, |record, is| {
        let (criterion, half) = is.split_once('|').unwrap();
        format!("pearson|{criterion}|{}|{half}", record["model"])
    });
    let found = figures("multiref", from("Tables 3 and 10"));
    assert_eq!(apart(cells_of(&found), wanted), none());
}

#[test]
fn multirefs_order_and_filters_are_as_printed() {
    let names = [
        "FID",
        "aesthetic",
        "bbox",
        "semantic_map",
        "mask",
        "depth",
        "canny",
        "sketch",
        "caption",
        "pose",
        "subject",
        "art_style",
    ];
    let columns = names.map(|name| (name, name));
    let text = include_str!("../../golden/tables/multiref_T5.csv");
    let wanted = cells(text, &columns, |record, is| {
        let setting = record["setting"].to_lowercase();
        format!("mean|{}|{is}|setting: {setting}", record["model"])
    });
    let found = figures("multiref", from("Table 5"));
    let found = named(&found, |one| {
        let setting = one.remark.split(';').next().unwrap();
        vec![&one.model, &one.criterion, setting]
    });
    assert_eq!(apart(found, wanted), none());

    let text = include_str!("../../golden/tables/multiref_T8.csv");
    let mut wanted = Vec::new();
    for record in records(text) {
        for (column, value) in record.iter().filter(|(column, _)| **column != "model") {
            let (of, kind) = column.rsplit_once('_').unwrap();
            let name = format!("{kind}|{}|{of}", record["model"]);
            wanted.push((name, value.parse().unwrap(), None));
        }
    }
    assert_eq!(wanted.len(), 5 * 22);
    let found = figures("multiref", from("Table 8"));
    let found = named(&found, |one| vec![&one.b, &one.criterion]);
    assert_eq!(apart(found, wanted), none());
}

#[test]
fn vibes_correlations_and_weaves_bars_are_as_printed_or_measured() {
    let text = include_str!("../../golden/tables/vibe_PEARSON.csv");
    let wanted = cells(text, &[("r", "")], |record, _| {
        format!("pearson|{}", record["scope"].replace("overall", ""))
    });
    let found = figures("vibe", |_| true);
    assert_eq!(apart(named(&found, |one| vec![&one.model]), wanted), none());

    let text = include_str!("../../golden/tables/weave_F6.csv");
    let mut wanted = cells(text, &[("value", "")], |record, _| {
        let [part, row, column] = ["part", "row", "column"].map(|name| record[name]);
        let kind = if part == "d" { "pearson" } else { "mean" };
        format!("{kind}|Figure 6({part})|{row}|{column}")
    });
    for cell in &mut wanted {
        cell.2 = Some(0.003);
    }
    let found = figures("weave", |_| true);
    let found = named(&found, |one| {
        let of_remark = one.remark.strip_prefix("measured from the drawing; ");
        let of_remark = of_remark.map(|remark| remark.rsplit(": ").next().unwrap());
        let (row, column) = match one.kind.id() {
            "pearson" if one.a == "people" => (&one.criterion, "people"),
            "pearson" => (&one.criterion, one.b.as_str()),
            _ => (&one.model, of_remark.unwrap()),
        };
        vec![&one.source, row, column]
    });
    assert_eq!(apart(found, wanted), none());
}

#[test]
fn a_figure_that_is_off_by_its_last_digit_and_one_that_is_missing_are_noticed() {
    let text = include_str!("../../golden/tables/vibe_PEARSON.csv");
    let wanted = || {
        cells(text, &[("r", "")], |record, _| {
            format!("pearson|{}", record["scope"].replace("overall", ""))
        })
    };
    let mut found = figures("vibe", |_| true);
    found[0].value += 0.0001;
    let cells_of = |found: &[PrintedFigure]| named(found, |one| vec![&one.model]);
    assert_eq!(apart(cells_of(&found), wanted()).len(), 2);
    found[0].value = wanted()[0].1;
    assert_eq!(apart(cells_of(&found[1..]), wanted()).len(), 2);
}
