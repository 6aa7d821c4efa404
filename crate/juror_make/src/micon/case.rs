//! What a case is made of: its slots, drawn from the pools by the seed.

use std::collections::BTreeMap;

use juror_protocols::micon::{STORY, TASKS};
use serde::{Deserialize, Serialize};

use super::pools::Pools;
use crate::Error;
use crate::draws::{Draws, Numbers};

/// The kinds of story.
pub const STORY_KINDS: [&str; 3] = [
    "a physical change of a thing",
    "an everyday cause and its effect",
    "the continuation of an action",
];
/// Names of the references, in order.
const LETTERS: [&str; 5] = ["A", "B", "C", "D", "E"];
/// Relations of the first thing to the second, each beside its reverse.
const RELATIONS: [&str; 6] = [
    "to the left of",
    "to the right of",
    "in front of",
    "behind",
    "above",
    "below",
];

/// A case with its draw.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Case {
    /// Folder name of the task.
    pub task: String,
    /// `case_0001`.
    pub id: String,
    /// How many references it has.
    pub refs: u32,
    /// Slot and word; reference prompts and the case's prompt are filled from the same draw.
    pub draw: BTreeMap<String, String>,
}

impl Case {
    /// `story_infer/case_0001`.
    pub fn thing(&self) -> String {
        format!("{}/{}", self.task, self.id)
    }

    /// The letters of its references.
    pub fn letters(&self) -> impl Iterator<Item = &'static str> {
        LETTERS.into_iter().take(self.refs as usize)
    }

    /// The word of a slot; empty where it has none.
    pub fn slot(&self, name: &str) -> &str {
        self.draw.get(name).map_or("", String::as_str)
    }

    /// Whether it is a story.
    pub fn is_story(&self) -> bool {
        self.task == STORY
    }
}

/// So many cases of a task with so many references.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Count {
    /// Folder name of the task.
    pub task: String,
    /// References of each.
    pub refs: u32,
    /// How many.
    pub cases: u32,
}

impl std::str::FromStr for Count {
    type Err = Error;

    /// `object:2=100`: a task by its folder or its short name, the number of references, the number of cases.
    fn from_str(text: &str) -> Result<Self, Error> {
        let bad = || {
            Error::Setting(format!(
                "Expected TASK:REFERENCES=CASES such as object:2=100, found {text}; tasks are object, spatial, attribute, component, fg_bg and story."
            ))
        };
        let (name, cases) = text.split_once('=').ok_or_else(bad)?;
        let (name, refs) = name.split_once(':').ok_or_else(bad)?;
        let refs: u32 = refs.parse().map_err(|_| bad())?;
        let cases: u32 = cases.parse().map_err(|_| bad())?;
        let short = [
            "object",
            "spatial",
            "attribute",
            "component",
            "fg_bg",
            "story",
        ];
        let known = TASKS.iter().zip(short);
        let task = known
            .into_iter()
            .find(|(task, short)| task.id == name || *short == name);
        let (task, _) = task.ok_or_else(bad)?;
        let allowed = references_of(task.id);
        if !allowed.contains(&refs) || cases > 9999 {
            return Err(Error::Setting(format!(
                "{name} has cases of {} to {} references and at most 9999 cases, found {text}.",
                allowed.start(),
                allowed.end()
            )));
        }
        Ok(Self {
            task: task.id.to_owned(),
            refs,
            cases,
        })
    }
}

/// How many references cases of a task may have.
fn references_of(task: &str) -> std::ops::RangeInclusive<u32> {
    match task {
        "object_composition" => 2..=5,
        "attribute_style_decoupling" => 3..=3,
        "foreground_background_composition" => 2..=2,
        _ => 2..=3,
    }
}

/// The paper's numbers of cases.
pub fn published_counts() -> Vec<Count> {
    let of = |at: usize, refs, cases| Count {
        task: TASKS[at].id.to_owned(),
        refs,
        cases,
    };
    vec![
        of(0, 2, 118),
        of(0, 3, 82),
        of(1, 2, 102),
        of(1, 3, 98),
        of(2, 3, 100),
        of(3, 2, 119),
        of(3, 3, 121),
        of(4, 2, 200),
        of(5, 2, 72),
        of(5, 3, 31),
    ]
}

