//! Juror tests.
