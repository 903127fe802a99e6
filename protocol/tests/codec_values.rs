//! What the codec makes of well-formed structs, and what it writes.
#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

mod support;

use protocol::codec::{DecodeOptions, EncodeOptions, decode, encode};
use serde_json::{Value as Json, json};
use support::*;
use value::{Archive, ArchiveMember, ArchiveSource, Asset, AssetSource, Map, Output, Reference, Unknown, Value};

fn secret_json(value: Json) -> Json {
    json!({SIGNATURE: SECRET, "value": value})
}

/// Checks what a property of the given wire form becomes; `None` when it is left out.
#[track_caller]
fn check(wire: &Json, options: DecodeOptions, expected: impl Into<Option<Value>>) {
    let decoded = decode(&to_wire(&json!({"p": wire})), options).unwrap();
    let expected = expected.into().map(|value| ("p".to_owned(), value));
    assert_eq!(decoded, Map::from_iter(expected), "{wire}");
}

#[test]
fn plain_values() {
    check(&json!(null), DecodeOptions::KEEP, Value::Null);
    check(&json!(true), DecodeOptions::KEEP, Value::from(true));
    check(&json!(-0.5), DecodeOptions::KEEP, Value::from(-0.5));
    check(&json!("é"), DecodeOptions::KEEP, Value::from("é"));
    check(
        &json!([1, [null], {}]),
        DecodeOptions::KEEP,
        Value::from(vec![1.into(), vec![Value::Null].into(), Map::new().into()]),
    );
    check(
        &json!({"a": {"b": "c"}}),
        DecodeOptions::KEEP,
        Value::object([("a", Value::object([("b", Value::from("c"))]))]),
    );
}

#[test]
fn every_unknown_is_known_as_one() {
    for unknown in Unknown::ALL {
        check(&json!(unknown.sentinel()), DecodeOptions::KEEP, Value::from(unknown));
        check(&json!(unknown.sentinel()), DecodeOptions::PLAIN, None);
        check(&json!([unknown.sentinel(), 1]), DecodeOptions::PLAIN, Value::from(vec![Value::Null, 1.into()]));
    }
}

#[test]
fn secrets() {
    check(
        &secret_json(json!({"pw": "x"})),
        DecodeOptions::KEEP,
        Value::secret(Value::object([("pw", Value::from("x"))])),
    );
    check(&secret_json(json!({"pw": "x"})), DecodeOptions::PLAIN, Value::object([("pw", Value::from("x"))]));
    check(&secret_json(secret_json(json!(1))), DecodeOptions::KEEP, Value::secret(1));
    check(&secret_json(json!(UNKNOWN)), DecodeOptions::KEEP, Value::secret(Unknown::String));
    check(&secret_json(json!(UNKNOWN)), DecodeOptions::PLAIN, None);
    let drop_unknowns = DecodeOptions { unknowns: protocol::codec::Unknowns::Drop, ..DecodeOptions::KEEP };
    check(&secret_json(json!(UNKNOWN)), drop_unknowns, None);
    check(&json!([secret_json(json!(UNKNOWN))]), drop_unknowns, Value::from(vec![Value::Null]));
}

#[test]
fn nulls() {
    check(&json!(null), DecodeOptions::SKIP_NULLS, None);
    check(
        &json!({"a": null, "b": [null]}),
        DecodeOptions::SKIP_NULLS,
        Value::object([("b", Value::from(vec![Value::Null]))]),
    );
    // A secret null is a content, unless its mark is taken off.
    check(&secret_json(json!(null)), DecodeOptions::SKIP_NULLS, Value::secret(Value::Null));
    check(&secret_json(json!(null)), DecodeOptions::PLAIN, None);
}

#[test]
fn outputs_are_flattened() {
    let output = |members: Json| {
        let mut output = members;
        output[SIGNATURE] = json!(OUTPUT);
        output
    };
    check(&output(json!({"value": 1})), DecodeOptions::KEEP, Value::from(1));
    check(&output(json!({"value": null})), DecodeOptions::KEEP, Value::Null);
    check(
        &output(json!({"value": "x", "secret": true, "dependencies": ["urn"]})),
        DecodeOptions::KEEP,
        Value::secret("x"),
    );
    check(&output(json!({"value": "x", "secret": true})), DecodeOptions::PLAIN, Value::from("x"));
    check(&output(json!({})), DecodeOptions::KEEP, Value::from(Unknown::String));
    check(&output(json!({"secret": true})), DecodeOptions::KEEP, Value::secret(Unknown::String));
    check(&output(json!({"secret": true})), DecodeOptions::PLAIN, None);
    check(&output(json!({"value": secret_json(json!(1)), "secret": true})), DecodeOptions::KEEP, Value::secret(1));
}

#[test]
fn references_are_flattened() {
    let urn = "urn:pulumi:dev::p::a:b:C::n";
    let reference = |id: Json| json!({SIGNATURE: REFERENCE, "urn": urn, "id": id, "packageVersion": "1.0.0"});
    check(&json!({SIGNATURE: REFERENCE, "urn": urn}), DecodeOptions::KEEP, Value::from(urn));
    check(&reference(json!("i-1")), DecodeOptions::KEEP, Value::from("i-1"));
    check(&reference(json!("")), DecodeOptions::KEEP, Value::from(Unknown::String));
    check(&reference(json!(UNKNOWN)), DecodeOptions::KEEP, Value::from(Unknown::String));
    check(&reference(json!({SIGNATURE: OUTPUT})), DecodeOptions::KEEP, Value::from(Unknown::String));
}

