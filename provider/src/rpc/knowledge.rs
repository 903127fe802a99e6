//! What the program knows about types beyond their metadata: tables that it embeds, nothing in most tests.

use metadata::view::Resource;

/// Tables about types.
#[derive(Debug, Clone, Copy)]
pub struct Knowledge {
    /// The CloudFormation schema of a type by its CloudFormation name, as JSON text.
    pub schema: fn(&str) -> Option<String>,
    /// Whether a region offers a type; `None` when that is not known.
    pub offered: fn(Resource, &str) -> Option<bool>,
    /// The regions that offer a type, in order; `None` when that is not known.
    pub regions: fn(Resource) -> Option<Vec<&'static str>>,
}

impl Knowledge {
    /// Nothing is known.
    pub const NONE: Self = Self { schema: |_| None, offered: |_, _| None, regions: |_| None };

    /// The regions that offer the type, if the given one is known not to.
    pub(super) fn elsewhere(&self, resource: Resource, region: Option<&str>) -> Option<Vec<&'static str>> {
        match (self.offered)(resource, region?) {
            Some(false) => Some((self.regions)(resource).unwrap_or_default()),
            Some(true) | None => None,
        }
    }
}
