//! Which samples pass an expression.

use std::ops::Range;

use super::search::{Search, Stage};
use super::text::{Needle, is_in_word, is_plain};
use super::{
    Clause, Expr, IncidentTest, Judged, LabelTest, Memory, Pattern, Schema, Term, Test, TextField,
};
use crate::count;
use crate::linked::Source;
use crate::measure::{MEASURED, is_measured};
use crate::state::Session;
use crate::subset::is_drawn;
use juror_model::incident::IncidentKind;
use juror_model::linked::{LinkedReply, ModelData, World};
use juror_model::options::Profile;
use juror_model::reply::{ParsedReply, ReplyFile};
use juror_model::sample::{Sample, TurnKind};
use juror_model::score::{JudgeScores, Scores};
use juror_statistics::small::SortSmall;

/// Before the number of a character that JSON does not write as it is.
const ESCAPE: &str = "\\u";

/// One answer per sample.
pub(crate) type Passes = Vec<bool>;

/// Whose scores, incidents and replies are looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Scope {
    /// Models, as indexes.
    pub(crate) models: Vec<usize>,
    /// Judges by their place among the named ones; `None` for each model's usual one, or all for incidents.
    pub(crate) judges: Option<Vec<usize>>,
}

impl Scope {
    /// The scope of these conditions, inside this one.
    pub(crate) fn of(&self, parts: &[Clause]) -> Self {
        let mut scope = self.clone();
        let (mut models, mut judges) = (Vec::new(), Vec::new());
        for part in parts {
            match &part.expr {
                Expr::Term(Term::Models(chosen)) => models.extend(chosen),
                Expr::Term(Term::Judges(chosen)) => judges.extend(chosen),
                _ => {}
            }
        }
        if !models.is_empty() {
            models.sort_small();
            models.dedup();
            scope.models = models;
        }
        if !judges.is_empty() {
            scope.judges = Some(judges);
        }
        scope
    }
}

/// Units of one sample, counted for one model and judge.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct UnitCounts {
    pub(crate) scored: u32,
    pub(crate) expected: u32,
    /// Incidents of replies.
    of_replies: u32,
    /// Incidents of outputs, which are the same for every judge.
    of_outputs: u32,
    /// A bit for each kind of them.
    kinds: u16,
}

const _: () = assert!(
    IncidentKind::ALL.len() <= 16,
    "every kind has a bit of its own"
);

impl UnitCounts {
    /// Adds what another judge is asked about the same outputs.
    fn add(&mut self, other: &Self) {
        self.scored += other.scored;
        self.expected += other.expected;
        self.of_replies += other.of_replies;
        self.of_outputs = self.of_outputs.max(other.of_outputs);
        self.kinds |= other.kinds;
    }

    /// Units with an incident; what befell an output counts once, however many judges would have rated it.
    pub(crate) fn incidents(&self) -> u32 {
        self.of_replies + self.of_outputs
    }

    fn bit(kind: IncidentKind) -> u16 {
        1 << kind as u32
    }

    /// Whether there are incidents as asked for.
    pub(crate) fn has(&self, test: IncidentTest) -> bool {
        match test {
            IncidentTest::Any => self.incidents() > 0,
            IncidentTest::None => self.incidents() == 0,
            IncidentTest::Kind(kind) => self.kinds & Self::bit(kind) != 0,
        }
    }

    fn judged(&self) -> Judged {
        match self.scored {
            0 => Judged::None,
            scored if scored < self.expected => Judged::Part,
            _ => Judged::All,
        }
    }
}

/// Units counted, by model, judge and sample.
#[derive(Debug, Default)]
pub(crate) struct Counts(Vec<Vec<Vec<UnitCounts>>>);

impl Counts {
    pub(crate) fn new(num_samples: usize, scores: &Scores) -> Self {
        let of_judge = |judge: &JudgeScores| {
            let mut cells = vec![UnitCounts::default(); num_samples];
            for unit in &judge.units {
                let cell = &mut cells[unit.sample as usize];
                cell.expected += 1;
                match unit.incident {
                    None => cell.scored += 1,
                    Some(kind) => {
                        let of_kind = if kind.is_of_output() {
                            &mut cell.of_outputs
                        } else {
                            &mut cell.of_replies
                        };
                        *of_kind += 1;
                        cell.kinds |= UnitCounts::bit(kind);
                    }
                }
            }
            cells
        };
        let models = scores.models.iter();
        Self(
            models
                .map(|model| model.judges.iter().map(of_judge).collect())
                .collect(),
        )
    }
}

