//! Records in little memory: a journal repeats the same few models, judges and samples a million times.

use crate::journal::{FORMAT, PaidBody, Record};
use juror_model::compact::Index;
use juror_model::judge::Params;
use juror_model::request::RequestKey;
use juror_reading::keyed::Keyed;

/// A record by reference, wherever it is kept; its fields are those of [`Record`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RecordView<'a> {
    /// Protocol id.
    pub protocol: &'a str,
    /// Model.
    pub model: &'a str,
    /// Sample id.
    pub sample: &'a str,
    /// Turn, from 0.
    pub turn: u32,
    /// Sub-score asked for.
    pub criterion: &'a str,
    /// Judge id; empty if the user named none.
    pub judge: &'a str,
    /// Run, from 1.
    pub run: u32,
    /// When the reply came, ISO 8601 in UTC.
    pub time: &'a str,
    /// SHA-256 of the request, if it was known.
    pub request: Option<&'a str>,
    /// SHA-256 of the prompt pack, or its beginning.
    pub prompts: &'a str,
    /// The raw reply; empty if the call failed.
    pub reply: &'a str,
    /// Why the call failed.
    pub error: Option<&'a str>,
    /// What the judge was asked with, where that is known.
    pub params: Option<&'a Params>,
    /// The model that answered, where the service names it.
    pub answered_by: Option<&'a str>,
    /// When the anchor set was asked again to which the reply belongs.
    pub anchor: Option<&'a str>,
    /// An answer that was paid for and gave no reply.
    pub body: Option<&'a PaidBody>,
}

impl<'a> RecordView<'a> {
    /// Whether it was asked under the prompt pack of this hash; batch results record the beginning of it only.
    pub fn is_under(self, sha256: &str) -> bool {
        !self.prompts.is_empty() && sha256.starts_with(self.prompts)
    }

    /// The request that it answers.
    pub fn key(self) -> RequestKey {
        RequestKey {
            model: self.model.to_owned(),
            sample: self.sample.to_owned(),
            turn: self.turn,
            criterion: self.criterion.to_owned(),
        }
    }

    /// The raw text: the reply, or the error in its place.
    pub fn text(self) -> &'a str {
        self.error.unwrap_or(self.reply)
    }

    /// A copy that can be kept and written.
    pub fn to_record(self) -> Record {
        Record {
            format: FORMAT.to_owned(),
            protocol: self.protocol.to_owned(),
            model: self.model.to_owned(),
            sample: self.sample.to_owned(),
            turn: self.turn,
            criterion: self.criterion.to_owned(),
            judge: self.judge.to_owned(),
            run: self.run,
            time: self.time.to_owned(),
            request: self.request.map(str::to_owned),
            prompts: self.prompts.to_owned(),
            reply: self.reply.to_owned(),
            error: self.error.map(str::to_owned),
            params: self.params.cloned(),
            answered_by: self.answered_by.map(str::to_owned),
            anchor: self.anchor.map(str::to_owned),
            body: self.body.cloned(),
        }
    }
}

impl Record {
    /// The record by reference.
    pub fn view(&self) -> RecordView<'_> {
        RecordView {
            protocol: &self.protocol,
            model: &self.model,
            sample: &self.sample,
            turn: self.turn,
            criterion: &self.criterion,
            judge: &self.judge,
            run: self.run,
            time: &self.time,
            request: self.request.as_deref(),
            prompts: &self.prompts,
            reply: &self.reply,
            error: self.error.as_deref(),
            params: self.params.as_ref(),
            answered_by: self.answered_by.as_deref(),
            anchor: self.anchor.as_deref(),
            body: self.body.as_ref(),
        }
    }
}

/// Records with their line numbers, from 1, in the order of the file. What several have in common is stored once.
#[derive(Clone, Debug, Default)]
pub struct Records {
    rows: Vec<Row>,
    /// Protocols, models, criteria, judges and prompt packs.
    names: Names,
    samples: Names,
    /// Times, hashes of requests and replies, one after another.
    texts: String,
    rest: Vec<Rest>,
}

