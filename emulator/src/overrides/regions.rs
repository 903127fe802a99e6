//! What there is and differs by region: availability zones, and tables such as hosted zones of load balancers.

#![allow(dead_code, reason = "reasons and links are for those who read the files")]

use crate::scope::Scope;
use serde::Deserialize;
use std::collections::BTreeMap;

/// The file about regions.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Regions {
    pub(crate) regions: Listed,
    pub(crate) zones: Zones,
    /// By the name that templates use.
    pub(crate) tables: BTreeMap<String, Table>,
}

/// The regions that there are.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Listed {
    pub(crate) reason: String,
    pub(crate) link: String,
    pub(crate) entries: Vec<String>,
}

/// A zone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Zone {
    /// `eu-west-1a`.
    pub(crate) name: String,
    /// `euw1-az1`.
    pub(crate) id: String,
}

/// Availability zones.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Zones {
    pub(crate) reason: String,
    pub(crate) link: String,
    /// Regions whose zones are not `a`, `b`, `c` with the numbers 1, 2, 3: letters, and numbers in the same order.
    pub(crate) entries: BTreeMap<String, Lettered>,
}

/// Letters of zones and the numbers in their ids.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Lettered {
    pub(crate) letters: String,
    pub(crate) numbers: Vec<u8>,
}

/// One value for each of some regions.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Table {
    pub(crate) reason: String,
    pub(crate) link: String,
    pub(crate) entries: BTreeMap<String, String>,
}

impl Regions {
    /// The regions of the partition that a scope is in, by name.
    pub(crate) fn beside(&self, scope: &Scope) -> Vec<&str> {
        let names = self.regions.entries.iter().map(String::as_str);
        names.filter(|name| Scope::new("", *name).partition() == scope.partition()).collect()
    }

    /// The availability zones of a region. A region that nobody has heard of has three.
    pub(crate) fn zones(&self, region: &str) -> Vec<Zone> {
        let usual = || Lettered { letters: "abc".to_owned(), numbers: vec![1, 2, 3] };
        let lettered = self.zones.entries.get(region).cloned().unwrap_or_else(usual);
        let code = code(region);
        let zone =
            |(letter, number): (char, u8)| Zone { name: format!("{region}{letter}"), id: format!("{code}-az{number}") };
        lettered.letters.chars().zip(lettered.numbers).map(zone).collect()
    }
}

/// The short form of a region in ids of zones: `us-east-1` is `use1`, `ap-northeast-2` is `apne2`, `us-gov-west-1` is `usgw1`.
///
/// Words after the first give their first letter, those made of two directions the first letters of both.
pub(crate) fn code(region: &str) -> String {
    let mut words = region.split('-');
    let mut code = words.next().unwrap_or_default().to_owned();
    for word in words {
        let second = ["north", "south"].iter().find_map(|first| word.strip_prefix(first)?.chars().next());
        if word.bytes().all(|byte| byte.is_ascii_digit()) {
            code.push_str(word);
        } else {
            code.extend(word.chars().next());
            code.extend(second);
        }
    }
    code
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

    use super::*;
    use crate::overrides::Knowledge;

    #[test]
    fn codes_of_regions() {
        for (region, expected) in [
            ("us-east-1", "use1"),
            ("eu-central-1", "euc1"),
            ("ap-northeast-2", "apne2"),
            ("ap-southeast-5", "apse5"),
            ("us-gov-west-1", "usgw1"),
            ("cn-northwest-1", "cnnw1"),
            ("me-central-1", "mec1"),
        ] {
            assert_eq!(code(region), expected, "{region}");
        }
    }

    #[test]
    fn zones_have_names_and_ids() {
        let regions = Knowledge::load().unwrap().regions;
        let zones = |region: &str| regions.zones(region);
        assert_eq!(zones("eu-west-1")[1], Zone { name: "eu-west-1b".to_owned(), id: "euw1-az2".to_owned() });
        assert_eq!(zones("us-east-1").len(), 6);
        assert_eq!(zones("us-west-1")[1].id, "usw1-az3");
        assert_eq!(regions.beside(&Scope::new("1", "cn-north-1")), ["cn-north-1", "cn-northwest-1"]);
        assert_eq!(regions.beside(&Scope::new("1", "eu-west-1")).len(), 34);
        assert_eq!(zones("zz-new-9").len(), 3, "an unknown region has zones too");
        for (region, lettered) in &regions.zones.entries {
            assert_eq!(lettered.letters.len(), lettered.numbers.len(), "{region}");
        }
        for (name, table) in &regions.tables {
            assert!(table.link.starts_with("https://docs.aws.amazon.com/"), "{name} says where it is from");
        }
    }
}
