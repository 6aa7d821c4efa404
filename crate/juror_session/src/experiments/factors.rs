//! Which factors there are, with their levels: of submissions by what they state, of judging by judges' names.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use crate::packs_apart::UNRECORDED;
use crate::state::Session;
use juror_model::experiment::{BASE, JUDGE, PACK, PrintedLevel, Side, VARIANT_FILE, Variant};
use juror_model::judge::{is_panel, is_person};
use juror_model::linked::ModelData;
use juror_model::problem::{Problem, Severity};
use juror_model::submission::Submission;
use juror_model::tree::{FileId, base_name, join};

/// The factor of what a judge is asked, as papers print it.
const QUESTIONS: &str = "questions";

/// One factor, with everything that varies along it.
#[derive(Debug)]
pub(super) struct Factor {
    pub(super) name: String,
    pub(super) side: Side,
    /// In the order in which they are shown.
    pub(super) levels: Vec<String>,
    pub(super) blocks: Vec<Block>,
    /// What two submissions or judges state alike.
    pub(super) notes: Vec<String>,
}

/// One base, or one model by one judge, with whose numbers its levels are.
#[derive(Clone, Debug, Default)]
pub(super) struct Block {
    pub(super) base: String,
    pub(super) judge: String,
    pub(super) of: BTreeMap<String, ModelByJudge>,
}

/// A model, and whose judging of it where that is what varies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ModelByJudge {
    pub(super) model: usize,
    pub(super) judge: Option<String>,
}

impl Session {
    /// The file that says what a submission is a variant of; none where several have one folder.
    fn variant_file(&self, submission: &Submission) -> Option<FileId> {
        let path = join(&submission.folder, VARIANT_FILE);
        let file = self.loader.tree.find(&path)?;
        let all = self.loader.submissions.iter().flatten();
        let owners = all.filter(|other| other.folder == submission.folder);
        (owners.count() == 1).then_some(file)
    }

    /// What a model states to be a variant of: its file, where that can be read, and its name.
    pub(crate) fn variant_of(&self, submission: &Submission) -> Variant {
        let file = self.variant_file(submission);
        let text = file.and_then(|file| self.loader.read.variants.get(&file));
        let stated = text.and_then(|text| Variant::read(text, &submission.name).ok());
        stated.unwrap_or_else(|| Variant::of_name(&submission.name))
    }

    /// What is wrong with files that say what a submission is a variant of.
    pub(crate) fn variant_problems(&self) -> Vec<Problem> {
        let hint = "Write {\"base\": \"MODEL\", \"levels\": {\"FACTOR\": \"LEVEL\"}}. Until then its level is taken from the folder's name alone.";
        let problem = |file: FileId, message: String| {
            let path = self.loader.tree.path(file);
            Problem::new(
                path,
                ("bad_variant", Severity::Warning),
                String::new(),
                message,
                hint,
            )
        };
        let mut found = Vec::new();
        let mut seen = BTreeSet::new();
        for submission in self.loader.submissions.iter().flatten() {
            let path = join(&submission.folder, VARIANT_FILE);
            let Some(file) = self
                .loader
                .tree
                .find(&path)
                .filter(|file| seen.insert(*file))
            else {
                continue;
            };
            let text = self.loader.read.variants.get(&file);
            let read = text.map(|text| Variant::read(text, &submission.name));
            if let Some(Err(error)) = read {
                found.push(problem(file, error.to_string()));
            } else if self.variant_file(submission).is_none() {
                let message = "The folder holds several submissions, and the file does not say which of them it is about.";
                found.push(problem(file, message.to_owned()));
            }
        }
        found.extend(self.stray_variants());
        found
    }

    /// Names the files of this name that lie in no submission's folder: they say of nobody what it is a variant of.
    fn stray_variants(&self) -> Vec<Problem> {
        let submissions = || self.loader.submissions.iter().flatten();
        let of_benchmark = self.loader.benchmark.iter().flat_map(|known| &known.files);
        let of_benchmark: BTreeSet<FileId> = of_benchmark.copied().collect();
        let is_stray = |file: FileId, path: &str| {
            let is_of = |one: &Submission| join(&one.folder, VARIANT_FILE) == path;
            !of_benchmark.contains(&file) && !submissions().any(is_of)
        };
        let files = self
            .loader
            .tree
            .files()
            .map(|(file, entry)| (file, &*entry.path));
        let named = files.filter(|(_, path)| base_name(path) == VARIANT_FILE);
        let stray = named.filter(|(file, path)| is_stray(*file, path));
        let problem = |(_, path): (FileId, &str)| {
            Problem::new(
                path,
                ("variant_not_used", Severity::Warning),
                String::new(),
                "This file is not used: it says what a submission is a variant of, and it is not in a submission's folder.".to_owned(),
                "Put it in the folder of the submission that it is about, beside its outputs.",
            )
        };
        stray.map(problem).collect()
    }
}

