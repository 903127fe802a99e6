//! Reading one root of schemas: a folder with folders in it, an archive, a bundle, one file, or texts.

use super::library::SchemaSource;
use crate::error::EmulatorError;
use cfn::bundle::Bundle;
use serde::Deserialize;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Path, PathBuf};

include!(concat!(env!("OUT_DIR"), "/embedded.rs"));

/// The largest schema file that is read. The largest known schema has 290 kB.
const FILE_LIMIT: u64 = 16 << 20;

/// The most that an archive may unpack to.
const ARCHIVE_LIMIT: usize = 512 << 20;

/// How deep folders may lie in each other; links can make a folder its own.
const DEEPEST_FOLDER: usize = 16;

/// What one root holds.
#[derive(Debug, Default)]
pub(super) struct Root {
    /// What it is called in reports.
    pub(super) name: PathBuf,
    pub(super) bundle: Option<Cow<'static, [u8]>>,
    /// Types in the bundle.
    pub(super) bundled: Vec<String>,
    /// Documents by type, with the file that each is from.
    pub(super) texts: BTreeMap<String, (String, Box<str>)>,
    /// Files that are no resource schema, with the reason.
    pub(super) skipped: Vec<(String, String)>,
}

impl Root {
    /// Reads a source that is not layered.
    pub(super) fn read(source: &SchemaSource) -> Result<Root, EmulatorError> {
        let mut root = Root { name: name(source), ..Root::default() };
        match source {
            SchemaSource::Embedded => {
                let bundle = EMBEDDED.ok_or(EmulatorError::NoSchemas)?;
                root.add_bundle(Cow::Borrowed(bundle))?;
            }
            SchemaSource::Texts(texts) => {
                for (index, text) in texts.iter().enumerate() {
                    root.add(&format!("#{index}"), text.clone())?;
                }
            }
            SchemaSource::Path(path) if path.is_dir() => root.add_folder(path, 0)?,
            SchemaSource::Path(path) => {
                let bytes = std::fs::read(path).map_err(|error| root.error(error))?;
                if bytes.starts_with(b"PK") {
                    root.add_zip(bytes)?;
                } else if path.extension().is_some_and(|extension| extension == "json") {
                    root.add_bytes(&path.to_string_lossy(), bytes)?;
                } else {
                    root.add_bundle(Cow::Owned(bytes))?;
                }
            }
            // Layers are taken apart before their roots are read.
            SchemaSource::Layers(_) => return Err(root.error("layers of schemas cannot lie in each other")),
        }
        if root.bundled.is_empty() && root.texts.is_empty() {
            let first = root.skipped.first().map_or_else(String::new, |(file, reason)| format!("; {file}: {reason}"));
            return Err(root.error(format!("no resource type schema in it{first}")));
        }
        Ok(root)
    }

    fn error(&self, reason: impl ToString) -> EmulatorError {
        EmulatorError::SchemaSource { path: self.name.clone(), reason: reason.to_string() }
    }

    fn add_folder(&mut self, folder: &Path, depth: usize) -> Result<(), EmulatorError> {
        if depth > DEEPEST_FOLDER {
            return Err(self.error(format!("{} lies more than {DEEPEST_FOLDER} folders deep", folder.display())));
        }
        let failed =
            |error: std::io::Error| EmulatorError::SchemaSource { path: folder.to_owned(), reason: error.to_string() };
        let mut paths = Vec::new();
        for entry in std::fs::read_dir(folder).map_err(failed)? {
            paths.push(entry.map_err(failed)?.path());
        }
        paths.sort();
        for path in paths {
            if path.is_dir() {
                self.add_folder(&path, depth + 1)?;
            } else if path.extension().is_some_and(|extension| extension == "json") {
                let length = std::fs::metadata(&path).map_or(0, |about| about.len());
                let name = path.to_string_lossy().into_owned();
                match std::fs::read(&path) {
                    _ if length > FILE_LIMIT => self.skip(name, format!("it has more than {FILE_LIMIT} bytes")),
                    Ok(bytes) => self.add_bytes(&name, bytes)?,
                    Err(error) => self.skip(name, error.to_string()),
                }
            }
        }
        Ok(())
    }

