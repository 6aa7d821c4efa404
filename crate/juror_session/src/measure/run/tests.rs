//! A run by hand: what is dealt out, what is recorded, how far it is.

use super::*;

fn pair(sample: u32, metrics: &[&str]) -> MeasurePair {
    MeasurePair {
        model: "a".to_owned(),
        sample: sample.to_string(),
        turn: 1,
        against: "golden".to_owned(),
        number: 2,
        output: 10 + sample,
        counterpart: 100 + sample,
        metrics: metrics.iter().map(|metric| (*metric).to_owned()).collect(),
        prompt: String::new(),
        objects: Vec::new(),
        box_files: Vec::new(),
    }
}

/// A run over so many pairs that want SSIM and MSE.
fn run(pairs: u32) -> MeasureRun {
    let pairs = (0..pairs).map(|sample| pair(sample, &["ssim", "mse"]));
    MeasureRun::new("weave".to_owned(), pairs.collect(), Sizes::Equal)
}

fn value(metric: &str, value: Option<f64>) -> Measured {
    Measured {
        metric: metric.to_owned(),
        value,
        backend: Backend::Cpu,
        problem: value.is_none().then(|| "too small".to_owned()),
        fallback: None,
        width: 8,
        height: 6,
        reference: "rr".to_owned(),
        network: None,
        candidate: "cc".to_owned(),
    }
}

/// Every metric of every pair of a piece has a value.
fn measured(piece: &MeasurePiece) -> MeasuredPiece {
    let row = || (piece.metrics.iter()).map(|metric| value(metric, Some(0.5)));
    MeasuredPiece {
        id: piece.id,
        spent: Vec::new(),
        pairs: (piece.pairs.iter())
            .map(|_| MeasuredPair::Values(row().collect()))
            .collect(),
    }
}

fn piece(run: &mut MeasureRun) -> MeasurePiece {
    match run.step() {
        Step::Measure(piece) => piece,
        other => panic!("expected a piece, found {other:?}"),
    }
}

fn standing(backend: Backend) -> MeasureStanding {
    MeasureStanding {
        backend,
        adapter: String::new(),
        fallback: None,
        trial: None,
        runner: None,
    }
}

fn samples(piece: &MeasurePiece) -> Vec<&str> {
    (piece.pairs.iter())
        .map(|pair| pair.sample.as_str())
        .collect()
}

#[test]
fn a_piece_is_of_pairs_that_want_the_same_metrics_and_has_four_at_most() {
    let ssim = |sample| pair(sample, &["ssim"]);
    let pairs = (0..5).map(ssim).chain([pair(5, &["mse"]), ssim(6)]);
    let mut run = MeasureRun::new(String::new(), pairs.collect(), Sizes::Equal);
    let pieces: Vec<MeasurePiece> = (0..4).map(|_| piece(&mut run)).collect();
    let dealt: Vec<Vec<&str>> = pieces.iter().map(samples).collect();
    assert_eq!(
        dealt,
        [vec!["0", "1", "2", "3"], vec!["4"], vec!["5"], vec!["6"]]
    );
    assert_eq!(pieces[2].metrics, ["mse"]);
    assert_eq!(run.step(), Step::Nothing);
    assert_eq!(run.state(0.0).progress.sent, 7);
}

#[test]
fn no_more_workers_are_started_than_there_are_pieces_and_a_gpu_has_one_besides() {
    let started = |backend, pairs, wanted| {
        let mut run = run(pairs);
        let lanes = run.stands(standing(backend), wanted);
        let with_gpu = u32::from(backend == Backend::Gpu);
        assert_eq!(run.state(0.0).workers + with_gpu, lanes.more + 1);
        assert_eq!(lanes.each, 2);
        lanes.more
    };
    assert_eq!(started(Backend::Cpu, 400, 8), 7);
    assert_eq!(started(Backend::Cpu, 9, 8), 2, "three pieces");
    assert_eq!(started(Backend::Cpu, 9, 1), 0);
    assert_eq!(started(Backend::Cpu, 9, 0), 0);
    assert_eq!(started(Backend::Cpu, 0, 8), 0, "nothing to measure");
    assert_eq!(started(Backend::Gpu, 400, 8), 8);
    assert_eq!(started(Backend::Gpu, 9, 8), 3, "three pieces");
    assert_eq!(started(Backend::Gpu, 9, 0), 1, "one decodes");
}

