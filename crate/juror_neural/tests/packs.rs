//! Packs as the exporters write them, on rten: golden cases of PyTorch, two known faults, and everything that can be wrong with a
//! pack.
//!
//! `tests/golden/packs` holds narrow networks with random weights, written by `exporters/networks.py --small` and
//! `exporters/faults.py`.
#![cfg(all(feature = "rten", feature = "text"))]
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{Cursor, Read as _};
use std::path::Path;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use juror_image::{Rgb, encode_png};
use juror_neural::pack::{MANIFEST, Pack, PackFiles, Task, Weights};
use juror_neural::{
    Graph, Later, Neighbour, Network, Networks, NeuralError, Profile, Rten, Runner, Tensor, Tokens,
    Values, nearest,
};
use pollster::block_on;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

/// A pack in memory.
#[derive(Clone)]
struct Files(BTreeMap<String, Vec<u8>>);

impl PackFiles for Files {
    fn length(&mut self, file: &str) -> Result<u64, NeuralError> {
        Ok(self.file(file)?.len() as u64)
    }

    fn read(&mut self, file: &str, offset: u64, into: &mut [u8]) -> Result<usize, NeuralError> {
        let bytes = self.file(file)?;
        let rest = &bytes[usize::try_from(offset).unwrap().min(bytes.len())..];
        let length = rest.len().min(into.len());
        into[..length].copy_from_slice(&rest[..length]);
        Ok(length)
    }
}

impl Files {
    fn of(name: &str) -> Self {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/golden/packs");
        let bytes = std::fs::read(path.join(format!("{name}.zip"))).unwrap();
        let mut zip = zip::ZipArchive::new(Cursor::new(bytes)).unwrap();
        let mut files = BTreeMap::new();
        for at in 0..zip.len() {
            let mut entry = zip.by_index(at).unwrap();
            let mut bytes = Vec::new();
            entry.read_to_end(&mut bytes).unwrap();
            files.insert(entry.name().unwrap().into_owned(), bytes);
        }
        Self(files)
    }

    fn file(&self, file: &str) -> Result<&Vec<u8>, NeuralError> {
        self.0.get(file).ok_or_else(|| NeuralError::Unreadable {
            file: file.to_owned(),
            why: "there is no such file".to_owned(),
        })
    }

    /// The same pack with another list.
    fn with(&self, change: impl FnOnce(&mut Value)) -> Self {
        let mut list: Value = serde_json::from_slice(&self.0[MANIFEST]).unwrap();
        change(&mut list);
        let mut files = self.clone();
        files
            .0
            .insert(MANIFEST.to_owned(), list.to_string().into_bytes());
        files
    }

    /// The same pack with another file, and a list that fits it.
    fn with_file(&self, name: &str, bytes: Vec<u8>) -> Self {
        let mut files = self.with(|list| {
            for file in list["files"].as_array_mut().unwrap() {
                if file["name"] == name {
                    let digest = Sha256::digest(&bytes);
                    let digest = hex(&digest);
                    file["sha256"] = json!(digest);
                    file["bytes"] = json!(bytes.len());
                }
            }
        });
        files.0.insert(name.to_owned(), bytes);
        files
    }

    fn load(mut self, node: &str) -> Result<f64, NeuralError> {
        let pack = Pack::open(&mut self)?;
        Ok(block_on(pack.load(node, &mut self, &Rten))?
            .golden
            .deviation)
    }
}

fn hex(bytes: &[u8]) -> String {
    let mut text = String::new();
    for byte in bytes {
        write!(text, "{byte:02x}").unwrap();
    }
    text
}

fn picture(number: u32) -> Vec<u8> {
    let level = |x: u32, y: u32| {
        let is_bright = (8 + 5 * number..30 + 5 * number).contains(&x) && (10..30).contains(&y);
        if is_bright {
            [220, 30, 60]
        } else {
            [40, 90, 20]
        }
    };
    let places = (0..48).flat_map(|y| (0..64).map(move |x| (x, y)));
    let data = places.flat_map(|(x, y)| level(x, y)).collect();
    encode_png(&Rgb {
        width: 64,
        height: 48,
        data,
    })
    .unwrap()
}

