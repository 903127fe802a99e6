//! Which members of inputs are not known yet, found in one walk.

use std::collections::HashMap;

use value::{Map, Value};

/// The members of objects that are not known yet, or not entirely, by the objects' addresses in the inputs.
#[derive(Debug, Default)]
pub struct Unknowns {
    of: HashMap<*const Map, Vec<String>>,
}

impl Unknowns {
    /// Of these inputs.
    pub fn of(inputs: &Map) -> Self {
        let mut unknowns = Self::default();
        unknowns.members(inputs);
        unknowns
    }

    /// The names of such members of an object in the inputs.
    pub fn among(&self, members: &Map) -> &[String] {
        self.of.get(&std::ptr::from_ref(members)).map_or(&[], Vec::as_slice)
    }

    /// Whether anything in an object is not known.
    fn members(&mut self, members: &Map) -> bool {
        let mut unknown = Vec::new();
        for (name, member) in members {
            if self.value(member) {
                unknown.push(name.clone());
            }
        }
        let found = !unknown.is_empty();
        if found {
            self.of.insert(std::ptr::from_ref(members), unknown);
        }
        found
    }

    fn value(&mut self, value: &Value) -> bool {
        match value {
            Value::Object(members) => self.members(members),
            // All of them: each may have objects that are asked for.
            Value::Array(items) => {
                let mut found = false;
                for item in items {
                    found |= self.value(item);
                }
                found
            }
            Value::Secret(inner) => self.value(inner),
            other => other.contains_unknown(),
        }
    }
}

#[cfg(test)]
mod tests {
    use value::Unknown;

    use super::*;

    #[test]
    fn unknowns_are_found_at_every_depth() {
        let unknown = || Value::from(Unknown::String);
        let inner = |value: Value| Value::object([("a", value), ("b", 1.0.into())]);
        let Value::Object(inputs) = Value::object([
            ("known", inner("x".into())),
            ("list", [inner("x".into()), Value::secret(inner(unknown())), inner(unknown())].into_iter().collect()),
            ("plain", unknown()),
        ]) else {
            unreachable!("an object")
        };
        let unknowns = Unknowns::of(&inputs);
        assert_eq!(unknowns.among(&inputs), ["list", "plain"]);
        let among = |value: &Value| value.unsecret().as_object().map(|members| unknowns.among(members).to_vec());
        assert_eq!(among(&inputs["known"]), Some(vec![]));
        let list = inputs["list"].as_array().unwrap_or_default();
        let found: Vec<_> = list.iter().map(among).collect();
        assert_eq!(found, [Some(vec![]), Some(vec!["a".to_owned()]), Some(vec!["a".to_owned()])]);
    }
}
