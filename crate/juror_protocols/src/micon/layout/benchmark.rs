//! Case cards and answer sets → samples.

use std::collections::{BTreeMap, BTreeSet};

use crate::findings::copied_samples;
use crate::micon::card::{self, ANSWER_SETS, AnswerSet, ByCase, Card, Remark, by_case, details};
use crate::micon::layout;
use crate::micon::{STORY, TASKS, Task};
use juror_model::problem::{Problem, Severity};
use juror_model::reply::ReplyFile;
use juror_model::sample::{Benchmark, Candidate, Picture, Sample, Texts, Turn, TurnKind};
use juror_model::tree::{FileId, FileTree, copy_of, join};
use juror_reading::names::composed;
use juror_statistics::small::{CollectSmall, SortSmall};

/// The coarse group of all tasks but the stories.
pub const IMAGE_TASKS: &str = "image tasks";
/// The coarse group of the stories.
pub const STORIES: &str = "story";

/// Folders with case cards, the one with the most first.
pub fn candidates(tree: &FileTree) -> Vec<Candidate> {
    let mut folders: BTreeMap<&str, Vec<FileId>> = BTreeMap::new();
    for (file, entry) in tree.files() {
        if let Some(card) = layout::case_path(&entry.path) {
            folders.entry(card.data).or_default().push(file);
        }
    }
    for (file, entry) in tree.files() {
        let data = layout::answer_sets_path(&entry.path);
        if let Some(files) = data.and_then(|data| folders.get_mut(data)) {
            files.push(file);
        }
    }
    let mut candidates: Vec<Candidate> = folders
        .into_values()
        .map(|mut files| {
            files.sort_small_by_key(|file| order(tree.path(*file)));
            Candidate {
                list: files[0],
                files,
                rank: 0,
            }
        })
        .collect();
    candidates.sort_small_by_key(|candidate| std::cmp::Reverse(candidate.files.len()));
    candidates
}

/// Tasks as the paper's tables have them, cards by name as Python sorts them, answer sets last.
fn order(path: &str) -> (usize, String) {
    let task = layout::case_path(path).map(|card| card.task);
    let at = TASKS.iter().position(|known| Some(known.id) == task);
    (at.unwrap_or(TASKS.len()), path.to_owned())
}

/// Reads all cards: those that are wrong are listed, the rest loads.
///
/// # Errors
/// No card could be read.
pub fn load(
    tree: &FileTree,
    candidate: &Candidate,
    texts: &Texts,
) -> Result<Benchmark, Box<Problem>> {
    let mut problems = Vec::new();
    let mut answers = None;
    let (mut num_cards, mut samples) = (0, Vec::new());
    let mut data = "";
    for file in &candidate.files {
        let path = tree.path(*file);
        if layout::answer_sets_path(path).is_some() {
            answers = texts
                .get(file)
                .and_then(|text| read_answers(path, text, &mut problems));
        }
    }
    let answers = answers.as_deref().map(by_case);
    let copies = copies(tree, candidate);
    problems.extend(copied_samples(copies.iter().map(|file| tree.path(*file))));
    for file in candidate.files.iter().filter(|file| !copies.contains(file)) {
        let path = tree.path(*file);
        let Some(place) = layout::case_path(path) else {
            continue;
        };
        data = place.data;
        num_cards += 1;
        let Some(text) = texts.get(file) else {
            problems.push(unread(path));
            continue;
        };
        match card::card(text) {
            Ok((card, remarks)) => {
                problems.extend(remarks.into_iter().map(|remark| doubtful(path, remark)));
                let answers = answers.as_ref().filter(|_| place.task == STORY);
                let sample = sample(tree, &place, &card, answers);
                check(path, place.case, &card, &sample, &mut problems);
                samples.push(sample);
            }
            Err((at, message)) => problems.push(Problem {
                severity: Severity::Error,
                code: "bad_card".to_owned(),
                path: path.to_owned(),
                place: at,
                message,
                hint: "Fix the card, or download it again from the benchmark's archive. This case is left out; the rest was loaded."
                    .to_owned(),
            }),
        }
    }
    if samples.is_empty() {
        let first = problems
            .into_iter()
            .find(|problem| problem.code == "bad_card");
        return Err(Box::new(
            first.unwrap_or_else(|| unread(tree.path(candidate.list))),
        ));
    }
    if answers.is_none() && samples.iter().any(|sample| sample.domain == STORY) {
        let path = join(&join(data, STORY), ANSWER_SETS);
        problems.push(no_answer_sets(path));
    }
    let num_unreadable = u32::try_from(num_cards - samples.len()).unwrap_or(u32::MAX);
    let mut benchmark = Benchmark::new(Some(candidate.list), data.to_owned(), samples);
    benchmark.files.clone_from(&candidate.files);
    benchmark.num_unreadable = num_unreadable;
    benchmark.problems = problems;
    Ok(benchmark)
}

