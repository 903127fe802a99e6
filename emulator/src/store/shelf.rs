//! The resources of one type in one place, in order of creation, with what they can be found by.

use super::resource::{NewResource, Resource};
use crate::entropy::{Digest, digest};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// The resources of one type in one account and region.
#[derive(Debug, Default)]
pub(crate) struct Shelf {
    resources: BTreeMap<u64, Resource>,
    by_identifier: HashMap<Digest, u64>,
    by_additional: HashMap<(u8, Digest), u64>,
    /// Only of types whose list handler asks for something.
    by_list_key: HashMap<Digest, BTreeSet<u64>>,
    /// The state version at which something was last removed; who misses a resource has seen this.
    pub(super) last_removal: u64,
}

impl Shelf {
    pub(crate) fn get(&self, identifier: &str) -> Option<&Resource> {
        let sequence = self.by_identifier.get(&digest(&[identifier]))?;
        self.resources.get(sequence).filter(|resource| *resource.identifier == *identifier)
    }

    /// The resource made at `sequence`.
    pub(crate) fn at(&self, sequence: u64) -> Option<&Resource> {
        self.resources.get(&sequence)
    }

    /// All resources, oldest first.
    pub(crate) fn all(&self) -> impl Iterator<Item = &Resource> {
        self.resources.values()
    }

    pub(crate) fn find_additional(&self, index: usize, digest: Digest) -> Option<&Resource> {
        let index = u8::try_from(index).ok()?;
        self.resources.get(self.by_additional.get(&(index, digest))?)
    }

    /// Resources made after `sequence`, oldest first; only those with `list_key` if one is given.
    pub(crate) fn after(&self, sequence: u64, list_key: Option<Digest>) -> Box<dyn Iterator<Item = &Resource> + '_> {
        let from = sequence.saturating_add(1)..;
        match list_key {
            None => Box::new(self.resources.range(from).map(|(_, resource)| resource)),
            Some(key) => {
                let found = self.by_list_key.get(&key).into_iter().flat_map(move |all| all.range(from.clone()));
                Box::new(found.filter_map(|sequence| self.resources.get(sequence)))
            }
        }
    }

    /// A resource that shares an identifier with `other`.
    pub(crate) fn clash(&self, other: &NewResource) -> Option<&Resource> {
        let by_additional = || {
            let mut digests = other.additional.iter().enumerate();
            digests.find_map(|(index, digest)| self.find_additional(index, (*digest)?))
        };
        self.get(&other.identifier).or_else(by_additional)
    }

    /// Puts a resource at its sequence, in the place of what is there.
    pub(super) fn insert(&mut self, resource: Resource) {
        let sequence = resource.sequence;
        self.forget(sequence);
        self.by_identifier.insert(digest(&[&resource.identifier]), sequence);
        for (index, digest) in keyed(&resource) {
            self.by_additional.insert((index, digest), sequence);
        }
        if let Some(key) = resource.list_key {
            self.by_list_key.entry(key).or_default().insert(sequence);
        }
        self.resources.insert(sequence, resource);
    }

    pub(super) fn remove(&mut self, identifier: &str) -> Option<Resource> {
        let sequence = self.get(identifier)?.sequence;
        self.forget(sequence)
    }

    /// Takes a resource and its entries in the indexes away.
    fn forget(&mut self, sequence: u64) -> Option<Resource> {
        let resource = self.resources.remove(&sequence)?;
        self.by_identifier.remove(&digest(&[&resource.identifier]));
        for (index, digest) in keyed(&resource) {
            // Another resource may have taken the value over while this one drifted to it.
            if self.by_additional.get(&(index, digest)) == Some(&sequence) {
                self.by_additional.remove(&(index, digest));
            }
        }
        if let Some(key) = resource.list_key
            && let Some(sequences) = self.by_list_key.get_mut(&key)
        {
            sequences.remove(&sequence);
            if sequences.is_empty() {
                self.by_list_key.remove(&key);
            }
        }
        Some(resource)
    }
}

/// The digests of the additional identifiers, numbered. No schema has more than a handful.
fn keyed(resource: &Resource) -> impl Iterator<Item = (u8, Digest)> {
    resource.additional.iter().enumerate().filter_map(|(index, digest)| Some((u8::try_from(index).ok()?, (*digest)?)))
}