/// One record. Names are indices into [`Records::names`], the sample one into [`Records::samples`].
#[derive(Clone, Copy, Debug)]
struct Row {
    line: u32,
    protocol: u32,
    model: u32,
    sample: u32,
    turn: u32,
    criterion: u32,
    judge: u32,
    run: u32,
    prompts: u32,
    /// Index into [`Records::rest`]; absent where the record has none of it.
    rest: Index,
    /// Where its texts begin in [`Records::texts`], and how many bytes each of them has.
    start: usize,
    time: u32,
    request: Index,
    reply: u32,
}

/// What most records have not, or have in common with the one before.
#[derive(Clone, Debug, Default, PartialEq)]
struct Rest {
    error: Option<String>,
    params: Option<Params>,
    answered_by: Option<String>,
    anchor: Option<String>,
    body: Option<PaidBody>,
}

/// Names in the order in which they came, each once.
#[derive(Clone, Debug, Default)]
struct Names {
    all: Vec<Box<str>>,
    index: Keyed,
}

impl Names {
    fn get(&self, at: u32) -> &str {
        self.all.get(at as usize).map_or("", |name| name)
    }

    /// The index of a name, which is usually that of the record before.
    fn intern(&mut self, name: &str, before: Option<u32>) -> u32 {
        if let Some(before) = before.filter(|&at| self.get(at) == name) {
            return before;
        }
        let known = self.index.find(name, &self.all, |known| known);
        count(known.unwrap_or_else(|| {
            self.all.push(name.into());
            self.all.len() - 1
        }))
    }
}

/// A number of records or bytes: of a file with more, [`juror_reading::limits`] refuses the rest.
fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

impl Records {
    /// Appends a record.
    pub fn push(&mut self, line: u32, record: Record) {
        let before = self.rows.last().copied();
        let start = self.texts.len();
        self.texts.push_str(&record.time);
        self.texts
            .push_str(record.request.as_deref().unwrap_or_default());
        self.texts.push_str(&record.reply);
        let before_of = |field: fn(&Row) -> u32| before.as_ref().map(field);
        let names = &mut self.names;
        let row = Row {
            line,
            protocol: names.intern(&record.protocol, before_of(|row| row.protocol)),
            model: names.intern(&record.model, before_of(|row| row.model)),
            sample: (self.samples).intern(&record.sample, before_of(|row| row.sample)),
            turn: record.turn,
            criterion: names.intern(&record.criterion, before_of(|row| row.criterion)),
            judge: names.intern(&record.judge, before_of(|row| row.judge)),
            run: record.run,
            prompts: names.intern(&record.prompts, before_of(|row| row.prompts)),
            rest: Index::NONE,
            start,
            time: count(record.time.len()),
            request: record.request.as_ref().map(|hash| count(hash.len())).into(),
            reply: count(record.reply.len()),
        };
        let rest = self.rest_of(Rest {
            error: record.error,
            params: record.params,
            answered_by: record.answered_by,
            anchor: record.anchor,
            body: record.body,
        });
        self.rows.push(Row { rest, ..row });
    }

    fn rest_of(&mut self, rest: Rest) -> Index {
        if rest == Rest::default() {
            return Index::NONE;
        }
        if self.rest.last() != Some(&rest) {
            self.rest.push(rest);
        }
        Some(count(self.rest.len() - 1)).into()
    }

