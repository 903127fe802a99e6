//! One resource's life in a cloud that keeps what it is given, and what is compared about it.

use std::collections::BTreeSet;

use metadata::view::{Properties, Resource, Type};
use provider::lifecycle::{
    CheckRequest, CreateRequest, DiffAnswer, DiffRequest, ReadRequest, Settings, UpdateRequest, check, create, diff,
    read, update,
};
use serde_json::Value as Json;
use value::{Map, Urn, Value};

use crate::faithful_cloud::{FaithfulCloud, without};
use crate::numbers::Random;

/// A resource type and the cloud that holds its one resource.
pub struct Life {
    pub resource: Resource,
    pub cloud: FaithfulCloud,
}

impl Life {
    pub fn of(resource: Resource) -> Self {
        Self { resource, cloud: FaithfulCloud::of(resource) }
    }

    fn urn(&self) -> Urn {
        Urn::new("dev", "test", None, self.resource.token(), "thing").unwrap()
    }

    /// The identifier that an import of this type could have.
    fn id(&self) -> String {
        vec!["n"; self.resource.primary_identifier().len().max(1)].join("|")
    }

    /// Checked inputs, or why they are refused.
    pub fn checked(&self, news: Map) -> Result<Map, String> {
        let request = CheckRequest { urn: self.urn(), olds: Map::new(), news, random_seed: vec![1; 32], naming: None };
        let answer = check(self.resource, request, &Settings::default()).unwrap();
        match answer.failures.is_empty() {
            true => Ok(answer.inputs),
            false => Err(answer.failures.into_iter().map(|failure| failure.reason).collect::<Vec<_>>().join("; ")),
        }
    }

    pub fn created(&self, inputs: &Map) -> Map {
        let request = CreateRequest {
            urn: self.urn(),
            properties: inputs.clone(),
            timeout: None,
            reads_first: false,
            preview: false,
        };
        run(create(self.resource, request, &self.cloud)).unwrap_or_else(|failure| panic!("{failure:?}")).properties
    }

    /// Outputs and inputs of a refresh.
    pub fn refreshed(&self, state: &Map) -> (Map, Map) {
        let request = ReadRequest {
            id: self.id(),
            urn: self.urn(),
            properties: Some(state.clone()),
            inputs: None,
            timeout: None,
        };
        let found = run(read(self.resource, request, &self.cloud)).unwrap_or_else(|failure| panic!("{failure:?}"));
        let found = found.unwrap();
        (found.properties, found.inputs)
    }

    /// Outputs of an import of what the cloud holds.
    pub fn imported(&self) -> Map {
        let request = ReadRequest { id: self.id(), urn: self.urn(), properties: None, inputs: None, timeout: None };
        let found = run(read(self.resource, request, &self.cloud)).unwrap_or_else(|failure| panic!("{failure:?}"));
        found.unwrap().properties
    }

    pub fn diff(&self, state: &Map, news: &Map) -> DiffAnswer {
        let request = DiffRequest {
            id: self.id(),
            urn: self.urn(),
            olds: state.clone(),
            news: news.clone(),
            old_inputs: None,
            ignore_changes: Vec::new(),
        };
        diff(self.resource, &request)
    }

    /// What a diff finds, in words; none for no change.
    pub fn changes(&self, state: &Map, news: &Map) -> Vec<String> {
        let answer = self.diff(state, news);
        let mut changes: Vec<String> = answer.detailed.into_keys().collect();
        changes.extend(answer.record_only.then(|| "(recorded)".to_owned()));
        changes
    }

    pub fn updated(&self, state: &Map, news: &Map) -> Map {
        let request = UpdateRequest {
            id: self.id(),
            urn: self.urn(),
            olds: state.clone(),
            news: news.clone(),
            old_inputs: None,
            ignore_changes: Vec::new(),
            timeout: None,
            reads_first: false,
            preview: false,
        };
        run(update(self.resource, request, &self.cloud)).unwrap_or_else(|failure| panic!("{failure:?}"))
    }

    /// `news` with the old value of whatever would replace the resource.
    pub fn without_replacement(&self, state: &Map, olds: &Map, mut news: Map) -> Map {
        for name in self.diff(state, &news).replaces {
            match olds.get(&name) {
                Some(old) => news.insert(name, old.clone()),
                None => news.remove(&name),
            };
        }
        news
    }

    /// A model by which two can be compared: without what the service sets or hides, what equals its default and what
    /// is empty, lists without a meaningful order in one order.
    pub fn essence(&self, model: &Json) -> Json {
        let mut model = without(&self.cloud.visible(model), self.resource, self.resource.read_only());
        let unordered: BTreeSet<String> = self.resource.unordered().iter().map(str::to_owned).collect();
        tidy_members(&mut model, self.resource.properties(), "", &unordered);
        model
    }

    /// The same inputs with every list turned around whose order means nothing.
    pub fn permuted(&self, inputs: &Map) -> Map {
        let unordered: BTreeSet<String> = self.resource.unordered().iter().map(str::to_owned).collect();
        let mut inputs = Value::Object(inputs.clone());
        turn_members(&mut inputs, self.resource.properties(), "", &unordered);
        match inputs {
            Value::Object(inputs) => inputs,
            _ => Map::new(),
        }
    }
}

pub fn run<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(future)
}

