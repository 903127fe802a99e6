//! What can be switched about the behavior of an emulator, with the defaults, and setting a switch by its name. How each
//! is called, read and shown is in [`table`].

mod table;

pub use table::{SWITCHES, Switch};

use super::choices::{
    Auth, Coerce, Conditional, Defaults, Detail, Durability, FirstStatus, Nulls, OnReadOnly, References, RetryAfter,
    Told, Unprovisionable,
};
use super::deny::Denial;
use super::values::Throttle;
use std::path::PathBuf;
use std::time::Duration;

/// What can be switched about the behavior of an emulator.
#[derive(Debug, Clone, PartialEq)]
pub struct Switches {
    /// Enforces requiredXor, requiredOr, dependentRequired and dependentExcluded. Default off.
    pub linter_keywords: bool,
    /// Ends with exit code 5 when the schemas give any warning. Default off.
    pub strict_schemas: bool,
    /// What becomes of types that cannot be provisioned. Default [`Unprovisionable::default`].
    pub unprovisionable: Unprovisionable,
    /// The regions that exist, separated by commas; all when it is empty. Default none.
    pub regions: Vec<String>,
    /// A file, or a folder with a file for each region, that says which types each region has. Default none.
    pub region_types: Option<PathBuf>,
    /// What becomes of scalars of the wrong JSON type. Default [`Coerce::default`].
    pub coerce: Coerce,
    /// What becomes of nulls in a desired state. Default [`Nulls::default`].
    pub nulls: Nulls,
    /// What becomes of read-only properties in a desired state. Default [`OnReadOnly::default`].
    pub readonly_on_create: OnReadOnly,
    /// Minutes for which a client token means the same request. Default 2160.
    pub client_token_ttl: Duration,
    /// Minutes for which requests can be asked about. Default 10080.
    pub request_ttl: Duration,
    /// How a taken identifier is told. Default [`Told::default`].
    pub already_exists: Told,
    /// How deleting what does not exist is told. Default [`Told::default`].
    pub delete_missing: Told,
    /// Which defaults reads show. Default [`Defaults::default`].
    pub defaults: Defaults,
    /// Stores values as the services' own transformations make them. Default on.
    pub transforms: bool,
    /// Reads show arrays without order in another order than they were written. Default off.
    pub reorder: bool,
    /// Adds a tag of the service to resources that carry such tags. Default off.
    pub system_tags: bool,
    /// What lists show of a resource. Default [`Detail::default`].
    pub list_model: Detail,
    /// What events show of a resource. Default [`Detail::default`].
    pub event_model: Detail,
    /// Updates keep write-only values that are not sent again. Default off.
    pub writeonly_merge: bool,
    /// What becomes of changes to conditionally create-only properties. Default [`Conditional::default`].
    pub conditional: Conditional,
    /// What becomes of deleting a resource that another one names. Default [`References::default`].
    pub refs: References,
    /// Resources on a page of a list. Default 50.
    pub page_size: usize,
    /// Pages have as many entries as the caller asks for. Default on.
    pub honour_max_results: bool,
    /// The status of the first event. Default [`FirstStatus::default`].
    pub first_status: FirstStatus,
    /// Requests of an account and region that run at once. Default 32.
    pub concurrency: usize,
    /// Whether events say when to ask again. Default [`RetryAfter::default`].
    pub retry_after: RetryAfter,
    /// How probably a cancelled create leaves part of a resource, 0 to 1. Default 0.
    pub cancel_leaves: f64,
    /// What signatures are held to. Default [`Auth::default`].
    pub auth: Auth,
    /// What callers and handlers may not do, ACTION[@PRINCIPAL],… Default nothing.
    pub deny: Vec<Denial>,
    /// Calls with a role act in the account of the role. Default off.
    pub role_switches_account: bool,
    /// Calls a second that each operation of an account and region serves, RATE[/BURST], or off. Default off.
    pub throttle: Option<Throttle>,
    /// What the state folder survives; os for profile test, else fsync. Default by profile.
    pub durability: Option<Durability>,
    /// S3 serves buckets that were never created. Default off.
    pub s3_auto_bucket: bool,
}

impl Default for Switches {
    fn default() -> Switches {
        Switches {
            linter_keywords: false,
            strict_schemas: false,
            unprovisionable: Unprovisionable::default(),
            regions: Vec::new(),
            region_types: None,
            coerce: Coerce::default(),
            nulls: Nulls::default(),
            readonly_on_create: OnReadOnly::default(),
            client_token_ttl: Duration::from_secs(2160 * 60),
            request_ttl: Duration::from_secs(10080 * 60),
            already_exists: Told::default(),
            delete_missing: Told::default(),
            defaults: Defaults::default(),
            transforms: true,
            reorder: false,
            system_tags: false,
            list_model: Detail::default(),
            event_model: Detail::default(),
            writeonly_merge: false,
            conditional: Conditional::default(),
            refs: References::default(),
            page_size: 50,
            honour_max_results: true,
            first_status: FirstStatus::default(),
            concurrency: 32,
            retry_after: RetryAfter::default(),
            cancel_leaves: 0.0,
            auth: Auth::default(),
            deny: Vec::new(),
            role_switches_account: false,
            throttle: None,
            durability: None,
            s3_auto_bucket: false,
        }
    }
}

impl Switches {
    /// Sets a switch by its name, without dashes before it.
    ///
    /// # Errors
    ///
    /// What is wrong with name or value, and what would be right.
    pub fn set(&mut self, name: &str, text: &str) -> Result<(), String> {
        // The name that goes with sparse events; lists have no other word for it.
        let text = if (name, text) == ("event-model", "sparse") { "identifier" } else { text };
        let known = SWITCHES.iter().find(|switch| switch.name == name);
        let switch = known.ok_or_else(|| format!("there is no switch {name}"))?;
        (switch.set)(self, text).map_err(|reason| format!("{name}: {reason}"))
    }

    /// Every switch by name with its present value as text, in order.
    pub fn all(&self) -> impl Iterator<Item = (&'static str, String)> {
        SWITCHES.iter().map(|switch| (switch.name, (switch.get)(self)))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

    use super::*;

    #[test]
    fn every_switch_takes_back_what_it_shows() {
        let defaults = Switches::default();
        let mut switches = defaults.clone();
        for (name, text) in defaults.all() {
            if !(name == "durability" && text.is_empty()) {
                switches.set(name, &text).unwrap();
            }
        }
        assert_eq!(switches, defaults);
        let mut names: Vec<&str> = SWITCHES.iter().map(|switch| switch.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), SWITCHES.len(), "names are unique");
    }

    #[test]
    fn every_named_value_can_be_chosen_and_others_cannot() {
        for switch in SWITCHES {
            let mut switches = Switches::default();
            for value in switch.values {
                switches.set(switch.name, value).unwrap();
                assert_eq!((switch.get)(&switches), *value, "{}", switch.name);
            }
            if !switch.values.is_empty() {
                let error = switches.set(switch.name, "nonsense").unwrap_err();
                assert!(error.starts_with(switch.name) && error.contains(switch.values[0]), "{error}");
            }
        }
        let mut switches = Switches::default();
        for (name, text) in
            [("page-size", "0"), ("page-size", "x"), ("cancel-leaves", "1.5"), ("throttle", "30/0"), ("none", "on")]
        {
            assert!(switches.set(name, text).is_err(), "{name} {text}");
        }
        assert_eq!(switches, Switches::default());
    }
}
