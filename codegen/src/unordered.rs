//! Arrays whose order carries no meaning, at any depth: those with `insertionOrder: false`, and those that are known to be
//! sets; and on the same walk, where values that differ mean the same.

use crate::combine::{overlay, without_union};
use crate::error::LowerError;
use crate::resource::Listed;
use crate::semantics::equality::Hint;
use crate::semantics::{Effects, Semantics, equality};
use cfn::schema::{AdditionalProperties, JsonType};
use cfn::{Node, PropertyPath, ResourceSchema, escape_token, unescape_token};
use metadata::model::EqualityHint;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// More places than the largest published schema has.
const MAX_PLACES: usize = 2_000_000;

/// Deeper nesting than any published schema has, and well within the smallest stack.
const MAX_DEPTH: usize = 100;

/// What a walk over the properties finds. Maps are not looked into.
#[derive(Debug, Default)]
pub(crate) struct Found {
    /// Arrays that the schema calls unordered, in no particular order.
    pub unordered: Vec<PropertyPath>,
    /// Arrays that are sets although the schema does not say so.
    pub sets: Vec<PropertyPath>,
    /// Inputs whose values mean the same although they differ, by SDK path.
    pub equality: BTreeMap<String, EqualityHint>,
    /// Which entries of the semantics took effect.
    pub effects: Effects,
}

/// Walks over all properties.
///
/// # Errors
///
/// [`LowerError::TooLarge`] and [`LowerError::TooDeep`] when the schema expands beyond reason.
pub(crate) fn find(schema: &ResourceSchema, semantics: &Semantics) -> Result<Found, LowerError> {
    let mut walk =
        Walk { schema, semantics, found: Found::default(), is_input: true, path: String::new(), places: 0, depth: 0 };
    let listed = Listed::new(schema);
    for (name, node) in schema.properties.iter() {
        walk.path.push_str(name);
        walk.is_input = !listed.read_only.contains(name) || listed.create_only.contains(name);
        walk.visit(vec![Branch { node: Cow::Borrowed(node), followed: Vec::new() }])?;
        walk.path.clear();
    }
    Ok(walk.found)
}

struct Walk<'a> {
    schema: &'a ResourceSchema,
    semantics: &'a Semantics,
    found: Found,
    /// Whether programs may set the top-level property that the walk is in.
    is_input: bool,
    path: String,
    places: usize,
    depth: usize,
}

/// One of the schemas that may describe the value at a place.
struct Branch<'n, 'a> {
    node: Cow<'n, Node>,
    /// Definitions followed on the way here; none is followed twice.
    followed: Vec<&'a str>,
}

impl<'a> Walk<'a> {
    /// The JSON pointer of the top-level property that the walk is in.
    fn property(&self) -> String {
        format!("#/properties/{}", escape_token(self.path.split('/').next().unwrap_or_default()))
    }

    fn visit(&mut self, branches: Vec<Branch<'_, 'a>>) -> Result<(), LowerError> {
        self.places += 1;
        if self.places > MAX_PLACES {
            return Err(LowerError::TooLarge { pointer: self.property(), limit: MAX_PLACES });
        }
        let mut expanded = Vec::with_capacity(branches.len());
        for branch in branches {
            self.expand(branch.node, branch.followed, &mut expanded)?;
        }
        let is_array = |node: &Node| node.types.contains(JsonType::Array) || !node.items.is_empty();
        let mut arrays = expanded.iter().filter(|branch| is_array(&branch.node)).peekable();
        if arrays.peek().is_some() && arrays.all(|branch| branch.node.insertion_order == Some(false)) {
            self.found.unordered.push(PropertyPath::parse(&self.path));
        } else {
            self.look_up_set(&expanded);
        }
        self.look_up_equality(&expanded);
        let mut members: BTreeMap<&str, Vec<Branch<'_, 'a>>> = BTreeMap::new();
        for branch in &expanded {
            for (name, node) in branch.node.properties.iter() {
                let member = Branch { node: Cow::Borrowed(node), followed: branch.followed.clone() };
                members.entry(name).or_default().push(member);
            }
        }
        for (name, members) in members {
            self.descend(name, members)?;
        }
        let elements: Vec<_> = expanded
            .iter()
            .filter(|branch| is_array(&branch.node))
            .flat_map(|branch| {
                let elements = branch.node.items.iter();
                elements.map(|node| Branch { node: Cow::Borrowed(node), followed: branch.followed.clone() })
            })
            .collect();
        if elements.is_empty() { Ok(()) } else { self.descend("*", elements) }
    }

