//! What models are judged on, where somebody said it or their text answers could not be told apart.

use crate::study::LinkedSession;
use std::collections::BTreeMap;

use super::state::Session;
use crate::error::Error;
use juror_model::linked::ModelData;
use juror_model::sample::{Benchmark, TurnKind};
use juror_model::submission::Kind;

/// Text answers under other names are a model's kind where they are at least one of so many that are asked for.
const STRAY_ONE_OF: usize = 10;

/// Says what a model is judged on; `None` leaves it to its replies and outputs again. What is said of a model that is not open
/// waits.
///
/// # Errors
/// The model has no name.
pub fn set_kind(session: &mut Session, model: &str, kind: Option<Kind>) -> Result<(), Error> {
    if model.is_empty() {
        return Err(Error::no_model(model));
    }
    match kind {
        Some(kind) => session.data.kinds.insert(model.to_owned(), kind),
        None => session.data.kinds.remove(model),
    };
    session.data.cache.relink();
    Ok(())
}

/// What was said of models that are open, or follows from files that could not be told apart: a pack states it.
pub fn kinds(session: &LinkedSession<'_>) -> BTreeMap<String, Kind> {
    let models = session.data.models().iter();
    models
        .filter_map(|model| Some((model.submission.name.clone(), model.kind?)))
        .collect()
}

impl Session {
    /// What a model is judged on, where its replies and outputs do not tell: a text under another name is no missing answer.
    pub(super) fn kind_of(&self, benchmark: &Benchmark, model: &ModelData) -> Option<Kind> {
        if let Some(kind) = self.data.kinds.get(&model.submission.name) {
            return Some(*kind);
        }
        let unrecognised = model.submission.unrecognised.len();
        let of_kind = |kind: TurnKind| {
            benchmark
                .turns()
                .filter(move |(.., turn)| turn.kind == kind)
        };
        if unrecognised == 0 || unrecognised * STRAY_ONE_OF < of_kind(TurnKind::Text).count() {
            return None;
        }
        let mut pictures = of_kind(TurnKind::Image);
        let has_pictures = pictures.any(|(slot, ..)| {
            let output = model.submission.outputs.get(slot as usize);
            output.is_some_and(Option::is_some)
        });
        let has_replies = model.num_given.iter().any(|count| *count > 0);
        Some(if has_pictures || has_replies {
            Kind::Both
        } else {
            Kind::Texts
        })
    }
}
