//! From a record back to the owned model: for tests, for `show`, and for tools that want plain structs.

use super::{AutoName, Getter, Handler, Operation, Properties, Resource, Tags, Type};
use crate::{layout::MAX_TYPE_DEPTH, model};

impl Resource {
    /// The model that this record was made of.
    #[must_use]
    pub fn to_model(self) -> model::Resource {
        // The generator shares no type word, so that a record has fewer types than words. Other words could claim
        // endlessly many; the budget ends that.
        let mut budget = self.record.words().len();
        model::Resource {
            token: self.token().to_owned(),
            cfn_type: self.cfn_type().to_owned(),
            properties: properties(self.properties(), &mut budget),
            types: self
                .object_types()
                .iter()
                .map(|ty| model::ObjectType {
                    token: ty.token().to_owned(),
                    properties: properties(ty.properties(), &mut budget),
                })
                .collect(),
            create_only: self.create_only().to_vec(),
            conditional_create_only: self.conditional_create_only().to_vec(),
            read_only: self.read_only().to_vec(),
            write_only: self.write_only().to_vec(),
            unordered: self.unordered().to_vec(),
            primary_identifier: self.primary_identifier().to_vec(),
            tags: self.tags().map(tags),
            auto_name: self.auto_name().map(auto_name),
            property_transforms: self
                .property_transforms()
                .map(|(path, expression)| (path.to_owned(), expression.to_owned()))
                .collect(),
            equality: self.equality().map(|(path, hint)| (path.to_owned(), hint)).collect(),
            handlers: model::Handlers {
                create: self.handler(Operation::Create).map(handler),
                read: self.handler(Operation::Read).map(handler),
                update: self.handler(Operation::Update).map(handler),
                delete: self.handler(Operation::Delete).map(handler),
                list: self.handler(Operation::List).map(handler),
            },
            replacement_strategy: self.replacement_strategy(),
            getter: self.getter().map(getter),
        }
    }
}

fn properties(properties: Properties, budget: &mut usize) -> Vec<model::Property> {
    let mut owned = Vec::new();
    for property in properties.iter() {
        if *budget == 0 {
            break;
        }
        owned.push(model::Property {
            name: property.name().to_owned(),
            cfn_name: property.cfn_name().to_owned(),
            ty: owned_type(property.ty(), 0, budget),
            input: property.input(),
            required: property.required(),
            default: property.default().map(str::to_owned),
        });
    }
    owned
}

fn owned_type(ty: Type, depth: usize, budget: &mut usize) -> model::Type {
    if depth > MAX_TYPE_DEPTH || *budget == 0 {
        return model::Type::Any;
    }
    *budget -= 1;
    match ty {
        Type::Any => model::Type::Any,
        Type::Boolean => model::Type::Boolean,
        Type::Integer => model::Type::Integer,
        Type::Number => model::Type::Number,
        Type::String => model::Type::String,
        Type::Enum(values) => model::Type::Enum(values.to_vec()),
        Type::Array(element) => model::Type::Array(Box::new(owned_type(element.get(), depth + 1, budget))),
        Type::Map(value) => model::Type::Map(Box::new(owned_type(value.get(), depth + 1, budget))),
        Type::Object(object) => model::Type::Object(u32::try_from(object.index()).unwrap_or(u32::MAX)),
        Type::Union(arms) => {
            let mut owned = Vec::new();
            for arm in arms.iter() {
                if *budget == 0 {
                    break;
                }
                owned.push(owned_type(arm, depth + 1, budget));
            }
            model::Type::Union(owned)
        }
    }
}

fn tags(tags: Tags) -> model::Tags {
    model::Tags { property: tags.property.to_owned(), style: tags.style, updatable: tags.updatable }
}

fn auto_name(name: AutoName) -> model::AutoName {
    model::AutoName {
        property: name.property.to_owned(),
        min_length: name.min_length,
        max_length: name.max_length,
        suffix_rule: name.suffix_rule.map(|rule| model::SuffixRule {
            field: rule.field.to_owned(),
            equals: rule.equals,
            suffix: rule.suffix.to_owned(),
        }),
        form: name.form,
    }
}

fn handler(handler: Handler) -> model::Handler {
    model::Handler { timeout_minutes: handler.timeout_minutes, permissions: handler.permissions.to_vec() }
}

fn getter(getter: Getter) -> model::Getter {
    model::Getter { token: getter.token.to_owned(), ids: getter.ids.to_vec() }
}