/// The counts of each chosen model.
pub(crate) struct Tally<'a>(Vec<ModelTally<'a>>);

/// Counts of one model, by sample.
struct ModelTally<'a> {
    /// For each judge that counts.
    judges: Vec<&'a [UnitCounts]>,
    measured: Option<&'a [UnitCounts]>,
}

impl Tally<'_> {
    /// Units of a sample over the chosen models, those included that were measured.
    pub(crate) fn units(&self, sample: usize) -> UnitCounts {
        let mut sum = UnitCounts::default();
        for model in &self.0 {
            for cells in model.judges.iter().chain(&model.measured) {
                sum.add(&cells[sample]);
            }
        }
        sum
    }

    /// How much of a sample is judged, over the chosen models.
    pub(crate) fn judged(&self, sample: usize) -> Judged {
        let mut all = None;
        for model in &self.0 {
            let mut units = UnitCounts::default();
            for cells in &model.judges {
                units.add(&cells[sample]);
            }
            if units.expected == 0 {
                continue;
            }
            let state = units.judged();
            if all.is_some_and(|known| known != state) {
                return Judged::Part;
            }
            all = Some(state);
        }
        all.unwrap_or(Judged::None)
    }
}

/// Failure labels of one sample's outputs.
#[derive(Clone, Debug, Default)]
pub(crate) struct SampleLabels {
    /// Whether somebody looked at one of them.
    is_seen: bool,
    /// Places in [`Schema::labels`].
    labels: Vec<usize>,
}

impl SampleLabels {
    /// Whether there are labels as asked for.
    pub(crate) fn has(&self, test: LabelTest) -> bool {
        match test {
            LabelTest::Any => !self.labels.is_empty(),
            LabelTest::None => self.is_seen && self.labels.is_empty(),
            LabelTest::One(label) => self.labels.contains(&label),
        }
    }
}

/// One score for each model: by the judge that most of the chosen models have, else by the model's first.
///
/// Scores of two judges are on two scales, so that a mean or a distance over models is of one judge's scores.
pub(crate) struct Shown<'a> {
    judges: Vec<Option<&'a JudgeScores>>,
    /// The chosen models that the common judge scored.
    pub(crate) compared: Vec<usize>,
}

impl Shown<'_> {
    /// A model's total on a sample.
    pub(crate) fn score(&self, model: usize, sample: usize) -> Option<f64> {
        let judge = self.judges.get(model).copied().flatten()?;
        judge.totals.get(sample).copied().flatten()
    }

    /// The totals of two models on a sample; none where they are by two judges.
    pub(crate) fn pair(&self, a: usize, b: usize, sample: usize) -> Option<(f64, f64)> {
        let pair = self.score(a, sample).zip(self.score(b, sample));
        pair.filter(|_| self.is_by_one_judge(a, b))
    }

    /// Whether the scores of two models are by the same judge.
    pub(crate) fn is_by_one_judge(&self, a: usize, b: usize) -> bool {
        let name = |model: usize| self.judges[model].map(|judge| &judge.judge);
        name(a) == name(b)
    }

    /// The largest distance between the chosen models' totals; none below two.
    fn spread(&self, sample: usize) -> Option<f64> {
        let models = self.compared.iter();
        distance(models.filter_map(|model| self.score(*model, sample)))
    }
}

/// The name that comes most often, the first of equals.
pub(crate) fn most_frequent<'n>(names: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let mut counts: Vec<(&str, u32)> = Vec::new();
    for name in names {
        match counts.iter_mut().find(|(known, _)| *known == name) {
            Some((_, n)) => *n += 1,
            None => counts.push((name, 1)),
        }
    }
    let most = counts.iter().map(|(_, n)| *n).max()?;
    let mut named = counts.into_iter();
    named.find(|(_, n)| *n == most).map(|(name, _)| name)
}

/// What an expression is asked of.
#[derive(Clone, Copy)]
pub(crate) struct Subject<'a> {
    pub(crate) session: &'a Session,
    pub(crate) world: World<'a>,
    pub(crate) scores: &'a Scores,
    pub(crate) schema: &'a Schema,
    pub(crate) counts: &'a Counts,
    /// How many judges of each model count where none is named; empty where all do.
    pub(crate) in_force: &'a [usize],
}

