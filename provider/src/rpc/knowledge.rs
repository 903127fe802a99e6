//! What the program knows about types beyond their metadata: tables that it embeds, nothing in most tests.

use metadata::view::Resource;

use crate::lifecycle::Failure;
use crate::regions;

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

    /// The failure, with the regions that offer the type where another one is the way out.
    pub(super) fn naming_regions(&self, failure: Failure, resource: Resource) -> Failure {
        let named = |message: &str| regions::named(message, &(self.regions)(resource)?);
        match failure {
            Failure::Refused { code, message } => {
                Failure::Refused { code, message: named(&message).unwrap_or(message) }
            }
            other @ Failure::InitFailed { .. } => other,
        }
    }

    /// The regions that offer the type, if the given one is known not to.
    pub(super) fn elsewhere(&self, resource: Resource, region: Option<&str>) -> Option<Vec<&'static str>> {
        match (self.offered)(resource, region?) {
            Some(false) => Some((self.regions)(resource).unwrap_or_default()),
            Some(true) | None => None,
        }
    }
}
