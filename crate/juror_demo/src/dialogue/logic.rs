//! Dialogues of the category Logic.

use super::{CLEAN, Dialogue, NOISE, WARM, picture, said, take, text};
use crate::paint::palette as p;
use crate::scene::{Plot, Scene};

pub(super) fn mathematics() -> Dialogue {
    let curve = Plot::default();
    let tangent = Plot {
        tangent: Some((1.0, 1.0)),
        ..curve.clone()
    };
    let area = Plot {
        area: Some((0.0, 2.0)),
        ..tangent.clone()
    };
    let plot = Scene::Plot;
    Dialogue {
        domain: "mathematics",
        pictures: vec![plot(curve), plot(tangent.clone()), plot(area.clone())],
        turns: vec![
            picture(
                "Image #1 shows y = x²/2. Draw the tangent at x = 1 in red and mark the point where it touches.",
                2,
                &[
                    ("GT #1", "Axes, grid and curve are the same as in <image>."),
                    (
                        "Text",
                        "A straight red line touches the curve at (1, 1/2) with slope 1; the point is marked.",
                    ),
                ],
                [
                    take(
                        plot(Plot {
                            tangent: Some((1.0, 1.02)),
                            ..tangent.clone()
                        }),
                        CLEAN,
                        [9, 10, 10],
                        "The line touches at (1, 1/2), its slope is 1 as far as one can measure, and the point is marked.",
                    ),
                    take(
                        plot(Plot {
                            tangent: Some((1.0, 0.45)),
                            ..tangent.clone()
                        }),
                        WARM,
                        [4, 8, 8],
                        "The marked point is right, but the line is too flat: it cuts the curve instead of touching it.",
                    ),
                    take(
                        plot(Plot {
                            tangent: Some((-1.2, 0.3)),
                            grid: false,
                            factor: 0.9,
                            ..tangent.clone()
                        }),
                        NOISE,
                        [1, 3, 3],
                        "The line is on the wrong side, the parabola is steeper than before, and the grid is gone.",
                    ),
                ],
            ),
            text(
                "What is the equation of the red line in Image #2?",
                "y = x − 1/2",
                [
                    said("y = x − 1/2", 10, "Identical to the standard answer."),
                    said(
                        "y = x + c with slope 1",
                        5,
                        "The slope is right, but the constant −1/2 is not given.",
                    ),
                    said("y = 2x", 0, "Slope and constant are both wrong."),
                ],
            ),
            picture(
                "Shade the area between the curve and the x-axis from 0 to 2 in Image #2.",
                3,
                &[
                    ("Image #2", "Curve and tangent are the same as in <image>."),
                    (
                        "Text",
                        "The area below the curve from x = 0 to x = 2 is shaded.",
                    ),
                ],
                [
                    take(
                        plot(Plot {
                            tangent: Some((1.0, 1.02)),
                            ..area.clone()
                        }),
                        CLEAN,
                        [10, 10, 9],
                        "The area ends exactly at x = 2 and follows the curve; the tangent is kept.",
                    ),
                    take(
                        plot(Plot {
                            tangent: Some((1.0, 0.45)),
                            area: Some((0.0, 2.6)),
                            ..area.clone()
                        }),
                        WARM,
                        [6, 8, 8],
                        "The area is shaded below the curve, but it runs on to about 2.6.",
                    ),
                    take(
                        plot(Plot {
                            tangent: None,
                            area: Some((-2.0, 0.4)),
                            curve: false,
                            grid: false,
                            ink: p::STONE,
                            ..area
                        }),
                        NOISE,
                        [2, 2, 3],
                        "An area left of the axis is shaded, and the curve itself is missing.",
                    ),
                ],
            ),
        ],
    }
}
