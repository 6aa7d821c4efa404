#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
use super::*;
use crate::annotation::marks::Mark;
use crate::annotation::tests::item;

fn single(task: Task, id: &str, text: &str, area: [i32; 4]) -> Single {
    let mut marks = vec![Mark::Box(area)];
    if task == Task::Tr {
        marks.push(Mark::Arrow([
            [area[0] + 5, area[1] + 5],
            [380, area[1] + 5],
        ]));
    }
    let marks = item(task, id, text, marks);
    Single {
        source: marks.source_path(),
        marks,
    }
}

/// One item of each task, apart from each other.
fn four() -> Vec<Single> {
    vec![
        single(Task::Ad, "animation_01", "Add a hat", [10, 10, 60, 50]),
        single(
            Task::Rm,
            "animation_01",
            "Remove the lamp.",
            [10, 80, 60, 120],
        ),
        single(
            Task::Rp,
            "animation_01",
            "Replace the dog by a cat.",
            [10, 150, 60, 190],
        ),
        single(
            Task::Tr,
            "animation_01",
            "Move the ball.",
            [10, 230, 60, 270],
        ),
    ]
}

const BOTH: Choice = Choice {
    per: 5,
    seed: 1,
    sizes: Sizes::Both,
};

fn ids(composed: &Composed) -> Vec<&str> {
    composed.items.iter().map(|item| item.id.as_str()).collect()
}

/// The first pair, with what it says of the second item's change.
fn of_pair(change: impl Fn(&mut [Single])) -> (usize, Vec<(String, u32)>) {
    let mut all = four();
    change(&mut all);
    let composed = compose(&all[..2], &BOTH, &[]).unwrap();
    let row = composed.progress.rows.iter().find(|row| row.drawn > 0);
    (composed.count(), row.unwrap().rejected.clone())
}

fn decision(thing: &str, verdict: Verdict) -> Decision {
    Decision {
        thing: thing.to_owned(),
        verdict,
        reason: String::new(),
        by: "Ada".to_owned(),
        time: String::new(),
    }
}

#[test]
fn four_items_that_keep_apart_give_six_pairs_and_four_triples() {
    let composed = compose(&four(), &BOTH, &[]).unwrap();
    assert_eq!(
        ids(&composed),
        [
            "AD+RM_animation_01",
            "AD+RP_animation_01",
            "AD+TR_animation_01",
            "RM+RP_animation_01",
            "RM+TR_animation_01",
            "RP+TR_animation_01",
            "AD+RM+RP_animation_01",
            "AD+RM+TR_animation_01",
            "AD+RP+TR_animation_01",
            "RM+RP+TR_animation_01",
        ]
    );
    assert_eq!(composed.items[0].text(), "Add a hat. Remove the lamp.");
    assert_eq!(composed.lists().len(), 2);
    let pairs = Choice {
        sizes: Sizes::Pairs,
        ..BOTH
    };
    assert_eq!(compose(&four(), &pairs, &[]).unwrap().count(), 6);
}

#[test]
fn boxes_that_overlap_are_rejected_and_the_same_boxes_apart_are_not() {
    let moved = |left: i32| {
        move |all: &mut [Single]| all[1].marks.marks = vec![Mark::Box([left, 20, left + 50, 60])]
    };
    assert_eq!(of_pair(moved(61)), (1, vec![]));
    let expected = vec![("boxes overlap".to_owned(), 1)];
    assert_eq!(of_pair(moved(60)), (0, expected));
}

#[test]
fn an_arrow_through_another_box_is_rejected_and_one_past_it_is_not() {
    let crossed = |top: i32| {
        let mut all = four();
        all[0].marks.marks = vec![Mark::Box([200, top, 260, top + 30])];
        compose(&[all[0].clone(), all[3].clone()], &BOTH, &[]).unwrap()
    };
    // The arrow goes from 15, 235 to 380, 235.
    assert_eq!(crossed(240).count(), 1);
    let found = crossed(220);
    assert_eq!(found.count(), 0);
    let rejected = found.progress.rows.iter().flat_map(|row| &row.rejected);
    assert_eq!(
        rejected.collect::<Vec<_>>(),
        [&("an arrow crosses another box".to_owned(), 1)]
    );
    assert_eq!(crossed(200).count(), 1);
}

#[test]
fn texts_that_share_a_word_wait_for_a_person_whose_decision_counts() {
    let mut all = four();
    all[1].marks.text = "Remove the hats.".to_owned();
    let all = &all[..2];
    let composed = compose(all, &BOTH, &[]).unwrap();
    let key = "AD:animation_01+RM:animation_01";
    let doubt = Doubt {
        thing: key.to_owned(),
        words: "hat".to_owned(),
    };
    assert_eq!((composed.count(), &composed.doubts[..]), (0, &[doubt][..]));
    let accepted = compose(all, &BOTH, &[decision(key, Verdict::Accept)]).unwrap();
    assert_eq!((accepted.count(), accepted.doubts.len()), (1, 0));
    // The last one counts.
    let both = [
        decision(key, Verdict::Accept),
        decision(key, Verdict::Reject),
    ];
    assert_eq!(compose(all, &BOTH, &both).unwrap().count(), 0);
}

#[test]
fn a_decision_cannot_part_boxes_and_one_about_nothing_is_refused() {
    let mut all = four();
    all[1].marks.marks = vec![Mark::Box([20, 20, 70, 60])];
    let key = "AD:animation_01+RM:animation_01";
    let composed = compose(&all[..2], &BOTH, &[decision(key, Verdict::Accept)]).unwrap();
    assert_eq!(composed.count(), 0);
    let error = compose(&all, &BOTH, &[decision("AD:x+RM:y", Verdict::Accept)]).unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("A decision is about AD:x+RM:y, which is no combination"),
        "{error}"
    );
}

/// Ten pairs: two items of each task on each of five sources would be more.
fn many() -> Vec<Single> {
    let mut all = Vec::new();
    for number in 0..10 {
        for (task, top) in [(Task::Ad, 10), (Task::Rm, 80)] {
            let id = format!("animation_{number:02}");
            let mut one = single(
                task,
                &id,
                ["Add a hat", "Remove a lamp"][usize::from(top > 10)],
                [10, top, 60, top + 40],
            );
            one.marks.source.sha256 = format!("{:064}", number / 2);
            all.push(one);
        }
    }
    all
}

#[test]
fn a_seed_decides_which_are_taken_and_each_source_comes_before_any_comes_again() {
    let of = |seed: u64| {
        let composed = compose(&many(), &Choice { seed, ..BOTH }, &[]).unwrap();
        let things = composed.items.iter().map(|item| thing(&item.parts));
        let sources = composed
            .items
            .iter()
            .map(|item| item.parts[0].marks.source.sha256.clone());
        (things.collect::<Vec<_>>(), sources.collect::<BTreeSet<_>>())
    };
    let (things, sources) = of(1);
    assert_eq!((things.len(), sources.len()), (5, 5));
    assert_eq!(of(1).0, things);
    assert_ne!(of(2).0, things);
    // The order in which items come changes nothing.
    let mut back = many();
    back.reverse();
    let found = compose(&back, &BOTH, &[]).unwrap();
    let found: Vec<String> = found.items.iter().map(|item| thing(&item.parts)).collect();
    assert_eq!(found, things);
}

#[test]
fn items_on_different_sources_are_not_combined() {
    let mut all = four();
    all[1].marks.source.sha256 = "1".repeat(64);
    assert_eq!(compose(&all[..2], &BOTH, &[]).unwrap().count(), 0);
}
