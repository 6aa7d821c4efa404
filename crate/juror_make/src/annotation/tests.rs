#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
use juror_image::{Limits, Rgb, decode_rgba, encode_png};
use juror_protocols::vibe::layout::{annotations, style};
use serde_json::json;

use super::*;

fn picture(width: u32, height: u32) -> Vec<u8> {
    encode_png(&Rgb::filled(width, height, [9, 90, 200]).unwrap()).unwrap()
}

/// An item over a picture of 400 × 300 pixels.
pub(super) fn item(task: Task, id: &str, text: &str, marks: Vec<Mark>) -> Marks {
    Marks {
        format: FORMAT.to_owned(),
        id: id.to_owned(),
        source: Source {
            path: "pictures/fox.png".to_owned(),
            sha256: sha256(&picture(400, 300)),
            width: 400,
            height: 300,
        },
        task,
        style: Style::Animation,
        text: text.to_owned(),
        marks,
        line: None,
        differs: task.must_differ(),
        reviews: Vec::new(),
    }
}

/// A good item of each task.
fn good(task: Task) -> Marks {
    let arrow = Mark::Arrow([[60, 60], [200, 60]]);
    let marks = match task {
        Task::Ad | Task::Rm | Task::Rp => vec![Mark::Box([40, 40, 90, 80])],
        Task::Tr => vec![Mark::Box([40, 40, 90, 80]), arrow],
        Task::Ro => vec![Mark::Frustum([
            [200, 150],
            [40, 40],
            [120, 50],
            [110, 120],
            [30, 110],
        ])],
        Task::Di => vec![
            Mark::Pen(vec![[5, 5], [50, 9], [90, 40]]),
            Mark::Pen(vec![[8, 9], [9, 9]]),
        ],
        Task::Lc | Task::Fs => vec![arrow],
    };
    item(task, "animation_01", "Change the fox.", marks)
}

fn made(all: &[Marks]) -> Result<Maker, Error> {
    let texts: Vec<(String, String)> = all
        .iter()
        .enumerate()
        .map(|(at, marks)| (format!("{at}.json"), marks.text()))
        .collect();
    Maker::new(
        texts
            .iter()
            .map(|(name, text)| (name.as_str(), text.as_str())),
    )
}

#[test]
fn a_good_item_of_each_task_has_no_fault_and_its_file_is_read_back_as_it_was() {
    for task in Task::ALL {
        let marks = good(task);
        assert_eq!(lint(&marks), [""; 0]);
        assert_eq!(Marks::read("a.json", &marks.text()).unwrap(), marks);
    }
}

/// What is wrong with a good item after a change.
fn changed(task: Task, change: impl FnOnce(&mut Marks)) -> Vec<String> {
    let mut marks = good(task);
    change(&mut marks);
    lint(&marks)
}

fn with_text(task: Task, text: &str) -> Vec<String> {
    changed(task, |item| text.clone_into(&mut item.text))
}

/// With these marks in the place of its own.
fn with(task: Task, marks: Vec<Mark>) -> Vec<String> {
    changed(task, |item| item.marks = marks)
}

fn reviewed(by: &str, is_good: bool) -> Vec<String> {
    let by = by.to_owned();
    changed(Task::Di, |item| item.reviews = vec![Review { by, is_good }])
}

const AREA: Mark = Mark::Box([40, 40, 90, 80]);

#[test]
fn each_fault_of_marks_is_one_sentence_that_names_the_item_and_what_to_do() {
    let arrow = |from: Point, to: Point| Mark::Arrow([from, to]);
    let turned = Mark::Frustum([[9, 9], [40, 40], [110, 120], [120, 50], [30, 110]]);
    for (found, expected) in [
        (
            with(Task::Ad, vec![]),
            "AD animation_01: it has no box; draw one.",
        ),
        (
            with(Task::Rm, vec![AREA, AREA]),
            "RM animation_01: expected one box, found 2; delete the others.",
        ),
        (
            with(Task::Rp, vec![AREA, arrow([1, 1], [99, 99])]),
            "RP animation_01: RP takes no arrow; delete it.",
        ),
        // 0.1 % of 120,000 square pixels are 120.
        (
            with(Task::Ad, vec![Mark::Box([10, 10, 27, 17])]),
            "AD animation_01: the box has 119 square pixels, less than 0.1 % of the picture; draw a larger one.",
        ),
        (
            with(Task::Ad, vec![Mark::Box([10, 10, 401, 17])]),
            "AD animation_01: the box leaves the picture of 400 × 300 pixels; draw it inside.",
        ),
        // 5 % of the diagonal of 500 are 25.
        (
            with(Task::Lc, vec![arrow([0, 0], [24, 0])]),
            "LC animation_01: the arrow is 24 pixels long; draw it at least 25 pixels long, 5 % of the diagonal.",
        ),
        (
            with(Task::Tr, vec![AREA, arrow([100, 60], [200, 60])]),
            "TR animation_01: the arrow starts outside of its box; start it in the box.",
        ),
        (
            with(Task::Tr, vec![AREA, arrow([50, 60], [90, 60])]),
            "TR animation_01: the arrow ends in its own box; end it where the thing goes.",
        ),
        (
            with(Task::Ro, vec![turned]),
            "RO animation_01: the frustum's four corners do not go round a quadrilateral; set them in turn.",
        ),
    ] {
        assert_eq!(found, [expected]);
    }
}

