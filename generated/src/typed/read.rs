//! Reading typed values from JSON.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::{Deserialize, Deserializer, Error as _};
use serde_json::{Map, Number, Value};

/// What happens to what the schema does not know.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// It is kept.
    Keep,
    /// It is an error: how the alternatives of a union are told apart.
    Refuse,
}

impl Mode {
    #[doc(hidden)]
    pub fn unknown_value(self, value: String) -> Result<String, Mismatch> {
        match self {
            Mode::Keep => Ok(value),
            Mode::Refuse => Err(Mismatch::new("one of the known values", &Value::String(value))),
        }
    }

    #[doc(hidden)]
    pub fn unknown_arm(self, value: Value) -> Result<Value, Mismatch> {
        match self {
            Mode::Keep => Ok(value),
            Mode::Refuse => Err(Mismatch::new("one of the known alternatives", &value)),
        }
    }
}

/// A type that can be read from a JSON value.
pub trait Read: Sized {
    /// Whether `null` is a value of the type.
    const TAKES_NULL: bool = false;

    /// Reads a value.
    ///
    /// # Errors
    ///
    /// [`Mismatch`] when the value is of another type, or in [`Mode::Refuse`] when the schema does not know it.
    fn read(value: Value, mode: Mode) -> Result<Self, Mismatch>;
}

/// A value that does not have the type of its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mismatch {
    /// JSON pointer to the value; empty for the whole.
    pub pointer: String,
    /// What would be right.
    pub expected: &'static str,
    /// What is there.
    pub found: String,
}

impl Mismatch {
    fn new(expected: &'static str, found: &Value) -> Self {
        let found = match found {
            Value::Null => "null".to_owned(),
            Value::Bool(value) => format!("the boolean {value}"),
            Value::Number(value) => format!("the number {value}"),
            // The text itself may be a secret.
            Value::String(_) => "a string".to_owned(),
            Value::Array(_) => "a list".to_owned(),
            Value::Object(_) => "an object".to_owned(),
        };
        Self { pointer: String::new(), expected, found }
    }

    /// The same, seen from outside the member or element `segment`.
    fn within(mut self, segment: impl fmt::Display) -> Self {
        let segment = segment.to_string().replace('~', "~0").replace('/', "~1");
        self.pointer = format!("/{segment}{}", self.pointer);
        self
    }
}

impl fmt::Display for Mismatch {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.pointer.is_empty() {
            write!(formatter, "{}: ", self.pointer)?;
        }
        write!(formatter, "expected {}, found {}", self.expected, self.found)
    }
}

impl std::error::Error for Mismatch {}

/// `Deserialize` for every typed value.
#[doc(hidden)]
#[inline]
pub fn deserialize<'de, T: Read, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    T::read(Value::deserialize(deserializer)?, Mode::Keep).map_err(D::Error::custom)
}

/// Reads an alternative of a union, if the value fits without a rest.
#[doc(hidden)]
#[inline]
pub fn arm<T: Read>(value: &Value) -> Option<T> {
    T::read(value.clone(), Mode::Refuse).ok()
}

/// The members of an object, taken out one by one.
#[doc(hidden)]
#[derive(Debug)]
pub struct Members {
    rest: Map<String, Value>,
    mode: Mode,
    failed: Option<Mismatch>,
}

impl Members {
    /// The members of `value`, of which the schema knows `names`.
    pub fn new(value: Value, mode: Mode, names: &[&str]) -> Result<Self, Mismatch> {
        let Value::Object(rest) = value else { return Err(Mismatch::new("an object", &value)) };
        if mode == Mode::Refuse
            && let Some((name, value)) = rest.iter().find(|(name, _)| !names.contains(&name.as_str()))
        {
            return Err(Mismatch::new("no such member", value).within(name));
        }
        Ok(Self { rest, mode, failed: None })
    }

    /// Reads the member `name` into `place`, if it is there. What fails first is told at the end, so that generated code
    /// has no way out per member.
    #[inline]
    pub fn read<T: Read>(&mut self, name: &str, place: &mut Option<T>) {
        if let Some(value) = self.take(name, T::TAKES_NULL) {
            match T::read(value, self.mode) {
                Ok(value) => *place = Some(value),
                Err(mismatch) => self.fail(name, mismatch),
            }
        }
    }

    /// The members that nobody took.
    pub fn finish(self) -> Result<BTreeMap<String, Value>, Mismatch> {
        match self.failed {
            Some(failed) => Err(failed),
            None => Ok(self.rest.into_iter().collect()),
        }
    }

    fn take(&mut self, name: &str, takes_null: bool) -> Option<Value> {
        let is_value = |value: &Value| takes_null || !value.is_null();
        if self.rest.get(name).is_some_and(is_value) { self.rest.remove(name) } else { None }
    }

    fn fail(&mut self, name: &str, mismatch: Mismatch) {
        if self.failed.is_none() {
            self.failed = Some(mismatch.within(name));
        }
    }
}

impl Read for Value {
    const TAKES_NULL: bool = true;

    fn read(value: Value, _: Mode) -> Result<Self, Mismatch> {
        Ok(value)
    }
}

impl Read for bool {
    fn read(value: Value, _: Mode) -> Result<Self, Mismatch> {
        value.as_bool().ok_or_else(|| Mismatch::new("a boolean", &value))
    }
}

impl Read for i64 {
    fn read(value: Value, _: Mode) -> Result<Self, Mismatch> {
        value.as_i64().ok_or_else(|| Mismatch::new("a whole number of 64 bits", &value))
    }
}

