//! Descriptions: where they come from and what is said beside them.
//!
//! | module | what is in it |
//! |---|---|
//! | [`source`] | the documentation database, read into lookups |
//! | [`markdown`] | AWS's markup as clean Markdown |
//! | `describe` | the texts into a schema, before anything is made of it |
//! | `marks` | allowed values, limits, replacement and write-only marks beside a property's text |
//! | `import` | the section about import in a resource's description |
//! | [`coverage`] | how many properties have a description |
//!
//! Examples are made in [`crate::example`].

pub mod coverage;
pub(crate) mod describe;
pub(crate) mod import;
pub mod markdown;
pub(crate) mod marks;
pub mod source;

pub use marks::UNDESCRIBED;
pub use source::{Docs, DocsError, TypeDocs};
