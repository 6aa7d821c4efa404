//! However the files of a folder arrive, piece by piece and in between of reads, the report is the same.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use juror_model::host::{FileMeta, Phase};
use juror_model::options::ScoreOptions;
use juror_session::{Probed, Session};
use juror_tests::generate::{Dialogue, File, Random, open};
use serde_json::json;

fn text(path: &str, content: &str) -> File {
    (path.to_owned(), content.as_bytes().to_vec())
}

fn weave() -> Vec<File> {
    let dialogue = |idx| Dialogue {
        idx,
        num_pictures: 1,
        num_texts: 1,
    };
    let items: Vec<_> = (0..3).map(|idx| dialogue(idx).item()).collect();
    let mut random = Random::new(1);
    let lines: Vec<String> = (0..3)
        .map(|idx| dialogue(idx).line(&mut random, 20))
        .collect();
    let mut files = vec![text("b/test.json", &serde_json::to_string(&items).unwrap())];
    files.push(text("r/m/metrics.jsonl", &lines.concat()));
    for idx in 0..3 {
        let dialogue = dialogue(idx);
        for number in 1..=2 {
            files.push(text(&format!("b/imgs/{}", dialogue.picture(number)), "x"));
        }
        files.push(text(&format!("r/m/imgs/{}", dialogue.picture(2)), "y"));
        files.push(text(&format!("r/m/imgs/{}", dialogue.answer(1)), "right"));
    }
    files
}

fn micon() -> Vec<File> {
    let mut files = Vec::new();
    for case in ["case_0001", "case_0002"] {
        let card = format!(
            "task_type: story_infer\ncase_id: {case}\nrefs:\n  RA: data/story_infer/refs/{case}_RA.png\ngeneration_prompt: Go on.\ngoal: One scene.\nconstraints_hard:\n  - all\n"
        );
        files.push(text(
            &format!("E/data/story_infer/cases/{case}.yaml"),
            &card,
        ));
        files.push(text(&format!("E/data/story_infer/refs/{case}_RA.png"), "x"));
        files.push(text(
            &format!("E/outputs/generations/m/story_infer/{case}.png"),
            "y",
        ));
        files.push(text(
            &format!("E/outputs/eval_res/m/m_20260101_000000/judgments/story_infer/{case}/m.json"),
            "{\"checkpoint_results\": {\"A_check_1\": {\"pass\": 1}}}",
        ));
    }
    let answers = json!({"cases": [{"case_id": "case_0001", "background_summary": "", "positive_candidates": [], "negative_candidates": []}]});
    files.push(text(
        "E/data/story_infer/simple_candidate_template.json",
        &answers.to_string(),
    ));
    files
}

fn vibe() -> Vec<File> {
    let mut files = Vec::new();
    for task in ["Addition", "Removal"] {
        let item = json!([{"id": "1", "file_paths": {"source": "Common_Corpus/sketch/1.png", "visual_instruction": "v/1.png"}, "text_prompt": {"input_prompt": "Do it."}}]);
        let folder = format!("V/Tasks/Level-1-Deictic/{task}");
        files.push(text(&format!("{folder}/{task}.json"), &item.to_string()));
        files.push(text(&format!("{folder}/v/1.png"), "x"));
        let result = json!([{"id": "1", "input_prompt": "Do it.", "saved_image_path": "imgs/1.png", "status": "success",
            "Contextual_Preservation": {"reason": "r", "score": 1}}]);
        let folder = format!("R/m/Level-1-Deictic/{task}");
        files.push(text(
            &format!("{folder}/{task}_results_1.json"),
            &result.to_string(),
        ));
        files.push(text(&format!("{folder}/imgs/1.png"), "y"));
    }
    files.push(text("V/Common_Corpus/sketch/1.png", "x"));
    files
}

/// The files as a host lists them, without sizes.
fn metas(files: &[File]) -> Vec<FileMeta> {
    let meta = |(path, _): &File| FileMeta {
        path: path.clone(),
        size: None,
    };
    files.iter().map(meta).collect()
}

/// Adds the files in pieces; after each piece only `reads` of what is wanted is brought, and the rest at the end.
fn in_pieces(files: &[File], piece: usize, reads: usize) -> Session {
    let mut session = Session::new(|_, _| Probed::Picture {
        width: 8,
        height: 8,
    });
    let mut under_way = Vec::new();
    for some in files.chunks(piece) {
        session.add_files(&metas(some));
        under_way.extend(session.wants(usize::MAX));
        for want in under_way.drain(..reads.min(under_way.len())) {
            session.provide(want.file, files[want.file as usize].1.clone());
        }
    }
    loop {
        for want in std::mem::take(&mut under_way) {
            session.provide(want.file, files[want.file as usize].1.clone());
        }
        under_way = session.wants(usize::MAX);
        if under_way.is_empty() {
            return session;
        }
    }
}

fn first_difference(found: &str, whole: &str) -> String {
    let lines = found.lines().zip(whole.lines());
    let first = lines.into_iter().find(|(a, b)| a != b);
    first.map_or_else(String::new, |(a, b)| format!("found {a}, expected {b}"))
}

