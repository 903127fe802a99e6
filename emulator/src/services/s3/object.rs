//! Objects as they are kept: what is known about one, then its bytes.

use super::Place;
use crate::persist::Table;
use crate::store::Txn;
use serde::{Deserialize, Serialize};

/// What is known about an object.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct About {
    /// Opaque: the beginning of the SHA-256 of the content.
    pub(super) etag: String,
    /// Seconds since 1970.
    pub(super) modified: u64,
    pub(super) size: u64,
    /// Headers that come back with the object: its content type and so on, and what the caller added.
    pub(super) headers: Vec<(String, String)>,
}

/// An object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Object {
    pub(super) about: About,
    pub(super) content: Vec<u8>,
}

/// How many digits say how long the description is.
const LENGTH: usize = 8;

fn key(place: &Place) -> String {
    format!("{}\0{}", place.bucket, place.key)
}

impl Object {
    fn record(&self) -> Vec<u8> {
        let about = serde_json::to_vec(&self.about).unwrap_or_default();
        let mut record = format!("{:0LENGTH$x}", about.len()).into_bytes();
        record.extend(about);
        record.extend(&self.content);
        record
    }

    fn split(record: &[u8]) -> Option<(About, &[u8])> {
        let (length, rest) = record.split_at_checked(LENGTH)?;
        let length = usize::from_str_radix(std::str::from_utf8(length).ok()?, 16).ok()?;
        let (about, content) = rest.split_at_checked(length)?;
        Some((serde_json::from_slice(about).ok()?, content))
    }
}

/// The object of a place; `since` is when its bucket was made, and what is older belonged to another bucket of that name.
pub(super) fn find(txn: &Txn<'_>, place: &Place, since: u64) -> Option<Object> {
    let (about, content) = Object::split(txn.blob(Table::Objects, &key(place))?)?;
    (about.modified >= since).then(|| Object { about, content: content.to_vec() })
}

pub(super) fn put(txn: &mut Txn<'_>, place: &Place, object: &Object) {
    txn.put_blob(Table::Objects, &key(place), Some(object.record()));
}

pub(super) fn remove(txn: &mut Txn<'_>, place: &Place) {
    if txn.blob(Table::Objects, &key(place)).is_some() {
        txn.put_blob(Table::Objects, &key(place), None);
    }
}

/// The keys of a bucket that begin with `prefix`, in order, with what is known about each.
pub(super) fn list(txn: &Txn<'_>, bucket: &str, prefix: &str, since: u64) -> Vec<(String, About)> {
    let start = format!("{bucket}\0{prefix}");
    let cut = bucket.len() + 1;
    let all = txn.blobs(Table::Objects, &start).filter_map(|(key, record)| {
        let (about, _) = Object::split(record)?;
        (about.modified >= since).then(|| Some((key.get(cut..)?.to_owned(), about)))?
    });
    all.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_hold_what_is_known_and_the_bytes() {
        let headers = vec![("content-type".to_owned(), "text/plain".to_owned())];
        let about = About { etag: "e".to_owned(), modified: 5, size: 3, headers };
        let object = Object { about: about.clone(), content: vec![0, 255, 13] };
        assert_eq!(Object::split(&object.record()), Some((about, [0, 255, 13].as_slice())));
        assert_eq!(Object::split(b"0000"), None);
        assert_eq!(Object::split(b"ffffffff{}"), None);
    }
}
