//! What a picture's header says, as the host reads it.

/// What a picture's header says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Probed {
    /// A picture of this size.
    Picture {
        /// Width in pixels.
        width: u32,
        /// Height in pixels.
        height: u32,
    },
    /// The header does not end within the bytes given.
    NeedMore {
        /// How many bytes from the start are needed.
        bytes: u64,
    },
    /// Not a picture that can be shown or judged.
    Bad {
        /// What was found.
        message: String,
        /// What to do.
        hint: String,
    },
    /// The header is sound, but the picture behind it does not decode: it is cut off or damaged.
    Corrupt {
        /// What was found.
        message: String,
        /// What to do.
        hint: String,
    },
}

/// Why a whole picture does not decode, though its header is sound.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Undecodable {
    /// What was found.
    pub message: String,
    /// What to do.
    pub hint: String,
}

impl Probed {
    /// What is wrong and what to do, where the file cannot be shown or judged.
    pub(crate) fn fault(&self) -> Option<(&str, &str)> {
        match self {
            Self::Bad { message, hint } | Self::Corrupt { message, hint } => Some((message, hint)),
            Self::Picture { .. } | Self::NeedMore { .. } => None,
        }
    }
}

/// Reads a picture's header: the first bytes of a file and the file's size. Injected, as this crate decodes nothing.
pub type Probe = fn(&[u8], u64) -> Probed;
