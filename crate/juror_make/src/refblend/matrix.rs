//! Which types of reference go together, and why: the paper's Table 1, its rule, and the three kinds of source.
//!
//! Source: the MultiRef paper, Table 1 and section 2.2; `condition-conpa.csv` of the authors' code has the same cells.

use serde::{Deserialize, Serialize};

/// A type of reference, in the order of the matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "snake_case")]
pub enum RefType {
    /// A box drawn on black.
    Bbox,
    /// A mask, white on black.
    Mask,
    /// A skeleton on black.
    Pose,
    /// A sentence.
    Caption,
    /// Another picture of the same thing.
    Subject,
    /// Regions in colours.
    SemanticMap,
    /// Grey, bright is near.
    Depth,
    /// White edges on black.
    Canny,
    /// Black lines on white.
    Sketch,
    /// A picture in the same style.
    Style,
}

impl RefType {
    /// Every type, in the order of the matrix.
    pub const ALL: [Self; 10] = [
        Self::Bbox,
        Self::Mask,
        Self::Pose,
        Self::Caption,
        Self::Subject,
        Self::SemanticMap,
        Self::Depth,
        Self::Canny,
        Self::Sketch,
        Self::Style,
    ];

    /// Id in the authors' files.
    pub fn id(self) -> &'static str {
        match self {
            Self::Bbox => "bbox",
            Self::Mask => "mask",
            Self::Pose => "pose",
            Self::Caption => "caption",
            Self::Subject => "subject",
            Self::SemanticMap => "semantic_map",
            Self::Depth => "depth",
            Self::Canny => "canny",
            Self::Sketch => "sketch",
            Self::Style => "style",
        }
    }

    /// The type of this id.
    pub fn named(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.id() == id)
    }

    /// In a sentence.
    pub fn label(self) -> &'static str {
        match self {
            Self::Bbox => "box",
            Self::Mask => "mask",
            Self::Pose => "pose",
            Self::Caption => "caption",
            Self::Subject => "subject",
            Self::SemanticMap => "semantic map",
            Self::Depth => "depth map",
            Self::Canny => "edge map",
            Self::Sketch => "sketch",
            Self::Style => "style",
        }
    }

    /// Box, mask and pose say where one thing is.
    pub fn is_local(self) -> bool {
        matches!(self, Self::Bbox | Self::Mask | Self::Pose)
    }

    /// The maps lay out the whole picture.
    pub fn is_global(self) -> bool {
        matches!(
            self,
            Self::SemanticMap | Self::Depth | Self::Canny | Self::Sketch
        )
    }

    fn is_spatial(self) -> bool {
        self.is_local() || self.is_global()
    }

    /// Whether it is a box or a mask, which do not say what is in them.
    fn is_nameless(self) -> bool {
        matches!(self, Self::Bbox | Self::Mask)
    }

    /// Whether it says what is to be seen.
    fn names(self) -> bool {
        matches!(self, Self::Caption | Self::Subject)
    }
}

/// What the matrix says of a row and a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "snake_case")]
pub enum Cell {
    /// They go together.
    Possible,
    /// They exclude each other.
    Impossible,
    /// The row's type needs the column's, or the other of the two that name the thing.
    Dependency,
    /// Printed as a dash: a type with itself, and pose with subject.
    Dash,
}

impl Cell {
    /// As `condition-conpa.csv` writes it.
    pub fn symbol(self) -> &'static str {
        match self {
            Self::Possible => "v",
            Self::Impossible => "x",
            Self::Dependency => "_",
            Self::Dash => "-",
        }
    }
}

/// The cell of a row and a column.
///
/// # Example
/// ```
/// use juror_make::refblend::matrix::{Cell, RefType, cell};
/// assert_eq!(cell(RefType::Mask, RefType::Caption), Cell::Dependency);
/// assert_eq!(cell(RefType::Caption, RefType::Mask), Cell::Possible);
/// ```
pub fn cell(row: RefType, column: RefType) -> Cell {
    if row == column {
        return match row {
            RefType::Pose | RefType::Subject => Cell::Possible,
            _ => Cell::Dash,
        };
    }
    if row.is_spatial() && column.is_spatial() {
        return Cell::Impossible;
    }
    if row.is_nameless() && column.names() {
        return Cell::Dependency;
    }
    match (row, column) {
        (RefType::Pose, RefType::Subject) | (RefType::Subject, RefType::Pose) => Cell::Dash,
        _ => Cell::Possible,
    }
}

