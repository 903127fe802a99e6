//! Ordinary JSON in and out.
//!
//! The plain projection: marks (secret, output) are taken off and unknowns become null. What needs those marks to
//! survive goes through the codec of the crate `protocol` instead.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::Number;

use crate::asset::{Asset, AssetSource};
use crate::path::{PropertyPath, Segment};
use crate::{Error, MAX_DEPTH, Map, Value};

/// The key that marks an object as a special kind of value, on the wire and in the projection of assets.
pub const SIGNATURE_KEY: &str = "4dabf18193072939515e22adb298388d";

/// The signature of an asset.
pub const ASSET_SIGNATURE: &str = "c44067f5952c0a294b673a41bacd8c17";

/// The plain projection of a value: secrets and known outputs are replaced with their contents, unknowns with null.
///
/// Whole numbers are written without a fraction. An asset becomes an object of its signature, hash and source.
///
/// # Errors
///
/// [`Error::NoJsonForm`] for an archive, a resource reference, and a number that is not finite.
pub fn to_json(value: &Value) -> Result<serde_json::Value, Error> {
    project(value).map_err(NoForm::into_error)
}

/// The plain projection of the members of an object; see [`to_json`].
///
/// # Errors
///
/// As [`to_json`].
pub fn map_to_json(members: &Map) -> Result<serde_json::Value, Error> {
    project_members(members).map_err(NoForm::into_error)
}

/// The value of a JSON document. Nothing in it is secret or unknown, whatever the text looks like.
///
/// Whole numbers beyond 2^53 are rounded to the nearest double. The document must not be nested deeper than
/// [`MAX_DEPTH`]; [`parse`] checks that for text.
pub fn from_json(json: &serde_json::Value) -> Value {
    match json {
        serde_json::Value::Null => Value::Null,
        serde_json::Value::Bool(value) => Value::Bool(*value),
        serde_json::Value::Number(value) => Value::Number(value.as_f64().unwrap_or(f64::NAN)),
        serde_json::Value::String(value) => Value::String(value.clone()),
        serde_json::Value::Array(items) => items.iter().map(from_json).collect(),
        serde_json::Value::Object(members) => {
            Value::Object(members.iter().map(|(key, value)| (key.clone(), from_json(value))).collect())
        }
    }
}

/// Reads a JSON document straight into a value; otherwise like [`from_json`].
///
/// # Errors
///
/// [`Error::Json`] when the text is not JSON or is nested deeper than [`MAX_DEPTH`].
pub fn parse(text: &[u8]) -> Result<Value, Error> {
    let to_error = |error: serde_json::Error| Error::Json { reason: error.to_string() };
    let mut reader = serde_json::Deserializer::from_slice(text);
    // The reader's own limit of 128 levels is too low; `Level` applies ours.
    reader.disable_recursion_limit();
    let value = Level { left: MAX_DEPTH }.deserialize(&mut reader).map_err(to_error)?;
    reader.end().map_err(to_error)?;
    Ok(value)
}

/// The JSON number for a double: an integer wherever that is exact, so that `3` is not written as `3.0`.
///
/// Returns `None` for NaN and the infinities, which JSON cannot express.
pub fn number(value: f64) -> Option<Number> {
    // Casts from float to integer saturate, so the limits themselves are left out: 2^63 would come back as 2^63 - 1.
    const LIMIT: f64 = 9_223_372_036_854_775_808.0;
    if value.fract() == 0.0 && value.abs() < LIMIT {
        Some(Number::from(value as i64))
    } else if value.fract() == 0.0 && value > 0.0 && value < 2.0 * LIMIT {
        Some(Number::from(value as u64))
    } else {
        Number::from_f64(value)
    }
}

/// A value without a JSON form; the path is collected from the inside out.
struct NoForm {
    kind: &'static str,
    path: Vec<Segment>,
}

impl NoForm {
    fn at(kind: &'static str) -> Self {
        Self { kind, path: Vec::new() }
    }

    fn under(mut self, segment: Segment) -> Self {
        self.path.push(segment);
        self
    }

    fn into_error(mut self) -> Error {
        self.path.reverse();
        let path = match self.path.is_empty() {
            true => "value".to_owned(),
            false => crate::error::shorten(&PropertyPath::from(self.path).to_string()),
        };
        Error::NoJsonForm { path, kind: self.kind }
    }
}

fn project(value: &Value) -> Result<serde_json::Value, NoForm> {
    Ok(match value {
        Value::Null | Value::Unknown(_) => serde_json::Value::Null,
        Value::Bool(value) => serde_json::Value::Bool(*value),
        Value::Number(value) => {
            serde_json::Value::Number(number(*value).ok_or(NoForm::at("a number that is not finite"))?)
        }
        Value::String(value) => serde_json::Value::String(value.clone()),
        Value::Array(items) => {
            let project_item = |(index, item)| project(item).map_err(|error| error.under(Segment::Index(index)));
            serde_json::Value::Array(items.iter().enumerate().map(project_item).collect::<Result<_, _>>()?)
        }
        Value::Object(members) => project_members(members)?,
        Value::Secret(inner) => project(inner)?,
        Value::Output(output) => match &output.value {
            None => serde_json::Value::Null,
            Some(value) => project(value)?,
        },
        Value::Asset(asset) => project_asset(asset),
        Value::Archive(_) => return Err(NoForm::at("an archive")),
        Value::Reference(_) => return Err(NoForm::at("a resource reference")),
    })
}

