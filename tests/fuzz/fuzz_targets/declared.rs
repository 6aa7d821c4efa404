//! Declared benchmarks: a `juror.json` as it is found, with outputs and replies beside it.
#![no_main]

use juror_fuzz::{File, lossy, open};
use juror_model::options::{Profile, ScoreOptions};
use juror_model::reply::ParsedReply;
use juror_protocols::contract::{Reading as _, Requests as _};
use juror_protocols::declared::Declared;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    // What stands behind a line of three dashes is a reply.
    let text = lossy(data);
    let (own, reply) = text.split_once("\n---\n").unwrap_or((&text, ""));
    if let Ok(declared) = Declared::from_text("juror.json", own) {
        for request in declared.requests() {
            for profile in [Profile::Paper, Profile::Released] {
                let parsed = declared.parse(None, &request.id, profile, reply);
                if let ParsedReply::Ok {
                    criteria, score, ..
                } = parsed
                {
                    let mut numbers = criteria.into_values().chain(score);
                    assert!(numbers.all(f64::is_finite));
                }
            }
        }
    }
    let files: [File; 5] = [
        ("bench/juror.json".to_owned(), own.into()),
        ("bench/out/a/1.png".to_owned(), b"no picture".to_vec()),
        ("bench/out/b/2.png".to_owned(), b"no picture".to_vec()),
        ("bench/samples.jsonl".to_owned(), reply.into()),
        ("bench/out/a/replies.jsonl".to_owned(), reply.into()),
    ];
    let mut session = open(&files);
    let options = ScoreOptions::default();
    let _ = juror_session::overview(&session.study(&options));
    let _ = juror_session::lint_report(&session.linked());
    let report = juror_session::report(&session.study(&options));
    assert!(
        report
            .scores
            .iter()
            .filter_map(|row| row.mean)
            .all(f64::is_finite)
    );
    let _ = report.to_json();
});
