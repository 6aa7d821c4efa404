//! Statistics: golden values natively, degenerate cases, and comparisons through the session.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
#![expect(clippy::float_cmp, reason = "small fractions are exact or wrong")]

use juror_judging::journal;
use juror_model::options::{Policy, ScoreOptions};
use juror_session::Session;
use juror_session::compare::{Cluster, CompareQuery, ComparedPair, Comparison};
use juror_session::plots::{PlotKind, PlotQuery};
use juror_statistics::clusters::{Clusters, Draws};
use juror_statistics::correction::Correction;
use juror_statistics::level::Level;
use juror_statistics::normal;
use juror_statistics::paired::Paired;
use juror_statistics::wilcoxon::signed_rank;
use juror_tests::generate::{Dialogue, File, open};
use juror_tests::golden::{self, statistics};
use serde_json::{Value, json};

const RIGHT: statistics::Rules = statistics::Rules::JUROR;

#[test]
fn every_vector_of_scipy_agrees() {
    let counts = golden::report("statistics", &statistics::run(&RIGHT));
    assert_eq!(counts, (statistics::NUM_CASES, 0));
}

/// The groups that notice a wrong rule.
fn noticed(wrong: &statistics::Rules) -> Vec<String> {
    golden::noticed(statistics::run(wrong))
}

#[test]
fn each_wrong_rule_fails_where_it_matters() {
    let wrong = statistics::Rules {
        // Every tie broken by the order of arrival.
        signed_rank: |d| {
            let broken = (0u32..).zip(d).map(|(at, d)| {
                if *d == 0.0 {
                    0.0
                } else {
                    d * (1.0 + 1e-9 * f64::from(at))
                }
            });
            signed_rank(&broken.collect::<Vec<_>>())
        },
        ..RIGHT
    };
    assert_eq!(noticed(&wrong), ["missing_pairs", "wilcoxon"]);
    let wrong = statistics::Rules {
        cluster: |at, _| at as u64,
        ..RIGHT
    };
    assert_eq!(noticed(&wrong), ["bootstrap", "bootstrap_at", "clustered"]);
    let wrong = statistics::Rules {
        bootstrap: |clusters, draws, level| {
            let seed = draws.seed + 1;
            clusters.bootstrap(Draws { seed, ..draws }, level)
        },
        ..RIGHT
    };
    assert_eq!(noticed(&wrong), ["bootstrap", "bootstrap_at"]);
    let wrong = statistics::Rules {
        bootstrap: |clusters, draws, _| clusters.bootstrap(draws, Level::P95),
        ..RIGHT
    };
    assert_eq!(noticed(&wrong), ["bootstrap_at"]);
    let wrong = statistics::Rules {
        interval: |clusters, _| clusters.t_interval(),
        ..RIGHT
    };
    assert_eq!(noticed(&wrong), ["t_interval_at"]);
    let wrong = statistics::Rules {
        // Bonferroni's.
        adjust: |_, p| {
            let count = p.iter().flatten().count() as f64;
            p.iter().map(|p| p.map(|p| (p * count).min(1.0))).collect()
        },
        ..RIGHT
    };
    assert_eq!(noticed(&wrong), ["benjamini_hochberg", "holm"]);
    let wrong = statistics::Rules {
        adjust: |_, p| Correction::Holm.adjust(p),
        ..RIGHT
    };
    assert_eq!(noticed(&wrong), ["benjamini_hochberg"]);
    let wrong = statistics::Rules {
        detectable: |error, _| (normal::quantile(0.975) + normal::quantile(0.8)) * error,
        ..RIGHT
    };
    assert_eq!(noticed(&wrong), ["detectable"]);
    let wrong = statistics::Rules {
        difference: |a, b| Some(a.unwrap_or(0.0) - b.unwrap_or(0.0)),
        ..RIGHT
    };
    assert_eq!(noticed(&wrong), ["missing_pairs"]);
    let wrong = statistics::Rules {
        interval: |clusters, _| {
            let half = normal::quantile(0.975) * clusters.standard_error()?;
            let mut ends = clusters.t_interval()?;
            let mean = clusters.mean()?;
            (ends.low, ends.high) = (mean - half, mean + half);
            Some(ends)
        },
        ..RIGHT
    };
    assert_eq!(
        noticed(&wrong),
        ["clustered", "t_interval", "t_interval_at"]
    );
}

