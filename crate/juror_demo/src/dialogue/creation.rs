//! Dialogues of the category Creation.

use super::{CLEAN, Dialogue, NOISE, WARM, picture, take};
use crate::paint::palette as p;
use crate::scene::{Boat, Cat, Hat, House, Scene, Weather};

pub(super) fn edit() -> Dialogue {
    let plain = House::default();
    let blue = House {
        fence: p::BLUE,
        ..plain.clone()
    };
    let dog = House {
        dog: Some((p::WOOD, 96.0)),
        ..blue.clone()
    };
    let dusk = House {
        evening: true,
        ..dog.clone()
    };
    let house = Scene::House;
    Dialogue {
        domain: "edit",
        pictures: vec![
            house(plain),
            house(blue.clone()),
            house(dog.clone()),
            house(dusk.clone()),
        ],
        turns: vec![
            picture(
                "Paint the fence in Image #1 blue.",
                2,
                &[(
                    "GT #1",
                    "Compared to <image> the fence is blue; house, tree and sky are unchanged.",
                )],
                [
                    take(
                        house(House {
                            fence: 0x0042_75b2,
                            ..blue.clone()
                        }),
                        CLEAN,
                        [10, 10, 10],
                        "The whole fence is blue and nothing else has changed.",
                    ),
                    take(
                        house(House {
                            roof: p::BLUE,
                            ..blue.clone()
                        }),
                        WARM,
                        [6, 6, 8],
                        "The fence is blue, but so is the roof, which nobody asked for.",
                    ),
                    take(
                        house(House {
                            fence: p::PAPER,
                            wall: p::BLUE,
                            background: false,
                            ..blue.clone()
                        }),
                        NOISE,
                        [2, 2, 3],
                        "The fence is still white; the wall of the house turned blue instead.",
                    ),
                ],
            ),
            picture(
                "Let a brown dog with a red collar stand in front of the fence in Image #2, on the left.",
                3,
                &[
                    (
                        "Image #2",
                        "Apart from the dog the scene is the one of <image>.",
                    ),
                    (
                        "Text",
                        "A brown dog with a red collar stands in front of the fence on the left.",
                    ),
                ],
                [
                    take(
                        house(House {
                            dog: Some((p::WOOD, 101.0)),
                            fence: 0x0042_75b2,
                            ..dog.clone()
                        }),
                        CLEAN,
                        [10, 9, 9],
                        "A brown dog with a red collar stands on the left in front of the blue fence.",
                    ),
                    take(
                        house(House {
                            dog: Some((p::STONE, 292.0)),
                            roof: p::BLUE,
                            ..dog.clone()
                        }),
                        WARM,
                        [5, 7, 8],
                        "There is a dog with a red collar, but it is grey and stands on the right.",
                    ),
                    take(
                        house(House {
                            dog: None,
                            tree: false,
                            fence: p::PAPER,
                            wall: p::BLUE,
                            background: false,
                            ..dog.clone()
                        }),
                        NOISE,
                        [1, 2, 3],
                        "No dog is to be seen, and the tree has disappeared.",
                    ),
                ],
            ),
            picture(
                "Turn Image #3 into an evening scene with lit windows.",
                4,
                &[
                    ("Image #3", "House, fence and dog are the ones of <image>."),
                    (
                        "Text",
                        "The sky shows dusk and the windows are lit in yellow.",
                    ),
                ],
                [
                    take(
                        house(House {
                            dog: Some((p::WOOD, 101.0)),
                            fence: 0x0042_75b2,
                            ..dusk.clone()
                        }),
                        CLEAN,
                        [9, 9, 9],
                        "Dusk with the first stars, warm windows, and the dog still stands where it stood.",
                    ),
                    take(
                        house(House {
                            dog: None,
                            roof: p::BLUE,
                            ..dusk.clone()
                        }),
                        WARM,
                        [6, 6, 7],
                        "The evening is convincing and the windows are lit, but the dog has left.",
                    ),
                    take(
                        house(House {
                            evening: false,
                            dog: None,
                            tree: false,
                            wall: p::SLATE,
                            background: false,
                            ..dusk
                        }),
                        NOISE,
                        [1, 2, 2],
                        "Neither dusk nor lit windows: the house stands before an empty grey ground.",
                    ),
                ],
            ),
        ],
    }
}

