//! `juror agents` with a planner and a generator on this machine: what is sent when, what is kept, and what is paid for once.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::process::{Command, Stdio};

use juror_agents::{AgentScope, Framework, Kind, Record, Set};
use juror_judging::base64;
use juror_model::prompt::sha256;
use juror_tests::generate::{open, tiny_png};
use juror_tests::program::{Folder, demo_suite, demos};
use serde_json::{Value, json};

use super::service::{self, Seen, Service};

const KEY: &str = "sk-abc/DEF+123._x-9876543210";

/// Two samples of two references in `bench`.
pub(super) fn suite() -> Folder {
    let folder = Folder::default();
    for (number, words) in [("001", "Join them."), ("002", "Join those.")] {
        folder.write(&format!("bench/add/{number}_prompt.txt"), words.as_bytes());
        for index in 0..2 {
            let grey = number.as_bytes()[2] * 2 + index;
            folder.write(&format!("bench/add/{number}_{index}.png"), &tiny_png(grey));
        }
    }
    folder
}

pub(super) fn chat(reply: &str) -> String {
    let choice = json!({"message": {"content": reply}, "finish_reason": "stop"});
    let body =
        json!({"choices": [choice], "usage": {"prompt_tokens": 100, "completion_tokens": 10}});
    service::answer(200, "", &body.to_string())
}

pub(super) fn openai(picture: &[u8]) -> String {
    let body = json!({"data": [{"b64_json": base64(picture)}]});
    service::answer(200, "", &body.to_string())
}

pub(super) fn is_plan(seen: &Seen) -> bool {
    seen.head.starts_with("POST /v1/chat/completions ")
}

/// The picture that is made for the request of this number.
pub(super) fn made(number: usize) -> Vec<u8> {
    tiny_png(u8::try_from(number + 150).unwrap())
}

/// A planner and a generator at one address; every plan is this reply.
fn studio(reply: &'static str) -> Service {
    Service::start(move |number, seen| {
        Some(if is_plan(seen) {
            chat(reply)
        } else {
            openai(&made(number))
        })
    })
}

/// The words of a command that asks for loops over `bench`.
pub(super) fn words(service: &Service, framework: &str, more: &str) -> String {
    let address = service.address;
    let words = format!(
        "agents bench --out out --framework {framework} --planner-wire openai --planner-base http://{address} --planner-model p --generator-wire openai --generator-base http://{address} --generator-model g --name N {more}"
    );
    words.trim_end().to_owned()
}

#[track_caller]
pub(super) fn run(suite: &Folder, words: &str, code: i32) -> (String, String) {
    let (found, out, said) = suite.run(words);
    assert_eq!(found, code, "{out}\n{said}");
    (out, said)
}

fn journal(suite: &Folder) -> String {
    std::fs::read_to_string(suite.path("out/trajectories.jsonl")).unwrap()
}

/// The records of the journal, each of which can be read.
#[track_caller]
pub(super) fn kept(suite: &Folder) -> Vec<Record> {
    let file = juror_agents::read(&journal(suite)).unwrap();
    assert!(file.bad_lines.is_empty());
    file.records
}

fn picture(suite: &Folder, framework: &str, step: u32, sample: &str) -> Option<Vec<u8>> {
    let path = format!("out/N +{framework} step {step}/{sample}_generated.png");
    std::fs::read(suite.path(&path)).ok()
}

fn scope(framework: Framework) -> AgentScope {
    AgentScope {
        set: Set {
            name: "N".to_owned(),
            framework,
            planner: "p".to_owned(),
            generator: "g".to_owned(),
        },
        steps: 3,
        domains: Vec::new(),
        per_domain: 0,
    }
}

