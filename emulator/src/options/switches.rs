//! Every switch of behavior: its name, its default, and how a text sets it. The command's flags, the variables
//! `CLOUDCONTROL_EMULATOR_NAME` and the `switches` of a profile are all made from [`SWITCHES`].

use super::choices::{
    Auth, Coerce, Conditional, Defaults, Detail, Durability, FirstStatus, Nulls, OnReadOnly, References, RetryAfter,
    Told, Unprovisionable,
};
use super::deny::Denial;
use super::values::{Throttle, count, minutes, names, on_off, one_of, share};
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
    /// Which defaults reads show. Default [`Defaults::Schema`], until clients can explain what they never sent.
    pub defaults: Defaults,
    /// Stores values as the services' own transformations make them. Default off, until clients can explain what differs by
    /// that.
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
            transforms: false,
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

/// One switch.
#[derive(Debug)]
pub struct Switch {
    /// The flag without dashes.
    pub name: &'static str,
    /// The values that there are; empty when any text of the right kind will do.
    pub values: &'static [&'static str],
    /// What the value is called in the help.
    pub value_name: &'static str,
    /// One sentence without its period.
    pub help: &'static str,
    /// Sets it from a text.
    pub set: fn(&mut Switches, &str) -> Result<(), String>,
    /// Its value as text.
    pub get: fn(&Switches) -> String,
}

macro_rules! choice {
    ($name:literal, $field:ident, $kind:ident, $help:literal) => {
        Switch {
            name: $name,
            values: $kind::NAMES,
            value_name: "VALUE",
            help: $help,
            set: |switches, text| {
                switches.$field = $kind::parse(text).ok_or_else(|| one_of($kind::NAMES))?;
                Ok(())
            },
            get: |switches| switches.$field.name().to_owned(),
        }
    };
}

macro_rules! on_off {
    ($name:literal, $field:ident, $help:literal) => {
        Switch {
            name: $name,
            values: &["on", "off"],
            value_name: "VALUE",
            help: $help,
            set: |switches, text| {
                switches.$field = on_off(text)?;
                Ok(())
            },
            get: |switches| (if switches.$field { "on" } else { "off" }).to_owned(),
        }
    };
}

macro_rules! of_text {
    ($name:literal, $field:ident, $values:expr, $value_name:literal, $help:literal, |$text:ident| $read:expr, |$value:ident| $show:expr) => {
        Switch {
            name: $name,
            values: $values,
            value_name: $value_name,
            help: $help,
            set: |switches, $text| {
                switches.$field = $read?;
                Ok(())
            },
            get: |switches| {
                let $value = &switches.$field;
                $show
            },
        }
    };
}

/// Every switch.
pub const SWITCHES: &[Switch] = &[
    on_off!(
        "linter-keywords",
        linter_keywords,
        "Enforces requiredXor, requiredOr, dependentRequired and dependentExcluded"
    ),
    on_off!("strict-schemas", strict_schemas, "Ends with exit code 5 when the schemas give any warning"),
    choice!("unprovisionable", unprovisionable, Unprovisionable, "What becomes of types that cannot be provisioned"),
    of_text!(
        "regions",
        regions,
        &[],
        "A,B",
        "The regions that exist, separated by commas; all when it is empty",
        |text| Ok::<_, String>(names(text)),
        |value| value.join(",")
    ),
    of_text!(
        "region-types",
        region_types,
        &[],
        "FILE|DIR",
        "A file, or a folder with a file for each region, that says which types each region has",
        |text| Ok::<_, String>(Some(PathBuf::from(text)).filter(|path| !path.as_os_str().is_empty())),
        |value| value.as_ref().map_or_else(String::new, |path| path.display().to_string())
    ),
    choice!("coerce", coerce, Coerce, "What becomes of scalars of the wrong JSON type"),
    choice!("nulls", nulls, Nulls, "What becomes of nulls in a desired state"),
    choice!(
        "readonly-on-create",
        readonly_on_create,
        OnReadOnly,
        "What becomes of read-only properties in a desired state"
    ),
    of_text!(
        "client-token-ttl",
        client_token_ttl,
        &[],
        "MINUTES",
        "Minutes for which a client token means the same request",
        |text| minutes(text),
        |value| (value.as_secs() / 60).to_string()
    ),
    of_text!(
        "request-ttl",
        request_ttl,
        &[],
        "MINUTES",
        "Minutes for which requests can be asked about",
        |text| minutes(text),
        |value| (value.as_secs() / 60).to_string()
    ),
    choice!("already-exists", already_exists, Told, "How a taken identifier is told"),
    choice!("delete-missing", delete_missing, Told, "How deleting what does not exist is told"),
    choice!("defaults", defaults, Defaults, "Which defaults reads show"),
    on_off!("transforms", transforms, "Stores values as the services' own transformations make them"),
    on_off!("reorder", reorder, "Reads show arrays without order in another order than they were written"),
    on_off!("system-tags", system_tags, "Adds a tag of the service to resources that carry such tags"),
    choice!("list-model", list_model, Detail, "What lists show of a resource"),
    choice!("event-model", event_model, Detail, "What events show of a resource"),
    on_off!("writeonly-merge", writeonly_merge, "Updates keep write-only values that are not sent again"),
    choice!("conditional", conditional, Conditional, "What becomes of changes to conditionally create-only properties"),
    choice!("refs", refs, References, "What becomes of deleting a resource that another one names"),
    of_text!("page-size", page_size, &[], "COUNT", "Resources on a page of a list", |text| count(text), |value| value
        .to_string()),
    on_off!("honour-max-results", honour_max_results, "Pages have as many entries as the caller asks for"),
    choice!("first-status", first_status, FirstStatus, "The status of the first event"),
    of_text!(
        "concurrency",
        concurrency,
        &[],
        "COUNT",
        "Requests of an account and region that run at once",
        |text| count(text),
        |value| value.to_string()
    ),
    choice!("retry-after", retry_after, RetryAfter, "Whether events say when to ask again"),
    of_text!(
        "cancel-leaves",
        cancel_leaves,
        &[],
        "SHARE",
        "How probably a cancelled create leaves part of a resource, 0 to 1",
        |text| share(text),
        |value| value.to_string()
    ),
    choice!("auth", auth, Auth, "What signatures are held to"),
    of_text!(
        "deny",
        deny,
        &[],
        "ACTION[@PRINCIPAL],…",
        "What callers (cloudformation:CreateResource) and handlers (sqs:CreateQueue) may not do; * stands for anything",
        |text| Denial::parse_list(text),
        |value| value.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")
    ),
    on_off!("role-switches-account", role_switches_account, "Calls with a role act in the account of the role"),
    of_text!(
        "throttle",
        throttle,
        &[],
        "RATE[/BURST]",
        "Calls a second that each operation of an account and region serves, RATE[/BURST], or off",
        |text| Throttle::parse(text),
        |value| value.map_or_else(|| "off".to_owned(), |throttle| throttle.to_string())
    ),
    of_text!(
        "durability",
        durability,
        Durability::NAMES,
        "VALUE",
        "What the state folder survives; os for profile test, else fsync",
        |text| Durability::parse(text).map(Some).ok_or_else(|| one_of(Durability::NAMES)),
        |value| value.map_or_else(String::new, |value| value.name().to_owned())
    ),
    on_off!("s3-auto-bucket", s3_auto_bucket, "S3 serves buckets that were never created"),
];

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
