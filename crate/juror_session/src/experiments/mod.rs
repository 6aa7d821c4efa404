//! Experiments: the levels of a factor beside each other, row by row, each held against the first on the samples of both.
//!
//! Factors are what submissions and judges state of themselves ([`juror_model::experiment`]), and the prompt packs that
//! replies record. What is missing is left out whatever the policy says, so that no level is told by what another one lacks.

use std::collections::{BTreeMap, BTreeSet};

use super::atoms::{Only, expected_answers, question_rows};
use super::compare::{CompareQuery, LevelOf, LevelValues, LevelsOf, ScoresByJudge, comparable};
use super::panels::check_known_judge;
use super::state::Session;
use crate::coefficients::{Figures, Resampling};
use crate::error::Error;
use crate::measure::is_measured;
use crate::view::agreement::AtomQuery;
use crate::view::experiments::{
    AverageRow, BY_CRITERION, ExperimentBlock, ExperimentLane, ExperimentQuery, ExperimentRow,
    Experiments, FactorInfo, LevelCell, LevelInfo, LevelQuestions, LevelSource,
};
use averages::{average, weights, within};
use cells::{cell, correct};
use crossed::{Table, crossed_tables, plain_tables, second};
use factors::{Block, Factor, factors, plain};
use juror_model::experiment::{BASE, JUDGE, PACK, PrintedLevel, PrintedNumber, Side};
use juror_model::judge::is_panel;
use juror_model::options::{Policy, ScoreOptions};
use juror_model::terms::{CriterionInfo, ScopeInfo};
use juror_protocols::contract::scale_ends;

mod averages;
mod cells;
mod crossed;
mod export;
mod factors;
mod latex;
mod words;

/// The criterion of a sample as a whole.
const TOTAL: &str = "total";
/// Groups of a scope that have rows.
const MAX_ROWS: usize = 200;

/// The levels of a factor, compared.
///
/// # Errors
/// `unknown_factor`, `unknown_level`, `unknown_model`, `unknown_judge`, `unknown_criterion` or `unknown_group`: the query
/// names what is not there.
pub fn experiments(session: &mut Session, query: &ExperimentQuery) -> Result<Experiments, Error> {
    let session = &session.linked_with(query.judge.as_deref());
    let printed = printed_levels(session);
    let all = factors(session, &printed);
    let mut found = head(session, query, &all, &printed)?;
    let Some(factor) = all
        .iter()
        .find(|one| one.name == found.factor && one.side == found.side)
    else {
        return Ok(found);
    };
    found.levels = columns(session, factor, &query.first)?;
    found.notes.extend(factor.notes.iter().cloned());
    let tables = tables(session, query, (&all, factor), &mut found)?;
    let judges = judges(session, &tables, query)?;
    let scores = scores(session, query, &tables, &judges);
    found.scopes = scopes(session, &scores);
    let plan = Plan::new(query, &found, &scores, &tables, &judges)?;
    found.judges = session.data.at_hand().judges;
    plan.fill(session, &mut found)?;
    Ok(found)
}

/// What the paper prints: of experiments, and of judges where it prints the same models by several.
fn printed_levels(session: &Session) -> Vec<PrintedLevel> {
    let mut printed = session.loader.protocol.printed_levels();
    let published = session.loader.protocol.published();
    let is_by_several = |model: &str| {
        let own = published.rows.iter().filter(|row| row.model == model);
        own.count() > 1
    };
    for row in published
        .rows
        .iter()
        .filter(|row| is_by_several(&row.model))
    {
        printed.extend(row.cells.iter().map(|cell| PrintedLevel {
            factor: JUDGE.to_owned(),
            base: row.model.clone(),
            level: row.judge.label.to_owned(),
            is_usual: false,
            scope: cell.scope.to_owned(),
            key: cell.key.to_owned(),
            criterion: cell.criterion.to_owned(),
            value: cell.value,
            decimals: 0,
            source: cell.table.to_owned(),
            note: String::new(),
        }));
    }
    align(&mut printed);
    printed
}

/// Gives all numbers of a criterion in one table as many decimals as the one with the most of them.
fn align(printed: &mut [PrintedLevel]) {
    let mut most: BTreeMap<(String, String), u8> = BTreeMap::new();
    let place = |one: &PrintedLevel| (one.source.clone(), one.criterion.clone());
    for one in &*printed {
        let text = one.value.to_string();
        let digits = text.split_once('.').map_or(0, |(_, digits)| digits.len());
        let digits = u8::try_from(digits).unwrap_or(u8::MAX).max(one.decimals);
        let of_table = most.entry(place(one)).or_default();
        *of_table = digits.max(*of_table);
    }
    for one in printed {
        one.decimals = most[&place(one)];
    }
}