const DRAWS: Draws = Draws {
    seed: 1,
    replicates: 200,
};

fn paired(differences: &[f64]) -> Option<Paired> {
    Paired::new(
        differences.iter().copied().enumerate().collect(),
        DRAWS,
        Level::P95,
    )
}

#[test]
fn nothing_is_made_of_nothing_and_little_of_one() {
    assert_eq!(paired(&[]), None);
    let one = paired(&[0.5]).unwrap();
    assert_eq!((one.n, one.mean, one.sd), (1, 0.5, None));
    assert_eq!(
        (one.interval, one.bootstrap, one.t_test),
        (None, None, None)
    );
    assert_eq!(one.detectable, None);
    assert_eq!(one.signed_rank.unwrap().p, 1.0);
    assert!(paired(&[0.5, 0.25]).unwrap().t_test.is_some());
}

#[test]
fn differences_that_do_not_vary_have_no_t_test_but_signs() {
    let equal = paired(&[0.1; 7]).unwrap();
    let interval = equal.interval.unwrap();
    assert_eq!((interval.low, interval.high), (equal.mean, equal.mean));
    assert_eq!(
        equal.bootstrap.map(|found| found.interval.low),
        Some(equal.mean)
    );
    assert_eq!((equal.t_test, equal.detectable), (None, None));
    assert_eq!(equal.p(), Some(2.0 / 128.0));
    let zeros = paired(&[0.0; 7]).unwrap();
    assert_eq!((zeros.mean, zeros.p()), (0.0, None));
}

#[test]
fn clusters_of_one_number_each_are_no_clusters_and_one_cluster_is_nothing() {
    let values = [3.0, 1.0, 4.0, 1.0, 5.0];
    let apart = Clusters::new(values.iter().copied().enumerate());
    let sd = apart.standard_error().unwrap() * 5f64.sqrt();
    assert!((sd - 3.2f64.sqrt()).abs() < 1e-15);
    let together = Clusters::new(values.map(|x| ((), x)));
    assert_eq!((together.len(), together.mean()), (1, Some(2.8)));
    assert_eq!(
        (together.t_interval(), together.bootstrap(DRAWS, Level::P95)),
        (None, None)
    );
}

#[test]
fn a_seed_repeats_its_interval_and_another_gives_another() {
    let clusters = Clusters::new((0..20).map(|at| (at, f64::from(at * at % 7))));
    let of = |seed| clusters.bootstrap(Draws { seed, ..DRAWS }, Level::P95);
    assert_eq!(of(3), of(3));
    assert_ne!(of(3), of(4));
}

/// Whose scores: by sample, `None` where the judge was not asked.
type Scores<'a> = (&'a str, &'a [Option<u32>]);

