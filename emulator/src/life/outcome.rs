//! What is left of an operation that goes wrong. The only place where a model is read inside a transaction.

use super::plan::Effect;
use crate::core::Core;
use crate::entropy::Entropy;
use crate::model::record;
use crate::schema::{InstancePath, ResourceType};
use crate::store::{NewResource, ShelfKey, Token};
use serde_json::{Map, Value};
use std::sync::Arc;

/// An effect whose values at these pointers are not taken over: absent after a create, as before after an update.
pub(super) fn without(core: &Core, shelf: &ShelfKey, effect: Effect, paths: &[String]) -> Effect {
    let paths: Vec<InstancePath> = paths.iter().filter_map(|pointer| InstancePath::parse(pointer)).collect();
    match effect {
        Effect::Create { resource, everywhere } => {
            let resource = rewrite(core, shelf, resource, |_, model| {
                paths.iter().for_each(|path| path.remove(model));
            });
            Effect::Create { resource, everywhere }
        }
        Effect::Update { resource, before } => {
            let old = crate::json::stored(&before);
            let resource = rewrite(core, shelf, resource, |_, model| {
                for path in &paths {
                    path.remove(model);
                    if let Some(value) = path.get(&old) {
                        path.set(model, value.clone());
                    }
                }
            });
            Effect::Update { resource, before }
        }
        Effect::Delete => Effect::Delete,
    }
}

/// The effect of an operation that broke off after a share of the top-level properties, chosen by the token. What the
/// service makes is there in any case, and `status` is shown as the state. `None` when nothing changes.
pub(super) fn part(
    core: &Core,
    shelf: &ShelfKey,
    effect: Effect,
    fraction: f64,
    status: Option<&str>,
    token: Token,
) -> Option<Effect> {
    let entropy = Entropy::new(&["part", &token.to_string()]);
    match effect {
        Effect::Create { resource, everywhere } => {
            let resource = rewrite(core, shelf, resource, |schema, model| {
                let Some(members) = model.as_object_mut() else { return };
                let optional: Vec<String> = members.keys().filter(|name| !is_kept(schema, name)).cloned().collect();
                for name in chosen(&optional, 1.0 - fraction, &entropy) {
                    members.remove(&name);
                }
                show_status(schema, members, status);
            });
            Some(Effect::Create { resource, everywhere })
        }
        Effect::Update { resource, before } => {
            let old = crate::json::stored(&before);
            let resource = rewrite(core, shelf, resource, |schema, model| {
                let Some(members) = model.as_object_mut() else { return };
                let names = members.keys().chain(old.as_object().into_iter().flat_map(Map::keys));
                let mut changed: Vec<String> =
                    names.filter(|name| members.get(*name) != old.get(*name)).cloned().collect();
                changed.sort();
                changed.dedup();
                for name in chosen(&changed, 1.0 - fraction, &entropy) {
                    match old.get(&name) {
                        Some(value) => members.insert(name, value.clone()),
                        None => members.remove(&name),
                    };
                }
                show_status(schema, members, status);
            });
            Some(Effect::Update { resource, before })
        }
        Effect::Delete => None,
    }
}

/// A resource with its model changed. A type that is not served any more leaves everything as it is.
fn rewrite(
    core: &Core,
    shelf: &ShelfKey,
    resource: NewResource,
    change: impl FnOnce(&ResourceType, &mut Value),
) -> NewResource {
    let schema: Option<Arc<ResourceType>> = core.library().get(&shelf.type_name);
    let Some(schema) = schema else { return resource };
    let mut model = crate::json::stored(&resource.model);
    change(&schema, &mut model);
    match record::of_model(&schema, &model) {
        Ok(changed) if changed.identifier == resource.identifier => {
            NewResource { haunted: resource.haunted, ..changed }
        }
        // Whatever was to be left out is what the resource is known by.
        Ok(_) | Err(_) => resource,
    }
}

/// Whether a top-level property is there however far an operation came: identifiers, and what the service makes.
fn is_kept(schema: &ResourceType, name: &str) -> bool {
    let identifiers = schema.additional_identifiers.iter().flatten().chain(&schema.primary_identifier);
    let kept = identifiers.chain(schema.read_only.iter().filter(|path| path.segments().len() == 1));
    kept.into_iter().any(|path| path.segments().first().and_then(|segment| segment.name()) == Some(name))
}

/// A share of some names, rounded up, in an order that the entropy decides.
fn chosen(names: &[String], share: f64, entropy: &Entropy) -> Vec<String> {
    let count = (names.len() as f64 * share.clamp(0.0, 1.0)).ceil() as usize;
    let mut drawn: Vec<(String, &String)> = names.iter().map(|name| (entropy.within(name).hex(8), name)).collect();
    drawn.sort();
    drawn.into_iter().take(count).map(|(_, name)| name.clone()).collect()
}

/// Sets the read-only property that shows the state, if the type has one.
fn show_status(schema: &ResourceType, members: &mut Map<String, Value>, status: Option<&str>) {
    let Some(status) = status else { return };
    let kind = schema.name.rsplit("::").next().unwrap_or_default();
    let names = ["Status".to_owned(), "State".to_owned(), format!("{kind}Status"), format!("{kind}State")];
    let is_read_only =
        |name: &String| schema.read_only.iter().any(|path| path.segments().len() == 1 && path.short_name() == *name);
    if let Some(name) = names.into_iter().find(is_read_only) {
        members.insert(name, Value::from(status));
    }
}
