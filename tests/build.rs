//! Finds what lies beside the repository, for the tests that compare with it: the authors' judge texts and the golden
//! pictures. Wasm has no files, so both are compiled in.
//!
//! They are not part of the repository: where they are absent, those tests say so and skip.

use std::path::{Path, PathBuf};

const WEAVE: [&str; 4] = [
    "prompt_keypoint_checklist",
    "prompt_visual_consistency",
    "prompt_image_quality",
    "prompt_txt_acc",
];

const VIBE: [&str; 15] = [
    "Instruction_Adherence",
    "Contextual_Preservation",
    "Visual_Coherence",
    "Draft_Instantiation/Instruction_Adherence",
    "Draft_Instantiation/Contextual_Preservation",
    "Draft_Instantiation/Visual_Coherence",
    "Pose_Control/Pose_Consistency",
    "Pose_Control/BII_CIC_CP",
    "Reorientation/Orientation_Alignment",
    "Reorientation/Reorientation_Contextual_Preservation",
    "Light_Control/Light_Direction_Consistency",
    "Light_Control/Contextual_Preservation",
    "Flow_Simulation/Wind_Direction_Consistency",
    "Flow_Simulation/Wind_Contextual_Preservation",
    "Billiards/Billiards",
];

fn main() {
    write("weave", &WEAVE, "official.in");
    write("vibe", &VIBE, "official_vibe.in");
    embed("metrics-golden", "metrics_golden.in");
}

/// Something beside the repository.
fn shared(path: &str) -> PathBuf {
    let root = std::env::var("CARGO_MANIFEST_DIR").expect("cargo sets it");
    let path = Path::new(&root).join("../../shared").join(path);
    println!("cargo::rerun-if-changed={}", path.display());
    path
}

fn write_source(to: &str, source: &str) {
    let out = std::env::var("OUT_DIR").expect("cargo sets it");
    std::fs::write(Path::new(&out).join(to), source).expect("the folder is cargo's own");
}

/// Writes the files of a folder as `Some(&[(path, bytes), …])`, or `None` if there is none.
fn embed(folder: &str, to: &str) {
    let root = shared(folder);
    let mut files = Vec::new();
    let mut folders = vec![root.clone()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            let is_read = ["json", "png", "jpg", "bin"].map(Some);
            if path.is_dir() {
                folders.push(path);
            } else if is_read.contains(&path.extension().and_then(|end| end.to_str())) {
                files.push(path);
            }
        }
    }
    files.sort();
    let entries = files.iter().map(|path| {
        let below = path.strip_prefix(&root).expect("it was found there");
        let below = below.to_str().expect("the golden files have plain names");
        let full = path.canonicalize().expect("it was found");
        let full = full.to_str().expect("cargo's folders have plain names");
        format!("({:?}, include_bytes!({full:?}))", below.replace('\\', "/"))
    });
    let entries: Vec<String> = entries.collect();
    let source = if entries.is_empty() {
        "None".to_owned()
    } else {
        format!("Some(&[{}])", entries.join(",\n"))
    };
    write_source(to, &source);
}

/// Writes the texts of a folder as `Some([(name, text), …])`, or `None` if one of them is absent.
fn write(folder: &str, names: &[&str], to: &str) {
    let folder = shared("data/official-prompts").join(folder);
    let texts: Option<Vec<String>> = names
        .iter()
        .map(|name| std::fs::read_to_string(folder.join(format!("{name}.txt"))).ok())
        .collect();
    let source = match texts {
        None => "None".to_owned(),
        Some(texts) => {
            let pairs: Vec<String> = names
                .iter()
                .zip(texts)
                .map(|(name, text)| format!("({name:?}, {text:?})"))
                .collect();
            format!("Some([{}])", pairs.join(", "))
        }
    };
    write_source(to, &source);
}
