//! Schema files in a folder or a zip archive.

use std::fs::{self, File};
use std::io::{self, Read, Seek};
use std::path::{Path, PathBuf};

use zip::ZipArchive;

use super::FetchError;

/// No published schema reaches a twentieth of this.
const MAX_FILE_BYTES: u64 = 16 << 20;

/// A schema file, not yet read if it lies in a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SchemaFile {
    /// Name within the source: the file's in a folder, the entry's in an archive.
    pub name: String,
    content: Content,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Content {
    InFile(PathBuf),
    InMemory(Vec<u8>),
}

impl SchemaFile {
    fn into_path(self) -> Option<PathBuf> {
        match self.content {
            Content::InFile(path) => Some(path),
            Content::InMemory(_) => None,
        }
    }

    /// The bytes of the file.
    ///
    /// # Errors
    ///
    /// [`FetchError::File`].
    pub fn read(self) -> Result<Vec<u8>, FetchError> {
        match self.content {
            Content::InFile(path) => fs::read(&path).map_err(FetchError::file("read", path)),
            Content::InMemory(bytes) => Ok(bytes),
        }
    }
}

/// The schema files of a source, in order of name: all `*.json` directly in a folder or anywhere in a zip archive. Where
/// there is a folder `resources` (in an archive also `…/schemas/resources`), only what lies in it counts, so that a package that also carries other JSON files can
/// be named as it is.
///
/// # Errors
///
/// [`FetchError::File`], [`FetchError::Archive`], [`FetchError::TooLarge`], and [`FetchError::Empty`] when there is none.
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
        true => Ok(in_folder(source)?.into_iter().filter_map(SchemaFile::into_path).collect()),
        false => Ok(vec![source.to_owned()]),
    }
}

fn in_folder(folder: &Path) -> Result<Vec<SchemaFile>, FetchError> {
    let resources = folder.join("resources");
    let folder = if resources.is_dir() { &resources } else { folder };
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).map_err(FetchError::file("list", folder))? {
        let path = entry.map_err(FetchError::file("list", folder))?.path();
        if path.extension().is_some_and(|extension| extension == "json") && path.is_file() {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            files.push(SchemaFile { name, content: Content::InFile(path) });
        }
    }
    Ok(files)
}

fn in_archive(path: &Path) -> Result<Vec<SchemaFile>, FetchError> {
    let mut archive = open_archive(path)?;
    let mut names = json_entries(&archive, path)?;
    if names.iter().any(|name| lies_in(name, "resources")) {
        names.retain(|name| lies_in(name, "resources"));
    }
    let read = |name: String| {
        let content = Content::InMemory(read_entry(&mut archive, path, &name)?);
        Ok(SchemaFile { name, content })
    };
    names.into_iter().map(read).collect()
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
    let entry = archive.by_name(name).map_err(|source| FetchError::Archive { path: path.to_owned(), source })?;
    let mut bytes = Vec::new();
    entry.take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes).map_err(FetchError::file("unpack", path))?;
    match bytes.len() as u64 > MAX_FILE_BYTES {
        true => Err(FetchError::TooLarge { path: path.to_owned(), entry: name.to_owned(), limit: MAX_FILE_BYTES }),
        false => Ok(bytes),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
