//! The runtime metadata in its published JSON layout, for tools that read that and for comparison.
//!
//! The provider itself uses the model of the `metadata` crate.

use crate::generate::Output;
use crate::list_inputs::{ListHandlerSchema, irreversible};
use crate::package::{AsMap, FunctionObject, Properties, TypeDefinition, as_map};
use crate::resource::{Paths, TagsProperty};
use crate::tags::{CREATE_ONLY_TAG, TAG};
use cfn::naming::to_sdk;
use cfn::path::published_sdk_path;
use cfn::{PropertyPath, ResourceSchema};
use metadata::model;
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// What the published runtime metadata says about a resource beyond its properties.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RuntimeResource {
    /// Generation of names.
    #[serde(rename = "autoNamingSpec", skip_serializing_if = "Option::is_none", serialize_with = "auto_naming")]
    pub auto_name: Option<model::AutoName>,
    /// CloudFormation type name.
    #[serde(rename = "cf")]
    pub cfn_type: String,
    /// Create-only SDK paths.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub create_only: BTreeSet<String>,
    /// Whether resources can be listed.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub has_list_handler: bool,
    /// SDK names of top-level properties from which the CloudFormation name does not follow.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub irreversible_names: BTreeMap<String, String>,
    /// The same for list inputs.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub list_irreversible_names: BTreeMap<String, String>,
    /// Inputs of listing by CloudFormation name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub list_handler_schema: Option<ListHandlerSchema>,
    /// SDK names of the identifier's parts.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub primary_identifier: Vec<String>,
    /// SDK path to JSONata text.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub property_transforms: BTreeMap<String, String>,
    /// Read-only SDK paths.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub read_only: BTreeSet<String>,
    /// Required inputs.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub required: Vec<String>,
    /// SDK name of the tags property.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tags_property: Option<String>,
    /// Shape of the tags property.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tags_style: Option<model::TagsStyle>,
    /// SDK paths of unordered arrays.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub unordered_collections: BTreeSet<String>,
    /// Write-only SDK paths.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub write_only: BTreeSet<String>,
    /// SDK names of the getter's inputs, when there is a getter.
    #[serde(skip)]
    pub getter_ids: Option<Vec<String>>,
}

/// What assembly found out about a resource.
pub(crate) struct Parts<'p> {
    pub paths: &'p Paths,
    pub required: &'p [String],
    pub irreversible: BTreeMap<String, String>,
    pub unordered: &'p [PropertyPath],
    pub tags: Option<&'p TagsProperty>,
    pub auto_name: Option<model::AutoName>,
    pub list_schema: Option<ListHandlerSchema>,
    pub getter_ids: Option<Vec<String>>,
}

/// Puts the facts together.
pub(crate) fn resource(schema: &ResourceSchema, parts: Parts<'_>) -> RuntimeResource {
    let transforms = schema.property_transforms.iter().filter_map(|(pointer, expression)| {
        let stripped = pointer.strip_prefix("/properties/")?;
        Some((published_sdk_path(stripped), expression.clone()))
    });
    RuntimeResource {
        auto_name: parts.auto_name,
        cfn_type: schema.type_name.to_string(),
        create_only: parts.paths.create_only.clone(),
        has_list_handler: schema.handlers.list.is_some(),
        irreversible_names: parts.irreversible,
        list_irreversible_names: parts.list_schema.as_ref().map(irreversible).unwrap_or_default(),
        list_handler_schema: parts.list_schema,
        primary_identifier: schema.primary_identifier.iter().map(|path| to_sdk(path.stripped())).collect(),
        property_transforms: transforms.collect(),
        read_only: parts.paths.read_only.clone(),
        required: parts.required.to_vec(),
        tags_property: parts.tags.map(|tags| to_sdk(&tags.cfn_name)),
        tags_style: parts.tags.map(|tags| tags.style).filter(|style| *style != model::TagsStyle::Unknown),
        unordered_collections: parts.unordered.iter().map(PropertyPath::published_sdk_path).collect(),
        write_only: parts.paths.write_only.clone(),
        getter_ids: parts.getter_ids,
    }
}

