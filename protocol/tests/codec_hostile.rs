//! What the codec refuses, and in which words.
#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

mod support;

use proptest::prelude::*;
use protocol::codec::{DecodeOptions, decode};
use serde_json::{Value as Json, json};
use support::*;
use value::{Map, Value};

#[track_caller]
fn refused(wire: &Json, options: DecodeOptions, expected: &str) {
    let error = decode(&to_wire(wire), options).unwrap_err();
    assert_eq!(error.to_string(), expected);
}

#[test]
fn envelopes_that_are_not_whole() {
    let keep = DecodeOptions::KEEP;
    refused(&json!({"p": {SIGNATURE: SECRET}}), keep, "malformed RPC secret: missing value for \"p\"");
    refused(
        &json!({"p": [{"q\"": [{SIGNATURE: SECRET}]}]}),
        keep,
        "malformed RPC secret: missing value for \"q\\\"\" at p[0][\"q\\\"\"][0]",
    );
    refused(&json!({"p": {SIGNATURE: "nope"}}), keep, "unrecognized signature 'nope' in property map for \"p\"");
    refused(&json!({"p": {SIGNATURE: 1}}), keep, "unrecognized signature 'number' in property map for \"p\"");
    refused(&json!({"p": {SIGNATURE: OUTPUT, "secret": 1}}), keep, "p: malformed output: `secret` is not a bool");
    let reason = "p: malformed output: `dependencies` is not an array of strings";
    refused(&json!({"p": {SIGNATURE: OUTPUT, "dependencies": [1]}}), keep, reason);
    let reason = "p: malformed resource reference: `urn` is missing or not a string";
    refused(&json!({"p": {SIGNATURE: REFERENCE}}), keep, reason);
    let reason = "p.text: malformed asset: a member that must be a string is not";
    refused(&json!({"p": {SIGNATURE: ASSET, "text": 1}}), keep, reason);
    let reason = "p.f: malformed archive: a member is neither an asset nor an archive";
    refused(&json!({"p": {SIGNATURE: ARCHIVE, "assets": {"f": "x"}}}), keep, reason);
    let reason = "p: malformed byte string: `value` is not base64";
    refused(&json!({"p": {SIGNATURE: BYTES, "value": "?"}}), keep, reason);
    let reason = "p: malformed property value: the content of a byte string is not valid UTF-8; \
                  encode binary data, for example as base64";
    refused(&json!({"p": {SIGNATURE: BYTES, "value": "/w=="}}), keep, reason);
}

#[test]
fn assets_where_none_may_be() {
    let reject = DecodeOptions::KEEP_REJECT_ASSETS;
    let asset = json!({SIGNATURE: ASSET, "text": "t"});
    refused(&json!({"p": asset}), reject, "unexpected Asset property value for \"p\"");
    refused(&json!({"p": {"q": [asset]}}), reject, "unexpected Asset property value for \"q\" at p.q[0]");
    let archive = json!({SIGNATURE: ARCHIVE});
    refused(&json!({"p": archive}), reject, "unexpected Asset Archive property value for \"p\"");
}

/// A field of bytes, by number.
fn field(number: u8, content: &[u8]) -> Vec<u8> {
    let mut bytes = vec![number << 3 | 2];
    prost::encode_length_delimiter(content.len(), &mut bytes).unwrap();
    bytes.extend_from_slice(content);
    bytes
}

/// A struct with one member of the given `Value` bytes.
fn member(key: &[u8], value: &[u8]) -> Vec<u8> {
    field(1, &[field(1, key), field(2, value)].concat())
}

#[test]
fn bytes_that_make_no_struct() {
    let malformed = |bytes: &[u8], expected: &str| {
        assert_eq!(decode(bytes, DecodeOptions::KEEP).unwrap_err().to_string(), expected, "{bytes:?}");
    };
    let no_kind = "k: malformed property value: it has no kind, where null would be written as null_value";
    malformed(&member(b"k", &[]), no_kind);
    malformed(&field(1, &field(1, b"k")), no_kind);
    let not_text =
        "k: malformed property value: a string is not valid UTF-8; encode binary data, for example as base64";
    malformed(&member(b"k", &field(3, &[0xff])), not_text);
    let name = "properties: malformed property value: a property name is not valid UTF-8; \
                encode binary data, for example as base64";
    malformed(&member(&[0xff], &[8, 0]), name);
    malformed(&[10, 5, 1], "properties: malformed property value: the message ends early");
    malformed(&[10], "properties: malformed property value: the message ends early");
    malformed(&[0x80; 11], "properties: malformed property value: a number has too many bytes");
    malformed(&[7], "properties: malformed property value: a field has an unknown wire type");
    malformed(&[2, 0], "properties: malformed property value: a field number is out of range");
    malformed(&[8, 0], "properties: malformed property value: a field has the wrong wire type");
    malformed(&[20], "properties: malformed property value: a group ends that did not start");
    malformed(&[19], "properties: malformed property value: the message ends early");
    malformed(&member(b"k", &[17, 0]), "k: malformed property value: the message ends early");
    malformed(&member(b"k", &[24, 0]), "k: malformed property value: a value has a field of the wrong wire type");
}

