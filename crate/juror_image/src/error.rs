//! Says what is wrong with a picture and what would mend it, because these texts reach the person who chose the file.

use crate::Format;

const CUT_OFF: &str = "it is cut off, copy or download it again";
const SCALE_DOWN: &str = "scale the picture down, or allow more: --max-megapixels N on the command line, ?megapixels=N at the end of the page's address";
const PLAIN: &str = "write the picture again, smaller if it is meant to be of one colour";
const FEWER_BYTES: &str = "scale the picture down, or store it with 8 bits per channel";
const WRITE_AGAIN: &str = "write the picture again";
const DAMAGED: &str = "the file is damaged, write or download it again";
const FETCH_AGAIN: &str = "write or download the file again";
const OTHER_TURN: &str = "choose a turn that has pictures";
const SHORTER: &str = "write a shorter text, or take a larger picture";
const GIVE_TEXT: &str = "give the item a text";
const LATIN: &str = "write the text in Latin letters";

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
        "expected at least {needed} bytes of {format}, found a file of {found}; {CUT_OFF}",
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
    /// The file's headers are whole, and its pixels end before the format's mark of the end.
    #[error(
        "expected the end of the {format}, found none in its {found} bytes; {CUT_OFF}",
        format = .format.name(), found = grouped(*.found)
    )]
    NoEnd {
        /// The format by its first bytes.
        format: Format,
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
        "{width} × {height} pixels are {pixels}, above the limit of {limit}; {SCALE_DOWN}",
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
        "{width} × {height} pixels need {bytes} bytes, above the limit of {limit}; {FEWER_BYTES}",
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
    /// So few bytes are not worth the work for so many pixels.
    #[error(
        "{width} × {height} pixels in a file of {found} bytes are more than {most} for each byte; {PLAIN}",
        found = grouped(*.found), most = grouped(crate::MAX_PIXELS_PER_BYTE)
    )]
    TooFewBytes {
        /// Announced width.
        width: u32,
        /// Announced height.
        height: u32,
        /// The file's length.
        found: u64,
    },
    /// A side is zero.
    #[error("expected a picture of at least 1 × 1 pixels, found {width} × {height}; {WRITE_AGAIN}")]
    NoArea {
        /// Width in pixels.
        width: u32,
        /// Height in pixels.
        height: u32,
    },
    /// The header contradicts its format.
    #[error("expected {expected} in the header of a {format}, found {found}; {DAMAGED}", format = .format.name())]
    Header {
        /// The format by its first bytes.
        format: Format,
        /// What the format prescribes.
        expected: &'static str,
        /// What is there.
        found: String,
    },
    /// The header is fine, the pixels behind it are not.
    #[error("the {format} has a good header, but its pixels cannot be decoded ({detail}); {FETCH_AGAIN}", format = .format.name())]
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
    #[error("expected at least one picture to join, found none; {OTHER_TURN}")]
    NothingToJoin,
    /// A text to be written into a picture has no letters.
    #[error("expected a text to write into the picture, found none; {GIVE_TEXT}")]
    NoText,
    /// A text to be written into a picture has a letter that the built-in face lacks.
    #[error("expected letters of the built-in typeface, found {letter:?}; {LATIN}")]
    NoGlyph {
        /// The first such letter.
        letter: char,
    },
    /// Nowhere beside the marks of a picture fits a box of the text.
    #[error(
        "the text in letters of {font_px} pixels finds no room beside the marks of a picture of {width} × {height}; {SHORTER}"
    )]
    NoRoom {
        /// Width of the picture.
        width: u32,
        /// Height of the picture.
        height: u32,
        /// The font size, rounded up.
        font_px: u32,
    },
    /// The built-in face cannot be read, which is a fault of the program.
    #[error("the built-in typeface cannot be read ({detail})")]
    Face {
        /// The reader's own words.
        detail: String,
    },
    /// The PNG writer failed.
    #[error("the picture cannot be written as PNG ({detail})")]
    Encode {
        /// The encoder's own words.
        detail: String,
    },
}