#[test]
fn workers_that_run_networks_on_a_gpu_compute_by_themselves_and_feed_none() {
    let of_networks = MeasureStanding {
        runner: Some("onnxruntime-web 1.30.0 webgpu".to_owned()),
        ..standing(Backend::Gpu)
    };
    let of_pixels = standing(Backend::Gpu);
    let lanes = |standing| {
        let lanes = run(40).stands(standing, 3);
        (lanes.more, lanes.feed.is_some())
    };
    assert_eq!(lanes(of_networks), (2, false));
    assert_eq!(lanes(of_pixels), (3, true));
}

#[test]
fn a_worker_that_has_no_gpu_to_serve_is_one_of_those_that_compute() {
    let workers = |pairs, standing: MeasureStanding| {
        let mut run = run(pairs);
        let lanes = run.stands(standing, 3);
        assert_eq!(run.state(0.0).workers, lanes.more + 1);
        assert_eq!(lanes.feed, None);
        lanes.more + 1
    };
    let refused = MeasureStanding {
        fallback: Some("no adapter".to_owned()),
        ..standing(Backend::Cpu)
    };
    let played = MeasureStanding {
        trial: Some(GpuTrial {
            is_software: true,
            ..GpuTrial::default()
        }),
        ..standing(Backend::Cpu)
    };
    assert_eq!(workers(400, standing(Backend::Cpu)), 3);
    assert_eq!(workers(400, refused.clone()), 4);
    assert_eq!(workers(400, played), 4);
    assert_eq!(workers(9, refused), 3, "three pieces");
}

#[test]
fn decoders_are_ahead_of_a_gpu_by_one_submission_and_a_cpu_is_not_fed() {
    let feed = |backend, wanted| run(400).stands(standing(backend), wanted).feed;
    assert_eq!(feed(Backend::Cpu, 8), None);
    for wanted in [1, 8] {
        let feed = feed(Backend::Gpu, wanted).expect("a GPU is fed");
        assert_eq!((feed.together, feed.submissions), (4, 2));
        assert_eq!(feed.ahead, wanted + 4);
        assert!(feed.kept.is_empty());
    }
}

#[test]
fn a_record_says_all_that_the_format_has_in_its_order() {
    let mut run = MeasureRun::new(
        "weave".to_owned(),
        vec![pair(3, &["ssim", "mse"])],
        Sizes::Resized,
    );
    let given = piece(&mut run);
    let row = vec![value("ssim", Some(0.25)), value("mse", None)];
    let records = run.came(
        MeasuredPiece {
            id: given.id,
            spent: Vec::new(),
            pairs: vec![MeasuredPair::Values(row)],
        },
        0.0,
    );
    let head =
        r#"{"format":"juror-measures/1","protocol":"weave","model":"a","sample":"3","turn":1,"#;
    let tail = r#""backend":"cpu","width":8,"height":6,"output":"cc","counterpart":"rr"}"#;
    let between = r#""against":"golden","number":2,"sizes":"resized","#;
    let expected = format!(
        "{head}\"metric\":\"ssim\",{between}\"value\":0.25,{tail}\n{head}\"metric\":\"mse\",{between}\"value\":null,\"problem\":\"too small\",{tail}\n"
    );
    assert_eq!(crate::measure::write(&records), expected);
}

#[test]
fn a_pair_counts_once_as_measured_if_it_has_any_value_and_as_failed_if_it_has_none() {
    let mut run = run(3);
    let given = piece(&mut run);
    let rows = [
        vec![value("ssim", Some(0.5)), value("mse", Some(1.0))],
        vec![value("ssim", None), value("mse", Some(f64::INFINITY))],
        vec![value("ssim", None), value("mse", None)],
    ];
    let came = MeasuredPiece {
        id: given.id,
        spent: Vec::new(),
        pairs: rows.into_iter().map(MeasuredPair::Values).collect(),
    };
    assert_eq!(run.came(came.clone(), 0.0).len(), 6);
    let state = run.state(0.0);
    assert_eq!((state.progress.answered, state.progress.failed), (2, 1));
    assert_eq!((state.values, state.progress.sent), (3, 0));
    let missed: Vec<_> = (state.incidents.iter())
        .map(|one| (one.kind, one.pair.sample.as_str(), one.metric.as_str()))
        .collect();
    let kind = UnmeasuredKind::NoValue;
    assert_eq!(
        missed,
        [(kind, "1", "ssim"), (kind, "2", "ssim"), (kind, "2", "mse")]
    );
    assert_eq!(state.incidents[0].message, "too small");
    // Told twice it counts once.
    assert!(run.came(came, 0.0).is_empty());
    assert_eq!(run.state(0.0), state);
}

