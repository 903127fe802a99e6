//! The only way to read and change the state: one lock, held for microseconds, and a note of everything seen and changed.
//!
//! Nothing waits, validates, synthesizes or parses a model while a transaction is open. Whatever way it ends, what it
//! changed goes to the backing under the lock, so versions reach it in order.

use super::record::{self, COUNTERS, Key};
use super::{Cause, ClientToken, Needed, NewResource, Request, Resource, ShelfKey, State, Token};
use crate::api_error::{ApiError, Code};
use crate::bus::{Change, What};
use crate::core::Core;
use crate::entropy::{Digest, digest};
use crate::faults::{RuleId, Rules};
use crate::persist::Table;
use crate::scope::Scope;
use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::sync::MutexGuard;
use std::time::{Duration, SystemTime};

/// What the transactions of one call leave behind for its answer and its log entry.
#[derive(Debug, Default)]
pub(crate) struct Gathered {
    needed: Cell<u64>,
    fired: RefCell<Vec<RuleId>>,
    repeats: Cell<bool>,
}

impl Gathered {
    /// Notes that the client token of the call stands for a request already.
    pub(crate) fn repeat(&self) {
        self.repeats.set(true);
    }

    /// Whether the call repeats an earlier one.
    pub(crate) fn repeats(&self) -> bool {
        self.repeats.get()
    }

    /// What must be durable before the answer leaves.
    pub(crate) fn needed(&self) -> Needed {
        Needed(self.needed.get())
    }

    /// The rules that fired, in order.
    pub(crate) fn fired(&self) -> Vec<RuleId> {
        self.fired.borrow().clone()
    }
}

/// The open state. Reads take `&self`, so that several can be held at once.
pub(crate) struct Txn<'s> {
    core: &'s Core,
    state: MutexGuard<'s, State>,
    gathered: Option<&'s Gathered>,
    now: u64,
    /// The newest version that was seen or written.
    seen: Cell<u64>,
    has_written: bool,
    touched: BTreeSet<Key>,
    changes: Vec<Change>,
    fired: Vec<RuleId>,
}

impl<'s> Txn<'s> {
    /// Use [`Core::txn`] or [`Core::txn_of`].
    pub(crate) fn begin(core: &'s Core, state: MutexGuard<'s, State>, gathered: Option<&'s Gathered>) -> Txn<'s> {
        let mut txn = Txn {
            core,
            state,
            gathered,
            now: milliseconds(core.now()),
            seen: Cell::new(0),
            has_written: false,
            touched: BTreeSet::new(),
            changes: Vec::new(),
            fired: Vec::new(),
        };
        let now = txn.now();
        crate::life::advance(&mut txn, now);
        // What advanced by itself concerns this call only where it reads it.
        txn.seen.set(0);
        txn
    }

    pub(crate) fn core(&self) -> &'s Core {
        self.core
    }

    /// The time of this transaction.
    pub(crate) fn now(&self) -> SystemTime {
        time(self.now)
    }

    /// The time in milliseconds of the emulator's clock.
    pub(crate) fn now_ms(&self) -> u64 {
        self.now
    }

    // Resources.

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

    // Requests.

    pub(crate) fn request(&self, token: &str) -> Option<&Request> {
        self.request_at(Token::parse(token)?)
    }

    pub(crate) fn request_at(&self, token: Token) -> Option<&Request> {
        let request = self.state.requests.get(&token)?;
        self.see(request.version);
        Some(request)
    }

    /// Takes a request in. Its resource is busy until it ends. `sequence` and `version` are set here.
    ///
    /// # Errors
    ///
    /// ConcurrentOperationException when another request is running on the resource.
    pub(crate) fn accept(&mut self, mut request: Request) -> Result<(), ApiError> {
        if request.holds_resource() && self.is_busy(&request.shelf, &request.identifier) {
            return Err(ApiError::new(
                Code::ConcurrentOperation,
                format!(
                    "Another request is running on the resource of type '{}' with identifier '{}'",
                    request.shelf.type_name, request.identifier
                ),
            ));
        }
        request.version = self.write();
        request.sequence = self.next_sequence();
        let token = request.token;
        self.tell_request(&request);
        self.state.insert_request(request);
        self.touch(|| Key::Request(token));
        Ok(())
    }

    /// Whether a request is running on a resource.
    pub(crate) fn is_busy(&self, shelf: &ShelfKey, identifier: &str) -> bool {
        self.state.busy.contains_key(&(shelf.clone(), digest(&[identifier])))
    }

    /// Changes a request; when it is due next and whether its resource is busy follow by themselves.
    pub(crate) fn change<R>(&mut self, token: &str, change: impl FnOnce(&mut Request) -> R) -> Option<R> {
        self.change_at(Token::parse(token)?, change)
    }

    pub(crate) fn change_at<R>(&mut self, token: Token, change: impl FnOnce(&mut Request) -> R) -> Option<R> {
        let mut request = self.state.requests.remove(&token)?;
        self.state.unindex_request(&request);
        let before = request.status;
        let result = change(&mut request);
        request.version = self.write();
        if request.status != before {
            self.tell_request(&request);
        }
        self.state.index_request(&request);
        self.state.requests.insert(token, request);
        self.touch(|| Key::Request(token));
        Some(result)
    }

    /// Counts a look at a request, which changes nothing that lasts.
    pub(crate) fn look(&mut self, token: Token) {
        if let Some(request) = self.state.requests.get_mut(&token) {
            request.looks = request.looks.saturating_add(1);
        }
    }

