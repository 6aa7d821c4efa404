//! What the benchmark at hand is made of: samples by group, pictures, lengths of instructions, words; no model is looked at.

use crate::study::LinkedSession;
use std::collections::{BTreeMap, BTreeSet};

use super::count;
use super::picture::Probed;
use super::state::Session;
use super::subset::{Grouping, as_name};
use crate::error::Error;
use crate::view::statistics::{BenchmarkStatistics, PrintedCountRow, Spread, TotalRow};
use juror_model::counts::{CountTable, KnownTotal, PrintedCount, Shares, Tally};
use juror_model::sample::{Benchmark, Sample, TurnKind};
use juror_model::subset::Subset;
use juror_model::terms::Words;
use juror_model::tree::FileId;
use juror_statistics::small::{CollectSmall, SortSmall};
use spread::spread;
use words::{WordCounter, num_characters, num_words};

mod export;
mod spread;
mod words;

/// Sizes of pictures that are listed one by one.
const MAX_SIZES: usize = 20;

/// Aspects that have names, as width and height of a picture that lies.
const ASPECTS: [(u32, u32); 8] = [
    (1, 1),
    (5, 4),
    (4, 3),
    (3, 2),
    (16, 10),
    (16, 9),
    (2, 1),
    (21, 9),
];

/// A picture is of a named aspect where its own differs by no more than this share: 1,365 × 768 is 16:9.
const ASPECT_SHARE: f64 = 0.01;

/// Counts the benchmark that is open.
///
/// # Errors
/// `no_benchmark`: a benchmark that is only implied by replies cannot be counted.
pub fn statistics(session: &LinkedSession<'_>) -> Result<BenchmarkStatistics, Error> {
    if session.loader.benchmark.is_none() {
        return Err(Error::NoBenchmark("No sample list was found, so there is nothing to count. Name the benchmark's folder as well."
                    .to_owned()));
    }
    let benchmark = session.world().benchmark;
    let protocol = &session.loader.protocol;
    let mut words = protocol.words();
    if words.domain.is_empty() {
        "group".clone_into(&mut words.domain);
    }
    let pictures = Pictures::of(session, benchmark);
    let mut tables = vec![whole(benchmark, &words, &pictures)];
    let mut others = turns(session, benchmark, &words);
    others.extend(references(benchmark, &words));
    others.extend(protocol.counts(benchmark));
    // What is counted by turns or as a table of two sides is not counted again as a group.
    let groups = by_group(session, benchmark, &words).into_iter();
    let is_other = |table: &CountTable| others.iter().any(|other| other.id == table.id);
    tables.extend(groups.filter(|table| !is_other(table)));
    tables.extend(others);
    tables.extend(pictures.tables());
    let mut spreads = spreads(benchmark, &words);
    spreads.extend(pictures.spreads());
    let mut counter = WordCounter::new();
    for (at, sample) in benchmark.samples.iter().enumerate() {
        for turn in &sample.turns {
            counter.add(at, &turn.instruction);
        }
    }
    let totals = protocol.totals().into_iter();
    Ok(BenchmarkStatistics {
        title: protocol.title().to_owned(),
        totals: totals.map(|total| beside(total, &tables)).collect(),
        printed: printed(protocol.printed_counts(), &tables),
        words,
        tables,
        spreads,
        frequent: counter.frequent(),
        unknown_sizes: pictures.unknown,
    })
}

/// A printed total with the count of its address.
fn beside(total: KnownTotal, tables: &[CountTable]) -> TotalRow {
    let table = tables.iter().find(|table| table.id == total.table);
    let found = table.and_then(|table| table.count(&total.row, &total.column));
    let found = found.unwrap_or(0);
    let difference = i64::from(found) - i64::from(total.n);
    TotalRow {
        label: total.label,
        printed: total.n,
        found,
        difference: i32::try_from(difference).unwrap_or(i32::MAX),
        source: total.source,
        note: total.note,
        table: total.table,
        row: total.row,
        column: total.column,
    }
}

