//! The filter, facets, orders and windows of the sample list, on a benchmark small enough to check by eye.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use juror_model::options::ScoreOptions;
use juror_session::Session;
use juror_session::compare::CompareQuery;
use juror_session::view::{Facet, FacetValue, SampleQuery, SampleSort};
use juror_tests::generate::{Dialogue, File, Random, open};
use serde_json::Value;

/// The sets of the benchmark, in its order.
const SETS: [(&str, &str); 4] = [
    ("single", "001"),
    ("add", "002"),
    ("3_local", "006"),
    ("3_local", "007"),
];

fn reply(score: u32, reason: &str) -> String {
    format!(
        "{reason}\n\nInstruction Alignment: {score}\nReference Consistency: {score}\n\
        Background-Subject Match: {score}\nPhysical Realism: {score}\nVisual Quality: {score}"
    )
}

/// Two models; `gpt` judges both, `gemini` one output of `a`. `b` lacks 007, which counts 1, the worst, and the reply to its 006 cannot be read.
fn session() -> Session {
    let mut files: Vec<File> = Vec::new();
    let mut write = |path: String, text: String| files.push((path, text.into_bytes()));
    for (at, (task, number)) in SETS.iter().enumerate() {
        let noun = ["lamp", "Red Banana", "red banana", "Straße"][at];
        write(
            format!("data/{task}/{number}_prompt.txt"),
            format!("Paint a {noun}."),
        );
        for index in 0..[1, 2, 3, 3][at] {
            write(
                format!("data/{task}/{number}_{index}.jpg"),
                "reference".to_owned(),
            );
        }
        for (model, scores) in [("a", [7, 9, 4, 2]), ("b", [7, 5, 6, 0])] {
            if scores[at] == 0 {
                continue;
            }
            let path = format!("{model}/{task}/{number}");
            write(format!("{path}_generated.png"), "output".to_owned());
            let text = match (model, *number) {
                ("b", "006") => "I would rather not say.".to_owned(),
                _ => reply(
                    scores[at],
                    &format!("Looks like {} of {model}.", scores[at]),
                ),
            };
            write(format!("{path}_gpt_judge.txt"), text);
        }
    }
    write("a/add/002_gemini_judge.txt".to_owned(), reply(3, "Poor."));
    open(&files)
}

fn query(q: &str) -> SampleQuery {
    SampleQuery {
        q: q.to_owned(),
        ..SampleQuery::default()
    }
}

fn numbers(session: &mut Session, query: &SampleQuery) -> Vec<String> {
    let list = juror_session::samples(&session.study(&query.options), query);
    assert_eq!(list.fault, None, "{}", query.q);
    let last = |id: &str| id.rsplit('/').next().unwrap().to_owned();
    list.rows.iter().map(|row| last(&row.id)).collect()
}

#[track_caller]
fn assert_passes(session: &mut Session, q: &str, wanted: &[&str]) {
    assert_eq!(numbers(session, &query(q)), wanted, "{q}");
    // Its opposite lets the others through.
    let rest = numbers(session, &query(&format!("-({q})")));
    assert_eq!(rest.len(), SETS.len() - wanted.len(), "-({q}): {rest:?}");
}

#[test]
fn samples_pass_by_group_text_and_number_of_pictures() {
    let session = &mut session();
    assert_passes(session, "task:3_local", &["006", "007"]);
    assert_passes(session, "task:add,single", &["001", "002"]);
    assert_passes(session, "\"red banana\"", &["002", "006"]);
    assert_passes(session, "banana red -task:add", &["006"]);
    assert_passes(session, "instruction~STRASSE", &[]);
    assert_passes(session, "instruction~straße", &["007"]);
    assert_passes(
        session,
        "instruction~/red.banana|lamp/",
        &["001", "002", "006"],
    );
    assert_passes(session, "pictures>2", &["006", "007"]);
    assert_passes(session, "id~local/", &["006", "007"]);
    assert_passes(session, "id:add/002 OR task:single", &["001", "002"]);
}

