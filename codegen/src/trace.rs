//! How names and types came about: what the lowering notes down on its way when it is asked to.
//!
//! A [`ResourceTrace`] has a [`Step`] per schema node that was looked at, in the order of looking, with the rules that
//! decided there. The rules are in [`rules`], the places of nodes in the document in `places`, the hooks that the
//! lowering calls in `recorder`. Reading a trace for people is the part of [`crate::explain`].

mod places;
mod recorder;
pub mod rules;

pub(crate) use places::Places;
pub(crate) use recorder::Recorder;

use crate::create_only::{self, Place};
use crate::getter::NoGetter;
use crate::package::{Properties, Token, TypeSpec};
use crate::types::Registered;
use cfn::{PropertyPath, ResourceSchema};
use rules::Rule;
use std::collections::BTreeMap;

/// What one resource type's schema became, and why.
#[derive(Debug, Clone)]
pub struct ResourceTrace {
    /// CloudFormation type name.
    pub cfn_type: String,
    /// Token of the resource.
    pub token: String,
    /// Token that the getter has, or would have.
    pub getter: String,
    /// The schema's file.
    pub file: String,
    /// The rules that gave the resource its token.
    pub names: Vec<Rule>,
    /// `required` of the schema's root.
    pub required: Vec<String>,
    /// SDK name of the property that gets a generated name, which programs need not give.
    pub generated_name: Option<String>,
    /// Why there is no getter.
    pub no_getter: Option<NoGetter>,
    /// All schema nodes in the order in which they were looked at.
    pub steps: Vec<Step>,
    /// Tokens of nested types in the order of their registration, with the step that did it; a later one overwrites.
    pub registered: Vec<(Token, usize)>,
    /// What the schema's path lists say.
    pub paths: Vec<ListedPath>,
}

impl ResourceTrace {
    /// The step that gave a nested type its final form.
    pub fn step_of_type(&self, token: &str) -> Option<usize> {
        self.registered.iter().rev().find(|(other, _)| &**other == token).map(|(_, step)| *step)
    }

    /// The step of a property: of the resource where `owner` is `None`, else of the type that the step `owner` registered.
    pub fn step_of_member(&self, owner: Option<usize>, sdk_name: &str) -> Option<usize> {
        let is_it = |step: &Step| {
            step.parent == owner && step.member.as_ref().is_some_and(|member| member.sdk_name == sdk_name)
        };
        self.steps.iter().position(is_it)
    }
}

/// A schema node that was looked at.
#[derive(Debug, Clone)]
pub struct Step {
    /// The step around it.
    pub parent: Option<usize>,
    /// JSON pointer of the node in the corrected document. Of a node that was put together from several, that of the
    /// node around them.
    pub pointer: String,
    /// JSON pointer of the definition that the node refers to.
    pub target: Option<String>,
    /// The name under construction, on which names of types inside build.
    pub name: String,
    /// The property that the node describes, when it describes one.
    pub member: Option<Member>,
    /// The rules that decided, in order.
    pub rules: Vec<Rule>,
    /// The type.
    pub result: TypeSpec,
    /// The nested type that came about here.
    pub registered: Option<Token>,
    /// Of an enum that came about here: its values, with the rules that named its members.
    pub values: Vec<(String, Rule)>,
}

/// A property's two names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member {
    /// CloudFormation's.
    pub cfn_name: String,
    /// In SDKs.
    pub sdk_name: String,
    /// The rule that gave it that name.
    pub rule: Rule,
    /// JSON pointer of the entry that makes it required in the object around it.
    pub required_at: Option<String>,
}

/// A path list of a schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PathList {
    /// `createOnlyProperties`
    CreateOnly,
    /// `conditionalCreateOnlyProperties`
    ConditionalCreateOnly,
    /// `readOnlyProperties`
    ReadOnly,
    /// `writeOnlyProperties`
    WriteOnly,
    /// `deprecatedProperties`
    Deprecated,
    /// `primaryIdentifier`
    Identifier,
}

impl PathList {
    /// All lists.
    pub const ALL: [PathList; 6] = [
        PathList::CreateOnly,
        PathList::ConditionalCreateOnly,
        PathList::ReadOnly,
        PathList::WriteOnly,
        PathList::Deprecated,
        PathList::Identifier,
    ];

    /// The keyword of the schema.
    pub fn keyword(self) -> &'static str {
        match self {
            PathList::CreateOnly => "createOnlyProperties",
            PathList::ConditionalCreateOnly => "conditionalCreateOnlyProperties",
            PathList::ReadOnly => "readOnlyProperties",
            PathList::WriteOnly => "writeOnlyProperties",
            PathList::Deprecated => "deprecatedProperties",
            PathList::Identifier => "primaryIdentifier",
        }
    }

    fn of(self, schema: &ResourceSchema) -> &[PropertyPath] {
        match self {
            PathList::CreateOnly => &schema.create_only,
            PathList::ConditionalCreateOnly => &schema.conditional_create_only,
            PathList::ReadOnly => &schema.read_only,
            PathList::WriteOnly => &schema.write_only,
            PathList::Deprecated => &schema.deprecated,
            PathList::Identifier => &schema.primary_identifier,
        }
    }
}

/// An entry of a path list.
#[derive(Debug, Clone)]
pub struct ListedPath {
    /// The list.
    pub list: PathList,
    /// JSON pointer of the entry.
    pub pointer: String,
    /// The entry's text.
    pub text: String,
    /// The property it leads to in the package: the type's token (`None` = the resource) and the SDK name.
    pub place: Option<(Option<Token>, String)>,
    /// Whether the mark `replaceOnChanges` was set there.
    pub marked: bool,
}

/// Where the entries of all path lists lead, by the walk that sets the marks.
pub(crate) fn listed_paths(
    schema: &ResourceSchema,
    outputs: &Properties,
    types: &BTreeMap<Token, Registered>,
) -> Vec<ListedPath> {
    let mut listed = Vec::new();
    for list in PathList::ALL {
        for (index, path) in list.of(schema).iter().enumerate() {
            let published = create_only::find(&path.published_sdk_path(), outputs, types);
            let marked = list == PathList::CreateOnly && published.is_some();
            // What a sloppy pointer means is known to the runtime alone; programs see the same property.
            let place = published.or_else(|| create_only::find(&path.to_sdk_path(), outputs, types));
            listed.push(ListedPath {
                list,
                pointer: format!("#/{}/{index}", list.keyword()),
                text: path.pointer().to_owned(),
                place: place.map(|Place { token, property }| (token, property)),
                marked,
            });
        }
    }
    listed
}
