//! `juror dar` over real files: what it prints and writes, and what it says about files that do not fit.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::process::Command;

use juror_metrics::{Array, Call, Dar, Focus, Layout, Reference, Side, Tensor};
use juror_tests::program::program;
use serde_json::Value;
use tempfile::TempDir;

fn wave(shape: &[usize]) -> Array {
    Array {
        shape: shape.to_vec(),
        data: (0..shape.iter().product::<usize>())
            .map(|at| ((at * 37 % 101) as f64 - 50.0) / 17.0)
            .collect(),
        is_bytes: false,
    }
}

/// A folder with Q and K as NPY, and both in one safetensors file as F32.
fn files() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let (q, k) = (wave(&[7, 2, 4]), wave(&[10, 2, 4]));
    let write = |name: &str, bytes: &[u8]| std::fs::write(folder.path().join(name), bytes).unwrap();
    write("q.npy", &q.to_npy());
    write("k.npy", &k.to_npy());
    let body = |array: &Array| -> Vec<u8> {
        #[expect(
            clippy::cast_possible_truncation,
            reason = "the file holds floats of 4 bytes"
        )]
        array
            .data
            .iter()
            .flat_map(|number| (*number as f32).to_le_bytes())
            .collect()
    };
    let (q, k) = (body(&q), body(&k));
    let header = format!(
        r#"{{"layer.q":{{"dtype":"F32","shape":[7,2,4],"data_offsets":[0,{0}]}},"layer.k":{{"dtype":"F32","shape":[10,2,4],"data_offsets":[{0},{1}]}}}}"#,
        q.len(),
        q.len() + k.len()
    );
    let mut file = (header.len() as u64).to_le_bytes().to_vec();
    file.extend(header.as_bytes());
    file.extend([q, k].concat());
    write("both.safetensors", &file);
    let mut broken = wave(&[10, 2, 4]);
    broken.data[21] = f64::NAN;
    write("nan.npy", &broken.to_npy());
    write("heads.npy", &wave(&[10, 3, 4]).to_npy());
    folder
}

/// Exit code, stdout, stderr.
fn dar(folder: &TempDir, args: &[&str]) -> (i32, String, String) {
    let mut command = Command::new(program());
    command.arg("dar").args(args).current_dir(folder.path());
    let output = command.output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (
        output.status.code().unwrap(),
        text(output.stdout),
        text(output.stderr),
    )
}

#[test]
fn the_report_is_the_crates_to_the_byte_and_arrays_are_written_beside() {
    let folder = files();
    let args = [
        "--q",
        "q.npy",
        "--k",
        "k.npy",
        "--references",
        "2x2,5:1x3",
        "--out",
        "out",
        "--full",
    ];
    let (code, out, said) = dar(&folder, &args);
    assert_eq!(code, 0, "{said}");
    let tensor = |array| Tensor::new("", array, Layout::TokensHeads).unwrap();
    let call = Call::new(
        tensor(wave(&[7, 2, 4])),
        tensor(wave(&[10, 2, 4])),
        Reference::list("2x2,5:1x3").unwrap(),
        Dar::default(),
    )
    .unwrap();
    let weighing = call.weigh();
    let maps = call.maps(&weighing.weights, Focus::default()).unwrap();
    let report = call.report(&weighing, Focus::default(), &maps, "cpu");
    assert_eq!(out, report.json());
    let read = |name: &str| {
        let bytes = std::fs::read(folder.path().join("out").join(name)).unwrap();
        Array::from_npy(&bytes).unwrap()
    };
    assert_eq!(read("weights.npy").data, weighing.weights);
    assert_eq!(read("after.npy").data, maps.after);
    let whole = call.attention(&weighing.weights, Side::After).unwrap();
    assert_eq!(read("attention_after.npy"), whole);
    assert_ne!(read("attention_before.npy"), whole);
    assert_eq!(read("sampled.npy").shape, [7, 2, 7]);
}

