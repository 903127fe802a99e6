//! Where resource types come from: generated tables in the program, hand-made records in tests.

use metadata::view::Resource;
use tonic::Status;

use super::VERSION;
use crate::left_out;

/// The types that the provider has, and its package schema.
#[derive(Debug, Clone, Copy)]
pub struct Catalog {
    /// Finds a resource type by its Pulumi token.
    pub resource: fn(&str) -> Option<Resource>,
    /// The package schema, one zstd frame with the size of its content.
    pub package_schema: &'static [u8],
}

/// Types that are written by hand in the Go provider and that this version does not have.
const HAND_WRITTEN: [&str; 2] =
    ["aws-native:index:ExtensionResource", "aws-native:cloudformation:CustomResourceEmulator"];

impl Catalog {
    /// The type with this token; `noun` is how the sentence for an unknown one begins.
    ///
    /// # Errors
    ///
    /// `Unimplemented` for the types written by hand, `NotFound` for unknown ones.
    pub(super) fn find(&self, token: &str, noun: &str) -> Result<Resource, Status> {
        if let Some(resource) = (self.resource)(token) {
            return Ok(resource);
        }
        if HAND_WRITTEN.contains(&token) {
            return Err(super::absent(
                token,
                "the option `version: 1.84.0` of the resource loads the published plugin for it beside this one",
            ));
        }
        if let Some(left_out) = left_out::find(token) {
            return Err(Status::not_found(format!("{noun} type {token} not found: {}", left_out.advice())));
        }
        Err(Status::not_found(format!(
            "{noun} type {token} not found: version {VERSION} of the aws-native plugin does not have it; check the \
             spelling, or use the plugin version that belongs to the SDK"
        )))
    }
}
