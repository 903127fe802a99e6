//! Every switch of behavior: its name and how a text sets it. The command's flags, the variables
//! `CLOUDCONTROL_EMULATOR_NAME` and the `switches` of a profile are all made from [`SWITCHES`].

use super::Switches;
use crate::options::choices::{
    Auth, Coerce, Conditional, Defaults, Detail, Durability, FirstStatus, Nulls, OnReadOnly, References, RetryAfter,
    Told, Unprovisionable,
};
use crate::options::deny::Denial;
use crate::options::values::{Throttle, count, minutes, on_off, one_of, regions, share};
use std::path::PathBuf;

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
        |text| regions(text),
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
