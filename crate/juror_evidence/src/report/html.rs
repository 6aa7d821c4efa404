//! Reports for browsers: plain tables, the list of a static site, and the page in one file with a pack inside.

use std::fmt::Write as _;

use sha2::{Digest, Sha256};

use super::tables::{Cell, Table, Tables, caption, legend};
use crate::pack::{Manifest, Verification};
use juror_judging::{base64, percent_encode};
use juror_reading::count::counted;
use juror_reading::escape::html as escape;

/// The style sheet of [`index`].
pub const STYLE: &str = include_str!("site.css");
/// What `robots.txt` says where nothing is to be indexed.
pub const ROBOTS: &str = "User-agent: *\nDisallow: /\n";

/// Where the page in one file keeps a pack; `build/single.ts` writes it empty.
const SLOT: &str = r#"<script type="application/octet-stream" id="juror-payload-report">"#;
const SLOT_END: &str = "</script>";

/// Puts a pack into the page in one file, in the place of one that is there; `None` if the page has no one place for it.
///
/// The same page and pack give the same bytes.
pub fn with_pack(page: &str, pack: &[u8]) -> Option<String> {
    let (before, rest) = page.split_once(SLOT)?;
    let (_, after) = rest.split_once(SLOT_END)?;
    if after.contains(SLOT) {
        return None;
    }
    Some([before, SLOT, &base64(pack), SLOT_END, after].concat())
}

/// Whether search engines may list a page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Robots {
    /// Not.
    #[default]
    KeepOut,
    /// As any other page.
    Index,
}

impl Robots {
    /// The element for a page's head, with a line end; empty where there is nothing to say.
    pub fn meta(self) -> &'static str {
        match self {
            Self::KeepOut => "<meta name=\"robots\" content=\"noindex, nofollow\" />\n",
            Self::Index => "",
        }
    }
}

/// A page with what search engines are told in its head.
pub fn with_robots(page: &str, robots: Robots) -> String {
    page.replacen(
        "<head>",
        &format!("<head>\n{}", robots.meta().trim_end()),
        1,
    )
}

/// What a browser is told of a text that it must be: its SHA-256 in base64, as in the `integrity` of scripts.
pub fn integrity(text: &str) -> String {
    format!("sha256-{}", base64(&Sha256::digest(text)))
}

/// A pack on a static site.
#[derive(Clone, Debug)]
pub struct Listed {
    /// Its file below `packs/`.
    pub file: String,
    /// Its size in bytes.
    pub bytes: u64,
    /// What it states.
    pub manifest: Manifest,
    /// What became of checking it.
    pub checked: Verification,
    /// What was recomputed from its replies.
    pub tables: Tables,
}

/// The list of a static site: `app/` beside it holds the viewer, `packs/` the packs. It needs no script.
pub fn index(packs: &[Listed], robots: Robots) -> String {
    let mut out = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\" />\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'\" />\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\" />\n\
         <meta name=\"generator\" content=\"{GENERATOR} {}\" />\n{}\
         <title>{}</title>\n<link rel=\"icon\" href=\"app/icon.svg\" />\n<link rel=\"stylesheet\" href=\"site.css\" />\n</head>\n<body>\n<main>\n<h1>{}</h1>\n",
        env!("CARGO_PKG_VERSION"),
        robots.meta(),
        escape(&heading(packs)),
        escape(&heading(packs)),
    );
    out += "<p>Every number below was recomputed from the judges’ raw replies when this page was made. \
            The viewer computes it once more, in your browser, and shows each sample, request and reply behind it.</p>\n";
    let titles = titles(packs);
    if packs.len() > 1 {
        out += "<ul>\n";
        for ((number, pack), title) in (1..).zip(packs).zip(&titles) {
            // Writing to a string cannot fail.
            let _ = writeln!(
                out,
                "<li><a href=\"#pack-{number}\">{}</a>: {}</li>",
                escape(title),
                escape(&pack.manifest.models.join(", "))
            );
        }
        out += "</ul>\n";
    }
    for ((number, pack), title) in (1..).zip(packs).zip(&titles) {
        section(number, title, pack, &mut out);
    }
    out += "</main>\n</body>\n</html>\n";
    out
}

