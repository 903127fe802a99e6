//! Getting the pinned documentation: download with npm, check the integrity, find the one file in the package.
//!
//! npm does the download, so that the user's registry, proxy and certificates apply. Documentation is optional: whether
//! an error means that there is simply none is what [`FetchError::is_unavailable`] says.

use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::Command;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::read::GzDecoder;
use schemars::JsonSchema;
use serde::Deserialize;
use sha2::{Digest, Sha512};

use super::FetchError;
use super::download::{in_partial, last_lines};
use super::lock::{PLAIN, check_fields, is_plain};

/// The package itself, kept in the download folder. Every run checks it and reads out of it.
pub const ARCHIVE: &str = "documentation.tgz";

/// The longest unpacked package that is read.
const MAX_BYTES: u64 = 256 * 1024 * 1024;

/// The entry `documentation` of `cf-schemas/lock.json`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NpmPackage {
    /// Where the package comes from.
    pub registry: NpmRegistry,
    /// Name of the package.
    pub package: String,
    /// Its version.
    pub version: String,
    /// The file in the package that is read.
    pub file: String,
    /// Integrity of the package as npm states it: `sha512-` and the hash in base64.
    pub integrity: String,
}

/// Where documentation comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum NpmRegistry {
    /// The npm registry, or what npm is configured to use in its place.
    Npm,
}

/// The part of a lock file that is looked at here.
#[derive(Deserialize)]
struct DocumentationEntry {
    documentation: Option<NpmPackage>,
}

impl NpmPackage {
    /// Reads the entry of the lock file at `path`; `None` where there is none.
    ///
    /// # Errors
    ///
    /// [`FetchError::File`], [`FetchError::Lock`] and [`FetchError::LockField`].
    pub fn read(path: &Path) -> Result<Option<Self>, FetchError> {
        let text = fs::read(path).map_err(FetchError::file("read", path))?;
        let entry: DocumentationEntry =
            serde_json::from_slice(&text).map_err(|source| FetchError::Lock { path: path.to_owned(), source })?;
        if let Some(package) = &entry.documentation {
            package.check(path)?;
        }
        Ok(entry.documentation)
    }

    /// Refuses what would be an option of npm, lead out of a folder, or be no hash that is compared here.
    pub(super) fn check(&self, path: &Path) -> Result<(), FetchError> {
        let scope_and_name = self.package.strip_prefix('@').unwrap_or(&self.package);
        let is_package = match scope_and_name.split_once('/') {
            Some((scope, name)) => self.package.starts_with('@') && is_plain(scope) && is_plain(name),
            None => is_plain(&self.package),
        };
        let hash = self.integrity.strip_prefix("sha512-").and_then(|hash| STANDARD.decode(hash).ok());
        check_fields(
            path,
            &[
                ("documentation.package", &self.package, is_package, "it is a name or @scope/name"),
                ("documentation.version", &self.version, is_plain(&self.version), PLAIN),
                (
                    "documentation.file",
                    &self.file,
                    self.file.split('/').all(is_plain),
                    "it is a path within the package",
                ),
                (
                    "documentation.integrity",
                    &self.integrity,
                    hash.is_some_and(|hash| hash.len() == 64),
                    "only sha512- and the hash in base64 is supported",
                ),
            ],
        )
    }

    /// How npm calls the package in this version.
    pub fn specifier(&self) -> String {
        format!("{}@{}", self.package, self.version)
    }
}

/// The pinned file out of the package, which is downloaded into `folder` unless it is there; `starting` is called before
/// that.
///
/// Runs in several processes wait for each other. An interrupted one leaves nothing that a later one would use.
///
/// # Errors
///
/// [`FetchError`]; those of which [`FetchError::is_unavailable`] is true mean that npm or the network is not there.
pub fn ensure(package: &NpmPackage, folder: &Path, starting: impl FnOnce()) -> Result<Vec<u8>, FetchError> {
    let path = folder.join(ARCHIVE);
    if let Some(tar) = unharmed(package, &path)? {
        return find(package, &tar, &path);
    }
    fs::create_dir_all(folder).map_err(FetchError::file("create", folder))?;
    let guard_path = folder.join("lock");
    let guard = File::create(&guard_path).map_err(FetchError::file("create", &guard_path))?;
    guard.lock().map_err(FetchError::file("lock", &guard_path))?;
    if let Some(tar) = unharmed(package, &path)? {
        return find(package, &tar, &path);
    }
    starting();
    let archive = in_partial(&folder.join("partial-documentation"), |partial| {
        let downloaded = download(package, partial)?;
        let archive = fs::read(&downloaded).map_err(FetchError::file("read", &downloaded))?;
        check(package, &archive)?;
        fs::rename(&downloaded, &path).map_err(FetchError::file("replace", &path))?;
        Ok(archive)
    })?;
    find(package, &unpack(&archive, &path)?, &path)
}

