//! What the fuzz targets share: sessions over files in memory, small benchmarks to start from, and packs that are checked.
//!
//! Each file below `fuzz_targets` is one target: it feeds what Juror reads from others' hands with made-up bytes, and holds
//! the result against properties that must hold for any bytes, beyond that nothing panics, hangs or takes much memory.
//!
//! `cargo xtask fuzz [MINUTES]` builds all of them, writes the first inputs (the demo suites, the golden vectors and
//! pictures) below `target/fuzz`, and divides the time. It needs a C++ compiler and no nightly Rust: the code is safe, so
//! coverage is all that the compiler adds. `cargo +nightly fuzz run TARGET` works as well, and adds the address sanitizer.

use std::path::Path;
use std::sync::OnceLock;

use juror_evidence::pack::{FoundEntry, Manifest, OpenedPack, Packed, Pictures, Verification};
use juror_image::{ImageError, Limits, Rgb};
use juror_model::host::{FileMeta, Phase, Want};
use juror_model::options::ScoreOptions;
use juror_model::prompt::sha256;
use juror_model::tree::is_picture;
use juror_session::{Probed, Session, Undecodable};

/// A file by path and content.
pub type File = (String, Vec<u8>);

/// Pictures beyond this are refused: what a target may take is bounded by it.
pub const LIMITS: Limits = Limits {
    max_pixels: 1 << 20,
    max_bytes: 8 << 20,
};

/// Where the demo suites were drawn.
const DEMO: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../target/fuzz/demo");
/// The one model of each suite that is kept: a small benchmark is tried more often.
const OTHERS: [&str; 2] = ["basalt-synth", "cinder-synth"];

/// Bytes as text, whatever they are.
pub fn lossy(data: &[u8]) -> String {
    String::from_utf8_lossy(data).into_owned()
}

/// The demo suites by name, each with one model, and with pictures of a few pixels.
pub fn suites() -> &'static [Vec<File>] {
    static SUITES: OnceLock<Vec<Vec<File>>> = OnceLock::new();
    SUITES.get_or_init(|| {
        ["micon", "multibanana", "multiref", "vibe", "weave"]
            .map(suite)
            .into()
    })
}

/// One demo suite, cut down.
pub fn suite(name: &str) -> Vec<File> {
    let mut files = Vec::new();
    let root = Path::new(DEMO).join(name);
    list(&root, "", &mut files);
    assert!(
        !files.is_empty(),
        "no demo suites: run `cargo xtask demo --out target/fuzz/demo`"
    );
    files
}

fn list(folder: &Path, path: &str, files: &mut Vec<File>) {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return;
    };
    let mut names: Vec<String> = entries
        .flatten()
        .filter_map(|entry| entry.file_name().into_string().ok())
        .filter(|name| !OTHERS.iter().any(|other| name.contains(other)) && name != "index.json")
        .collect();
    names.sort_unstable();
    for name in names {
        let full = folder.join(&name);
        let path = match path {
            "" => name,
            above => format!("{above}/{name}"),
        };
        if full.is_dir() {
            list(&full, &path, files);
        } else if is_picture(&path) {
            let picture = small_picture(&path);
            files.push((path, picture));
        } else if let Ok(bytes) = std::fs::read(&full) {
            files.push((path, bytes));
        }
    }
}

/// A picture of its own for a path.
fn small_picture(path: &str) -> Vec<u8> {
    let grey = path.bytes().fold(0_u8, u8::wrapping_add);
    let picture = Rgb::filled(4, 4, [grey, grey ^ 0x55, 77]);
    juror_image::encode_png(&picture.expect("a picture of 48 bytes")).expect("it is sound")
}

/// What a host makes of a picture's first bytes.
pub fn probe(head: &[u8], size: u64) -> Probed {
    match juror_image::probe(head, size, &LIMITS) {
        Ok(probe) => Probed::Picture {
            width: probe.width,
            height: probe.height,
        },
        Err(ImageError::NeedMore { bytes }) => Probed::NeedMore { bytes },
        Err(error) => Probed::Bad {
            message: error.message(),
            hint: error.hint(),
        },
    }
}

/// A session over files in memory, loaded to the end.
pub fn open(files: &[File]) -> Session {
    let mut session = Session::new(probe);
    let metas: Vec<FileMeta> = files.iter().map(meta).collect();
    session.add_files(&metas);
    load(&mut session, |want| {
        Some(files[want.file as usize].1.clone())
    });
    session
}

