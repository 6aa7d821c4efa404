//! Objects of references in an output: crops by box files, on the small packs of `tests/golden/packs`.
#![cfg(all(feature = "rten", feature = "text", feature = "zip"))]
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::io::Cursor;
use std::path::Path;

use juror_image::{CropBox, Rgb, crop, encode_png};
use juror_neural::pack::Task;
use juror_neural::{BoxedPicture, Networks, NeuralError, Objects, Profile, Rten, ZippedPack};
use pollster::block_on;

const TASKS: [Task; 3] = [Task::Clip, Task::Dino, Task::Lpips];
const PROFILES: [Profile; 2] = [Profile::Released, Profile::Standard];
/// A box of 40 × 36 pixels, and the same one further to the right and lower.
const CAT: &str = r#""cat": [8, 6, 48, 42]"#;
const MOVED: &str = r#""cat": [50, 24, 90, 60]"#;

fn networks() -> Networks {
    let mut networks = Networks::new(Box::new(Rten));
    for name in ["clip", "dino", "lpips"] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/golden/packs");
        let bytes = std::fs::read(path.join(format!("{name}.zip"))).unwrap();
        let pack = ZippedPack::open(Cursor::new(bytes), name).unwrap();
        networks.open(Box::new(pack)).unwrap();
    }
    networks
}

/// A picture in which no two places look alike.
fn scene(seed: u32) -> Rgb {
    let mut picture = Rgb::filled(96, 64, [0; 3]).unwrap();
    for (at, pixel) in (0_u32..).zip(picture.data.chunks_exact_mut(3)) {
        let (x, y) = (at % 96, at / 96);
        let level =
            |factor: u32| u8::try_from((x * x * factor + y * (y + 7 + seed)) % 251).unwrap();
        let is_block = (20 + seed..60).contains(&x) && (12..40).contains(&y);
        *<&mut [u8; 3]>::try_from(pixel).unwrap() = if is_block {
            [220, 40, level(1)]
        } else {
            [level(1), level(2), level(3 + seed)]
        };
    }
    picture
}

fn boxes(objects: &str) -> Vec<u8> {
    let text = format!(
        r#"{{"format": "juror-boxes/1", "detector": "detector 1", "boxes": {{{objects}}}}}"#
    );
    text.into_bytes()
}

/// An output and references, each a picture and what its box file has.
fn value(
    networks: &mut Networks,
    (task, profile): (Task, Profile),
    output: (&Rgb, &str),
    references: &[(&Rgb, &str)],
) -> Result<f64, NeuralError> {
    let pictures = std::iter::once(&output).chain(references);
    let files: Vec<Vec<u8>> = pictures
        .flat_map(|(picture, objects)| [encode_png(picture).unwrap(), boxes(objects)])
        .collect();
    let numbers = 1..=references.len();
    let mut names = vec!["m/boxes/1.json".to_owned()];
    names.extend(numbers.map(|number| format!("data/boxes/1.R{number}.json")));
    let objects = Objects::of(&files, &names)?;
    block_on(networks.objects(task, profile, &objects))
}

#[test]
fn the_same_crop_is_alike_and_another_box_changes_the_value() {
    let mut networks = networks();
    let (a, b) = (scene(0), scene(5));
    for kind in TASKS
        .into_iter()
        .flat_map(|task| PROFILES.map(|one| (task, one)))
    {
        let mut of =
            |output: (&Rgb, &str)| value(&mut networks, kind, output, &[(&a, CAT)]).unwrap();
        let (same, moved, other) = (of((&a, CAT)), of((&a, MOVED)), of((&b, CAT)));
        if kind.0 == Task::Lpips {
            assert_eq!(same.to_bits(), 0, "{kind:?}");
            assert!(moved > 1e-6 && other > 1e-6, "{kind:?}: {moved} {other}");
        } else {
            assert!((same - 1.0).abs() < 1e-6, "{kind:?}: {same}");
            assert!(
                moved < same - 1e-6 && other < same - 1e-6,
                "{kind:?}: {moved} {other}"
            );
        }
        assert!((moved - other).abs() > 1e-9, "{kind:?}");
    }
}

