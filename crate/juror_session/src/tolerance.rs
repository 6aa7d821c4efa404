//! Replies that the strict reading refuses: which of them the tolerant one reads, and by which allowances.
//!
//! Under the tolerant reading they are linked as it reads them, so that every view has the same numbers; under the strict one
//! they are only counted, as an offer. The authors' reading of a reply stays as it is.

use crate::study::Study;
use std::collections::BTreeMap;

use super::linked::{Linked, Source};
use super::state::{Session, Tolerating};
use juror_judging::records::RecordView;
use juror_model::linked::LinkedReply;
use juror_model::options::{Profile, ReplyReading, ScoreOptions};
use juror_model::problem::{Problem, Severity};
use juror_model::reply::{Fault, ParsedReply, Read, Readings};
use juror_model::sample::Sample;
use juror_model::tolerance::{AllowanceCount, Tolerance};
use juror_protocols::thoughts::{self, Thoughts};
use juror_protocols::tolerant::{self, Allowance};
use juror_reading::count::counted;
use juror_statistics::small::SortSmall;

/// What was found of one judge's replies.
#[derive(Debug, Default)]
pub(super) struct OfJudge {
    replies: u32,
    allowances: BTreeMap<Allowance, u32>,
    /// Replies that the authors' code reads within the thoughts of a reasoning model.
    drafts: u32,
}

/// Counts what the tolerant reading reads, and links it so where it is chosen.
fn tolerate(session: &Session, linked: &mut Linked) {
    let protocol = &*session.loader.protocol;
    let benchmark = std::sync::Arc::clone(&linked.benchmark);
    let mut found: BTreeMap<String, OfJudge> = BTreeMap::new();
    for at in 0..linked.models.len() {
        let mut changed = Vec::new();
        for (position, given) in linked.models[at].given.iter().enumerate() {
            let model = &linked.models[at];
            let Some(raw) = raw(session, linked, given) else {
                continue;
            };
            let request = &*model.criteria[usize::from(given.criterion)];
            let sample = given.sample.get();
            let sample = sample.and_then(|at| benchmark.samples.get(at as usize));
            let judge = &model.judges[usize::from(given.judge)];
            if given.readings.released().is_ok() && reads_draft(session, sample, request, raw) {
                found.entry(judge.clone()).or_default().drafts += 1;
            }
            let is_refused = matches!(
                given.readings.paper(),
                Err(Fault::Unparsable | Fault::OutOfRange)
            );
            // No allowance chooses between the two values of a key.
            if !is_refused || is_repeated(session, linked, given) {
                continue;
            }
            if let Ok(tolerated) = tolerant::read(protocol, sample, request, raw) {
                let own = found.entry(judge.clone()).or_default();
                own.replies += 1;
                for allowance in &tolerated.cleaned.allowances {
                    *own.allowances.entry(*allowance).or_default() += 1;
                }
                changed.push((position, tolerated.read));
            }
        }
        if session.data.reading == ReplyReading::Tolerant {
            for (position, read) in changed {
                take(linked, at, position, read);
            }
        }
    }
    linked.tolerated = found;
}

/// Puts the tolerant reading in the place of the strict one.
fn take(linked: &mut Linked, model: usize, position: usize, read: Read) {
    use std::sync::Arc;
    let model = &mut linked.models[model];
    let Some(given) = Arc::make_mut(&mut model.given).get_mut(position) else {
        return;
    };
    match read {
        Read::One(readings) => {
            // One place holds the number of both readings; the authors' is not asked for under this one.
            let released = given.readings.released();
            let is_one = released.is_err() || released == readings.paper();
            let released = if is_one {
                released
            } else {
                readings.released()
            };
            given.readings = Readings::new(readings.paper(), released);
        }
        Read::Several(tolerated) => {
            let verdicts = Arc::make_mut(&mut model.verdicts);
            let verdict = given.verdict.get();
            if let Some(verdict) = verdict.and_then(|at| verdicts.get_mut(at as usize)) {
                verdict.paper = tolerated.paper;
                given.readings = verdict.readings();
            }
        }
    }
}

