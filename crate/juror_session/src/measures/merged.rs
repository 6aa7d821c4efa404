//! Records of files and of this session brought together, with what is to be said of them as a whole.

use std::collections::BTreeSet;

use crate::measure::{Against, Measure, MeasureKind, Merged};
use crate::measured::MergedMeasures;
use crate::state::Session;
use juror_model::problem::{Problem, Severity};
use juror_model::summary::MeasureCount;
use juror_model::terms::CriterionInfo;
use juror_statistics::small::SortSmall;

/// The records of files by path, then those of this session; the last one of a place counts.
pub(super) fn merge_measures(session: &Session) -> MergedMeasures {
    let mut inputs = MergedMeasures::default();
    let world = session.world();
    let (mut strays, mut unasked) = (0, 0);
    let own = session.loader.protocol.id();
    let mut take = |merged: &mut Merged, record: &Measure| {
        // A list of values does not name its benchmark.
        let is_own = record.protocol == own || record.protocol.is_empty();
        let found = world.turn(&record.sample, record.turn);
        let (true, true, Some((_, sample, _, _))) =
            (is_own, world.model(&record.model).is_some(), found)
        else {
            strays += 1;
            return;
        };
        let is_of_network = matches!(
            Against::read(&record.against),
            Some(Against::Prompt | Against::Objects)
        );
        if is_of_network && !session.loader.protocol.is_measured_by_networks(sample) {
            unasked += 1;
        } else if record.protocol.is_empty() {
            merged.push(&Measure {
                protocol: own.to_owned(),
                ..record.clone()
            });
        } else {
            merged.push(record);
        }
    };
    let mut files: Vec<_> = session.loader.read.measures.iter().collect();
    files.sort_small_by_key(|(file, _)| session.loader.tree.path(**file));
    for (file, (_, measures)) in files {
        let heard = session.heard(*file);
        for (_, record) in &measures.records {
            if heard.includes(&record.model) {
                take(&mut inputs.merged, record);
            }
        }
        let bad = measures.bad_lines.told().map(|(line, message)| {
            let hint = "The value is left out; the others count.";
            Problem::new(
                session.loader.tree.path(*file),
                ("bad_line", Severity::Error),
                format!("line {line}"),
                message,
                hint,
            )
        });
        inputs.problems.extend(bad);
    }
    for record in &session.data.measures {
        take(&mut inputs.merged, record);
    }
    let kinds: BTreeSet<&MeasureKind> = inputs
        .merged
        .records
        .keys()
        .map(|place| &place.kind)
        .collect();
    inputs.kinds = kinds.into_iter().cloned().collect();
    inputs.criteria = inputs.kinds.iter().map(criterion).collect();
    inputs.counts = counts(&inputs);
    inputs.tell(strays, unasked);
    inputs
}

