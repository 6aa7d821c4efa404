//! What the judge is asked for one metric of one item: one text, then the metric's pictures in their order.

use super::{Metric, Task};
use crate::contract::Requests;
use crate::error::Error;
use crate::output;
use crate::vibe::Vibe;
use crate::vibe::tasks::{PARTS, part_id, task_of, words_of};
use juror_model::judge::{JudgePreset, Wire};
use juror_model::linked::World;
use juror_model::prompt::{PromptPack, Release};
use juror_model::request::{Draft, GeneratorInput, InputKey, PartView, RequestKey, Treatment};
use juror_model::sample::{Sample, Span, Turn};
use juror_model::terms::RequestInfo;
use juror_model::tree::{FileId, base_name, join, parent};

/// The authors' judge texts.
const RELEASES: &[Release] = &[Release {
    sha256: "8752a60015aae356828db7497b018247ffae7d45a5b7253c951e9a31e6877340",
    source: "hwanyu112/VIBE-Benchmark 085957ce28a97385b01cb6c59a0a13df1f6ab3fe prompt/",
}];

impl Requests for Vibe {
    fn requests(&self) -> Vec<RequestInfo> {
        Metric::ALL
            .into_iter()
            .map(|metric| {
                let id = metric.id();
                let mut criteria = vec![id.to_owned()];
                if PARTS.iter().any(|(of, _)| *of == metric) {
                    criteria.extend(metric.keys().iter().map(|key| part_id(metric, key)));
                }
                RequestInfo {
                    id: id.to_owned(),
                    short: metric.short().to_owned(),
                    label: words_of(id),
                    criteria,
                }
            })
            .collect()
    }

    fn requests_of(&self, sample: &Sample, _turn: &Turn) -> Vec<&'static str> {
        let metrics = crate::vibe::tasks::metrics_of(sample).iter();
        metrics.map(|metric| metric.id()).collect()
    }

    fn built_in_pack(&self) -> PromptPack {
        built_in_pack()
    }

    fn may_hold_prompts(&self, path: &str) -> bool {
        kind_of_path(path).is_some()
    }

    fn prompt_root<'a>(&self, path: &'a str) -> &'a str {
        prompt_root(path)
    }

    fn official_pack(&self, files: &[(&str, &str)]) -> Option<PromptPack> {
        official_pack(files)
    }

    /// The request for one metric of one item.
    fn request(
        &self,
        world: &World<'_>,
        prompts: &PromptPack,
        key: &RequestKey,
    ) -> Result<Draft, Error> {
        let (_, sample, slot, turn) = world
            .turn(&key.sample, key.turn)
            .ok_or_else(|| Error::unknown("sample", &key.sample))?;
        let task = task_of(sample)
            .ok_or_else(|| Error::NotAsked(format!("{} is no task of VIBE.", sample.domain)))?;
        let metric = task
            .metrics()
            .iter()
            .copied()
            .find(|metric| metric.id() == key.criterion)
            .ok_or_else(|| {
                let ids: Vec<&str> = task.metrics().iter().map(|metric| metric.id()).collect();
                Error::NotAsked(format!(
                    "{} is judged on {}, not on {}.",
                    task.id(),
                    ids.join(", "),
                    key.criterion
                ))
            })?;
        let judge_text = prompts.text(&kind(task, metric)).ok_or_else(|| {
            Error::NoPrompt(format!(
                "The prompt pack has no text {}.",
                kind(task, metric)
            ))
        })?;
        let mut draft = Draft::default();
        draft.parts.push(PartView::Text {
            text: text(task, metric, judge_text, &turn.instruction),
        });
        let pictures = Pictures { world, sample };
        if pictures.source().is_none() {
            return Err(Error::MissingFile(format!(
                "The source picture of {} is not among the files; the authors' code leaves the metric out.",
                sample.id
            )));
        }
        for shown in shown(task, metric) {
            let part = match shown {
                Shown::Source => pictures.part("source", Treatment::RgbaPng, None),
                Shown::Merged => pictures.merged(&mut draft.notes),
                Shown::Pose => Some(pose(&pictures, &mut draft.notes)),
                Shown::Target => {
                    let golden = pictures.part("golden answer", Treatment::RgbaPng, None);
                    if !matches!(golden, Some(PartView::Image { file: Some(_), .. })) {
                        return Err(Error::MissingFile(format!(
                            "The golden answer of {} is not among the files.",
                            sample.id
                        )));
                    }
                    golden
                }
                Shown::Generated => Some(generated(&pictures, key, slot, &mut draft.notes)),
            };
            draft.parts.extend(part);
        }
        Ok(draft)
    }

    /// What a generator is given: the request in words and the picture with the instruction on it;
    /// in Pose Control the source and the pose.
    fn generator_input(&self, world: &World<'_>, key: &InputKey) -> Result<GeneratorInput, Error> {
        let (_, sample, _, turn) = world
            .turn(&key.sample, key.turn)
            .ok_or_else(|| Error::unknown("sample", &key.sample))?;
        let pictures = Pictures { world, sample };
        let mut notes = Vec::new();
        let mut parts = vec![PartView::Text {
            text: turn.instruction.clone(),
        }];
        if task_of(sample) == Some(Task::PoseControl) {
            parts.extend(pictures.part("source", Treatment::AsIs, None));
            parts.extend(pictures.part("pose", Treatment::AsIs, None));
        } else {
            parts.extend(pictures.merged(&mut notes));
        }
        notes.push(
            "The authors' script merges with another filter (Lanczos), drops alpha and shrinks to 1500 pixels; the judge sees the picture above."
                .to_owned(),
        );
        Ok(GeneratorInput::one_message(parts, notes))
    }

    fn class(&self, _turn: &Turn) -> &'static str {
        "edit"
    }

    fn spans(&self, text: &str) -> Vec<Span> {
        vec![Span {
            text: text.to_owned(),
            picture: None,
        }]
    }

    fn judges(&self) -> Vec<JudgePreset> {
        vec![
            JudgePreset::new(
                "gpt-5.1",
                "GPT-5.1 (2025-11-13)",
                Wire::OpenAi,
                "gpt-5.1-2025-11-13",
            )
            .note("Three runs without parameters."),
        ]
    }
}

