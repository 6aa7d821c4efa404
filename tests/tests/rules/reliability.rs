//! Judges' and people's reliability as the papers report it, out of replies and answers, beside what is printed.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fmt::Write as _;

use juror_judging::journal::{self, Record};
use juror_model::judge::{Panel, PanelRule};
use juror_model::options::{Profile, ScoreOptions};
use juror_model::reliability::FigureKind;
use juror_protocols::micon::{CHECKPOINT_IDS, Task};
use juror_session::Session;
use juror_session::view::agreement::{
    Agreement, AgreementQuery, AtomQuery, AtomRow, OwnFigure, RankingsQuery, SteadinessRow,
};
use juror_statistics::level::Level;
use juror_tests::generate::{File, open};
use serde_json::json;

const STORY: &str = "story_infer";
const OBJECT: &str = "object_composition";

fn near(found: f64, wanted: f64) {
    assert!((found - wanted).abs() < 1e-9, "{found} and not {wanted}");
}

fn agreement(session: &mut Session, scope: &str) -> Agreement {
    let query = AgreementQuery {
        scope: scope.to_owned(),
        ..AgreementQuery::default()
    };
    juror_session::agreement(&session.study(&query.options), &query).unwrap()
}

/// A reply that is kept in a journal.
fn reply(
    protocol: &str,
    (model, sample, criterion): (&str, &str, &str),
    (judge, run): (&str, u32),
    text: String,
) -> Record {
    Record {
        format: journal::FORMAT.to_owned(),
        protocol: protocol.to_owned(),
        model: model.to_owned(),
        sample: sample.to_owned(),
        criterion: criterion.to_owned(),
        judge: judge.to_owned(),
        run,
        reply: text,
        ..Record::default()
    }
}

/// Cases of MICON-Bench with their pictures by these models.
fn micon(cases: &[(&str, &str)], models: &[&str]) -> Vec<File> {
    let mut files: Vec<File> = Vec::new();
    let mut add = |path: String, text: &str| files.push((path, text.as_bytes().to_vec()));
    let mut stories = Vec::new();
    for (task, case) in cases {
        let card = format!(
            "task_type: {task}\ncase_id: {case}\nrefs:\n  RA: data/{task}/refs/{case}_RA.png\n  RB: data/{task}/refs/{case}_RB.png\ngeneration_prompt: |\n  Put them together.\ngoal: One scene.\nconstraints_hard:\n  - all there\nconstraints_soft: []\nparticipating_dimensions: [A, B]\n"
        );
        add(format!("E/data/{task}/cases/{case}.yaml"), &card);
        for name in ["RA", "RB"] {
            add(format!("E/data/{task}/refs/{case}_{name}.png"), case);
        }
        for model in models {
            add(
                format!("E/outputs/generations/{model}/{task}/{case}.png"),
                model,
            );
        }
        if *task == STORY {
            stories.push(json!({"case_id": case, "background_summary": "A ball rolls.", "positive_candidates": ["It falls."], "negative_candidates": ["It flies."]}));
        }
    }
    add(
        "E/data/story_infer/simple_candidate_template.json".to_owned(),
        &json!({ "cases": stories }).to_string(),
    );
    files
}

/// A judgement of the checkpoints in which these failed.
fn checkpoints(task: &str, failed: &[&str]) -> String {
    let mut results = json!({});
    for (at, _) in Task::find(task).unwrap().checkpoints() {
        let id = CHECKPOINT_IDS[at];
        results[id] = json!({"pass": u8::from(!failed.contains(&id))});
    }
    json!({"checkpoint_results": results, "rationale_short": "why", "flags": []}).to_string()
}

/// Five runs whose averages the supplement of the paper prints.
const PRINTED_RUNS: [f64; 5] = [68.47, 68.51, 68.48, 68.51, 68.47];

