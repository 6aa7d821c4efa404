//! Hosts and pages ask a benchmark what it can do: none of their files names one in quotes.
#![cfg(not(target_arch = "wasm32"))]
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::Path;

use juror_protocols::registry::demos;
use walkdir::WalkDir;

/// Where a name may stand, and why.
const ALLOWED: [(&str, &str); 9] = [
    (
        "crate/juror_protocols/src/",
        "what a benchmark says of itself",
    ),
    (
        "crate/juror_demo/src/",
        "the suites are drawn here, each by its own code",
    ),
    (
        "crate/xtask/src/fuzz/",
        "seeds are taken from the suites that are drawn",
    ),
    (
        "crate/xtask/src/bench.rs",
        "a measurement names the suite that it is of",
    ),
    (
        "crate/juror_web/src/benchmarks.rs",
        "which benchmarks a module links is told by its features",
    ),
    (
        "www/src/engine/types/suites.ts",
        "written from the registry",
    ),
    (
        "www/build/single.ts",
        "the page in one file brings the smallest suite along",
    ),
    ("www/src/manual/", "a manual may tell of one benchmark"),
    (
        "crate/juror_agents/src/",
        "records of agent loops name the benchmark that the loops are of, in a format that is kept",
    ),
];

/// The lines of a source that name one of these in quotes, but for comments and the tests at its end.
fn naming(source: &str, ids: &[String]) -> Vec<String> {
    let quoted: Vec<String> = ids
        .iter()
        .flat_map(|id| [format!("\"{id}\""), format!("'{id}'"), format!("`{id}`")])
        .collect();
    let code = source.split("#[cfg(test)]").next().unwrap_or_default();
    code.lines()
        .map(str::trim)
        .filter(|line| !["//", "*", "/*"].iter().any(|mark| line.starts_with(mark)))
        .filter(|line| quoted.iter().any(|name| line.contains(name.as_str())))
        .map(str::to_owned)
        .collect()
}

#[test]
fn no_host_and_no_page_names_a_benchmark_where_it_could_ask_what_it_can_do() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let ids: Vec<String> = demos().into_iter().map(|suite| suite.id).collect();
    assert!(!ids.is_empty());
    let mut found = Vec::new();
    let mut num_files = 0;
    for folder in ["crate", "www/src", "www/build"] {
        for entry in WalkDir::new(root.join(folder)) {
            let entry = entry.unwrap();
            let path = entry
                .path()
                .strip_prefix(root)
                .unwrap()
                .to_string_lossy()
                .replace('\\', "/");
            let is_source = [".rs", ".ts"].iter().any(|end| path.ends_with(end));
            let is_test = path.ends_with(".test.ts")
                || path.ends_with("/tests.rs")
                || path.contains("/tests/");
            let is_allowed = ALLOWED.iter().any(|(start, _)| path.starts_with(start));
            if !is_source || is_test || is_allowed {
                continue;
            }
            num_files += 1;
            let lines = naming(&fs::read_to_string(entry.path()).unwrap(), &ids);
            found.extend(lines.into_iter().map(|line| format!("{path}: {line}")));
        }
    }
    assert!(
        num_files > 100,
        "only {num_files} files were looked through"
    );
    assert!(
        found.is_empty(),
        "ask for an ability instead:\n{}",
        found.join("\n")
    );
}

#[test]
fn a_name_in_quotes_is_seen_and_one_in_a_comment_or_a_test_is_not() {
    let ids = ["weave".to_owned()];
    assert_eq!(
        naming("if (benchmark.protocol === 'weave') {", &ids).len(),
        1
    );
    assert_eq!(naming("let id = \"weave\";", &ids).len(), 1);
    assert!(naming("/// Protocol id: \"weave\".\nlet id = \"weaver\";", &ids).is_empty());
    assert!(
        naming(
            "#[cfg(test)]\nmod tests { const ID: &str = \"weave\"; }",
            &ids
        )
        .is_empty()
    );
}
