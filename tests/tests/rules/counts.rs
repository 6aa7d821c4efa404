//! What benchmarks are made of: counts known beforehand, and the papers' totals beside them.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
#![expect(clippy::float_cmp, reason = "small fractions are exact or wrong")]

use juror_session::error::Error;
use juror_session::view::statistics::{BenchmarkStatistics, Spread, TotalRow};
use juror_tests::generate::{Dialogue, File, open};
use serde_json::{Value, json};

/// The cases of MICON-Bench's Table 6: task, with two references, with three.
const CASES: [(&str, u32, u32); 6] = [
    ("object_composition", 118, 82),
    ("spatial_geometric_constraints", 102, 98),
    ("attribute_style_decoupling", 0, 100),
    ("local_element_transfer", 119, 121),
    ("foreground_background_composition", 200, 0),
    ("story_infer", 72, 31),
];

fn counted(files: &[File]) -> BenchmarkStatistics {
    juror_session::statistics(&open(files).linked()).unwrap()
}

fn text(path: &str, text: &str) -> File {
    (path.to_owned(), text.as_bytes().to_vec())
}

/// A card of MICON-Bench with its references.
fn case(task: &str, number: u32, references: u32) -> Vec<File> {
    let case = format!("case_{number:04}");
    let names: Vec<String> = (0..references).map(|at| format!("R{at}")).collect();
    let mut card = format!("task_type: {task}\ncase_id: {case}\nrefs:\n");
    let mut files = Vec::new();
    for name in names {
        let path = format!("data/{task}/refs/{case}_{name}.png");
        card = format!("{card}  {name}: {path}\n");
        files.push(text(&format!("E/{path}"), &path));
    }
    card += "generation_prompt: Put them together.\n";
    files.push(text(&format!("E/data/{task}/cases/{case}.yaml"), &card));
    files
}

/// All of MICON-Bench, as its paper counts it.
fn micon() -> Vec<File> {
    let mut files = Vec::new();
    for (task, two, three) in CASES {
        for number in 0..two + three {
            files.extend(case(task, number, if number < two { 2 } else { 3 }));
        }
    }
    files
}

fn count(found: &BenchmarkStatistics, table: &str, row: &str, column: &str) -> Option<u32> {
    let mut tables = found.tables.iter();
    tables
        .find(|known| known.id == table)
        .and_then(|table| table.count(row, column))
}

fn spread<'a>(found: &'a BenchmarkStatistics, id: &str) -> &'a Spread {
    found
        .spreads
        .iter()
        .find(|spread| spread.id == id)
        .unwrap_or_else(|| panic!("no spread {id}"))
}

fn differing(found: &BenchmarkStatistics) -> Vec<(&str, i32)> {
    let differ = |total: &&TotalRow| total.difference != 0;
    let totals = found.totals.iter().filter(differ);
    totals
        .map(|total| (total.label.as_str(), total.difference))
        .collect()
}

#[test]
fn the_whole_of_micon_has_every_total_of_its_paper() {
    let found = counted(&micon());
    assert_eq!(found.totals.len(), 28);
    assert_eq!(differing(&found), []);
    assert_eq!(
        count(&found, "checkpoints", "object_composition", "D"),
        Some(800)
    );
    // 200·15 + 200·16 + 100·15 + 240·15 + 200·15 + 103·18.
    let all = ["A", "B", "C", "D", "E", "G"]
        .map(|letter| count(&found, "checkpoints", "all", letter).unwrap());
    assert_eq!(all.iter().sum::<u32>(), 16154);
    let checkpoints = found.tables.iter().find(|table| table.id == "checkpoints");
    let share = checkpoints.unwrap().rows[0].counts[3].share.unwrap();
    assert_eq!(share, 4.0 / 15.0);
    assert_eq!(
        count(&found, "hard_checkpoints", "story_infer", "hard"),
        Some(309)
    );
    assert_eq!(spread(&found, "references").sum, 2518.0);
}

#[test]
fn one_case_less_is_flagged_wherever_it_counts_and_nowhere_else() {
    let gone = "E/data/story_infer/cases/case_0000.yaml";
    let files: Vec<File> = micon()
        .into_iter()
        .filter(|(path, _)| path != gone)
        .collect();
    let found = counted(&files);
    assert_eq!(
        differing(&found),
        [
            ("cases", -1),
            ("reference pictures", -2),
            ("cases with two references", -1),
            ("Story: cases", -1),
            ("Story: cases with two references", -1),
            ("Story: reference pictures", -2),
        ]
    );
    let text = found.to_text();
    assert!(text.contains("6 of 28 printed totals differ"), "{text}");
    let csv = found.to_csv();
    let row = csv
        .lines()
        .find(|line| line.starts_with("count,task,story_infer,"));
    assert_eq!(
        row,
        Some("count,task,story_infer,,102,0.09788867562380038,103,-1,Table 6")
    );
}

