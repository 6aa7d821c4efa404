//! Steps of MultiBanana's construction: which pictures are clear, and what makes a set difficult.
//!
//! Source: the MultiBanana paper, section 3 and appendix A; what it leaves open is told where it is settled.

use std::collections::{BTreeMap, BTreeSet};

use juror_reading::escape::csv_field;

use crate::Error;
use crate::ordered::{Json, pretty};

/// Least share of a picture that a clear detection's box covers, of the box that its mask covers, and the least CLIP score
/// of class and crop.
const LEAST_BOX: f64 = 0.02;
const LEAST_MASK: f64 = 0.3;
const LEAST_CLIP: f64 = 20.0;

/// When a picture with detections is kept; the paper's text can be read both ways.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ClearRule {
    /// At least one detection is clear.
    #[default]
    Any,
    /// All are.
    All,
}

/// What became of a picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clear {
    /// Its file.
    pub file: String,
    /// Whether it is kept.
    pub is_kept: bool,
    /// Detections, and how many of them are clear.
    pub detections: u32,
    /// See above.
    pub clear: u32,
}

/// One detection: box and mask as shares, and the CLIP score.
struct Detection {
    box_share: f64,
    mask_share: f64,
    clip: f64,
}

impl Detection {
    fn is_clear(&self) -> bool {
        self.box_share >= LEAST_BOX && self.mask_share >= LEAST_MASK && self.clip >= LEAST_CLIP
    }
}

/// Which pictures are clear, by a detector's table with the columns `file,class,x1,y1,x2,y2,width,height,mask_share,clip`.
///
/// A line with an empty class says that nothing was found in its picture, which is kept, as a background or a style.
/// Edges are in pixels of a picture of `width` × `height`; `mask_share` is the mask's part of the box, `clip` the score × 100.
///
/// # Errors
/// A column lacks, or a number is none; with the line.
///
/// # Example
/// ```
/// use juror_make::multibanana::{ClearRule, clear};
/// let table = "file,class,x1,y1,x2,y2,width,height,mask_share,clip\n\
///     a.png,cat,0,0,20,10,100,100,0.3,20\na.png,dog,0,0,19,10,100,100,0.9,30\nb.png,,,,,,,,,\n";
/// let kept = |rule| clear(table, rule).map(|found| found.iter().map(|one| one.is_kept).collect::<Vec<_>>());
/// assert_eq!(kept(ClearRule::Any)?, [true, true]); // the cat covers 2 %
/// assert_eq!(kept(ClearRule::All)?, [false, true]); // the dog 1.9 %
/// # Ok::<(), juror_make::Error>(())
/// ```
pub fn clear(table: &str, rule: ClearRule) -> Result<Vec<Clear>, Error> {
    let mut pictures: Vec<(String, Vec<Detection>)> = Vec::new();
    let mut places: BTreeMap<String, usize> = BTreeMap::new();
    for row in rows(
        table,
        &[
            "file",
            "class",
            "x1",
            "y1",
            "x2",
            "y2",
            "width",
            "height",
            "mask_share",
            "clip",
        ],
    )? {
        let file = row.text("file");
        let at = *places.entry(file.to_owned()).or_insert_with(|| {
            pictures.push((file.to_owned(), Vec::new()));
            pictures.len() - 1
        });
        if !row.text("class").is_empty() {
            let side =
                |first, last| Ok::<f64, Error>((row.number(last)? - row.number(first)?).max(0.0));
            let area = row.number("width")? * row.number("height")?;
            if area <= 0.0 {
                return Err(row.bad("expected a width and a height above 0."));
            }
            pictures[at].1.push(Detection {
                box_share: side("x1", "x2")? * side("y1", "y2")? / area,
                mask_share: row.number("mask_share")?,
                clip: row.number("clip")?,
            });
        }
    }
    let told = pictures.into_iter().map(|(file, found)| {
        let clear = found.iter().filter(|one| one.is_clear()).count();
        let is_kept = match rule {
            ClearRule::Any => found.is_empty() || clear > 0,
            ClearRule::All => clear == found.len(),
        };
        Clear {
            file,
            is_kept,
            detections: u32::try_from(found.len()).unwrap_or(u32::MAX),
            clear: u32::try_from(clear).unwrap_or(u32::MAX),
        }
    });
    Ok(told.collect())
}

