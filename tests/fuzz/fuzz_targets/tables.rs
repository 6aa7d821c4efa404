//! People's ratings in CSV, and measured values.
#![no_main]

use juror_reading::text;
use juror_session::measure;
use juror_session::rating_file;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let text = text::read(data.to_vec()).text;
    if let Some((found, problems)) = rating_file::read("ratings.csv", &text) {
        assert!(problems.len() <= juror_reading::limits::FINDINGS_PER_FILE + 1);
        let merged = rating_file::merge(&found);
        assert!(merged.ratings.len() <= found.len());
        let written = rating_file::write(&found);
        let (again, problems) =
            rating_file::read("ratings.csv", &written).expect("it has its columns");
        assert!(problems.is_empty(), "{problems:?}");
        assert_eq!(again, found, "what is written is read again");
    }
    if let Some(found) = measure::read(&text) {
        let records: Vec<_> = found.records.into_iter().map(|(_, one)| one).collect();
        let written = measure::write(&records);
        let again = measure::read(&written);
        assert_eq!(again.is_some(), !records.is_empty());
        let again = again.unwrap_or_default().records;
        let again: Vec<_> = again.into_iter().map(|(_, one)| one).collect();
        assert_eq!(again, records, "what is written is read again");
    }
});
