//! What is read next of what a session wants: in which order, how much at once, and when no more may wait in memory.
//!
//! A few readers share one backlog, so that one reads while another hands over what it has read. The backlog reads
//! nothing itself: a host asks it for the next step and tells it what came of that.

use std::collections::BTreeSet;

use juror_model::host::{Phase, Want};
use juror_model::tree::FileId;
use juror_reading::limits::TEXT_BYTES;

/// Readers that share a backlog: while one hands bytes to the session, the others wait for theirs.
pub const LANES: usize = 4;
/// Batches of pictures that are read already while every decoder has one.
const AHEAD: usize = LANES;
/// Small reads that one reader takes at once.
pub const TOGETHER: usize = 32;
/// A whole file up to this size is a small read, and so is the head of any file.
pub const SMALL_BYTES: u64 = 256 << 10;
/// Contents of files that may wait for the session: several of a large submission's files would fill the memory.
const WAITING_BYTES: u64 = 64 << 20;
/// Reads that a session is asked for at once.
const BATCH: usize = 256;

/// Reads that were handed out and not begun, and how much those under way may bring.
#[derive(Debug, Default)]
pub struct Backlog {
    /// Pictures that can be decoded at once.
    decoders: usize,
    /// The next one last.
    waiting: Vec<Want>,
    /// The readers are to meet before anything more is read.
    is_recalled: bool,
    /// Files that somebody looks at: they are read first.
    shown: BTreeSet<FileId>,
    /// Readers that wait for bytes, or hand them over.
    under_way: u64,
    /// Batches of pictures that were read and are not decoded yet.
    decoding: usize,
    /// The most bytes that a reader got at once of late; zero before any came.
    heaviest: u64,
}

/// What a reader does next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// It reads these, all at once.
    Read(Vec<Want>),
    /// It waits until another one has handed over what it read, or something was decoded.
    Wait,
    /// There is nothing more for it; once all readers have met, there may be.
    Nothing,
}

impl Backlog {
    /// Nothing is wanted yet.
    #[must_use]
    pub fn new(decoders: usize) -> Self {
        Self {
            decoders,
            ..Self::default()
        }
    }

    /// Asks for reads where none are waiting, now that all readers have met; whether there are any then.
    ///
    /// `wants` is given the files that are shown, whose reads come first, and how many reads to hand out.
    pub fn refill(&mut self, wants: impl FnOnce(&[FileId], usize) -> Vec<Want>) -> bool {
        self.is_recalled = false;
        self.ask_for_more(wants);
        !self.waiting.is_empty()
    }

    fn ask_for_more(&mut self, wants: impl FnOnce(&[FileId], usize) -> Vec<Want>) {
        if self.waiting.is_empty() {
            let shown: Vec<FileId> = self.shown.iter().copied().collect();
            self.waiting = wants(&shown, BATCH);
            self.waiting.reverse();
        }
    }

    /// Has the readers meet, as more is wanted than they know of; the pictures that were to be decoded next, which the
    /// session is to take back.
    pub fn recall(&mut self) -> Vec<FileId> {
        self.is_recalled = true;
        let decoding = self
            .waiting
            .extract_if(.., |want| want.phase == Phase::Decoding);
        decoding.map(|want| want.file).collect()
    }

    /// What a reader does next; `size` gives the size of a file where it is known.
    pub fn step(
        &mut self,
        wants: impl FnOnce(&[FileId], usize) -> Vec<Want>,
        size: impl Fn(FileId) -> Option<u64>,
    ) -> Step {
        if self.is_recalled {
            return Step::Nothing;
        }
        // Only while other readers are at work: after the last read of a phase all of them meet.
        if self.under_way > 0 {
            self.ask_for_more(wants);
        }
        let Some(next) = self.waiting.last() else {
            return Step::Nothing;
        };
        let has_all = next.phase == Phase::Decoding && self.decoding >= self.decoders + AHEAD;
        if has_all || !is_head(next) && self.is_crowded() {
            return Step::Wait;
        }
        Step::Read(self.take(size))
    }

    /// The next read; many at once if they are small.
    fn take(&mut self, size: impl Fn(FileId) -> Option<u64>) -> Vec<Want> {
        let mut some = Vec::new();
        while some.len() < TOGETHER
            && let Some(next) = self.waiting.last()
        {
            let is_small = is_head(next) || size(next.file).is_some_and(|size| size <= SMALL_BYTES);
            if !is_small && !some.is_empty() {
                break;
            }
            some.extend(self.waiting.pop());
            if !is_small {
                break;
            }
        }
        some
    }

