//! Finds the authors' judge texts beside the repository, for the tests that compare requests with them.
//!
//! They are not part of the repository: where they are absent, those tests say so and skip.

use std::path::Path;

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
}

/// Writes the texts of a folder as `Some([(name, text), …])`, or `None` if one of them is absent.
fn write(folder: &str, names: &[&str], to: &str) {
    let root = std::env::var("CARGO_MANIFEST_DIR").expect("cargo sets it");
    let folder = Path::new(&root)
        .join("../../shared/data/official-prompts")
        .join(folder);
    println!("cargo::rerun-if-changed={}", folder.display());
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
    let out = std::env::var("OUT_DIR").expect("cargo sets it");
    std::fs::write(Path::new(&out).join(to), source).expect("the folder is cargo's own");
}
