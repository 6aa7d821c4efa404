#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::sync::OnceLock;

use juror_model::ability::Ability;
use juror_protocols::registry::ALL;

use super::*;

/// Those of the one benchmark that has any.
fn loops() -> &'static Loops {
    static LOOPS: OnceLock<Loops> = OnceLock::new();
    LOOPS.get_or_init(|| {
        let mut all = ALL.iter().filter_map(|protocol| Loops::of(*protocol));
        all.next().unwrap()
    })
}

const PNG: &[u8] = b"\x89PNG\r\n\x1a\n";

fn set(framework: Framework) -> Set {
    Set {
        name: "Made".to_owned(),
        framework,
        planner: "planner-1".to_owned(),
        generator: "generator-1".to_owned(),
    }
}

fn start(framework: Framework, num_references: u32) -> Start<'static> {
    Start {
        loops: loops(),
        framework,
        instruction: "Put the cat on the sofa.",
        num_references,
        steps: 3,
    }
}

fn unknown(_: &Call) -> Option<String> {
    None
}

/// A trajectory with somebody who answers its calls.
struct Run {
    start: Start<'static>,
    records: Vec<Record>,
}

impl Run {
    fn new(framework: Framework, num_references: u32) -> Self {
        Self {
            start: start(framework, num_references),
            records: Vec::new(),
        }
    }

    fn trajectory(&self) -> Trajectory<'_> {
        let records: Vec<&Record> = self.records.iter().collect();
        follow(&self.start, &records, &unknown)
    }

    /// The call that is due.
    fn call(&self) -> Option<Call> {
        call_of(&self.start, &self.trajectory())
    }

    /// Answers the call that is due: a picture with these bytes, or the planner with this text.
    fn answer(&mut self, text: &str) -> Call {
        let call = self.call().unwrap();
        let mut record = Record::draft(loops(), &set(self.start.framework), "add/002", &call, None);
        if call.kind == Kind::Picture {
            record = record
                .with_picture(&[PNG, text.as_bytes()].concat())
                .unwrap();
        } else {
            record.reply = text.to_owned();
        }
        self.records.push(record);
        call
    }

    fn sha256(&self, step: usize) -> String {
        let trajectory = self.trajectory();
        let made = trajectory.steps[step - 1].picture.unwrap();
        made.picture.clone().unwrap().sha256
    }
}

#[test]
fn each_benchmark_that_says_that_it_has_agents_returns_its_loops() {
    for protocol in ALL {
        assert_eq!(
            Loops::of(*protocol).is_some(),
            protocol.can(Ability::Agents),
            "{}",
            protocol.id()
        );
    }
    assert!(ALL.iter().any(|protocol| protocol.can(Ability::Agents)));
    assert!(!ALL.iter().all(|protocol| protocol.can(Ability::Agents)));
}

#[test]
fn ipr_makes_every_picture_anew_from_all_references_and_the_planners_words() {
    let mut run = Run::new(Framework::Ipr, 2);
    let first = run.answer("one");
    assert_eq!(first.text, "Put the cat on the sofa.");
    assert_eq!(
        first.parts(),
        [
            ContentPart::Text(&first.text),
            ContentPart::Reference(0),
            ContentPart::Reference(1)
        ]
    );
    let plan = run.answer(" \u{3000}A grey cat on the sofa.\n");
    let made = run.sha256(1);
    assert_eq!(
        plan.parts(),
        [
            ContentPart::Text(&plan.text),
            ContentPart::Reference(0),
            ContentPart::Reference(1),
            ContentPart::Generated(&made)
        ]
    );
    assert!(
        plan.text
            .contains("<prompt>\nPut the cat on the sofa.\n</prompt>")
    );
    let second = run.answer("two");
    assert_eq!(
        (&*second.text, second.given),
        ("A grey cat on the sofa.", None)
    );
    let plan = run.answer("A grey cat, asleep.");
    // The prompt that the planner sees is the one that made the picture, not the set's.
    assert!(
        plan.text
            .contains("<prompt>\nA grey cat on the sofa.\n</prompt>")
    );
    assert!(!plan.text.contains("Put the cat"));
    assert_eq!(run.answer("three").text, "A grey cat, asleep.");
    assert_eq!((run.trajectory().due, run.call()), (Due::Done, None));
    assert_eq!(run.records.len(), 5);
}

