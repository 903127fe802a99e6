//! One CloudFormation schema, ready to be asked, and a memory of the recent ones.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};

use cfn::java_pattern::{self, Pattern};
use serde_json::{Map, Value as Json};

/// A schema. Patterns are compiled when they are first asked for.
#[derive(Debug)]
pub struct Schema {
    root: Json,
    patterns: Mutex<HashMap<String, Option<Arc<Pattern>>>>,
}

/// A schema inside a schema.
#[derive(Debug, Clone, Copy)]
pub(super) struct Node<'s> {
    schema: &'s Schema,
    keywords: &'s Map<String, Json>,
}

/// The pattern of a text property.
#[derive(Debug, Clone, Copy)]
pub struct Characters<'s> {
    node: Node<'s>,
}

impl Characters<'_> {
    /// Whether a text has the form that is demanded, as far as that can be told.
    pub fn take(self, text: &str) -> bool {
        self.node.text("pattern").and_then(|pattern| self.node.finds(pattern, text)) != Some(false)
    }
}

impl Schema {
    /// Reads a schema; `None` when the text is none.
    pub fn parse(text: &str) -> Option<Self> {
        let root: Json = serde_json::from_str(text).ok()?;
        root.is_object().then(|| Self { root, patterns: Mutex::default() })
    }

    /// What the schema demands of the characters of a text property, by its CloudFormation name; `None` when it says nothing.
    pub fn characters(&self, cfn_name: &str) -> Option<Characters<'_>> {
        let node = self.root()?.below("properties", cfn_name)?;
        let stated = |node: Node<'_>| node.text("pattern").is_some();
        [Some(node), node.resolved()].into_iter().flatten().find(|node| stated(*node)).map(|node| Characters { node })
    }

    pub(super) fn root(&self) -> Option<Node<'_>> {
        Node::of(self, &self.root)
    }

    /// The pattern, unless it is none that can be told.
    fn pattern(&self, text: &str) -> Option<Arc<Pattern>> {
        let mut patterns = self.patterns.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = patterns.get(text) {
            return known.clone();
        }
        let compiled = java_pattern::compile(text).map(Arc::new);
        patterns.insert(text.to_owned(), compiled.clone());
        compiled
    }
}

impl<'s> Node<'s> {
    /// References lead at most this far.
    const LONGEST_CHAIN: usize = 48;

    fn of(schema: &'s Schema, json: &'s Json) -> Option<Self> {
        Some(Self { schema, keywords: json.as_object()? })
    }

    /// The node that the references lead to; `None` when they lead nowhere or in a circle.
    pub(super) fn resolved(self) -> Option<Self> {
        let mut node = self;
        for _ in 0..Self::LONGEST_CHAIN {
            let Some(reference) = node.text("$ref") else { return Some(node) };
            let name = reference.strip_prefix("#/definitions/")?;
            node = Self::of(self.schema, self.schema.root.get("definitions")?.get(name)?)?;
        }
        None
    }

