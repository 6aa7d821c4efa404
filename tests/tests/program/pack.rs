//! Evidence packs: made, checked, tampered with in every part, and compared.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::io::Cursor;
use std::path::Path;

use indexmap::IndexMap;
use juror_evidence::pack::Manifest;
use juror_model::prompt::sha256;
use juror_session::{Probed, Session};
use juror_tests::forge::{Entries, edit, manifest, reseal, unzip, zipped};
use juror_tests::generate::{Dialogue, tiny_png};
use juror_tests::program::Folder;
use serde_json::{Value, json};
use zip::ZipArchive;

/// Four dialogues of one picture: four samples with three requests each.
const NUM_DIALOGUES: usize = 4;
const NUM_REQUESTS: usize = NUM_DIALOGUES * 3;

/// A benchmark in `bench` and a model in `alpha`, every request of which a judge has answered.
struct Suite(Folder);

impl std::ops::Deref for Suite {
    type Target = Folder;

    fn deref(&self) -> &Folder {
        &self.0
    }
}

impl Suite {
    fn new() -> Self {
        let suite = Self(Folder::weave((0..NUM_DIALOGUES).map(|idx| Dialogue {
            idx,
            num_pictures: 1,
            num_texts: 0,
        })));
        // Nobody was asked to look at this one.
        suite.write("alpha/secret.env", b"KEY=abc");
        suite.judge("gpt", "alpha/journal.jsonl");
        suite
    }

    /// Replies of a judge to every request, under the hashes that the program names.
    fn judge(&self, judge: &str, path: &str) {
        let (code, _, said) = self.run("requests bench alpha --engine text --out asked.txt");
        assert_eq!(code, 0, "{said}");
        let text = std::fs::read_to_string(self.path("asked.txt")).unwrap();
        std::fs::remove_file(self.path("asked.txt")).unwrap();
        let mut journal = String::new();
        let heads = text
            .lines()
            .filter_map(|line| line.strip_prefix("===== juror-request "));
        for (at, head) in heads.enumerate() {
            let parts: Vec<&str> = head.split(" · ").collect();
            let after = |at: usize, word: &str| parts[at].strip_prefix(word).unwrap().to_owned();
            journal += &(json!({
                "format": "juror-journal/1",
                "protocol": "weave",
                "model": after(1, "model "),
                "sample": after(2, "sample "),
                "turn": after(3, "turn ").parse::<u32>().unwrap(),
                "criterion": parts[4],
                "judge": judge,
                "run": 1,
                "request": parts[0],
                "prompts": parts[5].trim_end_matches(" =====").rsplit(' ').next().unwrap(),
                "reply": format!("```json\n{{\"score\": {}, \"reasoning\": \"so\"}}\n```", at % 9 + 1),
            })
            .to_string()
                + "\n");
        }
        assert_eq!(journal.lines().count(), NUM_REQUESTS);
        self.write(path, journal.as_bytes());
    }

    /// Makes a pack; its bytes.
    #[track_caller]
    fn pack(&self, out: &str, words: &str) -> Vec<u8> {
        std::fs::create_dir_all(self.path(out).parent().unwrap()).unwrap();
        let (code, _, said) = self.run(&format!("pack bench alpha --out {out}{words}"));
        assert_eq!(code, 0, "{said}");
        std::fs::read(self.path(out)).unwrap()
    }

    fn verify(&self, pack: &[u8]) -> (i32, Value, String) {
        self.write("checked.zip", pack);
        let (code, out, said) = self.run("verify checked.zip");
        (code, serde_json::from_str(&out).unwrap_or_default(), said)
    }
}

/// Names and contents.
fn findings<'a>(checked: &'a Value, kind: &str) -> Vec<&'a Value> {
    let all = checked["findings"].as_array().unwrap();
    all.iter().filter(|one| one["kind"] == kind).collect()
}

/// The kinds of what differs.
fn kinds(checked: &Value) -> Vec<&str> {
    let counts = checked["counts"].as_object().unwrap();
    counts.keys().map(String::as_str).collect()
}

#[test]
fn a_pack_reproduces_and_is_equal_to_the_byte_each_time() {
    let suite = Suite::new();
    let pack = suite.pack("a.zip", "");
    let (code, checked, said) = suite.verify(&pack);
    assert_eq!(code, 0, "{said}");
    assert_eq!(checked["reproduced"], true);
    assert_eq!(checked["requests"], NUM_REQUESTS);
    assert_eq!(checked["verdicts"], NUM_REQUESTS);
    assert!(checked["scores"].as_u64().unwrap() > 0);
    assert!(said.contains("reproduced"), "{said}");

    assert_eq!(suite.pack("b.zip", ""), pack);
    // The order of the folders is no part of it.
    let (code, _, said) = suite.run("pack alpha bench --out c.zip");
    assert_eq!(code, 0, "{said}");
    assert_eq!(std::fs::read(suite.path("c.zip")).unwrap(), pack);
    assert_ne!(suite.pack("d.zip", " --profile released"), pack);
}

#[test]
fn a_pack_holds_what_the_scores_rest_on_and_is_a_folder_of_the_benchmark() {
    let suite = Suite::new();
    let entries = unzip(&suite.pack("a.zip", ""));
    let own = [
        "manifest.json",
        "report.json",
        "requests.jsonl",
        "verdicts.jsonl",
    ];
    assert!(own.iter().all(|path| entries.contains_key(*path)));
    assert!(!entries.keys().any(|path| path.contains("secret")));
    for (path, bytes) in entries
        .iter()
        .filter(|(path, _)| !own.contains(&path.as_str()))
    {
        assert_eq!(std::fs::read(suite.path(path)).unwrap(), *bytes, "{path}");
        suite.write(&format!("opened/{path}"), bytes);
    }
    let (_, packed, _) = suite.run("score opened --format csv");
    let (_, own, _) = suite.run("score bench alpha --format csv");
    assert_eq!(packed, own);
    assert!(own.lines().count() > 1);
}

#[test]
fn a_changed_reply_is_named_with_its_verdict_and_scores() {
    let suite = Suite::new();
    let pack = suite.pack("a.zip", "");
    let mut entries = unzip(&pack);
    assert_eq!(suite.verify(&zipped(&entries)).0, 0);
    edit(
        &mut entries,
        "alpha/journal.jsonl",
        "\\\"score\\\": 2,",
        "\\\"score\\\": 10,",
    );
    let (code, checked, said) = suite.verify(&zipped(&entries));
    assert_eq!(code, 1, "{said}");
    assert_eq!(checked["reproduced"], false);
    assert_eq!(
        findings(&checked, "changed_entry")[0]["about"],
        "alpha/journal.jsonl"
    );
    let verdicts = findings(&checked, "verdict");
    assert_eq!(verdicts.len(), 1);
    assert_eq!(
        (&verdicts[0]["old"], &verdicts[0]["new"]),
        (&json!("2"), &json!("10"))
    );
    assert!(!findings(&checked, "score").is_empty());

    // With a manifest that fits, the scores still tell.
    reseal(&mut entries);
    let (code, checked, _) = suite.verify(&zipped(&entries));
    assert_eq!(code, 1);
    assert!(findings(&checked, "changed_entry").is_empty());
    assert_eq!(findings(&checked, "verdict").len(), 1);
    assert!(!findings(&checked, "score").is_empty());
}

