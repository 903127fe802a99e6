//! From CloudFormation resource schemas to the Pulumi package schema and the runtime metadata.
//!
//! [`generate`] takes schemas that are read already and returns everything that a run makes, in memory: the package
//! schema ([`package`]), the runtime metadata of every resource, what was left out and why, and what a maintainer may
//! want to look at ([`report`]).
//!
//! | step | module |
//! |---|---|
//! | tokens | [`tokens`] |
//! | types of properties, nested object types, enums | `types` |
//! | corrections of schemas | [`overlay`] |
//! | alternatives (`allOf`, `anyOf`, `oneOf`) united into one object | `combine` |
//! | types of several sources united; where sources come from | [`merge`], [`fetch`] |
//! | which types are generated | [`Supported`] |
//! | places in a schema as JSON pointers | `place` |
//! | assembly of a resource | `resource` |
//! | tags, generated names, create-only marks, getter, list inputs, unordered arrays | `tags`, `autoname`, `create_only`, `getter`, [`list_inputs`], `unordered` |
//! | the provider's own metadata; the published layout of it | `view`, [`runtime`] |
//! | the shape of the package schema | [`package`] |
//! | header, configuration, hand-written types, functions and resources | `header` |
//! | which type is offered in which region | [`availability`] |
//! | files from all of that | [`emit`] |
//! | examples | [`example`] |
//! | descriptions, and what is said beside them | [`docs`] |
//! | the published surface as reviewable facts | [`inventory`] |
//! | what changes for users between two inventories | [`changes`] |
//! | names that were published once, and whose they are | [`names`] |
//! | files that people write: reading them, their JSON schemas | [`yaml`], [`json_schemas`] |
//! | what no schema states: limits of names, sets, equality | [`semantics`], `pattern` |
//! | committed tables | [`data`] |
//! | texts of the package schema; fields of tab-separated files | `text`, `tsv` |
//! | what a run made, as digests to compare | [`digest`] |
//! | how a name or a type came about | [`trace`], [`explain`] |

mod autoname;
pub mod availability;
pub mod changes;
mod combine;
mod create_only;
pub mod data;
pub mod digest;
pub mod docs;
pub mod emit;
mod error;
pub mod example;
pub mod explain;
pub mod fetch;
mod generate;
mod getter;
mod header;
pub mod inventory;
pub mod json_schemas;
pub mod list_inputs;
pub mod merge;
pub mod names;
pub mod overlay;
pub mod package;
mod pattern;
mod place;
pub mod report;
mod resource;
pub mod runtime;
pub mod semantics;
mod skip;
mod supported;
mod tags;
mod text;
pub mod tokens;
pub mod trace;
mod tsv;
mod types;
mod unordered;
mod view;
pub mod yaml;

pub use availability::Availability;
pub use docs::Docs;
pub use error::LowerError;
pub use generate::{Input, Output, Source, generate};
pub use getter::NoGetter;
pub use runtime::metadata_json;
pub use skip::{Skip, SkipReason};
pub use supported::Supported;
