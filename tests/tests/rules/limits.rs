//! The limits of what is read and the rules of trust: the manual says what the source says, and at each limit is the last
//! that is read.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use juror_image::{MAX_PIXELS, MAX_PIXELS_ALLOWED, MAX_PIXELS_PER_BYTE};
use juror_judging::reading;
use juror_model::host::FileMeta;
use juror_model::trust;
use juror_reading::limits::{
    ANSWER_BYTES, FILTER_BYTES, FINDINGS_PER_FILE, JSON_DEPTH, LINE_BYTES, MODELS, PAIRS,
    PATH_BYTES, PATTERN_STEPS, PICTURE_PIXELS, PICTURE_PIXELS_ALLOWED, PIXELS_PER_BYTE, RATERS,
    RATINGS_BYTES, REPLY_BYTES, RESPONSE_BYTES, SEARCH_PASSES, TEXT_BYTES, YAML_BYTES, YAML_DEPTH,
    ZIP_BYTES, ZIP_DIRECTORY_BYTES, ZIP_ENTRIES, ZIP_ENTRY_BYTES, ZIP_RATIO, ZIP_STEEP_BYTES,
    ZIP_STEEP_RATIO,
};
use juror_sources::archive::{self, ArchiveDirectory, ArchiveError};
use juror_tests::generate::PROBE;

const SOURCE: &str = include_str!("../../../crate/juror_reading/src/limits.rs");
const FILES: &str = include_str!("../../../www/manual/01-files.md");
const SHARING: &str = include_str!("../../../www/manual/05-sharing.md");

/// The cells of the rows of a table whose lines begin so, without its head.
fn cells<'a>(text: &'a str, prefix: &'a str) -> Vec<Vec<&'a str>> {
    let lines = text.lines().filter_map(|line| line.strip_prefix(prefix));
    let rows = lines.filter_map(|line| line.strip_prefix("| ")?.strip_suffix(" |"));
    rows.map(|row| row.split(" | ").collect()).skip(1).collect()
}

/// Name, value, what is limited and what happens beyond it, of each limit in the documentation of the source.
fn documented() -> Vec<Vec<&'static str>> {
    let head = SOURCE.split("pub const").next().unwrap();
    cells(head, "//! ")
}

/// A number of bytes, or of anything else, as the table writes it.
fn written(name: &str, value: u64) -> String {
    let units = [(1 << 30, "GiB"), (1 << 20, "MiB")];
    let unit = units
        .iter()
        .find(|(size, _)| value.is_multiple_of(*size) && name.ends_with("_BYTES"));
    match unit {
        Some((size, unit)) => format!("{} {unit}", value / size),
        None if value >= 1_000_000_000 => {
            let (millions, rest) = (value / 1_000_000, value % 1_000_000);
            format!(
                "{},{:03},{:03},{:03}",
                millions / 1000,
                millions % 1000,
                rest / 1000,
                rest % 1000
            )
        }
        None if value >= 1_000_000 => {
            let (thousands, rest) = (value / 1000, value % 1000);
            format!("{},{:03},{rest:03}", thousands / 1000, thousands % 1000)
        }
        None if value >= 10_000 => format!("{},{:03}", value / 1000, value % 1000),
        None => value.to_string(),
    }
}

#[test]
fn the_table_of_limits_has_the_values_of_the_source_and_so_has_the_manual() {
    let wide = |value: usize| value as u64;
    let values = [
        ("REPLY_BYTES", wide(REPLY_BYTES)),
        ("RESPONSE_BYTES", wide(RESPONSE_BYTES)),
        ("LINE_BYTES", wide(LINE_BYTES)),
        ("TEXT_BYTES", TEXT_BYTES),
        ("ANSWER_BYTES", ANSWER_BYTES),
        ("RATINGS_BYTES", RATINGS_BYTES),
        ("FINDINGS_PER_FILE", wide(FINDINGS_PER_FILE)),
        ("PATH_BYTES", wide(PATH_BYTES)),
        ("PATTERN_STEPS", PATTERN_STEPS.into()),
        ("MODELS", wide(MODELS)),
        ("JSON_DEPTH", JSON_DEPTH.into()),
        ("SEARCH_PASSES", wide(SEARCH_PASSES)),
        ("YAML_DEPTH", YAML_DEPTH.into()),
        ("YAML_BYTES", wide(YAML_BYTES)),
        ("FILTER_BYTES", wide(FILTER_BYTES)),
        ("RATERS", wide(RATERS)),
        ("ZIP_ENTRIES", ZIP_ENTRIES),
        ("ZIP_DIRECTORY_BYTES", ZIP_DIRECTORY_BYTES),
        ("ZIP_ENTRY_BYTES", ZIP_ENTRY_BYTES),
        ("ZIP_BYTES", ZIP_BYTES),
        ("ZIP_RATIO", ZIP_RATIO),
        ("ZIP_STEEP_RATIO", ZIP_STEEP_RATIO),
        ("ZIP_STEEP_BYTES", ZIP_STEEP_BYTES),
        ("PICTURE_PIXELS", PICTURE_PIXELS),
        ("PICTURE_PIXELS_ALLOWED", PICTURE_PIXELS_ALLOWED),
        ("PIXELS_PER_BYTE", PIXELS_PER_BYTE),
        ("PAIRS", wide(PAIRS)),
    ];
    let documented = documented();
    let stated: Vec<(String, String)> = documented
        .iter()
        .map(|row| (row[0].to_owned(), row[1].to_owned()))
        .collect();
    let expected = values.map(|(name, value)| (format!("[`{name}`]"), written(name, value)));
    assert_eq!(stated, expected);
    let (_, section) = FILES.split_once("\n## Limits\n").unwrap();
    let section = section.split("\n## ").next().unwrap();
    let in_manual: Vec<[&str; 3]> = cells(section, "")
        .into_iter()
        .map(|row| [row[1], row[0], row[2]])
        .collect();
    let in_source: Vec<[&str; 3]> = documented
        .iter()
        .map(|row| [row[1], row[2], row[3]])
        .collect();
    assert_eq!(in_manual, in_source);
}