/// Two stories in five runs, whose totals lie 3 on either side of the average, and a third one that a run lacks.
fn five_runs(averages: [f64; 5]) -> Session {
    let cases = [
        (STORY, "case_0001"),
        (STORY, "case_0002"),
        (STORY, "case_0003"),
    ];
    let mut files = micon(&cases, &["BAGEL"]);
    let mut records = Vec::new();
    for (run, average) in (1u32..).zip(averages) {
        for (case, off) in [("case_0001", 3.0), ("case_0002", -3.0), ("case_0003", 20.0)] {
            if (case, run) == ("case_0003", 4) {
                continue;
            }
            let sample = format!("{STORY}/{case}");
            let by = ("qwen3vl", run);
            let place = |criterion| ("BAGEL", sample.as_str(), criterion);
            records.push(reply(
                "micon",
                place("checkpoints"),
                by,
                checkpoints(STORY, &[]),
            ));
            // All checkpoints hold, which are 40 points; the candidate's ten are 60.
            let score = (average + off - 40.0) / 6.0;
            let text = json!({"score": score, "reasoning": "r"}).to_string();
            records.push(reply("micon", place("candidate"), by, text));
        }
    }
    let text = journal::write(&records).into_bytes();
    files.push(("replies.journal.jsonl".to_owned(), text));
    open(&files)
}

fn steady<'a>(
    found: &'a Agreement,
    (judge, model): (&str, &str),
    (criterion, key): (&str, &str),
) -> &'a SteadinessRow {
    let mut rows = found.steadiness.iter().filter(|row| {
        (&*row.judge, &*row.model, &*row.criterion, &*row.key) == (judge, model, criterion, key)
    });
    let row = rows.next();
    assert!(rows.next().is_none());
    row.unwrap_or_else(|| panic!("{:#?}", found.steadiness))
}

/// The user's own figures beside a printed one.
fn beside(
    found: &Agreement,
    kind: FigureKind,
    is_it: impl Fn(&juror_model::reliability::PrintedFigure) -> bool,
) -> Vec<OwnFigure> {
    let rows = found.printed.iter();
    let mut rows = rows.filter(|row| row.figure.kind == kind && is_it(&row.figure));
    let row = rows.next().unwrap();
    assert!(rows.next().is_none(), "one figure is meant");
    row.own.clone()
}

#[test]
fn five_runs_of_micon_have_the_printed_averages_out_of_their_replies() {
    let found = agreement(&mut five_runs(PRINTED_RUNS), "");
    let row = steady(&found, ("qwen3vl", "BAGEL"), ("total", ""));
    assert_eq!((row.runs, row.n, row.expected), (5, 2, 3));
    for (average, printed) in row.averages.iter().zip(PRINTED_RUNS) {
        near(*average, printed);
    }
    near(row.largest_difference, 0.04);
    assert!((row.sd_of_averages - 0.0205).abs() < 5e-5, "{row:?}");
    assert!((row.standard_error - 0.0092).abs() < 5e-5, "{row:?}");
    // The paper's figures stand beside them, and nothing is left between.
    for (key, printed) in ["1", "2", "3", "4", "5"].iter().zip(PRINTED_RUNS) {
        let is_run = |figure: &juror_model::reliability::PrintedFigure| {
            figure.scope == "run" && figure.key == *key
        };
        let own = beside(&found, FigureKind::Mean, is_run);
        assert_eq!(own.len(), 1);
        near(own[0].value, printed);
        near(own[0].difference.unwrap(), 0.0);
        assert!(own[0].is_same_judge);
    }
    let largest = beside(&found, FigureKind::LargestDifference, |_| true);
    near(largest[0].difference.unwrap(), 0.0);
}

#[test]
fn one_other_run_is_another_largest_difference() {
    let mut averages = PRINTED_RUNS;
    averages[2] = 68.40;
    let found = agreement(&mut five_runs(averages), "");
    let row = steady(&found, ("qwen3vl", "BAGEL"), ("total", ""));
    near(row.largest_difference, 0.11);
    let largest = beside(&found, FigureKind::LargestDifference, |_| true);
    near(largest[0].difference.unwrap(), 0.07);
}

/// A judgement of MultiBanana with one score throughout.
fn five_scores(score: u32) -> String {
    let labels = [
        "Instruction Alignment",
        "Reference Consistency",
        "Background-Subject Match",
        "Physical Realism",
        "Visual Quality",
    ];
    let lines = labels.map(|label| format!("{label}: {score}\n"));
    format!("Reasoning: fine.\n\n{}", lines.concat())
}

