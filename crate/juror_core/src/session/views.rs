//! What is shown of a session: overview, sample list, sample, request, generator input, report.

use sha2::{Digest, Sha256};

use super::link::Source;
use super::{MAX_PROBLEMS_PER_CODE, Probed, Session, SessionError};
use crate::journal::{self, Record};
use crate::prompt;
use crate::protocol::{
    Compare, Given, IncidentKind, JudgeScores, ModelData, ModelScores, OutputState, Sample, Scores,
    Turn, TurnKind, Unit, World,
};
use crate::report::{self, HashedFile, Provenance, Report};
use crate::tree::{FileId, base_name, join};
use crate::view::{
    BenchmarkInfo, IncidentGroup, InputKey, InputView, KeyPointView, ModelSummary, OutputView,
    Overview, PackInfo, ParsedReply, PartView, PasteResult, PastedReply, PictureView, Problem,
    Profile, RequestKey, RequestView, SampleCell, SampleList, SampleListRow, SampleQuery,
    SampleView, ScoreOptions, Severity, TurnView, VerdictView,
};

/// Files that nothing claimed, as far as the overview lists them.
const MAX_UNKNOWN: usize = 500;

impl Session {
    fn score(&mut self, options: &ScoreOptions) {
        self.link();
        if self
            .cache
            .scores
            .as_ref()
            .is_some_and(|(known, _)| known == options)
        {
            return;
        }
        let scores = self.protocol.score(&self.world(), options);
        self.cache.scores = Some((options.clone(), scores));
    }

    fn scores(&self) -> &Scores {
        static EMPTY: std::sync::OnceLock<Scores> = std::sync::OnceLock::new();
        self.cache
            .scores
            .as_ref()
            .map_or_else(|| EMPTY.get_or_init(Scores::default), |(_, scores)| scores)
    }

    /// Everything that the overview shows.
    pub fn overview(&mut self, options: &ScoreOptions) -> Overview {
        let is_complete = self.is_complete();
        self.score(options);
        if self.cache.differences.is_none() && is_complete {
            self.cache.differences = Some(self.protocol.differences(&self.world()));
        }
        let unknown = self.unknown_files();
        let scores = self.scores();
        Overview {
            benchmark: self.benchmark_info(),
            models: self.model_summaries(),
            profile: options.profile,
            policy: self.protocol.policy(options),
            criteria: self.protocol.criteria(),
            scopes: scores.scopes.clone(),
            scores: scores.rows.clone(),
            incidents: self.incident_groups(options),
            differences: self.cache.differences.clone().unwrap_or_default(),
            problems: self.problems(),
            unknown_files: unknown
                .iter()
                .take(MAX_UNKNOWN)
                .map(|file| self.tree.path(*file).to_owned())
                .collect(),
            num_unknown_files: count(unknown.len()),
            pack: self.packs[self.pack].info.clone(),
            packs: self.packs.iter().map(|pack| pack.info.clone()).collect(),
            pictures_checked: is_complete,
            formulas: self.protocol.formulas(options.profile),
        }
    }

    fn benchmark_info(&self) -> Option<BenchmarkInfo> {
        let benchmark = self.world().benchmark;
        if benchmark.samples.is_empty() {
            return None;
        }
        let turns = |kind: TurnKind| {
            count(
                benchmark
                    .turns()
                    .filter(|(_, _, _, turn)| turn.kind == kind)
                    .count(),
            )
        };
        let pictures = || benchmark.samples.iter().flat_map(|sample| &sample.pictures);
        Some(BenchmarkInfo {
            protocol: self.protocol.id().to_owned(),
            title: self.protocol.title().to_owned(),
            path: benchmark
                .list
                .map_or("", |list| self.tree.path(list))
                .to_owned(),
            samples: count(benchmark.samples.len()),
            unreadable_samples: benchmark.num_unreadable,
            picture_turns: turns(TurnKind::Image),
            text_turns: turns(TurnKind::Text),
            pictures: count(pictures().count()),
            missing_pictures: count(pictures().filter(|picture| picture.file.is_none()).count()),
        })
    }

    fn model_summaries(&self) -> Vec<ModelSummary> {
        let world = self.world();
        world
            .models
            .iter()
            .zip(&self.scores().models)
            .map(|(model, scores)| self.model_summary(&world, model, scores))
            .collect()
    }