fn tidy_members(model: &mut Json, properties: Properties, path: &str, unordered: &BTreeSet<String>) {
    let Json::Object(members) = model else { return };
    for property in properties.iter() {
        let Some(member) = members.get_mut(property.cfn_name()) else { continue };
        let path = if path.is_empty() { property.name().to_owned() } else { format!("{path}/{}", property.name()) };
        tidy(member, property.ty(), &path, unordered);
        let default = property.default().and_then(|text| serde_json::from_str::<Json>(text).ok());
        let empty = match &*member {
            Json::Object(left) => left.is_empty(),
            Json::Array(left) => left.is_empty(),
            _ => false,
        };
        if !property.input() || empty || default.as_ref() == Some(member) {
            members.remove(property.cfn_name());
        }
    }
}

fn tidy(model: &mut Json, ty: Type, path: &str, unordered: &BTreeSet<String>) {
    let inner = format!("{path}/*");
    match (ty, model) {
        (Type::Array(element), Json::Array(items)) => {
            items.iter_mut().for_each(|item| tidy(item, element.get(), &inner, unordered));
            if unordered.contains(path) {
                items.sort_by_key(Json::to_string);
            }
        }
        (Type::Map(element), Json::Object(members)) => {
            members.values_mut().for_each(|member| tidy(member, element.get(), &inner, unordered));
            members.retain(|_, member| member.as_object().is_none_or(|left| !left.is_empty()));
        }
        (Type::Object(object), model) => tidy_members(model, object.properties(), path, unordered),
        (Type::Union(arms), model) => arms.iter().for_each(|arm| tidy(model, arm, path, unordered)),
        _ => {}
    }
}

fn turn_members(value: &mut Value, properties: Properties, path: &str, unordered: &BTreeSet<String>) {
    let Value::Object(members) = value else { return };
    for property in properties.iter() {
        let Some(member) = members.get_mut(property.name()) else { continue };
        let path = if path.is_empty() { property.name().to_owned() } else { format!("{path}/{}", property.name()) };
        turn(member, property.ty(), &path, unordered);
    }
}

fn turn(value: &mut Value, ty: Type, path: &str, unordered: &BTreeSet<String>) {
    let inner = format!("{path}/*");
    match (ty, value) {
        (ty, Value::Secret(value)) => turn(value, ty, path, unordered),
        (Type::Array(element), Value::Array(items)) => {
            items.iter_mut().for_each(|item| turn(item, element.get(), &inner, unordered));
            if unordered.contains(path) {
                items.reverse();
            }
        }
        (Type::Map(element), Value::Object(members)) => {
            members.values_mut().for_each(|member| turn(member, element.get(), &inner, unordered));
        }
        (Type::Object(object), value) => turn_members(value, object.properties(), path, unordered),
        (Type::Union(arms), value) => arms.iter().for_each(|arm| turn(value, arm, path, unordered)),
        _ => {}
    }
}

/// Marks some values secret, and gives their texts a tail that no other value has, so that they can be looked for.
pub fn with_secrets(value: &mut Value, random: &mut Random, count: &mut usize) {
    match value {
        Value::Object(members) => members.values_mut().for_each(|member| with_secrets(member, random, count)),
        Value::Array(items) => items.iter_mut().for_each(|item| with_secrets(item, random, count)),
        _ => {}
    }
    if random.once_in(8) {
        *count += 1;
        if let Value::String(text) = value {
            text.push_str(&format!("-canary{count}"));
        }
        *value = Value::secret(std::mem::take(value));
    }
}

/// The canaries below marks of secrecy, and the texts in clear.
fn texts(value: &Value, secret: bool, hidden: &mut BTreeSet<String>, clear: &mut String) {
    match value {
        Value::Secret(inner) => texts(inner, true, hidden, clear),
        Value::Object(members) => members.values().for_each(|member| texts(member, secret, hidden, clear)),
        Value::Array(items) => items.iter().for_each(|item| texts(item, secret, hidden, clear)),
        Value::String(text) if secret && text.contains("-canary") => {
            hidden.insert(text.clone());
        }
        Value::String(text) if !secret => {
            clear.push_str(text);
            clear.push('\n');
        }
        _ => {}
    }
}

/// That no secret of `inputs` stands in clear in `state`.
pub fn hidden(state: &Map, inputs: &Map) -> Result<(), String> {
    let (mut wanted, mut clear) = (BTreeSet::new(), String::new());
    texts(&Value::Object(inputs.clone()), false, &mut wanted, &mut String::new());
    texts(&Value::Object(state.clone()), false, &mut BTreeSet::new(), &mut clear);
    let leaked: Vec<_> = wanted.iter().filter(|text| clear.contains(text.as_str())).collect();
    if leaked.is_empty() { Ok(()) } else { Err(format!("in clear: {leaked:?} in {state:?}")) }
}

/// That two values are the same; if not, their beginnings.
pub fn same<T: PartialEq + std::fmt::Debug>(what: &str, is: T, wanted: T) -> Result<(), String> {
    let short = |value: &T| {
        let text = format!("{value:?}");
        text[..text.floor_char_boundary(600)].to_owned()
    };
    if is == wanted { Ok(()) } else { Err(format!("{what}: {} instead of {}", short(&is), short(&wanted))) }
}
