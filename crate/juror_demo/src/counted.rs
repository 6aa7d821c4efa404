//! What the demo suites are made of, counted by the engine and from their files.
#![expect(
    clippy::unwrap_used,
    reason = "a test that cannot read its input should stop"
)]

use std::collections::BTreeSet;

use juror_session::view::statistics::BenchmarkStatistics;

use super::SUITES;
use super::loads::suite;
use super::spoiled::{Failing, opened};

fn counted(name: &str) -> BenchmarkStatistics {
    juror_session::statistics(&opened(&suite(name), &Failing::new()).linked()).unwrap()
}

#[test]
fn every_printed_total_stands_beside_a_table_of_the_same_groups() {
    for (name, _) in SUITES {
        let found = counted(name);
        assert!(!found.totals.is_empty(), "{name}");
        let tables: BTreeSet<&str> = found.tables.iter().map(|table| table.id.as_str()).collect();
        assert_eq!(tables.len(), found.tables.len(), "{name}: ids are unique");
        for total in &found.totals {
            assert!(tables.contains(total.table.as_str()), "{name}: {total:?}");
        }
        // A demo is a part of its benchmark, so some groups are here, and fewer of them than printed.
        let here = found.totals.iter().filter(|total| total.found > 0);
        assert!(here.clone().count() > 3, "{name}");
        assert!(
            here.clone().all(|total| total.found <= total.printed),
            "{name}"
        );
    }
}

#[test]
fn samples_of_every_demo_suite_are_those_of_its_files() {
    let num_files = |name: &str, is_it: &dyn Fn(&str) -> bool| {
        let files = suite(name).into_iter();
        u32::try_from(files.filter(|(path, _)| is_it(path)).count()).unwrap()
    };
    for (name, expected) in [
        (
            "multibanana",
            num_files("multibanana", &|path| path.ends_with("_prompt.txt")),
        ),
        (
            "micon",
            num_files("micon", &|path| path.contains("/cases/")),
        ),
    ] {
        let found = counted(name);
        let samples = found.tables[0].count("samples", "").unwrap();
        assert_eq!(samples, expected, "{name}");
        let tasks = found
            .tables
            .iter()
            .find(|table| table.id == "task")
            .unwrap();
        let of_tasks: u32 = tasks.rows.iter().map(|row| row.counts[0].n).sum();
        assert_eq!(of_tasks, expected, "{name}");
    }
}
