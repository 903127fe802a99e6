//! Hashes of assets and archives whose content is at hand, as every Pulumi SDK computes them: equality of assets is
//! equality of hashes.
//!
//! The hash of an asset is the SHA-256 of its bytes. The hash of an archive of members is the SHA-256 of an uncompressed
//! tar with fixed metadata, which is never stored. Content behind paths and URIs is read elsewhere; here it has no hash.

use std::collections::BTreeSet;

use sha2::{Digest as _, Sha256};

use crate::asset::{Archive, ArchiveMember, ArchiveSource, Asset, AssetSource};

const BLOCK: usize = 512;
/// The longest name that fits a header by itself; longer ones follow rules of their own.
const LONGEST_NAME: usize = 100;

/// The lowercase hex SHA-256 of the asset's content: computed from text, else the hash that came along, if any.
#[must_use]
pub fn asset_hash(asset: &Asset) -> Option<String> {
    match &asset.source {
        AssetSource::Text(text) => Some(hex(&Sha256::digest(text.as_bytes()))),
        AssetSource::Path(_) | AssetSource::Uri(_) | AssetSource::Elided => asset.hash.clone(),
    }
}

/// The lowercase hex hash of the archive: computed from members of text, else the hash that came along, if any.
///
/// `None` also for members whose names the simple header cannot hold (over 100 bytes, or not ASCII).
#[must_use]
pub fn archive_hash(archive: &Archive) -> Option<String> {
    let ArchiveSource::Members(_) = &archive.source else { return archive.hash.clone() };
    let mut files = Vec::new();
    collect(archive, "", &mut files)?;
    let mut tar = Sha256::new();
    let mut seen = BTreeSet::new();
    for (name, content) in files {
        // Of two entries with one name the first counts.
        if seen.insert(name.clone()) {
            tar.update(header(&name, content.len())?);
            tar.update(content.as_bytes());
            tar.update(vec![0; content.len().next_multiple_of(BLOCK) - content.len()]);
        }
    }
    tar.update([0; 2 * BLOCK]);
    Some(hex(&tar.finalize()))
}

/// The files of an archive in ascending order of member name, nested archives flattened as `member/inner`.
fn collect<'a>(archive: &'a Archive, prefix: &str, files: &mut Vec<(String, &'a str)>) -> Option<()> {
    let ArchiveSource::Members(members) = &archive.source else { return None };
    for (name, member) in members {
        match member {
            ArchiveMember::Asset(Asset { source: AssetSource::Text(text), .. }) => {
                files.push((format!("{prefix}{name}"), text));
            }
            ArchiveMember::Archive(inner) => collect(inner, &format!("{prefix}{name}/"), files)?,
            ArchiveMember::Asset(_) => return None,
        }
    }
    Some(())
}

/// A ustar header: mode 0600, owner, group and time zero.
fn header(name: &str, size: usize) -> Option<[u8; BLOCK]> {
    if name.len() > LONGEST_NAME || !name.is_ascii() {
        return None;
    }
    let mut header = [0; BLOCK];
    let mut put = |at: usize, text: &str| header[at..at + text.len()].copy_from_slice(text.as_bytes());
    put(0, name);
    put(100, "0000600");
    put(108, "0000000");
    put(116, "0000000");
    put(124, &format!("{size:011o}"));
    put(136, "00000000000");
    put(148, "        ");
    put(156, "0");
    put(257, "ustar\u{0}00");
    put(329, "0000000");
    put(337, "0000000");
    let sum: u32 = header.iter().map(|byte| u32::from(*byte)).sum();
    header[148..156].copy_from_slice(format!("{sum:06o}\u{0} ").as_bytes());
    Some(header)
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::{archive_hash, asset_hash};
    use crate::asset::{Archive, ArchiveMember, Asset, EMPTY_ARCHIVE_HASH, EMPTY_ASSET_HASH};

    fn archive(files: &[(&str, &str)]) -> Archive {
        Archive::members(
            files.iter().map(|(name, text)| ((*name).to_owned(), ArchiveMember::Asset(Asset::text(*text)))),
        )
    }

    #[test]
    fn text_assets_hash_their_bytes() {
        for (text, expected) in [
            ("", EMPTY_ASSET_HASH),
            ("hello", "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"),
            ("a test asset", "e34c74529110661faae4e121e57165ff4cb4dbdde1ef9770098aa3695e6b6704"),
        ] {
            assert_eq!(asset_hash(&Asset::text(text)).as_deref(), Some(expected), "{text:?}");
        }
    }

    #[test]
    fn archives_of_text_hash_like_published_sdks() {
        let cases: [(&[(&str, &str)], &str); 3] = [
            (&[], EMPTY_ARCHIVE_HASH),
            (&[("foo", "a test asset")], "27ab4a14a617df10cff3e1cf4e30cf510302afe56bf4cc91f84041c9f7b62fd8"),
            (
                &[("file1", "hello"), ("file2", "world")],
                "2a03253646ce4693e16b6e03194e1d849163f7f32fdcd00ed0fd7238a86b0c77",
            ),
        ];
        for (files, expected) in cases {
            assert_eq!(archive_hash(&archive(files)).as_deref(), Some(expected), "{files:?}");
        }
    }

    #[test]
    fn a_nested_archive_is_its_files_under_the_member() {
        let nested = Archive::members([("a".to_owned(), ArchiveMember::Archive(archive(&[("b", "x")])))]);
        assert_eq!(archive_hash(&nested), archive_hash(&archive(&[("a/b", "x")])));
    }

    #[test]
    fn content_that_is_elsewhere_has_no_hash_of_its_own() {
        assert_eq!(asset_hash(&Asset::path("f.txt")), None);
        let member = ("f".to_owned(), ArchiveMember::Asset(Asset::path("f.txt")));
        assert_eq!(archive_hash(&Archive::members([member])), None);
        assert_eq!(archive_hash(&archive(&[(&"n".repeat(101), "x")])), None);
    }
}
