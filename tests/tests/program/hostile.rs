//! Names and texts that would do something in a spreadsheet, in Markdown, in LaTeX, in a shell or in a terminal go through
//! every export, and do nothing there.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::process::{Command, Stdio};

use juror_tests::generate::{Dialogue, Random, tiny_png};
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
    suite_of(&NAMES)
}

fn suite_of(names: &[&str]) -> Folder {
    let folder = Folder::weave(dialogues());
    let mut random = Random::new(3);
    for name in names {
        let lines: String = dialogues()
            .map(|dialogue| dialogue.line(&mut random, 20))
            .collect();
        folder.write(&format!("models/{name}/metrics.jsonl"), lines.as_bytes());
        folder.write(&format!("models/{name}/imgs/d1_2.png"), &tiny_png(9));
        // By its letters and numbers it is the output d0_2.png.
        folder.write(&format!("models/{name}/imgs/d0 '$(;) 2.png"), b"no picture");
        let end = if name.contains('\n') {
            "\nread\u{1b}[31m"
        } else {
            " read"
        };
        folder.write(&format!("models/{name}/not{end}.jsonl"), b"{\n");
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

/// Nothing of a CSV is a formula.
#[track_caller]
fn check_csv(words: &str, text: &str) {
    for field in fields(text) {
        let is_formula = field.starts_with(['=', '+', '-', '@', '\t', '\r']);
        assert!(
            !is_formula || field.parse::<f64>().is_ok(),
            "{words}: {field:?}"
        );
    }
}

/// Nothing of a Markdown text is markup, HTML, a link, a mention or a column that its names brought.
#[track_caller]
fn check_markdown(words: &str, text: &str) {
    assert!(
        !text.contains(['<', '\u{1b}', '\u{7}', '\u{9b}']),
        "{words}: {text}"
    );
    for raw in ["www.evil", "![", "@SUM", "_x_", "`y`", "\nerror: forged"] {
        assert!(!text.contains(raw), "{words}, {raw}: {text}");
    }
    // A name with a bar in it makes no column: every table has as many in each row as in its rule.
    let bars = |line: &str| line.replace("\\|", "").matches('|').count();
    let lines: Vec<&str> = text.lines().collect();
    for table in lines.split(|line| !line.starts_with('|')) {
        let widths: Vec<usize> = table.iter().map(|line| bars(line)).collect();
        assert!(
            widths.windows(2).all(|pair| pair[0] == pair[1]),
            "{words}: {table:#?}"
        );
    }
}

/// Nothing of an HTML page is an element or an attribute that its names brought.
#[track_caller]
fn check_html(words: &str, text: &str) {
    for raw in ["<img", "onerror=alert(1)>", "<b>", "\u{1b}", "\u{7}"] {
        assert!(!text.contains(raw), "{words}, {raw}: {text}");
    }
    assert!(text.contains("&lt;img src=x"), "{words}: {text}");
}

#[test]
fn the_checks_of_this_file_find_what_they_look_for() {
    let fails = |check: fn(&str, &str), text: &str| {
        let text = text.to_owned();
        std::panic::catch_unwind(move || check("", &text)).is_err()
    };
    assert!(fails(check_csv, "a,=cmd|x\n") && !fails(check_csv, "a,-0.5,'=cmd\n"));
    assert!(fails(check_markdown, "| a |\n|---|\n| x|y |\n"));
    assert!(fails(check_markdown, "<b>") && !fails(check_markdown, "| a |\n|---|\n| x\\|y |\n"));
    assert!(fails(check_html, "&lt;img src=x <b>") && !fails(check_html, "&lt;img src=x"));
}

#[test]
fn no_export_runs_hides_or_forges_anything_by_the_names_in_it() {
    let folder = suite();
    for words in [
        "score . --format csv",
        "compare . --format csv --replicates 10",
        "compare . --format csv --by domain",
        "published weave",
        "agreement . --printed --format csv",
        "inspect . --statistics --csv",
    ] {
        let text = printed(&folder, words);
        let has_names = words.starts_with("score") || words.starts_with("compare");
        assert!(!has_names || text.contains("'=cmd|"), "{words}: {text}");
        check_csv(words, &text);
    }
    for words in [
        "score . --format md",
        "compare . --format md --replicates 10",
        "compare . --format md --by domain",
    ] {
        let text = printed(&folder, words);
        assert!(text.contains("&lt;img src=x"), "{words}: {text}");
        check_markdown(words, &text);
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
    for words in [
        "inspect .",
        "score .",
        "agreement .",
        "lint .",
        "labels . --format json",
    ] {
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

/// A factor, its levels, and a base of such names: `BASE@FACTOR=LEVEL`.
#[test]
fn an_experiment_of_such_factors_and_levels_is_escaped_in_every_form() {
    let folder = Folder::weave(dialogues());
    let mut random = Random::new(3);
    for name in [
        "+base@<b>|*fac*=`y`",
        "+base@<b>|*fac*=www.evil.example|_x_",
    ] {
        let lines: String = dialogues()
            .map(|dialogue| dialogue.line(&mut random, 20))
            .collect();
        folder.write(&format!("models/{name}/metrics.jsonl"), lines.as_bytes());
    }
    let words = "experiments .";
    let text = printed(&folder, words);
    assert!(text.contains("&lt;b&gt;\\|\\*fac\\*"), "{text}");
    check_markdown(words, &text);
    let words = "experiments . --csv";
    let text = printed(&folder, words);
    assert!(text.contains("'+base"), "{text}");
    check_csv(words, &text);
}

#[test]
fn seconds_labels_and_ratings_of_such_names_are_escaped_in_every_form() {
    let folder = suite();
    let quoted = |name: &str| format!("\"{}\"", name.replace('"', "\"\""));
    let (base, other) = (quoted(NAMES[4]), quoted(NAMES[0]));
    let row = |idx: usize| format!("{base},{idx},1\n{other},{idx},2\n");
    let rows: String = (0..6).map(row).collect();
    folder.write(
        "seconds.csv",
        format!("model,sample,seconds\n{rows}").as_bytes(),
    );
    let row = |idx: usize| {
        format!("{idx},0,{base},\"=cmd|<b>|_x_\",@ann\n{idx},0,{base},\"=cmd|<b>|_x_\",`y`\n")
    };
    let rows: String = (0..6).map(row).collect();
    folder.write(
        "labels.csv",
        format!("sample,turn,model,label,rater\n{rows}").as_bytes(),
    );
    for rater in ["@ann", "+bob"] {
        let row = |idx: usize| {
            let of = |name: &str| format!("{idx},0,{name},key_point,{rater},{}\n", idx % 7);
            of(&base) + &of(&other)
        };
        let rows: String = (0..6).map(row).collect();
        let text = format!("sample,turn,model,criterion,rater,score\n{rows}");
        folder.write(&format!("ratings-{}.csv", &rater[1..]), text.as_bytes());
    }
    let of_ratings = "agreement . --rankings people:@ann people:+bob --criterion key_point";
    for words in [
        "compare . --seconds seconds.csv --format md",
        "labels . --format md",
        &format!("{of_ratings} --format md"),
    ] {
        let text = printed(&folder, words);
        assert!(text.contains("&lt;"), "{words}: {text}");
        check_markdown(words, &text);
    }
    for words in [
        "compare . --seconds seconds.csv --format csv",
        "labels . --format csv",
        "labels . --what agreement --format csv",
        "labels . --what set",
        "labels . --what offered",
        "agreement . --printed --format csv",
    ] {
        check_csv(words, &printed(&folder, words));
    }
}

#[test]
fn sheets_texts_and_batches_of_requests_hold_no_line_that_a_name_forged() {
    let folder = suite();
    for engine in ["text", "sheet", "openai"] {
        let words = format!("requests . --engine {engine} --out requests.out");
        printed(&folder, &words);
        let text = std::fs::read_to_string(folder.path("requests.out")).unwrap();
        // Where an id names the model, every character but letters and digits is written as its bytes.
        let has_names = text.contains("cmd|") || text.contains("cmd%7C");
        assert!(has_names, "{engine}: {text}");
        let is_disruptive = |c: char| c.is_control() && !"\n\t".contains(c);
        assert!(!text.contains(is_disruptive), "{engine}: {text:?}");
        assert!(!text.contains("\nerror: forged"), "{engine}: {text}");
    }
}

#[test]
fn a_site_and_a_report_in_one_file_hold_names_as_text_alone() {
    // A pack refuses names with control characters, also when it is written.
    let named: Vec<&str> = NAMES
        .into_iter()
        .filter(|name| !name.contains('\n'))
        .collect();
    let folder = suite_of(&named);
    let page = "<html><head></head><body><script type=\"application/octet-stream\" id=\"juror-payload-report\"></script></body></html>";
    folder.write("page/index.html", page.as_bytes());
    let worker = format!("keep('{}')", juror_evidence::report::html::integrity(page));
    folder.write("page/sw.js", worker.as_bytes());
    let name = "packs/=cmd<b>|x.zip";
    std::fs::create_dir(folder.path("packs")).unwrap();
    printed(&folder, &format!("pack bench models --out {name}"));
    printed(&folder, "site packs --app page --out site");
    let list = std::fs::read_to_string(folder.path("site/index.html")).unwrap();
    check_html("site", &list);
    assert!(list.contains("=cmd&lt;b&gt;|x.zip"), "{list}");
    printed(
        &folder,
        "score bench models --format html --app page/index.html --out report.html",
    );
    let report = std::fs::read_to_string(folder.path("report.html")).unwrap();
    // A pack lies in the page as base64, so no name of it stands there as it is.
    for raw in ["<img", "cmd|", "forged"] {
        assert!(!report.contains(raw), "{raw}");
    }
    assert!(report.len() > page.len() + 1000);
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
    assert_eq!(script.matches("mv -n -- ").count(), NAMES.len(), "{script}");
    let quoted = script.replace("'\\''", "");
    for (at, part) in quoted.split('\'').enumerate().filter(|(at, _)| at % 2 == 0) {
        let is_ours = part
            .lines()
            .all(|line| ["", " ", "#!/bin/sh", "mv -n -- "].contains(&line));
        assert!(is_ours, "part {at} of {script}");
    }
}

/// Shells and file systems of Unix take any bytes; a name that is no text cannot be written into a script.
#[cfg(target_os = "linux")]
#[test]
fn a_rename_of_a_file_whose_name_is_no_text_is_named_and_not_suggested() {
    use std::os::unix::ffi::OsStrExt as _;
    let folder = Folder::weave(dialogues());
    for (output, name) in [("d0_2.png", b"d0 \xff2.png"), ("d1_2.png", b"d1 _2.png")] {
        let name = std::ffi::OsStr::from_bytes(name);
        let imgs = folder.path("alpha/imgs");
        std::fs::rename(imgs.join(output), imgs.join(name)).unwrap();
    }
    let (code, script, said) = folder.run("lint . --format sh");
    assert_eq!(
        (code, script.matches("mv -n -- ").count()),
        (1, 1),
        "{script}"
    );
    assert!(
        script.contains("d1 _2.png") && !script.contains("d0"),
        "{script}"
    );
    assert!(
        said.contains("is not UTF-8") && said.contains("2.png"),
        "{said}"
    );
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
