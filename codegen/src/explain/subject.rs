//! What a name or a pointer means.

use super::definition;
use crate::emit::report::name;
use crate::generate::Output;
use crate::package::{EnumType, ObjectType, Properties, TypeDefinition, TypeSpec};
use crate::trace::ResourceTrace;
use cfn::naming::to_cfn;
use std::collections::BTreeSet;

/// What is to be explained.
pub(super) enum Subject<'o> {
    Resource(&'o ResourceTrace),
    Getter(&'o ResourceTrace),
    /// Of a resource, or of the nested type `owner`. Without a trace it is written by hand.
    Property {
        trace: Option<&'o ResourceTrace>,
        owner: Option<String>,
        name: String,
    },
    Object {
        token: &'o str,
        object: &'o ObjectType,
    },
    Enum {
        token: &'o str,
        definition: &'o EnumType,
    },
    Member {
        token: &'o str,
        definition: &'o EnumType,
        index: usize,
    },
    Node {
        trace: &'o ResourceTrace,
        step: usize,
    },
    /// A resource or function of the package itself.
    HandWritten(&'o str),
}

/// There is nothing of that name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ExplainError {
    /// No resource, getter or nested type.
    #[error("there is no resource, function or type {name}")]
    Unknown {
        /// What was asked for.
        name: String,
    },
    /// A schema of that type exists but became no resource.
    #[error("{name} is left out: {reason}")]
    LeftOut {
        /// The type.
        name: String,
        /// Why.
        reason: String,
    },
    /// The thing exists, what is asked for in it does not.
    #[error("{of} has no {name}")]
    UnknownMember {
        /// A token.
        of: String,
        /// What was asked for.
        name: String,
        /// What there is instead.
        known: Vec<String>,
    },
    /// No node that the lowering looked at stands there.
    #[error("{cfn_type} ({file}): nothing in the package comes from {pointer}")]
    UnknownPointer {
        /// The type.
        cfn_type: String,
        /// Its schema.
        file: String,
        /// What was asked for.
        pointer: String,
        /// The pointers of what the package does come from.
        known: Vec<String>,
    },
}

/// All names that an explanation can start from, for suggestions.
pub fn known_names(output: &Output) -> impl Iterator<Item = &str> {
    let package = &output.package;
    let types = output.resources.iter().map(|resource| resource.cfn_type.as_str());
    let tokens = package.resources.keys().chain(package.functions.keys()).map(String::as_str);
    types.chain(tokens).chain(package.types.keys().map(|token| &**token))
}

/// The resource type whose schema decided about a nested type: the last one that registered it.
pub(super) fn decided_by<'o>(output: &'o Output, token: &str) -> Option<&'o ResourceTrace> {
    of_module(output, token).rev().find(|trace| trace.step_of_type(token).is_some())
}

/// The traces of the resources in a token's module, which alone may have registered it.
pub(super) fn of_module<'o>(output: &'o Output, token: &str) -> impl DoubleEndedIterator<Item = &'o ResourceTrace> {
    let end = token.rfind(':').map_or(0, |colon| colon + 1);
    let module = token.get(..end).unwrap_or_default().to_owned();
    output.traces.iter().filter(move |trace| trace.token.starts_with(&module))
}

/// How a package schema refers to its types. A few tokens name a resource and a type; they mean the resource unless
/// written so.
const TYPES: &str = "#/types/";

/// Finds what `query` names.
pub(super) fn find<'o>(output: &'o Output, query: &str) -> Result<Subject<'o>, ExplainError> {
    let (query, only_types) = query.strip_prefix(TYPES).map_or((query, false), |query| (query, true));
    // Neither tokens nor type names have one of these.
    let (head, rest) = match query.find(['.', '/', '#']) {
        Some(at) => query.split_at(at),
        None => (query, ""),
    };
    // What ends in a separator means what stands before it.
    let rest = if rest.trim_start_matches(['.', '/', '#']).is_empty() { "" } else { rest };
    let start = if only_types { find_type(output, head)? } else { find_head(output, head)? };
    match rest.chars().next() {
        None => Ok(start),
        Some('.') => inside(output, start, head, rest.trim_start_matches('.'), '.'),
        Some(_) => {
            let pointer = rest.trim_start_matches('#');
            match &start {
                Subject::Resource(trace) => at_pointer(output, trace, pointer),
                _ => inside(output, start, head, pointer.trim_start_matches('/'), '/'),
            }
        }
    }
}

fn find_head<'o>(output: &'o Output, head: &str) -> Result<Subject<'o>, ExplainError> {
    // What is written exactly so comes before what differs in capitals.
    let exact = |one: &str| one == head;
    let similar = |one: &str| one.eq_ignore_ascii_case(head);
    if let Some(found) = find_by(output, &exact).or_else(|| find_by(output, &similar)) {
        return Ok(found);
    }
    match output.skips.iter().find(|skip| similar(name(skip))) {
        Some(skip) => Err(ExplainError::LeftOut { name: name(skip).to_owned(), reason: skip.reason.to_string() }),
        None => Err(ExplainError::Unknown { name: head.to_owned() }),
    }
}

