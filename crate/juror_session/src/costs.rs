//! What a method costs: seconds of outputs from a file, two models paired by sample, and the paper's figures.

use crate::study::LinkedSession;
use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;

use super::count;
use super::subset::Grouping;
use crate::error::Error;
use crate::view::costs::{CostQuery, CostRow, Costs};
use juror_model::sample::Sample;
use juror_model::terms::Estimate;
use juror_reading::escape::{csv_field, csv_number, csv_unguarded, markdown};
use juror_reading::limits::BadLines;
use juror_reading::text::{decimal, separator};
use juror_statistics::MIN_FOR_INTERVAL;
use juror_statistics::clusters::Clusters;
use juror_statistics::level::Level;

/// The columns of a file of seconds.
const COLUMNS: [&str; 3] = ["model", "sample", "seconds"];
/// The groups that the paper prints seconds of.
const REFERENCES: &str = "references";

/// One model's seconds by position of the sample: the sum and how many.
type Seconds = BTreeMap<usize, (f64, u32)>;
/// Models in the order of the file.
type ByModel = Vec<(String, Seconds)>;

/// Compares the seconds of two models on the samples that both have some of; several of one output are averaged first.
///
/// # Errors
/// `bad_costs`: the file has other columns, or a model that it does not have is asked for; `no_benchmark`; `unknown_group`.
pub fn costs(session: &LinkedSession<'_>, query: &CostQuery) -> Result<Costs, Error> {
    if session.loader.benchmark.is_none() {
        return Err(Error::NoBenchmark(
            "No sample list was found, so it is not known which samples the seconds belong to. Name the benchmark's folder as well.".to_owned(),
        ));
    }
    let samples = &session.world().benchmark.samples;
    let find = |id: &str| session.world().benchmark.index_of(id).map(|at| at as usize);
    let (seconds, problems) = read(query, find)?;
    let models: Vec<String> = seconds.iter().map(|(model, _)| model.clone()).collect();
    let chosen = |name: &str, at: usize| {
        let found = if name.is_empty() {
            models.get(at)
        } else {
            models.iter().find(|model| *model == name)
        };
        found.cloned().ok_or_else(|| {
            Error::Costs(format!(
                "{} has no seconds of {}; it has those of {}.",
                query.path,
                if name.is_empty() { "two models" } else { name },
                models.join(", ")
            ))
        })
    };
    let (base, other) = (chosen(&query.base, 0)?, chosen(&query.other, 1)?);
    let of = |name: &str| seconds.iter().find(|(model, _)| model == name);
    let empty = Seconds::new();
    let [first, second] = [&base, &other].map(|name| of(name).map_or(&empty, |(_, own)| own));
    let groupings = Grouping::of(&*session.loader.protocol, samples);
    let wanted = if query.scope.is_empty() {
        REFERENCES
    } else {
        &query.scope
    };
    let grouping = groupings.iter().find(|(name, _)| name == wanted);
    if grouping.is_none() && !query.scope.is_empty() {
        return Err(Error::UnknownGroup {
            scope: query.scope.clone(),
            key: String::new(),
        });
    }
    let mut rows = vec![row("", (first, second), query.level)];
    if let Some((_, grouping)) = grouping {
        let of_groups = members(grouping, samples).into_iter();
        let of_groups = of_groups.map(|(key, members)| {
            let [first, second] = [first, second].map(|own| only(own, &members));
            row(key, (&first, &second), query.level)
        });
        rows.extend(of_groups.filter(|row| row.expected > 0));
    }
    let scope = grouping.map_or_else(String::new, |(name, _)| name.clone());
    let mut printed = session.loader.protocol.printed_costs();
    printed.retain(|cost| cost.scope == scope);
    Ok(Costs {
        models,
        base,
        other,
        scope,
        level: query.level,
        rows,
        printed,
        problems,
    })
}

/// Each group in the order of the samples, with the positions of its samples.
fn members<'a>(grouping: &'a Grouping, samples: &'a [Sample]) -> Vec<(&'a str, Vec<usize>)> {
    let mut groups: Vec<(&str, Vec<usize>)> = Vec::new();
    let mut places: HashMap<&str, usize> = HashMap::new();
    for (at, sample) in samples.iter().enumerate() {
        for key in grouping.keys(sample) {
            let place = *places.entry(key).or_insert(groups.len());
            if place == groups.len() {
                groups.push((key, Vec::new()));
            }
            groups[place].1.push(at);
        }
    }
    groups
}