    /// Whether a rule takes the list here, which the schema does not call unordered, for a set.
    fn look_up_set(&mut self, branches: &[Branch<'_, 'a>]) {
        let Some(rule) = self.semantics.sets.rule(&self.path) else { return };
        let is_list_of_texts = |branch: &Branch<'_, 'a>| {
            let node = &branch.node;
            let is_text = |item: &Node| {
                let item = self.schema.resolve(item).unwrap_or(item);
                item.types.contains(JsonType::String)
            };
            !node.items.is_empty() && node.items.iter().all(is_text)
        };
        if branches.is_empty() || !branches.iter().all(is_list_of_texts) {
            return;
        }
        match self.semantics.sets.exception(self.schema.type_name.as_str(), &self.path) {
            Some(exception) => {
                self.found.effects.set_exceptions.insert(exception);
            }
            None => {
                self.found.effects.sets.insert(rule);
                self.found.sets.push(PropertyPath::parse(&self.path));
            }
        }
    }

    /// Whether a hint says how the values here are compared; else whether the schema lists them in any letter case.
    fn look_up_equality(&mut self, branches: &[Branch<'_, 'a>]) {
        let rules = &self.semantics.equality.entries;
        let Some((rule, position, hint)) = equality::rule(rules, self.schema.type_name.as_str(), &self.path) else {
            let listed = |branch: &Branch<'_, 'a>| branch.node.ignores_case && Hint::CaseInsensitive.fits(&branch.node);
            if self.is_input && branches.iter().any(listed) {
                let path = PropertyPath::parse(&self.path).to_sdk_path();
                self.found.equality.insert(path, Hint::CaseInsensitive.model());
            }
            return;
        };
        if self.is_input && branches.iter().any(|branch| hint.fits(&branch.node)) {
            self.found.effects.equality.insert((rule, position));
            self.found.equality.insert(PropertyPath::parse(&self.path).to_sdk_path(), hint.model());
        }
    }

    fn descend(&mut self, segment: &str, branches: Vec<Branch<'_, 'a>>) -> Result<(), LowerError> {
        if self.depth >= MAX_DEPTH {
            return Err(LowerError::TooDeep { pointer: self.property(), limit: MAX_DEPTH });
        }
        self.depth += 1;
        let length = self.path.len();
        self.path.push('/');
        self.path.push_str(segment);
        let visited = self.visit(branches);
        self.path.truncate(length);
        self.depth -= 1;
        visited
    }

    /// Follows the reference and splits the unions of a node. A definition that is followed already, and one that does
    /// not exist, leave the node as it is; `allOf` and double unions cannot be told apart and are dropped.
    fn expand<'n>(
        &mut self,
        node: Cow<'n, Node>,
        mut followed: Vec<&'a str>,
        out: &mut Vec<Branch<'n, 'a>>,
    ) -> Result<(), LowerError>
    where
        'a: 'n,
    {
        self.places += 1;
        if self.places > MAX_PLACES {
            return Err(LowerError::TooLarge { pointer: self.property(), limit: MAX_PLACES });
        }
        let schema = self.schema;
        if let Some(reference) = &node.reference {
            let name = reference.strip_prefix("#/definitions/").map(unescape_token);
            let target = name.and_then(|name| schema.definitions.entry(&name));
            return match target {
                Some((name, _)) if followed.len() >= MAX_DEPTH => {
                    let pointer = format!("#/definitions/{}", escape_token(name));
                    Err(LowerError::TooDeep { pointer, limit: MAX_DEPTH })
                }
                Some((name, definition)) if !followed.contains(&name) => {
                    followed.push(name);
                    let next = if says_nothing(&node) {
                        Cow::Borrowed(definition)
                    } else {
                        let siblings = Node { reference: None, ..node.into_owned() };
                        Cow::Owned(overlay(definition, &siblings))
                    };
                    self.expand(next, followed, out)
                }
                Some(_) | None => {
                    let siblings = Node { reference: None, ..node.into_owned() };
                    self.expand(Cow::Owned(siblings), followed, out)
                }
            };
        }
        if !node.all_of.is_empty() || (!node.any_of.is_empty() && !node.one_of.is_empty()) {
            return Ok(());
        }
        if !node.is_union() {
            out.push(Branch { node, followed });
            return Ok(());
        }
        let base = without_union(&node);
        for alternative in node.any_of.iter().chain(&node.one_of) {
            // Each has all members of the union.
            self.places += base.properties.len();
            self.expand(Cow::Owned(overlay(&base, alternative)), followed.clone(), out)?;
        }
        Ok(())
    }
}

/// Whether a reference has no siblings that matter here, so that the definition itself can stand for it.
fn says_nothing(node: &Node) -> bool {
    node.types.is_empty()
        && node.properties.is_empty()
        && node.items.is_empty()
        && node.insertion_order.is_none()
        && node.all_of.is_empty()
        && !node.is_union()
        && !matches!(node.additional_properties, AdditionalProperties::Schema(_))
}
