//! Do two judges rank the models alike? Their means of each model on what both of them rated, and the pairs that they exchange.

use std::fmt::Write as _;

use super::compare::{
    CompareQuery, ComparedModel, ComparedPair, Comparison, TwoSides, comparable, printed,
};
use super::count;
use super::panels::check_judge;
use super::printed_ranking::PrintedRanking;
use super::slices::Slices;
use super::state::Session;
use super::study::LinkedSession;
use crate::error::Error;
use crate::measure::is_measured;
use crate::view::agreement::{
    ExchangedPair, PairTest, RankedModel, RankingRow, Rankings, RankingsQuery,
};
use juror_model::options::{Policy, ScoreOptions};
use juror_model::terms::{CriterionInfo, Direction, Estimate};
use juror_reading::escape::markdown;
use juror_statistics::MIN_FOR_INTERVAL;
use juror_statistics::clusters::Clusters;
use juror_statistics::correlation::MAX_EXACT;
use juror_statistics::level::Level;
use juror_statistics::ranking::{First, Ranking};
use juror_statistics::small::SortSmall;

/// How two judges rank the models, over all samples and in each group of a scope; people are judges here as well.
///
/// What is missing is left out whatever the policy says. A model's mean is that of its samples, each counting once as in
/// Compare; tests of pairs are those of Compare, on what both judges rated.
///
/// # Errors
/// `unknown_judge`, `unknown_criterion` or `unknown_group`: the query names what is not there.
pub fn rankings(session: &mut Session, query: &RankingsQuery) -> Result<Rankings, Error> {
    rankings_of(&session.linked_with([query.a.as_str(), &query.b]), query)
}

/// The same of judges whose replies are among the others.
pub(super) fn rankings_of(
    session: &LinkedSession<'_>,
    query: &RankingsQuery,
) -> Result<Rankings, Error> {
    let criterion = criterion(session, &query.criterion)?;
    for judge in [&query.a, &query.b] {
        check_judge(session, judge)?;
    }
    let options = |judge: &String| ScoreOptions {
        profile: query.profile,
        policy: Some(Policy::Exclude),
        judge: Some(judge.clone()),
        run: None,
        reading: session.data.reading,
    };
    let scores = [&query.a, &query.b].map(|judge| session.scores_of(&options(judge)));
    let scopes = comparable(&*session.loader.protocol, &session.world(), &scores[0]);
    let slices = Slices::new(session, &scopes, &query.scope)?;
    let side = |judge: &String, key: &str| CompareQuery {
        scope: if key.is_empty() {
            String::new()
        } else {
            query.scope.clone()
        },
        key: key.to_owned(),
        criterion: criterion.id.clone(),
        judge: Some(judge.clone()),
        // Pairs rest on tests, which draw nothing.
        replicates: 0,
        ..CompareQuery::default()
    };
    let mut rows = Vec::new();
    for key in [""].into_iter().chain(slices.keys()) {
        let queries = [side(&query.a, key), side(&query.b, key)];
        let sides = [(&scores[0], &queries[0]), (&scores[1], &queries[1])];
        let both = session.compare_by_two(sides, &options(&query.a))?;
        let mut found = row(session, &both, &criterion, key, query.level);
        print_beside(session, &mut found, query, &criterion);
        rows.push(found);
    }
    Ok(Rankings {
        a: query.a.clone(),
        b: query.b.clone(),
        criterion,
        scope: query.scope.clone(),
        keys_left_out: slices.left_out,
        level: query.level,
        rows,
    })
}

/// The criterion of this name, the total where none is named.
fn criterion(session: &Session, id: &str) -> Result<CriterionInfo, Error> {
    let wanted = if id.is_empty() { "total" } else { id };
    let unknown = |why: String| Error::UnknownCriterion(why);
    if is_measured(wanted) {
        return Err(unknown(format!(
            "{wanted} is measured and not judged, so that no two judges differ on it: choose a criterion that judges rate."
        )));
    }
    let mut all = session.criteria().into_iter();
    all.find(|info| info.id == wanted)
        .ok_or_else(|| unknown(format!("There is no criterion {wanted}.")))
}