/// The seconds of these samples.
fn only(seconds: &Seconds, members: &[usize]) -> Seconds {
    let own = members
        .iter()
        .filter_map(|at| Some((*at, *seconds.get(at)?)));
    own.collect()
}

/// The rows of a file that name a known sample and a number that is not negative.
fn read(
    query: &CostQuery,
    find: impl Fn(&str) -> Option<usize>,
) -> Result<(ByModel, Vec<String>), Error> {
    let path = &query.path;
    let text = query.text.strip_prefix('\u{feff}').unwrap_or(&query.text);
    let separator = separator(text);
    let mut reader = csv::ReaderBuilder::new()
        .trim(csv::Trim::All)
        .flexible(true)
        .delimiter(separator)
        .from_reader(text.as_bytes());
    let head = reader.headers().cloned().unwrap_or_default();
    let column = |name: &str| {
        let mut names = head.iter();
        names.position(|known| known.eq_ignore_ascii_case(name))
    };
    let columns: Option<Vec<usize>> = COLUMNS.iter().map(|name| column(name)).collect();
    let columns = columns.ok_or_else(|| {
        Error::Costs(format!(
            "Expected {path} to be CSV with the columns model, sample and seconds, found {}.",
            head.iter().collect::<Vec<_>>().join(", ")
        ))
    })?;
    let mut seconds = ByModel::new();
    let mut order: HashMap<String, usize> = HashMap::new();
    let mut bad = BadLines::default();
    for record in reader.records() {
        let mut refuse = |line: u64, message: String| {
            bad.push((u32::try_from(line).unwrap_or(u32::MAX), message));
        };
        let record = match record {
            Ok(record) => record,
            Err(error) => {
                let line = error.position().map_or(0, csv::Position::line);
                refuse(line, format!("This row cannot be read: {error}."));
                continue;
            }
        };
        let line = record.position().map_or(0, csv::Position::line);
        let [model, sample, number] =
            [0, 1, 2].map(|at| csv_unguarded(record.get(columns[at]).unwrap_or_default()));
        let value = decimal(number, separator);
        let Some(value) = value.filter(|value| *value >= 0.0) else {
            refuse(
                line,
                format!("Expected seconds from 0, found \"{number}\"."),
            );
            continue;
        };
        let Some(at) = find(sample) else {
            refuse(line, format!("The benchmark has no sample {sample}."));
            continue;
        };
        let known = order.get(model).copied().unwrap_or_else(|| {
            order.insert(model.to_owned(), seconds.len());
            seconds.push((model.to_owned(), Seconds::new()));
            seconds.len() - 1
        });
        let (sum, n) = seconds[known].1.entry(at).or_default();
        *sum += value;
        *n += 1;
    }
    let problems = bad.told();
    let problems = problems.map(|(line, message)| format!("{path}, line {line}: {message}"));
    Ok((seconds, problems.collect()))
}

fn row(key: &str, (first, second): (&Seconds, &Seconds), level: Level) -> CostRow {
    let mean = |(sum, n): (f64, u32)| sum / f64::from(n);
    let pairs: Vec<(usize, f64, f64)> = first
        .iter()
        .filter_map(|(at, a)| Some((*at, mean(*a), mean(*second.get(at)?))))
        .collect();
    let only_second = second.keys().filter(|at| !first.contains_key(at));
    let expected = first.len() + only_second.count();
    let average = |side: fn(&(usize, f64, f64)) -> f64| {
        let sum: f64 = pairs.iter().map(side).sum();
        (!pairs.is_empty()).then(|| sum / pairs.len() as f64)
    };
    let (base, other) = (average(|pair| pair.1), average(|pair| pair.2));
    let differences = Clusters::new(pairs.iter().map(|(at, a, b)| (*at, b - a)));
    let is_enough = differences.len() >= MIN_FOR_INTERVAL as usize;
    let ends = is_enough
        .then(|| differences.t_interval_at(level))
        .flatten();
    let difference = differences.mean().map(|value| Estimate {
        value,
        low: ends.map(|ends| ends.low),
        high: ends.map(|ends| ends.high),
    });
    let share = difference
        .zip(base)
        .map(|(difference, base)| difference.value / base);
    CostRow {
        key: key.to_owned(),
        n: count(pairs.len()),
        expected: count(expected),
        base,
        other,
        difference,
        share: share.filter(|share| share.is_finite()),
    }
}

