//! Clients on a cloud where everything goes wrong now and then: each creates, changes and deletes resources of its own
//! with the patience of a careful client, and at the end the cloud must hold exactly what they believe it holds.

mod calls;
mod client;
mod kind;

use std::collections::BTreeMap;
use std::fmt;
use std::time::{Duration, Instant};

use anyhow::{Result, bail, ensure};
use serde_json::Value as Json;

use self::client::Client;
use self::kind::KINDS;
use crate::cloud::Cloud;

/// What came of it.
#[derive(Debug, Default)]
pub struct Outcome {
    /// Operations that ended well.
    pub operations: usize,
    /// Calls that were refused and made again, and operations that failed and were begun again.
    pub repeated: usize,
    /// Resources that failed creates left behind; their clients removed them.
    pub remnants: usize,
    /// Resources at the end.
    pub held: usize,
    /// How often each rule fired.
    pub fired: BTreeMap<String, u64>,
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} operations, {} repeated, {} remnants removed, {} resources at the end;",
            self.operations, self.repeated, self.remnants, self.held
        )?;
        self.fired.iter().try_for_each(|(rule, count)| write!(f, " {rule} {count}"))
    }
}

/// Lets clients work for so long on a cloud with a profile, and compares.
///
/// # Errors
///
/// When a client meets something that no careful client gets past, or the cloud holds something else than they believe.
pub fn soak(profile: &str, seed: u64, clients: u64, lasting: Duration) -> Result<Outcome> {
    let cloud = Cloud::start_with(profile, seed)?;
    let until = Instant::now() + lasting;
    let client = |index: u64| Client::new(cloud.url(), seed, index).work(until);
    let ended: Vec<Result<Client>> = std::thread::scope(|scope| {
        let running: Vec<_> = (0..clients).map(|index| scope.spawn(move || client(index))).collect();
        let join = |handle: std::thread::ScopedJoinHandle<'_, Result<Client>>| {
            handle.join().unwrap_or_else(|_| bail!("a client panicked"))
        };
        running.into_iter().map(join).collect()
    });
    let mut outcome = Outcome::default();
    let mut believed = BTreeMap::new();
    for client in ended {
        let client = client?;
        outcome.operations += client.operations;
        outcome.repeated += client.repeated;
        outcome.remnants += client.remnants;
        believed.extend(
            client
                .held
                .into_iter()
                .map(|(identifier, (kind, value))| ((KINDS[kind].type_name.to_owned(), identifier), value)),
        );
    }
    let mut there = BTreeMap::new();
    for kind in &KINDS {
        for (identifier, model) in cloud.resources(kind.type_name)? {
            there.insert((kind.type_name.to_owned(), identifier), model[kind.property].clone());
        }
    }
    outcome.held = there.len();
    for (resource, value) in &believed {
        ensure!(
            there.get(resource) == Some(value),
            "{resource:?} is believed to be {value}, and is {:?}",
            there.get(resource)
        );
    }
    let unknown: Vec<_> = there.keys().filter(|resource| !believed.contains_key(*resource)).collect();
    ensure!(unknown.is_empty(), "nobody knows of {unknown:?}");
    let rules: Json = ureq::get(format!("{}/_emu/rules", cloud.url())).call()?.body_mut().read_json()?;
    let fired = |rule: &Json| Some((rule["id"].as_str()?.to_owned(), rule["fired"].as_u64()?));
    outcome.fired = rules.as_array().into_iter().flatten().filter_map(fired).collect();
    Ok(outcome)
}
