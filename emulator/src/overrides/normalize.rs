//! Forms in which a service keeps what it is given, beyond those that the schemas state.

use super::Knowledge;
use super::file::{Form, Normalize};
use crate::entropy::Entropy;
use crate::schema::{InstancePath, ResourceType};
use crate::synthesize::context::Context;
use crate::transform::Place;
use crate::validate::Validator;
use serde_json::Value;
use std::time::SystemTime;

/// Which values get their form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    /// Parts of the primary and of additional identifiers.
    Identifiers,
    /// Everything else.
    Others,
}

/// What decides a form.
pub(crate) struct Keep<'k> {
    pub(crate) resource: &'k ResourceType,
    pub(crate) validator: &'k Validator<'k>,
    pub(crate) knowledge: &'k Knowledge,
    pub(crate) place: &'k Place<'k>,
}

/// Puts values into the forms that the rules name; a value whose schema refuses the form keeps its own.
pub(crate) fn apply(keep: &Keep<'_>, rules: &[Normalize], part: Part, model: &mut Value) {
    for rule in rules {
        let Some(path) = InstancePath::parse(&rule.path) else { continue };
        let identifiers = keep.resource.primary_identifier.iter();
        let mut identifiers = identifiers.chain(keep.resource.additional_identifiers.iter().flatten());
        let is_identifier = identifiers.any(|known| known.segments() == path.segments());
        if is_identifier != (part == Part::Identifiers) {
            continue;
        }
        let found: Vec<(String, Value)> =
            path.find(model).into_iter().map(|(pointer, value)| (pointer, value.clone())).collect();
        for (pointer, value) in found {
            let Some(form) = form(keep, &rule.to, &value, model) else { continue };
            let is_fitting = keep.resource.node(&path).is_none_or(|node| keep.validator.accepts(node, &form));
            if let (true, Some(place)) = (is_fitting, model.pointer_mut(&pointer)) {
                *place = form;
            }
        }
    }
}

/// A value in another form; `None` when it has that form or cannot have it.
fn form(keep: &Keep<'_>, form: &Form, value: &Value, model: &Value) -> Option<Value> {
    let text = value.as_str();
    let new = match form {
        Form::Lower => Value::from(text?.to_lowercase()),
        Form::Upper => Value::from(text?.to_uppercase()),
        Form::NoTrailingSlash => Value::from(text?.trim_end_matches('/')),
        Form::NoTrailingDot => Value::from(text?.trim_end_matches('.')),
        Form::TrailingDot => Value::from(format!("{}.", text?.trim_end_matches('.'))),
        Form::JsonObject => crate::json::parse(text?).ok().filter(Value::is_object)?,
        Form::JsonText if value.is_object() || value.is_array() => Value::from(value.to_string()),
        Form::JsonText => return None,
        Form::Text if value.is_boolean() || value.is_number() => Value::from(value.to_string()),
        Form::Text => return None,
        Form::Arn(template) => {
            let text = text.filter(|text| !text.starts_with("arn:") && !text.is_empty())?;
            Value::from(filled(keep, template.text(), text, model)?)
        }
        Form::KeyArn => {
            let text = text.filter(|text| !text.is_empty())?;
            let template = match text.strip_prefix("alias/") {
                // The same alias is always the same key.
                Some(_) => "arn:{partition}:kms:{region}:{account}:key/{uuid}".to_owned(),
                None if text.starts_with("arn:") => return None,
                None => format!("arn:{{partition}}:kms:{{region}}:{{account}}:key/{text}"),
            };
            Value::from(filled(keep, &template, text, model)?)
        }
    };
    (new != *value).then_some(new)
}

