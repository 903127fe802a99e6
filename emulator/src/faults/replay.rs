//! Rules that do again what a log says was done.

use super::action::Action;
use super::rule::{Operations, Per, Rule, Selector};
use serde::Deserialize;
use serde_json::Value;

/// A decision as the log shows it.
#[derive(Deserialize)]
struct Logged {
    rule: String,
    subject: String,
    occurrence: u64,
    then: Action,
}

/// Rules that fire exactly the decisions of some entries of a call log, on an emulator of the same seed that sees the same calls from its
/// start on, in whatever order.
///
/// # Errors
///
/// The first entry that cannot be read.
pub(crate) fn of_log(entries: &[Value]) -> Result<Vec<Rule>, String> {
    let mut rules: Vec<Rule> = Vec::new();
    for (index, entry) in entries.iter().enumerate() {
        let Some(decisions) = entry.get("decisions") else { continue };
        let decisions = Vec::<Logged>::deserialize(decisions).map_err(|error| format!("entry {index}: {error}"))?;
        let operation = entry.get("operation").and_then(Value::as_str).unwrap_or_default();
        let operation = Operations::of(&[operation]).map_err(|reason| format!("entry {index}: {reason}"))?;
        for Logged { rule, subject, occurrence, then } in decisions {
            let when = Selector {
                operation: operation.clone(),
                subject: Some(subject),
                nth: Some(occurrence),
                per: Per::Subject,
                ..Selector::default()
            };
            rules.push(Rule { id: Some(format!("{rule}/{}", rules.len() + 1)), when, then });
        }
    }
    Ok(rules)
}
