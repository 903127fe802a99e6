//! The Pulumi package schema as typed values that serialize with sorted keys and without empty members.
//!
//! Only what this package uses of the public format exists here. How the values come about is in the sibling modules.

mod spec;

pub use spec::{DefaultValue, Extras, PropertySpec, TypeSpec};

use litemap::LiteMap;
use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A token of a type, resource or function, for example `aws-native:s3:Bucket`. Shared, because types are referred to
/// from everywhere.
pub type Token = Arc<str>;

/// A description. Shared, because inputs, outputs and getters repeat it.
pub type Text = Arc<str>;

/// Properties by SDK name.
pub type Properties = LiteMap<String, PropertySpec>;

/// Properties as a JSON object.
pub(crate) struct AsMap<'p>(pub(crate) &'p Properties);

impl Serialize for AsMap<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        as_map(self.0, serializer)
    }
}

/// Properties as a JSON object, for `serialize_with`.
pub(crate) fn as_map<S: Serializer>(properties: &Properties, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(properties)
}

/// An entry of [`Package::types`].
#[derive(Debug, Clone, PartialEq)]
pub enum TypeDefinition {
    /// A class of values.
    Object(ObjectType),
    /// A named list of strings.
    Enum(EnumType),
}

impl Serialize for TypeDefinition {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            TypeDefinition::Object(object) => object.serialize(serializer),
            TypeDefinition::Enum(enumeration) => enumeration.serialize(serializer),
        }
    }
}

/// An object type.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ObjectType {
    /// What the type means.
    pub description: Option<Text>,
    /// Its properties.
    pub properties: Properties,
    /// Names of the required ones, in ascending order.
    pub required: Vec<String>,
    /// SDK name to CloudFormation name where the published runtime metadata says so. Not part of the package schema.
    pub irreversible: BTreeMap<String, String>,
    /// SDK name to CloudFormation name where that is not the SDK name with a capital. Not part of the package schema.
    pub cfn_names: BTreeMap<String, String>,
}

impl Serialize for ObjectType {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        object_members(&mut map, &self.description, &self.properties, &self.required, true)?;
        map.end()
    }
}

fn object_members<M: SerializeMap>(
    map: &mut M,
    description: &Option<Text>,
    properties: &Properties,
    required: &[String],
    typed: bool,
) -> Result<(), M::Error> {
    if let Some(description) = description {
        map.serialize_entry("description", &**description)?;
    }
    if !properties.is_empty() {
        map.serialize_entry("properties", &AsMap(properties))?;
    }
    if !required.is_empty() {
        map.serialize_entry("required", required)?;
    }
    if typed {
        map.serialize_entry("type", "object")?;
    }
    Ok(())
}

/// An enum type over strings.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct EnumType {
    /// What the type means.
    pub description: Option<Text>,
    /// The values in schema order.
    pub values: Vec<EnumValue>,
}

impl Serialize for EnumType {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        if let Some(description) = &self.description {
            map.serialize_entry("description", &**description)?;
        }
        map.serialize_entry("enum", &self.values)?;
        map.serialize_entry("type", "string")?;
        map.end()
    }
}

/// A value of an enum type.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct EnumValue {
    /// What the value means.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The name in SDKs; empty = SDKs derive one from the value.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// The value.
    pub value: String,
}

/// A resource, or the provider.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ResourceSpec {
    /// What the resource is.
    pub description: Option<Text>,
    /// What programs set.
    pub inputs: Properties,
    /// Names of the inputs that programs must set.
    pub required_inputs: Vec<String>,
    /// Inputs of listing, for types that can be listed.
    pub list_inputs: Option<FunctionObject>,
    /// What programs can read.
    pub properties: Properties,
    /// Names of the outputs that always have a value.
    pub required: Vec<String>,
    /// Whether to say `type: object`, which resources made from schemas do.
    pub typed: bool,
}

impl Serialize for ResourceSpec {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        if let Some(description) = &self.description {
            map.serialize_entry("description", &**description)?;
        }
        if !self.inputs.is_empty() {
            map.serialize_entry("inputProperties", &AsMap(&self.inputs))?;
        }
        if let Some(list_inputs) = &self.list_inputs {
            map.serialize_entry("listInputs", list_inputs)?;
        }
        if !self.properties.is_empty() {
            map.serialize_entry("properties", &AsMap(&self.properties))?;
        }
        if !self.required.is_empty() {
            map.serialize_entry("required", &self.required)?;
        }
        if !self.required_inputs.is_empty() {
            map.serialize_entry("requiredInputs", &self.required_inputs)?;
        }
        if self.typed {
            map.serialize_entry("type", "object")?;
        }
        map.end()
    }
}

/// The inputs or outputs of a function, or the inputs of listing.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct FunctionObject {
    /// The members.
    pub properties: Properties,
    /// Names of the required ones; for functions in the order of the identifier's parts.
    pub required: Vec<String>,
    /// Whether to say `type: object`, which list inputs do and functions do not.
    pub typed: bool,
}

impl Serialize for FunctionObject {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        object_members(&mut map, &None, &self.properties, &self.required, self.typed)?;
        map.end()
    }
}

/// A function.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct FunctionSpec {
    /// What the function answers.
    pub description: Option<Text>,
    /// Its arguments; `None` = it takes none.
    pub inputs: Option<FunctionObject>,
    /// Its result.
    pub outputs: FunctionObject,
}

impl Serialize for FunctionSpec {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        if let Some(description) = &self.description {
            map.serialize_entry("description", &**description)?;
        }
        if let Some(inputs) = &self.inputs {
            map.serialize_entry("inputs", inputs)?;
        }
        map.serialize_entry("outputs", &self.outputs)?;
        map.end()
    }
}

/// The configuration variables of the package.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Config {
    /// Names of the required variables. The public format's name for them is `defaults`.
    pub defaults: Vec<String>,
    /// The variables.
    #[serde(serialize_with = "as_map")]
    pub variables: Properties,
}

/// The whole package schema, without a version.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Package {
    /// Configuration variables.
    pub config: Config,
    /// What the package is.
    pub description: &'static str,
    /// The package's name for people.
    pub display_name: &'static str,
    /// Functions by token.
    pub functions: BTreeMap<String, FunctionSpec>,
    /// Where the package lives.
    pub homepage: &'static str,
    /// How the registry files the package.
    pub keywords: &'static [&'static str],
    /// Settings of the SDK generators.
    pub language: serde_json::Value,
    /// SPDX identifier.
    pub license: &'static str,
    /// The package's name.
    pub name: &'static str,
    /// The provider.
    pub provider: ResourceSpec,
    /// Who publishes the package.
    pub publisher: &'static str,
    /// Where the package's source is.
    pub repository: &'static str,
    /// Resources by token.
    pub resources: BTreeMap<String, ResourceSpec>,
    /// Types by token.
    #[serde(serialize_with = "types_by_token")]
    pub types: BTreeMap<Token, TypeDefinition>,
}

fn types_by_token<S: Serializer>(types: &BTreeMap<Token, TypeDefinition>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(types.iter().map(|(token, definition)| (&**token, definition)))
}
