//! What a generator is given, written as a folder: `juror inputs`, as it is and varied.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use juror_image::{Limits, Rgb, decode_rgb, encode_png};
use juror_tests::program::Folder;
use serde_json::{Value, json};

fn row(data: &[u8]) -> Vec<u8> {
    let width = u32::try_from(data.len() / 3).unwrap();
    let data = data.to_vec();
    encode_png(&Rgb {
        width,
        height: 1,
        data,
    })
    .unwrap()
}

fn points(folder: &Folder, path: &str) -> Vec<u8> {
    let bytes = std::fs::read(folder.path(path)).unwrap();
    decode_rgb(&bytes, &Limits::default()).unwrap().data
}

/// Two synthetic samples, one of which has a mask, and a real-world request.
fn multiref() -> Folder {
    let folder = Folder::default();
    let pictures: [(&str, &[u8]); 7] = [
        ("a", &[9, 9, 9]),
        ("a_bbox", &[10, 10, 10, 11, 0, 0, 255, 0, 0]),
        ("a_depth", &[0, 0, 0, 255, 255, 255]),
        ("b", &[8, 8, 8]),
        ("b_mask", &[0, 0, 0, 255, 255, 255]),
        ("real_1", &[1, 2, 3]),
        ("real_2", &[4, 5, 6]),
    ];
    for (name, data) in pictures {
        folder.write(&format!("bench/images/{name}.png"), &row(data));
    }
    let synthetic = |name: &str, ids: &[(&str, &str)], text: &str| {
        let mut known = json!({"caption": "A block, blue."});
        let mut mapping = json!({});
        let mut listed = Vec::new();
        for (id, token) in ids {
            let path = format!("images/{name}_{id}.png");
            known[format!("{id}_path")] = json!(path);
            mapping[*token] = json!(path);
            listed.push(*id);
        }
        listed.push("caption");
        json!({"original_image_path": format!("images/{name}.png"), "conditions": known,
            "instructions": {"conditions": listed, "image_path_mapping": mapping, "original_prompts": text}})
    };
    let list = json!([
        synthetic(
            "a",
            &[("bbox", "bbox_image"), ("depth", "depth_image")],
            "Generate an image inside <bbox_image>. Keep the depth of <depth_image>. following the caption: A block, blue..",
        ),
        synthetic(
            "b",
            &[("mask", "mask_image")],
            "Generate an image that fills <mask_image>. following the caption: A block, blue..",
        ),
    ]);
    folder.write("bench/benchmark990v3.json", list.to_string().as_bytes());
    let requests = json!([{"row_id": 7, "prompt": "Put <image2> on <image1>.", "taxonomy": "Element Addition",
        "image_path_mapping": {"image1": "images/real_1.png", "image2": "images/real_2.png"}}]);
    folder.write(
        "bench/final_1000_prompts_taxonomy.json",
        requests.to_string().as_bytes(),
    );
    folder
}

