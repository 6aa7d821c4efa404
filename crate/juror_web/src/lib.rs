//! Juror web.
