//! Settings of the SDK generators.

use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The settings, with a C# namespace for every module.
pub(crate) fn block(namespaces: &BTreeMap<String, String>) -> Value {
    let mut namespaces = namespaces.clone();
    namespaces.insert("aws-native".to_owned(), "AwsNative".to_owned());
    json!({
        "csharp": {
            "namespaces": namespaces,
            "packageReferences": {"Pulumi": "3.*"},
            "respectSchemaVersion": true
        },
        "go": {
            "importBasePath": "github.com/pulumi/pulumi-aws-native/sdk/go/aws",
            "packageImportAliases": {"github.com/pulumi/pulumi-aws-native/sdk/go/aws/aws-native": "aws"},
            "respectSchemaVersion": true
        },
        "java": {"packages": {"aws-native": "awsnative"}},
        "nodejs": {"respectSchemaVersion": true},
        "python": {"pyproject": {"enabled": true}, "respectSchemaVersion": true}
    })
}
