//! One schema: the keywords that give a value its type, and those that bound it.

use super::node_map::NodeMap;
use serde_json::{Number, Value};

/// A JSON type as the keyword `type` names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum JsonType {
    /// `null`
    Null,
    /// `boolean`
    Boolean,
    /// `integer`
    Integer,
    /// `number`
    Number,
    /// `string`
    String,
    /// `array`
    Array,
    /// `object`
    Object,
}

impl JsonType {
    /// All types, in the order of the variants.
    pub const ALL: [JsonType; 7] = [
        JsonType::Null,
        JsonType::Boolean,
        JsonType::Integer,
        JsonType::Number,
        JsonType::String,
        JsonType::Array,
        JsonType::Object,
    ];

    /// The keyword's value.
    pub fn as_str(self) -> &'static str {
        match self {
            JsonType::Null => "null",
            JsonType::Boolean => "boolean",
            JsonType::Integer => "integer",
            JsonType::Number => "number",
            JsonType::String => "string",
            JsonType::Array => "array",
            JsonType::Object => "object",
        }
    }

    /// The type of that name.
    pub fn parse(name: &str) -> Option<JsonType> {
        JsonType::ALL.into_iter().find(|ty| ty.as_str() == name)
    }
}

/// The value of `type`: distinct types in the order in which they are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TypeList {
    // Seven types exist and each stands at most once.
    items: [Option<JsonType>; 7],
}

impl TypeList {
    /// A list of one.
    pub fn one(ty: JsonType) -> TypeList {
        let mut list = TypeList::default();
        list.push(ty);
        list
    }

    /// Appends a type unless it is there already.
    pub fn push(&mut self, ty: JsonType) {
        for slot in &mut self.items {
            match slot {
                Some(present) if *present == ty => return,
                Some(_) => {}
                None => {
                    *slot = Some(ty);
                    return;
                }
            }
        }
    }

    /// The types in order.
    pub fn iter(&self) -> impl Iterator<Item = JsonType> + '_ {
        self.items.iter().map_while(|slot| *slot)
    }

    /// The first type.
    pub fn first(&self) -> Option<JsonType> {
        self.items.first().copied().flatten()
    }

    /// The type, when there is exactly one.
    pub fn only(&self) -> Option<JsonType> {
        match self.items {
            [Some(ty), None, ..] => Some(ty),
            _ => None,
        }
    }

    /// Whether the type is in the list.
    pub fn contains(&self, ty: JsonType) -> bool {
        self.iter().any(|present| present == ty)
    }

    /// Number of types.
    pub fn len(&self) -> usize {
        self.iter().count()
    }

    /// Whether `type` is missing or empty.
    pub fn is_empty(&self) -> bool {
        self.first().is_none()
    }
}

/// The value of `additionalProperties`.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum AdditionalProperties {
    /// Missing or `true`: other members may have any value.
    #[default]
    Any,
    /// `false`: no other members.
    None,
    /// Other members have this schema.
    Schema(Box<Node>),
}

/// One schema.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Node {
    /// `$ref`, verbatim; its siblings are kept.
    pub reference: Option<String>,
    /// `type`, as written. See [`Node::completed_types`].
    pub types: TypeList,
    /// `description`
    pub description: Option<String>,
    /// `properties`
    pub properties: NodeMap,
    /// `patternProperties`, by pattern text.
    pub pattern_properties: NodeMap,
    /// `additionalProperties`
    pub additional_properties: AdditionalProperties,
    /// `required`
    pub required: Vec<String>,
    /// `items`: one schema, or the elements of a tuple.
    pub items: Vec<Node>,
    /// `enum`
    pub enumeration: Vec<Value>,
    /// Whether there is `enumCaseInsensitive`, which lists texts that are taken in any letter case.
    pub ignores_case: bool,
    /// `anyOf`
    pub any_of: Vec<Node>,
    /// `oneOf`
    pub one_of: Vec<Node>,
    /// `allOf`
    pub all_of: Vec<Node>,
    /// `insertionOrder`; missing means `true`.
    pub insertion_order: Option<bool>,
    /// Everything that bounds a value without giving it its type; most nodes have some or nothing of it.
    pub constraints: Option<Box<Constraints>>,
}

