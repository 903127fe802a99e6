//! The root of a resource type schema.

use super::lists::{array, flag, kind, object, text, texts};
use super::node::Node;
use super::node_map::NodeMap;
use super::{pointers, read};
use crate::error::SchemaError;
use crate::location::At;
use crate::path::PropertyPath;
use crate::type_name::TypeName;
use serde_json::{Map, Value};

/// Keywords of the root that say which properties belong together.
const RULES: &[&str] = &[
    "allOf",
    "anyOf",
    "dependentRequired",
    "maxProperties",
    "minProperties",
    "not",
    "oneOf",
    "requiredOr",
    "requiredXor",
];

/// How many characters of a value that is no type name a message shows.
const SHOWN: usize = 210;

/// The schema of one resource type.
#[derive(Debug, Clone, PartialEq)]
pub struct ResourceSchema {
    /// `typeName`
    pub type_name: TypeName,
    /// `description`
    pub description: Option<String>,
    /// `properties`: the top-level properties by CloudFormation name.
    pub properties: NodeMap,
    /// `definitions`
    pub definitions: NodeMap,
    /// `required`
    pub required: Vec<String>,
    /// What else the root says about which properties belong together: alternatives, groups, numbers of properties. It
    /// bounds values and gives no property its type, so what cannot be read of it is left out.
    pub rules: Box<Node>,
    /// `readOnlyProperties`: set by the service.
    pub read_only: Vec<PropertyPath>,
    /// `writeOnlyProperties`: accepted, never returned.
    pub write_only: Vec<PropertyPath>,
    /// `createOnlyProperties`: accepted at creation only.
    pub create_only: Vec<PropertyPath>,
    /// `conditionalCreateOnlyProperties`: updatable under conditions that the schema does not state.
    pub conditional_create_only: Vec<PropertyPath>,
    /// `deprecatedProperties`
    pub deprecated: Vec<PropertyPath>,
    /// `primaryIdentifier`, in the order of the identifier's parts.
    pub primary_identifier: Vec<PropertyPath>,
    /// `additionalIdentifiers`: other sets of properties that identify a resource.
    pub additional_identifiers: Vec<Vec<PropertyPath>>,
    /// `handlers`
    pub handlers: Handlers,
    /// `tagging`, or what the older root keyword `taggable` says.
    pub tagging: Option<Tagging>,
    /// `propertyTransform`: pointer and JSONata text as written, in ascending order of pointer; entries that are no
    /// text are left out.
    pub property_transforms: Vec<(String, String)>,
    /// `replacementStrategy`
    pub replacement_strategy: Option<ReplacementStrategy>,
}

/// What the service can do with resources of the type; `None` = the operation is not offered.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Handlers {
    /// `create`
    pub create: Option<Handler>,
    /// `read`
    pub read: Option<Handler>,
    /// `update`
    pub update: Option<Handler>,
    /// `delete`
    pub delete: Option<Handler>,
    /// `list`
    pub list: Option<Handler>,
}

impl Handlers {
    /// Whether resources of the type can be made, read and removed, which is what a Pulumi resource needs.
    pub fn is_provisionable(&self) -> bool {
        self.create.is_some() && self.read.is_some() && self.delete.is_some()
    }
}

/// One handler.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Handler {
    /// `permissions`: the IAM actions that it needs.
    pub permissions: Vec<String>,
    /// `timeoutInMinutes`; the service assumes 120 where it is missing.
    pub timeout_minutes: Option<u32>,
    /// `handlerSchema` of a list handler: its inputs, as JSON.
    pub handler_schema: Option<Value>,
}

/// How a type is tagged.
#[derive(Debug, Clone, PartialEq)]
pub struct Tagging {
    /// `taggable`, true where it is missing.
    pub taggable: bool,
    /// `tagProperty` as written, usually `/properties/Tags`.
    pub tag_property: Option<String>,
    /// `tagOnCreate`, true where it is missing.
    pub tag_on_create: bool,
    /// `tagUpdatable`, true where it is missing.
    pub tag_updatable: bool,
    /// `cloudFormationSystemTags`, true where it is missing.
    pub cloudformation_system_tags: bool,
}

/// The order of a replacement, where a schema demands one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReplacementStrategy {
    /// `create_then_delete`
    CreateThenDelete,
    /// `delete_then_create`
    DeleteThenCreate,
}