impl Read for Number {
    fn read(value: Value, _: Mode) -> Result<Self, Mismatch> {
        match value {
            Value::Number(number) => Ok(number),
            other => Err(Mismatch::new("a number", &other)),
        }
    }
}

impl Read for String {
    fn read(value: Value, _: Mode) -> Result<Self, Mismatch> {
        match value {
            Value::String(text) => Ok(text),
            other => Err(Mismatch::new("a string", &other)),
        }
    }
}

impl<T: Read> Read for Box<T> {
    const TAKES_NULL: bool = T::TAKES_NULL;

    fn read(value: Value, mode: Mode) -> Result<Self, Mismatch> {
        T::read(value, mode).map(Box::new)
    }
}

impl<T: Read> Read for Vec<T> {
    fn read(value: Value, mode: Mode) -> Result<Self, Mismatch> {
        let Value::Array(items) = value else { return Err(Mismatch::new("a list", &value)) };
        let items = items.into_iter().enumerate();
        items.map(|(at, item)| T::read(item, mode).map_err(|mismatch| mismatch.within(at))).collect()
    }
}

impl<T: Read> Read for BTreeMap<String, T> {
    fn read(value: Value, mode: Mode) -> Result<Self, Mismatch> {
        let Value::Object(entries) = value else { return Err(Mismatch::new("an object", &value)) };
        let read = |(name, value)| match T::read(value, mode) {
            Ok(value) => Ok((name, value)),
            Err(mismatch) => Err(mismatch.within(name)),
        };
        entries.into_iter().map(read).collect()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

    use super::*;
    use crate::typed::prelude::*;
    use serde_json::json;

    /// A statement that may contain others.
    #[derive(Clone, Default, PartialEq)]
    struct Statement {
        not: Option<Box<Statement>>,
        all: Option<Vec<Statement>>,
        target: Option<Target>,
        mode: Option<Mode2>,
        other: BTreeMap<String, Value>,
    }
    members!(Statement; not = "Not", all = "All", target = "Target", mode = "Mode",);

    /// An alternative with a member that the other one has too.
    #[derive(Clone, Default, PartialEq)]
    struct Named {
        name: Option<String>,
        mode: Option<Mode2>,
        other: BTreeMap<String, Value>,
    }
    members!(Named; name = "Name", mode = "Mode",);

    #[derive(Clone, PartialEq)]
    enum Target {
        Integer(i64),
        Mode(Mode2),
        Named(Named),
        Statement(Box<Statement>),
        List(Vec<bool>),
        Other(Value),
    }
    arms!(Target; Integer, Mode, Named, Statement, List,);

    #[derive(Clone, PartialEq)]
    enum Mode2 {
        On,
        Other(String),
    }
    values!(Mode2; On = "ON",);

    #[test]
    fn the_first_alternative_that_leaves_no_rest_is_read() {
        let named = |name: Option<&str>| Named { name: name.map(str::to_owned), ..Named::default() };
        let statement = |statement: Statement| Target::Statement(Box::new(statement));
        let not = Statement { not: Some(Box::default()), ..Statement::default() };
        for (value, expected) in [
            (json!(5), Target::Integer(5)),
            (json!(5.5), Target::Other(json!(5.5))),
            (json!("ON"), Target::Mode(Mode2::On)),
            (json!("NEW"), Target::Other(json!("NEW"))),
            (json!({}), Target::Named(named(None))),
            (json!({"Name": "a"}), Target::Named(named(Some("a")))),
            (json!({"Name": "a", "New": 1}), Target::Other(json!({"Name": "a", "New": 1}))),
            (json!({"Name": 5}), Target::Other(json!({"Name": 5}))),
            (json!({"Mode": "NEW"}), Target::Other(json!({"Mode": "NEW"}))),
            (json!({"Not": {}}), statement(not)),
            (json!({"Not": {"New": 1}}), Target::Other(json!({"Not": {"New": 1}}))),
            (json!({"Target": "NEW"}), Target::Other(json!({"Target": "NEW"}))),
            (json!([true]), Target::List(vec![true])),
            (json!([null]), Target::Other(json!([null]))),
            (json!(null), Target::Other(Value::Null)),
        ] {
            let target: Target = serde_json::from_value(value.clone()).unwrap();
            assert_eq!(target, expected, "{value}");
            assert_eq!(serde_json::to_value(&target).unwrap(), value);
        }
    }

    #[test]
    fn types_may_contain_themselves() {
        for depth in [0, 1, 100] {
            let mut value = json!({"Mode": "NEW", "New": [{}]});
            for _ in 0..depth {
                value = json!({"Not": value, "All": [{}], "Target": {"Not": {"Mode": "ON"}}});
            }
            let statement: Statement = serde_json::from_value(value.clone()).unwrap();
            assert_eq!(serde_json::to_value(&statement).unwrap(), value);
        }
    }

    #[test]
    fn alternatives_are_told_apart_level_by_level() {
        // Every level has two alternatives; trying both at each would take until the end of time.
        let mut value = json!("NEW");
        for _ in 0..60 {
            value = json!({"Target": value});
        }
        let target: Target = serde_json::from_value(value.clone()).unwrap();
        assert_eq!(target, Target::Other(value));
    }

    #[test]
    fn a_place_is_a_json_pointer() {
        let read = |value| serde_json::from_value::<Statement>(value).unwrap_err().to_string();
        assert_eq!(
            read(json!({"All": [{}, {"Not": {"Mode": 1}}]})),
            "/All/1/Not/Mode: expected a string, found the number 1"
        );
        let map = <BTreeMap<String, bool>>::read(json!({"a/b~c": null}), Mode::Keep).unwrap_err();
        assert_eq!(map.to_string(), "/a~1b~0c: expected a boolean, found null");
    }
}
