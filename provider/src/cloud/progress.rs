//! What is said about an operation while it runs. Pure.
//!
//! The service's own words come first, as soon as they change but not more often than every few seconds; where it has none,
//! a line now and then says that the operation still runs and for how long.

use std::time::Duration;

use super::event::Event;
use super::failure::seconds;
use crate::redact::Secrets;

/// The least time between two lines, and before the first.
const BETWEEN: Duration = Duration::from_secs(3);
/// When an operation without words is first told of.
const FIRST: Duration = Duration::from_secs(10);
/// How often it is told of then.
const EVERY: Duration = Duration::from_secs(15);
/// The longest line in bytes; a status line has room for less.
const LONGEST: usize = 512;

/// What has been shown of one operation.
#[derive(Debug, Default)]
pub(super) struct Progress {
    /// When the last line was shown, since the start of the operation.
    last: Option<Duration>,
    /// The service's words of the last line that had some.
    words: Option<String>,
}

impl Progress {
    /// The line to show `elapsed` after the start, if there is one. Without `secrets` the service is not quoted, since
    /// nobody knows what it may repeat.
    pub(super) fn line(
        &mut self,
        elapsed: Duration,
        operation: &str,
        event: &Event,
        secrets: Option<&Secrets>,
    ) -> Option<String> {
        if elapsed < self.last.unwrap_or_default().saturating_add(BETWEEN) {
            return None;
        }
        let words = event.message.as_deref().map(str::trim).filter(|words| !words.is_empty());
        let new = words.filter(|words| self.words.as_deref() != Some(*words));
        let line = match (new, secrets) {
            (Some(words), Some(secrets)) => {
                self.words = Some(words.to_owned());
                one_line(secrets.hide(words.to_owned()))
            }
            _ => {
                let due = self.last.map_or(FIRST, |last| last.saturating_add(EVERY));
                if elapsed < due {
                    return None;
                }
                let whole = Duration::from_secs(elapsed.as_secs());
                format!("{} is {} for {}", operation.to_lowercase(), event.status.name(), seconds(whole))
            }
        };
        self.last = Some(elapsed);
        Some(line)
    }
}

/// The text without line breaks, cut where it is too long for a line.
fn one_line(text: String) -> String {
    let mut text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if text.len() > LONGEST {
        text.truncate(text.floor_char_boundary(LONGEST));
        text.push('…');
    }
    text
}

#[cfg(test)]
mod tests {
    use value::Value;

    use super::*;
    use crate::cloud::event::Status;

    /// Shows events (second, words) and returns the lines with their seconds.
    fn lines(events: &[(u64, &str)], secrets: Option<&Secrets>) -> Vec<String> {
        let mut progress = Progress::default();
        let line = |&(second, words): &(u64, &str)| {
            let message = Some(words.to_owned()).filter(|words| !words.is_empty());
            let event = Event { message, ..Event::new(Status::InProgress) };
            let line = progress.line(Duration::from_secs(second), "CREATE", &event, secrets)?;
            Some(format!("{second}: {line}"))
        };
        events.iter().filter_map(line).collect()
    }

    #[test]
    fn words_are_shown_when_they_change_but_not_too_often() {
        let none = Secrets::default();
        for (events, expected) in [
            (&[(1, "a"), (2, "a"), (3, "a"), (4, "a")][..], &["3: a"][..]),
            (&[(3, "a"), (4, "b"), (5, "c"), (6, "d"), (7, "d")], &["3: a", "6: d"]),
            (&[(3, "a"), (6, "b"), (9, "a")], &["3: a", "6: b", "9: a"]),
            // Words that stay are followed by the time that it takes.
            (&[(3, "a"), (10, "a"), (17, "a"), (18, "a")], &["3: a", "18: CREATE is"]),
            (&[(1, ""), (9, ""), (10, ""), (24, ""), (25, " \n")], &["10: CREATE is", "25: CREATE is"]),
            (&[(3, "two\n  lines")], &["3: two lines"]),
        ] {
            let found = lines(events, Some(&none));
            let expected: Vec<String> = expected
                .iter()
                .map(|line| match line.split_once(": CREATE is") {
                    Some((second, _)) => format!("{second}: create is IN_PROGRESS for {second} s"),
                    None => (*line).to_owned(),
                })
                .collect();
            assert_eq!(found, expected, "{events:?}");
        }
    }

    #[test]
    fn secrets_stay_out() {
        let inputs = [("password".to_owned(), Value::secret(Value::from("hunter22")))].into_iter().collect();
        let secrets = Secrets::of([&inputs]);
        assert_eq!(lines(&[(3, "set hunter22 now")], Some(&secrets)), ["3: set [secret] now"]);
        assert_eq!(lines(&[(3, "set hunter22 now"), (10, "x")], None), ["10: create is IN_PROGRESS for 10 s"]);
    }

    #[test]
    fn long_words_are_cut() {
        let words = "é".repeat(10_000);
        let found = lines(&[(3, &words)], Some(&Secrets::default()));
        assert!(found[0].len() < LONGEST + 16 && found[0].ends_with('…'), "{}", found[0].len());
    }
}