/// Printed numbers of other data next to the counts here, with the shares of both.
fn printed(printed: Vec<PrintedCount>, tables: &[CountTable]) -> Vec<PrintedCountRow> {
    let found = |one: &PrintedCount| {
        let table = tables.iter().find(|table| table.id == one.table)?;
        Some(table.count(&one.row, "").unwrap_or(0))
    };
    let all: u32 = printed.iter().filter_map(found).sum();
    let row = |one: PrintedCount| {
        let found = found(&one);
        let share = found.filter(|_| all > 0);
        PrintedCountRow {
            found,
            share: share.map(|n| f64::from(n) / f64::from(all)),
            printed: one.n,
            printed_share: one.share,
            label: one.label,
            of: one.of,
            source: one.source,
            note: one.note,
        }
    };
    printed.into_iter().map(row).collect()
}

/// The pictures that are given, as positions: those that no turn is to produce.
fn given(sample: &Sample) -> impl Iterator<Item = usize> {
    let is_made = |at: &usize| {
        let mut made = sample.turns.iter().filter_map(|turn| turn.picture);
        made.any(|number| number as usize == at + 1)
    };
    (0..sample.pictures.len()).filter(move |at| !is_made(at))
}

/// How many samples, turns and pictures there are.
fn whole(benchmark: &Benchmark, words: &Words, pictures: &Pictures) -> CountTable {
    let samples = &benchmark.samples;
    let num_turns = |kind: TurnKind| {
        let turns = benchmark.turns();
        count(turns.filter(|(.., turn)| turn.kind == kind).count())
    };
    let sum = |of: &dyn Fn(&Sample) -> usize| count(samples.iter().map(of).sum());
    let num_pictures = sum(&|sample| sample.pictures.len());
    let num_given = sum(&|sample| given(sample).count());
    let missing = |sample: &Sample| {
        let missing = sample.pictures.iter();
        missing.filter(|picture| picture.file.is_none()).count()
    };
    let mut rows = vec![("samples", words.samples.as_str(), count(samples.len()))];
    if words.units != words.samples {
        rows.push(("picture_turns", "picture turns", num_turns(TurnKind::Image)));
        rows.push(("text_turns", "text turns", num_turns(TurnKind::Text)));
    }
    rows.extend([
        ("pictures", "pictures named", num_pictures),
        ("references", "of them given as references", num_given),
        (
            "targets",
            "of them to be produced",
            num_pictures - num_given,
        ),
        ("missing", "of them not among the files", sum(&missing)),
        ("files", "different files of pictures", pictures.num_files()),
    ]);
    let mut tally = Tally::default();
    for (key, _, n) in &rows {
        tally.add(key, "n", *n);
    }
    let mut table = tally.table(("whole", "The whole", ""), Shares::None);
    for (row, (_, label, _)) in table.rows.iter_mut().zip(&rows) {
        (*label).clone_into(&mut row.of.label);
    }
    table
}

/// Samples by each key of every scope; what makes one group by another name is left out.
fn by_group(session: &Session, benchmark: &Benchmark, words: &Words) -> Vec<CountTable> {
    let samples = &benchmark.samples;
    let mut seen: Vec<Grouping> = Vec::new();
    let mut tables = Vec::new();
    for (name, grouping) in Grouping::of(&*session.loader.protocol, samples) {
        if name == Subset::ALL || seen.contains(&grouping) {
            continue;
        }
        let mut tally = Tally::default();
        for sample in samples {
            for key in grouping.keys(sample) {
                tally.add(key, &words.samples, 1);
            }
        }
        seen.push(grouping);
        let of = name.replace('_', " ");
        let title = format!("{} by {of}", capital(&words.samples));
        let all = format!("of all {}", words.samples);
        let shares = Shares::Of(count(samples.len()), &all);
        tables.push(tally.table((&name, &title, &of), shares));
    }
    tables
}

