//! All resource types, by name; where their schemas come from.
//!
//! Loading reads texts and finds their type names; a schema is parsed when its type is first used and kept from then on.

use super::resource_type::ResourceType;
use crate::error::EmulatorError;
use cfn::bundle::Bundle;
use serde::Deserialize;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

include!(concat!(env!("OUT_DIR"), "/embedded.rs"));

/// Where schemas come from.
#[derive(Debug, Clone, Default)]
pub enum SchemaSource {
    /// The schemas that this build carries.
    #[default]
    Embedded,
    /// A folder or a `.zip` archive of JSON files, or a bundle made by `make generate`; file names mean nothing.
    Path(PathBuf),
    /// Schema documents as text.
    Texts(Vec<String>),
}

/// The largest schema file that is read. The largest known schema has 290 kB.
const FILE_LIMIT: u64 = 16 << 20;

#[derive(Debug)]
struct Entry {
    /// The schema document, `None` when it is in the bundle.
    text: Option<Box<str>>,
    parsed: OnceLock<Option<Arc<ResourceType>>>,
}

/// The resource types that an emulator serves.
#[derive(Debug, Default)]
pub(crate) struct Library {
    entries: BTreeMap<String, Entry>,
    bundle: Cow<'static, [u8]>,
    /// Files that are no resource schema, with the reason.
    skipped: Vec<(String, String)>,
}

impl Library {
    /// Reads the texts of a source.
    pub(crate) fn load(source: &SchemaSource) -> Result<Library, EmulatorError> {
        let mut library = Library::default();
        match source {
            SchemaSource::Embedded => {
                let bundle = EMBEDDED.ok_or(EmulatorError::NoSchemas)?;
                library.add_bundle(Path::new("the embedded schemas"), Cow::Borrowed(bundle))?;
            }
            SchemaSource::Texts(texts) => {
                for (index, text) in texts.iter().enumerate() {
                    library.add(Path::new("the given schemas"), &format!("#{index}"), text.clone())?;
                }
            }
            SchemaSource::Path(path) if path.is_dir() => library.add_folder(path)?,
            SchemaSource::Path(path) => {
                let bytes = std::fs::read(path).map_err(|error| source_error(path, error))?;
                if bytes.starts_with(b"PK") {
                    library.add_zip(path, bytes)?;
                } else {
                    library.add_bundle(path, Cow::Owned(bytes))?;
                }
            }
        }
        if library.entries.is_empty() {
            let path = match source {
                SchemaSource::Path(path) => path.clone(),
                SchemaSource::Embedded | SchemaSource::Texts(_) => PathBuf::from("the given schemas"),
            };
            return Err(source_error(&path, "no resource type schema in it"));
        }
        Ok(library)
    }

    /// A type by its full name.
    pub(crate) fn get(&self, type_name: &str) -> Option<Arc<ResourceType>> {
        let entry = self.entries.get(type_name)?;
        let parse = || match self.parse(type_name, entry) {
            Ok(schema) => Some(Arc::new(ResourceType::new(type_name.to_owned(), schema))),
            Err(error) => {
                tracing::warn!(type_name, error, "schema cannot be read; the type is not served");
                None
            }
        };
        entry.parsed.get_or_init(parse).clone()
    }

    fn parse(&self, type_name: &str, entry: &Entry) -> Result<serde_json::Value, String> {
        let bundled = match &entry.text {
            Some(_) => None,
            None => {
                let bundle = Bundle::open(&self.bundle).map_err(|error| error.to_string())?;
                bundle.read(type_name).map_err(|error| error.to_string())?
            }
        };
        let text = entry.text.as_deref().or(bundled.as_deref()).ok_or("the bundle does not hold it")?;
        crate::json::parse(text).map_err(|error| error.to_string())
    }

    /// The names of all types, sorted.
    pub(crate) fn type_names(&self) -> impl Iterator<Item = &str> {
        self.entries.keys().map(String::as_str)
    }

    /// Files that are no resource schema, with the reason.
    pub(crate) fn skipped(&self) -> &[(String, String)] {
        &self.skipped
    }

