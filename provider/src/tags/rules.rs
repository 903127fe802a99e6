//! Which tags are invisible: never in inputs, never in a difference, never removed.

use value::Value;

use super::{key, names};

/// Which tags are invisible: AWS's own, and those that the configuration says to ignore.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TagRules {
    keys: Vec<String>,
    prefixes: Vec<String>,
}

impl TagRules {
    /// Only the tags that belong to AWS are invisible.
    pub const AWS: &'static Self = &Self { keys: Vec::new(), prefixes: Vec::new() };

    /// Rules that also hide the tags with one of `keys`, or with a key that begins with one of `prefixes`.
    pub fn new(keys: Vec<String>, prefixes: Vec<String>) -> Self {
        Self { keys, prefixes }
    }

    /// The rules for as long as the process runs. Those that say nothing more than AWS's cost nothing.
    pub fn leaked(&self) -> &'static Self {
        match self == Self::AWS {
            true => Self::AWS,
            false => Box::leak(Box::new(self.clone())),
        }
    }

    /// Whether a tag with this key is invisible.
    pub fn hides(&self, key: &str) -> bool {
        is_managed(key) || self.ignores(key)
    }

    /// Whether the configuration, and not AWS, makes a tag with this key invisible.
    pub fn ignores(&self, key: &str) -> bool {
        self.keys.iter().any(|ignored| ignored == key) || self.prefixes.iter().any(|prefix| key.starts_with(prefix))
    }

    /// Whether an element of a list of tags is invisible: by its key, or because it is an empty object, which the Go
    /// provider's refresh left where AWS's own had been.
    pub fn hides_tag(&self, tag: &Value) -> bool {
        match key(tag) {
            Some(key) => self.hides(key),
            None => tag.unsecret().as_object().is_some_and(|members| members.values().all(Value::is_null)),
        }
    }

    /// Whether a tag as the service returns it is invisible by its key.
    pub fn hides_json(&self, tag: &serde_json::Value) -> bool {
        let key = names::ALL.iter().find_map(|name| tag.get(*name)?.as_str());
        key.is_some_and(|key| self.hides(key))
    }
}

/// Whether a tag belongs to AWS: it reserves the prefix, and refuses requests that set or remove such a tag.
pub fn is_managed(key: &str) -> bool {
    key.starts_with("aws:")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_and_prefixes_hide_tags() {
        let rules = TagRules::new(vec!["owner".to_owned()], vec!["cost:".to_owned()]);
        for (key, hidden) in [
            ("owner", true),
            ("Owner", false),
            ("owners", false),
            ("cost:center", true),
            ("cost", false),
            ("aws:cloudformation:stack-name", true),
            ("aws", false),
            ("", false),
        ] {
            assert_eq!(rules.hides(key), hidden, "{key}");
            for name in names::ALL {
                assert_eq!(rules.hides_json(&serde_json::json!({ name: key })), hidden, "{name} {key}");
                let tag = Value::Object([(name.to_owned(), key.into())].into());
                assert_eq!(rules.hides_tag(&tag), hidden, "{name} {key}");
            }
        }
        assert!(!TagRules::AWS.hides("owner") && TagRules::AWS.hides("aws:x") && !TagRules::AWS.ignores("aws:x"));
    }
}