/// Turns by what they ask for, where samples have more than one.
fn turns(session: &Session, benchmark: &Benchmark, words: &Words) -> Vec<CountTable> {
    if benchmark
        .samples
        .iter()
        .all(|sample| sample.turns.len() < 2)
    {
        return Vec::new();
    }
    let (mut kinds, mut classes) = (Tally::default(), Tally::default());
    let mut num_turns = 0;
    for sample in &benchmark.samples {
        for turn in &sample.turns {
            let kind = match turn.kind {
                TurnKind::Image => "picture",
                TurnKind::Text => "text",
            };
            kinds.add(&sample.category, kind, 1);
            num_turns += 1;
            let class = session.loader.protocol.class(turn);
            if !class.is_empty() {
                classes.add(class, "turns", 1);
            }
        }
    }
    let of = &words.category;
    let id = format!("{}_turns", as_name(of));
    let title = format!("Turns by {of} and by what they ask for");
    let shares = Shares::OfRow("of the row");
    let mut tables = vec![kinds.table((&id, &title, of), shares)];
    if !classes.is_empty() {
        let names = ("class", "Turns by class", "class");
        tables.push(classes.table(names, Shares::Of(num_turns, "of all turns")));
    }
    tables
}

/// References by the fine group: how many samples have how many, and how many there are.
fn references(benchmark: &Benchmark, words: &Words) -> Vec<CountTable> {
    let (mut samples, mut pictures) = (Tally::default(), Tally::default());
    for sample in &benchmark.samples {
        let num_given = given(sample).count();
        samples.add(&sample.domain, &num_given.to_string(), 1);
        pictures.add(&sample.domain, "references", count(num_given));
    }
    let (of, name) = (&words.domain, as_name(&words.domain));
    let title = format!("{} by {of} and references", capital(&words.samples));
    let samples = samples.table(
        (&format!("{name}_references"), &title, of),
        Shares::OfRow("of the row"),
    );
    let names = (
        format!("{name}_pictures"),
        format!("Reference pictures by {of}"),
    );
    let pictures = pictures.table((&names.0, &names.1, of), Shares::None);
    vec![samples, pictures]
}

/// How references, turns and lengths are spread.
fn spreads(benchmark: &Benchmark, words: &Words) -> Vec<Spread> {
    let samples = || benchmark.samples.iter();
    let instructions = || {
        let turns = samples().flat_map(|sample| &sample.turns);
        let texts = turns.map(|turn| turn.instruction.as_str());
        texts.filter(|text| !text.trim().is_empty())
    };
    let (one, many) = (words.sample.as_str(), words.samples.as_str());
    let per = |what: &str| format!("{what} per {one}");
    let has_turns = samples().any(|sample| sample.turns.len() > 1);
    let turned = || samples().filter(|_| has_turns);
    let number = |n: usize| f64::from(count(n));
    let found = [
        spread(
            ("references", &per("References"), many),
            samples().map(|sample| number(given(sample).count())),
        ),
        spread(
            ("turns", &per("Turns"), many),
            turned().map(|sample| number(sample.turns.len())),
        ),
        spread(
            ("pictures", &per("Pictures"), many),
            turned().map(|sample| number(sample.pictures.len())),
        ),
        spread(
            ("words", "Words of an instruction", "instructions"),
            instructions().map(|text| number(num_words(text))),
        ),
        spread(
            ("characters", "Characters of an instruction", "instructions"),
            instructions().map(|text| number(num_characters(text))),
        ),
    ];
    found.into_iter().flatten().collect()
}

/// The benchmark's files of pictures, each counted once.
#[derive(Debug)]
struct Pictures {
    /// Width and height of those that were read.
    sizes: Vec<(u32, u32)>,
    unknown: u32,
}

impl Pictures {
    fn of(session: &Session, benchmark: &Benchmark) -> Self {
        let named = benchmark.samples.iter().flat_map(|sample| &sample.pictures);
        let files: BTreeSet<FileId> = named.filter_map(|picture| picture.file).collect_small();
        let size = |file: &FileId| match session.loader.read.pictures.get(file) {
            Some(Probed::Picture { width, height }) => Some((*width, *height)),
            _ => None,
        };
        let sizes: Vec<(u32, u32)> = files.iter().filter_map(size).collect();
        Self {
            unknown: count(files.len() - sizes.len()),
            sizes,
        }
    }

    fn num_files(&self) -> u32 {
        count(self.sizes.len()) + self.unknown
    }

