//! Subscriptions: whoever wants to know hears of every change, in order, without slowing anything down.

use crate::faults::RuleId;
use crate::store::{Cause, Token};
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError, Weak};
use std::time::{Duration, SystemTime};
use tokio::sync::Notify;

/// The most changes that wait for a slow reader; after that the oldest are lost.
const LONGEST: usize = 10_000;

/// What happened to a resource.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum What {
    /// It began to exist.
    Created,
    /// Its model changed.
    Updated,
    /// It ceased to exist.
    Deleted,
}

/// Something that changed in an emulator.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Change {
    /// A resource was made, changed or removed.
    Resource {
        /// When, by the emulator's clock.
        at: SystemTime,
        /// The order of creation.
        sequence: u64,
        /// Who did it.
        cause: Cause,
        /// What was done.
        what: What,
        /// The account.
        account: String,
        /// The region, empty for types that exist once per account.
        region: String,
        /// The CloudFormation type.
        type_name: String,
        /// The text of the primary identifier.
        identifier: String,
        /// The whole model as JSON text, write-only values included.
        model: String,
    },
    /// A request was accepted or reached another status.
    Request {
        /// When, by the emulator's clock.
        at: SystemTime,
        /// The order of acceptance.
        sequence: u64,
        /// The request.
        token: Token,
        /// CREATE, UPDATE or DELETE.
        operation: &'static str,
        /// The status as events name it.
        status: &'static str,
        /// The account.
        account: String,
        /// The region of the call.
        region: String,
        /// The CloudFormation type.
        type_name: String,
        /// The text of the primary identifier.
        identifier: String,
    },
    /// A rule of misbehavior fired.
    Rule {
        /// The rule.
        id: RuleId,
        /// The call it fired on, as text.
        subject: String,
    },
    /// A call was answered; its entry of the log as JSON text.
    Call {
        /// The number of the entry.
        id: u64,
        /// The API name of the operation.
        operation: String,
        /// The HTTP status.
        status: u16,
    },
    /// Everything was forgotten, in one scope or in all.
    Reset {
        /// Account and region, `None` for all.
        scope: Option<(String, String)>,
    },
}

/// A bounded queue of changes: a slow reader loses the oldest and is told how many.
#[derive(Debug)]
pub struct Subscription {
    queue: Arc<Queue>,
}

impl Subscription {
    /// The next change, waiting for one at most `wait` of real time.
    pub fn next(&mut self, wait: Duration) -> Option<Change> {
        let waiting = self.queue.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        let arrived = self.queue.arrived.wait_timeout_while(waiting, wait, |waiting| waiting.changes.is_empty());
        arrived.unwrap_or_else(PoisonError::into_inner).0.changes.pop_front()
    }

    /// The next change; `None` when the emulator is gone.
    pub async fn recv(&mut self) -> Option<Change> {
        loop {
            let notified = self.queue.notify.notified();
            {
                let mut waiting = self.queue.waiting.lock().unwrap_or_else(PoisonError::into_inner);
                if let Some(change) = waiting.changes.pop_front() {
                    return Some(change);
                }
                if waiting.is_closed {
                    return None;
                }
            }
            notified.await;
        }
    }

    /// How many changes were lost because nobody read them in time.
    pub fn lost(&self) -> u64 {
        self.queue.waiting.lock().unwrap_or_else(PoisonError::into_inner).lost
    }
}

#[derive(Debug, Default)]
struct Queue {
    waiting: Mutex<Waiting>,
    arrived: Condvar,
    notify: Notify,
}

#[derive(Debug, Default)]
struct Waiting {
    changes: VecDeque<Change>,
    lost: u64,
    is_closed: bool,
}

/// Everybody who listens.
#[derive(Debug, Default)]
pub(crate) struct Bus {
    queues: Mutex<Vec<Weak<Queue>>>,
    has_listeners: AtomicBool,
}

impl Bus {
    /// A subscription to everything from now on.
    pub(crate) fn subscribe(&self) -> Subscription {
        let queue = Arc::new(Queue::default());
        self.queues.lock().unwrap_or_else(PoisonError::into_inner).push(Arc::downgrade(&queue));
        self.has_listeners.store(true, Ordering::Release);
        Subscription { queue }
    }

    /// Whether changes have to be told at all.
    pub(crate) fn has_listeners(&self) -> bool {
        self.has_listeners.load(Ordering::Acquire)
    }

    pub(crate) fn publish(&self, changes: Vec<Change>) {
        if changes.is_empty() || !self.has_listeners() {
            return;
        }
        let mut queues = self.queues.lock().unwrap_or_else(PoisonError::into_inner);
        queues.retain(|queue| match queue.upgrade() {
            Some(queue) => {
                queue.push(&changes);
                true
            }
            None => false,
        });
        self.has_listeners.store(!queues.is_empty(), Ordering::Release);
    }
}

impl Drop for Bus {
    fn drop(&mut self) {
        let queues = self.queues.get_mut().unwrap_or_else(PoisonError::into_inner);
        for queue in queues.iter().filter_map(Weak::upgrade) {
            queue.waiting.lock().unwrap_or_else(PoisonError::into_inner).is_closed = true;
            queue.notify.notify_waiters();
        }
    }
}

impl Queue {
    fn push(&self, changes: &[Change]) {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.changes.extend(changes.iter().cloned());
        while waiting.changes.len() > LONGEST {
            waiting.changes.pop_front();
            waiting.lost += 1;
        }
        self.arrived.notify_all();
        self.notify.notify_waiters();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn change(id: u64) -> Change {
        Change::Call { id, operation: "GetResource".to_owned(), status: 200 }
    }

    #[test]
    fn a_slow_reader_loses_the_oldest_and_is_told() {
        let bus = Bus::default();
        bus.publish(vec![change(0)]);
        let mut subscription = bus.subscribe();
        bus.publish((1..=LONGEST as u64 + 3).map(change).collect());
        assert_eq!(subscription.lost(), 3);
        assert_eq!(subscription.next(Duration::ZERO), Some(change(4)));
    }

    #[test]
    fn a_subscription_ends_with_the_emulator() {
        let bus = Bus::default();
        let mut subscription = bus.subscribe();
        bus.publish(vec![change(1)]);
        drop(bus);
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        assert_eq!(runtime.block_on(subscription.recv()), Some(change(1)));
        assert_eq!(runtime.block_on(subscription.recv()), None);
        assert_eq!(subscription.next(Duration::ZERO), None);
    }

    #[test]
    fn nobody_listens_after_the_last_is_gone() {
        let bus = Bus::default();
        drop(bus.subscribe());
        bus.publish(vec![change(1)]);
        assert!(!bus.has_listeners());
    }
}
