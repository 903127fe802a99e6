//! From a property's schema to its type: the heart of the generator.
//!
//! Every schema node becomes two things at once: the published [`TypeSpec`], whose tokens several resources of a module
//! may share and overwrite, and the resource's own view of the same type for the runtime metadata, which nothing
//! overwrites. Object types and enums are registered on the way: see `objects` and `enums`.

mod enums;
mod objects;
mod unions;

pub(crate) use enums::value_text;

use crate::combine::{merge_object_union, with_members_of_alternatives};
use crate::docs::marks::Marks;
use crate::error::LowerError;
use crate::names::Resolver;
use crate::package::{Token, TypeDefinition, TypeSpec};
use crate::place::declaring;
use crate::tokens::{self, Names};
use crate::trace::rules::Rule;
use crate::trace::{Places, Recorder};
use cfn::schema::JsonType;
use cfn::{Node, ResourceSchema, escape_token};
use metadata::model;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Deeper nesting than any published schema has, and well within the smallest stack.
const MAX_DEPTH: usize = 200;

/// More nodes than the largest published schema expands to, few enough to give up on within a second.
const MAX_NODES: usize = 1_000_000;

/// The name of a referenced definition where the general rule would take a name twice.
///
/// Columns: CloudFormation type (empty = any), name under construction (empty = any), definition, type name, reason.
const DEFINITION_NAMES: &[(&str, &str, &str, &str, &str)] = &[
    (
        "",
        "LoggingClusterLogging",
        "ClusterLogging",
        "ClusterLoggingEnabledTypes",
        "EKS names the list of log types like the object around it",
    ),
    (
        "AWS::SageMaker::Cluster",
        "",
        "ClusterFsxLustreConfig",
        "ClusterInstanceStorageFsxLustreConfig",
        "would differ from ClusterFSxLustreConfig by case only",
    ),
];

/// A type in both forms.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Typed {
    /// As published.
    pub spec: TypeSpec,
    /// In the resource's own view.
    pub view: model::Type,
}

impl Typed {
    fn new(spec: TypeSpec, view: model::Type) -> Typed {
        Typed { spec, view }
    }

    fn any() -> Typed {
        Typed::new(TypeSpec::Any, model::Type::Any)
    }

    fn array(items: Typed) -> Typed {
        Typed::new(TypeSpec::array(items.spec), model::Type::Array(Box::new(items.view)))
    }

    fn map(values: Typed) -> Typed {
        Typed::new(TypeSpec::map(values.spec), model::Type::Map(Box::new(values.view)))
    }

    fn of(ty: JsonType) -> Typed {
        match ty {
            JsonType::Boolean => Typed::new(TypeSpec::Boolean, model::Type::Boolean),
            JsonType::Integer => Typed::new(TypeSpec::Integer, model::Type::Integer),
            JsonType::Number => Typed::new(TypeSpec::Number, model::Type::Number),
            JsonType::String => Typed::new(TypeSpec::String, model::Type::String),
            JsonType::Null | JsonType::Array | JsonType::Object => Typed::any(),
        }
    }
}

/// A type that this resource registered.
#[derive(Debug, Clone)]
pub(crate) struct Registered {
    /// What it is.
    pub definition: TypeDefinition,
    /// Whether it comes from an inline object, not from a definition.
    pub inline: bool,
}

