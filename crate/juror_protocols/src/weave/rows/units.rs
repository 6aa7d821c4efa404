//! Replies → units: which reply of a request counts, what failed, and what stops the authors' summary.

use super::cells::{Grid, Spot};
use super::groups::Groups;
use crate::resolve::{self, Replies, WithoutOutput};
use crate::weave::score::{Failures, Repeats, Stops, UnknownSamples, WeaveRules};
use crate::weave::{ACC, CRITERIA, IQ, KP, VC};
use juror_model::linked::{LinkedReply, ModelData, World};
use juror_model::options::Profile;
use juror_model::reply::{Fault, Reading};
use juror_model::sample::TurnKind;
use juror_model::score::{JudgeScores, Unit};
use juror_model::submission::Kind;

/// What a model is judged on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Mode {
    pub(super) pictures: bool,
    pub(super) texts: bool,
}

impl Mode {
    /// By what the model answered or was judged on; both if there is nothing to tell by.
    pub(super) fn of(world: &World<'_>, model: &ModelData) -> Self {
        let num_given = |criterion: u16| {
            model
                .num_given
                .get(usize::from(criterion))
                .copied()
                .unwrap_or(0)
        };
        let has_output = |kind: TurnKind| {
            world.benchmark.turns().any(|(slot, _, _, turn)| {
                turn.kind == kind
                    && model
                        .submission
                        .outputs
                        .get(slot as usize)
                        .is_some_and(Option::is_some)
            })
        };
        if let Some(kind) = model.kind {
            return Self {
                pictures: kind != Kind::Texts,
                texts: kind != Kind::Pictures,
            };
        }
        let pictures = [KP, VC, IQ].map(num_given) != [0; 3] || has_output(TurnKind::Image);
        let texts = num_given(ACC) > 0 || has_texts(world, model, pictures);
        let is_unknown = !pictures && !texts;
        Self {
            pictures: pictures || is_unknown,
            texts: texts || is_unknown,
        }
    }

    pub(super) fn id(self) -> &'static str {
        match (self.pictures, self.texts) {
            (true, false) => "img",
            (false, true) => "txt",
            _ => "umm",
        }
    }

    pub(super) fn criteria(self, kind: TurnKind) -> &'static [u16] {
        match kind {
            TurnKind::Image if self.pictures => &[KP, VC, IQ],
            TurnKind::Text if self.texts => &[ACC],
            _ => &[],
        }
    }
}

/// A model of pictures with text answers to fewer than one in so many turns gives none: a stray text is no answer.
const STRAY_ONE_OF: usize = 10;

/// Whether a model gives text answers, by its files.
fn has_texts(world: &World<'_>, model: &ModelData, gives_pictures: bool) -> bool {
    let turns = world.benchmark.turns();
    let turns = turns.filter(|(.., turn)| turn.kind == TurnKind::Text);
    let (mut expected, mut found) = (0, 0);
    for (slot, ..) in turns {
        let output = model.submission.outputs.get(slot as usize);
        expected += 1;
        found += usize::from(output.is_some_and(Option::is_some));
    }
    found > 0 && (!gives_pictures || found * STRAY_ONE_OF >= expected)
}

/// A judge's units with their numbers, and what is counted of them.
pub(super) struct Counted<'a> {
    pub(super) scores: JudgeScores,
    pub(super) grid: Grid<'a>,
}

