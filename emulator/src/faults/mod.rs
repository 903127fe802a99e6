//! Misbehavior on demand: rules that make calls fail, operations end badly and reads lie.
//!
//! Every place at which rules are asked is inside the transaction of the call, so that their counters last as the state
//! does, and every draw depends on content, so that runs repeat exactly however calls are interleaved.
//!
//! | module | what is in it |
//! |---|---|
//! | this one | what a rule is asked about, and what it can answer |
//! | [`rule`], [`action`], [`glob`], [`span`] | rules as people write them |
//! | [`check`] | whether they can be followed |
//! | [`stage`] | when rules are asked, and which actions act then |
//! | [`rules`] | the rules in force with their counters, and which of them fire |
//! | [`bucket`] | token buckets of throttling rules |
//! | [`front`] | calls that are refused |
//! | [`outcome`] | requests that do not go as planned |
//! | [`reading`] | reads that do not show what there is |
//! | [`vain`] | rules that can never fire |
//! | [`wire`] | what happens to connections |
//! | [`replay`] | rules that do again what a log says |

mod action;
mod bucket;
mod check;
mod front;
mod glob;
mod outcome;
mod reading;
pub(crate) mod replay;
mod rule;
pub(crate) mod rules;
mod span;
mod stage;
pub(crate) mod vain;
mod wire;

pub use action::{
    Action, CallError, Case, Discarded, Failure, FailureMode, Hang, Hook, HookStatus, Lag, Lie, Moment, Named, Part,
    PollError, Readback, Recase, Remnant, Reset, Slow, Stale, Stuck, StuckIn, Throttling, Truncate, Wait,
};
pub use glob::Glob;
pub use rule::{Operations, Per, Rule, Selector};
pub use span::Span;

pub(crate) use front::{front, handler};
pub(crate) use outcome::shape;
pub(crate) use reading::{in_form, reading, refuses_readback};
pub(crate) use rule::{full_name, short_name};
pub(crate) use rules::Rules;
pub(crate) use wire::on_the_wire;

use crate::api_error::ApiError;
use crate::entropy::Digest;
use crate::handler_error::Matter;
use crate::scope::Scope;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

/// The name of a rule.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RuleId(Arc<str>);

impl RuleId {
    /// A rule of this name.
    pub fn new(name: &str) -> RuleId {
        RuleId(name.into())
    }

    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for RuleId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Serialize for RuleId {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for RuleId {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<RuleId, D::Error> {
        String::deserialize(deserializer).map(|name| RuleId::new(&name))
    }
}

/// What a rule is asked about: one call.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Subject<'a> {
    /// `CreateResource`, or `sts:AssumeRole` of another service.
    pub(crate) operation: &'a str,
    /// Empty for calls that name no type.
    pub(crate) type_name: &'a str,
    pub(crate) scope: &'a Scope,
    /// As the caller wrote it, or the primary identifier where it is known.
    pub(crate) identifier: Option<&'a str>,
    /// The content of the call: desired state, patch or token.
    pub(crate) digest: Digest,
    pub(crate) now: SystemTime,
}

impl<'a> Subject<'a> {
    /// The same for the default texts of handler errors.
    pub(crate) fn matter(&self) -> Matter<'a> {
        let action = match self.operation {
            "CreateResource" => "CREATE",
            "UpdateResource" => "UPDATE",
            "DeleteResource" => "DELETE",
            "ListResources" => "LIST",
            _ => "READ",
        };
        Matter { type_name: self.type_name, identifier: self.identifier.unwrap_or_default(), action }
    }
}

/// What becomes of a call before anything of it is looked at.
#[derive(Debug)]
pub(crate) enum Front {
    Pass,
    /// The error, and the HTTP status that it is sent with.
    Error(ApiError, u16),
}

/// What a read sees of a resource.
#[derive(Debug, PartialEq)]
pub(crate) enum Reading {
    AsIs,
    Missing,
    /// This model instead of the stored one.
    Text(Box<str>),
    With(Vec<ReadForm>),
}

/// How a model that is read differs from the stored one in form only.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum ReadForm {
    Sparse,
    Reorder,
    Recase { paths: Vec<String>, to_upper: bool },
}

/// What happens to the connection instead of, or beside, the answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WireFault {
    Delay(Duration),
    /// After the call took effect, for this much real time; then the connection ends.
    Hang(Duration),
    /// Before the call took effect.
    Reset,
    /// After it did: the answer is lost.
    ResetAfter,
    Truncate {
        bytes: usize,
    },
    /// The call is executed twice and the second answer sent.
    Twice,
}
