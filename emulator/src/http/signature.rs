//! Signatures of version 4, in headers and in presigned URLs, as `--auth` wants them: ignored, there, or right.
//!
//! What is signed and how is public (Signature Version 4 in the IAM user guide). Bodies that come in signed chunks are
//! held to the signature of their headers only.

mod canonical;

use super::form;
use crate::core::Core;
use crate::date;
use crate::entropy::digest_bytes;
use crate::hex;
use crate::options::Auth;
use crate::services::session::Session;
use axum::http::request::Parts;
use canonical::Payload;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

/// How far the time of a signature may be from that of the emulator, in seconds.
const WINDOW: u64 = 300;

/// The longest that a presigned URL may be good for, in seconds.
const LONGEST: u64 = 604_800;

const ALGORITHM: &str = "AWS4-HMAC-SHA256";

/// Why a call is not taken for its caller's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// There is no signature.
    Missing,
    /// There is one that cannot be read.
    Incomplete(String),
    /// Nobody knows the key, or the session token is another's.
    Unrecognized,
    /// The session or the presigned URL is over.
    Expired(String),
    /// It was made too long ago, or is from the future.
    Skewed(String),
    /// It is not the one that the secret makes.
    Mismatch,
    /// It is of version 2.
    Obsolete,
}

/// A signature as it stands in a request.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Signed {
    key: String,
    /// `DATE/REGION/SERVICE/aws4_request`.
    scope: String,
    headers: Vec<String>,
    signature: String,
    /// When it was made, as it stands there.
    time: String,
    /// The session token.
    token: Option<String>,
    /// Seconds for which a presigned URL is good.
    expires: Option<u64>,
}

/// Holds a request against what the emulator asks of signatures.
pub(super) fn check(core: &Core, parts: &Parts, body: &[u8]) -> Result<(), Refusal> {
    if is_version_2(parts) {
        return Err(Refusal::Obsolete);
    }
    match core.options.switches.auth {
        Auth::Accept => Ok(()),
        Auth::Require => read(parts).map(|_| ()),
        Auth::Verify => verify(core, parts, body, &read(parts)?),
    }
}

fn verify(core: &Core, parts: &Parts, body: &[u8], signed: &Signed) -> Result<(), Refusal> {
    let now = date::seconds(core.now());
    let session = Session::find(core, &signed.key);
    let secret = match &session {
        Some(session) if signed.token.as_deref() != Some(session.token.as_str()) => return Err(Refusal::Unrecognized),
        Some(session) if session.expires <= now => {
            return Err(Refusal::Expired("The security token included in the request is expired".to_owned()));
        }
        Some(session) => session.secret.clone(),
        None => {
            let known = core.options.credentials.get(&signed.key).and_then(|known| known.secret.clone());
            known.ok_or(Refusal::Unrecognized)?
        }
    };
    is_current(signed, now)?;
    let service = signed.scope.split('/').nth(2).unwrap_or_default();
    let payload = Payload { is_s3: service == "s3", is_presigned: signed.expires.is_some() };
    let canonical = canonical::request(parts, &signed.headers, body, &payload).ok_or(Refusal::Mismatch)?;
    let text = format!("{ALGORITHM}\n{}\n{}\n{}", signed.time, signed.scope, digest_bytes(canonical.as_bytes()));
    if is_right(&secret, &signed.scope, &text, &signed.signature) { Ok(()) } else { Err(Refusal::Mismatch) }
}

/// Whether a signature, in hexadecimal digits, is that of a text. The time does not tell how much of it is right.
fn is_right(secret: &str, scope: &str, text: &str, signature: &str) -> bool {
    let first = format!("AWS4{secret}").into_bytes();
    let key = scope
        .split('/')
        .try_fold(first, |key, part| Some(code(&key, part.as_bytes())?.finalize().into_bytes().to_vec()));
    let code = key.and_then(|key| code(&key, text.as_bytes()));
    code.zip(hex::decode(signature)).is_some_and(|(code, signature)| code.verify_slice(&signature).is_ok())
}

/// The code of a text; a key of any length will do.
fn code(key: &[u8], text: &[u8]) -> Option<Hmac<Sha256>> {
    let mut code = Hmac::<Sha256>::new_from_slice(key).ok()?;
    code.update(text);
    Some(code)
}

/// Whether a URL was presigned as version 2 does it. Nothing of it says which service is meant, so that it is refused even
/// where signatures are ignored, with a text that helps.
fn is_version_2(parts: &Parts) -> bool {
    let query = parts.uri.query().unwrap_or_default();
    ["AWSAccessKeyId", "Signature"].into_iter().all(|name| form::get(query, name).is_some())
}

