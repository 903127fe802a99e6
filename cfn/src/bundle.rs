//! All resource type schemas in one file, made so that one of them is found and read without touching the rest.
//!
//! The file is a valid zstd stream: `zstd -dc resource-schemas.zst` prints one compact schema per line, in order of
//! type name. It starts with a skippable frame that holds the index, followed by ordinary frames of about
//! [`FRAME_BYTES`] of text each. The index is text, one line per type in the same order, fields separated by tabs: type
//! name, position of its frame in bytes after the index, length of that frame, position and length of the schema in
//! the frame's text. [`write()`] makes a bundle, [`Bundle`] reads it, [`compact`] decides what a schema keeps.
//!
//! Deliberately elsewhere: what a schema means ([`crate::schema`]) and where the file lies.

use std::io::Read;

use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};
use serde_json::Value;

/// Text per frame: large enough to compress well, small enough that reading one schema takes a fraction of a
/// millisecond.
pub const FRAME_BYTES: usize = 256 << 10;

/// zstd's magic number of a skippable frame.
const SKIPPABLE: [u8; 4] = 0x184D_2A50_u32.to_le_bytes();
/// Magic number and length of the skippable frame.
const HEADER_BYTES: usize = 8;

/// Keywords for people only; they make up a third of the schemas.
const FOR_PEOPLE: [&str; 9] =
    ["$comment", "$id", "$schema", "description", "documentationUrl", "examples", "resourceLink", "sourceUrl", "title"];
/// Keywords whose value is a map from free names to schemas.
const NAMED_SCHEMAS: [&str; 5] = ["$defs", "definitions", "dependentSchemas", "patternProperties", "properties"];
/// Keywords whose value is data, in which every key counts.
const DATA: [&str; 3] = ["const", "default", "enum"];

/// Why a bundle could not be written or read.
#[derive(Debug, thiserror::Error)]
pub enum BundleError {
    /// A type came twice, or before one that precedes it in the alphabet.
    #[error("{type_name}: schemas must come in ascending order of type name, each type once")]
    NotSorted {
        /// The type in the wrong place.
        type_name: String,
    },
    /// The bytes are no bundle, or damaged.
    #[error("the resource schema bundle is damaged: {reason}")]
    Damaged {
        /// What is wrong.
        reason: &'static str,
    },
    /// zstd refused.
    #[error("the resource schema bundle cannot be (de)compressed")]
    Compression {
        /// What zstd or the reader of its output said.
        #[source]
        source: std::io::Error,
    },
}

/// A schema as compact JSON text without what only people read: descriptions, titles, examples and links.
///
/// Everything else stays, also keywords that CloudFormation itself does not know. Keys are in the order of `schema`.
///
/// # Errors
///
/// None that a JSON value can cause; the result is that of the JSON writer.
pub fn compact(schema: &Value) -> serde_json::Result<String> {
    serde_json::to_string(&Compact::Schema(schema))
}

/// Packs schemas, given as type name and one line of JSON text, in ascending order of type name.
///
/// The same schemas always give the same bytes. `level` is zstd's, from 1 (fast) to 19 (small).
///
/// # Errors
///
/// [`BundleError::NotSorted`]; [`BundleError::Compression`] when zstd runs out of memory.
pub fn write<N, T>(schemas: impl IntoIterator<Item = (N, T)>, level: i32) -> Result<Vec<u8>, BundleError>
where
    N: Into<String>,
    T: AsRef<str>,
{
    let mut writer = Writer { level, ..Writer::default() };
    let mut last = String::new();
    for (type_name, text) in schemas {
        let type_name = type_name.into();
        if type_name <= last {
            return Err(BundleError::NotSorted { type_name });
        }
        writer.add(&type_name, text.as_ref())?;
        last = type_name;
    }
    writer.finish()
}

/// A bundle that [`write()`] made, read in place.
#[derive(Debug, Clone, Copy)]
pub struct Bundle<'a> {
    index: &'a str,
    frames: &'a [u8],
}

impl<'a> Bundle<'a> {
    /// Looks at the header alone; costs next to nothing.
    ///
    /// # Errors
    ///
    /// [`BundleError::Damaged`] when the bytes do not start with an index.
    pub fn open(bytes: &'a [u8]) -> Result<Self, BundleError> {
        let damaged = |reason| BundleError::Damaged { reason };
        let (magic, rest) = bytes.split_first_chunk::<4>().ok_or(damaged("it ends within its header"))?;
        let (length, rest) = rest.split_first_chunk::<4>().ok_or(damaged("it ends within its header"))?;
        if *magic != SKIPPABLE {
            return Err(damaged("it does not start with an index"));
        }
        let (index, frames) =
            rest.split_at_checked(u32::from_le_bytes(*length) as usize).ok_or(damaged("it ends within its index"))?;
        let index = std::str::from_utf8(index).map_err(|_| damaged("its index is no text"))?;
        Ok(Self { index, frames })
    }

