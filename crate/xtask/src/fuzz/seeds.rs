//! The first inputs of each fuzz target: what the demo suites, the golden vectors and a few committed texts hold.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use anyhow::Context as _;
use serde_json::Value;

use crate::build::files_below;
use crate::workspace::Workspace;

/// Files beyond this are no good to start from: changing one byte in them takes too long to try.
const MAX_BYTES: usize = 8 << 10;
/// Inputs of one target at most: they are all run before anything new is.
const MAX_INPUTS: usize = 400;

/// Writes the inputs of all targets below `folder`, and the demo suites that the targets open themselves.
pub(super) fn write(workspace: &Workspace, folder: &Path) -> anyhow::Result<()> {
    let demo = folder.join("demo");
    juror_demo::write(&demo)?;
    let seeds = folder.join("seeds");
    if seeds.exists() {
        fs::remove_dir_all(&seeds)?;
    }
    for target in super::targets(workspace)? {
        let mut inputs = committed(workspace, &target)?;
        match target.as_str() {
            "texts" => inputs.extend(texts(workspace, &demo)?),
            "replies" => {
                let prefixed = |(at, text): (usize, Vec<u8>)| {
                    let digit = b'0' + u8::try_from(at % 8).unwrap_or(0);
                    [vec![digit], text].concat()
                };
                inputs.extend(
                    texts(workspace, &demo)?
                        .into_iter()
                        .enumerate()
                        .map(prefixed),
                );
            }
            "tree" => inputs.extend(listings(&demo)?),
            "archive" => inputs.extend(archives()),
            "pictures" => inputs.extend(pictures(workspace)?),
            "arrays" => inputs.extend(arrays()),
            "pack" | "session" => inputs.extend(noise()),
            _ => {}
        }
        let own = seeds.join(&target);
        fs::create_dir_all(&own)?;
        for (at, input) in inputs.iter().take(MAX_INPUTS).enumerate() {
            fs::write(own.join(format!("{at:03}")), input)?;
        }
    }
    Ok(())
}

/// The committed texts of a target: inputs with a line of two percent signs between them; filters are lines.
fn committed(workspace: &Workspace, target: &str) -> anyhow::Result<Vec<Vec<u8>>> {
    let path = workspace
        .root
        .join(format!("tests/fuzz/seeds/{target}.txt"));
    if !path.is_file() {
        return Ok(Vec::new());
    }
    let text = fs::read_to_string(&path).with_context(|| workspace.relative(&path))?;
    let between = if target == "filter" { "\n" } else { "\n%%\n" };
    let inputs = text.trim_end().split(between);
    // A status of 200 stands before a service's answer, as its target takes it.
    let status: &[u8] = if target == "answers" { &[100, 0] } else { &[] };
    Ok(inputs
        .map(|input| [status, input.as_bytes()].concat())
        .collect())
}

/// Texts of the demo suites and of the golden vectors, each once.
fn texts(workspace: &Workspace, demo: &Path) -> anyhow::Result<Vec<Vec<u8>>> {
    let mut found = BTreeSet::new();
    for name in ["weave", "micon", "vibe", "multibanana", "multiref"] {
        let path = workspace.root.join(format!("tests/golden/{name}.json"));
        let text = fs::read_to_string(&path).with_context(|| workspace.relative(&path))?;
        let mut own = BTreeSet::new();
        strings(&serde_json::from_str(&text)?, &mut own);
        found.extend(own.into_iter().take(MAX_INPUTS / 8));
        let mut own = BTreeSet::new();
        for path in files_below(&demo.join(name))? {
            let bytes = fs::read(&path)?;
            if bytes.len() <= MAX_BYTES && std::str::from_utf8(&bytes).is_ok() {
                own.insert(bytes);
            }
        }
        found.extend(own.into_iter().take(MAX_INPUTS / 16));
    }
    Ok(found.into_iter().collect())
}

/// Strings that look like replies.
fn strings(value: &Value, found: &mut BTreeSet<Vec<u8>>) {
    match value {
        Value::String(text) if text.len() <= MAX_BYTES && text.contains(['{', '\n', '[']) => {
            found.insert(text.clone().into_bytes());
        }
        Value::Array(items) => items.iter().for_each(|item| strings(item, found)),
        Value::Object(items) => items.values().for_each(|item| strings(item, found)),
        _ => {}
    }
}

/// Lists of paths, with a unit separator between them.
fn listings(demo: &Path) -> anyhow::Result<Vec<Vec<u8>>> {
    let mut paths = Vec::new();
    for path in files_below(demo)? {
        let path = path.strip_prefix(demo).unwrap_or(&path);
        paths.push(path.display().to_string());
    }
    paths.sort_unstable();
    let mut lists: Vec<Vec<u8>> = paths
        .chunks(12)
        .map(|some| some.join("\u{1f}").into_bytes())
        .collect();
    let odd =
        "/a\u{1f}C:\\b\u{1f}a/../b\u{1f}./a//b\u{1f}A/B.png\u{1f}a/b.PNG\u{1f}._a\u{1f}__MACOSX/a";
    lists.push(odd.into());
    Ok(lists)
}