/// What the archive holds, if it is there and the pinned one. Its own list of what it is counts as well, so that a version
/// that changed without its integrity does not go on with the old package.
fn unharmed(package: &NpmPackage, path: &Path) -> Result<Option<Vec<u8>>, FetchError> {
    let Ok(archive) = fs::read(path) else { return Ok(None) };
    if integrity(&archive) != package.integrity {
        return Ok(None);
    }
    let tar = unpack(&archive, path)?;
    let own = tar_entry(&tar, "package/package.json").and_then(|text| serde_json::from_slice::<Manifest>(text).ok());
    let is_other = own.is_some_and(|own| own.name != package.package || own.version != package.version);
    Ok((!is_other).then_some(tar))
}

/// What an npm package says it is.
#[derive(Deserialize)]
struct Manifest {
    name: String,
    version: String,
}

/// Downloads the pinned package into `folder`, which is empty; returns the file's path.
fn download(package: &NpmPackage, folder: &Path) -> Result<PathBuf, FetchError> {
    let specifier = package.specifier();
    let output = Command::new("npm")
        .args(["pack", "--silent", "--pack-destination", ".", "--"])
        .arg(&specifier)
        .current_dir(folder)
        .output()
        .map_err(|source| FetchError::NoNpm { source })?;
    let failed = |output: String| FetchError::Npm { package: specifier.clone(), output };
    if !output.status.success() {
        return Err(failed(last_lines(&String::from_utf8_lossy(&output.stderr))));
    }
    let entries = fs::read_dir(folder).map_err(FetchError::file("list", folder))?;
    let paths = entries.filter_map(|entry| entry.ok().map(|entry| entry.path()));
    let is_archive = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "tgz");
    paths.into_iter().find(is_archive).ok_or_else(|| failed("it left no .tgz file".to_owned()))
}

/// The integrity of a file in npm's notation.
fn integrity(bytes: &[u8]) -> String {
    format!("sha512-{}", STANDARD.encode(Sha512::digest(bytes)))
}

fn check(package: &NpmPackage, archive: &[u8]) -> Result<(), FetchError> {
    let found = integrity(archive);
    if found == package.integrity {
        return Ok(());
    }
    Err(FetchError::Integrity { package: package.specifier(), expected: package.integrity.clone(), found })
}

/// What an archive holds.
fn unpack(archive: &[u8], path: &Path) -> Result<Vec<u8>, FetchError> {
    let mut tar = Vec::new();
    let mut decoder = GzDecoder::new(archive).take(MAX_BYTES);
    decoder.read_to_end(&mut tar).map_err(FetchError::file("unpack", path))?;
    Ok(tar)
}

/// The pinned file out of an unpacked archive.
fn find(package: &NpmPackage, tar: &[u8], path: &Path) -> Result<Vec<u8>, FetchError> {
    // npm puts everything into a folder `package`.
    let name = format!("package/{}", package.file);
    match tar_entry(tar, &name) {
        Some(bytes) => Ok(bytes.to_vec()),
        None => Err(FetchError::NotInPackage { path: path.to_owned(), file: package.file.clone() }),
    }
}

