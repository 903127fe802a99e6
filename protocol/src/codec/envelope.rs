//! What the special kinds of value look like on the wire: objects with a signature under a reserved key.
//!
//! Reading turns the members of such an object into the value that it stands for. Outputs and references are flattened:
//! a known output becomes its value, an unknown one an unknown, a reference its id, or its URN when it has none.

use std::collections::BTreeMap;

use base64::Engine as _;
use value::asset::{EMPTY_ARCHIVE_HASH, EMPTY_ASSET_HASH};
use value::{Archive, ArchiveMember, ArchiveSource, Asset, AssetSource, Map, Unknown, Value};

use super::error::CodecError;
use super::options::{Assets, DecodeOptions, Secrets, Unknowns};
use super::trail::{Step, Trail};

pub(super) use value::json::{ASSET_SIGNATURE, SIGNATURE_KEY};

/// The signature of a secret.
pub const SECRET_SIGNATURE: &str = "1b47061264138c4ac30d75fd1eb44270";
pub(super) const OUTPUT_SIGNATURE: &str = "d0e6a833031e9bbcd3f4e8bde6ca49a4";
pub(super) const REFERENCE_SIGNATURE: &str = "5cf8f73096256a8f31e491e813e4eb8e";
pub(super) const ARCHIVE_SIGNATURE: &str = "0def7320c3a5731c473e5ecbe6d01bc7";
const BYTE_STRING_SIGNATURE: &str = "803fd3297a5875dc03ca845dda5d2a98";

/// The value that an object with a signature stands for. `members` are as sent: no null or unknown has been left out.
pub(super) fn open(mut members: Map, options: DecodeOptions, trail: &Trail<'_>) -> Result<Value, CodecError> {
    let signature = members.remove(SIGNATURE_KEY).unwrap_or_default();
    match signature.as_str() {
        Some(SECRET_SIGNATURE) => match members.remove("value") {
            Some(value) => Ok(protect(value, options)),
            None => Err(CodecError::SecretWithoutValue { key: trail.key().to_owned(), path: trail.path() }),
        },
        Some(OUTPUT_SIGNATURE) => open_output(members, options, trail),
        Some(REFERENCE_SIGNATURE) => open_reference(members, trail),
        Some(ASSET_SIGNATURE) => match options.assets {
            Assets::Allow => open_asset(members, trail).map(Value::from),
            Assets::Reject => Err(CodecError::UnexpectedAsset { key: trail.key().to_owned(), path: trail.path() }),
        },
        Some(ARCHIVE_SIGNATURE) => match options.assets {
            Assets::Allow => open_archive(members, trail).map(Value::from),
            Assets::Reject => Err(CodecError::UnexpectedArchive { key: trail.key().to_owned(), path: trail.path() }),
        },
        Some(BYTE_STRING_SIGNATURE) => open_byte_string(members, trail),
        _ => Err(CodecError::UnrecognizedSignature {
            signature: signature.as_str().map_or_else(|| signature.type_name().into_owned(), str::to_owned),
            key: trail.key().to_owned(),
            path: trail.path(),
        }),
    }
}

/// Marks a value secret. An unknown that will be dropped stays bare, so that whoever holds it sees that it is one.
fn protect(value: Value, options: DecodeOptions) -> Value {
    match (options.secrets, options.unknowns, &value) {
        (Secrets::Unwrap, _, _) | (_, Unknowns::Drop, Value::Unknown(_)) => value,
        (Secrets::Keep, _, _) => Value::secret(value),
    }
}

fn open_output(mut members: Map, options: DecodeOptions, trail: &Trail<'_>) -> Result<Value, CodecError> {
    let malformed = |reason| malformed("output", reason, trail);
    let secret = match members.remove("secret") {
        None => false,
        Some(Value::Bool(secret)) => secret,
        Some(_) => return Err(malformed("`secret` is not a bool")),
    };
    match members.get("dependencies") {
        None => {}
        Some(Value::Array(urns)) if urns.iter().all(|urn| urn.as_str().is_some()) => {}
        Some(_) => return Err(malformed("`dependencies` is not an array of strings")),
    }
    let value = members.remove("value").unwrap_or(Value::Unknown(Unknown::String));
    Ok(if secret { protect(value, options) } else { value })
}

