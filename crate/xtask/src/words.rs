//! Counts the words that plain English does without, in comments, strings and the manual: no number may rise.
//!
//! The words and their numbers are in `tests/words.txt`. `cargo xtask bless words` lowers a number, and only a person raises one.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

use crate::build::files_below;
use crate::process::{ask, progress};
use crate::prose;
use crate::workspace::Workspace;

/// The committed numbers, below the root.
const LIST: &str = "tests/words.txt";

/// What is read: folders and files below the root, and the ends of the names within the folders.
const READ: [(&str, &[&str]); 6] = [
    ("crate", &["rs"]),
    ("tests", &["rs", "ts", "mjs"]),
    ("www/src", &["ts"]),
    ("www/manual", &["md"]),
    ("README.md", &["md"]),
    (".github/CONTRIBUTING.md", &["md"]),
];

/// Generated files: their comments are those of the Rust files.
const GENERATED: [&str; 2] = ["www/src/engine/pkg/", "www/src/engine/types/"];

/// Folders of builds and packages, wherever they are.
const FOREIGN: [&str; 2] = ["target", "node_modules"];

/// The most files that are named for a word.
const MAX_FILES: usize = 12;

/// A word, or several with blanks between them, and how often it may occur.
#[derive(Debug, PartialEq, Eq)]
struct Entry<'a> {
    word: &'a str,
    most: usize,
}

/// How often a word occurs in each file that has it.
type Places = BTreeMap<String, usize>;

/// Fails if a word occurs more often than its number.
pub(crate) fn check(workspace: &Workspace) -> anyhow::Result<()> {
    let list = read_list(workspace)?;
    let entries = entries(&list)?;
    let places = places(&entries, &sources(workspace)?);
    if has_risen(&entries, &places) {
        let changed = changed(workspace);
        bail!(
            "{}\nsay it in plain English (the list in {LIST} has the other words), \
             or raise the number there by hand and give the reason in the commit",
            risen(&entries, &places, &changed).join("\n")
        );
    }
    let fallen = fallen(&entries, &places);
    if !fallen.is_empty() {
        progress(&format!(
            "`cargo xtask bless words` lowers {LIST}: {}",
            fallen.join(", ")
        ));
    }
    Ok(())
}

/// Lowers the committed numbers to the present ones.
pub(crate) fn bless(workspace: &Workspace) -> anyhow::Result<()> {
    let list = read_list(workspace)?;
    let entries = entries(&list)?;
    let places = places(&entries, &sources(workspace)?);
    let fallen = fallen(&entries, &places);
    fs::write(workspace.root.join(LIST), lowered(&list, &entries, &places))
        .with_context(|| format!("cannot write {LIST}"))?;
    progress(&format!("{LIST}: {} numbers lowered", fallen.len()));
    for line in fallen {
        println!("  {line}");
    }
    if has_risen(&entries, &places) {
        for line in risen(&entries, &places, &changed(workspace)) {
            println!("  not raised: {line}");
        }
    }
    Ok(())
}

fn read_list(workspace: &Workspace) -> anyhow::Result<String> {
    fs::read_to_string(workspace.root.join(LIST)).with_context(|| format!("cannot read {LIST}"))
}

/// The paths and texts of all that is read.
fn sources(workspace: &Workspace) -> anyhow::Result<Vec<(String, String)>> {
    let mut sources = Vec::new();
    for (name, ends) in READ {
        let path = workspace.root.join(name);
        let files = if path.is_dir() {
            files_below(&path)?
        } else {
            vec![path]
        };
        for file in files.into_iter().filter(|file| is_read(file, ends)) {
            let path = workspace.relative(&file).replace('\\', "/");
            if GENERATED.iter().any(|folder| path.starts_with(folder)) {
                continue;
            }
            let text = fs::read_to_string(&file).with_context(|| format!("cannot read {path}"))?;
            sources.push((path, text));
        }
    }
    Ok(sources)
}

fn is_read(path: &Path, ends: &[&str]) -> bool {
    let end = path.extension().unwrap_or_default();
    let mut folders = path.iter();
    ends.iter().any(|wanted| end == *wanted)
        && !folders.any(|folder| FOREIGN.iter().any(|foreign| folder == *foreign))
}

