//! Names that look removed and added although they are the same thing under another name.

use crate::inventory::{Inventory, Members, TypeFacts, tokens_in};
use std::collections::{BTreeMap, BTreeSet};

/// Old to new tokens.
#[derive(Debug, Default)]
pub(super) struct Renames {
    /// Resources: the same CloudFormation type has another token.
    pub resources: BTreeMap<String, String>,
    /// Types: a property that refers to the one, which is gone, now refers to the other, which is new.
    pub types: BTreeMap<String, String>,
}

impl Renames {
    pub(super) fn find(before: &Inventory, after: &Inventory) -> Renames {
        let mut renames = Renames { resources: resources(before, after), types: BTreeMap::new() };
        let mut taken: BTreeSet<String> = BTreeSet::new();
        // A renamed type may be what leads to the next one, so this looks again until nothing new turns up.
        loop {
            let mut found: BTreeMap<String, String> = BTreeMap::new();
            for (old, new) in renames.pairs(before, after) {
                for (name, old) in old {
                    let Some(new) = new.get(name) else { continue };
                    let (old, new) = (tokens_in(&old.ty), tokens_in(&new.ty));
                    if old.len() != new.len() {
                        continue;
                    }
                    for (old, new) in old.into_iter().zip(new) {
                        let fresh =
                            !renames.types.contains_key(old) && !found.contains_key(old) && !taken.contains(new);
                        let is_gone = !after.types.contains_key(old) && !before.types.contains_key(new);
                        let same_kind = before.types.get(old).zip(after.types.get(new)).is_some_and(|(old, new)| {
                            matches!(old, TypeFacts::Object(_)) == matches!(new, TypeFacts::Object(_))
                        });
                        if fresh && is_gone && same_kind {
                            found.insert(old.to_owned(), new.to_owned());
                            taken.insert(new.to_owned());
                        }
                    }
                }
            }
            if found.is_empty() {
                return renames;
            }
            renames.types.append(&mut found);
        }
    }

    /// The properties of everything that exists before and after, under whatever name.
    fn pairs<'i>(
        &self,
        before: &'i Inventory,
        after: &'i Inventory,
    ) -> impl Iterator<Item = (&'i Members, &'i Members)> {
        let resources = before.resources.iter().filter_map(|(token, old)| {
            let new = after.resources.get(self.resources.get(token).unwrap_or(token))?;
            Some((&old.properties, &new.properties))
        });
        let types = before.types.iter().filter_map(|(token, old)| {
            match (old, after.types.get(self.types.get(token).unwrap_or(token))?) {
                (TypeFacts::Object(old), TypeFacts::Object(new)) => Some((old, new)),
                _ => None,
            }
        });
        // Collected, so that what is found on the way can be noted.
        resources.chain(types).collect::<Vec<_>>().into_iter()
    }
}

fn resources(before: &Inventory, after: &Inventory) -> BTreeMap<String, String> {
    let by_type: BTreeMap<&str, &String> =
        after.resources.iter().filter_map(|(token, facts)| Some((facts.cfn_type.as_deref()?, token))).collect();
    before
        .resources
        .iter()
        .filter_map(|(token, facts)| {
            let new = *by_type.get(facts.cfn_type.as_deref()?)?;
            (new != token).then(|| (token.clone(), new.clone()))
        })
        .collect()
}
