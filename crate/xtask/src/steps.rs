//! Which of how many steps a verb is at.
//!
//! The titles of all steps are known before the first begins, so that each can say its number. A step that has nothing to
//! do keeps its number.

use crate::process::progress;

/// The steps of one verb, in the order in which they begin.
#[derive(Debug, Default)]
pub(crate) struct Steps {
    titles: Vec<String>,
}

impl Steps {
    pub(crate) fn new(titles: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self {
            titles: titles.into_iter().map(Into::into).collect(),
        }
    }

    /// Says that the step of this title begins.
    pub(crate) fn begin(&self, title: &str) {
        progress(&self.line(title));
    }

    /// What is said of a step; one that was not announced has no number.
    fn line(&self, title: &str) -> String {
        match self.titles.iter().position(|known| known == title) {
            Some(idx) => format!("step {} of {}: {title}", idx + 1, self.titles.len()),
            None => title.to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_says_its_number_among_all() {
        let steps = Steps::new(["npm packages", "engine as Wasm", "page"]);
        assert_eq!(steps.line("engine as Wasm"), "step 2 of 3: engine as Wasm");
        assert_eq!(steps.line("page"), "step 3 of 3: page");
    }

    #[test]
    fn a_step_that_was_not_announced_has_no_number() {
        assert_eq!(Steps::new(["page"]).line("pages"), "pages");
    }
}
