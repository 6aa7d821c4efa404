//! Ways to forge the rows of a pack's report, each with counts that fit and sealed again.

use juror_evidence::report::Report;
use juror_model::row::{Incident, SampleRow};

use super::{Entries, Kind, lines, manifest, text};

/// Ways that each verifier tells.
pub const KINDS_OF_ROWS: [Kind; 8] = [
    ("a verdict left out", |e| {
        lines(e, "verdicts.jsonl", |rows| drop(rows.remove(0)));
        manifest(e, |manifest, _| manifest.counts.verdicts -= 1);
    }),
    ("another score of a sample", |e| {
        report(e, |report| {
            let row = scored(report);
            row.score = row.score.map(|score| score / 2.0 + 0.125);
        });
    }),
    ("a sample's score left out", |e| {
        report(e, |report| {
            let at = report.samples.iter().position(|row| row.score.is_some());
            report.samples.remove(at.unwrap());
        });
    }),
    ("a sample's score that is there twice", |e| {
        report(e, |report| {
            let row = report.samples[0].clone();
            report.samples.insert(0, row);
        });
    }),
    ("a broken sample that is called whole", |e| {
        report(e, |report| {
            let at = report.samples.iter().position(is_broken).unwrap();
            "ok".clone_into(&mut report.samples[at].status);
            let of = report.samples[at].clone();
            report.incidents.retain(|one| !is_of(one, &of));
        });
    }),
    ("an incident left out", |e| {
        report(e, |report| drop(report.incidents.pop()));
    }),
    ("an incident invented", |e| {
        report(e, |report| {
            let of = scored(report).clone();
            report.incidents.push(Incident {
                model: of.model,
                judge: of.judge,
                run: of.run,
                sample: of.sample,
                turn: of.turn,
                criterion: of.criterion,
                kind: "missing_reply".to_owned(),
                detail: "No reply to this request was found.".to_owned(),
            });
        });
    }),
    ("another mean of a group", |e| {
        report(e, |report| {
            let groups = ["domain", "task", "category"];
            let mut rows = report.scores.iter_mut();
            let row = rows.find(|row| {
                let is_total = row.criterion == "total" && row.mean.is_some();
                is_total && groups.contains(&row.scope.as_str())
            });
            row.unwrap().mean = Some(0.9875);
        });
    }),
];

/// Ways that a verifier tells which makes everything again, and not one that knows no lists of samples.
pub const KINDS_OF_ROWS_OF_LISTS: [Kind; 3] = [
    ("a request left out", |e| {
        lines(e, "requests.jsonl", |rows| drop(rows.remove(0)));
        manifest(e, |manifest, _| manifest.counts.requests -= 1);
    }),
    ("an incident left out with its sample", |e| {
        report(e, |report| {
            let mut broken = report.samples.iter().filter(|row| is_broken(row));
            let row = broken.find(|row| row.status.ends_with("_output"));
            let row = row.unwrap().clone();
            let of = report.incidents.iter().find(|one| is_of(one, &row));
            let of = of.unwrap().clone();
            report.incidents.retain(|one| *one != of);
            report.samples.retain(|row| !is_of(&of, row));
        });
    }),
    ("a group left out", |e| {
        report(e, |report| {
            let at = report.scores.iter().position(|row| row.scope != "overall");
            report.scores.remove(at.unwrap());
        });
    }),
];

fn is_broken(row: &SampleRow) -> bool {
    row.status != "ok" && row.score.is_none()
}

/// Whether an incident is that of a row.
fn is_of(one: &Incident, row: &SampleRow) -> bool {
    let of = (&one.model, &one.judge, one.run, &one.sample);
    of == (&row.model, &row.judge, row.run, &row.sample)
        && (one.turn, &one.criterion) == (row.turn, &row.criterion)
}

/// The first row with a score.
fn scored(report: &mut Report) -> &mut SampleRow {
    let mut rows = report.samples.iter_mut();
    rows.find(|row| row.score.is_some()).unwrap()
}

/// Changes a report, and makes the manifest fit it.
///
/// # Panics
/// The files are not those of a pack.
pub fn report(entries: &mut Entries, change: impl FnOnce(&mut Report)) {
    let mut report: Report = serde_json::from_str(&text(entries, "report.json")).unwrap();
    change(&mut report);
    entries.insert("report.json".to_owned(), report.to_json().into_bytes());
    manifest(entries, |manifest, _| {
        let number = |rows: usize| u32::try_from(rows).unwrap();
        manifest.counts.scores = number(report.scores.len());
        manifest.counts.incidents = number(report.incidents.len());
    });
}