/// The files below these folders, with their paths.
fn files(suite: &Folder, folders: &[&str]) -> Vec<(String, Vec<u8>)> {
    let walk = folders.iter().flat_map(|folder| {
        let walk = walkdir::WalkDir::new(suite.path(folder)).sort_by_file_name();
        let found = walk.into_iter().map(Result::unwrap);
        found.filter(|entry| entry.file_type().is_file())
    });
    let root = suite.path("");
    walk.map(|entry| {
        let path = entry.path().strip_prefix(&root).unwrap();
        let path = path.to_string_lossy().into_owned();
        (path, std::fs::read(entry.path()).unwrap())
    })
    .collect()
}

#[test]
fn a_whole_run_leaves_a_model_for_each_step_that_is_scored_and_nothing_to_ask() {
    for (framework, label) in [("ipr", "IPR"), ("cafg", "CAFG"), ("sra", "SRA")] {
        let suite = suite();
        let service = studio("{\"indices\": [1], \"prompt\": \"Brighter.\"}");
        let asked = words(&service, framework, "");
        let (_, said) = run(&suite, &asked, 0);
        assert!(said.contains("juror: 10 of 10 answered"), "{said}");
        assert!(said.contains("2 loops are at their end in out, 0 of them ended by"));
        let seen = service.seen();
        assert_eq!(seen.iter().filter(|seen| is_plan(seen)).count(), 4);
        let records = kept(&suite);
        assert_eq!(records.len(), 10);
        for made in records.iter().filter_map(|record| record.picture.as_ref()) {
            let bytes = std::fs::read(suite.path("out").join(&made.path)).unwrap();
            assert_eq!(sha256(&bytes), made.sha256);
        }
        assert!(
            records
                .iter()
                .all(|record| record.by == "call" && record.request.is_some())
        );
        let mut command = suite.command("score bench");
        command.args([
            format!("out/N +{label} step 3"),
            format!("out/N +{label} step 1"),
        ]);
        let (_, scored, said) = Folder::ran(command);
        for step in [1, 3] {
            assert!(
                scored.contains(&format!("N +{label} step {step}")),
                "{said}"
            );
        }
        assert!(!scored.contains(&format!("N +{label} step 2")), "{scored}");
        let text = journal(&suite);
        let (_, said) = run(&suite, &asked, 0);
        assert!(said.contains("there is nothing to ask"), "{said}");
        assert!(said.contains("2 at their end already"), "{said}");
        assert_eq!((service.seen().len(), journal(&suite)), (10, text));
        // One step more is asked for from the plan that was not needed before.
        run(&suite, &(asked + " --steps 4"), 0);
        assert_eq!(service.seen().len(), 14);
    }
}

#[test]
fn the_page_goes_on_with_the_folder_and_the_command_with_the_pages_export() {
    let (suite, service) = (suite(), studio("Brighter."));
    run(&suite, &words(&service, "ipr", "--limit 1"), 0);
    let mut opened = open(&files(&suite, &["bench", "out"]));
    let plan = juror_session::plan_agents(&opened.linked(), &scope(Framework::Ipr));
    assert_eq!(
        (plan.finished, plan.tasks.len(), plan.problem),
        (1, 1, None)
    );
    assert_eq!(juror_session::trajectories(&opened), journal(&suite));
    let names = juror_session::agent_export(&opened.linked()).into_iter();
    let names: Vec<String> = names
        .map(|file| file.name.replacen("agents", "out", 1))
        .collect();
    let there = files(&suite, &["out"]).into_iter().map(|(path, _)| path);
    let mut there: Vec<String> = there.filter(|path| path.ends_with("png")).collect();
    there.sort();
    assert_eq!(names, there);
    // Without the folder nothing is at its end.
    let mut bare = open(&files(&suite, &["bench"]));
    let plan = juror_session::plan_agents(&bare.linked(), &scope(Framework::Ipr));
    assert_eq!((plan.finished, plan.tasks.len()), (0, 2));

    let exported = Folder::default();
    for (path, bytes) in demo_suite("multibanana-extra") {
        exported.write(&path, &bytes);
    }
    let bench = demos().join("multibanana/data").display().to_string();
    let text = std::fs::read_to_string(exported.path("agents/trajectories.jsonl")).unwrap();
    let first = juror_agents::read(&text).unwrap().records.remove(0);
    let Set {
        name,
        planner,
        generator,
        framework,
    } = first.set;
    let asked = words(&service, framework.id(), "--dry-run")
        .replace(" bench ", &format!(" {bench} "))
        .replace("--out out", "--out agents")
        .replace("--planner-model p", &format!("--planner-model {planner}"))
        .replace(
            "--generator-model g",
            &format!("--generator-model {generator}"),
        )
        .replace("--name N", &format!("--name {name}"));
    let (_, said) = run(&exported, &asked, 0);
    let mut session = open(&demo_suite("multibanana"));
    let records = juror_agents::read(&text).unwrap().records;
    let steps = records.iter().map(|record| record.step).max().unwrap();
    juror_session::add_trajectories(&mut session, records);
    let set = Set {
        name,
        framework,
        planner,
        generator,
    };
    let plan = juror_session::plan_agents(
        &session.linked(),
        &AgentScope {
            set,
            steps: 3,
            ..scope(framework)
        },
    );
    assert!(steps == 3 && plan.finished > 0, "{said}");
    assert!(
        said.contains(&format!("{} at their end already", plan.finished)),
        "{said}"
    );
}

