//! Labelled replies of many shapes: each with one clear verdict is read, and every other one is refused.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use super::*;
use crate::declared::Declared;
use crate::micon::Micon;
use crate::multibanana::MultiBanana;
use crate::multiref::MultiRef;
use crate::vibe::{Metric, Vibe};
use crate::weave::Weave;
use std::cell::Cell;

/// The numbers of a reply by the strict reader, else by the tolerant one, with its allowances.
fn reading(
    protocol: &dyn Reading,
    (sample, request): (Option<&Sample>, &str),
    reply: &str,
) -> Option<(Vec<f64>, Allowances)> {
    let floats = |read: &Read| {
        let bits = numbers(read).ok()?;
        Some(bits.into_iter().map(f64::from_bits).collect::<Vec<_>>())
    };
    if let Some(numbers) = floats(&protocol.read(sample, request, reply)) {
        return Some((numbers, Allowances::new()));
    }
    let found = read(protocol, sample, request, reply).ok()?;
    Some((floats(&found.read)?, found.cleaned.allowances))
}

/// A question with its labels, as a template fills them.
struct RequestCase<'a> {
    protocol: &'a dyn Reading,
    sample: Option<Sample>,
    request: &'static str,
    labels: Vec<&'static str>,
    high: u32,
}

impl RequestCase<'_> {
    fn read(&self, reply: &str) -> Option<(Vec<f64>, Allowances)> {
        reading(self.protocol, (self.sample.as_ref(), self.request), reply)
    }

    /// Numbers on the scale, the highest one last.
    fn values(&self, shift: u32) -> Vec<u32> {
        let at = |at: usize| {
            let at = u32::try_from(at).unwrap_or(0);
            if at + 1 == u32::try_from(self.labels.len()).unwrap_or(0) {
                self.high
            } else if self.high == 1 {
                (at + shift) % 2
            } else {
                1 + (at + shift) % self.high
            }
        };
        (0..self.labels.len()).map(at).collect()
    }

    /// Every label in a line made by `line`.
    fn lines(&self, values: &[u32], line: impl Fn(&str, u32) -> String) -> String {
        let lines = self.labels.iter().zip(values);
        let lines = lines.map(|(label, value)| line(label, *value));
        lines.collect::<Vec<_>>().join("\n")
    }
}

fn sample_of(domain: &str) -> Sample {
    Sample {
        id: "1".to_owned(),
        domain: domain.to_owned(),
        category: "".into(),
        tags: Vec::new(),
        details: Vec::new(),
        pictures: Vec::new(),
        turns: Vec::new(),
    }
}

fn declared(form: &str) -> Declared {
    let text = format!(
        r#"{{"format": "juror-protocol/1", "id": "x", "title": "X", "samples": [],
        "criteria": [{{"id": "fit", "label": "Fit", "range": [1, 10], "integer": true}},
            {{"id": "look", "label": "Look", "range": [1, 10], "integer": true}}],
        "requests": [{{"id": "judge", "reply": {{"form": "{form}"}}}}]}}"#
    );
    crate::declared::of_text(&text)
}