/// A picture of a request, by what it shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    /// The picture to edit, as it is.
    Source,
    /// The source with the instruction layer composited on top; the layer is resized to the source first.
    Merged,
    /// Only the pose, stretched to the source's size.
    Pose,
    /// The golden answer, at its own size.
    Target,
    /// The model's output; where its file is missing, a transparent picture of the source's size.
    Generated,
}

/// The pictures that the judge sees, in order.
///
/// # Example
/// ```
/// use juror_protocols::vibe::{Metric, Task, request::{Shown, shown}};
/// assert_eq!(shown(Task::Billiards, Metric::Billiards), [Shown::Target, Shown::Generated]);
/// ```
pub fn shown(task: Task, metric: Metric) -> Vec<Shown> {
    // The second picture depends on the task, whatever the metric.
    let second = match task {
        Task::PoseControl => Shown::Pose,
        Task::Billiards => Shown::Target,
        _ => Shown::Merged,
    };
    match metric {
        Metric::InstructionAdherence | Metric::VisualCoherence => {
            vec![Shown::Source, second, Shown::Generated]
        }
        Metric::BiiCicCp => vec![Shown::Source, Shown::Generated],
        _ => vec![second, Shown::Generated],
    }
}

/// The file of the judge text, below the authors' `prompt` folder.
///
/// # Example
/// ```
/// use juror_protocols::vibe::{Metric, Task, request::prompt_file};
/// assert_eq!(prompt_file(Task::Removal, Metric::VisualCoherence), "Visual_Coherence.txt");
/// assert_eq!(prompt_file(Task::LightControl, Metric::ContextualPreservation), "Light_Control/Contextual_Preservation.txt");
/// ```
pub fn prompt_file(task: Task, metric: Metric) -> String {
    let id = metric.id();
    if task.has_shared_sources() {
        return format!("{id}.txt");
    }
    format!("{}/{id}.txt", task.id())
}

/// How the line begins that asks for marks of the instruction left in the picture.
const RESIDUAL: &str = "- residual visual instruction";

/// Whether a text asks the judge about marks of the instruction that were left in the picture.
pub fn asks_for_residue(text: &str) -> bool {
    text.contains(RESIDUAL)
}

