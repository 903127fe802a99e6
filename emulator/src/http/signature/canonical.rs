//! The canonical form of a request: what a signature is made of.

use super::form;
use crate::entropy::digest_bytes;
use crate::http::host;
use axum::http::request::Parts;

/// What decides how paths and bodies are taken.
pub(super) struct Payload {
    /// S3 signs paths as they are meant; other services sign them as they are sent.
    pub(super) is_s3: bool,
    pub(super) is_presigned: bool,
}

/// The canonical form; none when the body is not the one whose hash was sent.
pub(super) fn request(parts: &Parts, signed: &[String], body: &[u8], payload: &Payload) -> Option<String> {
    let headers: String = signed.iter().map(|name| format!("{name}:{}\n", header(parts, name))).collect();
    Some(format!(
        "{}\n{}\n{}\n{headers}\n{}\n{}",
        parts.method,
        path(parts.uri.path(), payload.is_s3),
        query(parts.uri.query().unwrap_or_default()),
        signed.join(";"),
        body_hash(parts, body, payload)?,
    ))
}

/// The values of a header, without space around them and with one space for many.
fn header(parts: &Parts, name: &str) -> String {
    if name == "host" {
        return host::authority(parts).to_owned();
    }
    let trimmed = |value: &axum::http::HeaderValue| {
        let text = String::from_utf8_lossy(value.as_bytes()).into_owned();
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    parts.headers.get_all(name).iter().map(trimmed).collect::<Vec<_>>().join(",")
}

pub(super) fn path(path: &str, is_s3: bool) -> String {
    if is_s3 {
        return form::encode(&form::decode_percent(path), b"/");
    }
    let mut kept: Vec<&str> = Vec::new();
    for segment in path.split('/') {
        match segment {
            "" | "." => {}
            ".." => {
                kept.pop();
            }
            other => kept.push(other),
        }
    }
    let is_folder = path.ends_with('/') && !kept.is_empty();
    let joined = kept.iter().map(|segment| format!("/{}", form::encode(segment, b""))).collect::<String>();
    match (joined.is_empty(), is_folder) {
        (true, _) => "/".to_owned(),
        (false, true) => joined + "/",
        (false, false) => joined,
    }
}

/// The sorted query without the signature itself.
pub(super) fn query(query: &str) -> String {
    let pairs = query.split('&').filter(|pair| !pair.is_empty());
    let pairs = pairs.map(|pair| pair.split_once('=').unwrap_or((pair, "")));
    let recoded = |text: &str| form::encode(&form::decode_percent(text), b"");
    let mut pairs: Vec<(String, String)> = pairs.map(|(name, value)| (recoded(name), recoded(value))).collect();
    pairs.retain(|(name, _)| name != "X-Amz-Signature");
    pairs.sort();
    pairs.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join("&")
}

fn body_hash(parts: &Parts, body: &[u8], payload: &Payload) -> Option<String> {
    const UNSIGNED: &str = "UNSIGNED-PAYLOAD";
    let claimed = parts.headers.get("x-amz-content-sha256").and_then(|value| value.to_str().ok());
    match claimed {
        Some(claimed) if claimed == UNSIGNED || claimed.starts_with("STREAMING-") => Some(claimed.to_owned()),
        Some(claimed) => (digest_bytes(body) == claimed).then(|| claimed.to_owned()),
        None if payload.is_s3 && payload.is_presigned => Some(UNSIGNED.to_owned()),
        None => Some(digest_bytes(body)),
    }
}
