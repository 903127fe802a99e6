//! From a resource's metadata to the items of its module: names are given and types chosen here, nothing is printed.

use std::collections::{HashMap, HashSet};

use metadata::model::{self, Property, Type};

use super::cycles;
use super::marks::Marks;
use super::names::{self, Scope};
use crate::docs::UNDESCRIBED;
use crate::package::{Package, PropertySpec, TypeDefinition, TypeSpec};

/// The module of one resource.
#[derive(Debug)]
pub(super) struct Module<'a> {
    /// Its name.
    pub name: String,
    /// CloudFormation type.
    pub cfn_type: &'a str,
    /// Pulumi token.
    pub token: &'a str,
    /// The struct of the resource itself.
    pub resource: String,
    /// What it contains: the resource first, every other type behind the first one that needs it.
    pub items: Vec<Item<'a>>,
}

/// A type of a module.
#[derive(Debug)]
pub(super) enum Item<'a> {
    /// An object type.
    Struct(Struct<'a>),
    /// A list of strings, open to others.
    Enum(Enum<'a>),
    /// One of several types.
    Union(Union),
}

#[derive(Debug)]
pub(super) struct Struct<'a> {
    pub name: String,
    /// One line of text, if anything is known.
    pub doc: Option<String>,
    pub members: Vec<Member<'a>>,
}

#[derive(Debug)]
pub(super) struct Member<'a> {
    pub name: String,
    pub cfn_name: &'a str,
    pub doc: String,
    pub ty: RustType,
}

#[derive(Debug)]
pub(super) struct Enum<'a> {
    pub name: String,
    pub doc: Option<String>,
    /// Variant and value.
    pub values: Vec<(String, &'a str)>,
}

#[derive(Debug)]
pub(super) struct Union {
    pub name: String,
    /// Variant and what it holds.
    pub arms: Vec<(String, RustType)>,
}

/// The type of a member.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum RustType {
    Value,
    Bool,
    Integer,
    Number,
    String,
    /// A type of the module.
    Named(String),
    /// The same, boxed.
    Boxed(String),
    List(Box<RustType>),
    Map(Box<RustType>),
}

/// The module of `resource`; `None` when its token has no name.
pub(super) fn module<'a>(resource: &'a model::Resource, package: &'a Package) -> Option<Module<'a>> {
    let published = resource.token.rsplit(':').next().filter(|name| !name.is_empty())?;
    let mut scope = Scope::default();
    let name = scope.claim(names::type_name(published), "");
    let mut planner = Planner {
        resource,
        package,
        prefix: published,
        boxed: cycles::boxed(&resource.types),
        marks: Marks::of(resource),
        scope,
        objects: HashMap::new(),
        enums: HashMap::new(),
        pending: Vec::new(),
        items: Vec::new(),
    };
    planner.resource_struct(&name);
    while let Some((index, name)) = planner.pending.pop() {
        planner.object_struct(index, name);
    }
    Some(Module {
        name: names::module(published),
        cfn_type: &resource.cfn_type,
        token: &resource.token,
        resource: name,
        items: planner.items,
    })
}

struct Planner<'a> {
    resource: &'a model::Resource,
    package: &'a Package,
    /// The resource's published name, with which the names of its own types begin.
    prefix: &'a str,
    boxed: HashSet<(u32, u32)>,
    marks: Marks<'a>,
    scope: Scope,
    /// Names of object types by index.
    objects: HashMap<u32, String>,
    /// Names of enums by wanted name and values.
    enums: HashMap<(String, &'a [String]), String>,
    /// Object types that are referred to and not there yet.
    pending: Vec<(u32, String)>,
    items: Vec<Item<'a>>,
}

/// Where a type is looked at.
struct Site<'a> {
    /// The object type whose values hold it in place; `None` in the resource, and behind a list or map.
    owner: Option<u32>,
    /// What a type without a name of its own is called here.
    name: String,
    /// The published type, where it is known.
    spec: Option<&'a TypeSpec>,
}

