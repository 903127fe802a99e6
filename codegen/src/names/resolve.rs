//! Which name a resource type gets for what it wants to call something.

use super::{LockedModule, Member, NameLock, TypeKind};
use crate::emit::names::rust_names;
use crate::package::Token;
use crate::tokens::{Names, PACKAGE};
use cfn::TypeName;
use std::collections::{BTreeSet, HashMap, HashSet};

/// Whose a name is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Standing<'l> {
    /// The asking resource's, under this name.
    Own(&'l str),
    /// Nobody's: the published rule decides.
    Free,
    /// Another resource's, or that of another kind of type.
    Taken,
}

/// Answers from a lock, or from none, in which case every name is free.
#[derive(Debug)]
pub(crate) struct Resolver<'l> {
    lock: Option<&'l NameLock>,
    /// Names by module and CloudFormation type: a type that moved to another module has one in each.
    resources: HashMap<(&'l str, &'l str), &'l str>,
    /// Names by module, resource and wanted name, in order.
    claimed: HashMap<(&'l str, &'l str, &'l str), Vec<&'l str>>,
    /// Generated Rust names of the locked resources.
    rust_names: BTreeSet<(String, String)>,
    /// Object types of this run that have another name than they wanted since that one was taken.
    substitutes: HashSet<Token>,
}

impl<'l> Resolver<'l> {
    /// A resolver for one run.
    pub(crate) fn new(lock: Option<&'l NameLock>) -> Resolver<'l> {
        let mut resolver = Resolver {
            lock,
            resources: HashMap::new(),
            claimed: HashMap::new(),
            rust_names: BTreeSet::new(),
            substitutes: HashSet::new(),
        };
        for (module_name, module) in lock.iter().flat_map(|lock| &lock.modules) {
            for (name, resource) in &module.resources {
                if let Some(cfn_type) = &resource.cfn_type {
                    resolver.resources.insert((module_name, cfn_type), name);
                }
                resolver.rust_names.extend(rust_names(&format!("{PACKAGE}:{module_name}:{name}")));
            }
            for (name, locked) in &module.types {
                for claim in &locked.claims {
                    let wanted = claim.wanted.as_ref().unwrap_or(name);
                    let key = (module_name.as_str(), claim.resource.as_str(), wanted.as_str());
                    resolver.claimed.entry(key).or_default().push(name);
                }
            }
        }
        resolver
    }

    fn module(&self, name: &str) -> Option<&'l LockedModule> {
        self.lock?.modules.get(name)
    }

    /// The names of a resource type: the locked ones, or else the first that neither the lock nor, as `is_taken` tells,
    /// this run has. Without a lock that is not looked at: then the published names stand.
    pub(crate) fn names(&self, type_name: &TypeName, is_taken: impl Fn(&Names) -> bool) -> Names {
        let published = Names::new(type_name);
        if self.lock.is_none() {
            return published;
        }
        if let Some(name) = self.resources.get(&(published.module.as_str(), type_name.as_str())) {
            return published.called(name);
        }
        let mut names = published.clone();
        let mut number = 2;
        while self.is_reserved(&names) || is_taken(&names) {
            names = published.called(&format!("{}{number}", published.resource));
            number += 1;
        }
        names
    }

    /// Whether a newcomer would take a name of another resource. In the Go SDK a resource and a type of one name are one
    /// struct, and the type would lose it.
    fn is_reserved(&self, names: &Names) -> bool {
        let getter = names.getter.rsplit(':').next().unwrap_or_default();
        let in_module = self.module(&names.module).is_some_and(|module| {
            let ty = module.types.get(&names.resource);
            ty.is_some_and(|ty| ty.claims.is_empty() || ty.claims.iter().any(|claim| claim.resource != names.resource))
                || module.resources.contains_key(&names.resource)
                || module.functions.contains_key(getter)
                || module.resources.values().any(|resource| resource.getter.as_deref() == Some(getter))
        });
        in_module || rust_names(&names.token).is_some_and(|names| self.rust_names.contains(&names))
    }

    /// Whether the lock has a type of that name, also one that has gone.
    pub(crate) fn is_locked(&self, module: &str, name: &str) -> bool {
        self.module(module).is_some_and(|module| module.types.contains_key(name))
    }

    /// Whose the name is that a resource wants for an object.
    pub(crate) fn object(&self, names: &Names, wanted: &str) -> Standing<'l> {
        match self.own(names, wanted, TypeKind::Object).first() {
            Some(own) => Standing::Own(own),
            None if self.is_locked(&names.module, wanted) => Standing::Taken,
            None => Standing::Free,
        }
    }

    /// The enums that a resource has under the name that it wants for one, in order of name.
    pub(crate) fn enums(&self, names: &Names, wanted: &str) -> Vec<&'l str> {
        self.own(names, wanted, TypeKind::Enum)
    }

    fn own(&self, names: &Names, wanted: &str, kind: TypeKind) -> Vec<&'l str> {
        let Some(module) = self.module(&names.module) else { return Vec::new() };
        let key = (names.module.as_str(), names.resource.as_str(), wanted);
        let of_kind = |name: &&str| module.types.get(*name).is_some_and(|locked| locked.kind == kind);
        self.claimed.get(&key).into_iter().flatten().copied().filter(of_kind).collect()
    }

    /// The locked members of a type.
    pub(crate) fn members(&self, module: &str, name: &str) -> impl Iterator<Item = (&'l str, &'l Member)> {
        let locked = self.module(module).and_then(|module| module.types.get(name));
        locked.into_iter().flat_map(|locked| &locked.members).map(|(name, member)| (name.as_str(), member))
    }

    /// Notes the object types of a resource that got another name than they wanted.
    pub(crate) fn add_substitutes(&mut self, tokens: impl IntoIterator<Item = Token>) {
        self.substitutes.extend(tokens);
    }

    /// Whether an object type of an earlier resource of this run got this name in place of another.
    pub(crate) fn is_substitute(&self, token: &Token) -> bool {
        self.substitutes.contains(token)
    }
}
