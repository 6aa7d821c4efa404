//! Searches that go on where they stopped, so that a long one does not hold up what is asked meanwhile.

/// Searches kept, so that a filter that is typed on does not look through every text again.
const MAX_KEPT: usize = 24;

/// The kinds of text that a search goes through, in order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Stage {
    /// What the benchmark says, and the models' answers.
    #[default]
    Texts,
    /// Raw replies.
    Replies,
    /// Reasons in replies.
    Reasons,
    /// Why something was not scored.
    Errors,
}

/// What a search has found so far, and where it goes on.
#[derive(Debug)]
pub(crate) struct Search {
    /// Which samples passed.
    pub(crate) found: Vec<bool>,
    pub(crate) stage: Stage,
    /// Source of replies and reply in it that come next in this stage.
    next: (usize, usize),
    /// Bytes of replies that may still be looked into.
    left: u64,
}

impl Search {
    /// A search over so many samples that has not begun.
    fn new(num_samples: usize) -> Self {
        Self {
            found: vec![false; num_samples],
            stage: Stage::default(),
            next: (0, 0),
            left: 0,
        }
    }

    /// Takes a reply's bytes from what may be looked into; whether there was something left.
    pub(crate) fn spend(&mut self, bytes: usize) -> bool {
        let is_left = self.left > 0;
        let cost = u64::try_from(bytes).unwrap_or(u64::MAX).max(1);
        self.left = self.left.saturating_sub(cost);
        is_left
    }

    /// The reply to go on with in a source; `None` where the source was gone through before.
    pub(crate) fn start_in(&self, source: usize) -> Option<usize> {
        let (next, reply) = self.next;
        match source.cmp(&next) {
            std::cmp::Ordering::Less => None,
            std::cmp::Ordering::Equal => Some(reply),
            std::cmp::Ordering::Greater => Some(0),
        }
    }

    /// Stops in front of a reply.
    pub(crate) fn stop_at(&mut self, source: usize, reply: usize) {
        self.next = (source, reply);
    }

    /// Goes on to the next kind of text.
    pub(crate) fn enter(&mut self, stage: Stage) {
        self.stage = stage;
        self.next = (0, 0);
    }
}

#[derive(Debug)]
struct Kept {
    key: String,
    search: Search,
    is_done: bool,
}

/// The searches made last, newest last.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    kept: Vec<Kept>,
    /// Bytes of replies that the question at hand may still look into; `None` for all.
    left: Option<u64>,
    /// Whether a search of the question at hand was stopped.
    is_stopped: bool,
}

impl Memory {
    /// Lets what is asked next look into so many bytes of replies.
    pub(crate) fn begin(&mut self, bytes: Option<u64>) {
        self.left = bytes;
        self.is_stopped = false;
    }

    /// Whether every search since [`Self::begin`] came to its end.
    pub(crate) fn end(&mut self) -> bool {
        self.left = None;
        let is_done = !std::mem::take(&mut self.is_stopped);
        // While one goes on, those that ended before it are needed again.
        if is_done {
            self.kept.retain(|kept| kept.is_done);
            self.kept.drain(..self.kept.len().saturating_sub(MAX_KEPT));
        }
        is_done
    }

    /// What a search found, as far as it has come; it is made or gone on with unless it came to its end before.
    ///
    /// `search` says whether it came to its end.
    pub(crate) fn get(
        &mut self,
        key: String,
        num_samples: usize,
        search: impl FnOnce(&mut Search) -> bool,
    ) -> &[bool] {
        let known = self.kept.iter().position(|kept| kept.key == key);
        let mut kept = known.map_or_else(
            || Kept {
                key,
                search: Search::new(num_samples),
                is_done: false,
            },
            |at| self.kept.remove(at),
        );
        if !kept.is_done {
            kept.search.left = self.left.unwrap_or(u64::MAX);
            kept.is_done = search(&mut kept.search);
            self.left = self.left.map(|_| kept.search.left);
            self.is_stopped |= !kept.is_done;
        }
        self.kept.push(kept);
        self.kept.last().map_or(&[], |kept| &kept.search.found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Goes through numbers of bytes, one reply each.
    fn go(search: &mut Search, replies: &[usize]) -> bool {
        let Some(start) = search.start_in(0) else {
            return true;
        };
        for (at, bytes) in replies.iter().enumerate().skip(start) {
            if !search.spend(*bytes) {
                search.stop_at(0, at);
                return false;
            }
            search.found[at] = true;
        }
        true
    }

    #[test]
    fn a_search_in_parts_looks_at_every_reply_once_and_ends() {
        let replies = [300, 0, 5000, 20, 20, 20, 900];
        let mut memory = Memory::default();
        let mut parts = 0;
        loop {
            memory.begin(Some(1000));
            let before = parts;
            let found = memory
                .get("a".to_owned(), replies.len(), |search| go(search, &replies))
                .to_vec();
            parts += 1;
            if memory.end() {
                assert_eq!(found, [true; 7]);
                break;
            }
            assert!(
                before < replies.len(),
                "each part looks at one reply at least"
            );
        }
        assert!(parts > 1);
        // Kept: it is not made again.
        memory.begin(None);
        memory.get("a".to_owned(), replies.len(), |_| unreachable!());
        assert!(memory.end());
    }

    #[test]
    fn more_searches_than_are_kept_come_to_their_end_all_the_same() {
        let mut memory = Memory::default();
        let mut parts = 0;
        loop {
            memory.begin(Some(10));
            for key in 0..3 * MAX_KEPT {
                memory.get(key.to_string(), 2, |search| go(search, &[5, 5]));
            }
            parts += 1;
            if memory.end() {
                break;
            }
            assert!(parts < 1000, "it goes round in a circle");
        }
        assert_eq!(memory.kept.len(), MAX_KEPT);
    }
}