/// A cell in a sentence.
pub fn explain(row: RefType, column: RefType) -> String {
    let (a, b) = (row.label(), column.label());
    match cell(row, column) {
        Cell::Impossible if row.is_local() && column.is_local() => {
            format!("A {a} and a {b} both say where one thing is, so they exclude each other.")
        }
        Cell::Impossible if row.is_global() && column.is_global() => {
            format!("Both lay out the whole picture, so a {a} and a {b} exclude each other.")
        }
        Cell::Impossible => format!(
            "One says where one thing is and the other lays out the whole picture, so a {a} and a {b} exclude each other."
        ),
        Cell::Dependency => format!(
            "A {a} does not say what is in it, so it needs a caption or a subject beside it; the {b} is one of these."
        ),
        Cell::Dash if row == column => format!("An original gives at most one {a}."),
        Cell::Dash => "The paper prints a dash, its mark of the diagonal; its Table 6 has pose and subject together, so they go together here. The released sampler takes the dash for “one brings the other along”.".to_owned(),
        Cell::Possible if row == column => match row {
            RefType::Pose => "A picture of several people has several poses.".to_owned(),
            _ => "A picture of several things has several subjects.".to_owned(),
        },
        Cell::Possible => {
            format!("A {a} and a {b} speak of different sides of the picture, so they go together.")
        }
    }
}

/// How many references a combination has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Size {
    /// Two or three, as in the benchmark.
    UpToThree,
    /// Two to four, as the paper's text says.
    UpToFour,
}

impl Size {
    fn max(self) -> u32 {
        match self {
            Self::UpToThree => 3,
            Self::UpToFour => 4,
        }
    }
}

/// Types of reference that are used together, in the matrix's order.
pub type Combination = Vec<RefType>;

/// `caption+depth`.
pub fn name(combination: &[RefType]) -> String {
    let mut types = combination.to_vec();
    types.sort_unstable();
    types
        .iter()
        .map(|one| one.id())
        .collect::<Vec<_>>()
        .join("+")
}

/// Whether a set is legal: no two of its types exclude each other, and a box or a mask has a caption or a subject beside it.
pub fn is_legal(combination: &[RefType]) -> bool {
    let pairs = combination
        .iter()
        .flat_map(|a| combination.iter().map(move |b| (*a, *b)));
    let excludes = pairs
        .into_iter()
        .any(|(a, b)| a != b && cell(a, b) == Cell::Impossible);
    let is_nameless = combination.iter().any(|one| one.is_nameless());
    !excludes && (!is_nameless || combination.iter().any(|one| one.names()))
}

/// Every legal set of these sizes, smaller ones first: 22 pairs, 22 triples and 7 sets of four.
pub fn legal_sets(size: Size) -> Vec<Combination> {
    let mut found: Vec<Combination> = (0u16..1 << RefType::ALL.len())
        .filter(|bits| (2..=size.max()).contains(&bits.count_ones()))
        .map(|bits| {
            let types = RefType::ALL.into_iter().enumerate();
            types
                .filter(|(at, _)| bits >> at & 1 == 1)
                .map(|(_, one)| one)
                .collect()
        })
        .filter(|set: &Combination| is_legal(set))
        .collect();
    found.sort_by_key(|set| (set.len(), set.clone()));
    found
}

/// What kind of source an original comes from, by what its metadata offer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum SourceKind {
    /// Several pictures of one thing.
    S,
    /// Pictures sorted by style.
    T,
    /// People with their poses.
    P,
}

impl SourceKind {
    /// All three.
    pub const ALL: [Self; 3] = [Self::S, Self::T, Self::P];

    /// The types of reference that such a source gives.
    pub fn types(self) -> &'static [RefType] {
        use RefType::{
            Bbox, Canny, Caption, Depth, Mask, Pose, SemanticMap, Sketch, Style, Subject,
        };
        match self {
            Self::S => &[
                Bbox,
                Mask,
                Caption,
                Subject,
                SemanticMap,
                Depth,
                Canny,
                Sketch,
            ],
            Self::T => &[
                Bbox,
                Mask,
                Caption,
                SemanticMap,
                Depth,
                Canny,
                Sketch,
                Style,
            ],
            Self::P => &[Pose, Caption, Subject],
        }
    }

    /// In words.
    pub fn label(self) -> &'static str {
        match self {
            Self::S => "several pictures of one thing",
            Self::T => "pictures sorted by style",
            Self::P => "people with their poses",
        }
    }

    /// Whether a combination can come from such a source.
    pub fn gives(self, combination: &[RefType]) -> bool {
        combination.iter().all(|one| self.types().contains(one))
    }
}

/// The legal sets that one of the three kinds of source gives: 33 of two or three references, as the benchmark has.
pub fn sets_of_kinds() -> Vec<Combination> {
    let sets = legal_sets(Size::UpToFour).into_iter();
    sets.filter(|set| SourceKind::ALL.iter().any(|kind| kind.gives(set)))
        .collect()
}

