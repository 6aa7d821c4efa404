//! Text search over many short texts: letters in either case, without copies in lower case.

use std::ops::Range;

use juror_reading::bytes::{self, LANES, Masked};

/// Bytes of English prose in JSON, from common to rare; what is not named is rarer still.
const COMMON: &[u8] = b" eatonisrhld\"cumfpgwy,b.v:k0123456789_x{}jqz";

/// Letters that have several capitals: the angstrom and ohm signs, a theta symbol, and the digraphs' title forms.
const MANY_CAPITALS: &str = "åωθǆǉǌǳ";

/// The last byte of a character at its place in what is looked for, in either case.
#[derive(Clone, Copy, Debug)]
struct Probe {
    /// Bytes from the start of the part that it is in.
    offset: usize,
    /// Without the bits by which the two cases of a letter differ.
    byte: Masked,
}

impl Probe {
    /// How rare it is; the rarer, the larger.
    fn rarity(self) -> usize {
        let byte = self.byte.byte;
        let place = COMMON.iter().position(|known| *known == byte);
        place.unwrap_or(COMMON.len()) + usize::from(!byte.is_ascii())
    }
}

/// A part whose letters have as many bytes in either case, by which a place is found.
#[derive(Clone, Copy, Debug)]
struct Anchor {
    /// Characters in front of the part.
    before: usize,
    /// Its two rarest characters.
    probes: [Probe; 2],
}

impl Anchor {
    fn rarity(&self) -> usize {
        let [a, b] = self.probes;
        let second = if a.offset == b.offset { 0 } else { b.rarity() };
        a.rarity() + second
    }
}

/// Characters to be found in either case.
#[derive(Clone, Debug)]
pub(crate) struct Needle {
    /// As written.
    text: String,
    /// In lower case.
    folded: Vec<char>,
    /// The same as bytes, where all of it is ASCII; only ASCII folds to that.
    ascii: Option<Box<[u8]>>,
    /// The rarest part; none where every letter has cases of several lengths.
    anchor: Option<Anchor>,
}

impl Needle {
    pub(crate) fn new(text: &str) -> Self {
        let folded: Vec<char> = text.chars().map(fold).collect();
        let mut anchor: Option<Anchor> = None;
        let (mut part, mut offset, mut before): (Option<Anchor>, usize, usize) = (None, 0, 0);
        for (at, c) in folded.iter().enumerate() {
            let Some(byte) = steady(*c) else {
                (part, offset, before) = (None, 0, at + 1);
                continue;
            };
            offset += c.len_utf8();
            let probe = Probe {
                offset: offset - 1,
                byte,
            };
            let probes = match part.map(|part| part.probes) {
                None => [probe; 2],
                Some([a, _]) if probe.rarity() > a.rarity() => [probe, a],
                Some([a, b]) if a.offset == b.offset || probe.rarity() > b.rarity() => [a, probe],
                Some(known) => known,
            };
            let longer = Anchor { before, probes };
            if anchor.is_none_or(|known| longer.rarity() > known.rarity()) {
                anchor = Some(longer);
            }
            part = Some(longer);
        }
        let ascii = text
            .is_ascii()
            .then(|| text.to_ascii_lowercase().into_bytes().into());
        Self {
            text: text.to_owned(),
            folded,
            ascii,
            anchor,
        }
    }

    /// As written.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// How rare what it is found by is; the rarer, the larger.
    pub(crate) fn rarity(&self) -> usize {
        self.anchor.map_or(0, |anchor| anchor.rarity())
    }

    /// Whether JSON writes these characters as they are: a text in quotes then holds them too.
    pub(crate) fn is_plain(&self) -> bool {
        self.folded.iter().all(|c| is_plain(*c))
    }

