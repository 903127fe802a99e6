//! What all rules of one operation may cost together, so that no inputs make it long.
//!
//! Counted is work, not time: the same inputs come to the same plan on every machine. Time is a last limit, for values on
//! which the evaluator is slower than any that were seen; the work of a whole budget takes a second or two.

use std::cell::Cell;
use std::time::{Duration, Instant};

use serde_json::{Map as JsonMap, Value as Json};

/// The evaluations of an operation.
const EVALUATIONS: usize = 8192;

/// The values that these evaluations may be given: each text, number, list and object counts as one, and texts as one more
/// for every 64 bytes.
const WORK: usize = 1 << 20;

/// The time that they may take.
const TIME: Duration = Duration::from_secs(10);

/// What is left for the rules of one operation.
#[derive(Debug)]
pub struct Budget {
    evaluations: Cell<usize>,
    work: Cell<usize>,
    time: Cell<Duration>,
    ended: Cell<bool>,
}

impl Default for Budget {
    fn default() -> Self {
        Self {
            evaluations: Cell::new(EVALUATIONS),
            work: Cell::new(WORK),
            time: Cell::new(TIME),
            ended: Cell::new(false),
        }
    }
}

impl Budget {
    /// Whether anything was not evaluated because nothing was left.
    pub fn has_ended(&self) -> bool {
        self.ended.get()
    }

    /// Evaluates on these members, if that can be paid; `evaluate` is told how long it may take, in milliseconds.
    pub(super) fn spend<T>(&self, members: &JsonMap<String, Json>, evaluate: impl FnOnce(usize) -> T) -> Option<T> {
        let work = members.values().map(weight).fold(1, usize::saturating_add);
        let left = (self.evaluations.get().checked_sub(1), self.work.get().checked_sub(work));
        let (Some(evaluations), Some(work), time) = (left.0, left.1, self.time.get()) else {
            self.ended.set(true);
            return None;
        };
        if time.is_zero() {
            self.ended.set(true);
            return None;
        }
        self.evaluations.set(evaluations);
        self.work.set(work);
        let start = Instant::now();
        let value = evaluate(usize::try_from(time.as_millis()).unwrap_or(usize::MAX).max(1));
        self.time.set(time.saturating_sub(start.elapsed()));
        Some(value)
    }
}

fn weight(value: &Json) -> usize {
    match value {
        Json::Null | Json::Bool(_) | Json::Number(_) => 1,
        Json::String(text) => 1 + text.len() / 64,
        Json::Array(items) => items.iter().map(weight).fold(1, usize::saturating_add),
        Json::Object(members) => members.values().map(weight).fold(1, usize::saturating_add),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn members(value: Json) -> JsonMap<String, Json> {
        JsonMap::from_iter([("A".to_owned(), value)])
    }

    #[test]
    fn evaluations_and_work_end_by_count() {
        for (value, expected) in [
            (json!("a"), EVALUATIONS),
            (json!(vec!["a"; 1024]), WORK / 1026),
            (json!({ "a": { "b": [1, 2] } }), EVALUATIONS),
            (json!("x".repeat(64 * 1024)), WORK / 1026),
        ] {
            let (budget, members) = (Budget::default(), members(value));
            let evaluated = (0..2 * EVALUATIONS).filter(|_| budget.spend(&members, |_| ()).is_some()).count();
            assert_eq!(evaluated, expected);
            assert!(budget.has_ended());
        }
    }

    #[test]
    fn what_is_left_of_the_time_is_told() {
        let budget = Budget::default();
        assert_eq!(budget.spend(&members(json!(1)), |left| left), Some(10_000));
        assert!(!budget.has_ended());
        budget.time.set(Duration::from_millis(1));
        let left = budget.spend(&members(json!(1)), |left| {
            let start = Instant::now();
            while start.elapsed() < Duration::from_millis(2) {}
            left
        });
        assert_eq!((left, budget.spend(&members(json!(1)), |left| left)), (Some(1), None));
        assert!(budget.has_ended());
    }
}