    fn model_summary(
        &self,
        world: &World<'_>,
        model: &ModelData,
        scores: &ModelScores,
    ) -> ModelSummary {
        let mut found = [0; 2];
        let mut expected = [0; 2];
        for ((_, _, _, turn), file) in world.benchmark.turns().zip(&model.submission.outputs) {
            let at = usize::from(turn.kind == TurnKind::Text);
            expected[at] += 1;
            found[at] += u32::from(file.is_some());
        }
        let units = || scores.judges.iter().flat_map(|judge| &judge.units);
        let mut reply_files: Vec<String> = model
            .submission
            .reply_files
            .iter()
            .map(|file| self.tree.path(*file).to_owned())
            .collect();
        let sources = self
            .cache
            .linked
            .as_ref()
            .map_or(&[][..], |linked| &linked.sources);
        let mut journals: Vec<u32> = model.given.iter().map(|given| given.origin.0).collect();
        journals.sort_unstable();
        journals.dedup();
        reply_files.extend(journals.into_iter().filter_map(|source| {
            match sources.get(source as usize)? {
                Source::Replies(_) => None,
                Source::Journal(file) => Some(self.tree.path(*file).to_owned()),
                Source::Pasted => Some("pasted".to_owned()),
            }
        }));
        ModelSummary {
            name: model.submission.name.clone(),
            path: model.submission.folder.clone(),
            mode: scores.mode.to_owned(),
            pictures: found[0],
            pictures_expected: expected[0],
            answers: found[1],
            answers_expected: expected[1],
            scored: count(units().filter(|unit| unit.incident.is_none()).count()),
            expected: count(units().count()),
            incidents: count(units().filter(|unit| unit.incident.is_some()).count()),
            judges: scores
                .judges
                .iter()
                .map(|judge| judge.judge.clone())
                .collect(),
            reply_files,
        }
    }

    fn incident_groups(&self, options: &ScoreOptions) -> Vec<IncidentGroup> {
        let count_of = |scores: &ModelScores, kind: IncidentKind| {
            count(
                scores
                    .judges
                    .iter()
                    .flat_map(|judge| &judge.units)
                    .filter(|unit| unit.incident == Some(kind))
                    .count(),
            )
        };
        IncidentKind::ALL
            .into_iter()
            .map(|kind| IncidentGroup {
                kind: kind.id().to_owned(),
                label: kind.label().to_owned(),
                counts_as: self.protocol.counts_as(kind, options).to_owned(),
                per_model: self
                    .scores()
                    .models
                    .iter()
                    .map(|scores| count_of(scores, kind))
                    .collect(),
            })
            .filter(|group| group.per_model.iter().any(|count| *count > 0))
            .collect()
    }

    /// Findings about the files, the gravest first, at most a hundred of each code.
    pub fn problems(&mut self) -> Vec<Problem> {
        self.link();
        let mut all: Vec<&Problem> = self.path_problems.iter().collect();
        if self.benchmark.is_none() {
            all.extend(&self.read.list_problems);
        } else {
            // Other JSON files were only tried; they are not at fault for being something else.
            all.extend(
                self.read
                    .list_problems
                    .iter()
                    .filter(|problem| base_name(&problem.path) == "test.json"),
            );
        }
        all.extend(
            self.benchmark
                .iter()
                .flat_map(|benchmark| &benchmark.problems),
        );
        all.extend(self.cache.linked.iter().flat_map(|linked| &linked.problems));
        all.sort_by_key(|problem| problem.severity);
        let mut counts = std::collections::BTreeMap::<&str, usize>::new();
        let mut shown = Vec::new();
        for problem in all {
            let seen = counts.entry(&problem.code).or_default();
            *seen += 1;
            if *seen <= MAX_PROBLEMS_PER_CODE {
                shown.push(problem.clone());
            }
        }
        for (code, seen) in counts
            .into_iter()
            .filter(|(_, seen)| *seen > MAX_PROBLEMS_PER_CODE)
        {
            shown.push(Problem {
                severity: Severity::Note,
                code: code.to_owned(),
                path: String::new(),
                place: String::new(),
                message: format!(
                    "{} more findings like these are not listed.",
                    seen - MAX_PROBLEMS_PER_CODE
                ),
                hint: String::new(),
            });
        }
        shown
    }

