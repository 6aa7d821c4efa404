use super::*;
use crate::micon::CHECKPOINTS;

fn object() -> &'static Task {
    Task::find("object_composition").unwrap()
}

/// A verdict of the requested form, with these ids failed and these left out.
fn verdict(failed: &[&str], missing: &[&str]) -> String {
    let entries: Vec<String> = object()
        .checkpoints()
        .map(|(at, _)| CHECKPOINT_IDS[at])
        .filter(|id| !missing.contains(id))
        .map(|id| {
            format!(
                "\"{id}\": {{\"pass\": {}}}",
                u8::from(!failed.contains(&id))
            )
        })
        .collect();
    format!(
        "{{\"checkpoint_results\": {{{}}}, \"rationale_short\": \"why\", \"flags\": []}}",
        entries.join(", ")
    )
}

fn faults(reply: &str) -> (Option<Fault>, Option<Fault>) {
    let (paper, released) = read(Some(object()), CHECKPOINTS, reply);
    let fault = |read: Result<Atoms, ReplyFault>| read.err().map(|finding| finding.fault);
    (fault(paper), fault(released))
}

#[test]
fn the_requested_form_reads_the_same_to_both() {
    let reply = verdict(&["D_check_2"], &[]);
    let (paper, released) = read(Some(object()), CHECKPOINTS, &reply);
    let (paper, released) = (paper.unwrap(), released.unwrap());
    for (at, _) in object().checkpoints() {
        assert_eq!(paper[at].to_bits(), released[at].to_bits());
    }
    assert_eq!(paper.iter().filter(|x| **x > 0.5).count(), 14);
    assert_eq!(reason(CHECKPOINTS, &reply), "why");
    let fenced = format!("```json\n{reply}\n```");
    assert_eq!(
        read(Some(object()), CHECKPOINTS, &fenced).0.unwrap()[0..3],
        paper[0..3]
    );
}

#[test]
fn a_missing_checkpoint_is_an_incident_in_paper_and_a_failure_in_released() {
    let reply = verdict(&[], &["A_check_1", "G_check_2"]);
    assert_eq!(faults(&reply), (Some(Fault::Unparsable), None));
    let (paper, released) = read(Some(object()), CHECKPOINTS, &reply);
    let detail = paper.unwrap_err().detail;
    assert!(
        detail.contains("2 checkpoints are missing: A_check_1, G_check_2"),
        "{detail}"
    );
    assert!(released.unwrap()[0].abs() < f64::EPSILON);
}

#[test]
fn values_that_are_not_0_or_1_are_told_apart() {
    let with =
        |value: &str| verdict(&[], &[]).replacen("\"pass\": 1", &format!("\"pass\": {value}"), 1);
    assert_eq!(faults(&with("true")), (None, None));
    assert_eq!(faults(&with("0.5")), (Some(Fault::OutOfRange), None));
    assert_eq!(faults(&with("2")), (Some(Fault::OutOfRange), None));
    assert_eq!(faults(&with("NaN")), (Some(Fault::OutOfRange), None));
    let dropped = (Some(Fault::Unparsable), Some(Fault::Unparsable));
    assert_eq!(faults(&with("\"1\"")), dropped);
    assert_eq!(faults(&with("null")), dropped);
}

#[test]
fn what_stops_the_authors_report_is_a_fault_of_its_own() {
    let flags =
        |flags: &str| verdict(&[], &[]).replace("\"flags\": []", &format!("\"flags\": {flags}"));
    assert_eq!(faults(&flags("null")), (None, Some(Fault::Stops)));
    assert_eq!(faults(&flags("[1]")), (None, Some(Fault::Stops)));
    assert_eq!(faults(&flags("\"x\"")), (None, None));
    assert_eq!(
        faults("{\"overall\": \"high\"}"),
        (Some(Fault::Unparsable), Some(Fault::Stops))
    );
}

#[test]
fn a_verdict_without_checkpoints_keeps_the_judges_own_total_in_released() {
    let judged = |reply: &str| Judged::of(&read(Some(object()), CHECKPOINTS, reply).1.unwrap());
    let mut scores = [None; 6];
    scores[0] = Some(0.9);
    assert_eq!(
        judged("{\"overall\": 87.5, \"scores\": {\"A\": 0.9, \"F\": 1}}"),
        Judged::Own {
            overall: 87.5,
            scores
        }
    );
    let none = Judged::Own {
        overall: 0.0,
        scores: [None; 6],
    };
    assert_eq!(judged("{\"pass\": 1}"), none);
    assert_eq!(
        judged("{\"checkpoint_results\": {}, \"checkpoints\": {\"A_check_1\": 1}}"),
        none
    );
    assert_eq!(faults("{\"overall\": 87.5}").0, Some(Fault::Unparsable));
    assert_eq!(faults("[1, 2]").1, Some(Fault::Unparsable));
}

#[test]
fn failed_calls_are_not_replies() {
    let failed = (Some(Fault::FailedCall), Some(Fault::FailedCall));
    assert_eq!(faults("Error: Connection refused"), failed);
    assert_eq!(
        faults(""),
        (Some(Fault::Unparsable), Some(Fault::Unparsable))
    );
}