pub(super) fn fusion() -> Dialogue {
    let cat = Cat::default();
    let hat = Cat {
        fur: None,
        hat: Some(Hat::default()),
        ..cat.clone()
    };
    let both = Cat {
        hat: Some(Hat::default()),
        ..cat.clone()
    };
    let window = Cat {
        behind: 1,
        ..both.clone()
    };
    let draw = Scene::Cat;
    Dialogue {
        domain: "fusion",
        pictures: vec![
            draw(cat),
            draw(hat),
            draw(both.clone()),
            draw(window.clone()),
        ],
        turns: vec![
            picture(
                "Let the cat from Image #1 wear the hat from Image #2.",
                3,
                &[
                    (
                        "GT #1",
                        "The cat is the one of <image>: ginger, striped, with green eyes.",
                    ),
                    (
                        "GT #2",
                        "The hat is the one of <image>: teal with a yellow band and a feather.",
                    ),
                ],
                [
                    take(
                        draw(Cat {
                            hat: Some(Hat {
                                aside: 2.0,
                                ..Hat::default()
                            }),
                            ..both.clone()
                        }),
                        CLEAN,
                        [10, 9, 10],
                        "The same ginger cat wears the same teal hat with band and feather.",
                    ),
                    take(
                        draw(Cat {
                            hat: Some(Hat {
                                felt: p::RED,
                                band: p::INK,
                                ..Hat::default()
                            }),
                            ..both.clone()
                        }),
                        WARM,
                        [6, 8, 8],
                        "Cat and shape of the hat are right, but the hat is red with a dark band instead of teal and yellow.",
                    ),
                    take(
                        draw(Cat {
                            fur: Some(p::STONE),
                            behind: 2,
                            hat: None,
                            ..both.clone()
                        }),
                        NOISE,
                        [1, 2, 2],
                        "The file cannot be opened as a picture.",
                    ),
                ],
            ),
            picture(
                "Seat the cat of Image #3 in front of a window with an evening sky.",
                4,
                &[
                    ("Image #3", "The cat with its hat looks as in <image>."),
                    (
                        "Text",
                        "Behind the cat is a window through which an evening sky can be seen.",
                    ),
                ],
                [
                    take(
                        draw(Cat {
                            hat: Some(Hat {
                                aside: 2.0,
                                ..Hat::default()
                            }),
                            ..window.clone()
                        }),
                        CLEAN,
                        [9, 9, 10],
                        "The cat with its hat sits before a window; the evening sky and the low sun are clearly visible.",
                    ),
                    take(
                        draw(Cat {
                            hat: Some(Hat {
                                felt: p::RED,
                                band: p::INK,
                                aside: 26.0,
                                up: 12.0,
                            }),
                            stripes: false,
                            ..window.clone()
                        }),
                        WARM,
                        [7, 6, 7],
                        "Window and evening sky are there; the hat has slipped aside and the stripes have gone.",
                    ),
                    take(
                        draw(Cat {
                            fur: Some(p::STONE),
                            stripes: false,
                            behind: 2,
                            eyes: p::CORAL,
                            hat: None,
                        }),
                        NOISE,
                        [1, 2, 3],
                        "A grey cat without a hat stands before an empty ground; there is no window.",
                    ),
                ],
            ),
        ],
    }
}