fn networks(names: &[&str]) -> Networks {
    let mut networks = Networks::new(Box::new(Rten));
    for name in names {
        networks.open(Box::new(Files::of(name))).unwrap();
    }
    networks
}

#[test]
fn every_network_gives_what_pytorch_gave_on_all_golden_inputs() {
    for (name, node) in [
        ("clip", "image"),
        ("clip", "text"),
        ("aesthetics", "image"),
        ("inception", "image"),
        ("dino", "image"),
        ("lpips", "pair"),
        ("sketch", "image"),
        ("pose", "image"),
    ] {
        let off = Files::of(name)
            .load(node)
            .unwrap_or_else(|error| panic!("{name} {node}: {error}"));
        assert!(off <= 1e-4, "{name} {node}: {off}");
    }
}

#[test]
fn a_golden_number_that_is_changed_by_a_thousandth_is_found_and_nothing_is_computed() {
    for (name, node, file) in [
        ("clip", "image", "golden/image-0-embeds.npy"),
        ("dino", "image", "golden/image-0-tokens.npy"),
        ("lpips", "pair", "golden/pair-0-distance.npy"),
    ] {
        let files = Files::of(name);
        let mut bytes = files.0[file].clone();
        let last = bytes.len() - 4;
        let value = f32::from_le_bytes(bytes[last..].try_into().unwrap());
        bytes[last..].copy_from_slice(&(value + 0.01).to_le_bytes());
        let error = files.with_file(file, bytes).load(node).unwrap_err();
        assert!(
            matches!(error, NeuralError::Golden { case: 1, .. }),
            "{name}: {error}"
        );
        let words = format!("golden case 1 of {node}");
        assert!(error.to_string().contains(&words), "{error}");
        // The same number without the change is computed.
        assert!(files.load(node).is_ok(), "{name}");
    }
}

#[test]
fn the_two_known_faults_of_the_runner_are_refused_or_caught_by_the_golden_check() {
    let error = Files::of("cubic").load("image").unwrap_err();
    assert!(matches!(error, NeuralError::Refused { .. }), "{error}");
    assert!(error.to_string().contains("cubic kernel"), "{error}");
    let error = Files::of("argmax").load("image").unwrap_err();
    assert!(matches!(error, NeuralError::Golden { .. }), "{error}");
}

#[test]
fn an_argmax_is_told_and_what_the_exporters_write_has_none() {
    let caution = |name: &str, file: &str| {
        let graph = Graph::read(&Files::of(name).0[file]).unwrap();
        Rten.caution(&graph)
    };
    let words = caution("argmax", "image.onnx").unwrap();
    assert!(words.contains("last of equal largest numbers"), "{words}");
    assert_eq!(caution("clip", "text.onnx"), None);
    assert_eq!(caution("cubic", "image.onnx"), None);
}

/// The runner without its own list of faults.
struct Unlisted;

impl Runner for Unlisted {
    fn id(&self) -> &str {
        Rten.id()
    }

    fn backend(&self) -> &'static str {
        Rten.backend()
    }

    fn device(&self) -> &str {
        Rten.device()
    }

    fn refusal(&self, _: &Graph) -> Option<(&'static str, &'static str)> {
        None
    }

    fn caution(&self, _: &Graph) -> Option<&'static str> {
        None
    }

    fn open<'a>(
        &'a self,
        name: &'a str,
        graph: Vec<u8>,
        weights: Weights<'a>,
    ) -> Later<'a, Box<dyn Network>> {
        Rten.open(name, graph, weights)
    }
}

#[test]
fn the_golden_check_finds_the_cubic_resize_without_being_told_of_it() {
    let mut files = Files::of("cubic");
    let pack = Pack::open(&mut files).unwrap();
    let error = block_on(pack.load("image", &mut files, &Unlisted)).unwrap_err();
    assert!(matches!(error, NeuralError::Golden { .. }), "{error}");
    // The same runner has nothing against a pack that it computes rightly.
    let mut files = Files::of("dino");
    let pack = Pack::open(&mut files).unwrap();
    assert!(block_on(pack.load("image", &mut files, &Unlisted)).is_ok());
}