#[test]
fn a_changed_picture_is_named_with_the_requests_and_replies_about_it() {
    let suite = Suite::new();
    let mut entries = unzip(&suite.pack("a.zip", ""));
    let path = "alpha/imgs/d1_2.png";
    entries.insert(path.to_owned(), tiny_png(200));
    let (code, checked, _) = suite.verify(&zipped(&entries));
    assert_eq!(code, 1);
    let changed = findings(&checked, "changed_entry");
    assert_eq!((changed.len(), &changed[0]["about"]), (1, &json!(path)));
    let requests = findings(&checked, "request");
    assert_eq!(requests.len(), 3);
    assert!(requests.iter().all(|one| one["sample"] == "1"));
    let replies = findings(&checked, "reply_request");
    assert_eq!(replies.len(), 3);
    assert!(replies.iter().all(|one| one["sample"] == "1"));
}

#[test]
fn a_changed_score_row_is_named_with_both_values() {
    let suite = Suite::new();
    let mut entries = unzip(&suite.pack("a.zip", ""));
    let report: Value = serde_json::from_slice(&entries["report.json"]).unwrap();
    let row = report["scores"]
        .as_array()
        .unwrap()
        .iter()
        .find(|row| row["mean"].is_number())
        .unwrap();
    let mean = row["mean"].to_string();
    edit(
        &mut entries,
        "report.json",
        &format!("\"mean\":{mean},"),
        "\"mean\":0.9999,",
    );
    let (code, checked, _) = suite.verify(&zipped(&entries));
    assert_eq!(code, 1);
    assert_eq!(
        findings(&checked, "changed_entry")[0]["about"],
        "report.json"
    );
    reseal(&mut entries);
    let (code, checked, said) = suite.verify(&zipped(&entries));
    assert_eq!(code, 1);
    assert_eq!(kinds(&checked), ["score"]);
    let [score] = findings(&checked, "score")[..] else {
        panic!("{checked}")
    };
    assert!(score["old"].as_str().unwrap().starts_with("0.9999 (n "));
    assert!(
        score["new"]
            .as_str()
            .unwrap()
            .starts_with(&format!("{mean} (n "))
    );
    assert!(said.contains("0.9999"), "{said}");
}

#[test]
fn a_changed_manifest_is_named() {
    let suite = Suite::new();
    let pack = suite.pack("a.zip", "");
    let mut entries = unzip(&pack);
    edit(
        &mut entries,
        "manifest.json",
        "\"requests\": 12",
        "\"requests\": 13",
    );
    let (code, checked, _) = suite.verify(&zipped(&entries));
    assert_eq!((code, kinds(&checked)), (1, vec!["manifest"]));
    let about: Vec<&Value> = findings(&checked, "manifest")
        .iter()
        .map(|one| &one["about"])
        .collect();
    assert_eq!(about, ["its own hash", "requests"]);
    // A fitting hash does not make it true.
    reseal(&mut entries);
    let (code, checked, _) = suite.verify(&zipped(&entries));
    assert_eq!(code, 1);
    assert_eq!(findings(&checked, "manifest")[0]["about"], "requests");
    // What is added to the text is no part of what was sealed.
    let mut entries = unzip(&pack);
    edit(
        &mut entries,
        "manifest.json",
        "{\n",
        "{\n  \"by\": \"me\",\n",
    );
    let (code, checked, _) = suite.verify(&zipped(&entries));
    assert_eq!((code, kinds(&checked)), (1, vec!["manifest"]));
}

#[test]
fn a_reply_to_another_request_is_named() {
    let suite = Suite::new();
    let mut entries = unzip(&suite.pack("a.zip", ""));
    let journal = String::from_utf8(entries["alpha/journal.jsonl"].clone()).unwrap();
    let first: Value = serde_json::from_str(journal.lines().next().unwrap()).unwrap();
    let hash = first["request"].as_str().unwrap();
    edit(&mut entries, "alpha/journal.jsonl", hash, &"0".repeat(64));
    reseal(&mut entries);
    let (code, checked, _) = suite.verify(&zipped(&entries));
    assert_eq!(code, 1);
    let replies = findings(&checked, "reply_request");
    assert_eq!(
        (replies.len(), &replies[0]["sample"]),
        (1, &first["sample"])
    );
}

/// What each request of a pack's was asked with, by its hash.
fn asked(entries: &Entries) -> std::collections::BTreeMap<String, String> {
    let rows = String::from_utf8(entries["requests.jsonl"].clone()).unwrap();
    let rows = rows
        .lines()
        .map(|row| serde_json::from_str::<Value>(row).unwrap());
    let word = |value: &Value| value.as_str().unwrap_or("none").to_owned();
    rows.map(|row| (word(&row["sha256"]), word(&row["prompts"])))
        .collect()
}

/// A suite whose judges were asked with the built-in texts, and again, by the same name, with those of a file.
fn asked_twice() -> Suite {
    let suite = Suite::new();
    let texts = [
        "keypoint_checklist",
        "visual_consistency",
        "image_quality",
        "txt_acc",
    ];
    let texts = texts.map(|name| format!("prompt_{name} = \"\"\"Be kind. <image>\n\"\"\"\n"));
    suite.write("bench/eval/prompts.py", texts.concat().as_bytes());
    suite.judge("gpt", "alpha/again.jsonl");
    suite
}

#[test]
fn a_pack_of_replies_under_two_judge_texts_holds_the_request_that_each_was_asked_with() {
    let suite = asked_twice();
    let pack = suite.pack("a.zip", "");
    let (code, checked, said) = suite.verify(&pack);
    assert_eq!((code, &checked["reproduced"]), (0, &json!(true)), "{said}");
    assert_eq!(checked["coverage"]["unasked"], 0, "{said}");
    assert_eq!(
        (&checked["requests"], &checked["verdicts"]),
        (&json!(2 * NUM_REQUESTS), &json!(2 * NUM_REQUESTS))
    );
    let mut entries = unzip(&pack);
    let requests = asked(&entries);
    assert_eq!(requests.len(), 2 * NUM_REQUESTS);
    let mut packs = std::collections::BTreeSet::new();
    for path in ["alpha/journal.jsonl", "alpha/again.jsonl"] {
        let journal = String::from_utf8(entries[path].clone()).unwrap();
        for line in journal.lines() {
            let record: Value = serde_json::from_str(line).unwrap();
            let prompts = &requests[record["request"].as_str().unwrap()];
            let stated = record["prompts"].as_str().unwrap();
            assert!(prompts.starts_with(stated), "{prompts}: {record}");
            packs.insert(prompts.clone());
        }
    }
    assert_eq!(packs.len(), 2);
    // The sibling that must fail: without the request that one of them was asked with.
    let rows = String::from_utf8(entries["requests.jsonl"].clone()).unwrap();
    let (first, rest) = rows.split_once('\n').unwrap();
    entries.insert("requests.jsonl".to_owned(), rest.as_bytes().to_vec());
    manifest(&mut entries, |manifest, _| manifest.counts.requests -= 1);
    let (code, checked, _) = suite.verify(&zipped(&entries));
    let first: Value = serde_json::from_str(first).unwrap();
    let found = findings(&checked, "request");
    assert!(code == 1 && !found.is_empty(), "{checked}");
    let about = format!("{} of alpha", first["criterion"].as_str().unwrap());
    let is_about = |one: &&Value| one["about"] == about && one["sample"] == first["sample"];
    assert!(found.iter().all(is_about), "{found:?}");
    assert!(found.iter().any(|one| one["old"] == "none"), "{found:?}");
}

