//! VIBE against the authors' functions, natively.
#![expect(
    clippy::print_stdout,
    reason = "the counts per group are part of what a test run says"
)]

use juror_protocols::vibe::{Task, request, score};
use juror_reading::py;
use juror_tests::golden::{self, Tallies, vibe};

/// The groups with a failed case, in their order.
fn failing(tallies: &Tallies) -> Vec<&str> {
    let failed = tallies.iter().filter(|(_, tally)| !tally.failed.is_empty());
    failed.map(|(name, _)| name.as_str()).collect()
}

#[test]
fn every_vibe_vector_agrees() {
    let tallies = vibe::run(&vibe::Rules::JUROR);
    let (passed, failed, skipped, lines) = golden::summary(&tallies);
    println!("vibe: {passed} passed, {failed} failed, {skipped} skipped\n{lines}");
    if skipped > 0 {
        println!(
            "SKIPPED {skipped} cases: {} is absent",
            juror_tests::OFFICIAL_VIBE_PROMPTS_PATH
        );
    }
    assert_eq!(failed, 0, "{lines}");
    assert_eq!(passed + skipped, 258, "the file holds 258 cases");
    let left_out = if juror_tests::OFFICIAL_VIBE_PROMPTS.is_some() {
        0
    } else {
        15
    };
    assert_eq!(skipped, left_out, "only the authors' texts may be missing");
}

#[test]
fn the_last_fence_instead_of_the_first_fails_where_replies_are_cut() {
    let wrong = vibe::Rules {
        candidate: |reply| {
            let (start, end) = (reply.rfind('{')?, reply.rfind('}')?);
            (start < end).then(|| &reply[start..=end])
        },
        ..vibe::Rules::JUROR
    };
    assert_eq!(failing(&vibe::run(&wrong)), ["json_candidate"]);
}

#[test]
fn an_arithmetic_mean_fails_where_items_are_scored() {
    let wrong = vibe::Rules {
        item_score: |item| {
            let py::Value::Dict(entries) = item else {
                return None;
            };
            let scores: Vec<f64> = entries
                .iter()
                .filter_map(|(_, field)| field.get("score").and_then(py::float))
                .collect();
            (!scores.is_empty())
                .then(|| score::stored(scores.iter().sum::<f64>() / scores.len() as f64))
        },
        ..vibe::Rules::JUROR
    };
    assert_eq!(failing(&vibe::run(&wrong)), ["overall_geomean", "pipeline"]);
}

#[test]
fn asking_after_a_failed_edit_fails_in_the_pipeline_alone() {
    let wrong = vibe::Rules {
        is_gated: |_| false,
        ..vibe::Rules::JUROR
    };
    assert_eq!(failing(&vibe::run(&wrong)), ["pipeline"]);
}

#[test]
fn a_square_root_in_equation_two_fails_in_the_papers_formulas_alone() {
    let wrong = vibe::Rules {
        adherence: |ia, cp, vc| (ia * cp * vc).sqrt(),
        ..vibe::Rules::JUROR
    };
    assert_eq!(failing(&vibe::run(&wrong)), ["paper_formulas"]);
}

#[test]
fn the_source_in_the_place_of_the_golden_answer_fails_in_the_requests_alone() {
    if juror_tests::OFFICIAL_VIBE_PROMPTS.is_none() {
        println!(
            "SKIPPED: {} is absent",
            juror_tests::OFFICIAL_VIBE_PROMPTS_PATH
        );
        return;
    }
    let wrong = vibe::Rules {
        shown: |task, metric| match task {
            Task::Billiards => vec![request::Shown::Source, request::Shown::Generated],
            _ => request::shown(task, metric),
        },
        ..vibe::Rules::JUROR
    };
    assert_eq!(failing(&vibe::run(&wrong)), ["request"]);
}
