//! Replies → units: which reply of a request counts, what failed, and what stops the authors' summary.

use super::cells::{Grid, Spot};
use super::groups::Groups;
use crate::weave::score::{Failures, Outputs, Repeats, Rules, Stops, UnknownSamples};
use crate::weave::{ACC, CRITERIA, IQ, KP, VC};
use juror_model::incident::IncidentKind;
use juror_model::linked::{LinkedReply, ModelData, World};
use juror_model::reply::Fault;
use juror_model::sample::TurnKind;
use juror_model::score::{JudgeScores, Unit};
use juror_model::submission::{Kind, OutputState};

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

/// What became of every reply and every expected unit.
pub(super) struct Resolution<'a> {
    pub(super) scores: JudgeScores,
    pub(super) grid: Grid<'a>,
}

pub(super) fn resolve<'a>(
    world: &World<'_>,
    groups: &'a Groups,
    model: &ModelData,
    mode: Mode,
    judge: u16,
    rules: Rules,
) -> Resolution<'a> {
    let ReplyTallies {
        tallies,
        stopped,
        is_dropped,
    } = hear(world, model, judge, rules);
    let mut resolution = Resolution {
        scores: JudgeScores {
            judge: model
                .judges
                .get(usize::from(judge))
                .cloned()
                .unwrap_or_default(),
            units: Vec::with_capacity(model.given.len().min(tallies.len())),
            counted: vec![false; model.given.len()],
            stopped,
            ..JudgeScores::default()
        },
        grid: Grid::new(groups, model.criteria.len().max(CRITERIA.len())),
    };
    for (slot, sample, turn_idx, turn) in world.benchmark.turns() {
        let domain = groups.of_sample[sample as usize];
        let spot = Spot {
            domain,
            turn: turn_idx,
            slot: Some(slot),
        };
        let wanted = mode.criteria(turn.kind);
        let output = model
            .outputs
            .get(slot as usize)
            .copied()
            .unwrap_or(OutputState::NotGiven);
        let mut values = [None; CRITERIA.len()];
        for &criterion in wanted {
            let tally = tallies.of(slot, criterion, model, rules);
            let place = (sample, turn_idx, criterion);
            let (unit, source) = unit(
                model,
                rules,
                place,
                tally,
                output,
                is_dropped[sample as usize],
            );
            let counted = unit.counted.get();
            resolution.scores.units.push(unit);
            resolution.grid.expect(spot, criterion, counted.is_some());
            values[usize::from(criterion)] = counted;
            let Some(value) = counted else { continue };
            if source == Source::Reply && rules.counts_by_line() {
                continue;
            }
            resolution.grid.push(spot, criterion, value);
            if let Some(given) = tally.first_good.filter(|_| source == Source::Reply) {
                resolution.scores.counted[given as usize] = true;
            }
        }
        if !wanted.is_empty() {
            resolution.grid.close_turn(spot, wanted, &values);
        }
    }
    if rules.counts_by_line() {
        count_lines(model, judge, rules, &tallies, &is_dropped, &mut resolution);
    }
    resolution
}

/// The replies to one unit.
#[derive(Clone, Copy, Default)]
pub(super) struct Tally {
    pub(super) first: Option<u32>,
    pub(super) first_good: Option<u32>,
    pub(super) sum: f64,
    pub(super) count: u32,
}

impl Tally {
    /// Takes in a reply, with its number if that counts.
    pub(super) fn add(&mut self, at: u32, value: Option<f64>) {
        self.first.get_or_insert(at);
        if let Some(value) = value {
            self.first_good.get_or_insert(at);
            self.sum += value;
            self.count += 1;
        }
    }
}

/// The replies to every unit. Nearly all have one, and then its number says it all.
pub(super) struct Tallies {
    /// Per turn and criterion: the number of the only reply, or [`Self::SEVERAL`] and an index into `several`.
    pub(super) only: Vec<u32>,
    pub(super) several: Vec<Tally>,
}