impl ResourceSchema {
    /// Reads a schema from its text.
    ///
    /// # Errors
    ///
    /// Those of [`ResourceSchema::from_value`] and of [`super::document()`].
    pub fn from_slice(text: &[u8]) -> Result<ResourceSchema, SchemaError> {
        ResourceSchema::from_value(super::document(text)?.0)
    }

    /// Reads a schema from a document without giving the document up; see [`ResourceSchema::from_value`].
    ///
    /// # Errors
    ///
    /// Those of [`ResourceSchema::from_value`].
    pub fn parse(document: &Value) -> Result<ResourceSchema, SchemaError> {
        ResourceSchema::from_value(document.clone())
    }

    /// Reads a schema from a document. Texts move from the document into the schema.
    ///
    /// # Errors
    ///
    /// - [`SchemaError::NotAnObject`] and [`SchemaError::TypeName`] when the document is no resource schema at all;
    /// - [`SchemaError::Keyword`] when a keyword that is read has a value of the wrong kind, when `type` names an
    ///   unknown type, or when the document is nested too deeply.
    pub fn from_value(document: Value) -> Result<ResourceSchema, SchemaError> {
        let Value::Object(mut root) = document else {
            return Err(SchemaError::NotAnObject { found: kind(&document) });
        };
        let type_name = type_name(&root)?;
        let owned_name = type_name.as_str().to_owned();
        let at = At::root(&owned_name);
        let mut take = |key: &str| root.remove(key);

        let properties = optional(&at, "properties", &mut take, read::node_map)?;
        let definitions = optional(&at, "definitions", &mut take, read::node_map)?;
        let paths = |key: &'static str, value: Option<Value>| -> Result<Vec<PropertyPath>, SchemaError> {
            let Some(value) = value else { return Ok(Vec::new()) };
            let pointers = texts(&at.key(key), value)?;
            Ok(pointers.into_iter().map(|p| pointers::understand(p, &properties, &definitions)).collect())
        };
        let rules = RULES.iter().filter_map(|key| Some(((*key).to_owned(), take(key)?)));
        let rules = read::node(&at, Value::Object(rules.collect())).unwrap_or_default();
        Ok(ResourceSchema {
            rules: Box::new(rules),
            description: take("description").map(|value| text(&at.key("description"), value)).transpose()?,
            required: optional(&at, "required", &mut take, texts)?,
            read_only: paths("readOnlyProperties", take("readOnlyProperties"))?,
            write_only: paths("writeOnlyProperties", take("writeOnlyProperties"))?,
            create_only: paths("createOnlyProperties", take("createOnlyProperties"))?,
            conditional_create_only: paths("conditionalCreateOnlyProperties", take("conditionalCreateOnlyProperties"))?,
            deprecated: paths("deprecatedProperties", take("deprecatedProperties"))?,
            primary_identifier: paths("primaryIdentifier", take("primaryIdentifier"))?,
            additional_identifiers: match take("additionalIdentifiers") {
                Some(value) => {
                    let sets = array(&at.key("additionalIdentifiers"), value)?;
                    sets.into_iter().map(|set| paths("additionalIdentifiers", Some(set))).collect::<Result<_, _>>()?
                }
                None => Vec::new(),
            },
            handlers: optional(&at, "handlers", &mut take, handlers)?,
            tagging: tagging(&at, take("tagging"), take("taggable"))?,
            property_transforms: optional(&at, "propertyTransform", &mut take, transforms)?,
            replacement_strategy: take("replacementStrategy").as_ref().and_then(Value::as_str).and_then(strategy),
            type_name,
            properties,
            definitions,
        })
    }

    /// The definition that `node` refers to.
    ///
    /// Only root definitions are ever meant; a reference to anything else has no definition.
    pub fn definition_of(&self, node: &Node) -> Option<&Node> {
        self.definitions.get(node.definition()?)
    }

    /// Follows references until a node without one; the node itself when nothing is to be followed.
    ///
    /// `None` when a reference leads nowhere or in a circle.
    pub fn resolve<'a>(&'a self, node: &'a Node) -> Option<&'a Node> {
        let mut node = node;
        // A chain longer than the number of definitions visits one of them twice.
        for _ in 0..=self.definitions.len() {
            if node.reference.is_none() {
                return Some(node);
            }
            node = self.definition_of(node)?;
        }
        None
    }

    /// Reads a pointer as the schema's own lists are read: with dots, missing `*`, `properties` and `items` tokens
    /// understood as far as the properties allow.
    pub fn understand(&self, pointer: &str) -> PropertyPath {
        pointers::understand(pointer.to_owned(), &self.properties, &self.definitions)
    }

    /// All nodes that describe the value at `path`, references followed and union branches included; empty when the
    /// path leads nowhere.
    pub fn nodes_at<'a>(&'a self, path: &PropertyPath) -> Vec<&'a Node> {
        pointers::nodes_at(path.segments(), &self.properties, &self.definitions)
    }
}

