//! Everything that is known about single services and types, from the files under `data/`.
//!
//! | module | what is in it |
//! |---|---|
//! | this one | looking things up |
//! | [`file`] | the form of the files |
//! | [`regions`] | zones and tables by region |
//! | [`template`] | templates of values |
//!
//! A file is read when its namespace is first used.

pub(crate) mod file;
pub(crate) mod regions;
pub(crate) mod template;

use crate::error::EmulatorError;
use crate::schema::InstancePath;
use crate::yaml;
use file::{CommonFacts, Names, Protection, ServiceFacts, TypeFacts, ValueRule};
use regions::Regions;
use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};
use template::Template;

include!(concat!(env!("OUT_DIR"), "/services.rs"));

/// What the data files say.
#[derive(Debug)]
pub(crate) struct Knowledge {
    services: BTreeMap<&'static str, Service>,
    common: CommonFacts,
    pub(crate) regions: Regions,
    nothing: Arc<ServiceFacts>,
    nothing_of_type: Arc<TypeFacts>,
}

#[derive(Debug)]
struct Service {
    text: &'static str,
    facts: OnceLock<Arc<ServiceFacts>>,
}

impl Knowledge {
    /// The files that are part of this build.
    pub(crate) fn load() -> Result<Knowledge, EmulatorError> {
        let common = yaml::read("common.yaml", include_str!("../../data/common.yaml"))
            .map_err(|error| EmulatorError::Data { file: "common.yaml", reason: error.to_string() })?;
        let regions = yaml::read("regions.yaml", include_str!("../../data/regions.yaml"))
            .map_err(|error| EmulatorError::Data { file: "regions.yaml", reason: error.to_string() })?;
        let service =
            |(namespace, text): &(&'static str, &'static str)| (*namespace, Service { text, facts: OnceLock::new() });
        Ok(Knowledge {
            services: SERVICES.iter().map(service).collect(),
            common,
            regions,
            nothing: Arc::default(),
            nothing_of_type: Arc::default(),
        })
    }

    /// What is known about a service, which may be nothing.
    pub(crate) fn service(&self, namespace: &str) -> Arc<ServiceFacts> {
        Arc::clone(self.known(namespace).unwrap_or(&self.nothing))
    }

    fn known(&self, namespace: &str) -> Option<&Arc<ServiceFacts>> {
        let service = self.services.get(namespace)?;
        Some(service.facts.get_or_init(|| {
            let read = yaml::read(&format!("{namespace}.yaml"), service.text);
            Arc::new(read.unwrap_or_else(|error| {
                // A test reads every file; what a build carries can be read.
                tracing::error!(%error, "a data file cannot be read; please report this");
                ServiceFacts::default()
            }))
        }))
    }

    /// What is known about a type, which may be nothing.
    pub(crate) fn of_type(&self, type_name: &str) -> Arc<TypeFacts> {
        Arc::clone(self.known_type(type_name).unwrap_or(&self.nothing_of_type))
    }

    fn known_type(&self, type_name: &str) -> Option<&Arc<TypeFacts>> {
        let (namespace, kind) = parts(type_name)?;
        self.known(namespace)?.types.get(kind)
    }

    /// The service segment of ARNs of a namespace.
    pub(crate) fn arn_service(&self, namespace: &str) -> String {
        let known = self.known(namespace).and_then(|facts| facts.arn.clone());
        known.unwrap_or_else(|| namespace.to_ascii_lowercase())
    }

    /// Whether ARNs of a namespace carry no region.
    pub(crate) fn has_no_region(&self, namespace: &str) -> bool {
        self.known(namespace).is_some_and(|facts| facts.global)
    }

    /// Whether resources of a type exist once per account instead of once per region.
    pub(crate) fn is_global(&self, type_name: &str) -> bool {
        parts(type_name).is_some_and(|(namespace, _)| self.has_no_region(namespace))
            || self.known_type(type_name).is_some_and(|facts| facts.global)
    }

    /// Whether names of a type are unique over all accounts and regions.
    pub(crate) fn is_unique_everywhere(&self, type_name: &str) -> bool {
        self.known_type(type_name).is_some_and(|facts| facts.everywhere)
    }

    /// What forbids deleting a resource of a type: what holds for every type, then what holds for this one.
    pub(crate) fn protections(&self, type_name: &str) -> impl Iterator<Item = &Protection> {
        let own = self.known_type(type_name).into_iter().flat_map(|facts| &facts.protection);
        self.common.protection.iter().chain(own)
    }

