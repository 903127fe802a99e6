//! Equality as the resource model defines it.
//!
//! It differs from `==` in four ways: an absent member of an object equals a null; assets and archives with hashes are
//! equal when their hashes are; references are compared without the version of their package; NaN equals itself,
//! because a difference that no update can remove helps nobody.

use std::cmp::Ordering;

use crate::asset::{Archive, Asset};
use crate::{Map, Reference, Value};

/// Whether two values are equal. A secret equals only a secret, an unknown only an unknown of the same kind.
pub fn equal(left: &Value, right: &Value) -> bool {
    compare(left, right, Secrecy::Counts)
}

/// Whether two values are equal when every mark of secrecy, at any depth, is disregarded.
pub fn equal_ignoring_secrets(left: &Value, right: &Value) -> bool {
    compare(left, right, Secrecy::Ignored)
}

/// [`equal`] for the members of two objects.
pub fn equal_maps(left: &Map, right: &Map) -> bool {
    compare_maps(left, right, Secrecy::Counts)
}

#[derive(Clone, Copy)]
enum Secrecy {
    Counts,
    Ignored,
}

impl Secrecy {
    fn view(self, value: &Value) -> &Value {
        match self {
            Self::Counts => value,
            Self::Ignored => value.unsecret(),
        }
    }
}

fn compare(left: &Value, right: &Value, secrecy: Secrecy) -> bool {
    match (secrecy.view(left), secrecy.view(right)) {
        (Value::Null, Value::Null) => true,
        (Value::Bool(left), Value::Bool(right)) => left == right,
        (Value::Number(left), Value::Number(right)) => left == right || (left.is_nan() && right.is_nan()),
        (Value::String(left), Value::String(right)) => left == right,
        (Value::Array(left), Value::Array(right)) => {
            left.len() == right.len() && left.iter().zip(right).all(|(left, right)| compare(left, right, secrecy))
        }
        (Value::Object(left), Value::Object(right)) => compare_maps(left, right, secrecy),
        (Value::Asset(left), Value::Asset(right)) => equal_assets(left, right),
        (Value::Archive(left), Value::Archive(right)) => equal_archives(left, right),
        (Value::Unknown(left), Value::Unknown(right)) => left == right,
        (Value::Secret(left), Value::Secret(right)) => compare(left.unsecret(), right.unsecret(), secrecy),
        (Value::Output(left), Value::Output(right)) => {
            let secret_alike = match secrecy {
                Secrecy::Counts => left.secret == right.secret,
                Secrecy::Ignored => true,
            };
            secret_alike
                && left.dependencies == right.dependencies
                && compare_options(left.value.as_ref(), right.value.as_ref(), secrecy)
        }
        (Value::Reference(left), Value::Reference(right)) => equal_references(left, right, secrecy),
        (
            Value::Null
            | Value::Bool(_)
            | Value::Number(_)
            | Value::String(_)
            | Value::Array(_)
            | Value::Object(_)
            | Value::Asset(_)
            | Value::Archive(_)
            | Value::Unknown(_)
            | Value::Secret(_)
            | Value::Output(_)
            | Value::Reference(_),
            _,
        ) => false,
    }
}

fn compare_options(left: Option<&Value>, right: Option<&Value>, secrecy: Secrecy) -> bool {
    match (left, right) {
        (None, None) => true,
        (Some(left), Some(right)) => compare(left, right, secrecy),
        (None, Some(_)) | (Some(_), None) => false,
    }
}

/// Walks both maps in key order at once; a member on one side alone must be null.
fn compare_maps(left: &Map, right: &Map, secrecy: Secrecy) -> bool {
    let mut left = left.iter().peekable();
    let mut right = right.iter().peekable();
    loop {
        let (only, same) = match (left.peek(), right.peek()) {
            (None, None) => return true,
            (Some((_, value)), None) => (*value, Ordering::Less),
            (None, Some((_, value))) => (*value, Ordering::Greater),
            (Some((left_key, left_value)), Some((right_key, right_value))) => match left_key.cmp(right_key) {
                Ordering::Less => (*left_value, Ordering::Less),
                Ordering::Greater => (*right_value, Ordering::Greater),
                Ordering::Equal if !compare(left_value, right_value, secrecy) => return false,
                Ordering::Equal => (*left_value, Ordering::Equal),
            },
        };
        if same.is_ne() && !secrecy.view(only).is_null() {
            return false;
        }
        if same.is_le() {
            left.next();
        }
        if same.is_ge() {
            right.next();
        }
    }
}

