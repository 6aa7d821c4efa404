//! The best one-to-one pairing of two lists, for region maps.
//!
//! Source: the Hungarian method with potentials and shortest augmenting paths (Kuhn 1955, Jonker and Volgenant 1987);
//! the same sum as `scipy.optimize.linear_sum_assignment(maximize=True)`; among equal sums the pairs may differ.

/// Pairs (row, column), by row, that maximise the sum of `profit`, a matrix of `columns` numbers in a row.
///
/// min(rows, columns) pairs; none for an empty matrix.
/// Takes time in rows · columns · min(rows, columns).
///
/// # Panics
/// If `profit` is no whole number of rows.
///
/// ```
/// // 0.9 + 0.8 beats 1.0 + 0.1.
/// assert_eq!(juror_metrics::assign(&[1.0, 0.9, 0.8, 0.1], 2), [(0, 1), (1, 0)]);
/// ```
pub fn assign(profit: &[f64], columns: usize) -> Vec<(usize, usize)> {
    if profit.is_empty() || columns == 0 {
        return Vec::new();
    }
    assert_eq!(profit.len() % columns, 0, "whole rows");
    let rows = profit.len() / columns;
    if rows <= columns {
        return shortest_paths(rows, columns, |row, column| -profit[row * columns + column]);
    }
    let turned = shortest_paths(columns, rows, |column, row| -profit[row * columns + column]);
    let mut pairs: Vec<_> = turned
        .into_iter()
        .map(|(column, row)| (row, column))
        .collect();
    pairs.sort_unstable();
    pairs
}

/// Minimises the cost for rows ≤ columns: each row in turn finds the cheapest way to a free column.
fn shortest_paths(
    rows: usize,
    columns: usize,
    cost: impl Fn(usize, usize) -> f64,
) -> Vec<(usize, usize)> {
    // Rows and columns are counted from 1; 0 is "none yet".
    let mut row_potential = vec![0.0; rows + 1];
    let mut column_potential = vec![0.0; columns + 1];
    let mut row_of = vec![0_usize; columns + 1];
    for row in 1..=rows {
        row_of[0] = row;
        let mut column = 0;
        let mut least = vec![f64::INFINITY; columns + 1];
        let mut came_from = vec![0_usize; columns + 1];
        let mut is_visited = vec![false; columns + 1];
        while row_of[column] != 0 {
            is_visited[column] = true;
            let current = row_of[column];
            let (mut step, mut next) = (f64::INFINITY, 0);
            for other in 1..=columns {
                if is_visited[other] {
                    continue;
                }
                let reduced =
                    cost(current - 1, other - 1) - row_potential[current] - column_potential[other];
                if reduced < least[other] {
                    least[other] = reduced;
                    came_from[other] = column;
                }
                if least[other] < step {
                    (step, next) = (least[other], other);
                }
            }
            for other in 0..=columns {
                if is_visited[other] {
                    row_potential[row_of[other]] += step;
                    column_potential[other] -= step;
                } else {
                    least[other] -= step;
                }
            }
            column = next;
        }
        while column != 0 {
            let previous = came_from[column];
            row_of[column] = row_of[previous];
            column = previous;
        }
    }
    let mut pairs: Vec<_> = (1..=columns)
        .filter(|column| row_of[*column] != 0)
        .map(|column| (row_of[column] - 1, column - 1))
        .collect();
    pairs.sort_unstable();
    pairs
}
