//! The workers of an account and region: so many requests run at once, the others are PENDING.
//!
//! A request whose work is over and that only waits to be looked at holds no worker.

use crate::scope::Scope;
use crate::store::{Token, Txn};

/// Whether a request of the scope could begin at `at`.
pub(crate) fn has_worker(txn: &Txn<'_>, scope: &Scope, at: u64) -> bool {
    let workers = txn.core().options.switches.concurrency.max(1);
    txn.working(scope, at).take(workers).count() < workers
}

/// Lets requests of a scope begin that have waited long enough, oldest first, while there are workers.
pub(super) fn fill(txn: &mut Txn<'_>, scope: &Scope, at: u64) {
    while has_worker(txn, scope, at) {
        let is_ready = |token: &Token| {
            txn.request_at(*token).and_then(crate::store::Request::due).is_some_and(|begins_at| begins_at <= at)
        };
        let Some(token) = txn.waiting(scope).find(is_ready) else { return };
        super::start(txn, token, at);
    }
}
