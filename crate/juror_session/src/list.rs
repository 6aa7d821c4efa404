//! The sample list: filter, facets, sort, and the rows of a window.

use super::count;
use super::filter::{
    self, Clause, Counts, Expr, FIELDS, Field, Group, IncidentTest, Judged, LABEL_STATES,
    LabelTest, Memory, Parsed, Passes, Schema, Scope, Shown, Subject, num_passing,
};
use super::highlights::{picture_at, place_of, shown_turn};
use super::list_inputs::{ListInputs, Listed};
use super::state::Session;
use super::subset::{as_name, derived, is_drawn, scope_names};
use crate::measure::{MEASURED, is_measured};
use crate::study::Study;
use crate::view::{
    Completion, Facet, FacetValue, Neighbours, SampleCell, SampleList, SampleListRow, SampleQuery,
    SampleSort,
};
use juror_model::incident::IncidentKind;
use juror_model::linked::World;
use juror_model::sample::{Sample, TurnKind};
use juror_model::score::Scores;
use juror_model::subset::Subset;
use juror_statistics::small::SortSmall;

/// Outputs of one model that a row shows.
const MAX_OUTPUTS: usize = 4;
/// Values of a field that a group of score rows is told by.
const MAX_LISTED_VALUES: usize = 40;

/// A window of the filtered and sorted sample list.
pub fn samples(study: &Study<'_>, query: &SampleQuery) -> SampleList {
    study.expect(&query.options);
    with_inputs(study, |study, inputs| window_of(study, inputs, query))
}

/// As [`samples`], looking into at most so many bytes of replies for texts that are searched for; `None` where more
/// are left: asked again, it goes on there.
pub fn samples_in_parts(study: &Study<'_>, query: &SampleQuery, bytes: u64) -> Option<SampleList> {
    study.expect(&query.options);
    with_inputs_in_parts(study, bytes, |study, inputs| {
        window_of(study, inputs, query)
    })
}

/// Every field's values with how many samples each would leave; none for an expression that cannot be read.
pub fn facets(study: &Study<'_>, query: &SampleQuery) -> Vec<Facet> {
    study.expect(&query.options);
    with_inputs(study, |study, inputs| facets_of(study, inputs, query))
}

/// As [`facets`], in parts as [`samples_in_parts`].
pub fn facets_in_parts(study: &Study<'_>, query: &SampleQuery, bytes: u64) -> Option<Vec<Facet>> {
    study.expect(&query.options);
    with_inputs_in_parts(study, bytes, |study, inputs| {
        facets_of(study, inputs, query)
    })
}

fn window_of(session: &Session, inputs: &mut ListInputs, query: &SampleQuery) -> SampleList {
    let listed = listed(session, inputs, query);
    window(session, inputs, query, &listed)
}

fn facets_of(session: &Session, inputs: &mut ListInputs, query: &SampleQuery) -> Vec<Facet> {
    match filter::parse(&query.q, &inputs.schema) {
        Ok(parsed) => count_facets(session, inputs, &query.q, &parsed),
        Err(_) => Vec::new(),
    }
}

/// What may stand at the caret of an expression that is being typed; the caret counts UTF-16 units.
pub fn complete_filter(study: &Study<'_>, source: &str, caret: u32) -> Vec<Completion> {
    with_inputs(study, |_, inputs| {
        filter::complete(source, caret, &inputs.schema)
    })
}

/// What the samples of a group of score rows pass in the list, and no others; empty where they are all samples.
///
/// Of a group of turns that is a field of the filter they are the samples that have such a turn. `None` where no expression of
/// at most two fields says it, and of groups that are not of samples, as a turn's place or a run.
pub fn group_filter(study: &Study<'_>, scope: &str, key: &str) -> Option<String> {
    with_inputs(study, |study, inputs| filter_of(study, inputs, scope, key))
}