    /// The most frequent sizes, and pictures by aspect.
    fn tables(&self) -> Vec<CountTable> {
        if self.sizes.is_empty() {
            return Vec::new();
        }
        let mut found: BTreeMap<(u32, u32), u32> = BTreeMap::new();
        for size in &self.sizes {
            *found.entry(*size).or_default() += 1;
        }
        let mut found: Vec<((u32, u32), u32)> = found.into_iter().collect();
        found.sort_small_by(|(_, a), (_, b)| b.cmp(a));
        let (mut sizes, mut aspects) = (Tally::default(), Tally::default());
        for (at, ((width, height), n)) in found.iter().enumerate() {
            let key = if at < MAX_SIZES {
                format!("{width} × {height}")
            } else {
                "other sizes".to_owned()
            };
            sizes.add(&key, "pictures", *n);
        }
        for (name, width, height) in aspects_in_order() {
            let is_it = |size: &&(u32, u32)| aspect_of(**size) == (width, height);
            let n = self.sizes.iter().filter(is_it).count();
            if n > 0 {
                aspects.add(&name, "pictures", count(n));
            }
        }
        let shares = Shares::Of(count(self.sizes.len()), "of all files");
        vec![
            sizes.table(("size", "Pictures by width and height", "size"), shares),
            aspects.table(("aspect", "Pictures by aspect", "aspect"), shares),
        ]
    }

    fn spreads(&self) -> Vec<Spread> {
        let sizes = || self.sizes.iter().copied();
        let of = "files of pictures";
        let found = [
            spread(
                ("width", "Width of a picture in pixels", of),
                sizes().map(|(width, _)| f64::from(width)),
            ),
            spread(
                ("height", "Height of a picture in pixels", of),
                sizes().map(|(_, height)| f64::from(height)),
            ),
            spread(
                ("pixels", "Pixels of a picture", of),
                sizes().map(|(width, height)| f64::from(width) * f64::from(height)),
            ),
            spread(
                ("aspect", "Width by height of a picture", of),
                sizes().map(|(width, height)| f64::from(width) / f64::from(height.max(1))),
            ),
        ];
        found.into_iter().flatten().collect()
    }
}

/// Aspects from the highest picture to the widest, with their names; those without a name of their own are (0, 1), which
/// stand, and (1, 0), which lie.
fn aspects_in_order() -> Vec<(String, u32, u32)> {
    let named = |width: u32, height: u32| (format!("{width}:{height}"), width, height);
    let standing = ASPECTS.iter().skip(1).rev();
    let mut all = vec![("higher than wide, others".to_owned(), 0, 1)];
    all.extend(standing.map(|(width, height)| named(*height, *width)));
    all.extend(ASPECTS.iter().map(|(width, height)| named(*width, *height)));
    all.push(("wider than high, others".to_owned(), 1, 0));
    all
}

/// Which of [`aspects_in_order`] a picture has.
fn aspect_of((width, height): (u32, u32)) -> (u32, u32) {
    let (long, short) = (width.max(height), width.min(height).max(1));
    let own = f64::from(long) / f64::from(short);
    let is_it = |(long, short): &&(u32, u32)| {
        let named = f64::from(*long) / f64::from(*short);
        (own / named - 1.0).abs() <= ASPECT_SHARE
    };
    let (long, short) = ASPECTS.iter().find(is_it).copied().unwrap_or((1, 0));
    if width >= height {
        (long, short)
    } else {
        (short, long)
    }
}

/// `sets` as `Sets`.
fn capital(text: &str) -> String {
    let mut rest = text.chars();
    let first = rest.next().into_iter().flat_map(char::to_uppercase);
    first.chain(rest).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_has_the_nearest_named_aspect_or_none() {
        for (size, aspect) in [
            ((1024, 1024), (1, 1)),
            ((1016, 1024), (1, 1)),
            ((1365, 768), (16, 9)),
            ((768, 1365), (9, 16)),
            ((1024, 640), (16, 10)),
            ((600, 800), (3, 4)),
            ((1000, 100), (1, 0)),
            ((100, 1000), (0, 1)),
            ((1080, 1000), (1, 0)),
        ] {
            assert_eq!(aspect_of(size), aspect, "{size:?}");
            let all = aspects_in_order().into_iter();
            assert_eq!(all.filter(|(_, w, h)| (*w, *h) == aspect).count(), 1);
        }
    }
}