    fn add_folder(&mut self, folder: &Path) -> Result<(), EmulatorError> {
        let entries = std::fs::read_dir(folder).map_err(|error| source_error(folder, error))?;
        let mut files = Vec::new();
        for entry in entries {
            let path = entry.map_err(|error| source_error(folder, error))?.path();
            if path.extension().is_some_and(|extension| extension == "json") {
                files.push(path);
            }
        }
        files.sort();
        for file in files {
            let text = std::fs::read_to_string(&file).map_err(|error| source_error(&file, error))?;
            self.add(folder, &file.to_string_lossy(), text)?;
        }
        Ok(())
    }

    fn add_zip(&mut self, path: &Path, bytes: Vec<u8>) -> Result<(), EmulatorError> {
        let mut archive =
            zip::ZipArchive::new(std::io::Cursor::new(bytes)).map_err(|error| source_error(path, error))?;
        for index in 0..archive.len() {
            let file = archive.by_index(index).map_err(|error| source_error(path, error))?;
            let name = file.name().map_err(|error| source_error(path, error))?.into_owned();
            if !name.ends_with(".json") {
                continue;
            }
            let mut text = String::new();
            file.take(FILE_LIMIT).read_to_string(&mut text).map_err(|error| source_error(path, error))?;
            self.add(path, &name, text)?;
        }
        Ok(())
    }

    fn add_bundle(&mut self, path: &Path, bytes: Cow<'static, [u8]>) -> Result<(), EmulatorError> {
        let bundle = Bundle::open(&bytes)
            .map_err(|error| source_error(path, format!("neither a folder, a .zip archive nor a bundle: {error}")))?;
        for type_name in bundle.type_names() {
            self.entries.insert(type_name.to_owned(), Entry { text: None, parsed: OnceLock::new() });
        }
        self.bundle = bytes;
        Ok(())
    }

    fn add(&mut self, root: &Path, file: &str, text: String) -> Result<(), EmulatorError> {
        match serde_json::from_str::<Head>(&text) {
            Ok(Head { type_name: Some(type_name) }) => self.insert(root, type_name.into_owned(), text),
            Ok(Head { type_name: None }) => {
                self.skipped.push((file.to_owned(), "it has no typeName".to_owned()));
                Ok(())
            }
            Err(error) => {
                self.skipped.push((file.to_owned(), error.to_string()));
                Ok(())
            }
        }
    }

    fn insert(&mut self, root: &Path, type_name: String, text: String) -> Result<(), EmulatorError> {
        let entry = Entry { text: Some(text.into_boxed_str()), parsed: OnceLock::new() };
        match self.entries.insert(type_name.clone(), entry) {
            None => Ok(()),
            Some(_) => Err(EmulatorError::DuplicateType { type_name, path: root.to_owned() }),
        }
    }
}

/// The one member that a schema is filed under; the rest is skipped without being built.
#[derive(Deserialize)]
struct Head<'t> {
    #[serde(borrow, rename = "typeName")]
    type_name: Option<Cow<'t, str>>,
}

fn source_error(path: &Path, reason: impl ToString) -> EmulatorError {
    EmulatorError::SchemaSource { path: path.to_owned(), reason: reason.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_filed_by_type_name_and_others_are_named() {
        let texts = [r#"{"typeName":"A::B::C","properties":{}}"#, r#"{"properties":{}}"#, "{"];
        let library = Library::load(&SchemaSource::Texts(texts.map(str::to_owned).to_vec()));
        let seen = library
            .map(|library| (library.type_names().map(str::to_owned).collect::<Vec<_>>(), library.skipped().len()));
        assert!(matches!(&seen, Ok((names, 2)) if names == &["A::B::C"]), "{seen:?}");
    }

    #[test]
    fn a_type_described_twice_is_an_error() {
        let text = r#"{"typeName":"A::B::C"}"#.to_owned();
        let error = Library::load(&SchemaSource::Texts(vec![text.clone(), text]))
            .map(|_| ())
            .map_err(|error| error.to_string());
        assert_eq!(error, Err("A::B::C is described twice in the given schemas".to_owned()));
    }
}