    /// Listed files that nothing claimed.
    pub fn unknown_files(&mut self) -> Vec<FileId> {
        self.link();
        let mut is_claimed = vec![false; self.tree.len()];
        let mut claim = |file: FileId| is_claimed[file as usize] = true;
        let world = self.world();
        world.benchmark.list.into_iter().for_each(&mut claim);
        world
            .benchmark
            .samples
            .iter()
            .flat_map(|sample| &sample.pictures)
            .filter_map(|picture| picture.file)
            .for_each(&mut claim);
        for model in world.models {
            let files = model.submission.outputs.iter().flatten();
            files
                .chain(&model.submission.reply_files)
                .chain(&model.submission.known_files)
                .copied()
                .for_each(&mut claim);
        }
        self.read
            .prompt_texts
            .keys()
            .chain(self.read.journals.keys())
            .copied()
            .for_each(&mut claim);
        self.tree
            .files()
            .filter(|(file, _)| !is_claimed[*file as usize])
            .map(|(file, _)| file)
            .collect()
    }

    /// The filtered and sorted sample list.
    pub fn samples(&mut self, query: &SampleQuery) -> SampleList {
        self.score(&query.options);
        let world = self.world();
        let scores = self.scores();
        let wanted_model = world
            .models
            .iter()
            .position(|model| model.submission.name == query.model);
        let words: Vec<String> = query
            .text
            .split_whitespace()
            .map(str::to_lowercase)
            .collect();
        let per_sample = PerSample::new(&world, scores);
        let mut rows: Vec<(usize, SampleListRow)> = Vec::new();
        for (at, sample) in world.benchmark.samples.iter().enumerate() {
            let is_wanted = (query.category.is_empty() || sample.category == query.category)
                && (query.domain.is_empty() || sample.domain == query.domain)
                && per_sample.has_incident(at, wanted_model, &query.incident)
                && (words.is_empty() || self.matches(&world, at, sample, &words));
            if is_wanted {
                rows.push((at, sample_row(&world, scores, &per_sample, at, sample)));
            }
        }
        let score = |row: &SampleListRow| {
            if let Some(model) = wanted_model {
                return row.cells[model].score;
            }
            let scores: Vec<f64> = row.cells.iter().filter_map(|cell| cell.score).collect();
            (!scores.is_empty()).then(|| scores.iter().sum::<f64>() / scores.len() as f64)
        };
        let spread = |row: &SampleListRow| {
            let scores = || row.cells.iter().filter_map(|cell| cell.score);
            scores()
                .reduce(f64::max)
                .zip(scores().reduce(f64::min))
                .map(|(max, min)| max - min)
        };
        // A sample without a score goes to the end in either direction.
        let ascending = |key: Option<f64>| key.unwrap_or(f64::INFINITY);
        let descending = |key: Option<f64>| -key.unwrap_or(f64::NEG_INFINITY);
        match query.sort.as_str() {
            "score_asc" => {
                rows.sort_by(|(_, a), (_, b)| ascending(score(a)).total_cmp(&ascending(score(b))));
            }
            "score_desc" => {
                rows.sort_by(|(_, a), (_, b)| {
                    descending(score(a)).total_cmp(&descending(score(b)))
                });
            }
            "spread" => rows
                .sort_by(|(_, a), (_, b)| descending(spread(a)).total_cmp(&descending(spread(b)))),
            _ => {}
        }
        SampleList {
            total: count(world.benchmark.samples.len()),
            models: world
                .models
                .iter()
                .map(|model| model.submission.name.clone())
                .collect(),
            rows: rows.into_iter().map(|(_, row)| row).collect(),
        }
    }

    /// Whether every word occurs somewhere in the sample: texts, answers, replies, names.
    fn matches(&self, world: &World<'_>, at: usize, sample: &Sample, words: &[String]) -> bool {
        let mut texts: Vec<&str> = vec![&sample.id, &sample.domain, sample.category];
        for turn in &sample.turns {
            texts.extend([turn.instruction.as_str(), &turn.answer]);
            texts.extend(
                turn.key_points
                    .iter()
                    .flat_map(|point| [point.key.as_str(), &point.text]),
            );
        }
        texts.extend(sample.pictures.iter().map(|picture| picture.path.as_str()));
        let base = world.benchmark.turn_slot(count(at), 0).unwrap_or(0);
        for model in world.models {
            for slot in base..base + count(sample.turns.len()) {
                texts.extend(model.answers.get(&slot).map(String::as_str));
            }
        }
        let text = texts.join(" ").to_lowercase();
        let mut missing: Vec<&String> = words.iter().filter(|word| !text.contains(*word)).collect();
        if missing.is_empty() {
            return true;
        }
        for model in world.models {
            for given in model
                .given
                .iter()
                .filter(|given| given.sample == Some(count(at)))
            {
                let raw = self.raw(given).to_lowercase();
                missing.retain(|word| !raw.contains(*word));
            }
        }
        missing.is_empty()
    }