/// Cards that are named as copies of other cards next to them.
fn copies(tree: &FileTree, candidate: &Candidate) -> BTreeSet<FileId> {
    let of_file = |file: &FileId| layout::case_path(tree.path(*file));
    let cards: BTreeSet<(&str, &str)> = (candidate.files.iter().filter_map(of_file))
        .map(|place| (place.task, place.case))
        .collect_small();
    let is_copy = |file: &&FileId| {
        let original = of_file(file).and_then(|place| Some((place.task, copy_of(place.case)?)));
        original.is_some_and(|original| cards.contains(&original))
    };
    candidate.files.iter().filter(is_copy).copied().collect()
}

fn read_answers(
    path: &str,
    text: &str,
    problems: &mut Vec<Problem>,
) -> Option<Vec<(String, AnswerSet)>> {
    let problem = |(place, message): Remark, hint: &str| Problem {
        severity: Severity::Error,
        code: "bad_answer_set".to_owned(),
        path: path.to_owned(),
        place,
        message,
        hint: hint.to_owned(),
    };
    match card::answer_sets(text) {
        Ok((sets, remarks)) => {
            let hint = "Fix this entry; the other answer sets were read.";
            problems.extend(remarks.into_iter().map(|remark| problem(remark, hint)));
            Some(sets)
        }
        Err(remark) => {
            let hint = "Download the file again from the benchmark's archive. Without it no story has a candidate score.";
            problems.push(problem(remark, hint));
            None
        }
    }
}

fn unread(path: &str) -> Problem {
    Problem {
        severity: Severity::Error,
        code: "unread_card".to_owned(),
        path: path.to_owned(),
        place: String::new(),
        message: "The card could not be read.".to_owned(),
        hint: "Check that the file may be read, and open the folder again. This case is left out."
            .to_owned(),
    }
}

fn doubtful(path: &str, (place, message): Remark) -> Problem {
    Problem {
        severity: Severity::Warning,
        code: "doubtful_card".to_owned(),
        path: path.to_owned(),
        place,
        message,
        hint: "The case was loaded all the same.".to_owned(),
    }
}

fn no_answer_sets(path: String) -> Problem {
    Problem {
        severity: Severity::Warning,
        code: "no_answer_sets".to_owned(),
        path,
        place: String::new(),
        message: "The stories' answer sets are not among the files or cannot be read.".to_owned(),
        hint: "Open the folder that holds them as well; without them no candidate request can be made."
            .to_owned(),
    }
}

/// One card as a sample; `answers` are the answer sets, if there are any for this task.
fn sample(
    tree: &FileTree,
    place: &layout::CasePath<'_>,
    card: &Card,
    answers: Option<&ByCase<'_>>,
) -> Sample {
    let mut pictures = Vec::new();
    for (name, written) in &card.refs {
        let path = layout::reference_path(place.data, written);
        pictures.push(Picture {
            file: tree.find(&join(place.data, &path)),
            path,
            label: name.clone(),
        });
    }
    Sample {
        details: details(card, answers, place.case),
        pictures,
        ..bare(
            place.task,
            place.case,
            &card.generation_prompt,
            Some(card.refs.len()),
        )
    }
}

