//! Schemas of several regions as one set: the union of their types, and where they do not agree.
//!
//! Regions get new types and new properties at different times. Of a type that several have, the schema of the first
//! one named is used.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

/// Which source has which type, in the order in which the sources were named.
#[derive(Debug, Clone, Default)]
pub struct Merge {
    sources: Vec<String>,
    types: BTreeMap<String, Occurrence>,
}

/// Where a type occurs, as positions in the list of sources.
#[derive(Debug, Clone)]
struct Occurrence {
    /// What tells its schema from others, as the first source has it.
    contents: String,
    sources: BTreeSet<usize>,
    differing: BTreeSet<usize>,
}

/// What a maintainer wants to know about a merge: `report/regions.json`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct MergeReport {
    /// The sources, in the order in which they win.
    pub sources: Vec<String>,
    /// How many types there are in all.
    pub types: usize,
    /// Types whose schemas differ.
    pub differing: Vec<Differing>,
    /// Types that some sources do not have.
    pub partial: Vec<Partial>,
}

/// A type whose schemas differ.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Differing {
    /// CloudFormation type name.
    #[serde(rename = "type")]
    pub type_name: String,
    /// The source whose schema is used.
    pub used: String,
    /// Those that have another schema.
    pub otherwise: Vec<String>,
}

/// A type that some sources do not have.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Partial {
    /// CloudFormation type name.
    #[serde(rename = "type")]
    pub type_name: String,
    /// The sources that have it.
    #[serde(rename = "in")]
    pub sources: Vec<String>,
}

impl Merge {
    /// A merge of sources with these names.
    #[must_use]
    pub fn new(sources: Vec<String>) -> Self {
        Self { sources, types: BTreeMap::new() }
    }

    /// Whether there is anything to compare.
    #[must_use]
    pub fn is_of_several(&self) -> bool {
        self.sources.len() > 1
    }

    /// Notes that the source at this position has a type, with contents that equal schemas share. Sources come in
    /// order. True when this source's schema is the one to use.
    pub fn add(&mut self, source: usize, type_name: &str, contents: impl Into<String>) -> bool {
        let contents = contents.into();
        let occurrence = self.types.entry(type_name.to_owned()).or_insert_with(|| Occurrence {
            contents: contents.clone(),
            sources: BTreeSet::new(),
            differing: BTreeSet::new(),
        });
        occurrence.sources.insert(source);
        let is_used = occurrence.sources.first() == Some(&source);
        if !is_used && occurrence.contents != contents {
            occurrence.differing.insert(source);
        }
        is_used
    }

    /// The names of the types that each source has, by position of the source.
    #[must_use]
    pub fn types_by_source(&self) -> Vec<BTreeSet<String>> {
        let mut types = vec![BTreeSet::new(); self.sources.len()];
        for (type_name, occurrence) in &self.types {
            for source in &occurrence.sources {
                if let Some(types) = types.get_mut(*source) {
                    types.insert(type_name.clone());
                }
            }
        }
        types
    }

    /// Where the sources do not agree.
    #[must_use]
    pub fn report(&self) -> MergeReport {
        let name = |source: &usize| self.sources.get(*source).cloned().unwrap_or_default();
        let names = |sources: &BTreeSet<usize>| sources.iter().map(name).collect::<Vec<_>>();
        let mut report =
            MergeReport { sources: self.sources.clone(), types: self.types.len(), ..MergeReport::default() };
        for (type_name, occurrence) in &self.types {
            let type_name = || type_name.clone();
            if !occurrence.differing.is_empty() {
                let used = occurrence.sources.first().map(name).unwrap_or_default();
                let otherwise = names(&occurrence.differing);
                report.differing.push(Differing { type_name: type_name(), used, otherwise });
            }
            if occurrence.sources.len() < self.sources.len() {
                report.partial.push(Partial { type_name: type_name(), sources: names(&occurrence.sources) });
            }
        }
        report
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_source_wins_and_disagreement_is_reported() {
        let mut merge = Merge::new(["b", "a", "c"].map(str::to_owned).to_vec());
        assert!(merge.add(0, "Same", "1"));
        assert!(merge.add(0, "Differs", "1"));
        // A second file for one type in the same source is the generator's to report.
        assert!(merge.add(0, "Differs", "2"));
        assert!(!merge.add(1, "Same", "1"));
        assert!(!merge.add(1, "Differs", "2"));
        assert!(merge.add(1, "Late", "1"));
        assert!(!merge.add(2, "Same", "1"));
        assert!(!merge.add(2, "Differs", "1"));
        assert!(!merge.add(2, "Late", "2"));

        let text = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        let differing = |type_name: &str, used: &str, otherwise: &[&str]| Differing {
            type_name: type_name.to_owned(),
            used: used.to_owned(),
            otherwise: text(otherwise),
        };
        let expected = MergeReport {
            sources: text(&["b", "a", "c"]),
            types: 3,
            differing: vec![differing("Differs", "b", &["a"]), differing("Late", "a", &["c"])],
            partial: vec![Partial { type_name: "Late".to_owned(), sources: text(&["a", "c"]) }],
        };
        assert_eq!(merge.report(), expected);
        assert_eq!(merge.types_by_source()[0], BTreeSet::from(["Differs".to_owned(), "Same".to_owned()]));
    }

    #[test]
    fn one_source_agrees_with_itself() {
        let mut merge = Merge::new(vec!["a".to_owned()]);
        merge.add(0, "T", "1");
        let report = merge.report();
        assert!(report.differing.is_empty() && report.partial.is_empty());
    }
}
