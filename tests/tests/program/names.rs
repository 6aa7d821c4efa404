//! Names and ids as people mean them: numbers with and without a fraction, long numbers, names in bytes, one path twice.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use juror_tests::generate::tiny_png;
use juror_tests::program::Folder;
use serde_json::{Value, json};

/// One dialogue of one picture turn under an `idx` as it stands in the text.
fn item(idx: &str, name: &str) -> String {
    let item = json!({"domain": "optics", "images": [format!("imgs/{name}_1.png"), format!("imgs/{name}_2.png")],
        "chats": [{"role": "user", "type": "text", "content": "Change Image #1 by one step."},
            {"role": "assistant", "type": "image", "content": "Image #2", "key_point": {"GT #2": "Done as in <image>."}}]});
    format!("{{\"idx\": {idx}, {}", &item.to_string()[1..])
}

/// A line of `metrics.jsonl` with one score for all criteria.
pub(super) fn line(idx: &str, score: u32) -> String {
    let verdict = json!({"score": score, "reasoning": "It is so."});
    let turn =
        json!({"key_point": verdict, "visual_consistency": verdict, "image_quality": verdict});
    format!("{{\"idx\": {idx}, \"domain\": \"optics\", \"turn 0\": {turn}}}\n")
}

/// A benchmark of dialogues with these `idx` and a model whose lines have those, with the scores 2, 4, 6, …
pub(super) fn suite(list: &[&str], lines: &[&str]) -> Folder {
    let folder = Folder::default();
    let names: Vec<String> = (0..list.len()).map(|at| format!("d{at}")).collect();
    let items: Vec<String> = list
        .iter()
        .zip(&names)
        .map(|(idx, name)| item(idx, name))
        .collect();
    folder.write(
        "bench/test.json",
        format!("[{}]", items.join(", ")).as_bytes(),
    );
    for name in &names {
        for number in 1..=2 {
            folder.write(
                &format!("bench/imgs/{name}_{number}.png"),
                &tiny_png(number),
            );
        }
        folder.write(&format!("model-a/imgs/{name}_2.png"), &tiny_png(9));
    }
    let lines: String = (1..)
        .zip(lines)
        .map(|(at, idx)| line(idx, 2 * at))
        .collect();
    folder.write("model-a/metrics.jsonl", lines.as_bytes());
    folder
}

/// Mean, n and expected of the overall total.
#[track_caller]
fn total(folder: &Folder, words: &str) -> (Option<f64>, u64, u64) {
    let (code, out, said) = folder.run(&format!("score {words}"));
    assert_eq!(code, 0, "{said}");
    let report: Value = serde_json::from_str(&out).unwrap();
    let rows = report["scores"].as_array().unwrap();
    let is_total = |row: &&Value| row["scope"] == "overall" && row["criterion"] == "total";
    let row = rows.iter().find(is_total).unwrap();
    let count = |key: &str| row[key].as_u64().unwrap();
    (row["mean"].as_f64(), count("n"), count("expected"))
}

#[test]
fn a_whole_number_with_a_fraction_of_zeros_is_that_number() {
    for profile in ["paper", "released"] {
        let words = format!("bench model-a --profile {profile}");
        for (list, lines) in [
            (["1", "2", "3"], ["1.0", "2.0", "3.0"]),
            (["1.0", "2.0", "3.0"], ["1", "2", "3"]),
            (["1", "2", "3"], ["1e0", "2", "3.000"]),
        ] {
            assert_eq!(
                total(&suite(&list, &lines), &words),
                (Some(0.4), 3, 3),
                "{lines:?}"
            );
        }
    }
}

#[test]
fn half_a_number_is_no_id() {
    let folder = suite(&["1", "2", "3"], &["1.5", "2", "3"]);
    let (_, n, expected) = total(&folder, "bench model-a");
    assert_eq!((n, expected), (2, 3));
}

#[test]
fn numbers_beyond_the_reach_of_floating_point_stay_apart() {
    let ids = [
        "1830000000000000001",
        "1830000000000000002",
        "1830000000000000003",
        "1830000000000000004",
    ];
    for profile in ["paper", "released"] {
        let words = format!("bench model-a --profile {profile}");
        assert_eq!(total(&suite(&ids, &ids), &words), (Some(0.5), 4, 4));
    }
}

