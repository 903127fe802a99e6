//! How many properties have a description.

use std::collections::BTreeSet;

use serde::Serialize;

use super::marks::UNDESCRIBED;
use crate::package::{Package, Properties, PropertySpec, Token, TypeDefinition, TypeSpec};

/// Described and undescribed properties of a package.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Coverage {
    /// Where the texts come from.
    pub source: String,
    /// Inputs of resources.
    pub inputs: Counted,
    /// Properties of the types that inputs lead to.
    pub nested: Counted,
}

/// Some properties.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Counted {
    /// How many there are.
    pub total: usize,
    /// Those without a description, as token and property.
    pub undescribed: Vec<String>,
}

impl Counted {
    /// How many have a description.
    pub fn described(&self) -> usize {
        self.total - self.undescribed.len()
    }

    /// The part that has a description in percent; 100 of nothing.
    pub fn percent(&self) -> f64 {
        match self.total {
            0 => 100.0,
            total => 100.0 * self.described() as f64 / total as f64,
        }
    }

    fn add(&mut self, owner: &str, properties: &Properties) {
        self.total += properties.len();
        let undescribed = properties.iter().filter(|(_, property)| !is_described(property));
        self.undescribed.extend(undescribed.map(|(name, _)| format!("{owner}.{name}")));
    }
}

fn is_described(property: &PropertySpec) -> bool {
    property.description.as_ref().is_some_and(|text| !text.starts_with(UNDESCRIBED))
}

impl Coverage {
    /// Counts the inputs of a package's resources and what they lead to.
    pub fn of(package: &Package, source: &str) -> Coverage {
        let mut coverage = Coverage { source: source.to_owned(), ..Coverage::default() };
        let mut open: Vec<&TypeSpec> = Vec::new();
        for (token, resource) in &package.resources {
            coverage.inputs.add(token, &resource.inputs);
            open.extend(resource.inputs.values().map(|input| &input.ty));
        }
        let mut reached: BTreeSet<&Token> = BTreeSet::new();
        while let Some(spec) = open.pop() {
            match spec {
                TypeSpec::Array(inner) | TypeSpec::Map(inner) => open.push(inner),
                TypeSpec::Union(arms) => open.extend(arms),
                TypeSpec::Ref(token) => {
                    if let Some(TypeDefinition::Object(object)) = package.types.get(token)
                        && reached.insert(token)
                    {
                        open.extend(object.properties.values().map(|property| &property.ty));
                    }
                }
                TypeSpec::Any
                | TypeSpec::Boolean
                | TypeSpec::Integer
                | TypeSpec::Number
                | TypeSpec::String
                | TypeSpec::Region => {}
            }
        }
        for token in reached {
            if let Some(TypeDefinition::Object(object)) = package.types.get(token) {
                coverage.nested.add(token, &object.properties);
            }
        }
        coverage
    }
}
