//! Score rows as tables with tie groups, for Markdown and LaTeX.

use crate::compare::compare;
use crate::overview::score_rows;
use crate::standing::problems_of_standing;
use crate::standing::unopened;
use crate::study::Study;
use std::collections::HashMap;

use super::compare::{CompareQuery, printed};
use super::standing::has_reply;
use super::state::Session;
use crate::measure::MEASURED;
use juror_evidence::report::tables::{Cell, NOT_JUDGED, Table, Tables};
use juror_model::judge::behind;
use juror_model::row::ScoreRow;
use juror_model::terms::{CriterionInfo, Direction, ScopeInfo};
use juror_reading::count::counted;
use juror_statistics::MIN_FOR_INTERVAL;

const OVERALL: &str = "overall";
const TURN: &str = "turn";
/// What a table with nothing but means by groups is called.
const SCORES: &str = "Scores";

/// A criterion of a judge without means over everything is shown by the groups that it has one for, if they are no more than so many.
const MAX_GROUPS: usize = 2;

/// What a column shows.
struct Column<'a> {
    criterion: &'a CriterionInfo,
    scope: &'a str,
    key: &'a str,
    heading: String,
}

/// Models by criteria for the whole, then by the groups of each scope for the total; one set for each judge.
pub fn tables(study: &Study<'_>) -> Tables {
    let options = study.options();
    let rows = score_rows(study).to_vec();
    let criteria = study.criteria();
    let scopes = study.scores().scopes.clone();
    let mut judges: Vec<&str> = Vec::new();
    for row in &rows {
        if !judges.contains(&row.judge.as_str()) {
            judges.push(&row.judge);
        }
    }
    let mut tables: Vec<Table> = Vec::new();
    for judge in judges {
        let first = tables.len();
        for info in &scopes {
            if let Some(only) = only_group(&rows, judge, info) {
                if let Some(whole) = tables.get_mut(first) {
                    let group = in_words(&info.scope, only);
                    let separator = if whole.title.contains(": ") {
                        ", "
                    } else {
                        ": "
                    };
                    whole.title += &[separator, &group].concat();
                }
                continue;
            }
            let own = || rows.iter().filter(|row| row.judge == judge);
            let columns = if info.scope == OVERALL {
                whole(&scopes, &criteria, own)
            } else {
                columns(info, &criteria)
            };
            tables.extend(table(study, &rows, judge, info, columns));
        }
    }
    let measured = study.data.measure_words();
    let policy = study.loader.protocol.policy(options);
    let pack = &study.loader.packs[study.loader.pack].info;
    Tables {
        title: study.loader.protocol.title().to_owned(),
        basis: format!(
            "{}Formulas: {}; {}{}; prompts: {}; Juror {}.{measured}",
            warnings(study),
            word(&options.profile),
            if options.reading().is_strict() {
                ""
            } else {
                "replies read tolerantly; "
            },
            policy.words(),
            pack.words(),
            env!("CARGO_PKG_VERSION")
        ),
        units: study.loader.protocol.words().units,
        tables,
    }
}

/// The group that is everything a judge scored: its numbers are those of the whole, so that a table of it says nothing more.
fn only_group<'a>(rows: &'a [ScoreRow], judge: &str, info: &ScopeInfo) -> Option<&'a str> {
    let of = |scope: &str| {
        let own = rows
            .iter()
            .filter(|row| row.judge == judge && row.scope == scope);
        let mut own: Vec<&ScoreRow> = own.collect();
        own.sort_by_key(|row| (&row.model, &row.criterion));
        own
    };
    let (whole, parts) = (of(OVERALL), of(&info.scope));
    let key = &parts.first().filter(|_| info.scope != OVERALL)?.key;
    let is_same = |(a, b): (&&ScoreRow, &&ScoreRow)| {
        b.key == *key
            && (&a.model, &a.criterion) == (&b.model, &b.criterion)
            && a.mean.map(f64::to_bits) == b.mean.map(f64::to_bits)
            && (a.n, a.expected) == (b.n, b.expected)
    };
    let is_whole = whole.len() == parts.len() && whole.iter().zip(&parts).all(is_same);
    is_whole.then_some(key)
}