/// The contents of the regular file `name` in a tar archive: blocks of 512 bytes, a header before each file, with the
/// name at 0, the size in octal digits at 124 and the kind at 156.
fn tar_entry<'t>(tar: &'t [u8], name: &str) -> Option<&'t [u8]> {
    const BLOCK: usize = 512;
    let mut rest = tar;
    loop {
        let (header, after) = rest.split_at_checked(BLOCK)?;
        let text = |range: std::ops::Range<usize>| {
            let field = header.get(range)?;
            let end = field.iter().position(|byte| *byte == 0).unwrap_or(field.len());
            std::str::from_utf8(field.get(..end)?).ok()
        };
        let size = usize::from_str_radix(text(124..136)?.trim(), 8).ok()?;
        if text(0..100)? == name && matches!(header.get(156), Some(b'0' | 0)) {
            return after.get(..size);
        }
        rest = after.get(size.checked_next_multiple_of(BLOCK)?..)?;
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

    use std::io::Write as _;

    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::*;

    fn tar(files: &[(&str, &[u8])]) -> Vec<u8> {
        let mut tar = Vec::new();
        for (name, bytes) in files {
            let mut header = [0_u8; 512];
            header[..name.len()].copy_from_slice(name.as_bytes());
            header[124..135].copy_from_slice(format!("{:011o}", bytes.len()).as_bytes());
            header[156] = b'0';
            tar.extend(header);
            tar.extend(*bytes);
            tar.resize(tar.len().next_multiple_of(512), 0);
        }
        tar.resize(tar.len() + 1024, 0);
        tar
    }

    fn archive(files: &[(&str, &[u8])]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(&tar(files)).unwrap();
        encoder.finish().unwrap()
    }

    fn pinned(archive: &[u8]) -> NpmPackage {
        NpmPackage {
            registry: NpmRegistry::Npm,
            package: "some-docs".to_owned(),
            version: "1.2.3".to_owned(),
            file: "db.json.gz".to_owned(),
            integrity: integrity(archive),
        }
    }

    #[test]
    fn files_in_tar_archives() {
        let bytes = tar(&[("package/a", b"one"), ("package/b", &[7; 600]), ("package/c", b"")]);
        assert_eq!(tar_entry(&bytes, "package/a"), Some(&b"one"[..]));
        assert_eq!(tar_entry(&bytes, "package/b"), Some(&[7; 600][..]));
        assert_eq!(tar_entry(&bytes, "package/c"), Some(&b""[..]));
        assert_eq!(tar_entry(&bytes, "package/d"), None);
        for cut in [0, 100, 512, 513, 1500] {
            assert_eq!(tar_entry(&bytes[..cut], "package/b"), None, "{cut}");
        }
    }

    #[test]
    fn a_package_that_is_there_is_checked_and_read() {
        let folder = tempfile::tempdir().unwrap();
        let bytes = archive(&[("package/README.md", b"hello"), ("package/db.json.gz", b"contents")]);
        fs::write(folder.path().join(ARCHIVE), &bytes).unwrap();
        let package = pinned(&bytes);
        assert_eq!(ensure(&package, folder.path(), || unreachable!("it is there")).unwrap(), b"contents");

        let other = NpmPackage { file: "other.json".to_owned(), ..package };
        let error = ensure(&other, folder.path(), || ()).unwrap_err().to_string();
        assert!(error.contains(ARCHIVE) && error.contains("other.json"), "{error}");
    }

    #[test]
    fn a_package_that_is_there_is_what_it_says_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(ARCHIVE);
        let bytes = archive(&[("package/package.json", br#"{"name":"some-docs","version":"1.2.3","main":"x"}"#)]);
        fs::write(&path, &bytes).unwrap();
        let package = pinned(&bytes);
        assert!(unharmed(&package, &path).unwrap().is_some());
        for other in [
            NpmPackage { version: "1.2.4".to_owned(), ..package.clone() },
            NpmPackage { package: "other-docs".to_owned(), ..package.clone() },
            NpmPackage { integrity: integrity(b"other"), ..package },
        ] {
            assert_eq!(unharmed(&other, &path).unwrap(), None, "{other:?}");
        }
    }

    #[test]
    fn odd_fields_are_refused() {
        let path = Path::new("lock.json");
        let good = NpmPackage { package: "@some/docs".to_owned(), ..pinned(b"") };
        good.check(path).unwrap();
        for (other, field) in [
            (NpmPackage { package: "--registry=x".to_owned(), ..good.clone() }, "documentation.package"),
            (NpmPackage { package: "some/docs".to_owned(), ..good.clone() }, "documentation.package"),
            (NpmPackage { package: "@some/../docs".to_owned(), ..good.clone() }, "documentation.package"),
            (NpmPackage { version: "1.0 --x".to_owned(), ..good.clone() }, "documentation.version"),
            (NpmPackage { file: "../db.json".to_owned(), ..good.clone() }, "documentation.file"),
            (NpmPackage { file: "/db.json".to_owned(), ..good.clone() }, "documentation.file"),
            (NpmPackage { integrity: "md5-AAAA".to_owned(), ..good.clone() }, "documentation.integrity"),
            (NpmPackage { integrity: "sha512-AAAA".to_owned(), ..good }, "documentation.integrity"),
        ] {
            let error = other.check(path).unwrap_err().to_string();
            assert!(error.starts_with(&format!("lock.json: {field} is ")), "{error}");
        }
    }

    #[test]
    fn another_package_is_refused() {
        let package = pinned(b"pinned");
        let error = check(&package, b"found").unwrap_err();
        assert!(!error.is_unavailable());
        let text = error.to_string();
        for part in ["some-docs@1.2.3", &package.integrity, &integrity(b"found"), "cf-schemas/lock.json"] {
            assert!(text.contains(part), "{text}");
        }
    }

    #[test]
    fn a_lock_file_may_have_no_documentation() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lock.json");
        fs::write(&path, "{}").unwrap();
        assert_eq!(NpmPackage::read(&path).unwrap(), None);
        fs::write(&path, r#"{"documentation": {"registry": "npm"}}"#).unwrap();
        assert!(NpmPackage::read(&path).unwrap_err().to_string().contains("not a lock file"));
    }
}