#[test]
fn a_killed_run_pays_for_nothing_twice() {
    let suite = suite();
    let service = Service::start(|number, seen| match (number, is_plan(seen)) {
        (3, _) => None,
        (_, true) => Some(chat("Brighter.")),
        (_, false) => Some(openai(&made(number))),
    });
    let asked = words(&service, "cafg", "--concurrency 1");
    let mut child = suite.command(&asked).stderr(Stdio::null()).spawn().unwrap();
    service.silent.recv().unwrap();
    let (_, said) = run(&suite, &asked, 2);
    assert!(
        said.contains("is written by another juror agents"),
        "{said}"
    );
    child.kill().unwrap();
    child.wait().unwrap();
    let before = kept(&suite);
    assert_eq!(before.len(), 3);
    // What a run leaves that is killed in the middle of a line, and one before a picture has its name.
    let text = journal(&suite);
    let half = &text[..text.find("\"sample\"").unwrap()];
    suite.write("out/trajectories.jsonl", format!("{text}{half}").as_bytes());
    let newest = before
        .iter()
        .rev()
        .find_map(|record| record.picture.clone())
        .unwrap();
    let path = suite.path("out").join(&newest.path);
    let part = path.with_extension("png.part");
    std::fs::rename(&path, &part).unwrap();
    let (_, said) = run(&suite, &asked, 0);
    assert!(said.contains("ended in the middle of a line"), "{said}");
    assert!(said.contains("7 of 7 answered"), "{said}");
    assert!(path.exists() && !part.exists());
    assert_eq!(service.seen().len(), 11);
    let twice: Vec<usize> = (service.bodies().into_values())
        .filter(|count| *count > 1)
        .collect();
    assert_eq!(
        twice,
        [2],
        "only the one that was not answered is sent again"
    );
    let records = kept(&suite);
    assert_eq!(records.len(), 10);
    let requests: std::collections::BTreeSet<_> = records
        .iter()
        .map(|record| {
            (
                record.sample.clone(),
                record.step,
                record.kind,
                record.request.clone(),
            )
        })
        .collect();
    assert_eq!(requests.len(), 10);
    let (_, said) = run(&suite, &asked, 0);
    assert!(said.contains("there is nothing to ask"), "{said}");
    assert_eq!(service.seen().len(), 11);
}