/// One group of samples.
fn row(
    session: &Session,
    both: &TwoSides,
    criterion: &CriterionInfo,
    key: &str,
    level: Level,
) -> RankingRow {
    let mut models: Vec<RankedModel> = Vec::new();
    let (mut left_out, mut expected) = (Vec::new(), 0);
    let names = session.world().models.iter();
    for (model, differences) in names.zip(&both.differences) {
        let name = &model.submission.name;
        let [a, b] = [0, 1].map(|side| find_model(&both.comparisons[side], name));
        let of_model = [a, b].map(|own| own.map_or(0, |own| own.expected));
        let of_model = of_model[0].max(of_model[1]);
        expected += of_model;
        let means = a.and_then(|own| own.mean).zip(b.and_then(|own| own.mean));
        let Some((mean_a, mean_b)) = means else {
            left_out.push(name.clone());
            continue;
        };
        models.push(RankedModel {
            model: name.clone(),
            n: count(differences.len()),
            expected: of_model,
            mean_a,
            mean_b,
            rank_a: 0.0,
            rank_b: 0.0,
            difference: estimate(differences, mean_b - mean_a, level),
            printed_a: None,
            printed_b: None,
        });
    }
    let first = match criterion.direction {
        Direction::Down => First::Lowest,
        Direction::Up | Direction::Neither => First::Highest,
    };
    let means = models.iter().map(|model| (model.mean_a, model.mean_b));
    let found = Ranking::new(&means.collect::<Vec<_>>(), first);
    for (model, (rank_a, rank_b)) in models.iter_mut().zip(&found.ranks) {
        (model.rank_a, model.rank_b) = (*rank_a, *rank_b);
    }
    let exchanged = found.exchanged.iter();
    let exchanged = exchanged
        .map(|(one, other)| exchange(both, &models[*one], &models[*other]))
        .collect();
    let notes = notes(&models, &left_out, &found, criterion);
    models.sort_small_by(|x, y| x.rank_a.total_cmp(&y.rank_a));
    RankingRow {
        key: key.to_owned(),
        n: models.iter().map(|model| model.n).sum(),
        expected,
        models,
        left_out,
        tau_b: found.tau_b,
        rho: found.rho,
        rho_p: found.rho_p,
        pairs: found.pairs,
        tied: found.tied,
        exchanged,
        mean_difference: found.mean_difference,
        mean_absolute: found.mean_absolute,
        printed_mean_absolute: None,
        printed_source: String::new(),
        notes,
    }
}

/// Adds the paper's figures of the same models and sides to a row.
fn print_beside(
    session: &Session,
    row: &mut RankingRow,
    query: &RankingsQuery,
    criterion: &CriterionInfo,
) {
    let names = row.models.iter().map(|model| model.model.as_str());
    let sides = [query.a.as_str(), query.b.as_str()];
    let group = (query.scope.as_str(), row.key.as_str());
    let names: Vec<&str> = names.collect();
    let printed = PrintedRanking::new(session, sides, group, criterion, &names);
    for (model, means) in row.models.iter_mut().zip(printed.means) {
        [model.printed_a, model.printed_b] = means;
    }
    row.printed_mean_absolute = printed.mean_absolute;
    row.printed_source = printed.source;
}

fn find_model<'a>(comparison: &'a Comparison, name: &str) -> Option<&'a ComparedModel> {
    comparison.models.iter().find(|model| model.model == name)
}

/// A difference of means with Student's interval over samples, where there are enough.
fn estimate(differences: &Clusters, value: f64, level: Level) -> Estimate {
    let is_enough = differences.len() >= MIN_FOR_INTERVAL as usize;
    let ends = is_enough
        .then(|| differences.t_interval_at(level))
        .flatten();
    Estimate {
        value,
        low: ends.map(|ends| ends.low),
        high: ends.map(|ends| ends.high),
    }
}