/// Sets of three and four references by two models.
fn banana_files() -> Vec<File> {
    let mut files: Vec<File> = Vec::new();
    for (task, references) in [("3_local", 3), ("4_local", 4)] {
        for number in ["001", "002"] {
            let base = format!("data/{task}/{number}");
            files.push((format!("{base}_prompt.txt"), b"Put them together.".to_vec()));
            for index in 0..references {
                files.push((format!("{base}_{index}.jpg"), b"reference".to_vec()));
            }
            for model in ["Nano Banana", "GPT-Image-1"] {
                let path = format!("out/{model}/{task}/{number}_generated.png");
                files.push((path, b"output".to_vec()));
            }
        }
    }
    files
}

/// Three runs of two judges and one of a third.
fn banana(ratings: &str) -> Session {
    let mut files = banana_files();
    // By run, the first judge on the first set, on the second one, then the other judge.
    let scores = [[6, 8, 4, 6], [7, 8, 4, 9], [8, 8, 4, 6]];
    let mut records = Vec::new();
    for model in ["Nano Banana", "GPT-Image-1"] {
        for task in ["3_local", "4_local"] {
            for (at, number) in ["001", "002"].iter().enumerate() {
                let sample = format!("{task}/{number}");
                let place = (model, sample.as_str(), "judge");
                for (run, scores) in (1u32..).zip(scores) {
                    for (judge, score) in [("gpt", scores[at]), ("gemini", scores[2 + at])] {
                        let score = if task == "4_local" { 5 } else { score };
                        let text = five_scores(score);
                        records.push(reply("multibanana", place, (judge, run), text));
                    }
                }
                records.push(reply("multibanana", place, ("qwenvl", 1), five_scores(3)));
            }
        }
    }
    let text = journal::write(&records).into_bytes();
    files.push(("replies.journal.jsonl".to_owned(), text));
    files.push(("ratings.csv".to_owned(), ratings.as_bytes().to_vec()));
    open(&files)
}

#[test]
fn the_mean_of_two_judges_is_as_steady_as_their_averages_of_each_run_in_each_group_of_a_model() {
    let found = agreement(&mut banana(""), "references");
    let both = Panel::new(PanelRule::Mean, vec!["gpt".to_owned(), "gemini".to_owned()]).name();
    let row = steady(&found, (&both, "Nano Banana"), ("total", "3"));
    assert_eq!((row.runs, row.n, row.expected), (3, 2, 2));
    // (6 + 8 + 4 + 6) / 4, then 7 and 6.5.
    for (average, wanted) in row.averages.iter().zip([6.0, 7.0, 6.5]) {
        near(*average, wanted);
    }
    near(row.sd_of_averages, 0.5);
    near(row.standard_error, 0.5 / 3f64.sqrt());
    let other = steady(&found, (&both, "Nano Banana"), ("total", "4"));
    near(other.standard_error, 0.0);
    // One of the two judges is another one.
    let alone = steady(&found, ("gpt", "Nano Banana"), ("total", "3"));
    near(alone.standard_error, 0.5 / 3f64.sqrt());
    near(alone.averages[0], 7.0);
    // A judge with one run has none.
    assert!(found.steadiness.iter().all(|row| row.judge != "qwenvl"));
    let own = beside(&found, FigureKind::StandardError, |figure| {
        (&*figure.model, &*figure.key) == ("Nano Banana", "3")
    });
    let [own] = own.as_slice() else {
        panic!("{own:?}");
    };
    assert_eq!(
        (&*own.a, own.is_same_judge, own.is_same_group),
        (&*both, true, true)
    );
    near(own.difference.unwrap(), 0.5 / 3f64.sqrt() - 0.026);
    // Without groups what stands there is of all outputs, and has no difference.
    let found = agreement(&mut banana(""), "");
    let own = beside(&found, FigureKind::StandardError, |figure| {
        (&*figure.model, &*figure.key) == ("Nano Banana", "3")
    });
    assert!(own.iter().all(|own| own.difference.is_none()), "{own:?}");
}

/// Everything that MultiBanana's judge answers, by one person with one score throughout.
fn rated(out: &mut String, model: &str, sample: &str, rater: &str, score: u32) {
    let criteria = [
        "instruction_alignment",
        "reference_consistency",
        "background_subject_match",
        "physical_realism",
        "visual_quality",
    ];
    for criterion in criteria {
        // Writing to a string cannot fail.
        let _ = writeln!(out, "{sample},{model},{criterion},{rater},{score}");
    }
}

const HEAD: &str = "sample,model,criterion,rater,score\n";

