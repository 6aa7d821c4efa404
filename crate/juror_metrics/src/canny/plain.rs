//! The maxima of a piece, pixel after pixel.

use super::{CANNY_TANGENT, Maxima, Piece};

/// Nothing where no pixel is above the lower threshold.
pub(super) fn maxima(piece: &Piece<'_>, [low, high]: [i16; 2]) -> Option<Maxima> {
    let [above, [left, here, right], below] = piece.magnitudes;
    // Most of a picture is no edge.
    if here.iter().copied().fold(i16::MIN, i16::max) <= low {
        return None;
    }
    let mut found = Maxima {
        maxima: 0,
        edges: 0,
    };
    for (at, m) in here.iter().copied().enumerate() {
        if m <= low {
            continue;
        }
        let is_maximum = match Across::of(piece.dx[at], piece.dy[at]) {
            Across::Columns => m > left[at] && m >= right[at],
            Across::Rows => m > above[1][at] && m >= below[1][at],
            Across::Falling => m > above[0][at] && m > below[2][at],
            Across::Rising => m > above[2][at] && m > below[0][at],
        };
        found.maxima |= u16::from(is_maximum) << at;
        found.edges |= u16::from(is_maximum && m > high) << at;
    }
    Some(found)
}

/// The direction of the gradient.
enum Across {
    Columns,
    Rows,
    /// From the upper left to the lower right.
    Falling,
    Rising,
}

impl Across {
    fn of(dx: i16, dy: i16) -> Self {
        let (x, y) = (i32::from(dx).abs(), i32::from(dy).abs() << 15);
        let flat = x * i32::from(CANNY_TANGENT);
        if y < flat {
            return Self::Columns;
        }
        if y > flat + (x << 16) {
            return Self::Rows;
        }
        if (dx ^ dy) < 0 {
            Self::Rising
        } else {
            Self::Falling
        }
    }
}
