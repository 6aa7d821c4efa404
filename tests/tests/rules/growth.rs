//! Eight times as much takes about eight times as long: no reader looks through all that it has read for each thing that it
//! reads.
//!
//! Each text is read at a length and at eight times that length in turn, several times within one run; the least time of each
//! counts, on Linux that on the processor alone, so that whatever else runs disturbs little. The shorter text is read eight times
//! for that, as a core is faster while the one beside it rests: the shorter of two stretches of time lies within such a rest more
//! often. A quadratic reader comes to 64 times, and 18 is where it is called so. That is more than twice the eight of a linear one,
//! which is more than another program on the same core slows it down by.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
#![expect(
    clippy::format_collect,
    clippy::semicolon_if_nothing_returned,
    reason = "texts are made of short parts, and what is read is dropped"
)]

use std::hint::black_box;
use std::time::{Duration, Instant};

use juror_judging::journal;
use juror_judging::reading;
use juror_model::options::{Profile, ScoreOptions};
use juror_model::reply::{ParsedReply, Read};
use juror_protocols::contract::Protocol;
use juror_protocols::micon::layout::yaml;
use juror_reading::limits::{FINDINGS_PER_FILE, MODELS, PAIRS, RATERS, REPLY_BYTES, YAML_BYTES};
use juror_reading::py;
use juror_session::Session;
use juror_session::coefficients::{Distance, alpha_by_cluster};
use juror_session::compare::CompareQuery;
use juror_session::measure;
use juror_session::rating_file;
use juror_session::view::SampleQuery;
use juror_session::view::agreement::{Agreement, AgreementQuery};
use juror_statistics::level::Level;
use juror_statistics::random::SplitMix64;
use juror_tests::generate::{File, open};
use serde_json::json;

/// How much longer the longer text is.
const TIMES: u8 = 8;
/// How often as long it may take.
pub(crate) const MOST: f64 = 18.0;

/// Time of this thread on the processor, where the system tells it.
fn processor_time() -> Option<Duration> {
    // The kernel brings its count up to date when a thread steps back.
    std::thread::yield_now();
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanos = text.split(' ').next()?.parse().ok()?;
    Some(Duration::from_nanos(nanos))
}

fn least(best: &mut Duration, mut work: impl FnMut()) {
    let (start, before) = (Instant::now(), processor_time());
    work();
    let own = processor_time()
        .zip(before)
        .map(|(after, before)| after.saturating_sub(before));
    *best = (*best).min(own.unwrap_or_else(|| start.elapsed()));
}

/// How often as long the work takes on eight times as much, which is twice `len`; measured again while others disturb it.
fn growth<T>(len: usize, make: impl Fn(usize) -> T, work: impl Fn(&T)) -> f64 {
    measured(len, make, work, |ratio| ratio < MOST)
}

/// The same of work that must take longer: measured to the end, since a disturbed start makes it seem less.
pub(crate) fn steep_growth<T>(len: usize, make: impl Fn(usize) -> T, work: impl Fn(&T)) -> f64 {
    measured(len, make, work, |ratio| ratio > 1.2 * MOST)
}

fn measured<T>(
    len: usize,
    make: impl Fn(usize) -> T,
    work: impl Fn(&T),
    is_enough: impl Fn(f64) -> bool,
) -> f64 {
    let long = 2 * len;
    let (short, long) = (make(long / usize::from(TIMES)), make(long));
    let (mut of_short, mut of_long) = (Duration::MAX, Duration::MAX);
    let mut ratio = f64::INFINITY;
    for round in 0..30 {
        least(&mut of_short, || {
            for _ in 0..TIMES {
                work(&short);
            }
        });
        least(&mut of_long, || work(&long));
        ratio = f64::from(TIMES) * of_long.as_secs_f64() / of_short.as_secs_f64();
        if round >= 2 && is_enough(ratio) {
            break;
        }
    }
    ratio
}

#[track_caller]
pub(crate) fn assert_linear<T>(
    name: &str,
    len: usize,
    make: impl Fn(usize) -> T,
    work: impl Fn(&T),
) {
    let ratio = growth(len, make, work);
    assert!(
        ratio < MOST,
        "{name}: {TIMES} times as much takes {ratio:.1} times as long"
    );
}

pub(crate) fn repeated(part: &str) -> impl Fn(usize) -> String + '_ {
    move |len| part.repeat(len / part.len())
}

