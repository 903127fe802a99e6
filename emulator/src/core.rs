//! What all operations share: schemas, data, state, log, clock.

use crate::api_error::{ApiError, Code};
use crate::bus::Bus;
use crate::entropy::Entropy;
use crate::error::EmulatorError;
use crate::faults::{Rules, vain};
use crate::log::Log;
use crate::metrics::Metrics;
use crate::options::{Options, Unprovisionable};
use crate::overrides::Knowledge;
use crate::persist::{Backing, Kept, Memory};
use crate::schema::library::SchemaSource;
use crate::schema::patterns::Patterns;
use crate::schema::regions::Regions;
use crate::schema::report;
use crate::schema::{Handler, Library, ResourceType};
use crate::scope::Scope;
use crate::services::lambda::MOST_INVOCATIONS;
use crate::store::state::SEED;
use crate::store::{Gathered, ShelfKey, State, Txn};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, RwLock};
use std::time::SystemTime;
use tokio::sync::Semaphore;

/// An emulator without its server.
pub(crate) struct Core {
    library: RwLock<Arc<Library>>,
    source: SchemaSource,
    pub(crate) regions: Regions,
    pub(crate) patterns: Patterns,
    pub(crate) knowledge: Knowledge,
    pub(crate) options: Options,
    pub(crate) log: Log,
    pub(crate) metrics: Metrics,
    pub(crate) bus: Bus,
    pub(crate) backing: Box<dyn Backing>,
    state: Mutex<State>,
    drawn: AtomicU64,
    /// Becomes true when the emulator stops, for whoever waits for nothing.
    pub(crate) stopping: tokio::sync::watch::Sender<bool>,
    /// Invocations of functions that run.
    pub(crate) invocations: Arc<Semaphore>,
    port: OnceLock<u16>,
}

impl Core {
    /// An emulator whose state is in the folder that the options name, else in memory only.
    pub(crate) fn new(source: &SchemaSource, options: Options) -> Result<Core, EmulatorError> {
        let backing: Box<dyn Backing> = match &options.state {
            None => Box::new(Memory::default()),
            Some(folder) => {
                let kept = Kept::open(folder, options.durability());
                Box::new(kept.map_err(|error| EmulatorError::State { reason: error.to_string() })?)
            }
        };
        Core::with_backing(source, options, backing)
    }

    /// An emulator that goes on with the state that a backing holds.
    pub(crate) fn with_backing(
        source: &SchemaSource,
        mut options: Options,
        backing: Box<dyn Backing>,
    ) -> Result<Core, EmulatorError> {
        let knowledge = Knowledge::load()?;
        let mut state = State::default();
        let is_everywhere = |type_name: &str| knowledge.is_unique_everywhere(type_name);
        backing
            .load(&mut |table, key, value| state.restore(table, key, value, &is_everywhere))
            .map_err(|error| EmulatorError::State { reason: error.to_string() })?;
        if let Some(clock) = state.clock() {
            options.clock.resume(clock);
        }
        let kept_seed = state.seed().filter(|seed| *seed != options.seed);
        if let Some(seed) = kept_seed.filter(|_| options.is_seed_kept) {
            options.seed = seed;
        } else if let Some(seed) = kept_seed {
            tracing::warn!(before = seed, now = options.seed, "the state was made with another seed");
        }
        let library = load(source, &options)?;
        let core = Core {
            library: RwLock::new(Arc::new(library)),
            source: source.clone(),
            regions: Regions::load(&options.switches.regions, options.switches.region_types.as_deref())?,
            patterns: Patterns::default(),
            knowledge,
            log: Log::new(options.log_limit),
            metrics: Metrics::default(),
            options,
            bus: Bus::default(),
            backing,
            state: Mutex::new(state),
            drawn: AtomicU64::new(0),
            stopping: tokio::sync::watch::Sender::new(false),
            invocations: Arc::new(Semaphore::new(MOST_INVOCATIONS)),
            port: OnceLock::new(),
        };
        core.keep_seed();
        core.settle_rules();
        Ok(core)
    }

    /// Makes the seed last, so that a restart makes the same values.
    fn keep_seed(&self) {
        let seed = self.options.seed.to_string();
        let mut txn = self.txn();
        if self.backing.wants_writes() && txn.meta(SEED) != Some(&seed) {
            txn.put_meta(SEED, seed);
        }
    }

