//! The direction of dependencies, as a rule that can be broken only by changing this file.

/// Who may depend on which of our own crates. A crate that is not listed here is an error, so that a new one is
/// placed on purpose.
const OURS: &[(&str, &[&str])] = &[
    ("juror_reading", &[]),
    ("juror_statistics", &[]),
    ("juror_billiards", &["juror_statistics"]),
    ("juror_model", &["juror_reading", "juror_statistics"]),
    ("juror_sources", &["juror_reading", "juror_model"]),
    (
        "juror_protocols",
        &[
            "juror_reading",
            "juror_statistics",
            "juror_billiards",
            "juror_model",
        ],
    ),
    (
        "juror_judging",
        &["juror_reading", "juror_statistics", "juror_model"],
    ),
    (
        "juror_agents",
        &[
            "juror_reading",
            "juror_statistics",
            "juror_model",
            "juror_protocols",
            "juror_judging",
        ],
    ),
    (
        "juror_evidence",
        &[
            "juror_reading",
            "juror_statistics",
            "juror_model",
            "juror_judging",
        ],
    ),
    ("juror_session", CORE),
    (
        "juror_make",
        &[
            "juror_reading",
            "juror_statistics",
            "juror_model",
            "juror_protocols",
            "juror_judging",
            "juror_image",
            "juror_metrics",
        ],
    ),
    ("juror_image", &[]),
    ("juror_metrics", &[]),
    (
        "juror_measure",
        &["juror_image", "juror_metrics", "juror_gpu"],
    ),
    ("juror_gpu", &["juror_metrics"]),
    (
        "juror_neural",
        &["juror_image", "juror_metrics", "juror_sources"],
    ),
    ("juror_web", HOST),
    ("juror_cli", HOST),
    (
        "juror_tests",
        &[
            "juror_reading",
            "juror_statistics",
            "juror_model",
            "juror_sources",
            "juror_protocols",
            "juror_judging",
            "juror_agents",
            "juror_evidence",
            "juror_session",
            "juror_make",
            "juror_image",
            "juror_metrics",
            "juror_gpu",
            "juror_neural",
            "juror_web",
            "juror_cli",
        ],
    ),
    // What builds everything must not wait for what it builds.
    ("juror_demo", &["juror_statistics", "juror_billiards"]),
    ("xtask", &["juror_statistics", "juror_demo"]),
    ("xtask_bindgen", &[]),
];

/// What stands below the session: all but where files come from, which is between the hosts and their readers.
const CORE: &[&str] = &[
    "juror_reading",
    "juror_statistics",
    "juror_model",
    "juror_protocols",
    "juror_judging",
    "juror_agents",
    "juror_evidence",
];

/// What a host may know: everything but another host.
const HOST: &[&str] = &[
    "juror_reading",
    "juror_statistics",
    "juror_model",
    "juror_sources",
    "juror_protocols",
    "juror_judging",
    "juror_agents",
    "juror_evidence",
    "juror_session",
    "juror_make",
    "juror_metrics",
    "juror_measure",
    "juror_gpu",
    "juror_image",
    "juror_neural",
];

/// Who may use which of our own crates besides in its tests.
const OURS_IN_TESTS: &[(&str, &[&str])] = &[(
    "juror_demo",
    &[
        "juror_reading",
        "juror_model",
        "juror_protocols",
        "juror_session",
        "juror_image",
    ],
)];

/// Packages of others that only some of our crates may name; a family ends with `*`.
const RESTRICTED: &[(&str, &[&str])] = &[
    ("image", &["juror_image"]),
    ("png", &["juror_image"]),
    ("wgpu", &["juror_gpu"]),
    ("rten*", &["juror_neural"]),
    ("tokenizers", &["juror_neural"]),
    ("wasm-bindgen", &["juror_web", "juror_tests"]),
    ("wasm-bindgen-cli*", &["xtask_bindgen"]),
    ("wasm-bindgen-futures", &["juror_web", "juror_tests"]),
    ("js-sys", &["juror_web", "juror_tests"]),
    ("web-sys", &["juror_web", "juror_tests"]),
    ("gloo*", &["juror_web"]),
];

/// A package and the names of what it depends on.
#[derive(Debug)]
pub(crate) struct Package {
    pub(crate) name: String,
    /// Of every kind that is compiled into it: normal and build.
    pub(crate) dependencies: Vec<String>,
    /// What its tests need besides.
    pub(crate) test_dependencies: Vec<String>,
}

/// Every edge that the rules do not allow, in words.
pub(crate) fn violations(packages: &[Package]) -> Vec<String> {
    let is_ours = |name: &str| packages.iter().any(|package| package.name == name);
    let mut found = Vec::new();
    for package in packages {
        let Some((_, allowed)) = OURS.iter().find(|(name, _)| *name == package.name) else {
            found.push(format!(
                "{} has no place in the dependency rules",
                package.name
            ));
            continue;
        };
        let in_tests = OURS_IN_TESTS
            .iter()
            .find(|(name, _)| *name == package.name)
            .map_or(&[][..], |(_, allowed)| *allowed);
        let own = package.dependencies.iter().map(|name| (name, &[][..]));
        let of_tests = package
            .test_dependencies
            .iter()
            .map(|name| (name, in_tests));
        for (dependency, also) in own.chain(of_tests) {
            let name = dependency.as_str();
            if is_ours(name) && !allowed.contains(&name) && !also.contains(&name) {
                found.push(format!("{} must not depend on {dependency}", package.name));
            }
            if let Some(users) = restricted_to(dependency)
                && !users.contains(&package.name.as_str())
            {
                found.push(format!(
                    "{} must not depend on {dependency}: only {} may",
                    package.name,
                    users.join(", ")
                ));
            }
        }
    }
    found
}

