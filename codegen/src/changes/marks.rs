//! Create-only, read-only and write-only paths: what became so, and what no longer is.

use super::{Base, Change, Kind};
use crate::inventory::{Inventory, Members, ResourceFacts, TypeFacts, tokens_in};
use std::collections::BTreeSet;

/// The changes of a resource's paths.
pub(super) fn changes(
    base: Base,
    token: &str,
    (before, old): (&Inventory, &ResourceFacts),
    (after, new): (&Inventory, &ResourceFacts),
) -> Vec<Change> {
    let mut changes = Vec::new();
    let mut compare = |old_paths: &BTreeSet<String>, new_paths: &BTreeSet<String>, became: Kind, ceased: Kind| {
        // What came or went together with its property is no change of a mark.
        let newly = new_paths.difference(old_paths).filter(|path| exists(before, old, path));
        changes.extend(newly.map(|path| Change::new(became, token).at(path)));
        let no_longer = old_paths.difference(new_paths).filter(|path| exists(after, new, path));
        changes.extend(no_longer.map(|path| Change::new(ceased, token).at(path)));
    };
    match base {
        Base::Inventory => {
            compare(&old.create_only, &new.create_only, Kind::NewlyCreateOnly, Kind::NoLongerCreateOnly);
            compare(&old.read_only, &new.read_only, Kind::NewlyReadOnly, Kind::NoLongerReadOnly);
            compare(&old.write_only, &new.write_only, Kind::NewlyWriteOnly, Kind::NoLongerWriteOnly);
        }
        Base::PackageSchema => {
            // A package schema marks outputs of resources, and never `awsId`.
            let markable = |path: &&String| !path.contains('/') && *path != "awsId";
            let new_paths = new.create_only.iter().filter(markable).cloned().collect();
            compare(&old.create_only, &new_paths, Kind::NewlyCreateOnly, Kind::NoLongerCreateOnly);
        }
        Base::NameLock => {}
    }
    changes
}

/// Whether a path leads to something, or to where nothing is known about the members.
fn exists(inventory: &Inventory, resource: &ResourceFacts, path: &str) -> bool {
    let mut members: Option<&Members> = Some(&resource.properties);
    for segment in path.split('/').filter(|segment| *segment != "*") {
        let Some(known) = members else { return true };
        let Some(property) = known.get(segment) else { return false };
        members = match tokens_in(&property.ty).as_slice() {
            [token] => match inventory.types.get(*token) {
                Some(TypeFacts::Object(members)) => Some(members),
                Some(TypeFacts::Enum(_)) | None => None,
            },
            _ => None,
        };
    }
    true
}