#[test]
fn a_value_is_that_of_the_two_crops_as_pictures_of_their_own() {
    let mut networks = networks();
    let (a, b) = (scene(0), scene(5));
    let cut = |picture: &Rgb, [left, top, right, bottom]: [u32; 4]| {
        let part = CropBox {
            left,
            top,
            right,
            bottom,
        };
        encode_png(&crop(picture, part).unwrap()).unwrap()
    };
    let (wanted, found) = (cut(&a, [8, 6, 48, 42]), cut(&b, [50, 24, 90, 60]));
    for kind in TASKS
        .into_iter()
        .flat_map(|task| PROFILES.map(|one| (task, one)))
    {
        let of_boxes = value(&mut networks, kind, (&b, MOVED), &[(&a, CAT)]).unwrap();
        let (task, profile) = kind;
        let of_crops = block_on(networks.compare(task, profile, &wanted, &found)).unwrap();
        assert_eq!(of_boxes.to_bits(), of_crops.to_bits(), "{kind:?}");
        let other = block_on(networks.compare(task, profile, &wanted, &cut(&b, [49, 24, 89, 60])));
        assert_ne!(of_boxes.to_bits(), other.unwrap().to_bits(), "{kind:?}");
    }
}

#[test]
fn a_crop_of_another_size_is_brought_to_the_references_by_bicubic_and_not_by_lanczos() {
    let mut networks = networks();
    let (a, b) = (scene(0), scene(5));
    let kind = (Task::Lpips, Profile::Released);
    let wide = r#""cat": [4, 2, 70, 50]"#;
    let found = value(&mut networks, kind, (&b, wide), &[(&a, CAT)]).unwrap();
    let part = |left, top, right, bottom| CropBox {
        left,
        top,
        right,
        bottom,
    };
    let wanted = encode_png(&crop(&a, part(8, 6, 48, 42)).unwrap()).unwrap();
    let own = crop(&b, part(4, 2, 70, 50)).unwrap();
    let resized = |filter| encode_png(&juror_image::resize(&own, 40, 36, filter).unwrap()).unwrap();
    let mut of = |filter| {
        let candidate = resized(filter);
        block_on(networks.compare(kind.0, kind.1, &wanted, &candidate)).unwrap()
    };
    assert_eq!(found.to_bits(), of(juror_image::Filter::Bicubic).to_bits());
    assert_ne!(found.to_bits(), of(juror_image::Filter::Lanczos).to_bits());
}

