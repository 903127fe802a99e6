//! A small program in YAML for every resource, made from its schema and checked against the package.
//!
//! | module | what is in it |
//! |---|---|
//! | `values` | plausible values for the required inputs |
//! | `groups` | which members an object needs beside the required ones |
//! | `texts` | plausible texts by name, format, length and pattern |
//! | [`check`] | whether values fit the types of a package |
//! | `valid` | whether they satisfy the CloudFormation schema |
//! | `yaml` | values as YAML |
//!
//! Nothing is offered that does not bind: what fails the check is made again from the published types alone, and left
//! out by name where that fails as well.

pub mod check;
pub(crate) mod groups;
mod texts;
pub(crate) mod valid;
pub(crate) mod values;
mod yaml;

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;

use crate::package::Package;
use valid::Breach;
use values::TooLarge;

/// Inputs for an example.
pub(crate) struct Example {
    pub(crate) inputs: Value,
    /// The rules of the schema that the inputs break; `None` where no schema was at hand, or
    /// where it would take too long to find out.
    pub(crate) breaches: Option<Vec<Breach>>,
}

/// How well the examples fit.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Examples {
    /// How many satisfy their schema whole.
    pub valid: usize,
    /// Examples that break nothing but patterns: the places of the texts.
    pub break_patterns: BTreeMap<String, Vec<String>>,
    /// Examples that break other rules: the places with the keywords.
    pub break_rules: BTreeMap<String, Vec<String>>,
    /// Examples that were held against no schema, only against the package.
    pub unchecked: Vec<String>,
    /// Resources without an example, with the reason.
    pub without: BTreeMap<String, String>,
}

impl Examples {
    /// Counts an example by what it breaks.
    pub(crate) fn add(&mut self, token: String, breaches: Option<&[Breach]>) {
        let Some(breaches) = breaches else {
            self.unchecked.push(token);
            return;
        };
        let (patterns, rules): (Vec<_>, Vec<_>) = breaches.iter().partition(|breach| breach.rule == "pattern");
        if !rules.is_empty() {
            let texts = rules.iter().map(|breach| format!("{}: {}", breach.place, breach.rule));
            self.break_rules.insert(token, texts.collect());
        } else if !patterns.is_empty() {
            let places = patterns.iter().map(|breach| breach.place.clone());
            self.break_patterns.insert(token, places.collect());
        } else {
            self.valid += 1;
        }
    }
}

/// The section `Example Usage` of a resource's description, in the shortcodes that doc generators look for, and the inputs
/// in it; the reason when no program binds.
pub(crate) fn section(
    package: &Package,
    token: &str,
    made: Result<Example, TooLarge>,
) -> Result<(String, Example), String> {
    let made = made.map_err(|reason| reason.to_string())?;
    let example = match check::inputs(package, token, &made.inputs) {
        Ok(()) => made,
        Err(_) => {
            let inputs = values::from_types(package, token).map_err(|reason| reason.to_string())?;
            check::inputs(package, token, &inputs)?;
            Example { inputs, breaches: None }
        }
    };
    let text = format!(
        "{{{{% examples %}}}}\n## Example Usage\n\n{{{{% example %}}}}\n### Required inputs\n\n```yaml\n{}```\n\n\
         {{{{% /example %}}}}\n{{{{% /examples %}}}}",
        program(token, &example.inputs)
    );
    Ok((text, example))
}

/// The program as YAML.
fn program(token: &str, inputs: &Value) -> String {
    let mut text = format!("resources:\n  example:\n    type: {token}\n");
    if inputs.as_object().is_some_and(|inputs| !inputs.is_empty()) {
        text.push_str("    properties:\n");
        yaml::write(inputs, 6, &mut text);
    }
    text
}
