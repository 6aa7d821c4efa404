//! `juror make refblend`: a project from folders to a benchmark that opens and scores.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use juror_image::{Limits, Rgb, decode_rgb, encode_png};
use juror_tests::program::Folder;
use serde_json::{Value, json};

/// A picture with a bright square, so that it has edges.
fn square(width: u32, height: u32, grey: u8) -> Vec<u8> {
    let mut picture = Rgb::filled(width, height, [0; 3]).unwrap();
    picture.paint(juror_image::Shape::Rect([4.0, 4.0, 8.0, 8.0]), [grey; 3]);
    encode_png(&picture).unwrap()
}

/// Originals with a depth map, a subject, a caption each; every other one with a mask that is none.
fn originals(folder: &Folder, count: u8) {
    for at in 0..count {
        let name = format!("o{at}");
        folder.write(
            &format!("in/original/{name}.png"),
            &square(20, 16, 200 + at),
        );
        folder.write(&format!("in/depth/{name}.png"), &square(20, 16, 100 + at));
        folder.write(&format!("in/subject/{name}.png"), &square(9, 9, 150));
        folder.write(&format!("in/caption/{name}.txt"), b"A square.");
        if at % 2 == 0 {
            folder.write(&format!("in/mask/{name}.png"), &square(5, 5, 255));
        }
    }
}

fn ok(folder: &Folder, words: &str) -> String {
    let (code, out, err) = folder.run(words);
    assert_eq!(code, 0, "{words}\n{out}{err}");
    out
}

fn file(folder: &Folder, path: &str) -> Value {
    let text = std::fs::read_to_string(folder.path(path)).unwrap();
    serde_json::from_str(&text).unwrap()
}

#[test]
fn a_made_suite_opens_as_multiref_and_scores() {
    let folder = Folder::default();
    originals(&folder, 4);
    let told = ok(&folder, "make refblend in --seed 3 --out made");
    assert!(
        told.contains("Samples in the benchmark's files: 4."),
        "{told}"
    );
    // The small masks are not of the originals' size.
    assert!(
        told.contains("| mask | 4 | 0 | 0 | 0 | expected the original's size"),
        "{told}"
    );
    let edges = std::fs::read(folder.path("made/images/canny/o0.png")).unwrap();
    let edges = decode_rgb(&edges, &Limits::default()).unwrap();
    assert!(edges.data.contains(&255) && edges.data.contains(&0));
    let list = file(&folder, "made/benchmark.json");
    for entry in list.as_array().unwrap() {
        let text = entry["instructions"]["original_prompts"].as_str().unwrap();
        for (token, path) in entry["instructions"]["image_path_mapping"]
            .as_object()
            .unwrap()
        {
            assert!(text.contains(&format!("<{token}>")), "{text}");
            assert!(
                folder
                    .path(&format!("made/{}", path.as_str().unwrap()))
                    .is_file()
            );
        }
        folder.write(
            &format!(
                "made/model/{}",
                entry["original_image_path"].as_str().unwrap()
            ),
            &square(20, 16, 180),
        );
    }
    let (_, found, _) = folder.run("inspect made");
    assert!(found.contains("multiref") && found.contains('4'), "{found}");
    // Scored as the authors' evaluator writes its results: the list again, with what was measured.
    let mut results = list.clone();
    for entry in results.as_array_mut().unwrap() {
        let conditions = entry["instructions"]["conditions"].clone();
        entry["results"] = json!({"image_path": "model/x.png", "model_name": "M"});
        entry["evaluations"] = json!({"fid": 0.1, "aesthetics": 5.0});
        for one in conditions.as_array().unwrap() {
            entry["evaluations"][one.as_str().unwrap()] = json!(0.5);
        }
    }
    folder.write("made/results_M.json", results.to_string().as_bytes());
    let scored = ok(&folder, "score made --format csv");
    assert!(
        scored.contains("M,") && scored.contains("depth"),
        "{scored}"
    );
}

