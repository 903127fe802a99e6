//! From the wire form to values.

use value::{MAX_DEPTH, Map, Unknown, Value};

use super::envelope::{self, SIGNATURE_KEY};
use super::error::CodecError;
use super::options::{DecodeOptions, Nulls, Unknowns};
use super::trail::{Step, Trail};
use super::wire::{Reader, Reason, WireType, tag};

/// Reads a `google.protobuf.Struct`.
///
/// Of members with the same name the last one stays; fields that `Struct` does not define are skipped. Outputs are
/// flattened to their values and resource references to their ids.
///
/// # Errors
///
/// Any [`CodecError`]; nothing that a peer sends can do worse.
pub fn decode(bytes: &[u8], options: DecodeOptions) -> Result<Map, CodecError> {
    // The outermost object is a set of properties and no value, so that a signature in it means nothing.
    match read_struct(bytes, options, None) {
        Ok(Members { members, .. }) => Ok(members),
        Err(error) => Err(*error),
    }
}

/// Reads a `google.protobuf.Value`. In messages, the value is called `value`.
///
/// # Errors
///
/// As [`decode`].
pub fn decode_value(bytes: &[u8], options: DecodeOptions) -> Result<Value, CodecError> {
    read_value(bytes, options, &Trail::root("value")).map_err(|error| *error)
}

/// An error on its way out. Results are passed up by value at every level, and boxed an error does not make them larger.
type Failure = Box<CodecError>;

/// The members of an object, none left out yet if they make an envelope.
struct Members {
    members: Map,
    is_envelope: bool,
}

/// Reads the members of an object; `None` is the way to the outermost one.
fn read_struct(bytes: &[u8], options: DecodeOptions, trail: Option<&Trail<'_>>) -> Result<Members, Failure> {
    let mut members = Map::new();
    let mut is_envelope = false;
    let mut any_to_leave_out = false;
    let mut reader = Reader::new(bytes);
    while let Some(entry) = next_of(&mut reader, tag::FIELDS).map_err(|reason| malformed(reason, trail))? {
        let (key, bytes) = read_entry(entry, trail)?;
        let step = match trail {
            Some(trail) => trail.to(Step::Key(key)),
            None => Trail::root(key),
        };
        let value = read_value(bytes.ok_or_else(|| CodecError::NoKind { path: step.path() })?, options, &step)?;
        is_envelope |= key == SIGNATURE_KEY && trail.is_some();
        any_to_leave_out |= is_left_out(&value, options);
        members.insert(key.to_owned(), value);
    }
    // Only now is it known whether this is an envelope, of which every member counts.
    if any_to_leave_out && !is_envelope {
        members.retain(|_, value| !is_left_out(value, options));
    }
    Ok(Members { members, is_envelope })
}

fn is_left_out(value: &Value, options: DecodeOptions) -> bool {
    match value {
        Value::Null => options.nulls == Nulls::Skip,
        Value::Unknown(_) => options.unknowns == Unknowns::Drop,
        _ => false,
    }
}

/// Splits an entry of `Struct.fields` into its key and the bytes of its value. Both may come in any order; an absent
/// key is empty, an absent value is an error of the caller's.
fn read_entry<'a>(bytes: &'a [u8], trail: Option<&Trail<'_>>) -> Result<(&'a str, Option<&'a [u8]>), Failure> {
    let mut key: &[u8] = &[];
    let mut value = None;
    let mut reader = Reader::new(bytes);
    // Nearly every entry is a key and then a value.
    if let Some(first) = reader.short_field(tag::KEY) {
        key = first;
        value = reader.short_field(tag::VALUE);
    }
    while !reader.is_empty() {
        let mut read = || {
            match reader.tag()? {
                (1, WireType::Length) => key = reader.length_delimited()?,
                (2, WireType::Length) => value = Some(reader.length_delimited()?),
                (1 | 2, _) => return Err("an entry has a field of the wrong wire type"),
                (_, wire_type) => reader.skip(wire_type)?,
            }
            Ok(())
        };
        read().map_err(|reason| malformed(reason, trail))?;
    }
    match std::str::from_utf8(key) {
        Ok(key) => Ok((key, value)),
        Err(_) => Err(CodecError::InvalidUtf8 { path: path_of(trail), what: "a property name" }.into()),
    }
}

