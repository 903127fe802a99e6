//! Requests that fail: when, with what, and what is left of them.

use crate::faults::rule::share;
use crate::handler_error::HandlerErrorCode;
use crate::life::plan::{Left, Shown};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A failure of a handler.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Failure {
    /// The code.
    pub code: HandlerErrorCode,
    /// The share of the duration after which it fails, 0 to 1.
    #[serde(default = "half", deserialize_with = "share")]
    pub at: f64,
    /// The message; the default text of the code without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// Whether the message ends with service, status code and request id.
    #[serde(default)]
    pub service: bool,
    /// What is left of the operation.
    #[serde(default)]
    pub left: Remnant,
    /// The identifier in the event.
    #[serde(default)]
    pub identifier: Named,
}

impl Failure {
    /// A failure in the middle that leaves nothing.
    pub fn new(code: HandlerErrorCode) -> Failure {
        let (left, identifier) = (Remnant::Nothing, Named::AsReal);
        Failure { code, at: half(), message: None, service: false, left, identifier }
    }
}

/// What is left of an operation that failed.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Remnant {
    /// Everything is as before.
    #[default]
    Nothing,
    /// Everything that was asked for.
    Everything,
    /// Some of the top-level properties.
    Part(Part),
}

/// A part of a resource.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Part {
    /// The share of the top-level properties that was applied.
    #[serde(deserialize_with = "share")]
    pub fraction: f64,
    /// What the resource shows as its state, where its type has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<String>,
}

impl Default for Part {
    fn default() -> Part {
        Part { fraction: half(), status: None }
    }
}

/// The identifier in the event of a failure.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Named {
    /// As without the failure.
    #[default]
    AsReal,
    /// Always, whether anything exists or not.
    Ghost,
    /// Never.
    Nobody,
}

/// A failure that is none.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Lie {
    /// The share of the duration after which it is told.
    #[serde(default = "one", deserialize_with = "share")]
    pub at: f64,
}

impl From<Remnant> for Left {
    fn from(remnant: Remnant) -> Left {
        match remnant {
            Remnant::Nothing => Left::Nothing,
            Remnant::Everything => Left::Everything,
            Remnant::Part(Part { fraction, status }) => Left::Part { fraction, status },
        }
    }
}

impl From<Named> for Shown {
    fn from(named: Named) -> Shown {
        match named {
            Named::AsReal => Shown::AsReal,
            Named::Ghost => Shown::Ghost,
            Named::Nobody => Shown::Nobody,
        }
    }
}

fn half() -> f64 {
    0.5
}

fn one() -> f64 {
    1.0
}
