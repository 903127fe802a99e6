//! The property value.

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::{Archive, Asset, Output, Reference, Unknown};

/// The members of an object, or the properties of a resource.
pub type Map = BTreeMap<String, Value>;

/// A property value.
///
/// `==` is strict: kinds, keys and contents must be the same. The equality of the resource model, in which an absent
/// member equals a null, is [`crate::equality::equal`].
///
/// `Debug` output never holds what is secret.
#[derive(Clone, PartialEq, Default)]
pub enum Value {
    /// No value.
    #[default]
    Null,
    /// A bool.
    Bool(bool),
    /// A number; whole numbers are exact up to 2^53.
    Number(f64),
    /// Text.
    String(String),
    /// A list.
    Array(Vec<Value>),
    /// Members by name.
    Object(Map),
    /// A file.
    Asset(Box<Asset>),
    /// A tree of files.
    Archive(Box<Archive>),
    /// A value that is not known yet.
    Unknown(Unknown),
    /// A value that must be neither shown nor stored in clear; build it with [`Value::secret`].
    Secret(Box<Value>),
    /// An output value.
    Output(Box<Output>),
    /// A reference to another resource.
    Reference(Box<Reference>),
}

impl Value {
    /// Marks a value secret. A value that is secret already stays as it is, so that layers never pile up.
    pub fn secret(value: impl Into<Self>) -> Self {
        match value.into() {
            secret @ Self::Secret(_) => secret,
            plain => Self::Secret(Box::new(plain)),
        }
    }

    /// An object of the given members; of members with the same name the last one stays.
    pub fn object<K: Into<String>>(members: impl IntoIterator<Item = (K, Self)>) -> Self {
        members.into_iter().collect()
    }

    /// Whether this is [`Value::Null`].
    pub fn is_null(&self) -> bool {
        matches!(self, Self::Null)
    }

    /// Whether the value itself is marked secret.
    pub fn is_secret(&self) -> bool {
        match self {
            Self::Secret(_) => true,
            Self::Output(output) => output.secret,
            _ => false,
        }
    }

    /// Whether the value itself is unknown, in either form. A secret unknown is a secret: look at [`Value::unsecret`].
    pub fn is_unknown(&self) -> bool {
        match self {
            Self::Unknown(_) => true,
            Self::Output(output) => output.value.is_none(),
            _ => false,
        }
    }

    /// The value below every layer of secrecy.
    pub fn unsecret(&self) -> &Self {
        let mut value = self;
        while let Self::Secret(inner) = value {
            value = inner;
        }
        value
    }

    /// The value below every layer of secrecy, by value.
    pub fn into_unsecret(self) -> Self {
        let mut value = self;
        while let Self::Secret(inner) = value {
            value = *inner;
        }
        value
    }

    /// Whether anything in the value, at any depth, is secret.
    pub fn contains_secret(&self) -> bool {
        self.any(&|value| value.is_secret())
    }

    /// Whether anything in the value, at any depth and also inside secrets, is unknown.
    pub fn contains_unknown(&self) -> bool {
        self.any(&|value| value.is_unknown())
    }

    /// Whether `test` holds for this value or for any value inside it.
    pub fn any(&self, test: &impl Fn(&Self) -> bool) -> bool {
        test(self)
            || match self {
                Self::Array(items) => items.iter().any(|item| item.any(test)),
                Self::Object(members) => members.values().any(|member| member.any(test)),
                Self::Secret(inner) => inner.any(test),
                Self::Output(output) => output.value.as_ref().is_some_and(|value| value.any(test)),
                Self::Reference(reference) => reference.id.as_ref().is_some_and(|id| id.any(test)),
                Self::Null
                | Self::Bool(_)
                | Self::Number(_)
                | Self::String(_)
                | Self::Asset(_)
                | Self::Archive(_)
                | Self::Unknown(_) => false,
            }
    }

    /// Gives every value directly inside an array, an object or a secret to `change`.
    ///
    /// Outputs and references are left alone: the wire layer flattens them before anything is changed.
    pub fn each_child_mut(&mut self, change: impl FnMut(&mut Self)) {
        match self {
            Self::Array(items) => items.iter_mut().for_each(change),
            Self::Object(members) => members.values_mut().for_each(change),
            Self::Secret(inner) => std::iter::once(&mut **inner).for_each(change),
            Self::Null
            | Self::Bool(_)
            | Self::Number(_)
            | Self::String(_)
            | Self::Asset(_)
            | Self::Archive(_)
            | Self::Unknown(_)
            | Self::Output(_)
            | Self::Reference(_) => {}
        }
    }

