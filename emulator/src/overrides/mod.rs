//! Everything that is known about single services and types, from the files under `data/`.
//!
//! | module | what is in it |
//! |---|---|
//! | this one | looking things up |
//! | [`file`] | the form of the files |
//! | [`forms`] | defaults and forms of values, in files of their own |
//! | [`regions`] | zones and tables by region |
//! | [`template`] | templates of values |
//! | [`editor`] | what JSON schemas say about them |
//! | [`normalize`] | forms in which services keep values |
//!
//! `data/services/` has what services make, `data/forms/` what they make of what they are given: a file for each namespace.
//! A file is read when its namespace is first used. `data/documented-defaults.tsv` has defaults that the public documentation
//! states and the schemas do not.

mod editor;
pub(crate) mod file;
pub(crate) mod forms;
pub(crate) mod normalize;
pub(crate) mod regions;
pub(crate) mod template;

use crate::error::EmulatorError;
use crate::schema::InstancePath;
use crate::yaml;
use file::{CommonFacts, DefaultRule, Names, Protection, ServiceFacts, TypeFacts, ValueRule};
use forms::ServiceForms;
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
    nothing_of_type: Arc<TypeFacts>,
    documented: OnceLock<BTreeMap<&'static str, Arc<[DefaultRule]>>>,
}

/// The files about one service.
#[derive(Debug, Default)]
struct Service {
    text: Option<&'static str>,
    forms: Option<&'static str>,
    facts: OnceLock<Arc<ServiceFacts>>,
}

impl Knowledge {
    /// The files that are part of this build.
    pub(crate) fn load() -> Result<Knowledge, EmulatorError> {
        let common = yaml::read("common.yaml", include_str!("../../data/common.yaml"))
            .map_err(|error| EmulatorError::Data { file: "common.yaml", reason: error.to_string() })?;
        let regions = yaml::read("regions.yaml", include_str!("../../data/regions.yaml"))
            .map_err(|error| EmulatorError::Data { file: "regions.yaml", reason: error.to_string() })?;
        let mut services: BTreeMap<&'static str, Service> = BTreeMap::new();
        for (namespace, text) in SERVICES {
            services.entry(namespace).or_default().text = Some(text);
        }
        for (namespace, text) in forms::files() {
            services.entry(namespace).or_default().forms = Some(text);
        }
        Ok(Knowledge { services, common, regions, nothing_of_type: Arc::default(), documented: OnceLock::new() })
    }

    fn known(&self, namespace: &str) -> Option<&Arc<ServiceFacts>> {
        let service = self.services.get(namespace)?;
        Some(service.facts.get_or_init(|| {
            let mut facts: ServiceFacts = read(namespace, service.text);
            let forms: ServiceForms = read(namespace, service.forms);
            for (kind, forms) in forms.types {
                let of_type = Arc::make_mut(facts.types.entry(kind).or_default());
                of_type.defaults.extend(forms.defaults);
                of_type.normalize.extend(forms.normalize);
            }
            Arc::new(facts)
        }))
    }

    /// Defaults that the documentation of a type states.
    pub(crate) fn documented_defaults(&self, type_name: &str) -> Arc<[DefaultRule]> {
        let documented = self.documented.get_or_init(forms::documented_defaults);
        documented.get(type_name).cloned().unwrap_or_default()
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
            _ if property.strip_suffix("Id").is_some_and(|stem| stem.eq_ignore_ascii_case(kind)) => {
                by_type().or_else(|| ids.properties.get(property))
            }
            _ => ids.properties.get(property),
        };
        prefix.map(String::as_str)
    }

    /// What a value looks like: by type and path, else by service and name of the property.
    pub(crate) fn value_rule(&self, type_name: &str, path: &InstancePath) -> Option<&ValueRule> {
        let of_type = self.known_type(type_name).and_then(|facts| facts.values.get(path.pointer()));
        of_type.or_else(|| self.known(parts(type_name)?.0)?.values.get(path.short_name()))
    }

    /// What a value of this name looks like in every service.
    pub(crate) fn common_rule(&self, name: &str) -> Option<&ValueRule> {
        self.common.values.get(name)
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

fn read<T: serde::de::DeserializeOwned + Default>(namespace: &str, text: Option<&str>) -> T {
    let Some(text) = text else { return T::default() };
    yaml::read(&format!("{namespace}.yaml"), text).unwrap_or_else(|error| {
        // A test reads every file; what a build carries can be read.
        tracing::error!(%error, "a data file cannot be read; please report this");
        T::default()
    })
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
    use crate::schema::Library;
    use crate::schema::library::SchemaSource;

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

    /// How many types have values, defaults or normal forms of their own at least.
    const LEAST_TYPES: usize = 120;

    #[test]
    fn every_fact_names_a_type_and_a_property() {
        let library = Library::load(&SchemaSource::Embedded).expect("`make generate` comes first");
        let (mut told, mut wrong) = (0, Vec::new());
        for (namespace, text) in SERVICES {
            let facts: ServiceFacts = yaml::read(namespace, text).unwrap();
            for (kind, facts) in &facts.types {
                let Some(resource) = library.get(&format!("AWS::{namespace}::{kind}")) else {
                    wrong.push(format!("{namespace} {kind}: there is no such type"));
                    continue;
                };
                told +=
                    usize::from(!facts.values.is_empty() || !facts.defaults.is_empty() || !facts.normalize.is_empty());
                for pointer in facts.values.keys() {
                    let path = InstancePath::parse(pointer).unwrap();
                    // A map has members of any name.
                    let is_there = resource.node(&path).is_some()
                        || pointer
                            .rsplit_once('/')
                            .and_then(|(parent, _)| resource.node(&InstancePath::parse(parent)?))
                            .is_some_and(|parent| resource.keyword(parent, "patternProperties").is_some());
                    if !is_there {
                        wrong.push(format!("{namespace} {kind}: {pointer} names no property"));
                    }
                }
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
        assert!(told >= LEAST_TYPES, "{told} types have facts of their own");
    }

    #[test]
    fn what_is_known_is_found() {
        let knowledge = Knowledge::load().unwrap();
        assert_eq!(knowledge.arn_service("CertificateManager"), "acm");
        assert_eq!(knowledge.arn_service("Lambda"), "lambda");
        assert_eq!(knowledge.id_prefix("EC2", "VPC", "VpcId"), Some("vpc"));
        assert_eq!(knowledge.id_prefix("EC2", "EIPAssociation", "Id"), Some("eipassoc"));
        assert_eq!(knowledge.id_prefix("EC2", "Subnet", "NetworkAclAssociationId"), Some("aclassoc"));
        assert_eq!(
            knowledge.id_prefix("EC2", "TransitGatewayConnectPeer", "TransitGatewayConnectPeerId"),
            Some("tgw-connect-peer")
        );
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
