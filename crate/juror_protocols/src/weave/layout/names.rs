//! Names that are nearly those asked for: outputs of a model that are all misnamed, and text answers under other names.

use std::collections::BTreeSet;

use juror_model::problem::{Problem, Severity};
use juror_model::sample::{Benchmark, TurnKind};
use juror_model::tree::{
    FileId, FileTree, UnreadFormat, base_name, has_ending, is_picture, loose_name, unread_format,
};
use juror_reading::count::counted;
use juror_statistics::small::CollectSmall;

/// What names mean the same as those of a benchmark.
pub(super) struct Near {
    /// Pictures that are asked for.
    outputs: BTreeSet<String>,
    /// Pictures that are only shown.
    inputs: BTreeSet<String>,
    /// What text answers are called after: ids of dialogues, and names of their first pictures with the number and without.
    subjects: BTreeSet<String>,
}

impl Near {
    pub(super) fn new(benchmark: &Benchmark) -> Self {
        let turns = benchmark.turns();
        let asked = turns.filter(|(.., turn)| turn.kind == TurnKind::Image);
        let outputs: BTreeSet<String> = asked
            .map(|(.., turn)| loose_name(&turn.output_name))
            .collect_small();
        let samples = &benchmark.samples;
        let pictures = samples.iter().flat_map(|sample| &sample.pictures);
        let mut inputs: BTreeSet<String> = pictures
            .map(|picture| loose_name(&picture.path.replace('\\', "/")))
            .collect_small();
        inputs.retain(|name| !outputs.contains(name));
        let mut subjects = BTreeSet::new();
        for sample in samples {
            subjects.insert(loose_name(&sample.id));
            let first = sample.pictures.first();
            let first = first.map(|picture| loose_name(&picture.path.replace('\\', "/")));
            let whole = first.unwrap_or_default();
            if let Some((subject, _)) = whole.rsplit_once(' ') {
                subjects.insert(subject.to_owned());
            }
            subjects.insert(whole);
        }
        subjects.remove("");
        Self {
            outputs,
            inputs,
            subjects,
        }
    }

    pub(super) fn is_output(&self, name: &str) -> bool {
        is_picture(name) && self.outputs.contains(&loose_name(name))
    }

    pub(super) fn is_input(&self, name: &str) -> bool {
        is_picture(name) && self.inputs.contains(&loose_name(name))
    }

    /// The files that look like text answers, of a model that lacks some: texts that are called after a dialogue.
    pub(super) fn unrecognised(
        &self,
        tree: &FileTree,
        benchmark: &Benchmark,
        outputs: &[Option<FileId>],
        others: &[FileId],
    ) -> Vec<FileId> {
        let mut turns = benchmark.turns();
        let lacks_some = turns.any(|(slot, _, _, turn)| {
            let output = outputs.get(slot as usize).copied().flatten();
            turn.kind == TurnKind::Text && output.is_none()
        });
        let is_answer = |file: &&FileId| lacks_some && self.is_answer(tree.path(**file));
        others.iter().filter(is_answer).copied().collect()
    }

    fn is_answer(&self, path: &str) -> bool {
        let name = base_name(path);
        let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
        let is_text = ["txt", "text", "md"]
            .iter()
            .any(|known| known.eq_ignore_ascii_case(ending));
        let is_document = unread_format(path) == Some(UnreadFormat::Document);
        if !is_text && !is_document && has_ending(path) {
            return false;
        }
        let loose = loose_name(name);
        let words: Vec<&str> = loose.split(' ').collect();
        let runs =
            (0..words.len()).flat_map(|from| (from + 1..=words.len()).map(move |to| (from, to)));
        let mut runs = runs.filter(|(from, to)| to - from <= MOST_WORDS);
        runs.any(|(from, to)| self.subjects.contains(&words[from..to].join(" ")))
    }
}

/// Words of a name that are looked for together.
const MOST_WORDS: usize = 8;

/// A word about text answers whose names no turn asks for.
pub(super) fn problem(folder: &str, model: &str, count: usize) -> Option<Problem> {
    (count > 0).then(|| Problem {
        severity: Severity::Warning,
        code: "unrecognised_answers".to_owned(),
        path: folder.to_owned(),
        place: String::new(),
        message: format!(
            "{model} has {}: no turn asks for {}.",
            counted(count, "unrecognised text answer", "unrecognised text answers"),
            if count == 1 { "its name" } else { "their names" }
        ),
        hint: "juror lint suggests the names. If these files are no answers, say so with --kind MODEL=img, or on the page beside the model: until then it is judged on pictures and texts.".to_owned(),
    })
}
