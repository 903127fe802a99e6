//! How texts become the values of switches.

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
    /// Reads `RATE[/BURST]`; the burst is the rate when it is not given. `off` is none.
    pub(super) fn parse(text: &str) -> Result<Option<Throttle>, String> {
        if text == "off" {
            return Ok(None);
        }
        let (rate, burst) = text.split_once('/').unwrap_or((text, text));
        let number = |text: &str| text.parse::<f64>().ok().filter(|number| number.is_finite() && *number > 0.0);
        match (number(rate), number(burst)) {
            (Some(rate), Some(burst)) => Ok(Some(Throttle { rate, burst })),
            _ => Err("off or RATE[/BURST] with numbers above 0 is wanted".to_owned()),
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

pub(super) fn names(text: &str) -> Vec<String> {
    text.split(',').map(str::trim).filter(|name| !name.is_empty()).map(str::to_owned).collect()
}
