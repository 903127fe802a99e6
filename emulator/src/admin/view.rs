//! What the handle shows, and how one says which.

use crate::store::Token;
use serde_json::{Value, json};
use std::time::SystemTime;

/// Which resources are meant; what is absent does not matter.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Which {
    /// The account.
    pub account: Option<String>,
    /// The region; any, or `-`, is that of types that exist once per account.
    pub region: Option<String>,
    /// The CloudFormation type.
    pub type_name: Option<String>,
    /// The text of the primary identifier.
    pub identifier: Option<String>,
}

impl Which {
    /// The resource of a type and identifier, in whatever account and region it is.
    pub fn one(type_name: impl Into<String>, identifier: impl Into<String>) -> Which {
        Which { type_name: Some(type_name.into()), identifier: Some(identifier.into()), ..Which::default() }
    }
}

/// Which requests are meant.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct WhichRequests {
    /// The status as events name it.
    pub status: Option<String>,
    /// The CloudFormation type.
    pub type_name: Option<String>,
}

/// Which calls are meant.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct WhichCalls {
    /// The API name of the operation.
    pub operation: Option<String>,
    /// The type that the request names.
    pub type_name: Option<String>,
    /// Only calls after the one of this number.
    pub since: u64,
}

/// Whether a change from outside is held against the schema.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Check {
    /// Anything goes, as with drift in the field.
    #[default]
    Off,
    /// The changed model must be valid.
    On,
}

/// How large a generated desired state is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Size {
    /// Only what is required.
    #[default]
    Minimal,
    /// Everything that the schema accepts down to four levels: every property that a caller may set and that is not
    /// deprecated, one element in each list.
    Maximal,
}

/// A resource that exists.
#[derive(Debug, Clone, PartialEq)]
pub struct ResourceView {
    /// The account.
    pub account: String,
    /// The region; empty for types that exist once per account.
    pub region: String,
    /// The CloudFormation type.
    pub type_name: String,
    /// The text of the primary identifier.
    pub identifier: String,
    /// The whole model, write-only values included.
    pub model: Value,
    /// When it was made, by the emulator's clock.
    pub created: SystemTime,
    /// When it was last changed.
    pub changed: SystemTime,
}

impl ResourceView {
    /// As a page shows it.
    pub(crate) fn shown(&self) -> Value {
        json!({
            "account": self.account,
            "region": self.region,
            "type": self.type_name,
            "identifier": self.identifier,
            "model": self.model,
            "created": crate::life::event::timestamp(self.created),
            "changed": crate::life::event::timestamp(self.changed),
        })
    }
}

/// A request that was accepted.
#[derive(Debug, Clone, PartialEq)]
pub struct RequestView {
    /// Its token.
    pub token: Token,
    /// The account.
    pub account: String,
    /// The region of the call.
    pub region: String,
    /// When it was accepted, by the emulator's clock.
    pub accepted: SystemTime,
    /// What GetResourceRequestStatus shows of it, without counting as a look.
    pub event: Value,
    /// What was decided about it when it was accepted.
    pub plan: Value,
}

impl RequestView {
    /// As a page shows it.
    pub(crate) fn shown(&self) -> Value {
        json!({
            "token": self.token.to_string(),
            "account": self.account,
            "region": self.region,
            "accepted": crate::life::event::timestamp(self.accepted),
            "event": self.event,
        })
    }
}

/// A call and what became of it.
#[derive(Debug, Clone, PartialEq)]
pub struct CallView {
    /// The number of the call; the first is 1.
    pub id: u64,
    /// The HTTP status.
    pub status: u16,
    /// The whole entry: operation, account, region, the members of the request, `outcome`, `result`, `rules`, `retry`.
    pub entry: Value,
}
