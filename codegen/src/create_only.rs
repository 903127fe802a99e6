//! The mark `replaceOnChanges` on outputs and on members of nested types.

use crate::package::{Properties, Token, TypeDefinition, TypeSpec};
use crate::types::Registered;
use std::collections::{BTreeMap, BTreeSet};

type Types = BTreeMap<Token, Registered>;

/// Marks what each path of create-only properties leads to. Returns the paths that lead to nothing markable: through
/// maps, unions and shared tags, or to a property that does not exist.
pub(crate) fn mark(paths: &BTreeSet<String>, outputs: &mut Properties, types: &mut Types) -> Vec<String> {
    paths.iter().filter(|path| mark_path(path, outputs, types).is_none()).cloned().collect()
}

fn mark_path(path: &str, outputs: &mut Properties, types: &mut Types) -> Option<()> {
    let Place { token, property } = find(path, outputs, types)?;
    let spec = match token {
        None => outputs.get_mut(&property),
        Some(token) => match &mut types.get_mut(&token)?.definition {
            TypeDefinition::Object(object) => object.properties.get_mut(&property),
            TypeDefinition::Enum(_) => None,
        },
    };
    spec?.replace_on_changes = true;
    Some(())
}

/// A property that a path leads to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Place {
    /// The nested type that has it; `None` = the resource.
    pub token: Option<Token>,
    /// Its SDK name.
    pub property: String,
}

/// What a path in SDK names leads to; `None` where that is nothing markable.
pub(crate) fn find(path: &str, outputs: &Properties, types: &Types) -> Option<Place> {
    let mut segments = path.split('/');
    let head = segments.next()?;
    let mut spec = outputs.get(head)?;
    let mut place = Place { token: None, property: head.to_owned() };
    for segment in segments.filter(|segment| *segment != "*") {
        let token = descend(&spec.ty)?;
        spec = match &types.get(&token)?.definition {
            TypeDefinition::Object(object) => object.properties.get(segment)?,
            TypeDefinition::Enum(_) => return None,
        };
        place = Place { token: Some(token), property: segment.to_owned() };
    }
    Some(place)
}

/// The type whose members come next: that of an object or of a list of objects, unless all resources share it.
fn descend(spec: &TypeSpec) -> Option<Token> {
    let token = match spec {
        TypeSpec::Array(items) => items.token()?,
        other => other.token()?,
    };
    (!token.starts_with("aws-native:index:")).then(|| token.clone())
}

/// Takes the marks from every inline type that is reached from `spec` without passing through a definition's type.
///
/// The published schema lacks them wherever a getter returns such a type, because the getter came after the marks and
/// made its inline types anew. SDKs were built from it, so the marks stay absent; the runtime looks at its own paths.
pub(crate) fn unmark_inline(spec: &TypeSpec, types: &mut Types) {
    let mut open = vec![spec.clone()];
    let mut seen = BTreeSet::new();
    while let Some(spec) = open.pop() {
        match spec {
            TypeSpec::Ref(token) => {
                let Some(registered) = types.get_mut(&token).filter(|registered| registered.inline) else { continue };
                let TypeDefinition::Object(object) = &mut registered.definition else { continue };
                if !seen.insert(token) {
                    continue;
                }
                for (_, property) in &mut object.properties {
                    property.replace_on_changes = false;
                    open.push(property.ty.clone());
                }
            }
            TypeSpec::Array(inner) | TypeSpec::Map(inner) => open.push(*inner),
            TypeSpec::Union(arms) => open.extend(arms),
            TypeSpec::Any
            | TypeSpec::Boolean
            | TypeSpec::Integer
            | TypeSpec::Number
            | TypeSpec::String
            | TypeSpec::Region => {}
        }
    }
}