#[test]
fn what_is_not_known_is_skipped() {
    let unknown = [
        field(15, b"text"),
        vec![14 << 3, 1],
        vec![13 << 3 | 1, 0, 0, 0, 0, 0, 0, 0, 0],
        vec![12 << 3 | 5, 0, 0, 0, 0],
        // A group with a group in it.
        vec![11 << 3 | 3, 10 << 3 | 3, 9 << 3, 1, 10 << 3 | 4, 11 << 3 | 4],
    ]
    .concat();
    let around = |bytes: Vec<u8>| [unknown.clone(), bytes, unknown.clone()].concat();
    let entry = around([field(1, b"k"), field(2, &around(vec![32, 1]))].concat());
    let decoded = decode(&around(field(1, &entry)), DecodeOptions::KEEP);
    assert_eq!(decoded, Ok(Map::from([("k".to_owned(), true.into())])));
}

#[test]
fn of_duplicates_the_last_one_stays() {
    let bytes = [member(b"k", &[32, 1]), member(b"k", &[8, 0])].concat();
    assert_eq!(decode(&bytes, DecodeOptions::KEEP), Ok(Map::from([("k".to_owned(), Value::Null)])));
    let last_kind = member(b"k", &[8, 0, 32, 1]);
    assert_eq!(decode(&last_kind, DecodeOptions::KEEP), Ok(Map::from([("k".to_owned(), true.into())])));
    // The members of an entry may come in any order, and an absent name is empty.
    let reversed = field(1, &[field(2, &[8, 0]), field(1, b"k")].concat());
    assert_eq!(decode(&reversed, DecodeOptions::KEEP), Ok(Map::from([("k".to_owned(), Value::Null)])));
    let unnamed = field(1, &field(2, &[8, 0]));
    assert_eq!(decode(&unnamed, DecodeOptions::KEEP), Ok(Map::from([(String::new(), Value::Null)])));
}

/// A struct of `levels` levels in all, each inside the fields that `headers` lists from the inside out.
///
/// Everything that a level adds comes before what it holds, so that the bytes are collected in reverse.
fn nested(levels: usize, headers: &[(u8, &[u8])]) -> Vec<u8> {
    let member: [(u8, &[u8]); 2] = [(2, &[1 << 3 | 2, 1, b'k']), (1, &[])];
    let mut reversed = vec![0, 8];
    for level in 0..levels {
        let headers = if level + 1 == levels { &member } else { headers };
        for (number, before) in headers {
            let mut header = before.to_vec();
            header.push(number << 3 | 2);
            prost::encode_length_delimiter(reversed.len(), &mut header).unwrap();
            reversed.extend(header.iter().rev());
        }
    }
    reversed.reverse();
    reversed
}

#[test]
fn depth_is_limited_on_a_default_stack() {
    let test = || {
        let object: &[(u8, &[u8])] = &[(2, &[1 << 3 | 2, 1, b'k']), (1, &[]), (5, &[])];
        let array: &[(u8, &[u8])] = &[(1, &[]), (6, &[])];
        for headers in [object, array] {
            assert!(decode(&nested(value::MAX_DEPTH, headers), DecodeOptions::KEEP).is_ok());
            for levels in [value::MAX_DEPTH + 1, 100_000] {
                let error = decode(&nested(levels, headers), DecodeOptions::KEEP).unwrap_err().to_string();
                assert!(error.contains("nested deeper than 512 levels"), "{error}");
                assert!(error.len() < 300, "{error}");
            }
        }
    };
    let thread = std::thread::Builder::new().stack_size(2 * 1024 * 1024).spawn(test).unwrap();
    assert!(thread.join().is_ok());
}

proptest! {
    #[test]
    fn any_bytes_have_an_answer(bytes in proptest::collection::vec(any::<u8>(), 0..64)) {
        let _ = decode(&bytes, DecodeOptions::PLAIN);
    }

    #[test]
    fn damaged_structs_have_an_answer(position in 0_usize..1000, byte in any::<u8>(), end in 0_usize..1000) {
        let mut bytes = to_wire(&json!({
            "a": {SIGNATURE: SECRET, "value": [1, "x", null]},
            "b": {SIGNATURE: OUTPUT, "dependencies": ["u"]},
            "c": {SIGNATURE: ARCHIVE, "assets": {"f": {SIGNATURE: ASSET, "text": "t"}}},
        }));
        let length = bytes.len();
        bytes[position % length] = byte;
        bytes.truncate(length - end % length);
        let _ = decode(&bytes, DecodeOptions::KEEP);
    }
}