/// Kept and dropped pictures as CSV: `file,kept,detections,clear`.
pub fn clear_csv(found: &[Clear]) -> String {
    let lines = found.iter().map(|one| {
        let kept = if one.is_kept { "yes" } else { "no" };
        format!(
            "{},{kept},{},{}\n",
            csv_field(&one.file),
            one.detections,
            one.clear
        )
    });
    format!("file,kept,detections,clear\n{}", lines.collect::<String>())
}

/// Difficulty labels of sets, as `types.json` has them for each task: set number to labels.
///
/// `table` has a line for each picture: `task,set,medium,view,rare,language`, and may have `label`, which a person sets for
/// the whole set, several with a blank between, `none` for none.
/// `medium` is photo, anime, painting, CG, sketch or whatever else; `view` is `close-up` or anything else; `rare` is `yes`
/// for odd colours, patterns, make-up, dress or a creature of fantasy; `language` is that of text in the picture or in the
/// instruction, empty without text.
///
/// | label | rule |
/// |---|---|
/// | `domain` | two media or more |
/// | `scale` | a close-up and another view |
/// | `rare` | any picture is |
/// | `ling` | texts in two of `en`, `zh`, `ja` |
/// | `font` | text, and not `ling` |
///
/// # Errors
/// A column lacks or a set has no number.
///
/// # Example
/// ```
/// use juror_make::multibanana::difficulty;
/// let table = "task,set,medium,view,rare,language\nadd,001,photo,close-up,no,en\nadd,001,anime,close-up,no,ja\nadd,002,photo,far,no,\n";
/// let found = difficulty(table)?;
/// assert_eq!(found["add"]["001"], ["domain", "ling"]);
/// assert!(found["add"]["002"].is_empty());
/// # Ok::<(), juror_make::Error>(())
/// ```
pub fn difficulty(table: &str) -> Result<BTreeMap<String, BTreeMap<String, Vec<String>>>, Error> {
    let mut sets: BTreeMap<(String, String), Vec<Row>> = BTreeMap::new();
    for row in rows(
        table,
        &["task", "set", "medium", "view", "rare", "language"],
    )? {
        let (task, set) = (row.text("task").to_owned(), row.text("set").to_owned());
        if task.is_empty() || set.is_empty() {
            return Err(row.bad("expected a task and the number of a set."));
        }
        sets.entry((task, set)).or_default().push(row);
    }
    let mut found: BTreeMap<String, BTreeMap<String, Vec<String>>> = BTreeMap::new();
    for ((task, set), pictures) in sets {
        found
            .entry(task)
            .or_default()
            .insert(set, labels(&pictures));
    }
    Ok(found)
}

fn labels(pictures: &[Row]) -> Vec<String> {
    let values = |name: &str| -> BTreeSet<String> {
        let values = pictures.iter().map(|row| row.text(name).to_lowercase());
        values.filter(|value| !value.is_empty()).collect()
    };
    let by_hand = values("label");
    if !by_hand.is_empty() {
        let labels: BTreeSet<&str> = by_hand
            .iter()
            .flat_map(|text| text.split_whitespace())
            .collect();
        return labels
            .into_iter()
            .filter(|label| *label != "none")
            .map(str::to_owned)
            .collect();
    }
    let languages = values("language");
    let views: BTreeSet<bool> = values("view")
        .iter()
        .map(|view| view == "close-up")
        .collect();
    let known = ["en", "zh", "ja"]
        .iter()
        .filter(|one| languages.contains(**one))
        .count();
    let is_rare = values("rare")
        .iter()
        .any(|rare| ["yes", "1", "true"].contains(&rare.as_str()));
    let rules = [
        ("domain", values("medium").len() >= 2),
        ("scale", views.len() == 2),
        ("rare", is_rare),
        ("ling", known >= 2),
        ("font", !languages.is_empty() && known < 2),
    ];
    let met = rules.into_iter().filter(|(_, is_met)| *is_met);
    met.map(|(label, _)| label.to_owned()).collect()
}

