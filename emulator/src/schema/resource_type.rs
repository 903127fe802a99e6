//! One resource type: identifiers, property classes and handlers, with the whole schema for validation.

use super::instance_path::InstancePath;
use crate::transform::Transforms;
use serde_json::Value;
use std::sync::OnceLock;
use std::time::Duration;

/// What a handler does; the name is what the service calls the action.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Handler {
    Create,
    Read,
    Update,
    Delete,
    List,
}

impl Handler {
    /// The name in the `handlers` member of a schema.
    fn key(self) -> &'static str {
        match self {
            Handler::Create => "create",
            Handler::Read => "read",
            Handler::Update => "update",
            Handler::Delete => "delete",
            Handler::List => "list",
        }
    }

    /// The name in the text of `UnsupportedActionException`.
    pub(crate) fn action(self) -> &'static str {
        match self {
            Handler::Create => "CREATE",
            Handler::Read => "READ",
            Handler::Update => "UPDATE",
            Handler::Delete => "DELETE",
            Handler::List => "LIST",
        }
    }
}

/// How long an operation may take when the handler says nothing.
const DEFAULT_TIMEOUT: Duration = Duration::from_secs(120 * 60);

/// A resource type, as far as the emulator needs to understand it.
#[derive(Debug)]
pub(crate) struct ResourceType {
    pub(crate) name: String,
    pub(crate) primary_identifier: Vec<InstancePath>,
    pub(crate) additional_identifiers: Vec<Vec<InstancePath>>,
    pub(crate) read_only: Vec<InstancePath>,
    pub(crate) create_only: Vec<InstancePath>,
    pub(crate) write_only: Vec<InstancePath>,
    /// The schema as it was read.
    pub(crate) schema: Value,
    /// Whether keywords that only template linters know are enforced.
    pub(crate) is_linted: bool,
    transforms: OnceLock<Transforms>,
}

impl ResourceType {
    /// Takes what is needed out of a schema; lists that are absent or malformed are empty.
    pub(crate) fn new(name: String, schema: Value) -> ResourceType {
        let additional = schema.get("additionalIdentifiers").and_then(Value::as_array);
        ResourceType {
            primary_identifier: paths(schema.get("primaryIdentifier")),
            additional_identifiers: additional.into_iter().flatten().map(|list| paths(Some(list))).collect(),
            read_only: paths(schema.get("readOnlyProperties")),
            create_only: paths(schema.get("createOnlyProperties")),
            write_only: paths(schema.get("writeOnlyProperties")),
            name,
            schema,
            is_linted: false,
            transforms: OnceLock::new(),
        }
    }

    /// The same type with or without the keywords of template linters.
    pub(crate) fn linted(self, is_linted: bool) -> ResourceType {
        ResourceType { is_linted, ..self }
    }

    /// How the service keeps values in another form than they were given.
    pub(crate) fn transforms(&self) -> &Transforms {
        self.transforms.get_or_init(|| Transforms::of(&self.schema))
    }

    /// Whether the registry lets the type be provisioned.
    pub(crate) fn is_provisionable(&self) -> bool {
        self.schema.get("provisioningType").and_then(Value::as_str) != Some("NON_PROVISIONABLE")
    }

    /// Whether the type has the handler.
    pub(crate) fn has(&self, handler: Handler) -> bool {
        self.handler(handler).is_some()
    }

    /// Paths that can be changed under conditions only.
    pub(crate) fn conditional_create_only(&self) -> Vec<InstancePath> {
        paths(self.schema.get("conditionalCreateOnlyProperties"))
    }

    /// The longest that an operation may take.
    pub(crate) fn timeout(&self, handler: Handler) -> Duration {
        let minutes = self.handler(handler).and_then(|handler| handler.get("timeoutInMinutes")?.as_u64());
        minutes.map_or(DEFAULT_TIMEOUT, |minutes| Duration::from_secs(minutes * 60))
    }

    /// The IAM actions that a handler needs to be allowed.
    pub(crate) fn permissions(&self, handler: Handler) -> impl Iterator<Item = &str> {
        crate::json::texts(self.handler(handler).and_then(|handler| handler.get("permissions")))
    }

    /// The schema of what the list handler needs to be told.
    pub(crate) fn list_schema(&self) -> Option<&Value> {
        self.handler(Handler::List)?.get("handlerSchema")
    }

