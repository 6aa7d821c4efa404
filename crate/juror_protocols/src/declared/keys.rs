//! The objects of `juror.json` with the keys that each may have.

use super::json::Keys;

/// The objects of the format with their keys.
pub const OBJECTS: &[Keys] = &[
    PROTOCOL,
    WORDS,
    SAMPLE_FILE,
    FIELDS,
    SAMPLE,
    REFERENCE,
    REPLIES,
    CRITERION,
    REQUEST,
    REPLY,
    TOTAL,
    GATE,
    CAP,
    CONDITION,
    GROUPING,
    OVERALL,
    JUDGES,
    DISPLAY,
];

pub(super) const PROTOCOL: Keys = Keys {
    name: "protocol",
    required: &["format", "id", "title", "samples", "criteria", "requests"],
    optional: &[
        "$schema",
        "source",
        "words",
        "outputs",
        "replies",
        "total",
        "missing",
        "groupings",
        "overall",
        "judges",
        "display",
    ],
};
pub(super) const WORDS: Keys = Keys {
    name: "words",
    required: &["sample", "samples"],
    optional: &[],
};
pub(super) const SAMPLE_FILE: Keys = Keys {
    name: "sample_file",
    required: &["file"],
    optional: &["fields"],
};
pub(super) const FIELDS: Keys = Keys {
    name: "fields",
    required: &["id"],
    optional: &["instruction", "references", "tags"],
};
/// One sample.
pub(super) const SAMPLE: Keys = Keys {
    name: "sample",
    required: &["id"],
    optional: &["instruction", "references", "tags"],
};
/// One reference with its name.
pub(super) const REFERENCE: Keys = Keys {
    name: "reference",
    required: &["file"],
    optional: &["label"],
};
pub(super) const REPLIES: Keys = Keys {
    name: "replies",
    required: &["files"],
    optional: &["sample", "reply", "request"],
};
pub(super) const CRITERION: Keys = Keys {
    name: "criterion",
    required: &["id", "range"],
    optional: &[
        "label",
        "short",
        "meaning",
        "integer",
        "weight",
        "direction",
        "reply",
    ],
};
pub(super) const REQUEST: Keys = Keys {
    name: "request",
    required: &["id", "reply"],
    optional: &["label", "short", "criteria", "prompt"],
};
pub(super) const REPLY: Keys = Keys {
    name: "reply",
    required: &["form"],
    optional: &["reason", "failed"],
};
pub(super) const TOTAL: Keys = Keys {
    name: "total",
    required: &["rule"],
    optional: &["gates", "caps"],
};
pub(super) const GATE: Keys = Keys {
    name: "gate",
    required: &["if"],
    optional: &["total", "criteria"],
};
pub(super) const CAP: Keys = Keys {
    name: "cap",
    required: &["if", "total_at_most"],
    optional: &[],
};
pub(super) const CONDITION: Keys = Keys {
    name: "condition",
    required: &["criterion"],
    optional: &["below", "at_most", "above", "at_least"],
};
pub(super) const GROUPING: Keys = Keys {
    name: "grouping",
    required: &["scope"],
    optional: &["tag", "label", "order", "over"],
};
pub(super) const OVERALL: Keys = Keys {
    name: "overall",
    required: &["over"],
    optional: &[],
};
pub(super) const JUDGES: Keys = Keys {
    name: "judges",
    required: &["mean_of"],
    optional: &[],
};
pub(super) const DISPLAY: Keys = Keys {
    name: "display",
    required: &[],
    optional: &["scale", "decimals"],
};
