//! Subsets that anyone draws again: the same samples in the list, for a judge and for people.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeSet;

use juror_model::options::ScoreOptions;
use juror_model::subset::Subset;
use juror_session::Session;
use juror_session::view::rating::RateScope;
use juror_session::view::{JobScope, SampleList, SampleQuery, SampleSort};
use juror_tests::generate::{Dialogue, File, open};

/// Twelve sets of three tasks with an output each, and no reply.
fn sets() -> Session {
    let mut files: Vec<File> = Vec::new();
    for (task, pictures) in [("single", 1), ("add", 2), ("3_local", 3)] {
        for number in 1..=4 {
            let mut write = |path: String| files.push((path, b"text".to_vec()));
            write(format!("data/{task}/{task}{number}_prompt.txt"));
            for index in 0..pictures {
                write(format!("data/{task}/{task}{number}_{index}.jpg"));
            }
            write(format!("m/{task}/{task}{number}_generated.png"));
        }
    }
    open(&files)
}

fn listed(session: &mut Session, query: &SampleQuery) -> BTreeSet<String> {
    let SampleList { rows, fault, .. } =
        juror_session::samples(&session.study(&query.options), query);
    assert!(fault.is_none(), "{fault:?}");
    rows.into_iter().map(|row| row.id).collect()
}

fn filtered(session: &mut Session, q: &str) -> BTreeSet<String> {
    let q = q.to_owned();
    listed(
        session,
        &SampleQuery {
            q,
            ..SampleQuery::default()
        },
    )
}

#[test]
fn list_judge_and_raters_draw_the_same_samples_of_each_task() {
    let session = &mut sets();
    let drawn = filtered(session, "subset:task/2/7");
    assert_eq!(drawn.len(), 6);
    for task in ["single", "add", "3_local"] {
        assert_eq!(
            filtered(session, &format!("subset:task/2/7 task:{task}")).len(),
            2
        );
    }
    let random = SampleQuery {
        sort: SampleSort::Random,
        seed: 7,
        limit: 2,
        per: "task".to_owned(),
        ..SampleQuery::default()
    };
    assert_eq!(listed(session, &random), drawn);
    let subset: Subset = "task/2/7".parse().unwrap();
    let scope = JobScope {
        judge: "j".to_owned(),
        runs: 1,
        subset: Some(subset),
        ..JobScope::default()
    };
    let asked = juror_session::plan_job(&session.linked(), &scope)
        .tasks
        .into_iter();
    assert_eq!(
        asked.map(|task| task.key.sample).collect::<BTreeSet<_>>(),
        drawn
    );
    let few = JobScope {
        limit: Some(1),
        ..scope.clone()
    };
    let (all, first) = (
        juror_session::plan_job(&session.linked(), &scope),
        juror_session::plan_job(&session.linked(), &few),
    );
    assert_eq!(first.tasks, all.tasks[..1]);
    assert!(first.text_chars < all.text_chars);
    let scope = RateScope {
        rater: "ann".to_owned(),
        seed: 7,
        samples: 2,
        per: "task".to_owned(),
        ..RateScope::default()
    };
    let rated = juror_session::rate_plan(&session.linked(), &scope)
        .tasks
        .into_iter();
    assert_eq!(
        rated.map(|task| task.key.sample).collect::<BTreeSet<_>>(),
        drawn
    );
    assert_ne!(filtered(session, "subset:task/2/8"), drawn, "another seed");
    assert!(filtered(session, "subset:task/3/7").is_superset(&drawn));
    assert_eq!(filtered(session, "-subset:task/2/7").len(), 6, "the others");
    assert_eq!(filtered(session, "subset:5").len(), 5, "of all");
}

#[test]
fn a_subset_that_cannot_be_drawn_says_which_can() {
    let session = &mut sets();
    for (q, word) in [
        ("subset:step/2", "task"),
        ("subset:task/0", "subset:task/30"),
    ] {
        let q = q.to_owned();
        let list = juror_session::samples(
            &session.study(&ScoreOptions::default()),
            &SampleQuery {
                q,
                ..SampleQuery::default()
            },
        );
        let fault = list.fault.unwrap();
        assert!(fault.hint.contains(word), "{fault:?}");
    }
    let scopes = juror_session::subset_scopes(&session.linked());
    let told: Vec<(&str, u32, u32)> = scopes
        .iter()
        .map(|one| (one.scope.as_str(), one.groups, one.smallest))
        .collect();
    assert!(told.contains(&("all", 1, 12)), "{told:?}");
    assert!(told.contains(&("task", 3, 4)), "{told:?}");
    assert!(
        told.iter()
            .all(|(name, groups, _)| *name == "all" || *groups > 1),
        "{told:?}"
    );
}

/// A dialogue of two pictures and a text, and one of a single picture.
fn dialogues() -> Session {
    let item = |idx, num_pictures, num_texts| {
        let dialogue = Dialogue {
            idx,
            num_pictures,
            num_texts,
        };
        dialogue.item()
    };
    let list = serde_json::json!([item(0, 2, 1), item(16, 1, 0)]);
    open(&[("b/test.json".to_owned(), list.to_string().into_bytes())])
}

#[test]
fn a_dialogue_is_in_the_group_of_each_of_its_turns_wherever_samples_are_chosen() {
    let session = &mut dialogues();
    let ids =
        |ids: &[&str]| -> BTreeSet<String> { ids.iter().map(|id| (*id).to_owned()).collect() };
    assert_eq!(filtered(session, "class:edit"), ids(&["0", "16"]));
    assert_eq!(filtered(session, "class:vqa"), ids(&["0"]));
    assert_eq!(filtered(session, "history:1"), ids(&["0"]));
    let scopes: Vec<(String, u32)> = juror_session::subset_scopes(&session.linked())
        .into_iter()
        .map(|one| (one.scope, one.groups))
        .collect();
    for (scope, groups) in [("class", 2), ("history", 3)] {
        assert!(scopes.contains(&(scope.to_owned(), groups)), "{scopes:?}");
    }
    // The only dialogue with a question is drawn for it.
    assert!(filtered(session, "subset:class/1").contains("0"));
    let facets = juror_session::facets(
        &session.study(&ScoreOptions::default()),
        &SampleQuery::default(),
    );
    let class = facets.iter().find(|facet| facet.field == "class").unwrap();
    let values: Vec<(&str, u32)> = (class.values.iter())
        .map(|value| (value.value.as_str(), value.count))
        .collect();
    assert_eq!(values, [("edit", 2), ("vqa", 1)]);
    // The sibling: a class that no turn is of is no value of the field.
    let fusion = SampleQuery {
        q: "class:fusion".to_owned(),
        ..SampleQuery::default()
    };
    let found = juror_session::samples(&session.study(&fusion.options), &fusion);
    assert!(found.fault.is_some() || found.rows.is_empty());
    let tables = juror_session::statistics(&session.linked()).unwrap().tables;
    let of = |id: &str| tables.iter().filter(|table| table.id == id).count();
    assert_eq!((of("class"), of("history")), (1, 1));
}