/// A sample without what only its card tells.
fn bare(task: &str, case: &str, instruction: &str, num_references: Option<usize>) -> Sample {
    Sample {
        id: format!("{task}/{case}"),
        domain: task.to_owned(),
        category: if task == STORY { STORIES } else { IMAGE_TASKS }.into(),
        tags: num_references
            .map(|count| ("references".into(), count.to_string()))
            .into_iter()
            .collect(),
        details: Vec::new(),
        pictures: Vec::new(),
        turns: vec![Turn {
            kind: TurnKind::Image,
            instruction: instruction.to_owned(),
            answer: String::new(),
            picture: None,
            key_points: Vec::new(),
            output_name: format!("{task}/{case}.png"),
        }],
    }
}

/// Findings about a card that can be used all the same.
fn check(path: &str, stem: &str, card: &Card, sample: &Sample, problems: &mut Vec<Problem>) {
    if composed(&card.case_id) != stem {
        problems.push(Problem {
            severity: Severity::Warning,
            code: "other_case_id".to_owned(),
            path: path.to_owned(),
            place: "case_id".to_owned(),
            message: format!("The card calls the case {}, its file {stem}.", card.case_id),
            hint: "The file's name counts here. The authors' scripts write the prompt under the card's id and look for it under the file's name, so they cannot judge this case.".to_owned(),
        });
    }
    for picture in sample
        .pictures
        .iter()
        .filter(|picture| picture.file.is_none())
    {
        problems.push(Problem {
            severity: Severity::Error,
            code: "missing_picture".to_owned(),
            path: path.to_owned(),
            place: format!("refs.{}", picture.label),
            message: format!("The reference {} is not among the files.", picture.path),
            hint: "Open the folder that holds it as well; scores from replies are not affected."
                .to_owned(),
        });
    }
}

/// The benchmark that judgements imply: tasks and cases by their folders' names.
pub fn imply(files: &[&ReplyFile]) -> Benchmark {
    let mut cases: BTreeMap<(usize, &str), &'static Task> = BTreeMap::new();
    for id in files
        .iter()
        .flat_map(|file| &file.lines)
        .filter_map(|line| line.sample.as_deref())
    {
        let Some((task, case)) = id.split_once('/') else {
            continue;
        };
        if let Some(at) = TASKS.iter().position(|known| known.id == task) {
            cases.insert((at, case), &TASKS[at]);
        }
    }
    let samples = cases
        .into_iter()
        .map(|((_, case), task)| bare(task.id, case, "", None));
    Benchmark::new(None, String::new(), samples.collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::micon::card::{answers_of, card_of, lacks_answers};
    use crate::micon::layout::CasePath;

    #[test]
    fn a_card_comes_back_out_of_its_sample() {
        let card = Card {
            case_id: "other".to_owned(),
            refs: vec![
                ("RB".to_owned(), "data/x/b.png".to_owned()),
                ("RA".to_owned(), "./x/a.png".to_owned()),
            ],
            generation_prompt: "Do it.".to_owned(),
            goal: "g".to_owned(),
            constraints_hard: vec!["one\ntwo".to_owned(), "three".to_owned()],
            constraints_soft: vec!["soft".to_owned()],
            expectations: vec!["e".to_owned()],
        };
        let place = CasePath {
            data: "E/data",
            task: STORY,
            case: "case_1",
        };
        let answers = AnswerSet {
            background: String::new(),
            positive: vec!["p1".to_owned(), "p2".to_owned()],
            negative: vec!["n".to_owned()],
        };
        let sets = [("case_1".to_owned(), answers.clone())];
        let with = sample(&FileTree::default(), &place, &card, Some(&by_case(&sets)));
        assert_eq!(card_of(&with), card);
        assert_eq!(answers_of(&with), Ok(answers));
        assert_eq!(with.pictures[0].path, "x/b.png");
        let without = sample(&FileTree::default(), &place, &card, Some(&by_case(&[])));
        assert!(lacks_answers(&without) && answers_of(&without).is_err());
        let unknown = sample(&FileTree::default(), &place, &card, None);
        assert!(!lacks_answers(&unknown) && answers_of(&unknown).is_err());
    }
}
