//! People's ratings: a CSV with the columns sample, model, criterion, rater and score, and turn where samples have several.

use crate::view::{Problem, Severity};

/// One person's score.
#[derive(Clone, Debug, PartialEq)]
pub struct Rating {
    /// Line in the file, from 1.
    pub line: u32,
    /// Sample id.
    pub sample: String,
    /// Turn, from 0.
    pub turn: u32,
    /// Model.
    pub model: String,
    /// Criterion, or `total`.
    pub criterion: String,
    /// Who rated.
    pub rater: String,
    /// On the judge's scale; a total on the printed one.
    pub score: f64,
}

/// The columns that make a CSV a file of ratings.
const COLUMNS: [&str; 5] = ["sample", "model", "criterion", "rater", "score"];

/// Reads a file of ratings; `None` if its head says that it is something else. Rows without a score are left for later.
pub fn read(path: &str, text: &str) -> Option<(Vec<Rating>, Vec<Problem>)> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut reader = csv::ReaderBuilder::new()
        .trim(csv::Trim::All)
        .flexible(true)
        .from_reader(text.as_bytes());
    let head = reader.headers().ok()?.clone();
    let column = |name: &str| {
        head.iter()
            .position(|known| known.eq_ignore_ascii_case(name))
    };
    let columns: Option<Vec<usize>> = COLUMNS.iter().map(|name| column(name)).collect();
    let columns = columns?;
    let turn = column("turn");
    let (mut ratings, mut problems) = (Vec::new(), Vec::new());
    for record in reader.records() {
        let mut refuse = |line: u64, message: String| {
            problems.push(Problem {
                severity: Severity::Error,
                code: "bad_rating".to_owned(),
                path: path.to_owned(),
                place: format!("line {line}"),
                message,
                hint: "The rating is left out; the others count.".to_owned(),
            });
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
        let field = |at: usize| record.get(at).unwrap_or_default();
        let score = field(columns[4]);
        if score.is_empty() {
            continue;
        }
        let Some(score) = score.parse::<f64>().ok().filter(|score| score.is_finite()) else {
            refuse(
                line,
                format!("Expected a number as score, found \"{score}\"."),
            );
            continue;
        };
        let turn = turn.map_or("", &field);
        let Ok(turn) = (if turn.is_empty() { "0" } else { turn }).parse::<u32>() else {
            refuse(line, format!("Expected a turn from 0, found \"{turn}\"."));
            continue;
        };
        let [sample, model, criterion, rater] =
            [0, 1, 2, 3].map(|at| field(columns[at]).to_owned());
        ratings.push(Rating {
            line: u32::try_from(line).unwrap_or(u32::MAX),
            sample,
            turn,
            model,
            criterion,
            rater,
            score,
        });
    }
    Some((ratings, problems))
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
            (ratings[0].model.as_str(), ratings[0].score, ratings[0].line),
            ("a, b", 4.5, 2)
        );
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
}