fn of_type<'o>(token: &'o str, found: &'o TypeDefinition) -> Subject<'o> {
    match found {
        TypeDefinition::Object(object) => Subject::Object { token, object },
        TypeDefinition::Enum(definition) => Subject::Enum { token, definition },
    }
}

fn find_type<'o>(output: &'o Output, token: &str) -> Result<Subject<'o>, ExplainError> {
    let found = output.package.types.get_key_value(token).map(|(token, found)| of_type(token, found));
    found.ok_or_else(|| ExplainError::Unknown { name: format!("{TYPES}{token}") })
}

fn find_by<'o>(output: &'o Output, same: &dyn Fn(&str) -> bool) -> Option<Subject<'o>> {
    let resource = output.traces.iter().find(|trace| same(&trace.cfn_type) || same(&trace.token));
    if let Some(trace) = resource {
        return Some(Subject::Resource(trace));
    }
    if let Some((token, found)) = output.package.types.iter().find(|(token, _)| same(token)) {
        return Some(of_type(token, found));
    }
    if let Some(trace) = output.traces.iter().find(|trace| same(&trace.getter)) {
        return Some(Subject::Getter(trace));
    }
    let mut own = output.package.resources.keys().chain(output.package.functions.keys());
    own.find(|token| same(token)).map(|token| Subject::HandWritten(token))
}

/// What is at the end of a path of names in a subject.
fn inside<'o>(
    output: &'o Output,
    start: Subject<'o>,
    head: &str,
    path: &str,
    separator: char,
) -> Result<Subject<'o>, ExplainError> {
    let unknown = |name: &str, known: Vec<String>| ExplainError::UnknownMember {
        of: head.to_owned(),
        name: name.to_owned(),
        known,
    };
    match start {
        Subject::Resource(trace) | Subject::Getter(trace) => walk(output, Some(trace), None, path, separator),
        Subject::Object { token, .. } => walk(output, None, Some(token), path, separator),
        Subject::Enum { token, definition } | Subject::Member { token, definition, .. } => {
            let exact = definition.values.iter().position(|value| value.name == path || value.value == path);
            let similar = |name: &str| name.eq_ignore_ascii_case(path);
            let index = exact
                .or_else(|| definition.values.iter().position(|value| similar(&value.name) || similar(&value.value)));
            match index {
                Some(index) => Ok(Subject::Member { token, definition, index }),
                None => Err(unknown(path, definition.values.iter().map(|value| value.name.clone()).collect())),
            }
        }
        Subject::Property { .. } | Subject::Node { .. } | Subject::HandWritten(_) => Err(unknown(path, Vec::new())),
    }
}

/// Follows names from a resource, or from a nested type, to a property. SDK and CloudFormation names may be mixed.
fn walk<'o>(
    output: &'o Output,
    resource: Option<&'o ResourceTrace>,
    owner: Option<&str>,
    path: &str,
    separator: char,
) -> Result<Subject<'o>, ExplainError> {
    let mut owner = owner.map(str::to_owned);
    let mut names = path.split(separator).filter(|name| !matches!(*name, "" | "*")).peekable();
    let of = |owner: &Option<String>| match (owner, resource) {
        (Some(owner), _) => owner.clone(),
        (None, Some(trace)) => trace.token.clone(),
        (None, None) => String::new(),
    };
    while let Some(wanted) = names.next() {
        let known = members(output, resource, owner.as_deref());
        let name = |known: &[(String, String, TypeSpec)]| {
            let exact = known.iter().find(|(sdk, cfn, _)| sdk == wanted || cfn == wanted);
            let similar =
                || known.iter().find(|(sdk, cfn, _)| [sdk, cfn].iter().any(|one| one.eq_ignore_ascii_case(wanted)));
            exact.or_else(similar).cloned()
        };
        let Some((name, _, ty)) = name(&known) else {
            let known = known.into_iter().map(|(sdk, ..)| sdk).collect();
            return Err(ExplainError::UnknownMember { of: of(&owner), name: wanted.to_owned(), known });
        };
        let Some(next) = names.peek() else {
            let trace = match &owner {
                Some(owner) => decided_by(output, owner),
                None => resource,
            };
            return Ok(Subject::Property { trace, owner, name });
        };
        // Of the types in a union, the first one that has what comes next.
        let tokens = objects(output, &ty);
        let has_next = |token: &&String| {
            members(output, None, Some(token)).iter().any(|(sdk, cfn, _)| [sdk, cfn].iter().any(|one| one == next))
        };
        let Some(token) = tokens.iter().find(has_next).or(tokens.first()) else {
            let of = format!("{}.{name}", of(&owner));
            return Err(ExplainError::UnknownMember { of, name: (*next).to_owned(), known: Vec::new() });
        };
        owner = Some(token.clone());
    }
    Err(ExplainError::UnknownMember { of: of(&owner), name: path.to_owned(), known: Vec::new() })
}