/// What a reader of the tables has to know first.
fn warnings(session: &Session) -> String {
    let unread = unopened(session);
    let mut warnings = String::new();
    if !unread.is_empty() {
        warnings = format!("Incomplete: {} ", unread.words());
    }
    for model in session.data.models() {
        let count = model.submission.unrecognised.len();
        if count > 0 {
            let answers = counted(
                count,
                "unrecognised text answer",
                "unrecognised text answers",
            );
            warnings += &[&model.submission.name, " has ", &answers, ". "].concat();
        }
    }
    for problem in problems_of_standing(session) {
        warnings.push_str(&problem.message);
        warnings.push(' ');
    }
    warnings
}

/// One judge's table of one scope; `None` where it has no row for it.
fn table(
    study: &Study<'_>,
    rows: &[ScoreRow],
    judge: &str,
    info: &ScopeInfo,
    mut columns: Vec<Column<'_>>,
) -> Option<Table> {
    let mut models: Vec<&str> = Vec::new();
    let mut found: HashMap<(&str, &str, &str, &str), &ScoreRow> = HashMap::new();
    for row in rows.iter().filter(|row| row.judge == judge) {
        let is_shown = columns
            .iter()
            .any(|column| column.scope == row.scope && column.criterion.id == row.criterion);
        if is_shown && !models.contains(&row.model.as_str()) {
            models.push(&row.model);
        }
        found.insert((&row.model, &row.scope, &row.key, &row.criterion), row);
    }
    let row_of = |model: &str, column: &Column<'_>| {
        let place = (
            model,
            column.scope,
            column.key,
            column.criterion.id.as_str(),
        );
        found.get(&place).copied()
    };
    columns.retain(|column| models.iter().any(|model| row_of(model, column).is_some()));
    let first = columns.first()?;
    let mut table = Table {
        title: if columns.iter().any(|column| column.scope == OVERALL) {
            info.label.clone()
        } else if info.scope == OVERALL {
            SCORES.to_owned()
        } else {
            format!("{} by {}", first.criterion.label, info.label)
        },
        judge: judge.to_owned(),
        columns: columns
            .iter()
            .map(|column| column.heading.clone())
            .collect(),
        rows: models
            .iter()
            .map(|model| ((*model).to_owned(), Vec::new()))
            .collect(),
        by_hand: study.models_named_by_hand(judge, &models),
        has_untested: false,
        has_few: false,
    };
    for column in &columns {
        let best = best_of(study, (column.scope, column.key), column.criterion, judge);
        table.has_untested |= best.is_none();
        for (model, cells) in &mut table.rows {
            let is_best = best.as_ref().is_some_and(|best| best.contains(model));
            let row = row_of(model, column);
            table.has_few |= row.is_some_and(is_of_few);
            let mut cell = cell(row, column.criterion, is_best);
            if row.is_some_and(|row| row.mean.is_none()) && study.is_not_judged(model, judge) {
                NOT_JUDGED.clone_into(&mut cell.mean);
            }
            cells.push(cell);
        }
    }
    Some(table)
}

/// The models that cannot be told from the best of a column; `None` where that cannot be tested.
fn best_of(
    study: &Study<'_>,
    (scope, key): (&str, &str),
    criterion: &CriterionInfo,
    judge: &str,
) -> Option<Vec<String>> {
    if criterion.direction == Direction::Neither {
        return None;
    }
    let query = CompareQuery {
        scope: scope.to_owned(),
        key: key.to_owned(),
        criterion: criterion.id.clone(),
        judge: Some(judge.to_owned()),
        replicates: 0,
        ..CompareQuery::default()
    };
    let found = compare(study, &query).ok()?;
    let first = found
        .models
        .first()
        .filter(|model| !model.group.is_empty())?;
    // A single model is not the best of several.
    if found
        .models
        .iter()
        .filter(|model| !model.group.is_empty())
        .count()
        < 2
    {
        return None;
    }
    // Only a test tells models apart or not: of too few samples there is none, and then nothing is best.
    let is_tested = |other: &str| {
        found
            .pairs
            .iter()
            .any(|pair| (pair.a == first.model && pair.b == other) && pair.p_corrected.is_some())
    };
    if !found.models.iter().any(|model| is_tested(&model.model)) {
        return None;
    }
    // Between models that are equal on every sample there is nothing to test.
    let is_equal = |mean: Option<f64>| mean.is_some() && mean == first.mean;
    let best = found.models.iter().filter(|model| {
        model.group == first.group && (is_equal(model.mean) || is_tested(&model.model))
    });
    Some(best.map(|model| model.model.clone()).collect())
}

