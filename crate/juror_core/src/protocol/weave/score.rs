//! Replies → means: one engine for both profiles, steered by `Rules`.
//!
//! Source: WEAVE, equations (1) and (2), and the authors' summary script.
//! The summary pools turns (a micro average), divides by ten, rounds to three digits, weights, and rounds again;
//! the paper's tables follow the same pooling, so the profiles differ in what is let in and in the rounding.
//! Each difference is one field of `Rules`, so its effect is the score with that one field exchanged.

use super::{ACC, CATEGORIES, CRITERIA, IQ, KP, VC};
use crate::model::incident::IncidentKind;
use crate::model::linked::{LinkedReply, ModelData, World};
use crate::model::options::{Policy, Profile, ScoreOptions};
use crate::model::origin::{Gaps, Origin, OriginInterval, OriginMean, OriginPart};
use crate::model::reply::{Fault, Reading};
use crate::model::row::ScoreRow;
use crate::model::sample::TurnKind;
use crate::model::score::{JudgeScores, ModelScores, Scores, Unit};
use crate::model::submission::OutputState;
use crate::model::terms::ScopeInfo;
use crate::py;
use crate::statistics::Moments;

/// The judge's scale ends here.
const MAX_SCORE: f64 = 10.0;
/// Weights of equation (1): pictures only.
pub const IMAGE_WEIGHTS: [(u16, f64); 3] = [(KP, 0.5), (VC, 0.2), (IQ, 0.3)];
/// Weights of equation (2): pictures and texts.
pub const ALL_WEIGHTS: [(u16, f64); 4] = [(KP, 0.4), (VC, 0.1), (IQ, 0.2), (ACC, 0.3)];

/// Everything in which ways of scoring differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Rules {
    pub(super) scale: Scale,
    pub(super) repeats: Repeats,
    pub(super) partial_total: PartialTotal,
    pub(super) rounding: Rounding,
    pub(super) outputs: Outputs,
    pub(super) failures: Failures,
    pub(super) stops: Stops,
    pub(super) strangers: Strangers,
}

/// Which scores are let in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scale {
    /// Whole numbers on the scale.
    Checked,
    /// Whatever Python can add.
    AsStored,
}

/// What a second reply to the same request counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Repeats {
    /// Nothing: the first readable reply of a run stands.
    Once,
    /// As much as the first.
    Each,
}

/// The total where the equations give none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PartialTotal {
    /// No number.
    Undefined,
    /// The plain mean of the criteria at hand.
    PlainMean,
}

/// When figures are rounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rounding {
    /// On display only.
    None,
    /// Criterion means to three digits, then the total.
    Twice,
}

/// What a missing or unreadable output counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outputs {
    LeftOut,
    Zero,
    /// What the judge said of the request without it.
    AsJudged,
}

/// How far an unreadable reply reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Failures {
    /// Its own criterion and turn.
    Unit,
    /// The whole dialogue.
    Dialogue,
}

/// What a score that Python cannot add does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stops {
    LeftOut,
    /// The summary stops and there is no number at all.
    NoResult,
}

/// What replies to unknown dialogues or turns count; also whose domain a line has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Strangers {
    /// Nothing; the benchmark names the domain.
    LeftOut,
    /// As any other; the line names the domain.
    Counted,
}

impl Rules {
    /// The rules of a profile under a policy.
    pub(super) fn new(profile: Profile, policy: Policy) -> Self {
        let is_released = profile == Profile::Released;
        let is_upstream = policy == Policy::Upstream;
        Self {
            scale: if is_released {
                Scale::AsStored
            } else {
                Scale::Checked
            },
            repeats: if is_released {
                Repeats::Each
            } else {
                Repeats::Once
            },
            partial_total: if is_released {
                PartialTotal::PlainMean
            } else {
                PartialTotal::Undefined
            },
            rounding: if is_released {
                Rounding::Twice
            } else {
                Rounding::None
            },
            strangers: if is_released {
                Strangers::Counted
            } else {
                Strangers::LeftOut
            },
            outputs: match policy {
                Policy::Exclude => Outputs::LeftOut,
                Policy::Zero => Outputs::Zero,
                Policy::Upstream => Outputs::AsJudged,
            },
            failures: if is_upstream {
                Failures::Dialogue
            } else {
                Failures::Unit
            },
            stops: if is_upstream {
                Stops::NoResult
            } else {
                Stops::LeftOut
            },
        }
    }

