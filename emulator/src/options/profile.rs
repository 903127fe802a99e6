//! Profiles: how an emulator behaves as a whole. Files of them are read in [`profile_file`](super::profile_file).

use super::Switches;
use super::profile_file::{self, ProfileError};
use super::values;
use crate::faults::{Glob, Rule};
use crate::overrides::file::Latencies;
use crate::services::lambda::rule::FunctionRule;
use std::path::Path;

/// How long operations take, what goes wrong, and everything else that is not as by default.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Profile {
    /// What the profile is called.
    pub name: String,
    /// Decides every generated value, unless a seed is asked for.
    pub seed: Option<u64>,
    /// What durations are multiplied with.
    pub time_scale: f64,
    /// How many looks a request needs before it may be finished.
    pub looks: u32,
    /// Switches that the profile sets, by name; the last wins.
    pub switches: Vec<(String, String)>,
    /// How long operations of types take, whatever is known about them; the longest glob wins.
    pub latency: Vec<(Glob, Latencies)>,
    /// What goes wrong, in the order in which rules are asked.
    pub rules: Vec<Rule>,
    /// What functions of Lambda do, in the order in which rules are asked; after those of the options.
    pub functions: Vec<FunctionRule>,
}

impl Profile {
    /// The names of the built-in profiles, the default first.
    pub const NAMES: &[&str] = &["test", "fast", "realistic", "chaos"];

    /// No waiting: the first look at a request shows it running, the second finished.
    pub fn test() -> Profile {
        Profile::named("test").unwrap_or_default()
    }

    /// A hundredth of realistic durations.
    pub fn fast() -> Profile {
        Profile::named("fast").unwrap_or_default()
    }

    /// Durations as in the field, mostly one to five seconds.
    pub fn realistic() -> Profile {
        Profile::named("realistic").unwrap_or_default()
    }

    /// Fast, and everything goes wrong now and then.
    pub fn chaos() -> Profile {
        Profile::named("chaos").unwrap_or_default()
    }

    /// The built-in profile of this name.
    pub fn named(name: &str) -> Option<Profile> {
        profile_file::built_in(name)
    }

    /// Reads what durations are multiplied with.
    ///
    /// # Errors
    ///
    /// That it is no number from 0 to 1000.
    pub fn read_time_scale(text: &str) -> Result<f64, String> {
        values::time_scale(text)
    }

    /// Reads a profile from a file.
    ///
    /// # Errors
    ///
    /// [`ProfileError`], with line and column where there is one.
    pub fn read(path: &Path) -> Result<Profile, ProfileError> {
        profile_file::read(path)
    }

    /// Reads a profile from YAML. What it extends must be built in.
    ///
    /// # Errors
    ///
    /// As for [`Profile::read`].
    pub fn parse(name: &str, text: &str) -> Result<Profile, ProfileError> {
        profile_file::parse(name, text, None)
    }

    /// Sets what the profile says about switches.
    ///
    /// # Errors
    ///
    /// The first switch that does not exist or does not take the value.
    pub fn apply(&self, switches: &mut Switches) -> Result<(), String> {
        self.switches.iter().try_for_each(|(name, text)| switches.set(name, text))
    }

    /// What the profile says about how long operations of a type take.
    pub(crate) fn latency(&self, type_name: &str) -> Option<Latencies> {
        let fitting = self.latency.iter().filter(|(glob, _)| glob.matches(type_name));
        fitting.max_by_key(|(glob, _)| glob.as_str().len()).map(|(_, latencies)| *latencies)
    }
}

/// What every profile starts from.
impl Default for Profile {
    fn default() -> Profile {
        Profile {
            name: "test".to_owned(),
            seed: None,
            time_scale: 0.0,
            looks: 2,
            switches: Vec::new(),
            latency: Vec::new(),
            rules: Vec::new(),
            functions: Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn built_in_profiles_are_found_by_name() {
        for name in Profile::NAMES {
            assert_eq!(Profile::named(name).map(|profile| profile.name).as_deref(), Some(*name));
        }
        assert_eq!(Profile::named("none"), None);
        assert_eq!(Profile::test(), Profile::default());
        let (fast, chaos) = (Profile::fast(), Profile::chaos());
        assert_eq!((fast.time_scale, fast.looks, chaos.time_scale, chaos.rules.len()), (0.01, 0, 0.01, 5));
    }
}
