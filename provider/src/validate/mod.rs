//! Validation of inputs: what fails, and what is only worth a warning.
//!
//! | module | what is in it |
//! |---|---|
//! | `kinds` | required members, kinds and unknown names, which fail at every depth; from the metadata |
//! | `schema` | one CloudFormation schema, ready to be asked; [`Schemas`] keeps the recent ones |
//! | `instance` | inputs under the names of the schema, with what is secret or not known yet |
//! | `rules` | what a schema says about one value: pattern, allowed values, lengths, bounds, numbers of parts |
//! | `combinations` | what it says about several: alternatives, groups, conditions; and whether a value fits a schema |
//! | `forbidden` | what is said of a value that a schema rules out |
//! | `walk` | the walk over values and schemas that reports |
//! | `texts` | the sentences |
//! | `path` | where a value is |
//!
//! Schemas lag behind services: what they forbid is a warning, unless `strictValidation` asks for more. Secrets are
//! looked through and never quoted; what is not known yet passes. `format` is not looked at, since services take more
//! than it says. Decision 13 has the reasons.

use metadata::view::Resource;
use value::Map;

use crate::requests::CheckFailure;

pub use schema::{Characters, Schema, Schemas};

mod combinations;
mod forbidden;
mod instance;
mod kinds;
mod path;
mod rules;
mod schema;
mod texts;
mod walk;

#[cfg(test)]
mod tests;

/// What validation found; failures in no particular order.
#[derive(Debug, Default)]
pub struct Validation {
    /// What is wrong.
    pub failures: Vec<CheckFailure>,
    /// What the schema forbids, in order of the inputs.
    pub doubts: Vec<CheckFailure>,
}

/// What is validated, beside the inputs.
#[derive(Debug, Clone, Copy, Default)]
pub struct Given<'a> {
    /// The schema of the type; without one, only the metadata speaks.
    pub schema: Option<&'a Schema>,
    /// The property that Check itself has put in, of which the program cannot be blamed.
    pub generated: Option<&'a str>,
}

impl Validation {
    /// Validates the inputs of a resource.
    pub fn of(resource: Resource, inputs: &Map, given: Given<'_>) -> Self {
        let mut found = kinds::validate(resource, inputs, given.schema.is_none());
        if let Some(schema) = given.schema {
            found.doubts.extend(walk::walk(resource, inputs, schema, given.generated));
        }
        found
    }
}