    /// The value of a keyword.
    pub(super) fn get(self, keyword: &str) -> Option<&'s Json> {
        self.keywords.get(keyword)
    }

    /// The keywords that it has.
    pub(super) fn keywords(self) -> impl Iterator<Item = &'s str> {
        self.keywords.keys().map(String::as_str)
    }

    pub(super) fn text(self, keyword: &str) -> Option<&'s str> {
        self.get(keyword)?.as_str()
    }

    pub(super) fn number(self, keyword: &str) -> Option<f64> {
        self.get(keyword)?.as_f64()
    }

    pub(super) fn count(self, keyword: &str) -> Option<usize> {
        usize::try_from(self.get(keyword)?.as_u64()?).ok()
    }

    pub(super) fn flag(self, keyword: &str) -> bool {
        self.get(keyword).and_then(Json::as_bool).unwrap_or(false)
    }

    /// The schema under a keyword; true and false are none that says anything.
    pub(super) fn node(self, keyword: &str) -> Option<Self> {
        Self::of(self.schema, self.get(keyword)?)
    }

    /// The schemas that a keyword lists.
    pub(super) fn nodes(self, keyword: &str) -> impl Iterator<Item = Self> {
        let listed = self.get(keyword).and_then(Json::as_array).into_iter().flatten();
        listed.filter_map(move |json| Self::of(self.schema, json))
    }

    /// The schema under a name in a map of schemas.
    pub(super) fn below(self, keyword: &str, name: &str) -> Option<Self> {
        Self::of(self.schema, self.get(keyword)?.get(name)?)
    }

    /// The names and values of a map.
    pub(super) fn entries(self, keyword: &str) -> impl Iterator<Item = (&'s str, &'s Json)> {
        let members = self.get(keyword).and_then(Json::as_object).into_iter().flatten();
        members.map(|(name, json)| (name.as_str(), json))
    }

    /// The names that a keyword lists.
    pub(super) fn names(self, keyword: &str) -> impl Iterator<Item = &'s str> {
        names(self.get(keyword))
    }

    /// Whether the pattern is found in the text; `None` when that cannot be told.
    pub(super) fn finds(self, pattern: &str, text: &str) -> Option<bool> {
        self.schema.pattern(pattern)?.is_found(text)
    }

    /// The schemas that hold for a member: the declared one and those of the patterns that its name matches, else the one
    /// for all others.
    pub(super) fn member(self, name: &str) -> Vec<Self> {
        let mut found: Vec<Self> = self.below("properties", name).into_iter().collect();
        for (pattern, json) in self.entries("patternProperties") {
            if self.finds(pattern, name) == Some(true) {
                found.extend(Self::of(self.schema, json));
            }
        }
        if found.is_empty() {
            found.extend(self.node("additionalProperties"));
        }
        found
    }

    /// Whether a member may have this name; `None` when that cannot be told.
    pub(super) fn allows_member(self, name: &str) -> Option<bool> {
        if self.get("additionalProperties") != Some(&Json::Bool(false)) || self.below("properties", name).is_some() {
            return Some(true);
        }
        let mut open = false;
        for (pattern, _) in self.entries("patternProperties") {
            match self.finds(pattern, name) {
                Some(true) => return Some(true),
                Some(false) => {}
                None => open = true,
            }
        }
        (!open).then_some(false)
    }

    /// The schema for the element at an index.
    pub(super) fn element(self, index: usize) -> Option<Self> {
        match self.get("items")? {
            Json::Array(tuple) => Self::of(self.schema, tuple.get(index)?),
            one => Self::of(self.schema, one),
        }
    }
}

/// The texts of a list.
pub(super) fn names(json: Option<&Json>) -> impl Iterator<Item = &str> {
    json.and_then(Json::as_array).into_iter().flatten().filter_map(Json::as_str)
}

/// The schemas that were asked for last, by type name: programs have many resources of few types.
#[derive(Debug)]
pub struct Schemas {
    read: fn(&str) -> Option<String>,
    kept: Mutex<Kept>,
}

#[derive(Debug, Default)]
struct Kept {
    by_type: HashMap<&'static str, Option<Arc<Schema>>>,
    /// In order of arrival.
    order: VecDeque<&'static str>,
}

impl Schemas {
    /// So many are kept; a schema takes about 50 KiB.
    const MOST: usize = 128;

    /// Schemas that `read` finds by type name.
    pub fn new(read: fn(&str) -> Option<String>) -> Self {
        Self { read, kept: Mutex::default() }
    }

    /// The schema of a type, if there is one that can be read.
    pub fn get(&self, type_name: &'static str) -> Option<Arc<Schema>> {
        if let Some(known) = self.kept().by_type.get(type_name) {
            return known.clone();
        }
        // Read without the lock: others must not wait for it, and to read one twice does no harm.
        let schema = (self.read)(type_name).and_then(|text| Schema::parse(&text)).map(Arc::new);
        let mut kept = self.kept();
        if kept.by_type.insert(type_name, schema.clone()).is_none() {
            kept.order.push_back(type_name);
        }
        if kept.order.len() > Self::MOST
            && let Some(oldest) = kept.order.pop_front()
        {
            kept.by_type.remove(oldest);
        }
        schema
    }

    fn kept(&self) -> std::sync::MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
