//! The property value of Pulumi's resource model, and the names that go with it.
//!
//! | module | what is in it |
//! |---|---|
//! | [`mod@value`] | [`Value`], its constructors and accessors |
//! | [`kinds`] | the parts of the special kinds: [`Unknown`], [`Output`], [`Reference`] |
//! | [`asset`] | [`Asset`] and [`Archive`] |
//! | [`content_hash`] | hashes of assets and archives whose content is at hand |
//! | [`equality`] | equality as the resource model defines it, with and without secrets |
//! | [`json`] | ordinary JSON in and out |
//! | [`path`] | [`PropertyPath`]: where a value sits inside another |
//! | [`urn`] | [`Urn`]: the name of a resource |
//! | [`provider_reference`] | [`ProviderReference`]: which provider manages a resource |
//!
//! Everything here is pure: no files, no network, no protobuf. The wire form is in the crate `protocol`.
//!
//! # Depth
//!
//! A value may be nested [`MAX_DEPTH`] levels deep. Cloning, comparing, printing and dropping recurse, and at that depth
//! they fit a stack of 2 MiB in unoptimized builds. Whoever builds a value from outside data keeps to the limit: the
//! codec and [`json::parse`] refuse what is deeper.

pub mod asset;
pub mod content_hash;
mod debug;
pub mod equality;
mod error;
pub mod json;
pub mod kinds;
pub mod path;
pub mod provider_reference;
pub mod urn;
#[allow(clippy::module_inception, reason = "the module holds the type that gives the crate its name")]
pub mod value;

pub use asset::{Archive, ArchiveMember, ArchiveSource, Asset, AssetSource};
pub use error::Error;
pub use kinds::{Output, Reference, Unknown};
pub use path::{PropertyPath, Segment};
pub use provider_reference::ProviderReference;
pub use urn::Urn;
pub use value::{Map, Value};

/// The number of nested objects, arrays and wrappers that a value may have, the outermost one included.
pub const MAX_DEPTH: usize = 512;
