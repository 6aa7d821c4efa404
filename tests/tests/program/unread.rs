//! Files that have a name and cannot be read: links, pipes, entries that a ZIP keeps to itself, texts beyond the limit, and
//! archives that nobody unpacked. They are no missing files, and each kind is one line.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::io::Write as _;

use juror_tests::generate::tiny_png;
use juror_tests::program::Folder;
use zip::write::SimpleFileOptions;

use super::names::{line, suite};

const IDS: [&str; 4] = ["1", "2", "3", "4"];

/// Mean and n of the overall total, the exit code and what was said.
#[track_caller]
fn total(folder: &Folder, words: &str) -> (Option<f64>, u64, i32, String) {
    let (code, out, said) = folder.run(&format!("score {words} --format csv"));
    let row = out.lines().find(|row| row.contains(",overall,all,total,"));
    let cells: Vec<&str> = row.unwrap_or(",,,,,,,,0").split(',').collect();
    (cells[7].parse().ok(), cells[8].parse().unwrap(), code, said)
}

/// The scores are 2, 4, 6 and 8 of 10: without the first, and in no profile with it as 0.
#[track_caller]
fn first_is_left_out(folder: &Folder, dirs: &str, word: &str) {
    for profile in ["paper", "released"] {
        let (mean, n, code, said) = total(folder, &format!("{dirs} --profile {profile}"));
        assert!((mean.unwrap() - 0.6).abs() < 1e-12, "{profile}: {mean:?}");
        assert_eq!((n, code), (3, 1), "{profile}: {said}");
        let lines = said.lines().filter(|line| line.contains(word));
        assert_eq!(lines.count(), 1, "{profile}: {said}");
        assert_eq!(said.lines().count(), 1, "{profile}: {said}");
    }
}

fn zipped(folder: &Folder, name: &str, files: &[(&str, &[u8])], links: &[(&str, &str)]) {
    let mut writer = zip::ZipWriter::new(std::fs::File::create(folder.path(name)).unwrap());
    let options = SimpleFileOptions::default();
    for (path, bytes) in files {
        writer.start_file(*path, options).unwrap();
        writer.write_all(bytes).unwrap();
    }
    for (path, target) in links {
        writer.add_symlink(*path, *target, options).unwrap();
    }
    writer.finish().unwrap();
}

/// A model as a ZIP, whose first picture is a link.
fn zip_with_link(folder: &Folder) {
    let lines: String = (1..).zip(IDS).map(|(at, idx)| line(idx, 2 * at)).collect();
    let png = tiny_png(9);
    let files = [
        ("result/model-b/metrics.jsonl", lines.as_bytes()),
        ("result/model-b/imgs/d1_2.png", &png),
        ("result/model-b/imgs/d2_2.png", &png),
        ("result/model-b/imgs/d3_2.png", &png),
    ];
    let links = [("result/model-b/imgs/d0_2.png", "../../shared/d0_2.png")];
    zipped(folder, "model-b.zip", &files, &links);
}

#[cfg(unix)]
mod links {
    use super::*;
    use std::os::unix::fs::symlink;

    fn with_link(target: &std::path::Path) -> Folder {
        let folder = suite(&IDS, &IDS);
        let picture = folder.path("model-a/imgs/d0_2.png");
        std::fs::remove_file(&picture).unwrap();
        symlink(target, picture).unwrap();
        folder
    }

    #[test]
    fn a_link_out_of_the_opened_folders_is_no_missing_output() {
        let other = Folder::default();
        other.write("a.png", &tiny_png(3));
        let folder = with_link(&other.path("a.png"));
        first_is_left_out(
            &folder,
            "bench model-a",
            "juror: error: 1 file could not be opened (first model-a/imgs/d0_2.png: This is a link to a place outside",
        );
        // With that place open the link is followed.
        let place = other.path("").display().to_string();
        let (mean, n, code, said) = total(&folder, &format!("bench model-a {place}"));
        assert_eq!((mean, n, code), (Some(0.5), 4, 0), "{said}");
    }

