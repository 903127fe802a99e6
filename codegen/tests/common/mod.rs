//! Small schemas in, readable facts out.
#![allow(dead_code)] // Every test file uses another part.
#![allow(clippy::unwrap_used, clippy::panic)] // A test that cannot read its own schema has failed.

pub mod facts;

use codegen::names::NameLock;
use codegen::package::{TypeDefinition, TypeSpec};
use codegen::semantics::Semantics;
use codegen::{Input, Output, Source, generate};
use metadata::model;
use serde_json::{Value, json};

/// Generates from documents; handlers are added where a document has none.
pub fn run(documents: impl IntoIterator<Item = Value>) -> Output {
    generate(Input::new(sources(documents)))
}

/// The same, with facts that the documents do not state.
pub fn run_with(semantics: Semantics, documents: impl IntoIterator<Item = Value>) -> Output {
    generate(Input { semantics, ..Input::new(sources(documents)) })
}

/// The same with names that were published.
pub fn run_with_names(documents: impl IntoIterator<Item = Value>, names: NameLock) -> Output {
    generate(Input { names: Some(names), ..Input::new(sources(documents)) })
}

fn sources(documents: impl IntoIterator<Item = Value>) -> Vec<Source> {
    let sources = documents.into_iter().enumerate().map(|(index, mut document)| {
        if document.get("handlers").is_none() {
            document["handlers"] = json!({"create": {}, "read": {}, "delete": {}});
        }
        Source::from_document(format!("{index}.json"), document)
    });
    sources.collect()
}

/// The resource type `AWS::Zoo::Cage` with the given properties and definitions.
pub fn cage(properties: Value, definitions: Value) -> Value {
    json!({"typeName": "AWS::Zoo::Cage", "properties": properties, "definitions": definitions})
}

/// A token without the package and without the zoo's module.
pub fn short_token(token: &str) -> &str {
    let name = token.strip_prefix("aws-native:").unwrap_or(token);
    name.strip_prefix("zoo:").unwrap_or(name)
}

/// A type in short: `any`, `string`, `[T]`, `{T}`, `(A|B)`, `ref Name`. The zoo's own tokens lose their module.
pub fn short(spec: &TypeSpec) -> String {
    match spec {
        TypeSpec::Any => "any".to_owned(),
        TypeSpec::Boolean => "boolean".to_owned(),
        TypeSpec::Integer => "integer".to_owned(),
        TypeSpec::Number => "number".to_owned(),
        TypeSpec::String => "string".to_owned(),
        TypeSpec::Region => "region".to_owned(),
        TypeSpec::Ref(token) => format!("ref {}", token.trim_start_matches("aws-native:zoo:")),
        TypeSpec::Array(items) => format!("[{}]", short(items)),
        TypeSpec::Map(values) => format!("{{{}}}", short(values)),
        TypeSpec::Union(arms) => format!("({})", arms.iter().map(short).collect::<Vec<_>>().join("|")),
    }
}

/// The published type of an output of the cage.
pub fn output_type(output: &Output, property: &str) -> String {
    short(&output.package.resources["aws-native:zoo:Cage"].properties.get(property).unwrap().ty)
}

/// Names of the zoo's types, sorted.
pub fn zoo_types(output: &Output) -> Vec<&str> {
    output.package.types.keys().filter_map(|token| token.strip_prefix("aws-native:zoo:")).collect()
}

/// Members of a zoo's object type in short, `!` for required ones and `*` for those marked to replace.
pub fn members(output: &Output, name: &str) -> Vec<String> {
    let TypeDefinition::Object(object) = &output.package.types[&*format!("aws-native:zoo:{name}")] else {
        panic!("{name} is an enum")
    };
    let member = |(name, property): (&String, &codegen::package::PropertySpec)| {
        let required = if object.required.contains(name) { "!" } else { "" };
        let replace = if property.replace_on_changes { "*" } else { "" };
        format!("{name}{required}{replace} {}", short(&property.ty))
    };
    object.properties.iter().map(member).collect()
}

/// The runtime's view of a resource.
pub fn view<'o>(output: &'o Output, cfn_type: &str) -> &'o model::Resource {
    output.resources.iter().find(|resource| resource.cfn_type == cfn_type).unwrap()
}
