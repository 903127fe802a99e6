//! A small program in YAML for every resource, made from its schema and checked against the package.
//!
//! | module | what is in it |
//! |---|---|
//! | `values` | plausible values for the required inputs |
//! | `texts` | plausible texts by name, format, length and pattern |
//! | [`check`] | whether values fit the types of a package |
//! | `yaml` | values as YAML |
//!
//! Nothing is offered that does not bind: what fails the check is made again from the published types alone, and left
//! out by name where that fails as well.

pub mod check;
mod texts;
pub(crate) mod values;
mod yaml;

use serde_json::Value;

use crate::package::Package;

/// The section `Example Usage` of a resource's description, in the shortcodes that doc generators look for; the reason
/// when no program binds. `made` are inputs that were made with the schema at hand.
pub(crate) fn section(package: &Package, token: &str, made: Value) -> Result<String, String> {
    let inputs = match check::inputs(package, token, &made) {
        Ok(()) => made,
        Err(_) => {
            let again = values::from_types(package, token);
            check::inputs(package, token, &again)?;
            again
        }
    };
    Ok(format!(
        "{{{{% examples %}}}}\n## Example Usage\n\n{{{{% example %}}}}\n### Required inputs\n\n```yaml\n{}```\n\n\
         {{{{% /example %}}}}\n{{{{% /examples %}}}}",
        program(token, &inputs)
    ))
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
