//! Whole sessions: a demo suite with changed, lost, doubled and foreign files is opened, scored, checked, exported and packed.
#![no_main]

use std::collections::HashSet;

use arbitrary::Arbitrary;
use juror_evidence::report::csv;
use juror_evidence::report::tables::Intervals;
use juror_model::options::{Policy, Profile, ScoreOptions};
use juror_model::row::ScoreRow;
use juror_session::Session;
use juror_session::compare::CompareQuery;

use juror_fuzz::{File, Pack, load, meta, open, suites};
use juror_session::view::agreement::AgreementQuery;
use juror_session::view::{HighlightQuery, SampleQuery};
use libfuzzer_sys::fuzz_target;

/// What happens to the files of a suite.
#[derive(Arbitrary, Debug)]
enum Edit<'a> {
    Lose(u16),
    Rename(u16, Name<'a>),
    Double(u16, Name<'a>),
    Add(Name<'a>, &'a [u8]),
    Write(u16, &'a [u8]),
    Splice(u16, u16, u8, &'a [u8]),
    Cut(u16, u16),
    Swap(u16, u16),
    Crlf(u16),
    Mark(u16),
    Unread(u16),
}

/// A path: a file's folder, so many levels up, with another name.
#[derive(Arbitrary, Debug)]
struct Name<'a> {
    of: u16,
    up: u8,
    name: &'a str,
}

#[derive(Arbitrary, Debug)]
struct Case<'a> {
    suite: u8,
    is_released: bool,
    policy: u8,
    edits: Vec<Edit<'a>>,
}

fuzz_target!(|case: Case<'_>| {
    let suites = suites();
    let mut files = suites[usize::from(case.suite) % suites.len()].clone();
    let mut unread = HashSet::new();
    for edit in case.edits.iter().take(12) {
        apply(edit, &mut files, &mut unread);
    }
    let options = ScoreOptions {
        profile: [Profile::Paper, Profile::Released][usize::from(case.is_released)],
        policy: [
            None,
            Some(Policy::Zero),
            Some(Policy::Exclude),
            Some(Policy::Upstream),
        ][usize::from(case.policy % 4)],
        ..ScoreOptions::default()
    };
    let mut session = Session::new(juror_fuzz::probe);
    session.add_files(&files.iter().map(meta).collect::<Vec<_>>());
    load(&mut session, |want| {
        let (path, bytes) = &files[want.file as usize];
        (!unread.contains(path)).then(|| bytes.clone())
    });
    look(&mut session, &options);
    if !unread.is_empty() {
        return;
    }
    if let Some(pack) = Pack::of(&mut session, &files, &options) {
        let found = pack.verify().expect("its manifest can be read");
        assert!(found.reproduced, "{:?}", found.findings);
    }
    let is_new = {
        let mut seen = HashSet::new();
        move |(path, _): &File| seen.insert(path.to_lowercase())
    };
    if files.iter().all(is_new) {
        let rows = sorted(&mut session, &options);
        files.reverse();
        let other = sorted(&mut open(&files), &options);
        assert_eq!(rows, other, "the order of listing does not matter");
    }
});

fn sorted(session: &mut Session, options: &ScoreOptions) -> Vec<String> {
    let rows = juror_session::score_rows(&session.study(options));
    let mut rows: Vec<String> = rows.iter().map(|row| format!("{row:?}")).collect();
    rows.sort_unstable();
    rows
}

