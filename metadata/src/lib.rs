//! The runtime metadata of a resource: owned model, compact encoding, zero-copy views.
//!
//! The generator fills in a [`model::Resource`] and packs it with [`encode()`]; the words and the string become a `static`
//! [`view::Record`] in the generated crate; the provider reads that record through the views in [`view`] without
//! allocating and without any work at start. [`index`] finds a record by name,
//! [`regions`] says where the service offers the type.
//!
//! Deliberately elsewhere: how a CloudFormation schema becomes a model (the generator) and what the provider does with
//! it. This crate is pure data; it reads no file and knows no protocol.

mod encode;
mod error;
pub mod index;
mod layout;
pub mod model;
pub mod regions;
pub mod view;

pub use encode::{Encoded, encode};
pub use error::EncodeError;
pub use layout::FORMAT;