#[test]
fn samples_pass_by_what_was_judged() {
    let session = &mut session();
    assert_passes(session, "judge:gpt score<5", &["006", "007"]);
    assert_passes(session, "judge:gpt model:b score<6", &["002", "007"]);
    assert_passes(session, "judge:gpt model:a>model:b", &["002", "007"]);
    assert_passes(
        session,
        "judge:gpt model:a>=model:b",
        &["001", "002", "007"],
    );
    assert_passes(session, "judge:gpt model:a>model:b+4", &[]);
    assert_passes(session, "judge:gpt model:a>=model:b+4", &["002"]);
    assert_passes(session, "judge:gpt spread:4", &["002"]);
    assert_passes(session, "disagreement>=6", &["002"]);
    assert_passes(session, "disagreement>6", &[]);
    assert_passes(session, "judge:gpt criterion:total<3", &["007"]);
    assert_passes(session, "judge:gpt model:b scored:no", &["006"]);
    assert_passes(session, "judge:gpt model:b incident:unparsable", &["006"]);
    assert_passes(session, "judge:gpt model:b incident:missing", &["007"]);
    assert_passes(session, "judge:gpt incident:none", &["001", "002"]);
    assert_passes(session, "judge:gpt judged:part", &["006", "007"]);
    assert_passes(
        session,
        "judge:gpt model:a judged:all",
        &["001", "002", "006", "007"],
    );
}

#[test]
fn a_model_beside_a_condition_narrows_it_and_one_in_another_group_does_not() {
    let session = &mut session();
    assert_passes(session, "(model:b incident:any) judge:gpt", &["006", "007"]);
    assert_passes(session, "model:a incident:any judge:gpt", &[]);
    assert_passes(session, "(model:a) incident:any judge:gpt", &["006", "007"]);
}

#[test]
fn replies_reasons_and_errors_are_searched() {
    let session = &mut session();
    assert_passes(session, "reply~\"Visual Quality: 9\"", &["002"]);
    assert_passes(session, "\"visual quality: 9\"", &["002"]);
    assert_passes(session, "model:b reply~\"Visual Quality: 9\"", &[]);
    assert_passes(session, "reply~/Quality: [24]/", &["006", "007"]);
    assert_passes(session, "error~\"cannot be read\"", &["006"]);
    assert_passes(session, "judge:gemini reply~poor", &["002"]);
    assert_passes(session, "judge:gpt reply~poor", &[]);
}

#[test]
fn orders_put_samples_without_a_value_last() {
    let session = &mut session();
    let mut order = |q: &str, sort: SampleSort| numbers(session, &SampleQuery { sort, ..query(q) });
    assert_eq!(
        order("judge:gpt model:a", SampleSort::ScoreAsc),
        ["007", "006", "001", "002"]
    );
    assert_eq!(
        order("judge:gpt model:a", SampleSort::ScoreDesc),
        ["002", "001", "006", "007"]
    );
    assert_eq!(
        order("judge:gpt model:b", SampleSort::ScoreAsc),
        ["007", "002", "001", "006"]
    );
    assert_eq!(
        order("judge:gpt", SampleSort::Spread),
        ["002", "007", "001", "006"]
    );
    assert_eq!(order("", SampleSort::Disagreement)[0], "002");
    assert_eq!(
        order("judge:gpt", SampleSort::Difference)[..2],
        ["002", "007"]
    );
    let swapped = SampleQuery {
        sort: SampleSort::Difference,
        a: "b".to_owned(),
        b: "a".to_owned(),
        ..query("judge:gpt")
    };
    let list = juror_session::samples(&session.study(&swapped.options), &swapped);
    assert_eq!(list.pair, Some((1, 0)));
    assert_eq!(list.rows[0].value, Some(0.0));
    assert_eq!(list.rows[1].value, Some(-1.0));
}

#[test]
fn a_random_sample_is_what_the_hash_of_seed_and_id_says() {
    let session = &mut session();
    // sorted(ids, key=lambda id: hashlib.sha256(f"{seed}:{id}".encode()).digest())[:3] in Python.
    let wanted = [
        (1, ["3_local/007", "3_local/006", "add/002"]),
        (2, ["3_local/006", "single/001", "add/002"]),
        (3, ["add/002", "3_local/007", "3_local/006"]),
    ];
    for (seed, ids) in wanted {
        let drawn = SampleQuery {
            sort: SampleSort::Random,
            seed,
            limit: 3,
            ..query("")
        };
        let list = juror_session::samples(&session.study(&drawn.options), &drawn);
        assert_eq!((list.matched, list.listed, list.rows.len()), (4, 3, 3));
        let found: Vec<&str> = list.rows.iter().map(|row| row.id.as_str()).collect();
        assert_eq!(found, ids);
    }
}

