#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
use juror_image::encode_jpeg;
use juror_protocols::vibe::billiards::{Ball, RADIUS, Way, trace, verify};
use juror_statistics::random::SplitMix64;

use super::*;

/// Cases of each number of cushions.
fn cases(of_each: u32) -> Vec<Case> {
    let each = NUM_CUSHIONS.flat_map(|k| (1..=of_each).map(move |number| (k, number)));
    each.map(|(k, number)| case_over(11, number, Some(k)).unwrap())
        .collect()
}

/// What an answer is painted from.
struct Drawing {
    case: Case,
    way: Way,
    boxed: u8,
}

impl Drawing {
    fn right(case: &Case) -> Self {
        Self {
            case: case.clone(),
            way: case.way(),
            boxed: case.target,
        }
    }

    fn paint(&self) -> Rgb {
        let Case { layout, theta, .. } = &self.case;
        let mut shapes = table(layout, *theta, way_line(&self.way));
        let ball = layout.balls.iter().find(|ball| ball.n == self.boxed);
        shapes.extend(boxed(*ball.unwrap()));
        painted(&shapes).unwrap()
    }
}

/// How many were scored 1, could not be read, and were scored lower, in words that name those.
fn tally(cases: &[Case], change: impl Fn(Rgb) -> Rgb) -> ([u32; 3], Vec<String>) {
    let (mut counts, mut words) = ([0; 3], Vec::new());
    for case in cases {
        let picture = change(Drawing::right(case).paint());
        let found = checked(case, picture).unwrap();
        match found.score() {
            Some(1.0) => counts[0] += 1,
            score => {
                counts[1 + usize::from(score.is_some())] += 1;
                words.push(format!("{case:?}: {:?} {:?}", found.unsure(), found.check));
            }
        }
    }
    (counts, words)
}

#[test]
fn golden_answers_of_ten_cases_for_each_number_of_cushions_are_found_right() {
    let (counts, words) = tally(&cases(10), |picture| picture);
    assert_eq!(counts, [60, 0, 0], "{words:#?}");
}

#[test]
fn jpeg_and_other_sizes_change_no_verdict() {
    let mut cases = cases(3);
    // Blurred edges of its way and its balls are no further ball.
    cases.push(case_over(11, 30, Some(3)).unwrap());
    let jpeg = |picture: Rgb| {
        // Quality 75 with colours at half the resolution loses more than quality 90.
        let bytes = encode_jpeg(&picture).unwrap();
        decode_rgb(&bytes, &Limits::default()).unwrap()
    };
    let sized = |width, height| {
        move |picture: Rgb| resize(&picture, width, height, Filter::Bicubic).unwrap()
    };
    for (counts, words) in [
        tally(&cases, jpeg),
        tally(&cases, sized(1280, 800)),
        tally(&cases, sized(512, 320)),
    ] {
        assert_eq!(counts, [19, 0, 0], "{words:#?}");
    }
}

/// A way that is another one: the first of those to the left of the case's that can be followed without doubt.
fn turned(case: &Case) -> Way {
    let mut ways = (12..300).filter_map(|by| {
        let theta = case.theta + f64::from(by);
        let num_cushions = u32::try_from(trace(&case.layout, theta, 7).cushions.len()).unwrap();
        verify(&case.layout, theta, num_cushions).ok()
    });
    ways.next().unwrap()
}

/// Without the last cushion: from the one before it straight to the target.
fn shortened(case: &Case) -> Way {
    let mut way = case.way();
    way.points.remove(way.points.len() - 2);
    way.cushions.pop();
    way
}

/// A ball that is none of the case's, at a free place.
fn added(case: &Case) -> Ball {
    let n = (1..=15).find(|n| case.layout.balls.iter().all(|ball| ball.n != *n));
    let places = (0..14).flat_map(|x| (0..7).map(move |y| (x, y)));
    let mut free = places.map(|(x, y)| Ball {
        n: n.unwrap(),
        x: 100.0 + 60.0 * f64::from(x),
        y: 100.0 + 60.0 * f64::from(y),
    });
    let layout = &case.layout;
    let is_free = |ball: &Ball| {
        let mut others = layout.balls.iter().map(|other| other.centre());
        others.all(|other| other.distance(ball.centre()) > 4.0 * RADIUS)
            && layout.cue.distance(ball.centre()) > 6.0 * RADIUS
    };
    free.find(is_free).unwrap()
}

/// Whether context, path and collision are right.
fn decisions(found: &Checked) -> [bool; 3] {
    let Check {
        context,
        path,
        collision,
    } = &found.check;
    [context, path, collision].map(Result::is_ok)
}