/// The factors, and which of them is shown.
fn head(
    session: &Session,
    query: &ExperimentQuery,
    all: &[Factor],
    printed: &[PrintedLevel],
) -> Result<Experiments, Error> {
    let info = |factor: &Factor| FactorInfo {
        factor: factor.name.clone(),
        side: factor.side,
        levels: factor.levels.clone(),
        bases: factor
            .blocks
            .iter()
            .map(|block| block.base.clone())
            .collect::<BTreeSet<_>>()
            .into_iter()
            .collect(),
        is_printed: printed.iter().any(|one| one.factor == factor.name),
    };
    let mut factors: Vec<FactorInfo> = all.iter().map(info).collect();
    for one in printed {
        if factors.iter().all(|known| known.factor != one.factor) {
            factors.push(FactorInfo {
                factor: one.factor.clone(),
                side: Side::default(),
                levels: Vec::new(),
                bases: Vec::new(),
                is_printed: true,
            });
        }
    }
    let known = if query.factor.is_empty() {
        factors.first()
    } else {
        let known = factors.iter().find(|known| known.factor == query.factor);
        Some(known.ok_or_else(|| unknown_factor(&query.factor, &factors))?)
    };
    let (factor, side) =
        known.map_or_else(Default::default, |known| (known.factor.clone(), known.side));
    let criteria = session.criteria();
    let criterion = if query.criterion.is_empty() {
        TOTAL
    } else {
        &query.criterion
    };
    if criteria.iter().all(|info| info.id != criterion) {
        let message = format!("There is no criterion {criterion}.");
        return Err(Error::UnknownCriterion(message));
    }
    let printed = printed.iter().filter(|one| one.factor == factor);
    let printed: Vec<PrintedLevel> = printed.cloned().collect();
    Ok(Experiments {
        benchmark: session.loader.protocol.title().to_owned(),
        samples: session.loader.protocol.words().samples,
        own: vec![None; printed.len()],
        printed,
        by: if query.by.is_empty() {
            BY_CRITERION.to_owned()
        } else {
            query.by.clone()
        },
        criterion: criterion.to_owned(),
        profile: query.profile,
        correction: query.correction,
        level: query.level,
        bound: query.bound.filter(|bound| *bound > 0.0),
        factors,
        factor,
        side,
        criteria,
        ..Experiments::default()
    })
}

fn unknown_factor(wanted: &str, factors: &[FactorInfo]) -> Error {
    let known: Vec<&str> = factors.iter().map(|one| one.factor.as_str()).collect();
    let known = if known.is_empty() {
        "nothing here states one".to_owned()
    } else {
        format!("there are {}", known.join(", "))
    };
    Error::UnknownFactor(format!(
        "There is no factor {wanted}: {known}. A submission states its levels by a name like MODEL@{wanted}=LEVEL, or in a file variant.json in its folder."
    ))
}

/// The columns, the level that was asked for first.
fn columns(session: &Session, factor: &Factor, first: &str) -> Result<Vec<LevelInfo>, Error> {
    let mut levels = factor.levels.clone();
    if !first.is_empty() {
        let at = levels.iter().position(|level| level == first);
        let at = at.ok_or_else(|| {
            Error::UnknownFactor(format!(
                "{} has no level {first}: it has {}.",
                factor.name,
                levels.join(", ")
            ))
        })?;
        levels[..=at].rotate_right(1);
    }
    let info = |level: String| {
        let title = (factor.name == PACK)
            .then(|| session.pack_title(&level))
            .flatten();
        LevelInfo {
            title: title.unwrap_or_default().to_owned(),
            level,
        }
    };
    Ok(levels.into_iter().map(info).collect())
}