#[test]
fn a_reply_that_says_that_it_was_asked_with_the_other_judge_texts_is_named() {
    let suite = asked_twice();
    let mut entries = unzip(&suite.pack("a.zip", ""));
    let [old, new] = ["alpha/journal.jsonl", "alpha/again.jsonl"].map(|path| {
        let journal = String::from_utf8(entries[path].clone()).unwrap();
        let first: Value = serde_json::from_str(journal.lines().next().unwrap()).unwrap();
        first["prompts"].as_str().unwrap().to_owned()
    });
    edit(&mut entries, "alpha/again.jsonl", &new, &old);
    reseal(&mut entries);
    let (code, checked, said) = suite.verify(&zipped(&entries));
    assert_eq!((code, &checked["reproduced"]), (1, &json!(false)), "{said}");
    assert!(
        !findings(&checked, "verdict").is_empty()
            || !findings(&checked, "reply_request").is_empty(),
        "{said}"
    );
}

#[test]
fn a_pack_without_the_judge_texts_of_its_replies_says_so_of_each_request() {
    let suite = asked_twice();
    std::fs::remove_file(suite.path("bench/eval/prompts.py")).unwrap();
    let pack = suite.pack("a.zip", "");
    let (code, checked, said) = suite.verify(&pack);
    assert_eq!(
        (code, &checked["coverage"]["unasked"]),
        (0, &json!(NUM_REQUESTS)),
        "{said}"
    );
    let mut entries = unzip(&pack);
    let rows = String::from_utf8(entries["requests.jsonl"].clone()).unwrap();
    let unknown = "\"error\":\"The judge texts that it was asked with are not in the pack.\"";
    assert_eq!(rows.matches(unknown).count(), NUM_REQUESTS);
    // The sibling that must fail: it is not said of one of them.
    edit(&mut entries, "requests.jsonl", &format!(",{unknown}"), "");
    reseal(&mut entries);
    let (code, checked, _) = suite.verify(&zipped(&entries));
    assert_eq!((code, findings(&checked, "request").len()), (1, 1));
}

#[test]
fn entries_that_are_missing_or_too_many_are_named() {
    let suite = Suite::new();
    let pack = suite.pack("a.zip", "");
    let mut entries = unzip(&pack);
    entries.remove("bench/imgs/d0_1.png");
    entries.insert("alpha/more.txt".to_owned(), b"more".to_vec());
    let (code, checked, _) = suite.verify(&zipped(&entries));
    assert_eq!(code, 1);
    assert_eq!(
        findings(&checked, "missing_entry")[0]["about"],
        "bench/imgs/d0_1.png"
    );
    assert_eq!(
        findings(&checked, "extra_entry")[0]["about"],
        "alpha/more.txt"
    );
}

#[test]
fn a_pack_of_a_later_version_is_refused_with_what_to_do() {
    let suite = Suite::new();
    let pack = suite.pack("a.zip", "");
    let mut entries = unzip(&pack);
    edit(
        &mut entries,
        "manifest.json",
        "juror-pack/1",
        "juror-pack/2",
    );
    edit(
        &mut entries,
        "manifest.json",
        &format!("\"juror\": \"{}\"", env!("CARGO_PKG_VERSION")),
        "\"juror\": \"7.0.0\"",
    );
    let (code, _, said) = suite.verify(&zipped(&entries));
    assert_eq!(code, 2);
    assert!(
        said.contains("juror-pack/2") && said.contains("Check it with Juror 7.0.0 or later"),
        "{said}"
    );
    entries.remove("manifest.json");
    let (code, _, said) = suite.verify(&zipped(&entries));
    assert!(code == 2 && said.contains("no evidence pack"), "{said}");
    let (code, _, said) = suite.verify(b"not a ZIP");
    assert!(code == 2 && said.contains("checked.zip"), "{said}");
}

#[test]
fn names_that_leave_the_folder_are_refused() {
    let suite = Suite::new();
    let mut entries = unzip(&suite.pack("a.zip", ""));
    entries.insert("../evil.txt".to_owned(), b"x".to_vec());
    let (code, _, said) = suite.verify(&zipped(&entries));
    assert!(
        code == 2 && said.contains("would leave the folder"),
        "{said}"
    );
}

#[test]
fn without_pictures_a_pack_reproduces_and_says_what_it_rests_on() {
    let suite = Suite::new();
    let full = suite.pack("full.zip", "");
    for (choice, has_entries) in [("none", false), ("thumbnails", true)] {
        let pack = suite.pack("small.zip", &format!(" --images {choice}"));
        let mut entries = unzip(&pack);
        assert_eq!(
            entries.contains_key("alpha/imgs/d0_2.png"),
            has_entries,
            "{choice}"
        );
        let (code, checked, said) = suite.verify(&pack);
        assert_eq!(code, 0, "{choice}: {said}");
        assert_eq!(checked["requests"], NUM_REQUESTS);
        assert!(said.contains("as the manifest states them"), "{said}");
        // The numbers are those of the full pack.
        let scores = |pack: &[u8]| {
            let report: Value = serde_json::from_slice(&unzip(pack)["report.json"]).unwrap();
            report["scores"].clone()
        };
        assert_eq!(scores(&pack), scores(&full));
        let original = sha256(&std::fs::read(suite.path("alpha/imgs/d0_2.png")).unwrap());
        let manifest = String::from_utf8(entries["manifest.json"].clone()).unwrap();
        assert!(manifest.contains(&original));
        entries.insert("alpha/imgs/d0_2.png".to_owned(), tiny_png(1));
        let (code, checked, _) = suite.verify(&zipped(&entries));
        assert_eq!(code, 1);
        let kind = if has_entries {
            "changed_entry"
        } else {
            "extra_entry"
        };
        assert_eq!(findings(&checked, kind)[0]["about"], "alpha/imgs/d0_2.png");
    }
}

