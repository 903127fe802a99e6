//! Client tokens, occurrences, rules and the data of companion services in a transaction.

use super::Txn;
use crate::bus::Change;
use crate::entropy::Digest;
use crate::faults::rules::Decision;
use crate::faults::{RuleId, Rules, Subject};
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

    /// Counts a content that rules are asked about; how often it was seen, this time included.
    pub(crate) fn see_subject(&mut self, key: Digest) -> u64 {
        self.write();
        let seen = self.state.rules.seen.entry(key).or_default();
        *seen += 1;
        let seen = *seen;
        self.touch(|| Key::Seen(key));
        seen
    }

    /// How often a content was seen.
    pub(crate) fn seen_subject(&self, key: Digest) -> u64 {
        self.state.rules.seen.get(&key).copied().unwrap_or_default()
    }

    /// Makes the present counters of a rule last.
    pub(crate) fn count_rule(&mut self, id: &RuleId) {
        self.write();
        self.touch(|| Key::RuleCount(id.clone()));
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

    /// Notes that a rule is behind what this call meets, for its log entry.
    pub(crate) fn fired(&mut self, rule: &RuleId) {
        self.fired.push(rule.clone());
    }

    /// Notes that a rule fired on a call.
    pub(crate) fn decided(&mut self, decision: Decision, subject: &Subject<'_>) {
        self.core.metrics.count("emulator_rules_fired_total", &[("rule", decision.rule.as_str())]);
        if self.core.bus.has_listeners() {
            let about = [subject.operation, subject.type_name, subject.identifier.unwrap_or_default()];
            let subject = about.join(" ").trim_end().to_owned();
            self.changes.push(Change::Rule { id: decision.rule.clone(), subject });
        }
        self.fired.push(decision.rule.clone());
        self.decisions.push(decision);
    }
}