fn filter_of(session: &Session, inputs: &mut ListInputs, scope: &str, key: &str) -> Option<String> {
    let (schema, memory) = (&inputs.schema, &mut inputs.memory);
    let subject = subject(session, schema, &inputs.counts, inputs.beyond.as_ref());
    let (protocol, benchmark) = (&session.loader.protocol, subject.world.benchmark);
    let members = protocol.members(benchmark, scope, key);
    let is_of_turns = protocol.turns(benchmark, scope, key).is_some();
    let members = members.filter(|members| members.contains(&true))?;
    if !is_of_turns && !members.contains(&false) {
        return Some(String::new());
    }
    let everyone = subject.everyone();
    // Other values may say the same where they stand with this one alone; its own name says it best.
    let own = schema
        .groups
        .iter()
        .find(|group| group.names.iter().any(|name| name == scope));
    let own = own.filter(|group| group.values.iter().any(|value| value == key));
    let own = own.map(|group| format!("{}:{}", group.names[0], filter::quoted(key)));
    // Other fields that find the same samples do not say which of their turns are meant.
    let expressions = (!is_of_turns).then(|| expressions(&schema.groups, &members, scope));
    let expressions = expressions.into_iter().flatten();
    let mut expressions = own.into_iter().chain(expressions);
    // Whether it says that and nothing else is seen by asking it.
    expressions.find(|source| {
        let parsed = filter::parse(source, schema);
        parsed.is_ok_and(|parsed| subject.passes(&parsed.expr, &everyone, memory) == members)
    })
}

/// Asks the inputs of the list, which are kept for the next question.
fn with_inputs<T>(study: &Study<'_>, ask: impl FnOnce(&Session, &mut ListInputs) -> T) -> T {
    let mut inputs = inputs_of_list(study);
    inputs.memory.begin(None);
    let found = ask(study, &mut inputs);
    inputs.memory.end();
    study.data.cache.list.put(inputs);
    found
}

/// Asks the inputs of the list as far as so many bytes of replies lead; what comes of a part is thrown away.
fn with_inputs_in_parts<T>(
    study: &Study<'_>,
    bytes: u64,
    ask: impl FnOnce(&Session, &mut ListInputs) -> T,
) -> Option<T> {
    let mut inputs = inputs_of_list(study);
    inputs.memory.begin(Some(bytes));
    let found = ask(study, &mut inputs);
    let is_done = inputs.memory.end();
    if !is_done {
        inputs.last = None;
    }
    study.data.cache.list.put(inputs);
    is_done.then_some(found)
}

/// Takes the inputs out of the cache, built again if anything has changed.
fn inputs_of_list(study: &Study<'_>) -> Box<ListInputs> {
    let options = study.options();
    let kept = study.data.cache.list.take();
    if let Some(inputs) = kept.filter(|inputs| inputs.options == *options) {
        return inputs;
    }
    let beyond = study.scores_with_left_out(options);
    let scores = beyond.as_ref().map_or(study.scores(), |(scores, _)| scores);
    let world = study.world();
    Box::new(ListInputs {
        options: options.clone(),
        schema: schema(study, &world, scores),
        counts: Counts::new(world.benchmark.samples.len(), scores),
        beyond,
        memory: Memory::default(),
        last: None,
    })
}

