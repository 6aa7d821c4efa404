//! A question of the page that no arm answers does not compile.
//!
//! Both texts take the macro from the engine's own source. They differ in one arm.
//!
//! ```
//! mod question {
//!     include!(concat!(env!("CARGO_MANIFEST_DIR"), "/../crate/juror_web/src/question/listed.rs"));
//!
//!     pub mod weather {
//!         questions! {
//!             /// How warm it is.
//!             Warmth { place: String } -> f64;
//!             /// How much it rains.
//!             Rain { place: String } -> f64 [Read];
//!         }
//!
//!         pub(super) fn answer(question: Question) -> Answer {
//!             match question {
//!                 Question::Warmth { place } => Answer::Warmth(place.len() as f64),
//!                 Question::Rain { place } => Answer::Rain(place.len() as f64),
//!             }
//!         }
//!     }
//!
//!     pub fn answered(asked: &str) -> String {
//!         let question = serde_json::from_str(asked).unwrap();
//!         serde_json::to_string(&weather::answer(question)).unwrap()
//!     }
//! }
//!
//! fn main() {
//!     assert_eq!(question::answered(r#"{"rain": {"place": "Oslo"}}"#), "4.0");
//! }
//! ```
//!
//! ```compile_fail,E0004
//! mod question {
//!     include!(concat!(env!("CARGO_MANIFEST_DIR"), "/../crate/juror_web/src/question/listed.rs"));
//!
//!     pub mod weather {
//!         questions! {
//!             /// How warm it is.
//!             Warmth { place: String } -> f64;
//!             /// How much it rains.
//!             Rain { place: String } -> f64 [Read];
//!         }
//!
//!         pub(super) fn answer(question: Question) -> Answer {
//!             match question {
//!                 Question::Warmth { place } => Answer::Warmth(place.len() as f64),
//!             }
//!         }
//!     }
//!
//!     pub fn answered(asked: &str) -> String {
//!         let question = serde_json::from_str(asked).unwrap();
//!         serde_json::to_string(&weather::answer(question)).unwrap()
//!     }
//! }
//!
//! fn main() {
//!     assert_eq!(question::answered(r#"{"rain": {"place": "Oslo"}}"#), "4.0");
//! }
//! ```
