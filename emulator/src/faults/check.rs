//! Whether a rule can be followed. Rules that were kept are not asked: they were taken once, and a state stays readable.

use super::Rule;
use super::action::{Action, Throttling};
use crate::schema::InstancePath;

/// The statuses of answers that are errors.
const STATUSES: std::ops::RangeInclusive<u16> = 400..=599;

/// What durations may be multiplied with.
const FACTORS: std::ops::RangeInclusive<f64> = 0.0..=1000.0;

impl Rule {
    /// Whether the rule can be followed.
    ///
    /// # Errors
    ///
    /// What is wrong with it, after the name of the setting.
    pub fn check(&self) -> Result<(), String> {
        let when = &self.when;
        wanted(when.nth != Some(0), "nth: a turn is counted from 1")?;
        wanted(when.every != Some(0), "every: a number from 1 is wanted")?;
        wanted(when.nth.is_none_or(|nth| nth > when.after), "nth: the turn is one of those that after leaves out")?;
        wanted(!when.operation.is_empty(), "operation: at least one is wanted; without the setting all are meant")?;
        if let (Some(from), Some(until)) = (when.from, when.until) {
            wanted(from < until, &format!("until: {until} is not after from, {from}"))?;
        }
        wanted((0.0..=1.0).contains(&when.probability), "probability: a number from 0 to 1 is wanted")?;
        self.then.check()
    }
}

impl Action {
    fn check(&self) -> Result<(), String> {
        match self {
            Action::Throttle(throttling) => check_throttling(throttling),
            Action::Error(error) => check_status("error", error.status),
            Action::PollError(error) => check_status("poll-error", error.status),
            Action::Slow(slow) => {
                wanted(FACTORS.contains(&slow.factor), "slow: factor: a number from 0 to 1000 is wanted")
            }
            Action::Drop(discarded) => check_paths("drop", &discarded.paths),
            Action::RejectReadback(readback) => check_paths("reject-readback", std::slice::from_ref(&readback.path)),
            Action::Recase(recase) => check_paths("recase", &recase.paths),
            Action::Fail(_)
            | Action::AlreadyExistsLie(_)
            | Action::NotFoundAfterCreate(_)
            | Action::StaleRead(_)
            | Action::Stuck(_)
            | Action::Sparse
            | Action::Reorder
            | Action::Hook(_)
            | Action::Delay(_)
            | Action::Hang(_)
            | Action::Reset(_)
            | Action::Truncate(_)
            | Action::Twice => Ok(()),
        }
    }
}

fn check_throttling(throttling: &Throttling) -> Result<(), String> {
    let is_rate = |rate: f64| rate.is_finite() && rate > 0.0;
    let text = "throttle: rate: a number above 0 is wanted; without the setting every call is refused";
    wanted(throttling.rate.is_none_or(is_rate), text)?;
    // A bucket that holds less than one call never serves any.
    let is_burst = |burst: f64| burst.is_finite() && burst >= 1.0;
    wanted(throttling.burst.is_none_or(is_burst), "throttle: burst: a number from 1 is wanted")?;
    let is_useless = throttling.burst.is_some() && throttling.rate.is_none();
    wanted(!is_useless, "throttle: burst: it goes with a rate")
}

fn check_status(action: &str, status: Option<u16>) -> Result<(), String> {
    let is_error = status.is_none_or(|status| STATUSES.contains(&status));
    wanted(is_error, &format!("{action}: status: that of an error is wanted, from 400 to 599"))
}

fn check_paths(action: &str, paths: &[String]) -> Result<(), String> {
    wanted(!paths.is_empty(), &format!("{action}: paths: at least one is wanted"))?;
    match paths.iter().find(|path| InstancePath::parse(path).is_none()) {
        Some(path) => Err(format!("{action}: {path:?} leads to no property; one is written like /properties/Name")),
        None => Ok(()),
    }
}

fn wanted(holds: bool, text: &str) -> Result<(), String> {
    if holds { Ok(()) } else { Err(text.to_owned()) }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

    use super::*;

    #[test]
    fn rules_that_cannot_be_followed_are_told() {
        for (text, expected) in [
            ("then: twice", ""),
            ("{ when: { nth: 1, every: 1, from: 1s, until: 2s }, then: { slow: { factor: 1000 } } }", ""),
            ("then: { throttle: {} }", ""),
            ("then: { throttle: { rate: 0.5 } }", ""),
            ("{ when: { nth: 0 }, then: twice }", "nth: a turn"),
            ("{ when: { nth: 2, after: 2 }, then: twice }", "nth: the turn is one"),
            ("{ when: { every: 0 }, then: twice }", "every: "),
            ("{ when: { operation: [] }, then: twice }", "operation: at least one"),
            ("{ when: { from: 5m, until: 1s }, then: twice }", "until: 1s is not after from, 300s"),
            ("{ when: { from: 1s, until: 1s }, then: twice }", "until: "),
            ("then: { throttle: { rate: 0 } }", "throttle: rate: "),
            ("then: { throttle: { rate: -1 } }", "throttle: rate: "),
            ("then: { throttle: { rate: .nan } }", "throttle: rate: "),
            ("then: { throttle: { rate: .inf } }", "throttle: rate: "),
            ("then: { throttle: { rate: 2, burst: 0.5 } }", "throttle: burst: a number"),
            ("then: { throttle: { burst: 2 } }", "throttle: burst: it goes"),
            ("then: { slow: { factor: -1 } }", "slow: factor: "),
            ("then: { slow: { factor: .nan } }", "slow: factor: "),
            ("then: { slow: { factor: 1001 } }", "slow: factor: "),
            ("then: { drop: { paths: [] } }", "drop: paths: "),
            ("then: { reject-readback: { path: '' } }", "reject-readback: \"\" leads"),
            ("then: { recase: { paths: [/properties/A, ''], to: upper } }", "recase: \"\" leads"),
        ] {
            check(text, expected);
        }
        for status in [0, 99, 100, 101, 199, 200, 204, 304, 399, 600, 1000] {
            check(&format!("then: {{ error: {{ code: ThrottlingException, status: {status} }} }}"), "error: status: ");
            check(&format!("then: {{ poll-error: {{ status: {status} }} }}"), "poll-error: status: ");
        }
        check("then: { poll-error: { status: 400 } }", "");
        check("then: { poll-error: { status: 599 } }", "");
    }

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let rules = Rule::read(text).unwrap();
        let said = rules.iter().map(Rule::check).find_map(Result::err).unwrap_or_default();
        assert!(said.starts_with(expected) && said.is_empty() == expected.is_empty(), "{text}: {said}");
    }
}
