//! Panels of judges by hand arithmetic: what several judges' answers come to, over how many requests, and with how many ties.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use juror_evidence::report;
use juror_model::options::{Policy, Profile, ScoreOptions};
use juror_model::row::{PanelCounts, ScoreRow};
use juror_session::Session;
use juror_session::error::Error;
use juror_tests::generate::{File, open};

const JUDGES: [&str; 5] = ["gpt", "gemini", "qwen", "claude", "llava"];
/// Sets with the one score that each of the judges gives on all five criteria; `None` where there is no reply.
const SETS: [(&str, &str, [Option<u32>; 5]); 4] = [
    // Mean 5, median 4, majority 9.
    (
        "3_local",
        "006",
        [Some(2), Some(1), Some(9), Some(9), Some(4)],
    ),
    ("3_local", "007", [Some(3); 5]),
    // Two answers are given twice: the lower one counts.
    ("add", "002", [Some(1), Some(1), Some(5), Some(9), Some(9)]),
    ("tone", "003", [Some(7), Some(7), Some(7), Some(7), None]),
];

fn files() -> Vec<File> {
    let mut files: Vec<File> = Vec::new();
    let mut add = |path: String, text: &str| files.push((path, text.as_bytes().to_vec()));
    for (task, number, scores) in SETS {
        add(
            format!("data/{task}/{number}_prompt.txt"),
            "Put them together.",
        );
        for index in 0..3 {
            add(format!("data/{task}/{number}_{index}.jpg"), "reference");
        }
        add(format!("out/m/{task}/{number}_generated.png"), "output");
        for (judge, score) in JUDGES.iter().zip(scores) {
            let Some(score) = score else { continue };
            let labels = [
                "Instruction Alignment",
                "Reference Consistency",
                "Background-Subject Match",
                "Physical Realism",
                "Visual Quality",
            ];
            let lines = labels.map(|label| format!("{label}: {score}\n"));
            let text = format!("Reasoning: fine.\n\n{}", lines.concat());
            add(format!("out/m/{task}/{number}_{judge}_judge.txt"), &text);
        }
    }
    files
}

fn by(judge: Option<&str>) -> ScoreOptions {
    ScoreOptions {
        profile: Profile::Paper,
        policy: Some(Policy::Exclude),
        judge: judge.map(str::to_owned),
        run: None,
        reading: juror_model::options::ReplyReading::Strict,
    }
}

/// The row of a task under a judge.
fn row(session: &mut Session, judge: &str, task: &str, criterion: &str) -> ScoreRow {
    let rows = juror_session::score_rows(&session.study(&by(Some(judge))));
    let mut found = rows
        .iter()
        .filter(|row| row.key == task && row.criterion == criterion && row.judge == judge);
    let row = found
        .next()
        .unwrap_or_else(|| panic!("{judge} {task}: {rows:?}"));
    assert!(found.next().is_none());
    row.clone()
}

fn all(rule: &str) -> String {
    format!("panel:{rule}(claude,gemini,gpt,llava,qwen)")
}

#[test]
fn each_rule_makes_one_score_of_the_same_five_judges() {
    let mut session = open(&files());
    // (2.5 + 2 + 6 + 6 + 3.5) / 5; (4 + 3) / 2; (9 + 3) / 2.
    for (rule, wanted) in [("mean", 4.0), ("median", 3.5), ("majority", 6.0)] {
        let row = row(&mut session, &all(rule), "3_local", "total");
        assert!((row.mean.unwrap() - wanted).abs() < 1e-9, "{rule}: {row:?}");
        assert_eq!((row.n, row.expected), (2, 2), "{rule}");
        let counts = row.panel.unwrap();
        assert_eq!((counts.had_all, counts.had_any, counts.ties), (2, 2, 0));
        // Five criteria of two sets; a mean puts no answers together.
        assert_eq!(counts.answers, if rule == "mean" { 0 } else { 10 });
    }
}

#[test]
fn a_tie_takes_the_lower_of_two_and_is_counted_where_it_is() {
    let mut session = open(&files());
    let tied = row(&mut session, &all("majority"), "add", "total");
    assert_eq!(tied.mean, Some(1.0));
    let five = PanelCounts {
        had_all: 1,
        had_any: 1,
        answers: 5,
        ties: 5,
    };
    assert_eq!(tied.panel, Some(five));
    let criteria = juror_session::overview(&session.study(&by(None))).criteria;
    let first = &criteria[0].id;
    let of_one = row(&mut session, &all("majority"), "add", first)
        .panel
        .unwrap();
    assert_eq!((of_one.answers, of_one.ties), (1, 1));
    // The middle one of five is no tie.
    let median = row(&mut session, &all("median"), "add", "total");
    assert_eq!((median.mean, median.panel.unwrap().ties), (Some(5.0), 0));
}

#[test]
fn each_sample_of_the_report_says_whether_its_panel_was_tied() {
    let mut session = open(&files());
    let mut tied = |judge: &str| -> Vec<(String, usize)> {
        let report = juror_session::report(&session.study(&by(Some(judge))));
        let rows = report.samples.iter().filter(|row| row.tied);
        assert!(rows.clone().all(|row| row.judge == judge));
        let mut found: Vec<(String, usize)> = Vec::new();
        for row in rows {
            match found.iter_mut().find(|(sample, _)| *sample == row.sample) {
                Some((_, n)) => *n += 1,
                None => found.push((row.sample.clone(), 1)),
            }
        }
        let json = report.to_json();
        assert_eq!(json.contains("\"tied\""), !found.is_empty());
        found
    };
    // Five criteria and the total of the one set whose answers stand two against two.
    assert_eq!(tied(&all("majority")), [("add/002".to_owned(), 6)]);
    assert!(tied(&all("median")).is_empty());
    assert!(tied(&all("mean")).is_empty());
    assert!(tied("gpt").is_empty());
}