/// The golden pictures.
fn pictures(workspace: &Workspace) -> anyhow::Result<Vec<Vec<u8>>> {
    let mut found = Vec::new();
    for (name, list, field) in [
        ("files", "cases", "file"),
        ("jpeg", "files", "jpeg"),
        ("jpeg", "decoded", "jpeg"),
    ] {
        let path = workspace.root.join(format!("tests/golden/{name}.json"));
        let text = fs::read_to_string(&path).with_context(|| workspace.relative(&path))?;
        let value: Value = serde_json::from_str(&text)?;
        let cases = value[list].as_array().into_iter().flatten();
        let files = cases.filter_map(|case| unhex(case[field].as_str()?));
        found.extend(files.filter(|bytes| bytes.len() <= MAX_BYTES));
    }
    Ok(found)
}

fn unhex(text: &str) -> Option<Vec<u8>> {
    let pairs = text.as_bytes().chunks(2);
    pairs
        .map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok())
        .collect()
}

/// An NPY file of each kind of number, and a safetensors file.
fn arrays() -> Vec<Vec<u8>> {
    let mut files: Vec<Vec<u8>> = ["|b1", "|u1", "<u2", ">i4", "<f2", "<f4", ">f8"]
        .into_iter()
        .map(|kind| {
            let size = kind[2..].parse::<usize>().unwrap_or(1);
            let header =
                format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': (2, 3), }}\n");
            let mut file = b"\x93NUMPY\x01\x00".to_vec();
            file.extend(u16::try_from(header.len()).unwrap_or(0).to_le_bytes());
            file.extend(header.bytes());
            file.extend((0..6 * size).map(|at| u8::try_from(at % 2).unwrap_or(0)));
            file
        })
        .collect();
    let header = br#"{"q":{"dtype":"BF16","shape":[2],"data_offsets":[0,4]}}"#;
    let mut file = (header.len() as u64).to_le_bytes().to_vec();
    file.extend(header);
    file.extend([0x80, 0x3f, 0x00, 0xc0]);
    files.push(file);
    files
}

/// ZIP files of two stored entries.
fn archives() -> Vec<Vec<u8>> {
    let names = [
        ["a/manifest.json", "a/b.png"],
        ["a\\b", "a/../c"],
        ["__MACOSX/._a", "\u{fc}.txt"],
        ["a", "a"],
    ];
    names.map(|names| archive(&names)).into()
}

fn archive(names: &[&str]) -> Vec<u8> {
    let short = |number: usize| u16::try_from(number).unwrap_or(0).to_le_bytes();
    let long = |number: usize| u32::try_from(number).unwrap_or(0).to_le_bytes();
    let (mut file, mut directory) = (Vec::new(), Vec::new());
    for name in names {
        let at = file.len();
        // Version, flags, method, time, date, check sum, both sizes, lengths of name and extra field.
        let mut common = [20_u8, 0, 0, 8, 0, 0, 0, 0, 0, 0].to_vec();
        common.extend([0x83, 0x16, 0xdc, 0x8c]);
        common.extend([long(1), long(1)].concat());
        common.extend([short(name.len()), [0; 2]].concat());
        file.extend(b"PK\x03\x04");
        file.extend(&common);
        file.extend(name.bytes());
        file.push(b'x');
        directory.extend(b"PK\x01\x02\x14\x03");
        directory.extend(&common);
        directory.extend([0; 10]);
        directory.extend(long(at));
        directory.extend(name.bytes());
    }
    let place = file.len();
    file.extend(&directory);
    file.extend(b"PK\x05\x06\0\0\0\0");
    file.extend([short(names.len()), short(names.len())].concat());
    file.extend([long(directory.len()), long(place)].concat());
    file.extend([0; 2]);
    file
}

/// Bytes that say nothing yet, for targets that make edits out of them.
fn noise() -> Vec<Vec<u8>> {
    let mut random = juror_statistics::random::SplitMix64::new(7);
    (0..60_usize)
        .map(|at| {
            let words = 4 + at * 2;
            let bytes = (0..words).flat_map(|_| random.bits().to_le_bytes());
            bytes.collect()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_zip_ends_with_where_its_list_lies() {
        let file = archive(&["a", "bc"]);
        let end = file.len() - 22;
        let number =
            |at: usize| usize::from(file[end + at]) + 256 * usize::from(file[end + at + 1]);
        assert_eq!(number(10), 2);
        assert_eq!(number(12), 46 + 1 + 46 + 2);
        assert_eq!(number(16) + number(12), end);
        assert_eq!(file[number(16)..][..4], *b"PK\x01\x02");
    }

    #[test]
    fn only_whole_pairs_of_digits_are_bytes() {
        assert_eq!(unhex("00ff10"), Some(vec![0, 255, 16]));
        assert_eq!(unhex("0g"), None);
    }
}
