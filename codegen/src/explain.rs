//! Why something is called what it is called and has the type that it has: one name at a time, for people and as JSON.
//!
//! Everything is taken from what the lowering noted down ([`crate::trace`]) and from the package that it made; no rule
//! is applied again here.
//!
//! | module | what is in it |
//! |---|---|
//! | `subject` | what a name or a pointer means |
//! | `marks` | why something is required, replaces, cannot be read … |
//! | `corrections` | which overlays changed the places that decided |
//! | `text` | an explanation as people read it |

mod corrections;
mod marks;
mod subject;
mod text;

pub use marks::Mark;
pub use subject::{ExplainError, known_names};

use crate::generate::Output;
use crate::inventory::short;
use crate::overlay::Overlays;
use crate::package::{EnumType, ObjectType, TypeDefinition, TypeSpec};
use crate::trace::rules::{Described, Rule};
use crate::trace::{ResourceTrace, Step};
use serde::Serialize;
use subject::Subject;

/// Why something is as it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Explanation {
    /// What is explained: a token, `TOKEN.property`, `ENUM.Member`, or a type and a pointer.
    pub subject: String,
    /// `resource`, `getter`, `property`, `object type`, `enum type`, `enum member` or `schema node`.
    pub kind: &'static str,
    /// Its CloudFormation name: a type, a property, a value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cfn_name: Option<String>,
    /// The resource type whose schema decided.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cfn_type: Option<String>,
    /// The file of that schema.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// Where in it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pointer: Option<String>,
    /// The rules that gave the name.
    pub name: Vec<Described>,
    /// The type as the package has it.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    pub ty: Option<String>,
    /// How the type came about, from the outside inwards.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<ExplainedStep>,
    /// What programs may and must do with it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub marks: Vec<Mark>,
    /// What is in it: properties with their types, members with their values.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub members: Vec<String>,
    /// Other resource types that have the type too; the last one in order of name decides what is in it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub shared_with: Vec<String>,
    /// What else a reader should know, a sentence each.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub remarks: Vec<String>,
    /// The corrections that changed the places above.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub corrections: Vec<ExplainedCorrection>,
}

/// A schema node on the way to a type.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ExplainedStep {
    /// How far inside, from 0.
    pub depth: usize,
    /// The node's place.
    pub pointer: String,
    /// What decided.
    pub rules: Vec<Described>,
    /// The type that came of it.
    #[serde(rename = "type")]
    pub ty: String,
}

/// An operation of an overlay.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ExplainedCorrection {
    /// The overlay's file, line and column.
    pub place: String,
    /// What it does, and where in the schema.
    pub operation: String,
    /// Why.
    pub reason: String,
    /// Where that can be looked up.
    pub link: String,
}

/// Explains what `query` names: a token, a CloudFormation type, either with a property behind a dot (`Type.a.b`) or a
/// JSON pointer (`Type/properties/A`), or a member of an enum. Capitals do not count. `#/types/` in front of a token means
/// the nested type where a resource has the token too.
///
/// `output` is that of a run with [`crate::Input::trace`]; `overlays` are the corrections that its schemas have.
///
/// # Errors
///
/// [`ExplainError`], when there is nothing of that name.
pub fn explain(output: &Output, overlays: &Overlays, query: &str) -> Result<Explanation, ExplainError> {
    let subject = subject::find(output, query)?;
    let mut explanation = match &subject {
        Subject::Resource(trace) => resource(output, trace),
        Subject::Getter(trace) => getter(output, trace),
        Subject::Property { trace, owner, name } => property(output, *trace, owner.as_deref(), name),
        Subject::Object { token, object } => object_type(output, token, object),
        Subject::Enum { token, definition } => enum_type(output, token, definition),
        Subject::Member { token, definition, index } => member(output, token, definition, *index),
        Subject::Node { trace, step } => node(trace, *step),
        Subject::HandWritten(token) => Explanation::new(*token, "resource or function", &[Rule::HandWritten]),
    };
    explanation.corrections = corrections::of(&explanation, overlays);
    Ok(explanation)
}

impl Explanation {
    fn new(subject: impl Into<String>, kind: &'static str, name: &[Rule]) -> Explanation {
        Explanation {
            subject: subject.into(),
            kind,
            cfn_name: None,
            cfn_type: None,
            file: None,
            pointer: None,
            name: name.iter().copied().map(Rule::describe).collect(),
            ty: None,
            steps: Vec::new(),
            marks: Vec::new(),
            members: Vec::new(),
            shared_with: Vec::new(),
            remarks: Vec::new(),
            corrections: Vec::new(),
        }
    }

    fn at(mut self, trace: &ResourceTrace, pointer: &str) -> Explanation {
        self.cfn_type = Some(trace.cfn_type.clone());
        self.file = Some(trace.file.clone());
        self.pointer = Some(pointer.to_owned());
        self
    }