fn restricted_to(dependency: &str) -> Option<&'static [&'static str]> {
    RESTRICTED
        .iter()
        .find(|(name, _)| match name.strip_suffix('*') {
            Some(family) => dependency.starts_with(family),
            None => *name == dependency,
        })
        .map(|(_, users)| *users)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn packages(edges: &[(&str, &[&str])]) -> Vec<Package> {
        edges
            .iter()
            .map(|(name, dependencies)| Package {
                name: (*name).to_owned(),
                dependencies: dependencies.iter().map(|name| (*name).to_owned()).collect(),
                test_dependencies: Vec::new(),
            })
            .collect()
    }

    const GOOD: &[(&str, &[&str])] = &[
        ("juror_reading", &["memchr"]),
        ("juror_statistics", &["libm"]),
        ("juror_model", &["juror_reading", "juror_statistics"]),
        ("juror_protocols", &["juror_model"]),
        ("juror_sources", &["juror_model", "flate2"]),
        ("juror_judging", &["juror_model", "sha2"]),
        ("juror_agents", &["juror_judging", "juror_protocols"]),
        ("juror_evidence", &["juror_judging"]),
        (
            "juror_session",
            &["juror_protocols", "juror_agents", "juror_evidence", "serde"],
        ),
        ("juror_image", &["image"]),
        ("juror_metrics", &["num-complex"]),
        (
            "juror_measure",
            &["juror_image", "juror_metrics", "juror_gpu"],
        ),
        ("juror_gpu", &["juror_metrics", "wgpu"]),
        ("juror_neural", &["juror_image", "juror_metrics", "rten"]),
        (
            "juror_web",
            &["juror_session", "juror_image", "gloo-net", "js-sys"],
        ),
        ("juror_cli", &["juror_session", "juror_gpu"]),
        (
            "juror_tests",
            &["juror_web", "juror_cli", "wasm-bindgen-test"],
        ),
        ("juror_billiards", &["juror_statistics"]),
        ("juror_demo", &["juror_billiards", "tiny-skia"]),
        ("xtask", &["juror_demo", "anyhow"]),
    ];

    #[test]
    fn the_design_is_allowed() {
        assert_eq!(violations(&packages(GOOD)), Vec::<String>::new());
    }

    #[test]
    fn each_edge_against_the_direction_is_reported() {
        for (from, to) in [
            ("juror_statistics", "juror_reading"),
            ("juror_model", "juror_protocols"),
            ("juror_model", "juror_sources"),
            ("juror_sources", "juror_judging"),
            ("juror_protocols", "juror_judging"),
            ("juror_judging", "juror_agents"),
            ("juror_judging", "juror_protocols"),
            ("juror_agents", "juror_evidence"),
            ("juror_evidence", "juror_sources"),
            ("juror_evidence", "juror_session"),
            ("juror_session", "juror_sources"),
            ("juror_protocols", "juror_session"),
            ("juror_session", "juror_metrics"),
            ("juror_session", "js-sys"),
            ("juror_image", "juror_session"),
            ("juror_metrics", "juror_gpu"),
            ("juror_gpu", "juror_image"),
            ("juror_neural", "juror_session"),
            ("juror_cli", "rten"),
            ("juror_web", "juror_cli"),
            ("juror_cli", "gloo-timers"),
            ("juror_tests", "image"),
            ("juror_metrics", "wgpu"),
            ("xtask", "juror_session"),
        ] {
            let mut packages = packages(GOOD);
            let package = packages.iter_mut().find(|package| package.name == from);
            package
                .expect("the good set has every crate")
                .dependencies
                .push(to.to_owned());
            let found = violations(&packages);
            assert_eq!(found.len(), 1, "{from} → {to}: {found:?}");
            assert!(
                found[0].starts_with(&format!("{from} must not depend on {to}")),
                "{found:?}"
            );
        }
    }

    #[test]
    fn tests_may_use_more_and_not_everything() {
        let found = |user: &str, used: &str| {
            let mut packages = packages(GOOD);
            let package = packages.iter_mut().find(|package| package.name == user);
            let package = package.expect("the good set has every crate");
            package.test_dependencies.push(used.to_owned());
            violations(&packages).len()
        };
        assert_eq!(found("juror_demo", "juror_session"), 0);
        assert_eq!(found("juror_demo", "juror_image"), 0);
        assert_eq!(found("juror_demo", "juror_metrics"), 1);
        assert_eq!(found("xtask", "juror_session"), 1);
        assert_eq!(found("juror_session", "juror_image"), 1);
        assert_eq!(found("juror_metrics", "image"), 1);
    }

    #[test]
    fn a_crate_without_a_place_is_reported() {
        let found = violations(&packages(&[("juror_new", &[])]));
        assert_eq!(found, ["juror_new has no place in the dependency rules"]);
    }
}
