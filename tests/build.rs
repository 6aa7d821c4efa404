//! Finds the authors' judge texts beside the repository, for the tests that compare requests with them.
//!
//! They are not part of the repository: where they are absent, those tests say so and skip.

use std::path::Path;

const NAMES: [&str; 4] = [
    "prompt_keypoint_checklist",
    "prompt_visual_consistency",
    "prompt_image_quality",
    "prompt_txt_acc",
];

fn main() {
    let root = std::env::var("CARGO_MANIFEST_DIR").expect("cargo sets it");
    let folder = Path::new(&root).join("../../shared/data/official-prompts/weave");
    println!("cargo::rerun-if-changed={}", folder.display());
    let texts: Option<Vec<String>> = NAMES
        .iter()
        .map(|name| std::fs::read_to_string(folder.join(format!("{name}.txt"))).ok())
        .collect();
    let source = match texts {
        None => "None".to_owned(),
        Some(texts) => {
            let pairs: Vec<String> = NAMES
                .iter()
                .zip(texts)
                .map(|(name, text)| format!("({name:?}, {text:?})"))
                .collect();
            format!("Some([{}])", pairs.join(", "))
        }
    };
    let out = std::env::var("OUT_DIR").expect("cargo sets it");
    std::fs::write(Path::new(&out).join("official.in"), source).expect("the folder is cargo's own");
}