#[test]
fn two_packs_tell_which_verdicts_changed_and_what_that_does() {
    let suite = Suite::new();
    suite.pack("a.zip", "");
    suite.pack("b.zip", "");
    let (code, out, said) = suite.run("verify a.zip b.zip");
    assert_eq!(code, 0, "{said}");
    let found: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(found["comparison"]["same"], true);

    let journal = std::fs::read_to_string(suite.path("alpha/journal.jsonl")).unwrap();
    let changed = journal.replacen("\\\"score\\\": 3,", "\\\"score\\\": 4,", 1);
    suite.write("alpha/journal.jsonl", changed.as_bytes());
    suite.pack("b.zip", "");
    let (code, out, said) = suite.run("verify a.zip b.zip");
    assert_eq!(code, 1, "{said}");
    let found: Value = serde_json::from_str(&out).unwrap();
    let comparison = &found["comparison"];
    assert_eq!(comparison["same_requests"], NUM_REQUESTS);
    assert_eq!(comparison["other_requests"], 0);
    assert_eq!(comparison["samples"], NUM_DIALOGUES);
    assert_eq!(comparison["other_verdicts"], 1);
    let [model] = &comparison["models"].as_array().unwrap()[..] else {
        panic!("{comparison}")
    };
    assert_eq!(
        [&model["model"], &model["verdicts"], &model["requests"]],
        [&json!("alpha"), &json!(1), &json!(0)]
    );
    assert_eq!([&model["files"], &comparison["other_files"]], [1, 1]);
    let mut scores = comparison["scores"].as_array().unwrap().iter();
    let is_total = |score: &&Value| score["scope"] == "overall" && score["criterion"] == "total";
    let total = scores.find(is_total).unwrap();
    let [old, new] = ["old_mean", "new_mean"].map(|key| total[key].as_f64().unwrap());
    let line =
        format!("  alpha: {old:.3} → {new:.3} by gpt; 1 file, 0 requests and 1 verdict changed");
    assert!(old < new, "{total}");
    assert!(said.contains(&line), "{said}");
    assert!(!said.contains("total of alpha, overall"), "{said}");
    assert_eq!(comparison["files"][0]["about"], "alpha/journal.jsonl");
    let [verdict] = &comparison["verdicts"].as_array().unwrap()[..] else {
        panic!("{comparison}")
    };
    assert_eq!(
        (&verdict["old"], &verdict["new"]),
        (&json!("3"), &json!("4"))
    );
    let scores = comparison["scores"].as_array().unwrap();
    let is_up = |score: &Value| {
        score["difference"]
            .as_f64()
            .is_none_or(|difference| difference > 0.0)
    };
    assert!(!scores.is_empty() && scores.iter().all(is_up), "{scores:?}");
    assert!(
        found["packs"]
            .as_array()
            .unwrap()
            .iter()
            .all(|pack| pack["reproduced"] == true)
    );
}

#[test]
fn an_unpacked_pack_without_its_pictures_is_not_packed_anew() {
    let suite = Suite::new();
    for (choice, how) in [
        ("thumbnails", "as thumbnails"),
        ("none", "by their hashes alone"),
    ] {
        for (path, bytes) in unzip(&suite.pack("small.zip", &format!(" --images {choice}"))) {
            suite.write(&format!("{choice}/{path}"), &bytes);
        }
        let (code, _, said) = suite.run(&format!("pack {choice} --out again.zip"));
        assert!(
            code == 2 && said.contains(how) && said.contains("manifest.json"),
            "{said}"
        );
        assert!(!suite.path("again.zip").exists());
        // Its scores are told with what they rest on.
        let (_, report, _) = suite.run(&format!("score {choice}"));
        assert!(report.contains("unpacked_pack"), "{report}");
    }
    // With its pictures it is a folder like any other.
    for (path, bytes) in unzip(&suite.pack("full.zip", "")) {
        suite.write(&format!("whole/{path}"), &bytes);
    }
    let (code, _, said) = suite.run("pack whole --out again.zip");
    assert_eq!(code, 0, "{said}");
    // A file of that name is not yet a pack's.
    suite.write("alpha/manifest.json", b"{\"format\": \"juror-pack/1\"}");
    assert_eq!(suite.run("pack bench alpha --out again.zip").0, 0);
}

/// As much of the built page as the command line looks at.
const PAGE: &str =
    "<body><script type=\"application/octet-stream\" id=\"juror-payload-report\"></script></body>";

#[test]
fn a_report_in_one_file_holds_the_pack_and_is_equal_to_the_byte_each_time() {
    let suite = Suite::new();
    suite.write("app.html", PAGE.as_bytes());
    let html = |out: &str, more: &str| {
        let words = format!("score bench alpha --format html --app app.html --out {out}{more}");
        let (code, printed, said) = suite.run(&words);
        assert_eq!((code, printed.as_str()), (0, ""), "{said}");
        assert!(said.contains("reproduced"), "{said}");
        std::fs::read_to_string(suite.path(out)).unwrap()
    };
    for (choice, more) in [
        ("none", ""),
        ("thumbnails", " --pictures thumbnails"),
        ("full", " --pictures full"),
    ] {
        let pack = suite.pack("a.zip", &format!(" --images {choice}"));
        let inside = juror_judging::base64(&pack);
        let expected = PAGE.replacen("></script>", &format!(">{inside}</script>"), 1);
        assert_eq!(html("a.html", more), expected, "{choice}");
        assert_eq!(html("b.html", more), expected, "{choice}");
    }
}

#[test]
fn a_report_in_one_file_needs_the_built_page_and_says_how_to_build_it() {
    let suite = Suite::new();
    for (app, words) in [
        ("none.html", "cargo xtask build single"),
        ("other.html", "no place for a report"),
    ] {
        suite.write("other.html", b"<body></body>");
        let (code, _, said) = suite.run(&format!(
            "score bench alpha --format html --app {app} --out a.html"
        ));
        assert!(code == 2 && said.contains(words), "{said}");
        assert!(!suite.path("a.html").exists());
    }
    suite.write("app.html", PAGE.as_bytes());
    let (code, _, said) =
        suite.run("score bench alpha --format html --app app.html --out app.html");
    assert!(code == 2 && said.contains("name another file"), "{said}");
    assert_eq!(
        std::fs::read_to_string(suite.path("app.html")).unwrap(),
        PAGE
    );
}

