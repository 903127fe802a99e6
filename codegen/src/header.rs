//! What the package has beside the resources made from schemas: its header, configuration, the provider, and the
//! hand-written types, functions and resources.

mod config;
mod functions;
mod languages;
mod resources;
mod types;

pub(crate) use languages::block as language_block;
pub(crate) use resources::{CUSTOM_RESOURCE, examples};

use crate::data::Region;
use crate::package::{Package, Properties, PropertySpec, Text, TypeSpec};
use std::collections::BTreeMap;

/// The package before the first schema.
pub(crate) fn package(regions: &[Region]) -> Package {
    Package {
        config: config::variables(),
        description: "A native Pulumi package for creating and managing Amazon Web Services (AWS) resources.",
        display_name: "AWS Cloud Control",
        functions: functions::all(),
        homepage: "https://pulumi.com",
        keywords: &["pulumi", "aws", "aws-native", "cloud control", "ccapi", "category/cloud", "kind/native"],
        language: serde_json::Value::Null,
        license: "Apache-2.0",
        name: crate::tokens::PACKAGE,
        provider: config::provider(),
        publisher: "Pulumi",
        repository: "https://github.com/pulumi/pulumi-aws-native",
        resources: resources::all(),
        types: types::all(regions).into_iter().collect::<BTreeMap<_, _>>(),
    }
}

/// Properties from a table of name, type and description.
fn properties(table: &[(&str, TypeSpec, &str)]) -> Properties {
    table.iter().map(|(name, ty, description)| ((*name).to_owned(), described(ty.clone(), description))).collect()
}

fn described(ty: TypeSpec, description: &str) -> PropertySpec {
    let description = (!description.is_empty()).then(|| Text::from(description));
    PropertySpec { description, ..PropertySpec::new(ty) }
}

fn reference(token: &str) -> TypeSpec {
    TypeSpec::Ref(token.into())
}
