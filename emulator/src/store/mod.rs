//! What exists: resources, requests, client tokens, counters.
//!
//! | module | what is in it |
//! |---|---|
//! | this one | where resources live, and the version that an answer waits for |
//! | [`state`] | everything that an emulator remembers, behind one lock |
//! | [`txn`] | the only way to read and change it |
//! | [`shelf`] | the resources of one type in one place, with indexes |
//! | [`resource`], [`request`], [`token`] | the records |
//! | [`record`] | records as bytes and back |
//!
//! What requests do over time is in [`crate::life`]; where records go is in [`crate::persist`].

pub(crate) mod record;
pub(crate) mod request;
pub(crate) mod resource;
pub(crate) mod shelf;
pub(crate) mod state;
#[cfg(test)]
mod tests;
pub(crate) mod token;
pub(crate) mod txn;

use crate::name::Name;
use serde::{Deserialize, Serialize};

pub(crate) use request::{ClientToken, Kind, Request, Status};
pub(crate) use resource::{Haunt, NewResource, Resource};
pub(crate) use state::State;
pub(crate) use token::Token;
pub(crate) use txn::{Gathered, Txn};

/// Where resources of one type live; the region is empty for types that exist once per account.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct ShelfKey {
    pub(crate) account: Name,
    pub(crate) region: Name,
    pub(crate) type_name: Name,
}

/// The state version that must be durable before an answer may leave: the newest that its call wrote or saw.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
#[must_use]
pub(crate) struct Needed(pub(crate) u64);

/// Who changed something.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Cause {
    /// An accepted request.
    Request(Token),
    /// Somebody behind the owner's back.
    Admin,
    /// A snapshot.
    Import,
    /// A companion service.
    Service,
}
