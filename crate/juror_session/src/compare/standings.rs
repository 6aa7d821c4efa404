//! Ranks and tie marks of one column of the score table: the numbers shown, and the groups of the comparison.

use super::{CompareQuery, ModelRank, StandingsQuery};
use crate::state::Session;
use crate::study::Study;
use juror_model::row::ScoreRow;
use juror_model::terms::Direction;

/// Beyond so many models every two of them are too many to test for marks in a table; ranks are there all the same.
const MAX_COMPARED: usize = 100;

/// The rank of each model in a column of the score table.
///
/// Ranks go by the means shown; tie groups are those of [`compare`](fn@crate::compare) on the same group, criterion and judge.
pub fn standings(study: &Study<'_>, query: &StandingsQuery) -> Vec<ModelRank> {
    study.expect(&query.options);
    let criteria = study.criteria();
    let info = criteria.iter().find(|info| info.id == query.criterion);
    let direction = info.map_or(Direction::Neither, |info| info.direction);
    let is_in = |row: &&ScoreRow| {
        row.scope == query.scope && row.key == query.key && row.criterion == query.criterion
    };
    let rows: Vec<&ScoreRow> = study.scores().rows.iter().filter(is_in).collect();
    let mut judges: Vec<&str> = Vec::new();
    for row in &rows {
        if !judges.contains(&row.judge.as_str()) {
            judges.push(&row.judge);
        }
    }
    let of_judge = |judge: &str| {
        let own = rows.iter().copied().filter(|row| row.judge == judge);
        let own: Vec<&ScoreRow> = own.collect();
        let groups = tie_groups(study, query, judge, own.len());
        ranked(&own, &groups, direction)
    };
    judges.into_iter().flat_map(of_judge).collect()
}

/// Each model's letter; none where the column cannot be compared on.
fn tie_groups(
    session: &Session,
    column: &StandingsQuery,
    judge: &str,
    models: usize,
) -> Vec<(String, String)> {
    if models > MAX_COMPARED {
        return Vec::new();
    }
    let query = CompareQuery {
        scope: column.scope.clone(),
        key: column.key.clone(),
        criterion: column.criterion.clone(),
        judge: Some(judge.to_owned()),
        // Groups rest on the tests, which draw nothing.
        replicates: 0,
        ..CompareQuery::default()
    };
    let criteria = session.criteria();
    let Ok(inputs) = super::inputs(session, &query, &criteria) else {
        return Vec::new();
    };
    let models = inputs.comparison(&column.options).models.into_iter();
    models.map(|model| (model.model, model.group)).collect()
}

/// The rows of one judge with their places among each other.
fn ranked(rows: &[&ScoreRow], groups: &[(String, String)], direction: Direction) -> Vec<ModelRank> {
    let group_of = |model: &str| {
        let own = groups.iter().find(|(name, _)| name == model);
        own.map_or("", |(_, group)| group)
    };
    let is_ahead = |a: f64, b: f64| match direction {
        Direction::Up => a > b,
        Direction::Down => a < b,
        Direction::Neither => false,
    };
    let standing = |row: &&ScoreRow| {
        let own = row.mean.filter(|_| direction != Direction::Neither);
        let ahead = |mean: f64| {
            let others = rows.iter().filter_map(|other| other.mean);
            others.filter(|other| is_ahead(*other, mean)).count()
        };
        let group = if own.is_some() {
            group_of(&row.model)
        } else {
            ""
        };
        let members = rows.iter().filter(|other| {
            !group.is_empty() && other.model != row.model && group_of(&other.model) == group
        });
        ModelRank {
            model: row.model.clone(),
            judge: row.judge.clone(),
            rank: own.map(|mean| super::count(ahead(mean)) + 1),
            group: group.to_owned(),
            tied_with: members.map(|other| other.model.clone()).collect(),
        }
    };
    rows.iter().map(standing).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use juror_model::options::{Policy, Profile};

    fn row(model: &str, mean: Option<f64>) -> ScoreRow {
        ScoreRow {
            model: model.to_owned(),
            judge: String::new(),
            profile: Profile::Paper,
            policy: Policy::Zero,
            scope: "overall".to_owned(),
            key: "all".to_owned(),
            criterion: "total".to_owned(),
            mean,
            n: 1,
            expected: 1,
            sd: None,
            ci_low: None,
            ci_high: None,
            worst: None,
            best: None,
            panel: None,
            origin: <_>::default(),
        }
    }

    fn ranks(means: &[Option<f64>], direction: Direction) -> Vec<Option<u32>> {
        let rows: Vec<ScoreRow> = means.iter().map(|mean| row("m", *mean)).collect();
        let rows: Vec<&ScoreRow> = rows.iter().collect();
        let ranked = ranked(&rows, &[], direction);
        ranked.into_iter().map(|standing| standing.rank).collect()
    }

    #[test]
    fn equal_means_share_a_rank_and_the_next_one_is_left_out() {
        let means = [Some(2.0), Some(5.0), Some(5.0), None, Some(1.0)];
        let wanted = [Some(3), Some(1), Some(1), None, Some(4)];
        assert_eq!(ranks(&means, Direction::Up), wanted);
    }

    #[test]
    fn where_lower_is_better_the_lowest_mean_is_first() {
        let means = [Some(2.0), Some(5.0), Some(1.0)];
        assert_eq!(ranks(&means, Direction::Down), [Some(2), Some(3), Some(1)]);
    }

    #[test]
    fn a_figure_that_does_not_rate_ranks_nobody() {
        assert_eq!(
            ranks(&[Some(2.0), Some(5.0)], Direction::Neither),
            [None, None]
        );
    }
}
