//! Every real type through the provider's RPCs, in a cloud that behaves as the services do: it fills in what nobody sent,
//! and keeps values in the form that the service makes of them. What nobody changed must never be planned.
//!
//! Each type is created with the largest program that its schema accepts, with the smallest, and with values that some rule
//! rewrites ([`spellings`]); it is refreshed, changed in one property, refreshed, imported and deleted ([`life`]). [`known`]
//! has what is otherwise by nature. `WORLD=AWS::EC2` takes the types whose name begins so, and prints what was seen.
#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "a test fails by panicking, and prints what was asked for"
)]
#![allow(
    clippy::disallowed_methods,
    reason = "a test reads its tables, and whoever starts it says which types it takes"
)]

mod engine;
mod known;
mod life;
mod program;
mod spellings;
mod world;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use known::KNOWN;
use life::Found;
use metadata::view::Resource;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use world::World;

/// How many types are alive at once: their waits overlap.
const AT_ONCE: usize = 384;

#[test]
fn nothing_is_planned_that_nobody_changed() {
    let wanted = std::env::var("WORLD").ok();
    let is_wanted = |resource: &Resource| wanted.as_ref().is_none_or(|wanted| resource.cfn_type().starts_with(wanted));
    let resources: Vec<Resource> = generated::resources().filter(is_wanted).collect();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let (found, problems) = runtime.block_on(live(resources));
    let (mut effective, mut unknown) = (BTreeSet::new(), Vec::new());
    for [kind, when, path] in problems {
        let row = KNOWN.iter().position(|[known, at, _]| *known == kind && (*at == "*" || when.starts_with(at)));
        match row {
            Some(row) => drop(effective.insert(row)),
            None => unknown.push(format!("{kind} {when} {path}")),
        }
    }
    assert!(unknown.is_empty(), "{} problems:\n{}", unknown.len(), unknown.join("\n"));
    if wanted.is_some() {
        eprintln!("{found:#?}");
        return;
    }
    let idle: Vec<_> = (0..KNOWN.len()).filter(|row| !effective.contains(row)).map(|row| KNOWN[row]).collect();
    assert!(idle.is_empty(), "without effect: {idle:?}");
    // Fewer means that the test lost its teeth.
    for (what, least) in LEAST {
        assert!(found[&what] >= least, "{what:?}: {found:#?}");
    }
}

/// How much of everything there is at least.
const LEAST: [(Found, usize); 7] = [
    (Found::Types, 1_750),
    (Found::Created, 3_500),
    (Found::Rewritten, 200),
    (Found::FilledIn, 10_000),
    (Found::Refreshed, 6_000),
    (Found::Updated, 2_900),
    (Found::Imported, 3_300),
];

/// Lives the lives of all types; what was seen, and what is wrong.
async fn live(resources: Vec<Resource>) -> (BTreeMap<Found, usize>, Vec<[String; 3]>) {
    let world = Arc::new(World::start().await);
    let permits = Arc::new(Semaphore::new(AT_ONCE));
    let mut lives = JoinSet::new();
    for resource in resources {
        let (world, permits) = (Arc::clone(&world), Arc::clone(&permits));
        lives.spawn(async move {
            let _permit = permits.acquire_owned().await;
            life::live(&world, resource).await
        });
    }
    let (mut found, mut problems) = (BTreeMap::new(), Vec::new());
    while let Some(life) = lives.join_next().await {
        let life = life.unwrap();
        life.found.into_iter().for_each(|(what, count)| *found.entry(what).or_default() += count);
        problems.extend(life.problems);
    }
    problems.sort_unstable();
    (found, problems)
}
