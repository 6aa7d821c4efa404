//! Compares figures of reliability that a paper prints with the user's own figures of the same kind.
//!
//! No verdict is made of the two: they rest on other outputs, and a difference stands only where kind and group are the same.

use crate::study::LinkedSession;
use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::printed_ranking::is_same;
use super::rankings::rankings_of;
use crate::error::Error;
use crate::measure::is_measured;
use crate::view::agreement::{
    Agreement, AgreementRow, OwnFigure, PrintedRow, RankingRow, RankingsQuery,
};
use juror_model::judge::{PEOPLE, is_person};
use juror_model::options::ScoreOptions;
use juror_model::reliability::{FigureKind, PrintedFigure};
use juror_model::row::ScoreRow;
use juror_model::terms::Estimate;
use juror_protocols::published::is_same_model;
use juror_reading::escape::{csv_field, csv_number};
use juror_statistics::level::Level;

/// What the user's own figures are found in.
pub(super) struct Own<'a> {
    /// Pairs, parts and runs.
    pub(super) found: &'a Agreement,
    /// Score rows of all judges, of people together, and of what is measured.
    pub(super) rows: &'a [ScoreRow],
    /// How far people's means of the models lie from each judge's.
    pub(super) deviations: &'a [Deviation],
}

/// How far two sides' means of the models lie apart.
pub(super) struct Deviation {
    a: String,
    b: String,
    criterion: String,
    row: RankingRow,
}

/// Each printed figure with those of the user's own that are of its kind, pairing and criterion.
///
/// Where one of the judges is the paper's, its figures alone stand there, else every judge's; of people the mean of all raters
/// where there is one. Figures are of the printed group or model where there are such, else of all outputs; means are of that
/// model and group or are not there.
pub(super) fn beside(printed: Vec<PrintedFigure>, own: &Own<'_>) -> Vec<PrintedRow> {
    let row = |figure: PrintedFigure| PrintedRow {
        own: own_figures(&figure, own),
        figure,
    };
    printed.into_iter().map(row).collect()
}

/// The paper's figures of two rankings: people and judges, for as many criteria as it prints.
///
/// # Errors
/// As [`rankings`].
pub(super) fn deviations(
    session: &LinkedSession<'_>,
    printed: &[PrintedFigure],
    options: &ScoreOptions,
    found: &Agreement,
) -> Result<Vec<Deviation>, Error> {
    let mut deviations: Vec<Deviation> = Vec::new();
    let kinds = printed.iter();
    let kinds = kinds.filter(|figure| figure.kind == FigureKind::MeanAbsoluteDeviation);
    let criteria: BTreeSet<&str> = kinds.map(|figure| figure.criterion.as_str()).collect();
    let at_hand = session.data.at_hand();
    if !at_hand.people.iter().any(|one| one == PEOPLE) {
        return Ok(deviations);
    }
    for criterion in criteria {
        for judge in &at_hand.judges {
            let query = RankingsQuery {
                a: PEOPLE.to_owned(),
                b: judge.clone(),
                criterion: criterion.to_owned(),
                scope: String::new(),
                profile: options.profile,
                level: found.level,
            };
            let rows = rankings_of(session, &query)?.rows.into_iter();
            deviations.extend(rows.map(|row| Deviation {
                a: PEOPLE.to_owned(),
                b: judge.clone(),
                criterion: criterion.to_owned(),
                row,
            }));
        }
    }
    Ok(deviations)
}

fn own_figures(figure: &PrintedFigure, own: &Own<'_>) -> Vec<OwnFigure> {
    let found = own.found;
    let mut all = match figure.kind {
        FigureKind::PearsonParts => of_parts(figure, found),
        FigureKind::StandardError | FigureKind::LargestDifference => of_runs(figure, found),
        FigureKind::Mean if figure.pairing == "runs" => of_one_run(figure, found),
        FigureKind::Mean => of_rows(figure, own.rows, found.level),
        FigureKind::MeanAbsoluteDeviation => of_rankings(figure, own.deviations),
        _ => of_pairs(figure, found),
    };
    let is_mean = figure.kind == FigureKind::Mean;
    for one in &mut all {
        one.is_same_judge = is_same(figure, &one.a, &one.b);
        let is_of_model = is_same_model(&figure.model, &one.model);
        let is_same_group =
            one.key == figure.key && (figure.scope.is_empty() || figure.scope == found.scope);
        // Means are looked up by what is printed.
        one.is_same_group = is_mean || (is_of_model && is_same_group);
        one.difference = one.is_same_group.then_some(one.value - figure.value);
    }
    // Closest first: the paper's own judge, then its group, then everybody who rated together.
    let closeness: [fn(&OwnFigure) -> bool; 3] = [
        |one| one.is_same_judge,
        |one| one.is_same_group,
        |one| one.a == PEOPLE,
    ];
    for is_close in closeness {
        if all.iter().any(is_close) {
            all.retain(is_close);
        }
    }
    // Without the printed group and model, only figures of all outputs can be compared with it.
    if !all.iter().any(|one| one.is_same_group) {
        all.retain(|one| one.model.is_empty() && one.key.is_empty());
    }
    all
}

