//! Replies → means: one engine for both profiles, steered by [`Rules`].
//!
//! Source: WEAVE, equations (1) and (2), and the authors' summary script.
//! The summary pools turns (a micro average), divides by ten, rounds to three digits, weights, and rounds again;
//! the paper's tables follow the same pooling, so the profiles differ in what is let in and in the rounding.
//! Each difference is one field of [`Rules`], so its effect is the score with that one field exchanged.

use super::{ACC, CATEGORIES, CRITERIA, IQ, KP, VC};
use crate::protocol::{
    Fault, Given, IncidentKind, JudgeScores, ModelData, ModelScores, OutputState, Reading, Scores,
    TurnKind, Unit, World,
};
use crate::py;
use crate::report::ScoreRow;
use crate::statistics::{Moments, half_width_95, t_quantile};
use crate::view::{Policy, Profile, ScopeInfo, ScoreOptions};

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

    fn reading(self, given: &Given) -> Reading {
        match self.scale {
            Scale::Checked => given.readings.paper,
            Scale::AsStored => given.readings.released,
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
        IncidentKind::MissingReply | IncidentKind::OutOfRange => "left out",
        IncidentKind::Unparsable | IncidentKind::FailedCall => match rules.failures {
            Failures::Unit => "left out",
            Failures::Dialogue => {
                "as in the authors' code: skipped, drops its dialogue, or stops the summary"
            }
        },
    }
}

/// One number that enters the means.
#[derive(Clone, Copy, Debug)]
struct Entry {
    category: u8,
    domain: u16,
    turn: u32,
    criterion: u16,
    value: f64,
}

/// All groups that scores are given for, numbered.
pub(super) struct Groups {
    domains: Vec<String>,
    num_turns: u32,
    /// Per sample of the benchmark.
    of_sample: Vec<(u8, u16)>,
}

const NO_CATEGORY: u8 = 255;

impl Groups {
    pub(super) fn new(world: &World<'_>) -> Self {
        let mut domains: Vec<String> = Vec::new();
        let present = |name: &str| {
            world
                .benchmark
                .samples
                .iter()
                .any(|sample| sample.domain == name)
        };
        for name in CATEGORIES
            .iter()
            .flat_map(|(_, names)| *names)
            .filter(|name| present(name))
        {
            domains.push((*name).to_owned());
        }
        let mut groups = Self {
            domains,
            num_turns: 0,
            of_sample: Vec::new(),
        };
        for sample in &world.benchmark.samples {
            let domain = groups.domain(&sample.domain);
            groups
                .of_sample
                .push((category_index(&sample.domain), domain));
            groups.num_turns = groups
                .num_turns
                .max(u32::try_from(sample.turns.len()).unwrap_or(0));
        }
        for name in world.models.iter().flat_map(|model| &model.domains) {
            groups.domain(name);
        }
        groups
    }

    fn domain(&mut self, name: &str) -> u16 {
        let at = self
            .domains
            .iter()
            .position(|known| known == name)
            .unwrap_or_else(|| {
                self.domains.push(name.to_owned());
                self.domains.len() - 1
            });
        u16::try_from(at).unwrap_or(u16::MAX)
    }

    fn find_domain(&self, name: &str) -> u16 {
        self.domains
            .iter()
            .position(|known| known == name)
            .and_then(|at| u16::try_from(at).ok())
            .unwrap_or(0)
    }

    /// Cells: overall, the four categories, the domains, the turns.
    fn num_cells(&self) -> usize {
        1 + CATEGORIES.len() + self.domains.len() + self.num_turns as usize
    }

    fn cells(&self, category: u8, domain: u16, turn: u32) -> impl Iterator<Item = usize> {
        let first_domain = 1 + CATEGORIES.len();
        let first_turn = first_domain + self.domains.len();
        let category = (category != NO_CATEGORY).then_some(1 + category as usize);
        let turn = (turn < self.num_turns).then_some(first_turn + turn as usize);
        [
            Some(0),
            category,
            Some(first_domain + domain as usize),
            turn,
        ]
        .into_iter()
        .flatten()
    }

