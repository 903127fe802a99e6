//! Whether a snapshot holds what an emulator could have made: places, types, models and identifiers.

use super::snapshot::{Placed, Snapshot};
use crate::core::Core;
use crate::life::plan::Effect;
use crate::model::record;
use crate::scope;
use crate::store::{Haunt, NewResource, Request, ShelfKey};
use serde_json::Value;
use std::collections::HashSet;

/// Checks everything in a snapshot, and makes anew what follows from models.
///
/// # Errors
///
/// What is wrong with the first part that is not as it must be. Values are not repeated.
pub(super) fn check(core: &Core, snapshot: &mut Snapshot) -> Result<(), String> {
    let mut taken = HashSet::new();
    for Placed { place, resource } in &mut snapshot.resources {
        let said = |reason: String| format!("resource {:?} of {}: {reason}", resource.identifier, place.type_name);
        check_place(core, place).map_err(said)?;
        let made = made(core, place, &resource.identifier, &resource.model).map_err(said)?;
        check_haunt(resource.haunted.as_deref()).map_err(said)?;
        for name in names(core, place, &made) {
            if !taken.insert(name) {
                return Err(said("another resource has the same identifier".to_owned()));
            }
        }
        resource.model = made.model;
        resource.additional = made.additional;
        resource.list_key = made.list_key;
    }
    let mut tokens = HashSet::new();
    for request in &mut snapshot.requests {
        let token = request.token;
        let is_new = tokens.insert(token);
        let checked =
            check_request(core, request).and(if is_new { Ok(()) } else { Err("it is there twice".to_owned()) });
        checked.map_err(|reason| format!("request {token}: {reason}"))?;
    }
    for used in &snapshot.client_tokens {
        scope::check(&used.scope.account, &used.scope.region).map_err(|reason| format!("client token: {reason}"))?;
    }
    Ok(())
}

/// Whether a shelf can exist: types that exist once per account have no region, all others have one.
fn check_place(core: &Core, place: &ShelfKey) -> Result<(), String> {
    if core.library().get(&place.type_name).is_none() {
        return Err("there is no such type".to_owned());
    }
    match core.knowledge.is_global(&place.type_name) {
        true if place.region.is_empty() => scope::check(&place.account, &core.options.region),
        true => Err(format!("the type exists once per account, not in {:?}", place.region)),
        false => scope::check(&place.account, &place.region),
    }
}

/// A resource of a model, with everything that it can be found by.
fn made(core: &Core, place: &ShelfKey, identifier: &str, model: &str) -> Result<NewResource, String> {
    let schema = core.library().get(&place.type_name).ok_or("there is no such type")?;
    let made = record::of_model(&schema, &object(model)?)?;
    if *made.identifier == *identifier {
        Ok(made)
    } else {
        Err(format!("its model has the identifier {:?}", made.identifier))
    }
}

fn object(text: &str) -> Result<Value, String> {
    match crate::json::parse(text) {
        Ok(model @ Value::Object(_)) => Ok(model),
        Ok(_) => Err("a model is not an object".to_owned()),
        Err(error) => Err(format!("a model is {error}")),
    }
}

/// What no two resources may share.
fn names(core: &Core, place: &ShelfKey, made: &NewResource) -> Vec<(Option<ShelfKey>, String)> {
    let is_everywhere = core.knowledge.is_unique_everywhere(&place.type_name);
    let type_wide = is_everywhere.then(|| (None, format!("{} {}", place.type_name, made.identifier)));
    let additional = made.additional.iter().enumerate();
    let additional = additional.filter_map(|(index, digest)| Some(format!("{index} {}", (*digest)?)));
    let here = std::iter::once(format!("primary {}", made.identifier)).chain(additional);
    here.map(|name| (Some(place.clone()), name)).chain(type_wide).collect()
}

fn check_haunt(haunt: Option<&Haunt>) -> Result<(), String> {
    haunt.and_then(|haunt| haunt.stale.as_deref()).map_or(Ok(()), |stale| object(stale).map(|_| ()))
}

fn check_request(core: &Core, request: &mut Request) -> Result<(), String> {
    scope::check(&request.scope.account, &request.scope.region)?;
    check_place(core, &request.shelf)?;
    if let Some(shown) = &request.shown {
        object(shown)?;
    }
    check_haunt(request.plan.haunt.as_ref())?;
    let shelf = request.shelf.clone();
    let remade = |resource: &mut NewResource| -> Result<(), String> {
        check_haunt(resource.haunted.as_deref())?;
        let made = made(core, &shelf, &resource.identifier, &resource.model)?;
        *resource = NewResource { haunted: resource.haunted.take(), ..made };
        Ok(())
    };
    match &mut request.effect {
        Some(Effect::Create { resource, everywhere }) => {
            *everywhere = core.knowledge.is_unique_everywhere(&request.shelf.type_name);
            remade(resource)
        }
        Some(Effect::Update { resource, before }) => {
            object(before)?;
            remade(resource)
        }
        Some(Effect::Delete) | None => Ok(()),
    }
}
