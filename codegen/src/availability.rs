//! Which resource type is offered in which region.
//!
//! What is not in the data is unknown, never "no": a region that opens after the data was made, and a type that no
//! region lists. The runtime form of this table is `metadata::regions`.

use std::collections::{BTreeMap, BTreeSet};

use crate::data::Region;

/// Which type is offered in which region.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Availability {
    /// In ascending order.
    regions: Vec<String>,
    /// For every type that a region lists: for every region, whether it lists the type.
    by_type: BTreeMap<String, Vec<bool>>,
}

impl Availability {
    /// From region to the names of the types that it offers.
    #[must_use]
    pub fn from_regions(regions: BTreeMap<String, BTreeSet<String>>) -> Self {
        let count = regions.len();
        let mut availability = Self::default();
        for (index, (region, types)) in regions.into_iter().enumerate() {
            availability.regions.push(region);
            for cfn_type in types {
                let offered = availability.by_type.entry(cfn_type).or_insert_with(|| vec![false; count]);
                if let Some(flag) = offered.get_mut(index) {
                    *flag = true;
                }
            }
        }
        availability
    }

    /// The regions that something is known about, in ascending order.
    #[must_use]
    pub fn regions(&self) -> &[String] {
        &self.regions
    }

    /// For every one of [`Self::regions`], whether it offers the type; `None` when no region lists it.
    #[must_use]
    pub fn offered(&self, cfn_type: &str) -> Option<&[bool]> {
        self.by_type.get(cfn_type).map(Vec::as_slice)
    }

    /// Whether the region offers the type; `None` when the region or the type is unknown.
    #[must_use]
    pub fn is_offered_in(&self, cfn_type: &str, region: &str) -> Option<bool> {
        let index = self.regions.binary_search_by(|known| known.as_str().cmp(region)).ok()?;
        self.offered(cfn_type)?.get(index).copied()
    }

    /// The regions of the type on one line, the shorter way round: `everywhere`, `everywhere but …` or `only in …`;
    /// `None` when nothing is known.
    #[must_use]
    pub fn describe(&self, cfn_type: &str) -> Option<String> {
        let offered = self.offered(cfn_type)?;
        let of = |wanted: bool| {
            let regions = self.regions.iter().zip(offered).filter(|(_, offered)| **offered == wanted);
            regions.map(|(region, _)| region.as_str()).collect::<Vec<_>>()
        };
        let (yes, no) = (of(true), of(false));
        Some(match (no.len(), yes.len()) {
            (0, _) => format!("everywhere ({} regions)", yes.len()),
            (absent, present) if absent < present => format!("everywhere but {}", no.join(", ")),
            _ => format!("only in {}", yes.join(", ")),
        })
    }

    /// The regions of `table` and those that only this data knows, in order of name; the latter are described by their
    /// names.
    #[must_use]
    pub fn complete(&self, mut table: Vec<Region>) -> Vec<Region> {
        for name in self.undescribed(&table) {
            table.push(Region { description: format!("Region {name}"), name });
        }
        table.sort_by(|one, other| one.name.cmp(&other.name));
        table
    }

    /// The regions that are not in `table`.
    #[must_use]
    pub fn undescribed(&self, table: &[Region]) -> Vec<String> {
        let known: BTreeSet<&str> = table.iter().map(|region| region.name.as_str()).collect();
        self.regions.iter().filter(|region| !known.contains(region.as_str())).cloned().collect()
    }
}

/// Whether a name has the form of a region's: words and a number, joined by dashes (`us-gov-west-1`).
#[must_use]
pub fn is_region_name(name: &str) -> bool {
    let Some((words, number)) = name.rsplit_once('-') else { return false };
    let is_word = |word: &str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_lowercase());
    words.contains('-')
        && words.split('-').all(is_word)
        && !number.is_empty()
        && number.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn availability(regions: &[(&str, &[&str])]) -> Availability {
        let regions = regions.iter().map(|(region, types)| {
            ((*region).to_owned(), types.iter().map(|cfn_type| (*cfn_type).to_owned()).collect())
        });
        Availability::from_regions(regions.collect())
    }

    #[test]
    fn unknown_is_not_no() {
        let availability = availability(&[("b-c-1", &["X", "Y"]), ("a-b-1", &["X"])]);
        assert_eq!(availability.regions(), ["a-b-1", "b-c-1"]);
        let check = |cfn_type: &str, region: &str, expected: Option<bool>| {
            assert_eq!(availability.is_offered_in(cfn_type, region), expected, "{cfn_type} in {region}");
        };
        check("X", "a-b-1", Some(true));
        check("Y", "a-b-1", Some(false));
        check("Y", "b-c-1", Some(true));
        check("Y", "c-d-1", None);
        check("Z", "a-b-1", None);
    }

    #[test]
    fn the_shorter_way_round() {
        let some = availability(&[("a", &["X", "Y", "Z"]), ("b", &["X", "Y"]), ("c", &["X", "Y"]), ("d", &["X"])]);
        let check = |cfn_type: &str, expected: Option<&str>| {
            assert_eq!(some.describe(cfn_type).as_deref(), expected, "{cfn_type}");
        };
        check("X", Some("everywhere (4 regions)"));
        check("Y", Some("everywhere but d"));
        check("Z", Some("only in a"));
        check("W", None);
        assert_eq!(Availability::default().describe("X"), None);
    }

    #[test]
    fn regions_without_a_description_join_the_table() {
        let table = || vec![Region { name: "b-c-1".to_owned(), description: "B (C)".to_owned() }];
        let some = availability(&[("b-c-1", &[]), ("a-b-1", &[])]);
        assert_eq!(some.undescribed(&table()), ["a-b-1"]);
        let complete = some.complete(table());
        let texts: Vec<_> = complete.iter().map(|region| (&*region.name, &*region.description)).collect();
        assert_eq!(texts, [("a-b-1", "Region a-b-1"), ("b-c-1", "B (C)")]);
        assert_eq!(Availability::default().complete(table()), table());
    }

    #[test]
    fn names_of_regions() {
        for name in ["us-east-1", "us-gov-west-1", "eusc-de-east-1", "ap-southeast-12"] {
            assert!(is_region_name(name), "{name}");
        }
        for name in ["", "sam", "us-east", "us-1", "us-east-", "US-EAST-1", "us--1", "us-east-1.json"] {
            assert!(!is_region_name(name), "{name}");
        }
    }
}