#[test]
fn a_window_holds_its_rows_and_a_sample_knows_its_neighbours() {
    let session = &mut session();
    let window = SampleQuery {
        from: 1,
        len: Some(2),
        around: "3_local/006".to_owned(),
        ..query("pictures>1")
    };
    let list = juror_session::samples(&session.study(&window.options), &window);
    assert_eq!((list.total, list.matched, list.from), (4, 3, 1));
    assert_eq!(list.rows.len(), 2);
    let around = list.around.unwrap();
    assert_eq!(around.position, 1);
    assert_eq!(around.previous.as_deref(), Some("add/002"));
    assert_eq!(around.next.as_deref(), Some("3_local/007"));
    let outside = SampleQuery {
        around: "single/001".to_owned(),
        ..window
    };
    assert_eq!(
        juror_session::samples(&session.study(&outside.options), &outside).around,
        None
    );
}

fn value<'a>(facets: &'a [Facet], field: &str, value: &str) -> &'a FacetValue {
    let facet = facets.iter().find(|facet| facet.field == field).unwrap();
    let mut values = facet.values.iter();
    values.find(|one| one.value == value).unwrap()
}

#[test]
fn facets_count_what_a_click_would_leave() {
    let session = &mut session();
    for q in [
        "judge:gpt",
        "judge:gpt task:add",
        "judge:gpt incident:any",
        "judge:gpt score<5",
    ] {
        let facets = juror_session::facets(&session.study(&query(q).options), &query(q));
        assert!(facets.len() >= 4, "{q}");
        // A further value widens what a filter by the field itself has left, so that field is looked at alone.
        let of_others = |facet: &&Facet| !q.contains(&facet.field);
        for facet in facets.iter().filter(of_others) {
            for value in &facet.values {
                let passing = juror_session::samples(
                    &session.study(&query(&value.toggled).options),
                    &query(&value.toggled),
                )
                .matched;
                assert_eq!(passing, value.count, "{q} and {}", value.toggled);
            }
        }
    }
    let facets = juror_session::facets(
        &session.study(&query("judge:gpt task:add").options),
        &query("judge:gpt task:add"),
    );
    let add = value(&facets, "task", "add");
    assert!(add.is_active);
    assert_eq!((add.count, add.toggled.as_str()), (1, "judge:gpt"));
    let local = value(&facets, "task", "3_local");
    assert_eq!(
        (local.count, local.toggled.as_str()),
        (2, "judge:gpt task:add,3_local")
    );
    assert_eq!(
        value(
            &juror_session::facets(
                &session.study(&query("judge:gpt").options),
                &query("judge:gpt")
            ),
            "model",
            "b"
        )
        .scored,
        Some(3)
    );
    assert!(
        juror_session::facets(&session.study(&query("nope:1").options), &query("nope:1"))
            .is_empty()
    );
}