    #[test]
    fn a_link_to_a_disk_that_is_not_mounted_is_no_missing_output() {
        let folder = with_link(std::path::Path::new("/no/such/disk/a.png"));
        first_is_left_out(&folder, "bench model-a", "Mount the disk");
    }

    #[test]
    fn a_folder_of_outputs_on_a_disk_that_is_not_mounted_scores_nothing() {
        let folder = suite(&IDS, &IDS);
        let outputs = folder.path("model-a/imgs");
        std::fs::remove_dir_all(&outputs).unwrap();
        // Without the folder the replies are scored alone.
        let (mean, n, code, _) = total(&folder, "bench model-a");
        assert_eq!((mean, n, code), (Some(0.5), 4, 0));
        symlink("/no/such/disk/imgs", outputs).unwrap();
        for profile in ["paper", "released"] {
            let (mean, n, code, said) =
                total(&folder, &format!("bench model-a --profile {profile}"));
            assert_eq!((mean, n, code), (None, 0, 1), "{said}");
        }
    }

    #[test]
    fn a_missing_output_counts_as_the_paper_says() {
        // What the others would be if a file that cannot be read were a missing one.
        let folder = suite(&IDS, &IDS);
        std::fs::remove_file(folder.path("model-a/imgs/d0_2.png")).unwrap();
        let (mean, n, code, _) = total(&folder, "bench model-a --profile paper");
        assert_eq!((mean, n, code), (Some(0.45), 4, 0));
    }

    #[test]
    fn a_socket_is_no_missing_output() {
        let folder = suite(&IDS, &IDS);
        let picture = folder.path("model-a/imgs/d0_2.png");
        std::fs::remove_file(&picture).unwrap();
        let _socket = std::os::unix::net::UnixListener::bind(&picture).unwrap();
        first_is_left_out(&folder, "bench model-a", "a pipe, a socket or a device");
    }

    #[test]
    fn replies_behind_a_link_that_leads_nowhere_score_nothing_and_are_no_missing_ones() {
        let folder = suite(&IDS, &IDS);
        let replies = folder.path("model-a/metrics.jsonl");
        std::fs::remove_file(&replies).unwrap();
        symlink("/no/such/disk/metrics.jsonl", replies).unwrap();
        for profile in ["paper", "released"] {
            let (mean, n, code, said) =
                total(&folder, &format!("bench model-a --profile {profile}"));
            assert_eq!((mean, n, code), (None, 0, 1), "{said}");
            assert_eq!(said.lines().count(), 1, "{said}");
        }
    }

    /// The suite as the cache of Hugging Face keeps it.
    fn cache() -> Folder {
        let plain = suite(&IDS, &IDS);
        let folder = Folder::default();
        let repo = folder.path("datasets--who--bench");
        std::fs::create_dir_all(repo.join("blobs")).unwrap();
        folder.write("datasets--who--bench/refs/main", b"0a1b");
        let mut number = 0;
        let from = plain.path("");
        let mut open = vec![from.clone()];
        while let Some(dir) = open.pop() {
            for entry in std::fs::read_dir(dir).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    open.push(path);
                    continue;
                }
                number += 1;
                let blob = format!("{number:064x}");
                std::fs::copy(&path, repo.join("blobs").join(&blob)).unwrap();
                let below = path.strip_prefix(&from).unwrap();
                let link = repo.join("snapshots/0a1b").join(below);
                std::fs::create_dir_all(link.parent().unwrap()).unwrap();
                let up = "../".repeat(below.components().count() + 1);
                symlink(format!("{up}blobs/{blob}"), link).unwrap();
            }
        }
        folder
    }

    #[test]
    fn a_snapshot_of_the_hugging_face_cache_says_what_to_open_and_that_is_read() {
        let folder = cache();
        let (code, _, said) = folder.run("score datasets--who--bench/snapshots/0a1b");
        assert_eq!(code, 2, "{said}");
        let of_cache: Vec<&str> = said.lines().filter(|line| line.contains("Open ")).collect();
        assert_eq!(of_cache.len(), 1, "{said}");
        assert!(
            of_cache[0].contains("datasets--who--bench instead"),
            "{said}"
        );
        assert!(!said.contains("not JSON"), "{said}");
        let (mean, n, code, said) = total(&folder, "datasets--who--bench");
        assert_eq!((mean, n, code), (Some(0.5), 4, 0), "{said}");
        assert_eq!(said, "");
        let (_, found, _) = folder.run("inspect datasets--who--bench");
        assert!(found.contains("\"num_unknown_files\": 0"), "{found}");
    }
}

