//! The report of a session.

use super::Session;
use crate::model::options::ScoreOptions;
use crate::prompt;
use crate::report::{self, HashedFile, Provenance, Report};
use crate::small::SortSmall;
use crate::tree::FileId;

impl Session {
    /// The whole report under these options.
    pub fn report(&mut self, options: &ScoreOptions) -> Report {
        let pictures_checked = self.is_complete();
        self.score(options);
        let judges = self.judge_health();
        let judge_names = self.judge_names();
        let mut problems = self.problems_of_scores();
        problems.extend(self.problems());
        let world = self.world();
        let scores = self.scores();
        Report {
            format: report::FORMAT.to_owned(),
            provenance: Provenance {
                juror: env!("CARGO_PKG_VERSION").to_owned(),
                protocol: self.protocol.id().to_owned(),
                profile: options.profile,
                policy: self.protocol.policy(options),
                judge: options.judge.clone(),
                run: options.run,
                judge_names,
                prompts: self.packs[self.pack].info.clone(),
                formulas: self.protocol.formulas(options.profile),
                criteria: self.criteria(),
                scopes: scores.scopes.clone(),
                files: self.hashed_files(),
                models: self.model_summaries(),
                benchmark: self.benchmark_info(),
                pictures_checked,
                judges,
                problems,
                measures: self.measure_counts(),
            },
            scores: scores.rows.clone(),
            samples: scores.sample_rows(&world, &self.criteria()),
            incidents: scores.incidents(&world, |model, unit, kind| {
                self.incident_detail(model, unit, kind)
            }),
        }
    }

    /// The files that the scores rest on, by path.
    fn hashed_files(&self) -> Vec<HashedFile> {
        let hashed = |role: &str, file: FileId, text: &str| HashedFile {
            path: self.tree.path(file).to_owned(),
            role: role.to_owned(),
            size: self.tree.size(file).unwrap_or(0),
            sha256: self
                .read
                .hashes
                .get(&file)
                .cloned()
                .unwrap_or_else(|| prompt::sha256(text.as_bytes())),
        };
        let read = &self.read;
        let mut files: Vec<HashedFile> = Vec::new();
        let benchmark = self.benchmark.iter().flat_map(|benchmark| &benchmark.files);
        files.extend(
            benchmark
                .filter_map(|file| Some((*file, read.texts.get(file)?)))
                .map(|(file, text)| hashed("samples", file, text)),
        );
        files.extend(
            read.replies
                .iter()
                .map(|(file, replies)| hashed("replies", *file, &replies.text)),
        );
        files.extend(
            read.journals
                .iter()
                .map(|(file, (text, _))| hashed("journal", *file, text)),
        );
        files.extend(
            read.ratings
                .iter()
                .map(|(file, (text, ..))| hashed("ratings", *file, text)),
        );
        files.extend(
            read.measures
                .iter()
                .map(|(file, (text, _))| hashed("measures", *file, text)),
        );
        files.extend(self.added_measures().map(|(path, text)| HashedFile {
            path,
            role: "measures".to_owned(),
            size: text.len() as u64,
            sha256: prompt::sha256(text.as_bytes()),
        }));
        files.extend(
            read.prompt_texts
                .iter()
                .map(|(file, text)| hashed("prompts", *file, text)),
        );
        files.sort_small();
        files
    }
}
