//! DiffConfig: what a change of a provider's inputs means for its resources.

use std::collections::BTreeMap;

use value::{Map, Value};

use crate::requests::ChangeKind;

/// Changed keys and whether they move every resource to another place.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ConfigDiff {
    /// Changed top-level keys with their kinds; empty = nothing changed.
    pub detailed: BTreeMap<String, ChangeKind>,
    /// Keys that force a replacement.
    pub replaces: Vec<String>,
}

/// Compares a provider's recorded inputs with its new ones; absent equals null, secret marks do not count.
///
/// A change from one known region to another replaces the provider and with it every resource: the old ones live in the
/// old region, and a provider of the new region would take them for gone.
pub fn diff(olds: &Map, news: &Map) -> ConfigDiff {
    let mut result = ConfigDiff::default();
    let keys: std::collections::BTreeSet<&String> = olds.keys().chain(news.keys()).collect();
    for key in keys.into_iter().filter(|key| !key.starts_with("__")) {
        let old = olds.get(key).map_or(&Value::Null, Value::unsecret);
        let new = news.get(key).map_or(&Value::Null, Value::unsecret);
        let kind = match (old, new) {
            (Value::Null, Value::Null) => continue,
            (Value::Null, _) => ChangeKind::Add,
            (_, Value::Null) => ChangeKind::Delete,
            (old, new) if value::equality::equal_ignoring_secrets(old, new) => continue,
            (Value::String(old), Value::String(new)) if key == "region" && !old.is_empty() && !new.is_empty() => {
                result.replaces.push(key.clone());
                ChangeKind::UpdateReplace
            }
            _ => ChangeKind::Update,
        };
        result.detailed.insert(key.clone(), kind);
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_changed_keys_are_listed() {
        let text = |text: &str| Value::String(text.to_owned());
        let map = |entries: &[(&str, Value)]| -> Map {
            entries.iter().map(|(key, value)| ((*key).to_owned(), value.clone())).collect()
        };
        let olds = map(&[("region", text("a")), ("profile", text("p")), ("gone", text("x")), ("token", Value::Null)]);
        let news = map(&[("region", text("a")), ("profile", text("q")), ("roleArn", text("r")), ("__x", text("y"))]);
        let found = diff(&olds, &news);
        assert_eq!(
            found.detailed,
            BTreeMap::from([
                ("gone".to_owned(), ChangeKind::Delete),
                ("profile".to_owned(), ChangeKind::Update),
                ("roleArn".to_owned(), ChangeKind::Add),
            ])
        );
        assert!(found.replaces.is_empty());
        assert_eq!(diff(&olds, &olds), ConfigDiff::default());

        let moved = diff(&map(&[("region", text("a"))]), &map(&[("region", Value::secret(text("b")))]));
        assert_eq!(moved.detailed, BTreeMap::from([("region".to_owned(), ChangeKind::UpdateReplace)]));
        assert_eq!(moved.replaces, ["region"]);
    }
}
