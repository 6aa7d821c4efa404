//! Sheets of the figures that papers print in addition to their scores: totals, reliability, and experiments.

use crate::published::{Record, Sheet};
use juror_model::counts::{KnownTotal, PrintedCount};
use juror_model::experiment::PrintedLevel;
use juror_model::reliability::{FigureKind, PrintedFigure};

/// The totals of a sheet with the columns `table`, `row`, `column`, `label`, `n`, `source` and `note`.
pub(super) fn totals(text: &'static str) -> Vec<KnownTotal> {
    let sheet = Sheet::new(text);
    let total = |record: Record<'_>| {
        let text = |column: &str| record.text(column).to_owned();
        Some(KnownTotal {
            n: record.text("n").parse().ok()?,
            table: text("table"),
            row: text("row"),
            column: text("column"),
            label: text("label"),
            source: text("source"),
            note: text("note"),
        })
    };
    sheet.records().filter_map(total).collect()
}

/// The numbers of a sheet with the columns `table`, `row`, `label`, `n`, `share` in percent, `of`, `source` and `note`.
pub(super) fn counts(text: &'static str) -> Vec<PrintedCount> {
    let sheet = Sheet::new(text);
    let count = |record: Record<'_>| {
        let text = |column: &str| record.text(column).to_owned();
        Some(PrintedCount {
            n: record.text("n").parse().ok()?,
            share: record.number("share").map(|percent| percent / 100.0),
            table: text("table"),
            row: text("row"),
            label: text("label"),
            of: text("of"),
            source: text("source"),
            note: text("note"),
        })
    };
    sheet.records().filter_map(count).collect()
}

/// The figures of a sheet with the columns `kind`, `pairing`, `a`, `b`, `a_ids`, `b_ids`, `model`, `scope`, `key`,
/// `criterion`, `value`, `half`, `source` and `remark`; ids of one side have `|` between them.
pub(super) fn reliability(text: &'static str) -> Vec<PrintedFigure> {
    let sheet = Sheet::new(text);
    let figure = |record: Record<'_>| {
        let text = |column: &str| record.text(column).to_owned();
        let ids = |column: &str| -> Vec<String> {
            let ids = record.text(column).split('|').filter(|id| !id.is_empty());
            ids.map(str::to_owned).collect()
        };
        let kind = record.text("kind");
        let kind = FigureKind::ALL.into_iter().find(|one| one.id() == kind)?;
        Some(PrintedFigure {
            kind,
            label: kind.label().to_owned(),
            pairing: text("pairing"),
            a: text("a"),
            b: text("b"),
            model: text("model"),
            scope: text("scope"),
            key: text("key"),
            criterion: text("criterion"),
            value: record.number("value")?,
            half: record.number("half"),
            source: text("source"),
            remark: text("remark"),
            ids: [ids("a_ids"), ids("b_ids")],
        })
    };
    sheet.records().filter_map(figure).collect()
}

/// The levels of a sheet with the columns `factor`, `base`, `level`, `usual`, `scope`, `key`, `criterion`, `value`, `source`
/// and `note`.
pub(super) fn levels(text: &'static str) -> Vec<PrintedLevel> {
    let sheet = Sheet::new(text);
    let level = |record: Record<'_>| {
        let text = |column: &str| record.text(column).to_owned();
        Some(PrintedLevel {
            value: record.number("value")?,
            decimals: decimals(record.text("value")),
            factor: text("factor"),
            base: text("base"),
            level: text("level"),
            is_usual: record.text("usual") == "yes",
            scope: text("scope"),
            key: text("key"),
            criterion: text("criterion"),
            source: text("source"),
            note: text("note"),
        })
    };
    sheet.records().filter_map(level).collect()
}