fn lines(folder: &Folder, out: &str) -> Vec<Value> {
    let text = std::fs::read_to_string(folder.path(&format!("{out}/inputs.jsonl"))).unwrap();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

fn written(folder: &Folder, words: &str) -> (Vec<Value>, String) {
    let (code, _, said) = folder.run(format!("inputs bench --out out {words}").trim_end());
    assert_eq!(code, 0, "{said}");
    let found = lines(folder, "out");
    std::fs::rename(folder.path("out"), folder.path("last")).unwrap();
    (found, said)
}

#[test]
fn inputs_as_they_are_have_their_pictures_beside_them_and_no_level() {
    let folder = multiref();
    let (found, _) = written(&folder, "");
    assert_eq!(found.len(), 3);
    let first = &found[0];
    assert_eq!(first["sample"], "synthetic/a");
    assert_eq!(
        (&first["factor"], &first["level"]),
        (&Value::Null, &Value::Null)
    );
    assert_eq!(first["folder"], "MODEL");
    assert_eq!(
        first["pictures"],
        json!([
            "pictures/bench/images/a_bbox.png",
            "pictures/bench/images/a_depth.png"
        ])
    );
    assert_eq!(
        points(&folder, "last/pictures/bench/images/a_bbox.png"),
        [10, 10, 10, 11, 0, 0, 255, 0, 0]
    );
    // The golden answer is none of the generator's business.
    assert!(!folder.path("last/pictures/bench/images/a.png").exists());
}

#[test]
fn formats_of_references_are_changed_where_there_are_such_references() {
    let folder = multiref();
    let (found, said) = written(
        &folder,
        "--vary bbox_format=ori,white --vary depth_format=color --vary mask_format=color --filter category:synthetic",
    );
    let told: Vec<_> = found
        .iter()
        .map(|line| {
            (
                line["sample"].as_str().unwrap(),
                line["folder"].as_str().unwrap(),
            )
        })
        .collect();
    assert_eq!(
        told,
        [
            ("synthetic/a", "MODEL@bbox_format=ori"),
            ("synthetic/a", "MODEL@bbox_format=white"),
            ("synthetic/a", "MODEL@depth_format=color"),
            ("synthetic/b", "MODEL@bbox_format=ori"),
            ("synthetic/b", "MODEL@mask_format=color"),
        ]
    );
    assert!(
        said.contains("left out: 1 × bbox_format=white: Bounding box is not among the sample's references. The first is synthetic/b"),
        "{said}"
    );
    assert_eq!(
        found[1]["pictures"],
        json!([
            "changed/bbox_format=white/bench/images/a_bbox.png",
            "pictures/bench/images/a_depth.png"
        ])
    );
    let changed = |path: &str| points(&folder, &format!("last/changed/{path}"));
    assert_eq!(
        changed("bbox_format=white/bench/images/a_bbox.png"),
        [255, 255, 255, 11, 0, 0, 255, 0, 0]
    );
    assert_eq!(
        changed("depth_format=color/bench/images/a_depth.png"),
        [35, 23, 27, 144, 12, 0]
    );
    let mask = changed("mask_format=color/bench/images/b_mask.png");
    assert_eq!(mask[..3], [0, 0, 0]);
    assert!(mask[3..].iter().all(|channel| *channel >= 128), "{mask:?}");
    assert_ne!(mask[3..], [255, 255, 255]);
    // What outputs are scored with stays as it is.
    assert_eq!(
        points(&folder, "bench/images/b_mask.png"),
        [0, 0, 0, 255, 255, 255]
    );
}

#[test]
fn switched_order_reverses_pictures_and_clauses_and_leaves_the_caption_last() {
    let folder = multiref();
    let (found, said) = written(&folder, "--vary order=original,switched");
    let of_a: Vec<_> = found
        .iter()
        .filter(|line| line["sample"] == "synthetic/a")
        .collect();
    assert_eq!(
        of_a[1]["prompt"],
        "Generate an image Keep the depth of <depth_image>. inside <bbox_image>. following the caption: A block, blue.."
    );
    assert_eq!(
        of_a[1]["pictures"],
        json!([
            "pictures/bench/images/a_depth.png",
            "pictures/bench/images/a_bbox.png"
        ])
    );
    assert_ne!(of_a[0]["prompt"], of_a[1]["prompt"]);
    assert_ne!(of_a[0]["pictures"], of_a[1]["pictures"]);
    for told in ["fewer than two reference pictures", "real-world request"] {
        assert!(said.contains(told), "{told}: {said}");
    }
}

#[test]
fn a_caption_that_is_left_out_leaves_the_rest_as_it_is() {
    let folder = multiref();
    let (found, _) = written(
        &folder,
        "--vary caption=without --filter category:synthetic",
    );
    let prompts: Vec<_> = found
        .iter()
        .map(|line| line["prompt"].as_str().unwrap())
        .collect();
    assert_eq!(
        prompts,
        [
            "Generate an image inside <bbox_image>. Keep the depth of <depth_image>.",
            "Generate an image that fills <mask_image>."
        ]
    );
}

#[test]
fn one_reference_a_turn_keeps_its_clause_and_the_last_turn_has_the_caption() {
    let folder = multiref();
    let (found, _) = written(&folder, "--vary packing=one_per_turn --model OmniGen");
    assert_eq!(found.len(), 1);
    assert_eq!(found[0]["folder"], "OmniGen@packing=one_per_turn");
    let turn = |name: &str, text: &str| {
        json!({"role": "user", "parts": [
            {"type": "picture", "path": format!("pictures/bench/images/{name}.png")},
            {"type": "text", "text": text}
        ]})
    };
    assert_eq!(
        found[0]["messages"],
        json!([
            turn("a_bbox", "Generate an image inside <bbox_image>."),
            turn(
                "a_depth",
                "Keep the depth of <depth_image>. following the caption: A block, blue.."
            )
        ])
    );
}

#[test]
fn a_wrong_factor_or_level_lists_what_there_is_and_nothing_is_written() {
    let folder = multiref();
    for (words, told) in [
        (
            "--vary colour=red",
            "there are bbox_format, depth_format, mask_format, order, caption, packing",
        ),
        (
            "--vary order=random",
            "order has no level random; it has original, switched",
        ),
        (
            "--vary order",
            "expected FACTOR=LEVEL[,LEVEL…], found order",
        ),
        (
            "--vary order=",
            "expected FACTOR=LEVEL[,LEVEL…], found order=",
        ),
    ] {
        let (code, _, said) = folder.run(&format!("inputs bench --out out {words}"));
        assert_eq!(code, 2, "{said}");
        assert!(said.contains(told), "{words}: {said}");
        assert!(!folder.path("out").exists(), "{words}");
    }
}

#[test]
fn a_folder_with_anything_in_it_is_not_written_to() {
    let folder = multiref();
    folder.write("out/mine.txt", b"mine");
    let (code, _, said) = folder.run("inputs bench --out out");
    assert_eq!(code, 2, "{said}");
    assert!(
        said.contains("out is not empty") && said.contains("--out"),
        "{said}"
    );
    assert!(!folder.path("out/inputs.jsonl").exists());
}

#[test]
fn a_priority_is_one_sentence_behind_the_instruction() {
    let folder = Folder::default();
    folder.write("bench/add/001_0.png", &row(&[1, 1, 1]));
    folder.write("bench/add/001_1.png", &row(&[2, 2, 2]));
    folder.write("bench/add/001_prompt.txt", b"Add the cat.\n");
    let (found, _) = written(&folder, "--vary priority=none,reference,match");
    let prompts: Vec<_> = found
        .iter()
        .map(|line| line["prompt"].as_str().unwrap().trim())
        .collect();
    assert_eq!(prompts[0], "Add the cat.");
    assert!(
        prompts[1].starts_with("Add the cat. Above all, keep "),
        "{}",
        prompts[1]
    );
    assert!(
        prompts[2].starts_with("Add the cat. Above all, make "),
        "{}",
        prompts[2]
    );
    assert_eq!(found[0]["pictures"], found[2]["pictures"]);
}

#[test]
fn a_long_text_replaces_the_short_one_and_the_drawing_where_the_list_has_it() {
    let folder = Folder::default();
    let item = |id: u32, long: Option<&str>| {
        let mut texts = json!({"input_prompt": "Add a hat here."});
        if let Some(long) = long {
            texts["long_prompt"] = json!(long);
        }
        json!({"id": id, "file_paths": {"source": "s.png", "visual_instruction": "v.png"}, "text_prompt": texts})
    };
    let list = json!([
        item(1, Some("Add a hat to the left of the tree.")),
        item(2, None)
    ]);
    let task = "bench/Tasks/Level-1-Deictic/Addition";
    folder.write(
        &format!("{task}/Addition.json"),
        list.to_string().as_bytes(),
    );
    folder.write("bench/s.png", &row(&[9, 9, 9]));
    folder.write(&format!("{task}/v.png"), &row(&[255, 0, 0]));
    let (found, said) = written(&folder, "--vary told_by=visual_short,visual_long,text");
    assert!(
        said.contains("left out: 1 × told_by=text: The list has no long text of the item: add it as text_prompt.long_prompt."),
        "{said}"
    );
    let told: Vec<_> = found
        .iter()
        .map(|line| {
            (
                line["prompt"].as_str().unwrap(),
                line["pictures"][0].as_str().unwrap(),
            )
        })
        .collect();
    let (short, long) = ("Add a hat here.", "Add a hat to the left of the tree.");
    let (merged, plain) = ("pictures/bench/s_merged.png", "pictures/bench/s.png");
    assert_eq!(
        told,
        [
            (short, merged),
            (long, merged),
            (long, plain),
            (short, merged)
        ]
    );
    assert_eq!(points(&folder, &format!("last/{merged}")), [255, 0, 0]);
    assert_eq!(points(&folder, &format!("last/{plain}")), [9, 9, 9]);
}

#[test]
fn a_text_that_is_embedded_stands_in_the_picture_and_a_sentence_points_to_it() {
    let folder = Folder::default();
    let item = |id: u32, long: &str| {
        let texts = json!({"input_prompt": "Add a hat here.", "long_prompt": long});
        json!({"id": id, "file_paths": {"source": "s.png", "visual_instruction": "v.png"}, "text_prompt": texts})
    };
    let far_too_long = "Add a hat to the left of the tree. ".repeat(40);
    let list = json!([item(1, "Add a hat to the left."), item(2, &far_too_long)]);
    let task = "bench/Tasks/Level-1-Deictic/Addition";
    folder.write(
        &format!("{task}/Addition.json"),
        list.to_string().as_bytes(),
    );
    let source = Rgb::filled(240, 160, [90, 90, 90]).unwrap();
    folder.write("bench/s.png", &encode_png(&source).unwrap());
    let mut layer = juror_image::Rgba::blank(240, 160).unwrap();
    for y in 10..40_usize {
        for x in 20..60_usize {
            layer.data[4 * (y * 240 + x)..][..4].copy_from_slice(&[255, 0, 0, 255]);
        }
    }
    let layer = juror_image::encode_png_rgba(&layer).unwrap();
    folder.write(&format!("{task}/v.png"), &layer);
    let (found, said) = written(&folder, "--vary told_by=embedded,visual_long");
    assert!(
        said.contains("told_by=embedded: cannot prepare") && said.contains("no room"),
        "{said}"
    );
    let told: Vec<&str> = found
        .iter()
        .map(|line| line["prompt"].as_str().unwrap())
        .collect();
    assert_eq!(told[0], "Edit this picture as the annotations in it say.");
    assert_eq!(told[1], "Add a hat to the left.");
    let path = found[0]["pictures"][0].as_str().unwrap();
    assert!(path.starts_with("changed/told_by=embedded/"), "{path}");
    assert_eq!(found[0]["folder"], "MODEL@told_by=embedded");
    let written_in = points(&folder, &format!("last/{path}"));
    let merged = found[1]["pictures"][0].as_str().unwrap();
    let merged = points(&folder, &format!("last/{merged}"));
    let white = |data: &[u8]| data.chunks(3).filter(|point| **point == [255; 3]).count();
    assert!(white(&written_in) > 500 && white(&merged) == 0);
    // The mark is where it was, in both.
    let red = |data: &[u8]| {
        data.chunks(3)
            .filter(|point| **point == [255, 0, 0])
            .count()
    };
    assert_eq!((red(&written_in), red(&merged)), (30 * 40, 30 * 40));
}

/// A dialogue of two steps, on pictures of their own colours.
fn weave() -> Folder {
    let folder = Folder::default();
    let say = |number: u32, text: &str| {
        [
            json!({"role": "user", "type": "text", "content": text}),
            json!({"role": "assistant", "type": "image", "content": format!("Image #{number}"),
                "key_point": {format!("GT #{number}"): "It was done as in <image>."}}),
        ]
    };
    let turns = [
        say(2, "Paint Image #1 green."),
        say(3, "Paint Image #2 blue."),
    ];
    let images = ["imgs/d1_1.png", "imgs/d1_2.png", "imgs/d1_3.png"];
    let list = json!([{"idx": 1, "domain": "maze", "images": images, "chats": turns.concat()}]);
    folder.write("bench/test.json", list.to_string().as_bytes());
    for (path, grey) in images.into_iter().zip([10, 20, 30]) {
        let picture = Rgb::filled(30, 20, [grey; 3]).unwrap();
        folder.write(&format!("bench/{path}"), &encode_png(&picture).unwrap());
    }
    folder
}

#[test]
fn a_dialogue_s_pictures_are_one_numbered_row_where_they_are_concatenated() {
    let folder = weave();
    let (found, _) = written(&folder, "--vary packing=separate,sequence,concatenated");
    let given = |level: &str, turn: u64| -> Vec<String> {
        let mut lines = found.iter();
        let line = lines.find(|line| line["level"] == level && line["turn"] == turn);
        let pictures = line.unwrap()["pictures"].as_array().unwrap().clone();
        let pictures = pictures
            .iter()
            .map(|path| path.as_str().unwrap().to_owned());
        pictures.collect()
    };
    let (first, second) = (
        "pictures/bench/imgs/d1_1.png",
        "pictures/bench/imgs/d1_2.png",
    );
    assert_eq!(given("separate", 1), [second]);
    assert_eq!(given("sequence", 1), [first, second]);
    let row = given("concatenated", 1);
    assert_eq!(row, ["changed/packing=concatenated/1_turn2.png"]);
    let bytes = std::fs::read(folder.path(&format!("last/{}", row[0]))).unwrap();
    let row = decode_rgb(&bytes, &Limits::default()).unwrap();
    assert_eq!((row.width, row.height), (30 + 5 + 30, 20));
    assert_eq!(
        [row.pixel(0, 19), row.pixel(32, 10), row.pixel(64, 19)],
        [Some([10; 3]), Some([255; 3]), Some([20; 3])]
    );
}

#[test]
fn a_history_is_the_model_s_own_or_the_data_set_s() {
    let folder = weave();
    let own = Rgb::filled(30, 20, [99; 3]).unwrap();
    folder.write("m/imgs/1_0.png", &encode_png(&own).unwrap());
    folder.write("m/imgs/d1_2.png", &encode_png(&own).unwrap());
    let (code, _, said) =
        folder.run("inputs bench m --out out --model m --vary history=none,own,golden");
    assert_eq!(code, 0, "{said}");
    let found = lines(&folder, "out");
    let second = |level: &str| {
        let mut lines = found.iter();
        let line = lines.find(|line| line["level"] == level && line["turn"] == 1);
        let path = line.unwrap()["pictures"].as_array().unwrap().last();
        points(&folder, &format!("out/{}", path.unwrap().as_str().unwrap()))[0]
    };
    assert_eq!((second("own"), second("golden")), (99, 20));
    assert_eq!(second("none"), 20);
}

#[test]
fn a_part_of_the_samples_is_drawn_as_for_requests() {
    let folder = multiref();
    let (found, _) = written(&folder, "--per subset=1 --seed 4");
    let drawn: Vec<&Value> = found.iter().map(|line| &line["sample"]).collect();
    assert_eq!(drawn.len(), 2, "{drawn:?}");
    std::fs::remove_dir_all(folder.path("last")).unwrap();
    let (again, _) = written(&folder, "--per subset=1 --seed 4 --filter id~synthetic");
    assert_eq!(again.len(), 1);
    let (code, _, said) = folder.run("inputs bench --out out --per colour=1");
    assert_eq!(code, 2, "{said}");
    assert!(said.contains("--filter or --per"), "{said}");
}
