//! From values to the wire form.
//!
//! Every function writes its part before what is already written; see [`Writer`]. Hence the last member comes first.

use bytes::Bytes;
use value::asset::{Archive, ArchiveMember, ArchiveSource, Asset, AssetSource};
use value::{Map, Output, Reference, Unknown, Value};

use super::envelope::{
    ARCHIVE_SIGNATURE, ASSET_SIGNATURE, OUTPUT_SIGNATURE, REFERENCE_SIGNATURE, SECRET_SIGNATURE, SIGNATURE_KEY,
};
use super::options::{EncodeOptions, Nulls, Secrets, Unknowns};
use super::wire::{Writer, tag};

/// Writes a `google.protobuf.Struct`: members in order of their names, every value with a kind, every secret once.
///
/// The result is `Some` in the message field even when it has no bytes: an empty struct is not an absent one.
pub fn encode(members: &Map, options: EncodeOptions) -> Bytes {
    let mut writer = Writer::new();
    write_members(&mut writer, members, options);
    writer.finish()
}

/// Writes a `google.protobuf.Value`. A value that the options leave out becomes null.
pub fn encode_value(value: &Value, options: EncodeOptions) -> Bytes {
    let mut writer = Writer::new();
    write_item(&mut writer, value, options);
    writer.finish()
}

fn write_members(writer: &mut Writer, members: &Map, options: EncodeOptions) {
    for (key, value) in members.iter().rev() {
        if !is_left_out(value, options) {
            write_member(writer, key, |writer| write_value(writer, value, options));
        }
    }
}

fn is_left_out(value: &Value, options: EncodeOptions) -> bool {
    match value {
        Value::Null => options.nulls == Nulls::Skip,
        Value::Unknown(_) => options.unknowns == Unknowns::Drop,
        Value::Output(output) => output.value.is_none() && options.unknowns == Unknowns::Drop,
        // A secret keeps its null, which is a content; without its mark it is a null like any other.
        Value::Secret(inner) => match inner.unsecret() {
            Value::Null => options.nulls == Nulls::Skip && options.secrets == Secrets::Unwrap,
            inner => is_unknown(inner) && options.unknowns == Unknowns::Drop,
        },
        _ => false,
    }
}

fn is_unknown(value: &Value) -> bool {
    value.is_unknown()
}

/// Writes an item of an array, which keeps its place even if it is left out.
fn write_item(writer: &mut Writer, value: &Value, options: EncodeOptions) {
    match options.unknowns == Unknowns::Drop && is_unknown(value.unsecret()) {
        true => write_null(writer),
        false => write_value(writer, value, options),
    }
}

fn write_value(writer: &mut Writer, value: &Value, options: EncodeOptions) {
    match value {
        Value::Null => write_null(writer),
        Value::Bool(value) => write_bool(writer, *value),
        Value::Number(value) => {
            writer.prepend(&value.to_le_bytes());
            writer.prepend(&[tag::NUMBER]);
        }
        Value::String(text) => write_text(writer, text),
        Value::Array(items) => {
            let end = writer.len();
            for item in items.iter().rev() {
                let end = writer.len();
                write_item(writer, item, options);
                writer.close_field(tag::VALUES, end);
            }
            writer.close_field(tag::LIST, end);
        }
        Value::Object(members) => {
            let end = writer.len();
            write_members(writer, members, options);
            writer.close_field(tag::STRUCT, end);
        }
        Value::Unknown(unknown) => write_text(writer, unknown.sentinel()),
        Value::Secret(inner) => match options.secrets {
            Secrets::Unwrap => write_value(writer, inner.unsecret(), options),
            Secrets::Keep => write_envelope(writer, SECRET_SIGNATURE, |writer| {
                write_member(writer, "value", |writer| write_value(writer, inner.unsecret(), options));
            }),
        },
        Value::Asset(asset) => write_asset(writer, asset),
        Value::Archive(archive) => write_archive(writer, archive),
        Value::Output(output) => write_output(writer, output, options),
        Value::Reference(reference) => write_reference(writer, reference, options),
    }
}