    /// All type names, in ascending order.
    pub fn type_names(self) -> impl Iterator<Item = &'a str> + Clone {
        self.index.lines().map(type_name)
    }

    /// The compact JSON text of a type's schema, or `None` when the bundle does not have the type.
    ///
    /// Decompresses one frame up to the end of the schema. Nothing is kept for the next call.
    ///
    /// # Errors
    ///
    /// [`BundleError::Damaged`] and [`BundleError::Compression`] when the bytes are not what [`write()`] made.
    pub fn read(self, wanted: &str) -> Result<Option<String>, BundleError> {
        let Some(line) = self.find(wanted) else { return Ok(None) };
        let damaged = |reason| BundleError::Damaged { reason };
        let mut fields = line.split('\t').skip(1).map(str::parse::<usize>);
        let mut field = || fields.next().and_then(Result::ok).ok_or(damaged("a line of its index has no such number"));
        let (frame_start, frame_length, start, length) = (field()?, field()?, field()?, field()?);
        let frame = self
            .frames
            .get(frame_start..)
            .and_then(|rest| rest.get(..frame_length))
            .ok_or(damaged("its index points behind its end"))?;

        let compression = |source| BundleError::Compression { source };
        let mut text = Vec::new();
        let end = start.checked_add(length).ok_or(damaged("its index points behind its end"))?;
        let decoder = zstd::stream::read::Decoder::with_buffer(frame).map_err(compression)?;
        decoder.take(end as u64).read_to_end(&mut text).map_err(compression)?;
        if text.len() != end {
            return Err(damaged("a frame is shorter than its index says"));
        }
        text.drain(..start);
        String::from_utf8(text).map(Some).map_err(|_| damaged("a schema is no text"))
    }

    /// The line of the index for this type, by binary search over the lines.
    fn find(self, wanted: &str) -> Option<&'a str> {
        let mut rest = self.index;
        while !rest.is_empty() {
            let middle = rest.floor_char_boundary(rest.len() / 2);
            let start = rest[..middle].rfind('\n').map_or(0, |newline| newline + 1);
            let end = rest[start..].find('\n').map_or(rest.len(), |newline| start + newline + 1);
            let line = rest[start..end].trim_end_matches('\n');
            match type_name(line).cmp(wanted) {
                std::cmp::Ordering::Equal => return Some(line),
                std::cmp::Ordering::Less => rest = &rest[end..],
                std::cmp::Ordering::Greater => rest = &rest[..start],
            }
        }
        None
    }
}

/// The first field of a line of the index.
fn type_name(line: &str) -> &str {
    line.split('\t').next().unwrap_or("")
}

/// A bundle under construction.
#[derive(Default)]
struct Writer {
    level: i32,
    index: String,
    frames: Vec<u8>,
    /// Text of the frame that is being filled.
    text: String,
    /// Type, position and length of the schemas in `text`.
    pending: Vec<(String, usize, usize)>,
}

impl Writer {
    fn add(&mut self, type_name: &str, text: &str) -> Result<(), BundleError> {
        if !self.text.is_empty() && self.text.len() + text.len() > FRAME_BYTES {
            self.end_frame()?;
        }
        self.pending.push((type_name.to_owned(), self.text.len(), text.len()));
        self.text.push_str(text);
        self.text.push('\n');
        Ok(())
    }

    fn end_frame(&mut self) -> Result<(), BundleError> {
        let frame = zstd::bulk::compress(self.text.as_bytes(), self.level)
            .map_err(|source| BundleError::Compression { source })?;
        for (type_name, start, length) in self.pending.drain(..) {
            let line = format!("{type_name}\t{}\t{}\t{start}\t{length}\n", self.frames.len(), frame.len());
            self.index.push_str(&line);
        }
        self.frames.extend_from_slice(&frame);
        self.text.clear();
        Ok(())
    }

    fn finish(mut self) -> Result<Vec<u8>, BundleError> {
        if !self.text.is_empty() {
            self.end_frame()?;
        }
        let length =
            u32::try_from(self.index.len()).map_err(|_| BundleError::Damaged { reason: "its index exceeds 4 GiB" })?;
        let mut bytes = Vec::with_capacity(HEADER_BYTES + self.index.len() + self.frames.len());
        bytes.extend_from_slice(&SKIPPABLE);
        bytes.extend_from_slice(&length.to_le_bytes());
        bytes.extend_from_slice(self.index.as_bytes());
        bytes.append(&mut self.frames);
        Ok(bytes)
    }
}

