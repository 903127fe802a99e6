//! All resource types, by name.
//!
//! Loading reads texts and finds their type names; a schema is parsed when its type is first used and kept from then on.
//! Reading the files is in [`super::roots`].

use super::resource_type::ResourceType;
use super::roots::Root;
use crate::error::EmulatorError;
use cfn::bundle::Bundle;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

/// Where schemas come from.
#[derive(Debug, Clone, Default)]
pub enum SchemaSource {
    /// The schemas that this build carries.
    #[default]
    Embedded,
    /// A folder (with the folders in it), a `.zip` archive of JSON files, a `.json` file, or a bundle made by `make generate`;
    /// file names mean nothing. A type that one root describes twice is an error.
    Path(PathBuf),
    /// Schema documents as text.
    Texts(Vec<String>),
    /// Several roots; a type in a later one replaces the same type of an earlier one.
    Layers(Vec<SchemaSource>),
}

impl SchemaSource {
    /// The source that the command's paths name: `embedded` is what this build carries, and none is that too.
    pub fn of_paths(paths: Vec<PathBuf>) -> SchemaSource {
        let source = |path: PathBuf| match path.to_str() {
            Some("embedded") => SchemaSource::Embedded,
            _ => SchemaSource::Path(path),
        };
        let mut sources: Vec<SchemaSource> = paths.into_iter().map(source).collect();
        match sources.len() {
            0 => SchemaSource::Embedded,
            1 => sources.remove(0),
            _ => SchemaSource::Layers(sources),
        }
    }
}

#[derive(Debug)]
struct Entry {
    origin: Origin,
    parsed: OnceLock<Result<Arc<ResourceType>, String>>,
}

#[derive(Debug)]
enum Origin {
    /// A document, with the file that it is from.
    Text { file: String, text: Box<str> },
    /// The bundle of this number.
    Bundle(usize),
}

/// The resource types that an emulator serves.
#[derive(Debug, Default)]
pub(crate) struct Library {
    entries: BTreeMap<String, Entry>,
    bundles: Vec<(PathBuf, Cow<'static, [u8]>)>,
    /// Files that are no resource schema, with the reason.
    skipped: Vec<(String, String)>,
    /// Types that a later root replaced.
    replaced: Vec<String>,
    is_linted: bool,
}

impl Library {
    /// Reads the texts of a source.
    pub(crate) fn load(source: &SchemaSource) -> Result<Library, EmulatorError> {
        let mut library = Library::default();
        match source {
            SchemaSource::Layers(layers) => {
                for layer in layers {
                    library.add(Root::read(layer)?);
                }
            }
            single => library.add(Root::read(single)?),
        }
        Ok(library)
    }

    /// Whether the keywords of template linters are enforced.
    pub(crate) fn linted(self, is_linted: bool) -> Library {
        Library { is_linted, ..self }
    }

    fn add(&mut self, root: Root) {
        let bundle = self.bundles.len();
        self.bundles.extend(root.bundle.map(|bytes| (root.name.clone(), bytes)));
        let bundled = root.bundled.into_iter().map(|type_name| (type_name, Origin::Bundle(bundle)));
        let texts = root.texts.into_iter().map(|(type_name, (file, text))| (type_name, Origin::Text { file, text }));
        for (type_name, origin) in bundled.chain(texts) {
            let entry = Entry { origin, parsed: OnceLock::new() };
            if self.entries.insert(type_name.clone(), entry).is_some() {
                self.replaced.push(type_name);
            }
        }
        self.skipped.extend(root.skipped);
    }

    /// A type by its full name.
    pub(crate) fn get(&self, type_name: &str) -> Option<Arc<ResourceType>> {
        let entry = self.entries.get(type_name)?;
        let parsed = entry.parsed.get_or_init(|| {
            self.read(type_name).map(Arc::new).inspect_err(|error| {
                tracing::warn!(type_name, error, "schema cannot be read; the type is not served");
            })
        });
        parsed.clone().ok()
    }

    /// Reads a type without keeping it.
    ///
    /// # Errors
    ///
    /// Why its schema cannot be read, after the file that it is in.
    pub(crate) fn read(&self, type_name: &str) -> Result<ResourceType, String> {
        let entry = self.entries.get(type_name).ok_or("there is no such type")?;
        let (place, text) = match &entry.origin {
            Origin::Text { file, text } => (file.clone(), Cow::Borrowed(&**text)),
            Origin::Bundle(number) => {
                let (name, bytes) = self.bundles.get(*number).ok_or("the bundle is gone")?;
                let place = name.display().to_string();
                let read = Bundle::open(bytes).and_then(|bundle| bundle.read(type_name));
                let text = read.map_err(|error| format!("{place}: {error}"))?;
                (place.clone(), Cow::Owned(text.ok_or_else(|| format!("{place}: the bundle does not hold it"))?))
            }
        };
        let schema = crate::json::parse(&text).map_err(|error| format!("{place}: the schema is {error}"))?;
        if !schema.is_object() {
            return Err(format!("{place}: the schema is no object"));
        }
        Ok(ResourceType::new(type_name.to_owned(), schema).linted(self.is_linted))
    }

    /// The names of all types, sorted.
    pub(crate) fn type_names(&self) -> impl Iterator<Item = &str> {
        self.entries.keys().map(String::as_str)
    }

    /// The file or root that a type is from.
    pub(crate) fn origin(&self, type_name: &str) -> Option<String> {
        Some(match &self.entries.get(type_name)?.origin {
            Origin::Text { file, .. } => file.clone(),
            Origin::Bundle(number) => self.bundles.get(*number)?.0.display().to_string(),
        })
    }

    /// Files that are no resource schema, with the reason.
    pub(crate) fn skipped(&self) -> &[(String, String)] {
        &self.skipped
    }

    /// Types of an earlier root that a later one replaced.
    pub(crate) fn replaced(&self) -> &[String] {
        &self.replaced
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

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
    fn a_type_described_twice_in_one_root_is_an_error_and_in_a_later_one_a_replacement() {
        let texts = |texts: &[&str]| SchemaSource::Texts(texts.iter().map(|text| (*text).to_owned()).collect());
        let (old, new) = (r#"{"typeName":"A::B::C","title":"old"}"#, r#"{"typeName":"A::B::C","title":"new"}"#);
        let error = Library::load(&texts(&[old, new])).map(|_| ()).map_err(|error| error.to_string());
        assert_eq!(error, Err("A::B::C is described twice in the given schemas: #0 and #1".to_owned()));
        let layers = SchemaSource::Layers(vec![texts(&[old, r#"{"typeName":"A::B::D"}"#]), texts(&[new])]);
        let library = Library::load(&layers).unwrap();
        assert_eq!(library.type_names().collect::<Vec<_>>(), ["A::B::C", "A::B::D"]);
        assert_eq!(library.get("A::B::C").unwrap().schema["title"], "new");
        assert_eq!(library.replaced(), ["A::B::C"]);
        let nested = SchemaSource::Layers(vec![layers]);
        assert!(Library::load(&nested).is_err_and(|error| error.to_string().contains("cannot lie in each other")));
    }

    #[test]
    fn paths_name_sources_in_their_order() {
        let of = |paths: &[&str]| format!("{:?}", SchemaSource::of_paths(paths.iter().map(PathBuf::from).collect()));
        assert_eq!(of(&[]), "Embedded");
        assert_eq!(of(&["embedded"]), "Embedded");
        assert_eq!(of(&["a.json"]), "Path(\"a.json\")");
        assert_eq!(of(&["embedded", "d"]), "Layers([Embedded, Path(\"d\")])");
    }
}