/// What becomes of a network's outputs.
type Change = fn(&mut Vec<Tensor>);

/// Runs on rten and answers a step later, with other outputs where it is asked to.
struct Late(Change);

/// A network of it.
struct LateNetwork(Box<dyn Network>, Change);

/// Is ready when it is looked at again.
async fn a_step() {
    let mut is_ready = false;
    std::future::poll_fn(|context| {
        let was_ready = std::mem::replace(&mut is_ready, true);
        context.waker().wake_by_ref();
        if was_ready {
            Poll::Ready(())
        } else {
            Poll::Pending
        }
    })
    .await;
}

impl Network for LateNetwork {
    fn run<'a>(
        &'a self,
        inputs: &'a [(&'a str, &'a Tensor)],
        outputs: &'a [&'a str],
    ) -> Later<'a, Vec<Tensor>> {
        Box::pin(async move {
            a_step().await;
            let mut found = self.0.run(inputs, outputs).await?;
            (self.1)(&mut found);
            Ok(found)
        })
    }
}

impl Runner for Late {
    fn id(&self) -> &'static str {
        "late 1"
    }

    fn backend(&self) -> &'static str {
        "gpu"
    }

    fn device(&self) -> &'static str {
        "of a test"
    }

    fn refusal(&self, graph: &Graph) -> Option<(&'static str, &'static str)> {
        Rten.refusal(graph)
    }

    fn caution(&self, graph: &Graph) -> Option<&'static str> {
        Rten.caution(graph)
    }

    fn open<'a>(
        &'a self,
        name: &'a str,
        graph: Vec<u8>,
        weights: Weights<'a>,
    ) -> Later<'a, Box<dyn Network>> {
        Box::pin(async move {
            a_step().await;
            let network = Rten.open(name, graph, weights).await?;
            Ok(Box::new(LateNetwork(network, self.0)) as Box<dyn Network>)
        })
    }
}

#[test]
fn a_runner_that_answers_later_gives_the_same_value_under_its_own_name() {
    let (a, b) = (picture(0), picture(4));
    let mut at_once = networks(&["dino"]);
    let mut later = Networks::new(Box::new(Late(|_| {})));
    later.open(Box::new(Files::of("dino"))).unwrap();
    let mut context = Context::from_waker(Waker::noop());
    assert!(
        pin!(at_once.check(Task::Dino))
            .poll(&mut context)
            .is_ready()
    );
    assert!(
        pin!(later.check(Task::Dino))
            .poll(&mut context)
            .is_pending()
    );
    let of = |networks: &mut Networks| {
        block_on(networks.compare(Task::Dino, Profile::Released, &a, &b)).unwrap()
    };
    assert_eq!(of(&mut at_once).to_bits(), of(&mut later).to_bits());
    assert_eq!([at_once.backend(), later.backend()], ["cpu", "gpu"]);
    assert_eq!(later.runner(), "late 1 of a test");
    let words = later.describe(Task::Dino, Profile::Released);
    assert!(words.contains("on late 1 of a test, released"), "{words}");
}

#[test]
fn outputs_that_are_not_the_graphs_are_refused_with_the_names_of_runner_and_network() {
    let load = |change: Change| {
        let mut files = Files::of("dino");
        let pack = Pack::open(&mut files).unwrap();
        block_on(pack.load("image", &mut files, &Late(change))).map(|loaded| loaded.golden.cases)
    };
    assert!(load(|_| {}).unwrap() > 0);
    let changes: [(Change, &str); 5] = [
        (|found| found.clear(), "gave 0 outputs of"),
        (|found| found.extend(found.clone()), "gave 2 outputs of"),
        (|found| found[0].shape = vec![17, 32], "shape [17, 32]"),
        (
            |found| {
                let Values::Reals(values) = &mut found[0].values else {
                    panic!("tokens are real numbers");
                };
                values.pop();
            },
            "gave 543 numbers of the shape [1, 17, 32]",
        ),
        (
            |found| found[0].values = Values::Whole(vec![0; 17 * 32]),
            "gave whole numbers",
        ),
    ];
    for (change, words) in changes {
        let error = load(change).unwrap_err();
        assert!(matches!(error, NeuralError::Output { .. }), "{error}");
        let error = error.to_string();
        for part in [words, "late 1 gave", "image.onnx of dino-small"] {
            assert!(error.contains(part), "{part}: {error}");
        }
    }
    // A wrong number is no wrong output, and the golden check finds it.
    let error = load(|found| {
        let Values::Reals(values) = &mut found[0].values else {
            panic!("tokens are real numbers");
        };
        values[0] += 0.1;
    });
    let error = error.unwrap_err();
    assert!(matches!(error, NeuralError::Golden { .. }), "{error}");
}