/// The tables of the query's base or of all; what can be chosen follows from them.
fn tables(
    session: &Session,
    query: &ExperimentQuery,
    (all, factor): (&[Factor], &Factor),
    found: &mut Experiments,
) -> Result<Vec<Table>, Error> {
    let mut tables = if query.by_factor.is_empty() {
        plain_tables(factor)
    } else {
        let second = second(all, factor, &query.by_factor)?;
        found.by_factor.clone_from(&second.name);
        found.notes.extend(second.notes.iter().cloned());
        let models = session.world().models;
        let (tables, levels) = crossed_tables(models, factor, second);
        found.by_levels = levels;
        tables
    };
    let mut own = found.factors.iter_mut();
    if let Some(info) = own.find(|info| info.factor == factor.name && info.side == factor.side) {
        let bases: BTreeSet<&String> = tables.iter().map(|table| &table.base).collect();
        info.bases = bases.into_iter().cloned().collect();
    }
    let base = &query.base;
    tables.retain(|table| base.is_empty() || table.base == *base);
    if tables.is_empty() && !base.is_empty() {
        return Err(Error::UnknownModel(format!(
            "Nothing of {base} states a level of {}.",
            factor.name
        )));
    }
    Ok(tables)
}

fn blocks_of(tables: &[Table]) -> impl Iterator<Item = &Block> {
    let lanes = tables.iter().flat_map(|table| &table.lanes);
    lanes.map(|lane| &lane.block)
}

/// Who may have judged: whoever was asked for, or else all; nobody where the cells say who did.
fn judges(
    session: &Session,
    tables: &[Table],
    query: &ExperimentQuery,
) -> Result<Vec<String>, Error> {
    let at_hand = session.data.at_hand();
    let mut stated = blocks_of(tables).flat_map(|block| block.of.values());
    if stated.any(|stated| stated.judge.is_some()) {
        return Ok(Vec::new());
    }
    let Some(wanted) = &query.judge else {
        return Ok(if at_hand.judges.is_empty() {
            vec![String::new()]
        } else {
            at_hand.judges
        });
    };
    let is_known = |name: &str| {
        [&at_hand.judges, &at_hand.people]
            .iter()
            .any(|all| all.iter().any(|one| one == name))
    };
    if is_panel(wanted) {
        check_known_judge(session, wanted)?;
        return Ok(vec![wanted.clone()]);
    }
    let wanted = &session.standing_judge(wanted);
    let is_joined = || Session::is_joined(wanted) && wanted.split(" + ").all(is_known);
    if is_known(wanted) || is_joined() {
        Ok(vec![wanted.clone()])
    } else {
        Err(Error::UnknownJudge(wanted.clone()))
    }
}

/// The scores of everybody whose numbers may stand in the table.
fn scores(
    session: &Session,
    query: &ExperimentQuery,
    tables: &[Table],
    judges: &[String],
) -> ScoresByJudge {
    let stated = blocks_of(tables).flat_map(|block| block.of.values());
    let stated = stated.filter_map(|stated| stated.judge.clone());
    let names: BTreeSet<String> = stated.chain(judges.iter().cloned()).collect();
    let of = |judge: String| {
        let options = ScoreOptions {
            profile: query.profile,
            policy: Some(Policy::Exclude),
            judge: (!Session::is_joined(&judge)).then(|| judge.clone()),
            run: None,
            reading: session.data.reading,
        };
        (judge, session.scores_of(&options))
    };
    names.into_iter().map(of).collect()
}

/// The scopes that any of the scores has, with all keys.
fn scopes(session: &Session, scores: &ScoresByJudge) -> Vec<ScopeInfo> {
    let mut found: Vec<ScopeInfo> = Vec::new();
    for own in scores.values() {
        for info in comparable(&*session.loader.protocol, &session.world(), own) {
            match found.iter_mut().find(|known| known.scope == info.scope) {
                Some(known) => {
                    for key in info.keys {
                        if !known.keys.contains(&key) {
                            known.keys.push(key);
                        }
                    }
                }
                None => found.push(info),
            }
        }
    }
    found
}

/// A row that is to be filled.
struct RowPlan {
    scope: String,
    key: String,
    label: String,
    criterion: String,
}

/// What the table is made of.
struct Plan<'a> {
    query: &'a ExperimentQuery,
    scores: &'a ScoresByJudge,
    tables: &'a [Table],
    /// Those of all tables, table by table.
    blocks: Vec<&'a Block>,
    levels: Vec<String>,
    rows: Vec<RowPlan>,
    /// Who may have judged where submissions are the levels.
    judges: &'a [String],
}

/// All levels of all blocks in one row, and who judged.
struct RowValues {
    judge: Option<String>,
    by_block: Vec<Vec<Option<LevelValues>>>,
}