/// Draws all cases; case numbers go on through the counts of a task.
pub fn draw(seed: u64, counts: &[Count], pools: &Pools) -> Vec<Case> {
    let mut numbers: BTreeMap<&str, u32> = BTreeMap::new();
    let mut cases = Vec::new();
    for count in counts {
        for at in 0..count.cases {
            let number = numbers.entry(&count.task).or_default();
            *number += 1;
            let refs = count.refs.to_string();
            let name = ["micon-case/1", count.task.as_str(), &refs, &at.to_string()];
            let mut draws = Draws::new(seed, &name);
            cases.push(Case {
                task: count.task.clone(),
                id: format!("case_{number:04}"),
                refs: count.refs,
                draw: slots(&count.task, count.refs, at, pools, &mut draws),
            });
        }
    }
    cases
}

type Slots = BTreeMap<String, String>;

fn slots(task: &str, refs: u32, at: u32, pools: &Pools, draws: &mut Draws) -> Slots {
    let mut slots = Slots::new();
    match task {
        "object_composition" | "spatial_geometric_constraints" => {
            things(refs, pools, draws, &mut slots);
            together(refs, at, pools, draws, &mut slots);
            if task == "spatial_geometric_constraints" && refs == 2 {
                // Each relation as often as its reverse, whatever the seed.
                let relation = RELATIONS[at as usize % RELATIONS.len()];
                slots.insert("relation".to_owned(), relation.to_owned());
            }
        }
        "foreground_background_composition" => things(refs, pools, draws, &mut slots),
        "attribute_style_decoupling" => {
            subject("A", pools, draws, &mut slots);
            for (slot, pool) in [
                ("style", &pools.style),
                ("style_object", &pools.style_object),
            ] {
                put(slot, pool, draws, &mut slots);
            }
            let scenes = some(2, &pools.scene, draws);
            for (slot, scene) in ["A.scene", "background"].into_iter().zip(scenes) {
                slots.insert(slot.to_owned(), scene);
            }
        }
        "local_element_transfer" => component(refs, at, pools, draws, &mut slots),
        _ => {
            let kind = STORY_KINDS[at as usize % STORY_KINDS.len()];
            slots.insert("kind".to_owned(), kind.to_owned());
            put("scene", &pools.scene, draws, &mut slots);
        }
    }
    slots
}

fn put(slot: &str, pool: &[String], draws: &mut Draws, slots: &mut Slots) {
    slots.insert(
        slot.to_owned(),
        draws.choose(pool).cloned().unwrap_or_default(),
    );
}

/// So many different words of a pool, in a drawn order.
fn some(count: usize, pool: &[String], draws: &mut Draws) -> Vec<String> {
    let mut words = pool.to_vec();
    draws.shuffle(&mut words);
    words.truncate(count);
    words
}

/// A subject for a reference; every other one, on average, has an attribute.
fn subject(letter: &str, pools: &Pools, draws: &mut Draws, slots: &mut Slots) {
    put(&format!("{letter}.subject"), &pools.subject, draws, slots);
    attribute(letter, pools, draws, slots);
}

fn attribute(letter: &str, pools: &Pools, draws: &mut Draws, slots: &mut Slots) {
    if draws.below(2) == 1 {
        put(
            &format!("{letter}.attribute"),
            &pools.attribute,
            draws,
            slots,
        );
    }
}

/// Different subjects, each in a scene of its own.
fn things(refs: u32, pools: &Pools, draws: &mut Draws, slots: &mut Slots) {
    let subjects = some(refs as usize, &pools.subject, draws);
    let scenes = some(refs as usize, &pools.scene, draws);
    for ((letter, subject), scene) in LETTERS.into_iter().zip(subjects).zip(scenes) {
        slots.insert(format!("{letter}.subject"), subject);
        slots.insert(format!("{letter}.scene"), scene);
        attribute(letter, pools, draws, slots);
    }
}

/// Where they are brought together: in half of the cases a scene of its own, else that of a reference.
fn together(refs: u32, at: u32, pools: &Pools, draws: &mut Draws, slots: &mut Slots) {
    let own: Vec<String> = LETTERS
        .into_iter()
        .take(refs as usize)
        .filter_map(|letter| slots.get(&format!("{letter}.scene")).cloned())
        .collect();
    let others: Vec<String> = pools
        .scene
        .iter()
        .filter(|scene| !own.contains(scene))
        .cloned()
        .collect();
    let pool = if at.is_multiple_of(2) && !others.is_empty() {
        &others
    } else {
        &own
    };
    put("scene", pool, draws, slots);
}

