//! How much of what somebody else made is read: one table, so that no file, reply or answer fills the memory or stops the page.
//!
//! All of them are far beyond what benchmarks and judges write. What goes beyond one is refused or cut with a word that names
//! the limit; nothing is left out in silence.
//!
//! | limit | value | what is limited | what happens beyond it |
//! |---|---|---|---|
//! | [`REPLY_BYTES`] | 1 MiB | a judge's reply | it is not read into a verdict: an incident says how long it is |
//! | [`RESPONSE_BYTES`] | 64 MiB | what a service answers, whole, pictures included | the rest is not read, and the answer is none |
//! | [`LINE_BYTES`] | 64 MiB | a line of a journal, of results of a batch engine or of measured values | the line is left out and named |
//! | [`TEXT_BYTES`] | 512 MiB | a list, a file of replies or any other text | the file is not read, and is named; all that depends on it is left out of the scores |
//! | [`ANSWER_BYTES`] | 4 MiB | a model's answer in words | the answer counts as unreadable |
//! | [`RATINGS_BYTES`] | 64 MiB | a file of people's ratings | the file is not read |
//! | [`FINDINGS_PER_FILE`] | 100 | findings of one kind that are kept per file | "… and N more" |
//! | [`PATH_BYTES`] | 4096 | a file's path | the file is refused |
//! | [`PATTERN_STEPS`] | 20,000 | steps of holding a path against a declared pattern | the path does not match |
//! | [`MODELS`] | 2000 | models of one session | further ones that only records name are left out and named |
//! | [`JSON_DEPTH`] | 500 | nesting of JSON | it is not read; Python stops near a thousand |
//! | [`SEARCH_PASSES`] | 64 | how often a reply is gone over in search of its object | it has no object |
//! | [`YAML_DEPTH`] | 100 | nesting of a case card | the card is not read |
//! | [`YAML_BYTES`] | 16 MiB | what a case card comes to, aliases counted as often as they stand | the card is not read |
//! | [`FILTER_BYTES`] | 4096 | a filter expression | it is refused |
//! | [`RATERS`] | 24 | people and judges that are compared with each other | those with most ratings are; a line says how many were left out |
//! | [`ZIP_ENTRIES`] | 300,000 | files that a ZIP lists | the ZIP is not opened |
//! | [`ZIP_DIRECTORY_BYTES`] | 128 MiB | the list of files in a ZIP | the ZIP is not opened |
//! | [`ZIP_ENTRY_BYTES`] | 1 GiB | one file in a ZIP | the file is refused |
//! | [`ZIP_BYTES`] | 20 GiB | all files in a ZIP | files beyond that are refused |
//! | [`ZIP_RATIO`] | 1000 | how many times its packed size a file in a ZIP beyond 1 MiB grows to | the file is refused |
//! | [`ZIP_STEEP_RATIO`] | 100 | how many times its packed size a file in a ZIP grows to without counting as steep | it counts as steep |
//! | [`ZIP_STEEP_BYTES`] | 64 MiB | all steep files in a ZIP | files beyond that are refused |
//! | [`PICTURE_PIXELS`] | 100,000,000 | pixels of a picture, unless you allow more | the picture is refused |
//! | [`PICTURE_PIXELS_ALLOWED`] | 1,000,000,000 | pixels of a picture that you can allow | no more can be allowed |
//! | [`PIXELS_PER_BYTE`] | 10,000 | pixels for each byte of the file, of a picture beyond 16,777,216 | the picture is refused |
//! | [`PAIRS`] | 2000 | pairs of models that are tested | those of the best 63 models are; a note says so |