    /// The raw text of a reply.
    fn raw(&self, given: &Given) -> &str {
        let (source, position) = (given.origin.0 as usize, given.origin.1 as usize);
        let source = self
            .cache
            .linked
            .as_ref()
            .and_then(|linked| linked.sources.get(source).copied());
        match source {
            Some(Source::Replies(file)) => {
                let Some(replies) = self.read.replies.get(&file) else {
                    return "";
                };
                let raw = &replies.replies[position].raw;
                &replies.text[raw.start as usize..raw.end as usize]
            }
            Some(Source::Journal(file)) => self
                .read
                .journals
                .get(&file)
                .map_or("", |(_, journal)| reply_text(&journal.records[position].1)),
            Some(Source::Pasted) => reply_text(&self.pasted[position]),
            None => "",
        }
    }

    fn source_name(&self, given: &Given) -> String {
        let source = self
            .cache
            .linked
            .as_ref()
            .and_then(|linked| linked.sources.get(given.origin.0 as usize).copied());
        match source {
            Some(Source::Replies(file) | Source::Journal(file)) => {
                format!("{}:{}", self.tree.path(file), given.line)
            }
            Some(Source::Pasted) | None => "pasted".to_owned(),
        }
    }

    /// One sample with everything around it.
    pub fn sample(&mut self, id: &str, options: &ScoreOptions) -> Result<SampleView, SessionError> {
        self.score(options);
        let world = self.world();
        let unknown = || {
            SessionError::new(
                "unknown_sample",
                format!("There is no sample {id} in what was opened."),
            )
        };
        let at = world.benchmark.index_of(id).ok_or_else(unknown)?;
        let sample = &world.benchmark.samples[at as usize];
        let name =
            |index: Option<u32>| Some(world.benchmark.samples.get(index? as usize)?.id.clone());
        let pictures = (1u32..)
            .zip(&sample.pictures)
            .map(|(number, picture)| PictureView {
                number,
                path: join(&world.benchmark.folder, &picture.path),
                file: picture.file,
                problem: match picture.file {
                    None => "The file is not among those opened.".to_owned(),
                    Some(file) => self.picture_problem(file),
                },
                produced_by: (0u32..)
                    .zip(&sample.turns)
                    .find(|(_, turn)| turn.picture == Some(number))
                    .map(|(turn, _)| turn),
            });
        let turns = (0u32..)
            .zip(&sample.turns)
            .map(|(index, turn)| self.turn_view(&world, at, index, turn));
        Ok(SampleView {
            id: sample.id.clone(),
            domain: sample.domain.clone(),
            category: sample.category.to_owned(),
            index: at,
            total: count(world.benchmark.samples.len()),
            previous: name(at.checked_sub(1)),
            next: name(at.checked_add(1)),
            pictures: pictures.collect(),
            turns: turns.collect(),
        })
    }

    fn picture_problem(&self, file: FileId) -> String {
        match self.read.pictures.get(&file) {
            Some(Probed::Bad { message, .. }) => message.clone(),
            _ => self
                .read
                .failures
                .get(&file)
                .map(|(_, message)| message.clone())
                .unwrap_or_default(),
        }
    }