#[test]
fn a_facet_of_judges_counts_what_each_scored_and_is_there_only_where_there_are_several() {
    let session = &mut session();
    let counts = |session: &mut Session, q: &str| {
        let facets = juror_session::facets(&session.study(&query(q).options), &query(q));
        ["gpt", "gemini"].map(|judge| value(&facets, "judge", judge).clone())
    };
    // gpt scored every set for `a`, gemini 002 alone.
    let [gpt, gemini] = counts(session, "");
    assert_eq!((gpt.scored, gemini.scored), (Some(4), Some(1)));
    assert_eq!(gemini.toggled, "judge:gemini");
    let scored = |session: &mut Session, q: &str| {
        let facets = juror_session::facets(&session.study(&query(q).options), &query(q));
        value(&facets, "judge", "gemini").scored
    };
    assert_eq!(scored(session, "task:single"), Some(0));
    assert_eq!(scored(session, "task:add"), Some(1));
    assert_eq!(scored(session, "model:b"), Some(0));
    let [gpt, _] = counts(session, "model:b");
    assert_eq!(
        gpt.scored,
        Some(3),
        "the reply to b's 006 cannot be read, the missing 007 counts the worst"
    );
    let [gpt, gemini] = counts(session, "judge:gemini");
    assert!(gemini.is_active && !gpt.is_active);
    assert_eq!(
        (gpt.scored, gemini.scored),
        (Some(4), Some(1)),
        "its own choice does not narrow it"
    );
    assert_eq!(gemini.toggled, "");
    let options = ScoreOptions {
        judge: Some("gpt".to_owned()),
        ..ScoreOptions::default()
    };
    let one = SampleQuery {
        options,
        ..query("")
    };
    let facets = juror_session::facets(&session.study(&one.options), &one);
    assert!(facets.iter().any(|facet| facet.field == "model"));
    assert!(
        facets.iter().all(|facet| facet.field != "judge"),
        "one judge is no choice"
    );
}

#[test]
fn a_filter_that_cannot_be_read_lists_nothing_and_says_why() {
    let session = &mut session();
    let list = juror_session::samples(&session.study(&query("tsk:add").options), &query("tsk:add"));
    let fault = list.fault.unwrap();
    assert_eq!((fault.start, fault.end, list.matched), (0, 3, 0));
    assert_eq!(fault.replacement.as_deref(), Some("task"));
    // While nothing is open, no name can be wrong.
    assert_eq!(
        juror_session::samples(
            &open(&[]).study(&query("tsk:add").options),
            &query("tsk:add")
        )
        .fault,
        None
    );
}

#[test]
fn a_group_that_is_compared_has_a_filter_that_lets_its_samples_through_and_no_others() {
    let session = &mut session();
    let options = ScoreOptions::default();
    let compared = |session: &mut Session, scope: &str, key: &str| {
        let query = CompareQuery {
            scope: scope.to_owned(),
            key: key.to_owned(),
            replicates: 0,
            ..CompareQuery::default()
        };
        juror_session::compare(&session.study(&options), &query).unwrap()
    };
    let scopes = compared(session, "", "").scopes;
    let groups = scopes.iter().flat_map(|info| {
        let keys = info.keys.iter();
        keys.map(|key| (info.scope.as_str(), key.as_str()))
    });
    let mut told = Vec::new();
    for (scope, key) in groups {
        let found = compared(session, scope, key);
        let q = found.filter.unwrap();
        assert_eq!(
            juror_session::samples(&session.study(&query(&q).options), &query(&q)).matched,
            found.samples,
            "{scope} {key}: {q}"
        );
        told.push((scope, key, q));
    }
    let of = |scope: &str, key: &str| {
        let group = told.iter().find(|told| (told.0, told.1) == (scope, key));
        group.map(|(_, _, q)| q.as_str())
    };
    assert_eq!(of("overall", "all"), Some(""));
    assert_eq!(of("domain", "add"), Some("task:add"));
    assert_eq!(of("structure", "local"), Some("structure:local"));
    for (scope, key) in [("turn", "0"), ("domain", "nowhere")] {
        assert_eq!(
            juror_session::group_filter(&session.study(&options), scope, key),
            None
        );
    }
}

#[test]
fn new_replies_are_found_by_a_search_that_was_made_before() {
    let session = &mut session();
    assert_passes(session, "reply~marvellous", &[]);
    let key = juror_model::request::RequestKey {
        model: "a".to_owned(),
        sample: "add/002".to_owned(),
        turn: 0,
        criterion: "judge".to_owned(),
    };
    let pasted = juror_session::view::PastedReply {
        key,
        judge: "me".to_owned(),
        run: 1,
        text: reply(5, "Marvellous."),
        time: "2026-01-01T00:00:00Z".to_owned(),
    };
    assert!(juror_session::paste(session, &pasted).unwrap().kept);
    assert_passes(session, "reply~marvellous", &["002"]);
}

const NUM_DIALOGUES: usize = 120;

/// Whether a text in small letters holds what is looked for.
type IsIn = Box<dyn Fn(&str) -> bool>;

