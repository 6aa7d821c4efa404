//! Which pictures a service takes: what it does not is converted before anything is paid for.

use juror_model::judge::Wire;

/// Whether a service takes pictures of a media type, still or moving, as documented.
///
/// | wire | takes | source |
/// |---|---|---|
/// | OpenAI | PNG, JPEG, WebP, still GIF | "Images and vision", image input requirements |
/// | Anthropic | JPEG, PNG, GIF, WebP | "Vision", of a moving picture the first frame only |
/// | Gemini | PNG, JPEG, WebP, HEIC, HEIF | "Image understanding", supported image formats |
///
/// A moving picture goes to none of them: each would choose a frame of its own.
///
/// ```
/// use juror_judging::provider::takes;
/// use juror_model::judge::Wire;
/// assert!(takes(Wire::OpenAi, "image/gif", false));
/// assert!(!takes(Wire::OpenAi, "image/gif", true));
/// assert!(!takes(Wire::Gemini, "image/gif", false));
/// assert!(!takes(Wire::Anthropic, "image/bmp", false));
/// ```
pub fn takes(wire: Wire, media_type: &str, is_moving: bool) -> bool {
    if is_moving {
        return false;
    }
    match media_type {
        "image/png" | "image/jpeg" | "image/webp" => true,
        "image/gif" => wire != Wire::Gemini,
        "image/heic" | "image/heif" => wire == Wire::Gemini,
        _ => false,
    }
}
