//! Whose signature a pack bears: Ed25519 over its manifest, in the format of minisign, which others' programs check as well.
//!
//! A signature says that the holder of a key let this manifest pass, and nothing of what is in it: it is told beside the
//! answer whether the pack reproduces. One that is nobody's signature of this manifest is a finding like any other.

use minisign_verify::{PublicKey, Signature};
use serde::{Deserialize, Serialize};

/// Before the key in the comment that is signed too.
const KEY: &str = "key ";
/// A comment, the signature, the comment that is signed too, the signature of both.
const NUM_LINES: usize = 4;
/// What is said of a signature that this program cannot check.
const UNNAMED: &str =
    "The signature names no key, so only who has the key can check it: minisign -V.";

/// What came of a pack's signature.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS),
    ts(export, rename = "PackSignature")
)]
pub struct Signed {
    /// The public key as minisign writes it; empty where the signature does not fit.
    pub key: String,
    /// What is wrong with it; empty where it fits.
    pub problem: String,
}

/// A public key that a reader expects a pack to be signed by.
#[derive(Clone, Debug)]
pub struct Signer(PublicKey);

impl Signer {
    /// Reads a public key: the text of a file of minisign's, or the key alone.
    pub fn read(text: &str) -> Option<Self> {
        let text = text.trim();
        let key = PublicKey::decode(text).or_else(|_| PublicKey::from_base64(text));
        key.ok().map(Self)
    }

    /// Whether a manifest is signed by this key.
    pub fn has_signed(&self, manifest: &str, signature: &str) -> bool {
        let signature = Signature::decode(signature);
        signature.is_ok_and(|signature| {
            let text = manifest.as_bytes();
            // minisign wrote signatures of the text itself before it wrote those of its hash, and checks both.
            self.0.verify(text, &signature, true).is_ok()
        })
    }
}

impl Signed {
    /// The comment that names the key in a signature, which covers it.
    pub fn comment(key: &str) -> String {
        format!("{KEY}{key}")
    }

    /// What comes of a signature of this manifest; nothing where there is none.
    pub fn of(manifest: &str, signature: Option<&str>) -> Option<Self> {
        let signature = signature?;
        let problem = |problem: &str| Self {
            key: String::new(),
            problem: problem.to_owned(),
        };
        let decoded = Signature::decode(signature).ok();
        let decoded = decoded.filter(|_| signature.lines().count() == NUM_LINES);
        let Some(decoded) = decoded else {
            return Some(problem("The signature is not as minisign writes one."));
        };
        let named = decoded.trusted_comment().trim().strip_prefix(KEY);
        let Some(key) = named else {
            return Some(problem(UNNAMED));
        };
        let signer = PublicKey::from_base64(key).map(Signer);
        Some(match signer {
            Ok(signer) if signer.has_signed(manifest, signature) => Self {
                key: key.to_owned(),
                problem: String::new(),
            },
            Ok(_) => problem("The signature is not of this manifest."),
            Err(_) => problem("The signature names a key that is none."),
        })
    }

    /// Whether it cannot be anybody's signature of this manifest, as against one that names no key to check it by.
    pub fn is_wrong(&self) -> bool {
        !self.problem.is_empty() && self.problem != UNNAMED
    }

    /// In a sentence.
    pub fn words(&self) -> String {
        if self.problem.is_empty() {
            format!("Signed by {}.", self.key)
        } else {
            self.problem.clone()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Made by minisign 0.11 for these tests: `minisign -G`, and `-S` of this text with `-t`, and with `-l` as well.
    const TEXT: &str = "A manifest.\n";
    const PUBLIC: &str = "RWQeH3AW6gYkKXcgmplViuG7DtXoEe5fbscgfJUcWD7gzegnkHFiOzOM";
    const HASHED: [&str; 2] = [
        "RUQeH3AW6gYkKdbQFYm4KWTnVfMV0NpcWATaTkz/p6wKWyp0kp6Bv/aic3rSa8tQOvuAA8O1UUGO5spT3TrxEtyOOESmsQ8SKAY=",
        "tBxu4r7VZsoLZox4nmBn9mXkozfFII/SwxLtCTORytO7p+eSn4LX7t9bH5l5McrUZ8iZGkp4KMNGKX84WhMWAQ==",
    ];
    const LEGACY: [&str; 2] = [
        "RWQeH3AW6gYkKV3TT+n4LyCu8hHVIF2BjIFIs1a6deV/MNzmzdvosZwCogCkR8xCv6BS09mx866n8W+df7abdxNgbEdpT+bS6QY=",
        "242dEWA98K9qtVQcnBqQa0Ihvih8u7lfKmQR5qVcgbEf/4MFWV3BlaqKUPEbNdZ/NdLMPzQ3+mBbi0vo0hDODw==",
    ];
    const UNNAMED_ONE: [&str; 2] = [
        "RUQeH3AW6gYkKdbQFYm4KWTnVfMV0NpcWATaTkz/p6wKWyp0kp6Bv/aic3rSa8tQOvuAA8O1UUGO5spT3TrxEtyOOESmsQ8SKAY=",
        "CNxodbVGWlP8dKF71UJW6K8CzVWty5gH85UDNlMSez/KYbyNIctX1yKVIjm6dIctvTJBZWXGCYNd9aKdp0R5CQ==",
    ];

    fn signature([own, global]: [&str; 2], comment: &str) -> String {
        format!("untrusted comment: signature\n{own}\ntrusted comment: {comment}\n{global}\n")
    }

    fn told(manifest: &str, signature: &str) -> (String, bool) {
        let signed = Signed::of(manifest, Some(signature)).unwrap_or_default();
        let is_wrong = signed.is_wrong();
        (signed.key, is_wrong)
    }

    #[test]
    fn signatures_of_minisign_that_name_their_key_are_by_that_key() {
        for made in [HASHED, LEGACY] {
            let sound = signature(made, &Signed::comment(PUBLIC));
            assert_eq!(told(TEXT, &sound), (PUBLIC.to_owned(), false));
            // Of another text, with another comment, or with a line more: the siblings that must fail.
            assert_eq!(told("A manifest!\n", &sound), (String::new(), true));
            let other = signature(
                made,
                &Signed::comment(PUBLIC.replace("RWQ", "RWR").as_str()),
            );
            assert_eq!(told(TEXT, &other), (String::new(), true));
            assert_eq!(told(TEXT, &(sound + "Audited.\n")), (String::new(), true));
        }
    }

    #[test]
    fn a_signature_of_minisign_that_names_no_key_is_no_finding_and_fits_its_key_alone() {
        let unnamed = signature(UNNAMED_ONE, "an example");
        assert_eq!(told(TEXT, &unnamed), (String::new(), false));
        let signer = Signer::read(PUBLIC);
        let has_signed = |text| signer.as_ref().map(|one| one.has_signed(text, &unnamed));
        assert_eq!(has_signed(TEXT), Some(true));
        assert_eq!(has_signed("Another.\n"), Some(false));
    }

    #[test]
    fn what_is_no_signature_is_wrong_even_where_it_is_empty() {
        for text in ["", "Signed by everybody.", "\n\n\n\n"] {
            assert_eq!(told(TEXT, text), (String::new(), true), "{text:?}");
        }
        assert_eq!(Signed::of(TEXT, None), None);
    }
}
