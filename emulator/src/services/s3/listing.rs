//! ListObjectsV2: keys in order, page by page, folded at a delimiter.

use super::object::About;
use crate::date;
use crate::http::{form, xml};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE;
use std::collections::BTreeSet;

/// What a caller wants to see.
#[derive(Debug, Clone, Default)]
pub(super) struct Wish {
    pub(super) prefix: String,
    pub(super) delimiter: String,
    /// Only keys after this.
    pub(super) after: String,
    pub(super) most: usize,
    /// Keys are URL-encoded in the answer, since not all can stand in XML.
    pub(super) is_encoded: bool,
}

/// The most keys of a page.
const MOST: usize = 1_000;

impl Wish {
    /// The wish of a query; none when its token is not one of ours.
    pub(super) fn read(query: &str) -> Option<Wish> {
        let get = |name: &str| form::get(query, name).unwrap_or_default();
        let after = match form::get(query, "continuation-token") {
            None => get("start-after"),
            Some(token) => String::from_utf8(URL_SAFE.decode(token).ok()?).ok()?,
        };
        let most = get("max-keys").parse::<usize>().map_or(MOST, |most| most.min(MOST));
        let (prefix, delimiter) = (get("prefix"), get("delimiter"));
        Some(Wish { prefix, delimiter, after, most, is_encoded: get("encoding-type") == "url" })
    }
}

/// The document of a page of keys, which begin with the wanted prefix.
pub(super) fn document(bucket: &str, wish: &Wish, keys: Vec<(String, About)>) -> String {
    let text = |key: &str| if wish.is_encoded { form::encode(key, b"/") } else { xml::escape(key) };
    let (mut items, mut folders, mut count) = (String::new(), BTreeSet::new(), 0);
    let (mut last, mut is_cut) = (String::new(), false);
    for (key, about) in keys {
        let rest = key.get(wish.prefix.len()..).unwrap_or_default();
        let cut = rest.find(&wish.delimiter).filter(|_| !wish.delimiter.is_empty());
        let folder = cut.and_then(|at| key.get(..wish.prefix.len() + at + wish.delimiter.len()));
        // A folder that was on an earlier page covers all keys below it.
        let is_past = key <= wish.after || folder.is_some_and(|folder| folder <= wish.after.as_str());
        if is_past || folder.is_some_and(|folder| folders.contains(folder)) {
            continue;
        }
        if count == wish.most {
            is_cut = true;
            break;
        }
        count += 1;
        match folder {
            Some(folder) => {
                last = folder.to_owned();
                folders.insert(folder.to_owned());
            }
            None => {
                items += &format!(
                    "<Contents><Key>{}</Key><LastModified>{}</LastModified><ETag>&quot;{}&quot;</ETag><Size>{}</Size>\
                     <StorageClass>STANDARD</StorageClass></Contents>",
                    text(&key),
                    date::iso(about.modified),
                    about.etag,
                    about.size
                );
                last = key;
            }
        }
    }
    let folders: String = folders
        .iter()
        .map(|folder| format!("<CommonPrefixes><Prefix>{}</Prefix></CommonPrefixes>", text(folder)))
        .collect();
    let optional = |name: &str, value: String| {
        if value.is_empty() { String::new() } else { format!("<{name}>{value}</{name}>") }
    };
    format!(
        "<ListBucketResult xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\"><Name>{bucket}</Name><Prefix>{}</Prefix>{}\
         <KeyCount>{count}</KeyCount><MaxKeys>{}</MaxKeys><IsTruncated>{is_cut}</IsTruncated>{}{}{items}{folders}\
         </ListBucketResult>",
        text(&wish.prefix),
        optional("Delimiter", text(&wish.delimiter)),
        wish.most,
        optional("EncodingType", if wish.is_encoded { "url".to_owned() } else { String::new() }),
        optional("NextContinuationToken", if is_cut { URL_SAFE.encode(last) } else { String::new() }),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(names: &[&str]) -> Vec<(String, About)> {
        let about = About { etag: "e".to_owned(), modified: 0, size: 1, headers: Vec::new() };
        names.iter().map(|name| ((*name).to_owned(), about.clone())).collect()
    }

    fn shown(document: &str) -> Vec<String> {
        let parts = document.split('<').filter_map(|part| part.strip_prefix("Key>").or(part.strip_prefix("Prefix>")));
        parts.skip(1).map(str::to_owned).collect()
    }

    #[test]
    fn pages_go_on_where_the_last_one_ended() {
        let names = ["a", "b/1", "b/2", "c/1", "d"];
        let mut seen = Vec::new();
        let mut query = "max-keys=1&delimiter=/".to_owned();
        for _ in 0..10 {
            let wish = Wish::read(&query).unwrap_or_default();
            let page = document("bucket", &wish, keys(&names));
            seen.extend(shown(&page));
            let Some((_, token)) = page.split_once("<NextContinuationToken>") else { break };
            let token = token.split('<').next().unwrap_or_default();
            query = format!("max-keys=1&delimiter=/&continuation-token={token}");
        }
        assert_eq!(seen, ["a", "b/", "c/", "d"]);
    }

    #[test]
    fn keys_are_encoded_on_demand() {
        let wish = Wish::read("encoding-type=url&prefix=a").unwrap_or_default();
        let page = document("bucket", &wish, keys(&["a b&"]));
        assert_eq!(shown(&page), ["a%20b%26"]);
        assert!(page.contains("<IsTruncated>false</IsTruncated>") && page.contains("<KeyCount>1</KeyCount>"));
        assert!(Wish::read("continuation-token=!").is_none());
    }
}