#[test]
fn a_text_a_tick_a_width_or_a_review_that_is_wrong_is_a_fault() {
    for (found, expected) in [
        (
            with_text(Task::Ad, " "),
            "AD animation_01: it has no text; write what the marks ask for.",
        ),
        (
            changed(Task::Fs, |item| item.differs = false),
            "FS animation_01: nobody confirmed that the wind differs from the scene as it is; tick “differs”, or draw another arrow.",
        ),
        (
            changed(Task::Di, |item| item.line = Some(0)),
            "DI animation_01: expected lines of 1 to 200 pixels, found 0; choose another width.",
        ),
        (
            reviewed("", true),
            "DI animation_01: a review has no name; write who looked at it.",
        ),
        (
            reviewed("Ada", false),
            "DI animation_01: Ada rejects it; change it and ask for a new review.",
        ),
    ] {
        assert_eq!(found, [expected]);
    }
    assert_eq!(reviewed("Ada", true), [""; 0]);
}

#[test]
fn what_is_just_large_enough_has_no_fault() {
    let mut marks = good(Task::Ad);
    marks.marks = vec![Mark::Box([10, 10, 25, 18])];
    assert_eq!(lint(&marks), [""; 0]);
    let mut marks = good(Task::Lc);
    marks.marks = vec![Mark::Arrow([[0, 0], [25, 0]])];
    assert_eq!(lint(&marks), [""; 0]);
}

#[test]
fn a_layer_has_the_size_of_its_source_and_is_red_on_its_lines_and_clear_elsewhere() {
    let maker = made(&[good(Task::Rm)]).unwrap();
    let [source, layer] = maker.pictures(0, &picture(400, 300)).unwrap();
    assert_eq!(source.path, "Common_Corpus/animation/fox.png");
    assert_eq!(source.bytes, picture(400, 300));
    assert_eq!(
        layer.path,
        "Tasks/Level-1-Deictic/Removal/visual_instruction/animation_01.png"
    );
    let drawn = decode_rgba(&layer.bytes, &Limits::default()).unwrap();
    assert_eq!([drawn.width, drawn.height], [400, 300]);
    let pixel = |x: usize, y: usize| &drawn.data[4 * (400 * y + x)..][..4];
    // Lines are three pixels wide: both rows next to an edge are whole, and those after them half.
    for y in [39, 40] {
        assert_eq!(pixel(60, y), [255, 0, 0, 255]);
    }
    assert_eq!(pixel(60, 38), [255, 0, 0, 128]);
    for (x, y) in [(60, 37), (60, 60), (20, 60), (0, 0)] {
        assert_eq!(pixel(x, y), [0; 4], "{x}, {y}");
    }
}

#[test]
fn an_arrow_ends_in_a_head_at_its_tip_and_not_at_its_start() {
    let heads = |mark: &Mark| -> Vec<Stroke> {
        let all = strokes(mark, 4.0).into_iter();
        all.filter(|stroke| matches!(stroke, Stroke::Head(_)))
            .collect()
    };
    let right = heads(&Mark::Arrow([[0, 50], [100, 50]]));
    assert_eq!(
        right,
        [Stroke::Head([(100.0, 50.0), (80.0, 60.0), (80.0, 40.0)])]
    );
    assert_ne!(heads(&Mark::Arrow([[100, 50], [0, 50]])), right);
    assert_eq!(heads(&Mark::Box([0, 0, 9, 9])), []);
}

#[test]
fn made_lists_are_read_as_vibe_s_with_style_and_layer() {
    let all = Task::ALL.map(good);
    let maker = made(&all).unwrap();
    assert_eq!((maker.count(), maker.faults().len()), (8, 0));
    assert_eq!(maker.num_unreviewed(), 8);
    let lists = maker.lists();
    assert_eq!(lists.len(), 8);
    for list in lists {
        let (items, problems) = annotations(&list.path, &list.text).unwrap();
        assert!(problems.is_empty(), "{problems:?}");
        assert_eq!(items.len(), 1);
        assert_eq!(style(&items[0].source), Some("animation"));
        assert_eq!(
            items[0].instruction.as_deref(),
            Some("visual_instruction/animation_01.png")
        );
        assert_eq!(items[0].prompt, "Change the fox.");
    }
}