/// The words and numbers of the list, a line each; a line that begins with `#` is a remark.
fn entries(list: &str) -> anyhow::Result<Vec<Entry<'_>>> {
    let lines = list.lines().enumerate().filter(|(_, line)| is_entry(line));
    let entries = lines.map(|(idx, line)| {
        let entry = line.rsplit_once(' ');
        let entry = entry.and_then(|(word, most)| {
            let most = most.parse().ok()?;
            Some(Entry { word, most })
        });
        entry.with_context(|| {
            format!(
                "{LIST}, line {}: expected a word and a number, found {line:?}",
                idx + 1
            )
        })
    });
    entries.collect()
}

fn is_entry(line: &str) -> bool {
    !line.trim().is_empty() && !line.starts_with('#')
}

/// Where each word of the list occurs; `files` are paths and their texts.
fn places(entries: &[Entry<'_>], files: &[(String, String)]) -> Vec<Places> {
    let wanted: Vec<Vec<&str>> = entries
        .iter()
        .map(|entry| entry.word.split(' ').collect())
        .collect();
    let mut places = vec![Places::new(); entries.len()];
    for (path, source) in files {
        let texts = match PathBuf::from(path).extension() {
            Some(end) if end == "rs" => prose::of_rust(source),
            Some(end) if end == "md" => prose::of_markdown(source),
            _ => prose::of_script(source),
        };
        for text in texts {
            let text = text.to_lowercase();
            let words = words(&text);
            for (wanted, places) in wanted.iter().zip(&mut places) {
                let count = (words.windows(wanted.len()))
                    .filter(|words| words == wanted)
                    .count();
                if count > 0 {
                    *places.entry(path.clone()).or_default() += count;
                }
            }
        }
    }
    places
}

/// The words of a text, with an empty one for each mark between two of them.
///
/// Paths, names with a hyphen, and `{fields}` of a format are words of their own.
fn words(text: &str) -> Vec<&str> {
    let mut words = Vec::new();
    for piece in text.split_whitespace() {
        for word in piece.split(|mark: char| !is_part_of_word(mark)) {
            let bare = word.trim_end_matches(['.', ':']);
            words.push(bare);
            if bare.len() < word.len() {
                words.push("");
            }
        }
    }
    words
}

fn is_part_of_word(mark: char) -> bool {
    mark.is_alphanumeric() || "_-/#{$.:".contains(mark)
}

fn has_risen(entries: &[Entry<'_>], places: &[Places]) -> bool {
    let mut pairs = entries.iter().zip(places);
    pairs.any(|(entry, places)| count(places) > entry.most)
}

fn count(places: &Places) -> usize {
    places.values().sum()
}

/// A line for each word that occurs too often, and the changed files that have it; any that have it, where none is changed.
fn risen(entries: &[Entry<'_>], places: &[Places], changed: &[String]) -> Vec<String> {
    let pairs = entries.iter().zip(places);
    let risen = pairs.filter(|(entry, places)| count(places) > entry.most);
    risen
        .map(|(Entry { word, most }, places)| {
            let (new, old): (Vec<_>, Vec<_>) =
                (places.iter()).partition(|(path, _)| changed.contains(path));
            let files = if new.is_empty() { old } else { new };
            let shown = files.iter().take(MAX_FILES);
            let shown: Vec<String> = shown
                .map(|(path, count)| format!("{path} ({count})"))
                .collect();
            let more = match files.len() - shown.len() {
                0 => String::new(),
                more => format!(" and {more} more files"),
            };
            format!(
                "{word:?}: expected at most {most}, found {}, in {}{more}",
                count(places),
                shown.join(", ")
            )
        })
        .collect()
}

/// Each word that occurs less often than its number, with both numbers.
fn fallen(entries: &[Entry<'_>], places: &[Places]) -> Vec<String> {
    let pairs = entries.iter().zip(places);
    let fallen = pairs.filter(|(entry, places)| count(places) < entry.most);
    fallen
        .map(|(entry, places)| format!("{:?} from {} to {}", entry.word, entry.most, count(places)))
        .collect()
}

/// The list with lower numbers, never with a higher one; remarks stay.
fn lowered(list: &str, entries: &[Entry<'_>], places: &[Places]) -> String {
    let mut pairs = entries.iter().zip(places);
    let lines = list.lines().map(|line| {
        let entry = if is_entry(line) { pairs.next() } else { None };
        entry.map_or_else(
            || format!("{line}\n"),
            |(Entry { word, most }, places)| format!("{word} {}\n", count(places).min(*most)),
        )
    });
    lines.collect()
}

/// The files that differ from the commit that changed the list last, as Git knows them.
fn changed(workspace: &Workspace) -> Vec<String> {
    let root = workspace.root.to_string_lossy();
    let git = |arguments: &[&str]| {
        let arguments = [&["-C", &root], arguments].concat();
        ask("git", &arguments).unwrap_or_default()
    };
    let last = git(&["log", "-1", "--format=%H", "--", LIST]);
    let last = if last.is_empty() { "HEAD" } else { &last };
    let different = git(&["diff", "--name-only", last]);
    let new = git(&["ls-files", "--others", "--exclude-standard"]);
    let files = different.lines().chain(new.lines());
    files.map(str::to_owned).collect()
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    const LISTED: &str = "# A remark 9\nplanted 1\nin a row 0\n";

    fn files(all: &[(&str, &str)]) -> Vec<(String, String)> {
        all.iter()
            .map(|(path, text)| ((*path).to_owned(), (*text).to_owned()))
            .collect()
    }

    /// The numbers of both words in one file.
    fn counts(path: &str, source: &str) -> Vec<usize> {
        let places = places(&entries(LISTED).unwrap(), &files(&[(path, source)]));
        places.iter().map(count).collect()
    }

    #[test]
    fn a_planted_word_is_named_with_its_numbers_and_the_changed_files() {
        let entries = entries(LISTED).unwrap();
        let places = places(
            &entries,
            &files(&[
                ("a.rs", "// It was planted."),
                ("b.ts", "f('Planted', `planted`);"),
                ("c.md", "Nothing."),
            ]),
        );
        assert!(has_risen(&entries, &places));
        assert_eq!(
            risen(&entries, &places, &["b.ts".to_owned()]),
            ["\"planted\": expected at most 1, found 3, in b.ts (2)"]
        );
        assert_eq!(
            risen(&entries, &places, &[]),
            ["\"planted\": expected at most 1, found 3, in a.rs (1), b.ts (2)"]
        );
    }

    #[test]
    fn code_and_parts_of_words_do_not_count() {
        for (path, source) in [
            (
                "a.rs",
                "fn planted(planted: u8) { planted::planted(planted) }",
            ),
            ("a.rs", "// `planted`, replanted, un-planted, planted_now"),
            ("a.rs", "f(\"{planted} tests/planted.rs\")"),
            ("a.ts", "import { planted } from './planted';"),
            ("a.ts", "f(`${planted} one`)"),
            ("a.md", "```\nplanted\n```"),
        ] {
            assert_eq!(counts(path, source), [0, 0], "{source}");
        }
    }

    #[test]
    fn a_phrase_counts_over_the_end_of_a_line_and_not_over_a_comma() {
        let source = "/// Beans in a\n/// row, and in, a row; in a row.";
        assert_eq!(counts("a.rs", source), [0, 2]);
        assert_eq!(counts("a.md", "In a\nrow"), [0, 1]);
    }

    #[test]
    fn a_lower_number_passes_and_can_be_written() {
        let listed = "# A remark 9\nplanted 4\nin a row 2\n";
        let entries = entries(listed).unwrap();
        let places = places(
            &entries,
            &files(&[("a.md", "Planted: in a row. In a row.")]),
        );
        assert!(!has_risen(&entries, &places));
        assert_eq!(fallen(&entries, &places), ["\"planted\" from 4 to 1"]);
        assert_eq!(
            lowered(listed, &entries, &places),
            "# A remark 9\nplanted 1\nin a row 2\n"
        );
    }

    #[test]
    fn a_number_is_never_raised() {
        let entries = entries(LISTED).unwrap();
        let places = places(&entries, &files(&[("a.md", "Planted, planted in a row.")]));
        assert!(has_risen(&entries, &places));
        assert_eq!(lowered(LISTED, &entries, &places), LISTED);
    }

    #[test]
    fn a_line_without_a_number_is_refused() {
        let error = entries("# A remark\nplanted\n").unwrap_err().to_string();
        assert_eq!(
            error,
            "tests/words.txt, line 2: expected a word and a number, found \"planted\""
        );
    }
}