    /// Whether only an escape by its number hides these characters in JSON, if anything does.
    ///
    /// A colon is none of them: one reader puts it between the name of a criterion and what is said of it.
    pub(crate) fn is_verbatim(&self) -> bool {
        let mut chars = self.folded.iter();
        chars.all(|c| !c.is_control() && !"\"\\/:".contains(*c))
    }

    /// Its longest part of such characters; empty where there is none.
    pub(crate) fn longest(&self, is_part: fn(char) -> bool) -> Self {
        let parts = self.text.split(|c| !is_part(c));
        Self::new(parts.max_by_key(|part| part.len()).unwrap_or_default())
    }

    /// Whether the text holds them.
    pub(crate) fn is_in(&self, text: &str) -> bool {
        self.find(text, 0).is_some()
    }

    /// Bytes of the first place at or after a byte where the text holds them.
    pub(crate) fn find(&self, text: &str, from: usize) -> Option<Range<usize>> {
        if self.folded.is_empty() {
            return (from <= text.len()).then_some(from..from);
        }
        let Some(anchor) = self.anchor else {
            let mut starts = text.get(from..)?.char_indices();
            return starts.find_map(|(at, _)| self.at(text, from + at, 0));
        };
        let bytes = text.as_bytes();
        let [a, b] = anchor.probes;
        let num_starts = bytes.len().saturating_sub(a.offset.max(b.offset));
        let of = |probe: Probe| bytes.get(probe.offset + from..probe.offset + num_starts);
        let (first, second) = (of(a)?, of(b)?);
        let at = |start: usize| {
            let found = self.at(text, from + start, anchor.before)?;
            (found.start >= from).then_some(found)
        };
        let mut done = 0;
        let pair = [a.byte, b.byte];
        while let (Some(x), Some(y)) = (first.get(done..), second.get(done..)) {
            let (block, mut places) = bytes::meeting(pair, [x, y])?;
            while places != 0 {
                let found = at(done + block + places.trailing_zeros() as usize);
                if found.is_some() {
                    return found;
                }
                places &= places - 1;
            }
            done += block + LANES;
        }
        None
    }

    /// The bytes of these characters, if they stand where so many of them are in front of this byte.
    fn at(&self, text: &str, place: usize, before: usize) -> Option<Range<usize>> {
        if let Some(ascii) = &self.ascii {
            let start = place.checked_sub(before)?;
            let range = start..start + ascii.len();
            let found = text.as_bytes().get(range.clone())?;
            return found.eq_ignore_ascii_case(ascii).then_some(range);
        }
        let (front, back) = (text.get(..place)?, text.get(place..)?);
        let (mut start, mut end) = (front.chars(), back.chars());
        let is_at_end = self.folded[before..]
            .iter()
            .all(|wanted| end.next().is_some_and(|found| fold(found) == *wanted));
        let is_here = is_at_end
            && self.folded[..before].iter().rev().all(|wanted| {
                start
                    .next_back()
                    .is_some_and(|found| fold(found) == *wanted)
            });
        is_here.then(|| start.as_str().len()..text.len() - end.as_str().len())
    }
}

/// Whether this is a letter or digit that JSON writes as it is.
pub(super) fn is_in_word(c: char) -> bool {
    c.is_ascii_alphanumeric()
}

/// Whether JSON writes it as it is.
pub(super) fn is_plain(c: char) -> bool {
    c.is_ascii_graphic() && !"\"\\/".contains(c) || c == ' '
}

/// One character in lower case, where that is one character; the kelvin sign stays, as ASCII matches only itself.
fn fold(c: char) -> char {
    if c.is_ascii() {
        return c.to_ascii_lowercase();
    }
    let mut lower = c.to_lowercase();
    match (lower.next(), lower.next()) {
        (Some(one), None) if !one.is_ascii() => one,
        _ => c,
    }
}