fn session(models: &[Scores<'_>], runs: u32) -> Session {
    let num_samples = models.iter().map(|(_, scores)| scores.len()).max().unwrap();
    let dialogues: Vec<Value> = (0..num_samples)
        .map(|idx| {
            let dialogue = Dialogue {
                idx,
                num_pictures: 1,
                num_texts: 0,
            };
            dialogue.item()
        })
        .collect();
    let mut records = Vec::new();
    for (model, scores) in models {
        for (sample, score) in scores.iter().enumerate() {
            for run in 1..=runs {
                let Some(score) = score else { continue };
                // Runs lie around the score, so that their mean is it.
                let score = score + run - runs.div_ceil(2);
                records.push(record(model, sample, run, score));
            }
        }
    }
    let files: Vec<File> = vec![
        (
            "b/test.json".to_owned(),
            serde_json::to_vec(&dialogues).unwrap(),
        ),
        (
            "r/journal.jsonl".to_owned(),
            journal::write(&records).into_bytes(),
        ),
    ];
    open(&files)
}

fn record(model: &str, sample: usize, run: u32, score: u32) -> journal::Record {
    journal::Record {
        format: journal::FORMAT.to_owned(),
        protocol: "weave".to_owned(),
        model: model.to_owned(),
        sample: sample.to_string(),
        turn: 0,
        criterion: "image_quality".to_owned(),
        judge: "g".to_owned(),
        run,
        time: String::new(),
        request: None,
        prompts: String::new(),
        reply: json!({"score": score, "reasoning": "r"}).to_string(),
        error: None,
        ..journal::Record::default()
    }
}

fn query() -> CompareQuery {
    CompareQuery {
        criterion: "image_quality".to_owned(),
        replicates: 200,
        ..CompareQuery::default()
    }
}

fn compare(session: &mut Session, query: &CompareQuery) -> Comparison {
    juror_session::compare(&session.study(&ScoreOptions::default()), query).unwrap()
}

/// The scores of the golden case of missing pairs, and what SciPy makes of them.
fn golden_pair() -> (Vec<Option<u32>>, Vec<Option<u32>>, Value) {
    let vectors: Value = serde_json::from_str(statistics::VECTORS).unwrap();
    let groups = vectors["groups"].as_array().unwrap();
    let group = groups
        .iter()
        .find(|group| group["group"] == "missing_pairs");
    let case = group.unwrap()["cases"][0].clone();
    let column = |name: &str| -> Vec<Option<u32>> {
        let values = case[name].as_array().unwrap().iter();
        values
            .map(|value| value.as_u64().map(|x| u32::try_from(x).unwrap()))
            .collect()
    };
    (column("a"), column("b"), case["expected"].clone())
}

fn near(found: Option<f64>, wanted: f64) {
    let found = found.unwrap();
    assert!((found - wanted).abs() < 1e-9, "{found} and not {wanted}");
}

#[test]
fn two_models_with_missing_scores_compare_as_scipy_says() {
    let (a, b, wanted) = golden_pair();
    let found = compare(&mut session(&[("a", &a), ("b", &b)], 1), &query());
    let pair = &found.pairs[0];
    assert_eq!((pair.a.as_str(), pair.b.as_str()), ("a", "b"));
    assert_eq!(
        (u64::from(pair.n), pair.left_out),
        (wanted["n"].as_u64().unwrap(), 3)
    );
    // Printed scores are a tenth of the judge's.
    let scaled = |name: &str| wanted[name].as_f64().unwrap() / 10.0;
    let plain = |name: &str| wanted[name].as_f64().unwrap();
    near(pair.difference, scaled("mean"));
    near(pair.sd, scaled("sd"));
    near(pair.interval.map(|ends| ends.low), scaled("low"));
    near(pair.interval.map(|ends| ends.high), scaled("high"));
    near(pair.t, plain("t"));
    near(pair.p_t, plain("p_t"));
    near(pair.p_wilcoxon, plain("p_wilcoxon"));
    assert!(pair.separated && pair.wilcoxon_exact);
    let reasons: Vec<(&str, &str, u32)> = pair
        .reasons
        .iter()
        .map(|reason| (reason.model.as_str(), reason.kind.as_str(), reason.count))
        .collect();
    assert_eq!(
        reasons,
        [("a", "missing_reply", 2), ("b", "missing_reply", 2)],
        "one sample has neither"
    );
}

#[test]
fn intervals_of_a_comparison_are_at_the_level_that_is_asked_for() {
    let (a, b, wanted) = golden_pair();
    let mut session = session(&[("a", &a), ("b", &b)], 1);
    let usual = compare(&mut session, &query());
    for (level, ends) in [(Level::P90, "ends_90"), (Level::P99, "ends_99")] {
        let found = compare(&mut session, &CompareQuery { level, ..query() });
        let (pair, before) = (&found.pairs[0], &usual.pairs[0]);
        let scaled = |at: usize| wanted[ends][at].as_f64().unwrap() / 10.0;
        near(pair.interval.map(|ends| ends.low), scaled(0));
        near(pair.interval.map(|ends| ends.high), scaled(1));
        let low = |pair: &ComparedPair| pair.bootstrap.unwrap().low;
        assert_eq!(low(pair) > low(before), level == Level::P90);
        let width = |found: &Comparison| {
            let interval = found.models[0].interval.unwrap();
            interval.high - interval.low
        };
        assert_eq!(width(&found) < width(&usual), level == Level::P90);
        assert_eq!((pair.p_t, pair.separated), (before.p_t, before.separated));
        let steps = pair.steps.unwrap().bootstrap.unwrap();
        assert!((steps.z - level.z()).abs() < 1e-9);
        let (percent, text) = (level.percent(), found.to_markdown());
        let ci = format!("{percent} % CI");
        assert!(pair.sentence.contains(&ci), "{}", pair.sentence);
        assert!(text.contains(&ci) && !text.contains("95 %"), "{text}");
        let csv = found.to_csv();
        let mut rows = csv.lines().skip(1);
        assert!(rows.all(|row| row.ends_with(&format!(",200,{percent}"))));
    }
}

#[test]
fn plots_have_their_intervals_at_the_level_that_is_asked_for() {
    let (a, b, wanted) = golden_pair();
    let mut session = session(&[("a", &a), ("b", &b)], 1);
    let query = PlotQuery {
        kind: PlotKind::Difference,
        criterion: "image_quality".to_owned(),
        a: "a".to_owned(),
        b: "b".to_owned(),
        judge: "g".to_owned(),
        level: Level::P99,
        ..PlotQuery::default()
    };
    let line = juror_session::plot(&session.study(&query.options), &query)
        .lines
        .remove(0);
    near(line.ci_low, wanted["ends_99"][0].as_f64().unwrap() / 10.0);
    near(line.ci_high, wanted["ends_99"][1].as_f64().unwrap() / 10.0);
}

#[test]
fn runs_are_averaged_within_a_sample_and_do_not_count_as_samples() {
    let (a, b, _) = golden_pair();
    let low = |scores: &[Option<u32>]| -> Vec<Option<u32>> {
        scores.iter().map(|x| x.map(|x| x.clamp(1, 9))).collect()
    };
    let (a, b) = (low(&a), low(&b));
    let once = compare(&mut session(&[("a", &a), ("b", &b)], 1), &query());
    let thrice = compare(&mut session(&[("a", &a), ("b", &b)], 3), &query());
    assert_eq!(once.pairs[0].n, thrice.pairs[0].n);
    near(
        thrice.pairs[0].difference,
        once.pairs[0].difference.unwrap(),
    );
    near(thrice.pairs[0].p_t, once.pairs[0].p_t.unwrap());
}

fn pair<'a>(found: &'a Comparison, a: &str, b: &str) -> &'a ComparedPair {
    let mut pairs = found.pairs.iter();
    pairs.find(|pair| pair.a == a && pair.b == b).unwrap()
}

