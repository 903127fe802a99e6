//! Arrays whose order carries no meaning: those with `insertionOrder: false`, at any depth.

use crate::combine::{overlay, without_union};
use crate::error::LowerError;
use cfn::schema::{AdditionalProperties, JsonType};
use cfn::{Node, PropertyPath, ResourceSchema};
use std::borrow::Cow;
use std::collections::BTreeSet;

/// More places than the largest published schema has.
const MAX_PLACES: usize = 2_000_000;

/// Deeper nesting than any published schema has, and well within the smallest stack.
const MAX_DEPTH: usize = 100;

/// The paths of all unordered arrays, in no particular order. Maps are not looked into.
///
/// # Errors
///
/// [`LowerError::TooLarge`] and [`LowerError::TooDeep`] when the schema expands beyond reason.
pub(crate) fn paths(schema: &ResourceSchema) -> Result<Vec<PropertyPath>, LowerError> {
    let mut walk = Walk { schema, found: Vec::new(), path: String::new(), places: 0, depth: 0 };
    for (name, node) in schema.properties.iter() {
        walk.path.push_str(name);
        walk.visit(vec![Branch { node: Cow::Borrowed(node), followed: Vec::new() }])?;
        walk.path.clear();
    }
    Ok(walk.found)
}

struct Walk<'a> {
    schema: &'a ResourceSchema,
    found: Vec<PropertyPath>,
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
    fn visit(&mut self, branches: Vec<Branch<'_, 'a>>) -> Result<(), LowerError> {
        self.places += 1;
        if self.places > MAX_PLACES {
            return Err(LowerError::TooLarge { limit: MAX_PLACES });
        }
        let mut expanded = Vec::with_capacity(branches.len());
        for branch in branches {
            self.expand(branch.node, branch.followed, &mut expanded)?;
        }
        let is_array = |node: &Node| node.types.contains(JsonType::Array) || !node.items.is_empty();
        let mut arrays = expanded.iter().filter(|branch| is_array(&branch.node)).peekable();
        if arrays.peek().is_some() && arrays.all(|branch| branch.node.insertion_order == Some(false)) {
            self.found.push(PropertyPath::parse(&self.path));
        }
        let names: BTreeSet<&str> = expanded.iter().flat_map(|branch| branch.node.properties.names()).collect();
        for name in names {
            let members = expanded.iter().filter_map(|branch| {
                let node = branch.node.properties.get(name)?;
                Some(Branch { node: Cow::Borrowed(node), followed: branch.followed.clone() })
            });
            self.descend(name, members.collect())?;
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

    fn descend(&mut self, segment: &str, branches: Vec<Branch<'_, 'a>>) -> Result<(), LowerError> {
        if self.depth >= MAX_DEPTH {
            let name = self.path.chars().take(100).collect();
            return Err(LowerError::TooDeep { name, limit: MAX_DEPTH });
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
            return Err(LowerError::TooLarge { limit: MAX_PLACES });
        }
        let schema = self.schema;
        if let Some(reference) = &node.reference {
            let name = reference.strip_prefix("#/definitions/").map(|name| name.replace("~1", "/").replace("~0", "~"));
            let target = name.and_then(|name| schema.definitions.entry(&name));
            return match target {
                Some((name, _)) if followed.len() >= MAX_DEPTH => {
                    Err(LowerError::TooDeep { name: name.to_owned(), limit: MAX_DEPTH })
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
