//! Tables of an experiment: one for each base, or with the levels of a second factor as rows of the same table.
//!
//! What differs in any other factor never shares a cell: it has a table of its own, or a row of its own where it is the second
//! factor.

use std::collections::{BTreeMap, BTreeSet};

use super::factors::{Block, Factor, ModelByJudge};
use crate::error::Error;
use juror_model::experiment::{BASE, JUDGE, Side, Variant};
use juror_model::linked::ModelData;

/// A base, or a model by one judge, with the levels of the second factor; without one there is a single level without a name.
#[derive(Debug)]
pub(super) struct Table {
    pub(super) base: String,
    pub(super) judge: String,
    pub(super) lanes: Vec<Lane>,
}

/// The levels of the first factor at one level of the second.
#[derive(Debug)]
pub(super) struct Lane {
    /// Level of the second factor.
    pub(super) level: String,
    pub(super) block: Block,
}

/// Whose numbers a cell has, and where it is.
struct Cell {
    base: String,
    judge: String,
    first: String,
    second: String,
    stated: ModelByJudge,
}

/// The tables of one factor.
pub(super) fn plain_tables(factor: &Factor) -> Vec<Table> {
    let table = |block: &Block| Table {
        base: block.base.clone(),
        judge: block.judge.clone(),
        lanes: vec![Lane {
            level: String::new(),
            block: block.clone(),
        }],
    };
    factor.blocks.iter().map(table).collect()
}

/// The tables of two factors, and the levels of the second that they have, in its order.
pub(super) fn crossed_tables(
    models: &[ModelData],
    first: &Factor,
    second: &Factor,
) -> (Vec<Table>, Vec<String>) {
    let cells = match (first.side, second.side) {
        (Side::Submission, Side::Judging) => of_both_sides(models, first, second),
        (Side::Judging, Side::Submission) => {
            let mut cells = of_both_sides(models, second, first);
            cells.iter_mut().for_each(turn);
            cells
        }
        _ if second.name == JUDGE => by_judge(first),
        _ if first.name == JUDGE => {
            let mut cells = by_judge(second);
            cells.iter_mut().for_each(turn);
            cells
        }
        _ => of_one_side(first, second),
    };
    let has = |level: &&String| cells.iter().any(|cell| cell.second == **level);
    let levels: Vec<String> = second.levels.iter().filter(has).cloned().collect();
    let groups: BTreeSet<(&str, &str)> = cells
        .iter()
        .map(|cell| (cell.base.as_str(), cell.judge.as_str()))
        .collect();
    let table = |(base, judge): (&str, &str)| {
        let own: Vec<&Cell> = cells
            .iter()
            .filter(|cell| cell.base == base && cell.judge == judge)
            .collect();
        let lanes = levels.iter().filter_map(|level| {
            let members = own.iter().filter(|cell| cell.second == *level);
            let members: BTreeMap<String, ModelByJudge> = members
                .map(|cell| (cell.first.clone(), cell.stated.clone()))
                .collect();
            (!members.is_empty()).then(|| Lane {
                level: level.clone(),
                block: Block {
                    base: lane_name(base, second, level),
                    judge: judge.to_owned(),
                    of: members,
                },
            })
        });
        Table {
            base: base.to_owned(),
            judge: judge.to_owned(),
            lanes: lanes.collect(),
        }
    };
    (groups.into_iter().map(table).collect(), levels)
}

/// The base as a lane varies it: a number that the paper prints of the plain base is not one of another level.
fn lane_name(base: &str, second: &Factor, level: &str) -> String {
    if second.side == Side::Judging || level == BASE {
        return base.to_owned();
    }
    let mut variant = Variant::of_name(base);
    let levels = &mut variant.levels;
    levels.insert(second.name.clone(), level.to_owned());
    variant.name()
}

fn turn(cell: &mut Cell) {
    std::mem::swap(&mut cell.first, &mut cell.second);
}

/// A name without its level of the second factor, and that level.
fn split(name: &str, second: &Factor) -> (String, String) {
    let (level, rest) = Variant::of_name(name).apart(&second.name);
    (rest.name(), level.unwrap_or_else(|| BASE.to_owned()))
}