#[test]
fn people_have_the_totals_that_their_answers_make_in_every_table_of_agreement() {
    let mut ratings = HEAD.to_owned();
    for (at, model) in ["Nano Banana", "GPT-Image-1"].iter().enumerate() {
        for (number, score) in [("001", 5), ("002", 9)] {
            let score = score - u32::try_from(at).unwrap();
            for (rater, more) in [("ann", 0), ("bob", 1)] {
                rated(
                    &mut ratings,
                    model,
                    &format!("3_local/{number}"),
                    rater,
                    score + more,
                );
            }
        }
    }
    // What is given as a total counts before what answers make.
    ratings += "3_local/001,Nano Banana,total,ann,2\n";
    let mut session = banana(&ratings);
    let found = agreement(&mut session, "");
    let pair = |a: &str, b: &str| {
        let mut rows = found
            .pairs
            .iter()
            .filter(|row| (&*row.a, &*row.b, &*row.criterion, &*row.model) == (a, b, "total", ""));
        rows.next().unwrap_or_else(|| panic!("{:#?}", found.pairs))
    };
    let of_ann = pair("ann", "qwenvl");
    assert_eq!(
        (&*of_ann.kind, of_ann.n, of_ann.expected),
        ("human_judge", 4, 8)
    );
    // 2 9 4 8 beside 3 throughout.
    near(of_ann.mae.unwrap().value, (1.0 + 6.0 + 1.0 + 5.0) / 4.0);
    // 6 10 5 9 beside 3.
    near(pair("bob", "qwenvl").mae.unwrap().value, 4.5);
    // The mean of both: 4 9.5 4.5 8.5.
    near(pair("people", "qwenvl").mae.unwrap().value, 3.625);
    near(
        pair("ann", "bob").mae.unwrap().value,
        (4.0 + 1.0 + 1.0 + 1.0) / 4.0,
    );
    let all = found.people.iter().find(|row| row.criterion == "total");
    assert_eq!(all.map(|row| (row.raters, row.n)), Some((2, 4)));
    // The paper's table of judges beside people has the user's own figure now.
    let own = beside(&found, FigureKind::Spearman, |figure| figure.b == "GPT-5");
    let [own] = own.as_slice() else {
        panic!("{own:?}");
    };
    assert_eq!((&*own.a, &*own.b, own.n), ("people", "gpt", 4));
    assert!(own.is_same_judge && own.difference.is_some());
    // A panel is one judge more, and not beside its own judges.
    let panel = Panel::new(
        PanelRule::Median,
        vec!["gpt".to_owned(), "qwenvl".to_owned()],
    )
    .name();
    let query = AgreementQuery {
        options: ScoreOptions {
            judge: Some(panel.clone()),
            ..ScoreOptions::default()
        },
        ..AgreementQuery::default()
    };
    let with_panel = juror_session::agreement(&session.study(&query.options), &query).unwrap();
    let beside: Vec<(&str, &str)> = with_panel
        .pairs
        .iter()
        .filter(|row| (&*row.criterion, &*row.model) == ("total", ""))
        .filter(|row| row.a == panel || row.b == panel)
        .map(|row| (row.a.as_str(), row.b.as_str()))
        .collect();
    let others: Vec<&str> = beside
        .iter()
        .map(|(a, b)| if *a == panel { *b } else { *a })
        .collect();
    assert_eq!(others, ["people", "ann", "bob", "gemini"]);
}

#[test]
fn an_answer_less_is_a_total_less() {
    let mut ratings = HEAD.to_owned();
    rated(&mut ratings, "Nano Banana", "3_local/001", "ann", 5);
    rated(&mut ratings, "Nano Banana", "3_local/002", "ann", 5);
    let n = |ratings: &str| {
        let found = agreement(&mut banana(ratings), "");
        let mut rows = found.pairs.iter();
        rows.find(|row| (&*row.a, &*row.b, &*row.criterion) == ("ann", "gpt", "total"))
            .map(|row| row.n)
    };
    assert_eq!(n(&ratings), Some(2));
    let last = ratings.trim_end().rfind('\n').unwrap();
    assert_eq!(n(&ratings[..=last]), Some(1));
}

