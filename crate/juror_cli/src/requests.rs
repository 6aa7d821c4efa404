//! Judge requests as one text file: for reading, and for judging by hand.
//!
//! Each request is a header line, its text with `[picture n: path]` where a picture belongs, and an empty line.

use juror_reading::escape::terminal_line;
use std::fmt::Write as _;

use juror_model::options::ScoreOptions;
use juror_model::request::{PartView, RequestKey, RequestView, Treatment};
use juror_session::view::{OutputView, SampleQuery};

use crate::host::Host;

/// Which requests are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Which {
    /// All of them.
    All,
    /// Those without a readable reply.
    Missing,
}

/// Of which samples and models.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scope {
    /// Only this model; all if `None`.
    pub(crate) model: Option<String>,
    /// Only samples that pass this filter expression; all if empty.
    pub(crate) filter: String,
}

/// One request that a sample and an output give rise to.
pub(crate) struct ListedRequest<'a> {
    /// Which.
    pub(crate) key: RequestKey,
    /// What is judged, with the replies at hand.
    pub(crate) output: &'a OutputView,
}

/// Every request of the scope, in the order of the samples.
pub(crate) fn for_each(
    host: &mut Host,
    scope: &Scope,
    mut each: impl FnMut(&mut Host, &ListedRequest<'_>) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let query = SampleQuery {
        q: scope.filter.clone(),
        ..SampleQuery::default()
    };
    let list = juror_session::samples(&host.session.study(&query.options), &query);
    if let Some(fault) = list.fault {
        anyhow::bail!("--filter or --per: {} {}", fault.message, fault.hint);
    }
    let only = scope.model.as_deref();
    if let Some(name) = only
        && !list.models.iter().any(|model| model == name)
    {
        anyhow::bail!(
            "there is no model {name}; found: {}",
            list.models.join(", ")
        );
    }
    for row in &list.rows {
        let sample = juror_session::sample(&host.session.study(&ScoreOptions::default()), &row.id)?;
        for turn in &sample.turns {
            for output in turn
                .outputs
                .iter()
                .filter(|output| only.is_none_or(|name| name == output.model))
            {
                let mut criteria: Vec<&str> = Vec::new();
                for verdict in &output.verdicts {
                    if !criteria.contains(&verdict.criterion.as_str()) {
                        criteria.push(&verdict.criterion);
                    }
                }
                for criterion in criteria {
                    let key = RequestKey {
                        model: output.model.clone(),
                        sample: sample.id.clone(),
                        turn: turn.index,
                        criterion: criterion.to_owned(),
                    };
                    each(host, &ListedRequest { key, output })?;
                }
            }
        }
    }
    Ok(())
}

/// All requests of the scope.
pub(crate) fn text(host: &mut Host, scope: &Scope, which: Which) -> anyhow::Result<String> {
    written(host, scope, which, |host, request| block(host, request))
}

/// A sheet with the heading of each request, under which its reply is put.
pub(crate) fn sheet(
    host: &mut Host,
    scope: &Scope,
    which: Which,
    judge: &str,
) -> anyhow::Result<String> {
    let head = "Put each reply of the judge under its heading, word for word, and leave the headings unchanged.\n\n";
    let headings = written(host, scope, which, |host, request| {
        Ok(juror_session::sheet_heading(&host.session.linked(), &request.key, judge, 1)? + "\n")
    })?;
    Ok(head.to_owned() + &headings)
}

/// What is written of each request that is wanted.
fn written(
    host: &mut Host,
    scope: &Scope,
    which: Which,
    write: impl Fn(&mut Host, &RequestView) -> anyhow::Result<String>,
) -> anyhow::Result<String> {
    let mut out = String::new();
    for_each(host, scope, |host, asked| {
        let is_done = asked
            .output
            .verdicts
            .iter()
            .any(|verdict| verdict.criterion == asked.key.criterion && verdict.status == "ok");
        if is_done && which == Which::Missing {
            return Ok(());
        }
        let request = request(host, &asked.key)?;
        // A computed metric has nothing to ask a judge.
        if request.error.is_none() || !request.parts.is_empty() {
            out += &write(host, &request)?;
        }
        Ok(())
    })?;
    Ok(out)
}

/// The request with its hash.
pub(crate) fn request(host: &mut Host, key: &RequestKey) -> anyhow::Result<RequestView> {
    let request = juror_session::request(&host.session.linked(), key)?;
    if request.needs.is_empty() {
        return Ok(request);
    }
    for file in &request.needs {
        host.hash(*file);
    }
    Ok(juror_session::request(&host.session.linked(), key)?)
}

/// A request as text; no name in it begins a line of its own.
fn block(host: &Host, request: &RequestView) -> anyhow::Result<String> {
    let key = &request.key;
    let mut out = String::new();
    writeln!(
        out,
        "===== juror-request {} · model {} · sample {} · turn {} · {} · prompts {} {} · {} =====",
        request.sha256.as_deref().unwrap_or("none"),
        terminal_line(&key.model),
        terminal_line(&key.sample),
        key.turn,
        terminal_line(&key.criterion),
        terminal_line(&request.pack.name),
        &request.pack.sha256[..12],
        terminal_line(&request.pack_words)
    )?;
    for note in request.notes.iter().chain(&request.error) {
        writeln!(out, "# {}", terminal_line(note))?;
    }
    if let Some(system) = &request.system {
        writeln!(out, "[system message] {system}\n[user message]")?;
    }
    let mut number = 0;
    for part in request.parts.iter().filter(|part| part.is_sent()) {
        match part {
            PartView::Text { text } => out += text,
            PartView::Image {
                path,
                treatment,
                other,
                ..
            } => {
                number += 1;
                let with = other.map_or("", |file| host.session.path(file));
                let treatment = match treatment {
                    Treatment::AsIs | Treatment::Jpeg => String::new(),
                    Treatment::RgbaPng | Treatment::RgbPng => ", as PNG".to_owned(),
                    Treatment::Merged => format!(", with {with} laid over it"),
                    Treatment::Stretched => format!(", stretched to the size of {with}"),
                    Treatment::Blank => format!(" is missing: an empty one of the size of {with}"),
                    Treatment::Embedded(text) => {
                        format!(", with {with} laid over it and “{text}” written beside it")
                    }
                    variant => format!(", {}", variant.id()),
                };
                let shown = terminal_line(&format!("{path}{treatment}"));
                write!(out, "[picture {number}: {shown}]")?;
            }
        }
    }
    out += "\n\n";
    Ok(out)
}
