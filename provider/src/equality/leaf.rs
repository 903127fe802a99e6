//! The hints of the metadata: why two different values of one property may mean the same.

use std::borrow::Cow;

use metadata::model::EqualityHint;
use metadata::view::Type;
use value::Value;

use super::{Against, arn, document, policy};
use crate::convert::EXACT;

/// Whether the hint makes two values that are not equal one and the same. Nothing that is not known yet is.
///
/// What completes a value, as a service completes a version, counts only against the service: that a program says more
/// than it did is a change.
pub fn same(hint: EqualityHint, one: &Value, other: &Value, against: Against) -> bool {
    let (one, other) = (one.unsecret(), other.unsecret());
    let texts = || Some((one.as_str()?, other.as_str()?));
    let of_texts = |same: fn(&str, &str) -> bool| texts().is_some_and(|(one, other)| same(one, other));
    match hint {
        EqualityHint::ArnOrId => against.is_live() && of_texts(arn::same_thing),
        EqualityHint::CaseInsensitive => of_texts(|one, other| one.to_lowercase() == other.to_lowercase()),
        EqualityHint::TrailingDot => of_texts(|one, other| undotted(one) == undotted(other)),
        EqualityHint::NumberAsText => number(one).is_some_and(|one| number(other) == Some(one)),
        EqualityHint::VersionPrefix => against.is_live() && of_texts(completes),
        EqualityHint::JsonDocument => document::equivalent(one, other, against),
        EqualityHint::PolicyDocument => {
            policy::equivalent(one, other).unwrap_or_else(|| document::equivalent(one, other, against))
        }
    }
}

/// Whether one value is the text of the other where the schema has a single kind of scalars: services print numbers and
/// flags as texts, and older states recorded them so. A union may have both kinds, so that a program that goes from one to
/// the other means it. Free-form values mean what they are, unless it is the service that prints them ([`as_text`]).
pub fn is_text_of(ty: Type, one: &Value, other: &Value, against: Against) -> bool {
    match ty {
        Type::Integer | Type::Number | Type::Boolean | Type::String | Type::Enum(_) => {}
        Type::Union(_) if against.is_live() => {}
        Type::Union(_) | Type::Any | Type::Array(_) | Type::Map(_) | Type::Object(_) => return false,
    }
    match (one.unsecret(), other.unsecret()) {
        (scalar @ Value::Number(_), text @ Value::String(_)) | (text @ Value::String(_), scalar @ Value::Number(_)) => {
            number(scalar) == number(text)
        }
        (Value::Bool(flag), Value::String(text)) | (Value::String(text), Value::Bool(flag)) => {
            text.eq_ignore_ascii_case(if *flag { "true" } else { "false" })
        }
        _ => false,
    }
}

/// A scalar as the kind that the schema has for it, where it is the text of one or the other way round; `None` where it
/// stays as it is.
pub fn as_declared(value: &Value, ty: Type) -> Option<Value> {
    match (ty, value) {
        (Type::Integer, Value::String(_)) => number(value).filter(|number| is_exact(*number)).map(Value::from),
        (Type::Number, Value::String(_)) => number(value).map(Value::from),
        (Type::Boolean, Value::String(text)) => {
            let flag = [true, false].into_iter().find(|flag| text.eq_ignore_ascii_case(&flag.to_string()));
            flag.map(Value::from)
        }
        (Type::String | Type::Enum(_), Value::Number(number)) => {
            // Without an exponent, however large.
            number.is_finite().then(|| number.to_string().into())
        }
        (Type::String | Type::Enum(_), Value::Bool(flag)) => Some(flag.to_string().into()),
        _ => None,
    }
}

/// The text that a service has for a scalar where its own parameters are texts: job arguments, environment variables.
pub fn as_text(value: &Value) -> Option<Cow<'_, str>> {
    match value.unsecret() {
        Value::Bool(flag) => Some(flag.to_string().into()),
        Value::Number(number) => Some(number.to_string().into()),
        Value::String(text) => Some(text.into()),
        _ => None,
    }
}

