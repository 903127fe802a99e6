//! What a server-made value is made of: where the resource lives, what it is, when it was made.

use crate::entropy::{Entropy, digest_text};
use crate::overrides::Knowledge;
use crate::scope::Scope;
use serde_json::Value;
use std::time::{Duration, SystemTime};

/// Everything that decides the server-made values of one resource.
#[derive(Debug)]
pub(crate) struct Context<'c> {
    pub(crate) knowledge: &'c Knowledge,
    pub(crate) scope: &'c Scope,
    /// The second part of the type name.
    pub(crate) namespace: &'c str,
    /// The third part of the type name.
    pub(crate) kind: &'c str,
    pub(crate) seed: u64,
    pub(crate) entropy: Entropy,
    pub(crate) now: SystemTime,
}

impl<'c> Context<'c> {
    /// `count` is how many resources with the same desired state were made before in the scope, so that a replacement
    /// gets other ids than what it replaces.
    pub(crate) fn new(
        knowledge: &'c Knowledge,
        scope: &'c Scope,
        type_name: &'c str,
        key: (u64, &Value, u64),
        now: SystemTime,
    ) -> Context<'c> {
        let (seed, desired, count) = key;
        let mut parts = type_name.split("::").skip(1);
        Context {
            knowledge,
            scope,
            namespace: parts.next().unwrap_or_default(),
            kind: parts.next().unwrap_or_default(),
            seed,
            entropy: Entropy::new(&[
                &seed.to_string(),
                &scope.account,
                &scope.region,
                type_name,
                &digest_text(&[&desired.to_string()]),
                &count.to_string(),
            ]),
            now,
        }
    }

    /// Draws that are the same for everything of `what` in this account and region.
    pub(crate) fn shared(&self, what: &str) -> Entropy {
        Entropy::new(&["shared", &self.seed.to_string(), &self.scope.account, &self.scope.region, what])
    }

    /// The region segment of an ARN, empty for services without one.
    pub(crate) fn arn_region(&self) -> &str {
        if self.knowledge.has_no_region(self.namespace) { "" } else { &self.scope.region }
    }

    /// The time in seconds since 1970.
    pub(crate) fn epoch(&self) -> u64 {
        self.now.duration_since(SystemTime::UNIX_EPOCH).map_or(0, |since| since.as_secs())
    }

    /// The time as ISO 8601 in UTC with milliseconds.
    pub(crate) fn time_text(&self) -> String {
        date_time(self.now)
    }
}

/// ISO 8601 in UTC with milliseconds.
fn date_time(time: SystemTime) -> String {
    let since = time.duration_since(SystemTime::UNIX_EPOCH).unwrap_or(Duration::ZERO);
    let (days, seconds) = (since.as_secs() / 86_400, since.as_secs() % 86_400);
    // Days to a Gregorian date, with years that begin in March so that the leap day is the last of its year.
    let shifted = days + 719_468;
    let era = shifted / 146_097;
    let day_of_era = shifted % 146_097;
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = year_of_era + era * 400 + u64::from(month <= 2);
    let (hour, minute, second) = (seconds / 3_600, seconds / 60 % 60, seconds % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{:03}Z", since.subsec_millis())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_written_in_utc() {
        for (seconds, expected) in [
            (0, "1970-01-01T00:00:00.000Z"),
            (951_782_400, "2000-02-29T00:00:00.000Z"),
            (1_772_323_199, "2026-02-28T23:59:59.000Z"),
            (4_102_444_800, "2100-01-01T00:00:00.000Z"),
        ] {
            assert_eq!(date_time(SystemTime::UNIX_EPOCH + Duration::from_secs(seconds)), expected);
        }
    }
}