    fn turn_view(&self, world: &World<'_>, sample: u32, index: u32, turn: &Turn) -> TurnView {
        let slot = world.benchmark.turn_slot(sample, index).unwrap_or(0);
        let is_text = turn.kind == TurnKind::Text;
        let outputs = world
            .models
            .iter()
            .zip(&self.scores().models)
            .map(|(model, scores)| {
                self.output_view(world, model, scores, (sample, index, slot), turn)
            });
        TurnView {
            index,
            kind: if is_text { "text" } else { "image" }.to_owned(),
            class: self.protocol.class(turn).to_owned(),
            instruction: self.protocol.spans(&turn.instruction),
            standard_answer: if is_text {
                self.protocol.spans(&turn.answer)
            } else {
                Vec::new()
            },
            picture: turn.picture,
            key_points: turn
                .key_points
                .iter()
                .map(|point| {
                    let (source, number) = match point.compare {
                        Compare::Dataset(number) => ("dataset", Some(number)),
                        Compare::Generated(number) => ("generated", Some(number)),
                        Compare::Nothing => ("none", None),
                    };
                    let (before, after) = point
                        .text
                        .split_once("<image>")
                        .unwrap_or((&point.text, ""));
                    KeyPointView {
                        key: point.key.clone(),
                        source: source.to_owned(),
                        number,
                        before: before.to_owned(),
                        after: after.to_owned(),
                        has_marker: point.text.contains("<image>"),
                    }
                })
                .collect(),
            outputs: outputs.collect(),
        }
    }

    fn output_view(
        &self,
        world: &World<'_>,
        model: &ModelData,
        scores: &ModelScores,
        (sample, turn_idx, slot): (u32, u32, u32),
        turn: &Turn,
    ) -> OutputView {
        let file = model
            .submission
            .outputs
            .get(slot as usize)
            .copied()
            .flatten();
        let expected_path = join(&model.submission.output_folder, &turn.output_name);
        let state = model
            .outputs
            .get(slot as usize)
            .copied()
            .unwrap_or(OutputState::NotGiven);
        let problem = match (state, file) {
            (OutputState::Missing, _) => {
                format!("Expected {expected_path}, which is not among the files.")
            }
            (OutputState::Unreadable, Some(file)) => match self.picture_problem(file) {
                problem if problem.is_empty() => "The answer is larger than 4 MiB.".to_owned(),
                problem => problem,
            },
            _ => String::new(),
        };
        let size = file.and_then(|file| match self.read.pictures.get(&file) {
            Some(Probed::Picture { width, height }) => Some((*width, *height)),
            _ => None,
        });
        let is_here = |unit: &&Unit| unit.sample == sample && unit.turn == turn_idx;
        let mut verdicts = Vec::new();
        let mut counted: Vec<(&str, Option<f64>)> = Vec::new();
        for (judge_at, judge) in scores.judges.iter().enumerate() {
            let start = judge.units.partition_point(|unit| unit.sample < sample);
            for unit in judge.units[start..]
                .iter()
                .take_while(|unit| unit.sample == sample)
                .filter(is_here)
            {
                if judge_at == 0 {
                    counted.push((&model.criteria[usize::from(unit.criterion)], unit.counted));
                }
                self.push_verdicts(model, judge, unit, slot, &mut verdicts);
            }
        }
        OutputView {
            model: model.submission.name.clone(),
            path: file.map_or(expected_path, |file| self.tree.path(file).to_owned()),
            file,
            text: model.answers.get(&slot).cloned(),
            width: size.map(|(width, _)| width),
            height: size.map(|(_, height)| height),
            problem,
            in_mode: !counted.is_empty(),
            score: self.protocol.turn_total(&counted),
            verdicts,
        }
        .with_world(world)
    }

    /// The replies to one unit, or the reason why there is none.
    fn push_verdicts(
        &self,
        model: &ModelData,
        judge: &JudgeScores,
        unit: &Unit,
        slot: u32,
        verdicts: &mut Vec<VerdictView>,
    ) {
        let criterion = &model.criteria[usize::from(unit.criterion)];
        let judge_at = model
            .judges
            .iter()
            .position(|name| *name == judge.judge)
            .unwrap_or(0);
        let before = verdicts.len();
        for (at, given) in model.given.iter().enumerate().filter(|(_, given)| {
            given.slot == Some(slot)
                && given.criterion == unit.criterion
                && usize::from(given.judge) == judge_at
        }) {
            let raw = self.raw(given);
            let parsed = self.protocol.parse(criterion, Profile::Paper, raw);
            let (status, score, reason, detail) = match parsed {
                ParsedReply::Ok { score, reason, .. } => {
                    ("ok".to_owned(), score, reason, String::new())
                }
                ParsedReply::Incident { kind, detail } => {
                    let lenient = self.protocol.parse(criterion, Profile::Released, raw);
                    let (score, reason) = match lenient {
                        ParsedReply::Ok { score, reason, .. } => (score, reason),
                        ParsedReply::Incident { .. } => (None, String::new()),
                    };
                    (kind, score, reason, detail)
                }
            };
            verdicts.push(VerdictView {
                criterion: criterion.clone(),
                status,
                score,
                reason,
                detail,
                raw: Some(raw.to_owned()),
                judge: judge.judge.clone(),
                run: given.run,
                source: self.source_name(given),
                counted: judge.counted.get(at).copied().unwrap_or(false),
            });
        }
        if verdicts.len() > before {
            return;
        }
        let kind = unit.incident.unwrap_or(IncidentKind::MissingReply);
        verdicts.push(VerdictView {
            criterion: criterion.clone(),
            status: kind.id().to_owned(),
            score: unit.counted,
            reason: String::new(),
            detail: self.incident_detail(model, unit, kind),
            raw: None,
            judge: judge.judge.clone(),
            run: unit.run,
            source: String::new(),
            counted: unit.counted.is_some(),
        });
    }

