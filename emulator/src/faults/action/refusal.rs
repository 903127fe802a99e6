//! Calls and polls that are refused.

use crate::api_error::Code;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A refusal for too many calls.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Throttling {
    /// The message, which the service leaves empty at times. Default `Rate exceeded`.
    pub message: String,
    /// Calls a second, on average, that each operation of an account and region serves; without it every call is refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rate: Option<f64>,
    /// Calls at once. Default the rate, and at least one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub burst: Option<f64>,
}

impl Default for Throttling {
    fn default() -> Throttling {
        Throttling { message: "Rate exceeded".to_owned(), rate: None, burst: None }
    }
}

impl Throttling {
    /// The calls at once of a rate that says no number: less than one would serve none.
    pub(crate) fn usual_burst(rate: f64) -> f64 {
        rate.max(1.0)
    }
}

/// A refusal of a call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CallError {
    /// The error.
    pub code: Code,
    /// The HTTP status; that of the error without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 400, max = 599))]
    pub status: Option<u16>,
    /// The message; without it the one that the service has for the error, as far as it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
}

/// A refusal of a poll.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct PollError {
    /// The error. Default ThrottlingException.
    pub code: Code,
    /// The HTTP status; that of the error without it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 400, max = 599))]
    pub status: Option<u16>,
    /// The message; as for `error` without it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
}

impl Default for PollError {
    fn default() -> PollError {
        PollError { code: Code::Throttling, status: None, message: None }
    }
}