    /// Scope, key and cell of every group, in display order.
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

fn category_index(domain: &str) -> u8 {
    let at = CATEGORIES
        .iter()
        .position(|(_, domains)| domains.contains(&domain));
    at.and_then(|at| u8::try_from(at).ok())
        .unwrap_or(NO_CATEGORY)
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
            let cells = accumulate(&groups, model, &resolution);
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

/// A model's overall total and its categories' totals by its first judge; or why the summary stops.
pub(super) fn totals(
    world: &World<'_>,
    groups: &Groups,
    model: &ModelData,
    rules: Rules,
) -> Result<Totals, String> {
    let resolution = resolve(
        world,
        groups,
        model,
        Mode::of(world, model),
        judges(model)[0],
        rules,
    );
    if let Some(stopped) = resolution.scores.stopped {
        return Err(stopped);
    }
    let cells = accumulate(groups, model, &resolution);
    let total = |cell: &Cell| total(&cell.means(rules), rules);
    Ok(Totals {
        overall: total(&cells[0]),
        categories: cells[1..=CATEGORIES.len()]
            .iter()
            .filter_map(total)
            .collect(),
    })
}

/// Totals of one model.
pub(super) struct Totals {
    pub(super) overall: Option<f64>,
    pub(super) categories: Vec<f64>,
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
        let is_given = |wanted: bool| {
            model.given.iter().any(|given| {
                (given.criterion == ACC) == wanted && usize::from(given.criterion) < CRITERIA.len()
            })
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
        let pictures = is_given(false) || has_output(TurnKind::Image);
        let texts = is_given(true) || has_output(TurnKind::Text);
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
    let mut is_present = vec![false; model.judges.len().max(1)];
    for given in &model.given {
        is_present[usize::from(given.judge)] = true;
    }
    if !is_present.contains(&true) {
        is_present[0] = true;
    }
    (0u16..)
        .zip(is_present)
        .filter(|(_, present)| *present)
        .map(|(judge, _)| judge)
        .collect()
}

/// What became of every reply and every expected unit.
struct Resolution {
    scores: JudgeScores,
    entries: Vec<Entry>,
    /// Expected units per cell and criterion.
    expected: Vec<Vec<u32>>,
    /// Units that got a number, likewise.
    scored: Vec<Vec<u32>>,
    /// Per complete picture turn: cells' coordinates and its weighted sums by equations (1) and (2).
    composites: Vec<(u8, u16, u32, f64, f64)>,
    /// Complete turns and expected turns per cell.
    turns: Vec<(u32, u32)>,
}

/// The replies to one unit.
#[derive(Clone, Copy, Default)]
struct Tally {
    first: Option<u32>,
    first_good: Option<u32>,
    sum: f64,
    count: u32,
}

fn resolve(
    world: &World<'_>,
    groups: &Groups,
    model: &ModelData,
    mode: Mode,
    judge: u16,
    rules: Rules,
) -> Resolution {
    let num_criteria = model.criteria.len().max(CRITERIA.len());
    let cells = groups.num_cells();
    let mut resolution = Resolution {
        scores: JudgeScores {
            judge: model
                .judges
                .get(usize::from(judge))
                .cloned()
                .unwrap_or_default(),
            counted: vec![false; model.given.len()],
            ..JudgeScores::default()
        },
        entries: Vec::new(),
        expected: vec![vec![0; num_criteria]; cells],
        scored: vec![vec![0; num_criteria]; cells],
        composites: Vec::new(),
        turns: vec![(0, 0); cells],
    };
    let (tallies, stopped) = tally(world, model, judge, rules);
    resolution.scores.stopped = stopped;
    let is_dropped = dropped_dialogues(world, model, judge, rules);
    for (slot, sample, turn_idx, turn) in world.benchmark.turns() {
        let (category, domain) = groups.of_sample[sample as usize];
        let wanted = mode.criteria(turn.kind);
        let mut values = [None; CRITERIA.len()];
        for &criterion in wanted {
            let tally = tallies[slot as usize * CRITERIA.len() + usize::from(criterion)];
            let output = model
                .outputs
                .get(slot as usize)
                .copied()
                .unwrap_or(OutputState::NotGiven);
            let (unit, source) = unit(
                model,
                rules,
                (sample, turn_idx, criterion),
                tally,
                output,
                is_dropped[sample as usize],
            );
            resolution.scores.units.push(unit);
            values[usize::from(criterion)] = unit.counted;
            for cell in groups.cells(category, domain, turn_idx) {
                resolution.expected[cell][usize::from(criterion)] += 1;
                resolution.scored[cell][usize::from(criterion)] +=
                    u32::from(unit.counted.is_some());
            }
            let Some(value) = unit.counted else { continue };
            if source == Source::Reply && rules.counts_by_line() {
                continue;
            }
            resolution.entries.push(Entry {
                category,
                domain,
                turn: turn_idx,
                criterion,
                value,
            });
            if let Some(given) = tally.first_good.filter(|_| source == Source::Reply) {
                resolution.scores.counted[given as usize] = true;
            }
        }
        if wanted.is_empty() {
            continue;
        }
        let is_complete = wanted
            .iter()
            .all(|criterion| values[usize::from(*criterion)].is_some());
        for cell in groups.cells(category, domain, turn_idx) {
            resolution.turns[cell].0 += u32::from(is_complete);
            resolution.turns[cell].1 += 1;
        }
        if is_complete && turn.kind == TurnKind::Image {
            let sum = |weights: &[(u16, f64)]| {
                weights
                    .iter()
                    .filter_map(|(at, weight)| values[usize::from(*at)].map(|value| weight * value))
                    .sum::<f64>()
            };
            resolution.composites.push((
                category,
                domain,
                turn_idx,
                sum(&IMAGE_WEIGHTS),
                sum(&ALL_WEIGHTS),
            ));
        }
    }
    if rules.counts_by_line() {
        count_lines(
            groups,
            model,
            judge,
            rules,
            &tallies,
            &is_dropped,
            &mut resolution,
        );
    }
    resolution
}

/// Gathers the replies to every unit; where the summary would stop, says so.
fn tally(
    world: &World<'_>,
    model: &ModelData,
    judge: u16,
    rules: Rules,
) -> (Vec<Tally>, Option<String>) {
    let mut stopped = None;
    let mut tallies = vec![Tally::default(); world.benchmark.num_turns() * CRITERIA.len()];
    let has_runs = model.given.iter().any(|given| given.run > 1);
    let mut seen_runs = std::collections::HashSet::new();
    for (at, given) in (0u32..)
        .zip(&model.given)
        .filter(|(_, given)| given.judge == judge)
    {
        if rules.stops == Stops::NoResult
            && given.readings.released == Err(Fault::Stops)
            && stopped.is_none()
        {
            stopped = Some(format!(
                "The authors' summary stops at a score that is not a number (turn {}, line {}) and writes no result.",
                given
                    .turn
                    .map_or_else(|| "?".to_owned(), |turn| turn.to_string()),
                given.line
            ));
        }
        let Some(slot) = given
            .slot
            .filter(|_| usize::from(given.criterion) < CRITERIA.len())
        else {
            continue;
        };
        let index = slot as usize * CRITERIA.len() + usize::from(given.criterion);
        let tally = &mut tallies[index];
        tally.first.get_or_insert(at);
        let Ok(value) = rules.reading(given) else {
            continue;
        };
        let is_repeat = if has_runs {
            !seen_runs.insert((index, given.run))
        } else {
            tally.count > 0
        };
        if is_repeat && rules.repeats == Repeats::Once {
            continue;
        }
        tally.first_good.get_or_insert(at);
        tally.sum += value;
        tally.count += 1;
    }
    (tallies, stopped)
}

/// The dialogues that one unreadable reply takes along.
fn dropped_dialogues(world: &World<'_>, model: &ModelData, judge: u16, rules: Rules) -> Vec<bool> {
    let mut is_dropped = vec![false; world.benchmark.samples.len()];
    if rules.failures == Failures::Dialogue {
        for given in model.given.iter().filter(|given| given.judge == judge) {
            let is_failure = matches!(
                given.readings.released,
                Err(Fault::Unparsable | Fault::FailedCall)
            );
            if let Some(sample) = given.sample.filter(|_| is_failure) {
                is_dropped[sample as usize] = true;
            }
        }
    }
    is_dropped
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
    let of_output = match output {
        OutputState::Missing => Some(IncidentKind::MissingOutput),
        OutputState::Unreadable => Some(IncidentKind::UnreadableOutput),
        OutputState::Present | OutputState::NotGiven => None,
    };
    let of_reply = match given.map(|at| model.given[at as usize].readings.paper) {
        None => Some(IncidentKind::MissingReply),
        Some(Ok(_)) => None,
        Some(Err(Fault::OutOfRange)) => Some(IncidentKind::OutOfRange),
        Some(Err(Fault::FailedCall)) => Some(IncidentKind::FailedCall),
        Some(Err(_)) => Some(IncidentKind::Unparsable),
    };
    let judged = (tally.count > 0 && !is_dropped).then(|| tally.sum / f64::from(tally.count));
    let (counted, source) = match (of_output.is_some(), rules.outputs) {
        (true, Outputs::Zero) => (Some(0.0), Source::Rule),
        (true, Outputs::LeftOut) => (None, Source::Rule),
        (true, Outputs::AsJudged) | (false, _) => (judged, Source::Reply),
    };
    (
        Unit {
            sample,
            turn,
            criterion,
            run,
            incident: of_output.or(of_reply),
            counted,
            given,
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
    groups: &Groups,
    model: &ModelData,
    judge: u16,
    rules: Rules,
    tallies: &[Tally],
    is_dropped: &[bool],
    resolution: &mut Resolution,
) {
    let domains: Vec<(u8, u16)> = model
        .domains
        .iter()
        .map(|name| (category_index(name), groups.find_domain(name)))
        .collect();
    for (at, given) in (0u32..)
        .zip(&model.given)
        .filter(|(_, given)| given.judge == judge)
    {
        let Ok(mut value) = rules.reading(given) else {
            continue;
        };
        if given
            .sample
            .is_some_and(|sample| is_dropped[sample as usize])
        {
            continue;
        }
        let unit = given
            .slot
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
                if is_judged_without && rules.outputs != Outputs::AsJudged {
                    continue;
                }
                let tally = tallies[slot as usize * CRITERIA.len() + usize::from(given.criterion)];
                if rules.repeats == Repeats::Once {
                    if tally.first_good != Some(at) {
                        continue;
                    }
                    value = tally.sum / f64::from(tally.count);
                }
            }
        }
        let (category, domain) = match (rules.strangers, given.sample) {
            (Strangers::LeftOut, Some(sample)) => groups.of_sample[sample as usize],
            _ => domains
                .get(usize::from(given.domain))
                .copied()
                .unwrap_or((NO_CATEGORY, 0)),
        };
        resolution.scores.counted[at as usize] = true;
        let turn = given.turn.unwrap_or(u32::MAX);
        resolution.entries.push(Entry {
            category,
            domain,
            turn,
            criterion: given.criterion,
            value,
        });
    }
}

/// The numbers of one group.
#[derive(Clone, Default)]
struct Cell {
    criteria: Vec<Moments>,
    missing: Vec<u32>,
    expected: Vec<u32>,
    image_only: Moments,
    with_text: Moments,
    turns: (u32, u32),
}

fn accumulate(groups: &Groups, model: &ModelData, resolution: &Resolution) -> Vec<Cell> {
    let num_criteria = model.criteria.len().max(CRITERIA.len());
    let mut cells: Vec<Cell> = (0..groups.num_cells())
        .map(|at| Cell {
            criteria: vec![Moments::default(); num_criteria],
            missing: resolution.expected[at]
                .iter()
                .zip(&resolution.scored[at])
                .map(|(all, done)| all - done)
                .collect(),
            expected: resolution.expected[at].clone(),
            turns: resolution.turns[at],
            ..Cell::default()
        })
        .collect();
    for entry in &resolution.entries {
        for cell in groups.cells(entry.category, entry.domain, entry.turn) {
            cells[cell].criteria[usize::from(entry.criterion)].push(entry.value);
        }
    }
    for (category, domain, turn, image_only, with_text) in &resolution.composites {
        for cell in groups.cells(*category, *domain, *turn) {
            cells[cell].image_only.push(*image_only);
            cells[cell].with_text.push(*with_text);
        }
    }
    cells
}

/// The total of criterion means: equation (1) without texts, (2) with them, accuracy alone for texts only.
fn total(means: &[Option<f64>], rules: Rules) -> Option<f64> {
    let is_present = |criterion: u16| means[usize::from(criterion)].is_some();
    let weighted = |weights: &[(u16, f64)]| {
        weights
            .iter()
            .filter_map(|(at, weight)| means[usize::from(*at)].map(|mean| weight * mean))
            .sum::<f64>()
    };
    let present: Vec<f64> = means.iter().flatten().copied().collect();
    let sum = match ([KP, VC, IQ].map(is_present), is_present(ACC)) {
        ([true, true, true], true) => weighted(&ALL_WEIGHTS),
        ([true, true, true], false) => weighted(&IMAGE_WEIGHTS),
        ([false, false, false], true) if present.len() == 1 => present[0],
        _ if rules.partial_total == PartialTotal::PlainMean && !present.is_empty() => {
            present.iter().sum::<f64>() / present.len() as f64
        }
        _ => return None,
    };
    Some(if rules.rounding == Rounding::Twice {
        py::round(sum, 3)
    } else {
        sum
    })
}

/// The total of four criterion means on the printed scale, as a profile computes it.
///
/// # Example
/// ```
/// use juror_core::{protocol::weave::score::weighted_total, view::Profile};
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
            }),
        ),
    )
}

