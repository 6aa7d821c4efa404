//! The report's tables for a paper: LaTeX with booktabs, as wide as a line at most, for any engine.
//!
//! `pdfLaTeX` stops at a character that it has no glyph for, so what goes out is ASCII: accents and symbols as commands, every
//! other character by its code, which `XeLaTeX` and `LuaLaTeX` set as the character and `pdfLaTeX` as that code.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::tables::{Cell, Intervals, Table, Tables, caption, footnote, legend, marked_caption};

/// A table whose columns are together wider than this many points is set in parts below each other.
///
/// A line of `article` has 345 pt: a part is set at seven tenths of its size at the least.
const MAX_WIDTH_PT: f64 = 490.0;
/// Width of a letter, about, and of what stands between two columns, in points at 10 pt.
const LETTER_PT: f64 = 5.0;
const GAP_PT: f64 = 12.0;

/// Sets a character by its code; robust, as captions are written to files.
const CHARACTER: &str = "% Characters beyond pdfLaTeX's fonts are set by XeLaTeX and LuaLaTeX, with a font that has them; pdfLaTeX prints their codes.\n\
    \\DeclareRobustCommand{\\jurorchar}[1]{\\ifdefined\\Umathcode\\symbol{\"#1}\\else{\\scriptsize U+#1}\\fi}\n";

impl Tables {
    /// As LaTeX: one `table` each with a caption and a label, for `\usepackage{booktabs,graphicx}`.
    pub fn to_latex(&self, intervals: Intervals) -> String {
        let mut body = String::new();
        let mut labels = BTreeSet::new();
        for table in &self.tables {
            self.latex_table(table, intervals, &mut labels, &mut body);
        }
        let mut out = format!(
            "% {}\n% {}\n% Needs \\usepackage{{booktabs,graphicx}}.\n",
            comment(&self.title),
            comment(&self.basis)
        );
        if body.contains("\\jurorchar{") {
            out += CHARACTER;
        }
        out + &body
    }

    fn latex_table(
        &self,
        table: &Table,
        intervals: Intervals,
        labels: &mut BTreeSet<String>,
        out: &mut String,
    ) {
        let heading = format!("{}: {}", self.title, marked_caption(table));
        let mut words = format!("{heading}.");
        for note in legend(table, intervals == Intervals::Shown) {
            words += " ";
            words += note;
        }
        if let Some(note) = footnote(table) {
            words += " ";
            words += &note;
        }
        let units = if self.units.is_empty() {
            "units"
        } else {
            &self.units
        };
        let counts = format!(
            " The row $n$ gives the {} expected in each mean; where fewer were scored, their number is given beside the mean.",
            tex(units)
        );
        // Writing to a string cannot fail.
        let _ = write!(
            out,
            "\n\\begin{{table}}\n  \\centering\n  \\caption[{{{}}}]{{{}{counts}}}\n  \\label{{{}}}\n",
            // A list of tables may stand before the command is known.
            tex(&heading).replace("\\jurorchar{", "{U+"),
            tex(&words),
            label(&self.title, table, labels)
        );
        for (number, columns) in parts(table, intervals).into_iter().enumerate() {
            if number > 0 {
                *out += "  \\par\\medskip\n";
            }
            latex_part(table, columns, intervals, out);
        }
        *out += "\\end{table}\n";
    }
}

/// A table of texts, as it goes into a paper.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextTable {
    /// Caption.
    pub caption: String,
    /// Name behind `tab:juror-`; other letters than those of ASCII and digits become hyphens.
    pub label: String,
    /// How many columns, from the first on, are of words rather than of numbers.
    pub num_words: usize,
    /// Headings.
    pub head: Vec<String>,
    /// Rows, each with as many cells as there are headings.
    pub rows: Vec<Vec<String>>,
}

