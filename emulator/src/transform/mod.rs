//! `propertyTransform`: how a service keeps a value in another form than it was given, in the words of the schemas.
//!
//! A schema says for a property which values of a read mean the same as the given one: expressions in JSONata, several
//! separated by `$OR`. Here one of them, chosen by the seed, becomes what the service holds. Identifiers, write-only and
//! read-only values are left alone, and so is every value that the form of the property does not allow afterwards.
//!
//! | module | what is in it |
//! |---|---|
//! | this one | which values are transformed, and into what |
//! | [`alternatives`] | the alternatives of one expression: values, or regular expressions for them |
//! | [`complete`] | from a regular expression to a value that it finds |
//! | [`lexer`], [`parser`], [`expression`] | reading an expression |
//! | [`evaluate`], [`held`], [`functions`], [`regex`] | what it comes to, within limits |
//!
//! The language is the part of JSONata that the schemas use; what is outside of it is a problem of the entry, listed in
//! the report about the schemas.

mod alternatives;
mod complete;
mod evaluate;
mod expression;
mod functions;
mod held;
mod lexer;
mod parser;
mod regex;
#[cfg(test)]
mod tests;

use crate::entropy::Entropy;
use crate::schema::{InstancePath, ResourceType};
use crate::scope::Scope;
use crate::validate::Validator;
use alternatives::{Alternative, Context, Made};
use serde_json::{Map, Value};

/// The transformations of one type.
#[derive(Debug, Default)]
pub(crate) struct Transforms {
    entries: Vec<Entry>,
}

#[derive(Debug)]
struct Entry {
    path: InstancePath,
    alternatives: Result<Vec<Alternative>, String>,
}

/// Where and for whom values are kept.
pub(crate) struct Place<'p> {
    pub(crate) seed: u64,
    pub(crate) scope: &'p Scope,
}

impl Transforms {
    /// Reads the transformations of a schema.
    pub(crate) fn of(schema: &Value) -> Transforms {
        let entries = schema.get("propertyTransform").and_then(Value::as_object).into_iter().flatten();
        let entry = |(pointer, text): (&String, &Value)| {
            let pointer = if pointer.starts_with('/') { pointer.clone() } else { format!("/{pointer}") };
            let path = InstancePath::parse(&pointer)?;
            let text = text.as_str().ok_or_else(|| "a transformation must be a text".to_owned());
            Some(Entry { path, alternatives: text.and_then(Alternative::all) })
        };
        Transforms { entries: entries.filter_map(entry).collect() }
    }

    /// How many properties have one.
    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    /// The pointers of transformations that cannot be read, with the reason.
    pub(crate) fn problems(&self) -> impl Iterator<Item = (&str, &str)> {
        self.entries
            .iter()
            .filter_map(|entry| Some((entry.path.pointer(), entry.alternatives.as_ref().err()?.as_str())))
    }

    /// Puts the values of a model into the form in which the service holds them. Values that `before` has in the same
    /// property are held already. Returns how many expressions failed on the values that they met.
    ///
    /// A failure leaves the value as it is, and the expression in use: what one caller sent must not decide what another
    /// one gets.
    pub(crate) fn apply(
        &self,
        validator: &Validator<'_>,
        resource: &ResourceType,
        place: &Place<'_>,
        before: Option<&Value>,
        model: &mut Value,
    ) -> usize {
        let given = model.clone();
        let mut failures = 0;
        for entry in self.entries.iter().filter(|entry| may_change(resource, &entry.path)) {
            let Ok(alternatives) = &entry.alternatives else { continue };
            let (Some(node), name) = (resource.node(&entry.path), entry.path.short_name()) else { continue };
            let held: Vec<Option<&Value>> = before.map_or_else(Vec::new, |before| values(&entry.path, before));
            for (pointer, parent) in entry.path.parent_places(&given) {
                let value = parent.get(name);
                if held.contains(&value) {
                    continue;
                }
                let leaf = Leaf { resource, validator, place, entry, node, value, name };
                match leaf.held(alternatives, parent, &given) {
                    Ok(Some(new)) => {
                        if let Some(Value::Object(members)) = model.pointer_mut(&pointer) {
                            members.insert(name.to_owned(), new);
                        }
                    }
                    Ok(None) => {}
                    Err(reason) => {
                        failures += 1;
                        tracing::debug!(
                            type_name = resource.name,
                            at = entry.path.pointer(),
                            reason,
                            "not transformed"
                        );
                    }
                }
            }
        }
        failures
    }
}