/// What a site's list says it was made by.
pub const GENERATOR: &str = "Juror site";

fn heading(packs: &[Listed]) -> String {
    let mut titles: Vec<&str> = Vec::new();
    for pack in packs {
        if !titles.contains(&pack.manifest.title.as_str()) {
            titles.push(&pack.manifest.title);
        }
    }
    format!("Scores: {}", titles.join(", "))
}

/// A title for each pack: its benchmark's, with its file where several packs are of one benchmark.
fn titles(packs: &[Listed]) -> Vec<String> {
    let title = |pack: &Listed| {
        let same = packs
            .iter()
            .filter(|other| other.manifest.title == pack.manifest.title);
        if same.count() == 1 {
            return pack.manifest.title.clone();
        }
        format!("{}: {}", pack.manifest.title, pack.file)
    };
    packs.iter().map(title).collect()
}

fn section(number: u32, title: &str, pack: &Listed, out: &mut String) {
    let Listed {
        file,
        bytes,
        manifest,
        checked,
        tables,
    } = pack;
    let address = percent_encode(file);
    // An address in an address: its own escapes are escaped.
    let linked = percent_encode(&address);
    let judges: Vec<String> = manifest
        .judges
        .iter()
        .map(|judge| manifest.judge_words(judge))
        .collect();
    let _ = write!(
        out,
        "<section id=\"pack-{number}\" aria-labelledby=\"title-{number}\">\n<h2 id=\"title-{number}\">{}</h2>\n\
         <p class=\"actions\"><a class=\"button\" href=\"app/index.html#/?pack=../packs/{linked}\">Open in the viewer</a>\n\
         <a href=\"packs/{address}\" download>Download {}</a> <span class=\"muted\">{}</span></p>\n\
         <p class=\"{}\">{}</p>\n\
         <dl>\n<dt>Models</dt><dd>{}</dd>\n<dt>Judges</dt><dd>{}</dd>\n<dt>Samples</dt><dd>{}</dd>\n<dt>Basis</dt><dd>{}</dd>\n\
         <dt>Manifest</dt><dd><code>{}</code></dd>\n</dl>\n",
        escape(title),
        escape(file),
        size(*bytes),
        if checked.reproduced { "good" } else { "bad" },
        state(checked),
        escape(&manifest.models.join(", ")),
        escape(&judges.join(", ")),
        manifest.counts.samples,
        escape(&tables.basis),
        escape(&checked.sha256),
    );
    let mut rest = tables.tables.iter().peekable();
    // The whole, by each judge; its parts are folded.
    while let Some(whole) = rest.next_if(|one| one.title == tables.tables[0].title) {
        table(title, &total_first(whole), out);
    }
    if rest.peek().is_some() {
        let _ = writeln!(out, "<details>\n<summary>By group</summary>");
        rest.for_each(|one| table(title, one, out));
        *out += "</details>\n";
    }
    *out += "</section>\n";
}

fn state(checked: &Verification) -> String {
    if checked.reproduced {
        return format!(
            "<strong>Reproduced.</strong> {} recomputed from {}, {} rebuilt, {} as hashed.",
            counted(checked.scores, "score row", "score rows"),
            counted(checked.verdicts, "raw reply", "raw replies"),
            counted(checked.requests, "request", "requests"),
            counted(checked.files, "file", "files")
        );
    }
    let findings: u32 = checked.counts.values().sum();
    format!(
        "<strong>Does not reproduce.</strong> {} The viewer lists {}. The tables show what comes out of the replies.",
        escape(&checked.reason),
        counted(findings, "difference", "differences")
    )
}

/// The table of the whole with its last column, the total, in front: a wide one is cut off on its right.
fn total_first(table: &Table) -> Table {
    let mut table = table.clone();
    if let Some(total) = table.columns.pop() {
        table.columns.insert(0, total);
        for (_, cells) in &mut table.rows {
            let total = cells.pop().unwrap_or_default();
            cells.insert(0, total);
        }
    }
    table
}