#[test]
fn a_site_lists_its_packs_with_recomputed_tables_and_replaces_an_earlier_one_only() {
    let suite = Suite::new();
    let page = "<html><head></head></html>";
    suite.write("app/index.html", page.as_bytes());
    suite.write(
        "app/sw.js",
        format!("keep('{}')", juror_evidence::report::html::integrity(page)).as_bytes(),
    );
    let first = suite.pack("packs/one.zip", "");
    suite.pack("packs/two.zip", " --profile released");
    let site = |words: &str| suite.run(&format!("site {words} --app app --out site"));
    let read = |path: &str| std::fs::read_to_string(suite.path(&format!("site/{path}"))).unwrap();
    let (code, _, said) = site("packs");
    assert_eq!(code, 0, "{said}");
    assert_eq!(
        std::fs::read(suite.path("site/packs/one.zip")).unwrap(),
        first
    );
    let list = read("index.html");
    assert_eq!(list.matches("Reproduced.").count(), 2);
    for name in ["one.zip", "two.zip"] {
        assert!(
            list.contains(&format!("app/index.html#/?pack=../packs/{name}")),
            "{list}"
        );
    }
    assert!(list.contains("<th scope=\"row\">alpha</th>") && list.contains("noindex"));
    assert_eq!(read("robots.txt"), "User-agent: *\nDisallow: /\n");
    let viewer = read("app/index.html");
    assert!(viewer.contains("noindex"));
    assert!(read("app/sw.js").contains(&juror_evidence::report::html::integrity(&viewer)));

    // The site's own packs can be listed anew, and what else lies there stays; folders are packed.
    suite.write("site/CNAME", b"here");
    let (code, _, said) = site("site/packs/one.zip bench alpha --index");
    assert_eq!(code, 0, "{said}");
    let names = |path: &str| {
        let entries = std::fs::read_dir(suite.path(path)).unwrap();
        let mut names: Vec<String> = entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    };
    assert_eq!(
        names("site"),
        ["CNAME", "app", "index.html", "packs", "site.css"]
    );
    assert_eq!(names("site/packs"), ["evidence.zip", "one.zip"]);
    assert!(!read("index.html").contains("noindex") && read("app/index.html") == page);
    assert_eq!(suite.run("site packs --app app --out site --index").0, 0);
    assert_eq!(suite.run("site packs --app app --out again --index").0, 0);
    assert_eq!(
        read("index.html"),
        std::fs::read_to_string(suite.path("again/index.html")).unwrap()
    );

    // A folder that is no site is left alone.
    let (code, _, said) = suite.run("site packs --app app --out alpha");
    assert!(code == 2 && said.contains("not empty"), "{said}");
    assert!(suite.path("alpha/journal.jsonl").exists() && !suite.path("alpha.part").exists());
}

#[test]
fn a_site_says_of_a_changed_pack_that_it_differs_and_shows_what_comes_out() {
    let suite = Suite::new();
    suite.write("app/index.html", b"<html><head></head></html>");
    let mut entries = unzip(&suite.pack("a.zip", ""));
    edit(
        &mut entries,
        "report.json",
        "\"mean\":",
        "\"mean\":0.98765,\"was\":",
    );
    suite.write("forged/<b>.zip", &zipped(&entries));
    let (code, _, said) = suite.run("site forged --app app --out site");
    assert_eq!(code, 1, "{said}");
    let list = std::fs::read_to_string(suite.path("site/index.html")).unwrap();
    assert!(
        list.contains("Does not reproduce.") && !list.contains("0.988") && !list.contains("<b>"),
        "{list}"
    );
}

#[test]
fn nothing_is_left_behind_where_there_is_nothing_to_pack() {
    let suite = Suite::new();
    let (code, _, said) = suite.run("pack bench --out none.zip");
    assert!(code == 2 && said.contains("no model"), "{said}");
    assert!(!suite.path("none.zip").exists() && !suite.path("none.zip.part").exists());
}

/// Three models: two that differ by one point on one sample, and one far behind.
fn three_models() -> Suite {
    let suite = Suite::new();
    let mut journal = String::new();
    for (model, score) in [("alpha_1", 9), ("beta", 9), ("gamma", 2)] {
        for idx in 0..NUM_DIALOGUES {
            let picture = format!("imgs/d{idx}_2.png");
            let bytes = std::fs::read(suite.path(&format!("alpha/{picture}"))).unwrap();
            suite.write(&format!("result/{model}/{picture}"), &bytes);
            for criterion in ["key_point", "visual_consistency", "image_quality"] {
                let bump = i32::from(model == "beta" && idx == 0) - i32::try_from(idx % 2).unwrap();
                let reply = format!("{{\"score\": {}, \"reasoning\": \"so\"}}", score + bump);
                journal += &(json!({
                    "format": "juror-journal/1", "protocol": "weave", "model": model, "sample": idx.to_string(),
                    "turn": 0, "criterion": criterion, "judge": "gpt", "run": 1, "reply": reply,
                })
                .to_string()
                    + "\n");
            }
        }
    }
    suite.write("result/journal.jsonl", journal.as_bytes());
    suite
}

#[test]
fn tables_are_bold_by_tie_group_and_escape_names() {
    let suite = three_models();
    let (code, md, said) = suite.run("score bench result --format md");
    assert_eq!(code, 0, "{said}");
    let row = |name: &str| {
        let found = md
            .lines()
            .find(|line| line.starts_with(&format!("| {name} |")));
        found
            .unwrap_or_else(|| panic!("no {name} in {md}"))
            .to_owned()
    };
    // The largest number is beta's; alpha cannot be told from it on four samples, gamma can.
    assert!(row("alpha\\_1").contains("**"), "{md}");
    assert!(row("beta").contains("**"), "{md}");
    assert!(!row("gamma").contains("**"), "{md}");

    let (code, tex, said) = suite.run("score bench result --format latex");
    assert_eq!(code, 0, "{said}");
    assert!(
        tex.contains("    alpha\\_1 & ") && !tex.contains("alpha_1"),
        "{tex}"
    );
    let row = |name: &str| {
        tex.lines()
            .find(|line| line.trim_start().starts_with(name))
            .unwrap()
    };
    assert!(
        row("alpha").contains("\\textbf{") && row("beta").contains("\\textbf{"),
        "{tex}"
    );
    assert!(!row("gamma").contains("\\textbf{"), "{tex}");
    assert!(!tex.contains("{\\scriptsize["));
    let (_, with, _) = suite.run("score bench result --format latex-intervals");
    assert!(
        !with.contains("{\\scriptsize["),
        "four samples are too few for an interval: {with}"
    );
    assert_eq!(suite.run("score bench result --format latex").1, tex);
}

/// Whether the suite's file of this name is a picture.
fn is_picture_file(name: &str) -> bool {
    Path::new(name)
        .extension()
        .is_some_and(|extension| extension == "png")
}

#[test]
fn what_scores_are_recomputed_from_lies_behind_the_pictures_so_that_one_read_brings_it() {
    let pack = Suite::new().pack("far.zip", "");
    let mut zip = ZipArchive::new(Cursor::new(&pack)).unwrap();
    let names: Vec<String> = (0..zip.len())
        .map(|at| zip.by_index(at).unwrap().name().unwrap().into_owned())
        .collect();
    let is_picture = |name: &String| is_picture_file(name);
    let texts = names.iter().position(|name| !is_picture(name)).unwrap();
    assert_eq!(texts, 3 * NUM_DIALOGUES, "every picture comes first");
    assert!(!names[texts..].iter().any(is_picture), "{names:?}");
    assert_eq!(names.last().unwrap(), "manifest.json");
}

