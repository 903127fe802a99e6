//! Writing typed values.

use std::collections::BTreeMap;
use std::fmt;

use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::Value;

/// Writes the members of an object that have a value.
#[doc(hidden)]
pub struct Writer<'o, M: SerializeMap> {
    map: M,
    other: &'o BTreeMap<String, Value>,
    /// Names in `other` that a member of the struct has written already.
    shadowed: Vec<&'static str>,
    failed: Option<M::Error>,
}

impl<'o, M: SerializeMap> Writer<'o, M> {
    /// Starts an object that ends with `other`.
    #[inline]
    pub fn new<S>(serializer: S, other: &'o BTreeMap<String, Value>) -> Result<Self, S::Error>
    where
        S: Serializer<SerializeMap = M, Ok = M::Ok, Error = M::Error>,
    {
        Ok(Self { map: serializer.serialize_map(None)?, other, shadowed: Vec::new(), failed: None })
    }

    /// Writes a member, if it has a value. What fails first is told at the end.
    #[inline]
    pub fn write<T: Serialize>(&mut self, name: &'static str, member: &Option<T>) {
        if let (Some(value), None) = (member, &self.failed) {
            self.failed = self.map.serialize_entry(name, value).err();
            if self.other.contains_key(name) {
                self.shadowed.push(name);
            }
        }
    }

    /// Writes the other members, less those that the struct itself has a value for.
    #[inline]
    pub fn finish(mut self) -> Result<M::Ok, M::Error> {
        if let Some(error) = self.failed {
            return Err(error);
        }
        for (name, value) in self.other {
            if !self.shadowed.contains(&name.as_str()) {
                self.map.serialize_entry(name, value)?;
            }
        }
        self.map.end()
    }
}

/// `Name {"Member":"value"}`: what has a value, with the names that the service has for it.
#[doc(hidden)]
#[inline]
pub fn debug<T: Serialize>(name: &str, value: &T, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
    let pretty = formatter.alternate();
    let text = if pretty { serde_json::to_string_pretty(value) } else { serde_json::to_string(value) };
    write!(formatter, "{name} {}", text.map_err(|_| fmt::Error)?)
}
