//! People's ratings: a CSV with the columns sample, model, criterion, rater and score; turn where samples have several;
//! time, note and seed where Juror wrote it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::sheet;
use juror_model::problem::Problem;
use juror_reading::escape::{csv_guarded, csv_number, csv_unguarded};
use juror_reading::limits::BadLines;
use juror_reading::names::{composed, whole_id};
use juror_reading::text::decimal;

/// One person's score.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(deny_unknown_fields)]
pub struct Rating {
    /// Sample id.
    pub sample: String,
    /// Turn, from 0.
    pub turn: u32,
    /// Whether the file does not state the turn: the first counts where a sample has only one.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "typescript", ts(optional, as = "Option<bool>"))]
    pub lacks_turn: bool,
    /// Model.
    pub model: String,
    /// Criterion, or `total`.
    pub criterion: String,
    /// Who rated.
    pub rater: String,
    /// On the judge's scale; a total on the printed one. `None` takes an earlier score back.
    pub score: Option<f64>,
    /// When, ISO 8601 in UTC; empty if unknown, which is before every known time.
    pub time: String,
    /// What the rater noted.
    pub note: String,
    /// The seed that the order was shuffled by.
    pub seed: Option<u32>,
}

impl Rating {
    /// What is rated, and by whom: of two ratings with the same key the later counts.
    fn key(&self) -> (&str, &str, u32, &str, &str) {
        (
            &self.rater,
            &self.sample,
            self.turn,
            &self.model,
            &self.criterion,
        )
    }
}

/// The columns that make a CSV a file of ratings.
const COLUMNS: [&str; 5] = ["sample", "model", "criterion", "rater", "score"];

/// Whether [`read`] may find a head of ratings in a file; never wrong where this says no.
pub fn may_be(text: &str) -> bool {
    sheet::may_have(text, &COLUMNS)
}

/// Reads a file of ratings; `None` if its head says that it is something else. Rows without a score are left for later.
pub fn read(path: &str, text: &str) -> Option<(Vec<Rating>, Vec<Problem>)> {
    let mut sheet = sheet::open(text, &COLUMNS)?;
    let [turn, time, note, seed] = ["turn", "time", "note", "seed"].map(|name| sheet.column(name));
    let (mut ratings, mut bad) = (Vec::new(), BadLines::default());
    let (columns, separator) = (sheet.columns.clone(), sheet.separator);
    for row in sheet.reader.records() {
        let (line, row) = match sheet::line_of(row) {
            Ok(row) => row,
            Err(unread) => {
                bad.push(unread);
                continue;
            }
        };
        let field = |at: Option<usize>| at.and_then(|at| row.get(at)).unwrap_or_default();
        let score = field(Some(columns[4]));
        let time = csv_unguarded(field(time));
        // Without a score and a time it is a row of a template that nobody has filled in yet.
        if score.is_empty() && time.is_empty() {
            continue;
        }
        let number = decimal(score, separator);
        if number.is_none() && !score.is_empty() {
            let why = format!("Expected a number as score, found \"{score}\".");
            bad.push((line, why));
            continue;
        }
        let lacks_turn = field(turn).is_empty();
        let turn = match sheet::turn(field(turn)) {
            Ok(turn) => turn,
            Err(why) => {
                bad.push((line, why));
                continue;
            }
        };
        let [sample, model, criterion, rater] = [0, 1, 2, 3].map(|at| {
            let text = csv_unguarded(field(Some(columns[at])));
            composed(text).into_owned()
        });
        ratings.push(Rating {
            sample: whole_id(&sample).to_owned(),
            turn,
            lacks_turn,
            model,
            criterion,
            rater,
            score: number,
            time: time.to_owned(),
            note: csv_unguarded(field(note)).to_owned(),
            seed: field(seed).parse().ok(),
        });
    }
    let hint = "The rating is left out; the others count.";
    Some((ratings, sheet::problems(path, "bad_rating", hint, &bad)))
}

/// Ratings of several files as one list.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Merged {
    /// One rating per key, by rater, sample, turn, model and criterion; those taken back are among them.
    pub ratings: Vec<Rating>,
    /// Per rater: how many ratings gave way to a later one with another score.
    pub replaced: BTreeMap<String, u32>,
    /// Per rater: how many gave way to one with another score of which no time says that it is later.
    pub undated: BTreeMap<String, u32>,
    /// Those that state no turn of a sample that has several, which count nowhere.
    pub without_turn: Vec<Rating>,
}

