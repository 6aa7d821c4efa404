//! The command line over real folders: what it prints, where, and with which exit code.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::io::Write as _;
use std::process::{Command, Stdio};

use juror_tests::generate::{Dialogue, Random, tiny_png};
use juror_tests::program::program;
use serde_json::{Value, json};
use tempfile::TempDir;

struct Ran {
    code: i32,
    out: String,
    words: String,
}

impl Ran {
    #[track_caller]
    fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| {
            panic!("stdout is not JSON: {error}\n{}\n{}", self.out, self.words)
        })
    }

    #[track_caller]
    fn ends_with(self, code: i32) -> Self {
        assert_eq!(self.code, code, "{}\n{}", self.out, self.words);
        self
    }
}

fn run(args: &[&str], stdin: &str) -> Ran {
    let mut command = Command::new(program());
    command
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // A program that does not read closes the pipe, which is no fault of this test.
    let _ = child.stdin.take().unwrap().write_all(stdin.as_bytes());
    let output = child.wait_with_output().unwrap();
    Ran {
        code: output.status.code().unwrap_or(-1),
        out: String::from_utf8(output.stdout).unwrap(),
        words: String::from_utf8(output.stderr).unwrap(),
    }
}

const DIALOGUES: [Dialogue; 2] = [
    Dialogue {
        idx: 6,
        num_pictures: 2,
        num_texts: 1,
    },
    Dialogue {
        idx: 15,
        num_pictures: 1,
        num_texts: 1,
    },
];

/// A folder with a benchmark in `bench` and two models in `alpha` and `beta`.
struct Suite(TempDir);

impl Suite {
    fn new() -> Self {
        let suite = Self(TempDir::new().unwrap());
        let items: Vec<Value> = DIALOGUES.iter().map(Dialogue::item).collect();
        suite.write("bench/test.json", json!(items).to_string().as_bytes());
        let mut grey = 0;
        for dialogue in DIALOGUES {
            for number in 1..=dialogue.num_pictures + 1 {
                grey += 1;
                suite.write(
                    &format!("bench/imgs/{}", dialogue.picture(number)),
                    &tiny_png(grey),
                );
            }
        }
        for (seed, model) in (1..).zip(["alpha", "beta"]) {
            let mut random = Random::new(seed);
            let lines: String = DIALOGUES
                .iter()
                .map(|dialogue| dialogue.line(&mut random, 20))
                .collect();
            suite.write(&format!("{model}/metrics.jsonl"), lines.as_bytes());
            for dialogue in DIALOGUES {
                for number in 2..=dialogue.num_pictures + 1 {
                    grey += 1;
                    suite.write(
                        &format!("{model}/imgs/{}", dialogue.picture(number)),
                        &tiny_png(grey),
                    );
                }
                let text = format!("Answer {} of {model}.", dialogue.idx);
                suite.write(
                    &format!("{model}/imgs/{}", dialogue.answer(dialogue.num_pictures)),
                    text.as_bytes(),
                );
            }
        }
        suite
    }

    fn write(&self, path: &str, content: &[u8]) {
        let path = self.0.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
    }

    fn remove(&self, path: &str) {
        std::fs::remove_file(self.0.path().join(path)).unwrap();
    }

    fn path(&self, path: &str) -> String {
        self.0.path().join(path).to_str().unwrap().to_owned()
    }

    fn read(&self, path: &str) -> String {
        std::fs::read_to_string(self.0.path().join(path)).unwrap()
    }

    /// Runs a command over some of the folders; words that begin with `@` are paths in the suite.
    fn run(&self, words: &[&str]) -> Ran {
        let words: Vec<String> = words
            .iter()
            .map(|word| {
                word.strip_prefix('@')
                    .map_or_else(|| (*word).to_owned(), |path| self.path(path))
            })
            .collect();
        run(&words.iter().map(String::as_str).collect::<Vec<_>>(), "")
    }
}

fn record(model: &str, criterion: &str, score: u32) -> String {
    let record = json!({
        "format": "juror-journal/1", "protocol": "weave", "model": model, "sample": "6", "turn": 0,
        "criterion": criterion, "judge": "j", "run": 1, "reply": format!("{{\"score\": {score}}}"),
    });
    record.to_string() + "\n"
}

/// The mean of a score row.
fn mean(report: &Value, model: &str, judge: &str, criterion: &str) -> Option<f64> {
    let rows = report["scores"].as_array().unwrap();
    let row = rows.iter().find(|row| {
        row["model"] == model
            && row["judge"] == judge
            && row["scope"] == "overall"
            && row["criterion"] == criterion
    });
    row.and_then(|row| row["mean"].as_f64())
}