/// The picture that is decoded first, and the others after `shown` were hastened.
fn decoded_in_order(files: &[File], shown: &[u32]) -> (u32, Vec<u32>) {
    let mut session = Session::new(|_, _| Probed::Picture {
        width: 8,
        height: 8,
    });
    session.add_files(&metas(files));
    loop {
        let wants = session.wants(1);
        let [want] = wants.as_slice() else {
            panic!("nothing was to be decoded");
        };
        if want.phase != Phase::Decoding {
            session.provide(want.file, files[want.file as usize].1.clone());
            continue;
        }
        session.prioritize(shown);
        let rest = session.wants(usize::MAX);
        return (want.file, rest.iter().map(|want| want.file).collect());
    }
}

#[test]
fn pictures_on_the_screen_are_checked_before_the_others() {
    let files = weave();
    let (first, usual) = decoded_in_order(&files, &[]);
    let last = usual[usual.len() - 2..].to_vec();
    let (same, hastened) = decoded_in_order(&files, &[last[1], last[0], first, 9999]);
    assert_eq!(same, first);
    let mut expected = last.clone();
    expected.extend(usual.iter().filter(|file| !last.contains(file)));
    assert_ne!(usual, expected);
    assert_eq!(hastened, expected);
}

/// A session that has handed out all pictures to be decoded, and those of them that came of no file in `late`.
fn decoding(files: &[File], late: usize) -> (Session, Vec<u32>) {
    let mut session = Session::new(|_, _| Probed::Picture {
        width: 8,
        height: 8,
    });
    session.add_files(&metas(&files[..files.len() - late]));
    loop {
        let wants = session.wants(usize::MAX);
        if wants.iter().all(|want| want.phase == Phase::Decoding) {
            return (session, wants.iter().map(|want| want.file).collect());
        }
        for want in wants {
            session.provide(want.file, files[want.file as usize].1.clone());
        }
    }
}

#[test]
fn replies_that_are_added_while_pictures_are_decoded_are_read_at_once() {
    let mut files = weave();
    let replies = files.remove(1);
    files.push(replies);
    let added = u32::try_from(files.len() - 1).unwrap();
    let (mut session, under_way) = decoding(&files, 1);
    assert_eq!(under_way.len(), 9);
    // Two are at decoders; the others were not begun.
    session.put_off(&under_way[2..]);
    session.add_files(&metas(&files[files.len() - 1..]));
    assert_eq!(session.progress().phase, Some(Phase::Replies));
    let wants = session.wants(usize::MAX);
    let wanted: Vec<u32> = wants.iter().map(|want| want.file).collect();
    assert_eq!(wanted, [added]);
    session.provide_decoded(under_way[0], Ok(()));
    let progress = session.progress();
    assert_eq!((progress.done, progress.total), (0, 1));
    session.provide(added, files[added as usize].1.clone());
    let progress = session.progress();
    // One of the two, and those that were put off.
    assert_eq!(
        (progress.phase, progress.done, progress.total),
        (Some(Phase::Decoding), 0, 8)
    );
    let mut rest: Vec<u32> = session
        .wants(usize::MAX)
        .iter()
        .map(|want| want.file)
        .collect();
    rest.sort_unstable();
    let mut expected = under_way[2..].to_vec();
    expected.sort_unstable();
    assert_eq!(rest, expected);
    rest.push(under_way[1]);
    for file in rest {
        assert_eq!(session.progress().phase, Some(Phase::Decoding));
        session.provide_decoded(file, Ok(()));
    }
    assert_eq!(session.progress().phase, None);
    let options = ScoreOptions::default();
    let report = juror_session::report(&session.study(&options)).to_json();
    assert!(report == juror_session::report(&open(&files).study(&options)).to_json());
}

#[test]
fn what_is_put_off_is_only_what_is_to_be_decoded() {
    let files = weave();
    let mut session = Session::new(|_, _| Probed::Picture {
        width: 8,
        height: 8,
    });
    session.add_files(&metas(&files));
    let wants = session.wants(usize::MAX);
    let all: Vec<u32> = wants.iter().map(|want| want.file).collect();
    session.put_off(&all);
    assert!(session.wants(usize::MAX).is_empty());
    for want in &wants {
        session.provide(want.file, files[want.file as usize].1.clone());
    }
    assert!(!session.wants(usize::MAX).is_empty());
}

#[test]
fn the_order_of_arrival_does_not_change_a_report() {
    for (name, mut files) in [("weave", weave()), ("micon", micon()), ("vibe", vibe())] {
        let options = ScoreOptions::default();
        let whole = juror_session::report(&open(&files).study(&options)).to_json();
        assert!(whole.contains(&format!("\"protocol\": \"{name}\"")));
        for turn in 0..files.len() {
            files.rotate_left(1);
            for (piece, reads) in [(1, 0), (1, 1), (2, 1), (3, 2), (3, 9)] {
                let found = juror_session::report(&in_pieces(&files, piece, reads).study(&options))
                    .to_json();
                assert!(
                    found == whole,
                    "{name}, turn {turn}, pieces of {piece}, {reads} reads: {}",
                    first_difference(&found, &whole)
                );
            }
        }
    }
}

#[test]
fn another_reply_does_change_it() {
    let mut files = micon();
    let options = ScoreOptions::default();
    let whole = juror_session::report(&open(&files).study(&options)).to_json();
    files[3].1 = b"{\"checkpoint_results\": {\"A_check_1\": {\"pass\": 0}}}".to_vec();
    assert_ne!(
        juror_session::report(&open(&files).study(&options)).to_json(),
        whole
    );
}
