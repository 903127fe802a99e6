//! How texts become the values of switches.

use crate::faults::Throttling;
use crate::scope::is_region;
use std::fmt;
use std::time::Duration;

/// How many calls are served.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Throttle {
    /// Calls a second, on average.
    pub rate: f64,
    /// Calls at once.
    pub burst: f64,
}

impl Throttle {
    /// Reads `RATE[/BURST]`; the burst is the rate, and at least 1, when it is not given. `off` is none.
    pub(super) fn parse(text: &str) -> Result<Option<Throttle>, String> {
        if text == "off" {
            return Ok(None);
        }
        let (rate, burst) = text.split_once('/').map_or((text, None), |(rate, burst)| (rate, Some(burst)));
        let number = |text: &str| text.parse::<f64>().ok().filter(|number| number.is_finite() && *number > 0.0);
        let burst = burst.map_or_else(|| number(rate).map(Throttling::usual_burst), number);
        match (number(rate), burst.filter(|burst| *burst >= 1.0)) {
            (Some(rate), Some(burst)) => Ok(Some(Throttle { rate, burst })),
            _ => Err("off or RATE[/BURST] is wanted, a number above 0 and one from 1".to_owned()),
        }
    }
}

impl fmt::Display for Throttle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.rate, self.burst)
    }
}

/// Reads what durations are multiplied with.
pub(super) fn time_scale(text: &str) -> Result<f64, String> {
    let is_scale = |scale: &f64| (0.0..=1000.0).contains(scale);
    text.parse().ok().filter(is_scale).ok_or_else(|| "a number from 0 to 1000 is wanted".to_owned())
}

pub(super) fn one_of(names: &[&str]) -> String {
    format!("one of {} is wanted", names.join(", "))
}

pub(super) fn on_off(text: &str) -> Result<bool, String> {
    match text {
        "on" => Ok(true),
        "off" => Ok(false),
        _ => Err(one_of(&["on", "off"])),
    }
}

pub(super) fn minutes(text: &str) -> Result<Duration, String> {
    let minutes: u64 = text.parse().map_err(|_| "a whole number of minutes is wanted".to_owned())?;
    Ok(Duration::from_secs(minutes.saturating_mul(60)))
}

pub(super) fn count(text: &str) -> Result<usize, String> {
    text.parse().ok().filter(|count| *count > 0).ok_or_else(|| "a whole number above 0 is wanted".to_owned())
}

pub(super) fn share(text: &str) -> Result<f64, String> {
    let is_share = |share: &f64| (0.0..=1.0).contains(share);
    text.parse().ok().filter(is_share).ok_or_else(|| "a number from 0 to 1 is wanted".to_owned())
}

pub(super) fn region(text: &str) -> Result<String, String> {
    let wrong =
        || format!("{text:?} is no region: a name of small letters, digits and dashes is wanted, like eu-west-1");
    if is_region(text) { Ok(text.to_owned()) } else { Err(wrong()) }
}

pub(super) fn regions(text: &str) -> Result<Vec<String>, String> {
    names(text).iter().map(|name| region(name)).collect()
}

pub(super) fn names(text: &str) -> Vec<String> {
    text.split(',').map(str::trim).filter(|name| !name.is_empty()).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn throttles_serve_something() {
        for (text, expected) in [
            ("off", Ok(None)),
            ("5", Ok(Some((5.0, 5.0)))),
            ("5/2", Ok(Some((5.0, 2.0)))),
            ("0.5", Ok(Some((0.5, 1.0)))),
            ("0.5/0.5", Err(())),
            ("0", Err(())),
            ("inf", Err(())),
            ("-1/2", Err(())),
            ("5/", Err(())),
        ] {
            let read = Throttle::parse(text).map_err(drop);
            assert_eq!(read.map(|read| read.map(|throttle| (throttle.rate, throttle.burst))), expected, "{text}");
        }
    }

    #[test]
    fn regions_are_listed_with_commas() {
        assert_eq!(regions("eu-west-1, us-east-1"), Ok(vec!["eu-west-1".to_owned(), "us-east-1".to_owned()]));
        assert_eq!(regions(""), Ok(Vec::new()));
        assert!(regions("a b").is_err_and(|said| said.starts_with("\"a b\" is no region: ")));
    }
}
