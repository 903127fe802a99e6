//! The patch of an update: the fewest operations, at the smallest paths, that make the live model what the user wants.
//!
//! Cloud Control applies a patch to the model that a read returns, so every operation is decided on that model:
//!
//! - objects are descended into and a map gets one operation for each key; a list is replaced whole;
//! - `replace` and `remove` only for what the model has; what it lacks is added with its nearest absent ancestor;
//! - `remove` only for what was the user's;
//! - create-only leaves are never sent with a value of ours; read-only ones only with a value that the user gives, since
//!   schemas call some settings read-only that a program may well set;
//! - whatever the update hides from the service, because it cannot be read, is sent again ([`resend`]).
//!
//! Values of lists, which can only be replaced whole, are made in [`whole`]; the document in [`document`]. Whether it fits
//! the model is tried in [`verify`].

pub mod document;
mod resend;
pub mod verify;
mod walk;
mod whole;

use std::fmt;

use serde_json::Value as Json;
use value::Map;

use crate::convert::{self, ConvertError};
use crate::equality::rewrites::{Constants, Rewrites};
use crate::equality::written::{At, Written};
use crate::place::Object;
use crate::subject::Subject;

/// What an update starts from and wants. `Debug` output leaves the model out, in which nothing is marked secret.
#[derive(Clone, Copy)]
pub struct Update<'a> {
    /// The inputs of the last operation; `None` when the state has none.
    pub old: Option<&'a Map>,
    /// The inputs that are wanted.
    pub new: &'a Map,
    /// The live model.
    pub model: &'a Json,
}

impl fmt::Debug for Update<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Update").field("old", &self.old).field("new", &self.new).finish_non_exhaustive()
    }
}

/// The patch; empty when there is nothing to send.
///
/// # Errors
///
/// The model or an input has no form on the other side; see [`ConvertError`].
pub fn patch(subject: impl Into<Subject>, update: Update<'_>) -> Result<document::Patch, ConvertError> {
    let subject = subject.into();
    let object = Object::of(subject);
    let live = convert::from_cfn(update.model, subject.properties())?;
    let none = Map::new();
    let old = update.old.unwrap_or(&none);
    let of_old = Rewrites::of(subject, old, Constants::Refused);
    let of_new = Rewrites::of(subject, update.new, Constants::Refused).sharing(&of_old);
    let at = At { first: Written::root(&of_old), second: Written::root(&of_new) };
    let held = walk::Held { model: update.model, live: &live };
    let mut patch = document::Patch::default();
    walk::members(&mut patch, object, (old, update.new), held, at)?;
    if !patch.is_empty() {
        resend::members(&mut patch, object, update.new, held, at.second)?;
    }
    patch.unreadable = [of_old.unreadable(), of_new.unreadable()].concat();
    Ok(patch)
}