/// The fields of a filter that are groups of samples: by domain, by category, and by each tag.
fn groups_of(session: &Session, world: &World<'_>) -> Vec<Group> {
    let words = session.loader.protocol.words();
    let is_free = |names: &[String], name: &str| {
        !name.is_empty()
            && !names.iter().any(|known| known == name)
            && !FIELDS.iter().any(|(known, _, _)| *known == name)
    };
    let mut taken: Vec<String> = Vec::new();
    let mut groups = Vec::new();
    let group = |names: [&str; 2], label: &str, taken: &mut Vec<String>| -> Option<Group> {
        let mut own: Vec<String> = Vec::new();
        for name in names.map(as_name) {
            if is_free(taken, &name) && !own.contains(&name) {
                own.push(name);
            }
        }
        taken.extend(own.iter().cloned());
        let keys = |scope: &&juror_model::terms::ScopeInfo| names.contains(&scope.scope.as_str());
        let keys = session
            .data
            .scores()
            .scopes
            .iter()
            .find(keys)
            .map_or_else(Vec::new, |scope| scope.keys.clone());
        (!own.is_empty()).then(|| Group::new(own, label.to_owned(), keys))
    };
    let samples = &world.benchmark.samples;
    if let Some(mut domain) = group([&words.domain, "domain"], &words.domain, &mut taken) {
        for sample in samples {
            domain.push(some(&sample.domain));
        }
        groups.push(domain);
    }
    if let Some(mut category) = group([&words.category, "category"], &words.category, &mut taken) {
        for sample in samples {
            category.push(some(&sample.category));
        }
        groups.push(category);
    }
    let mut scopes: Vec<&str> = Vec::new();
    for (scope, _) in samples.iter().flat_map(|sample| &sample.tags) {
        if !scopes.contains(&&**scope) {
            scopes.push(scope);
        }
    }
    // The rows of a scope may be named by more than the tag, as VIBE's styles by their task too: no value of the tag's.
    let tag_values: std::collections::HashSet<(&str, &str)> = (samples.iter())
        .flat_map(|sample| &sample.tags)
        .map(|(scope, key)| (&**scope, key.as_str()))
        .collect();
    for scope in scopes {
        // A tag that is called as a field of every benchmark is still to be had.
        let as_tag = format!("tag.{scope}");
        let is_plain = is_free(&taken, &as_name(scope));
        let Some(mut tags) = group(
            [if is_plain { scope } else { &as_tag }, ""],
            scope,
            &mut taken,
        ) else {
            continue;
        };
        (tags.values).retain(|key| tag_values.contains(&(scope, key.as_str())));
        for sample in samples {
            let own = sample.tags.iter().filter(|(of, _)| of == scope);
            tags.push(own.map(|(_, key)| key.as_str()));
        }
        groups.push(tags);
    }
    for (scope, by_id) in derived(&*session.loader.protocol, samples) {
        let Some(mut own) = group([scope, ""], scope, &mut taken) else {
            continue;
        };
        for sample in samples {
            let keys = by_id.get(&sample.id).into_iter().flatten();
            own.push(keys.map(String::as_str));
        }
        groups.push(own);
    }
    groups.retain(|group| !group.values.is_empty());
    groups
}

fn schema(session: &Session, world: &World<'_>, scores: &Scores) -> Schema {
    let judges = scores.models.iter().flat_map(|model| &model.judges);
    let mut names: Vec<String> = Vec::new();
    for judge in judges.filter(|judge| !judge.judge.is_empty() && judge.judge != MEASURED) {
        if !names.contains(&judge.judge) {
            names.push(judge.judge.clone());
        }
    }
    let criteria = session.criteria().into_iter();
    Schema {
        groups: groups_of(session, world),
        models: world
            .models
            .iter()
            .map(|model| model.submission.name.clone())
            .collect(),
        judges: names,
        criteria: criteria.map(|info| (info.id, info.short)).collect(),
        labels: labels_set(session),
        subset_scopes: scope_names(session),
    }
}

/// The failure labels that stand on an output, in the order in which they are offered.
fn labels_set(session: &Session) -> Vec<(String, String)> {
    let found = session.labels();
    let set: std::collections::BTreeSet<u32> = (found.outputs.iter())
        .flat_map(super::labelled::Output::labels)
        .collect();
    let label = |at: &u32| &found.labels[*at as usize];
    let set = set.iter().map(label);
    set.map(|label| (label.id.clone(), label.name.clone()))
        .collect()
}

fn subject<'a>(
    session: &'a Session,
    schema: &'a Schema,
    counts: &'a Counts,
    beyond: Option<&'a (Scores, Vec<usize>)>,
) -> Subject<'a> {
    Subject {
        session,
        world: session.world(),
        scores: beyond.map_or(session.data.scores(), |(scores, _)| scores),
        schema,
        counts,
        in_force: beyond.map_or(&[], |(_, in_force)| in_force),
    }
}