pub(super) fn story() -> Dialogue {
    let morning = Boat::default();
    let storm = Boat {
        weather: Weather::Storm,
        tilt: -13.0,
        ..morning.clone()
    };
    let evening = Boat {
        weather: Weather::Evening,
        tilt: 0.0,
        ..morning.clone()
    };
    let boat = Scene::Boat;
    Dialogue {
        domain: "story",
        pictures: vec![
            boat(morning.clone()),
            boat(storm.clone()),
            boat(evening.clone()),
        ],
        turns: vec![
            picture(
                "A story in three pictures. First: on a bright morning a small red sailing boat with a blue stripe on its white sail leaves the lighthouse behind.",
                1,
                &[(
                    "Text",
                    "A red boat with a white sail and a blue stripe sails on a sunny morning, with a lighthouse on the right.",
                )],
                [
                    take(
                        boat(Boat {
                            tilt: -2.0,
                            ..morning.clone()
                        }),
                        CLEAN,
                        [10, 10, 9],
                        "Morning sun, red hull, white sail with a blue stripe and the lighthouse: all there.",
                    ),
                    take(
                        boat(Boat {
                            stripe: false,
                            ..morning.clone()
                        }),
                        WARM,
                        [7, 8, 8],
                        "Boat, sun and lighthouse are there; the sail has no blue stripe.",
                    ),
                    take(
                        boat(Boat {
                            lighthouse: false,
                            hull: p::SLATE,
                            sail: p::STONE,
                            stripe: false,
                            weather: Weather::Evening,
                            ..morning
                        }),
                        NOISE,
                        [2, 3, 3],
                        "A grey boat in the evening: colours and time of day are wrong, and the lighthouse is missing.",
                    ),
                ],
            ),
            picture(
                "Second: the boat of Image #1 is caught in a thunderstorm; it heels over and the lighthouse throws its beam.",
                2,
                &[
                    ("Image #1", "Boat and lighthouse are the ones of <image>."),
                    (
                        "Text",
                        "Dark clouds, rain and lightning; the boat heels; the lighthouse throws a beam.",
                    ),
                ],
                [
                    take(
                        boat(Boat {
                            tilt: -11.0,
                            ..storm.clone()
                        }),
                        CLEAN,
                        [9, 10, 9],
                        "Rain, lightning and beam are drawn, and the same boat heels in the waves.",
                    ),
                    take(
                        boat(Boat {
                            stripe: false,
                            ..storm.clone()
                        }),
                        WARM,
                        [8, 8, 8],
                        "The scene fits the reference, as far as one picture can tell.",
                    ),
                    take(
                        boat(Boat {
                            afloat: false,
                            lighthouse: false,
                            ..storm
                        }),
                        NOISE,
                        [3, 3, 3],
                        "The storm is there, the boat is not; the lighthouse is missing too.",
                    ),
                ],
            ),
            picture(
                "Third: the storm is over and the boat of Image #1 comes home in the evening sun.",
                3,
                &[
                    ("Image #1", "The boat is the one of <image>."),
                    (
                        "Text",
                        "A calm sea in the light of the setting sun; the lighthouse is in sight.",
                    ),
                ],
                [
                    take(
                        boat(Boat {
                            tilt: 1.0,
                            ..evening.clone()
                        }),
                        CLEAN,
                        [10, 9, 9],
                        "The red boat with its striped sail comes home under an evening sky, the lighthouse in sight.",
                    ),
                    take(
                        boat(Boat {
                            stripe: false,
                            lighthouse: false,
                            ..evening.clone()
                        }),
                        WARM,
                        [6, 7, 8],
                        "Evening and boat are right; the stripe and the lighthouse are missing.",
                    ),
                    take(
                        boat(Boat {
                            hull: p::SLATE,
                            sail: p::STONE,
                            stripe: false,
                            weather: Weather::Storm,
                            tilt: 24.0,
                            ..evening
                        }),
                        NOISE,
                        [2, 2, 3],
                        "It still storms, and the boat is a different one.",
                    ),
                ],
            ),
        ],
    }
}