/// Tables of texts as LaTeX, for `\usepackage{booktabs,graphicx}`.
pub fn text_tables(title: &str, tables: &[TextTable]) -> String {
    let mut body = String::new();
    for table in tables {
        let words = table
            .label
            .split(|letter: char| !letter.is_ascii_alphanumeric());
        let words: Vec<String> = words
            .filter(|word| !word.is_empty())
            .map(str::to_lowercase)
            .collect();
        let kinds = "l".repeat(table.num_words)
            + &"r".repeat(table.head.len().saturating_sub(table.num_words));
        let line = |cells: &[String]| {
            let cells = cells.iter().map(|text| tex(text)).collect::<Vec<_>>();
            format!("    {} \\\\\n", first_in_row(&cells.join(" & ")))
        };
        let rows: String = table.rows.iter().map(|row| line(row)).collect();
        // Writing to a string cannot fail.
        let _ = write!(
            body,
            "\n\\begin{{table}}\n  \\centering\n  \\caption{{{}}}\n  \\label{{tab:juror-{}}}\n  \\resizebox{{\\ifdim\\width>\\linewidth\\linewidth\\else\\width\\fi}}{{!}}{{%\n  \\begin{{tabular}}{{{kinds}}}\n    \\toprule\n{}    \\midrule\n{rows}    \\bottomrule\n  \\end{{tabular}}}}\n\\end{{table}}\n",
            tex(&table.caption),
            words.join("-"),
            line(&table.head)
        );
    }
    let mut out = format!(
        "% {}\n% Needs \\usepackage{{booktabs,graphicx}}.\n",
        comment(title)
    );
    if body.contains("\\jurorchar{") {
        out += CHARACTER;
    }
    out + &body
}

/// Some columns of a table, set smaller where they are wider than the line.
fn latex_part(
    table: &Table,
    columns: std::ops::Range<usize>,
    intervals: Intervals,
    out: &mut String,
) {
    let headings = table.columns.get(columns.clone()).unwrap_or_default();
    let line =
        |first: &str, cells: Vec<String>| format!("    {first} & {} \\\\\n", cells.join(" & "));
    let expected: Vec<u32> = columns
        .clone()
        .map(|column| expected_of(table, column))
        .collect();
    *out += "  \\resizebox{\\ifdim\\width>\\linewidth\\linewidth\\else\\width\\fi}{!}{%\n";
    let _ = writeln!(
        out,
        "  \\begin{{tabular}}{{l{}}}\n    \\toprule",
        "r".repeat(headings.len())
    );
    *out += &line("Model", headings.iter().map(|text| tex(text)).collect());
    *out += &line("$n$", expected.iter().map(u32::to_string).collect());
    *out += "    \\midrule\n";
    for (model, cells) in &table.rows {
        let cells = cells.get(columns.clone()).unwrap_or_default().iter();
        let cells = cells
            .zip(&expected)
            .map(|(cell, expected)| latex_cell(cell, *expected, intervals));
        *out += &line(&first_in_row(&tex(model)), cells.collect());
    }
    *out += "    \\bottomrule\n  \\end{tabular}}\n";
}

/// How many units a column's means are of; the most of all models.
fn expected_of(table: &Table, column: usize) -> u32 {
    let cells = table.rows.iter().filter_map(|(_, cells)| cells.get(column));
    cells.map(|cell| cell.n.1).max().unwrap_or_default()
}

/// A mean, its interval, and its count where that is not the column's.
fn latex_cell(cell: &Cell, expected: u32, intervals: Intervals) -> String {
    let mut out = tex(&cell.mean);
    if cell.is_best {
        out = format!("\\textbf{{{out}}}");
    }
    if let (Some((low, high)), Intervals::Shown) = (&cell.interval, intervals) {
        let _ = write!(out, " {{\\scriptsize[{}, {}]}}", tex(low), tex(high));
    }
    if is_short(cell, expected) {
        let _ = write!(out, " {{\\scriptsize($n$ {})}}", cell.n.0);
    }
    out
}

/// Whether a mean has a count of its own to tell; a cell that nothing is expected in has none.
const fn is_short(cell: &Cell, expected: u32) -> bool {
    cell.n.1 > 0 && cell.n.0 != expected
}

/// The columns in parts that a line holds at a size that can be read, as equal in number as can be.
fn parts(table: &Table, intervals: Intervals) -> Vec<std::ops::Range<usize>> {
    let letters = |text: &str| text.chars().count() as f64;
    let names = table.rows.iter().map(|(model, _)| letters(model));
    let first = names.fold(5.0, f64::max) * LETTER_PT + GAP_PT;
    let width = |column: usize| {
        let heading = table.columns.get(column).map_or(0.0, |text| letters(text));
        let expected = expected_of(table, column);
        let cells = table.rows.iter().filter_map(|(_, cells)| cells.get(column));
        let widest = cells
            .map(|cell| {
                let interval = match (&cell.interval, intervals) {
                    // Seven tenths of the size, with brackets, comma and spaces.
                    (Some((low, high)), Intervals::Shown) => {
                        0.7 * (letters(low) + letters(high) + 5.0)
                    }
                    _ => 0.0,
                };
                let count = if is_short(cell, expected) { 5.0 } else { 0.0 };
                letters(&cell.mean) + interval + count
            })
            .fold(heading, f64::max);
        widest * LETTER_PT + GAP_PT
    };
    let num_columns = table.columns.len();
    let total: f64 = (0..num_columns).map(width).sum();
    let room = (MAX_WIDTH_PT - first).max(MAX_WIDTH_PT / 3.0);
    let num_parts = (1..num_columns.max(1))
        .find(|parts| total <= room * *parts as f64)
        .unwrap_or(num_columns.max(1));
    let each = num_columns.div_ceil(num_parts).max(1);
    (0..num_columns)
        .step_by(each)
        .map(|from| from..(from + each).min(num_columns))
        .collect()
}