/// Two models that the sides put in opposite order, the first side's better one in front.
fn exchange(both: &TwoSides, one: &RankedModel, other: &RankedModel) -> ExchangedPair {
    let (model, other) = if one.rank_a < other.rank_a {
        (&one.model, &other.model)
    } else {
        (&other.model, &one.model)
    };
    let tests = [0, 1].map(|side| test(&both.comparisons[side], model, other));
    let (n, expected) = tests[0]
        .as_ref()
        .map_or((0, 0), |(_, pair)| (pair.n, pair.n + pair.left_out));
    let [by_a, by_b] = tests.map(|test| test.map_or_else(PairTest::default, |(test, _)| test));
    ExchangedPair {
        model: model.clone(),
        other: other.clone(),
        n,
        expected,
        by_a,
        by_b,
    }
}

/// One side's test of two models, as the first less the second.
fn test<'a>(
    comparison: &'a Comparison,
    model: &str,
    other: &str,
) -> Option<(PairTest, &'a ComparedPair)> {
    let mut pairs = comparison.pairs.iter();
    let is_pair = |pair: &&ComparedPair| {
        (pair.a == model && pair.b == other) || (pair.a == other && pair.b == model)
    };
    let pair = pairs.find(is_pair)?;
    let sign = if pair.a == model { 1.0 } else { -1.0 };
    let test = PairTest {
        difference: pair.difference.map(|difference| sign * difference),
        p: pair.p_corrected,
        separated: pair.separated,
    };
    Some((test, pair))
}

/// What to know about the numbers.
fn notes(
    models: &[RankedModel],
    left_out: &[String],
    found: &Ranking,
    criterion: &CriterionInfo,
) -> Vec<String> {
    let mut notes = Vec::new();
    if models.len() < 2 {
        notes.push(
            "Fewer than two models have a sample that both rated: there is no order to compare."
                .to_owned(),
        );
    }
    if !left_out.is_empty() {
        notes.push(format!(
            "Without a sample that both rated, and left out: {}.",
            left_out.join(", ")
        ));
    }
    if found.tied > 0 {
        notes.push(format!(
            "{} of {} pairs of models are equal on one side: they count as neither kept nor exchanged, and τ-b allows for them.",
            found.tied, found.pairs
        ));
    }
    if models.len() > 1 && found.tau_b.is_none() {
        notes.push("One side has all models equal, so that τ-b and ρ are not defined.".to_owned());
    }
    if found.rho.is_some() && models.len() > MAX_EXACT {
        notes.push(format!(
            "ρ has no p-value: it is counted out exactly for up to {MAX_EXACT} models, and these are {}.",
            models.len()
        ));
    }
    let sizes = || models.iter().map(|model| model.n);
    if let Some((least, most)) = sizes().min().zip(sizes().max()).filter(|(a, b)| a < b) {
        notes.push(format!(
            "Models have means of different samples, {least} to {most} of them; tests of a pair take those that both models have."
        ));
    }
    if criterion.direction == Direction::Neither {
        notes.push(format!(
            "{} has no better end: the highest mean has the first place.",
            criterion.label
        ));
    }
    notes
}

impl Rankings {
    /// Tables and figures in words for all samples and each group, rounded as printed.
    pub fn to_markdown(&self) -> String {
        let (a, b) = (markdown(&self.a), markdown(&self.b));
        let mut out = format!("# {}: {a} and {b}\n", markdown(&self.criterion.label));
        for row in &self.rows {
            let title = if row.key.is_empty() { "all" } else { &row.key };
            // Writing to a string cannot fail.
            let _ = writeln!(out, "\n## {}\n", markdown(title));
            let _ = writeln!(out, "{}", row.figures());
            let _ = writeln!(
                out,
                "\n| model | n | {a} | place | {b} | place | difference | {} % CI |\n|---|---:|---:|---:|---:|---:|---:|---|",
                self.level.percent()
            );
            for model in &row.models {
                let _ = writeln!(out, "{}", self.line(model));
            }
            for pair in &row.exchanged {
                let _ = writeln!(out, "\n- {}", self.exchanged(pair));
            }
            if let Some(printed) = row.printed() {
                let _ = writeln!(out, "\n{printed}");
            }
            for note in &row.notes {
                let _ = writeln!(out, "\nNote: {}", markdown(note));
            }
        }
        out
    }