/// Bytes of a judge's reply that is read into a verdict.
pub const REPLY_BYTES: usize = 1 << 20;
/// Bytes of what a service answers, with all that stands around the reply.
pub const RESPONSE_BYTES: usize = 64 << 20;
/// Bytes of one line of a journal, of results of a batch engine or of measured values; requests with pictures in them fit.
pub const LINE_BYTES: usize = 64 << 20;
/// Bytes of a list of samples, a file of replies or any other text that is read whole.
pub const TEXT_BYTES: u64 = 512 << 20;
/// Bytes of a model's answer in words.
pub const ANSWER_BYTES: u64 = 4 << 20;
/// Bytes of a file of people's ratings.
pub const RATINGS_BYTES: u64 = 64 << 20;
/// Findings of one kind that are kept of one file.
pub const FINDINGS_PER_FILE: usize = 100;
/// Bytes of a file's path, as on Linux.
pub const PATH_BYTES: usize = 4096;
/// Steps of holding one path against a declared pattern.
pub const PATTERN_STEPS: u32 = 20_000;
/// Models of one session.
pub const MODELS: usize = 2000;
/// Deepest nesting of JSON.
pub const JSON_DEPTH: u32 = 500;
/// How often the length of a reply is gone over in search of the object that ends it.
pub const SEARCH_PASSES: usize = 64;
/// Deepest nesting of a case card.
pub const YAML_DEPTH: u32 = 100;
/// Bytes that a case card comes to in memory, aliases counted as often as they stand.
pub const YAML_BYTES: usize = 16 << 20;
/// Bytes of a filter expression.
pub const FILTER_BYTES: usize = 4096;
/// People and judges that are compared with each other.
pub const RATERS: usize = 24;
/// Files that a ZIP lists.
pub const ZIP_ENTRIES: u64 = 300_000;
/// Bytes of the list of files in a ZIP.
pub const ZIP_DIRECTORY_BYTES: u64 = 128 << 20;
/// Bytes of one file in a ZIP.
pub const ZIP_ENTRY_BYTES: u64 = 1 << 30;
/// Bytes of all files in a ZIP.
pub const ZIP_BYTES: u64 = 20 << 30;
/// How many times its packed size a file in a ZIP grows to.
pub const ZIP_RATIO: u64 = 1000;
/// How many times its packed size a file in a ZIP grows to without counting as steep.
pub const ZIP_STEEP_RATIO: u64 = 100;
/// Bytes of all steep files in a ZIP.
pub const ZIP_STEEP_BYTES: u64 = 64 << 20;
/// Pixels of a picture, unless the user allows more.
pub const PICTURE_PIXELS: u64 = 100_000_000;
/// Pixels of a picture that the user can allow.
pub const PICTURE_PIXELS_ALLOWED: u64 = 1_000_000_000;
/// Pixels for each byte of the file, of a picture beyond 4096 × 4096.
pub const PIXELS_PER_BYTE: u64 = 10_000;
/// Pairs of models that are tested against each other.
pub const PAIRS: usize = 2000;

/// How a finding begins that counts further ones.
pub const MORE: &str = "… and ";

/// A reply that is too long to be read, in words.
pub fn long_reply(reply: &str) -> Option<String> {
    (reply.len() > REPLY_BYTES).then(|| {
        format!(
            "The reply has {} bytes; at most {REPLY_BYTES} are read. Ask the judge again.",
            reply.len()
        )
    })
}

/// A line that is too long to be read, in words.
pub fn long_line(line: &str) -> Option<String> {
    (line.len() > LINE_BYTES).then(|| {
        format!(
            "The line has {} bytes; at most {LINE_BYTES} are read.",
            line.len()
        )
    })
}

/// Lines of a file that could not be read: the first ones by number and reason, the others as a count.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BadLines {
    first: Vec<(u32, String)>,
    more: u32,
    /// The number of the last line.
    last: u32,
}

impl BadLines {
    /// Notes a line; beyond [`FINDINGS_PER_FILE`] it is only counted.
    pub fn push(&mut self, (line, reason): (u32, String)) {
        self.last = line;
        if self.first.len() < FINDINGS_PER_FILE {
            self.first.push((line, reason));
        } else {
            self.more += 1;
        }
    }

    /// How many lines there are, those included that are only counted.
    pub fn count(&self) -> usize {
        self.first.len() + self.more as usize
    }

    /// Line and reason of each one that is kept, and of the others one that says how many they are.
    pub fn told(&self) -> impl Iterator<Item = (u32, String)> {
        let more = (self.more > 0).then(|| {
            let lines = if self.more == 1 { "line" } else { "lines" };
            let text = format!(
                "{MORE}{} more {lines} that cannot be read, up to this one.",
                self.more
            );
            (self.last, text)
        });
        self.first.iter().cloned().chain(more)
    }
}

impl std::ops::Deref for BadLines {
    type Target = [(u32, String)];

    fn deref(&self) -> &Self::Target {
        &self.first
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_many_bad_lines_the_first_are_kept_and_the_others_counted() {
        let mut bad = BadLines::default();
        for line in 1..=250 {
            bad.push((line, "no".to_owned()));
        }
        assert_eq!((bad.len(), bad.count()), (FINDINGS_PER_FILE, 250));
        let told: Vec<(u32, String)> = bad.told().collect();
        assert_eq!(told.len(), FINDINGS_PER_FILE + 1);
        assert_eq!(
            told.last(),
            Some(&(
                250,
                "… and 150 more lines that cannot be read, up to this one.".to_owned()
            ))
        );
    }

    #[test]
    fn every_limit_is_in_the_table() {
        let source = include_str!("limits.rs");
        let names = source
            .lines()
            .filter_map(|line| line.strip_prefix("pub const ")?.split_once(':'))
            .filter_map(|(name, kind)| (!kind.contains("&str")).then_some(name));
        let names: Vec<&str> = names.collect();
        assert!(names.len() > 10);
        for name in names {
            assert!(
                source.contains(&format!("//! | [`{name}`] | ")),
                "{name} is not in the table"
            );
        }
    }
}