/// `tab:juror-weavebench-total-by-domain`, another one for each table.
fn label(title: &str, table: &Table, known: &mut BTreeSet<String>) -> String {
    let words = format!("{title} {}", caption(table)).to_lowercase();
    let words: Vec<&str> = words
        .split(|letter: char| !letter.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    let stem = format!("tab:juror-{}", words.join("-"));
    let mut label = stem.clone();
    let mut number = 2_usize;
    while !known.insert(label.clone()) {
        label = format!("{stem}-{number}");
        number += 1;
    }
    label
}

/// A row that begins with `[` or `*` would be read as an option of the `\\` before it.
fn first_in_row(text: &str) -> String {
    if text.starts_with(['[', '*']) {
        format!("{{}}{text}")
    } else {
        text.to_owned()
    }
}

/// Text in LaTeX, in ASCII.
fn tex(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => {
                out.push('\\');
                out.push(letter);
            }
            // Two hyphens would be set as one dash.
            '-' if out.ends_with('-') => out += "{}-",
            ' '..='~' if !"\\^~<>|\"`'".contains(letter) => out.push(letter),
            _ => match command(letter) {
                Some(command) => out += command,
                None if letter.is_control() || is_invisible(letter) => out.push(' '),
                None => match accented(letter) {
                    Some(accented) => out += &accented,
                    // Writing to a string cannot fail.
                    None => _ = write!(out, "\\jurorchar{{{:04X}}}", u32::from(letter)),
                },
            },
        }
    }
    out
}

/// Marks of direction and width that are not seen, and may turn what is seen around.
const fn is_invisible(letter: char) -> bool {
    matches!(letter, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}')
}

/// Symbols that every engine has.
fn command(letter: char) -> Option<&'static str> {
    Some(match letter {
        '\\' => "\\textbackslash{}",
        '^' => "\\textasciicircum{}",
        '~' => "\\textasciitilde{}",
        '<' => "\\textless{}",
        '>' => "\\textgreater{}",
        '|' => "\\textbar{}",
        '"' => "{\\char34}",
        '`' | '‘' => "\\textquoteleft{}",
        '\'' | '’' => "\\textquoteright{}",
        '“' => "\\textquotedblleft{}",
        '”' => "\\textquotedblright{}",
        '–' => "--",
        '—' => "---",
        '−' => "$-$",
        '…' => "\\ldots{}",
        '\u{a0}' => "~",
        '†' => "\\dag{}",
        '·' => "$\\cdot$",
        '×' => "$\\times$",
        '±' => "$\\pm$",
        '≤' => "$\\leq$",
        '≥' => "$\\geq$",
        '≠' => "$\\neq$",
        '≈' => "$\\approx$",
        '∞' => "$\\infty$",
        '→' => "$\\rightarrow$",
        '←' => "$\\leftarrow$",
        '↑' => "$\\uparrow$",
        '↓' => "$\\downarrow$",
        '°' => "$^{\\circ}$",
        '¹' => "$^{1}$",
        '²' => "$^{2}$",
        '³' => "$^{3}$",
        'ß' => "\\ss{}",
        'æ' => "\\ae{}",
        'Æ' => "\\AE{}",
        'œ' => "\\oe{}",
        'Œ' => "\\OE{}",
        'ø' => "\\o{}",
        'Ø' => "\\O{}",
        'å' => "\\aa{}",
        'Å' => "\\AA{}",
        'ł' => "\\l{}",
        'Ł' => "\\L{}",
        'ı' => "\\i{}",
        _ => return greek(letter),
    })
}

