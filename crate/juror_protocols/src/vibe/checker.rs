//! Scores a structured answer to a Billiards case exactly, so that judges can be tried on cases whose truth is known.
//!
//! Source: what VIBE's judge is asked (context, path, collision) and equation (7). Where the question speaks of pictures, the
//! numbers below say what “the same” means; they are choices of this project.

use crate::error::Error;
use serde::{Deserialize, Serialize};

use super::billiards::{Ball, Case, Layout, Point, RADIUS, Seen, Surface, UNKNOWN_BALL};
use super::score;

/// A ball counts as being at its place within this distance.
pub const PLACE_TOLERANCE: f64 = RADIUS / 2.0;
/// Directions count as the same within so many degrees.
pub const DIRECTION_TOLERANCE: f64 = 5.0;

/// What an answer shows, as far as it could be made out.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// The id of the case.
    #[serde(default)]
    pub id: String,
    /// Centre of the white ball; absent if there is none.
    #[serde(default)]
    pub cue: Option<Point>,
    /// The numbered balls.
    #[serde(default)]
    pub balls: Vec<Ball>,
    /// Direction of the black arrow in degrees (0 right, 90 up); absent if there is none.
    #[serde(default)]
    pub arrow: Option<f64>,
    /// Direction in which the drawn way starts; absent if none is drawn.
    #[serde(default)]
    pub theta: Option<f64>,
    /// Cushions that the drawn way touches, in order: `TRB`.
    #[serde(default)]
    pub cushions: String,
    /// Number of the ball in the box; absent if there is no box.
    #[serde(default)]
    pub target: Option<u8>,
    /// Whether the table itself is another one: other colours, or another picture.
    #[serde(default)]
    pub is_repainted: bool,
}

impl Answer {
    /// What a perfect answer shows.
    pub fn of(case: &Case) -> Self {
        Self {
            id: case.id.clone(),
            cue: Some(case.layout.cue),
            balls: case.layout.balls.clone(),
            arrow: Some(case.theta),
            theta: Some(case.theta),
            cushions: case.cushions.clone(),
            target: Some(case.target),
            is_repainted: false,
        }
    }

    /// What a picture shows; parts that cannot be made out are absent, so their decisions say nothing.
    ///
    /// # Example
    /// ```
    /// use juror_protocols::vibe::billiards::{Context, Drawn, Seen, Surface, case};
    /// use juror_protocols::vibe::checker::{Answer, check};
    /// let case = case(7, 2).unwrap();
    /// let right = Answer::of(&case);
    /// let context = Context { cue: right.cue, balls: right.balls.clone(), arrow: right.arrow, surface: Surface::Same };
    /// let way = Drawn { theta: case.theta, cushions: case.cushions.clone() };
    /// let mut seen = Seen { context: Ok(context), way: Ok(Some(way)), target: Ok(Some(case.target)) };
    /// assert_eq!(Answer::seen(&case, &seen), right);
    /// seen.target = Ok(None);
    /// assert_eq!(check(&case, &Answer::seen(&case, &seen)).score(), 0.5);
    /// ```
    pub fn seen(case: &Case, seen: &Seen) -> Self {
        let mut answer = Self {
            id: case.id.clone(),
            target: seen.target.unwrap_or_default(),
            ..Self::default()
        };
        if let Ok(context) = &seen.context {
            answer.cue = context.cue;
            answer.balls.clone_from(&context.balls);
            answer.arrow = context.arrow;
            answer.is_repainted = context.surface == Surface::Changed;
        }
        if let Ok(Some(way)) = &seen.way {
            answer.theta = Some(way.theta);
            answer.cushions.clone_from(&way.cushions);
        }
        answer
    }
}

/// One of the three decisions: why it failed, if it did.
pub type Decision = Result<(), Error>;

/// The three decisions on an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    /// Context preservation: the balls, their numbers and places, and the arrow.
    pub context: Decision,
    /// Path correctness: initial direction and sequence of cushions.
    pub path: Decision,
    /// Collision correctness: the number in the box.
    pub collision: Decision,
}

impl Check {
    /// CP, PC and CC, each 0 or 1.
    pub fn atoms(&self) -> [f64; 3] {
        [&self.context, &self.path, &self.collision]
            .map(|decision| if decision.is_ok() { 1.0 } else { 0.0 })
    }

    /// Equation (7): CP · (PC + CC) / 2.
    pub fn score(&self) -> f64 {
        let [cp, pc, cc] = self.atoms();
        score::billiards(cp, pc, cc)
    }
}