fn auto_naming<S: serde::Serializer>(rule: &Option<model::AutoName>, serializer: S) -> Result<S::Ok, S::Error> {
    let Some(rule) = rule else { return serializer.serialize_none() };
    let mut spec = serde_json::Map::new();
    if rule.max_length > 0 {
        spec.insert("maxLength".to_owned(), json!(rule.max_length));
    }
    if rule.min_length > 0 {
        spec.insert("minLength".to_owned(), json!(rule.min_length));
    }
    if let Some(suffix) = &rule.suffix_rule {
        // The value is a Pulumi property value in its serialized form.
        let condition = json!({"predicate": "equal", "value": {"V": suffix.equals}});
        let trivia = json!({
            "rule": {"condition": condition, "field": suffix.field},
            "trivia": {"suffix": suffix.suffix}
        });
        spec.insert("namingTriviaSpec".to_owned(), trivia);
    }
    spec.insert("sdkName".to_owned(), json!(rule.property));
    spec.serialize(serializer)
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ResourceForm<'o> {
    #[serde(flatten)]
    facts: &'o RuntimeResource,
    #[serde(skip_serializing_if = "Option::is_none")]
    cf_ref: Option<&'o Value>,
    #[serde(serialize_with = "as_map")]
    inputs: &'o Properties,
    #[serde(skip_serializing_if = "Option::is_none")]
    list_inputs: Option<&'o FunctionObject>,
    #[serde(serialize_with = "as_map")]
    outputs: &'o Properties,
}

/// Serializes by way of a JSON value, which sorts the keys of flattened members in with the others.
struct Sorted<T>(T);

impl<T: Serialize> Serialize for Sorted<T> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serde_json::to_value(&self.0).map_err(serde::ser::Error::custom)?.serialize(serializer)
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct TypeForm<'o> {
    #[serde(skip_serializing_if = "Option::is_none")]
    irreversible_names: Option<&'o BTreeMap<String, String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    properties: Option<AsMap<'o>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    required: Option<&'o Vec<String>>,
    #[serde(rename = "type")]
    kind: &'static str,
}

#[derive(Serialize)]
struct FunctionForm<'o> {
    cf: &'o str,
    ids: &'o [String],
}

#[derive(Serialize)]
struct Document<'o> {
    functions: BTreeMap<&'o str, FunctionForm<'o>>,
    resources: BTreeMap<&'o str, Sorted<ResourceForm<'o>>>,
    types: BTreeMap<&'o str, TypeForm<'o>>,
}

/// The runtime metadata of a whole run as JSON text on one line, keys sorted.
///
/// # Errors
///
/// Those of the JSON writer, which this data does not provoke.
pub fn metadata_json(output: &Output) -> serde_json::Result<Vec<u8>> {
    let references = crate::data::references();
    let mut document = Document { functions: BTreeMap::new(), resources: BTreeMap::new(), types: BTreeMap::new() };
    for (token, facts) in &output.runtime {
        let Some(spec) = output.package.resources.get(token) else { continue };
        document.resources.insert(
            token,
            Sorted(ResourceForm {
                facts,
                cf_ref: references.get(&facts.cfn_type),
                inputs: &spec.inputs,
                list_inputs: spec.list_inputs.as_ref(),
                outputs: &spec.properties,
            }),
        );
    }
    for resource in &output.resources {
        if let Some(getter) = &resource.getter {
            document.functions.insert(&getter.token, FunctionForm { cf: &resource.cfn_type, ids: &getter.ids });
        }
    }
    for (token, definition) in &output.package.types {
        // Of the hand-written types, only the tags concern the conversion of values.
        let shared = &**token == TAG || &**token == CREATE_ONLY_TAG;
        if !shared && (token.starts_with("aws-native:index:") || token.starts_with("aws-native:config:")) {
            continue;
        }
        let form = match definition {
            TypeDefinition::Object(object) => TypeForm {
                irreversible_names: Some(&object.irreversible).filter(|names| !names.is_empty()),
                properties: Some(&object.properties).filter(|properties| !properties.is_empty()).map(AsMap),
                required: Some(&object.required).filter(|required| !required.is_empty() && !shared),
                kind: "object",
            },
            TypeDefinition::Enum(_) => {
                TypeForm { irreversible_names: None, properties: None, required: None, kind: "string" }
            }
        };
        document.types.insert(token, form);
    }
    serde_json::to_vec(&document)
}