/// `wrap[0]`, entries with numbers, `wrap[1]`.
fn numbered(
    wrap: [&'static str; 2],
    entry: impl Fn(usize) -> String + 'static,
) -> impl Fn(usize) -> String {
    move |count| {
        let entries: Vec<String> = (0..count).map(&entry).collect();
        format!("{}{}{}", wrap[0], entries.join(","), wrap[1])
    }
}

#[test]
fn a_quadratic_search_is_told_from_a_linear_one() {
    let letters = |len: usize| "a".repeat(len);
    let squared = steep_growth(1000, letters, |text| {
        for (at, _) in text.char_indices() {
            black_box(
                black_box(&text[at..])
                    .bytes()
                    .filter(|b| *b == b'b')
                    .count(),
            );
        }
    });
    assert!(squared > MOST, "{squared}");
}

/// What a protocol asks for; nothing where only a file says it.
fn requests_of(protocol: &dyn Protocol) -> Vec<String> {
    let requests = protocol.requests().into_iter().map(|request| request.id);
    requests.collect()
}

/// Beginnings of replies that lead a reader far and to nothing.
const TANGLES: [&str; 14] = [
    "```{",
    "```json{",
    "```json\n{}",
    "{",
    "{\"a\":",
    "{\"a\":[",
    "{\"a\":1,\"{",
    "}",
    "{} ",
    "score",
    "score:",
    "Instruction Alignment:   ",
    "\"",
    "\\u007b",
];

#[test]
fn every_protocol_reads_tangled_replies_in_time_that_grows_with_their_length() {
    for protocol in juror_protocols::registry::ALL {
        for request in requests_of(*protocol).iter().take(3) {
            for tangle in TANGLES {
                let name = format!("{} {request} {tangle}", protocol.id());
                assert_linear(&name, 20_000, repeated(tangle), |reply| {
                    black_box(protocol.read(None, request, reply));
                    black_box(protocol.parse(None, request, Profile::Paper, reply));
                });
            }
        }
    }
}

#[test]
fn a_reply_beyond_the_limit_is_an_incident_that_says_so_and_one_at_it_is_read() {
    for protocol in juror_protocols::registry::ALL {
        let Some(request) = requests_of(*protocol).into_iter().next() else {
            continue;
        };
        let long = "x".repeat(REPLY_BYTES + 1);
        for profile in [Profile::Paper, Profile::Released] {
            let ParsedReply::Incident { detail, .. } =
                protocol.parse(None, &request, profile, &long)
            else {
                panic!("{} reads {} bytes", protocol.id(), long.len());
            };
            assert!(detail.contains("1048577 bytes"), "{detail}");
            let ParsedReply::Incident { detail, .. } =
                protocol.parse(None, &request, profile, &long[1..])
            else {
                continue;
            };
            assert!(!detail.contains("bytes; at most"), "{detail}");
        }
        let faults = match protocol.read(None, &request, &long) {
            Read::One(readings) => (readings.paper().is_err(), readings.released().is_err()),
            Read::Several(verdict) => (verdict.paper.is_err(), verdict.released.is_err()),
        };
        assert_eq!(faults, (true, true), "{}", protocol.id());
    }
}

#[test]
fn objects_and_maps_of_many_keys_are_read_in_time_that_grows_with_their_length() {
    let object = numbered(["{", "}"], |at| format!("\"key {at}\": {at}"));
    let counted = |count: usize| (object(count), format!("key {}", count - 1));
    assert_linear("py::loads", 8000, counted, |(text, last)| {
        let value = py::loads(text).unwrap();
        assert!(value.get(last).is_some());
    });
    let same = numbered(["{", "}"], |at| format!("\"{}\": {at}", at % 7));
    assert_linear("repeated keys", 8000, same, |text| {
        drop(black_box(py::loads(text)));
    });
    let card = |count: usize| -> String { (0..count).map(|at| format!("k{at}: v\n")).collect() };
    assert_linear("yaml::load", 3000, card, |text| {
        yaml::load(text).unwrap();
    });
    let nested = |len: usize| format!("a: {}", "[1, ".repeat(50) + &"2, ".repeat(len));
    assert_linear("broken yaml", 10_000, nested, |text| {
        drop(black_box(yaml::load(text)));
    });
}

#[test]
fn files_of_replies_are_read_in_time_that_grows_with_their_length() {
    let weave = juror_protocols::registry::ALL
        .iter()
        .find(|known| known.id() == "weave");
    let vibe = juror_protocols::registry::ALL
        .iter()
        .find(|known| known.id() == "vibe");
    let multiref = juror_protocols::registry::ALL
        .iter()
        .find(|known| known.id() == "multiref");
    let read = |protocol: Option<&&dyn Protocol>, path: &str, text: &String| {
        black_box(protocol.unwrap().read_replies(path, text.clone()));
    };
    let line = "{\"idx\": 1, \"domain\": \"d\", ";
    let turns = numbered([line, "}"], |at| {
        format!(
            "\"turn {}\": {{\"key_point\": {{\"score\": 1}}}}",
            at % 5000
        )
    });
    assert_linear("turns of a line", 2000, turns, |text| {
        read(weave, "m/metrics.jsonl", text)
    });
    let criteria = numbered([line, "}}"], |at| {
        let open = if at == 0 { "\"turn 0\": {" } else { "" };
        format!("{open}\"c{at}\": {{\"score\": 1}}")
    });
    assert_linear("criteria of a turn", 2000, criteria, |text| {
        read(weave, "m/metrics.jsonl", text);
    });
    let domains = |count: usize| -> String {
        (0..count)
            .map(|at| format!("{{\"idx\": {at}, \"domain\": \"d{at}\"}}\n"))
            .collect()
    };
    assert_linear("domains", 2000, domains, |text| {
        read(weave, "m/metrics.jsonl", text)
    });
    let metrics = numbered(["[{\"id\": 1,", "}]"], |at| {
        format!("\"m{at}\": {{\"score\": 1}}")
    });
    let path = "m/Level-1/Addition/Addition_results.json";
    assert_linear("metrics of an item", 2000, metrics, |text| {
        read(vibe, path, text)
    });
    let entries = numbered(["[", "]"], |at| {
        format!("{{\"id\": {at},\n\"evaluations\": {{\"e{at}\": 1}}}}")
    });
    assert_linear("entries", 2000, entries, |text| {
        read(multiref, "m/results.json", text)
    });
    let keys = numbered(["[{\"evaluations\": {", "}}]"], |at| {
        format!("\"e{at}\": 1")
    });
    assert_linear("evaluations of an entry", 2000, keys, |text| {
        read(multiref, "m/results.json", text);
    });
}

#[test]
fn journals_ratings_and_measures_are_read_in_time_that_grows_with_their_length() {
    let batch = |count: usize| -> String {
        (0..count)
            .map(|at| {
                format!(
                    "{}\n",
                    json!({"custom_id": format!("juror:{at}"), "response": {}})
                )
            })
            .collect()
    };
    assert_linear("journal of nothing", 20_000, repeated("{\n"), |text| {
        black_box(reading::read(text));
    });
    assert_linear("results of a batch", 500, batch, |text| {
        black_box(reading::read(text));
    });
    assert_linear("sheet", 20_000, repeated("# x\n"), |text| {
        black_box(reading::read(text));
    });
    let rows = |part: &'static str| {
        move |count: usize| format!("sample,model,criterion,rater,score\n{}", part.repeat(count))
    };
    for part in ["a,b,c,d,1\n", "a,b,c,d,x\n", "\"", "a\"\"b,", "\n"] {
        assert_linear(part, 2000, rows(part), |text| {
            black_box(rating_file::read("r.csv", text));
        });
    }
    let head = "{\"format\": \"juror-measures/1\"}\n";
    let measures = |len: usize| format!("{head}{}", "{\n".repeat(len));
    assert_linear("measures", 4000, measures, |text| {
        black_box(measure::read(text));
    });
}

