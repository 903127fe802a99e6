//! Many records at once: what a snapshot brings in and a reset takes away.

use super::Txn;
use crate::entropy::Digest;
use crate::persist::Table;
use crate::scope::Scope;
use crate::store::record::Key;
use crate::store::{Cause, ClientToken, Request, Resource, ShelfKey};

/// Whether a record is within a scope; everything is within none. A type that exists once per account has no region.
pub(crate) fn is_within(scope: Option<&Scope>, account: &str, region: &str) -> bool {
    scope.is_none_or(|scope| *scope.account == *account && (region.is_empty() || *scope.region == *region))
}

impl Txn<'_> {
    /// The client tokens in use, in no order.
    pub(crate) fn client_tokens(&self) -> impl Iterator<Item = (&Scope, &str, &ClientToken)> {
        self.state.client_tokens.iter().map(|((scope, token), known)| (scope, &**token, known))
    }

    /// How often each content was accepted, in no order.
    pub(crate) fn occurrences(&self) -> impl Iterator<Item = (Digest, u64)> {
        self.state.occurrences.iter().map(|(key, count)| (*key, *count))
    }

    /// Takes a resource in as it was elsewhere, with its times.
    pub(crate) fn import_resource(&mut self, shelf: &ShelfKey, mut resource: Resource) {
        resource.version = self.write();
        resource.sequence = self.next_sequence();
        let sequence = resource.sequence;
        let everywhere = self.core().knowledge.is_unique_everywhere(&shelf.type_name);
        self.state.insert_resource(shelf, resource, everywhere);
        self.touch(|| Key::Resource(shelf.clone(), sequence));
    }

    /// Takes a request in as it was elsewhere.
    pub(crate) fn import_request(&mut self, mut request: Request) {
        request.version = self.write();
        request.sequence = self.next_sequence();
        let token = request.token;
        self.state.insert_request(request);
        self.touch(|| Key::Request(token));
    }

    /// Notes that a content was accepted at least so often.
    pub(crate) fn import_occurrence(&mut self, key: Digest, count: u64) {
        self.write();
        let known = self.state.occurrences.entry(key).or_default();
        *known = (*known).max(count);
        self.touch(|| Key::Occurrence(key));
    }

    /// Lets the rules in force count anew.
    fn reset_rules(&mut self) {
        let seen: Vec<Digest> = self.state.rules.seen.keys().copied().collect();
        let rules: Vec<_> = self.state.rules.all().iter().map(|active| active.id.clone()).collect();
        if seen.is_empty() && rules.is_empty() {
            return;
        }
        self.write();
        self.state.rules.forget_counts();
        seen.into_iter().for_each(|key| self.touch(|| Key::Seen(key)));
        rules.into_iter().for_each(|id| self.touch(|| Key::RuleCount(id)));
    }

    /// Forgets the resources, requests, client tokens and parameters of a scope; of all scopes, with objects, sessions and
    /// how often what was accepted, when none is given. Rules stay, and count anew.
    pub(crate) fn reset(&mut self, scope: Option<&Scope>) {
        let requests = self.state.requests.values();
        let requests = requests.filter(|request| is_within(scope, &request.scope.account, &request.scope.region));
        let requests: Vec<_> = requests.map(|request| request.token).collect();
        for token in requests {
            self.write();
            self.state.remove_request(token);
            self.touch(|| Key::Request(token));
        }
        let shelves = self.state.shelves.iter().filter(|(key, _)| is_within(scope, &key.account, &key.region));
        let resources: Vec<(ShelfKey, Box<str>)> = shelves
            .flat_map(|(key, shelf)| shelf.all().map(|resource| (key.clone(), resource.identifier.clone())))
            .collect();
        for (key, identifier) in resources {
            self.remove_resource(&key, &identifier, Cause::Admin);
        }
        let tokens = self.state.client_tokens.keys();
        let tokens: Vec<_> = tokens.filter(|(of, _)| is_within(scope, &of.account, &of.region)).cloned().collect();
        for (of, token) in tokens {
            self.write();
            self.state.remove_client_token(&of, &token);
            self.touch(|| Key::ClientToken(of.clone(), token.clone()));
        }
        self.forget_data(scope);
        if scope.is_none() {
            let counted: Vec<Digest> = self.state.occurrences.drain().map(|(key, _)| key).collect();
            for key in counted {
                self.write();
                self.touch(|| Key::Occurrence(key));
            }
            self.reset_rules();
        }
    }

    /// Forgets the data of companion services.
    fn forget_data(&mut self, scope: Option<&Scope>) {
        let prefix = scope.map(|scope| format!("{}\0{}\0", scope.account, scope.region));
        let tables: &[Table] =
            if scope.is_none() { &[Table::Parameters, Table::Objects, Table::Sessions] } else { &[Table::Parameters] };
        for table in tables {
            let keys = self.blobs(*table, prefix.as_deref().unwrap_or_default()).map(|(key, _)| key.to_owned());
            for key in keys.collect::<Vec<_>>() {
                self.put_blob(*table, &key, None);
            }
        }
    }
}