fn listed(session: &Session, inputs: &mut ListInputs, query: &SampleQuery) -> Listed {
    let key = SampleQuery {
        from: 0,
        len: None,
        around: String::new(),
        ..query.clone()
    };
    if let Some((_, listed)) = inputs.last.take().filter(|(known, _)| *known == key) {
        inputs.last = Some((key, listed.clone()));
        return listed;
    }
    let listed = list(session, inputs, query);
    inputs.last = Some((key, listed.clone()));
    listed
}

/// The draw of a query for so many samples of each group.
fn per(query: &SampleQuery) -> Subset {
    Subset {
        scope: query.per.clone(),
        n: query.limit,
        seed: query.seed,
    }
}

/// Sorts samples as a query asks, and keeps of a draw what is drawn.
fn put_in_order(
    session: &Session,
    query: &SampleQuery,
    samples: &[Sample],
    order: &mut Vec<(u32, Option<f64>)>,
) {
    match query.sort {
        SampleSort::Index => {}
        SampleSort::Random => {
            order.sort_small_by_cached_key(|(at, _)| {
                place_of(query.seed, &samples[*at as usize].id)
            });
            if query.limit > 0 && query.per.is_empty() {
                order.truncate(query.limit as usize);
            } else if query.limit > 0 {
                let drawn = is_drawn(session, Some(&per(query)));
                order.retain(|(at, _)| drawn[*at as usize]);
            }
        }
        // A sample without a value goes to the end in either direction.
        SampleSort::ScoreAsc => order.sort_small_by(|(_, a), (_, b)| {
            a.unwrap_or(f64::INFINITY)
                .total_cmp(&b.unwrap_or(f64::INFINITY))
        }),
        _ => order.sort_small_by(|(_, a), (_, b)| {
            b.unwrap_or(f64::NEG_INFINITY)
                .total_cmp(&a.unwrap_or(f64::NEG_INFINITY))
        }),
    }
}

fn list(session: &Session, inputs: &mut ListInputs, query: &SampleQuery) -> Listed {
    let ListInputs {
        schema,
        counts,
        memory,
        beyond,
        ..
    } = inputs;
    let subject = subject(session, schema, counts, beyond.as_ref());
    let samples = &subject.world.benchmark.samples;
    let parsed = match filter::parse(&query.q, schema) {
        Ok(parsed) => parsed,
        // While nothing is open, every name is unknown.
        Err(_) if samples.is_empty() => return Listed::default(),
        Err(fault) => {
            return Listed {
                fault: Some(fault),
                ..Listed::default()
            };
        }
    };
    let everyone = subject.everyone();
    let passes = subject.passes(&parsed.expr, &everyone, memory);
    let scope = match &parsed.expr {
        Expr::All(parts) => everyone.of(parts),
        _ => everyone.clone(),
    };
    let named = pair_of(schema, &scope, query);
    let of_criterion = subject.by_criterion(&query.criterion, &scope);
    let shown = subject.shown(&scope);
    // What is measured is so under every judge.
    let is_measured = is_measured(&query.criterion);
    let score = |model: usize, sample: usize| match &of_criterion {
        Some(values) => values[model][sample],
        None => shown.score(model, sample),
    };
    let compared = if is_measured {
        &scope.models
    } else {
        &shown.compared
    };
    let pair = named.filter(|(a, b)| is_measured || shown.is_by_one_judge(*a, *b));
    let value = |at: u32| {
        let sample = at as usize;
        let scores = || compared.iter().filter_map(|model| score(*model, sample));
        match query.sort {
            SampleSort::Index | SampleSort::Random => None,
            SampleSort::ScoreAsc | SampleSort::ScoreDesc => filter::mean(scores()),
            SampleSort::Spread => filter::distance(scores()),
            SampleSort::Disagreement => subject.disagreement(sample, &scope),
            SampleSort::Difference => {
                let (a, b) = pair?;
                let (a, b) = (score(a, sample), score(b, sample));
                a.zip(b).map(|(a, b)| a - b)
            }
        }
    };
    let passing = (0u32..).zip(&passes).filter(|(_, passes)| **passes);
    let mut order: Vec<(u32, Option<f64>)> = passing.map(|(at, _)| (at, value(at))).collect();
    put_in_order(session, query, samples, &mut order);
    Listed {
        matched: num_passing(&passes),
        order,
        scope: Some(scope),
        pair: named,
        fault: None,
    }
}