/// Digits after the point.
fn decimals(number: &str) -> u8 {
    let digits = number.split_once('.').map_or(0, |(_, digits)| digits.len());
    u8::try_from(digits).unwrap_or(u8::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::Protocol;
    use crate::registry;

    /// The lines of a sheet that are neither comments nor its head.
    fn lines(text: &str) -> usize {
        let lines = text.lines().filter(|line| !line.starts_with('#'));
        lines.filter(|line| !line.is_empty()).count() - 1
    }

    #[test]
    fn the_shares_of_all_combinations_that_were_made_are_those_of_their_counts() {
        let of = |id: &str| {
            let protocol = registry::ALL.iter().find(|own| own.id() == id);
            protocol.map_or_else(Vec::new, |own| own.printed_counts())
        };
        let combinations = of("multiref");
        assert_eq!(combinations.len(), 32);
        let all: u32 = combinations.iter().map(|one| one.n).sum();
        assert_eq!(all, 37_989, "38,076 less 87 that the table does not print");
        for one in &combinations {
            let share = f64::from(one.n) / 38_076.0;
            let printed = one.share.unwrap_or(f64::NAN);
            assert!((share - printed).abs() < 0.00006, "{}: {share}", one.label);
        }
        let categories = of("multibanana");
        assert!(categories.iter().all(|one| one.table.is_empty()));
        let photographs = categories
            .iter()
            .filter(|one| one.note == "category" && one.label.ends_with("photographs"));
        assert_eq!(photographs.map(|one| one.n).sum::<u32>(), 2844);
    }

    #[test]
    fn every_printed_figure_is_read_and_of_a_criterion_that_is_there_where_pairs_are_compared() {
        let sheets = [
            ("micon", include_str!("micon/published/reliability.csv")),
            (
                "multibanana",
                include_str!("multibanana/published/reliability.csv"),
            ),
            (
                "multiref",
                include_str!("multiref/published/reliability.csv"),
            ),
            ("vibe", include_str!("vibe/published/reliability.csv")),
            ("weave", include_str!("weave/published/reliability.csv")),
        ];
        for protocol in registry::ALL {
            let protocol: &dyn Protocol = *protocol;
            let figures = protocol.reliability();
            let sheet = sheets.iter().find(|(id, _)| *id == protocol.id());
            assert_eq!(figures.len(), sheet.map_or(0, |(_, text)| lines(text)));
            let criteria = protocol.criteria();
            let pairs = [
                "human_judge",
                "judge_judge",
                "human_human",
                "runs",
                "rankings",
            ];
            for figure in &figures {
                let name = format!("{} {figure:?}", protocol.id());
                assert!(!figure.source.is_empty(), "{name}");
                let is_compared = pairs.contains(&figure.pairing.as_str());
                let is_known = criteria.iter().any(|info| info.id == figure.criterion);
                assert!(!is_compared || is_known, "{name}");
            }
        }
    }

    #[test]
    fn one_level_of_a_printed_factor_is_the_benchmarks_own_or_none() {
        let mut usual: Vec<(String, String)> = Vec::new();
        for level in registry::ALL.iter().flat_map(|own| own.printed_levels()) {
            let is_other = |(factor, own): &&(String, String)| {
                *factor == level.factor && level.is_usual != (*own == level.level)
            };
            if level.is_usual {
                usual.push((level.factor.clone(), level.level.clone()));
            }
            assert_eq!(usual.iter().find(is_other), None, "{level:?}");
        }
        usual.sort();
        usual.dedup();
        let usual: Vec<(&str, &str)> = usual.iter().map(|(a, b)| (&**a, &**b)).collect();
        assert_eq!(
            usual,
            [
                ("caption", "with"),
                ("gamma", "0.15"),
                ("order", "original"),
                ("priority", "none"),
                ("questions", "generic")
            ]
        );
    }

    #[test]
    fn a_figure_of_an_unknown_kind_or_without_a_number_is_none() {
        let head = "kind,a_ids,value,half\n";
        let text = format!("{head}kappa,gpt|gpt5*,0.5,\nlikeness,,0.5,\nkappa,,,\n");
        let figures = reliability(Box::leak(text.into_boxed_str()));
        let [one] = figures.as_slice() else {
            panic!("{figures:?}");
        };
        assert_eq!(
            (one.kind, one.value, one.half),
            (FigureKind::Kappa, 0.5, None)
        );
        assert_eq!(
            one.ids,
            [vec!["gpt".to_owned(), "gpt5*".to_owned()], Vec::new()]
        );
    }
}
