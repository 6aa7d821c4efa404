// What a topic's list of questions becomes.
//
// This file names nothing of the others and has no inner documentation, so that `tests/src/questions.rs` can include it
// and show on it that a question without an arm does not compile.

/// The list of a topic's questions: `Name { field: Type } -> Answer [Around];`, each with its sentence.
///
/// It makes the enums `Question` and `Answer`, whose variants have the same names, and what the client is written from.
macro_rules! questions {
    ($(
        $(#[doc = $doc:literal])*
        $name:ident { $($field:ident: $kind:ty),* $(,)? } -> $answer:ty $([$($around:ident),+])?;
    )*) => {
        /// What is asked.
        #[derive(Debug, serde::Deserialize)]
        #[serde(rename_all = "camelCase")]
        #[allow(clippy::large_enum_variant, reason = "one at a time, for as long as it takes to hand it over")]
        pub(super) enum Question {
            $($(#[doc = $doc])* $name { $($field: $kind),* },)*
        }

        /// What is answered, each to the question of its name.
        #[derive(Debug, serde::Serialize)]
        #[serde(untagged)]
        #[allow(clippy::large_enum_variant, reason = "one at a time, for as long as it takes to hand it over")]
        pub(super) enum Answer {
            $($name($answer),)*
        }

        /// The names of the questions.
        pub(super) const NAMES: &[&str] = &[$(stringify!($name)),*];

        /// The questions as the client is written from them.
        #[cfg(all(test, feature = "typescript"))]
        pub(super) fn described() -> Vec<super::typescript::Described> {
            vec![$(super::typescript::Described {
                name: stringify!($name),
                doc: vec![$($doc),*],
                fields: vec![$((stringify!($field), super::typescript::name_of::<$kind>())),*],
                answer: super::typescript::name_of::<$answer>(),
                around: vec![$($(super::Around::$around),+)?],
            }),*]
        }
    };
}
pub(super) use questions;
