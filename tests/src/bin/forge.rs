//! Writes forged packs into a folder, for the tests of the page: `forge FOLDER`.
//!
//! Every way to forge a pack is there once, dealt out over the demo suites, beside each suite's pack as it was.
//!
//! `forge --additions FOLDER` writes each demo suite as it is, and with files of every kind about its rivals in a model's folder.

#[cfg(not(target_arch = "wasm32"))]
fn main() {
    use juror_tests::forge::containers::{KINDS_OF_ZIP, SOUND_ZIPS};
    use juror_tests::forge::fields::{KINDS_OF_FIELDS, KINDS_OF_FIELDS_OF_LISTS};
    use juror_tests::forge::people::{KINDS_OF_PEOPLE, KINDS_OF_RATINGS, with_people};
    use juror_tests::forge::rows::{KINDS_OF_ROWS, KINDS_OF_ROWS_OF_LISTS};
    use juror_tests::forge::{
        KINDS, KINDS_OF_CONTENT, KINDS_OF_SIGNATURES, KINDS_OF_THUMBNAILS, OWN, SUITES, changed,
        measured, packs, signed, small, unzip,
    };
    use juror_tests::program::Folder;

    let mut words = std::env::args_os().skip(1);
    let mut first = words.next().expect("forge [--additions] FOLDER");
    if first == "--additions" {
        first = words.next().expect("forge --additions FOLDER");
        return write_additions(std::path::Path::new(&first));
    }
    let out = std::path::PathBuf::from(first);
    std::fs::create_dir_all(&out).expect("the folder can be made");
    let write = |name: &str, pack: &[u8]| {
        std::fs::write(out.join(format!("{name}.zip")), pack).expect("the folder can be written");
    };
    let packs = packs();
    for suite in SUITES {
        write(suite, &juror_tests::forge::zipped(&packs[suite]));
    }
    let rows = KINDS_OF_ROWS.iter().chain(&KINDS_OF_ROWS_OF_LISTS);
    let kinds = OWN.iter().skip(1).chain(&KINDS).chain(&KINDS_OF_CONTENT);
    let fields = KINDS_OF_FIELDS.iter().chain(&KINDS_OF_FIELDS_OF_LISTS);
    let kinds = kinds.chain(fields).chain(rows);
    for ((kind, forge), suite) in kinds.zip(SUITES.into_iter().cycle()) {
        write(&format!("{suite}, {kind}"), &changed(&packs[suite], *forge));
    }
    let kinds = KINDS_OF_ZIP.iter().chain(&SOUND_ZIPS);
    for ((kind, write_zip), suite) in kinds.zip(SUITES.into_iter().cycle()) {
        write(&format!("{suite}, {kind}"), &write_zip(&packs[suite]));
    }
    let (_, sound) = signed();
    write("signed", &sound);
    for (kind, forge) in KINDS_OF_SIGNATURES {
        write(kind, &changed(&unzip(&sound), forge));
    }
    let sound = small();
    write("small pictures", &juror_tests::forge::zipped(&sound));
    for (kind, forge) in KINDS_OF_THUMBNAILS {
        write(kind, &changed(&sound, forge));
    }
    let [judges, people] = with_people();
    write("judges and people", &juror_tests::forge::zipped(&judges));
    write("people", &juror_tests::forge::zipped(&people));
    for (kind, forge) in KINDS_OF_PEOPLE {
        write(kind, &changed(&judges, forge));
    }
    for (kind, forge) in KINDS_OF_RATINGS {
        write(kind, &changed(&people, forge));
    }
    let folder = Folder::default();
    for name in measured(&folder) {
        let pack = std::fs::read(folder.path(&name)).expect("it was packed");
        write(name.trim_end_matches(".zip"), &pack);
    }
}

/// Each demo suite as it is, with every kind of file in a model's folder and below a rival's name in it, and with a journal
/// or with judge texts next to the models.
#[cfg(not(target_arch = "wasm32"))]
fn write_additions(out: &std::path::Path) {
    use juror_model::trust::{FileKind, FilePlace};
    use juror_tests::added::{About, Asked, RIVAL, added};
    use juror_tests::generate::File;
    use juror_tests::program::demo_suite;

    for (id, own) in [
        ("weave", "result/basalt-synth"),
        ("multibanana", "basalt-synth"),
        ("multiref", "basalt-synth"),
        ("vibe", "results/basalt-synth"),
        ("micon", "Evaluation/outputs/generations/basalt-synth"),
    ] {
        let suite = demo_suite(id);
        let asked = Asked::of(id, &suite);
        let all = |place: FilePlace, kinds: &[FileKind]| -> Vec<File> {
            let kinds = kinds.iter();
            let forms = kinds.flat_map(|kind| added(*kind, &asked, &suite, (place, About::Rivals)));
            forms.flat_map(|(_, files)| files).collect()
        };
        let deeper = format!("{own}/{RIVAL}");
        let plans = [
            ("plain", "", Vec::new()),
            ("own", own, all(FilePlace::Own, &FileKind::ALL)),
            (
                "deeper",
                &deeper,
                all(FilePlace::RivalsName, &FileKind::ALL),
            ),
            ("root", "", all(FilePlace::Root, &[FileKind::Journal])),
            ("texts", "", all(FilePlace::Root, &[FileKind::JudgeTexts])),
        ];
        for (name, at, more) in plans {
            let more = more.into_iter();
            let more = more.map(|(path, bytes)| (juror_model::tree::join(at, &path), bytes));
            // What a model has is not replaced.
            for (path, bytes) in more.chain(suite.iter().cloned()) {
                let to = out.join(id).join(name).join("suite").join(path);
                let folder = to.parent().expect("a file is in a folder");
                std::fs::create_dir_all(folder).expect("the folder can be made");
                std::fs::write(to, bytes).expect("the folder can be written");
            }
        }
    }
}

#[cfg(target_arch = "wasm32")]
fn main() {}
