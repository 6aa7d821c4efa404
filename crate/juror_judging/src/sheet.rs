//! A sheet of replies: plain text with one heading per request, under which a person puts what the judge said.
//!
//! The heading holds a [`LineId`] between two marks, so a filled-in sheet joins again whatever its order, and two sheets
//! are merged by putting one behind the other.

use super::batch::LineId;
use crate::journal::Journal;
use crate::records::Records;

/// What a heading begins with, and ends with the other way round.
const MARK: &str = "=====";

/// The heading of one request, with its line end.
///
/// ```
/// use juror_judging::batch::LineId;
/// use juror_judging::sheet;
/// let id = LineId { protocol: "weave".into(), request: "ab".into(), prompts: "cd".into(), run: 1, judge: "manual".into(), model: "m 1".into(), sample: "3".into(), turn: 0, criterion: "key_point".into() };
/// assert_eq!(sheet::heading(&id), "===== juror1/weave/ab.cd/1/manual/m%201/3/0/key_point =====\n");
/// ```
pub fn heading(id: &LineId) -> String {
    format!("{MARK} {} {MARK}\n", id.encode())
}

/// Whether a text has a heading.
pub fn is_sheet(text: &str) -> bool {
    text.lines().any(|line| id_of(line).is_some())
}

/// What stands between the marks, if it begins as an id of ours.
fn id_of(line: &str) -> Option<&str> {
    let inner = line.trim().strip_prefix(MARK)?.strip_suffix(MARK)?.trim();
    inner.starts_with("juror1/").then_some(inner)
}

/// Reads a sheet: a reply is everything up to the next heading, without blank lines around it; a request without one is
/// passed over, and so is what stands before the first heading. A heading that cannot be read is named, its reply not lost to another.
pub fn read(text: &str) -> Journal {
    let mut journal = Journal::default();
    let mut open: Option<(u32, LineId, Vec<&str>)> = None;
    let close = |journal: &mut Journal, block: Option<(u32, LineId, Vec<&str>)>| {
        if let Some((number, id, lines)) = block {
            let reply = lines.join("\n").trim().to_owned();
            if !reply.is_empty() {
                journal.records.push(number, id.record(Ok(reply)));
            }
        }
    };
    for (number, line) in (1..).zip(text.lines()) {
        match (id_of(line).map(|id| (id, LineId::decode(id))), &mut open) {
            (Some((_, Some(id))), _) => {
                close(&mut journal, open.replace((number, id, Vec::new())));
            }
            (Some((id, None)), _) => {
                close(&mut journal, open.take());
                let message =
                    format!("{id:?} is no request of Juror's: copy the heading as it was.");
                journal.bad_lines.push((number, message));
            }
            (None, Some((_, _, lines))) => lines.push(line),
            (None, None) => {}
        }
    }
    close(&mut journal, open);
    journal
}

/// The records of a sheet or another journal, as if they had come at this time, where they say none themselves.
pub fn at_time(journal: Journal, time: &str) -> Journal {
    let mut records = Records::default();
    for (line, record) in journal.records.iter() {
        let mut record = record.to_record();
        if record.time.is_empty() {
            time.clone_into(&mut record.time);
        }
        records.push(line, record);
    }
    Journal { records, ..journal }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(sample: &str) -> LineId {
        LineId {
            protocol: "weave".to_owned(),
            request: "ab".to_owned(),
            prompts: String::new(),
            run: 2,
            judge: "a judge/1".to_owned(),
            model: "m · 1".to_owned(),
            sample: sample.to_owned(),
            turn: 1,
            criterion: "key_point".to_owned(),
        }
    }

    #[test]
    fn a_filled_in_sheet_gives_each_reply_to_its_request() {
        let text = format!(
            "# put each reply under its heading\n{}\n{{\"score\": 7}}\n\n{}\n\n  {}one\n\n===== not a heading =====\ntwo\n",
            heading(&id("1")),
            heading(&id("2")),
            heading(&id("3")),
        );
        assert!(is_sheet(&text));
        let journal = read(&text);
        let found: Vec<(&str, &str)> = journal
            .records
            .iter()
            .map(|(_, record)| (record.sample, record.reply))
            .collect();
        assert_eq!(
            found,
            [
                ("1", "{\"score\": 7}"),
                ("3", "one\n\n===== not a heading =====\ntwo")
            ]
        );
        let (line, record) = journal.records.iter().next().expect("there is one");
        assert_eq!(
            (line, record.judge, record.run, record.turn),
            (2, "a judge/1", 2, 1)
        );
        assert_eq!(record.request, Some("ab"));
        assert!(journal.bad_lines.is_empty());
    }

    #[test]
    fn a_broken_heading_is_named_and_its_reply_goes_to_nobody() {
        let broken = heading(&id("2")).replace("/2/", "/");
        let journal = read(&format!("{}first\n{broken}second\n", heading(&id("1"))));
        assert_eq!(journal.records.len(), 1);
        assert_eq!(journal.records.get(0).expect("it is").reply, "first");
        assert_eq!(journal.bad_lines.len(), 1);
        assert_eq!(journal.bad_lines[0].0, 3);
        assert!(!is_sheet("plain text\n===== heading ====="));
    }
}
