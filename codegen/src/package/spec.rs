//! Types of values and properties, with the serialization that keeps their keys sorted.

use super::{Text, Token};
use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};
use serde_json::json;
use std::collections::BTreeMap;

/// The type of a value.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum TypeSpec {
    /// `pulumi.json#/Any`
    Any,
    /// `boolean`
    Boolean,
    /// `integer`
    Integer,
    /// `number`
    Number,
    /// `string`
    String,
    /// A reference to an entry of [`Package::types`](super::Package::types).
    Ref(Token),
    /// The region. It refers to a type that does not exist, which SDK generators read as a plain string; published SDKs
    /// have that string, so pointing at the existing enum would change them.
    Region,
    /// A list.
    Array(Box<TypeSpec>),
    /// A map with string keys.
    Map(Box<TypeSpec>),
    /// One of several types.
    Union(Vec<TypeSpec>),
}

impl TypeSpec {
    /// A list of `items`.
    pub fn array(items: TypeSpec) -> TypeSpec {
        TypeSpec::Array(Box::new(items))
    }

    /// A map of `values`.
    pub fn map(values: TypeSpec) -> TypeSpec {
        TypeSpec::Map(Box::new(values))
    }

    /// The token that the type refers to.
    pub fn token(&self) -> Option<&Token> {
        match self {
            TypeSpec::Ref(token) => Some(token),
            _ => None,
        }
    }

    /// `type`
    fn kind(&self) -> Option<&'static str> {
        match self {
            TypeSpec::Any | TypeSpec::Ref(_) | TypeSpec::Union(_) => None,
            TypeSpec::Boolean => Some("boolean"),
            TypeSpec::Integer => Some("integer"),
            TypeSpec::Number => Some("number"),
            TypeSpec::String | TypeSpec::Region => Some("string"),
            TypeSpec::Array(_) => Some("array"),
            TypeSpec::Map(_) => Some("object"),
        }
    }

    /// Writes the members of the type in ascending order of key, with `before` between `additionalProperties` and
    /// `items`, `between` between `items` and `oneOf`, and `after` between `oneOf` and `type`.
    fn members<M: SerializeMap>(
        &self,
        map: &mut M,
        before: impl FnOnce(&mut M) -> Result<(), M::Error>,
        between: impl FnOnce(&mut M) -> Result<(), M::Error>,
        after: impl FnOnce(&mut M) -> Result<(), M::Error>,
    ) -> Result<(), M::Error> {
        match self {
            TypeSpec::Any => map.serialize_entry("$ref", "pulumi.json#/Any")?,
            TypeSpec::Region => map.serialize_entry("$ref", "#/types/aws-native:index:region")?,
            TypeSpec::Ref(token) => map.serialize_entry("$ref", &format_args!("#/types/{token}"))?,
            TypeSpec::Map(values) => map.serialize_entry("additionalProperties", values)?,
            TypeSpec::Boolean
            | TypeSpec::Integer
            | TypeSpec::Number
            | TypeSpec::String
            | TypeSpec::Array(_)
            | TypeSpec::Union(_) => {}
        }
        before(map)?;
        if let TypeSpec::Array(items) = self {
            map.serialize_entry("items", items)?;
        }
        between(map)?;
        if let TypeSpec::Union(arms) = self {
            map.serialize_entry("oneOf", arms)?;
        }
        after(map)?;
        self.kind().map_or(Ok(()), |kind| map.serialize_entry("type", kind))
    }
}

impl Serialize for TypeSpec {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        self.members(&mut map, |_| Ok(()), |_| Ok(()), |_| Ok(()))?;
        map.end()
    }
}

/// A property of an object type, resource or function.
#[derive(Debug, Clone, PartialEq)]
pub struct PropertySpec {
    /// Type of the value.
    pub ty: TypeSpec,
    /// What the property means.
    pub description: Option<Text>,
    /// What few properties have. Kept apart, since there are 150,000 properties.
    pub extras: Option<Box<Extras>>,
    /// Whether a change needs a replacement.
    pub replace_on_changes: bool,
    /// Whether the value is secret.
    pub secret: bool,
}

/// A default in the package schema; only hand-written properties have one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum DefaultValue {
    /// A boolean.
    Boolean(bool),
    /// A whole number.
    Integer(i64),
}

/// What few properties have.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Extras {
    /// The value that SDKs assume when none is given.
    pub default: Option<DefaultValue>,
    /// Environment variables that SDKs read when none is given, in order of preference.
    pub environment: &'static [&'static str],
    /// Name of the C# property, where the usual one would be that of its class.
    pub csharp_name: Option<String>,
    /// False where Python must not translate the case of keys.
    pub python_map_case: Option<bool>,
}

impl PropertySpec {
    /// A property of that type with nothing else to say about it.
    pub fn new(ty: TypeSpec) -> PropertySpec {
        PropertySpec { ty, description: None, extras: None, replace_on_changes: false, secret: false }
    }

    /// Room for what few properties have.
    pub fn extras_mut(&mut self) -> &mut Extras {
        self.extras.get_or_insert_default()
    }
}

impl Serialize for PropertySpec {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        self.ty.members(
            &mut map,
            |map| self.value_members(map),
            |map| self.extras.as_ref().map_or(Ok(()), |extras| extras.language_members(map)),
            |map| self.flag_members(map),
        )?;
        map.end()
    }
}

impl PropertySpec {
    fn value_members<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        if let Some(extras) = &self.extras {
            extras.value_members(map)?;
        }
        self.description.as_ref().map_or(Ok(()), |description| map.serialize_entry("description", &**description))
    }

    fn flag_members<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        if self.replace_on_changes {
            map.serialize_entry("replaceOnChanges", &true)?;
        }
        if self.secret { map.serialize_entry("secret", &true) } else { Ok(()) }
    }
}

impl Extras {
    fn value_members<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        if let Some(default) = &self.default {
            map.serialize_entry("default", default)?;
        }
        if self.environment.is_empty() {
            return Ok(());
        }
        map.serialize_entry("defaultInfo", &BTreeMap::from([("environment", self.environment)]))
    }

    fn language_members<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        let csharp = self.csharp_name.as_ref().map(|name| ("csharp", json!({"name": name})));
        let python = self.python_map_case.map(|map_case| ("python", json!({"mapCase": map_case})));
        let languages: BTreeMap<_, _> = csharp.into_iter().chain(python).collect();
        if languages.is_empty() { Ok(()) } else { map.serialize_entry("language", &languages) }
    }
}