#[test]
fn cafg_shows_the_previous_picture_last_and_says_so_from_the_second_step_on() {
    let mut run = Run::new(Framework::Cafg, 2);
    let mut ipr = Run::new(Framework::Ipr, 2);
    assert_eq!(run.answer("one").parts(), ipr.answer("one").parts());
    // Both ask the planner the same.
    assert_eq!(run.answer("Next.").text, ipr.answer("Next.").text);
    let made = run.sha256(1);
    let second = run.answer("two");
    assert_eq!(
        second.parts()[1..],
        [
            ContentPart::Reference(0),
            ContentPart::Reference(1),
            ContentPart::Generated(&made)
        ]
    );
    let note = &loops().previous_picture;
    assert_eq!(second.text, format!("Next.\n\n{note}"));
    assert_eq!(ipr.answer("two").text, "Next.");
}

#[test]
fn sra_shows_the_references_that_the_planner_chose_and_the_planner_all() {
    let mut run = Run::new(Framework::Sra, 4);
    assert_eq!(run.answer("one").references, [0, 1, 2, 3]);
    let plan = run.answer("```json\n{\"indices\": [3, 1, 3], \"prompt\": \" Next. \"}\n```");
    assert!(plan.text.contains("the indices 0 to 3") && !plan.text.contains(request_field()));
    assert_eq!(plan.references, [0, 1, 2, 3]);
    let made = run.sha256(1);
    let second = run.answer("two");
    assert_eq!(
        second.parts()[1..],
        [
            ContentPart::Reference(1),
            ContentPart::Reference(3),
            ContentPart::Generated(&made)
        ]
    );
    assert!(second.text.starts_with("Next.\n\n"));
    assert_eq!(run.answer("no JSON").references, [0, 1, 2, 3]);
    let third = run.call().unwrap();
    assert_eq!(
        (&*third.prompt, &*third.references),
        ("Next.", &[0, 1, 2, 3][..])
    );
}

fn request_field() -> &'static str {
    "{last_index}"
}

#[test]
fn an_empty_list_of_indices_stops_and_its_picture_stands_for_the_later_steps() {
    let mut run = Run::new(Framework::Sra, 2);
    run.answer("one");
    run.answer("{\"indices\": [], \"prompt\": 5}");
    let trajectory = run.trajectory();
    assert_eq!(trajectory.due, Due::Stopped { step: 1 });
    let first = trajectory.steps[0].picture.unwrap().picture.as_ref();
    assert!(first.is_some());
    assert_eq!(
        (trajectory.picture_of(1), trajectory.picture_of(3)),
        (first, first)
    );
    assert_eq!(run.call(), None);
    // A trajectory that merely waits has no later pictures.
    let mut waiting = Run::new(Framework::Sra, 2);
    waiting.answer("one");
    waiting.answer("{\"indices\": [0], \"prompt\": \"B\"}");
    assert_eq!(waiting.trajectory().picture_of(2), None);
}

