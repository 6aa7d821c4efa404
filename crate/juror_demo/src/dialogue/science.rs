//! Dialogues of the category Science.

use super::{CLEAN, Dialogue, NOISE, WARM, picture, said, take, text};
use crate::paint::palette as p;
use crate::scene::{Flask, Island, Light, Night, Prism, Scene};

pub(super) fn astronomy() -> Dialogue {
    let sky = Night::default();
    let joined = Night {
        lines: 7,
        ..sky.clone()
    };
    let moonlit = Night {
        moon: 1,
        ..joined.clone()
    };
    let night = Scene::Night;
    Dialogue {
        domain: "astronomy",
        pictures: vec![
            night(sky.clone()),
            night(joined.clone()),
            night(moonlit.clone()),
        ],
        turns: vec![
            picture(
                "Join the seven brightest stars in Image #1 with thin lines so that the Plough can be recognised.",
                2,
                &[
                    (
                        "GT #1",
                        "The stars and the hills stay exactly as in <image>.",
                    ),
                    (
                        "Text",
                        "Thin lines join the seven brightest stars: a bent handle of three lines and a closed bowl of four.",
                    ),
                ],
                [
                    take(
                        night(Night {
                            shift: (0.6, -0.4),
                            ..joined.clone()
                        }),
                        CLEAN,
                        [9, 10, 9],
                        "All seven lines are there, handle and closed bowl, and the sky behind them is unchanged.",
                    ),
                    take(
                        night(Night {
                            lines: 5,
                            ..joined.clone()
                        }),
                        WARM,
                        [6, 7, 7],
                        "The handle is right, but the bowl is left open: two of its four lines are missing.",
                    ),
                    take(
                        night(Night {
                            wrong_lines: true,
                            hills: false,
                            ..joined.clone()
                        }),
                        NOISE,
                        [2, 3, 3],
                        "The lines criss-cross between unrelated stars, no Plough appears, and the hills have vanished.",
                    ),
                ],
            ),
            text(
                "Which star do you reach in Image #2 if you extend the line through the two outer stars of the bowl about five times?",
                "Polaris, the Pole Star.",
                [
                    said(
                        "You reach Polaris, the Pole Star, which marks north.",
                        10,
                        "Names Polaris, as the standard answer does.",
                    ),
                    said(
                        "You reach a bright star of the Little Dipper near the celestial pole.",
                        5,
                        "Points to the right constellation and place but does not name the star.",
                    ),
                    said(
                        "You reach Sirius.",
                        0,
                        "Sirius lies in another part of the sky; the answer is wrong.",
                    ),
                ],
            ),
            picture(
                "Add a thin crescent moon low on the right side of Image #2.",
                3,
                &[
                    (
                        "Image #2",
                        "Stars, lines and hills are the same as in <image>.",
                    ),
                    ("Text", "One thin crescent moon stands low on the right."),
                ],
                [
                    take(
                        night(Night {
                            shift: (0.6, -0.4),
                            ..moonlit.clone()
                        }),
                        CLEAN,
                        [10, 10, 9],
                        "One slender crescent hangs low on the right, and nothing else has changed.",
                    ),
                    take(
                        night(Night {
                            lines: 5,
                            sky: 0x0024_2a4a,
                            ..moonlit
                        }),
                        WARM,
                        [8, 7, 7],
                        "The crescent is right; the bowl of the Plough is still open.",
                    ),
                    take(
                        night(Night {
                            moon: 2,
                            lines: 0,
                            hills: false,
                            ..sky
                        }),
                        NOISE,
                        [2, 2, 3],
                        "A large full moon stands high in the sky instead of a low crescent, and the lines of the Plough are gone.",
                    ),
                ],
            ),
        ],
    }
}