fn write_asset(writer: &mut Writer, asset: &Asset) {
    write_envelope(writer, ASSET_SIGNATURE, |writer| {
        match &asset.source {
            AssetSource::Text(text) => write_text_member(writer, "text", text),
            AssetSource::Path(path) => write_text_member(writer, "path", path),
            AssetSource::Uri(uri) => write_text_member(writer, "uri", uri),
            AssetSource::Elided => {}
        }
        write_text_member(writer, "hash", asset.hash.as_deref().unwrap_or_default());
    });
}

fn write_archive(writer: &mut Writer, archive: &Archive) {
    write_envelope(writer, ARCHIVE_SIGNATURE, |writer| {
        match &archive.source {
            ArchiveSource::Path(path) => write_text_member(writer, "path", path),
            ArchiveSource::Uri(uri) => write_text_member(writer, "uri", uri),
            ArchiveSource::Elided => {}
            ArchiveSource::Members(members) => write_member(writer, "assets", |writer| {
                let end = writer.len();
                for (name, member) in members.iter().rev() {
                    write_member(writer, name, |writer| match member {
                        ArchiveMember::Asset(asset) => write_asset(writer, asset),
                        ArchiveMember::Archive(archive) => write_archive(writer, archive),
                    });
                }
                writer.close_field(tag::STRUCT, end);
            }),
        }
        write_text_member(writer, "hash", archive.hash.as_deref().unwrap_or_default());
    });
}

fn write_output(writer: &mut Writer, output: &Output, options: EncodeOptions) {
    write_envelope(writer, OUTPUT_SIGNATURE, |writer| {
        if let Some(value) = &output.value {
            write_member(writer, "value", |writer| write_item(writer, value, options));
        }
        if output.secret && options.secrets == Secrets::Keep {
            write_member(writer, "secret", |writer| write_bool(writer, true));
        }
        if !output.dependencies.is_empty() {
            write_member(writer, "dependencies", |writer| {
                let end = writer.len();
                for urn in output.dependencies.iter().rev() {
                    let end = writer.len();
                    write_text(writer, urn);
                    writer.close_field(tag::VALUES, end);
                }
                writer.close_field(tag::LIST, end);
            });
        }
    });
}

fn write_reference(writer: &mut Writer, reference: &Reference, options: EncodeOptions) {
    write_envelope(writer, REFERENCE_SIGNATURE, |writer| {
        write_text_member(writer, "packageVersion", reference.package_version.as_deref().unwrap_or_default());
        match &reference.id {
            None => {}
            // An empty id stands for an unknown one, in every language.
            Some(Value::Unknown(Unknown::String)) => write_member(writer, "id", |writer| write_text(writer, "")),
            Some(id) => write_member(writer, "id", |writer| write_item(writer, id, options)),
        }
        write_member(writer, "urn", |writer| write_text(writer, &reference.urn));
    });
}

/// Writes an object of a signature and what `members` writes.
fn write_envelope(writer: &mut Writer, signature: &str, members: impl FnOnce(&mut Writer)) {
    let end = writer.len();
    members(writer);
    write_member(writer, SIGNATURE_KEY, |writer| write_text(writer, signature));
    writer.close_field(tag::STRUCT, end);
}

/// Writes a member of an object; `value` writes its value.
fn write_member(writer: &mut Writer, key: &str, value: impl FnOnce(&mut Writer)) {
    let entry_end = writer.len();
    value(writer);
    writer.close_field(tag::VALUE, entry_end);
    writer.prepend_field(tag::KEY, key.as_bytes());
    writer.close_field(tag::FIELDS, entry_end);
}

/// Writes a member that is left out when it is empty.
fn write_text_member(writer: &mut Writer, key: &str, text: &str) {
    if !text.is_empty() {
        write_member(writer, key, |writer| write_text(writer, text));
    }
}

fn write_text(writer: &mut Writer, text: &str) {
    writer.prepend_field(tag::STRING, text.as_bytes());
}

fn write_null(writer: &mut Writer) {
    writer.prepend(&[tag::NULL, 0]);
}

fn write_bool(writer: &mut Writer, value: bool) {
    writer.prepend(&[tag::BOOL, value.into()]);
}