impl MergedMeasures {
    /// Findings about the values as a whole.
    fn tell(&mut self, strays: u32, unasked: u32) {
        if unasked > 0 {
            let message = format!(
                "{unasked} values of networks are of samples that the benchmark does not measure so; they are left out."
            );
            self.problems.push(Problem::new(
                "",
                ("unasked_measure", Severity::Warning),
                String::new(),
                message,
                "MICON-Bench measures prompts and objects in its Object and Spatial tasks alone.",
            ));
        }
        if strays > 0 {
            let message = format!(
                "{strays} measured values are about another benchmark, or a model or sample that is not at hand."
            );
            self.problems.push(Problem::new(
                "",
                ("stray_measure", Severity::Warning),
                String::new(),
                message,
                "Open what they were measured on, or leave their file out.",
            ));
        }
        if let Some(first) = self.merged.changed.first() {
            let message = format!(
                "{} values were measured on other pictures before, the first of {}, sample {}, turn {}.",
                self.merged.changed.len(),
                first.model,
                first.sample,
                first.turn + 1
            );
            self.problems.push(Problem::new(
                "",
                ("other_pictures", Severity::Warning),
                String::new(),
                message,
                "The later value counts. Leave the file with the earlier ones out.",
            ));
        }
        self.tell_sources();
        for mixed in self.counts.iter().filter(|found| found.networks.len() > 1) {
            let message = format!(
                "{} was computed by {} networks: {}.",
                mixed.criterion,
                mixed.networks.len(),
                mixed.networks.join("; ")
            );
            self.problems.push(Problem::new(
                "",
                ("mixed_networks", Severity::Warning),
                String::new(),
                message,
                "Their numbers do not compare: measure all of them by one.",
            ));
        }
        for mixed in self
            .counts
            .iter()
            .filter(|found| found.cpu > 0 && found.gpu > 0)
        {
            let message = format!(
                "{} was computed on a CPU for {} values and on a GPU for {}.",
                mixed.criterion, mixed.cpu, mixed.gpu
            );
            self.problems.push(Problem::new("", ("mixed_backends", Severity::Warning), String::new(), message, "SSIM may differ by 2·10⁻⁵ between the two; measure all on one for numbers that compare to the last digit."));
        }
    }

    /// Findings about values of which some are in a list made elsewhere.
    fn tell_sources(&mut self) {
        if let Some(first) = self.merged.doubled.first() {
            let message = format!(
                "{} values are in a list made elsewhere and were computed here too, the first of {}, sample {}.",
                self.merged.doubled.len(),
                first.model,
                first.sample
            );
            self.problems.push(Problem::new(
                "",
                ("two_sources", Severity::Warning),
                String::new(),
                message,
                "The later one counts. Open only one of the two.",
            ));
        }
        for mixed in (self.counts.iter()).filter(|one| one.file > 0 && one.cpu + one.gpu > 0) {
            let message = format!(
                "{} has {} values of a list made elsewhere and {} that were computed here.",
                mixed.criterion,
                mixed.file,
                mixed.cpu + mixed.gpu
            );
            self.problems.push(Problem::new(
                "",
                ("mixed_sources", Severity::Warning),
                String::new(),
                message,
                "Their networks and boxes may differ: take all of them from one source.",
            ));
        }
    }
}

/// Values by criterion and backend.
fn counts(inputs: &MergedMeasures) -> Vec<MeasureCount> {
    let mut counts: Vec<MeasureCount> = (inputs.kinds.iter())
        .map(|kind| MeasureCount {
            criterion: kind.to_string(),
            ..MeasureCount::default()
        })
        .collect();
    for (place, record) in &inputs.merged.records {
        let at = inputs.kinds.binary_search(&place.kind);
        if let (Ok(at), Some(_)) = (at, record.value) {
            let found = &mut counts[at];
            found.values += 1;
            *(match record.backend.as_str() {
                "gpu" => &mut found.gpu,
                "cpu" => &mut found.cpu,
                _ => &mut found.file,
            }) += 1;
            if let Some(network) = record
                .network
                .as_ref()
                .filter(|name| !found.networks.contains(name))
            {
                found.networks.push(network.clone());
            }
        }
    }
    counts
}

/// A criterion on its own scale.
fn criterion(kind: &MeasureKind) -> CriterionInfo {
    let metric = kind.metric();
    CriterionInfo {
        id: kind.to_string(),
        short: kind.short(),
        label: kind.label(),
        meaning: if metric.unit.is_empty() {
            metric.meaning.to_owned()
        } else {
            format!("{} In {}.", metric.meaning, metric.unit)
        },
        min: metric.min,
        max: metric.max.unwrap_or(UNBOUNDED),
        allowed: None,
        scale: 1.0,
        decimals: metric.decimals,
        direction: metric.direction,
    }
}

/// Above every PSNR of pictures that differ: 10 log₁₀(255² · 3 · 10⁸) for one level in the largest picture that is read.
const UNBOUNDED: f64 = 133.0;
