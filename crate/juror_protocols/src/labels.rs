//! What can be wrong with an output, in words that fit any benchmark; a protocol may offer its own before them.

use juror_model::terms::FailureLabel;

/// Id, name, and when it applies.
type Words = (&'static str, &'static str, &'static str);

const GENERAL: [Words; 10] = [
    (
        "subject-missing",
        "Subject missing",
        "Something that was asked for is not in the picture.",
    ),
    (
        "extra-subject",
        "Extra subject",
        "The picture has something that was not asked for, or has it twice.",
    ),
    (
        "identity-lost",
        "Identity lost",
        "A person or thing is there and is not recognisably the same one as in the reference.",
    ),
    (
        "attribute-leak",
        "Attribute leak",
        "A colour, material or feature of one subject went over to another.",
    ),
    (
        "wrong-place",
        "Wrong place",
        "The right thing is in the wrong place.",
    ),
    (
        "pasted-look",
        "Pasted look",
        "Parts look cut out and put in: light, scale, perspective or edges do not fit.",
    ),
    (
        "style-break",
        "Style break",
        "A part, or all of it, is in another style than asked for or than its surroundings.",
    ),
    (
        "artefact",
        "Artefact",
        "Something is malformed: limbs, smears, seams, noise.",
    ),
    (
        "text-wrong",
        "Text wrong",
        "Lettering in the picture is misspelt, unreadable or missing.",
    ),
    (
        "ignored-reference",
        "Ignored reference",
        "A reference that was given has left no trace.",
    ),
];

/// The labels that every benchmark has.
pub fn general() -> Vec<FailureLabel> {
    GENERAL.into_iter().map(label).collect()
}

/// These in front, and behind them the general ones that they do not name; a general one in front is named only by its id.
pub(crate) fn before_general(own: &[Words]) -> Vec<FailureLabel> {
    let known = |id: &str| GENERAL.into_iter().find(|(of, ..)| *of == id);
    let own = own.iter().map(|words| known(words.0).unwrap_or(*words));
    let mut all: Vec<FailureLabel> = own.map(label).collect();
    for one in general() {
        if all.iter().all(|known| known.id != one.id) {
            all.push(one);
        }
    }
    all
}

fn label((id, name, meaning): Words) -> FailureLabel {
    FailureLabel {
        id: id.to_owned(),
        name: name.to_owned(),
        meaning: meaning.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_of_a_protocol_come_first_and_no_label_comes_twice() {
        let all = before_general(&[("wrong-ball", "Wrong ball", ""), ("style-break", "", "")]);
        let ids: Vec<&str> = all.iter().map(|one| one.id.as_str()).collect();
        assert_eq!(ids[..3], ["wrong-ball", "style-break", "subject-missing"]);
        assert_eq!(ids.len(), GENERAL.len() + 1);
        assert_eq!(all[1].name, "Style break");
    }

    #[test]
    fn ids_can_be_typed_in_a_filter_without_quotes() {
        for one in general() {
            let is_plain = |c: char| c.is_ascii_lowercase() || c == '-';
            assert!(one.id.chars().all(is_plain) && !one.id.is_empty());
            assert!(!one.meaning.is_empty() && !["any", "none"].contains(&one.id.as_str()));
        }
    }
}
