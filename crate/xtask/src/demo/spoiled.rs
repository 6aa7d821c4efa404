//! Every suite with what happens to files on their way from one machine to another: the report changes where it must, and
//! nowhere else.
#![expect(
    clippy::unwrap_used,
    reason = "a test that cannot read its input should stop"
)]

use std::collections::{BTreeMap, BTreeSet};

use juror_core::session::Session;
use juror_core::view::{FileMeta, Policy, Problem, Profile, SampleQuery, ScoreOptions};

use super::SUITES;
use super::loads::{probe, suite};
use super::suite::Files;

/// Files whose reading fails at first, with what the host says.
type Failing<'a> = BTreeMap<&'a str, &'static str>;

/// A session over files as a folder of them is opened.
fn opened(files: &Files, failing: &Failing<'_>) -> Session {
    let paths: Vec<&String> = files.keys().filter(|path| *path != "index.json").collect();
    let metas: Vec<FileMeta> = paths
        .iter()
        .map(|path| FileMeta {
            path: (*path).clone(),
            size: Some(files[*path].len() as u64),
        })
        .collect();
    let mut session = Session::new(probe);
    session.add_files(&metas);
    read(&mut session, files, failing);
    session
}

/// Reads what the session wants.
fn read(session: &mut Session, files: &Files, failing: &Failing<'_>) {
    loop {
        let wants = session.wants(64);
        if wants.is_empty() {
            return;
        }
        for want in wants {
            let path = session.path(want.file).to_owned();
            if let Some(message) = failing.get(path.as_str()) {
                session.failed(want.file, message);
                continue;
            }
            let bytes = &files[&path];
            let end = want.head.map_or(bytes.len(), |head| {
                bytes.len().min(usize::try_from(head).unwrap())
            });
            session.provide(want.file, bytes[..end].to_vec());
        }
    }
}

/// All profiles under all policies.
fn all_options() -> impl Iterator<Item = ScoreOptions> {
    [Profile::Paper, Profile::Released]
        .into_iter()
        .flat_map(|profile| {
            [
                None,
                Some(Policy::Zero),
                Some(Policy::Exclude),
                Some(Policy::Upstream),
            ]
            .map(|policy| ScoreOptions {
                profile,
                policy,
                judge: None,
                run: None,
            })
        })
}

/// Everything that a report says, one line per fact, findings left out.
fn report(session: &mut Session) -> BTreeSet<String> {
    let mut facts = BTreeSet::new();
    for options in all_options() {
        let overview = session.overview(&options);
        facts.insert(format!("{options:?} {:?}", overview.benchmark));
        facts.insert(format!("{} unknown", overview.num_unknown_files));
        for model in &overview.models {
            facts.insert(format!("{options:?} {model:?}"));
        }
        for row in session.score_rows(&options) {
            facts.insert(format!("{row:?}"));
        }
        for group in &overview.incidents {
            facts.insert(format!("{options:?} {group:?}"));
        }
    }
    let rows = session.samples(&SampleQuery::default()).rows;
    facts.extend(rows.iter().map(|row| format!("{} {}", row.id, row.domain)));
    facts
}

fn lines(problems: &[Problem]) -> Vec<String> {
    problems
        .iter()
        .map(|problem| {
            format!(
                "{:?} {} {} {}",
                problem.severity, problem.code, problem.path, problem.message
            )
        })
        .collect()
}

#[test]
fn leftovers_of_systems_beside_every_file_change_nothing_but_one_line_of_findings() {
    for (name, _) in SUITES {
        let clean = suite(name);
        let mut littered = clean.clone();
        let fork = b"\0\x05\x16\x07".to_vec();
        let mut count = 0;
        let mut litter = |path: String| {
            count += u32::from(littered.insert(path, fork.clone()).is_none());
        };
        for path in clean.keys() {
            let (folder, file) = path.rsplit_once('/').unwrap_or(("", path));
            let beside = |name: &str| [folder, name].join("/").trim_start_matches('/').to_owned();
            litter(beside(&format!("._{file}")));
            litter(format!("__MACOSX/{}", beside(&format!("._{file}"))));
            litter(format!("__MACOSX/{path}"));
            for name in [".DS_Store", "Thumbs.db", "desktop.ini", ".git/config"] {
                litter(beside(name));
            }
            litter(beside(&format!(".git/{file}")));
            litter(beside(&format!(".ipynb_checkpoints/{file}")));
        }
        let mut session = opened(&littered, &Failing::new());
        let mut expected = opened(&clean, &Failing::new());
        assert_eq!(report(&mut session), report(&mut expected), "{name}");
        let mut found = lines(&session.problems());
        let line = found
            .iter()
            .position(|line| line.contains("leftovers"))
            .unwrap();
        let line = found.remove(line);
        assert!(line.contains(&count.to_string()), "{name}: {line}");
        assert_eq!(found, lines(&expected.problems()), "{name}");
    }
}

#[test]
fn a_picture_of_any_other_name_beside_every_file_is_noticed() {
    let mut files = suite("multibanana");
    let pictures: Vec<String> = files
        .keys()
        .filter(|path| path.ends_with(".png"))
        .cloned()
        .collect();
    for path in pictures {
        let (folder, file) = path.rsplit_once('/').unwrap();
        files.insert(format!("{folder}/copy_{file}"), b"\0\x05\x16\x07".to_vec());
    }
    let changed = report(&mut opened(&files, &Failing::new()));
    assert_ne!(
        changed,
        report(&mut opened(&suite("multibanana"), &Failing::new()))
    );
}
