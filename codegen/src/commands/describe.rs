//! A resource type as a person reads it.

use std::fmt::Write as _;

use metadata::model::{Handler, Property, Resource, Separator, Type};

/// Several lines of text: names, the regions that offer the type (already worded, when known), identifier, naming, tags, paths, handlers, properties, nested types.
pub fn describe(resource: &Resource, regions: Option<&str>) -> String {
    let mut text = format!("{}\n{}\n\n", resource.cfn_type, resource.token);
    let mut line = |what: &str, value: String| {
        if !value.is_empty() {
            let _ = writeln!(text, "{what:<22}{value}");
        }
    };
    line("regions", regions.unwrap_or_default().to_owned());
    line("identifier", resource.primary_identifier.join(" | "));
    line(
        "generated name",
        resource.auto_name.as_ref().map_or_else(String::new, |name| {
            let mut value = name.property.clone();
            match (name.min_length, name.max_length) {
                (0, 0) => {}
                (0, max) => value.push_str(&format!(", up to {max} bytes")),
                (min, 0) => value.push_str(&format!(", from {min} bytes")),
                (min, max) => value.push_str(&format!(", {min} to {max} bytes")),
            }
            if name.form.lower_case {
                value.push_str(", without capitals");
            }
            match name.form.separator {
                Separator::Dash => {}
                Separator::Underscore => value.push_str(", with _ for -"),
                Separator::Nothing => value.push_str(", without -"),
            }
            if let Some(rule) = &name.suffix_rule {
                value.push_str(&format!(", with {} when {} is {}", rule.suffix, rule.field, rule.equals));
            }
            value
        }),
    );
    line(
        "tags",
        resource.tags.as_ref().map_or_else(String::new, |tags| {
            let updatable = if tags.updatable { "" } else { ", at creation only" };
            format!("{} ({:?}){updatable}", tags.property, tags.style)
        }),
    );
    line(
        "getter",
        resource
            .getter
            .as_ref()
            .map_or_else(String::new, |getter| format!("{}({})", getter.token, getter.ids.join(", "))),
    );
    line("replaces on", resource.create_only.join(", "));
    line("may replace on", resource.conditional_create_only.join(", "));
    line("replacement", resource.replacement_strategy.map_or_else(String::new, |strategy| format!("{strategy:?}")));
    line("read-only", resource.read_only.join(", "));
    line("write-only", resource.write_only.join(", "));
    line("unordered", resource.unordered.join(", "));
    for (path, expression) in &resource.property_transforms {
        line("normalized", format!("{path} = {expression}"));
    }
    for (path, hint) in &resource.equality {
        line("same meaning", format!("{path}: {hint:?}"));
    }
    let handlers = &resource.handlers;
    for (what, handler) in [
        ("create", &handlers.create),
        ("read", &handlers.read),
        ("update", &handlers.update),
        ("delete", &handlers.delete),
        ("list", &handlers.list),
    ] {
        line(what, handler.as_ref().map_or_else(|| "not offered".to_owned(), describe_handler));
    }

    text.push_str("\nproperties\n");
    describe_properties(&mut text, resource, &resource.properties);
    for ty in &resource.types {
        let _ = writeln!(text, "\n{}{}", ty.token, if ty.properties.is_empty() { " (free-form)" } else { "" });
        describe_properties(&mut text, resource, &ty.properties);
    }
    text
}

fn describe_handler(handler: &Handler) -> String {
    let timeout = handler.timeout_minutes.map(|minutes| format!("up to {minutes} min"));
    let permissions = (!handler.permissions.is_empty()).then(|| format!("needs {}", handler.permissions.join(", ")));
    let parts: Vec<String> = timeout.into_iter().chain(permissions).collect();
    if parts.is_empty() { "offered".to_owned() } else { parts.join("; ") }
}

fn describe_properties(text: &mut String, resource: &Resource, properties: &[Property]) {
    let width = properties.iter().map(|property| property.name.len()).max().unwrap_or(0);
    for property in properties {
        let mut notes = Vec::new();
        if property.required {
            notes.push("required".to_owned());
        }
        if !property.input {
            notes.push("output".to_owned());
        }
        if let Some(default) = &property.default {
            notes.push(format!("default {default}"));
        }
        let notes = if notes.is_empty() { String::new() } else { format!(" ({})", notes.join(", ")) };
        let _ = writeln!(
            text,
            "  {:<width$}  {}: {}{notes}",
            property.name,
            property.cfn_name,
            type_text(resource, &property.ty, 0)
        );
    }
}