fn window(
    session: &Session,
    inputs: &ListInputs,
    query: &SampleQuery,
    listed: &Listed,
) -> SampleList {
    let subject = subject(
        session,
        &inputs.schema,
        &inputs.counts,
        inputs.beyond.as_ref(),
    );
    let samples = &subject.world.benchmark.samples;
    let scope = listed.scope.clone().unwrap_or_else(|| subject.everyone());
    let from = (query.from as usize).min(listed.order.len());
    let len = query.len.map_or(usize::MAX, |len| len as usize);
    let rows = listed.order[from..].iter().take(len);
    let scores = subject.shown(&scope);
    let id_at = |at: Option<usize>| Some(samples[listed.order.get(at?)?.0 as usize].id.clone());
    let around = subject
        .world
        .benchmark
        .index_of(&query.around)
        .filter(|_| !query.around.is_empty());
    let position = around.and_then(|sample| listed.order.iter().position(|(at, _)| *at == sample));
    SampleList {
        total: count(samples.len()),
        matched: listed.matched,
        listed: count(listed.order.len()),
        models: inputs.schema.models.clone(),
        chosen: scope.models.iter().map(|at| count(*at)).collect(),
        pair: listed.pair.map(|(a, b)| (count(a), count(b))),
        judges: subject.judges(&scope),
        from: count(from),
        rows: rows
            .map(|(at, value)| sample_row(&subject, &scope, &scores, (*at as usize, *value)))
            .collect(),
        around: position.map(|position| Neighbours {
            position: count(position),
            previous: id_at(position.checked_sub(1)),
            next: id_at(Some(position + 1)),
        }),
        fault: listed.fault.clone(),
    }
}

fn count_facets(
    session: &Session,
    inputs: &mut ListInputs,
    source: &str,
    parsed: &Parsed,
) -> Vec<Facet> {
    let ListInputs {
        schema,
        counts,
        memory,
        beyond,
        ..
    } = inputs;
    let subject = subject(session, schema, counts, beyond.as_ref());
    let everyone = subject.everyone();
    let (parts, passes): (&[Clause], Vec<Passes>) = match &parsed.expr {
        Expr::All(parts) => {
            let scope = everyone.of(parts);
            let passes = parts.iter();
            let passes = passes.map(|part| subject.passes(&part.expr, &scope, memory));
            (parts, passes.collect())
        }
        other => (&[], vec![subject.passes(other, &everyone, memory)]),
    };
    let counter = Counter {
        subject,
        scope: everyone.of(parts),
        source,
        parsed,
        parts,
        passes,
    };
    let mut facets = counter.groups();
    if !schema.models.is_empty() {
        facets.push(counter.models(memory));
        // With one judge there is nothing to choose.
        let has_choice = beyond.is_some() || !subject.judges(&everyone).is_empty();
        if has_choice && !schema.judges.is_empty() {
            facets.push(counter.judges(memory));
        }
        facets.extend([counter.judged(), counter.incidents()]);
        if !schema.labels.is_empty() {
            facets.push(counter.labels());
        }
    }
    facets
}

/// Counts the samples that each value of a field would leave.
struct Counter<'a> {
    subject: Subject<'a>,
    scope: Scope,
    source: &'a str,
    parsed: &'a Parsed,
    parts: &'a [Clause],
    /// Which samples pass each of the parts; of alternatives, all of them together.
    passes: Vec<Passes>,
}