/// A figure of the user's own, before it is held against the printed one.
fn figure_of(
    (a, b): (&str, &str),
    (model, key): (&str, &str),
    value: Estimate,
    (n, expected): (u32, u32),
) -> OwnFigure {
    OwnFigure {
        a: a.to_owned(),
        b: b.to_owned(),
        model: model.to_owned(),
        key: key.to_owned(),
        value: value.value,
        low: value.low,
        high: value.high,
        n,
        expected,
        is_same_judge: false,
        is_same_group: false,
        difference: None,
    }
}

fn of_pairs(figure: &PrintedFigure, found: &Agreement) -> Vec<OwnFigure> {
    let value: fn(&AgreementRow) -> Option<Estimate> = match figure.kind {
        FigureKind::Pearson => |row| row.pearson,
        FigureKind::Spearman => |row| row.spearman,
        FigureKind::Kappa => |row| row.kappa,
        FigureKind::Mae => |row| row.mae,
        FigureKind::Mse => |row| row.mse,
        _ => return Vec::new(),
    };
    let rows = found.pairs.iter();
    let same = rows.filter(|row| row.kind == figure.pairing && row.criterion == figure.criterion);
    let own = same.filter_map(|row| {
        let place = (&*row.model, &*row.key);
        let counts = (row.n, row.expected);
        Some(figure_of((&row.a, &row.b), place, value(row)?, counts))
    });
    own.collect()
}

fn of_parts(figure: &PrintedFigure, found: &Agreement) -> Vec<OwnFigure> {
    let rows = found.partitions.iter();
    let same = rows.filter(|row| row.kind == figure.pairing && row.criterion == figure.criterion);
    let own = same.filter_map(|row| {
        let counts = (row.n, row.expected);
        Some(figure_of((&row.a, &row.b), ("", &row.key), row.r?, counts))
    });
    own.collect()
}

fn of_runs(figure: &PrintedFigure, found: &Agreement) -> Vec<OwnFigure> {
    let rows = found.steadiness.iter();
    let same = rows.filter(|row| row.criterion == figure.criterion);
    let own = same.map(|row| {
        let value = match figure.kind {
            FigureKind::LargestDifference => row.largest_difference,
            _ => row.standard_error,
        };
        let alone = Estimate {
            value,
            low: None,
            high: None,
        };
        let place = (&*row.model, &*row.key);
        figure_of((&row.judge, ""), place, alone, (row.n, row.expected))
    });
    own.collect()
}

/// The average of one run: the printed one's key is its number.
fn of_one_run(figure: &PrintedFigure, found: &Agreement) -> Vec<OwnFigure> {
    let run: Option<usize> = figure.key.parse().ok();
    let Some(at) = run.and_then(|run| run.checked_sub(1)) else {
        return Vec::new();
    };
    let rows = found.steadiness.iter();
    let same = rows.filter(|row| row.criterion == figure.criterion && row.key.is_empty());
    let same = same.filter(|row| is_same_model(&figure.model, &row.model));
    let own = same.filter_map(|row| {
        let alone = Estimate {
            value: *row.averages.get(at)?,
            low: None,
            high: None,
        };
        let place = (&*row.model, &*figure.key);
        let counts = (row.n, row.expected);
        Some(figure_of((&row.judge, ""), place, alone, counts))
    });
    own.collect()
}