#[test]
fn the_mean_is_over_every_object_of_every_reference() {
    let mut networks = networks();
    let (a, b, output) = (scene(0), scene(5), scene(2));
    let hat = r#""hat": [40, 20, 80, 60]"#;
    let both = format!("{CAT}, {hat}");
    for task in TASKS {
        let kind = (task, Profile::Released);
        let mut of = |references: &[(&Rgb, &str)], own: &str| {
            value(&mut networks, kind, (&output, own), references).unwrap()
        };
        let [cat, hat_of_a] = [CAT, hat].map(|one| of(&[(&a, one)], one));
        let cat_of_b = of(&[(&b, CAT)], CAT);
        let all = of(
            &[(&a, &both), (&b, r#""cat": [8, 6, 48, 42], "hat": null"#)],
            &both,
        );
        assert!(
            (all - (cat + hat_of_a + cat_of_b) / 3.0).abs() < 1e-12,
            "{task:?}"
        );
        // A mean of the references' means is another number.
        let other = f64::midpoint(f64::midpoint(cat, hat_of_a), cat_of_b);
        assert!((all - other).abs() > 1e-9, "{task:?}");
    }
}

#[test]
fn an_object_that_the_output_lacks_is_named_and_there_is_no_value() {
    let mut networks = networks();
    let (a, output) = (scene(0), scene(2));
    let both = format!(r#"{CAT}, "hat": [40, 20, 80, 60]"#);
    let kind = (Task::Clip, Profile::Released);
    for own in [CAT.to_owned(), format!(r#"{CAT}, "hat": null"#)] {
        let error = value(&mut networks, kind, (&output, &own), &[(&a, &both)]).unwrap_err();
        let NeuralError::Missing { file, objects } = &error else {
            panic!("{error}");
        };
        assert_eq!((file.as_str(), objects.as_str()), ("m/boxes/1.json", "hat"));
    }
    assert!(value(&mut networks, kind, (&output, &both), &[(&a, &both)]).is_ok());
    // What no reference shows is asked of no output.
    let of_reference = format!(r#"{CAT}, "hat": null"#);
    assert!(value(&mut networks, kind, (&output, CAT), &[(&a, &of_reference)]).is_ok());
}

#[test]
fn boxes_that_cannot_be_used_are_named_with_their_file_and_the_fix() {
    let mut networks = networks();
    let (a, output) = (scene(0), scene(2));
    let mut refused = |kind, own: &str, wanted: &str| {
        let error = value(&mut networks, kind, (&output, own), &[(&a, wanted)]).unwrap_err();
        assert!(matches!(error, NeuralError::Boxes { .. }), "{error}");
        error.to_string()
    };
    let clip = (Task::Clip, Profile::Released);
    let dog = format!(r#"{CAT}, "dog": [0, 0, 40, 40]"#);
    let error = refused(clip, &dog, CAT);
    for word in [
        "m/boxes/1.json: \"dog\"",
        "data/boxes/1.R1.json",
        "use a name of theirs: cat",
    ] {
        assert!(error.contains(word), "{word}: {error}");
    }
    let error = refused(clip, r#""cat": [0, 0, 97, 40]"#, CAT);
    assert!(error.starts_with("m/boxes/1.json: the box"), "{error}");
    let error = refused(clip, CAT, r#""cat": [9, 9, 9, 40]"#);
    assert!(
        error.starts_with("data/boxes/1.R1.json: the box"),
        "{error}"
    );
    let error = refused(clip, "", "");
    assert!(error.contains("no reference has a box"), "{error}");
    // AlexNet's pooling ends below 31 pixels; the features of the others do not.
    let small = r#""cat": [0, 0, 30, 40]"#;
    let error = refused((Task::Lpips, Profile::Released), CAT, small);
    assert!(
        error.contains("\"cat\"") && error.contains("30 × 40"),
        "{error}"
    );
    let least = r#""cat": [0, 0, 31, 40]"#;
    for (task, wanted) in [
        (Task::Clip, small),
        (Task::Dino, small),
        (Task::Lpips, least),
    ] {
        let kind = (task, Profile::Released);
        assert!(
            value(&mut networks, kind, (&output, CAT), &[(&a, wanted)]).is_ok(),
            "{task:?}"
        );
    }
}

#[test]
fn lpips_of_a_crop_grows_with_noise() {
    let mut networks = networks();
    let a = scene(0);
    let noisy = |strength: u32| {
        let mut picture = a.clone();
        for (at, byte) in (0_u32..).zip(&mut picture.data) {
            let noise = (at.wrapping_mul(2_654_435_761) >> 16) % (2 * strength + 1);
            let level = u32::from(*byte) + noise;
            *byte = u8::try_from(level.saturating_sub(strength).min(255)).unwrap();
        }
        picture
    };
    for profile in PROFILES {
        let kind = (Task::Lpips, profile);
        let levels = [0, 20, 80].map(|strength| {
            let output = noisy(strength);
            value(&mut networks, kind, (&output, CAT), &[(&a, CAT)]).unwrap()
        });
        assert_eq!(levels[0].to_bits(), 0);
        assert!(levels[0] < levels[1] && levels[1] < levels[2], "{levels:?}");
    }
}

#[test]
fn a_record_names_the_detector_the_convention_and_what_was_chosen() {
    let networks = networks();
    let picture = encode_png(&scene(0)).unwrap();
    let own = boxes(CAT);
    let by_hand = String::from_utf8(own.clone()).unwrap();
    let by_hand = by_hand.replace("detector 1", "by hand").into_bytes();
    let with = |boxes| BoxedPicture {
        picture: &picture[..],
        boxes,
        file: "boxes/1.json",
    };
    let objects = Objects {
        output: with(&own[..]),
        references: vec![with(&by_hand), with(&own)],
    };
    for (kind, convention) in [
        ((Task::Clip, Profile::Released), "cosine of crops"),
        ((Task::Dino, Profile::Released), "(cos + 1) / 2"),
        ((Task::Dino, Profile::Standard), "cosine of class tokens"),
        (
            (Task::Lpips, Profile::Released),
            "from 0 to 1, Pillow bicubic",
        ),
        (
            (Task::Lpips, Profile::Standard),
            "from -1 to 1, Pillow bicubic",
        ),
    ] {
        let words = networks.describe_objects(kind.0, kind.1, &objects);
        for part in [
            "-small sha256:",
            "rten 0.27 cpu",
            convention,
            "boxes by by hand and detector 1",
            "no value",
        ] {
            assert!(words.contains(part), "{part}: {words}");
        }
    }
    // Another box is another comparison.
    let changed = Objects {
        references: vec![with(&by_hand), with(&by_hand)],
        ..objects.clone()
    };
    assert_ne!(objects.fingerprint(), changed.fingerprint());
    assert_eq!(objects.fingerprint(), objects.clone().fingerprint());
}

#[test]
fn a_reference_without_a_box_file_is_an_error() {
    let files = [vec![], vec![], vec![]];
    let names = ["a".to_owned(), "b".to_owned()];
    assert!(Objects::of(&files, &names).is_err());
    assert!(Objects::of(&files[..2], &names[..1]).is_err());
}