/// The scores of a pack's files with everything read that the session wants, and whether a picture was.
fn rescored(
    entries: &Entries,
    add: impl FnOnce(&mut Session, &Manifest) -> u32,
) -> (Vec<Value>, bool) {
    let manifest = Manifest::read(std::str::from_utf8(&entries["manifest.json"]).unwrap()).unwrap();
    let paths: Vec<&String> = manifest.sources().map(|entry| &entry.path).collect();
    let mut session = Session::new(|head, _| {
        if head.starts_with(b"\x89PNG") {
            return Probed::Picture {
                width: 1,
                height: 1,
            };
        }
        Probed::Bad {
            message: "It is not a picture.".to_owned(),
            hint: String::new(),
        }
    });
    let first = add(&mut session, &manifest);
    let mut has_read_pictures = false;
    loop {
        let wants = session.wants(64);
        if wants.is_empty() {
            break;
        }
        for want in wants {
            let path = paths[(want.file - first) as usize];
            has_read_pictures |= is_picture_file(path);
            session.provide(want.file, entries[path].clone());
        }
    }
    let rows = juror_session::score_rows(&session.study(&manifest.options()));
    let rows = rows.iter().map(|row| json!(row)).collect();
    (rows, has_read_pictures)
}

#[test]
fn with_the_manifests_word_for_its_pictures_a_pack_scores_the_same_and_no_picture_is_read() {
    let suite = Suite::new();
    let sound = unzip(&suite.pack("sound.zip", ""));
    suite.write("alpha/imgs/d0_2.png", b"no picture");
    let broken = unzip(&suite.pack("broken.zip", ""));
    let (read, has_read) = rescored(&broken, juror_session::add_pack);
    let (stated, has_read_stated) = rescored(&broken, juror_session::add_pack_as_stated);
    assert!(has_read && !has_read_stated);
    assert_eq!(stated, read);
    assert_ne!(
        stated,
        rescored(&sound, juror_session::add_pack_as_stated).0,
        "the broken picture costs its model something"
    );
}

#[test]
fn a_report_says_which_criteria_and_groups_its_rows_are_of() {
    let entries = unzip(&Suite::new().pack("said.zip", " --images none"));
    let report: Value = serde_json::from_slice(&entries["report.json"]).unwrap();
    let said = |list: &str, name: &str| -> Vec<&Value> {
        let list = report["provenance"][list].as_array().unwrap();
        list.iter().map(|one| &one[name]).collect()
    };
    let (criteria, scopes) = (said("criteria", "id"), said("scopes", "scope"));
    for row in report["scores"].as_array().unwrap() {
        assert!(criteria.contains(&&row["criterion"]), "{row}");
        assert!(scopes.contains(&&row["scope"]), "{row}");
    }
}

/// Every place of a JSON value that holds no others, and empty lists and objects.
fn leaves(at: &str, value: &Value, out: &mut Vec<String>) {
    match value {
        Value::Object(entries) if !entries.is_empty() => {
            for (key, value) in entries {
                let key = key.replace('~', "~0").replace('/', "~1");
                leaves(&format!("{at}/{key}"), value, out);
            }
        }
        Value::Array(items) if !items.is_empty() => {
            for (number, value) in items.iter().enumerate() {
                leaves(&format!("{at}/{number}"), value, out);
            }
        }
        _ => out.push(at.to_owned()),
    }
}

/// Something else of the same type.
fn forged(value: &Value) -> Value {
    match value {
        Value::String(text) => json!(format!("{text}!")),
        Value::Number(number) => match number.as_u64() {
            Some(number) => json!(number + 1),
            None => json!(number.as_f64().unwrap() + 0.25),
        },
        Value::Bool(is) => json!(!is),
        Value::Null => json!(0.5),
        Value::Array(_) => json!(["more"]),
        Value::Object(_) => json!({"more": "more"}),
    }
}

#[test]
fn no_field_of_a_report_can_be_forged_with_a_manifest_that_fits() {
    let suite = Suite::new();
    let mut entries = unzip(&suite.pack("a.zip", ""));
    let value: Value = serde_json::from_slice(&entries["report.json"]).unwrap();
    let report: Ordered = serde_json::from_slice(&entries["report.json"]).unwrap();
    let mut places = Vec::new();
    leaves("", &value, &mut places);
    assert!(places.len() > 300, "{}", places.len());
    // The same kind of place in another row is the same code.
    let mut kinds_seen = std::collections::HashMap::<String, u32>::new();
    let mut forge = |change: &dyn Fn(&mut Ordered), what: &str| {
        let mut report = report.clone();
        change(&mut report);
        entries.insert("report.json".to_owned(), written(&report).into_bytes());
        reseal(&mut entries);
        let (code, checked, said) = suite.verify(&zipped(&entries));
        assert_eq!(code, 1, "{what}: {said}");
        assert_eq!(checked["reproduced"], false, "{what}");
    };
    for place in &places {
        let kind: String = place
            .chars()
            .filter(|letter| !letter.is_ascii_digit())
            .collect();
        let seen = kinds_seen.entry(kind).or_default();
        *seen += 1;
        if *seen > 1 {
            continue;
        }
        let changed = forged(value.pointer(place).unwrap());
        let changed: Ordered = serde_json::from_value(changed).unwrap();
        forge(&|report| report.at(place).clone_from(&changed), place);
    }
    for list in [
        "/provenance/models",
        "/provenance/criteria",
        "/provenance/scopes",
        "/provenance/formulas",
        "/scores",
    ] {
        forge(&|report| drop(report.items(list).remove(0)), list);
    }
    forge(
        &|report| report.add("/provenance", "more"),
        "an unknown key",
    );
    forge(
        &|report| report.add("/scores/0", "more"),
        "an unknown key of a row",
    );
    forge(
        &|report| report.items("/scores").swap(0, 1),
        "rows in another order",
    );
    // And the true one, written the same way, is fine.
    entries.insert("report.json".to_owned(), written(&report).into_bytes());
    reseal(&mut entries);
    assert_eq!(suite.verify(&zipped(&entries)).0, 0);
}

/// JSON whose objects keep the order of their keys.
#[derive(Clone, serde::Serialize, serde::Deserialize)]
#[serde(untagged)]
enum Ordered {
    Object(IndexMap<String, Self>),
    List(Vec<Self>),
    Leaf(Value),
}

impl Ordered {
    /// The value at a JSON pointer.
    fn at(&mut self, pointer: &str) -> &mut Self {
        pointer
            .split('/')
            .skip(1)
            .fold(self, |value, key| match value {
                Self::Object(entries) => &mut entries[&key.replace("~1", "/").replace("~0", "~")],
                Self::List(items) => &mut items[key.parse::<usize>().unwrap()],
                Self::Leaf(leaf) => panic!("{pointer}: {leaf}"),
            })
    }