/// A type on one line. Enums show their first values.
fn type_text(resource: &Resource, ty: &Type, depth: usize) -> String {
    if depth > 20 {
        return "…".to_owned();
    }
    let inner = |ty: &Type| type_text(resource, ty, depth + 1);
    match ty {
        Type::Any => "any".to_owned(),
        Type::Boolean => "boolean".to_owned(),
        Type::Integer => "integer".to_owned(),
        Type::Number => "number".to_owned(),
        Type::String => "string".to_owned(),
        Type::Enum(values) => {
            let shown = values.iter().take(4).map(|value| format!("{value:?}")).collect::<Vec<_>>().join(" | ");
            let more = values.len().saturating_sub(4);
            if more == 0 { shown } else { format!("{shown} | … {more} more") }
        }
        Type::Array(element) => format!("[{}]", inner(element)),
        Type::Map(value) => format!("{{string: {}}}", inner(value)),
        Type::Object(index) => match resource.types.get(*index as usize) {
            Some(object) => object.token.rsplit(':').next().unwrap_or(&object.token).to_owned(),
            None => format!("unknown type {index}"),
        },
        Type::Union(arms) => arms.iter().map(inner).collect::<Vec<_>>().join(" or "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use metadata::model::{AutoName, Handlers, ObjectType, SuffixRule, Tags, TagsStyle};

    #[test]
    fn a_queue() {
        let property = |name: &str, cfn_name: &str, ty| Property {
            name: name.to_owned(),
            cfn_name: cfn_name.to_owned(),
            ty,
            input: true,
            ..Property::default()
        };
        let handler = |minutes| Handler { timeout_minutes: minutes, permissions: vec!["sqs:CreateQueue".to_owned()] };
        let resource = Resource {
            token: "aws-native:sqs:Queue".to_owned(),
            cfn_type: "AWS::SQS::Queue".to_owned(),
            properties: vec![
                Property { input: false, ..property("arn", "Arn", Type::String) },
                Property {
                    default: Some("\"a\"".to_owned()),
                    required: true,
                    ..property("mode", "Mode", Type::Enum(["a", "b", "c", "d", "e"].map(str::to_owned).to_vec()))
                },
                property("rules", "Rules", Type::Array(Box::new(Type::Object(0)))),
            ],
            types: vec![ObjectType {
                token: "aws-native:sqs:QueueRule".to_owned(),
                properties: vec![property("id", "Id", Type::Union(vec![Type::Integer, Type::Any]))],
            }],
            primary_identifier: vec!["queueUrl".to_owned()],
            tags: Some(Tags { property: "tags".to_owned(), style: TagsStyle::KeyValueArray, updatable: true }),
            auto_name: Some(AutoName {
                property: "queueName".to_owned(),
                min_length: 0,
                max_length: 80,
                suffix_rule: Some(SuffixRule {
                    field: "fifoQueue".to_owned(),
                    equals: true,
                    suffix: ".fifo".to_owned(),
                }),
                form: Default::default(),
            }),
            handlers: Handlers { create: Some(handler(Some(5))), ..Handlers::default() },
            ..Resource::default()
        };
        let expected = "\
AWS::SQS::Queue
aws-native:sqs:Queue

regions               everywhere but us-west-1
identifier            queueUrl
generated name        queueName, up to 80 bytes, with .fifo when fifoQueue is true
tags                  tags (KeyValueArray)
create                up to 5 min; needs sqs:CreateQueue
read                  not offered
update                not offered
delete                not offered
list                  not offered

properties
  arn    Arn: string (output)
  mode   Mode: \"a\" | \"b\" | \"c\" | \"d\" | … 1 more (required, default \"a\")
  rules  Rules: [QueueRule]

aws-native:sqs:QueueRule
  id  Id: integer or any
";
        assert_eq!(describe(&resource, Some("everywhere but us-west-1")), expected);
    }
}