#[test]
fn a_plan_that_cannot_be_read_is_named_and_an_empty_choice_ends_the_loop() {
    let suite = suite();
    let service = Service::start(|number, seen| {
        let is_first = seen.body.contains("Join them.");
        Some(match (is_plan(seen), is_first) {
            (true, true) => chat("Make it brighter."),
            (true, false) => chat("{\"indices\": []}"),
            (false, _) => openai(&made(number)),
        })
    });
    let (_, said) = run(&suite, &words(&service, "sra", "--concurrency 1"), 0);
    assert!(
        said.contains("sample add/001, the plan for picture 2: bad_reply: "),
        "{said}"
    );
    assert!(
        said.contains("2 loops are at their end in out, 1 of them ended by the planner"),
        "{said}"
    );
    let records = kept(&suite);
    let of = |sample: &str, kind| {
        let own = records
            .iter()
            .filter(|one| one.sample == sample && one.kind == kind);
        own.cloned().collect::<Vec<_>>()
    };
    let pictures = of("add/001", Kind::Picture);
    assert_eq!(pictures.len(), 3);
    for made in &pictures {
        assert_eq!(
            (made.prompt.as_str(), &*made.references),
            ("Join them.", &[0, 1][..])
        );
    }
    assert_eq!(
        (
            of("add/002", Kind::Picture).len(),
            of("add/002", Kind::Plan).len()
        ),
        (1, 1)
    );
    // Its one picture is that of the later steps too.
    let first = picture(&suite, "SRA", 1, "add/002");
    assert!(first.is_some());
    for step in [2, 3] {
        assert_eq!(picture(&suite, "SRA", step, "add/002"), first);
        assert_ne!(picture(&suite, "SRA", step, "add/001"), first);
    }
    let (_, said) = run(&suite, &words(&service, "sra", ""), 0);
    assert!(said.contains("there is nothing to ask"), "{said}");
}

#[test]
fn services_that_ask_for_a_pause_are_asked_again() {
    let suite = suite();
    let service = Service::start(|number, seen| match (number, is_plan(seen)) {
        (0 | 2, _) => Some(service::answer(429, "retry-after: 0\r\n", "Slow down.")),
        (_, true) => Some(chat("Brighter.")),
        (_, false) => Some(openai(&made(number))),
    });
    let asked = words(&service, "ipr", "--limit 1 --steps 2 --concurrency 1");
    let (_, said) = run(&suite, &asked, 0);
    assert!(said.contains("3 of 3 answered, 2 retries"), "{said}");
    assert_eq!((service.seen().len(), kept(&suite).len()), (5, 3));
    // With one attempt each the loop is missing, and goes on in the next run.
    let busy = Service::start(|_, _| Some(service::answer(503, "", "Busy.")));
    let asked = words(&busy, "cafg", "--limit 1 --max-attempts 1");
    let (_, said) = run(&suite, &asked, 1);
    assert!(
        said.contains("missing: sample add/001, picture 1: server: "),
        "{said}"
    );
    let (_, said) = run(&suite, &asked, 1);
    assert!(said.contains("0 of 1 answered"), "{said}");
    assert_eq!(busy.seen().len(), 2);
}

#[test]
fn what_a_service_declines_ends_its_loop_and_is_asked_again_only_where_that_is_meant() {
    let suite = suite();
    let declined = json!({"error": {"code": "moderation_blocked", "message": "Not this."}});
    let service = Service::start(move |number, seen| {
        Some(match (is_plan(seen), number) {
            (true, _) => chat("Brighter."),
            (false, 0) => service::answer(400, "", &declined.to_string()),
            (false, _) => openai(&made(number)),
        })
    });
    let asked = words(&service, "ipr", "--concurrency 1");
    let (_, said) = run(&suite, &asked, 1);
    let missing = "missing: sample add/001, picture 1: content_filter: Not this.";
    assert!(said.contains(missing), "{said}");
    let records = kept(&suite);
    assert_eq!(service.seen().len(), 6);
    assert!(
        records
            .iter()
            .any(|record| record.sample == "add/001" && record.is_declined())
    );
    let (_, said) = run(&suite, &asked, 1);
    assert!(
        said.contains(missing) && said.contains("--again asks once more"),
        "{said}"
    );
    assert_eq!(service.seen().len(), 6);
    // With other parameters it is another request.
    let sized = words(
        &service,
        "ipr",
        "--generator-extra {\"size\":\"auto\"} --dry-run",
    );
    let (_, said) = run(&suite, &sized, 0);
    assert!(
        said.contains("juror: 1 sample: at most 3 pictures"),
        "{said}"
    );
    run(&suite, &format!("{asked} --again"), 0);
    assert_eq!(service.seen().len(), 11);
    run(&suite, &asked, 0);
    assert_eq!(service.seen().len(), 11);
}

