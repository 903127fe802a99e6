//! The handle of tests: what exists, what was sent, and changes behind the owners' backs, without HTTP.
//!
//! | module | what is in it |
//! |---|---|
//! | this one | the handle and its errors |
//! | [`view`] | what it shows, and how one says which |
//! | [`configurations`] | configurations of private types |
//! | [`functions`] | what functions of Lambda do |
//! | [`resources`] | resources: listing, changing, removing |
//! | [`rules`] | rules of misbehavior, and requests driven by hand |
//! | [`schemas`] | what is served, and reading it again |
//! | [`snapshot`] | everything as one document and back |
//!
//! The pages under `/_emu` call the same methods.

mod configurations;
mod functions;
mod resources;
mod rules;
mod schemas;
mod snapshot;
mod view;

pub use rules::{Drive, RuleView};
pub use snapshot::Imported;
pub use view::{CallView, Check, RequestView, ResourceView, Size, Which, WhichCalls, WhichRequests};

use crate::bus::Subscription;
use crate::core::Core;
use crate::life::event::event;
use crate::schema::Handler;
use crate::scope::Scope;
use crate::store::state::CLOCK;
use crate::store::txn::time;
use crate::synthesize::context::Context;
use serde_json::Value;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

/// What a test can ask of a running emulator and do to it. Clones are the same emulator.
#[derive(Clone)]
pub struct Admin {
    core: Arc<Core>,
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
        Admin { core }
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
        entries.map(|entry| CallView { id: entry.id, status: entry.status, entry: entry.shown() }).collect()
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
        self.core.metrics.text()
    }

    /// Every change from now on.
    pub fn subscribe(&self) -> Subscription {
        self.core.bus.subscribe()
    }
}
