//! Vectors of the authors' functions and cells of their tables, held against the core.

mod agreement;
mod dar;
mod metrics;
mod micon;
mod multibanana;
mod multiref;
mod published_cells;
mod published_micon;
mod published_multibanana;
mod published_multiref;
mod published_vibe;
mod vibe;
mod weave;
