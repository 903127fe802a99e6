//! The getter function of a resource.

use crate::create_only::unmark_inline;
use crate::package::{FunctionObject, FunctionSpec, ResourceSpec, Token};
use crate::resource::{Listed, TopLevel, find};
use crate::types::Registered;
use cfn::ResourceSchema;
use cfn::naming::to_sdk;
use std::collections::BTreeMap;

/// Resources without a getter by decision.
const NO_GETTER: &[(&str, &str)] =
    &[("AWS::MediaConnect::FlowOutput", "published SDKs have a type of the name that its result would get")];

/// Why a resource has no getter.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoGetter {
    /// By decision, see `NO_GETTER`.
    #[error("left out by the table NO_GETTER: {0}")]
    ByDecision(&'static str),
    /// Arguments of a getter are top-level properties.
    #[error("primaryIdentifier: {0} names no top-level property")]
    IdentifierElsewhere(String),
    /// Every property is write-only or create-only.
    #[error("every property is write-only or create-only, so nothing would be returned")]
    NothingToReturn,
}

/// SDK names of the identifier's parts, in order.
pub(crate) fn identifier_names(schema: &ResourceSchema) -> Vec<String> {
    schema.primary_identifier.iter().map(|path| to_sdk(path.stripped())).collect()
}

/// The getter, or why there is none.
///
/// Takes the marks from the inline types that it returns, see [`unmark_inline`].
pub(crate) fn assemble(
    schema: &ResourceSchema,
    listed: &Listed<'_>,
    resource: &ResourceSpec,
    properties: &[TopLevel<'_>],
    types: &mut BTreeMap<Token, Registered>,
) -> Result<FunctionSpec, NoGetter> {
    if let Some((_, reason)) = NO_GETTER.iter().find(|(name, _)| *name == schema.type_name.as_str()) {
        return Err(NoGetter::ByDecision(reason));
    }
    let mut inputs = FunctionObject::default();
    for path in &schema.primary_identifier {
        let property = find(properties, path.stripped());
        let property = property.ok_or_else(|| NoGetter::IdentifierElsewhere(path.pointer().to_owned()))?;
        unmark_inline(&property.spec.ty, types);
        let name = to_sdk(property.cfn_name);
        inputs.required.push(name.clone());
        inputs.properties.insert(name, property.spec.clone());
    }
    let mut outputs = FunctionObject::default();
    for property in properties {
        if listed.write_only.contains(property.cfn_name) || listed.create_only.contains(property.cfn_name) {
            continue;
        }
        unmark_inline(&property.spec.ty, types);
        outputs.properties.insert(to_sdk(property.cfn_name), property.spec.clone());
    }
    if outputs.properties.is_empty() {
        return Err(NoGetter::NothingToReturn);
    }
    Ok(FunctionSpec { description: resource.description.clone(), inputs: Some(inputs), outputs })
}