type RowHead<'a> = (&'a str, &'a str, Profile, Policy, &'a str, &'a str);

impl Cell {
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
            let name = model
                .criteria
                .get(at)
                .map_or(CRITERIA[at.min(3)], String::as_str);
            let mut row = ScoreRow {
                n: moments.n(),
                expected: self.expected[at],
                ..row(name)
            };
            if !is_stopped {
                let half = half_width_95(moments).map(|half| half / MAX_SCORE);
                row.mean = means[at];
                row.sd = moments.sd().map(|sd| sd / MAX_SCORE);
                row.ci_low = means[at].zip(half).map(|(mean, half)| mean - half);
                row.ci_high = means[at].zip(half).map(|(mean, half)| mean + half);
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
            let half = self.total_half_width(&means);
            row.mean = total(&means, rules);
            row.ci_low = row.mean.zip(half).map(|(mean, half)| mean - half);
            row.ci_high = row.mean.zip(half).map(|(mean, half)| mean + half);
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

    /// Half the width of the total's 95 % interval: picture turns and text turns are separate samples,
    /// so their variances add, with the degrees of freedom of Welch and Satterthwaite.
    fn total_half_width(&self, means: &[Option<f64>]) -> Option<f64> {
        let has_pictures = [KP, VC, IQ]
            .iter()
            .all(|at| means[usize::from(*at)].is_some());
        let has_texts = means[usize::from(ACC)].is_some();
        let texts = &self.criteria[usize::from(ACC)];
        let half = match (has_pictures, has_texts) {
            (true, false) => half_width_95(&self.image_only)?,
            (false, true) if means.iter().flatten().count() == 1 => half_width_95(texts)?,
            (true, true) => {
                let weight = ALL_WEIGHTS[3].1;
                let (a, b) = (
                    self.with_text.variance_of_mean()?,
                    weight * weight * texts.variance_of_mean()?,
                );
                if a + b == 0.0 {
                    return Some(0.0);
                }
                let (n, m) = (f64::from(self.with_text.n()), f64::from(texts.n()));
                let df = (a + b) * (a + b) / (a * a / (n - 1.0) + b * b / (m - 1.0));
                t_quantile(0.975, df) * (a + b).sqrt()
            }
            _ => return None,
        };
        Some(half / MAX_SCORE)
    }
}

/// Each sample's total over its own turns.
fn sample_totals(world: &World<'_>, units: &[Unit], rules: Rules) -> Vec<Option<f64>> {
    let mut sums = vec![[(0.0, 0u32); CRITERIA.len()]; world.benchmark.samples.len()];
    for unit in units {
        if let Some(value) = unit.counted {
            let (sum, count) = &mut sums[unit.sample as usize][usize::from(unit.criterion)];
            *sum += value;
            *count += 1;
        }
    }
    let full = Rules {
        rounding: Rounding::None,
        ..rules
    };
    sums.iter()
        .map(|sums| {
            let means =
                sums.map(|(sum, count)| (count > 0).then(|| sum / f64::from(count) / MAX_SCORE));
            total(&means, full)
        })
        .collect()
}

/// The total of one turn from the values of its units.
pub fn turn_total(values: &[Option<f64>; 4]) -> Option<f64> {
    let rules = Rules::new(Profile::Paper, Policy::Zero);
    total(
        &values.map(|value| value.map(|value| value / MAX_SCORE)),
        rules,
    )
}