/// Derives the types of one resource.
pub(crate) struct TypeBuilder<'a> {
    schema: &'a ResourceSchema,
    names: &'a Names,
    /// Whose a name is.
    resolver: &'a Resolver<'a>,
    /// What is said beside descriptions.
    pub(crate) marks: Marks,
    /// Types of the resources before this one.
    published: &'a BTreeMap<Token, TypeDefinition>,
    /// Types of this resource so far; they join `published` once the resource as a whole succeeds.
    pub(crate) registered: BTreeMap<Token, Registered>,
    /// Object types by the definition that they come from.
    by_definition: HashMap<&'a str, (Token, u32)>,
    /// Object types from definitions by token: the first definition that has the token decides.
    by_token: HashMap<Token, u32>,
    /// The resource's own view of its object types.
    pub(crate) view: Vec<model::ObjectType>,
    /// Places in `view` by token, in ascending order.
    view_by_token: HashMap<String, Vec<u32>>,
    /// Types that had to take another name, with the token they wanted.
    pub(crate) renamed: Vec<(String, String)>,
    /// Every token that a type of this resource got, with the tokens that it wanted.
    pub(crate) claims: BTreeMap<Token, BTreeSet<Token>>,
    /// What objects got whose wanted token is another resource's, by that one.
    pub(crate) substitutes: BTreeMap<Token, Token>,
    /// Definitions being looked through at this moment, up to the nearest object type.
    looking_through: Vec<&'a str>,
    depth: usize,
    nodes: usize,
    /// How the types come about, when that is asked for.
    pub(crate) trace: Option<Recorder<'a>>,
}