    /// Whether a service keeps names in lower case.
    pub(crate) fn has_lower_case_names(&self, namespace: &str) -> bool {
        self.known(namespace).is_some_and(|facts| facts.names == Names::Lower)
    }

    /// The prefix of an id, by property and else by type (`kind` is the last part of the type name).
    pub(crate) fn id_prefix(&self, namespace: &str, kind: &str, property: &str) -> Option<&str> {
        let ids = &self.known(namespace)?.ids;
        let by_type = || ids.types.get(kind);
        let prefix = match property {
            "Id" => by_type(),
            // An attachment or an association says what it belongs to in properties of the same name.
            _ if property.strip_suffix("Id").is_some_and(|stem| stem.eq_ignore_ascii_case(kind)) => by_type(),
            _ => ids.properties.get(property),
        };
        prefix.map(String::as_str)
    }

    /// What a value looks like: by type and path, else by service and name of the property.
    pub(crate) fn value_rule(&self, type_name: &str, path: &InstancePath) -> Option<&ValueRule> {
        let of_type = self.known_type(type_name).and_then(|facts| facts.values.get(path.pointer()));
        of_type.or_else(|| self.known(parts(type_name)?.0)?.values.get(path.short_name()))
    }

    /// What the ARN of a type looks like.
    pub(crate) fn arn(&self, type_name: &str) -> Option<&Template> {
        let (namespace, kind) = parts(type_name)?;
        self.known(namespace)?.arns.get(kind)
    }

    /// A fact about a region, by the name of its table.
    pub(crate) fn of_region(&self, table: &str, region: &str) -> Option<&str> {
        self.regions.tables.get(table)?.entries.get(region).map(String::as_str)
    }
}

/// The second and third part of a type name.
fn parts(type_name: &str) -> Option<(&str, &str)> {
    let mut parts = type_name.split("::").skip(1);
    Some((parts.next()?, parts.next()?))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

    use super::*;

    #[test]
    fn every_data_file_can_be_read_and_is_named_like_its_namespace() {
        for (namespace, text) in SERVICES {
            let read: Result<ServiceFacts, _> = yaml::read(&format!("data/services/{namespace}.yaml"), text);
            let facts = read.unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(facts.namespace, *namespace);
            for (kind, facts) in &facts.types {
                assert!(facts.reason.is_some(), "{namespace} {kind}: a type says what it rests on");
            }
            let says = facts.arn.is_some() || facts.global || facts.names != Names::Mixed;
            assert!(!says || facts.reason.is_some(), "{namespace}: a service says what it rests on");
        }
    }

    #[test]
    fn what_is_known_is_found() {
        let knowledge = Knowledge::load().unwrap();
        assert_eq!(knowledge.arn_service("CertificateManager"), "acm");
        assert_eq!(knowledge.arn_service("Lambda"), "lambda");
        assert_eq!(knowledge.id_prefix("EC2", "VPC", "VpcId"), Some("vpc"));
        assert_eq!(knowledge.id_prefix("EC2", "EIPAssociation", "Id"), Some("eipassoc"));
        assert_eq!(knowledge.id_prefix("EC2", "Subnet", "NetworkAclAssociationId"), Some("aclassoc"));
        assert_eq!(knowledge.id_prefix("RDS", "VPC", "VpcId"), None);
        let arn = InstancePath::parse("/properties/Arn").unwrap();
        assert!(knowledge.value_rule("AWS::S3::Bucket", &arn).is_some());
        assert!(knowledge.arn("AWS::SNS::Topic").is_some_and(|arn| arn.text().contains(":sns:")));
        assert!(
            knowledge.is_unique_everywhere("AWS::S3::Bucket") && !knowledge.is_unique_everywhere("AWS::SQS::Queue")
        );
        assert!(knowledge.is_global("AWS::IAM::Role") && !knowledge.is_global("AWS::SQS::Queue"));
        assert_eq!(knowledge.protections("A::B::C").count(), 11);
        assert!(knowledge.of_type("AWS::None::Such").values.is_empty());
    }

    #[test]
    fn faults_are_said_with_their_places() {
        let check = |text: &str, expected: &str| {
            let error = yaml::read::<ServiceFacts>("X.yaml", text).unwrap_err().to_string();
            assert!(error.starts_with(expected), "{error}");
        };
        check("namespace: X\nlinks: y\n", "X.yaml:2:1: unknown field `links`");
        check("namespace: X\ntypes:\n  T:\n    values:\n      /properties/A: '{'\n", "X.yaml:5:");
        check("namespace: X\ntypes:\n  T:\n    latency: { create: swift }\n", "X.yaml:4:");
    }
}
