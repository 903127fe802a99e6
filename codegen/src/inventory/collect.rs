//! The facts of a run.

use super::{Inventory, PropertyFacts, ResourceFacts, TypeFacts};
use crate::emit::report::name;
use crate::generate::Output;
use crate::package::{ObjectType, PropertySpec, ResourceSpec, TypeDefinition, TypeSpec};
use cfn::naming::to_cfn;
use metadata::model;
use std::collections::{BTreeMap, BTreeSet, HashSet};

impl Inventory {
    /// The facts of what a run made.
    pub fn of(output: &Output) -> Inventory {
        let models: BTreeMap<&str, &model::Resource> =
            output.resources.iter().map(|model| (model.token.as_str(), model)).collect();
        let resources: BTreeMap<String, ResourceFacts> = output
            .package
            .resources
            .iter()
            .map(|(token, spec)| (token.clone(), resource(spec, models.get(token.as_str()).copied())))
            .collect();
        let getters: BTreeSet<&str> = resources.values().filter_map(|facts| facts.getter.as_deref()).collect();
        let functions =
            output.package.functions.keys().filter(|token| !getters.contains(token.as_str())).cloned().collect();
        let types = output
            .package
            .types
            .iter()
            .map(|(token, definition)| (token.to_string(), named_type(definition)))
            .collect();
        let left_out = output.skips.iter().map(|skip| (name(skip).to_owned(), skip.reason.to_string())).collect();
        Inventory { resources, types, functions, left_out }
    }
}

fn resource(spec: &ResourceSpec, model: Option<&model::Resource>) -> ResourceFacts {
    let cfn_names: BTreeMap<&str, &str> = model
        .map(|model| model.properties.iter().map(|one| (one.name.as_str(), one.cfn_name.as_str())).collect())
        .unwrap_or_default();
    let names: BTreeSet<&String> = spec.properties.keys().chain(spec.inputs.keys()).collect();
    let required: HashSet<&String> = spec.required_inputs.iter().collect();
    let always: HashSet<&String> = spec.required.iter().collect();
    let property = |name: &String| {
        let shown = spec.properties.get(name).or_else(|| spec.inputs.get(name));
        let facts = PropertyFacts {
            cfn_name: cfn_names.get(name.as_str()).map_or_else(|| to_cfn(name), |cfn_name| (*cfn_name).to_owned()),
            ty: shown.map(|property| short(&property.ty)).unwrap_or_default(),
            input: spec.inputs.contains_key(name),
            required: required.contains(name),
            always: always.contains(name),
            replaces: false,
        };
        (name.clone(), facts)
    };
    let paths = |list: fn(&model::Resource) -> &Vec<String>| {
        model.map(|model| list(model).iter().cloned().collect()).unwrap_or_default()
    };
    ResourceFacts {
        cfn_type: model.map(|model| model.cfn_type.clone()),
        getter: model.and_then(|model| model.getter.as_ref()).map(|getter| getter.token.clone()),
        identifier: model.map(|model| model.primary_identifier.clone()).unwrap_or_default(),
        properties: names.into_iter().map(property).collect(),
        create_only: paths(|model| &model.create_only),
        read_only: paths(|model| &model.read_only),
        write_only: paths(|model| &model.write_only),
    }
}

fn named_type(definition: &TypeDefinition) -> TypeFacts {
    match definition {
        TypeDefinition::Object(object) => {
            let required: HashSet<&String> = object.required.iter().collect();
            let member = |(name, spec)| (String::clone(name), member(object, name, spec, required.contains(name)));
            TypeFacts::Object(object.properties.iter().map(member).collect())
        }
        TypeDefinition::Enum(definition) => TypeFacts::Enum(
            definition.values.iter().map(|member| (member.value.clone(), member.name.clone())).collect(),
        ),
    }
}

fn member(object: &ObjectType, name: &str, spec: &PropertySpec, required: bool) -> PropertyFacts {
    PropertyFacts {
        cfn_name: object.cfn_names.get(name).cloned().unwrap_or_else(|| to_cfn(name)),
        ty: short(&spec.ty),
        input: true,
        required,
        always: false,
        replaces: spec.replace_on_changes,
    }
}

/// A type in short, as [`PropertyFacts::ty`] has it.
pub(crate) fn short(spec: &TypeSpec) -> String {
    match spec {
        TypeSpec::Any => "any".to_owned(),
        TypeSpec::Boolean => "boolean".to_owned(),
        TypeSpec::Integer => "integer".to_owned(),
        TypeSpec::Number => "number".to_owned(),
        TypeSpec::String => "string".to_owned(),
        TypeSpec::Region => "region".to_owned(),
        TypeSpec::Ref(token) => format!("#{token}"),
        TypeSpec::Array(items) => format!("[{}]", short(items)),
        TypeSpec::Map(values) => format!("{{{}}}", short(values)),
        TypeSpec::Union(arms) => format!("({})", arms.iter().map(short).collect::<Vec<_>>().join("|")),
    }
}
