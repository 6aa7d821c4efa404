//! A list of values that networks outside of Juror computed: a CSV with the columns model, sample, metric and value.
//!
//! It is the form in which MICON-Bench's Table 4 is brought along: T2I, I2I, DINO and LPIPS of each case.

use juror_reading::limits::BadLines;
use juror_reading::text::decimal;

use super::{FORMAT, Measure, MeasureFile, MeasureKind};
use crate::sheet;

/// The backend in a record whose list does not say on which one its values were computed.
pub(super) const BACKEND: &str = "file";

/// The columns that make a CSV a list of values.
const COLUMNS: [&str; 4] = ["model", "sample", "metric", "value"];

/// Names that lists use, with the metric and what the output is held against.
const NAMES: [(&str, &str, &str); 4] = [
    ("t2i", "clip", "prompt"),
    ("i2i", "clip", "objects"),
    ("dino", "dino", "objects"),
    ("lpips", "lpips", "objects"),
];

/// Whether [`read`] may find its columns; never wrong where this says no.
pub(crate) fn may_be(text: &str) -> bool {
    sheet::may_have(text, &COLUMNS)
}

/// Reads a list; `None` if its head says that it is something else. A row without a value is one that nobody computed.
pub(super) fn read(text: &str) -> Option<MeasureFile> {
    if !may_be(text) {
        return None;
    }
    let mut sheet = sheet::open(text, &COLUMNS)?;
    // A file of ratings may have all of these columns in addition to its own.
    if sheet.column("rater").is_some() {
        return None;
    }
    let (mut records, mut bad_lines) = (Vec::new(), BadLines::default());
    let (columns, separator) = (sheet.columns.clone(), sheet.separator);
    for row in sheet.reader.records() {
        let (line, row) = match sheet::line_of(row) {
            Ok(row) => row,
            Err(unread) => {
                bad_lines.push(unread);
                continue;
            }
        };
        let [model, sample, metric, value] =
            [0, 1, 2, 3].map(|at: usize| row.get(columns[at]).unwrap_or_default());
        if value.is_empty() {
            continue;
        }
        match record([model, sample, metric], value, separator) {
            Ok(record) => records.push((line, record)),
            Err(fault) => bad_lines.push((line, fault)),
        }
    }
    Some(MeasureFile { records, bad_lines })
}

fn record(
    [model, sample, metric]: [&str; 3],
    value: &str,
    separator: u8,
) -> Result<Measure, String> {
    if model.is_empty() || sample.is_empty() {
        return Err("The row names no model or no sample.".to_owned());
    }
    let known = NAMES
        .iter()
        .find(|(name, _, _)| metric.eq_ignore_ascii_case(name));
    let Some((_, metric, against)) = known else {
        return Err(format!(
            "Expected the metric T2I, I2I, DINO or LPIPS, found {metric:?}."
        ));
    };
    let mut record = Measure {
        format: FORMAT.to_owned(),
        model: model.to_owned(),
        sample: sample.to_owned(),
        metric: (*metric).to_owned(),
        against: (*against).to_owned(),
        backend: BACKEND.to_owned(),
        ..Measure::default()
    };
    let kind = record.kind();
    let info = kind.as_ref().map(MeasureKind::metric);
    let (least, most) = info.map_or((0.0, None), |info| (info.min, info.max));
    let is_possible = |value: &f64| {
        value.is_finite() && *value >= least && most.is_none_or(|most| *value <= most)
    };
    record.value = decimal(value, separator).filter(is_possible);
    if record.value.is_some() {
        return Ok(record);
    }
    let range = most.map_or_else(
        || format!("from {least}"),
        |most| format!("from {least} to {most}"),
    );
    Err(format!("Expected a number {range}, found {value:?}."))
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    #[test]
    fn a_list_names_each_metric_of_table_4_and_bad_rows_by_their_lines() {
        let file = read(
            "Sample,model,metric,value\n1,a,T2I,0.35\n1,a,i2i,0.9\n1,a,DINO,0.8\n1,a,LPIPS,1.25\n\
             1,a,FID,3\n1,a,T2I,34.5\n1,a,LPIPS,nan\n1,a,I2I,\n1,,I2I,0.5\n",
        )
        .unwrap();
        let criteria: Vec<String> = (file.records.iter())
            .map(|(_, one)| one.kind().unwrap().to_string())
            .collect();
        assert_eq!(
            criteria,
            [
                "clip@prompt",
                "clip@objects",
                "dino@objects",
                "lpips@objects"
            ]
        );
        // A cosine times a hundred would pass for a very good one.
        let bad: Vec<u32> = file.bad_lines.iter().map(|(line, _)| *line).collect();
        assert_eq!(bad, [6, 7, 8, 10]);
        assert!(file.records.iter().all(|(_, one)| one.fault().is_none()));
    }

    #[test]
    fn other_tables_are_left_to_others() {
        assert!(read("sample,model,criterion,rater,score\n").is_none());
        assert!(read("model,sample,metric,value,rater\n").is_none());
        assert!(read("").is_none());
    }
}