impl<'a> Plan<'a> {
    fn new(
        query: &'a ExperimentQuery,
        found: &Experiments,
        scores: &'a ScoresByJudge,
        tables: &'a [Table],
        judges: &'a [String],
    ) -> Result<Self, Error> {
        let label = |info: &CriterionInfo| info.label.clone();
        let mut rows = Vec::new();
        if found.by == BY_CRITERION {
            let criteria = found.criteria.iter().filter(|info| info.id != TOTAL);
            // What is measured is nobody's judging.
            let criteria = criteria.filter(|info| !judges.is_empty() || !is_measured(&info.id));
            rows.extend(criteria.map(|info| RowPlan {
                scope: String::new(),
                key: String::new(),
                label: label(info),
                criterion: info.id.clone(),
            }));
        } else {
            let info = found.scopes.iter().find(|info| info.scope == found.by);
            let info = info.ok_or_else(|| Error::UnknownGroup {
                scope: found.by.clone(),
                key: String::new(),
            })?;
            let is_whole = found
                .scopes
                .first()
                .is_some_and(|first| first.scope == found.by);
            let keys = info.keys.iter().filter(|_| !is_whole).take(MAX_ROWS);
            rows.extend(keys.map(|key| RowPlan {
                scope: found.by.clone(),
                key: key.clone(),
                label: key.clone(),
                criterion: found.criterion.clone(),
            }));
        }
        let last = if found.by == BY_CRITERION {
            TOTAL
        } else {
            &found.criterion
        };
        let info = found.criteria.iter().find(|info| info.id == last);
        rows.push(RowPlan {
            scope: String::new(),
            key: String::new(),
            label: match info {
                Some(info) if info.id == TOTAL => label(info),
                Some(info) => format!("{}, all", info.label),
                None => TOTAL.to_owned(),
            },
            criterion: last.to_owned(),
        });
        Ok(Self {
            query,
            scores,
            tables,
            blocks: blocks_of(tables).collect(),
            levels: found.levels.iter().map(|info| info.level.clone()).collect(),
            rows,
            judges,
        })
    }

    /// Whose numbers the levels of a block are, where one judge judged submissions.
    fn sources(&self, block: &Block, judge: Option<&str>) -> Vec<Option<LevelOf>> {
        let source = |level: &String| {
            let stated = block.of.get(level)?;
            let judge = stated.judge.as_deref().or(judge)?;
            Some(LevelOf {
                model: stated.model,
                judge: judge.to_owned(),
            })
        };
        self.levels.iter().map(source).collect()
    }

    /// Those of all blocks; the differences of a table's further lanes are compared with those of its first.
    fn levels_of(&self, judge: Option<&str>) -> Vec<LevelsOf> {
        let mut found = Vec::new();
        for table in self.tables {
            let first = found.len();
            found.extend(table.lanes.iter().enumerate().map(|(at, lane)| LevelsOf {
                levels: self.sources(&lane.block, judge),
                other: (at > 0).then_some(first),
            }));
        }
        found
    }

    fn values(
        &self,
        session: &Session,
        row: &RowPlan,
        judge: Option<&str>,
    ) -> Result<Vec<Vec<Option<LevelValues>>>, Error> {
        let query = CompareQuery {
            scope: row.scope.clone(),
            key: row.key.clone(),
            criterion: row.criterion.clone(),
            ..CompareQuery::default()
        };
        session.levels_of(&self.levels_of(judge), self.scores, &query)
    }

    /// Whoever scored most of the levels on a criterion; the first of those who scored as much.
    fn judge_of(&self, session: &Session, criterion: &str) -> Result<Option<String>, Error> {
        if let [] | [_] = self.judges {
            return Ok(self.judges.first().cloned());
        }
        let row = RowPlan {
            scope: String::new(),
            key: String::new(),
            label: String::new(),
            criterion: criterion.to_owned(),
        };
        let mut best: Option<(usize, &String)> = None;
        for judge in self.judges {
            let values = self.values(session, &row, Some(judge))?;
            let sizes = values
                .iter()
                .flatten()
                .flatten()
                .map(|one| one.values.len());
            let n = sizes.sum();
            if best.is_none_or(|(most, _)| n > most) {
                best = Some((n, judge));
            }
        }
        Ok(best.map(|(_, judge)| judge.clone()))
    }

