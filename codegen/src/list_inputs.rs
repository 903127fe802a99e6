//! What listing resources of a type asks for.

use crate::package::{FunctionObject, PropertySpec, TypeSpec};
use crate::text;
use cfn::naming::{to_cfn, to_sdk};
use cfn::schema::Handler;
use cfn::{Node, ResourceSchema};
use serde::Serialize;
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// The inputs of a list handler by CloudFormation name, as the published runtime metadata has them.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct ListHandlerSchema {
    /// The inputs.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub properties: BTreeMap<String, ListProperty>,
    /// Names of the required ones, in schema order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub required: Vec<String>,
}

/// One input of a list handler.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct ListProperty {
    /// What it means.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Its JSON type, where one is known.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    pub ty: Option<String>,
}

impl ListProperty {
    fn is_unknown(&self) -> bool {
        self.description.is_none() && self.ty.is_none()
    }
}

/// Reads the handler's schema; `None` when it asks for nothing.
pub(crate) fn handler_schema(schema: &ResourceSchema, handler: &Handler) -> Option<ListHandlerSchema> {
    let raw = handler.handler_schema.as_ref()?.as_object()?;
    let required: Vec<String> = raw
        .get("required")
        .and_then(Value::as_array)
        .map_or_else(Vec::new, |names| names.iter().filter_map(Value::as_str).map(str::to_owned).collect());
    let mut properties = BTreeMap::new();
    for (name, member) in raw.get("properties").and_then(Value::as_object).into_iter().flatten() {
        let Some(member) = member.as_object() else { continue };
        let reference = member.get("$ref").and_then(Value::as_str);
        let mut property = stated(member);
        if property.is_unknown() {
            // A member that says nothing about itself is the resource's property of that name.
            let node = reference.map_or_else(|| schema.properties.get(name), |reference| target(schema, reference));
            property = node.map(|node| described(schema, node)).unwrap_or_default();
        }
        let key = reference
            .and_then(|reference| reference.strip_prefix("resource-schema.json#/properties/"))
            .filter(|target| *target != name && required.iter().any(|name| name == target))
            .unwrap_or(name);
        properties.insert(key.to_owned(), property);
    }
    for name in &required {
        if !properties.contains_key(name) {
            let node = schema.properties.get(name);
            properties.insert(name.clone(), node.map(|node| described(schema, node)).unwrap_or_default());
        }
    }
    (!properties.is_empty()).then_some(ListHandlerSchema { properties, required })
}

fn stated(member: &Map<String, Value>) -> ListProperty {
    let text = |key: &str| member.get(key).and_then(Value::as_str).filter(|text| !text.is_empty()).map(str::to_owned);
    ListProperty { description: text("description"), ty: text("type") }
}

/// What a reference inside a handler schema points to: a top-level property or a root definition.
fn target<'a>(schema: &'a ResourceSchema, reference: &str) -> Option<&'a Node> {
    if let Some((_, name)) = reference.split_once("/properties/") {
        return schema.properties.get(name);
    }
    let (_, name) = reference.split_once("/definitions/")?;
    schema.definitions.get(name)
}

fn described(schema: &ResourceSchema, node: &Node) -> ListProperty {
    let Some(node) = schema.resolve(node) else { return ListProperty::default() };
    ListProperty {
        description: node.description.as_deref().filter(|text| !text.is_empty()).map(|t| text::clean(t).into_owned()),
        ty: node.completed_types().first().map(|ty| ty.as_str().to_owned()),
    }
}

/// The list inputs of the package schema.
pub(crate) fn package_form(handler: Option<&ListHandlerSchema>) -> FunctionObject {
    let mut inputs = FunctionObject { typed: true, ..FunctionObject::default() };
    let Some(handler) = handler else { return inputs };
    for (cfn_name, property) in &handler.properties {
        let mut spec = PropertySpec::new(match property.ty.as_deref() {
            Some("string") => TypeSpec::String,
            Some("integer") => TypeSpec::Integer,
            Some("number") => TypeSpec::Number,
            Some("boolean") => TypeSpec::Boolean,
            Some("array") => TypeSpec::array(TypeSpec::Any),
            Some(_) | None => TypeSpec::Any,
        });
        spec.description = text::shared(property.description.as_deref());
        inputs.properties.insert(to_sdk(cfn_name), spec);
    }
    inputs.required = handler.required.iter().map(|name| to_sdk(name)).collect();
    inputs.required.sort_unstable();
    inputs
}

/// SDK names of list inputs whose CloudFormation name does not follow from them.
pub(crate) fn irreversible(handler: &ListHandlerSchema) -> BTreeMap<String, String> {
    let names = handler.properties.keys().map(|cfn_name| (to_sdk(cfn_name), cfn_name));
    names.filter(|(sdk, cfn_name)| to_cfn(sdk) != **cfn_name).map(|(sdk, cfn_name)| (sdk, cfn_name.clone())).collect()
}