#[test]
fn an_entry_of_a_zip_that_is_a_link_is_no_missing_output() {
    let folder = suite(&IDS, &IDS);
    zip_with_link(&folder);
    first_is_left_out(&folder, "bench model-b.zip", "The entry is a link");
}

/// The same ZIP with two bytes of the record of its first picture exchanged.
fn zip_with(folder: &Folder, at: usize, field: [u8; 2]) {
    let lines: String = (1..).zip(IDS).map(|(at, idx)| line(idx, 2 * at)).collect();
    let png = tiny_png(9);
    let names: Vec<String> = (0..4)
        .map(|at| format!("result/model-b/imgs/d{at}_2.png"))
        .collect();
    let mut files: Vec<(&str, &[u8])> =
        names.iter().map(|name| (name.as_str(), &png[..])).collect();
    files.push(("result/model-b/metrics.jsonl", lines.as_bytes()));
    zipped(folder, "model-b.zip", &files, &[]);
    let mut bytes = std::fs::read(folder.path("model-b.zip")).unwrap();
    let record = bytes.windows(4).position(|four| four == b"PK\x01\x02");
    let place = record.unwrap() + at;
    bytes[place..place + 2].copy_from_slice(&field);
    folder.write("model-b.zip", &bytes);
}

#[test]
fn an_entry_of_a_zip_that_is_encrypted_or_packed_in_an_unknown_way_is_no_missing_output() {
    let folder = suite(&IDS, &IDS);
    zip_with(&folder, 8, [0, 0]);
    let (mean, n, code, said) = total(&folder, "bench model-b.zip");
    assert_eq!((mean, n, code), (Some(0.5), 4, 0), "{said}");
    zip_with(&folder, 8, [1, 0]);
    first_is_left_out(&folder, "bench model-b.zip", "The entry is encrypted");
    named_once(
        &folder,
        "The entry is encrypted",
        "Unpack the ZIP with its password",
    );
    zip_with(&folder, 10, [14, 0]);
    first_is_left_out(&folder, "bench model-b.zip", "a method other than deflate");
    named_once(
        &folder,
        "a method other than deflate",
        "Create the ZIP again",
    );
}

/// `inspect` names the entry in one line, with what helps and nothing else that would not.
#[track_caller]
fn named_once(folder: &Folder, word: &str, mend: &str) {
    let (code, _, said) = folder.run("inspect bench model-b.zip");
    let lines: Vec<&str> = said
        .lines()
        .filter(|line| line.contains("d0_2.png"))
        .collect();
    assert_eq!((lines.len(), code), (1, 1), "{said}");
    assert!(lines[0].contains(word) && lines[0].contains(mend), "{said}");
    assert!(!said.contains("Check that the file still exists"), "{said}");
}

#[test]
fn an_archive_in_an_opened_folder_is_named_by_every_command_that_counts() {
    let folder = suite(&IDS, &IDS);
    folder.write("model-a/part2.tar.gz", b"\x1f\x8b");
    folder.write("result/model-c.zip", b"PK\x05\x06");
    for words in [
        "score bench model-a result",
        "requests bench model-a result --engine text --out asked.txt",
        "inspect bench model-a result",
    ] {
        let (code, _, said) = folder.run(words);
        assert_eq!(code, 0, "{said}");
        assert!(said.contains("not opened"), "{words}: {said}");
        assert!(said.contains("Unpack it"), "{words}: {said}");
    }
    let (code, _, _) = folder.run("score bench model-a result --strict");
    assert_eq!(code, 1);
    let plain = suite(&IDS, &IDS);
    let (_, _, said) = plain.run("score bench model-a");
    assert!(!said.contains("not opened"), "{said}");
}

