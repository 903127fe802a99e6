//! The path lists of a resource and its hints of equality, compiled once into a trie that a walk follows step by step.
//!
//! The lists (create-only, read-only …) are patterns such as `rules/*/name`. Matching each path against each pattern
//! costs their product; a [`Marks`] is compiled on first use, cached for ever, and followed with a [`Cursor`] beside the
//! value that is being walked, at a few nanoseconds a step.

use std::collections::HashMap;
use std::sync::{OnceLock, PoisonError, RwLock};

use metadata::model::EqualityHint;
use metadata::view::{Operation, Resource};

/// What the service makes of a value, by the schema (`propertyTransform`); [`crate::equality::rewrites`] applies it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Rule {
    /// The pattern of paths that it is for.
    pub path: &'static str,
    /// Alternatives, joined by `$OR`.
    pub expression: &'static str,
}

/// A property of a path, as a bit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Mark {
    /// May only be given at creation.
    CreateOnly = 1,
    /// May need a replacement.
    Conditional = 2,
    /// Set by the service.
    ReadOnly = 4,
    /// Accepted, but by the schema never returned.
    WriteOnly = 8,
    /// An array whose order carries no meaning.
    Unordered = 16,
}

/// Marks that hold for everything below the path that carries them.
const INHERITED: u8 = Mark::CreateOnly as u8 | Mark::Conditional as u8 | Mark::ReadOnly as u8 | Mark::WriteOnly as u8;

/// A step that leads out of the trie: nothing below is marked.
const NOWHERE: u32 = u32::MAX;

/// The compiled path lists of one resource.
#[derive(Debug)]
pub struct Marks {
    nodes: Vec<Node>,
    updatable: bool,
}

#[derive(Debug, Default, Clone)]
struct Node {
    /// Marks of exactly this path.
    here: u8,
    /// Marks of any path strictly below.
    below: u8,
    /// Where `*` leads.
    any: Option<u32>,
    /// Where names lead, sorted by name.
    named: Vec<(&'static str, u32)>,
    /// Why two different values of exactly this path may mean the same.
    hint: Option<EqualityHint>,
    /// What the service may make of a value of exactly this path.
    rewrite: Option<Rule>,
}

impl Marks {
    /// The marks of a resource; compiled on first use.
    pub fn of(resource: Resource) -> &'static Self {
        static CACHE: OnceLock<RwLock<HashMap<usize, &'static Marks>>> = OnceLock::new();
        let cache = CACHE.get_or_init(RwLock::default);
        // Records are statics, so that their addresses identify them for the life of the process.
        let key = std::ptr::from_ref(resource.record()) as usize;
        if let Some(marks) = cache.read().unwrap_or_else(PoisonError::into_inner).get(&key) {
            return marks;
        }
        let mut cache = cache.write().unwrap_or_else(PoisonError::into_inner);
        cache.entry(key).or_insert_with(|| Box::leak(Box::new(Self::compile(resource))))
    }

    fn compile(resource: Resource) -> Self {
        let mut marks = Self { nodes: vec![Node::default()], updatable: resource.handler(Operation::Update).is_some() };
        let lists = [
            (resource.create_only(), Mark::CreateOnly),
            (resource.conditional_create_only(), Mark::Conditional),
            (resource.read_only(), Mark::ReadOnly),
            (resource.write_only(), Mark::WriteOnly),
            (resource.unordered(), Mark::Unordered),
        ];
        for (list, mark) in lists {
            for path in list.iter() {
                marks.node(path).here |= mark as u8;
            }
        }
        for (path, hint) in resource.equality() {
            marks.node(path).hint = Some(hint);
        }
        for (path, expression) in resource.property_transforms() {
            marks.node(path).rewrite = Some(Rule { path, expression });
        }
        marks.spread_wildcards(0);
        marks.sum_below(0);
        marks
    }

    /// The node of a pattern, made if it is missing.
    fn node(&mut self, path: &'static str) -> &mut Node {
        let mut node = 0;
        for segment in path.split('/').filter(|segment| !segment.is_empty()) {
            node = self.child(node, segment);
        }
        &mut self.nodes[node as usize]
    }

