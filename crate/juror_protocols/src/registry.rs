//! The protocols that a source is tried against.

use crate::contract::{Protocol, Signs};
use crate::{declared, micon, multibanana, multiref, vibe, weave};
use juror_model::ability::DemoSuite;
use juror_statistics::small::SortSmall;

/// The two lists of what is registered, in one order.
macro_rules! register {
    ($($protocol:expr),+ $(,)?) => {
        /// The protocols that a source is tried against, in order.
        pub const ALL: &[&dyn Protocol] = &[$($protocol),+];

        /// By what each of them is known, in the same order: links nothing else of them.
        pub const SIGNS: &[&dyn Signs] = &[$($protocol),+];
    };
}

register!(
    &weave::Weave,
    &micon::Micon,
    &vibe::Vibe,
    &multibanana::MultiBanana,
    &multiref::MultiRef,
    &DECLARED,
);

/// Finds the protocols that benchmarks bring along as a file.
pub static DECLARED: declared::Declared = declared::Declared::finder();

/// The demo suites, in the order in which the page offers them.
pub fn demos() -> Vec<DemoSuite> {
    demos_of(ALL)
}

/// The demo suites of these protocols, in the order of their places.
pub fn demos_of(protocols: &[&dyn Protocol]) -> Vec<DemoSuite> {
    let mut placed: Vec<_> = protocols
        .iter()
        .filter_map(|protocol| Some((protocol.demo()?, protocol)))
        .collect();
    placed.sort_small_by(|(a, _), (b, _)| a.place.cmp(&b.place));
    let suites = placed.into_iter().map(|(demo, protocol)| DemoSuite {
        id: protocol.id().to_owned(),
        title: protocol.title().to_owned(),
        about: demo.about.to_owned(),
        folders: demo.folders,
        abilities: protocol.abilities().to_vec(),
    });
    suites.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use juror_model::ability::Demo;

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

    /// The files among the judge texts that a benchmark tells of, folders left out.
    fn judge_texts(demo: &Demo) -> Vec<&str> {
        let told = demo.folders.judge_texts.split(", ");
        told.filter(|path| !path.is_empty() && !path.ends_with('/'))
            .collect()
    }

    #[test]
    fn judge_texts_that_a_page_is_told_of_are_read_as_such() {
        let mut num_files = 0;
        for protocol in ALL {
            let Some(demo) = protocol.demo() else {
                continue;
            };
            assert!(!demo.folders.benchmark.is_empty() && !demo.folders.outputs.is_empty());
            for path in judge_texts(&demo) {
                num_files += 1;
                assert!(
                    protocol.may_hold_prompts(path),
                    "{}: {path}",
                    protocol.title()
                );
                // A name that is told wrong would not be read.
                assert!(!protocol.may_hold_prompts(&format!("{path}.old")), "{path}");
            }
        }
        assert!(num_files >= 4, "{num_files}");
    }
}