    fn with_steps(mut self, trace: &ResourceTrace, step: usize) -> Explanation {
        self.steps = steps(trace, step);
        self
    }
}

/// A type in short, tokens whole.
fn type_text(spec: &TypeSpec) -> String {
    short(spec).replace('#', "")
}

/// A step and what is inside it, but not the properties of types of their own.
fn steps(trace: &ResourceTrace, root: usize) -> Vec<ExplainedStep> {
    let mut depths: Vec<(usize, usize)> = vec![(root, 0)];
    for (index, step) in trace.steps.iter().enumerate().skip(root + 1) {
        let around = depths.iter().find(|(known, _)| Some(*known) == step.parent);
        if let (Some((_, depth)), None) = (around.copied(), &step.member) {
            depths.push((index, depth + 1));
        }
    }
    let explained = depths.into_iter().filter_map(|(index, depth)| {
        let step = trace.steps.get(index)?;
        let rules = step.rules.iter().map(|rule| rule.describe()).collect();
        Some(ExplainedStep { depth, pointer: step.pointer.clone(), rules, ty: type_text(&step.result) })
    });
    explained.collect()
}

fn resource(output: &Output, trace: &ResourceTrace) -> Explanation {
    let mut explanation = Explanation::new(&trace.token, "resource", &trace.names).at(trace, "#/typeName");
    explanation.cfn_name = Some(trace.cfn_type.clone());
    if let Some(spec) = output.package.resources.get(&trace.token) {
        explanation.members =
            spec.properties.iter().map(|(name, property)| format!("{name}: {}", type_text(&property.ty))).collect();
    }
    explanation.remarks.extend(match &trace.no_getter {
        None => Some(format!("getter: {}", trace.getter)),
        Some(reason) => Some(format!("no getter: {reason}")),
    });
    explanation.remarks.extend(
        trace.generated_name.as_ref().map(|name| format!("{name} gets a generated name where programs give none")),
    );
    if output.package.types.contains_key(trace.token.as_str()) {
        explanation.remarks.push(format!("a nested type has the same token: #/types/{}", trace.token));
    }
    let lost = trace.paths.iter().filter(|path| path.place.is_none());
    explanation.remarks.extend(
        lost.map(|path| format!("{} ({}) leads to no property that the package can mark", path.pointer, path.text)),
    );
    explanation
}

fn getter(output: &Output, trace: &ResourceTrace) -> Explanation {
    let mut explanation =
        Explanation::new(&trace.getter, "getter", &[Rule::GetterName]).at(trace, "#/primaryIdentifier");
    explanation.cfn_name = Some(trace.cfn_type.clone());
    if let Some(reason) = &trace.no_getter {
        explanation.remarks.push(format!("there is no such getter: {reason}"));
    }
    if let Some(function) = output.package.functions.get(&trace.getter) {
        let inputs = function.inputs.iter().flat_map(|inputs| &inputs.properties);
        explanation.members.extend(inputs.map(|(name, property)| format!("takes {name}: {}", type_text(&property.ty))));
        let outputs = &function.outputs.properties;
        explanation.members.extend(outputs.iter().map(|(name, one)| format!("returns {name}: {}", type_text(&one.ty))));
    }
    explanation
}

fn property(output: &Output, trace: Option<&ResourceTrace>, owner: Option<&str>, name: &str) -> Explanation {
    let holder = owner.or(trace.map(|trace| trace.token.as_str())).unwrap_or_default();
    let subject = format!("{holder}.{name}");
    let owner_step = owner.map(|owner| trace.and_then(|trace| trace.step_of_type(owner)));
    let found = trace.and_then(|trace| {
        let owner = match owner_step {
            Some(step) => Some(step?),
            None => None,
        };
        let index = trace.step_of_member(owner, name)?;
        Some((trace, index, trace.steps.get(index)?))
    });
    let spec = marks::spec(output, owner, holder, name);
    let Some((trace, index, step)) = found else {
        let mut explanation = Explanation::new(subject, "property", &[Rule::HandWritten]);
        explanation.ty = spec.map(|spec| type_text(&spec.ty));
        return explanation;
    };
    let cfn_name = step.member.as_ref().map(|member| member.cfn_name.clone());
    let rules: Vec<Rule> = step.member.iter().map(|member| member.rule).collect();
    let mut explanation =
        Explanation::new(subject, "property", &rules).at(trace, &step.pointer).with_steps(trace, index);
    explanation.cfn_name = cfn_name;
    explanation.ty = Some(type_text(&step.result));
    explanation.marks = marks::of(output, trace, owner, step);
    explanation.shared_with = owner.map(|owner| others(output, trace, owner)).unwrap_or_default();
    explanation
}

