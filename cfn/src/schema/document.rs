//! A schema document from its text: JSON, and the keys that stand in it twice, which a JSON value no longer shows.

use super::Fault;
use crate::error::SchemaError;
use crate::location::escape_token;
use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};
use std::fmt;

/// What some editors put in front of a text in UTF-8. It is passed over.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Reads a document. Of a key that stands twice in an object the last one counts, as for every other reader of such
/// documents, and a fault says so.
///
/// # Errors
///
/// [`SchemaError::NotJson`], and [`SchemaError::TooDeep`] where lists and objects nest deeper than the JSON reader goes.
pub fn document(text: &[u8]) -> Result<(Value, Vec<Fault>), SchemaError> {
    let mut faults = Vec::new();
    let mut deserializer = serde_json::Deserializer::from_slice(text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text));
    let reader = Reader { place: &Place::Root, faults: &mut faults };
    let read = reader.deserialize(&mut deserializer).and_then(|value| deserializer.end().map(|()| value));
    match read {
        Ok(value) => Ok((value, faults)),
        // The reader has no other sign of it.
        Err(error) if error.to_string().starts_with("recursion limit exceeded") => {
            Err(SchemaError::TooDeep { line: error.line(), column: error.column() })
        }
        Err(source) => Err(SchemaError::NotJson { source }),
    }
}

/// A place in the document, known by the way to it.
enum Place<'p> {
    Root,
    Key(&'p Place<'p>, &'p str),
    Index(&'p Place<'p>, usize),
}

impl Place<'_> {
    fn pointer(&self) -> String {
        match self {
            Place::Root => "#".to_owned(),
            Place::Key(parent, key) => format!("{}/{}", parent.pointer(), escape_token(key)),
            Place::Index(parent, index) => format!("{}/{index}", parent.pointer()),
        }
    }
}

/// Reads the value at a place.
struct Reader<'p, 'f> {
    place: &'p Place<'p>,
    faults: &'f mut Vec<Fault>,
}

impl<'de> DeserializeSeed<'de> for Reader<'_, '_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Reader<'_, '_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any JSON value")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::Number(value.into()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(Value::Number(value.into()))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(Number::from_f64(value).map_or(Value::Null, Value::Number))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::String(value.to_owned()))
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(Value::String(value))
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<Value, A::Error> {
        let mut read = Vec::new();
        loop {
            let place = Place::Index(self.place, read.len());
            match elements.next_element_seed(Reader { place: &place, faults: &mut *self.faults })? {
                Some(element) => read.push(element),
                None => return Ok(Value::Array(read)),
            }
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
        let mut read = Map::new();
        while let Some(key) = members.next_key::<String>()? {
            let place = Place::Key(self.place, &key);
            if read.contains_key(&key) {
                let what = "stands more than once in its object, and the last one counts; remove the others at the \
                            schema's source";
                self.faults.push(Fault { pointer: place.pointer(), what: what.to_owned() });
            }
            let value = members.next_value_seed(Reader { place: &place, faults: &mut *self.faults })?;
            read.insert(key, value);
        }
        Ok(Value::Object(read))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

    use super::*;

    #[test]
    fn documents_are_what_any_json_reader_makes_of_them() {
        for text in [
            "null",
            " [1, -2, 3.5, 1e400, 18446744073709551615, true, \"a\\u0041\\n\"]".replace("1e400", "1e40").as_str(),
            r#"{"b": {"a": [{}, []]}, "a": "x"}"#,
        ] {
            let (value, faults) = document(text.as_bytes()).unwrap();
            assert_eq!(value, serde_json::from_str::<Value>(text).unwrap());
            assert_eq!(faults, []);
        }
        assert_eq!(document(b"\xef\xbb\xbf{}").unwrap().0, serde_json::json!({}));
    }

    #[test]
    fn keys_that_stand_twice_are_named() {
        let text = r#"{"a": {"x/y": 1, "x/y": 2}, "b": [0, {"c": 1, "d": 2, "c": 3}], "a": {"x/y": 4}}"#;
        let (value, faults) = document(text.as_bytes()).unwrap();
        assert_eq!(value, serde_json::json!({"a": {"x/y": 4}, "b": [0, {"c": 3, "d": 2}]}));
        let pointers: Vec<&str> = faults.iter().map(|fault| fault.pointer.as_str()).collect();
        assert_eq!(pointers, ["#/a/x~1y", "#/b/1/c", "#/a"]);
    }

    #[test]
    fn what_is_no_document_is_said() {
        let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
        for (text, expected) in [
            (deep.as_bytes(), "the schema nests deeper than 127 levels at line 1 column 128; published ones reach 13"),
            (b"{", "the schema is no JSON: EOF while parsing an object at line 1 column 1"),
            (b"{} {}", "the schema is no JSON: trailing characters at line 1 column 4"),
            (b"\xff\xfe{}", "the schema is no JSON: expected value at line 1 column 1"),
        ] {
            assert_eq!(document(text).unwrap_err().to_string(), expected);
        }
    }
}
