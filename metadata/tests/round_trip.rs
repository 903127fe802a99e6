//! A model comes back from its record unchanged, and every property is found by both of its names.
#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

use std::collections::{BTreeMap, BTreeSet};

use metadata::encode;
use metadata::model::{
    AutoName, EqualityHint, Getter, Handler, Handlers, NameForm, ObjectType, Property, ReplacementStrategy, Resource,
    Separator, SuffixRule, Tags, TagsStyle, Type,
};
use metadata::view::{self, Properties};
use proptest::collection::{btree_map, vec};
use proptest::option;
use proptest::prelude::*;

proptest! {
    #[test]
    fn model_survives(model in resource()) {
        let first = encode(&model).unwrap();
        let view = view::Resource::from(first.clone().leak());
        prop_assert_eq!(&view.to_model(), &model);
        prop_assert_eq!(encode(&view.to_model()).unwrap(), first);
    }

    #[test]
    fn every_property_is_found(model in resource()) {
        let view = view::Resource::from(encode(&model).unwrap().leak());
        check_lookups(&model.properties, view.properties());
        for (ty, view) in model.types.iter().zip(view.object_types().iter()) {
            check_lookups(&ty.properties, view.properties());
        }
    }
}

/// Every name leads to its own property; names made longer or shorter lead to another property or to none.
fn check_lookups(properties: &[Property], view: Properties) {
    assert_eq!(view.len(), properties.len());
    let sdk_names: BTreeSet<&str> = properties.iter().map(|property| property.name.as_str()).collect();
    let cfn_names: BTreeSet<&str> = properties.iter().map(|property| property.cfn_name.as_str()).collect();
    for property in properties {
        assert_eq!(view.get(&property.name).unwrap().cfn_name(), property.cfn_name);
        assert_eq!(view.get_cfn(&property.cfn_name).unwrap().name(), property.name);
        for absent in [format!("{}x", property.name), String::new(), property.cfn_name.clone()] {
            assert_eq!(view.get(&absent).is_some(), sdk_names.contains(absent.as_str()), "{absent:?}");
            assert_eq!(view.get_cfn(&absent).is_some(), cfn_names.contains(absent.as_str()), "{absent:?}");
        }
    }
}

/// Short texts from few letters, so that texts and beginnings of texts repeat; some are not ASCII.
fn text() -> impl Strategy<Value = String> {
    "[aAbBé/*]{0,4}"
}

fn texts() -> impl Strategy<Value = Vec<String>> {
    vec(text(), 0..4)
}

fn ty(object_types: u32) -> impl Strategy<Value = Type> {
    let scalar = prop_oneof![
        Just(Type::Any),
        Just(Type::Boolean),
        Just(Type::Integer),
        Just(Type::Number),
        Just(Type::String),
        texts().prop_map(Type::Enum),
    ];
    let leaf = match object_types {
        0 => scalar.boxed(),
        count => prop_oneof![scalar, (0..count).prop_map(Type::Object)].boxed(),
    };
    leaf.prop_recursive(4, 16, 3, |inner| {
        prop_oneof![
            inner.clone().prop_map(|ty| Type::Array(Box::new(ty))),
            inner.clone().prop_map(|ty| Type::Map(Box::new(ty))),
            vec(inner, 0..3).prop_map(Type::Union),
        ]
    })
}

/// Properties in ascending order of SDK name whose CloudFormation names are unique and in any order.
fn properties(object_types: u32) -> impl Strategy<Value = Vec<Property>> {
    let rest = (text(), ty(object_types), any::<bool>(), any::<bool>(), option::of(text()));
    btree_map(text(), rest, 0..6).prop_map(|properties: BTreeMap<_, _>| {
        let with_number = |(number, (name, (cfn_name, ty, input, required, default)))| Property {
            name,
            cfn_name: format!("{cfn_name}{number}"),
            ty,
            input,
            required,
            default,
        };
        properties.into_iter().enumerate().map(with_number).collect()
    })
}