/// The keywords of a [`Node`] that are rare or only bound values.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Constraints {
    /// `title`
    pub title: Option<String>,
    /// `format`
    pub format: Option<String>,
    /// `pattern`, never compiled here.
    pub pattern: Option<String>,
    /// `default`
    pub default: Option<Value>,
    /// `const`
    pub constant: Option<Value>,
    /// `minLength` in characters.
    pub min_length: Option<u64>,
    /// `maxLength` in characters.
    pub max_length: Option<u64>,
    /// `minItems`
    pub min_items: Option<u64>,
    /// `maxItems`
    pub max_items: Option<u64>,
    /// `uniqueItems`
    pub unique_items: Option<bool>,
    /// `minProperties`
    pub min_properties: Option<u64>,
    /// `maxProperties`
    pub max_properties: Option<u64>,
    /// `minimum`, unless it is exclusive.
    pub minimum: Option<Number>,
    /// `maximum`, unless it is exclusive.
    pub maximum: Option<Number>,
    /// The exclusive lower bound, whichever of its two spellings the schema uses.
    pub exclusive_minimum: Option<Number>,
    /// The exclusive upper bound, whichever of its two spellings the schema uses.
    pub exclusive_maximum: Option<Number>,
    /// `multipleOf`
    pub multiple_of: Option<Number>,
    /// `not`
    pub not: Option<Box<Node>>,
    /// `dependencies`, verbatim.
    pub dependencies: Option<Value>,
    /// `requiredXor`: members of which exactly one must be there.
    pub required_xor: Vec<String>,
    /// `requiredOr`: members of which at least one must be there.
    pub required_or: Vec<String>,
    /// `dependentRequired`: a member, and those that must be there when it is. In ascending order.
    pub dependent_required: Vec<(String, Vec<String>)>,
}

impl Node {
    /// Whether the node has `anyOf` or `oneOf`.
    pub fn is_union(&self) -> bool {
        !self.any_of.is_empty() || !self.one_of.is_empty()
    }

    /// The type list with what the other keywords imply: `items` means array; properties and patterns mean object.
    pub fn completed_types(&self) -> TypeList {
        let mut types = self.types;
        if !self.items.is_empty() {
            types.push(JsonType::Array);
        }
        if !self.properties.is_empty() || !self.pattern_properties.is_empty() {
            types.push(JsonType::Object);
        }
        types
    }

    /// The schema of map values: `additionalProperties` where it is a schema, else the only entry of
    /// `patternProperties`.
    pub fn map_value(&self) -> Option<&Node> {
        if let AdditionalProperties::Schema(node) = &self.additional_properties {
            return Some(node);
        }
        let mut nodes = self.pattern_properties.nodes();
        match (nodes.next(), nodes.next()) {
            (Some(node), None) => Some(node),
            _ => None,
        }
    }

    /// The name of the root definition that `$ref` points to; other references are returned whole.
    pub fn definition(&self) -> Option<&str> {
        let reference = self.reference.as_deref()?;
        Some(reference.strip_prefix("#/definitions/").unwrap_or(reference))
    }

    /// `minLength`, when the node states one.
    pub fn min_length(&self) -> Option<u64> {
        self.constraints.as_ref().and_then(|c| c.min_length)
    }

    /// `maxLength`, when the node states one.
    pub fn max_length(&self) -> Option<u64> {
        self.constraints.as_ref().and_then(|c| c.max_length)
    }

    /// `default`, when the node states one.
    pub fn default_value(&self) -> Option<&Value> {
        self.constraints.as_ref().and_then(|c| c.default.as_ref())
    }

    /// The bounds, created when the node has none yet.
    pub fn constraints_mut(&mut self) -> &mut Constraints {
        self.constraints.get_or_insert_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn type_lists_keep_order_without_duplicates() {
        let mut types = TypeList::one(JsonType::String);
        types.push(JsonType::Object);
        types.push(JsonType::String);
        assert_eq!(types.iter().collect::<Vec<_>>(), [JsonType::String, JsonType::Object]);
        assert_eq!((types.first(), types.only(), types.len()), (Some(JsonType::String), None, 2));
        JsonType::ALL.into_iter().for_each(|ty| types.push(ty));
        assert_eq!(types.len(), 7);
        assert_eq!(JsonType::parse("any"), None);
    }

    #[test]
    fn other_keywords_complete_the_types() {
        let array = Node { items: vec![Node::default()], ..Node::default() };
        assert_eq!(array.completed_types().only(), Some(JsonType::Array));
        let named: NodeMap = [("A".to_owned(), Node::default())].into_iter().collect();
        let object = Node { properties: named.clone(), types: TypeList::one(JsonType::String), ..Node::default() };
        assert_eq!(object.completed_types().iter().collect::<Vec<_>>(), [JsonType::String, JsonType::Object]);
        let map = Node { additional_properties: AdditionalProperties::Schema(Box::default()), ..Node::default() };
        assert!(map.completed_types().is_empty(), "additionalProperties alone means nothing");
        assert!(map.map_value().is_some());
        assert!(Node { pattern_properties: named, ..Node::default() }.map_value().is_some());
    }
}
