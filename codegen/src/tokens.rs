//! Tokens: what modules, resources, getters and nested types are called.

use crate::trace::rules::Rule;
use cfn::TypeName;
use cfn::naming::lower_acronyms;

/// The package, and the first part of every token.
pub const PACKAGE: &str = "aws-native";

/// Modules whose service name would collide with something of Pulumi's.
const MODULES: &[(&str, &str, &str)] =
    &[("Config", "Configuration", "the module `config` is reserved for provider configuration")];

/// Resources that keep a name ending in `Output`.
const KEEPS_OUTPUT_SUFFIX: &[(&str, &str)] =
    &[("AWS::MediaConnect::FlowOutput", "published under this name before the suffix rule existed")];

/// The names that everything of one resource type is derived from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Names {
    /// The module with its capitals, as C# namespaces have it: `DocDb`.
    pub display_module: String,
    /// The module in tokens: `docdb`.
    pub module: String,
    /// The resource: `DbCluster`.
    pub resource: String,
    /// The resource's token: `aws-native:docdb:DbCluster`.
    pub token: String,
    /// The token of its getter: `aws-native:docdb:getDbCluster`.
    pub getter: String,
}

impl Names {
    /// The names of a CloudFormation type.
    pub fn new(type_name: &TypeName) -> Names {
        let service = type_name.service();
        let service = renamed_module(service).unwrap_or(service);
        let display_module = lower_acronyms(service).into_owned();
        let module = display_module.to_lowercase();
        let (resource, _) = resource_name(type_name);
        Names {
            token: format!("{PACKAGE}:{module}:{resource}"),
            getter: format!("{PACKAGE}:{module}:get{resource}"),
            display_module,
            module,
            resource,
        }
    }

    /// The rules that give a resource of that type its token.
    pub(crate) fn rules(type_name: &TypeName) -> Vec<Rule> {
        let module = renamed_module(type_name.service()).map(|_| Rule::ModuleName);
        let (_, resource) = resource_name(type_name);
        [Rule::Token].into_iter().chain(module).chain(resource).collect()
    }

    /// The same with another name for the resource.
    pub(crate) fn called(&self, resource: &str) -> Names {
        let module = &self.module;
        Names {
            token: format!("{PACKAGE}:{module}:{resource}"),
            getter: format!("{PACKAGE}:{module}:get{resource}"),
            display_module: self.display_module.clone(),
            module: module.clone(),
            resource: resource.to_owned(),
        }
    }

    /// The token of a nested type of this resource.
    pub fn type_token(&self, name: &str) -> String {
        format!("{PACKAGE}:{}:{name}", self.module)
    }
}

/// Whether a property or a type may be called so in a program of some language. The language of resource types allows
/// letters and digits alone; `_` can stand in names of every language of SDKs too.
pub(crate) fn is_possible(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_alphabetic())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

fn renamed_module(service: &str) -> Option<&'static str> {
    MODULES.iter().find(|(name, ..)| *name == service).map(|(_, module, _)| *module)
}

/// The third part with acronyms lowered. A name ending in `Output` would collide with the output wrappers of some SDKs.
/// With the rule where it is not the general one.
fn resource_name(type_name: &TypeName) -> (String, Option<Rule>) {
    let name = type_name.resource();
    if KEEPS_OUTPUT_SUFFIX.iter().any(|(kept, _)| *kept == type_name.as_str()) {
        return (name.to_owned(), Some(Rule::KeptOutputSuffix));
    }
    if name.ends_with("Output") {
        return (lower_acronyms(&format!("{name}Resource")).into_owned(), Some(Rule::OutputSuffix));
    }
    (lower_acronyms(name).into_owned(), None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_follow_the_type_name() {
        for (type_name, token, getter) in [
            ("AWS::EC2::VPCEndpoint", "aws-native:ec2:VpcEndpoint", "aws-native:ec2:getVpcEndpoint"),
            ("AWS::WAFv2::WebACL", "aws-native:wafv2:WebAcl", "aws-native:wafv2:getWebAcl"),
            (
                "AWS::Config::ConfigRule",
                "aws-native:configuration:ConfigRule",
                "aws-native:configuration:getConfigRule",
            ),
            (
                "AWS::MediaConnect::RouterOutput",
                "aws-native:mediaconnect:RouterOutputResource",
                "aws-native:mediaconnect:getRouterOutputResource",
            ),
            (
                "AWS::MediaConnect::FlowOutput",
                "aws-native:mediaconnect:FlowOutput",
                "aws-native:mediaconnect:getFlowOutput",
            ),
            (
                "AWS::DataSync::LocationFSxLustre",
                "aws-native:datasync:LocationFSxLustre",
                "aws-native:datasync:getLocationFSxLustre",
            ),
            ("AWS::EC2::VPNConnection", "aws-native:ec2:VpnConnection", "aws-native:ec2:getVpnConnection"),
            ("AWS::Route53::DNSSEC", "aws-native:route53:Dnssec", "aws-native:route53:getDnssec"),
        ] {
            let names = TypeName::parse(type_name).map(|name| Names::new(&name));
            let tokens = names.map(|names| (names.token, names.getter));
            assert_eq!(tokens, Some((token.to_owned(), getter.to_owned())), "{type_name}");
        }
    }

    #[test]
    fn names_of_programs() {
        for name in ["Name", "name", "S3Bucket", "N", "Shift_"] {
            assert!(is_possible(name), "{name:?}");
        }
        for name in [
            "",
            " ",
            "a b",
            "a\nb",
            "a\rb",
            "a\u{0}",
            "\u{202e}a",
            "a\u{200b}",
            "\"",
            "a'",
            "*/",
            "a`",
            "0",
            "5g",
            "-a",
            "x-amz-meta",
            "__proto__",
            "$id",
            "Größe",
            "Ä",
            "a.b",
            "A::B",
            "a/b",
            "a~b",
            "a\\b",
            "a{b}",
            "…",
        ] {
            assert!(!is_possible(name), "{name:?}");
        }
    }

    #[test]
    fn modules_keep_their_capitals_for_display() {
        for (service, display) in [
            ("DocDB", "DocDb"),
            ("WAFv2", "WaFv2"),
            ("FSx", "FSx"),
            ("IoTWireless", "IoTWireless"),
            ("ACMPCA", "Acmpca"),
            ("SMSVOICE", "Smsvoice"),
            ("BCMDataExports", "BcmDataExports"),
            ("PCAConnectorAD", "PcaConnectorAd"),
            ("XRay", "XRay"),
            ("Config", "Configuration"),
        ] {
            let names = TypeName::parse(&format!("AWS::{service}::Thing")).map(|name| Names::new(&name));
            let modules = names.map(|names| (names.display_module, names.module));
            assert_eq!(modules, Some((display.to_owned(), display.to_lowercase())), "{service}");
        }
    }
}