/// `of` tells its region from those of other packs on the page.
fn table(of: &str, table: &Table, out: &mut String) {
    let caption = escape(&caption(table));
    let of = escape(of);
    let _ = write!(
        out,
        "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"{of}: {caption}\">\n<table>\n<caption>{caption}</caption>\n<thead><tr><th scope=\"col\">Model</th>"
    );
    for column in &table.columns {
        let _ = write!(out, "<th scope=\"col\">{}</th>", escape(column));
    }
    *out += "</tr></thead>\n<tbody>\n";
    for (model, cells) in &table.rows {
        let _ = write!(out, "<tr><th scope=\"row\">{}</th>", escape(model));
        for one in cells {
            let _ = write!(out, "<td>{}</td>", cell(one));
        }
        *out += "</tr>\n";
    }
    *out += "</tbody>\n</table>\n</div>\n";
    let notes: Vec<&str> = legend(table, true).collect();
    if !notes.is_empty() {
        let _ = writeln!(out, "<p class=\"muted\">{}</p>", notes.join(" "));
    }
}

fn cell(cell: &Cell) -> String {
    let mut out = escape(&cell.mean);
    if cell.is_best {
        out = format!("<strong>{out}</strong>");
    }
    if let Some((low, high)) = &cell.interval {
        let _ = write!(out, " <small>[{}, {}]</small>", escape(low), escape(high));
    }
    if cell.n.0 < cell.n.1 {
        let _ = write!(out, " <small>n {} of {}</small>", cell.n.0, cell.n.1);
    }
    out
}

