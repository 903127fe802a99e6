//! A resource type as a configured provider treats it.

use std::ops::Deref;

use metadata::view::Resource;

use crate::tags::TagRules;

/// A resource type: what the schema says about it, and which tags the configuration hides. `Copy`, and free to make.
#[derive(Debug, Clone, Copy)]
pub struct Subject {
    /// What the schema says.
    pub resource: Resource,
    /// Which of the resource's tags are invisible.
    pub tags: &'static TagRules,
}

/// A type in a provider that hides no tags but AWS's own.
impl From<Resource> for Subject {
    fn from(resource: Resource) -> Self {
        Self { resource, tags: TagRules::AWS }
    }
}

impl Deref for Subject {
    type Target = Resource;

    fn deref(&self) -> &Resource {
        &self.resource
    }
}