impl Counter<'_> {
    /// Samples that pass without the field's own values, so that its other values show what they would add.
    fn without(&self, field: Field) -> Vec<usize> {
        let is_own = |at: usize| {
            let list = self.parts.get(at).and_then(|part| part.list.as_ref());
            list.is_some_and(|(of, _)| *of == field)
        };
        let others: Vec<&Passes> = self
            .passes
            .iter()
            .enumerate()
            .filter(|(at, _)| !is_own(*at))
            .map(|(_, passes)| passes)
            .collect();
        (0..self.subject.world.benchmark.samples.len())
            .filter(|at| others.iter().all(|passes| passes[*at]))
            .collect()
    }

    fn facet(
        &self,
        field: Field,
        label: &str,
        values: impl Iterator<Item = (String, String, u32)>,
    ) -> Facet {
        let schema = self.subject.schema;
        let value = |(value, label, count): (String, String, u32)| FacetValue {
            is_active: filter::lists(self.parsed, field).any(|(_, values)| {
                let mut values = values.iter();
                values.any(|known| known.eq_ignore_ascii_case(&value))
            }),
            toggled: filter::toggled(self.source, self.parsed, schema, field, &value),
            value,
            label,
            count,
            scored: None,
        };
        Facet {
            field: match field {
                Field::Fixed(at) => FIELDS[at].0.to_owned(),
                Field::Group(at) => schema.groups[at].names[0].clone(),
            },
            label: label.to_owned(),
            values: values.map(value).collect(),
        }
    }

    fn groups(&self) -> Vec<Facet> {
        let groups = self.subject.schema.groups.iter().enumerate();
        let counted = groups.filter(|(_, group)| group.values.len() > 1);
        let facet = |(at, group): (usize, &Group)| {
            let field = Field::Group(at);
            let mut counts = vec![0; group.values.len()];
            for sample in self.without(field) {
                for value in group.of(sample) {
                    counts[*value as usize] += 1;
                }
            }
            let values = group.values.iter().zip(counts);
            let values = values.map(|(value, count)| (value.clone(), value.clone(), count));
            self.facet(field, &group.label, values)
        };
        counted.map(facet).collect()
    }

    fn models(&self, memory: &mut Memory) -> Facet {
        let field = field_named(self.subject.schema, "model");
        let samples = self.without(field);
        let names = self.subject.schema.models.iter().enumerate();
        let values = names.map(|(at, name)| {
            let scope = Scope {
                models: vec![at],
                ..self.scope.clone()
            };
            let left = self.left_under(field, &scope, memory);
            (name.clone(), name.clone(), left)
        });
        let facet = self.facet(field, "model", values);
        // A judge that the filter names holds here as well; its other models do not.
        let shown = self.subject.shown(&self.scope);
        with_scored(facet, |model| {
            let score = |sample: &&usize| shown.score(model, **sample);
            count(samples.iter().filter(|at| score(at).is_some()).count())
        })
    }

    /// Replies that name no judge cannot be chosen.
    fn judges(&self, memory: &mut Memory) -> Facet {
        let field = field_named(self.subject.schema, "judge");
        let samples = self.without(field);
        let under = |judge: usize| Scope {
            judges: Some(vec![judge]),
            ..self.scope.clone()
        };
        let names = self.subject.schema.judges.iter().enumerate();
        let values = names.map(|(at, name)| {
            let left = self.left_under(field, &under(at), memory);
            (name.clone(), name.clone(), left)
        });
        let facet = self.facet(field, "judge", values);
        // Samples on which the judge scored one of the chosen models.
        with_scored(facet, |judge| {
            let scope = under(judge);
            let shown = self.subject.shown(&scope);
            let has_score = |sample: &&usize| {
                let mut models = scope.models.iter();
                models.any(|model| shown.score(*model, **sample).is_some())
            };
            count(samples.iter().filter(has_score).count())
        })
    }

    /// The number of samples that remain if only this model or judge is chosen: the other conditions then look at it.
    fn left_under(&self, field: Field, scope: &Scope, memory: &mut Memory) -> u32 {
        if self.parts.is_empty() {
            // Alternatives each look at what they name themselves.
            return count(self.without(field).len());
        }
        let mut left: Passes = vec![true; self.subject.world.benchmark.samples.len()];
        for part in self.parts {
            if part.list.as_ref().is_some_and(|(of, _)| *of == field) {
                continue;
            }
            let passes = self.subject.passes(&part.expr, scope, memory);
            for (left, passes) in left.iter_mut().zip(passes) {
                *left &= passes;
            }
        }
        num_passing(&left)
    }

    fn judged(&self) -> Facet {
        let field = field_named(self.subject.schema, "judged");
        let mut numbers = Judged::ALL.map(|_| 0);
        let tally = self.subject.tally(&self.scope);
        for sample in self.without(field) {
            let state = tally.judged(sample);
            for (number, (of, _, _)) in numbers.iter_mut().zip(Judged::ALL) {
                *number += u32::from(state == of);
            }
        }
        let values = Judged::ALL.into_iter().zip(numbers);
        let values =
            values.map(|((_, value, label), number)| (value.to_owned(), label.to_owned(), number));
        self.facet(field, "judging", values)
    }

    fn labels(&self) -> Facet {
        let schema = self.subject.schema;
        let field = field_named(schema, "label");
        let known = (0..).zip(&schema.labels);
        let known = known.map(|(at, (id, name))| (LabelTest::One(at), &**id, &**name));
        let values = LABEL_STATES.into_iter().chain(known);
        let mut values: Vec<_> = values.map(|value| (value, 0)).collect();
        let labelled = self.subject.labelled(&self.scope);
        for sample in self.without(field) {
            for ((test, _, _), number) in &mut values {
                *number += u32::from(labelled[sample].has(*test));
            }
        }
        let values = values.into_iter();
        let values =
            values.map(|((_, value, label), number)| (value.to_owned(), label.to_owned(), number));
        self.facet(field, "failure", values)
    }

    fn incidents(&self) -> Facet {
        let field = field_named(self.subject.schema, "incident");
        let kinds = IncidentKind::ALL.into_iter();
        let kinds = kinds.map(|kind| (IncidentTest::Kind(kind), kind.id(), kind.label()));
        let values = filter::INCIDENT_STATES.into_iter().chain(kinds);
        let mut values: Vec<_> = values.map(|value| (value, 0)).collect();
        let tally = self.subject.tally(&self.scope);
        for sample in self.without(field) {
            let units = tally.units(sample);
            for ((test, _, _), number) in &mut values {
                *number += u32::from(units.has(*test));
            }
        }
        let values = values
            .into_iter()
            .filter_map(|((test, value, label), number)| {
                // Where nothing was measured nobody asks for what measuring met.
                let is_idle =
                    matches!(test, IncidentTest::Kind(kind) if kind.is_of_measure()) && number == 0;
                (!is_idle).then(|| (value.to_owned(), label.to_owned(), number))
            });
        self.facet(field, "incident", values)
    }
}

