//! Journals, results of batch engines, sheets of replies, trajectories.
#![no_main]

use juror_judging::batch::LineId;
use juror_judging::journal::{self, Record};
use juror_judging::{reading, sheet};
use juror_reading::text;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let text = text::read(data.to_vec()).text;
    let journal = reading::read(&text);
    let records = journal.records.iter();
    let records: Vec<Record> = records.map(|(_, one)| one.to_record()).collect();
    let written = journal::write(&records);
    let again = journal::read_records(&written);
    assert_eq!(again.bad_lines.count(), 0, "{written}");
    let again = again.records.iter();
    let again: Vec<Record> = again.map(|(_, one)| one.to_record()).collect();
    assert_eq!(again, records, "what is written is read again");
    for record in &records {
        let id = LineId {
            protocol: record.protocol.clone(),
            request: record.request.clone().unwrap_or_default().replace('.', ""),
            prompts: record.prompts.clone(),
            run: record.run.max(1),
            judge: record.judge.clone(),
            model: record.model.clone(),
            sample: record.sample.clone(),
            turn: record.turn,
            criterion: record.criterion.clone(),
        };
        assert_eq!(LineId::decode(&id.encode()).as_ref(), Some(&id));
        assert!(sheet::is_sheet(&sheet::heading(&id)), "{id:?}");
    }
    let _ = juror_agents::read(&text);
});
