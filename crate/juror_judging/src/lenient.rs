//! Whole numbers as spreadsheets and scripts write them: `15`, `15.0`, `"15"`.

use std::fmt;

use serde::Deserializer;
use serde::de::{Error, Unexpected, Visitor};

use juror_reading::names::whole_id;

/// Reads an id: text as it is, a whole number as its digits.
///
/// # Errors
/// Fails on a fraction, a truth value, `null`, a list and an object.
pub(crate) fn id<'de, D: Deserializer<'de>>(from: D) -> Result<String, D::Error> {
    from.deserialize_any(Id)
}

/// Reads a whole number from 0: a number or its digits as text, with or without `.0`.
///
/// # Errors
/// Fails on what [`id`] fails on, on a negative number, on one beyond 32 bits, and on other text.
pub(crate) fn whole<'de, D: Deserializer<'de>>(from: D) -> Result<u32, D::Error> {
    let id = from.deserialize_any(Id)?;
    whole_id(&id)
        .parse()
        .map_err(|_| D::Error::invalid_value(Unexpected::Str(&id), &"a whole number from 0"))
}

struct Id;

impl Visitor<'_> for Id {
    type Value = String;

    fn expecting(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str("text or a whole number")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<String, E> {
        Ok(text.to_owned())
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<String, E> {
        Ok(number.to_string())
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<String, E> {
        Ok(number.to_string())
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<String, E> {
        // From 2^53 on, the digits of the text are lost.
        if number.fract() == 0.0 && number.abs() < 9_007_199_254_740_992.0 {
            Ok(number.to_string())
        } else {
            Err(E::invalid_value(Unexpected::Float(number), &self))
        }
    }
}
