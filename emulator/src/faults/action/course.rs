//! Requests that do not end when they should.

use crate::overrides::file::Class;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How a request gets stuck.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Stuck {
    /// The status in which it stays.
    #[serde(rename = "in")]
    pub status: StuckIn,
    /// Whether the time that its handler allows itself ends it nevertheless.
    pub timeout: bool,
}

/// A status that a request can stay in.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum StuckIn {
    /// Its handler does not come to an end.
    #[default]
    InProgress,
    /// Its handler does not begin.
    Pending,
}

/// How much longer an operation takes.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Slow {
    /// Multiplies the duration.
    #[schemars(range(min = 0.0, max = 1000.0))]
    pub factor: f64,
    /// A class instead of that of the type.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub class: Option<Class>,
}

impl Default for Slow {
    fn default() -> Slow {
        Slow { factor: 1.0, class: None }
    }
}