    fn incident_detail(&self, model: &ModelData, unit: &Unit, kind: IncidentKind) -> String {
        let world = self.world();
        let slot = world
            .benchmark
            .turn_slot(unit.sample, unit.turn)
            .unwrap_or(0);
        let criterion = &model.criteria[usize::from(unit.criterion)];
        let name = world
            .benchmark
            .turn_at(slot)
            .map_or("", |turn| &turn.output_name);
        let path = join(&model.submission.output_folder, name);
        let given = unit.given.map(|at| &model.given[at as usize]);
        match kind {
            IncidentKind::MissingOutput => {
                format!("Expected {path}, which is not among the files.")
            }
            IncidentKind::UnreadableOutput => {
                let file = model
                    .submission
                    .outputs
                    .get(slot as usize)
                    .copied()
                    .flatten();
                format!(
                    "{path}: {}",
                    file.map(|file| self.picture_problem(file))
                        .unwrap_or_default()
                )
            }
            IncidentKind::MissingReply => "No reply to this request was found.".to_owned(),
            IncidentKind::FailedCall => given.map_or_else(String::new, |given| {
                format!("{}: {}", self.source_name(given), self.raw(given))
            }),
            IncidentKind::Unparsable | IncidentKind::OutOfRange => {
                given.map_or_else(String::new, |given| {
                    match self
                        .protocol
                        .parse(criterion, Profile::Paper, self.raw(given))
                    {
                        ParsedReply::Incident { detail, .. } => {
                            format!("{}: {detail}", self.source_name(given))
                        }
                        ParsedReply::Ok { .. } => self.source_name(given),
                    }
                })
            }
        }
    }

    /// Exactly what the judge is asked.
    pub fn request(&mut self, key: &RequestKey) -> Result<RequestView, SessionError> {
        self.link();
        let world = self.world();
        if world.model(&key.model).is_none() {
            return Err(SessionError::new(
                "unknown_model",
                format!("There is no model {} in what was opened.", key.model),
            ));
        }
        let pack = &self.packs[self.pack];
        let (draft, error) = match self.protocol.request(&world, pack, key) {
            Ok(draft) => (draft, None),
            Err(error) => (crate::protocol::Draft::default(), Some(error)),
        };
        let needs: Vec<u32> = files(&draft.parts)
            .filter(|file| !self.read.hashes.contains_key(file))
            .collect();
        let is_ready = needs.is_empty() && error.is_none();
        Ok(RequestView {
            sha256: is_ready.then(|| self.request_hash(&pack.info, key, &draft.parts)),
            key: key.clone(),
            pack: pack.info.clone(),
            parts: draft.parts,
            grammar: self.protocol.grammar(&key.criterion).to_owned(),
            needs,
            notes: draft.notes,
            error,
        })
    }

    /// SHA-256 over everything that the judge is shown: texts, and pictures by content; absent pictures leave no trace.
    fn request_hash(&self, pack: &PackInfo, key: &RequestKey, parts: &[PartView]) -> String {
        let mut hasher = Sha256::new();
        let mut field = |kind: &str, content: &str| {
            hasher.update(format!("{kind} {}\n", content.len()).as_bytes());
            hasher.update(content.as_bytes());
        };
        field("protocol", self.protocol.id());
        field("criterion", &key.criterion);
        field("prompts", &pack.sha256);
        for part in parts {
            match part {
                PartView::Text { text } => field("text", text),
                PartView::Image {
                    file: Some(file),
                    role,
                    ..
                } => {
                    field("image", role);
                    field(
                        "sha256",
                        self.read.hashes.get(file).map_or("", String::as_str),
                    );
                }
                PartView::Image { file: None, .. } => {}
            }
        }
        prompt::hex(&hasher.finalize())
    }

