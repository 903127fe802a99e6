//! A cloud that keeps what it is given, by the marks of the resource type: it returns no write-only value, adds what only
//! the service sets, and takes a patch apart on what it returns.

use std::sync::Mutex;

use metadata::view::{Properties, Resource, StrList, Type};
use provider::cloud::error::CloudErrorKind;
use provider::cloud::{CloudControl, CloudError, CreateFailure, Created, Model, Operation, UpdateFailure};
use serde_json::{Value as Json, json};

/// The cloud with its one resource.
pub struct FaithfulCloud {
    resource: Resource,
    kept: Mutex<Kept>,
}

#[derive(Default)]
struct Kept {
    model: Option<Json>,
    patches: Vec<Json>,
}

impl FaithfulCloud {
    pub fn of(resource: Resource) -> Self {
        Self { resource, kept: Mutex::default() }
    }

    /// The whole model, hidden values included.
    pub fn model(&self) -> Json {
        self.kept.lock().unwrap().model.clone().unwrap()
    }

    /// Replaces the model; what the service sets is added.
    pub fn set(&self, model: Json) {
        self.kept.lock().unwrap().model = Some(self.completed(model));
    }

    /// The patches so far.
    pub fn patches(&self) -> Vec<Json> {
        self.kept.lock().unwrap().patches.clone()
    }

    /// A model with everything that only the service sets.
    fn completed(&self, mut model: Json) -> Json {
        complete_members(&mut model, self.resource.properties());
        model
    }

    /// What a read returns.
    pub fn visible(&self, model: &Json) -> Json {
        without(model, self.resource, self.resource.write_only())
    }
}

fn complete_members(model: &mut Json, properties: Properties) {
    let Json::Object(members) = model else { return };
    for property in properties.iter() {
        match members.get_mut(property.cfn_name()) {
            Some(member) => complete(member, property.ty()),
            None if !property.input() && matches!(property.ty(), Type::String) => {
                members.insert(property.cfn_name().to_owned(), json!(format!("made-{}", property.name())));
            }
            None => {}
        }
    }
}

fn complete(model: &mut Json, ty: Type) {
    match (ty, model) {
        (Type::Array(element), Json::Array(items)) => items.iter_mut().for_each(|item| complete(item, element.get())),
        (Type::Map(element), Json::Object(members)) => {
            members.values_mut().for_each(|member| complete(member, element.get()));
        }
        (Type::Object(object), model) => complete_members(model, object.properties()),
        _ => {}
    }
}

/// A model without the members at these paths.
pub fn without(model: &Json, resource: Resource, paths: StrList) -> Json {
    let mut model = model.clone();
    for path in paths.iter() {
        let steps: Vec<&str> = path.split('/').collect();
        hide_in(&mut model, resource.properties(), &steps);
    }
    model
}

/// Takes the member at a path out of an object.
fn hide_in(model: &mut Json, properties: Properties, steps: &[&str]) {
    let (Some((name, rest)), Json::Object(members)) = (steps.split_first(), model) else { return };
    let Some(property) = properties.get(name) else { return };
    match members.get_mut(property.cfn_name()) {
        Some(_) if rest.is_empty() => {
            members.remove(property.cfn_name());
        }
        Some(member) => {
            let had = has_members(member);
            hide(member, property.ty(), rest);
            // An object of hidden members only is not returned either.
            if had && !has_members(member) {
                members.remove(property.cfn_name());
            }
        }
        None => {}
    }
}

fn has_members(json: &Json) -> bool {
    json.as_object().is_none_or(|members| !members.is_empty())
}

fn hide(model: &mut Json, ty: Type, steps: &[&str]) {
    match (ty, model) {
        (Type::Array(element), Json::Array(items)) if steps[0] == "*" => {
            items.iter_mut().for_each(|item| hide(item, element.get(), &steps[1..]));
        }
        (Type::Map(element), Json::Object(members)) if steps[0] == "*" => {
            members.values_mut().for_each(|member| hide(member, element.get(), &steps[1..]));
        }
        (Type::Object(object), model) => hide_in(model, object.properties(), steps),
        (Type::Union(arms), model) => arms.iter().for_each(|arm| hide(model, arm, steps)),
        _ => {}
    }
}

impl CloudControl for FaithfulCloud {
    async fn create(&self, _: &Operation<'_>, desired: &Json) -> Result<Created, CreateFailure> {
        self.set(desired.clone());
        Ok(Created { identifier: "n".to_owned(), model: self.visible(&self.model()) })
    }

    async fn read(&self, _: &Operation<'_>, _: &str) -> Result<Option<Model>, CloudError> {
        Ok(self.kept.lock().unwrap().model.as_ref().map(|model| self.visible(model)))
    }

    async fn update(&self, _: &Operation<'_>, _: &str, patch: &Json) -> Result<Model, UpdateFailure> {
        // The service patches what it can read, so that hidden values that are not sent are lost.
        let mut model = self.visible(&self.model());
        let operations: json_patch::Patch = serde_json::from_value(patch.clone()).unwrap();
        if let Err(error) = json_patch::patch(&mut model, &operations) {
            let kind = CloudErrorKind::Service { code: "ValidationException".to_owned() };
            return Err(UpdateFailure {
                model: None,
                unsettled: false,
                error: CloudError::new(kind, format!("invalid patch: {error}")),
            });
        }
        self.kept.lock().unwrap().patches.push(patch.clone());
        self.set(model);
        Ok(self.visible(&self.model()))
    }

    async fn delete(&self, _: &Operation<'_>, _: &str) -> Result<(), CloudError> {
        self.kept.lock().unwrap().model = None;
        Ok(())
    }

    async fn warn(&self, _: &str, _: &str) {}
}