/// The text of a request: the judge text without space around it, `{prompt}` replaced by what the model was asked.
///
/// In [`Task::Addition`] the box may stay, so the line about residual marks of the instruction is emptied for
/// [`Metric::VisualCoherence`]; the combined tasks keep it.
///
/// # Example
/// ```
/// use juror_protocols::vibe::{Metric, Task, request::text};
/// let judge = "\nDo: {prompt}\n- blur\n- residual visual instruction marks\n- seams\n";
/// assert_eq!(text(Task::Addition, Metric::VisualCoherence, judge, "Add a hat."), "Do: Add a hat.\n- blur\n\n- seams");
/// assert!(text(Task::TwoTasks, Metric::VisualCoherence, judge, "").contains("residual"));
/// ```
pub fn text(task: Task, metric: Metric, judge_text: &str, input_prompt: &str) -> String {
    let mut text = judge_text
        .trim_matches(juror_reading::py::is_space)
        .to_owned();
    if task == Task::Addition
        && metric == Metric::VisualCoherence
        && let Some(start) = text.find(RESIDUAL)
    {
        let end = text[start..].find('\n').map_or(text.len(), |at| start + at);
        text.replace_range(start..end, "");
    }
    text.replace("{prompt}", input_prompt)
}

/// The pictures of a sample by what they show, with their numbers.
struct Pictures<'a> {
    world: &'a World<'a>,
    sample: &'a Sample,
}

impl Pictures<'_> {
    fn labelled(&self, label: &str) -> Option<(u32, Option<FileId>, String)> {
        let (number, picture) = (1u32..)
            .zip(&self.sample.pictures)
            .find(|(_, picture)| picture.label == label)?;
        let path = join(&self.world.benchmark.folder, &picture.path);
        Some((number, picture.file, path))
    }

    /// A picture of the benchmark, treated; `None` if the list names none of this label.
    fn part(&self, label: &str, treatment: Treatment, other: Option<FileId>) -> Option<PartView> {
        let (number, file, path) = self.labelled(label)?;
        Some(PartView::Image {
            file,
            path,
            role: "dataset".to_owned(),
            number: Some(number),
            treatment,
            other,
        })
    }

    fn source(&self) -> Option<FileId> {
        self.labelled("source").and_then(|(_, file, _)| file)
    }

    /// An empty picture of the source's size in the place of one that is missing.
    fn blank(&self, path: String, role: &str) -> PartView {
        PartView::Image {
            file: None,
            path,
            role: role.to_owned(),
            number: None,
            treatment: Treatment::Blank,
            other: self.source(),
        }
    }

    /// The source with the instruction on it; only the source if there is no instruction.
    fn merged(&self, notes: &mut Vec<String>) -> Option<PartView> {
        let layer = self.labelled("instruction");
        match layer {
            Some((_, Some(layer), _)) => self.part("source", Treatment::Merged, Some(layer)),
            Some((_, None, path)) => {
                notes.push(format!(
                    "The instruction {path} is missing, so the judge sees the source without it."
                ));
                self.part("source", Treatment::RgbaPng, None)
            }
            None => self.part("source", Treatment::RgbaPng, None),
        }
    }
}

fn pose(pictures: &Pictures<'_>, notes: &mut Vec<String>) -> PartView {
    match pictures.part("pose", Treatment::Stretched, pictures.source()) {
        Some(part @ PartView::Image { file: Some(_), .. }) => part,
        missing => {
            let path = match missing {
                Some(PartView::Image { path, .. }) => path,
                _ => "pose".to_owned(),
            };
            notes.push(format!(
                "The pose {path} is missing, so the judge sees an empty picture."
            ));
            pictures.blank(path, "dataset")
        }
    }
}

fn generated(
    pictures: &Pictures<'_>,
    key: &RequestKey,
    slot: u32,
    notes: &mut Vec<String>,
) -> PartView {
    let model = pictures.world.model(&key.model);
    let output = model.and_then(|model| output::shown(model, slot));
    if let Some(file) = output {
        return PartView::Image {
            file: Some(file),
            path: pictures.world.tree.path(file).to_owned(),
            role: "output".to_owned(),
            number: None,
            treatment: Treatment::RgbaPng,
            other: None,
        };
    }
    let turn = pictures.world.benchmark.turn_at(slot);
    let path = turn.map_or_else(String::new, |turn| match model {
        Some(model) => model.submission.expected_path(slot, turn),
        None => turn.output_name.clone(),
    });
    notes.push("The output is missing: the authors' code asks about an empty picture of the source's size.".to_owned());
    pictures.blank(path, "output")
}