/// Two models' judge files of the same dialogues: `a` writes letters beyond ASCII as escapes, `b` as they are.
fn judge_files() -> [String; 2] {
    let of = |seed| {
        let random = &mut Random::new(seed);
        let dialogue = |idx| Dialogue {
            idx,
            num_pictures: 1,
            num_texts: 1,
        };
        let lines = (0..NUM_DIALOGUES).map(|idx| dialogue(idx).line(random, 50));
        lines.collect::<String>()
    };
    [of(1), of(2).replace("\\u00ef", "ï")]
}

/// Dialogues any of whose replies passes: its raw text or its reason, each in small letters.
fn passing(files: &[&String], passes: impl Fn(&str, &str) -> bool) -> Vec<String> {
    let passes_line = |line: &str| {
        let parsed: Value = serde_json::from_str(line).unwrap();
        let turns = parsed.as_object().unwrap().values();
        let verdicts = turns
            .filter_map(Value::as_object)
            .flat_map(|turn| turn.values());
        let mut reasons = verdicts.map(|verdict| verdict["reasoning"].as_str().unwrap());
        // No key and no domain holds any of the words that are looked for.
        let mut raws = line.split("\"score\"");
        raws.any(|raw| passes(&raw.to_lowercase(), ""))
            || reasons.any(|reason| passes("", &reason.to_lowercase()))
    };
    let lines: Vec<Vec<&str>> = files.iter().map(|file| file.lines().collect()).collect();
    let any = |at: &usize| lines.iter().any(|of_model| passes_line(of_model[*at]));
    (0..NUM_DIALOGUES)
        .filter(any)
        .map(|at| at.to_string())
        .collect()
}

fn judged(files: &[String; 2]) -> Session {
    let dialogue = |idx| Dialogue {
        idx,
        num_pictures: 1,
        num_texts: 1,
    };
    let items = (0..NUM_DIALOGUES).map(|idx| dialogue(idx).item()).collect();
    let list = Value::Array(items).to_string();
    let [a, b] = files;
    let file = |path: &str, text: &str| (path.to_owned(), text.as_bytes().to_vec());
    open(&[
        file("list/test/test.json", &list),
        file("result/a/metrics.jsonl", a),
        file("result/b/metrics.jsonl", b),
    ])
}

/// Asks the fields of texts for a pattern; how many answers hold some dialogues and not all, and whether replies and reasons differ.
fn assert_found(
    session: &mut Session,
    files: &[String; 2],
    pattern: &str,
    is_in: &dyn Fn(&str) -> bool,
) -> (usize, bool) {
    let [a, b] = files;
    let (mut partly, mut differ) = (0, false);
    for (scope, files) in [("", &[a, b][..]), ("model:a ", &[a]), ("model:b ", &[b])] {
        let raw = passing(files, |raw, _| is_in(raw));
        let reason = passing(files, |_, reason| is_in(reason));
        let either = passing(files, |raw, reason| is_in(raw) || is_in(reason));
        for (field, wanted) in [("reply", &raw), ("reason", &reason), ("text", &either)] {
            let q = format!("{scope}{field}~{pattern}");
            assert_eq!(&numbers(session, &query(&q)), wanted, "{q}");
            partly += usize::from(!wanted.is_empty() && wanted.len() < NUM_DIALOGUES);
        }
        differ |= raw != reason;
    }
    (partly, differ)
}

#[test]
fn replies_and_reasons_are_found_as_by_reading_each_of_them() {
    let files = judge_files();
    let session = &mut judged(&files);
    let (mut partly, mut differ) = (0, 0);
    for words in [
        "naïve",
        "NAÏVE the",
        "keeps naïve",
        "ïve",
        "na",
        "missing",
        "00efve",
        "but colour its",
        "colour \"red\"",
        "good.\\n",
        "zebra",
        "its naïve: shape",
    ] {
        let small = words.to_lowercase();
        let quoted = words.replace('\\', "\\\\").replace('"', "\\\"");
        let is_in = |text: &str| text.contains(&small);
        let found = assert_found(session, &files, &format!("\"{quoted}\""), &is_in);
        partly += found.0;
        differ += usize::from(found.1);
    }
    // So often whoever asked the raw replies alone would be wrong.
    assert!(partly > 20 && differ > 3, "{partly} {differ}");
}

