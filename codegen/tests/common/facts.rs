//! Everything that a run made, as lines that a person reads: what the goldens hold.
//!
//! Types are written as in [`super::short`]; `zoo:` and the package's name are left out.

use super::{short, short_token};
use codegen::digest::metadata as published_lines;
use codegen::package::{FunctionObject, TypeDefinition};
use codegen::{Output, metadata_json};
use metadata::model::{ObjectType, Property, Resource, Type};
use serde_json::Value;
use std::fmt::Write as _;

/// The facts of all resources in order of token, then of all types, then what was left out and why.
pub fn facts(output: &Output) -> String {
    let mut text = String::new();
    let document: Value = serde_json::from_slice(&metadata_json(output).unwrap()).unwrap();
    let published = published_lines::lines(&document);
    for resource in &output.resources {
        let _ = writeln!(text, "resource {} of {}", short_token(&resource.token), resource.cfn_type);
        properties(&mut text, output, resource);
        functions(&mut text, output, resource);
        view(&mut text, resource);
        for line in published.iter().filter(|line| line.subject == resource.token) {
            let fact = line.text.replacen(&format!(" {}", resource.token), "", 1);
            if line.kind == "N" || fact == "TG - -" {
                continue;
            }
            let _ = writeln!(text, "  published {fact}");
        }
        text.push('\n');
    }
    types(&mut text, output);
    for skip in &output.skips {
        let _ = writeln!(text, "left out {}: {}", skip.type_name.as_deref().unwrap_or(&skip.file), skip.reason);
    }
    for (token, faults) in &output.report.warnings {
        let _ = faults.iter().try_for_each(|fault| writeln!(text, "warning {}: {fault}", short_token(token)));
    }
    for (wanted, got) in &output.report.renamed_types {
        let _ = writeln!(text, "renamed {} to {}", short_token(wanted), short_token(got));
    }
    text
}

fn properties(text: &mut String, output: &Output, resource: &Resource) {
    let spec = &output.package.resources[&resource.token];
    for (name, property) in &spec.properties {
        let mut marks = Vec::new();
        match (spec.inputs.contains_key(name), spec.required_inputs.contains(name)) {
            (false, _) => marks.push("output only"),
            (true, true) => marks.push("required"),
            (true, false) => {}
        }
        if spec.required.contains(name) {
            marks.push("always there");
        }
        if property.replace_on_changes {
            marks.push("replaces");
        }
        line(text, &format!("  {name}: {}", short(&property.ty)), &marks);
    }
}

fn line(text: &mut String, start: &str, marks: &[&str]) {
    let marks = if marks.is_empty() { String::new() } else { format!("  ({})", marks.join(", ")) };
    let _ = writeln!(text, "{start}{marks}");
}

fn functions(text: &mut String, output: &Output, resource: &Resource) {
    if let Some(getter) = &resource.getter {
        let function = &output.package.functions[&getter.token];
        let names = |object: &FunctionObject| object.properties.keys().cloned().collect::<Vec<_>>().join(", ");
        let inputs = function.inputs.as_ref().map(|inputs| inputs.required.join(", ")).unwrap_or_default();
        let _ = writeln!(text, "  {}({inputs}) gives {}", short_token(&getter.token), names(&function.outputs));
    }
    if let Some(inputs) = &output.package.resources[&resource.token].list_inputs {
        let _ = writeln!(text, "  listing");
        for (name, property) in &inputs.properties {
            let marks: &[&str] = if inputs.required.contains(name) { &["required"] } else { &[] };
            line(text, &format!("    {name}: {}", short(&property.ty)), marks);
        }
    }
}

/// What the provider knows, as far as it differs from what is published: exact names, own types, complete paths.
fn view(text: &mut String, resource: &Resource) {
    let member = |property: &Property| format!("{} {}: {}", property.cfn_name, property.name, view_type(&property.ty));
    let members = |properties: &[Property]| properties.iter().map(member).collect::<Vec<_>>().join(", ");
    let _ = writeln!(text, "  view {{{}}}", members(&resource.properties));
    for (index, ObjectType { token, properties }) in resource.types.iter().enumerate() {
        let _ = writeln!(text, "  view {index} {} {{{}}}", short_token(token), members(properties));
    }
    for (what, paths) in [
        ("identifier", &resource.primary_identifier),
        ("create-only", &resource.create_only),
        ("unordered", &resource.unordered),
    ] {
        if !paths.is_empty() {
            let _ = writeln!(text, "  view {what} {}", paths.join(" "));
        }
    }
    for (path, expression) in &resource.property_transforms {
        let _ = writeln!(text, "  view transform {path} = {expression}");
    }
    if let Some(tags) = &resource.tags {
        let updatable = if tags.updatable { "" } else { ", at creation only" };
        let _ = writeln!(text, "  view tags {} {:?}{updatable}", tags.property, tags.style);
    }
    if let Some(name) = &resource.auto_name {
        let suffix = name.suffix_rule.as_ref();
        let suffix = suffix.map(|rule| format!(", {} when {}", rule.suffix, rule.field)).unwrap_or_default();
        let _ = writeln!(text, "  view name {} {}..{}{suffix}", name.property, name.min_length, name.max_length);
    }
}

fn view_type(ty: &Type) -> String {
    let inner = view_type;
    match ty {
        Type::Any => "any".to_owned(),
        Type::Boolean => "boolean".to_owned(),
        Type::Integer => "integer".to_owned(),
        Type::Number => "number".to_owned(),
        Type::String => "string".to_owned(),
        Type::Enum(values) => format!("{values:?}"),
        Type::Array(element) => format!("[{}]", inner(element)),
        Type::Map(value) => format!("{{{}}}", inner(value)),
        Type::Object(index) => format!("view {index}"),
        Type::Union(arms) => format!("({})", arms.iter().map(inner).collect::<Vec<_>>().join("|")),
    }
}

fn types(text: &mut String, output: &Output) {
    for (token, definition) in &output.package.types {
        if token.starts_with("aws-native:index:") || token.starts_with("aws-native:config:") {
            continue;
        }
        match definition {
            TypeDefinition::Enum(enumeration) => {
                let _ = writeln!(text, "enum {}", short_token(token));
                for member in &enumeration.values {
                    let _ = writeln!(text, "  {} = {:?}", member.name, member.value);
                }
            }
            TypeDefinition::Object(object) => {
                let _ = writeln!(text, "type {}", short_token(token));
                for (name, property) in &object.properties {
                    let mut marks = Vec::new();
                    if object.required.contains(name) {
                        marks.push("required");
                    }
                    if property.replace_on_changes {
                        marks.push("replaces");
                    }
                    line(text, &format!("  {name}: {}", short(&property.ty)), &marks);
                }
                for (sdk, cfn) in &object.irreversible {
                    let _ = writeln!(text, "  published name {sdk} = {cfn}");
                }
            }
        }
    }
}
