//! The emulator's data files: everything that is known about single types and services.

use crate::error::EmulatorError;
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};

/// A table with the reason for which it is there.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Table<T> {
    #[serde(rename = "reason")]
    _reason: String,
    values: T,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Services {
    arn_services: Table<BTreeMap<String, String>>,
    without_region: Table<BTreeSet<String>>,
    unique_everywhere: Table<BTreeSet<String>>,
    deletion_protection: Table<BTreeSet<String>>,
    lower_case_names: Table<BTreeSet<String>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Ids {
    #[serde(rename = "reason")]
    _reason: String,
    by_property: BTreeMap<String, String>,
    by_type: BTreeMap<String, String>,
}

/// What the data files say.
#[derive(Debug)]
pub(crate) struct Tables {
    services: Services,
    ids: Ids,
    values: BTreeMap<String, Table<BTreeMap<String, String>>>,
}

impl Tables {
    /// Reads the files that are part of this build.
    pub(crate) fn load() -> Result<Tables, EmulatorError> {
        Ok(Tables {
            services: read("services.json", include_str!("../../data/services.json"))?,
            ids: read("ids.json", include_str!("../../data/ids.json"))?,
            values: read("values.json", include_str!("../../data/values.json"))?,
        })
    }

    /// The service segment of ARNs of a namespace.
    pub(crate) fn arn_service(&self, namespace: &str) -> String {
        self.services.arn_services.values.get(namespace).cloned().unwrap_or_else(|| namespace.to_ascii_lowercase())
    }

    /// Whether resources of a namespace exist once per account instead of once per region.
    pub(crate) fn is_global(&self, namespace: &str) -> bool {
        self.services.without_region.values.contains(namespace)
    }

    /// Whether names of a type are unique over all accounts and regions.
    pub(crate) fn is_unique_everywhere(&self, type_name: &str) -> bool {
        self.services.unique_everywhere.values.contains(type_name)
    }

    /// The names of properties that forbid a delete while they are true.
    pub(crate) fn deletion_protection(&self) -> impl Iterator<Item = &str> {
        self.services.deletion_protection.values.iter().map(String::as_str)
    }

    /// Whether a service keeps names in lower case.
    pub(crate) fn has_lower_case_names(&self, namespace: &str) -> bool {
        self.services.lower_case_names.values.contains(namespace)
    }

    /// The prefix of an EC2 id, by property and else by type (`kind` is the last part of the type name).
    pub(crate) fn id_prefix(&self, kind: &str, property: &str) -> Option<&str> {
        let by_type = || self.ids.by_type.get(kind);
        let prefix = match property {
            "Id" => by_type(),
            // An attachment or an association says what it belongs to in properties of the same name.
            _ if property.strip_suffix("Id").is_some_and(|stem| stem.eq_ignore_ascii_case(kind)) => by_type(),
            _ => self.ids.by_property.get(property),
        };
        prefix.map(String::as_str)
    }

    /// The template of a value, by type and path.
    pub(crate) fn template(&self, type_name: &str, pointer: &str) -> Option<&str> {
        self.values.get(type_name)?.values.get(pointer).map(String::as_str)
    }
}

fn read<'t, T: Deserialize<'t>>(file: &'static str, text: &'t str) -> Result<T, EmulatorError> {
    serde_json::from_str(text).map_err(|error| EmulatorError::Data { file, reason: error.to_string() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_data_files_can_be_read() {
        let tables = Tables::load();
        assert!(tables.is_ok(), "{:?}", tables.err());
        let Ok(tables) = tables else { return };
        assert_eq!(tables.arn_service("CertificateManager"), "acm");
        assert_eq!(tables.arn_service("Lambda"), "lambda");
        assert_eq!(tables.id_prefix("VPC", "VpcId"), Some("vpc"));
        assert_eq!(tables.id_prefix("EIPAssociation", "Id"), Some("eipassoc"));
        assert_eq!(tables.id_prefix("Subnet", "NetworkAclAssociationId"), Some("aclassoc"));
        assert!(tables.template("AWS::S3::Bucket", "/properties/Arn").is_some_and(|text| text.contains(":s3:::")));
    }
}