/// The kind of a value, before what is inside it is read.
enum Kind<'a> {
    Null,
    Bool(bool),
    Number(f64),
    String(&'a [u8]),
    Struct(&'a [u8]),
    List(&'a [u8]),
}

fn read_value(bytes: &[u8], options: DecodeOptions, trail: &Trail<'_>) -> Result<Value, Failure> {
    let kind = read_kind(bytes).map_err(|reason| malformed(reason, Some(trail)))?;
    match kind.ok_or_else(|| CodecError::NoKind { path: trail.path() })? {
        Kind::Null => Ok(Value::Null),
        Kind::Bool(value) => Ok(Value::Bool(value)),
        Kind::Number(value) => Ok(Value::Number(value)),
        Kind::String(bytes) => match std::str::from_utf8(bytes) {
            Err(_) => Err(CodecError::InvalidUtf8 { path: trail.path(), what: "a string" }.into()),
            Ok(text) => Ok(match Unknown::from_sentinel(text) {
                Some(unknown) => Value::Unknown(unknown),
                None => Value::String(text.to_owned()),
            }),
        },
        Kind::Struct(_) | Kind::List(_) if trail.depth() > MAX_DEPTH => {
            Err(CodecError::TooDeep { path: trail.path() }.into())
        }
        Kind::Struct(bytes) => {
            let Members { members, is_envelope } = read_struct(bytes, options, Some(trail))?;
            match is_envelope {
                true => envelope::open(members, options, trail).map_err(Failure::from),
                false => Ok(Value::Object(members)),
            }
        }
        Kind::List(bytes) => read_list(bytes, options, trail),
    }
}

fn read_list(bytes: &[u8], options: DecodeOptions, trail: &Trail<'_>) -> Result<Value, Failure> {
    let mut items = Vec::new();
    let mut reader = Reader::new(bytes);
    while let Some(item) = next_of(&mut reader, tag::VALUES).map_err(|reason| malformed(reason, Some(trail)))? {
        let item = read_value(item, options, &trail.to(Step::Index(items.len())))?;
        items.push(match (&item, options.unknowns) {
            // Items are positional: what is dropped leaves a null.
            (Value::Unknown(_), Unknowns::Drop) => Value::Null,
            _ => item,
        });
    }
    Ok(Value::Array(items))
}

/// Reads the one field that a `Value` has. Of several the last one counts.
fn read_kind(bytes: &[u8]) -> Result<Option<Kind<'_>>, Reason> {
    let mut reader = Reader::new(bytes);
    let mut kind = reader.short_field(tag::STRING).map(Kind::String);
    while !reader.is_empty() {
        kind = Some(match reader.tag()? {
            (1, WireType::Varint) => {
                reader.varint()?;
                Kind::Null
            }
            (2, WireType::Fixed64) => Kind::Number(f64::from_bits(reader.fixed64()?)),
            (3, WireType::Length) => Kind::String(reader.length_delimited()?),
            (4, WireType::Varint) => Kind::Bool(reader.varint()? != 0),
            (5, WireType::Length) => Kind::Struct(reader.length_delimited()?),
            (6, WireType::Length) => Kind::List(reader.length_delimited()?),
            (1..=6, _) => return Err("a value has a field of the wrong wire type"),
            (_, wire_type) => {
                reader.skip(wire_type)?;
                continue;
            }
        });
    }
    Ok(kind)
}

/// The next field `wanted`, a repeated message; others are skipped.
fn next_of<'a>(reader: &mut Reader<'a>, wanted: u8) -> Result<Option<&'a [u8]>, Reason> {
    if let Some(field) = reader.short_field(wanted) {
        return Ok(Some(field));
    }
    while !reader.is_empty() {
        match reader.tag()? {
            (number, WireType::Length) if number == u32::from(wanted >> 3) => {
                return reader.length_delimited().map(Some);
            }
            (number, _) if number == u32::from(wanted >> 3) => return Err("a field has the wrong wire type"),
            (_, wire_type) => reader.skip(wire_type)?,
        }
    }
    Ok(None)
}

fn malformed(reason: Reason, trail: Option<&Trail<'_>>) -> Failure {
    CodecError::Malformed { path: path_of(trail), reason }.into()
}

fn path_of(trail: Option<&Trail<'_>>) -> String {
    trail.map_or_else(|| "properties".to_owned(), Trail::path)
}