impl Session {
    /// Whether a judge gave no reply about a model: it has no score by it then, whatever is missing of its outputs. A mean of
    /// judges has no reply where none of them has one.
    pub(super) fn is_not_judged(&self, model: &str, judge: &str) -> bool {
        let world = self.world();
        let model = world.model(model);
        let behind = behind(judge);
        let mut judges = std::iter::once(judge).chain(behind.iter().map(String::as_str));
        judge != MEASURED && model.is_some_and(|model| judges.all(|judge| !has_reply(model, judge)))
    }
}

/// Every criterion of the whole. A judge without any mean over everything has those by the first scope with few of them.
fn whole<'a, 'b, Rows: Iterator<Item = &'b ScoreRow>>(
    scopes: &'a [ScopeInfo],
    criteria: &'a [CriterionInfo],
    rows: impl Fn() -> Rows,
) -> Vec<Column<'a>> {
    let has_whole = rows().any(|row| row.scope == OVERALL);
    let is_asked = |info: &&ScopeInfo| !has_whole || info.scope == OVERALL;
    let mut columns = Vec::new();
    for criterion in criteria {
        let groups = |info: &'a ScopeInfo| -> Vec<Column<'a>> {
            let has = |key: &&String| {
                rows().any(|row| {
                    (&row.scope, &row.key, &row.criterion) == (&info.scope, *key, &criterion.id)
                })
            };
            let of = |key: &'a String| Column {
                criterion,
                scope: &info.scope,
                key,
                heading: if info.scope == OVERALL {
                    criterion.short.clone()
                } else {
                    format!("{}, {}", criterion.short, in_words(&info.scope, key))
                },
            };
            info.keys.iter().filter(has).map(of).collect()
        };
        let mut groups = scopes.iter().filter(is_asked).map(groups);
        let first = groups.find(|found| !found.is_empty());
        columns.extend(first.filter(|found| found.len() <= MAX_GROUPS));
    }
    columns.into_iter().flatten().collect()
}

/// Of a part the total is shown: a table for a paper ends with the page.
fn columns<'a>(info: &'a ScopeInfo, criteria: &'a [CriterionInfo]) -> Vec<Column<'a>> {
    let Some(total) = criteria.iter().find(|criterion| criterion.id == "total") else {
        return Vec::new();
    };
    let of = |key: &'a String| Column {
        criterion: total,
        scope: &info.scope,
        key,
        heading: in_words(&info.scope, key),
    };
    info.keys.iter().map(of).collect()
}

/// A key as texts have it: turns count from 1 there, as on the page, and from 0 in files.
fn in_words(scope: &str, key: &str) -> String {
    match key.parse::<u32>() {
        Ok(turn) if scope == TURN => format!("Turn {}", turn + 1),
        _ => key.to_owned(),
    }
}

/// Whether a mean has no interval as it is of too few values.
fn is_of_few(row: &ScoreRow) -> bool {
    row.mean.is_some() && row.ci_low.is_none() && row.n < MIN_FOR_INTERVAL
}

fn cell(row: Option<&ScoreRow>, criterion: &CriterionInfo, is_best: bool) -> Cell {
    let number = |x: f64| printed(x, usize::from(criterion.decimals));
    let Some(row) = row else {
        return Cell {
            mean: "–".to_owned(),
            ..Cell::default()
        };
    };
    Cell {
        mean: row.mean.map_or_else(|| "–".to_owned(), number),
        interval: row
            .ci_low
            .zip(row.ci_high)
            .map(|(low, high)| (number(low), number(high))),
        n: (row.n, row.expected),
        is_best: is_best && row.mean.is_some(),
    }
}

fn word<T: serde::Serialize>(value: &T) -> String {
    let json = serde_json::to_string(value).unwrap_or_default();
    json.trim_matches('"').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_count_from_one_in_tables_and_other_keys_stay_as_they_are() {
        assert_eq!(in_words(TURN, "0"), "Turn 1");
        assert_eq!(in_words(TURN, "all"), "all");
        assert_eq!(in_words("references", "2"), "2");
    }
}