/// What asks for lines of five labels or two, and what asks for objects.
fn with_each(run: impl Fn(&RequestCase<'_>)) {
    let (lines, object) = (declared("lines"), declared("json"));
    let asked = |protocol, request, labels: &[&'static str], high| RequestCase {
        protocol,
        sample: None,
        request,
        labels: labels.to_vec(),
        high,
    };
    run(&asked(
        &MultiBanana,
        "judge",
        &crate::multibanana::LABELS,
        10,
    ));
    run(&asked(&Weave, "key_point", &["score"], 10));
    run(&asked(&Weave, "accuracy", &["score"], 10));
    run(&asked(
        &MultiRef,
        crate::multiref::REQUEST,
        &["IQ", "IF", "SF"],
        5,
    ));
    run(&asked(&Micon, crate::micon::CANDIDATE, &["score"], 10));
    run(&asked(&lines, "judge", &["fit", "look"], 10));
    run(&asked(&object, "judge", &["fit", "look"], 10));
}

/// A reply, and what makes it readable.
type Clear = (String, &'static [Allowance]);

/// Replies of labelled lines that mean exactly these numbers.
fn clear_lines(asked: &RequestCase<'_>, values: &[u32]) -> Vec<Clear> {
    [marked_lines, worded_lines, tables, wrapped_lines]
        .into_iter()
        .flat_map(|lines| lines(asked, values))
        .collect()
}

/// Labels and numbers between marks.
fn marked_lines(asked: &RequestCase<'_>, values: &[u32]) -> Vec<Clear> {
    use Allowance as A;
    let high = asked.high;
    let lines = |line: &dyn Fn(&str, u32) -> String| asked.lines(values, line);
    let wide = |value: u32| {
        let digits = value.to_string();
        let wide = digits
            .chars()
            .map(|c| char::from_u32(u32::from(c) + 0xfee0).unwrap_or(c));
        wide.collect::<String>()
    };
    vec![
        (lines(&|l, v| format!("**{l}:** {v}")), &[A::Bold]),
        (lines(&|l, v| format!("**{l}**: {v}")), &[A::Bold]),
        (lines(&|l, v| format!("**{l}: {v}**")), &[A::Bold]),
        (lines(&|l, v| format!("{l}: **{v}**")), &[A::Bold]),
        (lines(&|l, v| format!("*{l}*: `{v}`")), &[A::Bold]),
        (lines(&|l, v| format!("- {l}: {v}")), &[A::Bullets]),
        (lines(&|l, v| format!("* {l}: {v}")), &[A::Bullets]),
        (lines(&|l, v| format!("• {l}: {v}")), &[A::Bullets]),
        (
            lines(&|l, v| format!("2. **{l}**: {v}")),
            &[A::Bullets, A::Bold],
        ),
        (
            lines(&|l, v| format!("- **{l}**: {v}/{high}")),
            &[A::Bullets, A::OutOf],
        ),
        (lines(&|l, v| format!("### {l}: {v}")), &[A::Headings]),
        (lines(&|l, v| format!("### {l}\n{v}")), &[A::Headings]),
        (
            lines(&|l, v| format!("### {l}\nThe lamp is lit.\nScore: {v}")),
            &[A::Headings],
        ),
        (
            lines(&|l, v| format!("**{l}**\nRating: {v}/{high}\n")),
            &[A::OutOf],
        ),
        (lines(&|l, v| format!("**{l}**: {v} / {high}")), &[A::OutOf]),
        (
            lines(&|l, v| format!("{l} = {v} out of {high}")),
            &[A::OutOf],
        ),
        (
            lines(&|l, v| format!("{l}: {v} (out of {high})")),
            &[A::OutOf],
        ),
        (lines(&|l, v| format!("{l}：{}", wide(v))), &[A::FullWidth]),
        (lines(&|l, v| format!("{l}: [{v}]")), &[A::Quotes]),
        (lines(&|l, v| format!("{l}: \"{v}\"")), &[A::Quotes]),
    ]
}

/// Labels and numbers among words.
fn worded_lines(asked: &RequestCase<'_>, values: &[u32]) -> Vec<Clear> {
    use Allowance as A;
    let high = asked.high;
    let lines = |line: &dyn Fn(&str, u32) -> String| asked.lines(values, line);
    let one = asked.labels.iter().zip(values);
    let one: Vec<String> = one
        .map(|(label, value)| format!("{label}: {value}"))
        .collect();
    vec![
        (
            lines(&|l, v| format!("{l}: {v} - the lamp is lit")),
            &[A::Explanations],
        ),
        (
            lines(&|l, v| format!("{l}: {v} (all there)")),
            &[A::Explanations],
        ),
        (
            lines(&|l, v| format!("{l}: {v}, no blur or seams")),
            &[A::Explanations],
        ),
        (
            lines(&|l, v| format!("{l}: {v} - one lamp of image 2 is lit")),
            &[A::Explanations],
        ),
        (lines(&|l, v| format!("{l}: {v} ✓")), &[]),
        (lines(&|l, v| format!("{l} .......... {v}")), &[]),
        (lines(&|l, v| format!("{l} -> {v}")), &[]),
        (
            lines(&|l, v| format!("**{l}**: The lamp is lit. Score: {v}/{high}")),
            &[A::OutOf],
        ),
        (
            lines(&|l, v| format!("- **{l}**\n  - Score: {v}\n  - Reason: lit")),
            &[],
        ),
        (one.join(" "), &[]),
        (lines(&|l, v| format!("{}: {v}", l.to_uppercase())), &[]),
        (lines(&|l, v| format!("{l} Score: {v}")), &[]),
    ]
}

/// Labels and numbers in tables, and in one line.
fn tables(asked: &RequestCase<'_>, values: &[u32]) -> Vec<Clear> {
    use Allowance as A;
    let high = asked.high;
    let lines = |line: &dyn Fn(&str, u32) -> String| asked.lines(values, line);
    let cells: Vec<String> = values.iter().map(u32::to_string).collect();
    let one = asked.labels.iter().zip(values);
    let one: Vec<String> = one
        .map(|(label, value)| format!("{label}: {value}"))
        .collect();
    let rule = vec!["---"; asked.labels.len()].join("|");
    vec![
        (lines(&|l, v| format!("| {l} | {v} |")), &[A::Tables]),
        (
            format!(
                "| Criterion | Score | Why |\n|---|---|---|\n{}",
                lines(&|l, v| format!("| **{l}** | {v}/{high} | 2 lamps |"))
            ),
            &[A::Tables],
        ),
        (
            format!(
                "| Criterion | Max | Score |\n|:--|--:|--:|\n{}",
                lines(&|l, v| format!("| {l} | {high} | {v} |"))
            ),
            &[A::Tables],
        ),
        (
            format!(
                "| {} |\n|{rule}|\n| {} |",
                asked.labels.join(" | "),
                cells.join(" | ")
            ),
            &[A::Tables],
        ),
        (format!("Scores: {}", one.join(", ")), &[]),
        (format!("**{}**", one.join(" | ")), &[]),
    ]
}

/// Labels and numbers behind thoughts, in tags, fences and prose.
fn wrapped_lines(asked: &RequestCase<'_>, values: &[u32]) -> Vec<Clear> {
    use Allowance as A;
    let lines = |line: &dyn Fn(&str, u32) -> String| asked.lines(values, line);
    let plain = lines(&|label, value| format!("{label}: {value}"));
    let draft = asked.lines(&asked.values(1), |label, value| format!("{label}: {value}"));
    vec![
        (
            format!("<think>\n{draft}\nToo harsh.\n</think>\n\n{plain}"),
            &[A::Thoughts],
        ),
        (
            format!("{draft}\nToo harsh.\n</think>\n{plain}"),
            &[A::Thoughts],
        ),
        (
            format!("<thinking>{draft}\n</thinking>\n{plain}"),
            &[A::Thoughts],
        ),
        (
            format!("<reasoning>\n{draft}</reasoning><answer>{plain}</answer>"),
            &[A::Thoughts, A::AnswerTags],
        ),
        (
            format!(
                "<|channel|>analysis<|message|>{draft}<|end|><|start|>assistant<|channel|>final<|message|>{plain}"
            ),
            &[A::Thoughts],
        ),
        (
            format!("<|begin_of_box|>{plain}<|end_of_box|>"),
            &[A::AnswerTags],
        ),
        (
            format!(
                "The lamp is lit.\n\n{}\n\nI hope this helps.",
                lines(&|l, v| format!("**{l}**: {v}"))
            ),
            &[A::Bold],
        ),
        (
            format!("Here:\n```\n{}\n```", lines(&|l, v| format!("- {l}: {v}"))),
            &[A::Bullets],
        ),
        (
            format!("{0}\n---\n{0}", lines(&|l, v| format!("**{l}**: {v}"))),
            &[A::Bold],
        ),
    ]
}

/// Replies of labelled lines that mean no numbers, or two.
fn unclear_lines(asked: &RequestCase<'_>, values: &[u32]) -> Vec<String> {
    let high = asked.high;
    let last = asked.labels.len() - 1;
    let but_last = |text: &str| {
        let lines = asked.labels.iter().zip(values).enumerate();
        let lines = lines.map(|(at, (label, value))| match at {
            _ if at == last => text.replace("{l}", label),
            _ => format!("**{label}**: {value}"),
        });
        lines.collect::<Vec<_>>().join("\n")
    };
    let bold = asked.lines(values, |l, v| format!("**{l}**: {v}"));
    let other = asked.lines(
        &asked.values(0).iter().map(|v| v - 1).collect::<Vec<_>>(),
        |l, v| format!("- {l}: {v}"),
    );
    let mut all: Vec<String> = [
        "",
        "**{l}**:",
        "**{l}**: good",
        "**{l}**: 3-4",
        "**{l}**: 3 or 4",
        "**{l}**: 3 – 4",
        "**{l}**: between 3 and 4",
        "**{l}**: about 4",
        "**{l}**: ~4",
        "**{l}**: 4 → 3",
        "**{l}**: 4 (or 3)",
        "**{l}**: 4, maybe 3",
        "**{l}**: 4/7",
        "**{l}**: 4/",
        "**{l}**: N/A",
        "**{l}**: 4+",
        "**{l}**: 4?",
        "**{l}**: 4 - actually 3",
        "**{l}**: 4 - was lower",
        "**{l}**: 4, or three",
        "**{l}**: lit. Score: 3 or 4",
        "**{l}**: lit. Score: 3. Score: 4",
        "**{l}**: 99",
        "**{l}**: -1",
        "**{l}**: 2.25",
        "**{l}**: four",
        "**{l}**: 4%",
        "**{l}**: 4\n**{l}**: 3",
        "- {l}: 4\n- {l}: changed my mind, 3",
        "| {l} | 4 | 3 |",
        "~~{l}: 4~~",
        "**{l}**: ~~4~~ 3",
        "### {l}\nScore: 4\nScore: 3",
        "**{l}**: 4 (perhaps three)",
    ]
    .map(but_last)
    .to_vec();
    all.push(format!("{bold}\n\nFinal:\n{other}"));
    all.push(format!("<think>{bold}"));
    all.push(format!("<think>\n{bold}\n</think>\n"));
    all.push(format!("<think>a</think>{bold}\n{other}"));
    all.push(format!("<|channel|>analysis<|message|>{bold}"));
    all.push(asked.lines(values, |l, v| format!("**{l}**: {v}/{}", high + 2)));
    all.push("The picture is fine.".to_owned());
    all.push(format!("{bold}\n{{\"{}\": 99", asked.labels[0]));
    all
}

#[test]
fn every_reply_of_labelled_lines_with_one_clear_verdict_is_read() {
    let number = Cell::new(0);
    with_each(|asked| {
        for shift in [0, 3] {
            let values = asked.values(shift);
            let wanted: Vec<f64> = values.iter().copied().map(f64::from).collect();
            for (reply, allowances) in clear_lines(asked, &values) {
                check_clear(asked, &reply, &wanted, allowances);
                number.set(number.get() + 1);
            }
        }
    });
    assert!(number.get() > 500, "{}", number.get());
}

/// A clear reply reads as what it says, and what made it so is named.
fn check_clear(asked: &RequestCase<'_>, reply: &str, wanted: &[f64], allowances: &[Allowance]) {
    let Some((found, used)) = asked.read(reply) else {
        panic!("{} refuses:\n{reply}", asked.request);
    };
    let start = &found[..wanted.len().min(found.len())];
    assert_eq!(start, wanted, "{reply}");
    let is_named = allowances.iter().all(|one| used.contains(one)) || used.is_empty();
    assert!(is_named, "{used:?} instead of {allowances:?}:\n{reply}");
}

/// What asks for objects: of numbers, of objects with a score, of checkpoints.
fn with_each_object(run: impl Fn(&RequestCase<'_>, fn(&str, &str) -> String)) {
    let object = declared("json");
    let asked = |protocol, request, labels: &[&'static str], high| RequestCase {
        protocol,
        sample: None,
        request,
        labels: labels.to_vec(),
        high,
    };
    let flat: fn(&str, &str) -> String = |key, value| format!("\"{key}\": {value}");
    let nested: fn(&str, &str) -> String =
        |key, value| format!("\"{key}\": {{\"reason\": \"It's {{lit}}\", \"score\": {value}}}");
    let pass: fn(&str, &str) -> String = |key, value| format!("\"{key}\": {{\"pass\": {value}}}");
    run(&asked(&Weave, "image_quality", &["score"], 10), flat);
    run(
        &asked(&MultiRef, crate::multiref::REQUEST, &["IQ", "IF", "SF"], 5),
        flat,
    );
    run(
        &asked(&Micon, crate::micon::CANDIDATE, &["score"], 10),
        flat,
    );
    run(&asked(&object, "judge", &["fit", "look"], 10), flat);
    run(
        &asked(&MultiBanana, "judge", &crate::multibanana::LABELS, 10),
        flat,
    );
    for metric in [Metric::VisualCoherence, Metric::Billiards, Metric::BiiCicCp] {
        run(&asked(&Vibe, metric.id(), metric.keys(), 1), nested);
    }
    let task = crate::micon::Task::find("object_composition").unwrap();
    let ids = task
        .checkpoints()
        .map(|(at, _)| crate::micon::CHECKPOINT_IDS[at]);
    let mut checkpoints = asked(
        &Micon,
        crate::micon::CHECKPOINTS,
        &ids.collect::<Vec<_>>(),
        1,
    );
    checkpoints.sample = Some(sample_of(task.id));
    run(&checkpoints, pass);
}

/// An object with these values.
fn object_of(
    asked: &RequestCase<'_>,
    values: &[String],
    entry: fn(&str, &str) -> String,
) -> String {
    let entries = asked.labels.iter().zip(values);
    let entries = entries.map(|(label, value)| entry(label, value));
    format!(
        "{{{}, \"note\": \"fine\"}}",
        entries.collect::<Vec<_>>().join(", ")
    )
}

/// Objects that mean exactly these numbers.
fn clear_objects(
    asked: &RequestCase<'_>,
    values: &[u32],
    entry: fn(&str, &str) -> String,
) -> Vec<Clear> {
    use Allowance as A;
    let of = |text: &dyn Fn(u32) -> String| {
        let values: Vec<String> = values.iter().map(|value| text(*value)).collect();
        object_of(asked, &values, entry)
    };
    let plain = of(&|value| value.to_string());
    let draft = asked.values(1);
    let draft: Vec<String> = draft
        .iter()
        .map(|value| (asked.high - value.min(&asked.high)).to_string())
        .collect();
    let draft = object_of(asked, &draft, entry);
    let high = asked.high;
    vec![
        (format!("Here is my verdict: {plain}"), &[A::Prose]),
        (format!("{plain}\nI hope this {{helps}}."), &[A::Prose]),
        (
            format!("Sure.\n```json\n{plain}\n```\nDone."),
            &[A::Prose, A::Fences],
        ),
        (format!("```\n{plain}\n```\n```"), &[A::Fences]),
        (
            format!("<think>\n{draft}\n</think>\n{plain}"),
            &[A::Thoughts],
        ),
        (
            format!("{draft} no\n</think>\n```json\n{plain}\n```"),
            &[A::Thoughts],
        ),
        (
            format!("<thinking>Half {{</thinking>{plain}"),
            &[A::Thoughts],
        ),
        (
            format!("<|begin_of_box|>{plain}<|end_of_box|>"),
            &[A::AnswerTags],
        ),
        (
            format!(
                "<|channel|>analysis<|message|>{draft}<|end|><|start|>assistant<|channel|>final<|message|>{plain}"
            ),
            &[A::Thoughts],
        ),
        (
            plain.replace("\"fine\"}", "\"fine\",}"),
            &[A::TrailingCommas],
        ),
        (plain.replace("fine", "two\nlines"), &[A::Syntax]),
        (plain.replace("\"note\"", "note"), &[A::Syntax]),
        (
            plain.replace("\"note\": \"fine\"", "'note': 'fine' /* so */"),
            &[],
        ),
        (plain.replace("\"fine\"", "None"), &[A::Syntax]),
        (plain.replace(':', "："), &[A::FullWidth]),
        (of(&|value| format!("\"{value}\"")), &[A::Quotes]),
        (of(&|value| format!("\"{value}/{high}\"")), &[A::OutOf]),
        (of(&|value| format!("{value}/{high}")), &[A::OutOf]),
        (
            of(&|value| {
                value
                    .to_string()
                    .chars()
                    .map(|c| char::from_u32(u32::from(c) + 0xfee0).unwrap_or(c))
                    .collect()
            }),
            &[A::FullWidth],
        ),
        (format!("{plain}\n\n{plain}"), &[]),
        (format!("[{plain}]"), &[A::Prose]),
        (
            format!("The {{box}} is {{\"note\": \"kept\"}}.\n{plain} "),
            &[],
        ),
    ]
}

#[test]
fn every_object_with_one_clear_verdict_is_read() {
    let number = Cell::new(0);
    with_each_object(|asked, entry| {
        let values = asked.values(0);
        for (reply, allowances) in clear_objects(asked, &values, entry) {
            let wanted: Vec<f64> = values.iter().copied().map(f64::from).collect();
            // Checkpoints stand in an order of their own.
            let wanted = if asked.request == crate::micon::CHECKPOINTS {
                &wanted[..3]
            } else {
                &wanted
            };
            check_clear(asked, &reply, wanted, allowances);
            number.set(number.get() + 1);
        }
    });
    assert!(number.get() > 150, "{}", number.get());
}

#[test]
fn every_object_without_one_clear_verdict_is_refused() {
    with_each_object(|asked, entry| {
        let values = asked.values(0);
        let texts: Vec<String> = values.iter().map(u32::to_string).collect();
        let with_last = |last: &str| {
            let mut texts = texts.clone();
            if let Some(text) = texts.last_mut() {
                last.clone_into(text);
            }
            object_of(asked, &texts, entry)
        };
        let plain = object_of(asked, &texts, entry);
        let other = with_last("0");
        let label = asked.labels[asked.labels.len() - 1];
        let mut cases = vec![
            format!("Draft: {other}\nFinal: {plain}"),
            format!("[{plain}, {other}]"),
            format!("```json\n{plain}\n```\n```json\n{other}\n```"),
            format!("Here: {}", &plain[..plain.len() - 1]),
            format!("Here: {}", &plain[..plain.len() / 2]),
            format!("<think>{plain}"),
            format!("<think>{plain}</think>"),
            format!("<|channel|>analysis<|message|>{plain}"),
            format!("Here: {}", plain.replace(label, "Other")),
            format!("{plain}\n{{\"{label}\": 99"),
            "I cannot judge this.".to_owned(),
            "[1]".to_owned(),
        ];
        for last in [
            "\"good\"",
            "null",
            "\"3-4\"",
            "\"3 or 4\"",
            "[1]",
            "99",
            "-1",
            "\"1/7\"",
            "~1",
            "\"\"",
            "{}",
            "about 1",
        ] {
            cases.push(format!("Here: {}", with_last(last)));
        }
        let twice = entry(label, "0");
        cases.push(format!(
            "Here: {}",
            plain.replacen('{', &format!("{{{twice}, "), 1)
        ));
        if asked.request != crate::micon::CHECKPOINTS {
            cases.push(format!("{plain}\n**{label}**: 0"));
        }
        for reply in cases {
            assert_eq!(asked.read(&reply), None, "{}:\n{reply}", asked.request);
        }
    });
}

#[test]
fn a_limb_and_an_axis_are_read_as_they_are_in_the_object() {
    let read =
        |metric: Metric, reply: &str| reading(&Vibe, (None, metric.id()), reply).map(|read| read.0);
    let pose = "{'Pose_Consistency': {'Left_Arm': 'MATCH', 'Right_Arm': 'MISMATCH', 'Left_Leg': 'MATCH', 'Right_Leg': 'MATCH',}}";
    assert_eq!(
        read(Metric::PoseConsistency, pose).map(|read| read[..4].to_vec()),
        Some(vec![1.0, 0.0, 1.0, 1.0])
    );
    let axis = |needs: &str| format!("{{\"needs_modification\": {needs}, \"score\": \"1\"}}");
    let reply = format!(
        "{{\"Yaw\": {}, \"Pitch\": {}, \"Roll\": {}}}",
        axis("True"),
        axis("False"),
        axis("true")
    );
    assert_eq!(
        read(Metric::OrientationAlignment, &reply).map(|read| read[..6].to_vec()),
        Some(vec![1.0, 1.0, 1.0, 1.0, 0.0, 1.0])
    );
    assert_eq!(
        read(
            Metric::OrientationAlignment,
            &reply.replace("True", "maybe")
        ),
        None
    );
    assert_eq!(
        read(Metric::PoseConsistency, &pose.replace("'MISMATCH'", "'?'")),
        None
    );
}

#[test]
fn every_reply_of_labelled_lines_without_one_clear_verdict_is_refused() {
    with_each(|asked| {
        for reply in unclear_lines(asked, &asked.values(0)) {
            // A candidate's score need not be whole.
            if asked.request == crate::micon::CANDIDATE && reply.contains("2.25") {
                continue;
            }
            assert_eq!(asked.read(&reply), None, "{}:\n{reply}", asked.request);
        }
    });
}

#[test]
fn a_number_that_json_does_not_write_so_is_loose_json() {
    for number in ["08", "+8", "8."] {
        let reply = format!("{{\"score\": {number}, \"reasoning\": \"x\"}}");
        let found = reading(&Weave, (None, "key_point"), &reply);
        let wanted = (vec![8.0], [Allowance::Syntax].into());
        assert_eq!(found, Some(wanted), "{number}");
    }
    let scaled = "{\"score\": 8/10, \"reasoning\": \"x\"}";
    let found = reading(&Weave, (None, "key_point"), scaled);
    assert_eq!(found, Some((vec![8.0], [Allowance::OutOf].into())));
}

#[test]
fn a_reply_that_is_read_for_its_signs_and_line_breaks_says_so() {
    let labels = [
        "Instruction Alignment",
        "Reference Consistency",
        "Background-Subject Match",
        "Physical Realism",
    ];
    let plain = labels.map(|label| format!("{label}: 8\n")).concat();
    let allowances = |last: &str| {
        let reply = format!("Reasoning: ok.\n{plain}{last}");
        let request = (None, "judge");
        reading(&MultiBanana, request, &reply).map(|(_, allowances)| allowances)
    };
    let setting = Some(Allowances::from([Allowance::Setting]));
    assert_eq!(allowances("Visual Quality: +3"), setting);
    assert_eq!(allowances("Visual Quality:\n3"), setting);
    // A criterion with a name is called only by it.
    let bold = Some(Allowances::from([Allowance::Bold]));
    assert_eq!(allowances("**Visual Quality**: 3"), bold);
    assert_eq!(allowances("Visual Quality: 3"), Some(Allowances::new()));
}

#[test]
fn a_stored_object_has_no_words_around_it() {
    let quotes = Some(Allowances::from([Allowance::Quotes]));
    let allowances = |metric: Metric, reply: &str| {
        let found = reading(&Vibe, (None, metric.id()), reply);
        found.map(|(_, allowances)| allowances)
    };
    let single = Metric::ContextualPreservation;
    let several = Metric::InstructionAdherence;
    let parts = several.keys().iter();
    let parts = parts.map(|key| format!(r#""{key}": {{"reason": "r", "score": "1"}}"#));
    let parts = format!("{{{}}}", parts.collect::<Vec<_>>().join(", "));
    for (metric, object) in [
        (single, r#"{"reason": "r", "score": "1"}"#),
        (several, &*parts),
    ] {
        let stored = format!("\"{}\": {object}", metric.id());
        assert_eq!(allowances(metric, &stored), quotes, "{stored}");
    }
    let words = allowances(several, &format!("I see: {parts} So much for that."));
    assert!(words.is_some_and(|words| words.contains(&Allowance::Prose)));
}

#[test]
fn a_number_that_a_later_line_may_take_back_is_no_verdict() {
    let labels = crate::multibanana::LABELS;
    let block = labels.map(|label| format!("**{label}:** 4\n")).concat();
    let read = |reply: &str| super::read(&MultiBanana, None, "judge", reply).is_ok();
    assert!(read(&block));
    assert!(read(&format!(
        "{block}\nVisual Quality: the picture is crisp and its colours are true."
    )));
    for last in [
        "Visual Quality: seven",
        "Visual Quality: N/A",
        "Visual Quality: 八",
        "Visual Quality: ?",
        "Visual Quality: see above",
        "Revised Visual Quality: 7",
        "Visual Quality: I am of two minds here and would rather not say.",
    ] {
        assert!(!read(&format!("{block}{last}\n")), "{last}");
    }
    for number in ["<7", ">7", "(7", "\"7"] {
        assert!(
            !read(&block.replace("** 4", &format!("** {number}"))),
            "{number}"
        );
    }
    assert!(read(&block.replace("** 4", "** (7)")));
}

#[test]
fn an_object_that_later_words_take_back_is_no_verdict() {
    let read = |behind: &str| {
        let reply = format!("{{\"score\": 8, \"reasoning\": \"good\"}}\n{behind}");
        reading(&Weave, (None, "key_point"), &reply).map(|(numbers, _)| numbers)
    };
    for behind in [
        "On reflection, I would lower the score to 5.",
        "Wait, that is too high.",
        "it should be 5.",
        "Correction: 5",
        "Actually 5/10.",
        "The picture is blurred. The score could be 5 too.",
        "I would rate it 5 instead.",
        "Sorry, 5.",
        "I give 5 out of 10",
        "５",
        "7.5/10",
        "5",
    ] {
        assert_eq!(read(behind), None, "{behind}");
    }
    for behind in [
        "I gave 8 since the picture has 3 dogs.",
        "8/10 is fair: the lamp in image 2 was changed to 3 candles instead.",
        "Edit quality is good; 2 of the 3 objects were moved, and 1 is actually blurred.",
        "Score: 8 out of 10.",
        "Thank you!",
        "Revised text is at the top; scores go from 0 to 10.",
    ] {
        assert_eq!(read(behind), Some(vec![8.0]), "{behind}");
    }
    // Words before an object are a draft of it.
    let reply = "First I gave 5. {\"score\": 8, \"reasoning\": \"good\"}";
    assert!(reading(&Weave, (None, "key_point"), reply).is_some());
}

#[test]
fn a_key_in_other_capitals_with_another_value_is_no_verdict() {
    for reply in [
        "{\"score\": 8, \"Score\": 5, \"reasoning\": \"x\"}",
        "{\"Score\": 5, \"score\": 8, \"reasoning\": \"x\"}",
        "Here: {\"SCORE\": 8, \"score\": 5, \"reasoning\": \"x\"}",
    ] {
        assert_eq!(reading(&Weave, (None, "key_point"), reply), None, "{reply}");
    }
    let same = "{\"score\": 8, \"Score\": 8, \"reasoning\": \"x\"}";
    assert!(reading(&Weave, (None, "key_point"), same).is_some());
}
