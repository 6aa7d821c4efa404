//! `juror-report/1`: tidy rows, of which every table and plot is a pivot.

use juror_model::options::{Policy, Profile, ReplyReading};
use juror_model::problem::{Notice, Problem};
use juror_model::request::PackInfo;
use juror_model::row::{Incident, SampleRow, ScoreRow};
use juror_model::terms::{CriterionInfo, Formula, ScopeInfo};
use juror_model::tolerance::Tolerance;
use serde::{Deserialize, Serialize};

pub mod html;
pub mod latex;
pub mod tables;

use juror_judging::health::JudgeHealth;
use juror_model::judge::JudgeName;
use juror_model::summary::{BenchmarkInfo, MeasureCount, ModelSummary};
use juror_reading::escape::{csv_field, csv_number_as};

/// A file that the scores rest on.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct HashedFile {
    /// Path from the opened folder's name on.
    pub path: String,
    /// What it is: `samples`, `replies`, `journal`, `ratings`, `measures`, `prompts`.
    pub role: String,
    /// Size in bytes.
    pub size: u64,
    /// SHA-256, hex.
    pub sha256: String,
}

/// Where the numbers come from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Provenance {
    /// Version of Juror.
    pub juror: String,
    /// Protocol id.
    pub protocol: String,
    /// Formulas.
    pub profile: Profile,
    /// What incidents count as.
    pub policy: Policy,
    /// How replies were read; absent where strictly, or as the authors' code reads.
    #[serde(default, skip_serializing_if = "ReplyReading::is_strict")]
    pub reading: ReplyReading,
    /// Replies that only this reading reads, by judge; absent where there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tolerance: Vec<Tolerance>,
    /// The one judge whose replies are in; absent for all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub judge: Option<String>,
    /// The one run whose replies are in; absent for all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<u32>,
    /// Judges that were named by hand, for files of replies that state none; absent where nobody named one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub judge_names: Vec<JudgeName>,
    /// Prompt pack that requests are made with.
    pub prompts: PackInfo,
    /// The formulas in words.
    pub formulas: Vec<Formula>,
    /// Criteria with their scales, `total` last.
    #[serde(default)]
    pub criteria: Vec<CriterionInfo>,
    /// Scopes with their keys in display order, widest first.
    #[serde(default)]
    pub scopes: Vec<ScopeInfo>,
    /// Files that the scores rest on.
    pub files: Vec<HashedFile>,
    /// Models with their counts.
    pub models: Vec<ModelSummary>,
    /// The benchmark's counts.
    pub benchmark: Option<BenchmarkInfo>,
    /// Whether every picture's header was read; if not, unreadable outputs may be missing from the incidents.
    pub pictures_checked: bool,
    /// Judges: what they were asked with, where replies record it, and whether their anchors were asked again.
    pub judges: Vec<JudgeHealth>,
    /// What could change a number, in one line for each kind of finding.
    #[serde(default)]
    pub notices: Vec<Notice>,
    /// Findings about the files.
    pub problems: Vec<Problem>,
    /// What was measured, and on what; absent where nothing was.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub measures: Vec<MeasureCount>,
}

/// A whole report.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// `juror-report/1`.
    pub format: String,
    /// Where the numbers come from.
    pub provenance: Provenance,
    /// Means.
    pub scores: Vec<ScoreRow>,
    /// Units.
    pub samples: Vec<SampleRow>,
    /// What is missing.
    pub incidents: Vec<Incident>,
}

/// The format's name and version.
pub const FORMAT: &str = "juror-report/1";

impl Report {
    /// The report as JSON: indented head, one row per line, the same bytes everywhere.
    pub fn to_json(&self) -> String {
        let mut out = String::from("{\n");
        let head = serde_json::to_string_pretty(&self.provenance)
            .unwrap_or_default()
            .replace('\n', "\n  ");
        out.push_str("  \"format\": ");
        out.push_str(&json(&self.format));
        out.push_str(
            ",
  \"provenance\": ",
        );
        out.push_str(&head);
        out.push_str(
            ",
",
        );
        push_rows(&mut out, "scores", &self.scores, ",\n");
        push_rows(&mut out, "samples", &self.samples, ",\n");
        push_rows(&mut out, "incidents", &self.incidents, "\n");
        out + "}\n"
    }
}

/// Score rows as CSV (RFC 4180, `\n` line ends); an absent number is an empty field.
pub fn csv(rows: &[ScoreRow]) -> String {
    csv_as(rows, ReplyReading::Strict)
}

/// The same with a column for the reading of replies, where it is not the strict one.
pub fn csv_as(rows: &[ScoreRow], reading: ReplyReading) -> String {
    let mut out = String::from(
        "model,judge,profile,policy,scope,key,criterion,mean,n,expected,sd,ci_low,ci_high,worst,best",
    );
    let has_panel = rows.iter().any(|row| row.panel.is_some());
    if has_panel {
        out += ",had_all,had_any,answers,ties";
    }
    if !reading.is_strict() {
        out += ",reading";
    }
    out.push('\n');
    for row in rows {
        let number = |x: Option<f64>| csv_number_as(x, |x| json(&x));
        let fields = [
            csv_field(&row.model),
            csv_field(&row.judge),
            json(&row.profile).trim_matches('"').to_owned(),
            json(&row.policy).trim_matches('"').to_owned(),
            csv_field(&row.scope),
            csv_field(&row.key),
            csv_field(&row.criterion),
            number(row.mean),
            row.n.to_string(),
            row.expected.to_string(),
            number(row.sd),
            number(row.ci_low),
            number(row.ci_high),
            number(row.worst),
            number(row.best),
        ];
        out += &fields.join(",");
        if has_panel {
            let counts = row
                .panel
                .map(|panel| [panel.had_all, panel.had_any, panel.answers, panel.ties]);
            let counts =
                counts.map_or([const { String::new() }; 4], |of| of.map(|n| n.to_string()));
            out.push(',');
            out += &counts.join(",");
        }
        if !reading.is_strict() {
            out.push(',');
            out += json(&reading).trim_matches('"');
        }
        out.push('\n');
    }
    out
}

/// `null` for the numbers that JSON cannot hold.
fn json<T: Serialize>(value: &T) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

fn push_rows<T: Serialize>(out: &mut String, name: &str, rows: &[T], end: &str) {
    let rows: Vec<String> = rows
        .iter()
        .map(|row| format!("\n    {}", json(row)))
        .collect();
    let close = if rows.is_empty() { "" } else { "\n  " };
    for part in ["  \"", name, "\": [", &rows.join(","), close, "]", end] {
        out.push_str(part);
    }
}