    /// Takes the bytes of a picture that a request hash needs.
    pub fn provide_picture(&mut self, file: FileId, bytes: &[u8]) {
        self.read.hashes.insert(file, prompt::sha256(bytes));
    }

    /// Reads a pasted reply and keeps nothing.
    pub fn parse(&mut self, reply: &PastedReply) -> Result<PasteResult, SessionError> {
        self.link();
        let world = self.world();
        let key = &reply.key;
        let model = world.model(&key.model).ok_or_else(|| {
            SessionError::new(
                "unknown_model",
                format!("There is no model {} in what was opened.", key.model),
            )
        })?;
        let (_, _, slot, turn) = world.turn(&key.sample, key.turn).ok_or_else(|| {
            SessionError::new(
                "unknown_turn",
                format!("There is no turn {} in sample {}.", key.turn, key.sample),
            )
        })?;
        if !self
            .protocol
            .criteria_of(turn.kind)
            .contains(&key.criterion.as_str())
        {
            return Err(SessionError::new(
                "unknown_criterion",
                format!("Turn {} is not judged on {}.", key.turn, key.criterion),
            ));
        }
        let duplicate = model.given.iter().any(|given| {
            given.slot == Some(slot)
                && given.run == reply.run
                && model.judges[usize::from(given.judge)] == reply.judge
                && model.criteria[usize::from(given.criterion)] == key.criterion
        });
        Ok(PasteResult {
            paper: self
                .protocol
                .parse(&key.criterion, Profile::Paper, &reply.text),
            released: self
                .protocol
                .parse(&key.criterion, Profile::Released, &reply.text),
            duplicate,
            kept: false,
        })
    }

    /// Reads a pasted reply and keeps it, whatever the readers say.
    pub fn paste(&mut self, reply: &PastedReply) -> Result<PasteResult, SessionError> {
        let result = self.parse(reply)?;
        let request = self.request(&reply.key)?;
        self.pasted.push(Record {
            format: journal::FORMAT.to_owned(),
            protocol: self.protocol.id().to_owned(),
            model: reply.key.model.clone(),
            sample: reply.key.sample.clone(),
            turn: reply.key.turn,
            criterion: reply.key.criterion.clone(),
            judge: reply.judge.clone(),
            run: reply.run.max(1),
            time: reply.time.clone(),
            request: request.sha256,
            prompts: request.pack.sha256,
            reply: reply.text.clone(),
            error: None,
        });
        self.cache.relink();
        Ok(PasteResult {
            kept: true,
            ..result
        })
    }

    /// What a generator is given for a turn.
    pub fn generator_input(&mut self, key: &InputKey) -> InputView {
        self.link();
        let (input, error) = match self.protocol.generator_input(&self.world(), key) {
            Ok(input) => (input, None),
            Err(error) => (crate::protocol::GeneratorInput::default(), Some(error)),
        };
        InputView {
            key: key.clone(),
            messages: input.messages,
            pictures: input.pictures,
            notes: input.notes,
            error,
        }
    }

    /// The whole report under these options.
    pub fn report(&mut self, options: &ScoreOptions) -> Report {
        let pictures_checked = self.is_complete();
        self.score(options);
        let problems = self.problems();
        let world = self.world();
        let scores = self.scores();
        Report {
            format: report::FORMAT.to_owned(),
            provenance: Provenance {
                juror: env!("CARGO_PKG_VERSION").to_owned(),
                protocol: self.protocol.id().to_owned(),
                profile: options.profile,
                policy: self.protocol.policy(options),
                prompts: self.packs[self.pack].info.clone(),
                formulas: self.protocol.formulas(options.profile),
                files: self.hashed_files(),
                models: self.model_summaries(),
                benchmark: self.benchmark_info(),
                pictures_checked,
                problems,
            },
            scores: scores.rows.clone(),
            samples: scores.sample_rows(&world),
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
            size: self.tree.entry(file).map_or(0, |entry| entry.size),
            sha256: self
                .read
                .hashes
                .get(&file)
                .cloned()
                .unwrap_or_else(|| prompt::sha256(text.as_bytes())),
        };
        let read = &self.read;
        let mut files: Vec<HashedFile> = Vec::new();
        files.extend(
            read.list_text
                .iter()
                .map(|(file, text)| hashed("samples", *file, text)),
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
            read.prompt_texts
                .iter()
                .map(|(file, text)| hashed("prompts", *file, text)),
        );
        files.sort();
        files
    }
}

