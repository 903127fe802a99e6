//! What no program should send and no service should answer: each gets a clear error, the same process lives on, nothing
//! that the state knows is lost, and no secret is told.
//!
//! | module | what is bad |
//! |---|---|
//! | [`asked`] | nothing: the life cycle calls that the others make, and what a good refusal looks like |
//! | [`requests`] | types, URNs, ids, values |
//! | [`configuration`] | keys and values of the provider's configuration, and their order in time |
//! | [`checkpoints`] | the recorded state |
//! | [`credentials`] | missing and expired ones |
//! | [`answers`] | what an endpoint says, or that it says nothing |
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test ends with its first surprise")]

mod answers;
mod asked;
mod checkpoints;
mod configuration;
mod credentials;
mod requests;
