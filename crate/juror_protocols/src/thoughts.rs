//! The thoughts of a reasoning model in its reply: where they are, and the reply without them.
//!
//! A draft in them is no verdict. Strict readers refuse a reply whose verdict depends on its thoughts, and say so.

/// Names of the tags around thoughts, without brackets.
const TAGS: [&str; 10] = [
    "think",
    "thinking",
    "thought",
    "thoughts",
    "reasoning",
    "reflection",
    "scratchpad",
    "seed:think",
    "analysis",
    "|thinking|",
];
/// Other marks around thoughts.
const PAIRS: [(&str, &str); 3] = [
    ("[think]", "[/think]"),
    ("<|start_thinking|>", "<|end_thinking|>"),
    ("◁think▷", "◁/think▷"),
];
/// What Ollama prints around thoughts; the words at the begin are others' too, so both have to be there.
const PRINTED: (&str, &str) = ("thinking...", "...done thinking.");
/// What every one of these has in it: most replies have none, and are done with.
const WORDS: [&str; 6] = [
    "think",
    "thought",
    "reasoning>",
    "reflection>",
    "scratchpad>",
    "analysis>",
];
/// What precedes each part of a reply in OpenAI's format for open models, and the name of the part.
const CHANNEL: &str = "<|channel|>";
const MESSAGE: &str = "<|message|>";
/// The same format, after a program removed its marks.
const BARE: (&str, &str) = ("analysis", "assistantfinal");

/// A reply, split into thoughts and the rest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Thoughts {
    /// There are none.
    None,
    /// The reply without them.
    Aside(String),
    /// The reply ends within them.
    Unfinished,
}

/// Splits a reply.
///
/// # Example
/// ```
/// use juror_protocols::thoughts::{Thoughts, of};
/// assert_eq!(of("{\"score\": 9}"), Thoughts::None);
/// assert_eq!(of("<think>4?</think>9"), Thoughts::Aside("9".to_owned()));
/// assert_eq!(of("<think>4?"), Thoughts::Unfinished);
/// ```
pub fn of(reply: &str) -> Thoughts {
    let is_printed = holds_printed(reply);
    let is_marked = has_mark(reply) || reply.trim_start().starts_with(BARE.0);
    if !is_marked && !is_printed {
        return Thoughts::None;
    }
    let mut text = reply.to_owned();
    let Some(mut is_changed) = keep_final(&mut text) else {
        return Thoughts::Unfinished;
    };
    // Only what ASCII is lowered, so that places stay.
    let mut low = text.to_ascii_lowercase();
    if !is_changed && !WORDS.iter().any(|word| low.contains(word)) {
        return Thoughts::None;
    }
    let tags = TAGS.map(|tag| (format!("<{tag}>"), format!("</{tag}>")));
    let pairs = PAIRS.map(|(open, close)| (open.to_owned(), close.to_owned()));
    let printed = is_printed.then(|| (PRINTED.0.to_owned(), PRINTED.1.to_owned()));
    for (open, close) in tags.iter().chain(&pairs).chain(&printed) {
        loop {
            let mut begins = low.match_indices(open.as_str()).map(|(at, _)| at);
            let begin = begins.find(|at| is_at_line_start(&text, *at));
            let end = match begin {
                Some(begin) => low[begin..].find(close.as_str()).map(|at| begin + at),
                None => low.rfind(close.as_str()),
            };
            match (begin, end) {
                (None, None) => break,
                (Some(_), None) => return Thoughts::Unfinished,
                (begin, Some(end)) => {
                    // The opening mark of a lone closing one was part of the request.
                    let begin = begin.or_else(|| low[..end].rfind(open.as_str()));
                    text.replace_range(begin.unwrap_or(0)..end + close.len(), "");
                    low = text.to_ascii_lowercase();
                    is_changed = true;
                }
            }
        }
    }
    if is_changed {
        Thoughts::Aside(text)
    } else {
        Thoughts::None
    }
}

/// Whether a reply has anything that the mark of a thought begins with. Every reply is asked, and most have none.
fn has_mark(reply: &str) -> bool {
    const OTHER: char = '◁';
    let mut first = [0; 4];
    OTHER.encode_utf8(&mut first);
    let mut places = memchr::memchr3_iter(b'<', b'[', first[0], reply.as_bytes());
    places.any(|at| reply[at..].starts_with(['<', '[', OTHER]))
}

/// Whether a reply holds thoughts as Ollama prints them.
fn holds_printed(reply: &str) -> bool {
    // Few replies have three dots in a row, so few are lowered for this.
    let bytes = reply.as_bytes();
    memchr::memchr_iter(b'.', bytes).any(|at| bytes[at..].starts_with(b"...")) && {
        let low = reply.to_ascii_lowercase();
        let open = low.find(PRINTED.0);
        let close = low.find(PRINTED.1);
        open.is_some_and(|open| {
            is_at_line_start(reply, open) && close.is_some_and(|close| open < close)
        })
    }
}

