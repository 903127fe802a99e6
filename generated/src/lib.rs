//! What the generator made of the CloudFormation resource schemas: runtime metadata, the Pulumi package schema, and the
//! schemas themselves.
//!
//! This file, `typed/`, `build.rs` and `Cargo.toml` are written by hand, but for the list of features in the latter;
//! everything else here is output, kept out of version control, and rewritten whole by `make generate`. Nothing is parsed, allocated or relocated at start: records are
//! plain words that [`metadata::view`] reads in place, and a lookup by name is a hash and a comparison.
//!
//! With the feature of a service, `types` has its resources as structs.

#[rustfmt::skip] // Output, already formatted.
mod index;
#[rustfmt::skip] // Output, already formatted.
mod regions;
#[rustfmt::skip] // Output, already formatted.
pub mod services;
#[cfg(feature = "typed")]
pub mod typed;
#[cfg(feature = "typed")]
#[rustfmt::skip] // Output, already formatted.
#[allow(
    ambiguous_glob_reexports,
    missing_docs,
    unexpected_cfgs,
    unused_imports,
    clippy::all,
    rustdoc::all,
    reason = "names and texts are those of the schemas, two resources may each have a type of one name, and schemas of \
              another source may have services without a feature"
)]
pub mod types;

use metadata::view::Resource;

/// The Pulumi package schema: one zstd frame, with the size of its content in the header, around compact JSON without
/// `version`.
pub static PACKAGE_SCHEMA_ZST: &[u8] = include_bytes!("../schema.json.zst");

/// The CloudFormation schemas of all types of the package, without what only people read. `cfn::bundle` reads it, one
/// type at a time; `zstd -dc` prints one schema per line.
pub static RESOURCE_SCHEMAS_ZST: &[u8] = include_bytes!("../resource-schemas.zst");

/// The resource type with this Pulumi token, for example `aws-native:s3:Bucket`.
#[must_use]
pub fn resource(token: &str) -> Option<Resource> {
    index::BY_TOKEN.find(token, Resource::token)
}

/// The resource type with this CloudFormation type name, for example `AWS::S3::Bucket`.
#[must_use]
pub fn resource_by_cfn(type_name: &str) -> Option<Resource> {
    index::BY_CFN_TYPE.find(type_name, Resource::cfn_type)
}

/// All resource types in order of token.
pub fn resources() -> impl ExactSizeIterator<Item = Resource> + DoubleEndedIterator + Clone {
    index::RECORDS.iter().map(|record| Resource::from(*record))
}

/// The regions that something is known about, in ascending order.
#[must_use]
pub fn regions() -> &'static [&'static str] {
    regions::REGIONS.names()
}

/// Whether the region offers the type. `None` when the region or the type is newer than the data: then it may be offered.
#[must_use]
pub fn is_offered_in(resource: Resource, region: &str) -> Option<bool> {
    regions::REGIONS.is_offered(position(resource)?, region)
}

/// The regions that offer the type, in ascending order; `None` when nothing is known.
#[must_use]
pub fn regions_offering(resource: Resource) -> Option<impl Iterator<Item = &'static str> + Clone> {
    regions::REGIONS.offering(position(resource)?)
}

fn position(resource: Resource) -> Option<usize> {
    index::BY_TOKEN.find_position(resource.token(), Resource::token).map(|(position, _)| position)
}
