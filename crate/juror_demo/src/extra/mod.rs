//! What a demo suite has besides: another judge's replies, ratings by three people, and MultiBanana's agent loops.
//!
//! The page fetches it when the reader asks for it: the suite itself stays as small as it is. All of it follows from the first
//! judge's replies: the other judge and the people mostly agree with them, and here and there do not.

pub(crate) mod attention;
mod loops;
mod said;
#[cfg(test)]
mod tests;

use std::fmt::Write as _;

use super::json::{Json, object, text};
use super::random::Random;
use super::suite::{Files, indexed};
use said::{Answer, Said};

/// The name that its replies are filed under.
pub(crate) const OTHER: &str = "other-judge";
/// The people who rated.
const RATERS: [&str; 3] = ["rater-1", "rater-2", "rater-3"];

/// The folder of a suite's extra, next to the suite's own.
pub(crate) fn folder(suite: &str) -> String {
    format!("{suite}-extra")
}

/// All files of a suite's extra with their index.
pub(crate) fn files(suite: &str, seed: u64, of: &Files) -> anyhow::Result<Files> {
    let mut files = Files::new();
    let mut said = said::of(suite, of)?;
    let mut journal = String::new();
    if suite == "multibanana" {
        let (made, judged) = loops::files(seed, &mut journal)?;
        files.extend(made);
        said.extend(judged);
    }
    for one in &said {
        let mut random = Random::new(seed, &format!("{OTHER} {suite} {}", one.place()));
        let other = one.answered(|answer| moved(answer, &mut random));
        journal += &record(suite, OTHER, &other)?;
    }
    files.insert(format!("{OTHER}.jsonl"), journal.into_bytes());
    files.insert("ratings.csv".to_owned(), ratings(seed, &said).into_bytes());
    indexed(&format!("Demo · {suite}, extra"), files)
}

/// A reply as a line of a journal.
fn record(suite: &str, judge: &str, said: &Said) -> anyhow::Result<String> {
    let record = object([
        ("format", text("juror-journal/1")),
        ("protocol", text(suite)),
        ("model", text(&said.model)),
        ("sample", text(&said.sample)),
        ("turn", Json::Number(said.turn)),
        ("criterion", text(&said.request)),
        ("judge", text(judge)),
        ("run", Json::Number(1)),
        ("reply", text(said.reply(suite)?)),
    ]);
    Ok(serde_json::to_string(&record)? + "\n")
}

/// Ratings of some samples: each person leaves out some outputs, and each differs from the first judge elsewhere.
fn ratings(seed: u64, said: &[Said]) -> String {
    let mut csv = "sample,turn,model,criterion,rater,score\n".to_owned();
    for one in said.iter().filter(|one| !loops::is_step(&one.model)) {
        if Random::new(seed, &format!("rated {}", one.sample)).below(5) > 2 {
            continue;
        }
        for rater in RATERS {
            let output = format!("{rater} {} {} {}", one.model, one.sample, one.turn);
            if Random::new(seed, &output).below(6) == 0 {
                continue;
            }
            let mut random = Random::new(seed, &format!("{rater} {}", one.place()));
            for answer in &one.answers {
                let (question, score) = (&answer.question, moved(answer, &mut random));
                // Writing to a string cannot fail.
                let _ = writeln!(
                    csv,
                    "{},{},{},{question},{rater},{score}",
                    one.sample, one.turn, one.model
                );
            }
        }
    }
    csv
}

/// The answer of another: mostly the same, here and there a step apart, and now and then plainly another.
fn moved(answer: &Answer, random: &mut Random) -> f64 {
    let steps = answer.steps;
    let at = answer.step();
    let last = steps.len().saturating_sub(1);
    let below = |by: usize| at.saturating_sub(by);
    let is_short = steps.len() <= 3;
    let to = match random.below(20) {
        0 if is_short && at == 0 => 1,
        1.. if is_short => at,
        0..=3 => below(1),
        4..=6 => at + 1,
        7 => below(2),
        // From the upper half far down, from the lower one far up.
        8 if at * 2 > last => below(4),
        8 => at + 4,
        _ => at,
    };
    steps.get(to.min(last)).copied().unwrap_or(answer.value)
}
