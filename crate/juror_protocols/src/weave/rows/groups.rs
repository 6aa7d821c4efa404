//! The groups that scores are given for.

use crate::weave::CATEGORIES;
use crate::weave::request::context;
use juror_model::linked::World;
use juror_model::sample::{Benchmark, Sample, TurnKind};

/// What a turn asks for, as [`context::class`] has it: a picture from nothing, from one picture, from several; a text.
const CLASSES: [&str; 4] = ["t2i", "edit", "fusion", "vqa"];

/// All groups that scores are given for, numbered.
pub(in crate::weave) struct Groups {
    pub(super) domains: Vec<String>,
    /// Per domain: position of its category.
    pub(super) categories: Vec<Option<usize>>,
    pub(super) num_turns: u32,
    /// Per sample of the benchmark: its domain.
    pub(super) of_sample: Vec<u16>,
    /// Per turn by slot.
    kinds: Vec<Kind>,
    num_histories: usize,
}

/// The task of a turn, and the turns before it.
#[derive(Clone, Copy, Debug)]
struct Kind {
    /// Position in [`CLASSES`].
    class: usize,
    /// Turns of its dialogue before it that ask for a picture.
    history: usize,
}

/// The kinds of a dialogue's turns, in their order.
fn kinds_of(sample: &Sample) -> impl Iterator<Item = Kind> {
    let mut history = 0;
    sample.turns.iter().map(move |turn| {
        let class = context::class(&turn.instruction, turn.kind);
        let class = CLASSES.iter().position(|known| *known == class);
        let kind = Kind {
            class: class.unwrap_or(0),
            history,
        };
        history += usize::from(turn.kind == TurnKind::Image);
        kind
    })
}

/// Every turn's kind, by slot.
fn kinds(benchmark: &Benchmark) -> Vec<Kind> {
    benchmark.samples.iter().flat_map(kinds_of).collect()
}

/// The classes and histories that a dialogue's turns are of, each once, classes first.
pub(super) fn of_turns(sample: &Sample) -> Vec<(&'static str, String)> {
    let kinds: Vec<Kind> = kinds_of(sample).collect();
    let classes = (0..CLASSES.len()).filter(|class| kinds.iter().any(|kind| kind.class == *class));
    let classes = classes.map(|class| ("class", CLASSES[class].to_owned()));
    let mut histories: Vec<usize> = kinds.iter().map(|kind| kind.history).collect();
    histories.dedup();
    let histories = histories.into_iter();
    let histories = histories.map(|history| ("history", history.to_string()));
    classes.chain(histories).collect()
}

/// Which turns a class or a history is of, by slot; `None` of other scopes.
pub(super) fn turns(benchmark: &Benchmark, scope: &str, key: &str) -> Option<Vec<bool>> {
    let is_in: fn(&Kind, &str) -> bool = match scope {
        "class" => |kind, key| CLASSES[kind.class] == key,
        "history" => |kind, key| key.parse() == Ok(kind.history),
        _ => return None,
    };
    let kinds = kinds(benchmark);
    Some(kinds.iter().map(|kind| is_in(kind, key)).collect())
}

impl Groups {
    pub(in crate::weave) fn new(world: &World<'_>) -> Self {
        let samples = &world.benchmark.samples;
        let mut groups = Self {
            domains: Vec::new(),
            categories: Vec::new(),
            num_turns: 0,
            of_sample: Vec::new(),
            num_histories: 0,
            kinds: kinds(world.benchmark),
        };
        let histories = groups.kinds.iter().map(|kind| kind.history + 1);
        groups.num_histories = histories.max().unwrap_or(0);
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
    pub(super) fn domain(&mut self, name: &str) -> u16 {
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

    pub(super) fn find_domain(&self, name: &str) -> Option<usize> {
        self.domains.iter().position(|known| known == name)
    }

    /// How many groups a turn may be in besides those of its domain and its place: classes, then histories.
    pub(super) fn num_slices(&self) -> usize {
        CLASSES.len() + self.num_histories
    }

    /// The class and the history of a turn, among those of [`Self::num_slices`].
    pub(super) fn slices_of(&self, slot: u32) -> [usize; 2] {
        let kind = self.kinds[slot as usize];
        [kind.class, CLASSES.len() + kind.history]
    }

    /// Scope and key of every cell, in display order: overall, categories, domains, turns, classes, histories.
    pub(super) fn labels(&self) -> Vec<(&'static str, String)> {
        let mut labels = vec![("overall", "all".to_owned())];
        labels.extend(
            CATEGORIES
                .iter()
                .map(|(category, _)| ("category", (*category).to_owned())),
        );
        labels.extend(self.domains.iter().map(|domain| ("domain", domain.clone())));
        labels.extend((0..self.num_turns).map(|turn| ("turn", turn.to_string())));
        labels.extend(CLASSES.map(|class| ("class", class.to_owned())));
        labels.extend((0..self.num_histories).map(|count| ("history", count.to_string())));
        labels
    }
}
