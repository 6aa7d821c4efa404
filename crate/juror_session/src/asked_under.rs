//! Under which prompt pack replies were given, over what is open: see [`super::packs_apart`].

use crate::study::LinkedSession;
use std::borrow::Cow;

use super::heard::AllowedModels;
use super::packs_apart::{PacksApart, named};
use super::state::Session;
use juror_judging::journal::Record;
use juror_judging::records::RecordView;
use juror_model::judge::is_person;
use juror_model::problem::{Problem, Severity};
use juror_model::trust::Owners;

/// The name by which a judge's replies to what is asked now stand: to requests with the prompt pack in use.
pub fn judge_in_use(session: &LinkedSession<'_>, judge: &str) -> String {
    session.judge_in_use(judge).into_owned()
}

/// The name by which the replies stand that somebody named so: a judge under a prompt pack, `JUDGE@pack=HASH`, is the judge
/// itself while all its replies are under that pack. Judges that the protocol averages, `a + b`, are the panel of their
/// mean.
pub fn standing_judge(session: &LinkedSession<'_>, name: &str) -> String {
    let joined = session.at_hand().joined.into_iter();
    let joined = joined.filter(|joined| joined.name == name);
    let panel = joined.map(|joined| joined.judge).next();
    panel.unwrap_or_else(|| session.standing_judge(name))
}

/// Why nothing is asked with the judge texts that the user named; `None` where something is.
pub fn unused_prompts(session: &LinkedSession<'_>) -> Option<String> {
    let mut problems = session.texts_by_sample().into_iter();
    if let Some(bad) = problems.find(|one| one.severity == Severity::Error) {
        return Some(format!("{} {}", bad.message, bad.hint));
    }
    (!session.loader.has_judge_texts()).then(|| {
        format!(
            "It holds no judge texts of {}, or not all of them. Name the authors' repository or the folder with all of their prompt files.",
            session.loader.protocol.title()
        )
    })
}

impl Session {
    pub(super) fn standing_judge(&self, name: &str) -> String {
        match &self.data.cache.linked {
            Some(linked) => linked.packs.standing(name).into_owned(),
            None => name.to_owned(),
        }
    }

    /// The level of the one prompt pack that all recorded replies of a judge are under.
    pub(super) fn only_pack(&self, judge: &str) -> Option<String> {
        let linked = self.data.cache.linked.as_ref()?;
        linked.packs.only_level(judge)
    }

    /// What the records at hand are under.
    pub(super) fn packs_apart(&self, owners: &Owners) -> PacksApart {
        let mut found = PacksApart::default();
        // What brought no reply, or none that counts, makes no level.
        let counts = |record: &RecordView<'_>| {
            record.protocol == self.loader.protocol.id()
                && record.error.is_none()
                && record.anchor.is_none()
                && !record.prompts.is_empty()
                && !is_person(record.judge)
                && !self.data.is_stale(*record)
        };
        for (file, (_, journal)) in &self.loader.read.journals {
            let heard = AllowedModels::of(owners, self.loader.tree.path(*file));
            let records = journal.records.iter().map(|(_, record)| record);
            let records = records.filter(|record| heard.includes(record.model));
            records
                .filter(counts)
                .for_each(|record| found.count(record));
        }
        let pasted = self.data.pasted.iter().map(Record::view);
        pasted.filter(counts).for_each(|record| found.count(record));
        found
    }

    /// A word about each judge whose replies stand apart.
    pub(super) fn pack_problems(&self, packs: &PacksApart) -> Vec<Problem> {
        let finding = |(judge, packs): (&String, Vec<(String, &String, u32)>)| {
            let told: Vec<String> = packs
                .iter()
                .map(|(level, hash, replies)| {
                    let title = self.pack_title(hash);
                    let title = title.map_or_else(String::new, |title| format!("{title}, "));
                    let word = if *replies == 1 { "reply" } else { "replies" };
                    format!("{level} ({title}{replies} {word})")
                })
                .collect();
            let name = if judge.is_empty() {
                "the judge without a name"
            } else {
                judge
            };
            Problem::new(
                "",
                ("several_packs", Severity::Warning),
                String::new(),
                format!(
                    "Replies of {name} are under {} prompt packs, {}: the replies of each pack count as a separate judge, such as {}.",
                    packs.len(),
                    told.join(" and "),
                    packs
                        .first()
                        .map_or_else(String::new, |(level, ..)| named(judge, level)),
                ),
                "Other prompts are other questions, so none of them replaces another's. Compare them as levels of the factor pack: juror experiments --factor pack.",
            )
        };
        packs.several().map(finding).collect()
    }

    /// A word on judge texts from files that no release has.
    pub(super) fn texts_in_use(&self) -> Option<Problem> {
        let info = &self.loader.packs[self.loader.pack].info;
        let is_from_files = self.loader.pack > 0 && !info.official;
        is_from_files.then(|| {
            Problem::new(
                &info.name,
                ("texts_in_use", Severity::Warning),
                String::new(),
                format!(
                    "Judges are asked with {}, which are not those of the authors' release.",
                    info.words()
                ),
                "If they are not meant, close this file, or choose another prompt pack.",
            )
        })
    }

    /// What of the opened texts by sample is not asked.
    pub(super) fn texts_by_sample(&self) -> Vec<Problem> {
        let loader = &self.loader;
        let samples = (loader.benchmark.as_ref()).map_or(&[][..], |known| &known.samples);
        let texts = loader.read.prompt_texts.iter();
        let texts = texts.map(|(file, text)| (loader.tree.path(*file), text));
        let Some(by_sample) = loader.protocol.texts_by_sample() else {
            return Vec::new();
        };
        let texts = texts.filter(|(path, _)| by_sample.is_file(path));
        texts
            .flat_map(|(path, text)| by_sample.problems(path, text, samples))
            .collect()
    }

    /// What a prompt pack is called whose hash begins so, if it is open.
    pub(super) fn pack_title(&self, beginning: &str) -> Option<&str> {
        let mut packs = self.loader.packs.iter();
        let pack = packs.find(|pack| pack.info.sha256.starts_with(beginning))?;
        Some(&pack.info.name)
    }

    /// The name by which a record's replies stand.
    pub(super) fn judge_of<'a>(&self, record: RecordView<'a>) -> Cow<'a, str> {
        match &self.data.cache.linked {
            Some(linked) => linked.packs.name(record.judge, record.prompts),
            None => Cow::Borrowed(record.judge),
        }
    }

    /// The name by which a judge's replies to what is asked now stand: to requests with the prompt pack in use.
    pub(super) fn judge_in_use<'a>(&self, judge: &'a str) -> Cow<'a, str> {
        let pack = &self.loader.packs[self.loader.pack];
        match &self.data.cache.linked {
            Some(linked) => linked.packs.name_under(judge, &pack.info.sha256),
            None => Cow::Borrowed(judge),
        }
    }
}