/// Greek letters, of which every engine has symbols too.
fn greek(letter: char) -> Option<&'static str> {
    Some(match letter {
        'α' => "$\\alpha$",
        'β' => "$\\beta$",
        'γ' => "$\\gamma$",
        'δ' => "$\\delta$",
        'ε' => "$\\varepsilon$",
        'ζ' => "$\\zeta$",
        'η' => "$\\eta$",
        'θ' => "$\\theta$",
        'ι' => "$\\iota$",
        'κ' => "$\\kappa$",
        'λ' => "$\\lambda$",
        'µ' | 'μ' => "$\\mu$",
        'ν' => "$\\nu$",
        'ξ' => "$\\xi$",
        'π' => "$\\pi$",
        'ρ' => "$\\rho$",
        'σ' => "$\\sigma$",
        'τ' => "$\\tau$",
        'υ' => "$\\upsilon$",
        'φ' => "$\\varphi$",
        'χ' => "$\\chi$",
        'ψ' => "$\\psi$",
        'ω' => "$\\omega$",
        'Γ' => "$\\Gamma$",
        'Δ' => "$\\Delta$",
        'Θ' => "$\\Theta$",
        'Λ' => "$\\Lambda$",
        'Ξ' => "$\\Xi$",
        'Π' => "$\\Pi$",
        'Σ' => "$\\Sigma$",
        'Φ' => "$\\Phi$",
        'Ψ' => "$\\Psi$",
        'Ω' => "$\\Omega$",
        _ => return None,
    })
}

/// Letters with one accent, by the accent's command.
fn accented(letter: char) -> Option<String> {
    const ACCENTS: [(&str, &str, &str); 10] = [
        ("`", "àèìòùÀÈÌÒÙ", "aeiouAEIOU"),
        ("'", "áéíóúýćńśźÁÉÍÓÚÝĆŃŚŹ", "aeiouycnszAEIOUYCNSZ"),
        ("^", "âêîôûÂÊÎÔÛ", "aeiouAEIOU"),
        ("~", "ãñõÃÑÕ", "anoANO"),
        ("\"", "äëïöüÿÄËÏÖÜŸ", "aeiouyAEIOUY"),
        ("v", "čďěňřšťžČĎĚŇŘŠŤŽ", "cdenrstzCDENRSTZ"),
        ("c", "çşţÇŞŢ", "cstCST"),
        ("u", "ăğŭĂĞŬ", "aguAGU"),
        (".", "żėİŻĖ", "zeIZE"),
        ("=", "āēīōūĀĒĪŌŪ", "aeiouAEIOU"),
    ];
    ACCENTS.iter().find_map(|(accent, letters, plain)| {
        let at = letters.chars().position(|one| one == letter)?;
        Some(format!("\\{accent}{{{}}}", plain.chars().nth(at)?))
    })
}

