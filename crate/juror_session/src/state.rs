//! The session itself: a loader and the data that views are functions over.

use super::data::Data;
use super::linked::Linked;
use super::loader::Loader;
use super::measured::MergedMeasures;
use super::picture::{Probe, Undecodable};
use super::study::LinkedSession;
use crate::error::Error;
use crate::rating_file::Merged;
use crate::view::{MeasureView, SampleView};
use juror_judging::journal;
use juror_model::host::{FileMeta, Progress, Want};
use juror_model::incident::IncidentKind;
use juror_model::judge::is_panel;
use juror_model::linked::ModelData;
use juror_model::options::ScoreOptions;
use juror_model::problem::{Notice, Problem};
use juror_model::reply::ParsedReply;
use juror_model::row::ScoreRow;
use juror_model::sample::Sample;
use juror_model::score::{Scores, Unit};
use juror_model::terms::Difference;
use juror_model::tolerance::Tolerance;
use juror_model::tree::FileId;
use juror_protocols::contract::{Protocol, Signs};

/// The state of one user's work.
#[derive(Debug)]
pub struct Session {
    pub(super) loader: Loader,
    pub(super) data: Data,
    /// What is done with measured values.
    pub(super) measuring: Measuring,
    /// What is done with panels of judges.
    pub(super) panelling: Panelling,
    /// What is done with people's ratings.
    pub(super) link_people: fn(&Session, &mut Linked) -> Merged,
    /// What is done with replies that the strict reading refuses.
    pub(super) tolerating: Tolerating,
    /// What is found beyond what keeps a score from being right.
    pub(super) findings: Findings,
}

/// Reads a reply of a request about a sample, and names the allowances that it took.
type ParseTolerantly =
    fn(&dyn Protocol, Option<&Sample>, &str, &str) -> Option<(ParsedReply, Vec<String>)>;

/// How a session deals with replies that the strict reading refuses; one that only refuses them links nothing more.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tolerating {
    pub(super) link: fn(&Session, &mut Linked),
    pub(super) parse: ParseTolerantly,
    pub(super) counts: fn(&Session) -> Vec<Tolerance>,
    pub(super) problems: fn(&Session) -> Vec<Problem>,
}

impl Tolerating {
    /// They stay refused.
    const NONE: Self = Self {
        link: |_, _| (),
        parse: |_, _, _, _| None,
        counts: |_| Vec::new(),
        problems: |_| Vec::new(),
    };
}

/// What a session says of replies and submissions beside what it could not read; one that is asked first questions alone leaves
/// these words to the session that takes its place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Findings {
    /// Of records that are heard by nobody, and of batch engines' results.
    pub(super) records: fn(&Session, &mut Linked),
    /// Of replies that read differently from others to the same question.
    pub(super) conflicts: fn(&Session, &mut Linked),
    /// Of what replies were given under, of variants, and of packs.
    pub(super) state: fn(&Session, &mut Linked),
    /// Of journals of other benchmarks, and of models that were renamed.
    pub(super) journals: fn(&Session) -> Vec<Problem>,
    /// What could change a number, in one line for each kind.
    pub(super) notices: fn(&LinkedSession<'_>, &[Problem]) -> Vec<Notice>,
}

impl Findings {
    /// Nothing is said.
    const NONE: Self = Self {
        records: |_, _| (),
        conflicts: |_, _| (),
        state: |_, _| (),
        journals: |_| Vec::new(),
        notices: |_, _| Vec::new(),
    };
}

/// How a session deals with measured values; one that never meets any links nothing of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Measuring {
    pub(super) merge: fn(&Session) -> MergedMeasures,
    pub(super) score: fn(&Session, &ScoreOptions, &mut Scores),
    pub(super) detail: fn(&Session, &ModelData, &Unit, IncidentKind) -> String,
    pub(super) views: fn(&Session, &ModelData, u32, u32) -> Vec<MeasureView>,
    pub(super) added: fn(&Session) -> Option<(String, String)>,
}

/// How a session deals with panels of judges; one that never scores any links nothing of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Panelling {
    pub(super) seat: fn(&mut Session, &str),
    pub(super) score: fn(&Session, &ScoreOptions) -> Scores,
    pub(super) differences: fn(&Session, &ScoreOptions) -> Vec<Difference>,
    pub(super) words: fn(&ScoreRow) -> Vec<String>,
    pub(super) name_ties: fn(&Session, &ScoreOptions, &mut SampleView),
}

impl Panelling {
    /// None are known.
    const NONE: Self = Self {
        seat: |_, _| (),
        score: |_, _| Scores::default(),
        differences: |_, _| Vec::new(),
        words: |_| Vec::new(),
        name_ties: |_, _, _| (),
    };
}

