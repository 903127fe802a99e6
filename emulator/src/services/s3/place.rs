//! What a request to S3 is about: a bucket, an object in it, and the operation.

use crate::http::{form, host};
use axum::http::request::Parts;

/// The bucket and the key of a request.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) bucket: String,
    /// Empty for requests about the bucket itself.
    pub(super) key: String,
}

impl Place {
    /// Path style and virtual-host style.
    pub(super) fn of(parts: &Parts) -> Place {
        let path = form::decode_percent(parts.uri.path());
        let path = path.strip_prefix('/').unwrap_or(&path);
        match host::of(parts).bucket {
            Some(bucket) => Place { bucket, key: path.to_owned() },
            None => {
                let (bucket, key) = path.split_once('/').unwrap_or((path, ""));
                Place { bucket: bucket.to_owned(), key: key.to_owned() }
            }
        }
    }
}

/// Members of a query that refine an operation; any other names another operation.
const REFINING: [&str; 9] = [
    "x-id",
    "list-type",
    "prefix",
    "delimiter",
    "max-keys",
    "continuation-token",
    "start-after",
    "encoding-type",
    "fetch-owner",
];

/// The name of the operation that a request asks for.
pub(super) fn operation(parts: &Parts) -> String {
    let query = parts.uri.query().unwrap_or_default();
    let is_other = |name: &String| {
        !REFINING.contains(&name.as_str())
            && !name.to_ascii_lowercase().starts_with("x-amz-")
            && !name.starts_with("response-")
    };
    let other = form::pairs(query).map(|(name, _)| name).find(is_other);
    let Place { bucket, key } = Place::of(parts);
    let method = parts.method.as_str();
    let is_copy = parts.headers.contains_key("x-amz-copy-source");
    let name = match (method, bucket.is_empty(), key.is_empty(), other.as_deref()) {
        ("GET", false, true, Some("location")) => "GetBucketLocation",
        (_, _, _, Some(other)) => return format!("{method} ?{other}"),
        ("GET", true, _, None) => "ListBuckets",
        ("PUT", false, true, None) => "CreateBucket",
        ("HEAD", false, true, None) => "HeadBucket",
        ("DELETE", false, true, None) => "DeleteBucket",
        ("GET", false, true, None) if form::get(query, "list-type").as_deref() == Some("2") => "ListObjectsV2",
        ("GET", false, true, None) => "ListObjects",
        ("PUT", false, false, None) if is_copy => "CopyObject",
        ("PUT", false, false, None) => "PutObject",
        ("GET", false, false, None) => "GetObject",
        ("HEAD", false, false, None) => "HeadObject",
        ("DELETE", false, false, None) => "DeleteObject",
        _ => return format!("{method} {}", parts.uri.path()),
    };
    name.to_owned()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

    use super::*;
    use axum::http::Request;

    #[test]
    fn requests_have_a_place_and_an_operation() {
        for (method, host, uri, bucket, key, name) in [
            ("PUT", "127.0.0.1:80", "/b/a%20b/c+d", "b", "a b/c+d", "PutObject"),
            ("GET", "b.s3.eu-west-1.amazonaws.com", "/k?x-id=GetObject", "b", "k", "GetObject"),
            ("HEAD", "b.localhost:80", "/k", "b", "k", "HeadObject"),
            ("DELETE", "127.0.0.1", "/b/k?X-Amz-Date=1", "b", "k", "DeleteObject"),
            ("GET", "127.0.0.1", "/b?list-type=2&prefix=a", "b", "", "ListObjectsV2"),
            ("GET", "127.0.0.1", "/b/?list-type=2", "b", "", "ListObjectsV2"),
            ("GET", "127.0.0.1", "/b", "b", "", "ListObjects"),
            ("GET", "127.0.0.1", "/b?location", "b", "", "GetBucketLocation"),
            ("GET", "127.0.0.1", "/b?acl", "b", "", "GET ?acl"),
            ("PUT", "127.0.0.1", "/b/k?partNumber=1&uploadId=2", "b", "k", "PUT ?partNumber"),
            ("GET", "127.0.0.1", "/", "", "", "ListBuckets"),
            ("PATCH", "127.0.0.1", "/b/k", "b", "k", "PATCH /b/k"),
        ] {
            let request = Request::builder().method(method).uri(uri).header("host", host).body(()).unwrap();
            let (parts, ()) = request.into_parts();
            assert_eq!(Place::of(&parts), Place { bucket: bucket.to_owned(), key: key.to_owned() }, "{uri}");
            assert_eq!(operation(&parts), name, "{uri}");
        }
    }
}
