//! The report of a session.

use super::state::Session;
use crate::health::judge_health;
use crate::naming::judge_names;
use crate::notices::of_problems;
use crate::overview::problems;
use crate::study::Study;
use juror_evidence::report::{self, HashedFile, Provenance, Report};
use juror_model::prompt;
use juror_model::tree::FileId;
use juror_statistics::small::SortSmall;

/// The whole report under these options.
pub fn report(study: &Study<'_>) -> Report {
    let options = study.options();
    let pictures_checked = study.is_complete();
    let judges = judge_health(study);
    let judge_names = judge_names(study);
    let mut problems = study.problems_of_scores();
    let of_files = self::problems(study);
    let notices = of_problems(study, &of_files);
    problems.extend(of_files);
    let world = study.world();
    let scores = study.scores();
    let mut samples = scores.sample_rows(&world, &study.criteria());
    study.mark_ties(options, &mut samples);
    Report {
        format: report::FORMAT.to_owned(),
        provenance: Provenance {
            juror: env!("CARGO_PKG_VERSION").to_owned(),
            protocol: study.loader.protocol.id().to_owned(),
            profile: options.profile,
            policy: study.loader.protocol.policy(options),
            reading: options.reading(),
            tolerance: if options.reading().is_strict() {
                Vec::new()
            } else {
                (study.tolerating.counts)(study)
            },
            judge: options.judge.clone(),
            run: options.run,
            judge_names,
            prompts: study.loader.packs[study.loader.pack].info.clone(),
            formulas: study.loader.protocol.formulas(options.profile),
            criteria: study.criteria(),
            scopes: scores.scopes.clone(),
            files: hashed_files(study),
            models: study.model_summaries(),
            benchmark: study.benchmark_info(),
            pictures_checked,
            judges,
            notices,
            problems,
            measures: study.data.measure_counts(),
        },
        scores: scores.rows.clone(),
        samples,
        incidents: scores.incidents(&world, |model, unit, kind| {
            study.incident_detail(model, unit, kind)
        }),
    }
}

/// The files that the scores rest on, by path.
fn hashed_files(session: &Session) -> Vec<HashedFile> {
    let read = &session.loader.read;
    let file_of = |role: &str, file: FileId, sha256: String| HashedFile {
        path: session.loader.tree.path(file).to_owned(),
        role: role.to_owned(),
        size: session.loader.tree.size(file).unwrap_or(0),
        sha256,
    };
    let hashed = |role: &str, file: FileId, text: &str| {
        let known = read.hashes.get(&file).cloned();
        let hash = known.unwrap_or_else(|| prompt::sha256(text.as_bytes()));
        file_of(role, file, hash)
    };
    let mut files: Vec<HashedFile> = Vec::new();
    let benchmark = session
        .loader
        .benchmark
        .iter()
        .flat_map(|benchmark| &benchmark.files);
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
    files.extend(read.journals.iter().map(|(file, (hash, _))| {
        let known = read.hashes.get(file).unwrap_or(hash);
        file_of("journal", *file, known.clone())
    }));
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
    files.extend(session.added_measures().map(|(path, text)| HashedFile {
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
