//! `rounds.duel` lists rounds as id, theme and prompt between tabs; `references/ROUND.png`; `outputs/MODEL/ROUND.png`;
//! `outputs/MODEL/judge-NAME.tsv`.

use std::collections::BTreeMap;

use juror_model::problem::Problem;
use juror_model::reply::{ReplyFile, ReplyLine, StoredReply};
use juror_model::sample::{Benchmark, Candidate, Picture, Sample, Texts, Turn, TurnKind};
use juror_model::submission::Submission;
use juror_model::tree::{FileTree, base_name, join, parent};
use juror_protocols::contract::{Layout, Loaded};

use super::verdict::verdict;
use super::{Duel, KINDS};

fn judge_of(path: &str) -> Option<&str> {
    base_name(path).strip_prefix("judge-")?.strip_suffix(".tsv")
}

fn sample(tree: &FileTree, folder: &str, line: &str) -> Option<Sample> {
    let mut fields = line.split('\t');
    let (id, theme, prompt) = (fields.next()?, fields.next()?, fields.next()?);
    let reference = format!("references/{id}.png");
    Some(Sample {
        id: id.to_owned(),
        domain: theme.to_owned(),
        category: "".into(),
        tags: Vec::new(),
        details: Vec::new(),
        pictures: vec![Picture {
            file: tree.find(&join(folder, &reference)),
            path: reference,
            label: "reference".to_owned(),
        }],
        turns: vec![Turn {
            kind: TurnKind::Image,
            instruction: prompt.to_owned(),
            answer: String::new(),
            picture: None,
            key_points: Vec::new(),
            output_name: format!("{id}.png"),
        }],
    })
}

impl Layout for Duel {
    fn load(
        &self,
        tree: &FileTree,
        candidate: &Candidate,
        texts: &Texts,
    ) -> Result<Loaded, Box<Problem>> {
        let text = texts.get(&candidate.list).map_or("", String::as_str);
        let folder = parent(tree.path(candidate.list)).to_owned();
        let samples = text
            .lines()
            .filter_map(|line| sample(tree, &folder, line))
            .collect();
        Ok(Benchmark::new(Some(candidate.list), folder, samples).into())
    }

    fn submissions(&self, tree: &FileTree, benchmark: Option<&Benchmark>) -> Vec<Submission> {
        let mut models: BTreeMap<&str, Submission> = BTreeMap::new();
        for (file, entry) in tree.files() {
            let folder = parent(&entry.path);
            if base_name(parent(folder)) != "outputs" {
                continue;
            }
            let num_turns = benchmark.map_or(0, Benchmark::num_turns);
            let model = models.entry(folder).or_insert_with(|| Submission {
                name: base_name(folder).to_owned(),
                folder: folder.to_owned(),
                output_folder: folder.to_owned(),
                outputs: vec![None; num_turns],
                ..Submission::default()
            });
            let round = base_name(&entry.path).strip_suffix(".png");
            let slot = round.and_then(|id| benchmark?.index_of(id));
            match slot {
                Some(slot) => model.outputs[slot as usize] = Some(file),
                None if judge_of(&entry.path).is_some() => model.reply_files.push(file),
                None => model.extra_files.push(file),
            }
        }
        models.into_values().collect()
    }

    fn read_replies(&self, path: &str, text: String) -> ReplyFile {
        let mut file = ReplyFile {
            judge: judge_of(path).unwrap_or_default().to_owned(),
            criteria: KINDS.map(str::to_owned).to_vec(),
            domains: vec![String::new()],
            ..ReplyFile::default()
        };
        let mut start = 0;
        for (at, line) in (0u32..).zip(text.split_inclusive('\n')) {
            let fields: Vec<&str> = line.trim_end().splitn(3, '\t').collect();
            let kind = fields
                .get(1)
                .and_then(|kind| KINDS.iter().position(|known| known == kind));
            if let (Some(kind), [round, _, reply]) = (kind, fields.as_slice()) {
                let raw =
                    start + line.len() - line.trim_start().len() + line.find(reply).unwrap_or(0);
                let place = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
                let verdict = verdict(KINDS[kind], reply);
                file.replies.push(StoredReply {
                    line: u32::try_from(file.lines.len()).unwrap_or(u32::MAX),
                    turn: Some(0).into(),
                    criterion: u16::try_from(kind).unwrap_or(0),
                    raw: place(raw)..place(raw + reply.len()),
                    readings: verdict.readings(),
                });
                file.verdicts.push(verdict);
                file.lines.push(ReplyLine {
                    number: at + 1,
                    sample: Some((*round).to_owned()),
                    domain: 0,
                });
            }
            start += line.len();
        }
        file.text = text;
        file
    }
}
