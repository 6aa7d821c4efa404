//! Juror core.
