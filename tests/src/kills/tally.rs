//! What came of all kills.

use std::collections::BTreeMap;
use std::fmt;

use super::point::{Step, Victim};

/// What was found after the next run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    /// The command ended before its turn came.
    NotReached,
    /// Nothing was under way that the state did not know.
    NothingCutOff,
    /// What was cut off is as the program says, and the state knows it.
    PickedUp,
    /// What is not in the state was named with its request token.
    Named,
    /// Something exists that nobody was told of, or the state has what is gone.
    Lost,
}

/// Counts of kills, and of the resources whose creation they cut off.
#[derive(Debug, Default)]
pub struct Tally {
    kills: BTreeMap<(Step, Victim, Outcome), usize>,
    /// Resources that were being created when the kill came, and are in the state now.
    pub picked_up: usize,
    /// Resources that exist beside those of the state, and were named.
    pub named: usize,
    /// Resources that exist beside those of the state and were not.
    pub lost: usize,
    /// Resources with a given name that exist twice.
    pub doubled: usize,
    /// Further runs that a step needed, beyond the one after the kill.
    pub repeated: usize,
    /// Checkpoints that the killed engine left half written, and that were mended by hand.
    pub torn: usize,
    /// A line for each thing that was lost.
    pub stories: Vec<String>,
}

impl Outcome {
    const ALL: [(Self, &str); 5] = [
        (Self::NothingCutOff, "nothing cut off"),
        (Self::PickedUp, "picked up"),
        (Self::Named, "named"),
        (Self::Lost, "lost"),
        (Self::NotReached, "not reached"),
    ];
}

impl Tally {
    /// Adds one kill.
    pub fn add(&mut self, step: Step, victim: Victim, outcome: Outcome) {
        *self.kills.entry((step, victim, outcome)).or_default() += 1;
    }

    /// How many kills happened.
    #[must_use]
    pub fn points(&self) -> usize {
        let reached = self.kills.iter().filter(|((.., outcome), _)| *outcome != Outcome::NotReached);
        reached.map(|(_, count)| count).sum()
    }

    /// How many kills had this outcome.
    #[must_use]
    pub fn count(&self, wanted: Outcome) -> usize {
        self.kills.iter().filter(|((.., outcome), _)| *outcome == wanted).map(|(_, count)| count).sum()
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:<10}{:<22}", "step", "killed")?;
        for (_, name) in Outcome::ALL {
            write!(f, "{name:>17}")?;
        }
        writeln!(f)?;
        for step in Step::ALL {
            for victim in [Victim::Provider, Victim::Engine, Victim::EngineAlone] {
                write!(f, "{:<10}{:<22}", step.to_string(), victim.to_string())?;
                for (outcome, _) in Outcome::ALL {
                    write!(f, "{:>17}", self.kills.get(&(step, victim, outcome)).copied().unwrap_or_default())?;
                }
                writeln!(f)?;
            }
        }
        writeln!(
            f,
            "{} kills. Of the resources that were being created {} were picked up; beside those of the states exist {} that were \
             named, {} that were not; {} with a given name exist twice. {} runs were repeated, {} half-written files of the engine mended.",
            self.points(),
            self.picked_up,
            self.named,
            self.lost,
            self.doubled,
            self.repeated,
            self.torn
        )?;
        self.stories.iter().try_for_each(|story| writeln!(f, "{story}"))
    }
}

#[cfg(test)]
mod tests {
    use super::{Outcome, Step, Tally, Victim};

    #[test]
    fn what_was_not_reached_is_no_kill() {
        let mut tally = Tally::default();
        tally.add(Step::Create, Victim::Provider, Outcome::PickedUp);
        tally.add(Step::Delete, Victim::Engine, Outcome::NotReached);
        assert_eq!((tally.points(), tally.count(Outcome::PickedUp)), (1, 1));
        assert!(tally.to_string().contains("1 kills"));
    }
}
