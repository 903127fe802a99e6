//! S3's objects: written, read, listed and deleted, in buckets that exist because Cloud Control made them.
//!
//! | module | what is in it |
//! |---|---|
//! | this one | the operations |
//! | [`place`] | bucket, key and operation of a request |
//! | [`object`] | objects as they are kept |
//! | [`chunked`] | bodies in chunks |
//! | [`listing`] | lists of keys |
//!
//! With `--s3-auto-bucket=on` every bucket exists. Any region will do. An ETag is an opaque text, not an MD5 digest.

mod chunked;
mod listing;
mod object;
mod place;

use super::error::{Form, ServiceError};
use super::{Asked, Service, ServiceCall};
use crate::date;
use crate::http::{Answer, Reply, xml};
use listing::Wish;
use object::{About, Object};
use place::Place;

/// The largest object.
const LARGEST: usize = 16 << 20;

/// The longest key.
const LONGEST: usize = 1_024;

/// Headers of a PUT that come back with the object.
const KEPT: [&str; 6] = [
    "content-type",
    "content-encoding",
    "content-disposition",
    "content-language",
    "cache-control",
    "x-amz-storage-class",
];

/// The Simple Storage Service.
pub(super) struct S3;

impl Service for S3 {
    fn name(&self) -> &'static str {
        "s3"
    }

    fn form(&self) -> Form {
        Form::S3
    }

    fn operations(&self) -> &'static [&'static str] {
        &["PutObject", "GetObject", "HeadObject", "DeleteObject", "ListObjectsV2", "HeadBucket", "GetBucketLocation"]
    }

    fn operation(&self, asked: &Asked<'_>) -> String {
        place::operation(asked.parts)
    }

    fn answer(&self, call: &ServiceCall<'_>) -> Result<Reply, ServiceError> {
        let place = Place::of(call.asked.parts);
        if place.key.len() > LONGEST {
            return Err(ServiceError::new(400, "KeyTooLongError", "Your key is too long"));
        }
        let bucket = Bucket::find(call, &place.bucket)?;
        let answer = match call.operation {
            "PutObject" => put(call, &place)?,
            "GetObject" | "HeadObject" => get(call, &place, &bucket)?,
            "DeleteObject" => {
                object::remove(&mut call.txn(), &place);
                Answer::new(204, "application/xml", Vec::new())
            }
            "ListObjectsV2" => {
                let wish = Wish::read(call.asked.parts.uri.query().unwrap_or_default()).ok_or_else(|| {
                    ServiceError::new(400, "InvalidArgument", "The continuation token provided is incorrect")
                })?;
                let keys = object::list(&call.txn(), &place.bucket, &wish.prefix, bucket.since);
                xml::document(200, listing::document(&place.bucket, &wish, keys))
            }
            "GetBucketLocation" => {
                // The first region is written as no constraint at all.
                let region = if bucket.region == "us-east-1" { "" } else { &bucket.region };
                let name = "LocationConstraint xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\"";
                xml::document(200, format!("<{name}>{region}</LocationConstraint>"))
            }
            _ => Answer::new(200, "application/xml", Vec::new()).with_header("x-amz-bucket-region", &bucket.region),
        };
        Ok(Reply::Now(answer.with_header("x-amz-request-id", call.asked.id)))
    }
}

/// A bucket that exists.
struct Bucket {
    region: String,
    /// When it was made, in seconds since 1970.
    since: u64,
}

impl Bucket {
    fn find(call: &ServiceCall<'_>, name: &str) -> Result<Bucket, ServiceError> {
        let txn = call.txn();
        if let Some((shelf, bucket)) = txn.anywhere("AWS::S3::Bucket", name) {
            return Ok(Bucket { region: shelf.region.to_string(), since: bucket.created / 1000 });
        }
        if call.core.options.switches.s3_auto_bucket {
            return Ok(Bucket { region: call.asked.caller.scope.region.to_string(), since: 0 });
        }
        Err(ServiceError::new(404, "NoSuchBucket", "The specified bucket does not exist"))
    }
}

