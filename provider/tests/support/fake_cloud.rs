//! A cloud that behaves: it keeps one resource, hides what is write-only, applies patches to what it returns, and fails
//! when a test says so.

use std::sync::Mutex;

use provider::cloud::error::CloudErrorKind;
use provider::cloud::{CloudControl, CloudError, CreateFailure, Created, Model, Operation, UpdateFailure};
use serde_json::{Value as Json, json};

/// What a test sees and sets.
#[derive(Default)]
pub struct Script {
    /// The resource as the service keeps it; `None` = gone.
    pub model: Option<Json>,
    /// JSON pointers of what a read leaves out.
    pub hidden: Vec<&'static str>,
    /// Members that the service adds at creation.
    pub made: Option<Json>,
    /// What the next create answers.
    pub create_failure: Option<CreateFailure>,
    /// What the next update answers, and whether it is applied nevertheless.
    pub update_error: Option<(CloudError, bool)>,
    /// Nobody knows what becomes of an update that failed, and the resource cannot be read after it.
    pub unsettled: bool,
    /// What the next read answers.
    pub read_error: Option<CloudError>,
    /// What the next delete answers.
    pub delete_error: Option<CloudError>,
    /// Every mutation in order: its name and its document.
    pub requests: Vec<(&'static str, Json)>,
    /// How often the resource was read.
    pub reads: usize,
    /// The deadlines of the calls in order, in seconds.
    pub deadlines: Vec<u64>,
    /// What was said to the user.
    pub warnings: Vec<String>,
}

/// The cloud.
#[derive(Default)]
pub struct FakeCloud(pub Mutex<Script>);

impl FakeCloud {
    /// A cloud that holds this model.
    pub fn holding(model: Json) -> Self {
        Self(Mutex::new(Script { model: Some(model), ..Script::default() }))
    }

    /// Looks at or changes the script.
    pub fn with<T>(&self, see: impl FnOnce(&mut Script) -> T) -> T {
        see(&mut self.0.lock().unwrap())
    }

    /// The mutations so far.
    pub fn requests(&self) -> Vec<(&'static str, Json)> {
        self.with(|script| script.requests.clone())
    }
}

/// An answer of the service with this code.
pub fn service_error(code: &str, message: &str) -> CloudError {
    CloudError::new(CloudErrorKind::Service { code: code.to_owned() }, message)
}

impl Script {
    fn visible(&self) -> Option<Json> {
        let mut model = self.model.clone()?;
        for pointer in &self.hidden {
            let (parent, name) = pointer.rsplit_once('/').unwrap();
            if let Some(Json::Object(members)) = model.pointer_mut(parent) {
                members.remove(name);
                // A parent of hidden members only is not returned either.
                if members.is_empty()
                    && let Some((grandparent, name)) = parent.rsplit_once('/')
                {
                    let name = name.to_owned();
                    if let Some(Json::Object(members)) = model.pointer_mut(grandparent) {
                        members.remove(&name);
                    }
                }
            }
        }
        Some(model)
    }
}

impl CloudControl for FakeCloud {
    async fn create(&self, operation: &Operation<'_>, desired: &Json) -> Result<Created, CreateFailure> {
        self.with(|script| {
            script.requests.push(("create", desired.clone()));
            script.deadlines.push(operation.deadline.as_secs());
            if let Some(failure) = script.create_failure.take() {
                return Err(failure);
            }
            let mut model = desired.clone();
            if let (Some(Json::Object(made)), Json::Object(members)) = (&script.made, &mut model) {
                members.extend(made.clone());
            }
            script.model = Some(model);
            Ok(Created { identifier: "id-1".to_owned(), model: script.visible().unwrap() })
        })
    }

    async fn read(&self, operation: &Operation<'_>, _identifier: &str) -> Result<Option<Model>, CloudError> {
        self.with(|script| {
            script.reads += 1;
            script.deadlines.push(operation.deadline.as_secs());
            match script.read_error.take() {
                Some(error) => Err(error),
                None => Ok(script.visible()),
            }
        })
    }

    async fn update(&self, operation: &Operation<'_>, _: &str, patch: &Json) -> Result<Model, UpdateFailure> {
        self.with(|script| {
            script.requests.push(("update", patch.clone()));
            script.deadlines.push(operation.deadline.as_secs());
            let failure = script.update_error.take();
            if failure.as_ref().is_none_or(|(_, applied)| *applied) {
                // The service patches what it can read, so that hidden values that are not sent are lost.
                let mut model = script.visible().unwrap_or(json!({}));
                let operations: json_patch::Patch = serde_json::from_value(patch.clone()).unwrap();
                if let Err(error) = json_patch::patch(&mut model, &operations) {
                    let error = service_error("ValidationException", &format!("invalid patch: {error}"));
                    return Err(UpdateFailure { model: script.visible(), unsettled: false, error });
                }
                script.model = Some(model);
            }
            match failure {
                Some((error, _)) => {
                    let model = script.visible().filter(|_| !script.unsettled);
                    Err(UpdateFailure { model, unsettled: script.unsettled, error })
                }
                None => Ok(script.visible().unwrap()),
            }
        })
    }

    async fn delete(&self, operation: &Operation<'_>, _identifier: &str) -> Result<(), CloudError> {
        self.with(|script| {
            script.requests.push(("delete", Json::Null));
            script.deadlines.push(operation.deadline.as_secs());
            match script.delete_error.take() {
                Some(error) => Err(error),
                None => {
                    script.model = None;
                    Ok(())
                }
            }
        })
    }

    async fn warn(&self, _urn: &str, message: &str) {
        self.with(|script| script.warnings.push(message.to_owned()));
    }
}
