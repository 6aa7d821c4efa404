//! RefBlend's released sampler against the authors' functions, natively.

use juror_make::refblend::rating;
use juror_tests::golden::{self, refblend};

#[test]
fn every_draw_of_the_released_sampler_agrees_choice_by_choice() {
    let tallies = refblend::run(&refblend::Rules::JUROR);
    assert_eq!(
        tallies["sample"].passed, 192,
        "eight lists, three sizes, eight streams"
    );
    let counts = golden::report("refblend", &tallies);
    assert_eq!(counts, (232, 0), "and 40 whole entries");
}

#[test]
fn a_sampler_that_draws_in_another_order_fails() {
    let wrong = refblend::Rules {
        sample: |valid, size, numbers| {
            let mut drawn = (refblend::Rules::JUROR.sample)(valid, size, numbers);
            drawn.reverse();
            drawn
        },
        ..refblend::Rules::JUROR
    };
    assert_eq!(golden::noticed(refblend::run(&wrong)), ["sample"]);
}

#[test]
fn a_filter_that_takes_every_reference_fails() {
    let wrong = refblend::Rules {
        valid: |types, ratings| {
            let valid = rating::released(types, ratings)?;
            Ok(valid.into_iter().map(|(one, _)| (one, true)).collect())
        },
        ..refblend::Rules::JUROR
    };
    assert_eq!(golden::noticed(refblend::run(&wrong)), ["entry"]);
}
