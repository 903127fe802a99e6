//! What functions do when they are invoked: rules by name, from a profile or the page `PUT /_emu/functions`.

use super::outward::{LOOP, Place};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// What the functions of some name do. Of several rules the first that fits is meant.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct FunctionRule {
    /// The name of the function; `*` stands for any text and `?` for one character. A name without them makes a function
    /// of that name exist.
    pub name: String,
    /// What it does.
    pub then: FunctionAction,
    /// How often the rule holds; afterwards the next one that fits does. Without it, always.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub times: Option<u64>,
}

/// What a function does.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum FunctionAction {
    /// It returns this value.
    Payload(Value),
    /// It ends with an error, which the caller gets as an answer with `X-Amz-Function-Error`.
    Error(FunctionError),
    /// What it gets is sent on to a program on this machine by POST, `http://127.0.0.1:PORT/PATH`; the body of the answer
    /// is what it returns.
    Forward(String),
    /// It is the handler of a custom resource: it sends this to the `ResponseURL` of its event.
    CfnResponse(CfnResponse),
    /// It cannot be invoked yet: the caller gets `ResourceNotReadyException`.
    NotReady,
}

/// An error of a function.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct FunctionError {
    /// The name of the error.
    #[serde(default = "error_type")]
    pub r#type: String,
    /// What went wrong.
    pub message: String,
}

fn error_type() -> String {
    "Error".to_owned()
}

/// The answer of a custom resource.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct CfnResponse {
    /// `SUCCESS` or `FAILED`.
    #[serde(default)]
    pub status: CfnStatus,
    /// Why it failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The id of the resource. Without it the one of the event, and for a create one made from its logical id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub physical_resource_id: Option<String>,
    /// Whether the data is secret.
    #[serde(default)]
    pub no_echo: bool,
    /// The attributes of the resource.
    #[serde(default)]
    pub data: Map<String, Value>,
}

/// How a custom resource ended.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum CfnStatus {
    /// It is as it shall be.
    #[default]
    #[serde(rename = "SUCCESS")]
    Success,
    /// It is not.
    #[serde(rename = "FAILED")]
    Failed,
}

impl CfnStatus {
    pub(super) fn name(self) -> &'static str {
        match self {
            CfnStatus::Success => "SUCCESS",
            CfnStatus::Failed => "FAILED",
        }
    }
}

impl FunctionRule {
    /// Whether the rule can be followed.
    ///
    /// # Errors
    ///
    /// What is wrong with it.
    pub fn check(&self) -> Result<(), String> {
        if self.name.is_empty() || self.name.len() > 140 {
            return Err("name: a function has a name of at most 140 characters".to_owned());
        }
        match &self.then {
            FunctionAction::Forward(url) => Place::parse(url).map(|_| ()),
            _ => Ok(()),
        }
    }

    /// Whether the rule can be followed by an emulator on this port.
    ///
    /// # Errors
    ///
    /// As for [`FunctionRule::check`], and where it would lead back to the emulator's own functions.
    pub(crate) fn check_for(&self, own: Option<u16>) -> Result<(), String> {
        self.check()?;
        match &self.then {
            FunctionAction::Forward(url) if Place::parse(url)?.is_function_of(own) => Err(LOOP.to_owned()),
            _ => Ok(()),
        }
    }

    /// Whether the rule is about a function.
    pub(super) fn is_about(&self, name: &str) -> bool {
        is_like(name.as_bytes(), self.name.as_bytes())
    }

    /// Whether the rule alone makes a function of its name exist.
    pub(super) fn is_exact(&self) -> bool {
        !self.name.contains(['*', '?'])
    }
}

/// Whether a text is of a form; the time is bounded by the product of the lengths.
fn is_like(text: &[u8], form: &[u8]) -> bool {
    let (mut at, mut on) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while at < text.len() {
        match form.get(on) {
            Some(b'*') => {
                star = Some((on, at));
                on += 1;
            }
            Some(sign) if *sign == b'?' || text.get(at) == Some(sign) => {
                at += 1;
                on += 1;
            }
            _ => match &mut star {
                Some((place, from)) => {
                    *from += 1;
                    (at, on) = (*from, *place + 1);
                }
                None => return false,
            },
        }
    }
    form.get(on..).unwrap_or_default().iter().all(|sign| *sign == b'*')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_fit_their_forms() {
        for (name, form, expected) in [
            ("orders", "orders", true),
            ("orders", "order", false),
            ("orders", "*", true),
            ("orders", "o*s", true),
            ("orders", "o?ders", true),
            ("orders", "*x*", false),
            ("", "*", true),
            ("abcabd", "*ab?", true),
        ] {
            assert_eq!(is_like(name.as_bytes(), form.as_bytes()), expected, "{name} {form}");
        }
    }

    #[test]
    fn rules_are_read_from_yaml_and_checked() {
        let text = "- { name: 'a*', then: { payload: { x: 1 } }, times: 2 }\n\
                    - { name: b, then: { cfn-response: { status: FAILED, reason: no, data: { Arn: a } } } }\n\
                    - { name: c, then: { forward: 'http://127.0.0.1:9000/f' } }\n\
                    - { name: d, then: { error: { message: broken } } }\n\
                    - { name: e, then: not-ready }\n";
        let rules: Vec<FunctionRule> = crate::yaml::read("rules.yaml", text).unwrap_or_default();
        assert_eq!(rules.len(), 5);
        assert!(rules.iter().all(|rule| rule.check().is_ok()));
        let back = serde_json::to_value(&rules).and_then(serde_json::from_value::<Vec<FunctionRule>>);
        assert_eq!(back.ok(), Some(rules), "they are kept as they were read");
        for (text, expected) in [
            ("- { name: a, then: { payload: 1 }, x: 1 }", "rules.yaml:1:"),
            ("- { name: a, then: { cfn-response: { state: SUCCESS } } }", "rules.yaml:1:"),
        ] {
            let error = crate::yaml::read::<Vec<FunctionRule>>("rules.yaml", text).err();
            assert!(error.as_ref().is_some_and(|error| error.to_string().starts_with(expected)), "{error:?}");
        }
        for url in ["https://127.0.0.1:1/", "http://example.com/", "http://10.0.0.1:80/", "ftp://localhost/", "x"] {
            let rule =
                FunctionRule { name: "f".to_owned(), then: FunctionAction::Forward(url.to_owned()), times: None };
            assert!(rule.check().is_err(), "{url}");
        }
    }
}