/// Two objects by two of the paper's models: what both judges say, and people by answers to the same questions.
fn object_study() -> Session {
    let cases = [(OBJECT, "case_0001"), (OBJECT, "case_0002")];
    let mut files = micon(&cases, &["BAGEL", "UNO"]);
    let failed: [(&str, &str, &[&str]); 4] = [
        ("BAGEL", "case_0001", &[]),
        ("BAGEL", "case_0002", &["G_check_1"]),
        ("UNO", "case_0001", &["A_check_1", "G_check_1"]),
        ("UNO", "case_0002", &["C_check_1"]),
    ];
    let mut records = Vec::new();
    let mut ratings = HEAD.to_owned();
    for (model, case, failed) in failed {
        let sample = format!("{OBJECT}/{case}");
        let place = (model, sample.as_str(), "checkpoints");
        for judge in ["qwen3vl", "internvl35"] {
            let text = checkpoints(OBJECT, failed);
            records.push(reply("micon", place, (judge, 1), text));
        }
        for (at, _) in Task::find(OBJECT).unwrap().checkpoints() {
            let id = CHECKPOINT_IDS[at];
            // People see the second case of UNO otherwise, and one question of it not at all.
            let is_other = (model, case) == ("UNO", "case_0002");
            if is_other && id == "G_check_2" {
                continue;
            }
            let is_failed = failed.contains(&id) != (is_other && id == "A_check_1");
            let _ = writeln!(
                ratings,
                "{sample},{model},{id},ann,{}",
                u8::from(!is_failed)
            );
        }
    }
    let text = journal::write(&records).into_bytes();
    files.push(("replies.journal.jsonl".to_owned(), text));
    files.push(("ratings.csv".to_owned(), ratings.into_bytes()));
    open(&files)
}

#[test]
fn a_sitting_over_checkpoints_gives_people_micons_dimensions_and_totals() {
    let found = agreement(&mut object_study(), "domain");
    for criterion in ["A", "C", "G", "total"] {
        let mut rows = found.pairs.iter().filter(|row| {
            row.kind == "human_judge" && row.criterion == criterion && row.model.is_empty()
        });
        let row = rows.find(|row| row.b == "qwen3vl" && row.key.is_empty());
        let row = row.unwrap_or_else(|| panic!("{criterion}"));
        // Where an answer is missing there is no score rather than a guess.
        assert_eq!((row.n, row.expected), (3, 4), "{criterion}");
        near(row.mae.unwrap().value, 0.0);
        assert!(rows.any(|row| row.key == OBJECT), "{criterion}");
    }
    let key = juror_session::view::agreement::PairKey {
        options: ScoreOptions::default(),
        kind: "human_judge".to_owned(),
        a: "ann".to_owned(),
        b: "qwen3vl".to_owned(),
        model: String::new(),
        criterion: "total".to_owned(),
        scope: String::new(),
        key: String::new(),
        level: Level::P95,
    };
    let detail = juror_session::agreement_pair(&object_study().study(&key.options), &key).unwrap();
    assert_eq!(detail.row.n, 3);
}

