//! How large a request may be: checked before it is sent, so that no time is lost on a certain refusal.

use super::PictureWire;
use crate::error::Error;
use juror_model::judge::Wire;

/// What a provider takes, as documented.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Largest picture in base64, in characters.
    pub image_base64: Option<u64>,
    /// Largest picture as a file, in bytes.
    pub image_file: Option<u64>,
    /// Most pictures in one request.
    pub images: u64,
    /// Largest request, in bytes.
    pub request: u64,
}

const MIB: u64 = 1 << 20;

/// The limits of a wire's own provider; other servers of the same wire have their own.
///
/// | wire | picture | pictures | request | source |
/// |---|---|---|---|---|
/// | OpenAI | – | 1,500 | 512 MB | developers.openai.com, "Images and vision", image input requirements |
/// | Anthropic | 5 MB in base64 | 100 | 32 MB | platform.claude.com, "Vision", general limits (600 pictures with some models) and the API's error text |
/// | Gemini | – | 3,600 | 20 MB | ai.google.dev, "Image understanding", inline data and file limit |
pub fn limits(wire: Wire) -> Limits {
    match wire {
        Wire::OpenAi => Limits {
            image_base64: None,
            image_file: None,
            images: 1500,
            request: 512 * MIB,
        },
        Wire::Anthropic => Limits {
            image_base64: Some(5 * MIB),
            image_file: None,
            images: 100,
            request: 32 * MIB,
        },
        Wire::Gemini => Limits {
            image_base64: None,
            image_file: None,
            images: 3600,
            request: 20 * MIB,
        },
    }
}

/// The limits of a generator's own provider.
///
/// | wire | picture | pictures | request | source |
/// |---|---|---|---|---|
/// | OpenAI `images/edits` | 50 MB | 16 | as for chat | reference, "Create image edit", GPT image models |
/// | Gemini | – | 3,600 | 20 MB | as [`limits`] |
pub fn picture_limits(wire: PictureWire) -> Limits {
    match wire {
        PictureWire::OpenAi => Limits {
            image_file: Some(50 * MIB),
            images: 16,
            ..limits(Wire::OpenAi)
        },
        PictureWire::Gemini => limits(Wire::Gemini),
    }
}

/// Checks the pictures of one request to a judge, given their sizes in bytes; texts are small beside them.
///
/// # Errors
/// Which limit is broken, by which picture, counted from 1.
///
/// ```
/// use juror_judging::provider::check_size;
/// use juror_model::judge::Wire;
/// assert!(check_size(Wire::Anthropic, &[3 << 20]).is_ok());
/// // 4 MiB are 5.3 MiB in base64.
/// assert!(check_size(Wire::Anthropic, &[4 << 20]).is_err());
/// ```
pub fn check_size(wire: Wire, images: &[u64]) -> Result<(), Error> {
    check(&limits(wire), wire.id(), images)
}

/// Checks the pictures of one request to a generator, given their sizes in bytes.
///
/// # Errors
/// Which limit is broken, by which picture, counted from 1.
///
/// ```
/// use juror_judging::provider::{PictureWire, check_picture_size};
/// assert!(check_picture_size(PictureWire::OpenAi, &[1 << 20; 16]).is_ok());
/// assert!(check_picture_size(PictureWire::OpenAi, &[1 << 20; 17]).is_err());
/// ```
pub fn check_picture_size(wire: PictureWire, images: &[u64]) -> Result<(), Error> {
    check(&picture_limits(wire), wire.wire().id(), images)
}

fn check(limits: &Limits, name: &str, images: &[u64]) -> Result<(), Error> {
    let count = images.len() as u64;
    if count > limits.images {
        return Err(Error::TooLarge(format!(
            "Expected at most {} pictures in a request to {name}, found {count}.",
            limits.images
        )));
    }
    for (number, bytes) in (1..).zip(images) {
        let found = base64_len(*bytes);
        if let Some(limit) = limits.image_base64
            && found > limit
        {
            return Err(Error::TooLarge(format!(
                "Expected pictures of at most {} for {name}, found {} in picture {number} ({} in base64).",
                megabytes(limit / 4 * 3),
                megabytes(*bytes),
                megabytes(found)
            )));
        }
        if let Some(limit) = limits.image_file
            && *bytes >= limit
        {
            return Err(Error::TooLarge(format!(
                "Expected pictures below {} for {name}, found {} in picture {number}.",
                megabytes(limit),
                megabytes(*bytes)
            )));
        }
    }
    let total = images
        .iter()
        .fold(0, |sum: u64, bytes| sum.saturating_add(base64_len(*bytes)));
    if total > limits.request {
        return Err(Error::TooLarge(format!(
            "Expected a request of at most {} for {name}, found {} of pictures in base64.",
            megabytes(limits.request),
            megabytes(total)
        )));
    }
    Ok(())
}

/// Characters of so many bytes in base64, padding included.
fn base64_len(bytes: u64) -> u64 {
    bytes.div_ceil(3).saturating_mul(4)
}

fn megabytes(bytes: u64) -> String {
    format!("{:.1} MB", bytes as f64 / MIB as f64)
}
