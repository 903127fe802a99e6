//! A resource type that has something of everything.

use std::sync::OnceLock;

use metadata::model::{
    AutoName, EqualityHint, Handler, Handlers, ObjectType, Property, Resource, Tags, TagsStyle, Type,
};
use metadata::view;

/// Its token.
pub const TOKEN: &str = "aws-native:test:Thing";

/// Its CloudFormation name.
pub const TYPE: &str = "AWS::Test::Thing";

/// The type by its token.
pub fn find(token: &str) -> Option<view::Resource> {
    static THING: OnceLock<Option<view::Resource>> = OnceLock::new();
    let thing = THING.get_or_init(|| metadata::encode(&model()).ok().map(|record| record.leak().into()));
    thing.filter(|_| token == TOKEN)
}

/// Every hint of equality, one of them in a list.
const HINTS: [(&str, EqualityHint); 8] = [
    ("definition", EqualityHint::JsonDocument),
    ("domain", EqualityHint::TrailingDot),
    ("engine", EqualityHint::CaseInsensitive),
    ("policyText", EqualityHint::PolicyDocument),
    ("roleArn", EqualityHint::ArnOrId),
    ("ruleSet/*/id", EqualityHint::CaseInsensitive),
    ("size", EqualityHint::NumberAsText),
    ("version", EqualityHint::VersionPrefix),
];

/// Rules of every shape that schemas have: a constant, alternatives, other members, regular expressions, and one that
/// cannot be read.
const TRANSFORMS: [(&str, &str); 6] = [
    ("key", "$split(Key, \"/\")[-1] $OR $join([\"arn:aws[-a-z]*:kms:[a-z0-9-]+:[0-9]{12}:key\\/\", Key])"),
    ("kind", "$uppercase(Kind) = 'DISABLED' ? Mode : $lowercase(Kind)"),
    ("nested/text", "$lowercase(Nested.Text)"),
    ("ruleSet/*/port", "Id = \"-1\" ? -1 : Port"),
    ("text", "$lowercase(Text"),
    ("version", "$join([$string(Version), \".*\"])"),
];

/// The schema of the type, which has every keyword.
pub fn schema(type_name: &str) -> Option<String> {
    (type_name == TYPE).then(|| SCHEMA.to_owned())
}

const SCHEMA: &str = r##"{
    "typeName": "AWS::Test::Thing",
    "definitions": {
        "Leaf": {"type": "object", "properties": {
            "Text": {"type": "string", "pattern": "^(a+|[^b]{2,4})*$", "minLength": 1, "maxLength": 8},
            "Count": {"type": "integer", "minimum": 1, "exclusiveMaximum": 443, "multipleOf": 2}
        }, "dependentRequired": {"Text": ["Count"]}, "dependencies": {"Hidden": ["Text"]}, "additionalProperties": false},
        "Rule": {"type": "object", "required": ["Id"], "properties": {
            "Id": {"type": "string", "enum": ["1", "2", "-1"]}, "Leaf": {"$ref": "#/definitions/Leaf"},
            "Names": {"type": "array", "uniqueItems": true, "minItems": 1, "maxItems": 2, "items": {"type": "string"}},
            "Port": {"type": ["integer", "string"], "format": "int64"}
        }, "not": {"required": ["Leaf", "Names"]}},
        "Loop": {"$ref": "#/definitions/Loop"}
    },
    "properties": {
        "Name": {"type": "string", "pattern": "^[a-z][a-z0-9-]*$", "maxLength": 40},
        "Mode": {"type": "string", "const": "ON"},
        "Nested": {"$ref": "#/definitions/Leaf"},
        "Rules": {"type": "array", "items": {"$ref": "#/definitions/Rule"}},
        "RuleSet": {"type": "array", "uniqueItems": true, "items": {"anyOf": [
            {"$ref": "#/definitions/Rule"}, {"$ref": "#/definitions/Loop"}]}},
        "Set": {"type": "array", "contains": {"type": "string"}},
        "Labels": {"type": "object", "patternProperties": {"^[a-z]+$": {"type": "string"}}, "minProperties": 1,
            "maxProperties": 3, "additionalProperties": false},
        "Free": {"type": ["object", "string"]},
        "Config": {"oneOf": [{"required": ["Glue"]}, {"required": ["Redshift"], "properties": {"Labels": {}}}]},
        "Version": {"type": "string", "pattern": "("}
    },
    "oneOf": [{"required": ["Text"]}, {"required": ["Free"]}],
    "anyOf": [{"required": ["Mode"]}, {"required": ["Flag"]}],
    "allOf": [{"required": ["Text"]}],
    "dependentExcluded": {"Engine": ["Domain"]},
    "requiredXor": ["Key", "Kind"],
    "requiredOr": ["Size", "Version"]
}"##;

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
        prop("definition", Type::Any),
        prop("domain", Type::String),
        prop("engine", Type::String),
        prop("key", Type::String),
        prop("kind", Type::String),
        prop("policyDocument", Type::Any),
        prop("policyText", Type::String),
        prop("roleArn", Type::String),
        prop("size", Type::String),
        prop("version", Type::String),
        Property { input: false, ..prop("arn", Type::String) },
    ];
    properties.sort_by(|one, other| one.name.cmp(&other.name));
    let texts = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
    let handler = || Some(Handler::default());
    Resource {
        token: TOKEN.to_owned(),
        cfn_type: TYPE.to_owned(),
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
        property_transforms: TRANSFORMS.map(|(path, rule)| (path.to_owned(), rule.to_owned())).to_vec(),
        equality: HINTS.map(|(path, hint)| (path.to_owned(), hint)).to_vec(),
        unordered: texts(&["set", "ruleSet", "ruleSet/*/names", "tags"]),
        ..Resource::default()
    }
}
