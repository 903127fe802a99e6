//! Profiles: how an emulator behaves as a whole.

use super::Switches;
use crate::faults::Rule;

/// How long operations take, and everything else that is not as by default.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Profile {
    /// What the profile is called.
    pub name: String,
    /// What durations are multiplied with.
    pub time_scale: f64,
    /// How many looks a request needs before it may be finished.
    pub looks: u32,
    /// Switches that the profile sets, by name.
    pub switches: Vec<(String, String)>,
    /// What goes wrong, in the order in which rules are asked.
    pub rules: Vec<Rule>,
}

impl Profile {
    /// The names of the built-in profiles, the default first.
    pub const NAMES: &[&str] = &["test", "fast", "realistic"];

    /// No waiting: the first look at a request shows it running, the second finished.
    pub fn test() -> Profile {
        Profile::built_in("test", 0.0, 2)
    }

    /// A hundredth of realistic durations.
    pub fn fast() -> Profile {
        Profile::built_in("fast", 0.01, 0)
    }

    /// Durations as in the field, mostly one to five seconds.
    pub fn realistic() -> Profile {
        Profile::built_in("realistic", 1.0, 0)
    }

    /// The built-in profile of this name.
    pub fn named(name: &str) -> Option<Profile> {
        match name {
            "test" => Some(Profile::test()),
            "fast" => Some(Profile::fast()),
            "realistic" => Some(Profile::realistic()),
            _ => None,
        }
    }

    fn built_in(name: &str, time_scale: f64, looks: u32) -> Profile {
        Profile { name: name.to_owned(), time_scale, looks, switches: Vec::new(), rules: Vec::new() }
    }

    /// Sets what the profile says about switches.
    ///
    /// # Errors
    ///
    /// The first switch that does not exist or does not take the value.
    pub fn apply(&self, switches: &mut Switches) -> Result<(), String> {
        self.switches.iter().try_for_each(|(name, text)| switches.set(name, text))
    }
}

impl Default for Profile {
    fn default() -> Profile {
        Profile::test()
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
    }
}