/// Two factors that submissions state, or two that judges do. A block of the first is at one level of the second by its
/// name; what states no level of the first may be known by a block of the second only.
fn of_one_side(first: &Factor, second: &Factor) -> Vec<Cell> {
    let mut cells: Vec<Cell> = Vec::new();
    let is_judging = first.side == Side::Judging;
    let names = |block: &Block, other: &Factor| {
        let name = if is_judging {
            &block.judge
        } else {
            &block.base
        };
        let (rest, level) = split(name, other);
        if is_judging {
            ((block.base.clone(), rest), level)
        } else {
            ((rest, String::new()), level)
        }
    };
    for block in &first.blocks {
        let ((base, judge), at) = names(block, second);
        cells.extend(block.of.iter().map(|(level, stated)| Cell {
            base: base.clone(),
            judge: judge.clone(),
            first: level.clone(),
            second: at.clone(),
            stated: stated.clone(),
        }));
    }
    for block in &second.blocks {
        let ((base, judge), at) = names(block, first);
        let is_group = |cell: &Cell| cell.base == base && cell.judge == judge;
        if !cells.iter().any(is_group) {
            continue;
        }
        for (level, stated) in &block.of {
            let is_there = |cell: &Cell| {
                cell.stated == *stated
                    || is_group(cell) && cell.first == at && cell.second == *level
            };
            if !cells.iter().any(is_there) {
                cells.push(Cell {
                    base: base.clone(),
                    judge: judge.clone(),
                    first: at.clone(),
                    second: level.clone(),
                    stated: stated.clone(),
                });
            }
        }
    }
    cells
}

/// A factor of judging, judge by judge.
fn by_judge(factor: &Factor) -> Vec<Cell> {
    let of_block = |block: &Block| {
        let cells = block.of.iter().map(|(level, stated)| Cell {
            base: block.base.clone(),
            judge: String::new(),
            first: level.clone(),
            second: block.judge.clone(),
            stated: stated.clone(),
        });
        cells.collect::<Vec<_>>()
    };
    factor.blocks.iter().flat_map(of_block).collect()
}

/// Each level of a factor of submissions, by each level of a factor of judging.
fn of_both_sides(models: &[ModelData], submissions: &Factor, judging: &Factor) -> Vec<Cell> {
    let mut cells = Vec::new();
    for block in &submissions.blocks {
        for (first, stated) in &block.of {
            let name = &models[stated.model].submission.name;
            for judged in judging.blocks.iter().filter(|judged| judged.base == *name) {
                cells.extend(judged.of.iter().map(|(second, stated)| Cell {
                    base: block.base.clone(),
                    judge: judged.judge.clone(),
                    first: first.clone(),
                    second: second.clone(),
                    stated: stated.clone(),
                }));
            }
        }
    }
    cells
}

/// The factor of this name that another one is crossed with.
///
/// # Errors
/// It is the same one, or nothing here states a level of it.
pub(super) fn second<'a>(
    all: &'a [Factor],
    first: &Factor,
    name: &str,
) -> Result<&'a Factor, Error> {
    let others = || all.iter().filter(|one| one.name != first.name);
    others().find(|one| one.name == name).ok_or_else(|| {
        let known: Vec<&str> = others().map(|one| one.name.as_str()).collect();
        let known = match known.as_slice() {
            [] => "nothing here states a level of another factor".to_owned(),
            some => format!("there are {}", some.join(", ")),
        };
        Error::UnknownFactor(format!(
            "{} cannot be crossed with {name}: {known}. A submission states both levels by a name like MODEL@{}=LEVEL,{name}=LEVEL, or in a file variant.json in its folder.",
            first.name, first.name
        ))
    })
}

/// Which other factors the tables differ in: each of their combinations has a table of its own.
pub(super) fn others(tables: &[Table]) -> Vec<String> {
    let mut found = BTreeSet::new();
    for table in tables {
        for name in [&table.base, &table.judge] {
            found.extend(Variant::of_name(name).levels.into_keys());
        }
    }
    found.into_iter().collect()
}