impl Costs {
    /// One row for each group, then the printed ones; full precision, RFC 4180, `\n` line ends.
    pub fn to_csv(&self) -> String {
        let mut out = "kind,base,other,scope,key,n,expected,base_seconds,other_seconds,difference,ci_low,ci_high,level,share\n".to_owned();
        for row in &self.rows {
            let difference = row.difference;
            let fields = [
                "measured".to_owned(),
                csv_field(&self.base),
                csv_field(&self.other),
                if row.key.is_empty() {
                    String::new()
                } else {
                    csv_field(&self.scope)
                },
                csv_field(&row.key),
                row.n.to_string(),
                row.expected.to_string(),
                csv_number(row.base),
                csv_number(row.other),
                csv_number(difference.map(|one| one.value)),
                csv_number(difference.and_then(|one| one.low)),
                csv_number(difference.and_then(|one| one.high)),
                self.level.percent().to_string(),
                csv_number(row.share),
            ];
            // Writing to a string cannot fail.
            let _ = writeln!(out, "{}", fields.join(","));
        }
        for cost in &self.printed {
            let fields = [
                "printed".to_owned(),
                csv_field(&cost.base),
                csv_field(&cost.other),
                csv_field(&cost.scope),
                csv_field(&cost.key),
                String::new(),
                String::new(),
                csv_number(cost.base_seconds),
                csv_number(cost.other_seconds),
                csv_number(cost.other_seconds - cost.base_seconds),
                String::new(),
                String::new(),
                String::new(),
                csv_number(cost.other_seconds / cost.base_seconds - 1.0),
            ];
            let _ = writeln!(out, "{}", fields.join(","));
        }
        out
    }

    /// Tables of what was measured and of what is printed, rounded for reading.
    pub fn to_markdown(&self) -> String {
        let seconds = |x: Option<f64>| x.map_or_else(|| "–".to_owned(), |x| format!("{x:.2}"));
        let percent =
            |x: Option<f64>| x.map_or_else(|| "–".to_owned(), |x| format!("{:+.1} %", 100.0 * x));
        let (base, other) = (markdown(&self.base), markdown(&self.other));
        let mut out = format!("# Seconds of an output: {base} and {other}\n");
        let level = self.level.percent();
        let scope = markdown(&self.scope);
        let _ = writeln!(
            out,
            "\n| {} | {base} | {other} | difference | {level} % CI | share | n |\n|---|---:|---:|---:|---|---:|---:|",
            if self.scope.is_empty() {
                "samples"
            } else {
                &scope
            }
        );
        for row in &self.rows {
            let ends = row.difference.and_then(|one| one.low.zip(one.high));
            let ends = ends.map_or_else(
                || "n too small".to_owned(),
                |(low, high)| format!("[{low:.2}, {high:.2}]"),
            );
            let key = if row.key.is_empty() {
                "all".to_owned()
            } else {
                markdown(&row.key)
            };
            let _ = writeln!(
                out,
                "| {key} | {} | {} | {} | {ends} | {} | {}/{} |",
                seconds(row.base),
                seconds(row.other),
                seconds(row.difference.map(|one| one.value)),
                percent(row.share),
                row.n,
                row.expected
            );
        }
        for cost in &self.printed {
            let share = cost.other_seconds / cost.base_seconds - 1.0;
            let _ = writeln!(
                out,
                "\nPrinted ({}), {} {}: {} {:.2}, {} {:.2}, {}.",
                markdown(&cost.source),
                markdown(&cost.scope),
                markdown(&cost.key),
                markdown(&cost.base),
                cost.base_seconds,
                markdown(&cost.other),
                cost.other_seconds,
                percent(Some(share))
            );
        }
        for problem in &self.problems {
            let _ = writeln!(out, "\nLeft out: {}", markdown(problem));
        }
        out
    }
}
