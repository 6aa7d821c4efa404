//! Who gets what, at the least cost in all.
//!
//! Of several ways that cost the same, which is common where tags are alike, the one counts that the package `munkres`
//! (1.1.4) comes to: so its order of looking through rows and columns is kept.

use std::ops::ControlFlow;

/// For each row the column that it gets, no two the same, so that the sum of the costs is least; there are at least as many
/// columns as rows. By the Hungarian method in the form of Munkres (1957), on a square that is filled up with zeros.
pub(crate) fn assignment(costs: &[Vec<f64>]) -> Vec<usize> {
    let num_columns = costs.first().map_or(0, Vec::len);
    let side = num_columns.max(costs.len());
    let rows = costs
        .iter()
        .map(Vec::as_slice)
        .chain(std::iter::repeat(&[][..]));
    let filled = |row: &[f64]| -> Vec<f64> {
        let least = row.iter().copied().fold(f64::INFINITY, f64::min);
        let least = if row.len() < side {
            least.min(0.0)
        } else {
            least
        };
        let zeros = std::iter::repeat(0.0);
        let all = row.iter().copied().chain(zeros).take(side);
        all.map(|cost| cost - least).collect()
    };
    let mut square = Square {
        costs: rows.take(side).map(filled).collect(),
        starred: vec![None; side],
        primed: vec![None; side],
        is_row_covered: vec![false; side],
        is_column_covered: vec![false; side],
    };
    square.star_free_zeros();
    while square.cover_starred_columns() < side {
        while square.prime().is_continue() {
            square.shift();
        }
    }
    let found = square.starred.into_iter().take(costs.len());
    found.map(|column| column.unwrap_or(num_columns)).collect()
}

struct Square {
    costs: Vec<Vec<f64>>,
    /// Of each row the column that it has.
    starred: Vec<Option<usize>>,
    /// Of each row the column that it could have.
    primed: Vec<Option<usize>>,
    is_row_covered: Vec<bool>,
    is_column_covered: Vec<bool>,
}

impl Square {
    fn side(&self) -> usize {
        self.costs.len()
    }

    fn is_free_zero(&self, row: usize, column: usize) -> bool {
        self.costs[row][column] == 0.0
            && !self.is_row_covered[row]
            && !self.is_column_covered[column]
    }

    fn star_free_zeros(&mut self) {
        for row in 0..self.side() {
            let mut columns = 0..self.side();
            if let Some(column) = columns.find(|column| self.is_free_zero(row, *column)) {
                self.starred[row] = Some(column);
                self.is_column_covered[column] = true;
            }
        }
    }

    /// How many there are.
    fn cover_starred_columns(&mut self) -> usize {
        self.is_row_covered.fill(false);
        self.is_column_covered.fill(false);
        self.primed.fill(None);
        for column in self.starred.iter().flatten() {
            self.is_column_covered[*column] = true;
        }
        self.starred.iter().flatten().count()
    }

    /// Primes free zeros until one is in a row without a star, and exchanges stars along its path; goes on where no zero is
    /// free.
    fn prime(&mut self) -> ControlFlow<()> {
        let (mut row, mut column) = (0, 0);
        while let Some(free) = self.free_zero(row, column) {
            (row, column) = free;
            self.primed[row] = Some(column);
            let Some(starred) = self.starred[row] else {
                self.exchange(row, column);
                return ControlFlow::Break(());
            };
            column = starred;
            self.is_row_covered[row] = true;
            self.is_column_covered[column] = false;
        }
        ControlFlow::Continue(())
    }

    /// The last free zero, counted from a column on and round, of the first row that has one, counted from a row on.
    fn free_zero(&self, row: usize, column: usize) -> Option<(usize, usize)> {
        let side = self.side();
        (0..side).map(|at| (row + at) % side).find_map(|row| {
            let columns = (0..side).rev().map(|at| (column + at) % side);
            let mut free = columns.filter(|column| self.is_free_zero(row, *column));
            free.next().map(|column| (row, column))
        })
    }

    /// Primes along the path become stars, and its stars go.
    fn exchange(&mut self, mut row: usize, mut column: usize) {
        loop {
            let other = self.starred.iter().position(|star| *star == Some(column));
            self.starred[row] = Some(column);
            let Some(other) = other else {
                return;
            };
            row = other;
            let Some(primed) = self.primed[row] else {
                // A row on the path whose star goes has a prime.
                return;
            };
            column = primed;
        }
    }

    /// Makes another zero of the least cost that is not covered.
    fn shift(&mut self) {
        let free = self.costs.iter().zip(&self.is_row_covered);
        let free = free.filter(|(_, is_covered)| !**is_covered);
        let free = free.flat_map(|(row, _)| row.iter().zip(&self.is_column_covered));
        let least = free
            .filter(|(_, is_covered)| !**is_covered)
            .fold(f64::INFINITY, |least, (cost, _)| least.min(*cost));
        for (row, is_row_covered) in self.costs.iter_mut().zip(&self.is_row_covered) {
            for (cost, is_column_covered) in row.iter_mut().zip(&self.is_column_covered) {
                if *is_row_covered {
                    *cost += least;
                }
                if !*is_column_covered {
                    *cost -= least;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The least of all ways, by trying each.
    fn least(costs: &[Vec<f64>], taken: &mut Vec<usize>) -> f64 {
        let Some(row) = costs.get(taken.len()) else {
            return 0.0;
        };
        let mut best = f64::INFINITY;
        for (column, cost) in row.iter().enumerate() {
            if !taken.contains(&column) {
                taken.push(column);
                best = best.min(cost + least(costs, taken));
                taken.pop();
            }
        }
        best
    }

    #[test]
    fn nobody_finds_a_cheaper_way() {
        let mut seed = 7_u64;
        let mut number = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 40) as f64 / 1e4
        };
        for (rows, columns) in [(1, 1), (2, 3), (4, 4), (5, 6), (6, 6), (3, 7)] {
            let costs: Vec<Vec<f64>> = (0..rows)
                .map(|_| (0..columns).map(|_| number()).collect())
                .collect();
            let found = assignment(&costs);
            let sum: f64 = (0..rows).map(|row| costs[row][found[row]]).sum();
            let wanted = least(&costs, &mut Vec::new());
            assert!((sum - wanted).abs() < 1e-9, "{sum} {wanted}");
        }
        assert_eq!(assignment(&[]), Vec::<usize>::new());
    }
}
