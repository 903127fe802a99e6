//! The lock after a run, and forgetting.

use super::{Claims, LockedMembers, LockedModule, LockedResource, LockedType, Member, NameLock, TypeKind, parts};
use crate::inventory::{Inventory, Members, PropertyFacts, ResourceFacts, TypeFacts};
use crate::tokens::PACKAGE;
use litemap::LiteMap;
use std::collections::BTreeMap;

/// What was taken out of a lock.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Forgotten {
    /// How many names.
    pub names: usize,
    /// Those among them that had gone, as the change report calls the places: nothing else remembers them.
    pub gone: Vec<String>,
}

impl NameLock {
    /// The lock after a run whose facts are `inventory` and whose types are whose `claims` say: new names join, and what
    /// the run lacks is marked as gone. Nothing leaves the lock.
    pub fn after(mut self, claims: &BTreeMap<String, Claims>, inventory: &Inventory) -> NameLock {
        for module in self.modules.values_mut() {
            module.functions.values_mut().for_each(|gone| *gone = true);
            module.resources.values_mut().for_each(|resource| resource.gone = true);
            module.types.values_mut().for_each(|locked| locked.gone = true);
        }
        for (module, name) in inventory.functions.iter().filter_map(|token| parts(token)) {
            self.module(module).functions.insert(name.to_owned(), false);
        }
        for (token, facts) in &inventory.resources {
            if let Some((module, name)) = parts(token) {
                update_resource(self.module(module).resources.entry(name.to_owned()).or_default(), facts);
            }
        }
        for (token, facts) in &inventory.types {
            let Some((module, name)) = parts(token) else { continue };
            let (kind, members) = match facts {
                TypeFacts::Object(members) => (TypeKind::Object, cfn_names(members)),
                TypeFacts::Enum(members) => (TypeKind::Enum, members.clone()),
            };
            let new = || LockedType { kind, claims: Claims::default(), members: LockedMembers::new(), gone: false };
            let locked = self.module(module).types.entry(name.to_owned()).or_insert_with(new);
            // No schema's type comes to be of the other kind under its old name; a type of the package itself might.
            locked.kind = kind;
            locked.gone = false;
            locked.claims.extend(claims.get(token).into_iter().flatten().cloned());
            update_members(&mut locked.members, members);
        }
        self
    }

    fn module(&mut self, name: &str) -> &mut LockedModule {
        self.modules.entry(name.to_owned()).or_default()
    }

    /// Takes out what a pattern matches, in which `*` stands for any text: tokens with all that is in them, properties
    /// and values of enums as `TOKEN.NAME`. Returns what that was.
    pub fn forget(&mut self, pattern: &str) -> Forgotten {
        let mut forgotten = Forgotten::default();
        let mut stays = Stays { pattern, forgotten: &mut forgotten };
        for (module_name, module) in &mut self.modules {
            let token = |name: &str| format!("{PACKAGE}:{module_name}:{name}");
            module.functions.retain(|name, gone| stays.alone(&token(name), *gone));
            module
                .resources
                .retain(|name, resource| stays.with_members(&token(name), resource.gone, &mut resource.properties));
            module.types.retain(|name, locked| stays.with_members(&token(name), locked.gone, &mut locked.members));
        }
        forgotten
    }

    /// The names that are published here and that a run with these facts lacks, as the change report calls the places.
    pub fn gone_from(&self, inventory: &Inventory) -> Vec<String> {
        let mut gone = Vec::new();
        for (module_name, module) in &self.modules {
            let token = |name: &str| format!("{PACKAGE}:{module_name}:{name}");
            let functions = module.functions.iter().filter(|(_, gone)| !**gone).map(|(name, _)| token(name));
            gone.extend(functions.filter(|token| !inventory.functions.contains(token)));
            for (name, locked) in module.resources.iter().filter(|(_, locked)| !locked.gone) {
                let token = token(name);
                match inventory.resources.get(&token) {
                    Some(facts) => {
                        gone.extend(absent(&token, &locked.properties, |name| facts.properties.contains_key(name)))
                    }
                    None => gone.push(token),
                }
            }
            for (name, locked) in module.types.iter().filter(|(_, locked)| !locked.gone) {
                let token = token(name);
                match inventory.types.get(&token) {
                    Some(TypeFacts::Object(members)) => {
                        gone.extend(absent(&token, &locked.members, |name| members.contains_key(name)))
                    }
                    Some(TypeFacts::Enum(members)) => {
                        gone.extend(absent(&token, &locked.members, |name| members.contains_key(name)))
                    }
                    None => gone.push(token),
                }
            }
        }
        gone
    }