/// A picture whose bytes are text as well.
fn bmp() -> String {
    let mut bytes = b"BM".to_vec();
    for number in [58_u32, 0, 54, 40, 1, 1] {
        bytes.extend(number.to_le_bytes());
    }
    bytes.extend([1, 0, 24, 0]);
    for number in [0_u32, 4, 0, 0, 0, 0] {
        bytes.extend(number.to_le_bytes());
    }
    bytes.extend([60, 70, 80, 0]);
    String::from_utf8(bytes).unwrap()
}

#[test]
fn the_address_of_a_picture_is_fetched_only_from_a_host_that_was_named_and_paid_for_once() {
    let suite = suite();
    let other = Service::start(|_, _| Some(service::answer(200, "", &bmp())));
    let place = other.address;
    let service = Service::start(move |_, _| {
        let body = json!({"data": [{"url": format!("http://{place}/a.bmp?key=1")}]});
        Some(service::answer(200, "", &body.to_string()))
    });
    let asked = words(
        &service,
        "ipr",
        "--limit 1 --steps 1 --generator-key-env JUROR_TEST_KEY",
    );
    let with_key = |words: &str| -> Command {
        let mut command = suite.command(words);
        command.env("JUROR_TEST_KEY", KEY);
        command
    };
    let (code, _, said) = Folder::ran(with_key(&asked));
    assert_eq!(code, 1, "{said}");
    assert!(
        said.contains("unnamed_host: The picture is at 127.0.0.1:"),
        "{said}"
    );
    assert!(
        said.contains("stopped: ") && said.contains("name it by --host"),
        "{said}"
    );
    assert_eq!((service.seen().len(), other.seen().len()), (1, 0));
    let [failed]: [Record; 1] = kept(&suite).try_into().unwrap();
    assert!(failed.body.unwrap().contains("a.bmp"));
    // The answer is paid for: it is read again, and only its picture is fetched, without the key.
    let (code, _, said) = Folder::ran(with_key(&format!("{asked} --host {place}")));
    assert_eq!(code, 0, "{said}");
    assert_eq!((service.seen().len(), other.seen().len()), (1, 1));
    let Seen { head, .. } = other.seen().remove(0);
    assert!(
        head.starts_with("GET /a.bmp?key=1 ") && !head.contains(KEY),
        "{head}"
    );
    let path = suite.path("out/N +IPR step 1/add/001_generated.bmp");
    assert_eq!(std::fs::read(path).unwrap(), bmp().as_bytes());
    // Bytes that are no picture are asked for again, and never kept as one.
    let broken = Service::start(|_, _| Some(openai(&tiny_png(9)[..40])));
    let asked = words(&broken, "cafg", "--limit 1 --steps 1 --max-attempts 1");
    let (_, said) = run(&suite, &asked, 1);
    assert!(said.contains("picture 1: bad_picture: "), "{said}");
    assert_eq!(picture(&suite, "CAFG", 1, "add/001"), None);
}