    /// The child of `node` for a segment of a pattern, made if it is missing.
    fn child(&mut self, node: u32, segment: &'static str) -> u32 {
        let fresh = self.nodes.len() as u32;
        let parent = &mut self.nodes[node as usize];
        let found = match segment {
            "*" => *parent.any.get_or_insert(fresh),
            _ => match parent.named.binary_search_by(|(name, _)| (*name).cmp(segment)) {
                Ok(place) => parent.named[place].1,
                Err(place) => {
                    parent.named.insert(place, (segment, fresh));
                    fresh
                }
            },
        };
        if found == fresh {
            self.nodes.push(Node::default());
        }
        found
    }

    /// Adds what holds below `*` to every named sibling, so that a walk needs to follow one node only.
    fn spread_wildcards(&mut self, node: u32) {
        let Node { any, named, .. } = self.nodes[node as usize].clone();
        for (_, child) in &named {
            if let Some(any) = any {
                self.merge(any, *child);
            }
            self.spread_wildcards(*child);
        }
        if let Some(any) = any {
            self.spread_wildcards(any);
        }
    }

    fn merge(&mut self, from: u32, into: u32) {
        let Node { here, any, named, hint, rewrite, .. } = self.nodes[from as usize].clone();
        let target = &mut self.nodes[into as usize];
        target.here |= here;
        target.hint = target.hint.or(hint);
        target.rewrite = target.rewrite.or(rewrite);
        for (name, child) in named {
            let target = self.child(into, name);
            self.merge(child, target);
        }
        if let Some(any) = any {
            let target = self.child(into, "*");
            self.merge(any, target);
        }
    }

    fn sum_below(&mut self, node: u32) -> u8 {
        let Node { any, named, .. } = self.nodes[node as usize].clone();
        let children = named.into_iter().map(|(_, child)| child).chain(any);
        let below = children.fold(0, |sum, child| sum | self.sum_below(child));
        self.nodes[node as usize].below = below;
        below | self.nodes[node as usize].here
    }
}

/// A place in the trie: what is known about the path that led there.
#[derive(Debug, Clone, Copy)]
pub struct Cursor {
    marks: &'static Marks,
    node: u32,
    covered: u8,
}

impl Cursor {
    /// The root of a resource.
    pub fn root(resource: Resource) -> Self {
        Self { marks: Marks::of(resource), node: 0, covered: 0 }
    }

    /// One step down: a member, a map key, or `*` for an array element.
    pub fn enter(self, segment: &str) -> Self {
        let Some(node) = self.marks.nodes.get(self.node as usize) else { return self };
        let child = match node.named.binary_search_by(|(name, _)| (*name).cmp(segment)) {
            Ok(place) => node.named[place].1,
            Err(_) => node.any.unwrap_or(NOWHERE),
        };
        let here = self.marks.nodes.get(child as usize).map_or(0, |node| node.here);
        Self { marks: self.marks, node: child, covered: self.covered | (here & INHERITED) }
    }

    /// Whether the path, or a path above it, carries the mark.
    pub fn covered(self, mark: Mark) -> bool {
        self.covered & mark as u8 != 0
    }

    /// Whether a path strictly below this one carries the mark.
    pub fn below(self, mark: Mark) -> bool {
        self.marks.nodes.get(self.node as usize).is_some_and(|node| node.below & mark as u8 != 0)
    }

    /// Whether exactly this path is an array without a meaningful order.
    pub fn unordered(self) -> bool {
        self.marks.nodes.get(self.node as usize).is_some_and(|node| node.here & Mark::Unordered as u8 != 0)
    }

    /// Why two different values of exactly this path may mean the same.
    pub fn hint(self) -> Option<EqualityHint> {
        self.marks.nodes.get(self.node as usize)?.hint
    }

    /// What the service may make of a value of exactly this path.
    pub fn rewrite(self) -> Option<Rule> {
        self.marks.nodes.get(self.node as usize)?.rewrite
    }

    /// Whether the type has an update handler; without one every change replaces the resource.
    pub fn updatable(self) -> bool {
        self.marks.updatable
    }
}
