//! The provider against a scripted service: waiting on a virtual clock, answers over real HTTP, and the gRPC service.
#![allow(clippy::unwrap_used, clippy::panic, clippy::disallowed_methods)] // a failure here is the test's failure

#[path = "../support/numbers.rs"]
#[allow(dead_code, reason = "shared with other tests, which use more of it")]
mod numbers;
#[path = "../support/random.rs"]
mod random;

mod adoption;
mod answers;
mod cases;
mod configuration;
mod cut_off;
mod identifiers;
mod identity;
mod journal;
mod killed;
mod limits;
mod missing_types;
mod outcomes;
mod ownership;
mod picked_up;
mod random_scripts;
mod rpc_log;
mod script;
mod secrets;
mod server;
mod service;
mod tags;
mod telling;
mod waiting;

use service::models;
