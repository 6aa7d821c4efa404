//! The sample list: filter, search, sort.

use super::Session;
use super::count;
use crate::protocol::{IncidentKind, Sample, Scores, TurnKind, World};
use crate::view::{SampleCell, SampleList, SampleListRow, SampleQuery};

impl Session {
    /// The filtered and sorted sample list.
    pub fn samples(&mut self, query: &SampleQuery) -> SampleList {
        self.score(&query.options);
        let world = self.world();
        let scores = self.scores();
        let wanted_model = world
            .models
            .iter()
            .position(|model| model.submission.name == query.model);
        let words: Vec<String> = query
            .text
            .split_whitespace()
            .map(str::to_lowercase)
            .collect();
        let per_sample = PerSample::new(&world, scores);
        let mut rows: Vec<(usize, SampleListRow)> = Vec::new();
        for (at, sample) in world.benchmark.samples.iter().enumerate() {
            let is_wanted = (query.category.is_empty() || sample.category == query.category)
                && (query.domain.is_empty() || sample.domain == query.domain)
                && per_sample.has_incident(at, wanted_model, &query.incident)
                && (words.is_empty() || self.matches(&world, at, sample, &words));
            if is_wanted {
                rows.push((at, sample_row(&world, scores, &per_sample, at, sample)));
            }
        }
        let score = |row: &SampleListRow| {
            if let Some(model) = wanted_model {
                return row.cells[model].score;
            }
            let scores: Vec<f64> = row.cells.iter().filter_map(|cell| cell.score).collect();
            (!scores.is_empty()).then(|| scores.iter().sum::<f64>() / scores.len() as f64)
        };
        let spread = |row: &SampleListRow| {
            let scores = || row.cells.iter().filter_map(|cell| cell.score);
            scores()
                .reduce(f64::max)
                .zip(scores().reduce(f64::min))
                .map(|(max, min)| max - min)
        };
        // A sample without a score goes to the end in either direction.
        let ascending = |key: Option<f64>| key.unwrap_or(f64::INFINITY);
        let descending = |key: Option<f64>| -key.unwrap_or(f64::NEG_INFINITY);
        match query.sort.as_str() {
            "score_asc" => {
                rows.sort_by(|(_, a), (_, b)| ascending(score(a)).total_cmp(&ascending(score(b))));
            }
            "score_desc" => {
                rows.sort_by(|(_, a), (_, b)| {
                    descending(score(a)).total_cmp(&descending(score(b)))
                });
            }
            "spread" => rows
                .sort_by(|(_, a), (_, b)| descending(spread(a)).total_cmp(&descending(spread(b)))),
            _ => {}
        }
        SampleList {
            total: count(world.benchmark.samples.len()),
            models: world
                .models
                .iter()
                .map(|model| model.submission.name.clone())
                .collect(),
            rows: rows.into_iter().map(|(_, row)| row).collect(),
        }
    }

    /// Whether every word occurs somewhere in the sample: texts, answers, replies, names.
    fn matches(&self, world: &World<'_>, at: usize, sample: &Sample, words: &[String]) -> bool {
        let mut texts: Vec<&str> = vec![&sample.id, &sample.domain, &sample.category];
        texts.extend(sample.details.iter().map(|(_, text)| text.as_str()));
        for turn in &sample.turns {
            texts.extend([turn.instruction.as_str(), &turn.answer]);
            texts.extend(
                turn.key_points
                    .iter()
                    .flat_map(|point| [point.key.as_str(), &point.text]),
            );
        }
        texts.extend(sample.pictures.iter().map(|picture| picture.path.as_str()));
        let base = world.benchmark.turn_slot(count(at), 0).unwrap_or(0);
        for model in world.models {
            for slot in base..base + count(sample.turns.len()) {
                texts.extend(model.answers.get(&slot).map(String::as_str));
            }
        }
        let text = texts.join(" ").to_lowercase();
        let mut missing: Vec<&String> = words.iter().filter(|word| !text.contains(*word)).collect();
        if missing.is_empty() {
            return true;
        }
        for model in world.models {
            for given in model
                .given
                .iter()
                .filter(|given| given.sample.get() == Some(count(at)))
            {
                let raw = self.raw(given).to_lowercase();
                missing.retain(|word| !raw.contains(*word));
            }
        }
        missing.is_empty()
    }
}

fn sample_row(
    world: &World<'_>,
    scores: &Scores,
    per_sample: &PerSample,
    at: usize,
    sample: &Sample,
) -> SampleListRow {
    let kind = |kind: TurnKind| count(sample.turns.iter().filter(|turn| turn.kind == kind).count());
    let base = world.benchmark.turn_slot(count(at), 0).unwrap_or(0) as usize;
    let cells = world.models.iter().zip(&scores.models).enumerate().map(
        |(model_at, (model, model_scores))| {
            let tally = per_sample.cells[model_at * per_sample.num_samples + at];
            let outputs = sample
                .turns
                .iter()
                .enumerate()
                .filter(|(_, turn)| turn.kind == TurnKind::Image);
            SampleCell {
                score: model_scores
                    .judges
                    .first()
                    .and_then(|judge| judge.totals[at]),
                scored: tally.scored,
                expected: tally.expected,
                incidents: tally.incidents.iter().sum(),
                outputs: outputs
                    .filter_map(|(turn, _)| {
                        model.submission.outputs.get(base + turn).copied().flatten()
                    })
                    .take(4)
                    .collect(),
            }
        },
    );
    SampleListRow {
        id: sample.id.clone(),
        domain: sample.domain.clone(),
        category: sample.category.to_string(),
        instruction: sample
            .turns
            .first()
            .map(|turn| turn.instruction.clone())
            .unwrap_or_default(),
        picture_turns: kind(TurnKind::Image),
        text_turns: kind(TurnKind::Text),
        pictures: sample.pictures.iter().map(|picture| picture.file).collect(),
        cells: cells.collect(),
    }
}

/// Units counted per model and sample.
struct PerSample {
    num_samples: usize,
    cells: Vec<UnitCounts>,
}

#[derive(Clone, Copy, Default)]
struct UnitCounts {
    scored: u32,
    expected: u32,
    incidents: [u32; IncidentKind::ALL.len()],
}

impl PerSample {
    fn new(world: &World<'_>, scores: &Scores) -> Self {
        let num_samples = world.benchmark.samples.len();
        let mut cells = vec![UnitCounts::default(); num_samples * scores.models.len()];
        for (at, model) in scores.models.iter().enumerate() {
            for unit in model.judges.iter().flat_map(|judge| &judge.units) {
                let cell = &mut cells[at * num_samples + unit.sample as usize];
                cell.expected += 1;
                match unit.incident {
                    None => cell.scored += 1,
                    Some(kind) => cell.incidents[kind as usize] += 1,
                }
            }
        }
        Self { num_samples, cells }
    }

    fn has_incident(&self, sample: usize, model: Option<usize>, kind: &str) -> bool {
        if kind.is_empty() {
            return true;
        }
        let mut cells = self
            .cells
            .iter()
            .skip(sample)
            .step_by(self.num_samples.max(1))
            .enumerate();
        cells.any(|(at, cell)| {
            model.is_none_or(|model| model == at)
                && IncidentKind::ALL.iter().any(|known| {
                    (kind == "any" || known.id() == kind) && cell.incidents[*known as usize] > 0
                })
        })
    }
}
