//! Replies of one judge under several prompt packs: each pack's stand as a judge of their own, `JUDGE@pack=HASH`.
//!
//! A pack is other questions, so what a judge answers to one never stands for what it answered to another.
//! A record says by the hash of its pack which one it is under; files of the authors' judge output say nothing of it.
//! As long as all that is recorded of a judge is under one pack, its name stands alone, and replies that record none are
//! taken to be under the same; as soon as there are two packs, those replies stand apart as well.
//! The level of a pack is the same in both cases, and so `JUDGE@pack=HASH` names the same replies however many packs are open:
//! it stands for the judge as long as that pack is the one that all its replies are under.

use std::borrow::Cow;

use juror_judging::batch::PACK_DIGITS;
use juror_judging::records::RecordView;
use juror_model::experiment::{PACK, Variant};
use juror_statistics::small::SortSmall;

/// The level of replies that do not record their pack.
pub(super) const UNRECORDED: &str = "unrecorded";
/// What the judge without a name is called where its packs stand apart.
const UNNAMED: &str = "unnamed";
/// How many digits of a hash a name has, unless these do not tell the packs apart.
const SHORT: usize = 8;

/// The packs that each judge was asked with. Both are few, so that lists serve.
#[derive(Debug, Default)]
pub(super) struct PacksApart {
    judges: Vec<JudgePacks>,
}

/// With what a judge was asked.
#[derive(Debug)]
struct JudgePacks {
    judge: String,
    packs: Vec<Pack>,
}

/// A prompt pack by the beginning of its hash, and how many replies are under it.
#[derive(Debug)]
struct Pack {
    hash: String,
    replies: u32,
}

/// The beginning of a hash that every record has of it.
fn beginning(sha256: &str) -> &str {
    let end = sha256.char_indices().nth(PACK_DIGITS);
    end.map_or(sha256, |(at, _)| &sha256[..at])
}

fn level(known: &[Pack], pack: &str) -> String {
    let end = pack.char_indices().nth(SHORT);
    let short = end.map_or(pack, |(at, _)| &pack[..at]);
    let is_shared = known
        .iter()
        .any(|other| other.hash != pack && other.hash.starts_with(short));
    if is_shared { pack } else { short }.to_owned()
}

/// The name of a judge's replies under one of its packs.
pub(super) fn named(judge: &str, level: &str) -> String {
    // Before the sign there must be a name, or nothing of it is a level.
    let judge = if judge.is_empty() { UNNAMED } else { judge };
    format!("{judge}@{PACK}={level}")
}

impl PacksApart {
    /// Takes note of a reply.
    pub(super) fn count(&mut self, record: RecordView<'_>) {
        let hash = beginning(record.prompts);
        let asked = self.position(record.judge).unwrap_or_else(|| {
            let judge = record.judge.to_owned();
            let packs = Vec::new();
            self.judges.push(JudgePacks { judge, packs });
            self.judges.len() - 1
        });
        let packs = &mut self.judges[asked].packs;
        let known = packs.iter().position(|pack| pack.hash == hash);
        let known = known.unwrap_or_else(|| {
            let hash = hash.to_owned();
            packs.push(Pack { hash, replies: 0 });
            packs.len() - 1
        });
        packs[known].replies += 1;
    }

    fn position(&self, judge: &str) -> Option<usize> {
        self.judges.iter().position(|asked| asked.judge == judge)
    }

    /// The packs that a judge was asked with.
    fn packs(&self, judge: &str) -> &[Pack] {
        let at = self.position(judge);
        at.map_or(&[], |at| &self.judges[at].packs)
    }

