//! What the engine asks about one resource, and what it remembers of the answers.

use std::collections::BTreeMap;

use bytes::Bytes;
use emulator::Which;
use protocol::pulumirpc as pb;
use protocol::pulumirpc::diff_response::DiffChanges;
use protocol::pulumirpc::property_diff::Kind;
use protocol::pulumirpc::resource_provider_server::ResourceProvider as _;
use tonic::Request;
use value::Map;

use crate::life::{One, is_refusal_of_the_schema};
use crate::program::others;
use crate::world::{read, wire};

/// What the engine remembers of a resource.
#[derive(Clone)]
pub(crate) struct State {
    pub(crate) id: String,
    pub(crate) outputs: Bytes,
    pub(crate) inputs: Bytes,
}

impl One<'_> {
    pub(crate) async fn checked(&self, program: &Map, olds: Option<&Bytes>) -> Result<Bytes, String> {
        let request = pb::CheckRequest {
            urn: self.urn.clone(),
            news: Some(wire(program)),
            olds: olds.cloned(),
            random_seed: vec![7; 32].into(),
            ..Default::default()
        };
        let answer = self.world.provider.check(Request::new(request)).await;
        let answer = answer.map_err(|status| format!("check: {}", status.message()))?.into_inner();
        let failures = answer.failures.into_iter().map(|failure| failure.reason);
        answer.inputs.ok_or_else(|| format!("check: {}", failures.collect::<Vec<_>>().join("; ")))
    }

    pub(crate) async fn created(&self, inputs: &Bytes) -> Result<State, String> {
        let request =
            pb::CreateRequest { urn: self.urn.clone(), properties: Some(inputs.clone()), ..Default::default() };
        let answer = self.world.provider.create(Request::new(request)).await;
        let answer = answer.map_err(|status| format!("create: {}", status.message()))?.into_inner();
        let outputs = answer.properties.ok_or("create: no properties")?;
        Ok(State { id: answer.id, outputs, inputs: inputs.clone() })
    }

    /// A refresh of a state, or an import without one.
    pub(crate) async fn read(&self, id: &str, state: Option<&State>) -> Result<State, String> {
        let request = pb::ReadRequest {
            id: id.to_owned(),
            urn: self.urn.clone(),
            properties: state.map(|state| state.outputs.clone()),
            inputs: state.map(|state| state.inputs.clone()),
            ..Default::default()
        };
        let answer = self.world.provider.read(Request::new(request)).await;
        let answer = answer.map_err(|status| format!("read: {}", status.message()))?.into_inner();
        let outputs = answer.properties.ok_or("read: it is gone")?;
        Ok(State { id: answer.id, outputs, inputs: answer.inputs.ok_or("read: no inputs")? })
    }

    pub(crate) async fn diff(&self, state: &State, news: &Bytes) -> Result<pb::DiffResponse, String> {
        let request = pb::DiffRequest {
            id: state.id.clone(),
            urn: self.urn.clone(),
            olds: Some(state.outputs.clone()),
            news: Some(news.clone()),
            old_inputs: Some(state.inputs.clone()),
            ..Default::default()
        };
        let answer = self.world.provider.diff(Request::new(request)).await;
        Ok(answer.map_err(|status| format!("diff: {}", status.message()))?.into_inner())
    }

    /// The paths that a diff names; one without a kind where something is only recorded.
    pub(crate) async fn changes(&self, state: &State, news: &Bytes) -> Result<BTreeMap<String, Option<Kind>>, String> {
        let answer = self.diff(state, news).await?;
        let named = answer.detailed_diff.into_iter();
        let mut changes: BTreeMap<String, Option<Kind>> =
            named.map(|(path, change)| (path, Kind::try_from(change.kind).ok())).collect();
        if changes.is_empty() && answer.changes != i32::from(DiffChanges::DiffNone) {
            changes.insert("(recorded)".to_owned(), None);
        }
        Ok(changes)
    }

    /// The resource with one property changed, and its inputs. None where none can be changed alone.
    pub(crate) async fn changed(&self, state: &State, inputs: &Bytes) -> Result<Option<(State, Bytes)>, String> {
        for (name, program) in others(self.world, self.resource, &read(inputs)) {
            let news = self.checked(&program, Some(inputs)).await?;
            let plan = self.diff(state, &news).await?;
            if plan.changes != i32::from(DiffChanges::DiffSome) || !plan.replaces.is_empty() {
                continue;
            }
            let request = pb::UpdateRequest {
                id: state.id.clone(),
                urn: self.urn.clone(),
                olds: Some(state.outputs.clone()),
                news: Some(news.clone()),
                old_inputs: Some(state.inputs.clone()),
                ..Default::default()
            };
            match self.world.provider.update(Request::new(request)).await {
                Ok(answer) => {
                    let outputs = answer.into_inner().properties.ok_or("update: no properties")?;
                    return Ok(Some((State { id: state.id.clone(), outputs, inputs: news.clone() }, news)));
                }
                // Members that do not go together.
                Err(status) if is_refusal_of_the_schema(status.message()) => {}
                Err(status) => return Err(format!("update of {name}: {}", status.message())),
            }
        }
        Ok(None)
    }

    pub(crate) async fn delete(&self, state: &State) -> Result<(), String> {
        let request = pb::DeleteRequest {
            id: state.id.clone(),
            urn: self.urn.clone(),
            properties: Some(state.outputs.clone()),
            old_inputs: Some(state.inputs.clone()),
            ..Default::default()
        };
        let Err(status) = self.world.provider.delete(Request::new(request)).await else { return Ok(()) };
        if !status.message().contains("cannot be deleted while") {
            return Err(format!("delete: {}", status.message()));
        }
        // It is protected, as the program says.
        let which = Which::one(self.resource.cfn_type(), &state.id);
        self.world.cloud.admin().remove(&which).map(drop).map_err(|error| error.to_string())
    }
}