fn is_exact(number: f64) -> bool {
    number.fract() == 0.0 && number.abs() <= EXACT
}

fn undotted(name: &str) -> &str {
    name.strip_suffix('.').filter(|rest| !rest.is_empty()).unwrap_or(name)
}

/// The number that a value is or that its text is in the form that services print: no sign but `-`, no exponent, no
/// surplus zeros in front.
fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Number(number) => Some(*number),
        Value::String(text) => {
            let digits = text.strip_prefix('-').unwrap_or(text);
            let (whole, fraction) = digits.split_once('.').unwrap_or((digits, "0"));
            let is_number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
            let canonical = is_number(whole) && is_number(fraction) && (whole == "0" || !whole.starts_with('0'));
            canonical.then(|| text.parse().ok()).flatten()
        }
        _ => None,
    }
}

/// Whether `version`, which the user wrote, stands for `full`: the same components, and no others before they end.
fn completes(version: &str, full: &str) -> bool {
    !version.is_empty() && full.strip_prefix(version).is_some_and(|rest| rest.starts_with('.'))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value as Json, json};
    use value::Unknown;

    use super::super::Hidden;
    use super::*;

    const LIVE: Against = Against::Live(Hidden::Missing);

    #[test]
    fn hints_make_values_the_same() {
        use EqualityHint::{ArnOrId, CaseInsensitive, JsonDocument, NumberAsText, PolicyDocument, TrailingDot};
        let both = [LIVE, Against::Desired];
        let check = |hint: EqualityHint, one: Json, other: Json, against: &[Against], expected: bool| {
            let (first, second) = (value::json::from_json(&one), value::json::from_json(&other));
            for against in against {
                assert_eq!(same(hint, &first, &second, *against), expected, "{hint:?} {one} {other} {against:?}");
                assert_eq!(same(hint, &second, &first, *against), expected, "{hint:?} {other} {one} {against:?}");
            }
        };
        let arn = || json!("arn:aws:kms:eu-west-1:111122223333:alias/mine");
        check(ArnOrId, arn(), json!("alias/mine"), &[LIVE], true);
        check(ArnOrId, arn(), json!("mine"), &[LIVE], true);
        check(ArnOrId, arn(), json!("alias/mine"), &[Against::Desired], false);
        check(ArnOrId, arn(), json!("ine"), &both, false);
        check(ArnOrId, arn(), json!("arn:aws:kms:eu-west-1:444455556666:alias/mine"), &both, false);
        check(ArnOrId, arn(), json!(1), &both, false);

        check(CaseInsensitive, json!("MyDB"), json!("mydb"), &both, true);
        check(CaseInsensitive, json!("ÄB"), json!("äb"), &both, true);
        check(CaseInsensitive, json!("MyDB"), json!("mydb2"), &both, false);
        check(CaseInsensitive, json!("1"), json!(1), &both, false);

        check(TrailingDot, json!("example.com"), json!("example.com."), &both, true);
        check(TrailingDot, json!("example.com"), json!("example.org."), &both, false);
        check(TrailingDot, json!("example.com."), json!("example.com.."), &both, false);
        check(TrailingDot, json!("."), json!(""), &both, false);

        check(NumberAsText, json!("5"), json!(5), &both, true);
        check(NumberAsText, json!("-1"), json!(-1), &both, true);
        check(NumberAsText, json!("1.50"), json!(1.5), &both, true);
        check(NumberAsText, json!("100"), json!("100"), &both, true);
        check(NumberAsText, json!("05"), json!(5), &both, false);
        check(NumberAsText, json!("5 "), json!(5), &both, false);
        check(NumberAsText, json!("1e1"), json!(10), &both, false);
        check(NumberAsText, json!("inf"), json!("infinity"), &both, false);
        check(NumberAsText, json!("5"), json!(6), &both, false);
        check(NumberAsText, json!("."), json!(0), &both, false);

        check(JsonDocument, json!("{\"a\":1}"), json!({ "a": 1 }), &both, true);
        check(JsonDocument, json!("{\"a\":[1,2]}"), json!({ "a": [2, 1] }), &both, false);

        let statement = |actions: Json| json!({ "Statement": [{ "Effect": "Allow", "Action": actions }] });
        check(PolicyDocument, statement(json!("s3:Get*")), statement(json!(["s3:Get*"])), &both, true);
        check(PolicyDocument, statement(json!("s3:Get*")), statement(json!("s3:Put*")), &both, false);
        // No policies, but documents.
        check(PolicyDocument, json!("{\"a\":1}"), json!({ "a": 1 }), &both, true);
    }

    #[test]
    fn a_scalar_is_the_same_as_its_text_where_the_schema_has_one_kind() {
        for (ty, one, other, expected) in [
            (Type::Integer, json!(443), json!("443"), true),
            (Type::Integer, json!(443), json!("444"), false),
            (Type::Integer, json!(0), json!(""), false),
            (Type::Number, json!(1.5), json!("1.50"), true),
            (Type::String, json!("443"), json!(443), true),
            (Type::String, json!("0443"), json!(443), false),
            (Type::String, json!("true"), json!(true), true),
            (Type::Boolean, json!(false), json!("False"), true),
            (Type::Boolean, json!(false), json!("no"), false),
            // Kinds do not mix otherwise, and free-form values mean what they are.
            (Type::Boolean, json!(true), json!(1), false),
            (Type::Any, json!(443), json!("443"), false),
        ] {
            let (first, second) = (value::json::from_json(&one), value::json::from_json(&other));
            for against in [LIVE, Against::Exactly, Against::Desired] {
                assert_eq!(is_text_of(ty, &first, &second, against), expected, "{one} {other}");
                assert_eq!(is_text_of(ty, &second, &first, against), expected, "{other} {one}");
            }
        }
    }

    #[test]
    fn scalars_become_what_the_schema_has() {
        for (ty, held, expected) in [
            (Type::Integer, json!("443"), json!(443)),
            (Type::Integer, json!("1.5"), json!("1.5")),
            (Type::Integer, json!("9007199254740993000"), json!("9007199254740993000")),
            (Type::Number, json!("1.5"), json!(1.5)),
            (Type::Boolean, json!("True"), json!(true)),
            (Type::String, json!(443), json!("443")),
            (Type::String, json!(1.5), json!("1.5")),
            (Type::String, json!(1e21), json!("1000000000000000000000")),
            (Type::String, json!(true), json!("true")),
            (Type::String, json!([1]), json!([1])),
            (Type::Any, json!(443), json!(443)),
        ] {
            let value = value::json::from_json(&held);
            let found = as_declared(&value, ty);
            assert_eq!(found.is_some(), held != expected, "{held}");
            assert_eq!(found.unwrap_or(value), value::json::from_json(&expected), "{held}");
        }
    }

    #[test]
    fn the_service_completes_versions() {
        check("13", "13.7", LIVE, true);
        check("8.0", "8.0.35", LIVE, true);
        check("5.7.mysql_aurora", "5.7.mysql_aurora.2.11.1", LIVE, true);
        check("13", "14.1", LIVE, false);
        check("1", "13.7", LIVE, false);
        check("13.1", "13.10", LIVE, false);
        // The user says more than the service.
        check("13.7", "13", LIVE, false);
        check("", ".1", LIVE, false);
        // The user says more than before.
        check("13", "13.7", Against::Desired, false);

        #[track_caller]
        fn check(own: &str, held: &str, against: Against, expected: bool) {
            let found = same(EqualityHint::VersionPrefix, &own.into(), &held.into(), against);
            assert_eq!(found, expected, "{own} {held} {against:?}");
        }
    }

    #[test]
    fn what_is_not_known_yet_is_nothing_else() {
        let unknown: Value = Unknown::String.into();
        for hint in [EqualityHint::CaseInsensitive, EqualityHint::NumberAsText, EqualityHint::PolicyDocument] {
            assert!(!same(hint, &unknown, &"a".into(), LIVE) && !same(hint, &unknown, &unknown, LIVE), "{hint:?}");
        }
    }
}
