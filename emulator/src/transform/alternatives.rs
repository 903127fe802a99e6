//! One expression of a schema: its alternatives, and what each of them is.

use super::evaluate::{Outcome, evaluate};
use super::expression::Expression;
use super::parser::parse;
use serde_json::Value;

/// One way in which the service may hold a value.
#[derive(Debug)]
pub(super) struct Alternative {
    expression: Expression,
    /// Whether it comes to a regular expression for what a read shows, not to the value.
    pub(super) is_pattern: bool,
}

/// What an expression may be evaluated on.
pub(super) struct Context<'c> {
    pub(super) value: &'c Value,
    /// Whether the schema gives it a member of this name.
    pub(super) has_member: &'c dyn Fn(&str) -> bool,
}

/// What an alternative makes of a value.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Made {
    /// Nothing to say.
    Nothing,
    Value(Value),
    /// What is held is found by this regular expression as a whole.
    Pattern(String),
}

impl Alternative {
    /// Reads the alternatives of an expression.
    ///
    /// # Errors
    ///
    /// What is wrong with the first that cannot be read.
    pub(super) fn all(text: &str) -> Result<Vec<Alternative>, String> {
        let one = |text: &str| {
            let expression = parse(text)?;
            let mut written = Vec::new();
            expression.written(&mut written);
            let is_pattern = written.into_iter().any(is_of_pattern);
            Ok(Alternative { expression, is_pattern })
        };
        text.split("$OR").map(one).collect()
    }

    /// Evaluates on what is meant: some expressions name the full path of their property, others the property within its
    /// parent. The one whose members the schema knows is it; the parent, then the root, when the schema does not tell.
    ///
    /// # Errors
    ///
    /// When an operation cannot do anything with the values.
    pub(super) fn evaluate(&self, parent: &Context<'_>, root: &Context<'_>) -> Result<Made, String> {
        let mut heads = Vec::new();
        self.expression.heads(&mut heads);
        let is_meant = |context: &Context<'_>| heads.iter().all(|name| (context.has_member)(name));
        let contexts: &[&Context<'_>] = match (is_meant(parent), is_meant(root)) {
            (true, _) => &[parent],
            (false, true) => &[root],
            (false, false) => &[parent, root],
        };
        let mut failure = None;
        for context in contexts {
            match evaluate(&self.expression, context.value) {
                // A text of which a part was not there says nothing.
                Ok(Outcome { is_partial: true, .. } | Outcome { value: None | Some(Value::Null), .. }) => {}
                Ok(Outcome { value: Some(value), .. }) => {
                    return Ok(match value {
                        Value::String(pattern) if self.is_pattern => Made::Pattern(pattern),
                        value => Made::Value(value),
                    });
                }
                Err(reason) => failure = Some(reason),
            }
        }
        failure.map_or(Ok(Made::Nothing), Err)
    }
}

/// Whether a text can only be part of a regular expression.
fn is_of_pattern(text: &str) -> bool {
    let has_count = text.split('{').skip(1).any(|rest| rest.starts_with(|letter: char| letter.is_ascii_digit()));
    let has_class = text.split_once('[').is_some_and(|(_, rest)| rest.contains(']'));
    has_count || has_class || text.contains(".*") || text.contains(".+") || text.starts_with('^')
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn alternatives_make_values_or_patterns() {
        let root = json!({"Sse": {"Key": "k"}, "Name": "N", "Version": "8.0"});
        let value = |text: &str| Ok(vec![Made::Value(json!(text))]);
        for (text, expected) in [
            ("$lowercase(Name)", value("n")),
            ("Sse.Key", value("k")),
            ("Key", value("k")),
            ("$join([\"x\", Key])", value("xk")),
            // Not "x", which is what the other context would make of it.
            ("$join([\"x\", Sse.Key])", value("xk")),
            ("Missing", Ok(vec![Made::Nothing])),
            ("'x' & Missing", Ok(vec![Made::Nothing])),
            ("null $OR Name", Ok(vec![Made::Nothing, Made::Value(json!("N"))])),
            ("$join([Version, \".*\"])", Ok(vec![Made::Pattern("8.0.*".to_owned())])),
            ("$number(Name)", Err("$number wants a text that is a number".to_owned())),
        ] {
            let parent = Context { value: &root["Sse"], has_member: &|name| name == "Key" };
            let whole = Context { value: &root, has_member: &|name| root.get(name).is_some() };
            let all = Alternative::all(text).unwrap();
            let made: Result<Vec<Made>, String> = all.iter().map(|one| one.evaluate(&parent, &whole)).collect();
            assert_eq!(made, expected, "{text}");
        }
    }
}