/// Wearers with clothes and accessories; what is taken from one is not among the other's.
fn component(refs: u32, at: u32, pools: &Pools, draws: &mut Draws, slots: &mut Slots) {
    let wearers = some(refs as usize, &pools.wearer, draws);
    let scenes = some(refs as usize, &pools.scene, draws);
    let clothes = some(refs as usize, &pools.clothing, draws);
    let accessories = some(2 * refs as usize, &pools.accessory, draws);
    for (at, letter) in LETTERS.into_iter().take(refs as usize).enumerate() {
        let own = [
            ("subject", wearers.get(at)),
            ("scene", scenes.get(at)),
            ("clothing", clothes.get(at)),
            ("accessory", accessories.get(2 * at)),
            ("accessory_2", accessories.get(2 * at + 1)),
        ];
        for (name, word) in own {
            slots.insert(
                format!("{letter}.{name}"),
                word.cloned().unwrap_or_default(),
            );
        }
    }
    // Simple cases take one element, complex ones two of each source.
    let mode = if at.is_multiple_of(2) {
        "complex"
    } else {
        "simple"
    };
    slots.insert("mode".to_owned(), mode.to_owned());
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cases(counts: &[&str], seed: u64) -> Vec<Case> {
        let counts: Vec<Count> = counts.iter().filter_map(|text| text.parse().ok()).collect();
        draw(seed, &counts, &Pools::default())
    }

    #[test]
    fn subjects_differ_and_half_of_the_cases_have_a_scene_of_their_own() {
        let all = cases(&["object:3=40"], 5);
        let mut own = 0;
        for case in &all {
            let subjects = ["A.subject", "B.subject", "C.subject"].map(|slot| case.slot(slot));
            assert!(
                subjects[0] != subjects[1]
                    && subjects[1] != subjects[2]
                    && subjects[0] != subjects[2]
            );
            let scenes = ["A.scene", "B.scene", "C.scene"].map(|slot| case.slot(slot));
            own += usize::from(!scenes.contains(&case.slot("scene")));
        }
        assert_eq!(own, 20);
    }

    #[test]
    fn each_relation_comes_as_often_as_its_reverse() {
        let all = cases(&["spatial:2=12"], 5);
        for relation in RELATIONS {
            assert_eq!(
                all.iter()
                    .filter(|case| case.slot("relation") == relation)
                    .count(),
                2
            );
        }
    }

    #[test]
    fn what_is_taken_from_a_source_is_not_the_targets_own() {
        for case in cases(&["component:2=20", "component:3=20"], 1) {
            let of = |letter: &str| {
                ["clothing", "accessory", "accessory_2"]
                    .map(|name| case.slot(&format!("{letter}.{name}")).to_owned())
            };
            let target = of(if case.refs == 3 { "C" } else { "B" });
            assert!(
                of("A")
                    .iter()
                    .all(|word| !word.is_empty() && !target.contains(word)),
                "{case:?}"
            );
        }
    }

    #[test]
    fn more_cases_leave_the_first_as_they_were_and_numbers_go_on_through_a_task() {
        let few = cases(&["object:2=2", "object:3=1"], 7);
        let more = cases(&["object:2=2", "object:3=4"], 7);
        assert_eq!(few, more[..3]);
        assert_eq!(few[2].id, "case_0003");
        assert_ne!(few, cases(&["object:2=2", "object:3=1"], 8));
    }

    #[test]
    fn the_papers_counts_are_those_of_its_table_and_others_are_refused() {
        for task in TASKS {
            let counts = published_counts();
            let own = counts.iter().filter(|count| count.task == task.id);
            assert_eq!(
                own.map(|count| count.cases).sum::<u32>(),
                task.num_cases,
                "{}",
                task.id
            );
        }
        for bad in [
            "object=3",
            "object:9=3",
            "fg_bg:3=1",
            "nothing:2=1",
            "object:2=x",
            "object:2=10000",
        ] {
            assert!(bad.parse::<Count>().is_err(), "{bad}");
        }
    }
}
