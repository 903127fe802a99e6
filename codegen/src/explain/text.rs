//! An explanation as people read it.

use super::{ExplainedStep, Explanation};
use crate::trace::rules::Described;
use std::fmt;

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}  ({})", self.subject, self.kind)?;
        if let Some(ty) = &self.ty {
            writeln!(f, "  type    {ty}")?;
        }
        if let Some(cfn_name) = &self.cfn_name {
            writeln!(f, "  in AWS  {cfn_name}")?;
        }
        if let (Some(cfn_type), Some(file), Some(pointer)) = (&self.cfn_type, &self.file, &self.pointer) {
            writeln!(f, "  schema  {cfn_type}: {file} {pointer}")?;
        }
        section(f, "why this name", &self.name, |f, rule| rule_line(f, "  ", rule))?;
        section(f, "how the type came about", &self.steps, step_lines)?;
        section(f, "marks", &self.marks, |f, mark| {
            let holds = if mark.holds { "yes" } else { "no" };
            let pointer = mark.pointer.as_deref().map(|pointer| format!("  ({pointer})")).unwrap_or_default();
            writeln!(f, "  {:<32}{holds:<4} {}{pointer}", mark.mark, mark.reason)
        })?;
        section(f, "members", &self.members, |f, member| writeln!(f, "  {member}"))?;
        section(f, "the same type in", &self.shared_with, |f, cfn_type| writeln!(f, "  {cfn_type}"))?;
        section(f, "remarks", &self.remarks, |f, remark| writeln!(f, "  {remark}"))?;
        section(f, "corrections of the schema", &self.corrections, |f, correction| {
            writeln!(f, "  {}: {}", correction.place, correction.operation)?;
            writeln!(f, "    {} ({})", correction.reason, correction.link)
        })?;
        if self.corrections.is_empty() && self.cfn_type.is_some() {
            writeln!(f, "\nno correction of the schema changed these places")?;
        }
        Ok(())
    }
}

fn section<T>(
    f: &mut fmt::Formatter<'_>,
    title: &str,
    entries: &[T],
    line: impl Fn(&mut fmt::Formatter<'_>, &T) -> fmt::Result,
) -> fmt::Result {
    if entries.is_empty() {
        return Ok(());
    }
    writeln!(f, "\n{title}")?;
    entries.iter().try_for_each(|entry| line(f, entry))
}

fn rule_line(f: &mut fmt::Formatter<'_>, indent: &str, rule: &Described) -> fmt::Result {
    writeln!(f, "{indent}{}: {} ({})", rule.rule, rule.sentence, rule.module)
}

fn step_lines(f: &mut fmt::Formatter<'_>, step: &ExplainedStep) -> fmt::Result {
    let indent = "  ".repeat(step.depth + 1);
    writeln!(f, "{indent}{} → {}", step.pointer, step.ty)?;
    step.rules.iter().try_for_each(|rule| rule_line(f, &format!("{indent}  "), rule))
}
