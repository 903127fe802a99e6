//! A resource type that has something of everything.

use std::sync::OnceLock;

use metadata::model::{AutoName, Handler, Handlers, ObjectType, Property, Resource, Tags, TagsStyle, Type};
use metadata::view;

/// Its token.
pub const TOKEN: &str = "aws-native:test:Thing";

/// The type by its token.
pub fn find(token: &str) -> Option<view::Resource> {
    static THING: OnceLock<Option<view::Resource>> = OnceLock::new();
    let thing = THING.get_or_init(|| metadata::encode(&model()).ok().map(|record| record.leak().into()));
    thing.filter(|_| token == TOKEN)
}

fn prop(name: &str, ty: Type) -> Property {
    let cfn_name = name.get(..1).unwrap_or_default().to_uppercase() + name.get(1..).unwrap_or_default();
    Property { name: name.to_owned(), cfn_name, ty, input: true, required: false, default: None }
}

fn list(element: Type) -> Type {
    Type::Array(Box::new(element))
}

fn model() -> Resource {
    let mut types: Vec<ObjectType> = Vec::new();
    let mut object = |members: Vec<Property>| {
        let mut properties = members;
        properties.sort_by(|one, other| one.name.cmp(&other.name));
        types.push(ObjectType { token: format!("aws-native:test:Type{}", types.len()), properties });
        Type::Object(u32::try_from(types.len() - 1).unwrap_or_default())
    };
    let leaf = object(vec![prop("text", Type::String), prop("hidden", Type::String), prop("count", Type::Integer)]);
    let rule = object(vec![
        prop("id", Type::String),
        prop("leaf", leaf.clone()),
        prop("names", list(Type::String)),
        prop("port", Type::Number),
    ]);
    let glue = object(vec![Property { required: true, ..prop("glue", Type::String) }]);
    let redshift = object(vec![
        Property { required: true, ..prop("redshift", Type::String) },
        prop("labels", Type::Map(Box::new(Type::String))),
    ]);
    let tag = object(vec![prop("key", Type::String), prop("value", Type::String)]);
    let mut properties = vec![
        prop("name", Type::String),
        prop("text", Type::String),
        Property { default: Some("false".to_owned()), ..prop("flag", Type::Boolean) },
        prop("mode", Type::Enum(vec!["ON".to_owned(), "OFF".to_owned()])),
        prop("password", Type::String),
        prop("nested", leaf),
        prop("rules", list(rule.clone())),
        prop("ruleSet", list(rule)),
        prop("set", list(Type::String)),
        prop("labels", Type::Map(Box::new(Type::String))),
        prop("free", Type::Any),
        prop("config", Type::Union(vec![glue, redshift])),
        prop("tags", list(tag)),
        Property { input: false, ..prop("arn", Type::String) },
    ];
    properties.sort_by(|one, other| one.name.cmp(&other.name));
    let texts = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
    let handler = || Some(Handler::default());
    Resource {
        token: TOKEN.to_owned(),
        cfn_type: "AWS::Test::Thing".to_owned(),
        properties,
        types,
        handlers: Handlers { create: handler(), read: handler(), update: handler(), delete: handler(), list: None },
        auto_name: Some(AutoName {
            property: "name".to_owned(),
            min_length: 2,
            max_length: 40,
            suffix_rule: None,
            form: Default::default(),
        }),
        tags: Some(Tags { property: "tags".to_owned(), style: TagsStyle::KeyValueArray, updatable: true }),
        primary_identifier: texts(&["name"]),
        create_only: texts(&["name", "rules/*/port"]),
        read_only: texts(&["arn"]),
        write_only: texts(&["password", "nested/hidden"]),
        unordered: texts(&["set", "ruleSet", "ruleSet/*/names", "tags"]),
        ..Resource::default()
    }
}
