//! Resources that look different from what they are: too new, too old, in another form, or without what was sent.

use crate::faults::span::Span;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// For how long a new resource is not found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct Lag {
    /// By reads, in the emulator's time after SUCCESS.
    #[serde(rename = "for")]
    pub lasting: Span,
    /// By so many reads, whatever the time.
    pub reads: u32,
    /// By lists.
    pub list_for: Span,
}

impl Default for Lag {
    fn default() -> Lag {
        Lag { lasting: Span::seconds(2), reads: 0, list_for: Span::default() }
    }
}

/// For how long reads show what was there before.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Stale {
    /// In the emulator's time after SUCCESS.
    #[serde(rename = "for")]
    pub lasting: Span,
}

impl Default for Stale {
    fn default() -> Stale {
        Stale { lasting: Span::seconds(2) }
    }
}

/// Values that are not taken over.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Discarded {
    /// Where they are: `/properties/Tags`.
    pub paths: Vec<String>,
}

/// A value that the service returns and does not take back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Readback {
    /// Where it is: `/properties/Name`. Updates are refused as long as the patched model has it.
    pub path: String,
}

/// Texts in another case.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Recase {
    /// Where they are: `/properties/Name`, `/properties/Rules/*/Protocol`.
    pub paths: Vec<String>,
    /// The case.
    pub to: Case,
}

/// A case of letters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Case {
    /// A to Z.
    Upper,
    /// a to z.
    Lower,
}