#[test]
fn each_drawn_fault_is_found_by_the_decision_that_it_concerns() {
    type Fault = fn(&mut Drawing);
    let faults: [(&str, Fault, [bool; 3]); 6] = [
        (
            "another direction",
            |it| it.way = turned(&it.case),
            [true, false, true],
        ),
        (
            "one cushion fewer",
            |it| it.way = shortened(&it.case),
            [true, false, true],
        ),
        ("no way", |it| it.way.points.clear(), [true, false, true]),
        (
            "another ball in the box",
            |it| {
                let mut balls = it.case.layout.balls.iter().map(|ball| ball.n);
                it.boxed = balls.find(|n| *n != it.case.target).unwrap();
            },
            [true, true, false],
        ),
        (
            "a ball moved",
            |it| {
                let ball = it.case.layout.balls.iter_mut();
                let mut others = ball.filter(|ball| ball.n != it.boxed);
                others.next().unwrap().x += 14.0;
            },
            [false, true, true],
        ),
        (
            "a ball added",
            |it| it.case.layout.balls.push(added(&it.case)),
            [false, true, true],
        ),
    ];
    for case in cases(2) {
        for (name, fault, right) in faults {
            let mut drawing = Drawing::right(&case);
            fault(&mut drawing);
            let found = checked(&case, drawing.paint()).unwrap();
            assert_eq!(found.unsure(), [None; 3], "{name}: {case:?}");
            assert_eq!(
                decisions(&found),
                right,
                "{name}: {case:?} {:?}",
                found.check
            );
        }
    }
}

#[test]
fn a_table_in_other_colours_is_another_one_and_one_that_is_a_little_darker_is_not() {
    for case in cases(1) {
        let with = |by: u8| {
            let mut picture = Drawing::right(&case).paint();
            for pixel in picture.data.as_chunks_mut::<3>().0 {
                // The cloth, and what of it is mixed into edges.
                if pixel[0] > 190 && pixel[1] > 190 {
                    pixel[0] -= by;
                }
            }
            checked(&case, picture).unwrap()
        };
        assert_eq!(decisions(&with(90)), [false, true, true]);
        assert_eq!(with(15).score(), Some(1.0));
    }
}

/// Adds up to so many levels to every channel, or takes them away.
fn noisy(mut picture: Rgb, levels: i32) -> Rgb {
    let mut random = SplitMix64::new(1);
    let span = u64::from(levels.unsigned_abs()) * 2 + 1;
    for value in &mut picture.data {
        let by = i32::try_from((random.bits() >> 8) % span).unwrap() - levels;
        *value = u8::try_from((i32::from(*value) + by).clamp(0, 255)).unwrap();
    }
    picture
}

#[test]
fn noise_is_no_verdict_and_a_little_of_it_changes_none() {
    for case in cases(1) {
        let right = || Drawing::right(&case).paint();
        assert_eq!(
            checked(&case, noisy(right(), 12)).unwrap().score(),
            Some(1.0)
        );
        for levels in [90, 255] {
            let found = checked(&case, noisy(right(), levels)).unwrap();
            assert_eq!(found.unsure(), [Some(Unreadable::Noise); 3]);
            assert_eq!(found.score(), None);
        }
    }
}

#[test]
fn a_way_that_cannot_be_followed_and_a_mark_that_is_no_box_are_no_verdict() {
    let case = cases(1).pop().unwrap();
    let read = |shapes: &[Shape]| checked(&case, painted(shapes).unwrap()).unwrap();
    let mut scribbled = label(&case);
    let (green, red) = ([0x12, 0x96, 0x3c], [0xd6, 0x1f, 0x2c]);
    // As long as the way itself, and none of it.
    for at in 0..5 {
        let y = 90.0 + 100.0 * f64::from(at);
        scribbled.push(Shape::Line {
            points: vec![Point::new(90.0, y), Point::new(930.0, y + 40.0)],
            width: 4.0,
            rgb: green,
        });
    }
    let found = read(&scribbled);
    assert!(found.unsure()[1].is_some(), "{found:?}");
    assert_eq!(found.score(), None);
    let mut crossed = input(&case);
    let ball = case.layout.balls[0];
    crossed.push(Shape::Disc {
        at: ball.centre(),
        radius: 12.0,
        rgb: red,
    });
    let found = read(&crossed);
    assert_eq!(found.unsure()[2], Some(Unreadable::NoBox));
    let mut two = label(&case);
    let other = case.layout.balls.iter().find(|ball| ball.n != case.target);
    two.extend(boxed(*other.unwrap()));
    assert_eq!(
        read(&two).unsure(),
        [None, None, Some(Unreadable::ManyBoxes)]
    );
}

#[test]
fn other_proportions_small_pictures_and_truths_that_contradict_themselves_are_refused() {
    let mut case = cases(1).remove(0);
    let sized = |width, height| checked(&cases(1)[0], Rgb::filled(width, height, [9; 3]).unwrap());
    for (width, height) in [(1024, 1024), (1024, 600), (480, 300)] {
        let error = sized(width, height).unwrap_err().to_string();
        let found = format!("found {width} × {height}");
        assert!(
            error.contains("1024 × 640") && error.contains(&found),
            "{error}"
        );
    }
    assert!(sized(2048, 1280).is_ok());
    let error = check_picture(&case, b"no picture").unwrap_err().to_string();
    assert!(error.starts_with("no picture that can be read"), "{error}");
    case.target = case.target % 15 + 1;
    let error = check_picture(&case, b"").unwrap_err().to_string();
    assert!(error.contains("does not follow"), "{error}");
}

