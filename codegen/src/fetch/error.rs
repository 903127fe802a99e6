//! Why schemas could not be had.

use std::io;
use std::path::PathBuf;

/// Why schemas could not be had. Messages say what to do.
#[derive(Debug, thiserror::Error)]
pub enum FetchError {
    /// The lock file is not readable as one.
    #[error("{}: not a lock file; restore it from version control", path.display())]
    Lock {
        /// The lock file.
        path: PathBuf,
        /// What the JSON reader found.
        #[source]
        source: serde_json::Error,
    },
    /// A field of the lock file has another form.
    #[error("{}: {field} is {value:?}, but {form}; correct it, or restore the file from version control", path.display())]
    LockField {
        /// The lock file.
        path: PathBuf,
        /// The field.
        field: &'static str,
        /// What it says.
        value: String,
        /// What it should look like.
        form: &'static str,
    },
    /// A file or folder could not be read or written.
    #[error("{}: cannot {action}", path.display())]
    File {
        /// What was tried, as an infinitive.
        action: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        #[source]
        source: io::Error,
    },
    /// The file of a region's types is not readable as one.
    #[error("{}: not a list of types; it needs an object whose keys are type names", path.display())]
    Provider {
        /// The file.
        path: PathBuf,
        /// What the JSON reader found.
        #[source]
        source: serde_json::Error,
    },
    /// Python is not there.
    #[error("python3 cannot be started ({source}); install Python 3 with pip, or name schemas with --source")]
    NoPython {
        /// What the system said.
        #[source]
        source: io::Error,
    },
    /// pip failed.
    #[error(
        "pip could not download {requirement}: {output}; check the network or pip's configuration, or name schemas with --source"
    )]
    Pip {
        /// What was asked for.
        requirement: String,
        /// The last lines that pip printed.
        output: String,
    },
    /// npm is not there.
    #[error("npm cannot be started ({source}); install Node.js with npm")]
    NoNpm {
        /// What the system said.
        #[source]
        source: io::Error,
    },
    /// npm failed.
    #[error("npm could not download {package}: {output}; check the network or npm's configuration")]
    Npm {
        /// What was asked for.
        package: String,
        /// The last lines that npm printed.
        output: String,
    },
    /// The downloaded package is not the pinned one.
    #[error(
        "{package} has the integrity {found}, but {expected} is pinned; nothing was kept. If a mirror or a cache replaced \
         the package, clear it; if another one was meant, correct cf-schemas/lock.json; or use --without-docs"
    )]
    Integrity {
        /// Name and version of the package.
        package: String,
        /// Integrity in the lock file.
        expected: String,
        /// Integrity of the package.
        found: String,
    },
    /// A package lacks the file that the lock names.
    #[error("{}: there is no {file} in it; correct cf-schemas/lock.json, or use --without-docs", path.display())]
    NotInPackage {
        /// The package.
        path: PathBuf,
        /// The file.
        file: String,
    },
    /// The downloaded file is not the pinned one.
    #[error(
        "{file} has the SHA-256 {found}, but {expected} is pinned; nothing was unpacked. If a mirror or a cache replaced \
         the file, clear it; if the package was meant to change, correct cf-schemas/lock.json"
    )]
    Hash {
        /// Name of the file.
        file: String,
        /// Hash in the lock file.
        expected: String,
        /// Hash of the file.
        found: String,
    },
    /// pip downloaded something else than the file that the lock names.
    #[error(
        "pip downloaded {found} as {requirement}, and not {file}; correct cf-schemas/lock.json, where file and version go together"
    )]
    NoSuchFile {
        /// Name of the file in the lock.
        file: String,
        /// What was asked for.
        requirement: String,
        /// What there is instead.
        found: String,
    },
    /// An archive cannot be read.
    #[error("{}: not a readable zip archive ({source}); get it again if it was cut short, or name a folder", path.display())]
    Archive {
        /// The archive.
        path: PathBuf,
        /// What the zip reader found.
        #[source]
        source: zip::result::ZipError,
    },
    /// The package has another number of files than the lock says.
    #[error(
        "{file} has {found} {what}, but {expected} are pinned; correct cf-schemas/lock.json if the package was meant to change"
    )]
    Count {
        /// Name of the file.
        file: String,
        /// What is counted.
        what: &'static str,
        /// Number in the lock file.
        expected: usize,
        /// Number in the archive.
        found: usize,
    },
    /// A file lies among the unpacked ones and would be taken for one of them.
    #[error(
        "{}: is no file of the pinned package; move it elsewhere, and name schemas of your own with --source",
        path.display()
    )]
    Foreign {
        /// The file.
        path: PathBuf,
    },
    /// A file is larger than any schema or any archive of schemas.
    #[error("{what} is larger than {limit} bytes, which nothing here should be; nothing of it is used")]
    TooLarge {
        /// The file, or the archive and its entry.
        what: String,
        /// The limit in bytes.
        limit: u64,
    },
    /// Something that is no file has the name of one.
    #[error("{}: is no file; remove it, or put the schema in its place", path.display())]
    NotAFile {
        /// What has the name.
        path: PathBuf,
    },
    /// An entry of an archive cannot be unpacked.
    #[error("{}: {entry} cannot be unpacked: {reason}; get the archive again", path.display())]
    Entry {
        /// The archive.
        path: PathBuf,
        /// The entry.
        entry: String,
        /// What the zip reader found.
        reason: String,
    },
    /// The name of an archive's entry leads out of the archive.
    #[error("{}: the entry {entry:?} leads out of the archive; do not trust where it comes from", path.display())]
    Escapes {
        /// The archive.
        path: PathBuf,
        /// The entry.
        entry: String,
    },
    /// A name has not the form of a region's.
    #[error("{region:?} is no name of a region, such as us-east-1")]
    Region {
        /// The name.
        region: String,
    },
    /// An archive of AWS could not be had.
    #[error("{url}: {reason}; {hint}")]
    Transfer {
        /// The address.
        url: String,
        /// What went wrong.
        reason: String,
        /// What to do.
        hint: String,
    },
    /// A source has no schema.
    #[error("{}: there is no *.json file in it; name a folder or a zip archive of resource type schemas", path.display())]
    Empty {
        /// The folder or archive.
        path: PathBuf,
    },
}

impl FetchError {
    /// Whether the means of downloading are missing, rather than that something wrong was found.
    pub fn is_unavailable(&self) -> bool {
        matches!(self, Self::NoPython { .. } | Self::Pip { .. } | Self::NoNpm { .. } | Self::Npm { .. })
    }

    /// A function that wraps what the system said about `path`.
    pub(super) fn file(action: &'static str, path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> Self {
        let path = path.into();
        move |source| Self::File { action, path, source }
    }
}