/// Whether a signature is from now, or a presigned URL still good.
fn is_current(signed: &Signed, now: u64) -> Result<(), Refusal> {
    let Some(made) = date::parse_basic(&signed.time) else {
        return Err(Refusal::Incomplete(format!("the date {} is not like 20150830T123600Z", signed.time)));
    };
    let (time, at) = (&signed.time, date::basic(now));
    if made > now + WINDOW {
        let limit = date::basic(now + WINDOW);
        let text = format!("Signature not yet current: {time} is still later than {limit} ({at} + 5 min.)");
        return Err(Refusal::Skewed(text));
    }
    match signed.expires {
        Some(expires) if now > made.saturating_add(expires) => Err(Refusal::Expired("Request has expired".to_owned())),
        None if made + WINDOW < now => {
            let limit = date::basic(now.saturating_sub(WINDOW));
            let text = format!("Signature expired: {time} is now earlier than {limit} ({at} - 5 min.)");
            Err(Refusal::Skewed(text))
        }
        _ => Ok(()),
    }
}

/// The signature of a request.
fn read(parts: &Parts) -> Result<Signed, Refusal> {
    let query = parts.uri.query().unwrap_or_default();
    match parts.headers.get("authorization") {
        Some(header) => read_header(parts, header.to_str().unwrap_or_default()),
        None if form::get(query, "X-Amz-Signature").is_some() => read_query(query),
        None => Err(Refusal::Missing),
    }
}

fn read_header(parts: &Parts, header: &str) -> Result<Signed, Refusal> {
    let Some(fields) = header.strip_prefix(ALGORITHM).filter(|rest| rest.starts_with(' ')) else {
        return Err(Refusal::Incomplete(format!("the Authorization header does not begin with {ALGORITHM}")));
    };
    let field = |name: &str| {
        let found = fields.split(',').find_map(|field| field.trim().strip_prefix(name)?.strip_prefix('='));
        found.map(str::to_owned).ok_or_else(|| missing(name, "Authorization header"))
    };
    let other = |name: &str| parts.headers.get(name).and_then(|value| value.to_str().ok()).map(str::to_owned);
    let time = other("x-amz-date").ok_or_else(|| missing("X-Amz-Date", "Authorization header"))?;
    let (credential, headers, signature) = (field("Credential")?, field("SignedHeaders")?, field("Signature")?);
    complete(Parts4 { credential, headers, signature, time, token: other("x-amz-security-token"), expires: None })
}

fn read_query(query: &str) -> Result<Signed, Refusal> {
    let field = |name: &str| form::get(query, name).ok_or_else(|| missing(name, "query"));
    let algorithm = field("X-Amz-Algorithm")?;
    if algorithm != ALGORITHM {
        return Err(Refusal::Incomplete(format!("X-Amz-Algorithm is not {ALGORITHM}")));
    }
    let expires = field("X-Amz-Expires")?.parse().ok().filter(|seconds| (1..=LONGEST).contains(seconds));
    let expires =
        expires.ok_or_else(|| Refusal::Incomplete(format!("X-Amz-Expires is no number from 1 to {LONGEST}")))?;
    complete(Parts4 {
        credential: field("X-Amz-Credential")?,
        headers: field("X-Amz-SignedHeaders")?,
        signature: field("X-Amz-Signature")?,
        time: field("X-Amz-Date")?,
        token: form::get(query, "X-Amz-Security-Token"),
        expires: Some(expires),
    })
}

/// The fields of a signature before they are looked at together.
struct Parts4 {
    credential: String,
    headers: String,
    signature: String,
    time: String,
    token: Option<String>,
    expires: Option<u64>,
}

fn complete(found: Parts4) -> Result<Signed, Refusal> {
    let Parts4 { credential, headers, signature, time, token, expires } = found;
    let (key, scope) = credential.split_once('/').unwrap_or((&credential, ""));
    let fields: Vec<&str> = scope.split('/').collect();
    let is_scope = matches!(fields.as_slice(), [date, region, service, "aws4_request"]
        if date.len() == 8 && !region.is_empty() && !service.is_empty() && time.starts_with(date));
    if key.is_empty() || !is_scope {
        let text = "the credential must be KEY/DATE/REGION/SERVICE/aws4_request, with the date of the signature";
        return Err(Refusal::Incomplete(text.to_owned()));
    }
    let headers: Vec<String> = headers.split(';').map(str::to_ascii_lowercase).collect();
    if !headers.iter().any(|name| name == "host") {
        return Err(Refusal::Incomplete("host must be among the signed headers".to_owned()));
    }
    Ok(Signed { key: key.to_owned(), scope: scope.to_owned(), headers, signature, time, token, expires })
}

fn missing(name: &str, place: &str) -> Refusal {
    Refusal::Incomplete(format!("{place} requires '{name}' parameter."))
}

#[cfg(test)]
mod tests;
