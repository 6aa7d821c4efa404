//! Text search over many short texts: letters in either case, without copies in lower case.

use std::ops::Range;

use memchr::memchr2_iter;

use crate::arrange::Arrange;
use crate::bytes::{splat, word, zeros};

/// Searches kept, so that a filter that is typed on does not look through every text again.
const MAX_KEPT: usize = 24;

/// Bytes of English prose in JSON, from common to rare; what is not named is rarer still.
const COMMON: &[u8] = b" eatonisrhld\"cumfpgwy,b.v:k0123456789_x{}jqz";

/// Starts that are looked at together.
const LANES: usize = 64;

/// A letter, sign or digit at its place in what is looked for, in either case.
#[derive(Clone, Copy, Debug)]
struct Probe {
    offset: usize,
    byte: u8,
    /// The bit by which the two cases of a letter differ; 0 for what is no letter.
    case: u8,
}

impl Probe {
    fn new(offset: usize, c: char) -> Self {
        Self {
            offset,
            byte: c as u8,
            case: if c.is_ascii_alphabetic() { 0x20 } else { 0 },
        }
    }

    fn is(self, byte: u8) -> bool {
        byte | self.case == self.byte
    }

    /// Marks the bytes that it is; none is missed.
    fn marks(self, eight: &[u8]) -> u64 {
        zeros((word(eight) | splat(self.case)) ^ splat(self.byte))
    }
}

/// Where a text may hold what is looked for.
#[derive(Clone, Copy, Debug)]
enum Anchor {
    /// The two rarest of the ASCII characters in front.
    Probes([Probe; 2]),
    /// The first bytes of the first character's two forms.
    Leads(u8, u8),
}

/// Characters to be found in either case.
#[derive(Clone, Debug)]
pub(in crate::session) struct Needle {
    /// As written.
    text: String,
    /// In lower case.
    folded: Vec<char>,
    anchor: Anchor,
}

impl Needle {
    pub(in crate::session) fn new(text: &str) -> Self {
        let folded: Vec<char> = text.chars().map(fold).collect();
        // Only the ASCII letters in front keep their place whatever the case.
        let ascii = folded.iter().take_while(|c| c.is_ascii()).enumerate();
        let mut rarest: Vec<Probe> = ascii.map(|(at, c)| Probe::new(at, *c)).collect();
        let commonness = |probe: &Probe| COMMON.iter().position(|known| *known == probe.byte);
        rarest.arrange_by_key(|probe| std::cmp::Reverse(commonness(probe).unwrap_or(COMMON.len())));
        let anchor = match (&*rarest, folded.first()) {
            ([first, rest @ ..], _) => {
                Anchor::Probes([*first, rest.first().copied().unwrap_or(*first)])
            }
            ([], Some(first)) => {
                let upper = first.to_uppercase().next();
                Anchor::Leads(lead(*first), upper.map_or(0, lead))
            }
            ([], None) => Anchor::Leads(0, 0),
        };
        Self {
            text: text.to_owned(),
            folded,
            anchor,
        }
    }

    /// As written.
    pub(in crate::session) fn text(&self) -> &str {
        &self.text
    }

    /// Whether JSON writes these characters as they are: a text in quotes then holds them too.
    pub(in crate::session) fn is_plain(&self) -> bool {
        self.folded.iter().all(|c| is_plain(*c))
    }

    /// Its longest part that JSON writes as it is; empty where there is none.
    pub(in crate::session) fn plain_part(&self) -> Self {
        let parts = self.text.split(|c| !is_plain(c));
        Self::new(parts.max_by_key(|part| part.len()).unwrap_or_default())
    }

    /// Whether the text holds them.
    pub(in crate::session) fn is_in(&self, text: &str) -> bool {
        self.find(text, 0).is_some()
    }

    /// Bytes of the first place at or after a byte where the text holds them.
    pub(in crate::session) fn find(&self, text: &str, from: usize) -> Option<Range<usize>> {
        if self.folded.is_empty() {
            return (from <= text.len()).then_some(from..from);
        }
        match self.anchor {
            Anchor::Probes(probes) => self.find_by_probes(text, from, probes),
            Anchor::Leads(lower, upper) => {
                let rest = text.as_bytes().get(from..)?;
                memchr2_iter(lower, upper, rest).find_map(|at| self.at(text, from + at))
            }
        }
    }