    fn items(&mut self, pointer: &str) -> &mut Vec<Self> {
        match self.at(pointer) {
            Self::List(items) => items,
            _ => panic!("no list at {pointer}"),
        }
    }

    /// An unknown key, after the others.
    fn add(&mut self, pointer: &str, key: &str) {
        let Self::Object(entries) = self.at(pointer) else {
            panic!("no object at {pointer}");
        };
        entries.insert(key.to_owned(), Self::Leaf(json!("unknown")));
    }
}

/// A report as Juror lays it out: an indented head, one row on each line.
fn written(report: &Ordered) -> String {
    let Ordered::Object(entries) = report else {
        panic!("a report is an object");
    };
    let line = |value: &Ordered| serde_json::to_string(value).unwrap();
    let head = serde_json::to_string_pretty(&entries["provenance"]).unwrap();
    let rows = |name: &str| {
        let mut list = entries[name].clone();
        let rows = list
            .items("")
            .iter()
            .map(|row| format!("\n    {}", line(row)));
        let rows: Vec<String> = rows.collect();
        let close = if rows.is_empty() { "" } else { "\n  " };
        format!("  \"{name}\": [{}{close}]", rows.join(","))
    };
    let more: Vec<String> = (entries.iter())
        .filter(|(key, _)| {
            !["format", "provenance", "scores", "samples", "incidents"].contains(&key.as_str())
        })
        .map(|(key, value)| format!(",\n  \"{key}\": {}", line(value)))
        .collect();
    let more = more.concat();
    format!(
        "{{\n  \"format\": {},\n  \"provenance\": {},\n{},\n{},\n{}{more}\n}}\n",
        line(&entries["format"]),
        head.replace('\n', "\n  "),
        rows("scores"),
        rows("samples"),
        rows("incidents"),
    )
}

/// The same ZIP with a name written over, in both places.
fn renamed(zip: &[u8], from: &str, to: &str) -> Vec<u8> {
    assert_eq!(from.len(), to.len());
    let mut zip = zip.to_vec();
    let places: Vec<usize> = (0..zip.len())
        .filter(|at| zip[*at..].starts_with(from.as_bytes()))
        .collect();
    assert!(places.len() >= 2, "{from}");
    for at in places {
        zip[at..at + to.len()].copy_from_slice(to.as_bytes());
    }
    zip
}

#[test]
fn a_pack_with_two_files_of_one_name_is_refused() {
    let suite = Suite::new();
    let mut entries = unzip(&suite.pack("a.zip", ""));
    let journal = entries["alpha/journal.jsonl"].clone();
    entries.insert("alpha/journal.jsonX".to_owned(), journal);
    let pack = renamed(
        &zipped(&entries),
        "alpha/journal.jsonX",
        "alpha/journal.jsonl",
    );
    let (code, _, said) = suite.verify(&pack);
    assert_eq!(code, 2);
    assert!(
        said.contains("two files of the name \"alpha/journal.jsonl\""),
        "{said}"
    );
    suite.write("twice.zip", &pack);
    let (code, _, said) = suite.run("score twice.zip");
    assert!(code == 2 && said.contains("twice.zip"), "{said}");
}

#[test]
fn what_a_system_leaves_in_a_pack_does_not_count_and_a_folder_around_it_is_opened() {
    let suite = Suite::new();
    let entries = unzip(&suite.pack("a.zip", ""));
    let mut inside: Entries = entries
        .iter()
        .map(|(path, bytes)| (format!("evidence/{path}"), bytes.clone()))
        .collect();
    inside.insert(
        "__MACOSX/evidence/._manifest.json".to_owned(),
        b"x".to_vec(),
    );
    inside.insert("evidence/.DS_Store".to_owned(), b"x".to_vec());
    let (code, checked, said) = suite.verify(&zipped(&inside));
    assert_eq!((code, &checked["reproduced"]), (0, &json!(true)), "{said}");
    // One more folder is one too many, and said to be.
    inside.insert("other/a.txt".to_owned(), b"x".to_vec());
    let (code, _, said) = suite.verify(&zipped(&inside));
    assert!(
        code == 2 && said.contains("no manifest.json at its root"),
        "{said}"
    );
}

#[test]
fn names_in_another_unicode_form_are_one_finding() {
    let suite = Suite::new();
    std::fs::rename(suite.path("alpha"), suite.path("älpha")).unwrap();
    let journal = std::fs::read_to_string(suite.path("älpha/journal.jsonl")).unwrap();
    let journal = journal.replace("\"model\":\"alpha\"", "\"model\":\"älpha\"");
    suite.write("älpha/journal.jsonl", journal.as_bytes());
    let (code, _, said) = suite.run("pack bench älpha --out a.zip");
    assert_eq!(code, 0, "{said}");
    let entries = unzip(&std::fs::read(suite.path("a.zip")).unwrap());
    let other: Entries = entries
        .into_iter()
        .map(|(path, bytes)| (path.replace('ä', "a\u{308}"), bytes))
        .collect();
    let (code, checked, _) = suite.verify(&zipped(&other));
    assert_eq!((code, kinds(&checked)), (1, vec!["renamed_entry"]));
    let found = findings(&checked, "renamed_entry");
    assert_eq!(found.len(), 1);
    assert!(found[0]["new"].as_str().unwrap().contains("NFD"));
}

#[test]
fn a_manifest_with_a_byte_order_mark_is_refused() {
    let suite = Suite::new();
    let mut entries = unzip(&suite.pack("a.zip", ""));
    let manifest = [b"\xef\xbb\xbf", entries["manifest.json"].as_slice()].concat();
    entries.insert("manifest.json".to_owned(), manifest);
    let (code, _, said) = suite.verify(&zipped(&entries));
    assert!(code == 2 && said.contains("byte order mark"), "{said}");
}

#[test]
fn a_damaged_picture_is_named() {
    let suite = Suite::new();
    let path = "bench/imgs/d0_1.png";
    let mut zip = suite.pack("a.zip", "");
    let header = (0..zip.len()).find(|at| {
        zip[*at..].starts_with(b"PK\x03\x04") && zip[at + 30..].starts_with(path.as_bytes())
    });
    zip[header.unwrap() + 30 + path.len() + 20] ^= 1;
    let (code, _, said) = suite.verify(&zip);
    assert_eq!(code, 2);
    assert!(
        said.contains("\"bench/imgs/d0_1.png\" is damaged: its bytes do not fit its checksum"),
        "{said}"
    );
}

