//! Whose files count for whom, where they come as real ZIPs and folders: the cells of the table of [`juror_model::trust`] that
//! the program lists by itself.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use juror_model::trust::{Audience, FileKind, FilePlace, audience};
use juror_tests::added::{About, Asked, OWN, added, is_of_a_model};
use juror_tests::forge::zipped;
use juror_tests::generate::File;
use juror_tests::program::{Folder, demo_suite};
use serde_json::{Value, json};

/// Suites whose models' folders lie side by side, and among which every kind of file means something.
const SUITES: [&str; 2] = ["multibanana", "multiref"];

/// What the program prints of the models that files are about, where files of a kind would say something, and what they were judged by.
fn printed(
    folder: &Folder,
    (kind, about): (FileKind, About),
    (opened, more): (&str, &str),
) -> Vec<Value> {
    let is_of = |name: &str| about.models().contains(&name);
    if kind == FileKind::Labels {
        let (_, out, _) = folder.run(&format!("labels {opened} {more} --what set"));
        let lines = out.lines().filter(|line| line.split(',').any(is_of));
        return lines.map(|line| json!(line)).collect();
    }
    // People are scored where they are chosen.
    let people = match kind {
        FileKind::Ratings => " --judge people",
        _ => "",
    };
    let (_, out, said) = folder.run(&format!("score {opened} --replies {more}{people}"));
    if said.contains("no reply is by the judge \"people\"") {
        return Vec::new();
    }
    let report: Value = serde_json::from_str(&out).unwrap();
    let parts = ["scores", "samples", "incidents"].into_iter();
    let rows = parts.flat_map(|part| report[part].as_array().unwrap());
    let rows = rows.filter(|row| row["model"].as_str().is_some_and(is_of));
    let mut shown: Vec<Value> = rows.cloned().collect();
    shown.push(report["provenance"]["prompts"].clone());
    shown
}

fn write(folder: &Folder, at: &str, files: &[File]) {
    for (path, bytes) in files {
        folder.write(&juror_model::tree::join(at, path), bytes);
    }
}

/// A ZIP of a model's folder, with more in it.
fn zip_of(own: &[File], more: &[File]) -> Vec<u8> {
    let more = more.iter();
    let more = more.map(|(path, bytes)| (format!("{OWN}/{path}"), bytes.clone()));
    // What the model has is not replaced.
    zipped(&more.chain(own.iter().cloned()).collect())
}

#[test]
fn what_a_real_zip_of_a_models_folder_holds_beside_its_files_changes_no_row_of_a_rival() {
    for id in SUITES {
        let suite = demo_suite(id);
        let asked = Asked::of(id, &suite);
        let is_own = |file: &File| file.0.starts_with(&format!("{OWN}/"));
        let (own, others): (Vec<File>, Vec<File>) = suite.iter().cloned().partition(is_own);
        let folder = Folder::default();
        write(&folder, "others", &others);
        let plain = format!("plain/{OWN}.zip");
        folder.write(&plain, &zip_of(&own, &[]));
        // What is added is read.
        let of_owner = (FileKind::Journal, About::Owner);
        let added_of_owner = added(of_owner.0, &asked, &suite, (FilePlace::Zip, of_owner.1));
        let own_before = printed(&folder, of_owner, ("others", &plain));
        for (form, added) in added_of_owner {
            let more = format!("own{form}/{OWN}.zip");
            folder.write(&more, &zip_of(&own, &added));
            let is_same = own_before == printed(&folder, of_owner, ("others", &more));
            assert!(!is_same, "{id}: {form}");
        }
        for kind in FileKind::ALL {
            let before = printed(&folder, (kind, About::Rivals), ("others", &plain));
            let place = (FilePlace::Zip, About::Rivals);
            for (form, added) in added(kind, &asked, &suite, place) {
                let more = format!("{kind:?}{form}/{OWN}.zip");
                folder.write(&more, &zip_of(&own, &added));
                let after = printed(&folder, (kind, About::Rivals), ("others", &more));
                let first = before.iter().zip(&after).find(|(one, other)| one != other);
                assert!(before == after, "{id}: {kind:?} {form}: {first:?}");
            }
        }
    }
}

#[test]
fn a_real_folder_named_by_an_argument_changes_rows_of_a_rival_by_the_kinds_that_count_for_all_alone()
 {
    let mut changing = Vec::new();
    for id in SUITES {
        let suite = demo_suite(id);
        let asked = Asked::of(id, &suite);
        let folder = Folder::default();
        write(&folder, "suite", &suite);
        let results = suite.iter().filter(|(path, _)| is_of_a_model(path));
        let results: Vec<File> = results.cloned().collect();
        write(&folder, "results", &results);
        for kind in FileKind::ALL {
            // Of a list the benchmark itself is what is added.
            let opened = match kind {
                FileKind::List => "results",
                _ => "suite",
            };
            folder.write("nothing/extra/empty.txt", b"");
            let before = printed(&folder, (kind, About::Rivals), (opened, "nothing/extra"));
            let place = (FilePlace::Named, About::Rivals);
            for (form, added) in added(kind, &asked, &suite, place) {
                let more = format!("{kind:?}{form}/extra");
                folder.write(&format!("{more}/empty.txt"), b"");
                write(&folder, &more, &added);
                let is_same = before == printed(&folder, (kind, About::Rivals), (opened, &more));
                let counts = audience(kind, FilePlace::Named);
                assert!(is_same || counts == Audience::All, "{id}: {kind:?} {form}");
                if !is_same {
                    changing.push(kind);
                }
            }
        }
    }
    // What agents did is in no row of a report.
    let is_told = |kind: &FileKind| {
        audience(*kind, FilePlace::Named) == Audience::All && *kind != FileKind::Trajectories
    };
    let all: Vec<FileKind> = FileKind::ALL.into_iter().filter(is_told).collect();
    changing.sort_unstable();
    changing.dedup();
    assert_eq!(changing, all);
}
