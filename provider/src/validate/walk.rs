//! The walk over inputs and schema that reports what the schema forbids.

use std::collections::HashSet;

use metadata::view::Resource;
use value::Map;

use super::combinations::{Branch, Fit, Judge, groups, required, together};
use super::forbidden::forbidden;
use super::instance::{Instance, Presence, Shape};
use super::path::{Path, Step};
use super::rules;
use super::schema::{Node, Schema};
use super::texts::Violation;
use crate::requests::CheckFailure;

/// What the schema forbids of the inputs, in their order, but of the property that Check itself has put in.
pub(super) fn walk(resource: Resource, inputs: &Map, schema: &Schema, generated: Option<&str>) -> Vec<CheckFailure> {
    let Some(root) = schema.root() else { return Vec::new() };
    let instance = Instance::root(inputs, resource.properties());
    let mut walker =
        Walker { judge: Judge::new(), path: Path::default(), found: Vec::new(), said: HashSet::new(), generated };
    walker.node(&instance, root, Required::Elsewhere, 0);
    walker.found
}

struct Walker<'a> {
    judge: Judge,
    path: Path<'a>,
    found: Vec<CheckFailure>,
    /// Several arms may say the same.
    said: HashSet<String>,
    /// A top-level property that is not looked into.
    generated: Option<&'a str>,
}

/// Whether members that a schema requires are reported here, or with the kinds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Required {
    Here,
    Elsewhere,
}

impl<'a> Walker<'a> {
    fn node(&mut self, instance: &Instance<'a>, node: Node<'_>, reported: Required, depth: usize) {
        if matches!(instance.shape, Shape::Open) || !self.judge.goes_on(depth) {
            return;
        }
        let Some(node) = node.resolved() else { return };
        if !rules::is_of_kind(node, instance) {
            // Where the metadata knows the kind, this has failed already.
            if instance.free {
                self.report(&[rules::of_another_kind(node, instance)]);
            }
            return;
        }
        let mut broken = Vec::new();
        rules::own(node, instance, &mut broken);
        if let Shape::Members(members) = &instance.shape {
            if reported == Required::Here {
                required(node, members, instance.secret, &mut broken);
            }
            groups(node, members, instance.secret, &mut broken);
        }
        if let Some(not) = node.node("not")
            && self.judge.fit(instance, not, depth + 1) == Fit::Yes
        {
            broken.push(forbidden(&self.judge, instance, not, depth));
        }
        // What is wrong with a text by itself says more than that it fits no form.
        let told = !broken.is_empty() && !matches!(instance.shape, Shape::Members(_) | Shape::Items(_));
        self.report(&broken);
        for keyword in ["anyOf", "oneOf"] {
            if !told {
                self.forms(instance, node, keyword, depth);
            }
        }
        for arm in node.nodes("allOf") {
            self.node(instance, arm, Required::Here, depth + 1);
        }
        if let Branch::Taken(branch) = self.judge.branch(instance, node, depth) {
            self.node(instance, branch, Required::Here, depth + 1);
        }
        self.parts(instance, node, depth);
    }

    fn parts(&mut self, instance: &Instance<'a>, node: Node<'_>, depth: usize) {
        match &instance.shape {
            Shape::Members(members) => {
                for (name, step, member) in members.iter() {
                    if let (0, Step::Member(name)) = (depth, step)
                        && self.generated == Some(name)
                    {
                        continue;
                    }
                    for below in node.member(name) {
                        self.at(step, |walker| walker.node(member, below, Required::Elsewhere, depth + 1));
                    }
                }
            }
            Shape::Items(items) => {
                for (index, item) in items.iter().enumerate() {
                    if let Some(below) = node.element(index) {
                        self.at(Step::Index(index), |walker| walker.node(item, below, Required::Elsewhere, depth + 1));
                    }
                }
            }
            Shape::Open | Shape::Bool(_) | Shape::Number(_) | Shape::Text(_) => {}
        }
    }

    /// Alternatives of which the value fits none, or more than the one that it may.
    fn forms(&mut self, instance: &Instance<'a>, node: Node<'_>, keyword: &str, depth: usize) {
        let fits = self.judge.arms(instance, node, keyword, depth);
        let exactly_one = keyword == "oneOf";
        if fits.is_empty() || together(&fits, exactly_one) != Fit::No {
            return;
        }
        if let Some(names) = groups_of_names(node, keyword, instance) {
            let broken = if exactly_one { Violation::ExactlyOne(names) } else { Violation::AtLeastOne(names) };
            return self.report(&[broken]);
        }
        if fits.contains(&Fit::Yes) {
            return self.report(&[Violation::ManyForms(fits.len())]);
        }
        // Where only one of them can be meant, it says more than that none fits.
        let mut meant = node.nodes(keyword).filter_map(Node::resolved).filter(|arm| may_be_meant(*arm, instance));
        match (meant.next(), meant.next()) {
            (Some(arm), None) => {
                let before = self.found.len();
                self.node(instance, arm, Required::Here, depth + 1);
                if self.found.len() > before {
                    return;
                }
            }
            (Some(arm), Some(_)) if arm.get("enum").is_some() => {
                let mut broken = Vec::new();
                rules::own(arm, instance, &mut broken);
                return self.report(&broken);
            }
            _ => {}
        }
        self.report(&[Violation::NoForm(fits.len())]);
    }

    fn at(&mut self, step: Step<'a>, visit: impl FnOnce(&mut Self)) {
        self.path.push(step);
        visit(self);
        self.path.pop();
    }

    fn report(&mut self, broken: &[Violation<'_>]) {
        for violation in broken {
            let reason = violation.text(&self.path.reason());
            if self.said.insert(reason.clone()) {
                self.found.push(CheckFailure { property: self.path.property(), reason });
            }
        }
    }
}

/// The names that alternatives require, when that is all that they say.
fn groups_of_names(node: Node<'_>, keyword: &str, instance: &Instance<'_>) -> Option<Vec<String>> {
    let Shape::Members(members) = &instance.shape else { return None };
    let arms = node.nodes(keyword).map(|arm| {
        let arm = arm.resolved()?;
        let names: Vec<&str> = arm.names("required").map(|name| members.sdk_name(name)).collect();
        let only = arm.keywords().all(|keyword| keyword == "required");
        (only && !names.is_empty()).then(|| names.join(" with "))
    });
    arms.collect()
}

/// Whether a form can be what the value is meant to be: of its kind, with all required members and no others.
fn may_be_meant(arm: Node<'_>, instance: &Instance<'_>) -> bool {
    rules::is_of_kind(arm, instance)
        && match &instance.shape {
            Shape::Members(members) => {
                let has = |name| members.presence(name, instance.secret) != Presence::Absent;
                arm.names("required").all(has)
                    && members.iter().all(|(name, ..)| arm.allows_member(name) != Some(false))
            }
            _ => true,
        }
}