    /// Puts the rules of the profile in force, unless they were kept as they are.
    fn settle_rules(&self) {
        let wanted = self.options.rules();
        let mut txn = self.txn();
        let now = txn.now_ms();
        let before = txn.rules().clone();
        for warning in vain::warnings(&self.library(), wanted.iter().map(|(id, rule)| (id.as_str(), rule))) {
            tracing::warn!("{warning}");
        }
        txn.rules().settle(wanted, now);
        if *txn.rules() != before {
            txn.keep_rules();
            // Those that went leave no counters behind, those that came begin without.
            let ids = |rules: &Rules| rules.all().iter().map(|active| active.id.clone()).collect::<Vec<_>>();
            let concerned = [ids(&before), ids(txn.rules())].concat();
            concerned.iter().for_each(|id| txn.count_rule(id));
        }
    }

    /// The types that are served now. Who holds a type goes on with it, whatever is loaded meanwhile.
    pub(crate) fn library(&self) -> Arc<Library> {
        Arc::clone(&self.library.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Reads the schemas again; what was served stays when they cannot be read.
    pub(crate) fn reload(&self) -> Result<Arc<Library>, EmulatorError> {
        let library = Arc::new(load(&self.source, &self.options)?);
        *self.library.write().unwrap_or_else(PoisonError::into_inner) = Arc::clone(&library);
        Ok(library)
    }

    /// Says on which port this emulator serves.
    pub(crate) fn serves_on(&self, port: u16) {
        // The first server is the one that others know of.
        let _ = self.port.set(port);
    }

    /// The port, once there is one.
    pub(crate) fn port(&self) -> Option<u16> {
        self.port.get().copied()
    }

    pub(crate) fn now(&self) -> SystemTime {
        self.options.clock.now()
    }

    /// The state, with everything done that has fallen due.
    pub(crate) fn txn(&self) -> Txn<'_> {
        self.begin(None)
    }

    /// The same for a call, whose answer waits for what it saw.
    pub(crate) fn txn_of<'s>(&'s self, gathered: &'s Gathered) -> Txn<'s> {
        self.begin(Some(gathered))
    }

    fn begin<'s>(&'s self, gathered: Option<&'s Gathered>) -> Txn<'s> {
        // A panic while the lock was held answered its call with a failure; the state is still the best truth there is.
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        Txn::begin(self, state, gathered)
    }

    /// A new request id, reproducible for a sequence of calls.
    pub(crate) fn draw_uuid(&self) -> String {
        let number = self.drawn.fetch_add(1, Ordering::Relaxed);
        Entropy::new(&["uuid", &self.options.seed.to_string(), &number.to_string()]).uuid()
    }

    /// A type that has the handler.
    pub(crate) fn resource_type(&self, type_name: &str, handler: Handler) -> Result<Arc<ResourceType>, ApiError> {
        let resource = self
            .library()
            .get(type_name)
            .ok_or_else(|| ApiError::new(Code::TypeNotFound, format!("The type '{type_name}' cannot be found.")))?;
        let is_served = self.options.switches.unprovisionable == Unprovisionable::Allow || resource.is_provisionable();
        if is_served && resource.has(handler) && !resource.primary_identifier.is_empty() {
            Ok(resource)
        } else {
            Err(ApiError::unsupported_action(type_name, handler.action()))
        }
    }

    /// The shelf of a type as seen from a scope.
    pub(crate) fn shelf_key(&self, scope: &Scope, type_name: &str) -> ShelfKey {
        let region = if self.knowledge.is_global(type_name) { "".into() } else { scope.region.clone() };
        ShelfKey { account: scope.account.clone(), region, type_name: type_name.into() }
    }
}

/// Says which files of the schemas are left out; after the first of them how many more there are.
fn warn_of_skipped(library: &Library) {
    const SHOWN: usize = 10;
    for (file, reason) in library.skipped().iter().take(SHOWN) {
        tracing::warn!("{file} is left out, it is no resource schema: {reason}");
    }
    let more = library.skipped().len().saturating_sub(SHOWN);
    if more > 0 {
        tracing::warn!("{more} more schema files are left out; `check --schemas` and /_emu/schemas name all");
    }
}

/// Reads the schemas as the options want them.
fn load(source: &SchemaSource, options: &Options) -> Result<Library, EmulatorError> {
    let library = Library::load(source)?.linted(options.switches.linter_keywords);
    if options.switches.strict_schemas {
        let report = report::of_library(&library);
        if !report.is_clean() {
            return Err(EmulatorError::Strict { report });
        }
    }
    warn_of_skipped(&library);
    Ok(library)
}
