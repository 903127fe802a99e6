//! Names are made so that the service takes them, also where a schema's pattern has no anchors.
//!
//! By the letter such a pattern is satisfied by any text that contains a match. Services that state it nearly always check
//! the whole name, but some patterns are imprecise. So each one that does not fit a name as published, capitals and dash
//! included, is decided on here: names of another form, or names as published.
#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

use std::collections::BTreeMap;

use cfn::bundle::Bundle;
use cfn::{Node, ResourceSchema, java_pattern};
use generated::{RESOURCE_SCHEMAS_ZST, resources};
use metadata::model::{NameForm, Separator};

/// A name as published, long enough for every type.
const PUBLISHED: &str = "MyName-0a1b2c3";

/// What names are made of, and the types whose names are so.
const DECIDED: &[(NameForm, &[&str])] = &[
    (
        NameForm { lower_case: false, separator: Separator::Underscore },
        &[
            "AWS::Backup::Framework",
            "AWS::Backup::ReportPlan",
            "AWS::Forecast::Dataset",
            "AWS::Forecast::DatasetGroup",
            "AWS::IoTAnalytics::Channel",
            "AWS::IoTAnalytics::Dataset",
            "AWS::IoTAnalytics::Datastore",
            "AWS::IoTAnalytics::Pipeline",
        ],
    ),
    (
        NameForm { lower_case: true, separator: Separator::Dash },
        &[
            "AWS::MemoryDB::ACL",
            "AWS::MemoryDB::Cluster",
            "AWS::MemoryDB::SubnetGroup",
            "AWS::MemoryDB::User",
            "AWS::OSIS::Pipeline",
            "AWS::ObservabilityAdmin::TelemetryPipelines",
            "AWS::OpenSearchService::Application",
            "AWS::S3Outposts::Bucket",
        ],
    ),
    (
        NameForm { lower_case: true, separator: Separator::Underscore },
        &["AWS::Omics::AnnotationStore", "AWS::Omics::VariantStore"],
    ),
    (NameForm { lower_case: false, separator: Separator::Nothing }, &["AWS::SageMaker::PartnerApp"]),
    // As published. An empty pattern, and one of a single character, say nothing; `custom-`, with which a location begins, is
    // the user's to write; of the others name-limits.yaml says that the service takes dashes.
    (
        NameForm { lower_case: false, separator: Separator::Dash },
        &[
            "AWS::Batch::ConsumableResource",
            "AWS::Batch::SchedulingPolicy",
            "AWS::GameLift::Location",
            "AWS::RDS::DBProxy",
            "AWS::RDS::DBProxyEndpoint",
            "AWS::Route53RecoveryReadiness::Cell",
            "AWS::Route53RecoveryReadiness::ReadinessCheck",
            "AWS::Route53RecoveryReadiness::RecoveryGroup",
            "AWS::SecurityHub::ActionTarget",
            "AWS::SecurityHub::AutomationRule",
            "AWS::SecurityHub::ConfigurationPolicy",
            "AWS::SecurityHub::Connector",
            "AWS::SecurityHub::Insight",
            "AWS::ServiceCatalogAppRegistry::Application",
            "AWS::ServiceCatalogAppRegistry::AttributeGroup",
        ],
    ),
];

#[test]
fn every_pattern_without_anchors_is_decided_on() {
    let bundle = Bundle::open(RESOURCE_SCHEMAS_ZST).unwrap();
    let mut found: BTreeMap<String, (NameForm, String)> = BTreeMap::new();
    for resource in resources() {
        let Some(rule) = resource.auto_name() else { continue };
        let text = bundle.read(resource.cfn_type()).unwrap().unwrap();
        let schema = ResourceSchema::from_slice(text.as_bytes()).unwrap();
        let property = resource.properties().get(rule.property).unwrap();
        let Some(pattern) = pattern(&schema, property.cfn_name()) else { continue };
        let is_anchored = pattern.starts_with('^') && pattern.ends_with('$');
        let whole = java_pattern::compile(&format!("^(?:{pattern})$"));
        let takes_published = whole.is_some_and(|whole| whole.is_found(PUBLISHED) == Some(true));
        if !is_anchored && !takes_published {
            found.insert(resource.cfn_type().to_owned(), (rule.form, pattern));
        }
    }
    let mut decided: BTreeMap<&str, NameForm> = BTreeMap::new();
    for (form, names) in DECIDED {
        decided.extend(names.iter().map(|name| (*name, *form)));
    }
    for (name, (form, pattern)) in &found {
        assert_eq!(
            decided.remove(name.as_str()),
            Some(*form),
            "{name} has names of the form {form:?}, and the pattern {pattern:?}; look up whether the service takes {PUBLISHED}, \
             write what is wrong of it into cf-schemas/semantics/name-limits.yaml, and list the type here"
        );
    }
    assert!(decided.is_empty(), "listed for nothing: {decided:?}");
}

/// The pattern of a property, or of the definition that it refers to.
fn pattern(schema: &ResourceSchema, property: &str) -> Option<String> {
    let node = schema.properties.get(property)?;
    let of = |node: &Node| node.constraints.as_deref()?.pattern.clone();
    of(node).or_else(|| of(schema.resolve(node)?)).map(|pattern| pattern.to_string())
}