/// Text behind a `%`: a line end would leave the comment.
fn comment(text: &str) -> String {
    text.replace(
        |letter: char| letter.is_control() || is_invisible(letter),
        " ",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(mean: &str, n: (u32, u32), is_best: bool) -> Cell {
        Cell {
            mean: mean.to_owned(),
            interval: Some(("−0.10".to_owned(), "0.90".to_owned())),
            n,
            is_best,
        }
    }

    fn tables(models: &[&str], columns: &[&str]) -> Tables {
        let cells = vec![cell("0.50", (4, 4), false); columns.len()];
        Tables {
            title: "A & B".to_owned(),
            basis: "paper\nzero".to_owned(),
            units: "turns".to_owned(),
            tables: vec![Table {
                title: "Overall".to_owned(),
                judge: "gpt_5".to_owned(),
                columns: columns.iter().map(|&text| text.to_owned()).collect(),
                rows: models
                    .iter()
                    .map(|&model| (model.to_owned(), cells.clone()))
                    .collect(),
                has_untested: true,
                has_few: true,
                ..Table::default()
            }],
        }
    }

    #[test]
    fn latex_escapes_what_it_would_carry_out() {
        let mut all = tables(&["m_1*", "\\input{x}"], &["50%", "K|P"]);
        all.tables[0].rows[0].1 = vec![cell("0.50", (4, 4), true), cell("–", (0, 4), false)];
        all.tables[0].rows[1].1[1] = cell("−0.02", (4, 4), false);
        let text = all.to_latex(Intervals::Hidden);
        assert!(text.starts_with("% A & B\n% paper zero\n"), "{text}");
        assert!(
            text.contains("    Model & 50\\% & K\\textbar{}P \\\\\n    $n$ & 4 & 4 \\\\\n"),
            "{text}"
        );
        assert!(
            text.contains("    m\\_1* & \\textbf{0.50} & -- {\\scriptsize($n$ 0)} \\\\\n"),
            "{text}"
        );
        assert!(
            text.contains("    \\textbackslash{}input\\{x\\} & 0.50 & $-$0.02 \\\\\n"),
            "{text}"
        );
        let with = all.to_latex(Intervals::Shown);
        assert!(
            with.contains("\\textbf{0.50} {\\scriptsize[$-$0.10, 0.90]}"),
            "{with}"
        );
        for rule in ["toprule", "midrule", "bottomrule"] {
            assert_eq!(text.matches(rule).count(), 1);
        }
    }

    #[test]
    fn each_latex_table_can_be_referred_to_by_a_label_of_its_own() {
        let mut all = tables(&["a"], &["T"]);
        all.tables.push(all.tables[0].clone());
        let text = all.to_latex(Intervals::Hidden);
        assert!(
            text.contains("\\label{tab:juror-a-b-overall-judge-gpt-5}"),
            "{text}"
        );
        assert!(
            text.contains("\\label{tab:juror-a-b-overall-judge-gpt-5-2}"),
            "{text}"
        );
        assert!(text.contains("the turns expected in each mean"), "{text}");
    }

    #[test]
    fn a_judge_named_by_hand_has_a_dagger_in_the_caption_and_the_label_stays() {
        let mut all = tables(&["a", "b"], &["T"]);
        let without = all.to_latex(Intervals::Hidden);
        assert!(!without.contains("\\dag"), "{without}");
        all.tables[0].by_hand = vec!["b".to_owned()];
        let text = all.to_latex(Intervals::Hidden);
        assert!(
            text.contains("\\caption[{A \\& B: Overall, judge gpt\\_5\\dag{}}]{A \\& B: Overall, judge gpt\\_5\\dag{}. "),
            "{text}"
        );
        let note = " \\dag{} Judge named manually: the files of replies about b do not state it. ";
        assert!(text.contains(note), "{text}");
        assert!(
            text.contains("\\label{tab:juror-a-b-overall-judge-gpt-5}"),
            "{text}"
        );
    }

    #[test]
    fn wide_latex_tables_go_in_parts_and_each_part_shrinks_to_the_line() {
        let columns: Vec<String> = (1..=20)
            .map(|number| format!("A domain {number}"))
            .collect();
        let columns: Vec<&str> = columns.iter().map(String::as_str).collect();
        let wide = tables(&["a-model"], &columns).to_latex(Intervals::Hidden);
        let parts = wide.matches("\\begin{tabular}").count();
        assert_eq!(parts, 3, "{wide}");
        assert_eq!(
            wide.matches("\\resizebox{\\ifdim\\width>\\linewidth")
                .count(),
            parts
        );
        assert_eq!(wide.matches("a-model & 0.50").count(), parts);
        assert_eq!(wide.matches("\\begin{table}").count(), 1);
        for column in columns {
            assert!(wide.contains(column), "{column}");
        }
        let narrow = tables(&["a-model"], &["A domain", "B"]).to_latex(Intervals::Hidden);
        assert_eq!(narrow.matches("\\begin{tabular}").count(), 1);
    }

    #[test]
    fn latex_is_ascii_whatever_letters_names_have() {
        let names = [
            "γ-é",
            "模型",
            "🍌",
            "[a]",
            "*b",
            "\u{202e}c\u{7}",
            "ÿß…",
            "\"q\" `x'",
            "a--b",
        ];
        let all = tables(&names, &["T"]).to_latex(Intervals::Hidden);
        assert!(all.is_ascii(), "{all}");
        for row in [
            "    $\\gamma$-\\'{e} & ",
            "    \\jurorchar{6A21}\\jurorchar{578B} & ",
            "    \\jurorchar{1F34C} & ",
            "    {}[a] & ",
            "    {}*b & ",
            "     c  & ",
            "    a-{}-b & ",
            "    \\\"{y}\\ss{}\\ldots{} & ",
            "    {\\char34}q{\\char34} \\textquoteleft{}x\\textquoteright{} & ",
        ] {
            assert!(all.contains(row), "{row}\n{all}");
        }
        let mut listed = tables(&["a"], &["T"]);
        listed.tables[0].judge = "模".to_owned();
        let listed = listed.to_latex(Intervals::Hidden);
        assert!(listed.contains("\\caption[{A \\& B: Overall, judge {U+6A21}}]{A \\& B: Overall, judge \\jurorchar{6A21}."), "{listed}");
        assert!(all.contains("\\DeclareRobustCommand{\\jurorchar}"));
        assert!(
            !tables(&["é"], &["T"])
                .to_latex(Intervals::Hidden)
                .contains("jurorchar")
        );
    }
}