    fn number(&self, x: f64) -> String {
        printed(x, usize::from(self.criterion.decimals))
    }

    fn line(&self, model: &RankedModel) -> String {
        let Estimate { value, low, high } = model.difference;
        let ends = low.zip(high).map_or_else(
            || "n too small".to_owned(),
            |(low, high)| format!("[{}, {}]", self.number(low), self.number(high)),
        );
        format!(
            "| {} | {}/{} | {} | {} | {} | {} | {} | {ends} |",
            markdown(&model.model),
            model.n,
            model.expected,
            self.number(model.mean_a),
            model.rank_a,
            self.number(model.mean_b),
            model.rank_b,
            self.number(value),
        )
    }

    fn exchanged(&self, pair: &ExchangedPair) -> String {
        let by = |judge: &str, test: &PairTest| {
            let difference = test
                .difference
                .map_or_else(|| "–".to_owned(), |x| self.number(x));
            let apart = if test.separated {
                "significant"
            } else {
                "not significant"
            };
            format!("{} {difference}, {apart}", markdown(judge))
        };
        format!(
            "{} and {} are exchanged: {}; {} (n = {}/{}).",
            markdown(&pair.model),
            markdown(&pair.other),
            by(&self.a, &pair.by_a),
            by(&self.b, &pair.by_b),
            pair.n,
            pair.expected
        )
    }
}

impl RankingRow {
    /// What the paper prints of these models, in one paragraph.
    fn printed(&self) -> Option<String> {
        let number = |x: Option<f64>| x.map_or_else(|| "–".to_owned(), |x| x.to_string());
        let models = self.models.iter();
        let models = models.filter(|one| one.printed_a.or(one.printed_b).is_some());
        let models: Vec<String> = models
            .map(|one| {
                let means = (number(one.printed_a), number(one.printed_b));
                format!("{} {} and {}", markdown(&one.model), means.0, means.1)
            })
            .collect();
        let deviation = self.printed_mean_absolute;
        if models.is_empty() && deviation.is_none() {
            return None;
        }
        let means = if models.is_empty() {
            String::new()
        } else {
            format!(" ({}): {}", self.printed_source, models.join("; "))
        };
        let deviation = deviation.map_or_else(String::new, |value| {
            format!("; mean absolute deviation {value}")
        });
        Some(format!("Printed by the paper{means}{deviation}."))
    }

    /// What the orders come to, in one line.
    fn figures(&self) -> String {
        let figure = |x: Option<f64>, decimals| {
            x.map_or_else(|| "not defined".to_owned(), |x| printed(x, decimals))
        };
        let p = match self.rho_p {
            Some(p) if p < 0.0005 => ", exact p < 0.0005".to_owned(),
            Some(p) => format!(", exact p {}", printed(p, 3)),
            None => String::new(),
        };
        format!(
            "{} models, n = {}/{}: Spearman's ρ {}{p}; Kendall's τ-b {}; {} of {} pairs exchanged, {} tied; mean deviation {}, mean absolute deviation {}.",
            self.models.len(),
            self.n,
            self.expected,
            figure(self.rho, 3),
            figure(self.tau_b, 3),
            self.exchanged.len(),
            self.pairs,
            self.tied,
            figure(self.mean_difference, 4),
            figure(self.mean_absolute, 4)
        )
    }
}
