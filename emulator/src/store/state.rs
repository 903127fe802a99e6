//! Everything that an emulator remembers. Only [`Txn`](super::Txn) touches it.

use super::shelf::Shelf;
use super::{ClientToken, Request, Resource, ShelfKey, Token};
use crate::clock::ClockState;
use crate::entropy::{Digest, digest};
use crate::faults::Rules;
use crate::name::Name;
use crate::persist::Table;
use crate::scope::Scope;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::time::Duration;

/// Everything that an emulator remembers. What follows from the records (`due`, `busy`, the indexes of shelves) is kept
/// beside them and made anew at a start.
#[derive(Debug, Default)]
pub(crate) struct State {
    names: HashSet<Name>,
    pub(super) shelves: HashMap<ShelfKey, Shelf>,
    /// Identifiers of types whose names are unique over all accounts and regions.
    pub(super) everywhere: HashMap<(Name, Digest), ShelfKey>,
    /// Boxed, since a table that grows leaves room for as many again.
    pub(super) requests: HashMap<Token, Box<Request>>,
    /// Requests in the order of acceptance.
    pub(super) order: BTreeMap<u64, Token>,
    /// Open requests by the time at which something happens to them.
    pub(super) due: BTreeSet<(u64, Token)>,
    /// The open request of each resource.
    pub(super) busy: HashMap<(ShelfKey, Digest), Token>,
    /// Requests that have not started, in the order of acceptance.
    pub(super) waiting: HashMap<Scope, VecDeque<Token>>,
    /// Requests that have started, by the time at which their work is over.
    pub(super) working: HashMap<Scope, BTreeSet<(u64, Token)>>,
    pub(super) client_tokens: HashMap<(Scope, Box<str>), ClientToken>,
    /// Client tokens by first use, so that old ones are found without a search.
    pub(super) client_token_ages: BTreeSet<(u64, Scope, Box<str>)>,
    /// How many requests of a content were accepted.
    pub(super) occurrences: HashMap<Digest, u64>,
    pub(super) rules: Rules,
    /// The data of companion services.
    pub(super) blobs: HashMap<Table, BTreeMap<Box<str>, Vec<u8>>>,
    /// Settings of the state itself, as text.
    pub(super) meta: BTreeMap<Box<str>, String>,
    /// Counts resources and requests.
    pub(super) sequence: u64,
    /// Counts transactions that changed something.
    pub(super) version: u64,
    /// The time of the last version, in milliseconds.
    pub(super) time: u64,
    /// The version that was read at the start; nobody has to wait for it.
    pub(super) loaded: u64,
}

/// The names of settings.
pub(crate) const SEED: &str = "seed";
pub(crate) const CLOCK: &str = "clock";

impl State {
    /// The seed with which the state was made, if it was kept.
    pub(crate) fn seed(&self) -> Option<u64> {
        self.meta.get(SEED)?.parse().ok()
    }

    /// Where the clock was, if time has passed at all.
    pub(crate) fn clock(&self) -> Option<ClockState> {
        let offset = self.meta.get(CLOCK).and_then(|millis| millis.parse().ok()).unwrap_or_default();
        (self.time > 0).then(|| ClockState { offset: Duration::from_millis(offset), now: self.time })
    }

    /// The one copy of a text.
    pub(super) fn intern(&mut self, name: &Name) -> Name {
        match self.names.get(name) {
            Some(known) => known.clone(),
            None => {
                self.names.insert(name.clone());
                name.clone()
            }
        }
    }

    pub(super) fn intern_key(&mut self, key: &ShelfKey) -> ShelfKey {
        ShelfKey {
            account: self.intern(&key.account),
            region: self.intern(&key.region),
            type_name: self.intern(&key.type_name),
        }
    }

    pub(super) fn intern_scope(&mut self, scope: &Scope) -> Scope {
        Scope { account: self.intern(&scope.account), region: self.intern(&scope.region) }
    }

    /// Puts a resource on its shelf; `everywhere` when its identifier is taken in all accounts and regions.
    pub(super) fn insert_resource(&mut self, key: &ShelfKey, resource: Resource, everywhere: bool) {
        let key = self.intern_key(key);
        if everywhere {
            let identifier = digest(&[&resource.identifier]);
            self.everywhere.insert((key.type_name.clone(), identifier), key.clone());
        }
        self.shelves.entry(key).or_default().insert(resource);
    }

    pub(super) fn remove_resource(&mut self, key: &ShelfKey, identifier: &str) -> Option<Resource> {
        let removed = self.shelves.get_mut(key)?.remove(identifier)?;
        let taken = (key.type_name.clone(), digest(&[identifier]));
        if self.everywhere.get(&taken) == Some(key) {
            self.everywhere.remove(&taken);
        }
        Some(removed)
    }

    /// Puts a request in, with everything that follows from it.
    pub(super) fn insert_request(&mut self, mut request: Request) {
        request.scope = self.intern_scope(&request.scope);
        request.shelf = self.intern_key(&request.shelf);
        self.order.insert(request.sequence, request.token);
        self.index_request(&request);
        self.requests.insert(request.token, Box::new(request));
    }

    pub(super) fn remove_request(&mut self, token: Token) -> Option<Box<Request>> {
        let request = self.requests.remove(&token)?;
        self.unindex_request(&request);
        self.order.remove(&request.sequence);
        Some(request)
    }

    /// Enters what follows from the present state of a request.
    pub(super) fn index_request(&mut self, request: &Request) {
        if let Some(at) = request.due() {
            self.due.insert((at, request.token));
        }
        if request.holds_resource() {
            self.busy.insert((request.shelf.clone(), digest(&[&request.identifier])), request.token);
        }
        if let Some(until) = request.works_until() {
            self.working.entry(request.scope.clone()).or_default().insert((until, request.token));
        }
        if request.status == super::Status::Pending {
            let waiting = self.waiting.entry(request.scope.clone()).or_default();
            if !waiting.contains(&request.token) {
                waiting.push_back(request.token);
            }
        }
    }

    /// Takes away what [`State::index_request`] entered for this state of the request.
    pub(super) fn unindex_request(&mut self, request: &Request) {
        if let Some(at) = request.due() {
            self.due.remove(&(at, request.token));
        }
        let place = (request.shelf.clone(), digest(&[&request.identifier]));
        if self.busy.get(&place) == Some(&request.token) {
            self.busy.remove(&place);
        }
        if let Some(until) = request.works_until()
            && let Some(working) = self.working.get_mut(&request.scope)
        {
            working.remove(&(until, request.token));
            if working.is_empty() {
                self.working.remove(&request.scope);
            }
        }
        if request.status == super::Status::Pending
            && let Some(waiting) = self.waiting.get_mut(&request.scope)
        {
            waiting.retain(|token| *token != request.token);
            if waiting.is_empty() {
                self.waiting.remove(&request.scope);
            }
        }
    }

    pub(super) fn insert_client_token(&mut self, scope: &Scope, token: &str, known: ClientToken) {
        let scope = self.intern_scope(scope);
        self.remove_client_token(&scope, token);
        self.client_token_ages.insert((known.first_used, scope.clone(), token.into()));
        self.client_tokens.insert((scope, token.into()), known);
    }

    pub(super) fn remove_client_token(&mut self, scope: &Scope, token: &str) {
        let key = (scope.clone(), Box::from(token));
        if let Some(known) = self.client_tokens.remove(&key) {
            self.client_token_ages.remove(&(known.first_used, key.0, key.1));
        }
    }
}
