//! Kills when the drawn call has come as far as it should.

use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::point::{Moment, Point, Victim};
use crate::engine_child::{family, plugin_behind, plugins, signal};
use crate::proxy::{Call, Listener, Phase, Verdict};

/// How long [`Moment::Later`] is at most.
const LATER: Duration = Duration::from_millis(50);

/// Waits for a call. Calls are counted from the moment in which it is set.
#[derive(Default)]
pub struct Trap {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    point: Option<Point>,
    engine: Option<u32>,
    calls: usize,
    /// The proxy's number of the call that the point is about.
    target: Option<usize>,
    sprung: bool,
    /// Tells the waiting thread of [`Moment::Later`] that the next call has come.
    next: Option<Sender<()>>,
    /// Plugins that outlive their engine.
    orphans: Vec<u32>,
}

impl Trap {
    /// What the proxy tells.
    #[must_use]
    pub fn listener(trap: &Arc<Self>) -> Listener {
        let trap = Arc::clone(trap);
        Arc::new(move |call, phase| trap.told(call, phase))
    }

    /// Begins to count; kills when there is a point.
    pub fn set(&self, point: Option<Point>) {
        *self.lock() = State { point, ..State::default() };
    }

    /// Names the engine's process. Until then no call is let through.
    pub fn engine(&self, pid: u32) {
        self.lock().engine = Some(pid);
        self.changed.notify_all();
    }

    /// Ends the counting: how many calls there were, whether the kill happened, and the plugins that it left behind.
    pub fn end(&self) -> (usize, bool, Vec<u32>) {
        let mut state = self.lock();
        state.point = None;
        (state.calls, state.sprung, std::mem::take(&mut state.orphans))
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn told(&self, call: &Call, phase: Phase) -> Verdict {
        if call.operation.is_empty() {
            return Verdict::Go;
        }
        let mut state = self.lock();
        while state.engine.is_none() && state.point.is_some() {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        if phase == Phase::Arrived {
            state.calls += 1;
            if state.point.is_some_and(|point| point.call == state.calls) {
                state.target = Some(call.number);
            }
            if let Some(next) = state.next.take() {
                // The thread that waits kills; it is as good as done.
                let _ = next.send(());
            }
        }
        let is_target = state.target == Some(call.number) && !state.sprung;
        let Some(point) = state.point.filter(|_| is_target) else { return Verdict::Go };
        let wanted = match point.moment {
            Moment::BeforeTheCloud => Phase::Arrived,
            Moment::BeforeTheAnswer => Phase::Answered,
            Moment::AfterTheAnswer | Moment::Later => Phase::Delivered,
        };
        if phase != wanted {
            return Verdict::Go;
        }
        state.sprung = true;
        let (victims, orphans) = victims(point.victim, state.engine.unwrap_or_default(), plugin_behind(call.peer));
        state.orphans = orphans;
        if point.moment == Moment::Later {
            let (sender, receiver) = channel();
            state.next = Some(sender);
            std::thread::spawn(move || {
                // Whether a call came or the time is over makes no difference.
                let _ = receiver.recv_timeout(LATER);
                kill(&victims);
            });
            return Verdict::Go;
        }
        kill(&victims);
        Verdict::Drop
    }
}

/// Whom to kill, and whom that leaves alone. What else the engine started, the language host, dies with it.
fn victims(victim: Victim, engine: u32, plugin: Option<u32>) -> (Vec<u32>, Vec<u32>) {
    if victim == Victim::Provider {
        return (plugin.into_iter().collect(), Vec::new());
    }
    let plugins = plugins(engine);
    let is_spared = |pid: &u32| victim == Victim::EngineAlone && plugins.contains(pid);
    let (spared, mut killed): (Vec<u32>, Vec<u32>) = family(engine).into_iter().partition(is_spared);
    // The engine first, or it would see the others go.
    killed.sort_by_key(|pid| *pid != engine);
    (killed, spared)
}

fn kill(victims: &[u32]) {
    for pid in victims {
        // It may have ended by itself; whether anything was cut off is judged by what is left.
        let _ = signal("KILL", &pid.to_string());
    }
}
