//! The hooks that the lowering calls. Each does nothing unless a trace is asked for.

use super::places::Places;
use super::rules::Rule;
use super::{Member, Step};
use crate::package::{Token, TypeSpec};
use crate::types::{TypeBuilder, Typed};
use cfn::{Node, ResourceSchema, escape_token};

/// A trace in the making.
#[derive(Debug)]
pub(crate) struct Recorder<'a> {
    places: Places<'a>,
    /// What has been noted.
    pub(crate) steps: Vec<Step>,
    /// Nested types in the order of registration, with their steps.
    pub(crate) registered: Vec<(Token, usize)>,
    open: Vec<usize>,
    /// The property that the next step describes.
    member: Option<Member>,
    /// The step that ended last.
    last: Option<usize>,
}

impl<'a> Recorder<'a> {
    /// A recorder for the resource type that `schema` describes.
    pub(crate) fn new(schema: &'a ResourceSchema) -> Recorder<'a> {
        let places = Places::new(schema);
        Recorder { places, steps: Vec::new(), registered: Vec::new(), open: Vec::new(), member: None, last: None }
    }

    fn enter(&mut self, parent_name: &str, node: &Node) {
        let mut member = self.member.take();
        let parent = self.open.last().copied();
        let around = parent.and_then(|parent| self.steps.get(parent));
        let near: Vec<&str> = around
            .into_iter()
            .flat_map(|step| step.target.as_deref().into_iter().chain([step.pointer.as_str()]))
            .collect();
        let name = member.as_ref().map(|member| member.cfn_name.as_str());
        let found = self.places.find(node, &near, name);
        let pointer = found.or(near.first().copied()).unwrap_or("#").to_owned();
        if let Some(member) = &mut member {
            let own = pointer.rsplit_once("/properties/").map(|(object, _)| object);
            let objects: Vec<&str> = own.into_iter().chain(near.iter().copied()).collect();
            member.required_at = self.places.required_entry(&objects, &member.cfn_name);
        }
        let target = node.definition().map(|definition| format!("#/definitions/{}", escape_token(definition)));
        self.open.push(self.steps.len());
        self.steps.push(Step {
            parent,
            pointer,
            target,
            name: parent_name.to_owned(),
            member,
            rules: Vec::new(),
            result: TypeSpec::Any,
            registered: None,
            values: Vec::new(),
        });
    }

    fn current(&mut self) -> Option<(usize, &mut Step)> {
        let index = *self.open.last()?;
        self.steps.get_mut(index).map(|step| (index, step))
    }
}

impl TypeBuilder<'_> {
    /// Says which property the next node describes, and by which rule it has its name.
    pub(crate) fn trace_member(&mut self, cfn_name: &str, sdk_name: &str, rule: Rule) {
        if let Some(trace) = &mut self.trace {
            let (cfn_name, sdk_name) = (cfn_name.to_owned(), sdk_name.to_owned());
            trace.member = Some(Member { cfn_name, sdk_name, rule, required_at: None });
        }
    }

    /// Begins the step of a node.
    pub(crate) fn trace_enter(&mut self, parent: &str, node: &Node) {
        if let Some(trace) = &mut self.trace {
            trace.enter(parent, node);
        }
    }

    /// Ends the step that was begun last. A node without a type ends the whole resource, and the trace with it.
    pub(crate) fn trace_leave<E>(&mut self, typed: &Result<Typed, E>) {
        let (Some(trace), Ok(typed)) = (&mut self.trace, typed) else { return };
        if let Some((_, step)) = trace.current() {
            step.result = typed.spec.clone();
        }
        trace.last = trace.open.pop();
    }

    /// Notes which rule decides about the node at hand.
    pub(crate) fn note(&mut self, rule: Rule) {
        if let Some((_, step)) = self.trace.as_mut().and_then(Recorder::current) {
            step.rules.push(rule);
        }
    }

    /// Notes that the node at hand became a type of its own.
    pub(crate) fn trace_registered(&mut self, token: &Token) {
        let Some(trace) = &mut self.trace else { return };
        let Some((index, step)) = trace.current() else { return };
        step.registered = Some(token.clone());
        trace.registered.push((token.clone(), index));
    }

    /// Notes by which rules the values of the enum at hand have their names.
    pub(crate) fn trace_values<'v>(&mut self, values: impl IntoIterator<Item = (&'v str, Rule)>) {
        if let Some((_, step)) = self.trace.as_mut().and_then(Recorder::current) {
            step.values = values.into_iter().map(|(value, rule)| (value.to_owned(), rule)).collect();
        }
    }

    /// Notes what a rule made of the type of the property that was derived last.
    pub(crate) fn trace_replaced(&mut self, rule: Rule, spec: &TypeSpec) {
        let Some(trace) = &mut self.trace else { return };
        let Some(step) = trace.last.and_then(|last| trace.steps.get_mut(last)) else { return };
        if step.result != *spec {
            step.result = spec.clone();
            step.rules.push(rule);
        }
    }
}
