//! The documentation source: what the package says about types, their properties and attributes.
//!
//! The file is a dump of a graph database. Only three of its tables are read: resources, type definitions, and which
//! resource uses which type definition. Everything else is skipped while reading, so that a run needs little memory.

use std::collections::{BTreeMap, HashMap};
use std::io::Read;

use flate2::read::GzDecoder;
use serde::Deserialize;

/// Why a documentation file cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("{file}: not a documentation database; correct cf-schemas/lock.json, or use --without-docs")]
pub struct DocsError {
    /// The file's name.
    pub file: String,
    /// What the JSON reader found.
    #[source]
    pub source: serde_json::Error,
}

/// Texts by CloudFormation type, as the source has them.
#[derive(Debug, Default)]
pub struct Docs {
    types: BTreeMap<String, TypeDocs>,
}

/// The texts of one resource type.
#[derive(Debug, Default)]
pub struct TypeDocs {
    own: ObjectDocs,
    attributes: Documented,
    /// By name of the definition.
    definitions: HashMap<String, ObjectDocs>,
}

/// The texts of an object and of its properties.
#[derive(Debug, Default)]
struct ObjectDocs {
    text: Option<String>,
    properties: Documented,
}

/// Texts by CloudFormation name.
type Documented = BTreeMap<String, Entry>;

#[derive(Debug, Default, Deserialize)]
struct Entry {
    documentation: Option<String>,
}

#[derive(Deserialize)]
struct Database {
    schema: Tables,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Tables {
    resource: Table<ResourceEntity>,
    type_definition: Table<DefinitionEntity>,
    uses_type: Relation,
}

#[derive(Deserialize)]
struct Table<T> {
    entities: Vec<T>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ResourceEntity {
    #[serde(rename = "$id")]
    id: String,
    cloud_formation_type: String,
    documentation: Option<String>,
    #[serde(default)]
    properties: Documented,
    #[serde(default)]
    attributes: Documented,
}

#[derive(Deserialize)]
struct DefinitionEntity {
    #[serde(rename = "$id")]
    id: String,
    name: String,
    documentation: Option<String>,
    #[serde(default)]
    properties: Documented,
}

#[derive(Deserialize)]
struct Relation {
    forward: HashMap<String, Vec<Target>>,
}

#[derive(Deserialize)]
struct Target {
    #[serde(rename = "$id")]
    id: String,
}

impl Docs {
    /// Reads the gzipped database `bytes`; `file` is for messages.
    ///
    /// # Errors
    ///
    /// [`DocsError`] when it is not gzipped JSON with these tables.
    pub fn from_gzip(file: &str, bytes: &[u8]) -> Result<Docs, DocsError> {
        Docs::from_reader(file, GzDecoder::new(bytes))
    }

    /// Reads the database as plain JSON; `file` is for messages.
    ///
    /// # Errors
    ///
    /// [`DocsError`] when it is not JSON with these tables.
    pub fn from_reader(file: &str, reader: impl Read) -> Result<Docs, DocsError> {
        let reader = std::io::BufReader::with_capacity(1 << 16, reader);
        let database: Database =
            serde_json::from_reader(reader).map_err(|source| DocsError { file: file.to_owned(), source })?;
        let Tables { resource, type_definition, uses_type } = database.schema;
        let mut definitions: HashMap<String, DefinitionEntity> =
            type_definition.entities.into_iter().map(|entity| (entity.id.clone(), entity)).collect();
        let mut types = BTreeMap::new();
        for entity in resource.entities {
            let mut docs = TypeDocs {
                own: ObjectDocs { text: entity.documentation, properties: entity.properties },
                attributes: entity.attributes,
                definitions: HashMap::new(),
            };
            // Every definition belongs to one resource.
            for target in uses_type.forward.get(&entity.id).into_iter().flatten() {
                if let Some(DefinitionEntity { name, documentation, properties, .. }) = definitions.remove(&target.id) {
                    docs.definitions.insert(name, ObjectDocs { text: documentation, properties });
                }
            }
            types.insert(entity.cloud_formation_type, docs);
        }
        Ok(Docs { types })
    }

    /// Whether there are no texts at all.
    pub fn is_empty(&self) -> bool {
        self.types.is_empty()
    }

