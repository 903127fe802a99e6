//! Programs for a type: what they declare, and what else they could.

use emulator::Size;
use metadata::view::Resource;
use provider::convert::from_cfn;
use serde_json::Value as Json;
use value::Map;

use crate::world::World;

/// Inputs of a resource that its schema accepts; none where no state was found.
pub fn program(world: &World, resource: Resource, size: Size) -> Option<Map> {
    let model = world.cloud.admin().generate(resource.cfn_type(), size).ok()?;
    inputs(&model, resource)
}

/// The program with one member as another one has it, for each member that differs.
pub fn others(world: &World, resource: Resource, inputs: &Map) -> Vec<(String, Map)> {
    let other = world.elsewhere.admin().generate(resource.cfn_type(), Size::Maximal).ok();
    let other = other.and_then(|model| self::inputs(&model, resource)).unwrap_or_default();
    let differing = other.into_iter().filter(|(name, value)| inputs.get(name) != Some(value));
    let changed = differing.map(|(name, value)| {
        let mut changed = inputs.clone();
        changed.insert(name.clone(), value);
        (name, changed)
    });
    changed.collect()
}

fn inputs(model: &Json, resource: Resource) -> Option<Map> {
    let mut inputs = from_cfn(model, resource.properties()).ok()?;
    inputs.retain(|name, _| resource.properties().get(name).is_some_and(|property| property.input()));
    Some(inputs)
}

/// The number of leaves of a model.
pub fn leaves(model: &Json) -> usize {
    match model {
        Json::Object(members) => members.values().map(leaves).sum(),
        Json::Array(items) => items.iter().map(leaves).sum(),
        _ => 1,
    }
}

/// The number of leaves that the service has otherwise than they were sent.
pub fn rewritten(sent: &Json, kept: &Json) -> usize {
    match (sent, kept) {
        (Json::Object(sent), Json::Object(kept)) => {
            sent.iter().filter_map(|(name, member)| Some(rewritten(member, kept.get(name)?))).sum()
        }
        (Json::Array(sent), Json::Array(kept)) => sent.iter().zip(kept).map(|(one, other)| rewritten(one, other)).sum(),
        (sent, kept) => usize::from(sent != kept),
    }
}