pub(super) fn optics() -> Dialogue {
    let dark = Prism::default();
    let fan = Prism {
        out: Light::Spectrum,
        ..dark.clone()
    };
    let red = Prism {
        out: Light::Red,
        filter: true,
        ..dark.clone()
    };
    let prism = Scene::Prism;
    Dialogue {
        domain: "optics",
        pictures: vec![prism(dark), prism(fan.clone()), prism(red.clone())],
        turns: vec![
            picture(
                "White light enters the glass prism in Image #1. Draw what leaves it on the right.",
                2,
                &[
                    (
                        "GT #2",
                        "The colours leave the prism in the same order as in <image>, red on top and violet at the bottom.",
                    ),
                    (
                        "GT #1",
                        "The prism and the incoming beam are the same as in <image>.",
                    ),
                ],
                [
                    take(
                        prism(Prism {
                            bend: 2.0,
                            ..fan.clone()
                        }),
                        CLEAN,
                        [10, 9, 9],
                        "A full fan from red on top to violet below; prism and incoming beam are untouched.",
                    ),
                    take(
                        prism(Prism {
                            colours: 4,
                            ..fan.clone()
                        }),
                        WARM,
                        [6, 8, 7],
                        "The fan has the right direction but stops at green: blue and violet are missing.",
                    ),
                    take(
                        prism(Prism {
                            out: Light::Reversed,
                            bend: -90.0,
                            room: 0x004a_4a4a,
                            ..fan.clone()
                        }),
                        NOISE,
                        [2, 4, 3],
                        "The order is turned round, violet on top, and the fan is bent upwards.",
                    ),
                ],
            ),
            text(
                "Which of the colours in Image #2 is bent most, and why?",
                "Violet, because the refractive index of glass is largest for the shortest wavelength.",
                [
                    said(
                        "Violet is bent most: glass has the highest refractive index for the shortest wavelengths.",
                        10,
                        "Colour and reason agree with the standard answer.",
                    ),
                    said(
                        "Violet, because it is at the bottom of the fan.",
                        5,
                        "The colour is right, but its place in the drawing is given as the reason, not the refractive index.",
                    ),
                    said(
                        "None.",
                        0,
                        "No answer was found, so nothing can be compared.",
                    ),
                ],
            ),
            picture(
                "Put a red filter into the incoming beam of Image #2 and draw what changes.",
                3,
                &[
                    ("Image #2", "The prism stands as in <image>."),
                    (
                        "Text",
                        "Behind the filter only red light goes on, and only red leaves the prism.",
                    ),
                ],
                [
                    take(
                        prism(red.clone()),
                        CLEAN,
                        [9, 10, 10],
                        "The filter is in the beam, the light behind it is red, and a single red ray leaves the prism.",
                    ),
                    take(
                        prism(Prism {
                            out: Light::Spectrum,
                            ..red.clone()
                        }),
                        WARM,
                        [4, 8, 7],
                        "The filter and the red beam are drawn, yet the whole rainbow still leaves the prism.",
                    ),
                    take(
                        prism(Prism {
                            out: Light::White,
                            filter: false,
                            room: 0x004a_4a4a,
                            ..red
                        }),
                        NOISE,
                        [1, 3, 3],
                        "There is no filter; a white ray passes the prism without being split.",
                    ),
                ],
            ),
        ],
    }
}

pub(super) fn chemistry() -> Dialogue {
    const PINK: u32 = 0x00f6_cdd8;
    const DEEP: u32 = 0x00d6_4f8a;
    let clear = Flask::default();
    let end = Flask {
        liquid: PINK,
        level: 0.5,
        burette: 0.55,
        drop: true,
        ..clear.clone()
    };
    let over = Flask {
        liquid: DEEP,
        level: 0.58,
        burette: 0.25,
        drop: true,
        ..clear.clone()
    };
    let flask = Scene::Flask;
    Dialogue {
        domain: "chemistry",
        pictures: vec![flask(clear), flask(end.clone()), flask(over.clone())],
        turns: vec![
            picture(
                "The flask in Image #1 holds an acid with phenolphthalein. Show it at the very moment when the base from the burette has neutralised it.",
                2,
                &[(
                    "GT #2",
                    "The liquid in the flask has about the same colour as in <image>.",
                )],
                [
                    take(
                        flask(Flask {
                            liquid: 0x00f5_c6d4,
                            level: 0.51,
                            ..end.clone()
                        }),
                        CLEAN,
                        [9, 9, 10],
                        "The liquid shows the same faint pink as the reference.",
                    ),
                    take(
                        flask(Flask {
                            liquid: 0x00e8_7fa8,
                            ..end.clone()
                        }),
                        WARM,
                        [6, 8, 7],
                        "The liquid is pink, but much stronger than the first faint tint that is asked for.",
                    ),
                    take(
                        flask(Flask {
                            liquid: p::SEA,
                            beaker: true,
                            wall: 0x00d4_d4d4,
                            stand: false,
                            ..end.clone()
                        }),
                        NOISE,
                        [1, 2, 3],
                        "The liquid is blue and stands in a beaker; neither matches the reference.",
                    ),
                ],
            ),
            picture(
                "Now let clearly too much base run into the flask of Image #2.",
                3,
                &[
                    (
                        "GT #3",
                        "The liquid in the flask has about the same colour as in <image>.",
                    ),
                    (
                        "Image #2",
                        "Flask, stand and burette are the ones of <image>.",
                    ),
                ],
                [
                    take(
                        flask(Flask {
                            liquid: 0x00d9_5690,
                            ..over.clone()
                        }),
                        CLEAN,
                        [10, 10, 9],
                        "A deep magenta as in the reference, in the same flask under the same burette.",
                    ),
                    take(
                        flask(Flask {
                            liquid: 0x00e8_7fa8,
                            burette: 0.55,
                            ..over.clone()
                        }),
                        WARM,
                        [5, 8, 8],
                        "The colour has not deepened against the picture before, and the burette is as full as it was.",
                    ),
                    take(
                        flask(Flask {
                            liquid: p::LEAF,
                            stand: false,
                            wall: 0x00d4_d4d4,
                            ..over
                        }),
                        NOISE,
                        [1, 3, 2],
                        "The liquid has turned green and the stand is missing.",
                    ),
                ],
            ),
            text(
                "What does the sudden change of colour between Image #1 and Image #2 tell about the solution?",
                "The end point is reached: the acid is neutralised and the solution has just become slightly basic (about pH 8.2 and above).",
                [
                    said(
                        "It marks the end point: the acid is used up and the solution has just turned slightly basic, above about pH 8.",
                        10,
                        "End point, neutralisation and the weakly basic range are all stated.",
                    ),
                    said(
                        "The acid has been neutralised.",
                        5,
                        "Neutralisation is named, but not that the solution is now basic.",
                    ),
                    said(
                        "The indicator has evaporated.",
                        0,
                        "Evaporation has nothing to do with the change of colour.",
                    ),
                ],
            ),
        ],
    }
}

