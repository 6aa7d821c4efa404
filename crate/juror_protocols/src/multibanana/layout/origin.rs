//! `from_where.csv` → where a set's references come from: made by one of two generators, by both, or photographs among them.
//!
//! The file's columns have no fixed names: the column whose cells name reference pictures is the file's, and of the others one
//! with few different values is the origin's.

use std::collections::{BTreeSet, HashMap};

use juror_model::tree::{base_name, parent};
use juror_reading::text::separator;
use juror_statistics::small::CollectSmall;

/// The file, in the folder of the task folders.
pub(crate) const FILE: &str = "from_where.csv";

/// So many different values a column of origins has at most.
const MAX_ORIGINS: usize = 6;

/// The groups of sets by where their references come from, in the order in which they are shown.
pub const ORIGINS: [&str; 4] = ["GPT-Image-1 only", "Nano Banana only", "both", "with real"];

/// Where a picture comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Origin {
    Gpt,
    Banana,
    Real,
}

impl Origin {
    fn read(cell: &str) -> Option<Self> {
        let name: String = cell
            .chars()
            .filter(char::is_ascii_alphanumeric)
            .map(|c| c.to_ascii_lowercase())
            .collect();
        let has = |words: &[&str]| words.iter().any(|word| name.contains(word));
        match () {
            () if has(&["gpt"]) => Some(Self::Gpt),
            () if has(&["banana", "gemini"]) => Some(Self::Banana),
            () if has(&["real", "laion", "photo"]) => Some(Self::Real),
            () => None,
        }
    }
}

/// Origins of pictures by task and file name without extension, `add/006_0`.
#[derive(Debug)]
pub(crate) struct Origins(HashMap<String, Origin>);

/// `data/add/006_0.jpg` as `add/006_0`; of any depth, the last two parts count.
fn name_of(path: &str) -> String {
    let path = path.trim().replace('\\', "/");
    let file = base_name(&path);
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    format!("{}/{stem}", base_name(parent(&path))).to_lowercase()
}

impl Origins {
    /// Reads the file; `references` are the paths of the benchmark's reference pictures.
    ///
    /// # Errors
    /// No column names the pictures or no other one their origins, with the message.
    pub(crate) fn read<'a>(
        text: &str,
        references: impl Iterator<Item = &'a str>,
    ) -> Result<Self, &'static str> {
        let known: BTreeSet<String> = references.map(name_of).collect_small();
        let mut reader = csv::ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .trim(csv::Trim::All)
            .delimiter(separator(text))
            .from_reader(text.trim_start_matches('\u{feff}').as_bytes());
        let rows: Vec<csv::StringRecord> = reader.records().filter_map(Result::ok).collect();
        let width = rows.iter().map(csv::StringRecord::len).max().unwrap_or(0);
        // By column; rows are gone over once, as one of them may be far longer than the others.
        let mut num_named = vec![0_usize; width];
        for (at, cell) in rows.iter().flat_map(|row| row.iter().enumerate()) {
            num_named[at] += usize::from(known.contains(&name_of(cell)));
        }
        let file = (0..width).max_by_key(|at| (num_named[*at], std::cmp::Reverse(*at)));
        let file = file.filter(|at| num_named[*at] > 0);
        let file = file.ok_or("No column names the reference pictures of this folder.")?;
        // A heading is no row about a picture.
        let about = || {
            let rows = rows.iter();
            rows.filter(|row| known.contains(&name_of(row.get(file).unwrap_or_default())))
        };
        let mut columns: Vec<(BTreeSet<&str>, usize)> = vec![(BTreeSet::new(), 0); width];
        for (at, cell) in about().flat_map(|row| row.iter().enumerate()) {
            let (different, known) = &mut columns[at];
            if different.len() <= MAX_ORIGINS {
                different.insert(cell);
            }
            *known += usize::from(Origin::read(cell).is_some());
        }
        let num_origins = |at: usize| {
            let (different, known) = &columns[at];
            (different.len() <= MAX_ORIGINS && at != file).then_some(*known)
        };
        let origin = (0..width)
            .filter_map(|at| Some((num_origins(at)?, std::cmp::Reverse(at))))
            .max();
        let Some((1.., std::cmp::Reverse(origin))) = origin else {
            return Err(
                "No column says where the pictures come from: GPT-Image-1, Nano Banana or real, in at most six spellings.",
            );
        };
        let pairs = about().filter_map(|row| {
            let origin = Origin::read(row.get(origin)?)?;
            Some((name_of(row.get(file)?), origin))
        });
        Ok(Self(pairs.collect()))
    }

    /// The group of a set with these reference pictures; `None` while the origin of one of them is not known and might decide.
    pub(crate) fn of<'a>(&self, references: impl Iterator<Item = &'a str>) -> Option<&'static str> {
        let [gpt, banana, both, real] = ORIGINS;
        let found: Vec<Option<Origin>> = references
            .map(|path| self.0.get(&name_of(path)).copied())
            .collect();
        if found.contains(&Some(Origin::Real)) {
            return Some(real);
        }
        let all: Option<Vec<Origin>> = found.into_iter().collect();
        let all = all.filter(|all| !all.is_empty())?;
        match (all.contains(&Origin::Gpt), all.contains(&Origin::Banana)) {
            (true, true) => Some(both),
            (true, false) => Some(gpt),
            (false, _) => Some(banana),
        }
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    const PICTURES: [&str; 5] = [
        "data/add/001_0.jpg",
        "data/add/001_1.png",
        "data/add/002_0.jpg",
        "data/3_back/1_0.jpg",
        "data/3_back/1_1.jpg",
    ];

    #[test]
    fn columns_are_known_by_their_cells_and_sets_by_all_of_their_pictures() {
        let text = "\u{feff}no,made by,where\n1,gpt-image-1,./add/001_0.png\n2,Nano Banana,add\\001_1.png\n\
            3,GPT Image 1,x/data/add/002_0.jpg\n4,LAION-5B,3_back/1_0.jpg\n5,nano-banana,elsewhere/9_0.jpg\n";
        let origins = Origins::read(text, PICTURES.into_iter()).unwrap();
        let of = |at: &[usize]| origins.of(at.iter().map(|at| PICTURES[*at]));
        assert_eq!(of(&[0, 1]), Some("both"));
        assert_eq!(of(&[2]), Some("GPT-Image-1 only"));
        assert_eq!(of(&[1]), Some("Nano Banana only"));
        // The other picture of the set is unknown, and a photograph decides all the same.
        assert_eq!(of(&[3, 4]), Some("with real"));
        assert_eq!(of(&[0, 4]), None);
        assert_eq!(of(&[]), None);
    }

    #[test]
    fn what_names_no_picture_or_no_origin_is_refused_with_what_lacks() {
        let refused = |text: &str| Origins::read(text, PICTURES.into_iter()).unwrap_err();
        assert!(refused("a,b\n").contains("names the reference pictures"));
        assert!(refused("add/001_0.jpg,7\n").contains("where the pictures come from"));
        let many: Vec<String> = (0..7)
            .map(|at| format!("{},gpt {at}\n", ["add/001_0", "add/001_1"][at % 2]))
            .collect();
        assert!(refused(&many.concat()).contains("six"));
    }
}