#[test]
fn expressions_match_as_by_reading_each_reply() {
    let files = judge_files();
    let session = &mut judged(&files);
    let any =
        |words: &'static [&str]| move |text: &str| words.iter().any(|words| text.contains(words));
    let (mut partly, mut differ) = (0, 0);
    let cases: [(&str, IsIn); 7] = [
        (
            "/keeps (its|shape) but/",
            Box::new(any(&["keeps its but", "keeps shape but"])),
        ),
        ("/na.ve/", Box::new(any(&["naïve"]))),
        (
            "/colours? missing|side/",
            Box::new(any(&["colour missing", "side"])),
        ),
        (
            "/^the picture/",
            Box::new(|text| text.starts_with("the picture")),
        ),
        (
            "/(from|left) THE/",
            Box::new(any(&["from the", "left the"])),
        ),
        ("/u00ef|zebra/", Box::new(any(&["u00ef"]))),
        ("/ze(bra)+/", Box::new(any(&["zebra"]))),
    ];
    for (pattern, is_in) in &cases {
        let found = assert_found(session, &files, pattern, is_in);
        partly += found.0;
        differ += usize::from(found.1);
    }
    assert!(partly > 15 && differ > 2, "{partly} {differ}");
}

/// Asks a list and its facets in parts of so many bytes; what came, and in how many parts.
fn in_parts(session: &mut Session, query: &SampleQuery, bytes: u64) -> (Value, usize) {
    let mut parts = 0;
    let list = loop {
        parts += 1;
        if let Some(list) =
            juror_session::samples_in_parts(&session.study(&query.options), query, bytes)
        {
            break list;
        }
    };
    let facets = loop {
        parts += 1;
        if let Some(facets) =
            juror_session::facets_in_parts(&session.study(&query.options), query, bytes)
        {
            break facets;
        }
    };
    (serde_json::json!([list, facets]), parts)
}

/// An expression without its end.
const UNREAD: &str = "reply~/na.ve";

#[test]
fn a_search_in_parts_finds_what_the_whole_finds_whatever_else_is_asked_meanwhile() {
    let files = judge_files();
    let mut whole = judged(&files);
    let longest = files
        .iter()
        .flat_map(|file| file.lines())
        .map(str::len)
        .max()
        .unwrap();
    for q in [
        "reply~/na.ve|side/",
        "reason~/colours? missing|side/",
        "reason~naïve",
        "-text~/keeps (its|shape) but/ OR reply~/zebra/",
        "reply~/na.ve/ model:a reason~/^the picture/",
        "text~colour",
        UNREAD,
    ] {
        let query = query(q);
        let wanted = serde_json::json!([
            juror_session::samples(&whole.study(&query.options), &query),
            juror_session::facets(&whole.study(&query.options), &query)
        ]);
        for bytes in [1, longest as u64 * 3, u64::MAX] {
            let session = &mut judged(&files);
            let (found, parts) = in_parts(session, &query, bytes);
            assert_eq!(found, wanted, "{q} in parts of {bytes} bytes");
            // What may look into everything, and what cannot be read, takes one part each.
            match bytes {
                1 => assert_eq!(parts > 2, q != UNREAD, "{q}: {parts}"),
                u64::MAX => assert_eq!(parts, 2, "{q}"),
                _ => {}
            }
        }
    }
    // Another list in between, and the whole of this one by another way, change nothing.
    let session = &mut judged(&files);
    let slow = query("reply~/na.ve|side/");
    assert!(juror_session::samples_in_parts(&session.study(&slow.options), &slow, 1).is_none());
    let other = query("reason~/zebra|good/");
    assert_eq!(
        juror_session::samples(&session.study(&other.options), &other).matched,
        juror_session::samples(&whole.study(&other.options), &other).matched
    );
    assert!(juror_session::samples_in_parts(&session.study(&slow.options), &slow, 1).is_none());
    assert_eq!(
        juror_session::samples(&session.study(&slow.options), &slow).matched,
        juror_session::samples(&whole.study(&slow.options), &slow).matched
    );
}