    /// Gives back what memory was reserved for more records.
    pub(crate) fn shrink(&mut self) {
        self.rows.shrink_to_fit();
        self.texts.shrink_to_fit();
        self.rest.shrink_to_fit();
        for names in [&mut self.names, &mut self.samples] {
            names.all.shrink_to_fit();
            // It is made again where a record is added.
            names.index = Keyed::default();
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The record at a position, from 0.
    pub fn get(&self, position: usize) -> Option<RecordView<'_>> {
        self.rows.get(position).map(|row| self.view(row))
    }

    /// Every record with its line.
    pub fn iter(&self) -> impl Iterator<Item = (u32, RecordView<'_>)> {
        self.rows.iter().map(|row| (row.line, self.view(row)))
    }

    fn view(&self, row: &Row) -> RecordView<'_> {
        let mut at = row.start;
        let mut next = |length: u32| {
            let from = at;
            at += length as usize;
            self.texts.get(from..at).unwrap_or_default()
        };
        let time = next(row.time);
        let request = row.request.get().map(&mut next);
        let reply = next(row.reply);
        let rest = row.rest.get();
        let rest = rest.and_then(|at| self.rest.get(at as usize));
        RecordView {
            protocol: self.names.get(row.protocol),
            model: self.names.get(row.model),
            sample: self.samples.get(row.sample),
            turn: row.turn,
            criterion: self.names.get(row.criterion),
            judge: self.names.get(row.judge),
            run: row.run,
            time,
            request,
            prompts: self.names.get(row.prompts),
            reply,
            error: rest.and_then(|rest| rest.error.as_deref()),
            params: rest.and_then(|rest| rest.params.as_ref()),
            answered_by: rest.and_then(|rest| rest.answered_by.as_deref()),
            anchor: rest.and_then(|rest| rest.anchor.as_deref()),
            body: rest.and_then(|rest| rest.body.as_ref()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use juror_model::judge::Wire;

    /// Records of which each differs from the first in one field.
    fn records() -> Vec<Record> {
        let first = Record {
            format: FORMAT.to_owned(),
            protocol: "weave".to_owned(),
            model: "m".to_owned(),
            sample: "1".to_owned(),
            criterion: "c".to_owned(),
            run: 1,
            reply: "\u{201c}7\u{201d}".to_owned(),
            ..Record::default()
        };
        let text = || "ü".to_owned();
        let changes: [fn(&mut Record, String); 16] = [
            |_, _| (),
            |one, text| one.protocol = text,
            |one, text| one.model = text,
            |one, text| one.sample = text,
            |one, _| one.turn = u32::MAX,
            |one, text| one.criterion = text,
            |one, text| one.judge = text,
            |one, _| one.run = 9,
            |one, text| one.time = text,
            |one, text| one.request = Some(text),
            |one, _| one.request = Some(String::new()),
            |one, text| one.prompts = text,
            |one, text| (one.reply, one.error) = (String::new(), Some(text)),
            |one, text| {
                one.params = Some(Params {
                    model: text,
                    ..Params::default()
                });
            },
            |one, text| (one.answered_by, one.anchor) = (Some(text.clone()), Some(text)),
            |one, text| {
                one.body = Some(PaidBody {
                    wire: Wire::OpenAi,
                    text,
                });
            },
        ];
        let changed = changes.map(|change| {
            let mut record = first.clone();
            change(&mut record, text());
            record
        });
        changed.into_iter().collect()
    }

    #[test]
    fn every_field_comes_back_as_it_was_in_whatever_order() {
        let all = records();
        // Each next to each, and many samples: names are looked through while few and looked up when many.
        let order: Vec<Record> = (0..all.len() * all.len())
            .map(|at| {
                let mut record = all[at / all.len()].clone();
                if at % 3 == 0 {
                    record = all[at % all.len()].clone();
                }
                if at % 5 == 0 {
                    record.sample = format!("sample {}", at % 37);
                }
                record
            })
            .collect();
        let mut kept = Records::default();
        for (at, record) in order.iter().enumerate() {
            kept.push(count(at) * 2 + 1, record.clone());
            if at % 50 == 0 {
                kept.shrink();
            }
        }
        assert_eq!(kept.len(), order.len());
        for (at, (line, found)) in kept.iter().enumerate() {
            assert_eq!(line, count(at) * 2 + 1);
            assert_eq!(found.to_record(), order[at]);
            assert_eq!(kept.get(at), Some(order[at].view()));
        }
        assert_eq!(kept.get(order.len()), None);
        let others = order.windows(2).filter(|two| two[0] != two[1]).count();
        assert!(others > order.len() / 4, "neighbours differ: {others}");
    }

    #[test]
    fn a_record_takes_its_reply_and_64_bytes() {
        assert_eq!(size_of::<Row>(), 64);
        let mut kept = Records::default();
        for line in 0..1000 {
            let mut record = records()[13].clone();
            record.sample = (line % 10).to_string();
            kept.push(line, record);
        }
        kept.shrink();
        assert_eq!(kept.rows.capacity(), 1000);
        assert_eq!(kept.texts.len(), 1000 * records()[13].reply.len());
        assert_eq!((kept.names.all.len(), kept.samples.all.len()), (4, 10));
        assert_eq!(kept.rest.len(), 1, "one judge's parameters are there once");
    }
}