fn put(call: &ServiceCall<'_>, place: &Place) -> Result<Answer, ServiceError> {
    let headers = &call.asked.parts.headers;
    let header = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    let is_chunked = header("x-amz-content-sha256").is_some_and(|hash| hash.starts_with("STREAMING-"))
        || header("content-encoding")
            .is_some_and(|encoding| encoding.split(',').any(|one| one.trim() == "aws-chunked"));
    let content = if is_chunked {
        let text = "The request body was not well-formed aws-chunked data";
        chunked::decode(call.asked.body).ok_or_else(|| ServiceError::new(400, "InvalidRequest", text))?
    } else {
        call.asked.body.to_vec()
    };
    if content.len() > LARGEST {
        let text = format!("Your proposed upload exceeds the maximum allowed size; the emulator keeps {LARGEST} bytes");
        return Err(ServiceError::new(400, "EntityTooLarge", text));
    }
    let mut kept = Vec::new();
    for (name, value) in headers {
        let (name, value) = (name.as_str(), value.to_str().unwrap_or_default());
        let value = match name {
            "content-encoding" => {
                let rest: Vec<&str> = value.split(',').map(str::trim).filter(|one| *one != "aws-chunked").collect();
                rest.join(",")
            }
            _ => value.to_owned(),
        };
        if (KEPT.contains(&name) || name.starts_with("x-amz-meta-")) && !value.is_empty() {
            kept.push((name.to_owned(), value));
        }
    }
    let etag = crate::entropy::digest_bytes(&content).get(..32).unwrap_or_default().to_owned();
    let about = About { etag, modified: call.seconds(), size: content.len() as u64, headers: kept };
    let answer = Answer::new(200, "application/xml", Vec::new()).with_header("etag", &format!("\"{}\"", about.etag));
    object::put(&mut call.txn(), place, &Object { about, content });
    Ok(answer)
}

/// GET and HEAD; of the latter the server sends the head only.
fn get(call: &ServiceCall<'_>, place: &Place, bucket: &Bucket) -> Result<Answer, ServiceError> {
    let found = object::find(&call.txn(), place, bucket.since);
    let found = found.ok_or_else(|| ServiceError::new(404, "NoSuchKey", "The specified key does not exist."))?;
    let Object { about, content } = found;
    let header = |name: &str| call.asked.parts.headers.get(name).and_then(|value| value.to_str().ok());
    let is_same = |tags: &str| tags == "*" || tags.split(',').any(|tag| tag.trim().trim_matches('"') == about.etag);
    if header("if-match").is_some_and(|tags| !is_same(tags)) {
        let text = "At least one of the pre-conditions you specified did not hold";
        return Err(ServiceError::new(412, "PreconditionFailed", text));
    }
    let is_known = header("if-none-match").is_some_and(is_same);
    let (status, content, range) = match header("range").map(|range| part(range, content.len())) {
        _ if is_known => (304, Vec::new(), None),
        None | Some(Part::All) => (200, content, None),
        Some(Part::Nothing) => {
            return Err(ServiceError::new(416, "InvalidRange", "The requested range is not satisfiable"));
        }
        Some(Part::Some(from, to)) => {
            let range = format!("bytes {from}-{to}/{}", content.len());
            (206, content.get(from..=to).unwrap_or_default().to_vec(), Some(range))
        }
    };
    let mut answer = Answer::new(status, "binary/octet-stream", content)
        .with_header("etag", &format!("\"{}\"", about.etag))
        .with_header("last-modified", &date::of_header(about.modified))
        .with_header("accept-ranges", "bytes");
    if let Some(range) = range {
        answer = answer.with_header("content-range", &range);
    }
    for (name, value) in &about.headers {
        answer = answer.with_named_header(name, value);
    }
    Ok(answer)
}

/// What of an object a Range header means.
#[derive(Debug, PartialEq, Eq)]
enum Part {
    All,
    /// From the first to the last byte, both included.
    Some(usize, usize),
    Nothing,
}

/// One range is served; a header that cannot be read, or has several, means everything.
fn part(range: &str, length: usize) -> Part {
    let Some((from, to)) = range.strip_prefix("bytes=").and_then(|range| range.split_once('-')) else {
        return Part::All;
    };
    match (from.parse::<usize>(), to.parse::<usize>()) {
        (Ok(from), _) if from >= length => Part::Nothing,
        (Ok(from), Ok(to)) if to >= from => Part::Some(from, to.min(length - 1)),
        (Ok(from), Err(_)) if to.is_empty() => Part::Some(from, length - 1),
        (Err(_), Ok(last)) if from.is_empty() && last > 0 && length > 0 => {
            Part::Some(length.saturating_sub(last), length - 1)
        }
        _ => Part::All,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_cut_at_the_end() {
        for (range, length, expected) in [
            ("bytes=0-1", 5, Part::Some(0, 1)),
            ("bytes=3-", 5, Part::Some(3, 4)),
            ("bytes=3-99", 5, Part::Some(3, 4)),
            ("bytes=-2", 5, Part::Some(3, 4)),
            ("bytes=-9", 5, Part::Some(0, 4)),
            ("bytes=5-", 5, Part::Nothing),
            ("bytes=0-0", 0, Part::Nothing),
            ("bytes=2-1", 5, Part::All),
            ("bytes=0-1,3-4", 5, Part::All),
            ("lines=1-2", 5, Part::All),
        ] {
            assert_eq!(part(range, length), expected, "{range}");
        }
    }
}
