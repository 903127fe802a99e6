//! Connections that are late or break.

use crate::faults::span::Span;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A time to wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Wait {
    /// Real time, whatever the emulator's clock does.
    #[serde(rename = "for")]
    pub lasting: Span,
}

/// A silence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Hang {
    /// Real time after which the connection ends; it ends with the emulator too.
    #[serde(rename = "for")]
    pub lasting: Span,
}

impl Default for Hang {
    fn default() -> Hang {
        Hang { lasting: Span::seconds(3_600) }
    }
}

/// A broken connection.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Reset {
    /// Whether the call has taken effect by then.
    pub when: Moment,
}

/// When a connection breaks.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Moment {
    /// Before the call takes effect.
    #[default]
    Before,
    /// After it: only the answer is lost.
    After,
}

/// An answer that breaks off.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Truncate {
    /// So many bytes of the body come.
    pub bytes: usize,
}

impl Default for Truncate {
    fn default() -> Truncate {
        Truncate { bytes: 20 }
    }
}
