//! Pixels as a decoder of our own hands them out: a file of its own, so that decoders do not need what calls them.

use image::ColorType;

/// A picture as it is stored.
pub(crate) struct Decoded {
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) colour: ColorType,
    pub(crate) data: Vec<u8>,
}
