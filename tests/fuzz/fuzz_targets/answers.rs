//! What services answer: any status, any body.
#![no_main]

use juror_judging::provider::{
    Answer, Failure, PictureAnswer, PictureWire, read, read_picture, redact, usage, wait_secs,
};
use juror_model::judge::Wire;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|answer: (u16, &[u8])| {
    let (status, body) = answer;
    let status = 100 + status % 500;
    let body = String::from_utf8_lossy(body);
    for wire in Wire::ALL {
        match read(wire, status, &body) {
            Answer::Reply { .. } => assert!((200..300).contains(&status), "{status} is no reply"),
            Answer::Failed(failure) => is_short(&failure),
        }
        let counted = usage(wire, &body);
        let numbers = [counted.input_tokens, counted.output_tokens];
        assert!(numbers.into_iter().flatten().all(|number| !number.is_nan()));
    }
    for wire in [PictureWire::OpenAi, PictureWire::Gemini] {
        if let PictureAnswer::Failed(failure) = read_picture(wire, status, &body) {
            is_short(&failure);
        }
    }
    assert!(wait_secs(&body).is_none_or(|secs| secs >= 0.0));
    let clean = redact(&body);
    assert_eq!(redact(&clean), clean, "what was taken out stays out");
});

fn is_short(failure: &Failure) {
    assert!(
        !failure.message.contains('\n') && failure.message.chars().count() <= 1000,
        "{failure:?}"
    );
}
