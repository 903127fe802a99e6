//! Which property gets a generated name, and what a name must look like.

use cfn::naming::to_sdk;
use cfn::{Node, ResourceSchema};
use metadata::model::{AutoName, NameForm, Separator};

use crate::pattern;
use crate::semantics::name_limits::NameLimit;

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

/// The rules for one name.
pub(crate) struct Rules {
    /// What is published: lengths of the property itself, and what is published of the limit.
    pub published: AutoName,
    /// What the runtime knows: also what the definition that the property refers to says, what the pattern says, and all of
    /// the limit.
    pub complete: AutoName,
    /// What of the limit has no effect, as sentences.
    pub faults: Vec<String>,
}

/// The rules for the name of `candidate`.
pub(crate) fn rules(schema: &ResourceSchema, candidate: &Candidate<'_>, limit: Option<&NameLimit>) -> Rules {
    let mut published = AutoName {
        property: to_sdk(candidate.cfn_name),
        min_length: length(candidate.node.min_length()),
        max_length: length(candidate.node.max_length()),
        suffix_rule: None,
        form: NameForm::default(),
    };
    let mut complete = stated(schema, candidate);
    let mut faults = Vec::new();
    if let Some(limit) = limit {
        let effective = limit.publish(&mut published);
        let mut idle = limit.complete(&mut complete);
        idle.retain(|part| !effective.contains(part));
        faults = limit.faults(&idle);
    }
    Rules { published, complete, faults }
}

/// What the schema itself says about the name.
fn stated(schema: &ResourceSchema, candidate: &Candidate<'_>) -> AutoName {
    let definition = schema.resolve(candidate.node);
    let of = |part: fn(&Node) -> Option<u64>| part(candidate.node).or_else(|| definition.and_then(part));
    let mut name = AutoName {
        property: to_sdk(candidate.cfn_name),
        min_length: length(of(Node::min_length)),
        max_length: length(of(Node::max_length)),
        suffix_rule: None,
        form: NameForm::default(),
    };
    let pattern = pattern_of(candidate.node).or_else(|| definition.and_then(pattern_of));
    if let Some(names) = pattern.and_then(pattern::names) {
        name.min_length = name.min_length.max(length(Some(names.shortest)));
        if let Some(longest) = names.longest.filter(|longest| *longest > 0) {
            let longest = length(Some(longest));
            name.max_length = if name.max_length == 0 { longest } else { name.max_length.min(longest) };
        }
    }
    if let Some(names) = pattern.and_then(pattern::alphabet) {
        name.form = NameForm {
            lower_case: !names.capitals,
            separator: match (names.dash, names.underscore) {
                (true, _) => Separator::Dash,
                (false, true) => Separator::Underscore,
                (false, false) => Separator::Nothing,
            },
        };
    }
    name
}

/// The regular expression that a schema states.
fn pattern_of(node: &Node) -> Option<&str> {
    node.constraints.as_deref()?.pattern.as_deref()
}

/// A length as the metadata has it; 0 = none.
fn length(stated: Option<u64>) -> u32 {
    stated.map_or(0, |stated| u32::try_from(stated).unwrap_or(u32::MAX))
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
}