/// The last byte of a folded character with the bits by which its other case differs, where both have as many bytes.
fn steady(c: char) -> Option<Masked> {
    if c.is_ascii() {
        let mask = if c.is_ascii_alphabetic() { 0x20 } else { 0 };
        return Some(Masked {
            byte: c as u8,
            mask,
        });
    }
    let mut upper = c.to_uppercase();
    let (one, other) = (upper.next()?, upper.next());
    let is_steady = other.is_none() && one.len_utf8() == c.len_utf8() && !MANY_CAPITALS.contains(c);
    let (lower, upper) = (last_byte(c), last_byte(one));
    is_steady.then_some(Masked {
        byte: lower | upper,
        mask: lower ^ upper,
    })
}

fn last_byte(c: char) -> u8 {
    let mut bytes = [0; 4];
    let bytes = c.encode_utf8(&mut bytes).as_bytes();
    bytes.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use juror_statistics::random::SplitMix64;

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

    /// Every character's fold that is steady has the probe's byte at its end, and as many bytes.
    #[test]
    fn no_case_of_a_steady_character_is_missed() {
        let mut num_folded = 0;
        for c in '\0'..=char::MAX {
            let folded = fold(c);
            let Some(byte) = steady(folded) else {
                continue;
            };
            let is_met = last_byte(c) | byte.mask == byte.byte && c.len_utf8() == folded.len_utf8();
            assert!(is_met, "{c} as {folded}");
            num_folded += u32::from(c != folded);
        }
        assert!(num_folded > 1000, "{num_folded}");
        // Each of the letters that are left out would be missed.
        for c in MANY_CAPITALS.chars() {
            let upper = c.to_uppercase().next().unwrap_or(c);
            let case = last_byte(c) ^ last_byte(upper);
            let byte = last_byte(c) | case;
            let mut others = ('\0'..=char::MAX).filter(|other| fold(*other) == c);
            assert!(
                others.any(
                    |other| last_byte(other) | case != byte || other.len_utf8() != c.len_utf8()
                ),
                "{c}"
            );
        }
    }

    /// The places of a needle by looking at every character.
    fn slowly(needle: &Needle, text: &str) -> Option<Range<usize>> {
        let mut starts = text.char_indices().map(|(at, _)| at);
        starts.find_map(|at| needle.at(text, at, 0))
    }

    fn drawn(random: &mut SplitMix64, len: u64) -> String {
        let letters: Vec<char> = "aAbkKsSzß\u{1e9e}åÅ\u{212b}ωΩïÏдД–“ ſ\u{212a}i\u{130}"
            .chars()
            .collect();
        let draw = |_| {
            let at = random.bits() % letters.len() as u64;
            letters[usize::try_from(at).unwrap_or(0)]
        };
        (0..len).map(draw).collect()
    }

    #[test]
    fn a_needle_is_found_where_looking_at_every_character_finds_it() {
        let random = &mut SplitMix64::new(7);
        let (mut found, mut missed, mut told) = (0, 0, 0);
        for round in 0..4000 {
            let text = drawn(random, round % 190);
            let len = 1 + random.bits() % 3;
            let needle = Needle::new(&drawn(random, len));
            let known = slowly(&needle, &text);
            assert_eq!(needle.find(&text, 0), known, "{needle:?} in {text}");
            *if known.is_some() {
                &mut found
            } else {
                &mut missed
            } += 1;
            // With a probe one byte further on it is another needle.
            let mut wrong = needle.clone();
            if let Some(anchor) = &mut wrong.anchor {
                anchor.probes[0].offset += 1;
                told += u32::from(wrong.find(&text, 0) != known);
            }
        }
        assert!(
            found > 500 && missed > 500 && told > 200,
            "{found} {missed} {told}"
        );
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
        let plain_part = |text: &str| Needle::new(text).longest(is_plain).text;
        assert_eq!(plain_part("naïve blocks"), "ve blocks");
        assert_eq!(plain_part("a \"b\" cd/e"), " cd");
        assert_eq!(plain_part("ïö"), "");
    }
}