/// Takes weights slice by slice, and runs nothing.
#[derive(Default)]
struct Taking(RefCell<Vec<u8>>);

impl Runner for Taking {
    fn id(&self) -> &'static str {
        "taking"
    }

    fn backend(&self) -> &'static str {
        "cpu"
    }

    fn device(&self) -> &'static str {
        "cpu"
    }

    fn refusal(&self, _: &Graph) -> Option<(&'static str, &'static str)> {
        None
    }

    fn caution(&self, _: &Graph) -> Option<&'static str> {
        None
    }

    fn open<'a>(
        &'a self,
        name: &'a str,
        _: Vec<u8>,
        mut weights: Weights<'a>,
    ) -> Later<'a, Box<dyn Network>> {
        Box::pin(async move {
            for (file, length) in weights.list() {
                let mut taken = Vec::new();
                weights.slices(&file, &mut |slice| taken.extend_from_slice(slice))?;
                assert_eq!(taken.len() as u64, length);
                self.0.borrow_mut().extend(taken);
            }
            Err(NeuralError::Run {
                runner: "taking".to_owned(),
                file: name.to_owned(),
                why: "it takes only weights".to_owned(),
            })
        })
    }
}

#[test]
fn weights_come_in_slices_and_are_compared_with_their_hash_before_a_graph_is_loaded() {
    let load = |mut files: Files, taking: &Taking| {
        let pack = Pack::open(&mut files).unwrap();
        block_on(pack.load("image", &mut files, taking)).unwrap_err()
    };
    let (files, taking) = (Files::of("dino"), Taking::default());
    let error = load(files.clone(), &taking);
    assert!(matches!(error, NeuralError::Run { .. }), "{error}");
    assert!(*taking.0.borrow() == files.0["image.data"]);
    let mut changed = files;
    changed.0.get_mut("image.data").unwrap()[777] ^= 1;
    let error = load(changed, &Taking::default());
    assert!(
        matches!(&error, NeuralError::Changed { file, .. } if file == "image.data"),
        "{error}"
    );
}

#[test]
fn what_is_wrong_with_a_pack_is_named_with_its_file_and_the_mend() {
    let files = Files::of("dino");
    // Cut off.
    let mut cut = files.clone();
    cut.0.get_mut("image.data").unwrap().truncate(1000);
    let error = cut.load("image").unwrap_err().to_string();
    assert!(
        error.contains("image.data has 1000 bytes") && error.contains("copy the pack again"),
        "{error}"
    );
    // One byte of a weight.
    let mut changed = files.clone();
    changed.0.get_mut("image.data").unwrap()[777] ^= 1;
    let error = changed.load("image").unwrap_err();
    assert!(
        matches!(&error, NeuralError::Changed { file, .. } if file == "image.data"),
        "{error}"
    );
    // Not there.
    let mut gone = files.clone();
    gone.0.remove("image.onnx");
    let error = gone.load("image").unwrap_err().to_string();
    assert!(error.contains("image.onnx"), "{error}");
    // Another task, and a half that it does not have.
    let mut own = files.clone();
    let pack = Pack::open(&mut own).unwrap();
    let error = pack.require(Task::Lpips).unwrap_err().to_string();
    assert!(
        error.contains("computes dino") && error.contains("lpips is needed"),
        "{error}"
    );
    let error = files.clone().load("text").unwrap_err().to_string();
    assert!(error.contains("its half text"), "{error}");
    // A graph that is none, though its hash fits.
    let error = files
        .with_file("image.onnx", b"nonsense".to_vec())
        .load("image")
        .unwrap_err();
    assert!(matches!(error, NeuralError::Graph { .. }), "{error}");
}