#[test]
fn ratings_from_a_table_of_floats_find_their_samples() {
    let folder = suite(&["7", "8"], &["7", "8"]);
    folder.write(
        "ratings.csv",
        b"sample,turn,model,criterion,rater,score\n7.0,0.0,model-a,key_point,ann,4\n8.0,0.0,model-a,key_point,ann,5\n",
    );
    let (code, out, said) = folder.run("agreement bench model-a ratings.csv");
    assert_eq!(code, 0, "{said}");
    assert!(
        !said.contains("7.0") && !out.contains("7.0"),
        "{out}\n{said}"
    );
    assert!(out.contains("ann"), "{out}");
}

#[test]
fn text_of_windows_powershell_is_read() {
    let folder = suite(&["1", "2"], &["1", "2"]);
    let text = line("1", 2) + &line("2", 4);
    let utf16 = |text: &str| -> Vec<u8> {
        let units = "\u{feff}"
            .encode_utf16()
            .chain(text.encode_utf16().collect::<Vec<_>>());
        units.flat_map(u16::to_le_bytes).collect()
    };
    folder.write("model-a/metrics.jsonl", &utf16(&text.replace('\n', "\r\n")));
    let (mean, n, _) = total(&folder, "bench model-a --profile paper");
    assert!((mean.unwrap() - 0.3).abs() < 1e-12 && n == 2);
    // The authors' scripts stop at bytes that are not UTF-8.
    let (_, n, _) = total(&folder, "bench model-a --profile released");
    assert_eq!(n, 0);
}

#[test]
fn a_folder_named_beside_the_one_that_it_is_in_is_no_second_model() {
    let folder = suite(&["1", "2"], &["1", "2"]);
    let models = |words: &str| {
        let (code, out, said) = folder.run(&format!("score {words} --format csv"));
        assert_eq!(code, 0, "{said}");
        out.matches("overall").count()
    };
    let apart = models("bench model-a");
    assert_eq!(models("."), apart);
    assert_eq!(models(". model-a"), apart);
    assert_eq!(models("model-a ."), apart);
}

#[test]
#[cfg(target_os = "linux")]
fn names_that_are_not_utf_8_stay_apart_and_are_reported() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;
    let folder = suite(&["1", "2"], &["1", "2"]);
    for (name, from) in [(b"\xc4\xe3", 2), (b"\xba\xc3", 6)] {
        let root = folder.path("result").join(OsStr::from_bytes(name));
        std::fs::create_dir_all(root.join("imgs")).unwrap();
        for picture in ["d0_2.png", "d1_2.png"] {
            std::fs::write(root.join("imgs").join(picture), tiny_png(5)).unwrap();
        }
        let lines = line("1", from) + &line("2", from);
        std::fs::write(root.join("metrics.jsonl"), lines).unwrap();
    }
    let (code, out, said) = folder.run("score bench result --format csv");
    assert_eq!(code, 0, "{said}");
    assert!(out.contains("%C4%E3") && out.contains("%BA%C3"), "{out}");
    assert!(out.contains("0.2") && out.contains("0.6"), "{out}");
    assert!(said.contains("not UTF-8"), "{said}");
}

#[test]
#[cfg(target_os = "linux")]
fn a_name_that_is_called_like_the_bytes_of_another_one_stays_apart_from_it() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;
    let folder = suite(&["1"], &["1"]);
    let names: [&[u8]; 4] = [b"caf\xe9", b"caf%E9", b"%41\xe9", b"A%E9"];
    for (score, name) in (5..).zip(names) {
        let root = folder.path("result").join(OsStr::from_bytes(name));
        std::fs::create_dir_all(root.join("imgs")).unwrap();
        std::fs::write(root.join("imgs/d0_2.png"), tiny_png(5)).unwrap();
        std::fs::write(root.join("metrics.jsonl"), line("1", score)).unwrap();
    }
    let (code, out, said) = folder.run("score bench result --format csv");
    assert_eq!(code, 0, "{said}");
    let totals = out
        .lines()
        .filter(|row| row.contains(",overall,all,total,"));
    let means: Vec<&str> = totals.map(|row| row.split(',').nth(7).unwrap()).collect();
    for mean in ["0.5", "0.6", "0.7", "0.8"] {
        assert!(means.contains(&mean), "{means:?}");
    }
}