/// The value of a property in every object that could have it.
fn values<'v>(path: &InstancePath, document: &'v Value) -> Vec<Option<&'v Value>> {
    path.parent_places(document).into_iter().map(|(_, parent)| parent.get(path.short_name())).collect()
}

/// Whether the form of a value is the service's business: an identifier names the resource, and what no read shows has
/// no form.
fn may_change(resource: &ResourceType, path: &InstancePath) -> bool {
    let identifiers = resource.primary_identifier.iter().chain(resource.additional_identifiers.iter().flatten());
    let fixed = identifiers.chain(&resource.write_only).chain(&resource.read_only);
    // What a fixed value holds is fixed with it, and what holds a fixed value cannot be replaced as a whole.
    let overlaps = |fixed: &InstancePath| {
        fixed.segments().starts_with(path.segments()) || path.segments().starts_with(fixed.segments())
    };
    !fixed.into_iter().any(overlaps)
}

/// One value that is transformed.
struct Leaf<'l> {
    resource: &'l ResourceType,
    validator: &'l Validator<'l>,
    place: &'l Place<'l>,
    entry: &'l Entry,
    node: &'l Value,
    value: Option<&'l Value>,
    name: &'l str,
}

impl Leaf<'_> {
    /// The form in which the service holds the value, if that is another.
    fn held(
        &self,
        alternatives: &[Alternative],
        parent: &Map<String, Value>,
        root: &Value,
    ) -> Result<Option<Value>, String> {
        let parent = Value::Object(parent.clone());
        let mut way = self.entry.path.segments().iter();
        way.next_back();
        let node = way.try_fold(&self.resource.schema, |node, segment| self.resource.child(node, segment.name()));
        let is_member =
            |node: Option<&Value>, name: &str| node.and_then(|node| self.resource.child(node, Some(name))).is_some();
        let parent = Context { value: &parent, has_member: &|name| is_member(node, name) };
        let root = Context { value: root, has_member: &|name| is_member(Some(&self.resource.schema), name) };
        let text = self.value.map(Value::to_string).unwrap_or_default();
        let entropy = Entropy::new(&[
            "transform",
            &self.place.seed.to_string(),
            &self.place.scope.account,
            &self.place.scope.region,
            &self.resource.name,
            self.entry.path.pointer(),
            &text,
        ]);
        let mut forms: Vec<Value> = Vec::new();
        let mut failure = None;
        for alternative in alternatives {
            let form = match alternative.evaluate(&parent, &root) {
                Ok(Made::Nothing) => None,
                Ok(Made::Value(value)) => Some(self.settled(value)),
                Ok(Made::Pattern(pattern)) => {
                    let given = self.value.and_then(Value::as_str);
                    given
                        .and_then(|given| complete::complete(&pattern, given, self.place.scope, &entropy))
                        .map(Value::String)
                }
                Err(reason) => {
                    failure = Some(reason);
                    None
                }
            };
            forms.extend(form.filter(|form| self.validator.accepts(self.node, form)));
        }
        if let (Some(reason), true) = (failure, forms.is_empty()) {
            return Err(reason);
        }
        let chosen = entropy.within("alternative").below(forms.len());
        Ok(forms.into_iter().nth(chosen).filter(|form| Some(form) != self.value))
    }

    /// A form without what the value had already: what is added once is not added twice.
    fn settled(&self, form: Value) -> Value {
        match (&form, self.value) {
            (Value::String(text), Some(Value::String(given))) => {
                let is_end = |added: &str| !added.is_empty() && given.ends_with(added);
                let is_start = |added: &str| !added.is_empty() && given.starts_with(added);
                let is_there = text.strip_prefix(given.as_str()).is_some_and(is_end)
                    || text.strip_suffix(given.as_str()).is_some_and(is_start);
                if is_there { Value::from(given.as_str()) } else { form }
            }
            // A change of a whole document says where the property is in it.
            (Value::Object(members), _) if !self.validator.accepts(self.node, &form) => {
                members.get(self.name).cloned().unwrap_or(form)
            }
            _ => form,
        }
    }
}