impl<'a> Subject<'a> {
    /// Nobody is chosen: all models, the usual judge.
    pub(crate) fn everyone(&self) -> Scope {
        Scope {
            models: (0..self.world.models.len()).collect(),
            judges: None,
        }
    }

    /// The judges of a model whose scores count in a scope; a judge that is excluded from the scores is only asked by name.
    fn judges_of(
        &self,
        model: usize,
        scope: &'a Scope,
    ) -> impl Iterator<Item = (usize, &'a JudgeScores)> {
        let in_force = self.in_force.get(model).filter(|_| scope.judges.is_none());
        let in_force = in_force.copied().unwrap_or(usize::MAX);
        self.all_judges_of(model, scope)
            .filter(move |(at, _)| *at < in_force)
    }

    /// Those left out of the scores included, as for what two judges say of the same sample.
    fn all_judges_of(
        &self,
        model: usize,
        scope: &'a Scope,
    ) -> impl Iterator<Item = (usize, &'a JudgeScores)> {
        let judges = self
            .scores
            .models
            .get(model)
            .map_or(&[][..], |model| &model.judges);
        let schema = self.schema;
        let judging = judges.iter().enumerate();
        let judging = judging.filter(|(_, judge)| judge.judge != MEASURED);
        judging.filter(move |(_, judge)| {
            let is_chosen =
                |chosen: &Vec<usize>| chosen.iter().any(|at| schema.judges[*at] == judge.judge);
            scope.judges.as_ref().is_none_or(is_chosen)
        })
    }

    /// A model's measured values, whichever judge is chosen.
    fn measured(&self, model: usize) -> Option<(usize, &'a JudgeScores)> {
        let judges = &self.scores.models.get(model)?.judges;
        let mut all = judges.iter().enumerate();
        all.find(|(_, judge)| judge.judge == MEASURED)
    }

    /// By model, the judge that its scores are by; empty where that is the only judge of them all.
    pub(crate) fn judges(&self, scope: &'a Scope) -> Vec<Option<String>> {
        let names = |model: usize| self.judges_of(model, scope).map(|(_, judge)| &judge.judge);
        let models = 0..self.world.models.len();
        let mut all = models.clone().flat_map(names);
        let first = all.next();
        let is_only = all.all(|name| Some(name) == first);
        let has_several = models.clone().any(|model| names(model).count() > 1);
        if is_only && !has_several {
            return Vec::new();
        }
        let shown = self.shown(scope).judges.into_iter();
        shown
            .map(|judge| judge.map(|judge| judge.judge.clone()))
            .collect()
    }