#[test]
fn the_seed_determines_every_byte_and_a_project_goes_on_where_it_stood() {
    let folder = Folder::default();
    originals(&folder, 5);
    let begin = "make refblend in --rewrite --rate --quota 1 --seed 9 --out";
    let told = ok(&folder, &format!("{begin} a --requests a.txt"));
    ok(
        &folder,
        &format!("{begin} b --requests b.jsonl --engine openai --model m"),
    );
    let text = |path: &str| std::fs::read_to_string(folder.path(path)).unwrap();
    assert_eq!(text("a/juror-make.json"), text("b/juror-make.json"));
    assert!(told.contains("Due: 20 × rating."), "{told}");
    assert!(
        !folder.path("a/benchmark.json").exists(),
        "nothing is drawn before it is rated"
    );

    // Every line of the batch file is answered, twice: ratings first, then rewritings.
    let answered = |path: &str, reply: &dyn Fn(&str) -> String| -> String {
        let lines = text(path);
        let lines = lines.lines().map(|line| {
            let line: Value = serde_json::from_str(line).unwrap();
            let said = line["body"]["messages"].to_string();
            let body = json!({"model": "m-1", "choices": [{"message": {"content": reply(&said)}, "finish_reason": "stop"}]});
            json!({"custom_id": line["custom_id"], "response": {"status_code": 200, "body": body}, "error": null}).to_string() + "\n"
        });
        lines.collect()
    };
    let ratings = answered("b.jsonl", &|_| {
        "{\"alignment\": 4, \"quality\": 3, \"reason\": \"fine\"}".to_owned()
    });
    folder.write("ratings.jsonl", ratings.as_bytes());
    ok(
        &folder,
        "make refblend --out b --replies ratings.jsonl --requests p.jsonl --engine openai --model m",
    );
    assert!(text("p.jsonl").lines().count() > 0);
    // A person rejects a reference afterwards: another combination may be drawn, and only its rewriting is due.
    let mut project: Value = file(&folder, "b/juror-make.json");
    assert_eq!(project["replies"].as_array().unwrap().len(), 20);
    assert_eq!(project["replies"][0]["by"], "m-1");
    // Bad rewritings are asked for again, under another hash, and given up after three.
    for _ in 0..3 {
        let bad = answered("p.jsonl", &|_| "Draw something else.".to_owned());
        folder.write("bad.jsonl", bad.as_bytes());
        ok(
            &folder,
            "make refblend --out b --replies bad.jsonl --requests p.jsonl --engine openai --model m",
        );
    }
    let told = ok(&folder, "make progress b");
    assert!(
        told.contains("rewriting failed, plain text kept") && !told.contains("Due:"),
        "{told}"
    );
    for entry in file(&folder, "b/benchmark.json").as_array().unwrap() {
        assert_eq!(entry["instructions"]["enhance_prompts"], json!([]));
    }
    // The same replies in the other folder give the same files.
    project = file(&folder, "b/juror-make.json");
    folder.write("a/juror-make.json", project.to_string().as_bytes());
    ok(&folder, "make refblend --out a");
    for path in ["benchmark.json", "refblend.json", "juror-make.json"] {
        assert_eq!(
            text(&format!("a/{path}")),
            text(&format!("b/{path}")),
            "{path}"
        );
    }
}

#[test]
fn what_a_quota_holds_out_is_no_part_of_the_benchmark() {
    let folder = Folder::default();
    originals(&folder, 6);
    // One original has the mask that two combinations need, so each of these has one sample at most.
    folder.write("in/mask/o1.png", &square(20, 16, 255));
    let told = ok(&folder, "make refblend in --quota 1 --seed 2 --out made");
    assert!(told.contains("bbox+caption: 0 of 1"), "{told}");
    let count = |path: &str| file(&folder, path).as_array().unwrap().len();
    let held_out = if folder.path("made/train.json").exists() {
        count("made/train.json")
    } else {
        0
    };
    assert_eq!(count("made/benchmark.json") + held_out, 6);
    folder.write("in2/original/a.png", &square(20, 16, 210));
    folder.write("in2/original/b.png", &square(20, 16, 211));
    for name in ["a", "b"] {
        folder.write(&format!("in2/caption/{name}.txt"), b"A square.");
    }
    ok(&folder, "make refblend in2 --quota 1 --out two");
    assert_eq!(
        (count("two/benchmark.json"), count("two/train.json")),
        (1, 1)
    );
    let inspected: Value = serde_json::from_str(&ok(&folder, "inspect two")).unwrap();
    assert_eq!(inspected["benchmark"]["samples"], 1);
}