impl Session {
    /// A session without files that knows these protocols only, without what only later questions need, so that a program
    /// that asks none of them does not link it: of what may lie beside a benchmark's own files it reads journals alone,
    /// without results of batch engines, and it prepares no files for searches.
    ///
    /// # Panics
    /// There is no protocol among them.
    pub fn for_first_questions(probe: Probe, protocols: &'static [&'static dyn Protocol]) -> Self {
        Self {
            loader: Loader::new(probe, protocols),
            data: Data::default(),
            measuring: Measuring::NONE,
            panelling: Panelling::NONE,
            link_people: |_, _| Merged::default(),
            tolerating: Tolerating::NONE,
            findings: Findings::NONE,
        }
    }

    /// Has files held against these benchmarks too, in this order, of which it knows no more than the signs: what is of one
    /// of them is told as a session that knows them all tells it, and [`lack`](super::lack) says where it cannot be read.
    #[must_use]
    pub fn among(mut self, signs: &[&'static dyn Signs]) -> Self {
        self.loader.hold_against(signs);
        self
    }

    /// Adds listed files; the first gets the number that is returned, the others follow in order.
    pub fn add_files(&mut self, files: &[FileMeta]) -> FileId {
        let first = self.loader.add_files(files);
        self.data.cache.is_complete = false;
        self.data.stale.clear();
        self.forget_changed();
        first
    }

    /// Ties everything together, and brings the replies of this judge among the others if it is a panel.
    pub(super) fn seat(&mut self, judge: &str) {
        self.link();
        if is_panel(judge) {
            (self.panelling.seat)(self, judge);
        }
    }

    /// The path of a file; empty for an unknown number.
    pub fn path(&self, file: FileId) -> &str {
        self.loader.tree.path(file)
    }

    /// The reads that are wanted now, at most `limit`; each is handed out once.
    ///
    /// Empty while earlier ones are under way, and at the end.
    pub fn wants(&mut self, limit: usize) -> Vec<Want> {
        let wants = self.loader.wants(limit);
        self.forget_changed();
        wants
    }

    /// Puts the reads of these files before the others that were not handed out yet: somebody looks at them.
    pub fn prioritize(&mut self, files: &[FileId]) {
        self.loader.prioritize(files);
    }

    /// Takes back pictures that were handed out to be decoded and not begun; they are wanted again when it is their turn.
    pub fn put_off(&mut self, files: &[FileId]) {
        self.loader.put_off(files);
    }

    /// Takes the bytes of a wanted read.
    pub fn provide(&mut self, file: FileId, bytes: Vec<u8>) {
        self.loader.provide(file, bytes);
        self.forget_changed();
    }

    /// Takes what came of decoding a picture that was wanted in [`Phase::Decoding`](juror_model::host::Phase::Decoding): nothing wrong, or what and the mend.
    ///
    /// A host that cannot decode calls [`Session::provide`] instead: the header then replaces the picture.
    pub fn provide_decoded(&mut self, file: FileId, found: Result<(), Undecodable>) {
        self.loader.provide_decoded(file, found);
        self.forget_changed();
    }

    /// Takes note that a wanted read did not work.
    pub fn failed(&mut self, file: FileId, message: &str) {
        self.loader.failed(file, message);
        self.forget_changed();
    }

    /// Takes note that a wanted read did not work, as the bytes in a ZIP are not those that were packed; `why` in words.
    pub fn damaged_entry(&mut self, file: FileId, zip: &str, entry: &str, why: &str) {
        self.loader.damaged_entry(file, zip, entry, why);
        self.forget_changed();
    }

    /// Tells that a folder is a link to another one among what is open: a model in both is one model.
    pub fn add_linked_folder(&mut self, path: &str, target: &str) {
        self.loader.add_linked_folder(path, target);
    }

    /// Takes note of a folder that the host could not list: what is not found there counts as missing nowhere.
    pub fn add_closed_folder(&mut self, path: &str, message: &str) {
        self.loader.add_closed_folder(path, message);
        self.forget_changed();
    }

    /// Asks again for every file whose reading failed; how many they are.
    pub fn retry_failures(&mut self) -> u32 {
        let num_failed = self.loader.retry_failures();
        self.data.cache.is_complete = false;
        self.forget_changed();
        num_failed
    }

    /// How far loading has come.
    pub fn progress(&mut self) -> Progress {
        let progress = self.loader.progress();
        self.forget_changed();
        progress
    }

    /// Whether everything was read, and every picture decoded.
    pub fn is_complete(&mut self) -> bool {
        self.progress().phase.is_none()
    }

    /// Chooses the prompt pack that requests are made with.
    ///
    /// # Errors
    /// No pack has this hash.
    pub fn use_pack(&mut self, sha256: &str) -> Result<(), Error> {
        let before = self.loader.pack;
        self.loader.use_pack(sha256)?;
        // Findings name whose texts are used.
        if self.loader.pack != before {
            self.data.cache.relink();
        }
        Ok(())
    }

    /// The replies that were pasted, as a journal.
    pub fn journal(&self) -> String {
        journal::write(&self.data.pasted)
    }

    /// Forgets what was derived from other files than those that there are now.
    pub(super) fn forget_changed(&mut self) {
        if self.loader.take_changed() {
            self.data.cache.relink();
        }
    }
}