fn open_reference(mut members: Map, trail: &Trail<'_>) -> Result<Value, CodecError> {
    let Some(Value::String(urn)) = members.remove("urn") else {
        return Err(malformed("resource reference", "`urn` is missing or not a string", trail));
    };
    match members.remove("id") {
        None => Ok(Value::String(urn)),
        Some(Value::String(id)) if id.is_empty() => Ok(Value::Unknown(Unknown::String)),
        Some(Value::Unknown(_)) => Ok(Value::Unknown(Unknown::String)),
        Some(Value::String(id)) => Ok(Value::String(id)),
        Some(Value::Null) => Ok(Value::String(urn)),
        Some(_) => Err(malformed("resource reference", "`id` is not a string", trail)),
    }
}

fn open_asset(mut members: Map, trail: &Trail<'_>) -> Result<Asset, CodecError> {
    let mut text = |name| take_text(&mut members, name, "asset", trail);
    let hash = text("hash")?;
    let source = match (text("path")?, text("uri")?, text("text")?) {
        (Some(path), _, _) => AssetSource::Path(path),
        (None, Some(uri), _) => AssetSource::Uri(uri),
        (None, None, Some(text)) => AssetSource::Text(text),
        // Empty members are not sent, so that empty text is recognized by its hash alone.
        (None, None, None) => match hash.as_deref() {
            None | Some(EMPTY_ASSET_HASH) => AssetSource::Text(String::new()),
            Some(_) => AssetSource::Elided,
        },
    };
    Ok(Asset { hash, source })
}

fn open_archive(mut members: Map, trail: &Trail<'_>) -> Result<Archive, CodecError> {
    let mut text = |name| take_text(&mut members, name, "archive", trail);
    let hash = text("hash")?;
    let source = match (text("path")?, text("uri")?, members.remove("assets")) {
        (Some(path), _, _) => ArchiveSource::Path(path),
        (None, Some(uri), _) => ArchiveSource::Uri(uri),
        (None, None, Some(Value::Object(assets))) => ArchiveSource::Members(open_members(assets, trail)?),
        (None, None, None | Some(Value::Null)) => match hash.as_deref() {
            None | Some(EMPTY_ARCHIVE_HASH) => ArchiveSource::Members(BTreeMap::new()),
            Some(_) => ArchiveSource::Elided,
        },
        (None, None, Some(_)) => return Err(malformed("archive", "`assets` is not an object", trail)),
    };
    Ok(Archive { hash, source })
}

fn open_members(assets: Map, trail: &Trail<'_>) -> Result<BTreeMap<String, ArchiveMember>, CodecError> {
    let mut members = BTreeMap::new();
    for (name, value) in assets {
        let member = match value {
            Value::Asset(asset) => ArchiveMember::Asset(*asset),
            Value::Archive(archive) => ArchiveMember::Archive(*archive),
            _ => {
                let reason = "a member is neither an asset nor an archive";
                return Err(malformed("archive", reason, &trail.to(Step::Key(&name))));
            }
        };
        members.insert(name, member);
    }
    Ok(members)
}

fn open_byte_string(mut members: Map, trail: &Trail<'_>) -> Result<Value, CodecError> {
    let malformed = |reason| malformed("byte string", reason, trail);
    let Some(Value::String(text)) = members.remove("value") else {
        return Err(malformed("`value` is missing or not a string"));
    };
    let bytes =
        base64::engine::general_purpose::STANDARD.decode(text).map_err(|_| malformed("`value` is not base64"))?;
    match String::from_utf8(bytes) {
        Ok(text) => Ok(Value::String(text)),
        Err(_) => Err(CodecError::InvalidUtf8 { path: trail.path(), what: "the content of a byte string" }),
    }
}

/// Takes a member that must be text; an empty one counts as absent.
fn take_text(
    members: &mut Map,
    name: &'static str,
    kind: &'static str,
    trail: &Trail<'_>,
) -> Result<Option<String>, CodecError> {
    match members.remove(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text).filter(|text| !text.is_empty())),
        Some(_) => Err(malformed(kind, "a member that must be a string is not", &trail.to(Step::Key(name)))),
    }
}

fn malformed(kind: &'static str, reason: &'static str, trail: &Trail<'_>) -> CodecError {
    CodecError::MalformedEnvelope { path: trail.path(), kind, reason }
}