/// Every unit of a model by one judge, counted by the rules.
pub(super) fn count<'a>(
    world: &World<'_>,
    groups: &'a Groups,
    model: &ModelData,
    mode: Mode,
    judge: u16,
    rules: WeaveRules,
) -> Counted<'a> {
    let num_units = world.benchmark.num_turns() * CRITERIA.len();
    let units = Units::new(world, num_units, (model, judge), rules);
    let mut counted = Counted {
        scores: JudgeScores {
            units: Vec::with_capacity(model.given.len().min(num_units)),
            stopped: units.failed.stopped.clone(),
            ..resolve::scores(model, judge)
        },
        grid: Grid::new(groups, model.criteria.len().max(CRITERIA.len())),
    };
    for (slot, sample, turn_idx, turn) in world.benchmark.turns() {
        let spot = Spot {
            domain: groups.of_sample[sample as usize],
            turn: turn_idx,
            slot: Some(slot),
        };
        let wanted = mode.criteria(turn.kind);
        let mut values = [None; CRITERIA.len()];
        for &criterion in wanted {
            let (unit, source) = units.unit((sample, slot, turn_idx), criterion);
            let value = unit.counted.get();
            let given = unit.given.get();
            counted.scores.units.push(unit);
            counted.grid.expect(spot, criterion, value.is_some());
            values[usize::from(criterion)] = value;
            let Some(value) = value else { continue };
            if source == Source::Reply && rules.counts_by_line() {
                continue;
            }
            counted.grid.push(spot, criterion, value);
            if let Some(given) = given.filter(|_| source == Source::Reply) {
                counted.scores.counted[given as usize] = true;
            }
        }
        if !wanted.is_empty() {
            counted.grid.close_turn(spot, wanted, &values);
        }
    }
    if rules.counts_by_line() {
        units.count_lines(judge, &mut counted);
    }
    counted
}

/// Where a unit's number comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Source {
    Reply,
    Rule,
}

/// The replies to each turn's criteria, by the rules.
struct Units<'a> {
    model: &'a ModelData,
    rules: WeaveRules,
    replies: Replies,
    failed: Failed,
}

/// What replies do that the authors' code cannot make a number of.
struct Failed {
    /// Why the authors' summary stops, if it does.
    stopped: Option<String>,
    /// Per sample: whether an unreadable reply takes the dialogue along.
    is_dropped: Vec<bool>,
}

impl Failed {
    fn note(&mut self, rules: WeaveRules, given: &LinkedReply) {
        let Err(fault) = given.readings.released() else {
            return;
        };
        match fault {
            Fault::Undecodable if rules.stops == Stops::NoResult => {
                self.stopped = Some(
                    "The authors' summary stops at bytes that are not UTF-8 (UnicodeDecodeError) and writes no result."
                        .to_owned(),
                );
            }
            Fault::Stops if rules.stops == Stops::NoResult && self.stopped.is_none() => {
                self.stopped = Some(format!(
                    "The authors' summary stops at a score that it cannot add up (key \"turn {}\", line {}) and writes no result.",
                    given
                        .turn
                        .get()
                        .map_or_else(|| "?".to_owned(), |turn| turn.to_string()),
                    given.line
                ));
            }
            Fault::Unparsable | Fault::FailedCall if rules.failures == Failures::Dialogue => {
                if let Some(sample) = given.sample.get() {
                    self.is_dropped[sample as usize] = true;
                }
            }
            _ => {}
        }
    }
}

