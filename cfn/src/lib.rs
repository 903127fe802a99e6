//! The CloudFormation resource schema model: reading, JSON pointers and property paths, naming.
//!
//! | module | what is in it |
//! |---|---|
//! | [`bundle`] | all schemas in one compressed file from which one can be read alone |
//! | [`naming`] | CloudFormation names to SDK names and back, acronyms, enum member names |
//! | [`type_name`] | `AWS::S3::Bucket` and its parts |
//! | [`path`] | property paths: `/properties/Rules/*/Id` and `rules/*/id` |
//! | [`pattern`] | texts that a regular expression finds |
//! | [`java_pattern`] | regular expressions in the schemas' dialect, ready to be searched for |
//! | [`schema`] | one resource type schema, read into [`schema::ResourceSchema`] and its [`schema::Node`]s |
//! | [`error`] | why a schema could not be read |
//!
//! Pure: values in, values out. Fetching schemas, correcting them and deriving SDK types from them is the business of
//! the generator; validating instances against them that of the provider's preview and of the emulator.

pub mod bundle;
pub mod error;
pub mod java_pattern;
pub mod naming;
pub mod path;
pub mod pattern;
pub mod schema;
pub mod type_name;

mod location;

pub use error::SchemaError;
pub use location::{escape_token, unescape_token};
pub use path::{PropertyPath, Segment};
pub use schema::{Node, ResourceSchema};
pub use type_name::TypeName;