#[test]
fn safetensors_and_npy_of_the_same_numbers_agree_and_another_option_does_not() {
    let folder = files();
    let both = "both.safetensors";
    let of = |args: &[&str]| -> Value {
        let (code, out, said) = dar(&folder, args);
        assert_eq!(code, 0, "{said}");
        serde_json::from_str(&out).unwrap()
    };
    let named = [
        "--q",
        both,
        "--k",
        both,
        "--q-tensor",
        "layer.q",
        "--k-tensor",
        "layer.k",
    ];
    let references = ["--references", "6,4"];
    let one = of(&[&named[..], &references].concat());
    let other = of(&[&["--q", "q.npy", "--k", "k.npy"], &references[..]].concat());
    let each = of(&[&named[..], &references, &["--extent", "per_reference"]].concat());
    for at in 0..10 {
        let number = |report: &Value| report["tokens"]["after"][at].as_f64().unwrap();
        assert!((number(&one) - number(&other)).abs() < 1e-6, "{at}");
    }
    assert_eq!(one["tokens"]["weights"], other["tokens"]["weights"]);
    assert_ne!(one["tokens"]["weights"], each["tokens"]["weights"]);
    assert_eq!(each["options"]["extent"], "per_reference");
}

#[test]
fn what_does_not_fit_is_told_with_file_tensor_and_shape() {
    let folder = files();
    let q = ["--q", "q.npy"];
    for (args, words) in [
        (
            &["--k", "nan.npy"][..],
            &["K of nan.npy", "NaN at [2, 1, 1]"][..],
        ),
        (&["--k", "heads.npy"], &["K of 2 heads", "[10, 3, 4]"]),
        (
            &["--k", "both.safetensors"],
            &["both.safetensors", "layer.k, layer.q"],
        ),
        (
            &["--k", "both.safetensors", "--k-tensor", "v"],
            &["the tensor v"],
        ),
        (
            &["--k", "k.npy", "--references", "4x4"],
            &["at least 16 tokens", "[10, 2, 4]"],
        ),
        (
            &["--k", "k.npy", "--references", "2xtwo"],
            &["references", "2xtwo"],
        ),
        (
            &["--k", "k.npy", "--samples", "1"],
            &["samples", "at least 2"],
        ),
        (&["--k", "k.npy", "--head", "2"], &["the head", "0 to 1"]),
        (
            &["--k", "k.npy", "--extent", "all"],
            &["extent", "per_reference"],
        ),
        (&["--k", "gone.npy"], &["cannot read gone.npy"]),
    ] {
        let (code, out, said) = dar(&folder, &[&q, args].concat());
        assert_eq!((code, out.as_str()), (2, ""), "{args:?}");
        for word in words {
            assert!(said.contains(word), "{args:?}: {said}");
        }
    }
}

#[test]
fn a_sweep_has_a_row_for_each_setting_with_the_printed_scores_beside() {
    let folder = files();
    let of = |more: &[&str]| {
        let call = ["--q", "q.npy", "--k", "k.npy", "--references", "6,4"];
        dar(&folder, &[&call[..], more].concat())
    };
    let gamma = ["--sweep", "gamma=0.05,0.15,0.2"];
    let (code, out, said) = of(&[&gamma[..], &["--csv"]].concat());
    assert_eq!(code, 0, "{said}");
    let rows: Vec<Vec<&str>> = out.lines().map(|line| line.split(',').collect()).collect();
    let column = |name: &str| rows[0].iter().position(|known| *known == name).unwrap();
    let of_column = |name: &str| -> Vec<&str> {
        let at = column(name);
        rows[1..].iter().map(|row| row[at]).collect()
    };
    assert_eq!(of_column("gamma"), ["0.05", "0.15", "0.2"]);
    // 0.2 is not among the printed strengths.
    assert_eq!(of_column("printed_object"), ["86.11", "88.04", ""]);
    let moved = of_column("total_variation");
    let moved: Vec<f64> = moved.iter().map(|text| text.parse().unwrap()).collect();
    assert!(moved[0] < moved[1] && moved[1] < moved[2], "{moved:?}");
    // Other bounds than the paper's have no printed scores, and every combination a row.
    let (_, out, _) = of(&[&gamma[..], &["--sweep", "high=0.6,0.8"]].concat());
    let report: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(report["format"], "juror-dar-sweep/1");
    let rows = report["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 6);
    assert!(rows.iter().all(|row| row["printed"].is_null()));
    assert_eq!(
        (&rows[1]["gamma"], &rows[1]["high"]),
        (&Value::from(0.05), &Value::from(0.8))
    );
    for (sweep, word) in [
        ("tau=0.5", "gamma, high, low or samples"),
        ("gamma=0.5,x", "gamma=0.5,x"),
        ("gamma=0.5,2", "gamma to be 0 to 1"),
        ("low=0.7", "low and high"),
    ] {
        let (code, out, said) = of(&["--sweep", sweep]);
        assert_eq!((code, out.as_str()), (2, ""), "{sweep}");
        assert!(said.contains(word), "{sweep}: {said}");
    }
}
