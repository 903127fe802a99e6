//! What exists: resources, requests, client tokens. In memory only.
//!
//! | module | what is in it |
//! |---|---|
//! | this one | resources on shelves, by account, region and type |
//! | [`request`] | one asynchronous request and the events it shows |
//! | [`progress`] | how requests are accepted, advance and end |

pub(crate) mod progress;
pub(crate) mod request;

use crate::synthesize::context::Scope;
use request::Request;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::time::SystemTime;

/// Where resources of one type live; the region is empty for types that exist once per account.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct ShelfKey {
    pub(crate) account: String,
    pub(crate) region: String,
    pub(crate) type_name: String,
}

/// A resource that exists.
#[derive(Debug, Clone)]
pub(crate) struct Resource {
    pub(crate) identifier: String,
    /// The values of each additional identifier, `None` where the model lacks one.
    pub(crate) additional: Vec<Option<Vec<Value>>>,
    /// The whole model, write-only values included.
    pub(crate) model: Value,
}

/// The resources of one type, in order of creation.
#[derive(Debug, Default)]
pub(crate) struct Shelf {
    resources: BTreeMap<u64, Resource>,
    by_identifier: HashMap<String, u64>,
}

impl Shelf {
    pub(crate) fn get(&self, identifier: &str) -> Option<&Resource> {
        self.resources.get(self.by_identifier.get(identifier)?)
    }

    pub(crate) fn get_mut(&mut self, identifier: &str) -> Option<&mut Resource> {
        self.resources.get_mut(self.by_identifier.get(identifier)?)
    }

    /// Resources made after `sequence`, oldest first.
    pub(crate) fn after(&self, sequence: u64) -> impl Iterator<Item = (u64, &Resource)> {
        self.resources.range(sequence.saturating_add(1)..).map(|(sequence, resource)| (*sequence, resource))
    }

    /// The identifier of the resource whose additional identifier at `index` has these values.
    pub(crate) fn find_additional(&self, index: usize, values: &[Value]) -> Option<&str> {
        let is_it = |resource: &&Resource| {
            resource.additional.get(index).is_some_and(|own| own.as_deref().is_some_and(|own| own == values))
        };
        self.resources.values().find(is_it).map(|resource| resource.identifier.as_str())
    }

    /// The identifier of a resource that shares an identifier with `other`.
    pub(crate) fn clash(&self, other: &Resource) -> Option<&str> {
        if let Some(resource) = self.get(&other.identifier) {
            return Some(&resource.identifier);
        }
        let additional = other.additional.iter().enumerate();
        additional.filter_map(|(index, values)| self.find_additional(index, values.as_deref()?)).next()
    }

    pub(crate) fn insert(&mut self, sequence: u64, resource: Resource) {
        self.by_identifier.insert(resource.identifier.clone(), sequence);
        self.resources.insert(sequence, resource);
    }

    pub(crate) fn remove(&mut self, identifier: &str) -> Option<Resource> {
        let sequence = self.by_identifier.remove(identifier)?;
        self.resources.remove(&sequence)
    }
}

/// A client token in use.
#[derive(Debug)]
pub(crate) struct ClientToken {
    pub(crate) digest: String,
    pub(crate) request_token: String,
    pub(crate) first_used: SystemTime,
}

/// Everything that an emulator remembers.
#[derive(Debug, Default)]
pub(crate) struct Store {
    pub(crate) shelves: HashMap<ShelfKey, Shelf>,
    pub(crate) requests: HashMap<String, Request>,
    /// Request tokens, oldest first.
    pub(crate) order: VecDeque<String>,
    /// Open requests by the time at which they end without being looked at.
    pub(crate) due: BTreeSet<(SystemTime, String)>,
    /// The open request of each resource.
    pub(crate) busy: HashMap<(ShelfKey, String), String>,
    pub(crate) client_tokens: HashMap<(Scope, String), ClientToken>,
    /// How many creates of a desired state were accepted, by scope and digest.
    pub(crate) creates: HashMap<(Scope, String), u64>,
    /// Properties that forbid a delete while they are true.
    pub(crate) deletion_protection: Vec<String>,
    /// Counts everything that needs a number of its own.
    pub(crate) sequence: u64,
}

impl Store {
    /// The next number.
    pub(crate) fn next(&mut self) -> u64 {
        self.sequence += 1;
        self.sequence
    }

    pub(crate) fn resource(&self, shelf: &ShelfKey, identifier: &str) -> Option<&Resource> {
        self.shelves.get(shelf)?.get(identifier)
    }
}
