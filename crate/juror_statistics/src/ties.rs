//! Groups of models whose order the samples do not settle.

/// The group of each of `count` models that stand in order, the best first; groups are numbered from 0.
///
/// The first model opens a group and is its best.
/// Each further one joins the group unless it is separated from the group's best; then it opens the next one, as its best.
/// So a group holds what could not be told from its best, and nothing is said about two members that are both not the best.
///
/// # Example
/// ```
/// use juror_statistics::ties::groups;
/// // Only neighbours are alike: the third is separated from the first and opens a group that the fourth joins.
/// let groups = groups(4, |best, other| other - best > 1);
/// assert_eq!(groups, [0, 0, 1, 1]);
/// ```
pub fn groups(count: usize, is_separated: impl Fn(usize, usize) -> bool) -> Vec<usize> {
    let mut groups = Vec::with_capacity(count);
    let (mut group, mut best) = (0, 0);
    for at in 0..count {
        if at > 0 && is_separated(best, at) {
            group += 1;
            best = at;
        }
        groups.push(group);
    }
    groups
}
