//! Text search over many short texts: letters in either case, without copies in lower case.

use memchr::memchr2_iter;

/// Searches kept, so that a filter that is typed on does not look through every text again.
const MAX_KEPT: usize = 24;

/// Bytes of English prose in JSON, from common to rare; what is not named is rarer still.
const COMMON: &[u8] = b" eatonisrhld\"cumfpgwy,b.v:k0123456789_x{}jqz";

/// Characters to be found in either case.
#[derive(Clone, Debug)]
pub(in crate::session) struct Needle {
    /// As written.
    text: String,
    /// In lower case.
    folded: Vec<char>,
    /// Bytes of the rarest character's two forms, and its place from the start.
    anchor: (u8, u8, usize),
}

impl Needle {
    pub(in crate::session) fn new(text: &str) -> Self {
        let folded: Vec<char> = text.chars().map(fold).collect();
        // Only the ASCII letters in front keep their place whatever the case.
        let ascii = folded.iter().take_while(|c| c.is_ascii()).enumerate();
        let rarity = |c: char| {
            COMMON
                .iter()
                .position(|known| *known == c as u8)
                .unwrap_or(COMMON.len())
        };
        let rarest = ascii.max_by_key(|(at, c)| (rarity(**c), usize::MAX - *at));
        let anchor = match (rarest, folded.first()) {
            (Some((at, c)), _) => (
                c.to_ascii_lowercase() as u8,
                c.to_ascii_uppercase() as u8,
                at,
            ),
            (None, Some(first)) => (lead(*first), first.to_uppercase().next().map_or(0, lead), 0),
            (None, None) => (0, 0, 0),
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
        self.folded
            .iter()
            .all(|c| c.is_ascii_graphic() && !"\"\\/".contains(*c) || *c == ' ')
    }

    /// Whether the text holds them.
    pub(in crate::session) fn is_in(&self, text: &str) -> bool {
        if self.folded.is_empty() {
            return true;
        }
        let (lower, upper, offset) = self.anchor;
        memchr2_iter(lower, upper, text.as_bytes()).any(|at| {
            at.checked_sub(offset)
                .is_some_and(|start| self.is_at(text, start))
        })
    }

    fn is_at(&self, text: &str, start: usize) -> bool {
        let Some(rest) = text.get(start..) else {
            return false;
        };
        let mut chars = rest.chars();
        self.folded
            .iter()
            .all(|wanted| chars.next().is_some_and(|found| fold(found) == *wanted))
    }
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
}
