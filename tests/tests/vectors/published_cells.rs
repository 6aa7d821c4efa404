//! Every printed cell beside what its parts come to: the misfits of the reproducibility checks, and no other.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use juror_model::options::Profile;
use juror_protocols::contract::Protocol;
use juror_protocols::published::{Cell, Published};
use juror_protocols::weave::score::weighted_total;
use juror_tests::tables::{Check, Table};

fn published(id: &str) -> Published {
    let protocols = juror_protocols::registry::ALL.iter();
    let found: Vec<&&dyn Protocol> = protocols.filter(|one| one.id() == id).collect();
    found[0].published()
}

/// Checked cells and those that do not follow: model, scope, key, printed, computed to four digits.
fn misfits(id: &str) -> (usize, Vec<String>) {
    let published = published(id);
    let cells: Vec<(&str, &Cell)> = published
        .rows
        .iter()
        .flat_map(|row| row.cells.iter().map(|cell| (row.model.as_str(), cell)))
        .filter(|(_, cell)| cell.recomputed.is_some())
        .collect();
    let wrong = cells
        .iter()
        .filter(|(_, cell)| cell.follows() == Some(false))
        .map(|(model, cell)| {
            let computed = cell.recomputed.unwrap().value;
            format!(
                "{model} {}/{} {} {computed:.4}",
                cell.scope, cell.key, cell.value
            )
        });
    (cells.len(), wrong.collect())
}

#[test]
fn of_weaves_100_category_totals_two_and_of_its_25_averages_four_do_not_follow() {
    let (checked, wrong) = misfits("weave");
    assert_eq!(checked, 125);
    assert_eq!(
        wrong,
        [
            "Intern3.5-VL (complete context) overall/all 0.231 0.2622",
            "UltraEdit(SD3) (partial context) category/Science 0.493 0.4950",
            "Ovis-U1 (partial context) overall/all 0.422 0.4056",
            "Ovis-U1 (partial context) category/Creation 0.557 0.5438",
            "Nano Banana (complete context) overall/all 0.767 0.7695",
            "Bagel + WEAVE-100k (partial context) overall/all 0.64 0.6325",
        ]
    );
}

#[test]
fn of_micons_averages_one_and_of_its_ablation_two_do_not_follow() {
    let (checked, wrong) = misfits("micon");
    assert_eq!(checked, 9 + 9 + 10 + 2);
    assert_eq!(
        wrong,
        [
            "Nano-Banana overall/all 89.25 88.6527",
            "BAGEL domain/object_composition 87.64 86.8067",
            "OmniGen2 domain/object_composition 89.52 91.0894",
        ]
    );
}

#[test]
fn of_vibes_levels_one_and_of_its_styles_seven_do_not_follow() {
    let (checked, wrong) = misfits("vibe");
    assert_eq!(checked, 49 + 17 + 17 + 5);
    let names = |start: &str| {
        let of = wrong.iter().filter(|line| line.contains(start));
        of.cloned().collect::<Vec<_>>()
    };
    assert_eq!(names("level/"), ["BAGEL level/Deictic 18.21 22.1275"]);
    assert_eq!(names("overall/"), [""; 0]);
    let styles = names("task/Draft_Instantiation");
    let models: Vec<&str> = styles
        .iter()
        .map(|line| line.split(" task/").next().unwrap())
        .collect();
    assert_eq!(
        models,
        [
            "Nano Banana Pro",
            "Nano Banana",
            "GPT-image-1",
            "Seedream 4.5",
            "Seedream 4.0",
            "Wan 2.5",
            "UniWorld-V1"
        ]
    );
    assert_eq!(wrong.len(), 8);
}

#[test]
fn every_checked_cell_of_multibanana_and_multiref_follows() {
    assert_eq!(misfits("multibanana"), (108 + 20, vec![]));
    assert_eq!(misfits("multiref"), (11 + 33, vec![]));
}

#[test]
fn gedit_averages_follow_from_their_columns_but_for_three() {
    let table = Table::new(include_str!("../../golden/tables/weave_T3.csv"));
    let mut check = Check::default();
    for model in table.rows() {
        let columns = table.columns().filter(|name| *name != "avg");
        let scores: Vec<f64> = columns
            .map(|name| table.number(model, name).unwrap())
            .collect();
        let computed = scores.iter().sum::<f64>() / scores.len() as f64;
        check.compare(model, table.number(model, "avg").unwrap(), computed, 0.0051);
    }
    assert_eq!(
        (check.compared, check.misfits.len()),
        (13, 3),
        "{:?}",
        check.misfits
    );
}

#[test]
fn a_cell_that_is_changed_by_a_hundredth_no_longer_follows() {
    let weave = published("weave");
    let row = weave
        .rows
        .iter()
        .find(|row| row.model.starts_with("AnyEdit"))
        .unwrap();
    let total = |cell: &&Cell| (cell.scope, cell.criterion) == ("category", "total");
    let mut cell = row.cells.iter().find(total).unwrap().clone();
    assert_eq!(cell.follows(), Some(true));
    cell.value += 0.01;
    assert_eq!(cell.follows(), Some(false));
    // 0.5 · 0.376 + 0.2 · 0.563 + 0.3 · 0.481 of Table 7.
    let by_hand = 0.188 + 0.1126 + 0.1443;
    let computed = weighted_total(
        &[Some(0.376), Some(0.563), Some(0.481), None],
        Profile::Paper,
    );
    assert!((computed.unwrap() - by_hand).abs() < 1e-12);
}

#[test]
fn every_printed_cell_stands_under_an_address_and_no_address_twice() {
    // A benchmark that brings its own protocol has no table here.
    let all = juror_protocols::registry::ALL.iter();
    for protocol in all.filter(|known| !known.is_named_by_file()) {
        let published = protocol.published();
        assert!(published.num_samples > 0 && !published.rows.is_empty());
        let criteria: Vec<String> = protocol
            .criteria()
            .into_iter()
            .map(|info| info.id)
            .collect();
        for row in &published.rows {
            let mut seen = std::collections::HashSet::new();
            for cell in &row.cells {
                let address = (cell.scope, cell.key, cell.criterion);
                assert!(
                    seen.insert(address),
                    "{} {} {address:?}",
                    protocol.id(),
                    row.model
                );
                // What is measured has its metric's name before the kind of its other side.
                let metric = cell.criterion.split_once('@').map(|(metric, _)| metric);
                let is_known = criteria.iter().any(|id| id == cell.criterion)
                    || metric.is_some_and(|metric| juror_session::measure::info(metric).is_some());
                assert!(is_known, "{} {address:?}", protocol.id());
                assert!(cell.value.is_finite() && !cell.table.is_empty());
            }
        }
    }
}