/// A template filled in; what it draws depends on the text alone.
fn filled(keep: &Keep<'_>, template: &str, text: &str, model: &Value) -> Option<String> {
    let Place { seed, scope } = keep.place;
    let key = Value::from(text);
    let context = Context::new(keep.knowledge, scope, &keep.resource.name, (*seed, &key, 0), SystemTime::UNIX_EPOCH);
    let mut entropy = Entropy::new(&["form", &seed.to_string(), &scope.account, &scope.region, text]);
    // `{value}` is the text itself.
    let mut named = model.clone();
    named.as_object_mut()?.insert("value".to_owned(), key.clone());
    context.fill(template, &named, &mut entropy)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

    use super::*;
    use crate::overrides::template::Template;
    use crate::schema::patterns::Patterns;
    use crate::scope::Scope;
    use serde_json::json;

    #[test]
    fn values_get_the_form_in_which_the_service_keeps_them() {
        let any = json!({});
        let schema = json!({
            "properties": {"Name": any, "Path": any, "Zone": any, "Doc": any, "Text": any, "Map": {"additionalProperties": any}, "Cluster": any, "Key": any, "Narrow": {"pattern": "^[A-Z]+$", "type": "string"}},
            "primaryIdentifier": ["/properties/Name"],
        });
        let resource = ResourceType::new("AWS::B::C".to_owned(), schema);
        let (patterns, knowledge) = (Patterns::default(), Knowledge::load().unwrap());
        let validator = Validator::new(&resource, &patterns);
        let scope = Scope::new("123456789012", "eu-west-1");
        let place = Place { seed: 1, scope: &scope };
        let keep = Keep { resource: &resource, validator: &validator, knowledge: &knowledge, place: &place };
        let cluster = Template::parse("arn:{partition}:ecs:{region}:{account}:cluster/{value}").unwrap();
        let check = |path: &str, to: Form, part: Part, given: Value, expected: Value| {
            let mut model = given.clone();
            apply(&keep, &[Normalize { path: format!("/properties/{path}"), to }], part, &mut model);
            assert_eq!(model, expected, "{path} {given}");
        };
        let others = Part::Others;
        check("Name", Form::Lower, Part::Identifiers, json!({"Name": "Db"}), json!({"Name": "db"}));
        check("Name", Form::Lower, others, json!({"Name": "Db"}), json!({"Name": "Db"}));
        check("Path", Form::Lower, Part::Identifiers, json!({"Path": "P"}), json!({"Path": "P"}));
        check("Path", Form::NoTrailingSlash, others, json!({"Path": "/a/"}), json!({"Path": "/a"}));
        check("Zone", Form::TrailingDot, others, json!({"Zone": "a.b"}), json!({"Zone": "a.b."}));
        check("Zone", Form::NoTrailingDot, others, json!({"Zone": "a.b."}), json!({"Zone": "a.b"}));
        check("Zone", Form::Upper, others, json!({"Zone": 5}), json!({"Zone": 5}));
        check("Doc", Form::JsonObject, others, json!({"Doc": "{\"a\":1}"}), json!({"Doc": {"a": 1}}));
        check("Doc", Form::JsonObject, others, json!({"Doc": "schema: yaml"}), json!({"Doc": "schema: yaml"}));
        check("Text", Form::JsonText, others, json!({"Text": {"a": 1}}), json!({"Text": "{\"a\":1}"}));
        check(
            "Map/*",
            Form::Text,
            others,
            json!({"Map": {"a": true, "b": 1, "c": "x"}}),
            json!({"Map": {"a": "true", "b": "1", "c": "x"}}),
        );
        check("Narrow", Form::Lower, others, json!({"Narrow": "A"}), json!({"Narrow": "A"}));
        let arn = "arn:aws:ecs:eu-west-1:123456789012:cluster/c";
        check("Cluster", Form::Arn(cluster.clone()), others, json!({"Cluster": "c"}), json!({"Cluster": arn}));
        check("Cluster", Form::Arn(cluster), others, json!({"Cluster": arn}), json!({"Cluster": arn}));
        let key = "arn:aws:kms:eu-west-1:123456789012:key/k";
        check("Key", Form::KeyArn, others, json!({"Key": "k"}), json!({"Key": key}));
        check("Key", Form::KeyArn, others, json!({"Key": key}), json!({"Key": key}));
        let mut aliased = json!({"Key": "alias/aws/s3"});
        let rule = [Normalize { path: "/properties/Key".to_owned(), to: Form::KeyArn }];
        apply(&keep, &rule, others, &mut aliased);
        let mut again = json!({"Key": "alias/aws/s3"});
        apply(&keep, &rule, others, &mut again);
        assert!(aliased["Key"].as_str().unwrap().len() == key.len() - 1 + 36 && aliased == again, "{aliased}");
    }
}
