//! Zero-copy views of a record. Everything here is `Copy` and borrows from the `static` that the generator wrote.
//!
//! [`Resource`] is the entry. Reading never panics and never runs forever, whatever a record's words say: an offset
//! that leads nowhere reads as an empty text, an empty list, or [`Type::Any`]. Records of the generator never do that;
//! the tests of the generated crate compare each with its model.

mod decode;
mod properties;
mod record;
mod resource;
mod types;

pub use properties::{Properties, Property};
pub use record::{Record, StrList};
pub use resource::{AutoName, Getter, Handler, Operation, Resource, SuffixRule, Tags};
pub use types::{ObjectType, ObjectTypes, Type, TypeList, TypeRef};