pub(super) fn geography() -> Dialogue {
    let bare = Island::default();
    let river = Island {
        river: 1,
        ..bare.clone()
    };
    let town = Island {
        town: Some((196.0, 206.0)),
        ..river.clone()
    };
    let island = Scene::Island;
    Dialogue {
        domain: "geography",
        pictures: vec![island(bare), island(river.clone()), island(town.clone())],
        turns: vec![
            picture(
                "Image #1 is a map of an island, north is up. Add a river that springs near the summit and reaches the sea on the south coast.",
                2,
                &[
                    (
                        "GT #1",
                        "Coast, contour lines and woods are the same as in <image>.",
                    ),
                    (
                        "Text",
                        "A blue river runs downhill from the summit to the south coast without crossing a contour line twice.",
                    ),
                ],
                [
                    take(
                        island(Island {
                            scale: 0.995,
                            ..river.clone()
                        }),
                        CLEAN,
                        [9, 9, 9],
                        "The river starts at the summit, runs steadily downhill and ends on the south coast.",
                    ),
                    take(
                        island(Island {
                            river: 2,
                            ..river.clone()
                        }),
                        WARM,
                        [4, 8, 7],
                        "There is a river, but it comes from the east coast, climbs over a ridge and ends in the north.",
                    ),
                    take(
                        island(Island {
                            river: 0,
                            contours: 2,
                            woods: false,
                            sea: p::SLATE,
                            ..river.clone()
                        }),
                        NOISE,
                        [1, 3, 3],
                        "No river was drawn, and most contour lines are gone.",
                    ),
                ],
            ),
            picture(
                "Place a small town on the east bank near the mouth of the river in Image #2.",
                3,
                &[
                    (
                        "Image #2",
                        "The island and its river are the same as in <image>.",
                    ),
                    (
                        "Text",
                        "A few houses stand on the east bank, close to the mouth.",
                    ),
                ],
                [
                    take(
                        island(Island {
                            town: Some((198.0, 207.0)),
                            scale: 0.995,
                            ..town.clone()
                        }),
                        CLEAN,
                        [9, 10, 9],
                        "Three houses stand on the east bank a little above the mouth; the map is unchanged.",
                    ),
                    take(
                        island(Island {
                            river: 2,
                            town: Some((134.0, 88.0)),
                            ..town.clone()
                        }),
                        WARM,
                        [5, 8, 7],
                        "The houses stand by the river, but on its west bank.",
                    ),
                    take(
                        island(Island {
                            river: 0,
                            town: Some((330.0, 40.0)),
                            contours: 1,
                            woods: false,
                            sea: p::SLATE,
                            ..town
                        }),
                        NOISE,
                        [1, 2, 3],
                        "The houses stand in the open sea, and there is no river on the island.",
                    ),
                ],
            ),
        ],
    }
}
