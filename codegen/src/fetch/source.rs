//! Schema files in a folder or a zip archive.
//!
//! Files are read one at a time, when they are asked for, and within limits that no real source reaches. What is wrong
//! with one file is said when that file is read, so that the others can still be used.

use std::cell::RefCell;
use std::fs::{self, File};
use std::io::{self, Read, Seek};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use zip::ZipArchive;

use super::FetchError;

/// No published schema reaches a twentieth of this.
pub const MAX_FILE_BYTES: u64 = 16 << 20;
/// All published schemas together are a fifteenth of this.
pub const MAX_ARCHIVE_BYTES: u64 = 1 << 30;

/// A schema file, not yet read.
#[derive(Debug, Clone)]
pub struct SchemaFile {
    /// Name within the source: the file's in a folder, the entry's in an archive.
    pub name: String,
    content: Content,
}

#[derive(Debug, Clone)]
enum Content {
    InFile(PathBuf),
    InArchive(Rc<RefCell<OpenArchive>>),
}

/// An archive while its entries are read.
#[derive(Debug)]
struct OpenArchive {
    path: PathBuf,
    zip: ZipArchive<io::BufReader<File>>,
    /// How many bytes may still be unpacked.
    left: u64,
}

impl SchemaFile {
    /// The bytes of the file.
    ///
    /// # Errors
    ///
    /// [`FetchError::File`], [`FetchError::NotAFile`], [`FetchError::Entry`], [`FetchError::Escapes`],
    /// [`FetchError::TooLarge`].
    pub fn read(&self) -> Result<Vec<u8>, FetchError> {
        match &self.content {
            Content::InFile(path) => read_file(path),
            Content::InArchive(archive) => archive.borrow_mut().read(&self.name),
        }
    }

    fn path(&self) -> Option<PathBuf> {
        match &self.content {
            Content::InFile(path) => Some(path.clone()),
            Content::InArchive(_) => None,
        }
    }
}

/// The schema files of a source, in order of name: all `*.json` directly in a folder or anywhere in a zip archive. Where
/// there is a folder `resources` (in an archive also `…/schemas/resources`), only what lies in it counts, so that a
/// package that also carries other JSON files can be named as it is.
///
/// # Errors
///
/// [`FetchError::File`], [`FetchError::Archive`], and [`FetchError::Empty`] when there is none.
pub fn schema_files(source: &Path) -> Result<Vec<SchemaFile>, FetchError> {
    let metadata = fs::metadata(source).map_err(FetchError::file("read", source))?;
    let mut files = match metadata.is_dir() {
        true => in_folder(source)?,
        false => in_archive(source)?,
    };
    if files.is_empty() {
        return Err(FetchError::Empty { path: source.to_owned() });
    }
    files.sort_by(|one, other| one.name.cmp(&other.name));
    Ok(files)
}

/// The files that [`schema_files`] would read.
///
/// # Errors
///
/// [`FetchError::File`].
pub fn files_read(source: &Path) -> Result<Vec<PathBuf>, FetchError> {
    match source.is_dir() {
        true => Ok(in_folder(source)?.iter().filter_map(SchemaFile::path).collect()),
        false => Ok(vec![source.to_owned()]),
    }
}

fn in_folder(folder: &Path) -> Result<Vec<SchemaFile>, FetchError> {
    let resources = folder.join("resources");
    let folder = if resources.is_dir() { &resources } else { folder };
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).map_err(FetchError::file("list", folder))? {
        let path = entry.map_err(FetchError::file("list", folder))?.path();
        if path.extension().is_some_and(|extension| extension == "json") {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            files.push(SchemaFile { name, content: Content::InFile(path) });
        }
    }
    Ok(files)
}

fn in_archive(path: &Path) -> Result<Vec<SchemaFile>, FetchError> {
    let zip = open_archive(path)?;
    let mut names = json_entries(&zip, path)?;
    if names.iter().any(|name| lies_in(name, "resources")) {
        names.retain(|name| lies_in(name, "resources"));
    }
    let archive = Rc::new(RefCell::new(OpenArchive { path: path.to_owned(), zip, left: MAX_ARCHIVE_BYTES }));
    let file = |name| SchemaFile { name, content: Content::InArchive(Rc::clone(&archive)) };
    Ok(names.into_iter().map(file).collect())
}

/// Reads a file that must be one: a named pipe would never end.
fn read_file(path: &Path) -> Result<Vec<u8>, FetchError> {
    let metadata = fs::metadata(path).map_err(FetchError::file("read", path))?;
    if !metadata.is_file() {
        return Err(FetchError::NotAFile { path: path.to_owned() });
    }
    let file = File::open(path).map_err(FetchError::file("read", path))?;
    let capacity = metadata.len().min(MAX_FILE_BYTES);
    let mut bytes = Vec::with_capacity(usize::try_from(capacity).unwrap_or_default());
    file.take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes).map_err(FetchError::file("read", path))?;
    match bytes.len() as u64 > MAX_FILE_BYTES {
        true => Err(FetchError::TooLarge { what: path.display().to_string(), limit: MAX_FILE_BYTES }),
        false => Ok(bytes),
    }
}