#[test]
fn people_decide_and_wrong_input_names_its_mend() {
    let folder = Folder::default();
    originals(&folder, 2);
    ok(&folder, "make refblend in --out made --things things.csv");
    let things = std::fs::read_to_string(folder.path("things.csv")).unwrap();
    assert!(things.contains("o0/canny,,,"), "{things}");
    folder.write(
        "decided.csv",
        b"thing,verdict,reason\no0/depth,reject,flat\no1/depth,accept,\n",
    );
    let (code, _, err) = folder.run("make refblend --out made --decisions decided.csv");
    assert!(code == 2 && err.contains("nobody is named"), "{err}");
    let told = ok(
        &folder,
        "make refblend --out made --decisions decided.csv --by Ada",
    );
    assert!(told.contains("by hand: flat 1"), "{told}");
    let project = file(&folder, "made/juror-make.json");
    assert_eq!(project["decisions"][0]["by"], "Ada");
    assert!(
        project["decisions"][0]["time"]
            .as_str()
            .unwrap()
            .ends_with('Z')
    );
    let used = file(&folder, "made/benchmark.json");
    assert!(
        used[0]["conditions"].get("depth_path").is_none(),
        "what is rejected is not in the benchmark"
    );

    folder.write("other.csv", b"thing,verdict\nnobody/depth,reject\n");
    for (words, told) in [
        (
            "make refblend --out made --decisions other.csv --by Ada",
            "no nobody/depth",
        ),
        ("make refblend in --out made", "are fixed"),
        ("make refblend --out made --seed 4", "are fixed"),
        ("make refblend things.csv --out new", "not JSON"),
        ("make refblend --out new", "no original was found"),
        ("make progress nowhere", "name a project's folder"),
    ] {
        let (code, _, err) = folder.run(words);
        assert!(code == 2 && err.contains(told), "{words}: {err}");
    }
}

/// A picture of a grey, for a reference.
fn grey(value: u8) -> Vec<u8> {
    encode_png(&Rgb::filled(8, 8, [value; 3]).unwrap()).unwrap()
}

/// The calls of a sheet: kind and place of the picture, or hash.
fn sheet_lines(text: &str, mark: &str) -> Vec<String> {
    let mut lines = text.lines();
    let mut found = Vec::new();
    while let Some(line) = lines.next() {
        if line == mark {
            found.extend(lines.next().map(str::to_owned));
        }
    }
    found
}

