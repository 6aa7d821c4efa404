//! Files of judge output and single replies, by the readers of all five protocols.
#![no_main]

use juror_model::options::Profile;
use juror_protocols::registry::ALL;
use juror_reading::text;
use libfuzzer_sys::fuzz_target;

/// Names that the authors give their files.
const PATHS: [&str; 8] = [
    "result/m/metrics.jsonl",
    "outputs/eval_res/m/m_20260102_030405/judgments/story_infer/case_0001/m.json",
    "outputs/eval_res/m/m_20260102_030405/judgments/story_infer/case_0001/m_candidate_eval_details.json",
    "results/m/Level-1-Deictic/Removal/Removal_results_1.json",
    "m/add/001_gemini_judge.txt",
    "m/add/001_gpt_judge.txt",
    "m/results.json",
    "m/real_results.jsonl",
];

fuzz_target!(|data: &[u8]| {
    let Some((&choice, data)) = data.split_first() else {
        return;
    };
    let path = PATHS[usize::from(choice) % PATHS.len()];
    let reply = text::read(data.to_vec()).text;
    for protocol in ALL {
        let file = protocol.read_replies(path, reply.clone());
        let again = protocol.read_replies(path, reply.clone());
        assert_eq!(
            format!("{file:?}"),
            format!("{again:?}"),
            "reading has no mood"
        );
        for request in protocol.requests() {
            let _ = protocol.read(None, &request.id, &reply);
            let _ = protocol.grammar(None, &request.id);
            for profile in [Profile::Paper, Profile::Released] {
                let parsed = protocol.parse(None, &request.id, profile, &reply);
                let again = protocol.parse(None, &request.id, profile, &reply);
                assert_eq!(format!("{parsed:?}"), format!("{again:?}"));
            }
        }
    }
});
