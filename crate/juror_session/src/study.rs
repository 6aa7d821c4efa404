//! What views are functions of: a session whose files are tied together, and the scores of such a session under some options.

use std::ops::Deref;

use super::state::Session;
use juror_model::options::ScoreOptions;
use juror_model::score::Scores;

/// A session whose files are tied together: models with their outputs and replies, measured values.
///
/// Nothing changes while it is borrowed, so that everything that is asked of it is about the same files.
#[derive(Debug)]
pub struct LinkedSession<'s> {
    session: &'s Session,
}

impl Deref for LinkedSession<'_> {
    type Target = Session;

    fn deref(&self) -> &Session {
        self.session
    }
}

/// A linked session with its scores under one choice of options.
#[derive(Debug)]
pub struct Study<'s> {
    linked: LinkedSession<'s>,
    options: &'s ScoreOptions,
    scores: &'s Scores,
    /// Whether every file was read.
    is_complete: bool,
}

impl<'s> Deref for Study<'s> {
    type Target = LinkedSession<'s>;

    fn deref(&self) -> &LinkedSession<'s> {
        &self.linked
    }
}

impl<'s> Study<'s> {
    /// How scores are made.
    pub fn options(&self) -> &'s ScoreOptions {
        self.options
    }

    /// The scores, those of measured values included.
    pub fn scores(&self) -> &'s Scores {
        self.scores
    }

    /// Whether every file was read.
    pub fn is_complete(&self) -> bool {
        self.is_complete
    }

    /// Checks that a question is about the scores under these options.
    pub(super) fn expect(&self, options: &ScoreOptions) {
        debug_assert_eq!(self.options, options, "a study under other options");
    }
}

impl Session {
    /// Ties files together if anything has changed.
    pub fn linked(&mut self) -> LinkedSession<'_> {
        self.linked_with([])
    }

    /// As [`Session::linked`], with the replies of those of these judges that are panels among the others.
    pub fn linked_with<'j>(
        &mut self,
        judges: impl IntoIterator<Item = &'j str>,
    ) -> LinkedSession<'_> {
        self.link();
        for judge in judges {
            self.seat(judge);
        }
        self.loader.suggestions();
        self.settle_measures();
        LinkedSession { session: self }
    }

    /// Ties files together, and scores them, if anything has changed.
    pub fn study(&mut self, options: &ScoreOptions) -> Study<'_> {
        let is_complete = self.is_known_complete();
        self.score(options);
        let linked = self.linked();
        let (options, scores) = linked.session.data.scored();
        Study {
            linked,
            options,
            scores,
            is_complete,
        }
    }

    /// Whether every file was read: what is wanted next is planned over all files, and only until nothing is.
    fn is_known_complete(&mut self) -> bool {
        if !self.data.cache.is_complete {
            self.data.cache.is_complete = self.is_complete();
        }
        self.data.cache.is_complete
    }

    /// A study under the options that were used last: for what is the same under all of them.
    pub fn study_under_any(&mut self) -> Study<'_> {
        let options = self.data.scored().0.clone();
        self.study(&options)
    }
}
