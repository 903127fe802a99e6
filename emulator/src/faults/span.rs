//! Durations as people write them.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::time::Duration;

/// A duration, written as a number and `ms`, `s`, `m` or `h`: `250ms`, `2s`, `1.5m`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Span(pub Duration);

impl Span {
    /// So many seconds.
    pub const fn seconds(seconds: u64) -> Span {
        Span(Duration::from_secs(seconds))
    }

    /// In whole milliseconds.
    pub(crate) fn millis(self) -> u64 {
        crate::store::request::millis(self.0)
    }

    /// Reads a text.
    fn parse(text: &str) -> Option<Span> {
        let digits = text.find(|character: char| !character.is_ascii_digit() && character != '.')?;
        let (number, unit) = text.split_at(digits);
        let seconds = match unit {
            "ms" => 0.001,
            "s" => 1.0,
            "m" => 60.0,
            "h" => 3_600.0,
            _ => return None,
        };
        Duration::try_from_secs_f64(number.parse::<f64>().ok()? * seconds).ok().map(Span)
    }
}

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.0.as_millis() % 1_000, self.0.as_secs()) {
            (0, seconds) => write!(f, "{seconds}s"),
            _ => write!(f, "{}ms", self.0.as_millis()),
        }
    }
}

impl Serialize for Span {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Span {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Span, D::Error> {
        let text = String::deserialize(deserializer)?;
        Span::parse(&text).ok_or_else(|| D::Error::custom(format!("{text:?} is no duration like 250ms, 2s, 5m or 1h")))
    }
}

impl JsonSchema for Span {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Span".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "string", "pattern": "^[0-9]+(\\.[0-9]+)?(ms|s|m|h)$", "description": "A duration: 250ms, 2s, 5m, 1h."})
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_read_and_written() {
        for (text, millis, shown) in [
            ("250ms", Some(250), "250ms"),
            ("2s", Some(2_000), "2s"),
            ("1.5m", Some(90_000), "90s"),
            ("1h", Some(3_600_000), "3600s"),
            ("2", None, ""),
            ("s", None, ""),
            ("1d", None, ""),
            ("-1s", None, ""),
            ("99999999999999999999999h", None, ""),
        ] {
            let span = Span::parse(text);
            assert_eq!(span.map(Span::millis), millis, "{text}");
            assert_eq!(span.map_or_else(String::new, |span| span.to_string()), shown);
        }
    }
}