/// Merges ratings: of two with the same sample, turn, model, criterion and rater the later counts.
///
/// Later is the one with the greater time; of two with the same time, or none, the one that comes later here.
pub fn merge<'a>(all: impl IntoIterator<Item = &'a Rating>) -> Merged {
    let mut by_key: BTreeMap<(&str, &str, u32, &str, &str), &Rating> = BTreeMap::new();
    let (mut replaced, mut undated) = (BTreeMap::new(), BTreeMap::new());
    for rating in all {
        let known = by_key.entry(rating.key()).or_insert(rating);
        if known.score != rating.score {
            let of = if known.time == rating.time {
                &mut undated
            } else {
                &mut replaced
            };
            *of.entry(rating.rater.clone()).or_default() += 1;
        }
        if rating.time >= known.time {
            *known = rating;
        }
    }
    Merged {
        ratings: by_key.into_values().cloned().collect(),
        replaced,
        undated,
        without_turn: Vec::new(),
    }
}

/// Ratings as a CSV that [`read`] reads back.
pub fn write<'a>(ratings: impl IntoIterator<Item = &'a Rating>) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    // Writing to memory cannot fail.
    let _ = writer.write_record([
        "sample",
        "turn",
        "model",
        "criterion",
        "rater",
        "score",
        "time",
        "note",
        "seed",
    ]);
    for rating in ratings {
        let turn = if rating.lacks_turn {
            String::new()
        } else {
            rating.turn.to_string()
        };
        let _ = writer.write_record([
            &csv_guarded(&rating.sample),
            &turn,
            &csv_guarded(&rating.model),
            &csv_guarded(&rating.criterion),
            &csv_guarded(&rating.rater),
            &csv_number(rating.score),
            &csv_guarded(&rating.time),
            &csv_guarded(&rating.note),
            &rating
                .seed
                .map_or_else(String::new, |seed| seed.to_string()),
        ]);
    }
    let bytes = writer.into_inner().unwrap_or_default();
    String::from_utf8(bytes).unwrap_or_default()
}