#[test]
fn names_in_a_list_are_found_in_any_unicode_form() {
    let forms = ["a\u{308}stro", "\u{e4}stro"];
    for (list, disk) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
        let folder = Folder::default();
        let (listed, name) = (forms[list], forms[disk]);
        folder.write(
            "bench/test.json",
            format!("[{}]", item("1", listed)).as_bytes(),
        );
        for number in 1..=2 {
            folder.write(
                &format!("bench/imgs/{name}_{number}.png"),
                &tiny_png(number),
            );
        }
        folder.write(&format!("model-a/imgs/{name}_2.png"), &tiny_png(9));
        folder.write("model-a/metrics.jsonl", line("1", 8).as_bytes());
        let (_, _, said) = folder.run("inspect bench model-a");
        assert!(said.contains("1 of 1 picture"), "{list} {disk}: {said}");
        assert_eq!(total(&folder, "bench model-a"), (Some(0.8), 1, 1), "{said}");
    }
}

#[test]
fn unpacked_parts_of_one_download_are_one_folder() {
    let suite = suite(&["1", "2"], &["1", "2"]);
    let folder = Folder::default();
    let part = |at: usize| format!("weave-20260203T101010Z-3-00{at}");
    // The benchmark's files and the model's are in several parts.
    let files = [
        "bench/test.json",
        "bench/imgs/d0_1.png",
        "bench/imgs/d0_2.png",
        "bench/imgs/d1_1.png",
        "bench/imgs/d1_2.png",
        "model-a/imgs/d0_2.png",
        "model-a/imgs/d1_2.png",
        "model-a/metrics.jsonl",
    ];
    for (at, path) in files.iter().enumerate() {
        let bytes = std::fs::read(suite.path(path)).unwrap();
        folder.write(&format!("down/{}/weave/{path}", part(at % 3 + 1)), &bytes);
    }
    let all = [1, 2, 3].map(|at| format!("down/{}", part(at))).join(" ");
    for words in ["down", &all] {
        assert_eq!(total(&folder, words), (Some(0.3), 2, 2), "{words}");
    }
    // One part alone lacks what is in the others.
    assert_ne!(total(&folder, &format!("down/{}", part(1))).1, 2);
}

#[test]
fn two_zips_with_one_path_and_other_bytes_are_refused_with_both_named() {
    let folder = suite(&["1", "2"], &["1", "2"]);
    let zip = |name: &str, score: u32| {
        let mut writer = zip::ZipWriter::new(std::fs::File::create(folder.path(name)).unwrap());
        let options = zip::write::SimpleFileOptions::default();
        let files = [
            (
                "result/model-b/metrics.jsonl",
                (line("1", score) + &line("2", score)).into_bytes(),
            ),
            ("result/model-b/imgs/d0_2.png", tiny_png(1)),
            ("result/model-b/imgs/d1_2.png", tiny_png(2)),
        ];
        for (path, bytes) in files {
            writer.start_file(path, options).unwrap();
            std::io::Write::write_all(&mut writer, &bytes).unwrap();
        }
        writer.finish().unwrap();
    };
    zip("monday.zip", 8);
    zip("friday.zip", 2);
    for words in ["monday.zip friday.zip", "friday.zip monday.zip"] {
        let (code, _, said) = folder.run(&format!("score bench {words}"));
        assert_eq!(code, 2, "{said}");
        assert!(
            said.contains("monday.zip") && said.contains("friday.zip"),
            "{said}"
        );
        assert!(said.contains("result/model-b/metrics.jsonl"), "{said}");
    }
    // The same files twice are the same files.
    zip("again.zip", 8);
    let (code, _, said) = folder.run("score bench monday.zip again.zip");
    assert_eq!(code, 0, "{said}");
}