/// Name of the judge text in a prompt pack: the authors' file without its extension.
///
/// # Example
/// ```
/// use juror_protocols::vibe::{Metric, Task, request::kind};
/// assert_eq!(kind(Task::Billiards, Metric::Billiards), "Billiards/Billiards");
/// ```
pub fn kind(task: Task, metric: Metric) -> String {
    let file = prompt_file(task, metric);
    file.strip_suffix(".txt").unwrap_or(&file).to_owned()
}

/// Every judge text that the benchmark uses, by [`kind`]: fifteen, as the deictic tasks and their combinations share three.
pub fn kinds() -> Vec<String> {
    let mut kinds = Vec::new();
    for task in Task::ALL {
        for metric in task.metrics() {
            let kind = kind(task, *metric);
            if !kinds.contains(&kind) {
                kinds.push(kind);
            }
        }
    }
    kinds
}

/// The built-in judge texts, in our own words with the protocol's reply grammar.
pub fn built_in_pack() -> PromptPack {
    let text = |task: Task, metric: Metric| match (task, metric) {
        (Task::DraftInstantiation, Metric::InstructionAdherence) => {
            include_str!("prompts/draft_instruction_adherence.txt")
        }
        (Task::LightControl, Metric::ContextualPreservation) => {
            include_str!("prompts/light_contextual_preservation.txt")
        }
        (_, Metric::InstructionAdherence) => include_str!("prompts/instruction_adherence.txt"),
        (_, Metric::ContextualPreservation) => include_str!("prompts/contextual_preservation.txt"),
        (_, Metric::VisualCoherence) => include_str!("prompts/visual_coherence.txt"),
        (_, Metric::PoseConsistency) => include_str!("prompts/pose_consistency.txt"),
        (_, Metric::BiiCicCp) => include_str!("prompts/bii_cic_cp.txt"),
        (_, Metric::OrientationAlignment) => include_str!("prompts/orientation_alignment.txt"),
        (_, Metric::ReorientationContextualPreservation) => {
            include_str!("prompts/reorientation_contextual_preservation.txt")
        }
        (_, Metric::LightDirectionConsistency) => {
            include_str!("prompts/light_direction_consistency.txt")
        }
        (_, Metric::WindDirectionConsistency) => {
            include_str!("prompts/wind_direction_consistency.txt")
        }
        (_, Metric::WindContextualPreservation) => {
            include_str!("prompts/wind_contextual_preservation.txt")
        }
        (_, Metric::Billiards) => include_str!("prompts/billiards.txt"),
    };
    let mut texts: Vec<(String, String)> = Vec::new();
    for task in Task::ALL {
        for &metric in task.metrics() {
            let kind = kind(task, metric);
            if !texts.iter().any(|(known, _)| *known == kind) {
                texts.push((kind, text(task, metric).to_owned()));
            }
        }
    }
    PromptPack::new("juror-vibe/1", texts)
}

/// The kind of a judge text by its path: `…/prompt/Light_Control/Contextual_Preservation.txt`.
///
/// # Example
/// ```
/// use juror_protocols::vibe::request::kind_of_path;
/// assert_eq!(kind_of_path("VIBE/prompt/Visual_Coherence.txt").as_deref(), Some("Visual_Coherence"));
/// assert_eq!(kind_of_path("prompt/Light_Control/Contextual_Preservation.txt").as_deref(), Some("Light_Control/Contextual_Preservation"));
/// assert_eq!(kind_of_path("notes/Visual.txt"), None);
/// ```
pub fn kind_of_path(path: &str) -> Option<String> {
    let stem = base_name(path).strip_suffix(".txt")?;
    let folder = base_name(parent(path));
    let in_folder = format!("{folder}/{stem}");
    let kinds = kinds();
    [in_folder.as_str(), stem]
        .into_iter()
        .find(|name| kinds.iter().any(|kind| kind == name))
        .map(str::to_owned)
}

