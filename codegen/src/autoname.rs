//! Which property gets a generated name, and what a name must look like.

use cfn::naming::to_sdk;
use cfn::{Node, ResourceSchema};
use metadata::model::{self, AutoName, SuffixRule};

/// Limits that schemas do not state. Columns: type, property, shortest, longest. Source: the services' API references.
const LENGTHS: &[(&str, &str, u32, u32)] = &[
    ("AWS::ElasticLoadBalancingV2::LoadBalancer", "Name", 1, 32),
    ("AWS::ElasticLoadBalancingV2::TargetGroup", "Name", 1, 32),
    ("AWS::IAM::Role", "RoleName", 1, 64),
    ("AWS::Lambda::Alias", "Name", 1, 128),
    ("AWS::Lambda::Function", "FunctionName", 1, 64),
];

/// A suffix that a service demands of names when an input is true.
struct SuffixDemand {
    cfn_type: &'static str,
    property: &'static str,
    field: &'static str,
    suffix: &'static str,
    /// Whether the published runtime metadata has the rule.
    published: bool,
}

const SUFFIXES: &[SuffixDemand] = &[
    SuffixDemand {
        cfn_type: "AWS::SNS::Topic",
        property: "topicName",
        field: "fifoTopic",
        suffix: ".fifo",
        published: false,
    },
    SuffixDemand {
        cfn_type: "AWS::SQS::Queue",
        property: "queueName",
        field: "fifoQueue",
        suffix: ".fifo",
        published: true,
    },
];

/// A string input that could take a generated name.
pub(crate) struct Candidate<'a> {
    /// CloudFormation name.
    pub cfn_name: &'a str,
    /// The property's schema.
    pub node: &'a Node,
}

/// The property that gets a generated name, by CloudFormation name.
///
/// `name` comes first, then `<resource>name`, then the only `<x>name` where the resource's name ends in `<x>`;
/// capitals do not count. `candidates` are the inputs of type string.
pub(crate) fn find<'c, 'a>(resource: &str, candidates: &'c [Candidate<'a>]) -> Option<&'c Candidate<'a>> {
    let resource = resource.to_lowercase();
    // Two names that differ by case only: the later one counts, as in a table that is filled in order.
    let named = |name: &str| candidates.iter().rev().find(|candidate| candidate.cfn_name.to_lowercase() == name);
    if let Some(candidate) = named("name").or_else(|| named(&format!("{resource}name"))) {
        return Some(candidate);
    }
    let mut found: Option<&Candidate<'_>> = None;
    for (start, _) in resource.char_indices() {
        let suffix = resource.get(start..).unwrap_or_default();
        if let Some(candidate) = named(&format!("{suffix}name")) {
            if found.is_some() {
                return None;
            }
            found = Some(candidate);
        }
    }
    found
}

/// The published rule for `candidate`: lengths of the property itself, and of the table where it states none.
pub(crate) fn published(schema: &ResourceSchema, candidate: &Candidate<'_>) -> AutoName {
    let lengths = (candidate.node.min_length(), candidate.node.max_length());
    rule(schema, candidate, lengths, |demand| demand.published)
}

/// The rule for the runtime: also with lengths of the definition that the property refers to, and with every suffix
/// that is known to be demanded.
pub(crate) fn complete(schema: &ResourceSchema, candidate: &Candidate<'_>) -> AutoName {
    let definition = schema.resolve(candidate.node);
    let min = candidate.node.min_length().or_else(|| definition.and_then(Node::min_length));
    let max = candidate.node.max_length().or_else(|| definition.and_then(Node::max_length));
    rule(schema, candidate, (min, max), |_| true)
}

fn rule(
    schema: &ResourceSchema,
    candidate: &Candidate<'_>,
    (min, max): (Option<u64>, Option<u64>),
    counts: impl Fn(&SuffixDemand) -> bool,
) -> AutoName {
    let cfn_type = schema.type_name.as_str();
    let property = to_sdk(candidate.cfn_name);
    let known = LENGTHS.iter().find(|(of, name, ..)| *of == cfn_type && *name == candidate.cfn_name);
    let length = |stated: Option<u64>, known: Option<u32>| match stated {
        None | Some(0) => known.unwrap_or(0),
        Some(stated) => u32::try_from(stated).unwrap_or(u32::MAX),
    };
    let suffix =
        SUFFIXES.iter().find(|demand| demand.cfn_type == cfn_type && demand.property == property && counts(demand));
    AutoName {
        min_length: length(min, known.map(|(_, _, min, _)| *min)),
        max_length: length(max, known.map(|(.., max)| *max)),
        suffix_rule: suffix.map(|demand| SuffixRule {
            field: demand.field.to_owned(),
            equals: true,
            suffix: demand.suffix.to_owned(),
        }),
        property,
        form: model::NameForm::default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_property_is_named() {
        for (resource, properties, expected) in [
            ("App", &["Name", "AppName"][..], Some("Name")),
            ("DbCluster", &["DBClusterName"], Some("DBClusterName")),
            ("ScalingPolicy", &["PolicyName", "ResourceId"], Some("PolicyName")),
            ("CloudFormationProvisionedProduct", &["ProductName", "ProvisionedProductName"], None),
            ("DbInstance", &["DBInstanceIdentifier", "DBName"], None),
            ("Queue", &["QueueNames"], None),
            ("Queue", &[], None),
        ] {
            let node = Node::default();
            let candidates: Vec<_> = properties.iter().map(|name| Candidate { cfn_name: name, node: &node }).collect();
            let found = find(resource, &candidates).map(|candidate| candidate.cfn_name);
            assert_eq!(found, expected, "{resource} {properties:?}");
        }
    }

    #[test]
    fn every_limit_and_suffix_names_an_existing_type() {
        for cfn_type in LENGTHS.iter().map(|(of, ..)| *of).chain(SUFFIXES.iter().map(|demand| demand.cfn_type)) {
            assert!(cfn::TypeName::parse(cfn_type).is_some(), "{cfn_type}");
        }
    }
}
