//! What all operations share: schemas, data, store, clock.

use crate::api_error::{ApiError, Code};
use crate::entropy::Entropy;
use crate::error::EmulatorError;
use crate::journal::Journal;
use crate::options::Options;
use crate::schema::library::SchemaSource;
use crate::schema::patterns::Patterns;
use crate::schema::{Handler, Library, ResourceType};
use crate::scope::Scope;
use crate::store::{ShelfKey, Store};
use crate::synthesize::tables::Tables;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

/// An emulator without its server.
pub(crate) struct Core {
    pub(crate) library: Library,
    pub(crate) patterns: Patterns,
    pub(crate) tables: Tables,
    pub(crate) options: Options,
    pub(crate) journal: Journal,
    store: Mutex<Store>,
    drawn: AtomicU64,
}

impl Core {
    pub(crate) fn new(source: &SchemaSource, options: Options) -> Result<Core, EmulatorError> {
        let tables = Tables::load()?;
        let store = Store {
            deletion_protection: tables.deletion_protection().map(str::to_owned).collect(),
            ..Store::default()
        };
        Ok(Core {
            library: Library::load(source)?,
            patterns: Patterns::default(),
            tables,
            options,
            journal: Journal::default(),
            store: Mutex::new(store),
            drawn: AtomicU64::new(0),
        })
    }

    pub(crate) fn now(&self) -> SystemTime {
        self.options.clock.now()
    }

    /// The store, with everything ended that has come to its end.
    pub(crate) fn store(&self) -> MutexGuard<'_, Store> {
        let now = self.now();
        // A panic while the lock was held answered its call with a failure; the store is still the best truth there is.
        let mut store = self.store.lock().unwrap_or_else(PoisonError::into_inner);
        store.advance(now, self.options.request_ttl, self.options.client_token_ttl);
        store
    }

    /// A new token or request id, reproducible for a sequence of calls.
    pub(crate) fn draw_uuid(&self) -> String {
        let number = self.drawn.fetch_add(1, Ordering::Relaxed);
        Entropy::new(&["uuid", &self.options.seed.to_string(), &number.to_string()]).uuid()
    }

    /// A type that has the handler.
    pub(crate) fn resource_type(&self, type_name: &str, handler: Handler) -> Result<Arc<ResourceType>, ApiError> {
        let resource = self
            .library
            .get(type_name)
            .ok_or_else(|| ApiError::new(Code::TypeNotFound, format!("The type '{type_name}' cannot be found.")))?;
        if resource.has(handler) && !resource.primary_identifier.is_empty() {
            Ok(resource)
        } else {
            Err(ApiError::unsupported_action(type_name, handler.action()))
        }
    }

    /// The shelf of a type as seen from a scope.
    pub(crate) fn shelf_key(&self, scope: &Scope, type_name: &str) -> ShelfKey {
        let namespace = type_name.split("::").nth(1).unwrap_or_default();
        let region = if self.tables.is_global(namespace) { String::new() } else { scope.region.to_string() };
        ShelfKey { account: scope.account.to_string(), region, type_name: type_name.to_owned() }
    }
}