#[test]
fn filters_are_read_in_time_that_grows_with_their_length() {
    for part in [
        "(",
        "a ",
        "a:b ",
        "\"",
        "-",
        "a OR ",
        "text~/(a|",
        "score<",
        "é",
    ] {
        assert_linear(part, 1800, repeated(part), |text| {
            let mut session = open(&[]);
            let query = SampleQuery {
                q: text.clone(),
                ..SampleQuery::default()
            };
            black_box(juror_session::samples(
                &session.study(&query.options),
                &query,
            ));
        });
    }
}

fn smallest(samples: &str, replies: &str) -> String {
    format!(
        r#"{{"format": "juror-protocol/1", "id": "small", "title": "Small", "samples": {{"file": "{samples}"}},
        "replies": "{replies}",
        "criteria": [{{"id": "fit", "label": "Fit", "range": [1, 10]}}],
        "requests": [{{"id": "judge", "reply": {{"form": "lines"}}}}],
        "groupings": [{{"scope": "domain", "tag": "task", "label": "Task"}}]}}"#
    )
}

#[test]
fn a_whole_session_grows_with_its_samples_groups_and_models() {
    let declared = |count: usize| -> Vec<File> {
        let rows: String = (0..count)
            .map(|at| format!("s{at},Do.,task {at}\n"))
            .collect();
        let list = format!("id,instruction,tags.task\n{rows}");
        vec![
            (
                "B/juror.json".to_owned(),
                smallest("list.csv", "judged/{model}.jsonl").into_bytes(),
            ),
            ("B/list.csv".to_owned(), list.into_bytes()),
        ]
    };
    assert_linear(
        "samples and groups of a declared benchmark",
        1000,
        declared,
        |files| {
            let mut session = open(files);
            black_box(juror_session::report(
                &session.study(&ScoreOptions::default()),
            ));
        },
    );
}

