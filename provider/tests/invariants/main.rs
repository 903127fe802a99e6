//! Invariants over resource types and values made up at random, and over every real type.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]
#![allow(missing_docs, reason = "tests are named by what they show")]

#[path = "../support/faithful_cloud.rs"]
mod faithful_cloud;
#[path = "../support/models.rs"]
#[allow(dead_code, reason = "shared with other tests, which use more of it")]
mod models;
#[path = "../support/numbers.rs"]
mod numbers;
#[path = "../support/random.rs"]
mod random;
#[cfg(feature = "embedded")]
#[path = "../support/samples.rs"]
mod samples;

mod agreement;
mod life;
mod random_tags;
mod random_types;
#[cfg(feature = "embedded")]
mod real_types;