#[test]
fn a_details_file_tells_judgements_from_stand_ins() {
    let details = |score: &str, rest: &str| {
        format!("{{\"case_id\": \"c\", \"evaluation_result\": {{\"score\": {score}, {rest}}}}}")
    };
    let read = |reply: &str| {
        let (paper, released) = read(None, CANDIDATE, reply);
        (
            paper.map(|atoms| atoms[0]).map_err(|finding| finding.fault),
            released.unwrap()[0],
        )
    };
    let good = "\"reasoning\": \"r\", \"error\": null, \"parse_error\": null";
    assert_eq!(read(&details("7.5", good)), (Ok(7.5), 7.5));
    for (score, rest, fault) in [
        (
            "5.0",
            "\"reasoning\": \"No MLLM client available for evaluation\", \"error\": null",
            Fault::FailedCall,
        ),
        (
            "0.0",
            "\"reasoning\": \"Evaluation error: timeout\", \"error\": \"timeout\"",
            Fault::FailedCall,
        ),
        (
            "0.0",
            "\"reasoning\": \"Parse error: x\", \"error\": \"x\"",
            Fault::Unparsable,
        ),
        (
            "0.0",
            "\"reasoning\": \"Failed to parse MLLM response\", \"parse_error\": \"x\"",
            Fault::Unparsable,
        ),
        (
            "8.0",
            "\"reasoning\": \"Extracted from non-JSON response\"",
            Fault::Unparsable,
        ),
    ] {
        let (paper, released) = read(&details(score, rest));
        assert_eq!(paper, Err(fault), "{rest}");
        assert!((released - score.parse::<f64>().unwrap()).abs() < f64::EPSILON);
    }
    assert_eq!(reason(CANDIDATE, &details("7.5", good)), "r");
}

#[test]
fn candidate_scores_off_the_scale_are_incidents_in_paper_and_clamped_in_released() {
    for (reply, fault, released) in [
        ("{\"score\": 14}", Fault::OutOfRange, 10.0),
        ("{\"score\": NaN}", Fault::OutOfRange, 10.0),
        ("{\"score\": \"7\"}", Fault::Unparsable, 7.0),
        ("{\"reasoning\": \"x\"}", Fault::Unparsable, 0.0),
        ("score \u{663}.5", Fault::Unparsable, 3.5),
        ("score: 8.", Fault::Unparsable, 8.0),
        ("score8", Fault::Unparsable, 0.0),
    ] {
        let (strict, loose) = read(None, CANDIDATE, reply);
        assert_eq!(strict.unwrap_err().fault, fault, "{reply}");
        assert!(
            (loose.unwrap()[0] - released).abs() < f64::EPSILON,
            "{reply}"
        );
    }
}

#[test]
fn without_the_task_the_checkpoints_themselves_are_shown() {
    let shown = parse(
        None,
        CHECKPOINTS,
        Profile::Paper,
        "{\"A_check_1\": 1, \"B_check_1\": 0}",
    );
    let expected = BTreeMap::from([("A_check_1".to_owned(), 1.0), ("B_check_1".to_owned(), 0.0)]);
    assert!(matches!(shown, ParsedReply::Ok { criteria, score: None, .. } if criteria == expected));
    let total = parse(
        Some(object()),
        CHECKPOINTS,
        Profile::Released,
        &verdict(&["A_check_1", "D_check_2"], &[]),
    );
    assert!(matches!(total, ParsedReply::Ok { score: Some(x), .. } if (x - 83.0).abs() < 1e-12));
}

#[test]
fn what_the_authors_python_makes_of_odd_numbers_is_never_a_silent_null() {
    let long = "9".repeat(400);
    let with =
        |value: &str| verdict(&[], &[]).replacen("\"pass\": 1", &format!("\"pass\": {value}"), 1);
    // An int of Python's that no float holds: OverflowError, and the case is dropped.
    let found = read(Some(object()), CHECKPOINTS, &with(&long))
        .1
        .unwrap_err();
    assert_eq!(found.fault, Fault::Unparsable);
    assert!(found.detail.contains("OverflowError"), "{}", found.detail);
    for (value, wanted) in [("NaN", "is NaN"), ("1e400", "is infinite")] {
        match parse(Some(object()), CHECKPOINTS, Profile::Released, &with(value)) {
            ParsedReply::Incident { detail, .. } => assert!(detail.contains(wanted), "{detail}"),
            ParsedReply::Ok { .. } => panic!("{value}"),
        }
        let alone = format!("{{\"A_check_1\": {value}}}");
        let parsed = parse(None, CHECKPOINTS, Profile::Released, &alone);
        assert!(matches!(parsed, ParsedReply::Incident { .. }), "{value}");
    }
    let candidate = |reply: &str| released_candidate_read(reply).score;
    let as_python = [
        (String::new(), 0.0),
        (format!("{{\"score\": {long}}}"), 0.0),
        (format!("{{\"score\": \"{long}\"}}"), 10.0),
        ("{\"score\": 1e400}".to_owned(), 10.0),
        ("\u{17f}core: 8".to_owned(), 8.0),
        ("\u{17f}cor: 8".to_owned(), 0.0),
    ];
    for (reply, wanted) in as_python {
        assert!((candidate(&reply) - wanted).abs() < f64::EPSILON, "{reply}");
    }
}
