//! An independent view of the wire form: the generated messages of `google.protobuf.Struct`.
#![allow(dead_code, reason = "each test binary uses its part")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a failed unwrap is a failed test")]

use prost::Message;
use prost_types::value::Kind;
use prost_types::{ListValue, Struct, Value as WireValue};
use serde_json::Value as Json;

pub const SIGNATURE: &str = "4dabf18193072939515e22adb298388d";
pub const SECRET: &str = "1b47061264138c4ac30d75fd1eb44270";
pub const OUTPUT: &str = "d0e6a833031e9bbcd3f4e8bde6ca49a4";
pub const REFERENCE: &str = "5cf8f73096256a8f31e491e813e4eb8e";
pub const ASSET: &str = "c44067f5952c0a294b673a41bacd8c17";
pub const ARCHIVE: &str = "0def7320c3a5731c473e5ecbe6d01bc7";
pub const BYTES: &str = "803fd3297a5875dc03ca845dda5d2a98";
pub const UNKNOWN: &str = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/// The bytes of a `Struct` that has the members of a JSON object.
pub fn to_wire(json: &Json) -> Vec<u8> {
    let Json::Object(members) = json else { panic!("{json} is no object") };
    Struct { fields: members.iter().map(|(key, value)| (key.clone(), to_wire_value(value))).collect() }.encode_to_vec()
}

fn to_wire_value(json: &Json) -> WireValue {
    let kind = match json {
        Json::Null => Kind::NullValue(0),
        Json::Bool(value) => Kind::BoolValue(*value),
        Json::Number(value) => Kind::NumberValue(value.as_f64().unwrap()),
        Json::String(value) => Kind::StringValue(value.clone()),
        Json::Array(items) => Kind::ListValue(ListValue { values: items.iter().map(to_wire_value).collect() }),
        Json::Object(_) => Kind::StructValue(Struct::decode(to_wire(json).as_slice()).unwrap()),
    };
    WireValue { kind: Some(kind) }
}

/// The JSON object that has the members of a `Struct`; fails on a value without a kind.
pub fn from_wire(bytes: &[u8]) -> Json {
    from_wire_struct(Struct::decode(bytes).unwrap())
}

fn from_wire_struct(message: Struct) -> Json {
    Json::Object(message.fields.into_iter().map(|(key, value)| (key, from_wire_value(value))).collect())
}

fn from_wire_value(value: WireValue) -> Json {
    match value.kind.expect("every value has a kind") {
        Kind::NullValue(_) => Json::Null,
        Kind::BoolValue(value) => value.into(),
        Kind::NumberValue(value) => value::json::number(value).map_or(Json::from("not finite"), Json::Number),
        Kind::StringValue(value) => value.into(),
        Kind::ListValue(list) => list.values.into_iter().map(from_wire_value).collect(),
        Kind::StructValue(message) => from_wire_struct(message),
    }
}
