//! Which regions there are, and which types each of them has.

use crate::error::EmulatorError;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// What is chosen about regions. By default every region exists and has every type.
#[derive(Debug, Default)]
pub(crate) struct Regions {
    /// The regions that exist; all when it is empty.
    known: BTreeSet<String>,
    /// The types of a region, for regions that are listed.
    types: BTreeMap<String, BTreeSet<String>>,
}

impl Regions {
    /// Reads the table of types, if one is named: a file with region names and lists of types in it, or a folder with a file
    /// for each region that is a list of types or has them as names of members, as downloaded schemas come with.
    pub(crate) fn load(known: &[String], table: Option<&Path>) -> Result<Regions, EmulatorError> {
        let types = table.map_or_else(|| Ok(BTreeMap::new()), read)?;
        Ok(Regions { known: known.iter().cloned().collect(), types })
    }

    /// Whether there is such a region.
    pub(crate) fn exists(&self, region: &str) -> bool {
        self.known.is_empty() || self.known.contains(region)
    }

    /// Whether a region has a type. A region that the table does not list has all of them.
    pub(crate) fn has(&self, region: &str, type_name: &str) -> bool {
        self.types.get(region).is_none_or(|types| types.contains(type_name))
    }
}

fn read(path: &Path) -> Result<BTreeMap<String, BTreeSet<String>>, EmulatorError> {
    let failed = |at: &Path, reason: String| EmulatorError::Options {
        reason: format!("--region-types {}: {reason}", at.display()),
    };
    let text = |at: &Path| std::fs::read_to_string(at).map_err(|error| failed(at, error.to_string()));
    if !path.is_dir() {
        let table = crate::yaml::read(&path.display().to_string(), &text(path)?);
        return table.map_err(|error| EmulatorError::Options { reason: format!("--region-types: {error}") });
    }
    let mut table = BTreeMap::new();
    let entries = std::fs::read_dir(path).map_err(|error| failed(path, error.to_string()))?;
    for entry in entries {
        let file = entry.map_err(|error| failed(path, error.to_string()))?.path();
        if file.extension().is_none_or(|extension| extension != "json") {
            continue;
        }
        let value = crate::json::parse(&text(&file)?).map_err(|error| failed(&file, format!("it is {error}")))?;
        let names: BTreeSet<String> = match &value {
            serde_json::Value::Object(members) => members.keys().cloned().collect(),
            serde_json::Value::Array(items) => {
                items.iter().filter_map(|item| item.as_str()).map(str::to_owned).collect()
            }
            _ => return Err(failed(&file, "it is neither a list of types nor an object with them".to_owned())),
        };
        table.insert(file.file_stem().unwrap_or_default().to_string_lossy().into_owned(), names);
    }
    if table.is_empty() {
        return Err(failed(path, "there is no file for a region in it".to_owned()));
    }
    Ok(table)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

    use super::*;

    #[test]
    fn regions_and_their_types_are_those_that_are_named() {
        let all = Regions::default();
        assert!(all.exists("eu-west-1") && all.has("eu-west-1", "A::B::C"));
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("types.yaml");
        std::fs::write(&file, "eu-west-1: [A::B::C]\nus-east-1: []\n").unwrap();
        let regions = Regions::load(&["eu-west-1".to_owned()], Some(&file)).unwrap();
        assert!(regions.exists("eu-west-1") && !regions.exists("eu-west-2"));
        for (region, type_name, expected) in [
            ("eu-west-1", "A::B::C", true),
            ("eu-west-1", "A::B::D", false),
            ("us-east-1", "A::B::C", false),
            ("unlisted", "A::B::D", true),
        ] {
            assert_eq!(regions.has(region, type_name), expected, "{region} {type_name}");
        }
        let tables = folder.path().join("tables");
        std::fs::create_dir(&tables).unwrap();
        let error = |path: &Path| Regions::load(&[], Some(path)).unwrap_err().to_string();
        assert!(error(&tables).ends_with("there is no file for a region in it"));
        std::fs::write(tables.join("eu-west-1.json"), r#"{"A::B::C": "digest"}"#).unwrap();
        std::fs::write(tables.join("us-east-1.json"), r#"["A::B::D"]"#).unwrap();
        let regions = Regions::load(&[], Some(&tables)).unwrap();
        assert!(regions.has("eu-west-1", "A::B::C") && !regions.has("us-east-1", "A::B::C"));
        std::fs::write(tables.join("us-east-1.json"), "5").unwrap();
        assert!(error(&tables).contains("us-east-1.json: it is neither a list"));
        std::fs::write(&file, "eu-west-1: 5\n").unwrap();
        assert!(error(&file).contains("types.yaml:1:"), "{}", error(&file));
        assert!(error(&folder.path().join("none")).contains("none: "));
    }
}
