//! Circles in a graph of files that import each other.

use std::collections::{BTreeMap, BTreeSet};

/// What each file imports.
pub(crate) type Graph<'a> = BTreeMap<&'a str, BTreeSet<&'a str>>;

/// The files that can be reached from each other, circle by circle; one alone is a circle if it imports itself.
pub(crate) fn circles<'a>(graph: &Graph<'a>) -> Vec<Vec<&'a str>> {
    let reached: Graph<'a> = graph
        .keys()
        .map(|start| (*start, reachable(graph, start)))
        .collect();
    let reaches = |from: &str, to: &str| reached.get(from).is_some_and(|all| all.contains(to));
    let mut found = BTreeSet::new();
    for (start, from_here) in &reached {
        let back = from_here.iter().filter(|other| reaches(other, start));
        let circle: Vec<&str> = back.copied().collect();
        if !circle.is_empty() {
            found.insert(circle);
        }
    }
    found.into_iter().collect()
}

/// What can be reached by one import or more; the start itself only in a circle.
fn reachable<'a>(graph: &Graph<'a>, start: &str) -> BTreeSet<&'a str> {
    let imports = |file: &str| graph.get(file).into_iter().flatten().copied();
    let mut reached = BTreeSet::new();
    let mut waiting: Vec<&'a str> = imports(start).collect();
    while let Some(next) = waiting.pop() {
        if reached.insert(next) {
            waiting.extend(imports(next));
        }
    }
    reached
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph<'a>(edges: &[(&'a str, &'a str)]) -> Graph<'a> {
        let mut graph = Graph::new();
        for (from, to) in edges {
            graph.entry(from).or_default().insert(*to);
        }
        graph
    }

    #[test]
    fn each_circle_is_found_once_and_a_way_without_return_is_none() {
        let found = graph(&[
            ("a", "b"),
            ("b", "c"),
            ("c", "a"),
            ("c", "d"),
            ("d", "e"),
            ("e", "d"),
        ]);
        assert_eq!(circles(&found), [vec!["a", "b", "c"], vec!["d", "e"]]);
        let tree = graph(&[("a", "b"), ("a", "c"), ("b", "c")]);
        assert_eq!(circles(&tree), [[""; 0]; 0]);
        assert_eq!(circles(&graph(&[("a", "a")])), [["a"]]);
    }
}