#[test]
fn a_path_that_could_be_read_in_many_ways_is_given_up_in_time() {
    let files = |len: usize| -> Vec<File> {
        let rows = "id,instruction,tags.task\n1,Do.,a\n";
        let pattern = "x/{model}_{judge}_{run}_{id}.jsonl";
        vec![
            (
                "B/juror.json".to_owned(),
                smallest("list.csv", pattern).into_bytes(),
            ),
            ("B/list.csv".to_owned(), rows.into()),
            (format!("B/x/{}.jsonl", "_a".repeat(len)), Vec::new()),
        ]
    };
    assert_linear("underscores", 1000, files, |files| {
        black_box(open(files));
    });
}

#[test]
fn a_card_whose_aliases_come_to_much_is_refused_by_its_bytes() {
    let text = "x".repeat(10_000);
    let aliases = "*a, ".repeat(70_000);
    let error = yaml::load(&format!("a: &a {text}\nb: [{aliases}]\n")).unwrap_err();
    assert!(error.message.contains("16 MiB"), "{error}");
    let few = "*a, ".repeat(YAML_BYTES / 20_000);
    assert!(yaml::load(&format!("a: &a {text}\nb: [{few}]\n")).is_ok());
    // Anchors within anchors are kept again and again.
    let deep: String = (0..90)
        .map(|at| format!("{:at$}k{at}: &n{at}\n", ""))
        .collect();
    let big = format!("{deep}{:90}last: {}\n", "", "x".repeat(400_000));
    assert!(yaml::load(&big).unwrap_err().message.contains("16 MiB"));
}

#[test]
fn of_many_lines_that_cannot_be_read_a_hundred_are_named_and_the_rest_counted() {
    let count = 5000;
    for (path, code) in [
        ("result/m/metrics.jsonl", "bad_line"),
        ("result/m/journal.jsonl", "bad_line"),
    ] {
        let mut session = open(&[
            ("D/test/test.json".to_owned(), b"[]".to_vec()),
            (path.to_owned(), "{\n".repeat(count).into_bytes()),
        ]);
        let problems = juror_session::problems(&session.linked());
        let lines: Vec<_> = problems
            .iter()
            .filter(|problem| problem.code == code)
            .collect();
        assert!(
            lines.len() <= FINDINGS_PER_FILE + 1,
            "{path}: {}",
            lines.len()
        );
        let rest = format!("and {} more", count - FINDINGS_PER_FILE);
        assert!(
            problems
                .iter()
                .any(|problem| problem.message.contains(&rest)),
            "{path}: {:?}",
            problems.last()
        );
    }
}

#[test]
fn records_of_more_models_than_fit_are_left_out_and_told() {
    let record = |at: usize| {
        json!({"format": journal::FORMAT, "protocol": "weave", "model": format!("m{at}"),
            "sample": "0", "turn": 0, "criterion": "key_point", "reply": "{\"score\": 5}"})
    };
    let lines: String = (0..MODELS + 7)
        .map(|at| format!("{}\n", record(at)))
        .collect();
    let mut session: Session = open(&[("journal.jsonl".to_owned(), lines.into_bytes())]);
    let problems = juror_session::problems(&session.linked());
    let told = problems
        .iter()
        .find(|problem| problem.code == "too_many_models");
    assert!(told.unwrap().message.starts_with("7 replies"), "{told:?}");
}

