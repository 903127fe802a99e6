//! The handle of tests: what exists, what was sent, and changes behind the owners' backs, without HTTP.
//!
//! | module | what is in it |
//! |---|---|
//! | this one | the handle and its errors |
//! | [`view`] | what it shows, and how one says which |
//! | [`configurations`] | configurations of private types |
//! | [`functions`] | what functions of Lambda do |
//! | [`resources`] | resources: listing, changing, removing |
//! | [`drift`] | resources that appear, and changes at random |
//! | [`rules`] | rules of misbehavior, and requests driven by hand |
//! | [`schemas`] | what is served, and reading it again |
//! | [`snapshot`] | everything as one document and back |
//! | [`sound`] | whether such a document holds what can be |
//!
//! The pages under `/_emu` call the same methods.

mod configurations;
mod drift;
mod functions;
mod resources;
mod rules;
mod schemas;
mod snapshot;
mod sound;
mod view;

pub use drift::{Drifted, Place};
pub use rules::{Drive, RuleView};
pub use snapshot::Imported;
pub use view::{CallView, Check, RequestView, ResourceView, Size, Which, WhichCalls, WhichRequests};

use crate::bus::Subscription;
use crate::core::Core;
use crate::life::event::event;
use crate::metrics::Gauge;
use crate::schema::Handler;
use crate::scope::Scope;
use crate::store::state::CLOCK;
use crate::store::txn::time;
use crate::synthesize::context::Context;
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

/// What a test can ask of a running emulator and do to it. Clones are the same emulator.
#[derive(Clone)]
pub struct Admin {
    core: Arc<Core>,
    /// Whether write-only values are hidden in what it shows.
    hides: bool,
}

impl std::fmt::Debug for Admin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Admin")
    }
}

/// Why the handle could not do something.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AdminError {
    /// There is nothing of that name.
    #[error("there is no {what}")]
    NotFound {
        /// What was asked for.
        what: String,
    },
    /// What was given cannot be used.
    #[error("{reason}")]
    Invalid {
        /// Why not.
        reason: String,
    },
    /// It changed again and again while the change was computed.
    #[error("{what} changed while it was being changed; try again")]
    Conflict {
        /// What did.
        what: String,
    },
    /// There is something of that name already.
    #[error("{reason}")]
    Taken {
        /// What there is.
        reason: String,
    },
    /// It is understood, and there is no way to do it.
    #[error("{reason}")]
    Impossible {
        /// Why there is none.
        reason: String,
    },
}

impl AdminError {
    /// The HTTP status of a page that fails with this.
    pub fn status(&self) -> u16 {
        match self {
            AdminError::NotFound { .. } => 404,
            AdminError::Invalid { .. } => 400,
            AdminError::Conflict { .. } | AdminError::Taken { .. } => 409,
            AdminError::Impossible { .. } => 422,
        }
    }
}

impl Admin {
    pub(crate) fn new(core: Arc<Core>) -> Admin {
        Admin { core, hides: false }
    }

    /// The same for what leaves the process: it hides write-only values unless the options show them.
    pub(crate) fn for_pages(core: Arc<Core>) -> Admin {
        Admin { hides: !core.options.secrets_shown, core }
    }

    /// The same with everything to be seen.
    fn whole(&self) -> Admin {
        Admin { core: Arc::clone(&self.core), hides: false }
    }

    /// The requests that were accepted, oldest first.
    pub fn requests(&self, which: &WhichRequests) -> Vec<RequestView> {
        let txn = self.core.txn();
        let is_meant = |status: &str, type_name: &str| {
            which.status.as_ref().is_none_or(|wanted| wanted == status)
                && which.type_name.as_ref().is_none_or(|wanted| wanted == type_name)
        };
        let wanted = txn.requests().filter(|request| is_meant(request.status.name(), &request.shelf.type_name));
        wanted.map(|request| self.request_view(request, txn.now())).collect()
    }