    /// The requests of a scope, newest first.
    pub(crate) fn newest(&self, scope: &Scope) -> impl Iterator<Item = &Request> {
        self.newest_before(scope, u64::MAX)
    }

    /// The requests of a scope that were accepted before the one of this sequence, newest first.
    pub(crate) fn newest_before(&self, scope: &Scope, sequence: u64) -> impl Iterator<Item = &Request> {
        let tokens = self.state.order.range(..sequence).rev();
        let requests = tokens.filter_map(|(_, token)| self.state.requests.get(token));
        requests.filter(move |request| request.scope == *scope).inspect(|request| self.see(request.version))
    }

    /// Every request, oldest first.
    pub(crate) fn requests(&self) -> impl Iterator<Item = &Request> {
        self.see(self.state.version);
        self.state.order.values().filter_map(|token| self.state.requests.get(token))
    }

    /// The first open request of a scope that has not started, and how many of the scope have not.
    pub(crate) fn waiting(&self, scope: &Scope) -> impl Iterator<Item = Token> {
        self.state.waiting.get(scope).into_iter().flatten().copied()
    }

    /// Takes the next request to which something happens by `now`, with the time at which it does.
    pub(crate) fn pop_due(&mut self, now: u64) -> Option<(u64, Token)> {
        let (at, token) = self.state.due.first().copied().filter(|(at, _)| *at <= now)?;
        self.state.due.remove(&(at, token));
        Some((at, token))
    }

    /// When something happens next.
    pub(crate) fn next_due(&self) -> Option<SystemTime> {
        self.state.due.first().map(|(at, _)| time(*at))
    }

    /// Forgets requests and client tokens that are too old, at most a thousand of each.
    pub(crate) fn expire(&mut self, request_ttl: Duration, client_token_ttl: Duration) {
        const MOST: usize = 1_000;
        let is_old = |at: u64, now: u64, ttl: Duration| Duration::from_millis(now.saturating_sub(at)) > ttl;
        for _ in 0..MOST {
            let Some(token) = self.state.order.first_key_value().map(|(_, token)| *token) else { break };
            let stays = self.state.requests.get(&token).is_some_and(|request| {
                !request.status.is_final() || !is_old(request.event_time, self.now, request_ttl)
            });
            if stays {
                break;
            }
            self.write();
            self.state.remove_request(token);
            self.touch(|| Key::Request(token));
        }
        for _ in 0..MOST {
            let Some((first_used, scope, token)) = self.state.client_token_ages.first().cloned() else { break };
            if !is_old(first_used, self.now, client_token_ttl) {
                break;
            }
            self.write();
            self.state.remove_client_token(&scope, &token);
            self.touch(|| Key::ClientToken(scope, token));
        }
    }

    // Client tokens, occurrences, rules, data of other services.

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

    /// Ends the transaction; dropping it does the same.
    pub(crate) fn finish(mut self) -> Needed {
        self.close();
        Needed(self.seen.get())
    }

    fn close(&mut self) {
        let version = self.state.version + 1;
        if self.has_written {
            self.has_written = false;
            self.state.version = version;
            let touched = std::mem::take(&mut self.touched);
            let writes: Vec<_> = touched.iter().map(|key| record::encode(key, &self.state)).collect();
            self.core.backing.submit(version, writes);
        }
        self.core.bus.publish(std::mem::take(&mut self.changes));
        if let Some(gathered) = self.gathered {
            gathered.needed.set(gathered.needed.get().max(self.seen.get()));
            gathered.fired.borrow_mut().append(&mut self.fired);
        }
    }

    fn see(&self, version: u64) {
        if version > self.state.loaded {
            self.seen.set(self.seen.get().max(version));
        }
    }

    /// Notes that something changes, and gives the version that this transaction will have.
    fn write(&mut self) -> u64 {
        self.has_written = true;
        self.touch(|| Key::Meta(COUNTERS.into()));
        let version = self.state.version + 1;
        self.see(version);
        version
    }

    fn next_sequence(&mut self) -> u64 {
        self.state.sequence += 1;
        self.state.sequence
    }

    fn touch(&mut self, key: impl FnOnce() -> Key) {
        if self.core.backing.wants_writes() {
            self.touched.insert(key());
        }
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

    fn tell_request(&mut self, request: &Request) {
        if self.core.bus.has_listeners() {
            self.changes.push(Change::Request {
                at: self.now(),
                sequence: request.sequence,
                token: request.token,
                operation: request.operation.name(),
                status: request.status.name(),
                account: request.scope.account.to_string(),
                region: request.scope.region.to_string(),
                type_name: request.shelf.type_name.to_string(),
                identifier: request.identifier.to_string(),
            });
        }
    }
}

impl Drop for Txn<'_> {
    fn drop(&mut self) {
        self.close();
    }
}

/// A time as milliseconds since 1970.
pub(crate) fn milliseconds(time: SystemTime) -> u64 {
    time.duration_since(SystemTime::UNIX_EPOCH).map_or(0, super::request::millis)
}

/// Milliseconds since 1970 as a time.
pub(crate) fn time(milliseconds: u64) -> SystemTime {
    SystemTime::UNIX_EPOCH.checked_add(Duration::from_millis(milliseconds)).unwrap_or(SystemTime::UNIX_EPOCH)
}