/// Means by everybody of the printed model, group and criterion. Those of a study's setting are in its experiments.
fn of_rows(figure: &PrintedFigure, rows: &[ScoreRow], level: Level) -> Vec<OwnFigure> {
    if !["rankings", "scores"].contains(&figure.pairing.as_str()) || figure.model.is_empty() {
        return Vec::new();
    }
    let group = match figure.scope.as_str() {
        "" => ("overall", "all"),
        scope => (scope, figure.key.as_str()),
    };
    let same = rows.iter().filter(|row| {
        // People are no other judge.
        (row.scope.as_str(), row.key.as_str()) == group
            && is_criterion(&figure.criterion, &row.criterion)
            && is_person(&row.judge) == (figure.a == PEOPLE)
            && is_same_model(&figure.model, &row.model)
    });
    let own = same.filter_map(|row| {
        // Score rows have their intervals at 95 %.
        let has_interval = level == Level::P95;
        let mean = Estimate {
            value: row.mean?,
            low: row.ci_low.filter(|_| has_interval),
            high: row.ci_high.filter(|_| has_interval),
        };
        let place = (&*row.model, &*figure.key);
        Some(figure_of(
            (&row.judge, ""),
            place,
            mean,
            (row.n, row.expected),
        ))
    });
    own.collect()
}

/// Whether a criterion is the printed one: of its id, or a measured one of that metric, which the table names in words.
fn is_criterion(printed: &str, own: &str) -> bool {
    let metric = own.split_once('@').map(|(metric, _)| metric);
    let metric = metric.filter(|_| is_measured(own));
    own == printed || metric.is_some_and(|metric| metric.eq_ignore_ascii_case(printed))
}

fn of_rankings(figure: &PrintedFigure, deviations: &[Deviation]) -> Vec<OwnFigure> {
    let same = deviations.iter();
    let same = same.filter(|one| one.criterion == figure.criterion && one.row.key == figure.key);
    let own = same.filter_map(|one| {
        let alone = Estimate {
            value: one.row.mean_absolute?,
            low: None,
            high: None,
        };
        let counts = (one.row.n, one.row.expected);
        Some(figure_of(
            (&one.a, &one.b),
            ("", &one.row.key),
            alone,
            counts,
        ))
    });
    own.collect()
}

