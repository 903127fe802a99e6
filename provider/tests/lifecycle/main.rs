//! The life cycle as functions over values, against small hand-made types and a cloud that behaves.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]
#![allow(missing_docs, reason = "tests are named by what they show")]

#[path = "../support/fake_cloud.rs"]
mod fake_cloud;
#[path = "../support/models.rs"]
mod models;
#[path = "../support/values.rs"]
mod values;

mod agreement;
mod check;
mod convert;
mod create;
mod damaged_states;
mod default_tags;
mod diff_detail;
mod diff_quiet;
mod diff_replace;
mod diff_unseen;
mod drift;
mod failed_create;
mod ignored_tags;
mod import;
mod invariants;
mod marks;
mod next_steps;
mod patch;
mod preview;
mod printed;
mod refresh;
mod rewritten;
mod schema_rules;
mod secrets;
mod types;
mod update;
mod whole;
