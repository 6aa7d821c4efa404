//! Writes the TypeScript client of the questions; `cargo xtask bless` calls it beside ts-rs's own exports.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::PathBuf;

use ts_rs::{Config, TS};

use super::{Around, described};

/// A question as the client has it.
pub(super) struct Described {
    /// As the variant is called.
    pub(super) name: &'static str,
    pub(super) doc: Vec<&'static str>,
    /// Names and TypeScript types.
    pub(super) fields: Vec<(&'static str, String)>,
    pub(super) answer: String,
    pub(super) around: Vec<Around>,
}

/// A type's name in TypeScript.
pub(super) fn name_of<T: TS>() -> String {
    T::name(&Config::default())
}

impl Described {
    /// As the page calls it: `GroupFilter` is `groupFilter`.
    fn called(&self) -> String {
        let (first, rest) = self.name.split_at(1);
        first.to_lowercase() + rest
    }

    fn is_of_host(&self) -> bool {
        self.around.contains(&Around::Host)
    }

    /// An answer in parts is `null` until there is one, which the worker keeps to itself.
    fn answer(&self) -> &str {
        match self.answer.strip_suffix(" | null") {
            Some(whole) if self.around.contains(&Around::Parts) => whole,
            _ => &self.answer,
        }
    }

    fn method(&self) -> String {
        let fields: Vec<String> = (self.fields.iter())
            .map(|(name, kind)| format!("{name}: {kind}"))
            .collect();
        let doc: Vec<&str> = self.doc.iter().map(|line| line.trim()).collect();
        let (doc, called) = (doc.join(" "), self.called());
        format!(
            "  /** {doc} */\n  {called}({}): {};\n",
            fields.join(", "),
            self.answer()
        )
    }

    fn entry(&self, topic: &str) -> String {
        let quoted = |names: Vec<String>| -> String {
            let names: Vec<String> = names.iter().map(|name| format!("'{name}'")).collect();
            names.join(", ")
        };
        let takes = quoted(
            self.fields
                .iter()
                .map(|(name, _)| (*name).to_owned())
                .collect(),
        );
        let around = quoted(
            self.around
                .iter()
                .map(|around| format!("{around:?}").to_lowercase())
                .collect(),
        );
        format!(
            "  {}: {{ topic: '{topic}', takes: [{takes}], around: [{around}] }},\n",
            self.called()
        )
    }
}

/// The types that a text names and that have a file of their own.
fn named(text: &str) -> BTreeSet<&str> {
    const BUILT_IN: [&str; 3] = ["Array", "ArrayBuffer", "Uint8Array"];
    text.split(|part: char| !part.is_alphanumeric() && part != '_')
        .filter(|word| word.starts_with(char::is_uppercase) && !BUILT_IN.contains(word))
        .collect()
}

fn client() -> String {
    let topics = described();
    let questions = || {
        topics
            .iter()
            .flat_map(|(topic, questions)| questions.iter().map(move |one| (*topic, one)))
    };
    let methods = |of_host: bool| -> String {
        questions()
            .filter(|(_, one)| one.is_of_host() == of_host)
            .map(|(_, one)| one.method())
            .collect()
    };
    let types: Vec<String> = questions()
        .map(|(_, one)| {
            let fields: Vec<&str> = one.fields.iter().map(|(_, kind)| kind.as_str()).collect();
            format!("{} {} ", fields.join(" "), one.answer())
        })
        .collect();
    let mut text = String::from(
        "// Written by `cargo xtask bless` from the questions of juror_web; do not edit it.\n",
    );
    for name in named(&types.concat()) {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "import type {{ {name} }} from './{name}';");
    }
    let entries: String = questions().map(|(topic, one)| one.entry(topic)).collect();
    let (page, host) = (methods(false), methods(true));
    text + &format!(
        "
/** What the page asks of a session, and what it is answered. */
export interface PageQuestions {{
{page}}}

/** What the host of a session asks besides. */
export interface HostQuestions {{
{host}}}

/** Every question. */
export type Questions = PageQuestions & HostQuestions;

/** The answer to a question. */
export type AnswerOf<Name extends keyof Questions> = ReturnType<Questions[Name]>;

/** What the worker does around a question. */
export type Around = 'host' | 'read' | 'pictures' | 'ratings' | 'parts' | 'changes';

/** How each question crosses to the engine: `{{topic: {{name: {{…}}}}}}` with the arguments under these names. */
export const QUESTIONS: Record<keyof Questions, {{ topic: string; takes: readonly string[]; around: readonly Around[] }}> = {{
{entries}}};
"
    )
}

/// Writes a file where ts-rs writes the types of this run.
pub(crate) fn write_beside_types(name: &str, text: &str) {
    let dir = std::env::var_os("TS_RS_EXPORT_DIR").map_or_else(std::env::temp_dir, PathBuf::from);
    std::fs::write(dir.join(name), text).expect("the file is written beside the types");
}

#[test]
fn export_bindings_of_the_questions() {
    let text = client();
    write_beside_types("questions.ts", &text);
}

#[test]
fn two_questions_have_not_one_name() {
    let topics = described();
    let mut names = BTreeSet::new();
    for (topic, questions) in &topics {
        for one in questions {
            assert!(
                names.insert(one.called()),
                "{topic} asks {} again",
                one.called()
            );
        }
    }
}

/// The page's list of demo suites, the one that the page starts with first.
#[test]
fn export_bindings_of_the_demo_suites() {
    let suites = serde_json::to_string_pretty(&juror_protocols::registry::demos())
        .expect("a list of demo suites is JSON");
    let text = format!(
        "// This file was generated from the registry of protocols. Do not edit this file manually.\nimport type {{ DemoSuite }} from './DemoSuite';\n\n/** The demo suites, the one that the page starts with first. */\nexport const SUITES: readonly DemoSuite[] = {suites};\n"
    );
    write_beside_types("suites.ts", &text);
}
