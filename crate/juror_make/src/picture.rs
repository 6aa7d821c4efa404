//! A picture that a project has in its folder, and how it comes there.

use juror_model::prompt::sha256;
use serde::{Deserialize, Serialize};

use crate::PromptPart;

/// A picture of the project's folder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Picture {
    /// From the project file on.
    pub path: String,
    /// SHA-256 of its bytes.
    pub sha256: String,
}

impl Picture {
    /// As a part of a request.
    pub(crate) fn part(&self) -> PromptPart {
        PromptPart::Picture {
            path: self.path.clone(),
            sha256: self.sha256.clone(),
        }
    }
}

/// A picture that goes into the project's folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Copied {
    /// From the project file on.
    pub path: String,
    /// All of it.
    pub bytes: Vec<u8>,
}

impl Copied {
    /// How the project names it.
    pub(crate) fn picture(&self) -> Picture {
        Picture {
            sha256: sha256(&self.bytes),
            path: self.path.clone(),
        }
    }
}

/// A path's ending in small letters, without the dot; `png` where it has none.
pub(crate) fn ending(path: &str) -> String {
    let ending = path.rsplit_once('.').map_or("png", |(_, ending)| ending);
    ending.to_ascii_lowercase()
}