/// Decides whether an answer is right.
///
/// - CP: the white ball and every numbered ball lie within R/2 of their places, none is missing or added, and the arrow
///   points within 5° of its direction. The table is the same one.
/// - PC: the way starts within 5° of the arrow's direction and touches exactly the cushions of the case in their order;
///   letters may be in either case.
/// - CC: the box is around the ball that is hit. The way plays no part in this.
///
/// # Example
/// ```
/// use juror_protocols::vibe::{billiards::case, checker::{Answer, check}};
/// let case = case(7, 2).unwrap();
/// let mut answer = Answer::of(&case);
/// assert_eq!(check(&case, &answer).score(), 1.0);
/// answer.cushions.pop();
/// assert_eq!(check(&case, &answer).score(), 0.5); // the box is still right
/// answer.balls.pop();
/// assert_eq!(check(&case, &answer).score(), 0.0); // a ball is gone, so nothing counts
/// ```
pub fn check(case: &Case, answer: &Answer) -> Check {
    Check {
        context: if answer.is_repainted {
            Err(Error::Wrong("The table has been changed.".to_owned()))
        } else {
            context(&case.layout, case.theta, answer)
        },
        path: path(case, answer),
        collision: match answer.target {
            Some(found) if found == case.target => Ok(()),
            Some(found) => Err(Error::Wrong(format!(
                "Expected a box around ball {}, found it around ball {found}.",
                case.target
            ))),
            None => Err(Error::Wrong(format!(
                "Expected a box around ball {}, found none.",
                case.target
            ))),
        },
    }
}

fn context(layout: &Layout, theta: f64, answer: &Answer) -> Decision {
    match answer.cue {
        Some(at) if is_at(at, layout.cue) => {}
        Some(_) => return Err(Error::Wrong("The white ball has been moved.".to_owned())),
        None => return Err(Error::Wrong("There is no white ball.".to_owned())),
    }
    for ball in &layout.balls {
        let mut same = answer.balls.iter().filter(|other| other.n == ball.n);
        match (same.next(), same.next()) {
            (Some(found), None) if is_at(found.centre(), ball.centre()) => {}
            (Some(_), None) => {
                return Err(Error::Wrong(format!("Ball {} has been moved.", ball.n)));
            }
            (Some(_), Some(_)) => {
                return Err(Error::Wrong(format!("There are several balls {}.", ball.n)));
            }
            (None, _) => return Err(Error::Wrong(format!("Ball {} is not there.", ball.n))),
        }
    }
    let known = |n: u8| layout.balls.iter().any(|ball| ball.n == n);
    if let Some(added) = answer.balls.iter().find(|ball| !known(ball.n)) {
        return Err(Error::Wrong(match added.n {
            UNKNOWN_BALL => "A ball has been added.".to_owned(),
            n => format!("Ball {n} has been added."),
        }));
    }
    match answer.arrow {
        Some(found) if turn(found, theta) <= DIRECTION_TOLERANCE => Ok(()),
        Some(found) => Err(Error::Wrong(format!(
            "The arrow points to {found}°, not to {theta}°."
        ))),
        None => Err(Error::Wrong("There is no arrow.".to_owned())),
    }
}

fn path(case: &Case, answer: &Answer) -> Decision {
    let Some(start) = answer.theta else {
        return Err(Error::Wrong("No way is drawn.".to_owned()));
    };
    if turn(start, case.theta) > DIRECTION_TOLERANCE || start.is_nan() {
        return Err(Error::Wrong(format!(
            "The way starts at {start}°, not at {}°.",
            case.theta
        )));
    }
    if !answer.cushions.eq_ignore_ascii_case(&case.cushions) {
        return Err(Error::Wrong(format!(
            "The way touches {}, not {}.",
            if answer.cushions.is_empty() {
                "no cushion"
            } else {
                &answer.cushions
            },
            case.cushions
        )));
    }
    Ok(())
}

fn is_at(found: Point, expected: Point) -> bool {
    found.distance(expected) <= PLACE_TOLERANCE
}