/// Every view and export.
fn look(session: &mut Session, options: &ScoreOptions) {
    let report = juror_session::report(&session.study(options));
    report.scores.iter().for_each(is_sound);
    let _ = (report.to_json(), csv(&report.scores));
    let tables = juror_session::tables(&session.study(options));
    let _ = (tables.to_markdown(), tables.to_latex(Intervals::default()));
    let overview = juror_session::overview(&session.study(options));
    let _ = juror_session::lint_report(&session.linked());
    let query = AgreementQuery {
        options: options.clone(),
        ..AgreementQuery::default()
    };
    let _ = juror_session::agreement(&session.study(&query.options), &query);
    let _ = juror_session::highlights(
        &session.study(&ScoreOptions::default()),
        &HighlightQuery {
            len: 5,
            ..HighlightQuery::default()
        },
    );
    let _ = juror_session::compare(
        &session.study(options),
        &CompareQuery {
            replicates: 10,
            ..CompareQuery::default()
        },
    );
    let list = juror_session::samples(
        &session.study(&ScoreOptions::default()),
        &SampleQuery {
            len: Some(4),
            ..SampleQuery::default()
        },
    );
    assert!(list.rows.len() <= 4);
    for row in &list.rows {
        let view = juror_session::sample(&session.study(options), &row.id)
            .expect("a listed sample can be shown");
        assert_eq!(view.id, row.id);
    }
    let _ = (
        overview,
        juror_session::ratings_csv(&session.linked(), None),
        session.journal(),
        juror_session::measures(&session.linked()),
    );
}

fn is_sound(row: &ScoreRow) {
    let numbers = [
        row.mean,
        row.sd,
        row.ci_low,
        row.ci_high,
        row.worst,
        row.best,
    ];
    assert!(numbers.into_iter().flatten().all(f64::is_finite), "{row:?}");
    assert!(row.mean.is_none() || row.n > 0, "{row:?}");
    let ordered = |low: Option<f64>, high: Option<f64>| {
        low.zip(high).is_none_or(|(low, high)| low <= high + 1e-9)
    };
    assert!(
        ordered(row.ci_low, row.ci_high) && ordered(row.worst, row.best),
        "{row:?}"
    );
    assert!(
        ordered(row.ci_low, row.mean) && ordered(row.mean, row.ci_high),
        "{row:?}"
    );
}

fn apply(edit: &Edit<'_>, files: &mut Vec<File>, unread: &mut HashSet<String>) {
    if files.is_empty() {
        return;
    }
    let len = files.len();
    let at = |number: u16| usize::from(number) % len;
    match *edit {
        Edit::Lose(file) => drop(files.remove(at(file))),
        Edit::Rename(file, ref name) => files[at(file)].0 = path(files, name),
        Edit::Double(file, ref name) => {
            let copy = (path(files, name), files[at(file)].1.clone());
            files.push(copy);
        }
        Edit::Add(ref name, bytes) => files.push((path(files, name), bytes.to_vec())),
        Edit::Write(file, bytes) => files[at(file)].1 = bytes.to_vec(),
        Edit::Splice(file, from, cut, bytes) => {
            let own = &mut files[at(file)].1;
            let from = usize::from(from) % (own.len() + 1);
            let to = (from + usize::from(cut)).min(own.len());
            own.splice(from..to, bytes.iter().copied());
        }
        Edit::Cut(file, to) => files[at(file)].1.truncate(usize::from(to)),
        Edit::Swap(one, other) => {
            let kept = files[at(one)].1.clone();
            files[at(one)].1 = std::mem::replace(&mut files[at(other)].1, kept);
        }
        Edit::Crlf(file) => {
            let own = &mut files[at(file)].1;
            let lines: Vec<&[u8]> = own.split(|byte| *byte == b'\n').collect();
            *own = lines.join(&b"\r\n"[..]);
        }
        Edit::Mark(file) => drop(files[at(file)].1.splice(..0, *b"\xef\xbb\xbf")),
        Edit::Unread(file) => drop(unread.insert(files[at(file)].0.clone())),
    }
}

fn path(files: &[File], name: &Name<'_>) -> String {
    let mut folder = files[usize::from(name.of) % files.len()].0.as_str();
    for _ in 0..=name.up % 4 {
        folder = folder.rsplit_once('/').map_or("", |(above, _)| above);
    }
    format!("{folder}/{}", name.name)
}