#[test]
fn three_models_fall_into_the_groups_that_corrected_tests_leave() {
    let of = |scores: [u32; 12]| scores.map(Some);
    let best = of([8, 9, 7, 8, 9, 8, 7, 9, 8, 8, 9, 7]);
    let near_best = of([8, 8, 8, 8, 9, 7, 7, 9, 8, 9, 8, 7]);
    let worst = of([3, 5, 2, 4, 4, 3, 2, 5, 4, 3, 4, 2]);
    let models: [Scores<'_>; 3] = [("w", &worst), ("n", &near_best), ("b", &best)];
    let mut session = session(&models, 1);
    let found = compare(&mut session, &query());
    let order: Vec<(&str, &str)> = found
        .models
        .iter()
        .map(|model| (model.model.as_str(), model.group.as_str()))
        .collect();
    assert_eq!(order, [("b", "a"), ("n", "a"), ("w", "b")]);
    assert_eq!(
        (found.comparisons, found.samples, found.clusters),
        (3, 12, 12)
    );
    let raw: Vec<Option<f64>> = found.pairs.iter().map(|pair| pair.p_t).collect();
    let corrected: Vec<Option<f64>> = found.pairs.iter().map(|pair| pair.p_corrected).collect();
    assert_eq!(corrected, Correction::Holm.adjust(&raw));
    assert!(!pair(&found, "b", "n").separated && pair(&found, "b", "w").separated);
    let plain = CompareQuery {
        correction: Correction::None,
        ..query()
    };
    let plain = compare(&mut session, &plain);
    assert_eq!(plain.pairs[0].p_corrected, plain.pairs[0].p_t);
    assert!(
        plain.sentence.contains("without correction"),
        "{}",
        plain.sentence
    );
}

#[test]
fn sentences_name_test_count_and_correction_with_printed_numbers() {
    let (a, b, _) = golden_pair();
    let third = vec![Some(1); 16];
    let models: [Scores<'_>; 3] = [("a", &a), ("b", &b), ("c", &third)];
    let found = compare(&mut session(&models, 1), &query());
    let sentence = &pair(&found, "a", "b").sentence;
    for part in [
        "WEAVEBench (judge: g)",
        "a scores higher than b in Image quality",
        "mean paired difference 0.100 over 13 dialogues",
        "95 % CI [0.030, 0.170] (Student’s t)",
        "BCa bootstrap over dialogues, 200 replicates, seed 1",
        "paired t(12) = 3.12, p = 0.009",
        "after Holm correction for 3 comparisons",
        "Wilcoxon signed-rank test: p = 0.020",
        "3 dialogues are left out (a: not judged, 2; b: not judged, 2)",
    ] {
        assert!(sentence.contains(part), "{part} is not in: {sentence}");
    }
    let same = compare(&mut session(&[("a", &a), ("d", &a)], 1), &query());
    let sentence = &same.pairs[0].sentence;
    assert!(sentence.contains("equal scores"), "{sentence}");
    assert!(!sentence.contains("higher"), "{sentence}");
}

#[test]
fn what_cannot_be_compared_says_so() {
    let mut none = open(&[]);
    let found = compare(&mut none, &CompareQuery::default());
    assert_eq!((found.models.len(), found.pairs.len()), (0, 0));
    let only = compare(&mut session(&[("a", &[Some(4), Some(6)])], 1), &query());
    assert_eq!((only.models[0].n, only.pairs.len()), (2, 0));
    assert!(
        only.sentence.contains("no other model"),
        "{}",
        only.sentence
    );
    let apart: [Scores<'_>; 2] = [("a", &[Some(4), None]), ("b", &[None, Some(6)])];
    let apart = compare(&mut session(&apart, 1), &query());
    assert_eq!((apart.pairs[0].n, apart.pairs[0].left_out), (0, 2));
    assert_eq!((apart.pairs[0].difference, apart.comparisons), (None, 0));
    assert!(
        apart.pairs[0]
            .sentence
            .contains("no dialogue has a score for both")
    );
    let groups: Vec<&str> = apart.models.iter().map(|m| m.group.as_str()).collect();
    assert_eq!(groups, ["a", "a"], "what was not tested is not separated");
    let one: [Scores<'_>; 2] = [("a", &[Some(4)]), ("b", &[Some(6)])];
    let one = compare(&mut session(&one, 1), &query());
    assert!(one.pairs[0].sentence.contains("nothing can be inferred"));
}

#[test]
fn equal_differences_stay_tied_through_the_printed_scale() {
    // 0.7 − 0.5 and 0.4 − 0.2 differ in the last bit.
    let a: Vec<Option<u32>> = [7, 4, 9, 3, 8, 6, 10].map(Some).to_vec();
    let b: Vec<Option<u32>> = [5, 2, 7, 1, 6, 4, 8].map(Some).to_vec();
    let found = compare(&mut session(&[("a", &a), ("b", &b)], 1), &query());
    let pair = &found.pairs[0];
    assert_eq!(
        (pair.t, pair.p_t, pair.p_wilcoxon),
        (None, None, Some(2.0 / 128.0))
    );
    assert!(pair.separated);
}

#[test]
fn bounds_take_missing_samples_at_the_ends_of_the_scale() {
    let scores = [Some(4), Some(8), None, None];
    let models: [Scores<'_>; 2] = [("a", &scores), ("b", &[Some(1); 4])];
    let found = compare(&mut session(&models, 1), &query());
    let a = &found.models[0];
    assert_eq!((a.n, a.expected), (2, 4));
    near(a.mean, 0.6);
    near(a.bound_low, 0.3);
    near(a.bound_high, 0.8);
}

#[test]
fn clusters_widen_the_interval_and_are_counted() {
    let (a, b, _) = golden_pair();
    let mut session = session(&[("a", &a), ("b", &b)], 1);
    let by = |cluster| CompareQuery { cluster, ..query() };
    let samples = compare(&mut session, &by(Cluster::Sample));
    let categories = compare(&mut session, &by(Cluster::Category));
    assert!(categories.clusters < samples.clusters);
    assert_eq!(samples.pairs[0].difference, categories.pairs[0].difference);
    assert_ne!(samples.pairs[0].interval, categories.pairs[0].interval);
    // So few categories are too few for one.
    assert_eq!(categories.pairs[0].interval, None);
    assert_ne!(samples.pairs[0].df, categories.pairs[0].df);
    assert!(
        categories.pairs[0]
            .sentence
            .contains("standard error clustered by"),
        "{}",
        categories.pairs[0].sentence
    );
    assert!(
        categories
            .notes
            .iter()
            .any(|note| note.contains("fewer than 10"))
    );
}

#[test]
fn groups_of_samples_are_compared_alone_and_unknown_ones_are_errors() {
    let (a, b, _) = golden_pair();
    let mut session = session(&[("a", &a), ("b", &b)], 1);
    let all = compare(&mut session, &query());
    let key = |scope: &str, key: &str| CompareQuery {
        scope: scope.to_owned(),
        key: key.to_owned(),
        ..query()
    };
    let mut samples = 0;
    let scopes = all.scopes.clone();
    let domains = scopes.iter().find(|info| info.scope == "domain").unwrap();
    for domain in &domains.keys {
        samples += compare(&mut session, &key("domain", domain)).samples;
    }
    assert_eq!(samples, all.samples);
    let turn = compare(&mut session, &key("turn", "0"));
    assert_eq!(turn.pairs[0].difference, all.pairs[0].difference);
    let options = ScoreOptions::default();
    for wrong in [
        key("domain", "nowhere"),
        key("nothing", ""),
        CompareQuery {
            criterion: "charm".to_owned(),
            ..query()
        },
        CompareQuery {
            judge: Some("nobody".to_owned()),
            ..query()
        },
    ] {
        assert!(
            juror_session::compare(&session.study(&options), &wrong).is_err(),
            "{wrong:?}"
        );
    }
}

#[test]
fn the_samples_behind_a_pair_come_with_the_largest_difference_first() {
    let (a, b, _) = golden_pair();
    let mut session = session(&[("a", &a), ("b", &b)], 1);
    let options = ScoreOptions {
        policy: Some(Policy::Exclude),
        ..ScoreOptions::default()
    };
    let samples =
        juror_session::paired_samples(&session.study(&options), &query(), ("a", "b")).unwrap();
    assert_eq!((samples.len(), samples[0].sample.as_str()), (13, "15"));
    near(Some(samples[0].difference), 0.3);
    assert!(samples.is_sorted_by(|x, y| x.difference.abs() >= y.difference.abs()));
    let sum: f64 = samples.iter().map(|sample| sample.difference).sum();
    near(Some(sum / 13.0), 0.1);
    assert!(juror_session::paired_samples(&session.study(&options), &query(), ("a", "x")).is_err());
}

#[test]
fn the_csv_has_one_row_per_model_and_pair_with_equal_columns() {
    let (a, b, _) = golden_pair();
    let found = compare(
        &mut session(&[("a, the first", &a), ("b", &b)], 1),
        &query(),
    );
    let csv = found.to_csv();
    let mut reader = csv_columns(&csv);
    let head = reader.remove(0);
    assert_eq!(reader.len(), 3);
    assert!(reader.iter().all(|row| row.len() == head.len()));
    assert_eq!(reader[2][1], "a, the first");
}

/// Rows of CSV fields; enough for quotes around commas.
fn csv_columns(csv: &str) -> Vec<Vec<String>> {
    csv.lines()
        .map(|line| {
            let mut fields = vec![String::new()];
            let mut is_quoted = false;
            for letter in line.chars() {
                match letter {
                    '"' => is_quoted = !is_quoted,
                    ',' if !is_quoted => fields.push(String::new()),
                    other => fields.last_mut().unwrap().push(other),
                }
            }
            fields
        })
        .collect()
}