    /// The property that an input of the list handler, or each of its elements, refers to.
    pub(crate) fn list_input(&self, name: &str) -> Option<&str> {
        let input = self.list_schema()?.get("properties")?.get(name)?;
        let reference = input.get("$ref").or_else(|| input.get("items")?.get("$ref"));
        reference?.as_str()?.strip_prefix("resource-schema.json#/properties/")
    }

    fn handler(&self, handler: Handler) -> Option<&Value> {
        self.schema.get("handlers")?.get(handler.key())
    }

    /// Whether the value at a path is made by the service.
    pub(crate) fn is_read_only(&self, path: &InstancePath) -> bool {
        self.read_only.iter().any(|known| known.segments() == path.segments())
    }

    /// Whether the object that the value at a path is in must have it.
    pub(crate) fn is_required(&self, path: &InstancePath) -> bool {
        let Some((last, way)) = path.segments().split_last() else { return false };
        let parent = way.iter().try_fold(&self.schema, |node, segment| self.child(node, segment.name()));
        let required = parent.and_then(|parent| self.keyword(parent, "required")?.as_array());
        required.is_some_and(|names| names.iter().any(|name| name.as_str().is_some() && name.as_str() == last.name()))
    }

    /// The node that describes the value at a path, through references and array elements.
    pub(crate) fn node(&self, path: &InstancePath) -> Option<&Value> {
        let mut node = &self.schema;
        for segment in path.segments() {
            node = self.child(node, segment.name())?;
        }
        Some(node)
    }

    /// Whether a path leads to a property, through alternatives and keywords in the path too.
    pub(crate) fn leads_somewhere(&self, path: &InstancePath) -> bool {
        self.leads(&self.schema, path.segments(), 0)
    }

    fn leads(&self, node: &Value, segments: &[cfn::Segment], depth: usize) -> bool {
        let Some((segment, rest)) = segments.split_first() else { return true };
        // Alternatives may refer to themselves.
        if depth > 64 {
            return false;
        }
        let is_keyword = matches!(segment.name(), Some("properties" | "items" | "oneOf" | "anyOf" | "allOf"));
        if self.child(node, segment.name()).is_some_and(|child| self.leads(child, rest, depth + 1)) {
            return true;
        }
        // What a free-form object holds is nobody's business.
        let is_free = self.keyword(node, "properties").is_none()
            && self.keyword(node, "items").is_none()
            && self.keyword(node, "type").is_some_and(|kind| kind == "object")
            && depth > 0;
        let mut alternatives =
            ["oneOf", "anyOf", "allOf"].into_iter().filter_map(|keyword| self.keyword(node, keyword)?.as_array());
        is_free
            || (is_keyword && self.leads(node, rest, depth + 1))
            || alternatives.any(|branches| branches.iter().any(|branch| self.leads(branch, segments, depth + 1)))
    }

    /// The node of a member (`Some`) or of every element (`None`).
    pub(crate) fn child<'n>(&'n self, node: &'n Value, name: Option<&str>) -> Option<&'n Value> {
        match name {
            Some(name) => self
                .keyword(node, "properties")
                .and_then(|properties| properties.get(name))
                .or_else(|| self.child(self.keyword(node, "items")?, Some(name))),
            None => self
                .keyword(node, "items")
                .or_else(|| self.keyword(node, "patternProperties")?.as_object()?.values().next())
                .or_else(|| self.keyword(node, "additionalProperties").filter(|schema| schema.is_object())),
        }
    }

    /// A keyword of a node, looked up through `$ref`.
    pub(crate) fn keyword<'n>(&'n self, node: &'n Value, keyword: &str) -> Option<&'n Value> {
        let mut node = node;
        // References may form a cycle; no schema chains more than a handful of them.
        for _ in 0..16 {
            if let Some(value) = node.get(keyword) {
                return Some(value);
            }
            node = self.reference(node)?;
        }
        None
    }

    /// What the `$ref` of a node points at, within this schema.
    pub(crate) fn reference<'n>(&'n self, node: &'n Value) -> Option<&'n Value> {
        let reference = node.get("$ref")?.as_str()?;
        let pointer = reference.strip_prefix("resource-schema.json").unwrap_or(reference);
        self.schema.pointer(pointer.strip_prefix('#')?)
    }
}

fn paths(list: Option<&Value>) -> Vec<InstancePath> {
    let pointers = list.and_then(Value::as_array).into_iter().flatten();
    pointers.filter_map(|pointer| InstancePath::parse(pointer.as_str()?)).collect()
}
