//! Client tokens, occurrences, rules and the data of companion services in a transaction.

use super::Txn;
use crate::entropy::Digest;
use crate::faults::{RuleId, Rules};
use crate::persist::Table;
use crate::scope::Scope;
use crate::store::ClientToken;
use crate::store::record::Key;

impl Txn<'_> {
    /// What a client token stands for; expired ones are gone.
    pub(crate) fn client_token(&self, scope: &Scope, token: &str) -> Option<&ClientToken> {
        self.state.client_tokens.get(&(scope.clone(), token.into()))
    }

    pub(crate) fn put_client_token(&mut self, scope: &Scope, token: &str, known: ClientToken) {
        self.write();
        self.state.insert_client_token(scope, token, known);
        self.touch(|| Key::ClientToken(scope.clone(), token.into()));
    }

    /// How many requests of this content were accepted so far.
    pub(crate) fn occurrence(&self, key: Digest) -> u64 {
        self.state.occurrences.get(&key).copied().unwrap_or_default()
    }

    /// Counts an accepted request.
    pub(crate) fn count_occurrence(&mut self, key: Digest) {
        self.write();
        *self.state.occurrences.entry(key).or_default() += 1;
        self.touch(|| Key::Occurrence(key));
    }

    /// The rules of misbehavior. Whoever changes them or their counters says so with [`Txn::keep_rules`].
    pub(crate) fn rules(&mut self) -> &mut Rules {
        &mut self.state.rules
    }

    /// Makes the present rules last.
    pub(crate) fn keep_rules(&mut self) {
        self.write();
        self.touch(|| Key::Rules);
    }

    /// Data of a companion service.
    pub(crate) fn blob(&self, table: Table, key: &str) -> Option<&[u8]> {
        self.state.blobs.get(&table)?.get(key).map(Vec::as_slice)
    }

    /// The data of a companion service whose keys begin with `prefix`, in order of key.
    pub(crate) fn blobs<'t>(&'t self, table: Table, prefix: &'t str) -> impl Iterator<Item = (&'t str, &'t [u8])> {
        let blobs = self.state.blobs.get(&table).into_iter().flat_map(move |blobs| blobs.range(Box::from(prefix)..));
        blobs.take_while(move |(key, _)| key.starts_with(prefix)).map(|(key, value)| (&**key, value.as_slice()))
    }

    /// Sets data of a companion service, or removes it.
    pub(crate) fn put_blob(&mut self, table: Table, key: &str, value: Option<Vec<u8>>) {
        self.write();
        let blobs = self.state.blobs.entry(table).or_default();
        match value {
            Some(value) => blobs.insert(key.into(), value),
            None => blobs.remove(key),
        };
        self.touch(|| Key::Blob(table, key.into()));
    }

    /// A setting of the state itself.
    pub(crate) fn meta(&self, name: &str) -> Option<&str> {
        self.state.meta.get(name).map(String::as_str)
    }

    pub(crate) fn put_meta(&mut self, name: &str, text: String) {
        self.write();
        self.state.meta.insert(name.into(), text);
        self.touch(|| Key::Meta(name.into()));
    }

    /// Notes that a rule fired, for the log entry of this call.
    pub(crate) fn fired(&mut self, rule: &RuleId) {
        self.fired.push(rule.clone());
    }
}