#[test]
fn replies_of_sra_are_read_to_the_letter() {
    let read = |text: &str| plan::read(&start(Framework::Sra, 3), "before", text);
    let fit = |text: &str| {
        let plan = read(text);
        (
            plan.prompt,
            plan.references,
            plan.mark.map(|mark| mark.kind),
        )
    };
    let kept = || {
        (
            "before".to_owned(),
            vec![0, 1, 2],
            Some("bad_reply".to_owned()),
        )
    };
    let good = |references: &[u32]| ("B".to_owned(), references.to_vec(), None::<String>);
    assert_eq!(
        fit("{\"indices\": [2, 0], \"prompt\": \"B\"}"),
        good(&[0, 2])
    );
    assert_eq!(
        fit("```{\"indices\": [1], \"prompt\": \"B\\n\"}```"),
        good(&[1])
    );
    for text in [
        "",
        "B",
        "{\"indices\": [0], \"prompt\": \"B\"} Done.",
        "Here: {\"indices\": [0], \"prompt\": \"B\"}",
        "[{\"indices\": [0], \"prompt\": \"B\"}]",
        "{\"prompt\": \"B\"}",
        "{\"indices\": [0]}",
        "{\"indices\": [0], \"prompt\": null}",
        "{\"indices\": 0, \"prompt\": \"B\"}",
        "{\"indices\": null, \"prompt\": \"B\"}",
        "{\"indices\": [3, -1], \"prompt\": \"B\"}",
        "{\"indices\": [\"0\"], \"prompt\": \"B\"}",
    ] {
        assert_eq!(fit(text), kept(), "{text}");
        assert!(!read(text).stops, "{text}");
    }
    // What is no index of a reference is dropped and told; 1.0, true and "1" are no whole numbers.
    let (prompt, references, mark) =
        fit("{\"indices\": [3, 1.0, true, \"1\", 2], \"prompt\": \"B\"}");
    assert_eq!(
        (&*prompt, &*references, mark.as_deref()),
        ("B", &[2][..], Some("dropped_indices"))
    );
    let message = read("{\"indices\": [3, 1.0, 2], \"prompt\": \"B\"}")
        .mark
        .unwrap()
        .message;
    assert_eq!(message, "No index of a reference: 3, 1.0.");
    let (prompt, references, mark) = fit("{\"indices\": [1], \"prompt\": \" \"}");
    assert_eq!(
        (&*prompt, &*references, mark.as_deref()),
        ("before", &[1][..], Some("empty_reply"))
    );
}

#[test]
fn an_empty_reply_keeps_the_prompt_and_any_other_text_is_the_prompt() {
    for framework in [Framework::Ipr, Framework::Cafg] {
        let read = |text: &str| plan::read(&start(framework, 2), "before", text);
        assert_eq!(read(" \n").prompt, "before");
        assert_eq!(read("").mark.unwrap().kind, "empty_reply");
        for text in ["\"A\"", "{\"indices\": []}", "```A```"] {
            let plan = read(&format!("\n{text} "));
            assert_eq!((&*plan.prompt, plan.mark, plan.stops), (text, None, false));
        }
    }
}

#[test]
fn a_trajectory_goes_on_from_what_was_kept() {
    let mut run = Run::new(Framework::Cafg, 2);
    for text in ["one", "Next.", "two", "Last.", "three"] {
        run.answer(text);
    }
    for kept in 0..=run.records.len() {
        let records: Vec<&Record> = run.records[..kept].iter().collect();
        let due = follow(&run.start, &records, &unknown).due;
        let expected = [
            Due::Picture { step: 1 },
            Due::Plan { step: 1 },
            Due::Picture { step: 2 },
            Due::Plan { step: 2 },
            Due::Picture { step: 3 },
            Due::Done,
        ];
        assert_eq!(due, expected[kept]);
        assert_eq!(due.calls(3).len(), 5 - kept);
    }
    // More steps go on where fewer ended, from the plan that was not asked for then.
    run.start.steps = 4;
    assert_eq!(run.trajectory().due, Due::Plan { step: 3 });
    run.start.steps = 1;
    assert_eq!(run.trajectory().due, Due::Done);
}

#[test]
fn what_does_not_fit_is_made_again_from_there() {
    let mut run = Run::new(Framework::Ipr, 2);
    for text in ["one", "Next.", "two", "Last.", "three"] {
        run.answer(text);
    }
    let records: Vec<&Record> = run.records.iter().collect();
    let due = |start: &Start<'_>, records: &[&Record], hash: &dyn Fn(&Call) -> Option<String>| {
        follow(start, records, hash).due
    };
    // Another instruction, another number of references, a missing record.
    let other = Start {
        instruction: "Other.",
        ..run.start
    };
    assert_eq!(due(&other, &records, &unknown), Due::Picture { step: 1 });
    let more = Start {
        num_references: 3,
        ..run.start
    };
    assert_eq!(due(&more, &records, &unknown), Due::Picture { step: 1 });
    let gap = [records[0], records[2], records[3], records[4]];
    assert_eq!(due(&run.start, &gap, &unknown), Due::Plan { step: 1 });
    // A first picture that was made again makes the plan that saw the other one another question.
    let mut again = run.records[0].clone();
    again = again.with_picture(&[PNG, b"other"].concat()).unwrap();
    let changed = [&again, records[1], records[2]];
    assert_eq!(due(&run.start, &changed, &unknown), Due::Plan { step: 1 });
    // Where both are there, the one counts that the trajectory went on from.
    let both = [
        &again, records[0], records[1], records[2], records[3], records[4],
    ];
    assert_eq!(due(&run.start, &both, &unknown), Due::Done);
}

