//! The getter function of a resource.

use crate::create_only::unmark_inline;
use crate::package::{FunctionObject, FunctionSpec, ResourceSpec, Token};
use crate::resource::{TopLevel, lists};
use crate::types::Registered;
use cfn::ResourceSchema;
use cfn::naming::to_sdk;
use std::collections::BTreeMap;

/// Resources without a getter by decision.
const NO_GETTER: &[(&str, &str)] =
    &[("AWS::MediaConnect::FlowOutput", "published SDKs have a type of the name that its result would get")];

/// SDK names of the identifier's parts, in order.
pub(crate) fn identifier_names(schema: &ResourceSchema) -> Vec<String> {
    schema.primary_identifier.iter().map(|path| to_sdk(path.stripped())).collect()
}

/// The getter, unless the identifier is no top-level property or nothing would be returned.
///
/// Takes the marks from the inline types that it returns, see [`unmark_inline`].
pub(crate) fn assemble(
    schema: &ResourceSchema,
    resource: &ResourceSpec,
    properties: &[TopLevel<'_>],
    types: &mut BTreeMap<Token, Registered>,
) -> Option<FunctionSpec> {
    if NO_GETTER.iter().any(|(name, _)| *name == schema.type_name.as_str()) {
        return None;
    }
    let mut inputs = FunctionObject::default();
    for path in &schema.primary_identifier {
        let property = properties.iter().find(|property| property.cfn_name == path.stripped())?;
        unmark_inline(&property.spec.ty, types);
        let name = to_sdk(property.cfn_name);
        inputs.required.push(name.clone());
        inputs.properties.insert(name, property.spec.clone());
    }
    let mut outputs = FunctionObject::default();
    for property in properties {
        if lists(&schema.write_only, property.cfn_name) || lists(&schema.create_only, property.cfn_name) {
            continue;
        }
        unmark_inline(&property.spec.ty, types);
        outputs.properties.insert(to_sdk(property.cfn_name), property.spec.clone());
    }
    if outputs.properties.is_empty() {
        return None;
    }
    Some(FunctionSpec { description: resource.description.clone(), inputs: Some(inputs), outputs })
}