    /// Whether another read might bring more than is to wait in memory; nobody knows a file's size before it is read.
    fn is_crowded(&self) -> bool {
        let held = self.under_way + self.decoding as u64;
        let is_too_much = || (held + 1).saturating_mul(self.heaviest) > WAITING_BYTES;
        held > 0 && (self.heaviest == 0 || is_too_much())
    }

    /// A reader begins to read.
    pub fn begun(&mut self) {
        self.under_way += 1;
    }

    /// A reader got so many bytes.
    pub fn came(&mut self, bytes: u64) {
        // One that came empty is known as well.
        self.heaviest = (bytes + 1).max(self.heaviest / 2);
    }

    /// A reader has handed over what it read.
    pub fn handed_over(&mut self) {
        self.under_way -= 1;
    }

    /// Pictures that a reader has read are to be decoded.
    pub fn decoding(&mut self) {
        self.decoding += 1;
    }

    /// They were.
    pub fn decoded(&mut self) {
        self.decoding -= 1;
    }

    /// Whether pictures that were read are not decoded yet.
    #[must_use]
    pub fn is_decoding(&self) -> bool {
        self.decoding > 0
    }

    /// Has a file that somebody looks at read before the others.
    pub fn show(&mut self, file: FileId) {
        self.shown.insert(file);
        if let Some(at) = self.waiting.iter().position(|want| want.file == file) {
            let want = self.waiting.remove(at);
            self.waiting.push(want);
        }
    }

    /// Forgets what is waiting: what the session wants has changed.
    pub fn clear(&mut self) {
        self.is_recalled = true;
        self.waiting.clear();
    }
}