impl ImageError {
    /// What was expected and what was found, as a sentence of its own: for lists that show the hint apart.
    pub fn message(&self) -> String {
        let text = self.to_string();
        let without = text.strip_suffix(self.mend()).unwrap_or(&text);
        sentence(without.trim_end_matches("; "))
    }

    /// What to do about it, as a sentence of its own; empty where nothing can be done.
    ///
    /// ```
    /// use juror_image::{Limits, probe};
    /// let error = probe(b"%PDF-1.7", 8, &Limits::default()).unwrap_err();
    /// assert_eq!(error.message(), "Expected a PNG, JPEG, WebP, GIF or BMP picture, found a PDF document.");
    /// assert_eq!(error.hint(), "Convert it to PNG.");
    /// assert!(error.to_string().ends_with("; convert it to PNG"));
    /// ```
    pub fn hint(&self) -> String {
        sentence(self.mend())
    }

    fn mend(&self) -> &'static str {
        match self {
            Self::NotAPicture { mend, .. } => mend,
            Self::Truncated { .. } | Self::NoEnd { .. } => CUT_OFF,
            Self::TooManyPixels { .. } => SCALE_DOWN,
            Self::TooManyBytes { .. } => FEWER_BYTES,
            Self::TooFewBytes { .. } => PLAIN,
            Self::NoArea { .. } => WRITE_AGAIN,
            Self::Header { .. } => DAMAGED,
            Self::Data { .. } => FETCH_AGAIN,
            Self::NothingToJoin => OTHER_TURN,
            Self::NoRoom { .. } => SHORTER,
            Self::NoText => GIVE_TEXT,
            Self::NoGlyph { .. } => LATIN,
            Self::NeedMore { .. }
            | Self::BufferLength { .. }
            | Self::Face { .. }
            | Self::Encode { .. } => "",
        }
    }
}

/// With a capital and a full stop; nothing stays nothing.
fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(letters).chain(['.']).collect()
    })
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
             scale the picture down, or allow more: --max-megapixels N on the command line, \
             ?megapixels=N at the end of the page's address"
        );
        assert_eq!(
            (error.message(), error.hint()),
            (
                "20000 × 20000 pixels are 400,000,000, above the limit of 100,000,000.".to_owned(),
                "Scale the picture down, or allow more: --max-megapixels N on the command line, \
                 ?megapixels=N at the end of the page's address."
                    .to_owned()
            )
        );
    }

    #[test]
    fn message_and_hint_part_where_the_text_has_its_hint() {
        let format = Format::Png;
        let texts = [
            ImageError::NotAPicture {
                looks_like: "an HTML page",
                mend: "a download probably saved an error page; download the picture again",
            },
            ImageError::Truncated {
                format,
                needed: 2,
                found: 1,
            },
            ImageError::Header {
                format,
                expected: "x",
                found: "y; z".to_owned(),
            },
            ImageError::Data {
                format,
                detail: "a; b".to_owned(),
            },
            ImageError::NoArea {
                width: 0,
                height: 1,
            },
            ImageError::NothingToJoin,
            ImageError::NoText,
            ImageError::NoGlyph { letter: '字' },
            ImageError::NoRoom {
                width: 40,
                height: 30,
                font_px: 18,
            },
        ];
        for error in texts {
            let (message, hint) = (error.message(), error.hint());
            let joined = format!(
                "{}; {}",
                message.trim_end_matches('.'),
                hint.trim_end_matches('.')
            );
            assert_eq!(joined.to_lowercase(), error.to_string().to_lowercase());
            assert!(hint.len() > 1, "{error}");
        }
        let written = ImageError::Encode {
            detail: "disk; full".to_owned(),
        };
        assert_eq!(
            (written.message().as_str(), written.hint().as_str()),
            ("The picture cannot be written as PNG (disk; full).", "")
        );
    }
}