/// A cell of the matrix with its explanation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(export))]
pub struct MatrixCell {
    /// The row's type.
    pub row: RefType,
    /// The column's type.
    pub column: RefType,
    /// What the matrix says.
    pub cell: Cell,
    /// Why.
    pub told: String,
    /// Names of the 33 combinations that have both.
    pub combinations: Vec<String>,
}

/// The matrix row by row, each cell explained, with the combinations of the benchmark that use it.
pub fn cells() -> Vec<MatrixCell> {
    let sets = sets_of_kinds();
    let pairs = RefType::ALL
        .into_iter()
        .flat_map(|row| RefType::ALL.map(|column| (row, column)));
    pairs
        .map(|(row, column)| MatrixCell {
            row,
            column,
            cell: cell(row, column),
            told: explain(row, column),
            combinations: sets
                .iter()
                .filter(|set| row != column && set.contains(&row) && set.contains(&column))
                .map(|set| name(set))
                .collect(),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use juror_protocols::multiref::CONDITIONS;
    use std::collections::BTreeSet;

    fn count(sets: &[Combination], size: usize) -> usize {
        sets.iter().filter(|set| set.len() == size).count()
    }

    #[test]
    fn there_are_22_legal_pairs_22_triples_and_7_sets_of_four() {
        let sets = legal_sets(Size::UpToFour);
        assert_eq!([2, 3, 4].map(|size| count(&sets, size)), [22, 22, 7]);
        assert_eq!(legal_sets(Size::UpToThree).len(), 44);
        let four = sets.iter().filter(|set| set.len() == 4);
        for set in four {
            use RefType::{Caption, Style, Subject};
            assert!(
                [Caption, Subject, Style]
                    .iter()
                    .all(|one| set.contains(one)),
                "{set:?}"
            );
        }
    }

    #[test]
    fn the_kinds_of_source_give_19_17_and_4_legal_sets() {
        let of = |kind: SourceKind| -> BTreeSet<Combination> {
            let sets = legal_sets(Size::UpToFour).into_iter();
            sets.filter(|set| kind.gives(set)).collect()
        };
        let [s, t, p] = SourceKind::ALL.map(of);
        assert_eq!([s.len(), t.len(), p.len()], [19, 17, 4]);
        assert_eq!(s.intersection(&t).count(), 6);
        assert_eq!(s.intersection(&p).count(), 1);
        let all: BTreeSet<Combination> = &(&s | &t) | &p;
        assert_eq!(all.len(), 33);
    }

    #[test]
    fn the_union_is_the_benchmarks_33() {
        let mut wanted: BTreeSet<String> = BTreeSet::new();
        for pair in ["bbox", "mask", "pose"] {
            wanted.insert(format!("{pair}+caption"));
            wanted.insert(format!("{pair}+subject"));
            wanted.insert(format!("{pair}+caption+subject"));
        }
        for map in ["semantic_map", "depth", "canny", "sketch"] {
            wanted.insert(format!("caption+{map}"));
            wanted.insert(format!("subject+{map}"));
            wanted.insert(format!("{map}+style"));
            wanted.insert(format!("caption+subject+{map}"));
            wanted.insert(format!("caption+{map}+style"));
        }
        for set in [
            "caption+subject",
            "caption+style",
            "bbox+caption+style",
            "mask+caption+style",
        ] {
            wanted.insert(set.to_owned());
        }
        let found: BTreeSet<String> = sets_of_kinds().iter().map(|set| name(set)).collect();
        assert_eq!(found, wanted);
        assert_eq!(found.len(), 33);
    }

    #[test]
    fn cells_are_those_of_the_authors_file() {
        // `condition-conpa.csv`, row by row.
        let rows = [
            "-xx__xxxxv",
            "x-x__xxxxv",
            "xxvv-xxxxv",
            "vvv-vvvvvv",
            "vv-vvvvvvv",
            "xxxvv-xxxv",
            "xxxvvx-xxv",
            "xxxvvxx-xv",
            "xxxvvxxx-v",
            "vvvvvvvvv-",
        ];
        for (row, symbols) in RefType::ALL.into_iter().zip(rows) {
            let own: String = RefType::ALL
                .map(|column| cell(row, column).symbol())
                .concat();
            assert_eq!(own, symbols, "{}", row.id());
        }
    }

    #[test]
    fn every_type_is_one_of_the_protocols_conditions_and_every_cell_says_why() {
        for one in RefType::ALL {
            assert!(CONDITIONS.iter().any(|known| known.id == one.id()));
        }
        let cells = cells();
        assert_eq!(cells.len(), 100);
        assert!(cells.iter().all(|cell| cell.told.ends_with('.')));
        let is_barred = |cell: &&MatrixCell| cell.cell == Cell::Impossible;
        assert!(
            cells
                .iter()
                .filter(is_barred)
                .all(|cell| cell.combinations.is_empty())
        );
    }
}