#[test]
fn assets_and_archives() {
    let asset = |members: Json| {
        let mut asset = members;
        asset[SIGNATURE] = json!(ASSET);
        asset
    };
    let hashed = |source| Asset { hash: Some("h".into()), source };
    check(
        &asset(json!({"path": "./f.txt", "hash": "h"})),
        DecodeOptions::KEEP,
        Value::from(hashed(AssetSource::Path("./f.txt".into()))),
    );
    check(&asset(json!({"uri": "file:///f"})), DecodeOptions::KEEP, Value::from(Asset::uri("file:///f")));
    check(&asset(json!({"hash": "h"})), DecodeOptions::KEEP, Value::from(hashed(AssetSource::Elided)));
    check(&asset(json!({})), DecodeOptions::KEEP, Value::from(Asset::text("")));
    // The empty members survive the options that leave nulls out of objects.
    check(&asset(json!({"text": "t"})), DecodeOptions::PLAIN, Value::from(Asset::text("t")));

    let members = [("f".to_owned(), ArchiveMember::Asset(Asset::text("t")))];
    check(
        &json!({SIGNATURE: ARCHIVE, "assets": {"f": asset(json!({"text": "t"}))}}),
        DecodeOptions::KEEP,
        Value::from(Archive::members(members)),
    );
    check(&json!({SIGNATURE: ARCHIVE}), DecodeOptions::KEEP, Value::from(Archive::members([])));
    check(
        &json!({SIGNATURE: ARCHIVE, "hash": "h"}),
        DecodeOptions::KEEP,
        Value::from(Archive { hash: Some("h".into()), source: ArchiveSource::Elided }),
    );
}

#[test]
fn byte_strings_of_text_are_strings() {
    check(&json!({SIGNATURE: BYTES, "value": "w6k="}), DecodeOptions::KEEP, Value::from("é"));
}

#[test]
fn a_signature_among_the_properties_means_nothing() {
    let decoded = decode(&to_wire(&json!({SIGNATURE: SECRET})), DecodeOptions::KEEP).unwrap();
    assert_eq!(decoded, Map::from([(SIGNATURE.to_owned(), SECRET.into())]));
}

#[test]
fn numbers_that_are_not_finite_travel() {
    for number in [f64::INFINITY, f64::NEG_INFINITY, f64::NAN] {
        let bytes = encode(&Map::from([("n".to_owned(), number.into())]), EncodeOptions::KEEP);
        let decoded = decode(&bytes, DecodeOptions::KEEP).unwrap();
        assert_eq!(decoded["n"].as_number().map(f64::to_bits), Some(number.to_bits()));
    }
}

#[test]
fn three_hundred_levels_make_the_round_trip() {
    let value = (0..300).fold(Value::from("leaf"), |value, _| Value::object([("k", value)]));
    let members = Map::from([("p".to_owned(), value)]);
    let bytes = encode(&members, EncodeOptions::KEEP);
    assert!(decode(&bytes, DecodeOptions::KEEP).unwrap() == members);
}

#[test]
fn written() {
    let skip = EncodeOptions::SKIP_NULLS;
    write(Value::Null, EncodeOptions::KEEP, json!({"p": null}));
    write(Value::Null, skip, json!({}));
    write(Value::object([("a", Value::Null), ("b", vec![Value::Null].into())]), skip, json!({"p": {"b": [null]}}));
    write(Value::secret(Value::Null), skip, json!({"p": secret_json(json!(null))}));
    write(Value::secret("x"), skip, json!({"p": secret_json(json!("x"))}));
    write(Value::Secret(Box::new(Value::secret("x"))), skip, json!({"p": secret_json(json!("x"))}));
    write(Unknown::Number.into(), skip, json!({"p": "3eeb2bf0-c639-47a8-9e75-3b44932eb421"}));
    write(Value::secret(Unknown::String), skip, json!({"p": secret_json(json!(UNKNOWN))}));
    write(Asset::text("").into(), skip, json!({"p": {SIGNATURE: ASSET}}));
    write(
        Asset { hash: Some("h".into()), ..Asset::path("f") }.into(),
        skip,
        json!({"p": {SIGNATURE: ASSET, "hash": "h", "path": "f"}}),
    );
    write(
        Archive::members([("f".to_owned(), ArchiveMember::Asset(Asset::text("t")))]).into(),
        skip,
        json!({"p": {SIGNATURE: ARCHIVE, "assets": {"f": {SIGNATURE: ASSET, "text": "t"}}}}),
    );
    let output = Output { value: None, secret: true, dependencies: vec!["u".into(), "v".into()] };
    write(
        Value::Output(Box::new(output)),
        skip,
        json!({"p": {SIGNATURE: OUTPUT, "secret": true, "dependencies": ["u", "v"]}}),
    );
    let reference = Reference { urn: "u".into(), id: Some(Unknown::String.into()), package_version: None };
    write(Value::Reference(Box::new(reference)), skip, json!({"p": {SIGNATURE: REFERENCE, "urn": "u", "id": ""}}));
    let drop = EncodeOptions { unknowns: protocol::codec::Unknowns::Drop, ..EncodeOptions::KEEP };
    write(vec![Unknown::String.into(), Value::secret(Unknown::String)].into(), drop, json!({"p": [null, null]}));
    write(Value::object([("a", Value::secret(Unknown::String))]), drop, json!({"p": {}}));

    #[track_caller]
    fn write(value: Value, options: EncodeOptions, expected: Json) {
        let bytes = encode(&Map::from([("p".to_owned(), value)]), options);
        assert_eq!(from_wire(&bytes), expected);
    }
}

#[test]
fn nothing_is_an_empty_struct() {
    assert!(encode(&Map::new(), EncodeOptions::KEEP).is_empty());
    assert_eq!(decode(&[], DecodeOptions::KEEP), Ok(Map::new()));
}
