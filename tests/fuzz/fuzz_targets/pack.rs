//! Evidence packs: whatever is changed in one, it is not reproduced; resealed, its report still has to be the recomputed one.
#![no_main]

use std::sync::OnceLock;

use arbitrary::Arbitrary;
use juror_evidence::pack::Manifest;
use juror_fuzz::{Pack, lossy, open, suites};
use juror_model::options::ScoreOptions;
use juror_model::prompt::sha256;
use libfuzzer_sys::fuzz_target;

/// One change.
#[derive(Arbitrary, Debug)]
struct Change<'a> {
    suite: u8,
    text: u8,
    at: u32,
    cut: u8,
    bytes: &'a [u8],
    is_resealed: bool,
}

static PACKS: OnceLock<Vec<Pack>> = OnceLock::new();

fuzz_target!(|change: Change<'_>| {
    let packs = PACKS.get_or_init(honest);
    let mut pack = packs[usize::from(change.suite) % packs.len()].clone();
    let num_texts = pack.texts.len();
    let at = usize::from(change.text) % num_texts;
    let (path, bytes) = &mut pack.texts[at];
    let path = path.clone();
    let before = bytes.clone();
    let from = change.at as usize % bytes.len();
    let to = (from + usize::from(change.cut)).min(bytes.len());
    bytes.splice(from..to, change.bytes.iter().copied());
    if *bytes == before {
        return;
    }
    let changed = bytes.clone();
    if change.is_resealed && !reseal(&mut pack, &path, &changed) {
        return;
    }
    let Some(found) = pack.verify() else {
        return;
    };
    // Resealed, spaces in the other texts and names in the manifest are the sealer's own.
    if !change.is_resealed || path == "report.json" {
        assert!(
            !found.reproduced,
            "{path} was changed and nothing was found"
        );
    }
});

/// Packs of the demo suites, each of which reproduces.
fn honest() -> Vec<Pack> {
    let options = ScoreOptions::default();
    let packs = suites().iter().map(|files| {
        let mut session = open(files);
        let pack = Pack::of(&mut session, files, &options).expect("a demo suite can be packed");
        let found = pack.verify().expect("its manifest can be read");
        assert!(found.reproduced, "{:?}", found.findings);
        pack
    });
    packs.collect()
}

/// Writes the change into the manifest as a forger would; whether that can be done.
fn reseal(pack: &mut Pack, path: &str, bytes: &[u8]) -> bool {
    let Some((_, own)) = pack
        .texts
        .iter_mut()
        .find(|(path, _)| path == "manifest.json")
    else {
        return false;
    };
    let Ok(mut manifest) = Manifest::read(&lossy(own)) else {
        return false;
    };
    for entry in manifest
        .entries
        .iter_mut()
        .filter(|entry| entry.path == path)
    {
        entry.sha256 = sha256(bytes);
        entry.size = bytes.len() as u64;
    }
    manifest.sha256 = manifest.seal();
    *own = manifest.to_json().into_bytes();
    let again = Manifest::read(&lossy(own)).expect("what is written is read again");
    assert_eq!(again.seal(), manifest.sha256);
    true
}