/// Whether nothing but white space precedes a place in its line.
fn is_at_line_start(text: &str, at: usize) -> bool {
    let before = text[..at].trim_end_matches([' ', '\t']);
    before.is_empty() || before.ends_with('\n') || before.ends_with('>')
}

/// Keeps the final parts of a reply in channels, and says whether it has any; `None` where no part is final.
fn keep_final(text: &mut String) -> Option<bool> {
    if text.contains(CHANNEL) {
        let parts = text.split(CHANNEL).skip(1);
        let finals = parts.filter_map(|part| {
            let (name, message) = part.split_once(MESSAGE)?;
            let ends = ["<|end|>", "<|start|>", "<|return|>"].iter();
            let end = ends.filter_map(|mark| message.find(mark)).min();
            let is_final = name.trim_start().starts_with("final");
            is_final.then(|| &message[..end.unwrap_or(message.len())])
        });
        let finals = finals.collect::<Vec<_>>().join("\n");
        if finals.is_empty() {
            return None;
        }
        *text = finals;
        return Some(true);
    }
    let rest = text.trim_start().strip_prefix(BARE.0).unwrap_or_default();
    // A capital follows the word without a space: no sentence begins like this.
    let is_bare = rest.starts_with(char::is_uppercase);
    let Some(at) = rest.rfind(BARE.1).filter(|_| is_bare) else {
        return Some(false);
    };
    *text = rest[at + BARE.1.len()..].to_owned();
    Some(true)
}

/// What a refusal says where the reply holds thoughts, before what else it says.
pub(crate) fn told(reply: &str, detail: String) -> String {
    let where_they_are = match of(reply) {
        Thoughts::None => return detail,
        Thoughts::Aside(_) => "The thoughts of a reasoning model are in the reply.",
        Thoughts::Unfinished => {
            "The reply ends within the thoughts of a reasoning model; ask again with a higher limit of tokens."
        }
    };
    format!("{where_they_are} {MEND} {detail}")
}

const MEND: &str = "Choose the tolerant reading (--reading tolerant), which sets them aside, or ask the service to send them apart from the answer.";

/// The numbers of a strict reader, unless they depend on the thoughts in the reply.
pub(crate) fn apart<T: AsRef<[f64]>, E>(
    reply: &str,
    read: impl Fn(&str) -> Result<T, E>,
    refuse: impl FnOnce(String) -> E,
) -> Result<T, E> {
    let found = read(reply)?;
    let same = |other: &T| {
        let bits = |numbers: &T| {
            numbers
                .as_ref()
                .iter()
                .map(|x| x.to_bits())
                .collect::<Vec<_>>()
        };
        bits(other) == bits(&found)
    };
    let is_apart = match of(reply) {
        Thoughts::None => true,
        Thoughts::Aside(text) => read(&text).is_ok_and(|other| same(&other)),
        Thoughts::Unfinished => false,
    };
    if is_apart {
        return Ok(found);
    }
    Err(refuse(
        "What could be read is part of the thoughts, not the verdict.".to_owned(),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thoughts_are_set_aside_in_every_form_that_services_write() {
        for (reply, rest) in [
            ("<think>4</think>9", "9"),
            ("<THINK>4</THINK>9", "9"),
            ("4, then 9.\n</think>\n9", "\n9"),
            ("<think>a</think><think>b</think>9", "9"),
            ("<think>close with </think> later </think>9", "9"),
            ("<think>a</think>3<think>b</think>9", "39"),
            ("<thinking>4</thinking>\n9", "\n9"),
            ("<reasoning>4</reasoning>9", "9"),
            ("[THINK]4[/THINK]9", "9"),
            ("◁think▷4◁/think▷9", "9"),
            (
                "<|channel|>analysis<|message|>4<|end|><|start|>assistant<|channel|>final<|message|>9<|return|>",
                "9",
            ),
            ("analysisThe lamp is lit.assistantfinal9", "9"),
            ("Thinking...\n4?\n...done thinking.\n\n9", "\n\n9"),
        ] {
            assert_eq!(of(reply), Thoughts::Aside(rest.to_owned()), "{reply}");
        }
    }

    #[test]
    fn words_about_thoughts_are_no_thoughts_and_unfinished_ones_are_told() {
        for reply in [
            "9",
            "I wrote <think> in the middle.",
            "analysis of the lamp: assistantfinal",
            "a < b, [1]",
            "Thinking... the lamp is lit: 9",
            "9 ...done thinking.",
        ] {
            assert_eq!(of(reply), Thoughts::None, "{reply}");
        }
        for reply in [
            "<think>4",
            "<think>a</think><think>b",
            "<|channel|>analysis<|message|>4",
        ] {
            assert_eq!(of(reply), Thoughts::Unfinished, "{reply}");
        }
    }
}