/// The facet with how many samples each of its values scored.
fn with_scored(mut facet: Facet, scored: impl Fn(usize) -> u32) -> Facet {
    for (at, value) in facet.values.iter_mut().enumerate() {
        value.scored = Some(scored(at));
    }
    facet
}

/// Expressions that may let these samples through and no others, those that say it best first.
///
/// The values that no other sample has say it where they hold all of them; else it takes two fields, as of VIBE's styles
/// within one task.
fn expressions(groups: &[Group], members: &[bool], scope: &str) -> Vec<String> {
    let mut own: Vec<&Group> = groups.iter().collect();
    own.sort_small_by_key(|group| !group.names.iter().any(|name| name == scope));
    let mut inner = Vec::new();
    let mut outer = Vec::new();
    for group in own {
        let (mut inside, mut outside) = (
            vec![false; group.values.len()],
            vec![false; group.values.len()],
        );
        for (sample, is_member) in members.iter().enumerate() {
            let of = if *is_member {
                &mut inside
            } else {
                &mut outside
            };
            for value in group.of(sample) {
                of[*value as usize] = true;
            }
        }
        let list = |has: &dyn Fn(usize) -> bool| {
            let values = (0..group.values.len()).filter(|at| has(*at));
            let values: Vec<String> = values.map(|at| filter::quoted(&group.values[at])).collect();
            let is_short = (1..=MAX_LISTED_VALUES).contains(&values.len());
            is_short.then(|| format!("{}:{}", group.names[0], values.join(",")))
        };
        inner.extend(list(&|at| inside[at] && !outside[at]));
        outer.extend(list(&|at| inside[at]));
    }
    let pairs = outer.iter().enumerate().flat_map(|(at, first)| {
        let others = outer[at + 1..].iter();
        others.map(move |second| format!("{first} {second}"))
    });
    inner.into_iter().chain(pairs).collect()
}

