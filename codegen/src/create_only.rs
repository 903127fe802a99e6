//! The mark `replaceOnChanges` on outputs and on members of nested types.

use crate::package::{Properties, PropertySpec, Token, TypeDefinition, TypeSpec};
use crate::types::Registered;
use std::collections::{BTreeMap, BTreeSet};

type Types = BTreeMap<Token, Registered>;

/// Marks what each path of create-only properties leads to. Returns the paths that lead to nothing markable: through
/// maps, unions and shared tags, or to a property that does not exist.
pub(crate) fn mark(paths: &BTreeSet<String>, outputs: &mut Properties, types: &mut Types) -> Vec<String> {
    paths.iter().filter(|path| mark_path(path, outputs, types).is_none()).cloned().collect()
}

fn mark_path(path: &str, outputs: &mut Properties, types: &mut Types) -> Option<()> {
    let mut segments = path.split('/');
    let head = segments.next()?;
    let mut place = Place::Output(head);
    place.property(outputs, types)?;
    for segment in segments.filter(|segment| *segment != "*") {
        let token = descend(&place.property(outputs, types)?.ty)?;
        place = Place::Member(token, segment);
        place.property(outputs, types)?;
    }
    place.property(outputs, types)?.replace_on_changes = true;
    Some(())
}

enum Place<'p> {
    Output(&'p str),
    Member(Token, &'p str),
}

impl Place<'_> {
    fn property<'t>(&self, outputs: &'t mut Properties, types: &'t mut Types) -> Option<&'t mut PropertySpec> {
        match self {
            Place::Output(name) => outputs.get_mut(*name),
            Place::Member(token, name) => match &mut types.get_mut(token)?.definition {
                TypeDefinition::Object(object) => object.properties.get_mut(*name),
                TypeDefinition::Enum(_) => None,
            },
        }
    }
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
                for property in object.properties.values_mut() {
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