#[test]
fn a_text_beyond_the_limit_is_named_and_not_read() {
    let folder = suite(&IDS, &IDS);
    // It has no bytes on disk: nothing but its size is looked at.
    let file = std::fs::File::create(folder.path("journal.jsonl")).unwrap();
    file.set_len((512 << 20) + 1).unwrap();
    let began = std::time::Instant::now();
    for words in [
        "score bench model-a journal.jsonl",
        "inspect bench model-a journal.jsonl",
    ] {
        let (code, _, said) = folder.run(words);
        assert_eq!(code, 1, "{said}");
        assert!(
            said.contains("journal.jsonl: The text has more than 512 MiB"),
            "{said}"
        );
        assert!(said.contains("Split it"), "{said}");
    }
    assert!(began.elapsed().as_secs() < 60);
}

#[test]
fn a_small_zip_of_one_huge_text_is_told_at_once() {
    let folder = suite(&IDS, &IDS);
    // 80 MiB of lines that are empty but for a number now and then.
    let mut huge = Vec::new();
    for number in 0_u32..(80 << 10) {
        huge.extend([b'\n'; 1019]);
        huge.extend(number.to_string().bytes().cycle().take(5));
    }
    zipped(&folder, "journal.zip", &[("journal.jsonl", &huge)], &[]);
    let began = std::time::Instant::now();
    let (code, _, said) = folder.run("score bench model-a journal.zip");
    assert_eq!(code, 1, "{said}");
    assert!(said.contains("100 times their compressed size"), "{said}");
    assert!(began.elapsed().as_secs() < 30);
}

#[test]
fn a_picture_beyond_100_megapixels_is_refused_with_the_option_that_allows_it() {
    let folder = Folder::default();
    let mut png = tiny_png(1);
    // 12,000 × 10,000, and enough bytes behind it for so many pixels; they are none, which is found when it is allowed.
    png[16..24].copy_from_slice(&[0, 0, 0x2e, 0xe0, 0, 0, 0x27, 0x10]);
    png.resize(20_000, 0);
    folder.write("a.png", &png);
    let (code, _, said) = folder.run("metric mse a.png a.png");
    assert_eq!(code, 2);
    assert!(said.contains("above the limit of 100,000,000"), "{said}");
    assert!(said.contains("--max-megapixels"), "{said}");
    let (code, _, said) = folder.run("metric mse a.png a.png --max-megapixels 119");
    assert_eq!(code, 2);
    assert!(said.contains("above the limit of 119,000,000"), "{said}");
    let (code, _, said) = folder.run("metric mse a.png a.png --max-megapixels 120");
    assert_eq!(code, 2);
    assert!(
        !said.contains("limit") && said.contains("cannot be decoded"),
        "{said}"
    );
    let (code, _, said) = folder.run("metric mse a.png a.png --max-megapixels 1001");
    assert_eq!(code, 2);
    assert!(said.contains("1..=1000"), "{said}");
}

#[test]
fn a_folder_of_a_zip_that_is_a_link_has_no_missing_outputs() {
    let folder = suite(&IDS, &IDS);
    let png = tiny_png(9);
    let lines: String = (1..).zip(IDS).map(|(at, idx)| line(idx, 2 * at)).collect();
    let with = |links: &[(&str, &str)]| {
        let files = [
            ("result/model-b/metrics.jsonl", lines.as_bytes()),
            ("result/model-b/imgs/d1_2.png", &png),
            ("result/model-b/imgs/d2_2.png", &png),
            ("result/model-b/imgs/d3_2.png", &png),
        ];
        zipped(&folder, "model-b.zip", &files, links);
        total(&folder, "bench model-b.zip")
    };
    let (mean, n, code, said) = with(&[("result/model-b/more", "../shared")]);
    assert!((mean.unwrap() - 0.6).abs() < 1e-12);
    assert_eq!((n, code), (3, 1), "{said}");
    assert_eq!(said.lines().count(), 1, "{said}");
    // Without the link nobody knows of another place where the first one could be.
    let (mean, n, code, said) = with(&[]);
    assert_eq!((mean, n, code), (Some(0.45), 4, 0), "{said}");
}