impl<'a> Units<'a> {
    fn new(
        world: &World<'_>,
        num_units: usize,
        (model, judge): (&'a ModelData, u16),
        rules: WeaveRules,
    ) -> Self {
        let mut failed = Failed {
            stopped: None,
            is_dropped: vec![false; world.benchmark.samples.len()],
        };
        let replies = Replies::new(model, judge, num_units, |given| {
            failed.note(rules, given);
            unit_of(given)
        });
        Self {
            model,
            rules,
            replies,
            failed,
        }
    }

    fn reading(&self, given: u32) -> Reading {
        self.rules.reading(&self.model.given[given as usize])
    }

    /// The reply that counts.
    fn chosen(&self, replies: &[u32]) -> Option<u32> {
        resolve::chosen(replies, |given| self.reading(given).is_ok())
    }

    /// The mean of the replies that count: of each run's first readable one, or of all readable ones.
    fn mean(&self, replies: &[u32]) -> Option<f64> {
        let given = &self.model.given;
        let (mut sum, mut count) = (0.0, 0u32);
        let mut runs = Vec::new();
        for &reply in replies {
            let Ok(value) = self.reading(reply) else {
                continue;
            };
            if self.rules.repeats == Repeats::Once && replies.len() > 1 {
                let run = given[reply as usize].run;
                let is_repeat = count > 0 && (!self.model.has_runs || runs.contains(&run));
                if is_repeat {
                    continue;
                }
                runs.push(run);
            }
            sum += value;
            count += 1;
        }
        (count > 0).then(|| sum / f64::from(count))
    }

    /// What became of one expected unit.
    fn unit(&self, (sample, slot, turn): (u32, u32, u32), criterion: u16) -> (Unit, Source) {
        let replies = self.replies.of(place(slot, criterion));
        let (given, judged) = match replies {
            // As nearly all are.
            [only] => (Some(*only), self.reading(*only).ok()),
            several => (self.chosen(several), self.mean(several)),
        };
        let run = given.map_or(1, |at| self.model.given[at as usize].run);
        let of_output = resolve::output(self.model, slot).incident();
        let without = of_output.map(|kind| resolve::without_output(kind, self.rules.outputs));
        let (counted, source) = match without {
            Some(WithoutOutput::LeftOut) => (None, Source::Rule),
            Some(WithoutOutput::Lowest) => (Some(0.0), Source::Rule),
            Some(WithoutOutput::AsJudged) | None if self.failed.is_dropped[sample as usize] => {
                (None, Source::Reply)
            }
            Some(WithoutOutput::AsJudged) | None => (judged, Source::Reply),
        };
        let unit = Unit {
            sample,
            turn,
            criterion,
            run,
            incident: of_output.or_else(|| resolve::of_reply(self.model, Profile::Paper, given)),
            counted: counted.into(),
            given: given.into(),
        };
        (unit, source)
    }

    /// Counts replies in file order, as the authors' summary does, rather than unit by unit.
    fn count_lines(&self, judge: u16, counted: &mut Counted<'_>) {
        let (model, rules) = (self.model, self.rules);
        let groups = counted.grid.groups;
        let number = |name: &String| {
            groups
                .find_domain(name)
                .and_then(|at| u16::try_from(at).ok())
                .unwrap_or(0)
        };
        let domains: Vec<u16> = model.domains.iter().map(number).collect();
        let mut last_unknown = None;
        for (at, given) in model.scored_of(judge) {
            let Some(value) = self.of_line(at, given) else {
                continue;
            };
            let domain = match (rules.unknown_samples, given.sample.get()) {
                (UnknownSamples::LeftOut, Some(sample)) => groups.of_sample[sample as usize],
                _ => domains[usize::from(given.domain)],
            };
            counted.scores.counted[at as usize] = true;
            let slot = unit_of(given).and_then(|_| given.slot.get());
            let spot = Spot {
                domain,
                turn: given.turn.get().unwrap_or(u32::MAX),
                slot,
            };
            counted.grid.push(spot, given.criterion, value);
            // A line's replies to one turn follow each other.
            let turn = Some((given.origin.0, given.line, spot.turn));
            if slot.is_none() && last_unknown != turn {
                counted.grid.add_turn(spot);
                last_unknown = turn;
            }
        }
    }

    /// What a reply adds where replies are counted line by line.
    fn of_line(&self, at: u32, given: &LinkedReply) -> Option<f64> {
        let value = self.rules.reading(given).ok()?;
        let sample = given.sample.get();
        if sample.is_some_and(|sample| self.failed.is_dropped[sample as usize]) {
            return None;
        }
        let Some(unit) = unit_of(given) else {
            return (self.rules.unknown_samples == UnknownSamples::Counted).then_some(value);
        };
        let of_output = resolve::output(self.model, given.slot.get()?).incident();
        let without = of_output.map(|kind| resolve::without_output(kind, self.rules.outputs));
        if without.is_some_and(|without| without != WithoutOutput::AsJudged) {
            return None;
        }
        if self.rules.repeats == Repeats::Each {
            return Some(value);
        }
        let replies = self.replies.of(unit);
        if self.chosen(replies) == Some(at) {
            self.mean(replies)
        } else {
            None
        }
    }
}

/// The number of a turn's criterion among all.
fn place(slot: u32, criterion: u16) -> usize {
    slot as usize * CRITERIA.len() + usize::from(criterion)
}

/// The unit of a reply; `None` if the benchmark has no such turn or criterion.
fn unit_of(given: &LinkedReply) -> Option<usize> {
    let is_known = usize::from(given.criterion) < CRITERIA.len();
    let slot = given.slot.get().filter(|_| is_known)?;
    Some(place(slot, given.criterion))
}
