//! What cases are drawn from: lists of subjects, scenes, styles, clothes and accessories.
//!
//! The authors' lists are not published; these are ours, and a user's own take their place list by list.

use serde::{Deserialize, Serialize};

use crate::Error;

/// Words of a slot, one on each line of its file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pools {
    /// People, animals and things, each without an article's help: “a young woman”.
    pub subject: Vec<String>,
    /// What makes a subject that one: “with a red scarf”.
    pub attribute: Vec<String>,
    /// Where it is: “a sunny meadow”.
    pub scene: Vec<String>,
    /// How it is painted: “watercolour”.
    pub style: Vec<String>,
    /// What is shown to show a style: “a windmill”.
    pub style_object: Vec<String>,
    /// “a denim jacket”.
    pub clothing: Vec<String>,
    /// “a straw hat”.
    pub accessory: Vec<String>,
    /// Who wears them: “a man in his forties”.
    pub wearer: Vec<String>,
}

/// The starter set, a line each: name, then its words.
const STARTERS: &str = include_str!("pools.txt");

impl Default for Pools {
    fn default() -> Self {
        let list = |name: &str| {
            let lines = STARTERS
                .lines()
                .skip_while(|line| line.trim() != format!("[{name}]"));
            let own = lines.skip(1).take_while(|line| !line.starts_with('['));
            lines_of(&own.collect::<Vec<_>>().join("\n"))
        };
        Self {
            subject: list("subject"),
            attribute: list("attribute"),
            scene: list("scene"),
            style: list("style"),
            style_object: list("style_object"),
            clothing: list("clothing"),
            accessory: list("accessory"),
            wearer: list("wearer"),
        }
    }
}

impl Pools {
    /// Names of the lists, which their files have with `.txt` behind.
    pub const NAMES: [&str; 8] = [
        "subject",
        "attribute",
        "scene",
        "style",
        "style_object",
        "clothing",
        "accessory",
        "wearer",
    ];

    /// Puts a user's list in a list's place.
    ///
    /// # Errors
    /// There is no such list, or too few words for one case.
    pub fn replace(&mut self, name: &str, text: &str) -> Result<(), Error> {
        let list = match name {
            "subject" => &mut self.subject,
            "attribute" => &mut self.attribute,
            "scene" => &mut self.scene,
            "style" => &mut self.style,
            "style_object" => &mut self.style_object,
            "clothing" => &mut self.clothing,
            "accessory" => &mut self.accessory,
            "wearer" => &mut self.wearer,
            other => {
                return Err(Error::List(format!(
                    "There is no list {other}; expected one of {}.",
                    Self::NAMES.join(", ")
                )));
            }
        };
        let words = lines_of(text);
        if words.len() < MIN_WORDS {
            return Err(Error::List(format!(
                "{name}.txt has {} different lines; a case may need {MIN_WORDS} that differ.",
                words.len()
            )));
        }
        *list = words;
        Ok(())
    }
}

/// The most that one case takes of one list.
const MIN_WORDS: usize = 6;

/// Lines that say something, each once.
fn lines_of(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        if !found.iter().any(|known| known == line) {
            found.push(line.to_owned());
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_starter_set_has_60_subjects_30_scenes_and_20_of_the_others_that_the_paper_names() {
        let pools = Pools::default();
        let counts = [
            &pools.subject,
            &pools.scene,
            &pools.style,
            &pools.clothing,
            &pools.accessory,
        ];
        assert_eq!(counts.map(Vec::len), [60, 30, 20, 20, 20]);
        let others = [&pools.attribute, &pools.style_object, &pools.wearer];
        assert!(others.iter().all(|list| list.len() >= MIN_WORDS));
    }

    #[test]
    fn a_list_of_ones_own_takes_the_place_of_ours_and_a_short_one_is_refused() -> Result<(), Error>
    {
        let mut pools = Pools::default();
        pools.replace("scene", "a\nb\n\nc\nd\ne\nf\nf\n")?;
        assert_eq!(pools.scene.len(), 6);
        assert!(pools.replace("scene", "a\na\na\na\na\na\n").is_err());
        assert!(pools.replace("scenes", "a\nb\nc\nd\ne\nf\n").is_err());
        Ok(())
    }
}