#[test]
fn a_sample_names_the_criteria_that_its_panel_was_tied_in() {
    let mut session = open(&files());
    let mut tied = |sample: &str, judge: &str| -> Vec<String> {
        let view = juror_session::sample(&session.study(&by(Some(judge))), sample).unwrap();
        let verdicts = &view.turns[0].outputs[0].verdicts;
        assert_eq!((verdicts.len(), &*verdicts[0].judge), (1, judge));
        verdicts[0].tied.clone()
    };
    let found = tied("add/002", &all("majority"));
    assert_eq!(found.len(), 6, "five criteria and the request: {found:?}");
    assert!(found.iter().any(|id| id.contains("visual")), "{found:?}");
    assert!(tied("add/002", &all("median")).is_empty());
    assert!(tied("3_local/006", &all("majority")).is_empty());
    assert!(tied("add/002", "gpt").is_empty());
}

#[test]
fn what_one_of_the_judges_did_not_rate_is_not_scored_and_told() {
    let mut session = open(&files());
    for rule in ["mean", "median", "majority"] {
        let row = row(&mut session, &all(rule), "tone", "total");
        assert_eq!((row.mean, row.n, row.expected), (None, 0, 1), "{rule}");
        let counts = row.panel.unwrap();
        assert_eq!((counts.had_all, counts.had_any), (0, 1), "{rule}");
    }
    let four = "panel:median(claude,gemini,gpt,qwen)";
    let row = row(&mut session, four, "tone", "total");
    assert_eq!((row.mean, row.n), (Some(7.0), 1));
}

#[test]
fn the_authors_own_mean_stays_the_default_and_a_panel_by_the_mean_equals_it() {
    let mut session = open(&files());
    let before = juror_session::score_rows(&session.study(&by(None))).to_vec();
    let own: Vec<&ScoreRow> = before
        .iter()
        .filter(|row| row.judge == "gemini + gpt")
        .collect();
    assert!(!own.is_empty() && before.iter().all(|row| row.panel.is_none()));
    let name = "panel:mean(gemini,gpt)";
    let panel = juror_session::score_rows(&session.study(&by(Some(name)))).to_vec();
    for row in own {
        let same = panel.iter().find(|other| {
            (&other.scope, &other.key, &other.criterion) == (&row.scope, &row.key, &row.criterion)
        });
        let same = same.unwrap();
        assert_eq!(
            (same.mean, same.n, same.ci_low),
            (row.mean, row.n, row.ci_low)
        );
        assert_eq!(same.judge, name);
    }
    // The pair is offered by its name, and a report of it is chosen by that name.
    let joined = juror_session::judges_and_runs(&session.linked()).joined;
    let offered: Vec<(&str, &str)> = joined
        .iter()
        .map(|joined| (joined.name.as_str(), joined.judge.as_str()))
        .collect();
    assert_eq!(offered, [("gemini + gpt", name)]);
    assert_eq!(
        juror_session::standing_judge(&session.linked(), "gemini + gpt"),
        name
    );
    assert_eq!(
        juror_session::standing_judge(&session.linked(), "gpt + gemini"),
        "gpt + gemini"
    );
    // Panels that were chosen before change nothing of what is scored without them.
    juror_session::score_rows(&session.study(&by(Some(&all("majority")))));
    assert_eq!(juror_session::score_rows(&session.study(&by(None))), before);
    let judges = juror_session::judges_and_runs(&session.linked()).judges;
    assert!(
        judges.iter().all(|judge| !judge.starts_with("panel:")),
        "{judges:?}"
    );
}

#[test]
fn the_report_names_the_panel_and_counts_it() {
    let mut session = open(&files());
    let name = all("majority");
    let csv = report::csv(juror_session::score_rows(&session.study(&by(Some(&name)))));
    assert!(
        csv.lines()
            .next()
            .unwrap()
            .ends_with(",had_all,had_any,answers,ties")
    );
    let line = csv
        .lines()
        .find(|line| line.contains(",add,total,"))
        .unwrap();
    assert!(
        line.contains(&format!("m,\"{name}\",paper")) && line.ends_with(",1,1,5,5"),
        "{line}"
    );
    let json = juror_session::report(&session.study(&by(Some(&name)))).to_json();
    assert!(json.contains(r#""panel":{"had_all":1,"had_any":1,"answers":5,"ties":5}"#));
    let alone = report::csv(juror_session::score_rows(&session.study(&by(Some("gpt")))));
    assert!(alone.lines().next().unwrap().ends_with(",worst,best"));
}

#[test]
fn a_panel_needs_judges_that_are_there_and_more_than_one() {
    let mut session = open(&files());
    let mut check = |name: &str| juror_session::check_judge(&session.linked(), name);
    assert!(check("gpt").is_ok() && check(&all("median")).is_ok());
    assert!(
        matches!(check("panel:mean(gpt,nobody)"), Err(Error::UnknownJudge(who)) if who == "nobody")
    );
    assert!(matches!(
        check("panel:mean(gpt)"),
        Err(Error::SmallPanel(_))
    ));
}
