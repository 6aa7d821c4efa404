//! Filter expressions over a demo suite: parsed, applied, completed, changed by a facet.
#![no_main]

use std::sync::{Mutex, OnceLock, PoisonError};

use juror_fuzz::{open, suite};
use juror_model::options::ScoreOptions;
use juror_reading::limits::FILTER_BYTES;
use juror_session::Session;
use juror_session::view::{SampleList, SampleQuery};
use libfuzzer_sys::fuzz_target;

static SESSION: OnceLock<Mutex<Session>> = OnceLock::new();

fuzz_target!(|source: &str| {
    let session = SESSION.get_or_init(|| Mutex::new(open(&suite("weave"))));
    let mut session = session.lock().unwrap_or_else(PoisonError::into_inner);
    let list = listed(&mut session, source);
    assert!(list.matched <= list.total && list.listed <= list.matched);
    let units = u32::try_from(source.encode_utf16().count()).unwrap_or(u32::MAX);
    for caret in [0, units / 2, units] {
        for found in
            juror_session::complete_filter(&session.study(&ScoreOptions::default()), source, caret)
        {
            assert!(found.start <= found.end && found.end <= units);
        }
    }
    if let Some(fault) = list.fault {
        assert!(fault.start <= fault.end && fault.end <= units, "{fault:?}");
        assert!(!fault.message.is_empty());
        return;
    }
    if source.len() * 2 + 8 > FILTER_BYTES {
        return;
    }
    // An expression in parentheses says what it says without them, and so does one that is said twice.
    if !source.trim().is_empty() {
        for same in [format!("({source})"), format!("{source} OR {source}")] {
            let again = listed(&mut session, &same);
            assert_eq!(again.fault, None, "{same}");
            assert_eq!(again.matched, list.matched, "{same}");
        }
    }
    let query = query(source);
    for facet in juror_session::facets(&session.study(&query.options), &query) {
        for value in facet.values.iter().take(4) {
            if value.toggled.len() <= FILTER_BYTES {
                let changed = listed(&mut session, &value.toggled);
                assert_eq!(changed.fault, None, "{source:?} became {:?}", value.toggled);
            }
        }
    }
});

fn query(source: &str) -> SampleQuery {
    SampleQuery {
        q: source.to_owned(),
        len: Some(3),
        ..SampleQuery::default()
    }
}

fn listed(session: &mut Session, source: &str) -> SampleList {
    juror_session::samples(&session.study(&query(source).options), &query(source))
}