/// `types.json` of a task: one label as text, several as a list; sets without any are left out.
pub fn types_json(sets: &BTreeMap<String, Vec<String>>) -> String {
    let members = sets.iter().filter_map(|(set, labels)| {
        let labels = match labels.as_slice() {
            [] => return None,
            [one] => Json::from(one.as_str()),
            several => Json::texts(several.iter().map(String::as_str)),
        };
        Some((set.clone(), labels))
    });
    pretty(&Json::Object(members.collect()))
}

/// A line of a table by its columns' names.
struct Row {
    line: usize,
    cells: BTreeMap<String, String>,
}

impl Row {
    fn text(&self, name: &str) -> &str {
        self.cells.get(name).map_or("", String::as_str)
    }

    fn number(&self, name: &str) -> Result<f64, Error> {
        let number = self
            .text(name)
            .parse::<f64>()
            .ok()
            .filter(|x| x.is_finite());
        number.ok_or_else(|| {
            self.bad(&format!(
                "expected a number as {name}, found “{}”.",
                self.text(name)
            ))
        })
    }

    fn bad(&self, told: &str) -> Error {
        Error::List(format!("Line {} of the table: {told}", self.line))
    }
}

fn rows(table: &str, wanted: &[&str]) -> Result<Vec<Row>, Error> {
    let bad = |line: usize, told: &str| Error::List(format!("Line {line} of the table: {told}"));
    let table = table.strip_prefix('\u{feff}').unwrap_or(table);
    let mut reader = csv::ReaderBuilder::new()
        .flexible(true)
        .from_reader(table.as_bytes());
    let headers = reader
        .headers()
        .map_err(|error| bad(1, &error.to_string()))?
        .clone();
    let names: Vec<String> = headers
        .iter()
        .map(|name| name.trim().to_lowercase())
        .collect();
    if let Some(lacks) = wanted
        .iter()
        .find(|name| !names.iter().any(|known| known == *name))
    {
        return Err(bad(
            1,
            &format!("the column {lacks} lacks; expected {}.", wanted.join(", ")),
        ));
    }
    let mut rows = Vec::new();
    for (line, row) in (2..).zip(reader.records()) {
        let row = row.map_err(|error| bad(line, &error.to_string()))?;
        let cells = names
            .iter()
            .cloned()
            .zip(row.iter().map(|cell| cell.trim().to_owned()));
        rows.push(Row {
            line,
            cells: cells.collect(),
        });
    }
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "file,class,x1,y1,x2,y2,width,height,mask_share,clip\n";

    fn is_kept(line: &str) -> Result<bool, Error> {
        clear(&format!("{HEAD}{line}\n"), ClearRule::Any).map(|found| found[0].is_kept)
    }

    #[test]
    fn each_bound_of_a_clear_detection_counts_by_itself() -> Result<(), Error> {
        assert!(is_kept("a,cat,10,0,30,10,100,100,0.3,20")?);
        for line in [
            "a,cat,10,0,29,10,100,100,0.3,20",
            "a,cat,10,0,30,10,100,100,0.29,20",
            "a,cat,10,0,30,10,100,100,0.3,19.9",
            "a,cat,30,0,10,10,100,100,0.3,20",
        ] {
            assert!(!is_kept(line)?, "{line}");
        }
        assert!(is_kept("a,cat,10,0,30,10,100,100,much,20").is_err());
        assert!(clear("file,class\n", ClearRule::Any).is_err());
        Ok(())
    }

    #[test]
    fn a_persons_label_stands_above_the_rules_and_one_label_is_plain_text() -> Result<(), Error> {
        let head = "task,set,medium,view,rare,language,label\n";
        let found = difficulty(&format!(
            "{head}add,001,photo,close-up,yes,en,\nadd,001,anime,far,no,,\nadd,002,photo,far,no,en,none\nadd,003,photo,far,no,en,\n"
        ))?;
        assert_eq!(found["add"]["001"], ["domain", "scale", "rare", "font"]);
        assert!(found["add"]["002"].is_empty());
        let json = types_json(&found["add"]);
        let read: serde_json::Value =
            serde_json::from_str(&json).map_err(|error| Error::List(error.to_string()))?;
        assert_eq!(read["003"], "font");
        assert_eq!(read["001"][0], "domain");
        assert!(read.get("002").is_none());
        assert!(difficulty(&format!("{head}add,,photo,far,no,en,\n")).is_err());
        Ok(())
    }
}