/// A file as a host lists it.
pub fn meta((path, bytes): &File) -> FileMeta {
    FileMeta {
        path: path.clone(),
        size: Some(bytes.len() as u64),
    }
}

/// Reads what the session wants to the end; `None` is a file that cannot be read.
pub fn load(session: &mut Session, bytes: impl Fn(&Want) -> Option<Vec<u8>>) {
    // More than three reads of a file would be a loop.
    for _ in 0..100_000 {
        let wants = session.wants(64);
        if wants.is_empty() {
            return;
        }
        for want in wants {
            let Some(mut bytes) = bytes(&want) else {
                session.failed(want.file, "gone");
                continue;
            };
            if want.phase == Phase::Decoding {
                session.provide_decoded(want.file, decoded(&bytes));
                continue;
            }
            if let Some(head) = want.head {
                bytes.truncate(usize::try_from(head).unwrap_or(usize::MAX));
            }
            session.provide(want.file, bytes);
        }
    }
    panic!("the session never has enough");
}

/// Whether a whole picture decodes, as a host tells it.
fn decoded(bytes: &[u8]) -> Result<(), Undecodable> {
    match juror_image::check(bytes, &LIMITS) {
        Ok(_) => Ok(()),
        Err(error) => Err(Undecodable {
            message: error.message(),
            hint: error.hint(),
        }),
    }
}

/// A pack in memory: its texts, and the files that went in.
#[derive(Clone, Debug)]
pub struct Pack {
    /// Its texts, the manifest last.
    pub texts: Vec<File>,
    /// All other files.
    pub files: Vec<File>,
}

impl Pack {
    /// Packs what a session over these files holds; `None` where nothing can be packed.
    pub fn of(session: &mut Session, files: &[File], options: &ScoreOptions) -> Option<Self> {
        let items = juror_session::pack_items(&session.linked()).ok()?;
        let own: Vec<File> = items
            .iter()
            .map(|item| (item.path.clone(), files[item.file as usize].1.clone()))
            .collect();
        let packed: Vec<Packed> = items
            .iter()
            .zip(&own)
            .map(|(item, (_, bytes))| Packed {
                file: item.file,
                size: bytes.len() as u64,
                sha256: sha256(bytes),
                thumbnail_size: None,
                thumbnail_sha256: None,
            })
            .collect();
        let texts = juror_session::pack_texts(session, options, Pictures::Full, &packed).ok()?;
        let texts = texts
            .into_iter()
            .map(|one| (one.path, one.text.into_bytes()));
        Some(Self {
            texts: texts.collect(),
            files: own,
        })
    }

    /// Opens and recomputes it, as every host does; `None` where its manifest cannot be read.
    pub fn verify(&self) -> Option<Verification> {
        let all = || self.files.iter().chain(&self.texts);
        let text = |path: &str| {
            let found = all().find(|(known, _)| known == path);
            found.map_or_else(String::new, |(_, bytes)| lossy(bytes))
        };
        let manifest = text("manifest.json");
        let read = Manifest::read(&manifest).ok()?;
        let mut session = Session::new(probe);
        let first = juror_session::add_pack(&mut session, &read);
        let journal = text("journal.jsonl");
        if read.has_journal() {
            juror_session::add_pack_journal(&mut session, &journal);
        }
        let paths: Vec<&str> = read.sources().map(|entry| entry.path.as_str()).collect();
        load(&mut session, |want| {
            let path = paths.get((want.file - first) as usize)?;
            let found = all().find(|(known, _)| known == path);
            found.map(|(_, bytes)| bytes.clone())
        });
        let entries = all().filter(|(path, _)| path != "manifest.json");
        let opened = OpenedPack {
            signature: None,
            report: text("report.json"),
            requests: text("requests.jsonl"),
            verdicts: text("verdicts.jsonl"),
            entries: entries
                .map(|(path, bytes)| FoundEntry {
                    path: path.clone(),
                    size: bytes.len() as u64,
                    sha256: sha256(bytes),
                    pixels: None,
                })
                .collect(),
            manifest,
            renamed: 0,
            outside: Vec::new(),
        };
        juror_session::verify_pack(&mut session, &opened, &[]).ok()
    }
}