impl<'a> Site<'a> {
    /// An element of a list or map.
    fn element(&self, suffix: &str, spec: Option<&'a TypeSpec>) -> Site<'a> {
        Site { owner: None, name: format!("{}{suffix}", self.name), spec }
    }

    /// An alternative of a union.
    fn arm(&self, number: usize, spec: Option<&'a TypeSpec>) -> Site<'a> {
        Site { owner: self.owner, name: format!("{}{number}", self.name), spec }
    }
}

impl<'a> Planner<'a> {
    fn resource_struct(&mut self, name: &str) {
        let published = self.package.resources.get(&self.resource.token);
        let specs = published.map(|published| &published.properties);
        let doc = published.and_then(|published| summary(published.description.as_deref()));
        let specs = |name: &str| specs.and_then(|specs| specs.get(name));
        self.structure(None, name.to_owned(), doc, &self.resource.properties, specs);
    }

    fn object_struct(&mut self, index: u32, name: String) {
        let resource = self.resource;
        let Some(object) = resource.types.get(index as usize) else { return };
        let published = match self.package.types.get(object.token.as_str()) {
            Some(TypeDefinition::Object(published)) => Some(published),
            Some(TypeDefinition::Enum(_)) | None => None,
        };
        let doc = published.and_then(|published| summary(published.description.as_deref()));
        let specs = |name: &str| published.and_then(|published| published.properties.get(name));
        self.structure(Some(index), name, doc, &object.properties, specs);
    }

    fn structure(
        &mut self,
        owner: Option<u32>,
        name: String,
        doc: Option<String>,
        properties: &'a [Property],
        spec: impl Fn(&str) -> Option<&'a PropertySpec>,
    ) {
        let place = self.items.len();
        self.items.push(Item::Struct(Struct { name: name.clone(), doc, members: Vec::new() }));
        let waiting = self.pending.len();
        let mut scope = Scope::default();
        let mut members = Vec::with_capacity(properties.len());
        for property in properties {
            let spec = spec(&property.name);
            let site = Site {
                owner,
                name: format!("{name}{}", names::camel_case(&property.cfn_name)),
                spec: spec.map(|spec| &spec.ty),
            };
            let ty = self.rust_type(&property.ty, &site);
            members.push(Member {
                name: scope.claim(names::member(&property.cfn_name), "_"),
                cfn_name: &property.cfn_name,
                doc: self.member_doc(owner, property, spec),
                ty,
            });
        }
        if let Some(Item::Struct(structure)) = self.items.get_mut(place) {
            structure.members = members;
        }
        // Taken from the end, so that types come in the order in which members name them.
        self.pending[waiting..].reverse();
    }

    /// `` `CfnName` (required, create-only): what it is ``
    fn member_doc(&self, owner: Option<u32>, property: &'a Property, spec: Option<&PropertySpec>) -> String {
        let mut doc = format!("`{}`", property.cfn_name);
        let mut marks = Vec::new();
        if property.required {
            marks.push("required");
        }
        marks.extend(self.marks.get(owner, &property.name));
        if !marks.is_empty() {
            doc.push_str(" (");
            doc.push_str(&marks.join(", "));
            doc.push(')');
        }
        if let Some(text) = spec.and_then(|spec| summary(spec.description.as_deref())) {
            doc.push_str(": ");
            doc.push_str(&text);
        }
        doc
    }

    fn rust_type(&mut self, ty: &'a Type, site: &Site<'a>) -> RustType {
        match ty {
            Type::Any => RustType::Value,
            Type::Boolean => RustType::Bool,
            Type::Integer => RustType::Integer,
            Type::Number => RustType::Number,
            Type::String => RustType::String,
            Type::Enum(values) => self.enumeration(values, site),
            Type::Array(items) => {
                let spec = match site.spec {
                    Some(TypeSpec::Array(items)) => Some(&**items),
                    _ => None,
                };
                RustType::List(Box::new(self.rust_type(items, &site.element("Item", spec))))
            }
            Type::Map(values) => {
                let spec = match site.spec {
                    Some(TypeSpec::Map(values)) => Some(&**values),
                    _ => None,
                };
                RustType::Map(Box::new(self.rust_type(values, &site.element("Value", spec))))
            }
            Type::Object(index) => self.object(*index, site.owner),
            Type::Union(arms) => self.union(arms, site),
        }
    }

    fn object(&mut self, index: u32, owner: Option<u32>) -> RustType {
        let Some(object) = self.resource.types.get(index as usize) else { return RustType::Value };
        if object.properties.is_empty() {
            return RustType::Value;
        }
        let name = match self.objects.get(&index) {
            Some(name) => name.clone(),
            None => {
                let published = object.token.rsplit(':').next().unwrap_or_default();
                let name = self.scope.claim(names::type_name(published), "");
                self.objects.insert(index, name.clone());
                self.pending.push((index, name.clone()));
                name
            }
        };
        let boxed = owner.is_some_and(|owner| self.boxed.contains(&(owner, index)));
        if boxed { RustType::Boxed(name) } else { RustType::Named(name) }
    }

    fn enumeration(&mut self, values: &'a [String], site: &Site<'a>) -> RustType {
        // The published name, unless another resource's enum has it: that one's changes are not this one's.
        let token = site.spec.and_then(TypeSpec::token);
        let published = token.map(|token| token.rsplit(':').next().unwrap_or_default());
        let published = published.filter(|published| published.starts_with(self.prefix));
        let wanted = published.map_or_else(|| names::type_name(&site.name), names::type_name);
        let key = (wanted.clone(), values);
        if let Some(name) = self.enums.get(&key) {
            return RustType::Named(name.clone());
        }
        let name = self.scope.claim(wanted, "");
        let doc = match token.and_then(|token| self.package.types.get(token)) {
            Some(TypeDefinition::Enum(published)) => summary(published.description.as_deref()),
            Some(TypeDefinition::Object(_)) | None => None,
        };
        let mut scope = Scope::default();
        let mut known = HashSet::with_capacity(values.len());
        let distinct = values.iter().filter(|value| known.insert(value.as_str()));
        let values = distinct.map(|value| (scope.claim(names::variant(value), ""), value.as_str())).collect();
        self.items.push(Item::Enum(Enum { name: name.clone(), doc, values }));
        self.enums.insert(key, name.clone());
        RustType::Named(name)
    }

    fn union(&mut self, types: &'a [Type], site: &Site<'a>) -> RustType {
        let specs = match site.spec {
            Some(TypeSpec::Union(specs)) if specs.len() == types.len() => Some(specs),
            _ => None,
        };
        let name = self.scope.claim(names::type_name(&site.name), "");
        let mut scope = Scope::default();
        scope.claim(names::OTHER_VARIANT.to_owned(), "");
        let mut arms: Vec<(String, RustType)> = Vec::with_capacity(types.len());
        let mut known = HashSet::with_capacity(types.len());
        for (number, ty) in types.iter().enumerate() {
            let spec = specs.and_then(|specs| specs.get(number));
            let ty = self.rust_type(ty, &site.arm(number, spec));
            // What may be anything is kept as `Other`.
            if ty != RustType::Value && known.insert(ty.clone()) {
                arms.push((scope.claim(variant_of(&ty).to_owned(), ""), ty));
            }
        }
        self.items.push(Item::Union(Union { name: name.clone(), arms }));
        RustType::Named(name)
    }
}

/// What the variant that holds such a value is called.
fn variant_of(ty: &RustType) -> &str {
    match ty {
        RustType::Value => names::OTHER_VARIANT,
        RustType::Bool => "Bool",
        RustType::Integer => "Integer",
        RustType::Number => "Number",
        RustType::String => "String",
        RustType::Named(name) | RustType::Boxed(name) => name,
        RustType::List(_) => "List",
        RustType::Map(_) => "Map",
    }
}

/// Abbreviations whose stop ends no sentence.
const ABBREVIATIONS: &[&str] = &["e.g", "i.e", "etc", "vs", "approx", "max", "min", "incl", "no"];

/// The first sentence, on one line: a summary, of which nothing can be taken for a block of code. `None` where there is
/// no text, or only the remark that there is none, or only examples.
fn summary(text: Option<&str>) -> Option<String> {
    let lines = text?.lines().map(str::trim).skip_while(|line| line.is_empty()).take_while(|line| !line.is_empty());
    let mut paragraph = String::new();
    for line in lines {
        if !paragraph.is_empty() {
            paragraph.push(' ');
        }
        paragraph.push_str(line);
    }
    let end = paragraph.match_indices(". ").map(|(at, _)| at).find(|at| {
        let before = paragraph.get(..*at).unwrap_or_default();
        let word = before.rsplit([' ', '(', ',']).next().unwrap_or_default();
        !ABBREVIATIONS.iter().any(|known| word.eq_ignore_ascii_case(known))
    });
    if let Some(end) = end {
        paragraph.truncate(end + 1);
    }
    let is_text = !paragraph.is_empty() && paragraph != UNDESCRIBED && !paragraph.starts_with(['#', '{']);
    is_text.then_some(paragraph)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn summaries() {
        for (text, expected) in [
            ("", None),
            (" \n\n", None),
            ("The name", Some("The name")),
            ("The name. More.", Some("The name.")),
            ("\nA size (e.g. 5 GB)\nof a disk. Default: 8.\n\n    code", Some("A size (e.g. 5 GB) of a disk.")),
            ("Version 1.5 of it", Some("Version 1.5 of it")),
            (UNDESCRIBED, None),
            ("{{% examples %}}\n## Example Usage\n", None),
            (&format!("{UNDESCRIBED}\n\nAllowed values: `A`."), None),
        ] {
            assert_eq!(summary(Some(text)).as_deref(), expected, "{text:?}");
        }
        assert_eq!(summary(None), None);
    }
}
