//! What expressions come to while they are evaluated.

use super::expression::{Expression, Lambda};
use serde_json::Value;
use std::rc::Rc;

/// A value, or why there is none.
pub(super) type Evaluated<'e> = Result<Held<'e>, String>;

/// A value of an expression.
#[derive(Clone)]
pub(super) enum Held<'e> {
    Nothing,
    Data(Rc<Value>),
    Function(Rc<Function<'e>>),
}

/// Something that can be applied.
pub(super) enum Function<'e> {
    BuiltIn(&'e str),
    /// With the frame and the input that it was made in.
    Lambda(&'e Lambda, usize, Held<'e>),
    Change(&'e Expression, &'e Expression, usize),
}

impl From<Value> for Held<'_> {
    fn from(value: Value) -> Self {
        Held::Data(Rc::new(value))
    }
}

impl<'e> Held<'e> {
    pub(super) fn data(&self) -> Option<&Value> {
        match self {
            Held::Data(value) => Some(value),
            Held::Nothing | Held::Function(_) => None,
        }
    }

    /// The elements of an array; anything else is its own only element.
    pub(super) fn items(&self) -> Vec<Held<'e>> {
        match self {
            Held::Nothing => Vec::new(),
            Held::Data(value) => match &**value {
                Value::Array(items) => items.iter().cloned().map(Held::from).collect(),
                _ => vec![self.clone()],
            },
            Held::Function(_) => vec![self.clone()],
        }
    }

    pub(super) fn is_array(&self) -> bool {
        self.data().is_some_and(Value::is_array)
    }

    /// Whether the value counts as true.
    pub(super) fn is_true(&self) -> bool {
        fn is_true(value: &Value) -> bool {
            match value {
                Value::Null => false,
                Value::Bool(flag) => *flag,
                Value::Number(number) => number.as_f64() != Some(0.0),
                Value::String(text) => !text.is_empty(),
                Value::Array(items) => items.iter().any(is_true),
                Value::Object(members) => !members.is_empty(),
            }
        }
        self.data().is_some_and(is_true)
    }
}

/// The elements of arrays in place of the arrays.
pub(super) fn flat<'e>(values: Vec<Held<'e>>) -> Vec<Held<'e>> {
    values.into_iter().flat_map(|value| value.items()).collect()
}

/// A number, `None` for nothing.
pub(super) fn number(value: &Held<'_>) -> Result<Option<f64>, String> {
    match value {
        Held::Nothing => Ok(None),
        Held::Data(value) => value.as_f64().map(Some).ok_or_else(|| "a number was expected".to_owned()),
        Held::Function(_) => Err("a number was expected".to_owned()),
    }
}

/// A number as a value; whole ones have no fraction.
pub(super) fn of_number<'e>(number: f64) -> Evaluated<'e> {
    // Every whole number below 2^53 is exact as a float.
    if number.fract() == 0.0 && number.abs() < 9e15 {
        return Ok(Value::from(number as i64).into());
    }
    let number = serde_json::Number::from_f64(number).ok_or("the result is no number")?;
    Ok(Value::Number(number).into())
}

/// Values and characters of a value.
pub(super) fn weight(value: &Value) -> usize {
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => 1,
        Value::String(text) => 1 + text.len(),
        Value::Array(items) => items.iter().map(weight).sum::<usize>() + 1,
        Value::Object(members) => members.iter().map(|(name, value)| name.len() + weight(value)).sum::<usize>() + 1,
    }
}
