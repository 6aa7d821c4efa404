//! Every suite with what happens to files on their way from one machine to another: the report changes where it must, and
//! nowhere else.
#![expect(
    clippy::unwrap_used,
    reason = "a test that cannot read its input should stop"
)]

use std::collections::{BTreeMap, BTreeSet};

use juror_model::host::{FileMeta, Phase};
use juror_model::options::{Policy, Profile, ReplyReading, ScoreOptions};
use juror_model::problem::Problem;
use juror_model::request::RequestKey;
use juror_model::row::ScoreRow;
use juror_session::view::{PastedReply, SampleQuery};
use juror_session::{Session, Undecodable};

use super::SUITES;
use super::loads::{probe, suite};
use super::suite::Files;

/// Files whose reading fails at first, with what the host says.
pub(super) type Failing<'a> = BTreeMap<&'a str, &'static str>;

/// A session over files as a folder of them is opened.
pub(super) fn opened(files: &Files, failing: &Failing<'_>) -> Session {
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
                reading: juror_model::options::ReplyReading::Strict,
            })
        })
}

/// Everything that a report says, one line per fact, findings left out.
fn report(session: &mut Session) -> BTreeSet<String> {
    let mut facts = BTreeSet::new();
    for options in all_options() {
        let overview = juror_session::overview(&session.study(&options));
        facts.insert(format!("{options:?} {:?}", overview.benchmark));
        facts.insert(format!("{} unknown", overview.num_unknown_files));
        for model in &overview.models {
            facts.insert(format!("{options:?} {model:?}"));
        }
        for row in juror_session::score_rows(&session.study(&options)) {
            facts.insert(format!("{row:?}"));
        }
        for group in &overview.incidents {
            facts.insert(format!("{options:?} {group:?}"));
        }
    }
    let rows = juror_session::samples(
        &session.study(&ScoreOptions::default()),
        &SampleQuery::default(),
    )
    .rows;
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
        let mut found = lines(&juror_session::problems(&session.linked()));
        let line = found
            .iter()
            .position(|line| line.contains("leftovers"))
            .unwrap();
        let line = found.remove(line);
        assert!(line.contains(&count.to_string()), "{name}: {line}");
        assert_eq!(
            found,
            lines(&juror_session::problems(&expected.linked())),
            "{name}"
        );
    }
}

