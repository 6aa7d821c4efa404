//! The protocols that a source is tried against.

use crate::model::ability::DemoSuite;
use crate::protocol::contract::Protocol;
use crate::protocol::{declared, micon, multibanana, multiref, vibe, weave};
use crate::small::SortSmall;

/// The protocols that a source is tried against, in order.
pub const ALL: &[&dyn Protocol] = &[
    &weave::Weave,
    &micon::Micon,
    &vibe::Vibe,
    &multibanana::MultiBanana,
    &multiref::MultiRef,
    &DECLARED,
];

/// Finds the protocols that benchmarks bring along as a file.
static DECLARED: declared::Declared = declared::Declared::finder();

/// The demo suites, in the order in which the page offers them.
pub fn demos() -> Vec<DemoSuite> {
    let mut placed: Vec<_> = ALL
        .iter()
        .filter_map(|protocol| Some((protocol.demo()?, protocol)))
        .collect();
    placed.sort_small_by(|(a, _), (b, _)| a.place.cmp(&b.place));
    let suites = placed.into_iter().map(|(demo, protocol)| DemoSuite {
        id: protocol.id().to_owned(),
        title: protocol.title().to_owned(),
        about: demo.about.to_owned(),
        abilities: protocol.abilities().to_vec(),
    });
    suites.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn demo_suites_have_places_of_their_own_from_one_on() {
        let mut places: Vec<u8> = ALL
            .iter()
            .filter_map(|protocol| protocol.demo())
            .map(|demo| demo.place)
            .collect();
        places.sort_unstable();
        assert!(places.iter().copied().eq(1..=5), "{places:?}");
    }
}
