//! The change report as people read it.

use super::{Change, Changes, Impact, Kind};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// What to do about a breaking change. A name that is published stays until a major version takes it away.
const ADVICE: &str = "Deprecate first: programs out there use what a breaking change takes away. Keep it with a correction in \
    `cf-schemas/overlays/` for at least one release that says in its changelog what will go and what to use instead, and \
    let it go in a major version.\n";

impl Changes {
    /// The report in Markdown: a table of counts, then the changes per module, breaking ones first. One sentence when
    /// nothing changed.
    pub fn markdown(&self) -> String {
        let mut text = "# Changes\n\n".to_owned();
        if let Some(limits) = self.limits {
            let _ = writeln!(text, "{limits}\n");
        }
        if self.changes.is_empty() {
            text.push_str("Nothing changes for users.\n");
            return text;
        }
        self.summary(&mut text);
        if self.breaking().next().is_some() {
            let _ = write!(text, "\n{ADVICE}");
        }
        let mut modules: BTreeMap<&str, Vec<&Change>> = BTreeMap::new();
        for change in &self.changes {
            modules.entry(&change.module).or_default().push(change);
        }
        for (module, changes) in modules {
            let _ = writeln!(text, "\n## {module}");
            for (impact, title) in [(Impact::Breaking, "Breaking"), (Impact::Compatible, "Compatible")] {
                let changes: Vec<&&Change> = changes.iter().filter(|change| change.impact == impact).collect();
                if changes.is_empty() {
                    continue;
                }
                let _ = writeln!(text, "\n### {title}");
                for kind in Kind::ALL {
                    let mut of_kind = changes.iter().filter(|change| change.kind == *kind).peekable();
                    if of_kind.peek().is_none() {
                        continue;
                    }
                    let _ = writeln!(text, "\n**{}** — {}\n", capitalized(kind.label()), kind.why());
                    of_kind.for_each(|change| item(&mut text, change));
                }
            }
        }
        text
    }

    fn summary(&self, text: &mut String) {
        text.push_str("| change | impact | how many |\n|---|---|---:|\n");
        for kind in Kind::ALL {
            let count = self.changes.iter().filter(|change| change.kind == *kind).count();
            if count > 0 {
                let impact = match kind.impact() {
                    Impact::Breaking => "**breaking**",
                    Impact::Compatible => "compatible",
                };
                let _ = writeln!(text, "| {} | {impact} | {count} |", kind.label());
            }
        }
    }
}

fn item(text: &mut String, change: &Change) {
    let _ = write!(text, "- {}", code(&change.place()));
    let _ = match (&change.before, &change.after) {
        (Some(before), Some(after)) => write!(text, ": {} → {}", code(before), code(after)),
        (Some(before), None) => write!(text, ": was {}", code(before)),
        (None, Some(after)) => write!(text, ": {after}"),
        (None, None) => Ok(()),
    };
    text.push('\n');
}

/// Text as inline code, whatever it holds.
fn code(text: &str) -> String {
    let text = text.replace(['\n', '\r'], " ");
    match text.contains('`') {
        true => format!("`` {text} ``"),
        false => format!("`{text}`"),
    }
}

fn capitalized(text: &str) -> String {
    let mut characters = text.chars();
    characters.next().map_or_else(String::new, |first| first.to_uppercase().chain(characters).collect())
}