    /// Whether replies are gone through line by line rather than unit by unit.
    fn counts_by_line(self) -> bool {
        self.repeats == Repeats::Each || self.strangers == Strangers::Counted
    }

    fn reading(self, given: &LinkedReply) -> Reading {
        match self.scale {
            Scale::Checked => given.readings.paper(),
            Scale::AsStored => given.readings.released(),
        }
    }
}

/// The policy in force: the user's, or the profile's own.
pub fn policy(options: &ScoreOptions) -> Policy {
    options.policy.unwrap_or(match options.profile {
        Profile::Paper => Policy::Zero,
        Profile::Released => Policy::Upstream,
    })
}

/// What incidents of a kind count as.
pub fn counts_as(kind: IncidentKind, options: &ScoreOptions) -> &'static str {
    let rules = Rules::new(options.profile, policy(options));
    match kind {
        IncidentKind::MissingOutput | IncidentKind::UnreadableOutput => match rules.outputs {
            Outputs::LeftOut => "left out",
            Outputs::Zero => "counts 0",
            Outputs::AsJudged => "counts as judged without it",
        },
        IncidentKind::OutOfRange if rules.scale == Scale::AsStored => "counts as it is",
        IncidentKind::InaccessibleOutput
        | IncidentKind::MissingReply
        | IncidentKind::InaccessibleReply
        | IncidentKind::OutOfRange
        | IncidentKind::NoCounterpart
        | IncidentKind::SizeDiffers
        | IncidentKind::Unmeasurable
        | IncidentKind::NotMeasured => "left out",
        IncidentKind::Unparsable | IncidentKind::FailedCall => match rules.failures {
            Failures::Unit => "left out",
            Failures::Dialogue => {
                "as in the authors' code: skipped, drops its dialogue, or stops the summary"
            }
        },
    }
}

/// All groups that scores are given for, numbered.
pub(super) struct Groups {
    domains: Vec<String>,
    /// Per domain: position of its category.
    categories: Vec<Option<usize>>,
    num_turns: u32,
    /// Per sample of the benchmark: its domain.
    of_sample: Vec<u16>,
}

impl Groups {
    pub(super) fn new(world: &World<'_>) -> Self {
        let samples = &world.benchmark.samples;
        let mut groups = Self {
            domains: Vec::new(),
            categories: Vec::new(),
            num_turns: 0,
            of_sample: Vec::new(),
        };
        for name in CATEGORIES.iter().flat_map(|(_, names)| *names) {
            if samples.iter().any(|sample| sample.domain == *name) {
                groups.domain(name);
            }
        }
        for sample in samples {
            let domain = groups.domain(&sample.domain);
            groups.of_sample.push(domain);
            let num_turns = u32::try_from(sample.turns.len()).unwrap_or(0);
            groups.num_turns = groups.num_turns.max(num_turns);
        }
        for name in world.models.iter().flat_map(|model| &model.domains) {
            groups.domain(name);
        }
        groups
    }

    /// The number of a domain, a new one if it was not met before.
    fn domain(&mut self, name: &str) -> u16 {
        let at = self.find_domain(name).unwrap_or_else(|| {
            self.domains.push(name.to_owned());
            self.categories.push(
                CATEGORIES
                    .iter()
                    .position(|(_, domains)| domains.contains(&name)),
            );
            self.domains.len() - 1
        });
        u16::try_from(at).unwrap_or(u16::MAX)
    }