/// Replies to four WEAVE dialogues by so many models, which differ.
fn many_models(count: usize) -> Vec<File> {
    let line = |model: usize, sample: usize| {
        let score = (model * 7 + sample * model) % 11;
        json!({"idx": sample, "domain": "d", "turn 0": {"key_point": {"score": score}}})
    };
    let file = |model: usize| {
        let lines: String = (0..4)
            .map(|sample| format!("{}\n", line(model, sample)))
            .collect();
        (format!("result/m{model}/metrics.jsonl"), lines.into_bytes())
    };
    (0..count).map(file).collect()
}

#[test]
fn of_more_models_than_can_be_tested_the_best_are_and_the_note_says_how_many() {
    let compared = |count: usize| {
        let mut session = open(&many_models(count));
        let query = CompareQuery {
            criterion: "key_point".to_owned(),
            replicates: 20,
            ..CompareQuery::default()
        };
        juror_session::compare(&session.study(&ScoreOptions::default()), &query).unwrap()
    };
    let few = compared(63);
    assert_eq!(few.pairs.len(), 63 * 62 / 2);
    assert!(
        few.notes
            .iter()
            .all(|note| !note.contains("models are tested"))
    );
    let many = compared(90);
    assert_eq!((many.models.len(), many.pairs.len()), (90, 63 * 62 / 2));
    assert!(many.pairs.len() <= PAIRS);
    let note = many
        .notes
        .iter()
        .find(|note| note.contains("models are tested"));
    assert!(
        note.unwrap().starts_with("The best 63 of 90 models"),
        "{note:?}"
    );
    assert!(many.models.iter().all(|model| model.mean.is_some()));
    assert!(
        many.models[..63]
            .iter()
            .all(|model| !model.group.is_empty())
    );
    assert!(many.models[63..].iter().all(|model| model.group.is_empty()));
}

#[test]
fn the_agreement_of_all_raters_takes_time_that_grows_with_their_number() {
    for (name, num_scores) in [("whole scores", 10), ("scores of many digits", 1 << 30)] {
        let rated = |raters: usize| -> Vec<Vec<f64>> {
            let mut random = SplitMix64::new(5);
            let mut unit = || {
                (0..raters)
                    .map(|_| f64::from(random.below(num_scores)))
                    .collect()
            };
            (0..20).map(|_| unit()).collect()
        };
        let samples: Vec<u32> = (0..20).collect();
        assert_linear(name, 400, rated, |units| {
            black_box(alpha_by_cluster(
                units,
                &samples,
                Distance::Interval,
                Level::P95,
            ));
        });
    }
}

#[test]
fn of_more_raters_than_can_be_compared_those_with_most_scores_are_and_the_rest_counted() {
    let ratings = |count: usize| {
        let row = |rater: usize, sample: usize| {
            format!(
                "{sample},0,m0,key_point,rater {rater},{}\n",
                (rater + sample) % 11
            )
        };
        // The first one rates less than the others.
        let of = |rater: usize| (usize::from(rater == 0)..4).map(move |sample| row(rater, sample));
        let rows: String = (0..count).flat_map(of).collect();
        let text = format!("sample,turn,model,criterion,rater,score\n{rows}");
        let mut files = many_models(1);
        files.push(("ratings.csv".to_owned(), text.into_bytes()));
        juror_session::agreement(
            &open(&files).study(&ScoreOptions::default()),
            &AgreementQuery::default(),
        )
        .unwrap()
    };
    let between = |found: &Agreement| {
        let pairs = found.pairs.iter().filter(|row| row.kind == "human_human");
        pairs.count()
    };
    let few = ratings(10);
    assert_eq!((few.left_out, between(&few)), (0, 10 * 9 / 2));
    let many = ratings(RATERS + 5);
    assert_eq!(
        (many.left_out, between(&many)),
        (5, RATERS * (RATERS - 1) / 2)
    );
    assert_eq!(many.raters.len(), RATERS + 5);
    assert_eq!(many.people[0].raters as usize, RATERS + 5);
    let has = |rater: &str| {
        many.pairs
            .iter()
            .any(|row| row.a == rater || row.b == rater)
    };
    assert!(has("rater 1") && !has("rater 0"));
}