    fn find_by_probes(&self, text: &str, from: usize, [a, b]: [Probe; 2]) -> Option<Range<usize>> {
        let bytes = text.as_bytes();
        let num_starts = bytes.len().saturating_sub(a.offset.max(b.offset));
        let of = |probe: Probe| bytes.get(probe.offset..probe.offset + num_starts);
        let (first, second) = (of(a)?.get(from..)?, of(b)?.get(from..)?);
        let blocks = first.chunks(LANES).zip(second.chunks(LANES));
        blocks.enumerate().find_map(|(block, (first, second))| {
            let eights = first.chunks_exact(8).zip(second.chunks_exact(8));
            let any = eights.fold(0, |any, (x, y)| any | (a.marks(x) & b.marks(y)));
            if any == 0 && first.len() == LANES {
                return None;
            }
            let mut lanes = first.iter().zip(second).enumerate();
            lanes.find_map(|(lane, (x, y))| {
                let may_start = a.is(*x) && b.is(*y);
                may_start.then(|| self.at(text, from + block * LANES + lane))?
            })
        })
    }

    /// The bytes from here on, if these characters are there.
    fn at(&self, text: &str, start: usize) -> Option<Range<usize>> {
        let mut chars = text.get(start..)?.chars();
        let is_here = self
            .folded
            .iter()
            .all(|wanted| chars.next().is_some_and(|found| fold(found) == *wanted));
        is_here.then(|| start..text.len() - chars.as_str().len())
    }
}

fn is_plain(c: char) -> bool {
    c.is_ascii_graphic() && !"\"\\/".contains(c) || c == ' '
}

/// One character in lower case, where that is one character.
fn fold(c: char) -> char {
    if c.is_ascii() {
        return c.to_ascii_lowercase();
    }
    let mut lower = c.to_lowercase();
    match (lower.next(), lower.next()) {
        (Some(one), None) => one,
        _ => c,
    }
}

/// The first byte of a character's UTF-8.
fn lead(c: char) -> u8 {
    let mut bytes = [0; 4];
    c.encode_utf8(&mut bytes);
    bytes[0]
}

/// Which samples passed a search.
#[derive(Debug)]
pub(in crate::session) struct Kept {
    key: String,
    found: Vec<bool>,
}

/// The searches made last, newest last.
#[derive(Debug, Default)]
pub(in crate::session) struct Memory(Vec<Kept>);

impl Memory {
    /// What a search found, made now unless it was made before.
    pub(in crate::session) fn get(
        &mut self,
        key: String,
        search: impl FnOnce() -> Vec<bool>,
    ) -> &[bool] {
        if let Some(at) = self.0.iter().position(|kept| kept.key == key) {
            let kept = self.0.remove(at);
            self.0.push(kept);
        } else {
            if self.0.len() == MAX_KEPT {
                self.0.remove(0);
            }
            let found = search();
            self.0.push(Kept { key, found });
        }
        self.0.last().map_or(&[], |kept| &kept.found)
    }
}

#[cfg(test)]
mod tests {
    use super::Needle;

    #[test]
    fn letters_are_found_in_either_case_and_elsewhere_not() {
        let text = "Zwölf Boxkämpfer jagen “Viktor” quer über den Sylter Deich";
        for needle in [
            "boxk",
            "BOXKÄMPFER",
            "“viktor”",
            "ÜBER",
            "über den",
            "deich",
            "ö",
            "z",
            "",
        ] {
            assert!(Needle::new(needle).is_in(text), "{needle}");
        }
        for needle in ["boxer", "viktor quer", "deiche", "ä b", "ü d"] {
            assert!(!Needle::new(needle).is_in(text), "{needle}");
        }
    }

    #[test]
    fn a_needle_longer_than_the_text_is_not_in_it() {
        assert!(!Needle::new("red banana").is_in("banana"));
        assert!(!Needle::new("a").is_in(""));
    }

    #[test]
    fn every_place_is_found_wherever_it_lies_among_the_blocks() {
        for before in 0..200 {
            let text = format!("{}Ab{}aB", "ä-".repeat(before), "x".repeat(before));
            let first = 3 * before;
            let needle = Needle::new("ab");
            assert_eq!(needle.find(&text, 0), Some(first..first + 2));
            let second = first + 2 + before;
            assert_eq!(needle.find(&text, first + 1), Some(second..second + 2));
            assert_eq!(needle.find(&text, second + 1), None);
            assert_eq!(needle.find(&text, text.len() + 9), None);
        }
    }

    #[test]
    fn the_bytes_of_a_place_are_the_texts_own() {
        // The capital has one byte more than the small letter.
        let text = "STRA\u{1e9e}E!";
        assert_eq!(Needle::new("raße").find(text, 0), Some(2..8));
        assert_eq!(Needle::new("").find(text, 3), Some(3..3));
    }

    #[test]
    fn the_plain_part_is_the_longest_that_json_leaves_as_it_is() {
        assert_eq!(Needle::new("naïve blocks").plain_part().text(), "ve blocks");
        assert_eq!(Needle::new("a \"b\" cd/e").plain_part().text(), " cd");
        assert_eq!(Needle::new("ïö").plain_part().text(), "");
    }
}
