//! A comparison as CSV and Markdown.

use std::fmt::Write as _;

use super::types::{ComparedModel, ComparedPair, Comparison, Interval};
use super::words::printed;
use juror_reading::escape::{csv_field, csv_number_as, markdown};
use juror_statistics::MIN_FOR_INTERVAL;

const HEAD: &str = "kind,a,b,n,expected,left_out,clusters,estimate,sd,ci_low,ci_high,bootstrap_low,bootstrap_high,t,df,p_t,p_wilcoxon,p_corrected,separated,detectable,group,bound_low,bound_high,reported,scope,key,criterion,judge,profile,policy,cluster,correction,seed,replicates,interval_level\n";

impl Comparison {
    /// One row per model (`mean`), then one per pair (`difference`, of a − b); full precision, RFC 4180, `\n` line ends.
    ///
    /// Every row ends with the choices that it rests on, so that it can be read without the others.
    pub fn to_csv(&self) -> String {
        let mut out = HEAD.to_owned();
        let tail = [
            csv_field(&self.scope),
            csv_field(&self.key),
            csv_field(&self.criterion),
            csv_field(&self.judge),
            word(&self.profile),
            word(&self.policy),
            word(&self.cluster),
            word(&self.correction),
            self.seed.to_string(),
            self.replicates.to_string(),
            self.level.percent().to_string(),
        ]
        .join(",");
        for model in &self.models {
            // Writing to a string cannot fail.
            let _ = writeln!(out, "{},{tail}", model_fields(model).join(","));
        }
        for pair in &self.pairs {
            let _ = writeln!(out, "{},{tail}", pair_fields(pair).join(","));
        }
        out
    }

    /// Two tables and the sentences, rounded as printed.
    pub fn to_markdown(&self) -> String {
        let criterion = &self.info;
        let number = |x: Option<f64>| {
            x.map_or_else(
                || "–".to_owned(),
                |x| printed(x, usize::from(criterion.decimals)),
            )
        };
        let interval = |interval: Option<Interval>, value: Option<f64>, n: u32| match interval {
            Some(ends) => format!("[{}, {}]", number(Some(ends.low)), number(Some(ends.high))),
            None if value.is_some() && n < MIN_FOR_INTERVAL => "n too small".to_owned(),
            None => "–".to_owned(),
        };
        let p = |p: Option<f64>| match p {
            None => "–".to_owned(),
            Some(p) if p < 0.001 => "< 0.001".to_owned(),
            Some(p) => printed(p, 3),
        };
        let mut out = format!(
            "# {}: {}\n\n",
            markdown(&self.benchmark),
            markdown(&criterion.label)
        );
        let ci = format!("{} % CI", self.level.percent());
        // Writing to a string cannot fail.
        let _ = writeln!(
            out,
            "| model | group | mean | {ci} (t) | {ci} (bootstrap) | n |\n|---|---|---:|---|---|---:|"
        );
        for model in &self.models {
            // Writing to a string cannot fail.
            let _ = writeln!(
                out,
                "| {} | {} | {} | {} | {} | {}/{} |",
                markdown(&model.model),
                model.group,
                model
                    .mean
                    .map_or_else(|| "No score".to_owned(), |x| number(Some(x))),
                interval(model.interval, model.mean, model.clusters),
                interval(model.bootstrap, model.mean, model.clusters),
                model.n,
                model.expected
            );
        }
        let _ = writeln!(out, "\n{}\n", markdown(&self.sentence));
        if !self.pairs.is_empty() {
            let _ = writeln!(
                out,
                "| a | b | a − b | {ci} (t) | {ci} (bootstrap) | n | p (t) | p corrected | p (Wilcoxon) | detectable difference |\n|---|---|---:|---|---|---:|---:|---:|---:|---:|"
            );
            for pair in &self.pairs {
                let _ = writeln!(
                    out,
                    "| {} | {} | {} | {} | {} | {} | {} | {} | {} | {} |",
                    markdown(&pair.a),
                    markdown(&pair.b),
                    number(pair.difference),
                    interval(pair.interval, pair.difference, pair.clusters),
                    interval(pair.bootstrap, pair.difference, pair.clusters),
                    pair.n,
                    p(pair.p_t),
                    p(pair.p_corrected),
                    p(pair.p_wilcoxon),
                    number(pair.detectable)
                );
            }
            out.push('\n');
        }
        for pair in &self.pairs {
            let _ = writeln!(out, "- {}", markdown(&pair.sentence));
        }
        for note in &self.notes {
            let _ = writeln!(out, "\nNote: {}", markdown(note));
        }
        out
    }
}

/// A name as JSON has it.
fn word<T: serde::Serialize>(value: &T) -> String {
    let text = serde_json::to_string(value).unwrap_or_default();
    text.trim_matches('"').to_owned()
}

fn number(x: Option<f64>) -> String {
    csv_number_as(x, |x| word(&x))
}

fn ends(interval: Option<Interval>) -> [String; 2] {
    [
        number(interval.map(|ends| ends.low)),
        number(interval.map(|ends| ends.high)),
    ]
}

fn model_fields(model: &ComparedModel) -> Vec<String> {
    let [low, high] = ends(model.interval);
    let [bootstrap_low, bootstrap_high] = ends(model.bootstrap);
    let none = String::new;
    vec![
        "mean".to_owned(),
        csv_field(&model.model),
        none(),
        model.n.to_string(),
        model.expected.to_string(),
        none(),
        model.clusters.to_string(),
        number(model.mean),
        number(model.sd),
        low,
        high,
        bootstrap_low,
        bootstrap_high,
        none(),
        none(),
        none(),
        none(),
        none(),
        none(),
        none(),
        model.group.clone(),
        number(model.bound_low),
        number(model.bound_high),
        number(model.reported),
    ]
}

fn pair_fields(pair: &ComparedPair) -> Vec<String> {
    let [low, high] = ends(pair.interval);
    let [bootstrap_low, bootstrap_high] = ends(pair.bootstrap);
    let none = String::new;
    vec![
        "difference".to_owned(),
        csv_field(&pair.a),
        csv_field(&pair.b),
        pair.n.to_string(),
        none(),
        pair.left_out.to_string(),
        pair.clusters.to_string(),
        number(pair.difference),
        number(pair.sd),
        low,
        high,
        bootstrap_low,
        bootstrap_high,
        number(pair.t),
        number(pair.df),
        number(pair.p_t),
        number(pair.p_wilcoxon),
        number(pair.p_corrected),
        pair.separated.to_string(),
        number(pair.detectable),
        none(),
        none(),
        none(),
        none(),
    ]
}
