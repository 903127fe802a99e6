//! The committed tables under `codegen/data/`: what is needed beside the schemas.

use serde::Deserialize;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

/// A region of AWS.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Region {
    /// For example `us-east-1`.
    pub name: String,
    /// Where it is.
    pub description: String,
}

/// All regions of all partitions.
pub fn regions() -> Vec<Region> {
    #[derive(Deserialize)]
    struct File {
        regions: Vec<Region>,
    }
    read::<File>(include_str!("../data/regions.json")).regions
}

/// Types that are generated although their schemas lack handlers.
pub fn supported_extras() -> BTreeSet<String> {
    #[derive(Deserialize)]
    struct File {
        types: BTreeMap<String, String>,
    }
    read::<File>(include_str!("../data/supported-extras.json")).types.into_keys().collect()
}

/// What `Ref` returns, by CloudFormation type, in the published form.
pub(crate) fn references() -> &'static BTreeMap<String, Value> {
    #[derive(Deserialize)]
    struct File {
        types: BTreeMap<String, Value>,
    }
    static REFERENCES: OnceLock<BTreeMap<String, Value>> = OnceLock::new();
    REFERENCES.get_or_init(|| read::<File>(include_str!("../data/ref-returns.json")).types)
}

fn read<T: for<'de> Deserialize<'de>>(text: &'static str) -> T {
    serde_json::from_str(text).expect("the committed tables have the form that this module declares")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_are_readable_and_sorted() {
        let regions = regions();
        assert!(regions.windows(2).all(|pair| matches!(pair, [a, b] if a.name < b.name)));
        assert_eq!(regions.len(), 46);
        assert_eq!(supported_extras().len(), 3);
        assert_eq!(references().len(), 493);
    }
}
