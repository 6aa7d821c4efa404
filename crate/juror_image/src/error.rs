//! Says what is wrong with a picture and what would mend it, because these texts reach the person who chose the file.

use crate::Format;

/// Why a picture could not be read, resampled, joined or written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ImageError {
    /// The first bytes belong to no picture format that Juror reads.
    #[error("expected a PNG, JPEG, WebP, GIF or BMP picture, found {looks_like}; {mend}")]
    NotAPicture {
        /// What the first bytes look like.
        looks_like: &'static str,
        /// What to do about it.
        mend: &'static str,
    },
    /// The file ends before its header or its pixels do.
    #[error(
        "expected at least {needed} bytes of {format}, found a file of {found}; it is cut off, copy or download it again",
        format = .format.name(), needed = grouped(*.needed), found = grouped(*.found)
    )]
    Truncated {
        /// The format by its first bytes.
        format: Format,
        /// The shortest length that could be whole.
        needed: u64,
        /// The file's length.
        found: u64,
    },
    /// Not an error of the file: the size stands behind the bytes that were given to [`probe`](crate::probe).
    #[error("expected the first {bytes} bytes of the file to find the picture's size; read that many and probe again", bytes = grouped(*.bytes))]
    NeedMore {
        /// How many bytes from the start of the file to give next time; never more than the file has.
        bytes: u64,
    },
    /// The header announces more pixels than the limit.
    #[error(
        "{width} × {height} pixels are {pixels}, above the limit of {limit}; scale the picture down, or raise the limit if it is meant to be this large",
        pixels = grouped(*.pixels), limit = grouped(*.limit)
    )]
    TooManyPixels {
        /// Announced width.
        width: u32,
        /// Announced height.
        height: u32,
        /// Their product.
        pixels: u64,
        /// [`Limits::max_pixels`](crate::Limits::max_pixels).
        limit: u64,
    },
    /// The decoded pixels would need more memory than the limit.
    #[error(
        "{width} × {height} pixels need {bytes} bytes, above the limit of {limit}; scale the picture down, or store it with 8 bits per channel",
        bytes = grouped(*.bytes), limit = grouped(*.limit)
    )]
    TooManyBytes {
        /// Width in pixels.
        width: u32,
        /// Height in pixels.
        height: u32,
        /// Bytes that the decoded picture would take.
        bytes: u64,
        /// [`Limits::max_bytes`](crate::Limits::max_bytes).
        limit: u64,
    },
    /// A side is zero.
    #[error(
        "expected a picture of at least 1 × 1 pixels, found {width} × {height}; write the picture again"
    )]
    NoArea {
        /// Width in pixels.
        width: u32,
        /// Height in pixels.
        height: u32,
    },
    /// The header contradicts its format.
    #[error("expected {expected} in the header of a {format}, found {found}; the file is damaged, write or download it again", format = .format.name())]
    Header {
        /// The format by its first bytes.
        format: Format,
        /// What the format prescribes.
        expected: &'static str,
        /// What is there.
        found: String,
    },
    /// The header is fine, the pixels behind it are not.
    #[error("the {format} has a good header, but its pixels cannot be decoded ({detail}); write or download the file again", format = .format.name())]
    Data {
        /// The format by its first bytes.
        format: Format,
        /// The decoder's own words.
        detail: String,
    },
    /// An [`Rgb`](crate::Rgb) was built by hand with the wrong number of bytes.
    #[error("expected {expected} bytes for {width} × {height} RGB pixels, found {found}")]
    BufferLength {
        /// Width in pixels.
        width: u32,
        /// Height in pixels.
        height: u32,
        /// `3 * width * height`.
        expected: u64,
        /// Bytes that are there.
        found: u64,
    },
    /// [`concatenate`](crate::concatenate) was given no picture.
    #[error("expected at least one picture to join, found none; choose a turn that has pictures")]
    NothingToJoin,
    /// The PNG writer failed.
    #[error("the picture cannot be written as PNG ({detail})")]
    Encode {
        /// The encoder's own words.
        detail: String,
    },
}

/// A count with its thousands parted by commas.
fn grouped(count: u64) -> String {
    let digits = count.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (idx, digit) in digits.chars().enumerate() {
        if idx > 0 && (digits.len() - idx).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_parted_by_commas() {
        let shown: Vec<String> = [0, 999, 1000, 400_000_000]
            .into_iter()
            .map(grouped)
            .collect();
        assert_eq!(shown, ["0", "999", "1,000", "400,000,000"]);
    }

    #[test]
    fn the_text_for_too_many_pixels_names_size_count_limit_and_mend() {
        let error = ImageError::TooManyPixels {
            width: 20_000,
            height: 20_000,
            pixels: 400_000_000,
            limit: 100_000_000,
        };
        assert_eq!(
            error.to_string(),
            "20000 × 20000 pixels are 400,000,000, above the limit of 100,000,000; \
             scale the picture down, or raise the limit if it is meant to be this large"
        );
    }
}
