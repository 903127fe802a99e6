//! One CloudFormation resource type schema.
//!
//! [`ResourceSchema`] is the root: properties, definitions, property classes, handlers, tagging. [`Node`] is one schema
//! inside it. Reading is strict about the keywords that give a value its meaning and tolerant about everything else:
//! unknown keywords are passed over ([`faults()`] names them), of keys that stand twice the last one counts ([`document()`]
//! names them), numeric and boolean exclusive bounds are both understood, pointers are understood as
//! far as the schema allows ([`ResourceSchema::understand`]).
//! What SDK types follow from a node is decided by the generator.

mod document;
mod faults;
mod lists;
mod node;
mod node_map;
mod pointers;
mod read;
mod root;

pub use document::document;
pub use faults::{Fault, faults};
pub use node::{AdditionalProperties, Constraints, JsonType, Node, TypeList};
pub use node_map::NodeMap;
pub use root::{Handler, Handlers, ReplacementStrategy, ResourceSchema, Tagging};

/// Documents nested deeper than this are refused; published schemas reach 13.
pub const MAX_DEPTH: usize = 100;