    fn fill(&self, session: &Session, found: &mut Experiments) -> Result<(), Error> {
        let mut judges: Vec<(&str, Option<String>)> = Vec::new();
        let mut values = Vec::new();
        for row in &self.rows {
            let known = judges.iter().find(|(of, _)| *of == row.criterion);
            let judge = if let Some((_, judge)) = known {
                judge.clone()
            } else {
                let judge = self.judge_of(session, &row.criterion)?;
                judges.push((&row.criterion, judge.clone()));
                judge
            };
            let by_block = self.values(session, row, judge.as_deref())?;
            values.push(RowValues { judge, by_block });
        }
        // Of a criterion that no level has a number of there is nothing to say; the total stays.
        let last = self.rows.len() - 1;
        let kept: Vec<usize> = (0..self.rows.len())
            .filter(|at| *at == last || found.by != BY_CRITERION || has_values(&values[*at]))
            .collect();
        let mut first = 0;
        for table in self.tables {
            found
                .blocks
                .push(self.table(session, found, (table, first), &values, &kept));
            first += table.lanes.len();
        }
        for (at, block) in self.blocks.iter().enumerate() {
            for place in &kept {
                let row = &self.rows[*place];
                for (level, own) in self.levels.iter().zip(&values[*place].by_block[at]) {
                    if let Some(at) = place_of_printed(found, block, level, row) {
                        let mean = own.as_ref().and_then(|own| own.values.mean());
                        found.own[at] = found.own[at].or(mean);
                    }
                }
            }
        }
        correct(found);
        found.notes.extend(words::notes(found));
        found.notes.extend(words::other_factors(found, self.tables));
        for at in 0..found.blocks.len() {
            found.blocks[at].sentence = words::sentence(found, &found.blocks[at]);
        }
        Ok(())
    }

    /// A table whose lanes are the blocks from the first one on.
    fn table(
        &self,
        session: &Session,
        found: &Experiments,
        (table, first): (&Table, usize),
        values: &[RowValues],
        kept: &[usize],
    ) -> ExperimentBlock {
        let of_total = values.last().and_then(|row| row.judge.as_deref());
        let mut block = ExperimentBlock {
            base: table.base.clone(),
            judge: table.judge.clone(),
            lanes: Vec::new(),
            rows: Vec::new(),
            averages: Vec::new(),
            questions: Vec::new(),
            sentence: String::new(),
        };
        let lanes = || (first..).zip(&table.lanes);
        for place in kept {
            for (at, lane) in lanes() {
                let row = self.row(session, found, at, (*place, &values[*place]), of_total);
                block.rows.push(ExperimentRow {
                    by_level: lane.level.clone(),
                    ..row
                });
            }
        }
        for (at, lane) in lanes() {
            let averages = self.averages(session, found, at, values).into_iter();
            block.averages.extend(averages.map(|row| AverageRow {
                by_level: lane.level.clone(),
                ..row
            }));
            let sources = self.sources(&lane.block, of_total);
            let questions = self.questions(session, &sources).into_iter();
            block.questions.extend(questions.map(|one| LevelQuestions {
                by_level: lane.level.clone(),
                ..one
            }));
            let models = session.world().models;
            let named = |source: LevelOf| LevelSource {
                model: models[source.model].submission.name.clone(),
                judge: source.judge,
            };
            block.lanes.push(ExperimentLane {
                level: lane.level.clone(),
                sources: sources.into_iter().map(|one| one.map(named)).collect(),
            });
        }
        block
    }

    /// A row of a block, without the level of the second factor.
    fn row(
        &self,
        session: &Session,
        found: &Experiments,
        at: usize,
        (place, values): (usize, &RowValues),
        of_total: Option<&str>,
    ) -> ExperimentRow {
        let row = &self.rows[place];
        let is_last = place + 1 == self.rows.len();
        let scale = scale_ends(&*session.loader.protocol, &row.criterion);
        let cells = self.levels.iter().zip(&values.by_block[at]);
        let cells = cells.map(|(level, values)| {
            let mut own = LevelCell {
                printed: printed_of(found, self.blocks[at], level, row),
                ..cell(values.as_ref(), self.query.level, scale)
            };
            if let (true, Some(bound), Some(difference)) =
                (is_last, found.bound, &mut own.difference)
            {
                difference.within = Some(within(difference.value, bound));
            }
            own
        });
        ExperimentRow {
            key: match (is_last, row.key.as_str()) {
                (true, _) => TOTAL.to_owned(),
                (false, "") => row.criterion.clone(),
                (false, key) => key.to_owned(),
            },
            label: row.label.clone(),
            criterion: row.criterion.clone(),
            by_level: String::new(),
            judge: values
                .judge
                .clone()
                .filter(|judge| Some(judge.as_str()) != of_total),
            cells: cells.collect(),
        }
    }