    /// The name of the kind as messages to users spell it: `string`, `number`, `bool`, `[]`, `object`, `null`, `asset`,
    /// `archive`, `output<string>` for an unknown (by its kind), `secret<…>` and `resourceReference`.
    pub fn type_name(&self) -> Cow<'static, str> {
        match self {
            Self::Null => "null".into(),
            Self::Bool(_) => "bool".into(),
            Self::Number(_) => "number".into(),
            Self::String(_) => "string".into(),
            Self::Array(_) => "[]".into(),
            Self::Object(_) => "object".into(),
            Self::Asset(_) => "asset".into(),
            Self::Archive(_) => "archive".into(),
            Self::Unknown(unknown) => unknown.type_name().into(),
            Self::Secret(inner) => format!("secret<{}>", inner.unsecret().type_name()).into(),
            Self::Output(output) => match &output.value {
                None => Unknown::default().type_name().into(),
                Some(value) => format!("output<{}>", value.type_name()).into(),
            },
            Self::Reference(_) => "resourceReference".into(),
        }
    }
}

/// Accessors by kind. None of them looks through a secret.
impl Value {
    /// The bool, if this is one.
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Self::Bool(value) => Some(*value),
            _ => None,
        }
    }

    /// The number, if this is one.
    pub fn as_number(&self) -> Option<f64> {
        match self {
            Self::Number(value) => Some(*value),
            _ => None,
        }
    }

    /// The text, if this is a string.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::String(value) => Some(value),
            _ => None,
        }
    }

    /// The items, if this is an array.
    pub fn as_array(&self) -> Option<&[Self]> {
        match self {
            Self::Array(items) => Some(items),
            _ => None,
        }
    }

    /// The members, if this is an object.
    pub fn as_object(&self) -> Option<&Map> {
        match self {
            Self::Object(members) => Some(members),
            _ => None,
        }
    }

    /// The members, if this is an object.
    pub fn as_object_mut(&mut self) -> Option<&mut Map> {
        match self {
            Self::Object(members) => Some(members),
            _ => None,
        }
    }

    /// The member `key`, if this is an object that has it.
    pub fn get(&self, key: &str) -> Option<&Self> {
        self.as_object()?.get(key)
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Self {
        Self::Bool(value)
    }
}

impl From<f64> for Value {
    fn from(value: f64) -> Self {
        Self::Number(value)
    }
}

impl From<i32> for Value {
    fn from(value: i32) -> Self {
        Self::Number(value.into())
    }
}

impl From<u32> for Value {
    fn from(value: u32) -> Self {
        Self::Number(value.into())
    }
}

impl From<String> for Value {
    fn from(value: String) -> Self {
        Self::String(value)
    }
}

impl From<&str> for Value {
    fn from(value: &str) -> Self {
        Self::String(value.to_owned())
    }
}

impl From<Vec<Value>> for Value {
    fn from(items: Vec<Self>) -> Self {
        Self::Array(items)
    }
}

impl From<Map> for Value {
    fn from(members: Map) -> Self {
        Self::Object(members)
    }
}

impl From<Unknown> for Value {
    fn from(unknown: Unknown) -> Self {
        Self::Unknown(unknown)
    }
}

impl From<Asset> for Value {
    fn from(asset: Asset) -> Self {
        Self::Asset(Box::new(asset))
    }
}

impl From<Archive> for Value {
    fn from(archive: Archive) -> Self {
        Self::Archive(Box::new(archive))
    }
}

impl FromIterator<Value> for Value {
    fn from_iter<I: IntoIterator<Item = Self>>(items: I) -> Self {
        Self::Array(items.into_iter().collect())
    }
}

impl<K: Into<String>> FromIterator<(K, Value)> for Value {
    fn from_iter<I: IntoIterator<Item = (K, Self)>>(members: I) -> Self {
        Self::Object(members.into_iter().map(|(key, value)| (key.into(), value)).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_never_nest() {
        let secret = Value::secret(Value::secret("x"));
        assert_eq!(secret, Value::Secret(Box::new("x".into())));
        assert_eq!(secret.unsecret(), &Value::from("x"));
        assert_eq!(Value::Secret(Box::new(secret)).into_unsecret(), Value::from("x"));
    }

    #[test]
    fn type_names() {
        check(&Value::Null, "null");
        check(&true.into(), "bool");
        check(&1.into(), "number");
        check(&"x".into(), "string");
        check(&vec![Value::Null].into(), "[]");
        check(&Map::new().into(), "object");
        check(&Unknown::String.into(), "output<string>");
        check(&Unknown::Array.into(), "output<[]>");
        check(&Value::secret(1), "secret<number>");
        check(&Value::Secret(Box::new(Value::secret("x"))), "secret<string>");
        check(&Value::Output(Box::default()), "output<string>");
        check(&Asset::text("x").into(), "asset");

        #[track_caller]
        fn check(value: &Value, expected: &str) {
            assert_eq!(value.type_name(), expected);
        }
    }

    #[test]
    fn contents_are_searched_at_any_depth() {
        let nested = |inner: Value| Value::object([("a", vec![Value::object([("b", inner)])].into())]);
        assert!(nested(Value::secret("x")).contains_secret());
        assert!(!nested("x".into()).contains_secret());
        assert!(nested(Value::secret(Unknown::Bool)).contains_unknown());
        assert!(!nested(Value::secret("x")).contains_unknown());
        let secret_output = Output { value: Some("x".into()), secret: true, dependencies: Vec::new() };
        assert!(nested(Value::Output(Box::new(secret_output))).contains_secret());
    }
}
