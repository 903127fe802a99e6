//! Which property holds the tags, and in what shape.

use crate::package::{ObjectType, Token, TypeDefinition, TypeSpec};
use cfn::ResourceSchema;
use cfn::path::strip;
use metadata::model::TagsStyle;

/// The shared type of a tag.
pub(crate) const TAG: &str = "aws-native:index:Tag";
/// The shared type of a tag that only creation accepts.
pub(crate) const CREATE_ONLY_TAG: &str = "aws-native:index:CreateOnlyTag";

/// The CloudFormation name of the tags property: what `tagging` names, whether or not it exists, else `Tags`.
pub(crate) fn property(schema: &ResourceSchema) -> Option<&str> {
    let named = schema.tagging.as_ref().and_then(|tagging| tagging.tag_property.as_deref());
    match named {
        Some(pointer) => Some(strip(pointer.strip_prefix('#').unwrap_or(pointer))),
        None => schema.properties.contains("Tags").then_some("Tags"),
    }
}

/// The shape of a finished tags property.
pub(crate) fn style<'t>(
    spec: &TypeSpec,
    create_only: bool,
    lookup: impl Fn(&str) -> Option<&'t TypeDefinition>,
) -> TagsStyle {
    let object = |spec: &TypeSpec| match lookup(spec.token()?) {
        Some(TypeDefinition::Object(object)) => Some(object),
        Some(TypeDefinition::Enum(_)) | None => None,
    };
    match spec {
        TypeSpec::Any => TagsStyle::Untyped,
        TypeSpec::Map(values) if **values == TypeSpec::String => TagsStyle::StringMap,
        TypeSpec::Array(items) => match &**items {
            TypeSpec::Union(arms) if arms.iter().filter_map(object).any(is_pair) => {
                TagsStyle::KeyValueArrayWithAlternateType
            }
            item => object(item).map_or(TagsStyle::Unknown, |object| item_style(object, create_only)),
        },
        _ => TagsStyle::Unknown,
    }
}

fn item_style(object: &ObjectType, create_only: bool) -> TagsStyle {
    if has_pair(object) {
        return match (is_pair(object), create_only) {
            (false, _) => TagsStyle::KeyValueArrayWithExtraProperties,
            (true, true) => TagsStyle::KeyValueArrayCreateOnly,
            (true, false) => TagsStyle::KeyValueArray,
        };
    }
    let ty = |name: &str| object.properties.get(name).map(|property| &property.ty);
    match (ty("tags"), ty("resourceType")) {
        (Some(TypeSpec::Array(_)), Some(TypeSpec::String)) => TagsStyle::NestedKeyValueArrayWithResourceType,
        _ => TagsStyle::Unknown,
    }
}

fn has_pair(object: &ObjectType) -> bool {
    ["key", "value"].iter().all(|name| object.properties.get(*name).is_some_and(|p| p.ty == TypeSpec::String))
}

fn is_pair(object: &ObjectType) -> bool {
    object.properties.len() == 2 && has_pair(object)
}

/// The type of a tags property with the shared tag types in place of the resource's own.
pub(crate) fn shared_type(style: TagsStyle, spec: TypeSpec) -> TypeSpec {
    let shared = |token: &str| TypeSpec::array(TypeSpec::Ref(Token::from(token)));
    match style {
        TagsStyle::KeyValueArray => shared(TAG),
        TagsStyle::KeyValueArrayCreateOnly => shared(CREATE_ONLY_TAG),
        TagsStyle::Unknown
        | TagsStyle::Untyped
        | TagsStyle::StringMap
        | TagsStyle::KeyValueArrayWithExtraProperties
        | TagsStyle::KeyValueArrayWithAlternateType
        | TagsStyle::NestedKeyValueArrayWithResourceType => spec,
    }
}

/// Whether the order of the tags carries no meaning, whatever the schema says about the array.
pub(crate) fn is_unordered(style: TagsStyle) -> bool {
    match style {
        TagsStyle::KeyValueArray
        | TagsStyle::KeyValueArrayCreateOnly
        | TagsStyle::KeyValueArrayWithExtraProperties
        | TagsStyle::KeyValueArrayWithAlternateType => true,
        TagsStyle::Unknown
        | TagsStyle::Untyped
        | TagsStyle::StringMap
        | TagsStyle::NestedKeyValueArrayWithResourceType => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::package::PropertySpec;

    fn object(members: &[(&str, TypeSpec)]) -> TypeDefinition {
        let properties = members.iter().map(|(name, ty)| ((*name).to_owned(), PropertySpec::new(ty.clone()))).collect();
        TypeDefinition::Object(ObjectType { properties, ..ObjectType::default() })
    }

    #[test]
    fn styles_follow_the_shape() {
        let pair = object(&[("key", TypeSpec::String), ("value", TypeSpec::String)]);
        let more = object(&[("key", TypeSpec::String), ("value", TypeSpec::String), ("more", TypeSpec::Boolean)]);
        let other = object(&[("tagKey", TypeSpec::String), ("tagValue", TypeSpec::String)]);
        let nested = object(&[("tags", TypeSpec::array(TypeSpec::Any)), ("resourceType", TypeSpec::String)]);
        let lookup = |token: &str| match token {
            "pair" => Some(&pair),
            "more" => Some(&more),
            "other" => Some(&other),
            "nested" => Some(&nested),
            _ => None,
        };
        let of = |token: &str| TypeSpec::Ref(Token::from(token));
        for (spec, create_only, expected) in [
            (TypeSpec::Any, false, TagsStyle::Untyped),
            (TypeSpec::map(TypeSpec::String), false, TagsStyle::StringMap),
            (TypeSpec::map(TypeSpec::Any), false, TagsStyle::Unknown),
            (TypeSpec::array(of("pair")), false, TagsStyle::KeyValueArray),
            (TypeSpec::array(of("pair")), true, TagsStyle::KeyValueArrayCreateOnly),
            (TypeSpec::array(of("more")), true, TagsStyle::KeyValueArrayWithExtraProperties),
            (TypeSpec::array(of("other")), false, TagsStyle::Unknown),
            (TypeSpec::array(of("nested")), false, TagsStyle::NestedKeyValueArrayWithResourceType),
            (
                TypeSpec::array(TypeSpec::Union(vec![of("other"), of("pair")])),
                false,
                TagsStyle::KeyValueArrayWithAlternateType,
            ),
            (TypeSpec::array(TypeSpec::String), false, TagsStyle::Unknown),
            (TypeSpec::array(of("unheard")), false, TagsStyle::Unknown),
            (of("pair"), false, TagsStyle::Unknown),
        ] {
            assert_eq!(style(&spec, create_only, lookup), expected, "{spec:?}");
        }
    }
}
