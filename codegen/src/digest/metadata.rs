//! The facts of the runtime metadata in its published JSON layout.
//!
//! | kind | line |
//! |---|---|
//! | `N` | `N resource CloudFormation-type` |
//! | `CO`, `RO`, `WO`, `UC` | `CO resource path`: create-only, read-only, write-only, unordered |
//! | `IR`, `TI` | `IR resource sdk cfn`, `TI type sdk cfn`: names that cannot be derived |
//! | `TG` | `TG resource tags-property tags-style`, `-` for none |
//! | `AN` | `AN resource property shortest longest`, 0 for no limit |
//! | `PI` | `PI resource identifiers`, joined with bars |

use super::{Line, members, texts};
use serde_json::Value;

/// Kind of line and the list of paths that it repeats.
const PATHS: &[(&str, &str)] =
    &[("CO", "createOnly"), ("RO", "readOnly"), ("WO", "writeOnly"), ("UC", "unorderedCollections")];

/// All facts of the metadata, sorted. A document that is no metadata has none.
pub fn lines(document: &Value) -> Vec<Line> {
    let mut lines = Vec::new();
    for (token, resource) in members(document, "resources") {
        let text = |key: &str, default: &'static str| resource.get(key).and_then(Value::as_str).unwrap_or(default);
        lines.push(Line::new("N", token, &[text("cf", "-")]));
        for (kind, key) in PATHS {
            lines.extend(texts(resource, key).map(|path| Line::new(kind, token, &[path])));
        }
        for (sdk, cfn) in members(resource, "irreversibleNames") {
            lines.push(Line::new("IR", token, &[sdk, cfn.as_str().unwrap_or_default()]));
        }
        lines.push(Line::new("TG", token, &[text("tagsProperty", "-"), text("tagsStyle", "-")]));
        if let Some(rule) = resource.get("autoNamingSpec") {
            let limit = |key: &str| rule.get(key).and_then(Value::as_u64).unwrap_or(0).to_string();
            let name = rule.get("sdkName").and_then(Value::as_str).unwrap_or_default();
            lines.push(Line::new("AN", token, &[name, &limit("minLength"), &limit("maxLength")]));
        }
        let identifier: Vec<_> = texts(resource, "primaryIdentifier").collect();
        lines.push(Line::new("PI", token, &[&identifier.join("|")]));
    }
    for (token, ty) in members(document, "types") {
        for (sdk, cfn) in members(ty, "irreversibleNames") {
            lines.push(Line::new("TI", token, &[sdk, cfn.as_str().unwrap_or_default()]));
        }
    }
    lines.sort_unstable();
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn every_fact_is_a_line() {
        let document = json!({
            "resources": {"aws-native:zoo:Cage": {
                "cf": "AWS::Zoo::Cage", "createOnly": ["a"], "readOnly": ["b"], "writeOnly": ["c"],
                "unorderedCollections": ["d"], "irreversibleNames": {"arn": "ARN"}, "tagsProperty": "tags",
                "autoNamingSpec": {"sdkName": "name", "maxLength": 9}, "primaryIdentifier": ["a", "b"]
            }},
            "types": {"aws-native:zoo:T": {"irreversibleNames": {"vpcId": "VPCId"}}}
        });
        let texts: Vec<_> = lines(&document).into_iter().map(|line| line.text).collect();
        let expected = [
            "AN aws-native:zoo:Cage name 0 9",
            "CO aws-native:zoo:Cage a",
            "IR aws-native:zoo:Cage arn ARN",
            "N aws-native:zoo:Cage AWS::Zoo::Cage",
            "PI aws-native:zoo:Cage a|b",
            "RO aws-native:zoo:Cage b",
            "TG aws-native:zoo:Cage tags -",
            "TI aws-native:zoo:T vpcId VPCId",
            "UC aws-native:zoo:Cage d",
            "WO aws-native:zoo:Cage c",
        ];
        assert_eq!(texts, expected);
    }
}