    /// The one score of each model where several judges count.
    pub(crate) fn shown(&self, scope: &'a Scope) -> Shown<'a> {
        let of = |model: usize| self.judges_of(model, scope).map(|(_, judge)| judge);
        let names = scope.models.iter().flat_map(|model| of(*model));
        let common = most_frequent(names.map(|judge| &*judge.judge));
        let is_common = |judge: &JudgeScores| Some(&*judge.judge) == common;
        let models = 0..self.world.models.len();
        let judges: Vec<Option<&JudgeScores>> = models
            .map(|model| {
                of(model)
                    .find(|judge| is_common(judge))
                    .or(of(model).next())
            })
            .collect();
        let compared = scope.models.iter().copied();
        let compared = compared.filter(|model| judges[*model].is_some_and(is_common));
        Shown {
            compared: compared.collect(),
            judges,
        }
    }

    /// Each model's mean of a criterion by sample, by the judge that is shown; `None` for the total or no criterion.
    pub(crate) fn by_criterion(
        &self,
        criterion: &str,
        scope: &'a Scope,
    ) -> Option<Vec<Vec<Option<f64>>>> {
        let criteria = self.session.criteria();
        let info = criteria.iter().find(|info| info.id == criterion)?;
        if criterion.is_empty() || criterion == "total" {
            return None;
        }
        let shown = self.shown(scope);
        let of_model = |(at, model): (usize, &ModelData)| {
            let mut sums = vec![(0.0, 0u32); self.num_samples()];
            let judge = if is_measured(criterion) {
                self.measured(at).map(|(_, judge)| judge)
            } else {
                shown.judges[at]
            };
            if let Some(judge) = judge {
                self.session
                    .for_values(model, judge, info, |unit, value, _| {
                        if let Some(value) = value {
                            let (sum, n) = &mut sums[unit.sample as usize];
                            (*sum, *n) = (*sum + value, *n + 1);
                        }
                    });
            }
            let means = sums.into_iter();
            means
                .map(|(sum, n)| (n > 0).then(|| sum / f64::from(n)))
                .collect()
        };
        Some(self.world.models.iter().enumerate().map(of_model).collect())
    }

    /// The largest distance between judges over one of the chosen models' totals; none below two judges.
    pub(crate) fn disagreement(&self, sample: usize, scope: &'a Scope) -> Option<f64> {
        let of_model = |model: &usize| {
            let judges = self.all_judges_of(*model, scope);
            distance(judges.filter_map(|(_, judge)| judge.totals.get(sample).copied().flatten()))
        };
        scope.models.iter().filter_map(of_model).reduce(f64::max)
    }

    /// Units of a model's sample, over the judges that count.
    pub(crate) fn units(&self, model: usize, sample: usize, scope: &'a Scope) -> UnitCounts {
        let mut sum = UnitCounts::default();
        for (judge, _) in self.judges_of(model, scope) {
            sum.add(&self.counts.0[model][judge][sample]);
        }
        sum
    }

    /// The counts that a scope looks at, for whoever asks of every sample.
    pub(crate) fn tally(&self, scope: &'a Scope) -> Tally<'a> {
        let cells = |model: usize, judge: usize| &self.counts.0[model][judge][..];
        let of_model = |model: &usize| {
            let judges = self.judges_of(*model, scope);
            let measured = self.measured(*model);
            ModelTally {
                judges: judges.map(|(judge, _)| cells(*model, judge)).collect(),
                measured: measured.map(|(judge, _)| cells(*model, judge)),
            }
        };
        Tally(scope.models.iter().map(of_model).collect())
    }

    fn num_samples(&self) -> usize {
        self.world.benchmark.samples.len()
    }

    fn each(&self, passes: impl FnMut(usize) -> bool) -> Passes {
        (0..self.num_samples()).map(passes).collect()
    }

    /// Which samples pass.
    pub(crate) fn passes(&self, expr: &Expr, scope: &Scope, memory: &mut Memory) -> Passes {
        match expr {
            Expr::All(parts) => {
                let scope = scope.of(parts);
                let mut all = vec![true; self.num_samples()];
                for part in parts {
                    let part = self.passes(&part.expr, &scope, memory);
                    all.iter_mut().zip(part).for_each(|(all, one)| *all &= one);
                }
                all
            }
            Expr::Any(of) => {
                let mut any = vec![false; self.num_samples()];
                for one in of {
                    let one = self.passes(one, scope, memory);
                    any.iter_mut().zip(one).for_each(|(any, one)| *any |= one);
                }
                any
            }
            Expr::Not(one) => self
                .passes(one, scope, memory)
                .into_iter()
                .map(|passes| !passes)
                .collect(),
            Expr::Term(term) => self.term(term, scope, memory),
        }
    }

    fn term(&self, term: &Term, scope: &Scope, memory: &mut Memory) -> Passes {
        let samples = &self.world.benchmark.samples;
        let of_group = |group: usize, sample: usize| self.schema.groups[group].of(sample).iter();
        let key_of =
            |group: usize, at: &u32| self.schema.groups[group].values[*at as usize].as_str();
        let holds =
            |number: Option<f64>, test: &Test| number.is_some_and(|number| test.holds(number));
        let shown = self.shown(scope);
        match term {
            Term::Models(_) | Term::Judges(_) => vec![true; samples.len()],
            Term::Group { group, values } => {
                self.each(|at| of_group(*group, at).any(|own| values.contains(own)))
            }
            Term::GroupNumber { group, test } => self.each(|at| {
                of_group(*group, at)
                    .any(|own| holds(super::parse::number(key_of(*group, own)), test))
            }),
            Term::GroupText { group, pattern } => {
                self.each(|at| of_group(*group, at).any(|own| pattern.is_in(key_of(*group, own))))
            }
            Term::Id(ids) => self.each(|at| ids.contains(&samples[at].id)),
            Term::IdText(pattern) => self.each(|at| pattern.is_in(&samples[at].id)),
            Term::Score(test) => self.each(|at| {
                let mut models = scope.models.iter();
                models.any(|model| holds(shown.score(*model, at), test))
            }),
            Term::ModelScore { model, test } => {
                self.each(|at| holds(shown.score(*model, at), test))
            }
            Term::Versus { a, op, b, offset } => self.each(|at| {
                let pair = shown.pair(*a, *b, at);
                pair.is_some_and(|(a, b)| op.holds(a, b + offset))
            }),
            Term::Criterion { criterion, test } => self.criterion(*criterion, *test, scope),
            Term::Spread(test) => self.each(|at| holds(shown.spread(at), test)),
            Term::Disagreement(test) => self.each(|at| holds(self.disagreement(at, scope), test)),
            Term::Pictures(test) => self.each(|at| test.holds(samples[at].pictures.len() as f64)),
            Term::Turns(test) => self.each(|at| test.holds(samples[at].turns.len() as f64)),
            Term::Incident(tests) => {
                let tally = self.tally(scope);
                self.each(|at| {
                    let units = tally.units(at);
                    tests.iter().any(|test| units.has(*test))
                })
            }
            Term::Label(tests) => {
                let labelled = self.labelled(scope);
                self.each(|at| tests.iter().any(|test| labelled[at].has(*test)))
            }
            Term::Judged(states) => {
                let tally = self.tally(scope);
                self.each(|at| states.contains(&tally.judged(at)))
            }
            Term::Scored(wanted) => self.each(|at| {
                let mut models = scope.models.iter();
                models.any(|model| shown.score(*model, at).is_some() == *wanted)
            }),
            Term::Subset(subset) => {
                let draw = |search: &mut Search| {
                    search.found = is_drawn(self.session, Some(subset));
                    true
                };
                let key = format!("subset {subset}");
                memory.get(key, samples.len(), draw).to_vec()
            }
            Term::Text { field, pattern } => {
                let key = format!("{field:?} {scope:?} {}", pattern.name());
                memory
                    .get(key, samples.len(), |search| {
                        self.search(*field, pattern, scope, search)
                    })
                    .to_vec()
            }
        }
    }

    /// The labels of every sample's outputs of the chosen models, whoever set them.
    pub(crate) fn labelled(&self, scope: &Scope) -> Vec<SampleLabels> {
        let found = self.session.labels();
        let of_schema = |label: u32| {
            let id = &found.labels[label as usize].id;
            let mut known = self.schema.labels.iter();
            known.position(|(known, _)| known == id)
        };
        let places: Vec<Option<usize>> = (0..count(found.labels.len())).map(of_schema).collect();
        let mut all = vec![SampleLabels::default(); self.num_samples()];
        let is_chosen = |model: u32| scope.models.contains(&(model as usize));
        for output in (found.outputs.iter()).filter(|output| is_chosen(output.model)) {
            let of_sample = &mut all[output.sample as usize];
            of_sample.is_seen = true;
            for label in output.labels().filter_map(|label| places[label as usize]) {
                if !of_sample.labels.contains(&label) {
                    of_sample.labels.push(label);
                }
            }
        }
        all
    }

    /// Any reply's sub-score, as it entered the mean; the total is a sample's.
    fn criterion(&self, criterion: usize, test: Test, scope: &Scope) -> Passes {
        let id = &self.schema.criteria[criterion].0;
        let mut found = vec![false; self.num_samples()];
        for model in &scope.models {
            let judges = self.judges_of(*model, scope);
            let measured = self.measured(*model).filter(|_| is_measured(id));
            for (_, judge) in judges.chain(measured) {
                if id == "total" {
                    for (found, total) in found.iter_mut().zip(&judge.totals) {
                        *found |= total.is_some_and(|total| test.holds(total));
                    }
                    continue;
                }
                for part in judge
                    .parts
                    .iter()
                    .filter(|part| usize::from(part.criterion) == criterion)
                {
                    let sample = judge.units[part.unit as usize].sample as usize;
                    found[sample] |= test.holds(part.value);
                }
                let names = &self.world.models[*model].criteria;
                let own = names
                    .iter()
                    .position(|name| name == id)
                    .filter(|_| judge.parts.is_empty());
                for unit in judge
                    .units
                    .iter()
                    .filter(|unit| Some(usize::from(unit.criterion)) == own)
                {
                    found[unit.sample as usize] |=
                        unit.counted.get().is_some_and(|value| test.holds(value));
                }
            }
        }
        found
    }

    /// Goes on with a search; whether it came to its end.
    fn search(
        &self,
        field: TextField,
        pattern: &Pattern,
        scope: &Scope,
        search: &mut Search,
    ) -> bool {
        let is_all = field == TextField::Text;
        if search.stage == Stage::Texts {
            if is_all || field == TextField::Instruction {
                for (found, sample) in search.found.iter_mut().zip(&self.world.benchmark.samples) {
                    *found = any_text(sample, field, |text| pattern.is_in(text));
                }
            }
            if is_all || field == TextField::Answer {
                self.search_answers(pattern, scope, &mut search.found);
            }
            search.enter(Stage::Replies);
        }
        if search.stage == Stage::Replies {
            let is_asked = is_all || field == TextField::Reply;
            if is_asked && !self.search_replies(pattern, scope, search) {
                return false;
            }
            search.enter(Stage::Reasons);
        }
        if search.stage == Stage::Reasons {
            let is_asked = is_all || field == TextField::Reason;
            if is_asked && !self.search_reasons(field, pattern, scope, search) {
                return false;
            }
            search.enter(Stage::Errors);
        }
        if is_all || field == TextField::Error {
            self.search_errors(field, pattern, scope, &mut search.found);
        }
        true
    }

    fn search_answers(&self, pattern: &Pattern, scope: &Scope, found: &mut [bool]) {
        for model in scope.models.iter().map(|at| &self.world.models[*at]) {
            if model.answers.is_empty() {
                continue;
            }
            let turns = self
                .world
                .benchmark
                .turns()
                .filter(|(_, _, _, turn)| turn.kind == TurnKind::Text);
            for (slot, sample, _, _) in turns {
                let found = &mut found[sample as usize];
                *found = *found
                    || model
                        .answers
                        .get(&slot)
                        .is_some_and(|text| pattern.is_in(text));
            }
        }
    }

    fn search_replies(&self, pattern: &Pattern, scope: &Scope, search: &mut Search) -> bool {
        self.each_source(scope, search, |source, start, search| match pattern {
            Pattern::Literal(needle) => {
                self.each_hit(source, start, needle, scope, search, &|_, _, _| true)
            }
            Pattern::Regex(regex) => {
                let has_match = |_: &LinkedReply, raw: &str, at| regex.is_match_with(raw, at);
                let is_match = |_: &LinkedReply, raw: &str| regex.is_match(raw);
                match regex.literal() {
                    Some(literal) => {
                        self.each_hit(source, start, literal, scope, search, &has_match)
                    }
                    None => self.each_reply(source, start, scope, search, &is_match),
                }
            }
        })
    }

    fn search_reasons(
        &self,
        field: TextField,
        pattern: &Pattern,
        scope: &Scope,
        search: &mut Search,
    ) -> bool {
        self.each_source(scope, search, |source, start, search| {
            let is_unescaped = source.file.is_some_and(|file| file.is_unescaped);
            let is_reason = |given: &LinkedReply, raw: &str| {
                let reason = self.reason(source.model, given, raw);
                reason.is_some_and(|reason| pattern.is_in(&reason))
            };
            let has_reason = |given: &LinkedReply, raw: &str, _| is_reason(given, raw);
            let needle = match pattern {
                Pattern::Literal(needle) => needle,
                Pattern::Regex(regex) => {
                    // Readers change the marks between words.
                    let word = regex.literal().map(|literal| literal.longest(is_in_word));
                    return match word.filter(|word| !word.text().is_empty()) {
                        Some(word) => {
                            self.each_hit(source, start, &word, scope, search, &has_reason)
                        }
                        None => self.each_reply(source, start, scope, search, &is_reason),
                    };
                }
            };
            // Text that no escape hides is in a reply if it is in its reason.
            let is_shown = |is_unescaped: bool| is_unescaped && needle.is_verbatim();
            if needle.is_plain() || is_shown(is_unescaped) {
                // Anywhere in a text it was found in the raw reply already.
                if field == TextField::Reason {
                    return self.each_hit(source, start, needle, scope, search, &has_reason);
                }
                return None;
            }
            let part = needle.longest(is_plain);
            self.each_hit(source, start, &part, scope, search, &|given, raw, _| {
                let may = !is_shown(!raw.contains(ESCAPE)) || needle.is_in(raw);
                may && is_reason(given, raw)
            })
        })
    }

    /// Goes on through the sources of replies; whether the last one came to its end.
    ///
    /// `go` goes through a source from a reply on, and says at which one it stopped.
    fn each_source(
        &self,
        scope: &Scope,
        search: &mut Search,
        go: impl Fn(&Replies<'a>, usize, &mut Search) -> Option<usize>,
    ) -> bool {
        for (at, source) in self.sources(scope).iter().enumerate() {
            let Some(start) = search.start_in(at) else {
                continue;
            };
            if let Some(reply) = go(source, start, search) {
                search.stop_at(at, reply);
                return false;
            }
        }
        true
    }

    /// The sample of a reply that can still find it: not found yet, and the reply's judge is one of the chosen ones.
    fn open(
        &self,
        model: &ModelData,
        given: &LinkedReply,
        scope: &Scope,
        found: &[bool],
    ) -> Option<usize> {
        let sample = given.sample.get()? as usize;
        let judge = &model.judges[usize::from(given.judge)];
        let is_chosen = scope
            .judges
            .as_ref()
            .is_none_or(|chosen| chosen.iter().any(|at| self.schema.judges[*at] == *judge));
        (!found[sample] && is_chosen).then_some(sample)
    }

    /// Replies of the chosen models by their source.
    fn sources(&self, scope: &Scope) -> Vec<Replies<'a>> {
        let mut sources = Vec::new();
        for model in scope.models.iter().map(|at| &self.world.models[*at]) {
            for given in model.by_source() {
                let file = self.reply_file(&given[0]);
                sources.push(Replies { model, given, file });
            }
        }
        sources
    }

    /// Asks of every raw reply of a source to a sample that was not found yet, from a reply on; the one where it stopped.
    fn each_reply(
        &self,
        source: &Replies<'_>,
        start: usize,
        scope: &Scope,
        search: &mut Search,
        asks: &dyn Fn(&LinkedReply, &str) -> bool,
    ) -> Option<usize> {
        for (at, given) in source.given.iter().enumerate().skip(start) {
            let Some(sample) = self.open(source.model, given, scope, &search.found) else {
                continue;
            };
            let raw = match source.file {
                Some(file) => &file.text[range_of(file, given)],
                None => self.session.raw(given),
            };
            if !search.spend(raw.len()) {
                return Some(at);
            }
            search.found[sample] = asks(given, raw);
        }
        None
    }

    /// Asks of every raw reply of a source that holds the needle, to a sample that was not found yet; says at which byte
    /// it holds it first. From a reply on; the one where it stopped.
    ///
    /// A file is searched as one text: a million short searches take several times as long.
    fn each_hit(
        &self,
        source: &Replies<'_>,
        start: usize,
        needle: &Needle,
        scope: &Scope,
        search: &mut Search,
        asks: &dyn Fn(&LinkedReply, &str, usize) -> bool,
    ) -> Option<usize> {
        let Some(file) = source.file.filter(|file| file.is_in_order) else {
            let holds = |given: &LinkedReply, raw: &str| {
                let hit = needle.find(raw, 0);
                hit.is_some_and(|hit| asks(given, raw, hit.start))
            };
            return self.each_reply(source, start, scope, search, &holds);
        };
        let mut left = source.given.get(start..).unwrap_or_default();
        while let Some(next) = left.iter().position(|given| {
            self.open(source.model, given, scope, &search.found)
                .is_some()
        }) {
            left = &left[next..];
            let Some(hit) = needle.find(&file.text, range_of(file, &left[0]).start) else {
                break;
            };
            left = beyond(left, |given| range_of(file, given).end < hit.end);
            let Some(given) = left.first() else { break };
            let range = range_of(file, given);
            if hit.start < range.start {
                // Between two replies, or out of one into the next.
                continue;
            }
            if let Some(sample) = self.open(source.model, given, scope, &search.found) {
                if !search.spend(range.len()) {
                    return Some(source.given.len() - left.len());
                }
                let at = hit.start - range.start;
                search.found[sample] = asks(given, &file.text[range], at);
            }
            left = &left[1..];
        }
        None
    }

    fn reply_file(&self, given: &LinkedReply) -> Option<&'a ReplyFile> {
        let sources = &self.session.data.cache.linked.as_ref()?.sources;
        match sources.get(given.origin.0 as usize)? {
            Source::Replies(file) => self.session.loader.read.replies.get(file),
            Source::Journal(_) | Source::Pasted | Source::Rated => None,
        }
    }

    /// The judge's reasoning, by the reader that can read it.
    fn reason(&self, model: &ModelData, given: &LinkedReply, raw: &str) -> Option<String> {
        let sample = self
            .world
            .benchmark
            .samples
            .get(given.sample.get()? as usize);
        let request = &model.criteria[usize::from(given.criterion)];
        let parse = |profile| match self
            .session
            .loader
            .protocol
            .parse(sample, request, profile, raw)
        {
            ParsedReply::Ok { reason, .. } => Some(reason),
            ParsedReply::Incident { .. } => None,
        };
        parse(Profile::Paper).or_else(|| parse(Profile::Released))
    }

    fn search_errors(
        &self,
        field: TextField,
        pattern: &Pattern,
        scope: &Scope,
        found: &mut [bool],
    ) {
        // A word of the kinds' own names would find every sample that has one.
        let is_label =
            |kind: IncidentKind| field == TextField::Error && pattern.is_in(kind.label());
        let labels = IncidentKind::ALL.map(is_label);
        for at in &scope.models {
            let model = &self.world.models[*at];
            for (judge_at, judge) in self.judges_of(*at, scope) {
                let counts = &self.counts.0[*at][judge_at];
                if counts.iter().all(|units| units.incidents() == 0) {
                    continue;
                }
                for unit in &judge.units {
                    let Some(kind) = unit.incident.filter(|_| !found[unit.sample as usize]) else {
                        continue;
                    };
                    // That something is missing is the same sentence a million times.
                    let is_told = !matches!(
                        kind,
                        IncidentKind::MissingReply
                            | IncidentKind::InaccessibleReply
                            | IncidentKind::MissingOutput
                            | IncidentKind::InaccessibleOutput
                    );
                    let detail = || self.session.incident_detail(model, unit, kind);
                    found[unit.sample as usize] =
                        labels[kind as usize] || is_told && pattern.is_in(&detail());
                }
            }
        }
    }
}

/// Replies of one source to one model.
struct Replies<'a> {
    model: &'a ModelData,
    given: &'a [LinkedReply],
    /// The file that they are in, unless they came otherwise.
    file: Option<&'a ReplyFile>,
}

