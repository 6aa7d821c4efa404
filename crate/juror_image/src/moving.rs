//! Whether a picture moves: services that are sent one choose a frame of their own, or refuse it.

/// Whether a GIF has more than one frame, or a WebP says that it is animated. Whatever else it is, it does not move.
///
/// Only the blocks are followed, no pixel is decoded; a file that ends in the middle has as many frames as were begun.
///
/// # Example
/// ```
/// use juror_image::is_moving;
/// let frame = [0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0];
/// let mut gif = [b"GIF89a".as_slice(), &[1, 0, 1, 0, 0, 0, 0], &frame].concat();
/// assert!(!is_moving(&gif));
/// gif.extend(frame);
/// assert!(is_moving(&gif));
/// ```
pub fn is_moving(bytes: &[u8]) -> bool {
    if bytes.starts_with(b"GIF8") {
        return gif_frames(bytes).unwrap_or(1) > 1;
    }
    let is_webp = bytes.starts_with(b"RIFF") && bytes.get(8..16) == Some(b"WEBPVP8X");
    is_webp && bytes.get(20).is_some_and(|flags| flags & 0x02 != 0)
}

/// The frames of a GIF, as far as it goes, counted up to two.
fn gif_frames(bytes: &[u8]) -> Option<usize> {
    let table = |flags: u8| {
        if flags & 0x80 == 0 {
            0
        } else {
            3 << ((flags & 7) + 1)
        }
    };
    let mut at = 13 + table(*bytes.get(10)?);
    let mut frames = 0;
    while frames < 2 {
        match bytes.get(at) {
            // An extension: its label, then blocks.
            Some(0x21) => at += 2,
            Some(0x2c) => {
                frames += 1;
                let Some(flags) = bytes.get(at + 9) else {
                    break;
                };
                // The colours, then the size of codes.
                at += 11 + table(*flags);
            }
            _ => break,
        }
        while let Some(length) = bytes.get(at).filter(|length| **length > 0) {
            at += 1 + usize::from(*length);
        }
        at += 1;
    }
    Some(frames)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_animated_webp_says_so_in_its_header() {
        let webp = |flags: u8| {
            [
                b"RIFF\x1a\0\0\0WEBPVP8X\x0a\0\0\0".as_slice(),
                &[flags, 0, 0, 0],
            ]
            .concat()
        };
        assert!(is_moving(&webp(0x02)));
        assert!(!is_moving(&webp(0x10)));
        assert!(!is_moving(b"GIF8") && !is_moving(b"\x89PNG"));
    }
}
