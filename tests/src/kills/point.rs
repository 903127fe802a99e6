//! Where a kill happens, drawn from a seed.

use std::fmt;

use crate::random::Random;

/// What is killed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Victim {
    /// The plugin; the engine sees its connection break.
    Provider,
    /// The CLI, and its plugin with it.
    Engine,
    /// The CLI alone; its plugin goes on with what it was asked.
    EngineAlone,
}

/// The command that is cut off.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Step {
    /// `up` of a new stack.
    Create,
    /// `up` after a change of every resource.
    Update,
    /// `destroy`.
    Delete,
}

/// How far the call had come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Moment {
    /// The cloud never sees it.
    BeforeTheCloud,
    /// The cloud has taken it, its answer never arrives.
    BeforeTheAnswer,
    /// Right after its answer.
    AfterTheAnswer,
    /// At the next call, or 50 ms later when there is none, after the provider has drawn its conclusions.
    Later,
}

/// One kill.
#[derive(Debug, Clone, Copy)]
pub struct Point {
    /// What is killed.
    pub victim: Victim,
    /// In which command.
    pub step: Step,
    /// At which of its calls, from 1.
    pub call: usize,
    /// How far that one had come.
    pub moment: Moment,
}

impl Step {
    /// In the order of a lifetime; a step's number is its place here.
    pub const ALL: [Self; 3] = [Self::Create, Self::Update, Self::Delete];
}

impl Moment {
    const ALL: [Self; 4] = [Self::BeforeTheCloud, Self::BeforeTheAnswer, Self::AfterTheAnswer, Self::Later];
}

impl fmt::Display for Victim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Provider => "provider",
            Self::Engine => "engine and provider",
            Self::EngineAlone => "engine alone",
        })
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Create => "create",
            Self::Update => "update",
            Self::Delete => "delete",
        })
    }
}

impl Point {
    /// A point of `step`, which makes `calls` calls. Moments and victims take turns, so that each pair comes equally often: half
    /// of the kills hit the provider.
    pub fn draw(random: &mut Random, step: Step, calls: usize, number: usize) -> Self {
        let turn = number + step as usize;
        let victim = match (turn / Moment::ALL.len()) % 4 {
            0 | 2 => Victim::Provider,
            1 => Victim::Engine,
            _ => Victim::EngineAlone,
        };
        Self { victim, step, call: 1 + random.below(calls), moment: Moment::ALL[turn % Moment::ALL.len()] }
    }
}

#[cfg(test)]
mod tests {
    use super::{Moment, Point, Random, Step, Victim};

    #[test]
    fn every_pair_of_victim_and_moment_has_its_turn() {
        let mut random = Random::new(7);
        let points: Vec<_> = (0..16).map(|number| Point::draw(&mut random, Step::Update, 9, number)).collect();
        for victim in [Victim::Provider, Victim::Engine, Victim::EngineAlone] {
            for moment in Moment::ALL {
                assert!(points.iter().any(|point| point.victim == victim && point.moment == moment));
            }
        }
        assert!(points.iter().all(|point| (1..=9).contains(&point.call)));
        let mut again = Random::new(7);
        assert!((0..16).all(|number| Point::draw(&mut again, Step::Update, 9, number).call == points[number].call));
    }
}