fn project_members(members: &Map) -> Result<serde_json::Value, NoForm> {
    let mut object = serde_json::Map::new();
    for (key, value) in members {
        let value = project(value).map_err(|error| error.under(Segment::Key(key.clone())))?;
        object.insert(key.clone(), value);
    }
    Ok(serde_json::Value::Object(object))
}

fn project_asset(asset: &Asset) -> serde_json::Value {
    let mut object = serde_json::Map::new();
    object.insert(SIGNATURE_KEY.into(), ASSET_SIGNATURE.into());
    if let Some(hash) = &asset.hash {
        object.insert("hash".into(), hash.as_str().into());
    }
    match &asset.source {
        AssetSource::Text(text) => object.insert("text".into(), text.as_str().into()),
        AssetSource::Path(path) => object.insert("path".into(), path.as_str().into()),
        AssetSource::Uri(uri) => object.insert("uri".into(), uri.as_str().into()),
        AssetSource::Elided => None,
    };
    serde_json::Value::Object(object)
}

/// Reads one value and hands one level less to the values inside it.
#[derive(Clone, Copy)]
struct Level {
    left: usize,
}

impl Level {
    fn inner<E: serde::de::Error>(self) -> Result<Self, E> {
        match self.left.checked_sub(1) {
            Some(left) => Ok(Self { left }),
            None => Err(E::custom(format_args!("nested deeper than {MAX_DEPTH} levels"))),
        }
    }
}

impl<'de> DeserializeSeed<'de> for Level {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Level {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::Number(value as f64))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(Value::Number(value as f64))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(Value::Number(value))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::String(value.to_owned()))
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(Value::String(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Value, A::Error> {
        let level = self.inner()?;
        let mut items = Vec::new();
        while let Some(item) = access.next_element_seed(level)? {
            items.push(item);
        }
        Ok(Value::Array(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Value, A::Error> {
        let level = self.inner()?;
        let mut members = Map::new();
        while let Some(key) = access.next_key::<String>()? {
            members.insert(key, access.next_value_seed(level)?);
        }
        Ok(Value::Object(members))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
    use serde_json::json;

    use super::*;
    use crate::{Archive, Output, Unknown};

    #[test]
    fn projected() {
        check(
            Value::object([("a", Value::secret(Value::object([("b", 1.into())]))), ("c", Unknown::String.into())]),
            json!({"a": {"b": 1}, "c": null}),
        );
        check(vec![Value::Null, true.into(), "x".into()].into(), json!([null, true, "x"]));
        check(Value::Output(Box::new(Output { value: Some(2.into()), secret: true, ..Output::default() })), json!(2));
        check(Value::Output(Box::default()), json!(null));
        let asset = Asset { hash: Some("h".into()), ..Asset::text("t") };
        check(asset.into(), json!({SIGNATURE_KEY: ASSET_SIGNATURE, "hash": "h", "text": "t"}));

        #[track_caller]
        fn check(value: Value, expected: serde_json::Value) {
            assert_eq!(to_json(&value).unwrap(), expected);
        }
    }

    #[test]
    fn numbers_print_as_people_write_them() {
        check(3.0, "3");
        check(-0.0, "0");
        check(0.5, "0.5");
        check(9_007_199_254_740_992.0, "9007199254740992");
        check(-9_007_199_254_740_993.0, "-9007199254740992");
        check(18_446_744_073_709_549_568.0, "18446744073709549568");
        check(1e300, "1e+300");

        #[track_caller]
        fn check(value: f64, expected: &str) {
            assert_eq!(to_json(&value.into()).unwrap().to_string(), expected);
        }
    }

    #[test]
    fn what_has_no_form_is_named_with_its_path() {
        let value = Value::object([("a", vec![Value::Null, Value::secret(Archive::path("x"))].into())]);
        assert_eq!(to_json(&value).unwrap_err().to_string(), "a[1]: an archive cannot be written as JSON");
        let error = to_json(&f64::NAN.into()).unwrap_err().to_string();
        assert_eq!(error, "value: a number that is not finite cannot be written as JSON");
    }

    #[test]
    fn read_back() {
        let json = json!({"a": [1, 2.5, null, true, "x"], "b": {}});
        let value = from_json(&json);
        assert_eq!(to_json(&value).unwrap(), json);
        assert_eq!(parse(json.to_string().as_bytes()).unwrap(), value);
    }

    #[test]
    fn depth_is_limited_while_reading() {
        let nested = |depth: usize| [vec![b'['; depth], vec![b']'; depth]].concat();
        assert!(parse(&nested(MAX_DEPTH)).is_ok());
        let error = parse(&nested(MAX_DEPTH + 1)).unwrap_err().to_string();
        assert!(error.contains("nested deeper than 512 levels"), "{error}");
        assert!(parse(&vec![b'['; 1_000_000]).is_err());
        assert!(parse(b"1 2").is_err());
    }
}
