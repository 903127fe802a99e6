//! What the emulator takes from resource type schemas.
//!
//! | module | what is in it |
//! |---|---|
//! | [`library`] | where schemas come from; types by name, read on first use |
//! | [`resource_type`] | one type: identifiers, property classes, handlers |
//! | [`instance_path`] | property paths matched against instance documents |
//! | [`patterns`] | regular expressions, compiled once |
//! | [`report`] | what is wrong with a set of schemas |
//!
//! Checking instances is in [`crate::validate`].

pub(crate) mod instance_path;
pub(crate) mod library;
pub(crate) mod patterns;
pub(crate) mod report;
pub(crate) mod resource_type;

pub(crate) use instance_path::InstancePath;
pub(crate) use library::Library;
pub(crate) use resource_type::{Handler, ResourceType};
