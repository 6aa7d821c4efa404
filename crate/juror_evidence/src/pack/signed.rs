//! Whose signature a pack bears: Ed25519 over its manifest, in the format of minisign, which others' programs check as well.
//!
//! A signature says that the holder of a key let this manifest pass, and nothing of what is in it: it is told beside the
//! answer whether the pack reproduces, and never changes that.

use minisign_verify::{PublicKey, Signature};
use serde::{Deserialize, Serialize};

/// Before the key in the comment that is signed too.
const KEY: &str = "key ";

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
            self.0.verify(text, &signature, false).is_ok()
        })
    }
}

impl Signed {
    /// The comment that names the key in a signature, which covers it.
    pub fn comment(key: &str) -> String {
        format!("{KEY}{key}")
    }

    /// What comes of a signature of this manifest; nothing where there is none.
    pub fn of(manifest: &str, signature: &str) -> Option<Self> {
        if signature.is_empty() {
            return None;
        }
        let named = Signature::decode(signature).ok().and_then(|signature| {
            let key = signature.trusted_comment().trim().strip_prefix(KEY)?;
            Some(key.to_owned())
        });
        let signer = named
            .as_deref()
            .and_then(|key| PublicKey::from_base64(key).ok());
        Some(match (named, signer.map(Signer)) {
            (Some(key), Some(signer)) if signer.has_signed(manifest, signature) => Self {
                key,
                problem: String::new(),
            },
            (Some(_), Some(_)) => Self {
                key: String::new(),
                problem: "The signature is not of this manifest.".to_owned(),
            },
            _ => Self {
                key: String::new(),
                problem:
                    "The signature names no key, so only who has the key can check it: minisign -V."
                        .to_owned(),
            },
        })
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