#[test]
fn a_changed_reference_is_noticed_once_its_content_is_known() {
    let mut run = Run::new(Framework::Ipr, 2);
    let hash = |second: &'static str| {
        move |call: &Call| {
            call.hash(loops(), |index| {
                Some(if index == 0 { "aa" } else { second })
            })
        }
    };
    let call = run.answer("one");
    run.records[0].request = hash("bb")(&call);
    let records: Vec<&Record> = run.records.iter().collect();
    let due = |hash: &dyn Fn(&Call) -> Option<String>| follow(&run.start, &records, hash).due;
    assert_eq!(due(&hash("bb")), Due::Plan { step: 1 });
    assert_eq!(due(&unknown), Due::Plan { step: 1 });
    assert_eq!(due(&hash("cc")), Due::Picture { step: 1 });
    assert_eq!(
        call.hash(loops(), |index| (index == 0).then_some("aa")),
        None
    );
}

#[test]
fn a_failed_call_is_told_and_is_due_again() {
    let mut run = Run::new(Framework::Ipr, 1);
    run.answer("one");
    let call = run.call().unwrap();
    let mut record = Record::draft(loops(), &set(Framework::Ipr), "add/002", &call, None);
    record.error = Some("server: It failed.".to_owned());
    run.records.push(record);
    let trajectory = run.trajectory();
    assert_eq!(trajectory.due, Due::Plan { step: 1 });
    let failed = trajectory.steps[0].failed.unwrap();
    assert_eq!(failed.error.as_deref(), Some("server: It failed."));
    run.answer("Next.");
    assert!(
        run.trajectory()
            .steps
            .iter()
            .all(|step| step.failed.is_none())
    );
}

#[test]
fn a_prompt_with_a_fields_name_in_it_stays_as_it_is() {
    let odd = Start {
        instruction: "Write {prompt} and {last_index} on it.",
        ..start(Framework::Sra, 2)
    };
    let call = request::plan(&odd, 1, odd.instruction, "aa");
    assert!(
        call.text
            .contains("<prompt>\nWrite {prompt} and {last_index} on it.\n</prompt>")
    );
    assert!(call.grammar().contains("from 0 to 1"));
}

#[test]
fn records_are_written_and_read_again_and_foreign_files_are_none() {
    let mut run = Run::new(Framework::Sra, 2);
    run.answer("one");
    run.answer("{\"indices\": [0], \"prompt\": \"B\"}");
    let text = write(&run.records);
    let file = read(&(text.clone() + "\n{half")).unwrap();
    assert_eq!(file.records, run.records);
    assert_eq!(file.bad_lines.len(), 1);
    assert_eq!(file.bad_lines[0].0, 4);
    assert!(
        text.contains("\"framework\":\"sra\"")
            && text.contains("Made +SRA step 1/add/002_generated.png")
    );
    assert!(read("{\"format\": \"juror-journal/1\"}").is_none());
    let other = text.replace("trajectory/1", "trajectory/9");
    assert!(read(&other).is_none());
}

#[test]
fn a_set_is_named_as_a_folder_can_be() {
    for (name, is_good) in [
        ("Nano Banana", true),
        ("", false),
        ("a/b", false),
        (" a", false),
        (".a", false),
        ("a:b", false),
    ] {
        let set = Set {
            name: name.to_owned(),
            ..set(Framework::Ipr)
        };
        assert_eq!(set.check().is_ok(), is_good, "{name}");
    }
    let nameless = Set {
        planner: " ".to_owned(),
        ..set(Framework::Ipr)
    };
    assert!(nameless.check().is_err());
}
