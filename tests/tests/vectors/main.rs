//! Vectors of the authors' functions and cells of their tables, held against the core.

mod agreement;
mod dar;
mod metrics;
mod micon;
mod micon_cards;
mod multibanana;
mod multiref;
mod published_cells;
mod published_micon;
mod published_multibanana;
mod published_multiref;
mod published_reliability;
mod published_vibe;
mod rankings;
mod refblend;
mod vibe;
mod weave;
mod wilson;