    /// What is said about a resource type.
    pub fn of(&self, cfn_type: &str) -> Option<&TypeDocs> {
        self.types.get(cfn_type)
    }

    /// The text that another type of the service has for a member of a definition of the same name: services describe
    /// what several of their types share in one place only. The first such type in order of name decides.
    pub fn elsewhere(&self, cfn_type: &str, definition: &str, member: &str) -> Option<&str> {
        let (service, _) = cfn_type.rsplit_once("::")?;
        let of_service = |name: &str| name.strip_prefix(service).is_some_and(|rest| rest.starts_with("::"));
        let types = self.types.range(format!("{service}::")..).take_while(|(name, _)| of_service(name));
        types.into_iter().find_map(|(_, docs)| docs.member(definition, member))
    }
}

impl TypeDocs {
    /// The text of the resource.
    pub fn resource(&self) -> Option<&str> {
        self.own.text.as_deref().and_then(meaningful)
    }

    /// The text of a top-level property, else of the attribute of that name.
    pub fn property(&self, name: &str) -> Option<&str> {
        text(&self.own.properties, name).or_else(|| text(&self.attributes, name))
    }

    /// The text of a definition.
    pub fn definition(&self, definition: &str) -> Option<&str> {
        self.definitions.get(definition)?.text.as_deref().and_then(meaningful)
    }

    /// The text of a definition's property.
    pub fn member(&self, definition: &str, name: &str) -> Option<&str> {
        text(&self.definitions.get(definition)?.properties, name)
    }
}

fn text<'d>(entries: &'d Documented, name: &str) -> Option<&'d str> {
    entries.get(name)?.documentation.as_deref().and_then(meaningful)
}

/// A text that says something.
fn meaningful(text: &str) -> Option<&str> {
    let text = text.trim();
    let says_nothing = text.is_empty() || text.eq_ignore_ascii_case("property description not available.");
    (!says_nothing).then_some(text)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

    use serde_json::json;

    use super::*;

    fn database() -> serde_json::Value {
        json!({"idCtr": 9, "schema": {
            "region": {"type": "entities", "entities": [{"$id": "7", "name": "nowhere-1"}]},
            "resource": {"type": "entities", "entities": [{
                "$id": "0", "cloudFormationType": "AWS::Zoo::Cage", "documentation": "A cage.", "name": "Cage",
                "properties": {
                    "Bars": {"type": {"type": "integer"}, "documentation": "How many bars."},
                    "Lock": {"type": {"type": "ref", "reference": {"$ref": "1"}}, "documentation": " "},
                },
                "attributes": {"Arn": {"documentation": "Its ARN."}},
            }]},
            "typeDefinition": {"type": "entities", "entities": [
                {"$id": "1", "name": "Lock", "documentation": "A lock.", "properties": {"Key": {"documentation": "Its key."}}},
                {"$id": "2", "name": "Stray", "properties": {}},
            ]},
            "usesType": {"type": "rel", "forward": {"0": [{"$id": "1"}, {"$id": "404"}]}},
        }})
    }

    #[test]
    fn texts_are_found_by_their_place() {
        let docs = Docs::from_reader("db.json", database().to_string().as_bytes()).unwrap();
        let cage = docs.of("AWS::Zoo::Cage").unwrap();
        assert_eq!(cage.resource(), Some("A cage."));
        assert_eq!(cage.property("Bars"), Some("How many bars."));
        assert_eq!(cage.property("Arn"), Some("Its ARN."));
        assert_eq!(cage.property("Lock"), None, "white space says nothing");
        assert_eq!(cage.definition("Lock"), Some("A lock."));
        assert_eq!(cage.member("Lock", "Key"), Some("Its key."));
        assert_eq!(cage.definition("Stray"), None);
        assert!(docs.of("AWS::Zoo::Aviary").is_none() && !docs.is_empty());
    }

    #[test]
    fn what_is_no_database_is_an_error() {
        for text in ["", "[]", "{}", r#"{"schema": {"resource": 1}}"#] {
            let error = Docs::from_reader("db.json", text.as_bytes()).unwrap_err();
            assert!(error.to_string().starts_with("db.json: not a documentation database"), "{error}");
        }
        assert!(Docs::from_gzip("db.json.gz", b"plain").is_err());
    }
}