/// A file of ratings to be filled in: the head and one row per place.
pub fn template(places: impl Iterator<Item = (String, u32, String, String)>) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let mut write = |fields: [&str; 6]| {
        // Writing to memory cannot fail.
        let _ = writer.write_record(fields);
    };
    write(["sample", "turn", "model", "criterion", "rater", "score"]);
    for (sample, turn, model, criterion) in places {
        let [sample, model, criterion] = [sample, model, criterion].map(|text| csv_guarded(&text));
        write([&sample, &turn.to_string(), &model, &criterion, "", ""]);
    }
    let bytes = writer.into_inner().unwrap_or_default();
    String::from_utf8(bytes).unwrap_or_default()
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    #[test]
    fn columns_are_found_by_name_in_any_order() {
        let text = "\u{feff}Rater,score,model,sample,criterion\nann,\"4.5\",\"a, b\",7,total\nann,,x,8,total\n";
        let (ratings, problems) = read("r.csv", text).unwrap();
        assert_eq!(problems, []);
        assert_eq!(ratings.len(), 1, "an empty score is no rating yet");
        assert_eq!(
            (ratings[0].model.as_str(), ratings[0].score),
            ("a, b", Some(4.5))
        );
    }

    #[test]
    fn a_sheet_of_excel_with_semicolons_and_decimal_commas_is_read() {
        for head in ["", "sep=;\r\n"] {
            let text = format!(
                "{head}sample;turn;model;criterion;rater;score\r\n1;0;m;total;ann;4,5\r\n2;0;m;total;ann;3\r\n"
            );
            let (ratings, problems) = read("r.csv", &text).unwrap();
            assert_eq!(problems, []);
            let scores: Vec<_> = ratings.iter().map(|rating| rating.score).collect();
            assert_eq!(scores, [Some(4.5), Some(3.0)]);
        }
        // Where commas end fields, one in a number is none.
        let (ratings, problems) = read(
            "r.csv",
            "sample,turn,model,criterion,rater,score\n1,0,m,total,ann,\"4,5\"\n",
        )
        .unwrap();
        assert_eq!((ratings.len(), problems.len()), (0, 1));
    }

    #[test]
    fn a_turn_that_a_file_does_not_state_is_not_stated_by_what_is_written_of_it() {
        let text = "sample,turn,model,criterion,rater,score\n1,,m,c,r,2\n1,0,m,c,r,3\n";
        let (found, _) = read("r.csv", text).unwrap();
        let lacks: Vec<bool> = found.iter().map(|rating| rating.lacks_turn).collect();
        assert_eq!(lacks, [true, false]);
        assert_eq!(read("r.csv", &write(&found)).unwrap(), (found, vec![]));
    }

    #[test]
    fn a_time_that_a_spreadsheet_would_run_comes_back_as_it_was() {
        for time in ["=1", "'=1", "''=m", "-2+3"] {
            let own = Rating {
                time: time.to_owned(),
                rater: "r".to_owned(),
                ..Rating::default()
            };
            let (found, _) = read("r.csv", &write([&own])).unwrap();
            assert_eq!(found, [own]);
        }
    }

    #[test]
    fn names_that_a_spreadsheet_would_run_come_back_from_the_template_and_from_the_file_as_they_were()
     {
        let names = ["=cmd|' /C calc'!A0", "@SUM(A1)", "-2+3", "-5", "'=1"];
        let places = names.map(|name| (name.to_owned(), 0, name.to_owned(), "c".to_owned()));
        let text = template(places.into_iter());
        for cell in text.lines().skip(1).flat_map(|line| line.split(',')) {
            let is_number = cell.parse::<f64>().is_ok();
            assert!(
                is_number || !cell.starts_with(['=', '+', '-', '@']),
                "{text}"
            );
        }
        let (filled, _) = read("r.csv", &text.replace(",,\n", ",=me,3\n")).unwrap();
        let models: Vec<&str> = filled.iter().map(|rating| rating.model.as_str()).collect();
        assert_eq!(models, names);
        assert_eq!(filled[0].rater, "=me");
        let (again, problems) = read("r.csv", &write(&filled)).unwrap();
        assert_eq!((again, problems), (filled, vec![]));
    }

    #[test]
    fn a_wrong_score_is_named_with_its_line_and_other_files_are_not_ratings() {
        let (ratings, problems) = read(
            "r.csv",
            "sample,turn,model,criterion,rater,score\n1,0,m,c,r,good\n1,x,m,c,r,1\n1,2,m,c,r,1\n",
        )
        .unwrap();
        assert_eq!((ratings.len(), ratings[0].turn), (1, 2));
        let places: Vec<&str> = problems
            .iter()
            .map(|problem| problem.place.as_str())
            .collect();
        assert_eq!(places, ["line 2", "line 3"]);
        assert!(read("r.csv", "Task,Samples,Average\nadd,3,7.0\n").is_none());
    }

    #[test]
    fn a_template_that_was_filled_in_reads_back() {
        let text = template([("1".to_owned(), 0, "m,1".to_owned(), "c".to_owned())].into_iter());
        let filled = text.replace(",,\n", ",me,3\n");
        let (ratings, _) = read("r.csv", &filled).unwrap();
        assert_eq!(
            (ratings[0].model.as_str(), ratings[0].rater.as_str()),
            ("m,1", "me")
        );
    }

    fn rating(rater: &str, score: Option<f64>, time: &str) -> Rating {
        Rating {
            sample: "s".to_owned(),
            model: "m".to_owned(),
            criterion: "c".to_owned(),
            rater: rater.to_owned(),
            score,
            time: time.to_owned(),
            ..Rating::default()
        }
    }

    #[test]
    fn of_two_files_of_one_rater_the_later_rating_counts_in_whatever_order_they_come() {
        let early = rating("ann", Some(2.0), "2026-11-20T10:00:00.000Z");
        let late = rating("ann", Some(5.0), "2026-11-20T11:00:00.000Z");
        let other = rating("bob", Some(1.0), "2026-11-20T12:00:00.000Z");
        for files in [[&early, &late, &other], [&other, &late, &early]] {
            let merged = merge(files);
            assert_eq!(merged.ratings, [late.clone(), other.clone()]);
            assert_eq!(merged.replaced, [("ann".to_owned(), 1)].into());
        }
        // The same file twice is no news.
        assert!(merge([&late, &late]).replaced.is_empty());
        // Without times the one that was read later counts; a known time is later than none.
        let timeless = [rating("ann", Some(3.0), ""), rating("ann", Some(4.0), "")];
        assert_eq!(merge(&timeless).ratings[0].score, Some(4.0));
        assert_eq!(merge([&early, &timeless[0]]).ratings[0], early);
    }

    #[test]
    fn what_was_written_reads_back_and_what_was_taken_back_stays_so() {
        let mut all = vec![
            rating("ann, A.", Some(0.5), "2026-11-20T10:00:00.000Z"),
            rating("bob", None, "2026-11-20T11:00:00.000Z"),
        ];
        all[0].note = "left \"hand\",\nthen right".to_owned();
        all[0].seed = Some(7);
        let (read_back, problems) = read("r.csv", &write(&all)).unwrap();
        assert_eq!((read_back, problems), (all.clone(), vec![]));
        let before = rating("bob", Some(4.0), "2026-11-20T10:30:00.000Z");
        let merged = merge([&all[1], &before]);
        assert_eq!(merged.ratings[0].score, None);
    }
}
