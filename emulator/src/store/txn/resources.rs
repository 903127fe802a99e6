//! Resources in a transaction.

use super::Txn;
use crate::bus::{Change, What};
use crate::entropy::{Digest, digest};
use crate::store::record::Key;
use crate::store::{Cause, Haunt, NewResource, Resource, ShelfKey};

impl Txn<'_> {
    pub(crate) fn resource(&self, shelf: &ShelfKey, identifier: &str) -> Option<&Resource> {
        let shelf = self.state.shelves.get(shelf)?;
        let found = shelf.get(identifier);
        self.see(found.map_or(shelf.last_removal, |resource| resource.version));
        found
    }

    pub(crate) fn find_additional(&self, shelf: &ShelfKey, index: usize, digest: Digest) -> Option<&Resource> {
        let shelf = self.state.shelves.get(shelf)?;
        let found = shelf.find_additional(index, digest);
        self.see(found.map_or(shelf.last_removal, |resource| resource.version));
        found
    }

    /// Resources made after `sequence`, oldest first; only those with `list_key` if one is given.
    pub(crate) fn after(
        &self,
        shelf: &ShelfKey,
        sequence: u64,
        list_key: Option<Digest>,
    ) -> impl Iterator<Item = &Resource> {
        let shelf = self.state.shelves.get(shelf);
        self.see(shelf.map_or(0, |shelf| shelf.last_removal));
        let found = shelf.into_iter().flat_map(move |shelf| shelf.after(sequence, list_key));
        found.inspect(|resource| self.see(resource.version))
    }

    /// The resource of a type whose names are unique over all accounts and regions, with the shelf that it is on.
    pub(crate) fn anywhere(&self, type_name: &str, identifier: &str) -> Option<(&ShelfKey, &Resource)> {
        let owner = self.state.everywhere.get(&(type_name.into(), digest(&[identifier])))?;
        Some((owner, self.resource(owner, identifier)?))
    }

    /// Every shelf, in no order.
    pub(crate) fn shelves(&self) -> impl Iterator<Item = (&ShelfKey, impl Iterator<Item = &Resource>)> {
        self.see(self.state.version);
        self.state.shelves.iter().map(|(key, shelf)| (key, shelf.all()))
    }

    /// The identifier of a resource that shares an identifier with a new one; `everywhere` looks into all accounts and
    /// regions for the primary one.
    pub(crate) fn clash(&self, shelf: &ShelfKey, resource: &NewResource, everywhere: bool) -> Option<Box<str>> {
        let here = self.state.shelves.get(shelf).and_then(|shelf| shelf.clash(resource));
        let elsewhere = || {
            let taken = (shelf.type_name.clone(), digest(&[&resource.identifier]));
            let owner = self.state.everywhere.get(&taken).filter(|_| everywhere)?;
            self.state.shelves.get(owner)?.get(&resource.identifier)
        };
        let found = here.or_else(elsewhere)?;
        self.see(found.version);
        Some(found.identifier.clone())
    }

    /// Makes a resource, or changes the one that has its identifier.
    pub(crate) fn put_resource(&mut self, shelf: &ShelfKey, resource: NewResource, cause: Cause) {
        let version = self.write();
        let known = self.state.shelves.get(shelf).and_then(|shelf| shelf.get(&resource.identifier));
        let known = known.map(|known| (known.created, known.sequence));
        let what = if known.is_some() { What::Updated } else { What::Created };
        let (created, sequence) = known.unwrap_or_else(|| (self.now, self.next_sequence()));
        let NewResource { identifier, model, additional, list_key, haunted } = resource;
        let resource = Resource {
            identifier,
            model,
            additional,
            list_key,
            created,
            changed: self.now,
            sequence,
            version,
            haunted,
        };
        self.tell_resource(shelf, &resource, what, cause);
        let everywhere = self.core.knowledge.is_unique_everywhere(&shelf.type_name);
        self.state.insert_resource(shelf, resource, everywhere);
        self.touch(|| Key::Resource(shelf.clone(), sequence));
    }

    /// Changes what stands in the way of reads of a resource; to its owner nothing has happened.
    pub(crate) fn haunt(&mut self, shelf: &ShelfKey, identifier: &str, change: impl FnOnce(&mut Haunt)) {
        let found = self.state.shelves.get(shelf).and_then(|shelf| shelf.get(identifier));
        let Some(mut resource) = found.filter(|resource| resource.haunted.is_some()).cloned() else { return };
        if let Some(haunt) = resource.haunted.as_deref_mut() {
            change(haunt);
        }
        resource.version = self.write();
        let sequence = resource.sequence;
        let everywhere = self.core.knowledge.is_unique_everywhere(&shelf.type_name);
        self.state.insert_resource(shelf, resource, everywhere);
        self.touch(|| Key::Resource(shelf.clone(), sequence));
    }

    pub(crate) fn remove_resource(&mut self, shelf: &ShelfKey, identifier: &str, cause: Cause) -> Option<Resource> {
        let removed = self.state.remove_resource(shelf, identifier)?;
        let version = self.write();
        if let Some(shelf) = self.state.shelves.get_mut(shelf) {
            shelf.last_removal = version;
        }
        self.tell_resource(shelf, &removed, What::Deleted, cause);
        self.touch(|| Key::Resource(shelf.clone(), removed.sequence));
        Some(removed)
    }

    fn tell_resource(&mut self, shelf: &ShelfKey, resource: &Resource, what: What, cause: Cause) {
        if self.core.bus.has_listeners() {
            self.changes.push(Change::Resource {
                at: self.now(),
                sequence: resource.sequence,
                cause,
                what,
                account: shelf.account.to_string(),
                region: shelf.region.to_string(),
                type_name: shelf.type_name.to_string(),
                identifier: resource.identifier.to_string(),
                model: resource.model.to_string(),
            });
        }
    }
}
