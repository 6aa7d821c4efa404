//! Names and texts that would do something in a spreadsheet, in Markdown, in LaTeX, in a shell or in a terminal go through
//! every export, and do nothing there.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::process::{Command, Stdio};

use juror_tests::generate::{Dialogue, Random};
use juror_tests::program::Folder;

/// Names of models' folders.
const NAMES: [&str; 7] = [
    "=cmd|'calc'!A0",
    "@SUM(A1:A9)",
    "[b]*_x_`y`",
    "*input{x}$(id)",
    "<img src=x onerror=alert(1)>&amp;",
    "a\u{1b}]0;title\u{7}\u{9b}2J\nerror: forged: a line of its own",
    "![www.evil.example](x) {{x}}",
];

fn dialogues() -> impl Iterator<Item = Dialogue> {
    (0..6).map(|idx| Dialogue {
        idx,
        num_pictures: 1,
        num_texts: 1,
    })
}

/// A benchmark with a model of each name, judged, and one whose outputs have to be renamed.
fn suite() -> Folder {
    let folder = Folder::weave(dialogues());
    let mut random = Random::new(3);
    for name in NAMES {
        let lines: String = dialogues()
            .map(|dialogue| dialogue.line(&mut random, 20))
            .collect();
        folder.write(&format!("models/{name}/metrics.jsonl"), lines.as_bytes());
        folder.write(
            &format!("models/{name}/imgs/it's $(id) 1.png"),
            b"no picture",
        );
        folder.write(&format!("models/{name}/not\nread\u{1b}[31m.jsonl"), b"{\n");
    }
    folder
}

/// What a command prints, after its words were looked at: they are lines of text, and no name begins one.
#[track_caller]
fn printed(folder: &Folder, words: &str) -> String {
    let (code, out, said) = folder.run(words);
    assert!(code <= 1, "{words}: {code}\n{said}");
    let is_disruptive = |c: char| c.is_control() && c != '\n';
    assert!(!said.contains(is_disruptive), "{words}: {said:?}");
    let forged = said.lines().find(|line| line.starts_with("error: forged"));
    assert_eq!(forged, None, "{words}: {said}");
    out
}

/// The fields of a CSV.
fn fields(text: &str) -> Vec<String> {
    let (mut all, mut field, mut is_quoted) = (Vec::new(), String::new(), false);
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '"' if is_quoted && chars.peek() == Some(&'"') => field.extend(chars.next()),
            '"' => is_quoted = !is_quoted,
            ',' | '\n' if !is_quoted => all.push(std::mem::take(&mut field)),
            c => field.push(c),
        }
    }
    all
}

#[test]
fn no_export_runs_hides_or_forges_anything_by_the_names_in_it() {
    let folder = suite();
    for words in [
        "score . --format csv",
        "compare . --format csv --replicates 10",
        "published weave",
    ] {
        let text = printed(&folder, words);
        assert!(
            words.starts_with("published") || text.contains("'=cmd|"),
            "{words}: {text}"
        );
        for field in fields(&text) {
            let is_formula = field.starts_with(['=', '+', '-', '@', '\t', '\r']);
            assert!(
                !is_formula || field.parse::<f64>().is_ok(),
                "{words}: {field:?}"
            );
        }
    }
    for words in [
        "score . --format md",
        "compare . --format md --replicates 10",
    ] {
        let text = printed(&folder, words);
        assert!(text.contains("&lt;img src=x"), "{words}: {text}");
        assert!(
            !text.contains(['<', '\u{1b}', '\u{7}', '\u{9b}']),
            "{words}: {text}"
        );
        for raw in ["www.evil", "![", "@SUM", "_x_", "`y`", "\nerror: forged"] {
            assert!(!text.contains(raw), "{words}, {raw}: {text}");
        }
        // A name with a bar in it makes no column.
        let bars = |line: &str| line.replace("\\|", "").matches('|').count();
        let rows: Vec<&str> = text.lines().filter(|line| line.starts_with('|')).collect();
        for pair in rows
            .windows(2)
            .filter(|pair| !pair[1].starts_with("| model") && !pair[1].starts_with("| a |"))
        {
            assert_eq!(bars(pair[0]), bars(pair[1]), "{words}: {pair:?}");
        }
    }
    let text = printed(&folder, "score . --format latex");
    assert!(
        !text.contains(|c: char| c.is_control() && c != '\n'),
        "{text:?}"
    );
    assert!(!text.contains("input{x}"), "{text}");
    for line in text.lines().map(str::trim_start) {
        // Behind the end of a row these two would be read as its arguments.
        assert!(!line.starts_with(['[', '*']), "{line}");
    }
    for words in ["inspect .", "score .", "agreement .", "lint ."] {
        let json = printed(&folder, words);
        assert!(
            serde_json::from_str::<serde_json::Value>(&json).is_ok(),
            "{words}"
        );
        assert!(!json.contains(['\u{1b}', '\u{7}']), "{words}");
    }
    let text = printed(&folder, "lint . --format text");
    assert!(
        !text.contains(|c: char| c.is_control() && c != '\n'),
        "{text:?}"
    );
}

#[cfg(unix)]
#[test]
fn renames_that_lint_suggests_are_one_command_each_whatever_the_names_are() {
    let folder = suite();
    let script = printed(&folder, "lint . --format sh");
    folder.write("renames.sh", script.as_bytes());
    // Nothing of it is run: the shell only reads it.
    let read = Command::new("sh")
        .args(["-n", "renames.sh"])
        .current_dir(folder.path(""))
        .stdout(Stdio::null())
        .status();
    assert!(read.unwrap().success(), "{script}");
    let quoted = script.replace("'\\''", "");
    for (at, part) in quoted.split('\'').enumerate().filter(|(at, _)| at % 2 == 0) {
        let is_ours = part
            .lines()
            .all(|line| ["", " ", "#!/bin/sh", "mv -n -- "].contains(&line));
        assert!(is_ours, "part {at} of {script}");
    }
}

#[test]
fn a_template_of_ratings_holds_no_formula_and_comes_back_with_the_names_as_they_were() {
    let folder = suite();
    printed(&folder, "agreement . --template ratings.csv");
    let template = std::fs::read_to_string(folder.path("ratings.csv")).unwrap();
    assert!(template.contains("'=cmd|'calc'!A0"), "{template}");
    let field = |field: &String| field.starts_with(['=', '+', '-', '@']);
    assert!(!fields(&template).iter().any(field), "{template}");
    // Every row is filled in, whatever its names hold.
    let filled = template.replace(",,\n", ",ann,5\n");
    folder.write("ratings.csv", filled.as_bytes());
    let found: serde_json::Value = serde_json::from_str(&printed(&folder, "agreement .")).unwrap();
    assert_eq!(found["strangers"], 0);
    assert!(found["ratings"].as_u64().unwrap() > 0);
}