/// The other resource types that registered a token.
fn others(output: &Output, trace: &ResourceTrace, token: &str) -> Vec<String> {
    let has = |other: &&ResourceTrace| other.cfn_type != trace.cfn_type && other.step_of_type(token).is_some();
    subject::of_module(output, token).filter(has).map(|other| other.cfn_type.clone()).collect()
}

/// The naming rules of a type: those of the step that made it, and of the references that lead there.
fn names_of_type(trace: &ResourceTrace, step: &Step) -> Vec<Rule> {
    let around = step.parent.and_then(|parent| trace.steps.get(parent)).filter(|around| around.result == step.result);
    let rules = around.into_iter().chain([step]).flat_map(|step| step.rules.iter().copied());
    rules.filter(|rule| rule.is_about_names()).collect()
}

/// A nested type, with the rules and the place of the step that decided about it.
fn nested(output: &Output, token: &str, kind: &'static str) -> Explanation {
    let Some(trace) = subject::decided_by(output, token) else {
        return Explanation::new(token, kind, &[Rule::HandWritten]);
    };
    let Some((index, step)) = trace.step_of_type(token).and_then(|index| Some((index, trace.steps.get(index)?))) else {
        return Explanation::new(token, kind, &[]);
    };
    let pointer = step.target.as_deref().unwrap_or(&step.pointer);
    let mut explanation =
        Explanation::new(token, kind, &names_of_type(trace, step)).at(trace, pointer).with_steps(trace, index);
    explanation.shared_with = others(output, trace, token);
    let used = trace.steps.iter().filter(|step| step.result.token().is_some_and(|used| &**used == token));
    let mut used: Vec<&str> = used.map(|step| step.pointer.as_str()).filter(|used| *used != pointer).collect();
    used.sort_unstable();
    used.dedup();
    explanation.remarks.extend((!used.is_empty()).then(|| format!("used at {}", used.join(", "))));
    explanation
}

fn object_type(output: &Output, token: &str, object: &ObjectType) -> Explanation {
    let mut explanation = nested(output, token, "object type");
    let text = |name: &str, ty: &TypeSpec| {
        let required = if object.required.iter().any(|required| required == name) { " (required)" } else { "" };
        format!("{name}: {}{required}", type_text(ty))
    };
    explanation.members = object.properties.iter().map(|(name, property)| text(name, &property.ty)).collect();
    explanation
}

fn enum_type(output: &Output, token: &str, definition: &EnumType) -> Explanation {
    let mut explanation = nested(output, token, "enum type");
    explanation.members = definition.values.iter().map(|value| format!("{} = {:?}", value.name, value.value)).collect();
    explanation
}

fn member(output: &Output, token: &str, definition: &EnumType, index: usize) -> Explanation {
    let whole = nested(output, token, "enum member");
    let Some(value) = definition.values.get(index) else { return whole };
    let rule = match &whole.cfn_type {
        Some(_) => rule_of_value(output, token, &value.value),
        None => Some(Rule::HandWritten),
    };
    let name = if value.name.is_empty() { &value.value } else { &value.name };
    Explanation {
        subject: format!("{token}.{name}"),
        cfn_name: Some(value.value.clone()),
        pointer: whole.steps.last().map(|step| format!("{}/enum", step.pointer)).or(whole.pointer),
        name: rule.into_iter().map(Rule::describe).collect(),
        ty: Some("string".to_owned()),
        steps: Vec::new(),
        remarks: Vec::new(),
        ..whole
    }
}

/// Which rule gave a value its name: that of the resource type that decided about the enum, or else of one that shares it.
fn rule_of_value(output: &Output, token: &str, value: &str) -> Option<Rule> {
    let steps = subject::of_module(output, token).rev().filter_map(|trace| trace.steps.get(trace.step_of_type(token)?));
    steps.flat_map(|step| &step.values).find(|(of, _)| of == value).map(|(_, rule)| *rule)
}

fn node(trace: &ResourceTrace, index: usize) -> Explanation {
    let Some(step) = trace.steps.get(index) else {
        return Explanation::new(&trace.cfn_type, "schema node", &[]);
    };
    let names: Vec<Rule> = step.rules.iter().copied().filter(|rule| rule.is_about_names()).collect();
    let subject = format!("{}{}", trace.cfn_type, step.pointer.trim_start_matches('#'));
    let mut explanation =
        Explanation::new(subject, "schema node", &names).at(trace, &step.pointer).with_steps(trace, index);
    explanation.ty = Some(type_text(&step.result));
    explanation
}

/// The definition of a token in the package.
fn definition<'o>(output: &'o Output, token: &str) -> Option<&'o TypeDefinition> {
    output.package.types.get(token)
}