impl OpenArchive {
    fn read(&mut self, name: &str) -> Result<Vec<u8>, FetchError> {
        if escapes(name) {
            return Err(FetchError::Escapes { path: self.path.clone(), entry: name.to_owned() });
        }
        if self.left == 0 {
            let what = format!("{}: what it unpacks to", self.path.display());
            return Err(FetchError::TooLarge { what, limit: MAX_ARCHIVE_BYTES });
        }
        let bytes = read_entry(&mut self.zip, &self.path, name)?;
        self.left = self.left.saturating_sub(bytes.len() as u64);
        Ok(bytes)
    }
}

/// Whether an entry's name leads out of the folder that the archive would be unpacked into. Nothing is unpacked under
/// such names here; an archive that has them was made to harm.
fn escapes(entry: &str) -> bool {
    entry.starts_with('/') || entry.contains(['\\', ':']) || entry.split('/').any(|part| part == "..")
}

/// Whether an archive's entry lies in this folder, at the top or within a folder `schemas`: a package may have other
/// folders of the same name.
pub(super) fn lies_in(entry: &str, folder: &str) -> bool {
    let (parent, _) = entry.rsplit_once('/').unwrap_or_default();
    match parent.strip_suffix(folder) {
        Some(rest) => rest.is_empty() || rest == "schemas/" || rest.ends_with("/schemas/"),
        None => false,
    }
}

pub(super) fn open_archive(path: &Path) -> Result<ZipArchive<io::BufReader<File>>, FetchError> {
    let file = File::open(path).map_err(FetchError::file("read", path))?;
    ZipArchive::new(io::BufReader::new(file)).map_err(|source| FetchError::Archive { path: path.to_owned(), source })
}

/// Names of the entries that end in `.json`.
pub(super) fn json_entries<R: Read + Seek>(archive: &ZipArchive<R>, path: &Path) -> Result<Vec<String>, FetchError> {
    let mut names = Vec::new();
    for name in archive.file_names() {
        let name = name.map_err(|source| FetchError::Archive { path: path.to_owned(), source })?;
        if name.ends_with(".json") {
            names.push(name.into_owned());
        }
    }
    Ok(names)
}

/// The bytes of an archive's entry.
pub(super) fn read_entry(
    archive: &mut ZipArchive<impl Read + Seek>,
    path: &Path,
    name: &str,
) -> Result<Vec<u8>, FetchError> {
    let broken = |reason: String| FetchError::Entry { path: path.to_owned(), entry: name.to_owned(), reason };
    let entry = archive.by_name(name).map_err(|error| broken(error.to_string()))?;
    let mut bytes = Vec::new();
    entry.take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes).map_err(|error| broken(error.to_string()))?;
    match bytes.len() as u64 > MAX_FILE_BYTES {
        true => Err(FetchError::TooLarge { what: format!("{}: {name}", path.display()), limit: MAX_FILE_BYTES }),
        false => Ok(bytes),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

    use std::io::Write;

    use zip::write::SimpleFileOptions;

    use super::*;

    #[test]
    fn an_archive_may_not_unpack_to_more_than_all_schemas() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.zip");
        let mut writer = zip::ZipWriter::new(File::create(&path).unwrap());
        for name in ["a.json", "b.json"] {
            writer.start_file(name, SimpleFileOptions::default()).unwrap();
            writer.write_all(b"12345").unwrap();
        }
        writer.finish().unwrap();
        let mut archive = OpenArchive { zip: open_archive(&path).unwrap(), path, left: 5 };
        assert_eq!(archive.read("a.json").unwrap(), b"12345");
        let error = archive.read("b.json").unwrap_err().to_string();
        assert!(error.contains("a.zip: what it unpacks to is larger than 1073741824 bytes"), "{error}");
    }

    #[test]
    fn folders_of_entries() {
        let check = |entry: &str, expected: bool| assert_eq!(lies_in(entry, "resources"), expected, "{entry}");
        check("resources/a.json", true);
        check("schemas/resources/a.json", true);
        check("package/data/schemas/resources/a.json", true);
        check("a.json", false);
        check("schemas/other/resources/a.json", false);
        check("schemas/resources/more/a.json", false);
        check("schemas/some-resources/a.json", false);
    }

    #[test]
    fn entries_that_lead_elsewhere() {
        let check = |entry: &str, expected: bool| assert_eq!(escapes(entry), expected, "{entry}");
        check("a.json", false);
        check("schemas/a..b.json", false);
        check("../a.json", true);
        check("schemas/../../a.json", true);
        check("/etc/a.json", true);
        check("..\\a.json", true);
        check("C:a.json", true);
    }
}