#[test]
fn a_list_that_does_not_fit_together_is_refused() {
    let files = Files::of("dino");
    let refused = |change: &dyn Fn(&mut Value), word: &str| {
        let error = Pack::open(&mut files.with(|list| change(list)))
            .unwrap_err()
            .to_string();
        assert!(error.contains(word), "{word}: {error}");
    };
    refused(
        &|list| list["schema"] = json!("juror-model/2"),
        "juror-model/1",
    );
    refused(&|list| list["licence"] = json!(" "), "a licence");
    refused(&|list| list["task"] = json!("taste"), "taste");
    refused(
        &|list| list["golden"] = json!([]),
        "golden inputs and outputs of image",
    );
    refused(
        &|list| list["golden"][0]["tolerance"] = json!(0.5),
        "tolerance",
    );
    refused(
        &|list| list["nodes"]["image"]["weights"][0] = json!("other.data"),
        "other.data",
    );
    refused(
        &|list| list["files"][0]["name"] = json!("../image.onnx"),
        "paths inside the pack",
    );
    refused(
        &|list| list["files"][0]["sha256"] = json!("ff"),
        "64 hexadecimal digits",
    );
    refused(
        &|list| list["files"][0]["bytes"] = json!(5_u64 << 30),
        "more than",
    );
    refused(&|list| list["surprise"] = json!(1), "surprise");
    // Weights that the graph names and the list does not.
    let unlisted = files.with(|list| list["nodes"]["image"]["weights"] = json!([]));
    let error = unlisted.load("image").unwrap_err().to_string();
    assert!(
        error.contains("image.data, which pack.json does not name"),
        "{error}"
    );
}

#[test]
fn a_profile_that_a_pack_does_not_give_is_refused() {
    let released = Files::of("dino").with(|list| list["profile"] = json!("released"));
    let mut networks = Networks::new(Box::new(Rten));
    networks.open(Box::new(released)).unwrap();
    let (a, b) = (picture(0), picture(3));
    assert!(block_on(networks.compare(Task::Dino, Profile::Released, &a, &b)).is_ok());
    let error = block_on(networks.compare(Task::Dino, Profile::Standard, &a, &b)).unwrap_err();
    assert!(error.to_string().contains("standard profile"), "{error}");
}

#[test]
fn a_picture_is_nearer_to_itself_than_to_another() {
    let mut networks = networks(&["clip", "dino", "lpips"]);
    let (a, b) = (picture(0), picture(4));
    for task in [Task::Clip, Task::Dino, Task::Lpips] {
        for profile in [Profile::Released, Profile::Standard] {
            let same = block_on(networks.compare(task, profile, &a, &a)).unwrap();
            let other = block_on(networks.compare(task, profile, &a, &b)).unwrap();
            if task == Task::Lpips {
                assert!(
                    same == 0.0 && other > 1e-6,
                    "{task:?} {profile:?}: {same} {other}"
                );
            } else {
                assert!(
                    (same - 1.0).abs() < 1e-6 && other < same - 1e-6,
                    "{task:?} {profile:?}: {same} {other}"
                );
            }
        }
    }
    assert!(networks.deviation(Task::Clip).unwrap() <= 1e-4);
    assert_eq!(networks.deviation(Task::Depth), None);
    let words = networks.describe(Task::Clip, Profile::Standard);
    for part in ["clip-small sha256:", "rten 0.27 cpu", "standard"] {
        assert!(words.contains(part), "{words}");
    }
}