/// The replies after those that come before; quick where these are few.
fn beyond(mut left: &[LinkedReply], is_before: impl Fn(&LinkedReply) -> bool) -> &[LinkedReply] {
    let mut step = 1;
    while left.get(step).is_some_and(&is_before) {
        left = &left[step..];
        step *= 2;
    }
    let near = &left[..left.len().min(step)];
    &left[near.partition_point(is_before)..]
}

/// Bytes of a raw reply in its file's text.
fn range_of(file: &ReplyFile, given: &LinkedReply) -> Range<usize> {
    let raw = &file.replies[given.origin.1 as usize].raw;
    raw.start as usize..raw.end as usize
}

/// Notes of a file what makes searches in it quick.
pub(crate) fn look_through(file: &mut ReplyFile) {
    let replies = file.replies.iter();
    file.is_in_order =
        replies.is_sorted_by(|a, b| a.raw.start <= b.raw.start && a.raw.end <= b.raw.end);
    file.is_unescaped = !Needle::new(ESCAPE).is_in(&file.text);
}

/// Whether it is in anything that the benchmark says of a sample, or in what it asks.
fn any_text(sample: &Sample, field: TextField, is_in: impl Fn(&str) -> bool) -> bool {
    let turns = &sample.turns;
    if turns.iter().any(|turn| is_in(&turn.instruction))
        || sample.details.iter().any(|(_, text)| is_in(text))
    {
        return true;
    }
    let names = [sample.id.as_str(), &sample.domain, &sample.category];
    field == TextField::Text
        && (names.iter().any(|name| is_in(name))
            || sample.tags.iter().any(|(_, key)| is_in(key))
            || turns.iter().any(|turn| {
                let mut points = turn.key_points.iter();
                is_in(&turn.answer) || points.any(|point| is_in(&point.key) || is_in(&point.text))
            })
            || sample.pictures.iter().any(|picture| is_in(&picture.path)))
}

/// The mean of some numbers; none of none.
pub(crate) fn mean(numbers: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, n) = numbers.fold((0.0, 0u32), |(sum, n), x| (sum + x, n + 1));
    (n > 0).then(|| sum / f64::from(n))
}

/// Largest less smallest; none below two numbers.
pub(crate) fn distance(numbers: impl Iterator<Item = f64>) -> Option<f64> {
    let (mut n, mut low, mut high) = (0u32, f64::INFINITY, f64::NEG_INFINITY);
    for number in numbers {
        n += 1;
        low = low.min(number);
        high = high.max(number);
    }
    (n > 1).then_some(high - low)
}

/// How many samples pass.
pub(crate) fn num_passing(passes: &[bool]) -> u32 {
    count(passes.iter().filter(|passes| **passes).count())
}
