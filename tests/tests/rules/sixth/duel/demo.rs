//! The demo suite: four rounds in two themes, two models, one judge.

use juror_tests::generate::{File, tiny_png};

/// Every file of it.
pub(in super::super) fn files() -> Vec<File> {
    let file = |path: String, text: &str| (path, text.as_bytes().to_vec());
    let mut files = vec![file(
        "duelbench/rounds.duel".to_owned(),
        "r1\tsea\tA lighthouse.\nr2\tsea\tA boat.\nr3\tcity\tA tram.\nr4\tcity\tA bridge.\n",
    )];
    let pictures = [
        ("references", &["r1", "r2", "r3", "r4"][..], 40),
        ("outputs/amber", &["r1", "r2", "r3", "r4"], 120),
        ("outputs/birch", &["r1", "r2", "r3"], 200),
    ];
    for (folder, rounds, grey) in pictures {
        for round in rounds {
            let path = format!("duelbench/{folder}/{round}.png");
            files.push((path, tiny_png(grey)));
        }
    }
    // One line per reply: round, kind, reply.
    files.push(file(
        "duelbench/outputs/amber/judge-owl.tsv".to_owned(),
        "r1\tduel\tVerdict: win\nr1\tlook\t8\nr2\tduel\tVerdict: loss\nr2\tlook\t9\nr3\tduel\tVerdict: tie\nr3\tlook\t7\nr4\tduel\tVerdict: win\nr4\tlook\t10\n",
    ));
    files.push(file(
        "duelbench/outputs/birch/judge-owl.tsv".to_owned(),
        "r1\tduel\tVerdict: loss\nr1\tlook\t2\nr2\tduel\tVerdict: tie\nr2\tlook\t6\nr3\tduel\tVerdict: win\nr3\tlook\televen\n",
    ));
    files
}
