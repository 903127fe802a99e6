//! Assets and archives: file content inside property values.
//!
//! Reading the content is elsewhere: nothing here touches files or the network.

use std::collections::BTreeMap;

/// The SHA-256 of no content, in lowercase hex: the hash of an asset of empty text.
pub const EMPTY_ASSET_HASH: &str = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

/// The hash of an archive without members.
pub const EMPTY_ARCHIVE_HASH: &str = "5f70bf18a086007016e948b04aed3b82103a36bea41755b6cddfaf10ace3c6ef";

/// One file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asset {
    /// The SHA-256 of the content in lowercase hex, when it has been computed.
    pub hash: Option<String>,
    /// Where the content comes from.
    pub source: AssetSource,
}

/// Where the content of an asset comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AssetSource {
    /// The content itself.
    Text(String),
    /// A file; relative paths resolve against the working directory of the process.
    Path(String),
    /// A URI of scheme `http`, `https` or `file`.
    Uri(String),
    /// The sender left the content out and sent the hash alone.
    Elided,
}

/// A tree of files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Archive {
    /// The SHA-256 of the archive in lowercase hex, when it has been computed.
    pub hash: Option<String>,
    /// Where the content comes from.
    pub source: ArchiveSource,
}

/// Where the content of an archive comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ArchiveSource {
    /// An archive file or a directory.
    Path(String),
    /// A URI of scheme `http`, `https` or `file`.
    Uri(String),
    /// Members by name.
    Members(BTreeMap<String, ArchiveMember>),
    /// The sender left the content out and sent the hash alone.
    Elided,
}

/// A member of an archive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ArchiveMember {
    /// A file.
    Asset(Asset),
    /// A folder of files.
    Archive(Archive),
}

impl Asset {
    /// An asset of literal text, without a hash.
    pub fn text(text: impl Into<String>) -> Self {
        Self { hash: None, source: AssetSource::Text(text.into()) }
    }

    /// An asset read from a file, without a hash.
    pub fn path(path: impl Into<String>) -> Self {
        Self { hash: None, source: AssetSource::Path(path.into()) }
    }

    /// An asset read from a URI, without a hash.
    pub fn uri(uri: impl Into<String>) -> Self {
        Self { hash: None, source: AssetSource::Uri(uri.into()) }
    }
}

impl Archive {
    /// An archive of members, without a hash.
    pub fn members(members: impl IntoIterator<Item = (String, ArchiveMember)>) -> Self {
        Self { hash: None, source: ArchiveSource::Members(members.into_iter().collect()) }
    }

    /// An archive read from a file or directory, without a hash.
    pub fn path(path: impl Into<String>) -> Self {
        Self { hash: None, source: ArchiveSource::Path(path.into()) }
    }

    /// An archive read from a URI, without a hash.
    pub fn uri(uri: impl Into<String>) -> Self {
        Self { hash: None, source: ArchiveSource::Uri(uri.into()) }
    }
}