impl<'a> TypeBuilder<'a> {
    /// A builder for the resource that `schema` describes, with the types of earlier resources at hand.
    pub(crate) fn new(
        schema: &'a ResourceSchema,
        names: &'a Names,
        resolver: &'a Resolver<'a>,
        published: &'a BTreeMap<Token, TypeDefinition>,
    ) -> TypeBuilder<'a> {
        TypeBuilder {
            schema,
            names,
            resolver,
            marks: Marks::new(schema),
            published,
            registered: BTreeMap::new(),
            by_definition: HashMap::new(),
            by_token: HashMap::new(),
            view: Vec::new(),
            view_by_token: HashMap::new(),
            renamed: Vec::new(),
            claims: BTreeMap::new(),
            substitutes: BTreeMap::new(),
            looking_through: Vec::new(),
            depth: 0,
            nodes: 0,
            trace: None,
        }
    }

    /// The type of a node. `parent` is the name that types found inside will build on.
    pub(crate) fn type_of(&mut self, parent: &str, node: &Node) -> Result<Typed, LowerError> {
        self.nodes += 1;
        if self.nodes > MAX_NODES {
            return Err(LowerError::TooLarge { pointer: self.pointer(node), limit: MAX_NODES });
        }
        if self.depth >= MAX_DEPTH {
            return Err(LowerError::TooDeep { pointer: self.pointer(node), limit: MAX_DEPTH });
        }
        self.depth += 1;
        self.trace_enter(parent, node);
        let typed = self.classify(parent, node);
        self.trace_leave(&typed);
        self.depth -= 1;
        typed
    }

    fn classify(&mut self, parent: &str, node: &Node) -> Result<Typed, LowerError> {
        if let Some(definition) = node.definition() {
            return self.reference(parent, definition);
        }
        if !node.properties.is_empty() {
            self.note(Rule::InlineObject);
            return self.inline_object(parent, node);
        }
        if node.is_union() {
            self.note(Rule::Alternatives);
            return self.union(parent, node);
        }
        let types = node.completed_types();
        if !node.enumeration.is_empty() && types.first() == Some(JsonType::String) {
            self.note(Rule::StringEnum);
            return self.enumeration(parent, node);
        }
        if let Some(value) = node.map_value() {
            self.note(Rule::Map);
            return Ok(Typed::map(self.type_of(&format!("{parent}Value"), value)?));
        }
        // What may be an object as well as an array, and does not say what is in the array, may be anything.
        let is_open = types.contains(JsonType::Object) && node.items.is_empty();
        if types.contains(JsonType::Array) && !is_open {
            self.note(if node.items.is_empty() { Rule::OpenList } else { Rule::List });
            return Ok(Typed::array(match node.items.first() {
                Some(items) => self.type_of(&format!("{parent}Item"), items)?,
                None => Typed::any(),
            }));
        }
        if let Some(ty) = types.only() {
            let typed = Typed::of(ty);
            self.note(if typed.spec == TypeSpec::Any { Rule::FreeForm } else { Rule::OneType });
            return Ok(typed);
        }
        if types.is_empty() || types.contains(JsonType::Object) {
            self.note(Rule::FreeForm);
            return Ok(Typed::any());
        }
        self.note(Rule::SeveralTypes);
        let (specs, views) = types.iter().map(Typed::of).map(|typed| (typed.spec, typed.view)).unzip();
        Ok(Typed::new(TypeSpec::Union(specs), model::Type::Union(views)))
    }

    fn reference(&mut self, parent: &str, name: &str) -> Result<Typed, LowerError> {
        let schema = self.schema;
        let Some((name, definition)) = schema.definitions.entry(name) else {
            self.note(Rule::DanglingReference);
            return Ok(Typed::any());
        };
        self.note(Rule::Reference);
        let (type_name, naming) = self.definition_type_name(parent, name);
        let merged = if definition.is_union() && definition.types.only() == Some(JsonType::Object) {
            match merge_object_union(definition) {
                Some(mut merged) => {
                    self.note(Rule::MergedAlternatives);
                    // Alternatives that are references have no members of their own to merge, but what they refer to has.
                    let whole = with_members_of_alternatives(definition, schema);
                    for (name, node) in whole.properties.iter() {
                        if merged.properties.contains(name) {
                            continue;
                        }
                        merged.properties.insert(name.to_owned(), node.clone());
                    }
                    Some(merged)
                }
                None => {
                    self.note(naming);
                    return self.look_through(name, |builder| builder.type_of(&type_name, definition));
                }
            }
        } else {
            None
        };
        let node = merged.as_ref().unwrap_or(definition);
        if let Some(value) = node.map_value() {
            self.note(Rule::MapDefinition);
            let value = self.look_through(name, |builder| builder.type_of(&format!("{parent}Value"), value))?;
            return Ok(Typed::map(if nests_too_deep(&value.spec) {
                self.note(Rule::DeepMap);
                Typed::new(TypeSpec::Any, without_names(value.view))
            } else {
                value
            }));
        }
        let implied_object = !node.properties.is_empty() || !node.pattern_properties.is_empty();
        let is_object = match node.types.first() {
            Some(first) => first == JsonType::Object,
            None => implied_object,
        };
        if is_object {
            self.note(Rule::ObjectDefinition);
            self.note(naming);
            self.definition_object(name, &type_name, node)
        } else {
            self.note(Rule::LookedThrough);
            let typed = self.look_through(name, |builder| builder.type_of(&type_name, node))?;
            if typed.spec.token().is_some() {
                self.note(naming);
            }
            Ok(typed)
        }
    }

    /// Derives a type from a definition that has no name of its own, unless that is what is being done already.
    fn look_through(
        &mut self,
        definition: &'a str,
        derive: impl FnOnce(&mut Self) -> Result<Typed, LowerError>,
    ) -> Result<Typed, LowerError> {
        if self.looking_through.contains(&definition) {
            return Err(LowerError::Circular { definition: definition.to_owned() });
        }
        self.looking_through.push(definition);
        let typed = derive(self);
        self.looking_through.pop();
        typed
    }

    /// The name of the type of a referenced definition: prefixed by the resource, unless it is already or a definition
    /// of the prefixed name exists beside it. With the rule that gave it.
    fn definition_type_name(&self, parent: &str, definition: &str) -> (String, Rule) {
        let type_name = self.schema.type_name.as_str();
        let exception = DEFINITION_NAMES.iter().find(|(in_type, under, name, ..)| {
            *name == definition
                && (in_type.is_empty() || *in_type == type_name)
                && (under.is_empty() || *under == parent)
        });
        if let Some((.., name, _)) = exception {
            return (cfn::naming::lower_acronyms(name).into_owned(), Rule::DefinitionException);
        }
        let resource = &self.names.resource;
        if definition.starts_with(resource.as_str()) {
            return (cfn::naming::lower_acronyms(definition).into_owned(), Rule::DefinitionHasPrefix);
        }
        let prefixed = format!("{resource}{definition}");
        let (name, rule) = match self.schema.definitions.contains(&prefixed) {
            true => (definition, Rule::DefinitionWithoutPrefix),
            false => (prefixed.as_str(), Rule::DefinitionPrefixed),
        };
        (cfn::naming::lower_acronyms(name).into_owned(), rule)
    }

    /// Where a node stands, for messages: its JSON pointer, or that of the definition being looked at for a node that was
    /// put together from several.
    fn pointer(&self, node: &Node) -> String {
        let places = Places::new(self.schema);
        places.find(node, &[], None).map_or_else(|| self.definition_pointer(), str::to_owned)
    }

    fn definition_pointer(&self) -> String {
        match self.looking_through.last() {
            Some(definition) => format!("#/definitions/{}", escape_token(definition)),
            None => "#".to_owned(),
        }
    }

    /// Makes sure that a type can be called so. What keeps it from that comes from a definition's name: those of
    /// properties are looked at when they are met.
    fn check_name(&self, name: &str, definition: Option<&str>) -> Result<(), LowerError> {
        if tokens::is_possible(name) {
            return Ok(());
        }
        let pointer = match definition {
            Some(definition) => format!("#/definitions/{}", escape_token(definition)),
            None => self.definition_pointer(),
        };
        Err(LowerError::Name { pointer, name: name.to_owned() })
    }

    /// Makes sure that a property can be called so.
    pub(crate) fn check_property(&self, cfn_name: &str) -> Result<(), LowerError> {
        if tokens::is_possible(cfn_name) {
            return Ok(());
        }
        let pointer = declaring(self.schema, cfn_name, cfn_name).unwrap_or_else(|| "#".to_owned());
        Err(LowerError::Name { pointer, name: cfn_name.to_owned() })
    }

    fn token(&self, name: &str) -> Token {
        Token::from(self.names.type_token(name))
    }

    /// Notes the token that a type got, and the one that it wanted; where they differ, the lock decided that or the given
    /// rule did.
    fn claim(&mut self, wanted: &Token, token: &Token, rule: Rule) {
        if token != wanted {
            let name = wanted.rsplit(':').next().unwrap_or_default();
            let is_locked = self.resolver.is_locked(&self.names.module, name);
            self.note(if is_locked { Rule::NameLocked } else { rule });
            self.renamed.push((wanted.to_string(), token.to_string()));
        }
        self.claims.entry(token.clone()).or_default().insert(wanted.clone());
    }

    /// What this resource, or one before it, registered under a token.
    pub(crate) fn lookup(&self, token: &str) -> Option<&TypeDefinition> {
        let own = self.registered.get(token).map(|registered| &registered.definition);
        own.or_else(|| self.published.get(token))
    }
}