#[test]
fn a_picture_among_others_is_found_by_its_feature() {
    let mut networks = networks(&["clip", "dino", "lpips"]);
    for task in [Task::Clip, Task::Dino] {
        let features: Vec<Vec<f32>> = [0, 4, 7, 4]
            .map(|number| block_on(networks.embedding(task, &picture(number))).unwrap())
            .into();
        let length: f64 = features[0].iter().map(|one| f64::from(*one).powi(2)).sum();
        assert!((length - 1.0).abs() < 1e-5, "{task:?}: {length}");
        let found = nearest(&features.concat(), None, features[0].len());
        let found: Vec<Neighbour> = found.into_iter().map(Option::unwrap).collect();
        // The second and the last are one picture, and no other two are.
        assert_eq!((found[1].at, found[3].at), (3, 1), "{task:?}");
        assert!((found[1].cosine - 1.0).abs() < 1e-6, "{task:?}: {found:?}");
        for other in [found[0], found[2]] {
            assert!(other.cosine < found[1].cosine, "{task:?}: {found:?}");
        }
    }
    assert!(block_on(networks.embedding(Task::Lpips, &picture(0))).is_err());
}

#[test]
fn people_are_painted_at_the_pictures_own_size() {
    let mut networks = networks(&["pose"]);
    let drawn = block_on(networks.map(Task::Pose, &picture(4))).unwrap();
    assert_eq!(drawn.view().size(), (64, 48));
    let is_seen = |level: &u8| *level > 0;
    assert!(drawn.data().iter().any(is_seen) && !drawn.data().iter().all(is_seen));
    let other = block_on(networks.map(Task::Pose, &picture(0))).unwrap();
    assert_ne!(drawn.data(), other.data());
}

#[test]
fn captions_ratings_features_and_sketches_come_from_pictures_alone() {
    let mut networks = networks(&["clip", "aesthetics", "inception", "sketch"]);
    let (a, b) = (picture(0), picture(4));
    let of = |networks: &mut Networks, profile, text| {
        block_on(networks.caption(profile, text, &a)).unwrap()
    };
    let released = of(&mut networks, Profile::Released, "a red block");
    let standard = of(&mut networks, Profile::Standard, "a red block");
    assert!(
        (released.cosine - standard.cosine).abs() > 1e-6,
        "the released picture is nearly black"
    );
    assert!((standard.score - 100.0 * standard.cosine.max(0.0)).abs() < 1e-12);
    let other = of(&mut networks, Profile::Standard, "return the model");
    assert!((other.cosine - standard.cosine).abs() > 1e-6);
    let ratings = [&a, &b].map(|one| block_on(networks.rating(one)).unwrap());
    assert!(
        ratings[0].is_finite() && (ratings[0] - ratings[1]).abs() > 1e-9,
        "{ratings:?}"
    );
    assert_eq!(block_on(networks.inception(&a)).unwrap().len(), 128);
    // A narrow network's features are not Inception's.
    let error = block_on(networks.fid_multiref(&a)).unwrap_err().to_string();
    assert!(error.contains("2048 features"), "{error}");
    let lines = block_on(networks.map(Task::Sketch, &a)).unwrap();
    // 64 × 48 with its shorter side at 256.
    assert_eq!(lines.view().size(), (341_usize.next_multiple_of(4), 256));
    let error = block_on(networks.map(Task::Depth, &a))
        .unwrap_err()
        .to_string();
    assert!(error.contains("depth is needed"), "{error}");
}

#[test]
fn texts_are_cut_or_filled_up_to_the_length_that_the_pack_states() {
    let mut files = Files::of("clip");
    let pack = Pack::open(&mut files).unwrap();
    let rule = pack.node("text").unwrap().text.clone().unwrap();
    let json = pack.bytes(&mut files, &rule.tokenizer).unwrap();
    let tokens = Tokens::read(&json, &rule).unwrap();
    let ids = |text: &str| -> Vec<f64> {
        let Tensor { shape, .. } = tokens.ids(text).unwrap();
        assert_eq!(shape, [1, 77]);
        tokens.ids(text).unwrap().numbers()
    };
    let short = ids("model");
    let end = short[short.iter().position(|id| *id == 0.0).unwrap() - 1];
    assert_eq!(short[76].to_bits(), 0);
    let long = ids(&"return model ".repeat(60));
    assert!(!long.contains(&end), "what is cut off loses its end");
    assert_eq!(ids("MODEL"), short, "capitals are none");
}