/// Whether the authors' code reads another verdict than it would without the thoughts in a reply.
fn reads_draft(session: &Session, sample: Option<&Sample>, request: &str, raw: &str) -> bool {
    let read = |text: &str| match session.loader.protocol.read(sample, request, text) {
        Read::One(readings) => readings.released().map(|x| vec![x.to_bits()]),
        Read::Several(verdict) => {
            let bits = |numbers: &[f64]| numbers.iter().map(|x| x.to_bits()).collect();
            verdict.of(Profile::Released).map(bits)
        }
    };
    match thoughts::of(raw) {
        Thoughts::None => false,
        Thoughts::Unfinished => read(raw).is_ok(),
        Thoughts::Aside(text) => read(raw).is_ok_and(|found| read(&text) != Ok(found)),
    }
}

/// Whether a stored reply's file gives a key of it twice.
fn is_repeated(session: &Session, linked: &Linked, given: &LinkedReply) -> bool {
    let (source, position) = given.origin;
    let Some(Source::Replies(file)) = linked.sources.get(source as usize) else {
        return false;
    };
    let replies = session.loader.read.replies.get(file);
    replies.is_some_and(|replies| replies.repeated.contains_key(&position))
}

/// The text of a reply that a judge wrote; `None` for one that is made of others.
fn raw<'a>(session: &'a Session, linked: &Linked, given: &LinkedReply) -> Option<&'a str> {
    let position = given.origin.1 as usize;
    match linked.sources.get(given.origin.0 as usize)? {
        Source::Replies(file) => {
            let replies = session.loader.read.replies.get(file)?;
            let raw = &replies.replies.get(position)?.raw;
            replies.text.get(raw.start as usize..raw.end as usize)
        }
        Source::Journal(file) => {
            let (_, journal) = session.loader.read.journals.get(file)?;
            journal.records.get(position).map(RecordView::text)
        }
        Source::Pasted => {
            let record = session.data.pasted.get(position);
            record.map(|record| record.view().text())
        }
        Source::Rated => None,
    }
}

/// Replies that the strict reading refuses and the tolerant one reads, by judge, whichever of the two is chosen.
pub fn tolerance(study: &Study<'_>) -> Vec<Tolerance> {
    (study.tolerating.counts)(study)
}

/// Reads replies like this from here on, until options say otherwise.
pub fn set_reading(session: &mut Session, reading: ReplyReading) {
    session.read_as(&ScoreOptions {
        reading,
        ..ScoreOptions::default()
    });
}

impl Session {
    /// Reads replies as the options say from here on. Under the authors' reading it stays as it was: nothing strict counts there.
    pub(super) fn read_as(&mut self, options: &ScoreOptions) {
        if options.profile == Profile::Paper && self.data.reading != options.reading {
            self.data.reading = options.reading;
            self.data.cache.relink();
        }
    }

    /// One raw reply by the reader of a profile as it is chosen, and the allowances that it took.
    pub(super) fn parse_as_chosen(
        &self,
        sample: Option<&Sample>,
        request: &str,
        profile: Profile,
        raw: &str,
    ) -> (ParsedReply, Vec<String>) {
        let protocol = &*self.loader.protocol;
        let strict = protocol.parse(sample, request, profile, raw);
        let is_tolerant = profile == Profile::Paper && self.data.reading == ReplyReading::Tolerant;
        if !is_tolerant || matches!(strict, ParsedReply::Ok { .. }) {
            return (strict, Vec::new());
        }
        (self.tolerating.parse)(protocol, sample, request, raw).unwrap_or((strict, Vec::new()))
    }
}

impl Tolerating {
    /// They are counted, and linked where that is chosen.
    pub(super) const FULL: Self = Self {
        link: tolerate,
        parse: parse_tolerantly,
        counts: tolerances,
        problems: problems_of_reading,
    };
}