    fn averages(
        &self,
        session: &Session,
        found: &Experiments,
        at: usize,
        values: &[RowValues],
    ) -> Vec<AverageRow> {
        if found.by == BY_CRITERION {
            return Vec::new();
        }
        let groups = self.rows.len() - 1;
        let keys: Vec<String> = self.rows[..groups]
            .iter()
            .map(|row| row.key.clone())
            .collect();
        let total = &self.rows[groups];
        let of_weights = |found_weights: averages::Weights| {
            let cells = self.levels.iter().enumerate().map(|(column, level)| {
                let rows: Vec<Option<&LevelValues>> = values[..groups]
                    .iter()
                    .map(|row| row.by_block[at][column].as_ref())
                    .collect();
                let mut cell = average(&rows, &found_weights.shares, found.level, found.bound);
                cell.printed = printed_of(found, self.blocks[at], level, total);
                cell
            });
            AverageRow {
                cells: cells.collect(),
                id: found_weights.id.to_owned(),
                label: found_weights.label,
                by_level: String::new(),
                weights: found_weights.shares,
            }
        };
        let both = weights(session, &found.by, &keys).into_iter();
        both.map(of_weights).collect()
    }

    /// The judges' answers, level by level against the first, where judging is varied.
    fn questions(&self, session: &Session, sources: &[Option<LevelOf>]) -> Vec<LevelQuestions> {
        let Some((Some(first), others)) = sources.split_first() else {
            return Vec::new();
        };
        let others = self.levels.iter().skip(1).zip(others);
        let others = others.filter_map(|(level, other)| Some((level, other.as_ref()?)));
        // One judge's one set of answers agrees with itself.
        let others = others.filter(|(_, other)| other.model == first.model);
        let of = |(level, other): (&String, &LevelOf)| {
            let query = AtomQuery {
                a: first.judge.clone(),
                b: other.judge.clone(),
                scope: String::new(),
                profile: self.query.profile,
                level: self.query.level,
            };
            let (rows, answered) = question_rows(session, &query, Only::Model(first.model));
            let figures = Figures::new(&answered, Resampling::None, self.query.level);
            (!rows.is_empty()).then(|| LevelQuestions {
                by_level: String::new(),
                level: level.clone(),
                n: figures.n,
                expected: expected_answers(session, first.model),
                equal: figures.equal,
                kappa: figures.kappa,
                rows,
            })
        };
        others.filter_map(of).collect()
    }
}

/// What the paper prints of a base, a level and a row.
fn printed_of(
    found: &Experiments,
    block: &Block,
    level: &str,
    row: &RowPlan,
) -> Option<PrintedNumber> {
    let at = place_of_printed(found, block, level, row)?;
    let PrintedLevel {
        value, decimals, ..
    } = found.printed[at];
    Some(PrintedNumber { value, decimals })
}

/// Its position among all that is printed.
fn place_of_printed(
    found: &Experiments,
    block: &Block,
    level: &str,
    row: &RowPlan,
) -> Option<usize> {
    let is_row = |one: &&PrintedLevel| {
        let is_whole = row.scope.is_empty() && one.scope == "overall";
        one.criterion == row.criterion && (is_whole || one.scope == row.scope && one.key == row.key)
    };
    let is_same = |own: &str, one: &PrintedLevel| plain(own) == plain(&one.level);
    // A name that states the usual level is that level; another one that states none is a different level.
    let is_usual =
        |one: &PrintedLevel| one.is_usual && !block.of.keys().any(|own| is_same(own, one));
    let is_level = |one: &&PrintedLevel| {
        plain(&one.base) == plain(&block.base)
            && (is_same(level, one) || level == BASE && is_usual(one))
    };
    let mut printed = found.printed.iter();
    printed.position(|one| is_row(&one) && is_level(&one))
}

fn has_values(row: &RowValues) -> bool {
    let mut levels = row.by_block.iter().flatten().flatten();
    levels.any(|level| !level.values.is_empty())
}
