//! What a server-made value is made of: where the resource lives, what it is, when it was made.

use crate::date;
use crate::entropy::{Entropy, digest_text};
use crate::overrides::Knowledge;
use crate::scope::Scope;
use serde_json::Value;
use std::time::SystemTime;

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
        date::seconds(self.now)
    }

    /// The time as ISO 8601 in UTC with milliseconds.
    pub(crate) fn time_text(&self) -> String {
        date::iso_millis(self.now)
    }
}