impl OutputView {
    /// Nothing is said of the outputs of a benchmark that is only implied by replies.
    fn with_world(mut self, world: &World<'_>) -> Self {
        if world.benchmark.list.is_none() {
            self.path = String::new();
        }
        self
    }
}

/// A record's raw text: the reply, or the error in its place.
fn reply_text(record: &Record) -> &str {
    record.error.as_deref().unwrap_or(&record.reply)
}

fn files(parts: &[PartView]) -> impl Iterator<Item = FileId> {
    parts.iter().filter_map(|part| match part {
        PartView::Image { file, .. } => *file,
        PartView::Text { .. } => None,
    })
}

fn count(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

/// Units counted per model and sample.
struct PerSample {
    num_samples: usize,
    cells: Vec<UnitCounts>,
}

#[derive(Clone, Copy, Default)]
struct UnitCounts {
    scored: u32,
    expected: u32,
    incidents: [u32; IncidentKind::ALL.len()],
}

impl PerSample {
    fn new(world: &World<'_>, scores: &Scores) -> Self {
        let num_samples = world.benchmark.samples.len();
        let mut cells = vec![UnitCounts::default(); num_samples * scores.models.len()];
        for (at, model) in scores.models.iter().enumerate() {
            for unit in model.judges.iter().flat_map(|judge| &judge.units) {
                let cell = &mut cells[at * num_samples + unit.sample as usize];
                cell.expected += 1;
                match unit.incident {
                    None => cell.scored += 1,
                    Some(kind) => cell.incidents[kind as usize] += 1,
                }
            }
        }
        Self { num_samples, cells }
    }

    fn has_incident(&self, sample: usize, model: Option<usize>, kind: &str) -> bool {
        if kind.is_empty() {
            return true;
        }
        let mut cells = self
            .cells
            .iter()
            .skip(sample)
            .step_by(self.num_samples.max(1))
            .enumerate();
        cells.any(|(at, cell)| {
            model.is_none_or(|model| model == at)
                && IncidentKind::ALL.iter().any(|known| {
                    (kind == "any" || known.id() == kind) && cell.incidents[*known as usize] > 0
                })
        })
    }
}

fn sample_row(
    world: &World<'_>,
    scores: &Scores,
    per_sample: &PerSample,
    at: usize,
    sample: &Sample,
) -> SampleListRow {
    let kind = |kind: TurnKind| count(sample.turns.iter().filter(|turn| turn.kind == kind).count());
    let base = world.benchmark.turn_slot(count(at), 0).unwrap_or(0) as usize;
    let cells = world.models.iter().zip(&scores.models).enumerate().map(
        |(model_at, (model, model_scores))| {
            let tally = per_sample.cells[model_at * per_sample.num_samples + at];
            let outputs = sample
                .turns
                .iter()
                .enumerate()
                .filter(|(_, turn)| turn.kind == TurnKind::Image);
            SampleCell {
                score: model_scores
                    .judges
                    .first()
                    .and_then(|judge| judge.totals[at]),
                scored: tally.scored,
                expected: tally.expected,
                incidents: tally.incidents.iter().sum(),
                outputs: outputs
                    .filter_map(|(turn, _)| {
                        model.submission.outputs.get(base + turn).copied().flatten()
                    })
                    .take(4)
                    .collect(),
            }
        },
    );
    SampleListRow {
        id: sample.id.clone(),
        domain: sample.domain.clone(),
        category: sample.category.to_owned(),
        instruction: sample
            .turns
            .first()
            .map(|turn| turn.instruction.clone())
            .unwrap_or_default(),
        picture_turns: kind(TurnKind::Image),
        text_turns: kind(TurnKind::Text),
        pictures: sample.pictures.iter().map(|picture| picture.file).collect(),
        cells: cells.collect(),
    }
}