#[test]
fn inspect_tells_what_was_found_as_json_and_in_words() {
    let suite = Suite::new();
    suite.write("alpha/notes.md", b"x");
    let ran = suite
        .run(&["inspect", "@bench", "@alpha", "@beta"])
        .ends_with(0);
    let found = ran.json();
    assert_eq!(found["benchmark"]["samples"], 2);
    assert_eq!(found["benchmark"]["picture_turns"], 3);
    assert_eq!(found["benchmark"]["missing_pictures"], 0);
    let names: Vec<&str> = found["models"]
        .as_array()
        .unwrap()
        .iter()
        .map(|model| model["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["alpha", "beta"]);
    assert_eq!(found["models"][0]["scored"], 11);
    assert_eq!(found["unknown_files"], json!(["alpha/notes.md"]));
    assert!(
        ran.words.contains("WEAVEBench: 2 dialogues with"),
        "{}",
        ran.words
    );
}

#[test]
fn inspect_of_a_folder_without_a_benchmark_ends_with_1() {
    let suite = Suite::new();
    suite.write("empty/readme.txt", b"x");
    let ran = suite.run(&["inspect", "@empty"]).ends_with(1);
    assert_eq!(ran.json()["benchmark"], Value::Null);
    assert!(ran.words.contains("No benchmark was found."));
}

#[test]
fn lint_of_sound_outputs_finds_nothing_and_ends_with_0() {
    let ran = Suite::new()
        .run(&["lint", "@bench", "--outputs", "@alpha"])
        .ends_with(0);
    assert_eq!(ran.json(), json!([]));
}

#[test]
fn lint_names_missing_misnamed_extra_unreadable_repeated_and_copied_outputs() {
    let suite = Suite::new();
    let picture = |at: usize, number: usize| DIALOGUES[at].picture(number);
    suite.remove(&format!("alpha/imgs/{}", picture(0, 2)));
    suite.remove(&format!("alpha/imgs/{}", picture(0, 3)));
    suite.write("alpha/imgs/d6_3.webp", &tiny_png(90));
    suite.write("alpha/imgs/spare.png", &tiny_png(91));
    suite.write(
        &format!("alpha/imgs/{}", picture(1, 2)),
        b"<html>no picture</html>",
    );
    suite.write(&format!("beta/imgs/{}", picture(0, 2)), &tiny_png(1));
    suite.write(&format!("beta/imgs/{}", picture(0, 3)), &tiny_png(92));
    suite.write(&format!("beta/imgs/{}", picture(1, 2)), &tiny_png(92));
    let ran = suite
        .run(&["lint", "@bench", "@alpha", "--outputs", "@beta"])
        .ends_with(1);
    let found = ran.json();
    let one = |code: &str| {
        let of_code: Vec<&Value> = found
            .as_array()
            .unwrap()
            .iter()
            .filter(|problem| problem["code"] == code)
            .collect();
        assert_eq!(of_code.len(), 1, "{code}: {found:#}");
        of_code[0].clone()
    };
    let missing = one("missing_output");
    assert_eq!(missing["path"], format!("alpha/imgs/{}", picture(0, 2)));
    assert_eq!(missing["place"], "idx 6, turn 1");
    let misnamed = one("misnamed_output");
    assert_eq!(
        misnamed["hint"],
        format!(
            "Rename alpha/imgs/d6_3.webp to alpha/imgs/{}.",
            picture(0, 3)
        )
    );
    assert_eq!(one("extra_file")["path"], "alpha/imgs/spare.png");
    assert_eq!(
        one("not_a_picture")["path"],
        format!("alpha/imgs/{}", picture(1, 2))
    );
    let copied = one("copied_output");
    assert_eq!(copied["path"], format!("beta/imgs/{}", picture(0, 2)));
    assert_eq!(
        (&copied["sample"], &copied["turn"]),
        (&json!("6"), &json!(0))
    );
    assert_eq!(copied["place"], "idx 6, turn 1");
    assert!(
        copied["message"]
            .as_str()
            .unwrap()
            .contains("bench/imgs/d6_1.png")
    );
    let repeated = one("repeated_output");
    assert_eq!(repeated["path"], format!("beta/imgs/{}", picture(1, 2)));
    assert!(
        repeated["message"]
            .as_str()
            .unwrap()
            .contains("beta/imgs/d6_3.png")
    );
    assert!(ran.words.contains("error: "), "and says so in words");
}

#[test]
fn lint_writes_renames_that_a_shell_carries_out_and_runs_none_itself() {
    let suite = Suite::new();
    let name = DIALOGUES[0].picture(3);
    suite.remove(&format!("alpha/imgs/{name}"));
    suite.write("alpha/imgs/D6-03 'output'.jpg", &tiny_png(90));
    let args = ["lint", "@bench", "@alpha", "--format", "sh"];
    let ran = suite.run(&args).ends_with(1);
    let folder = suite.0.path().canonicalize().unwrap();
    let folder = folder.to_str().unwrap();
    assert_eq!(
        ran.out,
        format!(
            "#!/bin/sh\nmv -n -- '{folder}/alpha/imgs/D6-03 '\\''output'\\''.jpg' '{folder}/alpha/imgs/{name}'\n"
        )
    );
    assert!(!suite.0.path().join("alpha/imgs").join(&name).exists());
    let ran = suite.run(&["lint", "@bench", "@alpha", "--format", "text"]);
    assert!(ran.out.starts_with("error: alpha/imgs/"), "{}", ran.out);
    let script = suite.run(&args).out;
    suite.write("rename.sh", script.as_bytes());
    let shell = Command::new("sh")
        .arg(suite.0.path().join("rename.sh"))
        .status();
    assert!(shell.unwrap().success());
    suite.run(&["lint", "@bench", "@alpha"]).ends_with(0);
}

/// A picture that is no formula of one level.
fn level(x: u32, y: u32) -> [u8; 3] {
    [20 + x + y, 200 - 3 * x, x * y % 97].map(|level| u8::try_from(level).unwrap())
}

/// [`level`] of 64 × 64, twice as large.
fn twice(x: u32, y: u32) -> [u8; 3] {
    level(x / 2, y / 2)
}

fn png(side: u32, of: &dyn Fn(u32, u32) -> [u8; 3]) -> Vec<u8> {
    let places = (0..side).flat_map(|y| (0..side).map(move |x| (x, y)));
    let data = places.flat_map(|(x, y)| of(x, y)).collect();
    let picture = juror_image::Rgb {
        width: side,
        height: side,
        data,
    };
    juror_image::encode_png(&picture).unwrap()
}

#[test]
fn lint_compares_an_output_with_an_earlier_turns_target_and_never_with_a_later_ones() {
    let suite = Suite::new();
    let flat = |colour: [u8; 3]| png(64, &move |_, _| colour);
    // The target, the output that is like it, and how many findings there are.
    for (target, output, told) in [(3, 2, 0), (2, 3, 1)] {
        let picture = |number| DIALOGUES[0].picture(number);
        suite.write(&format!("bench/imgs/{}", picture(1)), &flat([9; 3]));
        for number in [2, 3] {
            let of_bench = if number == target {
                png(64, &level)
            } else {
                flat([9, 99, 199])
            };
            let of_alpha = if number == output {
                png(128, &twice)
            } else {
                flat([199, 99, 9])
            };
            suite.write(&format!("bench/imgs/{}", picture(number)), &of_bench);
            suite.write(&format!("alpha/imgs/{}", picture(number)), &of_alpha);
        }
        let found = suite.run(&["lint", "@bench", "@alpha"]).json();
        let all = found.as_array().unwrap().iter();
        let near: Vec<&Value> = all.filter(|one| one["code"] == "near_copy").collect();
        assert_eq!(near.len(), told, "{found:#}");
        for one in near {
            let message = one["message"].as_str().unwrap();
            assert!(message.contains(", the target of turn 1: "), "{message}");
        }
    }
}

#[test]
fn lint_tells_a_scaled_copy_of_an_input_from_an_edit_of_it_and_names_a_picture_cut_off() {
    let suite = Suite::new();
    suite.write(
        &format!("bench/imgs/{}", DIALOGUES[0].picture(1)),
        &png(64, &level),
    );
    suite.write(
        &format!("alpha/imgs/{}", DIALOGUES[0].picture(2)),
        &png(128, &twice),
    );
    let edited = |x: u32, y: u32| {
        if x < 12 && y < 12 {
            [255; 3]
        } else {
            level(x, y)
        }
    };
    suite.write(
        &format!("alpha/imgs/{}", DIALOGUES[0].picture(3)),
        &png(64, &edited),
    );
    let found = suite.run(&["lint", "@bench", "@alpha"]).ends_with(1).json();
    let of = |code: &str| -> Vec<Value> {
        let all = found.as_array().unwrap().iter();
        all.filter(|one| one["code"] == code).cloned().collect()
    };
    let near = of("near_copy");
    assert_eq!(near.len(), 1, "{found:#}");
    assert_eq!(
        near[0]["path"],
        format!("alpha/imgs/{}", DIALOGUES[0].picture(2))
    );
    assert_eq!(
        near[0]["other_path"],
        format!("bench/imgs/{}", DIALOGUES[0].picture(1))
    );
    assert!(near[0]["distance"].as_u64().unwrap() <= 6);
    // Cut off in the middle: the header is sound, the picture is not.
    let whole = png(64, &edited);
    suite.write(
        &format!("alpha/imgs/{}", DIALOGUES[0].picture(3)),
        &whole[..whole.len() / 2],
    );
    let ran = suite.run(&["lint", "@bench", "@alpha"]).ends_with(1);
    assert!(ran.words.contains("error: alpha/imgs/"), "{}", ran.words);
    assert!(ran.out.contains("\"corrupt_picture\""), "{}", ran.out);
}

#[test]
fn a_picture_that_is_cut_off_counts_as_unreadable_in_scores_requests_and_lint_alike() {
    let suite = Suite::new();
    let picture = juror_image::Rgb::filled(64, 48, [120, 60, 30]).unwrap();
    let whole = juror_image::encode_jpeg(&picture).unwrap();
    let path = format!("alpha/imgs/{}", DIALOGUES[0].picture(2));
    let incidents = || {
        let report = suite
            .run(&["score", "@bench", "@alpha"])
            .ends_with(0)
            .json();
        let kinds = report["incidents"].as_array().unwrap().clone();
        let sample = DIALOGUES[0].idx.to_string();
        let of = kinds
            .into_iter()
            .filter(|one| one["kind"] == "unreadable_output" && one["sample"] == sample.as_str());
        of.count()
    };
    let asked = || {
        suite
            .run(&[
                "requests",
                "@bench",
                "@alpha",
                "--engine",
                "text",
                "--out",
                "@asked.txt",
            ])
            .ends_with(0);
        let text = suite.read("asked.txt");
        text.matches(&format!(": {path}]")).count()
    };
    // The sibling: a whole one is present, asked about and no finding.
    suite.write(&path, &whole);
    assert_eq!(incidents(), 0);
    assert!(asked() >= 3);
    let sound = suite.run(&["lint", "@bench", "@alpha"]).out;
    assert!(!sound.contains("corrupt_picture"), "{sound}");
    suite.write(&path, &whole[..whole.len() - 60]);
    assert_eq!(incidents(), 3);
    assert_eq!(asked(), 0);
    let found = suite.run(&["lint", "@bench", "@alpha"]).ends_with(1).json();
    let of_path: Vec<&Value> = (found.as_array().unwrap().iter())
        .filter(|one| one["path"] == path)
        .collect();
    assert_eq!(of_path.len(), 1, "{found:#}");
    assert_eq!(of_path[0]["code"], "corrupt_picture");
}

/// A picture of one level.
fn flat_png(width: u32, height: u32) -> Vec<u8> {
    let data = vec![120; width as usize * height as usize * 3];
    juror_image::encode_png(&juror_image::Rgb {
        width,
        height,
        data,
    })
    .unwrap()
}

#[test]
fn lint_names_an_odd_size_unless_an_input_explains_it_or_no_size_is_usual() {
    let suite = Suite::new();
    let odd = || {
        let found = suite.run(&["lint", "@bench", "@alpha"]).json();
        let all = found.as_array().unwrap().iter();
        let odd = all.filter(|one| one["code"] == "odd_size");
        odd.map(|one| (one["path"].clone(), one["message"].clone()))
            .collect::<Vec<_>>()
    };
    // Three outputs of one pixel each: none is odd.
    assert_eq!(odd(), []);
    let second = format!("alpha/imgs/{}", DIALOGUES[0].picture(3));
    suite.write(&second, &flat_png(3, 2));
    let message = "The picture is 3 × 2, while 2 of 3 outputs are 1 × 1.";
    assert_eq!(odd(), [(json!(second), json!(message))]);
    // An editing model keeps the size of its input.
    let input = format!("bench/imgs/{}", DIALOGUES[0].picture(1));
    suite.write(&input, &flat_png(3, 2));
    assert_eq!(odd(), []);
    suite.write(&input, &tiny_png(1));
    assert_eq!(odd().len(), 1);
    // Of three sizes none is that of most: then only another shape than the data set's 1 × 1 is odd.
    let third = format!("alpha/imgs/{}", DIALOGUES[1].picture(2));
    suite.write(&third, &flat_png(4, 4));
    let message =
        "The picture is 3 × 2, while the data set's picture in its place is 1 × 1: another shape.";
    assert_eq!(odd(), [(json!(second), json!(message))]);
    suite.write(&second, &flat_png(3, 3));
    assert_eq!(odd(), []);
}

#[test]
fn lint_counts_sizes_where_none_is_that_of_most_and_an_input_does_not_explain_them() {
    let suite = Suite::new();
    let mixed = || {
        let found = suite.run(&["lint", "@bench", "@alpha"]).json();
        let all = found.as_array().unwrap().iter();
        let mixed = all.filter(|one| one["code"] == "mixed_sizes");
        mixed.cloned().collect::<Vec<_>>()
    };
    let [first, second, third] =
        [(0, 2), (0, 3), (1, 2)].map(|(at, number)| DIALOGUES[at].picture(number));
    let write =
        |name: &str, side| suite.write(&format!("alpha/imgs/{name}"), &flat_png(side, side));
    write(&first, 5);
    write(&second, 7);
    assert_eq!(mixed().len(), 1);
    write(&third, 7);
    assert_eq!(mixed(), Vec::<Value>::new(), "two of three are most");
    // An even split of two.
    suite.remove(&format!("alpha/imgs/{first}"));
    write(&third, 4);
    let found = mixed();
    assert_eq!(
        found[0]["message"],
        "The 2 outputs have mixed sizes, and no size is that of most of them: 1 of 4 × 4, 1 of 7 × 7. The size of 2 is not \
         that of any picture of its own sample either."
    );
    assert_eq!(
        (
            &found[0]["severity"],
            &found[0]["model"],
            &found[0]["sample"]
        ),
        (&json!("note"), &json!("alpha"), &Value::Null)
    );
    // Sizes that inputs explain are no matter.
    suite.write(
        &format!("bench/imgs/{}", DIALOGUES[0].picture(1)),
        &flat_png(7, 7),
    );
    suite.write(
        &format!("bench/imgs/{}", DIALOGUES[1].picture(1)),
        &flat_png(4, 4),
    );
    assert_eq!(mixed(), Vec::<Value>::new());
}

#[test]
fn lint_holds_an_odd_size_against_what_all_other_models_gave() {
    // A protocol whose samples have no expected picture.
    let folder = tempfile::tempdir().unwrap();
    let write = |path: &str, bytes: &[u8]| {
        let path = folder.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    };
    for number in ["001", "002"] {
        for (index, level) in [3, 5, 7].into_iter().enumerate() {
            write(
                &format!("bench/3_back/{number}_{index}.png"),
                &tiny_png(level),
            );
        }
        write(
            &format!("bench/3_back/{number}_prompt.txt"),
            b"Put all in one picture.",
        );
        for model in ["a", "b"] {
            write(
                &format!("{model}/3_back/{number}_generated.png"),
                &flat_png(8, 8),
            );
        }
    }
    write("c/3_back/001_generated.png", &flat_png(8, 4));
    write("c/3_back/002_generated.png", &flat_png(6, 6));
    let mut args = vec!["lint".to_owned()];
    args.extend(
        ["bench", "a", "b", "c"]
            .map(|name| folder.path().join(name).to_string_lossy().into_owned()),
    );
    let ran = Command::new(program()).args(&args).output().unwrap();
    let found: Value = serde_json::from_slice(&ran.stdout).unwrap();
    let all = found.as_array().unwrap().iter();
    let odd: Vec<&Value> = all.filter(|one| one["code"] == "odd_size").collect();
    assert_eq!(odd.len(), 1, "{found:#}");
    assert_eq!(
        odd[0]["message"],
        "The picture is 8 × 4, while the other models' outputs are all 8 × 8: another shape."
    );
    assert_eq!(
        (&odd[0]["sample"], &odd[0]["turn"]),
        (&json!("3_back/001"), &Value::Null)
    );
}

#[test]
fn lint_names_an_output_that_two_models_share_but_no_shared_text() {
    let suite = Suite::new();
    let shared = || {
        let args = ["lint", "@bench", "@alpha", "--outputs", "@beta"];
        let found = suite.run(&args).json();
        let all = found.as_array().unwrap().iter();
        all.filter(|one| one["code"] == "shared_output")
            .cloned()
            .collect::<Vec<_>>()
    };
    assert_eq!(shared(), Vec::<Value>::new());
    let name = DIALOGUES[0].picture(2);
    for model in ["alpha", "beta"] {
        suite.write(&format!("{model}/imgs/{name}"), &tiny_png(90));
        suite.write(
            &format!("{model}/imgs/{}", DIALOGUES[0].answer(1)),
            b"The same.",
        );
    }
    let found = shared();
    assert_eq!(found.len(), 1, "{found:#?}");
    assert_eq!(found[0]["path"], format!("beta/imgs/{name}"));
    assert_eq!(found[0]["other_path"], format!("alpha/imgs/{name}"));
    assert_eq!(found[0]["model"], "beta");
    assert_eq!(
        found[0]["message"],
        format!("The output equals alpha's alpha/imgs/{name} byte for byte.")
    );
}

#[test]
fn lint_without_a_benchmark_ends_with_2() {
    let ran = Suite::new().run(&["lint", "@alpha"]).ends_with(2);
    assert!(ran.words.contains("sample list"), "{}", ran.words);
    assert_eq!(ran.out, "");
}

/// The request blocks of a file.
fn blocks(text: &str) -> Vec<&str> {
    text.split("===== juror-request ").skip(1).collect()
}

#[test]
fn requests_are_written_as_text_with_hash_texts_and_pictures_in_their_places() {
    let suite = Suite::new();
    suite
        .run(&[
            "requests", "@bench", "@alpha", "@beta", "--engine", "text", "--out", "@all.txt",
        ])
        .ends_with(0);
    let text = suite.read("all.txt");
    let blocks = blocks(&text);
    // Two models, three picture turns with three criteria, two text turns.
    assert_eq!(blocks.len(), 2 * (3 * 3 + 2));
    let first = blocks[0];
    let (hash, rest) = first.split_once(' ').unwrap();
    assert!(
        hash.len() == 64 && hash.bytes().all(|byte| byte.is_ascii_hexdigit()),
        "{hash}"
    );
    assert!(
        rest.starts_with("· model alpha · sample 6 · turn 0 · key_point · prompts juror-weave/1 "),
        "{rest}"
    );
    let encoder = "# Pictures are sent as JPEG exactly as Pillow writes it by default, which is what the authors’ code does: turned upright, RGB, quality 75, 4:2:0.\n";
    assert!(first.contains(encoder), "{first}");
    assert!(
        first.contains("[picture 1: alpha/imgs/d6_2.png]"),
        "{first}"
    );
    assert!(
        first.contains("1. The step was made as in [picture 2: bench/imgs/d6_2.png]."),
        "{first}"
    );
    let accuracy = blocks
        .iter()
        .find(|block| block.contains("· accuracy ·"))
        .unwrap();
    assert!(
        accuracy.contains("The standard answer.") && accuracy.contains("Answer 6 of alpha."),
        "{accuracy}"
    );
}

#[test]
fn the_authors_prompts_replace_the_built_in_ones_and_change_every_hash() {
    let suite = Suite::new();
    let prompts = "import os\n\
        prompt_keypoint_checklist = \"\"\"KEY <image> list:\n\"\"\"\n\
        prompt_visual_consistency = '''SAME <image>?\n'''\n\
        prompt_image_quality = \"GOOD <image>?\"\n\
        prompt_txt_acc = \"\"\"{{}} {standard_answer} or {generated_answer}\"\"\"\n";
    suite.write("authors/eval/prompts.py", prompts.as_bytes());
    suite
        .run(&[
            "requests", "@bench", "@alpha", "--engine", "text", "--out", "@own.txt",
        ])
        .ends_with(0);
    let args = [
        "requests",
        "@bench",
        "@alpha",
        "--engine",
        "text",
        "--prompts",
        "@authors",
        "--out",
        "@official.txt",
    ];
    suite.run(&args).ends_with(0);
    let (own, official) = (suite.read("own.txt"), suite.read("official.txt"));
    let (own, official) = (blocks(&own), blocks(&official));
    assert_eq!(own.len(), official.len());
    for (own, official) in own.iter().zip(&official) {
        assert_ne!(own[..64], official[..64]);
        assert!(
            official.contains(" · texts from authors/eval/prompts.py ("),
            "{official}"
        );
    }
    let body = |at: usize| official[at].split_once(" =====\n").unwrap().1;
    // How the pictures are encoded stands above each text that has some.
    let below_note = |at: usize| {
        let (note, text) = body(at).split_once('\n').unwrap();
        assert!(note.starts_with("# Pictures are sent as JPEG "), "{note}");
        text
    };
    assert_eq!(
        below_note(0),
        "KEY [picture 1: alpha/imgs/d6_2.png] list:\n1. The step was made as in [picture 2: bench/imgs/d6_2.png].\n\n"
    );
    assert_eq!(below_note(2), "GOOD [picture 1: alpha/imgs/d6_2.png]?\n\n");
    assert!(
        official
            .iter()
            .any(|block| block.contains("{} The standard answer. or Answer 6 of alpha."))
    );
}

#[test]
fn requests_can_be_limited_to_a_model_and_to_what_has_no_reply() {
    let suite = Suite::new();
    let base = [
        "requests", "@bench", "@alpha", "@beta", "--engine", "text", "--out", "@r.txt",
    ];
    suite
        .run(&[&base[..], &["--model", "beta"]].concat())
        .ends_with(0);
    assert_eq!(blocks(&suite.read("r.txt")).len(), 11);
    suite
        .run(&[&base[..], &["--missing"]].concat())
        .ends_with(0);
    assert_eq!(
        blocks(&suite.read("r.txt")).len(),
        0,
        "everything was judged"
    );
    let lines = suite.read("beta/metrics.jsonl");
    suite.write(
        "beta/metrics.jsonl",
        lines.split_inclusive('\n').next().unwrap().as_bytes(),
    );
    suite
        .run(&[&base[..], &["--missing"]].concat())
        .ends_with(0);
    assert_eq!(
        blocks(&suite.read("r.txt")).len(),
        4,
        "the second dialogue of beta was not"
    );
    let ran = suite
        .run(&[&base[..], &["--model", "gamma"]].concat())
        .ends_with(2);
    assert!(ran.words.contains("alpha, beta"), "{}", ran.words);
}

#[test]
fn parse_prints_a_verdict_or_an_incident_or_refuses() {
    let parse = |criterion: &str, more: &[&str], reply: &str| {
        run(
            &[
                &["parse", "--protocol", "weave", "--request", criterion],
                more,
            ]
            .concat(),
            reply,
        )
    };
    let verdict = parse("key_point", &[], "{\"score\": 7, \"reasoning\": \"fine\"}").ends_with(0);
    assert_eq!(
        verdict.json(),
        json!({"status": "ok", "criteria": {"key_point": 7.0}, "score": 7.0, "reason": "fine"})
    );
    let incident = parse("key_point", &[], "Score: 7").ends_with(1).json();
    assert_eq!(
        (&incident["status"], &incident["kind"]),
        (&json!("incident"), &json!("unparsable"))
    );
    assert!(!incident["detail"].as_str().unwrap().is_empty());
    assert_eq!(
        parse("accuracy", &[], "{\"score\": 7}").ends_with(1).json()["kind"],
        "out_of_range"
    );
    let lenient = parse("accuracy", &["--profile", "released"], "{\"score\": 7}").ends_with(0);
    assert_eq!(lenient.json()["score"], 7.0);
    for refused in [
        parse("beauty", &[], "{}"),
        run(
            &["parse", "--protocol", "nonesuch", "--request", "key_point"],
            "{}",
        ),
        run(&["parse", "--protocol", "weave"], "{}"),
    ] {
        let refused = refused.ends_with(2);
        assert_eq!(refused.out, "");
        assert!(!refused.words.is_empty());
    }
}

#[test]
fn parse_refuses_what_score_refuses_once_it_knows_the_task() {
    let half = |key: &str| format!("\"{key}\": {{\"reason\": \"r\", \"score\": 0.5}}");
    let met = |key: &str| format!("\"{key}\": {{\"reason\": \"r\", \"score\": 1}}");
    let reply = format!(
        "{{{}, {}, {}}}",
        met("Visual_Instruction_Localization_Correctness"),
        half("Visual_Operator_Type_Compliance"),
        met("Textual_Action_Semantic_Compliance")
    );
    let vibe = [
        "parse",
        "--protocol",
        "vibe",
        "--request",
        "Instruction_Adherence",
    ];
    let of_task = |task: &str| run(&[&vibe[..], &["--task", task]].concat(), &reply);
    run(&vibe, &reply).ends_with(0);
    of_task("Draft_Instantiation").ends_with(0);
    assert_eq!(
        of_task("Removal").ends_with(1).json()["kind"],
        "out_of_range"
    );
    let known = of_task("Cooking").ends_with(2);
    assert!(
        known.words.contains("Draft_Instantiation"),
        "{}",
        known.words
    );

    let micon = ["parse", "--protocol", "micon", "--request", "checkpoints"];
    let one = "{\"A_check_1\": 1}";
    run(&micon, one).ends_with(0);
    let of_task = [&micon[..], &["--task", "object_composition"]].concat();
    assert_eq!(run(&of_task, one).ends_with(1).json()["kind"], "unparsable");
    let not_asked = [
        "parse",
        "--protocol",
        "micon",
        "--request",
        "candidate",
        "--task",
        "object_composition",
    ];
    run(&not_asked, "{\"score\": 7}").ends_with(2);
    let no_tasks = [
        "parse",
        "--protocol",
        "weave",
        "--request",
        "key_point",
        "--task",
        "edit",
    ];
    run(&no_tasks, "{\"score\": 7}").ends_with(2);
}

#[test]
fn parse_reads_tolerantly_where_that_is_asked_for_and_offers_it_where_not() {
    let base = ["parse", "--protocol", "weave", "--request", "key_point"];
    let reply =
        "<think>{\"score\": 2}?</think>\n```json\n{\"score\": 9, \"reasoning\": \"lit\"}\n```";
    let strict = run(&base, reply).ends_with(1);
    assert!(
        strict
            .words
            .contains("--reading tolerant reads this reply: thoughts set aside, Markdown fences"),
        "{}",
        strict.words
    );
    let tolerant = [&base[..], &["--reading", "tolerant"]].concat();
    let read = run(&tolerant, reply).ends_with(0);
    assert_eq!(read.json()["score"], 9.0);
    run(&tolerant, "{\"score\": 2} or {\"score\": 9}").ends_with(1);
    let released = [&tolerant[..], &["--profile", "released"]].concat();
    let refused = run(&released, reply).ends_with(2);
    assert!(
        refused.words.contains("--profile paper"),
        "{}",
        refused.words
    );
}

#[test]
fn score_prints_a_report_whose_means_are_those_of_the_replies() {
    let suite = Suite::new();
    let report = suite
        .run(&["score", "@bench", "@alpha", "@beta"])
        .ends_with(0)
        .json();
    assert_eq!(report["format"], "juror-report/1");
    assert_eq!(report["provenance"]["profile"], "paper");
    assert_eq!(report["provenance"]["policy"], "zero");
    let replies = suite.read("alpha/metrics.jsonl");
    let scores: Vec<f64> = replies
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap())
        .flat_map(|line| ["turn 0", "turn 1"].map(|turn| line[turn]["key_point"]["score"].as_f64()))
        .flatten()
        .collect();
    assert_eq!(scores.len(), 3);
    let expected = scores.iter().sum::<f64>() / 30.0;
    assert!((mean(&report, "alpha", "", "key_point").unwrap() - expected).abs() < 1e-12);
    let released = suite
        .run(&["score", "@bench", "@alpha", "--profile", "released"])
        .ends_with(0)
        .json();
    assert_eq!(released["provenance"]["policy"], "upstream");
    assert!((mean(&released, "alpha", "", "key_point").unwrap() - expected).abs() < 0.0005 + 1e-12);
}

#[test]
fn a_policy_changes_what_a_missing_output_counts() {
    let suite = Suite::new();
    let lines = suite.read("beta/metrics.jsonl");
    suite.remove("beta/imgs/d15_2.png");
    let score = |policy: &str| {
        let report = suite
            .run(&["score", "@bench", "@beta", "--policy", policy])
            .ends_with(0)
            .json();
        mean(&report, "beta", "", "image_quality").unwrap()
    };
    let of = |line: usize, turn: &str| {
        let line: Value = serde_json::from_str(lines.lines().nth(line).unwrap()).unwrap();
        line[turn]["image_quality"]["score"].as_f64().unwrap()
    };
    let (first, second, missing) = (of(0, "turn 0"), of(0, "turn 1"), of(1, "turn 0"));
    for (policy, expected) in [
        ("exclude", (first + second) / 20.0),
        ("zero", (first + second) / 30.0),
        ("upstream", (first + second + missing) / 30.0),
    ] {
        assert!((score(policy) - expected).abs() < 1e-12, "{policy}");
    }
}

#[test]
fn csv_holds_the_same_score_rows_as_json() {
    let suite = Suite::new();
    let report = suite
        .run(&["score", "@bench", "@alpha"])
        .ends_with(0)
        .json();
    let csv = suite
        .run(&["score", "@bench", "@alpha", "--format", "csv"])
        .ends_with(0)
        .out;
    let mut lines = csv.lines();
    let head: Vec<&str> = lines.next().unwrap().split(',').collect();
    assert_eq!(head[..4], ["model", "judge", "profile", "policy"]);
    let rows = report["scores"].as_array().unwrap();
    assert_eq!(lines.clone().count(), rows.len());
    for (line, row) in lines.zip(rows) {
        for (field, name) in line.split(',').zip(&head) {
            let expected = match &row[*name] {
                Value::Null => String::new(),
                Value::String(text) => text.clone(),
                other => other.to_string(),
            };
            // As numbers, because the JSON reader of this test may miss the last digit.
            let close = |a: f64, b: f64| (a - b).abs() <= 1e-12 * a.abs();
            let is_same = field == expected
                || field
                    .parse()
                    .is_ok_and(|field| expected.parse().is_ok_and(|x| close(field, x)));
            assert!(is_same, "{name} is {expected}, in {line}");
        }
    }
}

#[test]
fn a_journal_adds_its_judge_and_out_writes_what_stdout_would_show() {
    let suite = Suite::new();
    let journal = record("alpha", "key_point", 9) + &record("alpha", "image_quality", 4);
    suite.write("replies/journal.jsonl", journal.as_bytes());
    let words = [
        "score",
        "@bench",
        "@alpha",
        "--replies",
        "@replies/journal.jsonl",
    ];
    let shown = suite.run(&words).ends_with(0);
    let report = shown.json();
    assert!(
        mean(&report, "alpha", "", "key_point").is_some(),
        "the file's own judge is still there"
    );
    let partial = mean(&report, "alpha", "j", "key_point").unwrap();
    assert!((partial - 0.9).abs() < 1e-12, "marked, and not left out");
    let told = "warning: alpha: j replied to 2 of 11 requests about alpha";
    assert!(shown.words.contains(told), "{}", shown.words);
    let alone = suite.run(&[&words[..], &["--judge", "j"]].concat());
    let alone = alone.ends_with(0).json();
    assert!((mean(&alone, "alpha", "j", "key_point").unwrap() - 0.9).abs() < 1e-12);
    assert!(
        report["provenance"]["files"]
            .as_array()
            .unwrap()
            .iter()
            .any(|file| file["role"] == "journal")
    );
    let written = suite
        .run(&[&words[..], &["--out", "@report.json"]].concat())
        .ends_with(0);
    assert_eq!(written.out, "");
    assert_eq!(suite.read("report.json"), shown.out);
}

#[test]
fn two_arguments_of_one_name_are_two_sources() {
    let suite = Suite::new();
    let run = |number: u32, score| {
        record("alpha", "key_point", score).replace("\"run\":1", &format!("\"run\":{number}"))
    };
    suite.write("r1/journal.jsonl", run(1, 8).as_bytes());
    suite.write("r2/journal.jsonl", run(2, 2).as_bytes());
    let words = |second| {
        [
            "score",
            "@bench",
            "@alpha",
            "--replies",
            "@r1/journal.jsonl",
            "--replies",
            second,
            "--judge",
            "j",
        ]
    };
    let both = suite.run(&words("@r2/journal.jsonl")).ends_with(0).json();
    let found = mean(&both, "alpha", "j", "key_point").unwrap();
    assert!((found - 0.5).abs() < 1e-12, "(0.8 + 0.2) / 2, not {found}");
    let once = suite.run(&words("@r1/../r1/journal.jsonl")).ends_with(0);
    let found = mean(&once.json(), "alpha", "j", "key_point").unwrap();
    assert!(
        (found - 0.8).abs() < 1e-12,
        "the same file twice is one, not {found}"
    );
}

#[cfg(unix)]
#[test]
fn a_file_that_cannot_be_read_is_told_loudly_and_ends_with_1_as_scores_are_incomplete() {
    let suite = Suite::new();
    // The last picture: no later turn is about it.
    let last = DIALOGUES[0].num_pictures + 1;
    let output = format!("alpha/imgs/{}", DIALOGUES[0].picture(last));
    let words = ["score", "@bench", "@alpha", "@beta"];
    let whole = suite.run(&words).ends_with(0).json();
    suite.remove(&output);
    // As git-annex leaves it, or a share that is gone.
    std::os::unix::fs::symlink(suite.path("nowhere"), suite.path(&output)).unwrap();
    let ran = suite.run(&words).ends_with(1);
    let told = "juror: error: 1 file could not be opened";
    assert!(ran.words.contains(told), "{}", ran.words);
    let report = ran.json();
    let kinds: Vec<&str> = report["incidents"]
        .as_array()
        .unwrap()
        .iter()
        .map(|incident| incident["kind"].as_str().unwrap())
        .collect();
    assert_eq!(kinds, ["inaccessible_output"; 3]);
    assert_eq!(
        mean(&report, "beta", "", "key_point"),
        mean(&whole, "beta", "", "key_point")
    );
    let lint = suite
        .run(&["lint", "@bench", "@alpha", "@beta"])
        .ends_with(1);
    assert!(lint.words.contains(told), "{}", lint.words);
    // It lists each such file, so that a line on all of them would name one twice.
    let inspect = suite
        .run(&["inspect", "@bench", "@alpha", "@beta"])
        .ends_with(1);
    let named = inspect.words.lines().filter(|line| line.contains(&output));
    assert_eq!(named.count(), 1, "{}", inspect.words);
}

#[cfg(unix)]
#[test]
fn a_link_to_nowhere_is_left_out_with_a_word() {
    let suite = Suite::new();
    std::os::unix::fs::symlink(suite.path("nowhere"), suite.path("alpha/imgs/link.png")).unwrap();
    let ran = suite.run(&["inspect", "@bench", "@alpha"]).ends_with(0);
    assert!(ran.words.contains("link.png"), "{}", ran.words);
    assert_eq!(ran.json()["models"][0]["pictures"], 3);
}

#[test]
fn the_order_of_folders_does_not_change_a_byte_of_the_report() {
    let suite = Suite::new();
    // Two journals of two judges, which disagree on one unit, and something to complain about in each folder.
    suite.write(
        "j1/one.jsonl",
        (record("alpha", "key_point", 9) + "{half\n").as_bytes(),
    );
    suite.write(
        "j2/two.jsonl",
        (record("alpha", "key_point", 2)
            + &record("beta", "key_point", 3).replace("\"j\"", "\"k\""))
            .as_bytes(),
    );
    suite.write("alpha/imgs/d6_2.png", b"no picture");
    suite.write("beta/imgs/d6_2.png", b"no picture");
    suite.write("bench/imgs/d15_1.png", b"no picture");
    let orders = [
        ["@bench", "@alpha", "@beta", "@j1", "@j2"],
        ["@j2", "@beta", "@j1", "@bench", "@alpha"],
        ["@alpha", "@j2", "@bench", "@beta", "@j1"],
    ];
    let reports: Vec<String> = orders
        .map(|dirs| {
            suite
                .run(&[&["score"], &dirs[..]].concat())
                .ends_with(0)
                .out
        })
        .into();
    assert_eq!(reports[0], reports[1]);
    assert_eq!(reports[0], reports[2]);
    suite.write("j1/one.jsonl", record("alpha", "key_point", 8).as_bytes());
    let other = suite
        .run(&["score", "@bench", "@alpha", "@beta", "@j1", "@j2"])
        .ends_with(0)
        .out;
    assert_ne!(reports[0], other, "the reports can differ");
}

#[test]
fn bad_usage_and_unreadable_input_end_with_2_and_leave_stdout_empty() {
    let suite = Suite::new();
    suite.write("empty/readme.txt", b"x");
    for words in [
        &[][..],
        &["score"],
        &["nonesuch"],
        &["score", "@absent"],
        &["score", "@empty"],
        &["score", "@bench", "--format", "pdf"],
        &["score", "@bench", "--policy", "hope"],
        &["score", "@bench", "@alpha", "--replies", "@absent.jsonl"],
        &["score", "@bench", "@alpha", "--out", "@absent/report.json"],
        &["requests", "@bench", "@alpha", "--engine", "text"],
        &[
            "requests", "@bench", "@alpha", "--engine", "smoke", "--out", "@x.txt",
        ],
        &["inspect"],
    ] {
        let ran = suite.run(words).ends_with(2);
        assert_eq!(ran.out, "", "{words:?}");
        assert!(!ran.words.is_empty(), "{words:?}");
    }
}

#[test]
fn a_list_that_is_not_json_is_named_with_its_place_and_the_replies_still_count() {
    let suite = Suite::new();
    suite.write("bench/test.json", b"[\n{\"idx\": 1,,}]");
    let ran = suite.run(&["inspect", "@bench", "@alpha"]).ends_with(0);
    assert!(
        ran.words
            .contains("error: bench/test.json, line 2, column 11:"),
        "{}",
        ran.words
    );
    assert_eq!(ran.json()["benchmark"]["path"], "");
    let report = suite
        .run(&["score", "@bench", "@alpha"])
        .ends_with(0)
        .json();
    assert!(mean(&report, "alpha", "", "key_point").is_some());
}

const BILLIARDS: &str = "Tasks/Level-3-Causal/Billiards";

fn make_billiards(suite: &Suite, count: &str, seed: &str, out: &str) -> Vec<Value> {
    let out_path = format!("@{out}");
    let args = ["make", "billiards", "--count", count, "--seed", seed];
    let ran = suite.run(&[&args[..], &["--out", &out_path]].concat());
    let ran = ran.ends_with(0);
    assert_eq!((ran.out.as_str(), ran.words.as_str()), ("", ""));
    serde_json::from_str(&suite.read(&format!("{out}/{BILLIARDS}/Billiards.json"))).unwrap()
}

#[test]
fn made_billiards_open_as_vibe_with_balanced_cushions_and_nothing_to_complain_about() {
    let suite = Suite::new();
    let items = make_billiards(&suite, "13", "3", "V");
    let counts: Vec<u64> = items
        .iter()
        .map(|item| item["billiards"]["k"].as_u64().unwrap())
        .collect();
    assert_eq!(counts, [2, 3, 4, 5, 6, 7, 2, 3, 4, 5, 6, 7, 2]);
    let ran = suite.run(&["inspect", "@V"]).ends_with(0);
    let found = ran.json();
    assert_eq!(found["benchmark"]["protocol"], "vibe");
    assert_eq!(found["benchmark"]["samples"], 13);
    assert_eq!(found["benchmark"]["pictures"], 26);
    assert_eq!(found["benchmark"]["missing_pictures"], 0);
    assert_eq!(found["problems"], json!([]));
    assert_eq!(found["num_unknown_files"], 0);
}

#[test]
fn the_seed_determines_every_byte_of_made_billiards_and_the_count_only_how_many() {
    let suite = Suite::new();
    let first = make_billiards(&suite, "3", "5", "a");
    assert_eq!(make_billiards(&suite, "3", "5", "b"), first);
    assert_eq!(make_billiards(&suite, "4", "5", "c")[..3], first);
    assert_ne!(make_billiards(&suite, "3", "6", "d"), first);
    let read = |folder: &str, name: &str| {
        std::fs::read(suite.path(&format!("{folder}/{BILLIARDS}/{name}"))).unwrap()
    };
    for name in ["source/Billiards_0003.png", "target/Billiards_0001.png"] {
        let bytes = read("a", name);
        assert!(
            bytes == read("b", name) && bytes == read("c", name),
            "{name}"
        );
        assert!(bytes != read("d", name), "{name} depends on the seed");
    }
}

#[test]
fn the_golden_answer_is_the_input_with_nothing_but_the_way_and_the_box_added() {
    use juror_protocols::vibe::billiards::{Case, Point};

    let suite = Suite::new();
    for item in make_billiards(&suite, "4", "9", "V") {
        let case: Case = serde_json::from_value(item["billiards"].clone()).unwrap();
        let picture = |key: &str| {
            let path = item["file_paths"][key].as_str().unwrap();
            let bytes = std::fs::read(suite.path(&format!("V/{BILLIARDS}/{path}"))).unwrap();
            juror_image::decode_rgb(&bytes, &juror_image::Limits::default()).unwrap()
        };
        let (input, label) = (picture("source"), picture("target"));
        assert_eq!((label.width, label.height), (1024, 640));
        let target = case.layout.balls.iter().find(|ball| ball.n == case.target);
        let centre = target.unwrap().centre();
        let way = case.way().points;
        let is_near_way = |at: Point| {
            way.windows(2).any(|ends| {
                let around =
                    ends[0].distance(at) + at.distance(ends[1]) - ends[0].distance(ends[1]);
                // An ellipse around the segment, at its widest 3 times this.
                around < 12.0
            })
        };
        let is_on_box = |at: Point| {
            let reach = (at.x - centre.x).abs().max((at.y - centre.y).abs());
            (26.0..=32.0).contains(&reach)
        };
        let (mut green, mut red) = (0, 0);
        for y in 0..640 {
            for x in 0..1024 {
                let (Some(before), Some([r, g, b])) = (input.pixel(x, y), label.pixel(x, y)) else {
                    panic!("both pictures have every pixel")
                };
                if before == [r, g, b] {
                    continue;
                }
                let at = Point::new(f64::from(x) + 0.5, f64::from(y) + 0.5);
                assert!(is_near_way(at) || is_on_box(at), "{}: {x}, {y}", case.id);
                green += u32::from(g > 120 && r < 60 && b < 120);
                red += u32::from(r > 180 && g < 60 && b < 80);
            }
        }
        assert!(
            green > 500 && red > 500,
            "{}: {green} green, {red} red",
            case.id
        );
    }
}

#[test]
fn billiards_of_no_count_are_refused_with_the_range() {
    let suite = Suite::new();
    let args = [
        "make",
        "billiards",
        "--count",
        "0",
        "--seed",
        "1",
        "--out",
        "@V",
    ];
    let ran = suite.run(&args).ends_with(2);
    assert!(ran.words.contains("1..=9999"), "{}", ran.words);
    assert!(!std::path::Path::new(&suite.path("V")).exists());
}

#[test]
fn a_benchmark_of_ones_own_is_declared_checked_judged_and_scored() {
    let suite = Suite(TempDir::new().unwrap());
    let protocol = json!({
        "format": "juror-protocol/1",
        "id": "cats",
        "title": "Cats",
        "samples": [{"id": "001", "instruction": "Paint a cat.", "references": ["cat.png"]}],
        "outputs": "out/{model}/{id}",
        "replies": "judged/{model}.jsonl",
        "criteria": [{"id": "fit", "range": [1, 5]}, {"id": "look", "range": [1, 5]}],
        "requests": [{"id": "judge", "prompt": "{references}Is it so: {instruction}{output}", "reply": {"form": "json"}}],
    });
    suite.write("bench/juror.json", protocol.to_string().as_bytes());
    suite.write("bench/cat.png", &tiny_png(1));
    suite.write("out/m/001.png", &tiny_png(2));
    let reply = json!({"fit": 2, "look": 5});
    let line = json!({"sample": "001", "reply": reply.to_string()});
    suite.write("judged/m.jsonl", line.to_string().as_bytes());
    let folder = suite.0.path().to_str().unwrap();
    let ran = run(&["inspect", folder], "").ends_with(0);
    assert!(ran.words.contains("Cats: 1 samples in "), "{}", ran.words);
    assert_eq!(run(&["lint", folder], "").ends_with(0).json(), json!([]));
    let out = suite.0.path().join("requests.txt");
    let args = ["requests", folder, "--engine", "text", "--out"];
    run(&[&args[..], &[out.to_str().unwrap()]].concat(), "").ends_with(0);
    let text = std::fs::read_to_string(&out).unwrap();
    assert!(
        text.contains("cat.png]Is it so: Paint a cat.[picture 2: "),
        "{text}"
    );
    let report = run(&["score", folder], "").ends_with(0).json();
    assert_eq!(report["provenance"]["protocol"], "cats");
    let rows = report["scores"].as_array().unwrap();
    let total = rows.iter().find(|row| row["criterion"] == "total").unwrap();
    assert_eq!((&total["mean"], &total["n"]), (&json!(3.5), &json!(1)));
    let path = suite.0.path().join("bench/juror.json");
    let args = [
        "parse",
        "--protocol",
        path.to_str().unwrap(),
        "--request",
        "judge",
    ];
    let verdict = run(&args, &reply.to_string()).ends_with(0).json();
    assert_eq!(verdict["score"], 3.5);
    run(&args, "{\"fit\": 9, \"look\": 5}").ends_with(1);
    let schema = run(&["schema"], "").ends_with(0).json();
    assert_eq!(schema["title"], "juror-protocol/1");
    suite.write(
        "bench/juror.json",
        protocol.to_string().replace("[1,5]", "[5,1]").as_bytes(),
    );
    let ran = run(&["inspect", folder], "").ends_with(1);
    let wanted =
        "bench/juror.json, /criteria/0/range: Expected [low, high] with low < high, found [5, 1].";
    assert!(ran.words.contains(wanted), "{}", ran.words);
    run(&args, "").ends_with(2);
}

#[test]
fn answers_to_made_billiards_are_checked_without_a_judge() {
    let suite = Suite::new();
    let items = make_billiards(&suite, "2", "5", "V");
    let answer = |at: usize| {
        let case = &items[at]["billiards"];
        json!({
            "id": case["id"], "cue": case["cue"], "balls": case["balls"], "arrow": case["theta"],
            "theta": case["theta"], "cushions": case["cushions"], "target": case["target"],
        })
    };
    let (right, mut wrong) = (answer(0), answer(1));
    wrong["target"] = json!(null);
    wrong["cushions"] = json!("T");
    let mut stranger = answer(0);
    stranger["id"] = json!("Billiards_0099");
    let list = suite.path(&format!("V/{BILLIARDS}/Billiards.json"));
    let lines = format!("{right}\n\n{wrong}\n{stranger}\nnothing\n");
    let ran = run(&["check", "billiards", &list], &lines).ends_with(1);
    let verdicts: Vec<Value> = ran
        .out
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(verdicts.len(), 2);
    assert_eq!(verdicts[0]["id"], "Billiards_0001");
    assert_eq!(verdicts[0]["Billiards"]["score"], 1.0);
    let second = &verdicts[1]["Billiards"];
    assert_eq!(second["Context_Preservation"]["score"], 1);
    assert_eq!(second["Path_Correctness"]["score"], 0);
    assert_eq!(
        second["Collision_Correctness"]["reason"]
            .as_str()
            .unwrap()
            .rsplit(' ')
            .next(),
        Some("none.")
    );
    assert_eq!(second["score"], 0.0);
    assert!(
        ran.words
            .contains("line 4: the list has no case \"Billiards_0099\""),
        "{}",
        ran.words
    );
    assert!(
        ran.words.contains("line 5: this is no answer"),
        "{}",
        ran.words
    );
    run(&["check", "billiards", &list], &format!("{right}\n")).ends_with(0);
}

#[test]
fn drawn_answers_to_made_billiards_are_checked_and_what_cannot_be_read_is_unsure() {
    let suite = Suite::new();
    let mut items = make_billiards(&suite, "6", "5", "V");
    let read = |folder: &str, number: u32| {
        let path = format!("V/{BILLIARDS}/{folder}/Billiards_000{number}.png");
        std::fs::read(suite.path(&path)).unwrap()
    };
    let decode =
        |bytes: &[u8]| juror_image::decode_rgb(bytes, &juror_image::Limits::default()).unwrap();
    suite.write("out/Billiards_0001.png", &read("target", 1));
    // The input as it was: the right table, without a way and a box.
    suite.write("out/Billiards_0002.png", &read("source", 2));
    let mut noise = decode(&read("target", 3));
    for (at, value) in noise.data.iter_mut().enumerate() {
        *value = u8::try_from(at * at % 251).unwrap();
    }
    suite.write(
        "out/Billiards_0003.png",
        &juror_image::encode_png(&noise).unwrap(),
    );
    suite.write("out/Billiards_0004.png", &tiny_png(9));
    suite.write("out/Billiards_0005.png", &read("target", 5)[..900]);
    let picture = juror_image::encode_jpeg(&decode(&read("target", 6))).unwrap();
    suite.write("out/Billiards_0006.jpg", &picture);
    let list = suite.path(&format!("V/{BILLIARDS}/Billiards.json"));
    let out = suite.path("out");
    let args = ["check", "billiards", &list, "--outputs", &out];
    let ran = run(&args, "").ends_with(1);
    let lines: Vec<Value> = ran
        .out
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let ids: Vec<&str> = lines
        .iter()
        .map(|line| line["id"].as_str().unwrap())
        .collect();
    assert_eq!(ids, [1, 2, 3, 6].map(|n| format!("Billiards_000{n}")));
    assert_eq!(lines[0]["Billiards"]["score"], 1.0);
    assert_eq!(lines[1]["Billiards"]["Context_Preservation"]["score"], 1);
    assert_eq!(lines[1]["Billiards"]["score"], 0.0);
    let why = &lines[2]["unsure"]["Path_Correctness"];
    assert_eq!(why, "The picture is too noisy to read.");
    assert_eq!(lines[2].get("Billiards"), None);
    assert_eq!(lines[3]["Billiards"]["score"], 1.0);
    for words in [
        "Billiards_0004.png: expected 1024 × 640 pixels",
        "Billiards_0005.png: no picture that can be read",
    ] {
        assert!(ran.words.contains(words), "{}", ran.words);
    }
    // Nothing is checked that has no truth, and a picture that is not there is named.
    items[0].as_object_mut().unwrap().remove("billiards");
    let text = serde_json::to_string(&items[..2]).unwrap();
    suite.write("list.json", text.as_bytes());
    std::fs::remove_file(suite.path("out/Billiards_0002.png")).unwrap();
    let list = suite.path("list.json");
    let args = ["check", "billiards", &list, "--outputs", &out];
    let ran = run(&args, "").ends_with(1);
    assert_eq!(ran.out, "");
    for words in [
        "list.json: Billiards_0001: it has no truth",
        "there is no picture of Billiards_0002; expected Billiards_0002.png",
    ] {
        assert!(ran.words.contains(words), "{}", ran.words);
    }
    let args = ["check", "billiards", &list, "--outputs", &list];
    let ran = run(&args, "").ends_with(2);
    assert!(ran.words.contains("is no folder"), "{}", ran.words);
}

#[test]
fn billiards_over_one_number_of_cushions_open_as_vibe_and_others_are_refused() {
    let suite = Suite::new();
    let args = |k: &'static str, out: &'static str| {
        let words = ["make", "billiards", "--count", "2", "--seed", "3"];
        [&words[..], &["--cushions", k, "--out", out]].concat()
    };
    suite.run(&args("5", "@V")).ends_with(0);
    let text = suite.read(&format!("V/{BILLIARDS}/Billiards.json"));
    let items: Vec<Value> = serde_json::from_str(&text).unwrap();
    let counts = items.iter().map(|item| item["billiards"]["k"].as_u64());
    assert_eq!(counts.collect::<Vec<_>>(), [Some(5), Some(5)]);
    let found = suite.run(&["inspect", "@V"]).ends_with(0).json();
    assert_eq!(found["benchmark"]["samples"], 2);
    let ran = suite.run(&args("8", "@W")).ends_with(2);
    assert!(ran.words.contains("2..=7"), "{}", ran.words);
}

#[test]
fn compare_prints_numbers_rows_and_sentences_and_refuses_what_is_not_there() {
    let suite = Suite::new();
    let compare = |options: &[&str]| {
        let words = ["compare", "@bench", "@alpha", "@beta"];
        suite.run(&[&words, options].concat())
    };
    let found = compare(&["--criterion", "key_point"]).ends_with(0).json();
    let pair = &found["pairs"][0];
    assert_eq!((&pair["n"], &pair["clusters"]), (&json!(2), &json!(2)));
    assert_eq!(found["models"].as_array().unwrap().len(), 2);
    let rows = compare(&["--criterion", "key_point", "--format", "csv"]).ends_with(0);
    assert_eq!(rows.out.lines().count(), 4);
    let words = compare(&["--criterion", "key_point", "--format", "md"]).ends_with(0);
    // Brackets of intervals are no links.
    let plain = words.out.replace('\\', "");
    assert!(plain.contains(pair["sentence"].as_str().unwrap()));
    let wide = compare(&["--interval", "99", "--format", "md"]).ends_with(0);
    assert!(wide.out.contains("| 99 % CI (t) |") && !wide.out.contains("95 %"));
    let wide = compare(&["--interval", "99"]).ends_with(0).json();
    assert_eq!(wide["level"], "99");
    let refused = compare(&["--key", "nowhere", "--scope", "domain"]).ends_with(2);
    assert!(refused.words.contains("There is no group domain nowhere."));
    assert!(compare(&["--judge", "nobody"]).ends_with(2).out.is_empty());
}