#[test]
fn a_file_that_cannot_be_read_is_an_incident_of_each_metric_and_no_record() {
    let mut run = run(2);
    let given = piece(&mut run);
    let row = vec![value("ssim", Some(0.5)), value("mse", Some(1.0))];
    let records = run.came(
        MeasuredPiece {
            id: given.id,
            spent: Vec::new(),
            pairs: vec![
                MeasuredPair::Unreadable("it was moved".to_owned()),
                MeasuredPair::Values(row),
            ],
        },
        0.0,
    );
    // The values are those of the pair that they came for.
    let of: Vec<&str> = records.iter().map(|one| one.sample.as_str()).collect();
    assert_eq!(of, ["1", "1"]);
    let state = run.state(0.0);
    assert_eq!((state.progress.answered, state.progress.failed), (1, 1));
    let missed: Vec<_> = (state.incidents.iter())
        .map(|one| (one.kind, one.message.as_str(), one.metric.as_str()))
        .collect();
    let message = "The file cannot be read: it was moved";
    let kind = UnmeasuredKind::Unreadable;
    assert_eq!(missed, [(kind, message, "ssim"), (kind, message, "mse")]);
}

#[test]
fn the_newest_two_hundred_incidents_are_told() {
    let mut run = run(120);
    while let Step::Measure(given) = run.step() {
        let unreadable = || MeasuredPair::Unreadable("gone".to_owned());
        let came = MeasuredPiece {
            id: given.id,
            spent: Vec::new(),
            pairs: given.pairs.iter().map(|_| unreadable()).collect(),
        };
        assert!(run.came(came, 0.0).is_empty());
    }
    let state = run.state(0.0);
    assert_eq!(state.progress.failed, 120);
    assert_eq!(state.incidents.len(), 200);
    assert_eq!(state.incidents[0].pair.sample, "20");
    assert_eq!(state.incidents[199].pair.sample, "119");
}

#[test]
fn values_that_the_cpu_computed_instead_are_counted_by_their_reason() {
    let mut run = run(1);
    let given = piece(&mut run);
    let fallen = |metric| Measured {
        fallback: Some("too large: 9".to_owned()),
        ..value(metric, Some(1.0))
    };
    let came = MeasuredPiece {
        id: given.id,
        spent: Vec::new(),
        pairs: vec![MeasuredPair::Values(vec![fallen("ssim"), fallen("mse")])],
    };
    run.came(came, 0.0);
    let told = run.state(0.0).fallbacks;
    assert_eq!(
        told.into_iter().collect::<Vec<_>>(),
        [("too large: 9".to_owned(), 2)]
    );
}

#[test]
fn a_paused_run_hands_out_nothing_until_it_goes_on_and_takes_what_was_under_way() {
    let mut run = run(8);
    let under_way = piece(&mut run);
    run.pause();
    assert_eq!(run.step(), Step::Wait);
    let records = run.came(measured(&under_way), 1.0);
    assert_eq!(records.len(), 8);
    let state = run.state(1.0);
    assert!(state.progress.paused && state.progress.stopped.is_none());
    assert_eq!((state.progress.answered, state.progress.sent), (4, 0));
    run.resume();
    assert!(!run.state(2.0).progress.paused);
    assert_eq!(samples(&piece(&mut run)), ["4", "5", "6", "7"]);
}

#[test]
fn a_stopped_run_says_so_keeps_what_was_under_way_and_hands_out_nothing_more() {
    let mut run = run(8);
    let under_way = piece(&mut run);
    run.pause();
    run.cancel();
    assert_eq!(run.step(), Step::Nothing, "also where it was paused");
    assert_eq!(run.came(measured(&under_way), 1.0).len(), 8);
    run.end(None);
    let progress = run.state(1.0).progress;
    assert_eq!(
        progress.stopped.as_deref(),
        Some("It was stopped. What is measured is kept; starting again measures the rest.")
    );
    assert!(progress.finished && !progress.paused);
    assert_eq!((progress.answered, progress.total), (4, 8));
}