#[test]
fn the_keys_are_in_their_headers_and_nowhere_else() {
    let (suite, other) = (suite(), studio("Brighter."));
    let place = other.address;
    let planner_key = format!("{KEY}-planner");
    let echo = planner_key.clone();
    let service = Service::start(move |number, seen| {
        Some(match (number, is_plan(seen)) {
            (0, _) => openai(&made(0)),
            (_, true) => chat(&format!("{echo} and {KEY}")),
            _ => service::answer(
                307,
                &format!("location: http://{place}/v1/images/edits\r\n"),
                "",
            ),
        })
    });
    let more = "--limit 1 --concurrency 1 --planner-key-env JUROR_PLANNER --generator-key-env JUROR_GENERATOR";
    let mut command = suite.command(&words(&service, "ipr", more));
    command
        .env("JUROR_PLANNER", &planner_key)
        .env("JUROR_GENERATOR", KEY);
    let (code, out, said) = Folder::ran(command);
    assert_eq!(code, 1, "{said}");
    assert!(
        said.contains("not_found: The server answers 307") && said.contains("by --generator-base"),
        "{said}"
    );
    let seen = service.seen();
    assert_eq!((seen.len(), other.seen().len()), (3, 0));
    for seen in &seen {
        let key = if is_plan(seen) {
            planner_key.as_str()
        } else {
            KEY
        };
        assert!(seen.head.to_lowercase().contains("authorization: bearer "));
        assert!(seen.head.contains(&format!("{key}\r\n")), "{}", seen.head);
    }
    let journal = journal(&suite);
    for text in [&out, &said, &journal] {
        assert!(!text.contains("9876543210"), "{text}");
    }
    assert!(journal.contains("\"reply\":\"[key]"), "{journal}");
    let elsewhere =
        words(&service, "ipr", "--limit 1").replace(&service.address.to_string(), "host.invalid");
    let (_, said) = run(&suite, &elsewhere, 2);
    assert!(said.contains("by --planner-key-env"), "{said}");
}

#[test]
fn a_budget_stops_the_loops_before_it_is_exceeded_and_a_dry_run_sends_nothing() {
    let (suite, service) = (suite(), studio("Brighter."));
    let prices = "--picture-price 0.04 --input-price 0 --output-price 0";
    let dry = words(&service, "ipr", &format!("{prices} --dry-run"));
    let (_, said) = run(&suite, &dry, 0);
    assert!(
        said.contains("2 samples: at most 6 pictures by g at 127.0.0.1"),
        "{said}"
    );
    assert!(said.contains("and 4 plans by p") && said.contains("about 0.2400 at the prices given"));
    assert!(said.contains("nothing was sent"), "{said}");
    assert!(service.seen().is_empty() && !suite.path("out").exists());
    let asked = words(
        &service,
        "ipr",
        &format!("{prices} --concurrency 1 --budget"),
    );
    let (_, said) = run(&suite, &format!("{asked} 0.1"), 1);
    assert!(
        said.contains("The budget leaves no room for another call"),
        "{said}"
    );
    assert!(said.contains("0.0800 spent"), "{said}");
    assert_eq!(
        said.matches("not asked for, as the job stopped before")
            .count(),
        2,
        "{said}"
    );
    let pictures = kept(&suite)
        .into_iter()
        .filter(|record| record.picture.is_some());
    assert_eq!(pictures.count(), 2);
    run(&suite, &words(&service, "ipr", "--budget 1"), 2);
    let (_, said) = run(&suite, &format!("{asked} 0.16"), 0);
    assert!(said.contains("0.1600 spent"), "{said}");
    assert_eq!(service.seen().len(), 10);
}

#[test]
fn one_sample_is_a_test_and_its_records_are_printed() {
    let (suite, service) = (suite(), studio("Brighter."));
    let (out, _) = run(
        &suite,
        &words(&service, "ipr", "--filter id:add/002 --test --steps 2"),
        0,
    );
    let printed: Vec<Record> = serde_json::from_str(&out).unwrap();
    assert_eq!(printed, kept(&suite));
    assert_eq!((printed.len(), service.seen().len()), (3, 3));
    assert!(printed.iter().all(|record| record.sample == "add/002"));
    let sets: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(sets[0]["framework"], "ipr");
}

