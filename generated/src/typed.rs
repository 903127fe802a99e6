//! What all typed resources have in common: how they are read, how they are written, and what tells one from another.
//!
//! The structs themselves are output, in [`types`](crate::types), each with a table of its CloudFormation names; the
//! macros in `typed/macros.rs` make the traits out of these tables.
//!
//! - Every member is optional: a model that a service returns lacks write-only members, and a desired state leaves out
//!   what it does not care about. The documentation of a member says whether the service requires it.
//! - Reading loses nothing: members and values that the schema does not know are kept (`other`, `Other`), whole numbers
//!   stay whole, and a `null` where the schema has a value is kept in `other` too.
//! - What has the wrong type is an error with its path, never dropped.

mod macros;
mod read;
mod write;

use serde::Serialize;
use serde::de::DeserializeOwned;

pub use read::{Mismatch, Mode, Read};

#[doc(hidden)]
pub use read::{Members, arm, deserialize};
#[doc(hidden)]
pub use write::{Writer, debug};

/// A resource as a struct.
pub trait Resource: Serialize + DeserializeOwned {
    /// CloudFormation type name, for example `AWS::S3::Bucket`.
    const TYPE_NAME: &'static str;
    /// Pulumi token, for example `aws-native:s3:Bucket`; [`resource`](crate::resource) finds the metadata by it.
    const TOKEN: &'static str;
}

/// What every generated module uses.
#[allow(unused_imports, reason = "which of these are used depends on the services that are turned on")]
pub(crate) mod prelude {
    pub(crate) use super::macros::{arms, common, members, resource, values};
    pub(crate) use serde_json::{Number, Value};
    pub(crate) use std::collections::BTreeMap;
}