/// All factors at hand: those of submissions, then those of judging.
pub(super) fn factors(session: &Session, printed: &[PrintedLevel]) -> Vec<Factor> {
    let mut found = of_submissions(session);
    found.extend(of_judging(session, printed));
    for factor in &mut found {
        factor.order(session, printed);
    }
    // What has one level only is nothing to begin with.
    found.sort_by_key(|factor| factor.levels.len() < 2);
    found
}

/// One that states a level or none: what it is, and where its numbers are.
#[derive(Clone)]
struct Member {
    variant: Variant,
    name: String,
    stated: ModelByJudge,
}

impl Member {
    /// The prompt pack that its replies record: that of its name, or the only one.
    fn pack(&self, session: &Session) -> Option<String> {
        let stated = self.variant.levels.get(PACK).cloned();
        stated.or_else(|| session.only_pack(&self.name))
    }

    /// The level of the factor `questions` that the paper prints, where the prompt pack that its replies record is called like
    /// it, as a folder of prompts `specific` is.
    fn titled(&self, session: &Session, printed: &[PrintedLevel], factor: &str) -> Option<String> {
        // Only this factor is of what judges are asked; a folder may be called as a level of another by chance.
        if factor != QUESTIONS || self.variant.levels.contains_key(factor) {
            return None;
        }
        let pack = self.pack(session)?;
        let title = session.pack_title(&pack)?;
        let parts = title.split(|c: char| !c.is_alphanumeric());
        let parts: Vec<String> = parts.map(plain).collect();
        let mut levels = printed.iter().filter(|one| one.factor == factor);
        let level = levels.find(|one| parts.contains(&plain(&one.level)))?;
        Some(level.level.clone())
    }

    /// With what the records of its replies say of this factor and its name does not: the prompt pack, or what that is called.
    fn with_recorded(&self, session: &Session, printed: &[PrintedLevel], factor: &str) -> Self {
        let mut member = self.clone();
        if let Some(level) = self.titled(session, printed, factor) {
            member.variant.levels.remove(PACK);
            member.variant.levels.insert(factor.to_owned(), level);
        }
        if factor == PACK
            && let Some(level) = session.only_pack(&self.name)
        {
            let levels = &mut member.variant.levels;
            levels.entry(PACK.to_owned()).or_insert(level);
        }
        member
    }
}

fn of_submissions(session: &Session) -> Vec<Factor> {
    let models = session.world().models;
    let members: Vec<Member> = models
        .iter()
        .enumerate()
        .map(|(at, model)| Member {
            variant: model.variant.clone(),
            name: model.submission.name.clone(),
            stated: ModelByJudge {
                model: at,
                judge: None,
            },
        })
        .collect();
    let factor = |factor: String| {
        let (blocks, notes) = blocks_of(&factor, &members);
        let blocks = blocks.into_iter();
        let blocks = blocks.map(|(base, of)| Block {
            base,
            judge: String::new(),
            of,
        });
        Factor {
            side: Side::Submission,
            levels: Vec::new(),
            blocks: blocks.collect(),
            notes,
            name: factor,
        }
    };
    stated_factors(&members).into_iter().map(factor).collect()
}

