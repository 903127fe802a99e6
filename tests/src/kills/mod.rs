//! The provider or the engine is killed (SIGKILL) at a drawn call of a create, an update or a destroy, and the command is run
//! again. What the cloud holds must then be in the state, or have been named with the token of its request.
//!
//! A lifetime is a stack with three kills: one in each of its steps. A proxy between provider and cloud counts the calls and
//! kills (`trap`); `lifetime` runs the engine; `judge` compares cloud, state and what was printed; `tally` adds up.

mod judge;
mod lifetime;
pub mod point;
pub mod tally;
mod trap;

use std::io::Write as _;
use std::sync::Arc;

use anyhow::{Context, Result, ensure};

use crate::cloud::Cloud;
use crate::proxy::Proxy;
use crate::random::Random;
use lifetime::Lifetime;
use point::{Point, Step};
use tally::Tally;
use trap::Trap;

/// An operation is finished at its third look, so that there is a time in which it runs.
const PROFILE: &str = "extends: test\nlooks: 3\n";

/// Kills at `count` points, more where the last lifetime has more.
///
/// # Errors
///
/// When the machinery fails, or when a stack cannot be brought to its end; what was lost is in the tally, not an error.
pub fn run(count: usize, seed: u64, listener: &mut dyn FnMut(&str)) -> Result<Tally> {
    let mut profile = tempfile::Builder::new().suffix(".yaml").tempfile()?;
    profile.write_all(PROFILE.as_bytes())?;
    let profile = profile.path().to_str().context("a temporary file with an odd name")?.to_owned();
    let cloud = Cloud::start_with(&profile, seed)?;
    let trap = Arc::new(Trap::default());
    let proxy = Proxy::start(cloud.url(), Trap::listener(&trap))?;
    let calls = Lifetime::new(&cloud, &proxy, &trap)?.rehearse()?;
    ensure!(Step::ALL.iter().all(|step| calls[*step as usize] > 0), "a step without calls: {calls:?}");
    let mut random = Random::new(seed);
    let mut tally = Tally::default();
    let mut number = 0;
    while tally.points() < count {
        // A lifetime has three points, and nearly all of them are reached.
        ensure!(number <= count, "{number} lifetimes reached {} of {count} points", tally.points());
        cloud.reset()?;
        let points = Step::ALL.map(|step| Point::draw(&mut random, step, calls[step as usize], number));
        number += 1;
        let mut lifetime = Lifetime::new(&cloud, &proxy, &trap)?;
        lifetime.live(&points, &mut tally, listener).with_context(|| format!("lifetime {number}: {points:?}"))?;
    }
    Ok(tally)
}
