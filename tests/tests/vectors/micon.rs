//! MICON-Bench against the authors' functions, natively.
#![expect(
    clippy::print_stdout,
    reason = "the counts per group are part of what a test run says"
)]

use juror_protocols::micon::score::{self, dimension_scores};
use juror_reading::py;
use juror_tests::golden::{self, Tallies, micon};

/// The groups in which a case fails.
fn failing(tallies: &Tallies) -> Vec<&str> {
    tallies
        .iter()
        .filter(|(_, tally)| !tally.failed.is_empty())
        .map(|(group, _)| group.as_str())
        .collect()
}

#[test]
fn every_micon_vector_agrees() {
    let rules = micon::Rules::juror();
    let (passed, failed, skipped, lines) = golden::summary(&micon::run(&rules));
    println!("micon: {passed} passed, {failed} failed, {skipped} skipped\n{lines}");
    if skipped > 0 {
        println!(
            "SKIPPED {skipped} cases: the authors' texts are not complete in {}",
            micon::OFFICIAL_PROMPTS_PATH
        );
    }
    assert_eq!(failed, 0, "{lines}");
    assert_eq!(passed + skipped, 178, "the file holds 178 cases");
    assert!(
        [0, 6].contains(&skipped),
        "only the hashes of requests may be left out"
    );
}

#[test]
fn a_cap_of_one_half_fails() {
    let wrong = micon::Rules {
        dimensions: |task, values| {
            let scores = dimension_scores(task, values);
            scores.map(|score| score.map(|x| if x == score::HARD_CAP { 0.5 } else { x }))
        },
        ..micon::Rules::juror()
    };
    assert_eq!(
        failing(&micon::run(&wrong)),
        ["aggregate_checkpoints", "process_judgment", "story_hybrid"]
    );
}

#[test]
fn equal_halves_of_a_story_fail() {
    let wrong = micon::Rules {
        story: |mean, candidate| py::round(50.0 * mean + 5.0 * candidate, 2),
        ..micon::Rules::juror()
    };
    assert_eq!(failing(&micon::run(&wrong)), ["hybrid", "story_hybrid"]);
}

#[test]
fn a_reader_of_whole_replies_only_fails() {
    let wrong = micon::Rules {
        released_value: |reply| py::loads(reply.trim().trim_matches('`')).ok(),
        ..micon::Rules::juror()
    };
    assert_eq!(failing(&micon::run(&wrong)), ["judge_parse"]);
}