#[test]
fn a_picture_that_is_gone_or_changed_is_made_again_only_where_that_is_meant() {
    let (suite, service) = (suite(), studio("Brighter."));
    let asked = words(
        &service,
        "cafg",
        "--limit 1 --steps 2 --concurrency 1 --task add --per-task 1",
    );
    run(&suite, &asked, 0);
    let path = "out/N +CAFG step 2/add/001_generated.png";
    for spoil in [None, Some(tiny_png(3))] {
        match spoil {
            None => std::fs::remove_file(suite.path(path)).unwrap(),
            Some(bytes) => suite.write(path, &bytes),
        }
        let before = service.seen().len();
        let (_, said) = run(&suite, &asked, 2);
        assert!(
            said.contains("1 picture that") && said.contains("add --again"),
            "{said}"
        );
        assert_eq!(service.seen().len(), before);
        run(&suite, &format!("{asked} --again"), 0);
        assert_eq!(service.seen().len(), before + 1);
        let (_, said) = run(&suite, &asked, 0);
        assert!(said.contains("there is nothing to ask"), "{said}");
    }
}

#[test]
fn what_does_not_fit_together_is_refused_before_anything_is_sent() {
    let (suite, service) = (suite(), studio("Brighter."));
    for (more, why) in [
        ("--name a/b", "cannot be part of one on every system"),
        ("--task none", "there is no task none; found: add"),
        ("--filter score>", "--filter or --per: "),
        ("--planner-extra {\"messages\":2}", "--planner-extra: "),
        ("--generator-extra {\"n\":2}", "n is filled by Juror"),
        (
            "--planner-key-env JUROR_NO_KEY",
            "JUROR_NO_KEY, which --planner-key-env names",
        ),
    ] {
        let asked = words(&service, "ipr", more);
        // An option is given once.
        let asked = if more.starts_with("--name") {
            asked.replace(" --name N", "")
        } else {
            asked
        };
        let (_, said) = run(&suite, &asked, 2);
        assert!(said.contains(why), "{more}: {said}");
    }
    let weave = demos().join("weave").display().to_string();
    let asked = words(&service, "ipr", "").replace(" bench ", &format!(" {weave} "));
    let (_, said) = run(&suite, &asked, 2);
    assert!(
        said.contains("this benchmark, weave, has no agent loops"),
        "{said}"
    );
    assert!(service.seen().is_empty());
}

#[test]
fn a_foreign_journal_is_not_gone_on_with() {
    let (suite, service) = (suite(), studio("Brighter."));
    let asked = words(&service, "ipr", "--limit 1");
    run(&suite, &asked, 0);
    let own = journal(&suite);
    let line = own.lines().next().unwrap();
    for (text, why) in [
        (
            "Notes of Monday.".to_owned(),
            "ends in a line that is no record",
        ),
        (
            "{\"format\":\"juror-journal/1\"}\n".to_owned(),
            "line 1: This is no record of a trajectory",
        ),
        (
            format!("{}\n", line.replace("multibanana", "weave")),
            "holds records of weave",
        ),
        (
            format!("{}\n", line.replace("\"path\":\"N", "\"path\":\"../N")),
            "names a picture outside of its folder",
        ),
    ] {
        suite.write("out/trajectories.jsonl", text.as_bytes());
        let (_, said) = run(&suite, &asked, 2);
        assert!(said.contains(why) && said.contains("by --out"), "{said}");
        assert_eq!(journal(&suite), text);
    }
    // The same name for another planner's, and the same trajectories in two folders.
    suite.write("out/trajectories.jsonl", own.as_bytes());
    let (_, said) = run(
        &suite,
        &asked.replace("--planner-model p", "--planner-model q"),
        2,
    );
    assert!(said.contains("choose another name"), "{said}");
    let twice = asked
        .replace(" bench ", " bench out ")
        .replace("--out out", "--out other");
    let (_, said) = run(&suite, &twice, 2);
    assert!(
        said.contains("trajectories of N are in the opened folders"),
        "{said}"
    );
    assert_eq!(service.seen().len(), 5);
    // The folder itself may be open as well.
    let open = asked
        .replace(" bench ", " bench out ")
        .replace("--limit 1", "--limit 2");
    run(&suite, &open, 0);
    assert_eq!(service.seen().len(), 10);
}