#[test]
fn a_zip_is_opened_as_the_folder_that_it_was_made_of_also_with_backslashes() {
    let suite = Suite::new();
    let mut entries = Entries::new();
    for file in walkdir(&suite.path("bench")).chain(walkdir(&suite.path("alpha"))) {
        let path = file.strip_prefix(suite.path("")).unwrap();
        let path = path.to_str().unwrap().to_owned();
        entries.insert(path, std::fs::read(&file).unwrap());
    }
    let (_, folder, _) = suite.run("score bench alpha --format csv");
    assert!(folder.lines().count() > 1);
    let plain = zipped(&entries);
    let mut slashed = plain.clone();
    for path in entries.keys() {
        slashed = renamed(&slashed, path, &path.replace('/', "\\"));
    }
    assert_ne!(plain, slashed);
    for zip in [plain, slashed] {
        suite.write("all.zip", &zip);
        let (code, opened, said) = suite.run("score all.zip --format csv");
        assert_eq!((code, &opened), (0, &folder), "{said}");
        let (code, _, said) = suite.run("pack all.zip --out of-zip.zip");
        assert_eq!(code, 0, "{said}");
    }
}

/// All files below a folder.
fn walkdir(folder: &Path) -> impl Iterator<Item = std::path::PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                files.push(path);
            }
        }
    }
    files.into_iter()
}

#[cfg(unix)]
#[test]
fn links_out_of_the_folders_and_pipes_are_named_and_never_packed() {
    use std::os::unix::fs::symlink;

    let suite = Suite::new();
    let before = unzip(&suite.pack("a.zip", ""));
    let private = Folder::default();
    private.write("private/key.jsonl", b"secret");
    private.write("private/answer.txt", b"secret");
    let leaves = [
        ("alpha/more.jsonl", private.path("private/key.jsonl")),
        ("alpha/environ.jsonl", "/proc/self/environ".into()),
        ("alpha/folder", private.path("private")),
    ];
    for (link, target) in &leaves {
        symlink(target, suite.path(link)).unwrap();
    }
    // One that stays inside is what it leads to.
    symlink(
        suite.path("bench/test.json"),
        suite.path("alpha/inside.json"),
    )
    .unwrap();
    let made = std::process::Command::new("mkfifo")
        .arg(suite.path("alpha/pipe.jsonl"))
        .status();
    // Replies may stand in them, so a pack that leaves them out would not hold all that its scores rest on.
    let (code, _, said) = suite.run("pack bench alpha --out b.zip");
    assert_eq!(code, 2, "{said}");
    assert!(!suite.path("b.zip").exists());
    assert!(!said.contains("secret"), "{said}");
    // Where there is no mkfifo there is no pipe.
    let count = 2 + usize::from(made.is_ok());
    let word = format!(
        "{count} files and 1 folder could not be opened (first alpha/environ.jsonl: This is a link to a place outside"
    );
    assert!(said.contains(&word), "{said}");
    // What lies beside it counts where that is opened as well.
    let words = format!("inspect bench alpha {}", private.path("private").display());
    let (_, _, said) = suite.run(&words);
    assert!(!said.contains("more.jsonl"), "{said}");
    for name in ["more.jsonl", "environ.jsonl", "folder", "pipe.jsonl"] {
        // Where there is no mkfifo there is no pipe.
        let _ = std::fs::remove_file(suite.path(&format!("alpha/{name}")));
    }
    let (code, _, said) = suite.run("pack bench alpha --out b.zip");
    assert_eq!(code, 0, "{said}");
    assert_eq!(unzip(&std::fs::read(suite.path("b.zip")).unwrap()), before);
}

/// The suite with verdicts that state no judge.
fn unstated() -> Suite {
    let suite = Suite::new();
    std::fs::remove_file(suite.path("alpha/journal.jsonl")).unwrap();
    let mut random = juror_tests::generate::Random::new(1);
    let lines: String = (0..NUM_DIALOGUES)
        .map(|idx| {
            let dialogue = Dialogue {
                idx,
                num_pictures: 1,
                num_texts: 0,
            };
            dialogue.line(&mut random, 20)
        })
        .collect();
    suite.write("alpha/metrics.jsonl", lines.as_bytes());
    suite
}

#[test]
fn a_pack_says_that_its_judge_was_named_by_the_packer_and_reproduces() {
    let suite = unstated();
    let bytes = suite.pack("named.zip", " --judge-of alpha/metrics.jsonl=gpt-4o");
    let manifest: Value = serde_json::from_slice(&unzip(&bytes)["manifest.json"]).unwrap();
    assert_eq!(manifest["judges"], json!(["gpt-4o"]));
    let names = json!([{"path": "alpha/metrics.jsonl", "judge": "gpt-4o"}]);
    assert_eq!(manifest["judge_names"], names);
    let (code, checked, said) = suite.verify(&bytes);
    assert_eq!((code, &checked["reproduced"]), (0, &json!(true)), "{said}");
    let note = "Named by whoever packed it, as the files of replies state no judge: gpt-4o for alpha/metrics.jsonl.";
    assert!(said.contains(note), "{said}");
    // Without a name the manifest is as it always was.
    let bare = unzip(&suite.pack("bare.zip", ""));
    let text = String::from_utf8(bare["manifest.json"].clone()).unwrap();
    assert!(!text.contains("judge_names"), "{text}");
    assert!(text.contains("\"judges\": [\n    \"\"\n  ]"), "{text}");
}

#[test]
fn a_pack_whose_judge_was_renamed_in_the_manifest_alone_differs() {
    let suite = unstated();
    let named = suite.pack("named.zip", " --judge-of alpha=gpt-4o");
    for (from, to) in [
        ("\"judge\": \"gpt-4o\"", "\"judge\": \"better\""),
        ("\"path\": \"alpha\"", "\"path\": \"elsewhere\""),
    ] {
        let mut entries = unzip(&named);
        edit(&mut entries, "manifest.json", from, to);
        let text = String::from_utf8(entries["manifest.json"].clone()).unwrap();
        let mut manifest = Manifest::read(&text).unwrap();
        manifest.sha256 = manifest.seal();
        entries.insert("manifest.json".to_owned(), manifest.to_json().into_bytes());
        let (code, checked, said) = suite.verify(&zipped(&entries));
        assert_eq!((code, &checked["reproduced"]), (1, &json!(false)), "{said}");
    }
}

#[test]
fn a_judge_named_for_a_file_that_states_its_own_is_refused_with_those_that_do_not() {
    let suite = unstated();
    let (code, _, said) = suite.run("score bench alpha --judge-of alpha/imgs=gpt-4o");
    assert_eq!(code, 2);
    assert!(said.contains("there are alpha/metrics.jsonl"), "{said}");
    let (code, _, said) = suite.run("score bench alpha --judge-of gpt-4o");
    assert_eq!(code, 2);
    assert!(said.contains("expected PATH=NAME"), "{said}");
}

#[test]
fn what_a_pack_computed_is_not_named_as_unread_where_it_is_scored_again() {
    let suite = Suite::new();
    suite.pack("own.zip", "");
    let (code, _, said) = suite.run("score own.zip");
    assert_eq!(code, 0, "{said}");
    assert!(!said.contains("Nothing was read"), "{said}");
    // A report that lies elsewhere is no pack's.
    suite.write("alpha/report.json", b"{}");
    let (_, _, said) = suite.run("score bench alpha");
    assert!(said.contains("report.json: Nothing was read"), "{said}");
}
