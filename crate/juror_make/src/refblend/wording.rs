//! Instructions in our own sentences: ten for each type that has a picture, the subject first, the caption last.

use juror_protocols::multiref::condition;
use juror_protocols::multiref::instructions::Instruction;
use juror_reading::py::Value;

use super::matrix::RefType;
use crate::draws::Numbers;

/// What stands before the caption.
pub const LEAD: &str = "The picture shows:";
/// The name in angle brackets in a frame, and the noun.
const TOKEN: &str = "{token}";
const NOUN: &str = "{noun}";

/// Sentences for whatever has a noun.
const FRAMES: [&str; 5] = [
    "Take the {noun} from {token}.",
    "Let {token} decide the {noun}.",
    "Keep to the {noun} that {token} gives.",
    "Build the picture on the {noun} of {token}.",
    "Where the {noun} is concerned, go by {token}.",
];

/// What goes on from “Generate an image”.
const SUBJECT: [&str; 10] = [
    "with {token}.",
    "that shows {token}.",
    "about {token}.",
    "in which {token} is the main thing.",
    "centred on {token}.",
    "featuring the thing in {token}.",
    "that brings out {token}.",
    "built around {token}.",
    "with {token} in view.",
    "presenting {token}.",
];

const STYLE: [&str; 10] = [
    "Paint it in the manner of {token}.",
    "Give it the look of {token}.",
    "Use the style of {token}.",
    "Take the style from {token}.",
    "Let {token} decide the style.",
    "Keep to the style that {token} gives.",
    "Take the look from {token}.",
    "Let {token} decide the look.",
    "Keep to the look that {token} gives.",
    "Where the style is concerned, go by {token}.",
];

/// The two nouns of a type, for the frames.
fn nouns(one: RefType) -> Option<[&'static str; 2]> {
    Some(match one {
        RefType::Canny => ["edges", "outlines"],
        RefType::Depth => ["depth", "spatial layering"],
        RefType::Sketch => ["line drawing", "contours"],
        RefType::SemanticMap => ["regions", "layout of areas"],
        RefType::Bbox => ["position", "extent of the main object"],
        RefType::Mask => ["silhouette", "place of the main object"],
        RefType::Pose => ["pose", "posture"],
        RefType::Caption | RefType::Subject | RefType::Style => return None,
    })
}

/// The ten sentences of a type, with its name in them; none for the caption.
///
/// # Example
/// ```
/// use juror_make::refblend::{matrix::RefType, wording::sentences};
/// assert!(sentences(RefType::Canny).contains(&"Take the edges from <canny_image>.".to_owned()));
/// assert!(sentences(RefType::Caption).is_empty());
/// ```
pub fn sentences(one: RefType) -> Vec<String> {
    let token = condition(one.id()).map_or("", |known| known.token);
    let named = |frame: &str| frame.replace(TOKEN, &format!("<{token}>"));
    match (one, nouns(one)) {
        (_, Some(nouns)) => {
            let frames = FRAMES.iter().flat_map(|frame| {
                let named = named(frame);
                nouns.map(|noun| agreed(&named.replace(NOUN, noun), noun))
            });
            frames.collect()
        }
        (RefType::Subject, None) => SUBJECT.map(named).to_vec(),
        (RefType::Style, None) => STYLE.map(named).to_vec(),
        (_, None) => Vec::new(),
    }
}

/// “the edges are concerned”.
fn agreed(sentence: &str, noun: &str) -> String {
    let is_plural = ["edges", "outlines", "contours", "regions"].contains(&noun);
    if is_plural {
        sentence.replace(" is concerned", " are concerned")
    } else {
        sentence.to_owned()
    }
}

/// The instruction of types in the order drawn: subject first, then the others in their order, the caption last with one
/// full stop.
///
/// `paths` are the pictures of a type; one is chosen where there are several.
pub fn instruction<'a>(
    drawn: &[RefType],
    caption: &str,
    paths: impl Fn(RefType) -> Vec<&'a str>,
    numbers: &mut impl Numbers,
) -> Instruction {
    let mut order: Vec<RefType> = drawn.to_vec();
    order.sort_by_key(|one| *one != RefType::Subject);
    let start = if order.contains(&RefType::Subject) {
        "Generate an image"
    } else {
        "Generate an image."
    };
    let mut texts = vec![start.to_owned()];
    let mut pictures = Vec::new();
    for one in order.iter().copied().filter(|one| *one != RefType::Caption) {
        let sentences = sentences(one);
        texts.extend(numbers.choose(&sentences).cloned());
        let paths = paths(one);
        let token = condition(one.id()).map_or("", |known| known.token);
        if let Some(path) = numbers.choose(&paths) {
            pictures.push((token.to_owned(), Value::Str((*path).to_owned())));
        }
    }
    if order.contains(&RefType::Caption) {
        let caption = caption.trim().trim_end_matches('.');
        texts.push(format!("{LEAD} {caption}."));
    }
    Instruction {
        text: texts.join(" "),
        pictures,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draws::Draws;

    #[test]
    fn each_type_has_ten_sentences_that_name_it_once_and_end_in_one_full_stop() {
        for one in RefType::ALL
            .into_iter()
            .filter(|one| *one != RefType::Caption)
        {
            let sentences = sentences(one);
            let token = format!("<{}>", condition(one.id()).map_or("", |known| known.token));
            let mut distinct = sentences.clone();
            distinct.sort();
            distinct.dedup();
            assert_eq!(distinct.len(), 10, "{}", one.id());
            for sentence in sentences {
                assert_eq!(sentence.matches(&token).count(), 1, "{sentence}");
                assert_eq!(sentence.matches('<').count(), 1, "{sentence}");
                assert!(
                    sentence.ends_with('.') && !sentence.ends_with(".."),
                    "{sentence}"
                );
                assert!(!sentence.contains('{'), "{sentence}");
            }
        }
    }

    #[test]
    fn the_subject_comes_first_and_the_caption_last_with_one_full_stop() {
        use RefType::{Caption, Depth, Subject};
        for caption in ["A cat.", "A cat", "A cat... "] {
            let mut numbers = Draws::new(1, &[caption]);
            let paths = |one: RefType| vec![one.id(), "other"];
            let made = instruction(&[Caption, Depth, Subject], caption, paths, &mut numbers);
            let text = &made.text;
            assert!(text.ends_with("The picture shows: A cat."), "{text}");
            let at = |token: &str| text.find(token).unwrap_or(usize::MAX);
            assert!(at("<subject_1>") < at("<depth_image>"), "{text}");
            let tokens: Vec<&str> = made
                .pictures
                .iter()
                .map(|(name, _)| name.as_str())
                .collect();
            assert_eq!(tokens, ["subject_1", "depth_image"]);
        }
        let made = instruction(&[Depth], "", |_| vec!["d"], &mut Draws::new(1, &[]));
        assert!(
            made.text.starts_with("Generate an image. "),
            "{}",
            made.text
        );
    }
}