#[test]
fn a_mean_over_lines_of_dialogues_that_the_list_does_not_have_says_over_how_many() {
    let folder = suite(&["1", "2", "3"], &["\" 1\"", "7", "8"]);
    let words = "bench model-a --profile released";
    assert_eq!(total(&folder, words), (Some(0.4), 3, 3));
    assert_eq!(total(&folder, "bench model-a"), (None, 0, 3));
    // One line of a foreign dialogue beside one that is known.
    let folder = suite(&["1", "2", "3"], &["1", "9"]);
    assert_eq!(total(&folder, words), (Some(0.3), 2, 3));
}

#[cfg(target_os = "linux")]
#[test]
fn a_file_whose_name_differs_in_capitals_does_not_count_beside_the_one_that_is_read() {
    let folder = suite(&["1", "2", "3"], &["1", "2", "3"]);
    let other: String = ["1", "2", "3"].map(|idx| line(idx, 1)).concat();
    folder.write("model-a/Metrics.jsonl", other.as_bytes());
    for profile in ["paper", "released"] {
        let words = format!("bench model-a --profile {profile}");
        assert_eq!(total(&folder, &words), (Some(0.4), 3, 3), "{profile}");
    }
    let (_, _, said) = folder.run("score bench model-a");
    assert!(said.contains("Metrics.jsonl: Nothing was read"), "{said}");
    std::fs::remove_file(folder.path("model-a/metrics.jsonl")).unwrap();
    assert_eq!(total(&folder, "bench model-a"), (Some(0.1), 3, 3));
}

#[test]
fn a_mean_of_turns_of_which_criteria_lack_is_over_more_than_none() {
    let folder = suite(&["1", "2", "3"], &[]);
    let lines = ["1", "2"].map(|idx| {
        format!("{{\"idx\": {idx}, \"domain\": \"optics\", \"turn 0\": {{\"key_point\": {{\"score\": 7, \"reasoning\": \"x\"}}}}}}\n")
    });
    folder.write("model-a/metrics.jsonl", lines.concat().as_bytes());
    let words = "bench model-a --profile released";
    assert_eq!(total(&folder, words), (Some(0.7), 2, 3));
    assert_eq!(total(&folder, "bench model-a"), (None, 0, 3));
}

#[test]
fn a_folder_that_is_called_like_a_model_in_other_letters_adds_nothing_to_it() {
    let list = ["0", "1"];
    let (own, other) = ("mod\u{e9}l", "mode\u{301}l");
    let made = || {
        let folder = suite(&list, &["0"]);
        std::fs::create_dir(folder.path("out")).unwrap();
        std::fs::rename(folder.path("model-a"), folder.path(&format!("out/{own}"))).unwrap();
        folder
    };
    let of = |folder: &Folder| {
        let (code, out, said) = folder.run("score bench out");
        assert_eq!(code, 0, "{said}");
        let report: Value = serde_json::from_str(&out).unwrap();
        let rows = report["scores"].as_array().unwrap().iter();
        let own: Vec<Value> = rows.filter(|row| row["model"] == own).cloned().collect();
        assert!(!own.is_empty());
        (own, said)
    };
    let (known, said) = of(&made());
    assert!(!said.contains("form of a letter"), "{said}");
    let folder = made();
    folder.write(&format!("out/{other}/journal.jsonl"), b"");
    folder.write(
        &format!("out/{other}/metrics2.jsonl"),
        line("1", 1).as_bytes(),
    );
    folder.write(&format!("out/{other}/imgs/d0_2.jpg"), &tiny_png(3));
    let (found, said) = of(&folder);
    assert_eq!(found, known);
    assert!(said.contains("form of a letter"), "{said}");
    // In its own folder a picture would have counted.
    let folder = made();
    std::fs::remove_file(folder.path(&format!("out/{own}/imgs/d1_2.png"))).unwrap();
    folder.write(&format!("out/{other}/imgs/d1_2.png"), &tiny_png(9));
    assert!(of(&folder).0 != known);
}
