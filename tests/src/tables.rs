//! Published tables as text files: the numbers of the papers, for recomputing their aggregates from their parts.

/// A table by row and column names.
#[derive(Clone, Debug)]
pub struct Table {
    columns: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// Reads a table: comment lines start with `#`, then column names, then rows without quotes.
    pub fn new(text: &str) -> Self {
        let mut lines = text
            .lines()
            .filter(|line| !line.starts_with('#') && !line.is_empty())
            .map(|line| line.split(',').map(str::to_owned).collect::<Vec<_>>());
        Self {
            columns: lines.next().unwrap_or_default(),
            rows: lines.collect(),
        }
    }

    /// Column names after the row's name.
    pub fn columns(&self) -> impl Iterator<Item = &str> {
        self.columns.iter().skip(1).map(String::as_str)
    }

    /// Row names: the first column.
    pub fn rows(&self) -> impl Iterator<Item = &str> {
        self.rows.iter().map(|row| row[0].as_str())
    }

    /// The number in a cell; `None` for an empty one.
    ///
    /// # Panics
    /// If there is no such row or column: a test must not pass over a misspelt name.
    pub fn number(&self, row: &str, column: &str) -> Option<f64> {
        let at = self.columns.iter().position(|name| name == column);
        let at = at.unwrap_or_else(|| panic!("no column {column}"));
        let found = self.rows.iter().find(|cells| cells[0] == row);
        let cells = found.unwrap_or_else(|| panic!("no row {row}"));
        cells.get(at).and_then(|text| text.parse().ok())
    }
}

/// Cells compared and those that do not follow from their parts.
#[derive(Clone, Debug, Default)]
pub struct Check {
    /// Cells compared.
    pub compared: usize,
    /// Row, printed, computed.
    pub misfits: Vec<(String, f64, f64)>,
}

impl Check {
    /// Compares one printed cell with what its parts give.
    pub fn compare(&mut self, cell: &str, printed: f64, computed: f64, tolerance: f64) {
        self.compared += 1;
        if (printed - computed).abs() > tolerance {
            self.misfits.push((cell.to_owned(), printed, computed));
        }
    }

    /// Names of the cells that do not follow.
    pub fn names(&self) -> Vec<&str> {
        self.misfits
            .iter()
            .map(|(cell, _, _)| cell.as_str())
            .collect()
    }
}