    fn add_zip(&mut self, bytes: Vec<u8>) -> Result<(), EmulatorError> {
        let mut archive = zip::ZipArchive::new(std::io::Cursor::new(bytes)).map_err(|error| self.error(error))?;
        let mut unpacked = 0;
        for index in 0..archive.len() {
            let file = archive.by_index(index).map_err(|error| self.error(error))?;
            let name = file.name().map_err(|error| self.error(error))?.into_owned();
            if !name.ends_with(".json") {
                continue;
            }
            let mut bytes = Vec::new();
            file.take(FILE_LIMIT + 1)
                .read_to_end(&mut bytes)
                .map_err(|error| self.error(format!("{name}: {error}")))?;
            unpacked += bytes.len();
            if unpacked > ARCHIVE_LIMIT {
                return Err(self.error(format!("it unpacks to more than {ARCHIVE_LIMIT} bytes")));
            }
            if bytes.len() as u64 > FILE_LIMIT {
                self.skip(name, format!("it has more than {FILE_LIMIT} bytes"));
            } else {
                self.add_bytes(&name, bytes)?;
            }
        }
        Ok(())
    }

    fn add_bundle(&mut self, bytes: Cow<'static, [u8]>) -> Result<(), EmulatorError> {
        let bundle = Bundle::open(&bytes).map_err(|error| {
            self.error(format!("neither a folder, a .zip archive, a .json file nor a bundle: {error}"))
        })?;
        self.bundled = bundle.type_names().map(str::to_owned).collect();
        self.bundle = Some(bytes);
        Ok(())
    }

    fn add_bytes(&mut self, file: &str, bytes: Vec<u8>) -> Result<(), EmulatorError> {
        match String::from_utf8(bytes) {
            Ok(text) => self.add(file, text),
            Err(error) => {
                self.skip(file.to_owned(), format!("it is not UTF-8: {}", error.utf8_error()));
                Ok(())
            }
        }
    }

    fn skip(&mut self, file: String, reason: String) {
        self.skipped.push((file, reason));
    }

    fn add(&mut self, file: &str, text: String) -> Result<(), EmulatorError> {
        // A mark of the byte order means nothing in UTF-8.
        let plain = text.strip_prefix('\u{feff}').unwrap_or(&text);
        let type_name = match serde_json::from_str::<Head<'_>>(plain) {
            Ok(Head { type_name: Some(type_name) }) => type_name.into_owned(),
            Ok(Head { type_name: None }) => {
                self.skip(file.to_owned(), "it has no typeName".to_owned());
                return Ok(());
            }
            Err(error) => {
                self.skip(file.to_owned(), error.to_string());
                return Ok(());
            }
        };
        if let Some((first, _)) = self.texts.get(&type_name) {
            let files = [first.clone(), file.to_owned()];
            return Err(EmulatorError::DuplicateType { type_name, path: self.name.clone(), files });
        }
        self.texts.insert(type_name, (file.to_owned(), plain.into()));
        Ok(())
    }
}

/// What a source is called in reports.
fn name(source: &SchemaSource) -> PathBuf {
    match source {
        SchemaSource::Embedded => PathBuf::from("the embedded schemas"),
        SchemaSource::Path(path) => path.clone(),
        SchemaSource::Texts(_) | SchemaSource::Layers(_) => PathBuf::from("the given schemas"),
    }
}

/// The one member that a schema is filed under; the rest is skipped without being built.
#[derive(Deserialize)]
struct Head<'t> {
    #[serde(borrow, rename = "typeName")]
    type_name: Option<Cow<'t, str>>,
}