/// The folder that holds a set of judge texts: the one of the common texts, above those of single tasks.
pub fn prompt_root(path: &str) -> &str {
    let folder = parent(path);
    let is_tasks = kind_of_path(path).is_some_and(|kind| kind.contains('/'));
    if is_tasks { parent(folder) } else { folder }
}

/// The authors' judge texts in these files, if all fifteen are there; the two that are copies of common ones may be absent.
pub fn official_pack(files: &[(&str, &str)]) -> Option<PromptPack> {
    let mut found: Vec<(String, String)> = Vec::new();
    let mut root = "";
    for (path, text) in files {
        let Some(kind) = kind_of_path(path) else {
            continue;
        };
        root = prompt_root(path);
        if !found.iter().any(|(known, _)| *known == kind) {
            found.push((kind, (*text).to_owned()));
        }
    }
    for metric in [Metric::ContextualPreservation, Metric::VisualCoherence] {
        let kind = kind(Task::DraftInstantiation, metric);
        if found.iter().any(|(known, _)| *known == kind) {
            continue;
        }
        let common = found
            .iter()
            .find(|(known, _)| known == metric.id())?
            .1
            .clone();
        found.push((kind, common));
    }
    let is_complete = kinds()
        .iter()
        .all(|kind| found.iter().any(|(known, _)| known == kind));
    is_complete.then(|| PromptPack::found(root, found, RELEASES))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vibe::verdict;

    #[test]
    fn every_built_in_text_names_every_key_of_its_grammar() {
        let pack = built_in_pack();
        assert_eq!(kinds().len(), 15);
        for task in Task::ALL {
            for &metric in task.metrics() {
                let text = pack.text(&kind(task, metric)).unwrap_or_default();
                for key in metric.keys() {
                    assert!(text.contains(&format!("\"{key}\": ")), "{task:?} {key}");
                }
                assert!(text.contains("End the reply with one JSON object"));
                let wants_prompt = matches!(
                    metric,
                    Metric::InstructionAdherence | Metric::VisualCoherence
                ) || (metric == Metric::ContextualPreservation
                    && task != Task::LightControl);
                assert_eq!(
                    text.contains("{prompt}"),
                    wants_prompt,
                    "{task:?} {metric:?}"
                );
            }
        }
    }

    #[test]
    fn the_built_in_text_loses_its_residual_line_in_addition_only() {
        let pack = built_in_pack();
        let judge = pack.text("Visual_Coherence").unwrap_or_default();
        assert!(asks_for_residue(judge));
        let made = |task| text(task, Metric::VisualCoherence, judge, "p");
        assert!(!asks_for_residue(&made(Task::Addition)));
        assert!(asks_for_residue(&made(Task::Removal)));
        assert!(made(Task::Addition).contains("doubled things;\n\n\nFirst write"));
    }

    #[test]
    fn a_pack_is_found_only_if_no_text_is_missing_and_is_not_official_by_its_name() {
        let paths: Vec<String> = kinds()
            .iter()
            .map(|kind| format!("V/prompt/{kind}.txt"))
            .collect();
        let files: Vec<(&str, &str)> = paths.iter().map(|path| (path.as_str(), "t")).collect();
        let pack = official_pack(&files).map(|pack| pack.info);
        assert_eq!(
            pack.map(|info| (info.name, info.official)),
            Some(("V/prompt".to_owned(), false))
        );
        let copies = |path: &str| path.contains("Draft") && !path.contains("Instruction_Adherence");
        let without: Vec<_> = files
            .iter()
            .copied()
            .filter(|(path, _)| !copies(path))
            .collect();
        assert_eq!(without.len(), 13);
        assert!(official_pack(&without).is_some());
        assert!(official_pack(&files[1..]).is_none());
        assert!(official_pack(&[]).is_none());
    }

    #[test]
    fn the_grammar_is_the_one_that_the_strict_reader_takes() {
        for metric in Metric::ALL {
            for key in metric.keys() {
                assert!(
                    verdict::grammar(metric).contains(&format!("\"{key}\":")),
                    "{key}"
                );
            }
        }
    }
}