#[test]
fn made_cases_open_as_micon_with_nothing_missing_and_score() {
    let folder = Folder::default();
    let begin = "make micon --count object:2=2 --count fg_bg:2=1 --without-review --seed 5 --out made --requests calls.txt";
    let told = ok(&folder, begin);
    assert!(
        told.contains("Due: 6 × reference.") && told.contains("files: 0."),
        "{told}"
    );
    // One reference of a case after the other: pictures are put where the sheet says, until none is due.
    let mut value = 10;
    for _ in 0..2 {
        let sheet = std::fs::read_to_string(folder.path("calls.txt")).unwrap();
        for path in sheet_lines(&sheet, "--- put the picture here") {
            folder.write(&format!("made/{path}"), &grey(value));
            value += 20;
        }
        ok(
            &folder,
            "make micon --out made --by Ada --requests calls.txt",
        );
    }
    let told = ok(&folder, "make progress made");
    assert!(
        told.contains("files: 3.") && !told.contains("Due"),
        "{told}"
    );
    let builder = file(&folder, "made/builder.json");
    assert_eq!(builder["cases"][0]["state"], "accepted");
    assert_eq!(builder["cases"][0]["references"][0]["by"], "Ada");
    let card =
        std::fs::read_to_string(folder.path("made/data/object_composition/cases/case_0001.yaml"))
            .unwrap();
    let subject = builder["cases"][0]["draw"]["A.subject"].as_str().unwrap();
    let noun = subject.split_once(' ').unwrap().1;
    assert!(card.contains(noun) && card.contains("Ref B"), "{card}");

    for case in [
        "object_composition/case_0001",
        "object_composition/case_0002",
        "foreground_background_composition/case_0001",
    ] {
        folder.write(&format!("made/outputs/generations/M/{case}.png"), &grey(77));
        let (task, _) = case.split_once('/').unwrap();
        let checks: Value = file(&folder, "made/micon-specific.json")[case]
            .as_object()
            .unwrap()
            .keys()
            .map(|id| (id.clone(), json!({"pass": 1})))
            .collect::<serde_json::Map<_, _>>()
            .into();
        assert!(task.len() > 3 && checks.as_object().unwrap().len() == 15);
        folder.write(
            &format!("made/outputs/judgments/{case}/M.json"),
            json!({"checkpoint_results": checks, "rationale_short": "ok", "flags": []})
                .to_string()
                .as_bytes(),
        );
    }
    let inspected = ok(&folder, "inspect made");
    assert!(
        inspected.contains("micon") && inspected.contains("\"problems\": []"),
        "{inspected}"
    );
    let scored = ok(&folder, "score made --format csv");
    assert!(scored.contains("M,") && scored.contains("100"), "{scored}");
}

#[test]
fn a_rejected_reference_is_made_anew_and_nothing_is_in_before_somebody_accepts_it() {
    let folder = Folder::default();
    ok(
        &folder,
        "make micon --count fg_bg:2=1 --filter --out made --requests calls.txt",
    );
    let case = "foreground_background_composition/case_0001";
    let refs = "made/data/foreground_background_composition/refs/case_0001";
    folder.write(&format!("{refs}_RA.png"), &grey(1));
    ok(&folder, "make micon --out made --requests calls.txt");
    let answer = |reply: &str, name: &str| {
        let sheet = std::fs::read_to_string(folder.path("calls.txt")).unwrap();
        let hash = sheet
            .lines()
            .find_map(|line| line.strip_prefix("=== "))
            .unwrap()
            .to_owned();
        folder.write(
            name,
            json!({"request": hash, "reply": reply, "by": "m"})
                .to_string()
                .as_bytes(),
        );
    };
    answer(
        "{\"complete\": 0, \"spatial\": null, \"style\": null, \"component\": null, \"reason\": \"no head\"}",
        "no.jsonl",
    );
    ok(
        &folder,
        "make micon --out made --replies no.jsonl --requests calls.txt",
    );
    let sheet = std::fs::read_to_string(folder.path("calls.txt")).unwrap();
    assert!(sheet.contains("case_0001_RA_2.png"), "{sheet}");
    folder.write(&format!("{refs}_RA_2.png"), &grey(2));
    ok(&folder, "make micon --out made --requests calls.txt");
    answer(
        "{\"complete\": 1, \"spatial\": null, \"style\": null, \"component\": null}",
        "yes.jsonl",
    );
    let told = ok(&folder, "make micon --out made --replies yes.jsonl");
    assert!(told.contains("waits for a person's decision"), "{told}");
    folder.write(
        "in.csv",
        format!("thing,verdict\n{case}/RA#2,accept\n{case}/RB,accept\n").as_bytes(),
    );
    ok(&folder, "make micon --out made --decisions in.csv --by Ada");
    folder.write(&format!("{refs}_RB.png"), &grey(3));
    let told = ok(&folder, "make micon --out made");
    assert!(told.contains("files: 1."), "{told}");
    let card = std::fs::read_to_string(
        folder.path(&format!("made/data/{}.yaml", case.replace('/', "/cases/"))),
    )
    .unwrap();
    assert!(
        card.contains("case_0001_RA_2.png") && card.contains("case_0001_RB.png"),
        "{card}"
    );
    // A case that a person rejects is in no file's count.
    folder.write(
        "out.csv",
        format!("thing,verdict,reason\n{case},reject,odd\n").as_bytes(),
    );
    let told = ok(
        &folder,
        "make micon --out made --decisions out.csv --by Ada",
    );
    assert!(
        told.contains("by hand: odd 1") && told.contains("files: 0."),
        "{told}"
    );
    let card = format!("made/data/{}.yaml", case.replace('/', "/cases/"));
    assert!(
        !folder.path(&card).exists(),
        "what opens as a benchmark has it no more"
    );
}

