//! What to do instead of calling a function, as long as the provider has none.

use metadata::view::Resource;

/// The functions that no resource stands behind, with what gives the same.
const OTHERS: [(&str, &str); 9] = [
    (
        "aws-native:index:cidr",
        "write the blocks into the program, or make them with its language or with std:cidrsubnet of the std package",
    ),
    ("aws-native:index:getAccountId", "use `accountId` of aws:getCallerIdentity, from the aws package"),
    ("aws-native:index:getAzs", "use `names` of aws:getAvailabilityZones, from the aws package"),
    ("aws-native:index:getPartition", "use `partition` and `dnsSuffix` of aws:getPartition, from the aws package"),
    (
        "aws-native:index:getRegion",
        "read the stack's own setting `aws-native:region`, or use aws:getRegion, from the aws package",
    ),
    (
        "aws-native:index:getSsmParameterList",
        "use `value` of aws:ssm:getParameter, from the aws package, and split it at its commas",
    ),
    ("aws-native:index:getSsmParameterString", "use `value` of aws:ssm:getParameter, from the aws package"),
    ("aws-native:index:getUrlSuffix", "use `dnsSuffix` of aws:getPartition, from the aws package"),
    (
        "aws-native:index:importValue",
        "use `value` of aws:cloudformation:getExport, from the aws package, or a stack reference for an output of a Pulumi \
         stack",
    ),
];

/// What helps for every function: the published plugin has them all.
const PUBLISHED: &str = "the option `version: 1.84.0` of the call loads the published plugin for it beside this one";

/// What to do instead of calling the function; `None`: there is no such function.
pub fn instead(token: &str, resource: impl Fn(&str) -> Option<Resource>) -> Option<String> {
    if let Some((_, way)) = OTHERS.iter().find(|(other, _)| *other == token) {
        return Some(format!("{way}; or {PUBLISHED}"));
    }
    let (module, name) = token.rsplit_once(':')?;
    let of = resource(&format!("{module}:{}", name.strip_prefix("get")?))?;
    // A getter is named after its resource.
    of.getter().filter(|getter| getter.token == token)?;
    Some(format!(
        "read the resource with the `get` method of {}, in YAML with a `get:` block; or {PUBLISHED}",
        of.token()
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_without_a_resource_are_never_told_to_read_one() {
        for (token, _) in OTHERS {
            let way = instead(token, |_| None).unwrap_or_default();
            assert!(way.ends_with(&format!("; or {PUBLISHED}")) && !way.contains("`get` method"), "{token}: {way}");
        }
        for token in ["aws-native:index:getAz", "aws-native:s3:getBucket", "getBucket", ""] {
            assert_eq!(instead(token, |_| None), None, "{token}");
        }
    }
}
