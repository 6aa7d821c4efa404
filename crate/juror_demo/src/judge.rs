//! The judge's name, and its words on consistency and quality: sentences that fit what was drawn, chosen by score and defect.

use super::paint::Finish;
use super::random::Random;

/// The judge of the suites whose layout has a place for its name.
pub(crate) const JUDGE: &str = "demo-judge";

/// The reasons for visual consistency and image quality of one picture.
pub(crate) fn reasons(
    consistency: u8,
    quality: u8,
    finish: Finish,
    random: &mut Random,
) -> [&'static str; 2] {
    let mut one_of = |choices: &[&'static str]| {
        choices
            .get(random.below(choices.len()))
            .copied()
            .unwrap_or_default()
    };
    let first = match (finish, consistency) {
        (Finish::Blocks(_), _) => one_of(&[
            "Most of what should have stayed is changed or covered by stray blocks.",
            "The setting is barely recognisable: parts are missing and blocks lie over the rest.",
            "Little of the dialogue's scene is kept, and the style has broken.",
        ]),
        (Finish::Cast(..), 8..) => one_of(&[
            "The layout is kept, but all colours lean towards orange.",
            "Everything stands where it stood; the colours have become warmer.",
        ]),
        (Finish::Cast(..), _) => one_of(&[
            "The colours have shifted towards orange, and a part of the scene changed without being asked for.",
            "The main shapes are kept; colours and one detail are not.",
        ]),
        (Finish::Clean, _) => one_of(&[
            "Everything that the request leaves alone stands where it stood, in the same colours.",
            "Composition, colours and line weight fit the dialogue so far.",
            "No drift: shapes outside of the request are untouched.",
        ]),
    };
    let second = match (finish, quality) {
        (Finish::Blocks(_), _) => one_of(&[
            "Coarse coloured blocks are scattered over the whole picture.",
            "Blocky noise cuts through edges and even areas.",
        ]),
        (Finish::Cast(..), 8..) => one_of(&[
            "Clean edges, with a colour cast over the whole picture.",
            "Tidy drawing; whites are no longer white.",
        ]),
        (Finish::Cast(..), _) => one_of(&[
            "A colour cast flattens the contrast, and one edge is visibly off.",
            "Acceptable, but dull: the cast swallows the lighter colours.",
        ]),
        (Finish::Clean, _) => one_of(&[
            "Crisp edges, even areas, no artefacts.",
            "Clean throughout; nothing disturbs the eye.",
            "Sharp and balanced, without visible seams.",
        ]),
    };
    [first, second]
}
