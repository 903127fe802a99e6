//! From two inventories to the changes between them.

use super::renames::Renames;
use super::{Base, Change, Changes, Kind, marks};
use crate::inventory::{Inventory, Members, PropertyFacts, ResourceFacts, TypeFacts, map_tokens};
use litemap::LiteMap;
use std::collections::{BTreeMap, BTreeSet};

impl Changes {
    /// What changed from `before`, which comes from a base of that kind, to `after`, which is an inventory.
    pub fn between(base: Base, before: &Inventory, after: &Inventory) -> Changes {
        let renames = Renames::find(before, after);
        let mut comparison = Comparison { base, before, after, renames, changes: Vec::new() };
        comparison.resources();
        comparison.functions();
        comparison.types();
        let mut changes = comparison.changes;
        changes.sort_unstable();
        Changes { base, limits: base.limits(), changes }
    }
}

struct Comparison<'i> {
    base: Base,
    before: &'i Inventory,
    after: &'i Inventory,
    renames: Renames,
    changes: Vec<Change>,
}

impl Comparison<'_> {
    fn say(&mut self, change: Change) {
        self.changes.push(change);
    }

    fn resources(&mut self) {
        let (before, after) = (self.before, self.after);
        let renamed: BTreeSet<String> = self.renames.resources.values().cloned().collect();
        for (token, old) in &before.resources {
            let new_token = self.renames.resources.get(token).unwrap_or(token).clone();
            let Some(new) = after.resources.get(&new_token) else {
                let reason = old.cfn_type.as_ref().and_then(|name| after.left_out.get(name));
                let removed = Change::new(Kind::ResourceRemoved, token);
                self.say(removed.with_values("", reason.map_or("", String::as_str)));
                continue;
            };
            if new_token != *token {
                self.say(Change::new(Kind::ResourceRenamed, &new_token).with_values(token, &new_token));
            }
            self.resource(&new_token, old, new);
        }
        for token in after.resources.keys().filter(|token| !before.resources.contains_key(*token)) {
            if !renamed.contains(token) {
                self.say(Change::new(Kind::ResourceAdded, token));
            }
        }
    }

    fn resource(&mut self, token: &str, old: &ResourceFacts, new: &ResourceFacts) {
        match (&old.getter, &new.getter) {
            (Some(getter), None) => self.say(Change::new(Kind::FunctionRemoved, getter)),
            (None, Some(getter)) => self.say(Change::new(Kind::FunctionAdded, getter)),
            (Some(_), Some(_)) | (None, None) => {}
        }
        self.members(token, &old.properties, &new.properties);
        let marks = marks::changes(self.base, token, (self.before, old), (self.after, new));
        let is_read_only =
            |name: &str, kind| marks.iter().any(|mark| mark.kind == kind && mark.path.as_deref() == Some(name));
        if self.base != Base::NameLock {
            for (name, old, new) in common(&old.properties, &new.properties) {
                // A mark that came or went is the better reason.
                match (old.input, new.input) {
                    (true, false) if !is_read_only(name, Kind::NewlyReadOnly) => {
                        self.changes.push(Change::new(Kind::NoLongerInput, token).at(name));
                    }
                    (false, true) if !is_read_only(name, Kind::NoLongerReadOnly) => {
                        self.changes.push(Change::new(Kind::BecameInput, token).at(name));
                    }
                    _ => {}
                }
                match (old.always, new.always) {
                    (true, false) => self.changes.push(Change::new(Kind::NoLongerAlways, token).at(name)),
                    (false, true) => self.changes.push(Change::new(Kind::NowAlways, token).at(name)),
                    _ => {}
                }
            }
            self.identifier(token, old, new);
        }
        self.changes.extend(marks);
    }

    fn identifier(&mut self, token: &str, old: &ResourceFacts, new: &ResourceFacts) {
        let (old, new) = match self.base {
            Base::Inventory => (old.identifier.join("|"), new.identifier.join("|")),
            // Known from the getter alone, which calls every property by its own name.
            Base::PackageSchema if old.getter.is_some() && new.getter.is_some() => {
                let own: Vec<&str> =
                    new.identifier.iter().map(|name| if name == "awsId" { "id" } else { name }).collect();
                (old.identifier.join("|"), own.join("|"))
            }
            Base::PackageSchema | Base::NameLock => return,
        };
        if old != new {
            self.say(Change::new(Kind::IdentifierChanged, token).with_values(&old, &new));
        }
    }

    fn functions(&mut self) {
        let (before, after) = (self.before, self.after);
        before
            .functions
            .difference(&after.functions)
            .for_each(|token| self.say(Change::new(Kind::FunctionRemoved, token)));
        after
            .functions
            .difference(&before.functions)
            .for_each(|token| self.say(Change::new(Kind::FunctionAdded, token)));
    }

    fn types(&mut self) {
        let (before, after) = (self.before, self.after);
        let renamed: BTreeSet<String> = self.renames.types.values().cloned().collect();
        for (token, old) in &before.types {
            let new_token = self.renames.types.get(token).unwrap_or(token).clone();
            let Some(new) = after.types.get(&new_token) else {
                self.say(Change::new(Kind::TypeRemoved, token));
                continue;
            };
            if new_token != *token {
                self.say(Change::new(Kind::TypeRenamed, &new_token).with_values(token, &new_token));
            }
            match (old, new) {
                (TypeFacts::Object(old), TypeFacts::Object(new)) => {
                    self.members(&new_token, old, new);
                    if self.base == Base::PackageSchema {
                        self.nested_marks(&new_token, old, new);
                    }
                }
                (TypeFacts::Enum(old), TypeFacts::Enum(new)) => self.enum_members(&new_token, old, new),
                _ => self.say(Change::new(Kind::TypeReplaced, &new_token)),
            }
        }
        for token in after.types.keys().filter(|token| !before.types.contains_key(*token)) {
            if !renamed.contains(token) {
                self.say(Change::new(Kind::TypeAdded, token));
            }
        }
    }

    /// What a package schema says about nested create-only paths. With an inventory as the base the paths are compared.
    fn nested_marks(&mut self, token: &str, old: &Members, new: &Members) {
        for (name, old, new) in common(old, new) {
            match (old.replaces, new.replaces) {
                (false, true) => self.changes.push(Change::new(Kind::NewlyCreateOnly, token).at(name)),
                (true, false) => self.changes.push(Change::new(Kind::NoLongerCreateOnly, token).at(name)),
                _ => {}
            }
        }
    }

    /// The properties of a resource or of an object type.
    fn members(&mut self, token: &str, old: &Members, new: &Members) {
        let renamed = match self.base {
            Base::Inventory | Base::NameLock => renamed_members(old, new),
            Base::PackageSchema => BTreeMap::new(),
        };
        for (name, old) in old {
            let new_name = renamed.get(name.as_str()).copied().unwrap_or(name);
            let Some(new) = new.get(new_name) else {
                self.say(Change::new(Kind::PropertyRemoved, token).at(name));
                continue;
            };
            if new_name != name {
                self.say(Change::new(Kind::PropertyRenamed, token).at(new_name).with_values(name, new_name));
            } else if self.base != Base::PackageSchema && old.cfn_name != new.cfn_name {
                let redirected = Change::new(Kind::PropertyRedirected, token).at(name);
                self.say(redirected.with_values(&old.cfn_name, &new.cfn_name));
            }
            if self.base == Base::NameLock {
                continue;
            }
            let old_type = map_tokens(&old.ty, |token| {
                self.renames.types.get(token).map_or_else(|| token.to_owned(), Clone::clone)
            });
            if old_type != new.ty {
                self.say(Change::new(Kind::Retyped, token).at(new_name).with_values(&old.ty, &new.ty));
            }
            match (old.required, new.required) {
                (false, true) => self.say(Change::new(Kind::NewlyRequired, token).at(new_name)),
                // What is no input any more says so itself.
                (true, false) if new.input => self.say(Change::new(Kind::NoLongerRequired, token).at(new_name)),
                _ => {}
            }
        }
        let came_by_name: BTreeSet<&str> = renamed.into_values().collect();
        for (name, property) in new.iter().filter(|(name, _)| !old.contains_key(*name)) {
            if !came_by_name.contains(name.as_str()) {
                let is_demanded = property.required && self.base != Base::NameLock;
                let kind = if is_demanded { Kind::RequiredPropertyAdded } else { Kind::PropertyAdded };
                self.say(Change::new(kind, token).at(name));
            }
        }
    }

    fn enum_members(&mut self, token: &str, old: &LiteMap<String, String>, new: &LiteMap<String, String>) {
        for (value, old_name) in old {
            match new.get(value) {
                None => self.say(Change::new(Kind::MemberRemoved, token).at(value)),
                Some(new_name) if new_name != old_name => {
                    self.say(Change::new(Kind::MemberRenamed, token).at(value).with_values(old_name, new_name));
                }
                Some(_) => {}
            }
        }
        for value in new.keys().filter(|value| !old.contains_key(*value)) {
            self.say(Change::new(Kind::MemberAdded, token).at(value));
        }
    }
}

/// Old to new names of properties that stand for the same CloudFormation property.
fn renamed_members<'m>(old: &'m Members, new: &'m Members) -> BTreeMap<&'m str, &'m str> {
    let added: BTreeMap<&str, &str> = new
        .iter()
        .filter(|(name, _)| !old.contains_key(*name))
        .map(|(name, property)| (property.cfn_name.as_str(), name.as_str()))
        .collect();
    old.iter()
        .filter(|(name, _)| !new.contains_key(*name))
        .filter_map(|(name, property)| Some((name.as_str(), *added.get(property.cfn_name.as_str())?)))
        .collect()
}

/// Properties that are there before and after.
fn common<'m>(
    old: &'m Members,
    new: &'m Members,
) -> impl Iterator<Item = (&'m str, &'m PropertyFacts, &'m PropertyFacts)> {
    old.iter().filter_map(|(name, old)| Some((name.as_str(), old, new.get(name)?)))
}
