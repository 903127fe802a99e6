//! Misbehavior on demand: rules that make calls fail, operations end badly and reads lie.
//!
//! What stands here are the places at which rules are asked; each is inside the transaction of the call, so that counters
//! survive the process and repeat exactly. There is no rule yet that does anything.

use crate::api_error::ApiError;
use crate::entropy::Digest;
use crate::handler_error::Matter;
use crate::life::plan::Plan;
use crate::scope::Scope;
use crate::store::{Resource, Txn};
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

/// The rules in force with their counters; part of the state.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Rules {}

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

/// Asked for every call once its shape is right.
pub(crate) fn front(_txn: &mut Txn<'_>, _subject: &Subject<'_>) -> Front {
    Front::Pass
}

/// Asked when a request is accepted: changes what was planned for it.
pub(crate) fn shape(_txn: &mut Txn<'_>, _subject: &Subject<'_>, _plan: &mut Plan) {}

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

/// Asked for every resource that a get or a list is about to show.
pub(crate) fn reading(_txn: &mut Txn<'_>, _subject: &Subject<'_>, _resource: &Resource) -> Reading {
    Reading::AsIs
}

/// Asked by an update: the pointer of a value that the service returns but does not take back.
pub(crate) fn refuses_readback(_txn: &mut Txn<'_>, _subject: &Subject<'_>) -> Option<String> {
    None
}

/// What happens to the connection instead of, or beside, the answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WireFault {
    Delay(Duration),
    Hang,
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

/// Asked for every call before it is executed.
pub(crate) fn on_the_wire(_txn: &mut Txn<'_>, _subject: &Subject<'_>) -> Option<WireFault> {
    None
}
