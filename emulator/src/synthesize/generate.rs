//! Values for a node of a schema: the smallest that the schema accepts, named and shaped as likely as possible.

use super::candidates::{self, Hints};
use super::context::Context;
use crate::entropy::Entropy;
use crate::schema::ResourceType;
use crate::validate::Validator;
use serde_json::Value;

/// The deepest level at which members are filled in; recursive definitions end here at the latest.
const DEPTH: usize = 8;
/// The longest text that is made to satisfy a minimum length.
const LONGEST_TEXT: u64 = 2048;
/// Makes values for one type.
pub(crate) struct Generator<'g> {
    pub(crate) resource: &'g ResourceType,
    pub(crate) validator: Validator<'g>,
    pub(crate) context: &'g Context<'g>,
    /// What the resource is called, for names and ARNs.
    pub(crate) own_name: String,
    /// How many levels get members and elements that may be absent; 0 for the smallest value.
    pub(crate) full_to: usize,
}

impl Generator<'_> {
    /// A value for a node, `None` when nothing that was tried is accepted.
    pub(crate) fn value(&self, node: &Value, name: &str, entropy: &Entropy) -> Option<Value> {
        self.value_at(node, name, entropy, 0)
    }

    /// The same for a value that nobody needs: nothing is filled in that would be more than four levels deep.
    pub(crate) fn shallow(&self, node: &Value, name: &str, entropy: &Entropy) -> Option<Value> {
        self.value_at(node, name, entropy, DEPTH - 4)
    }

    pub(super) fn value_at(&self, node: &Value, name: &str, entropy: &Entropy, depth: usize) -> Option<Value> {
        if depth > DEPTH {
            return None;
        }
        let keyword = |keyword: &str| self.resource.keyword(node, keyword);
        if let Some(only) = keyword("const") {
            return Some(only.clone());
        }
        // Letter case does not count in the linter's lists; values outside of them are accepted by nobody but a schema.
        let allowed = ["enum", "enumCaseInsensitive"].into_iter().find_map(|name| keyword(name)?.as_array());
        if let Some(settled) = allowed.and_then(|allowed| candidates::settled(allowed)) {
            return Some(settled.clone());
        }
        if let Some(default) = keyword("default").filter(|default| self.validator.accepts(node, default)) {
            return Some(default.clone());
        }
        for kind in self.kinds(node) {
            let made = match kind {
                "string" => self.text(node, name, entropy),
                "integer" | "number" => self.number(node, name, kind == "integer"),
                "boolean" => Some(Value::Bool(false)),
                "array" => self.array(node, name, entropy, depth),
                "object" => self.object(node, entropy, depth),
                _ => None,
            };
            if made.is_some() {
                return made;
            }
        }
        self.branches(node).find_map(|branch| {
            let made = self.value_at(branch, name, entropy, depth + 1)?;
            self.validator.accepts(node, &made).then_some(made)
        })
    }

    /// The types that a node allows, guessed from its keywords when it does not say.
    fn kinds<'n>(&'n self, node: &'n Value) -> Vec<&'n str> {
        match self.resource.keyword(node, "type") {
            Some(Value::String(one)) => vec![one],
            Some(Value::Array(several)) => several.iter().filter_map(Value::as_str).collect(),
            _ if ["properties", "patternProperties"].iter().any(|name| self.resource.keyword(node, name).is_some()) => {
                vec!["object"]
            }
            _ if self.resource.keyword(node, "items").is_some() => vec!["array"],
            _ if self.resource.keyword(node, "pattern").is_some() => vec!["string"],
            _ if self.branches(node).next().is_some() => Vec::new(),
            _ => vec!["string"],
        }
    }

    pub(super) fn branches<'n>(&'n self, node: &'n Value) -> impl Iterator<Item = &'n Value> {
        ["allOf", "oneOf", "anyOf"]
            .into_iter()
            .filter_map(|keyword| self.resource.keyword(node, keyword)?.as_array())
            .flatten()
    }

    fn hints<'n>(&'n self, node: &'n Value) -> Hints<'n> {
        let keyword = |keyword: &str| {
            let own = self.resource.keyword(node, keyword);
            own.or_else(|| self.branches(node).find_map(|branch| self.resource.keyword(branch, keyword)))
        };
        let text = |name: &str| keyword(name).and_then(Value::as_str);
        let least = keyword("minLength").and_then(Value::as_u64).unwrap_or(0).min(LONGEST_TEXT) as usize;
        Hints { pattern: text("pattern"), format: text("format"), least }
    }

    fn text(&self, node: &Value, name: &str, entropy: &Entropy) -> Option<Value> {
        let texts = candidates::texts(self.context, name, &self.own_name, &self.hints(node), entropy);
        self.first_accepted(node, texts)
    }

    /// A name that the service would make up for an identifier.
    pub(crate) fn name(&self, node: &Value, entropy: &Entropy) -> Option<Value> {
        let longest = self.resource.keyword(node, "maxLength").and_then(Value::as_u64).unwrap_or(LONGEST_TEXT) as usize;
        let mut names = candidates::names(self.context, &self.hints(node), entropy);
        // The end of a name is what tells it from others.
        let cut = |name: &String| name.chars().skip(name.chars().count().saturating_sub(longest)).collect();
        let shortened: Vec<String> = names.iter().map(cut).collect();
        names.extend(shortened);
        self.first_accepted(node, names)
    }

    /// The first text that the schema accepts; the empty one last, since it can identify nothing.
    fn first_accepted(&self, node: &Value, mut texts: Vec<String>) -> Option<Value> {
        texts.sort_by_key(String::is_empty);
        texts.into_iter().map(Value::String).find(|text| self.validator.accepts(node, text))
    }

    fn number(&self, node: &Value, name: &str, is_integer: bool) -> Option<Value> {
        let bound = |keyword: &str| self.resource.keyword(node, keyword).and_then(Value::as_f64);
        let name = name.to_ascii_lowercase();
        let named = if name.ends_with("time") || name.ends_with("edat") || name.ends_with("date") {
            self.context.epoch() as f64
        } else if name.ends_with("port") {
            443.0
        } else if name.ends_with("version") || name.ends_with("revision") {
            1.0
        } else {
            0.0
        };
        let least = bound("minimum").or_else(|| bound("exclusiveMinimum").map(|least| least + 1.0));
        let unit = bound("multipleOf");
        let tries = [
            Some(named),
            least,
            least.zip(unit).map(|(least, unit)| (least / unit).ceil() * unit),
            unit,
            bound("maximum"),
            Some(0.0),
            Some(1.0),
        ];
        let as_value = |number: f64| {
            if number.fract() == 0.0 && (is_integer || number.abs() < 1e15) {
                Value::from(number as i64)
            } else {
                Value::from(number)
            }
        };
        tries.into_iter().flatten().map(as_value).find(|value| self.validator.accepts(node, value))
    }

    fn array(&self, node: &Value, name: &str, entropy: &Entropy, depth: usize) -> Option<Value> {
        let mut least = self.resource.keyword(node, "minItems").and_then(Value::as_u64).unwrap_or(0).min(64);
        let is_full = least == 0 && depth < self.full_to;
        if is_full && self.resource.keyword(node, "maxItems").and_then(Value::as_u64) != Some(0) {
            least = 1;
        }
        let each = self.resource.keyword(node, "items");
        let singular = name.strip_suffix('s').unwrap_or(name);
        let mut items = Vec::new();
        for index in 0..least {
            let item = match each {
                Some(each) => {
                    let entropy = entropy.within(&index.to_string());
                    match self.distinct(each, singular, &entropy, depth, &items) {
                        Some(item) => item,
                        // An element that nobody asked for may be too deep or too odd to make.
                        None if is_full => break,
                        None => return None,
                    }
                }
                None => Value::from(index),
            };
            items.push(item);
        }
        Some(Value::Array(items))
    }

    /// An element that is not there yet, where the enum or the draw allows one.
    fn distinct(&self, each: &Value, name: &str, entropy: &Entropy, depth: usize, items: &[Value]) -> Option<Value> {
        let first = self.value_at(each, name, entropy, depth + 1)?;
        if !items.contains(&first) {
            return Some(first);
        }
        let mut others = self.resource.keyword(each, "enum").and_then(Value::as_array).into_iter().flatten();
        if let Some(other) = others.find(|other| !items.contains(other)) {
            return Some(other.clone());
        }
        let renamed = Generator { own_name: entropy.clone().lower(12), ..*self };
        let other = renamed.value_at(each, name, entropy, depth + 1)?;
        if !items.contains(&other) || self.full_to > depth {
            return Some(other);
        }
        // Elements without required members differ only in members that may be absent.
        Generator { full_to: depth + 3, ..renamed }.value_at(each, name, entropy, depth + 1)
    }
}