#[test]
fn a_worker_that_dies_ends_the_run_with_its_message_and_what_it_had_never_counts() {
    let mut run = run(8);
    let lost = piece(&mut run);
    run.end(Some("The metrics stopped.".to_owned()));
    assert_eq!(run.step(), Step::Nothing);
    assert!(run.came(measured(&lost), 1.0).is_empty());
    run.cancel();
    run.pause();
    let progress = run.state(1.0).progress;
    assert_eq!(progress.stopped.as_deref(), Some("The metrics stopped."));
    assert!(progress.finished && !progress.paused);
    assert_eq!((progress.answered, progress.sent), (0, 0));
}

#[test]
fn a_run_without_a_fault_ends_without_a_reason() {
    let mut run = run(1);
    let only = piece(&mut run);
    run.came(measured(&only), 0.0);
    assert_eq!(run.step(), Step::Nothing);
    assert!(
        !run.state(0.0).progress.finished,
        "its lanes have not ended"
    );
    run.end(None);
    let progress = run.state(0.0).progress;
    assert!(progress.finished && progress.stopped.is_none());
    assert_eq!((progress.answered, progress.total), (1, 1));
}

#[test]
fn the_rate_is_that_of_the_pieces_after_the_first_one_of_late() {
    let told = |run: &mut MeasureRun, now_ms: f64| {
        let JobProgress {
            per_minute,
            secs_left,
            ..
        } = run.state(now_ms).progress;
        (per_minute, secs_left)
    };
    let mut run = run(24);
    assert_eq!(told(&mut run, 500.0), (0.0, None));
    let given = piece(&mut run);
    run.came(measured(&given), 1000.0);
    // Nobody knows when it began.
    assert_eq!(told(&mut run, 1000.0), (0.0, None));
    let given = piece(&mut run);
    run.came(measured(&given), 3000.0);
    // 4 pairs in 2 s; 16 are left.
    assert_eq!(told(&mut run, 3000.0), (120.0, Some(8.0)));
    let given = piece(&mut run);
    run.came(measured(&given), 13_000.0);
    // The first one is longer ago than ten seconds: 4 pairs in 10 s; 12 are left.
    assert_eq!(told(&mut run, 13_000.0), (24.0, Some(30.0)));
    run.pause();
    assert_eq!(told(&mut run, 14_000.0), (0.0, None));
}

#[test]
fn the_time_of_all_pieces_that_came_says_what_takes_it() {
    let mut run = run(12);
    run.stands(standing(Backend::Cpu), 1);
    assert_eq!(run.state(0.0).stages, None);
    let part = |decoding_ms, computing_ms| StageTimes {
        decoding_ms,
        computing_ms,
        ..StageTimes::default()
    };
    for spent in [vec![part(1.0, 2.0), part(1.0, 0.0)], vec![part(1.0, 3.0)]] {
        let given = piece(&mut run);
        let came = MeasuredPiece {
            spent,
            ..measured(&given)
        };
        run.came(came.clone(), 0.0);
        // A piece that comes twice is timed once.
        run.came(came, 0.0);
    }
    let stages = run.state(0.0).stages.expect("pieces are timed");
    assert_eq!(
        (stages.reading, stages.decoding, stages.measuring),
        (0.0, 0.375, 0.625)
    );
    assert_eq!(stages.limit, MeasureLimit::Cpu);
}

#[test]
fn a_trial_decides_what_decoders_keep_and_the_state_says_so() {
    let time = |metric: &str, gpu_ms, cpu_ms| MetricTime {
        metric: metric.to_owned(),
        gpu_ms: Some(gpu_ms),
        cpu_ms,
    };
    let trial = GpuTrial {
        times: vec![time("ssim", 1.0, 50.0), time("mse", 1.0, 0.5)],
        decoding_ms: 40.0,
        ..GpuTrial::default()
    };
    let mut run = run(8);
    let standing = MeasureStanding {
        trial: Some(trial),
        ..standing(Backend::Gpu)
    };
    let feed = run.stands(standing, 4).feed.expect("a GPU is fed");
    assert_eq!(feed.kept, ["mse"]);
    let places = run.state(0.0).places.expect("a trial places metrics");
    assert_eq!(
        (places.gpu, places.cpu),
        (names(&["ssim"]), names(&["mse"]))
    );
    // Without a trial the GPU computes all that it can.
    let mut run = self::run(8);
    run.stands(self::standing(Backend::Gpu), 4);
    assert_eq!(run.state(0.0).places, None);
}

fn names(metrics: &[&str]) -> Vec<String> {
    metrics.iter().map(|metric| (*metric).to_owned()).collect()
}
