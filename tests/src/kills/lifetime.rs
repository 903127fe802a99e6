//! A stack from its creation to its end, cut off once in each step.

use std::collections::BTreeSet;

use anyhow::{Result, bail, ensure};

use super::judge::{GIVEN, RESOURCES, Sight};
use super::point::{Point, Step, Victim};
use super::tally::{Outcome, Tally};
use super::trap::Trap;
use crate::cloud::Cloud;
use crate::engine_child::{Engine, signal};
use crate::proxy::Proxy;
use crate::sandbox::Sandbox;

const UP: &[&str] = &["up", "--yes", "--skip-preview"];
const DESTROY: &[&str] = &["destroy", "--yes", "--skip-preview"];
/// The cloud is as the state says, and the state as the program says.
const COMPARE: &[&str] = &["preview", "--refresh", "--expect-no-changes"];

/// How often a command is run again after the kill, at most.
const RUNS: usize = 3;

pub struct Lifetime<'a> {
    cloud: &'a Cloud,
    trap: &'a Trap,
    sandbox: Sandbox,
    /// Plugins whose engine is gone.
    orphans: Vec<u32>,
    /// What exists beside the state since an earlier kill.
    strays: BTreeSet<(String, String)>,
}

/// What became of the command that was cut off.
struct CutOff {
    sprung: bool,
    printed: String,
    /// The tokens of what was on its way or had been made then, and the state did not know.
    tokens: BTreeSet<String>,
}

impl<'a> Lifetime<'a> {
    pub fn new(cloud: &'a Cloud, proxy: &Proxy, trap: &'a Trap) -> Result<Self> {
        trap.set(None);
        Ok(Self {
            cloud,
            trap,
            sandbox: Sandbox::of_program("kills", proxy.url())?,
            orphans: Vec::new(),
            strays: BTreeSet::new(),
        })
    }

    /// A whole life without a kill: the calls of each step.
    pub fn rehearse(&self) -> Result<[usize; 3]> {
        let mut calls = [0; 3];
        for step in Step::ALL {
            self.begin(step)?;
            self.trap.set(None);
            self.sandbox.succeed(command(step))?;
            calls[step as usize] = self.trap.end().0;
        }
        Ok(calls)
    }

    pub fn live(&mut self, points: &[Point; 3], tally: &mut Tally, listener: &mut dyn FnMut(&str)) -> Result<()> {
        for point in points {
            self.begin(point.step)?;
            let cut = self.cut_off(point, tally)?;
            let (outcome, goes_on) = self.recover(point, &cut, tally)?;
            listener(&format!("{point:?}: {outcome:?}"));
            tally.add(point.step, point.victim, outcome);
            if !goes_on {
                break;
            }
        }
        Ok(())
    }

    /// What precedes a step.
    fn begin(&self, step: Step) -> Result<()> {
        if step == Step::Update {
            self.sandbox.edit("default: first", "default: second")?;
        }
        Ok(())
    }

    fn cut_off(&mut self, point: &Point, tally: &mut Tally) -> Result<CutOff> {
        self.trap.set(Some(*point));
        let engine = Engine::start(&self.sandbox, command(point.step))?;
        self.trap.engine(engine.id());
        let said = engine.wait()?;
        let (_, sprung, orphans) = self.trap.end();
        self.orphans.extend(orphans);
        if point.victim != Victim::Provider && sprung {
            // The engine may die while it writes its file, and leaves a lock behind in any case; a person does the same.
            tally.torn += usize::from(self.sandbox.mend_checkpoint()?);
            self.sandbox.succeed(&["cancel", "--yes"])?;
        }
        let tokens = Sight::cut_off(self.cloud, &self.sandbox, point.step)?;
        Ok(CutOff { sprung, printed: said.all(), tokens })
    }

    /// Runs the command again, and judges. False when the stack cannot go on, as something is not in its state.
    fn recover(&mut self, point: &Point, cut: &CutOff, tally: &mut Tally) -> Result<(Outcome, bool)> {
        let mut printed = cut.printed.clone();
        let mut done = false;
        for run in 0..RUNS {
            let said = self.sandbox.run(command(point.step))?;
            printed.push_str(&said.all());
            done = said.ok;
            tally.repeated += usize::from(run > 0);
            if done {
                break;
            }
        }
        let sight = Sight::of(self.cloud, &self.sandbox)?;
        let mut outcome = match (cut.sprung, cut.tokens.is_empty()) {
            (false, _) => Outcome::NotReached,
            (true, true) => Outcome::NothingCutOff,
            (true, false) => Outcome::PickedUp,
        };
        for stray in sight.strays() {
            if !self.strays.insert(stray.clone()) {
                continue;
            }
            let is_named = sight.is_named(stray, &printed);
            tally.named += usize::from(is_named);
            tally.lost += usize::from(!is_named);
            let is_doubled = GIVEN.contains(&stray.0.as_str()) && sight.state.iter().any(|(name, _)| *name == stray.0);
            tally.doubled += usize::from(is_doubled);
            outcome = outcome.max(if is_named { Outcome::Named } else { Outcome::Lost });
            tally.stories.push(format!("{}: {stray:?} after {point:?}", if is_named { "named" } else { "lost" }));
        }
        for ghost in sight.ghosts() {
            outcome = Outcome::Lost;
            tally.stories.push(format!("the state has {ghost:?}, which is gone, after {point:?}"));
        }
        if sight.entries != sight.state.len() {
            outcome = Outcome::Lost;
            tally.stories.push(format!("a resource is in the state twice, after {point:?}"));
        }
        if point.step == Step::Create {
            tally.picked_up += sight.picked_up(&cut.tokens);
        }
        if !done {
            ensure!(outcome >= Outcome::Named, "the command fails again and again after {point:?}:\n{printed}");
            return Ok((outcome, false));
        }
        self.compare(point, &printed)?;
        match point.step {
            Step::Delete => ensure!(sight.entries == 0, "after the destroy the state has {:?}", sight.state),
            Step::Create | Step::Update => ensure!(sight.entries == RESOURCES, "the state has {:?}", sight.state),
        }
        Ok((outcome, true))
    }

    fn compare(&self, point: &Point, printed: &str) -> Result<()> {
        if point.step == Step::Delete {
            return Ok(());
        }
        let said = self.sandbox.run(COMPARE)?;
        if !said.ok {
            bail!("what there is differs after {point:?}:\n{}\nbefore that:\n{printed}", said.all());
        }
        Ok(())
    }
}

fn command(step: Step) -> &'static [&'static str] {
    match step {
        Step::Create | Step::Update => UP,
        Step::Delete => DESTROY,
    }
}

impl Drop for Lifetime<'_> {
    fn drop(&mut self) {
        for orphan in &self.orphans {
            // Most have ended by themselves.
            let _ = signal("KILL", &orphan.to_string());
        }
    }
}