/// The angle between two directions, from 0 to 180 degrees.
fn turn(a: f64, b: f64) -> f64 {
    let apart = (a - b).rem_euclid(360.0);
    apart.min(360.0 - apart)
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    fn sample() -> Case {
        Case {
            id: "Billiards_0001".to_owned(),
            k: 2,
            cushions: "TR".to_owned(),
            target: 4,
            theta: 1.5,
            layout: Layout {
                cue: Point::new(462.0, 362.0),
                balls: vec![
                    Ball {
                        n: 4,
                        x: 662.0,
                        y: 362.0,
                    },
                    Ball {
                        n: 11,
                        x: 200.0,
                        y: 500.0,
                    },
                ],
            },
        }
    }

    type Change = fn(&mut Answer);

    #[test]
    #[expect(clippy::too_many_lines, reason = "a table of changes")]
    fn each_change_of_a_right_answer_is_found_by_the_decision_that_it_concerns() {
        // Change, then CP, PC, CC and the score by hand.
        let vectors: [(&str, Change, [f64; 3], f64); 16] = [
            ("right", |_| {}, [1.0, 1.0, 1.0], 1.0),
            (
                "slightly off",
                |it| it.balls[0].x += 11.0,
                [1.0, 1.0, 1.0],
                1.0,
            ),
            (
                "across north",
                |it| it.theta = Some(358.0),
                [1.0, 1.0, 1.0],
                1.0,
            ),
            (
                "small letters",
                |it| it.cushions = "tr".to_owned(),
                [1.0, 1.0, 1.0],
                1.0,
            ),
            (
                "ball moved",
                |it| it.balls[1].y -= 11.5,
                [0.0, 1.0, 1.0],
                0.0,
            ),
            ("cue gone", |it| it.cue = None, [0.0, 1.0, 1.0], 0.0),
            ("renumbered", |it| it.balls[1].n = 12, [0.0, 1.0, 1.0], 0.0),
            (
                "ball twice",
                |it| it.balls.push(it.balls[0]),
                [0.0, 1.0, 1.0],
                0.0,
            ),
            (
                "ball added",
                |it| {
                    it.balls.push(Ball {
                        n: 1,
                        x: 0.0,
                        y: 0.0,
                    });
                },
                [0.0, 1.0, 1.0],
                0.0,
            ),
            (
                "table changed",
                |it| it.is_repainted = true,
                [0.0, 1.0, 1.0],
                0.0,
            ),
            (
                "arrow turned",
                |it| it.arrow = Some(7.0),
                [0.0, 1.0, 1.0],
                0.0,
            ),
            (
                "other start",
                |it| it.theta = Some(181.5),
                [1.0, 0.0, 1.0],
                0.5,
            ),
            (
                "cushions swapped",
                |it| it.cushions = "RT".to_owned(),
                [1.0, 0.0, 1.0],
                0.5,
            ),
            ("no way", |it| it.theta = None, [1.0, 0.0, 1.0], 0.5),
            (
                "other ball",
                |it| it.target = Some(11),
                [1.0, 1.0, 0.0],
                0.5,
            ),
            (
                "no way, no box",
                |it| (it.theta, it.target) = (None, None),
                [1.0, 0.0, 0.0],
                0.0,
            ),
        ];
        let case = sample();
        for (name, change, atoms, score) in vectors {
            let mut answer = Answer::of(&case);
            change(&mut answer);
            let found = check(&case, &answer);
            assert_eq!(
                (found.atoms(), found.score()),
                (atoms, score),
                "{name}: {found:?}"
            );
        }
    }

    #[test]
    fn reasons_say_what_was_expected_and_what_was_found() {
        let case = sample();
        let answer: Answer = serde_json::from_str(
            r#"{"cue": {"x": 462, "y": 362}, "balls": [{"n": 4, "x": 662, "y": 362}], "theta": 1, "cushions": "", "target": 9}"#,
        )
        .unwrap();
        let found = check(&case, &answer);
        assert_eq!(
            found.context.unwrap_err().to_string(),
            "Ball 11 is not there."
        );
        assert_eq!(
            found.path.unwrap_err().to_string(),
            "The way touches no cushion, not TR."
        );
        assert_eq!(
            found.collision.unwrap_err().to_string(),
            "Expected a box around ball 4, found it around ball 9."
        );
    }

    #[test]
    fn a_case_survives_its_file() {
        let case = super::super::billiards::case(1, 5).unwrap();
        let text = serde_json::to_string(&case).unwrap();
        assert!(
            text.starts_with("{\"id\":\"Billiards_0005\",\"k\":6,\"cushions\":\""),
            "{text}"
        );
        let back: Case = serde_json::from_str(&text).unwrap();
        assert_eq!(back, case);
        assert_eq!(back.way().letters(), case.cushions);
    }
}