impl Tallies {
    const NONE: u32 = u32::MAX;
    const SEVERAL: u32 = 1 << 31;

    pub(super) fn new(num_turns: usize) -> Self {
        Self {
            only: vec![Self::NONE; num_turns * CRITERIA.len()],
            several: Vec::new(),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.only.len()
    }

    pub(super) fn index(slot: u32, criterion: u16) -> usize {
        slot as usize * CRITERIA.len() + usize::from(criterion)
    }

    pub(super) fn of(&self, slot: u32, criterion: u16, model: &ModelData, rules: Rules) -> Tally {
        self.read(self.only[Self::index(slot, criterion)], model, rules)
    }

    pub(super) fn read(&self, only: u32, model: &ModelData, rules: Rules) -> Tally {
        let mut tally = Tally::default();
        if only == Self::NONE {
            return tally;
        }
        if only & Self::SEVERAL != 0 {
            return self.several[(only ^ Self::SEVERAL) as usize];
        }
        tally.add(only, rules.reading(&model.given[only as usize]).ok());
        tally
    }

    /// The tally to add a further reply to; `None` if this one, the first, needs no more than its number.
    pub(super) fn further(
        &mut self,
        index: usize,
        at: u32,
        model: &ModelData,
        rules: Rules,
    ) -> Option<&mut Tally> {
        let only = self.only[index];
        if only == Self::NONE {
            self.only[index] = at;
            return None;
        }
        if only & Self::SEVERAL == 0 {
            let tally = self.read(only, model, rules);
            self.only[index] = Self::SEVERAL | u32::try_from(self.several.len()).unwrap_or(0);
            self.several.push(tally);
        }
        self.several
            .get_mut((self.only[index] ^ Self::SEVERAL) as usize)
    }
}

/// What one pass over a judge's replies tells.
pub(super) struct ReplyTallies {
    pub(super) tallies: Tallies,
    /// Why the authors' summary stops, if it does.
    pub(super) stopped: Option<String>,
    /// Per sample: whether an unreadable reply takes the dialogue along.
    pub(super) is_dropped: Vec<bool>,
}

/// Gathers the replies to every unit; where the summary would stop, says so.
pub(super) fn hear(world: &World<'_>, model: &ModelData, judge: u16, rules: Rules) -> ReplyTallies {
    let mut heard = ReplyTallies {
        tallies: Tallies::new(world.benchmark.num_turns()),
        stopped: None,
        is_dropped: vec![false; world.benchmark.samples.len()],
    };
    let mut seen_runs = std::collections::HashSet::new();
    for (at, given) in model.scored_of(judge) {
        if let Err(fault) = given.readings.released() {
            heard.fail(given, fault, rules);
        }
        let Some(slot) = given
            .slot
            .get()
            .filter(|_| usize::from(given.criterion) < CRITERIA.len())
        else {
            continue;
        };
        let index = Tallies::index(slot, given.criterion);
        let reading = rules.reading(given);
        let is_new_run = model.has_runs && reading.is_ok() && seen_runs.insert((index, given.run));
        let Some(tally) = heard.tallies.further(index, at, model, rules) else {
            continue;
        };
        let is_repeat = if model.has_runs {
            !is_new_run
        } else {
            tally.count > 0
        };
        let counts = !is_repeat || rules.repeats == Repeats::Each;
        tally.add(at, reading.ok().filter(|_| counts));
    }
    heard
}

impl ReplyTallies {
    /// Takes note of a reply that the authors' code cannot make a number of.
    pub(super) fn fail(&mut self, given: &LinkedReply, fault: Fault, rules: Rules) {
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

/// The fate of one expected unit.
pub(super) fn unit(
    model: &ModelData,
    rules: Rules,
    (sample, turn, criterion): (u32, u32, u16),
    tally: Tally,
    output: OutputState,
    is_dropped: bool,
) -> (Unit, Source) {
    let given = tally.first_good.or(tally.first);
    let run = given.map_or(1, |at| model.given[at as usize].run);
    let of_output = output.incident();
    let of_reply = match given.map(|at| model.given[at as usize].readings.paper()) {
        None => Some(model.without_reply()),
        Some(Ok(_)) => None,
        Some(Err(Fault::OutOfRange)) => Some(IncidentKind::OutOfRange),
        Some(Err(Fault::FailedCall)) => Some(IncidentKind::FailedCall),
        Some(Err(_)) => Some(IncidentKind::Unparsable),
    };
    let judged = (tally.count > 0 && !is_dropped).then(|| tally.sum / f64::from(tally.count));
    let (counted, source) = match (of_output, rules.outputs) {
        // Nothing is known about it, so no rule makes a number of it.
        (Some(IncidentKind::InaccessibleOutput), _) | (Some(_), Outputs::LeftOut) => {
            (None, Source::Rule)
        }
        (Some(_), Outputs::Zero) => (Some(0.0), Source::Rule),
        (Some(_), Outputs::AsJudged) | (None, _) => (judged, Source::Reply),
    };
    (
        Unit {
            sample,
            turn,
            criterion,
            run,
            incident: of_output.or(of_reply),
            counted: counted.into(),
            given: given.into(),
        },
        source,
    )
}

/// Where a unit's number comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Source {
    Reply,
    Rule,
}

/// Counts replies in file order, as the authors' summary does, rather than unit by unit.
pub(super) fn count_lines(
    model: &ModelData,
    judge: u16,
    rules: Rules,
    tallies: &Tallies,
    is_dropped: &[bool],
    resolution: &mut Resolution<'_>,
) {
    let groups = resolution.grid.groups;
    let number = |name: &String| {
        groups
            .find_domain(name)
            .and_then(|at| u16::try_from(at).ok())
            .unwrap_or(0)
    };
    let domains: Vec<u16> = model.domains.iter().map(number).collect();
    let mut last_unknown = None;
    for (at, given) in model.scored_of(judge) {
        let Ok(mut value) = rules.reading(given) else {
            continue;
        };
        if given
            .sample
            .get()
            .is_some_and(|sample| is_dropped[sample as usize])
        {
            continue;
        }
        let unit = given
            .slot
            .get()
            .filter(|_| usize::from(given.criterion) < CRITERIA.len());
        match unit {
            None if rules.unknown_samples == UnknownSamples::LeftOut => continue,
            None => {}
            Some(slot) => {
                let output = model
                    .outputs
                    .get(slot as usize)
                    .copied()
                    .unwrap_or(OutputState::NotGiven);
                let is_judged_without =
                    matches!(output, OutputState::Missing | OutputState::Unreadable);
                let is_unknown = output == OutputState::Inaccessible;
                if is_unknown || is_judged_without && rules.outputs != Outputs::AsJudged {
                    continue;
                }
                if rules.repeats == Repeats::Once {
                    let tally = tallies.of(slot, given.criterion, model, rules);
                    if tally.first_good != Some(at) {
                        continue;
                    }
                    value = tally.sum / f64::from(tally.count);
                }
            }
        }
        let domain = match (rules.unknown_samples, given.sample.get()) {
            (UnknownSamples::LeftOut, Some(sample)) => groups.of_sample[sample as usize],
            _ => domains[usize::from(given.domain)],
        };
        resolution.scores.counted[at as usize] = true;
        let spot = Spot {
            domain,
            turn: given.turn.get().unwrap_or(u32::MAX),
            slot: unit,
        };
        resolution.grid.push(spot, given.criterion, value);
        // A line's replies to one turn follow each other.
        let turn = Some((given.origin.0, given.line, spot.turn));
        if unit.is_none() && last_unknown != turn {
            resolution.grid.add_turn(spot);
            last_unknown = turn;
        }
    }
}

/// The judges that replied for a model; the nameless one if there is no reply at all.
pub(super) fn judges(model: &ModelData) -> Vec<u16> {
    match &*model.scored_judges {
        [] => vec![0],
        present => present.to_vec(),
    }
}