#[test]
fn the_limits_of_pictures_are_those_of_the_table() {
    // Pictures are read by a crate that knows nothing of the table.
    let of_pictures = [MAX_PIXELS, MAX_PIXELS_ALLOWED, MAX_PIXELS_PER_BYTE];
    let of_table = [PICTURE_PIXELS, PICTURE_PIXELS_ALLOWED, PIXELS_PER_BYTE];
    assert_eq!(of_pictures, of_table);
}

#[test]
fn the_manual_has_the_rules_of_trust_word_for_word() {
    let (_, rules) = trust::MODEL.split_once("# Whom Juror believes\n").unwrap();
    let (_, section) = SHARING.split_once("\n## Whom Juror believes\n").unwrap();
    let section = section.split("\n## ").next().unwrap();
    assert_eq!(section.trim(), rules.trim());
    assert!(section.lines().count() > 15);
}

/// The end of a ZIP of more than 65,535 files: end record, locator, old end record.
fn tail(count: u64, length: u64) -> Vec<u8> {
    let mut tail = b"PK\x06\x06".to_vec();
    tail.extend(44_u64.to_le_bytes());
    tail.extend([0; 12]);
    for number in [count, count, length, 0] {
        tail.extend(number.to_le_bytes());
    }
    let end = length;
    tail.extend(b"PK\x06\x07\0\0\0\0");
    tail.extend(end.to_le_bytes());
    tail.extend([1, 0, 0, 0]);
    tail.extend(b"PK\x05\x06");
    tail.extend([0xff; 16]);
    tail.extend([0, 0]);
    tail
}

#[test]
fn a_zip_with_as_many_files_as_are_read_is_opened_and_one_with_one_more_is_not() {
    let found = |count, length| archive::find(&tail(count, length), length);
    let directory = |count, length| ArchiveDirectory {
        at: 0,
        length,
        count,
        is_wrapped: false,
    };
    assert_eq!(found(ZIP_ENTRIES, 100), Ok(directory(ZIP_ENTRIES, 100)));
    let more = ZIP_ENTRIES + 1;
    assert_eq!(found(more, 100), Err(ArchiveError::TooMany { found: more }));
    let length = ZIP_DIRECTORY_BYTES;
    assert_eq!(found(7, length), Ok(directory(7, length)));
    let refused = found(7, length + 1).unwrap_err();
    assert_eq!(refused.code(), "zip_too_many");
    assert!(refused.to_string().contains("128 MiB"), "{refused}");
}

#[test]
fn a_line_as_long_as_is_read_is_read_and_one_byte_more_is_named() {
    let record = "{\"format\": \"juror-journal/1\", \"protocol\": \"weave\", \"model\": \"m\", \"sample\": \"0\", \"turn\": 0, \
        \"criterion\": \"key_point\", \"reply\": \"{}\"}";
    let of_length = |length: usize| {
        let mut line = record.to_owned();
        line.push_str(&" ".repeat(length - record.len()));
        line
    };
    let read = reading::read(&of_length(LINE_BYTES));
    assert_eq!((read.records.len(), read.bad_lines.count()), (1, 0));
    let read = reading::read(&of_length(LINE_BYTES + 1));
    assert_eq!((read.records.len(), read.bad_lines.count()), (0, 1));
    let (line, reason) = &read.bad_lines[0];
    assert_eq!(*line, 1);
    assert!(reason.contains("67108865 bytes"), "{reason}");
}

#[test]
fn a_file_of_ratings_as_large_as_is_read_is_asked_for_and_a_larger_one_is_named() {
    let asked = |size: u64| {
        let mut session = juror_session::Session::new(PROBE);
        session.add_files(&[FileMeta {
            path: "ratings.csv".to_owned(),
            size: Some(size),
        }]);
        let is_wanted = !session.wants(usize::MAX).is_empty();
        let problems = juror_session::problems(&session.linked());
        let named = problems.iter().any(|problem| problem.path == "ratings.csv");
        (is_wanted, named)
    };
    assert_eq!(asked(RATINGS_BYTES), (true, false));
    assert_eq!(asked(RATINGS_BYTES + 1), (false, true));
}