/// Whether a beginning is wanted, and no more: not a whole text whose size nobody knows.
fn is_head(want: &Want) -> bool {
    want.head.is_some_and(|head| head <= TEXT_BYTES)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn whole(file: FileId) -> Want {
        Want {
            file,
            head: None,
            phase: Phase::Replies,
        }
    }

    fn head(file: FileId) -> Want {
        Want {
            head: Some(512),
            ..whole(file)
        }
    }

    fn decoding(file: FileId) -> Want {
        Want {
            phase: Phase::Decoding,
            ..whole(file)
        }
    }

    fn holding(wants: Vec<Want>) -> Backlog {
        let mut backlog = Backlog::default();
        backlog.refill(|_, _| wants);
        backlog
    }

    /// The step of a reader for which the session has nothing more.
    fn step(backlog: &mut Backlog, size: Option<u64>) -> Step {
        backlog.step(|_, _| Vec::new(), |_| size)
    }

    fn files(step: &Step) -> Vec<FileId> {
        match step {
            Step::Read(wants) => wants.iter().map(|want| want.file).collect(),
            _ => Vec::new(),
        }
    }

    #[test]
    fn heads_are_read_many_at_once_and_in_their_order() {
        let mut backlog = holding((0..40).map(head).collect());
        let first = step(&mut backlog, None);
        assert_eq!(files(&first), (0..32).collect::<Vec<_>>());
        assert_eq!(
            files(&step(&mut backlog, None)),
            (32..40).collect::<Vec<_>>()
        );
        assert_eq!(step(&mut backlog, None), Step::Nothing);
    }

    #[test]
    fn a_whole_file_is_read_alone_unless_it_is_known_to_be_small() {
        let two = || holding(vec![whole(0), whole(1)]);
        assert_eq!(files(&step(&mut two(), None)), [0]);
        assert_eq!(files(&step(&mut two(), Some(SMALL_BYTES + 1))), [0]);
        assert_eq!(files(&step(&mut two(), Some(SMALL_BYTES))), [0, 1]);
    }

    #[test]
    fn a_large_file_does_not_join_small_ones_that_come_before_it() {
        let mut backlog = holding(vec![head(0), head(1), whole(2), head(3)]);
        assert_eq!(files(&step(&mut backlog, None)), [0, 1]);
        assert_eq!(files(&step(&mut backlog, None)), [2]);
        assert_eq!(files(&step(&mut backlog, None)), [3]);
    }

    #[test]
    fn before_anything_came_one_whole_file_is_read_at_a_time_and_heads_beside_it() {
        let mut backlog = holding(vec![whole(0), whole(1)]);
        assert_eq!(files(&step(&mut backlog, None)), [0]);
        backlog.begun();
        assert_eq!(step(&mut backlog, None), Step::Wait);
        let mut backlog = holding(vec![whole(0), head(1)]);
        assert_eq!(files(&step(&mut backlog, None)), [0]);
        backlog.begun();
        assert_eq!(files(&step(&mut backlog, None)), [1]);
    }

    #[test]
    fn small_files_are_read_beside_each_other_and_large_ones_wait_for_room() {
        for (bytes, expected) in [(1 << 20, vec![1]), (32 << 20, vec![])] {
            let mut backlog = holding(vec![whole(0), whole(1)]);
            step(&mut backlog, None);
            backlog.begun();
            backlog.came(bytes);
            let next = step(&mut backlog, None);
            assert_eq!(files(&next), expected, "after {bytes} bytes");
            if expected.is_empty() {
                assert_eq!(next, Step::Wait);
                backlog.handed_over();
                assert_eq!(files(&step(&mut backlog, None)), [1]);
            }
        }
    }

    #[test]
    fn a_heavy_read_is_forgotten_by_halves() {
        let mut backlog = Backlog::default();
        backlog.came(40 << 20);
        for _ in 0..2 {
            backlog.came(0);
        }
        assert_eq!(backlog.heaviest, (40_u64 << 20).div_ceil(2) / 2);
    }

    #[test]
    fn what_is_on_the_screen_is_read_next_and_asked_for_first() {
        let mut backlog = holding((0..40).map(head).collect());
        backlog.show(39);
        backlog.show(38);
        assert_eq!(files(&step(&mut backlog, None))[..3], [38, 39, 0]);
        backlog.clear();
        let mut asked = Vec::new();
        backlog.refill(|shown, limit| {
            asked = shown.to_vec();
            assert_eq!(limit, 256);
            Vec::new()
        });
        assert_eq!(asked, [38, 39]);
    }

    #[test]
    fn readers_take_more_while_others_are_at_work_and_meet_at_the_end_of_a_phase() {
        let mut backlog = holding(vec![head(0)]);
        step(&mut backlog, None);
        // Nobody is at work: what the session would want now is of the next phase.
        assert_eq!(backlog.step(|_, _| vec![head(1)], |_| None), Step::Nothing);
        backlog.begun();
        assert_eq!(files(&backlog.step(|_, _| vec![head(1)], |_| None)), [1]);
    }

    #[test]
    fn nothing_more_is_asked_for_while_reads_are_waiting() {
        let mut backlog = holding(vec![head(0), whole(1)]);
        backlog.begun();
        backlog.came(1);
        let next = backlog.step(|_, _| panic!("there are reads"), |_| None);
        assert_eq!(files(&next), [0]);
    }

    #[test]
    fn pictures_are_read_while_every_decoder_has_some_and_then_wait_for_one() {
        let mut backlog = Backlog::new(2);
        backlog.refill(|_, _| (0..8).map(decoding).collect());
        for file in 0..6 {
            assert_eq!(files(&step(&mut backlog, None)), [file]);
            backlog.came(1 << 20);
            backlog.decoding();
        }
        assert_eq!(step(&mut backlog, None), Step::Wait);
        backlog.decoded();
        assert_eq!(files(&step(&mut backlog, None)), [6]);
    }

    #[test]
    fn pictures_that_wait_for_decoders_take_room_in_memory() {
        let mut backlog = Backlog::new(8);
        backlog.refill(|_, _| (0..3).map(decoding).collect());
        for _ in 0..2 {
            assert!(matches!(step(&mut backlog, None), Step::Read(_)));
            backlog.came(30 << 20);
            backlog.decoding();
        }
        assert_eq!(step(&mut backlog, None), Step::Wait);
    }

    #[test]
    fn what_decoders_still_have_keeps_nothing_else_from_being_read() {
        let mut backlog = Backlog::new(1);
        backlog.refill(|_, _| (0..10).map(decoding).collect());
        while let Step::Read(_) = step(&mut backlog, None) {
            backlog.came(1);
            backlog.decoding();
        }
        assert_eq!(backlog.recall(), [9, 8, 7, 6, 5]);
        assert_eq!(step(&mut backlog, None), Step::Nothing, "the readers meet");
        assert!(backlog.refill(|_, _| vec![whole(20)]));
        assert_eq!(files(&step(&mut backlog, None)), [20]);
        assert!(backlog.is_decoding());
    }

    #[test]
    fn only_pictures_to_be_decoded_are_put_off() {
        let mut backlog = holding(vec![head(0), decoding(1)]);
        assert_eq!(backlog.recall(), [1]);
        assert!(backlog.refill(|_, _| panic!("there is a read")));
        assert_eq!(files(&step(&mut backlog, None)), [0]);
    }
}