fn equal_assets(left: &Asset, right: &Asset) -> bool {
    match (&left.hash, &right.hash) {
        (Some(left), Some(right)) => left == right,
        _ => left.source == right.source,
    }
}

fn equal_archives(left: &Archive, right: &Archive) -> bool {
    match (&left.hash, &right.hash) {
        (Some(left), Some(right)) => left == right,
        _ => left.source == right.source,
    }
}

fn equal_references(left: &Reference, right: &Reference, secrecy: Secrecy) -> bool {
    left.urn == right.urn && compare_options(left.id.as_ref(), right.id.as_ref(), secrecy)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Unknown;

    #[test]
    fn the_table() {
        let object = |members: &[(&str, Value)]| Value::object(members.iter().cloned());
        // left, right, equal, equal when secrets are ignored
        check(&Value::Null, &Value::Null, true, true);
        check(&1.into(), &1.0.into(), true, true);
        check(&1.into(), &"1".into(), false, false);
        check(&f64::NAN.into(), &f64::NAN.into(), true, true);
        check(&Value::secret("x"), &"x".into(), false, true);
        check(&Value::secret("x"), &Value::secret("x"), true, true);
        check(&Value::Secret(Box::new(Value::secret("x"))), &Value::secret("x"), true, true);
        check(&Value::secret("x"), &Value::secret("y"), false, false);
        check(&Unknown::String.into(), &Unknown::String.into(), true, true);
        check(&Unknown::String.into(), &Unknown::Bool.into(), false, false);
        check(&Unknown::String.into(), &"".into(), false, false);
        check(&object(&[("a", Value::Null)]), &object(&[]), true, true);
        check(&object(&[]), &object(&[("z", Value::Null)]), true, true);
        check(&object(&[("a", 1.into())]), &object(&[]), false, false);
        check(
            &object(&[("a", 1.into()), ("b", Value::Null)]),
            &object(&[("a", 1.into()), ("c", Value::Null)]),
            true,
            true,
        );
        check(&object(&[("a", Value::secret(Value::Null))]), &object(&[]), false, true);
        check(&object(&[]), &Value::Null, false, false);
        check(&vec![1.into(), Value::Null].into(), &vec![1.into()].into(), false, false);
        check(&vec![Value::secret(1)].into(), &vec![1.into()].into(), false, true);
        check(&vec![object(&[("a", Value::Null)])].into(), &vec![object(&[])].into(), true, true);
        let hashed = |text: &str| Value::from(Asset { hash: Some("h".into()), ..Asset::text(text) });
        check(&hashed("a"), &hashed("b"), true, true);
        check(&Asset::text("a").into(), &Asset::text("b").into(), false, false);
        let reference = |version: &str| {
            let package_version = Some(version.to_owned());
            Value::Reference(Box::new(Reference { urn: "u".into(), id: Some("i".into()), package_version }))
        };
        check(&reference("1"), &reference("2"), true, true);
    }

    #[track_caller]
    fn check(left: &Value, right: &Value, with_secrets: bool, without_secrets: bool) {
        assert_eq!(equal(left, right), with_secrets, "{left:?} {right:?}");
        assert_eq!(equal(right, left), with_secrets, "{right:?} {left:?}");
        assert_eq!(equal_ignoring_secrets(left, right), without_secrets, "{left:?} {right:?} ignoring secrets");
        assert_eq!(equal_ignoring_secrets(right, left), without_secrets, "{right:?} {left:?} ignoring secrets");
    }
}
