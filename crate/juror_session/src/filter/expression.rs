//! Regular expressions of the filter: the language of the crate `regex`, asked for one thing, whether a text matches.
//!
//! For that a lazy automaton is enough, and where a text needs what no automaton has, a simulation; the search for
//! places, groups and literals that `regex` brings along as well would double the size in the browser.
//! Where there are many replies, one literal that every match holds is looked for first, all over a file.

use std::cell::RefCell;
use std::fmt;

use regex_automata::hybrid::dfa::{self, DFA};
use regex_automata::nfa::thompson::{
    self, NFA,
    pikevm::{self, PikeVM},
};
use regex_automata::util::syntax;
use regex_automata::{Anchored, Input};
use regex_syntax::hir::{Hir, HirKind};

use super::text::Needle;

/// Places that are tried one by one before all the rest of a text is gone through.
const MAX_TRIES: usize = 8;
/// Bytes that an expression may take when compiled.
const MAX_COMPILED: usize = 1 << 20;
/// Bytes of the automaton's states that are kept while texts are searched.
const MAX_CACHE: usize = 2 << 20;

/// Characters that every text holds that an expression matches, in either case.
#[derive(Clone)]
struct Literal {
    needle: Needle,
    /// Whether every match begins with them.
    is_prefix: bool,
}

/// A compiled expression; letters match in either case.
#[derive(Clone)]
pub(crate) struct Expression {
    source: String,
    literal: Option<Literal>,
    /// None for the rare expression that needs more states than the cache holds.
    automaton: Option<DFA>,
    simulation: PikeVM,
    /// What both work in, made on first use.
    cache: RefCell<Cache>,
}

#[derive(Clone, Default)]
struct Cache {
    automaton: Option<dfa::Cache>,
    simulation: Option<pikevm::Cache>,
}

impl fmt::Debug for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.source)
    }
}

impl Expression {
    /// Compiles `source`; the error says in words what is wrong with it.
    pub(super) fn new(source: &str) -> Result<Self, String> {
        let language = syntax::Config::new().case_insensitive(true);
        let parsed = syntax::parse_with(source, &language).map_err(|error| error.to_string())?;
        let too_large = |_| format!("Compiled regex exceeds size limit of {MAX_COMPILED} bytes.");
        let compiled: NFA = thompson::Compiler::new()
            .configure(thompson::Config::new().nfa_size_limit(Some(MAX_COMPILED)))
            .build_from_hir(&parsed)
            .map_err(too_large)?;
        let config = dfa::Config::new()
            // Gives up on a text with a letter beyond ASCII, where \b needs to know more than a byte.
            .unicode_word_boundary(true)
            .cache_capacity(MAX_CACHE)
            // Gives up where building states costs more than the simulation.
            .minimum_cache_clear_count(Some(3))
            .minimum_bytes_per_state(Some(10));
        let automaton = dfa::Builder::new()
            .configure(config)
            .build_from_nfa(compiled.clone())
            .ok();
        let simulation = PikeVM::new_from_nfa(compiled).map_err(|error| error.to_string())?;
        Ok(Self {
            source: source.to_owned(),
            literal: literal_of(source),
            automaton,
            simulation,
            cache: RefCell::default(),
        })
    }

    /// The expression as it was written.
    pub(super) fn as_str(&self) -> &str {
        &self.source
    }

    /// Characters that every text holds that it matches, in either case, if it names any.
    pub(super) fn literal(&self) -> Option<&Needle> {
        self.literal.as_ref().map(|literal| &literal.needle)
    }

    /// Whether it matches anywhere in the text.
    pub(super) fn is_match(&self, text: &str) -> bool {
        let Some(literal) = self.literal() else {
            return self.is_match_in(text, 0, Anchored::No);
        };
        let first = literal.find(text, 0);
        first.is_some_and(|first| self.is_match_with(text, first.start))
    }

    /// Whether it matches anywhere in a text in which its literal is first at this byte.
    pub(super) fn is_match_with(&self, text: &str, first: usize) -> bool {
        let Some(literal) = self.literal.as_ref().filter(|literal| literal.is_prefix) else {
            return self.is_match_in(text, 0, Anchored::No);
        };
        let mut start = first;
        for _ in 0..MAX_TRIES {
            if self.is_match_in(text, start, Anchored::Yes) {
                return true;
            }
            match literal.needle.find(text, start + 1) {
                Some(hit) => start = hit.start,
                None => return false,
            }
        }
        self.is_match_in(text, start, Anchored::No)
    }

    /// Whether a match begins at this byte, or anywhere from it on.
    fn is_match_in(&self, text: &str, from: usize, anchored: Anchored) -> bool {
        let input = Input::new(text).range(from..).anchored(anchored);
        let input = input.earliest(true);
        let cache = &mut *self.cache.borrow_mut();
        if let Some(automaton) = &self.automaton {
            let states = cache
                .automaton
                .get_or_insert_with(|| automaton.create_cache());
            if let Ok(found) = automaton.try_search_fwd(states, &input) {
                return found.is_some();
            }
        }
        let threads = cache
            .simulation
            .get_or_insert_with(|| self.simulation.create_cache());
        self.simulation.is_match(threads, input)
    }
}

/// The rarest characters that every match has side by side, and whether it begins with them.
fn literal_of(source: &str) -> Option<Literal> {
    // Where letters stand for both cases each is a class of its own.
    let parsed = syntax::parse(source).ok()?;
    let mut runs = vec![String::new()];
    collect_runs(&parsed, &mut runs);
    // Beyond ASCII letters have other cases here than in a needle, and so have these two within it.
    let is_other = |c: char| !c.is_ascii() || "skSK".contains(c);
    let parts = runs.iter().flat_map(|run| run.split(is_other));
    let needles = parts.filter(|part| part.len() > 1).map(Needle::new);
    let needle = needles.max_by_key(Needle::rarity)?;
    let is_prefix = runs[0].split(is_other).next() == Some(needle.text());
    Some(Literal { needle, is_prefix })
}

