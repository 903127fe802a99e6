//! Why a property is required, forces a replacement, cannot be set or cannot be read.

use crate::generate::Output;
use crate::package::{PropertySpec, TypeDefinition};
use crate::trace::{Member, PathList, ResourceTrace, Step};
use serde::Serialize;

/// Something that holds for a property or does not.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Mark {
    /// `input`, `required`, `always there`, `replaceOnChanges`, or the keyword of a path list.
    pub mark: &'static str,
    /// Whether it holds; as the package has it, where the package says so.
    pub holds: bool,
    /// Why.
    pub reason: String,
    /// JSON pointer of what decided.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pointer: Option<String>,
}

impl Mark {
    fn new(mark: &'static str, holds: bool, reason: impl Into<String>, pointer: Option<String>) -> Mark {
        Mark { mark, holds, reason: reason.into(), pointer }
    }
}

/// The property in the package: of a nested type where there is an `owner`, else of a resource.
pub(super) fn spec<'o>(
    output: &'o Output,
    owner: Option<&str>,
    resource: &str,
    name: &str,
) -> Option<&'o PropertySpec> {
    match owner.map(|owner| super::definition(output, owner)) {
        Some(Some(TypeDefinition::Object(object))) => object.properties.get(name),
        Some(Some(TypeDefinition::Enum(_)) | None) => None,
        None => {
            let resource = output.package.resources.get(resource)?;
            resource.properties.get(name).or_else(|| resource.inputs.get(name))
        }
    }
}

/// What holds for the property that `step` describes.
pub(super) fn of(output: &Output, trace: &ResourceTrace, owner: Option<&str>, step: &Step) -> Vec<Mark> {
    let Some(member) = &step.member else { return Vec::new() };
    let name = member.sdk_name.as_str();
    let lists = Lists { trace, owner, name, cfn_name: &member.cfn_name };
    let mut marks = match owner {
        None => top_level(output, trace, &lists),
        Some(owner) => nested(output, owner, member).into_iter().collect(),
    };
    let replaces = spec(output, owner, &trace.token, name).is_some_and(|spec| spec.replace_on_changes);
    marks.push(replace_on_changes(&lists, replaces));
    marks.extend(PathList::ALL.into_iter().filter_map(|list| {
        let (text, pointer) = lists.entry(list)?;
        Some(Mark::new(list.keyword(), true, format!("listed as {text}"), Some(pointer)))
    }));
    marks
}

struct Lists<'t> {
    trace: &'t ResourceTrace,
    owner: Option<&'t str>,
    name: &'t str,
    cfn_name: &'t str,
}

impl Lists<'_> {
    /// The entry of a list that leads to the property: its text and its place.
    fn entry(&self, list: PathList) -> Option<(&str, String)> {
        let leads_here = |place: &(Option<_>, String)| {
            let (token, name): &(Option<crate::package::Token>, String) = place;
            token.as_deref() == self.owner && name == self.name
        };
        let mut entries = self.trace.paths.iter().filter(|path| path.list == list);
        let found = entries.find(|path| {
            let by_text = self.owner.is_none() && cfn::path::strip(&path.text) == self.cfn_name;
            by_text || path.place.as_ref().is_some_and(leads_here)
        })?;
        Some((&found.text, found.pointer.clone()))
    }

    fn pointer(&self, list: PathList) -> Option<String> {
        self.entry(list).map(|(_, pointer)| pointer)
    }
}

fn top_level(output: &Output, trace: &ResourceTrace, lists: &Lists<'_>) -> Vec<Mark> {
    let Some(spec) = output.package.resources.get(&trace.token) else { return Vec::new() };
    let is_input = spec.inputs.contains_key(lists.name);
    let (read_only, create_only) = (lists.pointer(PathList::ReadOnly), lists.pointer(PathList::CreateOnly));
    let input = match (is_input, &read_only, &create_only) {
        (true, Some(_), Some(create_only)) => {
            ("createOnlyProperties counts more than readOnlyProperties", Some(create_only.clone()))
        }
        (true, ..) => ("not in readOnlyProperties", None),
        (false, ..) => ("in readOnlyProperties and not in createOnlyProperties", read_only.clone()),
    };
    let listed = trace.required.iter().position(|required| required == lists.cfn_name);
    let at = listed.map(|index| format!("#/required/{index}"));
    let is_required = spec.required_inputs.iter().any(|required| required == lists.name);
    let required = match (is_required, &at, is_input) {
        (true, ..) => "listed in required",
        (false, None, _) => "not listed in required",
        (false, Some(_), false) => "listed in required, but no input",
        (false, Some(_), true) => "listed in required, but a name is generated where programs give none",
    };
    let is_always = spec.required.iter().any(|required| required == lists.name);
    let always = if is_always { "in required or in readOnlyProperties" } else { "neither required nor read-only" };
    vec![
        Mark::new("input", is_input, input.0, input.1),
        Mark::new("required", is_required, required, at.clone()),
        Mark::new("always there", is_always, always, at.or(read_only).filter(|_| is_always)),
    ]
}

fn nested(output: &Output, owner: &str, member: &Member) -> Option<Mark> {
    let Some(TypeDefinition::Object(object)) = super::definition(output, owner) else { return None };
    let is_required = object.required.contains(&member.sdk_name);
    let reason = if is_required { "listed in required of the object" } else { "not listed in required of the object" };
    Some(Mark::new("required", is_required, reason, member.required_at.clone().filter(|_| is_required)))
}

fn replace_on_changes(lists: &Lists<'_>, holds: bool) -> Mark {
    let entry = lists.entry(PathList::CreateOnly);
    let reason = match (holds, &entry) {
        (true, Some((text, _))) => format!("{text} is create-only"),
        (true, None) => "the type that decides about this name has the mark".to_owned(),
        (false, Some((text, _))) => format!(
            "{text} is create-only, but the published schema has no such mark here: the path is not found by its SDK \
             name, or a getter returns the type; the provider replaces all the same"
        ),
        (false, None) => "not in createOnlyProperties".to_owned(),
    };
    Mark::new("replaceOnChanges", holds, reason, entry.map(|(_, pointer)| pointer))
}