/// SDK name, CloudFormation name and type of every property of a nested type or of a resource.
fn members(output: &Output, resource: Option<&ResourceTrace>, owner: Option<&str>) -> Vec<(String, String, TypeSpec)> {
    let collect = |properties: &Properties, cfn_name: &dyn Fn(&str) -> Option<String>| {
        let one = |(name, spec): (&String, &crate::package::PropertySpec)| {
            (name.clone(), cfn_name(name).unwrap_or_else(|| to_cfn(name)), spec.ty.clone())
        };
        properties.iter().map(one).collect()
    };
    match (owner.map(|owner| definition(output, owner)), resource) {
        (Some(Some(TypeDefinition::Object(object))), _) => {
            collect(&object.properties, &|name| object.cfn_names.get(name).cloned())
        }
        (Some(Some(TypeDefinition::Enum(_)) | None), _) | (None, None) => Vec::new(),
        (None, Some(trace)) => {
            let cfn_name = |name: &str| {
                let step = trace.step_of_member(None, name).and_then(|step| trace.steps.get(step));
                step.and_then(|step| step.member.as_ref()).map(|member| member.cfn_name.clone())
            };
            let spec = output.package.resources.get(&trace.token);
            spec.map(|spec| collect(&spec.properties, &cfn_name)).unwrap_or_default()
        }
    }
}

/// Tokens of the object types in a type.
fn objects(output: &Output, spec: &TypeSpec) -> Vec<String> {
    let mut found = Vec::new();
    let mut open = vec![spec];
    while let Some(spec) = open.pop() {
        match spec {
            TypeSpec::Ref(token) => {
                if let Some(TypeDefinition::Object(_)) = definition(output, token) {
                    found.push(token.to_string());
                }
            }
            TypeSpec::Array(inner) | TypeSpec::Map(inner) => open.push(inner),
            TypeSpec::Union(arms) => open.extend(arms.iter().rev()),
            TypeSpec::Any
            | TypeSpec::Boolean
            | TypeSpec::Integer
            | TypeSpec::Number
            | TypeSpec::String
            | TypeSpec::Region => {}
        }
    }
    found
}

/// What comes from a place in a resource's schema, or from a path as the schema's own lists spell it.
fn at_pointer<'o>(output: &'o Output, trace: &'o ResourceTrace, pointer: &str) -> Result<Subject<'o>, ExplainError> {
    let full = format!("#{pointer}");
    let is_there = |pointer: &str| pointer == full;
    // A definition is what its references made of it.
    let of_type = trace.registered.iter().rev().find(|(_, step)| {
        let target = trace.steps.get(*step).and_then(|step| step.target.as_deref());
        target.is_some_and(is_there)
    });
    if let Some((token, _)) = of_type
        && let Some((token, TypeDefinition::Object(object))) = output.package.types.get_key_value(token)
    {
        return Ok(Subject::Object { token, object });
    }
    let by_step = trace.steps.iter().position(|step| is_there(&step.pointer));
    if let Some((index, step)) = by_step.and_then(|index| Some((index, trace.steps.get(index)?))) {
        let owner = match step.parent {
            Some(parent) => trace.steps.get(parent).and_then(|parent| parent.registered.as_deref()).map(str::to_owned),
            None => None,
        };
        let decides = owner
            .as_deref()
            .is_none_or(|owner| decided_by(output, owner).is_some_and(|other| other.cfn_type == trace.cfn_type));
        return Ok(match &step.member {
            Some(member) if decides => Subject::Property { trace: Some(trace), owner, name: member.sdk_name.clone() },
            Some(_) | None => Subject::Node { trace, step: index },
        });
    }
    let by_target = trace.steps.iter().position(|step| step.target.as_deref().is_some_and(is_there));
    if let Some(step) = by_target {
        return Ok(Subject::Node { trace, step });
    }
    let stripped = pointer.strip_prefix("/properties/").or_else(|| pointer.strip_prefix('/')).unwrap_or(pointer);
    match walk(output, Some(trace), None, stripped, '/') {
        Err(error @ ExplainError::UnknownMember { .. }) if !stripped.contains('/') => Err(error),
        Err(_) => Err(ExplainError::UnknownPointer {
            cfn_type: trace.cfn_type.clone(),
            file: trace.file.clone(),
            pointer: full,
            known: {
                let pointers = trace.steps.iter().flat_map(|step| step.target.iter().chain([&step.pointer]));
                pointers.collect::<BTreeSet<_>>().into_iter().cloned().collect()
            },
        }),
        found => found,
    }
}
