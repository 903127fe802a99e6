//! The hand-written functions.

use super::properties;
use crate::package::{FunctionObject, FunctionSpec, TypeSpec};
use std::collections::BTreeMap;

type Members<'t> = &'t [(&'t str, TypeSpec, &'t str)];

/// All of them by token.
pub(super) fn all() -> BTreeMap<String, FunctionSpec> {
    let strings = || TypeSpec::array(TypeSpec::String);
    let name = || ("name", TypeSpec::String, "");
    [
        function("getAccountId", None, &[("accountId", TypeSpec::String, "")], &["accountId"]),
        function("getRegion", None, &[("region", TypeSpec::String, "")], &["region"]),
        function("getUrlSuffix", None, &[("urlSuffix", TypeSpec::String, "")], &["urlSuffix"]),
        function(
            "getPartition",
            None,
            &[
                ("partition", TypeSpec::String, "The partition, for example `aws`."),
                ("dnsSuffix", TypeSpec::String, "The partition's domain, for example `amazonaws.com`."),
            ],
            &["partition", "dnsSuffix"],
        ),
        function("getAzs", Some((&[("region", TypeSpec::String, "")], &[])), &[("azs", strings(), "")], &["azs"]),
        function(
            "cidr",
            Some((
                &[
                    ("ipBlock", TypeSpec::String, ""),
                    ("count", TypeSpec::Integer, ""),
                    ("cidrBits", TypeSpec::Integer, ""),
                ],
                &["ipBlock", "count", "cidrBits"],
            )),
            &[("subnets", strings(), "")],
            &["subnets"],
        ),
        function("getSsmParameterString", Some((&[name()], &["name"])), &[("value", TypeSpec::String, "")], &["value"]),
        function("getSsmParameterList", Some((&[name()], &["name"])), &[("value", strings(), "")], &["value"]),
        function("importValue", Some((&[name()], &["name"])), &[("value", TypeSpec::Any, "")], &[]),
    ]
    .into_iter()
    .collect()
}

fn function(
    name: &str,
    inputs: Option<(Members<'_>, &[&str])>,
    outputs: Members<'_>,
    required: &[&str],
) -> (String, FunctionSpec) {
    let spec = FunctionSpec {
        description: None,
        inputs: inputs.map(|(members, required)| object(members, required)),
        outputs: object(outputs, required),
    };
    (format!("aws-native:index:{name}"), spec)
}

fn object(members: Members<'_>, required: &[&str]) -> FunctionObject {
    let required = required.iter().map(|name| (*name).to_owned()).collect();
    FunctionObject { properties: properties(members), required, typed: false }
}
