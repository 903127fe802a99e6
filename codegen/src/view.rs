//! The resource as the provider needs it: the runtime metadata model.
//!
//! Other than the published metadata, it has exact CloudFormation names at every level, its own copy of every nested
//! type, and paths that are understood with the schema at hand; `Id` is `awsId` wherever it is a top-level property.

use crate::resource::{TagsProperty, TopLevel};
use crate::tags::is_unordered;
use crate::tokens::Names;
use cfn::path::top_level_sdk_name;
use cfn::schema::{Handler, ReplacementStrategy};
use cfn::{PropertyPath, ResourceSchema};
use metadata::model;
use std::collections::{BTreeMap, BTreeSet};

/// What assembly found out about a resource.
pub(crate) struct Parts<'p, 'a> {
    pub properties: &'p [TopLevel<'a>],
    pub types: Vec<model::ObjectType>,
    pub required_inputs: &'p [String],
    pub unordered: &'p [PropertyPath],
    /// Unordered arrays of which the schema does not say so.
    pub sets: &'p [PropertyPath],
    pub equality: BTreeMap<String, model::EqualityHint>,
    pub tags: Option<&'p TagsProperty>,
    pub auto_name: Option<&'p model::AutoName>,
    /// SDK names of the getter's inputs, when there is a getter.
    pub getter_ids: Option<Vec<String>>,
}

/// Puts the model together.
pub(crate) fn resource(schema: &ResourceSchema, names: &Names, parts: Parts<'_, '_>) -> model::Resource {
    let mut properties: Vec<_> = parts
        .properties
        .iter()
        .map(|property| model::Property {
            name: property.sdk_name.clone(),
            cfn_name: property.cfn_name.to_owned(),
            ty: property.view.clone(),
            input: property.input,
            required: parts.required_inputs.binary_search(&property.sdk_name).is_ok(),
            default: property.default.clone(),
        })
        .collect();
    properties.sort_unstable_by(|a, b| a.name.cmp(&b.name));
    let tags_path = parts.tags.map(|tags| schema.understand(&tags.cfn_name).to_sdk_path());
    let unordered_tags =
        parts.tags.filter(|tags| is_unordered(tags.style)).map(|tags| top_level_sdk_name(&tags.cfn_name));
    model::Resource {
        token: names.token.clone(),
        cfn_type: schema.type_name.to_string(),
        properties,
        types: parts.types,
        create_only: sorted(&schema.create_only, None),
        conditional_create_only: sorted(&schema.conditional_create_only, None),
        read_only: sorted(&schema.read_only, None),
        write_only: sorted(&schema.write_only, None),
        unordered: sorted(parts.unordered.iter().chain(parts.sets), unordered_tags),
        primary_identifier: schema.primary_identifier.iter().map(PropertyPath::to_sdk_path).collect(),
        tags: parts.tags.zip(tags_path).map(|(tags, property)| model::Tags {
            property,
            style: tags.style,
            updatable: schema.tagging.as_ref().is_none_or(|tagging| tagging.tag_updatable),
        }),
        auto_name: parts.auto_name.cloned(),
        property_transforms: transforms(schema),
        equality: parts.equality.into_iter().collect(),
        handlers: model::Handlers {
            create: schema.handlers.create.as_ref().map(handler),
            read: schema.handlers.read.as_ref().map(handler),
            update: schema.handlers.update.as_ref().map(handler),
            delete: schema.handlers.delete.as_ref().map(handler),
            list: schema.handlers.list.as_ref().map(handler),
        },
        replacement_strategy: schema.replacement_strategy.map(|strategy| match strategy {
            ReplacementStrategy::DeleteThenCreate => model::ReplacementStrategy::DeleteThenCreate,
            ReplacementStrategy::CreateThenDelete => model::ReplacementStrategy::CreateThenDelete,
        }),
        getter: parts.getter_ids.map(|ids| model::Getter { token: names.getter.clone(), ids }),
    }
}

/// SDK paths, sorted and each once.
fn sorted<'p>(paths: impl IntoIterator<Item = &'p PropertyPath>, more: Option<String>) -> Vec<String> {
    let paths: BTreeSet<String> = paths.into_iter().map(PropertyPath::to_sdk_path).chain(more).collect();
    paths.into_iter().collect()
}

fn transforms(schema: &ResourceSchema) -> Vec<(String, String)> {
    let mut transforms: Vec<_> = schema
        .property_transforms
        .iter()
        .map(|(pointer, expression)| (schema.understand(pointer).to_sdk_path(), expression.clone()))
        .collect();
    transforms.sort_unstable();
    transforms
}

fn handler(handler: &Handler) -> model::Handler {
    model::Handler { timeout_minutes: handler.timeout_minutes, permissions: handler.permissions.clone() }
}