#[test]
fn a_story_goes_from_a_script_over_panels_to_a_card_with_its_answer_set() {
    let folder = Folder::default();
    ok(
        &folder,
        "make micon --count story:2=1 --without-review --out made --requests calls.txt",
    );
    let reply = |text: &Value| {
        let sheet = std::fs::read_to_string(folder.path("calls.txt")).unwrap();
        let hash = sheet
            .lines()
            .find_map(|line| line.strip_prefix("=== "))
            .unwrap()
            .to_owned();
        folder.write(
            "reply.jsonl",
            json!({"request": hash, "reply": text.to_string()})
                .to_string()
                .as_bytes(),
        );
        ok(
            &folder,
            "make micon --out made --replies reply.jsonl --requests calls.txt",
        )
    };
    reply(&json!({"setting": "a kitchen", "characters": "a cat", "beats": ["a", "b", "c", "d"]}));
    let mut panels = Rgb::filled(40, 40, [255; 3]).unwrap();
    for (at, x, y) in [
        (1u8, 0.0, 0.0),
        (2, 22.0, 0.0),
        (3, 0.0, 22.0),
        (4, 22.0, 22.0),
    ] {
        panels.paint(
            juror_image::Shape::Rect([x, y, 18.0, 18.0]),
            [at * 40, 0, 0],
        );
    }
    folder.write(
        "made/work/story_infer/case_0001_panels.png",
        &encode_png(&panels).unwrap(),
    );
    ok(&folder, "make micon --out made --requests calls.txt");
    let proposed: Value = serde_json::from_str(&ok(
        &folder,
        "make crop made/work/story_infer/case_0001_panels.png",
    ))
    .unwrap();
    assert_eq!(proposed["panels"].as_array().unwrap().len(), 4);
    for (letter, panel) in [("A", 1), ("B", 3)] {
        ok(
            &folder,
            &format!(
                "make crop made/work/story_infer/case_0001_panels.png --panel {panel} --out made/data/story_infer/refs/case_0001_R{letter}.png"
            ),
        );
        ok(&folder, "make micon --out made --requests calls.txt");
    }
    let cut = std::fs::read(folder.path("made/data/story_infer/refs/case_0001_RB.png")).unwrap();
    let cut = decode_rgb(&cut, &Limits::default()).unwrap();
    assert_eq!(cut.pixel(cut.width / 2, cut.height / 2), Some([120, 0, 0]));
    let told = reply(&json!({
        "background_summary": "A cup stands at the edge.",
        "positive_candidates": ["The cup falls to the floor.", "The cat jumps off the table.", "The cup breaks into many pieces."],
        "negative_candidates": ["The cup turns into a bird.", "The table floats to the ceiling.", "The cup grows a second handle."],
    }));
    assert!(told.contains("files: 1."), "{told}");
    let sets = file(
        &folder,
        "made/data/story_infer/simple_candidate_template.json",
    );
    assert_eq!(sets["cases"][0]["case_id"], "case_0001");
    let inspected = ok(&folder, "inspect made");
    assert!(
        inspected.contains("micon") && inspected.contains("\"problems\": []"),
        "{inspected}"
    );
}