    fn find_domain(&self, name: &str) -> Option<usize> {
        self.domains.iter().position(|known| known == name)
    }

    /// Scope and key of every cell, in display order: overall, categories, domains, turns.
    fn labels(&self) -> Vec<(&'static str, String)> {
        let mut labels = vec![("overall", "all".to_owned())];
        labels.extend(
            CATEGORIES
                .iter()
                .map(|(category, _)| ("category", (*category).to_owned())),
        );
        labels.extend(self.domains.iter().map(|domain| ("domain", domain.clone())));
        labels.extend((0..self.num_turns).map(|turn| ("turn", turn.to_string())));
        labels
    }
}

/// Scores for all models and judges.
pub fn score(world: &World<'_>, options: &ScoreOptions) -> Scores {
    let groups = Groups::new(world);
    let policy = policy(options);
    let rules = Rules::new(options.profile, policy);
    let labels = groups.labels();
    let mut scores = Scores::default();
    let mut is_used = vec![false; labels.len()];
    for model in world.models {
        let mode = Mode::of(world, model);
        let mut of_model = ModelScores {
            mode: mode.id(),
            judges: Vec::new(),
        };
        for judge in judges(model) {
            let mut resolution = resolve(world, &groups, model, mode, judge, rules);
            let cells = resolution.grid.cells();
            resolution.scores.totals = sample_totals(world, &resolution.scores.units, rules);
            let name = &resolution.scores.judge;
            for (at, (scope, key)) in labels.iter().enumerate() {
                let head = (
                    model.submission.name.as_str(),
                    name.as_str(),
                    options.profile,
                    policy,
                    *scope,
                    key.as_str(),
                );
                let before = scores.rows.len();
                cells[at].rows(
                    head,
                    model,
                    rules,
                    resolution.scores.stopped.is_some(),
                    &mut scores.rows,
                );
                is_used[at] |= scores.rows.len() > before;
            }
            of_model.judges.push(resolution.scores);
        }
        scores.models.push(of_model);
    }
    for (scope, label) in [
        ("overall", "Overall"),
        ("category", "Category"),
        ("domain", "Domain"),
        ("turn", "Turn"),
    ] {
        let keys = labels
            .iter()
            .zip(&is_used)
            .filter(|((s, _), used)| *s == scope && **used)
            .map(|((_, key), _)| key.clone());
        scores.scopes.push(ScopeInfo {
            scope: scope.to_owned(),
            label: label.to_owned(),
            keys: keys.collect(),
        });
    }
    scores
}

/// What one model comes to by its first judge, for totals under several rules.
pub(super) struct Standing {
    cells: Result<Vec<Cell>, String>,
}

impl Standing {
    pub(super) fn new(world: &World<'_>, groups: &Groups, model: &ModelData, rules: Rules) -> Self {
        let mode = Mode::of(world, model);
        let resolution = resolve(world, groups, model, mode, judges(model)[0], rules);
        let cells = match resolution.scores.stopped {
            Some(stopped) => Err(stopped),
            None => Ok(resolution.grid.cells()),
        };
        Self { cells }
    }

    /// The overall total; the error says why the authors' summary stops.
    pub(super) fn overall(&self, rules: Rules) -> Result<Option<f64>, String> {
        self.cells
            .as_ref()
            .map(|cells| cells[0].total(rules))
            .map_err(String::clone)
    }

    /// The totals of the categories that have one.
    pub(super) fn categories(&self, rules: Rules) -> Vec<f64> {
        let cells = self.cells.as_deref().unwrap_or_default();
        cells
            .iter()
            .skip(1)
            .take(CATEGORIES.len())
            .filter_map(|cell| cell.total(rules))
            .collect()
    }
}

/// What a model is judged on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Mode {
    pictures: bool,
    texts: bool,
}