    /// What is published, as far as names say it, to compare a run with.
    pub fn inventory(&self) -> Inventory {
        let mut inventory = Inventory::default();
        for (module_name, module) in &self.modules {
            let token = |name: &str| format!("{PACKAGE}:{module_name}:{name}");
            let functions = module.functions.iter().filter(|(_, gone)| !**gone);
            inventory.functions.extend(functions.map(|(name, _)| token(name)));
            for (name, resource) in module.resources.iter().filter(|(_, resource)| !resource.gone) {
                let facts = ResourceFacts {
                    cfn_type: resource.cfn_type.clone(),
                    getter: resource.getter.as_deref().map(token),
                    properties: properties(&resource.properties),
                    ..ResourceFacts::default()
                };
                inventory.resources.insert(token(name), facts);
            }
            for (name, locked) in module.types.iter().filter(|(_, locked)| !locked.gone) {
                let facts = match locked.kind {
                    TypeKind::Object => TypeFacts::Object(properties(&locked.members)),
                    TypeKind::Enum => TypeFacts::Enum(
                        live(&locked.members).map(|(value, name)| (value.clone(), name.to_owned())).collect(),
                    ),
                };
                inventory.types.insert(token(name), facts);
            }
        }
        inventory
    }
}

fn live(members: &LockedMembers) -> impl Iterator<Item = (&String, &str)> {
    members.iter().filter(|(_, member)| !member.gone).map(|(name, member)| (name, member.text.as_str()))
}

fn properties(members: &LockedMembers) -> Members {
    let facts = |cfn_name: &str| PropertyFacts { cfn_name: cfn_name.to_owned(), ..PropertyFacts::default() };
    live(members).map(|(name, cfn_name)| (name.clone(), facts(cfn_name))).collect()
}

fn cfn_names(members: &Members) -> LiteMap<String, String> {
    members.iter().map(|(name, property)| (name.clone(), property.cfn_name.clone())).collect()
}

fn update_resource(locked: &mut LockedResource, facts: &ResourceFacts) {
    locked.gone = false;
    locked.cfn_type.clone_from(&facts.cfn_type);
    if let Some((_, getter)) = facts.getter.as_deref().and_then(parts) {
        locked.getter = Some(getter.to_owned());
    }
    update_members(&mut locked.properties, cfn_names(&facts.properties));
}

fn update_members(locked: &mut LockedMembers, published: LiteMap<String, String>) {
    locked.iter_mut().for_each(|(_, member)| member.gone = true);
    locked.extend(published.into_iter().map(|(name, text)| (name, Member { text, gone: false })));
}

/// The places of the published members that are not there any more.
fn absent(token: &str, members: &LockedMembers, is_there: impl Fn(&str) -> bool) -> Vec<String> {
    live(members).filter(|(name, _)| !is_there(name)).map(|(name, _)| format!("{token}.{name}")).collect()
}

/// What a pattern leaves of a lock.
struct Stays<'p> {
    pattern: &'p str,
    forgotten: &'p mut Forgotten,
}

impl Stays<'_> {
    /// Whether a name stays.
    fn alone(&mut self, name: &str, gone: bool) -> bool {
        let stays = !matches(self.pattern, name);
        if !stays {
            self.forget(name, gone);
        }
        stays
    }

    /// Whether a token stays; one that goes takes its members along.
    fn with_members(&mut self, token: &str, gone: bool, members: &mut LockedMembers) -> bool {
        let stays = self.alone(token, gone);
        members.retain(|name, member| {
            let name = format!("{token}.{name}");
            if stays {
                return self.alone(&name, member.gone);
            }
            self.forget(&name, member.gone);
            false
        });
        stays
    }

    fn forget(&mut self, name: &str, gone: bool) {
        self.forgotten.names += 1;
        self.forgotten.gone.extend(gone.then(|| name.to_owned()));
    }
}

/// Whether a pattern, in which `*` stands for any text, matches a whole text.
fn matches(pattern: &str, text: &str) -> bool {
    let mut parts = pattern.split('*');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = text.strip_prefix(first) else { return false };
    let Some(last) = parts.next_back() else { return rest.is_empty() };
    for part in parts {
        let Some(at) = rest.find(part) else { return false };
        rest = rest.get(at + part.len()..).unwrap_or_default();
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns() {
        for (pattern, text, expected) in [
            ("a", "a", true),
            ("a", "ab", false),
            ("", "", true),
            ("*", "anything", true),
            ("a*", "abc", true),
            ("*c", "abc", true),
            ("a*b*c", "a-b-b-c", true),
            ("a*b*c", "a-c", false),
            ("ab*ba", "aba", false),
            ("a*", "b", false),
        ] {
            assert_eq!(matches(pattern, text), expected, "{pattern} {text}");
        }
    }
}
