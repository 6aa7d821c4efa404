//! File patterns of the size budgets: `*` within one folder, `**` across folders, nothing else.

/// Whether the whole path fits the pattern; paths use `/`.
pub(crate) fn matches(pattern: &str, path: &str) -> bool {
    if let Some(rest) = pattern.strip_prefix("**") {
        return (0..=path.len())
            .any(|end| path.is_char_boundary(end) && matches(rest, &path[end..]));
    }
    if let Some(rest) = pattern.strip_prefix('*') {
        let folder_end = path.find('/').unwrap_or(path.len());
        return (0..=folder_end)
            .any(|end| path.is_char_boundary(end) && matches(rest, &path[end..]));
    }
    match (pattern.chars().next(), path.chars().next()) {
        (None, None) => true,
        (Some(expected), Some(found)) if expected == found => {
            matches(&pattern[expected.len_utf8()..], &path[found.len_utf8()..])
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn one_star_stays_in_its_folder() {
        assert!(matches("assets/*.js", "assets/index-abc.js"));
        assert!(!matches("assets/*.js", "assets/deep/index.js"));
        assert!(!matches("*.js", "assets/index.js"));
    }

    #[test]
    fn two_stars_cross_folders() {
        assert!(matches("**.js", "index.js"));
        assert!(matches("**.js", "a/b/index.js"));
        assert!(!matches("**.js", "a/b/index.json"));
    }

    #[test]
    fn the_whole_path_must_fit() {
        assert!(matches("index.html", "index.html"));
        assert!(!matches("index.html", "index.html.map"));
        assert!(!matches("index.html", "an index.html"));
        assert!(!matches("index.html", "index.htm"));
    }
}