impl Mode {
    /// By what the model answered or was judged on; both if there is nothing to tell by.
    fn of(world: &World<'_>, model: &ModelData) -> Self {
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
        let pictures = [KP, VC, IQ].map(num_given) != [0; 3] || has_output(TurnKind::Image);
        let texts = num_given(ACC) > 0 || has_output(TurnKind::Text);
        let is_unknown = !pictures && !texts;
        Self {
            pictures: pictures || is_unknown,
            texts: texts || is_unknown,
        }
    }

    fn id(self) -> &'static str {
        match (self.pictures, self.texts) {
            (true, false) => "img",
            (false, true) => "txt",
            _ => "umm",
        }
    }

    fn criteria(self, kind: TurnKind) -> &'static [u16] {
        match kind {
            TurnKind::Image if self.pictures => &[KP, VC, IQ],
            TurnKind::Text if self.texts => &[ACC],
            _ => &[],
        }
    }
}

/// The judges that replied for a model; the nameless one if there is no reply at all.
fn judges(model: &ModelData) -> Vec<u16> {
    match &*model.scored_judges {
        [] => vec![0],
        present => present.to_vec(),
    }
}

/// What became of every reply and every expected unit.
struct Resolution<'a> {
    scores: JudgeScores,
    grid: Grid<'a>,
}

fn resolve<'a>(
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
            resolution
                .grid
                .expect(domain, turn_idx, criterion, counted.is_some());
            values[usize::from(criterion)] = counted;
            let Some(value) = counted else { continue };
            if source == Source::Reply && rules.counts_by_line() {
                continue;
            }
            resolution.grid.push(domain, turn_idx, criterion, value);
            if let Some(given) = tally.first_good.filter(|_| source == Source::Reply) {
                resolution.scores.counted[given as usize] = true;
            }
        }
        if !wanted.is_empty() {
            resolution
                .grid
                .close_turn(domain, turn_idx, wanted, &values);
        }
    }
    if rules.counts_by_line() {
        count_lines(model, judge, rules, &tallies, &is_dropped, &mut resolution);
    }
    resolution
}

/// The replies to one unit.
#[derive(Clone, Copy, Default)]
struct Tally {
    first: Option<u32>,
    first_good: Option<u32>,
    sum: f64,
    count: u32,
}

impl Tally {
    /// Takes in a reply, with its number if that counts.
    fn add(&mut self, at: u32, value: Option<f64>) {
        self.first.get_or_insert(at);
        if let Some(value) = value {
            self.first_good.get_or_insert(at);
            self.sum += value;
            self.count += 1;
        }
    }
}

/// The replies to every unit. Nearly all have one, and then its number says it all.
struct Tallies {
    /// Per turn and criterion: the number of the only reply, or [`Self::SEVERAL`] and an index into `several`.
    only: Vec<u32>,
    several: Vec<Tally>,
}

impl Tallies {
    const NONE: u32 = u32::MAX;
    const SEVERAL: u32 = 1 << 31;

    fn new(num_turns: usize) -> Self {
        Self {
            only: vec![Self::NONE; num_turns * CRITERIA.len()],
            several: Vec::new(),
        }
    }

    fn len(&self) -> usize {
        self.only.len()
    }

    fn index(slot: u32, criterion: u16) -> usize {
        slot as usize * CRITERIA.len() + usize::from(criterion)
    }

    fn of(&self, slot: u32, criterion: u16, model: &ModelData, rules: Rules) -> Tally {
        self.read(self.only[Self::index(slot, criterion)], model, rules)
    }