/// Three sets, whose words are counted by hand.
fn sets() -> Vec<File> {
    let mut files = vec![text(
        "data/3_local/types.json",
        r#"{"006": ["domain", "rare"]}"#,
    )];
    for (set, references, prompt) in [
        ("single/001", 1, "Draw the cat."),
        ("add/002", 2, " Add a dog to the cat’s garden!\n"),
        ("3_local/006", 3, "猫を描く cat"),
    ] {
        files.push(text(&format!("data/{set}_prompt.txt"), prompt));
        for at in 0..references {
            files.push(text(&format!("data/{set}_{at}.jpg"), set));
        }
    }
    files
}

#[test]
fn words_references_and_difficulties_are_those_counted_by_hand() {
    let found = counted(&sets());
    assert_eq!(count(&found, "whole", "samples", ""), Some(3));
    assert_eq!(count(&found, "whole", "references", ""), Some(6));
    assert_eq!(count(&found, "whole", "targets", ""), Some(0));
    assert_eq!(count(&found, "family", "two-reference", ""), Some(1));
    assert_eq!(count(&found, "difficulty", "rare", ""), Some(1));
    assert_eq!(count(&found, "difficulty_labels", "0", ""), Some(2));
    assert_eq!(count(&found, "difficulty_labels", "2", ""), Some(1));
    assert_eq!(count(&found, "structure_references", "local", "3"), Some(1));
    assert_eq!(count(&found, "size", "8 × 8", ""), Some(6));
    assert_eq!(count(&found, "aspect", "1:1", ""), Some(6));
    let words = spread(&found, "words");
    assert_eq!(
        (words.n, words.min, words.median, words.max, words.sum),
        (3, 3.0, 5.0, 7.0, 15.0)
    );
    let characters = spread(&found, "characters");
    assert_eq!((characters.min, characters.max), (8.0, 30.0));
    let words = found.frequent.words.iter();
    let words: Vec<(&str, u32)> = words.map(|word| (word.word.as_str(), word.n)).collect();
    assert_eq!(
        words,
        [
            ("cat", 2),
            ("add", 1),
            ("cat's", 1),
            ("dog", 1),
            ("draw", 1),
            ("garden", 1),
            ("描", 1),
            ("猫", 1),
        ]
    );
    // What is here a part of is told beside, not as an error.
    let cross = found.totals.iter().find(|total| total.row == "domain");
    assert_eq!(cross.unwrap().difference, 1 - 1063);
}

#[test]
fn outputs_and_replies_of_models_change_no_count() {
    let mut files = sets();
    let without = counted(&files);
    files.push(text("m/single/001_generated.png", "a picture"));
    files.push(text("m/single/001_gpt_judge.txt", "Visual Quality: 3"));
    assert_eq!(counted(&files), without);
}

#[test]
fn dialogues_are_counted_by_turns_and_pictures() {
    let dialogues = [(0, 2, 1), (10, 1, 0)].map(|(idx, num_pictures, num_texts)| Dialogue {
        idx,
        num_pictures,
        num_texts,
    });
    let items: Vec<Value> = dialogues.iter().map(Dialogue::item).collect();
    let mut files = vec![text("W/test/test.json", &json!(items).to_string())];
    // The last picture of the first dialogue is missing.
    for (dialogue, number) in [(0, 1), (0, 2), (1, 1), (1, 2)] {
        let name = dialogues[dialogue].picture(number);
        files.push(text(&format!("W/test/imgs/{name}"), &name));
    }
    let found = counted(&files);
    for (row, n) in [
        ("samples", 2),
        ("picture_turns", 3),
        ("text_turns", 1),
        ("pictures", 5),
        ("references", 2),
        ("targets", 3),
        ("missing", 1),
        ("files", 4),
    ] {
        assert_eq!(count(&found, "whole", row, ""), Some(n), "{row}");
    }
    assert_eq!(count(&found, "category_turns", "Science", "text"), Some(1));
    assert_eq!(count(&found, "category_turns", "Logic", "text"), Some(0));
    assert_eq!(count(&found, "class", "edit", ""), Some(3));
    assert_eq!(count(&found, "class", "vqa", ""), Some(1));
    let turns = spread(&found, "turns");
    assert_eq!((turns.min, turns.max, turns.mean), (1.0, 3.0, 2.0));
    // Three times “Change Image #1 by one step.” and once “Question 0 about Image #1?”.
    assert_eq!(spread(&found, "words").sum, 23.0);
    let first = &found.frequent.words[0];
    assert_eq!(
        (first.word.as_str(), first.n, first.samples),
        ("image", 4, 2)
    );
}

#[test]
fn replies_without_their_benchmark_are_not_counted() {
    let files = [text("m/single/001_gpt_judge.txt", "Visual Quality: 3")];
    let refused = juror_session::statistics(&open(&files).linked()).unwrap_err();
    assert!(matches!(refused, Error::NoBenchmark(_)), "{refused}");
}
