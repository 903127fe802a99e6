//! What the emulator takes from resource type schemas.
//!
//! | module | what is in it |
//! |---|---|
//! | [`library`] | types by name, read on first use |
//! | [`roots`] | where schemas come from: folders, archives, bundles, texts |
//! | [`regions`] | which regions there are, and which types each has |
//! | [`resource_type`] | one type: identifiers, property classes, handlers |
//! | [`instance_path`] | property paths matched against instance documents |
//! | [`patterns`] | regular expressions, compiled once |
//! | [`report`] | what every type of a set of schemas is, and what is wrong |
//!
//! Checking instances is in [`crate::validate`].

pub(crate) mod instance_path;
pub(crate) mod library;
pub(crate) mod patterns;
pub(crate) mod regions;
pub(crate) mod report;
pub(crate) mod resource_type;
mod roots;

pub(crate) use instance_path::InstancePath;
pub(crate) use library::Library;
pub(crate) use resource_type::{Handler, ResourceType};