#[test]
fn counts_and_cushions_out_of_range_are_refused_with_the_range() {
    let choice = |count, cushions| {
        Maker::new(Choice {
            count,
            seed: 1,
            cushions,
        })
    };
    for (count, cushions, words) in [
        (0, None, "a number of cases from 1 to 9999, found 0"),
        (10_000, None, "found 10000"),
        (1, Some(8), "a number of cushions from 2 to 7, found 8"),
    ] {
        let error = choice(count, cushions).unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
    }
    assert!(choice(9999, Some(2)).is_ok());
}

#[test]
fn fields_of_a_form_are_read_as_the_options_of_the_command() {
    let largest = u64::MAX.to_string();
    let choice = Choice::read(" 9999 ", &largest, "7").unwrap();
    assert_eq!(
        (choice.count, choice.seed, choice.cushions),
        (9999, u64::MAX, Some(7))
    );
    assert_eq!(Choice::read("1", "0", " ").unwrap().cushions, None);
    for (count, seed, cushions, words) in [
        (
            "",
            "1",
            "",
            "a number of cases from 1 to 9999, found nothing.",
        ),
        ("0", "1", "", "a number of cases from 1 to 9999, found 0."),
        ("1.5", "1", "", "from 1 to 9999, found “1.5”."),
        (
            "1",
            "-1",
            "",
            "a seed from 0 to 18446744073709551615, found “-1”.",
        ),
        (
            "1",
            "18446744073709551616",
            "",
            "found “18446744073709551616”.",
        ),
        ("1", "1", "8", "a number of cushions from 2 to 7, found 8."),
        ("1", "1", "two", "from 2 to 7, found “two”."),
    ] {
        let error = Choice::read(count, seed, cushions).unwrap_err().to_string();
        assert!(
            error.starts_with("Expected a ") && error.ends_with(words),
            "{error}"
        );
    }
}

#[test]
fn a_list_has_its_cases_in_order_and_names_those_without_a_truth() {
    let choice = Choice::read("2", "3", "").unwrap();
    let mut maker = Maker::new(choice).unwrap();
    while maker.next_pictures().unwrap().is_some() {}
    let text = maker.list().unwrap().text;
    let found = listed(&text).unwrap();
    let ids: Vec<&str> = found.iter().map(|item| item.id.as_str()).collect();
    assert_eq!(ids, ["Billiards_0001", "Billiards_0002"]);
    assert_eq!(found[1].case.as_ref().unwrap(), &maker.cases()[1]);

    let mut items: serde_json::Value = serde_json::from_str(&text).unwrap();
    items[0].as_object_mut().unwrap().remove("billiards");
    let found = listed(&items.to_string()).unwrap();
    let why = found[0].case.as_ref().unwrap_err().to_string();
    assert!(why.starts_with("it has no truth"), "{why}");
    assert!(found[1].case.is_ok());
    items.as_array_mut().unwrap().remove(1);
    for text in [items.to_string().as_str(), "{}", "no list"] {
        let why = listed(text).unwrap_err().to_string();
        assert!(why.starts_with("is no list that juror make"), "{why}");
    }
}

#[test]
fn what_is_told_of_an_answer_is_what_its_line_says() {
    let case = cases(1).remove(0);
    let found = |shapes: &[Shape]| checked(&case, painted(shapes).unwrap()).unwrap();
    let right = found(&label(&case));
    assert!(
        right
            .told()
            .iter()
            .all(|told| told.outcome == Outcome::Right)
    );
    let whole: serde_json::Value = serde_json::from_str(&right.line(&case.id).unwrap()).unwrap();
    assert_eq!(whole["Billiards"]["score"], 1.0);

    let unchanged = found(&input(&case));
    let outcomes = unchanged.told().map(|told| told.outcome);
    assert_eq!(outcomes, [Outcome::Right, Outcome::Wrong, Outcome::Wrong]);
    let line: serde_json::Value = serde_json::from_str(&unchanged.line(&case.id).unwrap()).unwrap();
    for told in unchanged.told() {
        assert_eq!(line["Billiards"][told.name]["reason"], told.reason);
    }

    let mut two = label(&case);
    let other = case.layout.balls.iter().find(|ball| ball.n != case.target);
    two.extend(boxed(*other.unwrap()));
    let unsure = found(&two);
    let [_, _, told] = unsure.told();
    assert_eq!(told.outcome, Outcome::Unsure);
    let line: serde_json::Value = serde_json::from_str(&unsure.line(&case.id).unwrap()).unwrap();
    assert_eq!(line["unsure"][told.name], told.reason);
    assert!(line.get("Billiards").is_none());
}
