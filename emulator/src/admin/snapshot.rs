//! Everything that exists as one document and back, and forgetting it.
//!
//! The document is in a stable order: two emulators that did the same work give the same text, whatever the order in
//! which calls arrived. Not in it: the call log, rules, and the data of companion services.

use super::{Admin, AdminError, sound};
use crate::entropy::Digest;
use crate::scope::Scope;
use crate::store::txn::bulk::is_within;
use crate::store::{ClientToken, Request, Resource, ShelfKey};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// The form of the document.
const FORMAT: u32 = 1;

/// How much a snapshot brought in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Imported {
    /// Resources.
    pub resources: usize,
    /// Requests, finished and on their way.
    pub requests: usize,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Snapshot {
    format: u32,
    pub(super) resources: Vec<Placed>,
    pub(super) requests: Vec<Request>,
    pub(super) client_tokens: Vec<Used>,
    occurrences: BTreeMap<String, u64>,
}

#[derive(Serialize, Deserialize)]
pub(super) struct Placed {
    pub(super) place: ShelfKey,
    pub(super) resource: Resource,
}

#[derive(Serialize, Deserialize)]
pub(super) struct Used {
    pub(super) scope: Scope,
    token: String,
    stands_for: ClientToken,
}

impl Admin {
    /// Everything that exists in an account and region, or everywhere.
    pub fn export(&self, scope: Option<(&str, &str)>) -> Value {
        let scope = scope.map(|(account, region)| Scope::new(account, region));
        let scope = scope.as_ref();
        let txn = self.core.txn();
        let shelves = txn.shelves().filter(|(key, _)| is_within(scope, &key.account, &key.region));
        let mut resources: Vec<Placed> = shelves
            .flat_map(|(key, shelf)| {
                shelf.map(move |resource| Placed { place: key.clone(), resource: resource.clone() })
            })
            .map(|placed| Placed { resource: Resource { sequence: 0, version: 0, ..placed.resource }, ..placed })
            .collect();
        let requests = txn.requests().filter(|request| is_within(scope, &request.scope.account, &request.scope.region));
        let mut requests: Vec<Request> =
            requests.map(|request| Request { sequence: 0, version: 0, looks: 0, ..request.clone() }).collect();
        let tokens = txn.client_tokens().filter(|(of, ..)| is_within(scope, &of.account, &of.region));
        let mut client_tokens: Vec<Used> = tokens
            .map(|(of, token, known)| Used { scope: of.clone(), token: token.to_owned(), stands_for: known.clone() })
            .collect();
        let occurrences = txn.occurrences().map(|(key, count)| (key.to_string(), count)).collect();
        drop(txn);
        // The order of creation as far as the clock tells it apart.
        resources.sort_by(|a, b| {
            let key = |placed: &Placed| (placed.resource.created, placed.resource.identifier.clone());
            a.place.cmp(&b.place).then_with(|| key(a).cmp(&key(b)))
        });
        requests.sort_by_key(|request| (request.accepted, request.token));
        client_tokens.sort_by(|a, b| (&a.scope, &a.token).cmp(&(&b.scope, &b.token)));
        let snapshot = Snapshot { format: FORMAT, resources, requests, client_tokens, occurrences };
        serde_json::to_value(snapshot).unwrap_or_default()
    }

    /// Replaces what exists in an account and region, or everywhere, by what a snapshot holds of it.
    ///
    /// # Errors
    ///
    /// [`AdminError::Invalid`] for a document that is no snapshot, or holds what no emulator could have made;
    /// [`AdminError::Taken`] when an identifier that is unique everywhere is taken elsewhere. Then nothing has changed.
    pub fn import(&self, document: &Value, scope: Option<(&str, &str)>) -> Result<Imported, AdminError> {
        let invalid = |reason: String| AdminError::Invalid { reason: format!("the snapshot cannot be read: {reason}") };
        let mut snapshot: Snapshot = Snapshot::deserialize(document).map_err(|error| invalid(error.to_string()))?;
        if snapshot.format != FORMAT {
            return Err(invalid(format!("it has format {}, this one reads {FORMAT}", snapshot.format)));
        }
        let occurrence = |(key, count): (String, u64)| {
            Digest::parse(&key).map(|key| (key, count)).ok_or_else(|| invalid(format!("{key} is no digest")))
        };
        let occurrences: Vec<_> =
            std::mem::take(&mut snapshot.occurrences).into_iter().map(occurrence).collect::<Result<_, _>>()?;
        let scope = scope.map(|(account, region)| Scope::new(account, region));
        let scope = scope.as_ref();
        snapshot.resources.retain(|placed| is_within(scope, &placed.place.account, &placed.place.region));
        snapshot.requests.retain(|request| is_within(scope, &request.scope.account, &request.scope.region));
        snapshot.client_tokens.retain(|used| is_within(scope, &used.scope.account, &used.scope.region));
        sound::check(&self.core, &mut snapshot).map_err(invalid)?;
        let imported = Imported { resources: snapshot.resources.len(), requests: snapshot.requests.len() };
        let mut txn = self.core.txn();
        for Placed { place, resource } in &snapshot.resources {
            // What is on the same shelf goes.
            let owner = txn.anywhere(&place.type_name, &resource.identifier).map(|(owner, _)| owner);
            if owner.is_some_and(|owner| !is_within(scope, &owner.account, &owner.region)) {
                let reason = format!("{} {} exists already elsewhere", place.type_name, resource.identifier);
                return Err(AdminError::Taken { reason });
            }
        }
        txn.reset(scope);
        for Placed { place, resource } in snapshot.resources {
            txn.import_resource(&place, resource);
        }
        for request in snapshot.requests {
            txn.import_request(request);
        }
        for Used { scope: of, token, stands_for } in snapshot.client_tokens {
            txn.put_client_token(&of, &token, stands_for);
        }
        for (key, count) in occurrences {
            txn.import_occurrence(key, count);
        }
        Ok(imported)
    }

    /// Forgets everything that exists in an account and region, or everywhere.
    pub fn reset(&self, scope: Option<(&str, &str)>) {
        let scope = scope.map(|(account, region)| Scope::new(account, region));
        self.core.txn().reset(scope.as_ref());
    }
}