/// Whether a map of these values would nest more than three levels of collections, or hold collections of anything but
/// primitives. Map definitions fall back to `any` values then, because an SDK generator mishandled such types.
fn nests_too_deep(value: &TypeSpec) -> bool {
    matches!(value, TypeSpec::Array(_) | TypeSpec::Map(_)) && !is_primitive_collection(value, 2)
}

/// The view of a value whose published type is any: its collections and scalars are known, but members of objects have
/// the names that programs wrote, since no SDK translates them.
fn without_names(view: model::Type) -> model::Type {
    match view {
        model::Type::Array(element) => model::Type::Array(Box::new(without_names(*element))),
        model::Type::Map(value) => model::Type::Map(Box::new(without_names(*value))),
        model::Type::Object(_) | model::Type::Union(_) => model::Type::Any,
        scalar @ (model::Type::Any
        | model::Type::Boolean
        | model::Type::Integer
        | model::Type::Number
        | model::Type::String
        | model::Type::Enum(_)) => scalar,
    }
}

fn is_primitive_collection(spec: &TypeSpec, depth: usize) -> bool {
    let (TypeSpec::Array(element) | TypeSpec::Map(element)) = spec else { return false };
    match **element {
        TypeSpec::Boolean | TypeSpec::Integer | TypeSpec::Number | TypeSpec::String => true,
        TypeSpec::Array(_) | TypeSpec::Map(_) => depth > 1 && is_primitive_collection(element, depth - 1),
        TypeSpec::Any | TypeSpec::Ref(_) | TypeSpec::Region | TypeSpec::Union(_) => false,
    }
}
