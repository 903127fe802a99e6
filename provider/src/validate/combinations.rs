//! What a schema says about several values together, and whether a value fits a schema.
//!
//! Fitting has three answers: what is not known yet, what a secret may still be filled up with, and what cannot be told
//! in reasonable time leave it open, and nothing is said then. Tested as a whole: `tests/lifecycle/schema_rules.rs`, and on
//! real types `tests/rules.rs`.

use std::cell::Cell;

use serde_json::Value as Json;

use super::instance::{Instance, Members, Presence, Shape};
use super::rules;
use super::schema::{Node, names};
use super::texts::Violation;

/// Whether a value fits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Fit {
    No,
    Open,
    Yes,
}

/// Bounds the work of one validation: alternatives in alternatives multiply.
#[derive(Debug)]
pub(super) struct Judge {
    left: Cell<u32>,
}

impl Judge {
    /// Comparisons of a value with a schema.
    const MOST: u32 = 50_000;
    /// How deep schemas are followed, alternatives and references included.
    const DEEPEST: usize = 160;

    pub(super) fn new() -> Self {
        Self { left: Cell::new(Self::MOST) }
    }

    /// Whether there is work left at this depth.
    pub(super) fn goes_on(&self, depth: usize) -> bool {
        let left = self.left.get();
        self.left.set(left.saturating_sub(1));
        left > 0 && depth < Self::DEEPEST
    }

    /// Whether the value fits the schema.
    pub(super) fn fit(&self, instance: &Instance<'_>, node: Node<'_>, depth: usize) -> Fit {
        if matches!(instance.shape, Shape::Open) || !self.goes_on(depth) {
            return Fit::Open;
        }
        let Some(node) = node.resolved() else { return Fit::Open };
        if !rules::is_of_kind(node, instance) {
            return Fit::No;
        }
        let mut fit = rules::own(node, instance, &mut Vec::new());
        match &instance.shape {
            Shape::Members(members) => {
                fit = fit.min(required(node, members, instance.secret, &mut Vec::new()));
                fit = fit.min(groups(node, members, instance.secret, &mut Vec::new()));
                for (name, _, member) in members.iter() {
                    fit = fit.min(match node.allows_member(name) {
                        Some(true) => Fit::Yes,
                        Some(false) => Fit::No,
                        None => Fit::Open,
                    });
                    for below in node.member(name) {
                        if fit == Fit::No {
                            return fit;
                        }
                        fit = fit.min(self.fit(member, below, depth + 1));
                    }
                }
            }
            Shape::Items(items) => {
                for (index, item) in items.iter().enumerate() {
                    if let Some(below) = node.element(index).filter(|_| fit != Fit::No) {
                        fit = fit.min(self.fit(item, below, depth + 1));
                    }
                }
            }
            Shape::Open | Shape::Bool(_) | Shape::Number(_) | Shape::Text(_) => {}
        }
        if fit == Fit::No {
            return fit;
        }
        fit.min(self.conditions(instance, node, depth))
    }

    fn conditions(&self, instance: &Instance<'_>, node: Node<'_>, depth: usize) -> Fit {
        let mut fit = Fit::Yes;
        for arm in node.nodes("allOf") {
            fit = fit.min(self.fit(instance, arm, depth + 1));
        }
        for keyword in ["anyOf", "oneOf"] {
            let fits = self.arms(instance, node, keyword, depth);
            if !fits.is_empty() {
                fit = fit.min(together(&fits, keyword == "oneOf"));
            }
        }
        if let Some(not) = node.node("not") {
            fit = fit.min(match self.fit(instance, not, depth + 1) {
                Fit::No => Fit::Yes,
                Fit::Open => Fit::Open,
                Fit::Yes => Fit::No,
            });
        }
        match self.branch(instance, node, depth) {
            Branch::None => fit,
            Branch::Open => fit.min(Fit::Open),
            Branch::Taken(branch) => fit.min(self.fit(instance, branch, depth + 1)),
        }
    }

    /// How the value fits each arm of `anyOf` or `oneOf`.
    pub(super) fn arms(&self, instance: &Instance<'_>, node: Node<'_>, keyword: &str, depth: usize) -> Vec<Fit> {
        node.nodes(keyword).map(|arm| self.fit(instance, arm, depth + 1)).collect()
    }

