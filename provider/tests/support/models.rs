//! Small hand-made resource types.

use metadata::model::{AutoName, Handler, Handlers, ObjectType, Property, Resource, Tags, TagsStyle, Type};
use metadata::view;

/// A resource type: what every test shares, changed by `edit`.
///
/// # Panics
///
/// The model cannot be encoded, which is a mistake in the test.
pub fn resource(edit: impl FnOnce(&mut Resource)) -> view::Resource {
    let handler = || Some(Handler::default());
    let mut model = Resource {
        token: "aws-native:test:Thing".to_owned(),
        cfn_type: "AWS::Test::Thing".to_owned(),
        handlers: Handlers { create: handler(), read: handler(), update: handler(), delete: handler(), list: None },
        ..Resource::default()
    };
    edit(&mut model);
    model.properties.sort_by(|one, other| one.name.cmp(&other.name));
    for ty in &mut model.types {
        ty.properties.sort_by(|one, other| one.name.cmp(&other.name));
    }
    metadata::encode(&model).expect("a model of a test is well-formed").leak().into()
}

/// An optional input with the CloudFormation name of a capitalized SDK name.
pub fn prop(name: &str, ty: Type) -> Property {
    let (first, rest) = name.split_at(1);
    let cfn_name = if name == "awsId" { "Id".to_owned() } else { first.to_uppercase() + rest };
    Property { name: name.to_owned(), cfn_name, ty, input: true, required: false, default: None }
}

/// A property that only the service sets.
pub fn output(name: &str, ty: Type) -> Property {
    Property { input: false, ..prop(name, ty) }
}

/// A required input.
pub fn required(name: &str, ty: Type) -> Property {
    Property { required: true, ..prop(name, ty) }
}

/// An input with a default, as JSON text.
pub fn with_default(name: &str, ty: Type, default: &str) -> Property {
    Property { default: Some(default.to_owned()), ..prop(name, ty) }
}

/// A list.
pub fn list(element: Type) -> Type {
    Type::Array(Box::new(element))
}

/// A map.
pub fn map(element: Type) -> Type {
    Type::Map(Box::new(element))
}

/// Adds an object type and returns its type.
pub fn object(model: &mut Resource, properties: impl IntoIterator<Item = Property>) -> Type {
    let index = model.types.len() as u32;
    let token = format!("aws-native:test:Type{index}");
    model.types.push(ObjectType { token, properties: properties.into_iter().collect() });
    Type::Object(index)
}

/// Adds a tags property, a list of key and value.
pub fn tag_list(model: &mut Resource) {
    let tag = object(model, [prop("key", Type::String), prop("value", Type::String)]);
    model.properties.push(prop("tags", list(tag)));
    model.tags = Some(Tags { property: "tags".to_owned(), style: TagsStyle::KeyValueArray, updatable: true });
}

/// Adds a tags property, a map.
pub fn tag_map(model: &mut Resource) {
    model.properties.push(prop("tags", map(Type::String)));
    model.tags = Some(Tags { property: "tags".to_owned(), style: TagsStyle::StringMap, updatable: true });
}

/// Automatic naming of a property.
pub fn auto_name(property: &str) -> AutoName {
    AutoName {
        property: property.to_owned(),
        min_length: 0,
        max_length: 0,
        suffix_rule: None,
        form: Default::default(),
    }
}

/// Owned paths.
pub fn paths(paths: &[&str]) -> Vec<String> {
    paths.iter().map(|path| (*path).to_owned()).collect()
}
