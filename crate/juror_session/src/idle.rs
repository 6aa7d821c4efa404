//! Files that were named as replies and of which nothing counts.

use super::linked::Source;
use super::overview::problems;
use crate::study::LinkedSession;
use juror_judging::journal::Journal;
use juror_model::linked::LinkedReply;
use juror_model::tree::FileId;

/// Why nothing counts of a file that was read as replies or ratings; `None` where something does, or where it is of another kind.
pub fn idle_replies(session: &LinkedSession<'_>, file: FileId) -> Option<String> {
    let read = &session.loader.read;
    let journal = read.journals.get(&file).map(|(_, journal)| journal);
    let ratings = read.ratings.get(&file).map(|(_, ratings, _)| ratings);
    let is_of_replies = journal.is_some() || read.replies.contains_key(&file);
    let linked = session.data.cache.linked.as_ref()?;
    let benchmark = &linked.benchmark;
    let counts = |reply: &LinkedReply| {
        let source = linked.sources[reply.origin.0 as usize];
        let is_of_file = source == Source::Journal(file) || source == Source::Replies(file);
        is_of_file && reply.sample.get().is_some()
    };
    let is_counted = || {
        linked
            .models
            .iter()
            .any(|model| model.given.iter().any(counts))
    };
    // Those of an anchor set are compared with the others.
    let is_of_anchors = |journal: &Journal| {
        let mut records = journal.records.iter();
        records.any(|(_, record)| record.anchor.is_some())
    };
    let is_used = match ratings {
        Some(ratings) => {
            let mut own = ratings.iter();
            benchmark.list.is_none()
                || own.any(|rating| {
                    let mut models = linked.models.iter();
                    benchmark.index_of(&rating.sample).is_some()
                        && models.any(|model| model.submission.name == rating.model)
                })
        }
        None => !is_of_replies || is_counted() || journal.is_some_and(is_of_anchors),
    };
    if is_used {
        return None;
    }
    let path = session.loader.tree.path(file).to_owned();
    let problems = problems(session);
    let own = problems.iter().find(|problem| problem.path == path);
    Some(own.map_or_else(
        || {
            "It is about samples or models that are not open. Open the benchmark and the models that the judge was asked about."
                .to_owned()
        },
        |own| format!("{} {}", own.message, own.hint),
    ))
}