    /// Which branch of `if` holds.
    pub(super) fn branch<'s>(&self, instance: &Instance<'_>, node: Node<'s>, depth: usize) -> Branch<'s> {
        let Some(condition) = node.node("if") else { return Branch::None };
        let branch = match self.fit(instance, condition, depth + 1) {
            Fit::Yes => node.node("then"),
            Fit::No => node.node("else"),
            Fit::Open => return Branch::Open,
        };
        branch.map_or(Branch::None, Branch::Taken)
    }
}

/// The branch of a condition.
#[derive(Debug, Clone, Copy)]
pub(super) enum Branch<'s> {
    None,
    Open,
    Taken(Node<'s>),
}

/// Whether a value fits alternatives of which at least one, or exactly one, must hold.
pub(super) fn together(fits: &[Fit], exactly_one: bool) -> Fit {
    let count = |fit: Fit| fits.iter().filter(|found| **found == fit).count();
    match (count(Fit::Yes), count(Fit::Open)) {
        (0, 0) => Fit::No,
        (yes, _) if exactly_one && yes > 1 => Fit::No,
        (1, 0) => Fit::Yes,
        (yes, _) if !exactly_one && yes > 0 => Fit::Yes,
        _ => Fit::Open,
    }
}

/// Adds the members that are required and absent.
pub(super) fn required<'v>(node: Node<'v>, members: &Members<'_>, secret: bool, found: &mut Vec<Violation<'v>>) -> Fit {
    let mut fit = Fit::Yes;
    for name in node.names("required") {
        fit = fit.min(match members.presence(name, secret) {
            Presence::Given => Fit::Yes,
            Presence::Maybe => Fit::Open,
            Presence::Absent => {
                found.push(Violation::Missing(members.sdk_name(name).to_owned()));
                Fit::No
            }
        });
    }
    fit
}

/// Adds what members that belong together, or must not be together, break.
pub(super) fn groups<'v>(node: Node<'v>, members: &Members<'_>, secret: bool, found: &mut Vec<Violation<'v>>) -> Fit {
    let presence = |name: &str| members.presence(name, secret);
    let sdk = |name: &str| members.sdk_name(name).to_owned();
    let mut fit = Fit::Yes;
    for (keyword, exactly_one) in [("requiredXor", true), ("requiredOr", false)] {
        let listed: Vec<&str> = node.names(keyword).collect();
        if listed.is_empty() {
            continue;
        }
        let fits: Vec<Fit> = listed
            .iter()
            .map(|name| match presence(name) {
                Presence::Given => Fit::Yes,
                Presence::Maybe => Fit::Open,
                Presence::Absent => Fit::No,
            })
            .collect();
        let whole = together(&fits, exactly_one);
        if whole == Fit::No {
            let names = listed.into_iter().map(sdk).collect();
            found.push(if exactly_one { Violation::ExactlyOne(names) } else { Violation::AtLeastOne(names) });
        }
        fit = fit.min(whole);
    }
    for keyword in ["dependentRequired", "dependencies"] {
        for (name, needed) in node.entries(keyword).filter(|(name, _)| presence(name) == Presence::Given) {
            for needed in names(Some(needed)) {
                fit = fit.min(match presence(needed) {
                    Presence::Given => Fit::Yes,
                    Presence::Maybe => Fit::Open,
                    Presence::Absent => {
                        found.push(Violation::Needs { name: sdk(name), needed: sdk(needed) });
                        Fit::No
                    }
                });
            }
        }
    }
    for (name, excluded) in node.entries("dependentExcluded").filter(|(name, _)| presence(name) == Presence::Given) {
        for excluded in names(Some(excluded)).filter(|excluded| presence(excluded) == Presence::Given) {
            fit = Fit::No;
            // Most schemas say it both ways.
            let is_first = name < excluded || !says(node, excluded, name);
            if is_first {
                found.push(Violation::Excludes { name: sdk(name), excluded: sdk(excluded) });
            }
        }
    }
    fit
}

/// Whether `dependentExcluded` says that the one excludes the other.
fn says(node: Node<'_>, name: &str, excluded: &str) -> bool {
    let listed = node.get("dependentExcluded").and_then(|names| names.get(name));
    listed.and_then(Json::as_array).is_some_and(|names| names.iter().any(|other| other == excluded))
}
