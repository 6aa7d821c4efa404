//! Keys and signatures of packs, in the format of minisign.

use std::io::Cursor;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, bail};
use ct_codecs::{Base64, Decoder as _};
use juror_evidence::pack::{Signed, Signer};
use minisign::{KeyPair, PublicKey, SecretKey, SecretKeyBox};

use crate::say;

/// Makes a pair of keys: `NAME.key` to sign with, which is not locked and nobody else's business, and `NAME.pub` to publish.
pub(crate) fn make(name: &Path) -> anyhow::Result<ExitCode> {
    let pair = KeyPair::generate_unencrypted_keypair().context("cannot make a key")?;
    let public = pair.pk.to_box()?.into_string();
    let secret = pair.sk.to_box(Some("secret key of juror"))?.into_string();
    let path = |end: &str| {
        let mut path = name.as_os_str().to_owned();
        path.push(end);
        PathBuf::from(path)
    };
    for (path, text) in [(path(".key"), secret), (path(".pub"), public)] {
        if path.exists() {
            bail!("{} is there already; name another file", path.display());
        }
        std::fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
        say(&format!("juror: {}", path.display()));
    }
    Ok(ExitCode::SUCCESS)
}

/// The secret key in a file.
pub(crate) fn secret(path: &Path) -> anyhow::Result<SecretKey> {
    let read = || {
        format!(
            "cannot read {} as a secret key of minisign's",
            path.display()
        )
    };
    let text = std::fs::read_to_string(path).with_context(read)?;
    let held = || SecretKeyBox::from_string(&text).with_context(read);
    match held()?.into_unencrypted_secret_key() {
        Ok(key) => Ok(key),
        Err(_) => match unlocked(&text) {
            Some(key) => Ok(key),
            None => held()?.into_secret_key(None).with_context(read),
        },
    }
}

/// A key as `minisign -G -W` writes it: not locked, and without the checksum that the crate asks for.
fn unlocked(text: &str) -> Option<SecretKey> {
    let bytes = Base64::decode_to_vec(text.lines().nth(1)?.trim(), None).ok()?;
    let is_unlocked = bytes.get(2..4)? == [0; 2] && bytes.ends_with(&[0; 32]);
    SecretKey::from_bytes(&bytes).ok().filter(|_| is_unlocked)
}

/// The signature of a manifest, which names its key.
pub(crate) fn signature(key: &SecretKey, manifest: &str) -> anyhow::Result<String> {
    let public = PublicKey::from_secret_key(key)?;
    let named = Signed::comment(&public.to_base64());
    let signed = minisign::sign(
        Some(&public),
        key,
        Cursor::new(manifest),
        Some(&named),
        Some("signature of manifest.json"),
    );
    Ok(signed.context("cannot sign the manifest")?.into_string())
}

/// A public key: the path of its file, or the key itself.
pub(crate) fn signer(named: &str) -> anyhow::Result<Signer> {
    let text = std::fs::read_to_string(named).unwrap_or_else(|_| named.to_owned());
    Signer::read(&text)
        .with_context(|| format!("{named} is neither a public key of minisign's nor a file of one"))
}
