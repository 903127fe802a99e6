//! Whether the lock and the inventory of the same run say the same names.

use super::NameLock;
use crate::inventory::{Inventory, TypeFacts, module_of};
use std::collections::BTreeSet;
use std::fmt;

/// Published names that only one of the two has; one of the files has been damaged.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Disagreement {
    /// Names of the lock that the inventory lacks, as the change report calls the places, in order.
    pub only_locked: Vec<String>,
    /// Modules of which the inventory has nothing, while the lock has published names of them.
    pub modules_not_listed: BTreeSet<String>,
    /// Names of the inventory that the lock lacks or calls gone, in order.
    pub only_listed: Vec<String>,
}

impl NameLock {
    /// Compares the names that the lock calls published with those of the inventory that was written with it.
    ///
    /// # Errors
    ///
    /// [`Disagreement`] has the names that one of the two lacks.
    pub fn agrees_with(&self, inventory: &Inventory) -> Result<(), Disagreement> {
        let locked = self.inventory();
        let (only_locked, only_listed) = (missing(&locked, inventory), missing(inventory, &locked));
        if only_locked.is_empty() && only_listed.is_empty() {
            return Ok(());
        }
        let listed: BTreeSet<&str> = tokens(inventory).map(module_of).collect();
        let modules = only_locked.iter().map(|place| module_of(place)).filter(|module| !listed.contains(module));
        Err(Disagreement { modules_not_listed: modules.map(str::to_owned).collect(), only_locked, only_listed })
    }
}

/// All tokens.
fn tokens(of: &Inventory) -> impl Iterator<Item = &str> {
    of.functions.iter().chain(of.resources.keys()).chain(of.types.keys()).map(String::as_str)
}

/// The names that `other` lacks. What a token is that is missing altogether, is not listed.
fn missing(of: &Inventory, other: &Inventory) -> Vec<String> {
    let mut missing: Vec<String> = of.functions.difference(&other.functions).cloned().collect();
    let member = |token: &str, name: &str| format!("{token}.{name}");
    for (token, facts) in &of.resources {
        match other.resources.get(token) {
            None => missing.push(token.clone()),
            Some(other) => {
                let names = facts.properties.keys().filter(|name| !other.properties.contains_key(*name));
                missing.extend(names.map(|name| member(token, name)));
            }
        }
    }
    for (token, facts) in &of.types {
        match (facts, other.types.get(token)) {
            (TypeFacts::Object(members), Some(TypeFacts::Object(others))) => {
                let names = members.keys().filter(|name| !others.contains_key(*name));
                missing.extend(names.map(|name| member(token, name)));
            }
            (TypeFacts::Enum(members), Some(TypeFacts::Enum(others))) => {
                let names = members.keys().filter(|name| !others.contains_key(*name));
                missing.extend(names.map(|name| member(token, name)));
            }
            (TypeFacts::Object(_) | TypeFacts::Enum(_), _) => missing.push(token.clone()),
        }
    }
    missing
}

/// Shows the first few.
pub(super) fn some(names: &[String], most: usize) -> String {
    let (shown, rest) = names.split_at(names.len().min(most));
    let rest = if rest.is_empty() { String::new() } else { format!(" and {} more", rest.len()) };
    format!("{}{rest}", shown.join(", "))
}

impl fmt::Display for Disagreement {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = Vec::new();
        if !self.modules_not_listed.is_empty() {
            let modules: Vec<String> = self.modules_not_listed.iter().map(|module| format!("{module}.tsv")).collect();
            parts.push(format!("the inventory has no {}, while names.lock has its names", some(&modules, 3)));
        } else if !self.only_locked.is_empty() {
            parts.push(format!("the inventory lacks names that names.lock has: {}", some(&self.only_locked, 3)));
        }
        if !self.only_listed.is_empty() {
            parts.push(format!("names.lock lacks names that the inventory has: {}", some(&self.only_listed, 3)));
        }
        to.write_str(&parts.join("; "))
    }
}

impl std::error::Error for Disagreement {}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

    use super::*;

    const LOCK: &str = "module\tindex\t4\nfunction\tgetA\nobject\tTag\n\tkey\n\told\tOld\tgone\n\
        module\ts3\t5\nresource\tBucket\tAWS::S3::Bucket\t-\n\tname\nenum\tMode\n\ton\tOn\ngone\tobject\tRule\n\
        module\tsqs\t1\ngone\tresource\tQueue\tAWS::SQS::Queue\t-\nend\t3\n";

    #[test]
    fn damage_of_one_is_seen_in_the_other() {
        let lock = NameLock::parse(LOCK).unwrap();
        let whole = lock.inventory();
        assert_eq!(lock.agrees_with(&whole), Ok(()));
        let check = |damage: &dyn Fn(&mut Inventory), expected: &str| {
            let mut inventory = whole.clone();
            damage(&mut inventory);
            assert_eq!(lock.agrees_with(&inventory).unwrap_err().to_string(), expected);
        };
        check(
            &|all| drop(all.functions.pop_first()),
            "the inventory lacks names that names.lock has: aws-native:index:getA",
        );
        check(
            &|all| all.resources.values_mut().for_each(|one| one.properties.clear()),
            "the inventory lacks names that names.lock has: aws-native:s3:Bucket.name",
        );
        check(
            &|all| all.types.retain(|token, _| token.contains("Tag")),
            "the inventory lacks names that names.lock has: aws-native:s3:Mode",
        );
        check(
            &|all| {
                all.types.retain(|token, _| token.contains("Tag"));
                all.resources.clear();
            },
            "the inventory has no s3.tsv, while names.lock has its names",
        );
        check(
            &|all| *all = Inventory::default(),
            "the inventory has no index.tsv, s3.tsv, while names.lock has its names",
        );
        check(
            &|all| {
                for name in ["a", "b", "c", "d"] {
                    all.functions.insert(format!("aws-native:zoo:{name}"));
                }
            },
            "names.lock lacks names that the inventory has: aws-native:zoo:a, aws-native:zoo:b, aws-native:zoo:c and 1 more",
        );
        let as_enum = |all: &mut Inventory| {
            all.types.insert("aws-native:index:Tag".to_owned(), TypeFacts::Enum(Default::default()));
        };
        check(
            &as_enum,
            "the inventory lacks names that names.lock has: aws-native:index:Tag; names.lock lacks names that the inventory \
             has: aws-native:index:Tag",
        );
    }
}