#[test]
fn what_the_paper_prints_of_two_rankings_stands_beside_them() {
    let mut session = object_study();
    let ranked = |session: &mut Session, a: &str, b: &str| {
        let query = RankingsQuery {
            a: a.to_owned(),
            b: b.to_owned(),
            ..RankingsQuery::default()
        };
        juror_session::rankings(session, &query).unwrap()
    };
    let found = ranked(&mut session, "people", "qwen3vl");
    let row = &found.rows[0];
    let printed = |model: &str| {
        let model = row.models.iter().find(|one| one.model == model).unwrap();
        (model.printed_a, model.printed_b)
    };
    assert_eq!(printed("BAGEL"), (Some(71.07), Some(71.42)));
    assert_eq!(printed("UNO"), (Some(41.84), Some(41.62)));
    assert_eq!(row.printed_mean_absolute, Some(0.67));
    assert_eq!(row.printed_source, "Table 12");
    let words = found.to_markdown();
    assert!(
        words.contains("Printed by the paper (Table 12): ")
            && words.contains("BAGEL 71.07 and 71.42"),
        "{words}"
    );
    // Two judges stand in the main tables, where people's averages of fewer cases do not belong.
    let found = ranked(&mut session, "qwen3vl", "internvl35");
    let row = &found.rows[0];
    let bagel = row.models.iter().find(|one| one.model == "BAGEL").unwrap();
    assert_eq!(
        (bagel.printed_a, bagel.printed_b),
        (Some(73.55), Some(73.78))
    );
    assert_eq!(
        (row.printed_mean_absolute, &*row.printed_source),
        (None, "Table 1, Table 10")
    );
    // The figures of the study are beside the user's own in the table of what is printed.
    let found = agreement(&mut session, "");
    let own = beside(&found, FigureKind::MeanAbsoluteDeviation, |figure| {
        figure.b.starts_with("Qwen")
    });
    assert_eq!(
        (own.len(), &*own[0].a, &*own[0].b),
        (1, "people", "qwen3vl")
    );
    near(own[0].value, 0.0);
    near(own[0].difference.unwrap(), -0.67);
    let of_people = beside(&found, FigureKind::Mean, |figure| {
        (&*figure.source, &*figure.a, &*figure.model) == ("Table 12", "people", "BAGEL")
    });
    let [own] = of_people.as_slice() else {
        panic!("{of_people:?}");
    };
    assert_eq!((&*own.a, own.n, own.expected), ("people", 2, 2));
    // Twenty checkpoints less one in a dimension of its own: 100 and 90.
    near(own.value, 95.0);
    near(own.difference.unwrap(), 95.0 - 71.07);
    let of_other = beside(&found, FigureKind::Mean, |figure| {
        (&*figure.source, &*figure.a, &*figure.model) == ("Table 12", "people", "OmniGen2")
    });
    assert!(
        of_other.is_empty(),
        "a model that is not here has no figure"
    );
}

fn questions(session: &mut Session, a: &str, b: &str, scope: &str) -> Vec<AtomRow> {
    let query = AtomQuery {
        a: a.to_owned(),
        b: b.to_owned(),
        scope: scope.to_owned(),
        profile: Profile::Paper,
        level: Level::P95,
    };
    juror_session::atom_agreement(session, &query).unwrap()
}

#[test]
fn a_question_counts_what_either_answered_by_group_and_panels_answer_as_judges_do() {
    let mut session = object_study();
    let rows = questions(&mut session, "people:ann", "qwen3vl", "");
    let of = |rows: &[AtomRow], id: &str, key: &str| {
        let mut rows = rows.iter().filter(|row| row.id == id && row.key == key);
        rows.next().cloned().unwrap_or_else(|| panic!("{id} {key}"))
    };
    // Of UNO's second case one answer is missing, and with it the reply that all of them make.
    let first = of(&rows, "A_check_1", "");
    assert_eq!((first.n, first.expected), (3, 4));
    near(first.equal, 1.0);
    let by_task = questions(&mut session, "people:ann", "qwen3vl", "domain");
    let group = of(&by_task, "A_check_1", OBJECT);
    assert_eq!((group.n, group.expected), (3, 4));
    assert_eq!(by_task.len(), 2 * rows.len());
    let csv = juror_session::atoms_csv(&by_task);
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!(lines.len(), 1 + by_task.len());
    assert!(lines[0].starts_with("id,label,question,is_hard,domain,key,n,expected,"));
    assert!(
        lines
            .iter()
            .any(|line| line.starts_with("A_check_1,")
                && line.contains(",object_composition,3,4,1,"))
    );
    for rule in [PanelRule::Mean, PanelRule::Median, PanelRule::Majority] {
        let judges = vec!["internvl35".to_owned(), "qwen3vl".to_owned()];
        let panel = Panel::new(rule, judges).name();
        let rows = questions(&mut session, "people:ann", &panel, "");
        let own = of(&rows, "A_check_1", "");
        assert_eq!((own.n, own.expected), (3, 4), "{panel}");
        near(own.equal, 1.0);
    }
    let nobody = AtomQuery {
        a: "people:ann".to_owned(),
        b: "carl".to_owned(),
        ..AtomQuery::default()
    };
    let error = juror_session::atom_agreement(&mut session, &nobody).unwrap_err();
    assert_eq!(error.code(), "unknown_judge");
    let nowhere = AtomQuery {
        b: "qwen3vl".to_owned(),
        scope: "nonsense".to_owned(),
        ..nobody
    };
    let error = juror_session::atom_agreement(&mut session, &nowhere).unwrap_err();
    assert_eq!(error.code(), "unknown_group");
}