/// What the tolerant reading reads beyond the strict one, by judge.
fn tolerances(session: &Session) -> Vec<Tolerance> {
    let linked = session.data.cache.linked.as_ref();
    let found = linked.into_iter().flat_map(|linked| &linked.tolerated);
    let found = found.filter(|(_, of)| of.replies > 0);
    let tolerance = |(judge, of): (&String, &OfJudge)| {
        let mut allowances: Vec<AllowanceCount> = Vec::new();
        for (allowance, replies) in &of.allowances {
            allowances.push(AllowanceCount {
                name: allowance.words().to_owned(),
                replies: *replies,
            });
        }
        allowances.sort_small_by(|a, b| b.replies.cmp(&a.replies));
        Tolerance {
            judge: judge.clone(),
            replies: of.replies,
            allowances,
        }
    };
    found.map(tolerance).collect()
}

/// A reply that only the tolerant reading reads, with its allowances in words.
fn parse_tolerantly(
    protocol: &dyn juror_protocols::contract::Protocol,
    sample: Option<&Sample>,
    request: &str,
    raw: &str,
) -> Option<(ParsedReply, Vec<String>)> {
    let found = tolerant::read(protocol, sample, request, raw).ok()?;
    let words = found.cleaned.allowances.iter().map(|one| one.words());
    let read = protocol.parse(sample, request, Profile::Paper, &found.cleaned.text);
    Some((read, words.map(str::to_owned).collect()))
}

/// Findings about means that are NaN or infinite, as the authors' code lets such scores in.
fn endless_means(session: &Session) -> Vec<Problem> {
    let mut models: BTreeMap<&str, u32> = BTreeMap::new();
    let is_endless = |x: f64| !x.is_finite();
    for row in &session.data.scores().rows {
        if row.mean.is_some_and(is_endless) {
            *models.entry(&row.model).or_default() += 1;
        }
    }
    let finding = |(model, means): (&str, u32)| Problem {
        severity: Severity::Error,
        code: "not_a_number".to_owned(),
        path: model.to_owned(),
        place: String::new(),
        message: format!(
            "{} NaN or infinite, as a judge's score is and the authors' code lets it in.",
            counted(means, "mean is", "means are")
        ),
        hint: "Judge those outputs again; the incidents name them.".to_owned(),
    };
    models.into_iter().map(finding).collect()
}

/// Findings about replies that could be read, that were read tolerantly, or whose thoughts the authors' code reads.
fn problems_of_reading(session: &Session) -> Vec<Problem> {
    let finding = |severity, code: &str, judge: &str, message: String, hint: &str| Problem {
        severity,
        code: code.to_owned(),
        path: judge.to_owned(),
        place: String::new(),
        message,
        hint: hint.to_owned(),
    };
    let options = session.data.cache.scores.as_ref();
    let profile = options.map_or(Profile::Paper, |(options, _)| options.profile);
    let mut found = Vec::new();
    if profile == Profile::Released {
        let linked = session.data.cache.linked.as_ref();
        for (judge, of) in linked.into_iter().flat_map(|linked| &linked.tolerated) {
            if of.drafts == 0 {
                continue;
            }
            let replies = counted(of.drafts, "reply is", "replies are");
            found.push(finding(
                Severity::Warning,
                "thoughts_read",
                judge,
                format!(
                    "{replies} read within <think> or the like: the first match of the authors' code is part of the model's thoughts, not its verdict."
                ),
                "Ask the service to send the reasoning apart from the answer, or take the paper's profile with the tolerant reading.",
            ));
        }
        found.extend(endless_means(session));
        return found;
    }
    for tolerance in tolerances(session) {
        let replies = counted(tolerance.replies, "reply is", "replies are");
        let (number, judge) = (tolerance.replies, tolerance.judge_words());
        let noun = if number == 1 { "reply" } else { "replies" };
        let words = tolerance.words();
        found.push(if session.data.reading == ReplyReading::Tolerant {
            finding(
                Severity::Note,
                "read_tolerantly",
                judge,
                format!("{replies} read tolerantly: {words}."),
                "The strict reading refuses them; no allowance chooses between two verdicts.",
            )
        } else {
            finding(
                Severity::Warning,
                "tolerant_offer",
                judge,
                format!("{number} more {noun} can be read: {words}."),
                "Choose the tolerant reading to count them (--reading tolerant).",
            )
        });
    }
    found
}