/// A part of a schema, written without what is for people. What a key means depends on where it stands: a property
/// may be called `description`.
#[derive(Clone, Copy)]
enum Compact<'a> {
    /// A schema, or a list of schemas.
    Schema(&'a Value),
    /// A map from free names to schemas.
    Named(&'a Value),
}

impl Serialize for Compact<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match *self {
            Compact::Schema(Value::Object(members)) => {
                let mut map = serializer.serialize_map(None)?;
                for (key, value) in members.iter().filter(|(key, _)| !FOR_PEOPLE.contains(&key.as_str())) {
                    if DATA.contains(&key.as_str()) {
                        map.serialize_entry(key, value)?;
                    } else if NAMED_SCHEMAS.contains(&key.as_str()) {
                        map.serialize_entry(key, &Compact::Named(value))?;
                    } else {
                        map.serialize_entry(key, &Compact::Schema(value))?;
                    }
                }
                map.end()
            }
            Compact::Named(Value::Object(members)) => {
                let mut map = serializer.serialize_map(Some(members.len()))?;
                for (name, schema) in members {
                    map.serialize_entry(name, &Compact::Schema(schema))?;
                }
                map.end()
            }
            Compact::Schema(Value::Array(items)) => {
                let mut list = serializer.serialize_seq(Some(items.len()))?;
                for item in items {
                    list.serialize_element(&Compact::Schema(item))?;
                }
                list.end()
            }
            Compact::Schema(value) | Compact::Named(value) => value.serialize(serializer),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

    use super::*;

    fn sample(count: usize) -> Vec<(String, String)> {
        let one = |number| (format!("AWS::Some::Type{number:05}"), format!("{{\"n\":{number},\"é\":\"{:900}\"}}", ""));
        (0..count).map(one).collect()
    }

    fn pack(schemas: &[(String, String)]) -> Vec<u8> {
        write(schemas.iter().map(|(name, text)| (name.as_str(), text.as_str())), 3).unwrap()
    }

    #[test]
    fn every_schema_comes_back() {
        for count in [0, 1, 2, 3, 1_000] {
            let schemas = sample(count);
            let bytes = pack(&schemas);
            let bundle = Bundle::open(&bytes).unwrap();
            assert!(bundle.type_names().eq(schemas.iter().map(|(name, _)| name.as_str())));
            for (name, text) in &schemas {
                assert_eq!(bundle.read(name).unwrap().as_ref(), Some(text));
            }
            for absent in ["", "AWS::A::B", "AWS::Some::Type", "AWS::Some::Type000000", "ZZZ"] {
                assert_eq!(bundle.read(absent).unwrap(), None, "{absent:?} among {count}");
            }
        }
    }

    #[test]
    fn the_whole_is_a_zstd_stream_of_lines() {
        let schemas = sample(700);
        let text = zstd::stream::decode_all(pack(&schemas).as_slice()).unwrap();
        assert!(String::from_utf8(text).unwrap().lines().eq(schemas.iter().map(|(_, text)| text.as_str())));
    }

    #[test]
    fn order_is_demanded() {
        let error = write([("B", "{}"), ("A", "{}")], 3).unwrap_err();
        assert_eq!(error.to_string(), "A: schemas must come in ascending order of type name, each type once");
        assert!(write([("A", "{}"), ("A", "{}")], 3).is_err());
    }

    #[test]
    fn damaged_bundles_are_errors() {
        let schemas = sample(3);
        let bytes = pack(&schemas);
        for end in 0..bytes.len() {
            let read = Bundle::open(&bytes[..end]).and_then(|bundle| bundle.read(&schemas[2].0));
            assert!(read.is_err(), "cut after {end} bytes");
        }
        for place in 0..bytes.len() {
            let mut bytes = bytes.clone();
            bytes[place] ^= 0x55;
            // What comes out may be wrong, since the frames carry no checksum, but nothing panics.
            let _ = Bundle::open(&bytes).and_then(|bundle| bundle.read(&schemas[2].0));
        }
    }

    #[test]
    fn compact_drops_what_is_for_people() {
        let schema = serde_json::json!({
            "title": "t", "description": "d", "$comment": "c", "typeName": "AWS::Some::Type",
            "properties": {
                "description": {"type": "string", "description": "d", "examples": ["e"]},
                "title": {"type": "object", "default": {"title": "kept"}, "enum": [{"description": "kept"}]},
            },
            "definitions": {"examples": {"anyOf": [{"title": "t", "required": ["description"]}]}},
            "handlers": {"list": {"handlerSchema": {"properties": {"title": {"$ref": "r"}}}}},
        });
        let expected = serde_json::json!({
            "typeName": "AWS::Some::Type",
            "properties": {
                "description": {"type": "string"},
                "title": {"type": "object", "default": {"title": "kept"}, "enum": [{"description": "kept"}]},
            },
            "definitions": {"examples": {"anyOf": [{"required": ["description"]}]}},
            "handlers": {"list": {"handlerSchema": {"properties": {"title": {"$ref": "r"}}}}},
        });
        assert_eq!(compact(&schema).unwrap(), expected.to_string());
    }
}