#[test]
fn a_posted_request_opens_as_multirefs_real_world_half_after_a_persons_review() {
    let folder = Folder::default();
    for name in ["1", "2", "o"] {
        folder.write(&format!("in/{name}.png"), &grey(50));
    }
    let list = json!([{"id": 7, "text": "his hat on her pls", "inputs": ["1.png", "2.png"], "outputs": ["o.png"]}]);
    folder.write("in/list.json", list.to_string().as_bytes());
    let told = ok(
        &folder,
        "make realworld in/list.json --out made --things things.csv",
    );
    assert!(told.contains("files: 0."), "{told}");
    let things = std::fs::read_to_string(folder.path("things.csv")).unwrap();
    let accepted = things.replace(",,,", ",accept,,");
    folder.write("all.csv", accepted.as_bytes());
    ok(
        &folder,
        "make realworld --out made --decisions all.csv --by Ada --requests calls.txt",
    );
    for reply in [
        "Edit image <image2> by putting on the hat of <image1>.",
        "{\"category\": 2}",
    ] {
        let sheet = std::fs::read_to_string(folder.path("calls.txt")).unwrap();
        let hash = sheet
            .lines()
            .find_map(|line| line.strip_prefix("=== "))
            .unwrap()
            .to_owned();
        folder.write(
            "reply.jsonl",
            json!({"request": hash, "reply": reply})
                .to_string()
                .as_bytes(),
        );
        ok(
            &folder,
            "make realworld --out made --replies reply.jsonl --requests calls.txt",
        );
    }
    let inspected = ok(&folder, "inspect made");
    assert!(
        inspected.contains("multiref") && inspected.contains("\"problems\": []"),
        "{inspected}"
    );
    assert_eq!(
        file(&folder, "made/real-world.json")[0]["category"],
        "Element Addition"
    );
}

#[test]
fn single_steps_read_tables_and_lists_and_name_what_is_wrong() {
    let folder = Folder::default();
    let table = "file,class,x1,y1,x2,y2,width,height,mask_share,clip\na.png,cat,0,0,50,50,100,100,0.5,30\nb.png,cat,0,0,5,5,100,100,0.5,30\n";
    folder.write("found.csv", table.as_bytes());
    assert_eq!(
        ok(&folder, "make clear found.csv"),
        "file,kept,detections,clear\na.png,yes,1,1\nb.png,no,1,0\n"
    );
    let (code, _, err) = folder.run("make difficulty found.csv --out data");
    assert!(code == 2 && err.contains("the column task lacks"), "{err}");
    let tags = "task,set,medium,view,rare,language\nadd,001,photo,far,no,\nadd,001,anime,far,no,\n";
    folder.write("tags.csv", tags.as_bytes());
    ok(&folder, "make difficulty tags.csv --out data");
    assert_eq!(
        file(&folder, "data/add/types.json"),
        json!({"001": "domain"})
    );

    let list = json!([{"idx": 0, "domain": "edit", "images": ["a.jpg", "b.jpg", "c.jpg"], "chats": [
        {"role": "user", "type": "text", "content": "Image #2 Add a hat."},
        {"role": "assistant", "type": "image", "content": "Image #3", "key_point": {"GT #3": "As in <image>."}},
    ]}]);
    folder.write("test.json", list.to_string().as_bytes());
    ok(&folder, "check dialogues test.json");
    ok(&folder, "make single-turns test.json --out single.json");
    let single = file(&folder, "single.json");
    assert_eq!(single[0]["images"], json!(["b.jpg", "c.jpg"]));
    assert_eq!(
        single[0]["chats"][1]["key_point"],
        json!({"GT #2": "As in <image>."})
    );
    folder.write(
        "bad.json",
        list.to_string()
            .replace("Image #2 Add", "Image #9 Add")
            .as_bytes(),
    );
    let (code, out, _) = folder.run("check dialogues bad.json");
    assert!(
        code == 1 && out.contains("item 1, message 1: There is no Image #9"),
        "{out}"
    );
}