    fn request_view(&self, request: &crate::store::Request, now: SystemTime) -> RequestView {
        RequestView {
            token: request.token,
            account: request.scope.account.to_string(),
            region: request.scope.region.to_string(),
            accepted: time(request.accepted),
            event: event(request, now, &self.core.options.switches),
            plan: serde_json::to_value(&request.plan).unwrap_or_default(),
        }
    }

    /// The calls so far, oldest first.
    pub fn log(&self, which: &WhichCalls) -> Vec<CallView> {
        let entries = self.core.log.since(which.since).into_iter().filter(|entry| {
            which.operation.as_ref().is_none_or(|operation| **operation == *entry.operation)
                && which.type_name.as_ref().is_none_or(|wanted| entry.type_name().as_ref() == Some(wanted))
        });
        let library = self.core.library();
        let library = self.hides.then_some(&*library);
        entries.map(|entry| CallView { id: entry.id, status: entry.status, entry: entry.shown(library) }).collect()
    }

    /// Forgets the calls so far.
    pub fn forget_log(&self) {
        self.core.log.clear();
    }

    /// Moves the clock ahead.
    pub fn advance(&self, by: Duration) {
        self.core.options.clock.advance(by);
        // What falls due by that happens now, so that subscribers hear of it.
        let mut txn = self.core.txn();
        let offset = self.core.options.clock.offset().offset;
        txn.put_meta(CLOCK, crate::store::request::millis(offset).to_string());
    }

    /// A desired state that the schema of a type accepts.
    ///
    /// # Errors
    ///
    /// [`AdminError::NotFound`] for unknown types, [`AdminError::Impossible`] when none is found.
    pub fn generate(&self, type_name: &str, size: Size) -> Result<Value, AdminError> {
        let core = &self.core;
        let resource =
            core.library().get(type_name).ok_or_else(|| AdminError::NotFound { what: format!("type {type_name}") })?;
        let scope = Scope::new(core.options.account.clone(), core.options.region.clone());
        let context =
            Context::new(&core.knowledge, &scope, type_name, (core.options.seed, &Value::Null, 0), core.now());
        crate::synthesize::sample::sample(&resource, &core.patterns, &context, size).ok_or_else(|| {
            AdminError::Impossible {
                reason: format!("no desired state was found that the schema of {type_name} accepts"),
            }
        })
    }

    /// The handlers of a type, as the service names them; empty for unknown types.
    pub fn handlers(&self, type_name: &str) -> Vec<&'static str> {
        let all = [Handler::Create, Handler::Read, Handler::Update, Handler::Delete, Handler::List];
        let resource = self.core.library().get(type_name);
        let has = |handler: &Handler| resource.as_ref().is_some_and(|resource| resource.has(*handler));
        all.into_iter().filter(has).map(Handler::action).collect()
    }

    /// Counters and durations in the text format of Prometheus.
    pub fn metrics(&self) -> String {
        let (mut requests, mut resources) = (BTreeMap::<&str, u64>::new(), 0);
        {
            let txn = self.core.txn();
            txn.requests().for_each(|request| *requests.entry(request.status.name()).or_default() += 1);
            resources += txn.shelves().map(|(_, shelf)| shelf.count()).sum::<usize>();
        }
        let patterns = &self.core.patterns;
        let mut gauges: Vec<Gauge<'_>> = requests
            .into_iter()
            .map(|(status, count)| ("emulator_requests", vec![("status", status)], count as f64))
            .collect();
        gauges.push(("emulator_resources", Vec::new(), resources as f64));
        gauges.push(("emulator_log_bytes", Vec::new(), self.core.log.bytes() as f64));
        gauges.push(("emulator_patterns_skipped", Vec::new(), patterns.skipped().len() as f64));
        let (commits, took) = self.core.backing.commits();
        let counters: [Gauge<'_>; 3] = [
            ("emulator_patterns_aborted_total", Vec::new(), patterns.given_up() as f64),
            ("emulator_commits_total", Vec::new(), commits as f64),
            ("emulator_commit_seconds_total", Vec::new(), took.as_secs_f64()),
        ];
        self.core.metrics.text_with(&gauges, &counters)
    }

    /// Every change from now on.
    pub fn subscribe(&self) -> Subscription {
        self.core.bus.subscribe()
    }
}