/// Adds characters that every match holds to the last run, and begins another one after a gap.
fn collect_runs(part: &Hir, runs: &mut Vec<String>) {
    match part.kind() {
        HirKind::Empty | HirKind::Look(_) => {}
        HirKind::Literal(literal) => {
            let text = String::from_utf8_lossy(&literal.0);
            runs.last_mut()
                .into_iter()
                .for_each(|run| run.push_str(&text));
        }
        HirKind::Capture(group) => collect_runs(&group.sub, runs),
        HirKind::Concat(parts) => parts.iter().for_each(|part| collect_runs(part, runs)),
        HirKind::Repetition(repeated) if repeated.min > 0 => {
            runs.push(String::new());
            collect_runs(&repeated.sub, runs);
            runs.push(String::new());
        }
        HirKind::Repetition(_) | HirKind::Class(_) | HirKind::Alternation(_) => {
            runs.push(String::new());
        }
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    const EXPRESSIONS: &[&str] = &[
        "",
        "a",
        "banane?s?$",
        "^the\\b",
        "\\bé",
        "\\bfar\\b",
        "\\Bé",
        "naïve\\B",
        "[α-ω]+\\d{2,}",
        "(?-i)Layout",
        "(red|green) banana",
        "x*$",
        "\\w\\s\\w",
        "^$",
        "(a|aa)+b",
        "ſ",
        "K",
        "\\b\\b",
        "\\S{30}",
        "[^a-z ]",
        ".\\n.",
        "aa[^b]*c",
        "\\baa",
    ];

    const TEXTS: &[&str] = &[
        "",
        "a",
        "The picture keeps its “layout”.",
        "BANANES",
        "two\nlines",
        "était",
        "afar far away",
        "so far – far",
        "αβγ12",
        "s",
        "K",
        "éé",
        "GREEN BANANA and naïvely",
        "aaaaaaaab",
        "aaaaaaaaaaabaaac",
        "aaaaaaaaaaaaaaab",
        "0123456789012345678901234567890",
    ];

    #[test]
    fn it_matches_what_the_crate_regex_matches() {
        let mut matches = 0;
        for source in EXPRESSIONS {
            let own = Expression::new(source).unwrap();
            let known = regex::RegexBuilder::new(source)
                .case_insensitive(true)
                .build()
                .unwrap();
            for text in TEXTS {
                assert_eq!(
                    own.is_match(text),
                    known.is_match(text),
                    "{source} in {text}"
                );
                assert_eq!(
                    own.simulation_alone(text),
                    known.is_match(text),
                    "{source} in {text}"
                );
                matches += usize::from(own.is_match(text));
            }
        }
        assert!(
            matches > 60 && matches < EXPRESSIONS.len() * TEXTS.len() / 2,
            "{matches}"
        );
    }

    #[test]
    fn every_text_that_it_matches_holds_its_literal() {
        let (mut with, mut without) = (0, 0);
        for source in EXPRESSIONS
            .iter()
            .chain(&["bananes?", "“lay", "x{0}banane", "(?:ban)+e"])
        {
            let own = Expression::new(source).unwrap();
            let Some(needle) = own.literal() else {
                continue;
            };
            for text in TEXTS.iter().filter(|text| own.is_match(text)) {
                assert!(needle.is_in(text), "{source} in {text}");
                with += 1;
            }
            without += TEXTS.iter().filter(|text| !needle.is_in(text)).count();
        }
        assert!(with > 6 && without > 100, "{with} {without}");
        let text = |source| literal_of(source).map(|literal| literal.needle.text().to_owned());
        assert_eq!(text("edges [a-z]+ ordered?").as_deref(), Some("edge"));
        assert_eq!(
            text("colours? drift drift").as_deref(),
            Some(" drift drift")
        );
        assert_eq!(text("a (red|green) banana").as_deref(), Some(" banana"));
        assert_eq!(text("(?i)banana"), None);
        // Whoever took an s for two letters would look for it in vain.
        assert_eq!(text("ss"), None);
        let long = Expression::new("ss").unwrap();
        assert!(long.is_match("ſſ") && !Needle::new("ss").is_in("ſſ"));
    }

    #[test]
    fn it_is_refused_in_the_words_of_the_crate_regex() {
        for source in [
            "(",
            "a{2,1}",
            "[z-a]",
            "\\p{Klingon}",
            "*",
            "(?=a)",
            "\\w{5000}",
            "(\\w{100}){100}",
        ] {
            let known = regex::RegexBuilder::new(source)
                .size_limit(MAX_COMPILED)
                .case_insensitive(true)
                .build()
                .unwrap_err();
            assert_eq!(
                Expression::new(source).unwrap_err(),
                known.to_string(),
                "{source}"
            );
        }
    }

    #[test]
    fn a_text_that_the_automaton_gives_up_on_is_still_searched() {
        let word = Expression::new("\\bfar\\b").unwrap();
        let mut states = word.automaton.as_ref().unwrap().create_cache();
        let refused = Input::new("so – far");
        assert!(
            word.automaton
                .as_ref()
                .unwrap()
                .try_search_fwd(&mut states, &refused)
                .is_err()
        );
        assert!(word.is_match("so – far") && !word.is_match("so – farther"));
    }

    impl Expression {
        fn simulation_alone(&self, text: &str) -> bool {
            let mut threads = self.simulation.create_cache();
            self.simulation.is_match(&mut threads, text)
        }
    }
}