#[test]
fn a_picture_of_any_other_name_beside_every_file_is_noticed() {
    let mut files = suite("multibanana");
    let pictures: Vec<String> = files
        .keys()
        .filter(|path| juror_model::tree::is_picture(path))
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

fn options(profile: Profile, policy: Option<Policy>) -> ScoreOptions {
    ScoreOptions {
        profile,
        policy,
        judge: None,
        run: None,
        reading: ReplyReading::Strict,
    }
}

const PAPER: ScoreOptions = ScoreOptions {
    profile: Profile::Paper,
    policy: None,
    judge: None,
    run: None,
    reading: ReplyReading::Strict,
};

/// Incidents of a kind of the model at this place.
fn incidents(session: &mut Session, options: &ScoreOptions, kind: &str, model: usize) -> u32 {
    let overview = juror_session::overview(&session.study(options));
    let mut groups = overview.incidents.iter();
    groups
        .find(|group| group.kind == kind)
        .map_or(0, |group| group.per_model[model])
}

/// Ids of the samples that a list's first window holds.
fn ids(session: &mut Session) -> Vec<String> {
    let list = juror_session::samples(
        &session.study(&ScoreOptions::default()),
        &SampleQuery::default(),
    );
    list.rows.into_iter().map(|row| row.id).collect()
}

/// Place and path of a picture of the first model that is there and judged: sample, turn, criterion, path.
fn an_output(session: &mut Session) -> (String, u32, String, String) {
    for id in ids(session) {
        let sample = juror_session::sample(&session.study(&PAPER), &id).unwrap();
        for turn in sample.turns {
            let output = &turn.outputs[0];
            let judged = output.verdicts.iter().find(|verdict| verdict.counted);
            if let (Some(_), Some(judged), "image") = (output.file, judged, turn.kind.as_str()) {
                return (
                    id,
                    turn.index,
                    judged.criterion.clone(),
                    output.path.clone(),
                );
            }
        }
    }
    panic!("some output is judged");
}

fn rows_of(
    session: &mut Session,
    options: &ScoreOptions,
    model: &str,
    is_own: bool,
) -> Vec<ScoreRow> {
    let rows = juror_session::score_rows(&session.study(options)).iter();
    rows.filter(|row| (row.model == model) == is_own)
        .cloned()
        .collect()
}

#[test]
fn a_picture_that_cannot_be_read_is_left_out_by_every_policy_and_counts_again_once_it_can() {
    for (name, _) in SUITES {
        let files = suite(name);
        let mut clean = opened(&files, &Failing::new());
        let model = juror_session::overview(&clean.study(&PAPER)).models[0]
            .name
            .clone();
        let (_, _, _, path) = an_output(&mut clean);
        let gone = Failing::from([(path.as_str(), "The file cannot be read: it is gone.")]);
        let mut session = opened(&files, &gone);
        for options in all_options() {
            for kind in ["missing_output", "unreadable_output", "missing_reply"] {
                assert!(
                    incidents(&mut session, &options, kind, 0)
                        <= incidents(&mut clean, &options, kind, 0),
                    "{name} {options:?} {kind}"
                );
            }
            assert!(
                incidents(&mut session, &options, "inaccessible_output", 0) > 0,
                "{name}"
            );
            assert_eq!(
                rows_of(&mut session, &options, &model, false),
                rows_of(&mut clean, &options, &model, false),
                "{name} {options:?}: the other models"
            );
            let own = rows_of(&mut session, &options, &model, true);
            let whole = rows_of(&mut clean, &options, &model, true);
            assert!(
                own.iter().zip(&whole).any(|(own, whole)| own.n < whole.n),
                "{name}"
            );
            for (own, whole) in own.iter().zip(&whole) {
                assert!(own.n <= whole.n, "{name} {options:?} {own:?}");
                // The authors' roundings are no part of the bounds.
                let bounds = (own.worst, own.best, whole.mean);
                if let (Profile::Paper, (Some(worst), Some(best), Some(mean))) =
                    (options.profile, bounds)
                {
                    let (low, high) = (worst.min(best) - 1e-9, worst.max(best) + 1e-9);
                    assert!(
                        low <= mean && mean <= high,
                        "{name} {options:?} {own:?} {mean}"
                    );
                }
            }
        }
        let unread = juror_session::overview(&session.study(&PAPER)).unread;
        assert_eq!(
            (unread.files, unread.example.as_str()),
            (1, path.as_str()),
            "{name}"
        );
        let found = juror_session::problems(&session.linked());
        assert!(
            found
                .iter()
                .any(|problem| problem.code == "unreadable_file" && problem.path == path)
        );

        let mut without = files.clone();
        without.remove(&path);
        let zero = options(Profile::Paper, Some(Policy::Zero));
        let mut missing = opened(&without, &Failing::new());
        assert_ne!(
            rows_of(&mut missing, &zero, &model, true),
            rows_of(&mut session, &zero, &model, true),
            "{name}: a picture that is not there counts as the lowest score"
        );

        assert_eq!(session.retry_failures(), 1);
        read(&mut session, &files, &Failing::new());
        assert_eq!(report(&mut session), report(&mut clean), "{name}");
    }
}

#[test]
fn replies_that_cannot_be_read_are_not_taken_for_no_replies() {
    for (name, _) in SUITES {
        let files = suite(name);
        let mut clean = opened(&files, &Failing::new());
        let overview = juror_session::overview(&clean.study(&PAPER));
        // The lists of some benchmarks hold outputs and replies at once: without them there is no model.
        let own = overview.models[0].reply_files.clone();
        let failing: Failing<'_> = own
            .iter()
            .map(|path| (path.as_str(), "The file cannot be read: no permission."))
            .collect();
        let mut session = opened(&files, &failing);
        let model = overview.models[0].name.clone();
        let overview = juror_session::overview(&session.study(&PAPER));
        assert_eq!(overview.unread.files as usize, own.len(), "{name}");
        let Some(summary) = overview.models.iter().find(|one| one.name == model) else {
            println!(
                "{name}: no more is told, as the files that name the model's outputs hold its replies"
            );
            continue;
        };
        assert!(summary.has_unread_replies && summary.is_unjudged, "{name}");
        for options in all_options() {
            assert_eq!(
                incidents(&mut session, &options, "missing_reply", 0),
                0,
                "{name}"
            );
            assert!(
                incidents(&mut session, &options, "inaccessible_reply", 0) > 0,
                "{name}"
            );
            let rows = rows_of(&mut session, &options, &summary.name, true);
            assert!(
                rows.iter().all(|row| row.mean.is_none() && row.n == 0),
                "{name} {rows:#?}"
            );
        }
        assert_eq!(session.retry_failures() as usize, own.len(), "{name}");
        read(&mut session, &files, &Failing::new());
        assert_eq!(report(&mut session), report(&mut clean), "{name}");
    }
}

#[test]
fn a_folder_that_cannot_be_listed_makes_nothing_missing() {
    let mut files = suite("weave");
    let mut clean = opened(&files, &Failing::new());
    let (_, _, _, path) = an_output(&mut clean);
    files.remove(&path);
    let mut session = opened(&files, &Failing::new());
    let before = incidents(&mut session, &PAPER, "missing_output", 0);
    assert!(before > 0);
    let (folder, _) = path.rsplit_once('/').unwrap();
    session.add_closed_folder(folder, "The folder cannot be listed: no permission.");
    assert_eq!(incidents(&mut session, &PAPER, "missing_output", 0), 0);
    assert_eq!(
        incidents(&mut session, &PAPER, "inaccessible_output", 0),
        before
    );
    assert_eq!(
        juror_session::overview(&session.study(&PAPER))
            .unread
            .folders,
        1
    );
}

#[test]
fn a_model_that_nobody_judged_has_no_score_until_a_first_reply_comes() {
    let mut num_tried = 0;
    for (name, _) in SUITES {
        let mut files = suite(name);
        let mut clean = opened(&files, &Failing::new());
        let overview = juror_session::overview(&clean.study(&PAPER));
        let is_judged_and_lacking = |at: usize| {
            let lacking = overview
                .incidents
                .iter()
                .find(|group| group.kind == "missing_output");
            lacking.is_some_and(|group| group.per_model[at] > 0)
        };
        let at = (0..overview.models.len())
            .find(|at| is_judged_and_lacking(*at))
            .unwrap();
        let model = overview.models[at].name.clone();
        for path in &overview.models[at].reply_files {
            files.remove(path);
        }
        let mut session = opened(&files, &Failing::new());
        let known = juror_session::overview(&session.study(&PAPER))
            .models
            .into_iter()
            .find(|one| one.name == model);
        let Some(summary) = known else {
            println!(
                "{name}: skipped, as its outputs are listed by the very file that holds the replies"
            );
            continue;
        };
        num_tried += 1;
        assert!(summary.is_unjudged && !summary.has_unread_replies, "{name}");
        for options in all_options() {
            let rows = rows_of(&mut session, &options, &model, true);
            assert!(!rows.is_empty(), "{name}");
            assert!(
                rows.iter().all(|row| row.mean.is_none() && row.n == 0),
                "{name} {rows:#?}"
            );
        }
        let (sample, turn, criterion, _) = an_output(&mut clean);
        juror_session::paste(
            &mut session,
            &pasted(
                &model,
                (&sample, turn, &criterion),
                "nobody understands this",
            ),
        )
        .unwrap();
        let zero = options(Profile::Paper, Some(Policy::Zero));
        let rows = rows_of(&mut session, &zero, &model, true);
        assert!(
            rows.iter().any(|row| row.mean.is_some() && row.n > 0),
            "{name} {rows:#?}"
        );
    }
    assert!(num_tried >= 3);
}

fn pasted(model: &str, (sample, turn, criterion): (&str, u32, &str), text: &str) -> PastedReply {
    PastedReply {
        key: RequestKey {
            model: model.to_owned(),
            sample: sample.to_owned(),
            turn,
            criterion: criterion.to_owned(),
        },
        judge: "manual".to_owned(),
        run: 1,
        text: text.to_owned(),
        time: "2026-01-01T00:00:00Z".to_owned(),
    }
}

#[test]
fn one_pasted_reply_is_marked_changes_no_other_judges_row_and_can_be_taken_back() {
    for (name, _) in SUITES {
        let files = suite(name);
        let mut clean = opened(&files, &Failing::new());
        let mut session = opened(&files, &Failing::new());
        let model = juror_session::overview(&clean.study(&PAPER)).models[0]
            .name
            .clone();
        let (sample, turn, criterion, _) = an_output(&mut clean);
        let reply = pasted(
            &model,
            (&sample, turn, &criterion),
            "what one person pasted",
        );
        juror_session::paste(&mut session, &reply).unwrap();
        for options in all_options() {
            let mut rows = juror_session::score_rows(&session.study(&options)).to_vec();
            rows.retain(|row| row.judge != "manual");
            assert_eq!(
                rows,
                juror_session::score_rows(&clean.study(&options)),
                "{name}"
            );
        }
        let overview = juror_session::overview(&session.study(&PAPER));
        let part = overview
            .partial_judges
            .iter()
            .filter(|one| one.judge == "manual");
        let [partial] = part.collect::<Vec<_>>()[..] else {
            panic!("{name}: {:?}", overview.partial_judges);
        };
        assert_eq!(
            (partial.judge.as_str(), partial.replies),
            ("manual", 1),
            "{name}"
        );
        assert!(partial.of > 1, "{name}");
        let told = overview
            .problems
            .iter()
            .find(|problem| problem.code == "partial_judge" && problem.message.contains("manual"));
        assert!(
            told.unwrap().message.contains("manual replied to 1 of"),
            "{name}"
        );
        let shown = juror_session::sample(&session.study(&PAPER), &sample).unwrap();
        let verdicts = &shown.turns[turn as usize].outputs[0].verdicts;
        let own: Vec<_> = verdicts
            .iter()
            .filter(|verdict| verdict.judge == "manual" && verdict.raw.is_some())
            .collect();
        assert_eq!(own.len(), 1, "{name}: its reply is seen beside the others");
        let alone = ScoreOptions {
            judge: Some("manual".to_owned()),
            ..PAPER
        };
        assert!(
            juror_session::score_rows(&session.study(&alone))
                .iter()
                .any(|row| row.judge == "manual"),
            "{name}"
        );
        assert_eq!(
            juror_session::remove_pasted(
                &mut session,
                &pasted(&model, (&sample, turn, &criterion), "another")
            )
            .len(),
            0
        );
        assert_eq!(
            juror_session::remove_pasted(&mut session, &reply).len(),
            1,
            "{name}"
        );
        assert_eq!(report(&mut session), report(&mut clean), "{name}");
    }
}

#[test]
fn results_without_their_benchmark_are_told_to_be_perhaps_incomplete() {
    let mut num_told = 0;
    for (name, _) in SUITES {
        let mut files = suite(name);
        let mut clean = opened(&files, &Failing::new());
        let overview = juror_session::overview(&clean.study(&PAPER));
        assert!(!overview.has_results_only, "{name}");
        assert!(
            lines(&overview.problems)
                .iter()
                .all(|line| !line.contains("benchmark_not_open"))
        );
        let replies: BTreeSet<&String> = overview
            .models
            .iter()
            .flat_map(|model| &model.reply_files)
            .collect();
        files.retain(|path, _| replies.contains(path));
        let mut session = opened(&files, &Failing::new());
        let overview = juror_session::overview(&session.study(&PAPER));
        if juror_session::score_rows(&session.study(&PAPER)).is_empty()
            || overview
                .benchmark
                .as_ref()
                .is_some_and(|info| !info.path.is_empty() && !overview.has_results_only)
        {
            println!("{name}: skipped, as its replies alone are no results");
            continue;
        }
        num_told += 1;
        assert!(overview.has_results_only, "{name}");
        let words = "Benchmark not open: totals may be incomplete.";
        assert!(
            lines(&overview.problems)
                .iter()
                .any(|line| line.contains(words)),
            "{name}"
        );
        assert!(
            juror_session::tables(&session.study(&PAPER))
                .to_markdown()
                .contains(words),
            "{name}"
        );
        let report = juror_session::report(&session.study(&PAPER)).to_json();
        assert!(report.contains(words), "{name}");
    }
    assert!(num_told >= 3);
}

#[test]
fn a_benchmark_beside_another_is_named_whichever_it_is() {
    for (name, _) in SUITES {
        for (other, _) in SUITES.iter().filter(|(other, _)| *other != name) {
            let below = |folder: &str, files: Files| {
                let files = files.into_iter().filter(|(path, _)| path != "index.json");
                let moved: Files = files
                    .map(|(path, bytes)| (format!("{folder}/{path}"), bytes))
                    .collect();
                moved
            };
            let mut files = below(name, suite(name));
            files.extend(below(other, suite(other)));
            let mut session = opened(&files, &Failing::new());
            let shown = juror_session::overview(&session.study(&PAPER))
                .benchmark
                .unwrap()
                .protocol;
            let hidden = if shown == name { *other } else { name };
            let told: Vec<String> = juror_session::problems(&session.linked())
                .into_iter()
                .filter(|problem| problem.code == "other_benchmark")
                .map(|problem| problem.path)
                .collect();
            assert!(
                told.iter()
                    .any(|path| path.starts_with(&format!("{hidden}/"))),
                "{name} beside {other}: {shown} is shown, told of {told:?}"
            );
        }
    }
}

/// The suite with every text changed.
fn with_texts(files: &Files, change: impl Fn(&str) -> Vec<u8>) -> Files {
    let changed = files.iter().map(|(path, bytes)| {
        let text = std::str::from_utf8(bytes).ok();
        let text = text.filter(|_| !juror_model::tree::is_picture(path));
        let bytes = text.map_or_else(|| bytes.clone(), &change);
        (path.clone(), bytes)
    });
    changed.collect()
}

/// Of every output of the first sample's first turn: the hash of the text of each of its requests.
fn requests(session: &mut Session) -> Vec<String> {
    let mut hashes = Vec::new();
    for id in ids(session) {
        let sample = juror_session::sample(&session.study(&PAPER), &id).unwrap();
        for turn in sample.turns {
            for output in turn.outputs {
                for verdict in output.verdicts {
                    let key = RequestKey {
                        model: output.model.clone(),
                        sample: id.clone(),
                        turn: turn.index,
                        criterion: verdict.criterion,
                    };
                    let asked = juror_session::request(&session.linked(), &key).unwrap();
                    hashes.push(format!("{:?} {:?}", asked.system, asked.parts));
                }
            }
        }
    }
    hashes
}

#[test]
fn texts_with_crlf_change_no_number_and_no_request() {
    for (name, _) in SUITES {
        let clean = suite(name);
        let spoiled = with_texts(&clean, |text| text.replace('\n', "\r\n").into_bytes());
        assert_ne!(spoiled, clean, "{name}: there are lines");
        let mut expected = opened(&clean, &Failing::new());
        let mut session = opened(&spoiled, &Failing::new());
        assert_eq!(report(&mut session), report(&mut expected), "{name}");
        assert_eq!(requests(&mut session), requests(&mut expected), "{name}");
        assert_eq!(
            lines(&juror_session::problems(&session.linked())),
            lines(&juror_session::problems(&expected.linked())),
            "{name}"
        );
    }
}

#[test]
fn texts_whose_lines_end_in_another_way_are_noticed() {
    let mut noticed = Vec::new();
    for (name, _) in SUITES {
        let clean = suite(name);
        let spoiled = with_texts(&clean, |text| text.replace('\n', "\u{2028}").into_bytes());
        let changed = report(&mut opened(&spoiled, &Failing::new()));
        if changed == report(&mut opened(&clean, &Failing::new())) {
            println!("{name}: nothing to notice, as all its texts are JSON on one line");
        } else {
            noticed.push(name);
        }
    }
    assert!(noticed.len() >= 3, "{noticed:?}");
}

/// The facts of a report under one profile.
fn under(profile: Profile, session: &mut Session) -> BTreeSet<String> {
    let name = format!("{profile:?}");
    let facts = report(session).into_iter();
    facts.filter(|fact| fact.contains(&name)).collect()
}

#[test]
fn a_byte_order_mark_before_every_text_counts_in_released_alone_where_the_authors_programs_stop() {
    for (name, _) in SUITES {
        let clean = suite(name);
        let spoiled = with_texts(&clean, |text| [b"\xef\xbb\xbf", text.as_bytes()].concat());
        let mut expected = opened(&clean, &Failing::new());
        let mut session = opened(&spoiled, &Failing::new());
        assert_eq!(
            under(Profile::Paper, &mut session),
            under(Profile::Paper, &mut expected),
            "{name}"
        );
        assert_eq!(requests(&mut session), requests(&mut expected), "{name}");
        // MultiBanana's authors search a text for labels, and find them behind the mark too.
        let stops = name != "multibanana";
        let is_changed =
            under(Profile::Released, &mut session) != under(Profile::Released, &mut expected);
        assert_eq!(is_changed, stops, "{name}");
        let told = lines(&juror_session::problems(&session.linked()));
        let is_told = told.iter().any(|line| line.contains("byte order mark"));
        assert_eq!(is_told, stops, "{name}: {told:?}");
    }
}

#[test]
fn uppercase_extensions_lose_no_picture_and_no_text() {
    for (name, _) in SUITES {
        let clean = suite(name);
        let spoiled: Files = clean
            .iter()
            .filter(|(path, _)| *path != "index.json")
            .map(|(path, bytes)| {
                let renamed = path.rsplit_once('.').map_or_else(
                    || path.clone(),
                    |(stem, end)| format!("{stem}.{}", end.to_uppercase()),
                );
                (renamed, bytes.clone())
            })
            .collect();
        let mut expected = opened(&clean, &Failing::new());
        let mut session = opened(&spoiled, &Failing::new());
        let lower = |facts: BTreeSet<String>| -> BTreeSet<String> {
            facts.iter().map(|fact| fact.to_lowercase()).collect()
        };
        assert_eq!(
            lower(report(&mut session)),
            lower(report(&mut expected)),
            "{name}"
        );
    }
}

#[test]
fn another_extension_is_noticed() {
    for (name, _) in SUITES {
        let clean = suite(name);
        let spoiled: Files = (clean.iter())
            .map(|(path, bytes)| (path.replace(".png", ".dat"), bytes.clone()))
            .collect();
        assert_ne!(
            report(&mut opened(&spoiled, &Failing::new())),
            report(&mut opened(&clean, &Failing::new())),
            "{name}"
        );
    }
}

/// A session of a host that decodes every picture.
fn decoded(files: &Files) -> Session {
    let mut session = Session::new(probe);
    let metas: Vec<FileMeta> = (files.iter())
        .filter(|(path, _)| *path != "index.json")
        .map(|(path, bytes)| FileMeta {
            path: path.clone(),
            size: Some(bytes.len() as u64),
        })
        .collect();
    session.add_files(&metas);
    loop {
        let wants = session.wants(64);
        if wants.is_empty() {
            return session;
        }
        for want in wants {
            let bytes = &files[session.path(want.file)];
            if want.phase == Phase::Decoding {
                let found = juror_image::check(bytes, &juror_image::Limits::default());
                session.provide_decoded(
                    want.file,
                    found.map(drop).map_err(|error| Undecodable {
                        message: error.message(),
                        hint: error.hint(),
                    }),
                );
                continue;
            }
            let end = want.head.map_or(bytes.len(), |head| {
                bytes.len().min(usize::try_from(head).unwrap())
            });
            session.provide(want.file, bytes[..end].to_vec());
        }
    }
}

#[test]
fn one_truncated_picture_is_an_unreadable_output_of_its_model_and_changes_no_other() {
    for (name, _) in SUITES {
        let mut files = suite(name);
        let mut clean = decoded(&files);
        assert_eq!(
            report(&mut clean),
            report(&mut opened(&files, &Failing::new())),
            "{name}: whole pictures decode"
        );
        let model = juror_session::overview(&clean.study(&PAPER)).models[0]
            .name
            .clone();
        let (_, _, _, path) = an_output(&mut clean);
        let bytes = files.get_mut(&path).unwrap();
        bytes.truncate(bytes.len() / 2);
        let mut session = decoded(&files);
        for options in all_options() {
            let kind = "unreadable_output";
            assert!(
                incidents(&mut session, &options, kind, 0)
                    > incidents(&mut clean, &options, kind, 0),
                "{name} {options:?}"
            );
            assert_eq!(
                rows_of(&mut session, &options, &model, false),
                rows_of(&mut clean, &options, &model, false),
                "{name} {options:?}: the other models"
            );
        }
        let zero = options(Profile::Paper, Some(Policy::Zero));
        assert_ne!(
            rows_of(&mut session, &zero, &model, true),
            rows_of(&mut clean, &zero, &model, true),
            "{name}: it counts as the lowest score"
        );
        // A host that reads headers alone cannot tell: the sibling that must differ.
        let mut blind = opened(&files, &Failing::new());
        assert_ne!(report(&mut blind), report(&mut session), "{name}");
        let told = lines(&juror_session::problems(&session.linked()));
        let is_told = |line: &String| line.contains("corrupt_picture") && line.contains(&path);
        assert!(told.iter().any(is_told), "{name}: {told:?}");
    }
}

#[test]
fn a_multiref_list_of_an_unknown_name_beside_another_benchmark_is_named() {
    for (name, _) in SUITES.iter().filter(|(name, _)| *name != "multiref") {
        let mut files = suite(name);
        let list = suite("multiref")
            .into_iter()
            .find(|(path, _)| {
                let name = std::path::Path::new(path);
                name.extension()
                    .is_some_and(|extension| extension == "json")
                    && path != "index.json"
            })
            .unwrap()
            .1;
        files.insert("mine/prompts.json".to_owned(), list);
        files.insert(
            "mine/other.json".to_owned(),
            b"[{\"prompt\": \"x\"}]".to_vec(),
        );
        let mut session = opened(&files, &Failing::new());
        let clean = report(&mut opened(&suite(name), &Failing::new()));
        let scores = |facts: &BTreeSet<String>| -> Vec<String> {
            (facts.iter())
                .filter(|fact| fact.starts_with("ScoreRow"))
                .cloned()
                .collect()
        };
        assert_eq!(scores(&report(&mut session)), scores(&clean), "{name}");
        let told: Vec<Problem> = (juror_session::problems(&session.linked()).into_iter())
            .filter(|problem| problem.code == "other_benchmark")
            .collect();
        let [one] = told.as_slice() else {
            panic!("{name}: {told:?}");
        };
        assert_eq!(one.path, "mine/prompts.json", "{name}");
        assert!(one.message.contains("MultiRef"), "{}", one.message);
    }
}