fn types(count: u32) -> impl Strategy<Value = Vec<ObjectType>> {
    let one = (text(), properties(count)).prop_map(|(token, properties)| ObjectType { token, properties });
    vec(one, count as usize)
}

fn tags() -> impl Strategy<Value = Tags> {
    let style = prop_oneof![
        Just(TagsStyle::Unknown),
        Just(TagsStyle::Untyped),
        Just(TagsStyle::StringMap),
        Just(TagsStyle::KeyValueArray),
        Just(TagsStyle::KeyValueArrayCreateOnly),
        Just(TagsStyle::KeyValueArrayWithExtraProperties),
        Just(TagsStyle::KeyValueArrayWithAlternateType),
        Just(TagsStyle::NestedKeyValueArrayWithResourceType),
    ];
    (text(), style, any::<bool>()).prop_map(|(property, style, updatable)| Tags { property, style, updatable })
}

fn auto_name() -> impl Strategy<Value = AutoName> {
    let rule = (text(), any::<bool>(), text()).prop_map(|(field, equals, suffix)| SuffixRule { field, equals, suffix });
    let separator = prop_oneof![Just(Separator::Dash), Just(Separator::Underscore), Just(Separator::Nothing)];
    let form = (any::<bool>(), separator).prop_map(|(lower_case, separator)| NameForm { lower_case, separator });
    (text(), any::<u32>(), any::<u32>(), option::of(rule), form).prop_map(
        |(property, min_length, max_length, suffix_rule, form)| AutoName {
            property,
            min_length,
            max_length,
            suffix_rule,
            form,
        },
    )
}

fn handlers() -> impl Strategy<Value = Handlers> {
    let one = || {
        let handler = (option::of(0..u32::MAX), texts());
        option::of(handler.prop_map(|(timeout_minutes, permissions)| Handler { timeout_minutes, permissions }))
    };
    (one(), one(), one(), one(), one()).prop_map(|(create, read, update, delete, list)| Handlers {
        create,
        read,
        update,
        delete,
        list,
    })
}

fn replacement_strategy() -> impl Strategy<Value = ReplacementStrategy> {
    prop_oneof![Just(ReplacementStrategy::DeleteThenCreate), Just(ReplacementStrategy::CreateThenDelete)]
}

fn equality() -> impl Strategy<Value = Vec<(String, EqualityHint)>> {
    let hint = prop_oneof![
        Just(EqualityHint::ArnOrId),
        Just(EqualityHint::CaseInsensitive),
        Just(EqualityHint::JsonDocument),
        Just(EqualityHint::PolicyDocument),
        Just(EqualityHint::TrailingDot),
        Just(EqualityHint::NumberAsText),
        Just(EqualityHint::VersionPrefix),
    ];
    vec((text(), hint), 0..3)
}

fn getter() -> impl Strategy<Value = Getter> {
    (text(), texts()).prop_map(|(token, ids)| Getter { token, ids })
}

fn resource() -> impl Strategy<Value = Resource> {
    (0_u32..4).prop_flat_map(|count| (properties(count), types(count))).prop_flat_map(move |(properties, types)| {
        let lists = (texts(), texts(), texts(), texts(), texts(), texts());
        let options =
            (option::of(tags()), option::of(auto_name()), option::of(replacement_strategy()), option::of(getter()));
        (text(), text(), lists, options, vec((text(), text()), 0..3), equality(), handlers()).prop_map(
            move |(token, cfn_type, lists, options, property_transforms, equality, handlers)| Resource {
                token,
                cfn_type,
                properties: properties.clone(),
                types: types.clone(),
                create_only: lists.0,
                conditional_create_only: lists.1,
                read_only: lists.2,
                write_only: lists.3,
                unordered: lists.4,
                primary_identifier: lists.5,
                tags: options.0,
                auto_name: options.1,
                property_transforms,
                equality,
                handlers,
                replacement_strategy: options.2,
                getter: options.3,
            },
        )
    })
}