    fn read(&self, only: u32, model: &ModelData, rules: Rules) -> Tally {
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
    fn further(
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
struct ReplyTallies {
    tallies: Tallies,
    /// Why the authors' summary stops, if it does.
    stopped: Option<String>,
    /// Per sample: whether an unreadable reply takes the dialogue along.
    is_dropped: Vec<bool>,
}

/// Gathers the replies to every unit; where the summary would stop, says so.
fn hear(world: &World<'_>, model: &ModelData, judge: u16, rules: Rules) -> ReplyTallies {
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
    fn fail(&mut self, given: &LinkedReply, fault: Fault, rules: Rules) {
        match fault {
            Fault::Undecodable if rules.stops == Stops::NoResult => {
                self.stopped = Some(
                    "The authors' summary stops at bytes that are not UTF-8 (UnicodeDecodeError) and writes no result."
                        .to_owned(),
                );
            }
            Fault::Stops if rules.stops == Stops::NoResult && self.stopped.is_none() => {
                self.stopped = Some(format!(
                    "The authors' summary stops at a score that is not a number (key \"turn {}\", line {}) and writes no result.",
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
fn unit(
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
enum Source {
    Reply,
    Rule,
}

/// Counts replies in file order, as the authors' summary does, rather than unit by unit.
fn count_lines(
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
            None if rules.strangers == Strangers::LeftOut => continue,
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
        let domain = match (rules.strangers, given.sample.get()) {
            (Strangers::LeftOut, Some(sample)) => groups.of_sample[sample as usize],
            _ => domains[usize::from(given.domain)],
        };
        resolution.scores.counted[at as usize] = true;
        resolution.grid.push(
            domain,
            given.turn.get().unwrap_or(u32::MAX),
            given.criterion,
            value,
        );
    }
}

/// Everything counted by domain and turn; each cell of the report is a sum of these.
struct Grid<'a> {
    groups: &'a Groups,
    num_criteria: usize,
    cells: Vec<Cell>,
    /// Plain sums in the order of arrival, overall and per domain: the authors' summary adds in that order.
    sums: Vec<f64>,
    domain_sums: Vec<f64>,
}

impl<'a> Grid<'a> {
    fn new(groups: &'a Groups, num_criteria: usize) -> Self {
        let width = groups.num_turns as usize + 1;
        Self {
            groups,
            num_criteria,
            cells: vec![Cell::new(num_criteria); groups.domains.len() * width],
            sums: vec![0.0; num_criteria],
            domain_sums: vec![0.0; groups.domains.len() * num_criteria],
        }
    }

    /// The cell of a domain and turn; turns beyond the benchmark's share one.
    fn cell(&mut self, domain: u16, turn: u32) -> &mut Cell {
        let last = self.groups.num_turns;
        let width = last as usize + 1;
        &mut self.cells[usize::from(domain) * width + turn.min(last) as usize]
    }

    fn push(&mut self, domain: u16, turn: u32, criterion: u16, value: f64) {
        let at = usize::from(criterion);
        self.cell(domain, turn).criteria[at].push(value);
        self.sums[at] += value;
        self.domain_sums[usize::from(domain) * self.num_criteria + at] += value;
    }

    fn expect(&mut self, domain: u16, turn: u32, criterion: u16, is_scored: bool) {
        let at = usize::from(criterion);
        let cell = self.cell(domain, turn);
        cell.expected[at] += 1;
        cell.missing[at] += u32::from(!is_scored);
    }

    /// Takes a turn's values together: whether it is complete, and its weighted sums by equations (1) and (2).
    fn close_turn(&mut self, domain: u16, turn: u32, wanted: &[u16], values: &[Option<f64>; 4]) {
        let cell = self.cell(domain, turn);
        let is_complete = wanted.iter().all(|at| values[usize::from(*at)].is_some());
        cell.turns.0 += u32::from(is_complete);
        cell.turns.1 += 1;
        if is_complete && wanted.contains(&KP) {
            cell.image_only.push(weighted(&IMAGE_WEIGHTS, values));
            cell.with_text.push(weighted(&ALL_WEIGHTS, values));
        }
    }

    /// The report's cells, in the order of [`Groups::labels`].
    fn cells(&self) -> Vec<Cell> {
        let groups = self.groups;
        let first_domain = 1 + CATEGORIES.len();
        let first_turn = first_domain + groups.domains.len();
        let width = groups.num_turns as usize + 1;
        let mut cells = vec![Cell::new(self.num_criteria); first_turn + groups.num_turns as usize];
        for (at, cell) in self.cells.iter().enumerate() {
            let (domain, turn) = (at / width, at % width);
            let category = groups.categories[domain].map(|category| 1 + category);
            let turn = (turn + 1 < width).then_some(first_turn + turn);
            for to in [Some(0), category, Some(first_domain + domain), turn]
                .into_iter()
                .flatten()
            {
                cells[to].merge(cell);
            }
        }
        for at in 0..self.num_criteria {
            cells[0].criteria[at] = cells[0].criteria[at].with_sum(self.sums[at]);
            for domain in 0..groups.domains.len() {
                let sum = self.domain_sums[domain * self.num_criteria + at];
                let moments = &mut cells[first_domain + domain].criteria[at];
                *moments = moments.with_sum(sum);
            }
        }
        cells
    }
}

/// The weighted sum of the values that are there.
fn weighted(weights: &[(u16, f64)], values: &[Option<f64>]) -> f64 {
    let term = |(at, weight): &(u16, f64)| values[usize::from(*at)].map(|value| weight * value);
    weights.iter().filter_map(term).sum()
}

/// The numbers of one group.
#[derive(Clone)]
struct Cell {
    criteria: Vec<Moments>,
    missing: Vec<u32>,
    expected: Vec<u32>,
    image_only: Moments,
    with_text: Moments,
    /// Complete turns and expected ones.
    turns: (u32, u32),
}

/// The total of criterion means: equation (1) without texts, (2) with them, accuracy alone for texts only.
fn total(means: &[Option<f64>], rules: Rules) -> Option<f64> {
    let (weights, divisor) = weights_of(means, rules)?;
    let total = weighted(&weights, means) / divisor;
    Some(if rules.rounding == Rounding::Twice {
        py::round(total, 3)
    } else {
        total
    })
}

/// What the total of criterion means is a weighted sum of, and what that is divided by.
fn weights_of(means: &[Option<f64>], rules: Rules) -> Option<(Vec<(u16, f64)>, f64)> {
    let is_present = |criterion: u16| means[usize::from(criterion)].is_some();
    let present: Vec<(u16, f64)> = (0u16..)
        .zip(means)
        .filter(|(_, mean)| mean.is_some())
        .map(|(at, _)| (at, 1.0))
        .collect();
    Some(match ([KP, VC, IQ].map(is_present), is_present(ACC)) {
        ([true, true, true], true) => (ALL_WEIGHTS.to_vec(), 1.0),
        ([true, true, true], false) => (IMAGE_WEIGHTS.to_vec(), 1.0),
        ([false, false, false], true) if present.len() == 1 => (present, 1.0),
        _ if rules.partial_total == PartialTotal::PlainMean && !present.is_empty() => {
            let count = present.len() as f64;
            (present, count)
        }
        _ => return None,
    })
}

/// The total of four criterion means on the printed scale, as a profile computes it.
///
/// # Example
/// ```
/// use juror_core::{model::options::Profile, protocol::weave::score::weighted_total};
/// let total = weighted_total(&[Some(0.55), Some(0.8), Some(0.7), None], Profile::Paper).unwrap();
/// assert!((total - 0.645).abs() < 1e-12); // 0.5·0.55 + 0.2·0.8 + 0.3·0.7
/// ```
pub fn weighted_total(means: &[Option<f64>; 4], profile: Profile) -> Option<f64> {
    total(
        means,
        Rules::new(
            profile,
            policy(&ScoreOptions {
                profile,
                policy: None,
                judge: None,
                run: None,
            }),
        ),
    )
}

/// A mean rounded where the rules say so.
fn as_ruled(mean: OriginMean, rules: Rules) -> OriginMean {
    match rules.rounding {
        Rounding::None => mean,
        Rounding::Twice => mean.rounded(3, false),
    }
}

type RowHead<'a> = (&'a str, &'a str, Profile, Policy, &'a str, &'a str);

impl Cell {
    fn new(num_criteria: usize) -> Self {
        Self {
            criteria: vec![Moments::default(); num_criteria],
            missing: vec![0; num_criteria],
            expected: vec![0; num_criteria],
            image_only: Moments::default(),
            with_text: Moments::default(),
            turns: (0, 0),
        }
    }

    fn merge(&mut self, other: &Self) {
        for (to, from) in self.criteria.iter_mut().zip(&other.criteria) {
            to.merge(from);
        }
        for (to, from) in self.missing.iter_mut().zip(&other.missing) {
            *to += from;
        }
        for (to, from) in self.expected.iter_mut().zip(&other.expected) {
            *to += from;
        }
        self.image_only.merge(&other.image_only);
        self.with_text.merge(&other.with_text);
        self.turns.0 += other.turns.0;
        self.turns.1 += other.turns.1;
    }

    /// The group's total.
    ///
    /// The equations choose their weights by what a group asks for.
    /// So the paper gives no number while a criterion that is asked for has no score at all.
    fn total(&self, rules: Rules) -> Option<f64> {
        total(&self.means(rules), rules).filter(|_| self.is_whole(rules))
    }

    /// Whether no criterion that is asked for is without a score, where the rules want that for a total.
    fn is_whole(&self, rules: Rules) -> bool {
        let is_asked_in_vain = |at: usize| self.expected[at] > 0 && self.criteria[at].n() == 0;
        rules.partial_total != PartialTotal::Undefined
            || !(0..self.criteria.len()).any(is_asked_in_vain)
    }

    /// Means on the printed scale, rounded where the rules say so.
    fn means(&self, rules: Rules) -> Vec<Option<f64>> {
        let round = |mean: f64| {
            if rules.rounding == Rounding::Twice {
                py::round(mean, 3)
            } else {
                mean
            }
        };
        self.criteria
            .iter()
            .map(|moments| moments.mean().map(|mean| round(mean / MAX_SCORE)))
            .collect()
    }

    /// The criterion's mean if every missing unit got this score.
    fn bound(&self, at: usize, score: f64) -> Option<f64> {
        let moments = &self.criteria[at];
        let units = moments.n() + self.missing[at];
        (units > 0).then(|| {
            (moments.sum() + score * f64::from(self.missing[at])) / f64::from(units) / MAX_SCORE
        })
    }

    fn rows(
        &self,
        head: RowHead<'_>,
        model: &ModelData,
        rules: Rules,
        is_stopped: bool,
        rows: &mut Vec<ScoreRow>,
    ) {
        let (model_name, judge, profile, policy, scope, key) = head;
        let row = |criterion: &str| ScoreRow {
            model: model_name.to_owned(),
            judge: judge.to_owned(),
            profile,
            policy,
            scope: scope.to_owned(),
            key: key.to_owned(),
            criterion: criterion.to_owned(),
            mean: None,
            n: 0,
            expected: 0,
            sd: None,
            ci_low: None,
            ci_high: None,
            worst: None,
            best: None,
            origin: Origin::default(),
        };
        let name = |at: usize| {
            let known = model.criteria.get(at);
            known.map_or(CRITERIA[at.min(3)], String::as_str)
        };
        let is_used = |at: usize| self.expected[at] > 0 || self.criteria[at].n() > 0;
        if !(0..self.criteria.len()).any(is_used) {
            return;
        }
        let means = self.means(rules);
        for (at, moments) in self
            .criteria
            .iter()
            .enumerate()
            .filter(|(at, _)| is_used(*at))
        {
            let name = name(at);
            let mut row = ScoreRow {
                n: moments.n(),
                expected: self.expected[at],
                ..row(name)
            };
            if !is_stopped {
                let mean = OriginMean::of_values(moments.sum(), moments.n(), 1.0).by(MAX_SCORE);
                row = row.settle(Origin {
                    mean: Some(as_ruled(mean, rules)),
                    interval: means[at]
                        .and_then(|mean| OriginInterval::student(mean, moments, (1.0, MAX_SCORE))),
                });
                row.sd = moments.sd().map(|sd| sd / MAX_SCORE);
                row.worst = self.bound(at, 0.0);
                row.best = self.bound(at, MAX_SCORE);
            }
            rows.push(row);
        }
        let mut row = ScoreRow {
            n: self.turns.0,
            expected: self.turns.1,
            ..row("total")
        };
        if !is_stopped {
            let part = |(at, weight): &(u16, f64)| OriginPart {
                criterion: name(usize::from(*at)).to_owned(),
                value: means[usize::from(*at)],
                weight: *weight,
                ..OriginPart::of(&row)
            };
            let mean = weights_of(&means, rules).filter(|_| self.is_whole(rules));
            let mean = mean.map(|(weights, divisor)| {
                let parts = weights.iter().map(part).collect();
                as_ruled(
                    OriginMean::of_parts(parts, Gaps::NoNumber).over(divisor),
                    rules,
                )
            });
            let center = mean.as_ref().and_then(OriginMean::value);
            let interval = center.and_then(|center| self.total_interval(center, &means));
            row = row.settle(Origin { mean, interval });
            let bound = |score: f64| {
                let bounds: Vec<Option<f64>> = (0..self.criteria.len())
                    .map(|at| self.bound(at, score))
                    .collect();
                total(
                    &bounds,
                    Rules {
                        rounding: Rounding::None,
                        ..rules
                    },
                )
            };
            row.worst = bound(0.0);
            row.best = bound(MAX_SCORE);
        }
        rows.push(row);
    }

    /// The total's 95 % interval: picture turns and text turns are separate samples,
    /// so their variances add, with the degrees of freedom of Welch and Satterthwaite.
    fn total_interval(&self, center: f64, means: &[Option<f64>]) -> Option<OriginInterval> {
        let has_pictures = [KP, VC, IQ]
            .iter()
            .all(|at| means[usize::from(*at)].is_some());
        let has_texts = means[usize::from(ACC)].is_some();
        let texts = &self.criteria[usize::from(ACC)];
        let student = |values| OriginInterval::student(center, values, (1.0, MAX_SCORE));
        match (has_pictures, has_texts) {
            (true, false) => student(&self.image_only),
            (false, true) if means.iter().flatten().count() == 1 => student(texts),
            (true, true) => {
                let weights = [1.0, ALL_WEIGHTS[3].1];
                OriginInterval::welch(center, [&self.with_text, texts], weights, MAX_SCORE)
            }
            _ => None,
        }
    }
}

/// Each sample's total over its own turns.
fn sample_totals(world: &World<'_>, units: &[Unit], rules: Rules) -> Vec<Option<f64>> {
    let full = Rules {
        rounding: Rounding::None,
        ..rules
    };
    let mut totals = vec![None; world.benchmark.samples.len()];
    // Units come sample by sample.
    for units in units.chunk_by(|a, b| a.sample == b.sample) {
        let mut sums = [(0.0, 0u32, 0u32); CRITERIA.len()];
        for unit in units {
            let (sum, count, expected) = &mut sums[usize::from(unit.criterion)];
            *expected += 1;
            if let Some(value) = unit.counted.get() {
                *sum += value;
                *count += 1;
            }
        }
        let is_asked_in_vain = sums
            .iter()
            .any(|(_, count, expected)| *count == 0 && *expected > 0);
        if is_asked_in_vain && rules.partial_total == PartialTotal::Undefined {
            continue;
        }
        let means =
            sums.map(|(sum, count, _)| (count > 0).then(|| sum / f64::from(count) / MAX_SCORE));
        totals[units[0].sample as usize] = total(&means, full);
    }
    totals
}

/// The total of one turn from the values of its units.
pub fn turn_total(values: &[Option<f64>; 4]) -> Option<f64> {
    let rules = Rules::new(Profile::Paper, Policy::Zero);
    total(
        &values.map(|value| value.map(|value| value / MAX_SCORE)),
        rules,
    )
}