/// A size in decimal units, as downloads are told.
fn size(bytes: u64) -> String {
    match bytes {
        0..1_000 => format!("{bytes} B"),
        1_000..1_000_000 => format!("{:.0} kB", bytes as f64 / 1e3),
        1_000_000..1_000_000_000 => format!("{:.1} MB", bytes as f64 / 1e6),
        _ => format!("{:.1} GB", bytes as f64 / 1e9),
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    #[test]
    fn a_pack_goes_into_its_place_and_a_later_one_takes_it() {
        let page = format!("<body>{SLOT}</script>\n<script>boot()</script></body>");
        let filled = with_pack(&page, b"abc").unwrap();
        assert_eq!(
            filled,
            format!("<body>{SLOT}YWJj</script>\n<script>boot()</script></body>")
        );
        assert_eq!(with_pack(&filled, b"abc").unwrap(), filled);
        let again = with_pack(&filled, b"x").unwrap();
        assert!(again.contains("eA==") && !again.contains("YWJj"));
    }

    #[test]
    fn a_page_without_one_place_is_refused() {
        assert_eq!(with_pack("<body></body>", b"abc"), None);
        assert_eq!(
            with_pack(&format!("{SLOT}</script>{SLOT}</script>"), b"abc"),
            None
        );
        assert_eq!(with_pack(SLOT, b"abc"), None);
    }

    fn listed(title: &str, file: &str) -> Listed {
        let manifest = serde_json::json!({
            "format": "juror-pack/1", "juror": "1", "protocol": "weave", "title": title, "profile": "paper",
            "policy": "zero", "prompts": {"name": "p", "sha256": "", "official": false}, "models": [], "judges": [],
            "pictures": "none", "counts": crate::pack::Counts::default(), "entries": [], "sha256": ""
        });
        Listed {
            file: file.to_owned(),
            bytes: 1,
            manifest: serde_json::from_value(manifest).unwrap(),
            checked: Verification::default(),
            tables: Tables::default(),
        }
    }

    #[test]
    fn two_packs_of_one_benchmark_have_titles_of_their_own_and_one_alone_that_of_its_benchmark() {
        let packs = [
            listed("WEAVEBench", "a.zip"),
            listed("WEAVEBench", "a"),
            listed("VIBE", "a.zip.zip"),
        ];
        assert_eq!(
            titles(&packs),
            ["WEAVEBench: a.zip", "WEAVEBench: a", "VIBE"]
        );
        let page = index(&packs, Robots::default());
        for (number, title) in (1..).zip(titles(&packs)) {
            let heading = format!("<h2 id=\"title-{number}\">{title}</h2>");
            assert_eq!(page.matches(&heading).count(), 1, "{heading}");
        }
    }

    #[test]
    fn an_added_file_is_not_blamed_on_the_replies_and_a_changed_score_is() {
        let state = |kind: &str| {
            let counts = [(kind.to_owned(), 1)].into();
            super::state(&Verification {
                reason: crate::pack::reason(&counts, 0).to_owned(),
                counts,
                ..Verification::default()
            })
        };
        let added = state("extra_entry");
        assert!(added.contains("Its files are not those"), "{added}");
        assert!(added.contains("lists 1 difference."), "{added}");
        assert!(state("score").contains("What comes out of its raw replies"));
    }

    #[test]
    fn tables_keep_foreign_names_out_of_the_markup() {
        let whole = Table {
            title: "Overall".to_owned(),
            judge: "\"><script>".to_owned(),
            columns: vec!["K & P".to_owned()],
            rows: vec![(
                "<img src=x>".to_owned(),
                vec![Cell {
                    mean: "0.50".to_owned(),
                    interval: Some(("0.40".to_owned(), "0.60".to_owned())),
                    n: (3, 4),
                    is_best: true,
                }],
            )],
            ..Table::default()
        };
        let mut out = String::new();
        table("A pack", &whole, &mut out);
        assert!(!out.contains("<img") && !out.contains("<script"), "{out}");
        assert!(out.contains("<th scope=\"col\">K &amp; P</th>"), "{out}");
        assert!(
            out.contains("<th scope=\"row\">&lt;img src=x&gt;</th>"),
            "{out}"
        );
        assert!(
            out.contains(
                "<td><strong>0.50</strong> <small>[0.40, 0.60]</small> <small>n 3 of 4</small></td>"
            ),
            "{out}"
        );
        assert!(!out.contains("class=\"muted\""), "{out}");
    }

    #[test]
    fn the_average_comes_first_and_no_two_regions_of_a_site_share_a_name() {
        let whole = Table {
            title: "Overall".to_owned(),
            columns: vec!["KP".to_owned(), "Avg".to_owned()],
            rows: vec![(
                "m".to_owned(),
                ["1", "2"]
                    .map(|mean| Cell {
                        mean: mean.to_owned(),
                        ..Cell::default()
                    })
                    .to_vec(),
            )],
            ..Table::default()
        };
        let first = total_first(&whole);
        assert_eq!(first.columns, ["Avg", "KP"]);
        assert_eq!(first.rows[0].1[0].mean, "2");
        assert_eq!(first.rows[0].1[1].mean, "1");
        let mut out = String::new();
        for of in ["Bench: a", "Bench: b"] {
            table(of, &first, &mut out);
        }
        assert!(out.contains("aria-label=\"Bench: a: Overall\""), "{out}");
        assert!(out.contains("aria-label=\"Bench: b: Overall\""), "{out}");
    }

    #[test]
    fn bold_is_explained_below_two_rows_and_not_below_one() {
        let told = |models: &[&str]| {
            let rows = models.iter().map(|name| ((*name).to_owned(), Vec::new()));
            let of = Table {
                rows: rows.collect(),
                ..Table::default()
            };
            let mut out = String::new();
            table("A pack", &of, &mut out);
            out.contains("<p class=\"muted\">Bold: not significantly different")
        };
        assert!(told(&["m", "n"]));
        assert!(!told(&["m"]));
    }

    #[test]
    fn sizes_are_told_in_decimal_units() {
        assert_eq!(size(999), "999 B");
        assert_eq!(size(1_500_000), "1.5 MB");
        assert_eq!(size(2_000_000_000), "2.0 GB");
    }
}