#[test]
fn the_order_of_files_changes_no_list_and_an_item_with_a_fault_stays_out() {
    let mut second = good(Task::Ad);
    second.id = "animation_02".to_owned();
    let mut third = good(Task::Ad);
    third.id = "animation_03".to_owned();
    third.marks.clear();
    let forth = made(&[good(Task::Ad), second.clone()]).unwrap();
    let back = made(&[second, third, good(Task::Ad)]).unwrap();
    assert_eq!(forth.lists(), back.lists());
    assert_eq!(
        back.faults(),
        ["1.json: AD animation_03: it has no box; draw one."]
    );
}

#[test]
fn what_would_overwrite_another_item_or_picture_is_refused_with_both_files() {
    let error = made(&[good(Task::Ad), good(Task::Ad)]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "1.json and 0.json are both AD animation_01; give one another id"
    );
    let mut other = good(Task::Rm);
    other.source.sha256 = "0".repeat(64);
    let error = made(&[good(Task::Ad), other.clone()]).unwrap_err();
    assert!(
        error
            .to_string()
            .ends_with("both would be Common_Corpus/animation/fox.png; rename one picture"),
        "{error}"
    );
    other.style = Style::Sketch;
    assert!(made(&[good(Task::Ad), other]).is_ok());
}

#[test]
fn another_picture_or_another_size_is_refused_with_the_file() {
    let maker = made(&[good(Task::Ad)]).unwrap();
    let error = maker.pictures(0, &picture(40, 30)).unwrap_err().to_string();
    assert!(
        error.starts_with("0.json: the picture pictures/fox.png is not the one that was marked"),
        "{error}"
    );
    let mut marks = good(Task::Ad);
    marks.source.width = 500;
    let maker = made(&[marks]).unwrap();
    let error = maker
        .pictures(0, &picture(400, 300))
        .unwrap_err()
        .to_string();
    assert!(
        error
            .ends_with("has 400 × 300 pixels, and its marks are for 500 × 300; write its own size"),
        "{error}"
    );
}

#[test]
fn files_of_another_form_and_names_that_are_no_files_are_refused() {
    let of = |change: fn(&mut serde_json::Value)| {
        let mut value = serde_json::to_value(good(Task::Ad)).unwrap();
        change(&mut value);
        Marks::read("m.json", &value.to_string()).map_err(|error| error.to_string())
    };
    assert!(of(|_| ()).is_ok());
    for (found, expected) in [
        (
            of(|file| file["format"] = json!("juror-marks/9")),
            "m.json: expected the format “juror-marks/1”, found “juror-marks/9”; choose a file of marks",
        ),
        (
            of(|file| *file = json!([])),
            "m.json: expected the format “juror-marks/1”, found none; choose a file of marks",
        ),
        (
            of(|file| file["id"] = json!("../x")),
            "m.json: expected an id of letters, digits, “_” and “-” such as animation_03, found “../x”",
        ),
        (
            of(|file| file["source"]["path"] = json!("a/..")),
            "m.json: expected the path of a picture with “/” between folders, found “a/..”",
        ),
        (
            of(|file| file["colour"] = json!("blue")),
            "m.json: unknown field `colour`",
        ),
        (
            of(|file| file["marks"] = json!([{"star": []}])),
            "m.json: unknown variant `star`",
        ),
    ] {
        let error = found.unwrap_err();
        assert!(error.starts_with(expected), "{error}");
    }
    let error = Marks::read("m.json", "{").unwrap_err().to_string();
    assert!(error.starts_with("m.json: this is not JSON"), "{error}");
}

#[test]
fn a_new_item_has_an_id_and_a_picture_s_name_of_its_own() {
    let bytes = picture(40, 30);
    let kind = (Task::Lc, Style::Sketch);
    let first = begun("a.png", &bytes, kind, &[], &[]).unwrap();
    assert_eq!(
        (first.id.as_str(), first.source.name()),
        ("sketch_01", "a.png")
    );
    assert_eq!([first.source.width, first.source.height], [40, 30]);
    let next = begun("a.png", &bytes, kind, &["sketch_01"], &["A.png", "a-2.png"]).unwrap();
    assert_eq!(
        (next.id.as_str(), next.source.name()),
        ("sketch_02", "a-3.png")
    );
    let error = begun("a.png", b"no picture", kind, &[], &[]).unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("a.png is no picture that can be read")
    );
}