/// The value, unless it is empty.
fn some(value: &str) -> impl Iterator<Item = &str> {
    (!value.is_empty()).then_some(value).into_iter()
}

/// The field of this name, which every benchmark has.
fn field_named(schema: &Schema, name: &str) -> Field {
    schema.field(name).unwrap_or(Field::Fixed(0))
}

/// The two models of a difference: those named, else those that the filter chooses, else the first ones.
fn pair_of(schema: &Schema, scope: &Scope, query: &SampleQuery) -> Option<(usize, usize)> {
    let named = |name: &str| schema.models.iter().position(|model| model == name);
    let chosen = scope.models.iter().copied();
    let a = named(&query.a).or_else(|| chosen.clone().find(|at| Some(*at) != named(&query.b)))?;
    let all = 0..schema.models.len();
    let b = named(&query.b).or_else(|| chosen.chain(all).find(|at| *at != a))?;
    Some((a, b))
}

fn sample_row(
    subject: &Subject<'_>,
    scope: &Scope,
    scores: &Shown<'_>,
    (at, value): (usize, Option<f64>),
) -> SampleListRow {
    let world = &subject.world;
    let sample = &world.benchmark.samples[at];
    let kind = |kind: TurnKind| count(sample.turns.iter().filter(|turn| turn.kind == kind).count());
    let base = world.benchmark.turn_slot(count(at), 0).unwrap_or(0) as usize;
    let shown = shown_turn(world, count(at));
    // Every model is shown, by the judges that the filter names.
    let cells = world.models.iter().enumerate().map(|(model_at, model)| {
        let units = subject.units(model_at, at, scope);
        let outputs = sample
            .turns
            .iter()
            .enumerate()
            .filter(|(_, turn)| turn.kind == TurnKind::Image);
        SampleCell {
            score: scores.score(model_at, at),
            scored: units.scored,
            expected: units.expected,
            incidents: units.incidents(),
            shown: shown.and_then(|turn| picture_at(model, base + turn as usize)),
            outputs: outputs
                .filter_map(|(turn, _)| {
                    model.submission.outputs.get(base + turn).copied().flatten()
                })
                .take(MAX_OUTPUTS)
                .collect(),
        }
    });
    SampleListRow {
        id: sample.id.clone(),
        domain: sample.domain.clone(),
        category: sample.category.to_string(),
        instruction: sample
            .turns
            .first()
            .map(|turn| turn.instruction.clone())
            .unwrap_or_default(),
        shown_turn: shown.filter(|_| sample.turns.len() > 1),
        picture_turns: kind(TurnKind::Image),
        text_turns: kind(TurnKind::Text),
        pictures: sample.pictures.iter().map(|picture| picture.file).collect(),
        cells: cells.collect(),
        value,
    }
}
