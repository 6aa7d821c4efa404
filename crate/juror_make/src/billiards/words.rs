//! Pictures of a case in words, for readers who cannot see them.

use juror_protocols::vibe::billiards::Case;

/// What the input and the golden answer of a case show.
///
/// # Example
/// ```
/// use juror_make::billiards::described;
/// use juror_protocols::vibe::billiards::case;
/// let case = case(7, 1).unwrap();
/// let [input, answer] = described(&case);
/// assert!(input.starts_with("Billiards_0001, input: a table with a white ball, five grey balls"));
/// assert!(answer.ends_with(&format!("a red box around ball {}.", case.target)));
/// ```
pub fn described(case: &Case) -> [String; 2] {
    let mut numbers: Vec<u8> = case.layout.balls.iter().map(|ball| ball.n).collect();
    numbers.sort_unstable();
    let numbers: Vec<String> = numbers.iter().map(u8::to_string).collect();
    let cushions: Vec<String> = case.cushions.chars().map(side).collect();
    [
        format!(
            "{}, input: a table with a white ball, five grey balls with the numbers {}, and a black arrow at the white ball \
             that points to {:.0}° (0° is right, 90° is up).",
            case.id,
            joined(&numbers),
            case.theta
        ),
        format!(
            "{}, golden answer: the same table, a green dashed line from the white ball over {} cushions ({}), and a red box \
             around ball {}.",
            case.id,
            case.k,
            cushions.join(", "),
            case.target
        ),
    ]
}

/// A cushion's letter as a word.
fn side(letter: char) -> String {
    match letter {
        'T' => "top".to_owned(),
        'B' => "bottom".to_owned(),
        'L' => "left".to_owned(),
        'R' => "right".to_owned(),
        other => other.to_string(),
    }
}

/// `1, 2 and 3`.
fn joined(parts: &[String]) -> String {
    match parts {
        [] => String::new(),
        [one] => one.clone(),
        [most @ .., last] => format!("{} and {last}", most.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use juror_protocols::vibe::billiards::{Ball, Layout, Point};

    use super::*;

    #[test]
    fn words_name_each_ball_the_arrow_each_cushion_in_order_and_the_box() {
        let ball = |n| Ball {
            n,
            x: 100.0,
            y: 100.0,
        };
        let case = Case {
            id: "Billiards_0004".to_owned(),
            k: 3,
            cushions: "TRB".to_owned(),
            target: 9,
            theta: 37.4,
            layout: Layout {
                cue: Point::new(200.0, 300.0),
                balls: [15, 9, 1, 12, 3].map(ball).to_vec(),
            },
        };
        let [input, answer] = described(&case);
        assert_eq!(
            input,
            "Billiards_0004, input: a table with a white ball, five grey balls with the numbers 1, 3, 9, 12 and 15, and a \
             black arrow at the white ball that points to 37° (0° is right, 90° is up)."
        );
        assert_eq!(
            answer,
            "Billiards_0004, golden answer: the same table, a green dashed line from the white ball over 3 cushions (top, \
             right, bottom), and a red box around ball 9."
        );
        // Another case has other words.
        let other = Case { target: 12, ..case };
        assert_ne!(described(&other)[1], answer);
    }
}