fn type_name(root: &Map<String, Value>) -> Result<TypeName, SchemaError> {
    let value = root.get("typeName");
    value.and_then(Value::as_str).and_then(TypeName::parse).ok_or_else(|| SchemaError::TypeName {
        found: match value {
            Some(value) => beginning(&value.to_string(), SHOWN),
            None => "nothing".to_owned(),
        },
    })
}

/// The text, cut with dots when it has more than `most` characters.
fn beginning(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}

fn optional<T: Default>(
    at: &At<'_>,
    key: &str,
    take: &mut impl FnMut(&str) -> Option<Value>,
    read: impl FnOnce(&At<'_>, Value) -> Result<T, SchemaError>,
) -> Result<T, SchemaError> {
    take(key).map_or_else(|| Ok(T::default()), |value| read(&at.key(key), value))
}

fn handlers(at: &At<'_>, value: Value) -> Result<Handlers, SchemaError> {
    let mut members = object(at, value)?;
    let mut take = |key: &str| members.remove(key).map(|value| handler(&at.key(key), value)).transpose();
    Ok(Handlers {
        create: take("create")?,
        read: take("read")?,
        update: take("update")?,
        delete: take("delete")?,
        list: take("list")?,
    })
}

fn handler(at: &At<'_>, value: Value) -> Result<Handler, SchemaError> {
    let mut members = object(at, value)?;
    let timeout = members.get("timeoutInMinutes").and_then(Value::as_u64);
    Ok(Handler {
        permissions: members
            .remove("permissions")
            .map_or_else(|| Ok(Vec::new()), |value| texts(&at.key("permissions"), value))?,
        timeout_minutes: timeout.and_then(|minutes| u32::try_from(minutes).ok()),
        handler_schema: members.remove("handlerSchema"),
    })
}

fn tagging(at: &At<'_>, block: Option<Value>, taggable: Option<Value>) -> Result<Option<Tagging>, SchemaError> {
    if block.is_none() && taggable.is_none() {
        return Ok(None);
    }
    let mut block = block.map_or_else(|| Ok(Map::new()), |value| object(&at.key("tagging"), value))?;
    let at = at.key("tagging");
    let switch = |key: &str, value: Option<Value>| value.map_or(Ok(true), |value| flag(&at.key(key), &value));
    Ok(Some(Tagging {
        taggable: switch("taggable", block.remove("taggable").or(taggable))?,
        tag_on_create: switch("tagOnCreate", block.remove("tagOnCreate"))?,
        tag_updatable: switch("tagUpdatable", block.remove("tagUpdatable"))?,
        cloudformation_system_tags: switch("cloudFormationSystemTags", block.remove("cloudFormationSystemTags"))?,
        tag_property: match block.remove("tagProperty") {
            Some(Value::String(pointer)) => Some(pointer),
            _ => None,
        },
    }))
}

fn transforms(at: &At<'_>, value: Value) -> Result<Vec<(String, String)>, SchemaError> {
    let entries = object(at, value)?.into_iter().filter_map(|(pointer, expression)| match expression {
        Value::String(expression) => Some((pointer, expression)),
        _ => None,
    });
    let mut entries: Vec<_> = entries.collect();
    entries.sort();
    Ok(entries)
}

fn strategy(name: &str) -> Option<ReplacementStrategy> {
    match name {
        "create_then_delete" => Some(ReplacementStrategy::CreateThenDelete),
        "delete_then_create" => Some(ReplacementStrategy::DeleteThenCreate),
        _ => None,
    }
}