    /// The name by which a judge's replies under a pack stand; of an unknown pack the hash is empty.
    pub(super) fn name<'a>(&self, judge: &'a str, prompts: &str) -> Cow<'a, str> {
        let known = self.packs(judge);
        if known.len() < 2 {
            return Cow::Borrowed(judge);
        }
        Cow::Owned(if prompts.is_empty() {
            named(judge, UNRECORDED)
        } else {
            named(judge, &level(known, beginning(prompts)))
        })
    }

    /// The level of the one pack that all recorded replies of this name are under; `None` where there are several or none.
    pub(super) fn only_level(&self, judge: &str) -> Option<String> {
        let [only] = self.packs(judge) else {
            return None;
        };
        Some(level(std::slice::from_ref(only), &only.hash))
    }

    /// The name by which the replies stand that this one names: `JUDGE@pack=HASH` stands for the judge itself while that is
    /// its only pack.
    pub(super) fn standing<'a>(&self, name: &'a str) -> Cow<'a, str> {
        let (stated, rest) = Variant::of_name(name).apart(PACK);
        let Some(stated) = stated else {
            return Cow::Borrowed(name);
        };
        let judge = rest.name();
        let judge = match self.packs(&judge) {
            [] if judge == UNNAMED => String::new(),
            _ => judge,
        };
        match self.packs(&judge) {
            // As many digits as tell packs apart, or more where somebody wrote them down beside another one.
            [only] if stated.len() >= SHORT && only.hash.starts_with(&stated) => Cow::Owned(judge),
            _ => Cow::Borrowed(name),
        }
    }

    /// The name by which the replies stand that a judge gives when it is asked with this pack now.
    ///
    /// While all it has given is under another one, that is the name that they would get.
    pub(super) fn name_under<'a>(&self, judge: &'a str, sha256: &str) -> Cow<'a, str> {
        let (known, own) = (self.packs(judge), beginning(sha256));
        let is_alone = known.is_empty() || (known.len() == 1 && known[0].hash == own);
        if is_alone {
            return Cow::Borrowed(judge);
        }
        Cow::Owned(named(judge, &level(known, own)))
    }

    /// The judges with several packs, by name: each pack's level, hash and number of replies, by hash.
    pub(super) fn several(&self) -> impl Iterator<Item = (&String, Vec<(String, &String, u32)>)> {
        let judges = self.judges.iter().filter(|asked| asked.packs.len() > 1);
        let mut several: Vec<&JudgePacks> = judges.collect();
        several.sort_small_by_key(|asked| asked.judge.as_str());
        several.into_iter().map(|JudgePacks { judge, packs }| {
            let levels = packs.iter();
            let levels = levels.map(|pack| (level(packs, &pack.hash), &pack.hash, pack.replies));
            let mut levels: Vec<_> = levels.collect();
            levels.sort_small_by_key(|(_, hash, _)| hash.as_str());
            (judge, levels)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn apart(packs: &[&str]) -> PacksApart {
        let pack = |hash: &&str| Pack {
            hash: beginning(hash).to_owned(),
            replies: 1,
        };
        PacksApart {
            judges: vec![JudgePacks {
                judge: "j".to_owned(),
                packs: packs.iter().map(pack).collect(),
            }],
        }
    }

    #[test]
    fn one_pack_leaves_the_judge_its_name_and_two_do_not() {
        let (first, second) = ("a".repeat(64), "b".repeat(64));
        let one = apart(&[&first]);
        assert_eq!((&*one.name("j", &first), &*one.name("j", "")), ("j", "j"));
        let two = apart(&[&first, &second]);
        assert_eq!(two.name("j", &first), "j@pack=aaaaaaaa");
        assert_eq!(two.name("j", &first[..PACK_DIGITS]), "j@pack=aaaaaaaa");
        assert_eq!(two.name("j", ""), "j@pack=unrecorded");
        assert_eq!(two.name("other", &first), "other");
    }

    #[test]
    fn a_level_names_the_same_replies_when_the_other_packs_are_gone() {
        let (first, second) = ("a".repeat(64), "b".repeat(64));
        let two = apart(&[&first, &second]);
        let name = two.name("j", &first).into_owned();
        assert_eq!((&*two.standing(&name), two.only_level("j")), (&*name, None));
        let one = apart(&[&first]);
        assert_eq!(one.standing(&name), "j");
        assert_eq!(one.only_level("j").as_deref(), Some("aaaaaaaa"));
        // What the other pack was asked is not what this one was.
        let gone = two.name("j", &second).into_owned();
        assert_eq!(one.standing(&gone), gone);
        assert_eq!(one.standing("j@pack=a"), "j@pack=a");
        assert_eq!(one.standing("j"), "j");
    }

    #[test]
    fn packs_that_begin_alike_are_named_by_more_of_their_hashes() {
        let (first, second) = ("ab".repeat(32), format!("abababab{}", "c".repeat(56)));
        let two = apart(&[&first, &second]);
        assert_ne!(two.name("j", &first), two.name("j", &second));
    }
}