fn of_judging(session: &Session, printed: &[PrintedLevel]) -> Vec<Factor> {
    let models = session.world().models;
    let of_model = |(at, model): (usize, &ModelData)| -> Vec<Member> {
        let judges = model.judges.iter().zip(&model.num_by_judge);
        let judges = judges.filter(|(name, count)| **count > 0 && !is_panel(name));
        judges
            .map(|(name, _)| Member {
                variant: Variant::of_name(name),
                name: name.clone(),
                stated: ModelByJudge {
                    model: at,
                    judge: Some(name.clone()),
                },
            })
            .collect()
    };
    let all: Vec<Vec<Member>> = models.iter().enumerate().map(of_model).collect();
    let mut names = BTreeSet::new();
    let mut judges = BTreeSet::new();
    for members in &all {
        names.extend(stated_factors(members));
        judges.extend(members.iter().map(|member| member.name.as_str()));
    }
    let base = |at: usize| models[at].submission.name.clone();
    let mut found = Vec::new();
    if all
        .iter()
        .flatten()
        .any(|one| session.only_pack(&one.name).is_some())
    {
        names.insert(PACK.to_owned());
    }
    let mut members = all.iter().flatten();
    if members.any(|member| member.titled(session, printed, QUESTIONS).is_some()) {
        names.insert(QUESTIONS.to_owned());
    }
    for factor in names.into_iter().filter(|factor| factor != JUDGE) {
        let (mut blocks, mut notes) = (Vec::new(), Vec::new());
        for (at, members) in all.iter().enumerate() {
            let members = members.iter().filter(|member| !is_person(&member.name));
            let members: Vec<Member> = members
                .map(|member| member.with_recorded(session, printed, &factor))
                .collect();
            let (own, said) = blocks_of(&factor, &members);
            blocks.extend(own.into_iter().map(|(judge, of)| Block {
                base: base(at),
                judge,
                of,
            }));
            notes.extend(said);
        }
        found.push(Factor {
            name: factor,
            side: Side::Judging,
            levels: Vec::new(),
            blocks,
            notes,
        });
    }
    if judges.len() > 1 {
        let block = |(at, members): (usize, &Vec<Member>)| Block {
            base: base(at),
            judge: String::new(),
            of: members
                .iter()
                .map(|member| (member.name.clone(), member.stated.clone()))
                .collect(),
        };
        let blocks = all.iter().enumerate();
        let blocks = blocks.filter(|(_, members)| !members.is_empty()).map(block);
        found.push(Factor {
            name: JUDGE.to_owned(),
            side: Side::Judging,
            levels: Vec::new(),
            blocks: blocks.collect(),
            notes: Vec::new(),
        });
    }
    found
}

fn stated_factors(members: &[Member]) -> BTreeSet<String> {
    let levels = members
        .iter()
        .flat_map(|member| member.variant.levels.keys());
    levels.cloned().collect()
}

/// The members by what is the same on all levels of a factor, and what two of them state alike: the first by name counts.
fn blocks_of(
    factor: &str,
    members: &[Member],
) -> (
    BTreeMap<String, BTreeMap<String, ModelByJudge>>,
    Vec<String>,
) {
    let mut blocks: BTreeMap<String, BTreeMap<String, ModelByJudge>> = BTreeMap::new();
    let mut notes = Vec::new();
    let apart = |member: &Member| {
        let (level, rest) = member.variant.apart(factor);
        (level, rest.name())
    };
    for member in members {
        if let (Some(_), rest) = apart(member) {
            blocks.entry(rest).or_default();
        }
    }
    for member in members {
        let (level, rest) = apart(member);
        let Some(block) = blocks.get_mut(&rest) else {
            continue;
        };
        let level = level.unwrap_or_else(|| BASE.to_owned());
        match block.entry(level) {
            Entry::Vacant(free) => {
                free.insert(member.stated.clone());
            }
            Entry::Occupied(taken) => notes.push(format!(
                "{} states the level {} of {rest} as another one does already, and is left out.",
                member.name,
                taken.key()
            )),
        }
    }
    (blocks, notes)
}

impl Factor {
    /// Puts the levels in order: the base as it is, those that the paper prints in its order, packs as they were opened,
    /// numbers by size, everything else by name.
    fn order(&mut self, session: &Session, printed: &[PrintedLevel]) {
        let own: BTreeSet<&String> = self
            .blocks
            .iter()
            .flat_map(|block| block.of.keys())
            .collect();
        let place = |level: &str| -> (usize, usize, f64) {
            let of_factor = printed.iter().filter(|one| one.factor == self.name);
            let mut of_factor = of_factor.map(|one| plain(&one.level));
            let printed = of_factor.position(|one| one == plain(level));
            let packs = &session.loader.packs;
            let pack = (self.name == PACK)
                .then(|| {
                    packs
                        .iter()
                        .position(|pack| pack.info.sha256.starts_with(level))
                })
                .flatten();
            match (level, printed.or(pack)) {
                (BASE, _) => (0, 0, 0.0),
                (_, Some(at)) => (1, at, 0.0),
                (UNRECORDED, None) => (3, 0, 0.0),
                (_, None) => (2, 0, level.parse().unwrap_or(f64::INFINITY)),
            }
        };
        let mut levels: Vec<String> = own.into_iter().cloned().collect();
        levels.sort_by(|a, b| {
            let (x, y) = (place(a), place(b));
            (x.0, x.1)
                .cmp(&(y.0, y.1))
                .then(x.2.total_cmp(&y.2))
                .then_with(|| a.cmp(b))
        });
        self.levels = levels;
    }
}

/// A name without anything but letters and digits, in lower case, as names of papers and folders are compared.
pub(super) fn plain(name: &str) -> String {
    let letters = name.chars().filter(|c| c.is_alphanumeric() || *c == '+');
    letters.flat_map(char::to_lowercase).collect()
}
