//! Writes forged packs into a folder, for the tests of the page: `forge FOLDER`.
//!
//! Every way to forge a pack is there once, dealt out over the demo suites, beside each suite's pack as it was.

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

    let out = std::path::PathBuf::from(std::env::args_os().nth(1).expect("forge FOLDER"));
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

#[cfg(target_arch = "wasm32")]
fn main() {}
