//! Resources as tests see them, and changes that no request asked for.

use super::{Admin, AdminError, Check, ResourceView, Which};
use crate::model::{patch, record};
use crate::store::txn::time;
use crate::store::{Cause, Resource, ShelfKey, Txn};
use crate::validate::Validator;
use serde_json::Value;

/// How often a change starts again because its resource changed while it was computed.
const ATTEMPTS: usize = 3;

impl Admin {
    /// The resources that exist, by account, region and type, oldest first.
    pub fn resources(&self, which: &Which) -> Vec<ResourceView> {
        let mut found: Vec<(ShelfKey, Resource)> = Vec::new();
        let txn = self.core.txn();
        for (key, shelf) in txn.shelves().filter(|(key, _)| is_meant(which, key)) {
            let wanted = shelf.filter(|resource| {
                which.identifier.as_ref().is_none_or(|identifier| **identifier == *resource.identifier)
            });
            found.extend(wanted.map(|resource| (key.clone(), resource.clone())));
        }
        drop(txn);
        found.sort_by(|(a, x), (b, y)| (a, x.sequence).cmp(&(b, y.sequence)));
        found.into_iter().map(|(key, resource)| self.view(&key, resource)).collect()
    }

    /// Changes a resource by a patch on its whole model, write-only values included.
    ///
    /// # Errors
    ///
    /// [`AdminError`] when there is no such resource, the patch does not apply, it changes the identifier or, with
    /// [`Check::On`], makes a model that the schema refuses.
    pub fn change(&self, which: &Which, document: &Value, check: Check) -> Result<ResourceView, AdminError> {
        let invalid = |reason: String| AdminError::Invalid { reason };
        let core = &self.core;
        for _ in 0..ATTEMPTS {
            let (key, found) = find(&core.txn(), which)?;
            let resource = core.library().get(&key.type_name).ok_or_else(|| missing(which))?;
            let current = crate::json::stored(&found.model);
            let model = patch::apply(&document.to_string(), &current).map_err(invalid)?;
            if check == Check::On {
                Validator::new(&resource, &core.patterns).model(&model).map_err(invalid)?;
            }
            // What an earlier rule keeps reads from seeing is over: this change is seen by the next one.
            let changed = record::of_model(&resource, &model).map_err(invalid)?;
            if changed.identifier != found.identifier {
                return Err(invalid(format!("the patch changes the identifier of {}", found.identifier)));
            }
            let mut txn = core.txn();
            let is_unchanged =
                txn.resource(&key, &found.identifier).is_some_and(|resource| resource.version == found.version);
            if is_unchanged {
                txn.put_resource(&key, changed, Cause::Admin);
                let stored = txn.resource(&key, &found.identifier).cloned().ok_or_else(|| missing(which))?;
                drop(txn);
                return Ok(self.view(&key, stored));
            }
        }
        Err(AdminError::Conflict { what: name(which) })
    }

    /// Removes a resource, and gives back what it was.
    ///
    /// # Errors
    ///
    /// [`AdminError::NotFound`].
    pub fn remove(&self, which: &Which) -> Result<ResourceView, AdminError> {
        let mut txn = self.core.txn();
        let (key, found) = find(&txn, which)?;
        let removed = txn.remove_resource(&key, &found.identifier, Cause::Admin).ok_or_else(|| missing(which))?;
        drop(txn);
        Ok(self.view(&key, removed))
    }

    /// A resource as it is shown.
    pub(super) fn view(&self, key: &ShelfKey, resource: Resource) -> ResourceView {
        let mut model = crate::json::stored(&resource.model);
        if self.hides {
            crate::mask::model(self.core.library().get(&key.type_name).as_deref(), &mut model);
        }
        ResourceView {
            account: key.account.to_string(),
            region: key.region.to_string(),
            type_name: key.type_name.to_string(),
            identifier: resource.identifier.into(),
            model,
            created: time(resource.created),
            changed: time(resource.changed),
        }
    }
}

fn is_meant(which: &Which, key: &ShelfKey) -> bool {
    let fits = |wanted: &Option<String>, own: &str| wanted.as_ref().is_none_or(|wanted| wanted == own);
    // What exists once per account is in every region, and in none.
    let is_there = key.region.is_empty() || fits(&which.region, &key.region);
    is_there && fits(&which.account, &key.account) && fits(&which.type_name, &key.type_name)
}

/// The first resource that is meant, in order of account, region and type.
fn find(txn: &Txn<'_>, which: &Which) -> Result<(ShelfKey, Resource), AdminError> {
    let identifier = which.identifier.as_deref().unwrap_or_default();
    let shelves = txn.shelves().map(|(key, _)| key).filter(|key| is_meant(which, key));
    let found = shelves.filter_map(|key| Some((key, txn.resource(key, identifier)?)));
    let first = found.min_by_key(|(key, _)| *key);
    first.map(|(key, resource)| (key.clone(), resource.clone())).ok_or_else(|| missing(which))
}

fn missing(which: &Which) -> AdminError {
    AdminError::NotFound { what: name(which) }
}

fn name(which: &Which) -> String {
    let type_name = which.type_name.as_deref().unwrap_or("resource");
    format!("{type_name} with identifier {}", which.identifier.as_deref().unwrap_or_default())
}