impl Agreement {
    /// The printed figures as CSV, one row for each of the user's own beside them, and one where there is none.
    pub fn printed_csv(&self) -> String {
        let mut out = String::from(
            "kind,pairing,a,b,model,scope,key,criterion,printed,half,source,remark,own_a,own_b,own_model,own_key,own,own_low,own_high,n,expected,same_judge,same_group,difference\n",
        );
        for PrintedRow { figure, own } in &self.printed {
            let text = [
                figure.kind.id(),
                &figure.pairing,
                &figure.a,
                &figure.b,
                &figure.model,
                &figure.scope,
                &figure.key,
                &figure.criterion,
                &csv_number(figure.value),
                &csv_number(figure.half),
                &figure.source,
                &figure.remark,
            ];
            let printed = text.map(csv_field).join(",");
            if own.is_empty() {
                // Writing to a string cannot fail.
                let _ = writeln!(out, "{printed}{}", ",".repeat(12));
            }
            for one in own {
                let fields = [
                    csv_field(&one.a),
                    csv_field(&one.b),
                    csv_field(&one.model),
                    csv_field(&one.key),
                    csv_number(one.value),
                    csv_number(one.low),
                    csv_number(one.high),
                    one.n.to_string(),
                    one.expected.to_string(),
                    one.is_same_judge.to_string(),
                    one.is_same_group.to_string(),
                    csv_number(one.difference),
                ];
                let _ = writeln!(out, "{printed},{}", fields.join(","));
            }
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn estimate(value: f64) -> Estimate {
        Estimate {
            value,
            low: Some(value - 0.1),
            high: Some(value + 0.1),
        }
    }

    fn pair(kind: &str, a: &str, b: &str, pearson: f64) -> AgreementRow {
        AgreementRow {
            kind: kind.to_owned(),
            a: a.to_owned(),
            b: b.to_owned(),
            model: String::new(),
            criterion: "total".to_owned(),
            key: String::new(),
            n: 7,
            expected: 9,
            pearson: Some(estimate(pearson)),
            spearman: None,
            kappa: None,
            weighted_kappa: None,
            alpha_interval: None,
            alpha_ordinal: None,
            mae: None,
            mse: None,
            equal: None,
            common_a: None,
            common_b: None,
        }
    }

    fn figure(kind: FigureKind, pairing: &str, ids: [&[&str]; 2]) -> PrintedFigure {
        PrintedFigure {
            kind,
            label: kind.label().to_owned(),
            pairing: pairing.to_owned(),
            a: "people".to_owned(),
            b: "GPT-5".to_owned(),
            model: String::new(),
            scope: String::new(),
            key: String::new(),
            criterion: "total".to_owned(),
            value: 0.5,
            half: None,
            source: "Table 4".to_owned(),
            remark: "three people, 32 sets".to_owned(),
            ids: ids.map(|ids| ids.iter().map(|id| (*id).to_owned()).collect()),
        }
    }

    fn own(figure: &PrintedFigure, found: &Agreement) -> Vec<OwnFigure> {
        let own = Own {
            found,
            rows: &[],
            deviations: &[],
        };
        own_figures(figure, &own)
    }

    fn found() -> Agreement {
        Agreement {
            pairs: vec![
                pair("human_judge", "people", "gpt", 0.75),
                pair("human_judge", "ann", "gpt", 0.6),
                pair("human_judge", "people", "gemini", 0.4),
                pair("judge_judge", "gemini", "gpt", 0.3),
            ],
            ..Agreement::default()
        }
    }

    #[test]
    fn the_papers_own_judge_beside_all_who_rated_stands_alone() {
        let own = own(
            &figure(FigureKind::Pearson, "human_judge", [&[], &["gpt5*", "gpt"]]),
            &found(),
        );
        let [one] = own.as_slice() else {
            panic!("{own:?}")
        };
        assert_eq!(
            (&*one.a, &*one.b, one.n, one.expected),
            ("people", "gpt", 7, 9)
        );
        assert_eq!((one.value, one.difference), (0.75, Some(0.25)));
        assert!(one.is_same_judge && one.is_same_group);
    }

    #[test]
    fn other_judges_stand_there_where_the_papers_is_not() {
        let qwen = figure(FigureKind::Pearson, "human_judge", [&[], &["qwen*"]]);
        let own = own(&qwen, &found());
        let judges: Vec<&str> = own.iter().map(|one| &*one.b).collect();
        assert_eq!(judges, ["gpt", "gemini"]);
        assert!(own.iter().all(|one| !one.is_same_judge));
    }

    #[test]
    fn another_kind_or_pairing_is_not_held_beside_it() {
        let of = |kind, pairing| own(&figure(kind, pairing, [&[], &[]]), &found()).len();
        assert_eq!(of(FigureKind::Kappa, "human_judge"), 0);
        assert_eq!(of(FigureKind::PearsonParts, "judge_judge"), 0);
        assert_eq!(of(FigureKind::Mean, "human_judge"), 0);
        assert_eq!(of(FigureKind::Pearson, "human_human"), 0);
        assert_eq!(of(FigureKind::Pearson, "judge_judge"), 1);
    }

    #[test]
    fn a_figure_of_a_group_has_no_difference_to_all_outputs() {
        let mut of_group = figure(FigureKind::Pearson, "human_judge", [&[], &["gpt"]]);
        of_group.scope = "category".to_owned();
        of_group.key = "real".to_owned();
        let mut found = found();
        let all = own(&of_group, &found);
        assert_eq!((all.len(), all[0].difference), (1, None));
        // With rows by that scope, the group's own row is shown there.
        found.scope = "category".to_owned();
        found.pairs.push(AgreementRow {
            key: "real".to_owned(),
            ..pair("human_judge", "people", "gpt", 0.25)
        });
        let own = own(&of_group, &found);
        assert_eq!((own.len(), own[0].difference), (1, Some(-0.25)));
    }

    #[test]
    fn the_csv_has_a_row_also_where_nothing_stands_beside_a_figure() {
        let mut found = found();
        let figures = vec![
            figure(FigureKind::Pearson, "human_judge", [&[], &["gpt"]]),
            figure(FigureKind::Kappa, "human_judge", [&[], &["gpt"]]),
        ];
        let rows = figures.into_iter().map(|figure| PrintedRow {
            own: own(&figure, &found),
            figure,
        });
        found.printed = rows.collect();
        let csv = found.printed_csv();
        let lines: Vec<&str> = csv.lines().collect();
        assert_eq!(lines.len(), 3);
        let columns = lines[0].split(',').count();
        // The remark is quoted, as there is a comma in it.
        assert!(lines[1].contains("\"three people, 32 sets\",people,gpt,,,0.75,"));
        assert_eq!(lines[2].split(',').count(), columns + 1);
    }
}
